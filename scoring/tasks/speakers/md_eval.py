"""The speaker diarisation error of md-eval, version 22, with byte-identical output.

`scoring.tasks.speakers.der` decides what is scored. Times are doubles, and sums are in md-eval's
order, so that rounding is the same. Where md-eval's order depends on a hash, the order here is that
of names. Metadata are in `scoring.tasks.speakers.metadata`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from formats.schema.times import SECOND
from scoring.tasks.speakers.der.exclusion import (
    LEAST_REACH,
    NOSCORE,
    SOUND,
    SOUNDS_REACH,
    overlaps,
    remaining,
    zones,
)
from scoring.tasks.speakers.der.perl_order import order_of_perl
from scoring.tasks.speakers.der.pieces import Times, times_of, total
from scoring.tasks.speakers.der.spans import collars, without
from scoring.tasks.speakers.evaluation import ChannelEvaluation, Conditions, DiarisationReport
from scoring.tasks.speakers.md_eval_records import (
    Channels,
    EvaluatedChannel,
    Region,
    Stretch,
    TimedRecord,
    died,
    fatal,
)
from scoring.tasks.speakers.metadata.channel import ChannelMetadata, mark_scoreable, turn_spans
from scoring.tasks.speakers.metadata.events import MetadataCounts
from scoring.tasks.speakers.metadata.tables import performance
from scoring.tasks.speakers.speaker_assignment import mapping_of_md_eval

NOTHING = 1e-8
"""The initial value of counts of words, against division by 0; times as close are equal."""
CLOSE, FARTHEST = LEAST_REACH / SECOND, SOUNDS_REACH / SECOND
RULE = "-" * 45 + "\n"
MISS, FALSE_ALARM = "  MISS", "  FALSE ALARM"
SPEAKERS, TIME = "speaker weighted", "time weighted"
# Sums by what they are of: a name, or a matrix, what is counted and types of speakers.
MatrixSums: TypeAlias = dict["str | tuple[str, ...]", float]
Depths: TypeAlias = NDArray[np.int32]


class _Table(NamedTuple):
    """Pieces of a region by time (rows), and whether each speaker (columns) speaks in them."""

    begins: NDArray[np.float64]
    ends: NDArray[np.float64]
    reference: Depths
    hypothesis: Depths

    @property
    def lengths(self) -> NDArray[np.float64]:
        """The lengths of the pieces in seconds."""
        return self.ends - self.begins

    def overlaps(self) -> dict[tuple[int, int], float]:
        """Return the common time of each overlapping pair of speakers, by their indices."""
        overlaps: dict[tuple[int, int], float] = {}
        for left, speaks in enumerate(self.reference.T):
            rows = np.flatnonzero(speaks)
            lengths, heard = self.lengths[rows], self.hypothesis[rows]
            for right in np.flatnonzero(heard.any(axis=0)).tolist():
                overlaps[left, right] = _total(lengths[heard[:, right] != 0])
        return overlaps

    def times(self, mapping: Mapping[int, int]) -> Times:
        """Return the times of all kinds of error, given the partner of each reference speaker."""
        pairs = [*mapping.items()]
        spoken = self.reference[:, [left for left, _ in pairs]]
        heard = self.hypothesis[:, [right for _, right in pairs]]
        correct = (spoken & heard).sum(axis=1)
        here, there = (side.sum(axis=1) for side in (self.reference, self.hypothesis))
        counts = (column.tolist() for column in (self.lengths, here, there, correct))
        return times_of(zip(*counts, strict=True))


def _total(numbers: NDArray[np.float64]) -> float:
    return total(numbers.tolist())


def evaluate(
    reference: Channels,
    hypothesis: Channels,
    regions: Mapping[tuple[str, str], Sequence[Region]],
    conditions: Conditions,
    report: DiarisationReport,
) -> None:
    """Score every file and channel of the reference, and add the results to the report."""
    tallies: dict[str, MatrixSums] = {}
    metadata: dict[str, list[tuple[ChannelEvaluation, MetadataCounts]]] = {}
    for (file, channel), spoken in sorted(reference.items()):
        heard = hypothesis.get((file, channel), EvaluatedChannel())
        evaluation = ChannelEvaluation(file, channel, spoken, heard, conditions, report)
        spans = _spans(spoken, regions.get((file, channel)))
        of_channel = ChannelMetadata(evaluation, spans)
        for kind, counts in of_channel.counts():
            metadata.setdefault(kind, []).append((evaluation, counts))
        speakers: dict[str, str] = {}
        if spoken.turns:
            if conditions.metadata.by_words and not spoken.words:
                fatal(f":  no reference words for {evaluation.label}", report.death)
            heard.turns = of_channel.moved_turns()
            region = remaining(spans, zones(_marks(spoken), [NOSCORE], CLOSE))
            tally, speakers = _tally(evaluation, region)
            for name in conditions.names_of(file, channel):
                _add(tallies.setdefault(name, {}), tally)
        if conditions.metadata.show_chronology:
            report.text.extend(of_channel.chronology(speakers))
    for unscored in sorted(hypothesis.keys() - reference.keys()):
        report.remarks.append(f"warning: not in the reference, not scored: {' '.join(unscored)}")
    for kind in sorted(metadata):
        report.text.extend(performance(kind, metadata[kind]))
    if tallies:
        _show(tallies, report)
    elif not metadata:
        report.remarks.append("warning: nothing in the reference is scored")


def _show(tallies: Mapping[str, MatrixSums], report: DiarisationReport) -> None:
    """Add the figures of all conditions to the report; the condition ALL is last."""
    for name in [*sorted(name for name in tallies if "ALL" not in name), "ALL"]:
        try:
            for text in _lines(name, tallies[name]):
                report.text.append(text)
        except ZeroDivisionError:
            problem = f"md-eval.pl: {name}: expected speech to score, found none\n"
            raise died(problem, report.death) from None


def _add(tally: MatrixSums, addend: MatrixSums) -> None:
    for key, value in addend.items():
        tally[key] = tally.get(key, 0) + value


def _spans(spoken: EvaluatedChannel, regions: Sequence[Region] | None) -> list[Stretch]:
    """Return the regions of the uem, or the extent of the reference."""
    if regions is not None:
        return [(region.begin, region.end) for region in regions]
    return [] if spoken.extent is None else [spoken.extent]


def _marks(spoken: EvaluatedChannel) -> Iterator[tuple[str, float, float]]:
    return ((mark.kind, mark.begin, mark.end) for mark in spoken.marks)


def _scored_region(
    region: Sequence[Stretch], spoken: EvaluatedChannel, conditions: Conditions
) -> Sequence[Stretch]:
    """Return the scored part of a region; the same object if nothing is excluded from it."""
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
        by_columns = zip(begins[order].tolist(), ends[order].tolist(), strict=True)
        scored = remaining(scored, overlaps(turn_spans(spoken.marks) or list(by_columns)))
    return scored


def _pieces(evaluation: ChannelEvaluation, region: Sequence[Stretch]) -> tuple[_Table, list[str]]:
    """Return the pieces of a region, in seconds, and warnings about overlapping turns of a speaker.

    Nearly equal borders count as a single border, but the tiny piece between them remains. A
    speaker with several simultaneous turns counts once.
    """
    sides = list(evaluation.turns())
    speakers = [len(side) for side in sides]
    kept_region = np.array([span for span in region if span[1] > span[0] + CLOSE]).reshape(-1, 2)
    # of all borders: time, begin or end, and whose (-1: the region's)
    spans = [(kept_region[:, 0], kept_region[:, 1], kept_region[:, 0])]
    spans += [turns.borders() for turns in chain.from_iterable(sides)]
    sizes = [len(begins) for begins, *_ in spans]
    exact = np.concatenate([times for begins, ends, _ in spans for times in (begins, ends)])
    who = np.repeat(np.arange(-1, sum(speakers)), 2 * np.array(sizes))
    begins = np.concatenate([np.repeat([True, False], size) for size in sizes])
    order = _order_of_perl(exact, begins, [middles for *_, middles in spans])
    exact, who, steps = exact[order], who[order], np.where(begins[order], 1, -1)
    inside = np.cumsum(np.where(who < 0, steps, 0))
    since = np.maximum.accumulate(np.where(inside > 0, exact, -np.inf))
    ending = 1 + np.flatnonzero((inside[:-1] > 0) & (since[:-1] < exact[1:]))
    depths = np.zeros((len(exact), sum(speakers)), np.int32)
    speaking = np.flatnonzero(who >= 0)
    depths[speaking, who[speaking]] = steps[speaking]
    depths = np.cumsum(depths, axis=0, dtype=np.int32)
    # a moved turn may end before it begins; md-eval takes the speaker for active in between
    active = (depths[ending - 1] != 0).astype(np.int32)
    pieces = _Table(
        since[ending - 1], exact[ending], active[:, : speakers[0]], active[:, speakers[0] :]
    )
    doubled = speaking[depths[speaking, who[speaking]] > 1]
    turns, names = (list(chain.from_iterable(of_sides)) for of_sides in (sides, evaluation.names))
    firsts = 2 * np.cumsum(sizes)  # of the borders of each speaker
    return pieces, [
        f"WARNING:  speaker {names[speaker]} speaking more than once at time "
        f"{turns[speaker].text_of(border - firsts[speaker])}"
        for speaker, border in zip(who[doubled].tolist(), order[doubled].tolist(), strict=True)
    ]


def _order_of_perl(
    exact: NDArray[np.float64],
    begins: NDArray[np.bool_],
    middles: Sequence[NDArray[np.float64]],
) -> NDArray[np.int64]:
    """Return the order of borders in md-eval if its hashes are in the order of names."""
    borders: list[NDArray[np.int64]] = []
    start = 0
    for of_turns in middles:
        size = len(of_turns)
        first = start + np.argsort(of_turns, kind="stable")
        borders.append(np.stack((first, first + size), axis=1).ravel())
        start += 2 * size
    before = np.concatenate(borders)
    by_time = np.argsort(exact, kind="stable")
    later = np.diff(exact[by_time]) > CLOSE
    ranks = np.empty(len(exact), np.int64)
    ranks[by_time] = np.concatenate(([0], np.cumsum(later)))[: len(exact)]
    order = order_of_perl(ranks[before].tolist(), begins[before].tolist(), ends_are_equal=False)
    return before[order]


def _tally(
    evaluation: ChannelEvaluation, region: Sequence[Stretch]
) -> tuple[MatrixSums, dict[str, str]]:
    """Return the sums of a channel, and the partners of the system's speakers.

    Mapping, pieces and remarks go to the report.
    """
    pieces, warnings = _pieces(evaluation, region)
    report = evaluation.report
    report.remarks.extend(warnings)
    together = pieces.overlaps()
    mapping = mapping_of_md_eval(together)
    _show_mapping(evaluation, mapping, together)
    report.opened_mapping |= evaluation.conditions.writes_mapping
    tally: MatrixSums = {
        "EVAL TIME": sum(end - begin for begin, end in region),
        "EVAL SPEECH": _total(pieces.lengths * pieces.reference.any(axis=1)),
        "EVAL WORDS": NOTHING + sum(_words_in(evaluation.spoken.words, region)),
    }
    types = _types_of(evaluation, pieces)
    tally |= _types_of_speakers(types, pieces, mapping)

    scored = _scored_region(region, evaluation.spoken, evaluation.conditions)
    if evaluation.conditions.metadata.show_chronology:
        mark_scoreable(evaluation.spoken.words, scored)
    if scored is not region:
        pieces, warnings = _pieces(evaluation, scored)
    report.remarks.extend(warnings)
    if evaluation.conditions.show_segments:
        if not len(pieces.begins):
            name = f"{evaluation.file} {evaluation.channel}"
            problem = f"md-eval.pl: {name}: expected pieces of scored time to show, found none\n"
            raise died(problem, report.death)
        report.text.extend(_segment_lines(evaluation, pieces))
    names = (
        *("SCORED TIME", "SCORED SPEECH", "MISSED SPEECH", "FALARM SPEECH"),
        *("SCORED SPEAKER TIME", "MISSED SPEAKER TIME", "FALARM SPEAKER TIME"),
        " SPEAKER ERROR TIME",
    )
    tally |= dict(zip(names, pieces.times(mapping), strict=True))
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
    spoken, heard = evaluation.names
    partners = {heard[right]: spoken[left] for left, right in mapping.items()}
    return tally | _types_in_time(types, pieces), partners


def _words_in(words: Sequence[TimedRecord], stretches: Iterable[Sequence[float]]) -> list[int]:
    """Count the words in each time span; a word is in the span that contains its middle.

    A middle at a border is in the first of both spans.
    """
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


def _show_mapping(
    evaluation: ChannelEvaluation,
    mapping: Mapping[int, int],
    overlaps: Mapping[tuple[int, int], float],
) -> None:
    """Add the mapping of speakers to the report: to the printed lines and to the mapping file."""
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


def _segment_lines(evaluation: ChannelEvaluation, pieces: _Table) -> Iterator[str]:
    """Yield the printed lines of the scored pieces."""
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


def _types_of(evaluation: ChannelEvaluation, pieces: _Table) -> list[list[str]]:
    """Return the types of both sides' speakers; empty for speakers outside the evaluated part.

    md-eval's scored region may be larger: see `scoring.tasks.speakers.der.exclusion.remaining`.
    """
    return [
        [
            side.type_of(name) if heard else ""
            for name, heard in zip(names, np.any(depths, axis=0), strict=True)
        ]
        for side, names, depths in zip(evaluation.sides, evaluation.names, pieces[2:], strict=True)
    ]


def _types_of_speakers(
    types: Sequence[Sequence[str]], pieces: _Table, mapping: Mapping[int, int]
) -> MatrixSums:
    """Count the speakers of each side by type, in pairs with the type of their partner."""
    tally: MatrixSums = {}
    for left in np.flatnonzero(pieces.reference.any(axis=0)).tolist():
        partner = mapping.get(left)
        kind = MISS if partner is None else types[1][partner]
        _add(tally, {(SPEAKERS, "REF", types[0][left]): 1, (SPEAKERS, types[0][left], kind): 1})
    for right in np.flatnonzero(pieces.hypothesis.any(axis=0)).tolist():
        _add(tally, {(SPEAKERS, "SYS", types[1][right]): 1})
        if right not in mapping.values():
            _add(tally, {(SPEAKERS, FALSE_ALARM, types[1][right]): 1})
    return tally


def _types_in_time(types: Sequence[Sequence[str]], pieces: _Table) -> MatrixSums:
    """Return the common time of each pair of speaker types.

    As in md-eval, missed time and false alarms of a type count against the last type that speaks on
    the other side.
    """
    counts: list[dict[str, Depths]] = []
    for kinds, depths in zip(types, pieces[2:], strict=True):
        by_kind = {
            kind: depths[
                :, [speaker for speaker, speaker_kind in enumerate(kinds) if speaker_kind == kind]
            ].sum(axis=1)
            for kind in sorted(set(kinds))
        }
        counts.append({kind: depth for kind, depth in by_kind.items() if depth.any()})
    tally: MatrixSums = {}
    lengths, lasts = pieces.lengths, []
    for name, by_kind in zip(("REF", "SYS"), counts, strict=True):
        last = np.zeros(len(lengths), np.int32)
        for kind, depth in by_kind.items():
            last = np.where(depth > 0, depth, last)
            tally[TIME, name, kind] = _total(depth * lengths)
        lasts.append(last)
    for kind, depth in counts[0].items():
        missed = (depth > 0) * np.maximum(depth - lasts[1], 0)
        tally[TIME, kind, MISS] = _total(missed * lengths)
        for heard_kind, heard in counts[1].items():
            tally[TIME, kind, heard_kind] = _total(np.minimum(depth, heard) * lengths)
    for heard_kind, heard in counts[1].items():
        extra = (heard > 0) * np.maximum(heard - lasts[0], 0)
        tally[TIME, FALSE_ALARM, heard_kind] = _total(extra * lengths)
    return tally


def _lines(name: str, tally: MatrixSums) -> Iterator[str]:
    """Yield the lines with the figures of a condition.

    If a figure is divided by 0, the lines before it are yielded, and ZeroDivisionError is raised.
    """

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


def _matrix(
    tally: MatrixSums, which: str, heading: str, show: Callable[[float], str]
) -> Iterator[str]:
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
