"""An utterance whose tag has been read, and what its attributes say."""

from __future__ import annotations

from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_SPAN,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_SPAN,
    REFERENCE_WEIGHTS,
)
from scoring.nist.sgml.measures import Measure
from scoring.nist.sgml.path_data import PlaceReader, Say, is_newline_separated
from scoring.nist.sgml.tags import Tag

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


class PathTag:
    """A PATH tag and the data after it."""

    __slots__ = ("leftover", "listed", "measures", "reader", "speaker", "tag")

    def __init__(
        self,
        tag: Tag,
        speaker: int,
        measures: tuple[Measure, ...],
        leftover: tuple[Measure, ...],
        listed: bool,
    ) -> None:
        self.tag = tag
        self.speaker = speaker
        self.measures = measures
        self.leftover = leftover  # measures of earlier lists beyond the end of this one
        # The measures are named by this very tag, so they belong to the utterance
        self.listed = listed
        self.reader: PlaceReader | None = None

    def read(self, text: str, line: int, warn: Say) -> None:
        """Read lines of data, which are in one piece unless there was another tag among them."""
        newlines = is_newline_separated(text)
        if self.reader is None:
            # in the form with newlines, a list of numbers does not hold beyond its own utterance
            if self.measures and newlines and not self.listed:
                self.measures = self.leftover = ()
            self.reader = PlaceReader(self.measures, self.leftover, warn)
        self.reader.read(text, line, newlines)

    @property
    def attributes(self) -> int:
        """The bits of `Utterances.attributes`."""
        bits = 0
        given = self.tag.attributes
        for name, bit in _FLAGS:
            if given.get(name):
                bits |= bit
        if self.listed:
            for measure in self.measures:
                bits |= measure.bit
        return bits

    @property
    def sequence(self) -> int:
        """Its running number: C's `atoi`, -1 of nothing."""
        text = self.tag.value("sequence")
        if text is None:
            return _NO_SEQUENCE
        digits = text.lstrip(" \t\n\v\f\r")
        end = 1 if digits[:1] in ("+", "-") else 0
        while digits[end : end + 1].isdecimal():
            end += 1
        try:
            return int(digits[:end])
        except ValueError:
            return 0
