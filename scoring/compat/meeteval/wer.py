"""The functions of `meeteval.wer`, worked out by `scoring.matching.by_speaker` and `by_segment`."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from scoring.compat.meeteval.given import (
    MOST_MISSING,
    Given,
    Item,
    Normalizer,
    OneSession,
    check_sessions,
    one_session,
    regions_of,
    sessions_of,
)
from scoring.compat.meeteval.rates import (
    CPErrorRate,
    DICPErrorRate,
    ErrorRate,
    MimoErrorRate,
    OrcErrorRate,
    SelfOverlap,
)
from scoring.matching.by_segment import assign_segments
from scoring.matching.by_speaker import (
    Assigned,
    Problem,
    assign_speakers,
    edits_of,
)
from scoring.matching.word_times import (
    CHARACTER_POINTS,
    CHARACTERS,
    EQUAL,
    EQUAL_POINTS,
    SEGMENT,
    WORDS,
    Turn,
    WordTiming,
)
from scoring.model import Edit

TIMINGS = {
    "character_based": CHARACTERS,
    "character_based_points": CHARACTER_POINTS,
    "equidistant_intervals": EQUAL,
    "equidistant_points": EQUAL_POINTS,
    "full_segment": SEGMENT,
    "none": WORDS,
    None: WORDS,
}
SORTS = (True, False, "segment", "segment_if_available", "word")
MOST_SPEAKERS = {"cp": 20, "orc": 10, "mimo": 10, "di": 10}


class _Side(NamedTuple):
    """The turns of a session in the order they are scored, and how each stood in the input."""

    turns: list[Turn]
    places: list[int]
    overlap: SelfOverlap | None


def _scored(
    kind: str,
    exact: bool,
    reference: Given,
    hypothesis: Given,
    *,
    collar: Any = None,
    ref_timing: str | None = "character_based",
    hyp_timing: str | None = "character_based_points",
    reference_sort: object = "segment_if_available",
    hypothesis_sort: object = "segment_if_available",
    regex: str | None = None,
    partial: bool = False,
    normalizer: Normalizer = None,
    uem: Given = None,
) -> dict[Any, Any]:
    """All sessions of the reference, in its order."""
    for name, sort in (("reference_sort", reference_sort), ("hypothesis_sort", hypothesis_sort)):
        if not any(sort is choice or sort == choice for choice in SORTS):
            raise ValueError(f"{name}: expected one of {SORTS}, found {sort!r}")
        if sort == "word" and not exact:
            raise ValueError(
                f"{name}: expected segments to be kept, since they are laid, found {sort!r}"
            )
    regions = regions_of(uem)
    sides = [sessions_of(item, regex, normalizer, regions) for item in (reference, hypothesis)]
    if not sides[0]:
        raise RuntimeError("Empty reference.")
    most_missing = MOST_MISSING
    if kind == "siso" and not isinstance(reference, OneSession):
        sides = _lines(*sides)
        most_missing = 0
    check_sessions(sides[0], sides[1], partial, most_missing)
    clock = None
    if collar is not None:
        if collar < 0:
            raise ValueError(f"collar: expected at least 0, found {collar}")
        for timing in (ref_timing, hyp_timing):
            if timing not in TIMINGS:
                raise ValueError(f"expected one of {list(TIMINGS)}, found {timing!r}")
        timings = TIMINGS[ref_timing], TIMINGS[hyp_timing]
        clock = WordTiming(collar, *timings, like_meeteval=True, collar_on_reference=kind == "di")
    rates = {}
    for session, items in sides[0].items():
        reference_side = _side(items, reference_sort, "reference", clock and clock.reference)
        hypothesis_side = _side(
            sides[1].get(session, []), hypothesis_sort, "hypothesis", clock and clock.hypothesis
        )
        rates[session] = _session(kind, exact, reference_side, hypothesis_side, clock)
    return rates


def _session(
    kind: str, exact: bool, reference_side: _Side, hypothesis_side: _Side, clock: WordTiming | None
) -> ErrorRate:
    hypothesis = hypothesis_side.turns
    if clock is not None and exact and kind in ("orc", "mimo"):
        # streams that say nothing are none where meeteval works word by word
        hypothesis = [turn for turn in hypothesis if turn.words]
    problem = Problem(reference_side.turns, hypothesis, clock)
    sizes = len(problem.speakers), len(problem.streams)
    if kind == "siso" and max(sizes) > 1:
        raise ValueError(f"expected a single speaker on each side, found {max(sizes)}")
    limit = MOST_SPEAKERS.get(kind, 1)
    speaker_count = {"orc": sizes[1], "di": sizes[0]}.get(kind, max(sizes))
    if speaker_count > limit:
        raise RuntimeError(
            f"Are you sure? Found a total of {speaker_count} speakers in the input (Reference: "
            f"{sizes[0]}, Hypothesis: {sizes[1]}); at most {limit} are expected."
        )
    if kind in ("cp", "siso"):
        assigned = assign_speakers(problem)
    else:
        assigned = assign_segments(problem, kind, exact)
    edits, _ = edits_of(problem, assigned)
    counts = Counter(edits)
    shared: dict[str, Any] = {
        "errors": assigned.errors,
        "length": problem.words[0],
        "insertions": counts[Edit.INSERTION],
        "deletions": counts[Edit.DELETION],
        "substitutions": counts[Edit.SUBSTITUTION],
    }
    if kind != "siso" or clock is not None:
        shared["reference_self_overlap"] = reference_side.overlap
        shared["hypothesis_self_overlap"] = hypothesis_side.overlap
    if kind == "siso":
        return ErrorRate(**shared)
    if kind == "cp":
        missed, extra = max(0, sizes[0] - sizes[1]), max(0, sizes[1] - sizes[0])
        pairs: Any = tuple(assigned.assignment)
        return CPErrorRate(
            **shared,
            missed_speaker=missed,
            falarm_speaker=extra,
            scored_speaker=sizes[0],
            assignment=pairs,
        )
    if kind == "mimo":
        # meeteval keeps no assignment of the timed form
        path: Any = None if clock is not None else assigned.assignment
        return MimoErrorRate(**shared, assignment=path)
    rate_class = DICPErrorRate if kind == "di" else OrcErrorRate
    return rate_class(
        **shared,
        assignment=_in_input_order(assigned, hypothesis_side if kind == "di" else reference_side),
    )


def _lines(*sides: dict[Any, list[Item]]) -> list[dict[Any, list[Item]]]:
    """Single segments of sessions, or else of sessions and speakers."""
    if all(len(items) == 1 for side in sides for items in side.values()):
        return list(sides)
    lines_of_sides = [
        {
            (session, item.get("speaker")): [item]
            for session, items in side.items()
            for item in items
        }
        for side in sides
    ]
    if any(
        len(lines) < sum(map(len, side.values()))
        for lines, side in zip(lines_of_sides, sides, strict=True)
    ):
        raise ValueError(
            "expected one segment of each session, or of each session and speaker, found several"
        )
    return lines_of_sides


def _in_input_order(assigned: Assigned, side: _Side) -> tuple[Any, ...]:
    streams = [
        stream if stream is not None else "dummy"
        for _, stream in sorted(
            zip(side.places, assigned.assignment, strict=True), key=lambda entry: entry[0]
        )
    ]
    return tuple(streams)


def _side(items: Sequence[Item], sort: object, name: str, timing: str | None) -> _Side:
    turns = [
        Turn(
            item.get("speaker", 0),
            tuple(item["words"].split()),
            item.get("start_time"),
            item.get("end_time"),
        )
        for item in items
    ]
    timed = all(None not in (turn.start, turn.end) for turn in turns)
    for item, turn in zip(items, turns, strict=True):
        if timed and turn.end < turn.start:
            raise ValueError(
                "The end time of an interval must be larger than the start time. Found "
                f"{dict(item)} in {name}"
            )
    if not timed and (timing is not None or sort in (True, "segment", "word")):
        raise ValueError(f"{name}: expected start_time and end_time of every segment")
    overlap = _self_overlap(turns) if timed and turns else None
    order = list(range(len(turns)))
    if timed and sort is not False:
        order.sort(key=lambda index: turns[index].start)
    elif not timed and sort == "segment_if_available":
        warnings.warn(
            f"Assuming sort=False because timestamps are missing in {name}.", stacklevel=5
        )
    turns = [turns[index] for index in order]
    if timing is not None and sort in (True, "word"):
        turns, order = _by_word(turns, order, sort, name, timing)
    return _Side(turns, order, overlap)


def _by_word(
    turns: list[Turn], order: list[int], sort: object, name: str, timing: str
) -> tuple[list[Turn], list[int]]:
    """Turns of one word each, in the order of the words' times."""
    from scoring.matching.word_times import rounded

    spoken = [(turn, place) for turn, place in zip(turns, order, strict=True) if turn.words]
    columns = rounded([turn for turn, _ in spoken], timing) if spoken else ((), ())
    times = zip(*(map(float, column) for column in columns), strict=True)
    words = [
        (begin, Turn(turn.speaker, (word,), begin, end), place)
        for turn, place in spoken
        for word, (begin, end) in zip(turn.words, times, strict=False)
    ]
    ordered = sorted(words, key=lambda entry: entry[0])
    if sort is True:
        for speaker in dict.fromkeys(turn.speaker for turn in turns):
            entries = [entry for entry in words if entry[1].speaker == speaker]
            wrong = sum(
                entry != ordered_entry
                for entry, ordered_entry in zip(entries, sorted(entries, key=_begin), strict=True)
            )
            if wrong:
                raise ValueError(
                    "The order of word-level timings contradicts the segment-level order in "
                    f"{name} for speaker {speaker}: {wrong} of {len(entries)} times.\n"
                    'Consider setting sort to False or "segment" or "word".'
                )
        return turns, order
    silent = [(turn, place) for turn, place in zip(turns, order, strict=True) if not turn.words]
    return (
        [entry for _, entry, _ in ordered] + [entry for entry, _ in silent],
        [place for _, _, place in ordered] + [place for _, place in silent],
    )


def _begin(entry: tuple[Any, Turn, int]) -> Any:
    return entry[0]


def _self_overlap(turns: Iterable[Turn]) -> SelfOverlap:
    by_speaker: dict[str, list[Turn]] = {}
    for turn in turns:
        by_speaker.setdefault(turn.speaker, []).append(turn)
    overlaps = SelfOverlap(0, 0)
    # speaker by speaker, since floating point knows of the order of sums
    for speaker_turns in by_speaker.values():
        overlap: Any = 0
        total: Any = 0
        latest: Any = 0
        for turn in sorted(speaker_turns, key=lambda turn: turn.start):
            if latest > turn.start:
                overlap += min(latest, turn.end) - turn.start
            total += max(0, turn.end - latest)
            latest = max(latest, turn.end)
        overlaps = overlaps + SelfOverlap(overlap, total)
    return overlaps


def cpwer(
    reference: Given,
    hypothesis: Given,
    regex: str | None = None,
    reference_sort: object = "segment_if_available",
    hypothesis_sort: object = "segment_if_available",
    uem: Given = None,
    normalizer: Normalizer = None,
    partial: bool = False,
) -> dict[Any, CPErrorRate]:
    """The cpWER of each session.

    >>> reference = [{"session_id": "s", "speaker": "A", "words": "a b"}]
    >>> hypothesis = [{"session_id": "s", "speaker": "X", "words": "a c"}]
    >>> cpwer(reference, hypothesis, reference_sort=False, hypothesis_sort=False)["s"].errors
    1
    """
    return _scored(
        "cp",
        True,
        reference,
        hypothesis,
        regex=regex,
        reference_sort=reference_sort,
        hypothesis_sort=hypothesis_sort,
        uem=uem,
        normalizer=normalizer,
        partial=partial,
    )


def sisower(
    reference: Given,
    hypothesis: Given,
    regex: str | None = None,
    normalizer: Normalizer = None,
    partial: bool = False,
) -> dict[Any, ErrorRate]:
    """The WER of each session, or of each session and speaker, that has one segment on each side.

    >>> sisower([{"session_id": "s", "words": "a b"}], [{"session_id": "s", "words": "a"}])
    {'s': ErrorRate(error_rate=0.5, errors=1, length=2, insertions=0, deletions=1, substitutions=0)}
    """
    rates: dict[Any, ErrorRate] = _scored(
        "siso",
        True,
        reference,
        hypothesis,
        reference_sort=False,
        hypothesis_sort=False,
        regex=regex,
        normalizer=normalizer,
        partial=partial,
    )
    return rates


def _plain(name: str, kind: str, exact: bool, what: str) -> Callable[..., dict[Any, Any]]:
    def measured(reference: Given, hypothesis: Given, **options: Any) -> dict[Any, Any]:
        return _scored(kind, exact, reference, hypothesis, **options)

    measured.__name__ = measured.__qualname__ = name
    measured.__doc__ = f"The {what} of each session; options as of `cpwer`."
    return measured


def _timed(name: str, kind: str, exact: bool, what: str) -> Callable[..., dict[Any, Any]]:
    def measured(
        reference: Given,
        hypothesis: Given,
        collar: Any,
        hyp_pseudo_word_timing: str | None = "character_based_points",
        ref_pseudo_word_timing: str | None = "character_based",
        reference_sort: object = "segment",
        hypothesis_sort: object = "segment",
        **options: Any,
    ) -> dict[Any, Any]:
        return _scored(
            kind,
            exact,
            reference,
            hypothesis,
            collar=collar,
            ref_timing=ref_pseudo_word_timing,
            hyp_timing=hyp_pseudo_word_timing,
            reference_sort=reference_sort,
            hypothesis_sort=hypothesis_sort,
            **options,
        )

    measured.__name__ = measured.__qualname__ = name
    measured.__doc__ = (
        f"The {what} of each session, with a collar in the unit of the times; options as of "
        "`cpwer`."
    )
    return measured


orcwer = _plain("orcwer", "orc", True, "ORC-WER")
greedy_orcwer = _plain("greedy_orcwer", "orc", False, "ORC-WER, greedily found,")
mimower = _plain("mimower", "mimo", True, "MIMO-WER")
dicpwer = _plain("dicpwer", "di", True, "DI-cpWER")
greedy_dicpwer = _plain("greedy_dicpwer", "di", False, "DI-cpWER, greedily found,")
tcpwer = _timed("tcpwer", "cp", True, "tcpWER")
tcorcwer = _timed("tcorcwer", "orc", True, "tcORC-WER")
greedy_tcorcwer = _timed("greedy_tcorcwer", "orc", False, "tcORC-WER, greedily found,")
tcmimower = _timed("tcmimower", "mimo", True, "tcMIMO-WER")
ditcpwer = _timed("ditcpwer", "di", True, "DI-tcpWER")
greedy_ditcpwer = _timed("greedy_ditcpwer", "di", False, "DI-tcpWER, greedily found,")
_tcsisower = _timed("tcsisower", "siso", True, "WER with times")

# What the functions of one session call otherwise.
_CALLED = {
    "reference_pseudo_word_level_timing": "ref_pseudo_word_timing",
    "hypothesis_pseudo_word_level_timing": "hyp_pseudo_word_timing",
}


def _of_one(name: str, measure: Callable[..., dict[Any, Any]]) -> Callable[..., Any]:
    def measured(reference: Given, hypothesis: Given, **options: Any) -> Any:
        chosen = {_CALLED.get(key, key): value for key, value in options.items()}
        return measure(one_session(reference), one_session(hypothesis), **chosen)[None]

    measured.__name__ = measured.__qualname__ = name
    measured.__doc__ = (
        f"`{measure.__name__}` of a single session: its segments, or texts by speaker; word times "
        "are called `reference_pseudo_word_level_timing` and `hypothesis_pseudo_word_level_timing`."
    )
    return measured


cp_word_error_rate = _of_one("cp_word_error_rate", cpwer)
siso_word_error_rate = _of_one("siso_word_error_rate", sisower)
orc_word_error_rate = _of_one("orc_word_error_rate", orcwer)
greedy_orc_word_error_rate = _of_one("greedy_orc_word_error_rate", greedy_orcwer)
mimo_word_error_rate = _of_one("mimo_word_error_rate", mimower)
greedy_di_cp_word_error_rate = _of_one("greedy_di_cp_word_error_rate", greedy_dicpwer)
time_constrained_siso_word_error_rate = _of_one("time_constrained_siso_word_error_rate", _tcsisower)
tcp_word_error_rate = _of_one("tcp_word_error_rate", tcpwer)
time_constrained_minimum_permutation_word_error_rate = tcp_word_error_rate
time_constrained_orc_wer = _of_one("time_constrained_orc_wer", tcorcwer)
greedy_time_constrained_orc_wer = _of_one("greedy_time_constrained_orc_wer", greedy_tcorcwer)
time_constrained_mimo_word_error_rate = _of_one("time_constrained_mimo_word_error_rate", tcmimower)
greedy_di_tcp_word_error_rate = _of_one("greedy_di_tcp_word_error_rate", greedy_ditcpwer)
