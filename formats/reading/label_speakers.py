"""The option ``--label-is speaker``: labels are names of speakers, and segments become turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any

from formats.detection.spec import Option

if TYPE_CHECKING:
    from formats.io.source import Source
    from formats.schema.model import Segment

LABEL_IS = Option(
    "label_is",
    "text",
    "what labels contain: words, or the name of the speaker",
    ("text", "speaker"),
)


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
