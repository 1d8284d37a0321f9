"""Pairing: assigns hypothesis words to each reference utterance before the alignment.

There are four methods: by identifier (trn with trn), by time (stm with ctm), by shared pauses (ctm
with ctm), and by the program `diff`. Each method returns a `Pairing`: both sides, divided into the
same utterances.
"""

from __future__ import annotations

import sys
from itertools import takewhile

from formats.schema import NamedTuple
from scoring.nist.transcripts.input_files import remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from scoring.alignment.numbered import NumberedSide
    from scoring.alignment.sides import Edits
    from scoring.alignment.system import Utterances
    from scoring.model.aliases import Say
    from scoring.model.errors import ScoringError
    from scoring.nist.segmentation.segmentation import Segmenter
    from scoring.nist.transcripts.characters import Characters
    from scoring.nist.transcripts.input_files import Definitions
    from scoring.nist.transcripts.lexicon import Lexicon

# Feedback in order: text; `Done` with an utterance; or an utterance whose alignment is shown.
Progress: TypeAlias = "Iterator[str | int]"


class Always(str):
    """Progress text that sclite prints even at feedback level 0."""

    __slots__ = ()


class Done(int):
    """Progress event: the alignment of the utterance with this index is complete."""

    __slots__ = ()


class Setting(NamedTuple):
    """The settings that all methods of pairing share."""

    characters: Characters
    lexicon: Lexicon
    attributes: int  # bits every utterance gets
    first_sequence: int  # running number of the first utterance
    verbose: int  # feedback level
    warn: Say  # gets messages for the error stream
    segmenter: Segmenter | None = None  # infers the words of one side (`-S`), or None

    @property
    def folds_hypothesis(self) -> bool:
        """False if a trn hypothesis keeps its capitals even though the options ignore case."""
        return self.segmenter is None or self.segmenter.folds_hypothesis

    def begin(self) -> ScoringError | None:
        """Prepare the segmenter before the first utterance; return an error or None."""
        return None if self.segmenter is None else self.segmenter.prepare()

    def feedback(self, utterance: int) -> list[str | int]:
        """Return the progress events after the alignment of an utterance."""
        done = Done(utterance)
        return [done, "\n", utterance] if self.verbose >= 2 else [done]

    def warn_of_lost_words(self, number: int, name: str) -> None:
        """Warn about hypothesis words after the last reference word."""
        if number:
            problem = f"{number} words after the last one of the reference are not scored"
            self.warn(remark(name, problem))

    def sequences(self, utterances: int) -> range:
        """Return the sequence numbers of the next utterances."""
        return range(self.first_sequence, self.first_sequence + utterances)


class Reduction(NamedTuple):
    """Option `-m`: drop a side's words or segments that are outside the times of the other side."""

    reference: bool = False
    hypothesis: bool = False


class Pairing(NamedTuple):
    """Two sides with matching utterances, ready to be aligned."""

    speakers: list[str]  # in order of first appearance
    utterances: Utterances
    reference: NumberedSide
    hypothesis: NumberedSide
    definitions: Definitions
    progress: Progress
    # An error that is to be raised once the utterances before it have been reported
    failure: ScoringError | None = None
    # Whether neighbouring insertions and deletions are to be sorted by time (ctm with ctm)
    by_time: bool = False
    # The alignments, where pairing could not do without making them (by diff); else None
    edits: Edits | None = None

    def failed_at(self, utterance: int, failure: ScoringError) -> Pairing:
        """Return a copy that ends before an utterance with the error `failure`."""
        progress = takewhile(
            lambda event: not (isinstance(event, Done) and event == utterance), self.progress
        )
        return self._replace(failure=failure, progress=progress)


class Speakers:
    """Numbers for speakers in order of first appearance, and how many utterances each has."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.utterances: list[int] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Return the number of a speaker. A new name gets a new number."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
            self.utterances.append(0)
        return number

    def numbered(self, names: Iterable[str]) -> tuple[array[int], list[str]]:
        """Return the speaker number of each utterance, and an identifier `(SPEAKER-NUMBER)`."""
        from array import array

        numbers, identifiers = array("i", map(self.number, names)), []
        for number in numbers:
            identifiers.append(f"({self.names[number]}-{self.utterances[number]:03d})")
            self.utterances[number] += 1
        return numbers, identifiers


def same_for_all(attributes: int, utterances: int) -> Sequence[int]:
    """Return a column with the same attribute bits for all utterances."""
    return memoryview(attributes.to_bytes(2, sys.byteorder) * utterances).cast("H")
