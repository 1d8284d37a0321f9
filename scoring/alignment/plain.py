"""The aligners in plain Python: what the compiled module must agree with, and its stand-in.

Everything here is written to be read: the full table, filled cell by cell. The functions have the
names, arguments and results of `scoring._native.alignment`.

A step back through the table is DIAGONAL (two words face each other), UP (a deletion: a reference
word alone) or LEFT (an insertion: a hypothesis word alone). Ties are numbered as in TIES.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar, Union

from scoring.alignment.arguments import buffer, require, unexpected, whole
from scoring.alignment.plain_compounds import align_compounds
from scoring.alignment.plain_costs import MOST_THREADS, check_overflow, checked_costs
from scoring.alignment.plain_network import align_chains, align_network
from scoring.native import look

__all__ = [
    "align_chains",
    "align_compounds",
    "align_linear",
    "align_network",
    "align_text_pairs",
    "align_token_pairs",
    "align_tokens",
    "count_token_pairs",
    "count_tokens",
    "sum_counts",
]

Token = TypeVar("Token")
# contiguous, of int32 or int64
Integers = Union["array[int]", "memoryview[int]"]

DIAGONAL, UP, LEFT = range(3)
CORRECT, SUBSTITUTION, DELETION, INSERTION = range(4)

# Preference among equally cheap steps, walking back from the end.
TIES = (
    (DIAGONAL, LEFT, UP),  # sclite
    (DIAGONAL, UP, LEFT),  # align-text
    (LEFT, UP, DIAGONAL),  # compute-wer
)


def align_linear(
    reference_types: Integers,
    reference_begins: Integers,
    reference_ends: Integers,
    hypothesis_types: Integers,
    hypothesis_begins: Integers,
    hypothesis_ends: Integers,
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]:
    """Align many pairs of sequences of word types (int32); equal types match.

    Pair k aligns `reference_types[reference_begins[k]:reference_ends[k]]` with the same of the
    hypothesis; bounds are int64. All are contiguous buffers: arrays, memory views. `threads` is
    for the compiled twin, where 0 means as many as are worth it.

    Returns
    -------
    The edits of all pairs (a byte each, see `scoring.model.Edit`); int64: where the edits of
    each pair begin, and the end of the last; int32, four per pair: correct, substitutions,
    deletions, insertions.

    Raises
    ------
    TypeError
        If a buffer holds other numbers.
    ValueError
        If bounds lie outside the types, or an option outside its range.
    """
    references = _slices(reference_types, reference_begins, reference_ends, "reference")
    hypotheses = _slices(hypothesis_types, hypothesis_begins, hypothesis_ends, "hypothesis")
    _check_number(len(references), len(hypotheses))
    costs = checked_costs(substitution, deletion, insertion)
    order = whole(ties, "ties", 0, 2)
    whole(threads, "threads", 0, MOST_THREADS)
    for left, right in zip(references, hypotheses, strict=True):
        check_overflow(costs, len(left) + len(right))
    return _join(_edits(a, b, costs, order) for a, b in zip(references, hypotheses, strict=True))


def align_tokens(
    reference: Iterable[Hashable],
    hypothesis: Iterable[Hashable],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
) -> tuple[bytes, tuple[int, int, int, int]]:
    """Align one pair of sequences of hashable tokens: the edits and how many of each.

    Raises
    ------
    TypeError
        If a sequence is a string instead, or has tokens that cannot be hashed.
    """
    costs = checked_costs(substitution, deletion, insertion)
    order = whole(ties, "ties", 0, 2)
    left, right = _tokens(reference, "reference"), _tokens(hypothesis, "hypothesis")
    numbers = _numbered(left, right)
    check_overflow(costs, len(left) + len(right))
    edits = _edits(*numbers, costs, order)
    return edits, _counts(edits)


def count_tokens(
    reference: Iterable[Hashable],
    hypothesis: Iterable[Hashable],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
) -> tuple[int, int, int, int]:
    """Correct, substituted, deleted and inserted tokens of one pair; as `align_tokens`."""
    return align_tokens(reference, hypothesis, substitution, deletion, insertion, ties)[1]


def align_token_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]:
    """Align many pairs of token sequences; results as of `align_linear`."""
    return _align_pairs(
        references, hypotheses, substitution, deletion, insertion, ties, threads, _tokens
    )


def align_text_pairs(
    references: Sequence[str],
    hypotheses: Sequence[str],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]:
    """Align the words of many pairs of texts, cut at blanks; results as of `align_token_pairs`.

    Raises
    ------
    TypeError
        If a text has characters beyond ASCII.
    """
    return _align_pairs(
        references, hypotheses, substitution, deletion, insertion, ties, threads, _words
    )


def count_token_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> bytes:
    """The counts alone of `align_token_pairs`."""
    return align_token_pairs(
        references, hypotheses, substitution, deletion, insertion, ties, threads
    )[2]


def _align_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
    items: Callable[[Iterable[Hashable], str], Sequence[Hashable]],
) -> tuple[bytes, bytes, bytes]:
    lefts = _tokens(references, "references")
    rights = _tokens(hypotheses, "hypotheses")
    _check_number(len(lefts), len(rights))
    costs = checked_costs(substitution, deletion, insertion)
    order = whole(ties, "ties", 0, 2)
    whole(threads, "threads", 0, MOST_THREADS)
    pairs = []
    for k, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        reference = items(left, f"references[{k}]")
        hypothesis = items(right, f"hypotheses[{k}]")
        pairs.append(_numbered(reference, hypothesis))
        check_overflow(costs, len(reference) + len(hypothesis))
    return _join(_edits(*pair, costs, order) for pair in pairs)


def sum_counts(counts: Integers) -> tuple[int, int, int, int, int, int, float]:
    """Sums over pairs whose counts stand four by four (int32), as `align_linear` gives them.

    Returns
    -------
    The sums of correct, substitutions, deletions and insertions; how many pairs have an error, and
    how many a reference word; and the sum of the latter's rates, errors per reference word, added
    in the order of the pairs.
    """
    numbers = buffer(counts, "int32", "counts").tolist()
    require(len(numbers) % 4 == 0, f"counts: expected four for each pair, found {len(numbers)}")
    wrong = rated = 0
    rates = 0.0
    for correct, *errors in zip(*(numbers[kind::4] for kind in range(4)), strict=True):
        wrong += any(errors)
        words = correct + errors[0] + errors[1]
        if words:
            rated += 1
            rates += sum(errors) / words
    correct, substitutions, deletions, insertions = (sum(numbers[kind::4]) for kind in range(4))
    return correct, substitutions, deletions, insertions, wrong, rated, rates


def _edits(
    reference: Sequence[int],
    hypothesis: Sequence[int],
    costs: tuple[int, int, int],
    ties: int,
) -> bytes:
    """The edits of one pair."""
    _, deletion, insertion = costs
    table = _table(reference, hypothesis, costs)
    edits = bytearray()
    i, j = len(reference), len(hypothesis)
    while i or j:
        here = table[i][j]
        match = bool(i and j and reference[i - 1] == hypothesis[j - 1])
        reaches = (
            bool(i and j and table[i - 1][j - 1] + (0 if match else costs[0]) == here),
            bool(i and table[i - 1][j] + deletion == here),
            bool(j and table[i][j - 1] + insertion == here),
        )
        step = next(step for step in TIES[ties] if reaches[step])
        if step == DIAGONAL:
            i, j = i - 1, j - 1
            edits.append(CORRECT if match else SUBSTITUTION)
        elif step == UP:
            i -= 1
            edits.append(DELETION)
        else:
            j -= 1
            edits.append(INSERTION)
    edits.reverse()
    return bytes(edits)


def _table(
    reference: Sequence[int], hypothesis: Sequence[int], costs: tuple[int, int, int]
) -> list[list[int]]:
    """Cost of aligning the first i reference and j hypothesis words, at [i][j]."""
    substitution, deletion, insertion = costs
    row = [j * insertion for j in range(len(hypothesis) + 1)]
    table = [row]
    for word in reference:
        look()
        above = row
        cost = above[0] + deletion
        row = [cost]
        for j, other in enumerate(hypothesis):
            across = above[j] + (0 if word == other else substitution)
            cost = min(across, above[j + 1] + deletion, cost + insertion)
            row.append(cost)
        table.append(row)
    return table


def _counts(edits: bytes) -> tuple[int, int, int, int]:
    count = edits.count
    return count(CORRECT), count(SUBSTITUTION), count(DELETION), count(INSERTION)


def _join(pairs: Iterable[bytes]) -> tuple[bytes, bytes, bytes]:
    edits = bytearray()
    offsets = array("q", [0])
    counts = array("i")
    for pair in pairs:
        edits += pair
        offsets.append(len(edits))
        counts.extend(_counts(pair))
    return bytes(edits), offsets.tobytes(), counts.tobytes()


def _slices(types: Integers, begins: Integers, ends: Integers, side: str) -> list[list[int]]:
    column = buffer(types, "int32", f"{side}_types").tolist()
    firsts = buffer(begins, "int64", f"{side}_begins")
    lasts = buffer(ends, "int64", f"{side}_ends")
    require(
        len(firsts) == len(lasts),
        f"{side}: expected as many ends as begins, found {len(lasts)} and {len(firsts)}",
    )
    slices = []
    for k, (begin, end) in enumerate(zip(firsts, lasts, strict=True)):
        require(
            0 <= begin <= end <= len(column),
            f"{side}, pair {k}: expected a range within {len(column)} types, "
            f"found {begin} to {end}",
        )
        slices.append(column[begin:end])
    return slices


def _tokens(sequence: Iterable[Token], name: str) -> tuple[Token, ...]:
    problem = unexpected(name, "a sequence of tokens", sequence)
    if isinstance(sequence, (str, bytes)):
        raise TypeError(f"{problem}; split it into tokens first")
    if not hasattr(type(sequence), "__iter__"):
        try:
            return tuple(iter(sequence))
        except TypeError:
            raise problem from None
    return tuple(sequence)


def _words(text: Iterable[Hashable], name: str) -> list[str]:
    if type(text) is not str or not text.isascii():
        raise TypeError(f"{name}: expected a text of ASCII")
    return [word for word in text.split(" ") if word]


def _numbered(
    reference: Sequence[Hashable], hypothesis: Sequence[Hashable]
) -> tuple[list[int], list[int]]:
    """Equal tokens as equal numbers; unhashable ones are a TypeError."""
    numbers: dict[Hashable, int] = {}
    left = [numbers.setdefault(token, len(numbers)) for token in reference]
    return left, [numbers.get(token, -1) for token in hypothesis]


def _check_number(references: int, hypotheses: int) -> None:
    require(
        references == hypotheses,
        f"expected as many hypotheses as references, found {hypotheses} and {references}",
    )
