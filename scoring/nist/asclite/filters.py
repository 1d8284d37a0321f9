"""Steps before grouping: drop unscored segments, map speakers, add gaps, check the input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor

from formats.schema import NamedTuple
from scoring.nist.asclite.choices import (
    BOTH,
    DEBUG,
    ERROR,
    FILTERED,
    HYPOTHESIS,
    INFO,
    MISSING,
    REFERENCE,
    UNREADABLE,
    WARN,
    AscliteOptions,
    Log,
    leading_float,
    some,
)
from scoring.nist.asclite.groups import groups, unsorted
from scoring.nist.asclite.network_words import (
    GAP,
    NetworkSegment,
    Numbering,
    Speech,
    Speeches,
    unlink,
)
from scoring.nist.asclite.readers import FIELD, lines_of

MAP_HEADER = "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap"


class ScoredPart(NamedTuple):
    """A scored interval of a recording. Times are in milliseconds."""

    file: str
    channel: str
    begin: int
    end: int


def read_uem(path: str, log: Log) -> list[ScoredPart]:
    """Read the scored intervals of a uem file."""
    parts = []
    for number, line in enumerate(lines_of(path, log, "Error opening file ")):
        if line.startswith(";"):
            continue
        fields = FIELD.findall(line)
        if len(fields) < 4:
            log.say(ERROR, f"Error parsing the line {number} in file {path}")
            continue
        begin, end = (floor(1000.0 * leading_float(text) + 0.5) for text in fields[2:4])
        if begin < end:
            parts.append(ScoredPart(fields[0], fields[1], begin, end))
        else:
            log.say(
                ERROR,
                f"The time is not proper at the line {number} in file {path}: begin time "
                f"{fields[2]} and endtime {fields[3]}",
            )
    log.say(INFO, f"loading of file '{path}' done")
    if not parts:
        raise log.fatal(UNREADABLE, f"UEM file '{path}' contains no data!")
    return parts


SpeakerMap = dict[tuple[str, str, str], str]


def read_speaker_map(path: str, log: Log) -> SpeakerMap:
    """Read a speaker map, which pairs reference speakers with speakers of the system."""
    speakers: SpeakerMap = {}
    for number, line in enumerate(lines_of(path, log, "Error opening SpeakerMatch file ")):
        if line.startswith("#") or line == MAP_HEADER:
            continue
        fields = line.split(",")
        if len(fields) > 6:
            log.say(ERROR, f"Too much: Error parsing the line {number} in file {path}")
            raise log.refuse(
                FILTERED, f"{path}:{number + 1}: expected six fields, found {len(fields)}"
            )
        if len(fields) < 6:
            log.say(ERROR, f"Too few: Error parsing the line {number} in file {path}")
            fields += [""] * (6 - len(fields))
        file, channel, reference, system, mapped, _ = fields
        if mapped != "mapped":
            continue
        if (file, channel, system) in speakers:
            log.say(WARN, f"{file} {channel} {system} exists! -> IGNORED")
        else:
            speakers[file, channel, system] = reference
    log.say(INFO, f"loading of file {path} done")
    return speakers


def apply(
    choices: AscliteOptions,
    intervals: Sequence[ScoredPart] | None,
    speaker_map: SpeakerMap | None,
    references: Sequence[Speeches],
    hypotheses: Sequence[Speeches],
    numbers: Numbering,
    log: Log,
) -> None:
    """Apply all filters to both sides: drop segments, and add segments for gaps."""
    in_trn = choices.reference is not None and choices.reference.format == "trn"
    makes_gaps = choices.gaps and not in_trn and not choices.generic
    uses_map = intervals is not None and not in_trn
    names: list[tuple[str, str | None]] = []
    if choices.overlap_side:
        names.append(("filter.spkrautooverlap", choices.overlap_side))
    if uses_map or makes_gaps:
        names.append(("filter.uem", choices.uem_side if uses_map else None))
    errors = 0
    for name, wanted in names:
        log.say(INFO, f"Filtering ==> {name} - pass 1")
        sides: list[tuple[str, str, Sequence[Speeches]]] = [
            (REFERENCE, "references", references),
            (HYPOTHESIS, "hypotheses", hypotheses),
        ]
        for side, plural, files in sides:
            if wanted not in (side, BOTH) or not files:
                continue
            log.say(INFO, f"Filtering ==> {name} {plural}")
            for speech in (speech for file in files for speech in file.speeches):
                if name == "filter.uem":
                    strict = side == REFERENCE or choices.generic
                    errors += _within(speech, intervals or (), strict, log)
                else:
                    errors += _overlaps(speech, log)
    for name, _ in names:
        log.say(INFO, f"Filtering ==> {name} - pass 2")
        if name == "filter.uem" and makes_gaps:
            log.say(INFO, f"Filtering ==> {name} processing")
            if (
                not any(file.speeches and any(file.segments()) for file in references)
                and not errors
            ):
                return
            _add_gaps(choices, intervals, references, hypotheses, numbers, log)
    if speaker_map is not None and not _matched(speaker_map, references, hypotheses):
        log.say(WARN, "Speaker map checking - No matching Detected")
    if errors:
        raise log.fatal(FILTERED, f"{errors} Error(s) in the input files during the filtering")


def sort_segments(files: Sequence[Speeches], log: Log) -> None:
    """Sort the segments of each speaker by start time."""
    for file in files:
        count = unsorted(file)
        for speech in file.speeches:
            speech.segments.sort(key=lambda segment: (segment.begin, segment.end))
        if count:
            log.remark(f"{file.name}: {some(count, 'segment')} begin before the one in front ends")


def _overlaps(speech: Speech, log: Log) -> int:
    count = 0
    for segment, following in pairwise(speech.segments):
        if following.begin < segment.end and (segment.file, segment.channel) == (
            following.file,
            following.channel,
        ):
            count += 1
            log.say(
                ERROR,
                f"Error: The speaker {following.speaker} for source: {following.file}, channel: "
                f"{following.channel} Overlap himself between: ({segment.begin}, {segment.end}) "
                f"==> ({following.begin}, {following.end})",
            )
    return count


def _within(speech: Speech, intervals: Sequence[ScoredPart], strict: bool, log: Log) -> int:
    """Drop the segments of a speaker that are outside all intervals; return the number of errors.

    With `strict` (for references), a segment must be completely inside an interval, and an interval
    that cuts a segment is an error. Otherwise only the midpoint of a segment must be inside.
    """
    errors = 0
    kept = []
    for segment in speech.segments:
        regions = [
            region
            for region in intervals
            if segment.file.startswith(region.file) and segment.channel == region.channel
        ]
        keep = False
        for region in regions:
            if strict:
                keep = region.begin <= segment.begin and segment.end <= region.end
            else:
                keep = region.begin <= segment.middle <= region.end
            if keep:
                break
            if strict and _cut(segment, region):
                errors += 1
                log.say(
                    ERROR,
                    f"UEMFilter - Segment in '{segment.file}/{segment.channel}' has an unproper "
                    f"time [{segment.begin}, {segment.end}] regarding the UEM file with times: "
                    f"({region.file}/{region.channel}) [{region.begin}, {region.end}]",
                )
        if keep:
            kept.append(segment)
            continue
        middle = "" if strict else f" (mid: {segment.middle})"
        reason = (
            "regarding the UEM file rules"
            if regions
            else "because nothing has been defined for these file and channel in UEM file"
        )
        log.say(
            INFO,
            f"UEMFilter - Removing segment in '{segment.file}/{segment.channel}' with times "
            f"[{segment.begin}, {segment.end}]{middle} {reason}",
        )
        unlink(segment)
    speech.segments[:] = kept
    return errors


def _cut(segment: NetworkSegment, region: ScoredPart) -> bool:
    begins_before, ends_behind = segment.begin < region.begin, region.end < segment.end
    return (
        (begins_before and region.begin < segment.end < region.end)
        or (begins_before and ends_behind)
        or (region.begin < segment.begin < region.end and ends_behind)
    )


def _matched(
    speaker_map: SpeakerMap, references: Sequence[Speeches], hypotheses: Sequence[Speeches]
) -> bool:
    """Return True if the map pairs any reference speaker with a speaker of the hypotheses."""
    heard = {
        (segment.file, segment.channel, segment.speaker)
        for file in hypotheses
        for segment in file.segments()
    }
    return any(
        (file, channel, speaker_map.get((file, channel, speaker), "")) in heard
        for file, channel, speaker in {
            (segment.file, segment.channel, segment.speaker)
            for reference in references
            for segment in reference.segments()
        }
    )


def _add_gaps(
    choices: AscliteOptions,
    intervals: Sequence[ScoredPart] | None,
    references: Sequence[Speeches],
    hypotheses: Sequence[Speeches],
    numbers: Numbering,
    log: Log,
) -> None:
    """Add segments of an artificial gap speaker between the segments of the real speakers.

    Without a uem file, asclite adds the first and the last time of the recording to a list of
    times, once per hypothesis word, and reads the sorted list in pairs. Therefore it creates gaps
    only if the number of words is odd.
    """
    if any(segment.speaker == GAP for file in references for segment in file.segments()):
        log.say(
            INFO,
            "UEMFilter: Inter Segment Gap detected on the input - Abording addition of ISGs",
        )
        return
    log.say(INFO, "UEMFilter:  Adding Inter Segment Gaps to references")
    times: dict[tuple[str, str], list[int]] = {}
    begins: dict[tuple[str, str], set[int]] = {}
    last_line = last_sequence = 0
    for group in groups(references, (), numbers, log):
        segments = [segment for axis in group.references for segment in axis]
        stream = segments[-1].file, segments[-1].channel
        begin = min(segment.begin for segment in segments)
        end = max(segment.end for segment in segments)
        last_line = max(last_line, *(segment.line for segment in segments))
        last_sequence = max(last_sequence, *(segment.sequence for segment in segments))
        times.setdefault(stream, []).extend((begin, end))
        begins.setdefault(stream, set()).add(begin)
        border = min(times[stream]), max(times[stream])
        for text in (f"SG {group.number} time", "Border SG time"):
            low, high = (begin, end) if text.startswith("SG") else border
            log.say(
                DEBUG,
                f"UEMFilter::ProcessSpeechSet() - {text} for '{stream[0]}/{stream[1]}' with times: "
                f"{low} {high}",
            )
    if intervals is not None:
        for interval in intervals:
            if (interval.file, interval.channel) in times:
                times[interval.file, interval.channel] += [interval.begin, interval.end]
    else:
        _add_heard(times, choices.complete, hypotheses, log)
    speech = Speech()
    for stream in sorted(times):
        pairs = sorted(times[stream])
        for begin, end in zip(pairs[::2], pairs[1::2], strict=True):
            if begin in begins[stream] or begin == end:
                continue
            gap = NetworkSegment(numbers.take(3), begin, end, *stream, GAP)
            last_line += 1
            last_sequence += 1
            gap.line, gap.sequence = last_sequence, last_line
            gap.identifier = f"(Inter_Segment_Gap-{len(speech.segments):03d})"
            speech.segments.append(gap)
            log.say(
                DEBUG,
                f"UEMFilter::ProcessSpeechSet() - Adding ISG for '{stream[0]}/{stream[1]}' with "
                f"times: {begin} {end}",
            )
    references[0].speeches.append(speech)


def _add_heard(
    times: dict[tuple[str, str], list[int]], always: bool, hypotheses: Sequence[Speeches], log: Log
) -> None:
    heard: dict[tuple[str, str], list[NetworkSegment]] = {}
    for file in hypotheses:
        for segment in file.segments():
            place = segment.file, segment.channel
            if place not in times:
                known = {name for name, _ in times}
                missing = (
                    f"'{segment.file}' channel '{segment.channel}'"
                    if segment.file in known
                    else f"file '{segment.file}'"
                )
                raise log.fatal(
                    MISSING,
                    f"UEMFilter::ProcessSpeechSet() - mapMinHypTime {missing} not defined",
                )
            heard.setdefault(place, []).append(segment)
    for place, segments in heard.items():
        words = [word for segment in segments for word in segment.words()]
        begin = min([*times[place], *(word.begin for word in words)])
        end = max([*times[place], *(word.end for word in words)])
        times[place] += [begin, end] * (1 if always else len(segments))
