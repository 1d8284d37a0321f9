"""The places of alignments, as they stand between PATH tags: all at once, or one by one.

`decode` does many utterances by splitting them at their quotes and never looks at a single word;
it gives up on anything unusual. `PlaceReader` reads whatever the original reads, with its words.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from scoring.errors import InputError
from scoring.exchange.errors import refused
from scoring.exchange.measures import NO_WEIGHT, Measure, number
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit

Say = Callable[[str], None]

_EDITS = {
    "C": Edit.CORRECT,
    "S": Edit.SUBSTITUTION,
    "D": Edit.DELETION,
    "I": Edit.INSERTION,
    "M": Edit.MERGED,
    "T": Edit.SPLIT,
}
# What the original calls the two edits it reads and does not count.
UNKNOWN = {Edit.MERGED: 16, Edit.SPLIT: 32}
# A place without its words and numbers, as one text and field by field.
_WORDLESS = {'C,","': 0, 'S,","': 1, 'D,",': 2, 'I,,"': 3}
_FIELDS = {tuple(text.split(",")): code for text, code in _WORDLESS.items()}
_BETWEEN_UTTERANCES = "\0"


class Numbers:
    """The numbers that belong to the words of one side, a column for each, None if not given."""

    __slots__ = ("confidences", "finishes", "starts", "weights")

    def __init__(self) -> None:
        self.starts: Sequence[float] | None = None
        self.finishes: Sequence[float] | None = None
        self.confidences: Sequence[float] | None = None
        self.weights: Sequence[float] | None = None


class Places(NamedTuple):
    """The alignments of some utterances: edits of each, words of all, numbers of the words."""

    edits: Sequence[bytes]
    references: Sequence[str]
    hypotheses: Sequence[str]
    reference_numbers: Numbers
    hypothesis_numbers: Numbers


_HAS_REFERENCE = bytes(code not in NO_REFERENCE for code in range(256))
_HAS_HYPOTHESIS = bytes(code not in NO_HYPOTHESIS for code in range(256))
# Whose words follow each other: b of both, r and h of one side.
_OWNERS = bytes.maketrans(bytes(range(4)), b"bbrh")
_OF_REFERENCE = bytes(code == ord("r") for code in range(256))
_OF_HYPOTHESIS = bytes(code == ord("h") for code in range(256))


def is_newline_separated(text: str) -> bool:
    """Whether the places of an utterance are in the form with a line for every field."""
    return text[:1] in _EDITS and text[1:2] in ("\n", "")


def decode(texts: Sequence[str], measures: Sequence[Measure], newlines: bool) -> Places | None:
    """The places of several utterances, none of them empty; None if anything is out of the way.

    Parameters
    ----------
    texts
        What stands between the tags, without the last newline.
    newlines
        Every field has its own line.
    """
    joined = _BETWEEN_UTTERANCES.join(texts)
    if not newlines and "\n" in joined:
        return None
    parts = joined.split('"')
    words = parts[1::2]
    utterances = '"'.join(parts[0::2]).split(_BETWEEN_UTTERANCES)
    if len(utterances) != len(texts):
        return None  # a quote too many: what stands between utterances got into a word
    try:
        if newlines:
            return _from_rows(words, *_rows_of_lines(utterances, 3 + len(measures)), measures)
        if measures:
            return _from_rows(words, *_rows_of_fields(utterances), measures)
        code_of = _WORDLESS.__getitem__
        edits = [bytes(map(code_of, places.split(":"))) for places in utterances]
    except (KeyError, ValueError):
        return None
    references, hypotheses = _divided(words, b"".join(edits))
    return Places(edits, references, hypotheses, Numbers(), Numbers())


Rows = list[Sequence[str]]


def _rows_of_lines(utterances: Sequence[str], width: int) -> tuple[Rows, list[int]]:
    rows: Rows = []
    sizes: list[int] = []
    for places in utterances:
        fields = places.split("\n")
        if len(fields) % width:
            raise ValueError("not a whole number of places")
        rows += [fields[at : at + width] for at in range(0, len(fields), width)]
        sizes.append(len(fields) // width)
    return rows, sizes


def _rows_of_fields(utterances: Sequence[str]) -> tuple[Rows, list[int]]:
    rows: Rows = []
    sizes: list[int] = []
    for places in utterances:
        own = [place.split(",") for place in places.split(":")]
        rows += own
        sizes.append(len(own))
    return rows, sizes


def _from_rows(
    words: Sequence[str], rows: Rows, sizes: Sequence[int], measures: Sequence[Measure]
) -> Places:
    """Places from the fields that are left when the words are taken away.

    Raises
    ------
    KeyError, ValueError
        If they are not the fields of places.
    """
    letters, left, right, *values = zip(*rows, strict=True)
    codes = bytes(map(_FIELDS.__getitem__, zip(letters, left, right, strict=True)))
    numbers = Numbers(), Numbers()
    for measure, column in zip(measures, values, strict=True):
        present = codes.translate(_HAS_REFERENCE if measure.of_reference else _HAS_HYPOTHESIS)
        own = list(compress(column, present))
        _fill(numbers[not measure.of_reference], measure.kind, own)
    edits = []
    at = 0
    for size in sizes:
        edits.append(codes[at : at + size])
        at += size
    references, hypotheses = _divided(words, codes)
    return Places(edits, references, hypotheses, *numbers)


def _fill(numbers: Numbers, kind: str, texts: Sequence[str]) -> None:
    if kind == "times":
        pairs = [text.split("+") for text in texts] or [["0", "0"]]
        starts, finishes = zip(*pairs, strict=True)
        numbers.starts = _plain_numbers(starts[: len(texts)])
        numbers.finishes = _plain_numbers(finishes[: len(texts)])
    elif kind == "confidences":
        numbers.confidences = _plain_numbers(texts)
    elif kind == "weights":
        numbers.weights = _plain_numbers(texts)


def _plain_numbers(texts: Sequence[str]) -> array[float]:
    everything = "".join(texts)
    if "_" in everything or not everything.isascii():
        raise ValueError("a number only Python reads")
    return array("d", map(float, texts))


def _divided(words: Sequence[str], codes: bytes) -> tuple[list[str], list[str]]:
    """The words of the reference and of the hypothesis."""
    owners = codes.translate(_OWNERS).replace(b"b", b"rh")
    return (
        list(compress(words, owners.translate(_OF_REFERENCE))),
        list(compress(words, owners.translate(_OF_HYPOTHESIS))),
    )


class PlaceReader:
    """Reads the places of one utterance as the original does.

    Parameters
    ----------
    measures
        The numbers behind every word.
    leftover
        What earlier lists had beyond the end of this one: the original, while it warns of too
        many numbers, reads them as those.
    warn
        Gets what the original says on the error stream.
    """

    def __init__(self, measures: Sequence[Measure], leftover: Sequence[Measure], warn: Say) -> None:
        self._measures = measures
        self._all_measures = [*measures, *leftover]
        self._warn = warn
        self._edits = bytearray()
        self._words: tuple[list[str], list[str]] = [], []
        self._numbers: tuple[list[dict[str, float]], list[dict[str, float]]] = [], []

    def read(self, text: str, line: int, newlines: bool) -> Places:
        """The places of an utterance.

        Parameters
        ----------
        text
            What stands between the tags.
        line
            The number of its first line, for messages.

        Raises
        ------
        ExchangeError
            With the text of the original.
        InputError
            Where the original crashes.
        """
        tokens = self._joined(text, line) if newlines else _tokens(text, line)
        for where, token in tokens:
            self._place(token, where)
        kinds = {(one.of_reference, one.kind) for one in self._all_measures}
        return Places(
            [bytes(self._edits)],
            *self._words,
            _columns(self._numbers[0], {kind for side, kind in kinds if side}),
            _columns(self._numbers[1], {kind for side, kind in kinds if not side}),
        )

    def _joined(self, text: str, line: int) -> Iterator[tuple[int, str]]:
        fields, width = text.split("\n"), 3 + len(self._measures)
        for at in range(0, len(fields), width):
            own = fields[at : at + width]
            if len(own) < width:
                raise InputError(
                    "standard input",
                    line + at,
                    None,
                    f"expected the {width} lines of a word, found {len(own)}",
                )
            yield line + at, ",".join(own)

    def _place(self, token: str, line: int) -> None:
        edit = _EDITS.get(token[0])
        if edit is None:
            raise refused(f"Unknown Alignment type '{token[0]}'")
        after = token[1:]
        try:
            reference, rest = _word(after, edit in NO_REFERENCE, f"{after} of {token}")
            hypothesis, rest = _word(rest, edit in NO_HYPOTHESIS, token)
        except _UnclosedError:
            raise InputError(
                "standard input", line, None, f"expected a closing quote in {token.rstrip()!r}"
            ) from None
        own: tuple[dict[str, float], dict[str, float]] = {}, {}
        self._values(rest, own, line)
        self._edits.append(edit)
        for word, words, given, numbers in zip(
            (reference, hypothesis), self._words, own, self._numbers, strict=True
        ):
            if word is not None:
                words.append(word)
                numbers.append(given)

    def _values(
        self, text: str, numbers: tuple[dict[str, float], dict[str, float]], line: int
    ) -> None:
        if not text:
            return
        if not self._measures:
            self._warn(
                "Warning: Auxiliary word values exist, but none have been defined in the "
                "'word_aux' field\n"
            )
            return
        # the byte before the values may be anything, as before a word
        for position, value in enumerate(text[1:].split(",")):
            if position == len(self._measures):
                self._warn("Warning: More auxiliary word values than defined\n")
            if not value:
                continue
            if position >= len(self._all_measures):
                self._warn("Warning: Unknown auxiliary field type\n")
            else:
                measure = self._all_measures[position]
                _store(measure.kind, value, numbers[not measure.of_reference], line)


def _store(kind: str, value: str, numbers: dict[str, float], line: int) -> None:
    if kind == "times":
        start, plus, finish = value.partition("+")
        if not plus:
            raise InputError(
                "standard input", line, None, f"expected two times joined by +, found {value!r}"
            )
        numbers["starts"], numbers["finishes"] = number(start), number(finish)
    elif kind:
        numbers[kind] = number(value)


def _columns(given: Sequence[dict[str, float]], kinds: set[str]) -> Numbers:
    numbers = Numbers()
    if "times" in kinds:
        numbers.starts = array("d", [one.get("starts", 0.0) for one in given])
        numbers.finishes = array("d", [one.get("finishes", 0.0) for one in given])
    if "confidences" in kinds:
        numbers.confidences = array("d", [one.get("confidences", 0.0) for one in given])
    if "weights" in kinds:
        numbers.weights = array("d", [one.get("weights", NO_WEIGHT) for one in given])
    return numbers


class _UnclosedError(Exception):
    """A word has no closing quote, on which the original crashes."""


def _word(text: str, missing: bool, place: str) -> tuple[str | None, str]:
    """The word in quotes behind one byte that may be anything, and what follows it.

    Where a word is missing, that byte stands alone or before a comma.
    """
    if missing and text[1:2] in ("", ","):
        return None, text[1:]
    if missing or text[1:2] != '"':
        raise refused(f"Word parse error, at {place}")
    word, quote, rest = text[2:].partition('"')
    if not quote:
        raise _UnclosedError
    return word, rest


def _tokens(text: str, line: int) -> Iterator[tuple[int, str]]:
    """The places with the number of their line: between colons and newlines outside of quotes."""
    for content in text.split("\n"):
        pieces = content.split('"')
        if len(pieces) % 2 == 0:
            pieces[-1] += "\n"  # a quote that is not closed keeps the newline
        # colons within words are no separators; hide them while the line is split
        for at in range(1, len(pieces), 2):
            pieces[at] = pieces[at].replace(":", "\0")
        for token in '"'.join(pieces).split(":"):
            if token:
                yield line, token.replace("\0", ":")
        line += 1
