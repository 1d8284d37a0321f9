"""Matching by time: the words of the hypothesis are assigned to the reference's segments.

The rule is that of sclite. Within a channel, a segment takes the words whose middle is before its
end, except words that an earlier segment took. The last segment takes the remaining words. If the
reference has timed words but no segments, both sides are cut at their common pauses, as sclite cuts
two ctm files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import add, sub

from formats.schema import NamedTuple
from formats.schema.model import Segment
from scoring.alignment.gaps import PauseSearch, TimedWords
from scoring.sides.corpus import ONLY_CHANNEL, Corpus
from scoring.sides.matching import MatchedSides
from scoring.sides.matching.clocks import measured_clocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from formats.schema.messages import Message
    from formats.schema.words import Alternation, Token
    from scoring.sides.matching.clocks import Clocks

ChannelKey: TypeAlias = tuple[str, str]
# A plain word, or one that is optional, or alternatives.
TextOrItem: TypeAlias = "str | Token | Alternation"

PLAIN = frozenset((str,))
LEAST_SECONDS = 60
# Share of the time beyond which overlapping segments are warned of.
NOTABLE_OVERLAP = 0.01
# The time, and the share of the words, that a hypothesis notably lacks at its end or beginning.
LEAST_GAP_NS, NOTABLE_GAP = 10 * 10**9, 0.05
# Factors between times that suggest a mistaken unit, and the unit of the greater times.
UNITS = (
    (3, "frames of another length"),
    (10, "tenths of a second"),
    (100, "hundredths of a second"),
    (1000, "milliseconds"),
    (10_000, "tenths of a millisecond"),
    (16_000, "samples"),
    (1_000_000, "microseconds"),
    (10_000_000, "ticks of 100 ns"),
)


class _TimedItems(NamedTuple):
    """Words in order of time, with their starts and ends in nanoseconds."""

    starts: list[int]
    ends: list[int]
    items: list[TextOrItem]

    @property
    def middles(self) -> list[int]:
        """The middle of each word in half nanoseconds, as a whole number."""
        return list(map(add, self.starts, self.ends))


def deal_by_time(
    reference: Corpus, hypothesis: Corpus, keep: bool = False, gaps: bool = False
) -> MatchedSides:
    """Assign the words of both sides to common utterances by their times.

    If the reference has timed words without segments, each channel becomes one utterance.
    Utterances without identifier are named `RECORDING-CHANNEL-NUMBER`. All words of the hypothesis
    must have times, and so must the segments or the words of the reference (see `has_times`). With
    `gaps`, words outside all segments of a channel form an utterance `RECORDING-CHANNEL-(gap)`.
    """
    channels = by_channel(hypothesis.segments)
    words = {channel: _timed_items(group, keep) for channel, group in channels.items()}
    ours: list[tuple[str, Segment]] = []
    theirs: list[tuple[str, Segment]] = []
    borders = [0]
    ignored = 0
    for channel, group in by_channel(reference.segments).items():
        timed = words.pop(channel, None)
        borders.append(len(ours))
        for name, segment, share in _shares(channel, group, timed, keep, gaps):
            if segment.kind == "ignored":
                ignored += len(share)
                borders.append(len(ours))
                continue
            ours.append((name, segment))
            if timed is not None:
                theirs.append((name, _segment(share)))
    theirs += [(_name(channel), _segment(timed.items)) for channel, timed in words.items()]
    left, right = (
        side.with_utterances([name for name, _ in parts], [segment for _, segment in parts], keep)
        for side, parts in ((reference, ours), (hypothesis, theirs))
    )
    runs = [end - begin for begin, end in pairwise([*borders, len(ours)]) if end > begin]
    return MatchedSides(left, right, "time", ignored, runs=runs)


def _name(channel: ChannelKey) -> str:
    return f"{channel[0]}-{channel[1]}"


def name_of(segment: Segment, channel: ChannelKey, number: int) -> str:
    """Return the identifier of a segment; if it has none, a name with its number in the channel."""
    return segment.utterance or f"{channel[0]}-{channel[1]}-{number:04d}"


def by_channel(segments: Iterable[Segment]) -> dict[ChannelKey, list[Segment]]:
    """Return the segments of each channel in file order; an unset channel is `1`."""
    groups: dict[ChannelKey, list[Segment]] = {}
    last: ChannelKey | None = None
    group: list[Segment] = []
    for segment in segments:
        channel = segment.recording, segment.channel or ONLY_CHANNEL
        if channel != last:
            last, group = channel, groups.setdefault(channel, [])
        group.append(segment)
    return groups


def common_channels(
    ours: dict[ChannelKey, list[Segment]], hypothesis: Corpus
) -> list[tuple[Sequence[Segment], Sequence[Segment]]]:
    """Return the segments of the reference and the hypothesis in each common channel."""
    theirs = by_channel(hypothesis.segments)
    return [(ours[channel], theirs[channel]) for channel in ours if channel in theirs]


def has_times(reference: Corpus, hypothesis: Corpus) -> bool:
    """Return True if both sides can be matched by time, with times for every hypothesis word."""
    return all(segment.is_timed for segment in hypothesis.segments) and all(
        not _is_open_ended(group) or all(segment.is_timed for segment in group)
        for group in by_channel(reference.segments).values()
    )


def _is_open_ended(group: Sequence[Segment]) -> bool:
    """Return True if a time is missing in a channel; the end of the last segment may be missing."""
    starts = [segment.start_ns for segment in group if segment.end_ns is None]
    if len(starts) != 1:
        return bool(starts)
    [last] = starts
    return last is None or any(
        segment.start_ns is None or segment.start_ns > last for segment in group
    )


def in_order(group: Sequence[Segment]) -> Sequence[Segment]:
    """Return segments in order of time; unchanged if the start of any segment is unknown."""
    starts = [
        next((time for time in segment.starts_ns or () if time is not None), None)
        if segment.start_ns is None
        else segment.start_ns
        for segment in group
    ]
    if None in starts:
        return group
    keys = [
        (start, segment.end_ns is None, segment.end_ns or 0)
        for start, segment in zip(starts, group, strict=True)
    ]
    return [group[index] for index in sorted(range(len(group)), key=keys.__getitem__)]


def _shares(
    channel: ChannelKey, group: Sequence[Segment], timed: _TimedItems | None, keep: bool, gaps: bool
) -> Iterator[tuple[str, Segment, Sequence[TextOrItem]]]:
    """Yield the segments of a channel in order of time, each with its name and its words."""
    timed = timed or _TimedItems([], [], [])
    if _is_open_ended(group):
        yield from _shares_by_pauses(channel, group, timed, keep)
        return
    ordered, middles = in_order(group), timed.middles
    last = len(ordered)
    end = 0
    outside: list[TextOrItem] = []
    for number, segment in enumerate(ordered, 1):
        begin, end = end, len(middles)
        if segment.end_ns is not None and (gaps or number < last):
            end = bisect_left(middles, 2 * segment.end_ns, begin)
        first = begin
        if gaps:
            first = bisect_left(middles, 2 * (segment.start_ns or 0), begin, end)
            outside += timed.items[begin:first]
        yield name_of(segment, channel, number), segment, timed.items[first:end]
    outside += timed.items[end:]
    if outside:
        yield f"{_name(channel)}-(gap)", Segment(*channel[:1], channel=channel[1]), outside


def _shares_by_pauses(
    channel: ChannelKey, group: Sequence[Segment], timed: _TimedItems, keep: bool
) -> Iterator[tuple[str, Segment, Sequence[TextOrItem]]]:
    """Yield the words of a channel, cut at pauses of both sides."""
    speakers = {segment.speaker for segment in group}
    speaker = speakers.pop() if len(speakers) == 1 else None
    words = _timed_items(group, keep)
    columns = []
    for side in (words, timed):
        # seconds as sclite has them: it does not see a pause that is shorter than a double can hold
        starts = [start / 1e9 for start in side.starts]
        lengths = map(sub, side.ends, side.starts)
        finishes = [start + length / 1e9 for start, length in zip(starts, lengths, strict=True)]
        columns.append(TimedWords([0.0, *starts], [0.0, *finishes], bytes(len(starts) + 1)))
    for number, chunk in enumerate(PauseSearch(*columns).chunks()):
        segment = _segment(words.items[chunk.reference_begin : chunk.reference_end]).replace(
            recording=channel[0], channel=channel[1], speaker=speaker, line=group[0].line
        )
        share = timed.items[chunk.hypothesis_begin : chunk.hypothesis_end]
        yield f"{_name(channel)}-{number:04d}", segment, share


def _timed_items(group: Sequence[Segment], keep: bool) -> _TimedItems:
    """Return the words of a channel in order of time; words of equal time are in file order.

    Plain words are texts; with `keep` they are tokens, which have all columns.
    """
    timed = _TimedItems([], [], [])
    for segment in group:
        if keep or segment.alternations or segment.optional is not None:
            _add_items(timed, segment, keep)
        else:
            timed.starts.extend(segment.starts_ns or ())  # type: ignore[arg-type]
            timed.ends.extend(segment.ends_ns or ())  # type: ignore[arg-type]
            timed.items.extend(segment.words)
    middles = timed.middles
    if middles == sorted(middles):
        return timed
    order = sorted(range(len(middles)), key=middles.__getitem__)
    return _TimedItems(*([column[index] for index in order] for column in timed))  # type: ignore[arg-type]


def _add_items(timed: _TimedItems, segment: Segment, keep: bool) -> None:
    """Add the words and alternatives of a segment to `timed`."""
    from formats.schema.words import Token

    last = (0, 0)
    for item in segment.items():
        tokens = (item,) if isinstance(item, Token) else tuple(item.tokens())
        # a null word has no time: it stays with the word before
        times = [(token.start_ns or 0, token.end_ns or 0) for token in tokens]
        last = max(times, key=sum, default=last)
        timed.starts.append(last[0])
        timed.ends.append(last[1])
        is_plain = isinstance(item, Token) and not item.optional and not keep
        timed.items.append(item.text if is_plain and isinstance(item, Token) else item)


def _segment(items: Sequence[TextOrItem]) -> Segment:
    if PLAIN.issuperset(map(type, items)):
        return Segment("-", tuple(items))  # type: ignore[arg-type]
    from formats.schema.words import Token

    tokens = [Token(item) if isinstance(item, str) else item for item in items]
    return Segment.from_items("-", tokens)


def shifted(reference: Corpus, hypothesis: Corpus, shift: float | str) -> Corpus:
    """Return the hypothesis with a number of seconds added to its times; results below 0 become 0.

    With `auto`, the opposite of the measured shift is added, with a note. If no shift can be
    measured, the times do not change.
    """
    from scoring.sides.messages import NOT_SHIFTED, SHIFTED, Message

    if shift == "auto":
        ours = by_channel(reference.segments)
        clocks = measured_clocks(common_channels(ours, hypothesis), by_middles=True)
        name = hypothesis.name
        if clocks is None or clocks.factor != 1 or not clocks.shift_ns:
            anchors = 0 if clocks is None else clocks.anchors
            remark = Message(NOT_SHIFTED, {"path": name, "anchors": anchors})
            return hypothesis._replace(remarks=(*hypothesis.remarks, remark))
        added = -round(clocks.shift_ns)
        fields = {"path": name, "seconds": added / 1e9, "anchors": clocks.anchors}
        hypothesis = hypothesis._replace(
            remarks=(*hypothesis.remarks, Message(SHIFTED, fields)),
        )
    else:
        added = round(float(shift) * 1e9)

    def moved(time: int | None) -> int | None:
        return None if time is None else max(time + added, 0)

    def moved_all(times: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
        return None if times is None else tuple(map(moved, times))

    return hypothesis._replace(
        segments=[
            segment.replace(
                start_ns=moved(segment.start_ns),
                end_ns=moved(segment.end_ns),
                starts_ns=moved_all(segment.starts_ns),
                ends_ns=moved_all(segment.ends_ns),
            )
            for segment in hypothesis.segments
        ]
    )


def timing_remarks(
    reference: Corpus, hypothesis: Corpus, are_dealt: bool = True
) -> Iterator[Message]:
    """Yield warnings about times from another clock, and about equal or overlapping segments.

    For `are_dealt` see `clock_remarks`.
    """
    for side in (reference, hypothesis):
        yield from _simultaneous(side)
    ours = by_channel(reference.segments)
    common = common_channels(ours, hypothesis)
    clocks = list(clock_remarks(common, hypothesis.name, hypothesis.format, are_dealt))
    yield from clocks or _cut_short(common, reference.name, hypothesis.name)
    shares = {channel: _overlap(group) for channel, group in ours.items()}
    notable = {channel: share for channel, share in shares.items() if share > NOTABLE_OVERLAP}
    if notable:
        from scoring.sides.messages import OVERLAP, OVERLAPS, Message

        (recording, channel), share = max(notable.items(), key=lambda row: row[1])
        about = {"path": reference.name, "channel": channel, "recording": recording}
        if len(notable) > 1:
            more = len(notable) - 1
            yield Message(OVERLAPS, {**about, "percent": 100 * share, "more": more})
        else:
            yield Message(OVERLAP, {**about, "percent": 100 * share})


def _cut_short(
    common: Sequence[tuple[Sequence[Segment], Sequence[Segment]]], reference: str, name: str
) -> Iterator[Message]:
    """Yield a warning if the hypothesis `name` ends early or begins late in its recordings.

    The words of the reference in segments before the first and after the last word of the
    hypothesis must be a notable share of all its words.
    """
    lacking: dict[str, list[tuple[int, int, str]]] = {"ends": [], "begins": []}
    for ours, theirs in common:
        left, right = _stretch(ours), _stretch(theirs)
        if left is None or right is None:
            continue
        before = (len(each.words) for each in ours if (_times(each) or right)[1] <= right[0])
        after = (len(each.words) for each in ours if (_times(each) or left)[0] >= right[1])
        for way, gap, rest in (
            ("ends", left[1] - right[1], after),
            ("begins", right[0] - left[0], before),
        ):
            if gap >= LEAST_GAP_NS and (words := sum(rest)):
                lacking[way].append((gap, words, ours[0].recording))
    for way, rows in lacking.items():
        words = sum(row[1] for row in rows)
        total = sum(len(each.words) for ours, _ in common for each in ours) if words else 0
        if words < NOTABLE_GAP * total or not words:
            continue
        from scoring.sides.messages import CUT_SHORT, Message

        gap, _, recording = max(rows)
        fields = {"path": name, "reference": reference, "minutes": gap / 60e9}
        share = {"words": words, "percent": 100 * words / total}
        where = {"recording": recording, "more": len(rows) - 1} if len(rows) > 1 else {}
        yield Message(CUT_SHORT[way, len(rows) > 1], {**fields, **share, **where})


def _stretch(segments: Iterable[Segment]) -> tuple[int, int] | None:
    """Return the first and the last time of the words of segments; None if there are no times."""
    times = [each for segment in segments if segment.words and (each := _times(segment))]
    if not times:
        return None
    begins, ends = zip(*times, strict=True)
    return min(begins), max(ends)


def _times(segment: Segment) -> tuple[int, int] | None:
    """Return the first and the last time of a segment or of its words; None without any."""
    if segment.start_ns is not None and segment.end_ns is not None:
        return segment.start_ns, segment.end_ns
    starts = [segment.start_ns, *(segment.starts_ns or ())]
    ends = [segment.end_ns, *(segment.ends_ns or ())]
    known = [time for time in (*starts, *ends) if time is not None]
    return (min(known), max(known)) if known else None


def _simultaneous(side: Corpus) -> Iterator[Message]:
    """Yield a warning about segments with equal times, unless they have different speakers."""
    times = [(each.recording, each.start_ns, each.end_ns) for each in side.segments]
    if len(set(times)) == len(times):
        return
    first: dict[tuple[object, ...], Segment] = {}
    pairs: list[tuple[Segment, Segment]] = []
    for segment in side.segments:
        span = segment.start_ns, segment.end_ns
        if segment.tier is None and segment.words and None not in span:
            key = segment.recording, segment.channel or ONLY_CHANNEL, *span
            earlier = first.setdefault(key, segment)
            if earlier is not segment and segment.speaker in (None, earlier.speaker):
                pairs.append((earlier, segment))
    if pairs:
        from scoring.sides.messages import SAME_TIMES, SAME_TIMES_IN_LINES, Message

        left, right = pairs[0]
        words, other = (" ".join(segment.words[:3]) for segment in pairs[0])
        fields = {"path": side.name, "pairs": len(pairs), "words": words, "other": other}
        if None in (left.line, right.line):
            yield Message(SAME_TIMES, fields)
        else:
            lines = {"line": left.line, "other_line": right.line}
            yield Message(SAME_TIMES_IN_LINES, {**fields, **lines})


def clock_remarks(
    common: Sequence[tuple[Sequence[Segment], Sequence[Segment]]],
    name: str,
    format_name: str | None,
    are_dealt: bool = True,
) -> Iterator[Message]:
    """Yield a warning if the times of the hypothesis `name` come from another clock or unit.

    Clocks are measured with words that occur once on each side of a common channel. If there are
    too few, the latest times are compared. `are_dealt` is True if words are assigned by time. If
    it is False, shifts are reported only for files without times of words, such as subtitles.
    """
    clocks = measured_clocks(common, by_middles=not are_dealt)
    is_whole = clocks is not None and clocks.factor == 1 and not are_dealt
    if clocks is not None and (clocks.agree or (is_whole and not clocks.are_estimated)):
        return
    from scoring.sides import messages
    from scoring.sides.side_files import takes_option

    hypothesis_latest, reference_latest = (
        max(
            (
                time
                for pair in common
                for segment in pair[side]
                for time in (segment.end_ns, *(segment.ends_ns or ())[-1:])
                if time
            ),
            default=0,
        )
        / 1e9
        for side in (1, 0)
    )
    unit = unit_remark(name, hypothesis_latest, reference_latest)
    if clocks is None or (unit is not None and _is_of(unit, clocks.factor)):
        if unit is not None:
            yield unit
        return
    fields = {
        "path": name,
        "anchors": clocks.anchors,
        "inside": clocks.inside,
        "fitting": clocks.fitting,
    }
    seconds = clocks.shift_ns / 1e9
    way = "later" if seconds > 0 else "earlier"
    shift = {**fields, "seconds": abs(seconds)}
    if clocks.are_estimated and takes_option(format_name, "stretch"):
        if clocks.factor != 1:
            yield _stretched(clocks, name)
            return
        if is_whole:
            yield _shift_of_captions(clocks, name)
            return
    if not seconds:
        yield messages.Message(messages.FACTOR, {**fields, "factor": clocks.factor})
    elif clocks.factor != 1:
        yield messages.Message(messages.OTHER_CLOCK[way], {**shift, "factor": clocks.factor})
    elif is_whole:
        yield messages.Message(messages.SHIFT_OF_WHOLE[way], shift)
    elif takes_option(format_name, "offset"):
        offset = f"{-seconds:.2f}"
        yield messages.Message(messages.SHIFT_TO_CORRECT[way], {**shift, "offset": offset})
    else:
        yield messages.Message(messages.SHIFT[way], shift)


def _shift_of_captions(clocks: Clocks, name: str) -> Message:
    """Return a note about captions that are late or early throughout."""
    from scoring.sides.messages import SHIFT_OF_CAPTIONS, Message

    seconds = clocks.shift_ns / 1e9
    segments, inside, fitting = clocks.segments
    counts = {"segments": segments, "inside": inside, "fitting": fitting}
    fields = {"path": name, "seconds": abs(seconds), **counts}
    return Message(SHIFT_OF_CAPTIONS["later" if seconds > 0 else "earlier"], fields)


def _stretched(clocks: Clocks, name: str) -> Message:
    """Return a warning about captions whose times run faster or slower than the reference."""
    import os
    from shlex import quote

    from scoring.sides.messages import STRETCHED, Message

    stem, suffix = os.path.splitext(name)
    segments, inside, fitting = clocks.segments
    made, shown = clocks.frame_rates or ("", "")
    moved = clocks.shift_ns / 1e9
    fields = {
        "path": name,
        "percent": 100 * clocks.factor,
        "made": made,
        "shown": shown,
        "seconds": moved,
        "segments": segments,
        "inside": inside,
        "fitting": fitting,
        "stretch": f"{shown}/{made}" if made else f"{1 / clocks.factor:.7g}",
        "offset": f"{-moved / clocks.factor:.2f}",
        "shell_path": quote(name),
        "target": quote(f"{stem}-corrected{suffix}"),
    }
    return Message(STRETCHED[bool(made), bool(moved)], fields)


def _is_of(remark: Message, factor: float) -> bool:
    """Return True if a measured factor agrees with the factor in a remark about units."""
    stated = float(remark.fields["factor"])
    return stated >= 10 and any(0.9 < ratio / stated < 1.1 for ratio in (factor, 1 / factor))


def unit_remark(name: str, hypothesis: float, reference: float) -> Message | None:
    """Return a warning if both sides' latest times (seconds) differ by the ratio of two units.

    >>> print(str(unit_remark("talk.ctm", 301.5, 100.0))[:45])
    talk.ctm: the file ends at 301.5 s, but the r
    >>> unit_remark("talk.srt", 12.5, 60.0) is None
    True
    """
    if not reference or not hypothesis:
        return None
    from scoring.sides import messages

    for factor, unit in UNITS:
        nearness = 1.03 if factor < 10 else 1.25
        if factor < 10 and min(hypothesis, reference) < LEAST_SECONDS:
            continue  # of a short text three times as much may well be recognised
        ratios = (
            (hypothesis / reference, messages.OWN_UNIT),
            (reference / hypothesis, messages.UNIT_OF_REFERENCE),
        )
        for ratio, entry in ratios:
            if factor / nearness < ratio < factor * nearness:
                fields = {"latest": hypothesis, "reference": reference, "factor": factor}
                return messages.Message(entry, {"path": name, **fields, "unit": unit})
    return None


def _overlap(group: Sequence[Segment]) -> float:
    """Return the share of the segments' time in which at least two segments overlap."""
    spans = sorted(
        (each.start_ns, each.end_ns)
        for each in group
        if each.start_ns is not None and each.end_ns is not None and each.start_ns < each.end_ns
    )
    spoken = shared = 0
    # the times up to which spans are counted as spoken, and as shared
    latest = doubled = spans[0][0] if spans else 0
    for start, end in spans:
        if start < latest:
            stop = min(end, latest)
            shared += max(stop - max(start, doubled), 0)
            doubled, start = max(stop, doubled), latest
        if start < end:
            spoken += end - start
            latest = end
    return shared / spoken if spoken else 0.0
