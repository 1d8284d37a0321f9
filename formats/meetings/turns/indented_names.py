"""Names with a full stop in the column of a play in which only names begin lines.

The lines of a turn have another indent there: ``  Ann. So it was`` above ``    and so it is.``.
Whatever stands like a name in this column is one, also ``Nurse``, which is a word elsewhere.
What is far outside both columns is a direction, and a line of verse below it is speech again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.induced import ANSWERS, is_person
from formats.meetings.turns.lines import TextLines
from formats.meetings.turns.plain import LEAST, SEPARATED
from formats.reading.line_beginnings import POINT_BEHIND
from formats.schema import lazy_pattern

WITH_POINT = "}{? ({_})?}. {text}"
"""The end of the pattern that names with a full stop give."""
DIRECTION_FIRST = lazy_pattern(r"(?:Enter|Re-?enter|Exit|Exeunt|Manet|Flourish|Alarum)\b")
"""The first word of a direction of a printed play."""
LEAST_OF_COLUMN = 2 * LEAST
"""The fewest names that show a column."""
FAR, FARTHER, SHARE_OF_FAR = 8, 20, 0.1
"""Blanks behind the column of verse before a direction, alone and beside verse, and the largest
share of such lines."""
BEHIND_GAP = lazy_pattern(
    r"[ \t]{3,200}([\[(]?(?:Exit|Exeunt|Enter|Re-?enter|Dies|Aside|Within|Sings|Kneels|Reads|Rises)"
    r"\b[^\n?!]{0,60})\Z"
)
"""A direction behind a gap at the end of a line."""
BEHIND_TAB = lazy_pattern(r"[.,;?!—–-][”\"’']?\t([A-Z][^\n\t?!]{2,80}\.?)[ ]{0,9}\Z")
FEWEST_BEHIND, SHARE_BEHIND = 3, 0.8
"""A sentence behind a tab at the end of a line of a play, the fewest of them, and the share of
lines with a tab that have one."""
POINTED_NAME = lazy_pattern(
    r"((?:(?P<number>[1-9]|I{1,3})\.?[ ])?(?P<name>[^\W\d_a-z][\w'’-]{1,20}"
    r"(?:[ ](?:(?:of|de|von|van|di|du|la)[ ])?[^\W\d_a-z][\w'’-]{0,20}){0,2}))\.\Z"
)
"""A number and up to three words with a full stop, which are a line of a play."""
FEWEST_POINTED, SHARE_OF_POINTED = 10, 0.9
"""The fewest names of one word that are alone with a full stop, and their share of all names."""


def column_of_verse(heads: Mapping[int, TurnHead], text: TextLines) -> int | None:
    """Return the indent of lines below names if nearly all names have another, smaller one."""
    if len(heads) < LEAST_OF_COLUMN:
        return None
    ((column, count),) = Counter(text.indents[n] for n in heads).most_common(1)
    below = Counter(
        text.indents[n + 1] for n in heads
        if n + 1 not in heads and text.is_filled[n + 1 : n + 2] == [True]
    )  # fmt: skip
    indent, verses = max(below.items(), key=lambda row: row[1], default=(0, 0))
    are_columns = count >= SEPARATED * len(heads) and verses >= LEAST_OF_COLUMN
    return indent if are_columns and indent > column and 2 * verses > below.total() else None


def far_directions(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of lines far behind the column of verse that nobody speaks.

    They are brief and end no sentence, or are paragraphs, or are at the right of the page.
    """
    verse = column_of_verse(heads, text)
    if verse is None:
        return set()
    far = [n for n in text.filled if text.indents[n] >= verse + FAR and n not in heads]
    if len(far) > SHARE_OF_FAR * len(text.filled):
        return set()
    return {n for n in far if text.indents[n] >= verse + FARTHER or _is_alone(n, text)}


def _is_alone(n: int, text: TextLines) -> bool:
    """Return True if a line is a whole paragraph."""
    return n in text.is_first and not any(text.is_filled[n + 1 : n + 2])


def directions_behind(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, str]:
    """Return the directions behind a gap at the ends of lines of verse: ``and so.     Exit.``.

    Several sentences behind tabs are directions, too, if few lines have a tab inside.
    """
    if not text.acts:
        return {}
    tabbed = [n for n in text.filled if "\t" in text.lines[n][1].strip()]
    if FEWEST_BEHIND <= len(tabbed) <= SHARE_OF_FAR * len(heads):
        behind = {n: match[1] for n in tabbed if (match := BEHIND_TAB.search(text.lines[n][1]))}
        if len(behind) >= SHARE_BEHIND * len(tabbed):
            return behind
    if column_of_verse(heads, text) is None:
        return {}
    matches = ((n, BEHIND_GAP.search(text.lines[n][1].rstrip())) for n in text.filled)
    return {
        n: match[1] for n, match in matches
        if match is not None and match.string[: match.start()].strip()
    }  # fmt: skip


def with_names_of_column(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the heads with other names in the column that the heads have for themselves.

    Nearly all lines of this column begin with a name, and other lines have another indent.
    """
    if len(heads) < LEAST_OF_COLUMN:
        return heads
    ((indent, count),) = Counter(text.indents[n] for n in heads).most_common(1)
    begin, last = min(heads), max(heads)
    column = [n for n in text.filled if begin <= n <= last and text.indents[n] == indent]
    others = sum(begin <= n <= last for n in text.filled) - len(column)
    if count < SEPARATED * len(heads) or 4 * others < len(column) or 2 * count < len(column):
        return heads
    added = {n: head for n in column if n not in heads and (head := _head(n, text)) is not None}
    if count + len(added) < SEPARATED * len(column):
        return heads
    known = {head.name for n, head in heads.items() if text.indents[n] == indent}
    heads = {n: x for n, x in heads.items() if text.indents[n] == indent or x.name in known}
    names = {head.name for head in (*heads.values(), *added.values())}
    outside = (n for n in text.filled if n >= text.front and not begin <= n <= last)
    ends = {
        n: head for n in outside
        if text.indents[n] == indent and (head := _head(n, text)) and head.name in names
    }  # fmt: skip
    return dict(sorted({**heads, **added, **ends}.items()))


def _head(n: int, text: TextLines) -> TurnHead | None:
    """Return the name with a full stop that begins a line, and its text."""
    line = text.folded[n].text
    match = POINT_BEHIND.match(line)
    if match is None or match[1] in ANSWERS or not is_person(match[1]):
        return None
    if DIRECTION_FIRST.match(line):
        return None
    return TurnHead(match[1], None, None, line[match.end() :].strip())


def with_pointed_names(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add names of several words, or behind a number, to those with a full stop: ``1 Citizen.``.

    Nearly all names are one word with a full stop alone on a line, not in capitals. The others
    return, or differ in their numbers alone; a blank line or a rule is above each, and a text
    below.
    """
    pointed = sum(
        text.folded[n].text == f"{head.name}." and not (head.name or "").isupper()
        for n, head in heads.items()
    )
    if pointed < max(FEWEST_POINTED, SHARE_OF_POINTED * len(heads)):
        return heads
    matches = {
        n: match for n, folded in enumerate(text.folded)
        if n not in heads and text.is_filled[n] and not (n and text.is_filled[n - 1])
        and text.is_filled[n + 1 : n + 2] == [True] and n > min(heads)
        and (match := POINTED_NAME.match(folded.text)) is not None
    }  # fmt: skip
    counts = Counter(match[1] for match in matches.values())
    persons = {*counts, *(head.name for head in heads.values())}
    numbered = Counter(
        name for _, name in {(m["number"], m["name"]) for m in matches.values() if m["number"]}
    )
    added = {
        n: TurnHead(match[1], None, None, "") for n, match in matches.items()
        if counts[match[1]] > 1
        or (match["number"] and (numbered[match["name"]] > 1 or match["name"] in persons))
    }  # fmt: skip
    return dict(sorted({**heads, **added}.items())) if added else heads
