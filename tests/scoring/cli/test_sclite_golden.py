"""Our sclite against stored runs of the original: every file, every byte, both ways."""

from pathlib import Path

import pytest

from tests.golden_case import Golden, golden_cases
from tests.judges.sclite.compare import Outcome, actual_parts, expected_parts, unified_difference
from tests.judges.sclite.programs import Ours, run_in, shared_ours

GROUPS = ("ctm-ctm", "diff", "lm", "sclite", "txt", "ukrainian")
CASES = golden_cases(*GROUPS)
MODELS = "models"  # beside the cases of `lm`, which name them as `../models/…`


def expected_outcome(case: Golden) -> Outcome:
    """The stored result of the original."""
    files = case.expected
    return Outcome(int(files.pop("status")), files.pop("stdout"), files.pop("stderr", b""), files)


@pytest.fixture(scope="module")
def ours() -> Ours:
    return shared_ours()


def test_there_are_goldens_of_both_origins() -> None:
    assert {case.group for case in CASES} == {*GROUPS}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.group}/{case.name}")
def test_golden(case: Golden, ours: Ours, tmp_path: Path) -> None:
    expected = expected_outcome(case)
    work, streams = tmp_path / "work", tmp_path / "streams"
    case.lay_out(work)
    streams.mkdir()
    if "stdin" in case.parts:
        (streams / "stdin").write_bytes(case.parts["stdin"])
    if (case.path.parent / MODELS).exists():
        (tmp_path / MODELS).symlink_to(case.path.parent / MODELS)
    parts = actual_parts(run_in(ours, case.arguments, work, streams), expected.stderr)
    text = unified_difference(expected_parts(expected), parts)
    assert not text, f"{case.name}: {case.text('what')}\n{text}"
