"""Which hypothesis belongs to which reference, and an account of those that have no partner."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.errors import InputError, ScoringError
from scoring.sides.account import NO_PARTNER, Account, ListedNames
from scoring.sides.corpus import Corpus, RowNumbers, is_column

POSITION = "position"


class MatchingError(ScoringError):
    """Identifiers that cannot be matched."""

    status = 2


class DifferentLengthsError(MatchingError, ValueError):
    """Sides that are matched by position, and are not equally long."""


class Matching(NamedTuple):
    """For each reference the position of its hypothesis, -1 without; and what has no partner."""

    partners: Sequence[int]
    reference_only: Sequence[int]
    hypothesis_only: Sequence[int]


def match(reference: Sequence[str], hypothesis: Sequence[str], threads: int = 1) -> Matching:
    """Match by identifier; the order of the two sides need not be the same.

    The identifiers of a side must differ, see `first_repeated`; those of columns are compared in
    so many threads.

    Examples
    --------
    >>> match(["a", "b"], ["c", "a"])
    Matching(partners=array('q', [1, -1]), reference_only=[1], hypothesis_only=[0])
    """
    columns: tuple[Any, Any] = reference, hypothesis
    # names of other formats stand in other signs
    if all(map(is_column, columns)) and columns[0].part == columns[1].part:
        if columns[0].equals(columns[1], threads):
            return Matching(range(len(reference)), [], [])
        rows: Sequence[int] = columns[1].find(columns[0])
        matched = set(rows)
        return Matching(
            rows,
            [position for position, row in enumerate(rows) if row < 0],
            [row for row in range(len(hypothesis)) if row not in matched],
        )
    if reference == hypothesis or list(reference) == list(hypothesis):
        return Matching(range(len(reference)), [], [])
    places = {identifier: position for position, identifier in enumerate(hypothesis)}
    partners = array("q", [places.pop(identifier, NO_PARTNER) for identifier in reference])
    missing = [position for position, partner in enumerate(partners) if partner < 0]
    return Matching(partners, missing, sorted(places.values()))


def first_repeated(identifiers: Sequence[str]) -> tuple[int, int] | None:
    """Positions of the first identifier that is there twice; None if all differ.

    Examples
    --------
    >>> first_repeated(["a", "b", "a"])
    (0, 2)
    """
    is_unique = is_column(identifiers) or isinstance(identifiers, RowNumbers)
    if is_unique or len(set(identifiers)) == len(identifiers):
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
    threads: int = 1,
) -> Matching:
    """Match two sides whose utterances have names.

    Parameters
    ----------
    matched_by
        `position`: the names are mere numbers, so that both sides must be equally long, unless the
        caller says otherwise.
    missing
        What becomes of a reference without hypothesis: `error`, `delete`, `skip`; None: as
        `delete`, but an error by position.
    allow_unmatched
        Hypotheses without reference are no error by position.
    threads
        At most this many.

    Raises
    ------
    InputError
        If a name stands twice.
    DifferentLengthsError
        If the sides are not equally long, and matched by position.
    MatchingError
        If nothing matches, or something has no partner and that is not allowed.
    """
    for side in (reference, hypothesis):
        repeated = first_repeated(side.identifiers)
        if repeated is not None:
            raise InputError(
                side.name,
                side.lines[repeated[1]],
                None,
                f"expected an identifier not used before, found {side.identifiers[repeated[1]]!r}, "
                f"which stands at {side.place(repeated[0])} already",
            )
    found = match(reference.identifiers, hypothesis.identifiers, threads)
    lacking = ListedNames.of([reference.identifiers[at] for at in found.reference_only])
    extra = ListedNames.of([hypothesis.identifiers[at] for at in found.hypothesis_only])
    if isinstance(reference.identifiers, RowNumbers) and isinstance(
        hypothesis.identifiers, RowNumbers
    ):
        check_rows(reference.name, hypothesis.name, lacking, extra, missing, allow_unmatched)
    elif matched_by == POSITION:
        way_out = _way_out(hypothesis.name, lacking, extra, missing, allow_unmatched)
        if way_out:
            raise DifferentLengthsError(
                f"{hypothesis.name}: expected as many utterances as {reference.name}, "
                f"{len(reference.identifiers)}, found {len(hypothesis.identifiers)}: they are "
                f"matched by position ({way_out} scores them nevertheless)"
            )
    if lacking.number == len(reference.identifiers) > 0 and extra.number:
        raise MatchingError(
            f"{hypothesis.name}: expected identifiers of {reference.name}, such as "
            f"{lacking.identifiers[0]!r}, found others only, such as {extra.identifiers[0]!r}"
        )
    if missing == "error":
        check_all(reference.name, hypothesis.name, lacking, extra)
    return found


def check_rows(
    reference: str,
    hypothesis: str,
    lacking: ListedNames,
    extra: ListedNames,
    missing: str | None,
    allow_unmatched: bool,
) -> None:
    """Refuse rows of which one side alone has a text, unless it was said what becomes of them.

    Parameters
    ----------
    reference, hypothesis
        What the two columns are called.
    lacking, extra
        The rows without a hypothesis, and without a reference.
    missing, allow_unmatched
        As of `partners_of`.

    Raises
    ------
    DifferentLengthsError
        If there are rows that are not allowed.
    """
    way_out = _way_out(hypothesis, lacking, extra, missing, allow_unmatched)
    if not way_out:
        return
    side, other, rows = hypothesis, reference, lacking
    if not lacking.number or missing is not None:
        side, other, rows = reference, hypothesis, extra
    raise DifferentLengthsError(
        f"{side}: expected a text in every row that has one in {other}, found {rows.number} "
        f"without, the first row {int(rows.identifiers[0])} ({way_out} scores them nevertheless)"
    )


def _way_out(
    hypothesis: str,
    lacking: ListedNames,
    extra: ListedNames,
    missing: str | None,
    allow_unmatched: bool,
) -> str:
    """What would let sides be scored that are matched by position; empty if nothing is wrong."""
    # files come with flags of a command, lists with keywords of a function
    is_given = hypothesis.startswith("<")
    if lacking.number and missing is None:
        return "missing='delete' or 'skip'" if is_given else "--missing delete or skip"
    if extra.number and not allow_unmatched:
        return "allow_unmatched=True" if is_given else "--allow-unmatched"
    return ""


def check_all(reference: str, hypothesis: str, lacking: ListedNames, extra: ListedNames) -> None:
    """Refuse what has no partner; parameters as of `check_rows`.

    Raises
    ------
    MatchingError
        If there is any.
    """
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
    found: Matching,
    matched_by: str,
    missing: str,
    ignored_words: int,
) -> Account:
    """What became of every utterance of both sides.

    Parameters
    ----------
    found, matched_by
        Who belongs to whom, and by what.
    missing
        What becomes of references without hypothesis.
    ignored_words
        Words of the hypothesis where nothing is to be scored.
    """
    lacking, extra = found.reference_only, found.hypothesis_only
    skipped = lacking if missing == "skip" else ()
    return Account(
        matched_by,
        len(reference.identifiers),
        len(hypothesis.identifiers),
        len(reference.identifiers) - len(lacking),
        ListedNames.of([reference.identifiers[at] for at in lacking]),
        ListedNames.of([hypothesis.identifiers[at] for at in extra]),
        sum(len(hypothesis.words[at]) for at in extra),
        sum(len(reference.words[at]) for at in skipped),
        ignored_words,
        reference.repeated + hypothesis.repeated,
    )
