"""The functions `read` (a whole file), `stream` (segment by segment) and `detect` (the format).

The modules of this package have the code that readers share: lines, columns, XML.
"""

from __future__ import annotations

import os

from formats.detection import by_name, is_sure, load_spec, named_by, seen_head
from formats.detection.spec import TAKEN_FOR
from formats.io.decoding import LARGEST_INPUT
from formats.io.source import (
    PausedCollection,
    Readable,
    Source,
    is_collection,
    open_source,
    recording_of,
)
from formats.schema import LARGEST, may_have_plugins
from formats.schema.diagnostics import Diagnostic
from formats.schema.errors import (
    FileLine,
    FormatError,
    OptionError,
    SyntaxFormatError,
    close_names,
    quoted,
    release_frames,
)
from formats.schema.transcript import Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from formats.detection.spec import FormatSpec, Option
    from formats.schema.model import Segment
    from formats.schema.words import Definition

GENERIC = ("json", "jsonl")
"""Formats that read members by what their names mean."""
PLAIN = ("txt", "txt-lines")
"""Formats of texts in which everything is a word, also the tokens of a model."""
LAYOUTS = (*PLAIN, "speaker-text", "markdown", "docx", "rtf")
"""Formats of texts in which no names of columns or members say what a part is."""
UNNAMED = frozenset((*GENERIC, "csv", "tsv", "xlsx", "parquet", *LAYOUTS))
"""Formats of layouts of people's own, in which a part may have been taken for words."""
OF_LABELS = ("label_is", "speaker_names")
"""Options of formats whose texts may be names of speakers."""
DESCRIBED = "speaker-text"
"""The format of a text whose layout an option describes."""


def described_format(source: Source) -> str:
    """Return the format of a text whose layout the user describes: plain text or RTF."""
    head = source.head_lines() if source.folder is None and source.document is None else []
    return "rtf" if head and head[0].startswith("{\\rtf") else DESCRIBED


class SegmentStream:
    """The segments of a file as they are read.

    Iterate once and then close it, or use ``with``.

    `definitions` and `diagnostics` grow during iteration. `spec` is the format.
    """

    def __init__(self, source: Source, spec: FormatSpec, options: Mapping[str, object]) -> None:
        self._source = source
        self._segments = _something_of(spec, source, options)
        self.spec = spec

    @property
    def format(self) -> str:
        """The name of the format."""
        return self.spec.name

    @property
    def source(self) -> str:
        """The name of the file as given, or ``<stdin>`` or ``<stream>``."""
        return self._source.name

    @property
    def definitions(self) -> Sequence[Definition]:
        """The ``LABEL`` and ``CATEGORY`` lines read so far."""
        return self._source.definitions

    @property
    def properties(self) -> Sequence[tuple[str, str]]:
        """The properties of the file read so far, sorted by name."""
        return tuple(sorted(self._source.properties.items()))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The reader's messages so far: at most 20 of a kind, then the number of the others."""
        return self._source.log.entries()

    @property
    def skipped(self) -> int:
        """The number of records skipped so far (only in limited and lenient reading)."""
        return self._source.log.errors

    @property
    def tolerance(self) -> str:
        """The tolerance of the reader."""
        return self._source.log.tolerance

    def __iter__(self) -> Iterator[Segment]:
        return self._segments

    def close(self) -> None:
        """Close the file if this object opened it."""
        self._source.close()

    def __enter__(self) -> SegmentStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _may_have_labels(spec: FormatSpec) -> bool:
    """Return True if the texts of a format may all be labels of speakers, as of a diariser."""
    is_unnamed = spec.name in UNNAMED and spec.name not in PLAIN
    return is_unnamed or any(option.name in OF_LABELS for option in spec.read_options)


def _something_of(
    spec: FormatSpec, source: Source, options: Mapping[str, object]
) -> Iterator[Segment]:
    """Yield the segments of a file; raise an error if the file has no data of its format."""
    count = early = 0
    is_own = spec.name in UNNAMED and spec.name not in LAYOUTS
    try:
        if source.tree not in (None, spec.name):
            kind = "a folder" if source.document is None else "an object"
            raise SyntaxFormatError(
                path=source.name,
                expected=f"a file of {spec.name}",
                found=f"{kind} of {source.tree}",
            )
        head = source.head_lines() if spec.shape == "json" else []
        segments = spec.read(source, **options)
        if head:
            from formats.reading.accounting import accounted

            segments = accounted(source, head, segments, is_generic=spec.name in GENERIC)
        segments = _checked(spec, source, options, segments)
        for segment in segments:
            start, end = segment.start_ns, segment.end_ns
            # most have both and no times of words: seen here, since a call costs as much as a turn
            has_words = segment.starts_ns or segment.ends_ns or segment.alternations
            if start is end is None and not has_words:
                pass
            elif has_words or start is None or end is None or not 0 <= start <= end <= LARGEST:
                sound = _with_sound_times(source, segment, is_own and early <= count // 10)
                if sound is None:
                    continue
                early += sound is not segment
                segment = sound
            count += 1
            yield segment
        is_silent = count or source.is_silent or source.log.errors
        if not is_silent and any(map(str.strip, head)):
            from formats.detection.head import Head
            from formats.detection.signs import nothing_of

            source.log.reject("NOTHING", nothing_of(spec, Head(head), source.name))
        source.log.check_limit(count)
    except FormatError as error:
        if isinstance(error, SyntaxFormatError) and not count:
            _add_other_format(error, spec, source)
        release_frames(error)
        raise


def _checked(
    spec: FormatSpec, source: Source, options: Mapping[str, object], segments: Iterator[Segment]
) -> Iterator[Segment]:
    """Return the segments; report texts that are no speech, and names that are the only texts."""
    if _may_have_labels(spec):
        from formats.reading.label_speakers import with_labels_as_speakers

        segments = with_labels_as_speakers(source, segments, options)
    has_words_only = spec.name in PLAIN and source.has_words_only()
    if spec.name in UNNAMED and not has_words_only:
        from formats.reading.data_texts import checked_segments

        chosen = (options.get(name) for name in ("field", "member", "columns"))
        is_chosen = any(value not in (None, "", "text") for value in chosen)
        is_rejected = spec.name not in LAYOUTS and not is_chosen
        segments = checked_segments(
            source,
            segments,
            is_rejected=is_rejected,
            has_tokens=spec.name not in PLAIN,
            is_table=spec.name not in (*LAYOUTS, "json"),
            has_fields=spec.name not in (*LAYOUTS, *PLAIN),
        )
    return segments


def _with_sound_times(source: Source, segment: Segment, may_lack_end: bool) -> Segment | None:
    """Return a segment whose times are sound, perhaps without its end; reject any other."""
    from formats.schema.model import fault_of_times

    fault = fault_of_times(segment)
    start, end = segment.start_ns, segment.end_ns
    if may_lack_end and start is not None and end is not None and 0 <= end < start:
        segment = segment.replace(end_ns=None)
        fault = fault_of_times(segment)
        if fault is None:
            from formats.io.messages import END_EARLY

            source.log.say(END_EARLY, segment.line)
    if fault is not None:
        source.log.reject("TIMES", source.syntax_error(segment.line, *fault))
        return None
    return segment


def _add_other_format(error: FormatError, spec: FormatSpec, source: Source) -> None:
    """Add a hint to an error if the content clearly has another format."""
    if not os.path.isfile(source.name):
        return
    from formats.detection.content import sure_of

    try:
        with open_source(source.name, encoding=source.encoding) as again:
            name = sure_of(again)
    except FormatError:
        return
    if name not in (None, spec.name) and not _names_columns(error):
        from formats.io.messages import OTHER_FORMAT

        error.advise(OTHER_FORMAT, source.log.side, format=name)


def _names_columns(error: FormatError) -> bool:
    """Return True if an error names columns that have texts: the content is a table."""
    fields = {} if error.value is None else error.value.fields
    columns = fields.get("found", [])
    return (
        bool(columns)
        and "first" in fields
        and not any(":" in name or len(name.split()) > 3 for name in columns)
    )


def stream(
    target: Readable,
    format: str | None = None,  # noqa: A002
    *,
    encoding: str = "auto",
    recording: str | None = None,
    tolerance: str = "default",
    max_bytes: int = LARGEST_INPUT,
    side: str = "",
    where_known: Mapping[str, object] | None = None,
    **options: object,
) -> SegmentStream:
    """Open a file and iterate over its segments; memory use does not grow with the file.

    Parameters
    ----------
    target: a path, ``"-"`` for standard input, or a text or binary stream; gzip is recognised. An
        `SSAFile` of pysubs2 and a `TextGrid` of textgrid are read as ``ass`` and ``textgrid``.
    format: name of the format; by default it is detected from content, then from the suffix.
    encoding: codec name, or ``auto`` (UTF-8, otherwise a reliable guess, with a warning; see
        `formats.io.source.open_source`).
    recording: name of the recording if the content has none; default the file's stem.
    tolerance: ``strict`` (warnings are errors), ``default`` (a bad record is an error), ``limited``
        (bad records are skipped; a file with too many is rejected at its end), ``lenient`` (bad
        records are skipped); see `formats.schema.diagnostics.TOLERANCES`.
    max_bytes: inputs with more bytes are rejected.
    side: the side of the input, such as ``reference``, for options named in messages.
    where_known: options that are used if the format has them, and ignored otherwise.
    options: keywords of the format's reader, such as ``id_type="wsj"`` for trn.

    Raises
    ------
    FormatError: one of its subclasses, here or during iteration.
    """
    source = open_source(
        target,
        encoding=encoding,
        recording=recording,
        tolerance=tolerance,
        max_bytes=max_bytes,
        side=side,
    )
    try:
        if format is None and options.get("pattern"):
            format = described_format(source)  # noqa: A001
        spec = by_name(format) if format is not None else detect_source(source)
        known = {option.name for option in spec.read_options}
        shared = {name: value for name, value in (where_known or {}).items() if name in known}
        return SegmentStream(source, spec, checked_options(spec, shared | options, "read"))
    except BaseException as error:
        source.close()
        if isinstance(error, FormatError):
            release_frames(error)
        raise


def read(
    target: Readable,
    format: str | None = None,  # noqa: A002
    *,
    encoding: str = "auto",
    recording: str | None = None,
    tolerance: str = "default",
    max_bytes: int = LARGEST_INPUT,
    side: str = "",
    where_known: Mapping[str, object] | None = None,
    **options: object,
) -> Transcript:
    """Read a whole file; parameters and errors are those of `stream`.

    A folder, pattern or archive is expanded to its files, as by ``formats convert``. A folder that
    is a single input, such as a corpus, is not expanded. All files must have the same format. The
    line of a segment also names its file; the note ``FILES`` lists the files read and skipped.

    Raises
    ------
    UnreadableFileError: a folder, pattern or archive has no files.
    AmbiguousFormatError: the files have several formats.
    SyntaxFormatError: two files have the same stem, so that their recordings would have the same
        name.

    Examples
    --------
    >>> from io import StringIO
    >>> transcript = read(StringIO("hello { um / @ } world (anne-1)"), "trn")
    >>> transcript[0]
    <Segment stream speaker=anne utterance=anne-1: 'hello' ('um' / @) 'world'>
    """
    reading = {"recording": recording, "tolerance": tolerance, "max_bytes": max_bytes, **options}
    keywords: dict[str, Any] = {
        "encoding": encoding, "side": side, "where_known": where_known,
        **reading,
    }  # fmt: skip
    path = os.fspath(target) if isinstance(target, (str, os.PathLike)) else None
    if path is not None and is_collection(path):
        return _read_all(path, format, keywords)
    with (
        PausedCollection(does_pause=path is not None),
        stream(target, format, **keywords) as segments,
    ):
        return Transcript(
            tuple(segments),
            segments.definitions,
            segments.diagnostics,
            segments.source,
            segments.format,
            segments.properties,
        )


def _read_all(path: str, format_name: str | None, arguments: Mapping[str, Any]) -> Transcript:
    """Read the files of a folder, a pattern or an archive as a single transcript."""
    from formats.detection.errors import AmbiguousFormatError, UnknownFormatError
    from formats.reading.inputs import PREFERRED, expand, in_one_format, opened, said_alike

    suffixes = PREFERRED if format_name is None else by_name(format_name).suffixes
    inputs = in_one_format(expand([path]), suffixes)
    parts: list[Transcript] = []
    segments: list[Segment] = []
    named: dict[str, str] = {}
    for file, open_it in opened(inputs.files):
        try:
            part = read(open_it(), format_name, **arguments)
        except (UnknownFormatError, AmbiguousFormatError) as error:
            from formats.io.messages import IN_COLLECTION

            error.advise(IN_COLLECTION, path=path, report=inputs.report)
            raise
        if parts and part.format != parts[0].format:
            raise AmbiguousFormatError(
                "expected files of one format (select them with a pattern), found "
                f"{parts[0].format} in {parts[0].source}, {part.format} in {part.source}",
                path=path,
                candidates=[str(file.format) for file in (parts[0], part)],
            )
        stem = recording_of(file.path)
        is_named_by_file = arguments["recording"] is None and any(
            segment.utterance is None and segment.recording == stem for segment in part
        )
        if is_named_by_file and named.setdefault(stem, file.path) != file.path:
            raise SyntaxFormatError(
                path=file.path,
                expected="another name: the recording is named after the file",
                found=f"{quoted(stem)}, as of {named[stem]}",
            )
        parts.append(part)
        segments += (
            segment
            if segment.line is None
            else segment.replace(line=FileLine(segment.line, file.path))
            for segment in part
        )
    if all(
        (file.utterance, file.start_ns, file.starts_ns) == (None, None, None) for file in segments
    ):
        # each file is one text: an empty file among them is an empty text
        from formats.schema.model import Segment

        silent = [Segment(recording_of(part.source or path), ()) for part in parts if not part]
        segments += silent if arguments["recording"] is None else []
    note = Diagnostic(inputs.report, path)
    return Transcript(
        segments,
        dict.fromkeys(definition for part in parts for definition in part.definitions),
        [note, *(diagnostic for part in parts for diagnostic in part.diagnostics)],
        path,
        parts[0].format,
        said_alike(part.properties for part in parts),
    )


def checked_options(
    spec: FormatSpec, options: Mapping[str, object], verb: str
) -> dict[str, object]:
    """Return validated options for ``read`` or ``write`` of a format."""
    accepted: Sequence[Option] = spec.read_options if verb == "read" else spec.write_options
    by_option = {option.name: option for option in accepted}
    checked: dict[str, object] = {}
    for name, value in options.items():
        option = by_option.get(name)
        if option is None:
            near = close_names(name, tuple(by_option))
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            takes = ", ".join(by_option) or "none"
            raise OptionError(
                f"options to {verb} {spec.name}: expected {takes}, found {quoted(name)}{meant}"
            )
        checked[name] = checked_option(option, value)
    return checked


def checked_option(option: Option, value: object) -> object:
    """Convert an option value to its type; numbers and switches may be given as text."""
    if option.choices:
        for choice in option.choices:
            if value == choice or value in (str(choice), _named(choice)):
                return choice
        choices = ", ".join(map(_named, option.choices))
        raise OptionError(expected=f"{option.name} out of {choices}", found=quoted(str(value)))
    kind = type(option.default)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is str and isinstance(value, os.PathLike):
        return os.fspath(value)
    if kind is str and is_number:
        return str(value)
    if isinstance(value, kind) or (kind is float and is_number):
        return value
    if isinstance(value, str):
        meant = _meant(value, kind)
        if meant is not None:
            return meant
    noun = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}[kind]
    raise OptionError(expected=f"{option.name} as {noun}", found=quoted(repr(value)))


def _named(choice: object) -> str:
    """Return the text of a choice; a switch is ``true`` or ``false``."""
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _meant(text: str, kind: type[object]) -> object:
    """Parse a text as an option value of the type `kind`; return `None` if it is invalid."""
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower())
    try:
        value = int(text) if kind is int else float(text)
    except ValueError:
        return None
    plain = text.isascii() and "_" not in text and text == text.strip()
    return value if plain and value - value == 0 else None


def detect_source(source: Source, *, one_of_two: bool = False) -> FormatSpec:
    """Detect the format of an opened input from its content, then from its suffix.

    The errors are the same as those of `detect`.

    The format of the file's suffix has priority if its detection answers "sure". Otherwise any
    other format that answers "sure" is chosen, with a warning. If no format is sure, the suffix
    decides. If several formats share the suffix, a format that answers "maybe" is chosen if it is
    the only one. JSON whose first object is long is read until a format is sure, up to 8 Mi
    characters, because members may be in any order. If no format is sure, JSON with a list of
    segments or words is read as ``json``.

    A plain text whose lines all begin with an identifier is Kaldi's text; in a file without a known
    suffix, only if words follow, because Kaldi's tables have such lines, too. If the input is one
    of two files to compare (`one_of_two`), such a text is plain text, because only a comparison
    with the other file shows whether the first words are identifiers.
    """
    if source.name.lower().endswith(".txt") and not may_have_plugins() and source.has_words_only():
        return by_name("txt")
    spec = _detected(source, one_of_two)
    if spec.name in (*TAKEN_FOR, "ljspeech") and source.folder is None and source.document is None:
        from formats.detection.line_shapes import reject_lookalike

        reject_lookalike(source, spec.name)
    return spec


def _detected(source: Source, one_of_two: bool) -> FormatSpec:
    """Detect the format as `detect_source` does, but do not reject a text of another kind."""
    if source.folder is not None or source.document is not None:
        return by_name(source.tree or "kaldi")
    head = seen_head(source)
    named = named_by(source.name)
    if named is not None and is_sure(named, head, needs_sign=False):
        if not named.keeps_bytes:
            source.check_head()
        return load_spec(named)
    from formats.detection.content import format_of_content, is_binary

    if not is_binary(head) and source.check_head():
        return _detected(source, one_of_two)
    return format_of_content(source, head, named, one_of_two=one_of_two)


def detect(target: Readable, *, encoding: str = "auto") -> str:
    """Return the format name of a file, detected from its content, then from its suffix.

    Raises
    ------
    AmbiguousFormatError, UnknownFormatError, EncodingFormatError, UnreadableFileError
    """
    with open_source(target, encoding=encoding) as source:
        return detect_source(source).name
