"""Matching of the utterances of both sides, and lists of utterances without a partner.

`in_common` chooses the way of matching: by identifier, by manifest rows, by time, or by whole
recordings. `partners_of` then finds the partners and rejects utterances that must have one.
"""

from __future__ import annotations

from itertools import accumulate

from formats.schema import NamedTuple
from formats.schema.messages import Message
from scoring.alignment.results import is_column
from scoring.model.errors import InputError, ScoringError
from scoring.sides.corpus import NO_PARTNER, Account, Corpus, ListedNames, RowNumbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from formats.schema.model import Segment
    from scoring.alignment.texts import ColumnNames

IDENTIFIER, AUDIO, POSITION = "identifier", "audio", "position"
SPARSE = frozenset(("parquet", "arrow"))
"""Formats whose rows have numbers; their readers leave out the rows without a text."""


class MatchingError(ScoringError):
    """Raised if the identifiers of the two sides cannot be matched."""

    status = 2


class DifferentLengthsError(MatchingError, ValueError):
    """Raised if sides that are matched by position have different lengths."""


class MissingTextError(MatchingError, ValueError):
    """Raised if a row of a column has no text, although the other side has a text."""


class Cut(NamedTuple):
    """Whole recordings with the segments of one side; both sides are cut at these segments."""

    segments: Corpus  # all of them, recording by recording
    sizes: Sequence[int]  # number of segments of each recording
    partners: Sequence[int]  # position of each recording in the hypothesis
    streams: Sequence[Sequence[Segment]]  # the hypothesis's, as read, unless `segments` are


class MatchedSides(NamedTuple):
    """Both sides after matching. Utterances with the same identifier belong together."""

    reference: Corpus
    hypothesis: Corpus
    by: str  # `identifier`, `audio`, `position`, `time`, `recording` or `file`
    ignored_words: int = 0  # words of the hypothesis in segments that the reference ignores
    cut: Cut | None = None  # where utterances are whole recordings
    runs: Sequence[int] = ()  # utterances of each row of neighbours, where words are dealt by time


class Matching(NamedTuple):
    """The index of each reference's hypothesis (or -1), and the utterances without a partner."""

    partners: Sequence[int]
    reference_only: Sequence[int]
    hypothesis_only: Sequence[int]


def match(reference: Sequence[str], hypothesis: Sequence[str]) -> Matching:
    """Match by identifier; the two sides may have different orders.

    The identifiers of a side must differ, see `first_repeated`.

    >>> match(["a", "b"], ["c", "a"])
    Matching(partners=array('q', [1, -1]), reference_only=[1], hypothesis_only=[0])
    """
    columns: tuple[Any, Any] = reference, hypothesis
    if all(map(is_column, columns)):
        return _match_columns(*columns)
    if reference == hypothesis or list(reference) == list(hypothesis):
        return Matching(range(len(reference)), [], [])
    rest = {identifier: position for position, identifier in enumerate(hypothesis)}
    from array import array

    partners = array("q", [rest.pop(identifier, NO_PARTNER) for identifier in reference])
    missing = [position for position, partner in enumerate(partners) if partner < 0]
    return Matching(partners, missing, sorted(rest.values()))


def by_position(reference: Corpus, hypothesis: Corpus) -> tuple[Corpus, Corpus]:
    """Return both sides matched in order; utterances have the names of the reference."""
    sides = reference, hypothesis
    numbered = in_rows(*sides) if any(side.is_unnamed for side in sides) else sides
    left, right = (
        (in_order if side.is_unnamed else side)._replace(by_position=True)
        for side, in_order in zip(sides, numbered, strict=True)
    )
    named = dict(zip(_places(left), left.identifiers, strict=True))
    places = _places(right)
    numbers = zip(places, RowNumbers(places), strict=True)
    names = [named.get(place, number) for place, number in numbers]
    return left, right._replace(identifiers=names)


def in_rows(reference: Corpus, hypothesis: Corpus, keep: bool = True) -> tuple[Corpus, Corpus]:
    """Return both sides with row numbers as identifiers."""
    sides = reference, hypothesis
    rows = [side.spoken for side in sides]
    if all(side.format in SPARSE for side in sides):
        numbers = _numbers_in_tables(*rows)
    else:
        numbers = [(range(len(own)), len(own)) for own in rows]
    left, right = (
        side.with_utterances(RowNumbers(places), own, keep)._replace(rows=size)
        for side, own, (places, size) in zip(sides, rows, numbers, strict=True)
    )
    return left, right


def _numbers_in_tables(*sides: Sequence[Segment]) -> list[tuple[Sequence[int], int]]:
    """Return the row numbers of each side in its tables, from 0, and how many rows these have.

    So the rows after one without a text keep their partners. If both sides are in the same tables,
    these end with the last row that has a text on either side.
    """
    places = [[(getattr(row.line, "path", ""), int(row.line or 0)) for row in own] for own in sides]
    sizes = list(map(_last_rows, places))
    if sizes[0].keys() == sizes[1].keys():
        sizes = [_last_rows([*places[0], *places[1]])] * 2
    begins = [dict(zip(size, accumulate(size.values(), initial=0), strict=False)) for size in sizes]
    return [
        ([begin[path] + line - 1 for path, line in own], sum(size.values()))
        for own, size, begin in zip(places, sizes, begins, strict=True)
    ]


def _last_rows(places: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the last row of each table."""
    last: dict[str, int] = {}
    for path, line in places:
        last[path] = max(line, last.get(path, 0))
    return last


def _places(side: Corpus) -> Sequence[int]:
    """Return the row numbers of a side's utterances; rows that have no text are skipped."""
    if side.rows is not None and isinstance(side.identifiers, RowNumbers):
        return side.identifiers.rows
    return range(len(side.identifiers))


def _match_columns(reference: ColumnNames, hypothesis: ColumnNames) -> Matching:
    """Match columns of identifiers like `match`, without creating an object per identifier."""
    partners = hypothesis.find(reference)
    if isinstance(partners, range):
        return Matching(partners, [], [])
    is_matched = bytearray(len(hypothesis) + 1)  # the last for those without partner
    for partner in partners:
        is_matched[partner] = True
    missing = [position for position, partner in enumerate(partners) if partner == NO_PARTNER]
    return Matching(
        partners, missing, [row for row in range(len(hypothesis)) if not is_matched[row]]
    )


def first_repeated(identifiers: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of the first repeated identifier; None if all differ."""
    if is_column(identifiers) or isinstance(identifiers, RowNumbers):
        return None
    if len(set(identifiers)) == len(identifiers):
        return None
    first: dict[str, int] = {}
    for position, identifier in enumerate(identifiers):
        if identifier in first:
            return first[identifier], position
        first[identifier] = position
    return None


def partners_of(
    reference: Corpus,
    hypothesis: Corpus,
    matched_by: str,
    missing: str | None,
    allow_unmatched: bool = False,
) -> Matching:
    """Match two sides whose utterances have names.

    `missing=None` means `delete`. For sides matched by position, different lengths are then an
    error, because identifiers are only numbers. Raises InputError if a name repeats. Raises
    MatchingError if nothing matches, or if an utterance without partner is not allowed.
    """
    for side in (reference, hypothesis):
        repeated = first_repeated(side.identifiers)
        if repeated is not None:
            first, second = repeated
            problem = (
                f"expected an identifier not used before, found {side.identifiers[second]!r}, "
                f"which is also at {side.place(first)}"
            )
            raise InputError(side.name, side.lines[second], None, problem)
    matching = match(reference.identifiers, hypothesis.identifiers)
    lacking = ListedNames.of([reference.identifiers[row] for row in matching.reference_only])
    extra = ListedNames.of([hypothesis.identifiers[row] for row in matching.hypothesis_only])
    sides = reference, hypothesis
    # a part of a table, which does not know how many rows there are
    is_part = None in (reference.rows, hypothesis.rows) and all(
        isinstance(side.identifiers, RowNumbers) for side in sides
    )
    are_rows = matched_by == POSITION and reference.size == hypothesis.size
    if is_part or are_rows:
        are_named = type(hypothesis.identifiers) is not RowNumbers
        paths = reference.name, hypothesis.name
        check_rows(*paths, extra, allow_unmatched, are_named=are_named)
    elif matched_by == POSITION:
        is_missing = lacking.number and missing is None
        if is_missing or (extra.number and not allow_unmatched):
            from scoring.sides.messages import UNEQUAL_EXTRA, UNEQUAL_MISSING

            numbers = {
                "wanted": reference.size,
                "number": hypothesis.size,
            }
            fields = {"path": hypothesis.name, "reference": reference.name, **numbers}
            value = Message(UNEQUAL_MISSING if is_missing else UNEQUAL_EXTRA, fields)
            raise as_called(DifferentLengthsError(value), hypothesis.name)
    if lacking.number == len(reference.identifiers) > 0 and extra.number:
        from scoring.sides.matching.spelling import names_message
        from scoring.sides.messages import OTHER_NAMES, OTHER_NAMES_BUT

        entries = (OTHER_NAMES, OTHER_NAMES_BUT)
        names = "identifiers", reference.identifiers, hypothesis.identifiers
        value = names_message(entries, hypothesis.name, reference.name, *names)
        raise as_called(MatchingError(value), hypothesis.name)
    if missing == "error":
        check_all(reference.name, hypothesis.name, lacking, extra)
    return matching


def as_called(error: MatchingError, hypothesis: str) -> MatchingError:
    """Return the error with the names of options that the caller knows: flags or keywords.

    Callers with files use flags of a command; callers with lists use keywords of a function.
    """
    if error.value is not None and hypothesis.startswith("<"):
        error.args = (error.value.in_python,)
    return error


def check_rows(
    reference: str,
    hypothesis: str,
    extra: ListedNames,
    allow_unmatched: bool,
    *,
    are_named: bool = False,
) -> None:
    """Reject rows with a hypothesis but no reference, unless they are allowed.

    With `are_named`, rows have identifiers other than their numbers.
    """
    if extra.number and not allow_unmatched:
        from scoring.sides.messages import MISSING_TEXTS, MISSING_TEXTS_FROM

        fields = {"path": reference, "partner": hypothesis, "number": extra.number}
        value = Message(MISSING_TEXTS, fields)
        if extra.identifiers:  # clusters count rows, which have no numbers there
            row = extra.identifiers[0]
            value = Message(MISSING_TEXTS_FROM, {**fields, "row": row if are_named else int(row)})
        raise as_called(MissingTextError(value), hypothesis)


def check_all(reference: str, hypothesis: str, lacking: ListedNames, extra: ListedNames) -> None:
    """Raise an error if utterances without partner are not allowed."""
    if lacking.number:
        raise MatchingError(
            f"{hypothesis}: expected a hypothesis for every reference of {reference}, "
            f"found none for {lacking}"
        )
    if extra.number:
        raise MatchingError(
            f"{hypothesis}: expected identifiers of {reference} only, found others, {extra}"
        )


def account_of(
    reference: Corpus,
    hypothesis: Corpus,
    matching: Matching,
    matched_by: str,
    missing: str,
    ignored_words: int,
) -> Account:
    """Return the account of the utterances of both sides."""
    lacking, extra = matching.reference_only, matching.hypothesis_only
    skipped = lacking if missing == "skip" else ()
    return Account(
        matched_by,
        len(reference.identifiers),
        len(hypothesis.identifiers),
        len(reference.identifiers) - len(lacking),
        ListedNames.of([reference.identifiers[row] for row in lacking]),
        ListedNames.of([hypothesis.identifiers[row] for row in extra]),
        sum(len(hypothesis.words[row]) for row in extra),
        sum(len(reference.words[row]) for row in skipped),
        ignored_words,
        reference.repeated + hypothesis.repeated,
    )
