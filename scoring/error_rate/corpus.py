"""One side of a comparison: utterances in columns, from files, lists or mappings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Union, overload

from scoring.error_rate.reading import of_side, read_transcript
from scoring.errors import InputError

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Definition

Words: TypeAlias = tuple[str, ...]
Text: TypeAlias = str | Sequence[str]
# What a side may be given as. A `str` is the text of a single utterance, never a path.
Given: TypeAlias = Union["Corpus", "os.PathLike[str]", str, Sequence[Text], Mapping[str, Text]]

# What a channel is called that has no name.
ONLY_CHANNEL = "1"
BLANKS = " \t\n\r\v\f"
BYTES = (bytes, bytearray, memoryview)


class SplitTexts(Sequence[Words]):
    r"""Words of many utterances, kept as text and split when somebody looks.

    Parameters
    ----------
    texts
        Each a number of utterances: words joined by blanks, utterances by line feeds.
    count
        How many utterances there are in all.

    Examples
    --------
    >>> list(SplitTexts(["a b\n", "c"], 3))
    [('a', 'b'), (), ('c',)]
    """

    __slots__ = ("_count", "_lines", "_texts")

    def __init__(self, texts: Sequence[str], count: int) -> None:
        self._texts = texts
        self._count = count
        self._lines: list[str] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Words: ...
    @overload
    def __getitem__(self, index: slice) -> list[Words]: ...
    def __getitem__(self, index: int | slice) -> Words | list[Words]:
        if self._lines is None:
            self._lines = [line for text in self._texts for line in text.split("\n")]
        if isinstance(index, slice):
            return list(map(_split, self._lines[index]))
        return _split(self._lines[index])


class PlainTexts(Sequence[Words]):
    """Words of utterances of printable ASCII, cut at blanks when somebody looks.

    Parameters
    ----------
    texts
        One of each utterance.

    Examples
    --------
    >>> PlainTexts(["a  b", ""])[:]
    [('a', 'b'), ()]
    """

    __slots__ = ("texts",)

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Words: ...
    @overload
    def __getitem__(self, index: slice) -> list[Words]: ...
    def __getitem__(self, index: int | slice) -> Words | list[Words]:
        if isinstance(index, slice):
            return list(map(tuple, map(str.split, self.texts[index])))
        return tuple(self.texts[index].split())

    def __iter__(self) -> Iterator[Words]:
        return map(tuple, map(str.split, self.texts))


def _split(text: str) -> Words:
    # the words may hold any other character that `split` would cut at
    return tuple(text.split(" ")) if text else ()


class Corpus(NamedTuple):
    """The utterances of one side.

    Attributes
    ----------
    name
        The file, or what stands for it in messages.
    format
        Name of the format it was read from, or None.
    identifiers
        One for each utterance; not necessarily different.
    speakers
        None for an utterance without.
    words
        Those of each utterance, alternatives left aside.
    lines
        Where each utterance stands in the file; None where that means nothing.
    special
        The utterances with alternatives or optional words, as they were read, by position.
    segments
        All segments where there are no identifiers, to be matched by time; else empty.
    remarks
        What the reader had to say; one line each.
    repeated
        How many utterances stood twice with the same words and were read once.
    has_confidences
        Whether words carry confidences, as those of recognisers do.
    named_by_file
        Whether the format has no notion of recordings, which then are called as the file is.
    sources
        The segment of each utterance as it was read; None if they were not to be kept.
    definitions
        What the file says of its subset labels.
    timed_segments
        All segments where there are both identifiers and times, to be matched by time with a side
        that has no identifiers; else empty.
    rows
        All segments of a manifest, a row each, to be matched by their audio with those of a side
        that has other identifiers or none; else empty.
    by_position
        Whether the identifiers only count the utterances, as those of a list.
    """

    name: str
    format: str | None
    identifiers: Sequence[str]
    speakers: Sequence[str | None]
    words: Sequence[Words]
    lines: Sequence[int | None]
    special: dict[int, Segment]
    segments: tuple[Segment, ...] = ()
    remarks: tuple[str, ...] = ()
    repeated: int = 0
    has_confidences: bool = False
    named_by_file: bool = False
    sources: Sequence[Segment] | None = None
    definitions: tuple[Definition, ...] = ()
    timed_segments: tuple[Segment, ...] = ()
    by_position: bool = False
    rows: tuple[Segment, ...] = ()

    def place(self, position: int) -> str:
        """Where an utterance stands, for messages."""
        line = self.lines[position]
        return self.name if line is None else f"{self.name}:{line}"

    @property
    def whole_file(self) -> bool:
        """Whether the file is one text without identifier or times."""
        return len(self.segments) == 1 and self.segments[0].start_ns is None


class Reading(NamedTuple):
    """How to read a file.

    Attributes
    ----------
    format
        Name of the format; None: detected.
    encoding
        As of `formats.read`.
    options
        Of the format's reader, pairs of a name and a value.
    interpolate
        How to work out missing times of words: `none`, `uniform` or `chars`.
    text_view
        Which words where a format gives two forms: `lexical`, as spoken, or `display`, as people
        read them.
    channel_aliases
        Pairs of a channel's name, `1` where it has none, and the name to take it for.
    keep
        Whether the segments are kept beside their words.
    predicted
        Of a manifest, which may have columns for what was said and what was recognised, unless
        `options` name one: `no` takes the former; `maybe` the latter where there is one; `yes` no
        other.
    side
        `reference` or `hypothesis`, for messages that name its options; empty: neither.
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


def read_corpus(path: str | os.PathLike[str], reading: Reading = AS_FOUND) -> Corpus:
    """Read a transcript of any format; `-` is standard input.

    Raises
    ------
    formats.FormatError
        If it cannot be read.
    """
    from scoring.error_rate import kaldi_text

    format_name = reading.format
    if kaldi_text.is_meant(format_name):
        if not os.path.isdir(path):
            kaldi_text.refuse_options(dict(reading.options))
            return of_side(reading.side, lambda: kaldi_text.read(path, reading.encoding))
        format_name = kaldi_text.OF_DIRECTORIES
    options: dict[str, object] = dict(reading.options)
    transcript = read_transcript(path, format_name, reading.encoding, options, reading.side)
    remarks: list[str] = []
    if reading.predicted != "no" and "field" not in options and is_manifest(transcript.format):
        name = _predicted(transcript.segments)
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
    segments = _with_aliases(transcript.segments, dict(reading.channel_aliases))
    displays = 0
    if reading.text_view == "display":
        segments, displays = _as_displayed(segments)
    segments, interpolated = _with_times(segments, path, reading.interpolate)
    remarks += [str(one) for one in transcript.diagnostics if one.severity != "note"]
    repeated = sum(one.code.endswith("-DUPLICATE") for one in transcript.diagnostics)
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
        kaldi_text.refuse_look_alike(corpus, path)
    return corpus


def is_manifest(format_name: str | None) -> bool:
    """Whether a format has a row for each utterance, and a choice of columns for its words."""
    from formats.registry import by_name, names

    return format_name in names() and any(
        option.name == "field" for option in by_name(format_name or "").read_options
    )


def _predicted(segments: Sequence[Segment]) -> str | None:
    """What the column of a manifest is called that holds what was recognised; None without."""
    from formats.manifests.roles import ROLES

    told = {name for segment in segments[:_ROWS_SEEN] for name, _ in segment.properties}
    return next((name for name in ROLES["pred_text"] if name in told), None)


def _with_aliases(segments: Sequence[Segment], aliases: Mapping[str, str]) -> Sequence[Segment]:
    if not aliases:
        return segments
    made = []
    for segment in segments:
        alias = aliases.get(segment.channel or ONLY_CHANNEL)
        made.append(segment if alias is None else segment.replace(channel=alias))
    return made


def _as_displayed(segments: Sequence[Segment]) -> tuple[Sequence[Segment], int]:
    """The segments with the words that people read, and how many words that changes."""
    from formats.convert import as_displayed

    changed = sum(form is not None for one in segments for form in one.displays or ())
    return [as_displayed(one) for one in segments], changed


def _with_times(
    segments: Sequence[Segment], path: str | os.PathLike[str], interpolate: str
) -> tuple[Sequence[Segment], int]:
    """The segments with a time for every word, and how many were worked out.

    Segments that are nowhere in time stay as they are. One that has a start only is as long as the
    pace of the others makes it.
    """
    if interpolate == "none":
        return segments, 0
    from formats.interpolation import interpolate_times

    made: list[Segment] = []
    count = 0
    pace: int | None = None
    for segment in segments:
        if not segment.is_timed and _lies_in_time(segment) and segment.kind not in UNSPOKEN:
            end = segment.end_ns
            if end is None:
                pace = _pace(segments) if pace is None else pace
                end = _begun(segment) + pace * len("".join(segment.words))
            timed, more = interpolate_times(
                segment.replace(end_ns=end),
                by_characters=interpolate == "chars",
                path=os.fspath(path),
            )
            segment = timed.replace(end_ns=segment.end_ns)
            count += more
        made.append(segment)
    return made, count


def _begun(segment: Segment) -> int:
    """The latest time at which something of the segment is known to begin."""
    starts = (segment.start_ns, *(segment.starts_ns or ()))
    return max(start for start in starts if start is not None)


USUAL_PACE = 70_000_000


def _pace(segments: Sequence[Segment]) -> int:
    """Nanoseconds per character where both ends are known; that of usual speech elsewhere."""
    time = letters = 0
    for segment in segments:
        if segment.start_ns is not None and segment.end_ns is not None and segment.words:
            time += segment.end_ns - segment.start_ns
            letters += len("".join(segment.words))
    return time // letters if letters and time > 0 else USUAL_PACE


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
    by_file = format_name is not None and not _names_recordings(format_name)
    if not segments or all(segment.utterance is not None for segment in segments):
        spoken = [segment for segment in segments if segment.kind != "ignored"]
        return Corpus(
            name,
            format_name,
            [segment.utterance or "" for segment in spoken],
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
            by_position=format_name == NUMBERED,
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


def _names_recordings(format_name: str) -> bool:
    from formats.registry import by_name

    return "recordings" in by_name(format_name).holds


def as_corpus(given: Given, what: str, reading: Reading = AS_FOUND) -> Corpus:
    """One side, whatever it was given as.

    Parameters
    ----------
    given
        A path (`os.PathLike`), the text of a single utterance (`str`), texts or token lists of
        utterances in order, or a mapping from identifiers to texts or token lists. Texts are cut
        at ASCII blanks.
    what
        `reference` or `hypothesis`, for messages.

    Raises
    ------
    TypeError
        If it is none of these, or mixed.
    ValueError
        If a `str` is the name of a file.
    """
    if isinstance(given, Corpus):
        return given
    if isinstance(given, os.PathLike):
        return read_corpus(given, reading)
    if isinstance(given, str):
        if given and not set(given) & set(BLANKS) and os.path.isfile(given):
            raise ValueError(
                f"{what}: a str is the text of one utterance, and {given!r} is a file: "
                "pass pathlib.Path(...)"
            )
        return _listed(what, ["000001"], [given])._replace(by_position=True)
    if isinstance(given, Mapping):
        identifiers = list(given)
        for identifier in identifiers:
            if not isinstance(identifier, str):
                raise TypeError(
                    f"{what}: expected identifiers of type str, found {type(identifier).__name__}"
                )
        return _listed(what, identifiers, list(given.values()))
    # what the types promise is checked all the same: notebooks do not read them
    anything: object = given
    if isinstance(anything, Sequence) and not isinstance(anything, BYTES):
        numbers = [f"{number:06d}" for number in range(1, len(anything) + 1)]
        return _listed(what, numbers, anything)._replace(by_position=True)
    raise TypeError(
        f"{what}: expected a path, a str, a list or a mapping, found {type(anything).__name__}"
    )


def _listed(what: str, identifiers: list[str], texts: Sequence[object]) -> Corpus:
    words: Sequence[Words] | None = _of_plain_texts(texts)
    if words is None:
        words = [_tokens(text, what) for text in texts]
        kinds = {isinstance(text, str) for text in texts}
        if len(kinds) > 1:
            raise TypeError(f"{what}: expected texts or token lists, found both")
    count = len(identifiers)
    return Corpus(f"<{what}>", None, identifiers, [None] * count, words, [None] * count, {})


def _of_plain_texts(texts: Sequence[object]) -> Sequence[Words] | None:
    """The words of texts of printable ASCII; None if any is anything else."""
    plain = [text for text in texts if type(text) is str]
    if len(plain) < len(texts):
        return None
    together = "".join(plain)
    if not (together.isascii() and together.isprintable()):
        return None
    return PlainTexts(plain)


def _tokens(text: object, what: str) -> Words:
    if isinstance(text, str):
        from formats.lines import split_words

        return tuple(split_words(text.replace("\n", " ").replace("\r", " ")))
    if not isinstance(text, Sequence) or isinstance(text, BYTES):
        raise TypeError(
            f"{what}: expected a text or a list of tokens for each utterance, "
            f"found {type(text).__name__}"
        )
    for token in text:
        if not isinstance(token, str):
            raise TypeError(f"{what}: expected tokens of type str, found {type(token).__name__}")
    return tuple(text)


def with_speakers(corpus: Corpus, speakers: Mapping[str, str]) -> Corpus:
    """The same utterances with speakers from a mapping.

    Raises
    ------
    InputError
        If it does not know an utterance.
    """
    found: list[str | None] = []
    for position, identifier in enumerate(corpus.identifiers):
        if identifier not in speakers:
            raise InputError(
                corpus.name,
                corpus.lines[position],
                None,
                f"expected a speaker of every utterance, found none of {identifier!r}",
            )
        found.append(speakers[identifier])
    return corpus._replace(speakers=found)
