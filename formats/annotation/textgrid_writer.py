"""Writing TextGrids in the long form."""

from formats.annotation.tier_layout import OutputTier, lay_out
from formats.sink import Sink
from formats.spec import SegmentSource
from formats.times import SECOND


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one TextGrid in the long form, of one recording.

    A tier of intervals for each speaker or tier, one beside it for the times of words, events
    without length on tiers of points. What overlaps goes to further tiers, what has no length to
    tiers ``name#points``, both counted. The end of all is the ``duration`` of the source, if it
    says one; a file without tiers gets an empty one, of one second.
    """
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
    kind, what = ("TextTier", "points") if tier.is_points else ("IntervalTier", "intervals")
    rows = tier.labels if tier.is_points else _without_gaps(tier.labels, end)
    sink.write(
        f'\titem [{number}]:\n\t\tclass = "{kind}"\n\t\tname = {_quoted(tier.name)}\n'
        f"\t\txmin = 0\n\t\txmax = {_seconds(end)}\n\t\t{what}: size = {len(rows)}\n"
    )
    for place, (begin, stop, text) in enumerate(rows, 1):
        if tier.is_points:
            times, name = f"number = {_seconds(begin)}", "mark"
        else:
            times, name = f"xmin = {_seconds(begin)}\n\t\t\t\txmax = {_seconds(stop)}", "text"
        label = f"\t\t\t\t{times}\n\t\t\t\t{name} = {_quoted(text)}\n"
        sink.write(f"\t\t\t{what} [{place}]:\n{label}")


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


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
