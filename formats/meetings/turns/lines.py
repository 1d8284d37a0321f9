"""The lines of a text in normalised form, with properties that do not depend on the layout.

A position is the index of a line, from 0. A name repeats if it begins several turns.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from operator import itemgetter

from formats.meetings.layouts import fold
from formats.meetings.turns.chapters import chapters_over
from formats.meetings.turns.dated_messages import with_dates_before_names
from formats.meetings.turns.heads import CLOCK, TurnHead, any_untimed
from formats.meetings.turns.margins import margins
from formats.meetings.turns.places import with_times_before_names, with_times_behind_first
from formats.meetings.turns.plain import (
    LEAST,
    LONE,
    LONGEST_TIMES,
    SEPARATED,
    STAMP_FIRST,
    TIMES_ALONE,
    Lines,
    plain_lines,
    with_times_first,
    without_numbers,
)
from formats.meetings.turns.receivers import with_senders_first
from formats.reading.document_parts import NOTICE, NOTICE_OF_SERVICE, SPEECH, book_in
from formats.reading.lines import HEADING, LONGEST_FRONT, front_matter
from formats.reading.part_titles import (
    ACTS,
    FIRST_ORDINALS,
    counted_form,
    counts_between,
    headings_in,
    is_act,
)
from formats.reading.speakers import is_label, is_name
from formats.schema import lazy_pattern

STAMP_IN_TEXT = rf"[*_`]{{0,2}}\\?\[({CLOCK})\\?\][*_`]{{0,2}}"
STAMP = lazy_pattern(STAMP_IN_TEXT)
"""A time in brackets with the emphasis around it."""
BARE_STAMP = lazy_pattern(rf"\[({CLOCK})\\?\]")
"""The same without what may be around it, which is found faster."""
DATA = lazy_pattern(r"[^{}\n]{0,60}\{\"[^\"\n]{1,60}\":(?:[ ].*\}|[ ]?[\"\[{0-9tfn].*\}\])\Z")
"""An object of JSON or a list of them, perhaps behind a name."""
MOST_OF_DOCUMENT = 0.5
"""The largest share of a text above the title of its speech."""
FIRST_ACT = lazy_pattern(
    rf"(?i)(?:{'|'.join(ACTS)})[ ](?:I|1|one|(?:the )?(?:{FIRST_ORDINALS}))(?!\w)"
    rf"|(?:(?:{FIRST_ORDINALS})|(?:I|1)\.?)[ ](?:{'|'.join(ACTS)})(?!\w)"
    r"|第[一1][幕场場]|제[ ]?1[막장]|الفصل الأول|מערכה ראשונה"
)
BEGIN_OF_TURN = lazy_pattern(
    r"[_*=]{0,2}([^\W\d_][^:.\n\d_*=]{1,30}?)(?:[.:][_*=]{0,2}|[_*=]{1,2}[.:])(?=\s|\Z)"
)
FEWEST_OF_ACT, MOST_OF_NOTICE, FEWEST_PERSONS = 5, 20, 2
"""The title of the first act, a likely name before a text, the fewest lines of an act, the most
lines of a notice, and the fewest names that return in a play."""
NARROWEST, WIDEST, FULL, LEAST_INDENTED = 50, 140, 0.75, 0.05
"""Widths of wrapped lines, the share of it that a full line has, and that of indented lines."""
FOOTER = lazy_pattern(
    rf"(?:[\[(]?(?P<at>{CLOCK})[\])]?[ ]?[-–—|:]?[ ])?"
    rf"[\[(*_. -]{{0,4}}(?:{NOTICE_OF_SERVICE}|以上内容由[ ]?AI[ ]?生成.{{0,20}}|"
    r"transcri(?:bers?|ptionists?)[:：][ ].{1,80}|"
    r"(?:Transcribed|(?:This )?transcript(?:ion)?(?: was)? (?:generated|created|provided|produced)|"
    r"(?:Subtitles|Captions) (?:generated|provided)) (?:by|with|using) .{1,80}|"
    r"(?:(?:Please )?note(?: that|:)? |disclaimer: )?"
    r"(?:This|The) (?:transcript(?:ion)?|text|document) (?:was|is|has been|were) "
    r"(?:(?:auto(?:matically)?|machine)[ -]?)?(?:generated|created|produced|transcribed)\b.{0,200}|"
    r"(?:NPR )?transcripts are (?:created|generated|produced)\b.{0,300}|"
    r"PART [0-9]{1,3} OF [0-9]{1,3} ENDS\b.{0,30}|"
    r"(?:Transcribed|Translated|Generated) automatically\.?|"
    r"(?:Exported|Generated) (?:by|from|with|using) .{1,80}|"
    r"\[?Transcript(?:ion)? ends?\]?|Retrieved from\s.{0,200}|"
    r"(?P<end>(?-i:(?:THE |The )?(?:END|End)"
    r"(?:[ \t]{1,40}[0-9]{1,2}[:.][0-9]{2}[ ]?[APap]\.?[Mm]\.?(?:[ ][A-Z]{2,4})?)?"
    r"|FINIS|FIN|Fin|FINE|ENDE|Ende|KONIEC|КОНЕЦ|終|完"
    r"|CURTAIN|Curtain|VORHANG|RIDEAU|TEL[ÓO]N|SIPARIO|(?:FADE|CUT|SMASH CUT) (?:OUT|TO BLACK)"
    r"|BLACK[ -]?OUT|Blackout|LIGHTS OUT|BLACK\.|NOIR|OSCURO|BUIO|ЗАТЕМНЕНИЕ|DUNKEL))[.:!]?|"
    r"(?-i:END OF|End of)[ ](?:THE |the )?(?-i:[A-Z][\w ]{1,30})|"
    r"\[?End of (?:the )?(?:transcript(?:ion)?|meeting|recording|call|interview|audio|tape|lecture|"
    r"conversation|chat|dialogue|discussion|debate|session|class|episode|podcast|show|play|act|script)\]?"
    r"(?:[.:;,–-][ ].{0,20}\b(?:stopped|ended|off)\b.{0,30})?|"
    r"(?:Recording|Interview|Transcription)[ ](?:stopped|ended|ends)(?:[ ]at[ ].{1,20})?\.?|"
    r"(?:©|\(c\)[ ]|Copyright[ ](?:©|\(c\)|[0-9]{4})).{0,300}|"
    r"\[?(?:Fim|Fin|Fine) d(?:[aeo]|e la|ella|el)[ ](?:transcri|entrevista|intervista|reuni|audio)"
    r"[^\s\]]{0,12}\]?|\[?Ende (?:des|der) (?:Transkript|Interview|Aufnahme)\w{0,5}\]?|"
    r"\[End (?:of )?(?:the )?(?:transcript(?:ion)?|meeting|recording|call|interview)\b"
    r"[^\]\n]{0,40}\]|"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" [0-9]{1,2}(?:st|nd|rd|th)?(?:,? [0-9]{4})?:?|"
    r"This editable transcript was computer.generated.*|"
    r"(?:\[[^\]\n]{4,12}\][ ])?(?:The )?(?:meeting|call|session) "
    r"(?:concluded|adjourned|ended|finished)\b.{0,40}|"
    r"whisper_[a-z_]{4,40}:.{0,200}|"
    r"--- (?:Log|Day|Session) (?:closed|opened|changed)\b.{0,60}|"
    r"(?:(?:Full|Final|Complete) )?(?:Transcri(?:pt|ption)|Text|Result)s?:|"
    r"(?:Transcri(?:pt|ption)|Output|Results?|Text|File)s?(?: was| were)? "
    r"(?:saved|written|exported) (?:to|in|as|at):? .{1,200}|"
    r"(?:Total|Elapsed|Processing|Transcription|Execution|Inference)(?: time| duration| words)[ :]"
    r".{1,60}|(?:Done|Finished|Completed|Time taken)(?: in| after|:) [0-9].{0,40}|"
    r"(?:Tiempo|Tempo) (?:total|de \w{4,20}):.{1,60}|"
    r"(?:Transcripci[óo]n|Transcrição) (?:complet|finaliz|terminad|conclu)\w{1,4}|"
    r".{1,60} (?:started|stopped) transcription)[\])*_. -]{0,4}\s*\Z",
    re.IGNORECASE,
)
"""A line below the speech, perhaps behind its time `at`; `end` is the end alone, a name, too."""
RULE = lazy_pattern(
    r"(\\?[-=_*#~+─━═•–—\x22'`])(?:[ ]{0,3}\1){2,}\Z|[─━═—⸺⸻]{1,3}\Z|[*#~§•·+=|:]{1,2}\Z"
    r"|[\ue000-\uf8ff]{1,9}\Z"  # pictures of a font, for example of buttons
    r"|[-=─━═*]{3,}(?: \S|[^-=─━═*\s]).{0,100}(?:\S |[^-=─━═*\s])[-=─━═*]{3,}\Z"
    r"|</?(?:P|CHAPTER[^<>\n]{0,80})>\Z|<(?:img|hr|br|iframe|video|audio)\b[^<>\n]{0,600}>\Z"
)
"""A line that separates: signs alone, or signs around a title."""
BREAK = lazy_pattern(
    r"[\[(*_]{0,3}(?:(?:opening|closing|end) (?:credits|titles)|(?:commercial|ad|advert\w{0,8})"
    r" break|(?:story|article) continue[sd] below.{0,40}|continue reading the main story"
    r"|advertisement|skip advertisement)[.:]?[\])*_]{0,3}\Z"
    r"|[\[(*_#=-]{0,3}[ ]?(?:start|begin(?:ning)?|end) of (?:(?:audio|video|sound)[ -]?)?"
    r"(?:film|tape|reel|side|dis[ck]|cassette|recording|file|clip|track)s?"
    r"(?:[ ](?:no\.?[ ]|#)?(?:[0-9]{1,3}|[a-d]|[ivx]{1,4}))?(?:,? side [ab12])?"
    r"[.:]?[ ]?[\])*_#=-]{0,3}\Z",
    re.IGNORECASE,
)
"""A line that a page, a broadcast or an archive of tapes puts between parts of speech."""
LONGEST_BREAK = 80
LINKS_ALONE = lazy_pattern(
    r"[-*+•][ ]{1,4}(?:\[[^\[\]\n]{1,200}\]\([^()\s]{1,400}\)[.,;:|&·\s-]{0,3}){1,9}\Z"
    r"|\[[^\[\]\n]{1,100}\]:[ ]?(?:data:|https?://)"
)
"""An item of a list that has only links in Markdown, and the address of a link."""
BOLD_ALONE = lazy_pattern(r"(\*\*|__)[^*_\n]{1,80}(?<![.?!…:])\1\Z")
"""A line in bold that is no sentence."""
DIGIT = lazy_pattern("[0-9]")
MOST_OF_NAME = 4
"""The most words of a name that is a paragraph of its own."""
PARTICIPANTS = lazy_pattern(
    r"\W{0,4}(?:attendees|participants|present|speakers|teilnehme\w{1,6}|participantes|asistentes|"
    r"présents|partecipanti|deelnemers|intervenants|участники|присутствующие|参会人|与会者)\b",
    re.IGNORECASE,
)
"""The beginning of a line above the turns that names the speakers."""
MOST_OF_LIST = 60
"""The most lines at the beginning of a text that may list persons."""
BRACKETS = frozenset("([{<!〔")
BLOCK = 200
"""Lines at the middle and at the end of a text that show its layouts, and half of those at the
beginning."""


MOST_BLANK, LEAST_NAMES, LONGEST_NAME = 0.05, 0.03, 30
"""The largest share of blank lines in a text without paragraphs, the least share of names, and the
characters of a name."""
ENDS_OF_VERSES = frozenset(".?!…。？！؟।;·:—–-」』")
CLOSING = "\"'”’»)]」』 "
"""Signs at the end of speech, and what may follow them."""
OF_PROGRAM = lazy_pattern(
    r"(?i)\b(?:time ?stamps?|transcri(?:pts?|ptions?|bed)|chunks?|segments?|recordings?"
    r"|automatic(?:ally)?|zeitstempel|transkript\w*|horodat\w+|marcas? de tiempo|transcripci\w+)\b"
    r"|时间戳|時間戳|片段|タイムスタンプ|타임스탬프"
)
"""A word in the sentence that a program writes above each rule, and hardly a person."""
REMARK_OF_SCRIPT = lazy_pattern(
    r"(?<=[^\Wa-z])[ ]?\((?:PART[ ])?"
    r"(?:CONT(?:['’]?D|INUED|INUING)?|V\.?[ ]?O|O\.?[ ]?[SC]|OFF(?:[- ]?SCREEN)?|VOICE[ -]?OVER)"
    r"\.?\)\Z"
)
"""What screenplays write behind a name in capitals: that the person goes on, or is not seen."""


class TextLines:
    """The lines of a text in normalised form, with properties that do not depend on the layout."""

    def __init__(self, lines: Lines) -> None:
        lines = with_senders_first(with_dates_before_names(plain_lines(lines)))
        lines = with_times_first(without_numbers(lines))
        lines = with_times_behind_first(with_times_before_names(lines))
        self.chapters = chapters_over(lines)
        self.lines = lines = [
            (number, self.chapters[n].times) if n in self.chapters else (number, line)
            for n, (number, line) in enumerate(lines)
        ] if self.chapters else lines  # fmt: skip
        self.folded = [fold(line) for _, line in lines]
        self.is_filled = [bool(folded.line) for folded in self.folded]
        self.is_first = {
            n for n, filled in enumerate(self.is_filled)
            if filled and not (n and self.is_filled[n - 1])
        }  # fmt: skip
        self.is_first |= self._indented() | self._names_over_verses()
        self.is_rule = {n for n, folded in enumerate(self.folded) if _is_rule(folded.line)}
        self.is_rule |= self._titles_of_chapters()
        self.framed = self._framed()
        self.framed |= self._data() | self._code()
        texts = [folded.text for folded in self.folded]
        self.marks = margins(texts) | _page_numbers(texts) | self._around_book()
        self.marks |= self._notes_above_rules()
        self.is_rule |= self.marks
        self.speech_title = max(self._above_speech(), self._first_act())
        self.front = max(
            front_matter([line for _, line in lines[:LONGEST_FRONT]]), self.speech_title
        )
        self.is_rule |= self.framed

    def _indented(self) -> set[int]:
        """Return the positions of the indented first lines of paragraphs, if lines are wrapped."""
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

    def _names_over_verses(self) -> set[int]:
        """Return the positions of names alone that return in a text without blank lines.

        A sentence ends above nearly all of them, and none is above another.
        """
        filled = [n for n, is_filled in enumerate(self.is_filled) if is_filled]
        if len(filled) < (1 - MOST_BLANK) * len(self.lines) or not filled:
            return set()
        shown = {n: self.folded[n].text for n in filled}
        bare = {
            n: REMARK_OF_SCRIPT.sub("", text) if text[-1:] == ")" else text
            for n, text in shown.items()
        }
        names = {n: text for n, text in bare.items() if _may_be_name(text)}
        counts = Counter(names.values())
        again = {n for n, name in names.items() if counts[name] >= LEAST}
        above = dict(zip(filled, [-1, *filled], strict=False))
        ends = {
            n for n in names
            if above[n] < 0 or shown[above[n]].rstrip(CLOSING)[-1:] in ENDS_OF_VERSES
        }  # fmt: skip
        are_apart = sum(above[n] in names for n in again) <= (1 - SEPARATED) * len(again)
        are_names = len({names[n] for n in again}) > 1 and len(ends & again) >= FULL * len(again)
        is_enough = LEAST_NAMES * len(filled) <= len(again)
        return again | ends if are_names and are_apart and is_enough else set()

    def _notes_above_rules(self) -> set[int]:
        """Return the positions of one sentence that is a paragraph above all rules: a program's."""
        filled = [n for n, is_filled in enumerate(self.is_filled) if is_filled]
        above = [a for a, b in itertools.pairwise(filled) if b in self.is_rule]
        notes = [n for n in above if n in self.is_first and n not in self.is_rule]
        texts = {self.folded[n].text for n in above}
        if not LEAST <= len(notes) == len(above) or len(texts) > 1:
            return set()
        sentence = texts.pop()
        is_note = sentence.endswith(".") and ":" not in sentence and OF_PROGRAM.search(sentence)
        return set(notes) if is_note and not any(map(self._is_first_below, notes)) else set()

    def _is_first_below(self, n: int) -> bool:
        """Return True if no other text is between a line and the rule above it."""
        above = next((m for m in range(n - 1, -1, -1) if self.is_filled[m]), -1)
        return above < 0 or above in self.is_rule

    def _titles_of_chapters(self) -> set[int]:
        """Return the positions of titles below the tags of chapters, as in minutes of Europarl."""
        chapters = (n for n in self.is_rule if self.folded[n].line[:8] == "<CHAPTER")
        return {
            n + 1 for n in chapters
            if self.is_filled[n + 1 : n + 2] == [True] and self.folded[n + 1].line[:1] != "<"
        }  # fmt: skip

    def _framed(self) -> set[int]:
        """Return the positions of titles: lines between two rules, between blank lines."""
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
        title = min((n for n in above if SPEECH.match(self.folded[n].line)), default=0)
        return title if sum(lengths[:title]) <= MOST_OF_DOCUMENT * sum(lengths) else 0

    def _first_act(self) -> int:
        """Return the position of the title of the first act, or 0 if turns are above it.

        A table of contents has titles below it, a play has several other lines.
        """
        acts = [*sorted(self.acts), *2 * [len(self.folded)]]
        first = next(
            (n for n, scene, end in zip(acts, acts[1:], acts[2:], strict=False)
             if FIRST_ACT.match(self.folded[n].text)
             and sum(self.is_filled[n + 1 : end if self._is_below(n, scene) else scene])
             >= FEWEST_OF_ACT), 0,
        )  # fmt: skip
        if not first:
            return 0
        begins = (
            None if n in self.marks else BEGIN_OF_TURN.match(folded.text)
            for n, folded in enumerate(self.folded)
        )
        names = [match[1] if match else "" for match in begins]
        below = Counter(filter(None, names[first:]))
        above = sum(below[name] >= LEAST for name in names[:first])
        others = Counter(filter(None, names[:first]))  # of another play above this one
        are_several = sum(count >= LEAST for count in others.values()) >= FEWEST_PERSONS
        return 0 if above >= LEAST or are_several else first

    def _is_below(self, n: int, m: int) -> bool:
        """Return True if only blank lines and rules are between two lines."""
        return not any(map(self.is_spoken, range(n + 1, m)))

    def _around_book(self) -> set[int]:
        """Return the positions of lines around a published book, and of its notices."""
        texts = [line.strip() for _, line in self.lines]
        begin, end = book_in(texts)
        around = {*range(begin), *range(end, len(texts))} if end else set[int]()
        for n in (n for n, text in enumerate(texts) if text[:2] == "<<"):
            notice = texts[n : n + MOST_OF_NOTICE]
            size = next((m for m, text in enumerate(notice, 1) if text[-2:] == ">>"), 0)
            around.update(range(n, n + size))
        return around

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

    def _code(self) -> set[int]:
        """Return the positions of code between fences of Markdown, if times are beside the code.

        Slides of a talk are written so; if the times are between fences, the talk is.
        """
        fences = [n for n, (_, line) in enumerate(self.lines) if line.startswith(("```", "~~~"))]
        if not fences or len(fences) % 2:
            return set()
        code = {n for a, b in zip(fences[::2], fences[1::2], strict=True) for n in range(a, b + 1)}
        times = self.is_time_alone | self.is_stamped
        return code if len(times - code) >= max(LEAST, len(times) * SEPARATED) else set()

    @cached_property
    def has_digit(self) -> list[bool]:
        """Whether each line has a digit. A line without digits cannot have a time."""
        return [DIGIT.search(folded.text) is not None for folded in self.folded]

    @cached_property
    def indents(self) -> list[int]:
        """How many columns are before the text of each line."""
        lines = (line.expandtabs() for _, line in self.lines)
        return [len(line) - len(line.lstrip()) for line in lines]

    @cached_property
    def filled(self) -> list[int]:
        """The positions of the lines that are not blank."""
        return [n for n, is_filled in enumerate(self.is_filled) if is_filled]

    @cached_property
    def acts(self) -> set[int]:
        """The positions of titles of acts and scenes with their numbers."""
        return {n for n, folded in enumerate(self.folded) if is_act(folded.text)}

    @cached_property
    def part_titles(self) -> set[int]:
        """The positions of titles of acts, scenes and parts, and of lines in bold."""
        return {
            n for n, folded in enumerate(self.folded)
            if headings_in((folded.text,))
            or (folded.line[:1] in "*_" and BOLD_ALONE.match(folded.line) is not None)
        }  # fmt: skip

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

    @cached_property
    def notices(self) -> set[int]:
        """The positions of lines near the top in which a service names itself."""
        return {
            n for n, folded in enumerate(self.folded[:MOST_OF_LIST]) if NOTICE.match(folded.text)
        }

    def titles_of_chapters(self) -> dict[int, str]:
        """Return the titles of chapters by position."""
        return {n: chapter.title for n, chapter in self.chapters.items()}

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
        """Return the positions of lines that continue a turn: more indented than all heads."""
        margins = Counter(self.indents[n] for n in heads)
        margin, count = max(margins.items(), key=itemgetter(1), default=(0, 0))
        if count < SEPARATED * len(heads) or len(heads) < LEAST:
            return set()
        least = margin + 2
        hanging: set[int] = set()
        for n in range(len(self.lines)):
            is_below = n - 1 in heads or n - 1 in hanging
            if is_below and self.is_filled[n] and self.indents[n] >= least:
                hanging.add(n)
        return hanging - heads.keys()

    def are_indented(self, places: Collection[int]) -> bool:
        """Return True if nearly all of these lines are indented, and nearly no other line is."""
        indented = sum(self.indents[n] > 0 for n in places)
        if not indented or indented < SEPARATED * len(places):
            return False
        others = [n for n in self.filled if n not in places]
        outdented = sum(self.indents[n] == 0 for n in others)
        return len(others) >= LEAST and outdented >= SEPARATED * len(others)

    def sample(self) -> list[int]:
        """Return the positions of a sample of lines, which shows the possible layouts.

        Lines that follow each other are taken, as the lines of a turn may be of several kinds.
        """
        size = len(self.lines)
        if size <= 4 * BLOCK:
            return list(range(size))
        middle = (size - BLOCK) // 2
        return [*range(2 * BLOCK), *range(middle, middle + BLOCK), *range(size - BLOCK, size)]


def _may_be_name(text: str) -> bool:
    """Return True for a few words with capitals, or a brief word of a script without them."""
    if not 0 < len(text) <= LONGEST_NAME or text[-1] in ENDS_OF_VERSES:
        return False
    words = text.split()
    is_titled = all(word[0].isupper() for word in words) or text.lower() == text.upper()
    return is_titled and len(words) < MOST_OF_NAME and is_name(text)


def _page_numbers(texts: Sequence[str]) -> set[int]:
    """Return the positions of lines that count slides or pages; ``P1`` is a participant."""
    forms = {form for form in counts_between(texts) if form[0] != "p"}
    if not forms:
        return set()
    counted = ((n, counted_form(text)) for n, text in enumerate(texts))
    return {n for n, form in counted if form is not None and form[0] in forms}


def _is_rule(line: str) -> bool:
    """Return True for a line that separates, and for one that is of the page and no speech."""
    if not line or (line[0].isalnum() and len(line) > LONGEST_BREAK):
        return False
    if BREAK.match(line) is not None:
        return True
    return not line[0].isalnum() and (
        RULE.match(line) is not None or ("]" in line and LINKS_ALONE.match(line) is not None)
    )
