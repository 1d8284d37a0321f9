"""Segments that are read for their words and names, without times and other columns."""

from __future__ import annotations

from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from formats.schema.model import Segment


class PlainSegment(NamedFields):
    """A segment with words and names, and nothing else.

    Short runs read small files into these, because `Segment` needs msgspec, which loads longer
    than they take. All other attributes of a segment have the values of a segment without them.
    """

    recording: str
    words: tuple[str, ...] = ()
    speaker: str | None = None
    utterance: str | None = None
    line: int | None = None

    channel: ClassVar[None] = None
    start_ns: ClassVar[None] = None
    end_ns: ClassVar[None] = None
    labels: ClassVar[tuple[()]] = ()
    starts_ns: ClassVar[None] = None
    ends_ns: ClassVar[None] = None
    confidences: ClassVar[None] = None
    kinds: ClassVar[None] = None
    optional: ClassVar[None] = None
    displays: ClassVar[None] = None
    interpolated: ClassVar[None] = None
    alternations: ClassVar[tuple[()]] = ()
    confidence: ClassVar[None] = None
    tier: ClassVar[None] = None
    properties: ClassVar[tuple[()]] = ()
    nbest: ClassVar[tuple[()]] = ()
    kind: ClassVar[str] = "segment"

    def segment(self) -> Segment:
        """Return the segment with these words and names."""
        from formats.schema.model import Segment

        return Segment(**self._asdict())
