"""The pictures of the pages are those that the script makes: it runs, and makes every one of them."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
DOCS = ROOT / "docs"
SIZES = {
    "html-report.png": (1200, 660),
    "html-report-overview.png": (1200, 900),
    "html-report-phone.png": (390, 780),
    "html-report-speakers.png": (1200, 640),
}
MOST_BYTES = 250_000


def size_of(path: Path) -> tuple[int, int]:
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def test_the_script_makes_them(tmp_path: Path) -> None:
    pytest.importorskip("selenium", reason="selenium is not installed")
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        pytest.skip("chromium and chromedriver are not installed")
    command = [sys.executable, str(DOCS / "screenshots.py"), "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name: size_of(path) for path in tmp_path.iterdir()} == SIZES


@pytest.mark.parametrize("name", SIZES)
def test_they_stand_in_the_page(name: str) -> None:
    assert size_of(DOCS / name) == SIZES[name]
    assert (DOCS / name).stat().st_size < MOST_BYTES
    assert f"]({name})" in (DOCS / "html-report.md").read_text("utf-8")
