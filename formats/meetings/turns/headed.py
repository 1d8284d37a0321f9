"""The heads of the turns of a text in each layout, and the lines between them that nobody speaks.

A position is the index of a line, from 0.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping

from formats.meetings.layouts import DATED_ALONE, INSIDE, NAME_AND_ROLE, Folded
from formats.meetings.turns.completed import (
    after_midnight,
    chat_with_program,
    names_behind_labels,
    names_of_texts,
    names_over_text,
    take_times,
    with_bare_labels,
    with_both_letters,
    with_directions_first,
    with_first_words,
    with_identifiers,
    with_lost_colons,
    with_names_in_brackets,
    with_plain_names,
    with_second_words,
    with_timed,
    without_addressees,
    without_counts,
    without_directions_alone,
    without_field_names,
    without_said,
    without_separator,
)
from formats.meetings.turns.heads import (
    BLOCKS,
    OF_LINES,
    UNTIMED,
    UNTIMED_MARKDOWN,
    TurnHead,
    head_of,
    row_of,
)
from formats.meetings.turns.indented_names import (
    WITH_POINT,
    column_of_verse,
    far_directions,
    with_names_of_column,
    with_pointed_names,
)
from formats.meetings.turns.lines import BARE_STAMP, BRACKETS, FOOTER, TextLines
from formats.meetings.turns.narration import narration, titles_in_bold
from formats.meetings.turns.outside import (
    are_behind_names,
    are_choices,
    choirs_in,
    counted_titles,
    counts_above,
    fields_below_headings,
    fields_of_parts,
    frame_of,
    is_brief_line,
    leave_document,
    leave_list,
    leave_unlike,
    minutes_of,
    numbered_below,
    of_one_level,
    parts_above,
    pauses_in,
    roles_below,
    titles_over_names,
    without_contents,
    without_links,
    without_titles,
)
from formats.meetings.turns.persons import role_beside, shorter_names
from formats.meetings.turns.plain import LEAST, LONE, MOST_ALIKE, SEPARATED, Lines
from formats.meetings.turns.titles import (
    are_titles,
    has_capitals,
    is_titled,
    times_of_parts,
    titles_behind_times,
    titles_below_rules,
    titles_over_times,
)
from formats.reading.document_parts import SPEECH
from formats.reading.part_titles import is_act
from formats.reading.patterns import parse_stamp
from formats.reading.speakers import (
    GREETINGS,
    MINUTES_NAMES,
    NOBODY,
    NOTATIONS,
    is_name,
    is_sound,
)
from formats.schema import lazy_pattern

DIRECTION = lazy_pattern(
    r"(?:\([^()\n]{1,600}\)|\(\([^()\n]{1,600}\)\)"
    r"|\[[^\[\]\n]{1,600}\](?:[ ]\([^()\n]{1,600}\))?|\{[^{}\n]{1,600}\}"
    r"|<[^\W\d_][^<>\n]{0,60}>|!\[[^\[\]\n]{0,300}\](?:\([^()\s]{1,400}\))?"
    r"|<(sub|small|sup)>[^<>\n]{1,200}</\1>"
    r"|〔[^〔〕\n]{1,200}〕|<!--[^<>\n]{1,200}-->)[.]?\Z"
)
"""A line in brackets, such as a stage direction, a remark in small print, or a picture."""
CJK_NUMBER = "[0-9一二三四五六七八九十]{1,3}"
CJK_TIME = rf"[(（](?:[上下]午)?{CJK_NUMBER}[時时點点](?:{CJK_NUMBER}分)?[)）]"
NOTICE_OF_SITTING = lazy_pattern(
    rf"[\u3400-\u9fff]{{2,8}}{CJK_TIME}\Z"
    rf"|(?:午[前後]|正午)?(?:{CJK_NUMBER}時(?:{CJK_NUMBER}分|半)?)?"
    r"(?:開会|開議|休憩|散会|延会|閉会|再開)\Z"
)
ENDS_OF_NOTICES = frozenset(")会議憩開")
TIME_OF_SITTING = lazy_pattern(rf"{CJK_TIME}[ ]?(?=\S)")
"""A notice of a parliament with its time, and such a time before a speech: ``休息（10時5分）``."""
COMMENT = lazy_pattern(r"%{1,3}[ ](?=\W{0,3}[^\W\d_])")
"""The sign of a comment before a line that tells what happens."""
ACTION = lazy_pattern(r"[△▲▽][ \u3000]{0,3}\S")
"""The beginning of a line of a screenplay in Chinese that tells what happens."""
STARRED = lazy_pattern(r"\*(?=\w)[^*\n:.?!]{1,60}(?<=\w)\*\Z")
"""A brief line between asterisks that is no sentence, such as ``*long pause*``."""
TITLE = lazy_pattern(r"[\[(][^\[\]()\n]{1,60}[\])]\Z")
"""The title of a turn, in brackets behind the name."""
NUMBER_OF_TITLE = lazy_pattern(r"[0-9]{1,2}(?:\.[0-9]{1,2})?[.):]?[ ](?=[^\W\d_])")
"""The number before the title of a part."""
STAGE = lazy_pattern(
    r"[\[(]?_?(?:Enter|Re-?enter|Exit|Exeunt|Manet|Flourish|Alarums?|Sennet|Curtain|End of|ACT"
    r"|SCENE|Act|Scene|THE END|(?:THE )?(?:PROLOGUE|EPILOGUE)"
    r"|Entre(?:nt)?|Sort(?:ent)?|Rideau|ACTE|SCÈNE|Acte|Scène|Vorhang|AKT|SZENE|Akt|Szene|Auftritt|Aufzug"
    r"|Entra(?:n|no)?|Sale|Vanse|Vase|Tel[óo]n|ACTO|ESCENA|Acto|Escena|Esce|Escono|Sipario|ATTO|SCENA"
    r"|Atto|Scena|ATO|CENA|Pano|Входит|Входят|Уходит|Уходят|Занавес|ДЕЙСТВИЕ|ЯВЛЕНИЕ|Действие|Явление"
    r"|Те же)\b|\[.{0,400}\]\Z|幕|剧终|劇終"
)
"""The beginning of a direction or a title in a printed play."""
LEAVES = lazy_pattern(
    r"(?:Exit|Exeunt)(?:[ ](?:[A-Z]|(?:all|both|with|above|below|severally)\b)[^\n?!]{0,80})?[.]?\Z"
    r"|[A-Z][^\n.?!]{1,60}[ ]exits?(?:[, ][^\n.?!]{1,80})?\.\Z|(?:Alle|Beide)(?: gehen)? ab\.\Z"
)
"""A line in which somebody leaves a play, also between verses."""
WAY = lazy_pattern(
    r"Exeunt[ ][^\n?!]{0,120}\Z|(?:Enter|Re-?enter)[ ](?=[^\n]{0,60}?[A-Z]{3})[^\n?!]{0,120}\Z"
)
"""A line in which persons in capitals come, or several leave."""
ENTERS = lazy_pattern(
    r"(?:Enter|Re-?enter)[ ](?:[A-Z]|(?:an?|the|two|three|four|five|six|some|others?|several"
    r"|certain|with)\b)[^\n?!]{0,100}[^\n?!,;:]\Z"
)
"""A line in which somebody comes."""
LONGEST_VERSE, QUOTES = 60, "\"'“‘([¿¡"
"""The most characters of a verse, and what may be before its first letter."""
RULE_SIGNS = frozenset("-=─━═")
SILENCE = lazy_pattern(
    r"(?:(?:(?:A|An?other|Long|Short|Lange|Kurze|Une?|Un long|Долгая|Большая|Larga|Longa|Lunga) )?"
    r"(?:[Pp]ause|[Ss]ilence|Stille|Schweigen|[Pp]ausa|Silencio|Silêncio|Silenzio|[Пп]ауза|Молчание"
    r"|Тишина))\.?\Z"
)
"""A line of a play in which nobody speaks."""
MOST_OF_SETTING = 8
"""The most lines between the title of a scene and the first name below it."""
BESIDE_VERSE = lazy_pattern(
    r"(?P<name>[^\W\d_a-z][^\n,:\[\]()a-z]{0,40}?[^\W\d_a-z])"
    r"(?:(?:,[ ]?\[[^\[\]\n]{1,80}\],?|,[ ][a-z][^\n\t.?!]{1,60}?)?"
    r"(?:[ ]{2,9}|\t[ \t]{0,9})(?P<text>\S.*)"
    r"|,[ ]?\[[^\[\]\n]{1,80}\],?\Z|,[ ][a-z][^\n\t.?!]{1,60}\Z)"
)
"""A name in capitals, perhaps with a direction, and a text behind several blanks or below."""
NAMED_MESSAGE = lazy_pattern(r"[^\n:]{1,40}:[ ]")
"""A name before a message of a chat."""
LETTERS = "{speaker Q|A}"
"""The beginning of the pattern of questions and answers."""
INDENT_OF_DIRECTION = 12
"""The fewest blanks before a direction below the lines of a turn."""
POINTS = frozenset(
    ("one", "two", "three", "four", "five", "first", "second", "third", "fourth", "firstly",
     "secondly", "thirdly", "lastly", "finally", "also", "plus", "next")
)  # fmt: skip
"""Words with a colon by which a speaker counts points: ``Two: the road``."""
MOST_OF_TITLE = 8
"""Blanks in the title of a part."""
FEWEST_CAPTIONS = 8
"""The fewest captions with times that show that each has one line."""
CHAPTER = lazy_pattern(r"(?:Chapter|Kapitel|Chapitre|Capítulo|Capitolo|Глава)[ ][0-9]{1,3}[:. ]")
"""The beginning of the title of a chapter of a video."""


class HeadedLines(TextLines):
    """The lines of a text with the heads of turns for each layout."""

    def __init__(self, lines: Lines) -> None:
        super().__init__(lines)
        self._heads: dict[str, dict[int, TurnHead]] = {}
        self._shorter: dict[str, dict[str, str]] = {}
        self._titles: dict[str, dict[int, str]] = {}
        self._minutes: dict[str, set[int]] = {}
        self._rules: dict[str, set[int]] = {}

    def heads(self, pattern: str) -> dict[int, TurnHead]:
        """Return the heads of turns for a layout's pattern, by line position.

        The result is cached.
        """
        heads = self._heads.get(pattern)
        if heads is None and pattern in OF_LINES:
            heads = self._with_times_inside() if pattern == INSIDE else self._below_times()
            self._heads[pattern] = heads
        if heads is None:
            heads = with_second_words(pattern, without_separator(_heads(pattern, self)))
            heads = names_of_texts(heads, self)
            heads = names_behind_labels(with_bare_labels(heads, self))
            heads = without_addressees(without_field_names(heads))
            heads = after_midnight(without_contents(heads))
            fields = fields_of_parts(heads, self) | fields_below_headings(heads, self)
            fields |= pauses_in(heads) | times_of_parts(heads, self) | numbered_below(heads, self)
            titles = parts_above(heads, self) | counts_above(heads, self)
            titles |= counted_titles(heads, self) | titles_over_times(heads, self)
            titles |= titles_below_rules(heads, self)
            self._rules[pattern] = self.is_rule | roles_below(heads, self) | fields | titles
            heads = {n: head for n, head in heads.items() if n not in titles}
            heads = {n: head for n, head in heads.items() if n not in fields}
            if framed := _framed_names(heads, self):
                self._titles[pattern] = {n: head.text for n, head in framed.items()}
                heads = {n: head._replace(text="") for n, head in framed.items()}
            heads = {
                n: head for n, head in heads.items()
                if n not in self.marks and not (head.text and self._is_title(n))
            }  # fmt: skip
            heads = self._of_persons(pattern, without_counts(without_said(heads)))
            if over := titles_over_names(heads, self):
                self._rules[pattern] |= over
                heads = {n: head for n, head in heads.items() if n not in over}
            heads = without_titles(heads, self)
            if are_titles(heads, self):
                self._titles[pattern] = {n: head.name or "" for n, head in heads.items()}
                heads = {n: head._replace(name=None) for n, head in heads.items()}
            if behind := titles_behind_times(heads, self):
                self._titles[pattern] = behind
                heads = {n: head._replace(text="") for n, head in heads.items()}
            row = row_of(pattern)
            is_play = row is not None and row.is_of_play
            has_no_minutes = is_play or frame_of(heads)
            minutes = set() if has_no_minutes else minutes_of(heads, self, row)
            self._minutes[pattern] = minutes
            choirs = choirs_in(heads)
            no_names = {
                name for name, count in Counter(head.name for head in heads.values()).items()
                if not is_play and name not in choirs and _is_no_name(name or "", count)
            }  # fmt: skip
            heads = self._heads[pattern] = {
                n: head for n, head in heads.items()
                if n not in minutes and head.name not in no_names
                and (head.text or not SPEECH.match(head.name or ""))
            }  # fmt: skip
        return heads

    def _with_times_inside(self) -> dict[int, TurnHead]:
        """Return a head for each line that has times in brackets, with the first and the last."""
        heads = {}
        for n, (_, line) in enumerate(self.lines):
            times = list(BARE_STAMP.finditer(line)) if "[" in line else []
            if times:
                end = parse_stamp(times[-1][1]) if len(times) > 1 else None
                text = line[times[0].end() :].strip()
                heads[n] = TurnHead(None, parse_stamp(times[0][1]), end, text)
        return heads

    def _below_times(self) -> dict[int, TurnHead]:
        """Return the heads ``Name: text``; the first below a time alone has this time."""
        heads = self.heads(UNTIMED)
        self._shorter[BLOCKS] = self._shorter[UNTIMED]
        self._minutes[BLOCKS] = self._minutes[UNTIMED]
        self._rules[BLOCKS] = self._rules[UNTIMED]
        timed: dict[int, TurnHead] = {}
        start: int | None = None
        for n in self.filled:
            if n in heads:
                timed[n] = heads[n] if start is None else heads[n]._replace(start=start)
                start = None
            elif self.has_digit[n] and (lone := LONE.match(self.folded[n].line)) is not None:
                start = parse_stamp(lone[1])
        return timed

    def _is_title(self, n: int) -> bool:
        """Return True if a line is a title: between two rules, or with signs around it."""
        return n in self.framed or (n in self.is_rule and self.folded[n].line[:1] in RULE_SIGNS)

    def _of_persons(self, pattern: str, heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
        """Return the heads with one name for each person; store which names are the same."""
        row = row_of(pattern)
        names = (head.name for head in heads.values() if head.name)
        shorter = shorter_names(names, have_roles=row is None or not row.is_dated)
        self._shorter[pattern] = shorter
        return {
            n: head._replace(
                name=shorter[head.name], role=role_beside(head.name) or head.role
            ) if head.name in shorter else head
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

    def rules(self, pattern: str) -> set[int]:
        """Return the positions of rules, of the roles of speakers, and of the fields of parts."""
        self.heads(pattern)
        return self._rules[pattern]

    def directions(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines in brackets between turns that fill one line each."""
        behind = sum(bool(head.text) for head in heads.values())
        if len(heads) >= LEAST and behind <= (1 - SEPARATED) * len(heads):
            told = narration(heads, self) | titles_in_bold(heads, self)
            told |= self._directions_below_names(heads) | self._ways(heads)
            return told | self._far_lines(heads) | self._comments(heads)
        if len(heads) < LEAST or behind < SEPARATED * len(heads):
            return set()
        is_wrapped = self.is_wrapped(set(heads))
        verse = column_of_verse(heads, self) if self.acts else None
        return narration(heads, self) | self._comments(heads) | {
            n for n, folded in enumerate(self.folded)
            if n not in heads and _is_direction(folded)
            and not (verse is not None and folded.line[0] == "(" and self.indents[n] == verse)
            and not (is_wrapped and (n not in self.is_first or any(self.is_filled[n + 1 : n + 2])))
        }  # fmt: skip

    def _comments(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines behind a percent sign: ``% Ann goes``, if several are."""
        comments = {
            n for n in self.filled
            if self.folded[n].line[:1] == "%" and n not in heads and COMMENT.match(self.lines[n][1])
        }  # fmt: skip
        return comments if len(comments) >= LEAST else set()

    def _far_lines(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of far indented lines that end no sentence: ``      Ann goes``.

        Nearly all other lines are at the margin.
        """
        far = {n for n in self.filled if self.indents[n] >= INDENT_OF_DIRECTION}
        if not far or len(far) > (1 - SEPARATED) * len(self.filled):
            return set()
        return {n for n in far if n not in heads and is_brief_line(self.folded[n].text)}

    def _ways(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines in which persons come or go, if several are in capitals."""
        comes = self._entrances(heads)
        if sum((head.name or "").isupper() for head in heads.values()) < SEPARATED * len(heads):
            return comes
        lines = {n: self.folded[n].text for n in self.filled if n not in heads}
        ways = {
            n for n, line in lines.items()
            if line[:1] in "ER" and (WAY.match(line) or LEAVES.match(line))
        }  # fmt: skip
        return comes | ways if len(ways) >= LEAST else comes

    def _entrances(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines in which somebody comes, if several name speakers."""
        lines = {n: self.folded[n].text for n in self.filled if n not in heads}
        comes = {n: line for n, line in lines.items() if line[:1] in "ER" and ENTERS.match(line)}
        if len(comes) < LEAST:
            return set()
        names = {word for head in heads.values() for word in (head.name or "").casefold().split()}
        named = sum(
            not names.isdisjoint(word.strip(".,;:").casefold() for word in line.split()[1:])
            for line in comes.values()
        )
        return set(comes) if named >= LEAST else set()

    def _directions_below_names(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of lines in brackets beside the texts of names alone.

        If more lines are in square brackets, those in round ones between verses are spoken.
        """
        last = {a for a, b in itertools.pairwise((*self.filled, min(heads))) if b in heads}
        directions = {
            n for n, folded in enumerate(self.folded)
            if n not in heads and (n - 1 not in heads or n not in last) and _is_direction(folded)
        }  # fmt: skip
        rounded = {n for n in directions if self.folded[n].text[:1] == "("}
        squared = sum(self.folded[n].text[:1] == "[" for n in directions)
        if not rounded or squared <= max(LEAST, len(rounded)):
            return directions
        beside = itertools.pairwise((*self.is_filled, False))
        ends = {n for n, (is_filled, is_next) in enumerate(beside) if is_filled and not is_next}
        return directions - {n for n in rounded if n not in self.is_first and n not in ends}

    def titles_between(self, heads: Mapping[int, TurnHead], rules: set[int]) -> set[int]:
        """Return the positions of brief paragraphs above turns: titles of parts.

        All other texts must be sentences, those of the turns and those of their other paragraphs.
        A time may be between a title and the turn, which does not go on in small letters, unless
        most do. If turns have several paragraphs, most words of a title have capitals, unless it is
        directly above the turn and texts are not; so they have if no blank line is above, where all
        but a few lines begin turns.
        """
        if len(heads) < LEAST:
            return set()
        if captions := self._titles_of_captions(heads):
            return captions
        first, last = min(heads), max(heads)
        filled = [n for n in range(first, last + 1) if self.is_filled[n]]
        between = {
            n for n in filled
            if n not in heads and self.has_digit[n] and LONE.match(self.folded[n].line) is not None
        }  # fmt: skip
        following = dict(itertools.pairwise(n for n in filled if n not in between))
        texts = {n if x.text else following.get(n, n) for n, x in heads.items()}
        texts -= {n for n in heads if not heads[n].text}
        are_small = 2 * sum(x.text[:1].islower() for x in heads.values()) > len(heads)
        over = {n - 1 for n in (*heads, *between)}
        first_of_all = self.is_first | {n for n in following if n - 1 in rules}
        close = first_of_all.intersection(over, following)
        if 2 * len(close) >= len(heads) > len(close) / SEPARATED:
            close = set()
        ends = [n for n in following if n not in heads and n not in texts and n not in rules]
        tight = {n for n in ends if n - 1 in heads and n + 1 in heads and heads[n - 1].text}
        tight = tight if len(ends) <= (1 - SEPARATED) * len(heads) else set()
        ends = [n for n in ends if not self.is_filled[n + 1] or n in close or n in tight]
        shown = {n: self.folded[n].text for n in (*texts, *ends) if n not in self.is_heading}
        bare = {n: NUMBER_OF_TITLE.sub("", line, count=1) for n, line in shown.items()}
        titles = {
            n for n in ends
            if following[n] in heads and is_brief_line(bare.get(n, ""))
            and (are_small or not heads[following[n]].text[:1].islower())
            and (n in first_of_all or (n in tight and " " in bare[n] and is_titled(bare[n])))
            and bare[n][0].isalpha() and not bare[n][0].islower()
            and bare[n].count(" ") < MOST_OF_TITLE
            and not DIRECTION.match(shown[n])
        }  # fmt: skip
        if titles and len(ends) - len(titles) >= LEAST:  # turns have several paragraphs
            titles = {n for n in titles if n in close or is_titled(bare[n])}
            if len(titles) < LEAST:  # a single one may be a part of a sentence
                titles = {n for n in titles if n in close or has_capitals(bare[n])}
        brief = sum(is_brief_line(text) for n, text in shown.items() if n not in titles)
        return titles if brief <= (1 - SEPARATED) * len(shown) else set()

    def _titles_of_captions(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of titles of chapters above times alone, as YouTube shows them.

        All but a few times have one line below them, and most of these begin with small letters:
        then a second line in capitals is a title. So is ``Chapter 2: The bridge`` in any case.
        """
        if len(heads) < FEWEST_CAPTIONS or any(x.name or x.text for x in heads.values()):
            return set()
        places = sorted(heads)
        blocks = [
            [n for n in range(begin + 1, end) if self.is_filled[n]]
            for begin, end in itertools.pairwise(places)
        ]
        single = [block[0] for block in blocks if len(block) == 1]
        if len(single) < SEPARATED * len(blocks):
            return set()
        small = sum(self.folded[n].text[:1].islower() for n in single)
        ends = [(block[1], self.folded[block[1]].text) for block in blocks if len(block) == 2]
        return {
            n for n, line in ends
            if is_brief_line(line) and not line[0].islower()
            and (2 * small > len(single) or CHAPTER.match(line))
        }  # fmt: skip

    def stage_directions(self, heads: Mapping[int, TurnHead]) -> set[int]:
        """Return the positions of paragraphs of a printed play that nobody speaks."""
        directions: set[int] = set()
        leaves: set[int] = set()
        acts = set() if any(x.start is not None for x in heads.values()) else self.acts
        far, verse = far_directions(heads, self), column_of_verse(heads, self)
        comes = self._entrances(heads)
        are_verses = self._are_verses(heads)
        margin = setting = 0  # of the first line of a direction; lines below a title
        for n in self.filled:
            line, indent = self.folded[n].text, self.indents[n]
            is_apart = n in self.is_first or indent >= INDENT_OF_DIRECTION
            begins = n in acts or n in far or (is_apart and STAGE.match(line) is not None)
            is_verse = margin >= INDENT_OF_DIRECTION > indent or indent == verse != margin
            setting = MOST_OF_SETTING if n in acts else 0 if n in heads else max(0, setting - 1)
            is_verse = is_verse or (are_verses and indent == margin and self._is_below_way(n))
            goes_on = setting > 0 or (n - 1 in directions and not is_verse)
            if n not in heads and (begins or goes_on or SILENCE.match(line)):
                margin = indent if begins else margin
                directions.add(n)
            elif n not in heads and (n in comes or LEAVES.match(line) is not None):
                leaves.add(n)
        return directions | leaves

    def _are_verses(self, heads: Mapping[int, TurnHead]) -> bool:
        """Return True if nearly all lines between heads are as short as verses."""
        lines = [self.folded[n].text for n in self.filled if n not in heads]
        return sum(len(line) > LONGEST_VERSE for line in lines) <= (1 - SEPARATED) * len(lines)

    def _is_below_way(self, n: int) -> bool:
        """Return True for a verse below a whole line in which persons come or go.

        It begins with a capital, and its first word would fit on the line above.
        """
        above, line = self.folded[n - 1].text, self.folded[n].text
        is_way = n - 1 in self.is_first and any(way.match(above) for way in (ENTERS, LEAVES))
        fits = len(above) + len(line.partition(" ")[0]) < LONGEST_VERSE
        return is_way and fits and line.lstrip(QUOTES)[:1].isupper() and not line.isupper()


def _is_no_name(name: str, count: int) -> bool:
    """Return True for what nobody is called; somebody may have the name ``Fin``.

    `count` is how many turns have the name: who speaks twice may be called ``One``.
    """
    footer = FOOTER.match(name)
    is_footer = footer is not None and footer["end"] is None
    is_point = count == 1 and name.casefold() in POINTS
    is_said = name.rstrip(".,!)?").casefold() in GREETINGS
    return is_footer or is_point or is_said or any(x.match(name) for x in (MINUTES_NAMES, NOBODY))


def is_direction(text: str) -> bool:
    """Return True if a text is only a direction in brackets: ``(silence)``."""
    return text[:1] in BRACKETS and DIRECTION.match(text) is not None


def _is_direction(folded: Folded) -> bool:
    """Return True for a line in brackets, behind △ or between asterisks, and for ``Applause:``."""
    is_named = folded.text[-1:] == ":" and is_sound(folded.text[:-1])
    is_action = folded.line[:1] in "△▲▽" and ACTION.match(folded.line) is not None
    is_starred = folded.line[:1] == "*" and STARRED.match(folded.line) is not None
    is_notice = folded.text[-1:] in ENDS_OF_NOTICES and bool(NOTICE_OF_SITTING.match(folded.text))
    return is_direction(folded.text) or is_action or is_starred or is_named or is_notice


def _framed_names(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the heads between two rules with a title in brackets, if their names return."""
    framed = {n: x for n, x in heads.items() if n in text.framed and TITLE.match(x.text)}
    counts = Counter(head.name for head in framed.values())
    do_return = len(counts) >= MOST_ALIKE and min(counts.values()) > 1
    return framed if do_return else {}


def _heads(pattern: str, text: TextLines) -> dict[int, TurnHead]:
    """Return the heads of a layout by line position, without those at the top of the document."""
    row = row_of(pattern)
    may_be_head = text.has_digit if row is not None and row.needs_digit else text.is_filled
    heads = {
        n: head
        for n, folded in enumerate(text.folded)
        if may_be_head[n] and (head := head_of(pattern, folded)) is not None
    }
    if pattern == DATED_ALONE and _are_named(heads):
        return {}
    outside = text.acts | text.notices
    heads = {
        n: head for n, head in heads.items()
        if n >= text.front and n not in outside and not _is_way(head)
        and not (text.acts and is_act(head.name or ""))
    }  # fmt: skip
    if framed := _framed_names(heads, text):
        return framed
    if pattern.startswith(LETTERS):
        heads = _of_one_sign(with_both_letters(heads), text)
    if row is not None and row.is_of_play:
        heads = _with_plain_names(heads, text)
    if pattern[:1] in ("#", "-"):
        heads = chat_with_program(heads, text) or of_one_level(heads, text)
    heads = with_first_words(pattern, with_timed(pattern, heads, text), text)
    if pattern == NAME_AND_ROLE:
        alone = _without_answers(heads, text)
        over = _with_names_inside(_without_title(names_over_text(alone, text)), alone, text)
        return with_pointed_names(_with_names_beside_verses(over, text), text)
    if all(head.start is None for head in heads.values()):
        if are_choices(heads, text):
            return {}
        if frame := frame_of(heads):
            heads = {n: head for n, head in heads.items() if head.name in frame}
        if pattern == UNTIMED_MARKDOWN or (row is not None and row.is_raw):
            heads = without_directions_alone(with_plain_names(heads, text))
        if pattern == UNTIMED:
            heads = with_identifiers(with_names_in_brackets(heads, text), text)
            heads = with_lost_colons(heads, text)
        heads = without_links(with_directions_first(pattern, heads, text), text)
        leave_list(heads, text)
    if text.are_indented(heads):
        heads = {n: head for n, head in heads.items() if text.indents[n] > 0}
    if pattern in NOTATIONS or are_behind_names(heads):
        leave_document(heads, text)
    elif row is not None and row.is_raw:
        leave_unlike(heads, Counter(head.name for head in heads.values()))
    if pattern in NOTATIONS:
        take_times(heads)
    return with_names_of_column(heads, text) if pattern.endswith(WITH_POINT) else heads


def _is_way(head: TurnHead) -> bool:
    """Return True for who comes or goes in a play, alone on a line: ``Exeunt``, ``Enter Ann``."""
    is_alone = not head.text and head.start is None
    return is_alone and any(way.match(head.name or "") for way in (LEAVES, ENTERS))


def _are_named(heads: Mapping[int, TurnHead]) -> bool:
    """Return True if some texts of a chat begin with names that return."""
    names = (NAMED_MESSAGE.match(head.text) for head in heads.values())
    counts = Counter(match[0] for match in names if match is not None)
    return sum(count for count in counts.values() if count > 1) > (1 - SEPARATED) * len(heads)


def _without_answers(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Remove lines with a full stop unless most names that return have one, as in plays: ``Ann.``.

    Such a name has a capital, and is nowhere a word in small letters.
    """
    pointed = {n: head.name or "" for n, head in heads.items() if text.folded[n].text[-1:] == "."}
    if not pointed:
        return heads
    words = {word.strip(".,;:!?…\"'") for folded in text.folded for word in folded.text.split()}
    names = {n: name for n, name in pointed.items() if name[:1].isupper()}
    returning = Counter(names.values())
    names = {n: x for n, x in names.items() if x.lower() not in words or returning[x] > LEAST}
    if len({name for name in names.values() if name.lower() not in words}) < MOST_ALIKE:
        names = {}
    counts = Counter(names.values())
    plain = Counter(head.name for n, head in heads.items() if n not in pointed)
    again = [count for count in counts.values() if count > 1]
    are_names = len(again) > 1 and sum(again) > sum(count for count in plain.values() if count > 1)
    return {n: x for n, x in heads.items() if n not in pointed or (are_names and n in names)}


def _of_one_sign(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the letters of questions and answers with a colon if most have one: not ``A talk``."""
    signed = {
        n for n, head in heads.items() if text.folded[n].text[len(head.name or "") :][:1] == ":"
    }
    return {n: heads[n] for n in signed} if 2 * len(signed) > len(heads) else heads


def _without_title(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Remove the first name if it alone is in capitals: it is the title of a part."""
    counts = Counter(head.name or "" for head in heads.values())
    first = min(heads, default=0)
    others = [name for name in counts if heads and name != heads[first].name]
    is_title = bool(others) and counts[heads[first].name or ""] == 1
    if not is_title or not (heads[first].name or "").isupper() or any(map(str.isupper, others)):
        return heads
    return {n: head for n, head in heads.items() if n != first}


def _with_plain_names(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Return the heads whose names are also alone, ``ANNA.``, not only with what ANNA does."""
    alone = {head.name for n, head in heads.items() if text.folded[n].text == f"{head.name}."}
    return {n: head for n, head in heads.items() if head.name in alone}


def _with_names_beside_verses(heads: dict[int, TurnHead], text: TextLines) -> dict[int, TurnHead]:
    """Add the names in capitals that have blanks and a text behind them, and a direction alone.

    Such names return, and most of them are those of heads: ``ANNA  So it was.``, ``ANNA, [aside]``.
    """
    counts = Counter(head.name for head in heads.values() if (head.name or "").isupper())
    if 2 * counts.total() <= len(heads) or not counts:
        return heads
    beside: dict[int, TurnHead] = {}
    for n, folded in enumerate(text.folded):
        match = BESIDE_VERSE.match(folded.line) if n not in heads else None
        if match is not None and match["name"].isupper() and is_name(match["name"]):
            beside[n] = TurnHead(match["name"], None, None, match["text"] or "")
    known = sum(head.name in counts for head in beside.values())
    counts += Counter(head.name for head in beside.values())
    if known < LEAST or 2 * known < len(beside):
        return heads
    first = min((n for n, head in beside.items() if head.text), default=0)
    again = {n: head for n, head in beside.items() if counts[head.name] > 1 and n >= first}
    return dict(sorted({**heads, **again}.items()))


def _with_names_inside(
    heads: dict[int, TurnHead], alone: Mapping[int, TurnHead], text: TextLines
) -> dict[int, TurnHead]:
    """Add the names in capitals inside paragraphs, above their text, that return as first lines.

    A name directly below the line in which the person comes is one in any case: ``Enter Chorus``.
    """
    counts = Counter(head.name for head in heads.values())
    inside = {
        n: head for n, head in alone.items()
        if n not in heads and (
            (counts[head.name] >= LEAST and (head.name or "").isupper()) or _has_come(n, head, text)
        )
        and text.folded[n].text == head.name and n + 1 not in heads
        and text.is_filled[n + 1 : n + 2] == [True]
    }  # fmt: skip
    return dict(sorted({**heads, **inside}.items())) if inside else heads


def _has_come(n: int, head: TurnHead, text: TextLines) -> bool:
    """Return True if the line above the name of a person tells that this person comes."""
    above = text.folded[n - 1].text if n else ""
    is_there = head.name is not None and above[:1] in ("E", "R") and head.name in above
    return is_there and ENTERS.match(above) is not None
