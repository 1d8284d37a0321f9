"""The words of a plain or Markdown text, without what nobody speaks: its head, rules and marks."""

from __future__ import annotations

import operator
from itertools import groupby, pairwise, takewhile

from formats.nist.between_parts import NOTES, BetweenParts, notes_below
from formats.nist.messages import TXT_LEFT, TXT_MARKDOWN, TXT_TITLES
from formats.nist.titles_above import TitlesAbove, titles_above
from formats.reading.cut_words import compounds_if_cut, with_whole_words
from formats.reading.directions import have_directions, without_directions
from formats.reading.document_heads import LONGEST_HEAD, SETTING, TRANSCRIPTS, head_of_document
from formats.reading.line_beginnings import DASH_FIRST, STAR_FIRST, numbers_first, signs_first
from formats.reading.lines import HEADING, MARKDOWN_SIGN, SITE, front_matter
from formats.reading.marks import TAG_INSIDE, without_entities
from formats.reading.part_titles import (
    CHORD_INSIDE,
    DIRECTIVE,
    LONGEST_TITLE,
    counted_form,
    counts_between,
    have_chords,
    is_of_chords,
    is_part,
    is_rule,
    labels_of_parts,
    verse_numbers,
)
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from formats.io.source import Source

RULE = lazy_pattern(
    r"[ ]{0,3}(?:\\?([-=*_])(?:[ ]{0,2}\\?\1){2,}|`{3,}[\w+-]{0,20}|~{3,}\w{0,20})[ \t]*\Z"
)
LEADING = r"[ \t]*(?:>[ \t]?)*(?:[-*+•‣◦▪●][ \t]+|[0-9]{1,4}[.)][ \t]+)?"
LEAD = lazy_pattern(LEADING)
ADDRESS = r"\([^()\s]{0,400}(?:[ ]\"[^\"]{0,200}\")?\)"
MARKS = lazy_pattern(
    rf"\[?!\[[^\[\]]{{0,300}}\]{ADDRESS}(?:\]{ADDRESS})?"
    rf"|\[(?P<text>[^\[\]]{{0,300}})\]{ADDRESS}|\\(?P<sign>{MARKDOWN_SIGN})|[ ]?\\\Z"
    r"|!?\[\[[^\[\]|\n]{1,200}\|(?P<page>[^\[\]|\n]{1,200})\]\]"
    r"|<!--[^>]{0,400}-->|</?[a-zA-Z][a-zA-Z0-9]{0,15}[ ]?/?>|\*\*|__|`"
    r"|(?<![\w*])[*_](?=\w)|(?<=[\w.,;:!?…])[*_](?![\w*])"
)
"""Marks of Markdown, with pictures and what describes them; of a link, its text is left."""
IN_BOLD = lazy_pattern(
    r"[ ]{0,3}\*\*(?:[^*\n]{1,160}(?<![.!?…,;:。])|[^*\n.!?]{1,40}[:：])\*\*[:：]?[ \t]*\Z"
)
"""A line in bold that is no sentence, and therefore a title; it may end with a colon if brief."""
LINK_INSIDE = lazy_pattern(rf"{LEADING}\[[^\[\]]{{1,300}}\]\(#[^()\s]{{0,300}}\)\s*\Z")
"""An entry of a table of contents."""
TRANSCRIPT = lazy_pattern(rf"(?i)[ ]{{0,3}}#{{1,6}}[ \t].{{0,30}}(?:{TRANSCRIPTS})")
"""A heading below which a transcript begins."""
BOLD = lazy_pattern(r"(?<![\w-])(\*\*|__)\S.{0,200}?\1(?!\w)")
LONGEST_HEADING = 300
"""Characters of the longest heading; a longer line with its sign is a paragraph."""
FEWEST_HEADINGS, FEWEST_BOLD = 2, 3
"""The fewest headings, or lines with a bold part, that show Markdown."""
LIST_SIGN = lazy_pattern(
    rf"\s*(?:(?:[-*+>•‣◦▪●–—]{{1,3}}|->|\[[ xX]?\])(?:[ \t\xa0]+|\Z)|{DASH_FIRST}|{STAR_FIRST})"
)
FENCES = frozenset(("```", "~~~"))
FENCE = lazy_pattern(r"[ \t]{0,9}(?:`{3,}|~{3,})[ ]?[\w+#-]{0,20}[ \t]*\Z")
TEXT, TEXT_BLOCK, CODE_BLOCK = range(3)
"""What is between fences of Markdown, and outside."""
CODE = lazy_pattern(
    r"(?i)(?:`{3,}|~{3,})[ ]?(?!te?xt|md|markdown|transcript|plain)[a-z][\w+#-]{0,20}\Z"
)
"""A fence above code with the name of its language."""
QUESTION = frozenset("?？؟")
QUOTES, ENDS_OF_SPEECH = (
    ('"', "“", "«", "<"),
    (".", "!", "?", "…", ",", ";", ":", "-", "–", "—", "。"),
)
CUE_ID = (
    r"(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:/[0-9]{1,9}-[0-9]{1,4})?(?![\w-])"
)
CUE_IDS = lazy_pattern(rf"(?i){CUE_ID}")
"""The identifier of a cue, as Teams writes it before each text."""
NUMBER_TAG = r"(?<!\S)<[0-9]{1,3}>(?!\S)"
HAS_NUMBER_TAG = lazy_pattern(NUMBER_TAG)
"""A number in angle brackets between parts of a text: ``<2>``."""
VALUE_TAG = r"<[A-Za-z]{1,12}:[^<>\s/]{1,20}>"
HAS_VALUE_TAG = lazy_pattern(VALUE_TAG)
"""A name and a value in angle brackets, as between the texts of a game: ``<wait:2>``."""
TAG_ALONE = lazy_pattern(r"\s{0,9}<[A-Za-z]{1,12}>\s{0,9}\Z")
"""A name in angle brackets alone, as beside such values."""
CUE_SIGN = r"([©®►▶■●◆★▲→⇒☛✂➤※•]) ?\[[^\[\]\n]{1,60}\]"
HAS_CUE_SIGN = lazy_pattern(CUE_SIGN)
"""A sign and a part in brackets inside a text, as for what is shown with it: ``► [map]``."""
FEWEST_CUES = 5
HEX_CODES = lazy_pattern(r"(?:\{\$?[0-9A-F]{2,4}\}|<\$[0-9A-F]{2,4}>){1,99}")
"""Codes of bytes between words, as in the texts of old games: ``so{03}{14}it was{00}``."""
MARK_INSIDE = lazy_pattern(
    rf"(?i){CUE_ID}|{TAG_INSIDE}|{NUMBER_TAG}|{VALUE_TAG}"
    r"|<(?:[bisu]|em|strong|font)(?: [^<>]{0,60})?>|(?<!\S)>>+(?!\S)"
)
"""A tag of subtitles, an identifier, a border of a sentence, or the sign of another speaker."""
BRACE_TAG = lazy_pattern(
    r"\{/?(?:[ibusk]|color|size|font|alpha|cps|plain|w|(?P<break>p|nw))(?:=[^{}\s]{1,40})?\}"
)
"""A tag of the text of a game in braces: ``{i}softly{/i}``, ``{color=#f00}``."""
FEWEST_AGAIN, SHARE_OF_RUNS = 10, 0.95
"""The fewest lines that all return at once, and the share of them that return equally often."""
ENDS_OF_TAGS = ("</s>", "</i>", "</b>", "</u>", "</em>", "</strong>", "</font>", ">> ", "<_")
LIST_NUMBER = lazy_pattern(r"\s*[0-9]{1,6}[.)、．](?:[ \t\xa0]+|(?![0-9])(?=\S))")

PAGE_OF_SONG = lazy_pattern(
    r"(?i)\s{0,9}(?:(?P<more>you might also like)|see (?:upcoming )?.{1,60} (?:live|shows)"
    r"|get tickets (?:as low as \$[0-9]{1,6}|for your favorite artists))\s{0,9}\Z"
)
COUNT_OF_PAGE = lazy_pattern(r"(?<=\S)[0-9]{1,6}Embed\s{0,9}\Z")
MOST_OF_PAGE, SHARE_OF_CAPITALS = 8, 0.5
"""Lines of the page of a song that nobody sings: titles of other songs may be below one, and half
of their words, but the first of each line, have capitals."""
BARE_NUMBER = lazy_pattern(r"\s*[\[(#]?([0-9]{1,6})[\])]?[ \t]{0,9}[:|–-]?[ \t]*(?=[^\W\d_])")
FEWEST_NUMBERED_LINES = 5
"""The number of a line in any signs, and the fewest lines that all have their own."""
FAILURE = lazy_pattern(
    r"(?i)(?:[\[(<]?error[:!]? {1,3}|\*{1,3}|[\[(]{1,2})"
    r"(?:could not|couldn.t|cannot|can.t|failed to|unable to) .{0,40}"
    r"(?:transcri|recogni|audio|understand|process|speech).{0,80}\Z"
)
"""A line in which a program tells that it did not hear anything, also between stars."""
QUOTED_TITLE = lazy_pattern(
    r"(?:\"[^\"\n]{1,60}\"|“[^“”\n]{1,60}”|«[^«»\n]{1,60}»|<[^\W\d_a-z][^<>=/\n]{1,60}>)\s{0,9}\Z"
)
FEWEST_QUOTED, MOST_QUOTED, SHARE_OF_BARE = 3, 0.15, 0.8
"""A title in quotes or angle brackets, the fewest of them above parts, their largest share of the
lines, and the share of them that end no sentence."""
HEADING_IN_LENSES = lazy_pattern(r"[ \t]{0,9}【[^【】\n：:（(]{1,20}】\s{0,9}\Z")
FEWEST_IN_LENSES, MOST_IN_LENSES = 2, 0.3
"""A heading in Chinese or Japanese, the fewest of them, and their largest share of the lines."""
PICTURE = (
    "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u23e9-\u23fa\u25a0-\u25ff\u2600-\u2668"
    "\u2670-\u27bf\u2b00-\u2bff][\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\ufe0f\u200d\u2600-\u2668]{0,6}"
)
PICTURE_FIRST = lazy_pattern(rf"\s{{0,20}}{PICTURE}[ \t]{{1,4}}(?=\S)")
FEWEST_PICTURES, SHARE_OF_PICTURES = 5, 0.5
"""A picture before a line, such as the flag of a language, the fewest lines with one, and their
least share of the lines."""
PAUSE_ALONE = lazy_pattern(
    r"[\[(<][^\[\]()<>\n0-9]{0,30}[0-9]{1,5}(?:[.,][0-9]{1,3})?[ ]?"
    r"(?:ms|s|secs?|seconds?|min|毫秒|秒|초|секунды?|сек)[^\[\]()<>\n0-9]{0,20}[\])>]\s{0,9}\Z"
)
"""A pause with its length in brackets: ``[pause 2s]``."""
TIME_ALONE = lazy_pattern(
    r"[\[(<][ ]?[0-9]{1,3}(?::[0-9]{2}){1,2}(?:[.,][0-9]{1,9})?[ ]?[\])>]\s{0,9}\Z"
)
"""A line that has only a time in brackets."""


def is_markdown(lines: Sequence[str]) -> bool:
    """Return True if lines have several headings or bold parts of Markdown.

    >>> is_markdown(["# A talk", "so it was", "## The end"]), is_markdown(["so it was", "# 1"])
    (True, False)
    """
    headings = sum(line[:1] == "#" and HEADING.match(line) is not None for line in lines)
    bold = sum(BOLD.search(line) is not None for line in lines if "**" in line or "__" in line)
    return headings >= FEWEST_HEADINGS or bold >= FEWEST_BOLD


BREAK = lazy_pattern(r"(?i)<br[ ]?/?>")
"""A tag of HTML between two lines."""
ID_ALONE = lazy_pattern(
    r"[ \t]{0,9}(?:[#@$:]{1,2}|~[ ]?|\[(?=[^\[\]\s]{1,60}\]\s{0,9}\Z))"
    r"(?=[^\s]{0,60}[\w])[A-Za-z][\w.:/-]{1,60}:?\]?\s{0,9}\Z"
)
"""A line that is only an identifier behind a sign, as above speeches of a game: ``#shop_bye``."""
RUBY = lazy_pattern(
    r"[｜|]?(?<=[\u3005\u3400-\u9fff])《[\u3041-\u309f\u30a0-\u30ff]{1,20}》|［＃[^［］\n]{1,80}］"
    r"|｜(?=[^｜《》\n]{1,20}《)"
)
FEWEST_RUBY = 3
"""How words are read, in a Japanese text, and notes of its typists; the fewest of them."""
FEWEST_IDS, MOST_UNLIKE = 3, 0.5
"""The fewest identifiers alone, and how many may be plain words, such as the topics of posts."""


def ids_alone(lines: Sequence[str]) -> list[str]:
    """Return the lines that are only identifiers if they all differ and are above other lines.

    Half of them have a sign or a digit inside, which the topic of a post does not have.

    >>> ids_alone(["#shop_hello", "Hi!", "#shop_bye", "Bye.", "#end_1", "So it was."])
    ['#shop_hello', '#shop_bye', '#end_1']
    >>> ids_alone(["So it was.", "#love", "Well.", "#peace", "Oh.", "#joy"])
    []
    """
    filled = [line.strip() for line in lines if line.strip()]
    identifiers = [line for line in filled if line[0] in "#@$:~[" and ID_ALONE.match(line)]
    if len(identifiers) < FEWEST_IDS or len(set(identifiers)) < len(identifiers):
        return []
    coded = [line for line in identifiers if not line.strip("#@$:~[] ").isalpha()]
    above = sum(
        first in identifiers and below not in identifiers for first, below in pairwise(filled)
    )
    is_likely = above >= len(identifiers) - 1 and len({line[0] for line in identifiers}) == 1
    return identifiers if is_likely and len(coded) > MOST_UNLIKE * len(identifiers) else []


NUMBER_OF_QUESTION = lazy_pattern(r"\A[ #]{1,12}(?:[0-9]{1,3}[.)][ \t]{1,4}(?=[^\W\d_]))?")
"""What precedes the words of a heading: its signs and its number."""
FEWEST_QUESTIONS, SHARE_OF_QUESTIONS = 3, 0.7
"""The fewest headings that are questions, and their share, if an interview has them as headings."""


def line_has_number_tag(line: str) -> bool:
    """Return True if a line has a number in angle brackets that is a word of its own."""
    return ">" in line and HAS_NUMBER_TAG.search(line) is not None


def _is_no_text(line: str) -> bool:
    """Return True for a rule, a setting, a failure in signs, a time or number, or a copyright."""
    if is_rule(line):
        return True
    line = line.lstrip()
    if line[:1] in ("*", "[", "(") and len(line) <= LONGEST_TITLE and FAILURE.match(line):
        return True
    if line[:1] in ("[", "<", "{", "("):
        patterns = SETTING.match, TIME_ALONE.match, PAUSE_ALONE.match
        is_number = HAS_NUMBER_TAG.fullmatch(line.strip()) is not None
        return is_number or any(match(line) for match in patterns)
    return line[:1] == "©" and len(line) <= LONGEST_HEADING


def have_quoted_titles(lines: Sequence[str]) -> bool:
    """Return True if several brief lines in quotes are paragraphs of their own, as titles of songs.

    They differ, and nearly all of them end no sentence, unlike what somebody says.

    >>> verse = ["", *["so it was", "and so"] * 6, ""]
    >>> songs = [row for n in "abc" for row in (f'"Song {n}"', *verse)]
    >>> have_quoted_titles(songs), have_quoted_titles(['"So it was."', "", "Ann said.", ""] * 5)
    (True, False)
    """
    filled = [line.strip() for line in lines]
    titles = [
        line[1:-1] for above, line, below in zip(("", *filled), filled, filled[1:], strict=False)
        if line[:1] in QUOTES and not above and not below and QUOTED_TITLE.match(line)
    ]  # fmt: skip
    bare = sum(not title.endswith(ENDS_OF_SPEECH) and not title[0].islower() for title in titles)
    most = MOST_QUOTED * sum(map(bool, filled))
    are_few = FEWEST_QUOTED <= len(titles) <= most
    are_different = len({*titles}) >= SHARE_OF_BARE * len(titles)
    return are_few and are_different and bare >= SHARE_OF_BARE * len(titles)


def have_pictures(lines: Sequence[str]) -> bool:
    """Return True if most lines begin with a picture, such as the flag of a language.

    >>> have_pictures(["🎤 so it was", "🎧 and so on"] * 3), have_pictures(["so it was 🎤"] * 6)
    (True, False)
    """
    pictured = sum(not line.isascii() and PICTURE_FIRST.match(line) is not None for line in lines)
    return pictured >= max(FEWEST_PICTURES, SHARE_OF_PICTURES * sum(map(bool, lines)))


def is_question(line: str) -> bool:
    """Return True for a line that ends in a question mark, perhaps before a mark of Markdown."""
    return line.rstrip(" \t*_#")[-1:] in QUESTION


def are_questions(headings: Iterable[str]) -> bool:
    """Return True if most headings are questions, as those of an interviewer.

    >>> are_questions(["# Ann Ex", "## Why?", "## And then?", "## What is next?"])
    True
    """
    asked = [is_question(heading) for heading in headings]
    return sum(asked) >= max(FEWEST_QUESTIONS, SHARE_OF_QUESTIONS * len(asked))


END_OF_RELEASE = lazy_pattern(r"\s{0,80}(?:#[ ]?#[ ]?#|-[ ]?30[ ]?-)\s{0,9}\Z")
"""The mark at the end of a text for the press."""
MOST_BELOW, MOST_LINES_BELOW = 0.15, 10
"""The largest share of a text below such a mark, and the most lines."""


def _end_of_release(lines: Sequence[str]) -> int:
    """Return the number of the mark that ends a text for the press; 0 without one.

    >>> _end_of_release([*["So it was, and nobody said why."] * 20, "# # #", "Contact: Ann"])
    21
    """
    marks = [
        n
        for n, line in enumerate(lines, 1)
        if line.strip()[:1] in ("#", "-") and END_OF_RELEASE.match(line)
    ]
    below = [line for line in lines[marks[-1] :] if line.strip()] if marks else []
    is_end = len(marks) == 1 and 0 < len(below) <= MOST_LINES_BELOW
    return marks[0] if is_end and sum(map(len, below)) <= MOST_BELOW * sum(map(len, lines)) else 0


def lists_songs(lines: Sequence[str]) -> bool:
    """Return True if the page of a song lists other songs where it says what one may like.

    Otherwise the song goes on there.

    >>> more = ["You might also like"]
    >>> lists_songs([*more, "The Long Road", "Ann Lee", "", *more, "Low Lamp", "The Bells", ""])
    True
    >>> lists_songs([*more, "The road is long", "and so am I", ""])
    False
    """
    words: list[str] = []
    for n, line in enumerate(lines):
        page = PAGE_OF_SONG.match(line) if len(line) <= LONGEST_TITLE else None
        if page is not None and page["more"]:
            below = takewhile(_is_of_verse, lines[n + 1 : n + 1 + MOST_OF_PAGE])
            words += (word for one in below for word in one.split()[1:])
    capitals = sum(word.lstrip("(\"'‘“")[:1].isupper() for word in words)
    return capitals >= SHARE_OF_CAPITALS * len(words)


def _is_of_verse(line: str) -> bool:
    """Return True for a line with words that is no heading of a part."""
    return bool(line.strip()) and not is_part(line, True)


class PlainText:
    """Filter of the lines of a text: yields lines with words, counts rules and marks of lists.

    Attributes
    ----------
    front: the number of the last line of the head.
    above: the titles below the head, and the name of the only speaker.
    begin: the number of the last line above the text.
    first: the first line with words, in the head or below it.
    rules: how many lines were skipped that only separate, or are settings in brackets.
    marks: how many lines lost the sign or the number with which they began.
    tags: how many lines lost tags, identifiers of cues, or signs of another speaker.
    site: how many lines lost what a site of lyrics adds.
    chords: how many lines are only chords, or lost chords in brackets.
    ids: how many lines were skipped that are only identifiers.
    directions: how many lines lost directions in square brackets.
    cut: how many lines end in a word that went on on the next line.
    again: how many lines repeat the line above, if all lines do.
    """

    def __init__(self, head: list[str], titles: bool) -> None:
        self.first = next(filter(str.strip, head), "")
        self.is_of_site = " Contributor" in "".join(head[:1]) and bool(SITE.match(head[0]))
        head = [SITE.sub("", line) for line in head] if self.is_of_site else head
        last = head_of_document(head)
        self.front = last if any(map(str.strip, head[last:])) else 0
        self.above = titles_above(head[self.front :], titles=titles)
        self.begin = self.front + self.above.last
        self.rules = self.marks = self.tags = self.site = self.chords = self.ids = 0
        self.directions = self.cut = self.again = 0
        self.is_rolling = are_rolling(head[self.begin :])
        self.has_braces = any("{/" in line and bool(BRACE_TAG.search(line)) for line in head)
        self.identifiers = frozenset(ids_alone(head[self.begin :]))
        self.has_breaks = any("<" in line and BREAK.search(line) is not None for line in head)
        self.has_chords = have_chords(head)
        self.counts = counts_between(head[self.begin :])
        self.verse_number = verse_numbers(head[self.begin :])
        self.is_tagged = any(end in line for line in head if ">" in line for end in ENDS_OF_TAGS)
        self.is_tagged = self.is_tagged or sum(map(line_has_number_tag, head)) > 1
        self.has_values = sum("<" in line and bool(HAS_VALUE_TAG.search(line)) for line in head) > 1
        self.is_tagged = self.is_tagged or self.has_values
        cues = sum(len(HAS_CUE_SIGN.findall(line)) for line in head if "[" in line)
        self.has_cues = cues >= FEWEST_CUES
        codes = sum(len(HEX_CODES.findall(line)) for line in head if "{" in line or "<$" in line)
        self.has_codes = codes >= FEWEST_CUES
        ruby = sum(len(RUBY.findall(line)) for line in head if "《" in line or "［＃" in line)
        self.has_ruby = ruby >= FEWEST_RUBY
        self.has_ids = any("-" in line and CUE_IDS.search(line) is not None for line in head)
        is_above = map(operator.not_, map(str.strip, ["", *head]))
        self.is_in_parts = sum(map(is_part, head, is_above)) > 1
        self.labels = labels_of_parts(head) if self.is_in_parts else frozenset[str]()
        self.most_of_page = MOST_OF_PAGE if self.is_in_parts and lists_songs(head) else 0
        self.compounds = compounds_if_cut(head[self.begin :])
        self.end = _end_of_release(head)
        self.between = BetweenParts(head[self.begin :], titles)
        filled = [line.strip() for line in head[self.begin :] if line.strip()]
        numbers = numbers_first(filled)
        signs = signs_first(filled)
        self.is_list = bool(signs)
        self.is_counted = bool(numbers) and not any(number.isdigit() for number in numbers)
        bare = [match[1] for line in filled if (match := BARE_NUMBER.match(line))]
        counts = [list(map(str, range(n, n + len(filled)))) for n in (0, 1)]
        self.is_numbered = bare in counts and len(filled) >= FEWEST_NUMBERED_LINES
        self.has_quoted = have_quoted_titles(head[self.begin :])
        self.has_pictures = have_pictures(filled)
        self.direction_signs = have_directions(filled)
        headed = sum(line[0] == "【" and bool(HEADING_IN_LENSES.match(line)) for line in filled)
        self.has_headings = FEWEST_IN_LENSES <= headed <= MOST_IN_LENSES * len(filled)

    is_markdown = False

    def sample(self, head: list[str]) -> list[str]:
        """Return the lines with words among the first ones, and count from zero again."""
        lines = list(self.take(self._once(without_entities(enumerate(head, 1)))))
        self.rules = self.marks = self.tags = self.site = self.chords = self.ids = 0
        self.directions = self.cut = self.again = 0
        self.between.reset()
        return lines

    def spoken(self, lines: Iterable[tuple[int, str]]) -> Iterator[str]:
        """Yield the lines with words, with characters in place of entities of HTML."""
        spoken = self.take(self._once(without_entities(lines)))
        return spoken if self.compounds is None else self._with_whole_words(spoken)

    def _once(self, lines: Iterable[tuple[int, str]]) -> Iterable[tuple[int, str]]:
        """Return lines without those that repeat the one above, if all lines do."""
        return self._without_repeats(lines) if self.is_rolling else lines

    def _without_repeats(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield lines without those that repeat the one above; count these."""
        above = ""
        for number, line in lines:
            text = line.strip()
            if text and text == above:
                self.again += 1
            else:
                yield number, line
            above = text or above

    def _with_whole_words(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines with the rests of words that are cut at their ends; count these."""
        for _, line, is_joined in with_whole_words(enumerate(lines), self.compounds or ()):
            self.cut += is_joined
            yield line

    def say(self, source: Source) -> None:
        """Report what was skipped."""
        counts = {"head": self.front, "rules": self.rules, "marks": self.marks}
        counts |= {"tags": self.tags, "site": self.site, "chords": self.chords}
        counts |= {"ids": self.ids, "directions": self.directions, "cut": self.cut}
        counts |= {"again": self.again}
        for kind, lines in counts.items():
            if lines:
                source.log.say(TXT_LEFT[kind], None, lines=lines)
        self.between.say(source)
        say_titles(source, self.above, self.front)

    def take(self, lines: Iterable[tuple[int, str]]) -> Iterator[str]:
        """Yield the lines without rules and marks of lists; skip the head of the document."""
        marks = [(LIST_SIGN, self.is_list), (LIST_NUMBER, self.is_counted)]
        marks += [(BARE_NUMBER, self.is_numbered), (PICTURE_FIRST, self.has_pictures)]
        patterns = [pattern for pattern, is_used in marks if is_used]
        is_below_blank = True
        of_page = 0
        for number, line in lines:
            if number <= self.begin:
                continue
            if self.end and number > self.end:
                self.between.skip("notes", line)
                continue
            if self.is_in_parts:
                page = PAGE_OF_SONG.match(line) if len(line) <= LONGEST_TITLE else None
                is_end = not line.strip() or is_part(line, is_below_blank)
                of_page = 0 if is_end else max(0, of_page - 1)
                if page is not None:
                    of_page = self.most_of_page if page["more"] else of_page
                if of_page or page is not None:
                    self.site += 1
                    continue
                if not self.is_of_site:
                    line, count = COUNT_OF_PAGE.subn("", line)
                    self.site += count > 0
            if self.is_of_site:
                line, count = SITE.subn("", line)
                self.site += count > 0
            if self.identifiers and self._is_identifier(line):
                self.ids += 1
                continue
            line = self._without_tags(line)
            if self.between.is_used:
                if (spoken := self.between.take(line)) is None:
                    continue
                line = spoken
            if self.verse_number is not None:
                line, plain = self.verse_number.sub("", line), line
                self.marks += plain != line
            if self.has_chords:
                line, count = CHORD_INSIDE.subn("", line)
                is_left = is_of_chords(line) or (count > 0 and not line.strip())
                self.chords += is_left or count > 0
                if is_left or DIRECTIVE.match(line):
                    continue
            was_below_blank, is_below_blank = is_below_blank, not line.strip()
            if self._is_between(line, is_below_blank=was_below_blank):
                self.rules += 1
                continue
            if line.lstrip()[:1].isalpha():
                if line[:1] in "Ee" and len(line) <= LONGEST_TITLE and FAILURE.match(line):
                    self.rules += 1
                    continue
                yield line
                continue
            if _is_no_text(line):
                self.rules += 1
                continue
            mark = next(filter(None, (pattern.match(line) for pattern in patterns)), None)
            self.marks += mark is not None
            yield line[mark.end() :] if mark is not None else line

    def _without_tags(self, line: str) -> str:
        """Return a line without tags, identifiers and directions, with a blank for ``<br>``."""
        plain = BREAK.sub(" ", line) if self.has_breaks and "<" in line else line
        if (self.is_tagged and ">" in line) or self.has_ids:
            plain = MARK_INSIDE.sub("", plain)
        if self.has_braces and "{" in plain:
            plain = BRACE_TAG.sub(_blank_of_break, plain)
        if self.has_cues and "[" in plain:
            plain = HAS_CUE_SIGN.sub("", plain)
        if self.has_ruby:
            plain = RUBY.sub("", plain)
        if self.has_codes:
            plain = HEX_CODES.sub(" ", plain)
        if self.has_values and ">" in plain and TAG_ALONE.match(plain):
            plain = ""
        self.tags += plain != line
        if self.direction_signs:
            plain, left = without_directions(plain, self.direction_signs)
            self.directions += bool(left)
        return plain

    def _is_identifier(self, line: str) -> bool:
        """Return True for a line that is only an identifier, also below those of the head."""
        line = line.strip()
        return line in self.identifiers or (
            line[:1] in "#@$:~[" and ID_ALONE.match(line) is not None
            and line[0] == next(iter(self.identifiers))[0]
        )  # fmt: skip

    def _is_between(self, line: str, *, is_below_blank: bool) -> bool:
        """Return True for the name or title of a part, or a number of a slide, page or stanza."""
        if len(line) > LONGEST_TITLE:
            return False
        counted = counted_form(line) if self.counts else None
        is_counted = counted is not None and counted[0] in self.counts
        is_title = self.has_quoted and is_below_blank and QUOTED_TITLE.match(line) is not None
        is_title = is_title or (self.has_headings and HEADING_IN_LENSES.match(line) is not None)
        return (
            is_counted
            or is_title
            or (self.is_in_parts and (is_part(line, is_below_blank) or line.strip() in self.labels))
        )


def are_rolling(lines: Sequence[str]) -> bool:
    """Return True if nearly all lines are there equally often, one copy below the other.

    >>> said = [f"line {n}" for n in range(10)]
    >>> are_rolling([line for line in said for _ in range(3)]), are_rolling(["la", "la", *said])
    (True, False)
    """
    filled = list(filter(None, map(str.strip, lines)))
    if len(filled) < 2 * FEWEST_AGAIN or filled[0] != filled[1]:
        return False
    runs = [len(list(copies)) for _, copies in groupby(filled)]
    often = runs[0]
    alike = sum(size % often == 0 for size in runs[:-1])  # the first lines may end within a run
    return len(runs) >= FEWEST_AGAIN and alike >= SHARE_OF_RUNS * (len(runs) - 1)


def _blank_of_break(match: re.Match[str]) -> str:
    """Return what a tag in braces shows: a blank for the break of a line."""
    return " " if match["break"] else ""


def say_titles(source: Source, above: TitlesAbove, front: int) -> None:
    """Report the titles above a text and below its head, and the name of the only speaker."""
    if above.lines:
        kind = "titles" if above.speaker is None else "speaker"
        source.log.say(
            TXT_TITLES[kind], front + 1, lines=above.lines, text=above.text,
            **({} if above.speaker is None else {"speaker": above.speaker}),
        )  # fmt: skip


def _below_notes(head: list[str], front: int) -> int:
    """Return the number of the last line of quotes and tables above a longer text, if any."""
    last = front
    for number, line in enumerate(head[front : front + LONGEST_HEAD], front + 1):
        if line.lstrip()[:1] in (">", "|"):
            last = number
        elif line.strip() and not any(p.match(line) for p in (RULE, HEADING, IN_BOLD)):
            break
    size = sum(map(len, head[front:last]))
    return last if size < sum(map(len, head[last:])) else front


def _without_marks(line: str) -> str:
    """Return a line without marks of Markdown, also without those in the text of a link.

    >>> _without_marks("*so it was* [**then**](https://a.example)"), _without_marks("*by Ann ⚡*")
    ('so it was then', 'by Ann ⚡')
    >>> _without_marks("on [[places/bridge|our bridge]] [[laughs]]")
    'on our bridge [[laughs]]'
    """
    plain = MARKS.sub(_kept_of_mark, line)
    sign = line[:1]
    is_whole = sign in ("*", "_") and line.rstrip().endswith(sign)
    end = plain.rstrip()
    return end[:-1] if is_whole and end[-1:] == sign and sign not in end[:-1] else plain


def _kept_of_mark(match: re.Match[str]) -> str:
    """Return what a mark of Markdown shows: the text of a link, or the sign behind a backslash."""
    return (match["text"] or match["page"] or match["sign"] or "").replace("**", "")


def _is_fence(line: str) -> bool:
    """Return True for a line above or below a block of code or text."""
    return line.lstrip()[:3] in FENCES and FENCE.match(line) is not None


def _level(heading: str) -> int:
    """Return how many signs a heading has."""
    heading = heading.lstrip()
    return len(heading) - len(heading.lstrip("#"))


def _title(heading: str) -> str:
    """Return the words of a heading."""
    return heading.strip("# \t*_")


def _first_note(head: list[str], begin: int) -> int:
    """Return the line of the heading of notes below a longer text; 0 without notes."""
    headings = [
        (n, _level(line), _title(line))
        for n, line in enumerate(head[begin:], begin + 1) if HEADING.match(line)
    ]  # fmt: skip
    first = notes_below(headings)
    above = sum(len(line) for line in head[begin : first - 1] if not HEADING.match(line))
    return first if above > sum(map(len, head[first:])) else 0


class MarkdownText:
    """Filter of Markdown lines: yields the lines with words, and counts all other lines."""

    def __init__(self, head: list[str], titles: bool) -> None:
        self.first = next(filter(str.strip, head), "")
        front = front_matter(head)
        last = head_of_document(head, front, is_markdown=True) or front
        front = last if any(map(str.strip, head[last:])) else front
        front = _below_notes(head, front)
        below = (n for n, line in enumerate(head[:LONGEST_HEAD], 1) if TRANSCRIPT.match(line))
        begin = next((n for n in below if n > front and any(map(str.strip, head[n:]))), 0)
        self.front = begin if any(map(str.strip, head[front:begin])) else front
        self.above = titles_above(head[self.front :], titles=titles)
        self.begin = self.front + self.above.last
        self.headings = 0
        self.between = BetweenParts(head[self.begin :], titles)
        self.first_note = _first_note(head, self.begin)
        fences = [*filter(_is_fence, head)]
        self.has_code = len(fences) % 2 == 0 and any(CODE.match(line.strip()) for line in fences)
        self.are_asked = are_questions(line for line in head[self.front :] if HEADING.match(line))
        self.has_text = True
        self.has_text = any(map(str.strip, self.sample(head)))

    is_markdown = True

    def sample(self, head: list[str]) -> list[str]:
        """Return the lines with words among the first ones, and count from zero again."""
        lines = list(self.take(without_entities(enumerate(head, 1))))
        self.headings = 0
        self.between.reset()
        return lines

    def spoken(self, lines: Iterable[tuple[int, str]]) -> Iterator[str]:
        """Yield the lines with words, with characters in place of entities of HTML."""
        return self.take(without_entities(lines))

    def say(self, source: Source) -> None:
        """Report what was skipped."""
        source.log.say(TXT_MARKDOWN, 1, lines=self.front, headings=self.headings)
        self.between.say(source)
        say_titles(source, self.above, self.front)

    def _begins_code(self, fence: str) -> bool:
        """Return True if code is below a fence: it names a language, or other fences do."""
        fence = fence.strip()
        return CODE.match(fence) is not None or (self.has_code and fence in FENCES)

    def take(self, lines: Iterable[tuple[int, str]]) -> Iterator[str]:
        """Yield the lines without Markdown marks; skip front matter, headings, notes and rules."""
        notes = 0  # the level of the heading of notes
        block = TEXT
        for number, line in lines:
            if is_fence := _is_fence(line):
                block = TEXT if block else CODE_BLOCK if self._begins_code(line) else TEXT_BLOCK
            elif block == CODE_BLOCK and number > self.begin:
                self.between.skip("code", line)
            if is_fence or block == CODE_BLOCK or number <= self.begin or RULE.match(line):
                continue
            heading = HEADING.match(line)
            if self.first_note and number >= self.first_note:
                if heading is not None and (not notes or _level(line) <= notes):
                    notes = _level(line) if NOTES.match(_title(line)) else 0
                if notes:
                    self.between.skip("notes", line)
                    continue
            is_title = (
                heading is not None or ("](#" in line and LINK_INSIDE.match(line) is not None)
                or ("**" in line and (IN_BOLD.match(line) or FAILURE.match(line)) is not None)
            ) and len(line) <= LONGEST_HEADING  # fmt: skip
            is_title = is_title and not (self.are_asked and is_question(line))
            if is_title and (self.has_text or TRANSCRIPT.match(line)):
                self.headings += 1
                continue
            if self.between.is_used:
                if (spoken := self.between.take(line)) is None:
                    continue
                line = spoken
            line = NUMBER_OF_QUESTION.sub("", line) if heading is not None else line
            lead = LEAD.match(line)
            bare = line[lead.end() :] if lead else line
            yield _without_marks(bare)
