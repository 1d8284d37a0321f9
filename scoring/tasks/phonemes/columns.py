"""Phoneme errors by columns: an approximation that reproduces published numbers.

Pronunciations of a word are filled up with an epsilon until they stand in columns, a reference of
the longest one is aligned with the prediction, and a wrong phoneme that some other pronunciation
has in the same column is forgiven. So two pronunciations can be mixed (too few errors), a word
said exactly as the lexicon has it can count as wrong (too many), and the total is the length of a
filled-up pronunciation, which nobody says. `scoring.tasks.phonemes.network` has none of that.

Edit operations are in the order of preference of the RapidFuzz and Levenshtein packages. Of several
cheapest ways those packages walk back from the end: a deletion where the cell to the left is
cheaper, else an insertion where the cell above is cheaper than the diagonal one, else the diagonal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from scoring.model.counts import Alignment, Edit
from scoring.tasks.phonemes.network import Alternatives, Pronunciation, shared_ends
from scoring.tasks.phonemes.phoneme_scores import PhonemeScore

EPSILON = "<*>"


class SymbolColumns(NamedTuple):
    """A word whose pronunciations are padded to equal length."""

    symbols: tuple[frozenset[str], ...]  # what stands in each column
    reference: Pronunciation  # the longest of the filled-up pronunciations, the first of them


def columns_of(paths: Alternatives, epsilon: str = EPSILON) -> SymbolColumns:
    """Pad pronunciations to columns of equal length.

    Where they insert an epsilon follows from the edit operations towards the longest
    pronunciation, positions not being moved by insertions made before; what is then still too
    short is filled up once more towards the new longest one. That can leave pronunciations of
    different lengths. The original then either has columns for the first pronunciation's places
    only, which is kept, or crashes: here what is too short has epsilons at its end.
    """
    if not paths:
        raise ValueError("expected at least one pronunciation of every word, found none")
    filled = [list(path) for path in paths]
    for by_source in (True, False):
        longest = max(filled, key=len)
        for path in filled:
            if len(path) != len(longest):
                for tag, source, destination in edit_operations(tuple(path), tuple(longest)):
                    if tag == INSERT:
                        path.insert(source if by_source else destination, epsilon)
    longest = max(filled, key=len)
    symbols = [
        frozenset(path[column] if column < len(path) else epsilon for path in filled)
        for column in range(len(filled[0]))
    ]
    return SymbolColumns(tuple(symbols), tuple(longest))


def score_by_columns(
    words: Sequence[SymbolColumns], prediction: Sequence[str], epsilon: str = EPSILON
) -> PhonemeScore:
    """Align the padded reference with a prediction, and accept any symbol of a column."""
    reference = tuple(phoneme for word in words for phoneme in word.reference)
    columns = [symbols for word in words for symbols in word.symbols]
    predicted = tuple(prediction)
    edits = bytearray()
    position = 0
    for operation in edit_operations(reference, predicted):
        edits.extend(bytes([Edit.CORRECT]) * (operation.source - position))
        tag, source, destination = operation
        position = source + (tag != INSERT)
        column = columns[source] if source < len(columns) else frozenset()
        if tag == INSERT:
            edits.append(Edit.INSERTION)
        elif tag == REPLACE:
            forgiven = reference[source] in column and predicted[destination] in column
            edits.append(Edit.CORRECT if forgiven else Edit.SUBSTITUTION)
        else:
            forgiven = reference[source] == epsilon and len(column) > 1
            edits.append(Edit.SKIPPED_REFERENCE if forgiven else Edit.DELETION)
    edits.extend(bytes([Edit.CORRECT]) * (len(reference) - position))
    cost = sum(edit in (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION) for edit in edits)
    alignment = Alignment(bytes(edits), reference, predicted, float(cost))
    return PhonemeScore(tuple(word.reference for word in words), alignment)


DELETE, INSERT, REPLACE = "delete", "insert", "replace"


class Operation(NamedTuple):
    """An edit: its kind, the position in the source, the position in the destination."""

    tag: str
    source: int
    destination: int


def edit_operations(source: Sequence[Hashable], destination: Sequence[Hashable]) -> list[Operation]:
    """Return the minimum edits that turn one sequence into another, in order; unit costs.

    The same as `Levenshtein.editops` of versions from 0.13 (RapidFuzz), as long as those do not
    divide the problem, which they do beyond about two thousand tokens a side.
    """
    offset, end = shared_ends((source, destination))
    source = source[offset : len(source) - end]
    destination = destination[offset : len(destination) - end]
    table = [list(range(len(source) + 1))]
    for row, token in enumerate(destination, 1):
        above, costs = table[-1], [row]
        for column, own_token in enumerate(source):
            across = above[column] + (own_token != token)
            costs.append(min(across, above[column + 1] + 1, costs[column] + 1))
        table.append(costs)
    operations = []
    column, row = len(source), len(destination)
    while column or row:
        tag = REPLACE
        if column and (not row or table[row][column - 1] < table[row][column]):
            tag = DELETE
        elif not column or table[row - 1][column] < table[row - 1][column - 1]:
            tag = INSERT
        column -= tag != INSERT
        row -= tag != DELETE
        if tag != REPLACE or source[column] != destination[row]:
            operations.append(Operation(tag, column + offset, row + offset))
    operations.reverse()
    return operations
