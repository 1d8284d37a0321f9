"""The content of one transcript file, and segments that are read for their words only."""

from __future__ import annotations

from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import ClassVar, SupportsIndex, overload

    from formats.schema.diagnostics import Diagnostic
    from formats.schema.model import Segment
    from formats.schema.words import Definition, Label


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


class Transcript(NamedFields):
    """The content of one file, in the order of the file.

    Attributes
    ----------
    segments: the segments; iterating, indexing and `len` work on the transcript itself.
    definitions: the ``LABEL`` and ``CATEGORY`` lines, in order.
    diagnostics: notes and warnings of the reader.
    source: the name of the file as given, or `None`.
    format: name of the format it was read from, or `None`.
    properties: named values of the file (``language``, ``duration``, ``fps``, …), pairs sorted by
        name.
    """

    segments: tuple[Segment, ...] = ()
    definitions: tuple[Definition, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    source: str | None = None
    format: str | None = None
    properties: tuple[tuple[str, str], ...] = ()

    if TYPE_CHECKING:

        def __init__(
            self,
            segments: Iterable[Segment] = (),
            definitions: Iterable[Definition] = (),
            diagnostics: Iterable[Diagnostic] = (),
            source: str | None = None,
            format: str | None = None,  # noqa: A002
            properties: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ("segments", "definitions", "diagnostics"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "properties", tuple(sorted(dict(self.properties).items())))

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: SupportsIndex) -> Segment: ...
        @overload
        def __getitem__(self, index: slice) -> tuple[Segment, ...]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Segment | tuple[Segment, ...]:
        return self.segments[index]

    @property
    def word_count(self) -> int:
        """The number of spoken words, including the words in all branches of alternations."""
        return sum(segment.word_count for segment in self.segments)

    def word_labels(self) -> Iterator[Label]:
        """Yield one label per word of the transcript.

        An alternation gives only its first branch.
        """
        for segment in self.segments:
            yield from segment.word_labels()

    def __repr__(self) -> str:
        of = "" if self.source is None else f" of {self.source}"
        kind = "" if self.format is None else f" ({self.format})"
        return f"<Transcript{of}{kind}: {len(self.segments)} segments, {self.word_count} words>"
