"""Talks in one text whose turns are between tags with the names of parties: ``[USER]…[/USER]``."""

from __future__ import annotations

from formats.reading.member_values import PARTIES
from formats.schema import lazy_pattern

TAG = lazy_pattern(r"([\[<])(/?)([A-Za-z]{2,20})([\]>])")
ENDS = {"[": "]", "<": ">"}
MOST_BEFORE = 300
"""Characters in which the first tag is looked for."""


def tagged_turns(text: str) -> list[dict[str, str]]:
    r"""Return the turns of a text all of whose words are between tags of parties; otherwise `[]`.

    A tag ends at the tag with a slash, or where another party begins.

    >>> tagged_turns("[USER]\nso it is\n[/USER]\n[BOT]well[/BOT]")
    [{'speaker': 'USER', 'text': 'so it is'}, {'speaker': 'BOT', 'text': 'well'}]
    >>> tagged_turns("[USER] so it is"), tagged_turns("[USER]so[/USER] it is"), tagged_turns("")
    ([], [], [])
    """
    tags = [
        match for match in TAG.finditer(text)
        if ENDS[match[1]] == match[4] and match[3].lower() in PARTIES
    ] if TAG.match(text.lstrip()[:MOST_BEFORE]) else []  # fmt: skip
    opened = {match[3] for match in tags if not match[2]}
    closed = {match[3] for match in tags if match[2]}
    if not opened or opened != closed:
        return []
    turns: list[dict[str, str]] = []
    within: list[str] = []
    end = 0
    for match in tags:
        if words := text[end : match.start()].strip():
            if not within:
                return []
            turns.append({"speaker": within[-1], "text": words})
        if not match[2]:
            within.append(match[3])
        elif match[3] in within:
            del within[len(within) - 1 - within[::-1].index(match[3]) :]
        end = match.end()
    return [] if text[end:].strip() else turns
