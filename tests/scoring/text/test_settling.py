"""Utterances that are settled in columns: the same as one by one, compiled and plain."""

from __future__ import annotations

from array import array
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring import score as road
from scoring import wer
from scoring.alignment import plain_arrow, texts
from scoring.alignment.texts import ColumnWords
from scoring.model.counts import SCLITE_COSTS, Costs
from scoring.text import plain_forms, settling, utterances
from scoring.text.readings import FormsInWords, PatternedForm, WrittenForm
from scoring.text.spoken.places import FormFinder, finder_of
from scoring.text.spoken_forms import SpokenForms
from tests.each_case import each_case
from tests.scoring.text.test_said_readings import FORMS, pair

COSTS = (SCLITE_COSTS, Costs(1, 1, 1), Costs(4, 3, 2))
LONG = " ".join(f"w{first}{second}" for first in "abcdefg" for second in "klmnopqrst")
ODD = [
    ("", "five"),
    ("5", ""),
    ("5", "five"),
    ("5", "5"),
    ("THE TV AND 5", "the tv and five"),
    ("I HAVE 5 CARS", "i have five cars"),
    ("$5 - x", "five dollars x"),
    ("5 5 5 a", "five five five a"),
    ("W1 W20 AND 5 MG", "w1 w20 and five mg"),
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


def seen(folder: Path, left: list[str], right: list[str], **options: Any) -> tuple[object, ...]:
    """Return all that is known of the result of two files, which are read as columns."""
    paths = folder / "left", folder / "right"
    for path, texts_of_side in zip(paths, (left, right), strict=True):
        lines = [f"u{row:04} {text}\n" for row, text in enumerate(texts_of_side)]
        path.write_text("".join(lines), "utf-8")
    rates = wer(*paths, reference_format="kaldi-text", hypothesis_format="kaldi-text", **options)
    aligned = rates.aligned
    words = list(map(tuple, aligned.references)), list(map(tuple, aligned.hypotheses))
    rows = bytes(aligned.edits), list(map(tuple, aligned.counts))
    return *words, *rows, rates.forgiven_by_row


@pytest.mark.share(2)
@pytest.mark.parametrize("turn", range(2))
@each_case(("number", "lang"), enumerate(FORMS))
def test_the_result_of_columns_is_that_of_all_readings(
    number: int, lang: str, turn: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each language by some of the options, in turn; in a release by all."""
    sides = pairs_of(3, lang, 36)
    step = SpokenForms(lang=lang)
    cases: tuple[dict[str, Any], ...] = (
        {"normalize": [step]},
        {"normalize": [step, "lowercase", "punctuation"], "profile": "jiwer"},
    )
    options = cases[(number + turn) % len(cases)]
    for left, right in (sides, sides[::-1]):
        found = seen(tmp_path, left, right, **options)
        with monkeypatch.context() as patch:
            patch.setattr(road, "_facing", lambda *_: (None, None))
            assert seen(tmp_path, left, right, **options) == found


@each_case("lang", FORMS)
def test_the_result_of_lists_is_that_of_all_readings(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = pairs_of(11, lang, 36)
    steps: list[Any] = [SpokenForms(lang=lang), "lowercase"]
    monkeypatch.setattr(utterances, "FEWEST_IN_COLUMNS", 1)
    for left, right in (sides, sides[::-1]):
        rates = wer(left, right, normalize=steps)
        assert rates.forgiveness is not None
        assert any(rates.forgiveness.without_blocks()[0])
        with monkeypatch.context() as patch:
            patch.setattr(road, "_facing", lambda *_: (None, None))
            expected = wer(left, right, normalize=steps)
        assert list(rates.aligned) == list(expected.aligned)
        assert rates.aligned.counts == expected.aligned.counts
        assert rates.forgiven_by_row == expected.forgiven_by_row


def settled(
    left: list[str], right: list[str], forms: FormsInWords, is_plain: bool, costs: Costs
) -> tuple[Any, ...]:
    """Return what the columns settle in both directions."""
    first, second = column(left, is_plain), column(right, is_plain)
    kind = plain_forms.FormPairs if is_plain else settling.FormPairs
    pairs = kind(first.texts, second.texts, forms.longest)
    results: list[object] = []
    for direction in (pairs, pairs.turned()):
        columns = settling.SettlingColumns(
            direction, forms, lambda words: list(map(str.lower, words))
        )
        left_over = columns.settle(columns.touched(), costs)
        words = list(ColumnWords(columns.texts))
        results += left_over, columns.rows, words, dict(columns.forms)
    return tuple(results)


@pytest.mark.share(3)
@pytest.mark.parametrize("turn", range(3))
@each_case(("number", "lang"), enumerate(FORMS))
def test_the_plain_core_settles_as_the_compiled_one(
    number: int, lang: str, turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With each of the costs for some languages, in turn; in a release for all."""
    left, right = pairs_of(7, lang, 36)
    forms = SpokenForms(lang=lang).finder
    monkeypatch.setattr(settling, "_ROWS", 25)  # several blocks
    monkeypatch.setattr(settling, "_KEPT", 30)  # windows of earlier blocks are forgotten
    costs = COSTS[(number + turn) % len(COSTS)]
    outcome = settled(left, right, forms, False, costs)
    assert settled(left, right, forms, True, costs) == outcome
    assert outcome[1]
    assert outcome[5]


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
def test_patterns_of_amounts_settle_as_their_readings(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, finder = Random(17), finder_of(lang, ())
    left, right, patterns = [], [], set()
    for _ in range(300):
        word = drawn.choice(["{} km x", "${} y", "{}% z", "({}) x", "a {}"])
        text = word.format(drawn.randrange(10_000, 1_000_000))
        at = int(text[0] == "a")
        form = finder.place_in("a"[:at], text.split()[at:], False, False)
        if isinstance(form, PatternedForm):
            patterns.add(form.pattern.has_whole_words)
            form = form.written_form()
        assert form is not None
        words = text.split()
        words[at : at + form.size] = [drawn.choice(form.readings)]
        left.append(f"{text} b c")
        right.append(" ".join(words) + drawn.choice([" b c", " c", ""]))
    assert patterns >= {True}
    outcomes = [settled(left, right, finder, is_plain, COSTS[0]) for is_plain in (False, True)]
    assert len(outcomes[0][1]) > 150
    place_in = FormFinder.place_in

    def whole(finder: FormFinder, *place: Any) -> WrittenForm | None:
        form = place_in(finder, *place)
        return form.written_form() if isinstance(form, PatternedForm) else form

    monkeypatch.setattr(FormFinder, "place_in", whole)
    assert outcomes == [settled(left, right, finder, False, COSTS[0])] * 2
