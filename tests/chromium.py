"""Headless Chromium for tests, benchmarks and the pictures of the docs: one that hangs is ended."""

import contextlib
import os
import re
import shutil
import signal
from collections.abc import Callable
from threading import Timer
from typing import Any, TypeVar

PATIENCE = 120  # seconds that the browser has for an answer
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--window-size=1400,1000",
)
# Errors of a browser that hangs or has crashed, whatever the page: name of the type and message.
HANGS = (
    "Timed out receiving message from renderer",
    "TimeoutException: Message: (script )?timeout",
    "ReadTimeoutError|MaxRetryError|ProtocolError|RemoteDisconnected",
    "not reachable|session not created|invalid session id",
    "(tab|page|session) crashed|unable to receive message from renderer",
    "ConnectionRe(set|fused)Error",
)
# otherwise selenium would look for a newer driver in the network
os.environ.setdefault("SE_OFFLINE", "true")
Result = TypeVar("Result")


def is_installed() -> bool:
    """Whether there are a browser and its driver."""
    return bool(_program() and shutil.which("chromedriver"))


def in_chromium(work: Callable[[Any], Result], *arguments: str) -> Result:
    """Do work with the driver of a new browser, and once more with another if that one hangs."""

    def attempt() -> Result:
        driver = start_chromium(*arguments)
        try:
            return work(driver)
        finally:
            end(driver.service)

    try:
        return attempt()
    except Exception as problem:
        if not hangs(problem):
            raise
        return attempt()


def hangs(problem: BaseException) -> bool:
    """Whether an error is one of a browser that hangs or has crashed."""
    text = f"{type(problem).__name__}: {problem}"
    return any(re.search(pattern, text) for pattern in HANGS)


def end(service: Any) -> None:
    """End a driver with its browser, also those that do not answer."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(service.process.pid, signal.SIGKILL)
    service.process.wait()


def start_chromium(*arguments: str) -> Any:
    """The driver of a new browser."""
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
    """The browser without windows takes three quarters of the time of the other."""
    names = ("chromium-headless-shell", "chromium", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)
