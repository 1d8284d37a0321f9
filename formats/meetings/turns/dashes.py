"""Turns without names that a dash begins, beside turns with names.

In an interview, the names of some turns may be missing: ``- So it was.`` Lists have dashes, too:
dashes are changes of the speaker only if they also begin the lines above the first name, which are
sentences, and nearly all lines without names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from formats.meetings.turns.heads import LIST_SIGNS, TurnHead
from formats.meetings.turns.lines import TextLines
from formats.meetings.turns.plain import LEAST, SEPARATED
from formats.reading.document_heads import KEY
from formats.reading.lines import SENTENCE_ENDS

SHARE_OF_SENTENCES, FEWEST_WORDS = 0.7, 6
"""The share of lines above the first name that end like sentences, and the words of their mean."""


def heads_at_dashes(
    heads: Mapping[int, TurnHead], text: TextLines, outside: Collection[int]
) -> dict[int, TurnHead]:
    """Return heads without names for the lines that a dash begins, if these are turns.

    `outside` has the positions of lines that nobody speaks.
    """
    if len(heads) < LEAST or any(
        head.start is not None or not head.text for head in heads.values()
    ):
        return {}
    first = min(heads)
    others = [n for n in text.filled if n not in heads and n not in outside]
    dashed = {n: text.folded[n].line for n in others if text.folded[n].line[:2] in LIST_SIGNS}
    above = [dashed[n] for n in dashed if n < first]
    below = len(dashed) - len(above)
    if min(len(above), below) < LEAST or len(dashed) < SEPARATED * len(others):
        return {}
    if any(KEY.match(line) for line in above) or len({line[0] for line in dashed.values()}) > 1:
        return {}
    ended = sum(line.rstrip().endswith(SENTENCE_ENDS) for line in above)
    words = sum(len(line.split()) for line in above)
    if ended < SHARE_OF_SENTENCES * len(above) or words < FEWEST_WORDS * len(above):
        return {}
    return {n: TurnHead(None, None, None, line[2:].lstrip()) for n, line in dashed.items()}
