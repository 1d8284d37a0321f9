"""md-eval, version 22: the error of speaker diarisation, to the byte.

What is scored is decided by `scoring.tasks.speakers.der`, but in the doubles md-eval has, and
figures are added up in its order, so that they are rounded as there. Where two mappings of speakers
are equally good to the nanosecond, the first in order of names is taken
(`scoring.tasks.speakers.der.mapping`); where a side has speakers of several types, md-eval's matrix
by type depends on the order of a hash, here on that of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from formats.schema.times import SECOND, nanoseconds
from scoring.model.errors import InputError
from scoring.tasks.speakers.der.exclusion import (
    LEAST_REACH,
    NOSCORE,
    SOUND,
    SOUNDS_REACH,
    overlaps,
    remaining,
    zones,
)
from scoring.tasks.speakers.der.mapping import best_mapping
from scoring.tasks.speakers.der.perl_order import sorted_by_perl
from scoring.tasks.speakers.der.pieces import Counts, Pieces, cut, overlaps_of, times_of, total
from scoring.tasks.speakers.der.spans import collars, without
from scoring.tasks.speakers.md_eval_records import (
    DIED,
    DIED_READING,
    Channels,
    EvaluatedChannel,
    Region,
    Stretch,
    TimedRecord,
    Turns,
    died,
    fatal,
)

NOTHING = 1e-8
"""The initial value of counts of words, against division by 0; times as close are equal."""
CLOSE, FARTHEST = LEAST_REACH / SECOND, SOUNDS_REACH / SECOND
RULE = "-" * 45 + "\n"
MISS, FALSE_ALARM = "  MISS", "  FALSE ALARM"
SPEAKERS, TIME = "speaker weighted", "time weighted"
# Sums by what they are of: a name, or a matrix, what is counted and types of speakers.
Tally: TypeAlias = dict["str | tuple[str, ...]", float]


@dataclass(frozen=True, slots=True)
class Conditions:
    """The options of scoring and output."""

    collar: float = 0.0  # seconds on each side of a turn's border that are not scored
    single: bool = False  # whether only stretches with one speaker of the reference are
    by: str = ""  # letters, `c` and `f` for partial results by channel and file
    show_mapping: bool = False  # whether the mapping and the scored pieces are printed
    show_segments: bool = False
    writes_mapping: bool = False  # whether the mapping goes to a file
    # Letters of options for metadata: `w`, `W` and `e` need words, `e` asks for a section, and `w`
    # would move the system's speakers by its words, by speaker with `o`
    of_metadata: str = ""

    def names_of(self, file: str, channel: str) -> list[str]:
        """The conditions that a channel counts for."""
        parts = [f"c={channel}"] if "c" in self.by.lower() else []
        parts += [f"f={file}"] if "f" in self.by.lower() else []
        return ["ALL", " ".join(parts)] if parts else ["ALL"]


@dataclass(slots=True)
class DiarisationReport:
    """The lines to print, the lines of the mapping file, and the remarks."""

    text: list[str] = field(default_factory=list)
    mapping: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def evaluate(
    reference: Channels,
    hypothesis: Channels,
    regions: Mapping[tuple[str, str], Sequence[Region]],
    conditions: Conditions,
    report: DiarisationReport,
) -> None:
    """Score every file and channel of the reference that has turns; fill the report."""
    tallies: dict[str, Tally] = {}
    missing = sorted({kind for spoken in reference.values() for kind in spoken.metadata})
    if missing and not any(spoken.turns for spoken in reference.values()):
        problem = f"expected speakers, found metadata only, not scored: {', '.join(missing)}"
        raise InputError("reference", None, None, problem)
    if "e" in conditions.of_metadata:
        missing.append("-e")
    if missing:
        text = "metadata are not scored, sections are missing"
        report.remarks.append(f"warning: {text}: {', '.join(missing)}")
    for (file, channel), spoken in sorted(reference.items()):
        heard = hypothesis.get((file, channel), EvaluatedChannel())
        evaluation = _Evaluation(file, channel, spoken, heard, conditions, report)
        spans = _spans(spoken, regions.get((file, channel)))
        _check_words(evaluation, spans)
        if spoken.turns:
            tally = _tally(evaluation, remaining(spans, zones(_marks(spoken), [NOSCORE], CLOSE)))
            for name in conditions.names_of(file, channel):
                _add(tallies.setdefault(name, {}), tally)
    for unscored in sorted(hypothesis.keys() - reference.keys()):
        report.remarks.append(f"warning: not in the reference, not scored: {' '.join(unscored)}")
    if not tallies:
        report.remarks.append("warning: no SPEAKER in the reference: nothing is scored")
        return
    for name in [*sorted(tallies.keys() - {"ALL"}), "ALL"]:
        try:
            for text in _lines(name, tallies[name]):
                report.text.append(text)
        except ZeroDivisionError:
            # a file that was opened for the mapping leaves its error behind
            status = DIED_READING if conditions.writes_mapping else DIED
            problem = f"md-eval.pl: {name}: expected speech to score, found none\n"
            raise died(problem, status) from None


def _add(tally: Tally, addend: Tally) -> None:
    for key, value in addend.items():
        tally[key] = tally.get(key, 0) + value


class _Evaluation(NamedTuple):
    """A file and channel: what both sides say of it, what is asked for, and where that goes."""

    file: str
    channel: str
    spoken: EvaluatedChannel
    heard: EvaluatedChannel
    conditions: Conditions
    report: DiarisationReport

    @property
    def sides(self) -> tuple[EvaluatedChannel, EvaluatedChannel]:
        """Reference and hypothesis."""
        return self.spoken, self.heard

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The speakers of both sides, in order."""
        return sorted(self.spoken.turns), sorted(self.heard.turns)

    def turns(self) -> Iterator[list[Turns]]:
        """The turns of both sides by speaker."""
        for side, names in zip(self.sides, self.names, strict=True):
            yield [side.turns[name] for name in names]


def _spans(spoken: EvaluatedChannel, regions: Sequence[Region] | None) -> list[Stretch]:
    """The regions of the uem, or all that the reference spans."""
    if regions is not None:
        return [(region.begin, region.end) for region in regions]
    return [] if spoken.extent is None else [spoken.extent]


def _check_words(evaluation: _Evaluation, spans: Sequence[Stretch]) -> None:
    """End as md-eval does where metadata, or options for them, need words and there are none."""
    options, name = (
        evaluation.conditions.of_metadata,
        f"file '{evaluation.file}' and channel '{evaluation.channel}'",
    )
    system = "system output words{} " + name
    system += "\n              Words are required for word-mediated alignment"
    without_words = not evaluation.spoken.words
    if without_words and "w" in options:
        fatal(f":  no reference words for {name}")
    if "w" in options and not evaluation.heard.words:
        fatal(f":  no {system.format(' for')}")
    if "w" in options or "e" in options:
        spoken, heard = (any(_words_in(side.words, spans)) for side in evaluation.sides)
        if not spoken:
            fatal(f":  no reference words in UEM portion of {name}")
        if "w" in options and not heard:
            fatal(f":  no {system.format(' in UEM portion of')}")
    if "w" in options and ("o" in options or evaluation.spoken.words != evaluation.heard.words):
        problem = "-w, which moves the system's speakers by its words, is not supported where words"
        raise InputError(name, None, None, f"{problem} differ or with -o")
    if without_words and (
        evaluation.spoken.metadata or ("W" in options and evaluation.spoken.turns)
    ):
        fatal(f":  no reference words for {name}")


def _marks(spoken: EvaluatedChannel) -> Iterator[tuple[str, float, float]]:
    return ((mark.kind, mark.begin, mark.end) for mark in spoken.marks)


def _scored_region(
    region: Sequence[Stretch], spoken: EvaluatedChannel, conditions: Conditions
) -> Sequence[Stretch]:
    """The scored part of a region; the same object if nothing is excluded."""
    scored = region
    turns = list(spoken.turns.values())
    if conditions.collar > 0:
        borders = np.concatenate([times for columns in turns for times in columns[:2]])
        scored = without(region, collars(borders.tolist(), conditions.collar))
    if any(mark.kind in (NOSCORE, SOUND) for mark in spoken.marks):
        scored = remaining(scored, zones(_marks(spoken), [NOSCORE, SOUND], CLOSE))
        scored = remaining(scored, zones(_marks(spoken), [SOUND], FARTHEST))
    if conditions.single:
        begins, ends, middles = (
            np.concatenate([columns[column] for columns in turns]) for column in range(3)
        )
        order = np.argsort(middles, kind="stable")
        spans = zip(begins[order].tolist(), ends[order].tolist(), strict=True)
        scored = remaining(scored, overlaps(list(spans)))
    return scored


def _pieces(evaluation: _Evaluation, region: Sequence[Stretch]) -> Pieces:
    """The pieces of a region, in seconds.

    Borders that are next to the same count as one, but for the piece of next to no length that is
    between them. Who speaks more than once at a time counts once.
    """
    sides = list(evaluation.turns())
    speakers = [len(side) for side in sides]
    kept_region = np.array([span for span in region if span[1] > span[0] + CLOSE])
    if not len(kept_region):
        return cut([], *([[]] * count for count in speakers))
    # of all borders: time, begin or end, and whose (-1: the region's)
    spans = [(kept_region[:, 0], kept_region[:, 1])]
    spans += [border_times.borders() for border_times in chain.from_iterable(sides)]
    sizes = [len(begins) for begins, _ in spans]
    exact = np.concatenate([times for border_times in spans for times in border_times])
    who = np.repeat(np.arange(-1, sum(speakers)), 2 * np.array(sizes))
    begins = np.concatenate([np.repeat([True, False], size) for size in sizes])
    if evaluation.conditions.show_segments:
        order = _order_of_perl(exact, begins, sizes)
    else:
        order = np.argsort(exact, kind="stable")
        # those that are next to the same together: ends before begins, the region's outermost
        moments = np.cumsum(np.diff(exact[order], prepend=-np.inf) > CLOSE)
        side = (who >= 0) + (who >= speakers[0]).astype(np.int64)
        ranks = np.where(begins, 5 - side, side)
        order = order[np.argsort(8 * moments + ranks[order], kind="stable")]
    exact, who, steps = exact[order], who[order], np.where(begins[order], 1, -1)
    inside = np.cumsum(np.where(who < 0, steps, 0))
    since = np.maximum.accumulate(np.where(inside > 0, exact, -np.inf))
    ending = 1 + np.flatnonzero((inside[:-1] > 0) & (since[:-1] < exact[1:]))
    depths = np.zeros((len(exact), sum(speakers)), np.int32)
    speaking = np.flatnonzero(who >= 0)
    depths[speaking, who[speaking]] = steps[speaking]
    active = np.minimum(np.cumsum(depths, axis=0, dtype=np.int32), 1)[ending - 1]
    return Pieces(
        since[ending - 1], exact[ending], active[:, : speakers[0]], active[:, speakers[0] :]
    )


def _order_of_perl(
    exact: NDArray[np.float64], begins: NDArray[np.bool_], sizes: Sequence[int]
) -> NDArray[np.int64]:
    """The order in which md-eval has borders; that of speakers in its list is by name here.

    The others' only tells how the parts of sums are cut; this one is seen where pieces are shown.
    """
    times, opening = exact.tolist(), begins.tolist()

    def compared(left: int, right: int) -> int:
        if times[left] < times[right] - CLOSE:
            return -1
        return 1 if times[left] > times[right] + CLOSE or opening[left] else -1

    borders: list[int] = []
    start = 0
    for size in sizes:
        span = range(start, start + size)
        middles = sorted(span, key=lambda middle: times[middle] + times[middle + size])
        borders += (border for middle in middles for border in (middle, middle + size))
        start += 2 * size
    return np.array(sorted_by_perl(borders, compared), np.int64)


def _tally(evaluation: _Evaluation, region: Sequence[Stretch]) -> Tally:
    """The sums of a channel; mapping, pieces and remarks go to the report."""
    pieces = _pieces(evaluation, region)
    together = overlaps_of(pieces, pieces.lengths)
    # to the nanosecond, so that rounding does not separate equal times
    mapping = best_mapping({pair: nanoseconds(time) for pair, time in together.items()})
    _show_mapping(evaluation, mapping, together)
    evaluation.report.remarks.extend(2 * _double_speakers(evaluation))
    tally: Tally = {
        "EVAL TIME": sum(end - begin for begin, end in region),
        "EVAL SPEECH": total(pieces.lengths * pieces.reference.any(axis=1)),
        "EVAL WORDS": NOTHING + sum(_words_in(evaluation.spoken.words, region)),
    }
    types = _types_of(evaluation, pieces)
    tally |= _types_of_speakers(types, pieces, mapping)

    scored = _scored_region(region, evaluation.spoken, evaluation.conditions)
    if scored is not region:
        pieces = _pieces(evaluation, scored)
    if evaluation.conditions.show_segments:
        evaluation.report.text.extend(_segment_lines(evaluation, pieces))
    names = (
        *("SCORED TIME", "SCORED SPEECH", "MISSED SPEECH", "FALARM SPEECH"),
        *("SCORED SPEAKER TIME", "MISSED SPEAKER TIME", "FALARM SPEAKER TIME"),
        " SPEAKER ERROR TIME",
    )
    tally |= dict(zip(names, times_of(pieces, pieces.lengths, mapping), strict=True))
    stretches = zip(pieces.begins.tolist(), pieces.ends.tolist(), strict=True)
    words = np.array(_words_in(evaluation.spoken.words, stretches), np.int64)
    there = pieces.hypothesis.any(axis=1)
    right = pieces.reference.sum(axis=1) == pieces.hypothesis.sum(axis=1)
    for speaker in range(pieces.reference.shape[1]):
        partner = mapping.get(speaker)
        met = pieces.hypothesis[:, partner] if partner is not None else 0
        right &= (pieces.reference[:, speaker] == 0) | (met != 0)
    for name, counted in (("SCORED", True), ("MISSED", ~there), ("SPEAKER ERROR", ~right)):
        tally[f"{name} WORDS"] = NOTHING + int((words * counted).sum())
    return tally | _types_in_time(types, pieces)


def _words_in(words: Sequence[TimedRecord], stretches: Iterable[Sequence[float]]) -> list[int]:
    """The number of words with their middle in each stretch; of two that meet, in the first."""
    counts, number = [], 0
    if not words:
        return [0 for _ in stretches]
    for begin, end in stretches:
        while number < len(words) and words[number].middle < begin:
            number += 1
        before = number
        while number < len(words) and words[number].middle <= end:
            number += 1
        counts.append(number - before)
    return counts


def _double_speakers(evaluation: _Evaluation) -> list[str]:
    """The warnings of md-eval about speakers with several turns at a time."""
    warnings: list[tuple[int, str]] = []
    for side, names in zip(evaluation.turns(), evaluation.names, strict=True):
        for turns, name in zip(side, names, strict=True):
            order = np.argsort(turns.begins, kind="stable")
            order = order[turns.begins[order] < turns.ends[order]]
            starts, latest = turns.begins[order], np.maximum.accumulate(turns.ends[order])
            # only turns that overlap with one before or after are looked at
            at_once = np.zeros(len(order) + 1, bool)
            at_once[1:-1] = starts[1:] < latest[:-1]
            near = order[at_once[:-1] | at_once[1:]].tolist()
            events = [(nanoseconds(turns.begins[turn]), 1, turns.texts[turn]) for turn in near]
            events += [
                (nanoseconds(turns.ends[turn]), -1, f"{turns.ends[turn]:.15g}") for turn in near
            ]
            depth = 0
            for time, step, shown in sorted(events):
                depth += step
                if depth > 1:
                    text = f"speaker {name} speaking more than once at time {shown}"
                    warnings.append((time, f"WARNING:  {text}"))
    return [text for _, text in sorted(warnings, key=lambda warning: warning[0])]


def _show_mapping(
    evaluation: _Evaluation, mapping: Mapping[int, int], overlaps: Mapping[tuple[int, int], float]
) -> None:
    """The mapping for people and for the file."""
    spoken, heard = evaluation.names
    for left in sorted({left for left, _ in overlaps}):
        partner = mapping.get(left)
        if evaluation.conditions.show_mapping:
            text = "<nil>" if partner is None else f"'{heard[partner]}'"
            evaluation.report.text.append(f"'{spoken[left]}' => {text}\n")
        for right in sorted(right for speaker, right in overlaps if speaker == left):
            time = overlaps[left, right]
            if evaluation.conditions.show_mapping:
                evaluation.report.text.append(f"{time:9.2f} secs matched to '{heard[right]}'\n")
            state = "mapped" if right == partner else "notmapped"
            names = f"{evaluation.file},{evaluation.channel},{spoken[left]},{heard[right]}"
            evaluation.report.mapping.append(f"{names},{state},{time:.4f}\n")


def _segment_lines(evaluation: _Evaluation, pieces: Pieces) -> Iterator[str]:
    """The scored pieces for people."""
    times = zip(pieces.begins.tolist(), pieces.ends.tolist(), strict=True)
    for number, (begin, end) in enumerate(times):
        sides = (
            ", ".join(names[speaker] for speaker in np.flatnonzero(counts[number]))
            for names, counts in zip(evaluation.names, pieces[2:], strict=True)
        )
        yield (
            f"beg/dur/end = {begin:7.3f}/{end - begin:7.3f}/{end:7.3f}; "
            + "; ".join(
                f"{side} = ({names})" for side, names in zip(("REF", "SYS"), sides, strict=True)
            )
            + f"; file = {evaluation.file}; chnl = {evaluation.channel}\n"
        )


def _types_of(evaluation: _Evaluation, pieces: Pieces) -> list[list[str]]:
    """The types of both sides' speakers; md-eval knows none of those outside of what is evaluated.

    Its scored region may reach beyond that: see `scoring.tasks.speakers.der.exclusion.remaining`.
    """
    return [
        [
            side.type_of(name) if heard else ""
            for name, heard in zip(names, np.any(depths, axis=0), strict=True)
        ]
        for side, names, depths in zip(evaluation.sides, evaluation.names, pieces[2:], strict=True)
    ]


def _types_of_speakers(
    types: Sequence[Sequence[str]], pieces: Pieces, mapping: Mapping[int, int]
) -> Tally:
    """The number of speakers of each type that were mapped to a speaker of each type."""
    tally: Tally = {}
    for left in np.flatnonzero(pieces.reference.any(axis=0)).tolist():
        partner = mapping.get(left)
        kind = MISS if partner is None else types[1][partner]
        _add(tally, {(SPEAKERS, "REF", types[0][left]): 1, (SPEAKERS, types[0][left], kind): 1})
    for right in np.flatnonzero(pieces.hypothesis.any(axis=0)).tolist():
        _add(tally, {(SPEAKERS, "SYS", types[1][right]): 1})
        if right not in mapping.values():
            _add(tally, {(SPEAKERS, FALSE_ALARM, types[1][right]): 1})
    return tally


def _types_in_time(types: Sequence[Sequence[str]], pieces: Pieces) -> Tally:
    """For how long speakers of each type were heard with those of each.

    As in md-eval, what is missed of a type and what is heard too much is reckoned against the last
    of the types that speak on the other side.
    """
    counts: list[dict[str, Counts]] = []
    for kinds, depths in zip(types, pieces[2:], strict=True):
        by_kind = {
            kind: depths[
                :, [speaker for speaker, speaker_kind in enumerate(kinds) if speaker_kind == kind]
            ].sum(axis=1)
            for kind in sorted(set(kinds))
        }
        counts.append({kind: depth for kind, depth in by_kind.items() if depth.any()})
    tally: Tally = {}
    lengths, lasts = pieces.lengths, []
    for name, by_kind in zip(("REF", "SYS"), counts, strict=True):
        last = np.zeros(len(lengths), np.int32)
        for kind, depth in by_kind.items():
            last = np.where(depth > 0, depth, last)
            tally[TIME, name, kind] = total(depth * lengths)
        lasts.append(last)
    for kind, depth in counts[0].items():
        missed = (depth > 0) * np.maximum(depth - lasts[1], 0)
        tally[TIME, kind, MISS] = total(missed * lengths)
        for heard_kind, heard in counts[1].items():
            tally[TIME, kind, heard_kind] = total(np.minimum(depth, heard) * lengths)
    for heard_kind, heard in counts[1].items():
        extra = (heard > 0) * np.maximum(heard - lasts[0], 0)
        tally[TIME, FALSE_ALARM, heard_kind] = total(extra * lengths)
    return tally


def _lines(name: str, tally: Tally) -> Iterator[str]:
    """The figures of a condition, in pieces that a division by 0 leaves whole."""

    def seconds(title: str, whole: str, of: str) -> str:
        share = 100 * tally[title] / tally[whole]
        return f"{title:>13} ={tally[title]:10.2f} secs ({share:5.1f} percent of {of})\n"

    def words(title: str, whole: str, of: str) -> str:
        share = 100 * tally[title] / tally[whole]
        return f"{title:>13} ={int(tally[title]):7d}         ({share:5.1f} percent of {of})\n"

    yield f"\n*** Performance analysis for Speaker Diarization for {name} ***\n\n"
    yield f"    EVAL TIME ={tally['EVAL TIME']:10.2f} secs\n"
    yield seconds("EVAL SPEECH", "EVAL TIME", "evaluated time")
    yield seconds("SCORED TIME", "EVAL TIME", "evaluated time")
    yield seconds("SCORED SPEECH", "SCORED TIME", "scored time")
    yield f"   EVAL WORDS ={int(tally['EVAL WORDS']):7d}        \n"
    yield words("SCORED WORDS", "EVAL WORDS", "evaluated words")
    yield RULE
    yield seconds("MISSED SPEECH", "SCORED TIME", "scored time")
    yield seconds("FALARM SPEECH", "SCORED TIME", "scored time")
    yield words("MISSED WORDS", "SCORED WORDS", "scored words")
    yield RULE
    yield seconds("SCORED SPEAKER TIME", "SCORED SPEECH", "scored speech")
    yield seconds("MISSED SPEAKER TIME", "SCORED SPEAKER TIME", "scored speaker time")
    yield seconds("FALARM SPEAKER TIME", "SCORED SPEAKER TIME", "scored speaker time")
    yield seconds(" SPEAKER ERROR TIME", "SCORED SPEAKER TIME", "scored speaker time")
    yield words("SPEAKER ERROR WORDS", "SCORED WORDS", "scored speaker words")
    yield RULE
    wrong = (
        tally["MISSED SPEAKER TIME"] + tally["FALARM SPEAKER TIME"] + tally[" SPEAKER ERROR TIME"]
    )
    rate = 100 * wrong / tally["SCORED SPEAKER TIME"]
    yield (
        f" OVERALL SPEAKER DIARIZATION ERROR = {rate:.2f} percent of scored speaker time"
        f"  `({name})\n"
    )
    yield RULE
    yield from _matrix(tally, SPEAKERS, "(count)      ", lambda value: f"{int(value):11d}")
    yield from _matrix(tally, TIME, "(seconds)    ", lambda value: f"{value:11.2f}")


def _matrix(tally: Tally, which: str, heading: str, show: Callable[[float], str]) -> Iterator[str]:
    rows, columns = (
        sorted(key[2] for key in tally if key[:2] == (which, side)) for side in ("REF", "SYS")
    )
    whole = sum(tally[which, "REF", row] for row in rows)
    yield f" Speaker type confusion matrix -- {which}\n"
    yield f"  REF\\SYS {heading}" + "".join(f"{name:<20}" for name in [*columns, MISS]) + "\n"
    for row in [*rows, FALSE_ALARM]:
        cells = []
        for column in columns if row == FALSE_ALARM else [*columns, MISS]:
            value = tally.get((which, row, column), 0)
            share = min(999.9, 100 * value / whole if whole else 9e9)
            cells.append(f"{show(value)} /{share:6.1f}%")
        yield f"{row:<16}" + "".join(cells) + "\n"
    yield RULE
