"""speechbrain: SpeechBrain's manifests in JSON, an object with a member for each utterance.

====================================  ====================================================
its word                              ours
====================================  ====================================================
name of the member                    `Segment.utterance`
``wav``, ``path``, ``file_path``,     `Segment.recording`: no folders, no ending of audio; so
``audio``                             is the ``file`` of an object in its place
``length``, ``duration``              `Segment.end`, in seconds from 0; texts of digits, too
``spk_id``, ``spk``, ``speaker``      `Segment.speaker`
``wrd``, ``words``, ``transcript``,   the words: the first of these that is there, or the one
``trans``, ``text``, ``label``        that `field` names
anything else                         `Segment.properties`, lists and objects as JSON
====================================  ====================================================

``start`` and ``stop`` count samples in some recipes and seconds in others: they are properties, and
the segment has then no times. Placeholders (``{data_root}``) are no part of recordings' names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.errors import SyntaxFormatError, quoted
from formats.json.members import others_of
from formats.json.value import JsonDocument, JsonValue
from formats.lines import split_words
from formats.loss import refused
from formats.manifests.records import (
    MOST_SHAPES,
    UTTERANCES,
    add_properties,
    dump,
    joined_words,
    recording_of_audio,
    recording_to_write,
    seconds_number,
    text_of,
)
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import TEXT_FIELD, FormatSpec, SegmentSource, decimals

PATHS = ("wav", "path", "file_path", "audio")
LENGTHS = ("length", "duration")
SPEAKERS = ("spk_id", "spk", "speaker")
TEXTS = ("wrd", "words", "transcript", "trans", "text", "label")
TAKEN = frozenset({*PATHS, *LENGTHS, *SPEAKERS, *TEXTS})
RESERVED = TAKEN | {"start", "stop", "id"}
"""What the toolkit refuses, or what would be read back as something else."""
PARTS = ("start", "stop")


def read(source: Source, *, field: str = "text") -> Iterator[Segment]:
    """One segment per member, in the order of the file."""
    texts = TEXTS if field == "text" else (field,)
    is_found = False
    others: dict[str, None] = {}
    known: dict[tuple[str, ...], list[str]] = {}
    value = None
    for document in JsonDocument(source).values:
        source.is_silent = document.value == {}
        for name, value in document.members():
            row = value.value
            names = tuple(row) if isinstance(row, dict) else ()
            given = known.get(names)
            if given is None:
                given = [text for text in texts if text in names]
                if len(known) < MOST_SHAPES:
                    known[names] = given
            if len(given) > 1 or (given and row[given[0]] is None):
                given = [text for text in given if value.has(text)]
                others.update((text, None) for text in given if row[text] != row[given[0]])
            is_found = is_found or bool(given)
            yield _segment(name, value, source, given)
    if value is not None and not is_found:
        expected = f"a member {quoted(field)} in some utterance (see {source.field_option})"
        raise SyntaxFormatError(path=source.name, expected=expected, found="none")
    if others:
        found = ", ".join(map(quoted, others))
        source.log.note(
            "SPEECHBRAIN-TEXTS", f"other texts, not read: {found} ({source.field_option} names one)"
        )


def _segment(name: str, value: JsonValue, source: Source, texts: Sequence[str]) -> Segment:
    path, parts = value.has(PATHS[0]) and value.value[PATHS[0]], value
    if not isinstance(path, str):
        path, parts = _path(value)
    is_part = parts.has(*PARTS)
    length = None if is_part else value.time_of(*LENGTHS)
    said = value.text_of(texts[0]) if texts else ""
    properties = others_of(value, TAKEN)
    if is_part and parts is not value:
        found = {part: text_of(parts.value[part]) for part in PARTS if parts.has(part)}
        properties = tuple(sorted({**dict(properties), **found}.items()))
    return Segment(
        recording_of_audio(path) or source.recording,
        tuple(split_words((said or "").replace("\n", " "))),
        utterance=name,
        speaker=value.name_of(*SPEAKERS),
        start_ns=None if length is None else 0,
        end_ns=length,
        properties=properties,
    )


def _path(value: JsonValue) -> tuple[str, JsonValue]:
    """The sound file, and the object that says which part of it is meant."""
    path = value.required(*PATHS)
    parts = path if isinstance(path.value, dict) else value
    while isinstance(path.value, dict):
        path = path.required("file", "files")
    if isinstance(path.value, list):
        path = next(path.elements(), path)
    return path.text(), parts


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one object with a member for each utterance; recordings name the sound files."""
    path = segments.source
    seen: set[str] = set()
    for segment in segments:
        name = segment.utterance or ""
        if not name or name in seen:
            expected = "an utterance id not used before"
            raise refused(path, segment.line, expected, quoted(name) if name else "none")
        record: dict[str, object] = {"wav": recording_to_write(segment, path)}
        start, end = segment.start_ns, segment.end_ns
        if start == 0 and end is not None:
            record["length"] = seconds_number(end, precision, sink, segment, path)
        elif start is not None or end is not None:
            rule = "no length from 0"
            sink.losses.add("segment times", 1, rule, path, segment.line)
        if segment.speaker is not None:
            record["spk_id"] = segment.speaker
        record["wrd"] = joined_words(segment, path)
        add_properties(record, segment, RESERVED, sink, path)
        sink.write(f"{',' if seen else '{'}\n{dump(name)}: {dump(record)}")
        seen.add(name)
    sink.write("\n}\n" if seen else "{}\n")


SPEC = FormatSpec(
    title="SpeechBrain's manifests in JSON: a member for each utterance",
    sign='objects with "wav" and "wrd" by names of utterances',
    read=read,
    write=write,
    holds=UTTERANCES,
    needs=("recordings", "utterance ids"),
    read_options=(TEXT_FIELD,),
    write_options=(decimals(),),
    streams=True,
    manual="One object: by the name of each utterance its sound, length, speaker and words.",
)
