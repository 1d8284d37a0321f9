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
from scoring.nist.sgml.path_data import PlaceReader, Places, is_newline_separated
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
    """A PATH tag and the lines of data after it, not read yet."""

    __slots__ = (
        "leftover",
        "listed",
        "measures",
        "places",
        "positions",
        "reader",
        "speaker",
        "tag",
        "texts",
    )

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
        # The lines, in one piece unless there was another tag among them, and where they stand
        self.texts: list[str] = []
        self.positions: list[int] = []
        self.reader: PlaceReader | None = None
        self.places: Places | None = None

    def forget_measures_of_others(self) -> None:
        """In the form with newlines, a list of numbers does not hold beyond its own utterance."""
        if self.measures and self.texts and is_newline_separated(self.texts[0]):
            self.measures = self.leftover = ()

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
