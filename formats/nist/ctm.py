"""ctm: one timed word per line.

``recording channel begin duration word [confidence [type [speaker]]]``

Times are decimal seconds. A line that begins with ``;`` is a comment. Alternations are written
with marker words, and are not nested::

    rec1 1 * * <ALT_BEGIN>
    rec1 1 1.10 0.20 um
    rec1 1 * * <ALT>
    rec1 1 * * <ALT_END>

===========================  ===========================================================
its word                     ours
===========================  ===========================================================
file, channel                `Segment.recording`, `Segment.channel`
begin, duration              `Token.start`, and `Token.end` as their sum
confidence; ``NA``           `Token.confidence`; `None`
type                         `Token.kind`, as written; the default ``lex`` is `None`
speaker                      `Segment.speaker`
an empty branch; word ``@``  the null word; `NULL` outside alternations
===========================  ===========================================================

The words of one recording and channel make one segment, or several where the speaker changes.
One recording is held in memory at a time.

Of Kaldi's ctm, whose first column holds utterances and whose times begin with each of them,
``segments`` makes recordings; each utterance is a segment then. An rttm of who speaks when makes
``speakers`` of it; the words of each are in turns then.

Where sclite differs: it takes any text for a time and crashes on four fields (errors here), scores
unsorted words in the order of the file (sorted here, with a warning), loses words in malformed
alternations (errors here), and keeps the CR of CRLF in the last word.
"""

from __future__ import annotations

from itertools import compress, count, pairwise
from operator import add, ne

from formats.columns import cutter, read_in_bulk
from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.fields import field_count_error, plain_confidences, read_confidence
from formats.grouping import group_by_pause
from formats.lines import (
    column_of_field,
    read_time,
    records_of,
    split_fields,
    strip_blanks,
)
from formats.nist.ctm_channel import Channel
from formats.nist.ctm_utterances import SpeakersOfWords, UtterancePlacer, hint
from formats.nist.ctm_writer import write
from formats.nist.markup import read_token
from formats.spec import ESCAPE_MARKUP, FormatSpec, Option, Sniff, decimals
from formats.times import LARGEST, is_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "TYPES", "read", "sniff", "write"]

TYPES = frozenset({"lex", "frag", "fp", "un-lex", "for-lex", "non-lex", "misc", "noscore"})
MISSING = frozenset({"na", "<na>", "-"})
NO_TYPE = MISSING | {"lex"}
LONGEST_GAP = 300_000_000
"""Nanoseconds between words of one turn, as in NIST's mergectm2rttm."""
NONSPEECH = "<eps>,<b>,SIL"


def read(
    source: Source,
    *,
    segments: str = "",
    speakers: str = "",
    nonspeech: str = NONSPEECH,
) -> Iterator[Segment]:
    """Segments of one recording after another, its channels in order of first appearance.

    Words are sorted by begin within recording and channel; a recording that appears again after
    another one gives further segments, with a warning.

    Parameters
    ----------
    segments: path of Kaldi's ``segments``: the first column holds utterances, and their times are
        those of the utterance. Each gives a segment of its recording.
    speakers: path of an rttm. A word is said by who speaks at its middle, by whose turn begins
        first if several do; else by nobody, with a warning. Words of one speaker up to 0.3 seconds
        apart make a turn.
    nonspeech: words of the kind ``non-lex`` where the file does not say their type, with commas
        between them; empty for none.
    """
    if segments and speakers:
        raise OptionError(expected="segments or speakers", found="both")
    if speakers:
        turns = SpeakersOfWords(source, speakers)
        for segment in _read(source, nonspeech, turns):
            yield from group_by_pause(segment, LONGEST_GAP)
        turns.tell_of_nobody()
        return
    if not segments:
        hint(source)
        yield from _read(source, nonspeech)
        return
    utterances = UtterancePlacer(source, segments)
    for segment in _read(source, nonspeech):
        try:
            yield utterances.placed(segment)
        except SyntaxFormatError as error:
            source.log.reject("CTM-UTTERANCE", error)


def _read(
    source: Source, nonspeech: str, speakers: SpeakersOfWords | None = None
) -> Iterator[Segment]:
    unspoken = frozenset(nonspeech.split(",")) if nonspeech else frozenset()
    reader = _Reader(source, unspoken, speakers)
    yield from read_in_bulk(source, reader.at_once, reader.one_by_one)
    yield from reader.finished()


class _Reader:
    """The channels of the recording that is being read, and the names of those before it."""

    def __init__(
        self, source: Source, unspoken: frozenset[str], speakers: SpeakersOfWords | None
    ) -> None:
        self.source = source
        self.cut = cutter(";", "(@").cut
        self.unspoken = unspoken
        self.speakers = speakers
        self.recording: str | None = None
        self.seen: set[str] = set()
        self.channels: dict[str, Channel] = {}
        self.vocabulary: dict[str, str] = {}

    def finished(self) -> Iterator[Segment]:
        """The segments of the recording, whose end was reached."""
        for channel in self.channels.values():
            yield from channel.segments()
        self.channels.clear()
        self.vocabulary.clear()

    def _channel(self, name: str, number: int) -> Channel:
        """A channel of the recording, which may be its first."""
        found = self.channels.get(name)
        if found is None:
            assert self.recording is not None
            found = Channel(self.source, self.recording, name, number)
            self.channels[name] = found
        return found

    def _begin(self, recording: str, number: int) -> None:
        self.recording = recording
        if recording in self.seen:
            self.source.log.warn(
                "CTM-SPLIT",
                f"{quoted(recording)} goes on after another recording: its words come as further "
                "segments (sort the file by recording to have them together)",
                number,
            )
        self.seen.add(recording)

    def at_once(self, first: int, text: str) -> Iterator[Segment] | None:
        """What ends in lines of plain words; `None` where one of them is anything else."""
        size = len(text.partition("\n")[0].split())
        columns = self.cut(text, f"sstts{'s' * (size - 5)}") if 5 <= size <= 8 else None
        if columns is None:
            return None
        recordings, names, starts, lengths, words, *others = columns
        if "<" in text and "<ALT" in text.upper():
            return None
        nothing: list[Any] = [None] * len(words)
        kinds = speakers = nothing
        confidences = plain_confidences(others[0]) if others else nothing
        if confidences is None:
            return None
        if len(others) > 1:
            known = {kind: None if kind.lower() in NO_TYPE else kind for kind in set(others[1])}
            if any(kind is not None and kind.lower() not in TYPES for kind in known.values()):
                return None
            kinds = [known[kind] for kind in others[1]]
        elif not self.unspoken.isdisjoint(words):
            kinds = ["non-lex" if word in self.unspoken else None for word in words]
        if len(others) > 2:
            known = {name: None if name.lower() in MISSING else name for name in set(others[2])}
            speakers = [known[name] for name in others[2]]
        if self.speakers is not None:
            middles = [start + length // 2 for start, length in zip(starts, lengths, strict=True)]
            speakers = list(map(self.speakers.at, recordings, names, middles, count(first)))
        ends = list(map(add, starts, lengths))
        return self._taken(
            first, recordings, names, (words, starts, ends, confidences, kinds, speakers)
        )

    def _taken(
        self,
        first: int,
        recordings: list[str],
        names: list[str],
        columns: tuple[list[Any], ...],
    ) -> Iterator[Segment]:
        """Take rows, of each stretch of one channel at once; what ends on the way comes out."""
        size = len(recordings)
        bounds = [0, size]
        if not recordings.count(recordings[0]) == names.count(names[0]) == size:
            places = list(zip(recordings, names, strict=True))
            bounds[1:1] = compress(range(1, size), map(ne, places, places[1:]))
        for begin, stop in pairwise(bounds):
            if recordings[begin] != self.recording:
                yield from self.finished()
                self._begin(recordings[begin], first + begin)
            words, *others = [column[begin:stop] for column in columns]
            words = list(map(self.vocabulary.setdefault, words, words))
            self._channel(names[begin], first + begin).extend(first + begin, words, *others)

    def one_by_one(self, first: int, lines: list[str]) -> Iterator[Segment]:
        """What ends in any lines."""
        for number, line in records_of(self.source, first, lines, (";",)):
            try:
                fields = split_fields(line)
                if fields[0] != self.recording and len(fields) >= 5:
                    yield from self.finished()
                    self._begin(fields[0], number)
                self._read_line(number, line, fields)
            except SyntaxFormatError as error:
                self.source.log.reject("CTM-SYNTAX", error)

    def _read_line(self, number: int, line: str, fields: list[str]) -> None:
        source, size = self.source, len(fields)
        if not 5 <= size <= 8:
            some = "recording, channel, begin, duration, word"
            expected = f"{some} and at most confidence, type and speaker"
            raise field_count_error(source, number, line, size, 8, expected)
        recording, name, begin, duration, word = fields[:5]
        channel = self._channel(name, number)
        if word[:4].upper() == "<ALT":
            channel.mark(number, line, word)
            return
        start_ns = read_time(source, number, line, 2, begin, "begin time")
        length = read_time(source, number, line, 3, duration, "duration")
        end_ns = start_ns + length
        if end_ns > LARGEST:
            expected = "an end of at most 292 years"
            raise source.syntax_error(number, expected, quoted(duration), column_of_field(line, 3))
        confidence = _confidence(source, number, line, fields[5]) if size > 5 else None
        kind = fields[6] if size > 6 and fields[6].lower() not in NO_TYPE else None
        if kind is not None and kind.lower() not in TYPES:
            source.log.warn(
                "CTM-TYPE",
                f"{quoted(kind)} is not one of {', '.join(sorted(TYPES))}",
                number,
                column_of_field(line, 6),
            )
        elif kind is None and word in self.unspoken and size < 7:
            kind = "non-lex"
        speaker = fields[7] if size > 7 and fields[7].lower() not in MISSING else None
        if self.speakers is not None:
            speaker = self.speakers.at(recording, name, start_ns + length // 2, number)
        optional = False
        if word[0] == "(":
            token = read_token(word)
            word, optional = token.text, token.optional
        word = self.vocabulary.setdefault(word, word)
        channel.add(number, word, start_ns, end_ns, confidence, kind, optional, speaker)


def _confidence(source: Source, number: int, line: str, text: str) -> float | None:
    if not text[0].isdigit() and text.lower() in MISSING:
        source.log.note(
            "CTM-NO-CONFIDENCE", f"{text} is no confidence", number, column_of_field(line, 5)
        )
        return None
    value = read_confidence(source, number, line, 5, text, "a confidence or NA")
    if not 0.0 <= value <= 1.0:
        source.properties["confidence_scale"] = "unknown"
        source.log.note(
            "CTM-CONFIDENCE",
            f"confidence {text} is not within 0 and 1",
            number,
            column_of_field(line, 5),
        )
    return value


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if at least 90 % of the records have 5 to 8 fields, begin and duration being times.

    Only maybe where nearly all words are numbers: they may be something else's times.
    """
    records = [split_fields(x) for x in lines if strip_blanks(x) and not x.startswith(";")]
    if not records:
        return Sniff.NO
    fitting = [r for r in records if _fits(r)]
    if len(fitting) < 0.9 * len(records):
        return Sniff.NO
    worded = sum(1 for r in fitting if not is_time(r[4]))
    return Sniff.SURE if worded >= 0.2 * len(fitting) else Sniff.MAYBE


def _fits(fields: Sequence[str]) -> bool:
    if not 5 <= len(fields) <= 8:
        return False
    is_marker = fields[2] == "*" and fields[3] == "*"
    return is_marker or (is_time(fields[2]) and is_time(fields[3]))


SPEC = FormatSpec(
    title="NIST conversation time marks: one timed word per line",
    sign="lines of file, channel, begin, duration, word",
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        "words",
        "recordings",
        "channels",
        "speakers",
        "definitions",
        "word times",
        "confidences",
        "word types",
        "optional marks",
        "alternations",
        "segment boundaries",
    ),
    needs=("recordings", "channels", "word times"),
    read_options=(
        Option("segments", "", "Kaldi's segments: where utterances are", is_path=True),
        Option("speakers", "", "an rttm: who speaks when, and so says the words", is_path=True),
        Option("nonspeech", NONSPEECH, "words that are no speech, with commas between them"),
    ),
    write_options=(
        decimals(),
        Option("conf_missing", "NA", "what to write for a missing confidence: NA, a number, drop"),
        Option("all_columns", False, "write word types and speakers, too", (False, True)),
        Option("lexical_only", False, "leave out words of other types than lex", (False, True)),
        ESCAPE_MARKUP,
    ),
    has_plain_names=True,
    manual="One word per line: recording, channel, begin, duration, word, confidence, …",
)
