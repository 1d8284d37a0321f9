"""The tags of sclite's SGML: one per line, with unescaped attributes."""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.nist.sgml.errors import ExchangeError, refused

_BLANKS = " \t\n"


class Tag(NamedTuple):
    """An opening tag. If an attribute occurs twice, the first value counts."""

    name: str
    attributes: dict[str, str]

    def value(self, name: str) -> str | None:
        """Return the value of an attribute; None if it is absent or empty."""
        return self.attributes.get(name) or None


def parse_tag(line: str) -> Tag:
    """Parse an opening tag with its attributes.

    >>> parse_tag('<PATH id="(a-1)" word_cnt="3">')
    Tag(name='PATH', attributes={'id': '(a-1)', 'word_cnt': '3'})
    """
    blank = line.find(" ")
    if not line.startswith("<") or blank < 0:
        raise _malformed(line)
    attributes: dict[str, str] = {}
    position = _after(line, blank, _BLANKS)
    while position < len(line) or not attributes:
        # no pattern: importing `re` takes longer than reading a megabyte
        equals = line.find("=", position)
        end = line.find('"', equals + 2)
        if equals < 0 or end < 0 or line[equals + 1] != '"':
            raise _malformed(line)
        attributes.setdefault(line[position:equals], line[equals + 2 : end])
        position = _after(line, end + 1, _BLANKS + ">")
    return Tag(line[1:blank], attributes)


def _after(line: str, position: int, signs: str) -> int:
    """Return the first position from `position` on that has none of the signs."""
    while position < len(line) and line[position] in signs:
        position += 1
    return position


def _malformed(line: str) -> ExchangeError:
    return refused(f"Unable to parse SGML tag '{line}'")
