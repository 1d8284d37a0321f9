"""Sessions of many speakers: their errors, who was taken for whom, and what others would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.drawing.blocks import Block, Heading, Table
from scoring.drawing.data import head_of, json_file
from scoring.pages.kaldi_lines import percentage

if TYPE_CHECKING:
    from scoring.matching.outcome import OtherPartner, SessionErrors
    from scoring.rates.result import Rates

SCHEMA, SCHEMA_VERSION = "sclite-kit/assignment", 1
HEADINGS = ("session", "found", "words", "sub", "del", "ins", "errors", "rate %")
NOBODY = "-"
NUMBERS = ("reference_words", "substitutions", "deletions", "insertions", "errors")
CAUSES = ("label_errors", "time_errors")


def sessions_of(rates: Rates) -> Iterator[Block]:
    """A row a session, and their sum; what labels, times and other partners cost, if that is known.

    Of segments that one of each speaker is shown whose other place costs least.
    """
    sessions = rates.sessions
    explained = any(one.equally_good is not None or one.others for one in sessions)
    headings = (*HEADINGS, *(("labels", "times", "as good") if explained else ()))
    rows = [(*_cells(one), *(_causes(one) if explained else ())) for one in sessions]
    if len(sessions) > 1:
        numbers = [
            sum(getattr(one, name) or 0 for one in sessions if one.errors is not None)
            for name in NUMBERS
        ]
        causes = [_sum([getattr(one, name) for one in sessions]) for name in CAUSES]
        rate = percentage(numbers[-1], numbers[0])
        rows.append(("sum", "", *map(str, numbers), rate, *((*causes, "") if explained else ())))
    yield Table(headings, rows, 2)
    if explained:
        yield Heading("what other partners would cost")
        columns = ("session", "speaker", "stream", "next best", "segment", "errors", "then", "more")
        yield Table(columns, [row for one in sessions for row in _others(one)], 4)


def _cells(session: SessionErrors) -> tuple[str, ...]:
    found = "exactly" if session.exact else f"greedily, ≥ {session.at_least}"
    if session.remark is not None:
        found = session.state if session.errors is None else f"{found}, {session.state}"
    numbers = ["-" if one is None else str(one) for one in _attributes(session, NUMBERS)]
    if session.errors is None:
        return (session.session, found, *numbers, "-")
    return (session.session, found, *numbers, percentage(session.errors, session.reference_words))


def _attributes(session: SessionErrors, names: Sequence[str]) -> list[int | None]:
    return [getattr(session, name) for name in names]


def _causes(session: SessionErrors) -> tuple[str, ...]:
    good = session.equally_good
    causes = [_sum([one]) for one in _attributes(session, CAUSES)]
    return (
        *causes,
        "" if good is None else f"≥ {good}" if session.may_be_more_as_good else str(good),
    )


def _sum(numbers: Sequence[int | None]) -> str:
    """The sum; nothing where one of the numbers is not known."""
    known = [one for one in numbers if one is not None]
    return str(sum(known)) if len(known) == len(numbers) else ""


def _others(session: SessionErrors) -> Iterator[tuple[str, ...]]:
    nearest: dict[str, OtherPartner] = {}
    for one in session.others:
        if one.segment is not None and one.other is None:
            continue
        known = nearest.setdefault(one.speaker, one)
        if one.other_errors - one.errors < known.other_errors - known.errors:
            nearest[one.speaker] = one
    for one in nearest.values():
        yield (
            session.session,
            one.speaker,
            one.stream or NOBODY,
            one.other or NOBODY,
            "all" if one.segment is None else str(one.segment),
            str(one.errors),
            str(one.other_errors),
            str(one.other_errors - one.errors),
        )


def assignment_lines(sessions: Sequence[SessionErrors]) -> Iterator[bytes]:
    """Who was taken for whom, as JSON: of each session its assignment, and whether it is exact."""
    found = (
        {
            "session": one.session,
            "exact": one.exact,
            "assignment": one.assignment,
            "state": one.state,
        }
        for one in sessions
    )
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), "sessions": found})
