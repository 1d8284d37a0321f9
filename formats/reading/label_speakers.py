"""Labels that are names of speakers, and segments that become turns without words.

The option ``--label-is speaker`` says so. Without it, texts are such labels if every one of the
first texts is a generic name, such as ``SPEAKER_00``: then a diariser wrote the file.
"""

from __future__ import annotations

from functools import wraps
from itertools import chain

from formats.detection.spec import Option
from formats.io.messages import LABELS_AS_SPEAKERS
from formats.reading.speakers import is_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from formats.io.source import Source
    from formats.schema.model import Segment

LABEL_IS = Option(
    "label_is",
    "text",
    "what labels contain: words, or the name of the speaker",
    ("text", "speaker"),
)

CHOICES = ("label_is", "field", "member", "columns", "pattern")
"""Options with which the user says what is the text."""
AROUND = "[](){}<>:|* "
"""Signs around a label that is all of a text."""
LOOKED_AT, FEWEST = 200, 3
"""The first segments that show whether all texts are labels, and the fewest of them."""
MOST_WORDS = 6
"""More words are no label."""


def reads_labels(read: Callable[..., Iterator[Segment]]) -> Callable[..., Iterator[Segment]]:
    """Add the option `LABEL_IS` to a reader of labels; return the new reader."""

    @wraps(read)
    def read_labels(source: Source, *, label_is: str = "text", **options: Any) -> Iterator[Segment]:
        segments = read(source, **options)
        return segments if label_is == "text" else map(as_turn, segments)

    return read_labels


def as_turn(segment: Segment) -> Segment:
    """Convert a segment to a turn without words; its text becomes the name of the speaker.

    >>> from formats.schema.model import Segment
    >>> as_turn(Segment.of("rec", ["Ann", "Lee"], start=1, end=2))
    <Segment rec speaker=Ann Lee 1.0..2.0: >
    """
    if not segment.words or segment.kind != "segment":
        return segment
    return segment.with_items(()).replace(speaker=" ".join(segment.words))


def with_labels_as_speakers(
    source: Source, segments: Iterator[Segment], options: Mapping[str, object]
) -> Iterator[Segment]:
    """Yield the segments; if every text is the label of a speaker, they are turns without words.

    The first 200 segments decide. They have times and no speakers, and labels return. Segments
    without text stay as they are.
    """
    chosen = any(options.get(name) not in (None, "") for name in CHOICES)
    if chosen or options.get("speaker_names") is False:
        return segments
    first: list[Segment] = []
    labels: list[str] = []
    for segment in segments:
        first.append(segment)
        if segment.words and (label := _label_of(segment)) is None:
            return chain(first, segments)
        labels += [label] if segment.words and label else []
        if len(first) >= LOOKED_AT:
            break
    if len(labels) < FEWEST or len({*labels}) == len(labels):
        return chain(first, segments)
    return _turns_of_labels(source, chain(first, segments))


def _label_of(segment: Segment) -> str | None:
    """Return the label of a speaker that is all the text of a segment with a time, or `None`.

    >>> from formats.schema.model import Segment
    >>> _label_of(Segment.of("rec", ["[Speaker", "1]:"], start=1)), _label_of(Segment.of("rec", []))
    ('Speaker 1', None)
    """
    if segment.speaker is not None or segment.start_ns is None or segment.kind != "segment":
        return None
    label = " ".join(segment.words[:MOST_WORDS]).strip(AROUND)
    return label if len(segment.words) < MOST_WORDS and is_label(label) else None


def _turns_of_labels(source: Source, segments: Iterator[Segment]) -> Iterator[Segment]:
    """Yield the segments whose text is a label as turns without words; count them in a note."""
    labels: set[str] = set()
    count = 0
    for segment in segments:
        label = _label_of(segment) if segment.words else None
        if label is not None:
            labels.add(label)
            count += 1
            segment = segment.with_items(()).replace(speaker=label)
        yield segment
    source.log.say(LABELS_AS_SPEAKERS, None, count=count, speakers=len(labels), text=min(labels))
