"""Draws docs/pictures/explore.png: the explorer in Debian's chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent


def main() -> None:
    """Serve, open, take the picture, stop."""
    command = [str(Path(sys.executable).with_name("orderedness")), "explore", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[2]
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(viewport={"width": 1300, "height": 1560})
            page.goto(address)
            page.wait_for_selector("svg.figure >> nth=4", timeout=120_000)
            page.wait_for_timeout(1000)
            page.screenshot(path=HERE / "explore.png")
            browser.close()
        server.terminate()


if __name__ == "__main__":
    main()
