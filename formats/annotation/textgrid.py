"""textgrid: Praat's TextGrids, tiers of intervals and of points.

=================================  ==========================================================
in the file                        in the schema
=================================  ==========================================================
interval of a tier of utterances   a segment; its words have times where a tier of words that
                                   belongs to it says them (`formats.annotation.tier_reading`)
interval of a tier of words        a word
interval of a tier of phones       an ``event``
point (``TextTier``)               an ``event`` whose start is its end; on a tier
                                   ``name#points`` what ``name`` holds
empty interval                     nothing (``keep_empty``: an event without words)
name of the tier                   `Segment.tier`, and by rule `Segment.speaker`
xmax                               ``duration`` of the file
object name in a Collection        `Segment.recording`; otherwise the file's stem
=================================  ==========================================================

Which tier is what, and whose, `formats.annotation.tiers` says.

*Reading and writing are our own*: the library ``textgrid`` (1.6.1) needs one item per line and no
Latin-1. It is an oracle of the tests where it is right.
"""

from collections.abc import Iterator

from formats.annotation.textgrid_parser import CHRONOLOGICAL, praat_text, read_grids
from formats.annotation.tier_layout import OutputTier, lay_out
from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import KEEP_EMPTY, TIER_OPTIONS, TierRules
from formats.detection.rules import Head
from formats.detection.spec import FormatSpec, SegmentSource, Sniff, decimals
from formats.io.sink import Sink
from formats.io.source import Source
from formats.schema.errors import EncodingFormatError
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_time


def read(
    source: Source, *, tier_map: str = "", speaker_from: str = "auto", keep_empty: bool = False
) -> Iterator[Segment]:
    """The segments of every tier, tier by tier in the order of the file."""
    rules = TierRules(tier_map, speaker_from)
    text = _text(source)
    if not text.strip():
        return
    for number, grid in enumerate(read_grids(source, text)):
        if not number:
            duration = format_time(grid.end_ns, 9).rstrip("0").rstrip(".")
            source.properties["duration"] = duration
        else:
            source.properties.pop("duration", None)
        yield from segments_of_tiers(
            source, grid.recording, grid.tiers, rules, keep_empty=keep_empty
        )


def _text(source: Source) -> str:
    head = source.head()[0]
    if head.startswith("ooBinaryFile"):
        from formats.annotation.textgrid_binary import as_text

        try:
            return as_text(source.data())
        except ValueError as problem:
            raise source.syntax_error(None, "a binary TextGrid of Praat", str(problem)) from None
    try:
        return source.text()
    except EncodingFormatError as error:
        if "NUL" in (error.found or ""):
            raise
        raise EncodingFormatError(
            path=error.path,
            line=error.line,
            column=error.column,
            expected=f"{error.expected}; old files of Praat are latin-1 or mac-roman",
            found=error.found,
        ) from None


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one TextGrid in the long form, of one recording; without tiers an empty one of 1 s."""
    layout = lay_out(segments, sink, precision=precision, has_points=True, has_participants=False)
    end = layout.duration_ns or SECOND
    tiers = layout.tiers or [OutputTier("segments", None)]
    sink.write(
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
        f"xmin = 0\nxmax = {_seconds(end)}\ntiers? <exists>\nsize = {len(tiers)}\nitem []:\n"
    )
    for number, tier in enumerate(tiers, 1):
        _write_tier(sink, number, tier, end)


def _write_tier(sink: Sink, number: int, tier: OutputTier, end: int) -> None:
    kind, plural = ("TextTier", "points") if tier.is_points else ("IntervalTier", "intervals")
    rows = tier.labels if tier.is_points else _without_gaps(tier.labels, end)
    sink.write(
        f'\titem [{number}]:\n\t\tclass = "{kind}"\n\t\tname = {praat_text(tier.name)}\n'
        f"\t\txmin = 0\n\t\txmax = {_seconds(end)}\n\t\t{plural}: size = {len(rows)}\n"
    )
    for n, (begin, stop, text) in enumerate(rows, 1):
        if tier.is_points:
            times, name = f"number = {_seconds(begin)}", "mark"
        else:
            times, name = f"xmin = {_seconds(begin)}\n\t\t\t\txmax = {_seconds(stop)}", "text"
        label = f"\t\t\t\t{times}\n\t\t\t\t{name} = {praat_text(text)}\n"
        sink.write(f"\t\t\t{plural} [{n}]:\n{label}")


def _without_gaps(labels: list[tuple[int, int, str]], end: int) -> list[tuple[int, int, str]]:
    """The labels and those without text between them, as intervals touch each other."""
    rows: list[tuple[int, int, str]] = []
    latest = 0
    for begin, stop, text in (*labels, (end, end, "")):
        if begin > latest:
            rows.append((latest, begin, ""))
        if text or stop > begin:
            rows.append((begin, stop, text))
        latest = stop
    return rows


def _seconds(time: int) -> str:
    """A time in seconds without needless zeros."""
    whole, rest = divmod(time, SECOND)
    return f"{whole}.{rest:09d}".rstrip("0") if rest else f"{whole}"


def sniff(head: Head) -> Sniff:
    """Sure if ``ooTextFile`` and then ``TextGrid`` or ``Collection`` stand at the beginning."""
    beginning = "\n".join(head[:20])[:200]
    if beginning.startswith("ooBinaryFile") or CHRONOLOGICAL in beginning:
        return Sniff.SURE
    _, mark, rest = beginning.partition("ooTextFile")
    return Sniff.SURE if mark and ("TextGrid" in rest or '"Collection"' in rest) else Sniff.NO


SPEC = FormatSpec(
    title="Praat TextGrid: tiers of intervals and points",
    sign='a first line with "ooTextFile"',
    read=read,
    write=write,
    sniff=sniff,
    holds="words, speakers, segment times, word times, tiers, events, segment boundaries",
    needs=("segment times",),
    read_options=(*TIER_OPTIONS, KEEP_EMPTY),
    write_options=(decimals(9),),
)
