"""Names and times that complete the heads of turns, from their texts and from other lines."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

from formats.meetings.layouts import Folded, fold
from formats.meetings.turns.heads import NO_SPEAKERS, UNTIMED, TurnHead, head_of, row_of
from formats.meetings.turns.induced import ANSWERS, OPENING, is_person
from formats.meetings.turns.lines import MOST_OF_LIST, REMARK_OF_SCRIPT, TextLines
from formats.meetings.turns.outside import EVERYBODY, is_brief_line, is_like_a_sentence, is_of_head
from formats.meetings.turns.persons import PROGRAMS, ROLES_OF_CHATS, role_of, without_role
from formats.meetings.turns.places import BESIDE, BRACKETED, times_of
from formats.meetings.turns.plain import LEAST, LONGEST_PART, MOST_ALIKE, SEPARATED
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.patterns import parse_stamp
from formats.reading.speakers import NO_ONE, is_label, is_name
from formats.schema import lazy_pattern
from formats.schema.times import SECOND

VERBS = (" said", " says")
LATE, EARLY, DAY = 22 * 3600 * SECOND, 2 * 3600 * SECOND, 24 * 3600 * SECOND
"""Times of day before and after midnight between which a turn may begin."""
SEPARATOR = lazy_pattern(r"[^\w\s\"'“”‘’«»¿¡()\[\]{}<♪*.…!?&$#@]{1,3}(?=[ \t\xa0]|\Z)[ \t\xa0]*")
"""Signs that may stand between a head and its text."""
LABEL_NUMBER = lazy_pattern(r"[ _-]?#?[0-9]{1,4}\Z")
NAME_BEHIND = lazy_pattern(r"\(([^()\n]{1,60})\)[ \t]{1,9}")
NUMBER_FIRST = lazy_pattern(r"([0-9]{1,3}):?[ \t]{1,9}(?=[^\W\d_])")
"""The number of a generic name, before a text."""
ASKED = lazy_pattern(r"(?<=\A[QAFRP])[ ]?([0-9]{1,3})\Z")
"""The number of a question or an answer: ``Q1``, ``A1``."""
OF_TURN = lazy_pattern(r"([^\W\d_]{1,3})([0-9]{1,3})\Z")
"""A letter or an abbreviation and the number of a turn of this speaker."""
BLANK_BEHIND = ("{speaker any} {text}", "{speaker word} {text}")
"""The ends of patterns in which only a blank is between a name of one word and the text."""
FEWEST_SECOND, LONGEST_SECOND = 6, 12
"""The fewest turns that show whether names have a second word, and its most characters."""
LONGEST_LONE = 150
"""The most characters of a name alone with what is behind it."""
SOUND_ALONE = lazy_pattern(r"(?:\[[^\]\d]{1,60}\]|\([^)\d]{1,60}\))\Z")
"""A line in brackets that may be above the name of a turn."""
IN_BRACKETS = {"[": "[Name]: text", "(": "(Name): text"}
"""The notations of a name in brackets before a colon, by the bracket."""
WITH_IDENTIFIER = lazy_pattern(
    r"([^\W\d_][^:()\n]{0,40}[ ]?\((?=[^()\n]{0,20}[0-9])[\w. #-]{1,20}\)):[ ](?=\S)"
)
"""A name with an identifier in brackets, and a text."""
BEFORE_NAME = frozenset("([*_")
PARTICLES = frozenset(
    ("van", "von", "vom", "zu", "der", "den", "ter", "de", "del", "della", "di", "da", "do", "dos",
     "du", "la", "le", "los", "las", "y", "e", "of", "al", "el", "bin", "ibn")
)  # fmt: skip
"""Words in small letters inside the names of persons."""
DIRECTION_FIRST = lazy_pattern(
    r"[*_]{0,2}(?:\((?![0-9])[^()\n]{1,80}\)|\[(?![0-9])[^\[\]\n]{1,80}\])[*_]{0,2}[ \t]{1,4}"
)
"""A direction before a name, perhaps with emphasis."""
COLON_LOST = lazy_pattern(r"(?P<sign>[;.]?)[ \t]{1,4}(?=[^\W_])(?![A-Z]{2})")
"""A sign in the place of a colon, before a word that begins a sentence."""
UNKNOWN = lazy_pattern(r"[?？]{1,4}\Z")
"""What is in the place of the name of a person whom nobody knows."""
ADDRESSED = lazy_pattern(
    r"(?P<name>[^\W\d_][^\n→<>=]{0,40}?)[ ]?(?:(?P<sign>→|⇒|➔|->|=>|>>)[ ]?|[ ](?P<to>to)[ ])"
    r"(?P<whom>\w[^\n→<>=]{0,40})\Z"
)
"""Who speaks and to whom."""
NAME_FIELD = lazy_pattern(
    r"(?i)(?:speaker|name|spk|sprecher(?:in)?|locuteur|hablante|orador|falante|спикер|说话人)"
    r"[ ]?:[ ]?([^\W\d_][^:\n]{0,58})\Z"
)
ANSWERING = PROGRAMS | {
    *("助手", "助理", "アシスタント", "ассистент", "asistente", "assistente", "assistent")
}
"""Names of programs that answer, in small letters."""
COUNTED = lazy_pattern(r"[ ]{0,3}\([^()0-9]{0,20}([0-9]{1,5})\)\Z")


def with_timed(pattern: str, heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the lines that are heads of a layout without times but for the time beside their name."""
    names = {head.name for head in heads.values() if head.name}
    if not names or any(head.start is not None for head in heads.values()):
        return heads
    timed: dict[int, TurnHead] = {}
    for n, folded in enumerate(text.folded):
        if n in heads or not text.has_digit[n]:
            continue
        match = BESIDE.search(folded.line, 0, LONGEST_PART)
        if match is None:
            continue
        rest = f"{folded.line[: match.start()]}{folded.line[match.end() :]}"
        head = head_of(pattern, fold(rest))
        if head is not None and head.name in names:
            timed[n] = _at(head, match)
    return dict(sorted({**heads, **timed}.items())) if 0 < len(timed) < len(heads) else heads


def unnamed_heads(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the lines with a time and no name among heads with both, by position.

    Their times, in the same brackets, are between those of the heads beside them; the speaker of
    the turn above goes on. Above the first head, sentences with a time are speech of nobody known.
    A name that occurs once and is like a sentence is none.
    """
    timed = {n: head for n, head in heads.items() if head.name and head.start is not None}
    names = Counter(head.name for head in timed.values())
    single = {
        n for n, x in timed.items() if names[x.name] == 1 and is_like_a_sentence(x.name or "")
    }
    timed = {n: head for n, head in timed.items() if n not in single}
    if len(timed) < max(LEAST, SEPARATED * (len(heads) - len(single))):
        return {}
    signs = Counter(text.folded[n].text[:1] for n in timed)
    sign, count = signs.most_common(1)[0]
    if sign not in OPENING or count < SEPARATED * len(timed):
        return {}
    places = [*timed]
    unnamed: dict[int, TurnHead] = {}
    has_list = False
    for n in sorted((text.is_stamped - heads.keys() - text.marks) | single):
        line = text.folded[n].text
        match = BRACKETED.match(line) if line[:1] == sign else None
        index = bisect_left(places, n)
        if match is None:
            continue
        above = timed[places[index - 1]] if index > 0 else TurnHead(None, None, None, "")
        below = timed[places[min(index, len(places) - 1)]]
        head = _at(TurnHead(above.name, None, None, line[match.end() :].strip()), match)
        is_later = (above.start or 0) <= (head.start or 0)
        is_earlier = index == len(places) or (head.start or 0) <= (below.start or 0)
        has_list = has_list or (index == 0 and not is_earlier)
        if is_later and is_earlier and (index > 0 or line.endswith(SENTENCE_ENDS)):
            unnamed[n] = head
    if has_list:  # of chapters or points, above the talk
        return {n: head for n, head in unnamed.items() if n > places[0]}
    return unnamed


def stamped_heads(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the lines with a time and a text among times alone on their lines, by position.

    There are several, and the times of at least half of them are between those above and below.
    """
    stamped = text.is_stamped - heads.keys()
    if len(stamped) < LEAST or any(
        head.name or head.text or head.start is None for head in heads.values()
    ):
        return {}
    places = [*heads]
    timed: dict[int, TurnHead] = {}
    for n in sorted(stamped):
        line = text.folded[n].text
        match, index = BESIDE.match(line), bisect_left(places, n)
        if match is None:
            continue
        head = _at(TurnHead(None, None, None, line[match.end() :].strip()), match)
        above = heads[places[index - 1]].start if index else 0
        below = heads[places[index]].start if index < len(places) else head.start
        if head.text and (above or 0) <= (head.start or 0) <= (below or 0):
            timed[n] = head
    return timed if 2 * len(timed) >= max(2 * LEAST, len(stamped)) else {}


def after_midnight(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Add a day to times of day after midnight, if the turns before them are shortly before it."""
    shifts = times_after_midnight([head.start for head in heads.values()])
    if shifts is None:
        return heads
    shifted = {}
    for (n, head), start in zip(heads.items(), shifts, strict=True):
        end = head.end
        if end is not None and start is not None and end < start:
            end += DAY
        shifted[n] = head._replace(start=start, end=end)
    return shifted


def times_after_midnight(times: Sequence[int | None]) -> list[int | None] | None:
    """Return the times with a day added to those after midnight; `None` if there are none."""
    known = [time for time in times if time is not None]
    steps = [n for n, (a, b) in enumerate(itertools.pairwise(known)) if b < EARLY and a >= LATE]
    if len(steps) != 1 or max(known) >= DAY or known[0] < DAY / 2:
        return None
    left = iter(range(len(known)))
    return [
        time if time is None else time + (DAY if next(left) > steps[0] else 0) for time in times
    ]


def without_separator(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the separator before texts (``—`` in ``0:12 — text``), if nearly all texts have it."""
    signs = Counter(
        match[0].strip() for head in heads.values() if (match := SEPARATOR.match(head.text))
    )
    sign, count = signs.most_common(1)[0] if signs else ("", 0)
    if len(heads) < LEAST or count < SEPARATED * sum(bool(head.text) for head in heads.values()):
        return heads
    return {
        n: head._replace(text=head.text.removeprefix(sign).lstrip(" \t\xa0"))
        if SEPARATOR.match(head.text)
        else head
        for n, head in heads.items()
    }


def with_first_words(
    pattern: str, heads: dict[int, TurnHead], text: TextLines
) -> dict[int, TurnHead]:
    """Return heads like ``Ann One thing:`` with the name ``Ann``, if most have no colon behind."""
    row = row_of(pattern)
    if row is None or not any(form.endswith("{speaker word} {text}") for form in row.patterns):
        return heads
    marked = {n: x for n, x in heads.items() if f"{x.name}:" in text.folded[n].text}
    bare = {head.name for n, head in heads.items() if n not in marked}
    parts = {n: (head.name or "").partition(" ") for n, head in marked.items()}
    if 2 * len(marked) >= len(heads):
        return heads
    return heads | {
        n: heads[n]._replace(name=first, text=f"{rest}: {heads[n].text}")
        for n, (first, _, rest) in parts.items() if rest and first in bare
    }  # fmt: skip


def names_of_texts(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Use the texts after times as names, if they are few names that repeat above other lines."""
    if len(heads) < LEAST or any(head.name or not head.text for head in heads.values()):
        return heads
    names = {head.text for head in heads.values()}
    if not NO_SPEAKERS.isdisjoint(name.upper() for name in names):
        return heads
    are_few = 2 * len(names) <= len(heads) or all(map(is_label, names))
    if not are_few or not all(map(_is_person, names)) or all(map(UNKNOWN.match, names)):
        return heads
    above = sum(text.is_filled[n + 1 : n + 2] == [True] and n + 1 not in heads for n in heads)
    if above < SEPARATED * len(heads):
        return heads
    return {n: x._replace(name=x.text.rstrip(": "), text="") for n, x in heads.items()}


def _is_capital(name: str) -> bool:
    """Return True if all words of a name have capitals, apart from particles inside it."""
    words = name.split()
    small = [word for word in words if word[:1].islower()]
    return PARTICLES.issuperset(small) and words[-1] not in small


def _is_person(text: str) -> bool:
    """Return True for a name, a generic name, or the signs for an unknown person."""
    return is_name(text) or is_label(text) or UNKNOWN.match(text) is not None


def with_bare_labels(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add lines with only the word of generic names (`Speaker`)."""
    if len(heads) < LEAST or any(head.text or head.start is not None for head in heads.values()):
        return heads
    words = {LABEL_NUMBER.sub("", head.name or "") for head in heads.values()}
    word = words.pop()
    if words or not word or not all(is_label(head.name or "") for head in heads.values()):
        return heads
    bare = {n: TurnHead(word, None, None, "") for n, x in enumerate(text.folded) if x.text == word}
    return dict(sorted({**bare, **heads}.items())) if bare else heads


def names_behind_labels(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Use the names in brackets behind generic names: ``Speaker1: (Ann) so it was``."""
    words = Counter(head.name or "" for head in heads.values())
    word, count = words.most_common(1)[0] if words else ("", 0)
    if count >= SEPARATED * len(heads) and is_label(f"{word} 1"):
        return {n: _with_number(head) for n, head in heads.items()}
    behind = {n: match for n, head in heads.items() if (match := NAME_BEHIND.match(head.text))}
    if len(behind) < max(LEAST, SEPARATED * len(heads)):
        return heads
    pairs = {(heads[n].name, match[1]) for n, match in behind.items()}
    labels = {label for label, _ in pairs}
    is_one = len(labels) == len(pairs) == len({name for _, name in pairs}) > 1
    if not is_one or not all(is_label(x or "") and is_name(name) for x, name in pairs):
        return heads
    names = dict(pairs)
    return {
        n: head._replace(
            name=names.get(head.name, head.name),
            text=head.text[behind[n].end() :] if n in behind else head.text,
        )
        for n, head in heads.items()
    }


def with_second_words(pattern: str, heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Take the words behind names into the names, if a blank alone ends these: ``○Chair Ann so``.

    So parliaments print a person's office and name, or the reverse. The words are names, of which
    few are different and nearly all return behind the same first word.
    """
    named = {n: head for n, head in heads.items() if head.name and head.text}
    if not pattern.endswith(BLANK_BEHIND) or len(named) < FEWEST_SECOND:
        return heads
    seconds = {n: head.text.partition(" ")[0] for n, head in named.items()}
    pairs = Counter((head.name or "", seconds[n]) for n, head in named.items())
    again = sum(
        count for (name, word), count in pairs.items() if count > 1 and is_name(f"{name} {word}")
    )
    are_brief = all(len(word) <= LONGEST_SECOND and word.isalpha() for _, word in pairs)
    are_few = len({word for _, word in pairs}) > 1 and 3 * len(pairs) <= len(named)
    are_titled = not any(word[0].islower() for _, word in pairs)
    if not are_brief or not are_few or not are_titled or again < SEPARATED * len(named):
        return heads
    return {
        n: head._replace(
            name=f"{head.name} {seconds[n]}", text=head.text[len(seconds[n]) :].lstrip()
        ) if n in named else head
        for n, head in heads.items()
    }  # fmt: skip


def _with_number(head: TurnHead) -> TurnHead:
    """Return a head with the number before its text as part of the name."""
    match = NUMBER_FIRST.match(head.text)
    if match is None:
        return head
    return head._replace(name=f"{head.name} {match[1]}", text=head.text[match.end() :])


def without_said(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Return the heads with ``said`` or ``says`` behind their names, without it.

    No text follows them, or all names have it.
    """
    said = {n: head for n, head in heads.items() if (head.name or "").endswith(VERBS)}
    names = {head.name for head in said.values()}
    are_alone = len(said) == len(heads) or not any(head.text for head in said.values())
    do_return = 2 * len(names) <= len(said) or len(said) == len(heads)
    if not are_alone or not do_return or len(said) < LEAST or names <= NO_ONE:
        return heads
    return {n: x._replace(name=(x.name or "")[: -len(VERBS[0])]) for n, x in said.items()}


def without_addressees(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Move the persons to whom somebody speaks from the names to the roles: ``Ann → Bob``.

    Nearly all names have one sign, or ``to`` before a name or ``Everyone``.
    """
    if not any(head.start is not None for head in heads.values()):
        return heads
    parts = {n: ADDRESSED.match(head.name or "") for n, head in heads.items() if head.name}
    addressed = {n: match for n, match in parts.items() if match is not None}
    names = {match["name"] for match in addressed.values()}
    spelt = [match["whom"] for match in addressed.values() if match["to"]]
    if len(addressed) < max(LEAST, SEPARATED * len(parts)) or not all(
        whom in names or whom.casefold() in EVERYBODY for whom in spelt
    ):
        return heads
    return {
        n: head._replace(name=match["name"], role=f"to {match['whom']}")
        if (match := addressed.get(n)) is not None
        else head
        for n, head in heads.items()
    }


def without_field_names(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the word ``Speaker:`` before the names of heads that have a time.

    >>> without_field_names({0: TurnHead("Speaker: Ann", 0, None, "")})[0].name
    'Ann'
    """
    return {
        n: head._replace(name=match[1])
        if head.start is not None and (match := NAME_FIELD.match(head.name or ""))
        else head
        for n, head in heads.items()
    }


def without_counts(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the turn numbers after names, as in ``Student (turn 12)``, if every name has one."""
    if len(heads) < LEAST:
        return heads
    names = [head.name or "" for head in heads.values()]
    if letters := _counted_letters(names):
        return {n: x._replace(name=letters.get(x.name or "", x.name)) for n, x in heads.items()}
    is_counted = COUNTED.search(names[0]) is not None
    found = [x for x in map((COUNTED if is_counted else ASKED).search, names) if x]
    if len(found) < len(names):
        return heads
    plain = [name[: x.start()] for name, x in zip(names, found, strict=True)]
    numbers = [int(x[1]) for x in found]
    if not is_counted and (len(set(plain)) < 2 or numbers != sorted(numbers)):
        return heads  # participants: `P1`, `P2`
    return {n: x._replace(name=name) for (n, x), name in zip(heads.items(), plain, strict=True)}


def _counted_letters(names: Sequence[str]) -> dict[str, str]:
    """Return the letters of names that count the turns of each speaker: ``T1``, ``C1``, ``T2``.

    There are several letters, each counts from one, and hardly any other name is there.
    """
    turns: dict[str, list[int]] = {}
    for name in dict.fromkeys(names):
        if counted := OF_TURN.match(name):
            turns.setdefault(counted[1], []).append(int(counted[2]))
    counted_turns = {x: n for x, n in turns.items() if n == [*range(n[0], n[0] + len(n))]}
    total = sum(map(len, counted_turns.values()))
    is_most = total >= max(2 * LEAST, SEPARATED * len({*names}))
    if len(counted_turns) < MOST_ALIKE or not is_most or min(map(len, turns.values())) < MOST_ALIKE:
        return {}
    return {f"{letter}{n}": letter for letter, numbers in counted_turns.items() for n in numbers}


def names_over_text(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the heads with a capitalised name that is above a text at least three times.

    Twice is enough if each name is a paragraph of its own, or if others are there three times. Once
    is enough if a name is above every paragraph, or has the form of the others: in capitals, or as
    many words, at least two. A sound may be above a name, and the head of the document above the
    first. The text above is over a name if a blank line is below the name and its role.
    """
    shown = [folded.text for folded in text.folded]
    pointed = {n: head.name or "" for n, head in heads.items() if shown[n] == f"{head.name}."}
    shown = [pointed.get(n, line) for n, line in enumerate(shown)]
    if with_program := chat_with_program(heads, text):
        return with_program
    heads = _with_names_behind(heads, shown)
    heads, roles = _without_roles(heads, text)
    first = _below_head(heads, shown)
    lines_under = {n: n + 2 if n + 1 in roles else n + 1 for n in heads}
    begin_texts = _beginnings(heads, lines_under, text)
    capital = {
        n: head for n, head in heads.items()
        if (n == first or n in begin_texts)
        and head.name and head.name not in ANSWERS
        and _is_capital(head.name)
        and len(shown[n]) <= LONGEST_LONE
    }  # fmt: skip
    size = len(text.lines)
    over = {
        n: head for n, head in capital.items()
        if text.is_filled[n + 1 : n + 2] == [True] and n + 1 not in roles
    }  # fmt: skip
    apart = {
        n: head for n, head in capital.items()
        if (m := lines_under[n]) + 1 < size and not text.is_filled[m] and m + 1 in text.is_first
        and m + 1 not in capital
    }  # fmt: skip
    chosen, least = (apart, 2) if len(apart) > len(over) else (over, LEAST)
    counts = Counter(head.name for head in chosen.values())
    others = over if chosen is apart else apart
    chosen = _with_known_alone(chosen, others, text)
    begin, last = min(chosen, default=0), max(chosen, default=0)
    if counts and counts[chosen[begin].name] == 1 and not is_person(chosen[begin].name or ""):
        del chosen[begin]  # the title of the document
        begin = min(chosen, default=0)
    end = next((n for n in range(last + 1, size) if text.is_filled[n]), last)
    paragraphs = {
        n for n in text.is_first - text.is_rule
        if begin <= n <= end and not SOUND_ALONE.match(shown[n])
    }  # fmt: skip
    texts = len(paragraphs) if others is apart else len(paragraphs - apart.keys())
    returning = sum(count for count in counts.values() if count > 1)
    if len(chosen) >= max(LEAST, SEPARATED * texts) and 3 * returning >= len(chosen):
        least = 1  # a name is above every paragraph
    # what is behind a name is its role, and the same each time
    lines = Counter(
        name for name, line in {(x.name, shown[n]) for n, x in chosen.items()} if line != name
    )
    known = _known_names(counts, least)
    chosen = {n: x._replace(role=_role_in(shown[n], x.name or "")) for n, x in chosen.items()}
    again = {
        n: x for n, x in chosen.items()
        if x.name in known
        and (lines[x.name] < 2 or shown[n] == x.name or _has_direction(x, shown, chosen))
    }  # fmt: skip
    with_role = {n for n, head in chosen.items() if shown[n] != head.name}
    if len(with_role & again.keys()) < LEAST:
        return again
    return {n: x for n, x in chosen.items() if n in again or (n in with_role and lines[x.name] < 2)}


def _has_direction(head: TurnHead, shown: Sequence[str], chosen: Mapping[int, TurnHead]) -> bool:
    """Return True for a name in capitals with a direction in brackets that is also alone."""
    name = head.name or ""
    is_remark = REMARK_OF_SCRIPT.search(f"{name} ({head.role})") is not None
    is_direction = name.isupper() and (is_remark or head.role[:1].islower())
    return is_direction and any(x.name == name and shown[n] == name for n, x in chosen.items())


def _with_known_alone(
    chosen: dict[int, TurnHead], others: Mapping[int, TurnHead], text: TextLines
) -> dict[int, TurnHead]:
    """Add the headings in Markdown that have a name which is often among the chosen ones."""
    counts = Counter(head.name for head in chosen.values())
    known = {
        n: head for n, head in others.items()
        if counts[head.name] >= LEAST and text.folded[n].text == head.name
        and text.folded[n].line[:1] in "#*"
    }  # fmt: skip
    return dict(sorted({**chosen, **known}.items())) if known else chosen


def chat_with_program(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the names alone of a person and of a program that answers, if they alternate.

    Nothing but a title is above the first one. Each may have a long text of many paragraphs.
    """
    turns = {
        n: head for n, head in heads.items()
        if (head.name or "").casefold() in ROLES_OF_CHATS and text.folded[n].text == head.name
    }  # fmt: skip
    names = [head.name or "" for head in turns.values()]
    are_two = len({*names}) == MOST_ALIKE
    if not are_two or ANSWERING.isdisjoint(map(str.casefold, names)):
        return {}
    above = sum(text.is_filled[: min(turns)])
    changes = sum(first != second for first, second in itertools.pairwise(names))
    is_chat = above <= MOST_ALIKE and changes >= SEPARATED * (len(names) - 1)
    return turns if is_chat else {}


def _known_names(counts: Mapping[str | None, int], least: int) -> set[str | None]:
    """Return the names that are above texts often enough, and others that have their form."""
    names = {name for name, count in counts.items() if count >= least}
    if names:
        names |= {name for name, n in counts.items() if n > 1 and _form_of(name or "") is not None}
    if len(names) < MOST_ALIKE:
        return names
    forms = {_form_of(name or "") for name in names}
    forms.discard(None)  # others may have fewer turns
    return {x for x, n in counts.items() if n > 1 or n >= least or _form_of(x or "") in forms}


def _without_roles(
    heads: dict[int, TurnHead], text: TextLines
) -> tuple[dict[int, TurnHead], set[int]]:
    """Return the heads without roles, and the positions of roles between names and blank lines.

    A role returns, and is nearly only directly below other names: ``ANN`` / ``MODERATOR`` / a
    blank line / a text, which may be as brief as a name.
    """
    alone: dict[str, set[int]] = {}
    for n, after in itertools.pairwise(text.filled):
        if n - 1 in heads and after > n + 1:
            alone.setdefault(text.folded[n].text, set()).add(n)
    counts = Counter(folded.text for folded in text.folded)
    roles = {
        n for line, places in alone.items()
        if counts[line] >= LEAST and len(places) >= SEPARATED * counts[line]
        and is_brief_line(line) for n in places
    }  # fmt: skip
    return {n: head for n, head in heads.items() if n not in roles}, roles


def _beginnings(
    heads: Mapping[int, TurnHead], lines_under: Mapping[int, int], text: TextLines
) -> set[int]:
    """Return the positions of heads that begin a paragraph or are below a line that ends one.

    `lines_under` maps each of them to the position below it and its role.
    """
    begun = Counter(head.name for n, head in heads.items() if n in text.is_first)
    return {
        n for n, head in heads.items()
        if n in text.is_first or n - 1 in text.is_rule
        or (n - 1 in text.is_first and SOUND_ALONE.match(text.folded[n - 1].text))
        or _is_below_sentence(n, lines_under[n], text)
        or (
            begun[head.name] > 1 and _is_title(n - 1, text)
            and (n - 1 not in heads or begun[heads[n - 1].name] == 1)
        )
    }  # fmt: skip


def _is_below_sentence(n: int, line_under: int, text: TextLines) -> bool:
    """Return True for a line directly below a sentence, if a blank line is below it or its role."""
    above = text.folded[n - 1].text if n else ""
    return (
        bool(above)
        and not is_brief_line(above)
        and not any(text.is_filled[line_under : line_under + 1])
    )


def _is_title(n: int, text: TextLines) -> bool:
    """Return True if a line begins a paragraph like a title: brief, and with a capital."""
    line = text.folded[n].text
    return n in text.is_first and line[:1].isupper() and is_brief_line(line)


def _role_in(line: str, name: str) -> str:
    """Return what a line has behind a name, or before a name in brackets."""
    if not line.startswith(name):
        return without_role(line)
    return line[len(name) :].strip(" -–—,()")


def _with_names_behind(heads: dict[int, TurnHead], shown: Sequence[str]) -> dict[int, TurnHead]:
    """Add the lines that end with a name of other lines in brackets: ``The Minister (Ann Ex)``."""
    names = {head.name for head in heads.values()}
    behind = {
        n: TurnHead(name, None, None, "") for n, line in enumerate(shown)
        if line[-1:] == ")" and len(line) <= LONGEST_LONE and (name := role_of(line)) in names
    }  # fmt: skip
    return dict(sorted({**heads, **behind}.items())) if behind else heads


def _below_head(heads: Mapping[int, TurnHead], shown: Sequence[str]) -> int:
    """Return the position of the first name that returns, if only titles and fields are above it.

    Otherwise return -1.
    """
    names = Counter(head.name for head in heads.values())
    for n, line in enumerate(shown[:MOST_OF_LIST]):
        if n in heads and names[heads[n].name] > 1:
            return n
        if line and not is_of_head(line):
            break
    return -1


def with_both_letters(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Return the heads without those of A if no Q occurs: ``A kitchen``.

    Reporters are often only a Q, and those who answer have names.
    """
    names = {head.name for head in heads.values()}
    if "A" not in names or "Q" in names:
        return heads
    return {n: head for n, head in heads.items() if head.name != "A"}


def _form_of(name: str) -> tuple[bool, int] | None:
    """Return the form of a name that no title of a part has by chance: capitals, several words."""
    words = name.split()
    if name.isupper():
        return True, 0
    return (False, len(words)) if len(words) > 1 and is_person(name) else None


def take_times(heads: dict[int, TurnHead]) -> None:
    """Use times at the beginning of texts as times of turns, if at least three texts have one."""
    times = {
        n: match for n, head in heads.items()
        if head.text[:1] in OPENING and (match := BRACKETED.match(head.text))
    }  # fmt: skip
    if len(times) >= LEAST:
        for n, match in times.items():
            heads[n] = _at(heads[n], match)._replace(text=heads[n].text[match.end() :])


def _at(head: TurnHead, match: re.Match[str]) -> TurnHead:
    """Return a head with the times that a pattern matched."""
    start, end = times_of(match)
    return head._replace(start=parse_stamp(start), end=parse_stamp(end) if end else None)


def with_names_in_brackets(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the heads whose name is in brackets before the colon among others: ``[Both]: yes``."""
    names = Counter(head.name for head in heads.values())
    if sum(count > 1 for count in names.values()) < MOST_ALIKE:
        return heads
    closed: dict[int, TurnHead] = {}
    for n, folded in enumerate(text.folded):
        notation = IN_BRACKETS.get(folded.line[:1])
        head = None if notation is None or n in heads else head_of(notation, folded)
        if head is not None and head.text and is_name(head.name or ""):
            closed[n] = head
    return dict(sorted({**heads, **closed}.items())) if len(closed) < len(heads) else heads


def with_identifiers(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add lines whose names have an identifier in brackets: ``the caller (id_12): so it was``.

    They return, and nearly all lines then begin turns.
    """
    matches = {
        n: match for n in text.filled
        if n not in heads and (match := WITH_IDENTIFIER.match(text.folded[n].line))
    }  # fmt: skip
    counts = Counter(match[1] for match in matches.values())
    found = {
        n: TurnHead(match[1], None, None, text.folded[n].line[match.end() :].strip())
        for n, match in matches.items() if counts[match[1]] > 1
    }  # fmt: skip
    if not found or len(heads) + len(found) < SEPARATED * len(text.filled):
        return heads
    return dict(sorted({**heads, **found}.items()))


def with_directions_first(
    pattern: str, heads: dict[int, TurnHead], text: TextLines
) -> dict[int, TurnHead]:
    """Add the heads of names that return, behind a direction: ``(Applause) Ann: thank you``."""
    names = Counter(head.name for head in heads.values())
    begun: dict[int, TurnHead] = {}
    for n, folded in enumerate(text.folded):
        may_begin = folded.line[:1] in BEFORE_NAME and n not in heads and n >= text.front
        if not may_begin or (direction := DIRECTION_FIRST.match(folded.line)) is None:
            continue
        head = head_of(pattern, fold(folded.line[direction.end() :]))
        if head is not None and head.text and names[head.name] > 1:
            begun[n] = head._replace(text=f"{direction[0].strip()} {head.text}")
    return dict(sorted({**heads, **begun}.items())) if begun else heads


def with_lost_colons(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add lines whose name has another sign than the colon of the others: ``Ann; so it was``.

    The name returns, and all but a few lines begin turns. The sign may be missing behind a name
    that has a number or no small letters.
    """
    counts = Counter(head.name for head in heads.values())
    again = [name for name, count in counts.items() if name and count >= LEAST and len(name) > 1]
    first = min(heads, default=0)
    others = [n for n in text.filled if n not in heads and n not in text.is_rule and n > first]
    if len(again) < MOST_ALIKE or len(others) > (1 - SEPARATED) * len(heads):
        return heads
    by_word: dict[str, list[str]] = {}
    for name in again:
        by_word.setdefault(name.split()[0], []).append(name)
    lost: dict[int, TurnHead] = {}
    for n in others:
        line = text.folded[n].line
        names = by_word.get(line.partition(" ")[0].rstrip(".;"), ())
        name = max((x for x in names if line.startswith(x)), key=len, default="")
        behind = COLON_LOST.match(line, len(name)) if name else None
        is_sure = any(map(str.isdigit, name)) or name == name.upper()
        if behind is not None and (behind["sign"] or is_sure) and not line[behind.end()].islower():
            lost[n] = TurnHead(name, None, None, line[behind.end() :])
    return dict(sorted({**heads, **lost}.items())) if lost else heads


def without_directions_alone(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Return the heads without directions behind names above their texts, if the names return."""
    counts = Counter(head.name for head in heads.values())
    return {
        n: head._replace(name=without_role(head.name), role=role_of(head.name))
        if head.name and head.name[-1] == ")" and not head.text
        and counts[without_role(head.name)] >= MOST_ALIKE
        else head
        for n, head in heads.items()
    }  # fmt: skip


def _plain_head(folded: Folded) -> TurnHead | None:
    """Return the head of a line whose name is not bold, or has only one of the signs around it."""
    is_broken = folded.line[: len(folded.text)].count("**") == 1
    return head_of(UNTIMED, Folded(folded.text, folded.text) if is_broken else folded)


def with_plain_names(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the heads whose name is not bold but occurs several times in bold heads.

    One of the signs around a name may be lost: ``Ann:** so``.
    """
    counts = Counter(head.name for head in heads.values())
    plain = {
        n: head for n, folded in enumerate(text.folded)
        if n not in heads and ":" in folded.text
        and (head := _plain_head(folded)) is not None and counts[head.name] > 1
    }  # fmt: skip
    return dict(sorted({**heads, **plain}.items())) if plain else heads
