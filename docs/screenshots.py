"""Pictures of the HTML report for these pages, made from the demo in a real browser.

Run it from the root of the repository; chromium, chromedriver and selenium have to be installed::

    python docs/screenshots.py
"""

from __future__ import annotations

import argparse
import base64
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import scoring  # noqa: E402
from scoring.regression.ranking import rank  # noqa: E402

DEMO = ROOT / "resources" / "demo"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
PATIENCE = 180.0  # seconds


class Shot(NamedTuple):
    """A picture: its file, the view, the size in pixels, and the utterance that is chosen."""

    name: str
    view: str
    width: int
    height: int
    utterance: str = ""


SHOTS = (
    Shot("html-report.png", "utterances", 1200, 660, "tour-A-0001"),
    Shot("html-report-overview.png", "overview", 1200, 900),
    Shot("html-report-speakers.png", "speaker", 1200, 640),
    Shot("html-report-phone.png", "overview", 390, 780),
)


def main() -> None:
    """Make the page, and the pictures of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "docs", help="where they go")
    arguments = parser.parse_args()
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for argument in ARGUMENTS:
        options.add_argument(argument)
    with tempfile.TemporaryDirectory() as name:
        page = Path(name, "page.html")
        systems = [
            scoring.wer(
                DEMO / "reference.stm", DEMO / name, normalize="lowercase", keep_sources=True
            )
            for name in ("baseline.ctm", "improved.ctm")
        ]
        intervals = [scoring.confidence_interval(rates) for rates in systems]
        scoring.html_report(systems, page, intervals=intervals, ranking=rank(systems))
        driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
        )
        try:
            for shot in SHOTS:
                (arguments.folder / shot.name).write_bytes(taken(driver, page, shot))
        finally:
            driver.quit()


def taken(driver: webdriver.Chrome, page: Path, shot: Shot) -> bytes:
    """A picture as PNG."""
    size = {"width": shot.width, "height": shot.height, "deviceScaleFactor": 1}
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {**size, "mobile": shot.width < 600}
    )
    driver.get("about:blank")
    driver.get(page.as_uri() + (f"#utterance={shot.utterance}" if shot.utterance else ""))
    ready = "return document.documentElement.dataset.ready !== undefined"
    WebDriverWait(driver, PATIENCE).until(lambda one: one.execute_script(ready))
    driver.execute_script(f"document.getElementById('tab-{shot.view}').click()")
    # charts take the room there is within a frame
    driver.execute_async_script(
        "const done = arguments[0];requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    )
    return base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", {})["data"])


if __name__ == "__main__":
    main()
