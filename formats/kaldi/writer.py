"""Writer of Kaldi's ``text``, alone or in a data directory."""

from __future__ import annotations

import os

from formats.detection.spec import SegmentSource
from formats.io.errors import UnwritableFileError
from formats.io.messages import RULE_GENDER_OF_NOBODY, RULE_NO_TIMES, RULE_SORTED_ID
from formats.io.sink import Sink
from formats.io.source import recording_of
from formats.kaldi.messages import RULE_DIRECTORY, RULE_RECORDING_ID, RULE_UTTERANCE_ID
from formats.kaldi.tables import TABLES, written_times
from formats.schema.errors import quoted
from formats.writing.out import Out

GENDERS = {"adult_male": "m", "male": "m", "adult_female": "f", "female": "f"}


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write ``text``, sorted by bytes.

    In a directory, also write the tables about the utterances.
    """
    tables: dict[str, dict[str, str]] = {"text": {}}
    entries = _Entries(sink, precision, tables)
    for segment in segments:
        entries.add(Out(segment, sink))
    sink.losses.in_order(list(tables["text"]), str, RULE_SORTED_ID, segments.source)
    if sink.folder is None:
        _write_table(sink, tables["text"])
        return
    entries.complete_speakers()
    for name in TABLES:
        stale = os.path.join(sink.folder, name)
        if name not in tables and name != "wav.scp" and os.path.exists(stale):
            raise UnwritableFileError(
                f"the folder has the {name} of another transcript: remove it, or write to "
                "another folder",
                path=stale,
            )
    for name, table in tables.items():
        _write_table(sink.beside(name), table)


def _write_table(sink: Sink, table: dict[str, str]) -> None:
    for key in sorted(table):
        value = table[key]
        sink.write(f"{key} {value}\n" if value else f"{key}\n")


class _Entries:
    """Collects the lines of all tables to be written."""

    def __init__(self, sink: Sink, precision: int, tables: dict[str, dict[str, str]]) -> None:
        self.sink = sink
        self.precision = precision
        self.tables = tables
        self.numbers: dict[str, int] = {}
        self.recording = None if sink.source is None else recording_of(sink.source)

    def add(self, out: Out) -> None:
        """Add a segment to all tables."""
        utterance = self._utterance(out)
        words = [out.name(word, "word") for word in out.segment.words]
        text = self.tables["text"]
        if utterance in text:
            raise out.refuse("a unique utterance id", quoted(utterance))
        text[utterance] = " ".join(words)
        if self.sink.folder is not None:
            self._add_place(out, utterance)
            self._add_speaker(out, utterance)
        else:
            self._count_lost(out)

    def _utterance(self, out: Out) -> str:
        """Return the id of a segment; generate an id for a segment without one."""
        segment = out.segment
        if segment.utterance is not None:
            return out.name(segment.utterance, "utterance id")
        start, end = segment.start_ns, segment.end_ns
        parts = [segment.speaker or "", segment.recording]
        parts.append("" if segment.channel in (None, "1") else segment.channel or "")
        base = "-".join(filter(None, parts))
        if start is not None and end is not None:
            suffix = "-".join(f"{(time + 5_000_000) // 10_000_000:07d}" for time in (start, end))
        else:
            number = self.numbers.get(base, 0)
            self.numbers[base] = number + 1
            suffix = f"{number:04d}"
        out.lost("utterance ids invented")
        name = out.name(f"{base}-{suffix}", "name for the utterance")
        again = self.numbers.get(name, 0)
        self.numbers[name] = again + 1
        return f"{name}-{again + 1}" if again else name

    def _put(self, out: Out, table: str, key: str, value: str) -> None:
        """Add a line to a table. It is an error if the key has another value already."""
        first = self.tables.setdefault(table, {}).setdefault(key, value)
        if first != value:
            found = f"{quoted(first)} and {quoted(value)}"
            raise out.refuse(f"one entry of {table} for {quoted(key)}", found)

    def _add_place(self, out: Out, utterance: str) -> None:
        """Add an utterance to ``segments`` and ``reco2file_and_channel``."""
        segment = out.segment
        recording = entry = out.name(segment.recording, "recording")
        if segment.channel is not None:
            channel = out.name(segment.channel, "channel")
            plain = recording if channel == "1" else f"{recording}-{channel}"
            entry = out.name(segment.get("recording_id") or plain, "recording id")
            self._put(out, "reco2file_and_channel", entry, f"{recording} {channel}")
        elif segment.get("recording_id") is not None:
            out.lost("properties", rule=RULE_RECORDING_ID)
        if segment.start_ns is not None:
            times = written_times(out, self.precision)
            self.tables.setdefault("segments", {})[utterance] = f"{entry} {times}"
        elif entry != utterance:
            out.lost("recordings", rule=RULE_NO_TIMES)

    def _add_speaker(self, out: Out, utterance: str) -> None:
        """Add an utterance to ``utt2spk``, ``utt2lang`` and ``spk2gender``."""
        speaker = out.segment.speaker
        if speaker is not None:
            speaker = out.name(speaker, "speaker")
            self.tables.setdefault("utt2spk", {})[utterance] = speaker
        language = out.segment.get("language")
        if language is not None:
            self.tables.setdefault("utt2lang", {})[utterance] = out.name(language, "language")
        gender = out.segment.get("gender")
        if gender is None:
            return
        gender = GENDERS.get(gender, gender)
        if speaker is None or any(blank in gender for blank in " \t\r\n\0"):
            out.lost("properties", rule=RULE_GENDER_OF_NOBODY)
        else:
            self._put(out, "spk2gender", speaker, gender)

    def complete_speakers(self) -> None:
        """Write ``spk2utt`` if any utterance has a speaker.

        The speaker of an utterance without one is the id of the utterance.
        """
        speakers = self.tables.get("utt2spk")
        if speakers is None:
            return
        for utterance in self.tables["text"]:
            if utterance not in speakers:
                speakers[utterance] = utterance
                self.sink.losses.add("speakers invented", 1, RULE_UTTERANCE_ID, self.sink.source)
        reverse: dict[str, list[str]] = {}
        for utterance in sorted(speakers, key=str.encode):
            reverse.setdefault(speakers[utterance], []).append(utterance)
        self.tables["spk2utt"] = {speaker: " ".join(ids) for speaker, ids in reverse.items()}

    def _count_lost(self, out: Out) -> None:
        """Count what is lost if only a `text` file is written."""
        segment = out.segment
        is_timed = segment.start_ns is not None or segment.end_ns is not None
        out.lost("channels", int(segment.channel is not None), RULE_DIRECTORY)
        out.lost("speakers", int(segment.speaker is not None), RULE_DIRECTORY)
        out.lost("segment times", int(is_timed), RULE_DIRECTORY)
        out.lost(
            "properties", sum(1 for name, _ in segment.properties if name in KEPT), RULE_DIRECTORY
        )
        out.lost("recordings", int(segment.recording != self.recording), RULE_DIRECTORY)


KEPT = ("gender", "language", "recording_id")
