"""Laws of what may be right: every choice goes with every other, and none of them adds errors."""

import random
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring import Counts
from tests.each_case import each_case
from tests.scoring.alignment.implementations import SEED

WORDS = ["black", "board", "blackboard", "20", "twenty", "don't", "do", "not", "uh", "so"]
Item = str | tuple[tuple[str, ...], ...]


def draw(rng: random.Random, most: int = 5) -> list[Item]:
    """Words and alternatives of words."""
    items: list[Item] = []
    for _ in range(rng.randint(1, most)):
        if rng.random() < 0.3:
            branches = [tuple(rng.choices(WORDS, k=rng.randint(0, 2))) for _ in range(2)]
            items.append((branches[0] or ("so",), branches[1]))
        else:
            items.append(rng.choice(WORDS))
    return items


def written(items: Sequence[Item]) -> str:
    """As sclite's formats write it."""
    return " ".join(
        item
        if isinstance(item, str)
        else "{ " + " / ".join(" ".join(branch) or "@" for branch in item) + " }"
        for item in items
    )


def first(items: Sequence[Item]) -> str:
    """With the first of all alternatives."""
    return " ".join(item if isinstance(item, str) else " ".join(item[0]) for item in items)


def all_texts(items: Sequence[Item]) -> list[str]:
    """With every choice of alternatives."""
    options = [(item,) if isinstance(item, str) else tuple(map(" ".join, item)) for item in items]
    return [" ".join(text for text in choice if text) for choice in product(*options)]


def files(folder: Path, sides: Sequence[Sequence[str]]) -> tuple[Path, Path]:
    """Two files of utterances."""
    paths = folder / "r.trn", folder / "h.trn"
    for path, texts in zip(paths, sides, strict=True):
        path.write_text("".join(f"{text} (u_{row})\n" for row, text in enumerate(texts)))
    return paths


OPTIONS: list[dict[str, Any]] = [
    {"profile": "levenshtein"},
    {"profile": "kaldi"},
    {"profile": "jiwer", "merge_compounds": "words"},
    {"profile": "levenshtein", "merge_compounds": "any"},
    {"profile": "levenshtein", "unit": "char"},
    {"profile": "levenshtein", "unit": "mixed", "merge_compounds": "any"},
    {"profile": "levenshtein", "unit": "grapheme"},
    {"profile": "sclite", "merge_compounds": "words"},
    {"profile": "sclite", "unit": "char"},
]


@each_case("options", OPTIONS, ids=str)
def test_the_errors_are_the_fewest_of_all_pairs_of_texts(
    options: dict[str, Any], tmp_path: Path
) -> None:
    rng = random.Random(SEED)
    sides = [[draw(rng, 4) for _ in range(12)] for _ in range(2)]
    texts = [list(map(written, side)) for side in sides]
    rates = scoring.wer(*files(tmp_path, texts), **options)
    costs = scoring.wer("a", "a", **options).aligned.costs
    for row, pair in enumerate(zip(*sides, strict=True)):
        every = list(product(*map(all_texts, pair)))
        each = scoring.wer(*map(list, zip(*every, strict=True)), **options).per_utterance

        def cost(counts: Any) -> int:
            edits = counts.substitutions, counts.deletions, counts.insertions
            return sum(number * price for number, price in zip(edits, costs, strict=True))

        assert cost(rates.aligned.counts[row]) == min(map(cost, each)), [*map(written, pair)]


@each_case("options", OPTIONS[:-2], ids=str)
def test_no_choice_adds_errors_and_errors_add_up(options: dict[str, Any], tmp_path: Path) -> None:
    rng = random.Random(SEED + 1)
    sides = [[draw(rng) for _ in range(40)] for _ in range(2)]
    rates = scoring.wer(*files(tmp_path, [list(map(written, side)) for side in sides]), **options)
    plain = scoring.wer(*([first(items) for items in side] for side in sides), **options)
    for mine, own in zip(rates.per_utterance, plain.per_utterance, strict=True):
        assert mine.errors <= own.errors
    halves = [[list(map(written, side[at::2])) for side in sides] for at in range(2)]
    parts = [scoring.wer(*files(tmp_path, half), **options).counts for half in halves]
    assert sum(parts, Counts()) == rates.counts


@pytest.mark.parametrize("more", [{}, {"merge_compounds": "any"}, {"unit": "mixed"}], ids=str)
def test_the_order_of_steps_with_readings_does_not_matter(more: dict[str, Any]) -> None:
    rng = random.Random(SEED + 2)
    sides = [[first(draw(rng, 8)) for _ in range(60)] for _ in range(2)]
    steps = "contractions", "numbers", "fillers"
    results = {
        scoring.wer(*sides, normalize=list(order), profile="levenshtein", **more).counts
        for order in permutations(steps)
    }
    assert len(results) == 1
    [counts] = results
    assert counts.errors < scoring.wer(*sides, profile="levenshtein").counts.errors


@pytest.mark.parametrize("measure", ["cp", "tcp"])
def test_meetings_take_the_best_of_all_texts_and_partners(measure: str, tmp_path: Path) -> None:
    rng = random.Random(SEED + 3)
    for _ in range(12):
        meeting = [[draw(rng, 3) for _ in range(2)] for _ in range(2)]
        for side, name in zip(meeting, "rh", strict=True):
            (tmp_path / f"{name}.stm").write_text(
                "".join(
                    f"rec 1 {name}{number} 0.0 9.0 {written(items)}\n"
                    for number, items in enumerate(side)
                )
            )
        rates = scoring.wer(
            tmp_path / "r.stm",
            tmp_path / "h.stm",
            meeting=measure,  # type: ignore[call-overload]
            collar=9,
        )
        least = min(
            sum(
                min(
                    scoring.wer(*pair, profile="levenshtein").counts.errors
                    for pair in product(all_texts(left), all_texts(right))
                )
                for left, right in zip(meeting[0], order, strict=True)
            )
            for order in permutations(meeting[1])
        )
        assert rates.counts.errors == least, meeting


def test_several_references_numbers_and_compounds_go_together() -> None:
    references = scoring.References([["he wrote 20 on the black board"], ["he put 20 on the wall"]])
    heard = ["he put twenty on the blackboard"]
    assert scoring.wer(references, heard).counts.errors == 2
    more: dict[str, Any] = {"normalize": "numbers", "merge_compounds": "words"}
    rates = scoring.wer(references, heard, **more)
    assert rates.counts == Counts(correct=7)
    assert rates.alignment("000001").reference[:3] == ("he", "put", "twenty")


def test_names_are_found_in_a_meeting(tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text(
        "rec 1 anne 0.0 2.0 { mrs / misses } may spoke\nrec 1 ben 2.0 4.0 so it is\n"
    )
    (tmp_path / "h.stm").write_text("rec 1 x 2.0 4.0 so it is\nrec 1 y 0.0 2.0 misses may spoke\n")
    rates = scoring.wer(
        tmp_path / "r.stm",
        tmp_path / "h.stm",
        meeting="cp",
        measures=["words"],
        measure_options={"words": ["may"]},
    )
    assert rates.counts == Counts(correct=6)
    assert rates.measured["words"].values["recall"] == 1.0
