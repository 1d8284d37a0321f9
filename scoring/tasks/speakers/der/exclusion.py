"""The parts of a region that md-eval excludes for sounds and marked time spans.

An excluded zone does not end exactly with its record, because md-eval extends it to adjacent
speech. A zone begins at the latest end of a word or border of a turn before the record, but at most
`reach` earlier. It ends at the next of these after the record, but at most `reach` later; if none
follows, it has no end. For `NOSCORE` the reach is 10 ns, within which md-eval regards two times as
equal.

Times are integer nanoseconds, or doubles in seconds as in md-eval; `reach` has the same unit.
Events at equal times are in the order that md-eval's sort produces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from scoring.tasks.speakers.der.perl_order import Event, Time, in_order

ENDLESS = 2**63 - 1
LEAST_REACH = 10
"""The number of nanoseconds that md-eval treats as zero."""
SOUNDS_REACH = 500_000_000

NOSCORE, SOUND, WORD, TURN = "NOSCORE", "NON-LEX", "LEXEME", "SPEAKER"


class Mark(NamedTuple):
    """A record that affects scoring: its kind, and its time in nanoseconds."""

    kind: str
    begin: int
    end: int


def zones(
    marks: Iterable[tuple[str, Time, Time]], excluded: Collection[str], reach: Time
) -> list[tuple[Time, Time]]:
    """Return the zones of the marks whose kind is in `excluded`.

    Zones may overlap, and the last zone may be endless.

    >>> marks = [Mark("SPEAKER", 0, 9), Mark("NON-LEX", 4, 5), Mark("NOSCORE", 10, 12)]
    >>> zones(marks, ["NON-LEX"], 10), zones(marks, ["NON-LEX"], 1)
    ([(0, 9)], [(3, 6)])
    >>> zones(marks, ["NOSCORE"], 1) == [(9, ENDLESS)]
    True
    """
    events: list[Event[Time]] = []
    for kind, begin, end in marks:
        if begin < end and (kind in excluded or kind in (WORD, TURN)):
            events += _borders(NOSCORE if kind in excluded else kind, begin, end)
    if not any(kind == NOSCORE for *_, kind in events):
        return []
    zones_: list[tuple[Time, Time]] = []
    start: Time | None = None
    words = holes = 0
    word_end = hole_end = border = type(reach)(0)
    for time, begins, kind in in_order(events):
        if kind == WORD:
            words += 1 if begins else -1
            word_end = word_end if words or begins else time
        elif kind == TURN:
            border = time
        else:
            holes += 1 if begins else -1
            hole_end = hole_end if holes or begins else time
        if start is None:
            if holes and kind == NOSCORE:
                start = time if words > 0 else max(word_end, border, time - reach)
        elif not holes and (words > 0 or kind == TURN):
            zones_.append((start, min(hole_end + reach, time)))
            start = None
        elif holes == 1 and kind == NOSCORE and begins and time > hole_end + 2 * reach:
            zones_.append((start, hole_end + reach))
            start = time - reach
    if start is not None:
        zones_.append((start, ENDLESS))
    return zones_


def _borders(kind: str, begin: Time, end: Time) -> list[Event[Time]]:
    """Return the start event and the end event of a span; a span without end has no end event."""
    return [(begin, True, kind), (end, False, kind)][: 1 if end == ENDLESS else 2]


def overlaps(turns: Sequence[tuple[Time, Time]]) -> list[tuple[Time, Time]]:
    """Return the spans in which turns of any speakers overlap, without joining adjacent spans.

    >>> overlaps([(0, 4), (2, 6), (4, 9)])
    [(2, 4), (4, 6)]
    """
    events = [event for span in turns if span[0] < span[1] for event in _borders(TURN, *span)]
    spans: list[tuple[Time, Time]] = []
    depth, start = 0, None
    for time, begins, _ in in_order(events) if events else ():
        depth += 1 if begins else -1
        if begins and depth == 2:
            start = time
        elif not begins and depth == 1 and start is not None:
            spans.append((start, time))
    return spans


def remaining(
    region: Sequence[tuple[Time, Time]], holes: Sequence[tuple[Time, Time]]
) -> list[tuple[Time, Time]]:
    """Return the remaining region after md-eval's exclusions, as sorted disjoint spans.

    This is the region outside the holes. However, between two adjacent holes md-eval begins an
    evaluated span, which ends only at the next border of the region.

    >>> remaining([(0, 9)], [(2, 4)]), remaining([(0, 6), (7, 9)], [(2, 4), (4, 8)])
    ([(0, 2), (4, 9)], [(0, 2), (4, 6), (8, 9)])
    """
    kept = [span for span in region if span[0] < span[1]]
    if not holes or not kept:
        return kept
    events = [event for hole in holes for event in _borders(NOSCORE, *hole)]
    events += [event for span in kept for event in _borders(TURN, *span)]
    made: list[tuple[Time, Time]] = []
    closed = opened = 0
    start: Time | None = None
    for time, begins, kind in in_order(events):
        if kind == NOSCORE:
            closed += 1 if begins else -1
        else:
            opened += 1 if begins else -1
        if start is not None and (opened == 0 or closed > 0) and time > start:
            made.append((start, time))
            start = None
        elif opened > 0 and closed == 0:
            start = time
    return made
