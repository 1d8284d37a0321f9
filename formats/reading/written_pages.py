"""Documents that nobody speaks: pages, forms, notes, minutes, outlines.

Their signs are few kinds of lines: titles, items of lists, links, fields, arrows. Readers of plain
text warn if a text has them.
"""

from __future__ import annotations

from formats.reading.residue import (
    ENDS,
    FEWEST,
    LONGEST_LINE,
    MOST_OF_ITEM,
    SHARE_OF_ENTRIES,
    Residue,
)
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHARE_OF_DEEP = 0.5
"""The share of lines that are indented in an outline."""
FEWEST_DEPTHS, SHARE_OF_BLANKS, SHARE_OF_SENTENCES, WIDTH_OF_TAB = 3, 0.4, 0.3, 4
"""The depths of an outline with blanks, the share of its lines that are indented, and the largest
share of its lines that end a sentence.
"""
ENDS_OF_SENTENCES = frozenset(".?!…。？！")
FEWEST_LISTED, SHARE_OF_SMALL = 4, 0.6
"""The fewest items of a list that is a whole text, and the share of those with a small letter."""
ON_PAGE = lazy_pattern(
    r"#{1,6} |[-*+] |[0-9]{1,3}[.)] |[|>] ?|```|\[?!\["
    r"|.{0,400}(?:\]\([^()\s]{1,300}\)|`[^`]{1,80}`|<kbd>)"
)
"""What lines of a page in Markdown begin with or have: a heading, an item, a link, code."""
CODE_INSIDE = lazy_pattern(r"`[^`]{1,80}`")
FEWEST_ON_PAGE, FEWEST_OF_SITE, SHARE_OF_PAGE = 3, 5, 0.5
"""The fewest headings, the fewest links and parts with code, and the share of such lines."""
ITEM_FIRST = lazy_pattern(r"\s{0,20}(?:[-*+•◦▪●–][ \t]|[0-9]{1,3}[.)][ \t])")
NUMBER_FIRST = lazy_pattern(r"\s{0,20}([0-9]{1,3})[.)]")
HEADING_SIGNS = lazy_pattern(r"[#\W\d]{1,20}")
"""What is before the words of a heading: its sign, a number, a picture."""
FEWEST_ITEMS, SHARE_OF_ITEMS, MOST_OF_ITEMS = 5, 0.5, 0.7
"""An item of a list, the fewest items in notes, and their share of the lines, below several titles
and below one.
"""
LINK = lazy_pattern(r"<a [^<>]{0,300}>")
POINTS, FEWEST_POINTS, SHARE_OF_POINTS = frozenset("•◦▪●*"), 10, 0.9
"""Signs of points, which no dialogue has, the fewest of them and their share of the lines."""
FILLED = lazy_pattern(
    r"(?=[^:：\n]{0,200}[ (/-][a-z\u00df-\u00ff])[^:：?？\n]{3,300}[:：][ \t]?"
    r"(?i:yes|no|n/a|ja|nein|oui|non|sí|não)\Z"
)
LABELLED = lazy_pattern(r"[ \t]{0,9}(?=[^\W\d_])([^:：.?!\n]{2,60}?)[ ]{0,2}[:：](?=[ \t]\S|\Z)")
FEWEST_LABELS, SHARE_OF_LABELS = 4, 0.6
"""What is before a colon at the beginning of a line, the fewest lines with one, and their share."""
SHARE_OF_FILLED = 0.2
"""A statement with an answer behind a colon, and the least share of such lines on a form."""
FIELD = lazy_pattern(
    r"\W{0,4}([^\W\d_][^:：\n]{2,40}?)(?: (?:discussed|agreed|noted|assigned|identified|taken))?"
    r"[*_]{0,2}[:：](?:[ *_]|\Z)"
)
OF_MEETING = lazy_pattern(
    r"(?i)(?:attendees|participants|present|absent|apologies|agenda|next meeting|minutes(?: by)?"
    r"|teilnehmer(?:innen)?|anwesend|asistentes|participantes|partecipanti|присутствовали)\Z"
)
SHARE_OF_FIELDS = 0.1
"""The name of a field, the names of those of a meeting, and their least share of the lines."""
UNSPACED_FIELD = lazy_pattern(
    r"[^\w\n]{0,4}(?P<name>(?:会议|會議)?(?:"
    r"(?P<part>内容|內容|议题|議題|议程|議程|纪要|紀要|记录|記錄|決定事項|决议|決議|안건"
    r"|회의 ?내용|결정 ?사항|논의 ?내용)"
    r"|时间|時間|地点|地點|日期|日時|場所|主题|主題|主持人?|记录人|記錄人|일시|장소|참석자"
    r"|(?:参会|參會|与会|參加|参加|出席|缺席|欠席)(?:人员|人員|者)|出席|缺席"
    r"))[^\w\n:：]{0,4}[:：]"
)
"""Such a field in Chinese, Japanese or Korean; a `part` is one of what was talked about."""
ARROW = lazy_pattern(r"[\u2190-\u2193\u21d0-\u21d4\u279c\u2794]|(?<!\S)(?:->|=>|<-)(?!\S)")
KIND_OF_FILE = lazy_pattern(
    r"(?i)(?:type|kind|category|layout|template):[ ]?[\"']?"
    r"(?:(?:literature|permanent|meeting|book)[ -]?)?"
    r"(?:note|insight|summary|concept|idea|definition|guide|tutorial|faq|doc|documentation|zettel"
    r"|takeaway|highlight|prompt|agent|skill|checklist|report|recipe|glossary)s?[\"']?\s{0,9}\Z"
)
LONGEST_FRONT = 30
"""A field of front matter with a kind of files that nobody speaks, and the lines with fields."""
FEWEST_ARROWS, SHARE_OF_ARROWS = 3, 0.1
"""An arrow, the fewest lines with one, and their least share of the lines."""
GAP_TO_FILL = lazy_pattern(r"(?<!\w)_{2,40}(?!\w)")
FEWEST_GAPS, SHARE_OF_GAPS = 4, 0.2
"""A gap in which a word is to be written, the fewest lines with one, and their share."""
NAME_OF_CODE = lazy_pattern(
    r"(?=[^\s]{0,60}[a-z])[A-Za-z][A-Za-z0-9]{1,40}(?:_[A-Za-z0-9%]{1,40}){1,9}:?\Z"
)
"""A name with lines below between its words, as the parts of programs have."""
ONE_OF_ROLL = lazy_pattern(
    r"[^\W\d_a-z][\w'’.-]{0,30}(?: (?:d[aeiou]s?|v[ao]n|d?e[lr]|[^\W\d_a-zß-ÿ][\w'’.-]{0,30})){0,2}"
    r" [^\W\d_a-zß-ÿ][\w'’-]{0,30}(?:[ ]?\([^()\n]{1,40}\))?,?\Z"
)
FEWEST_OF_ROLL, SHARE_OF_ROLL = 4, 0.6
"""A name of a list below its title, the fewest of them, and their share of the lines."""


def document_of(lines: Sequence[str]) -> Residue | None:
    """Return what shows that lines are a document that nobody speaks; `None` for other texts."""
    return (
        sheet_of(lines)
        or minutes_of(lines)
        or page_of(lines)
        or form_of(lines)
        or fields_of(lines)
        or notes_of(lines)
        or exercise_of(lines)
        or roll_of(lines)
        or names_of_code(lines)
    )


def outline_of(lines: Sequence[str]) -> Residue | None:
    r"""Return the indented lines if they are half, and have several depths, as outlines.

    With blanks, there are three depths, and the lines are brief and hardly end sentences.

    >>> residue = outline_of(["Menu", *["\tPay", "\t\tBy card"] * 3])
    >>> residue and residue.count
    6
    """
    filled = [line for line in lines if line.strip()]
    indented = [line for line in filled if line[0] == "\t"]
    depths = {len(line) - len(line.lstrip("\t")) for line in indented}
    is_outline = len(depths) > 1 and len(indented) >= max(FEWEST, SHARE_OF_DEEP * len(filled))
    if is_outline:
        return Residue("outline", len(indented), len(filled), indented[0])
    indented = [line for line in filled if line[0] in " \t"]
    return (
        Residue("outline", len(indented), len(filled), indented[0].strip())
        if _has_depths(indented, filled)
        else None
    )


def _has_depths(indented: Sequence[str], lines: Sequence[str]) -> bool:
    """Return True if many brief lines are indented to several depths, all multiples of the least.

    >>> lines = ["Hall", "    table", "        red lamp", "            bulb", "    chair", "Yard"]
    >>> _has_depths([line for line in lines if line[0] == " "] * 2, lines * 2)
    True
    """
    wide = [line.expandtabs(WIDTH_OF_TAB) for line in indented]
    depths = {len(line) - len(line.lstrip()) for line in wide}
    least = min(depths, default=1)
    ended = sum(line.rstrip()[-1] in ENDS_OF_SENTENCES for line in lines)
    return (
        least > 1 and len(depths) >= FEWEST_DEPTHS
        and all(depth % least == 0 for depth in depths)
        and len(indented) >= max(FEWEST, SHARE_OF_BLANKS * len(lines))
        and ended <= SHARE_OF_SENTENCES * len(lines)
        and sum(len(line.split()) for line in lines) <= MOST_OF_ITEM * len(lines)
    )  # fmt: skip


def sheet_of(lines: Sequence[str]) -> Residue | None:
    """Return the items of lists if they are half of the lines, and titles or numbers are above.

    >>> notes = ["1. What is a stack?", "- a list", "- with one end"]
    >>> residue = sheet_of([*notes, "2. And a queue?", "- a list", "- with two ends"])
    >>> residue and residue.count
    6
    >>> sheet_of(["- So it was.", "- No.", "- Yes.", "- Well."] * 3)
    """
    links = [line for line in lines if "<a " in line and LINK.search(line)]
    if len(links) >= max(FEWEST, SHARE_OF_ENTRIES * len(lines)):
        return Residue("links", len(links), len(lines), links[0][:LONGEST_LINE])
    items = [line for line in lines if ITEM_FIRST.match(line)]
    if len(items) >= SHARE_OF_ENTRIES * len(lines) and _are_unsaid(items):
        return Residue("items", len(items), len(lines), items[0])
    if _are_listed(items, len(lines)):
        return Residue("listed", len(items), len(lines), items[0])
    if _are_points(items, len(lines)):
        return Residue("items", len(items), len(lines), items[0])
    if len(items) < max(FEWEST_ITEMS, SHARE_OF_ITEMS * len(lines)):
        return None
    numbered = sum(line.lstrip()[:1].isdigit() for line in items)
    titles = sum(line[:1] == "#" or line.rstrip("*_ ")[-1:] in (":", "：") for line in lines)
    is_mixed = min(numbered, len(items) - numbered) > 1
    is_titled = titles > 1 or (titles and len(items) >= MOST_OF_ITEMS * len(lines))
    return Residue("sheet", len(items), len(lines), items[0]) if is_mixed or is_titled else None


def page_of(lines: Sequence[str]) -> Residue | None:
    """Return the lines with headings, items, links, pictures and code if they are half of a page.

    >>> part = ["## Setting up", "![Map](a.png)", "- Press `x` to save", "Then it is done."]
    >>> residue = page_of(part * 5)
    >>> residue and residue.count
    15
    >>> page_of(["# A talk", "So it was.", "We went on."] * 4)
    >>> residue = page_of(["# `cd`", "It goes to a folder.", "## `ls`", "It lists files."])
    >>> residue and residue.count
    2
    """
    headings = [line for line in lines if line[:1] == "#" and ON_PAGE.match(line)]
    if len(headings) > 1 and all(map(CODE_INSIDE.search, headings)):
        return Residue("page", len(headings), len(lines), headings[0])
    if len(headings) < FEWEST_ON_PAGE:
        return None
    signed = [line for line in lines if ON_PAGE.match(line)]
    of_site = sum(sign in line for line in signed for sign in ("](", "`", "<kbd>"))
    is_page = of_site >= FEWEST_OF_SITE and len(signed) >= SHARE_OF_PAGE * len(lines)
    return Residue("page", len(signed), len(lines), headings[0]) if is_page else None


def form_of(lines: Sequence[str]) -> Residue | None:
    """Return the lines with several words and yes or no behind a colon, as on forms.

    >>> residue = form_of(["The van is clean: YES", "The road is open: NO", "We pay: no"] * 2)
    >>> residue and residue.count
    6
    >>> form_of(["Ann: Yes", "Ben: No.", "Ann: yes"] * 4)
    """
    filled = [line for line in lines if FILLED.match(line)]
    are_many = len(filled) >= max(FEWEST, SHARE_OF_FILLED * len(lines))
    return Residue("form", len(filled), len(lines), filled[0]) if are_many else None


def fields_of(lines: Sequence[str]) -> Residue | None:
    """Return the lines that begin with the name of a field, if all names differ and half are terms.

    A term has several words, and not all have capitals, unlike the name of a person.

    >>> form = ["Chosen topic: bridges", "Kind of text: letter", "Reason: work", "Source of it: a"]
    >>> residue = fields_of(form)
    >>> residue and residue.count
    4
    >>> fields_of(["Ann: So.", "Ben Ex: No.", "The Chair: Yes.", "Carla: Well."])
    >>> fields_of(["Man in hat: So.", "Man in hat: No."] * 4)
    """
    labels = [match[1] for line in lines if (match := LABELLED.match(line))]
    terms = sum(any(map(str.islower, label.split()[1:])) for label in labels)
    are_many = len(labels) >= max(FEWEST_LABELS, SHARE_OF_LABELS * len(lines))
    if not are_many or len(set(labels)) < len(labels) or 2 * terms < len(labels):
        return None
    return Residue("fields", len(labels), len(lines), f"{labels[0]}:")


def minutes_of(lines: Sequence[str]) -> Residue | None:
    """Return the titles of the parts of minutes: half of all headings, or several of plain text.

    In plain text, they are in front of a colon, and no sentences are below most of them.

    >>> residue = minutes_of(["# Meeting", "## Summary", "It was so.", "## Action items", "- No"])
    >>> residue and residue.count
    2
    >>> residue = minutes_of(["Attendees: Ann, Ben", "Action items agreed:", "1. Ann calls Ben."])
    >>> residue and residue.count
    2
    >>> residue = minutes_of(["时间：5月4日", "内容：讨论桥的修建", "大家同意。"])
    >>> residue and residue.text
    '时间：'
    >>> minutes_of(["Summary: so it was.", *["And so we went on, down the river."] * 20])
    """
    from formats.reading.speakers import MINUTES_NAMES

    headings = [line for line in lines if line[:1] == "#"]
    titles = [HEADING_SIGNS.sub("", line, count=1).rstrip(":*_ ") for line in headings]
    parts = [title for title in titles if MINUTES_NAMES.match(title)]
    if len(parts) > 1 and 2 * len(parts) >= len(headings):
        return Residue("minutes", len(parts), len(lines), parts[0])
    fields = [match[1] for line in lines if (match := FIELD.match(line))]
    parts = [field for field in fields if MINUTES_NAMES.match(field)]
    parts += [field for field in fields if OF_MEETING.match(field)]
    is_much = len(set(map(str.casefold, parts))) > 1 and any(map(MINUTES_NAMES.match, parts))
    if is_much and len(parts) >= SHARE_OF_FIELDS * len(lines):
        return Residue("minutes", len(parts), len(lines), f"{parts[0]}:")
    unspaced = [match for line in lines if (match := UNSPACED_FIELD.match(line))]
    is_much = len({match["name"] for match in unspaced}) > 1 and any(x["part"] for x in unspaced)
    if is_much and len(unspaced) >= SHARE_OF_FIELDS * len(lines):
        return Residue("minutes", len(unspaced), len(lines), unspaced[0][0])
    return None


def notes_of(lines: Sequence[str]) -> Residue | None:
    """Return the lines with arrows if several have one, or what a file calls itself above its text.

    >>> residue = notes_of(["---", "type: insight", "title: The bridge", "---", "So it was."])
    >>> residue and residue.text
    'type: insight'

    >>> residue = notes_of(["bridge → closed?", "⇒ ask Ann", "roads -> Ben", "river", "boats"])
    >>> residue and residue.count
    3
    >>> notes_of(["So it was.", "0:12 --> 0:15", "Press -> to go on.", "Well.", "Oh."])
    """
    if lines and lines[0] == "---":
        kinds = [line for line in lines[:LONGEST_FRONT] if KIND_OF_FILE.match(line)]
        if kinds:
            return Residue("kind", 1, len(lines), kinds[0])
    arrows = [line for line in lines if ARROW.search(line)]
    are_many = len(arrows) >= max(FEWEST_ARROWS, SHARE_OF_ARROWS * len(lines))
    return Residue("arrows", len(arrows), len(lines), arrows[0]) if are_many else None


def exercise_of(lines: Sequence[str]) -> Residue | None:
    """Return the lines with gaps to fill in, if several have one, as in exercises and on forms.

    >>> residue = exercise_of(["Why did ___ leave?", "Where is ___?", "Has ____ come?", "___ is"])
    >>> residue and residue.count
    4
    >>> exercise_of(["my_road is __init__", "so it was ____", *["And so on."] * 9] * 4)
    """
    gaps = [line for line in lines if "__" in line and GAP_TO_FILL.search(line)]
    gaps = [line for line in gaps if any(map(str.isalpha, line))]
    are_many = len(gaps) >= max(FEWEST_GAPS, SHARE_OF_GAPS * len(lines))
    return Residue("gaps", len(gaps), len(lines), gaps[0]) if are_many else None


def roll_of(lines: Sequence[str]) -> Residue | None:
    """Return the names below a line with a colon, if they are most lines, as in a list of guests.

    >>> residue = roll_of(["At the meeting were:", "Ann Ex", "Ben de Roe", "Carla Wu", "Dan Ey"])
    >>> residue and residue.count
    4
    >>> roll_of(["And then:", "Ann Ex", "Ann Ex", "So it was.", "We saw it.", "Carla Wu"])
    """
    title = next((n for n, line in enumerate(lines) if line[-1:] in (":", "：")), len(lines))
    roll: list[str] = []
    for line in lines[title + 1 :]:
        if not ONE_OF_ROLL.match(line):
            break
        roll.append(line)
    are_most = len(roll) >= max(FEWEST_OF_ROLL, SHARE_OF_ROLL * len(lines))
    is_roll = are_most and len(set(roll)) == len(roll)
    return Residue("roll", len(roll), len(lines), roll[0]) if is_roll else None


def names_of_code(lines: Sequence[str]) -> Residue | None:
    """Return the lines that are a name of a part of a program, if they are many.

    >>> residue = names_of_code(["stage_one", "- the road", "stage_two", "end_of_day"] * 2)
    >>> residue and residue.count
    6
    """
    names = [line for line in lines if "_" in line and NAME_OF_CODE.match(line)]
    are_many = len(names) >= max(FEWEST, SHARE_OF_GAPS * len(lines))
    return Residue("code", len(names), len(lines), names[0]) if are_many else None


def _are_unsaid(items: Sequence[str]) -> bool:
    """Return True if items of a list are brief, begin with capitals, and end no sentences.

    >>> _are_unsaid(["- The bridge", "- Roads and rivers", "- What it costs"] * 2)
    True
    """
    bare = [item.lstrip("-*+•‣◦▪●–—0123456789.) \t") for item in items]
    words = sum(len(item.split()) for item in bare)
    return (
        len(items) >= FEWEST_ITEMS
        and words <= MOST_OF_ITEM * len(bare)
        and all(item[:1].isupper() and item[-1:] not in ENDS for item in bare)
    )


def _are_listed(items: Sequence[str], total: int) -> bool:
    """Return True if all lines are items of one list: numbers from 1 on, or most small letters.

    >>> _are_listed([f"{n}. Be on time, and bring what you need." for n in range(1, 6)], 5)
    True
    >>> _are_listed(["- take the bus", "- don't pay by card", "- so it is cheaper", "- ask"], 4)
    True
    >>> _are_listed(["- So it was.", "- No, it was not.", "- well.", "- Yes."], 4)
    False
    """
    if len(items) < max(FEWEST_LISTED, total):
        return False
    numbers = [NUMBER_FIRST.match(item) for item in items]
    if all(match and int(match[1]) == n for n, match in enumerate(numbers, 1)):
        return True
    bare = [item.lstrip("-*+•‣◦▪●–—. \t") for item in items]
    small = sum(item[:1].islower() and item[-1] not in ENDS_OF_SENTENCES for item in bare)
    return small >= SHARE_OF_SMALL * len(items)


def _are_points(items: Sequence[str], total: int) -> bool:
    """Return True if nearly all lines have the sign of a point, no dash, and most end no sentence.

    >>> _are_points([f"• Discussion of {word} and of how it is made" for word in "abcdefghij"], 10)
    True
    """
    points = [item for item in items if item.lstrip()[:1] in POINTS]
    ended = sum(point.rstrip()[-1:] in ENDS for point in points)
    return len(points) >= max(FEWEST_POINTS, SHARE_OF_POINTS * total) and 3 * ended < len(points)
