"""label-studio: Label Studio tasks with audio regions (docs/formats/label-studio.md).

The file lists regions in the order of their creation; the reader sorts them by start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from formats.detection.spec import FormatSpec, Option, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source, recording_of
from formats.json.messages import (
    LABEL_STUDIO_OTHERS,
    LABEL_STUDIO_PREDICTIONS,
    LABEL_STUDIO_TASKS,
    RULE_SORTED_RECORDING,
)
from formats.json.output import JsonOut, json_text
from formats.json.spoken_words import plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.writing.out import Out

UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")
SPEAKERS = re.compile(r"sp(?:ea)?k|person|agent|caller|participant|who", re.IGNORECASE)
SOUNDS = ("noise", "music", "silence")
RESULTS = ("annotations", "completions")
AUDIO = ("audio", "sound", "wav", "mp3", "url", "video")
SUFFIX = re.compile(r"\.(?:wav|mp3|flac|ogg|opus|m4a|aac|webm|mp4)\Z", re.IGNORECASE)


@dataclass(slots=True)
class _Region:
    """All results of one region, combined."""

    span: tuple[int | None, int | None] = (None, None)
    channel: str | None = None
    texts: list[str] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)

    def take(self, result: JsonValue) -> None:
        """Add one result of the region: its times, text, label or property."""
        value, name = result.get("value"), result.text_of("from_name", "type") or ""
        if value is None:
            return
        if value.has("start"):
            self.span = value.span_of()
            self.channel = value.name_of("channel") or self.channel
        self.labels.extend((name, label.text()) for label in value.elements("labels"))
        text = value.get("text")
        if text is not None:
            lines = [text] if isinstance(text.value, str) else text.elements()
            self.texts.extend(line.text() for line in lines)
        answers = [choice.text() for choice in value.elements("choices")]
        for number in filter(None, (value.get("number"), value.get("rating"))):
            number.number()
            answers.append(str(number.value))
        if answers:
            self.properties[name] = ",".join(answers)


def read(source: Source, *, predictions: bool = False) -> Iterator[Segment]:
    """Yield one segment per region, sorted by start within each task."""
    document = JsonDocument(source)
    reading = Reading(source)
    tasks = list(document.messages)
    predictions = predictions or not any(
        isinstance(task.value, dict) and any(map(task.value.get, RESULTS)) for task in tasks
    )
    has_audio = False
    source.is_silent = all(value == [] for value in document.top)
    for task in tasks:
        data = task.get("data")
        if data is None or not task.has(*RESULTS, "predictions"):
            is_short = isinstance(task.value, dict) and "annotator" in task.value
            found = "JSON-MIN: export it as JSON" if is_short else "none"
            raise task.error('a task with "data" and "annotations"', found)
        source.is_silent = True
        recording = _recording(data)
        if recording is None:
            reading.count(LABEL_STUDIO_TASKS)
            continue
        has_audio = True
        annotations = task.elements(*RESULTS)
        kept = [value for value in annotations if not value.flag_of("was_cancelled")]
        kept.sort(
            key=lambda v: (v.flag_of("ground_truth"), v.text_of("updated_at", "created_at") or "")
        )
        reading.count(LABEL_STUDIO_OTHERS, max(len(kept) - 1, 0))
        best = kept[-1] if kept else next(task.elements("predictions"), None)
        if not kept and best is not None and not predictions:
            reading.count(LABEL_STUDIO_PREDICTIONS)
        elif best is not None:
            yield from _task_segments(best, recording, reading, task.line)
    reading.report()
    if tasks and not has_audio:
        raise source.syntax_error(None, "tasks with audio", f"{len(tasks)} without")


def _recording(data: JsonValue) -> str | None:
    """Return the name of a task's audio file, or `None`."""
    members = dict(data.members())
    names = sorted(members, key=lambda n: AUDIO.index(n) if n in AUDIO else len(AUDIO))
    for name in names:
        value = members[name].value
        path = _path_of(value) if isinstance(value, str) else ""
        if path and (name in AUDIO or SUFFIX.search(path)):
            return UPLOADED.sub("", recording_of(path)) or None
    return None


def _task_segments(
    value: JsonValue, recording: str, reading: Reading, line: int
) -> Iterator[Segment]:
    regions: dict[str | None, _Region] = {}
    results = list(value.elements("result"))
    timed = {
        str(result.value.get("id"))
        for result in results
        if isinstance(result.value, dict)
        and isinstance(inner := result.value.get("value"), dict)
        and inner.get("start") is not None
    }
    for result in results:
        try:
            name = result.get("id")
            key = name.name() if name is not None and str(name.value) in timed else None
            regions.setdefault(key, _Region()).take(result)
        except SyntaxFormatError as error:
            reading.source.log.reject("LABEL-STUDIO-RESULT", error)
    labels = [region.labels for region in regions.values() if region.labels]
    all_have_one = all(len(names) == 1 for names in labels)
    for region in sorted(regions.values(), key=lambda r: (r.span[0] is None, r.span[0] or 0)):
        start_ns, end_ns = region.span
        text = " ".join(region.texts)
        sound = next((n for _, n in region.labels if n.lower() in SOUNDS), None)
        if sound is not None and not text.strip():
            yield Segment(
                recording, (sound,), channel=region.channel, start_ns=start_ns, end_ns=end_ns,
                kind="event", line=line,
            )  # fmt: skip
        elif start_ns is not None or text.strip():
            speakers = (
                label
                for name, label in region.labels
                if SPEAKERS.search(name) or SPEAKERS.search(label) or all_have_one
            )
            speaker = next(speakers, None)
            rest = ",".join(label for _, label in region.labels if label != speaker)
            properties = {**region.properties, "label": rest} if rest else region.properties
            segment = reading.segment(
                plain_words(text), channel=region.channel, speaker=speaker, span=region.span,
                properties=properties, line=line,
            )  # fmt: skip
            yield segment.replace(recording=recording)


def _path_of(address: str) -> str:
    """Return the path of an audio file from its URL; the path may be in the query of the URL."""
    return address.rpartition("?d=")[2].partition("?")[0]


def write(
    segments: SegmentSource, sink: Sink, *, precision: int = 3, as_annotations: bool = False
) -> None:
    """Write one task per recording, with one region per segment that has a label and a text."""
    tasks: dict[str, list[str]] = {}
    rows = list(segments)
    for segment in rows:
        name = segment.recording
        if recording_of(_path_of(f"{name}.wav")) != name or UPLOADED.match(name):
            expected = "a recording without folders, queries and marks of uploading"
            raise Out(segment, sink).refuse(expected, quoted(name))
        tasks.setdefault(name, [])
    order = {name: number for number, name in enumerate(tasks)}
    sorted_rows = sink.losses.in_order(
        rows,
        lambda segment: (order[segment.recording], segment.start_ns or 0),
        RULE_SORTED_RECORDING,
        segments.source,
    )
    for number, segment in enumerate(sorted_rows, 1):
        out = JsonOut(segment, sink, precision)
        if segment.start_ns is None or segment.end_ns is None:
            raise out.refuse("a segment with times", "none")
        controls = [("transcription", "textarea", "text", " ".join(segment.words))]
        if segment.speaker is not None:
            controls.insert(0, ("labels", "labels", "labels", segment.speaker))
        for control, kind, member, text in controls:
            head = {"id": f"region-{number}", "to_name": "audio", "from_name": control}
            value = {**out.times(), member: [text]}
            tasks[segment.recording].append(json_text({**head, "type": kind, "value": value}))
    kind = "annotations" if as_annotations else "predictions"
    lines = []
    for number, (recording, results) in enumerate(tasks.items(), 1):
        data = json_text({"audio": f"{recording}.wav"})
        inner = ",\n".join(results)
        lines.append(f'{{"id": {number}, "data": {data}, "{kind}": [{{"result": [\n{inner}]}}]}}')
    sink.write("[" + ",\n".join(lines) + "]\n")


SPEC = FormatSpec(
    title="JSON of Label Studio: tasks with regions of audio, labels and texts",
    sign='"data" and "annotations" with "result"',
    read=read,
    write=write,
    holds=("words", "recordings", "speakers", "segment times", "segment boundaries"),
    needs=("segment times",),
    read_options=(
        Option(
            "predictions", False, "also read predictions of models, for tasks without annotations"
        ),
    ),
    write_options=(
        decimals(),
        Option(
            "as_annotations",
            False,
            "write segments to label-studio as annotations; by default as predictions",
        ),
    ),
)
