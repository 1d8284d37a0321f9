"""Our sclite against the original on random cases; `tests/judges/sclite/run.py` runs more."""

import shlex
from pathlib import Path

import pytest

from tests.each_case import each_case
from tests.judge import MISSING, judge
from tests.judges.sclite.case import Case, read_files
from tests.judges.sclite.compare import (
    Outcome,
    difference,
    not_judged,
    without_dates,
    without_usage,
)
from tests.judges.sclite.generate import DEFAULT_KINDS, KINDS, generate
from tests.judges.sclite.programs import Original, Ours, run_case, shared_ours
from tests.tables import table_of

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
needs_judge = pytest.mark.skipif(judge("sclite") is None, reason=MISSING)
SEED = 20
CASES = {"native": 12, "plain": 6}  # of every kind


@pytest.fixture(scope="module")
def original() -> Original:
    return Original()


@pytest.fixture(scope="module", params=["native", pytest.param("plain", marks=pytest.mark.release)])
def ours(request: pytest.FixtureRequest) -> tuple[str, Ours]:
    core: str = request.param
    if core == "native":
        pytest.importorskip("scoring._native", reason="the native core is not built")
    return core, shared_ours(core)


@pytest.mark.share(3)
@needs_judge
@pytest.mark.parametrize("kind", DEFAULT_KINDS)
def test_random_cases_give_the_same_bytes(
    kind: str, original: Original, ours: tuple[str, Ours]
) -> None:
    core, program = ours
    judged = 0
    for number in range(CASES[core]):
        case = generate(kind, SEED, number)
        if not_judged(case) is not None:
            continue
        truth = run_case(original, case)
        result = run_case(program, case)
        assert result.finished, f"{case.name}: our run did not finish: {result}"
        assert b"Traceback" not in result.stderr, f"{case.name}:\n{result.stderr.decode()}"
        if truth.finished:
            judged += 1
            text = difference(truth, result)
            command = f"--seed {SEED} --kinds {kind} --cases {number + 1} --core {core}"
            assert not text, f"{case.name} (tests/judges/sclite/run.py {command}):\n{text}"
    assert judged >= CASES[core] // 2


@each_case("kind", KINDS)
def test_the_generator_repeats_itself(kind: str) -> None:
    first, again = generate(kind, SEED, 3), generate(kind, SEED, 3)
    assert (first.arguments, first.files) == (again.arguments, again.files)
    assert first.files != generate(kind, SEED + 1, 3).files


@needs_judge
@pytest.mark.parametrize("command", table_of(__file__, "the_demo_corpus_gives_the_same_bytes"))
def test_the_demo_corpus_gives_the_same_bytes(
    command: str, original: Original, ours: tuple[str, Ours]
) -> None:
    case = Case("demo", "demo", (tuple(shlex.split(command)),), read_files(DEMO))
    truth, result = run_case(original, case), run_case(ours[1], case)
    assert truth.status == 0
    assert difference(truth, result) == ""


def test_dates_and_the_usage_text_are_not_compared() -> None:
    dated = b'<SYSTEM creation_date="Fri Nov 20" x="1">\nCreation date: "Fri Nov 20"\n'
    assert without_dates(dated).count(b"CREATION-DATE") == 2
    assert (
        without_usage(b"sclite: <OPTIONS>\n-r\n\nsclite: Error, x\n\n") == b"\nsclite: Error, x\n\n"
    )
    assert without_usage(b"first\nsclite: <OPTIONS>\n-r\n") == b"first\n"


def test_what_differs_is_shown_and_what_we_add_on_stderr_is_not() -> None:
    original = Outcome(
        0, b"a\n", b"Warning: x\n", {"h.dtl": b"   with substitions                     0\n"}
    )
    same = b"   with substitutions                   0\n"
    ours = Outcome(0, b"a\n", b"sclite: warning: y\nWarning: x\n", {"h.dtl": same})
    assert difference(original, ours) == ""
    more = Outcome(0, b"a\n", b"Warning: x\n", {"h.dtl": same, "h.sys": b"\r"})
    assert "+++ ours/h.sys" in difference(original, more)
    assert "+++ ours/<status>" in difference(original, Outcome(1, b"a\n", b"", ours.files))
