"""Texts with alternatives in braces: both cores, and the graphs of segments as the oracle."""

import random
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import scoring
from formats.schema.words import Alternation, Token
from scoring.alignment import plain, plain_arrow, texts
from scoring.alignment.plain_references import PathTexts
from scoring.alignment.results import Alignments
from scoring.model.counts import SCLITE_COSTS
from scoring.score.choices import align_choices
from scoring.sides.rows import TakenBranch, Ways, first_words_of
from scoring.text.spoken_forms import SpokenForms
from tests.scoring.alignment.conftest import module as module
from tests.scoring.score.test_line_columns import least

WORDS = ["a", "b", "ab", "A", "abc", "c"]
Item = Token | Alternation


def drawn(draw: random.Random, depth: int = 0) -> list[Item]:
    """Words, null words and alternatives of these."""
    items: list[Item] = []
    for _ in range(draw.randrange(5 - depth)):
        if draw.random() < 0.25 and depth < 2:
            items.append(Alternation([drawn(draw, depth + 1) for _ in range(draw.randrange(1, 4))]))
        else:
            items.append(Token(draw.choice(WORDS)))
    return items


def text_of(items: Sequence[Item]) -> str:
    return " ".join(
        item.text
        if isinstance(item, Token)
        else "{ " + " / ".join(text_of(branch) or "@" for branch in item.branches) + " }"
        for item in items
    )


def cut(data: bytes, ends: bytes) -> list[tuple[str, ...]]:
    bounds = array("i", ends)
    rows = pairwise(bounds)
    return [tuple(data[begin:end].decode().split()) for begin, end in rows]


def found(module: ModuleType, sides: Any, *rules: Any) -> tuple[bytes, ...]:
    return tuple(module.best_texts(*sides, *rules, 2))


@pytest.mark.parametrize("folds", [False, True])
def test_sclite_aligns_texts_as_segments(module: ModuleType, folds: bool) -> None:
    draw = random.Random(41)
    pairs = [(drawn(draw), drawn(draw)) for _ in range(700)]
    rows = [[text_of(side) for side in sides] for sides in zip(*pairs, strict=True)]
    compared = [list(map(str.casefold, side)) for side in rows] if folds else rows
    result = found(module, (*rows, *compared), 4, 3, 3, 0, True)
    fold = str.casefold if folds else str
    expected = align_choices([one for one, _ in pairs], [other for _, other in pairs], fold, False)
    assert cut(*result[:2]) == [pair.reference for pair in expected]
    assert cut(*result[2:4]) == [pair.hypothesis for pair in expected]
    together = Alignments.of(expected, SCLITE_COSTS)
    assert result[4] == together.edits
    assert array("q", result[5]) == together.offsets
    assert result[6] == bytes(together.counts.numbers)


@pytest.mark.parametrize("folds", [False, True])
def test_readings_are_aligned_as_their_graphs(folds: bool) -> None:
    draw = random.Random(8)
    spoken = SpokenForms()

    def text() -> str:
        words = draw.choices(["26", "twenty", "six", "Six", "$5", "five", "dollars", "a"], k=5)
        return " ".join(words[: draw.randrange(6)])

    texts = [(text(), text()) for _ in range(400)]
    left, right = map(list, zip(*texts, strict=True))
    chosen: Any = {"normalize": "spoken-forms", "variants_length": "chosen"}
    rates = scoring.wer(left, right, ignore_case=folds, **chosen)
    pairs = [[spoken.items(text.split()) for text in pair] for pair in texts]
    fold = str.casefold if folds else str
    expected = align_choices([one for one, _ in pairs], [other for _, other in pairs], fold, False)
    assert list(rates.aligned.references) == [pair.reference for pair in expected]
    assert list(rates.aligned.hypotheses) == [pair.hypothesis for pair in expected]
    assert rates.aligned.edits == Alignments.of(expected, SCLITE_COSTS).edits


def test_the_words_as_written_are_the_first_of_all_alternatives() -> None:
    draw = random.Random(12)
    for _ in range(300):
        items = drawn(draw)
        written = [word.text for item in items for word in first_of(item)]
        assert first_words_of(text_of(items)) == written


@pytest.mark.parametrize("by_sclite", [True, False])
def test_a_path_names_the_branches_that_it_takes(module: ModuleType, by_sclite: bool) -> None:
    draw = random.Random(29)
    pairs = [(drawn(draw), drawn(draw)) for _ in range(400)]
    texts = [[text_of(side) for side in sides] for sides in zip(*pairs, strict=True)]
    costs = (4, 3, 3, 0, True) if by_sclite else (1, 1, 1, 0, False)
    result = PathTexts._make(found(module, (*texts, *texts), *costs))
    columns = (
        (texts[0], result.places, result.place_offsets, result[:2]),
        (texts[1], result.heard, result.heard_offsets, result[2:4]),
    )
    for side, (rows, places, offsets, words) in enumerate(columns):
        branches, numbers = map(
            array, "iq", module.taken_branches(rows, array("i", places), array("q", offsets))
        )
        ways = Ways(branches, numbers)
        for row, path in enumerate(cut(*words)):
            assert tuple(followed(pairs[row][side], iter(ways.of_row(row)), 0)) == path


def followed(items: Sequence[Item], branches: Iterator[TakenBranch], at: int) -> Iterator[str]:
    """The words along some branches, whose ranges are checked on the way."""
    for item in items:
        if isinstance(item, Token):
            at += 1
            yield item.text
            continue
        number, begin, end = next(branches)
        words = list(followed(item.branches[number], branches, at))
        assert (begin, end) == (at, at + len(words))
        at = end
        yield from words


def test_paths_without_words_take_the_first_branch_that_needs_none(module: ModuleType) -> None:
    rows = ["{ a / { b / @ } c / { d / @ } / @ }", "{ @ / a }", "a { b / c } d"]
    places = array("i", [2, 0, 2, 7])
    branches, numbers = module.taken_branches(rows, places[:0], array("q", [0] * 4))
    assert list(array("i", branches)) == [2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert list(array("q", numbers)) == [0, 2, 3, 4]
    branches, _ = module.taken_branches(rows[2:], places[1:], array("q", [0, 3]))
    assert list(array("i", branches)) == [0, 1, 2]
    branches, _ = module.taken_branches(
        [["a", -1, "b", -2, -3]], array("i", [0]), array("q", [0, 1])
    )
    assert list(array("i", branches)) == [1, 1, 1]


@pytest.mark.parametrize(
    ("rows", "offsets", "expected"),
    [
        ([["a", -3]], [0, 0], "rows: expected a mark that opens alternatives"),
        ([[-1, "a"]], [0, 0], "rows: expected a mark that closes alternatives, found none"),
        (["a"], [0], "offsets: expected one for each row, and the end"),
        (["a"], [0, 9], "offsets: expected numbers that rise"),
    ],
)
def test_rows_of_branches_are_checked(
    module: ModuleType, rows: Any, offsets: list[int], expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        module.taken_branches(rows, array("i"), array("q", offsets))


def first_of(item: Item) -> Sequence[Token]:
    return [item] if isinstance(item, Token) else item.first_branch()


@pytest.mark.share(4)
@pytest.mark.parametrize("compounds", [0, 1, 2])
@pytest.mark.parametrize("costs", [(1, 1, 1), (3, 1, 2)])
def test_both_cores_choose_the_same_texts(costs: tuple[int, int, int], compounds: int) -> None:
    native = pytest.importorskip("scoring._native")
    draw = random.Random(compounds)
    sides = [[text_of(drawn(draw)) for _ in range(600)] for _ in range(4)]
    sides[2:] = [list(map(str.casefold, side)) for side in sides[:2]]
    expected = found(plain, sides, *costs, compounds, False)
    assert found(native, sides, *costs, compounds, False) == expected


def test_the_chosen_texts_are_those_with_the_fewest_errors(module: ModuleType) -> None:
    sides = ["a { b / c d } e", "{ a / @ } /"], ["a c d", "/ b"]
    result = found(module, (*sides, *sides), 1, 1, 1, 0, False)
    assert cut(*result[:2]) == [("a", "c", "d", "e"), ("/",)]
    assert cut(*result[2:4]) == [("a", "c", "d"), ("/", "b")]


def test_rows_are_replaced(module: ModuleType) -> None:
    draw = random.Random(3)

    def aligned(number: int) -> list[Any]:
        edits = [bytes(draw.choices(range(4), k=draw.randrange(5))) for _ in range(number)]
        bounds = array("q", [0])
        for own in edits:
            bounds.append(bounds[-1] + len(own))
        counts = array("i", [own.count(code) for own in edits for code in range(4)])
        return [b"".join(edits), bounds, counts]

    for _ in range(100):
        number = draw.randrange(1, 9)
        rows = sorted(draw.sample(range(number), draw.randrange(number + 1)))
        own, others = aligned(number), aligned(len(rows))
        edits, offsets, counts = module.replace_rows(*own, array("q", rows), *others)
        bounds = array("q", offsets)
        for row in range(number):
            source, at = (others, rows.index(row)) if row in rows else (own, row)
            assert (
                edits[bounds[row] : bounds[row + 1]] == source[0][source[1][at] : source[1][at + 1]]
            )
            assert array("i", counts)[4 * row : 4 * row + 4] == source[2][4 * at : 4 * at + 4]
    with pytest.raises(ValueError, match="rows: expected numbers of pairs that rise"):
        module.replace_rows(*aligned(2), array("q", [1, 0]), *aligned(2))
    with pytest.raises(ValueError, match="rows: expected one for each other pair"):
        module.replace_rows(*aligned(2), array("q", [1]), *aligned(2))


def in_other_pieces(words: list[str], draw: random.Random) -> Iterator[str]:
    """Yield the words, some of them joined or cut, whatever their sizes."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if rest and draw.random() < 0.2:
            word += rest.pop(0)
        if len(word) > 1 and draw.random() < 0.2:
            rest.insert(0, word[draw.randrange(1, len(word)) :])
            word = word[: len(word) - len(rest[0])]
        yield word


@pytest.mark.parametrize("several", [False, True])
def test_rows_that_may_have_compounds(several: bool) -> None:
    draw = random.Random(8)
    sides = [[" ".join(draw.choices(WORDS, k=draw.randrange(5))) for _ in range(200)] for _ in "ab"]
    for _ in range(200):
        sizes = draw.choices((1, 1, 2, 3, 11, 12, 23, 24, 25, 40), k=draw.randrange(6))
        words = ["".join(draw.choices("abc", k=size)) for size in sizes]
        sides[0].append(" ".join(words))
        sides[1].append(" ".join(in_other_pieces(words, draw)))
    counts = array("i", [0, 1, 0, 0] * 400)
    columns = []
    for side in sides:
        ends = array("i", [0])
        for text in side:
            ends.append(ends[-1] + len(text))
        columns.append(texts.column_of("".join(side).encode(), ends.tobytes()))
    rows = texts.rows_of_compounds(columns[0], columns[1], None, several, counts)
    left, right = map(plain_arrow.Texts, sides)
    assert rows == plain_arrow.rows_of_compounds(left, right, None, several, counts)
    merged = {
        row
        for row, (mine, theirs) in enumerate(zip(*sides, strict=True))
        if plain.align_compounds(mine.split(), theirs.split(), 1, 1, 1, several=several)
    }
    assert merged <= set(array("q", rows))


@pytest.mark.parametrize("options", [{}, {"merge_compounds": "any"}, {"profile": "levenshtein"}])
def test_files_as_lists_of_their_lines(tmp_path: Path, options: dict[str, Any]) -> None:
    draw = random.Random(len(options))
    paths = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    for path in paths:
        lines = [f"{text_of(drawn(draw))} (s-{number:03d})\n" for number in range(300)]
        path.write_text("".join(lines))
    expected = scoring.wer(*paths, **options)
    with least(0):
        rates = scoring.wer(*paths, **options)
    assert list(rates.aligned) == list(expected.aligned)
    assert rates.forgiven == expected.forgiven
    assert rates.forgiven
    assert bytes(rates.aligned.edits) == bytes(expected.aligned.edits)


def test_files_in_different_orders_forgive_the_same(tmp_path: Path) -> None:
    paths = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    paths[0].write_text("a (s-1)\nb (s-2)\n")
    # what one utterance took is what the other has written
    paths[1].write_text("{ a / b } (s-2)\n{ b / a } (s-1)\n")
    expected = scoring.wer(*paths)
    with least(0):
        rates = scoring.wer(*paths)
    assert [place.utterance for place in rates.forgiven] == ["s-1", "s-2"]
    assert rates.forgiven == expected.forgiven
