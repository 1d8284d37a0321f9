"""The tags of sclite's SGML: one per line, with unescaped attributes."""

from __future__ import annotations

from formats.schema import NamedTuple, lazy_pattern
from scoring.nist.sgml.errors import ExchangeError, refused

_NAME = lazy_pattern(r"<([^ ]*) [ \t\n]*")
_ATTRIBUTE = lazy_pattern(r'([^=]*)="([^"]*)"[ \t\n>]*')


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
    head = _NAME.match(line)
    if head is None:
        raise _malformed(line)
    attributes: dict[str, str] = {}
    position = head.end()
    while position < len(line) or not attributes:
        match = _ATTRIBUTE.match(line, position)
        if match is None:
            raise _malformed(line)
        attributes.setdefault(match[1], match[2])
        position = match.end()
    return Tag(head[1], attributes)


def _malformed(line: str) -> ExchangeError:
    return refused(f"Unable to parse SGML tag '{line}'")
