"""textgrid: Praat's TextGrid files, with tiers of intervals and of points.

=================================  ==========================================================
in the file                        in the schema
=================================  ==========================================================
interval of a tier of utterances   a segment; its words have times if a tier of words belongs to the
                                   tier (`formats.annotation.tier_reading`)
interval of a tier of words        a word
interval of a tier of phones       an ``event``
point (``TextTier``)               an ``event`` whose start is its end; points on a tier
                                   ``name#points`` have the kind of the tier ``name``
empty interval                     nothing; with ``keep_empty``, an event without words
name of the tier                   `Segment.tier`, and `Segment.speaker` by the rules for tiers
xmax                               ``duration`` of the file
object name in a Collection        `Segment.recording`; otherwise the file's stem
=================================  ==========================================================

`formats.annotation.tiers` decides the kind and the speaker of each tier.

This package has its own parser, because the library ``textgrid`` (1.6.1) needs one item per line
and rejects Latin-1. The package uses the library to write files, and reads and creates the
library's `TextGrid` objects (`formats.annotation.textgrid_library`).
"""

from collections.abc import Iterator

from formats.annotation.messages import TEXTGRID_ENCODING
from formats.annotation.textgrid_parser import CHRONOLOGICAL, Grid, read_grids
from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import KEEP_EMPTY, TIER_OPTIONS, TierRules
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff, WriteFunction, decimals, loaded_later
from formats.io.errors import EncodingFormatError
from formats.io.messages import OTHER_ENCODING
from formats.io.source import Source
from formats.reading.label_speakers import LABEL_IS, reads_labels
from formats.schema.model import Segment
from formats.schema.times import format_time


@reads_labels
def read(
    source: Source, *, tier_map: str = "", speaker_from: str = "auto", keep_empty: bool = False
) -> Iterator[Segment]:
    """Yield the segments of all tiers, in the order of the tiers in the file."""
    rules = TierRules(tier_map, speaker_from)
    for number, grid in enumerate(_grids(source)):
        if not number:
            duration = format_time(grid.end_ns, 9).rstrip("0").rstrip(".")
            source.properties["duration"] = duration
        else:
            source.properties.pop("duration", None)
        yield from segments_of_tiers(
            source, grid.recording, grid.tiers, rules, keep_empty=keep_empty
        )


def _grids(source: Source) -> Iterator[Grid]:
    """Yield the TextGrids of a file, or of an object of the library ``textgrid``.

    An empty file gives none.
    """
    if source.document is not None:
        from formats.annotation.textgrid_library import grid_of

        yield grid_of(source, source.document)
        return
    text = _text(source)
    if text.strip():
        yield from read_grids(source, text)


def _text(source: Source) -> str:
    head = source.head()[0]
    if head.startswith("ooBinaryFile"):
        from formats.annotation.textgrid_binary import as_text

        try:
            return as_text(source.data())
        except ValueError as problem:
            raise source.syntax_error(None, "a binary TextGrid of Praat", str(problem)) from None
    try:
        return source.text(tries_encodings=False)
    except EncodingFormatError as error:
        if error.value is not None and error.value.code == OTHER_ENCODING.code:
            error.advise(TEXTGRID_ENCODING)
        raise


def sniff(head: Head) -> Sniff:
    """Return `SURE` if the file begins with ``ooTextFile``, then ``TextGrid`` or ``Collection``."""
    beginning = "\n".join(head[:20])[:200]
    if beginning.startswith("ooBinaryFile") or CHRONOLOGICAL in beginning:
        return Sniff.SURE
    _, mark, rest = beginning.partition("ooTextFile")
    return Sniff.SURE if mark and ("TextGrid" in rest or '"Collection"' in rest) else Sniff.NO


def _writer() -> WriteFunction:
    from formats.annotation.textgrid_library import write

    return write


def _creator() -> WriteFunction:
    from formats.annotation.textgrid_library import to_grid

    return to_grid


SPEC = FormatSpec(
    title="Praat TextGrid: tiers of intervals and points",
    sign='a first line with "ooTextFile"',
    turn_text="{}",
    read=read,
    sniff=sniff,
    holds="words, speakers, segment times, word times, tiers, events, segment boundaries",
    needs=("segment times",),
    read_options=(LABEL_IS, *TIER_OPTIONS, KEEP_EMPTY),
    write=loaded_later(_writer),
    create=loaded_later(_creator),
    write_options=(decimals(9),),
)
