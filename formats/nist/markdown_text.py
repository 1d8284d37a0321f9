"""The words of a Markdown text, without front matter, headings and marks."""

from __future__ import annotations

from formats.reading.lines import HEADING, front_matter
from formats.reading.speakers import HEAD_NAMES
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RULE = lazy_pattern(r"[ ]{0,3}(?:-{3,}|={3,}|\*{3,}|_{3,}|`{3,}[\w+-]{0,20}|~{3,}\w{0,20})[ \t]*\Z")
LEAD = lazy_pattern(r"[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|[0-9]{1,4}[.)][ \t]+)?")
MARKS = lazy_pattern(
    r"!?\[(?P<text>[^\[\]]{0,300})\]\([^()\s]{0,400}(?:[ ]\"[^\"]{0,200}\")?\)"
    r"|<!--[^>]{0,400}-->|</?[a-zA-Z][a-zA-Z0-9]{0,15}[ ]?/?>|\*\*|__|`"
    r"|(?<![\w*])[*_](?=\w)|(?<=[\w.,;:!?…])[*_](?![\w*])"
)


TRANSCRIPT = lazy_pattern(
    r"(?i)[ ]{0,3}#{1,6}[ \t].{0,30}(?:transcri|transkri|trascri|文字起こし|逐字|文稿|전사)",
)
"""A heading below which a transcript begins."""
KEY = lazy_pattern(
    r"[ \t]*(?:[-*+>][ \t]+)?(?P<marks>(?:\*\*|__)?)(?P<name>[^\W\d_][\w ()/-]{0,40})"
    r"(?::(?:\*\*|__)?|(?:\*\*|__):|：)(?:[ \t]|\Z)"
)
FIRST = lazy_pattern(
    "(?i)"
    r"\s{0,9}(?:(?:video |episode |podcast |lecture |talk |meeting )?(?:title|transcript):(?:\s|\Z)"
    r"|(?:[^:]{0,40}:[ \t])?https?://\S{1,400}\s{0,9}\Z)",
)
"""A line that alone is the head of a text."""
LONGEST_HEAD = 60


def head_of_document(lines: list[str], first: int = 0, *, is_markdown: bool = False) -> int:
    """Return the number of the last line of a document's heading; 0 if it has no heading.

    The heading consists of lines such as ``Date: 5 May``; blank lines and titles may separate them.
    In Markdown, bold names are enough; in plain text, a title alone is enough.

    >>> head_of_document(["Date: 5 May", "", "Host: Ann", "Good morning."])
    3
    """
    last, count = 0, 0
    for number, line in enumerate(lines[first : first + LONGEST_HEAD], first + 1):
        if not line.strip() or (is_markdown and HEADING.match(line)):
            continue
        match = KEY.match(line) if ":" in line or "：" in line else None
        is_key = match is not None and (
            HEAD_NAMES.match(match["name"]) is not None or (is_markdown and match["marks"] != "")
        )
        if not is_key and not is_markdown and (":" in line or "#" in line):
            is_key = (HEADING.match(line) or FIRST.match(line)) is not None
        if not is_key and (count or number > first + 3):
            break
        if is_key:
            last, count = number, count + 1
    is_titled = count == 1 and not is_markdown and FIRST.match(lines[last - 1]) is not None
    return last if count > 1 or is_titled else 0


class MarkdownText:
    """Filter of Markdown lines: yields the lines with words, and counts all other lines."""

    def __init__(self, head: list[str]) -> None:
        front = front_matter(head)
        last = head_of_document(head, front, is_markdown=True) or front
        front = last if any(map(str.strip, head[last:])) else front
        below = (n for n, line in enumerate(head[:LONGEST_HEAD], 1) if TRANSCRIPT.match(line))
        begin = next((n for n in below if n > front and any(map(str.strip, head[n:]))), 0)
        self.front = begin if any(map(str.strip, head[front:begin])) else front
        self.headings = 0

    def take(self, lines: Iterable[tuple[int, str]]) -> Iterator[str]:
        """Yield the lines without Markdown marks; skip front matter, headings and rules."""
        for number, line in lines:
            if number <= self.front or RULE.match(line):
                continue
            if HEADING.match(line):
                self.headings += 1
                continue
            lead = LEAD.match(line)
            bare = line[lead.end() :] if lead else line
            yield MARKS.sub(lambda match: match["text"] or "", bare)
