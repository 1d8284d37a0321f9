"""kaldi: ``text`` files (an utterance id and its words per line), alone or in a data directory.

Fields are separated by blanks and tabs. The text has no markup; scores, ``<unk>``, ``[noise]`` and
``<eps>`` are words.

===========================  ======================================================
file                         in the schema
===========================  ======================================================
``text``                     `Segment.utterance`, `Segment.words`
``segments``                 `Segment.recording`, times; an end of ``-1`` is `None`
``utt2spk``, or ``spk2utt``  `Segment.speaker`
``reco2file_and_channel``    `Segment.recording` (the file), `Segment.channel`
``wav.scp``                  the recordings; only the first column is read
``utt2dur``                  end of an utterance that is a whole recording
``reco2dur``                 end of a segment that ends with its recording
``utt2lang``                 ``properties["language"]``
``spk2gender``               ``properties["gender"]``
===========================  ======================================================

For a directory, all tables are read; for a single ``text`` file, only tables that options name. If
a directory has no ``segments``, each utterance is a recording of its own. All utterances of a
single ``text`` file belong to one recording, which has the name of the file.

Kaldi's scripts reject Unicode blanks, unsorted files, and missing or surplus entries. This reader
reads such files, and reports these faults.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import count, pairwise
from operator import le
from typing import TYPE_CHECKING

from formats.detection.line_shapes import have_columns
from formats.detection.spec import FormatSpec, Option, Sniff, WriteFunction, decimals, loaded_later
from formats.io.source import Source
from formats.kaldi.messages import (
    KALDI_CODES,
    KALDI_COLUMNS,
    KALDI_DUPLICATE,
    KALDI_END,
    KALDI_INTEGERS,
    KALDI_NO_RECORDING,
    KALDI_NO_SEGMENT,
    KALDI_NO_TEXT,
    KALDI_ORDER,
    KALDI_SPEAKER,
    KALDI_SPEAKER_ONLY,
    KALDI_START,
)
from formats.kaldi.tables import TABLES, Place, Tables, split_key
from formats.reading.lines import (
    SeenIds,
    cutter,
    note_unicode_blanks,
    read_in_bulk,
    split_words,
    strip_blanks,
)
from formats.schema.model import Segment
from formats.schema.times import is_time

if TYPE_CHECKING:
    from formats.detection.head import Head

OVERSHOOT = 500_000_000
"""Nanoseconds by which Kaldi lets a segment end after its recording."""


def read(source: Source, **tables: str) -> Iterator[Segment]:
    """Yield one segment per utterance, in the order of the file."""
    _warn_of_numbers_and_columns(source)
    paths = {name.replace("wav_scp", "wav.scp"): path for name, path in tables.items()}
    reader = _TextReader(source, Tables(source, paths))
    yield from read_in_bulk(source, reader.read_columns, reader.read_lines)
    reader.places.warn_of_unused(reader.seen.lines)


class _TextReader:
    """Parses the lines of a text; reports once if the ids are not sorted."""

    def __init__(self, source: Source, tables: Tables) -> None:
        self.source = source
        self.places = _Places(source, tables)
        self.seen = SeenIds()
        self.cut = cutter("")
        self.last: str | None = ""

    def read_columns(self, first: int, text: str) -> Iterable[Segment] | None:
        """Return the segments of many lines; `None` if the lines need `read_lines`."""
        columns = self.cut(text, "sw")
        if columns is None:
            return None
        ids, texts = columns
        if self.last is not None and not all(map(le, [self.last, *ids], ids)):
            return None
        if not self.seen.all_new(ids, first, texts):
            return None
        self.last = None if self.last is None else ids[-1]
        if not self.places.is_alone:
            return map(self.places.segment, ids, texts, count(first))
        recording = self.source.recording
        return [
            Segment(recording, words, utterance=utterance, line=number)
            for number, utterance, words in zip(count(first), ids, texts, strict=False)
        ]

    def read_lines(self, first: int, lines: list[str]) -> Iterator[Segment]:
        """Yield the segments of lines, also of lines that `read_columns` cannot read."""
        numbered = (
            (number, line) for number, line in enumerate(lines, first) if strip_blanks(line)
        )
        return self.source.log.accepted("KALDI-DUPLICATE", self._read_line, numbered)

    def _read_line(self, numbered: tuple[int, str]) -> Iterator[Segment]:
        number, line = numbered
        utterance, text = split_key(line)
        if not line.isascii():
            note_unicode_blanks(self.source, number, line)
        words = tuple(split_words(text))
        if self.seen.is_repeated(self.source, number, utterance, words, KALDI_DUPLICATE, 1):
            return
        if self.last is not None and utterance < self.last:
            self.last = None
            self.source.log.say(KALDI_ORDER, number)
        self.last = None if self.last is None else utterance
        yield self.places.segment(utterance, words, number)


FEWEST_CODES = 5
"""The fewest texts that begin with a letter or a number before a warning."""


def _warn_of_numbers_and_columns(source: Source) -> None:
    words = [word for line in source.head_lines() for word in split_words(split_key(line)[1])]
    numbers = sum(1 for word in words if word.isdecimal())
    if numbers > 1 and numbers >= 0.95 * len(words):
        source.log.say(KALDI_INTEGERS, integers=numbers, words=len(words))
    filled = list(filter(None, map(strip_blanks, source.head_lines())))
    if have_columns(filled):
        source.log.say(KALDI_COLUMNS, 1, columns=filled[0].count("\t") + 1)
    codes = [code for line in filled for code in split_words(split_key(line)[1])[:1]]
    are_letters = len({*codes}) < 3 and all("A" <= code <= "Z" for code in codes)
    are_shares = all("." in code and is_time(code) for code in codes)
    if len(codes) == len(filled) >= FEWEST_CODES and (are_letters or are_shares):
        source.log.say(KALDI_CODES, 1, text=codes[0])


class _Places:
    """Looks up the positions and the speakers of utterances."""

    def __init__(self, source: Source, tables: Tables) -> None:
        self.source = source
        self.tables = tables
        self.is_alone = source.folder is None and not tables.has_any

    def segment(self, utterance: str, words: tuple[str, ...], number: int) -> Segment:
        """Return the segment of an utterance."""
        if self.is_alone:
            return Segment(self.source.recording, words, utterance=utterance, line=number)
        tables = self.tables
        recording, channel, start, end = self.place(utterance, number)
        properties: list[tuple[str, str]] = []
        speaker = self.speaker(utterance, number)
        if speaker in tables.genders:
            properties.append(("gender", tables.genders[speaker]))
        if utterance in tables.languages:
            properties.append(("language", tables.languages[utterance]))
        file = tables.files.get(recording)
        if file is not None:
            if recording not in (file[0], f"{file[0]}-{file[1]}"):
                properties.append(("recording_id", recording))
            recording, channel = file
        return Segment(
            recording,
            words,
            channel=channel,
            speaker=speaker,
            utterance=utterance,
            start_ns=start,
            end_ns=end,
            properties=tuple(properties),
            line=number,
        )

    def speaker(self, utterance: str, number: int) -> str | None:
        """Return the speaker of an utterance; warn if the table does not list the utterance."""
        speakers = self.tables.speakers
        if speakers is None:
            return None
        if utterance not in speakers:
            self.source.log.say(KALDI_SPEAKER, number, utterance=utterance)
        return speakers.get(utterance)

    def place(self, utterance: str, number: int) -> tuple[str, str | None, int | None, int | None]:
        """Return the recording, channel, start and end of an utterance."""
        tables = self.tables
        if tables.places is None:
            if self.source.folder is None:
                return self.source.recording, None, None, None
            self._check_recording(utterance, number)
            length = tables.durations.get(utterance, tables.lengths.get(utterance))
            return utterance, None, None if length is None else 0, length
        place = tables.places.get(utterance)
        if place is None:
            self.source.log.say(KALDI_NO_SEGMENT, number, utterance=utterance)
            return self.source.recording, None, None, None
        self._check_recording(place.recording, number)
        return place.recording, place.channel, place.start_ns, self._end(place, number)

    def _end(self, place: Place, number: int) -> int | None:
        end, length = place.end_ns, self.tables.lengths.get(place.recording)
        if length is None:
            return end
        recording, log = place.recording, self.source.log
        if end is None and length <= place.start_ns:
            log.say(KALDI_START, number, recording=recording, seconds=length / 1e9)
        elif end is None:
            end = length
        elif end > length + OVERSHOOT:
            log.say(KALDI_END, number, recording=recording, seconds=(end - length) / 1e9)
        return end

    def _check_recording(self, recording: str, number: int) -> None:
        known = self.tables.recordings
        if known is not None and recording not in known:
            self.source.log.say(KALDI_NO_RECORDING, number, recording=recording)

    def warn_of_unused(self, seen: Container[str]) -> None:
        """Warn about utterances that have a position or a speaker but no text."""
        places = self.tables.places or {}
        absent: dict[str, int | str] = {key: place.line for key, place in places.items()}
        for utterance, speaker in (self.tables.speakers or {}).items():
            absent.setdefault(utterance, speaker)
        for utterance, origin in absent.items():
            if utterance in seen:
                continue
            if isinstance(origin, int):
                self.source.log.say(KALDI_NO_TEXT, utterance=utterance, segment=origin)
            else:
                self.source.log.say(KALDI_SPEAKER_ONLY, utterance=utterance, speaker=origin)


def sniff(lines: Head) -> Sniff:
    """Return `SURE` if all ids begin with the file name, as in LibriSpeech's ``*.trans.txt``."""
    keys = [split_key(x)[0] for x in lines if strip_blanks(x)]
    if keys and any(map(str.isdigit, lines.stem)):
        prefix = f"{lines.stem}-"
        if len(set(keys)) == len(keys) and all(key.startswith(prefix) for key in keys):
            return Sniff.SURE
    rising = len(keys) > 1 and all(a < b for a, b in pairwise(keys))
    are_ids = all(any("0" <= character <= "9" for character in key) for key in keys)
    return Sniff.MAYBE if rising and are_ids else Sniff.NO


TABLE_OPTIONS = tuple(
    Option(name, "", text, is_path=True)
    for name, text in {
        "segments": "file with the times of the utterances: stm, Kaldi's segments, or a manifest",
        "utt2spk": "file with an utterance and its speaker on each line, as Kaldi's utt2spk",
        "spk2utt": "Kaldi's spk2utt: the utterances of each speaker, instead of --utt2spk",
        "reco2file_and_channel": "Kaldi's reco2file_and_channel: file and channel of recordings",
        "wav_scp": "Kaldi's wav.scp: names of recordings (only the first column is read)",
        "utt2dur": "Kaldi's utt2dur: lengths of utterances",
        "reco2dur": "Kaldi's reco2dur: lengths of recordings",
        "utt2lang": "Kaldi's utt2lang: languages of utterances",
        "spk2gender": "Kaldi's spk2gender: gender of each speaker",
    }.items()
)


def _writer() -> WriteFunction:
    from formats.kaldi.writer import write

    return write


SPEC = FormatSpec(
    title="Kaldi's text: an utterance and its words per line; or its data directory",
    sign="lines of an id and words",
    read=read,
    sniff=sniff,
    write=loaded_later(_writer),
    holds=("words", "recordings", "channels", "speakers", "utterance ids", "segment times",
           "properties", "empty segments", "segment boundaries"),
    properties=("gender", "language", "recording_id"),
    read_options=TABLE_OPTIONS,
    write_options=(decimals(),),
    folder_files=("text", *TABLES),
    has_plain_names=True,
)  # fmt: skip
