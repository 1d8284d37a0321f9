"""Reading a side's file of any format, with options as people write them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.errors import InputError
from scoring.sides import kaldi_text
from scoring.sides.corpus import ONLY_CHANNEL, Corpus
from scoring.sides.reading import AS_FOUND, Reading

if TYPE_CHECKING:
    from formats.diagnostics import Diagnostic
    from formats.model import Segment, Transcript

# What has arguments of its own, and is no option of a format's reader.
ELSEWHERE = ("encoding", "format")
# Formats without words, and the commands that take them.
WORDLESS = {
    "rttm": "scoring der",
    "uem": "scoring der",
    "ecf": "scoring kws",
    "kwlist": "scoring kws",
    "kwslist": "scoring kws",
}
TABLES = ("csv", "tsv", "jsonl", "parquet", "arrow")
# Codes of remarks on utterances that stand twice.
REPETITIONS = ("TRN-DUPLICATE", "KALDI-DUPLICATE", "DUPLICATE")


def read_corpus(path: str | os.PathLike[str], reading: Reading = AS_FOUND) -> Corpus:
    """Read a transcript of any format; `-` is standard input.

    A folder, a pattern or an archive stands for the files in it, as of `formats.read`.

    Raises
    ------
    formats.FormatError
        If it cannot be read.
    """
    from formats.source import is_collection

    format_name = reading.format
    if kaldi_text.is_meant(format_name):
        if not (os.path.isdir(path) or is_collection(os.fspath(path))):
            kaldi_text.refuse_options(dict(reading.options))
            return kaldi_text.read(path, reading.encoding, encoding_option(reading.side))
        format_name = kaldi_text.OF_DIRECTORIES
    options: dict[str, object] = dict(reading.options)
    transcript = read_transcript(path, format_name, reading.encoding, options, reading.side)
    _refuse_wordless(path, transcript)
    remarks: list[str] = []
    if "field" not in options and is_manifest(transcript.format):
        name = _predicted_column(path, transcript, reading)
        if name is not None or reading.predicted == "yes":
            if os.fspath(path) == "-":
                raise InputError(
                    "<stdin>",
                    None,
                    None,
                    "expected the name of the column to score, since there are two "
                    f"(--hypothesis-option field={name} or field=text), found none",
                )
            options["field"] = name or "pred_text"
            transcript = read_transcript(path, format_name, reading.encoding, options, reading.side)
        if name is not None and reading.predicted == "maybe":
            remarks.append(f"note: {os.fspath(path)}: the words of {name!r} are scored")
    segments: Sequence[Segment] = transcript.segments
    aliases = dict(reading.channel_aliases)
    if aliases:
        names = [aliases.get(one.channel or ONLY_CHANNEL) for one in segments]
        segments = [
            one if name is None else one.replace(channel=name)
            for one, name in zip(segments, names, strict=True)
        ]
    displays = 0
    if reading.text_view == "display":
        from formats.convert import as_displayed

        displays = sum(form is not None for one in segments for form in one.displays or ())
        segments = [as_displayed(one) for one in segments]
    segments, interpolated = _with_times(segments, path, reading.interpolate)
    remarks += [str(one) for one in transcript.diagnostics if one.is_shown or one.code == "FILES"]
    repeated = sum(one.times for one in transcript.diagnostics if is_repetition(one))
    if displays:
        remarks.append(f"note: {os.fspath(path)}: {displays} words are in their display form")
    if interpolated:
        remarks.append(
            f"{os.fspath(path)}: warning: times of {interpolated} words were worked out "
            f"({reading.interpolate})"
        )
    corpus = from_segments(
        segments, os.fspath(path), transcript.format, tuple(remarks), repeated, reading.keep
    )
    if reading.keep:
        corpus = corpus._replace(definitions=transcript.definitions)
    if reading.format is None:
        kaldi_text.refuse_look_alike(corpus, path, reading.encoding)
    return corpus


def _refuse_wordless(path: str | os.PathLike[str], transcript: Transcript) -> None:
    """Refuse a format that is about other things than words, and rttm unless it has some."""
    command = WORDLESS.get(transcript.format or "")
    if command and not (transcript.format == "rttm" and any(one.words for one in transcript)):
        name = "<stdin>" if os.fspath(path) == "-" else os.fspath(path)
        problem = f"expected words, found {transcript.format}, which has none: `{command}` reads it"
        raise InputError(name, None, None, problem)


def _predicted_column(
    path: str | os.PathLike[str], transcript: Transcript, reading: Reading
) -> str | None:
    """The column of what was recognised, if that is to be read; None without one.

    Raises
    ------
    InputError
        If several columns may hold the words.
    """
    from formats.manifests.roles import ROLES, SAID

    columns = {key: None for one in transcript[:_ROWS_SEEN] for key, _ in one.properties}
    predicted: list[str] = []
    if reading.predicted != "no":
        predicted = [name for name in columns if name.lower() in ROLES["pred_text"]]
    others = predicted[1:]
    if not predicted and reading.predicted != "yes" and transcript.format in TABLES:
        # the column that was read is none of the properties
        others = [name for name in columns if name.lower() in SAID]
    if others:
        option = f"--{reading.side}-option field={others[-1]}"
        problem = f"expected one column of words, found several ({option} reads that one)"
        raise InputError(os.fspath(path), None, None, problem)
    return predicted[0] if predicted else None


def is_repetition(remark: Diagnostic) -> bool:
    """Whether it tells of an utterance that stood twice with the same words and was read once."""
    return remark.severity == "note" and remark.code in REPETITIONS


def is_manifest(format_name: str | None) -> bool:
    """Whether a format has a row for each utterance, and a choice of columns for its words."""
    from formats.registry import by_name, names

    return format_name in names() and any(
        option.name == "field" for option in by_name(format_name or "").read_options
    )


def _with_times(
    segments: Sequence[Segment], path: str | os.PathLike[str], interpolate: str
) -> tuple[Sequence[Segment], int]:
    """The segments with a time for every word, and how many were worked out.

    Segments that are nowhere in time stay as they are. One that has a start only is as long as the
    pace of the others makes it.
    """
    if interpolate == "none":
        return segments, 0
    from formats.interpolation import Pace, interpolate_times

    made: list[Segment] = []
    count = 0
    pace: Pace | None = None
    for segment in segments:
        if not segment.is_timed and _lies_in_time(segment) and segment.kind not in UNSPOKEN:
            end = segment.end_ns
            if end is None:
                if pace is None:
                    pace = Pace()
                    for one in segments:
                        pace.hear(one)
                end = pace.end_of(segment)
            timed, more = interpolate_times(
                segment.replace(end_ns=end),
                by_characters=interpolate == "chars",
                path=os.fspath(path),
            )
            segment = timed.replace(end_ns=segment.end_ns)
            count += more
        made.append(segment)
    return made, count


# The format whose identifiers are the numbers of lines.
NUMBERED = "txt-lines"
_ROWS_SEEN = 100
UNSPOKEN = frozenset({"event", "scored", "query"})


def from_segments(
    segments: Sequence[Segment],
    name: str,
    format_name: str | None,
    remarks: tuple[str, ...] = (),
    repeated: int = 0,
    keep: bool = False,
) -> Corpus:
    """A corpus of segments; without identifiers if any segment lacks one."""
    unspoken = sum(segment.kind in UNSPOKEN for segment in segments)
    if unspoken:
        segments = [segment for segment in segments if segment.kind not in UNSPOKEN]
        remark = f"{name}: note: {unspoken} events and regions are not scored"
        remarks = (*remarks, remark)
    parallel = _parallel_tiers(segments)
    if parallel is not None:
        remark = (
            f"{name}: warning: tiers {parallel[0]!r} and {parallel[1]!r} have segments of the same "
            f"times: the words of both are scored (option tier_map={parallel[1]}=skip leaves one "
            "out)"
        )
        remarks = (*remarks, remark)
    confident = any(segment.confidences is not None for segment in segments)
    by_file = False
    if format_name is not None:
        from formats.registry import by_name

        by_file = "recordings" not in by_name(format_name).holds
    if not segments or all(segment.utterance is not None for segment in segments):
        spoken = [segment for segment in segments if segment.kind != "ignored"]
        identifiers = [segment.utterance or "" for segment in spoken]
        # numbers say which line it is of which file, where there are several
        is_numbered = format_name == NUMBERED
        if is_numbered and len({segment.recording for segment in spoken}) > 1:
            is_numbered = False
            identifiers = [f"{one.recording}-{one.utterance}" for one in spoken]
        return Corpus(
            name,
            format_name,
            identifiers,
            [segment.speaker for segment in spoken],
            [segment.words for segment in spoken],
            [segment.line for segment in spoken],
            {
                position: segment
                for position, segment in enumerate(spoken)
                if segment.alternations or segment.optional is not None
            },
            (),
            remarks,
            repeated,
            confident,
            by_file,
            spoken if keep else None,
            timed_segments=tuple(segments) if all(map(_lies_in_time, segments)) else (),
            by_position=is_numbered,
            rows=tuple(segments) if is_manifest(format_name) else (),
        )
    every = tuple(segments)
    return Corpus(
        name,
        format_name,
        [],
        [],
        [],
        [],
        {},
        every,
        remarks,
        repeated,
        confident,
        by_file,
        rows=every if is_manifest(format_name) else (),
    )


def _parallel_tiers(segments: Sequence[Segment]) -> tuple[str, str] | None:
    """Two tiers most of whose segments begin and end together, as no two speakers' do."""
    stretches: dict[str, set[tuple[str, int, int]]] = {}
    for one in segments:
        if one.tier is not None and one.words and None not in (one.start_ns, one.end_ns):
            stretch = (one.recording, one.start_ns or 0, one.end_ns or 0)
            stretches.setdefault(one.tier, set()).add(stretch)
    tiers = list(stretches.items())
    for at, (tier, own) in enumerate(tiers):
        for earlier, others in tiers[:at]:
            if 2 * len(own & others) > min(len(own), len(others)):
                return earlier, tier
    return None


def _lies_in_time(segment: Segment) -> bool:
    return segment.start_ns is not None or any(
        start is not None for start in segment.starts_ns or ()
    )


def read_transcript(
    path: str | os.PathLike[str],
    format_name: str | None,
    encoding: str,
    options: Mapping[str, object],
    side: str,
    recording: str | None = None,
) -> Transcript:
    """`formats.read` of a side.

    Parameters
    ----------
    options
        Of the format's reader, and `recording`, `tolerance` and `max_bytes` of `formats.read`;
        values may be texts: `{"max_bytes": "5000"}`.
    side
        `reference` or `hypothesis`, for messages; may be empty.
    recording
        As of `formats.read`, where the options do not say and there is one file.

    Raises
    ------
    formats.FormatError
        If the file cannot be read, or an option is not known or means nothing.
    """
    from formats import read
    from formats.decoding import LARGEST_INPUT
    from formats.diagnostics import TOLERANCES
    from formats.errors import OptionError
    from formats.files import checked_option
    from formats.source import is_collection
    from formats.spec import Option

    common = {
        one.name: one
        for one in (
            Option("recording", "", "the recording"),
            Option("tolerance", TOLERANCES[1], "how strict", TOLERANCES),
            Option("max_bytes", LARGEST_INPUT, "how large"),
        )
    }
    given: dict[str, Any] = {"recording": None if is_collection(os.fspath(path)) else recording}
    for name, value in options.items():
        if name in ELSEWHERE or name == "target":
            flag = f"--{side}-{name}" if side else name
            instead = f"; {flag} says that" if name in ELSEWHERE else ""
            raise OptionError(
                f"options of the {side or 'reader'}: expected those of the format's reader, found "
                f'"{name}"{instead}'
            )
        option = common.get(name)
        given[name] = value if option is None else checked_option(option, value)
    return read(
        path, format_name, encoding=encoding, encoding_option=encoding_option(side), **given
    )


def encoding_option(side: str) -> str:
    """What messages about bytes call the choice of a side's encoding.

    >>> encoding_option("reference"), encoding_option("")
    ('--reference-encoding', '--encoding')
    """
    return f"--{side}-encoding" if side else "--encoding"
