"""The functions of `meeteval.wer`, computed by `scoring.sides.matching`.

Options of all functions, as keywords:

- `regex`: score only the sessions whose whole name matches this expression.
- `reference_sort`, `hypothesis_sort`: the order of the words: False, True, `segment`,
  `segment_if_available` (the default without times) or `word`.
- `uem`: score only segments that overlap the regions of their session; a file, or a mapping from
  sessions to (start, end).
- `normalizer`: a function from text to text, or the name of a normaliser of meeteval.
- `partial`: warn of sessions that only the hypothesis has, instead of raising an error.

Functions with times take a `collar` in the unit of the times, and `hyp_pseudo_word_timing` and
`ref_pseudo_word_timing`. In functions of a single session and in functions with names in
`_multifile`, these two options are called `hypothesis_pseudo_word_level_timing` and
`reference_pseudo_word_level_timing`.

>>> segments = [{"session_id": "s", "speaker": "A", "words": "a b"}]
>>> heard = [{"session_id": "s", "speaker": "X", "words": "a"}]
>>> cpwer(segments, heard, reference_sort=False, hypothesis_sort=False)["s"].errors
1
>>> sisower(segments, heard)
{'s': ErrorRate(error_rate=0.5, errors=1, length=2, insertions=0, deletions=1, substitutions=0)}
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from inspect import Parameter, Signature
from operator import itemgetter, ne
from typing import Any, NamedTuple, TypeAlias

from scoring.model.counts import Edit
from scoring.peers.meeteval.error_rates import (
    CPErrorRate,
    DICPErrorRate,
    ErrorRate,
    MimoErrorRate,
    OrcErrorRate,
    SelfOverlap,
)
from scoring.peers.meeteval.given import (
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
from scoring.sides.matching.by_segment import assign_segments
from scoring.sides.matching.by_speaker import Problem, assign_speakers, edits_of
from scoring.sides.matching.word_times import (
    CHARACTER_POINTS,
    CHARACTERS,
    EQUAL,
    EQUAL_POINTS,
    SEGMENT,
    WORDS,
    Turn,
    WordTiming,
)

__all__ = [
    "cp_word_error_rate",
    "cp_word_error_rate_multifile",
    "cpwer",
    "dicpwer",
    "ditcpwer",
    "greedy_di_cp_word_error_rate",
    "greedy_di_cp_word_error_rate_multifile",
    "greedy_di_tcp_word_error_rate",
    "greedy_di_tcp_word_error_rate_multifile",
    "greedy_dicpwer",
    "greedy_ditcpwer",
    "greedy_orc_word_error_rate",
    "greedy_orc_word_error_rate_multifile",
    "greedy_orcwer",
    "greedy_tcorcwer",
    "greedy_time_constrained_orc_wer",
    "greedy_time_constrained_orc_wer_multifile",
    "mimo_word_error_rate",
    "mimo_word_error_rate_multifile",
    "mimower",
    "orc_word_error_rate",
    "orc_word_error_rate_multifile",
    "orcwer",
    "siso_word_error_rate",
    "siso_word_error_rate_multifile",
    "sisower",
    "tcmimower",
    "tcorcwer",
    "tcp_word_error_rate",
    "tcp_word_error_rate_multifile",
    "tcpwer",
    "time_constrained_mimo_word_error_rate",
    "time_constrained_mimo_word_error_rate_multifile",
    "time_constrained_minimum_permutation_word_error_rate",
    "time_constrained_orc_wer",
    "time_constrained_orc_wer_multifile",
    "time_constrained_siso_word_error_rate",
]

# A turn, and the position of its segment in the input.
_Entry: TypeAlias = tuple[Turn, int]
Measure: TypeAlias = Callable[..., dict[Any, Any]]
TIMINGS = {
    "character_based": CHARACTERS,
    "character_based_points": CHARACTER_POINTS,
    "equidistant_intervals": EQUAL,
    "equidistant_points": EQUAL_POINTS,
    "full_segment": SEGMENT,
    "none": WORDS,
    None: WORDS,
}
DEFAULTS: dict[str, object] = {
    "regex": None,
    "reference_sort": "segment_if_available",
    "hypothesis_sort": "segment_if_available",
    "uem": None,
    "normalizer": None,
    "partial": False,
    "hyp_pseudo_word_timing": "character_based_points",
    "ref_pseudo_word_timing": "character_based",
}
RENAMED = {
    "reference_pseudo_word_level_timing": "ref_pseudo_word_timing",
    "hypothesis_pseudo_word_level_timing": "hyp_pseudo_word_timing",
}
# Arguments in the orders of meeteval's functions, which differ.
UNTIMED = "regex reference_sort hypothesis_sort uem"
TIMING = "hyp_pseudo_word_timing ref_pseudo_word_timing"
LEVELS = "reference_pseudo_word_level_timing hypothesis_pseudo_word_level_timing"
TIMED = f"* collar regex {TIMING} hypothesis_sort reference_sort uem"
SORTS = (True, False, "segment", "segment_if_available", "word")
RATES: dict[str, type[ErrorRate]] = {
    "siso": ErrorRate,
    "cp": CPErrorRate,
    "orc": OrcErrorRate,
    "mimo": MimoErrorRate,
    "di": DICPErrorRate,
}
MOST_SPEAKERS = {"siso": 1, "cp": 20, "orc": 10, "mimo": 10, "di": 10}


class _OrderedTurns(NamedTuple):
    """The turns of a session in the order in which they are scored, with their input positions."""

    turns: list[Turn]
    positions: list[int]
    overlap: SelfOverlap | None


def _scored(
    kind: str,
    exact: bool,
    reference: Given,
    hypothesis: Given,
    regex: str | None = None,
    reference_sort: object = "segment_if_available",
    hypothesis_sort: object = "segment_if_available",
    uem: Given = None,
    normalizer: Normalizer = None,
    partial: bool = False,
    *,
    collar: Any = None,
    ref_pseudo_word_timing: str | None = None,
    hyp_pseudo_word_timing: str | None = None,
) -> dict[Any, Any]:
    """Return the error rate of each session, in the order of the reference."""
    for name, sort in (("reference_sort", reference_sort), ("hypothesis_sort", hypothesis_sort)):
        if not any(sort is choice or sort == choice for choice in SORTS):
            raise ValueError(f"{name}: expected one of {SORTS}, found {sort!r}")
        if sort == "word" and not exact:
            raise ValueError(
                f"{name}: expected another choice, because the greedy search assigns whole "
                f"segments, found {sort!r}"
            )
    regions = regions_of(uem)
    sides = [sessions_of(item, regex, normalizer, regions) for item in (reference, hypothesis)]
    if not sides[0]:
        raise RuntimeError("Empty reference.")
    most_missing = MOST_MISSING
    if kind == "siso" and not isinstance(reference, OneSession):
        sides, most_missing = _single_segments(*sides), 0
    check_sessions(sides[0], sides[1], partial, most_missing)
    clock = None
    if collar is not None:
        if collar < 0:
            raise ValueError(f"collar: expected at least 0, found {collar}")
        timings = (ref_pseudo_word_timing, hyp_pseudo_word_timing)
        for timing in timings:
            if timing not in TIMINGS:
                raise ValueError(f"expected one of {list(TIMINGS)}, found {timing!r}")
        clock = WordTiming(
            collar,
            TIMINGS[timings[0]],
            TIMINGS[timings[1]],
            like_meeteval=True,
            collar_on_reference=kind == "di",
        )
    rates = {}
    for session, items in sides[0].items():
        hypothesis_items = sides[1].get(session, [])
        rates[session] = _session(
            kind,
            exact,
            _side(items, reference_sort, "reference", clock and clock.reference),
            _side(hypothesis_items, hypothesis_sort, "hypothesis", clock and clock.hypothesis),
            clock,
        )
    return rates


def _session(
    kind: str,
    exact: bool,
    reference_side: _OrderedTurns,
    hypothesis_side: _OrderedTurns,
    clock: WordTiming | None,
) -> ErrorRate:
    hypothesis = hypothesis_side.turns
    if clock is not None and exact and kind in ("orc", "mimo"):
        # streams that say nothing are none where meeteval works word by word
        hypothesis = [turn for turn in hypothesis if turn.words]
    problem = Problem(reference_side.turns, hypothesis, clock)
    sizes = len(problem.speakers), len(problem.streams)
    if kind == "siso" and max(sizes) > 1:
        raise ValueError(f"expected a single speaker on each side, found {max(sizes)}")
    speaker_count = {"orc": sizes[1], "di": sizes[0]}.get(kind, max(sizes))
    if speaker_count > MOST_SPEAKERS[kind]:
        raise RuntimeError(
            f"Are you sure? Found a total of {speaker_count} speakers in the input (Reference: "
            f"{sizes[0]}, Hypothesis: {sizes[1]}); at most {MOST_SPEAKERS[kind]} are expected."
        )
    if kind in ("cp", "siso"):
        assigned = assign_speakers(problem)
    else:
        assigned = assign_segments(problem, kind, exact)
    counts = Counter(edits_of(problem, assigned)[0])
    fields: dict[str, Any] = {}
    if kind != "siso" or clock is not None:
        fields["reference_self_overlap"] = reference_side.overlap
        fields["hypothesis_self_overlap"] = hypothesis_side.overlap
    if kind == "cp":
        fields["missed_speaker"] = max(0, sizes[0] - sizes[1])
        fields["falarm_speaker"] = max(0, sizes[1] - sizes[0])
        fields["scored_speaker"] = sizes[0]
        fields["assignment"] = tuple(assigned.assignment)
    elif kind == "mimo":
        # meeteval keeps no assignment of the timed form
        fields["assignment"] = None if clock is not None else assigned.assignment
    elif kind != "siso":
        positions = (hypothesis_side if kind == "di" else reference_side).positions
        pairs = sorted(zip(positions, assigned.assignment, strict=True), key=itemgetter(0))
        fields["assignment"] = tuple("dummy" if name is None else name for _, name in pairs)
    return RATES[kind](
        assigned.errors,
        problem.words[0],
        counts[Edit.INSERTION],
        counts[Edit.DELETION],
        counts[Edit.SUBSTITUTION],
        **fields,
    )


def _single_segments(*sides: dict[Any, list[Item]]) -> list[dict[Any, list[Item]]]:
    """Return both sides, after checking that sessions (or their speakers) have one segment each.

    Raise ValueError if a session, or a speaker of a session, has several segments.
    """
    if all(len(items) == 1 for side in sides for items in side.values()):
        return list(sides)
    lines_of_sides = []
    for side in sides:
        lines = {
            (session, item.get("speaker")): [item]
            for session, items in side.items()
            for item in items
        }
        if len(lines) < sum(map(len, side.values())):
            raise ValueError(
                "expected one segment of each session, or of each session and speaker, "
                "found several"
            )
        lines_of_sides.append(lines)
    return lines_of_sides


def _side(items: Sequence[Item], sort: object, name: str, timing: str | None) -> _OrderedTurns:
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
    entries = [(turns[index], index) for index in order]
    if timing is not None and sort in (True, "word"):
        entries = _by_word(entries, sort, name, timing)
    return _OrderedTurns([turn for turn, _ in entries], [index for _, index in entries], overlap)


def _by_word(entries: list[_Entry], sort: object, name: str, timing: str) -> list[_Entry]:
    """Return turns of one word each, sorted by the times of the words.

    If `sort` is True, return the turns unchanged, after checking that the times of their words are
    ascending in this order.
    """
    from scoring.sides.matching.word_times import rounded_times

    by_start = partial(sorted, key=lambda entry: entry[0].start)
    words = [
        (Turn(turn.speaker, (word,), start, end), index)
        for turn, index in entries
        if turn.words
        for word, (start, end) in zip(turn.words, rounded_times(turn, timing), strict=True)
    ]
    if sort is True:
        for speaker in dict.fromkeys(turn.speaker for turn, _ in entries):
            spoken_words = [entry for entry in words if entry[0].speaker == speaker]
            wrong = sum(map(ne, spoken_words, by_start(spoken_words)))
            if wrong:
                raise ValueError(
                    "The order of word-level timings contradicts the segment-level order in "
                    f"{name} for speaker {speaker}: {wrong} of {len(spoken_words)} times.\n"
                    'Consider setting sort to False or "segment" or "word".'
                )
        return entries
    return by_start(words) + [entry for entry in entries if not entry[0].words]


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


def _measure(name: str, kind: str, measure: str, arguments: str, exact: bool = True) -> Measure:
    """Create a function of `meeteval.wer`.

    `arguments` has the names of the function's arguments in order; keyword-only arguments come
    after `*`.
    """
    timed = "collar" in arguments
    parameters = []
    by_position, _, by_name = f"reference hypothesis {arguments}".partition("*")
    for names, place in (
        (by_position, Parameter.POSITIONAL_OR_KEYWORD),
        (by_name, Parameter.KEYWORD_ONLY),
    ):
        for argument in names.split():
            default = DEFAULTS.get(RENAMED.get(argument, argument), Parameter.empty)
            if timed and argument.endswith("_sort"):
                default = "segment"
            parameters.append(Parameter(argument, place, default=default))
    signature = Signature(parameters)
    fixed: dict[str, Any] = {}
    if "_sort" not in arguments:
        fixed = {"reference_sort": False, "hypothesis_sort": False}

    def measured(*given: Any, **options: Any) -> dict[Any, Any]:
        bound = signature.bind(*given, **options)
        bound.apply_defaults()
        named = {RENAMED.get(key, key): value for key, value in bound.arguments.items()}
        return _scored(kind, exact, **fixed, **named)

    vars(measured)["__signature__"] = signature
    return _named(measured, name, f"The {measure} of each session{', with a collar' * timed}.")


def _named(function: Callable[..., Any], name: str, summary: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary} Options: see `{__name__}`."
    return function


sisower = _measure("sisower", "siso", "WER", "regex normalizer partial")
cpwer = _measure("cpwer", "cp", "cpWER", f"{UNTIMED} normalizer partial")
orcwer = _measure("orcwer", "orc", "ORC-WER", f"{UNTIMED} partial normalizer")
greedy_orcwer = _measure(
    "greedy_orcwer", "orc", "greedy ORC-WER", f"{UNTIMED} partial normalizer", exact=False
)
mimower = _measure("mimower", "mimo", "MIMO-WER", f"{UNTIMED} normalizer partial")
dicpwer = _measure("dicpwer", "di", "DI-cpWER", f"{UNTIMED} partial normalizer")
greedy_dicpwer = _measure(
    "greedy_dicpwer", "di", "greedy DI-cpWER", f"{UNTIMED} partial normalizer", exact=False
)
tcpwer = _measure(
    *("tcpwer", "cp", "tcpWER"),
    f"* collar {TIMING} regex reference_sort hypothesis_sort uem normalizer partial",
)
tcorcwer = _measure("tcorcwer", "orc", "tcORC-WER", f"{TIMED} normalizer partial")
greedy_tcorcwer = _measure(
    "greedy_tcorcwer", "orc", "greedy tcORC-WER", f"{TIMED} normalizer partial", exact=False
)
tcmimower = _measure(
    *("tcmimower", "mimo", "tcMIMO-WER"),
    f"* collar {TIMING} regex hypothesis_sort reference_sort uem normalizer partial",
)
ditcpwer = _measure("ditcpwer", "di", "DI-tcpWER", f"{TIMED} partial normalizer")
greedy_ditcpwer = _measure(
    "greedy_ditcpwer", "di", "greedy DI-tcpWER", f"{TIMED} partial normalizer", exact=False
)
_tcsisower = _measure("tcsisower", "siso", "WER with times", f"{TIMED} partial normalizer")


def _of_session(name: str, measure: Measure) -> Callable[..., Any]:
    def measured(reference: Given, hypothesis: Given, **options: Any) -> Any:
        renamed = {RENAMED.get(key, key): value for key, value in options.items()}
        return measure(one_session(reference), one_session(hypothesis), **renamed)[None]

    summary = f"`{measure.__name__}` of a single session: its segments, or texts by speaker."
    return _named(measured, name, summary)


cp_word_error_rate = _of_session("cp_word_error_rate", cpwer)
siso_word_error_rate = _of_session("siso_word_error_rate", sisower)
orc_word_error_rate = _of_session("orc_word_error_rate", orcwer)
greedy_orc_word_error_rate = _of_session("greedy_orc_word_error_rate", greedy_orcwer)
mimo_word_error_rate = _of_session("mimo_word_error_rate", mimower)
greedy_di_cp_word_error_rate = _of_session("greedy_di_cp_word_error_rate", greedy_dicpwer)
time_constrained_siso_word_error_rate = _of_session(
    "time_constrained_siso_word_error_rate", _tcsisower
)
tcp_word_error_rate = _of_session("tcp_word_error_rate", tcpwer)
time_constrained_minimum_permutation_word_error_rate = tcp_word_error_rate
time_constrained_orc_wer = _of_session("time_constrained_orc_wer", tcorcwer)
greedy_time_constrained_orc_wer = _of_session("greedy_time_constrained_orc_wer", greedy_tcorcwer)
time_constrained_mimo_word_error_rate = _of_session(
    "time_constrained_mimo_word_error_rate", tcmimower
)
greedy_di_tcp_word_error_rate = _of_session("greedy_di_tcp_word_error_rate", greedy_ditcpwer)


def _of_files(name: str, kind: str, measure: str, exact: bool = True) -> Measure:
    sorts = "reference_sort hypothesis_sort"
    return _measure(f"{name}_multifile", kind, measure, f"partial {sorts}", exact)


def _of_timed_files(name: str, kind: str, measure: str, exact: bool = True) -> Measure:
    sorts = "reference_sort hypothesis_sort"
    arguments = f"* collar partial {LEVELS} {sorts}"
    return _measure(f"{name}_multifile", kind, measure, arguments, exact)


siso_word_error_rate_multifile = _measure(
    "siso_word_error_rate_multifile", "siso", "WER", "partial"
)
cp_word_error_rate_multifile = _of_files("cp_word_error_rate", "cp", "cpWER")
orc_word_error_rate_multifile = _of_files("orc_word_error_rate", "orc", "ORC-WER")
greedy_orc_word_error_rate_multifile = _of_files(
    "greedy_orc_word_error_rate", "orc", "greedy ORC-WER", exact=False
)
mimo_word_error_rate_multifile = _of_files("mimo_word_error_rate", "mimo", "MIMO-WER")
greedy_di_cp_word_error_rate_multifile = _of_files(
    "greedy_di_cp_word_error_rate", "di", "greedy DI-cpWER", exact=False
)
tcp_word_error_rate_multifile = _of_timed_files("tcp_word_error_rate", "cp", "tcpWER")
time_constrained_orc_wer_multifile = _of_timed_files("time_constrained_orc_wer", "orc", "tcORC-WER")
greedy_time_constrained_orc_wer_multifile = _of_timed_files(
    "greedy_time_constrained_orc_wer", "orc", "greedy tcORC-WER", exact=False
)
time_constrained_mimo_word_error_rate_multifile = _of_timed_files(
    "time_constrained_mimo_word_error_rate", "mimo", "tcMIMO-WER"
)
greedy_di_tcp_word_error_rate_multifile = _of_timed_files(
    "greedy_di_tcp_word_error_rate", "di", "greedy DI-tcpWER", exact=False
)
