"""Names of speakers without a time: on separate lines or before a text."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from formats.meetings.layouts import Folded
from formats.meetings.turns.completed import NAME_FIELD
from formats.meetings.turns.headed import HeadedLines
from formats.meetings.turns.heads import (
    BY_NAME,
    LIST_SIGNS,
    UNTIMED,
    TurnHead,
    any_untimed,
    head_of,
)
from formats.meetings.turns.induced import is_person
from formats.meetings.turns.outside import is_brief
from formats.meetings.turns.plain import LEAST, SEPARATED
from formats.reading.speakers import LONGEST, NOTATIONS, is_code, is_label, is_name

LONE_NAME = re.compile(
    r"(?:[-=─━═]{2,} )?([^\s:\[\]<>*=─━═-][^:\n\[\]<>*=─━═]{0,58}?)(:| [-=─━═]{2,})\Z"
)
OFFICE = re.compile(r"[ ]{0,9}(?:[ ][-–—|][ ]|,[ ]|\()")
"""What is between a name and an office or a firm."""
AROUND_NAME = " \t>=-─━═*#"
MOST_RETURNING = 0.6
"""The share of names over several turns that return, if all may be persons."""
NAME_ENDS = frozenset(":-=─━═")
BARE = "({start clock}){?:?}{? {text}?}"
"""A time alone, which goes on with the speaker of the turn before."""
BARE_OF_BOLD = "{start clock}{?{to}{end clock}?} {text}"
EVERYBODY = frozenset(
    ("everyone", "everybody", "all", "both", "audience", "crowd", "group", "alle", "beide",
     "publikum", "tous", "toutes", "todos", "todas", "tutti", "все", "wszyscy", "大家", "众人",
     "全员", "全員", "一同", "모두", "다같이")
)  # fmt: skip
"""Names of several persons who speak together, in small letters."""
BARE_OF_COLUMNS = "{start 0.0} {end 0.0}\t\t{text}"
CARRYING = frozenset(
    name
    for name, row in BY_NAME.items()
    if row.names and {BARE, BARE_OF_BOLD, BARE_OF_COLUMNS} & {*row.patterns}
)


def return_names(pattern: str, heads: dict[int, TurnHead], text: HeadedLines) -> None:
    """Add heads of lines without a time, if their name also occurs in a head with a time.

    Without any times, a name with a colon alone is of the others, and so is ``Everyone: yes`` among
    names alone.
    """
    if pattern in NOTATIONS:
        return
    if all(head.start is None for head in heads.values()):
        _return_untimed(heads, text)
        return
    names = {head.name for head in heads.values() if head.name}
    first = min(heads)
    is_announced = is_listed = False
    for n, folded in enumerate(text.folded):
        # a list that a turn announces is text of it: ``our action items:``
        is_listed = folded.text[:2] in LIST_SIGNS and (is_announced or is_listed)
        is_announced = folded.text.endswith(":") if folded.text else is_announced
        if n in heads or ":" not in folded.text or is_listed:
            continue
        again = any_untimed(folded)
        if again is None and folded.dropped:
            again = head_of(UNTIMED, Folded(folded.text, folded.text))
        if again is None or again.name not in names or is_said(n, again, heads):
            continue
        # above the turns it may be a field: ``Agent: Ann (ID 21)``
        if n > first or not (is_brief(again) or is_name(again.text)):
            heads[n] = again


def _return_untimed(heads: dict[int, TurnHead], text: HeadedLines) -> None:
    """Add the heads of lines that are in another form than nearly all others."""
    names = {head.name for head in heads.values() if head.name}
    are_alone = not any(head.text for head in heads.values())
    first = min(heads)
    for n in [n for n in text.filled if n > first and n not in heads and len(names) > 1]:
        folded = text.folded[n]
        is_likely = n in text.is_first if are_alone else folded.text.endswith(":")
        if not is_likely or ":" not in folded.text[:LONGEST] or n in text.is_rule:
            continue
        again = any_untimed(folded)
        if again is None:
            continue
        is_of_all = again.text != "" and (again.name or "").casefold() in EVERYBODY
        if is_of_all if are_alone else (again.name in names and not again.text):
            heads[n] = again


def carries(pattern: str) -> bool:
    """Return True if, in this layout, a turn without a name belongs to the preceding speaker."""
    return pattern in CARRYING


def needs_text(head: TurnHead) -> bool:
    """Return True for a head with a time and a name, whose text is on the lines below."""
    return head.start is not None and head.name is not None and not head.text


def is_said(n: int, head: TurnHead, heads: Mapping[int, TurnHead]) -> bool:
    """Return True if a line that looks like a head is the text of the turn above: ``Ann: yes``."""
    above = heads.get(n - 1)
    return above is not None and needs_text(above) and above.name != head.name


def only_lines(text: HeadedLines, heads: Mapping[int, TurnHead], filled: Sequence[int]) -> set[int]:
    """Return the positions of lines that are all that turns with a time and a name have.

    Such a line is between two heads, and is text even if it looks like a name, a date or a title.
    """
    return {
        n for above, n, below in zip(filled, filled[1:], filled[2:], strict=False)
        if n == above + 1 and n not in heads and below in heads
        and above in heads and needs_text(heads[above])
        and any(map(str.isalnum, text.folded[n].line))
    }  # fmt: skip


def lone_names(text: HeadedLines, heads: dict[int, TurnHead]) -> dict[int, str]:
    """Return the speaker names that are alone on a line, by position.

    A line below a time and a name, without a text behind them, is the text of their turn.
    """
    marked: dict[int, str] = {}
    bare: dict[int, str] = {}
    over: dict[int, str] = {}
    before = -1
    filled = [
        n for n, is_filled in enumerate(text.is_filled)
        if is_filled and n not in text.marks
        and (n not in text.is_rule or any(map(str.isalpha, text.folded[n].text)))
    ]  # fmt: skip
    for position, n in enumerate(filled):
        line = text.folded[n].text
        if n in heads:
            before = n
            continue
        if before >= 0 and filled[position - 1] == before and needs_text(heads[before]):
            continue
        match = LONE_NAME.match(line) if line[-1:] in NAME_ENDS else None
        if match is not None and (is_name(match[1]) or is_label(match[1])):
            marked[n] = match[1]
            continue
        after = filled[position + 1] if position + 1 < len(filled) else -1
        is_under = before >= 0 and filled[position - 1] == before and not heads[before].text
        is_under = is_under and heads[before].name is None and after not in heads and after >= 0
        is_nameless = after in heads and heads[after].name is None
        is_over = is_nameless and bool(heads[after].text) and is_label(line)
        if (is_under and (is_name(line) or is_code(line))) or is_over:
            bare[n] = line
        elif is_nameless and is_name(line):
            over[n] = line
    counts = Counter(marked.values())
    kept = {n: name for n, name in marked.items() if counts[name] > 1 or is_label(name)}
    if len(set(kept.values())) == 1 and not any(map(is_label, kept.values())):
        # one title that returns between rules is no speaker: ``--- New scene ---``
        kept = {n: name for n, name in kept.items() if text.folded[n].text.endswith(":")}
    nameless = sum(head.name is None and not head.text for head in heads.values())
    if len(over) >= SEPARATED * sum(head.name is None for head in heads.values()):
        bare = over
    elif not kept and (several := names_over_turns(text, heads)):
        return several
    counts = Counter(bare.values())
    again = {n: name for n, name in bare.items() if counts[name] > 1 or is_label(name)}
    if again and len(bare) == nameless:
        again = bare
    if len(again) >= 0.5 * nameless and len(set(again.values())) <= max(2, len(again) / 2):
        kept.update(again)
    elif len(bare) >= max(LEAST, SEPARATED * nameless) and all(map(is_person, bare.values())):
        kept.update(bare)
    return kept


def without_office(line: str) -> str:
    """Return the name with which a line begins, without the firm or the office behind a sign.

    >>> without_office("Ann Ex - Acme, CEO"), without_office("Jean-Luc Ex")
    ('Ann Ex', 'Jean-Luc Ex')
    """
    return OFFICE.split(line, maxsplit=1)[0].rstrip(": ")


def _without_signs(line: str) -> str:
    """Return a line without the signs and brackets around a name, and the word ``Speaker:``.

    >>> _without_signs("=== Ann Ex ==="), _without_signs(">> [Ann]:"), _without_signs("Speaker: Bo")
    ('Ann Ex', 'Ann', 'Bo')
    """
    text = line.rstrip(": ")
    if text[:1] + text[-1:] in ("<>", "()"):
        text = text[1:-1]
    text = text.strip(AROUND_NAME).rstrip(": ")
    if text[:1] + text[-1:] == "[]":
        text = text[1:-1].strip()
    field = NAME_FIELD.match(text)
    return field[1] if field is not None else text


def names_over_turns(text: HeadedLines, heads: Mapping[int, TurnHead]) -> dict[int, str]:
    """Return the names alone by position that are over several turns each, which have times only.

    The first is above the first turn, and nearly all return. The line below a time alone is a text.
    """
    if any(head.name or head.start is None for head in heads.values()):
        return {}
    filled = [
        n for n in text.filled
        if n not in text.marks
        and (n not in text.is_rule or any(map(str.isalpha, text.folded[n].text)))
    ]  # fmt: skip
    said = {b for a, b in itertools.pairwise(filled) if a in heads and not heads[a].text}
    over = {
        a: name for a, b in itertools.pairwise(filled)
        if b in heads and a not in heads and a not in said
        and is_name(name := without_office(_without_signs(text.folded[a].text)))
    }  # fmt: skip
    counts = Counter(over.values())
    again = [count for count in counts.values() if count > 1]
    are_persons = all(map(is_person, counts))
    least = MOST_RETURNING if are_persons else SEPARATED
    are_names = len(again) > 1 and sum(again) >= max(LEAST, least * len(over))
    return over if are_names and min(over) < min(heads) else {}
