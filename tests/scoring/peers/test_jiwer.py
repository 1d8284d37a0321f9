"""`profile="jiwer"` and `like="jiwer"` against the installed jiwer: kinds of errors, MER, WIL, CER."""

import random
from typing import Any

import pytest

import scoring

jiwer = pytest.importorskip("jiwer")
PAIRS = 1_000
LETTERS = {"equal": "C", "substitute": "S", "delete": "D", "insert": "I"}


def random_sides(seed: int) -> tuple[list[str], list[str]]:
    """Two texts on each side, of few different words, so that most have several alignments."""
    draw = random.Random(seed)
    words = "abcdefgh"[: draw.randint(2, 8)]
    longest = 150 if seed % 40 == 0 else draw.choice([3, 8, 25])
    references, hypotheses = (
        [" ".join(draw.choices(words, k=draw.randint(1, longest))) for _ in range(2)]
        for _ in range(2)
    )
    return references, hypotheses


def letters_of(chunks: list[Any]) -> str:
    """The edits of an alignment of jiwer, a letter each."""
    return "".join(
        LETTERS[chunk.type]
        * max(
            chunk.ref_end_idx - chunk.ref_start_idx,
            chunk.hyp_end_idx - chunk.hyp_start_idx,
        )
        for chunk in chunks
    )


@pytest.mark.share(3)
@pytest.mark.parametrize("first", range(0, PAIRS, PAIRS // 10))
def test_kinds_of_errors_and_their_rates_are_those_of_jiwer(first: int) -> None:
    for seed in range(first, first + PAIRS // 10):
        sides = random_sides(seed)
        original, ours = jiwer.process_words(*sides), scoring.wer(*sides, like="jiwer")
        counts = original.hits, original.substitutions, original.deletions, original.insertions
        assert tuple(ours.counts) == counts, sides
        assert ours.headline == original.wer
        assert ours.match_error_rate == pytest.approx(original.mer, rel=1e-12)
        assert ours.word_information_lost == pytest.approx(original.wil, rel=1e-12)
        edits = [alignment.letters for alignment in ours.aligned]
        assert edits == list(map(letters_of, original.alignments)), sides


def test_characters_have_the_same_ties() -> None:
    for seed in range(PAIRS // 10):
        sides = random_sides(seed)
        original, ours = jiwer.process_characters(*sides), scoring.cer(*sides, like="jiwer")
        counts = original.hits, original.substitutions, original.deletions, original.insertions
        assert tuple(ours.counts) == counts, sides
