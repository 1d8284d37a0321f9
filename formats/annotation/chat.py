"""chat: CHAT transcripts of CHILDES and TalkBank, the main lines; read only.

=====================================  ======================================================
its word                               ours
=====================================  ======================================================
``*ANN:`` and its text                 a segment of the speaker ``ANN``; cleaned by rules
                                       (`formats.annotation.chat_text`)
time pair between two U+0015           `Segment.start`, `Segment.end`; milliseconds
``%wor:`` words with time pairs        times of the words
other lines that begin with ``%``      not kept (a note)
other headers, such as ``@Comment``    not kept (a note)
``@Media``                             `Segment.recording`; without it the file's stem
``@Languages``                         ``language`` of the file
=====================================  ======================================================

A line that begins with a tab goes on with the line before. A line without a time pair has no
times. Words that ``%wor`` gives other than the text are taken as the tiers of other formats are
(`formats.annotation.tier_reading.owned_columns`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from formats.annotation.chat_text import (
    REPLACEMENTS,
    RETRACES,
    RULES,
    ChatText,
    clean,
    plain_columns,
)
from formats.annotation.tier_reading import owned_columns
from formats.beginning import Head
from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.lines import split_words
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Option, Sniff
from formats.words import unless_empty

Columns: TypeAlias = tuple[
    tuple[str, ...], tuple[str | None, ...] | None, tuple[str | None, ...] | None
]
"""Words, their kinds, and what is displayed for them."""

BULLET = re.compile("\x15([^\x15]*)\x15?")
TIMED = re.compile("([^\x15_]*)\x15([0-9]{1,12})_([0-9]{1,12})\x15").fullmatch
"""A text with one time pair, at its end."""
PAIR = re.compile(r"([0-9]{1,12})_([0-9]{1,12})")
LOST_BULLET = re.compile(r"(?:\\x15|\\u0015|\^U)[0-9]+_[0-9]+|(?<![^ \t])[0-9]+_[0-9]+(?=[ \t]*$)")
MARKED = re.compile(r"([*%@])([^:\t]*)(:?)(\t?)")
COLUMNS = attrgetter("text", "kind", "display")
MILLISECOND = 10**6
MARKS = frozenset({"UTF8", "Begin", "End"})


class _Record(NamedTuple):
    """A line with those that go on with it."""

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
    """One segment per main line, then its events and the asides of others.

    Parameters
    ----------
    chat_text: the rules that clean the text: ``chat-1``, or ``raw`` for none.
    chat_replacements: of ``word [: other]`` take what was ``spoken`` or the ``target``.
    chat_retraces: ``keep`` or ``drop`` what the speaker took back and said again.
    """
    for name, value, choices in (
        ("chat text", chat_text, RULES),
        ("chat replacements", chat_replacements, REPLACEMENTS),
        ("chat retraces", chat_retraces, RETRACES),
    ):
        if value not in choices:
            raise OptionError(expected=f"{name} {', '.join(choices)}", found=quoted(value))
    reader = _Reader(source, chat_text == "raw", chat_replacements, chat_retraces)
    for record in _records(source):
        if record.mark != "%":
            yield from reader.emitted()
        reader.take(record)
    yield from reader.emitted()
    reader.finish()


def _records(source: Source) -> Iterator[_Record]:
    held: _Record | None = None
    more: list[str] = []
    for number, line in source.lines():
        if line.startswith("\t") and held is not None:
            more.append(line[1:])
            continue
        if not line.strip(" \t"):
            continue
        if held is not None:
            yield held._replace(text=" ".join((held.text, *more))) if more else held
            held, more = None, []
        try:
            held = _record(source, number, line)
        except SyntaxFormatError as error:
            source.log.reject("CHAT-SYNTAX", error)
    if held is not None:
        yield held._replace(text=" ".join((held.text, *more))) if more else held


def _record(source: Source, number: int, line: str) -> _Record:
    found = MARKED.match(line)
    if found is None:
        expected = "a line that begins with *, %, @ or a tab"
        raise source.syntax_error(number, expected, quoted(line[:20]), column=1)
    mark, name, colon, tab = found.groups()
    text = line[found.end() :]
    if colon and tab:
        return _Record(number, mark, name, text)
    if mark != "*" or (colon and not text.strip(" \t")):
        # Nothing is said in it: whatever is wrong with it, no word is lost.
        if (mark == "%" and not colon) or (colon and not tab):
            missing = f"a tab after {mark}{name}:" if colon else f"a colon after {mark}{name}"
            shown = quoted(text[:10]) if text else "the end of the line"
            source.log.warn("CHAT-LINE", f"expected {missing}, found {shown}", number)
        return _Record(number, mark, name, text)
    if not colon:
        raise source.syntax_error(
            number, f"a colon after {mark}{name.partition(' ')[0]}", "none", column=found.end() + 1
        )
    if not tab:
        raise source.syntax_error(
            number, f"a tab after {mark}{name}:", quoted(text[:10]), column=found.end() + 1
        )
    return _Record(number, mark, name, text)


class _Utterance:
    """A main line, waiting for the lines that depend on it."""

    __slots__ = ("columns", "line", "said", "span", "speaker", "timed")

    def __init__(
        self,
        speaker: str,
        line: int,
        columns: Columns,
        said: ChatText | None,
        span: tuple[int | None, int | None],
    ) -> None:
        self.speaker = speaker
        self.line = line
        self.columns = columns
        self.said = said
        self.span = span
        self.timed: list[tuple[str, int | None, int | None]] = []


class _Reader:
    def __init__(self, source: Source, is_raw: bool, replacements: str, retraces: str) -> None:
        self.source = source
        self.recording = source.recording
        self.is_raw = is_raw
        self.replacements = replacements
        self.retraces = retraces
        self.participants: set[str] | None = None
        self._open: _Utterance | None = None
        self._records = 0
        self._has_ended = False

    def take(self, record: _Record) -> None:
        """Take one record; what was open has to be `emitted` before one that begins anew."""
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
        """Look at what the file lacks."""
        if self._records and not self._has_ended:
            self.source.log.warn("CHAT-END", "the file has no @End: it may be cut off")

    def _header(self, record: _Record) -> None:
        name, text = record.name.strip(), record.text.strip()
        if self._records == 1 and name != "UTF8":
            message = f"expected @UTF8 first, found {quoted('@' + name)}"
            self.source.log.warn("CHAT-HEADER", message, record.line)
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
            self.source.log.note("CHAT-NOT-KEPT", f"header @{name} not kept", record.line)

    def _utterance(self, record: _Record) -> _Utterance:
        speaker = record.name
        if self.participants is not None and speaker not in self.participants:
            message = f"speaker {quoted(speaker)} is not among the @Participants"
            self.source.log.warn("CHAT-SPEAKER", message, record.line)
            self.participants.add(speaker)
        text, pairs = self._without_pairs(record)
        span: tuple[int | None, int | None] = (None, None)
        if pairs:
            span = pairs[0]
            if len(pairs) > 1:
                span = pairs[0][0], max(end for _, end in pairs)
                message = f"{len(pairs)} time pairs: from the first to the last"
                self.source.log.note("CHAT-TIMES", message, record.line)
        if self.is_raw:
            words = tuple(split_words(text))
            return _Utterance(speaker, record.line, (words, None, None), None, span)
        plain = plain_columns(text)
        if plain is not None:
            return _Utterance(speaker, record.line, (plain[0], None, plain[1]), None, span)
        said = clean(text, replacements=self.replacements, retraces=self.retraces)
        columns = zip(*map(COLUMNS, said.words), strict=True) if said.words else ((), (), ())
        texts, kinds, displays = columns
        made = texts, unless_empty(kinds), unless_empty(displays)
        return _Utterance(speaker, record.line, made, said, span)

    def _without_pairs(self, record: _Record) -> tuple[str, list[tuple[int, int]]]:
        """The text without its time pairs, and these in nanoseconds."""
        usual = TIMED(record.text)
        if usual is not None:
            begin, end = int(usual[2]), int(usual[3])
            if begin <= end:
                return usual[1], [(begin * MILLISECOND, end * MILLISECOND)]
        pieces = BULLET.split(record.text)
        pairs = [self._pair(record, pair) for pair in pieces[1::2]]
        text = " ".join(pieces[::2])
        if "_" in text and (lost := LOST_BULLET.search(text)):
            raise self.source.syntax_error(
                record.line, "time pairs between two characters U+0015", quoted(lost[0])
            )
        return text, pairs

    def _pair(self, record: _Record, text: str) -> tuple[int, int]:
        found = PAIR.fullmatch(text.strip())
        begin, end = map(int, found.groups()) if found is not None else (1, 0)
        if begin > end:
            raise self.source.syntax_error(
                record.line, "a time pair start_end in milliseconds, in order", quoted(text)
            )
        return begin * MILLISECOND, end * MILLISECOND

    def _depend(self, record: _Record) -> None:
        if record.name != "wor":
            message = f"line %{record.name} not kept"
            self.source.log.note("CHAT-DEPENDENT", message, record.line)
        elif self._open is not None:
            try:
                self._open.timed = self._timed_words(record)
            except SyntaxFormatError as error:
                self.source.log.reject("CHAT-TIME", error)
        else:
            message = "line %wor without a main line before it: not kept"
            self.source.log.warn("CHAT-WOR", message, record.line)

    def _timed_words(self, record: _Record) -> list[tuple[str, int | None, int | None]]:
        timed: list[tuple[str, int | None, int | None]] = []
        pieces = re.split("\x15([^\x15]*)\x15", record.text)
        for text, pair in zip(pieces[::2], [*pieces[1::2], None], strict=True):
            words = clean(text).words
            timed.extend((word.text, None, None) for word in words)
            if pair is None:
                continue
            begin, end = self._pair(record, pair)
            if words:
                timed[-1] = timed[-1][0], begin, end
        return timed

    def emitted(self) -> list[Segment]:
        """The segments of the utterance that is open, which is none any more."""
        utterance, self._open = self._open, None
        if utterance is None:
            return []
        begin, end = utterance.span
        texts, kinds, displays = utterance.columns
        segment = Segment(
            self.recording,
            texts,
            speaker=utterance.speaker,
            start_ns=begin,
            end_ns=end,
            kinds=kinds,
            displays=displays,
            line=utterance.line,
        )
        made = [self._with_times(segment, utterance.timed) if utterance.timed else segment]
        if utterance.said is None:
            return made
        for name in utterance.said.events:
            said = tuple(filter(None, name.split(":")))
            made.append(segment.replace(words=said, kinds=None, displays=None, kind="event"))
        for speaker, word in utterance.said.asides:
            aside = segment.replace(words=(word,), kinds=None, displays=None)
            made.append(aside.replace(speaker=speaker or None))
        return made

    def _with_times(
        self, segment: Segment, timed: Sequence[tuple[str, int | None, int | None]]
    ) -> Segment:
        fitted = owned_columns(segment.words, [text for text, _, _ in timed])
        if fitted is None:
            self.source.log.warn(
                "CHAT-WOR",
                f"%wor has {len(timed)} words, the line above it {len(segment.words)} others: "
                "those of %wor are taken",
                segment.line,
            )
            return segment.replace(
                words=tuple(text for text, _, _ in timed),
                starts_ns=tuple(begin for _, begin, _ in timed),
                ends_ns=tuple(end for _, _, end in timed),
                kinds=None,
                displays=None,
                properties=(("text", " ".join(segment.words)),),
            )
        # As many words: the line's own are kept, since they have types and displays.
        return segment.replace(
            starts_ns=tuple(None if n is None else timed[n][1] for n in fitted[1]),
            ends_ns=tuple(None if n is None else timed[n][2] for n in fitted[1]),
        )


def sniff(head: Head) -> Sniff:
    """Sure if ``@UTF8`` or ``@Begin`` is one of the first two lines."""
    is_chat = any(line.rstrip(" \t") in ("@UTF8", "@Begin") for line in head[:2])
    return Sniff.SURE if is_chat else Sniff.NO


SPEC = FormatSpec(
    title="CHAT transcripts: main lines of speakers, with time pairs (read only)",
    sign='"@Begin" and lines such as "*CHI:"',
    read=read,
    sniff=sniff,
    holds=(
        "words",
        "recordings",
        "speakers",
        "segment times",
        "word times",
        "word types",
        "display forms",
        "events",
        "empty segments",
        "segment boundaries",
    ),
    read_options=(
        Option("chat_text", "chat-1", "rules that clean the text of chat files", RULES),
        Option("chat_replacements", "spoken", "of word [: other], which to take", REPLACEMENTS),
        Option("chat_retraces", "keep", "what speakers took back and said again", RETRACES),
    ),
    streams=True,
    manual="Utterances of speakers with time pairs; remarks inside the text are cleaned away.",
)
