"""timit: words or phones with times in samples, ``start end label``.

=================================  ========================================================
its word                           ours
=================================  ========================================================
start, end in samples              times, by `rate` samples per second
``.wrd``: a word per line          one `Segment` of timed words
``.phn``: a phone per line         the same, `tier` ``phones``
``h#``, ``pau``, ``epi``           kind ``event``: silence, pauses
``.txt``: span and sentence        a `Segment` with times, its words without
directory ``FCJF0``                `Segment.speaker`; the recording is ``FCJF0_SA1``
=================================  ========================================================

The sentences of the corpus have the same names in every speaker's directory, so the directory is
part of the recording's name where it looks like one of the corpus: sex, three letters, a digit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from formats.errors import SyntaxFormatError, quoted
from formats.fields import field_count_error, field_error, written_name
from formats.lines import note_unicode_blanks, split_fields, split_words, strip_blanks
from formats.loss import refused
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source, recording_of
from formats.spec import FormatSpec, Option, SegmentSource, Sniff
from formats.times import LARGEST, SECOND

PAUSES = frozenset({"h#", "pau", "epi"})
SPEAKER = re.compile(r"[fm][a-z]{3}[0-9]\Z", re.IGNORECASE | re.ASCII)


def read(source: Source, *, rate: int = 16000) -> Iterator[Segment]:
    """Sentences as they come, then one segment of all words, then the pauses.

    Parameters
    ----------
    rate: samples per second.
    """
    if rate < 1:
        raise _no_rate(rate)
    recording, speaker = _names(source)
    tier = "phones" if source.name.lower().removesuffix(".gz").endswith(".phn") else None
    rows: list[tuple[int, int, str, int]] = []
    pauses: list[Segment] = []
    latest = 0
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        try:
            start, end, words = _read_line(source, number, line, rate)
        except SyntaxFormatError as error:
            source.log.reject("TIMIT-SYNTAX", error)
            continue
        begin_ns, end_ns = _from_samples(start, rate), _from_samples(end, rate)
        if len(words) == 1 and words[0].lower() not in PAUSES:
            if start < latest:
                source.log.note("OVERLAP", "begins before the end of the label above it", number)
            latest = max(latest, end)
            rows.append((begin_ns, end_ns, words[0], number))
            continue
        segment = Segment(
            recording,
            words,
            speaker=speaker,
            start_ns=begin_ns,
            end_ns=end_ns,
            tier=tier,
            kind="segment" if len(words) > 1 else "event",
            line=number,
        )
        if segment.kind == "segment":
            yield segment
        else:
            pauses.append(segment)
    if rows:
        yield Segment(
            recording,
            tuple(row[2] for row in rows),
            speaker=speaker,
            starts_ns=tuple(row[0] for row in rows),
            ends_ns=tuple(row[1] for row in rows),
            tier=tier,
            line=rows[0][3],
        )
    yield from pauses


def _no_rate(rate: int) -> Exception:
    from formats.errors import OptionError

    return OptionError(expected="a rate of 1 sample per second or more", found=f"{rate}")


def _names(source: Source) -> tuple[str, str | None]:
    """Recording and speaker, from the path unless the recording was named."""
    folder = os.path.basename(os.path.dirname(source.name))
    is_path = not source.name.startswith("<")
    if is_path and SPEAKER.match(folder):
        if source.recording == recording_of(source.name):
            return f"{folder}_{source.recording}", folder
        return source.recording, folder
    return source.recording, None


def _read_line(
    source: Source, number: int, line: str, rate: int
) -> tuple[int, int, tuple[str, ...]]:
    fields = split_fields(line)
    if len(fields) < 3:
        expected = "start, end and label"
        raise field_count_error(source, number, line, len(fields), 3, expected)
    spans: list[int] = []
    for index, what in enumerate(("start", "end")):
        text = fields[index]
        if not (text.isascii() and text.isdigit()) or len(text) > 18:
            expected = f"{what} as a whole number of samples"
            raise field_error(source, number, line, index, expected, text)
        spans.append(int(text))
        if _from_samples(spans[-1], rate) > LARGEST:
            raise field_error(source, number, line, index, f"{what} within 292 years", text)
    if spans[1] < spans[0]:
        expected = f"an end not before {fields[0]}"
        raise field_error(source, number, line, 1, expected, fields[1])
    if not line.isascii():
        note_unicode_blanks(source, number, line)
    rest = line.lstrip(" \t")
    for _ in range(2):
        rest = rest.lstrip("0123456789").lstrip(" \t")
    return spans[0], spans[1], tuple(split_words(rest))


def _from_samples(count: int, rate: int) -> int:
    """Nanoseconds, half to even."""
    value, rest = divmod(count * SECOND, rate)
    return value + (rest * 2 > rate or (rest * 2 == rate and value % 2 == 1))


def _to_samples(value: int, rate: int) -> int:
    count, rest = divmod(value * rate, SECOND)
    return count + (rest * 2 > SECOND or (rest * 2 == SECOND and count % 2 == 1))


def write(segments: SegmentSource, sink: Sink, *, rate: int = 16000) -> None:
    """Write all words and pauses, sorted by start; times are rounded to samples.

    Parameters
    ----------
    rate: samples per second.
    """
    if rate < 1:
        raise _no_rate(rate)
    path = segments.source
    rows: list[tuple[int, int, str]] = []
    pauses: list[tuple[int, int, str]] = []
    for segment in segments:
        line = segment.line
        if segment.kind == "event":
            name = " ".join(segment.words)
            if name.lower() not in PAUSES:
                sink.losses.add("events", 1, "left out", path, line)
                continue
            pauses.append(_row(sink, segment, path, rate, segment.start_ns, segment.end_ns, name))
            continue
        sink.losses.add("segment times", int(segment.start_ns is not None), "", path, line)
        for token in segment.all_tokens():
            text = written_name(token.text, "word", path, line)
            if text.lower() in PAUSES or not split_words(text):
                raise refused(
                    path,
                    line,
                    "a word that the format can hold",
                    f"{quoted(text)}, which would be read as a pause",
                )
            rows.append(_row(sink, segment, path, rate, token.start_ns, token.end_ns, text))
    rows = sink.losses.in_order(rows, itemgetter(0), "by start", path, "order of words")
    for start, end, text in sorted(rows + pauses, key=itemgetter(0)):
        sink.write(f"{start} {end} {text}\n")


def _row(
    sink: Sink,
    segment: Segment,
    path: str | None,
    rate: int,
    start: int | None,
    end: int | None,
    text: str,
) -> tuple[int, int, str]:
    if start is None or end is None or not 0 <= start <= end:
        raise refused(
            path,
            segment.line,
            f"times in order for {quoted(text)}",
            "none" if start is None or end is None else f"{start / 1e9} to {end / 1e9}",
        )
    first, last = _to_samples(start, rate), _to_samples(end, rate)
    changed = (_from_samples(first, rate) != start) + (_from_samples(last, rate) != end)
    rule = f"rounded to 1/{rate} s"
    sink.losses.add("decimals of times", changed, rule, path, segment.line)
    return first, last, text


def sniff(lines: Sequence[str]) -> Sniff:
    """Maybe, if all lines begin with two whole numbers that go on: a label of HTK has the same."""
    records = [split_fields(x) for x in lines if strip_blanks(x)]
    fitting = all(
        len(r) > 2 and r[0].isdecimal() and r[1].isdecimal() and int(r[0][:18]) <= int(r[1][:18])
        for r in records
    )
    return Sniff.MAYBE if records and fitting else Sniff.NO


SPEC = FormatSpec(
    title="labels of the TIMIT corpus: words or phones with times in samples",
    sign="lines of begin, end, word",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "segment times", "word times", "events"),
    needs=("word times",),
    read_options=(Option("rate", 16000, "samples per second"),),
    write_options=(Option("rate", 16000, "samples per second"),),
    manual="One word or phone per line: start and end in samples, label.",
)
