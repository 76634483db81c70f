"""The site: built without a warning, whole, and on its own."""

import importlib
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from pages import ROOT

PARTS = "network pruning ordering measuring training study paper report".split()
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LOADS = {"src", "srcset", "poster", "data"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]  # fmt: skip


class Page(HTMLParser):
    """What a page loads, where it links to, and the places that can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.links, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.loads += [given[name] for name in LOADS & set(given)]
        if "href" in given:
            stays = tag == "a" or given.get("rel") in ("index", "search", "next", "prev")
            (self.links if stays else self.loads).append(given["href"])
        if "id" in given:
            self.places.add(given["id"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site."""
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-b", "html", "-d", out / "doctrees", "-E", "-W",
         "--keep-going", "-q", ROOT / "docs", out / "html"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out / "html"


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path.read_text()) for path in site.rglob("*.html")}


def test_nothing_is_loaded_from_elsewhere(site, pages):
    for path, page in pages.items():
        for load in page.loads:
            assert not re.match(r"(\w+:)?//", load), f"{path.name} loads {load}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", sheet.read_text()), sheet


def test_links_within_the_site_lead_somewhere(site, pages):
    checked = 0
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"\w+:", link):
                continue
            place, _, fragment = link.partition("#")
            target = (path.parent / unquote(place)).resolve() if place else path
            assert target.exists(), f"{path.name}: {link}"
            if fragment and target in pages:
                assert unquote(fragment) in pages[target].places, f"{path.name}: {link}"
            checked += 1
    assert checked > 100


@pytest.mark.parametrize("part", PARTS)
def test_every_public_name_is_in_the_reference(part, pages, site):
    package = importlib.import_module(f"orderedness.{part}")
    places = pages[site / "api" / f"{part}.html"].places
    for name in package.__all__:
        assert f"orderedness.{part}.{name}" in places


def test_signatures_are_there(site):
    text = re.sub(r"<.*?>|\s", "", (site / "api" / "ordering.html").read_text())
    assert "orderedness(weights:Any,*,outputs:int=0" in text


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1600, "light")])
def test_in_a_browser(site, pages, width, scheme):
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        troubles = []
        tab.on("console", lambda said: troubles.append(said.text))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.on(
            "request",
            lambda asked: asked.url.startswith(("file:", "data:")) or troubles.append(asked.url),
        )
        for path in pages:
            tab.goto(path.as_uri())
            assert troubles == [], path.name
            fits = tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert fits, path.name
        tab.goto((site / "search.html").as_uri() + "?q=orderedness")
        tab.wait_for_selector("#search-results li")
        assert troubles == []
        browser.close()
