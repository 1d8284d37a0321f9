"""tdf: transcripts of LDC's XTrans, a table with tabs whose header tells the types.

====================================  ====================================================
its word                              ours
====================================  ====================================================
``file;unicode``                      `Segment.recording`, without folders and ending
``channel;int``                       `Segment.channel`, as written
``start;float``, ``end;float``        times in seconds; an end of 0 behind a start is none
``speaker;unicode``                   `Segment.speaker`; ``NaN`` is none
``transcript;unicode``                the words, with all marks in them
``speakerType``, ``speakerDialect``,  properties ``gender`` (``male``, ``female``), ``dialect``,
``suType``                            ``su``
``section``, ``turn``, ``segment``    properties, where they are not 0
lines ``;;``                          not read
====================================  ====================================================

Nothing is quoted.
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.lines import split_words, strip_blanks
from formats.manifests.records import recording_of_audio
from formats.model import Segment
from formats.spec import FormatSpec, Sniff
from formats.times import parse_time, plain_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

COLUMNS = (
    *("file", "channel", "start", "end", "speaker", "speakerType", "speakerDialect"),
    *("transcript", "section", "turn", "segment", "sectionType", "suType"),
)
"""What XTrans writes, and so what a file without header has."""
REQUIRED = frozenset({"file", "start", "end", "transcript"})
PROPERTIES = {"speakerType": "gender", "speakerDialect": "dialect", "suType": "su"}
TAKEN = frozenset({"file", "channel", "start", "end", "speaker", "transcript"})
NOTHING = frozenset({"", "0", "None", "NA", "NaN", "nan"})


def read(source: Source) -> Iterator[Segment]:
    """One segment per row.

    Raises
    ------
    SyntaxFormatError: no header and another number of fields than XTrans writes, a time that is
        none, an end before its begin.
    """
    names: Sequence[str] = ()
    for number, line in source.lines():
        if line.startswith(";;") or not strip_blanks(line):
            continue
        cells = line.split("\t")
        if not names:
            names = COLUMNS
            if ";" in cells[0] and cells[0].partition(";")[0] in COLUMNS:
                names = [cell.partition(";")[0] for cell in cells]
                missing = sorted(REQUIRED.difference(names))
                if missing:
                    expected = f"a column {' and '.join(missing)}"
                    raise source.syntax_error(number, expected, "none", 1)
                continue
        try:
            yield _segment(source, number, cells, names)
        except SyntaxFormatError as error:
            source.log.reject("TDF-SYNTAX", error)


def _segment(source: Source, number: int, cells: list[str], names: Sequence[str]) -> Segment:
    while len(cells) > len(names) and not cells[-1]:
        cells.pop()
    if not len(names) - 1 <= len(cells) <= len(names):
        expected = f"{len(names)} fields with tabs between them"
        raise source.syntax_error(number, expected, str(len(cells)))
    row = dict(zip(names, [*cells, ""], strict=False))
    start, end = (_time(source, number, row[name]) for name in ("start", "end"))
    if end < start and end:
        expected = f"an end not before {row['start']}"
        raise source.syntax_error(number, expected, quoted(row["end"]))
    if end < start:
        source.log.warn("TDF-END", f"no end: {row['end']} behind {row['start']}", number)
    speaker: str | None = row.get("speaker") or None
    if speaker in ("NaN", "nan"):
        source.log.note("TDF-SPEAKER", "NaN is no speaker", number)
        speaker = None
    properties = {
        PROPERTIES.get(name, name): text
        for name, text in row.items()
        if name not in TAKEN and text not in NOTHING
    }
    return Segment(
        recording_of_audio(row["file"]) or source.recording,
        tuple(split_words(row["transcript"])),
        channel=row.get("channel") or None,
        speaker=speaker,
        start_ns=start,
        end_ns=end if end >= start else None,
        properties=tuple(sorted(properties.items())),
        line=number,
    )


def _time(source: Source, number: int, text: str) -> int:
    plain = plain_time(text)
    if plain is not None:
        return plain
    try:
        time = parse_time(strip_blanks(text))
    except ValueError:
        time = -1
    if time < 0:
        raise source.syntax_error(number, "a time in seconds", quoted(text))
    return time


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure of the header of XTrans."""
    first = next((line for line in lines if strip_blanks(line)), "")
    cells = first.split("\t")
    return Sniff.SURE if {"file;unicode", "transcript;unicode"} <= set(cells) else Sniff.NO


SPEC = FormatSpec(
    title="transcripts of LDC's XTrans: segments in a table with tabs",
    sign="a header with file;unicode and transcript;unicode",
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="A header and one row per segment: file, channel, times, speaker, text.",
)
