"""Headless Chromium for tests, benchmarks and the pictures of the docs: one that hangs is ended."""

import contextlib
import os
import shutil
import signal
from collections.abc import Callable
from threading import Timer
from typing import Any, TypeVar

PATIENCE = 60  # seconds that the browser has for an answer
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--window-size=1400,1000",
)
# otherwise selenium would look for a newer driver in the network
os.environ.setdefault("SE_OFFLINE", "true")
Result = TypeVar("Result")


def is_installed() -> bool:
    """Whether there are a browser and its driver."""
    return bool(_program() and shutil.which("chromedriver"))


def start_chromium(*arguments: str) -> Any:
    """A driver of a new browser; if it does not start in time, of a second one."""
    return _again(lambda: _started(arguments))


def in_chromium(work: Callable[[Any], Result], *arguments: str) -> Result:
    """Do work with the driver of a new browser, and once more with another if that one hangs."""

    def attempt() -> Result:
        driver = _started(arguments)
        try:
            return work(driver)
        finally:
            end(driver.service)

    return _again(attempt)


def end(service: Any) -> None:
    """End a driver with its browser, also those that do not answer."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(service.process.pid, signal.SIGKILL)
    service.process.wait()


def _again(attempt: Callable[[], Result]) -> Result:
    from selenium.common import TimeoutException, WebDriverException
    from urllib3.exceptions import HTTPError

    try:
        return attempt()
    except (HTTPError, OSError, TimeoutException):
        return attempt()
    except WebDriverException as problem:
        if "session not created" not in str(problem) and "not reachable" not in str(problem):
            raise
        return attempt()


def _started(arguments: tuple[str, ...]) -> Any:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = _program() or ""
    for argument in (*ARGUMENTS, *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(
        shutil.which("chromedriver"), popen_kw={"start_new_session": True}
    )
    watchdog = Timer(PATIENCE, lambda: end(service))
    watchdog.start()
    try:
        driver: Any = webdriver.Chrome(options=options, service=service)
    finally:
        watchdog.cancel()
    driver.command_executor.client_config.timeout = PATIENCE
    driver.set_script_timeout(PATIENCE)
    driver.set_page_load_timeout(PATIENCE)
    return driver


def _program() -> str | None:
    return shutil.which("chromium") or shutil.which("google-chrome")
