"""Sessions of many speakers: their errors, who was taken for whom, and what others would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.drawing.blocks import Block, Heading, Table
from scoring.drawing.data import head_of, json_file
from scoring.drawing.kaldi_lines import percentage

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
    explained = any(session.equally_good is not None or session.others for session in sessions)
    headings = (*HEADINGS, *(("labels", "times", "as good") if explained else ()))
    rows = [(*_cells(session), *(_causes(session) if explained else ())) for session in sessions]
    if len(sessions) > 1:
        numbers = [
            sum(getattr(session, name) or 0 for session in sessions if session.errors is not None)
            for name in NUMBERS
        ]
        causes = [_sum([getattr(session, name) for session in sessions]) for name in CAUSES]
        rate = percentage(numbers[-1], numbers[0])
        rows.append(("sum", "", *map(str, numbers), rate, *((*causes, "") if explained else ())))
    yield Table(headings, rows, 2)
    if explained:
        yield Heading("what other partners would cost")
        columns = ("session", "speaker", "stream", "next best", "segment", "errors", "then", "more")
        yield Table(columns, [row for session in sessions for row in _others(session)], 4)


def _cells(session: SessionErrors) -> tuple[str, ...]:
    search = "exactly" if session.exact else f"greedily, ≥ {session.at_least}"
    if session.remark is not None:
        search = session.state if session.errors is None else f"{search}, {session.state}"
    numbers = ["-" if number is None else str(number) for number in _attributes(session, NUMBERS)]
    if session.errors is None:
        return (session.session, search, *numbers, "-")
    return (session.session, search, *numbers, percentage(session.errors, session.reference_words))


def _attributes(session: SessionErrors, names: Sequence[str]) -> list[int | None]:
    return [getattr(session, name) for name in names]


def _causes(session: SessionErrors) -> tuple[str, ...]:
    good = session.equally_good
    causes = [_sum([number]) for number in _attributes(session, CAUSES)]
    return (
        *causes,
        "" if good is None else f"≥ {good}" if session.may_be_more_as_good else str(good),
    )


def _sum(numbers: Sequence[int | None]) -> str:
    """The sum; nothing where one of the numbers is not known."""
    present = [number for number in numbers if number is not None]
    return str(sum(present)) if len(present) == len(numbers) else ""


def _others(session: SessionErrors) -> Iterator[tuple[str, ...]]:
    nearest: dict[str, OtherPartner] = {}
    for partner in session.others:
        if partner.segment is not None and partner.other is None:
            continue
        best = nearest.setdefault(partner.speaker, partner)
        if partner.other_errors - partner.errors < best.other_errors - best.errors:
            nearest[partner.speaker] = partner
    for partner in nearest.values():
        yield (
            session.session,
            partner.speaker,
            partner.stream or NOBODY,
            partner.other or NOBODY,
            "all" if partner.segment is None else str(partner.segment),
            str(partner.errors),
            str(partner.other_errors),
            str(partner.other_errors - partner.errors),
        )


def assignment_lines(sessions: Sequence[SessionErrors]) -> Iterator[bytes]:
    """Who was taken for whom, as JSON: of each session its assignment, and whether it is exact."""
    entries = (
        {
            "session": session.session,
            "exact": session.exact,
            "assignment": session.assignment,
            "state": session.state,
        }
        for session in sessions
    )
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), "sessions": entries})
