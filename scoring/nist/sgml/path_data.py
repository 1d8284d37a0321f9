"""The parser of an utterance in SGML: its PATH tag and the alignment slots after it.

A slot is one place of an alignment: a reference word, a hypothesis word, or both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain

from formats.schema import lazy_pattern
from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_SPAN,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_SPAN,
    REFERENCE_WEIGHTS,
)
from scoring.model.counts import Edit
from scoring.model.errors import InputError
from scoring.nist.sgml.errors import refused
from scoring.nist.sgml.measures import NO_WEIGHT, WordMeasure, number
from scoring.nist.sgml.tags import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from scoring.model.aliases import Say

_NO_SEQUENCE = -1
_FLAGS = (
    ("char_align", CHARACTER_ALIGNED),
    ("case_sense", CASE_SENSITIVE),
    ("hyp_weight", HYPOTHESIS_WEIGHTS),
    ("ref_weight", REFERENCE_WEIGHTS),
    ("R_T1", REFERENCE_SPAN),
    ("R_T2", REFERENCE_SPAN),
    ("H_T1", HYPOTHESIS_SPAN),
    ("H_T2", HYPOTHESIS_SPAN),
)
_FLAG_NAMES = frozenset(name for name, _ in _FLAGS)
_TOKEN = lazy_pattern(r'(?:[^":]+|"[^"]*"?)+')
# A place up to its values: words in quotes after any one byte, which is all of a missing word.
_BOTH_WORDS = lazy_pattern(r'(?s).."([^"]*)"."([^"]*)"')
_REFERENCE_WORD = lazy_pattern(r'(?s).."([^"]*)"(?:.(?=,|\Z)|\Z)')
_HYPOTHESIS_WORD = lazy_pattern(r'(?s)..,"([^"]*)"')
# By letter: the edit, the sides that have a word, and what a place looks like.
_PLACES = {
    "C": (Edit.CORRECT, (0, 1), _BOTH_WORDS),
    "S": (Edit.SUBSTITUTION, (0, 1), _BOTH_WORDS),
    "D": (Edit.DELETION, (0,), _REFERENCE_WORD),
    "I": (Edit.INSERTION, (1,), _HYPOTHESIS_WORD),
    "M": (Edit.MERGED, (0, 1), _BOTH_WORDS),
    "T": (Edit.SPLIT, (0, 1), _BOTH_WORDS),
}
# What the original calls the two edits it reads and does not count.
UNKNOWN: dict[int, int] = {Edit.MERGED: 16, Edit.SPLIT: 32}


# The numbers that belong to the words of one side, a column for each kind that is given.
WordNumbers: TypeAlias = "dict[str, array[float]]"
# The columns of each kind of measure, and what stands there for a word without.
COLUMNS: dict[str, tuple[tuple[str, float], ...]] = {
    "times": (("starts", 0.0), ("finishes", 0.0)),
    "confidences": (("confidences", 0.0),),
    "weights": (("weights", NO_WEIGHT),),
    "": (),
}
DEFAULTS = dict(chain.from_iterable(COLUMNS.values()))


def is_newline_separated(text: str) -> bool:
    """Return True if an utterance has the form with one line per field."""
    return text[:1] in _PLACES and text[1:2] in ("\n", "")


class PathTag:
    """A PATH tag and the slots after it, read as sclite does."""

    def __init__(
        self,
        tag: Tag,
        speaker: int,
        measures: Sequence[WordMeasure],
        leftover: Sequence[WordMeasure],  # measures of earlier lists beyond the end of this one
        listed: bool,  # the measures are named by this very tag, so they belong to the utterance
        warn: Say,
    ) -> None:
        self.tag = tag
        self.speaker = speaker
        self.measures = measures
        self._all_measures = (*measures, *leftover)
        self._listed = listed
        self._warn = warn
        self.edits = bytearray()
        # Of both sides
        self.words: tuple[list[str], list[str]] = [], []
        self.numbers: tuple[WordNumbers, WordNumbers] = {}, {}

    def read(self, text: str, line: int) -> None:
        """Read the text between two tags, or a part of this text.

        `line` is the number of the text's first line.
        """
        newlines = is_newline_separated(text)
        if not self.edits:
            # in the form with newlines, a list of numbers does not hold beyond its own utterance
            if self.measures and newlines and not self._listed:
                self.measures = self._all_measures = ()
            for measure in self._all_measures:
                for name, _ in COLUMNS[measure.kind]:
                    self.numbers[not measure.of_reference][name] = array("d")
        tokens = self._joined(text, line) if newlines else _tokens(text, line)
        for where, token in tokens:
            self._place(token, where)

    def _joined(self, text: str, line: int) -> Iterator[tuple[int, str]]:
        fields, width = text.split("\n"), 3 + len(self.measures)
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
        if token[0] not in _PLACES:
            raise refused(f"Unknown Alignment type '{token[0]}'")
        edit, sides, pattern = _PLACES[token[0]]
        match = pattern.match(token)
        if match is None:
            raise _word_error(token, sides, line)
        self.edits.append(edit)
        for side, word in zip(sides, match.groups(), strict=True):
            self.words[side].append(word)
            if self._all_measures:
                for name, column in self.numbers[side].items():
                    column.append(DEFAULTS[name])
        if match.end() < len(token):
            self._values(token[match.end() :], sides, line)

    def _values(self, text: str, sides: Sequence[int], line: int) -> None:
        """Read the values after the words of a slot; drop those of a missing word.

        `word_aux` in the tag names the values.
        """
        if not self.measures:
            self._warn(
                "Warning: Auxiliary word values exist, but none have been defined in the "
                "'word_aux' field\n"
            )
            return
        # the byte before the values may be anything, as before a word
        for position, value in enumerate(text[1:].split(",")):
            if position == len(self.measures):
                self._warn("Warning: More auxiliary word values than defined\n")
            if not value:
                continue
            if position >= len(self._all_measures):
                self._warn("Warning: Unknown auxiliary field type\n")
                continue
            measure = self._all_measures[position]
            values = _numbers(measure.kind, value, line)
            side = not measure.of_reference
            if side in sides:
                for (name, _), number_of in zip(COLUMNS[measure.kind], values, strict=True):
                    self.numbers[side][name][-1] = number_of

    @property
    def attributes(self) -> int:
        """The attribute bits, as in `Utterances.attributes`."""
        bits = 0
        given = self.tag.attributes
        if not _FLAG_NAMES.isdisjoint(given):
            for name, bit in _FLAGS:
                if given.get(name):
                    bits |= bit
        if self._listed:
            for measure in self.measures:
                bits |= measure.bit
        return bits

    @property
    def sequence(self) -> int:
        """The sequence number, parsed like C's `atoi`; -1 if the tag has no number."""
        text = self.tag.value("sequence")
        if text is None:
            return _NO_SEQUENCE
        if text.isdecimal() and len(text) < 19:
            return int(text)
        digits = text.lstrip(" \t\n\v\f\r")
        end = 1 if digits[:1] in ("+", "-") else 0
        while digits[end : end + 1].isdecimal():
            end += 1
        try:
            return int(digits[:end])
        except ValueError:
            return 0


def _numbers(kind: str, value: str, line: int) -> list[float]:
    """Parse a value of a word: two numbers for `times`, otherwise one; none if `kind` is empty."""
    texts = [value] if kind else []
    if kind == "times":
        start, plus, finish = value.partition("+")
        if not plus:
            raise InputError(
                "standard input", line, None, f"expected two times joined by +, found {value!r}"
            )
        texts = [start, finish]
    return list(map(number, texts))


def _word_error(token: str, sides: Sequence[int], line: int) -> Exception:
    """Return the error for a slot whose words are malformed."""
    text = after = token[1:]
    for side, location in enumerate((f"{after} of {token}", token)):
        missing = side not in sides
        if missing and text[1:2] in ("", ","):
            text = text[1:]
            continue
        if missing or text[1:2] != '"':
            return refused(f"Word parse error, at {location}")
        _, quote, text = text[2:].partition('"')
        if not quote:
            break  # the original crashes
    expected = f"expected a closing quote in {token.rstrip()!r}"
    return InputError("standard input", line, None, expected)


def _tokens(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Yield the line number and the text of each slot.

    Colons and newlines outside quotes separate slots.
    """
    for number_of_line, content in enumerate(text.split("\n"), line):
        if content.count('"') % 2:
            content += "\n"  # a quote that is not closed keeps the newline
        for token in _TOKEN.findall(content):
            yield number_of_line, token
