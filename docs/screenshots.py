"""Pictures of the HTML report and of the page in the browser, made from the demo in a real browser.

Run it from the root of the repository; chromium, chromedriver, selenium and the extra `server` have
to be installed::

    python docs/screenshots.py
"""

from __future__ import annotations

import argparse
import base64
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from selenium.webdriver.support.wait import WebDriverWait

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import scoring  # noqa: E402
from scoring.regression.ranking import rank  # noqa: E402
from tests.chromium import PATIENCE, in_chromium  # noqa: E402

DEMO = ROOT / "resources" / "demo"
READY = "return document.documentElement.dataset.ready !== undefined"
DONE = (
    "return document.getElementById('status').textContent.startsWith('Done') && "
    "![...document.querySelectorAll('.slot ul')].some((list) => list.innerText.includes('…'))"
)
FRAMES = (
    "const done = arguments[0];requestAnimationFrame(() => requestAnimationFrame(() => done()))"
)


class Shot(NamedTuple):
    """A picture: its file, the view, the size in pixels, the theme, and the chosen utterance."""

    name: str
    view: str
    width: int
    height: int
    theme: str = "light"
    utterance: str = ""


OF_REPORT = (
    Shot("html-report.png", "utterances", 1200, 660, utterance="town-1-0012"),
    Shot("html-report-overview.png", "overview", 1200, 900),
    Shot("html-report-speakers.png", "speaker", 1200, 640),
    Shot("html-report-phone.png", "overview", 390, 780),
)
OF_PAGE = (
    Shot("browser.png", "score", 1200, 1000),
    Shot("browser-phone.png", "score", 390, 1250, "dark"),
)


def main() -> None:
    """Make the pages, and the pictures of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "docs", help="where they go")
    folder = parser.parse_args().folder
    command = [sys.executable, "-m", "scoring", "ui", "--no-open", "--port", "0"]
    with (
        tempfile.TemporaryDirectory() as name,
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as service,
    ):
        try:
            assert service.stderr is not None
            page = service.stderr.readline().rpartition(" ")[2].strip()
            report = report_in(Path(name))
            pairs = [*((report, shot) for shot in OF_REPORT), *((page, shot) for shot in OF_PAGE)]
            pictures = in_chromium(
                lambda driver: [taken(driver, *pair) for pair in pairs], "--hide-scrollbars"
            )
        finally:
            service.terminate()
    for (_, shot), picture in zip(pairs, pictures, strict=True):
        (folder / shot.name).write_bytes(picture)


def report_in(folder: Path) -> str:
    """The address of a report of the demo in a folder."""
    names = ("baseline.ctm", "improved.ctm")
    sides = [(DEMO / "reference.stm", DEMO / name) for name in names]
    systems = [scoring.wer(*side, normalize="lowercase", keep_sources=True) for side in sides]
    intervals = [scoring.confidence_interval(rates) for rates in systems]
    scoring.html_report(systems, folder / "page.html", intervals=intervals, ranking=rank(systems))
    return (folder / "page.html").as_uri()


def taken(driver: Any, address: str, shot: Shot) -> bytes:
    """A picture as PNG."""

    def wait(script: str) -> None:
        WebDriverWait(driver, PATIENCE).until(lambda one: one.execute_script(script))

    command = driver.execute_cdp_cmd
    size = {"width": shot.width, "height": shot.height, "deviceScaleFactor": 1}
    command("Emulation.setDeviceMetricsOverride", {**size, "mobile": shot.width < 600})
    theme = {"name": "prefers-color-scheme", "value": shot.theme}
    command("Emulation.setEmulatedMedia", {"features": [theme]})
    driver.get("about:blank")
    driver.get(address + (f"#utterance={shot.utterance}" if shot.utterance else ""))
    wait(READY)
    driver.execute_script(f"document.getElementById('tab-{shot.view}').click()")
    if shot in OF_PAGE:
        driver.execute_script("document.getElementById('demo').click()")
        wait(DONE)
    driver.execute_async_script(FRAMES)  # charts take the room there is within a frame
    return base64.b64decode(command("Page.captureScreenshot", {})["data"])


if __name__ == "__main__":
    main()
