"""What the program of a chat says among the messages, and no person: ``<Media omitted>``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from formats.meetings.turns.heads import TurnHead
from formats.reading.chat_notices import is_notice
from formats.schema import lazy_pattern

EDITED = lazy_pattern(r"[ ]?\u200e?<[^<>=/@\n]{1,40}[ ][^<>=/@\n]{1,40}>[ ]{0,3}\Z")
"""A part in angle brackets that ends a message: ``so it is <This message was edited>``."""
ATTACHED = frozenset(("{Attachments}", "{Reactions}", "{Embed}", "{Stickers}", "{Inline Emoji}"))
"""Titles above what is attached to a message, as programs that export chats write them."""


def attached_lines(lines: Sequence[str]) -> set[int]:
    """Return the positions of titles such as ``{Attachments}``, and of the lines below them.

    >>> sorted(attached_lines(["so", "{Attachments}", "https://a.org/a.png", "", "well"]))
    [1, 2]
    """
    attached: set[int] = set()
    is_within = False
    for n, line in enumerate(lines):
        bare = line.strip()
        is_within = bare in ATTACHED or (is_within and bare != "")
        if is_within:
            attached.add(n)
    return attached


QUOTING = lazy_pattern(
    r"[ \t]{0,9}(?P<before>[^\W\d_][^\"'“”„«»「」『』\n]{0,30})?[\"'“„«「『](?P<said>[^\n]{1,400}?)"
    r"(?:\.{3}|…)?[\"'”“»」』](?P<after>[^\"'“”„«»「」『』\n]{0,30})\Z"
)
"""A line of a few words around a quotation."""
QUOTES = frozenset("\"'”“»」』")
KNOWN_QUOTING = frozenset(("replying to", "reacted to"))
BEFORE_TEXT = lazy_pattern(r"[^\n]{1,120}?:[ \t]{1,9}")
FEWEST_QUOTING, COMPARED = 2, 12
"""The fewest lines with the same words around quotations, and signs of these that are compared."""


def quoting_lines(lines: Sequence[str]) -> set[int]:
    """Return the positions of lines in which the program of a chat quotes an earlier message.

    The words around the quotations are the same in several lines: ``Replying to "so it is"``.

    >>> chat = ["so it is", 'Replying to "so it is"', "well", 'Reacted to "so..." with 🙂']
    >>> sorted(quoting_lines(chat)), sorted(quoting_lines(["yes", 'he said "yes"', "no"]))
    ([1, 3], [])
    """
    found: dict[int, re.Match[str]] = {}
    for n, line in enumerate(lines):
        bare = line.strip()
        match = QUOTING.match(bare) if not QUOTES.isdisjoint(bare[-40:]) else None
        if match is not None and (match["before"] or match["after"].strip()):
            found[n] = match
    said = {n: match["said"][:COMPARED].rstrip() for n, match in found.items()}
    quoted = frozenset(said.values())
    beginnings: set[str] = set()
    frames: dict[tuple[str, str], list[tuple[int, bool]]] = {}
    for n, line in enumerate(lines if found else ()):
        if n in found:
            words = "".join(filter(_is_letter_or_blank, found[n]["after"]))
            frame = (found[n]["before"] or "").strip(), words.strip()
            frames.setdefault(frame, []).append((n, said[n] in beginnings))
            continue
        bare = line.strip()
        behind = BEFORE_TEXT.match(bare)
        for text in (bare, bare[behind.end() :] if behind else ""):
            starts = (text[:size].rstrip() for size in range(1, COMPARED + 1) if text)
            beginnings.update(quoted.intersection(starts))
    return {
        n
        for (before, _), places in frames.items()
        if before.casefold() in KNOWN_QUOTING
        or (
            len(places) >= FEWEST_QUOTING
            and 2 * sum(is_earlier for _, is_earlier in places) >= len(places)
        )
        for n, _ in places
    }


def _is_letter_or_blank(sign: str) -> bool:
    return sign.isalpha() or sign == " "


def without_notices(heads: Mapping[int, TurnHead]) -> dict[int, TurnHead]:
    """Return the messages of a chat without those that the program wrote."""
    return {n: head for n, head in heads.items() if not is_notice(head.text)}


def mark_of_edit(line: str) -> str:
    """Return the part of a message that says that it was edited, with its blank; empty without.

    >>> mark_of_edit("so it is <This message was edited>"), mark_of_edit("a List<String> b")
    (' <This message was edited>', '')
    """
    match = EDITED.search(line) if line.rstrip().endswith(">") else None
    return "" if match is None else match[0]
