"""Our sclite against stored runs of the original: every file, every byte, both ways."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.differential.case import read_files
from tests.differential.compare import Outcome, actual_parts, expected_parts, unified_difference
from tests.differential.programs import Ours, run_in

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
MODELS = "models"  # beside the cases of `lm`, which name them as `../models/…`


OF_OTHERS = ("kaldi", "rover", "sc_stats")  # commands with tests of their own


def golden_cases() -> list[Path]:
    """Every folder with a command of sclite and an expected result."""
    return sorted(
        path.parent for path in GOLDEN.glob("*/*/command") if path.parents[1].name not in OF_OTHERS
    )


def expected_outcome(case: Path) -> Outcome:
    """The stored result of the original."""
    files = read_files(case / "expected")
    status = int(files.pop("status"))
    return Outcome(status, files.pop("stdout"), files.pop("stderr", b""), files)


@pytest.fixture(scope="module")
def ours() -> Iterator[Ours]:
    with Ours() as program:
        yield program


def test_there_are_goldens_of_both_origins() -> None:
    folders = {case.parent.name for case in golden_cases()}
    assert {"ctm-ctm", "diff", "lm", "sclite", "txt", "ukrainian"} <= folders
    assert len(golden_cases()) >= 117


@pytest.mark.parametrize("case", golden_cases(), ids=lambda case: f"{case.parent.name}/{case.name}")
def test_golden(case: Path, ours: Ours, tmp_path: Path) -> None:
    expected = expected_outcome(case)
    work, streams = tmp_path / "work", tmp_path / "streams"
    shutil.copytree(case, work, ignore=shutil.ignore_patterns("expected", "command", "what"))
    streams.mkdir()
    if (case / "stdin").exists():
        shutil.copyfile(case / "stdin", streams / "stdin")
    if (case.parent / MODELS).exists():
        (tmp_path / MODELS).symlink_to(case.parent / MODELS)
    arguments = shlex.split((case / "command").read_text("utf-8"))
    result = run_in(ours, arguments, work, streams)
    parts = actual_parts(result, expected.stderr)
    text = unified_difference(expected_parts(expected), parts)
    what = (case / "what").read_text("utf-8").strip()
    assert not text, f"{case.name}: {what}\n{text}"
