"""The places of an alignment, as they stand between PATH tags, read one by one."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from scoring.errors import InputError
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.nist.sgml.errors import refused
from scoring.nist.sgml.measures import NO_WEIGHT, Measure, number

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


# The numbers that belong to the words of one side, a column for each kind that is given.
Numbers: TypeAlias = dict[str, Sequence[float]]
# The columns of each kind of measure, and what stands there for a word without.
COLUMNS = {
    "times": (("starts", 0.0), ("finishes", 0.0)),
    "confidences": (("confidences", 0.0),),
    "weights": (("weights", NO_WEIGHT),),
    "": (),
}


class Places(NamedTuple):
    """The alignments of some utterances: edits of each, words of all, numbers of the words."""

    edits: Sequence[bytes]
    references: Sequence[str]
    hypotheses: Sequence[str]
    reference_numbers: Numbers
    hypothesis_numbers: Numbers


def is_newline_separated(text: str) -> bool:
    """Whether the places of an utterance are in the form with a line for every field."""
    return text[:1] in _EDITS and text[1:2] in ("\n", "")


class PlaceReader:
    """Reads the places of one utterance as the original does."""

    def __init__(self, measures: Sequence[Measure], leftover: Sequence[Measure], warn: Say) -> None:
        self._measures = measures
        self._all_measures = [*measures, *leftover]
        self._warn = warn
        self._edits = bytearray()
        self._words: tuple[list[str], list[str]] = [], []
        self._numbers: tuple[list[dict[str, float]], list[dict[str, float]]] = [], []

    def read(self, text: str, line: int, newlines: bool) -> Places:
        """The places of an utterance."""
        tokens = self._joined(text, line) if newlines else _tokens(text, line)
        for where, token in tokens:
            self._place(token, where)
        kinds = {(measure.of_reference, measure.kind) for measure in self._all_measures}
        return Places(
            [bytes(self._edits)],
            *self._words,
            _columns(self._numbers[0], {kind for side, kind in kinds if side}),
            _columns(self._numbers[1], {kind for side, kind in kinds if not side}),
        )

    def _joined(self, text: str, line: int) -> Iterator[tuple[int, str]]:
        fields, width = text.split("\n"), 3 + len(self._measures)
        for begin in range(0, len(fields), width):
            row = fields[begin : begin + width]
            if len(row) < width:
                raise InputError(
                    "standard input",
                    line + begin,
                    None,
                    f"expected the {width} lines of a word, found {len(row)}",
                )
            yield line + begin, ",".join(row)

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
        measures: tuple[dict[str, float], dict[str, float]] = {}, {}
        self._values(rest, measures, line)
        self._edits.append(edit)
        for word, words, numbers_of, numbers in zip(
            (reference, hypothesis), self._words, measures, self._numbers, strict=True
        ):
            if word is not None:
                words.append(word)
                numbers.append(numbers_of)

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


def _columns(rows: Sequence[dict[str, float]], kinds: set[str]) -> Numbers:
    return {
        name: array("d", [row.get(name, default) for row in rows])
        for kind in kinds
        for name, default in COLUMNS[kind]
    }


class _UnclosedError(Exception):
    """A word has no closing quote, on which the original crashes."""


def _word(text: str, missing: bool, location: str) -> tuple[str | None, str]:
    """The word in quotes after any one byte (which is all of a missing word), and the rest."""
    if missing and text[1:2] in ("", ","):
        return None, text[1:]
    if missing or text[1:2] != '"':
        raise refused(f"Word parse error, at {location}")
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
        for index in range(1, len(pieces), 2):
            pieces[index] = pieces[index].replace(":", "\0")
        for token in '"'.join(pieces).split(":"):
            if token:
                yield line, token.replace("\0", ":")
        line += 1
