"""Utterances that are settled in columns: the same as one by one, compiled and plain."""

from __future__ import annotations

from array import array
from itertools import accumulate
from random import Random
from typing import Any

import pytest

from scoring.alignment import plain_arrow, texts
from scoring.alignment.texts import ColumnWords
from scoring.model.counts import SCLITE_COSTS, Costs
from scoring.text import plain_forms, settling
from scoring.text.facing import Facing
from scoring.text.registry import build
from scoring.text.spoken_forms import SpokenForms
from scoring.text.step import Step
from scoring.text.utterances import Normalized, normalize_utterances
from tests.scoring.text.test_said_readings import FORMS, pair

COSTS = (SCLITE_COSTS, Costs(1, 1, 1), Costs(4, 3, 2))
LONG = " ".join(f"w{number}" for number in range(70))
ODD = [
    ("", "five"),
    ("5", ""),
    ("5", "five"),
    ("5", "5"),
    ("THE TV AND 5", "the tv and five"),
    ("I HAVE 5 CARS", "i have five cars"),
    ("$5 - x", "five dollars x"),
    ("5 5 5 a", "five five five a"),
    (f"5 {LONG} 7", f"five {LONG} seven"),
    (f"{LONG} 7 {LONG}", f"{LONG} b seven c {LONG}"),
]


def column(rows: list[str], is_plain: bool) -> ColumnWords:
    """Return a column of texts in the compiled or the plain core."""
    if is_plain:
        return ColumnWords(plain_arrow.Texts(rows))
    data = [row.encode() for row in rows]
    ends = array("i", accumulate(map(len, data), initial=0))
    return ColumnWords(texts.column_of(b"".join(data), ends.tobytes()))


def pairs_of(seed: int, lang: str, number: int) -> tuple[list[str], list[str]]:
    """Return the texts of both sides."""
    drawn = Random(seed)
    pairs = [*ODD, *(pair(drawn, lang) for _ in range(number))]
    return [left for left, _ in pairs], [right for _, right in pairs]


def outcome(normalized: Normalized) -> tuple[object, ...]:
    """Return all that is known of normalised utterances, in a form that can be compared."""
    words = list(map(tuple, normalized.words))
    special = {row: list(segment.items()) for row, segment in normalized.special.items()}
    settled = {row: list(forms) for row, forms in normalized.settled.items()}
    return words, special, normalized.emptied, settled


@pytest.mark.parametrize("lang", FORMS)
@pytest.mark.parametrize("names", [(), ("lowercase", "punctuation")])
def test_columns_have_the_outcome_of_single_utterances(lang: str, names: tuple[str, ...]) -> None:
    steps: list[Step] = [SpokenForms(lang=lang), *(build(name, {}) for name in names)]
    left, right = pairs_of(len(names), lang, 60)
    for mine, theirs in ((left, right), (right, left)):
        for costs in COSTS:
            alone = [tuple(text.split()) for text in mine]
            heard = [tuple(text.split()) for text in theirs]
            facing = Facing(heard, frozenset((3,)), costs)
            expected = normalize_utterances(alone, {}, steps, facing=facing)
            facing = facing._replace(words=column(theirs, False))
            found = normalize_utterances(column(mine, False), {}, steps, facing=facing)
            assert outcome(found) == outcome(expected)
            if costs is SCLITE_COSTS and mine is left:
                assert len(found.settled) > 2


@pytest.mark.parametrize("lang", FORMS)
def test_the_plain_core_settles_as_the_compiled_one(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = pairs_of(7, lang, 60)
    forms = SpokenForms(lang=lang).finder

    def settled(is_plain: bool, costs: Costs) -> tuple[Any, ...]:
        sides = column(left, is_plain), column(right, is_plain)
        columns = settling.SettlingColumns(
            *sides, forms, lambda words: tuple(" ".join(words).lower().split())
        )
        left_over = columns.settle(columns.touched(), costs)
        words = list(ColumnWords(columns.texts))
        return left_over, columns.rows, words, dict(columns.forms)

    monkeypatch.setattr(settling, "_ROWS", 25)  # several blocks
    for costs in COSTS:
        found = settled(False, costs)
        with monkeypatch.context() as patch:
            patch.setattr(settling, "FormPairs", plain_forms.FormPairs)
            assert settled(True, costs) == found
        assert found[1]
