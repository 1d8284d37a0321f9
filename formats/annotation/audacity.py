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

import re
from collections.abc import Iterator, Sequence

from formats.errors import SyntaxFormatError, quoted
from formats.lines import note_unicode_blanks, sniff_share, split_words, strip_blanks
from formats.model import Segment
from formats.out import Out
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource, decimals
from formats.times import is_finer_than_a_nanosecond, parse_time, round_time
from formats.words import Alternation, Token

LEVELS = ("segment", "word")
LABEL = re.compile(r"[0-9]+(?:[.,][0-9]*)?\t[0-9]+(?:[.,][0-9]*)?(?:\t|\Z)", re.ASCII)
FREQUENCIES = re.compile(r"\\\t(-?[0-9.,]+)\t(-?[0-9.,]+)[ \t]*\Z", re.ASCII)


def read(source: Source, *, level: str = "segment") -> Iterator[Segment]:
    """One segment per label, in the order of the file."""
    labels = _labels(source)
    return _as_words(source, labels) if level == "word" else labels


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
                found = FREQUENCIES.match(line)
                if found is None or held is None:
                    expected = "two frequencies below a label"
                    raise source.syntax_error(number, expected, quoted(line), column=1)
                held = held.replace(properties=(("frequencies", f"{found[1]} {found[2]}"),))
                continue
            segment = _label(source, numbers, number, line)
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
                message = "times have decimal commas, read as points"
                self.source.log.warn("AUDACITY-COMMA", message, number, column)
        try:
            if mark is not None and mark != self.point:
                raise ValueError
            value = parse_time(text.replace(",", ".") if self.point == "," else text)
            if value < 0:
                raise ValueError
        except ValueError:
            hint = ", with a comma as the others have," if self.point == "," else ""
            expected = f"{what} in seconds{hint} of 0 or more"
            raise self.source.syntax_error(number, expected, quoted(text), column) from None
        if is_finer_than_a_nanosecond(text.replace(",", ".")):
            self.source.log.note("TIME-DIGITS", f"{text} rounded to a nanosecond", number, column)
        return value


def _label(source: Source, numbers: _Numbers, number: int, line: str) -> Segment:
    first, *rest = line.split("\t", 2)
    if not rest:
        expected = "start, end and label with tabs between them"
        raise source.syntax_error(number, expected, quoted(line), column=len(line) + 1)
    begin, end = strip_blanks(first), strip_blanks(rest[0])
    start_ns = numbers.time(number, 1, begin, "start")
    end_ns = numbers.time(number, len(first) + 2, end, "end")
    if end_ns < start_ns:
        expected = f"an end not before {begin}"
        raise source.syntax_error(number, expected, quoted(end), column=len(first) + 2)
    label = rest[1] if len(rest) > 1 else ""
    if not label.isascii():
        note_unicode_blanks(source, number, line)
    named = SPEAKER.match(label)
    words = tuple(split_words(label[named.end() :] if named else label))
    return Segment(
        source.recording, words, speaker=named[1] if named else None, start_ns=start_ns,
        end_ns=end_ns, kind="segment" if words or start_ns != end_ns else "event", line=number,
    )  # fmt: skip


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
    """Write one label per segment, in the order given."""
    is_first = True
    for segment in segments:
        out = Out(segment, sink)
        is_event = segment.kind == "event"
        if level == "word":
            out.lost("segment times", int(segment.start_ns is not None))
            out.lost("segment boundaries", int(not is_first), "one run of words")
            out.lost("events", int(is_event), "written as words")
            out.lost("empty segments", int(not is_event and not segment.words), "no words")
            out.lost("properties", int(segment.get("frequencies") is not None), "frequencies")
            is_first = False
        if level == "word" and segment.words:
            for token in segment.all_tokens():
                row = _row(out, precision, token.start_ns, token.end_ns, (token.text,), "")
                sink.write(row)
            continue
        timed = sum(1 for start in segment.starts_ns or () if start is not None)
        out.lost("word times", timed, "--level word keeps them")
        if is_event and (segment.words or segment.start_ns != segment.end_ns):
            out.lost("events", 1, "written as labels")
        ends = {round_time(time or 0, precision) for time in (segment.start_ns, segment.end_ns)}
        if not is_event and len(ends) == 1 and not segment.words and level != "word":
            out.lost("empty segments", 1, "read as points")
        prefix = f"{segment.speaker}: " if speaker_prefix and segment.speaker is not None else ""
        span = segment.start_ns, segment.end_ns
        sink.write(_row(out, precision, *span, segment.words, prefix))
        if (frequencies := segment.get("frequencies")) is not None:
            below = "\\\t" + frequencies.replace(" ", "\t")
            is_line = FREQUENCIES.match(below) is not None
            sink.write(f"{below}\n" if is_line else "")
            out.lost("properties", int(not is_line), "frequencies")


def _row(
    out: Out, precision: int, start: int | None, end: int | None, words: Sequence[str], prefix: str
) -> str:
    """The line of a label."""
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


SPEC = FormatSpec(
    title="label track of Audacity: timed labels",
    sign="lines of begin, end, label with tabs between",
    read=read,
    write=write,
    sniff=lambda head: sniff_share(head, LABEL.match, 0.95, FREQUENCIES.match),
    holds=(
        *("words", "segment times", "word times", "properties", "empty segments", "events"),
        *("segment boundaries",),
    ),
    properties=("frequencies",),
    needs=(),
    read_options=(Option("level", "segment", "what a label is", LEVELS),),
    write_options=(
        decimals(6),
        Option("level", "segment", "what a label is", LEVELS),
        Option("speaker_prefix", False, "begin texts with the speaker and a colon"),
    ),
    streams=True,
    manual="One label per line: start, end and label, with tabs between them.",
)
