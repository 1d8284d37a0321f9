"""Turns of a screenplay without indents and blank lines: each line is a paragraph.

The line below a name is speech, and so is the line below a direction in brackets in a turn. Further
lines tell what happens; nobody speaks them.
"""

from __future__ import annotations

import itertools
from collections import Counter

from formats.meetings.turns.narration import ADDRESS, LEAST_NAMED, OF_OTHERS, QUESTION, has_name
from formats.meetings.turns.plain import LEAST, SEPARATED, Lines
from formats.meetings.turns.screenplay import (
    CUE,
    REMARK,
    SCENE,
    SHARE,
    TRANSITION,
    Screenplay,
    parts_of,
    screenplay_of,
)

FOUNTAIN = (".fountain", ".spmd")
"""Endings of the names of scripts in Fountain, whose lines have meanings of their own."""
ENDS = frozenset(".!?…\"»”)'’")
"""Signs at the end of a line that is a whole paragraph."""
MOST_ADDRESSED, LEAST_ENDED = 0.15, 0.8
"""The most lines of actions with a word that addresses somebody, the least lines with an end."""


def play_of(lines: Lines, name: str = "") -> Screenplay | None:
    """Return the turns of a screenplay with or without blank lines; `None` for any other text.

    `name` is that of the file, whose ending may be that of Fountain.
    """
    if name.lower().endswith(FOUNTAIN) and (play := screenplay_of(lines, is_fountain=True)):
        return play
    return screenplay_of(lines) or dense_script_of(lines)


def dense_script_of(lines: Lines) -> Screenplay | None:
    """Return the turns of a screenplay whose lines are paragraphs, or `None` for any other text.

    Its scenes have headings, names return, and what is below the first line of a turn is about the
    persons and addresses nobody.
    """
    filled = [(n, line) for n, (_, line) in enumerate(lines) if line.strip()]
    scenes = {n for n, line in filled if SCENE.match(line) or TRANSITION.match(line)}
    near = sum(b == a + 1 for (a, _), (b, _) in itertools.pairwise(filled))
    if not scenes or near < SEPARATED * (len(filled) - 1):
        return None
    first = min(scenes)
    cues = {
        n: match[1] for (n, line), (below, _) in itertools.pairwise(filled)
        if n > first and below not in scenes and n not in scenes
        and (match := CUE.match(line.strip())) and match[1].isupper()
    }  # fmt: skip
    cues = {n: name for n, name in cues.items() if n + 1 not in cues}
    counts = Counter(cues.values())
    returning = sum(count for count in counts.values() if count > 1)
    if len(cues) < max(LEAST, SHARE * len(filled)) or 2 * returning < len(cues):
        return None
    spoken: set[int] = set()
    remarks = {n for n, line in filled if REMARK.match(line)}
    for (above, _), (n, _) in itertools.pairwise(filled):
        is_below = above in cues or (above in spoken and not remarks.isdisjoint((above, n)))
        if is_below and n not in scenes and n not in cues:
            spoken.add(n)
    others = {n: text.strip() for n, text in filled if n not in cues and n not in spoken}
    actions = [text for n, text in others.items() if n > min(cues) and n not in scenes | remarks]
    if not _are_actions(actions, [lines[n][1] for n in spoken], counts):
        return None
    return parts_of(lines, filled, cues, spoken)


def _are_actions(actions: list[str], spoken: list[str], names: Counter[str]) -> bool:
    """Return True if lines tell what persons with these names do, and what is spoken does not."""
    ended = sum(text.rstrip()[-1:] in ENDS for text in (*actions, *spoken))
    if not actions or ended < LEAST_ENDED * (len(actions) + len(spoken)):
        return False  # lines are no paragraphs
    first = {name.split()[0] for name in names}
    forms = {form for name in first for form in (name, name.title())}
    about = sum(has_name(text, forms) or OF_OTHERS.match(text) is not None for text in actions)
    addressed = sum(
        ADDRESS.search(text) is not None or not QUESTION.isdisjoint(text) for text in actions
    )
    is_about = about >= LEAST_NAMED * len(actions)
    return is_about and addressed <= MOST_ADDRESSED * len(actions)
