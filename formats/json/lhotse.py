"""lhotse: supervision segments as JSON lines or YAML, with timed words if known.

============================  ===========================================================
in the file                   in the schema
============================  ===========================================================
id, recording_id              `Segment.utterance`, `Segment.recording`
start, duration               `Segment.start`, and `Segment.end` as their sum
channel                       `Segment.channel`: the number as text; a list gives ``0,1``
text, speaker                 the words, `Segment.speaker`
language, gender, custom      `Segment.properties`
alignment ``word``            times and confidences of the words
============================  ===========================================================

From a cut (``MonoCut``, ``MultiCut``, formerly ``Cut``: a part of one recording), the supervisions
are read; their times count from the start of the cut. The cut names the recording; otherwise its
features do, otherwise the supervision. A ``MixedCut`` has audio of several recordings. It is
therefore read as a recording named by its id, and the recording of a supervision becomes the
property ``recording_id``.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source
from formats.json.messages import (
    DUPLICATE,
    LHOTSE_ALIGNMENT,
    LHOTSE_WORDS,
    RULE_SOME_WORDS_HAVE_NONE,
)
from formats.json.rows import one_channel
from formats.json.value import JsonValue, records_of
from formats.manifests.records import MANIFEST, RecordOut, dump, first_tokens, text_of
from formats.reading.lines import split_words
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND
from formats.schema.words import Token

NAMED = ("language", "gender")
CUTS = ("MonoCut", "MultiCut", "MixedCut", "PaddingCut", "Cut")
FINEST = 8


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per supervision. Supervisions with the same id must be equal."""
    seen: dict[tuple[str, str], Segment] = {}

    def read_record(record: JsonValue) -> Iterator[Segment]:
        kind = record.text_of("type") or ""
        if kind.endswith("Cut") and kind not in CUTS:
            raise record.required("type").error(f"a cut: {', '.join(CUTS)}")
        mixture = ""
        if kind not in CUTS and not record.has("supervisions"):
            recording = record.required("recording_id").name()
            parts = iter([(_supervision(record, recording, 0, record.line), record)])
        else:
            source.is_silent = True
            mixture = record.required("id").name() if kind == "MixedCut" else ""
            parts = _of_mixture(record, mixture) if mixture else _of_cut(record)
        for segment, part in parts:
            before = seen.setdefault((mixture, segment.utterance or ""), segment)
            if before is segment:
                yield segment
            elif before == segment:
                source.log.say(DUPLICATE, utterance=segment.utterance or "")
            else:
                raise part.required("id").error("a unique id")

    return source.log.accepted("JSON", read_record, _records(source))


def _records(source: Source) -> Iterator[JsonValue]:
    """Yield the records of JSON lines, of one JSON list, or of a list in YAML."""
    from formats.json.yaml_document import YamlDocument, is_yaml

    if not is_yaml(source):
        yield from records_of(source)
        return
    for value in YamlDocument(source).values:
        yield from value.elements()


def _of_cut(record: JsonValue) -> Iterator[tuple[Segment, JsonValue]]:
    """Yield the supervisions of a cut (a part of one recording), each with its record."""
    whole = record.get("recording") or record.get("features")
    name = None if whole is None else whole.get("id", "recording_id")
    start = record.required("start").nanoseconds()
    for part in record.elements("supervisions"):
        recording = (name or part.required("recording_id")).name()
        yield _supervision(part, recording, start, record.line), part


def _of_mixture(record: JsonValue, mixture: str) -> Iterator[tuple[Segment, JsonValue]]:
    """Yield the supervisions of a mixed cut; times count from the start of the mixture."""
    for track in record.elements("tracks"):
        start = track.time_of("offset") or 0
        for part in track.required("cut").elements("supervisions"):
            segment = _supervision(part, mixture, start, record.line)
            properties = dict(segment.properties)
            if (origin := part.name_of("recording_id")) is not None:
                properties["recording_id"] = origin
            yield segment.replace(properties=tuple(sorted(properties.items()))), part


def _supervision(record: JsonValue, recording: str, offset: int, line: int) -> Segment:
    start = _signed(record.required("start")) + offset
    length = record.required("duration").nanoseconds()
    if start < 0:
        raise record.required("start").error("a start inside the recording")
    channel, text = record.get("channel"), record.text_of("text")
    for name in NAMED:
        record.text_of(name)
    named = {name: record.value.get(name) for name in NAMED}
    named.update((name, member.value) for name, member in record.inner("custom").members())
    pairs = ((name, text_of(value)) for name, value in named.items() if value is not None)
    segment = Segment(
        recording or record.document.source.recording,
        tuple(split_words(text.replace("\n", " "))) if text else (),
        utterance=record.required("id").name(),
        channel=None if channel is None else one_channel(channel),
        speaker=record.name_of("speaker"),
        start_ns=start,
        end_ns=start + length,
        properties=tuple(sorted(pairs)),
        line=line,
    )
    alignment = record.get("alignment")
    if alignment is None:
        return segment
    return _aligned(segment, alignment, offset, has_text=text is not None)


def _signed(value: JsonValue) -> int:
    """Return a start in nanoseconds; inside a cut, it may be negative."""
    if value.number() >= 0:
        return value.nanoseconds()
    from fractions import Fraction

    return round(Fraction(value.number()) * SECOND)


def _aligned(segment: Segment, alignment: JsonValue, offset: int, *, has_text: bool) -> Segment:
    """Return the segment with the times of its words."""
    log = alignment.document.source.log
    for name, _ in alignment.members():
        if name != "word":
            log.say(LHOTSE_ALIGNMENT, name=name)
    tokens = [_item(item, offset) for item in alignment.elements("word")]
    tokens = [token for token in tokens if token.text]
    if not tokens:
        return segment
    if not has_text:
        return segment.with_items(tokens)
    if len(tokens) != len(segment.words):
        log.say(LHOTSE_WORDS, path=alignment.path, words=len(segment.words), tokens=len(tokens))
        return segment
    pairs = zip(segment.words, tokens, strict=True)
    return segment.with_items(token.replace(text=word) for word, token in pairs)


def _item(item: JsonValue, offset: int) -> Token:
    """Read a word of an alignment. The word is a list; before Lhotse 1.8, it was an object."""
    if isinstance(item.value, dict):
        symbol, start, length = (item.required(n) for n in ("symbol", "start", "duration"))
        score = item.get("score")
    else:
        parts = list(item.elements())
        if len(parts) not in (3, 4):
            raise item.error("symbol, start, duration and perhaps a score")
        symbol, start, length = parts[:3]
        score = parts[3] if len(parts) == 4 and parts[3].value is not None else None
    begin = _signed(start) + offset
    sure = None if score is None else score.confidence()
    texts = split_words(symbol.text())
    if len(texts) > 1:
        raise symbol.error("one word")
    return Token(texts[0] if texts else "", begin, begin + length.nanoseconds(), sure)


def write(segments: SegmentSource, sink: Sink, *, precision: int = FINEST) -> None:
    """Write one supervision per line. Lhotse itself writes times with 8 decimals."""
    seen: set[str] = set()
    for segment in segments:
        out = RecordOut(segment, sink, precision)
        if segment.utterance is None or segment.start_ns is None or segment.end_ns is None:
            raise out.refuse("a segment with times and id", "none")
        if segment.utterance in seen:
            raise out.refuse("a unique id", quoted(segment.utterance))
        seen.add(segment.utterance)
        sink.write(dump(_record(out)) + "\n")


def _record(out: RecordOut) -> dict[str, object]:
    segment = out.segment
    start, length = _stretch(out, segment.start_ns, segment.end_ns)
    record: dict[str, object] = {
        "id": segment.utterance,
        "recording_id": segment.recording,
        "start": start,
        "duration": length,
    }
    if segment.channel is not None:
        names = segment.channel.split(",")
        if not all(n.isascii() and n.isdigit() and len(n) < 19 and str(int(n)) == n for n in names):
            raise out.refuse("a channel that is a number", quoted(segment.channel))
        record["channel"] = int(names[0]) if len(names) == 1 else [int(n) for n in names]
    record |= {"text": out.text(), **out.present(speaker="speaker")}
    record.update((name, text) for name, text in segment.properties if name in NAMED)
    custom = {name: text for name, text in segment.properties if name not in NAMED}
    if custom:
        record["custom"] = custom
    tokens = first_tokens(segment)
    if tokens and segment.is_timed:
        record["alignment"] = {
            "word": [
                [t.text, *_stretch(out, t.start_ns, t.end_ns)]
                + ([] if t.confidence is None else [t.confidence])
                for t in tokens
            ]
        }
    else:
        timed = sum(1 for token in tokens if token.start_ns is not None)
        out.lost("word times", timed, RULE_SOME_WORDS_HAVE_NONE)
        out.lost("confidences", sum(1 for token in tokens if token.confidence is not None))
    return record


def _stretch(out: RecordOut, start: int | None, end: int | None) -> tuple[float, float]:
    """Return start and duration in seconds. The duration is the rounded end minus the start."""
    first, last = out.round(out.precision, start or 0, end or 0)
    return first / SECOND, (last - first) / SECOND


SPEC = FormatSpec(
    title="Lhotse's supervisions and cuts: timed segments as JSON lines or YAML",
    sign='"recording_id" and "duration", or "supervisions"', read=read, write=write,
    holds=(*MANIFEST, "channels", "word times", "confidences"),
    needs=("recordings", "utterance ids", "segment times"),
    write_options=(decimals(FINEST),),
)  # fmt: skip
