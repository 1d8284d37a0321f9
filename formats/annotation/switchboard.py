"""mrk and isip: timed words of the Switchboard corpus, as published by LDC (mrk) and ISIP (isip).

``mrk``, the time marks of the corpus itself:

==================================  ==========================================================
in the file                         in the schema
==================================  ==========================================================
``A.5``, also ``@A.5``, ``A``       channel and speaker ``A``; property ``turn``; consecutive words
                                    of one turn form a segment
start, duration                     times of the word in seconds; ``*`` means unknown
``{pause}``, ``[lipsmack]``,        an ``event``; so is every word whose speaker is ``*``
``--``, a mark alone
``#Right#``                         the word; the mark means that others also speak; marks are
                                    counted but not preserved
==================================  ==========================================================

``isip``, the transcripts of the corpus that Mississippi State University published:

==================================  ==========================================================
in the file                         in the schema
==================================  ==========================================================
``sw2001A-ms98-a-0001``             `Segment.utterance`, recording ``sw2001``, channel and
                                    speaker ``A``
start, end                          times in seconds: of the segment, or, if an id is in several
                                    lines, of each word
``[silence]``, ``[noise]`` …        an ``event``
``[laughter-yes]``, ``th[at]-`` …   words as written; with ``isip_clean=True`` see `clean`
==================================  ==========================================================
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from formats.annotation.messages import MRK_OVERLAP
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, split_fields, strip_blanks
from formats.schema.model import Segment
from formats.schema.times import LARGEST, is_time
from formats.schema.words import Token, unless_empty

SwitchboardMark: TypeAlias = tuple[str, int | None, int | None]

TALKER = re.compile(r"@{0,2}(?:\*|([AB])(?:\.([0-9]{1,6}))?)\Z")
NO_TIME = "*"
ID = re.compile(r"(sw[0-9]{4,5})([AB])-ms98-a-[0-9]{4}\Z")
SOUNDS = frozenset(
    {"[silence]", "[noise]", "[laughter]", "[vocalized-noise]", "<b_aside>", "<e_aside>"}
)
LAUGHED = re.compile(r"\[laughter-([^\[\]]+)\]\Z")
MEANT = re.compile(r"\[([^\[\]/]+)/[^\[\]]*\]")
UNSAID = re.compile(r"\[[^\[\]]*\]|_[0-9]+\Z|[{}]")


def read_mrk(source: Source) -> Iterator[Segment]:
    """Yield a segment for consecutive words of one turn, then the events between these words."""
    turn = ""
    words: list[SwitchboardMark] = []
    events: list[Segment] = []
    first: int | None = None
    overlapped = 0
    for talker, number, mark in source.log.accepted("MRK-SYNTAX", _mark, filled_lines(source)):
        if talker != turn:
            yield from _turn(source, turn, words, events, first)
            turn, words, events, first = talker, [], [], number
        text, start, end = mark
        side = talker[0] if talker != NO_TIME else None
        if side is None or text[:1] in "{[" or not any(map(str.isalnum, text)):
            times = {"start_ns": start, "end_ns": end, "line": number}
            event = Segment(source.recording, (text,), channel=side, speaker=side, kind="event")
            events.append(event.replace(**times))
        else:
            bare = text.replace("#", "")
            overlapped += bare != text
            words.append((bare, start, end))
    yield from _turn(source, turn, words, events, first)
    if overlapped:
        source.log.say(MRK_OVERLAP, overlapped=overlapped)


def _mark(line: Line) -> Iterator[tuple[str, int, SwitchboardMark]]:
    """Parse a line; yield its turn (such as ``A.5``), its number, and the word with its times."""
    fields = line.fields(4, "talker, start, duration and word")
    if not TALKER.match(fields[0]):
        raise line.error(0, "a talker such as A.1 or *")
    start = line.time(1, "start") if fields[1] != NO_TIME else None
    length = line.time(2, "duration") if fields[2] != NO_TIME else None
    end = None if start is None or length is None else start + length
    if end is not None and end > LARGEST:
        raise line.error(2, "an end within 292 years")
    yield fields[0].lstrip("@"), line.number, (line.rest(3), start, end)


def _turn(
    source: Source,
    turn: str,
    words: Sequence[SwitchboardMark],
    events: Sequence[Segment],
    line: int | None,
) -> Iterator[Segment]:
    """Yield the words of a turn as a segment, then the turn's events."""
    if words:
        side, _, number = turn.partition(".")
        texts, starts, ends = zip(*words, strict=True)
        yield Segment(
            source.recording, texts, channel=side, speaker=side, line=line,
            starts_ns=unless_empty(starts), ends_ns=unless_empty(ends),
            properties=(("turn", number),) if number else (),
        )  # fmt: skip
    yield from events


def clean(word: str) -> str:
    """Return the spoken part of a word in ISIP's notation, without laughter and omitted parts."""
    laughed = LAUGHED.match(word)
    return UNSAID.sub("", MEANT.sub(r"\1", laughed[1] if laughed else word))


def read_isip(source: Source, *, isip_clean: bool = False) -> Iterator[Segment]:
    """Yield one segment per utterance, followed by the events in the utterance."""
    of_words = _are_words([split_fields(line) for line in source.head_lines()])
    rows = source.log.accepted("ISIP-SYNTAX", _row, filled_lines(source))
    for _, group in groupby(rows, lambda row: (row.name, not of_words and row.line)):
        first, *others = group
        tokens: list[Token] = []
        for row in (first, *others):
            words = [x if x in SOUNDS else clean(x) for x in row.words] if isip_clean else row.words
            times = (row.start, row.end) if of_words else (None, None)
            tokens += [Token(word, *times) for word in words if word]
        span = None if of_words else (first.start, first.end)
        yield from _utterance(first, tokens, span)


class _Row(NamedTuple):
    """A line about an utterance or about one of its words. Times are in nanoseconds."""

    name: str
    start: int
    end: int
    words: list[str]
    line: int


def _row(line: Line) -> Iterator[_Row]:
    fields = line.fields(3, "id, start, end and words")
    if ID.match(fields[0]) is None:
        raise line.error(0, "an id such as sw2001A-ms98-a-0001")
    start, end = line.time(1, "start"), line.time(2, "end")
    if end < start:
        raise line.error(2, f"an end not before {fields[1]}")
    yield _Row(fields[0], start, end, fields[3:], line.number)


def _are_words(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if each line has one word, and some ids are in several lines."""
    ids = [row[0] for row in rows if row]
    return all(len(row) <= 4 for row in rows) and len(set(ids)) < len(ids)


def _utterance(
    row: _Row, tokens: Sequence[Token], times: tuple[int, int] | None
) -> Iterator[Segment]:
    """Yield the words of an utterance as a segment, then its noises and silences as events."""
    match = ID.match(row.name)
    assert match is not None
    recording, side = match.groups()
    start, end = times or (None, None)
    words = [token for token in tokens if token.text not in SOUNDS]
    plain = Segment(
        recording, channel=side, speaker=side, utterance=row.name, start_ns=start, end_ns=end,
        line=row.line,
    )  # fmt: skip
    if words or (times and not tokens):
        yield plain.with_items(words)
    for token in tokens:
        if token.text in SOUNDS:
            begin, stop = times if len(tokens) == 1 and times else (token.start_ns, token.end_ns)
            yield plain.replace(words=(token.text,), kind="event", start_ns=begin, end_ns=stop)


def sniff_mrk(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if lines have a speaker, start and duration (or asterisks), and a word."""
    rows = [split_fields(line) for line in lines if strip_blanks(line)]
    fitting = [
        row for row in rows
        if len(row) > 3 and TALKER.match(row[0])
        and all(text == NO_TIME or is_time(text) for text in row[1:3])
    ]  # fmt: skip
    is_mrk = len(fitting) >= 0.95 * len(rows) and any(row[0].strip("@*") for row in fitting)
    return Sniff.SURE if is_mrk else Sniff.NO


def sniff_isip(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if every line begins with an ISIP utterance id and two times."""
    rows = [split_fields(line) for line in lines if strip_blanks(line)]
    fits = all(len(row) > 2 and ID.match(row[0]) and is_time(row[1]) for row in rows)
    return Sniff.SURE if rows and fits else Sniff.NO


MRK_SPEC = FormatSpec(
    title="time marks of the Switchboard corpus: words with start and duration",
    sign="lines of a talker such as A.1, a start, a duration, a word",
    read=read_mrk,
    sniff=sniff_mrk,
    has_one_recording=True,
)
ISIP_SPEC = FormatSpec(
    title="ISIP's transcripts of the Switchboard corpus: utterances or words with times",
    sign="lines of an id such as sw2001A-ms98-a-0001, a start, an end",
    read=read_isip,
    sniff=sniff_isip,
    read_options=(Option("isip_clean", False, "remove the marks inside words (isip)"),),
)
