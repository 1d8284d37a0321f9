"""What a format tells about itself.

*Adding a format* is one module with `read`, `write` and `sniff`, a `SPEC` at its foot, one line
in `formats.registry`, a case for the contract suite with its odd files, one page of the manual. A
format judges only its own kind of content and knows no other format.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from formats.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from formats.head import Head
    from formats.model import Segment
    from formats.words import Definition

__all__ = ["FEATURES", "FormatSpec", "Option", "SegmentSource", "Sniff"]

FEATURES = (
    "words",
    "words with blanks",
    "recordings",
    "channels",
    "speakers",
    "utterance ids",
    "segment times",
    "labels",
    "definitions",
    "word times",
    "confidences",
    "word types",
    "optional marks",
    "display forms",
    "alternations",
    "segment confidences",
    "tiers",
    "properties",
    "other hypotheses",
    "empty segments",
    "gaps",
    "ignored regions",
    "scored regions",
    "events",
    "queries",
    "segment boundaries",
    "comments",
)
"""Everything that some format can hold and another cannot.

``properties`` are those of segments; a format that keeps only some of them by name says which in
`FormatSpec.properties`. ``words`` is held by all formats but lists of regions. ``gaps`` are
segments of that kind, which elsewhere are segments like others.
"""


class Sniff(enum.IntEnum):
    """How sure a format is that some text is its own."""

    NEVER = -1
    """Not even where the name of the file says so."""
    NO = 0
    MAYBE = 1
    SURE = 2


class SegmentSource(Protocol):
    """What writers and conversions take: a `Transcript`, or a stream of segments.

    `definitions` may grow while segments are taken from a stream.
    """

    @property
    def definitions(self) -> Sequence[Definition]:
        """Header definitions known so far."""

    @property
    def source(self) -> str | None:
        """The file the segments come from."""

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """What is known so far of the file as a whole, such as its ``language``."""

    def __iter__(self) -> Iterator[Segment]: ...


class Option(Value):
    """One keyword of a format's `read` or `write`; the command makes a flag of it.

    Attributes
    ----------
    name: the keyword, such as ``id_type`` (flag ``--id-type``).
    choices: allowed values, or empty for any.
    default: the value when it is not given.
    help: one line for people.
    is_path: whether the value names a file, which is read with the input.
    """

    __slots__ = ("choices", "default", "help", "is_path", "name")

    name: str
    choices: tuple[object, ...]
    default: object
    help: str
    is_path: bool

    def __init__(
        self,
        name: str,
        default: object,
        help: str,  # noqa: A002
        choices: Sequence[object] = (),
        *,
        is_path: bool = False,
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "default", default)
        put(self, "help", help)
        put(self, "choices", tuple(choices))
        put(self, "is_path", is_path)

    @property
    def is_switch(self) -> bool:
        """Whether the flag takes no value."""
        return isinstance(self.default, bool)

    def __repr__(self) -> str:
        return f"Option({self.name}={self.default!r})"


class FormatSpec(Value):
    """Name, abilities and functions of one format.

    Attributes
    ----------
    name, title: what people type and what they read.
    suffixes: file-name endings with their point, lower case.
    read: ``read(source, **options)``, a generator of segments.
    write: ``write(segments, sink, **options)``, or `None` for a format that is only read.
    sniff: ``sniff(head)``, given the beginning of a text as a `formats.head.Head`.
    shape: ``text``, ``xml`` or ``json``: how its content begins.
    holds: names out of `FEATURES`: what survives writing and reading.
    properties: names of segments' properties that survive, if not all of them do.
    needs: names out of `FEATURES`: what there must be to write it.
    read_options, write_options: the keywords of `read` and `write`.
    streams: whether `write` takes segments as they come, without holding all of them.
    folder_files: names of the files that an output gets that is a folder (`Sink.folder`); empty
        for a format of single files.
    has_one_recording: whether a file is of one recording: said by the format, or because it has
        times and no place for names of recordings.
    has_plain_names: whether names of recordings, channels, speakers and utterances are fields of
        a line, so that there can be no blanks in them.
    manual: one paragraph.
    """

    __slots__ = (
        "folder_files",
        "has_one_recording",
        "has_plain_names",
        "holds",
        "manual",
        "name",
        "needs",
        "properties",
        "read",
        "read_options",
        "shape",
        "sniff",
        "streams",
        "suffixes",
        "title",
        "write",
        "write_options",
    )

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[..., Iterator[Segment]]
    write: Callable[..., None] | None
    sniff: Callable[[Head], Sniff]
    shape: str
    holds: frozenset[str]
    properties: frozenset[str]
    needs: frozenset[str]
    read_options: tuple[Option, ...]
    write_options: tuple[Option, ...]
    streams: bool
    folder_files: tuple[str, ...]
    has_one_recording: bool
    has_plain_names: bool
    manual: str

    def __init__(
        self,
        *,
        name: str,
        title: str,
        suffixes: Sequence[str],
        read: Callable[..., Iterator[Segment]],
        write: Callable[..., None] | None,
        sniff: Callable[[Head], Sniff],
        holds: Sequence[str],
        shape: str = "text",
        properties: Sequence[str] = (),
        needs: Sequence[str] = (),
        read_options: Sequence[Option] = (),
        write_options: Sequence[Option] = (),
        streams: bool = False,
        folder_files: Sequence[str] = (),
        has_one_recording: bool = False,
        has_plain_names: bool = False,
        manual: str = "",
    ) -> None:
        unknown = {*holds, *needs}.difference(FEATURES)
        if unknown:
            raise ValueError(f"no such feature: {', '.join(sorted(unknown))}")
        put = object.__setattr__
        put(self, "name", name)
        put(self, "title", title)
        put(self, "suffixes", tuple(suffixes))
        put(self, "read", read)
        put(self, "write", write)
        put(self, "sniff", sniff)
        put(self, "shape", shape)
        put(self, "holds", frozenset(holds))
        put(self, "properties", frozenset(properties))
        put(self, "needs", frozenset(needs))
        put(self, "read_options", tuple(read_options))
        put(self, "write_options", tuple(write_options))
        put(self, "streams", streams)
        put(self, "folder_files", tuple(folder_files))
        is_timed = not {"segment times", "word times"}.isdisjoint(holds)
        is_of_one = has_one_recording or (is_timed and "recordings" not in holds)
        put(self, "has_one_recording", is_of_one)
        put(self, "has_plain_names", has_plain_names)
        put(self, "manual", manual)

    def __repr__(self) -> str:
        return f"<FormatSpec {self.name}: {self.title}>"
