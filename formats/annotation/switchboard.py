"""mrk and isip: words of the Switchboard corpus with their times, from LDC and from ISIP.

``mrk``, the time marks of the corpus itself:

==================================  ==========================================================
its word                            ours
==================================  ==========================================================
``A.5``, also ``@A.5``, ``A``       channel and speaker ``A``; property ``turn``; all words of
                                    one turn after one another are a segment
start, duration                     times of the word in seconds; ``*`` is none
``{pause}``, ``[lipsmack]``,        an ``event``; so is all that is nobody's (``*``)
``--``, a mark alone
``#Right#``                         the word: that others speak, too, is not kept, but counted
==================================  ==========================================================

``isip``, the transcripts that Mississippi State made of it:

==================================  ==========================================================
its word                            ours
==================================  ==========================================================
``sw2001A-ms98-a-0001``             `Segment.utterance`, recording ``sw2001``, channel and
                                    speaker ``A``
start, end                          times in seconds: of the segment, or, where an id comes
                                    again and again, of each word
``[silence]``, ``[noise]`` …        an ``event``
``[laughter-yes]``, ``th[at]-`` …   words as written; with ``isip_clean=True`` see `clean`
==================================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from formats.errors import SyntaxFormatError
from formats.fields import field_count_error, field_error
from formats.lines import column_of_field, read_time, split_fields, strip_blanks
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Option, Sniff
from formats.times import LARGEST, is_time
from formats.words import Token, unless_empty

Mark: TypeAlias = "tuple[str, int | None, int | None]"

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
    """A segment for each run of one turn, its events after it."""
    turn = ""
    words: list[Mark] = []
    events: list[Segment] = []
    first: int | None = None
    overlapped = 0
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        try:
            talker, mark = _mark(source, number, line)
        except SyntaxFormatError as error:
            source.log.reject("MRK-SYNTAX", error)
            continue
        if talker != turn:
            yield from _turn(source, turn, words, events, first)
            turn, words, events, first = talker, [], [], number
        text, start, end = mark
        if text.isalpha() and talker != NO_TIME:
            words.append(mark)
        elif text[:1] in "{[" or not any(map(str.isalnum, text)) or talker == NO_TIME:
            side = talker[0] if talker != NO_TIME else None
            events.append(
                Segment(source.recording, (text,), channel=side, speaker=side, kind="event",
                        start_ns=start, end_ns=end, line=number)
            )  # fmt: skip
        else:
            bare = text.replace("#", "")
            overlapped += bare != text
            words.append((bare, start, end))
    yield from _turn(source, turn, words, events, first)
    if overlapped:
        message = f"words marked as spoken at the same time as others, not kept: {overlapped}"
        source.log.note("MRK-OVERLAP", message)


def _mark(source: Source, number: int, line: str) -> tuple[str, Mark]:
    """Talker of a line, its word, and where that begins and ends."""
    fields = split_fields(line)
    if len(fields) < 4:
        expected = "talker, start, duration and word"
        raise field_count_error(source, number, line, len(fields), 4, expected)
    if not TALKER.match(fields[0]):
        raise field_error(source, number, line, 0, "a talker such as A.1 or *", fields[0])
    start = length = end = None
    if fields[1] != NO_TIME:
        start = read_time(source, number, line, 1, fields[1], "start")
    if fields[2] != NO_TIME:
        length = read_time(source, number, line, 2, fields[2], "duration")
    if start is not None and length is not None:
        end = start + length
        if end > LARGEST:
            raise field_error(source, number, line, 2, "an end within 292 years", fields[2])
    text = fields[3]
    if len(fields) > 4 or "\v" in line or "\f" in line:
        text = strip_blanks(line[column_of_field(line, 3) - 1 :])
    return fields[0].lstrip("@"), (text, start, end)


def _turn(
    source: Source, turn: str, words: Sequence[Mark], events: Sequence[Segment], line: int | None
) -> Iterator[Segment]:
    """The words of a turn as a segment, and its events."""
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
    """What was said of a word of ISIP's: laughter, what was meant, what is not there are left out.

    >>> [clean(word) for word in ("[laughter-yes]", "th[at]-", "[whatevr/whatever]", "{ize}")]
    ['yes', 'th-', 'whatevr', 'ize']
    """
    laughed = LAUGHED.match(word)
    return UNSAID.sub("", MEANT.sub(r"\1", laughed[1] if laughed else word))


def read_isip(source: Source, *, isip_clean: bool = False) -> Iterator[Segment]:
    """A segment for each utterance, its events after it.

    Parameters
    ----------
    isip_clean: words as `clean` makes them.
    """
    of_words = _are_words([split_fields(line) for line in source.head_lines()])
    name = ""
    items: list[Token] = []
    line_of_first: int | None = None
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        try:
            fields = split_fields(line)
            if len(fields) < 3:
                expected = "id, start, end and words"
                raise field_count_error(source, number, line, len(fields), len(fields), expected)
            found = ID.match(fields[0])
            if found is None:
                expected = "an id such as sw2001A-ms98-a-0001"
                raise field_error(source, number, line, 0, expected, fields[0])
            start = read_time(source, number, line, 1, fields[1], "start")
            end = read_time(source, number, line, 2, fields[2], "end")
            if end < start:
                expected = f"an end not before {fields[1]}"
                raise field_error(source, number, line, 2, expected, fields[2])
        except SyntaxFormatError as error:
            source.log.reject("ISIP-SYNTAX", error)
            continue
        words = fields[3:]
        if isip_clean:
            words = [word if word in SOUNDS else clean(word) for word in words]
        if of_words:
            if fields[0] != name and items:
                yield from _utterance(source, name, items, None, line_of_first)
                items = []
            if fields[0] != name:
                name, line_of_first = fields[0], number
            items += [Token(word, start, end) for word in words if word]
        elif SOUNDS.isdisjoint(words):
            yield Segment(
                found[1], tuple(filter(None, words)), channel=found[2], speaker=found[2],
                utterance=fields[0], start_ns=start, end_ns=end, line=number,
            )  # fmt: skip
        else:
            tokens = [Token(word) for word in words if word]
            yield from _utterance(source, fields[0], tokens, (start, end), number)
    if items:
        yield from _utterance(source, name, items, None, line_of_first)


def _are_words(rows: Sequence[Sequence[str]]) -> bool:
    """Whether lines are words: none has two, and an id comes again."""
    ids = [row[0] for row in rows if row]
    return all(len(row) <= 4 for row in rows) and len(set(ids)) < len(ids)


def _utterance(
    source: Source,
    name: str,
    tokens: Sequence[Token],
    times: tuple[int, int] | None,
    line: int | None,
) -> Iterator[Segment]:
    """The words of an utterance as a segment, and its sounds."""
    found = ID.match(name)
    assert found is not None, "ids have been looked at"
    start, end = times or (None, None)
    said = [token for token in tokens if token.text not in SOUNDS]
    plain = Segment(
        found[1], channel=found[2], speaker=found[2], utterance=name, start_ns=start, end_ns=end,
        line=line,
    )  # fmt: skip
    if said:
        yield plain.with_items(said)
    for token in tokens:
        if token.text in SOUNDS:
            alone = times if len(tokens) == 1 and times else (token.start_ns, token.end_ns)
            yield plain.replace(
                words=(token.text,), kind="event", start_ns=alone[0], end_ns=alone[1]
            )


def sniff_mrk(lines: Sequence[str]) -> Sniff:
    """Sure of lines of a talker, two times or stars, and a word."""
    rows = [split_fields(line) for line in lines if strip_blanks(line)]
    fitting = [
        row for row in rows
        if len(row) > 3 and TALKER.match(row[0])
        and all(text == NO_TIME or is_time(text) for text in row[1:3])
    ]  # fmt: skip
    is_one = len(fitting) >= 0.95 * len(rows) and any(row[0].strip("@*") for row in fitting)
    return Sniff.SURE if is_one else Sniff.NO


def sniff_isip(lines: Sequence[str]) -> Sniff:
    """Sure of lines that all begin with an id of ISIP's and two times."""
    rows = [split_fields(line) for line in lines if strip_blanks(line)]
    fits = all(len(row) > 2 and ID.match(row[0]) and is_time(row[1]) for row in rows)
    return Sniff.SURE if rows and fits else Sniff.NO


MRK_SPEC = FormatSpec(
    title="time marks of the Switchboard corpus: words with start and duration",
    sign="lines of a talker such as A.1, a start, a duration, a word",
    read=read_mrk,
    sniff=sniff_mrk,
    has_one_recording=True,
    manual="One word per line: side and turn of its talker, start, duration.",
)
ISIP_SPEC = FormatSpec(
    title="ISIP's transcripts of the Switchboard corpus: utterances or words with times",
    sign="lines of an id such as sw2001A-ms98-a-0001, a start, an end",
    read=read_isip,
    sniff=sniff_isip,
    read_options=(Option("isip_clean", False, "leave out marks inside words", (False, True)),),
    manual="One utterance or one word per line: id, start, end, text.",
)
