"""Large files with one utterance per line, as columns: the file's bytes with offsets.

No Python object is created per utterance. The format's reader parses irregular lines, such as
comments and alternatives, and also whole files about which it has a remark. The result equals that
of `scoring.sides.side_files.read_corpus` without segments.
"""

from __future__ import annotations

import io
import re
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import lt
from typing import TYPE_CHECKING, NamedTuple

from formats.detection.errors import UnknownFormatError
from formats.detection.line_shapes import reject_lookalike
from formats.schema.errors import FormatError
from scoring.alignment.kernel import IMPLEMENTATION
from scoring.alignment.texts import (
    ColumnNames,
    ColumnSpeakers,
    ColumnWords,
    Texts,
    add_texts,
    column_of,
    cut_lines,
)
from scoring.score.pairs import PLAIN, LikelyKaldi
from scoring.sides.braced import BracedTexts
from scoring.sides.corpus import Corpus
from scoring.sides.given import AS_FOUND, KALDI, Reading, format_named
from scoring.sides.side_files import ENOUGH_LINES, from_segments, is_repetition

if TYPE_CHECKING:
    from formats.io.source import Source
    from formats.schema.model import Segment
    from scoring.sides.given import SideFile


# First bytes of files that are compressed or name their encoding.
MARKS = (b"\x1f\x8b", b"\xef\xbb\xbf")
HEAD = 1 << 16
TRN, TXT = "trn", "txt"
MARKED = re.compile("[-_0-9]")
UTTERANCE = re.compile(r"(?=\S*[0-9])[A-Za-z0-9]{1,40}(?:[-_]{1,2}[A-Za-z0-9]{1,40}){1,9}")
ENOUGH_UTTERANCES = 100
# Alternatives and null words of a line that `cut_lines` names.
ALTERNATIVES = re.compile(r"\{[^{}]*\}")
NULLS = re.compile(r"@(?<![^ \n]@)(?![^ \n])")
# Parts of a line as `cut_lines` has them: a column, a separator, a column, the rest.
PARTS = 4


def columns_of(file: SideFile, reading: Reading) -> Corpus | LikelyKaldi | None:
    """Read a side from a trn or Kaldi text file; None if the format's reader must read the file."""
    from formats.io.decoding import LARGEST_INPUT

    usual = AS_FOUND._replace(format=reading.format, predicted=reading.predicted, side=reading.side)
    if IMPLEMENTATION == "plain" or reading != usual:
        return None
    try:
        # standard input and pipes can be read only once
        path = file.name
        if path is None or file.size is None or file.size > LARGEST_INPUT:
            return None
        name = _format_of_lines(path, reading)
        if name is None:
            return None
        with open(path, "rb", buffering=0) as stream:
            data = stream.read()
        return _side_of_lines(path, name, data)
    except (OSError, ValueError, FormatError):
        return None  # the reader reports the problem


def _format_of_lines(path: str, reading: Reading) -> str | None:
    """Return `trn` or `kaldi`; `txt` for lines that may be Kaldi's text; None for other formats."""
    from formats.detection import by_suffix, named_by
    from formats.io.source import open_source
    from formats.reading import detect_source

    name = format_named(reading.format)
    if name is not None:
        return name if name in (TRN, KALDI) else None
    with open_source(path) as source:
        named = named_by(path)
        if named is not None and named.name == TXT and _are_utterances(source.head_lines()):
            return TXT
        try:
            name = detect_source(source, one_of_two=True).name
        except UnknownFormatError as problem:
            first, *more = problem.candidates or ("",)
            is_plain = first in PLAIN and (more or first != TXT) and _may_have_identifiers(source)
            if is_plain:
                reject_lookalike(source, TXT)
            return TXT if is_plain else None
        if name == TXT and not _may_have_identifiers(source):
            return None
    by_name = by_suffix(path)
    is_misnamed = by_name is not None and by_name.name != name
    return name if name in (TRN, KALDI, TXT) and not is_misnamed else None


def _are_utterances(lines: Sequence[str]) -> bool:
    """Return True if lines are an identifier and words in letters, and the identifiers rise.

    Such identifiers have digits and a hyphen or underscore. In no other format do so many lines
    look so; to ask all formats of text takes a tenth of the time for a million lines.

    >>> _are_utterances([f"anna-{number:04} so it was" for number in range(ENOUGH_UTTERANCES)])
    True
    >>> _are_utterances(["anna-0001 so it was"] * ENOUGH_UTTERANCES)
    False
    """
    pairs = [line.partition(" ") for line in lines]
    names = [name for name, _, _ in pairs]
    texts = " ".join([text for _, _, text in pairs])
    return (
        len(lines) >= ENOUGH_UTTERANCES
        and texts.count(" ") >= 2 * len(lines)
        and texts.replace(" ", "").replace("'", "").isalpha()
        and all(map(UTTERANCE.fullmatch, names))
        and all(map(lt, names, names[1:]))
    )


def _may_have_identifiers(source: Source) -> bool:
    """Return False if the first lines of a plain text begin with words, as in prose."""
    firsts = (line.split(maxsplit=1)[:1] for line in source.head_lines())
    return all(MARKED.search(first) for words in firsts for first in words)


class _Lines(NamedTuple):
    """Utterances in the order of lines, and the segments of utterances with alternatives."""

    names: Texts
    texts: Texts
    lines: Sequence[int]
    special: Mapping[int, Segment]
    parsed: Sequence[str] = ()  # identifiers of irregular lines


def _side_of_lines(path: str, name: str, data: bytes) -> Corpus | LikelyKaldi | None:
    """Return a side from the bytes of a file; None if the format's reader must read the file."""
    from formats.nist.trn import speaker_of

    is_kaldi = name != TRN
    if data.startswith(MARKS) or (is_kaldi and _may_be_numbers_of_words(data)):
        return None
    cut = cut_lines(data, is_kaldi)
    if cut is None:
        return None
    ends, irregular, is_rising, are_marked, tabular, braced = cut
    kind = KALDI if is_kaldi else TRN
    lines = _cut_columns(path, kind, data, ends, array("q", irregular), array("q", braced))
    if lines is None or not len(lines.names):
        return None
    # the reader reports identifiers that repeat
    if not (is_rising and not lines.parsed) and not lines.names.is_distinct():
        return None
    names = ColumnNames(lines.names)
    unknown: Sequence[None] = [None] * len(names)
    corpus = Corpus(
        path,
        kind,
        names,
        unknown if is_kaldi else ColumnSpeakers(names, speaker_of),
        ColumnWords(lines.texts),
        lines.lines,
        lines.special,
        named_by_file=not is_kaldi,
    )
    if name != TXT:
        return corpus
    are_ids = are_marked and all(map(MARKED.search, lines.parsed)) and len(names) >= ENOUGH_LINES
    is_table = 2 * tabular >= len(ends) // (PARTS * array("i").itemsize)
    return LikelyKaldi(corpus, lambda: corpus) if are_ids and not is_table else None


def _may_be_numbers_of_words(data: bytes) -> bool:
    """Return True if most words after the identifiers are whole numbers.

    Only the first lines are examined. Kaldi's reader has a remark about such files.
    """
    lines = data[:HEAD].decode("utf-8", "replace").split("\n")
    words = [word for line in lines for word in line.split()[1:]]
    return 2 * sum(map(str.isdecimal, words)) > len(words)


def _cut_columns(
    path: str,
    name: str,
    data: bytes,
    ends: bytes,
    irregular: array[int],
    braced: array[int],
) -> _Lines | None:
    """Return the columns of a file; None if the reader reports an irregular line."""
    count = len(ends) // (PARTS * array("i").itemsize)
    parsed: Corpus | None = None
    column = column_of(data, ends)
    if irregular:
        if 2 * len(irregular) > count:
            return None
        parsed = _parsed(_lines_at(data, array("i", ends), irregular), path, name)
        if parsed is None:
            return None
        add_texts(column, *_batch_of(parsed, name))
    firsts, seconds = (column.chosen(range(part, len(column), PARTS)) for part in (0, 2))
    names, texts = (firsts, seconds) if name == KALDI else (seconds, firsts)
    lines = _Lines(names, texts, range(1, count + 1), {})
    if parsed is not None:
        rows, numbers, special = _in_order(parsed, irregular, count)
        chosen = names.chosen(rows), texts.chosen(rows)
        lines = _Lines(*chosen, numbers, special, parsed.identifiers)
    return _with_choices(lines, path, name, data, array("i", ends), braced) if braced else lines


def _with_choices(
    lines: _Lines, path: str, name: str, data: bytes, ends: array[int], braced: array[int]
) -> _Lines:
    """Return the columns after parsing the lines with alternatives to segments.

    The words of all other lines stay in the columns.
    """
    are_all = isinstance(lines.lines, range)  # every line is an utterance
    rows = braced if are_all else [bisect_left(lines.lines, line + 1) for line in braced]
    text = b"\n".join(
        [data[ends[PARTS * line] : ends[PARTS * line + 1]] for line in braced]
    ).decode()
    plain = NULLS.sub("", ALTERNATIVES.sub("", text)).encode().split(b"\n")
    places = array("i", accumulate(map(len, plain), initial=0)).tobytes()
    others = column_of(b"".join(plain), places)
    written = _lines_at(data, ends, braced)

    def parse() -> Sequence[Segment]:
        parsed = _parsed(written, path, name)
        assert parsed is not None, "a regular line"
        special = parsed.special
        return [special[row].replace(line=line + 1) for row, line in enumerate(braced)]

    return lines._replace(
        texts=lines.texts.replaced(array("q", rows), others),
        special=BracedTexts(dict(zip(rows, text.split("\n"), strict=True)), lines.special, parse),
    )


def _lines_at(data: bytes, ends: array[int], lines: Sequence[int]) -> bytes:
    """Return the bytes of these lines after an empty line, so that no BOM is detected."""
    return b"\n" + b"".join([data[ends[PARTS * line] : ends[PARTS * (line + 1)]] for line in lines])


def _parsed(data: bytes, path: str, name: str) -> Corpus | None:
    """Return the utterances that the format's reader reads; None if it reports anything."""
    from formats import read
    from formats.io.source import recording_of

    transcript = read(io.BytesIO(data), name, recording=recording_of(path))
    for diagnostic in transcript.diagnostics:
        if diagnostic.is_shown or is_repetition(diagnostic):
            return None
    corpus = from_segments(transcript.segments, path, name)
    return None if corpus.remarks else corpus


def _batch_of(parsed: Corpus, name: str) -> tuple[bytes, bytes]:
    """Return utterances as the bytes of regular lines, and the ends that `cut_lines` returns."""
    texts: list[bytes] = []
    for identifier, words in zip(parsed.identifiers, parsed.words, strict=True):
        columns = identifier, " ".join(words)
        first, second = columns if name == KALDI else columns[::-1]
        texts += [first.encode(), b"", second.encode(), b""]
    return b"".join(texts), array("i", accumulate(map(len, texts), initial=0)).tobytes()


def _in_order(
    parsed: Corpus, irregular: Sequence[int], count: int
) -> tuple[array[int], array[int], dict[int, Segment]]:
    """Return the order of all utterances, their lines, and the utterances with alternatives.

    Rows of parsed utterances follow the rows of regular lines.
    """
    rows = array("q", range(count))
    for row in irregular:
        rows[row] = -1  # a comment, say
    lines = [irregular[line - 2] + 1 for line in parsed.lines if line is not None]
    for number, line in enumerate(lines, count):
        rows[line - 1] = number
    numbers = array("q", (line for line, row in enumerate(rows, 1) if row >= 0))
    special = {
        bisect_left(numbers, lines[position]): segment.replace(line=lines[position])
        for position, segment in parsed.special.items()
    }
    return array("q", (row for row in rows if row >= 0)), numbers, special
