"""Reader of the turns of a screenplay: names in capitals above speech.

A name is indented more than the speech below it. Speech is indented more than the descriptions of
scenes; each of several plays in a file has a margin of its own. If indents are lost, scenes have
headings, and a blank line ends speech.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.plain import LEAST, Lines
from formats.reading.part_titles import counted_form, counts_between, is_rule
from formats.schema import lazy_pattern

CUE = lazy_pattern(
    r"((?:[A-Z]\.[ ]?){1,3}[A-Z]\.|[\"“«][^\W\d_a-z][^:\n()a-z\"”»]{0,38}[\"”»]"
    r"|(?:[0-9]{1,3}(?:ST|ND|RD|TH|-(?=[A-Z]{2}))[ ]?)?"
    r"[^\W\d_a-z](?:[^:\n()a-z]{0,38}?[^\W_a-z.!?])?)"
    r"(?:[ \t]{1,9}(?:\([^()\n]{1,40}\)|V\.?O\.?|O\.?[SC]\.?|CONT['’]?D)){0,2}"
    r"(?:[ \t]{1,60}\*)?[ \t]*\Z"
)
"""A name in capitals, perhaps with a number or remark: ``2ND COP``, ``B.B.``, ``ANN (cont'd)``."""
REVISED = lazy_pattern(r"[ \t]{1,60}\*[ \t]*\Z")
"""The sign of a revised line in the right margin."""
REMARK = lazy_pattern(r"[ \t]*\([^()\n]{1,80}\)[ \t]*\Z")
REMARK_FIRST = lazy_pattern(r"[ \t]*\([^()\n]{1,80}\Z")
REMARK_LAST = lazy_pattern(r"[^()\n]{1,80}\)[ \t]*\Z")
SCENE = lazy_pattern(
    r"[ \t]*(?:[0-9]{1,3}[A-Z]?[.]?[ \t]{1,9})?(?:INT|EXT|I/E|EST"
    r"|ИНТ|НАТ|ЭКСТ|ІНТ|INNEN|AU(?:SS|ẞ|ß)EN|DIŞ|İÇ|WN|PLENER|(?:int|ext)(?=\.))[./ ].{2,80}\Z"
)
"""The heading of a scene: ``INT. A ROOM - DAY``."""
TRANSITION = lazy_pattern(
    r"[ \t]*(?:[A-Z]{2,10}[ ]){0,3}(?:(?:CUT|DISSOLVE|FADE|WIPE)(?:[ ][A-Z]{2,10}){0,3}"
    r"|BLACK(?:[ ](?:SCREEN|OUT))?)[:.]?[ \t]*\Z"
)
"""A line that tells how a scene begins or ends: ``CUT TO:``; ``BLACK CAT`` is a name."""
FORCED = lazy_pattern(r"\A@(?=[^\W\d_])|[ ]{0,9}\^\Z")
QUOTED_CUE = lazy_pattern(r"([^\W\d_a-z][^:\n()a-z]{0,60}[\"”»])(?:[ ]{1,3}\([^()\n]{1,40}\))?\Z")
IN_BOLD = lazy_pattern(r"\*\*[^*\n]{1,400}\*\*\Z")
"""The signs of Fountain before a name and behind one who speaks at the same time, a name that ends
in quotes, and a line that is in bold.
"""
MOST_OF_REMARK = 4
"""The most lines of a remark."""
PAGE_OF_SCRIPT = lazy_pattern(
    r"[ \t]*(?:[0-9]{1,3}[A-Z]?\.?|\(?(?:MORE|CONTINUED|CONT['’]?D)"
    r"[):.]{0,3}(?:[ \t]{1,9}\([0-9]{1,2}\))?)[ \t]*\Z"
)
"""The number of a page, or a line that says that a page goes on: ``12.``, ``(MORE)``."""
MOST_SHIFTED = 3
"""The most columns between the indents of names."""
SHARE, SPOKEN = 0.03, 0.3
"""The least share of lines that are names, and that of names and speech."""
FEWEST_OF_SCRIPT, SPOKEN_OF_SCRIPT = 50, 0.15
"""The fewest names of a long script, of which more lines may tell what happens."""
FEWEST_LEFT, SHARE_LEFT = 10, 0.02
"""The fewest lines in the column of speech that are reported, and their share of the speech."""
OF_PLAY, MOST_CUES = 0.1, 0.8
"""The share of names above speech with the margin of one of several plays in a file, and of all."""


class SpokenPart(NamedTuple):
    """A turn of a screenplay: its head (the name), its lines of text, and its line number."""

    head: TurnHead
    texts: list[str]
    line: int


class Screenplay(NamedTuple):
    """The turns of a screenplay, the lines that nobody speaks, and those that look like speech."""

    turns: list[SpokenPart]
    others: list[tuple[int, str]]
    doubtful: tuple[tuple[int, str], ...] = ()


def screenplay_of(lines: Lines, *, is_fountain: bool = False) -> Screenplay | None:
    """Return the turns of a screenplay, or `None` for any other text.

    In Fountain, indents mean nothing, and scenes need no headings.
    """
    filled = [(n, line) for n, (_, line) in enumerate(lines) if line.strip()]
    if is_fountain:
        return _without_indents(lines, filled, is_fountain=True)
    cues = dict(_cues(filled))
    if len(cues) < max(LEAST, SHARE * len(filled)):
        return _without_indents(lines, filled)
    counts = Counter(below for _, _, below in cues.values())
    common = {margin for margin, count in counts.items() if count >= OF_PLAY * len(cues)}
    margins = {n for n in counts if any(abs(n - margin) <= MOST_SHIFTED for margin in common)}
    if sum(counts[margin] for margin in margins) < MOST_CUES * len(cues):
        return None
    cues.update(_close_cues(filled, cues, margins))
    cues.update(_first_cue(filled, {name for name, _, _ in cues.values()}, min(margins)))
    names = {n: name for n, (name, indent, below) in cues.items() if indent > below in margins}
    first = next((n for n, line in filled if SCENE.match(line)), 0)
    returning = Counter(names.values())
    names = {n: name for n, name in names.items() if n > first or returning[name] > 1}
    spoken: set[int] = set()
    margin = min(margins)
    for n, line in filled:
        margin = cues[n][2] if n in names else margin
        if _indent(line) >= margin or PAGE_OF_SCRIPT.match(line):
            spoken.add(n)
    play = parts_of(lines, filled, names, spoken)
    play = play._replace(doubtful=_in_column(lines, play, common))
    least = SPOKEN if len(cues) < FEWEST_OF_SCRIPT else SPOKEN_OF_SCRIPT
    return play if least * len(filled) <= len(spoken) < len(filled) else None


def _in_column(
    lines: Lines, play: Screenplay, margins: Collection[int]
) -> tuple[tuple[int, str], ...]:
    """Return the lines that nobody speaks although they are in the column of speech, if many."""
    indents = {number: _indent(line) for number, line in lines}
    left = tuple(
        (number, text) for number, text in play.others
        if indents[number] in margins and any(map(str.isalpha, text))
        and not any(other.match(text) for other in (REMARK, SCENE, TRANSITION, PAGE_OF_SCRIPT))
    )  # fmt: skip
    spoken = sum(len(part.texts) for part in play.turns)
    return left if len(left) >= max(FEWEST_LEFT, SHARE_LEFT * spoken) else ()


def _without_indents(
    lines: Lines, filled: Lines, *, is_fountain: bool = False
) -> Screenplay | None:
    """Return the turns of a screenplay whose indents are lost: its scenes have their headings.

    A turn ends at a blank line. In Fountain, a name may have a sign, and a line in bold tells what
    happens.
    """
    if not is_fountain and not any(SCENE.match(line) for _, line in filled):
        return None
    pages, filled = _page_marks(filled)
    last = {n - 1 for n, _ in filled}
    begins = {b for (a, _), (b, _) in itertools.pairwise([(-2, ""), *filled]) if b > a + 1}
    first = next((n for n, line in filled if SCENE.match(line)), -1)
    shown = {n: FORCED.sub("", line.strip()) if is_fountain else line.strip() for n, line in filled}
    cues = {
        n: match[1] for n, line in filled
        if n in begins and n in last
        and not SCENE.match(line) and not TRANSITION.match(line)
        and (match := CUE.match(shown[n]) or (is_fountain and QUOTED_CUE.match(shown[n])))
    }  # fmt: skip
    known = {name for n, name in cues.items() if n > first}
    above = {n for n, name in cues.items() if n < first and name in known}
    above = above if len(above) > 1 else set()  # one may be the title
    cues = {n: name for n, name in cues.items() if n > first or n in above}
    returning = sum(count for count in Counter(cues.values()).values() if count > 1)
    if len(cues) < max(LEAST, SHARE * len(filled)) or 2 * returning < len(cues):
        return None
    spoken: set[int] = set()
    for n, _ in filled:
        if n not in begins and (n - 1 in cues or n - 1 in spoken):
            spoken.add(n)
    if is_fountain:
        spoken -= {n for n, line in shown.items() if IN_BOLD.match(line)}
    play = parts_of(lines, filled, cues, spoken)
    return play._replace(others=[*play.others, *((lines[n][0], line) for n, line in pages)])


def _page_marks(filled: Lines) -> tuple[Lines, Lines]:
    """Return the rules and numbers between pages, and the other lines."""
    forms = counts_between([line for _, line in filled])
    marks = {
        n for n, line in filled
        if is_rule(line) or ((counted := counted_form(line)) is not None and counted[0] in forms)
    }  # fmt: skip
    return [row for row in filled if row[0] in marks], [
        row for row in filled if row[0] not in marks
    ]


def parts_of(
    lines: Lines, filled: Lines, names: Mapping[int, str], spoken: Collection[int]
) -> Screenplay:
    """Return the turns below names, of lines that may be spoken, and the other lines."""
    remarks = _remarks(filled)
    turns: list[SpokenPart] = []
    others: list[tuple[int, str]] = []
    is_spoken = False
    for n, line in filled:
        if n in names:
            name = " ".join(names[n].split())
            turns.append(SpokenPart(TurnHead(name, None, None, ""), [], lines[n][0]))
            is_spoken = True
            continue
        is_spoken = is_spoken and n in spoken and TRANSITION.match(line) is None
        if is_spoken and n not in remarks:
            turns[-1].texts.append((REVISED.sub("", line) if "*" in line[-9:] else line).strip())
        else:
            others.append((lines[n][0], line.strip()))
    return Screenplay(turns, others)


def _cues(filled: Lines) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """Yield each name above a less indented line, with its position and both indents."""
    remarks = _remarks(filled)
    for index, (n, line) in enumerate(filled[:-1]):
        match = _cue_of(line)
        if match is None or (index and _is_close(filled[index - 1], n)):
            continue
        below = next(
            (m for m in range(index + 1, len(filled)) if filled[m][0] not in remarks), None
        )
        if below is None or filled[below][0] - n != below - index:
            continue  # not in the same paragraph
        indent, margin = _indent(line), _indent(filled[below][1])
        if indent > margin > 0:
            yield n, (match[1], indent, margin)


def _cue_of(line: str) -> re.Match[str] | None:
    """Return the match of a name, which is no heading of a scene and no number of a page."""
    match = CUE.match(line.strip())
    is_other = match is not None and (SCENE.match(line) or TRANSITION.match(line))
    return None if is_other else match


def _is_close(above: tuple[int, str], n: int) -> bool:
    """Return True if a line is directly above a position and is no number of a page."""
    return above[0] == n - 1 and PAGE_OF_SCRIPT.match(above[1]) is None


def _close_cues(
    filled: Lines, cues: Mapping[int, tuple[str, int, int]], margins: Collection[int]
) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """Yield the names directly below a line, whose indent is that of the names below blank lines.

    The blank lines of some pages may be lost. The line above is indented less than the name.
    """
    indents = Counter(indent for _, indent, _ in cues.values())
    common = {indent for indent, count in indents.items() if count >= OF_PLAY * len(cues)}
    remarks = _remarks(filled)
    for index, (n, line) in enumerate(filled[1:-1], 1):
        above, indent = filled[index - 1], _indent(line)
        if n in cues or not _is_close(above, n) or n in remarks or above[0] in remarks:
            continue
        below = next((text for m, text in filled[index + 1 :] if m not in remarks), "")
        margin = _indent(below)
        is_of_column = any(abs(indent - column) <= MOST_SHIFTED for column in common)
        if is_of_column and margin in margins and max(_indent(above[1]), margin) < indent:
            match = _cue_of(line)
            if match is not None and (_indent(above[1]) != margin or match[1].isupper()):
                yield n, (match[1], indent, margin)


def _remarks(filled: Lines) -> set[int]:
    """Return the positions of lines that are remarks, or parts of a remark of several lines."""
    remarks = {n for n, line in filled if REMARK.match(line) or PAGE_OF_SCRIPT.match(line)}
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
