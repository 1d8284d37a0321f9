"""tdf: transcripts of LDC's XTrans: a tab-separated table whose header names column types.

====================================  ====================================================
in the file                           in the schema
====================================  ====================================================
``file;unicode``                      `Segment.recording`, without folders and file extension
``channel;int``                       `Segment.channel`, as written
``start;float``, ``end;float``        times in seconds; an end of 0 after a start means unknown
``speaker;unicode``                   `Segment.speaker`; ``NaN`` means no speaker
``transcript;unicode``                the words, with all marks
``speakerType``, ``speakerDialect``,  properties ``gender`` (``male``, ``female``), ``dialect``,
``suType``                            ``su``
``section``, ``turn``, ``segment``    properties, if they are not 0
lines ``;;``                          not read
====================================  ====================================================

Fields are not quoted.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from formats.annotation.messages import TDF_END, TDF_SPEAKER
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.manifests.records import recording_of_audio
from formats.reading.lines import split_words, strip_blanks
from formats.reading.speakers import NO_ONE
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time

COLUMNS = (
    *("file", "channel", "start", "end", "speaker", "speakerType", "speakerDialect"),
    *("transcript", "section", "turn", "segment", "sectionType", "suType"),
)
"""The columns that XTrans writes, and the default for files without header."""
REQUIRED = frozenset({"file", "start", "end", "transcript"})
PROPERTIES = {"speakerType": "gender", "speakerDialect": "dialect", "suType": "su"}
MAIN = ("file", "channel", "start", "end", "speaker", "transcript")
NO_VALUES = NO_ONE | {"", "0", "NA"}


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per row."""
    lines: Iterator[tuple[int, list[str]]] = (
        (number, line.split("\t"))
        for number, line in source.lines()
        if strip_blanks(line) and not line.startswith(";;")
    )
    first = next(lines, None)
    if first is None:
        return
    number, cells = first
    names: Sequence[str] = COLUMNS
    if ";" in cells[0] and cells[0].partition(";")[0] in COLUMNS:
        names = tuple(cell.partition(";")[0] for cell in cells)
        missing = sorted(REQUIRED.difference(names))
        if missing:
            raise source.syntax_error(number, f"a column {' and '.join(missing)}", "none", 1)
    else:
        lines = chain([first], lines)
    yield from source.log.accepted("TDF-SYNTAX", _Rows(source, names).segment, lines)


class _Rows:
    """Parses the rows of a table; the header gave the positions of the columns."""

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        self.source = source
        self.size = len(names)
        indexes = {name: index for index, name in enumerate(names)}
        # the cell after the last is empty
        self.main = [indexes.get(name, self.size) for name in MAIN]
        self.others = [
            (index, PROPERTIES.get(name, name))
            for name, index in indexes.items()
            if name not in MAIN
        ]
        self.recordings: dict[str, str] = {}

    def segment(self, row: tuple[int, list[str]]) -> Iterator[Segment]:
        """Yield the segment of a row; nothing if the row describes no segment."""
        number, cells = row
        source = self.source
        while len(cells) > self.size and not cells[-1]:
            cells.pop()
        if not self.size - 1 <= len(cells) <= self.size:
            expected = f"{self.size} fields with tabs between them"
            raise source.syntax_error(number, expected, str(len(cells)))
        cells += ("", "")
        file, channel, begin, stop, who, text = [cells[index] for index in self.main]
        start, end = _time(source, number, begin), _time(source, number, stop)
        if end < start and end:
            raise source.syntax_error(number, f"an end not before {begin}", quoted(stop))
        if end < start:
            source.log.say(TDF_END, number, end=stop, begin=begin)
        speaker = who or None
        if speaker in NO_ONE:
            source.log.say(TDF_SPEAKER, number)
            speaker = None
        if file not in self.recordings:
            self.recordings[file] = recording_of_audio(file) or source.recording
        others = [(name, cells[n]) for n, name in self.others if cells[n] not in NO_VALUES]
        yield Segment(
            self.recordings[file], tuple(split_words(text)), channel=channel or None,
            speaker=speaker, start_ns=start, end_ns=end if end >= start else None,
            properties=tuple(sorted(others)), line=number,
        )  # fmt: skip


def _time(source: Source, number: int, text: str) -> int:
    try:
        time = parse_time(strip_blanks(text))
    except ValueError:
        time = -1
    if time < 0:
        raise source.syntax_error(number, "a time in seconds", quoted(text))
    return time


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first line is the header of XTrans."""
    first = next((line for line in lines if strip_blanks(line)), "")
    cells = first.split("\t")
    return Sniff.SURE if {"file;unicode", "transcript;unicode"} <= set(cells) else Sniff.NO


SPEC = FormatSpec(
    title="transcripts of LDC's XTrans: segments in a table with tabs",
    sign="a header with file;unicode and transcript;unicode",
    read=read,
    sniff=sniff,
)
