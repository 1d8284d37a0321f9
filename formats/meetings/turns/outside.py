"""Lines that look like heads and begin no turn: fields of documents, lists, minutes, contents."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from formats.meetings.layouts import TextLayout
from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.lines import FOOTER, MOST_OF_LIST, TextLines
from formats.meetings.turns.persons import (
    PROGRAMS,
    ROLES_OF_CHATS,
    initials_of,
    role_of,
    takes_turns,
    without_role,
)
from formats.meetings.turns.plain import (
    LEAST,
    LEAST_NUMBERED,
    LONE,
    LONGEST_PART,
    MOST_ALIKE,
    SEPARATED,
)
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.part_titles import TITLED_PARTS
from formats.reading.patterns import FRENCH_NAME
from formats.reading.residue import lines_with_numbers
from formats.reading.speakers import (
    HEAD_NAMES,
    MINUTES_NAMES,
    NOBODY,
    is_full_name,
    is_label,
)
from formats.schema import lazy_pattern

CHOIRS = frozenset(("chorus", "coro"))
"""Names of those who sing together in plays, and of parts of songs."""
VOICES, TURNS_OF_LONG_PLAY, PERSONS_OF_LONG_PLAY = frozenset(("solo", "tutti")), 200, 10
"""Names of those who sing in a long play, and parts of songs elsewhere; turns and persons of such
a play."""
TURNS_BESIDE_PART = 50
"""The fewest turns of a play in which one has the name of a part of a song: ``SOLO``."""
MOST_MINUTES = 0.5
FIELD_NAME = lazy_pattern(
    r"\b(?:name|date|time|id|number|position|role|title|topic|subject|location|duration|language|"
    r"company|department|case|session|file|source|status|datum|fecha|nombre|data|nom)\b",
    re.IGNORECASE,
)
"""A word that names of fields have: ``Candidate Name``, ``Call ID``."""
MOST_ABOVE, SHORTEST_TITLE, LONGEST_BELOW = 10, 4, 40
"""Lines above a document, and the characters of a title in capitals and of a line below it."""
MOST_CONTENTS = 0.25
"""The largest share of heads that a table of contents has."""
PERSONS = lazy_pattern(
    r"(?:the |list of )?(?:appearances?|cast|characters?|dramatis person.e|participants?|attendees|"
    r"present|speakers|persons|people|personen|personnages|personajes|personaggi|personagens)"
    r"(?: (?:of|in|for|on) .{1,40})?:?\Z",
    re.IGNORECASE,
)
"""The title of a list of the persons who speak below it."""
EVERYBODY = frozenset(("all", "both", "everyone", "everybody", "several", "group", "alle", "todos"))
DIRECTION_BEHIND = lazy_pattern(r"(?<=\S)[ ]{1,3}(?:\[[^\[\]]{1,600}\]|\([^()]{1,600}\))\Z")
SCENE = lazy_pattern(rf"(?:{TITLED_PARTS}|PROLOGUE|EPILOGUE|INT|EXT|I/E)\b")
"""The beginning of a title of a play or a script that a description of the scene may follow."""
FEWEST_ROUNDS = 5
"""How often three names or more return in one order at least that are those of a chat."""
MOST_INSIDE = 3
"""How many times as frequent the speakers are whose turns have a name inside their paragraphs."""
COUNTED_TITLE = lazy_pattern(
    r"\W{0,4}(?:([^\W\d_]{2,14}(?:[ ][^\W\d_]{2,14})?)[ ]?(?:[#№]|Nr\.?|No\.?)?[ ]?)?([0-9]{1,3})"
    r"(?![0-9]|[:.,][0-9])[^\n]{0,80}\Z"
)
"""A title with a word and its number, or with a number: ``Dialogue 2: at the shop``."""
COUNTED_PART = lazy_pattern(
    r"(?i)(?:episode|episodio|episódio|épisode|folge|aflevering|odcinek|avsnitt|jakso|серия|эпизод"
    r"|chapter|kapitel|chapitre|capítulo|capitolo|hoofdstuk|rozdział|luku|глава|bölüm"
    r"|part|teil|partie|parte|deel|część|osa|часть|season|staffel|saison|temporada|stagione|сезон"
    r"|lesson|lektion|leçon|lección|lição|lezione|lekcja|урок|unit|lecture|section|abschnitt"
    r"|day|tag|jour|día|dia|giorno|dag|dzień|день|dialog|dialogue|diálogo|dialogo|диалог"
    r"|conversation|interview|story|song|track|tape)[ ]?(?:#|№|nr\.?|no\.?)?[ ]?"
    r"[0-9]{1,3}(?![0-9\w])"
)
"""A word for a part of a text in several languages, and its number."""
COUNT = lazy_pattern(r"\W{0,4}(?:[^\W\d_]{1,12}[ ]?)?\W{0,2}[0-9]{1,5}\W{0,4}\Z")
"""A number, perhaps behind a word, that may count turns."""
NUMBER_ONLY = lazy_pattern(
    r"[#№]?[0-9][0-9 .,/_-]{0,20}\Z|(?=[^\s0-9]{1,60}[0-9])[\w./:#-]{3,80}\Z"
)
"""A number, a code of digits, or an identifier with digits."""
NUMBER_OF_NAME = lazy_pattern(r"[0-9]{1,9}\Z")
ITEM = lazy_pattern(r"[ \t]{0,9}[-*+•][ \t]")
"""The sign of an item of a list."""

LINKS = lazy_pattern(
    r"(?:\[[^\[\]\n]{1,200}\]\([^()\s]{1,400}\)[ ,;|/·&-]{0,4}"
    r"|https?://\S{1,400}[ ,;|]{0,4}){1,9}\Z"
)
"""A text that has only links."""
CLAUSE = lazy_pattern(
    r"(?:如下|包括|包含|[舉举]例(?:[來来][說说])?|例如|比如|譬如|分[別别]是)\Z|(?<=.)的"
    r"|\A[一二三四五六七八九十]、|[\u3400-\u9fff][^\n]{0,80}[0-9]\Z"
)
"""A clause in Chinese before a colon: ``理由如下``, with 的, an item of a list, a ratio, a time."""


def frame_of(heads: Mapping[int, TurnHead]) -> frozenset[str]:
    """Return the names that return in one order throughout a text, if one is that of a role.

    All other names are inside what a program said: ``System: …``, ``User: …``, ``Assistant: …``,
    ``Step 1: …``. Two names are enough if one of them is that of a program.
    """
    names = [head.name or "" for head in heads.values()]
    counts = Counter(names)
    most = max(counts.values(), default=0)
    order = [name for name, count in counts.items() if count >= SEPARATED * most]
    roles = [name for name in order if name.casefold() in ROLES_OF_CHATS]
    are_two = len(roles) == MOST_ALIKE and not PROGRAMS.isdisjoint(map(str.casefold, roles))
    order = roles if are_two else order
    if most < (LEAST if are_two else FEWEST_ROUNDS) or not (
        are_two or (len(order) > MOST_ALIKE and any(map(takes_turns, order)))
    ):
        return frozenset()
    after = dict(zip(order, [*order[1:], order[0]], strict=True))
    steps = [after[a] == b for a, b in itertools.pairwise(name for name in names if name in after)]
    if sum(steps) < SEPARATED * len(steps):
        return frozenset()
    others = {name for name in counts if name.casefold() in ROLES_OF_CHATS}
    return frozenset(order) | others


def without_links(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Remove the items of a list that have only links: ``- Ann: [a page](https://…)``."""
    return {
        n: head for n, head in heads.items()
        if not (LINKS.match(head.text) and ITEM.match(text.lines[n][1]))
    }  # fmt: skip


def are_behind_names(heads: Mapping[int, TurnHead]) -> bool:
    """Return True if heads have names and no times, and nearly all have a text."""
    behind = sum(bool(head.text) for head in heads.values())
    are_named = all(head.name and head.start is None for head in heads.values())
    return are_named and behind >= SEPARATED * len(heads) > 0


def leave_document(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop heads that are no turns: fields at the top of the document, and words of other turns."""
    for n in _fields_above(heads, text):
        del heads[n]
    names = _counts_of_names(heads)
    first = next((n for n, head in heads.items() if names[head.name] > 1), None)
    if first is None:
        fields = list(itertools.takewhile(lambda n: _is_of_document(heads[n]), heads))
        for n in fields if len(fields) < len(heads) else []:
            if is_brief(heads[n]):
                del heads[n]
        return
    above, top = -1, min(heads)
    again = {n: head for n, head in heads.items() if names[head.name] > 1}
    are_alone = sum(not head.text for head in again.values()) >= 0.9 * len(again)
    tells_brief = 2 * sum(not _ends_brief(n, heads, text) for n in again) >= len(again)
    are_apart = text.is_first.issuperset(again)
    has_begun, left = False, list[int]()
    for n in [n for n in heads if n < first]:
        is_over = not are_apart and not all(text.is_filled[n:first])
        is_short = _ends_brief(n, heads, text)
        is_brief_field = is_short and (tells_brief or is_over) and not has_begun
        if is_brief_field or _is_of_document(heads[n]) or (are_alone and heads[n].text):
            del heads[n]
            above = n
            left.append(n)
        else:  # in capitals, other paragraphs of speech may be brief
            has_begun |= are_apart and all(
                (x.name or "").isupper() for x in (heads[n], *again.values())
            )
    for n in [n for n in left if n + 1 in heads and n + 2 in left]:
        del heads[n + 1]  # ``Company: Acme Inc.`` between two fields
    is_of_block = len(left) >= MOST_ALIKE and all(text.is_filled[top:above])
    if is_of_block and top == text.filled[0] and top in heads and names[heads[top].name] == 1:
        del heads[top]  # ``Position: at Acme Inc.``
    _leave_block(heads, above, text)
    leave_unlike(heads, names)
    _leave_text(heads, names, text)
    _leave_below(heads, names, text)
    _leave_inside(heads, text)
    _leave_below_rules(heads, text)


def _counts_of_names(heads: Mapping[int, TurnHead]) -> Counter[str | None]:
    """Return how many heads have each name; a name alone on its line returns in any case.

    >>> heads = [TurnHead("ANN", None, None, ""), TurnHead("Ann", None, None, "so")]
    >>> _counts_of_names(dict(enumerate(heads)))["ANN"]
    2
    """
    names = Counter(head.name for head in heads.values())
    folded = Counter((head.name or "").casefold() for head in heads.values())
    for name in {head.name for head in heads.values() if head.name and not head.text}:
        names[name] = folded[name.casefold()]
    return names


def _fields_above(heads: Mapping[int, TurnHead], text: TextLines) -> list[int]:
    """Return the positions of fields at the top that have the names of speakers: ``Guest: Ann Ex``.

    A blank line or a rule is below them. One is a field such as ``Date``, or all are persons.
    """
    first = next((n for n, head in heads.items() if not _is_of_document(head)), 0)
    block = list(itertools.takewhile(heads.__contains__, range(first, first + MOST_ABOVE)))
    names = {heads[n].name for n in block}
    later = {head.name for n, head in heads.items() if n > block[-1]} if block else set()
    end = first + len(block)
    is_block = (
        len(block) >= MOST_ALIKE and len(names) == len(block) < len(heads) - len(block)
        and not names.isdisjoint(later)
        and not (end < len(text.lines) and text.is_spoken(end))
        and all(0 < len(heads[n].text) <= LONGEST_PART and is_brief(heads[n]) for n in block)
    )  # fmt: skip
    are_fields = is_block and (
        any(map(_is_of_document, map(heads.__getitem__, block)))
        or all(is_full_name(heads[n].text) for n in block)
    )
    return block if are_fields else []


def _leave_inside(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop heads inside paragraphs if the names that return begin paragraphs: ``Step 1: wait``.

    Names inside paragraphs are those of speakers if they are as frequent.
    """
    names = Counter(head.name for head in heads.values())
    first = Counter(head.name for n, head in heads.items() if n in text.is_first)
    again = {name for name, count in first.items() if count > 1}
    begun = sum(map(names.__getitem__, again))
    if len(again) < MOST_ALIKE or any(first[name] < names[name] for name in again):
        return
    for n in [n for n in heads if n not in text.is_first]:
        name = heads[n].name
        if not first[name] and MOST_INSIDE * names[name] <= begun and not is_label(name or ""):
            del heads[n]


def _leave_below_rules(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop heads inside sections between rules if nearly all sections begin with names that return.

    Several heads are inside, and no name is in both places: ``You:``, a list of fields, a rule.
    """
    rules = sorted(text.is_rule - text.framed - text.marks)
    if len(rules) < LEAST:
        return
    after = dict(itertools.pairwise(text.filled))
    first = {after[n] for n in rules if after.get(n, n) not in text.is_rule and n in after}
    first |= {n for n in text.filled[:1] if n in heads}
    begun = Counter(heads[n].name for n in first if n in heads)
    inside = [n for n in heads if n not in first]
    are_names = len(begun) > 1 and min(begun.values()) > 1
    is_most = sum(begun.values()) >= max(MOST_ALIKE * LEAST - 2, SEPARATED * len(first))
    if are_names and is_most and inside and not any(heads[n].name in begun for n in inside):
        for n in inside:
            del heads[n]


def _ends_brief(n: int, heads: Mapping[int, TurnHead], text: TextLines) -> bool:
    """Return True if the lines that a head with a text begins do not end like a sentence."""
    if not heads[n].text:
        return True
    last = n
    while last + 1 < len(text.lines) and text.is_filled[last + 1] and last + 1 not in heads:
        last += 1
    while last > n and (last in text.is_rule or FOOTER.match(text.folded[last].text)):
        last -= 1
    return is_brief(heads[n] if last == n else heads[n]._replace(text=text.folded[last].text))


def of_one_level(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the headings of the level at which most names return; others are titles of parts."""
    names = Counter(head.name for head in heads.values())
    lines = {n: text.folded[n].line for n in heads}
    marks = {n: line[: len(line) - len(line.lstrip("#-= "))].rstrip() for n, line in lines.items()}
    levels = Counter(marks[n] for n, head in heads.items() if names[head.name] > 1)
    level = max(levels, key=levels.__getitem__, default="")
    return {n: head for n, head in heads.items() if marks[n] == level or names[head.name] > 1}


def without_contents(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the heads of a table of contents: times and titles above turns that begin again."""
    timed = [n for n, head in heads.items() if head.start is not None]
    starts = {n: heads[n].start or 0 for n in timed}
    again = [b for a, b in itertools.pairwise(timed) if starts[b] < starts[a]]
    if len(again) != 1 or len(timed) < len(heads):
        return heads
    above = [n for n in timed if n < again[0]]
    titles = sum(is_brief(heads[n]) and bool(heads[n].text) for n in above)
    are_titles = titles >= LEAST_NUMBERED * len(above)
    is_list = LEAST <= len(above) <= MOST_CONTENTS * len(timed)
    is_first = starts[again[0]] <= max(starts[above[0]], starts[above[1]] if above[1:] else 0)
    if not (are_titles and is_list and is_first):
        return heads
    return {n: head for n, head in heads.items() if n >= again[0]}


def without_titles(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Remove the names above names alone that occur once: titles of parts with the same marks.

    The names below them return, or are among the persons that the document lists.
    """
    names = Counter(head.name for head in heads.values())
    persons = text.participants(min(heads, default=0))
    titles = {
        a for a, b in itertools.pairwise(text.filled)
        if a in heads and b in heads and not heads[a].text and heads[a].start is None
        and not heads[b].text and names[heads[a].name] == 1
        and (names[heads[b].name] > 1 or (heads[b].name or "-") in persons)
        and (heads[a].name or "") not in persons and not is_label(heads[a].name or "")
    }  # fmt: skip
    titles |= _titles_of_document(heads, names, text)
    return {n: head for n, head in heads.items() if n not in titles} if titles else heads


def titles_over_names(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of names alone that are titles of parts, and of brief lines below them.

    They are always above other names, or they alone are in capitals and are seldom: ``EPISODE``.
    """
    if any(head.text or head.start is not None for head in heads.values()):
        return set()
    names = Counter(head.name or "" for head in heads.values())
    over = Counter(
        heads[a].name or "" for a, b in itertools.pairwise(text.filled)
        if a in heads and b in heads and heads[a].name != heads[b].name
    )  # fmt: skip
    unsaid = {name for name, count in over.items() if 1 < count == names[name]}
    capitals = {name for name in names if name.isupper() and len(name) > SHORTEST_TITLE}
    seldom = sum(map(names.__getitem__, capitals)) <= (1 - SEPARATED) * len(heads)
    unsaid |= capitals if seldom and len(names) - len(capitals) > MOST_ALIKE else set()
    titles = {n for n, head in heads.items() if head.name in unsaid}
    if 2 * len(titles) >= len(heads):
        return set()
    return titles | {
        n + 1 for n in titles
        if n + 2 in heads and 0 < len(text.folded[n + 1].text) <= LONGEST_BELOW
    }  # fmt: skip


def _titles_of_document(
    heads: Mapping[int, TurnHead], names: Mapping[str | None, int], text: TextLines
) -> set[int]:
    """Return the first names alone if only fields of the document are below: ``THE INTERVIEW``.

    Such a name occurs once, and most turns end like sentences.
    """
    if any(head.text or head.start is not None for head in heads.values()):
        return set()
    places = [*heads, len(text.lines)]
    texts = {
        a: [text.folded[n].text for n in range(a + 1, b) if text.is_spoken(n)]
        for a, b in itertools.pairwise(places)
    }
    brief = {n for n, lines in texts.items() if all(map(is_of_head, lines))}
    if 2 * len(brief) > len(heads):
        return set()
    return set(itertools.takewhile(lambda n: n in brief and names[heads[n].name] == 1, heads))


def roles_below(heads: dict[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of lines that give a speaker's role, between the name and the text."""
    places = [n + 1 for n, head in heads.items() if head.name and not head.text]
    if len(places) < SEPARATED * len(heads):
        return set()
    below: dict[str | None, list[int]] = {}
    for n in places:
        below.setdefault(heads[n - 1].name, []).append(n)
    again = [places for places in below.values() if len(places) > 1]
    if len(again) < MOST_ALIKE:
        return set()
    if roles := _roles_at_first(below, text):
        return roles
    lines = [{text.folded[n].text for n in places if n < len(text.lines)} for places in again]
    lines = [line for line in lines if line != {""}]
    places = [n for n in places if n < len(text.lines) and text.is_filled[n]]
    are_roles = bool(lines) and all(len(line) == 1 and is_brief_line(*line) for line in lines)
    below_role = dict(itertools.pairwise(text.filled))
    is_above = sum(n in below_role and below_role[n] not in heads for n in places)
    is_most = is_above >= max(LEAST, SEPARATED * len(places))
    return set(places) if are_roles and is_most else set()


def _roles_at_first(below: Mapping[str | None, list[int]], text: TextLines) -> set[int]:
    """Return the brief lines below the first name of most speakers, if their other turns have none.

    A text is below each of these lines.
    """
    first = {places[0] for places in below.values()}
    size = len(text.lines)
    roles = {
        n for n in first
        if n + 1 < size and text.is_filled[n + 1] and is_brief_line(text.folded[n].text)
        and not is_brief_line(text.folded[n + 1].text)
    }  # fmt: skip
    others = [n for places in below.values() for n in places[1:] if n < size]
    brief = sum(is_brief_line(text.folded[n].text) for n in others)
    is_most = len(roles) >= max(MOST_ALIKE, SEPARATED * len(first))
    return roles if is_most and brief <= (1 - SEPARATED) * len(others) else set()


def parts_above(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of titles of acts, scenes and parts between turns.

    What is between the title of a scene and the next name describes the scene.
    """
    if not text.part_titles or not heads:
        return set()
    after = dict(itertools.pairwise(text.filled))
    names = Counter(head.name for head in heads.values())
    are_times = not any(head.name or head.text for head in heads.values())
    titles = {
        n for n in text.part_titles
        if _is_part(n, heads, names, text)
        and (
            n in text.is_first or n - 1 in text.part_titles
            or (are_times and after.get(n) in heads)
            or (after.get(n) in heads and (head := heads.get(n - 1)) is not None and head.text)
        )
    }  # fmt: skip
    parts: set[int] = set()
    above: set[int] = set()
    is_scene = False
    for n in text.filled:
        if n in titles and n > min(heads):
            above.add(n)
            is_scene = is_scene or SCENE.match(text.folded[n].text) is not None
        elif n in heads:
            parts |= above if len(above) <= MOST_ABOVE else set()
            above, is_scene = set(), False
        elif above and (is_scene or n in text.is_rule):
            above.add(n)
        else:
            above = set()
    return parts


def _is_part(
    n: int, heads: Mapping[int, TurnHead], names: Mapping[str | None, int], text: TextLines
) -> bool:
    """Return True if a title of a part is no turn; with a colon, its name occurs once."""
    head = heads.get(n)
    if head is None:
        return True
    if text.folded[n].line[:1] in "*_" or head.start is not None:
        return False
    return not head.text or (names[head.name] == 1 and is_brief(head))


def counts_above(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of lines above heads that count the turns: ``TURN 1``, ``[2]``."""
    if any(head.start is not None for head in heads.values()):
        return set()
    above = {
        a: text.folded[a].text for a, b in itertools.pairwise(text.filled)
        if b in heads and a not in heads and text.has_digit[a] and COUNT.match(text.folded[a].text)
    }  # fmt: skip
    counts: set[int] = set()
    for numbers in lines_with_numbers(above.items()).values():
        steps = sum(b == a + 1 for a, b in itertools.pairwise(numbers.values()))
        if len(numbers) >= LEAST and steps >= SEPARATED * (len(numbers) - 1):
            counts |= numbers.keys()
    is_most = 2 * len(counts) >= len(heads.keys() - counts)
    return counts if is_most else set()


def counted_titles(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of titles that count the parts above turns: ``Dialogue 2``.

    A title that begins with a word for a part, ``Episode 2: The bridge``, may be above any line.
    """
    above = {
        n: text.folded[n].text for n, after in itertools.pairwise(text.filled)
        if text.has_digit[n] and (
            (n in text.is_first and after in heads) or COUNTED_PART.match(text.folded[n].text)
        )
    }  # fmt: skip
    if not above or any(head.start is not None for head in heads.values()):
        return set()
    counts = Counter(head.name for head in heads.values())
    titles: dict[str, dict[int, int]] = {}
    for n, line in above.items():
        head = heads.get(n)
        is_turn = head is not None and (counts[head.name] > 1 or is_label(head.name or ""))
        if not is_turn and is_brief_line(line) and (title := COUNTED_TITLE.match(line)):
            titles.setdefault(title[1] or "", {})[n] = int(title[2])
    counted: set[int] = set()
    for numbers in titles.values():
        are_parts = all(COUNTED_PART.match(above[n]) for n in numbers)
        is_counted = all(
            b > a if are_parts else b == a + 1 for a, b in itertools.pairwise(numbers.values())
        )
        if len(numbers) >= MOST_ALIKE and is_counted and 2 * len(numbers) < len(heads):
            counted |= numbers.keys()
    return counted


def fields_of_parts(heads: dict[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of fields that begin each part of a text: ``Date: 1 May``."""
    places: dict[str, list[int]] = {}
    for n, head in heads.items():
        places.setdefault(head.name or "", []).append(n)
    first = next((n for n in heads if FIELD_NAME.search(heads[n].name or "")), None)
    if first is None or any(head.start is not None for head in heads.values()):
        return set()
    begin = first
    while begin - 1 in heads:
        begin -= 1
    block = list(itertools.takewhile(heads.__contains__, range(begin, begin + MOST_ABOVE)))
    count = len(places[heads[first].name or ""])
    names = [heads[n].name or "" for n in block]
    fields = list(itertools.takewhile(lambda name: len(places[name]) == count, names))
    positions = [n for name in fields for n in places[name]]
    if count < MOST_ALIKE or len(fields) < MOST_ALIKE:
        return set()
    is_like_first = all(
        places[name] == [n + offset for n in places[fields[0]]]
        for offset, name in enumerate(fields)
    )
    are_values = all(is_brief(heads[n]) and len(heads[n].text) <= LONGEST_PART for n in positions)
    is_list = is_like_first and are_values and text.is_first.issuperset(places[fields[0]])
    is_most = 2 * len(positions) > len(heads)
    return set(positions) if is_list and not is_most else set()


def fields_below_headings(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of fields of persons that are only below headings.

    An example is ``Presenter: Ann Ex``.
    """
    if not text.is_heading or any(head.start is not None for head in heads.values()):
        return set()
    above = dict(zip(text.filled, [-1, *text.filled], strict=False))
    places: dict[str | None, list[int]] = {}
    for n, head in heads.items():
        places.setdefault(head.name, []).append(n)
    return {
        n for fields in places.values()
        if len(fields) >= MOST_ALIKE
        and all(above[n] in text.is_heading for n in fields)
        and all(is_full_name(without_role(heads[n].text)) for n in fields)
        for n in fields
    }  # fmt: skip


def pauses_in(heads: Mapping[int, TurnHead]) -> set[int]:
    """Return the positions of heads that have only a time, as all of their name: ``Break: [2:22]``.

    So are fields with a number or an identifier above parts: ``Chat ID: 12``. Other names have
    texts, and no turn has a time.
    """
    pauses = {
        n for n, head in heads.items()
        if LONE.match(head.text) is not None
        or (NUMBER_ONLY.match(head.text) is not None and FIELD_NAME.search(head.name or ""))
    }  # fmt: skip
    if not pauses or any(head.start is not None for head in heads.values()):
        return set()
    said = {head.name for n, head in heads.items() if n not in pauses}
    pauses = {n for n in pauses if heads[n].name not in said}
    return pauses if 2 * len(pauses) < len(heads) else set()


def numbered_below(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions directly below one field whose names differ by a number.

    An example is ``Task 7: find the road`` below ``Chat ID: 12``.
    """
    names = {n: head.name or "" for n, head in heads.items() if (head.name or "")[-1:].isdigit()}
    bases = Counter(NUMBER_OF_NAME.sub("", name) for name in names.values())
    base, _ = max(bases.items(), key=lambda item: item[1], default=("", 0))
    numbered = [n for n, name in names.items() if NUMBER_OF_NAME.sub("", name) == base]
    above = Counter(text.folded[n - 1].text.rpartition(" ")[0] for n in numbered if n)
    field, count = max(above.items(), key=lambda item: item[1], default=("", 0))
    is_field = field.endswith(":") and count > MOST_ALIKE and count >= SEPARATED * len(numbered)
    return {*numbered} if is_field and len({*map(names.get, numbered)}) > MOST_ALIKE else set()


def are_choices(heads: Mapping[int, TurnHead], text: TextLines) -> bool:
    """Return True if letters count up from A to C or more below other lines: answers to choose."""
    letters = "".join(head.name or "" for head in heads.values())
    if len(letters) != len(heads) or "C" not in letters:
        return False
    above = dict(zip(text.filled, [-1, *text.filled], strict=False))
    return (
        all(
            b == chr(ord(a) + 1) or (b == "A" and above[n] not in {-1, *heads})
            for n, a, b in zip(heads, f"@{letters}", letters, strict=False)
        )
        and above[min(heads)] >= 0
    )


def _leave_text(heads: dict[int, TurnHead], names: Counter[str | None], text: TextLines) -> None:
    """Drop heads with a name that occurs once, if they are text of the preceding turn: ``Sure:``.

    Such a head is below a name alone; or in or above a paragraph, although repeated names begin
    them; or in a list that a turn announces; or not among the speakers that the document lists.
    """
    again = [n for n, head in heads.items() if names[head.name] > 1 and not is_of_minutes(head)]
    are_apart = len(again) >= LEAST and text.is_first.issuperset(again)
    if not again:
        return
    _leave_said_below_names(heads, text)
    listed = _listed(heads, names, text)
    single = {n for n, head in heads.items() if names[head.name] == 1}
    persons = text.participants(again[0])
    are_listed = bool(persons) and all((heads[n].name or "") in persons for n in again)
    for n in [n for n, head in heads.items() if names[head.name] == 1]:
        before = heads.get(n - 1)
        is_below = before is not None and names[before.name] > 1
        is_below = is_below and not (before and before.text) and not heads[n].text
        is_inside = are_apart and n > again[0] and (n not in text.is_first or n + 1 in single)
        is_listed = n in listed or (are_listed and not _is_in(heads[n].name or "", persons))
        is_listed = is_listed and n > again[0]
        if (is_below or is_inside or is_listed) and not is_label(heads[n].name or ""):
            del heads[n]


def _leave_said_below_names(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop heads with a text, ``One thing: so``, below names alone, if no name is in both."""
    alone = {head.name for head in heads.values() if not head.text}
    behind = {n: head for n, head in heads.items() if head.text}
    if len(alone) < 2 or any(head.name in alone for head in behind.values()):
        return
    above = {n: heads.get(before) for before, n in itertools.pairwise(text.filled)}
    below = [n for n in behind if (head := above.get(n)) is not None and not head.text]
    if below and len(heads) - len(behind) >= len(behind):
        for n in behind:
            if (heads[n].name or "").casefold() not in EVERYBODY:
                del heads[n]


def _is_in(name: str, persons: str) -> bool:
    """Return True if a list of persons has a name, or if the name means all of them."""
    return name in persons or name.casefold() in EVERYBODY


def _leave_below(heads: dict[int, TurnHead], names: Counter[str | None], text: TextLines) -> None:
    """Drop heads below the last rule if no name returns there: ``Decision: hired`` is no speech."""
    again = [n for n, head in heads.items() if names[head.name] > 1]
    rule = max((n for n in text.is_rule if n not in heads), default=-1)
    if len(again) >= LEAST and max(again) < rule:
        for n in [n for n in heads if n > rule and is_brief(heads[n])]:
            del heads[n]


def leave_list(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop the heads in a list of persons at the beginning of a document, as below ``CAST:``."""
    listed: dict[int, TurnHead] = {}
    is_list = False
    for n in range(min(len(text.lines), MOST_OF_LIST)):
        head = heads.get(n)
        is_title = PERSONS.match(text.folded[n].text) is not None
        if is_title or not text.is_filled[n]:
            is_list = is_list or is_title
        elif is_list and (head is None or not is_brief(head) or head in listed.values()):
            break
        elif is_list and head is not None:
            listed[n] = head
    listed = listed or _listed_above(heads, text) or _legend(heads, text)
    names = {head.name for head in listed.values()}
    if 1 < len(listed) == len(names):
        for n in listed:
            del heads[n]


def _listed_above(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the heads of a list below a title at the top, if no other head is of a list."""
    items = {n: head for n, head in heads.items() if ITEM.match(text.lines[n][1])}
    first = min(heads, default=0)
    above = first - 1 if first and text.is_filled[first - 1] else first - 2
    names = {head.name for n, head in heads.items() if n not in items}
    is_list = (
        above >= 0 and max(items, default=MOST_OF_LIST) < MOST_OF_LIST
        and list(items) == list(range(first, first + len(items)))
        and text.folded[above].text.endswith(":") and all(map(is_brief, items.values()))
    )  # fmt: skip
    returning = sum(head.name in names for head in items.values())
    return items if is_list and 2 * returning > len(items) else {}


def _legend(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the first lines if they say who the names below are: ``BR: Ben Roe``.

    Each name or its letters are in its text, which ends no sentence, and returns below.
    """
    counts = Counter(head.name for head in heads.values())
    legend: dict[int, TurnHead] = {}
    for n in text.filled[:MOST_OF_LIST]:
        head = heads.get(n)
        if head is None or not _is_named_in_full(head) or counts[head.name] < MOST_ALIKE:
            break
        legend[n] = head
    return legend if len(legend) >= LEAST else {}


def _is_named_in_full(head: TurnHead) -> bool:
    """Return True if the text of a turn is a longer form of its name."""
    name, text = (head.name or "").casefold(), head.text.casefold()
    is_longer = name in text or (len(name) > 1 and initials_of(text).startswith(name))
    is_longer = is_longer and len(name) < len(text) <= LONGEST_BELOW
    return is_longer and text[-1].isalpha() and text.count(" ") <= MOST_ALIKE + 1


def leave_unlike(heads: dict[int, TurnHead], names: Counter[str | None]) -> None:
    """Drop heads that differ from the names that repeat, such as ``The second point is: …``.

    It has the words of a sentence; or occurs once, and repeated names are in capitals or have text.
    """
    counts = {name or "": count for name, count in names.items()}
    again = {n: c for n, c in counts.items() if c > 1 and not is_like_a_sentence(n)}
    total = sum(again.values())
    if 2 * total < len(heads) or len(again) < MOST_ALIKE:
        return
    sentences = {*filter(is_like_a_sentence, counts), *_divided(heads, again)}
    single = {name for name, count in counts.items() if count == 1 and not is_label(name)}
    if not sentences and not single:
        return
    capitals = sum(count for name, count in again.items() if name.isupper()) >= SEPARATED * total
    have_numbers = any(name[-1:].isdigit() for name in again)
    behind = sum(bool(head.text) for head in heads.values() if head.name in again)
    for n, head in list(heads.items()):
        name = head.name or ""
        is_other = (capitals and not without_role(name).isupper() and " " in name) or (
            behind >= SEPARATED * total and not head.text
        )
        if name in single and not (have_numbers and name[-1:].isdigit()):
            is_other |= CLAUSE.search(name) is not None
        is_other |= head.is_marked and not behind and any(map(str.islower, name.split()))
        is_other = is_other and role_of(name) not in again and initials_of(name) not in again
        if name in sentences or (name in single and is_other):
            del heads[n]


def _divided(heads: Mapping[int, TurnHead], again: Mapping[str, int]) -> set[str]:
    """Return the names that are sentences which a colon divides: ``He said: leave it``.

    They occur once or twice, end in small letters, and their texts begin so, unlike nearly all
    texts of the names that return. A word in small letters is no name, either, if no other is.
    """
    small = Counter(head.name or "" for head in heads.values() if head.text[:1].islower())
    known = [name for name, count in again.items() if count > MOST_ALIKE]
    total = sum(again[name] for name in known)
    are_begun = sum(small[name] for name in known) <= (1 - SEPARATED) * total
    are_large = not any(map(str.islower, known))
    counts = Counter(head.name or "" for head in heads.values())
    return {
        name for name, count in counts.items()
        if count <= MOST_ALIKE and not is_label(name) and name[-1:].isalpha() and (
            (are_begun and small[name] == count and " " in name and _ends_small(name))
            or (are_large and name.islower())
        )
    } if known else set()  # fmt: skip


def _ends_small(name: str) -> bool:
    """Return True if a name has a word in small letters, or a sentence ends in it."""
    words = name.split()
    return any(map(str.islower, words[1:])) and FRENCH_NAME.match(name) is None


@lru_cache(maxsize=4096)
def is_like_a_sentence(name: str) -> bool:
    """Return True if a name has at least three words, and only the first and I are capitalised.

    It begins with no title and no word in capitals: ``M. le président``, ``ANNA, à part``.
    """
    first, *words = name.split() or [""]
    is_capital = first[1:2].isalpha() and first.isupper()
    if is_capital or FRENCH_NAME.match(name) is not None:
        return False
    return (
        len(words) > 1
        and words[-1].islower()
        and all(word.islower() or word == "I" for word in words)
        and all(word.rstrip(",").isalpha() for word in words)
    )


def _listed(heads: dict[int, TurnHead], names: Counter[str | None], text: TextLines) -> set[int]:
    """Return the positions of heads in a list that a turn announces: ``we need two things:``."""
    listed: set[int] = set()
    is_within = is_announced = False
    for n, is_filled in enumerate(text.is_filled):
        if not is_filled:
            continue
        head = heads.get(n)
        is_single = head is not None and names[head.name] == 1 and not is_label(head.name or "")
        is_within = is_single and (is_within or is_announced)
        if is_within:
            listed.add(n)
        is_text = head is None or bool(head.text)
        is_announced = is_text and n not in text.marks and text.folded[n].text.endswith(":")
    return listed


def _leave_block(heads: dict[int, TurnHead], above: int, text: TextLines) -> None:
    """Drop the heads of lines that are fields of the document, not turns: ``Patient: Ann Ex``."""
    block = list(itertools.takewhile(text.is_filled.__getitem__, range(above, len(text.lines))))
    names = Counter(head.name for head in heads.values())
    below = block[1:]
    while below and (last := heads.get(below[-1])) and not last.text and names[last.name] > 1:
        del below[-1]  # the first speaker, above a blank line
    if (
        above >= 0
        and len(block) < MOST_ABOVE
        and any(n >= above + len(block) for n in heads)
        and all(n in heads and is_brief(heads[n]) for n in below)
    ):
        for n in below:
            del heads[n]


def _is_of_document(head: TurnHead) -> bool:
    """Return True if a name that occurs once is a field of the document's heading: ``Date: …``."""
    return HEAD_NAMES.match(head.name or "") is not None


def is_of_minutes(head: TurnHead) -> bool:
    """Return True if a head is an item of minutes (``Action: call Ann``), not a speaker."""
    return _is_part_of_minutes(head.name or "")


@lru_cache(maxsize=4096)
def _is_part_of_minutes(name: str) -> bool:
    """Return True if a name is the title of a section of minutes, or introduces a remark."""
    return MINUTES_NAMES.match(name) is not None or NOBODY.match(name) is not None


def choirs_in(heads: Mapping[int, TurnHead]) -> set[str]:
    """Return the names of choruses that speak as others do: hardly a part of a song is a head.

    They speak several times or in a long play, or all of them have texts beside the name.

    >>> turns = [TurnHead(name, None, None, "") for name in "CREON CHORUS HAEMON CHORUS".split()]
    >>> choirs_in(dict(enumerate([*turns, *turns])))
    {'CHORUS'}
    """
    counts = Counter(head.name or "" for head in heads.values())
    choirs = {name for name in counts if without_role(name).casefold() in CHOIRS}
    others = [name for name in counts if name not in choirs]
    returning = [name for name in others if counts[name] > 1]
    parts = sum(counts[name] for name in others if _is_part_of_minutes(name))
    are_persons = len(returning) > 1 and TURNS_BESIDE_PART * parts <= len(heads)
    are_beside = all(head.text for head in heads.values() if head.name in choirs)
    is_enough = sum(counts[name] for name in choirs) > 1 or are_beside
    is_long = len(heads) >= TURNS_OF_LONG_PLAY and len(returning) >= PERSONS_OF_LONG_PLAY
    voices = {name for name in counts if is_long and name.casefold() in VOICES}
    return (choirs if is_enough or is_long else set()) | voices if are_persons else set()


def minutes_of(heads: dict[int, TurnHead], text: TextLines, row: TextLayout | None) -> set[int]:
    """Return the lines of sections of minutes: from a section's title to the next speaker's turn.

    Titles such as ``Action items:`` are not speakers. Sections must have few lines. A remark, as
    ``Scene: a bridge``, ends at the next turn of any speaker. A chorus may speak in a play.
    """
    minutes: set[int] = set()
    choirs = choirs_in(heads)
    if row is not None and row.is_dated:
        return minutes  # messages of a chat
    known: set[str | None] = set()
    are_behind = sum(bool(head.text) for head in heads.values()) >= SEPARATED * len(heads)
    are_apart, last = text.is_first.issuperset(heads), max(heads, default=0)
    is_within = is_remark = False
    are_headings = all(text.folded[n].line[:1] == "#" for n in heads)
    for n, is_filled in enumerate(text.is_filled):
        if not is_filled:
            continue
        head = heads.get(n)
        line = text.folded[n].text if head is None else head.name or ""
        if head is None:
            is_first = n in text.is_first or n - 1 in text.is_rule
            is_behind = (are_behind and not are_apart) or (is_first and (are_behind or n > last))
            has_name = is_behind and ":" in line[:LONGEST_PART]
            name = line.partition(":")[0] if has_name else ""
            line = line.strip("#*:=-─ ") if is_first else ""
            is_remark_in_bold = text.folded[n].line[:1] == "*" and NOBODY.match(name) is not None
            is_field = MINUTES_NAMES.match(name) is not None or is_remark_in_bold
            line = name if is_field else line if len(line) <= LONGEST_PART else ""
        is_part = _is_part_of_minutes(line) and line not in choirs
        is_part = is_part and not (are_headings and head is None and n not in text.is_heading)
        is_lone = is_within and LONE.match(text.folded[n].line) is not None
        if is_part:
            is_within, is_remark = bool(known), NOBODY.match(line) is not None
        elif is_lone or (head is not None and (is_remark or head.name in known)):
            is_within = is_within and not is_remark and not is_lone and _are_tasks(n, heads, text)
            known.update([head.name] if head else [])
        elif head is not None and not is_within:
            known.add(head.name)
        if is_within:
            minutes.add(n)
    return minutes if len(minutes) <= MOST_MINUTES * sum(text.is_filled) else set()


def _are_tasks(first: int, heads: Mapping[int, TurnHead], text: TextLines) -> bool:
    """Return True if heads below the title of a section are brief items: ``- Ann: call Bob``.

    They go on to the next heading or rule, and most heads above them are sentences.
    """
    above = [head for n, head in heads.items() if n < first]
    if 2 * sum(map(is_brief, above)) > len(above):
        return False
    for n in (n for n in text.filled if n >= first):
        if n in text.is_heading or n in text.is_rule:
            break
        if not ITEM.match(text.lines[n][1]) or (n in heads and not is_brief(heads[n])):
            return False
    return True


def is_brief_line(line: str) -> bool:
    """Return True if a line is not empty and does not end like a sentence."""
    is_said = line.rstrip("\"'”’)*").endswith((*SENTENCE_ENDS, ","))
    return bool(line) and len(line) <= LONGEST_PART and not is_said


def is_of_head(line: str) -> bool:
    """Return True if a line may be of the head of a document: brief, or a notice of copyright."""
    return is_brief_line(line) or FOOTER.match(line) is not None


def is_brief(head: TurnHead) -> bool:
    """Return True if the text after a name does not end like a sentence."""
    text = DIRECTION_BEHIND.sub("", head.text) if head.text[-1:] in "])" else head.text
    return not text.rstrip("\"'”’)*").endswith(SENTENCE_ENDS)
