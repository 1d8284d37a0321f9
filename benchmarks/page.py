"""Benchmark of the page that scores in the browser: its size, its start, and a score.

Run it from the root of the repository. It needs npm, chromium, chromedriver and selenium; the
browser runs without a window::

    python benchmarks/page.py

The start lasts from the request for the page (a file on the disk) until the runtime works. A score
lasts from the press of the button until the report is shown. The first score also loads the modules
that scoring needs.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.support.wait import WebDriverWait

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.corpus import Shape, generate, write_trn
from scoring.serve.browser.export import export
from tests.chromium import start_chromium

PATIENCE = 300  # seconds
READY = "return document.documentElement.dataset.ready !== undefined"
DONE = "return /^(Done|This)/.test(document.getElementById('status').textContent)"
LISTED = (
    "return ![...document.querySelectorAll('.slot ul')]"
    ".some((list) => list.innerText.includes('…'))"
)


def main() -> None:
    """Export the page; print its size, the seconds until it starts, and the seconds of scores."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--utterances", type=int, default=2_620)
    parser.add_argument("--words", type=int, default=20, help="of an utterance")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_trn(generate(Shape(utterances=arguments.utterances, words=arguments.words)), folder)
        print(f"archive: {export(str(folder / 'page.zip')) / 1e6:.2f} MB")
        shutil.unpack_archive(folder / "page.zip", folder / "page")
        driver = start_chromium()
        try:
            begun = time.monotonic()
            driver.get((folder / "page" / "index.html").as_uri())
            wait(driver, READY)
            print(f"start: {time.monotonic() - begun:.2f} s")
            for slot, side in (("reference", "ref.trn"), ("hypothesis", "hyp.trn")):
                driver.find_element("id", f"{slot}-file").send_keys(str(folder / side))
            wait(driver, LISTED)
            for _ in range(arguments.runs):
                driver.execute_script("document.getElementById('score').click()")
                wait(driver, DONE)
                print(driver.find_element("id", "status").text)
            print(driver.find_element("css selector", "#words h2").text)
        finally:
            driver.quit()


def wait(driver: Chrome, script: str) -> None:
    """Wait until a script returns true."""
    checks: WebDriverWait[Any] = WebDriverWait(driver, PATIENCE, 0.02)
    checks.until(lambda one: one.execute_script(script))


if __name__ == "__main__":
    main()
