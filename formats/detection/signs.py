"""Errors about content without the signs of a format (`FormatSpec.sign`).

Loaded only for such an error or on request. For an unknown format the error names the three
likeliest formats and the objection to each; for a forced format without any of its content, the
expected content.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from formats.detection.rules import CUT_OFF, Head, truncated_json
from formats.detection.spec import FormatSpec, Sniff
from formats.io.messages import EMPTY_UNKNOWN, UNKNOWN, UNKNOWN_BUT
from formats.schema.errors import FormatError, SyntaxFormatError, UnknownFormatError, quoted
from formats.schema.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.io.source import Source

__all__ = ["Near", "looks", "nearest", "nothing_of", "unknown"]

NAME = re.compile(r'"(\w+)"')
MOST_LIKELY = 3
LONGEST_NAMES = 50
LONGEST_REASON = 75
"""Characters of a reader's reason; the whole has to stay short enough for one line."""
DEEPEST = 6
ENOUGH = 20


def looks(head: Head) -> str:
    """Describe a text by its beginning: ``JSON with "a", "b"``; may be empty."""
    if head.shape == "xml" and head.root is not None:
        return f"XML with the root element {quoted(head.root)}"
    if head.shape != "json":
        return ""
    first = head.first_object
    if first:
        names = list(first)
        most = 5
        while most > 1 and sum(map(len, names[:most])) > LONGEST_NAMES:
            most -= 1
        listed = ", ".join(map(quoted, names[:most]))
        return f"JSON with {listed}" + (", …" if len(names) > most else "")
    return "an empty list" if head.json == [] else ""


def nothing_of(spec: FormatSpec, head: Head, path: str) -> FormatError:
    """Return the error for a file without any content of the format `spec`."""
    return SyntaxFormatError(
        path=path,
        expected=f"content of {spec.name}: {spec.sign}",
        found=looks(head) or "nothing of it",
    )


def unknown(
    source: Source,
    head: Head,
    answers: Sequence[tuple[FormatSpec, Sniff]],
    sharing: Sequence[str],
    names: Sequence[str],
) -> FormatError:
    """Return the error for a text of no certain format: the likeliest, and objections to each."""
    if not any(map(str.strip, head)):
        value = Message(EMPTY_UNKNOWN, {}, source.log.side)
        return UnknownFormatError(value=value, path=source.name, candidates=names)
    if head.shape == "json":
        text, is_whole = source.head()
        if is_whole and (end := truncated_json(text)):
            line, column = end
            return SyntaxFormatError(CUT_OFF, path=source.name, line=line, column=column)
    likely = nearest(head, answers, sharing)[:MOST_LIKELY]
    content = looks(head)
    reasons = [f"{near.spec.name} ({near.in_short})" for near in likely]
    fields = {"likely": reasons, **({"content": content} if content else {})}
    return UnknownFormatError(
        value=Message(UNKNOWN_BUT if content else UNKNOWN, fields, source.log.side),
        path=source.name,
        candidates=[near.spec.name for near in likely],
    )


class Near(NamedTuple):
    """A format, how near a text is to it, and what (in which line) is against it."""

    spec: FormatSpec
    answer: Sniff
    reason: str
    line: int | None = None

    @property
    def in_short(self) -> str:
        """The reason in a few words."""
        if self.answer > Sniff.NO:
            return "likely"
        if not self.reason:
            return "possible"
        return self.reason if len(self.reason) <= LONGEST_REASON else f"no {self.spec.sign}"


def nearest(
    head: Head, answers: Sequence[tuple[FormatSpec, Sniff]], sharing: Sequence[str]
) -> list[Near]:
    """Return the formats with how sure each is, the one that a text is nearest to first."""
    there = frozenset(_member_names(head.json, 0)) if head.shape == "json" else frozenset()
    ranked = []
    for number, (spec, answer) in enumerate(answers):
        closeness, reason, line = _closeness(spec, head, there)
        likeness = (answer, closeness, spec.name in sharing, -number)
        ranked.append((likeness, Near(spec, answer, reason, line)))
    return [near for _, near in sorted(ranked, key=lambda row: row[0], reverse=True)]


def _closeness(spec: FormatSpec, head: Head, there: frozenset[str]) -> tuple[int, str, int | None]:
    """Return the extent to which a text matches a format, and the first mismatch with its line."""
    sign = spec.sign
    if head.shape != spec.shape:
        return -1, f"no {sign}", None
    if head.shape == "xml":
        return 0, f"no root {sign.rpartition(' ')[2]}", None
    if head.shape == "json":
        required = NAME.findall(sign)
        missing = next((name for name in required if name not in there), None)
        reason = "not in their places" if missing is None else f"no {quoted(missing)}"
        return sum(name in there for name in required), reason, None
    from formats.io.source import open_source

    count = 0
    try:
        with open_source(io.StringIO("\n".join(head))) as source:
            for _ in spec.read(source):
                count += 1
                if count == ENOUGH:
                    break
    except FormatError as error:
        return count, error.message, error.line
    return count, "" if count else f"no {sign}", None


def _member_names(value: object, depth: int) -> Iterator[str]:
    """Yield the names of members, down to some depth, in the first objects of each list."""
    if depth > DEEPEST:
        return
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        yield from value
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    for element in islice(inner, ENOUGH):
        yield from _member_names(element, depth + 1)
