"""The figures of metadata: words and events by condition, subtypes, borders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from scoring.tasks.speakers.evaluation import ChannelEvaluation, partial_name
from scoring.tasks.speakers.metadata.events import COUNTED, UNIT, MetadataCounts

NOTHING = 1e-8
MOST = 999.99
MISS, FALSE_ALARM = "{Miss}", "{FA}"
FARTHEST = 3
HEADING = (
    f"{'Nref':>36}   {'Ndel':>5} {'Nins':>5} {'Nsub':>5}"
    f"   {'%Del':>6} {'%Ins':>6} {'%Sub':>6}   {'%D+I':>6} {'%Tot':>6}\n"
)


class _Sums(NamedTuple):
    """The counts of a type of metadata in all channels."""

    words: dict[str, Counter[str]]  # by condition
    events: dict[str, Counter[str]]
    confusions: dict[str, Counter[str]]  # by subtype of the reference
    offsets: dict[str, Counter[int]]  # by border


def performance(
    kind: str, channels: Iterable[tuple[ChannelEvaluation, MetadataCounts]]
) -> Iterator[str]:
    """Yield the lines of the report's section on a type of metadata."""
    sums = _Sums({}, {}, {}, {})
    for evaluation, counts in channels:
        _add(sums, evaluation, counts)
    whole = sums.words.get("ALL", Counter())
    wrong = whole["DEL"] + whole["INS"] + (whole["SUB"] if kind in (UNIT, "FILLER") else 0)
    score = 100 * wrong / max(whole["REF"], NOTHING)
    yield f"\n*** Performance analysis for {kind}s ***  overall error SCORE = {score:.2f}%\n"
    titles = {UNIT: "SU (exact) end detection", "IP": "IP (exact) detection"}
    title = titles.get(kind, f"{kind} word coverage")
    yield f"\n{title} statistics -- in terms of reference words\n"
    yield from _rates(sums.words)
    yield f"\n{kind} detection statistics -- in terms of # of {kind}s\n"
    yield from _rates(sums.events)
    yield f"\n{kind} detection confusion matrix -- in terms of # of {kind}s\n"
    yield from _confusions(sums.confusions)
    if sums.offsets:
        yield f"\n{kind} word offset statistics for ALL data\n"
        yield from _offsets(sums.offsets)


def _add(sums: _Sums, evaluation: ChannelEvaluation, counts: MetadataCounts) -> None:
    """Add the counts of a channel."""
    conditions, place = evaluation.conditions, (evaluation.file, evaluation.channel)
    for name in ["ALL", *partial_name(conditions.metadata.words_by, *place)]:
        if counts.words:
            sums.words.setdefault(name, Counter()).update(counts.words)
    for border, offsets in counts.offsets.items():
        sums.offsets.setdefault(border, Counter()).update(offsets)
    letters, matrix = conditions.by.lower(), sums.confusions
    for (type_, speaker, subtype), count in counts.events.items():
        if not count:
            continue
        names = conditions.names_of(*place)
        names += [f"s={speaker}"] if "s" in letters else []
        names += [f"g={evaluation.spoken.gender_of(speaker)}"] if "g" in letters else []
        for name in names:
            sums.events.setdefault(name, Counter())[type_] += count
        missed, added = (matrix.setdefault(name, Counter()) for name in (subtype, FALSE_ALARM))
        missed[MISS] += count if type_ == "DEL" else 0
        added[subtype] += count if type_ == "INS" else 0
    for (subtype, heard), count in counts.confusions.items():
        matrix.setdefault(subtype, Counter())[heard] += count
        matrix.setdefault(heard, Counter())


def _rates(by_condition: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield a table of counts and rates."""
    yield HEADING
    for name in sorted(by_condition):
        numbers = [by_condition[name].get(kind, 0) for kind in COUNTED]
        spoken, deleted, inserted, substituted = numbers
        share = 100 / max(spoken, NOTHING)
        both = deleted + inserted
        rates = [
            min(MOST, share * count)
            for count in (deleted, inserted, substituted, both, both + substituted)
        ]
        label = " " * 17 + "ALL" if name == "ALL" else name
        counts = f"{spoken:5d}   {deleted:5d} {inserted:5d} {substituted:>5}"
        yield (
            f"{label:<28.28}   {counts}   {rates[0]:6.2f} {rates[1]:6.2f} {rates[2]:6.2f}"
            f"   {rates[3]:6.2f} {rates[4]:6.2f}\n"
        )


def _confusions(matrix: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield the table of subtypes of both sides."""
    if not matrix:
        return
    subtypes = sorted(matrix.keys() - {FALSE_ALARM})
    heading = "".join(f"{name:>10.8}" for name in subtypes)
    yield f"{'ALL - ref' + chr(92) + 'sys':>24}{heading}    {MISS:>10.8}\n"
    for row in sorted(matrix):
        cells = [f"{matrix[row].get(name, 0):8d}  " for name in subtypes]
        if row != FALSE_ALARM:
            cells.append(f"    {matrix[row].get(MISS, 0):8d}  ")
        yield ("\n" if row == FALSE_ALARM else "") + f"{row:>24.24}" + "".join(cells) + "\n"


def _offsets(borders: Mapping[str, Mapping[int, int]]) -> Iterator[str]:
    """Yield the table of word offsets of the system's borders."""
    near = range(-FARTHEST, FARTHEST + 1)
    yield "  word offsets:  <-3  " + "".join(f"{offset:5d}" for offset in near) + "     >3\n"
    for border in ("BEG", "END"):
        offsets = borders.get(border, {})
        early = sum(count for offset, count in offsets.items() if offset < -FARTHEST)
        late = sum(count for offset, count in offsets.items() if offset > FARTHEST)
        cells = (f"{offsets[offset]:5d}" if offset in offsets else "    -" for offset in near)
        yield f"           {border}:{early:5d}  {''.join(cells)}{late:7d}\n"
