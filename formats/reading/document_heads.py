"""The head of a document, which nobody speaks: fields, an address, a title over a rule."""

from __future__ import annotations

import itertools

from formats.reading.lines import HEADING as MARKDOWN_HEADING
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.part_titles import LONGEST_TITLE, RULE_SIGNS, is_rule
from formats.reading.speakers import HEAD_NAMES
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = lazy_pattern(
    r"[ \t]*(?:[-*+>][ \t]+)?(?P<marks>(?:\*\*|__)?)(?P<name>[^\W\d_][\w\u0900-\u0dff ()/-]{0,40})"
    r"(?:(?::(?:\*\*|__)?|(?:\*\*|__):)(?:[ \t]|\Z)|：)"
)
MAY_SPEAK = lazy_pattern(
    r"(?i)(?:host|model|author|autor(?:in|a)?|auteur|artist|interpret|present|speakers|transcript\w*"
    r"|audio|text)\s{0,3}\Z"
)
SENTENCES = lazy_pattern(r"\w[.?!…] .{0,2000}[.?!…][\"”’)]?\s{0,9}\Z")
"""A name of a field that may be that of a speaker or of the speech, and several sentences."""
TRANSCRIPTS = (
    "transcri|transkri|trascri|расшифров|стенограмм|文字起こし|書き起こし|逐字|文稿|文字记录|전사"
    "|녹취|تفريغ"
)
"""Parts of the word for a transcript in several languages."""
FIRST = lazy_pattern(
    "(?i)"
    r"\s{0,9}(?:(?:(?:sure|certainly|of course|absolutely|okay)(?: thing)?[!,.] )?"
    r"(?:video |episode |podcast |lecture |talk |meeting )?(?:title:(?:\s|\Z)"
    rf"|(?:[^.!?:]{{0,30}}(?:{TRANSCRIPTS})[^.!?:]{{0,20}}"
    r"|(?:(?:final|full|complete|whole) )?text|全文|完整文[字本])[:：]\s{0,9}\Z)"
    r"|(?:[^:]{0,40}:[ \t])?https?://\S{1,400}\s{0,9}\Z"
    rf"|(?:[^.!?:]{{0,30}}(?:{TRANSCRIPTS})[^:]{{0,30}} )?"
    r"[^\s/\\]{1,100}\.(?:wav|mp3|m4a|mp4|flac|ogg)[:：]?\s{0,9}\Z"
    r"|(?:transcript(?:ion)?|transkript|transcripción|transcrição|trascrizione|lyrics|letra|paroles"
    r"|liedtext|songtext|testo|текст песни|расшифровка|歌词|歌詞|가사|文字记录|文字起こし)"
    r"[:：]?\s{0,9}\Z"
    r"|\S.{0,60} (?:lyrics|songtext|liedtext|letra|歌词|歌詞|가사)\s{0,9}\Z)",
)
"""A line that alone is the head of a text."""
LONGEST_HEAD, LONGEST_LINE_OF_HEAD = 60, 600
"""The most lines of a head, and the most characters of one of them."""
FEWEST_FIELDS, MOST_ADDRESSES = 3, 3
"""The fewest fields of a paragraph that is the head of a document, and the most addresses in it."""
SHORTEST_OF_ADDRESS = 4
"""The fewest letters of a title in an address."""
UNDERLINE = lazy_pattern(r"([-=─━═])\1{4}")
TIME_OF_DAY = lazy_pattern(
    r"\s{0,40}[\[(]?[0-9]{1,2}[:.][0-9]{2}[ ]?(?:[ap]\.?m\.?|[AP]\.?M\.?|Uhr|h|heures)"
    r"(?:[ ]?\(?[A-Z]{2,5}\)?)?[\])]?\s{0,9}\Z"
)
"""A line that is only a time of day, as above remarks: ``11:21 A.M. EDT``."""
SETTING = lazy_pattern(r"[\[<{][ ]?[\w .-]{1,40}[ ]?=[ ]?[^\[\]<>{}\n]{1,60}[\]>}]\s{0,9}\Z")
"""A setting in brackets: ``[noise=True]``."""


def head_of_document(lines: list[str], first: int = 0, *, is_markdown: bool = False) -> int:
    """Return the number of the last line of a document's heading; 0 if it has no heading.

    The heading consists of lines such as ``Date: 5 May``; blank lines and titles may separate them.
    In Markdown, bold names are enough; in plain text, a title alone is enough.
    """
    if not is_markdown and (last := _above_rule(lines[:LONGEST_HEAD])):
        return _with_title_below(lines, last)
    if not is_markdown and (last := _block_of_fields(lines) or _above_time_of_day(lines)):
        return _with_title_below(lines, last)
    last, count = 0, 0
    for number, line in enumerate(lines[first : first + LONGEST_HEAD], first + 1):
        if not line.strip() or (is_markdown and MARKDOWN_HEADING.match(line)):
            continue
        match = KEY.match(line) if ":" in line or "：" in line else None
        is_key = match is not None and (
            HEAD_NAMES.match(match["name"]) is not None or (is_markdown and match["marks"] != "")
        )
        if is_key and match is not None and MAY_SPEAK.match(match["name"]):
            is_key = SENTENCES.search(line, match.end()) is None
        if not is_key and not is_markdown and len(line) <= LONGEST_LINE_OF_HEAD:
            is_key = (MARKDOWN_HEADING.match(line) or FIRST.match(line)) is not None
        if is_key and "://" in line and _is_below_speech(lines[:number]):
            return 0
        if not is_key and not is_markdown and line[:1] in "[<{":
            is_key = SETTING.match(line) is not None
        if not is_key and (count or number > first + 3):
            break
        if is_key:
            last, count = number, count + 1
    is_titled = (
        count == 1
        and not is_markdown
        and (
            FIRST.match(lines[last - 1]) is not None
            or (
                not any(map(str.strip, lines[: last - 1]))
                and not "".join(lines[last : last + 1]).strip()
            )
        )
    )
    if is_markdown and count == 1:
        below = next(filter(str.strip, lines[last:]), "")
        is_titled = is_rule(below) and RULE_SIGNS.issuperset(below.replace(" ", ""))
    end = _end_of_fields(lines, last) if count > 1 else last if is_titled else 0
    if is_markdown:
        return end
    titled = _with_words_of_address(lines, end)
    return titled if titled > end else _with_title_below(lines, end)


def _with_words_of_address(lines: Sequence[str], last: int) -> int:
    """Return the number of the last line below an address whose words are those of the address.

    >>> _with_words_of_address(["https://a.example/the-bridge", "The Bridge", "So it was."], 1)
    2
    """
    address = lines[last - 1].casefold() if last else ""
    if "://" not in address:
        return last
    letters = "".join(filter(str.isalnum, address.rpartition("://")[2].partition("/")[2]))
    for number, line in enumerate(lines[last : last + MOST_ADDRESSES], last + 1):
        words = "".join(filter(str.isalnum, line.casefold()))
        if line.strip() and (len(words) < SHORTEST_OF_ADDRESS or words not in letters):
            break
        last = number if words else last
    return last


def _is_below_speech(lines: Sequence[str]) -> bool:
    """Return True if a sentence is above the last line, or the lines are a list of addresses."""
    addresses = sum("://" in line for line in lines)
    return addresses > MOST_ADDRESSES or any(x.rstrip().endswith(SENTENCE_ENDS) for x in lines[:-1])


def _above_time_of_day(lines: Sequence[str]) -> int:
    """Return the number of the first line that is only a time of day, below a brief head.

    >>> _above_time_of_day(["Remarks in Bern", "", "11:21 A.M. EDT", "", "Good morning."])
    3
    """
    for number, line in enumerate(lines[:LONGEST_HEAD], 1):
        if TIME_OF_DAY.match(line):
            return number if number > 1 and any(map(str.strip, lines[number:])) else 0
        if len(line.strip()) > LONGEST_TITLE or line.rstrip().endswith((*SENTENCE_ENDS, ",")):
            return 0
    return 0


def _block_of_fields(lines: Sequence[str]) -> int:
    """Return the number of the last line of the first paragraph if it has only brief fields.

    Their names differ, and a third of them are names of fields: ``Title: …``, ``Preacher: …``.

    >>> _block_of_fields(["Title: A", "Preacher: B", "Text: Luke 5", "", "So it was."])
    3
    """
    begin = next((n for n, line in enumerate(lines[:LONGEST_HEAD]) if line.strip()), 0)
    block = list(itertools.takewhile(str.strip, lines[begin:LONGEST_HEAD]))
    fields = [KEY.match(line) if len(line) <= LONGEST_TITLE else None for line in block]
    names = {match["name"].casefold() for match in fields if match is not None}
    usual = sum(HEAD_NAMES.match(name) is not None for name in names)
    is_over = any(map(str.strip, lines[begin + len(block) :]))
    are_fields = len(names) == len(block) >= FEWEST_FIELDS and 3 * usual >= len(block)
    are_fields = are_fields and not any(
        MAY_SPEAK.match(match["name"]) and SENTENCES.search(match.string, match.end())
        for match in fields if match is not None
    )  # fmt: skip
    return begin + len(block) if are_fields and is_over else 0


def _with_title_below(lines: Sequence[str], last: int) -> int:
    """Return the number of the title of the text below a head and perhaps a rule, or of its end."""
    below = (
        n for n in range(last, len(lines)) if lines[n].strip() and not UNDERLINE.match(lines[n])
    )
    title = next(below, last) if last else len(lines)
    is_titled = title < len(lines) and FIRST.match(lines[title]) is not None
    return title + 1 if is_titled and any(map(str.strip, lines[title + 1 :])) else last


def _end_of_fields(lines: Sequence[str], last: int) -> int:
    """Return the number of the last of the fields below a field, if a blank line is below them."""
    below = itertools.takewhile(str.strip, lines[last:LONGEST_HEAD])
    fields = [len(line) <= LONGEST_TITLE and KEY.match(line) is not None for line in below]
    is_over = last + len(fields) < len(lines) and not lines[last + len(fields)].strip()
    return last + len(fields) if is_over and all(fields) else last


def _above_rule(lines: Sequence[str]) -> int:
    """Return the number of the first rule if only fields, or one title, are above it."""
    filled = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    number, first = filled[0] if filled else (0, "")
    is_title = len(first) <= LONGEST_TITLE and not first.endswith(SENTENCE_ENDS)
    title = int(is_title and KEY.match(first) is None)
    fields = list(itertools.takewhile(lambda row: KEY.match(row[1]) is not None, filled[title:]))
    is_titled = [n for n, line in filled[1:2] if n == number + 1 and UNDERLINE.match(line)]
    above = title + len(fields) if title + len(fields) > 1 else int(bool(is_title and is_titled))
    below = filled[above : above + 1]
    is_over = bool(above and below) and RULE_SIGNS.issuperset(below[0][1]) and is_rule(below[0][1])
    return below[0][0] if is_over else 0
