r"""audacity: the label track of the sound editor, ``start TAB end TAB label``.

Times are decimal seconds, usually with six decimals. A line ``\ TAB low TAB high`` holds the
frequencies of the label above it. Everything after the second tab is the label.

========================  =============================================================
its word                  ours
========================  =============================================================
label of a region         a `Segment` with the label's words
point, start equals end   the same; without a label, kind ``event``
frequencies               ``properties["frequencies"]``: the two numbers with a blank
``[[anne]]`` before text  `Segment.speaker`, as WhisperX writes it
========================  =============================================================

Some locales write decimal commas: they are read, with a warning, where every number has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from formats.errors import SyntaxFormatError, quoted
from formats.fields import RoundedTimes
from formats.lines import note_unicode_blanks, split_words, strip_blanks
from formats.loss import refused
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.times import format_time, is_finer_than_a_nanosecond, parse_time, round_time
from formats.words import Alternation, Token

LEVELS = ("segment", "word")
LABEL = re.compile(r"[0-9]+(?:[.,][0-9]*)?\t[0-9]+(?:[.,][0-9]*)?(?:\t|\Z)", re.ASCII)
FREQUENCIES = re.compile(r"\\\t(-?[0-9.,]+)\t(-?[0-9.,]+)[ \t]*\Z", re.ASCII)


def read(source: Source, *, level: str = "segment") -> Iterator[Segment]:
    """One segment per label, in the order of the file.

    Parameters
    ----------
    level: ``segment``, or ``word``: every label is a word, and all of them make one segment
        without times of its own; the words of a longer label share its time.
    """
    labels = _labels(source)
    if level == "word":
        yield from _as_words(source, labels)
    else:
        yield from labels


SPEAKER = re.compile(r"\[\[([^\[\]]{1,60})\]\](?=[^\[\]])")
"""What WhisperX writes before the text of a label."""


def _labels(source: Source) -> Iterator[Segment]:
    numbers = _Numbers(source)
    held: Segment | None = None
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        try:
            if line.startswith("\\"):
                held = _with_frequencies(source, number, line, held)
                continue
            segment = _read_line(source, numbers, number, line)
        except SyntaxFormatError as error:
            source.log.reject("AUDACITY-SYNTAX", error)
            continue
        if held is not None:
            yield held
        held = segment
    if held is not None:
        yield held


class _Numbers:
    """Reads numbers that have all points or all commas."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.point: str | None = None

    def time(self, number: int, column: int, text: str, what: str) -> int:
        """Nanoseconds of a time of 0 or more."""
        mark = "," if "," in text else "." if "." in text else None
        if mark is not None and self.point is None:
            self.point = mark
            if mark == ",":
                self.source.log.warn(
                    "AUDACITY-COMMA", "times have decimal commas, read as points", number, column
                )
        try:
            if mark is not None and mark != self.point:
                raise ValueError
            value = parse_time(text.replace(",", ".") if self.point == "," else text)
            if value < 0:
                raise ValueError
        except ValueError:
            hint = ", with a comma as the others have," if self.point == "," else ""
            raise self.source.syntax_error(
                number, f"{what} in seconds{hint} of 0 or more", quoted(text), column=column
            ) from None
        if is_finer_than_a_nanosecond(text.replace(",", ".")):
            self.source.log.note("TIME-DIGITS", f"{text} rounded to a nanosecond", number, column)
        return value


def _read_line(source: Source, numbers: _Numbers, number: int, line: str) -> Segment:
    fields = line.split("\t", 2)
    if len(fields) < 2:
        raise source.syntax_error(
            number,
            "start, end and label with tabs between them",
            quoted(line),
            column=len(line) + 1,
        )
    begin, end = strip_blanks(fields[0]), strip_blanks(fields[1])
    start_ns = numbers.time(number, 1, begin, "start")
    end_ns = numbers.time(number, len(fields[0]) + 2, end, "end")
    if end_ns < start_ns:
        raise source.syntax_error(
            number, f"an end not before {begin}", quoted(end), column=len(fields[0]) + 2
        )
    label = fields[2] if len(fields) > 2 else ""
    if not label.isascii():
        note_unicode_blanks(source, number, line)
    named = SPEAKER.match(label)
    words = tuple(split_words(label[named.end() :] if named else label))
    return Segment(
        source.recording,
        words,
        speaker=named[1] if named else None,
        start_ns=start_ns,
        end_ns=end_ns,
        kind="segment" if words or start_ns != end_ns else "event",
        line=number,
    )


def _with_frequencies(
    source: Source, number: int, line: str, segment: Segment | None
) -> Segment | None:
    found = FREQUENCIES.match(line)
    if found is None or segment is None:
        raise source.syntax_error(number, "two frequencies below a label", quoted(line), column=1)
    return segment.replace(properties=(("frequencies", f"{found[1]} {found[2]}"),))


def _as_words(source: Source, labels: Iterator[Segment]) -> Iterator[Segment]:
    from formats.interpolation import interpolate_times

    tokens: list[Token | Alternation] = []
    line: int | None = None
    for label in labels:
        line = label.line if line is None else line
        if label.properties or label.kind == "event":
            what = "frequencies" if label.properties else "an empty point"
            source.log.note("AUDACITY-LEFT-OUT", f"{what} not kept among words", label.line)
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
    """Write one label per segment, in the order given.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9.
    level: ``word`` writes one label per word instead.
    speaker_prefix: begin labels with the speaker and a colon.
    """
    path = segments.source
    times = RoundedTimes(sink, path, precision)
    is_first = True
    for segment in segments:
        line = segment.line
        if level == "word":
            is_event = segment.kind == "event"
            for what, count, rule in (
                ("segment times", int(segment.start_ns is not None), ""),
                ("segment boundaries", int(not is_first), "one run of words"),
                ("events", int(is_event), "written as words"),
                ("empty segments", int(not is_event and not segment.words), "no words"),
                ("properties", int(segment.get("frequencies") is not None), "frequencies"),
            ):
                sink.losses.add(what, count, rule, path, line)
            is_first = False
        if level == "word" and segment.words:
            for token in segment.all_tokens():
                sink.write(_label(times, segment, token.start_ns, token.end_ns, (token.text,), ""))
            continue
        timed = sum(1 for start in segment.starts_ns or () if start is not None)
        sink.losses.add("word times", timed, "--level word keeps them", path, line)
        is_named = segment.kind == "event" and bool(segment.words)
        is_wide = segment.kind == "event" and segment.start_ns != segment.end_ns
        if is_named or is_wide:
            sink.losses.add("events", 1, "written as labels", path, line)
        ends = {round_time(time or 0, precision) for time in (segment.start_ns, segment.end_ns)}
        is_new_event = segment.kind != "event" and len(ends) == 1 and not segment.words
        if is_new_event and level != "word":
            sink.losses.add("empty segments", 1, "read as points", path, line)
        prefix = f"{segment.speaker}: " if speaker_prefix and segment.speaker is not None else ""
        sink.write(_label(times, segment, segment.start_ns, segment.end_ns, segment.words, prefix))
        frequencies = segment.get("frequencies")
        if frequencies is not None:
            below = "\\\t" + frequencies.replace(" ", "\t")
            if FREQUENCIES.match(below):
                sink.write(below + "\n")
            else:
                sink.losses.add("properties", 1, "frequencies", path, line)


def _label(
    times: RoundedTimes,
    segment: Segment,
    start: int | None,
    end: int | None,
    words: Sequence[str],
    prefix: str,
) -> str:
    if start is None or end is None or end < start:
        raise refused(
            times.path,
            segment.line,
            "times in order for a label",
            "none" if start is None or end is None else f"{start / 1e9} to {end / 1e9}",
        )
    for word in words:
        if not word or any(blank in word for blank in " \t\v\f\r\n\0"):
            raise refused(
                times.path,
                segment.line,
                "a word that the format can hold",
                f"blanks or line ends in {quoted(word)}" if word else "an empty word",
            )
    if words and not prefix and SPEAKER.match(words[0]):
        expected = "a label that does not begin with a name in two brackets"
        raise refused(times.path, segment.line, expected, quoted(words[0]))
    prefix = "".join(" " if c in "\t\r\n\0" else c for c in prefix)
    first, last = times.round(start, segment.line), times.round(end, segment.line)
    period = f"{format_time(first, times.precision)}\t{format_time(last, times.precision)}"
    return f"{period}\t{prefix}{' '.join(words)}\n"


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if at least 95 % of the lines begin with two numbers and tabs."""
    records = [x for x in lines if strip_blanks(x) and not x.startswith("\\")]
    fitting = sum(1 for x in records if LABEL.match(x))
    return Sniff.SURE if records and fitting >= 0.95 * len(records) else Sniff.NO


SPEC = FormatSpec(
    title="label track of Audacity: timed labels",
    sign="lines of begin, end, label with tabs between",
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        "words",
        "segment times",
        "word times",
        "properties",
        "empty segments",
        "events",
        "segment boundaries",
    ),
    properties=("frequencies",),
    needs=(),
    read_options=(Option("level", "segment", "what a label is", LEVELS),),
    write_options=(
        decimals(6),
        Option("level", "segment", "what a label is", LEVELS),
        Option("speaker_prefix", False, "begin texts with the speaker and a colon", (False, True)),
    ),
    streams=True,
    manual="One label per line: start, end and label, with tabs between them.",
)
