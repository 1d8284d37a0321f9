"""Phoneme errors by columns: an approximation that reproduces published numbers.

The pronunciations of a word are padded with an epsilon to columns. The padded longest pronunciation
is aligned with the prediction. A wrong phoneme is forgiven if any pronunciation has it in the same
column. Therefore pronunciations can be mixed (too few errors), a word spoken exactly as in the
lexicon can count as wrong (too many errors), and the total includes the epsilons of the padded
pronunciation. `scoring.tasks.phonemes.network` has none of these faults.

Ties between edit operations are resolved as in the RapidFuzz and Levenshtein packages. Going back
from the end, they choose a deletion if the cell to the left is cheaper, otherwise an insertion if
the cell above is cheaper than the diagonal cell, otherwise the diagonal.
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

    The edits that turn a pronunciation into the longest pronunciation determine where epsilons are
    inserted; earlier insertions do not shift these positions. Pronunciations that are still too
    short are padded once more, in the same way. If lengths still differ, only the columns of the
    first pronunciation are used, as in the original. Where the original would crash, short
    pronunciations get epsilons at their end.
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
    """Align the padded reference with a prediction; any symbol of a column is accepted."""
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
    """An edit: its kind, and the positions in source and destination."""

    tag: str
    source: int
    destination: int


def edit_operations(source: Sequence[Hashable], destination: Sequence[Hashable]) -> list[Operation]:
    """Return the minimum edits that turn one sequence into another, in order; unit costs.

    The result equals that of `Levenshtein.editops` from version 0.13 (RapidFuzz) on, except that
    those versions divide problems with more than about two thousand tokens per side.
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
