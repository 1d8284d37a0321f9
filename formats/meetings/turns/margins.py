"""Lines at the margins of a document, which nobody speaks: dates, heads of pages, a last field."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from formats.detection.line_shapes import DATE_AND_TIME
from formats.meetings.turns.heads import CLOCK, CLOCK_ANYWHERE
from formats.meetings.turns.plain import LEAST, MOST_ALIKE, SEPARATED
from formats.reading.document_parts import are_credits
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.patterns import parse_stamp
from formats.reading.residue import lines_with_numbers
from formats.reading.speakers import DATE, HEAD_NAMES, is_label, is_name
from formats.schema import lazy_pattern

FIELD = lazy_pattern(
    r"[\W_]{0,4}(?P<name>[^\W\d_]{1,30}(?:[ ][^\W\d_]{1,30}){0,3})\W{0,2}:[*_]{0,2}[ ]{0,3}"
    r"(?P<value>\S.{0,30})\Z"
)
FOOT = lazy_pattern(
    r"[\W_]{0,4}(?P<name>[^\W\d_]{1,30}(?:[ ][^\W\d_]{1,30}){0,3})\W{0,2}:[*_]{0,2}[ ]{0,3}"
    r"(?P<value>\S.{0,120})\Z"
)
OF_FOOT = lazy_pattern(
    r"(?i)(?:channel|views?|likes|uploaded?|posted|transcri(?:bed|ber|ption)|edited|editor|produce[rd]"
    r"|credits?|music|copyright|license|licence|word count|words|kanal|aufrufe|canal|vistas|chaîne"
    r"|vues|durée|dauer|duración|duração)\b"
)
MOST_OF_FOOT = 12
"""A field at the end of a text, its name, and the most fields there."""
BEFORE_NICK = rf"(?:\[?(?:[0-9./-]{{6,10}}[T ])?{CLOCK}\]?[ ]{{1,9}})?"
NICK = lazy_pattern(rf"{BEFORE_NICK}<[ @+%&~]?([^<>\s]{{1,30}})>[ ]")
DONE = lazy_pattern(rf"{BEFORE_NICK}\*[ ]{{1,9}}(?P<nick>[^<>\s]{{1,30}})[ ]")
OF_CHAT = lazy_pattern(
    rf"{BEFORE_NICK}(?:(?:\*\*\*|-!-|-->|<--|={{3}})[ ]\S"
    r"|\*[ ]\S{1,30} (?:has )?(?:joined|left|quit|parted)\b)"
)
"""The name before a message in a chat, what a person does, and what the program tells."""
COUNT = lazy_pattern(r"[~≈]?[0-9][0-9.,:%]{0,20}(?:[ ]\w{1,12})?[\W_]{0,4}\Z")
"""A field, and the number that is its value: ``Word count: 312``."""
PAGE_MARK = lazy_pattern(
    r"[\W_]{0,4}(?:page|p\.|seite|p[áa]gina|pág\.?|strona)[ ]?[0-9]{1,4}"
    r"(?:[ ]?(?:of|/|von|de|di)[ ]?[0-9]{1,4})?"
    r"(?:[ ]?[,;.·|:–-]?[ ]?(?:lines?|l\.|zeilen?|lignes?|l[íi]neas?|linhas?|righ?[ae])"
    r"[ ]?[0-9]{1,4}(?:[–-][0-9]{1,4})?)?[\W_]{0,4}\Z",
    re.IGNORECASE,
)
"""A line that only tells a page, perhaps with a line of it: ``Page 2, Line 7``."""
EXAMINATION = lazy_pattern(
    r"(?:(?:(?:ORAL|REBUTTAL|OPENING|CLOSING)[ ])?(?:ARGUMENT|STATEMENT)S?[ ](?:OF|BY)"
    r"[ ][A-Z .,'-]{1,60}"
    r"|(?:ON BEHALF OF|FOR THE|SUPPORTING THE|AS AMICUS CURIAE)\b[A-Z .,'-]{0,70}"
    r"|(?:P R O C E E D I N G|C O N T E N T) S"
    r"|BY (?:MRS?|MS|DR|MISS|THE)\b\.?[ ][A-Z .'-]{1,40}:?"
    r"|(?:(?:FURTHER|CONTINUED)[ ])?(?:(?:DIRECT|CROSS|RE-?DIRECT|RE-?CROSS)[ -]?)?EXAMINATION"
    r"(?:[ ]\(?(?:CONTINUED|RESUMED)\)?)?(?: BY [A-Z .'-]{1,40})?:?)\Z"
)
"""A title of courts that tells who asks or argues from here on: ``BY MS. DOE:``."""
LOOKED_AT = 200
"""The first lines that show whether those of messages begin with dates."""
AROUND_DATE = " \t-–—─═=*_~"
DAY_WORD = lazy_pattern(
    r"(?:today|yesterday|heute|gestern|aujourd['’]hui|hier|hoy|ayer|hoje|ontem|oggi|ieri"
    r"|сегодня|вчера|今天|昨天|今日|昨日|오늘|어제|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\Z",
    re.IGNORECASE,
)
"""A word for a day that is a whole line."""
TIME_OF_SITTING = lazy_pattern(r"[(\[]?[0-9]{1,2}\.[0-9]{2}[ ]?[ap]\.?m\.?[)\]]?\Z")
"""A time of day as parliaments print it: ``3.30 pm``."""
TRACK = lazy_pattern(r"[VA][0-9]{1,2}, [0-9]{1,2}\Z")
"""A track of an editing program, below the times of its texts: ``V8, 1``."""
NUMBER = lazy_pattern(r"\W{0,3}[0-9]{1,5}\W{0,3}\Z")
NUMBER_IN_BRACKETS = lazy_pattern(r"[\[(][ ]?#?0[ ]?[\])][.:]?\Z")
RUNNING = lazy_pattern(
    r"(?:(?P<above>\S.{2,80}?)(?:[ ]{2,20}|\t|[ ][|·–-][ ])(?:[Pp]age[ ])?(?P<last>[0-9]{1,4})"
    r"|(?P<first>[0-9]{1,4})(?:[ ]{2,20}|\t|[ ][|·–-][ ])(?P<below>\S.{2,80}))\Z"
)
"""The head of a page with its number: ``Council of May   12``."""
BETWEEN_DASHES = lazy_pattern(r"[-–—~·*][ ]?0[ ]?[-–—~·*]\Z")
"""The form of a page number between signs: ``- 2 -``."""
HEAD_ENDS = " \t\xa0-–—|,:·•()[]@"
"""What may stand between a name and a time."""
MOST_LABELS = 4
"""The most frequent brief lines among which labels are looked for."""
FEWEST_LABELS, LONGEST_LABEL, LABELLED = 5, 40, 0.25
"""The fewest times that a label is above heads, its characters, and its share of the times."""
SHORTEST_PAGE = 5
"""The fewest lines from the head of a page to the next."""
LONGEST_HEAD, FEWEST_PAGES, FARTHEST, FARTHEST_PAGE = 100, 2, 2, 3
"""Characters of the head of a page, the fewest pages, and lines between it and its number, or the
mark of the page.
"""
CHAPTER = lazy_pattern(
    rf"(?:[-*•#>]{{1,6}}[ \t]{{1,4}})?[*_`\[(]{{0,4}}({CLOCK})[*_`\])]{{0,4}}"
    r"(?:[ \t]{0,4}[-–—:|]{1,2})?[ \t]{1,9}[^\W_].{0,90}\Z"
)
"""A time and the title of a chapter."""
TITLE_OF_CHAPTERS = lazy_pattern(
    r"\W{0,8}(?:chapters?|time ?stamps?|time ?codes?|timeline|(?:table of )?contents|kapitel|inhalt"
    r"|cap[íi]tulos|chapitres|capitoli|rozdzia[łl]y|главы|тайм-?коды|目录|章节|目次|챕터)\W{0,8}\Z",
    re.IGNORECASE,
)
MOST_ABOVE, MOST_CHAPTERS, SPARSE = 60, 0.25, 3
"""Lines at the top that may list chapters; chapters for each time, and how sparse they are."""
ITEM_FIRST = ("- ", "* ", "• ", "+ ")


def margins(texts: Sequence[str]) -> set[int]:
    """Return the positions of lines at the margins of a document."""
    are_dated = sum(DATE_AND_TIME.match(text) is not None for text in texts[:LOOKED_AT]) >= LEAST
    outside = {
        n for n, text in enumerate(texts)
        if (
            not are_dated and _may_be_date(text)  # the date of a message is before its name
            and (DATE.match(text) or TIME_OF_SITTING.match(text))
        )
        or EXAMINATION.match(text) or TRACK.match(text)
    }  # fmt: skip
    days = {n for n, text in enumerate(texts) if len(text) <= LONGEST_LABEL and is_day(text)}
    are_days = not are_dated and len({texts[n] for n in days}) >= MOST_ALIKE
    outside |= days if are_days else set()
    outside |= _heads_of_pages(texts) | _running_heads(texts) | labels_above_heads(texts)
    filled = [n for n, text in enumerate(texts) if text]
    outside |= _foot(texts, filled) | _notices(texts)
    field = FIELD.match(texts[filled[-1]]) if filled else None
    if field is not None and is_count(field["value"]):
        name, last = field["name"], filled[-1]
        is_alone = not any(texts[n].startswith(f"{name}:") for n in filled[:-1])
        if is_alone and not is_label(name) and last and not texts[last - 1]:
            outside.add(last)
    return outside


def chapters_in(texts: Sequence[str]) -> set[int]:
    """Return the positions of lists of chapters above and below speech: ``0:00 Intro``.

    The times of the speech begin again, and are closer to each other. A list with a title may be
    below speech without times.
    """
    size = len(texts)
    first = next((n for n in range(min(size, MOST_ABOVE)) if CHAPTER.match(texts[n].strip())), size)
    chapters: set[int] = set()
    for places in (range(first, size), range(size - 1, -1, -1)):
        listed = _chapters(texts, places)
        if len(listed) < LEAST:
            continue
        top = next((n for n in range(min(listed) - 1, -1, -1) if texts[n].strip()), -1)
        is_titled = top >= 0 and TITLE_OF_CHAPTERS.match(texts[top].strip()) is not None
        others = texts[max(listed) + 1 :] if places.step > 0 else texts[: min(listed)]
        if _are_chapters([*listed.values()], others, is_titled=is_titled):
            chapters |= {*listed, top} if is_titled else {*listed}
    return chapters


def _chapters(texts: Sequence[str], places: range) -> dict[int, int]:
    """Return the times of lines that are titles of chapters, up to any other line."""
    listed: dict[int, int] = {}
    last: int | None = None
    for n in places:
        text = texts[n].strip()
        chapter = CHAPTER.match(text)
        if not text or (not listed and not any(map(str.isalnum, text))):
            continue
        if chapter is None or text.endswith(SENTENCE_ENDS):
            break
        time = parse_stamp(chapter[1])
        if last is not None and (time - last) * places.step <= 0:
            break
        listed[n] = last = time
    return dict(sorted(listed.items()))


def _are_chapters(times: Sequence[int], others: Sequence[str], *, is_titled: bool) -> bool:
    """Return True if times are those of chapters, and those of the other lines are of speech."""
    clocks = (CLOCK_ANYWHERE.search(text, 0, LONGEST_HEAD) for text in others)
    starts = [parse_stamp(clock[0]) for clock in clocks if clock is not None]
    if len(starts) < LEAST:
        return is_titled and len(others) > len(times)
    span = max(starts) - min(starts)
    is_again = times[0] <= starts[-1] and min(starts) <= times[-1] <= max(starts)
    step = (times[-1] - times[0]) / (len(times) - 1)
    is_sparse = step >= SPARSE * span / (len(starts) - 1)
    return is_again and is_sparse and len(times) <= MOST_CHAPTERS * len(starts)


def is_count(text: str) -> bool:
    """Return True if a text is only a number, perhaps with its unit."""
    return COUNT.match(text) is not None


def _foot(texts: Sequence[str], filled: Sequence[int]) -> set[int]:
    """Return the positions of the fields in the last paragraph: ``Duration: 8:47``, ``Views: 312``.

    There are several, each once in the text, and most have names of fields or a number.
    """
    last = filled[-1] if filled else -1
    first = next((n + 1 for n in range(last, -1, -1) if not texts[n]), 0)
    fields = {n: FOOT.match(texts[n]) for n in range(first, last + 1)}
    if not first or not MOST_ALIKE <= len(fields) <= MOST_OF_FOOT:
        return set()
    if are_credits([texts[n] for n in fields]):
        return {*fields}
    if None in fields.values():
        return set()
    matches = [match for match in fields.values() if match is not None]
    names = {match["name"] for match in matches}
    again = any(text.startswith(f"{name}:") for text in texts[:first] for name in names)
    known = sum(
        HEAD_NAMES.match(match["name"]) is not None or OF_FOOT.match(match["name"]) is not None
        or is_count(match["value"])
        for match in matches
    )  # fmt: skip
    is_foot = not again and len(names) == len(fields) and 2 * known > len(fields)
    return {*fields} if is_foot else set()


def _notices(texts: Sequence[str]) -> set[int]:
    """Return the positions of what a program tells in a chat, and of what persons do there.

    Most other lines have names in angle brackets: ``<ann> so``, ``-!- bob has joined``, ``* ann
    waves``.
    """
    nicks = Counter(match[1] for text in texts if "<" in text and (match := NICK.match(text)))
    if nicks.total() < LEAST or 2 * nicks.total() < sum(map(bool, texts)):
        return set()
    actions = {n: match for n, text in enumerate(texts) if (match := DONE.match(text))}
    return {
        *(n for n, match in actions.items() if match["nick"] in nicks),
        *(n for n, text in enumerate(texts) if OF_CHAT.match(text)),
    }


def is_day(text: str) -> bool:
    """Return True if a line is only a date, or a word for a day as chats write: ``Yesterday``."""
    text = text.strip(AROUND_DATE)
    is_date = _may_be_date(text) and DATE.match(text) is not None
    return is_date or DAY_WORD.match(text) is not None


def _may_be_date(text: str) -> bool:
    return 5 < len(text) < 40 and any(map(str.isdigit, text))


def _heads_of_pages(texts: Sequence[str]) -> set[int]:
    """Return the positions of lines that tell pages: ``Page 2``, ``[12]``, ``2`` below a title."""
    pages: set[int] = set()
    numbers: dict[int, int] = {}
    forms = lines_with_numbers(
        (n, text) for n, text in enumerate(texts)
        if len(text) <= LONGEST_HEAD and (NUMBER.match(text) or PAGE_MARK.match(text))
    )  # fmt: skip
    for form, found in forms.items():
        is_counter = NUMBER_IN_BRACKETS.match(form) and len(found) >= LEAST
        is_counter = is_counter or (BETWEEN_DASHES.match(form) and len(found) >= FEWEST_PAGES)
        if any(map(str.isalpha, form)) or (is_counter and _do_count(found, SEPARATED)):
            pages |= found.keys()
        else:
            numbers |= found
    pages = pages if len(pages) >= FEWEST_PAGES else set()
    are_named = any(map(str.isalpha, "".join(texts[n] for n in pages)))  # ``Page 2``
    marked = _beside_each(texts, pages, FARTHEST_PAGE, may_lack=are_named) if pages else []
    pages = pages.union(*marked)
    numbers = dict(sorted(numbers.items()))
    if len(numbers) < FEWEST_PAGES or not _do_count(numbers, 1):
        return pages
    heads = _beside_each(texts, numbers, FARTHEST)
    return pages.union(*heads, numbers if heads else ())


def labels_above_heads(texts: Sequence[str]) -> set[int]:
    """Return the positions of what a page has above each name with a time, as ``user avatar``.

    A text is above the label, so that it is not all that somebody says. The time is behind the
    name or on the next line, and several names return.

    >>> page = ["well", "avatar", "Ann Ex 0:05", "so it was", "avatar", "Bob 0:09", "yes indeed"]
    >>> sorted(labels_above_heads(page * 3))
    [1, 4, 8, 11, 15, 18]
    """
    counts = Counter(
        text for text in texts
        if 0 < len(text) <= LONGEST_LABEL and text[-1].isalpha() and not any(map(str.isdigit, text))
    )  # fmt: skip
    likely = [x for x, count in counts.most_common(MOST_LABELS) if count >= FEWEST_LABELS]
    if not likely:
        return set()
    filled = [n for n, text in enumerate(texts) if text]
    shown = [texts[n] for n in filled]
    timed = [len(x) <= LONGEST_HEAD and CLOCK_ANYWHERE.search(x) is not None for x in shown]
    labels: set[int] = set()
    for label in likely:
        places = [n for n, text in enumerate(shown) if text == label]
        names = Counter(
            CLOCK_ANYWHERE.sub("", shown[n + 1]).strip(HEAD_ENDS)
            for n in places
            if n + 1 < len(shown) and any(timed[n + 1 : n + 3])
        )
        again = [name for name, again in names.items() if again > 1 and _is_speaker(name)]
        above = sum(n > 0 and not timed[n - 1] for n in places)
        is_most = 2 * sum(map(names.__getitem__, again)) >= len(places) >= LABELLED * sum(timed)
        are_over = names.total() >= SEPARATED * (len(places) - 1)
        if len(again) > 1 and is_most and are_over and above >= SEPARATED * (len(places) - 1):
            labels.update(filled[n] for n in places)
    return labels


def _is_speaker(name: str) -> bool:
    """Return True for a name or a generic name, and not for a date."""
    return is_label(name) or (is_name(name) and not any(map(str.isdigit, name)))


def _beside_each(
    texts: Sequence[str], pages: Collection[int], reach: int, *, may_lack: bool = False
) -> list[list[int]]:
    """Return the positions of each brief line that is beside all numbers of pages.

    With `may_lack`, nearly all are enough: the first page may have no head, and the last no foot.
    """
    neighbours: dict[str, list[int]] = {}
    for n in pages:
        for m in range(max(0, n - reach), min(len(texts), n + reach + 1)):
            if m != n and 0 < len(texts[m]) <= LONGEST_HEAD and m not in pages:
                neighbours.setdefault(texts[m], []).append(m)
    least: float = len(pages)
    if may_lack and least > LEAST:
        least = min(least - 1, SEPARATED * least)
    return [places for places in neighbours.values() if least <= len(places) <= len(pages)]


def _running_heads(texts: Sequence[str]) -> set[int]:
    """Return the positions of equal titles with page numbers, which are far from each other."""
    titles: dict[str, dict[int, int]] = {}
    for n, text in enumerate(texts):
        if (
            len(text) <= LONGEST_HEAD
            and text[-1:].isdigit() is not text[:1].isdigit()
            and (head := RUNNING.match(text))
        ):
            title, number = head["above"] or head["below"], head["last"] or head["first"]
            titles.setdefault(title, {})[n] = int(number)
    heads: set[int] = set()
    for found in titles.values():
        is_apart = all(b - a >= SHORTEST_PAGE for a, b in itertools.pairwise(found))
        if len(found) >= FEWEST_PAGES and is_apart and _do_count(found, 1):
            heads |= found.keys()
    return heads


def _do_count(numbers: Mapping[int, int], share: float) -> bool:
    """Return True if this share of numbers is one more than the number before."""
    steps = [b == a + 1 for a, b in itertools.pairwise(numbers.values())]
    return sum(steps) >= share * len(steps)


def are_notes(texts: Sequence[str]) -> bool:
    """Return True if these lines are a list with titles, and none is a sentence."""
    items = sum(text.startswith(ITEM_FIRST) for text in texts)
    others = [text for text in texts if text and not text.startswith(ITEM_FIRST)]
    return (
        items > 0
        and all(text.endswith(":") or text[:1] == "#" for text in others)
        and not any(text.endswith(SENTENCE_ENDS) for text in texts)
    )
