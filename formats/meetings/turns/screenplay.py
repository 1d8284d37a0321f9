"""Reader of the turns of a screenplay: names in capitals above speech.

A name is indented more than the speech below it. Speech is indented more than the descriptions of
scenes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
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
REMARK_FIRST = lazy_pattern(r"[ \t]*\([^()\n]{1,80}\Z")
REMARK_LAST = lazy_pattern(r"[^()\n]{1,80}\)[ \t]*\Z")
MOST_OF_REMARK = 4
"""The most lines of a remark."""
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
    remarks = _remarks(filled)
    cues.update(_first_cue(filled, {name for name, _, _ in cues.values()}, margin))
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
        if is_spoken and n not in remarks:
            turns[-1].texts.append(line.strip())
        else:
            others.append((lines[n][0], line.strip()))
    spoken = sum(_indent(line) >= margin for _, line in filled)
    return Screenplay(turns, others) if SPOKEN * len(filled) <= spoken < len(filled) else None


def _cues(filled: Lines) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """Yield each name above a less indented line, with its position and both indents."""
    remarks = _remarks(filled)
    for index, (n, line) in enumerate(filled[:-1]):
        match = CUE.match(line.strip())
        if match is None or (index and filled[index - 1][0] == n - 1):
            continue
        below = next(
            (m for m in range(index + 1, len(filled)) if filled[m][0] not in remarks), None
        )
        if below is None or filled[below][0] - n != below - index:
            continue  # not in the same paragraph
        indent, margin = _indent(line), _indent(filled[below][1])
        if indent > margin > 0:
            yield n, (match[1], indent, margin)


def _remarks(filled: Lines) -> set[int]:
    """Return the positions of lines that are remarks, or parts of a remark of several lines."""
    remarks = {n for n, line in filled if REMARK.match(line)}
    for index, (n, line) in enumerate(filled):
        if n in remarks or REMARK_FIRST.match(line) is None:
            continue
        below = filled[index + 1 : index + MOST_OF_REMARK]
        size = next((k for k, (_, text) in enumerate(below, 1) if "(" in text or ")" in text), 0)
        last, text = below[size - 1] if size else (n, "")
        if last == n + size and REMARK_LAST.match(text):
            remarks.update(range(n, last + 1))
    return remarks


def _first_cue(
    filled: Lines, names: Collection[str], margin: int
) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """Yield the name in the first line, whose indent may be lost, if it returns."""
    (n, line), (m, below) = filled[:2]
    match = CUE.match(line.strip())
    if match is not None and match[1] in names and m == n + 1 and _indent(below) == margin:
        yield n, (match[1], margin + 1, margin)


def _indent(line: str) -> int:
    """Return the number of columns before the text of a line; a tab counts as eight."""
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())
