"""jsonl: one JSON object per utterance, in this package's lossless layout or as a data set row.

Members are recognised by their usual names (`formats.manifests.roles`): the words (``text``,
``sentence``, …; with ``field="pred_text"`` those of a recogniser), ``id``, ``recording`` or an
audio file, ``speaker``, ``channel``, ``start``, and ``end`` or ``duration`` in seconds. Other
members become properties. ``audio`` may be an object with ``path``; audio data inside the file is
ignored.

`write` preserves everything in a segment. ``words`` lists words with times, confidences, kinds and
display forms, and alternations as ``{"alternation": [[…], […]]}``. The members ``kind``, ``tier``,
``labels``, ``confidence``, ``nbest`` and ``properties`` are written if they have a value. The
reader interprets all of these members only in objects with a ``recording``.
"""

from __future__ import annotations

from itertools import repeat

from formats.detection.spec import (
    FEATURES,
    MEMBER,
    TEXT_FIELD,
    UNIT_OPTION,
    FormatSpec,
    Option,
    SegmentSource,
    decimals,
    loaded_later,
)
from formats.manifests.records import RecordOut, dump, first_words
from formats.reading.lines import split_words
from formats.schema.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from formats.detection.head import Head
    from formats.detection.spec import Sniff
    from formats.io.sink import Sink
    from formats.schema.model import Segment


def _reader() -> Callable[..., Iterator[Segment]]:
    """Load the function that reads."""
    from formats.json.jsonl import read

    return read


def sniff(head: Head) -> Sniff:
    """Return whether the text has objects with a text, as `formats.json.jsonl` finds."""
    from formats.json.jsonl import sniff

    return sniff(head)


def write(segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write one JSON object per line with all attributes of a segment."""
    for segment in segments:
        sink.write(dump(record_of_segment(RecordOut(segment, sink, precision))) + "\n")


def record_of_segment(out: RecordOut) -> dict[str, object]:
    """Return a segment as a JSON object without empty members."""
    segment = out.segment
    record: dict[str, object] = {"recording": segment.recording}
    names = (
        ("id", segment.utterance),
        ("channel", segment.channel),
        ("speaker", segment.speaker),
        ("tier", segment.tier),
    )
    for member, name in names:
        if name is not None:
            record[member] = name
    record.update(out.times())
    if segment.kind != "segment":
        record["kind"] = segment.kind
    record["text"] = " ".join(first_words(segment))
    if not _says_all(segment) and (words := _written_words(segment, out)):
        record["words"] = words
    if segment.labels:
        record["labels"] = list(segment.labels)
    if segment.confidence is not None:
        record["confidence"] = segment.confidence
    if segment.nbest:
        record["nbest"] = [
            {"words": list(words)} if score is None else {"score": score, "words": list(words)}
            for score, words in segment.nbest
        ]
    if segment.properties:
        record["properties"] = dict(segment.properties)
    return record


def _says_all(segment: Segment) -> bool:
    """Return True if the text alone is enough to restore the words of a segment."""
    columns = (segment.starts_ns, segment.ends_ns, segment.confidences, segment.kinds)
    more = (segment.optional, segment.displays, segment.interpolated)
    if segment.alternations or any(column is not None for column in (*columns, *more)):
        return False
    words = segment.words
    text = " ".join(words)
    # what looks like a token of a model stays only where words are listed
    is_plain = not any(sign in text for sign in ("\n", "\r", "<|"))
    return is_plain and tuple(split_words(text)) == words


def _written_words(segment: Segment, out: RecordOut) -> list[dict[str, object]]:
    """Return one object per word; an alternation is an object at its position."""

    def seconds(times: Sequence[int | None]) -> list[float | None]:
        if out.precision >= 9:
            return [None if time is None else time / SECOND for time in times]
        return [None if time is None else out.seconds(time) for time in times]

    columns: dict[str, Sequence[object] | None] = {
        "word": segment.words,
        "start": segment.starts_ns and seconds(segment.starts_ns),
        "end": segment.ends_ns and seconds(segment.ends_ns),
        "confidence": segment.confidences,
        "type": segment.kinds,
        "display": segment.displays,
        "optional": segment.optional and [flag or None for flag in segment.optional],
        "interpolated": segment.interpolated and [flag or None for flag in segment.interpolated],
    }
    names, present = zip(*((n, c) for n, c in columns.items() if c is not None), strict=True)
    rows = map(zip, repeat(names), zip(*present, strict=True))
    words: list[dict[str, object]] = [*map(dict, rows)]
    for name, column in zip(names, present, strict=True):
        if None in column:
            for word in words:
                if word[name] is None:
                    del word[name]
    for position, choice in reversed(segment.alternations):
        branches = [_written_words(segment.with_items(b), out) for b in choice.branches]
        words.insert(position, {"alternation": branches})
    return words


SPEC = FormatSpec(
    title="JSON lines: one object per utterance, ours or those of data sets",
    sign='lines of objects with a "text"',
    read=loaded_later(_reader),
    write=write,
    sniff=sniff,
    holds=tuple(name for name in FEATURES if name not in ("definitions", "comments")),
    read_options=(
        TEXT_FIELD,
        UNIT_OPTION,
        Option("stringify", False, "if a text is a JSON number, read the number as a word"),
        MEMBER,
    ),
    write_options=(decimals(9),),
)
