"""What lines begin with that is no word: numbers and signs of lists, names of speakers."""

from __future__ import annotations

import itertools
from collections import Counter

from formats.reading.speakers import is_label
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LABEL_WITHIN = lazy_pattern(
    r"(?<![^\W_])((?:SPEAKER|Speaker|speaker|PERSON|Person|VOICE|Voice|INTERVIEWER|Interviewer|MODERATOR"
    r"|Moderator|HOST|Host|GUEST|Guest)(?:[ _][0-9A-Z]{1,2})?):(?=[ \t])"
)
NAME_WITHIN = lazy_pattern(
    r"(?:(?<=[.?!…\"”] )|(?<=[.?!…]))[-–]?"
    r"([A-Z][A-Za-z.'-]{1,20}(?: [A-Z][A-Za-z.'-]{0,20}){0,2}):(?=[ ]|[A-Z](?:[a-z]|[ ]))"
)
UNSPACED_WITHIN = lazy_pattern(
    r"(?<=[.?!。？！…”」])[ ]?([\u3400-\u9fff]{1,4}|[\u30a1-\u30fc]{2,8}|[\uac00-\ud7af]{2,4})[:：]"
)
"""A name with a colon behind a sentence, with capitals, or in Chinese, Japanese or Korean."""
FEWEST_WITHIN, FEWEST_OF_NAME, FEWEST_OF_ONE = 2, 3, 10
"""The fewest generic names inside lines that are reported, and how often other names return, or a
single one.
"""
LETTER_FIRST = lazy_pattern(r"([A-Z]{1,4}[0-9]{0,2})[ \t]+(?![(\[][^()\[\]\n]{1,60}[)\]][:：])\S")
POINT_BEHIND = lazy_pattern(
    r"((?:(?:[A-Z]|Mrs?|Ms|Dr|Mme|Mlle|Sra?|Hr|Fr)\. )?"
    r"[^\W\d_][^\W\d_]{1,14}(?: [^\W\d_][^\W\d_]{1,14}){0,2}(?: ?[0-9]{1,2})?)\."
    r"(?= +\S|\Z)"
)
SHARE_OF_POINTS = 0.1
"""A name with a point at the beginning of a line, and the least share of such lines."""
TITLE_FIRST = lazy_pattern(
    r"[A-Z][\w.'’-]{1,20}(?: (?:(?:of|for|and|the|de|von|&) )?[A-Z][\w.'’-]{0,20}){0,3}"
    r"(?:, [A-Z][^,.:;?!\n]{2,60}?)??(?= [A-Z])"
)
"""Capitalised words at the beginning of a line, perhaps with a role, before another capital."""
SHARE_OF_UNMARKED, LONGEST_ROLE = 0.05, 8
"""The least share of lines with such names, and the most words of a name with its role."""
CHAIRS = frozenset(("Operator", "Moderator", "Interviewer", "Host", "Chair", "Facilitator"))
LETTER_WORDS = frozenset("AIOEYUV")
"""Letters that are words of some language."""
SHARE_OF_LETTERS = 0.6
NUMBERED = lazy_pattern(r"([0-9]{1,6})(?:([.)、．])[ \t]*(?![0-9])|[ \t]+)\S")
FEWEST_NUMBERED, SHARE_OF_NUMBERED, STEPS, STEPS_OF_BARE = 3, 0.02, 0.5, 0.9
"""The fewest numbers of a list, their share of the lines, and how many are one more than the last,
with a sign behind them and without."""
DASH_FIRST = r"(?:[–—](?=[\"“«¿¡…]?[^\W\d_])|-(?=[\"“«¿¡…]?[A-Z\u00c0-\u00de\u0410-\u042f]))"
"""The dash of another speaker directly before a text."""
STAR_FIRST = r"[*•](?=[^\W\d_][^*\n]{9,4000}\Z)"
"""The sign of an item directly before its text, which no other star ends."""
SIGN_FIRST = lazy_pattern(
    rf"(?:[-*+>•‣◦▪●–—]{{1,3}}|->|\[[ xX]?\])(?=[ \t\xa0])|{DASH_FIRST}|{STAR_FIRST}"
)
ANSWER = lazy_pattern(r"[-–—][ \t]?[^\W\d_]")
FEWEST_ANSWERS, SHARE_OF_ANSWERS = 4, 0.9
"""A dash before an answer, the fewest, and the share of lines that differ in it from the last."""
LIST_SIGNS = frozenset("-*+>[•‣◦▪●–—")
SHARE_OF_SIGNS = 0.1
PART_FIRST = lazy_pattern(r"(?:\([^()\n]{1,30}\)|[\w'’-]+)(?= )")
FEWEST_BEGINNINGS, SHARE_OF_PARTS, SHARE_OF_WORD = 8, 0.5, 0.9
"""The fewest texts that begin alike, and their share if they begin with brackets or with a word."""


def names_within(lines: Iterable[str]) -> list[str]:
    """Return the names with a colon inside lines: generic names, and others that return."""
    text = " ".join(lines)
    if ":" not in text and "：" not in text:
        return []
    names = [f"{match[1]}:" for match in LABEL_WITHIN.finditer(text) if is_label(match[1])]
    if len(names) >= FEWEST_WITHIN:
        return names
    within = (*NAME_WITHIN.finditer(text), *UNSPACED_WITHIN.finditer(text))
    counts = Counter(f"{match[1]}:" for match in within)
    again = [name for name, count in counts.items() if count >= FEWEST_OF_NAME]
    is_enough = len(again) > 1 or any(counts[name] >= FEWEST_OF_ONE for name in again)
    return [name for name in again for _ in range(counts[name])] if is_enough else []


def letters_first(lines: Sequence[str]) -> list[str]:
    """Return the letters or short codes with which most lines begin, as in some notations."""
    if len(lines) < FEWEST_NUMBERED:
        return []
    letters = [match[1] for line in lines if (match := LETTER_FIRST.match(line))]
    counts = Counter(letters)
    is_most = len(letters) >= max(FEWEST_NUMBERED, SHARE_OF_LETTERS * len(lines))
    are_speakers = len(counts) <= FEWEST_NUMBERED and not LETTER_WORDS.issuperset(counts)
    return letters if is_most and are_speakers else []


def names_with_point(lines: Sequence[str]) -> list[str]:
    """Return the names with a point that begin lines, as the speakers of plays.

    Names return, and are nowhere written in small letters, unlike ``Yes.``.
    """
    if len(lines) < FEWEST_BEGINNINGS:
        return []
    names = [match[1] for line in lines if (match := POINT_BEHIND.match(line))]
    names = [name for name in names if all(word[0].isupper() for word in name.split())]
    counts = Counter(names)
    words = {word for line in lines for word in line.split() if word[:1].islower()}
    words = {word.rstrip(".,;:!?") for word in words}
    again = {x for x, n in counts.items() if n >= FEWEST_OF_NAME and x.lower() not in words}
    found = [name for name in names if name in again]
    is_enough = len(found) >= max(FEWEST_BEGINNINGS, SHARE_OF_POINTS * len(lines))
    return found if len(again) >= FEWEST_OF_NAME and is_enough else []


def names_unmarked(lines: Sequence[str]) -> list[str]:
    """Return the names without a sign that begin lines of calls, one of which is of a chair.

    What lines with the same first word have in common is the name, perhaps with a role behind it.
    Each line goes on with a capital.
    """
    groups: dict[str, list[list[str]]] = {}
    for line in lines:
        if TITLE_FIRST.match(line) is not None:
            words = line.split(None, LONGEST_ROLE + 1)
            groups.setdefault(words[0], []).append(words)
    if not any(len(groups.get(chair, ())) >= FEWEST_OF_NAME for chair in CHAIRS):
        return []
    names = {
        first: first if first in CHAIRS else _shared_name(rows)
        for first, rows in groups.items() if len(rows) > 1
    }  # fmt: skip
    names = {first: name for first, name in names.items() if first in CHAIRS or " " in name}
    speakers = [
        names[first] for line in lines
        if (first := line.partition(" ")[0]) in names and line.startswith(names[first])
    ]  # fmt: skip
    return speakers if len(speakers) >= max(FEWEST_OF_NAME, SHARE_OF_UNMARKED * len(lines)) else []


def _shared_name(rows: Sequence[Sequence[str]]) -> str:
    """Return the words with which all rows begin, if capitals follow them; otherwise nothing."""
    columns = zip(*(row[:LONGEST_ROLE] for row in rows), strict=False)
    shared = [
        column[0] for column in itertools.takewhile(lambda words: len(set(words)) == 1, columns)
    ]
    is_name = all(row[len(shared)][:1].isupper() for row in rows if row[len(shared) :])
    is_name = is_name and any(len(row) > len(shared) for row in rows)
    return " ".join(shared) if is_name else ""


def numbers_first(lines: Sequence[str]) -> list[str]:
    """Return the numbers of a list whose items begin lines, if most are one more than the last."""
    numbered = (line for line in lines if line[:1].isdigit())
    matches = [match for line in numbered if (match := NUMBERED.match(line))]
    marked = [match for match in matches if match[2]]
    for items in (matches, marked):
        steps = sum(int(b[1]) == int(a[1]) + 1 for a, b in itertools.pairwise(items))
        least = STEPS if len(items) == len(marked) else STEPS_OF_BARE
        is_list = len(items) >= max(FEWEST_NUMBERED, SHARE_OF_NUMBERED * len(lines))
        if is_list and steps >= least * (len(items) - 1):
            return [match[1] + (match[2] or "") for match in items]
    return []


def signs_first(lines: Sequence[str]) -> list[str]:
    """Return the signs with which some lines begin, as the items of lists do."""
    signed = (line for line in lines if line[:1] in LIST_SIGNS)
    signs = [match[0] for line in signed if (match := SIGN_FIRST.match(line))]
    return signs if len(signs) >= max(FEWEST_NUMBERED, SHARE_OF_SIGNS * len(lines)) else []


def beginnings_of(texts: Sequence[str]) -> list[str]:
    """Return what most texts begin with: parts in round brackets, numbers that count, or a word."""
    firsts = [match[0] for text in texts if (match := PART_FIRST.match(text))]
    parts = [first for first in firsts if first[0] == "("]
    if len(parts) >= max(FEWEST_BEGINNINGS, SHARE_OF_PARTS * len(texts)):
        return parts
    numbers = numbers_first(texts)
    if len(numbers) >= max(FEWEST_BEGINNINGS, SHARE_OF_WORD * len(texts)):
        return numbers
    (first, count), *_ = Counter(firsts).most_common(1) or [("", 0)]
    is_same = count >= max(FEWEST_BEGINNINGS, SHARE_OF_WORD * len(texts))
    return [first] * count if is_same else []


def answers_with_dashes(lines: Sequence[str]) -> list[str]:
    """Return the lines that begin with a dash if each is below a line without one, as answers are.

    >>> answers_with_dashes(["Is it late?", "- No.", "Is it open?", "- Yes, it is."] * 2)[:1]
    ['- No.']
    >>> answers_with_dashes(["- So it was.", "- No.", "Then we went home.", "- Yes."] * 2)
    []
    """
    are_answers = [ANSWER.match(line) is not None for line in lines]
    changes = sum(first != second for first, second in itertools.pairwise(are_answers))
    answers = list(itertools.compress(lines, are_answers))
    do_alternate = (
        bool(lines) and changes >= SHARE_OF_ANSWERS * (len(lines) - 1) and not are_answers[0]
    )
    return answers if len(answers) >= FEWEST_ANSWERS and do_alternate else []
