"""csv and tsv: tables with a header and one utterance per row.

Columns are recognised by their usual names (`formats.manifests.roles`): the words (``text``,
``sentence``, …; with ``field="pred_text"`` those of a recogniser), ``id``, ``recording`` or an
audio file, ``speaker``, ``channel``, ``start``, and ``end`` or ``duration``. Non-empty cells of
other columns become properties. Fields are quoted as in RFC 4180; the separator is the most
frequent of comma, semicolon and tab in the header.
"""

from __future__ import annotations

import csv
from functools import partial
from operator import ne

from formats.detection.spec import (
    MEMBER,
    TEXT_FIELD,
    UNIT_OPTION,
    FormatSpec,
    Option,
    SegmentSource,
    Sniff,
    decimals,
    loaded_later,
)
from formats.io.messages import RULE_EMPTY_NAME, RULE_MADE_LF, RULE_NO_COLON
from formats.manifests.records import RecordOut
from formats.reading.frames import FPS
from formats.reading.label_speakers import LABEL_IS
from formats.schema.shared_options import HELP_OF
from formats.tables import COLUMNS
from formats.writing.out import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from formats.detection.head import Head
    from formats.io.sink import Sink
    from formats.schema.model import Segment

READ_OPTIONS = (
    TEXT_FIELD,
    UNIT_OPTION,
    Option("columns", "", "names of columns without a header, or by role: start=Begin"),
    MEMBER,
    FPS,
)


def _reader() -> Callable[..., Iterator[Segment]]:
    """Load the function that reads."""
    from formats.tables.table import read

    return read


def sniff(own: str, head: Head) -> Sniff:
    """Return how certain `formats.tables.table` is that the text is a table with this separator."""
    from formats.tables.table import sniff

    return sniff(own, head)


def write(
    delimiter: str,
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    csv_safe: bool = False,
) -> None:
    """Write a header and one row per segment."""
    writer: Any = csv.writer(sink, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    for segment in segments:
        out = RecordOut(segment, sink)
        names = {"utterance ids": segment.utterance, "channels": segment.channel,
                 "speakers": segment.speaker}  # fmt: skip
        for noun, name in names.items():
            out.lost(noun, int(name == ""), RULE_EMPTY_NAME)
        has_colon = segment.speaker is not None and segment.speaker.endswith(":")
        out.lost("names of speakers", int(has_colon), RULE_NO_COLON)
        row = [segment.utterance, segment.recording, segment.channel, segment.speaker]
        for time in (segment.start_ns, segment.end_ns):
            row.append(None if time is None else out.time(time, precision))
        row.append(out.text())
        if csv_safe:
            row = list(map(guarded, row))
        cells = ["" if cell is None else cell for cell in row]
        plain = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
        out.lost("line ends in names", sum(map(ne, cells, plain)), RULE_MADE_LF)
        try:
            writer.writerow(plain)
        except csv.Error:  # Python 3.10 with a NUL character, which the output refuses
            sink.write(delimiter.join(plain) + "\n")


def _spec(title: str, delimiter: str) -> FormatSpec:
    return FormatSpec(
        title=title,
        sign="a header with a column of words, such as text",
        read=loaded_later(_reader),
        write=partial(write, delimiter),
        sniff=partial(sniff, delimiter),
        holds="words, recordings, channels, speakers, utterance ids, segment times, "
        "empty segments, segment boundaries",
        needs=("recordings",),
        read_options=(*READ_OPTIONS, LABEL_IS),
        write_options=(
            decimals(),
            Option(
                "csv_safe",
                False,
                HELP_OF["--csv-safe"],
            ),
        ),
    )


CSV_SPEC = _spec("tables with commas: one utterance per row", ",")
TSV_SPEC = _spec("tables with tabs: one utterance per row", "\t")
