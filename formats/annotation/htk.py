"""htk: the label file of one utterance, ``[start [end]] name [score] [word [score]]`` per line.

Times are whole numbers of 100 ns; ``-1`` or nothing is unknown. Names may stand in quotes, with
escapes and octal bytes. A line ``///`` begins an alternative transcription.

===================================  ======================================================
its word                             ours
===================================  ======================================================
name                                 a word of the one `Segment` of the file
``sil``, ``sp``, ``!ENTER``, …       kind ``event``
score                                `Token.confidence`: a logarithm, not a probability
word above the first of its phones   a word from there to the next word or pause; phones are
                                     left out then
alternatives after ``///``          `Segment.nbest`, without times
the file's name                      `Segment.recording` and `Segment.utterance`
===================================  ======================================================
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from formats.annotation.htk_labels import INTEGER, LEVELS, POINTED, SCORE, Entry, LabelReader
from formats.annotation.htk_writer import write_entry
from formats.lines import split_fields, strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource, Sniff


def read(source: Source, *, htk_unit: str = "auto", htk_level: str = "auto") -> Iterator[Segment]:
    """One segment of all words, then the pauses."""
    reader = LabelReader(source, htk_unit, htk_level)
    entry = Entry(reader, source.recording, 1)
    lines = ((number, line) for number, line in source.lines() if strip_blanks(line))
    first = next(lines, None)
    if first is None:
        return
    for _ in source.log.accepted("HTK-SYNTAX", entry.add, chain([first], lines)):
        pass
    yield from entry.segments()


def write(segments: SegmentSource, sink: Sink, *, htk_octal: bool = False) -> None:
    """Write the words and pauses of everything, by time."""
    write_entry(list(segments), sink, htk_octal)


def sniff(lines: Sequence[str]) -> Sniff:
    """Maybe, if all lines begin with two whole numbers and the last is larger than 10,000.

    Never where lines are plain text: several words, no times.
    """
    records = [split_fields(x) for x in lines if strip_blanks(x) and strip_blanks(x) != "///"]
    if records and all(_is_plain(record) for record in records):
        return Sniff.NEVER
    if not records or not all(
        len(r) > 2 and INTEGER.match(r[0]) and INTEGER.match(r[1]) for r in records
    ):
        return Sniff.NO
    return Sniff.MAYBE if int(records[-1][1][:20]) > 10_000 else Sniff.NO


def _is_plain(record: Sequence[str]) -> bool:
    """Whether the fields of a line are words: no number or quoted name in the first two."""
    return len(record) > 2 and not any(
        POINTED.match(field) or SCORE.match(field) or field[0] in "\"'#;" for field in record[:2]
    )


SPEC = FormatSpec(
    title="HTK labels: one timed name per line",
    sign="lines of begin, end, label",
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        *("words", "segment times", "word times", "confidences", "segment confidences"),
        *("other hypotheses", "events"),
    ),
    read_options=(
        Option("htk_unit", "auto", "unit of times: auto, ticks of 100 ns, seconds or frames:10ms"),
        Option("htk_level", "auto", "read the labels or the words above them", LEVELS),
    ),
    write_options=(Option("htk_octal", False, "write bytes beyond ASCII as octal numbers"),),
    manual="One label per line: start and end in units of 100 ns, name, score.",
)
