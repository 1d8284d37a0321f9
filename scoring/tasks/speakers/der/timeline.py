"""Timelines of both sides, with missed, false and confused time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scoring.drawing.blocks import TurnSpan, TurnTimeline
from scoring.tasks.speakers.der.rules import DiarisationRules
from scoring.tasks.speakers.der.score import MatchedTurns, Read, matched_turns

CONFUSION, MISSED, FALSE_ALARM = "S", "D", "I"


def timelines_of(sides: Read, rules: DiarisationRules) -> list[TurnTimeline]:
    """Return the timeline of each recording."""
    return [_timeline(name, matched) for name, matched in matched_turns(sides, rules)]


def _timeline(name: str, matched: MatchedTurns) -> TurnTimeline:
    """Return a timeline: a lane for each reference speaker and partner, then other speakers."""
    mapped = set(matched.mapping.values())
    lanes: list[tuple[int | None, int | None]] = [
        (left, matched.mapping.get(left)) for left in range(len(matched.names[0]))
    ]
    lanes += [(None, right) for right in range(len(matched.names[1])) if right not in mapped]
    lane_of = [
        {speaker: lane for lane, pair in enumerate(lanes) if (speaker := pair[side]) is not None}
        for side in (0, 1)
    ]
    spans = [
        TurnSpan(lane_of[side][speaker], side, int(begin), int(end))
        for side in (0, 1)
        for speaker, turns in enumerate(matched.turns[side])
        for begin, end in turns
    ]
    spans += _joined(_errors(matched, lane_of))
    names = [
        tuple(None if at is None else matched.names[side][at] for side, at in enumerate(pair))
        for pair in lanes
    ]
    return TurnTimeline(name, [(left, right) for left, right in names], spans)


def _errors(matched: MatchedTurns, lane_of: Sequence[Mapping[int, int]]) -> Iterator[TurnSpan]:
    """Yield the errors in each piece as spans in the speakers' lanes: missed, false or confused."""
    pieces = matched.scored
    for begin, end, spoken, heard in zip(*pieces, strict=True):
        left, right = (
            [speaker for speaker, number in sorted(counts.items()) for _ in range(number)]
            for counts in (spoken, heard)
        )
        free = list(right)
        wrong = []
        for speaker in left:
            partner = matched.mapping.get(speaker)
            if partner in free:
                free.remove(partner)
            else:
                wrong.append(speaker)
        confused = min(len(wrong), len(free))
        for side, speakers, rest in ((0, wrong, MISSED), (1, free, FALSE_ALARM)):
            for number, speaker in enumerate(speakers):
                kind = CONFUSION if number < confused else rest
                yield TurnSpan(lane_of[side][speaker], side, int(begin), int(end), kind)


def _joined(spans: Iterator[TurnSpan]) -> list[TurnSpan]:
    """Join errors that follow each other without a gap."""
    joined: list[TurnSpan] = []
    last: dict[tuple[int, int, str], int] = {}
    for span in spans:
        key = span.lane, span.side, span.kind
        at = last.get(key)
        if at is not None and joined[at].end_ns == span.begin_ns:
            joined[at] = joined[at]._replace(end_ns=span.end_ns)
            continue
        last[key] = len(joined)
        joined.append(span)
    return joined
