"""From a key press on a slider to the new figures, in a real browser.

Measures 256 XOR networks: the strength moves by one step at a time, so that every press asks for
networks that were not trained before. Needs marimo, Playwright and chromium.

    python benchmarks/bench_explorer.py [--presses 12]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# Times from the key press to the first frame in which verdict, distribution and losses are new.
WATCH = """
() => new Promise((done) => {
  const drawn = () => [...document.querySelectorAll("[data-key]")].slice(0, 3)
    .map((one) => one.dataset.key);
  const before = drawn();
  addEventListener("keydown", () => {
    const start = performance.now();
    const look = () => {
      const now = drawn();
      const fresh = now.length === 3 && now.every((key, i) => key !== before[i]);
      if (fresh) requestAnimationFrame(() => done(performance.now() - start));
      else requestAnimationFrame(look);
    };
    look();
  }, { once: true, capture: true });
  window.ready = true;
})
"""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--presses", type=int, default=9, help="at most 9: at 0.5 it was trained")
    presses = asked.parse_args().presses
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("chromium is not installed")
    command = [str(Path(sys.executable).with_name("orderedness")), "explore", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[2]
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
                page = browser.new_page(viewport={"width": 1600, "height": 1000})
                page.goto(address)
                page.wait_for_selector("svg.figure >> nth=4", timeout=120_000)
                times, inside = measured(page, presses)
                browser.close()
        finally:
            server.terminate()
    print(f"256 XOR networks, {len(times)} presses, {os.cpu_count()} cores, load now "
          f"{os.getloadavg()[0]:.1f}")  # fmt: skip
    print(f"from key press to new figures: median {statistics.median(times):.0f} ms, "
          f"least {min(times):.0f}, most {max(times):.0f}")  # fmt: skip
    rest = [all_of_it - part for all_of_it, part in zip(times, inside, strict=True)]
    print(f"of that, training and measuring: median {statistics.median(inside):.0f} ms; "
          f"drawing, sending and showing: median {statistics.median(rest):.0f} ms")  # fmt: skip


def measured(page: Page, presses: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each press: from key to figures, and of training and measuring alone."""
    strength = page.get_by_role("slider", name="Strength")
    strength.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(3000)
    times, inside = [], []
    for _ in range(presses):
        watching = page.evaluate_handle("() => { window.ready = false; }")
        watching.dispose()
        page.evaluate(f"() => {{ window.took = ({WATCH})(); }}")
        page.wait_for_function("window.ready")
        page.keyboard.press("ArrowRight")
        times.append(page.evaluate("() => window.took"))
        page.wait_for_timeout(300)
        said = page.locator(".status").inner_text()
        inside.append(1000 * float(said.rpartition("computed in ")[2].split()[0]))
    return times, inside


if __name__ == "__main__":
    main()
