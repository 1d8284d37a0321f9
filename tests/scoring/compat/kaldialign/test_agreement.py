"""Agreement with the installed kaldialign; `agreement.py` does the same on more pairs."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scoring import kaldialign as ours

kaldialign = pytest.importorskip("kaldialign")

from tests.scoring.compat.kaldialign.agreement import MODES, disagreements, random_pairs  # noqa: E402

SEED = 20_260


def test_alignments_and_counts_agree() -> None:
    found = [text for pair in random_pairs(600, SEED) for text in disagreements(pair)]
    assert found == []


@pytest.mark.parametrize(("sclite", "merge"), MODES)
def test_batches_agree(sclite: bool, merge: bool) -> None:
    pairs = [pair for pair in random_pairs(400, SEED) if pair.epsilon == "*"]
    references = [pair.reference for pair in pairs]
    hypotheses = [pair.hypothesis for pair in pairs]
    options: Any = {"sclite_mode": sclite, "merge_compounds": merge}
    assert ours.batch_error_rate(
        references, hypotheses, sclite, merge
    ) == kaldialign.batch_error_rate(references, hypotheses, **options)


@pytest.mark.parametrize("merge", [False, True])
def test_bootstrap_agrees_to_the_last_bit(merge: bool) -> None:
    rng = random.Random(SEED)
    for number in range(25):
        size = rng.randint(0, 5)
        least = number % 3 and 1  # with empty sequences now and then
        sides: Any = [
            [rng.choices(["a", "b", "ab"], k=rng.randint(least, 4)) for _ in range(size)]
            for _ in range(3)
        ]
        options: Any = {
            "replications": rng.randint(1, 60),
            "seed": rng.randrange(5),
            "merge_compounds": merge,
        }
        for arguments in (sides, sides[:2]):
            expected = kaldialign.bootstrap_wer_ci(*arguments, **options)
            found = ours.bootstrap_wer_ci(*arguments, **options)
            # as text, because NaN is not equal to itself
            assert repr(found) == repr(expected)
