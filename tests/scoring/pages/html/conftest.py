"""A headless browser for the tests that need one, and what they ask of it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--window-size=1400,1000",
)
PATIENCE = 60.0  # seconds


class Browser:
    """A page in a headless browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, fragment: str = "") -> float:
        """Open a page and wait until it can be used; seconds from navigation to then."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        begun = time.monotonic()
        self.driver.get(path.as_uri() + fragment)
        self.wait("return document.documentElement.dataset.ready !== undefined")
        return time.monotonic() - begun

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: object) -> Any:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"not within {PATIENCE} s: {script}")

    def click(self, selector: str) -> None:
        self.run("document.querySelector(arguments[0]).click()", selector)

    def text(self, selector: str) -> str:
        # a driver cannot carry lone surrogates
        read = "return document.querySelector(arguments[0]).innerText.toWellFormed()"
        found = self.run(read, selector)
        assert isinstance(found, str)
        return found

    def rows(self, selector: str) -> list[list[str]]:
        """The cells of a table's body."""
        found: list[list[str]] = self.run(
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
            "(row) => [...row.children].map((cell) => cell.innerText))",
            selector,
        )
        return found

    def choose(self, identifier: str, value: str) -> None:
        self.run(
            "const one = document.getElementById(arguments[0]); one.value = arguments[1];"
            "one.dispatchEvent(new Event('change', {bubbles: true}))",
            identifier,
            value,
        )

    def search(self, text: str) -> None:
        """Type into the search field and wait until the list follows."""
        self.run(
            "window.before = document.getElementById('state').firstChild;"
            "const one = document.getElementById('search'); one.value = arguments[0];"
            "one.dispatchEvent(new Event('input', {bubbles: true}))",
            text,
        )
        self.wait("return document.getElementById('state').firstChild !== window.before")

    def complaints(self) -> list[str]:
        """What the console says."""
        return [f"{one['level']}: {one['message']}" for one in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that were asked for since the page was opened."""
        events = [
            json.loads(one["message"])["message"] for one in self.driver.get_log("performance")
        ]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    service = shutil.which("chromedriver")
    if program is None or service is None:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # otherwise selenium would look for a newer driver in the network
    os.environ.setdefault("SE_OFFLINE", "true")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(service))
    yield Browser(driver)
    driver.quit()
