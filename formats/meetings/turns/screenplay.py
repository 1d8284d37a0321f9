"""Reader of the turns of a screenplay: names in capitals above speech.

A name is indented more than the speech below it. Speech is indented more than the descriptions of
scenes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.plain import LEAST, Lines
from formats.schema import lazy_pattern

CUE = lazy_pattern(
    r"([^\W\d_a-z](?:[^:\n()a-z]{0,38}?[^\W_a-z.!?])?)"
    r"(?:[ \t]{1,9}(?:\([^()\n]{1,40}\)|V\.?O\.?|O\.?[SC]\.?|CONT['’]?D)){0,2}[ \t]*\Z"
)
"""A name in capitals, perhaps with a remark: ``ANN (cont'd)``, ``ANN V.O.``."""
REMARK = lazy_pattern(r"[ \t]*\([^()\n]{1,80}\)[ \t]*\Z")
SHARE, SPOKEN = 0.03, 0.3
"""The least share of lines that are names, and that of names and speech."""


class SpokenPart(NamedTuple):
    """A turn of a screenplay: its head (the name), its lines of text, and its line number."""

    head: TurnHead
    texts: list[str]
    line: int


class Screenplay(NamedTuple):
    """The turns of a screenplay, and the lines that nobody speaks."""

    turns: list[SpokenPart]
    others: list[tuple[int, str]]


def screenplay_of(lines: Lines) -> Screenplay | None:
    """Return the turns of a screenplay, or `None` for any other text."""
    filled = [(n, line) for n, (_, line) in enumerate(lines) if line.strip()]
    cues = dict(_cues(filled))
    if len(cues) < max(LEAST, SHARE * len(filled)):
        return None
    (margin, count), *_ = Counter(below for _, _, below in cues.values()).most_common(1)
    if 10 * count < 8 * len(cues):
        return None
    turns: list[SpokenPart] = []
    others: list[tuple[int, str]] = []
    is_spoken = False
    for n, line in filled:
        cue = cues.get(n)
        if cue is not None and cue[1] > margin == cue[2]:
            turns.append(SpokenPart(TurnHead(cue[0], None, None, ""), [], lines[n][0]))
            is_spoken = True
            continue
        is_spoken = is_spoken and _indent(line) >= margin
        if is_spoken and REMARK.match(line) is None:
            turns[-1].texts.append(line.strip())
        else:
            others.append((lines[n][0], line.strip()))
    spoken = sum(_indent(line) >= margin for _, line in filled)
    return Screenplay(turns, others) if SPOKEN * len(filled) <= spoken < len(filled) else None


def _cues(filled: Lines) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """Yield each name above a less indented line, with its position and both indents."""
    for index, (n, line) in enumerate(filled[:-1]):
        match = CUE.match(line.strip())
        if match is None or (index and filled[index - 1][0] == n - 1):
            continue
        below = next(
            (m for m in range(index + 1, len(filled)) if REMARK.match(filled[m][1]) is None), None
        )
        if below is None or filled[below][0] - n != below - index:
            continue  # not in the same paragraph
        indent, margin = _indent(line), _indent(filled[below][1])
        if indent > margin > 0:
            yield n, (match[1], indent, margin)


def _indent(line: str) -> int:
    """Return the number of columns before the text of a line; a tab counts as eight."""
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())
