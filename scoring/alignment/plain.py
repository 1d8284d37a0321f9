"""The aligners in plain Python, which define the results of the compiled core and can replace it.

The code is written to be read: it fills the full table cell by cell. The functions have the names,
arguments and results of the compiled core.

Arguments that several functions share:

substitution, deletion, insertion
    Costs of the edits, whole numbers from 0.
ties
    The order of preference among equally cheap steps, going back from the end: a row of TIES.
threads
    The number of threads of the compiled core; 0: as many as are useful.

A step back through the table is DIAGONAL (two words are paired), UP (a deletion: a reference word
without a partner) or LEFT (an insertion: a hypothesis word without a partner).

Functions of many pairs return three buffers: the edits of all pairs (bytes, see
`scoring.model.counts.Edit`); where the edits of each pair begin, and the end of the last pair
(int64); four counts per pair (int32): correct, substitutions, deletions, insertions. Buffers of
another number type and unhashable tokens raise TypeError, numbers out of range ValueError.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate, pairwise
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union, overload

from formats.schema import lazy_names
from scoring.alignment.arguments import (
    MOST_THREADS,
    buffer,
    check_overflow,
    checked_costs,
    require,
    tokens,
    unexpected,
    whole,
)
from scoring.alignment.limits import look

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from scoring.alignment.plain_compounds import align_compounds
    from scoring.alignment.plain_network import align_network
    from scoring.alignment.plain_references import best_paths, best_texts, taken_branches
    from scoring.alignment.plain_speaker_graphs import (
        align_graphs,
        combine_graphs,
        combine_graphs_greedily,
    )
    from scoring.alignment.plain_speakers import align_timed, combine, combine_greedily, distances
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "scoring.alignment.plain_compounds": "align_compounds",
            "scoring.alignment.plain_network": "align_network",
            "scoring.alignment.plain_references": "best_paths best_texts taken_branches",
            "scoring.alignment.plain_speaker_graphs": (
                "align_graphs combine_graphs combine_graphs_greedily"
            ),
            "scoring.alignment.plain_speakers": "align_timed combine combine_greedily distances",
        },
    )

__all__ = [
    "align_character_pairs",
    "align_compounds",
    "align_graphs",
    "align_linear",
    "align_network",
    "align_text_pairs",
    "align_timed",
    "align_token_pairs",
    "align_tokens",
    "best_paths",
    "best_texts",
    "character_distances",
    "combine",
    "combine_graphs",
    "combine_graphs_greedily",
    "combine_greedily",
    "count_token_pairs",
    "count_tokens",
    "direct_function",
    "distances",
    "replace_rows",
    "rows_of_insertions",
    "sum_counts",
    "taken_branches",
    "text_kind",
]

Token = TypeVar("Token")
Kind = TypeVar("Kind", bound=tuple[int, ...])
Made = TypeVar("Made")
Called = TypeVar("Called", bound=Callable[..., object])
# contiguous, of int32 or int64
IntegerBuffer = Union["array[int]", "memoryview[int]"]

DIAGONAL, UP, LEFT = range(3)
CORRECT, SUBSTITUTION, DELETION, INSERTION = range(4)
TIES = (
    (DIAGONAL, LEFT, UP),  # sclite
    (DIAGONAL, UP, LEFT),  # align-text
    (LEFT, UP, DIAGONAL),  # compute-wer
    (UP, DIAGONAL, LEFT, DIAGONAL),  # rapidfuzz: unequal words, and last equal ones
)
RAPIDFUZZ = 3
# Cells of a table that are filled between two checks of the time limit.
A_WHILE = 100_000


class EditPrices(NamedTuple):
    """Costs of substitution, deletion and insertion, and the number of the tie rule."""

    costs: tuple[int, int, int]
    ties: int


def _prices(
    substitution: int, deletion: int, insertion: int, ties: int, threads: int = 0
) -> EditPrices:
    costs = checked_costs(substitution, deletion, insertion)
    prices = EditPrices(costs, whole(ties, "ties", 0, 3))
    whole(threads, "threads", 0, MOST_THREADS)
    return prices


def align_linear(
    reference_types: IntegerBuffer,
    reference_begins: IntegerBuffer,
    reference_ends: IntegerBuffer,
    hypothesis_types: IntegerBuffer,
    hypothesis_begins: IntegerBuffer,
    hypothesis_ends: IntegerBuffer,
    *prices: int,
) -> tuple[bytes, bytes, bytes]:
    """Align many pairs of word sequences. Words are numbers (int32), and equal numbers match.

    Pair k aligns `reference_types[reference_begins[k]:reference_ends[k]]` with the same slice of
    the hypothesis columns; bounds are int64. `prices` are substitution, deletion, insertion, ties,
    threads.
    """
    references = _slices(reference_types, reference_begins, reference_ends, "reference")
    hypotheses = _slices(hypothesis_types, hypothesis_begins, hypothesis_ends, "hypothesis")
    return _align_pairs(references, hypotheses, prices, lambda types, _: types)


@overload
def align_tokens(
    reference: Iterable[Hashable], hypothesis: Iterable[Hashable], costs: Sequence[int], ties: int
) -> tuple[bytes, tuple[int, int, int, int]]: ...
@overload
def align_tokens(
    reference: Iterable[Token],
    hypothesis: Iterable[Token],
    costs: Sequence[int],
    ties: int,
    kind: Callable[[bytes, tuple[Token, ...], tuple[Token, ...], float], Made],
) -> Made: ...
def align_tokens(
    reference: Iterable[Any],
    hypothesis: Iterable[Any],
    costs: Sequence[int],
    ties: int,
    kind: Callable[..., Any] | None = None,
) -> Any:
    """Align one pair of sequences of hashable tokens; return the edits and the counts.

    `costs` are substitution, deletion, insertion. With a `kind`, such as `Alignment`, it is called
    with the edits, both sequences as tuples, and the total cost.
    """
    three = _three_costs(costs)
    checked = _prices(*three, ties)
    left, right = tokens(reference, "reference"), tokens(hypothesis, "hypothesis")
    check_overflow(checked.costs, len(left) + len(right))
    edits = _edits(left, right, checked)
    counts = _counts(edits)
    if kind is None:
        return edits, counts
    return kind(edits, left, right, float(sum(map(mul, counts[1:], three))))


def direct_function(
    function: Called, core: object, costs: Sequence[int], ties: int, kind: object
) -> Called:
    """Return the function, which the compiled core spares where a call has only two sequences.

    The core then calls `core`, its own function, with the two and the constants.
    """
    return function


def _three_costs(costs: Sequence[int]) -> tuple[int, int, int]:
    try:
        substitution, deletion, insertion = costs
    except Exception:
        raise unexpected("costs", "three whole numbers", costs) from None
    return substitution, deletion, insertion


@overload
def count_tokens(
    reference: Iterable[Hashable], hypothesis: Iterable[Hashable], costs: Sequence[int], ties: int
) -> tuple[int, int, int, int]: ...
@overload
def count_tokens(
    reference: Iterable[Hashable],
    hypothesis: Iterable[Hashable],
    costs: Sequence[int],
    ties: int,
    kind: type[Kind],
) -> Kind: ...
def count_tokens(
    reference: Iterable[Hashable],
    hypothesis: Iterable[Hashable],
    costs: Sequence[int],
    ties: int,
    kind: type[tuple[int, ...]] = tuple,
) -> tuple[int, ...]:
    """Return the counts of correct, substituted, deleted and inserted tokens of one pair.

    The arguments are those of `align_tokens`; the result is of `kind`, a subclass of tuple.
    """
    return tuple.__new__(kind, align_tokens(reference, hypothesis, costs, ties)[1])


def align_token_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    *prices: int,
) -> tuple[bytes, bytes, bytes]:
    """Align many pairs of token sequences; `prices` are those of `align_linear`."""
    sides = tokens(references, "references"), tokens(hypotheses, "hypotheses")
    return _align_pairs(*sides, prices, tokens)


def align_text_pairs(
    references: Sequence[str], hypotheses: Sequence[str], *prices: int
) -> tuple[bytes, bytes, bytes]:
    """Align the words of many pairs of ASCII texts, split at blanks, like `align_token_pairs`."""
    sides = tokens(references, "references"), tokens(hypotheses, "hypotheses")
    return _align_pairs(*sides, prices, _words)


def align_character_pairs(
    references: Sequence[str], hypotheses: Sequence[str], *prices: int
) -> tuple[bytes, bytes, bytes]:
    """Align the code points of many pairs of texts, like `align_token_pairs`."""
    sides = tokens(references, "references"), tokens(hypotheses, "hypotheses")
    return _align_pairs(*sides, prices, _characters)


def character_distances(
    references: Sequence[str], hypotheses: Sequence[str]
) -> tuple[bytes, int, int, int]:
    """Return the edit distance of each pair of texts in code points (int32), and totals.

    The totals are the sum of the distances and the number of code points of all references and of
    all hypotheses.
    """
    counts = align_character_pairs(references, hypotheses, 1, 1, 1, 0)[2]
    numbers = memoryview(counts).cast("i")
    errors = array("i", map(sum, zip(*(numbers[kind::4] for kind in (1, 2, 3)), strict=True)))
    sizes = sum(map(len, references)), sum(map(len, hypotheses))
    return errors.tobytes(), sum(errors), *sizes


def text_kind(texts: Sequence[object]) -> int:
    """Return a number for the kind of texts: the largest number whose condition is true.

    0: not all are `str`. 1: all are `str`. 2: printable ASCII.

    3: as 2, and no text has adjacent, leading or trailing blanks.

    4: as 3, and no text has an ampersand, a point, a slash or a backslash.
    """
    items = tokens(texts, "texts")
    if any(type(text) is not str for text in items):
        return 0
    if not all(text.isascii() and text.isprintable() for text in map(str, items)):
        return 1
    if any(" ".join(text.split()) != text for text in map(str, items)):
        return 2
    return 3 if any(sign in text for text in map(str, items) for sign in "&./\\") else 4


def count_token_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    *prices: int,
) -> bytes:
    """Return the counts of `align_token_pairs`, without the edits."""
    return align_token_pairs(references, hypotheses, *prices)[2]


def _align_pairs(
    references: Sequence[Token],
    hypotheses: Sequence[Token],
    prices: Sequence[int],
    tokens_of: Callable[[Token, str], Sequence[Hashable]],
) -> tuple[bytes, bytes, bytes]:
    require(
        len(references) == len(hypotheses),
        f"expected as many hypotheses as references, found {len(hypotheses)} and {len(references)}",
    )
    checked = _prices(*prices)
    pairs = []
    for number, (left, right) in enumerate(zip(references, hypotheses, strict=True)):
        reference = tokens_of(left, f"references[{number}]")
        hypothesis = tokens_of(right, f"hypotheses[{number}]")
        check_overflow(checked.costs, len(reference) + len(hypothesis))
        pairs.append((reference, hypothesis))
    edits = bytearray()
    offsets = array("q", [0])
    counts = array("i")
    cells = 0
    for reference, hypothesis in pairs:
        cells += len(reference) * len(hypothesis)
        if cells > A_WHILE:
            look()
            cells = 0
        piece = _edits(reference, hypothesis, checked)
        edits += piece
        offsets.append(len(edits))
        counts.extend(_counts(piece))
    return bytes(edits), offsets.tobytes(), counts.tobytes()


def replace_rows(
    edits: ReadableBuffer,
    offsets: ReadableBuffer,
    counts: ReadableBuffer,
    rows: ReadableBuffer,
    other_edits: ReadableBuffer,
    other_offsets: ReadableBuffer,
    other_counts: ReadableBuffer,
) -> tuple[bytes, bytes, bytes]:
    """Return edits, offsets and counts in which other pairs replace those of `rows` (int64)."""
    sides = [
        (buffer(e, "bytes", "edits"), buffer(o, "int64", "offsets"), buffer(c, "int32", "counts"))
        for e, o, c in ((edits, offsets, counts), (other_edits, other_offsets, other_counts))
    ]
    for own, places, numbers in sides:
        require(len(numbers) == 4 * (len(places) - 1), "counts: expected four for each pair")
        rises = all(begin <= end for begin, end in pairwise(places))
        require(rises, "offsets: expected numbers that rise")
        ends = places[0], places[len(places) - 1]
        require(ends == (0, len(own)), "offsets: expected 0 to the number of edits")
    wanted = list(buffer(rows, "int64", "rows"))
    require(len(wanted) == len(sides[1][1]) - 1, "rows: expected one for each other pair")
    size = len(sides[0][1]) - 1
    rises = all(begin < end for begin, end in pairwise([-1, *wanted, size]))
    require(rises, "rows: expected numbers of pairs that rise")
    others = {row: other for other, row in enumerate(wanted)}
    pieces: list[bytes] = []
    new_counts = array("i")
    for pair in range(size):
        own, places, numbers = sides[pair in others]
        row = others.get(pair, pair)
        pieces.append(bytes(own[places[row] : places[row + 1]]))
        new_counts.extend(numbers[4 * row : 4 * row + 4])
    bounds = array("q", accumulate(map(len, pieces), initial=0))
    return b"".join(pieces), bounds.tobytes(), new_counts.tobytes()


def sum_counts(
    counts: IntegerBuffer,
) -> tuple[int, int, int, int, int, int, float, int, int, int]:
    """Sum the counts of many pairs (int32, four per pair, as from `align_linear`).

    Returns the sums of correct, substitutions, deletions and insertions, the number of pairs with
    an error, the number of pairs with a reference word, the sum of the error rates of these pairs,
    added in the order of the pairs, and the numbers of pairs with a substitution, with a deletion
    and with an insertion.
    """
    numbers = buffer(counts, "int32", "counts").tolist()
    require(len(numbers) % 4 == 0, f"counts: expected four for each pair, found {len(numbers)}")
    columns = [numbers[kind::4] for kind in range(4)]
    wrong = rated = 0
    rates = 0.0
    for correct, *errors in zip(*columns, strict=True):
        wrong += any(errors)
        words = correct + errors[0] + errors[1]
        if words:
            rated += 1
            rates += sum(errors) / words
    correct, substitutions, deletions, insertions = map(sum, columns)
    substituted, deleted, inserted = (len(column) - column.count(0) for column in columns[1:])
    sums = correct, substitutions, deletions, insertions
    return *sums, wrong, rated, rates, substituted, deleted, inserted


def rows_of_insertions(counts: IntegerBuffer, fewest: int) -> bytes:
    """Return the rows of pairs with at least `fewest` insertions, or with insertions only (int64).

    `counts` are those of `sum_counts`.
    """
    numbers = buffer(counts, "int32", "counts").tolist()
    require(len(numbers) % 4 == 0, f"counts: expected four for each pair, found {len(numbers)}")
    rows = enumerate(zip(*(numbers[kind::4] for kind in range(4)), strict=True))
    return array(
        "q",
        [
            row
            for row, (*others, insertions) in rows
            if insertions >= fewest or (insertions and not any(others))
        ],
    ).tobytes()


def _edits(
    reference: Sequence[Hashable], hypothesis: Sequence[Hashable], prices: EditPrices
) -> bytes:
    """Return the edits of one pair."""
    numbers: dict[Hashable, int] = {}
    left = [numbers.setdefault(token, len(numbers)) for token in reference]
    right = [numbers.get(token, -1) for token in hypothesis]
    begin = _equal_words(left, right) if prices.ties == RAPIDFUZZ else 0
    end = _equal_words(left[begin:][::-1], right[begin:][::-1]) if prices.ties == RAPIDFUZZ else 0
    left, right = (side[begin : len(side) - end] for side in (left, right))
    table = _steps(left, right, prices)
    edits = bytearray([CORRECT]) * end
    i, j = len(left), len(right)
    while i or j:
        step = table[i - 1][j - 1] if i and j else (UP if i else LEFT)
        match = step == DIAGONAL and left[i - 1] == right[j - 1]
        i -= step != LEFT
        j -= step != UP
        edits.append((CORRECT if match else SUBSTITUTION, DELETION, INSERTION)[step])
    edits += bytearray([CORRECT]) * begin
    edits.reverse()
    return bytes(edits)


def _equal_words(left: Sequence[int], right: Sequence[int]) -> int:
    """Return how many words at the beginning of both sequences are equal."""
    pairs = zip(left, right, strict=False)
    return next(
        (n for n, (word, facing) in enumerate(pairs) if word != facing), min(len(left), len(right))
    )


def _steps(
    reference: Sequence[int], hypothesis: Sequence[int], prices: EditPrices
) -> list[bytearray]:
    """Return, at [i][j], the last step of a best path to reference word i and hypothesis word j."""
    order = bytes(TIES[prices.ties])
    # a cost is kept times four; what a step adds to it is its rank among steps of equal cost
    ranks = [order.index(step) for step in (DIAGONAL, UP, LEFT)]
    equal = order.rindex(DIAGONAL)
    costs = [4 * cost for cost in prices.costs]
    pair, substitution = equal, ranks[DIAGONAL] + costs[0]
    deletion, insertion = ranks[UP] + costs[1], ranks[LEFT] + costs[2]
    row = [j * costs[2] for j in range(len(hypothesis) + 1)]
    table = []
    rows_of_a_while = A_WHILE // len(row) + 1
    for number, word in enumerate(reference, 1):
        if number % rows_of_a_while == 0:
            look()
        across = [
            cost + (pair if word == facing else substitution)
            for cost, facing in zip(row, hypothesis, strict=False)
        ]
        cost = row[0] + costs[1]
        down = [cost + deletion for cost in row[1:]]
        row, steps = [cost], bytearray()
        for cheapest in map(min, across, down):
            if cost + insertion < cheapest:
                cheapest = cost + insertion
            cost = cheapest & -4
            row.append(cost)
            steps.append(cheapest & 3)
        table.append(steps.translate(order.ljust(256)))
    return table


def _counts(edits: bytes) -> tuple[int, int, int, int]:
    count = edits.count
    return count(CORRECT), count(SUBSTITUTION), count(DELETION), count(INSERTION)


def _slices(
    types: IntegerBuffer, begins: IntegerBuffer, ends: IntegerBuffer, side: str
) -> list[list[int]]:
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


def _characters(text: object, name: str) -> tuple[str, ...]:
    if type(text) is not str:
        raise TypeError(f"{name}: expected a text, found {type(text).__name__}")
    return tuple(text)


def _words(text: str, name: str) -> list[str]:
    if type(text) is not str or not text.isascii():
        raise TypeError(f"{name}: expected a text of ASCII")
    return [word for word in text.split(" ") if word]
