"""Turns of speakers in lines of text, by the patterns in which people and services write them.

=========================================  ==========================================
pattern                                    as in
=========================================  ==========================================
``Name  0:12``, ``Name<TAB>0:12``          Otter, Teams: the text stands below
``0:12`` alone                             Otter without speakers
``Name (0:12):``, ``(0:12):`` goes on      Rev; the text below or after
``Name [0:12]``, ``Name [0:12 - 0:15]``    the text below
``[Name] 00:00:12``                        captions saved by Zoom, any name; the text below
``16:02:24 text``                          captions saved by Zoom, without names
``**Name** (0:12): text``, ``## Name       Markdown: a bold name or a heading, and a time before,
0:12``, ``[0:12] **Name:** text``          in or after it; single turns may have none
``## Name``                                Markdown without times
``[0:12] Name: text``                      podcasts, meeting tools
``[0:12] - Name``                          the text below
``[Name][0:12] text``                      scripts around recognisers
``Name: [0:12] text``                      Descript
``0:12 Name``                              Word: the text below
``S1 00:00:01.717 text``                   TranscribeMe
``00:00:12<TAB>Name<TAB>text``             Zoom
``… [0:12] text [0:15] text …``            Descript, InqScribe: times inside paragraphs
``00:06:20`` over ``Name: text``           Google Meet: times of blocks
``[1.0s - 1.9s] Name: text``, ``[2.44]     scripts around recognisers; the text below or after,
Name: text``, ``Name [0.4s-1.6s]: text``   also without a name
``0:08 --> 0:13 [Name]``                   the text below
``第 1 段（0:00 → 0:12）``                 the text below
``0:12`` alone, and ``NAME:`` alone        copies of YouTube's transcripts
``Name: text``, ``[Name] text`` and        the notations of `formats.reading.speakers`
others
=========================================  ==========================================

A pattern is that of a file if at least three lines have it, and of the paragraphs at least 60 %
begin with it, and if names come again: there are at most half as many names as lines, or two. Names
without times need 80 %, and two speakers of two turns each, or one speaker of all lines; of
``Speaker 1`` and the like two lines and 60 % suffice. Of several patterns the one with the most
lines is taken. What is below that is prose.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formats.io.source import Source
from formats.meetings.messages import (
    SPEAKER_TEXT,
    SPEAKER_TEXT_FOOTER,
    TIME_BACK,
    TIME_BACK_FEW,
    TIME_OF_DAY,
    TIMES_HEAD,
    TURN_EMPTY,
    TURN_NAMES,
    TURNS_HEAD,
)
from formats.reading.lines import split_words, strip_blanks
from formats.reading.speakers import (
    NOTATIONS,
    SOUNDS_TOO,
    common_prefix,
    is_code,
    is_label,
    is_name,
    split_name,
)
from formats.schema.clock import format_clock, parse_clock
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_time, parse_time

Lines = Sequence[tuple[int, str]]

CLOCK = r"(?:[0-9]{1,9}:)?[0-5]?[0-9]:[0-5][0-9](?:[.,][0-9]{1,3})?"
TIME = rf"(?P<time>{CLOCK})"
NAME = r"(?P<name>[^\t:\[\]()*]{1,60}?)"
TEXT = r"(?P<text>\S.*)"
GAP = r"(?:[ \xa0]{2,40}|[ \xa0]{0,40}\t[ \xa0]{0,40})"
END = r"\Z"
SECONDS = r"[0-9]{1,6}(?:[.,][0-9]{1,9})?"
MOMENT = rf"(?:{CLOCK}|{SECONDS}[ ]?s?)"
ARROW = r"[ ]{0,4}(?:-{1,2}>|[-\u2013\u2014\u2192~]|to)[ ]{0,4}"
SPAN = rf"(?P<time>{MOMENT}){ARROW}(?P<end>{MOMENT})"
UNTIL = rf"(?:[ ]?-[ ]?(?P<end>{CLOCK}))?"
BOLD = r"(?:\*\*|__)?"
SIGN = r"[ ]{0,4}(?:[-\u2013\u2014\u00b7|,][ ]{0,4})?"


def _marked_time(name: str, end: str = "") -> str:
    """Return a time in Markdown: in brackets, emphasised, as code or linked."""
    link = r"(?:\([^()\s]{1,300}\)[\])]?)?"
    time = rf"(?P<{name}>{CLOCK}){end}"
    return rf"[*_`]{{0,2}}[\[(]{{0,2}}{time}[\])]{{0,2}}{link}:?[*_`]{{0,2}}:?"


MARKDOWN = "**Name** 0:12"
BEHIND_TIME = "[0:12] Name: text"
PARTS = "第 1 段（0:00 → 0:12）"
PATTERNS: dict[str, re.Pattern[str]] = {
    name: re.compile(text)
    for name, text in {
        MARKDOWN: (
            rf"(?:[-+*>][ ]{{1,4}})?(?=#|.{{0,80}}?(?:\*\*|__))(?P<heading>\#{{1,6}}[ ]{{1,4}})?"
            rf"(?:{_marked_time('time', UNTIL)}{SIGN})?{BOLD}{NAME}"
            rf"(?:{SIGN}{_marked_time('inner')})?(?P<close>:?(?:\*\*|__):?|:|(?={END}))(?:{SIGN}{_marked_time('after')})?"
            rf"(?:[ ]{{1,40}}{TEXT})?{END}"
        ),
        "Name  0:12": (
            rf"(?P<name>[^\t\[\]]{{1,60}}?){GAP}{TIME}"
            rf"(?:[ ]{{0,8}}-->[ ]{{0,8}}(?P<end>{CLOCK}))?{END}"
        ),
        "0:12": rf"{TIME}{END}",
        "Name (0:12):": rf"(?:(?P<name>[^\t:\[\]]{{1,60}}?)[ ]+)?\({TIME}\):(?:[ ]+{TEXT})?{END}",
        "Name [0:12]": rf"{NAME}[ ]+\[{TIME}(?:[ ]*-[ ]*(?P<end>{CLOCK}))?\]{END}",
        "[Name] 0:12": rf"\[(?P<name>[^\[\]]{{1,60}})\][ ]+{TIME}{END}",
        BEHIND_TIME: rf"\[{TIME}{UNTIL}\][ ]+{NAME}:(?:[ ]+{TEXT})?{END}",
        "[Name][0:12] text": (
            rf"\[(?P<name>[^\[\]]{{1,60}})\][ ]{{0,4}}\[{TIME}{UNTIL}\]:?(?:[ ]{{0,8}}{TEXT})?{END}"
        ),
        "[0:12] - Name": rf"\[{TIME}\] - (?P<name>.{{1,60}}?){END}",
        "Name: [0:12] text": rf"{NAME}:?[ ]+\[{TIME}\]:?[ ]+{TEXT}",
        "0:12 Name": rf"{TIME}[ ]+{NAME}{END}",
        "S1 0:12 text": rf"(?P<name>[SM][0-9]{{1,2}}|Speaker[ ][0-9]+)[ ]+{TIME}[ ]+{TEXT}",
        "0:12 Name text": rf"{TIME}\t{NAME}\t[ ]*{TEXT}",
        "0:12 text": rf"(?P<time>[0-9]{{1,2}}:[0-5][0-9]:[0-5][0-9]) (?:{TEXT})?{END}",
        "# Name": rf"#{{2,6}}[ ]+(?P<name>[^\t:\[\]#]{{1,60}}?){END}",
        "[1.0s - 1.9s] Name: text": (
            rf"[\[(（][ ]?{SPAN}[ ]?[\])）]:?[ ]{{0,8}}{NAME}[:：](?:[ ]{{0,8}}{TEXT})?{END}"
        ),
        "[1.0s - 1.9s] text": rf"[\[(（][ ]?{SPAN}[ ]?[\])）]:?[ ]{{0,8}}(?:{TEXT})?{END}",
        "Name [1.0s - 1.9s]: text": (
            rf"{NAME}[ ]{{1,8}}[\[(]{SPAN}[\])]:?(?:[ ]{{1,8}}{TEXT})?{END}"
        ),
        "[1.0] Name: text": (
            rf"\[(?P<time>{SECONDS})[ ]?s?\][ ]{{1,8}}{NAME}:(?:[ ]{{1,8}}{TEXT})?{END}"
        ),
        "0:08 --> 0:13 [Name]": rf"{SPAN}[ ]{{1,8}}[\[(](?P<name>[^\[\]()]{{1,60}})[\])]{END}",
        PARTS: rf"(?:第[ ]?[0-9]{{1,5}}[ ]?[段节節章]|[A-Z][a-z]{{3,9}}[ ][0-9]{{1,5}}):?[ ]?"
        rf"[\[(（]{SPAN}[\])）]{END}",
    }.items()
}
UNTIMED = "Name: text"
UNTIMED_MARKDOWN = "**Name:** text"
BLOCKS = "0:12 over Name: text"
INSIDE = "[0:12] inside text"
NAMELESS = ("0:12", "Name (0:12):", "0:12 text", "[1.0s - 1.9s] text", PARTS)
ANY_NAME = ("[Name] 0:12",)
CODES_TOO = (BEHIND_TIME, "[1.0s - 1.9s] Name: text", "[1.0] Name: text")
"""Patterns whose names may be codes in small letters, as ``anna``."""
WRITTEN_TIMED = (BEHIND_TIME, MARKDOWN)
WRITTEN_UNTIMED = (UNTIMED_MARKDOWN, UNTIMED)
"""Patterns that `formats.meetings.speaker_text` writes."""
TIMES_OF_DAY = ("[Name] 0:12", "0:12 text")
"""Patterns of captions that Zoom saves with the time of day, or with that of the recording."""
STAMP = re.compile(rf"[*_`]{{0,2}}\[({CLOCK})\][*_`]{{0,2}}")
LONE = re.compile(rf"(?:#+[ ]*)?\[?({CLOCK})\]?{END}")
ENDED = re.compile(rf".{{3,60}} ({CLOCK})[ \xa0]*\Z")
FOOTER = re.compile(
    r"(?:Transcribed by https://otter\.ai|\[?End of (?:the )?transcript\]?|"
    r"This editable transcript was computer.generated.*|"
    r".{1,60} (?:started|stopped) transcription)\s*\Z",
    re.IGNORECASE,
)
NO_PROSE = re.compile(
    r"\[(?:Script Info|Events|INFORMATION|SUBTITLE|BEGIN)\]|\*+ START SCRIPT|WEBVTT|@Begin"
    r"|(?!.*\[).*[0-9][ \t]?-->"
    r"|File type|\[(?:ti|ar|al|by|offset):"
)
LYRICS = re.compile(r"\[[0-9]{1,3}:[0-9]{2}\.[0-9]{1,3}\]")
LONE_NAME = re.compile(r"([^\s:][^:\n]{0,59}):\Z")
MARKS = (":", "[", "(", "<v ", "：", "（")
"""A beginning without any of them has no turns."""
LEAST = 3
LEAST_OF = {"[Name] 0:12": 1, "0:12 text": 2}
HOUR = 3600 * SECOND


class TurnLayout(NamedTuple):
    """The layout of turns in a file, and their numbers of lines and paragraphs."""

    pattern: str
    heads: int
    paragraphs: int
    speakers: int


class TurnHead(NamedTuple):
    """The start of a turn: speaker, times in nanoseconds, text."""

    name: str | None
    start: int | None
    end: int | None
    text: str


def _moment(text: str) -> int:
    """Nanoseconds of ``0:12`` or ``12.5s``."""
    return parse_clock(text) if ":" in text else parse_time(text.rstrip(" s").replace(",", "."))


def head_of_turn(pattern: str, line: str, *, is_any_name: bool = False) -> TurnHead | None:
    """Parse a line that begins a turn; `None` for any other line."""
    if pattern in NOTATIONS:
        name, rest = split_name(pattern, line)
        return None if name is None else TurnHead(name, None, None, rest.strip(" \xa0\t"))
    line = line.strip(" \t\xa0\u200b")
    match = PATTERNS[pattern].match(line.replace("\uff1a", ":").replace("\u2236", ":"))
    if match is None:
        return None
    groups = match.groupdict()
    name = strip_blanks((groups.get("name") or "").strip("* \xa0"))
    is_speaker = bool(name) and (
        is_any_name or is_name(name) or is_label(name) or pattern in ANY_NAME
        or ((pattern in CODES_TOO or groups.get("close") == ":**") and is_code(name))
    )  # fmt: skip
    if not is_speaker and (name or pattern not in NAMELESS):
        return None
    times = [groups.get("time"), groups.get("end")]
    if pattern == MARKDOWN:
        times[0] = groups["time"] or groups["inner"] or groups["after"]
        if times[0] is None and (groups["heading"] or ":" not in groups["close"]):
            return None
    start, end = (None if time is None else _moment(time) for time in times)
    text = line[slice(*match.span("text"))] if groups.get("text") else ""
    return TurnHead(
        name or None, start, end, text.strip("* " if groups.get("close") == ":" else " ")
    )


def layout_of(lines: Lines) -> TurnLayout | None:
    """Return the pattern of a text; `None` where it is prose, or anything else."""
    fitting = [layout for layout in _layouts(lines) if _fits(layout, lines)]
    blocks = [layout for layout in fitting if layout.pattern == BLOCKS]
    return max(
        blocks or fitting,
        key=lambda x: (x.heads, x.pattern not in NOTATIONS, x.speakers > 0),
        default=None,
    )


def written_layout(lines: Lines, patterns: Sequence[str]) -> TurnLayout | None:
    """Return the pattern that every line has, however few there are, if it is one of these."""
    filled = [(number, line) for number, line in lines if strip_blanks(line)]
    for pattern in patterns:
        heads = _heads(pattern, filled)
        names = {head.name for head in heads if head is not None}
        is_timed = any(head is not None and head.start is not None for head in heads)
        if None not in heads and is_timed is (pattern in WRITTEN_TIMED):
            return TurnLayout(pattern, len(heads), len(heads), len(names))
    return None


def _heads(pattern: str, filled: Lines) -> list[TurnHead | None]:
    """Return the turns that the lines begin.

    Where every line begins one, names behind times may be of any kind, and a line may have a name
    alone. Otherwise a name may return without its time, and what else has none goes on a turn.
    """
    if pattern in WRITTEN_TIMED:
        untimed = UNTIMED if pattern == BEHIND_TIME else UNTIMED_MARKDOWN
        timed = [head_of_turn(pattern, line, is_any_name=True) for _, line in filled]
        heads = [
            head if head is not None and head.start is not None else head_of_turn(untimed, line)
            for head, (_, line) in zip(timed, filled, strict=True)
        ]
        if None not in heads:
            return heads
    heads = [head_of_turn(pattern, line) for _, line in filled]
    if pattern == BEHIND_TIME and None in heads:
        names = {head.name for head in heads if head is not None}
        for number, (_, line) in enumerate(filled):
            again = head_of_turn(UNTIMED, line) if heads[number] is None else None
            if again is not None and again.name in names:
                heads[number] = again
    return heads


def suspicion(lines: Lines) -> TurnLayout | None:
    """Return the layout of a plain text whose lines look like turns; None if they do not."""
    if not any(mark in line for _, line in lines for mark in MARKS):
        return None
    best = max(_layouts(lines), key=lambda layout: layout.heads, default=None)
    return None if best is None or best.heads < LEAST else best


def _layouts(lines: Lines) -> Iterator[TurnLayout]:
    if any(NO_PROSE.match(line) for _, line in lines[:50]):
        return
    texts = [line for _, line in lines]
    is_first = {
        n for n, text in enumerate(texts) if text.strip() and not (n and texts[n - 1].strip())
    }
    for pattern in (*PATTERNS, *NOTATIONS):
        heads = {
            n: h for n, text in enumerate(texts) if (h := head_of_turn(pattern, text)) is not None
        }
        timed = sum(head.start is not None for head in heads.values())
        if not heads or (pattern == MARKDOWN and timed < LEAST):
            continue
        inner = len(heads.keys() - is_first)
        # A head alone in its paragraph has the next one for its text.
        apart = sum(
            not head.text and n + 2 < len(texts) and not texts[n + 1].strip()
            and n + 2 in is_first and n + 2 not in heads
            for n, head in heads.items()
        )  # fmt: skip
        footers = sum(FOOTER.match(text) is not None for text in texts[max(heads) + 1 :])
        names = {head.name for head in heads.values() if head.name}
        yield TurnLayout(pattern, len(heads), len(is_first) + inner - apart - footers, len(names))
    lone = [number for number, text in enumerate(texts) if LONE.match(text.strip())]
    if len(lone) > 1:
        others = [
            text
            for text in texts[lone[0] :]
            if text.strip() and not any(p.match(text.strip()) for p in (LONE, FOOTER, ENDED))
        ]
        speakers = [
            head.name for text in others if (head := head_of_turn(UNTIMED, text)) is not None
        ]
        if len(speakers) > 1:
            yield TurnLayout(BLOCKS, len(speakers), len(others), len(set(speakers)))
    paragraphs = [p for p in "\n".join(texts).split("\n\n") if p.strip()]
    stamped = sum(STAMP.search(paragraph) is not None for paragraph in paragraphs)
    if stamped:
        yield TurnLayout(INSIDE, stamped, len(paragraphs), 0)


def _fits(layout: TurnLayout, lines: Lines) -> bool:
    pattern, heads, paragraphs, speakers = layout
    texts = [line for _, line in lines]
    if pattern == INSIDE:
        times = [parse_clock(time) for text in texts for time in STAMP.findall(text)]
        filled = [text for text in texts if text.strip()]
        if sum(LYRICS.match(text) is not None for text in filled) >= 0.6 * len(filled):
            return False
        is_inside = sum(len(STAMP.findall(text)) for text in texts) >= LEAST
        return is_inside and heads >= 0.6 * paragraphs and times == sorted(times)
    if pattern == BLOCKS:
        return heads >= 0.6 * paragraphs
    if pattern in NOTATIONS:
        return _has_speakers(layout, texts)
    return (
        heads >= LEAST_OF.get(pattern, LEAST)
        and heads >= 0.6 * paragraphs
        and speakers <= max(2, heads / 2)
    )


def _has_speakers(layout: TurnLayout, texts: Sequence[str]) -> bool:
    """Return True if names before the lines, without times, are speakers and no words."""
    pattern, heads, paragraphs, speakers = layout
    found = [head.name or "" for text in texts if (head := head_of_turn(pattern, text)) is not None]
    labels = sum(map(is_label, found))
    if labels > 1 and labels >= 0.6 * paragraphs and labels >= 0.8 * heads:
        return True
    if pattern in SOUNDS_TOO or heads < LEAST or heads < 0.8 * paragraphs:
        return False
    returning = sum(count > 1 for count in Counter(found).values())
    if not all(map(is_name, found)):
        # Names in small letters: each returns, and nothing else is there.
        return heads >= paragraphs and returning == speakers and heads > 2 * speakers - 1
    is_whole = heads == paragraphs and speakers < 3 and returning > 0
    return speakers <= max(2, heads / 2) and (returning > 1 or is_whole)


def segments_of_turns(
    source: Source, lines: Lines, line: int | None, expected: str, *, close_gaps: bool = False,
    are_few_allowed: bool = False,
) -> Iterator[Segment]:  # fmt: skip
    """Yield a segment for each turn, or for each time inside paragraphs.

    `are_few_allowed`: a turn in every line is enough, of one line as of many.
    """
    if not any(text.strip() for _, text in lines):
        return
    layout = written_layout(lines, WRITTEN_TIMED) if are_few_allowed else None
    layout = layout or layout_of(lines)
    if layout is None and are_few_allowed:
        layout = written_layout(lines, WRITTEN_UNTIMED)
    if layout is None:
        best, found = suspicion(lines), "prose"
        if best is not None:
            found = f'{best.heads} of {best.paragraphs} paragraphs look like "{best.pattern}"'
        raise source.syntax_error(line, expected, found)
    source.log.say(
        SPEAKER_TEXT,
        pattern=layout.pattern,
        heads=layout.heads,
        paragraphs=layout.paragraphs,
        speakers=layout.speakers,
    )
    is_inside = layout.pattern == INSIDE
    turns = list(_stamped(source, lines) if is_inside else _turns(source, lines, layout))
    if not any(turn.speaker for turn in turns):
        turns = _with_speakers(source, turns)
    if layout.pattern in TIMES_OF_DAY:
        turns = _from_first(source, turns)
    yield from checked_turns(source, turns, close_gaps=close_gaps)


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


def _from_first(source: Source, segments: list[Segment]) -> list[Segment]:
    """The segments, with times of day counted from the first: no recording begins after an hour."""
    first = next((s.start_ns for s in segments if s.start_ns is not None), None)
    if first is None or first < HOUR:
        return segments
    source.log.say(TIME_OF_DAY, first=format_clock(first, decimals=0))
    return [
        s if s.start_ns is None else s.replace(start_ns=_since(first, s.start_ns)) for s in segments
    ]


def _since(first: int, time: int) -> int:
    """From a time of day to another, which may be after midnight or slightly out of order."""
    return max(0, time - first + (24 * HOUR if time < first - 12 * HOUR else 0))


def _turns(source: Source, lines: Lines, layout: TurnLayout) -> Iterator[Segment]:
    pattern = UNTIMED if layout.pattern == BLOCKS else layout.pattern
    has_blocks = layout.pattern == BLOCKS
    filled = [(number, line) for number, line in lines if strip_blanks(line)]
    head: TurnHead | None = None
    words: list[str] = []
    begin = 0
    block: int | None = None
    is_new_block = False
    above: list[str] = []
    names = _lone_names(filled) if pattern == "0:12" else frozenset()
    heads = _heads(pattern, filled)
    for index, (number, line) in enumerate(filled):
        text = line.strip(" \t\xa0\u200b")
        lone = LONE.match(text)
        is_last = index + 1 == len(filled)
        next_head = heads[index]
        if text.removesuffix(":") in names and text[-1] == ":":
            next_head = TurnHead(text[:-1], None, None, "")
        elif next_head is not None and names and head is not None:
            next_head = next_head._replace(name=head.name)
        if has_blocks and lone is not None:
            block, is_new_block = parse_clock(lone[1]), True
            continue
        ended = ENDED.match(text) if has_blocks and next_head is None else None
        is_footer = next_head is None and FOOTER.match(text) is not None
        if is_footer or (ended is not None and len(filled) - index < 4):
            source.log.say(SPEAKER_TEXT_FOOTER, number, text=text)
            if ended is not None:
                source.properties["duration"] = format_time(parse_clock(ended[1]))
            continue
        if is_last and lone is not None and head is not None and head.end is None:
            end = parse_clock(lone[1])
            head = head._replace(end=end if end >= (head.start or 0) else None)
            continue
        if next_head is None and head is None:
            above.append(text)
            continue
        if next_head is None:
            words.extend(split_words(line))
            continue
        if head is not None:
            yield turn_segment(source, head, words, begin)
        before, head, begin = head, next_head, number
        words = split_words(head.text)
        if head.name is None and before is not None and pattern == "Name (0:12):":
            head = head._replace(name=before.name)
        if has_blocks and block is not None:
            head = head._replace(start=block if is_new_block else None, end=None)
            is_new_block = False
    if head is not None:
        yield turn_segment(source, head, words, begin)
    if above:
        source.properties.setdefault("title", above[0])
        source.log.say(TURNS_HEAD, text=" ".join(above))


def _lone_names(lines: Lines) -> frozenset[str]:
    """Names on lines of their own, ``ANNE:``, if they return."""
    matches = [LONE_NAME.match(line.strip()) for _, line in lines]
    names = Counter(match[1] for match in matches if match is not None)
    return frozenset(
        name for name, n in names.items() if n > 1 and (is_name(name) or is_label(name))
    )


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


def _stamped(source: Source, lines: Lines) -> Iterator[Segment]:
    """A segment for each text between two times; before the first time there is a title at most."""
    start: int | None = None
    words: list[str] = []
    begin = 0
    for number, line in lines:
        pieces = STAMP.split(line)
        words.extend(split_words(pieces[0]))
        for time, text in zip(pieces[1::2], pieces[2::2], strict=True):
            stop = parse_clock(time)
            if words and start is None:
                source.properties.setdefault("title", " ".join(words))
                source.log.say(TIMES_HEAD, text=" ".join(words))
            elif words:
                yield Segment(
                    source.recording, tuple(words), start_ns=start, end_ns=stop, line=begin
                )
            start, words, begin = stop, split_words(text), number
    if words:
        yield Segment(source.recording, tuple(words), start_ns=start, line=begin)
