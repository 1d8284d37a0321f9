"""Methods of the service for transcripts: `convert` and `detect`, from text to text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from formats import detect, read
from formats.detection import all_formats, by_name, names
from formats.detection.spec import FormatSpec, Option
from formats.reading import checked_options
from formats.schema.diagnostics import TOLERANCES
from formats.schema.errors import OptionError
from formats.writing.convert import GROUPS, INNER_SPACES, INTERPOLATIONS, TEXT_VIEWS
from formats.writing.files import write
from scoring.serve.errors import InvalidFieldError, text_of
from scoring.serve.parameters import (
    Context,
    Method,
    choice,
    mapped,
    number,
    scalar,
    table,
    text,
)

LARGEST = 1_000_000
# asked for before a request, which may look at no file: other packages may have formats
_NAMED = choice(names())


def _format(value: object) -> str:
    """Return the name of a format, or the TOML text that describes a format.

    The text names no files.
    """
    if isinstance(value, str) and "=" in value and not value.startswith("@"):
        return value
    return _NAMED(value)


CONTENT = table(("content", text, "the transcript"))
CONVERT = table(
    *CONTENT,
    ("to", _format, "name of the format to write, or its description in TOML"),
    (
        "format",
        _format,
        "name of the format of the content, or its description in TOML; null: detected",
        None,
    ),
    ("recording", text, "name of the recording, if the content has none", "recording"),
    (
        "tolerance",
        choice(TOLERANCES),
        "strict: reject content with warnings; lenient: skip bad records",
        "default",
    ),
    (
        "interpolate",
        choice(INTERPOLATIONS),
        "how to estimate times of words that have none",
        "none",
    ),
    (
        "group",
        choice(GROUPS),
        "how to group words into segments, if the content has no segments",
        "pause",
    ),
    ("pause", number(0, 1_000_000), "length of a pause that ends a segment, in seconds", 0.5),
    ("inner_space", choice(INNER_SPACES), "what to do with blanks inside a word", "split"),
    (
        "text_view",
        choice(TEXT_VIEWS),
        "words as spoken (lexical), or as written for readers (display)",
        "lexical",
    ),
    ("read_options", mapped(scalar), "options of the format that is read", {}),
    ("write_options", mapped(scalar), "options of the format that is written", {}),
)


def list_formats(_context: Context) -> dict[str, str]:
    """Return the titles of the formats."""
    return {spec.name: spec.title for spec in all_formats()}


def detect_format(_context: Context, content: str) -> dict[str, str]:
    """Detect the format of a text and return the format's name."""
    name = detect(StringIO(content))
    return {"format": name, "title": by_name(name).title}


def convert_text(
    _context: Context,
    content: str,
    to: str,
    format: str | None,  # noqa: A002
    recording: str,
    tolerance: str,
    read_options: Mapping[str, object],
    write_options: Mapping[str, object],
    **bridging: Any,
) -> dict[str, Any]:
    """Convert a transcript to another format; return it with its losses and diagnostics."""
    target = by_name(to)
    if target.write is None:
        problem = f"expected a format that is written, {target.name} is only read"
        raise InvalidFieldError("to", problem)
    name = format or detect(StringIO(content))
    source = by_name(name)
    reading = _options("read_options", source, source.read_options, read_options)
    writing = _options("write_options", target, target.write_options, write_options)
    transcript = read(StringIO(content), name, recording=recording, tolerance=tolerance, **reading)
    output = StringIO()
    losses = write(transcript, output, to, tolerance=tolerance, **bridging, **writing)
    members = ("severity", "code", "line", "column")
    return {
        "content": output.getvalue(),
        "format": source.name,
        "segment_count": len(transcript),
        "losses": [
            {name: getattr(loss, name) for name in ("what", "count", "rule", "line")}
            for loss in losses
        ],
        "remarks": [
            {**{name: getattr(diagnostic, name) for name in members}, "text": diagnostic.message}
            for diagnostic in transcript.diagnostics
        ],
    }


def _options(
    field: str, spec: FormatSpec, options: Sequence[Option], values: Mapping[str, object]
) -> dict[str, Any]:
    """Return the keywords of a reader or writer; reject options that name a file."""
    paths = [option.name for option in options if option.is_path]
    for name, value in values.items():
        if name in paths:
            raise InvalidFieldError(field, f"expected options that name no file, found {name!r}")
        if isinstance(value, (int, float)) and not 0 <= value <= LARGEST:
            raise InvalidFieldError(
                field, f"{name}: expected a number from 0 to {LARGEST}, found {value}"
            )
    try:
        return checked_options(spec, values, field.removesuffix("_options"))
    except OptionError as error:
        raise InvalidFieldError(field, text_of(error)) from None


METHODS = (
    Method("list.formats", "The formats of transcripts.", (), list_formats),
    Method("convert", "A transcript in another format, and its losses.", CONVERT, convert_text),
    Method("detect", "The format of a transcript.", CONTENT, detect_format),
)
