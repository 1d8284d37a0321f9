"""Our sclite against the original on random cases; `tests/differential/run.py` runs more."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.differential.compare import difference, not_judged
from tests.differential.generate import KINDS, generate
from tests.differential.programs import Original, Ours, run_case

pytestmark = pytest.mark.skipif(
    shutil.which("sctk") is None, reason="sctk, the judge, is not installed (apt-get install sctk)"
)
SEED = 20
CASES = {"native": 30, "plain": 8}  # of every kind


@pytest.fixture(scope="module")
def original() -> Original:
    return Original()


@pytest.fixture(scope="module", params=CASES)
def ours(request: pytest.FixtureRequest) -> Iterator[tuple[str, Ours]]:
    core: str = request.param
    if core == "native":
        pytest.importorskip("scoring.alignment._native", reason="the native core is not built")
    with Ours(core) as program:
        yield core, program


@pytest.mark.parametrize("kind", KINDS)
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
            assert not text, f"{case.name} (tests/differential/run.py {command}):\n{text}"
    assert judged >= CASES[core] // 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_generator_repeats_itself(kind: str) -> None:
    first, again = generate(kind, SEED, 3), generate(kind, SEED, 3)
    assert (first.arguments, first.files) == (again.arguments, again.files)
    assert first.files != generate(kind, SEED + 1, 3).files
