"""htk: HTK's label file of one utterance, ``[start [end]] name [score] [word [score]]`` per line.

Times are whole numbers of 100 ns; ``-1`` or a missing number means unknown. Names may be quoted,
with escapes and octal bytes. A line ``///`` begins an alternative transcription.

===================================  ===========================================================
in the file                          in the schema
===================================  ===========================================================
name                                 a word; all words of the file form one `Segment`
``sil``, ``sp``, ``!ENTER``, …       kind ``event``
score                                `Token.confidence`: a logarithm, not a probability
word beside the first of its phones  a word that lasts to the next word or pause; the phones are
                                     dropped
alternatives after ``///``           `Segment.nbest`, without times
the file's name                      `Segment.recording` and `Segment.utterance`
===================================  ===========================================================
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from formats.annotation.htk_labels import (
    ALTERNATIVE,
    HTK_OPTIONS,
    INTEGER,
    OCTAL_OPTION,
    PAUSES,
    POINTED,
    SCORE,
    TICK,
    LabelReader,
    MlfEntry,
)
from formats.annotation.messages import RULE_SORTED_BY_START
from formats.detection.spec import FormatSpec, SegmentSource, Sniff
from formats.io.messages import RULE_DROPPED
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.label_speakers import LABEL_IS, reads_labels
from formats.reading.lines import split_fields, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.writing.out import Out, decimal_text


@reads_labels
def read(source: Source, *, htk_unit: str = "auto", htk_level: str = "auto") -> Iterator[Segment]:
    """Yield one segment with all words, then the pauses as events."""
    reader = LabelReader(source, htk_unit, htk_level)
    entry = MlfEntry(reader, source.recording, 1)
    lines = ((number, line) for number, line in source.lines() if strip_blanks(line))
    first = next(lines, None)
    if first is None:
        return
    for _ in source.log.accepted("HTK-SYNTAX", entry.add, chain([first], lines)):
        pass
    yield from entry.segments()


def write(segments: SegmentSource, sink: Sink, *, htk_octal: bool = False) -> None:
    """Write all words and pauses, sorted by time."""
    write_entry(list(segments), sink, htk_octal)


def quoted_name(name: str, octal: bool) -> str:
    """Return a name in HTK's notation, with quotes if necessary."""
    text = name.replace("\\", "\\\\").replace('"', '\\"')
    if octal and not text.isascii():
        text = "".join(
            c if c.isascii() else "".join(f"\\{byte:03o}" for byte in c.encode()) for c in text
        )
    is_plain = name[0] not in "0123456789-+.;/'\"#" and " " not in name and "\t" not in name
    return text if is_plain else f'"{text}"'


def write_entry(segments: Sequence[Segment], sink: Sink, octal: bool) -> None:
    """Write one utterance: its words and pauses, sorted by time, then its alternatives."""
    spoken = [segment for segment in segments if segment.kind != "event"]
    pauses = [segment for segment in segments if segment.kind == "event"]
    rows = [row for segment in segments for row in _rows(Out(segment, sink), octal)]
    if all(start is not None for start, _ in rows):
        starts = [s for segment in spoken for s in segment.starts_ns or ()]
        in_order = sink.losses.in_order
        in_order(
            starts, lambda start: start or 0, RULE_SORTED_BY_START, sink.source, "order of words"
        )
        in_order(pauses, lambda pause: pause.start_ns or 0, RULE_SORTED_BY_START, sink.source)
        rows.sort(key=lambda row: row[0] or 0)
    elif any(pause.start_ns is None for pause in pauses):
        kind = "places of pauses without times"
        sink.losses.add(kind, len(pauses), "", sink.source)
    for _, text in rows:
        sink.write(text)
    for segment in spoken:
        out = Out(segment, sink)
        if len(spoken) > 1:
            out.lost("other hypotheses", len(segment.nbest))
            continue
        for score, names in segment.nbest:
            out.lost("scores of other hypotheses", int(score is not None))
            lines = (_line(out, None, None, name, None, octal) for name in names)
            sink.write("".join([f"{ALTERNATIVE}\n", *lines]))


def _rows(out: Out, octal: bool) -> Iterator[tuple[int | None, str]]:
    """Yield each label as a pair: its start and its line."""
    segment = out.segment
    start, end = segment.start_ns, segment.end_ns
    if segment.kind == "event":
        name = " ".join(segment.words)
        if name.lower() in PAUSES:
            yield start, _line(out, start, end, name, segment.confidence, octal)
        else:
            out.lost("events", 1, RULE_DROPPED)
        return
    out.lost("segment times", int(start is not None or end is not None))
    out.lost("segment confidences", int(segment.confidence is not None))
    for token in segment.all_tokens():
        if token.text.lower() in PAUSES:
            reason = f"{quoted(token.text)}, which would be read as a pause"
            raise out.refuse("a word that the format can hold", reason)
        times = token.start_ns, token.end_ns
        yield token.start_ns, _line(out, *times, token.text, token.confidence, octal)


def _line(
    out: Out, start: int | None, end: int | None, name: str, score: float | None, octal: bool
) -> str:
    """Return a label as a line."""
    if not name or any(c in "\r\n\0" or "\ud800" <= c <= "\udfff" for c in name):
        fault = f"line ends or half a character in {quoted(name)}" if name else "an empty word"
        raise out.refuse("a name that the format can hold", fault)
    if start is not None and end is not None and end < start:
        expected = f"times in order for {quoted(name)}"
        raise out.refuse(expected, f"{start / 1e9} to {end / 1e9}")
    parts = [] if start is None and end is None else [_ticks(out, start), _ticks(out, end)]
    parts.append(quoted_name(name, octal))
    if score is not None:
        parts.append(decimal_text(score))
    return " ".join(parts) + "\n"


def _ticks(out: Out, time: int | None) -> str:
    """Return a time in units of 100 ns; ``-1`` if it is unknown."""
    if time is not None and time < 0:
        raise out.refuse("a time of 0 or more", f"{time / 1e9}")
    return "-1" if time is None else str(out.round(7, time)[0] // TICK)


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `MAYBE` if all lines begin with two whole numbers, and the last end exceeds 10,000."""
    records = [split_fields(x) for x in lines if strip_blanks(x) and strip_blanks(x) != "///"]
    if any(map(_is_plain, records)) and not any(INTEGER.match(record[0]) for record in records):
        return Sniff.NEVER
    if not records or not all(
        len(r) > 2 and INTEGER.match(r[0]) and INTEGER.match(r[1]) for r in records
    ):
        return Sniff.NO
    return Sniff.MAYBE if int(records[-1][1][:20]) > 10_000 else Sniff.NO


def _is_plain(record: Sequence[str]) -> bool:
    """Return True if a line begins with two fields that are neither numbers nor quoted names."""
    return len(record) > 1 and not any(
        POINTED.match(field) or SCORE.match(field) or field[0] in "\"'#;" for field in record[:2]
    )


SPEC = FormatSpec(
    title="HTK labels: one timed name per line",
    sign="lines of begin, end, label",
    turn_text="{}",
    read=read,
    write=write,
    sniff=sniff,
    holds="words, segment times, word times, confidences, segment confidences, other hypotheses, "
    "events",
    read_options=(*HTK_OPTIONS, LABEL_IS),
    write_options=(OCTAL_OPTION,),
)
