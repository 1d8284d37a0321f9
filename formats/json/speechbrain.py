"""speechbrain: SpeechBrain's JSON manifests, one object with a member per utterance.

====================================  ====================================================
in the file                           in the schema
====================================  ====================================================
name of the member                    `Segment.utterance`
``wav``, ``path``, ``file_path``,     `Segment.recording`, without folders and audio ending; the
``audio``                             value may be an object with a ``file``
``length``, ``duration``              `Segment.end`, in seconds from 0, as a number or a text
``spk_id``, ``spk``, ``speaker`` …    `Segment.speaker`
``wrd``, ``words``, ``transcript``,   the words: the first of these members that is present, or the
``trans``, ``text``, ``label``        member that `field` names
anything else                         `Segment.properties`, lists and objects as JSON
====================================  ====================================================

``start`` and ``stop`` count samples in some recipes and seconds in others. Both become properties,
and such a segment has no times. Placeholders (``{data_root}``) are not part of recording names.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import TEXT_FIELD, FormatSpec, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source
from formats.json.messages import RULE_NO_LENGTH_FROM_0, SPEECHBRAIN_TEXT, SPEECHBRAIN_TEXTS
from formats.json.rows import others_of
from formats.json.value import JsonDocument, JsonValue
from formats.manifests.records import MANIFEST, RecordOut, dump, recording_of_audio, text_of
from formats.reading.lines import split_words
from formats.schema.model import Segment

PATHS = ("wav", "path", "file_path", "audio")
LENGTHS = ("length", "duration")
SPEAKERS = ("spk_id", "spk", "speaker", "speaker_id")
TEXTS = ("wrd", "words", "transcript", "trans", "text", "label")
TAKEN = frozenset({*PATHS, *LENGTHS, *SPEAKERS, *TEXTS})
RESERVED = TAKEN | {"start", "stop", "id"}
"""Names that the toolkit rejects, or that would be read back as something else."""
PARTS = ("start", "stop")


def read(source: Source, *, field: str = "text") -> Iterator[Segment]:
    """Yield one segment per member, in the order of the file."""
    names = TEXTS if field == "text" else (field,)
    others: dict[str, None] = {}
    has_members = has_text = False
    for document in JsonDocument(source).values:
        source.is_silent = document.value == {}
        for utterance, value in document.members():
            has_members = True
            texts = [name for name in names if value.has(name)]
            text = value.text_of(*texts) or ""
            others.update(
                (name, None) for name in texts if value.value[name] != value.value[texts[0]]
            )
            has_text = has_text or not value.value.keys().isdisjoint(names)
            yield _segment(utterance, value, source, text)
    if has_members and not has_text:
        raise source.error_of(SPEECHBRAIN_TEXT, None, field=field)
    if others:
        source.log.say(SPEECHBRAIN_TEXTS, names=list(others))


def _segment(utterance: str, value: JsonValue, source: Source, text: str) -> Segment:
    path, parts = _path(value)
    properties = dict(others_of(value, TAKEN))
    if parts is not value:
        properties.update((part, text_of(parts.value[part])) for part in PARTS if parts.has(part))
    length = None if parts.has(*PARTS) else value.time_of(*LENGTHS)
    return Segment(
        recording_of_audio(path) or source.recording,
        tuple(split_words(text.replace("\n", " "))),
        utterance=utterance,
        speaker=value.name_of(*SPEAKERS),
        start_ns=None if length is None else 0,
        end_ns=length,
        properties=tuple(sorted(properties.items())),
    )


def _path(value: JsonValue) -> tuple[str, JsonValue]:
    """Return the path of the audio file, and the object that says which part of it is used."""
    path = value.required(*PATHS)
    parts = path if isinstance(path.value, dict) else value
    while isinstance(path.value, dict):
        path = path.required("file", "files")
    if isinstance(path.value, list):
        path = next(path.elements(), path)
    return path.text(), parts


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write a JSON object with a member per utterance; audio files have the names of recordings."""
    seen: set[str] = set()
    for segment in segments:
        out = RecordOut(segment, sink, precision)
        separator = "," if seen else "{"
        name = out.new_id(seen)
        record: dict[str, object] = {"wav": out.recording()}
        if segment.start_ns == 0 and segment.end_ns is not None:
            record["length"] = out.seconds(segment.end_ns)
        elif segment.start_ns is not None or segment.end_ns is not None:
            out.lost("segment times", 1, RULE_NO_LENGTH_FROM_0)
        record |= {**out.present(spk_id="speaker"), "wrd": out.text(), **out.properties(RESERVED)}
        sink.write(f"{separator}\n{dump(name)}: {dump(record)}")
    sink.write("\n}\n" if seen else "{}\n")


SPEC = FormatSpec(
    title="SpeechBrain's manifests in JSON: a member for each utterance",
    sign='objects with "wav" and "wrd" by names of utterances',
    read=read,
    write=write,
    holds=MANIFEST,
    needs=("recordings", "utterance ids"),
    read_options=(TEXT_FIELD,),
    write_options=(decimals(),),
)
