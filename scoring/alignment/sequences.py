"""Align two token sequences or many pairs of sequences, or count their edits."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from formats.schema import words_of_text
from scoring.alignment.kernel import (
    TIE_NUMBERS,
    align_token_pairs,
    align_tokens,
    count_token_pairs,
    count_tokens,
    direct_function,
)
from scoring.alignment.results import Alignments, CountsTable
from scoring.alignment.texts import (
    AnyColumn,
    ColumnWords,
    count_columns,
    rows_from,
    texts_from,
)
from scoring.model.counts import SCLITE_COSTS, Alignment, Costs, Counts
from scoring.model.errors import OptionValueError

if TYPE_CHECKING:
    from typing import TypeVar

    from formats.schema.words import Words
    from scoring.model.aliases import Ties

    Called = TypeVar("Called", bound=Callable[..., object])


def _number(ties: str) -> int:
    if ties in TIE_NUMBERS:
        return TIE_NUMBERS[ties]
    raise ValueError(f"ties: expected one of {', '.join(TIE_NUMBERS)}, found {ties!r}")


def _direct(core: object, kind: object) -> Callable[[Called], Called]:
    """Let calls without options go to a function of the core; `kind` is the class of its result."""

    def put_in_front(function: Called) -> Called:
        return direct_function(function, core, SCLITE_COSTS, TIE_NUMBERS["sclite"], kind)

    return put_in_front


@_direct(align_tokens, Alignment)
def align(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
) -> Alignment:
    """Return the cheapest alignment of two token sequences.

    Parameters
    ----------
    reference, hypothesis
        Any hashable tokens; equal tokens match. A string is rejected, not read as a sequence of
        characters.
    costs
        Costs of the edits, whole numbers from 0.
    ties
        Which of several cheapest alignments to choose, see `scoring.Ties`.

    Raises
    ------
    TypeError
        If a sequence is a string, or a token cannot be hashed.
    ValueError
        If a cost is negative, or `ties` is unknown.

    Examples
    --------
    >>> alignment = align("a b c".split(), "x b".split())
    >>> alignment.letters, alignment.cost
    ('SCD', 7.0)
    >>> for pair in alignment:
    ...     print(pair.edit.letter, pair.reference, pair.hypothesis)
    S a x
    C b b
    D c None
    """
    return align_tokens(reference, hypothesis, costs, _number(ties), Alignment)


@_direct(count_tokens, Counts)
def edit_distance(
    reference: Sequence[Hashable],
    hypothesis: Sequence[Hashable],
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
) -> Counts:
    """Count the correct, substituted, deleted and inserted tokens of the cheapest alignment.

    Takes the parameters of `align` and raises the same errors.

    Examples
    --------
    >>> edit_distance("a b c".split(), "x b".split())
    Counts(correct=1, substitutions=1, deletions=1, insertions=0)
    >>> edit_distance("a b c".split(), "x b".split()).error_rate
    0.6666666666666666
    """
    return count_tokens(reference, hypothesis, costs, _number(ties), Counts)


def align_batch(
    references: Sequence[Sequence[str]] | Iterable[Sequence[str]] | AnyColumn,
    hypotheses: Sequence[Sequence[str]] | Iterable[Sequence[str]] | AnyColumn,
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
    threads: int = 0,
) -> Alignments:
    """Align each reference with the hypothesis at the same position.

    The sequences are not copied: do not change them while the result is in use.

    Parameters
    ----------
    references, hypotheses
        Lists of token sequences, equally many on both sides; see `align`. Or columns of texts of
        any library that supports Arrow (pyarrow, polars, pandas, DuckDB), numpy arrays and Series:
        their texts are split at ASCII whitespace.
    costs, ties
        As in `align`.
    threads
        Largest number of threads; 0: as many as there are processors, if there is enough work.

    Raises
    ------
    ValueError
        If the numbers of references and hypotheses differ, a text is null or not UTF-8; otherwise
        as in `align`.
    TypeError
        If a column contains no texts; otherwise as in `align`.

    Examples
    --------
    >>> alignments = align_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]])
    >>> [alignment.letters for alignment in alignments]
    ['CD', 'CI']
    >>> alignments.counts.total()
    Counts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    left, right = _side(references, "references"), _side(hypotheses, "hypotheses")
    prices = *costs, _number(ties), threads
    if isinstance(left, ColumnWords) and isinstance(right, ColumnWords):
        edits, offsets, counts = left.aligned_with(right, False, prices)
    else:
        edits, offsets, counts = align_token_pairs(left, right, *prices)
    places = array("q", offsets)  # which, unlike a view of the bytes, can be pickled
    return Alignments(left, right, edits, places, CountsTable(counts), costs)


def edit_distance_batch(
    references: Sequence[Sequence[Hashable]] | Iterable[Sequence[Hashable]] | AnyColumn,
    hypotheses: Sequence[Sequence[Hashable]] | Iterable[Sequence[Hashable]] | AnyColumn,
    *,
    costs: Costs = SCLITE_COSTS,
    ties: Ties = "sclite",
    threads: int = 0,
) -> CountsTable:
    """Return the edit counts of each reference and the hypothesis at the same position.

    Takes the parameters of `align_batch` and raises the same errors.

    Examples
    --------
    >>> edit_distance_batch([["a", "b"], ["c"]], [["a"], ["c", "d"]]).total()
    Counts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    left, right = _side(references, "references"), _side(hypotheses, "hypotheses")
    prices = *costs, _number(ties), threads
    if isinstance(left, ColumnWords) and isinstance(right, ColumnWords):
        return CountsTable(count_columns(left.texts, right.texts, 0, None, *prices))
    return CountsTable(count_token_pairs(left, right, *prices))


def _side(tokens: object, name: str) -> Sequence[Words]:
    """Return the token lists of a side; texts in columns and arrays are split at blanks."""
    texts = texts_from(tokens, name)
    if texts is not None:
        missing = array("q", texts.nulls())
        if missing:
            raise OptionValueError(
                name, expected="a text in every row", found=f"null in row {missing[0] + 1}"
            )
        return ColumnWords(texts)
    rows = rows_from(tokens)
    if rows is None:
        # lists are kept as they are, and become tuples in each `Alignment`
        return cast("Sequence[Words]", tokens)
    for number, row in enumerate(rows, 1):
        if row is None:
            raise OptionValueError(
                name, expected="a text in every row", found=f"null in row {number}"
            )
    if rows and all(isinstance(row, str) for row in rows):
        return [words_of_text(str(row)) for row in rows]
    return cast("Sequence[Words]", rows)
