"""Writing Kaldi's text, alone or as a data directory."""

from __future__ import annotations

import os

from formats.errors import UnwritableFileError, quoted
from formats.fields import RoundedTimes, written_name
from formats.kaldi.tables import TABLES, written_times
from formats.loss import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from formats.model import Segment
    from formats.sink import Sink
    from formats.spec import SegmentSource

__all__ = ["write"]

GENDERS = {"adult_male": "m", "male": "m", "adult_female": "f", "female": "f"}


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write ``text`` sorted by bytes; into a directory also what else is known of the utterances.

    A directory gets ``segments`` if there are times, ``utt2spk`` and ``spk2utt`` if there are
    speakers, ``reco2file_and_channel`` if there are channels, ``utt2lang`` and ``spk2gender``; all
    of them or none. To a single file only the text is written, and the rest is counted lost.

    Utterances without an id get ``speaker-recording-begin-end``, times in hundredths of a second.

    Parameters
    ----------
    precision: decimals of the times in ``segments``, 0 to 9.
    """
    path = segments.source
    tables: dict[str, dict[str, str]] = {"text": {}}
    entries = _Entries(path, sink, RoundedTimes(sink, path, precision), tables)
    for segment in segments:
        entries.add(segment)
    sink.losses.in_order(list(tables["text"]), str, "by utterance id", path)
    if sink.folder is None:
        _write_table(sink, tables["text"])
        return
    entries.complete_speakers()
    for name in TABLES:
        stale = os.path.join(sink.folder, name)
        if name not in tables and name != "wav.scp" and os.path.exists(stale):
            raise UnwritableFileError(
                f"a {name} of another transcript lies there: remove it, or write elsewhere",
                path=stale,
            )
    for name, table in tables.items():
        _write_table(sink.beside(name), table)


def _write_table(sink: Sink, table: dict[str, str]) -> None:
    for key in sorted(table):
        value = table[key]
        sink.write(f"{key} {value}\n" if value else f"{key}\n")


class _Entries:
    """Collects the lines of all tables."""

    def __init__(
        self, path: str | None, sink: Sink, times: RoundedTimes, tables: dict[str, dict[str, str]]
    ) -> None:
        self.path = path
        self.sink = sink
        self.times = times
        self.tables = tables
        self.numbers: dict[str, int] = {}
        self.is_folder = sink.folder is not None
        self.recording = _recording_of(path)

    def add(self, segment: Segment) -> None:
        """Take one segment."""
        utterance = self.utterance(segment)
        words = [written_name(word, "word", self.path, segment.line) for word in segment.words]
        text = self.tables["text"]
        if utterance in text:
            raise refused(
                self.path, segment.line, "an utterance id not used before", quoted(utterance)
            )
        text[utterance] = " ".join(words)
        if self.is_folder:
            self.add_place(segment, utterance)
            self.add_speaker(segment, utterance)
        else:
            self.count_lost(segment)

    def utterance(self, segment: Segment) -> str:
        """The id of a segment, made from what is known if it has none."""
        if segment.utterance is not None:
            return written_name(segment.utterance, "utterance id", self.path, segment.line)
        recording, start, end = segment.recording, segment.start_ns, segment.end_ns
        parts = [segment.speaker, recording] if segment.speaker else [recording]
        if segment.channel not in (None, "1"):
            parts.append(segment.channel)
        if start is not None and end is not None:
            parts.extend(f"{(time + 5_000_000) // 10_000_000:07d}" for time in (start, end))
        else:
            base = "-".join(map(str, parts))
            number = self.numbers.get(base, 0)
            self.numbers[base] = number + 1
            parts.append(f"{number:04d}")
        self.sink.losses.add("utterance ids invented", 1, "", self.path, segment.line)
        made = "-".join(map(str, parts))
        return written_name(made, "name for the utterance", self.path, segment.line)

    def put(self, table: str, key: str, value: str, segment: Segment) -> None:
        """One line of a table that must not contradict an earlier one."""
        known = self.tables.setdefault(table, {}).setdefault(key, value)
        if known != value:
            raise refused(
                self.path,
                segment.line,
                f"one entry of {table} for {quoted(key)}",
                f"{quoted(known)} and {quoted(value)}",
            )

    def add_place(self, segment: Segment, utterance: str) -> None:
        """``segments`` and ``reco2file_and_channel``."""
        line = segment.line
        recording = written_name(segment.recording, "recording", self.path, line)
        entry = recording
        if segment.channel is not None:
            channel = written_name(segment.channel, "channel", self.path, line)
            plain = recording if channel == "1" else f"{recording}-{channel}"
            entry = segment.get("recording_id") or plain
            entry = written_name(entry, "recording id", self.path, line)
            self.put("reco2file_and_channel", entry, f"{recording} {channel}", segment)
        elif segment.get("recording_id") is not None:
            self.sink.losses.add("properties", 1, "recording_id", self.path, line)
        if segment.start_ns is None:
            if entry != utterance:
                self.sink.losses.add("recordings", 1, "no times", self.path, line)
            return
        place = f"{entry} {written_times(segment, self.times)}"
        self.tables.setdefault("segments", {})[utterance] = place

    def add_speaker(self, segment: Segment, utterance: str) -> None:
        """``utt2spk``, ``utt2lang`` and ``spk2gender``."""
        line, speaker = segment.line, segment.speaker
        if speaker is not None:
            speaker = written_name(speaker, "speaker", self.path, line)
            self.tables.setdefault("utt2spk", {})[utterance] = speaker
        language = segment.get("language")
        if language is not None:
            language = written_name(language, "language", self.path, line)
            self.tables.setdefault("utt2lang", {})[utterance] = language
        gender = segment.get("gender")
        if gender is None:
            return
        gender = GENDERS.get(gender, gender)
        if speaker is None or any(blank in gender for blank in " \t\r\n\0"):
            self.sink.losses.add("properties", 1, "gender of nobody", self.path, line)
        else:
            self.put("spk2gender", speaker, gender, segment)

    def complete_speakers(self) -> None:
        """Kaldi wants a speaker for all utterances or none, and the same table reversed."""
        speakers = self.tables.get("utt2spk")
        if speakers is None:
            return
        for utterance in self.tables["text"]:
            if utterance not in speakers:
                speakers[utterance] = utterance
                self.sink.losses.add("speakers invented", 1, "the utterance id", self.path)
        reverse: dict[str, list[str]] = {}
        for utterance in sorted(speakers, key=str.encode):
            reverse.setdefault(speakers[utterance], []).append(utterance)
        self.tables["spk2utt"] = {speaker: " ".join(said) for speaker, said in reverse.items()}

    def count_lost(self, segment: Segment) -> None:
        """What a text alone does not hold."""
        lost: Iterable[tuple[str, object]] = (
            ("channels", segment.channel),
            ("speakers", segment.speaker),
            ("segment times", segment.end_ns if segment.start_ns is None else segment.start_ns),
        )
        for what, value in lost:
            if value is not None:
                self.sink.losses.add(what, 1, RULE, self.path, segment.line)
        known = sum(1 for name, _ in segment.properties if name in KEPT)
        self.sink.losses.add("properties", known, RULE, self.path, segment.line)
        if segment.recording != self.recording:
            self.sink.losses.add("recordings", 1, RULE, self.path, segment.line)


KEPT = ("gender", "language", "recording_id")
RULE = "a directory keeps them"


def _recording_of(path: str | None) -> str | None:
    from formats.source import recording_of

    return None if path is None else recording_of(path)
