"""nemo: NeMo's manifests: JSON lines with an audio file and its transcript.

===============================  ========================================================
in the file                      in the schema
===============================  ========================================================
audio_filepath, audio_file       `Segment.recording`, without folders and audio suffix
offset, duration                 `Segment.start`, and `Segment.end` as their sum
text, or pred_text               the words, also from another usual name, such as
                                 reference_text; the option `field` chooses the member
uniq_id, speaker or speaker_id   `Segment.utterance`, `Segment.speaker`
lang, label, …                   `Segment.properties`
parent_id, chunk_index           chunks that are joined (`formats.json.chunks`)
===============================  ========================================================

A duration of null or -1 means unknown. The audio files are never opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from formats.detection.head import Head
from formats.detection.spec import TEXT_FIELD, FormatSpec, Option, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source
from formats.json.chunks import INDEX, Chunks
from formats.json.messages import NEMO_NAMES, NEMO_TEXT, NEMO_TURNS
from formats.json.rows import ColumnsByName, Rows, columns_of, read_rows
from formats.json.value import JsonValue
from formats.manifests.records import (
    MANIFEST,
    RecordOut,
    dump,
    recording_of_audio,
    recordings_of_audio,
)
from formats.reading.lines import split_words
from formats.reading.member_names import NAMES
from formats.schema.loss import END_WITHOUT_BEGIN
from formats.schema.model import Segment
from formats.schema.times import SECOND, round_time

PATHS = ("audio_filepath", "audio_file", "audio_filename")
ROLES = {"start": "offset", "duration": "duration", "id": "uniq_id", "speaker": "speaker"}
WRITTEN = frozenset({*PATHS, *ROLES.values(), "text"})
LABELS = ("label", "wrd")
"""Usual names of texts that name something else here, such as the class of a segment."""
ID_FROM = ("stem", "path")


def read(source: Source, *, field: str = "text", id_from: str = "stem") -> Iterator[Segment]:
    """Yield one segment per line; the chunks of a recording are joined into one segment."""
    first = Head(source.head_lines()).first_object
    speaker = next(filter(first.__contains__, NAMES["speaker"].usual), ROLES["speaker"])
    if field == "text":
        usual = (name for name in NAMES["text"].usual if name not in LABELS)
        field = next(filter(first.__contains__, usual), field)
    rows = _Utterances(source, {**ROLES, "speaker": speaker, "text": field}, PATHS)
    rows.is_path = id_from == "path"
    chunks = Chunks(source, field)
    yield from read_rows(
        source,
        lambda batch: rows.segments(columns_of(batch.values), batch.lines),
        lambda row: [rows.segment(row, row.line)],
        lambda segments: chunks.others(segments) if rows.has_chunks else segments,
    )
    if rows.has_text is False and rows.are_turns:
        source.log.say(NEMO_TURNS)
    elif rows.has_text is False:
        raise source.error_of(NEMO_TEXT, None, field=field)
    yield from chunks.joined()


class _Utterances(Rows):
    """Reads rows that name audio files. `has_text` is `None` before the first row."""

    needs_text = False
    unknown = (None, -1, "-1")
    has_text: bool | None = None
    is_path = False
    has_chunks = False
    """True if a row that was read has the index of a chunk."""
    are_turns = True
    """True if every row has a begin and a label, as the segments of a diarisation."""

    def __init__(self, source: Source, *roles: Any) -> None:
        super().__init__(source, *roles)
        self._paths: dict[str, str] = {}

    def segments(self, columns: ColumnsByName, lines: Sequence[int | None]) -> list[Segment]:
        """Return the segments of many rows.

        Raise `ValueError` if a row is irregular; the caller then reads one row at a time.
        """
        segments = super().segments(columns, lines)
        texts = [text for text in columns.get(self.by_role["text"], ()) if text is not None]
        if "\r" in "".join(texts):
            raise ValueError("a carriage return")
        self.has_text = self.has_text or bool(texts)
        self.are_turns = self.are_turns and {"offset", "label"} <= columns.keys()
        self.has_chunks = self.has_chunks or INDEX in columns
        return segments

    def recordings(self, columns: ColumnsByName) -> Sequence[str]:
        """Return recording names from audio files; raise `ValueError` if two names are equal."""
        paths = columns.get("audio_filepath", ())
        if not paths or not all(paths) or set(map(type, paths)) != {str}:
            raise ValueError("irregular paths")
        files = list(dict.fromkeys(paths))
        names = files if self.is_path else recordings_of_audio(files)
        by_name = dict(zip(names, files, strict=True))
        known = self._paths.keys() & by_name.keys()
        if len(by_name) < len(files) or any(self._paths[name] != by_name[name] for name in known):
            raise ValueError("files called alike")
        self._paths.update(by_name)
        if len(files) < len(paths):
            by_path = dict(zip(files, names, strict=True))
            names = [by_path[path] for path in paths]
        return names if all(names) else [name or self.source.recording for name in names]

    def recording(self, row: JsonValue) -> str:
        """Return the recording of a row."""
        path = _path(row)
        name = path if self.is_path else recording_of_audio(path)
        before = self._paths.setdefault(name, path)
        if before != path:
            raise row.error_of(NEMO_NAMES, path=row.path, name=path, before=before)
        return name

    def words(self, row: JsonValue, line: int | None) -> tuple[str, ...]:
        """Return the words of a row's text."""
        text = row.text_of(self.by_role["text"])
        self.are_turns = self.are_turns and {"offset", "label"} <= row.value.keys()
        self.has_chunks = self.has_chunks or INDEX in row.value
        self.has_text = self.has_text or text is not None
        return tuple(split_words(text.replace("\n", " "))) if text else ()


def _path(value: JsonValue) -> str:
    """Return the path of the audio file.

    If the value is a list, this is the path of the first file.
    """
    for name in PATHS:
        path = value.get(name)
        if path is not None and path.value:
            return next(path.elements()).text() if isinstance(path.value, list) else path.text()
    path = value.required(*PATHS)
    if isinstance(path.value, list):
        raise path.error("an audio file")
    return path.text()


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one JSON object per line; the audio file has the name of the recording."""
    for segment in segments:
        out = RecordOut(segment, sink, precision)
        record: dict[str, object] = {"audio_filepath": out.recording()}
        start, end = segment.start_ns, segment.end_ns
        if start is not None:
            record["offset"] = out.seconds(start)
        record["duration"] = None
        if start is not None and end is not None:
            length = out.round(precision, end)[0] - round_time(start, precision)
            record["duration"] = length / SECOND
        elif end is not None:
            out.lost("segment times", 1, END_WITHOUT_BEGIN)
        record |= {"text": out.text(), **out.present(speaker="speaker", uniq_id="utterance")}
        sink.write(dump(record | out.properties(WRITTEN)) + "\n")


SPEC = FormatSpec(
    title="NeMo's manifest: audio files and their text as JSON lines",
    sign='objects with "audio_filepath"',
    read=read,
    write=write,
    holds=MANIFEST,
    needs=("recordings",),
    read_options=(
        TEXT_FIELD,
        Option(
            "id_from",
            "stem",
            "name recordings by the stem or the whole path of the audio file",
            ID_FROM,
        ),
    ),
    write_options=(decimals(),),
)
