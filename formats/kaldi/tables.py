"""The tables that belong to a Kaldi ``text`` file; each of their lines has a key and its values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from formats.io.source import Source
from formats.kaldi.messages import KALDI_SHORT, KALDI_SPEAKER_OTHER, KALDI_SPEAKER_UNKNOWN
from formats.reading.lines import Line, filled_lines, split_fields, strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import format_time
from formats.writing.out import Out

KEY = re.compile(r"[ \t]*([^ \t]*)[ \t]*")
TABLES = (
    "segments", "utt2spk", "spk2utt", "reco2file_and_channel", "wav.scp", "utt2dur", "reco2dur",
    "utt2lang", "spk2gender",
)  # fmt: skip
"""Names of the tables that are read, as Kaldi calls the files."""
SHORTEST = 100_000_000
"""Nanoseconds of the shortest segments that Kaldi's programs take."""


class Place(NamedTuple):
    """The position of an utterance: recording, times in nanoseconds, channel or `None`."""

    recording: str
    start_ns: int
    end_ns: int | None
    channel: str | None
    line: int


def split_key(line: str) -> tuple[str, str]:
    r"""Return the first field of a line and the rest of the line."""
    key = KEY.match(line)
    assert key is not None
    return key[1], line[key.end() :]


def sibling(source: Source, name: str, option: str) -> str:
    """Return the path of a table: the one that the option gives, or a file in the input's folder.

    The path is empty if there is no such file.
    """
    if option or source.folder is None:
        return option
    path = f"{source.folder.rstrip('/')}/{name}"
    return path if source.is_there(path) else ""


def read_place(line: Line) -> tuple[str, Place]:
    """Parse a line of ``segments``: ``utterance recording start end [channel]``.

    An end of ``-1`` means unknown.
    """
    fields = line.fields(4, "utterance, recording, start, end and at most a channel", 5)
    start = line.time(2, "start time")
    end: int | None = None
    if not _is_open(fields[3]):
        end = line.time(3, "end time, or -1,")
        if end <= start:
            raise line.error(3, f"an end time after {fields[2]}")
        if end - start < SHORTEST:
            line.say(KALDI_SHORT)
    channel = fields[4] if len(fields) == 5 else None
    return fields[0], Place(fields[1], start, end, channel, line.number)


def written_times(out: Out, precision: int) -> str:
    """Return start and end as ``segments`` writes them; an unknown end is ``-1``."""
    start, end = out.segment.start_ns, out.segment.end_ns
    if start is None:
        raise out.refuse("a start time", "none")
    if end is None:
        return f"{out.time(start, precision)} -1"
    first, last = out.round(precision, start, end)
    if last <= first:
        raise out.refuse("an end after the start", f"{out.segment.start} to {out.segment.end}")
    return f"{format_time(first, precision)} {format_time(last, precision)}"


def _is_open(text: str) -> bool:
    whole, _, fraction = text.partition(".")
    return whole == "-1" and not fraction.strip("0")


class Tables:
    """The tables that belong to a ``text`` file; only the keys of ``wav.scp`` are read."""

    def __init__(self, source: Source, options: Mapping[str, str]) -> None:
        self.source = source
        self._paths = {name: sibling(source, name, options.get(name, "")) for name in TABLES}
        self.has_any = any(self._paths.values())
        self.places = self._places()
        self.speakers = self._column("utt2spk", "utterance and speaker")
        self._read_utterances()
        files = self._column("reco2file_and_channel", "recording, file and channel", 2)
        self.files = {key: split_fields(value) for key, value in (files or {}).items()}
        self.recordings: set[str] | None = None
        if self._paths["wav.scp"]:
            with source.beside(self._paths["wav.scp"]) as table:
                self.recordings = {split_key(line.text)[0] for line in filled_lines(table)}
        self.durations = self._seconds("utt2dur")
        self.lengths = self._seconds("reco2dur")
        self.languages = self._column("utt2lang", "utterance and language") or {}
        self.genders = self._column("spk2gender", "speaker and gender") or {}

    def _places(self) -> dict[str, Place] | None:
        if not self._paths["segments"]:
            return None
        places: dict[str, Place] = {}

        def read_line(line: Line) -> Iterator[None]:
            utterance, place = read_place(line)
            if utterance in places:
                raise _again(line, utterance, places[utterance].line)
            places[utterance] = place
            yield None

        with self.source.beside(self._paths["segments"]) as table:
            for _ in table.log.accepted("KALDI-SEGMENTS", read_line, filled_lines(table)):
                pass
        return places

    def _rows(self, name: str, expected: str, width: int) -> Iterator[tuple[Line, str, str]]:
        """Yield each line of a table with its key and its value; keys must be unique.

        Values have `width` fields; 0 means any number.
        """
        if not self._paths[name]:
            return
        first: dict[str, int] = {}

        def read_line(line: Line) -> Iterator[tuple[Line, str, str]]:
            key, value = split_key(line.text)
            value = strip_blanks(value)
            if not value or (width and len(split_fields(value)) != width):
                found = quoted(strip_blanks(line.text))
                column = len(line.text) + 1
                raise line.source.syntax_error(line.number, expected, found, column)
            if key in first:
                raise _again(line, key, first[key])
            first[key] = line.number
            yield line, key, value

        with self.source.beside(self._paths[name]) as table:
            yield from table.log.accepted("KALDI-TABLE", read_line, filled_lines(table))

    def _column(self, name: str, expected: str, width: int = 1) -> dict[str, str] | None:
        """Return the values of a table by key; `None` if there is no table."""
        rows = self._rows(name, expected, width)
        return {key: value for _, key, value in rows} if self._paths[name] else None

    def _seconds(self, name: str) -> dict[str, int]:
        """Return the table's durations in nanoseconds, by key."""
        durations: dict[str, int] = {}
        for line, key, _ in self._rows(name, "key and duration", 1):
            try:
                durations[key] = line.time(1, "duration")
            except SyntaxFormatError as error:
                line.source.log.reject("KALDI-TABLE", error)
        return durations

    def _read_utterances(self) -> None:
        """Read ``spk2utt``.

        Compare it with ``utt2spk``; if ``utt2spk`` is missing, use ``spk2utt`` instead.
        """
        speakers: dict[str, str] = {}
        for line, speaker, utterances in self._rows("spk2utt", "speaker and utterances", 0):
            for utterance in split_fields(utterances):
                speakers[utterance] = speaker
                if self.speakers is None or self.speakers.get(utterance) == speaker:
                    continue
                other = self.speakers.get(utterance)
                entry = KALDI_SPEAKER_UNKNOWN if other is None else KALDI_SPEAKER_OTHER
                fields = {} if other is None else {"other": other}
                line.say(entry, utterance=utterance, speaker=speaker, **fields)
        if self.speakers is None and self._paths["spk2utt"]:
            self.speakers = speakers


def _again(line: Line, key: str, first: int) -> SyntaxFormatError:
    found = f"{quoted(key)}, which line {first} has"
    return line.source.syntax_error(line.number, "a unique key", found)
