"""nemo: NeMo's manifests, JSON lines that name an audio file and what is said in it.

===============================  ========================================================
its word                         ours
===============================  ========================================================
audio_filepath, audio_file       `Segment.recording`: no folders, no ending of audio
offset, duration                 `Segment.start`, and `Segment.end` as their sum
text, or pred_text               the words; `field` chooses
uniq_id, speaker                 `Segment.utterance`, `Segment.speaker`
lang, label, …                   `Segment.properties`
===============================  ========================================================

A duration that is null or -1 is unknown. The files named are never opened.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.errors import SyntaxFormatError, quoted
from formats.json.members import others_of
from formats.json.numbers import times
from formats.json.value import Batch, JsonValue, batches_of_lines
from formats.lines import split_words
from formats.manifests.records import (
    UTTERANCES,
    add_properties,
    dump,
    joined_words,
    properties_of_columns,
    recording_of_audio,
    recording_to_write,
    seconds_number,
    segments_of_columns,
)
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import TEXT_FIELD, FormatSpec, Option, SegmentSource, decimals
from formats.times import LARGEST, SECOND, round_time

PATHS = ("audio_filepath", "audio_file", "audio_filename")
KNOWN = frozenset({*PATHS, "offset", "duration", "uniq_id", "speaker"})
WRITTEN = KNOWN | {"text"}
ID_FROM = ("stem", "path")


def read(source: Source, *, field: str = "text", id_from: str = "stem") -> Iterator[Segment]:
    """One segment per line."""
    reader = _Reader(source, field, id_from == "path")
    for batch in batches_of_lines(source):
        try:
            yield from reader.segments(batch)
        except ValueError:
            for line, value in batch.each():
                yield reader.segment(value, line)
    if reader.has_field is False:
        raise SyntaxFormatError(
            path=source.name,
            expected=f"a member {quoted(field)} in some line (see {source.field_option})",
            found="none",
        )


class _Reader:
    """Makes segments of rows."""

    def __init__(self, source: Source, field: str, is_path: bool) -> None:
        self.has_field: bool | None = None
        self._source = source
        self._field = field
        self._is_path = is_path
        self._plain = KNOWN | {field}
        self._folders: dict[str, str] = {}
        self._recordings: dict[str, str] = {}

    def segments(self, batch: Batch) -> list[Segment]:
        """The segments of a batch; `ValueError` if one of the rows is irregular."""
        rows = batch.values
        if set(map(type, rows)) != {dict}:
            raise ValueError("objects and others")
        names = ("audio_filepath", self._field, "offset", "duration", "uniq_id", "speaker")
        paths, texts, offsets, lengths, utterances, speakers = (
            [members.get(name) for members in rows] for name in names
        )
        words = [text for text in texts if text is not None]
        spans = times(offsets), times(lengths)
        if (
            {*map(type, paths), *map(type, words)} != {str}
            or not all(paths)
            or None in spans
            or "\r" in "".join(words)
            or any(self._recording(path) is None for path in dict.fromkeys(paths))
        ):
            raise ValueError("irregular rows")
        others = sorted(set().union(*rows).difference(self._plain))
        columns = {name: [members.get(name) for members in rows] for name in others}
        segments = segments_of_columns(
            batch.lines,
            [self._recordings[path] or self._source.recording for path in paths],
            [text or "" for text in texts],
            [spans[0], None, spans[1]],
            properties_of_columns(columns, others),
            utterances=utterances,
            speakers=speakers,
        )
        self.has_field = self.has_field or bool(words)
        return segments

    def _recording(self, path: str) -> str | None:
        """The recording of an audio file; `None` where another file is called alike."""
        recording = self._recordings.get(path)
        if recording is None:
            recording = path if self._is_path else recording_of_audio(path)
            if self._folders.setdefault(recording, path) != path:
                return None
            self._recordings[path] = recording
        return recording

    def segment(self, value: JsonValue, line: int) -> Segment:
        """The segment of one row."""
        path = _path(value)
        recording = self._recording(path)
        if recording is None:
            raise value.error(
                "audio files of different names (or --id-from path)",
                f"{quoted(path)} after {quoted(self._folders[recording_of_audio(path)])}",
            )
        text = value.text_of(self._field)
        self.has_field = self.has_field or text is not None
        start, end = value.time_of("offset"), None
        if value.value.get("duration") not in (None, -1, "-1"):
            start = start or 0
            end = start + value.required("duration").nanoseconds()
            if end > LARGEST:
                raise value.required("duration").error("an end within 292 years")
        return Segment(
            recording or self._source.recording,
            tuple(split_words(text.replace("\n", " "))) if text else (),
            start_ns=start,
            end_ns=end,
            speaker=value.name_of("speaker"),
            utterance=value.name_of("uniq_id"),
            properties=others_of(value, self._plain),
            line=line,
        )


def _path(value: JsonValue) -> str:
    """The audio file; of a list the first."""
    for name in PATHS:
        path = value.get(name)
        if path is not None and path.value:
            return next(path.elements()).text() if isinstance(path.value, list) else path.text()
    path = value.required(*PATHS)
    if isinstance(path.value, list):
        raise path.error("an audio file")
    return path.text()


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one object per line; the audio file is called as the recording is."""
    path = segments.source
    for segment in segments:
        record: dict[str, object] = {"audio_filepath": recording_to_write(segment, path)}
        start, end = segment.start_ns, segment.end_ns
        if start is not None:
            record["offset"] = seconds_number(start, precision, sink, segment, path)
        if start is not None and end is not None:
            rounded = round_time(end, precision)
            changed = int(rounded != end)
            rule = f"rounded to {precision}"
            sink.losses.add("decimals of times", changed, rule, path, segment.line)
            record["duration"] = (rounded - round_time(start, precision)) / SECOND
        else:
            record["duration"] = None
            rule = "an end without a begin"
            sink.losses.add("segment times", int(end is not None), rule, path, segment.line)
        record["text"] = joined_words(segment, path)
        if segment.speaker is not None:
            record["speaker"] = segment.speaker
        if segment.utterance is not None:
            record["uniq_id"] = segment.utterance
        add_properties(record, segment, WRITTEN, sink, path)
        sink.write(dump(record) + "\n")


SPEC = FormatSpec(
    title="NeMo's manifest: audio files and their text as JSON lines",
    sign='objects with "audio_filepath"',
    read=read,
    write=write,
    holds=UTTERANCES,
    needs=("recordings",),
    read_options=(
        TEXT_FIELD,
        Option("id_from", "stem", "what of a path names the recording", ID_FROM),
    ),
    write_options=(decimals(),),
    streams=True,
    manual="One JSON object per line: audio_filepath, offset, duration, text.",
)
