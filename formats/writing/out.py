"""Losses, errors and rounded times of one segment during writing."""

from __future__ import annotations

from formats.io.messages import NAME_WITH_BLANKS, RULE_PROPERTY
from formats.reading.lines import TEXT_BLANKS
from formats.schema.errors import quoted
from formats.schema.messages import Entry, Message
from formats.schema.refusals import LossError
from formats.schema.times import SECOND, format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from formats.io.sink import Sink
    from formats.schema.loss import Rule
    from formats.schema.model import Segment

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def guarded(cell: Any) -> Any:
    """Return a table cell; a text that spreadsheets would evaluate gets a leading apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in FORMULA_SIGNS else cell


def decimal_text(value: float) -> str:
    """Return the shortest decimal number that parses as `value`, without an exponent."""
    text = repr(float(value))
    if "e" in text:
        from decimal import Decimal

        return format(Decimal(text), "f")
    return text


class Out:
    """One segment to write; messages name `Sink.source` and the segment's line."""

    __slots__ = ("segment", "sink")

    def __init__(self, segment: Segment, sink: Sink) -> None:
        self.segment, self.sink = segment, sink

    def lost(self, kind: str, count: int = 1, rule: Rule = "") -> None:
        """Count `count` items of a kind (a plural noun) that the format cannot represent."""
        if count:
            line = self.segment.line
            self.sink.losses.add(kind, count, rule, self.sink.source, line)

    def refuse(self, expected: str, found: str) -> LossError:
        """Create an error about the segment, to be raised."""
        return LossError(
            path=self.sink.source, line=self.segment.line, expected=expected, found=found
        )

    def error_of(self, entry: Entry, /, **fields: Any) -> LossError:
        """Create an error about the segment from a catalogue entry that gives advice."""
        value = Message(entry, fields)
        return LossError(value=value, path=self.sink.source, line=self.segment.line)

    def round(self, precision: int, *times: int) -> tuple[int, ...]:
        """Round times in nanoseconds to `precision` decimals of a second; count changed times."""
        return self.sink.losses.rounded(precision, self.sink.source, self.segment.line, *times)

    def time(self, time: int, precision: int = 3) -> str:
        """Return a time in seconds as text with `precision` decimals; count a changed time."""
        return format_time(self.round(precision, time)[0], precision)

    def span(self, precision: int) -> tuple[int, int]:
        """Return start and end in nanoseconds, rounded to `precision` decimals of a second.

        Raise `LossError` if they are missing or not in order.
        """
        expected = "a segment with times in order"
        return self.in_order(expected, self.segment.start_ns, self.segment.end_ns, precision)

    def placed(
        self, text: str, start: int | None, end: int | None, precision: int
    ) -> tuple[int, int]:
        """Return the rounded start and end of a label.

        Raise `LossError` if a time is missing or the times are not in order.
        """
        return self.in_order(f"times in order for {quoted(text)}", start, end, precision)

    def in_order(
        self, expected: str, start: int | None, end: int | None, precision: int
    ) -> tuple[int, int]:
        """Return start and end, rounded.

        Raise `LossError`, with `expected` in its message, if they are missing or not in order.
        """
        if start is None or end is None:
            raise self.refuse(expected, "none")
        if not 0 <= start <= end:
            raise self.refuse(expected, f"{start / SECOND} to {end / SECOND}")
        first, last = self.round(precision, start, end)
        return first, last

    def name(self, name: str | None, noun: str) -> str:
        """Return a name that fits in a field; raise `LossError` if it is missing or has blanks."""
        what = f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
        if not name:
            raise self.refuse(f"{what} without blanks", "none")
        if any(character in name for character in " \t\n\r\0"):
            raise self.error_of(NAME_WITH_BLANKS, what=what, name=name)
        return name

    def present(self, **attributes: str) -> dict[str, str]:
        """Return the attributes of the segment that have a value, under the format's names."""
        values = ((name, getattr(self.segment, each)) for name, each in attributes.items())
        return {name: value for name, value in values if value is not None}

    def plain_text(self) -> str:
        """Return the words joined by blanks, with the first branch of each alternation.

        Raise `LossError` for a word that is empty or contains a blank.
        """
        words = self.segment.words
        if self.segment.alternations:
            words = tuple(label.value for label in self.segment.word_labels())
        for word in words:
            if not word or any(blank in word for blank in TEXT_BLANKS + "\n\r\0"):
                found = f"blanks or line ends in {quoted(word)}" if word else "an empty word"
                raise self.refuse("a word that the format can hold", found)
        return " ".join(words)

    def no_empty_word(self) -> None:
        """Raise `LossError` if a word is empty."""
        if "" in self.segment.words:
            raise self.refuse("a word that the format can hold", "an empty word")

    def property_lost(self, name: str, format_name: str) -> None:
        """Count a property as lost, because the format cannot represent it unchanged."""
        fields = {"name": name, "format": format_name}
        self.lost("properties", 1, Message(RULE_PROPERTY, fields))
