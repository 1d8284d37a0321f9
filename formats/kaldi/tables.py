"""The small tables that lie beside a Kaldi ``text``: a key and its values per line."""

from __future__ import annotations

import re
from typing import NamedTuple

from formats.errors import SyntaxFormatError, quoted
from formats.fields import field_count_error, field_error
from formats.lines import read_time, split_fields, strip_blanks
from formats.loss import refused
from formats.times import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from formats.fields import RoundedTimes
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SHORTEST",
    "TABLES",
    "Place",
    "Tables",
    "read_place",
    "records",
    "sibling",
    "split_key",
    "written_times",
]

KEY = re.compile(r"[ \t]*([^ \t]*)[ \t]*")
TABLES = (
    "segments",
    "utt2spk",
    "spk2utt",
    "reco2file_and_channel",
    "wav.scp",
    "utt2dur",
    "reco2dur",
    "utt2lang",
    "spk2gender",
)
"""Names of the tables that are read, as Kaldi calls the files."""
SHORTEST = 100_000_000
"""Nanoseconds of the shortest segments that Kaldi's programs take."""


class Place(NamedTuple):
    """Where an utterance is: the recording, its times in nanoseconds, a channel if given.

    An `end_ns` of `None` is the end of the recording.
    """

    recording: str
    start_ns: int
    end_ns: int | None
    channel: str | None
    line: int


def split_key(line: str) -> tuple[str, str]:
    r"""The first field of a line and the rest of it.

    >>> split_key("spk1-utt1\thello  world ")
    ('spk1-utt1', 'hello  world ')
    """
    found = KEY.match(line)
    assert found is not None
    return found[1], line[found.end() :]


def sibling(source: Source, name: str, given: str) -> str:
    """The path of a table: the one given, or that in the directory named; empty if none."""
    if given:
        return given
    if source.folder is not None:
        path = f"{source.folder.rstrip('/')}/{name}"
        if source.is_there(path):
            return path
    return ""


def records(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Those of numbered lines that are not blank."""
    for number, line in lines:
        if strip_blanks(line):
            yield number, line


def read_place(table: Source, number: int, line: str) -> tuple[str, Place]:
    """One line of ``segments``: ``utterance recording start end [channel]``; end ``-1`` is open."""
    fields = split_fields(line)
    if not 4 <= len(fields) <= 5:
        expected = "utterance, recording, start, end and at most a channel"
        raise field_count_error(table, number, line, len(fields), 5, expected)
    start = read_time(table, number, line, 2, fields[2], "start time")
    end: int | None = None
    if not _is_open(fields[3]):
        end = read_time(table, number, line, 3, fields[3], "end time, or -1,")
        if end <= start:
            raise field_error(table, number, line, 3, f"an end time after {fields[2]}", fields[3])
        if end - start < SHORTEST:
            table.log.note(
                "KALDI-SHORT", "shorter than 0.1 s: Kaldi's programs leave it out", number
            )
    channel = fields[4] if len(fields) == 5 else None
    return fields[0], Place(fields[1], start, end, channel, number)


def written_times(segment: Segment, times: RoundedTimes) -> str:
    """Start and end of a segment as ``segments`` has them, an open end as ``-1``."""
    start, end = segment.start_ns, segment.end_ns
    if start is None:
        raise refused(times.path, segment.line, "a start time", "none")
    first = times.round(start, segment.line)
    if end is None:
        return f"{format_time(first, times.precision)} -1"
    last = times.round(end, segment.line)
    if last <= first:
        raise refused(
            times.path, segment.line, "an end after the start", f"{segment.start} to {segment.end}"
        )
    return f"{format_time(first, times.precision)} {format_time(last, times.precision)}"


def _is_open(text: str) -> bool:
    whole, _, fraction = text.partition(".")
    return whole == "-1" and not fraction.strip("0")


class Tables:
    """All that the siblings of a ``text`` say, each table by its key.

    Only the first column of ``wav.scp`` is read: the rest may be a program, which is never run.
    """

    def __init__(self, source: Source, given: Mapping[str, str]) -> None:
        self.source = source
        self.places: dict[str, Place] | None = None
        self.speakers: dict[str, str] | None = None
        self.files: dict[str, tuple[str, str]] = {}
        self.recordings: set[str] | None = None
        self.durations: dict[str, int] = {}
        self.lengths: dict[str, int] = {}
        self.languages: dict[str, str] = {}
        self.genders: dict[str, str] = {}
        self.has_any = False
        readers = {
            "segments": self._read_segments,
            "utt2spk": self._read_speakers,
            "spk2utt": self._read_utterances,
            "reco2file_and_channel": self._read_files,
            "wav.scp": self._read_recordings,
            "utt2dur": self._read_durations,
            "reco2dur": self._read_lengths,
            "utt2lang": self._read_languages,
            "spk2gender": self._read_genders,
        }
        for name in TABLES:
            path = sibling(source, name, given.get(name, ""))
            if path:
                self.has_any = True
                with source.beside(path) as table:
                    readers[name](table)

    def _read_segments(self, table: Source) -> None:
        self.places = {}
        for number, line in records(table.lines()):
            try:
                utterance, place = read_place(table, number, line)
                first = self.places.get(utterance)
                if first is not None:
                    raise _again(table, number, utterance, first.line)
            except SyntaxFormatError as error:
                table.log.reject("KALDI-SEGMENTS", error)
                continue
            self.places[utterance] = place

    def _pairs(self, table: Source, width: int, what: str) -> Iterator[tuple[str, str, int]]:
        """Key and value of each line, keys once; `width` fields in all, 0 for any number."""
        lines: dict[str, int] = {}
        for number, line in records(table.lines()):
            key, value = split_key(line)
            value = strip_blanks(value)
            try:
                if not value or (width and len(split_fields(value)) != width - 1):
                    found = quoted(strip_blanks(line))
                    raise table.syntax_error(number, what, found, len(line) + 1)
                if key in lines:
                    raise _again(table, number, key, lines[key])
            except SyntaxFormatError as error:
                table.log.reject("KALDI-TABLE", error)
                continue
            lines[key] = number
            yield key, value, number

    def _read_speakers(self, table: Source) -> None:
        pairs = self._pairs(table, 2, "utterance and speaker")
        self.speakers = {utterance: speaker for utterance, speaker, _ in pairs}

    def _read_utterances(self, table: Source) -> None:
        """``spk2utt``: used where there is no ``utt2spk``, else compared with it."""
        known = self.speakers
        made: dict[str, str] = {}
        for speaker, utterances, number in self._pairs(table, 0, "speaker and utterances"):
            for utterance in split_fields(utterances):
                if known is None:
                    made[utterance] = speaker
                elif known.get(utterance) != speaker:
                    other = known.get(utterance)
                    table.log.warn(
                        "KALDI-SPEAKER",
                        f"{quoted(utterance)} is of {quoted(speaker)}, but utt2spk says "
                        + ("nothing of it" if other is None else quoted(other)),
                        number,
                    )
        if known is None:
            self.speakers = made

    def _read_files(self, table: Source) -> None:
        for key, value, _ in self._pairs(table, 3, "recording, file and channel"):
            file, channel = split_fields(value)
            self.files[key] = file, channel

    def _read_recordings(self, table: Source) -> None:
        self.recordings = {split_key(line)[0] for _, line in records(table.lines())}

    def _seconds(self, table: Source) -> Iterator[tuple[str, int]]:
        for key, value, number in self._pairs(table, 2, "key and duration"):
            try:
                yield key, read_time(table, number, f"{key} {value}", 1, value, "duration")
            except SyntaxFormatError as error:
                table.log.reject("KALDI-TABLE", error)

    def _read_durations(self, table: Source) -> None:
        self.durations = dict(self._seconds(table))

    def _read_lengths(self, table: Source) -> None:
        self.lengths = dict(self._seconds(table))

    def _read_languages(self, table: Source) -> None:
        pairs = self._pairs(table, 2, "utterance and language")
        self.languages = {utterance: language for utterance, language, _ in pairs}

    def _read_genders(self, table: Source) -> None:
        pairs = self._pairs(table, 2, "speaker and gender")
        self.genders = {speaker: gender for speaker, gender, _ in pairs}


def _again(table: Source, number: int, key: str, first: int) -> SyntaxFormatError:
    found = f"{quoted(key)}, which line {first} has"
    return table.syntax_error(number, "a key not used before", found)
