"""A test whose browser hangs or crashes is run again with a new browser; one that fails is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chromium import is_installed

ROOT = Path(__file__).resolve().parents[4]
TESTS = """
from pathlib import Path

import pytest

SEEN = Path(__file__).with_name("seen")
ENDLESS = "data:text/html,<script>while (true) {}</script>"


@pytest.mark.parametrize("address", [ENDLESS, "chrome://crash"])
def test_that_hangs_once(browser, address):
    first = not SEEN.with_suffix("." + address[:6]).exists()
    SEEN.with_suffix("." + address[:6]).touch()
    if first:
        browser.driver.set_page_load_timeout(1)
        browser.driver.command_executor.client_config.timeout = 20
        browser.driver.get(address)
    assert browser.run("return 1 + 1") == 2


def test_after_them(browser):
    assert browser.run("return document.body.innerText") == ""


def test_that_fails(browser):
    assert browser.run("return 1 + 1") == 3
"""


@pytest.mark.release
def test_a_browser_that_hangs_fails_no_test(tmp_path: Path) -> None:
    pytest.importorskip("pytest_rerunfailures", reason="pytest-rerunfailures is not installed")
    pytest.importorskip("selenium", reason="selenium is not installed")
    if not is_installed():
        pytest.skip("chromium and chromedriver are not installed")
    path = tmp_path / "test_hanging.py"
    path.write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p tests.conftest -n 2 -rR\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", "pytest.ini"]
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 3 passed, 2 rerun" in done.stdout, done.stdout + done.stderr
    assert "RERUN test_hanging.py::test_that_hangs_once[chrome" in done.stdout
