"""Settings for reading the file of a side, from the options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from formats.io.library_objects import SSAFile, TextGrid
    from formats.io.source import Source
    from formats.reading.lines import Line
    from formats.schema.model import Transcript
    from scoring.options import Options

# Kaldi's texts, and the format that they are of; its directories have tables beside them.
KALDI_TEXT, KALDI = "kaldi-text", "kaldi"
# Steps that read marks themselves.
READ_MARKS = ("sclite-words", "sclite-characters")
# The option by which texts are compared line by line.
BY_POSITION = "--match position"


class Reading(NamedTuple):
    """Settings for reading a file; fields as of `scoring.Options`, by side.

    `predicted` decides about manifests with columns for what was said and what was recognised,
    unless `options` name one: `no` takes the former, `maybe` the latter where there is one, `yes`
    only the latter. `side` is `reference`, `hypothesis` or empty; messages name its options.
    `by_line` is the recipe or the option by which plain texts are compared line by line, whatever
    their numbers of lines; empty: line by line if there are as many.
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
    by_line: str = ""
    marked: bool = True  # False: marks of NIST's formats are words, which a step reads


AS_FOUND = Reading()


def keeps_segments(options: Options) -> bool:
    """True if the options ask for more of the utterances than their words and speakers."""
    if options.keep_sources or options.metadata is not None:
        return True
    return any(name != "speaker" for name in options.by)


def readings_of(options: Options, predicted: str = "maybe") -> tuple[Reading, Reading]:
    """Settings for reading both sides; `predicted` is of the hypothesis."""
    by_line = options.like or (BY_POSITION if options.match == "position" else "")
    shared = Reading(
        keep=keeps_segments(options),
        text_view=options.text_view,
        by_line=by_line,
        marked=not _reads_marks(options),
    )
    reference, hypothesis = (
        shared._replace(
            format=getattr(options, f"{side}_format"),
            encoding=getattr(options, f"{side}_encoding") or options.encoding,
            options=tuple(getattr(options, f"{side}_options").items()),
            side=side,
        )
        for side in ("reference", "hypothesis")
    )
    return reference, hypothesis._replace(
        interpolate=options.interpolate,
        channel_aliases=tuple(options.channel_aliases.items()),
        predicted=predicted,
    )


def _reads_marks(options: Options) -> bool:
    """True if the first rules of normalisation read marks in the way of a program."""
    given = options.normalize
    rules = given if isinstance(given, (list, tuple)) else (given,)
    return any(rule in READ_MARKS for rule in rules if isinstance(rule, str))


def read_transcript(
    path: str | os.PathLike[str] | SSAFile | TextGrid | Source,
    format_name: str | None,
    encoding: str,
    options: Mapping[str, object],
    side: str,
    recording: str | None = None,
    *,
    marked: bool = True,
) -> Transcript:
    """`formats.read` of a side; values of options may be texts: `{"max_bytes": "5000"}`.

    `recording` is as of `formats.read`, where the options do not name it and there is one file.
    Without `marked`, marks of NIST's formats are words.
    """
    from formats import read
    from formats.detection.spec import Option
    from formats.io.decoding import LARGEST_INPUT
    from formats.io.source import is_collection
    from formats.reading.files import checked_option
    from formats.schema.diagnostics import TOLERANCES
    from formats.schema.errors import OptionError

    for name in ("encoding", "format", "target"):
        if name in options:
            raise OptionError(
                f"options of the {side or 'reader'}: expected options of the format's reader, "
                f'found "{name}"; use {f"--{side}-{name}" if side else name} for that'
            )
    if recording is not None and isinstance(path, str | os.PathLike):
        recording = None if is_collection(os.fspath(path)) else recording
    values: dict[str, Any] = {"recording": recording}
    values |= options
    for option in (
        Option("recording", "", "the recording"),
        Option("tolerance", TOLERANCES[1], "how strict", TOLERANCES),
        Option("max_bytes", LARGEST_INPUT, "how large"),
    ):
        if option.name in options:
            values[option.name] = checked_option(option, values[option.name])
    values["encoding_option"] = encoding_option(side)
    if not marked:
        values["where_known"] = {"markup": False}
    return read(path, format_named(format_name), encoding=encoding, **values)


def format_named(name: str | None) -> str | None:
    """The name of a format, in small letters; that of Kaldi's directories for its texts."""
    name = None if name is None else name.lower()
    return KALDI if name == KALDI_TEXT else name


def encoding_option(side: str) -> str:
    """The option for a side's encoding, as messages about bytes name it.

    >>> encoding_option("reference"), encoding_option("")
    ('--reference-encoding', '--encoding')
    """
    return f"--{side}-encoding" if side else "--encoding"


def each_utterance(
    path: str | os.PathLike[str], property_name: str, encoding: str = "utf-8"
) -> Iterator[Line]:
    """The lines of a file such as Kaldi's utt2spk and utt2dur: an utterance and a property.

    Blank ones are skipped.
    """
    from formats.io.source import open_source
    from formats.reading.lines import filled_lines

    seen: set[str] = set()
    with open_source(path, encoding=encoding) as source:
        for line in filled_lines(source):
            name, _ = line.fields(2, f"an utterance and its {property_name}", 2)
            if name in seen:
                raise line.error(0, "another utterance", f"{name!r} again")
            seen.add(name)
            yield line


def read_speakers(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, str]:
    """From utterances to speakers; a line holds one of each."""
    return {line.columns[0]: line.columns[1] for line in each_utterance(path, "speaker", encoding)}
