"""Names with a full stop in the column of a play in which only names begin lines.

The lines of a turn have another indent there: ``  Ann. So it was`` above ``    and so it is.``.
Whatever stands like a name in this column is one, also ``Nurse``, which is a word elsewhere.
"""

from __future__ import annotations

from collections import Counter

from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.induced import ANSWERS, is_person
from formats.meetings.turns.lines import TextLines
from formats.meetings.turns.plain import LEAST, SEPARATED
from formats.reading.remains import POINT_BEHIND
from formats.schema import lazy_pattern

WITH_POINT = "}{? ({_})?}. {text}"
"""The end of the pattern that names with a full stop give."""
DIRECTION_FIRST = lazy_pattern(r"(?:Enter|Re-?enter|Exit|Exeunt|Manet|Flourish|Alarum)\b")
"""The first word of a direction of a printed play."""
LEAST_OF_COLUMN = 2 * LEAST
"""The fewest names that show a column."""


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
