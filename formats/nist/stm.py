"""stm: timed segments, ``recording channel speaker begin end [<labels>] words …``.

Times are decimal seconds. The words may have the markup of `formats.nist.markup`. Lines that begin
with ``;;`` or ``**`` are comments, except ``;; LABEL`` and ``;; CATEGORY``, which define subset
labels.

==================================  ====================================================
in the file                         in the schema
==================================  ====================================================
filename (field 1)                  `Segment.recording`
channel, speaker                    `Segment.channel`, `Segment.speaker`
``<o,f0>``                          `Segment.labels`: ``("o", "f0")``
IGNORE_TIME_SEGMENT_IN_SCORING      `Segment.kind` ``ignored`` (anywhere in the text, any case)
speaker ``inter_segment_gap``       `Segment.kind` ``gap``
==================================  ====================================================

sclite differs from this reader. It reads any sixth field that begins with ``<`` as labels, and thus
silently loses ``<unk>`` as a first word; ``label_field="sclite"`` reads labels in this way, too. It
reads any text as a time, accepts segments that end before they begin, and crashes on fewer than
five fields; these are errors here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice, repeat
from operator import lt

from formats.detection.spec import ESCAPE_MARKUP, FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.io.messages import RULE_WRITTEN_AS_SEGMENTS
from formats.io.source import Source
from formats.nist.markup import parse_columns, plain_columns
from formats.nist.markup_writer import write_text
from formats.nist.messages import (
    OVERLAP_SEGMENT,
    RULE_BY_SPEAKER,
    RULE_BY_WORD,
    RULE_IN_IGNORED_REGIONS,
    RULE_SORTED_CHANNEL,
    STM_LABEL,
    STM_NO_TIME,
    STM_ONE_BRANCH,
    STM_ORDER,
)
from formats.reading.lines import (
    Line,
    cutter,
    is_header,
    read_in_bulk,
    records_of,
    split_fields,
    strip_blanks,
    write_definition,
)
from formats.schema import lazy_pattern
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment, are_apart
from formats.schema.times import format_time, is_time, parse_time
from formats.schema.words import Token
from formats.writing.out import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from formats.io.sink import Sink

FIELD = lazy_pattern(r"[^ \t]+")
LABELS = lazy_pattern(r"<[^<>\s]*>\Z")
MARKUP = "{}(@"
LABEL_FIELDS = ("auto", "sclite", "never")
IGNORE_MARKS = ("IGNORE_TIME_SEGMENT_IN_SCORING", "IGNORETIMESEGMENTINSCORING")
GAP_SPEAKERS = frozenset({"inter_segment_gap", "excluded_region"})


def read(
    source: Source,
    *,
    label_field: str = "auto",
    alternations: bool = True,
    markup: bool = True,
    tedlium: bool = False,
) -> Iterator[Segment]:
    """Yield one segment per line, in the order of the file."""
    if label_field not in LABEL_FIELDS:
        raise OptionError(
            expected=f"label field {', '.join(LABEL_FIELDS)}", found=quoted(label_field)
        )
    always = label_field == "auto" and _all_have_labels(source.head_lines())
    if always:
        label_field = "sclite"
    order = _OrderCheck(source)

    cut = cutter(";*", MARKUP, IGNORE_MARKS)

    def read_columns(first: int, text: str) -> Iterable[Segment] | None:
        columns = cut(text, "sssttw")
        if columns is None:
            return None
        return _placed(source, order, first, columns, label_field if "<" in text else "never")

    def read_line(line: Line) -> Iterator[Segment]:
        segment = _segment(line, label_field, alternations, markup)
        if not tedlium and any(item.is_sound for _, item in segment.alternations):
            line.say(STM_ONE_BRANCH)
        yield order.check(segment)

    def read_lines(first: int, lines: list[str]) -> Iterator[Segment]:
        records = records_of(source, first, lines, (";;", "**"))
        return source.log.accepted("STM-SYNTAX", read_line, records)

    segments = read_in_bulk(source, read_columns, read_lines)
    if not tedlium:
        return segments
    from formats.nist.tedlium import as_tedlium

    return as_tedlium(segments)


def _placed(
    source: Source, order: _OrderCheck, first: int, columns: list[list[Any]], label_field: str
) -> Iterable[Segment] | None:
    """Return the segments of regular lines.

    Return `None` if a line causes a message; such lines are read one at a time.
    """
    _, _, speakers, starts_ns, ends_ns, texts = columns
    if not all(map(lt, starts_ns, ends_ns)):
        return None
    are_labelled = label_field != "never"
    labels: list[tuple[str, ...]] = [()] * len(texts) if are_labelled else []
    for index, words in enumerate(texts) if are_labelled else ():
        if words:
            is_label = _is_label(source, words[0], label_field)
            if is_label is None:
                return None
            if is_label:
                labels[index], texts[index] = _split_labels(words[0]), words[1:]
    kinds = {name: _kind(name, "") for name in set(speakers)}
    label_column = labels if are_labelled else repeat(())
    rows = zip(*columns, label_column, count(first), strict=False)
    segments = [
        Segment(
            recording,
            words,
            channel=channel,
            speaker=speaker,
            start_ns=start,
            end_ns=end,
            labels=marks,
            kind=kinds[speaker],
            line=line,
        )
        for recording, channel, speaker, start, end, words, marks, line in rows
    ]
    return order.check_all(segments, columns)


def _segment(line: Line, label_field: str, alternations: bool, markup: bool) -> Segment:
    source, number, text = line.source, line.number, line.text
    positions = [match.span() for match in islice(FIELD.finditer(text), 6)]
    fields = line.fields(5, "recording, channel, speaker, begin and end")
    recording, channel, speaker, begin = fields[:4]
    start_ns, end_ns = line.time(3, "begin time"), line.time(4, "end time")
    if end_ns < start_ns:
        raise line.error(4, f"an end time of {begin} or after")
    if end_ns == start_ns:
        line.say(STM_NO_TIME, 4, begin=begin)
    text_from = positions[4][1]
    labels: tuple[str, ...] = ()
    is_label = _is_label(source, fields[5], label_field) if len(fields) > 5 else False
    if is_label:
        labels = _split_labels(fields[5])
        text_from = positions[5][1]
    elif is_label is None:
        line.say(STM_LABEL, 5, text=fields[5])
    parse = parse_columns if markup else plain_columns
    words, optional, choices = parse(
        source, number, text, text_from, len(text), alternations=alternations
    )
    return Segment(
        recording,
        words,
        channel=channel,
        speaker=speaker,
        start_ns=start_ns,
        end_ns=end_ns,
        labels=labels,
        optional=optional,
        alternations=choices,
        kind=_kind(speaker, text[text_from:]),
        line=number,
    )


def _kind(speaker: str, text: str) -> str:
    text = text.upper()
    if any(mark in text for mark in IGNORE_MARKS):
        return "ignored"
    return "gap" if speaker.lower() in GAP_SPEAKERS else "segment"


def _is_label(source: Source, field: str, label_field: str) -> bool | None:
    """Return True if a sixth field is a list of labels; `None` if it may also be a word."""
    if label_field == "never" or not field.startswith("<"):
        return False
    if label_field == "sclite" or field == "<>":
        return True
    defined = any(d.keyword == "LABEL" and d.id == field[1:-1] for d in source.definitions)
    return True if LABELS.match(field) and ("," in field or defined) else None


def _split_labels(field: str) -> tuple[str, ...]:
    inner = field[1:-1] if field.endswith(">") else field[1:]
    return tuple(inner.split(",")) if inner else ()


def _records(lines: Iterable[str]) -> Iterator[list[str]]:
    return (split_fields(x) for x in lines if strip_blanks(x) and not x.startswith((";;", "**")))


def _all_have_labels(lines: Sequence[str]) -> bool:
    sixth = (record[5] if len(record) > 5 else "" for record in _records(lines))
    has_labels = LABELS.match(next(sixth, "")) is not None
    return has_labels and all(map(LABELS.match, sixth))


class _OrderCheck:
    """Warns once if the records of a channel are out of order, and notes overlaps."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.key: tuple[str, str | None] | None = None
        self.start = 0
        self.end = 0

    def check_all(self, segments: list[Segment], columns: list[list[Any]]) -> Iterable[Segment]:
        """Check the order of segments, which `columns` holds as well; return the segments."""
        recordings, channels, _, starts, ends, *_ = columns
        last = recordings[-1], channels[-1]
        before = self.end if self.key == last else 0
        is_single = recordings.count(last[0]) == channels.count(last[1]) == len(recordings)
        if not is_single or not are_apart(before, starts, ends):
            return map(self.check, segments)
        self.key, self.start, self.end = last, starts[-1], ends[-1]
        return segments

    def check(self, segment: Segment) -> Segment:
        """Check the next segment and return it."""
        start, number = segment.start_ns or 0, segment.line
        key = (segment.recording, segment.channel)
        if key == self.key and start < self.start:
            recording, channel = segment.recording, segment.channel
            self.source.log.say(STM_ORDER, number, recording=recording, channel=channel)
        elif key == self.key and self.start <= start < self.end:
            self.source.log.say(OVERLAP_SEGMENT, number)
        self.end = max(self.end if key == self.key else 0, segment.end_ns or 0)
        self.key, self.start = key, start
        return segment


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    alternations: bool = True,
    escape_markup: bool = False,
) -> None:
    """Write one line per segment, sorted by recording and channel (bytes), then by begin.

    The text of an ignored region is ``IGNORE_TIME_SEGMENT_IN_SCORING``. An empty label field ``<>``
    is written if a reader would otherwise mistake the first word for labels.
    """
    # code points are in the order of UTF-8 bytes
    rows = sink.losses.in_order(
        list(segments),
        lambda s: (s.recording, s.channel or "", s.start_ns or 0),
        RULE_SORTED_CHANNEL,
        segments.source,
    )
    for definition in segments.definitions:
        sink.write(write_definition(definition))
    defined = {d.id for d in segments.definitions if d.keyword == "LABEL"}
    explicit = any(len(r.labels) == 1 and r.labels[0] not in defined for r in rows)
    for segment in rows:
        out = Out(segment, sink)
        out.segment = _marked(out)
        text = write_text(out, alternations=alternations, escape=escape_markup)
        head = _write_head(out, precision)
        labels = f" <{','.join(segment.labels)}>" if segment.labels else ""
        if not labels and (explicit or text.startswith("<")):
            labels = " <>"
        sink.write(f"{head}{labels} {text}\n" if text else f"{head}{labels}\n")


def _marked(out: Out) -> Segment:
    """Return an ignored region with the mark as its only word, and other segments unchanged."""
    segment = out.segment
    is_named_gap = (segment.speaker or "").lower() in GAP_SPEAKERS
    if segment.kind == "segment" and is_named_gap:
        out.lost("gaps", rule=RULE_BY_SPEAKER)
    if segment.kind == "gap" and not is_named_gap:
        out.lost("gaps", rule=RULE_WRITTEN_AS_SEGMENTS)
    is_choice = bool(segment.alternations)
    words = [token.text for token in segment.all_tokens()] if is_choice else segment.words
    text = " ".join(words).upper()
    is_marked = any(mark in text for mark in IGNORE_MARKS)
    if segment.kind != "ignored" and is_marked:
        out.lost("ignored regions", rule=RULE_BY_WORD)
    if segment.kind != "ignored" or is_marked:
        return segment
    out.lost("words", segment.word_count, RULE_IN_IGNORED_REGIONS)
    return segment.with_items([Token(IGNORE_MARKS[0])])


def _write_head(out: Out, precision: int) -> str:
    segment = out.segment
    for noun in ("recording", "channel", "speaker"):
        out.name(getattr(segment, noun), noun)
    if segment.recording.startswith((";", "*")):
        expected = "a recording whose name does not begin like a comment"
        raise out.refuse(expected, quoted(segment.recording))
    for label in segment.labels:
        if any(c in "<>," or c.isspace() for c in label):
            raise out.refuse("a label without blanks, <, > and commas", quoted(label))
    start, end = segment.start_ns, segment.end_ns
    if start is None or end is None:
        raise out.refuse("a segment with times", "none")
    first, last = out.round(precision, start, end)
    times = f"{format_time(first, precision)} {format_time(last, precision)}"
    return f"{segment.recording} {segment.channel} {segment.speaker} {times}"


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 90 % of the records have five fields, with begin and end in order.

    Return `NO` if nearly all records contain ``<NA>``. If most third fields are numbers, the answer
    is `SURE` if all records fit and none of these numbers has a decimal point, otherwise `MAYBE`.
    Lines of whole numbers may be word numbers of Kaldi (`*.tra`), so the answer is `MAYBE`.
    """
    from formats.detection.line_shapes import are_tier_rows

    records = list(_records(lines))
    if not records or is_header(next(filter(strip_blanks, lines))):
        return Sniff.NO
    if are_tier_rows(lines):
        return Sniff.NO
    fitting = [r for r in records if len(r) >= 5 and _are_times_in_order(r[3], r[4])]
    if len(fitting) < 0.9 * len(records):
        return Sniff.NO
    if sum(1 for r in fitting if "<NA>" in r[5:]) > 0.9 * len(fitting):
        return Sniff.NO
    numbers = [r[2] for r in fitting if is_time(r[2])]
    if len(numbers) * 2 <= len(fitting):
        return Sniff.SURE
    if all(field.isdecimal() for record in fitting for field in record[1:]):
        return Sniff.MAYBE
    is_certain = len(fitting) == len(records) and not any("." in n for n in numbers)
    return Sniff.SURE if is_certain else Sniff.MAYBE


def _are_times_in_order(begin: str, end: str) -> bool:
    return is_time(begin) and is_time(end) and parse_time(begin) <= parse_time(end)


SPEC = FormatSpec(
    title="NIST segment time marks: timed segments with speaker, labels and text",
    sign="lines of file, channel, speaker, begin, end, words",
    read=read,
    write=write,
    sniff=sniff,
    holds="words, recordings, channels, speakers, segment times, labels, definitions, "
    "optional marks, alternations, empty segments, gaps, ignored regions, "
    "segment boundaries",
    needs=("recordings", "channels", "speakers", "segment times"),
    read_options=(
        Option(
            "label_field",
            "auto",
            "how to read a sixth field <…> of stm lines: as labels if the file "
            "suggests it (auto), as labels always (sclite), or as a word (never)",
            LABEL_FIELDS,
        ),
        Option("alternations", True, "read { a / b } as alternations", (True, False)),
        Option("markup", True, "read braces, @ and parentheses as markup", (True, False)),
        Option("tedlium", False, "read the special marks of TED-LIUM, such as {NOISE} and a(2)"),
    ),
    write_options=(
        decimals(),
        Option("alternations", True, "write alternations as { a / b }", (True, False)),
        ESCAPE_MARKUP,
    ),
    has_plain_names=True,
)
