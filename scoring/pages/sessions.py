"""Sessions of many speakers: their errors, who was taken for whom, and what others would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.pages.blocks import Block, Heading, Table
from scoring.pages.data import head_of, json_file
from scoring.pages.kaldi_lines import percentage

if TYPE_CHECKING:
    from scoring.matching.sessions import Session
    from scoring.scored.rates import ErrorRates

SCHEMA, SCHEMA_VERSION = "sclite-kit/assignment", 1
HEADINGS = ("session", "found", "words", "sub", "del", "ins", "errors", "rate %")
NOBODY = "-"


def sessions_of(rates: ErrorRates) -> Iterator[Block]:
    """A row a session; what labels, times and other partners cost, where that was worked out."""
    explained = any(one.label_errors is not None for one in rates.sessions)
    headings = (*HEADINGS, *(("labels", "times", "as good") if explained else ()))
    rows = [(*_cells(one), *(_causes(one) if explained else ())) for one in rates.sessions]
    yield Table(headings, rows, 2)
    if explained:
        yield Heading("what other partners would cost")
        others = [
            (
                one.session,
                other.speaker,
                other.stream or NOBODY,
                other.other or NOBODY,
                str(other.errors),
                str(other.other_errors),
                str(other.other_errors - other.errors),
            )
            for one in rates.sessions
            for other in one.speakers
        ]
        columns = ("session", "speaker", "stream", "next best", "errors", "then", "more")
        yield Table(columns, others, 4)


def _cells(session: Session) -> tuple[str, ...]:
    found = "exactly" if session.exact else f"greedily, ≥ {session.at_least}"
    numbers = (
        session.reference_words,
        session.substitutions,
        session.deletions,
        session.insertions,
        session.errors,
    )
    rate = percentage(session.errors, session.reference_words)
    return (session.session, found, *map(str, numbers), rate)


def _causes(session: Session) -> tuple[str, ...]:
    causes = (session.label_errors, session.time_errors, session.equally_good)
    return tuple("" if one is None else str(one) for one in causes)


def assignment_lines(sessions: Sequence[Session]) -> Iterator[bytes]:
    """Who was taken for whom, as JSON: of each session its assignment, and whether it is exact."""
    found = (
        {"session": one.session, "exact": one.exact, "assignment": one.assignment}
        for one in sessions
    )
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), "sessions": found})
