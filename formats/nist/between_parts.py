"""What stands between the parts of a plain text that nobody speaks: dates, cues, notes, verses.

A sign counts only if several lines have it: ``Slide: the bridge`` before parts of a talk, a date
above each speech, numbers of verses below ``Luke 5``, lines in braces, addresses.
"""

from __future__ import annotations

import itertools

from formats.nist.messages import TXT_UNSPOKEN
from formats.nist.titles_above import LONGEST_DATE, is_dated
from formats.reading.directions import PERSONAL
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.part_titles import SONG_PART, is_rule
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from formats.io.source import Source

CUES = (
    r"slides?|images?|pictures?|photos?|figures?|graphics?|visuals?|animation|on[- ]?screen"
    r"|website|url|b[- ]?roll|sfx|sound effects?|lower third|props?|folie|bild"
    r"|diapositiv[ao]|diapo|imagen|imagem|слайд|кадр|幻灯片|画面|スライド|슬라이드|화면"
)
NOTES_TO_SPEAKERS = (
    r"(?:speaker|presenter|reader|production|stage)['’]?s? (?:notes?|directions?)"
    r"|notes? (?:to|for) (?:the )?(?:self|speaker|presenter|reader|narrator|editor)"
    r"|regieanweisung|hinweis (?:für|an) (?:den|die) (?:redner|sprecher)(?:in)?"
    r"|nota (?:para|a|al) (?:(?:o|a|el|la) )?(?:orador|apresentador|presentador|leitor|lector)a?"
    r"|notes? (?:pour|à) l['’]orat(?:eur|rice)|nota per (?:l['’]oratore|il relatore)"
)
CUE = lazy_pattern(
    rf"(?i)[ \t]{{0,9}}[\[(*_`#>]{{0,4}}(?:(?P<note>{NOTES_TO_SPEAKERS})|(?P<label>{CUES}))[ ]?"
    r"(?:[0-9]{1,3}[ab]?)?[\])*_]{0,3}[:：][*_]{0,3}(?P<rest>.*)\Z"
)
"""A line for those who speak or show something: ``SLIDE: The bridge``, ``Note to speaker:``."""
CUE_IN_BRACKETS = lazy_pattern(
    rf"(?i)[ \t]{{0,9}}[(\[](?:{CUES})\b[^()\[\]\n:]{{0,80}}[)\]]\s{{0,9}}\Z"
)
"""Such a line in brackets: ``(Slide of the bridge)``."""
IN_BRACES = lazy_pattern(r"\{[^{}/\n]{0,80}[^\W\d_][^{}/\n]{0,80}\}\s{0,9}\Z")
BRACES = lazy_pattern(r"[ ]?\{[^{}/\n]{1,80}\}")
"""A line in braces, and such a part of a line; a slash is between words to choose from."""
IN_BRACKETS = lazy_pattern(r"[ \t]{0,40}(?:\([^()\n]{2,100}\)|\[[^\[\]\n]{2,100}\])\s{0,9}\Z")
"""A line in brackets."""
MARKER = lazy_pattern(
    r"[ \t]{0,9}\\(?:(?P<head>id|ide|h|toc[1-3]?|mt[1-3]?|ms[1-3]?|mr|s[1-3]?|r|rem|cl|c|chapter)\b"
    r"|(?:v|verse)[ ][0-9]{1,3}(?:[-–][0-9]{1,3})?|(?:p|m|nb|q[1-4]?|pi[1-3]?|b|li[1-4]?)\b)"
    r"[ \t]{0,4}"
)
"""A marker of a Bible in USFM, ``\\v 1``; beside a `head` is no verse: ``\\s The bridge``."""
ADDRESS = lazy_pattern(r"\W{0,3}(?:https?://|www\.)\S{3,400}\s{0,9}\Z")
"""A line that is only an address."""
VERSE = lazy_pattern(
    r"[ \t]{0,9}([0-9]{1,3})[ \t]{1,4}(?:[¶§][ \t]{0,4})?(?=[^\W\d_]|[\"“‘'«(¿¡\[])"
)
"""The number of a verse before its text."""
REPEAT = lazy_pattern(r"(?<=\S)[ \t]{1,4}[(（]([2-9])[)）]\s{0,9}\Z")
"""How often a line is sung, at its end: ``So it was (2)``."""
COMMAND = lazy_pattern(r"[ \t]{0,9}(?:<[^<>\n]{1,160}>[ \t]{0,4}){1,9}\Z")
OF_FILE = lazy_pattern(r"<[^<>\n]*(?:\\|\.[A-Za-z][A-Za-z0-9]{1,3}>)")
"""A line that has only parts in angle brackets, and such a part with a file: ``<bg><hall.png>``."""
LONGEST = 100
FEWEST, FEWEST_CUES, FEWEST_VERSES = 3, 2, 5
SHARE_OF_MARKERS, SHARE_OF_DIRECTIONS, SHARE_OF_ENDS, LEAST_OF_PROSE = 0.3, 0.4, 0.1, 45
"""The least share of lines with markers, the largest of lines in brackets, and the share of lines
of prose that end like sentences, and their characters."""
SHARE_OF_TITLES, SHARE_OF_BRACES = 0.8, 0.5
"""The share of dates with a title below them, and the largest share of lines in braces."""
CLOSING = "\"”’)»'*_ "
NOTES = lazy_pattern(
    r"(?i)(?:(?:(?:translat(?:or|ion|or['’]s)|sources?|speaker['’]?s?|editor(?:ial|['’]s)?|transcri\w{1,6}"
    r"|author['’]?s?|additional|technical|archival|textual|further|useful|related|external|show)"
    r"(?: ?[/&,] ?| (?:and )?)){0,3}(?:notes?|references?|sources?|links?|resources|readings?"
    r"|bibliography|footnotes?|endnotes?|metadata|see also|changelog)\b"
    r"|to-?dos?\b|(?:translation|transcription|verification|review) (?:progress|status|notes?)\b"
    r"|about (?:this|the) (?:transcript\w{0,3}|translation|document|text|file)\b"
    r"|anmerkungen?|quellen(?:angaben)?|literatur(?:verzeichnis)?|weblinks|fußnoten"
    r"|références|liens|bibliographie|remarques du traducteur"
    r"|notas|fuentes|referencias|enlaces|bibliografía|referências|bibliografia|fontes|fonti"
    r"|riferimenti|примечания|источники|ссылки|литература|参考文献|參考文獻|注释|註釋|脚注|出典)"
    r"(?:[ ]?[(（:].{0,100})?\W{0,4}\Z"
)
"""The heading of a section below a text that is none of it: ``Translator's notes``, ``TODO``."""


def notes_below(headings: Sequence[tuple[int, int, str]]) -> int:
    """Return the line of the first heading of notes if no other section is below it; 0 without.

    `headings` are triples: line, level, and title.

    >>> notes_below([(1, 1, "The bridge"), (9, 2, "Sources"), (12, 2, "TODO (later)")])
    9
    >>> notes_below([(1, 1, "Notes"), (9, 1, "The bridge")])
    0
    """
    first, deepest = 0, 0
    for number, level, title in headings:
        if first and level > deepest:
            continue  # a part of the notes
        are_notes = NOTES.match(title) is not None
        first = (first or number) if are_notes else 0
        deepest = level if are_notes else 0
    return first


class BetweenParts:
    """Filter of lines: returns what is spoken of each, and counts what is not.

    Attributes
    ----------
    left: how many lines of each kind were skipped or lost a part, and the first of them.
    """

    def __init__(self, lines: Sequence[str], titles: bool) -> None:
        filled = [line for line in lines if line.strip()]
        self.left: dict[str, tuple[int, str]] = {}
        cues = [match for line in filled if (match := _cue(line))]
        bracketed = sum(map(_is_cue_in_brackets, filled))
        are_notes = any(match["note"] for match in cues)
        count = len(cues) + bracketed
        self.has_cues = (are_notes or count >= FEWEST_CUES) and 2 * count <= len(filled)
        dates = [n for n, line in enumerate(filled) if is_dated(line)]
        self.has_dates = _are_above_texts(dates, filled)
        self.has_titles = self.has_dates and not titles and _have_titles_below(dates, filled, 1)
        rules = [] if titles else [n for n, line in enumerate(filled) if is_rule(line)]
        self.has_ruled = len(rules) >= FEWEST and _have_titles_below(rules, filled, 2)
        braces = sum(line.lstrip()[:1] == "{" and _in_braces(line) for line in filled)
        self.has_braces = FEWEST <= braces <= SHARE_OF_BRACES * len(filled)
        self.has_markers = sum(map(_is_marked, filled)) >= max(
            FEWEST, SHARE_OF_MARKERS * len(filled)
        )
        self.has_brackets = _have_directions(filled)
        self.has_repeats = _have_repeats(filled)
        self.has_commands = sum(map(_is_command, filled)) >= FEWEST
        addresses = sum(map(_is_address, filled))
        self.has_addresses = 0 < 2 * addresses < len(filled)  # more are a list of links
        self.has_verses = are_verses(filled)
        self.is_used = (
            self.has_cues or self.has_dates or self.has_braces or self.has_verses
            or self.has_addresses or self.has_ruled or self.has_markers or self.has_brackets
            or self.has_repeats or self.has_commands
        )  # fmt: skip
        self._is_below_date = self._is_below_cue = self._is_below_rule = False

    def reset(self) -> None:
        """Count from zero again."""
        self.left.clear()
        self._is_below_date = self._is_below_cue = self._is_below_rule = False

    def take(self, line: str) -> str | None:
        """Return what is spoken of a line; `None` for a line that is not spoken."""
        if not line.strip():
            self._is_below_cue = False
            return line
        if kind := self._kind(line):
            self.skip(kind, line)
            return None
        plain = VERSE.sub("", line, count=1) if self.has_verses else line
        plain = MARKER.sub("", plain, count=1) if self.has_markers else plain
        plain = BRACES.sub("", plain) if self.has_braces and "{" in plain else plain
        if plain != line:
            self.skip("verses" if self.has_verses or self.has_markers else "braces", line)
        if self.has_repeats and (match := REPEAT.search(plain)):
            self.skip("repeats", line)
            return plain[: match.start()]
        return plain

    def _kind(self, line: str) -> str:
        """Return the kind of a line that is not spoken; otherwise nothing."""
        is_title, self._is_below_date = self._is_below_date, False
        cue = _cue(line) if self.has_cues else None
        if cue is not None:
            self._is_below_cue = not cue["rest"].strip(" *_`")
            return "cues"
        if self._is_below_cue or (self.has_cues and _is_cue_in_brackets(line)):
            return "cues"
        if self.has_dates and is_dated(line):
            self._is_below_date = self.has_titles
            return "dates"
        if is_title and is_brief(line):
            return "dates"
        was_below_rule, self._is_below_rule = self._is_below_rule, False
        if self.has_ruled and is_rule(line):
            self._is_below_rule = True
            return ""
        if was_below_rule and is_brief(line):
            return "parts"
        if self.has_addresses and _is_address(line):
            return "addresses"
        if self.has_braces and _in_braces(line.lstrip()):
            return "braces"
        if self.has_commands and _is_command(line):
            return "commands"
        if self.has_brackets and _is_direction(line):
            return "brackets"
        if (
            self.has_markers
            and _is_marked(line)
            and (match := MARKER.match(line))
            and match["head"]
        ):
            return "verses"
        return "verses" if self.has_verses and _is_chapter(line) else ""

    def skip(self, kind: str, line: str) -> None:
        """Count a line of a kind that is not spoken, or that has a part that is not."""
        if line.strip():
            count, text = self.left.get(kind, (0, line.strip()))
            self.left[kind] = count + 1, text

    def say(self, source: Source) -> None:
        """Report what is not read as words."""
        for kind, (count, text) in self.left.items():
            source.log.say(TXT_UNSPOKEN[kind], None, lines=count, text=text[:LONGEST])


def _cue(line: str) -> re.Match[str] | None:
    """Return the match of a line for those who speak or show something."""
    return CUE.match(line) if ":" in line[:LONGEST] or "：" in line[:LONGEST] else None


def _is_cue_in_brackets(line: str) -> bool:
    return line.lstrip()[:1] in ("(", "[") and CUE_IN_BRACKETS.match(line) is not None


def _is_marked(line: str) -> bool:
    return line.lstrip()[:1] == "\\" and MARKER.match(line) is not None


def _is_direction(line: str) -> bool:
    """Return True for a line in brackets in which nobody speaks."""
    text = line.strip()
    return (
        text[:1] in ("(", "[") and IN_BRACKETS.match(line) is not None
        and text[-2:-1] not in ("?", "!", "”") and PERSONAL.search(text) is None
    )  # fmt: skip


def _have_directions(lines: Sequence[str]) -> bool:
    """Return True if several lines in brackets are between lines of prose.

    The lines of songs are brief, and some in brackets are sung.

    >>> said = "So the bridge is closed again, and they told me that on Monday."
    >>> _have_directions([said, "(Applause)", said, "(the door)", said, "[Laughter]", *[said] * 9])
    True
    """
    directions = sum(map(_is_direction, lines))
    if not FEWEST <= directions <= SHARE_OF_DIRECTIONS * len(lines):
        return False
    others = [line.strip() for line in lines if line.lstrip()[:1] not in ("(", "[")]
    ended = sum(line.rstrip(CLOSING).endswith(SENTENCE_ENDS) for line in others)
    long = sum(map(len, others)) >= LEAST_OF_PROSE * len(others)
    return long and ended >= SHARE_OF_ENDS * len(others)


def is_brief(line: str) -> bool:
    """Return True for a brief line that is no sentence."""
    line = line.rstrip(CLOSING)
    return len(line) <= LONGEST and not line.endswith((*SENTENCE_ENDS, ",", ";", ":"))


def _are_above_texts(dates: Sequence[int], lines: Sequence[str]) -> bool:
    """Return True if several dates are above longer texts, none of them above another."""
    apart = all(b > a + 1 for a, b in itertools.pairwise((*dates, len(lines))))
    return len(dates) >= FEWEST and apart


def _have_titles_below(dates: Sequence[int], lines: Sequence[str], times: int) -> bool:
    """Return True if nearly all lines below dates or rules are brief titles over longer lines.

    A line below a title has more than so many `times` its characters.
    """
    below = [lines[n + 1 : n + 3] for n in dates if n + 1 < len(lines)]
    titles = sum(
        len(rows) > 1 and is_brief(rows[0]) and times * len(rows[0]) < len(rows[1])
        for rows in below
    )
    return len(below) >= FEWEST and titles >= SHARE_OF_TITLES * len(below)


def _in_braces(line: str) -> bool:
    return line[:1] == "{" and IN_BRACES.match(line) is not None and SONG_PART.match(line) is None


def _is_command(line: str) -> bool:
    """Return True for a line of a game that shows or plays a file."""
    return line.lstrip()[:1] == "<" and bool(COMMAND.match(line)) and bool(OF_FILE.search(line))


def _have_repeats(lines: Sequence[str]) -> bool:
    """Return True if several lines end with how often they are sung, mostly with one number.

    The numbers of notes count up.

    >>> _have_repeats(["So it was (2)", "and so on", "as before"] * 3)
    True
    >>> _have_repeats([line for n in range(2, 6) for line in (f"So it was ({n})", "as before")])
    False
    """
    ended = [
        match[1] for line in lines if line.rstrip()[-1:] in ")）" and (match := REPEAT.search(line))
    ]
    most = max(map(ended.count, ended), default=0)
    return most >= FEWEST and 2 * most > len(ended) and 2 * len(ended) <= len(lines)


def _is_address(line: str) -> bool:
    return ("://" in line[:12] or "www." in line[:8]) and ADDRESS.match(line) is not None


def are_verses(lines: Sequence[str]) -> bool:
    """Return True if nearly all lines begin with the number of a verse, which counts up from 1.

    It begins again below the title of a chapter.

    >>> are_verses(["Luke 5", *[f"{n} and so it was" for n in range(1, 7)]])
    True
    >>> are_verses([f"{n} and so it was" for n in (3, 1, 7, 2, 9, 4)])
    False
    """
    expected = 1
    verses = titles = 0
    for line in lines:
        match = VERSE.match(line) if line.lstrip()[:1].isdigit() else None
        number = int(match[1]) if match else 0
        if number and number in (expected, 1):
            verses, expected = verses + 1, number + 1
        elif not number and _is_chapter(line):
            titles, expected = titles + 1, 1
        else:
            return False
    return titles > 0 and verses >= max(FEWEST_VERSES, 2 * titles)


def _is_chapter(line: str) -> bool:
    """Return True for the title of a chapter of verses: ``Luke 5``, ``Chapter 2``."""
    text = line.strip(" \t#*_.:")
    return len(text) <= LONGEST_DATE and text[-1:].isdigit() and not text[:1].isdigit()
