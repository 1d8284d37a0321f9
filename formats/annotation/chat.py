"""chat: the main lines of CHAT transcripts (CHILDES, TalkBank); read only.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
``*ANN:`` and its text                 a segment of the speaker ``ANN``; cleaned by rules
                                       (`formats.annotation.chat_text`)
time pair between two U+0015           `Segment.start`, `Segment.end`; milliseconds
``%wor:`` words with time pairs        times of the words
other lines that begin with ``%``      dropped; a note reports them
other headers, such as ``@Comment``    dropped; a note reports them
``@Media``                             `Segment.recording`; without this line, the file's stem
``@Languages``                         ``language`` of the file
=====================================  ======================================================

A line that begins with a tab continues the line above. A main line without a time pair gives a
segment without times. If the words of ``%wor`` differ from the main line, the rules for tiers apply
(`formats.annotation.tier_reading.owned_columns`).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formats.annotation.chat_text import RULES, TEXT_OPTIONS, ChatText, clean
from formats.annotation.messages import (
    CHAT_BLANKS,
    CHAT_COLON,
    CHAT_COLON_END,
    CHAT_DEPENDENT,
    CHAT_END,
    CHAT_HEADER,
    CHAT_NOT_KEPT,
    CHAT_SPEAKER,
    CHAT_TAB,
    CHAT_TAB_END,
    CHAT_TIMES,
    CHAT_WOR,
    CHAT_WOR_WORDS,
)
from formats.annotation.tier_reading import owned_columns
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, split_words
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.words import Token

BULLET = re.compile("\x15([^\x15]*)\x15?")
PAIR = re.compile(r"([0-9]{1,12})_([0-9]{1,12})")
LOST_BULLET = re.compile(r"(?:\\x15|\\u0015|\^U)[0-9]+_[0-9]+|(?<![^ \t])[0-9]+_[0-9]+(?=[ \t]*$)")
MARKED = re.compile(r"([*%@])([^:\t]*)(:?)(\t?)")
MILLISECOND = 10**6
MARKS = frozenset({"UTF8", "Begin", "End"})


class _Record(NamedTuple):
    """A line, joined with its continuation lines.

    `mark` is the first character, `name` the code after it, such as ``ANN`` in ``*ANN:``.
    """

    line: int
    mark: str
    name: str
    text: str


def read(
    source: Source,
    *,
    chat_text: str = "chat-1",
    chat_replacements: str = "spoken",
    chat_retraces: str = "keep",
) -> Iterator[Segment]:
    """Yield, for each main line, its segment and its events.

    Words of other speakers inside the line become segments of those speakers.
    """
    reader = _ChatReader(source, chat_text == "raw", chat_replacements, chat_retraces)
    for record in _records(source):
        if record.mark != "%":
            yield from reader.emitted()
        reader.take(record)
    yield from reader.emitted()
    reader.finish()


def _records(source: Source) -> Iterator[_Record]:
    lines: list[Line] = []
    for line in filled_lines(source):
        if lines and not line.text.startswith(("\t", " ")):
            yield from source.log.accepted("CHAT-SYNTAX", _record, (lines,))
            lines = []
        lines.append(line)
    if lines:
        yield from source.log.accepted("CHAT-SYNTAX", _record, (lines,))


def _record(lines: Sequence[Line]) -> Iterator[_Record]:
    """Yield the record that a line and its continuation lines form."""
    line, *others = lines
    match = MARKED.match(line.text)
    if match is None:
        expected = "a line that begins with *, %, @ or a tab"
        raise line.source.syntax_error(line.number, expected, quoted(line.text[:20]), column=1)
    mark, name, colon, tab = match.groups()
    text = line.text[match.end() :]
    missing = ""
    if not colon:
        missing = f"a colon after {mark}{name.partition(' ')[0] if mark == '*' else name}"
    elif not tab:
        missing = f"a tab after {mark}{name}:"
    is_blank_for_tab = colon and text.startswith(" ") and " " not in name
    if mark == "*" and missing and not is_blank_for_tab and (not colon or text.strip(" \t")):
        shown = quoted(text[:10]) if colon else "none"
        raise line.source.syntax_error(line.number, missing, shown, column=match.end() + 1)
    if missing and (colon or mark == "%"):  # a line without words: none is lost
        if text:
            line.say(CHAT_TAB if colon else CHAT_COLON, name=f"{mark}{name}", text=text[:10])
        else:
            line.say(CHAT_TAB_END if colon else CHAT_COLON_END, name=f"{mark}{name}")
    for later in others:
        if later.text[0] == " ":
            later.say(CHAT_BLANKS, text=later.text.lstrip()[:10])
    further = [later.text[1:] for later in others]
    yield _Record(line.number, mark, name, " ".join((text, *further)))


class Utterance(NamedTuple):
    """A main line and its dependent lines. `timed` has the words of its ``%wor`` line."""

    segment: Segment
    content: ChatText
    timed: list[Token]


class _ChatReader:
    def __init__(self, source: Source, is_raw: bool, replacements: str, retraces: str) -> None:
        self.source = source
        self.recording = source.recording
        self.is_raw, self.replacements, self.retraces = is_raw, replacements, retraces
        self.participants: set[str] | None = None
        self._open: Utterance | None = None
        self._records = 0
        self._has_ended = False

    def take(self, record: _Record) -> None:
        """Process one record. Callers call `emitted` before a record that begins an utterance."""
        self._records += 1
        if record.mark == "%":
            self._depend(record)
        elif record.mark == "@":
            self._header(record)
        else:
            try:
                self._open = self._utterance(record)
            except SyntaxFormatError as error:
                self.source.log.reject("CHAT-TIME", error)

    def finish(self) -> None:
        """Warn if the end marker of the transcript is missing."""
        if self._records and not self._has_ended:
            self.source.log.say(CHAT_END)

    def _header(self, record: _Record) -> None:
        name, text = record.name.strip(), record.text.strip()
        if self._records == 1 and name != "UTF8":
            self.source.log.say(CHAT_HEADER, record.line, found="@" + name)
        if name == "End":
            self._has_ended = True
        elif name == "Languages" and text:
            self.source.properties["language"] = text
        elif name == "Media" and text.partition(",")[0].strip():
            self.recording = text.partition(",")[0].strip()
        elif name == "Participants":
            entries = [entry.split() for entry in text.split(",")]
            self.participants = {entry[0] for entry in entries if entry}
        elif name not in MARKS and text:
            self.source.log.say(CHAT_NOT_KEPT, record.line, name=name)

    def _utterance(self, record: _Record) -> Utterance:
        speaker = record.name
        if self.participants is not None and speaker not in self.participants:
            self.source.log.say(CHAT_SPEAKER, record.line, speaker=speaker)
            self.participants.add(speaker)
        text, pairs = self._without_pairs(record)
        begin, end = pairs[0] if pairs else (None, None)
        if len(pairs) > 1:
            end = max(end for _, end in pairs)
            self.source.log.say(CHAT_TIMES, record.line, pairs=len(pairs))
        plain = Segment(
            self.recording, speaker=speaker, start_ns=begin, end_ns=end, line=record.line
        )
        if self.is_raw:
            return Utterance(plain.replace(words=tuple(split_words(text))), ChatText(), [])
        content = clean(text, replacements=self.replacements, retraces=self.retraces)
        tokens = [Token(word.text, kind=word.kind, display=word.display) for word in content.words]
        return Utterance(plain.with_items(tokens), content, [])

    def _without_pairs(self, record: _Record) -> tuple[str, list[tuple[int, int]]]:
        """Return the text of a record without its time pairs, and these pairs in nanoseconds."""
        pieces = BULLET.split(record.text)
        pairs = [self._pair(record, pair) for pair in pieces[1::2]]
        text = " ".join(pieces[::2])
        if "_" in text and (lost := LOST_BULLET.search(text)):
            expected = "time pairs between two characters U+0015"
            raise self.source.syntax_error(record.line, expected, quoted(lost[0]))
        return text, pairs

    def _pair(self, record: _Record, text: str) -> tuple[int, int]:
        match = PAIR.fullmatch(text.strip())
        begin, end = map(int, match.groups()) if match is not None else (1, 0)
        if begin > end:
            expected = "a time pair start_end in milliseconds, in order"
            raise self.source.syntax_error(record.line, expected, quoted(text))
        return begin * MILLISECOND, end * MILLISECOND

    def _depend(self, record: _Record) -> None:
        if record.name != "wor":
            self.source.log.say(CHAT_DEPENDENT, record.line, name=record.name)
        elif self._open is not None:
            try:
                self._open.timed[:] = self._timed_words(record)
            except SyntaxFormatError as error:
                self.source.log.reject("CHAT-TIME", error)
        else:
            self.source.log.say(CHAT_WOR, record.line)

    def _timed_words(self, record: _Record) -> list[Token]:
        timed: list[Token] = []
        pieces = re.split("\x15([^\x15]*)\x15", record.text)
        for text, pair in zip(pieces[::2], [*pieces[1::2], None], strict=True):
            words = [Token(word.text) for word in clean(text).words]
            timed += words
            begin, end = (None, None) if pair is None else self._pair(record, pair)
            if words:
                timed[-1] = timed[-1].replace(start_ns=begin, end_ns=end)
        return timed

    def emitted(self) -> list[Segment]:
        """End the current utterance and return its segments."""
        utterance, self._open = self._open, None
        return [] if utterance is None else segments_of(self.source, utterance)


def segments_of(source: Source, utterance: Utterance) -> list[Segment]:
    """Return the segment of an utterance, its events, and the segments of other speakers."""
    segment, content, timed = utterance
    bare = segment.replace(kinds=None, displays=None)
    events = (tuple(filter(None, name.split(":"))) for name in content.events)
    return [
        _with_times(source, segment, timed) if timed else segment,
        *(bare.replace(words=words, kind="event") for words in events),
        *(bare.replace(words=(word,), speaker=who or None) for who, word in content.asides),
    ]


def _with_times(source: Source, segment: Segment, timed: Sequence[Token]) -> Segment:
    """Return the segment with the word times of the ``%wor`` line.

    If the words of the ``%wor`` line do not fit, they replace the words of the segment.
    """
    fitted = owned_columns(segment.words, [token.text for token in timed])
    if fitted is None:
        source.log.say(CHAT_WOR_WORDS, segment.line, timed=len(timed), words=len(segment.words))
        properties = (("text", " ".join(segment.words)),)
        return segment.with_items(timed).replace(properties=properties)
    # As many words: the line's own are kept, since they have types and displays.
    tokens = [None if n is None else timed[n] for n in fitted[1]]
    return segment.replace(
        starts_ns=tuple(token and token.start_ns for token in tokens),
        ends_ns=tuple(token and token.end_ns for token in tokens),
    )


def sniff(head: Head) -> Sniff:
    """Return `SURE` if the first or second line is ``@UTF8`` or ``@Begin``."""
    is_chat = any(line.rstrip(" \t") in ("@UTF8", "@Begin") for line in head[:2])
    return Sniff.SURE if is_chat else Sniff.NO


SPEC = FormatSpec(
    title="CHAT transcripts: main lines of speakers, with time pairs (read only)",
    sign='"@Begin" and lines such as "*CHI:"',
    read=read,
    sniff=sniff,
    holds="words, recordings, speakers, segment times, word times, word types, display forms, "
    "events, empty segments, segment boundaries",
    read_options=(
        Option(
            "chat_text",
            "chat-1",
            "rules that clean the text of chat files; raw leaves it unchanged",
            RULES,
        ),
        *TEXT_OPTIONS,
    ),
)
