"""Counts by places: a place with readings counts as written, whatever was heard."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.schema.words import Alternation, Item, Token
from scoring import ErrorRates, References, wer
from scoring.alignment.results import Alignments
from scoring.model.counts import Counts, Edit
from scoring.results.places import path_counts
from scoring.text.pipeline_files import as_pipeline
from scoring.text.utterances import normalize_words
from tests.each_case import each_case

STEPS = ["plain", "spoken-forms", "contractions", "fillers"]

# Of each class of forms one, and another of the same shape in both styles.
CLASSES = {
    "cardinal": ("35", "26", "twenty six"),
    "money": ("$1,250.50", "$1,260.50", "one thousand two hundred sixty dollars and fifty cents"),
    "money, all else": ("$5", "$7", "seven dollars"),
    "percent": ("20%", "30%", "thirty percent"),
    "time": ("10:30", "9:15", "nine fifteen"),
    "date": ("3/4/2020", "5/6/2019", "may sixth two thousand nineteen"),
    "ordinal": ("22nd", "33rd", "thirty third"),
    "measure": ("3.5 million", "3.6 million", "three point six million"),
    "decimal": ("2.5", "4.7", "four point seven"),
    "year": ("1984", "1973", "nineteen seventy three"),
    "fraction": ("3 1/2", "4 1/2", "four and a half"),
    "negative": ("-5", "-7", "minus seven"),
    "digits": ("007", "008", "zero zero eight"),
    "range": ("10-20", "30-40", "thirty to forty"),
    "decade": ("1980s", "1970s", "nineteen seventies"),
    "roman": ("Henry VIII", "Henry IV", "henry the fourth"),
    "title": ("Dr. Jones", "Mr. Jones", "mister jones"),
    "acronym": ("TV", "PC", "p c"),
    "electronic": ("joe@mail.com", "ann@mail.com", "ann at mail dot com"),
    "telephone": ("919-696-3901", "919-696-3904", "nine one nine six nine six three nine oh four"),
    "serial": ("A380", "A390", "a three ninety"),
    "contraction": ("don't", "can't", "can not"),
}


@each_case("kind", CLASSES)
def test_a_wrong_form_costs_the_same_in_digits_and_in_words(kind: str) -> None:
    right, *wrong = CLASSES[kind]
    sides = [f"we had {form} of it" for form in wrong]
    rates = [wer(f"we had {right} of it", side, normalize=STEPS) for side in sides]
    assert rates[0].counts.reference_tokens == rates[1].counts.reference_tokens
    assert rates[0].counts.errors == rates[1].counts.errors > 0


def test_a_right_form_counts_as_written() -> None:
    heard = "we paid one thousand two hundred fifty dollars and fifty cents"
    rates = wer("we paid $1,250.50", heard, normalize=STEPS)
    assert rates.counts == Counts(3)
    assert rates.signature.split("|")[-2] == "length:places"
    assert rates.path_counts[0] == path_counts(rates.aligned)[0] == Counts(11)


def test_a_choice_and_a_recipe_keep_the_words_of_the_path() -> None:
    sides = "it is $5", "it is six dollars"
    chosen = wer(*sides, normalize=STEPS, variants_length="chosen")
    assert chosen.counts == Counts(3, 1)
    assert "length" not in chosen.signature
    # alternatives of a file are sclite's
    given = wer("it is {five|fife one}", "it is fife two", variants=True, normalize=STEPS)
    assert given.counts == Counts(3, 1)


def text_of(branch: Iterable[Item]) -> list[str]:
    """The words of a reading, which has no choice of its own."""
    return [item.text for item in branch if isinstance(item, Token)]


def _paths(items: tuple[Item, ...]) -> list[list[tuple[str, int]]]:
    """All readings of an utterance: words, each with the number of its place, -1 without."""
    steps: list[list[list[tuple[str, int]]]] = []
    for number, item in enumerate(items):
        if isinstance(item, Token):
            steps.append([[(item.text, -1)]])
            continue
        assert isinstance(item, Alternation)
        steps.append([[(word, number) for word in text_of(branch)] for branch in item.branches])
    return [[word for part in path for word in part] for path in product(*steps)]


def _brute_force(
    items: tuple[Item, ...], heard: list[str], aligned: Alignments
) -> set[tuple[int, int]]:
    """Errors and words of an alignment by each reading that has its words; it is a cheapest one."""
    choices = {n: item.branches for n, item in enumerate(items) if isinstance(item, Alternation)}
    written = {number: len(branches[0]) for number, branches in choices.items()}
    longest = {number: max(map(len, branches)) for number, branches in choices.items()}
    paths = _paths(items)
    texts = [[word for word, _ in path] for path in paths]
    assert aligned[0].cost == min(pair.cost for pair in wer(texts, [heard] * len(texts)).aligned)
    edits, words = aligned.edits_of(0), list(aligned.references[0])
    return {
        _counted(edits, path, written, longest)
        for path, text in zip(paths, texts, strict=True)
        if text == words
    }


def _counted(
    edits: bytes, path: list[tuple[str, int]], written: dict[int, int], longest: dict[int, int]
) -> tuple[int, int]:
    owners: list[int | None] = []
    at = 0
    for edit in edits:
        owners.append(None if edit == Edit.INSERTION else path[at][1])
        at += edit != Edit.INSERTION
    wrong = sum(edit != 0 for edit, owner in zip(edits, owners, strict=True) if owner == -1)
    words = sum(owner == -1 for owner in owners) + sum(written.values())
    free = {place for place, owner in enumerate(owners) if owner is None}
    for number, size in written.items():
        own = [place for place, owner in enumerate(owners) if owner == number]
        if not own:
            continue
        begin, end = own[0], own[-1] + 1
        free -= set(range(begin, end))
        if any(edits[place] for place in own):
            room = longest[number] - sum(e != Edit.DELETION for e in edits[begin:end])
            while room > 0 and begin - 1 in free:
                begin, room = begin - 1, room - 1
                free.remove(begin)
            while room > 0 and end in free:
                free.remove(end)
                end, room = end + 1, room - 1
        wrong += min(size, sum(edit != 0 for edit in edits[begin:end]))
    return wrong + len(free), words


PARTS = ["so", "the", "don't", "uh", "5", "20", "1st", "it's", "$2", "and", "well"]
HEARD = [*PARTS, "do", "not", "five", "twenty", "first", "it", "is", "two", "dollars", "six"]


def _brute_case(generator: random.Random) -> None:
    reference = " ".join(generator.choices(PARTS, k=generator.randint(1, 6)))
    heard = generator.choices(HEARD, k=generator.randint(0, 8))
    rates = wer([reference], [heard], normalize=["contractions", "fillers", "numbers"])
    steps = as_pipeline(["contractions", "fillers", "numbers"])
    words, items = normalize_words(tuple(reference.split()), steps.steps("reference"))
    spoken, hypothesis = normalize_words(tuple(heard), steps.steps("hypothesis"))
    if hypothesis is not None:
        return
    whole = tuple(map(Token, words)) if items is None else tuple(items)
    counts, expected = rates.counts, _brute_force(whole, list(spoken), rates.aligned)
    assert (counts.errors, counts.reference_tokens) in expected, (reference, heard)


def test_counts_equal_those_over_all_readings() -> None:
    generator = random.Random(59)
    for _ in range(60):
        _brute_case(generator)


@pytest.mark.release
def test_counts_of_many_equal_those_over_all_readings() -> None:
    generator = random.Random(61)
    for _ in range(500):
        _brute_case(generator)


def test_all_doors_give_the_same_numbers(tmp_path: Path) -> None:
    reference = {f"u{n}": f"it is {n}% of ${n} uh and don't" for n in range(1, 9)}
    heard = {f"u{n}": "it is seven percent of seven dollars and do not" for n in range(1, 9)}
    options: Any = {"normalize": STEPS}
    whole = wer(reference, heard, **options)
    expected = list(whole.per_utterance)
    assert {counts.reference_tokens for counts in expected} == {8}
    path = tmp_path / "a.json"
    whole.save(path)
    assert list(scoring.load(path).per_utterance) == expected
    parts = [wer({name: reference[name]}, {name: heard[name]}, **options) for name in reference]
    assert list(parts[0].merge(*parts[1:]).per_utterance) == expected
    assert list(whole.select(range(2, 5)).per_utterance) == expected[2:5]
    bootstrap = scoring.confidence_interval(whole).bootstrap
    assert bootstrap is not None
    assert bootstrap.limits[0] <= whole.error_rate <= bootstrap.limits[1]
    table = {"reference": list(reference.values()), "pred_text": list(heard.values())}
    pytest.importorskip("pyarrow")
    import pyarrow as pa

    scored = scoring.score_columns(pa.table(table), reference="reference", **options)
    assert pa.table(scored)["wer_correct"].to_pylist() == [each.correct for each in expected]


def test_several_references_count_the_places_of_the_chosen_one() -> None:
    rates = wer(References(["the cat", "the $5 dog"]), "the five dollars dog", normalize=STEPS)
    assert rates.counts == Counts(3)


@pytest.mark.parametrize("measure", ["cp", "tcp", "orc"])
def test_meetings(measure: Any, tmp_path: Path) -> None:
    reference = tmp_path / "r.stm"
    reference.write_text("m 1 ann 0 2 it is $1,250.50\nm 1 ben 2 4 and 50\n")
    numbers = "one thousand two hundred sixty dollars and fifty cents", "fifty"
    rates: list[ErrorRates] = []
    for name, said in (("digits", ("$1,260.50", "50")), ("words", numbers)):
        heard = tmp_path / f"{name}.stm"
        heard.write_text(f"m 1 A 0 2 it is {said[0]}\nm 1 B 2 4 and {said[1]}\n")
        rates.append(wer(reference, heard, meeting=measure, collar="5s", normalize=STEPS[1:]))
    for each in rates:
        assert each.counts == Counts(4, 1)
        assert [(one.errors, one.reference_count) for one in each.sessions] == [(1, 5)]
        path = tmp_path / "a.json"
        each.save(path)
        assert scoring.load(path).counts == each.counts


def test_equal_utterances_need_no_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(77)
    words = ["26", "twenty", "six", "$5", "five", "dollars", "Dr.", "so", "--", "3rd"]
    texts = [" ".join(generator.choices(words, k=generator.randrange(6))) for _ in range(300)]
    others = [
        text if generator.random() < 0.6 else " ".join(generator.choices(words, k=4))
        for text in texts
    ]
    for chosen in (
        {"normalize": "spoken-forms"},
        {"normalize": as_pipeline(["plain", "spoken-forms"])},
        {"normalize": "spoken-forms", "unit": "char"},
        {"normalize": "spoken-forms", "profile": "kaldi"},
    ):
        options: Any = chosen
        with_shortcut = scoring.wer(texts, others, **options)
        with monkeypatch.context() as patch:
            patch.setattr("scoring.score.equal_utterances", lambda *sides: frozenset())
            rates = scoring.wer(texts, others, **options)
        assert with_shortcut.aligned == rates.aligned
        assert with_shortcut.forgiven == rates.forgiven
        assert [*with_shortcut.remarks] == [*rates.remarks]


@pytest.mark.parametrize("is_native", [True, False])
def test_settled_places_count_as_places_that_are_computed_for_an_utterance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_native: bool
) -> None:
    from scoring.results import places
    from scoring.score import opening
    from scoring.text import settling

    draw = random.Random(5)
    pairs = [(form, heard) for form, _, heard in CLASSES.values()]
    pairs += [("12%", "twelve percent"), ("$5", "five dollars"), ("35", "thirty five")] * 5
    others = [
        "stol",
        "muve",
        "pligair",
        "daiga",
        "nubroum",
        "redel",
        "tarve",
        "brifo",
        "zaire",
        "kelmo",
    ]
    lines: tuple[list[str], list[str]] = [], []
    for _ in range(120):
        form, heard = draw.choice(pairs)
        around = draw.sample(others, 9)
        words = heard.split()
        for _ in range(draw.randrange(3)):
            words.insert(draw.randrange(len(words) + 1), draw.choice("xyz"))
        lines[0].append(" ".join([*around[:5], form, *around[5:]]))
        lines[1].append(" ".join([*around[:5], *words, *around[5:]]))
    paths = [tmp_path / "left", tmp_path / "right"]
    for path, side in zip(paths, lines, strict=True):
        path.write_text("".join(f"u{row:04} {text}\n" for row, text in enumerate(side)), "utf-8")
    monkeypatch.setattr(opening, "LEAST_BYTES", 0)  # small files become columns, too
    monkeypatch.setattr(settling, "_ROWS", 25)  # several blocks
    if not is_native:
        monkeypatch.setattr(places, "load_core", lambda: None)
    for sides in (paths, paths[::-1]):
        rates = wer(
            *sides,
            reference_format="kaldi-text",
            hypothesis_format="kaldi-text",
            normalize=STEPS[:2],
        )
        assert rates.forgiveness is not None
        settled, _ = rates.forgiveness.without_blocks()
        assert sum(map(len, settled)) > 20
        for row, own in rates.forgiveness.by_row(rates.aligned):
            read = [place for place in own if place.side == "reference" and place.longest]
            expected = places.counts_by_places(rates.aligned.edits_of(row), read)
            assert rates.aligned.counts[row] == expected
        assert rates.forgiven_kinds == Counter(place.kind for place in rates.forgiven)
