"""timit: words or phones with times in samples, ``start end label``.

=================================  ========================================================
in the file                        in the schema
=================================  ========================================================
start, end in samples              times, by `rate` samples per second
``.wrd``: a word per line          one `Segment` of timed words
``.phn``: a phone per line         one `Segment` of timed phones on the tier ``phones``
``h#``, ``pau``, ``epi``           kind ``event``: silence, pauses
``.txt``: span and sentence        a `Segment` with times; its words have no times
directory ``FCJF0``                `Segment.speaker`; the recording is ``FCJF0_SA1``
=================================  ========================================================

Files have the same names in every speaker's directory. The name of the directory is therefore part
of the recording name if it has the corpus's form: ``F`` or ``M``, three letters and a digit.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter

from formats.annotation.messages import (
    OVERLAP_LABEL,
    RULE_PAUSES_LAST,
    RULE_SAMPLES,
    RULE_SORTED_BY_START,
)
from formats.detection.spec import FormatSpec, Option, SegmentSource, Sniff
from formats.io.messages import RULE_DROPPED
from formats.io.sink import Sink
from formats.io.source import Source, recording_of
from formats.reading.frames import FrameRate
from formats.reading.lines import Line, filled_lines, note_unicode_blanks, split_fields, split_words
from formats.reading.silence import SILENCES
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import LARGEST
from formats.schema.words import Token
from formats.writing.out import Out

PAUSES = SILENCES | {"h#", "pau", "epi"}
SPEAKER = re.compile(r"[fm][a-z]{3}[0-9]\Z", re.IGNORECASE | re.ASCII)


def read(source: Source, *, rate: int = 16000) -> Iterator[Segment]:
    """Yield the sentences, then one segment with all words, then the pauses."""
    samples = _samples_of(rate)
    recording, speaker = _names(source)
    tier = "phones" if source.name.lower().removesuffix(".gz").endswith(".phn") else None
    tokens: list[Token] = []
    first: int | None = None
    pauses: list[Segment] = []
    latest = 0
    rows = source.log.accepted("TIMIT-SYNTAX", partial(_row, samples), filled_lines(source))
    for begin, end, words, number in rows:
        if len(words) == 1 and words[0].lower() not in PAUSES:
            if begin < latest:
                source.log.say(OVERLAP_LABEL, number)
            latest = max(latest, end)
            first = number if first is None else first
            tokens.append(Token(words[0], begin, end))
            continue
        segment = Segment(
            recording, words, speaker=speaker, start_ns=begin, end_ns=end, tier=tier, line=number
        )
        if len(words) > 1:
            yield segment
        else:
            pauses.append(segment.replace(kind="event"))
    if tokens:
        yield Segment.from_items(recording, tokens, speaker=speaker, tier=tier, line=first)
    yield from pauses


def _samples_of(rate: int) -> FrameRate:
    if rate < 1:
        raise OptionError(expected="a rate of 1 sample per second or more", found=f"{rate}")
    return FrameRate(rate, 1)


def _names(source: Source) -> tuple[str, str | None]:
    """Return the recording and the speaker."""
    folder = os.path.basename(os.path.dirname(source.name))
    is_path = not source.name.startswith("<")
    if is_path and SPEAKER.match(folder):
        if source.recording == recording_of(source.name):
            return f"{folder}_{source.recording}", folder
        return source.recording, folder
    return source.recording, None


def _row(rate: FrameRate, line: Line) -> Iterator[tuple[int, int, tuple[str, ...], int]]:
    """Parse a line; yield start and end in nanoseconds, words, and line number."""
    fields = line.fields(3, "start, end and label")
    for index, name in enumerate(("start", "end")):
        text = fields[index]
        if not (text.isascii() and text.isdigit()) or len(text) > 18:
            raise line.error(index, f"{name} as a whole number of samples")
        if rate.time(int(text)) > LARGEST:
            raise line.error(index, f"{name} within 292 years")
    if int(fields[1]) < int(fields[0]):
        raise line.error(1, f"an end not before {fields[0]}")
    note_unicode_blanks(line.source, line.number, line.text)
    start, end = (rate.time(int(text)) for text in fields[:2])
    yield start, end, tuple(split_words(line.rest(2))), line.number


def write(segments: SegmentSource, sink: Sink, *, rate: int = 16000) -> None:
    """Write all words and pauses, sorted by start; round times to samples."""
    samples = _samples_of(rate)
    rows: list[tuple[int, int, str]] = []
    pauses: list[tuple[int, int, str]] = []
    for segment in segments:
        out = Out(segment, sink)
        if segment.kind == "event":
            name = " ".join(segment.words)
            if name.lower() not in PAUSES:
                out.lost("events", 1, RULE_DROPPED)
                continue
            pauses.append((*_span(out, samples, segment.start_ns, segment.end_ns, name), name))
            continue
        out.lost("segment times", int(segment.start_ns is not None))
        out.lost("order of segments", int(bool(pauses)), RULE_PAUSES_LAST)
        for token in segment.all_tokens():
            text = out.name(token.text, "word")
            if text.lower() in PAUSES or not split_words(text):
                reason = f"{quoted(text)}, which would be read as a pause"
                raise out.refuse("a word that the format can hold", reason)
            rows.append((*_span(out, samples, token.start_ns, token.end_ns, text), text))
    rows = sink.losses.in_order(
        rows, itemgetter(0), RULE_SORTED_BY_START, sink.source, "order of words"
    )
    for start, end, text in sorted(rows + pauses, key=itemgetter(0)):
        sink.write(f"{start} {end} {text}\n")


def _span(
    out: Out, rate: FrameRate, start: int | None, end: int | None, text: str
) -> tuple[int, int]:
    first, last = map(rate.frame, out.placed(text, start, end, 9))
    changed = (rate.time(first) != start) + (rate.time(last) != end)
    out.lost("decimals of times", changed, Message(RULE_SAMPLES, {"rate": rate.above}))
    return first, last


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `MAYBE` if every line begins with two increasing integers.

    Return `SURE` for a single line that starts at 0 and has a sentence.
    """
    records = list(filter(None, map(split_fields, lines)))
    if len(records) == 1 and len(records[0]) > 3 and records[0][0] == "0":
        is_span = records[0][1].isdecimal() and 4 <= len(records[0][1]) <= 7
        return Sniff.SURE if is_span else Sniff.NO
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
    read_options=(
        Option(
            "rate",
            16000,
            "samples per second of timit files (default: 16000), and of partitur files without "
            "a SAM line",
        ),
    ),
    write_options=(
        Option(
            "rate",
            16000,
            "samples per second of timit files (default: 16000), and of partitur files without "
            "a SAM line",
        ),
    ),
)
