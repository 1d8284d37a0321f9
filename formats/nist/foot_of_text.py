"""The last lines of a plain text that nobody speaks: its end, its maker, remarks of a program."""

from __future__ import annotations

from formats.nist.titles_above import FIELD_ALONE, is_dated
from formats.reading.document_parts import are_credits
from formats.schema import is_installed, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_OF_FOOT, MOST_OF_CREDITS, LONGEST_OF_FOOT = 6, 3, 200
"""The most lines of a foot, and of its credits, and the characters of one."""
LIKELY = lazy_pattern(
    r"(?i)[\[(*_. -]{0,4}(?:the end|end\b|finis|fine?\b|ende\b|koniec|конец|終|完|transcri|this "
    r"|subtitles|captions|recording|interview|translated|generated|exported|retrieved|copyright|©"
    r"|\(c\)|npr |curtain|(?:please )?note\b|disclaimer)"
)
"""How the foot of a document begins; `formats.meetings.turns.lines` has its whole forms."""
OFFER = lazy_pattern(
    r"(?i)(?:please )?(?:let me know|feel free|is there anything|if you (?:need|have|would))\b"
    r".{0,160}\Z"
)
"""What a language model writes below a text that it was asked for."""
PROMISE = lazy_pattern(
    r"(?i)(?:sure|certainly|of course|absolutely|okay|here(?:['’]s| is| are))\b.{0,120}:\Z"
)
"""What it writes above such a text."""


SOURCE = lazy_pattern(
    r"(?i)(?:sources?|via|credits?|read more|related|references?|original|links?|url|quelle|fuente"
    r"|fonte|источник|出典|来源|來源|출처)[ ]?[:：][ ]?.{0,160}"
    r"(?:https?://|www\.|\.(?:com|org|net|edu|gov|io))\S{0,160}\Z"
    r"|[(（\[]?(?:来源|來源|责任编辑|編集|编辑|出典|출처|source|quelle|fuente|fonte|источник)"
    r"[ ]?[:：][^\n.。]{1,80}[)）\]]?\Z"
    r"|[*_]{0,2}(?:翻译|翻譯|整理|校对|校對|记录|記錄|听写|文字|字幕){1,3}[ ]?[:：][^\n.。]{1,40}\Z"
    r"|(?:submitted|posted|uploaded|typed|edited|compiled|prepared|published) by\b.{1,80}\Z"
    r"|\W{0,3}(?:https?://|www\.)\S{1,180}\Z"
)
"""Where a text is from: ``Source: https://…``."""
OF_SITE = lazy_pattern(
    r"(?i)(?:(?:u\.s\. )?copyright status|page (?:created|updated)|also in this database"
    r"|(?:audio|text|video|image) sources?|(?:html )?transcription by|research notes?"
    r"|(?:word|character) counts?|(?:reading|speaking) time|wpm"
    r"|external links?|(?:press|media) contact|words(?: (?:and|&) music)?(?: by)?"
    r"|(?:music|lyrics|tune)(?: by)?|ccli(?: song| licen[cs]e)?(?: no\.?| number)?)"
    r"\b[ ]?[:=].{0,180}\Z|books?/cds by .{1,60}\Z"
)
"""What sites of speeches and offices write below a speech."""
OF_VIDEO = lazy_pattern(
    r"(?i)(?:(?:video )?(?:duration|length|views|likes|id|url)|(?:view|like) count"
    r"|(?:published|uploaded|upload date|publish date)(?: on)?|dauer|aufrufe|veröffentlicht(?: am)?"
    r"|durée|vues|publiée?(?: le)?|duración|vistas|publicado(?: (?:el|em))?|duração|visualizações"
    r"|длительность|просмотр(?:ы|ов)|опубликовано|时长|時長|播放量|发布时间)[ ]?[:：][ ]?"
    r"(?=[^\n]{0,60}[0-9])(?:[^\n.?!]|\.(?=[0-9])){1,80}\Z"
    r"|(?:channel|kanal|chaîne|canal|канал|频道|頻道)(?: name)?[ ]?[:：][ ]?[^\n.?!]{1,60}\Z"
)
"""What pages of videos say of a video: ``Duration: 8:47``."""
SIGNED = lazy_pattern(r"[-–—~]{1,2}[ ]?(?:[^\W\d_a-z][\w.'’-]{0,20}[ ]?){2,5}(?:,[ ].{1,60})?\Z")
NAME_ABOVE = lazy_pattern(
    r"(?:[^\W\d_a-z][\w'’-]{1,20}|[A-Z]\.)(?: (?:[^\W\d_a-z][\w'’-]{1,20}|[A-Z]\.)){1,4}\Z"
)
"""Who signs a text, behind a dash, or above a date: ``— Ann Example``."""
BETWEEN_DASHES = lazy_pattern(r"([-–—~])[ ](?![-–—~])[^\n?!]{2,40}[ ]\1\Z")
"""A brief line between two dashes, as the title of a song or the end: ``- The End -``."""


ELSEWHERE = lazy_pattern(
    r"(?i)[^.?!\n]{0,80}\b(?:articles?|blog|posts?|web ?(?:site|page)|links?|newsletter|artikel"
    r"|artículo|artigo|articolo|статья|статье)\b[^.?!\n]{0,30}:\Z"
)
"""A line that announces what can be read elsewhere: ``More in this article:``."""
LONGEST_TITLE = 100
PLACES = (SOURCE, BETWEEN_DASHES, FIELD_ALONE, OF_SITE, OF_VIDEO)


def foot_of(lines: Sequence[str], first: str) -> int:
    """Return how many of the last lines of a text are its foot; `first` is the first line.

    >>> foot_of(["So it was.", "END"], "So"), foot_of(["So it was.", "Confidence: 0.93"], "So")
    (1, 1)
    >>> foot_of(["So it was.", "Let me know if you need more!"], "Here is the transcript:")
    1
    >>> foot_of(["So it was.", "Ann Example", "4 May 2014"], "So")
    2
    >>> foot_of(["So it was.", "Duration: 8:47", "Channel: Ann Ex", "Views: 1,204"], "So")
    3
    >>> foot_of(["So it was.", "In the end we went home."], "So")
    0
    """
    last = [line.strip() for line in lines[-MOST_OF_CREDITS:]]
    for n, line in enumerate(last):
        are_titles = all(len(title) <= LONGEST_TITLE for title in last[n:])
        if (ELSEWHERE.match(line) and are_titles) or are_credits(last[n:]):
            return len(last) - n
    count, is_below_date = 0, False
    for line in reversed([line.strip() for line in lines]):
        is_offer = OFFER.match(line) is not None and PROMISE.match(first.strip()) is not None
        is_place = any(x.match(line) for x in PLACES)
        is_signed = not count and SIGNED.match(line) is not None
        is_signed = is_signed or (is_below_date and NAME_ABOVE.match(line) is not None)
        is_below_date = not count and is_dated(line)
        if not (is_offer or is_place or is_signed or is_below_date or _is_footer(line)):
            break
        count += 1
    return count if count < len(lines) or not all(map(SOURCE.match, last)) else 0


def _is_footer(line: str) -> bool:
    """Return True for a line such as ``END`` or ``Transcribed by Ann Ex``."""
    if (
        len(line) > LONGEST_OF_FOOT
        or not LIKELY.match(line)
        or not is_installed("formats.meetings")
    ):
        return False
    from formats.meetings.turns.lines import FOOTER

    return FOOTER.match(line) is not None
