"""Compounds: words written apart on one side that together are a word of the other side.

The rule is that of the package kaldialign (0.12) with `merge_compounds`: two or more neighbours
match, at no cost, a word of the other side that is their texts joined without a separator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.alignment.kernel import align_compounds, align_tokens, count_tokens

# Insertion, deletion, diagonal: what `scoring.model.Ties` calls compute-wer.
_COMPUTE_WER = 2
_STRINGS = frozenset({str})
CountsRow = tuple[int, int, int, int]


def as_texts(symbols: Iterable[object]) -> list[str]:
    """Symbols as strings, which compounds are made of; a list of strings as it is.

    >>> as_texts(["a", 1])
    ['a', '1']
    """
    if type(symbols) is list and _STRINGS.issuperset(map(type, symbols)):
        return symbols
    return [str(symbol) for symbol in symbols]


def align_with_compounds(
    reference: list[str], hypothesis: list[str], costs: tuple[int, int, int]
) -> list[tuple[str | None, str | None]]:
    """What faces each other; None stands for nothing, the words of a compound are joined by blanks.

    >>> align_with_compounds("a white paper".split(), "a whitepaper x".split(), (1, 1, 1))
    [('a', 'a'), ('white paper', 'whitepaper'), (None, 'x')]
    """
    steps = align_compounds(reference, hypothesis, *costs)
    if steps:
        return [
            (_joined(left), _joined(right)) for left, right in _groups(reference, hypothesis, steps)
        ]
    edits, _ = align_tokens(reference, hypothesis, *costs, _COMPUTE_WER)
    lefts, rights = iter(reference), iter(hypothesis)
    return [
        (None if code == 3 else next(lefts), None if code == 2 else next(rights)) for code in edits
    ]


def count_with_compounds(
    reference: list[str], hypothesis: list[str], costs: tuple[int, int, int]
) -> CountsRow:
    """Correct, substituted, deleted and inserted words.

    >>> count_with_compounds("a white paper".split(), "a whitepaper x".split(), (1, 1, 1))
    (3, 0, 0, 1)
    """
    row = count_compounds(reference, hypothesis, costs)
    return count_tokens(reference, hypothesis, *costs, _COMPUTE_WER) if row is None else row


def count_compounds(
    reference: list[str], hypothesis: list[str], costs: tuple[int, int, int]
) -> CountsRow | None:
    """The same, or None if no neighbours spell a word."""
    steps = align_compounds(reference, hypothesis, *costs)
    if not steps:
        return None
    substitutions = deletions = insertions = 0
    for left, right in _groups(reference, hypothesis, steps):
        if not left:
            insertions += 1
        elif not right:
            deletions += 1
        elif len(left) == len(right) and left != right:
            substitutions += 1
    correct = len(reference) - substitutions - deletions
    return correct, substitutions, deletions, insertions


def _groups(
    reference: list[str], hypothesis: list[str], steps: bytes
) -> Iterator[tuple[list[str], list[str]]]:
    """The words of each step."""
    numbers = memoryview(steps).cast("i")
    i = j = 0
    for up, left in zip(numbers[::2], numbers[1::2], strict=True):
        yield reference[i : i + up], hypothesis[j : j + left]
        i, j = i + up, j + left


def _joined(words: list[str]) -> str | None:
    """The words with blanks between them, none before the first that is not empty."""
    if not words:
        return None
    begin = 0
    while begin < len(words) - 1 and not words[begin]:
        begin += 1
    return " ".join(words[begin:])
