"""Segments with streams: each segment goes where it costs least, whoever is said to speak.

=========  =====================================================================================
ORC        segments of the reference, in the order of time, each on one stream of the hypothesis
MIMO       the same, but only the order within each speaker is kept
DI         segments of the hypothesis, each with one speaker of the reference
=========  =====================================================================================

What is found greedily for MIMO is what ORC gives, whose order of segments MIMO may have, too.
"""

from __future__ import annotations

from array import array
from bisect import insort
from typing import Any, NamedTuple

from scoring.alignment.speakers import combine, combine_greedily, distances
from scoring.matching.by_speaker import Assigned, Laid, Problem

# What is worked out exactly: cells (about a minute and a half), and bytes of memory.
MOST_UPDATES, MOST_BYTES = 3 * 10**11, 2 * 10**9
ORC, MIMO, DI = "orc", "mimo", "di"


class SessionTooLargeError(ValueError):
    """A session that is too large to be worked out exactly."""


def assign_segments(problem: Problem, kind: str, exact: bool | None = None) -> Assigned:
    """Lay segments on streams at the least cost, or at a low one.

    Parameters
    ----------
    kind
        `orc`, `mimo` or `di`.
    exact
        Whether the least cost is wanted; None: where it can be afforded.

    Raises
    ------
    TooLargeError
        If the least cost is wanted and cannot be afforded; of MIMO unless a low one is wanted.
    """
    if kind == MIMO and exact is False:
        return _mimo_as_orc(problem)
    moving, fixed = (1, 0) if kind == DI else (0, 1)
    turns = (problem.reference, problem.hypothesis)
    segments = list(range(len(turns[moving])))
    streams = problem.speakers if kind == DI else problem.streams
    names = list(streams)
    if exact is not False and problem.clock is not None:
        # where times matter, what is silent has none
        segments = [at for at in segments if turns[moving][at].words]
    if not names or not segments:
        return _nothing_to_lay(problem, kind)
    left = problem.side(moving, [[at] for at in segments])
    right = problem.side(fixed, streams.values())
    if exact is not False:
        chains = array("i", bytes(4 * len(segments)))
        speakers = list(dict.fromkeys(turns[moving][at].speaker for at in segments))
        if kind == MIMO:
            numbers = {name: number for number, name in enumerate(speakers)}
            chains = array("i", [numbers[turns[moving][at].speaker] for at in segments])
        alone = kind != MIMO
        found = combine(left, chains, right, alone, MOST_UPDATES, MOST_BYTES)
        if found is not None:
            return _exactly(problem, kind, segments, speakers, chains, *found)
        if exact or kind == MIMO:
            sizes = " × ".join(str(_words(problem, fixed, one) + 1) for one in streams.values())
            raise SessionTooLargeError(
                f"expected a session whose {kind.upper()} rate can be worked out exactly, found "
                f"{len(segments)} segments on {len(names)} streams ({sizes} places)"
            )
        # the rest is done with all segments, as if the least cost had not been asked for
        return assign_segments(problem, kind, False)
    start = _start(problem, moving, segments)
    errors, choice = combine_greedily(left, right, start)
    chosen = [names[at] for at in array("i", choice)]
    pairs = _pairs(problem, kind, dict(zip(segments, chosen, strict=True)), segments)
    return Assigned(
        errors,
        pairs,
        _of_each(problem, kind, dict(zip(segments, chosen, strict=True))),
        False,
        lowest_bound(problem),
        kind == DI,
    )


def _mimo_as_orc(problem: Problem) -> Assigned:
    """What ORC gives, exactly where that can be afforded, as an assignment of MIMO."""
    found = assign_segments(problem, ORC)
    assignment: list[object] = [
        (turn.speaker, stream)
        for turn, stream in zip(problem.reference, found.assignment, strict=True)
        if stream is not None
    ]
    return found._replace(assignment=assignment, exact=False, bound=lowest_bound(problem))


class Moved(NamedTuple):
    """What it costs to lay a segment elsewhere, all others as they are.

    Attributes
    ----------
    held
        The stream it lies on, of DI the speaker.
    best, errors
        The cheapest other one, None where there is no other, and all errors then.
    as_good
        How many others cost as little as where it lies.
    """

    held: str
    best: str | None
    errors: int
    as_good: int


def with_one_moved(problem: Problem, kind: str, assigned: Assigned) -> dict[int, Moved]:
    """Of each segment with words, what laying it on another stream would cost.

    It keeps its place in the order of all segments, so that of MIMO there may be a cheaper way.
    """
    moving, fixed = (1, 0) if kind == DI else (0, 1)
    own = problem.reference if moving == 0 else problem.hypothesis
    laid = {
        str(one.reference if kind == DI else one.hypothesis): list(
            one.hypotheses if kind == DI else one.references
        )
        for one in assigned.pairs
        if (one.reference if kind == DI else one.hypothesis) is not None
    }
    held = {at: name for name, places in laid.items() for at in places if own[at].words}
    if not held:
        return {}
    rank = _ranks(problem, kind, assigned, laid)
    streams = problem.speakers if kind == DI else problem.streams
    # of each stream the errors as it is, and with each segment taken from it, or laid on it
    with_it: dict[str, dict[int, int]] = {}
    as_is: dict[str, int] = {}
    for name, places in laid.items():
        variants = [places]
        for at in held:
            changed = [one for one in places if one != at]
            if held[at] != name:
                insort(changed, at, key=rank.__getitem__)
            variants.append(changed)
        right = problem.side(fixed, [streams[name]])
        found = array("q", distances(problem.side(moving, variants), right))
        as_is[name] = found[0]
        with_it[name] = dict(zip(held, found[1:], strict=True))
    made = {}
    for at, name in held.items():
        taken = assigned.errors - as_is[name] + with_it[name][at]
        costs = [(taken - as_is[one] + with_it[one][at], one) for one in laid if one != name]
        errors, best = min(costs, default=(assigned.errors, None))
        as_good = sum(cost == assigned.errors for cost, _ in costs)
        made[at] = Moved(name, best, errors, as_good)
    return made


def _ranks(
    problem: Problem, kind: str, assigned: Assigned, laid: dict[str, list[int]]
) -> dict[int, int]:
    """Of each segment its place in the order in which all are laid."""
    places = sorted(at for own in laid.values() for at in own)
    if kind != MIMO:
        return {at: at for at in places}
    waiting: dict[str, list[int]] = {}
    for at in reversed(places):
        waiting.setdefault(problem.reference[at].speaker, []).append(at)
    steps: list[Any] = assigned.assignment
    order = [waiting[speaker].pop() for speaker, _ in steps if waiting.get(speaker)]
    return {at: rank for rank, at in enumerate(order)}


def _exactly(
    problem: Problem,
    kind: str,
    segments: list[int],
    speakers: list[str],
    chains: array[int],
    errors: int,
    path: bytes,
) -> Assigned:
    streams = list(problem.speakers if kind == DI else problem.streams)
    steps = array("i", path)
    waiting = [
        iter([at for at, chain in zip(segments, chains, strict=True) if chain == number])
        for number in range(max(chains) + 1)
    ]
    order = [next(waiting[chain]) for chain in steps[::2]]
    chosen = [streams[at] for at in steps[1::2]]
    where = dict(zip(order, chosen, strict=True))
    assignment = _of_each(problem, kind, where)
    if kind == MIMO:
        assignment = [
            (speakers[chain], stream) for chain, stream in zip(steps[::2], chosen, strict=True)
        ]
    pairs = _pairs(problem, kind, where, order)
    return Assigned(errors, pairs, assignment, True, errors, kind == DI)


def _nothing_to_lay(problem: Problem, kind: str) -> Assigned:
    """One side has no words, or no stream to lay segments on."""
    errors = sum(problem.words)
    fixed = problem.speakers if kind == DI else problem.streams
    pairs = [
        Laid(None, stream, (), tuple(turns)) if kind != DI else Laid(stream, None, tuple(turns), ())
        for stream, turns in fixed.items()
    ]
    moving = problem.hypothesis if kind == DI else problem.reference
    everything = tuple(range(len(moving)))
    if everything and kind == DI:
        pairs.append(Laid(None, None, (), everything))
    elif everything:
        pairs.append(Laid(None, None, everything, ()))
    return Assigned(errors, pairs, _of_each(problem, kind, {}), True, errors)


def _of_each(problem: Problem, kind: str, where: dict[int, str]) -> list[object]:
    """The stream of each segment in the order of the turns, that of silent ones the first."""
    moving = problem.hypothesis if kind == DI else problem.reference
    streams = problem.speakers if kind == DI else problem.streams
    spare = min(streams, key=str) if streams else None
    return [where.get(at, spare) for at in range(len(moving))]


def _pairs(problem: Problem, kind: str, where: dict[int, str], order: list[int]) -> list[Laid]:
    """What lies on each stream."""
    laid: dict[str, list[int]] = {}
    for at in order:
        laid.setdefault(where[at], []).append(at)
    if kind == DI:
        return [
            Laid(name, None, tuple(turns), tuple(laid.get(name, ())))
            for name, turns in problem.speakers.items()
        ]
    return [
        Laid(None, name, tuple(laid.get(name, ())), tuple(turns))
        for name, turns in problem.streams.items()
    ]


def _words(problem: Problem, side: int, turns: list[int]) -> int:
    own = (problem.reference, problem.hypothesis)[side]
    return sum(len(own[at].words) for at in turns)


def _start(problem: Problem, moving: int, segments: list[int]) -> array[int]:
    """Each segment with its speaker's partner; of a speaker without one, with the cheapest."""
    costs = problem.costs if moving == 0 else problem.costs.T
    if moving == 0:
        groups, count = problem.speakers, len(problem.streams)
        partners = dict(problem.matching)
    else:
        groups, count = problem.streams, len(problem.speakers)
        partners = _partners_of_streams(problem)
    turns = (problem.reference, problem.hypothesis)[moving]
    chosen = {}
    for row, speaker in enumerate(groups):
        partner = partners[row]
        chosen[speaker] = partner if partner < count else int(costs[row, :count].argmin())
    return array("i", [chosen[turns[at].speaker] for at in segments])


def _partners_of_streams(problem: Problem) -> dict[int, int]:
    """The cheapest matching with streams as rows, whose ties may differ from that of speakers."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(problem.costs.T.copy())
    return dict(zip(rows.tolist(), columns.tolist(), strict=True))


def lowest_bound(problem: Problem) -> int:
    """So many errors there are at least, whatever is laid where: by how often words are said."""
    counts: dict[str, int] = {}
    for step, turns in ((1, problem.reference), (-1, problem.hypothesis)):
        for turn in turns:
            for word in turn.words:
                counts[word] = counts.get(word, 0) + step
    more = sum(one for one in counts.values() if one > 0)
    return max(more, -sum(one for one in counts.values() if one < 0))
