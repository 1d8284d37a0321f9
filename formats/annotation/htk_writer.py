"""Writing the label lines of HTK, apart from reading in `formats.annotation.htk_labels`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.annotation.htk_labels import ALTERNATIVE, PAUSES, TICK
from formats.errors import quoted
from formats.fields import RoundedTimes, decimal_text
from formats.loss import refused
from formats.model import Segment
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


class EntryWriter:
    """Writes the labels of one utterance after another."""

    def __init__(self, sink: Sink, path: str | None, octal: bool) -> None:
        self.sink = sink
        self.path = path
        self.octal = octal
        self.times = RoundedTimes(sink, path, 7)

    def write(self, segments: Sequence[Segment]) -> None:
        """The lines of one utterance: words and pauses by time, then the alternatives."""
        rows: list[tuple[int | None, str]] = []
        spoken = [segment for segment in segments if segment.kind != "event"]
        for segment in segments:
            rows.extend(self.rows(segment))
        if all(start is not None for start, _ in rows):
            starts = [s for segment in spoken for s in segment.starts_ns or ()]
            pauses = [segment.start_ns for segment in segments if segment.kind == "event"]
            self.sink.losses.in_order(
                starts, lambda start: start or 0, "by start", self.path, "order of words"
            )
            self.sink.losses.in_order(pauses, lambda start: start or 0, "by start", self.path)
            rows.sort(key=lambda row: row[0] or 0)
        elif any(s.kind == "event" and s.start_ns is None for s in segments):
            count = sum(1 for s in segments if s.kind == "event")
            self.sink.losses.add("places of pauses without times", count, "", self.path)
        for _, text in rows:
            self.sink.write(text)
        for segment in spoken:
            if segment.nbest and len(spoken) > 1:
                count = len(segment.nbest)
                self.sink.losses.add("other hypotheses", count, "", self.path, segment.line)
            for score, names in segment.nbest if len(spoken) == 1 else ():
                self.sink.losses.add(
                    "scores of other hypotheses", int(score is not None), "", self.path
                )
                self.sink.write(ALTERNATIVE + "\n")
                for name in names:
                    self.sink.write(self.line(segment, None, None, name, None))

    def rows(self, segment: Segment) -> Iterator[tuple[int | None, str]]:
        """Start and line of each label."""
        if segment.kind == "event":
            name = " ".join(segment.words)
            if name.lower() not in PAUSES:
                self.sink.losses.add("events", 1, "left out", self.path, segment.line)
                return
            start, end = segment.start_ns, segment.end_ns
            yield start, self.line(segment, start, end, name, segment.confidence)
            return
        for what, value in (
            ("segment times", segment.end_ns if segment.start_ns is None else segment.start_ns),
            ("segment confidences", segment.confidence),
        ):
            self.sink.losses.add(what, int(value is not None), "", self.path, segment.line)
        for token in segment.all_tokens():
            if token.text.lower() in PAUSES:
                raise refused(
                    self.path,
                    segment.line,
                    "a word that the format can hold",
                    f"{quoted(token.text)}, which would be read as a pause",
                )
            start, end = token.start_ns, token.end_ns
            yield start, self.line(segment, start, end, token.text, token.confidence)

    def line(
        self, segment: Segment, start: int | None, end: int | None, name: str, score: float | None
    ) -> str:
        """One label."""
        if not name or any(c in "\r\n\0" or "\ud800" <= c <= "\udfff" for c in name):
            raise refused(
                self.path,
                segment.line,
                "a name that the format can hold",
                f"line ends or half a character in {quoted(name)}" if name else "an empty word",
            )
        if start is not None and end is not None and end < start:
            raise refused(
                self.path,
                segment.line,
                f"times in order for {quoted(name)}",
                f"{start / 1e9} to {end / 1e9}",
            )
        parts = [] if start is None and end is None else [self.ticks(start), self.ticks(end)]
        parts.append(quoted_name(name, self.octal))
        if score is not None:
            parts.append(decimal_text(score))
        return " ".join(parts) + "\n"

    def ticks(self, value: int | None) -> str:
        """A time in units of 100 ns, ``-1`` where unknown."""
        return "-1" if value is None else str(self.times.round(value) // TICK)
