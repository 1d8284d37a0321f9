"""Writer of rttm files: sorting, rounding and choice of record types."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import TypeAlias

from formats.detection.spec import SegmentSource
from formats.io.messages import RULE_GENDER_OF_NOBODY, RULE_IN_REGIONS, RULE_NO_TIMES
from formats.io.sink import Sink
from formats.nist.messages import (
    RTTM_OUTSIDE,
    RULE_EVENTS_AND_REGIONS,
    RULE_GENDER_WITH_BLANKS,
    RULE_LAYER_LABELS,
    RULE_NO_TURN,
    RULE_OTHER_GENDER,
    RULE_SPEAKER_INFO,
    RULE_SPEECH_ONLY,
    RULE_SUBTYPE,
    RULE_TURNS_ONLY,
    RULE_WITHOUT_TIMES,
    RULE_WORDS_JOINED_UNDERSCORE,
    RULE_WRITTEN_AS_OTHER,
)
from formats.nist.rttm_turns import SLACK, WrittenRecord, count_what_moves
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import format_time
from formats.writing.out import Out, decimal_text

RttmRow: TypeAlias = "tuple[str, str, int, str]"

EVENTS = ("NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "LEXEME")
VOICES = ("laugh", "breath", "lipsmack", "cough", "sneeze")
POINTS = ("IP", "CB")
SPEECH = "speech"
GENDERS = {"m": "adult_male", "male": "adult_male", "f": "adult_female", "female": "adult_female"}


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    rttm_words: bool = False,
    speaker_info: bool = False,
    speech_only: bool = False,
) -> None:
    """Write all turns, events and regions, sorted by recording, channel and start.

    `rttm_words` writes the words, and `speaker_info` a SPKR-INFO record for each speaker, which
    NIST's validator needs (``unknown`` stands for missing data). Both are optional, because most
    readers treat every line as a turn. End points are rounded, and durations are the differences of
    rounded end points.
    """
    has_info = speaker_info or speech_only
    writer = _Writer(precision, rttm_words and not speech_only, has_info)
    rows: list[RttmRow] = []
    for segment in segments:
        out = Out(segment, sink)
        if not speech_only or _is_speech(out):
            rows.extend(writer.rows(out))
    count_what_moves(writer.marks, sink.losses, sink.source)
    speakers = sorted(writer.speakers.items(), key=itemgetter(0)) if has_info else ()
    for (recording, channel, speaker), gender in speakers:
        sink.write(f"SPKR-INFO {recording} {channel} <NA> <NA> <NA> {gender} {speaker} <NA> <NA>\n")
    for *_, row in sorted(rows, key=itemgetter(0, 1, 2)):
        sink.write(row)


def _is_speech(out: Out) -> bool:
    """Return True for a segment with speech, and make it a turn of an unknown speaker.

    Return False for any other segment, and count it as lost.
    """
    segment = out.segment
    lost = {"event": "events", "ignored": "ignored regions", "scored": "scored regions"}
    rule = RULE_SPEECH_ONLY
    if segment.kind in lost:
        out.lost(lost[segment.kind], rule=rule)
        return False
    properties = tuple(item for item in segment.properties if item[0] != "gender")
    out.lost("properties", len(segment.properties) - len(properties), rule)
    out.lost("speakers", int(segment.speaker not in (None, SPEECH)), rule)
    out.segment = segment.replace(speaker=SPEECH, properties=properties)
    return True


class _Writer:
    """Converts segments to rows with sorting keys."""

    def __init__(self, precision: int, has_words: bool, has_info: bool) -> None:
        self.precision = precision
        self.has_words = has_words
        self.has_info = has_info
        self.speakers: dict[tuple[str, str, str], str] = {}
        self.marks: list[WrittenRecord] = []
        self.number = 0

    def rows(self, out: Out) -> Iterator[RttmRow]:
        """Yield the records of one segment, event or region."""
        self.number += 1
        segment = out.segment
        recording = out.name(segment.recording, "recording")
        channel = out.name(segment.channel, "channel")
        speaker = _field(out, segment.speaker, "speaker")
        if not self.has_info:
            rule = RULE_SPEAKER_INFO
            out.lost("properties", int(segment.get("gender") is not None), rule)
        elif segment.speaker is not None:
            self._note_gender(out, (recording, channel, speaker))
        elif segment.get("gender") is not None:
            out.lost("properties", rule=RULE_GENDER_OF_NOBODY)
        key = recording, channel
        if segment.kind in ("segment", "gap"):
            yield from self._spoken(out, speaker, key)
            return
        if _is_layer(segment):
            out.lost("events", rule=RULE_LAYER_LABELS)
            return
        kind = _type_of(out)
        expected = f"times in order for {kind}"
        start, end = out.in_order(expected, segment.start_ns, segment.end_ns, self.precision)
        self._mark(key, speaker, "other", start, end)
        yield *key, start, self._other(out, kind, f"{recording} {channel}", speaker, start, end)

    def _mark(self, key: tuple[str, str], speaker: str, kind: str, start: int, end: int) -> None:
        """Store a record of the current segment, so that `count_what_moves` can check it."""
        mark = WrittenRecord(*key, speaker, kind, start, end, self.number, len(self.marks))
        self.marks.append(mark)

    def _note_gender(self, out: Out, key: tuple[str, str, str]) -> None:
        """Store the gender of a speaker; the first gender is kept."""
        gender = out.segment.get("gender") or "unknown"
        gender = GENDERS.get(gender.lower(), gender)
        if any(blank in gender for blank in " \t\r\n\0"):
            out.lost("properties", rule=RULE_GENDER_WITH_BLANKS)
            gender = "unknown"
        first = self.speakers.get(key, "unknown")
        if first == "unknown":
            self.speakers[key] = gender
        elif gender not in ("unknown", first):
            out.lost("properties", rule=RULE_OTHER_GENDER)

    def _spoken(self, out: Out, speaker: str, key: tuple[str, str]) -> Iterator[RttmRow]:
        """Yield the record of a turn if it has times, then the records of its words."""
        segment, head = out.segment, " ".join(key)
        out.lost("tiers", int(segment.tier is not None))
        if segment.start_ns is None and segment.end_ns is None:
            out.lost("empty segments", int(not segment.words), RULE_NO_TIMES)
            out.lost("segment confidences", int(segment.confidence is not None), RULE_NO_TURN)
            for name in ("lookahead", "orthography", "subtype"):
                out.lost("properties", int(segment.get(name) is not None), RULE_NO_TURN)
        else:
            expected = "times in order for a turn"
            times = segment.start_ns, segment.end_ns
            start, end = out.in_order(expected, *times, self.precision)
            text = _field(out, segment.get("orthography"), "orthography")
            subtype = _field(out, segment.get("subtype"), "subtype")
            record = f"SPEAKER {head} {self._times(start, end)} {text} {subtype} {speaker} "
            self._mark(key, speaker, "turn", start, end)
            yield *key, start, record + _tail(out)
        if not self.has_words:
            out.lost("words", len(segment.words), RULE_TURNS_ONLY)
            return
        for index in range(len(segment.words)):
            if _has_time(segment, index):
                yield self._word(out, index, speaker, key)
            else:
                out.lost("words", rule=RULE_WITHOUT_TIMES)

    def _word(self, out: Out, index: int, speaker: str, key: tuple[str, str]) -> RttmRow:
        """Return the LEXEME record of a word."""
        segment = out.segment
        text = _field(out, segment.words[index], "word")
        start = None if segment.starts_ns is None else segment.starts_ns[index]
        end = None if segment.ends_ns is None else segment.ends_ns[index]
        expected = f"times in order for the word {quoted(text)}"
        first, last = out.in_order(expected, start, end, self.precision)
        if not _is_within(segment, start or 0, end or 0):
            out.sink.log.say(RTTM_OUTSIDE, text=text, seconds=(start or 0) / 1e9)
        subtype = _subtype(out, index)
        score = None if segment.confidences is None else segment.confidences[index]
        confidence = "<NA>" if score is None else decimal_text(score)
        self._mark(key, speaker, "word", first, last)
        record = f"LEXEME {' '.join(key)} {self._times(first, last)} {text} {subtype} {speaker} "
        return *key, first, f"{record}{confidence} <NA>\n"

    def _times(self, start: int, end: int) -> str:
        """Return the fields for begin and duration."""
        return f"{format_time(start, self.precision)} {format_time(end - start, self.precision)}"

    def _other(self, out: Out, kind: str, head: str, speaker: str, start: int, end: int) -> str:
        """Return the line of a region or an event."""
        segment = out.segment
        subtype = segment.get("subtype")
        if segment.kind == "event":
            out.lost("properties", int(subtype is not None), RULE_SUBTYPE)
            subtype = "_".join(segment.words) if segment.words else None
            out.lost("names of events", int(len(segment.words) > 1), RULE_WORDS_JOINED_UNDERSCORE)
        else:
            out.lost("words", len(segment.words), RULE_IN_REGIONS)
        rule = RULE_EVENTS_AND_REGIONS
        out.lost("confidences", int(segment.confidences is not None), rule)
        out.lost("word times", int((segment.starts_ns or segment.ends_ns) is not None), rule)
        text = _field(out, segment.get("orthography"), "orthography")
        times = self._times(start, end)
        if kind in POINTS:
            out.lost("durations of points", int(end > start), kind)
            times = f"{format_time(start, self.precision)} <NA>"
        return (
            f"{kind} {head} {times} {text} {_field(out, subtype, 'subtype')} {speaker} {_tail(out)}"
        )


def _has_time(segment: Segment, index: int) -> bool:
    """Return True if a word has a begin and an end."""
    starts, ends = segment.starts_ns or (), segment.ends_ns or ()
    return bool(starts and ends) and starts[index] is not None and ends[index] is not None


def _field(out: Out, text: str | None, noun: str) -> str:
    """Return `text`, or ``<NA>`` if there is no text."""
    if text is None:
        return "<NA>"
    if text.lower() == "<na>":
        found = f"{quoted(text)}, which would be read as none"
        raise out.refuse(f"a {noun} that the format can hold", found)
    return out.name(text, noun)


def _subtype(out: Out, index: int) -> str:
    """Return the subtype of a word."""
    kind = None if out.segment.kinds is None else out.segment.kinds[index]
    if kind is None:
        return "lex"
    if not kind or kind.lower() in ("lex", "<na>") or any(c in kind for c in " \t\r\n\0"):
        out.lost("word types", rule=RULE_WRITTEN_AS_OTHER)
        return "other"
    return kind


def _tail(out: Out) -> str:
    """Return the fields for confidence and lookahead."""
    segment = out.segment
    confidence = "<NA>" if segment.confidence is None else decimal_text(segment.confidence)
    return f"{confidence} {_field(out, segment.get('lookahead'), 'lookahead')}\n"


def _is_layer(segment: Segment) -> bool:
    """Return True for a label on a speaker's tier that is not one of our tiers of events.

    ELAN's files have such tiers.
    """
    is_ours = segment.tier is None or segment.tier in EVENTS
    return segment.kind == "event" and segment.speaker is not None and not is_ours


def _type_of(out: Out) -> str:
    """Return the type under which a region or event is written."""
    segment = out.segment
    if segment.kind == "ignored" and segment.tier == "NO_RT_METADATA":
        return "NO_RT_METADATA"
    if segment.kind == "event" and segment.tier in EVENTS:
        return segment.tier
    out.lost("tiers", int(segment.tier is not None))
    if segment.kind != "event":
        return "SEGMENT" if segment.kind == "scored" else "NOSCORE"
    name = segment.words[0].lower() if len(segment.words) == 1 else ""
    return "NON-LEX" if name in VOICES else "NON-SPEECH"


def _is_within(segment: Segment, start: int, end: int) -> bool:
    """Return True if a reader would put a word into its turn, or if the turn has no times."""
    first, last = segment.start_ns, segment.end_ns
    return first is None or last is None or (start >= first - SLACK and end <= last + SLACK)
