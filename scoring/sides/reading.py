"""How a file of a side is read, as the options state it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from formats.model import Transcript
    from scoring.options import Options

# Kaldi's texts, and the format that they are of; its directories have tables beside them.
KALDI_TEXT, KALDI = "kaldi-text", "kaldi"


class Reading(NamedTuple):
    """How to read a file; fields as of `scoring.Options`, by side.

    `predicted` decides about manifests with columns for what was said and what was recognised,
    unless `options` name one: `no` takes the former, `maybe` the latter where there is one, `yes`
    only the latter. `side` is `reference`, `hypothesis` or empty; messages name its options.
    """

    format: str | None = None
    encoding: str = "utf-8"
    options: tuple[tuple[str, object], ...] = ()
    interpolate: str = "none"
    keep: bool = False
    channel_aliases: tuple[tuple[str, str], ...] = ()
    text_view: str = "lexical"
    predicted: str = "no"
    side: str = ""


AS_FOUND = Reading()


def keeps_segments(options: Options) -> bool:
    """Whether more of the utterances is asked for than their words and speakers."""
    if options.keep_sources or options.metadata is not None:
        return True
    return any(name != "speaker" for name in options.by)


def readings_of(options: Options, predicted: str = "maybe") -> tuple[Reading, Reading]:
    """How both sides are to be read; `predicted` is of the hypothesis."""
    view, keep = options.text_view, keeps_segments(options)
    return (
        Reading(
            options.reference_format,
            options.reference_encoding or options.encoding,
            tuple(options.reference_options.items()),
            keep=keep,
            text_view=view,
            side="reference",
        ),
        Reading(
            options.hypothesis_format,
            options.hypothesis_encoding or options.encoding,
            tuple(options.hypothesis_options.items()),
            options.interpolate,
            keep,
            tuple(options.channel_aliases.items()),
            view,
            predicted,
            "hypothesis",
        ),
    )


def read_transcript(
    path: str | os.PathLike[str],
    format_name: str | None,
    encoding: str,
    options: Mapping[str, object],
    side: str,
    recording: str | None = None,
) -> Transcript:
    """`formats.read` of a side; values of options may be texts: `{"max_bytes": "5000"}`.

    `recording` is as of `formats.read`, where the options do not name it and there is one file.
    """
    from formats import read
    from formats.decoding import LARGEST_INPUT
    from formats.diagnostics import TOLERANCES
    from formats.errors import OptionError
    from formats.files import checked_option
    from formats.source import is_collection
    from formats.spec import Option

    for name in ("encoding", "format", "target"):
        if name in options:
            raise OptionError(
                f"options of the {side or 'reader'}: expected those of the format's reader, found "
                f'"{name}"; {f"--{side}-{name}" if side else name} says that'
            )
    values: dict[str, Any] = {"recording": None if is_collection(os.fspath(path)) else recording}
    values |= options
    for option in (
        Option("recording", "", "the recording"),
        Option("tolerance", TOLERANCES[1], "how strict", TOLERANCES),
        Option("max_bytes", LARGEST_INPUT, "how large"),
    ):
        if option.name in options:
            values[option.name] = checked_option(option, values[option.name])
    values["encoding_option"] = encoding_option(side)
    return read(path, format_named(format_name), encoding=encoding, **values)


def format_named(name: str | None) -> str | None:
    """The name of a format, in small letters; that of Kaldi's directories for its texts."""
    name = None if name is None else name.lower()
    return KALDI if name == KALDI_TEXT else name


def encoding_option(side: str) -> str:
    """What messages about bytes call the choice of a side's encoding.

    >>> encoding_option("reference"), encoding_option("")
    ('--reference-encoding', '--encoding')
    """
    return f"--{side}-encoding" if side else "--encoding"
