"""A side as columns: of any library that speaks Arrow, of numpy, an iterator, a file of lines.

Of a file with an utterance a line the texts stay where they lie in its bytes, if nothing in it is
odd: an object for each word takes ten times the time, and the memory. What is read so is what
`scoring.sides.side_files.read_corpus` makes of it, to which all other files are left.
"""

from __future__ import annotations

import io
import os
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate, compress
from typing import TYPE_CHECKING

from scoring.alignment.kernel import IMPLEMENTATION
from scoring.alignment.texts import (
    ColumnNames,
    ColumnSpeakers,
    ColumnWords,
    Stream,
    Texts,
    line_parts,
    rows_from,
    stream_of,
    texts_from,
)
from scoring.errors import InputError
from scoring.sides.corpus import Corpus, RowNumbers, Unknown
from scoring.sides.given import listed
from scoring.sides.reading import AS_FOUND, KALDI, Reading, format_named
from scoring.sides.side_files import from_segments, is_repetition

if TYPE_CHECKING:
    from formats.model import Segment

# Smaller files are read quickly by anyone.
LEAST_BYTES = 1 << 20
# Bytes with which lines want a closer look, in any format and in NIST's markup.
_ODD, _MARKUP = b"\0\r\v\f", b"{}@"
# First bytes of files that name their encoding.
_MARKS = (b"\xef\xbb\xbf", b"<?xml")
_HEAD = 1 << 16
LINE_FORMATS = ("trn", KALDI)


def side_of_column(column: object, role: str) -> Corpus | None:
    """A side from a column of any library, of numpy, or an iterator; None for anything else."""
    try:
        texts = texts_from(column, role)
    except ValueError as problem:
        raise InputError(f"<{role}>", None, None, str(problem).partition(": ")[2]) from None
    if texts is not None:
        return side_of_texts(role, texts)
    rows = rows_from(column)
    if rows is None:
        return None
    filled = [number for number, row in enumerate(rows) if row is not None]
    numbers = RowNumbers(range(len(rows)) if len(filled) == len(rows) else filled)
    return listed(role, numbers, [rows[number] for number in filled])._replace(by_position=True)


def side_of_texts(role: str, texts: Texts) -> Corpus:
    """One side from a column of texts; a null is no utterance."""
    missing = array("q", texts.nulls())
    if not missing:
        return side_of_rows(role, texts, range(len(texts)))
    gaps = set(missing)
    kept = array("q", (row for row in range(len(texts)) if row not in gaps))
    return side_of_rows(role, texts.chosen(kept), kept)


def side_of_rows(role: str, texts: Texts, rows: Sequence[int]) -> Corpus:
    """One side from texts, each an utterance named by the number of its row."""
    unknown = Unknown(range(len(texts)))
    corpus = Corpus(f"<{role}>", None, RowNumbers(rows), unknown, ColumnWords(texts), unknown, {})
    return corpus._replace(by_position=True)


def line_format(path: str | os.PathLike[str], reading: Reading) -> str | None:
    """The format, if it is one of `LINE_FORMATS` and the file's name does not speak of another."""
    from formats.registry import by_suffix, detect
    from formats.source import open_source

    if not os.path.isfile(path):
        return None  # standard input can be read once only
    name = format_named(reading.format)
    if name is None:
        with open_source(path, encoding=reading.encoding) as source:
            name = detect(source).name
    named = by_suffix(os.fspath(path))
    is_misnamed = reading.format is None and named is not None and named.name != name
    return name if name in LINE_FORMATS and not is_misnamed and not reading.options else None


def columns_of(path: str | os.PathLike[str], reading: Reading) -> Corpus | None:
    """A side from a file of plain lines; None if it is another file, small, or to be kept."""
    from formats.decoding import LARGEST_INPUT
    from formats.errors import FormatError

    if IMPLEMENTATION == "plain":
        return None  # the formats' readers read such files without the compiled core
    usual = AS_FOUND._replace(format=reading.format, predicted=reading.predicted, side=reading.side)
    try:
        if reading != usual or not LEAST_BYTES <= os.path.getsize(path) <= LARGEST_INPUT:
            return None
        name = line_format(path, reading)
        if name is None:
            return None
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError, FormatError):
        return None  # the reader reports the problem
    try:
        return _columns(os.fspath(path), name, data)
    except (ValueError, FormatError):
        return None


def lines_as_read(
    data: bytes | memoryview, path: str | os.PathLike[str], name: str, encoding: str
) -> Corpus | None:
    """The utterances that the format's reader finds in lines; None if it has remarks on them."""
    from formats import read
    from formats.source import recording_of

    recording = recording_of(os.fspath(path))
    transcript = read(io.BytesIO(data), name, encoding=encoding, recording=recording)
    for diagnostic in transcript.diagnostics:
        if diagnostic.is_shown or is_repetition(diagnostic):
            return None
    corpus = from_segments(transcript.segments, os.fspath(path), name)
    return None if corpus.remarks else corpus


def _columns(path: str, name: str, data: bytes) -> Corpus | None:
    """As `columns_of`."""
    from formats.nist.trn import speaker_of

    is_trn = name == "trn"
    split = _split(data, is_trn)
    if split is None:
        return None
    data, ends, others = split
    count = len(ends) // 16
    batches = [(2 * count, [(None, ends, data)])]
    lines: Sequence[int] = range(1, count + 1)
    chosen = None
    special: dict[int, Segment] = {}
    if others:
        odd = _odd_lines(data, array("q", ends), array("q", others))
        if odd is None or (corpus := lines_as_read(odd, path, name, "utf-8")) is None:
            return None
        batches.append(_batch(corpus, is_trn))
        chosen, lines, special = _in_order(corpus, array("q", others), count)
    column = Texts()
    stream = Stream(stream_of([("lines", "U")], iter(batches)))
    while (batch := stream.next()) is not None:
        column.add(stream, batch, 0)
    firsts, seconds = (column.chosen(range(position, len(column), 2)) for position in (0, 1))
    if chosen is not None:
        firsts, seconds = firsts.chosen(chosen), seconds.chosen(chosen)
    texts, names = (firsts, seconds) if is_trn else (seconds, firsts)
    repeated = 0
    if names.repeated() >= 0:
        kept = _first_of_each(names, texts, special)
        if kept is None:
            return None
        repeated = len(names) - len(kept)
        names, texts = names.chosen(kept), texts.chosen(kept)
        lines = array("q", map(lines.__getitem__, kept))
        special = {bisect_left(kept, position): segment for position, segment in special.items()}
    if not len(names):
        return None
    identifiers = ColumnNames(names, slice(1, -2) if is_trn else slice(None))
    return Corpus(
        path,
        name,
        identifiers,
        ColumnSpeakers(identifiers, speaker_of) if is_trn else Unknown(range(len(names))),
        ColumnWords(texts),
        lines,
        special,
        repeated=repeated,
        named_by_file=is_trn,
    )


def _split(data: bytes, is_trn: bool) -> tuple[bytes, bytes, bytes] | None:
    """Lines, where the parts of each end, and the numbers of odd lines; None for other files."""
    head = data[:_HEAD]
    if head.lstrip().startswith(_MARKS):
        return None
    if not is_trn:
        lines = head.decode("utf-8", "replace").split("\n")
        words = [word for line in lines for word in line.split()[1:]]
        if 2 * sum(map(str.isdecimal, words)) > len(words):
            return None  # they may be numbers of words, which the reader reports
    if not data.endswith(b"\n"):
        data += b"\n"
    parts = line_parts(data, not is_trn, _ODD, _MARKUP * is_trn)
    if parts is None and b"\r\n" in data:
        data = data.replace(b"\r\n", b"\n")
        parts = line_parts(data, not is_trn, _ODD, _MARKUP * is_trn)
    return None if parts is None else (data, *parts)


def _first_of_each(names: Texts, texts: Texts, special: Mapping[int, Segment]) -> array[int] | None:
    """The places of utterances whose name no earlier one has; None if another text has it, too."""

    def text_of(position: int) -> str:
        return (texts.texts(position, position + 1)[0] or "").strip(" \t\n")

    kept, first = array("q"), dict[str, int]()
    for position, name in enumerate(ColumnNames(names)):
        before = first.setdefault(name, position)
        if before == position:
            kept.append(position)
        elif before in special or position in special or text_of(before) != text_of(position):
            return None
    return kept


def _odd_lines(data: bytes, ends: array[int], others: array[int]) -> bytes | None:
    """The lines of these numbers, from 0, after a blank one; None if they are most of the file.

    Without the blank line a mark that the first begins with would be the file's.
    """
    if 2 * len(others) > len(ends) // 2:
        return None
    return b"\n" + b"".join(
        [data[ends[2 * position] : ends[2 * position + 2]] for position in others]
    )


def _in_order(
    odd: Corpus, others: array[int], count: int
) -> tuple[array[int], array[int], dict[int, Segment]]:
    """Positions of utterances among the lines of a file, and after these those of odd lines."""
    numbers, kept = array("q", range(count)), bytearray(b"\1") * count
    for position in others:
        kept[position] = 0
    places = [others[line - 2] for line in odd.lines if line is not None]
    for number, position in enumerate(places, count):
        numbers[position], kept[position] = number, 1
    lines = array("q", compress(range(1, count + 1), kept))
    special = {
        bisect_left(lines, places[position] + 1): segment.replace(line=places[position] + 1)
        for position, segment in odd.special.items()
    }
    return array("q", compress(numbers, kept)), lines, special


def _batch(odd: Corpus, is_trn: bool) -> tuple[int, list[tuple[None, bytes, bytes]]]:
    """The parts of lines, as a plain file would have them."""
    texts: list[bytes] = []
    for identifier, words in zip(odd.identifiers, odd.words, strict=True):
        text = " ".join(words)
        parts = (text, f"({identifier})\n") if is_trn else (identifier, text)
        texts += [part.encode() for part in parts]
    ends = array("q", accumulate(map(len, texts), initial=0))
    return len(texts), [(None, ends.tobytes(), b"".join(texts))]
