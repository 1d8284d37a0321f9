"""Writing the label lines of HTK, apart from reading in `formats.annotation.htk_labels`."""

from collections.abc import Iterator, Sequence

from formats.annotation.htk_labels import ALTERNATIVE, PAUSES, TICK
from formats.errors import quoted
from formats.model import Segment
from formats.out import Out, decimal_text
from formats.sink import Sink


def quoted_name(name: str, octal: bool) -> str:
    r"""A name as HTK reads it back, in quotes where it needs them.

    >>> quoted_name("7up", False), quoted_name("naïve", True)
    ('"7up"', 'na\\303\\257ve')
    """
    made = name.replace("\\", "\\\\").replace('"', '\\"')
    if octal and not made.isascii():
        made = "".join(
            c if c.isascii() else "".join(f"\\{byte:03o}" for byte in c.encode()) for c in made
        )
    is_plain = name[0] not in "0123456789-+.;/'\"#" and " " not in name and "\t" not in name
    return made if is_plain else f'"{made}"'


def write_entry(segments: Sequence[Segment], sink: Sink, octal: bool) -> None:
    """Write the lines of one utterance: words and pauses by time, then the alternatives."""
    spoken = [segment for segment in segments if segment.kind != "event"]
    pauses = [segment for segment in segments if segment.kind == "event"]
    rows = [row for segment in segments for row in _rows(Out(segment, sink), octal)]
    if all(start is not None for start, _ in rows):
        starts = [s for segment in spoken for s in segment.starts_ns or ()]
        in_order = sink.losses.in_order
        in_order(starts, lambda start: start or 0, "by start", sink.source, "order of words")
        in_order(pauses, lambda pause: pause.start_ns or 0, "by start", sink.source)
        rows.sort(key=lambda row: row[0] or 0)
    elif any(pause.start_ns is None for pause in pauses):
        kind = "places of pauses without times"
        sink.losses.add(kind, len(pauses), "", sink.source)
    for _, text in rows:
        sink.write(text)
    for segment in spoken:
        out = Out(segment, sink)
        if len(spoken) > 1:
            out.lost("other hypotheses", len(segment.nbest))
            continue
        for score, names in segment.nbest:
            out.lost("scores of other hypotheses", int(score is not None))
            lines = (_line(out, None, None, name, None, octal) for name in names)
            sink.write("".join([f"{ALTERNATIVE}\n", *lines]))


def _rows(out: Out, octal: bool) -> Iterator[tuple[int | None, str]]:
    """Start and line of each label."""
    segment = out.segment
    start, end = segment.start_ns, segment.end_ns
    if segment.kind == "event":
        name = " ".join(segment.words)
        if name.lower() in PAUSES:
            yield start, _line(out, start, end, name, segment.confidence, octal)
        else:
            out.lost("events", 1, "left out")
        return
    out.lost("segment times", int(start is not None or end is not None))
    out.lost("segment confidences", int(segment.confidence is not None))
    for token in segment.all_tokens():
        if token.text.lower() in PAUSES:
            found = f"{quoted(token.text)}, which would be read as a pause"
            raise out.refuse("a word that the format can hold", found)
        times = token.start_ns, token.end_ns
        yield token.start_ns, _line(out, *times, token.text, token.confidence, octal)


def _line(
    out: Out, start: int | None, end: int | None, name: str, score: float | None, octal: bool
) -> str:
    """One label."""
    if not name or any(c in "\r\n\0" or "\ud800" <= c <= "\udfff" for c in name):
        found = f"line ends or half a character in {quoted(name)}" if name else "an empty word"
        raise out.refuse("a name that the format can hold", found)
    if start is not None and end is not None and end < start:
        expected = f"times in order for {quoted(name)}"
        raise out.refuse(expected, f"{start / 1e9} to {end / 1e9}")
    parts = [] if start is None and end is None else [_ticks(out, start), _ticks(out, end)]
    parts.append(quoted_name(name, octal))
    if score is not None:
        parts.append(decimal_text(score))
    return " ".join(parts) + "\n"


def _ticks(out: Out, time: int | None) -> str:
    """A time in units of 100 ns, ``-1`` where unknown."""
    if time is not None and time < 0:
        raise out.refuse("a time of 0 or more", f"{time / 1e9}")
    return "-1" if time is None else str(out.round(7, time)[0] // TICK)
