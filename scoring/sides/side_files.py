"""Reading a side's file of any format, with options as people write them."""

from __future__ import annotations

import os
from itertools import combinations

import formats
from formats.schema import NamedTuple
from formats.schema.transcript import PlainSegment
from scoring.model.errors import InputError
from scoring.sides.corpus import ONLY_CHANNEL, Corpus, PlainSegments, lies_in_time
from scoring.sides.given import AS_FOUND, LEAST_BYTES, Reading, read_transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from formats.io.library_objects import SSAFile, TextGrid
    from formats.io.source import Source
    from formats.schema.diagnostics import Diagnostic
    from formats.schema.model import Segment
    from formats.schema.transcript import Transcript
    from scoring.sides.corpus import SideRemark
    from scoring.sides.given import SideFile

SideInput: TypeAlias = "str | os.PathLike[str] | SSAFile | TextGrid | Source"

ENOUGH_LINES = 2
# Formats without words, and the commands that take them.
WORDLESS = {
    **dict.fromkeys(("rttm", "uem"), "scoring der"),
    **dict.fromkeys(("ecf", "kwlist", "kwslist"), "scoring kws"),
}
TABLES = ("csv", "tsv", "xlsx", "jsonl", "parquet", "arrow")
# The format whose identifiers are the numbers of lines.
NUMBERED = "txt-lines"
_ROWS_SEEN = 100
UNSPOKEN = frozenset({"event", "scored", "query"})
# Codes of remarks on repeated utterances.
REPETITIONS = ("TRN-DUPLICATE", "KALDI-DUPLICATE", "DUPLICATE")


class LookAlikeError(InputError):
    """Raised for plain text in which each line begins with a word that may be an identifier."""


def read_corpus(file: SideFile, reading: Reading = AS_FOUND) -> Corpus:
    """Read a transcript of any format; `-` is standard input.

    A folder, a pattern or an archive means the files in it, as in `formats.read`. Raises
    LookAlikeError if the input was detected as plain text but may be a Kaldi text.
    """
    detected = read_with_lines(file, reading)
    problem = look_alike_problem(detected.lines, reading.side)
    if problem is not None:
        raise problem
    return detected.required()


class Detected(NamedTuple):
    """A transcript read in its detected format, or the reason why no format was detected."""

    corpus: Corpus | None
    lines: Corpus | None = None  # those of plain text
    problem: formats.UnknownFormatError | None = None  # why there is no corpus
    # Opens the text of a single file again that plain text or unknown
    open_again: Callable[[], Source] | None = None

    def required(self) -> Corpus:
        """Return the corpus; raise UnknownFormatError if no format was detected."""
        if self.problem is not None:
            raise self.problem
        assert self.corpus is not None
        return self.corpus


def read_with_lines(file: SideFile, reading: Reading) -> Detected:
    """Return a transcript, and its lines if it is plain text; a single file is read once.

    Plain text that looks like Kaldi's is not rejected.
    """
    from formats.io.source import open_source
    from formats.reading import detect_source

    is_settled = reading.format is not None or reading.options
    if is_settled or file.is_collection or file.size is None:
        try:
            corpus = read_detected(file.path, reading)
        except formats.UnknownFormatError as error:
            return Detected(None, problem=error)
        corpus = corpus._replace(is_collection=file.is_collection)
        is_read_again = file.is_collection or file.size is not None
        return Detected(corpus, _lines_of(corpus, reading) if is_read_again else None)
    with open_source(file.name or "", encoding=reading.encoding, side=reading.side) as source:
        try:
            detected = detect_source(source, one_of_two=True).name
        except formats.UnknownFormatError as error:
            return Detected(None, None, error, _kept_text(source))
        source.has_plain_segments = file.size < LEAST_BYTES and reading.is_of_words
        open_again = source.keep_text() if detected == "txt" else None
        corpus = read_detected(source, reading._replace(format=detected))
    if open_again is None:
        return Detected(corpus)
    lines = read_detected(open_again(), reading._replace(format=NUMBERED))
    return Detected(corpus, lines._replace(remarks=corpus.remarks), None, open_again)


def _kept_text(source: Source) -> Callable[[], Source] | None:
    """Return a function that opens a source's text again; None if the source is not text."""
    from formats.schema.errors import FormatError

    open_again = source.keep_text()
    try:
        for _ in source.blocks():
            pass
    except FormatError:
        return None
    return open_again


def read_detected(path: SideInput, reading: Reading) -> Corpus:
    """Read a transcript as `read_corpus` does, but accept plain text that looks like Kaldi's."""
    from formats.schema.errors import SyntaxFormatError

    options: dict[str, object] = dict(reading.options)
    choices = reading.format, reading.encoding, options, reading.side
    # the name of a source is its path, but that of a `Path` only the last part of it
    whole = path if isinstance(path, str | os.PathLike) else getattr(path, "name", path)

    def by_name() -> SideInput:
        return whole

    again: Callable[[], SideInput] = by_name
    if whole == "-" and reading.predicted != "no" and "field" not in options:
        # standard input can be read only once
        path, again = _kept_input(path, reading)
    try:
        transcript = read_transcript(path, *choices, marked=reading.marked)
    except SyntaxFormatError:
        predicted = _only_predicted(again, reading)
        if predicted is None:
            raise
        transcript = predicted
        options["field"] = "pred_text"
    # an object of a library is named by its reader
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else transcript.source or ""
    _refuse_wordless(name, transcript)
    remarks: list[SideRemark] = []
    if "field" not in options and is_manifest(transcript.format):
        column = _predicted_column(name, transcript, reading)
        if column is not None or reading.predicted == "yes":
            options["field"] = column or "pred_text"
            # a source can be read only once
            transcript = read_transcript(again(), *choices, marked=reading.marked)
        if column is not None and reading.predicted == "maybe":
            from scoring.sides import messages

            remarks.append(messages.Message(messages.COLUMN, {"path": name, "column": column}))
    remarks += [
        remark for remark in transcript.diagnostics if remark.is_shown or remark.code == "FILES"
    ]
    segments, changes = _changed(transcript.segments, name, reading)
    repeated = sum(remark.times for remark in transcript.diagnostics if is_repetition(remark))
    remarks += changes
    corpus = from_segments(
        segments, name, transcript.format, tuple(remarks), repeated, side=reading.side
    )
    if reading.keep:
        corpus = corpus._replace(definitions=transcript.definitions)
    if any(isinstance(segment, PlainSegment) for segment in corpus.segments):
        corpus = corpus._replace(segments=PlainSegments(corpus.segments))
    return corpus


def _lines_of(corpus: Corpus, reading: Reading) -> Corpus | None:
    """Return the lines of a file detected as plain text; None for other files."""
    if reading.format is not None or corpus.format != "txt":
        return None
    lines = read_detected(corpus.name, reading._replace(format=NUMBERED, options=()))
    return lines._replace(remarks=corpus.remarks)


def look_alike_problem(lines: Corpus | None, side: str) -> LookAlikeError | None:
    """Return the error for plain text that may be a Kaldi text; otherwise None.

    `side` is as in `Reading`.
    """
    if lines is None:
        return None
    firsts: dict[str, list[str]] = {}
    for words, line in zip(lines.words, lines.lines, strict=True):
        if words:
            firsts.setdefault(getattr(line, "path", lines.name), []).append(words[0])
    for name, first_words in firsts.items():
        if looks_alike(first_words):
            problem = (
                "each line may begin with an identifier: name the format, kaldi if it does, "
                "txt-lines or txt if it does not"
            ) + (f" (--{side}-format)" if side else "")
            return LookAlikeError(name, 1, 1, problem)
    return None


def looks_numbered(word: str) -> bool:
    """Return True if a word has a digit, as most identifiers have."""
    return any(map(str.isdigit, word))


def looks_alike(firsts: Sequence[str]) -> bool:
    """Return True if the first words of lines look like identifiers: distinct words with digits."""
    return all(map(looks_numbered, firsts)) and ENOUGH_LINES <= len(firsts) == len(set(firsts))


def _changed(
    segments: Sequence[Segment], name: str, reading: Reading
) -> tuple[Sequence[Segment], list[SideRemark]]:
    """Return the segments with channels, words and times as requested, and remarks on changes."""
    remarks: list[SideRemark] = []
    aliases = dict(reading.channel_aliases)
    if aliases:
        segments = [
            segment.replace(channel=aliases.get(segment.channel or ONLY_CHANNEL, segment.channel))
            for segment in segments
        ]
    if reading.text_view == "display":
        from formats.writing.convert import as_displayed
        from scoring.sides import messages

        forms = [form for segment in segments for form in segment.displays or ()]
        displayed = len(forms) - forms.count(None)
        segments = [as_displayed(segment) for segment in segments]
        if displayed:
            fields = {"path": name, "words": displayed}
            remarks.append(messages.Message(messages.DISPLAY_FORM, fields))
        elif reading.side == "hypothesis":
            remarks.append(messages.Message(messages.ONE_FORM, {"path": name}))
    if reading.interpolate != "none":
        from scoring.sides import messages

        segments, count = _interpolated(segments, name, reading.interpolate == "chars")
        way = reading.interpolate
        timed = messages.Message(messages.TIMES_KNOWN, {"path": name, "way": way})
        if count:
            fields = {"path": name, "words": count, "way": way}
            timed = messages.Message(messages.TIMES_ESTIMATED, fields)
        remarks.append(timed)
    return segments, remarks


def _refuse_wordless(name: str, transcript: Transcript) -> None:
    """Reject a format without words, and an rttm file without words."""
    command = WORDLESS.get(transcript.format or "")
    has_words = any(segment.words for segment in transcript) if command else True
    if command and not (transcript.format == "rttm" and has_words):
        from scoring.sides import messages

        fields = {"format": transcript.format, "command": command}
        problem = messages.Message(messages.NO_WORDS, fields)
        raise InputError("<stdin>" if name == "-" else name, None, None, problem)


def _kept_input(path: SideInput, reading: Reading) -> tuple[Source, Callable[[], Source]]:
    """Return standard input, and a function that opens its text again."""
    from formats.io.source import Source, open_source

    source = (
        path
        if isinstance(path, Source)
        else open_source(path, encoding=reading.encoding, side=reading.side)
    )
    return source, source.keep_text()


def _only_predicted(again: Callable[[], SideInput], reading: Reading) -> Transcript | None:
    """Read a hypothesis whose rows have the recogniser's text as their only text.

    Return None if the file is not of this form.
    """
    from formats.schema.errors import FormatError

    options = dict(reading.options)
    if "field" in options or reading.predicted != "maybe":
        return None
    options["field"] = "pred_text"
    choices = reading.format, reading.encoding, options, reading.side
    try:
        return read_transcript(again(), *choices, marked=reading.marked)
    except (FormatError, OSError):
        return None


def _predicted_column(name: str, transcript: Transcript, reading: Reading) -> str | None:
    """Return the column with the recogniser's words if it is to be read; otherwise None.

    InputError if several columns may hold the words.
    """
    from formats.manifests import SAID
    from formats.manifests.roles import VAGUE
    from formats.reading.member_names import NAMES

    columns = dict.fromkeys(
        key for segment in transcript[:_ROWS_SEEN] for key, _ in segment.properties
    )
    predicted: list[str] = []
    if reading.predicted != "no":
        predicted = [column for column in columns if column.lower() in NAMES["pred_text"].usual]
        certain = [column for column in predicted if column.lower() not in VAGUE]
        predicted = certain or predicted
    more = predicted[1:]
    if not predicted and reading.predicted != "yes" and transcript.format in TABLES:
        # the column that was read is not among the properties
        more = [column for column in columns if column.lower() in SAID]
    if more:
        option = f"--{reading.side}-option field={more[-1]}"
        problem = f"expected one column of words, found several ({option} reads that one)"
        raise InputError(name, None, None, problem)
    return predicted[0] if predicted else None


def is_repetition(remark: Diagnostic) -> bool:
    """Return True if a remark says that an utterance occurs twice with the same words."""
    return remark.severity == "note" and remark.code in REPETITIONS


def is_manifest(format_name: str | None) -> bool:
    """Return True if a format has a row per utterance and several possible word columns."""
    return takes_option(format_name, "field")


def takes_option(format_name: str | None, name: str) -> bool:
    """Return True if the reader of a format has an option with this name."""
    from formats.detection import by_name

    try:
        options = () if format_name is None else by_name(format_name).read_options
    except formats.UnknownFormatError:
        return False
    return any(option.name == name for option in options)


def _interpolated(
    segments: Sequence[Segment], name: str, by_characters: bool
) -> tuple[Sequence[Segment], int]:
    """Return the segments with interpolated word times, and the number of words with new times.

    Segments without any time are unchanged. A missing end is estimated from the pace of the other
    segments.
    """
    from formats.schema.interpolation import Pace, interpolate_times

    pace = Pace()
    for segment in segments:
        pace.hear(segment)
    timed: list[Segment] = []
    count = 0
    for segment in segments:
        if not segment.is_timed and lies_in_time(segment) and segment.kind not in UNSPOKEN:
            end = pace.end_of(segment) if segment.end_ns is None else segment.end_ns
            whole, words = interpolate_times(
                segment.replace(end_ns=end), by_characters=by_characters, path=name
            )
            timed.append(whole.replace(end_ns=segment.end_ns))
            count += words
        else:
            timed.append(segment)
    return timed, count


def is_named_by_file(format_name: str | None) -> bool:
    """Return True if a format has no names of recordings, so that the file name is used."""
    if format_name is None:
        return False
    from formats.detection import by_name

    return "recordings" not in by_name(format_name).holds


def from_segments(
    segments: Sequence[Segment],
    name: str,
    format_name: str | None,
    remarks: tuple[SideRemark, ...] = (),
    repeated: int = 0,
    *,
    side: str = "",
) -> Corpus:
    """Return a corpus from segments. It has no identifiers if any segment lacks one.

    `side` is as in `Reading`.
    """
    unspoken = sum(segment.kind in UNSPOKEN for segment in segments)
    if unspoken:
        from scoring.sides import messages

        segments = [segment for segment in segments if segment.kind not in UNSPOKEN]
        fields = {"path": name, "segments": unspoken}
        remarks = (*remarks, messages.Message(messages.NOT_WORDS, fields))
    tiers = _parallel_tiers(segments)
    if tiers is not None:
        from scoring.sides import messages

        names = {"path": name, "tier": tiers[0], "other": tiers[1]}
        of_side = {**names, "side": side or "hypothesis"}
        remarks = (*remarks, messages.Message(messages.PARALLEL_TIERS, of_side))
    corpus = Corpus(
        name,
        format_name,
        *([], [], [], []),
        {},
        segments,
        remarks,
        repeated,
        any(segment.confidences is not None for segment in segments),
        is_named_by_file(format_name),
        has_displays=any(any(segment.displays or ()) for segment in segments),
    )
    if not all(segment.utterance is not None for segment in segments):
        return corpus
    spoken = corpus.spoken
    identifiers = [segment.utterance or "" for segment in spoken]
    is_numbered = format_name == NUMBERED
    if is_numbered and len({segment.recording for segment in spoken}) > 1:
        # a number is that of a line of one of several files
        is_numbered = False
        identifiers = [f"{segment.recording}-{segment.utterance}" for segment in spoken]
    named = corpus.with_utterances(identifiers, spoken)
    return named._replace(segments=segments, by_position=is_numbered)


def _parallel_tiers(segments: Sequence[Segment]) -> tuple[str, str] | None:
    """Return two tiers whose segments mostly begin and end together; None if no two tiers do."""
    stretches: dict[str, set[tuple[str, int | None, int | None]]] = {}
    for segment in segments:
        times = segment.start_ns, segment.end_ns
        if segment.tier is not None and segment.words and None not in times:
            stretches.setdefault(segment.tier, set()).add((segment.recording, *times))
    for (earlier, left), (tier, right) in combinations(stretches.items(), 2):
        if 2 * len(left & right) > min(len(left), len(right)):
            return earlier, tier
    return None
