"""The functions of `meeteval.wer`, worked out by `scoring.matching.by_speaker` and `by_segment`."""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

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
    Clock,
    Turn,
)
from scoring.model import Edit

Item: TypeAlias = Mapping[str, Any]
# Paths, or segments: dictionaries, or an object that holds such as `segments`.
Given: TypeAlias = Any
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
MOST_MISSING = 0.1
MOST_SPEAKERS = {"cp": 20, "orc": 10, "mimo": 10, "di": 10}
_NORMALIZERS = {
    "lower,rm(.?!,)": re.compile("[.?!,]"),
    "lower,rm([^a-z0-9 ])": re.compile("[^a-z0-9 ]"),
}


class _Side(NamedTuple):
    """The turns of a session in the order they are scored, and how each stood in the input."""

    turns: list[Turn]
    places: list[int]
    overlap: SelfOverlap | None
    segments: int


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
    normalizer: str | Callable[[str], str] | None = None,
    uem: Given = None,
) -> dict[Any, Any]:
    """All sessions of the reference, in its order."""
    if uem is not None:
        raise NotImplementedError("uem: give segments of the regions only")
    for name, sort in (("reference_sort", reference_sort), ("hypothesis_sort", hypothesis_sort)):
        if not any(sort is one or sort == one for one in SORTS):
            raise ValueError(f"{name}: expected one of {SORTS}, found {sort!r}")
    sides = [_sessions(given, regex, normalizer) for given in (reference, hypothesis)]
    if not sides[0]:
        raise RuntimeError("Empty reference.")
    _check_sessions(sides[0], sides[1], partial)
    clock = None
    if collar is not None:
        if collar < 0:
            raise ValueError(f"collar: expected at least 0, found {collar}")
        for timing in (ref_timing, hyp_timing):
            if timing not in TIMINGS:
                raise ValueError(f"expected one of {list(TIMINGS)}, found {timing!r}")
        clock = Clock(collar, TIMINGS[ref_timing], TIMINGS[hyp_timing], like_meeteval=True)
    found = {}
    for session, items in sides[0].items():
        own = _side(items, reference_sort, "reference", clock and clock.reference)
        other = _side(
            sides[1].get(session, []), hypothesis_sort, "hypothesis", clock and clock.hypothesis
        )
        found[session] = _session(kind, exact, own, other, clock)
    return found


def _session(kind: str, exact: bool, own: _Side, other: _Side, clock: Clock | None) -> ErrorRate:
    hypothesis = other.turns
    if clock is not None and exact and kind in ("orc", "mimo"):
        # streams that say nothing are none where meeteval works word by word
        hypothesis = [turn for turn in hypothesis if turn.words]
    problem = Problem(own.turns, hypothesis, clock)
    sizes = len(problem.speakers), len(problem.streams)
    most = MOST_SPEAKERS[kind]
    limited = {"orc": sizes[1], "di": sizes[0]}.get(kind, max(sizes))
    if limited > most:
        raise RuntimeError(
            f"Are you sure? Found a total of {limited} speakers in the input (Reference: "
            f"{sizes[0]}, Hypothesis: {sizes[1]}); at most {most} are expected."
        )
    if kind == "cp":
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
        "reference_self_overlap": own.overlap,
        "hypothesis_self_overlap": other.overlap,
    }
    if kind == "cp":
        missed, more = max(0, sizes[0] - sizes[1]), max(0, sizes[1] - sizes[0])
        pairs: Any = tuple(assigned.assignment)
        return CPErrorRate(
            **shared,
            missed_speaker=missed,
            falarm_speaker=more,
            scored_speaker=sizes[0],
            assignment=pairs,
        )
    if kind == "mimo":
        # meeteval keeps no assignment of the timed form
        path: Any = None if clock is not None else assigned.assignment
        return MimoErrorRate(**shared, assignment=path)
    made = DICPErrorRate if kind == "di" else OrcErrorRate
    return made(**shared, assignment=_in_input_order(assigned, other if kind == "di" else own))


def _in_input_order(assigned: Assigned, side: _Side) -> tuple[Any, ...]:
    found = [
        stream if stream is not None else "dummy"
        for _, stream in sorted(
            zip(side.places, assigned.assignment, strict=True), key=lambda one: one[0]
        )
    ]
    return tuple(found)


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
        order.sort(key=lambda at: turns[at].start)
    elif not timed and sort == "segment_if_available":
        warnings.warn(
            f"Assuming sort=False because timestamps are missing in {name}.", stacklevel=5
        )
    turns = [turns[at] for at in order]
    if timing is not None and sort in (True, "word"):
        turns, order = _by_word(turns, order, sort, name, timing)
    return _Side(turns, order, overlap, len(items))


def _by_word(
    turns: list[Turn], order: list[int], sort: object, name: str, timing: str
) -> tuple[list[Turn], list[int]]:
    """Turns of one word each, in the order of the words' times."""
    from scoring.matching.word_times import rounded

    words = [
        (begin, Turn(turn.speaker, (word,), begin, end), place)
        for turn, place in zip(turns, order, strict=True)
        for word, (begin, end) in zip(
            turn.words, rounded(turn, timing) if turn.words else (), strict=True
        )
    ]
    ordered = sorted(words, key=lambda one: one[0])
    if sort is True:
        for speaker in dict.fromkeys(turn.speaker for turn in turns):
            own = [one for one in words if one[1].speaker == speaker]
            wrong = sum(
                one != other for one, other in zip(own, sorted(own, key=_begin), strict=True)
            )
            if wrong:
                raise ValueError(
                    "The order of word-level timings contradicts the segment-level order in "
                    f"{name} for speaker {speaker}: {wrong} of {len(own)} times.\nConsider setting "
                    'sort to False or "segment" or "word".'
                )
        return turns, order
    silent = [(turn, place) for turn, place in zip(turns, order, strict=True) if not turn.words]
    return (
        [one for _, one, _ in ordered] + [one for one, _ in silent],
        [place for _, _, place in ordered] + [place for _, place in silent],
    )


def _begin(one: tuple[Any, Turn, int]) -> Any:
    return one[0]


def _self_overlap(turns: Iterable[Turn]) -> SelfOverlap:
    by_speaker: dict[str, list[Turn]] = {}
    for turn in turns:
        by_speaker.setdefault(turn.speaker, []).append(turn)
    found = SelfOverlap(0, 0)
    # speaker by speaker, since floating point knows of the order of sums
    for own in by_speaker.values():
        overlap: Any = 0
        total: Any = 0
        latest: Any = 0
        for turn in sorted(own, key=lambda one: (one.start, one.end)):
            if latest > turn.start:
                overlap += min(latest, turn.end) - turn.start
            total += max(0, turn.end - latest)
            latest = max(latest, turn.end)
        found = found + SelfOverlap(overlap, total)
    return found


def _sessions(
    given: Given, regex: str | None, normalizer: str | Callable[[str], str] | None
) -> dict[Any, list[Item]]:
    items = _items(given)
    if normalizer is not None:
        change = _normalizer(normalizer)
        items = [{**item, "words": change(item["words"])} for item in items]
    found: dict[Any, list[Item]] = {}
    for item in items:
        session = item.get("session_id")
        if regex is None or re.fullmatch(regex, str(session)):
            found.setdefault(session, []).append(item)
    if regex is not None and items and not found:
        raise AssertionError(f"regex: expected one that a session has, found {regex!r}")
    return found


def _normalizer(normalizer: str | Callable[[str], str]) -> Callable[[str], str]:
    if not isinstance(normalizer, str):
        return normalizer
    removed = _NORMALIZERS.get(normalizer)
    if removed is None:
        raise ValueError(f"normalizer: expected one of {list(_NORMALIZERS)}, found {normalizer!r}")
    return lambda text: removed.sub("", text.lower())


def _items(given: Given) -> list[Item]:
    if isinstance(given, str | os.PathLike):
        given = [given]
    every: list[Any] = list(getattr(given, "segments", given) or ())
    if not all(isinstance(one, str | os.PathLike) for one in every):
        for one in every:
            if not isinstance(one, Mapping) or "words" not in one:
                raise TypeError(f"expected segments with words, found {one!r}")
        return every
    from formats import read

    found: list[Item] = []
    for pattern in every:
        for path in sorted(glob.glob(os.fspath(pattern))) or [pattern]:
            for segment in read(path).segments:
                times = [
                    None if one is None else Decimal(one).scaleb(-9).normalize() + 0
                    for one in (segment.start_ns, segment.end_ns)
                ]
                item: dict[str, Any] = {
                    "session_id": segment.recording,
                    "speaker": segment.speaker or os.path.splitext(os.path.basename(path))[0],
                    "words": " ".join(segment.words),
                }
                if None not in times:
                    item["start_time"], item["end_time"] = times
                found.append(item)
    return found


def _check_sessions(
    reference: Mapping[Any, object], hypothesis: Mapping[Any, object], partial: bool
) -> None:
    """Refuse what meeteval refuses: sessions that only one side has, but for a few missing ones."""
    extra = [one for one in hypothesis if one not in reference]
    if extra:
        told = (
            f"{len(extra)} of {len(hypothesis)} session IDs are present in the hypothesis but "
            f"missing in the reference: {extra[:5]}"
        )
        if not partial:
            raise RuntimeError(f"{told}. If this is intentional, consider setting `partial=True`.")
        warnings.warn(told, stacklevel=4)
    missing = [one for one in reference if one not in hypothesis]
    if missing:
        share = len(missing) / len(reference)
        told = (
            f"Missing {100 * share:.3f} % = {len(missing)}/{len(reference)} of recordings in "
            f"hypothesis: {missing[:5]}"
        )
        if share > MOST_MISSING:
            threshold = f"This exceeds the threshold of {100 * MOST_MISSING} %."
            raise RuntimeError(f"{told}. {threshold}")
        warnings.warn(f"{told}; they are scored as silence", stacklevel=4)


def cpwer(
    reference: Given,
    hypothesis: Given,
    regex: str | None = None,
    reference_sort: object = "segment_if_available",
    hypothesis_sort: object = "segment_if_available",
    uem: Given = None,
    normalizer: str | Callable[[str], str] | None = None,
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
