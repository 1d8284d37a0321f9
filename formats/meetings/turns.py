"""Turns of speakers in lines of text: the layout of a file, and the turns that it describes.

`formats.meetings.layouts` is the table of layouts. The layout of a file is the row that explains
its lines best. Each line is a head of a turn, text below one, a name alone, a rule of signs, the
head or the foot of the document, or it does not fit, which is counted and reported.

A row is accepted if at least three lines have it, times go forward, and if names come again: there
are at most half as many names as heads, or two. Where text is behind the heads, names without times
have to begin most *lines*, not only most paragraphs: sentences with colons are no turns. What is
below that is prose. If the format is named, 70 % of the paragraphs suffice.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from formats.io.messages import FRAMES_ASSUMED
from formats.io.source import Source
from formats.meetings.layouts import (
    INSIDE,
    LAYOUTS,
    LONGEST_HEAD,
    NAME_ALONE,
    Folded,
    TextLayout,
    fold,
)
from formats.meetings.messages import (
    LINES_LEFT,
    MINUTES_LEFT,
    NAMES_INSIDE,
    SPEAKER_TEXT,
    SPEAKER_TEXT_FOOTER,
    STAMPS_INSIDE,
    TIME_BACK,
    TIME_BACK_FEW,
    TIME_OF_DAY,
    TIMES_HEAD,
    TIMES_IN_MS,
    TURN_EMPTY,
    TURN_NAMES,
    TURNS_HEAD,
)
from formats.reading.frames import given_rate
from formats.reading.lines import split_words, strip_blanks
from formats.reading.patterns import (
    DEFAULT_FPS,
    FRAMES,
    Found,
    Pattern,
    compile_pattern,
    parse_stamp,
)
from formats.reading.speakers import (
    HEAD_NAMES,
    LOG_WORDS,
    LONGEST,
    MINUTES_NAMES,
    NOTATIONS,
    SOUNDS_TOO,
    common_prefix,
    is_code,
    is_label,
    is_name,
    split_name,
)
from formats.schema.clock import format_clock
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_time

Lines = Sequence[tuple[int, str]]

UNTIMED = "Name: text"
UNTIMED_MARKDOWN = "**Name:** text"
BLOCKS = "{start} over {speaker}: {text}"
WRITTEN_TIMED = compile_pattern("[{start clock}{?{to}{end clock}?}] {speaker}:{? {text}?}")
"""What `formats.meetings.speaker_text` writes with times; with bold names it is folded to this."""
WRITTEN_UNTIMED = (UNTIMED_MARKDOWN, UNTIMED)
BY_NAME = {layout.name: layout for layout in LAYOUTS}
CLOCK = r"(?:[0-9]{1,9}:)?[0-9]{1,3}:[0-5][0-9](?:[.,][0-9]{1,9})?"
STAMP = re.compile(rf"[*_`]{{0,2}}\\?\[({CLOCK})\\?\][*_`]{{0,2}}")
TIME_FIRST = re.compile(rf"[\[(]({CLOCK})[\])][ \t]*")
LONE = re.compile(rf"(?:#+[ ]*)?\[?({CLOCK})\]?\Z")
ENDED = re.compile(rf".{{3,60}} ({CLOCK})[ \xa0]*\Z")
FOOTER = re.compile(
    r"(?:Transcribed by https://otter\.ai|\[?Transcript(?:ion)? ends?\]?|Retrieved from\s.{0,200}|"
    r"\[?End of (?:the )?(?:transcript(?:ion)?|meeting|recording|call|interview|audio|tape)\]?|"
    r"\[?(?:Fim|Fin|Fine) d(?:[aeo]|e la|ella|el)[ ](?:transcri|entrevista|intervista|reuni|audio)"
    r"[^\s\]]{0,12}\]?|\[?Ende (?:des|der) (?:Transkript|Interview|Aufnahme)\w{0,5}\]?|"
    r"This editable transcript was computer.generated.*|"
    r"(?:The )?(?:meeting|call|session) (?:concluded|adjourned|ended|finished)\b.{0,40}|"
    r".{1,60} (?:started|stopped) transcription)\s*\Z",
    re.IGNORECASE,
)
RULE = re.compile(
    r"([-=_*#~+─━═•–—\x22'`])\1{2,}\Z|[─━═—⸺⸻]{1,3}\Z|[-=─━═*]{3,}(?: \S|[^-=─━═*\s]).{0,100}"
    r"(?:\S |[^-=─━═*\s])[-=─━═*]{3,}\Z"
)
"""A line that separates: signs alone, or signs around a title."""
SEPARATOR = re.compile(r"[^\w\s\"'“”‘’«»¿¡()\[\]{}<♪*.…!?&$#@]{1,3}(?=[ \t\xa0]|\Z)[ \t\xa0]*")
"""Signs that may stand between a head and its text."""
SEPARATED = 0.9
DOUBTFUL = 0.6
"""The share of lines with a head from which a text that has no layout is none of prose either."""
MOST_MINUTES = 0.5
FIELDS = {"text", "transcript", "transcription", "sentence", "content", "category", "title", "url"}
"""Names of the fields of records, in small letters, which nobody speaks under."""
STAMP_FIRST = re.compile(rf"[*_`#>|(\[ \t-]{{0,8}}{CLOCK}")
"""A line that begins with a time."""
DIGIT = re.compile("[0-9]")
HEADING = re.compile(r"#{1,6}[ \t]+\S")
"""A heading in Markdown."""
NO_PROSE = re.compile(
    r"\[(?:Script Info|Events|INFORMATION|SUBTITLE|BEGIN)\]|\*+ START SCRIPT|WEBVTT|@Begin"
    r"|(?!.*\[).*[0-9][ \t]?-->(?![^\n]*[^\W\d_]{2,}[ \t]+[^\W\d_:]+)"
    r"|File type|LHD:[ \t]*Partitur|\[(?:ti|ar|al|by|offset):"
)
LYRICS = re.compile(r"\[[0-9]{1,3}:[0-9]{2}\.[0-9]{1,3}\]")
LONE_NAME = re.compile(
    r"(?:[-=─━═]{2,} )?([^\s:\[\]<>*=─━═-][^:\n\[\]<>*=─━═]{0,58}?)(:| [-=─━═]{2,})\Z"
)
MARKS = (":", "[", "(", "<v ", "：", "（", "# ", "peaker", "PEAKER", " - ", " – ", " — ", "@")
"""A beginning without any of them has no turns."""
LEAST = 3
SOME = 200
MOST_EXAMPLES = 6
MOST_ABOVE = 10
SENTENCE_ENDS = (".", "?", "!", "…", "。", "？", "！")
MOST_PATTERNS = 20
MOST_SKIPS = 10
HALF_OF_DAY = re.compile(r"[*_`#> ]{0,8}[\[(]?[0-9]{1,2}(?::[0-9]{2}){1,2} ?[AaPp]\.?[Mm]\b")
"""A line that begins with a time of day."""
HAS_FRAMES = re.compile(rf"(?<![0-9:]){FRAMES}(?![0-9:.,])")
HOUR = 3600 * SECOND
CLOCK_ANYWHERE = re.compile(rf"(?<![0-9:]){CLOCK}")
SLOWEST = 0.3
FEWEST_WORDS = 5
SAMPLE = 3000
"""Lines by which the rows are chosen that are tried on a whole text."""


class TurnLayout(NamedTuple):
    """The layout of turns in a file, and what it explains.

    `heads` of `paragraphs`, `speakers` different names, the lines that do not fit, and the number
    of the first of them.
    """

    pattern: str
    heads: int
    paragraphs: int
    speakers: int
    left: int = 0
    timed: int = 0
    is_marked: bool = False
    examples: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The commonest of its heads, as a pattern that says what they are."""
        return self.examples[0] if self.examples else shown_notation(self.pattern)


class TurnHead(NamedTuple):
    """The start of a turn: speaker, times in nanoseconds, text, and whether marks are around it."""

    name: str | None
    start: int | None
    end: int | None
    text: str
    is_marked: bool = False


def head_of_turn(pattern: str, line: str, *, is_any_name: bool = False) -> TurnHead | None:
    """Parse a line that begins a turn; `None` for any other line."""
    return _head(pattern, fold(line), is_any_name=is_any_name)


def written_head(line: str) -> TurnHead | None:
    """Parse a line in the form with times that the writers write; `None` for any other line."""
    folded = fold(line)
    match = WRITTEN_TIMED.take(folded.text)
    return None if match is None else _turn_head(folded, match)


def _head(pattern: str, folded: Folded, *, is_any_name: bool = False) -> TurnHead | None:
    if pattern in NOTATIONS:
        name, rest = split_name(pattern, folded.line)
        rest = rest.strip(" \xa0\t")
        rest = _without_emphasis(rest) if pattern == UNTIMED_MARKDOWN else rest
        return None if name is None else TurnHead(name, None, None, rest)
    layout, rows = _row(pattern)
    text = folded.line if layout.is_raw else folded.text
    for row in rows:
        match = row.take(text)
        if match is None:
            continue
        name = strip_blanks(match.values.get("speaker", "").strip("* \xa0"))
        if name and not (is_any_name or _is_speaker(layout.names, name)):
            continue
        after = match.values.get("text", "")
        if "\t" in folded.line and (
            CLOCK_ANYWHERE.match(after) or ("\t" in after and "speaker" not in match.values)
        ):
            continue  # a row of a table
        return _turn_head(folded, match, is_raw=layout.is_raw)
    return None


@lru_cache(maxsize=128)
def _row(name: str) -> tuple[TextLayout, tuple[Pattern, ...]]:
    """Return a row of the table with its compiled patterns."""
    return BY_NAME[name], BY_NAME[name].compiled()


def _without_emphasis(text: str) -> str:
    """Return a text without the signs of emphasis around all of it."""
    for mark in ("*", "_"):
        if len(text) > 2 and text[0] == mark == text[-1] and text.count(mark) == 2:
            return text[1:-1].strip()
    return text


def shown_notation(pattern: str) -> str:
    """Return a notation of names in the words of patterns."""
    if pattern not in NOTATIONS:
        return pattern
    return pattern.replace("Name", "{speaker}").replace("text", "{text}")


def _filled(folded: Folded, spans: dict[str, tuple[int, int]], *, is_raw: bool = False) -> str:
    """Return a line with its values replaced by their names."""
    places = [
        (span if is_raw else folded.original(*span), key, span[1] > span[0])
        for key, span in spans.items()
    ]
    parts, position = [], 0
    for (begin, end), key, is_there in sorted(places):
        parts += [folded.line[position:begin], f"{{{key}}}" if is_there else ""]
        position = end
    return " ".join("".join([*parts, folded.line[position:]]).split())


def _example(pattern: str, folded: Folded) -> str:
    """Return a head as a pattern: the line with its values replaced."""
    if pattern in NOTATIONS:
        return shown_notation(pattern)
    layout = BY_NAME[pattern]
    for row in _row(pattern)[1]:
        match = row.take(folded.line if layout.is_raw else folded.text)
        name = strip_blanks(match.values.get("speaker", "")) if match else ""
        if match is None or (name and not _is_speaker(layout.names, name)):
            continue
        return _filled(folded, match.spans, is_raw=layout.is_raw)
    return pattern


@lru_cache(maxsize=4096)
def _is_speaker(names: str, text: str) -> bool:
    """Return True if a row with these `names` takes a text for a name."""
    if names == "any":
        return True
    if names == "labels":
        return is_label(text)
    return is_name(text) or is_label(text) or (names == "codes" and is_code(text))


def _turn_head(folded: Folded, taken: Found, *, is_raw: bool = False) -> TurnHead:
    """Return the head of a turn from what a row took; its text is that of the line itself."""
    values = taken.values
    text = ""
    is_marked = is_raw or folded.origins is not None
    if values.get("text"):
        span = taken.match.span("text")
        begin, end = span if is_raw else folded.original(*span)
        text = folded.line[begin:end].strip(" \xa0\t")
        if is_marked or len(folded.line) > LONGEST_HEAD:
            for mark in ("**", "__", "`"):
                if text.count(mark) % 2:
                    is_before = text.startswith(mark)
                    text = text.removeprefix(mark) if is_before else text.removesuffix(mark)
            text = text.strip(" \xa0\t")
    name = strip_blanks(values.get("speaker", "").strip("* \xa0")).rstrip(": ")
    times = [values.get(key) for key in ("start", "end")]
    start, end_time = (None if time is None else parse_stamp(time) for time in times)
    return TurnHead(name or None, start, end_time, text, is_marked)


class _Text:
    """The lines of a text, folded once, and what is known of them whatever the row."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.folded = [fold(line) for _, line in lines]
        self._heads: dict[str, dict[int, TurnHead]] = {}
        self._minutes: dict[str, set[int]] = {}
        self.is_filled = [bool(folded.line) for folded in self.folded]
        self.is_first = {
            n for n, filled in enumerate(self.is_filled)
            if filled and not (n and self.is_filled[n - 1])
        }  # fmt: skip
        self.is_rule = {
            n for n, folded in enumerate(self.folded)
            if folded.line and RULE.match(folded.line) is not None
        }  # fmt: skip

    def heads(self, pattern: str) -> dict[int, TurnHead]:
        """Return the heads of a row by the position of their line; found once, and not changed."""
        heads = self._heads.get(pattern)
        if heads is None:
            heads = _without_separator(_heads(pattern, self))
            minutes = self._minutes[pattern] = _minutes(heads, self)
            no_names = {
                name for name in {head.name for head in heads.values()}
                if MINUTES_NAMES.match(name or "") or FOOTER.match(name or "")
            }  # fmt: skip
            heads = self._heads[pattern] = {
                n: head for n, head in heads.items()
                if n not in minutes and head.name not in no_names
            }  # fmt: skip
        return heads

    def minutes(self, pattern: str) -> set[int]:
        """Return the positions of lines that are a part of minutes, for the heads of a row."""
        self.heads(pattern)
        return self._minutes[pattern]

    @cached_property
    def layouts(self) -> list[TurnLayout]:
        """Each row that the lines have, with what it explains."""
        return list(_layouts(self))

    @cached_property
    def has_digit(self) -> list[bool]:
        """Whether each line has a digit, without which there is no time."""
        return [DIGIT.search(folded.text) is not None for folded in self.folded]

    @cached_property
    def is_heading(self) -> set[int]:
        """The positions of headings in Markdown."""
        return {n for n, folded in enumerate(self.folded) if HEADING.match(folded.line)}

    @cached_property
    def is_stamped(self) -> set[int]:
        """The positions of lines that begin with a time and go on."""
        return {
            n for n, folded in enumerate(self.folded)
            if STAMP_FIRST.match(folded.line) is not None and LONE.match(folded.line) is None
        }  # fmt: skip

    def is_wrapped(self, heads: set[int]) -> bool:
        """Return True if paragraphs are cut at a width: lines that go on are nearly as long."""
        follows = [
            len(self.folded[n].line)
            for n in range(len(self.lines) - 1)
            if self.is_filled[n] and self.is_filled[n + 1] and n + 1 not in heads
        ]
        if not follows or 2 * len(heads & self.is_first) < len(heads):
            return False
        width = max(len(folded.line) for folded in self.folded)
        return 50 <= width <= 140 and sum(n >= 0.75 * width for n in follows) >= 0.75 * len(follows)

    def sample(self) -> list[int]:
        """Return the places of lines by which rows are chosen: the first, and two later blocks."""
        size = len(self.lines)
        if size <= SAMPLE:
            return list(range(size))
        block = SAMPLE // 4
        return [
            *range(SAMPLE // 2), *range(size // 2, size // 2 + block), *range(size - block, size),
        ]  # fmt: skip


def may_have_turns(lines: Sequence[str]) -> bool:
    """Return False if a text has no sign of turns, and no name that returns alone."""
    if any(mark in line for line in lines for mark in MARKS):
        return True
    alone = Counter(
        line for before, line, after in zip(lines, lines[1:], lines[2:], strict=False)
        if line and not before and not after and len(line) <= LONGEST and line.istitle()
    )  # fmt: skip
    return any(count > 1 for count in alone.values())


def layout_of(lines: Lines) -> TurnLayout | None:
    """Return the layout of a text; `None` where it is prose, or anything else."""
    return _layout_of(_Text(lines))


@lru_cache(maxsize=1)
def layout_of_beginning(lines: tuple[str, ...]) -> tuple[TurnLayout | None, bool]:
    """Return the layout of the beginning of a text, for which several formats ask.

    If it has none, as many lines may have the head of one that neither this nor plain text is sure:
    then the layout is returned with True.
    """
    text = _Text(list(enumerate(lines, 1)))
    layout = _layout_of(text)
    return (layout, False) if layout is not None else (_doubtful(text), True)


def _layout_of(text: _Text) -> TurnLayout | None:
    fitting = [layout for layout in text.layouts if _fits(layout, text)]
    return _best(fitting)


def _best(layouts: Sequence[TurnLayout]) -> TurnLayout | None:
    """Return the layout that explains most lines; blocks of times before their parts."""
    blocks = [layout for layout in layouts if layout.pattern == BLOCKS]
    named = [layout for layout in layouts if layout.pattern != INSIDE and layout.speakers > 1]
    layouts = named if any(layout.pattern == INSIDE for layout in layouts) and named else layouts
    return max(
        blocks or layouts,
        key=lambda x: (
            x.heads - x.left // 2 if x.left else x.heads,
            x.pattern not in NOTATIONS,
            x.speakers > 0,
            -x.left,
        ),
        default=None,
    )


def _given_layout(text: _Text) -> TurnLayout | None:
    """Return the layout of a text that is said to have turns: most of its lines decide."""
    filled = [n for n, is_filled in enumerate(text.is_filled) if is_filled]
    for pattern in WRITTEN_UNTIMED:
        if all(_head(pattern, text.folded[n]) is not None for n in filled):
            names = {head.name for head in text.heads(pattern).values()}
            return TurnLayout(pattern, len(filled), len(filled), len(names))
    likely = [
        layout for layout in text.layouts
        if layout.heads >= 0.7 * layout.paragraphs
        and layout.heads > (1 if layout.timed else LEAST - 1)
        and layout.speakers <= max(2, layout.heads / 2)
    ]  # fmt: skip
    return _best(likely) or _doubtful(text)


def _doubtful(text: _Text) -> TurnLayout | None:
    """Return the layout that too many lines have for prose, and too few for certain turns."""
    doubt = suspicion(text.lines, text)
    if doubt is None or doubt.heads <= LEAST or doubt.pattern in SOUNDS_TOO:
        return None
    return doubt if doubt.heads >= DOUBTFUL * doubt.paragraphs else None


def _written_heads(lines: Lines) -> tuple[str, list[tuple[int, TurnHead]]] | None:
    """Return the heads of a text and the pattern of the first, if writers write every line so.

    Some may have no time, but not all.
    """
    if not any("[" in line or "［" in line for _, line in lines):
        return None
    pattern = ""
    heads = []
    for number, line in lines:
        if not strip_blanks(line):
            continue
        folded = fold(line)
        timed = WRITTEN_TIMED.take(folded.text)
        head = _any_untimed(folded) if timed is None else _turn_head(folded, timed)
        if head is None:
            return None
        if timed is not None and not pattern:
            pattern = _filled(folded, timed.spans)
        heads.append((number, head))
    return (pattern, heads) if pattern else None


def _any_untimed(folded: Folded) -> TurnHead | None:
    """Return the head that has no time, in bold or not."""
    for pattern in WRITTEN_UNTIMED:
        if head := _head(pattern, folded):
            return head
    return None


def suspicion(lines: Lines, text: _Text | None = None) -> TurnLayout | None:
    """Return the layout of a plain text whose lines look like turns; None if they do not."""
    if not may_have_turns([line for _, line in lines]):
        return None
    likely = [
        x for x in (text or _Text(lines)).layouts
        if x.speakers <= max(2, x.heads / 2)
        or (x.speakers < x.heads and x.heads >= 0.3 * x.paragraphs and x.pattern not in SOUNDS_TOO)
    ]  # fmt: skip
    best = max(likely, key=lambda layout: layout.heads, default=None)
    return None if best is None or best.heads < LEAST else best


def _layouts(text: _Text) -> Iterator[TurnLayout]:
    """Yield each row that lines have, with what it explains."""
    if any(NO_PROSE.match(line) for _, line in text.lines[:50]):
        return
    for pattern in _likely(text):
        heads = text.heads(pattern)
        if heads:
            yield _account(pattern, heads, text)
    yield from _blocks(text)
    texts = [line for _, line in text.lines]
    texts = [line for n, line in enumerate(texts) if n not in text.is_rule]
    paragraphs = [p for p in "\n".join(texts).split("\n\n") if p.strip()]
    stamped = sum(STAMP.search(paragraph) is not None for paragraph in paragraphs)
    if stamped:
        yield TurnLayout(INSIDE, stamped, len(paragraphs), 0, timed=stamped)


def _likely(text: _Text) -> list[str]:
    """Return the rows that a sample of the lines has; of a long text those that many have."""
    sample = [text.folded[n] for n in text.sample() if text.is_filled[n]]
    is_long = len(text.lines) > SAMPLE
    counts = {
        pattern: sum(_head(pattern, folded) is not None for folded in sample)
        if is_long
        else int(any(_head(pattern, folded) is not None for folded in sample))
        for pattern in (*BY_NAME, *NOTATIONS)
    }
    most = max(counts.values())
    return [pattern for pattern, count in counts.items() if count and 3 * count >= most]


def _heads(pattern: str, text: _Text) -> dict[int, TurnHead]:
    """Return the heads of a row by the position of their line, without those of the document."""
    is_timed = pattern in BY_NAME and BY_NAME[pattern].needs_digit
    may_be_head = text.has_digit if is_timed else text.is_filled
    heads = {
        n: head
        for n, folded in enumerate(text.folded)
        if may_be_head[n] and (head := _head(pattern, folded)) is not None
    }
    if pattern == NAME_ALONE:
        return _names_over_text(heads, text)
    if pattern in NOTATIONS:
        names = Counter(head.name for head in heads.values())
        first = next((n for n, head in heads.items() if names[head.name] > 1), None)
        if first is not None:
            above = -1
            again = [head for head in heads.values() if names[head.name] > 1]
            are_alone = sum(not head.text for head in again) >= 0.9 * len(again)
            for n in [n for n in heads if n < first]:
                if _is_of_document(heads[n]) or (are_alone and heads[n].text):
                    del heads[n]
                    above = n
            _leave_block(heads, above, text)
            _leave_text(heads, names, text)
        _take_times(heads)
    return heads


def _without_separator(heads: dict[int, TurnHead]) -> dict[int, TurnHead]:
    """Return the heads without a sign that begins nearly all their texts: ``0:12 — text``."""
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


def _names_over_text(heads: dict[int, TurnHead], text: _Text) -> dict[int, TurnHead]:
    """Return the heads that are names alone: capitalised, over a text, and at least three times.

    In a paragraph of its own over that of the text, twice is enough.
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
    found, least = (apart, 2) if len(apart) > len(over) else (over, LEAST)
    counts = Counter(head.name for head in found.values())
    return {n: head for n, head in found.items() if counts[head.name] >= least}


def _take_times(heads: dict[int, TurnHead]) -> None:
    """Take the times that begin the texts of at least three heads, in position."""
    times = {n: match for n, head in heads.items() if (match := TIME_FIRST.match(head.text))}
    if len(times) >= LEAST:
        for n, match in times.items():
            rest = heads[n].text[match.end() :]
            heads[n] = heads[n]._replace(start=parse_stamp(match[1]), text=rest)


def _leave_text(heads: dict[int, TurnHead], names: Counter[str | None], text: _Text) -> None:
    """Drop names that do not return and are text of the turn before: ``Sure:``.

    They are directly below a name alone, or inside a paragraph where all that return begin one.
    """
    again = [n for n, head in heads.items() if names[head.name] > 1]
    are_apart = len(again) >= LEAST and text.is_first.issuperset(again)
    for n in [n for n, head in heads.items() if names[head.name] == 1]:
        before = heads.get(n - 1)
        is_below = before is not None and names[before.name] > 1
        is_below = is_below and not (before and before.text) and not heads[n].text
        is_inside = are_apart and n > again[0] and n not in text.is_first
        if (is_below or is_inside) and not is_label(heads[n].name or ""):
            del heads[n]


def _leave_block(heads: dict[int, TurnHead], above: int, text: _Text) -> None:
    """Drop heads below a line of the head of a document, in its paragraph: ``Patient: Ann Ex``."""
    block = list(itertools.takewhile(text.is_filled.__getitem__, range(above, len(text.lines))))
    below = block[1:]
    if (
        above >= 0
        and len(block) < MOST_ABOVE
        and all(n in heads and _is_brief(heads[n]) for n in below)
    ):
        for n in below:
            del heads[n]


def _is_brief(head: TurnHead) -> bool:
    """Return True if the text behind a name is no sentence."""
    return not head.text.rstrip("\"'”’)*").endswith(SENTENCE_ENDS)


def _is_of_document(head: TurnHead) -> bool:
    """Return True if a name that does not return heads the document: ``Date: today``."""
    return _is_brief(head) or (HEAD_NAMES.match(head.name or "") is not None)


def _account(pattern: str, heads: dict[int, TurnHead], text: _Text) -> TurnLayout:
    """Return what a row explains: of the paragraphs, or of the lines if text is behind heads."""
    size = len(text.lines)
    inner = len(heads.keys() - text.is_first)
    # A head alone in its paragraph has the next one for its text.
    apart = sum(
        not head.text and n + 2 < size and not text.is_filled[n + 1]
        and n + 2 in text.is_first and n + 2 not in heads
        for n, head in heads.items()
    )  # fmt: skip
    last, first = max(heads), min(heads)
    footers = sum(FOOTER.match(text.folded[n].text) is not None for n in range(last + 1, size))
    rules = len(text.is_rule & text.is_first - heads.keys())
    names = {head.name for head in heads.values() if head.name}
    minutes = text.minutes(pattern)
    paragraphs = len(text.is_first - minutes) + inner - apart - footers - rules
    above = sum(n < first for n in text.is_first - text.is_rule)
    is_headed = LEAST <= len(heads) > above and first <= max(12, size // 10)
    if is_headed:
        paragraphs -= above
    left = 0
    are_behind = sum(bool(head.text) for head in heads.values()) > 0.7 * len(heads)
    if are_behind:
        left = sum(
            text.is_filled[n]
            and n not in heads
            and n not in minutes
            and n not in text.is_rule
            and n not in text.is_heading
            for n in range(first if is_headed else 0, size)
        )
        left = max(0, left - footers)
        is_plain = pattern in NOTATIONS and pattern != UNTIMED_MARKDOWN
        if is_plain and not text.is_wrapped(set(heads)):
            paragraphs = len(heads) + left
    timed = sum(head.start is not None or head.end is not None for head in heads.values())
    is_marked = 2 * sum(head.is_marked for head in heads.values()) > len(heads)
    some = itertools.islice(heads, SOME)
    examples = Counter(_example(pattern, text.folded[n]) for n in some).most_common(MOST_EXAMPLES)
    shown = tuple(example for example, _ in examples)
    return TurnLayout(pattern, len(heads), paragraphs, len(names), left, timed, is_marked, shown)


def _blocks(text: _Text) -> Iterator[TurnLayout]:
    """Yield the layout of times on lines of their own over several turns."""
    lines = [folded.line for folded in text.folded]
    lone = [n for n, line in enumerate(lines) if LONE.match(line)]
    if len(lone) < 2:
        return
    others = [
        n for n in range(lone[0], len(lines))
        if lines[n] and n not in text.is_rule
        and not any(p.match(lines[n]) for p in (LONE, FOOTER, ENDED))
    ]  # fmt: skip
    speakers = [head.name for n in others if (head := _head(UNTIMED, text.folded[n])) is not None]
    if len(speakers) > 1:
        yield TurnLayout(BLOCKS, len(speakers), len(others), len(set(speakers)), timed=len(lone))


def description_of(lines: Lines) -> list[str]:
    """Return the rules by which a text is read, a line each; none of a text without turns.

    Patterns are the heads of the file with their values replaced, the commonest first.
    """
    text = _Text(lines)
    layout = _layout_of(text) or _given_layout(text)
    if layout is None:
        return []
    if layout.pattern == INSIDE:
        first = next((time for _, line in lines for time in STAMP.findall(line)), "0:00")
        rules = ["pattern [{start}] {text}", "inline"]
        return [*rules, "clock"] if parse_stamp(first) >= HOUR else rules
    heads = dict(text.heads(UNTIMED if layout.pattern == BLOCKS else layout.pattern))
    _return_names(layout.pattern, heads, text)
    names = _lone_names(text, heads) if layout.timed and layout.pattern != BLOCKS else {}
    first = min(heads, default=0)
    counts: Counter[str] = Counter()
    if layout.pattern == BLOCKS:
        heads = {n: head for n, head in heads.items() if n > 0}
        counts["{start}"] += len(lines)
    for n, head in heads.items():
        is_timed = head.start is not None or head.end is not None or not layout.timed
        pattern = layout.pattern if layout.pattern in BY_NAME and is_timed else ""
        counts[_example(pattern or _notation_of(text.folded[n], layout), text.folded[n])] += 1
    rules = [f"pattern {pattern}" for pattern, _ in counts.most_common(MOST_PATTERNS)]
    if names:
        listed = "|".join(dict.fromkeys(names.values()))
        position = next(iter(names))
        line = text.folded[position].line
        rules.append("pattern " + line.replace(names[position], f"{{speaker {listed}}}", 1))
    above = [text.folded[n] for n in range(first)] if layout.pattern in NOTATIONS else []
    heading = filter(None, (_head(layout.pattern, folded) for folded in above))
    rules += [f"skip {named.name}: {{_}}" for named in heading]
    marks = [n for n in sorted(text.is_rule) if n > first and n not in names]
    rules += [f"skip {text.folded[n].line}" for n in marks][:MOST_SKIPS]
    footers = dict.fromkeys(f.line for f in text.folded if FOOTER.match(f.text))
    rules += [f"skip {line}" for line in footers][:MOST_SKIPS]
    if layout.pattern in BY_NAME and BY_NAME[layout.pattern].is_clock:
        rules.append("clock")
    if _carries(layout.pattern):
        rules.append("carry")
    return list(dict.fromkeys(rules))


def _notation_of(folded: Folded, layout: TurnLayout) -> str:
    """Return the notation in which a line has a name and no time."""
    if layout.pattern in NOTATIONS:
        return layout.pattern
    return next((name for name in WRITTEN_UNTIMED if _head(name, folded)), UNTIMED)


def _fits(layout: TurnLayout, text: _Text) -> bool:
    """Return True if a row explains a text well enough to be its layout."""
    pattern, heads, paragraphs, speakers = layout[:4]
    if pattern == INSIDE:
        return _has_times_inside(layout, text)
    if pattern == BLOCKS:
        return heads >= 0.6 * paragraphs
    if pattern in NOTATIONS:
        return _has_speakers(layout, text)
    row = BY_NAME[pattern]
    if layout.timed and len(text.is_stamped - text.heads(pattern).keys()) > 0.5 * heads:
        return False  # of lines that begin with a time too many are no heads
    is_whole = _is_timed_throughout(layout, text)
    if heads < row.least or (
        speakers > max(2, heads / 2) and not is_whole and not _are_labels(layout, text)
    ):
        return False
    if pattern == NAME_ALONE:
        alone = text.heads(pattern)
        are_apart = all(not text.is_filled[n + 1] for n in alone)
        has_names = any(" " in (head.name or "") for head in alone.values())
        is_enough = heads >= (0.2 if are_apart and has_names else 0.5) * len(text.is_first)
        return _are_marked_names(layout, text) and is_enough
    if row.is_raw and not layout.timed and heads < 0.6 * paragraphs:
        return _are_marked_names(layout, text)
    if row.share:
        return heads >= row.share * (heads + layout.left)
    if not layout.timed and row.names == "labels":
        return speakers > 0 and heads >= 2
    is_most = heads >= 0.6 * paragraphs
    if is_most or not speakers or not layout.timed:
        return is_most
    # Names with times are no prose: the other paragraphs go on their turns.
    found = list(text.heads(pattern).values())
    starts = [head.start for head in found if head.start is not None]
    return heads >= 4 and heads >= 0.1 * paragraphs and starts == sorted(starts)


def _is_timed_throughout(layout: TurnLayout, text: _Text) -> bool:
    """Return True if nearly every line begins with a time and a name, and the times go forward.

    Then it is enough if one of the names returns.
    """
    heads = text.heads(layout.pattern)
    starts = [head.start for head in heads.values() if head.name and head.start is not None]
    are_behind = all(head.text for head in heads.values())
    is_most = len(starts) == len(heads) >= 0.9 * (len(heads) + layout.left)
    is_most = is_most and layout.speakers < layout.heads
    return are_behind and is_most and starts == sorted(starts)


def _are_labels(layout: TurnLayout, text: _Text) -> bool:
    """Return True if there are times, and all names are labels, which need not return."""
    names = {head.name for head in text.heads(layout.pattern).values() if head.name}
    return layout.timed > 0 and all(map(is_label, names))


def _are_marked_names(layout: TurnLayout, text: _Text) -> bool:
    """Return True if emphasised lines alone are the names of speakers of several paragraphs."""
    names = [head.name or "" for head in text.heads(layout.pattern).values()]
    counts = Counter(names)
    again = sum(count for count in counts.values() if count > 1)
    return (
        len(names) >= 6 and len(counts) > 1 and again >= 0.8 * len(names)
        and len(counts) <= len(names) / 3 and len(names) >= 0.1 * layout.paragraphs
    )  # fmt: skip


def _has_times_inside(layout: TurnLayout, text: _Text) -> bool:
    texts = [line for _, line in text.lines]
    times = [parse_stamp(time) for line in texts for time in STAMP.findall(line)]
    filled = [line for line in texts if line.strip()]
    if sum(LYRICS.match(line) is not None for line in filled) >= 0.6 * len(filled):
        return False
    back = sum(second < first for first, second in itertools.pairwise(times))
    is_inside = len(times) >= LEAST and back <= 0.05 * len(times)
    are_first = sum(STAMP.match(line) is not None for line in filled) >= 0.6 * len(filled)
    return is_inside and (are_first or layout.heads >= 0.6 * layout.paragraphs)


def _has_speakers(layout: TurnLayout, text: _Text) -> bool:
    """Return True if names before the lines, without times, are speakers and no words."""
    pattern, heads, units, speakers = layout[:4]
    found = [head.name or "" for head in text.heads(pattern).values()]
    if not FIELDS.isdisjoint(found):
        return False
    labels = sum(map(is_label, found))
    if labels > 1 and labels >= 0.8 * heads:
        return labels >= (0.3 if speakers > 1 and heads > 3 else 0.6) * units
    if pattern in SOUNDS_TOO or heads < LEAST:
        return False
    counts = Counter(found)
    returning = sum(count > 1 for count in counts.values())
    if heads < 0.8 * units:
        again = {name: n for name, n in counts.items() if n > 1 and is_name(name)}
        are_capitals = all(name.isupper() and len(name) > 2 for name in again)
        are_capitals = are_capitals and LOG_WORDS.isdisjoint(again)
        return (
            heads >= 10 and heads >= (0.25 if are_capitals else 0.4) * units
            and sum(again.values()) >= 0.9 * heads
            and 1 < len(again) <= heads / (3 if are_capitals else 4)
        )  # fmt: skip
    if not all(map(is_name, found)):
        # Names in small letters: each returns, and nothing else is there.
        return heads >= units and returning == speakers and heads > 2 * speakers - 1
    is_whole = heads == units and returning > 0
    is_whole = is_whole and (
        speakers < 3 or (heads > 3 and (speakers <= 0.75 * heads or _are_sentences(pattern, text)))
    )
    if is_whole:
        return True
    return speakers <= max(2, heads / 2) and returning > 1


def _are_sentences(pattern: str, text: _Text) -> bool:
    """Return True if nearly all texts behind names are sentences, and no values of a list."""
    heads = text.heads(pattern).values()
    ended = sum(not _is_brief(head) and head.text.count(" ") > 1 for head in heads)
    return ended >= SEPARATED * len(heads)


def segments_of_turns(
    source: Source, lines: Lines, line: int | None, expected: str, *, close_gaps: bool = False,
    are_few_allowed: bool = False, fps: str = "",
) -> Iterator[Segment]:  # fmt: skip
    """Yield a segment for each turn, or for each time inside paragraphs.

    `are_few_allowed`: the text is said to have turns; a turn in every line is enough, of one line
    as of many.
    """
    if not any(text.strip() for _, text in lines):
        return
    if are_few_allowed and (rows := _written_heads(lines)) is not None:
        written = _written(source, *rows)
        if any(HALF_OF_DAY.match(line) for _, line in lines[:SAMPLE]):
            written = from_first(source, written)
        yield from checked_turns(source, written, close_gaps=close_gaps)
        return
    text = _Text(lines)
    layout = _layout_of(text)
    if layout is None and are_few_allowed:
        layout = _given_layout(text)
    if layout is None:
        best, reason = suspicion(lines, text), "prose"
        if best is not None:
            reason = f'{best.heads} of {best.paragraphs} paragraphs look like "{best.shown}"'
        raise source.syntax_error(line, expected, reason)
    source.log.say(
        SPEAKER_TEXT,
        pattern=layout.shown,
        heads=layout.heads,
        paragraphs=layout.paragraphs,
        speakers=layout.speakers,
    )
    is_inside = layout.pattern == INSIDE
    turns = list(_stamped(source, lines) if is_inside else _turns(source, text, layout))
    turns = _without_stamps(source, turns)
    _say_names_inside(source, turns)
    if not any(turn.speaker for turn in turns):
        turns = _with_speakers(source, turns)
    turns = _with_frames(source, lines, turns, fps)
    if not any(CLOCK_ANYWHERE.search(line) for _, line in lines[:SAMPLE]):
        turns = _in_milliseconds(source, turns)
    row = BY_NAME.get(layout.pattern)
    has_halves = any(HALF_OF_DAY.match(line) for _, line in lines[:SAMPLE])
    if layout.pattern == INSIDE or has_halves or (row is not None and row.is_clock):
        turns = from_first(source, turns)
    yield from checked_turns(source, turns, close_gaps=close_gaps)


def _written(source: Source, pattern: str, heads: list[tuple[int, TurnHead]]) -> list[Segment]:
    """Return the turns of a text that the writers write."""
    names = {head.name for _, head in heads}
    source.log.say(
        SPEAKER_TEXT, pattern=pattern, heads=len(heads), paragraphs=len(heads), speakers=len(names)
    )
    return [turn_segment(source, head, split_words(head.text), number) for number, head in heads]


def _in_milliseconds(source: Source, turns: list[Segment]) -> list[Segment]:
    """Return the turns with bare numbers read as milliseconds, if people speak at that pace only.

    Between 0.3 and 10 words a second are plausible, pauses included.
    """
    lengths = [
        turn.end_ns - turn.start_ns
        for turn in turns
        if turn.start_ns is not None and turn.end_ns is not None
    ]
    words = sum(len(turn.words) for turn in turns if turn.end_ns is not None)
    seconds = sum(lengths) / SECOND
    pace = words / seconds if seconds else 0.0
    if words < FEWEST_WORDS or not pace < SLOWEST <= 1000 * pace:
        return turns
    source.log.say(TIMES_IN_MS, words=words, seconds=seconds)

    def moved(time: int | None) -> int | None:
        return None if time is None else time // 1000

    return [
        turn.replace(start_ns=moved(turn.start_ns), end_ns=moved(turn.end_ns)) for turn in turns
    ]


def _with_frames(
    source: Source, lines: Lines, turns: list[Segment], fps: str
) -> list[Segment]:  # fmt: skip
    """Return the turns at a rate of frames; times to frames were read at the usual one."""
    rate = given_rate(fps) if fps else None
    if not any(HAS_FRAMES.search(line) for _, line in lines[:SAMPLE]):
        return turns
    if rate is None:
        source.log.say(FRAMES_ASSUMED, fps=f"{DEFAULT_FPS:g}")
        return turns
    factor = DEFAULT_FPS * rate.below / rate.above

    def moved(time: int | None) -> int | None:
        if time is None:
            return None
        second, rest = divmod(time, SECOND)
        return second * SECOND + round(rest * factor)

    return [
        turn.replace(start_ns=moved(turn.start_ns), end_ns=moved(turn.end_ns)) for turn in turns
    ]


def _without_stamps(source: Source, turns: list[Segment]) -> list[Segment]:
    """Return the turns without times in brackets among their words, if these go forward."""
    stamps = [
        parse_stamp(time)
        for turn in turns if "[" in "".join(turn.words)
        for word in turn.words if "[" in word
        for time in STAMP.findall(word)
    ]  # fmt: skip
    back = sum(second < first for first, second in itertools.pairwise(stamps))
    if len(stamps) < LEAST or back > 0.05 * len(stamps):
        return turns
    source.log.say(STAMPS_INSIDE, count=len(stamps))

    def cut(word: str) -> list[str]:
        return split_words(STAMP.sub(" ", word)) if "[" in word else [word]

    return [
        turn.replace(words=tuple(part for word in turn.words for part in cut(word)))
        for turn in turns
    ]


def _say_names_inside(source: Source, turns: Sequence[Segment]) -> None:
    """Report names of speakers with a colon among the words: turns that begin inside a line."""
    names = {turn.speaker for turn in turns if turn.speaker}
    last = {f"{name.split()[-1]}:": name.split() for name in names}
    found = [
        turn for turn in turns if not last.keys().isdisjoint(turn.words)
        for n, word in enumerate(turn.words)
        if n and word in last and len(word) > 2
        and list(turn.words[max(0, n + 1 - len(last[word])) : n]) == last[word][:-1]
    ]  # fmt: skip
    if found:
        first = found[0]
        source.log.say(NAMES_INSIDE, first.line, count=len(found), text=" ".join(first.words))


def _with_speakers(source: Source, turns: list[Segment]) -> list[Segment]:
    """Take the names before the texts of turns as speakers, by the rule of subtitles."""
    texts = [" ".join(turn.words) for turn in turns]
    prefix = common_prefix(texts)
    if prefix is None:
        return turns
    cuts = [prefix.cut(text) for text in texts]
    count = sum(name is not None for name, _ in cuts)
    source.log.say(TURN_NAMES, count=count, total=len(turns), notation=prefix.notation)
    return [
        turn if name is None else turn.replace(speaker=name, words=tuple(split_words(text)))
        for turn, (name, text) in zip(turns, cuts, strict=True)
    ]


def checked_turns(
    source: Source, turns: Sequence[Segment], *, close_gaps: bool
) -> Iterator[Segment]:
    """Yield the turns, each until the next if `close_gaps`; reports begins that go back."""
    starts = [turn.start_ns for turn in turns]
    timed = [start for start in starts if start is not None]
    back = sum(second < first for first, second in itertools.pairwise(timed))
    if back:
        is_odd = back > 0.05 * len(timed) and back > 1
        source.log.say(TIME_BACK if is_odd else TIME_BACK_FEW, turns=back)
    for turn, end in zip(turns, [*starts[1:], None], strict=False):
        start = turn.start_ns if close_gaps and turn.end_ns is None else None
        is_open = start is not None and end is not None and end >= start
        yield turn.replace(end_ns=end) if is_open else turn


def from_first(source: Source, segments: list[Segment]) -> list[Segment]:
    """Count times of day from the first: no recording begins after an hour."""
    first = next((s.start_ns for s in segments if s.start_ns is not None), None)
    if first is None or first < HOUR:
        return segments
    source.log.say(TIME_OF_DAY, first=format_clock(first, decimals=0))

    def since(time: int | None) -> int | None:
        return None if time is None else _since(first, time)

    return [s.replace(start_ns=since(s.start_ns), end_ns=since(s.end_ns)) for s in segments]


def _since(first: int, time: int) -> int:
    """Return the time from one time of day to another, perhaps after midnight."""
    return max(0, time - first + (24 * HOUR if time < first - 12 * HOUR else 0))


def _turns(source: Source, text: _Text, layout: TurnLayout) -> list[Segment]:
    """Return a segment for each turn; reports lines that are no words, or that do not fit."""
    lines, has_blocks = text.lines, layout.pattern == BLOCKS
    minutes = text.minutes(UNTIMED if has_blocks else layout.pattern)
    heads = dict(text.heads(UNTIMED if has_blocks else layout.pattern))
    _return_names(layout.pattern, heads, text)
    names = _lone_names(text, heads) if layout.timed and not has_blocks else {}
    reader = _TurnReader(source, layout, carries=_carries(layout.pattern))
    if minutes:
        first = min(minutes)
        source.log.say(
            MINUTES_LEFT, lines[first][0], count=len(minutes), text=text.folded[first].line
        )
        heads = {n: head for n, head in heads.items() if n not in minutes}
    filled = [n for n, is_filled in enumerate(text.is_filled) if is_filled and n not in minutes]
    last_head = max(heads, default=-1)
    has_ended = False
    for index, n in enumerate(filled):
        number, line = lines[n][0], text.folded[n].line
        head = heads.get(n)
        lone = LONE.match(line)
        is_last = index + 1 == len(filled)
        if n in names:
            reader.name(names[n], number)
        elif has_blocks and lone is not None:
            reader.time(parse_stamp(lone[1]))
        elif head is not None and is_last and lone is not None and layout.speakers == 0 and index:
            reader.end(parse_stamp(lone[1]))
        elif head is not None:
            reader.head(head, number)
        elif n in text.is_rule or (n in text.is_heading and reader.current is not None):
            reader.skip(line, number)
        elif FOOTER.match(text.folded[n].text) is not None or (has_ended and n > last_head):
            source.log.say(SPEAKER_TEXT_FOOTER, number, text=line)
            has_ended = has_ended or n > last_head
        elif has_blocks and len(filled) - index < 4 and (ended := ENDED.match(line)) is not None:
            source.log.say(SPEAKER_TEXT_FOOTER, number, text=line)
            source.properties["duration"] = format_time(parse_stamp(ended[1]))
        elif is_last and lone is not None:
            reader.end(parse_stamp(lone[1]))
        else:
            reader.more(lines[n][1], number, is_below=n > last_head)
    return reader.finish()


def _minutes(heads: dict[int, TurnHead], text: _Text) -> set[int]:
    """Return the filled lines that are a part of minutes: from its name to a speaker's next turn.

    A name that says what a part is, is none of a speaker: ``Action items:``. They are few lines.
    """
    minutes: set[int] = set()
    known: set[str | None] = set()
    is_within = False
    for n, is_filled in enumerate(text.is_filled):
        if not is_filled:
            continue
        head = heads.get(n)
        line = text.folded[n].text.strip("#*:=-─ ") if head is None and n in text.is_first else ""
        is_part = MINUTES_NAMES.match(line if head is None else head.name or "") is not None
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


def _return_names(pattern: str, heads: dict[int, TurnHead], text: _Text) -> None:
    """Add the heads without time of names that others have with one."""
    if pattern in NOTATIONS or not heads or not any(head.name for head in heads.values()):
        return
    names = {head.name for head in heads.values() if head.name}
    for n, folded in enumerate(text.folded):
        if n in heads or ":" not in folded.text:
            continue
        again = _any_untimed(folded)
        if again is not None and again.name in names:
            heads[n] = again
        elif again is None and folded.origins is not None:
            again = _head(UNTIMED, Folded(folded.text, folded.text, None))
            if again is not None and again.name in names:
                heads[n] = again


BARE = "({start clock}){?:?}{? {text}?}"
"""A time alone, which goes on with the speaker of the turn before."""


def _carries(pattern: str) -> bool:
    """Return True if heads without a name go on with the speaker of the turn before."""
    return pattern == BY_NAME_AND_TIME


BY_NAME_AND_TIME = next(name for name in BY_NAME if BARE in BY_NAME[name].patterns)


def _lone_names(text: _Text, heads: dict[int, TurnHead]) -> dict[int, str]:
    """Return the names on lines of their own, ``ANNE:``, ``--- Speaker 2 ---``, by their position.

    They return, or are labels; without a mark only directly below a time, or directly over one.
    """
    marked: dict[int, str] = {}
    bare: dict[int, str] = {}
    before = -1
    filled = [n for n, is_filled in enumerate(text.is_filled) if is_filled]
    for position, n in enumerate(filled):
        line = text.folded[n].text
        if n in heads:
            before = n
            continue
        match = LONE_NAME.match(line)
        if match is not None and (is_name(match[1]) or is_label(match[1])):
            marked[n] = match[1]
            continue
        after = filled[position + 1] if position + 1 < len(filled) else -1
        is_under = before >= 0 and filled[position - 1] == before and not heads[before].text
        is_under = is_under and heads[before].name is None and after not in heads and after >= 0
        is_over = after in heads and bool(heads[after].text) and is_label(line)
        if (is_under and is_name(line)) or is_over:
            bare[n] = line
    counts = Counter(marked.values())
    kept = {n: name for n, name in marked.items() if counts[name] > 1 or is_label(name)}
    under = Counter(bare.values())
    again = {n: name for n, name in bare.items() if under[name] > 1 or is_label(name)}
    nameless = sum(head.name is None and not head.text for head in heads.values())
    if len(again) >= 0.5 * nameless and len(set(again.values())) <= max(2, len(again) / 2):
        kept.update(again)
    return kept


class _TurnReader:
    """Collects the lines of turns, and counts what is no part of one."""

    def __init__(self, source: Source, layout: TurnLayout, *, carries: bool) -> None:
        self.source = source
        self.layout = layout
        self.carries = carries
        self.done: list[Segment] = []
        self.above: list[str] = []
        self.current: TurnHead | None = None
        self.words: list[str] = []
        self.begin = 0
        self.speaker: str | None = None
        self.block: int | None = None
        self.is_waiting = False
        self.left: list[tuple[int, str]] = []

    def head(self, head: TurnHead, number: int) -> None:
        """Begin a turn."""
        if head.name is None and self.speaker is not None:
            head = head._replace(name=self.speaker)
        elif self.carries and head.name is None and self.current is not None:
            head = head._replace(name=self.current.name)
        if self.is_waiting:  # a name alone, which this head is for
            self.current = None
        if head.start is None and self.block is not None:
            head = head._replace(start=self.block)
            self.block = None
        self._end_turn()
        self.current, self.begin = head, number
        self.words = split_words(head.text)
        self.is_waiting = False

    def name(self, name: str, number: int) -> None:
        """Note a name on a line of its own: of the turn that has just begun, or of what follows."""
        current = self.current
        is_new = current is not None and current.start is not None and not self.words
        if current is not None and is_new and current.name in (None, self.speaker):
            self.current = current._replace(name=name)
            return
        self.speaker = name
        self._end_turn()
        self.current, self.begin = TurnHead(name, None, None, ""), number
        self.is_waiting = True

    def time(self, time: int) -> None:
        """Note a time on a line of its own, of the next turn."""
        self.block = time

    def end(self, time: int) -> None:
        """End the last turn."""
        if self.current is not None and self.current.end is None:
            is_later = time >= (self.current.start or 0)
            self.current = self.current._replace(end=time if is_later else None)

    def skip(self, line: str, number: int) -> None:
        """Note a line of signs, which is no speech."""
        if any(map(str.isalpha, line)):
            self.source.log.say(SPEAKER_TEXT_FOOTER, number, text=line)

    def more(self, line: str, number: int, *, is_below: bool) -> None:
        """Add a line to its turn; above the first turn it heads the document."""
        if self.current is None:
            self.above.append(line.strip(" \t\xa0\u200b"))
            return
        if self.current.text:
            self.left.append((number, line))
        self.is_waiting = False
        self.words.extend(split_words(line))

    def finish(self) -> list[Segment]:
        """Return all turns; reports what was no part of any."""
        self._end_turn()
        if self.above:
            self.source.properties.setdefault("title", self.above[0])
            self.source.log.say(TURNS_HEAD, text=" ".join(self.above))
        heads = self.layout.heads
        if self.left and self.layout.timed + heads:
            self.source.log.say(
                LINES_LEFT, self.left[0][0], count=len(self.left), total=len(self.left) + heads,
                pattern=self.layout.shown, text=self.left[0][1],
            )  # fmt: skip
        return self.done

    def _end_turn(self) -> None:
        if self.current is not None and not (self.is_waiting and not self.words):
            self.done.append(turn_segment(self.source, self.current, self.words, self.begin))
        self.current, self.words = None, []


def turn_segment(source: Source, head: TurnHead, words: Sequence[str], line: int) -> Segment:
    """Return a turn as a segment; notes a turn without words."""
    if not words:
        source.log.say(TURN_EMPTY, line)
    return Segment(
        source.recording, tuple(words), speaker=head.name,
        start_ns=head.start,
        end_ns=head.end if head.end is None or head.end >= (head.start or 0) else None,
        line=line,
    )  # fmt: skip


def _sign_behind_stamps(lines: Lines) -> str:
    """Return the sign that is behind nearly all times that begin lines; empty if there is none."""
    after = [line[match.end() :].strip() for _, line in lines if (match := STAMP.match(line))]
    signs = Counter(match[0].strip() for text in after if (match := SEPARATOR.match(text)))
    sign, count = signs.most_common(1)[0] if signs else ("", 0)
    return sign if len(after) >= LEAST and count >= SEPARATED * len(after) else ""


def _say_unstamped(source: Source, lines: Lines) -> None:
    """Report the lines without a time where most lines begin with one."""
    filled = [(number, line) for number, line in lines if line.strip()]
    left = [(n, line) for n, line in filled if STAMP.match(line) is None and not RULE.match(line)]
    if left and len(left) < 0.4 * len(filled):
        source.log.say(
            LINES_LEFT, left[0][0], count=len(left), total=len(filled),
            pattern="[{start}] {text}", text=left[0][1],
        )  # fmt: skip


def _stamped(source: Source, lines: Lines) -> Iterator[Segment]:
    """Yield a segment for each text between two times.

    Before the first time there is a title at most.
    """
    start: int | None = None
    words: list[str] = []
    begin = 0
    sign = _sign_behind_stamps(lines)
    _say_unstamped(source, lines)
    for number, line in lines:
        if RULE.match(line.strip()):
            if any(map(str.isalpha, line)):
                source.log.say(SPEAKER_TEXT_FOOTER, number, text=line.strip())
            continue
        pieces = STAMP.split(line)
        words.extend(split_words(pieces[0]))
        for time, text in zip(pieces[1::2], pieces[2::2], strict=True):
            stop = parse_stamp(time)
            if words and start is None:
                source.properties.setdefault("title", " ".join(words))
                source.log.say(TIMES_HEAD, text=" ".join(words))
            elif words:
                yield Segment(
                    source.recording, tuple(words), start_ns=start, end_ns=stop, line=begin
                )
            start, words, begin = stop, split_words(text), number
            if sign and words[:1] == [sign]:
                del words[0]
    if words:
        yield Segment(source.recording, tuple(words), start_ns=start, line=begin)
