"""The report in a real browser: Debian's chromium."""

import shutil

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(params=[(1400, "light"), (400, "dark")], ids=["wide", "narrow"])
def page(request, browser, report):
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.troubles = []
    page.on("console", lambda said: page.troubles.append(said.text))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            asked.url.startswith(("file:", "data:", "blob:")) or page.troubles.append(asked.url)
        ),
    )
    page.goto((report[0] / "report.html").as_uri())
    page.wait_for_selector("#figure5 .main-svg")
    yield page
    page.close()


def test_it_opens_without_errors_or_requests_and_fits(page):
    assert page.troubles == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator(".claims > li").count() == 9


def test_the_slider_moves_the_matrices(page):
    def shown():
        return [page.locator(f"#{name}").get_attribute("data-shown") for name in ("given", "best")]

    before = shown()
    page.locator("#moment").focus()
    page.keyboard.press("Home")
    after = shown()
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert "step 0:" in page.locator("#readout").inner_text()
    pixels = "c => c.toDataURL()"
    first = page.locator("#given").evaluate(pixels)
    page.locator("#network").select_option(index=7)
    assert page.locator("#given").evaluate(pixels) != first
    assert page.troubles == []


def test_play_runs_to_the_end(page):
    page.locator("#moment").focus()
    page.keyboard.press("Home")
    page.locator("#play").click()
    page.wait_for_function("document.getElementById('moment').value === '4'")
    page.wait_for_function("document.getElementById('play').textContent === 'Play'")


def test_every_figure_has_its_labels(page):
    wanted = {
        "figure2": ["XOR", "Sine", "iterations T", "hidden units", "change of O"],
        "figure3": ["untrained", "XOR", "Sine", "strength s", "orderedness O"],
        "figure4": ["XOR", "Sine", "epoch", "training loss"],
        "figure5": ["XOR", "Sine", "step", "training loss"],
    }
    for name, labels in wanted.items():
        texts = page.locator(f"#{name} text").all_text_contents()
        for label in labels:
            assert label in texts, (name, label, texts)
