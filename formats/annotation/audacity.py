r"""audacity: label tracks of the sound editor Audacity, ``start TAB end TAB label``.

Times are decimal seconds, usually with six decimals. A line ``\ TAB low TAB high`` holds the
frequencies of the label above it. Everything after the second tab is the label.

========================  =============================================================
in the file               in the schema
========================  =============================================================
label of a region         a `Segment` with the label's words
point, start equals end   a `Segment` with the label's words; without a label, an ``event``
frequencies               ``properties["frequencies"]``: the two numbers with a blank
``[[anne]]`` before text  `Segment.speaker`, as in WhisperX's output
========================  =============================================================

In some locales, Audacity writes decimal commas. They are read, with a warning, if every number has
one.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from formats.annotation.messages import (
    AUDACITY_BANDS,
    AUDACITY_CLASSES,
    AUDACITY_COMMA,
    AUDACITY_NAMES,
    AUDACITY_OPEN,
    AUDACITY_POINT,
    AUDACITY_SPEAKERS,
    RULE_FREQUENCIES,
    RULE_LEVEL,
    RULE_NO_WORDS,
    RULE_ONE_RUN_WORDS,
    RULE_READ_AS_POINTS,
    RULE_READ_AS_SILENCE,
    RULE_WRITTEN_AS_LABELS,
    RULE_WRITTEN_AS_WORDS,
)
from formats.detection.spec import FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.io.messages import TIME_DIGITS
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.label_speakers import LABEL_IS, reads_labels
from formats.reading.lines import (
    Line,
    filled_lines,
    note_unicode_blanks,
    sniff_share,
    split_words,
    strip_blanks,
)
from formats.reading.silence import classes_of, is_silence
from formats.reading.speakers import common_prefix, is_label
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import is_finer_than_a_nanosecond, is_time, parse_time, round_time
from formats.schema.words import Alternation, Token
from formats.writing.out import Out

A_DAY = 100_000
LEVELS = ("segment", "word")
OPEN = r"-1(?:[.,]0*)?"
FEWEST_WORDS = 10
"""The fewest words whose pace shows the unit of times."""
TABS = 2
"""Between start, end and label."""
LABEL = re.compile(rf"[0-9]+(?:[.,][0-9]*)?\t(?:[0-9]+(?:[.,][0-9]*)?|{OPEN})(?:\t|\Z)", re.ASCII)
FRAGMENT_ID = re.compile(r"[fn][0-9]{3,9}|p[0-9]{6}(?:s[0-9]{6}(?:w[0-9]{6})?)?")
"""Ids that aeneas invents; a label track has texts in their place."""
FREQUENCIES = re.compile(r"\\\t(-?[0-9.,]+)\t(-?[0-9.,]+)[ \t]*\Z", re.ASCII)


SPEAKER = re.compile(r"\[\[([^\[\]]{1,60})\]\](?=[^\[\]])")
"""The text that WhisperX writes before that of a label."""
NUMBERED = re.compile(r"\[([0-9]{1,3})\][ ](?=\S)")
"""A number of a speaker, as NeMo writes it before words, if each label has one."""


@reads_labels
def read(source: Source, *, level: str = "segment") -> Iterator[Segment]:
    """Yield one segment per label, in the order of the file."""
    _warn_of_classes(source)
    reader = _LabelReader(source)
    lines = chain(filled_lines(source), (None,))
    labels = source.log.accepted("AUDACITY-SYNTAX", reader.labels, lines)
    return _as_words(source, labels) if level == "word" else labels


def _warn_of_classes(source: Source) -> None:
    """Warn if the labels look like names of classes: a few single words that repeat often."""
    rows = [line.split("\t", 2) for line in source.head_lines() if strip_blanks(line)]
    labels, classes = classes_of(row[2] for row in rows if len(row) == 3)
    if classes and not all(map(is_label, classes)):
        source.log.say(AUDACITY_CLASSES, labels=labels, classes=len(classes), names=classes[:4])


class _LabelReader:
    """Reads labels. A file with both decimal points and decimal commas is an error."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.point: str | None = None
        self.pending: Segment | None = None
        texts = [line.split("\t", 2)[-1] for line in source.head_lines() if strip_blanks(line)]
        is_numbered = len(texts) > 1 and all(map(NUMBERED.match, texts))
        self.speaker = NUMBERED if is_numbered else SPEAKER
        if is_numbered:
            source.log.say(AUDACITY_SPEAKERS)
        self.prefix = None if any(map(SPEAKER.match, texts)) else common_prefix(texts)
        if self.prefix is not None:
            source.log.say(AUDACITY_NAMES, notation=self.prefix.notation)

    def labels(self, line: Line | None) -> Iterator[Segment]:
        """Yield the label of the line above.

        If `line` holds frequencies, add them to that label.
        """
        if line is not None and line.text.startswith("\\"):
            match = FREQUENCIES.match(line.text)
            if match is None or self.pending is None:
                raise line.error(0, "two frequencies below a label", quoted(line.text))
            properties = (("frequencies", f"{match[1]} {match[2]}"),)
            self.pending = self.pending.replace(properties=properties)
            return
        label = None if line is None else self._label(line)
        if self.pending is not None:
            yield self.pending
        self.pending = label

    def _time(self, number: int, column: int, text: str, name: str) -> int:
        """Parse a time in seconds that is at least 0; return nanoseconds."""
        mark = "," if "," in text else "." if "." in text else None
        if mark is not None and self.point is None:
            self.point = mark
            if mark == ",":
                self.source.log.say(AUDACITY_COMMA, number, column)
        plain = text.replace(",", ".")
        if mark not in (None, self.point) or not is_time(plain) or plain.startswith("-"):
            hint = ", with a comma as the others have," if self.point == "," else ""
            expected = f"{name} in seconds{hint} of 0 or more"
            raise self.source.syntax_error(number, expected, quoted(text), column)
        if is_finer_than_a_nanosecond(plain):
            self.source.log.say(TIME_DIGITS, number, column, text=text)
        return parse_time(plain)

    def _label(self, line: Line) -> Segment:
        first, *rest = line.text.split("\t", 2)
        if not rest:
            expected, column = "start, end and label with tabs between them", len(line.text) + 1
            raise self.source.syntax_error(line.number, expected, quoted(line.text), column)
        begin, end = strip_blanks(first), strip_blanks(rest[0])
        start_ns = self._time(line.number, 1, begin, "start")
        if re.fullmatch(OPEN, end):
            line.say(AUDACITY_OPEN)
            end = begin
        end_ns = self._time(line.number, len(first) + 2, end, "end")
        if end_ns < start_ns:
            expected, column = f"an end not before {begin}", len(first) + 2
            raise self.source.syntax_error(line.number, expected, quoted(end), column)
        label = rest[1] if len(rest) > 1 else ""
        if not label.isascii():
            note_unicode_blanks(self.source, line.number, line.text)
        speaker = self.speaker.match(label)
        text = label[speaker.end() :] if speaker else label
        name = speaker[1] if speaker else None
        if self.prefix is not None and not speaker:
            name, text = self.prefix.cut(label)
        words = tuple(split_words(text))
        is_event = start_ns == end_ns if not words else len(words) == 1 and is_silence(words[0])
        return Segment(
            self.source.recording, words, speaker=name,
            start_ns=start_ns, end_ns=end_ns, line=line.number,
            kind="event" if is_event else "segment",
        )  # fmt: skip


def _as_words(source: Source, labels: Iterator[Segment]) -> Iterator[Segment]:
    from formats.schema.interpolation import interpolate_times

    tokens: list[Token | Alternation] = []
    line: int | None = None
    for label in labels:
        line = label.line if line is None else line
        if label.properties or label.kind == "event":
            source.log.say(AUDACITY_BANDS if label.properties else AUDACITY_POINT, label.line)
        if len(label.words) > 1:
            tokens.extend(interpolate_times(label)[0].items())
        elif label.words:
            piece = label.replace(starts_ns=(label.start_ns,), ends_ns=(label.end_ns,))
            tokens.extend(piece.items())
    if line is not None:
        yield Segment.from_items(source.recording, tokens, line=line)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 6,
    level: str = "segment",
    speaker_prefix: bool = False,
) -> None:
    """Write one label per segment, in the order of the segments."""
    is_first = True
    for segment in segments:
        out = Out(segment, sink)
        is_event = segment.kind == "event"
        if level == "word":
            out.lost("segment times", int(segment.start_ns is not None))
            out.lost("segment boundaries", int(not is_first), RULE_ONE_RUN_WORDS)
            out.lost("events", int(is_event), RULE_WRITTEN_AS_WORDS)
            out.lost("empty segments", int(not is_event and not segment.words), RULE_NO_WORDS)
            out.lost("properties", int(segment.get("frequencies") is not None), RULE_FREQUENCIES)
            is_first = False
        if level == "word" and segment.words:
            for token in segment.all_tokens():
                row = _row(out, precision, token.start_ns, token.end_ns, (token.text,), "")
                sink.write(row)
            continue
        timed = sum(1 for start in segment.starts_ns or () if start is not None)
        out.lost("word times", timed, RULE_LEVEL)
        is_pause = len(segment.words) == 1 and is_silence(segment.words[0])
        if is_event and not is_pause and (segment.words or segment.start_ns != segment.end_ns):
            out.lost("events", 1, RULE_WRITTEN_AS_LABELS)
        out.lost("words", int(is_pause and not is_event), RULE_READ_AS_SILENCE)
        ends = {round_time(time or 0, precision) for time in (segment.start_ns, segment.end_ns)}
        if not is_event and len(ends) == 1 and not segment.words and level != "word":
            out.lost("empty segments", 1, RULE_READ_AS_POINTS)
        prefix = f"{segment.speaker}: " if speaker_prefix and segment.speaker is not None else ""
        span = segment.start_ns, segment.end_ns
        sink.write(_row(out, precision, *span, segment.words, prefix))
        if (frequencies := segment.get("frequencies")) is not None:
            line = "\\\t" + frequencies.replace(" ", "\t")
            is_line = FREQUENCIES.match(line) is not None
            sink.write(f"{line}\n" if is_line else "")
            out.lost("properties", int(not is_line), RULE_FREQUENCIES)


def _row(
    out: Out, precision: int, start: int | None, end: int | None, words: Sequence[str], prefix: str
) -> str:
    """Return a label as a line."""
    if start is None or end is None or end < start:
        found = "none" if start is None or end is None else f"{start / 1e9} to {end / 1e9}"
        raise out.refuse("times in order for a label", found)
    for word in words:
        if not word or any(blank in word for blank in " \t\v\f\r\n\0"):
            found = f"blanks or line ends in {quoted(word)}" if word else "an empty word"
            raise out.refuse("a word that the format can hold", found)
    if words and not prefix and SPEAKER.match(words[0]):
        expected = "a label that does not begin with a name in two brackets"
        raise out.refuse(expected, quoted(words[0]))
    if start < 0:
        raise out.refuse("a time of 0 or more", f"{start / 1e9}")
    prefix = "".join(" " if c in "\t\r\n\0" else c for c in prefix)
    period = "\t".join(out.time(time, precision) for time in (start, end))
    return f"{period}\t{prefix}{' '.join(words)}\n"


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if at least 95 % of the lines are labels.

    Return `NO` if the labels are ids as in aeneas's tables, if the times are whole numbers that
    count far beyond a day of seconds, as HTK's, or milliseconds, or if most are starts and
    durations.
    """
    ends = [line.split("\t", 2)[1] for line in lines if line.count("\t") > 1]
    if ends and all(map(str.isdecimal, ends)) and any(int(end[:20]) > A_DAY for end in ends):
        return Sniff.NO
    labels = (line.rpartition("\t")[2] for line in lines if strip_blanks(line))
    if all(map(FRAGMENT_ID.fullmatch, labels)) or _are_milliseconds(lines):
        return Sniff.NO
    spans = [line.replace(",", ".").split("\t", 2)[:2] for line in lines if LABEL.match(line)]
    if 2 * sum(0 <= float(end) < float(start) for start, end in spans) > len(spans):
        return Sniff.NO
    share = sniff_share(lines, LABEL.match, 0.95, FREQUENCIES.match)
    if all(line.count("\t") > TABS for line in lines if strip_blanks(line)):
        return min(share, Sniff.MAYBE)  # a label has no tabs: these are columns of a table
    return share


def _are_milliseconds(lines: Sequence[str]) -> bool:
    """Return True if times are whole numbers, and labels have the pace of speech in milliseconds.

    Audacity writes decimals.
    """
    rows = [line.split("\t", 2) for line in lines if strip_blanks(line)]
    if not all(len(row) > TABS and row[0].isdecimal() and row[1].isdecimal() for row in rows):
        return False
    from formats.reading.time_values import FASTEST, SLOWEST, word_count

    seconds = sum(int(row[1]) - int(row[0]) for row in rows) / 1000
    words = sum(word_count(row[2]) for row in rows)
    return words >= FEWEST_WORDS and SLOWEST * seconds <= words <= FASTEST * seconds


SPEC = FormatSpec(
    title="label track of Audacity: timed labels",
    sign="lines of begin, end, label with tabs between",
    turn_text="{}",
    read=read,
    write=write,
    sniff=sniff,
    holds="words, segment times, word times, properties, empty segments, events, "
    "segment boundaries",
    properties=("frequencies",),
    read_options=(
        LABEL_IS,
        Option("level", "segment", "what a label or token is: a segment, or a single word", LEVELS),
    ),
    write_options=(
        decimals(6),
        Option("level", "segment", "what a label or token is: a segment, or a single word", LEVELS),
        Option(
            "speaker_prefix", False, "write the name of the speaker and a colon before the text"
        ),
    ),
)
