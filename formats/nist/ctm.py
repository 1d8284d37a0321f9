"""ctm: one timed word per line.

``recording channel begin duration word [confidence [type [speaker]]]``

Times are decimal seconds. A line that begins with ``;`` is a comment. Alternations are written
with marker words, and are not nested::

    rec1 1 * * <ALT_BEGIN>
    rec1 1 1.10 0.20 um
    rec1 1 * * <ALT>
    rec1 1 * * <ALT_END>

===========================  ===========================================================
in the file                  in the schema
===========================  ===========================================================
file, channel                `Segment.recording`, `Segment.channel`
begin, duration              `Token.start`, and `Token.end` as their sum
confidence; ``NA``           `Token.confidence`; `None`
type                         `Token.kind`, as written; the default ``lex`` is `None`
speaker                      `Segment.speaker`
an empty branch; word ``@``  the null word; `NULL` outside alternations
===========================  ===========================================================

The words of one recording and channel form one segment, or several if the speaker changes. One
recording is held in memory at a time.

In Kaldi's ctm, the first column is an utterance, and times count from the start of the utterance.
The option ``segments`` converts both to recordings, with one segment per utterance. The option
``speakers`` names an rttm file; its turns divide the words into segments.

sclite differs from this reader. It reads any text as a time, crashes on four fields, and loses
words in malformed alternations; all three are errors here. It scores unsorted words in the order of
the file; this reader sorts them, with a warning. It keeps the CR of CRLF in the last word.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, count, pairwise
from operator import add, gt, ne, sub

from formats.detection.spec import (
    ESCAPE_MARKUP,
    FormatSpec,
    Option,
    Sniff,
    WriteFunction,
    decimals,
    loaded_later,
)
from formats.io.source import Source
from formats.nist.messages import (
    CTM_CONFIDENCE,
    CTM_EMPTY_ALT,
    CTM_END_NOT_DUR,
    CTM_NO_CONFIDENCE,
    CTM_NULL,
    CTM_ORDER,
    CTM_RELATIVE,
    CTM_SHORT,
    CTM_SPLIT,
    CTM_TYPE,
    OVERLAP_WORD,
)
from formats.reading.lines import (
    Line,
    cutter,
    is_header,
    read_in_bulk,
    records_of,
    split_fields,
    strip_blanks,
)
from formats.schema import NamedTuple
from formats.schema.errors import OptionError, SyntaxFormatError
from formats.schema.model import Segment, are_apart
from formats.schema.times import LARGEST, is_time
from formats.schema.words import NULL, Alternation, Token, read_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from formats.nist.ctm_utterances import SpeakersOfWords

TYPES = frozenset({"lex", "frag", "fp", "un-lex", "for-lex", "non-lex", "misc", "noscore"})
MISSING = frozenset({"na", "<na>", "-"})
NO_TYPE = MISSING | {"lex"}
LONGEST_GAP = 300_000_000
"""Nanoseconds between words of one turn, as in NIST's mergectm2rttm."""
NONSPEECH = "<eps>,<b>,SIL"
FIELD_KINDS = "ssttscss"
"""The fields as a `Cutter` has them; the last three may be omitted."""
MANY, SHORT = 20, 60
"""Recordings, and seconds of each, from which a ctm may be one of utterances."""


def read(
    source: Source, *, segments: str = "", speakers: str = "", nonspeech: str = NONSPEECH
) -> Iterator[Segment]:
    """Yield the segments by recording and channel, in order of first appearance.

    Words are sorted by start within recording and channel; a recording that appears again after
    another recording gives additional segments, with a warning.
    """
    if segments and speakers:
        raise OptionError(expected="segments or speakers", found="both")
    reader = _CtmReader(source, frozenset(nonspeech.split(",")) if nonspeech else frozenset())
    if speakers or segments:
        from formats.nist.ctm_utterances import SpeakersOfWords, placed_words, words_in_turns

        if segments:
            from formats.nist.beside import cut_by, segments_beside

            places = segments_beside(source, segments)
            if any(place.utterance is None for place in places):
                yield from cut_by(source, segments, places, reader.segments())
            else:
                yield from placed_words(source, segments, places, reader.segments())
            return
        reader.speakers = SpeakersOfWords(source, speakers)
        yield from words_in_turns(reader.speakers, reader.segments(), LONGEST_GAP)
        return
    _warn_of_utterances(source)
    yield from reader.segments()


def _warn_of_utterances(source: Source) -> None:
    """Warn if a file looks like Kaldi's ctm: utterance ids, or many short recordings."""
    latest: dict[str, int] = {}
    known = "\n"
    for text in reversed(source.head_lines()):
        if text.startswith(known):
            continue
        fields = split_fields(text)
        if len(fields) >= 5 and fields[0] not in latest and not text.startswith(";"):
            whole = fields[2].partition(".")[0]
            if whole.isascii() and whole.isdecimal() and len(whole) < 10:
                latest[fields[0]] = int(whole)
                known = fields[0] + " "
    path = os.path.join(os.path.dirname(source.name), "segments")
    if latest and not source.name.startswith("<") and os.path.isfile(path):
        if _are_keys(path, latest):
            source.log.say(CTM_RELATIVE, path=path)
    elif len(latest) >= MANY and all(end < SHORT for end in latest.values()):
        source.log.say(CTM_SHORT, recordings=len(latest))


def _are_keys(path: str, names: Iterable[str]) -> bool:
    """Return True if every name is the first field of a line in a file."""
    left = {name.encode() for name in names}
    try:
        with open(path, "rb") as file:
            for line in file:
                left.discard(line.split(None, 1)[0] if line.strip() else b"")
    except OSError:
        return False
    return not left


class _CtmReader:
    """The channels of the current recording, and the names of earlier recordings."""

    def __init__(self, source: Source, nonspeech: frozenset[str]) -> None:
        self.source = source
        self.cut = cutter(";", "(@")
        self.nonspeech = nonspeech
        self.speakers: SpeakersOfWords | None = None
        self.recording: str | None = None
        self.seen: set[str] = set()
        self.channels: dict[str, Channel] = {}
        self.vocabulary: dict[str, str] = {}

    def segments(self) -> Iterator[Segment]:
        """Yield the segments of each recording when the recording ends."""
        yield from read_in_bulk(self.source, self.read_columns, self.read_lines)
        yield from self._finished()

    def _finished(self) -> Iterator[Segment]:
        for channel in self.channels.values():
            yield from channel.segments()
        self.channels.clear()
        self.vocabulary.clear()

    def _channel(self, name: str, number: int) -> Channel:
        """Return a channel of the current recording; create the channel if it is new."""
        channel = self.channels.get(name)
        if channel is None:
            assert self.recording is not None
            channel = self.channels[name] = Channel(self.source, self.recording, name, number)
        return channel

    def _begin(self, recording: str, number: int) -> None:
        self.recording = recording
        if recording in self.seen:
            self.source.log.say(CTM_SPLIT, number, recording=recording)
        self.seen.add(recording)

    def read_columns(self, first: int, text: str) -> Iterator[Segment] | None:
        """Return the segments that end in these lines; `None` if they need `read_lines`."""
        size = len(text.partition("\n")[0].split())
        columns = self.cut(text, FIELD_KINDS[:size]) if 5 <= size <= 8 else None
        if columns is None or ("<" in text and "<ALT" in text.upper()):
            return None
        recordings, names, starts, lengths, words, *others = columns
        empty: list[Any] = [None] * len(words)
        kinds = speakers = empty
        confidences = others[0] if others else empty
        if len(others) > 1:
            types = {kind: None if kind.lower() in NO_TYPE else kind for kind in set(others[1])}
            if any(kind is not None and kind.lower() not in TYPES for kind in types.values()):
                return None
            kinds = [types[kind] for kind in others[1]]
        elif not self.nonspeech.isdisjoint(words):
            kinds = ["non-lex" if word in self.nonspeech else None for word in words]
        if len(others) > 2:
            speakers = [None if name.lower() in MISSING else name for name in others[2]]
        if self.speakers is not None:
            middles = [start + length // 2 for start, length in zip(starts, lengths, strict=True)]
            speakers = list(map(self.speakers.at, recordings, names, middles, count(first)))
        ends = list(map(add, starts, lengths))
        return self._rows(
            first, recordings, names, (words, starts, ends, confidences, kinds, speakers)
        )

    def _rows(
        self, first: int, recordings: list[str], names: list[str], columns: Sequence[list[Any]]
    ) -> Iterator[Segment]:
        """Process consecutive rows of a channel together; yield segments of finished recordings."""
        size = len(recordings)
        bounds = [0, size]
        if not recordings.count(recordings[0]) == names.count(names[0]) == size:
            keys = list(zip(recordings, names, strict=True))
            bounds[1:1] = compress(range(1, size), map(ne, keys, keys[1:]))
        for begin, stop in pairwise(bounds):
            if recordings[begin] != self.recording:
                yield from self._finished()
                self._begin(recordings[begin], first + begin)
            run = columns if stop - begin == size else [column[begin:stop] for column in columns]
            words, *others = run
            words = list(map(self.vocabulary.setdefault, words, words))
            self._channel(names[begin], first + begin).extend(first + begin, (words, *others))

    def read_lines(self, first: int, lines: list[str]) -> Iterator[Segment]:
        """Yield the segments that end in these lines, even if some lines are irregular."""
        for line in records_of(self.source, first, lines, (";",)):
            try:
                if line.columns[0] != self.recording and len(line.columns) >= 5:
                    yield from self._finished()
                    self._begin(line.columns[0], line.number)
                self._read_line(line)
                self.source.log.accept("CTM-SYNTAX")
            except SyntaxFormatError as error:
                self.source.log.reject("CTM-SYNTAX", error)

    def _read_line(self, line: Line) -> None:
        columns = "recording, channel, begin, duration, word"
        fields = line.fields(5, f"{columns} and at most confidence, type and speaker", 8)
        recording, name, _, _, word = fields[:5]
        channel = self._channel(name, line.number)
        if word[:4].upper() == "<ALT":
            channel.mark(line)
            return
        start, length = line.time(2, "begin time"), line.time(3, "duration")
        if start + length > LARGEST:
            raise line.error(3, "an end of at most 292 years")
        confidence = _confidence(line) if len(fields) > 5 else None
        kind = fields[6] if len(fields) > 6 and fields[6].lower() not in NO_TYPE else None
        if kind is not None and kind.lower() not in TYPES:
            line.say(CTM_TYPE, 6, kind=kind, types=sorted(TYPES))
        elif kind is None and word in self.nonspeech and len(fields) < 7:
            kind = "non-lex"
        speaker = fields[7] if len(fields) > 7 and fields[7].lower() not in MISSING else None
        if self.speakers is not None:
            speaker = self.speakers.at(recording, name, start + length // 2, line.number)
        mark = read_token(word)
        text = self.vocabulary.setdefault(mark.text, mark.text)
        token = Token(text, start, start + length, confidence, kind, mark.optional)
        channel.add(line.number, token, speaker)


def _confidence(line: Line) -> float | None:
    text = line.columns[5]
    if text.lower() in MISSING:
        line.say(CTM_NO_CONFIDENCE, 5, text=text)
        return None
    value = line.number_at(5, "a confidence or NA")
    if not 0.0 <= value <= 1.0:
        line.source.properties["confidence_scale"] = "unknown"
        line.say(CTM_CONFIDENCE, 5, text=text)
    return value


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 90 % of the records have 5 to 8 fields with begin and duration."""
    records = [split_fields(x) for x in lines if strip_blanks(x) and not x.startswith(";")]
    if not records or is_header(next(filter(strip_blanks, lines))):
        return Sniff.NO
    fitting = [r for r in records if _fits(r)]
    if len(fitting) < 0.9 * len(records):
        return Sniff.NO
    worded = sum(1 for r in fitting if not is_time(r[4]))
    return Sniff.SURE if worded >= 0.2 * len(fitting) else Sniff.MAYBE


NOTES = frozenset((":", "*"))
"""Kinds of notes in songs of UltraStar, which are no names of recordings."""


def _fits(fields: Sequence[str]) -> bool:
    if not 5 <= len(fields) <= 8 or fields[0] in NOTES:
        return False
    is_marker = fields[2] == "*" and fields[3] == "*"
    return is_marker or (is_time(fields[2]) and is_time(fields[3]))


def _writer() -> WriteFunction:
    from formats.nist.ctm_writer import write

    return write


SPEC = FormatSpec(
    title="NIST conversation time marks: one timed word per line",
    sign="lines of file, channel, begin, duration, word",
    read=read,
    sniff=sniff,
    write=loaded_later(_writer),
    holds="words, recordings, channels, speakers, definitions, word times, confidences, "
    "word types, optional marks, alternations, segment boundaries",
    needs=("recordings", "channels", "word times"),
    read_options=(
        Option(
            "segments",
            "",
            "file with the times of the utterances: stm, Kaldi's segments, or a manifest",
            is_path=True,
        ),
        Option(
            "speakers", "", "RTTM file whose turns give the speakers of the words", is_path=True
        ),
        Option("nonspeech", NONSPEECH, "words of ctm that are not speech, separated by commas"),
    ),
    write_options=(
        decimals(),
        Option(
            "conf_missing",
            "NA",
            "what to write for a missing confidence: NA, a number, or drop (no column)",
        ),
        Option("all_columns", False, "write word types and speakers as columns 7 and 8 (ctm)"),
        Option("lexical_only", False, "write only words of the type lex (ctm)"),
        ESCAPE_MARKUP,
    ),
    has_plain_names=True,
)


WORDS, STARTS, ENDS, CONFIDENCES, KINDS, SPEAKERS, OPTIONAL = range(7)


class Choice(NamedTuple):
    """An alternation: how many words precede it, its start and its speaker."""

    position: int
    start: int
    speaker: str | None
    content: Alternation


class Channel:
    """The words of one channel of a recording, in columns."""

    def __init__(self, source: Source, recording: str, channel: str, line: int) -> None:
        self.source = source
        self.recording = recording
        self.channel = channel
        self.line = line
        self._columns: list[list[Any]] = [[] for _ in range(7)]
        self._choices: list[Choice] = []
        self._last = 0
        self._latest_end = 0
        self._is_sorted = True
        self._branches: list[list[Token]] | None = None
        self._opened = 0
        self._has_words = False
        self._speaker: str | None = None

    def add(self, number: int, token: Token, speaker: str | None) -> None:
        """Add one word."""
        is_null = token.text == "@" and not token.optional
        start, end = token.start_ns or 0, token.end_ns or 0
        if self._branches is not None:
            self._speaker = speaker
            self._has_words = True
            if not is_null:
                self._branches[-1].append(token)
            return
        if start < self._last:
            self._note_disorder(number)
        elif start < self._latest_end:
            self.source.log.say(OVERLAP_WORD, number)
        self._last = start
        self._latest_end = max(self._latest_end, end)
        if is_null:
            self.source.log.say(CTM_NULL, number)
            self._choices.append(Choice(len(self._columns[WORDS]), start, speaker, NULL))
            return
        row = token.text, start, end, token.confidence, token.kind, speaker, token.optional
        for column, value in zip(self._columns, row, strict=True):
            column.append(value)

    def extend(self, first: int, columns: Sequence[list[Any]]) -> None:
        """Add the words of consecutive lines. None of them is a null word or an optional word."""
        words, starts, ends, *_ = columns
        before = max(self._last, self._latest_end)
        if self._branches is not None or not are_apart(before, starts, ends):
            for number, (*values, speaker) in enumerate(zip(*columns, strict=True), first):
                self.add(number, Token(*values), speaker)
            return
        for column, values in zip(self._columns, (*columns, [False] * len(words)), strict=True):
            column += values
        self._last, self._latest_end = starts[-1], ends[-1]

    def _note_disorder(self, number: int) -> None:
        self._is_sorted = False
        self.source.log.say(CTM_ORDER, number)

    def mark(self, line: Line) -> None:
        """Process a marker line of an alternation: begin, separator or end."""
        name = line.columns[4].upper()
        if name == "<ALT_BEGIN>" and self._branches is None:
            self._branches = [[]]
            self._opened = line.number
            self._has_words = False
            self._speaker = None
        elif name == "<ALT>" and self._branches is not None:
            self._branches.append([])
        elif name == "<ALT_END>" and self._branches is not None:
            self._close(line.number)
        else:
            expected = {
                "<ALT_BEGIN>": f"<ALT_END> for the <ALT_BEGIN> of line {self._opened} first",
                "<ALT>": "<ALT_BEGIN> before <ALT>",
                "<ALT_END>": "<ALT_BEGIN> before <ALT_END>",
            }
            raise line.error(4, expected.get(name, "<ALT_BEGIN>, <ALT> or <ALT_END>"))

    def _close(self, number: int) -> None:
        branches, self._branches = self._branches or [[]], None
        starts = [token.start_ns or 0 for branch in branches for token in branch]
        start = min(starts, default=self._last)
        if not self._has_words:
            self.source.log.say(CTM_EMPTY_ALT, number)
        if start < self._last:
            self._note_disorder(self._opened)
        self._last = start
        position = len(self._columns[WORDS])
        self._choices.append(Choice(position, start, self._speaker, Alternation(branches)))

    def segments(self) -> Iterator[Segment]:
        """Yield the words as segments, sorted by begin and cut where the speaker changes."""
        if self._branches is not None:
            found = f"none in {self.recording} {self.channel}"
            expected = "<ALT_END> for this <ALT_BEGIN>"
            error = self.source.syntax_error(self._opened, expected, found)
            self.source.log.reject("CTM-ALT", error)
        self._check_durations()
        items = self._items()
        speakers = self._columns[SPEAKERS]
        if not isinstance(items, range):
            speakers = [self._choices[~i].speaker if i < 0 else speakers[i] for i in items]
        size = len(items)
        bounds = [0, size]
        if size and speakers.count(speakers[0]) != size:
            bounds[1:1] = compress(range(1, size), map(ne, speakers, speakers[1:]))
        for begin, stop in pairwise(bounds if size else ()):
            yield self._segment(items[begin:stop], speakers[begin])

    def _items(self) -> Sequence[int]:
        """Return the indices of words and alternations in the order of their starts.

        An alternation with the index ``n`` is listed as ``~n``.
        """
        size = len(self._columns[WORDS])
        if self._is_sorted and not self._choices:
            return range(size)
        items: list[int] = []
        for index, choice in enumerate(self._choices):
            items += range(len(items) - index, choice.position)
            items.append(~index)
        items += range(len(items) - len(self._choices), size)
        starts = self._columns[STARTS]
        if not self._is_sorted:  # what begins together stays in the order of the file
            items.sort(key=lambda i: self._choices[~i].start if i < 0 else starts[i])
        return items

    def _segment(self, items: Sequence[int], speaker: str | None) -> Segment:
        columns: list[tuple[Any, ...]]
        choices: list[tuple[int, Alternation]] = []
        if isinstance(items, range):
            begin, stop = items.start, items.stop
            is_all = stop - begin == len(self._columns[WORDS])
            columns = [tuple(c if is_all else c[begin:stop]) for c in self._columns]
        else:
            words = [index for index in items if index >= 0]
            columns = [tuple([column[index] for index in words]) for column in self._columns]
            places = [row for row, index in enumerate(items) if index < 0]
            for before, row in enumerate(places):
                choices.append((row - before, self._choices[~items[row]].content))
        has_words = bool(columns[WORDS])
        confidences, kinds = columns[CONFIDENCES], columns[KINDS]
        return Segment(
            self.recording,
            columns[WORDS],
            channel=self.channel,
            speaker=speaker,
            starts_ns=columns[STARTS] if has_words else None,
            ends_ns=columns[ENDS] if has_words else None,
            confidences=None if confidences.count(None) == len(confidences) else confidences,
            kinds=None if kinds.count(None) == len(kinds) else kinds,
            optional=columns[OPTIONAL] if True in columns[OPTIONAL] else None,
            alternations=tuple(choices),
            line=self.line,
        )

    def _check_durations(self) -> None:
        starts, ends = self._columns[STARTS], self._columns[ENDS]
        if len(starts) > 4 and all(map(gt, map(sub, ends, starts), starts)):
            self.source.log.say(
                CTM_END_NOT_DUR, self.line, recording=self.recording, channel=self.channel
            )
