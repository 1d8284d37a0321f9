"""The pictures of the pages are those that the script makes: it runs, and makes every one of them."""

import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests import chromium
from tests.chromium import is_installed

ROOT = Path(__file__).resolve().parents[4]
DOCS = ROOT / "docs"
PAGES = {
    "html-report.md": {
        "html-report.png": (1200, 660),
        "html-report-overview.png": (1200, 900),
        "html-report-phone.png": (390, 780),
        "html-report-speakers.png": (1200, 640),
    },
    "browser.md": {"browser.png": (1200, 1000), "browser-phone.png": (390, 1250)},
}
SIZES = {name: size for pictures in PAGES.values() for name, size in pictures.items()}
MOST_BYTES = 250_000


def size_of(path: Path) -> tuple[int, int]:
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


@pytest.mark.release
def test_the_script_makes_them(tmp_path: Path) -> None:
    pytest.importorskip("selenium", reason="selenium is not installed")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    if not is_installed():
        pytest.skip("chromium and chromedriver are not installed")
    command = [sys.executable, str(DOCS / "screenshots.py"), "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name: size_of(path) for path in tmp_path.iterdir()} == SIZES


@pytest.mark.parametrize("page", PAGES)
def test_they_are_in_the_docs(page: str) -> None:
    for name, size in PAGES[page].items():
        assert size_of(DOCS / name) == size
        assert (DOCS / name).stat().st_size < MOST_BYTES
        assert f"]({name})" in (DOCS / page).read_text("utf-8")


@pytest.mark.release
def test_a_browser_that_hangs_is_ended_and_another_one_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("selenium", reason="selenium is not installed")
    if not is_installed():
        pytest.skip("chromium and chromedriver are not installed")
    seen = tmp_path / "seen"
    program = tmp_path / "chromium"
    hang = f"[ -e {seen} ] || {{ touch {seen}; sleep 1000; }}"
    program.write_text(f'#!/bin/sh\n{hang}\nexec {chromium._program()} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(chromium, "_program", lambda: str(program))
    # the first has little time, the second one as much as ever
    times = iter((2, chromium.PATIENCE))
    monkeypatch.setattr(chromium, "Timer", lambda _, work: threading.Timer(next(times), work))
    assert chromium.in_chromium(lambda driver: driver.execute_script("return 1 + 1")) == 2
    assert seen.exists()
