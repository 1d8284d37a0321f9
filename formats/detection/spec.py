"""The description of a format: names, options, reader, writer and detection.

*To add a format*, write one module with a `SPEC` at its end, one row in
`formats.detection` with name, suffixes and detection rules, a case for the contract tests,
and a page of the manual. For JSON with turns and words, a table in `formats.json.providers`
replaces the module.
"""

from __future__ import annotations

from formats.schema import IntEnum, NamedTuple
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    from formats.schema.model import Segment
    from formats.schema.words import Definition
else:
    Protocol = object

# Called as `write(segments, sink, **options)`.
WriteFunction: TypeAlias = "Callable[..., Any]"

FEATURES = (
    *("words", "words with blanks", "recordings", "channels", "speakers", "utterance ids"),
    *("segment times", "labels", "definitions", "word times", "confidences", "word types"),
    *("optional marks", "display forms", "alternations", "segment confidences", "tiers"),
    *("properties", "other hypotheses", "empty segments", "gaps", "ignored regions"),
    *("scored regions", "events", "queries", "segment boundaries", "comments"),
)
"""Kinds of content that some formats can hold and others cannot.

``properties`` are those of segments; `FormatSpec.properties` lists their names if a format keeps
only some. All formats except lists of regions hold ``words``. ``gaps`` are segments of this kind;
formats without them write ordinary segments.
"""


class Sniff(IntEnum):
    """How certain a format's detection is that a text is in this format."""

    NEVER = -1
    """Not even where the name of the file says so."""
    NO = 0
    MAYBE = 1
    SURE = 2


class SegmentSource(Protocol):
    """What writers and conversions read: a `Transcript` or a stream of segments.

    `definitions` may grow while a stream is read.
    """

    @property
    def definitions(self) -> Sequence[Definition]:
        """The header definitions read so far."""

    @property
    def source(self) -> str | None:
        """The name of the file that the segments come from, or `None`."""

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """The properties of the file read so far, such as ``language``."""

    def __iter__(self) -> Iterator[Segment]: ...


class DerivedSegments:
    """Segments that were derived from others.

    The properties of the file are those of the original segments.
    """

    def __init__(self, origin: SegmentSource, segments: Iterable[Segment]) -> None:
        self._origin = origin
        self._segments = segments
        self.are_properties_read = False

    @property
    def definitions(self) -> Sequence[Definition]:
        """The header definitions read so far."""
        return self._origin.definitions

    @property
    def source(self) -> str | None:
        """The name of the file that the segments come from, or `None`."""
        return self._origin.source

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """The properties of the file read so far."""
        self.are_properties_read = True
        return self._origin.properties

    def __iter__(self) -> Iterator[Segment]:
        return iter(self._segments)


class Option(NamedFields):
    """One keyword argument of a format's `read` or `write`; each becomes a command-line option.

    Empty `choices` allow any value. `is_path` means that the value names a file, which is read
    together with the input. An `is_repeatable` option can be given several times; the reader gets
    one text with empty lines between the values, and ``@FILE`` stands for the text of a file.
    """

    name: str
    default: object
    help: str
    choices: tuple[object, ...] = ()
    is_path: bool = False
    is_repeatable: bool = False

    def __post_init__(self) -> None:
        if self.is_switch:
            object.__setattr__(self, "choices", (False, True))

    @property
    def is_switch(self) -> bool:
        """True if the command-line option takes no value."""
        return isinstance(self.default, bool)

    def __repr__(self) -> str:
        return f"Option({self.name}={self.default!r})"


ESCAPE_MARKUP = Option(
    "escape_markup", False, "replace markup characters in words by characters that look similar"
)
TEXT_FIELD = Option("field", "text", "name of the member or column that holds the words")
TIME_UNITS = {"s": 1, "ms": 1000, "us": 1_000_000}
"""The number of units in a second, by their names in options."""
UNIT_HELP = (
    "unit of the times that are read from tables and JSON; auto: chosen by the size of the numbers "
    "(default: auto; for Parquet and Arrow: s)"
)
UNIT_OPTION = Option("time_unit", "auto", UNIT_HELP, ("auto", *TIME_UNITS))
MEMBER = Option(
    "member", "", "names of members or columns by role, for example start=startMs,text=line"
)


def loaded_later(load: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that imports the module of another (with `load`) when it is called."""

    def call(*arguments: object, **options: object) -> Any:
        return load()(*arguments, **options)

    return call


def decimals(usual: int = 3) -> Option:
    """Return the writer option that sets the number of decimals of seconds."""
    return Option(
        "precision",
        usual,
        "decimals of the times to write (default: 3 in most formats)",
        tuple(range(10)),
    )


def options_of(
    shared: type[NamedFields], helps: Mapping[str, str], choices: Mapping[str, tuple[object, ...]]
) -> tuple[Option, ...]:
    """Return the fields of a class as options of several formats, with their help and choices."""
    return tuple(
        Option(name, default, helps[name], choices.get(name, ()))
        for name, default in shared._field_defaults.items()
    )


class FormatSpec(NamedFields, kw_only=True):
    """One format: its names, abilities, options and functions.

    Attributes
    ----------
    title: the name of the format in lists and messages.
    sign: description of its typical content, for errors about other content.
    read: ``read(source, **options)``, a generator of segments.
    sniff: ``sniff(head)``, given the beginning of a text as a `formats.detection.head.Head`. If
        the row of the format in `formats.detection` has rules, the registry sets it.
    write: ``write(segments, sink, **options)``, or `None` for a format that is only read.
    create: like `write`, for a format that is also an object of a library; returns the object.
    holds: features (names in `FEATURES`, as a collection or one text) that are preserved if a file
        is written and read again.
    properties: names of the properties of segments that are preserved, if not all are preserved.
    needs: features (names in `FEATURES`) without which a segment cannot be written.
    read_options, write_options: the keywords of `read` and `write`.
    folder_files: names of the files in an output that is a folder (`Sink.folder`); empty for a
        format of single files.
    has_one_recording: True if a file holds one recording, because the format says so, or because
        the format has times but no names of recordings.
    has_plain_names: True if names of recordings, channels, speakers and utterances are fields of a
        line, so that names cannot have blanks.
    turn_text: the text written for a turn without words, with ``{}`` for its speaker; empty if such
        a turn is written without text, or not at all.
    unnamed_texts: returns the members of JSON values that have texts, if no name says which text
        was spoken; for the format that reads any JSON.
    name, shape, suffixes: set by the list of formats in `formats.detection`.
    """

    title: str
    sign: str
    read: Callable[..., Iterator[Any]]
    sniff: Callable[[Any], Sniff] = lambda head: Sniff.NO
    write: Callable[..., None] | None = None
    create: Callable[..., Any] | None = None
    holds: Collection[str] = ()
    properties: Collection[str] = ()
    needs: Collection[str] = ()
    read_options: tuple[Option, ...] = ()
    write_options: tuple[Option, ...] = ()
    folder_files: tuple[str, ...] = ()
    has_one_recording: bool = False
    has_plain_names: bool = False
    turn_text: str = ""
    unnamed_texts: Callable[[list[Any]], list[str]] | None = None
    name: str = ""
    shape: str = "text"
    suffixes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("holds", "properties", "needs"):
            value = getattr(self, name)
            names = value.split(", ") if isinstance(value, str) else value
            object.__setattr__(self, name, frozenset(names))
        unknown = {*self.holds, *self.needs}.difference(FEATURES)
        if unknown:
            raise ValueError(f"no such feature: {', '.join(sorted(unknown))}")
        is_timed = not {"segment times", "word times"}.isdisjoint(self.holds)
        if is_timed and "recordings" not in self.holds:
            object.__setattr__(self, "has_one_recording", True)

    def __repr__(self) -> str:
        return f"<FormatSpec {self.name}: {self.title}>"


class ListedFormat(NamedTuple):
    """An entry of the format list: the format's module, and data that need no import."""

    name: str
    shape: str
    """The kind of its content: ``text``, ``xml`` or ``json``."""
    home: str
    """Its module, and with a colon the name of its spec there if that is not ``SPEC``."""
    suffixes: tuple[str, ...] = ()
    """Endings that mean this format; with a slash before, whole file names."""
    shared: tuple[str, ...] = ()
    """Endings that this format has in common with others: they decide nothing."""
    keeps_bytes: bool = False
    """True if it reads text with stray bytes in it, so that these do not end the detection."""
    may_be_yaml: bool = False
    """True if its JSON may be written as YAML, too."""
    sure: str = ""
    """Rules for content of this format, with blanks between; without any its reader is asked."""
    possible: str = ""
    """Rules for content that may be of this format."""
    excluded: str = ""
    """Rules for content that is of another format, whatever else it shows."""
    asks_reader: bool = False
    """True if the format's own detection decides when the rules of no format are sure."""
    signs: str = ""
    """Texts with blanks between, of which a text of this format contains one, or its first bytes
    do; 0 is any digit. Without a sign the reader is neither loaded nor asked."""

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def has_rules(self) -> bool:
        """True if rules recognise the format, not its reader alone."""
        return bool(self.sure or self.possible or self.excluded)


# Files that another format's reader would accept with wrong words. Detection rejects them by name;
# a format that is named explicitly (``--from``) wins, as always.
TAKEN_FOR = ("txt", "txt-lines", "kaldi", "stm")
