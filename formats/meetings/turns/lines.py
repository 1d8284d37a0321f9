"""The lines of a text in normalised form, with properties that do not depend on the layout.

The head of a turn is the beginning of its line: the name, the times, or both. A position is the
index of a line, from 0. A name repeats if it begins several turns.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from formats.meetings.layouts import NAME_AND_ROLE, TextLayout, fold
from formats.meetings.turns.heads import (
    CLOCK,
    NO_SPEAKERS,
    UNTIMED,
    UNTIMED_MARKDOWN,
    TurnHead,
    any_untimed,
    head_of,
    row_of,
)
from formats.meetings.turns.margins import margins
from formats.meetings.turns.persons import role_of, shorter_names, without_role
from formats.meetings.turns.places import (
    BESIDE,
    BRACKETED,
    times_of,
    with_times_before_names,
    with_times_behind_first,
)
from formats.meetings.turns.plain import (
    LEAST,
    LEAST_NUMBERED,
    LONGEST_PART,
    LONGEST_TIMES,
    MOST_ALIKE,
    SAMPLE,
    SEPARATED,
    STAMP_FIRST,
    TIMES_ALONE,
    Lines,
    plain_lines,
    with_times_first,
    without_numbers,
)
from formats.reading.lines import HEADING, LONGEST_FRONT, SENTENCE_ENDS, front_matter
from formats.reading.patterns import parse_stamp
from formats.reading.remains import NOTICE_OF_SERVICE
from formats.reading.speakers import (
    HEAD_NAMES,
    MINUTES_NAMES,
    NOBODY,
    NOTATIONS,
    is_label,
    is_name,
)
from formats.schema import lazy_pattern
from formats.schema.times import SECOND

HALF = r"(?:[ ]?[AaPp]\.?[Mm]\.?)?"
LONE = lazy_pattern(
    rf"(?:#{{1,6}}[ ]{{0,9}})?\[?({CLOCK}{HALF})\]?"
    rf"(?:[ ]?[-–—][ ]?{CLOCK}{HALF}\]?[ ]?[|:][ ]?[A-Z][^|\n.?!]{{1,80}})?\Z"
)
"""A time alone, or the times and the title of a part: ``2:00 - 5:00 | The plan``."""
DATA = lazy_pattern(r"[^{}\n]{0,60}\{\"[^\"\n]{1,60}\":[ ].*\}\Z")
"""An object of JSON, perhaps behind a name."""
DIRECTION = lazy_pattern(
    r"(?:\([^()\n]{1,600}\)|\[[^\[\]\n]{1,600}\]|<(sub|small|sup)>[^<>\n]{1,200}</\1>"
    r"|<!--[^<>\n]{1,200}-->)[.]?\Z"
)
"""A line in brackets, such as a stage direction, or a remark in small print."""
DIRECTION_BEHIND = lazy_pattern(r"(?<=\S)[ ]{1,3}(?:\[[^\[\]]{1,600}\]|\([^()]{1,600}\))\Z")
STAGE = lazy_pattern(
    r"[\[(]?_?(?:Enter|Re-?enter|Exit|Exeunt|Manet|Flourish|Alarums?|Sennet|Curtain|End of|ACT"
    r"|SCENE|Act|Scene|THE END|(?:THE )?(?:PROLOGUE|EPILOGUE))\b|\[.{0,400}\]\Z"
)
"""The beginning of a direction or a title in a printed play."""
LATE, EARLY, DAY = 22 * 3600 * SECOND, 2 * 3600 * SECOND, 24 * 3600 * SECOND
"""Times of day before and after midnight between which a turn may begin."""
SPEECH_BEGINS = lazy_pattern(
    r"(?:[-=─━═*_#]{2,100}[ ]?|#{1,6}[ ])\W{0,4}"
    r"(?:(?:full|complete|meeting|call|interview|begin|start)(?: of)?[ ])?(?:the )?"
    r"(?:transcript(?:ion)?|transkript(?:ion)?|transcripci[óo]n|transcrição"
    r"|trascrizione|dialogue)(?:[ ](?:begins|starts))?:?\W*\Z",
    re.IGNORECASE,
)
"""A title above the speech: ``## Transcript``, ``---- Transcript ----``."""
MOST_OF_DOCUMENT = 0.5
"""The largest share of a text above the title of its speech."""
NARROWEST, WIDEST, FULL, LEAST_INDENTED = 50, 140, 0.75, 0.05
"""Widths of wrapped lines, the share of it that a full line has, and that of indented lines."""
FOOTER = lazy_pattern(
    rf"[\[(]?(?:{NOTICE_OF_SERVICE}|以上内容由[ ]?AI[ ]?生成.{{0,20}}|"
    r"(?:Transcribed|(?:This )?transcript(?:ion)?(?: was)? (?:generated|created|provided|produced)|"
    r"(?:Subtitles|Captions) (?:generated|provided)) (?:by|with|using) .{1,80}|"
    r"Exported (?:by|from|with|using) .{1,80}|"
    r"\[?Transcript(?:ion)? ends?\]?|Retrieved from\s.{0,200}|"
    r"\[?End of (?:the )?(?:transcript(?:ion)?|meeting|recording|call|interview|audio|tape|lecture|"
    r"session|class|episode|podcast|show)\]?|"
    r"\[?(?:Fim|Fin|Fine) d(?:[aeo]|e la|ella|el)[ ](?:transcri|entrevista|intervista|reuni|audio)"
    r"[^\s\]]{0,12}\]?|\[?Ende (?:des|der) (?:Transkript|Interview|Aufnahme)\w{0,5}\]?|"
    r"\[End (?:of )?(?:the )?(?:transcript(?:ion)?|meeting|recording|call|interview)\b"
    r"[^\]\n]{0,40}\]|"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" [0-9]{1,2}(?:st|nd|rd|th)?(?:,? [0-9]{4})?:?|"
    r"This editable transcript was computer.generated.*|"
    r"(?:\[[^\]\n]{4,12}\][ ])?(?:The )?(?:meeting|call|session) "
    r"(?:concluded|adjourned|ended|finished)\b.{0,40}|"
    r"This file is longer than [0-9]+ minutes\. Go Unlimited .{1,120}|"
    r"(?:(?:Full|Final|Complete) )?(?:Transcri(?:pt|ption)|Text|Result)s?:|"
    r"(?:Transcri(?:pt|ption)|Output|Results?|Text|File)s?(?: was| were)? "
    r"(?:saved|written|exported) (?:to|in|as|at):? .{1,200}|"
    r"(?:Total|Elapsed|Processing|Transcription|Execution|Inference)(?: time| duration)[ :].{1,60}|"
    r".{1,60} (?:started|stopped) transcription)[\])]?\s*\Z",
    re.IGNORECASE,
)
RULE = lazy_pattern(
    r"([-=_*#~+─━═•–—\x22'`])\1{2,}\Z|[─━═—⸺⸻]{1,3}\Z|[-=─━═*]{3,}(?: \S|[^-=─━═*\s]).{0,100}"
    r"(?:\S |[^-=─━═*\s])[-=─━═*]{3,}\Z|</?(?:P|CHAPTER[^<>\n]{0,80})>\Z"
)
"""A line that separates: signs alone, or signs around a title."""
RULE_SIGNS = frozenset("-=─━═")
SEPARATOR = lazy_pattern(r"[^\w\s\"'“”‘’«»¿¡()\[\]{}<♪*.…!?&$#@]{1,3}(?=[ \t\xa0]|\Z)[ \t\xa0]*")
"""Signs that may stand between a head and its text."""
MOST_MINUTES = 0.5
DIGIT = lazy_pattern("[0-9]")
FIELD_NAME = lazy_pattern(
    r"\b(?:name|date|time|id|number|position|role|title|topic|subject|location|duration|language|"
    r"company|department|case|session|file|source|status|datum|fecha|nombre|data|nom)\b",
    re.IGNORECASE,
)
"""A word that names of fields have: ``Candidate Name``, ``Call ID``."""
LABEL_NUMBER = lazy_pattern(r"[ _-]?#?[0-9]{1,4}\Z")
NAME_BEHIND = lazy_pattern(r"\(([^()\n]{1,60})\)[ \t]{1,9}")
ASKED = lazy_pattern(r"(?<=\A[QAFRP])[ ]?[0-9]{1,3}\Z")
"""The number of a question or an answer: ``Q1``, ``A1``."""
COUNTED = lazy_pattern(r"[ ]{0,3}\([^()0-9]{0,20}[0-9]{1,5}\)\Z")
"""A number in parentheses behind a name."""
FEWEST_SAID, MOST_OF_TITLE = 0.6, 8
"""The share of turns that are sentences, and the blanks in a title between them."""
SLOWEST, FASTEST = 0.3, 10
"""Words a second that people speak, pauses included."""
MOST_OF_NAME = 4
"""The most words of a name that is a paragraph of its own."""
MOST_ABOVE = 10
MOST_OF_LIST = 60
MOST_CONTENTS = 0.25
"""The largest share of heads that a table of contents has."""
PARTICIPANTS = lazy_pattern(
    r"\W{0,4}(?:attendees|participants|present|speakers|teilnehme\w{1,6}|participantes|asistentes|"
    r"présents|参会人|与会者)\b",
    re.IGNORECASE,
)
"""The beginning of a line above the turns that names the speakers."""
PERSONS = lazy_pattern(
    r"(?:the |list of )?(?:appearances?|cast|characters?|dramatis person.e|participants?|attendees|"
    r"present|speakers|persons|people|personen|personnages|personajes|personaggi|personagens)"
    r"(?: (?:of|in|for|on) .{1,40})?:?\Z",
    re.IGNORECASE,
)
"""The title of a list of the persons who speak below it."""
EVERYBODY = frozenset(("all", "both", "everyone", "everybody", "several", "group", "alle", "todos"))
BRACKETS = frozenset("([<")
ITEM = lazy_pattern(r"[ \t]{0,9}[-*+•][ \t]")
"""The sign of an item of a list."""


class TextLines:
    """The lines of a text in normalised form, with properties that do not depend on the layout."""

    def __init__(self, lines: Lines) -> None:
        lines = with_times_first(without_numbers(plain_lines(lines)))
        self.lines = lines = with_times_behind_first(with_times_before_names(lines))
        self.folded = [fold(line) for _, line in lines]
        self._heads: dict[str, dict[int, TurnHead]] = {}
        self._shorter: dict[str, dict[str, str]] = {}
        self._titles: dict[str, dict[int, str]] = {}
        self._minutes: dict[str, set[int]] = {}
        self.is_filled = [bool(folded.line) for folded in self.folded]
        self.is_first = {
            n for n, filled in enumerate(self.is_filled)
            if filled and not (n and self.is_filled[n - 1])
        }  # fmt: skip
        self.is_first |= self._indented()
        self.is_rule = {
            n for n, folded in enumerate(self.folded)
            if folded.line and not folded.line[0].isalnum() and RULE.match(folded.line)
        }  # fmt: skip
        self.framed = self._framed()
        self.framed |= self._data()
        self.marks = margins([folded.text for folded in self.folded])
        self.is_rule |= self.marks
        self.front = max(
            front_matter([line for _, line in lines[:LONGEST_FRONT]]), self._above_speech()
        )
        self.is_rule |= self.framed

    def _indented(self) -> set[int]:
        """Return the positions of the indented first lines of paragraphs, if lines are wrapped.

        Lines are wrapped if nearly all are full, except the last lines of paragraphs.
        """
        shown = {n: line.rstrip() for n, (_, line) in enumerate(self.lines) if self.is_filled[n]}
        indents = {n: len(line) - len(line.lstrip()) for n, line in shown.items()}
        margin, count = Counter(indents.values()).most_common(1)[0] if indents else (0, 0)
        indented = {n for n, indent in indents.items() if indent > margin + 1}
        if not indented or 2 * count < len(shown) or len(indented) < LEAST_INDENTED * len(shown):
            return set()
        width = max(len(shown[n]) for n in shown.keys() - indented)
        above: dict[bool, list[bool]] = {True: [], False: []}
        for first, second in itertools.pairwise(shown):
            above[second in indented].append(len(shown[first]) >= FULL * width)
        is_wrapped = NARROWEST <= width <= WIDEST and sum(above[False]) >= FULL * len(above[False])
        return indented if is_wrapped and 2 * sum(above[True]) < len(above[True]) else set()

    def _framed(self) -> set[int]:
        """Return the positions of titles.

        A title is a line between two rules (``-----``), with blank lines around the rules.
        """
        filled = self.is_filled
        return {
            n for n in range(1, len(filled) - 1)
            if n - 1 in self.is_rule and n + 1 in self.is_rule and n not in self.is_rule
            and filled[n] and not any(filled[n - 2 : n - 1] if n > 1 else [])
            and not any(filled[n + 2 : n + 3])
        }  # fmt: skip

    def _above_speech(self) -> int:
        """Return the position of the title of the speech, or 0 if there is none near the top."""
        lengths = [len(folded.line) for folded in self.folded]
        above = (n for n in self.is_heading | self.is_rule if n < MOST_OF_LIST)
        title = min((n for n in above if SPEECH_BEGINS.match(self.folded[n].line)), default=0)
        return title if sum(lengths[:title]) <= MOST_OF_DOCUMENT * sum(lengths) else 0

    def _data(self) -> set[int]:
        """Return the positions of JSON objects, except in the turns of a speaker with other turns.

        If every line is a turn, there are none.
        """
        data = {n for n, folded in enumerate(self.folded) if DATA.match(folded.line)}
        if not data:
            return data
        heads = {n: any_untimed(folded) for n, folded in enumerate(self.folded) if folded.line}
        if None not in heads.values():
            return set()
        speaking = {head.name for n, head in heads.items() if head is not None and n not in data}
        return {n for n in data if (head := heads[n]) is None or head.name not in speaking}

    def directions(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines in brackets between turns that fill one line each.

        Below names alone, these are lines in brackets that do not begin a turn.
        """
        behind = sum(bool(head.text) for head in heads.values())
        if len(heads) >= LEAST and behind <= (1 - SEPARATED) * len(heads):
            return self._directions_below_names(heads)
        if len(heads) < LEAST or behind < SEPARATED * len(heads) or self.is_wrapped(set(heads)):
            return set()
        return {
            n for n, folded in enumerate(self.folded)
            if n not in heads and folded.text[:1] in BRACKETS and DIRECTION.match(folded.text)
        }  # fmt: skip

    def _directions_below_names(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines in brackets below the texts of names alone.

        Directly below a name, such a line may be all that the turn has.
        """
        return {
            n for n, folded in enumerate(self.folded)
            if n not in heads and n - 1 not in heads and folded.text[:1] in BRACKETS
            and DIRECTION.match(folded.text)
        }  # fmt: skip

    def titles_between(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of brief paragraphs above turns, if all other lines are turns.

        The texts of turns must be sentences, so that these paragraphs are titles of parts.
        """
        said = sum(bool(head.text) and not is_brief(head) for head in heads.values())
        if len(heads) < LEAST or said < FEWEST_SAID * len(heads):
            return set()
        first, last = min(heads), max(heads)
        if len(heads) == sum(self.is_filled[first : last + 1]):
            return set()
        between = [
            n for n in range(first, last)
            if self.is_filled[n] and n not in heads and n not in self.is_rule
            and n not in self.is_heading and not DIRECTION.match(self.folded[n].text)
        ]  # fmt: skip
        titles = {
            n for n in between
            if n in self.is_first and not self.is_filled[n + 1]
            and next((m for m in range(n + 1, last + 1) if self.is_filled[m]), n) in heads
            and is_brief_line(self.folded[n].text) and self.folded[n].text[0].isupper()
            and self.folded[n].text.count(" ") < MOST_OF_TITLE
        }  # fmt: skip
        return titles if len(titles) == len(between) >= MOST_ALIKE else set()

    def stage_directions(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of paragraphs of a printed play that nobody speaks."""
        directions: set[int] = set()
        for n, is_filled in enumerate(self.is_filled):
            begins = n in self.is_first and STAGE.match(self.folded[n].text) is not None
            if is_filled and n not in heads and (begins or n - 1 in directions):
                directions.add(n)
        return directions

    def heads(self, pattern: str) -> dict[int, TurnHead]:
        """Return the heads of turns for a layout's pattern, by line position.

        The result is cached.
        """
        heads = self._heads.get(pattern)
        if heads is None:
            heads = _names_of_texts(_without_separator(_heads(pattern, self)), self)
            heads = _names_behind_labels(_with_bare_labels(heads, self))
            heads = after_midnight(_without_contents(heads))
            self.is_rule |= _roles_below(heads, self)
            fields = _fields_of_parts(heads, self)
            self.is_rule |= fields
            heads = {n: head for n, head in heads.items() if n not in fields}
            heads = {
                n: head for n, head in heads.items()
                if n not in self.marks and not (head.text and self._is_title(n))
            }  # fmt: skip
            heads = self._of_persons(pattern, _without_counts(heads))
            if _are_titles(heads, self):
                self._titles[pattern] = {n: head.name or "" for n, head in heads.items()}
                heads = {n: head._replace(name=None) for n, head in heads.items()}
            row = row_of(pattern)
            is_play = row is not None and row.is_of_play
            minutes = set() if is_play else _minutes(heads, self, row)
            self._minutes[pattern] = minutes
            no_names = {
                name for name in {head.name for head in heads.values()}
                if not is_play and any(p.match(name or "") for p in (MINUTES_NAMES, NOBODY, FOOTER))
            }  # fmt: skip
            heads = self._heads[pattern] = {
                n: head for n, head in heads.items()
                if n not in minutes and head.name not in no_names
            }  # fmt: skip
        return heads

    def _is_title(self, n: int) -> bool:
        """Return True if a line is a title: between two rules, or with signs around it."""
        return n in self.framed or (n in self.is_rule and self.folded[n].line[:1] in RULE_SIGNS)

    def _of_persons(self, pattern: str, heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
        """Return the heads with one name for each person; store which names are the same."""
        shorter = shorter_names(head.name for head in heads.values() if head.name)
        self._shorter[pattern] = shorter
        return {
            n: head._replace(name=shorter.get(head.name or "", head.name))
            for n, head in heads.items()
        } if shorter else heads  # fmt: skip

    def shorter_names(self, pattern: str) -> dict[str, str]:
        """Return the names that are read as a shorter name of the same person."""
        self.heads(pattern)
        return self._shorter[pattern]

    def titles(self, pattern: str) -> dict[int, str]:
        """Return the titles of parts by line position, where these are beside times."""
        self.heads(pattern)
        return self._titles.get(pattern, {})

    def minutes(self, pattern: str) -> set[int]:
        """Return the positions of lines that belong to the minutes of a meeting."""
        self.heads(pattern)
        return self._minutes[pattern]

    @cached_property
    def has_digit(self) -> list[bool]:
        """Whether each line has a digit. A line without digits cannot have a time."""
        return [DIGIT.search(folded.text) is not None for folded in self.folded]

    @cached_property
    def is_heading(self) -> set[int]:
        """The positions of Markdown headings."""
        return {
            n for n, folded in enumerate(self.folded)
            if folded.line[:1] == "#" and HEADING.match(folded.line)
        }  # fmt: skip

    @cached_property
    def is_stamped(self) -> set[int]:
        """The positions of lines that begin with a time and have text after it."""
        return {
            n for n, folded in enumerate(self.folded)
            if not folded.line[:1].isalpha()
            and STAMP_FIRST.match(folded.line) is not None and LONE.match(folded.line) is None
        }  # fmt: skip

    @cached_property
    def labels_alone(self) -> frozenset[int]:
        """The positions of lines with only a generic name and a colon: ``Speaker 1:``."""
        return frozenset(
            n for n, folded in enumerate(self.folded)
            if folded.text[-1:] == ":" and is_label(folded.text[:-1].rstrip())
        )  # fmt: skip

    @cached_property
    def is_time_alone(self) -> set[int]:
        """The positions of lines that have only a time, or a start and an end."""
        return {
            n for n, folded in enumerate(self.folded)
            if self.has_digit[n] and len(folded.text) <= LONGEST_TIMES
            and TIMES_ALONE.match(folded.text) is not None
        }  # fmt: skip

    def participants(self, first: int) -> str:
        """Return the lines above a line that name the speakers: ``Participants: Ann, Bob``."""
        for n in range(min(first, MOST_OF_LIST)):
            if PARTICIPANTS.match(self.folded[n].text):
                rows = itertools.takewhile(self.is_filled.__getitem__, range(n, first))
                return " ".join(self.folded[m].text for m in rows)
        return ""

    def is_spoken(self, n: int) -> bool:
        """Return True if a line is neither blank nor a rule."""
        return self.is_filled[n] and n not in self.is_rule

    def begins_with_time(self, n: int) -> bool:
        """Return True if a line begins with a time."""
        line = self.folded[n].line
        return n in self.is_stamped or LONE.match(line) is not None

    def is_name_alone(self, n: int) -> bool:
        """Return True if a line is a whole paragraph and may be the name of a speaker."""
        if n not in self.is_first or any(self.is_filled[n + 1 : n + 2]):
            return False
        name = self.folded[n].text.rstrip(":")
        words = name.split()
        is_capital = 1 < len(words) <= MOST_OF_NAME and all(word[:1].isupper() for word in words)
        return (is_capital and is_name(name)) or is_label(name)

    def is_wrapped(self, heads: set[int]) -> bool:
        """Return True if the paragraphs are wrapped at a fixed width.

        `heads` has the positions of heads.
        """
        follows = [
            len(self.folded[n].line)
            for n in range(len(self.lines) - 1)
            if self.is_filled[n] and self.is_filled[n + 1] and n + 1 not in heads
        ]
        if not follows or 2 * len(heads & self.is_first) < len(heads):
            return False
        width = max(len(folded.line) for folded in self.folded)
        are_full = sum(n >= FULL * width for n in follows) >= FULL * len(follows)
        return NARROWEST <= width <= WIDEST and are_full

    def hanging(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines that continue a turn: more indented than all heads.

        Each follows its turn without a blank line between.
        """
        margins = {len(line) - len(line.lstrip()) for line in (self.lines[n][1] for n in heads)}
        if len(margins) != 1 or len(heads) < LEAST:
            return set()
        least = margins.pop() + 2
        hanging: set[int] = set()
        for n, (_, line) in enumerate(self.lines):
            is_below = n - 1 in heads or n - 1 in hanging
            if is_below and self.is_filled[n] and len(line) - len(line.lstrip()) >= least:
                hanging.add(n)
        return hanging - heads.keys()

    def sample(self) -> list[int]:
        """Return the positions of a sample of lines, which shows the possible layouts."""
        size = len(self.lines)
        if size <= SAMPLE:
            return list(range(size))
        block = SAMPLE // 4
        return [
            *range(SAMPLE // 2), *range(size // 2, size // 2 + block), *range(size - block, size),
        ]  # fmt: skip


def _heads(pattern: str, text: TextLines) -> dict[int, TurnHead]:
    """Return the heads of a layout by line position, without those at the top of the document."""
    row = row_of(pattern)
    may_be_head = text.has_digit if row is not None and row.needs_digit else text.is_filled
    heads = {
        n: head
        for n, folded in enumerate(text.folded)
        if may_be_head[n] and (head := head_of(pattern, folded)) is not None
    }
    heads = {n: head for n, head in heads.items() if n >= text.front}
    heads = _with_timed(pattern, heads, text)
    if pattern == NAME_AND_ROLE:
        return _names_over_text(heads, text)
    if all(head.start is None for head in heads.values()):
        if pattern == UNTIMED_MARKDOWN or (row is not None and row.is_raw):
            heads = _with_plain_names(heads, text)
        _leave_list(heads, text)
    if pattern in NOTATIONS or _are_behind(heads):
        _leave_document(heads, text)
    if pattern in NOTATIONS:
        _take_times(heads)
    return heads


def _with_timed(pattern: str, heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the lines that are heads of a layout without times but for the time beside their name.

    The name is one of the other heads: ``[0:12] Ann: so`` among ``Bob: well`` and ``Ann: no``.
    """
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


def _are_behind(heads: Mapping[int, TurnHead]) -> bool:
    """Return True if heads have names and no times, and nearly all have a text."""
    behind = sum(bool(head.text) for head in heads.values())
    are_named = all(head.name and head.start is None for head in heads.values())
    return are_named and behind >= SEPARATED * len(heads) > 0


def _leave_document(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop heads that are no turns: fields at the top of the document, and words of other turns."""
    names = Counter(head.name for head in heads.values())
    first = next((n for n, head in heads.items() if names[head.name] > 1), None)
    if first is None:
        fields = list(itertools.takewhile(lambda n: _is_of_document(heads[n]), heads))
        for n in fields if len(fields) < len(heads) else []:
            if is_brief(heads[n]):
                del heads[n]
        return
    above = -1
    again = {n: head for n, head in heads.items() if names[head.name] > 1}
    are_alone = sum(not head.text for head in again.values()) >= 0.9 * len(again)
    tells_brief = 2 * sum(not is_brief(head) for head in again.values()) >= len(again)
    are_apart = text.is_first.issuperset(again)
    for n in [n for n in heads if n < first]:
        is_over = not are_apart and not all(text.is_filled[n:first])
        is_brief_field = is_brief(heads[n]) and (tells_brief or is_over)
        if is_brief_field or _is_of_document(heads[n]) or (are_alone and heads[n].text):
            del heads[n]
            above = n
    _leave_block(heads, above, text)
    _leave_unlike(heads, names)
    _leave_text(heads, names, text)
    _leave_below(heads, names, text)


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
    """Return the times with a day added to those after midnight; `None` if there are none.

    >>> times_after_midnight([23 * 3600 * SECOND, 5 * SECOND])
    [82800000000000, 86405000000000]
    """
    known = [time for time in times if time is not None]
    steps = [n for n, (a, b) in enumerate(itertools.pairwise(known)) if b < EARLY and a >= LATE]
    if len(steps) != 1 or max(known) >= DAY or known[0] < DAY / 2:
        return None
    left = iter(range(len(known)))
    return [
        time if time is None else time + (DAY if next(left) > steps[0] else 0) for time in times
    ]


def _without_separator(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
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


def _without_contents(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the heads of a table of contents: times and titles above turns that begin again.

    >>> titles = {n: TurnHead(None, 60 * n * SECOND, None, f"Part {n}") for n in range(3)}
    >>> turns = {n + 5: TurnHead(None, n * SECOND, None, "So it was.") for n in range(20)}
    >>> min(_without_contents({**titles, **turns}))
    5
    """
    timed = [n for n, head in heads.items() if head.start is not None]
    starts = {n: heads[n].start or 0 for n in timed}
    again = [b for a, b in itertools.pairwise(timed) if starts[b] < starts[a]]
    if len(again) != 1 or len(timed) < len(heads):
        return heads
    above = [n for n in timed if n < again[0]]
    titles = sum(is_brief(heads[n]) and bool(heads[n].text) for n in above)
    are_titles = titles >= LEAST_NUMBERED * len(above)
    is_list = LEAST <= len(above) <= MOST_CONTENTS * len(timed)
    is_first = starts[again[0]] <= max(starts[above[0]], starts[above[1]] if above[1:] else 0)
    if not (are_titles and is_list and is_first):
        return heads
    return {n: head for n, head in heads.items() if n >= again[0]}


def _names_of_texts(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Use the texts after times as names, if they are few names that repeat above other lines.

    An example is ``[0:12 - 0:15] Ann`` above the words of the turn.
    """
    if len(heads) < LEAST or any(head.name or not head.text for head in heads.values()):
        return heads
    names = {head.text for head in heads.values()}
    if not NO_SPEAKERS.isdisjoint(name.upper() for name in names):
        return heads
    are_few = 2 * len(names) <= len(heads) or all(map(is_label, names))
    if not are_few or not all(is_name(name) or is_label(name) for name in names):
        return heads
    above = sum(text.is_filled[n + 1 : n + 2] == [True] and n + 1 not in heads for n in heads)
    if above < SEPARATED * len(heads):
        return heads
    return {n: head._replace(name=head.text, text="") for n, head in heads.items()}


def _with_bare_labels(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add lines with only the word of generic names (`Speaker`), if names are alone on their lines.

    All names must begin with the word: ``Speaker 1`` and ``Speaker 2``.
    """
    if len(heads) < LEAST or any(head.text or head.start is not None for head in heads.values()):
        return heads
    words = {LABEL_NUMBER.sub("", head.name or "") for head in heads.values()}
    word = words.pop()
    if words or not word or not all(is_label(head.name or "") for head in heads.values()):
        return heads
    bare = {n: TurnHead(word, None, None, "") for n, x in enumerate(text.folded) if x.text == word}
    return dict(sorted({**bare, **heads}.items())) if bare else heads


def _names_behind_labels(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Use the names in brackets behind generic names: ``Speaker1: (Ann) so it was``.

    Nearly all texts must begin with one, and each generic name must always have the same.
    """
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


def _roles_below(heads: dict[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of lines that give a speaker's role, between the name and the text.

    Below the same name, such a line is always the same, and each name that repeats has one.
    """
    places = [n + 1 for n, head in heads.items() if head.name and not head.text]
    if len(places) < SEPARATED * len(heads):
        return set()
    below: dict[str | None, list[int]] = {}
    for n in places:
        below.setdefault(heads[n - 1].name, []).append(n)
    again = [places for places in below.values() if len(places) > 1]
    if len(again) < MOST_ALIKE:
        return set()
    lines = [{text.folded[n].text for n in places if n < len(text.lines)} for places in again]
    are_roles = all(len(line) == 1 and is_brief_line(*line) for line in lines)
    is_above = sum(text.is_filled[n : n + 2] == [True, True] for n in places)
    return set(places) if are_roles and is_above >= SEPARATED * len(places) else set()


def _fields_of_parts(heads: dict[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of fields that begin each part of a text: ``Date: 1 May``.

    A text of several interviews has such a head above each. The same names follow each other in
    each part, with values that are no sentences, and one of the names is that of a field.
    """
    places: dict[str, list[int]] = {}
    for n, head in heads.items():
        places.setdefault(head.name or "", []).append(n)
    first = next((n for n in heads if FIELD_NAME.search(heads[n].name or "")), None)
    if first is None or any(head.start is not None for head in heads.values()):
        return set()
    begin = first
    while begin - 1 in heads:
        begin -= 1
    block = list(itertools.takewhile(heads.__contains__, range(begin, begin + MOST_ABOVE)))
    count = len(places[heads[first].name or ""])
    names = [heads[n].name or "" for n in block]
    fields = list(itertools.takewhile(lambda name: len(places[name]) == count, names))
    positions = [n for name in fields for n in places[name]]
    if count < MOST_ALIKE or len(fields) < MOST_ALIKE:
        return set()
    is_like_first = all(
        places[name] == [n + offset for n in places[fields[0]]]
        for offset, name in enumerate(fields)
    )
    are_values = all(is_brief(heads[n]) and len(heads[n].text) <= LONGEST_PART for n in positions)
    is_list = is_like_first and are_values and text.is_first.issuperset(places[fields[0]])
    is_most = 2 * len(positions) > len(heads)
    return set(positions) if is_list and not is_most else set()


def is_brief_line(line: str) -> bool:
    """Return True if a line is not empty and does not end like a sentence."""
    return bool(line) and len(line) <= LONGEST_PART and not line.endswith((*SENTENCE_ENDS, ","))


def _without_counts(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the turn numbers after names, as in ``Student (turn 12)``, if every name has one."""
    if len(heads) < LEAST:
        return heads
    names = [head.name or "" for head in heads.values()]
    for search, sub in ((COUNTED.search, COUNTED.sub), (ASKED.search, ASKED.sub)):
        if all(map(search, names)):
            return {n: head._replace(name=sub("", head.name or "")) for n, head in heads.items()}
    return heads


def _are_titles(heads: dict[int, TurnHead], text: TextLines) -> bool:
    """Return True if texts beside increasing times are titles: all differ, one is like a sentence.

    Each is above the lines of its part: ``The history of bees - 1:30``.
    """
    names = {head.name or "" for head in heads.values()}
    starts = [head.start or 0 for head in heads.values()]
    if (
        len(heads) < LEAST or len(names) < len(heads) or any(x.text for x in heads.values())
        or any(head.start is None for head in heads.values())
        or any(b <= a for a, b in itertools.pairwise(starts))
        or not any(word.islower() for name in names for word in name.split()[1:])
    ):  # fmt: skip
        return False
    places = [*heads, len(text.lines)]
    above = sum(any(map(text.is_spoken, range(a + 1, b))) for a, b in itertools.pairwise(places))
    return above >= SEPARATED * len(heads)


def _names_over_text(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the heads with a capitalised name that is above a text at least three times.

    Two times are enough if each name is a paragraph of its own above the text.
    """
    capital = {
        n: head for n, head in heads.items()
        if n in text.is_first and head.name
        and all(word[:1].isupper() for word in head.name.split())
    }  # fmt: skip
    size = len(text.lines)
    over = {n: head for n, head in capital.items() if text.is_filled[n + 1 : n + 2] == [True]}
    apart = {
        n: head for n, head in capital.items()
        if n + 2 < size and not text.is_filled[n + 1] and n + 2 in text.is_first
        and n + 2 not in capital
    }  # fmt: skip
    chosen, least = (apart, 2) if len(apart) > len(over) else (over, LEAST)
    counts = Counter(head.name for head in chosen.values())
    # what is behind a name is its role, and the same each time
    lines = Counter(name for name, _ in {(x.name, text.folded[n].text) for n, x in chosen.items()})
    again = {
        n: head for n, head in chosen.items()
        if counts[head.name] >= least and lines[head.name] == 1
    }  # fmt: skip
    with_role = {n for n, head in chosen.items() if text.folded[n].text != head.name}
    if len(with_role & again.keys()) < LEAST:
        return again
    return {
        n: x for n, x in chosen.items() if n in again or (n in with_role and lines[x.name] == 1)
    }


def _take_times(heads: dict[int, TurnHead]) -> None:
    """Use times at the beginning of texts as times of turns, if at least three texts have one."""
    times = {n: match for n, head in heads.items() if (match := BRACKETED.match(head.text))}
    if len(times) >= LEAST:
        for n, match in times.items():
            heads[n] = _at(heads[n], match)._replace(text=heads[n].text[match.end() :])


def _at(head: TurnHead, match: re.Match[str]) -> TurnHead:
    """Return a head with the times that a pattern matched."""
    start, end = times_of(match)
    return head._replace(start=parse_stamp(start), end=parse_stamp(end) if end else None)


def _leave_text(heads: dict[int, TurnHead], names: Counter[str | None], text: TextLines) -> None:
    """Drop heads with a name that occurs once, if they are text of the preceding turn: ``Sure:``.

    Such a head is directly below a name that is alone on its line; or it is inside a paragraph, or
    above one inside, although all repeated names begin paragraphs; or it is in a list that the
    preceding turn announces with a colon; or the document lists the speakers, but not this name.
    """
    again = [n for n, head in heads.items() if names[head.name] > 1]
    are_apart = len(again) >= LEAST and text.is_first.issuperset(again)
    if not again:
        return
    _leave_said_below_names(heads)
    listed = _listed(heads, names, text)
    single = {n for n, head in heads.items() if names[head.name] == 1}
    persons = text.participants(again[0])
    are_listed = bool(persons) and all((heads[n].name or "") in persons for n in again)
    for n in [n for n, head in heads.items() if names[head.name] == 1]:
        before = heads.get(n - 1)
        is_below = before is not None and names[before.name] > 1
        is_below = is_below and not (before and before.text) and not heads[n].text
        is_inside = are_apart and n > again[0] and (n not in text.is_first or n + 1 in single)
        is_listed = n in listed or (are_listed and not _is_in(heads[n].name or "", persons))
        is_listed = is_listed and n > again[0]
        if (is_below or is_inside or is_listed) and not is_label(heads[n].name or ""):
            del heads[n]


def _leave_said_below_names(heads: dict[int, TurnHead]) -> None:
    """Drop heads with a text below names that are alone on their lines, if no name is in both.

    The text of a turn may begin like this: ``One thing: we are late``.
    """
    alone = {head.name for head in heads.values() if not head.text}
    behind = {n: head for n, head in heads.items() if head.text}
    if len(alone) < 2 or any(head.name in alone for head in behind.values()):
        return
    below = [n for n in behind if n - 1 in heads and not heads[n - 1].text]
    if below and len(heads) - len(behind) >= len(behind):
        for n in behind:
            del heads[n]


def _is_in(name: str, persons: str) -> bool:
    """Return True if a list of persons has a name, or if the name means all of them."""
    return name in persons or name.casefold() in EVERYBODY


def _leave_below(heads: dict[int, TurnHead], names: Counter[str | None], text: TextLines) -> None:
    """Drop heads below the last rule if no name returns there: ``Decision: hired`` is no speech."""
    again = [n for n, head in heads.items() if names[head.name] > 1]
    rule = max((n for n in text.is_rule if n not in heads), default=-1)
    if len(again) >= LEAST and max(again) < rule:
        for n in [n for n in heads if n > rule and is_brief(heads[n])]:
            del heads[n]


def _with_plain_names(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the heads whose name is not bold but occurs several times in bold heads."""
    counts = Counter(head.name for head in heads.values())
    plain = {
        n: head for n, folded in enumerate(text.folded)
        if n not in heads and ":" in folded.text
        and (head := head_of(UNTIMED, folded)) is not None and counts[head.name] > 1
    }  # fmt: skip
    return dict(sorted({**heads, **plain}.items())) if plain else heads


def _leave_list(heads: dict[int, TurnHead], text: TextLines) -> None:
    """Drop the heads in a list of persons at the beginning of a document, as below ``CAST:``."""
    listed: dict[int, TurnHead] = {}
    is_list = False
    for n in range(min(len(text.lines), MOST_OF_LIST)):
        head = heads.get(n)
        is_title = PERSONS.match(text.folded[n].text) is not None
        if is_title or not text.is_filled[n]:
            is_list = is_list or is_title
        elif is_list and (head is None or not is_brief(head) or head in listed.values()):
            break
        elif is_list and head is not None:
            listed[n] = head
    listed = listed or _listed_above(heads, text)
    names = {head.name for head in listed.values()}
    if 1 < len(listed) == len(names):
        for n in listed:
            del heads[n]


def _listed_above(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the heads of a list below a title at the top, if no other head is of a list.

    Most of the names return: ``- Ann: host`` below ``People:`` in any language.
    """
    items = {n: head for n, head in heads.items() if ITEM.match(text.lines[n][1])}
    first = min(heads, default=0)
    above = first - 1 if first and text.is_filled[first - 1] else first - 2
    names = {head.name for n, head in heads.items() if n not in items}
    is_list = (
        above >= 0 and max(items, default=MOST_OF_LIST) < MOST_OF_LIST
        and list(items) == list(range(first, first + len(items)))
        and text.folded[above].text.endswith(":") and all(map(is_brief, items.values()))
    )  # fmt: skip
    returning = sum(head.name in names for head in items.values())
    return items if is_list and 2 * returning > len(items) else {}


def _leave_unlike(heads: dict[int, TurnHead], names: Counter[str | None]) -> None:
    """Drop heads that differ from the names that repeat, such as ``The second point is: …``.

    The name of such a head has the words of a sentence. Or it occurs once and is not like nearly
    all repeated names: these are in capitals, or a text follows them.
    """
    counts = {name or "": count for name, count in names.items()}
    again = {n: c for n, c in counts.items() if c > 1 and not _is_like_a_sentence(n)}
    total = sum(again.values())
    if 2 * total < len(heads) or len(again) < MOST_ALIKE:
        return
    sentences = set(filter(_is_like_a_sentence, counts))
    single = {name for name, count in counts.items() if count == 1 and not is_label(name)}
    if not sentences and not single:
        return
    capitals = sum(count for name, count in again.items() if name.isupper()) >= SEPARATED * total
    behind = sum(bool(head.text) for head in heads.values() if head.name in again)
    for n, head in list(heads.items()):
        name = head.name or ""
        is_other = (capitals and not without_role(name).isupper() and " " in name) or (
            behind >= SEPARATED * total and not head.text
        )
        is_other = is_other and role_of(name) not in again
        if name in sentences or (name in single and is_other):
            del heads[n]


@lru_cache(maxsize=4096)
def _is_like_a_sentence(name: str) -> bool:
    """Return True if a name has at least three words, and only the first may be capitalised."""
    _, *words = name.split() or [""]
    return (
        len(words) > 1
        and all(map(str.islower, words))
        and all(word.rstrip(",").isalpha() for word in words)
    )


def _listed(heads: dict[int, TurnHead], names: Counter[str | None], text: TextLines) -> set[int]:
    """Return the positions of heads in a list that a turn announces: ``we need two things:``."""
    listed: set[int] = set()
    is_within = is_announced = False
    for n, is_filled in enumerate(text.is_filled):
        if not is_filled:
            continue
        head = heads.get(n)
        is_single = head is not None and names[head.name] == 1 and not is_label(head.name or "")
        is_within = is_single and (is_within or is_announced)
        if is_within:
            listed.add(n)
        is_text = head is None or bool(head.text)
        is_announced = is_text and text.folded[n].text.endswith(":")
    return listed


def _leave_block(heads: dict[int, TurnHead], above: int, text: TextLines) -> None:
    """Drop the heads of lines that are fields of the document, not turns: ``Patient: Ann Ex``.

    These lines are the paragraph that begins at line `above`.
    """
    block = list(itertools.takewhile(text.is_filled.__getitem__, range(above, len(text.lines))))
    below = block[1:]
    if (
        above >= 0
        and len(block) < MOST_ABOVE
        and any(n >= above + len(block) for n in heads)
        and all(n in heads and is_brief(heads[n]) for n in below)
    ):
        for n in below:
            del heads[n]


def is_brief(head: TurnHead) -> bool:
    """Return True if the text after a name does not end like a sentence.

    A direction in brackets may be behind the sentence: ``So it was. [laughs]``.
    """
    text = DIRECTION_BEHIND.sub("", head.text) if head.text[-1:] in "])" else head.text
    return not text.rstrip("\"'”’)*").endswith(SENTENCE_ENDS)


def _is_of_document(head: TurnHead) -> bool:
    """Return True if a name that occurs once is a field of the document's heading: ``Date: …``."""
    return HEAD_NAMES.match(head.name or "") is not None


def is_of_minutes(head: TurnHead) -> bool:
    """Return True if a head is an item of minutes (``Action: call Ann``), not a speaker."""
    return _is_part_of_minutes(head.name or "")


@lru_cache(maxsize=4096)
def _is_part_of_minutes(name: str) -> bool:
    """Return True if a name is the title of a section of minutes, or introduces a remark."""
    return MINUTES_NAMES.match(name) is not None or NOBODY.match(name) is not None


def _minutes(heads: dict[int, TurnHead], text: TextLines, row: TextLayout | None) -> set[int]:
    """Return the lines of sections of minutes: from a section's title to the next speaker's turn.

    Titles such as ``Action items:`` are not speakers. Sections must have few lines.
    """
    minutes: set[int] = set()
    if row is not None and row.is_dated:
        return minutes  # messages of a chat
    known: set[str | None] = set()
    are_behind = sum(bool(head.text) for head in heads.values()) >= SEPARATED * len(heads)
    is_within = False
    for n, is_filled in enumerate(text.is_filled):
        if not is_filled:
            continue
        head = heads.get(n)
        line = text.folded[n].text if head is None else head.name or ""
        if head is None:
            name = line.partition(":")[0] if are_behind and ":" in line[:LONGEST_PART] else ""
            line = line.strip("#*:=-─ ") if n in text.is_first else ""
            line = name if MINUTES_NAMES.match(name) else line if len(line) <= LONGEST_PART else ""
        is_part = _is_part_of_minutes(line)
        is_lone = is_within and LONE.match(text.folded[n].line) is not None
        if is_part:
            is_within = bool(known)
        elif is_lone or (head is not None and head.name in known):
            is_within = False
        elif head is not None and not is_within:
            known.add(head.name)
        if is_within:
            minutes.add(n)
    return minutes if len(minutes) <= MOST_MINUTES * sum(text.is_filled) else set()
