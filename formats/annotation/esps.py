"""esps: labels of ESPS, xwaves and xlabel: the end of each label, in seconds, below a header.

=============================  ==============================================================
its word                       ours
=============================  ==============================================================
``time colour label``          a word; it begins where the one before ends, the first at 0
first label ``H#``, ``#``,     where the first label begins
``-`` or none
label ``H#``, ``h#``, ``#``,   an ``event``: a pause
``pau``, ``sil``, ``<SIL>``,
``{B_TRANS}``
no label                       nothing
``signal`` of the header       not read; written, the recording
``separator``, ``nfields``     further fields of a label are not read, counted in a note
file ``s0201a.words``          of Buckeye: speaker ``s02``
file ``.lab``, ``.phn``        tier ``phones``; of ``.wrd``, ``.word``, ``.words`` none
labels of tones (``H*``,       events without length, as with ``points=True``
``L-L%``) and nothing else
=============================  ==============================================================

The colour is not read, and written as 121. A label begins where the one before ends: what is
written fills gaps with labels without text, and words may not overlap. Festival's files, whose
header is ``#`` alone, are read as well, and so is the Buckeye corpus, whose words have four fields:
word, phonemes, phones, part of speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from formats.errors import SyntaxFormatError, quoted
from formats.fields import RoundedTimes, field_count_error, written_name
from formats.lines import column_of_field, read_time, split_fields, strip_blanks
from formats.loss import refused
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.times import format_time, is_time

PAUSES = frozenset({"h#", "#", "pau", "sil", "-"})
BRACKETS = {"<": ">", "{": "}"}
BUCKEYE = re.compile(r"(s[0-9]{2})[0-9]{2}[ab]\Z")
WORDS = (".wrd", ".word", ".words", ".fword")
TONES = re.compile(r"[HLX*!?+%-]{1,8}\Z")
LONGEST_HEADER = 200


def read(source: Source, *, points: bool = False) -> Iterator[Segment]:
    """One segment of all words, then the pauses; of points, an event each.

    Parameters
    ----------
    points: labels are points in time and not the ends of intervals.
    """
    tier = None if source.name.lower().removesuffix(".gz").endswith(WORDS) else "phones"
    header: dict[str, str] | None = {}
    rows: list[tuple[int, str, int]] = []
    cut = 0
    for number, line in source.lines():
        bare = strip_blanks(line)
        if header is not None:
            name, _, value = bare.partition(" ")
            header[name] = strip_blanks(value)
            if bare == "#":
                separator = header.get("separator") or None
                header = None
            elif number > LONGEST_HEADER:
                break
            continue
        if not bare:
            continue
        try:
            end_ns, text = _row(source, number, line, rows[-1][0] if rows else 0)
        except SyntaxFormatError as error:
            source.log.reject("ESPS-SYNTAX", error)
            continue
        label = strip_blanks(text.partition(separator)[0]) if separator else text
        cut += label != text
        rows.append((end_ns, label, number))
    if header:
        raise source.syntax_error(None, "a header that ends with a line #", "none")
    if cut:
        source.log.note("ESPS-FIELDS", f"further fields of labels, not read: {cut}")
    labels = [label for _, label, _ in rows if label]
    if not points and labels and all(map(TONES.match, labels)) and set(labels) - PAUSES:
        source.log.note("ESPS-TONES", "labels of tones: read as points in time (--points)")
        points = True
    yield from _segments(source, rows, tier, points)


def _row(source: Source, number: int, line: str, latest: int) -> tuple[int, str]:
    """End and label of a line."""
    fields = split_fields(line)
    if len(fields) < 2:
        expected = "time, colour and label"
        raise field_count_error(source, number, line, len(fields), 3, expected)
    end_ns = read_time(source, number, line, 0, fields[0], "time")
    if end_ns < latest:
        message = f"{fields[0]} is before the time above: the label lasts no time"
        source.log.warn("ESPS-ORDER", message, number)
        end_ns = latest
    return end_ns, strip_blanks(line[column_of_field(line, 2) - 1 :])


def _segments(
    source: Source, rows: Sequence[tuple[int, str, int]], tier: str | None, points: bool
) -> Iterator[Segment]:
    begin = 0
    found = BUCKEYE.match(source.stem)
    speaker = found[1] if found else None
    words: list[tuple[str, int, int, int]] = []
    events: list[Segment] = []
    for index, (end, label, number) in enumerate(rows):
        is_pause = _is_pause(label)
        is_mark = not points and not index and (is_pause or not label)
        if label and not is_mark and (points or is_pause):
            start = end if points else begin
            events.append(
                Segment(
                    source.recording, (label,), start_ns=start, end_ns=end,
                    tier="points" if points else tier, kind="event", line=number,
                )
            )  # fmt: skip
        elif label and not is_mark:
            words.append((label, begin, end, number))
        begin = end
    if words:
        texts, starts, ends, lines = zip(*words, strict=True)
        yield Segment(
            source.recording, texts, starts_ns=starts, ends_ns=ends, tier=tier, line=lines[0],
            speaker=speaker,
        )  # fmt: skip
    yield from events


def _is_pause(label: str) -> bool:
    return label.lower() in PAUSES or BRACKETS.get(label[:1]) == label[-1:] != ""


def write(segments: SegmentSource, sink: Sink, *, precision: int = 6) -> None:
    """Write all words and pauses, sorted by start, below a mark ``H#`` at the first start.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9.
    """
    path = segments.source
    times = RoundedTimes(sink, path, precision)
    rows: list[tuple[int, int, str, int | None]] = []
    pauses: list[tuple[int, int, str, int | None]] = []
    recording = ""
    for segment in segments:
        recording = recording or segment.recording
        if segment.kind == "event":
            name = " ".join(segment.words)
            if _is_pause(name):
                span = segment.start_ns, segment.end_ns
                pauses.append(_placed(times, path, segment.line, *span, name))
            else:
                sink.losses.add("events", 1, "left out", path, segment.line)
            continue
        timed = int(segment.start_ns is not None)
        sink.losses.add("segment times", timed, "", path, segment.line)
        for token in segment.all_tokens():
            text = written_name(token.text, "word", path, segment.line)
            if _is_pause(text):
                found = f"{quoted(text)}, which would be read as a pause"
                raise refused(path, segment.line, "a word that the format can hold", found)
            span = token.start_ns, token.end_ns
            rows.append(_placed(times, path, segment.line, *span, text))
    rows = sink.losses.in_order(rows, itemgetter(0), "by start", path, "order of words")
    sink.write(f"signal {' '.join(split_fields(recording)) or '-'}\nnfields 1\n#\n")
    latest: int | None = None
    for start, end, text, line in sorted(rows + pauses, key=itemgetter(0)):
        if latest is None or start > latest:
            _write_row(sink, start, precision, "" if latest is not None else "H#")
        elif start < latest:
            expected = f"a begin at {latest / 1e9} or later for {quoted(text)}"
            raise refused(path, line, expected, f"{start / 1e9}: labels cannot overlap")
        _write_row(sink, end, precision, text)
        latest = end


def _placed(
    times: RoundedTimes,
    path: str | None,
    line: int | None,
    start: int | None,
    end: int | None,
    text: str,
) -> tuple[int, int, str, int | None]:
    """A label with its rounded times."""
    if start is None or end is None:
        raise refused(path, line, f"a begin and an end of {quoted(text)}", "none")
    return times.round(start, line), times.round(end, line), text, line


def _write_row(sink: Sink, end: int, precision: int, label: str) -> None:
    text = f"   {label}" if label else ""
    sink.write(f"{format_time(end, precision):>12}   121{text}\n")


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if a line ``#`` stands among the first 20, and below it times, colours and labels."""
    marks = [number for number, line in enumerate(lines[:20]) if strip_blanks(line) == "#"]
    if not marks:
        return Sniff.NO
    records = [split_fields(line) for line in lines[marks[0] + 1 :] if strip_blanks(line)]
    fitting = sum(
        len(r) > 1 and is_time(r[0]) and r[1].removeprefix("-").isdecimal() for r in records
    )
    return Sniff.SURE if records and fitting >= 0.95 * len(records) else Sniff.NO


SPEC = FormatSpec(
    title="labels of ESPS, xwaves and Festival: ends of labels in seconds below a header",
    sign="a line # and below it lines of time, colour, label",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "segment times", "word times", "events"),
    needs=("word times",),
    write_options=(decimals(6),),
    read_options=(Option("points", False, "labels are points in time", (False, True)),),
    manual="A header up to a line #; then one label per line: its end, a colour, its text.",
)
