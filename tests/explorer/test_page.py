"""The explorer in a real browser: Debian's chromium."""

import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("marimo", reason="marimo is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]  # fmt: skip
PATIENCE = 90_000  # milliseconds; on a busy machine compiling takes its time
POPULATION = ("Distribution", "Training losses")
VIEWS = (*POPULATION, "W as numbered", "W in its best order", "What feeds what")


@pytest.fixture(scope="module")
def address():
    command = [str(Path(sys.executable).with_name("orderedness")), "explore", "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        yield server.stdout.readline().split()[2]
        # With a page open, and its networks in training or not, Ctrl-C ends it cleanly.
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
        assert server.stdout.read() == ""


@pytest.fixture(scope="module")
def page(address):
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.set_default_timeout(PATIENCE)
        page.troubles = []
        page.on(
            "console",
            lambda said: said.type == "error" and page.troubles.append(said.text),
        )
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("dialog", lambda asked: page.troubles.append(asked.message))
        ours = (address, address.replace("http", "ws", 1), "data:", "blob:")
        page.on("request", lambda r: r.url.startswith(ours) or page.troubles.append(r.url))
        page.on("websocket", lambda s: s.url.startswith(ours) or page.troubles.append(s.url))
        page.goto(address)
        page.wait_for_selector("svg.figure >> nth=4")
        yield page
        browser.close()


@pytest.fixture(autouse=True)
def untroubled(page):
    yield
    assert page.troubles == []


def shown(page):
    """What each view draws, without the key that names its setting."""
    drawn = page.eval_on_selector_all("svg.figure", "all => all.map(one => one.innerHTML)")
    return dict(zip(VIEWS, drawn, strict=True))


def settle(page, told):
    """Wait until what was asked for is what is shown, everywhere."""
    page.wait_for_function(
        "told => document.querySelector('.status')?.innerText.includes(told)", arg=told
    )
    page.wait_for_function(
        """() => {
          const made = [...document.querySelectorAll('[data-setting]')].map(
            (one) => one.dataset.setting);
          return made.length === 5 && made.every((setting) => setting === made[0]);
        }"""
    )


def press(page, name, key):
    slider = page.get_by_role("slider", name=name, exact=True)
    slider.focus()
    page.keyboard.press(key)


def choose(page, name, option):
    page.get_by_label(name, exact=True).select_option(option)


def type_seed(page, number):
    field = page.get_by_role("textbox", name="Seed of the networks")
    field.fill(number)
    field.press("Enter")


CONTROLS = {
    "strength": (lambda page: press(page, "Strength", "ArrowRight"), "top-k 0.55", VIEWS),
    "iterations": (lambda page: press(page, "Iterations T", "ArrowLeft"), "T = 2", VIEWS),
    "pruner": (lambda page: choose(page, "Pruner", "top-k"), ", top-k 0.55", VIEWS),
    "initialiser": (
        lambda page: choose(page, "Initialiser", "uniform W, normal v"), "uniform W", VIEWS
    ),
    # The first networks stay the same when there are fewer of them.
    "networks": (lambda page: choose(page, "Networks", "128"), "128 networks", POPULATION),
    "seed": (lambda page: type_seed(page, "3"), "seed 3", VIEWS),
    "task": (lambda page: choose(page, "Task", "untrained control"), "untrained", VIEWS),
    "hidden": (lambda page: press(page, "Hidden units", "ArrowLeft"), "4 hidden", VIEWS),
    "preset": (
        lambda page: choose(page, "Start from", "Table 1: top-k, k = 0.5, untrained control"),
        "untrained control, 5 hidden units, T = 1, top-k 0.5",
        VIEWS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("control", CONTROLS)
def test_every_control_moves_every_view_it_should(page, control):
    act, told, moved = CONTROLS[control]
    before = shown(page)
    act(page)
    settle(page, told)
    after = shown(page)
    assert {view for view in VIEWS if before[view] != after[view]} == set(moved)


def test_a_network_can_be_followed_through_training(page):
    before = shown(page)
    press(page, "Training done (%)", "Home")
    page.get_by_text("Network 1 at step 0:").wait_for()
    start = shown(page)
    assert {view for view in VIEWS if before[view] != start[view]} == set(VIEWS) - set(POPULATION)
    press(page, "Network", "ArrowRight")
    page.get_by_text("Network 2 at step 0:").wait_for()
    other = shown(page)
    assert {view for view in VIEWS if other[view] != start[view]} == set(VIEWS) - set(POPULATION)


def test_it_stays_usable_while_it_compiles(page):
    choose(page, "Start from", "the explorer's own start")
    settle(page, "dynamic top-k 0.5")
    press(page, "Hidden units", "ArrowRight")
    page.get_by_text("Compiling for XOR with 6 hidden units").wait_for()
    press(page, "Strength", "ArrowRight")
    press(page, "Strength", "ArrowRight")
    assert page.get_by_role("slider", name="Strength").get_attribute("aria-valuenow") == "0.6"
    settle(page, "6 hidden units, T = 3, dynamic top-k 0.6")


@pytest.mark.parametrize("width", [400, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 1000})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("name => document.body.classList.contains(name)", arg=scheme)
    wide = page.evaluate(
        "Math.max(...[...document.querySelectorAll('#App, .explorer')].map(e => e.scrollWidth))"
    )
    assert wide <= width
    contrasts = page.evaluate(
        """() => {
          const light = (colour) => {
            const canvas = document.createElement('canvas').getContext('2d');
            canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => {
              c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const paper = light(getComputedStyle(document.querySelector('#App')).backgroundColor);
          const against = (colour) => {
            const [a, b] = [light(colour), paper].sort((x, y) => y - x);
            return (a + 0.05) / (b + 0.05);
          };
          const words = [...document.querySelectorAll('svg.figure text:not(.light, .dark-ink)')]
            .map((e) => against(getComputedStyle(e).fill));
          const lines = ['.after', '.chance', '.before'].map((k) =>
            against(getComputedStyle(document.querySelector('svg.figure rect' + k)).fill));
          return [Math.min(...words), Math.min(...lines)];
        }"""
    )
    assert contrasts[0] >= 4.5
    assert contrasts[1] >= 3


def fetched(page, name):
    page.wait_for_timeout(300)  # Chromium drops some of many downloads within a second or so
    with page.expect_download() as coming:
        page.get_by_text(name, exact=True).click()
    assert coming.value.suggested_filename == name
    return Path(coming.value.path()).read_text()


def test_what_is_shown_can_be_taken_along(page):
    page.set_viewport_size({"width": 1600, "height": 1000})
    for name in ("distribution.svg", "losses.svg", "weights.svg", "best-order.svg", "graph.svg"):
        assert ET.fromstring(fetched(page, name)).get("role") == "img"
    assert len(fetched(page, "networks.csv").splitlines()) == 257
    assert fetched(page, "losses.csv").startswith("step,")
    assert fetched(page, "weights.csv").startswith(",out,h1")
    compile(fetched(page, "explorer.py"), "explorer.py", "exec")
    assert "hidden=6" in fetched(page, "explorer.py")
    assert fetched(page, "explorer.html").count("<svg") == 5


def test_a_matrix_of_ones_own(page):
    hostile = "<img src=x>"
    page.set_input_files(
        "input[type=file]",
        {
            "name": "mine.csv",
            "mimeType": "text/csv",
            "buffer": f"source,target,weight\n{hostile},b,1\nb,c,2\nc,b,1\n".encode(),
        },
    )
    page.get_by_text("O = 0.750 (certified): 25.0 % of the weight flows back.").wait_for()
    assert page.locator("img[src=x]").count() == 0
    told = page.locator("details pre").text_content()
    assert told.startswith("mine.csv: 3 units")
    assert f"{hostile} > b > c" in told
    assert "mine.csv" in fetched(page, "measure.py")
    assert fetched(page, "order.csv").startswith("place,unit")
    page.set_input_files(
        "input[type=file]", {"name": "no.csv", "mimeType": "text/csv", "buffer": b"1,x\n2,3\n"}
    )
    assert "no.csv" in page.get_by_role("alert").inner_text()


def test_figure_1_and_figure_4_have_their_places(page):
    choose(page, "Start from", "Figure 1b: a perfect order")
    page.get_by_text("O = 1.000 (certified): nothing flows back.").wait_for()
    choose(page, "Start from", "Figure 4: losses of an MLP, XOR")
    page.get_by_role("img", name="Losses of 10 ordinary MLPs").wait_for()
