"""Agreement with the kaldialign package, which breaks ties as Kaldi's compute-wer does."""

from __future__ import annotations

import random

import pytest

import scoring
from scoring import SCLITE_COSTS, UNIT_COSTS
from tests.scoring.alignment.implementations import SEED

kaldialign = pytest.importorskip("kaldialign")
ERRORS = {"sub": "substitutions", "del": "deletions", "ins": "insertions"}


@pytest.mark.parametrize("sclite_mode", [False, True])
def test_alignments_and_counts_agree(sclite_mode: bool) -> None:
    rng = random.Random(SEED)
    costs = SCLITE_COSTS if sclite_mode else UNIT_COSTS
    for _ in range(500):
        reference = rng.choices("abcd", k=rng.randint(0, 9))
        hypothesis = rng.choices("abcd", k=rng.randint(0, 9))
        theirs = kaldialign.align(reference, hypothesis, "*", sclite_mode=sclite_mode)
        ours = scoring.align(reference, hypothesis, costs=costs, ties="compute-wer")
        assert [(pair.reference or "*", pair.hypothesis or "*") for pair in ours] == theirs
        counted = kaldialign.edit_distance(reference, hypothesis, sclite_mode=sclite_mode)
        for key, name in ERRORS.items():
            assert getattr(ours.counts(), name) == counted[key]
