"""Two sides with the alignment of their labels and the resulting counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar

from formats.schema import VERSION
from formats.schema.messages import Message
from scoring.model.counts import Edit
from scoring.tasks.labels.aligners.pairs import ListLikeTuple
from scoring.tasks.labels.amounts import KeywordRates
from scoring.tasks.labels.confusion import (
    AggregatedConfusion,
    EventConfusion,
    SegmentConfusion,
    confusion_of,
)
from scoring.tasks.labels.outcome import Outcome


@dataclass(frozen=True, init=False, repr=False)
class AlignedOutcomes:
    """The data that reports need; see `scoring.tasks.labels.evaluation.Evaluation`."""

    unit: ClassVar[str] = "events"
    """The unit of counting: ``events``, ``words``, ``keywords`` or ``seconds``."""
    title: ClassVar[str] = "Events"
    confusion_type: ClassVar[type[EventConfusion] | type[SegmentConfusion]] = EventConfusion

    ref_outcome: Outcome
    hyp_outcome: Outcome
    _aligned: tuple[tuple[str, ListLikeTuple[Any]], ...]
    remarks: tuple[Message, ...] = field(compare=False)
    choices: Mapping[str, str] = field(compare=False)

    def __init__(
        self,
        ref_outcome: Outcome,
        hyp_outcome: Outcome,
        aligned: Mapping[str, Iterable[Any]],
        remarks: Iterable[Message] = (),
        choices: Mapping[str, str] | None = None,
    ) -> None:
        utterances = tuple((name, ListLikeTuple(pairs)) for name, pairs in aligned.items())
        values = (ref_outcome, hyp_outcome, utterances, tuple(remarks), choices or {})
        for member, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, member.name, value)

    @property
    def signature(self) -> str:
        """A line with every choice that determines the numbers."""
        rules = "".join(f"|{name}:{value}" for name, value in self.choices.items())
        return f"{self.title.lower()}|unit:{self.unit}{rules}|v:{VERSION}"

    @cached_property
    def confusion(self) -> AggregatedConfusion:
        """The confusions of all utterances together."""
        return confusion_of(self.confusion_type, self.items)

    @property
    def aligned(self) -> dict[str, ListLikeTuple[Any]]:
        """Aligned pairs of labels, or segments, by utterance."""
        return dict(self._aligned)

    @property
    def items(self) -> list[Any]:
        """The aligned pairs or time spans of all utterances."""
        return [pair for _, pairs in self._aligned for pair in pairs]

    @property
    def failing_utterances(self) -> list[str]:
        """The utterances with errors, in order."""
        correct = set(self.correct_utterances)
        return [utterance for utterance, _ in self._aligned if utterance not in correct]

    @property
    def correct_utterances(self) -> list[str]:
        """The utterances without errors, in order."""
        return [
            utterance
            for utterance, pairs in self._aligned
            if all(pair.edit == Edit.CORRECT for pair in pairs)
        ]

    @property
    def utterance_durations(self) -> dict[str, float]:
        """The known durations by utterance, in seconds; both sides have the same durations."""
        return self.ref_outcome.utterance_durations

    def keyword_rates(self, keywords: str | Iterable[str] | None = None) -> KeywordRates | None:
        """Return the rates of keywords, or None for evaluations of other labels."""
        return None

    def false_alarms_per_hour(self, keyword: str | None = None) -> float | None:
        """Return the false alarms of keywords per hour.

        None if the labels are not keywords, or if durations are unknown.
        """
        return None
