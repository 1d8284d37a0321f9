"""Two texts with nothing chosen take a short way to the same result."""

import random
import warnings
from collections.abc import Callable

import pytest

import scoring

PIECES = ["ab", "c", " ", "  ", "é", ".", " d", "\n", "&amp;", "日", "/x", "it's 50.", "a.txt"]


def shown(result: scoring.ErrorRates) -> object:
    """All that a result has."""
    basis = result.basis
    assert basis is not None
    [read] = basis.references
    columns = [list(column) for column in (read.identifiers, read.words, read.speakers)]
    rest = read._replace(identifiers=[], words=[], speakers=[])
    return (
        (result.reference, result.hypothesis, result.rules, result.matching_summary),
        (list(result.identifiers), list(result.speakers), list(result.aligned), result.counts),
        (list(map(str, result.remarks)), result.groups, result.sources, result.forgiveness),
        (columns, rest, basis.options, dict(basis.sources), basis[2:5]),
        (str(result), result.corpus_rate, result.mean_of_utterances),
    )


@pytest.mark.parametrize("score", [scoring.wer, scoring.cer])
def test_the_short_way_has_the_same_result(score: Callable[..., scoring.ErrorRates]) -> None:
    rng = random.Random(2)
    for _ in range(40):
        pieces = PIECES[: rng.choice([3, 8, len(PIECES)])]
        sides = ["".join(rng.choices(pieces, k=rng.randint(0, 6))) for _ in range(2)]
        results: list[object] = []
        for choices in ({}, {"options": scoring.Options()}):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = score(*sides, **choices)
            results.append((shown(result), [str(warning.message) for warning in caught]))
        assert results[0] == results[1]
