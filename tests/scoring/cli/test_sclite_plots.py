"""Option `--plots`: the graphs of the confidence reports as pictures."""

import subprocess
from pathlib import Path

import pytest

from tests.programs import python

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
REPORTS = ("det", "bhist", "hist", "sbhist")
WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from scoring.cli.nist.sclite import main
sys.exit(main(sys.argv[1:]))
"""


def arguments(folder: Path, *more: str) -> list[str]:
    files = ["-r", f"{DEMO}/reference.stm", "stm", "-h", f"{DEMO}/baseline.ctm", "ctm", "base"]
    return [*files, "-D", "-O", str(folder), "-n", "base", "-f", "0", "-o", "none", *more]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return python(*command, text=True)


def pictures(folder: Path, picture: str) -> dict[str, bytes]:
    pytest.importorskip("matplotlib")
    folder.mkdir()
    options = arguments(folder, "-C", *REPORTS, "--plots", picture)
    done = run("-m", "scoring.cli.nist.sclite", *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    files = {report: folder / f"base.{report}.{picture}" for report in REPORTS}
    # titles have the path
    return {report: file.read_bytes().replace(bytes(folder), b"") for report, file in files.items()}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return pictures(tmp_path_factory.mktemp("plots") / "folder", "svg")


def test_svg(drawn: dict[str, bytes]) -> None:
    for report in REPORTS:
        assert drawn[report].startswith(b"<?xml")
        assert b"base" in drawn[report]
    assert b"Incorrect words retained (in %)" in drawn["det"]
    assert drawn["bhist"].count(b'clip-path="url(') >= 11  # ten bars and a line
    for label in (b">All<", b">Correct<", b">Incorrect<"):
        assert label in drawn["hist"]


def test_the_same_data_give_the_same_bytes(drawn: dict[str, bytes], tmp_path: Path) -> None:
    assert drawn == pictures(tmp_path / "again", "svg")


@pytest.mark.release
def test_png(tmp_path: Path) -> None:
    for data in pictures(tmp_path / "folder", "png").values():
        assert data.startswith(b"\x89PNG\r\n")


def test_without_matplotlib(tmp_path: Path) -> None:
    done = run("-c", WITHOUT_MATPLOTLIB, *arguments(tmp_path, "-C", "det", "--plots", "svg"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(
        "\nsclite: Error, --plots needs matplotlib: pip install 'sclite-kit[plots]'\n\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("more", "error"),
    [
        (["--plots"], "Plot format not specified"),
        (["--plots", "gif"], "Plot format 'gif' not acceptable"),
    ],
)
def test_refusals(tmp_path: Path, more: list[str], error: str) -> None:
    done = run("-m", "scoring.cli.nist.sclite", *arguments(tmp_path, *more))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f"\nsclite: Error, {error}\n\n")


@pytest.mark.release
def test_a_plot_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "base.hist.svg").mkdir()
    done = run(
        "-m", "scoring.cli.nist.sclite", *arguments(tmp_path, "-C", "hist", "--plots", "svg")
    )
    assert done.returncode == 0
    assert done.stderr == (
        f"sclite: warning: {tmp_path}/base.hist.svg: cannot be opened, the plot is skipped\n"
    )
