"""Which part of a document is its text: a published book, or the section that is a transcript.

Notices of services and the last sections of an article are other parts.
"""

from __future__ import annotations

import itertools
from collections import Counter

from formats.reading.document_heads import KEY, TRANSCRIPTS, UNDERLINE, head_of_document
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.part_titles import LONGEST_TITLE, RULE_SIGNS, is_rule
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CREDIT = lazy_pattern(
    r"(?i)(?:[-*•]\s)?(?:(?:please )?(?:subscribe|follow (?:us|me)\b|find us\b|visit (?:us|our)\b"
    r"|support (?:us|our|the)\b|join (?:us|our)\b|sponsored by|e-?mail\b|website\b|twitter\b"
    r"|patreon\b)|(?:(?:theme|intro)? ?music|edited|produced|transcri(?:bed|ption)|recorded|hosted"
    r"|mixed|artwork) (?:and [a-z]{3,12} )?by\b|https?://|www\.|©|copyright\b"
    r"|[^\n]{1,60}(?:https?://\S|[ ]@\w))"
)
"""A line below a recording that names who made it, or where to find more."""
ADDRESS = lazy_pattern(r"https?://|www\.|(?<!\S)@\w|\w@\w|©")
LONGEST_CREDIT = 100
NOTICE_OF_SERVICE = (
    r"Transcri(?:bed|pt) by (?:https?://)?[\w-]{1,40}\.(?:ai|com|io|app|net)\b.{0,100}"
    r"|.{0,100}\baudio (?:file was )?automatically transcribed by Sonix\b.{0,200}"
    r"|Sonix is the world.s .{1,200}|Automatically convert your mp3 files to text .{1,200}"
    r"|Auto-generated transcript\. .{0,100}"
    r"|This file is longer than [0-9]{1,4} minutes\. Go Unlimited .{1,120}"
)
NOTICE = lazy_pattern(rf"[\[(]?(?:{NOTICE_OF_SERVICE})[\])]?\Z")
"""A line in which the service that transcribed a recording names itself."""
SECTION = lazy_pattern(
    r"\W{0,4}(?:See also|References|External links|Further reading|Bibliography"
    r"|Siehe auch|Einzelnachweise|Weblinks|Literatur|Voir aussi|Références|Liens externes"
    r"|Notes et références"
    r"|Véase también|Referencias|Enlaces externos|Ver também|Referências|Ligações externas"
    r"|Voci correlate|Collegamenti esterni|См\. также|Примечания|Ссылки|Литература"
    r"|参见|參見|参考文献|參考文獻|外部链接|外部連結|関連項目|脚注|外部リンク)"
    r"(?:[ ]?\[?[Ee]dit\]?)?\W{0,4}\Z"
)
"""The title of a section below an article of an encyclopaedia."""
SPEECH = lazy_pattern(
    rf"(?i)\W{{0,200}}(?:[^\W\d_]{{1,20}} ){{0,3}}(?:{TRANSCRIPTS}|dialogue)[^\W\d_]{{0,12}}"
    r"(?: (?:begin|start)s)?\W{0,200}\Z"
)
"""The title of a section that is the transcript: ``FULL TRANSCRIPT:``."""
OVER_AGAIN = lazy_pattern(
    r"(?i)[\W_]{1,200}\Z|\W{0,40}(?:(?:the )?(?:full|complete|entire|whole|plain|raw|clean|merged)"
    rf"[ _-](?:text|{TRANSCRIPTS})[^\W\d_]{{0,12}}|(?:{TRANSCRIPTS})[^\W\d_]{{0,12}}|text"
    r"|volltext|gesamttext|texte (?:complet|intégral)|texto completo|testo completo|полный текст"
    r"|全文|完整文本|전체 ?텍스트|tam metin)\W{0,40}\Z"
)
HEAD_OF_TURN = lazy_pattern(r"[^\n:：]{0,40}[:：]|[^\w\n]{0,3}[0-9]+[.,][0-9]+|[^\n]{0,30}-->")
WORD = lazy_pattern(r"[^\W\d_]{1,60}")
FEWEST_SEGMENTS, FEWEST_AGAIN, SAME_AGAIN, MOST_OF_ABOVE = 3, 10, 0.95, 0.8
LEAST_AGAIN, MOST_AGAIN, SHARE_OF_HEADS = 0.2, 0.6, 0.3
"""The title of a text that has the words of all lines above; a name or a time before a colon; the
fewest lines and words, the share of its words and of those above that are the same, its share of
all characters, and the share of lines with names or times, which are all above it.
"""
TITLED = lazy_pattern(
    r"[ \t]*(?:#{1,6} [^.!?\n]{2,50}|[-=*_~\[]{1,40}[^.!?\d\n]{2,50}[-=*_~\]]"
    r"|[^.!?\d\n]{2,50}[:：])[\W_]{0,40}\Z"
)
TRANSLATED = lazy_pattern(
    r"(?i)\b(?:translat(?:ed|ion)|übersetz(?:t|ung)|tradui(?:t|ção)|traduction|traduc(?:ido|ción)"
    r"|traduzione|tradução|перевод|terjemahan|çeviri)|译文|譯文|翻译|翻譯|翻訳|번역"
)
ORIGINAL = lazy_pattern(
    rf"(?i)\b(?:original|source|{TRANSCRIPTS}|оригинал|asli|orijinal)|原文|원문"
)
"""The title of a part, and the words of it above a translation and above what is translated."""
BOOK = lazy_pattern(
    r"[ \t]{0,40}(?:\*{3}[ ]?(?:(?P<start>START)|(?P<end>END))[ ]OF[ ](?:THE |THIS )?"
    r".{0,30}(?:E-?BOOK|E-?TEXT|BOOK)\b|\*{1,3}(?P<print>END)[ *]{1,3}(?:OF )?THE SMALL PRINT\b"
    r"|\*{3}[ ]?(?P<licence>START): FULL LICENSE\b"
    r"|(?P<bare>(?=[EFSTU])(?i:(?:the )?end of (?:the |this )?project gutenberg"
    r"(?:['’]s|(?:-tm)? (?:e-?book|e-?text|edition))\b|ende dieses projekt gutenberg\b"
    r"|updated editions will replace the previous one"
    r"|(?:start: |the )?full (?:project gutenberg )?license\W{0,9}\Z"
    r"|section 1\.[ ]{1,3}general terms of use and redistributing)))"
)
"""The line above or below a published book: ``*** START OF THE PROJECT GUTENBERG EBOOK``; also the
last line of what older ones print above it, and its end or the licence in words."""
PRODUCED = lazy_pattern(
    r"(?i)\s{0,9}(?:(?:this )?e-?(?:book|text) (?:was )?)?(?:produced|prepared|transcribed)"
    r" (?:by|from)\b"
)
"""How a paragraph begins that tells, below the first of these lines, who typed a book."""
EDGES_OF_BOOKS = frozenset("*EFSTU")
"""The first characters of such lines."""


def transcript_in(lines: Sequence[str]) -> tuple[int, int]:
    """Return where the only section begins and ends that is a transcript; 0, 0 without one.

    It ends at the next title of the same form: in capitals, with a colon, over the same signs.
    """
    titles = titles_in(lines)
    speech = [
        n for n, below in itertools.pairwise((*titles, len(lines)))
        if SPEECH.match(lines[n].strip()) and any(map(_is_text, lines[titles[n][0] : below]))
    ]  # fmt: skip
    if len(speech) != 1:
        return 0, 0
    begin, sign, *form = titles[speech[0]]
    ends = (
        n for n, (_, other, *of_other) in titles.items()
        if n >= begin and of_other == form and other and sign in ("", other)
    )  # fmt: skip
    end = next(ends, len(lines))
    above = [line.rstrip() for line in lines[: speech[0]]]
    is_below = bool(sign) or not any(line.endswith(SENTENCE_ENDS) for line in above)
    is_below = is_below and any(above) and head_of_document(list(lines)) < begin
    return (begin, end) if is_below or end < len(lines) else (0, 0)


def book_in(lines: Sequence[str]) -> tuple[int, int]:
    """Return where a published book begins and ends between the lines around it; 0, 0 without."""
    edges = [
        (n, edge) for n, (above, line) in enumerate(itertools.pairwise(("", *lines)))
        if (edge := edge_of_book(line, is_below_blank=not above.strip()))
    ]  # fmt: skip
    begin = next((n + 1 for n, edge in edges if edge != "end"), 0)
    end = next((n for n, edge in edges if edge == "end" and n >= begin), len(lines))
    begin = max([begin, *(n + 1 for n, edge in edges if edge == "print" and n < end)])
    first = next((n for n in range(begin, end) if lines[n].strip()), end) if begin else end
    if first < end and PRODUCED.match(lines[first]):
        below = next((n for n in range(first, end) if not lines[n].strip()), end)
        begin = below if any(map(str.strip, lines[below:end])) else begin
    return (begin, end) if edges and any(map(str.strip, lines[begin:end])) else (0, 0)


def books_in(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where published books begin and end, if a text has one or several of them.

    >>> start, end = "*** START OF THE EXAMPLE EBOOK ***", "*** END OF THE EXAMPLE EBOOK ***"
    >>> books_in([start, "So it was.", end, "Licence", start, "It was late.", end, "Licence"])
    [(1, 2), (5, 6)]
    """
    books: list[tuple[int, int]] = []
    last = 0
    while True:
        begin, end = book_in(lines[last:])
        if not end or (books and not begin):
            return books
        books.append((last + begin, last + end))
        last += end


def edge_of_book(line: str, *, is_below_blank: bool) -> str:
    """Return which edge of a published book a line is: start, print, end, or nothing.

    >>> edge_of_book("*** START OF THE EXAMPLE EBOOK, THE BRIDGE ***", is_below_blank=False)
    'start'
    >>> edge_of_book("End of the Project Gutenberg Etext of The Bridge", is_below_blank=True)
    'end'
    >>> edge_of_book("End of the day.", is_below_blank=True)
    ''
    """
    match = BOOK.match(line) if line.lstrip()[:1] in EDGES_OF_BOOKS else None
    if match is None or (match["bare"] and not is_below_blank):
        return ""
    return match.lastgroup if match.lastgroup in ("start", "print") else "end"


def _is_text(line: str) -> bool:
    """Return True unless a line is blank, a rule or a field."""
    return line.strip() != "" and not UNDERLINE.match(line) and not KEY.match(line)


def titles_in(lines: Sequence[str]) -> dict[int, tuple[int, str, bool, bool]]:
    """Return where titles of sections are: the first line below, the sign of the rule, the form.

    Titles are between signs or over a rule; others name a transcript and end with a colon.
    """
    titles: dict[int, tuple[int, str, bool, bool]] = {}
    stripped = ["", *map(str.strip, lines), ""]
    rows = zip(stripped, stripped[1:], stripped[2:], strict=False)
    for n, (above, title, below) in enumerate(rows):
        has_colon = title[-1:] in (":", "：")
        is_ruled = title[:1] in RULE_SIGNS and is_rule(title)
        is_over = UNDERLINE.match(below) is not None
        if not (is_ruled or is_over or (has_colon and SPEECH.match(title))):
            continue
        sign = title[0] if is_ruled else below[0] if is_over else ""
        name = title.strip(f"{sign} ")
        is_brief = 0 < len(name) <= LONGEST_TITLE and not name.endswith(SENTENCE_ENDS)
        if is_brief and not name[0].islower() and (not above or UNDERLINE.match(above)):
            titles[n] = n + 1 + (is_over and not is_ruled), sign, name.isupper(), has_colon
    return titles


def sections_in(lines: Iterable[str]) -> list[str]:
    """Return the titles of the last sections of an article if it has two of them.

    >>> sections_in(["So it was.", "See also", "Ann's rivers", "ReferencesEdit"])
    ['See also', 'ReferencesEdit']
    """
    sections = [line for line in lines if SECTION.match(line)]
    return sections if len(sections) > 1 else []


def translations_in(lines: Sequence[str]) -> list[str]:
    """Return the titles of translations: between signs or with a colon, and below another title.

    >>> translations_in(["--- Original ---", "So it was.", "--- Translated text ---", "Es war so."])
    ['--- Translated text ---']
    >>> translations_in(["The translation", "So it was:", "a translation, in part"])
    []
    """
    titles = [line for line in lines if len(line) <= LONGEST_TITLE and TITLED.match(line)]
    translated = [line for line in titles if TRANSLATED.search(line)]
    return translated if any(ORIGINAL.search(line) for line in titles) else []


def text_again(lines: Sequence[str]) -> int:
    """Return the first line, below a blank one, of a text that has the words of all lines above.

    Such a text is below segments with times: in a paragraph, perhaps with a title and a rule. The
    number is that of its title or rule. It is 0 if there is no such text.

    >>> said = ["[0:01] So it was late.", "[0:05] We took a boat home, down the river we know."]
    >>> text_again([*said, "", "FULL TEXT", "", "So it was late. We took a boat home, down the "
    ...             "river we know."])
    3
    >>> text_again([*said, "", "And it rained, so we waited below a bridge until the sun came out"])
    0
    """
    filled = [n for n, line in enumerate(lines) if line.strip()]
    if len(filled) < FEWEST_SEGMENTS:
        return 0
    first = last = filled[-1]
    size, total = len(lines[last]), sum(map(len, lines))
    for n in reversed(filled[:-1]):  # a text may have several lines
        if size > LEAST_AGAIN * total and not lines[n + 1].strip():
            break
        first, size = n, size + len(lines[n])
        if size > MOST_AGAIN * total:
            return 0
    while first < last and (not lines[first].strip() or _is_over(lines[first])):
        first += 1
    again = Counter(_words_of(lines[first:]))
    if size < LEAST_AGAIN * total or first == 0 or again.total() < FEWEST_AGAIN:
        return 0
    begin = first
    while begin > 1 and (not lines[begin - 1].strip() or _is_over(lines[begin - 1])):
        begin -= 1
    above = Counter(_words_of(lines[:begin]))
    heads = [HEAD_OF_TURN.match(line) is not None for line in lines]
    if sum(heads[first:]) or sum(heads[:first]) < SHARE_OF_HEADS * len(filled):
        return 0
    same = (again & above).total()
    if same < SAME_AGAIN * again.total() or same < MOST_OF_ABOVE * above.total():
        return 0
    return begin + (not lines[begin].strip())


def is_text_of_turns(lines: Sequence[str], turns: Iterable[str]) -> bool:
    """Return True if lines above turns have the words of all turns, perhaps below a title.

    >>> said = "So it was late and we took a boat home, down the river."
    >>> is_text_of_turns(["Full text:", said], [said[:19], said[19:]])
    True
    >>> is_text_of_turns(["Full text:", said], [said[:19], "And then it rained on us, too."])
    False
    """
    above, below = Counter(_words_of(lines)), Counter(_words_of(turns))
    same = (above & below).total()
    are_many = below.total() >= FEWEST_AGAIN
    return are_many and same >= max(SAME_AGAIN * below.total(), MOST_OF_ABOVE * above.total())


def _words_of(lines: Iterable[str]) -> Iterator[str]:
    """Yield the words of lines without signs, and without what has no letters."""
    return (match[0].casefold() for line in lines for match in WORD.finditer(line))


def _is_over(line: str) -> bool:
    """Return True for a rule, or the title of a whole text."""
    return OVER_AGAIN.match(line) is not None


def are_credits(lines: Sequence[str]) -> bool:
    """Return True if all lines tell who made a recording, or where to find more, by an address.

    >>> are_credits(["Music by Ann Roe", "Follow us: @river"]), are_credits(["Subscribe to us"])
    (True, False)
    """
    has_address = any(map(ADDRESS.search, lines))
    return has_address and all(
        len(line) <= LONGEST_CREDIT and CREDIT.match(line) and not line.endswith(SENTENCE_ENDS)
        for line in lines
    )
