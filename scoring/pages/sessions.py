"""Sessions of many speakers: their errors, and the stream that is assigned to each speaker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formats.schema.remarks import remark_records
from scoring.drawing import kaldi_percentage
from scoring.drawing.blocks import Block, Items, Note, Table
from scoring.drawing.data import head_of, json_file

if TYPE_CHECKING:
    from scoring.results import Rates
    from scoring.sides.matching.outcome import SessionErrors

SCHEMA, SCHEMA_VERSION = "sclite-kit/assignment", 1
HEADINGS = ("session", "search", "words", "sub", "del", "ins", "errors", "rate %")
NUMBERS = ("reference_count", "substitutions", "deletions", "insertions", "errors")
# Measures whose assignment is of whole speakers.
OF_PAIRS = ("cp", "tcp")
CAUSES = ("label_errors", "time_errors")


def sessions_of(rates: Rates) -> Iterator[Block]:
    """Yield a table with a row for each session and a total.

    If it is known how many errors the speaker labels and the times cause, two more columns have
    these numbers.
    """
    sessions = rates.sessions
    causes = [[_sum([cause]) for cause in _attributes(session, CAUSES)] for session in sessions]
    explained = any(map(any, causes))
    headings = (*HEADINGS, *(("labels", "times") if explained else ()))
    rows = [
        (*_cells(session), *(cells if explained else ()))
        for session, cells in zip(sessions, causes, strict=True)
    ]
    if len(sessions) > 1:
        numbers = [
            sum(getattr(session, name) or 0 for session in sessions if session.errors is not None)
            for name in NUMBERS
        ]
        sums = [_sum([getattr(session, name) for session in sessions]) for name in CAUSES]
        rate = kaldi_percentage(numbers[-1], numbers[0])
        rows.append(("sum", "", *map(str, numbers), rate, *(sums if explained else ())))
    yield Table(headings, rows, 2)
    if explained:
        yield Note("labels and times: the errors that speaker labels and times cause")


def _cells(session: SessionErrors) -> tuple[str, ...]:
    search = "exact" if session.exact else f"greedy, optimum ≥ {session.at_least}"
    if session.reason is not None:
        search = session.state if session.errors is None else f"{search}, {session.state}"
    numbers = ["-" if number is None else str(number) for number in _attributes(session, NUMBERS)]
    if session.errors is None:
        return (session.session, search, *numbers, "-")
    return (
        session.session,
        search,
        *numbers,
        kaldi_percentage(session.errors, session.reference_count),
    )


def _attributes(session: SessionErrors, names: Sequence[str]) -> list[int | None]:
    return [getattr(session, name) for name in names]


def _sum(numbers: Sequence[int | None]) -> str:
    """Return the sum as text; empty if any number is unknown."""
    present = [number for number in numbers if number is not None]
    return str(sum(present)) if len(present) == len(numbers) else ""


def assignments_of(rates: Rates) -> Iterator[Block]:
    """Yield the stream of each speaker in each session, if the measure assigns streams."""
    lines = [f"assignment of {name}: {text}" for name, text in assignments(rates)]
    if lines:
        yield Items(lines)


def assignments(rates: Rates) -> Iterator[tuple[str, str]]:
    """Yield each session with the pairs of speakers and streams as text.

    In `anna=spk1, ben=-`, ben has no stream.
    """
    if rates.rules.meeting.partition("(")[0] not in OF_PAIRS:
        return
    for session in rates.sessions:
        pairs = [pair for pair in session.assignment if isinstance(pair, Sequence)]
        names = (["-" if name is None else str(name) for name in pair] for pair in pairs)
        if pairs:
            # in the order of the speakers, those of the hypothesis alone last
            ordered = sorted(names, key=lambda pair: (pair[0] == "-", pair))
            yield session.session, ", ".join(map("=".join, ordered))


def assignment_lines(rates: Rates) -> Iterator[bytes]:
    """Yield JSON with the assignment of each session, and whether the assignment is exact."""
    entries = (
        {
            "session": session.session,
            "exact": session.exact,
            "assignment": session.assignment,
            "state": session.state,
        }
        for session in rates.sessions
    )
    about = {"signature": rates.signature, "remarks": remark_records(rates.remarks)}
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), **about, "sessions": entries})
