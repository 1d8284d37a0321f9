"""A side in any form: a file with reading options, texts, token lists, a mapping."""

from __future__ import annotations

import os
import stat
from itertools import islice

from formats.schema import Mapping, NamedTuple, Sequence
from formats.schema.values import NamedFields
from scoring.alignment.kernel import text_kind
from scoring.alignment.results import LazyColumn
from scoring.model.errors import InputError, OptionValueError
from scoring.sides.corpus import Corpus, PlainTexts, RowNumbers, SpacedTexts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from typing_extensions import Self

    from formats.io.library_objects import SSAFile, TextGrid
    from formats.io.source import Source
    from formats.reading.lines import Line
    from formats.schema.transcript import Transcript
    from formats.schema.words import Words
    from scoring.alignment.texts import AnyColumn, Texts
    from scoring.options import Options, SeriesMatch

Text: TypeAlias = str | Sequence[str]
# What a side may be given as. A `str` is the text of a single utterance, never a path. None is a
# missing hypothesis; among references it is an error.
Given: TypeAlias = "Corpus | References | AnyFile | str | SeveralTexts | AnyColumn"
AnyFile: TypeAlias = "File | os.PathLike[str] | SSAFile | TextGrid"
SeveralTexts: TypeAlias = (
    "Sequence[Text | None] | Mapping[str, Text | None] | Iterator[Text | None]"
)
BYTES = (bytes, bytearray, memoryview)
# Texts at the start of a list; if all are names of files, files may be meant.
LOOKED_AT = 20
# Columns of texts whose words need not be cut before they are aligned, by their `text_kind`.
TEXTS: dict[int, type[PlainTexts]] = {2: PlainTexts, 3: SpacedTexts, 4: SpacedTexts}
MOST_REFERENCES = 64
# Smaller files are read as quickly into utterances or segments as into columns.
LEAST_BYTES = 1 << 18

# Kaldi's texts, and the format that they are of; its directories have tables beside them.
KALDI_TEXT, KALDI = "kaldi-text", "kaldi"
# Steps that read marks themselves.
READ_MARKS = ("sclite-words", "sclite-characters")
# The name of the option by which texts are compared line by line.
BY_POSITION = "match"


class Reading(NamedTuple):
    """Settings for reading a file, as in `scoring.Options`, for one side.

    `predicted` decides which text column of a manifest is read, unless `options` name a column:
    `no` means the reference text, `maybe` the recognised text if there is one, `yes` only the
    recognised text. `side` is `reference`, `hypothesis` or empty; messages name its options.
    `by_line` is the recipe or option that requires line-by-line comparison of plain texts. If it is
    empty, texts are compared line by line only if they have equally many lines.
    """

    format: str | None = None
    encoding: str = "auto"
    options: tuple[tuple[str, object], ...] = ()
    interpolate: str = "none"
    keep: bool = False
    channel_aliases: tuple[tuple[str, str], ...] = ()
    text_view: str = "lexical"
    predicted: str = "no"
    side: str = ""
    by_line: str = ""
    marked: bool = True  # False: marks of NIST's formats are words, which a step reads

    @property
    def is_of_words(self) -> bool:
        """True if nothing but the words and the names of utterances is read or changed."""
        is_changed = self.channel_aliases or self.interpolate != "none"
        return not (self.keep or is_changed or self.text_view != "lexical")


AS_FOUND = Reading()


def keeps_segments(options: Options) -> bool:
    """Return True if the options need more of each utterance than its words and its speaker."""
    if options.keep_sources or options.metadata is not None:
        return True
    return bool(options.where) or any(name != "speaker" for name in options.by)


def readings_of(options: Options, predicted: str = "maybe") -> tuple[Reading, Reading]:
    """Return the settings for reading both sides; `predicted` applies to the hypothesis."""
    by_line = options.like or (BY_POSITION if options.match == "position" else "")
    shared: dict[str, Any] = {
        "keep": keeps_segments(options),
        "text_view": options.text_view,
        "by_line": by_line,
        "marked": not _reads_marks(options),
    }
    reference, hypothesis = (
        {
            "format": getattr(options, f"{side}_format"),
            "encoding": getattr(options, f"{side}_encoding") or options.encoding,
            "options": tuple(getattr(options, f"{side}_options").items()),
            "side": side,
        }
        for side in ("reference", "hypothesis")
    )
    return Reading(**shared, **reference), Reading(
        **shared,
        **hypothesis,
        interpolate=options.interpolate,
        channel_aliases=tuple(options.channel_aliases.items()),
        predicted=predicted,
    )


def _reads_marks(options: Options) -> bool:
    """Return True if a normalisation step reads marks, such as braces, in the way of sclite."""
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
    """Read a side with `formats.read`; values of options may be texts: `{"max_bytes": "5000"}`.

    `recording` is passed to `formats.read` if the options do not set it and there is a single file.
    Without `marked`, marks of NIST's formats are read as words.
    """
    from formats import read
    from formats.io.source import is_collection
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
    if options:
        values |= _with_settings(options)
    values["side"] = side
    # nobody knows whether a title was read aloud: without an option, all words of a text count
    values["where_known"] = {"titles": True} | ({} if marked else {"markup": False})
    return read(path, format_named(format_name), encoding=encoding, **values)


def _with_settings(options: Mapping[str, object]) -> Mapping[str, object]:
    """Return the options with checked values of those that all readers have."""
    from formats.detection.spec import Option
    from formats.io.decoding import LARGEST_INPUT
    from formats.reading import checked_option
    from formats.schema.diagnostics import TOLERANCES

    settings = (
        Option("recording", "", "the recording"),
        Option("tolerance", TOLERANCES[1], "how strict", TOLERANCES),
        Option("max_bytes", LARGEST_INPUT, "how large"),
    )
    chosen = (option for option in settings if option.name in options)
    return {**options, **{each.name: checked_option(each, options[each.name]) for each in chosen}}


def format_named(name: str | None) -> str | None:
    """Return the lower-case name of a format; `kaldi` stands for texts in Kaldi's directories."""
    name = None if name is None else name.lower()
    return KALDI if name == KALDI_TEXT else name


def each_utterance(
    path: str | os.PathLike[str], property_name: str, encoding: str = "auto"
) -> Iterator[Line]:
    """Yield the lines of a file such as Kaldi's utt2spk, each with an utterance and its property.

    Blank lines are skipped.
    """
    from formats.io.decoding import certain
    from formats.io.source import open_source
    from formats.reading.lines import filled_lines

    seen: set[str] = set()
    with open_source(path, encoding=certain(encoding)) as source:
        for line in filled_lines(source):
            name, _ = line.fields(2, f"an utterance and its {property_name}", 2)
            if name in seen:
                raise line.error(0, "another utterance", f"{name!r} again")
            seen.add(name)
            yield line


class SpeakersOfFile(dict[str, str]):
    """Speakers by utterance, with the path of the file that names them."""

    path: str = ""


def read_speakers(path: str | os.PathLike[str], encoding: str = "auto") -> SpeakersOfFile:
    """Read a mapping from utterances to speakers; each line of the file has one pair."""
    lines = each_utterance(path, "speaker", encoding)
    speakers = SpeakersOfFile((line.columns[0], line.columns[1]) for line in lines)
    speakers.path = os.fspath(path)
    return speakers


class _AtPath(NamedFields):
    path: str | os.PathLike[str] | SSAFile | TextGrid


class File(_AtPath, kw_only=True):
    """A file with its reading options, accepted as reference or hypothesis.

    A `str` argument is always a text and never a path: use `pathlib.Path` or this class for files.
    None means the value of the corresponding argument of the call.

    Attributes
    ----------
    path
        Path of the file; `-` is standard input. A folder, an archive or a pattern means the files
        in it, as in `formats.read`. A `pysubs2.SSAFile` or a `textgrid.TextGrid` is read as a file.
    format
        Name of the format; None: detected.
    encoding
        As in `formats.read`.
    options
        Options of the format's reader: `{"field": "pred_text"}`.

    Examples
    --------
    >>> File("words.dat", format="ctm", encoding="latin-1").format
    'ctm'
    """

    format: str | None = None
    encoding: str | None = None
    options: Mapping[str, object] = {}

    @property
    def name(self) -> str | None:
        """The path as a text; None for an object such as a `pysubs2.SSAFile`."""
        return os.fspath(self.path) if isinstance(self.path, str | os.PathLike) else None


class SystemPath(str):
    """The path of a system's hypothesis, with the system's name and reading options."""

    system: str
    file: File

    @classmethod
    def of(cls, system: str, file: File) -> Self:
        """Return the path of a file together with the name of its system."""
        path = cls(file.name)
        path.system, path.file = system, file
        return path


# What is a side whatever the other one is, so that a mapping from names to these is no side itself.
SystemSide: TypeAlias = "AnyFile | Mapping[str, Text | None]"


class Systems(NamedFields):
    """Hypotheses of several systems by name, accepted as the hypothesis of `scoring.wer`.

    A plain mapping from names to files or to mappings from identifiers to texts means the same.
    This class also accepts lists and columns.

    Attributes
    ----------
    sides
        At least one side, anything that a hypothesis may be.

    Raises
    ------
    ValueError
        If there is no system.
    """

    sides: Mapping[str, Given]

    def __post_init__(self) -> None:
        if not isinstance(self.sides, Mapping):
            kind = type(self.sides).__name__
            raise TypeError(f"systems: expected a mapping from names to sides, found {kind}")
        if not self.sides:
            raise OptionValueError("systems", expected="at least one system", found="none")


SeveralSystems: TypeAlias = "Systems | Mapping[str, SystemSide]"
AnyHypothesis: TypeAlias = "Given | SeveralSystems"


def refuse_systems(hypothesis: object) -> None:
    """Raise TypeError if several systems are passed where one hypothesis is expected."""
    if systems_in(hypothesis) is not None:
        raise TypeError(
            "hypothesis: expected one, found several systems, which wer and cer take by name"
        )


def systems_in(hypothesis: object) -> Mapping[str, Given] | None:
    """Return the hypotheses of several systems by name; None for a single hypothesis."""
    if isinstance(hypothesis, Systems):
        return hypothesis.sides
    if not isinstance(hypothesis, Mapping) or not hypothesis:
        return None
    sides = hypothesis.values()
    is_several = all(isinstance(side, Mapping) or file_of(side) is not None for side in sides)
    return hypothesis if is_several else None


def hypothesis_files(paths: Sequence[str], options: Options) -> tuple[list[File], Options]:
    """Return the files of hypotheses, and the options for all of them.

    If some paths are systems, which have their own reading options, the hypothesis options in
    `options` apply to the other files.
    """
    if not any(isinstance(path, SystemPath) for path in paths):
        return list(map(File, paths)), options
    name, choices = options.hypothesis_format, options.hypothesis_options
    files = [
        path.file if isinstance(path, SystemPath) else File(path, format=name, options=choices)
        for path in paths
    ]
    return files, options.changed(hypothesis_format=None, hypothesis_options={})


class References(NamedFields):
    """Several references of the same utterances, accepted as the reference of `scoring.wer`.

    Each reference is a file, texts, a mapping or a column. The first reference determines the order
    of the utterances, their speakers and groups. All references must have the same utterances.
    `Options.references` determines how the best reference is chosen.

    Attributes
    ----------
    sides
        The references, at least one.

    Raises
    ------
    ValueError
        If there are no references, or more than 64.
    TypeError
        If the value is a single text or mapping.

    Examples
    --------
    >>> from scoring import wer
    >>> rates = wer(References(["a big cat", "a large cat"]), "a large cat")
    >>> rates.error_rate, rates.choices.chosen
    (0.0, [(2,)])
    """

    sides: Sequence[Given]

    def __post_init__(self) -> None:
        if isinstance(self.sides, str | Mapping) or not isinstance(self.sides, Sequence):
            kind = type(self.sides).__name__
            raise TypeError(f"references: expected a list of references, found {kind}")
        if not 1 <= len(self.sides) <= MOST_REFERENCES:
            number = len(self.sides)
            raise OptionValueError(
                "references", expected=f"1 to {MOST_REFERENCES}", found=f"{number}"
            )


class SideFile(File, kw_only=True):
    """A file of a side, with its size and whether its path names several files.

    Attributes
    ----------
    size
        Bytes of a file on disk; None for standard input, a pipe, a folder, an object.
    is_collection
        True if the path is a folder, an archive or a pattern, which names several files.
    """

    size: int | None = None
    is_collection: bool = False


# A side behind the door: see `resolve`.
Side: TypeAlias = SideFile | Corpus


def file_of(side: object) -> File | None:
    """Return the file of a side (also for an object read as a file); None for other sides."""
    if isinstance(side, File):
        return side
    if isinstance(side, os.PathLike):
        return File(side)
    if type(side).__module__ == "builtins":
        return None
    from formats.io.library_objects import object_format

    library_object: Any = side
    return None if object_format(side) is None else File(library_object)


def side_file(file: File) -> SideFile:
    """Return a file with its size, and whether its path names several files."""
    if isinstance(file, SideFile):
        return file
    size, is_several = None, False
    if file.name not in (None, "-"):
        from formats.io.source import is_archive, is_collection

        name = file.name or ""
        try:
            found = os.stat(name)
            size = found.st_size if stat.S_ISREG(found.st_mode) else None
        except (OSError, ValueError):
            pass  # the reader reports the problem
        is_several = is_collection(name) if size is None else is_archive(name)
    return SideFile(
        file.path,
        format=file.format,
        encoding=file.encoding,
        options=file.options,
        size=size,
        is_collection=is_several,
    )


def resolve(side: object, role: str) -> Side:
    """Return a side as a file to be read later, or as columns of texts.

    The identifiers of a column are its row numbers. A row that is null is not an utterance. None in
    a list or mapping of hypotheses is not an utterance, either.
    """
    if isinstance(side, Corpus):
        return side
    file = file_of(side)
    if file is not None:
        return side_file(file)
    if isinstance(side, Mapping):
        names = _strings(role, "identifiers", list(side))
        return _without_missing(role, names, list(side.values()))
    if isinstance(side, str):
        side = [side]
    if not isinstance(side, list | tuple):
        column = _side_of_column(side, role)
        if column is not None:
            return column
    # what the types promise is checked all the same: notebooks do not read them
    if isinstance(side, Sequence) and not isinstance(side, BYTES):
        rows = len(side)
        return _without_missing(role, RowNumbers(range(rows)), side, rows)
    raise TypeError(
        f"{role}: expected a path, a str, a list, a column, a mapping, a pysubs2.SSAFile or a "
        f"textgrid.TextGrid, found {type(side).__name__}"
    )


def reading_of(file: File, reading: Reading = AS_FOUND) -> Reading:
    """Return the settings for reading a file; `reading` has the settings that the file lacks."""
    return reading._replace(
        format=file.format or reading.format,
        encoding=file.encoding or reading.encoding,
        options=tuple({**dict(reading.options), **file.options}.items()),
    )


def warning_of_file_names(reference: Given, hypothesis: Given) -> str | None:
    """Return a warning if the texts of a side look like file names, otherwise None.

    Texts are never read as paths. Only texts with a separator or the suffix of a format are
    checked, so that scoring other texts does not access the file system. A side of one text
    without blanks and with the suffix of a format is a name even if there is no such file.
    """
    for side in (reference, hypothesis):
        texts = _first_texts(side)
        if texts and all(map(_is_file_name, texts)):
            return (
                f"{texts[0]!r} is the name of a file, and was scored as a text: pass "
                f"pathlib.Path({texts[0]!r}) for the file, or sk.File({texts[0]!r}, format=…)"
            )
        if isinstance(side, str) and texts and side.split() == [side] and _has_suffix(side):
            return (
                f"{side!r} looks like the name of a file, and was scored as a text; there is no "
                f"such file: pass pathlib.Path(…) with the path of the file"
            )
    return None


def _first_texts(side: object) -> list[str]:
    """Return the first texts of a side; empty if one of them is not a text."""
    if isinstance(side, References):
        return [text for each in side.sides for text in _first_texts(each)]
    texts: list[object] = []
    if isinstance(side, str):
        texts = [side]
    elif isinstance(side, Mapping):
        texts = list(islice(side.values(), LOOKED_AT))
    elif isinstance(side, list | tuple) and not isinstance(side, Corpus):
        texts = list(side[:LOOKED_AT])
    named = [text for text in texts if isinstance(text, str) and _may_be_path(text)]
    return named if len(named) == len(texts) else []


def _may_be_path(text: str) -> bool:
    """Return True if a text has a separator or a dot, as file names have."""
    return "/" in text or os.sep in text or "." in text


def _is_file_name(text: str) -> bool:
    """Return True if a text names an existing file and has a separator or a format's suffix."""
    if "/" not in text and os.sep not in text and not _has_suffix(text):
        return False
    try:
        return os.path.isfile(text) or os.path.isfile(os.path.join(text, "text"))
    except ValueError:  # NUL is in no name
        return False


def _has_suffix(text: str) -> bool:
    """Return True if a text ends with the suffix of a format."""
    from formats.detection import by_suffix

    return bool(by_suffix(text))


def _side_of_column(column: object, role: str) -> Corpus | None:
    """Return a side from a column of an Arrow library or numpy, or from an iterator.

    Return None for any other value.
    """
    from scoring.alignment.texts import rows_from, texts_from

    try:
        texts = texts_from(column, role)
    except OptionValueError as problem:
        raise InputError(f"<{role}>", None, None, problem.problem) from None
    if texts is not None:
        return side_of_texts(role, texts)
    rows = rows_from(column)
    if rows is None:
        return None
    filled = [number for number, row in enumerate(rows) if row is not None]
    numbers = RowNumbers(range(len(rows)) if len(filled) == len(rows) else filled)
    return listed(role, numbers, [rows[number] for number in filled], filled, len(rows))


def side_of_texts(role: str, texts: Texts, begin: int = 0) -> Corpus:
    """Return a side from a text column; row numbers count after `begin`, and nulls are dropped."""
    from array import array

    missing, count = array("q", texts.nulls()), len(texts)
    if not missing:
        rows = range(begin, begin + count)
        return side_of_rows(role, texts, rows)._replace(rows=count)
    gaps = set(missing)
    kept = array("q", (row for row in range(count) if row not in gaps))
    numbers = array("q", (begin + row for row in kept)) if begin else kept
    return side_of_rows(role, texts.chosen(kept), numbers)._replace(rows=count)


def side_of_rows(role: str, texts: Texts, rows: Sequence[int]) -> Corpus:
    """Return a side from some rows of a column of texts; row numbers are the identifiers."""
    from scoring.alignment.texts import ColumnWords

    unknown = [None] * len(texts)
    corpus = Corpus(f"<{role}>", None, RowNumbers(rows), unknown, ColumnWords(texts), unknown, {})
    return corpus._replace(by_position=True)


def _without_missing(
    role: str, identifiers: Sequence[str], texts: Sequence[object], rows: int | None = None
) -> Corpus:
    """Return a side from texts. In a hypothesis, None means that the utterance is missing."""
    kind = text_kind(texts) if type(texts) is list else 0
    if role != "hypothesis" or kind > 0 or not any(text is None for text in texts):
        return listed(role, identifiers, texts, rows=rows, kind=kind)
    filled = [place for place, text in enumerate(texts) if text is not None]
    if isinstance(identifiers, RowNumbers):
        names: Sequence[str] = RowNumbers(filled)
    else:
        names = [identifiers[place] for place in filled]
    return listed(role, names, [texts[place] for place in filled], filled, rows)


def listed(
    role: str,
    identifiers: Sequence[str],
    texts: Sequence[object],
    places: Sequence[int] | None = None,
    rows: int | None = None,
    kind: int = 0,
) -> Corpus:
    """Return a side from texts or token lists with their identifiers.

    `places` are the positions of the texts in the original input, for messages; None: the texts are
    the whole input. `rows` is the size of a list or column, whose utterances have no names. `kind`
    is the `text_kind` of the texts, if known.
    """
    words = words_listed(role, tuple(texts), kind, places)
    count = len(identifiers)
    unknown: list[None] = [None] * count
    name = f"<{role}>"
    empty: dict[int, Any] = {}
    return Corpus(
        name,
        None,
        identifiers,
        unknown,
        words,
        unknown,
        empty,
        by_position=rows is not None,
        rows=rows,
    )


def words_listed(
    role: str, texts: tuple[Any, ...], kind: int = 0, places: Sequence[int] | None = None
) -> Sequence[Words]:
    """Return the words of texts or token lists; the arguments are those of `listed`."""
    kind = kind or text_kind(texts)
    if kind in TEXTS:
        return TEXTS[kind](texts)  # which the aligners take without a copy
    numbered = enumerate(texts) if places is None else zip(places, texts, strict=True)
    words = [_tokens(text, role, place) for place, text in numbered]
    if len({isinstance(text, str) for text in texts}) > 1:
        raise TypeError(f"{role}: expected texts or token lists, found both")
    return words


class ListedSides(LazyColumn["Corpus"]):
    """Sides from texts, which are created on access; a row has the arguments of `listed`."""

    __slots__ = ()

    def value(self, row: tuple[Any, ...]) -> Corpus:
        """Return a side."""
        return listed(*row)


def _tokens(text: object, role: str, place: int) -> Words:
    if isinstance(text, str):
        from formats.schema import words_of_text

        return words_of_text(text)
    if not isinstance(text, Sequence) or isinstance(text, BYTES):
        raise TypeError(
            f"{role}: expected a text or a list of tokens for each utterance, "
            f"found {type(text).__name__} at position {place + 1}"
        )
    return tuple(_strings(role, "tokens", text))


def _strings(role: str, noun: str, values: Sequence[str]) -> Sequence[str]:
    """Return the values; raise TypeError if one is not a str."""
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{role}: expected {noun} of type str, found {type(value).__name__}")
    return values


def matched_series(
    reference: Given, hypothesis: Given, match: SeriesMatch | None
) -> tuple[Given, Given]:
    """Convert two pandas Series matched by index to mappings from row labels to texts."""
    sides: tuple[Any, Any] = reference, hypothesis
    indexes: list[Any] = [getattr(side, "index", None) for side in sides]
    if not all(hasattr(index, "equals") for index in indexes):
        if match == "index":
            raise OptionValueError(
                "match", expected="two Series of pandas for 'index'", found="other types"
            )
        return reference, hypothesis
    if match == "index":
        rows = [side.dropna() for side in sides]
        labels = [list(map(str, side.index)) for side in rows]
        for role, names in zip(("reference", "hypothesis"), labels, strict=True):
            if len(set(names)) < len(names):
                raise OptionValueError(role, "expected an index without repeated labels")
        left, right = (dict(zip(*side, strict=True)) for side in zip(labels, rows, strict=True))
        return left, right
    if match is None and not indexes[0].equals(indexes[1]):
        raise ValueError(
            "expected Series with equal indexes, found different ones: match='index' pairs rows "
            "with the same label, match='position' rows in their order"
        )
    return reference, hypothesis
