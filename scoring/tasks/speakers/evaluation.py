"""The input of an md-eval evaluation of a channel: both sides, the options, the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.tasks.speakers.md_eval_records import DIED, DIED_READING, EvaluatedChannel, Turns

# Types of records by their subtypes.
Kinds = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class MetadataConditions:
    """The options for metadata; gaps and limits are in seconds, or in words if `by_words`."""

    by_alignment: bool = False  # whether times of the system are moved by the alignment of words
    by_words: bool = False  # whether metadata are mapped by the words in common, not by time
    per_speaker: bool = False  # whether words are aligned with each speaker of the reference
    word_gap: float = 1.0  # farthest distance of words that may be aligned
    gap: float = 1.0  # farthest distance of metadata that may be mapped
    longest_unit: float = 0.5  # the last part of an SU that counts where it is mapped
    word_margin: float = 1.0  # how much worse than the best a path of words may be
    margin: float = 1.0  # how much worse than the best a path of metadata may be
    without_complex: bool = False  # whether complex edits are dropped
    not_evaluated: Kinds = frozenset()
    not_scored: Kinds = frozenset()
    words_by: str = ""  # letters, `c` and `f` for words by channel and file
    show_words: bool = False
    show_events: bool = False
    show_chronology: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """The options of scoring and output."""

    collar: float = 0.0  # seconds on each side of a turn's border that are not scored
    single: bool = False  # whether only stretches with one speaker of the reference are
    # Letters for partial results by channel (`c`), file (`f`), and of metadata by speaker (`s`)
    # and gender (`g`)
    by: str = ""
    show_mapping: bool = False  # whether the mapping and the scored pieces are printed
    show_segments: bool = False
    writes_mapping: bool = False  # whether the mapping goes to a file
    metadata: MetadataConditions = MetadataConditions()

    def names_of(self, file: str, channel: str) -> list[str]:
        """Return the conditions to which a channel belongs."""
        return ["ALL", *partial_name(self.by, file, channel)]


def partial_name(letters: str, file: str, channel: str) -> list[str]:
    """Return the name of the condition for a file, a channel or both.

    An empty list without letters.

    The letters `f` (file) and `c` (channel) are those of the option.
    """
    parts = [f"c={channel}"] if "c" in letters.lower() else []
    parts += [f"f={file}"] if "f" in letters.lower() else []
    return [" ".join(parts)] if parts else []


@dataclass(slots=True)
class DiarisationReport:
    """The lines to print, the lines of the mapping file, and remarks."""

    text: list[str] = field(default_factory=list)
    mapping: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    # Whether the original has opened the file of the mapping by now: errors end with its status
    opened_mapping: bool = False

    @property
    def death(self) -> int:
        """The exit status after an error; it changes once the mapping file has been opened."""
        return DIED_READING if self.opened_mapping else DIED


class ChannelEvaluation(NamedTuple):
    """A channel of a file: the records of both sides, the options, and the output."""

    file: str
    channel: str
    spoken: EvaluatedChannel
    heard: EvaluatedChannel
    conditions: Conditions
    report: DiarisationReport

    @property
    def sides(self) -> tuple[EvaluatedChannel, EvaluatedChannel]:
        """The records of reference and hypothesis."""
        return self.spoken, self.heard

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The names of the speakers of both sides, each side in order."""
        return sorted(self.spoken.turns), sorted(self.heard.turns)

    @property
    def label(self) -> str:
        """The file and channel, for messages."""
        return f"file '{self.file}' and channel '{self.channel}'"

    def turns(self) -> Iterator[list[Turns]]:
        """Yield the turns of each side by speaker."""
        for side, names in zip(self.sides, self.names, strict=True):
            yield [side.turns[name] for name in names]
