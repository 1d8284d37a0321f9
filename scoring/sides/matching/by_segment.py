"""Assignment of each segment to the stream where it costs least, independent of its speaker.

=========  =====================================================================================
ORC        segments of the reference, in the order of time, each on one stream of the hypothesis
MIMO       the same, but only the order within each speaker is kept
DI         segments of the hypothesis, each with one speaker of the reference
=========  =====================================================================================

For MIMO, the greedy search is the one for ORC: an order that ORC allows is also allowed by MIMO.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from scoring.sides.matching.by_speaker import Assigned, AssignedPair, Problem, cheapest_columns
from scoring.sides.matching.outcome import DeclinedError, Partner
from scoring.sides.messages import NO_EXACT_SEARCH, Message

# Limits of the exact search: cells (about a minute and a half; where words offer a choice, over two
# minutes), and bytes of memory.
MOST_UPDATES, MOST_BYTES = 3 * 10**11, 2 * 10**9
ORC, MIMO, DI = "orc", "mimo", "di"


class SessionTooLargeError(DeclinedError):
    """Raised if a session is too large for an exact search."""


def _sides(problem: Problem, kind: str) -> tuple[int, dict[str, list[int]]]:
    """Return the side whose segments are assigned (0 or 1), and the other side's streams."""
    return (1, problem.speakers) if kind == DI else (0, problem.streams)


def assign_segments(problem: Problem, kind: str, exact: bool | None = None) -> Assigned:
    """Assign segments to streams, at the least cost or greedily.

    If `exact` is None, a session that is too large for an exact search is assigned greedily. If
    `exact` is True, or for MIMO, such a session raises SessionTooLargeError.
    """
    if kind == MIMO and exact is False:
        return _mimo_as_orc(problem)
    moving, streams = _sides(problem, kind)
    turns, names = problem.sides[moving], list(streams)
    segments = list(range(len(turns)))
    if exact is not False and problem.clock is not None:
        # where times matter, what is silent has none
        segments = [segment for segment in segments if problem.says_something(moving, segment)]
    if not streams or not segments:
        return _assigned(problem, kind, sum(problem.words), (), ())
    search = problem.search(moving, [[segment] for segment in segments], streams.values())
    if exact is False:
        errors, choice = search.greedily(_first_choice(problem, moving, segments))
        chosen = [names[number] for number in array("i", choice)]
        return _assigned(problem, kind, errors, segments, chosen, exact=False)
    speakers = [turns[segment].speaker if kind == MIMO else "" for segment in segments]
    chains = array("i", map(list(dict.fromkeys(speakers)).index, speakers))
    solution = search.exactly(chains, kind != MIMO, MOST_UPDATES, MOST_BYTES)
    if solution is not None:
        # a path of steps, each a chain and a stream
        steps = array("i", solution[1])
        waiting: dict[int, list[int]] = {}
        for segment, chain in zip(segments[::-1], chains[::-1], strict=True):
            waiting.setdefault(chain, []).append(segment)
        order = [waiting[chain].pop() for chain in steps[::2]]
        chosen = [names[number] for number in steps[1::2]]
        return _assigned(problem, kind, solution[0], order, chosen)
    if exact is None and kind != MIMO:
        return assign_segments(problem, kind, False)
    lengths = (
        sum(len(problem.sides[1 - moving][turn].words) for turn in group) + 1
        for group in streams.values()
    )
    sizes = {"segments": len(segments), "streams": len(streams), "words": [*lengths]}
    raise SessionTooLargeError(Message(NO_EXACT_SEARCH, {"measure": kind.upper(), **sizes}))


def _mimo_as_orc(problem: Problem) -> Assigned:
    """Return the exact result of ORC as an assignment of MIMO, if the session is small enough."""
    assigned = assign_segments(problem, ORC)
    assignment: list[Partner] = [
        (turn.speaker, stream)
        for turn, stream in zip(problem.reference, assigned.assignment, strict=True)
        if isinstance(stream, str)
    ]
    return assigned._replace(assignment=assignment, exact=False, bound=lowest_bound(problem))


def _assigned(
    problem: Problem,
    kind: str,
    errors: int,
    order: Sequence[int],
    chosen: Sequence[str],
    exact: bool = True,
) -> Assigned:
    """Return the assignment in which segment `order[k]` is on the stream `chosen[k]`."""
    moving, streams = _sides(problem, kind)
    segments = tuple(range(len(problem.sides[moving])))
    stream_of = dict(zip(order, chosen, strict=True))
    members: dict[str, list[int]] = {name: [] for name in streams}
    for segment, name in stream_of.items():
        members[name].append(segment)
    parts: list[tuple[str | None, tuple[int, ...], tuple[int, ...]]] = [
        (name, tuple(turns), tuple(members[name])) for name, turns in streams.items()
    ]
    if segments and not order:
        parts.append((None, (), segments))
    if kind == DI:
        pairs = [AssignedPair(name, None, turns, moved) for name, turns, moved in parts]
    else:
        pairs = [AssignedPair(None, name, moved, turns) for name, turns, moved in parts]
    # segments that are nowhere, since they are silent, are given the first stream
    spare = min(streams, key=str, default=None)
    assignment: list[Partner] = [stream_of.get(segment, spare) for segment in segments]
    if kind == MIMO and order:
        speakers = [problem.reference[segment].speaker for segment in order]
        assignment = list(zip(speakers, chosen, strict=True))
    bound = errors if exact else lowest_bound(problem)
    return Assigned(errors, pairs, assignment, exact, bound, kind == DI)


def _first_choice(problem: Problem, moving: int, segments: Sequence[int]) -> array[int]:
    """Return the stream with which the search starts, for each segment.

    It is the stream assigned to the segment's speaker or, if there is none, the cheapest stream.
    """
    costs: Sequence[Sequence[int]] = problem.costs
    groups, count = problem.speakers, len(problem.streams)
    if moving:
        # ties with streams as rows may differ from those with speakers as rows
        costs = list(zip(*costs, strict=True))
        groups, count = problem.streams, len(problem.speakers)
    choice: dict[str, int] = {}
    for speaker, row, column in zip(groups, costs, cheapest_columns(costs), strict=False):
        choice[speaker] = column if column < count else row.index(min(row[:count]))
    turns = problem.sides[moving]
    return array("i", [choice[turns[segment].speaker] for segment in segments])


def lowest_bound(problem: Problem) -> int:
    """Return a lower bound on the errors of any assignment, computed from word frequencies."""
    (least, most), (least_heard, most_heard) = map(problem.occurrences, (0, 1))
    return max(
        sum(max(0, number - other.get(word, 0)) for word, number in own.items())
        for own, other in ((least, most_heard), (least_heard, most))
    )
