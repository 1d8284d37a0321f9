"""Transcripts by request: `convert` and `detect`, from text to text, no files in between."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any

from formats import detect, read
from formats.convert import GROUPS, INNER_SPACES, INTERPOLATIONS, TEXT_VIEWS
from formats.diagnostics import TOLERANCES
from formats.errors import OptionError
from formats.files import checked_options
from formats.registry import by_name, names
from formats.spec import FormatSpec, Option
from formats.writing import write
from scoring.server.errors import InvalidFieldError
from scoring.server.parameters import (
    MethodParameter,
    kind,
    mapped,
    number,
    one_of,
    scalar,
    text,
)

LONGEST_NUMBER = 10_000
# Keywords of readers that name files beside the transcript, which requests do not have.
BESIDE = frozenset(
    {
        "segments",
        "utt2spk",
        "spk2utt",
        "reco2file_and_channel",
        "wav_scp",
        "utt2dur",
        "reco2dur",
        "utt2lang",
        "spk2gender",
    }
)
CONTENT = MethodParameter("content", text, "the transcript")
CONVERT = (
    CONTENT,
    MethodParameter("to", one_of(names()), "name of the format to write"),
    MethodParameter(
        "format", one_of(names()), "name of the format it is in; null: found out", None
    ),
    MethodParameter(
        "recording", text, "name of the recording where the content has none", "recording"
    ),
    MethodParameter(
        "tolerance",
        one_of(TOLERANCES),
        "strict: warnings are errors; lenient: bad records are skipped",
        "default",
    ),
    MethodParameter(
        "interpolate", one_of(INTERPOLATIONS), "where words have no times, make some up", "none"
    ),
    MethodParameter("group", one_of(GROUPS), "which words without segments make one", "pause"),
    MethodParameter("pause", number(0, 1e6), "seconds that end a group", 0.5),
    MethodParameter(
        "inner_space", one_of(INNER_SPACES), "what becomes of blanks inside a word", "split"
    ),
    MethodParameter(
        "text_view", one_of(TEXT_VIEWS), "words as spoken, or as people read them", "lexical"
    ),
    MethodParameter("read_options", mapped(scalar), "keywords of the format that is read", {}),
    MethodParameter("write_options", mapped(scalar), "keywords of the format that is written", {}),
)
DETECT = (CONTENT,)


def list_formats() -> dict[str, str]:
    """The formats, and what each is."""
    return {name: by_name(name).title for name in names()}


def detect_format(content: str) -> dict[str, str]:
    """The name of the format of a text."""
    name = detect(StringIO(content))
    return {"format": name, "title": by_name(name).title}


def convert_text(
    content: str,
    to: str,
    format: str | None,  # noqa: A002
    recording: str,
    tolerance: str,
    read_options: Mapping[str, object],
    write_options: Mapping[str, object],
    **bridging: Any,
) -> dict[str, Any]:
    """A transcript in another format, with what was lost on the way."""
    target = by_name(to)
    if target.write is None:
        raise InvalidFieldError("to", f"expected a format that is written, {to} is only read")
    source = by_name(format or detect(StringIO(content)))
    reading = _options(source, read_options, "read")
    writing = _options(target, write_options, "write")
    transcript = read(
        StringIO(content), source.name, recording=recording, tolerance=tolerance, **reading
    )
    output = StringIO()
    losses = write(transcript, output, to, tolerance=tolerance, **bridging, **writing)
    return {
        "content": output.getvalue(),
        "format": source.name,
        "segments": len(transcript),
        "losses": [
            {"what": loss.what, "count": loss.count, "rule": loss.rule, "line": loss.line}
            for loss in losses
        ],
        "diagnostics": [
            {
                "severity": one.severity,
                "code": one.code,
                "message": one.message,
                "line": one.line,
                "column": one.column,
            }
            for one in transcript.diagnostics
        ],
    }


def _options(spec: FormatSpec, given: Mapping[str, object], verb: str) -> dict[str, Any]:
    """Keywords of a reader or writer, each known, of its kind, and no file's name."""
    field = f"{verb}_options"
    known: Mapping[str, Option] = {
        option.name: option
        for option in (spec.read_options if verb == "read" else spec.write_options)
        if option.name not in BESIDE
    }
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            expected = ", ".join(known) or "none"
            raise InvalidFieldError(field, f"{spec.name}: expected {expected}, found {name[:60]!r}")
        if not _fits(value, option.default):
            raise InvalidFieldError(
                field, f"{name}: expected a value such as {option.default!r}, found {kind(value)}"
            )
    try:
        return checked_options(spec, given, verb)
    except OptionError as error:
        raise InvalidFieldError(field, error.message) from None


def _fits(value: object, default: object) -> bool:
    """Whether a value is of the kind of an option's default."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    if isinstance(default, (int, float)):
        whole = isinstance(value, int) or isinstance(default, float)
        return isinstance(value, (int, float)) and whole and 0 <= value <= LONGEST_NUMBER * 100
    return isinstance(value, str)
