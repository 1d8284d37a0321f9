"""Errors about content that lacks the typical signs of a format (`FormatSpec.sign`).

This module is loaded only for such an error or if the user asks for reasons. The error for an
unknown format names the three most likely formats and the reason against each. The error for a
format that the user chose names the expected content.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from formats.detection.errors import UnknownFormatError
from formats.detection.head import Head
from formats.detection.json_beginnings import CUT_OFF, text_around_json, truncated_json
from formats.detection.spec import FormatSpec, Sniff
from formats.io.messages import (
    AROUND_JSON,
    EMPTY_LIST,
    EMPTY_UNKNOWN,
    JSON_ALONE,
    JSON_WITH,
    JSON_WITH_MORE,
    LIKELY,
    NO_MEMBER,
    NO_ROOT,
    NO_SENTENCE,
    NO_SIGN,
    OUT_OF_PLACE,
    POSSIBLE,
    UNKNOWN,
    UNKNOWN_BUT,
    UNKNOWN_JSON,
    UNKNOWN_TEXT,
    UNLIKE,
    XML_WITH,
)
from formats.schema.errors import FormatError, SyntaxFormatError
from formats.schema.messages import Message, message_of

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
FEWEST_WORDS = 3
"""The fewest words of a sentence."""
ENOUGH = 20
TRIED = 1_000
"""Lines of a text that are read as a candidate format, to say how close it is."""


def looks(head: Head) -> Message | None:
    """Describe the structure of a text, such as ``JSON with "a", "b"``.

    Return `None` if the text is neither JSON nor XML, or its beginning shows no names.
    """
    if head.shape == "xml" and head.root is not None:
        return Message(XML_WITH, {"root": head.root})
    if head.shape != "json":
        return None
    first = head.first_object
    if first:
        names = list(first)
        most = 5
        while most > 1 and sum(map(len, names[:most])) > LONGEST_NAMES:
            most -= 1
        entry = JSON_WITH_MORE if len(names) > most else JSON_WITH
        return Message(entry, {"members": names[:most]})
    return Message(EMPTY_LIST) if head.json == [] else None


def nothing_of(spec: FormatSpec, head: Head, path: str) -> FormatError:
    """Create the error for a file without any content of the format `spec`."""
    return SyntaxFormatError(
        path=path,
        expected=f"content of {spec.name}: {spec.sign}",
        found=str(looks(head) or "nothing of it"),
    )


def unknown(
    source: Source,
    head: Head,
    answers: Sequence[tuple[FormatSpec, Sniff]],
    sharing: Sequence[str],
    names: Sequence[str],
) -> FormatError:
    """Create the error for a text of unknown format.

    The message lists the most likely formats, each with the reason against it.
    """
    if not any(map(str.strip, head)):
        value = Message(EMPTY_UNKNOWN, {}, source.log.side)
        return UnknownFormatError(value=value, path=source.name, candidates=names)
    if head.shape == "json":
        text, is_whole = source.head()
        if is_whole and (end := truncated_json(text)):
            line, column = end
            return SyntaxFormatError(CUT_OFF, path=source.name, line=line, column=column)
    elif head.shape != "xml" and (around := text_around_json(source.head()[0])):
        value = Message(AROUND_JSON, {"text": around}, source.log.side)
        return UnknownFormatError(value=value, path=source.name, candidates=["json"])
    likely = nearest(head, answers, sharing, MOST_LIKELY)
    content = looks(head)
    asked = (spec for spec, _ in answers if spec.unnamed_texts is not None)
    for spec in asked if content and head.shape == "json" else ():
        if members := (spec.unnamed_texts or list)(list(head.json_values)):
            texts = {"content": content, "names": members, "member": members[0]}
            value = Message(UNKNOWN_TEXT, texts, source.log.side)
            return UnknownFormatError(value=value, path=source.name, candidates=[spec.name])
    if head.shape == "json":
        likely = [near for near in likely if near.is_partly_there]
    if not likely:
        entry = UNKNOWN_JSON if _has_sentence(list(head.json_values)) else NO_SENTENCE
        value = Message(entry, {"content": content or Message(JSON_ALONE)}, source.log.side)
        return UnknownFormatError(value=value, path=source.name, candidates=["json"])
    fields: dict[str, object] = {"likely": [near.in_short for near in likely]}
    fields |= {"content": content} if content else {}
    return UnknownFormatError(
        value=Message(UNKNOWN_BUT if content else UNKNOWN, fields, source.log.side),
        path=source.name,
        candidates=[near.spec.name for near in likely],
    )


class Near(NamedTuple):
    """A candidate format: how well the text fits, and the first mismatch with its line."""

    spec: FormatSpec
    answer: Sniff
    reason: Message | None
    line: int | None = None
    is_partly_there: bool = False
    """True if the text has a part of what the format requires."""

    @property
    def in_short(self) -> Message:
        """The name of the format and a short reason."""
        name = {"name": self.spec.name}
        if self.answer > Sniff.NO:
            return Message(LIKELY, name)
        if self.reason is None:
            return Message(POSSIBLE, name)
        is_long = len(str(self.reason)) > LONGEST_REASON
        return Message(UNLIKE, {**name, "reason": _lacks(self.spec) if is_long else self.reason})


def _lacks(spec: FormatSpec) -> Message:
    return Message(NO_SIGN, {"sign": spec.sign})


def nearest(
    head: Head,
    answers: Sequence[tuple[FormatSpec, Sniff]],
    sharing: Sequence[str],
    most: int | None = None,
) -> list[Near]:
    """Sort candidate formats, best first, and return at most `most` of them.

    `answers` pairs each format with its certainty. The text is not read as a format that cannot be
    among the best.
    """
    there = frozenset(_member_names(head.json, 0)) if head.shape == "json" else frozenset()
    highest = ENOUGH if head.shape != "json" else None
    in_order = sorted(
        enumerate(answers), key=lambda row: (-row[1][1], row[1][0].name not in sharing)
    )
    ranked: list[tuple[tuple[Sniff, int, bool, int], Near]] = []
    for number, (spec, answer) in in_order:
        # formats follow in the order in which they are ranked if all are as close as possible
        better = sum(likeness[0] > answer or likeness[1] == highest for likeness, _ in ranked)
        if most is not None and better >= most:
            break
        closeness, reason, line = _closeness(spec, head, there)
        likeness = (answer, closeness, spec.name in sharing, -number)
        is_there = answer > Sniff.NO or closeness > 0
        ranked.append((likeness, Near(spec, answer, reason, line, is_there)))
    return [near for _, near in sorted(ranked, key=lambda row: row[0], reverse=True)][:most]


def _closeness(
    spec: FormatSpec, head: Head, there: frozenset[str]
) -> tuple[int, Message | None, int | None]:
    """Return how well a text fits a format (higher is better), the first mismatch and its line."""
    sign = spec.sign
    if head.shape != spec.shape:
        return -1, _lacks(spec), None
    if head.shape == "xml":
        return 0, Message(NO_ROOT, {"root": sign.rpartition(" ")[2]}), None
    if head.shape == "json":
        required = NAME.findall(sign)
        missing = next((name for name in required if name not in there), None)
        reason = Message(OUT_OF_PLACE)
        if missing is not None:
            reason = Message(NO_MEMBER, {"member": missing})
        return sum(name in there for name in required), reason, None
    text = "\n".join(head[:TRIED])
    known = _closeness_to(text)
    reader = spec.name, spec.read
    if reader not in known:
        known[reader] = _trial(spec, text)
    return known[reader]


@lru_cache(maxsize=4)
def _closeness_to(_text: str) -> dict[object, tuple[int, Message | None, int | None]]:
    """Return what is known of a text by reader; the same file is often detected again."""
    return {}


def _trial(spec: FormatSpec, text: str) -> tuple[int, Message | None, int | None]:
    """Read a text as a format; return what `_closeness` does."""
    from formats.io.source import open_source

    count = 0
    try:
        with open_source(io.StringIO(text)) as source:
            for _ in spec.read(source):
                count += 1
                if count == ENOUGH:
                    break
    except FormatError as error:
        return count, message_of(error), error.line
    return count, None if count else _lacks(spec), None


def _has_sentence(value: object, depth: int = 0) -> bool:
    """Return True if a text of several words is among the values of JSON."""
    if isinstance(value, str):
        return len(value.split()) >= FEWEST_WORDS
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth <= DEEPEST and any(_has_sentence(part, depth + 1) for part in inner)


def _member_names(value: object, depth: int) -> Iterator[str]:
    """Yield the names of JSON members down to a fixed depth.

    Only first elements of lists are searched.
    """
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
