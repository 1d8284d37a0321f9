"""Fields of the line formats: numbers read, names and times written, with what that costs."""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.lines import column_of_field
from formats.loss import refused
from formats.times import SECOND, format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.sink import Sink
    from formats.source import Source

__all__ = [
    "RoundedTimes",
    "decimal_text",
    "field_count_error",
    "field_error",
    "plain_confidences",
    "read_confidence",
    "written_name",
]

INFINITIES = (float("inf"), float("-inf"))
NUMBER_CHARACTERS = frozenset("0123456789.+-eE")


def field_error(
    source: Source, number: int, line: str, index: int, expected: str, found: str
) -> SyntaxFormatError:
    """What to raise for field `index`, from 0, of a record, with its column."""
    return source.syntax_error(number, expected, quoted(found), column=column_of_field(line, index))


def field_count_error(
    source: Source, number: int, line: str, count: int, most: int, expected: str
) -> SyntaxFormatError:
    """What to raise for a record of too few fields, or of more than `most`, with its column."""
    column = len(line) + 1 if count <= most else column_of_field(line, most)
    found = f"{count} field{'' if count == 1 else 's'}"
    return source.syntax_error(number, expected, found, column)


def read_confidence(
    source: Source,
    number: int,
    line: str,
    index: int,
    text: str,
    expected: str = "a confidence or <NA>",
) -> float:
    """The confidence in field `index`, any finite decimal number."""
    try:
        if not NUMBER_CHARACTERS.issuperset(text):
            raise ValueError
        value = float(text)
        if value in INFINITIES:
            raise ValueError
    except ValueError:
        raise field_error(source, number, line, index, expected, text) from None
    return value


def plain_confidences(texts: Sequence[str]) -> list[float] | None:
    """What `read_confidence` makes of each; `None` where one is not within 0 and 1.

    Numbers that are written as JSON does not are left to a closer look, too.
    """
    import msgspec  # a hundred lines cost as much as loading it

    try:
        numbers = msgspec.json.decode(f"[{','.join(texts)}]", type=list[float])
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    if len(numbers) != len(texts) or not numbers or "-0" in texts:  # whose sign is lost
        return None
    return numbers if min(numbers) >= 0 and max(numbers) <= 1 else None


def decimal_text(value: float) -> str:
    """The shortest decimal number that reads back as `value`, without an exponent.

    >>> decimal_text(1e-7), decimal_text(0.5)
    ('0.0000001', '0.5')
    """
    text = repr(float(value))
    if "e" in text:
        from decimal import Decimal

        return format(Decimal(text), "f")
    return text


def written_name(name: str | None, what: str, path: str | None, line: int | None) -> str:
    """`name` if it can be one field of a line."""
    if not name or any(character in name for character in " \t\n\r\0"):
        found = f"{quoted(name)} (see --inner-space)" if name else "none"
        article = "an" if what[0] in "aeiou" else "a"
        expected = f"{article} {what} without blanks"
        raise refused(path, line, expected, found)
    return name


class RoundedTimes:
    """Rounds times for a writer, end points half to even, and counts those that change.

    Parameters
    ----------
    precision: decimals of a second, 0 to 9.
    """

    def __init__(self, sink: Sink, path: str | None, precision: int) -> None:
        self.sink = sink
        self.path = path
        self.precision = precision

    def round(self, value: int, line: int | None = None) -> int:
        """Nanoseconds on the grid of the format."""
        if value < 0:
            raise refused(self.path, line, "a time of 0 or more", f"{value / SECOND}")
        return self.sink.losses.rounded(self.precision, self.path, line, value)[0]

    def text(self, value: int, line: int | None = None) -> str:
        """The rounded time in seconds."""
        return format_time(self.round(value, line), self.precision)
