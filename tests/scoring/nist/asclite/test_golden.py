"""asclite's own runs, repeated byte by byte."""

from pathlib import Path

from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.judges.asclite.programs import comparable, run_ours

CASES = golden_cases("asclite")


def test_there_are_goldens() -> None:
    assert CASES


@each_case("case", CASES, ids=lambda case: case.name)
def test_golden(case: Golden, tmp_path: Path) -> None:
    case.lay_out(tmp_path)
    for name in case.expected:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    found = run_ours(case.arguments, tmp_path)
    assert comparable(found.parts()) == comparable(case.expected), case.text("what")


def test_judgements_come_in_the_original_s_order(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "91")
    case.lay_out(tmp_path)
    parts = run_ours(case.arguments, tmp_path).parts()
    judgements = [
        [line for line in stderr.splitlines() if line.startswith(b"[ALIGNMENT] YES")]
        for stderr in (case.expected["stderr"], parts["stderr"])
    ]
    assert len(judgements[0]) == 5
    assert judgements[0] == judgements[1]
