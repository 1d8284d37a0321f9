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

from operator import attrgetter

from formats.errors import SyntaxFormatError, quoted
from formats.json.record import Name, Number, Record, WrongError, nanoseconds, times_at_once
from formats.lines import split_words
from formats.manifests.records import (
    UTTERANCES,
    add_properties,
    dump,
    joined_words,
    others_of,
    properties_of_columns,
    recording_of_audio,
    recording_to_write,
    seconds_number,
    segments_of_columns,
    typed_rows,
)
from formats.model import Segment
from formats.spec import TEXT_FIELD, FormatSpec, Option, decimals
from formats.times import LARGEST, SECOND, round_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from formats.json.document import JsonRows, JsonValue
    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

__all__ = ["SPEC", "read", "write"]

PATHS = ("audio_filepath", "audio_file", "audio_filename")
KNOWN = frozenset({*PATHS, "offset", "duration", "uniq_id", "speaker"})
WRITTEN = KNOWN | {"text"}
ID_FROM = ("stem", "path")


class Row(Record):
    """One utterance."""

    audio_filepath: str | list[str] | None = None
    audio_file: str | list[str] | None = None
    audio_filename: str | list[str] | None = None
    offset: Number = None
    duration: Number = None
    uniq_id: Name = None
    speaker: Name = None

    def place(self) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds; a duration of -1 is unknown."""
        offset, duration = self.offset, self.duration
        try:
            start = None if offset is None else nanoseconds(offset)
            if duration in (None, -1, "-1"):
                return start, None
            end = (start or 0) + nanoseconds(duration)
            if end > LARGEST:
                raise WrongError("duration", "an end within 292 years", record=self)
            return start or 0, end
        except ValueError:
            # One of the two raises again, with its name.
            self.time_of("offset")
            self.time_of("duration")
            raise


def read(source: Source, *, field: str = "text", id_from: str = "stem") -> Iterator[Segment]:
    """One segment per line.

    Parameters
    ----------
    field: which member holds the words: ``text``, ``pred_text`` (what a recogniser said), or
        another name.
    id_from: whether recordings are called by the ``stem`` of the audio file or by its ``path``.

    Raises
    ------
    SyntaxFormatError: no JSON, no audio file, a member of the wrong type, no `field` in any line,
        or one stem in two folders.
    """
    reader = _Reader(source, field, id_from == "path")
    for rows in typed_rows(source, Row):
        try:
            made: Iterable[Segment] = reader.at_once(rows)
        except ValueError:
            made = (reader.segment(value, row, line) for line, value, row in rows.each())
        yield from made
    if reader.has_field is False:
        raise SyntaxFormatError(
            path=source.name,
            expected=f"a member {quoted(field)} in some line (see {source.field_option})",
            found="none",
        )


class _Reader:
    """Makes segments of rows.

    Attributes
    ----------
    has_field: whether any row has words; `None` before there was one.
    """

    def __init__(self, source: Source, field: str, is_path: bool) -> None:
        self.has_field: bool | None = None
        self._source = source
        self._field = field
        self._is_path = is_path
        self._plain = KNOWN | {field}
        self._folders: dict[str, str] = {}
        self._recordings: dict[str, str] = {}

    def at_once(self, rows: JsonRows) -> list[Segment]:
        """The segments of many rows.

        Raises
        ------
        ValueError: one of them wants a closer look.
        """
        if rows.records is None:
            raise ValueError("records and others")
        paths, starts, lengths, utterances, speakers = (
            list(map(attrgetter(name), rows.records))
            for name in ("audio_filepath", "offset", "duration", "uniq_id", "speaker")
        )
        texts = [members.get(self._field) for members in rows.values]
        said = [text for text in texts if text is not None]
        times = times_at_once(starts), times_at_once(lengths)
        if (
            {*map(type, paths), *map(type, said)} != {str}
            or not all(paths)
            or None in times
            or "\r" in "".join(said)
            or any(self._recording(path) is None for path in dict.fromkeys(paths))
        ):
            raise ValueError("rows and others")
        others = sorted(set().union(*rows.values).difference(self._plain))
        columns = {name: [members.get(name) for members in rows.values] for name in others}
        self.has_field = self.has_field or bool(said)
        return segments_of_columns(
            rows.lines,
            [self._recordings[path] or self._source.recording for path in paths],
            [text or "" for text in texts],
            [times[0], None, times[1]],
            properties_of_columns(columns, others),
            utterances=utterances,
            speakers=speakers,
        )

    def _recording(self, path: str) -> str | None:
        """The recording of an audio file; `None` where another file is called alike."""
        recording = self._recordings.get(path)
        if recording is None:
            recording = path if self._is_path else recording_of_audio(path)
            if self._folders.setdefault(recording, path) != path:
                return None
            self._recordings[path] = recording
        return recording

    def segment(self, value: JsonValue, made: Row | None, line: int | None) -> Segment:
        """The segment of one row.

        Raises
        ------
        SyntaxFormatError
        """
        row = made or value.record(Row)
        path = row.audio_filepath
        if not path or type(path) is not str:
            path = _path(row, value)
        recording = self._recording(path)
        if recording is None:
            raise value.error(
                "audio files of different names (or --id-from path)",
                f"{quoted(path)} after {quoted(self._folders[recording_of_audio(path)])}",
            )
        text = value.text_of(self._field)
        self.has_field = self.has_field or text is not None
        try:
            start, end = row.place()
        except WrongError as wrong:
            raise value.wrong(wrong, row) from None
        return Segment(
            recording or self._source.recording,
            tuple(split_words(text.replace("\n", " "))) if text else (),
            start_ns=start,
            end_ns=end,
            speaker=row.name_of("speaker"),
            utterance=row.name_of("uniq_id"),
            properties=others_of(value, self._plain),
            line=line,
        )


def _path(row: Row, value: JsonValue) -> str:
    paths = row.audio_filepath or row.audio_file or row.audio_filename
    if isinstance(paths, str):
        return paths
    if not paths:
        found = value.required(*PATHS)
        if isinstance(found.value, list):
            raise found.error("an audio file")
        return found.text()
    return paths[0]


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one object per line; the audio file is called as the recording is.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9.

    Raises
    ------
    LossError: a recording whose name would be read back as another.
    """
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
