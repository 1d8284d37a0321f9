"""The labels of one side, by utterance, with the durations of the utterances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, isfinite
from typing import TypeAlias, Union

from formats.schema.messages import Message
from formats.schema.times import SECOND
from formats.schema.words import Label
from scoring.tasks.labels.aligners.pairs import ListLikeTuple
from scoring.tasks.labels.aligners.spans import (
    LabelError,
    LabelLike,
    described,
    has_open_end,
    span_of,
)
from scoring.tasks.labels.label_set import LabelSet

# A label, or what one is made of: value, start, end, confidence.
AnyLabel: TypeAlias = Union[LabelLike, "tuple[str | float | None, ...]"]
Stretches: TypeAlias = "tuple[tuple[float, float], ...]"

_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Outcome:
    """The labels of one side, by utterance. Immutable; supports `+`.

    Parameters
    ----------
    label_lists
        A mapping from utterances to labels, or a list of (utterance, labels) pairs. A label is a
        `formats.Label`; an object with the attributes `value`, `start` and `end`, such as a label
        of audiomate; or a tuple of value, start, end and confidence, in which all but the value may
        be missing. Labels keep the given order, and repeated labels stay.
    utterance_durations
        A mapping from utterances to their durations in seconds. A label whose end is None, infinite
        or -1 ends where the utterance does, if that is known.
    ignored
        A mapping from utterances to intervals that are not scored, with start and end in seconds.
    remarks
        Notes of the code that created the outcome.

    Raises
    ------
    LabelError
        If an utterance is named twice, a label has impossible times or begins after the end of the
        utterance, or a duration is not a number of seconds.

    Examples
    --------
    >>> outcome = Outcome({"u1": [("up", 1, 2), ("down", 5)]}, {"u1": 6})
    >>> outcome.label_lists["u1"][1].end, sorted(outcome.all_values), outcome.total_duration
    (6.0, ['down', 'up'], 6.0)
    """

    _labels: tuple[tuple[str, ListLikeTuple[Label]], ...]
    _durations: tuple[tuple[str, float], ...]
    _ignored: tuple[tuple[str, Stretches], ...]
    remarks: tuple[Message, ...] = field(compare=False)

    def __init__(
        self,
        label_lists: Mapping[str, Iterable[AnyLabel]]
        | Iterable[tuple[str, Iterable[AnyLabel]]] = (),
        utterance_durations: Mapping[str, float] | None = None,
        ignored: Mapping[str, Iterable[tuple[float, float]]] | None = None,
        remarks: Iterable[Message] = (),
    ) -> None:
        durations = dict(utterance_durations or {})
        for utterance, seconds in durations.items():
            if not (isfinite(seconds) and seconds >= 0):
                problem = f"expected seconds from 0, found {seconds}"
                raise LabelError(f"duration of {utterance!r}: {problem}")
            durations[utterance] = float(seconds)
        lists: dict[str, ListLikeTuple[Label]] = {}
        named = label_lists.items() if isinstance(label_lists, Mapping) else label_lists or ()
        for utterance, labels in named:
            if utterance in lists:
                problem = f"found {utterance!r} twice"
                raise LabelError(f"expected utterances of different names, {problem}")
            end = durations.get(utterance)
            lists[utterance] = ListLikeTuple(
                _ended(as_label(label), utterance, end) for label in labels
            )
        _set(self, "_labels", tuple(lists.items()))
        _set(self, "_durations", tuple(durations.items()))
        spans = ((utterance, tuple(spans)) for utterance, spans in (ignored or {}).items())
        _set(self, "_ignored", tuple(spans))
        _set(self, "remarks", tuple(remarks))

    @property
    def label_lists(self) -> dict[str, ListLikeTuple[Label]]:
        """Labels by utterance."""
        return dict(self._labels)

    @property
    def utterance_durations(self) -> dict[str, float]:
        """The known durations of utterances, in seconds."""
        return dict(self._durations)

    @property
    def ignored(self) -> dict[str, Stretches]:
        """Intervals by utterance that are not scored."""
        return dict(self._ignored)

    @property
    def labels(self) -> list[Label]:
        """The labels of all utterances."""
        return [label for _, labels in self._labels for label in labels]

    @property
    def all_values(self) -> set[str]:
        """The distinct values of all labels."""
        return {label.value for label in self.labels}

    @property
    def total_duration(self) -> float:
        """The duration of all utterances in seconds, including utterances without labels.

        Raises `LabelError` if the duration of an utterance is not known.
        """
        durations = self.utterance_durations
        missing = [utterance for utterance, _ in self._labels if utterance not in durations]
        if missing:
            raise LabelError(f"Missing durations for some utterances! ({listed(missing)})")
        return fsum(durations.values())

    def label_set(self) -> LabelSet:
        """Return the labels as a set."""
        return LabelSet(self.labels)

    def label_set_for_value(self, value: str) -> LabelSet:
        """Return the set of labels with a value."""
        return self.label_sets().get(value, LabelSet())

    def label_sets(self) -> dict[str, LabelSet]:
        """Return the labels of each value, in order of first appearance."""
        by_value: dict[str, list[Label]] = {}
        for label in self.labels:
            by_value.setdefault(label.value, []).append(label)
        return {value: LabelSet(labels) for value, labels in by_value.items()}

    def labels_beyond_the_end(self) -> int:
        """Return the number of labels that end after the known end of their utterance."""
        lists = self.label_lists
        return sum(
            label.end is not None and round(label.end * SECOND) > round(seconds * SECOND)
            for utterance, seconds in self._durations
            for label in lists.get(utterance, ())
        )

    def with_durations(self, durations: Mapping[str, float]) -> Outcome:
        """Return a copy with further durations of utterances.

        Raises `LabelError` if a duration contradicts a known duration.
        """
        merged = self.utterance_durations
        for utterance, seconds in durations.items():
            duration = merged.setdefault(utterance, seconds)
            if duration != seconds:
                raise LabelError(
                    f"utterance {utterance!r}: expected one duration, found {duration:g} and "
                    f"{seconds:g} s"
                )
        return Outcome(self._labels, merged, self.ignored, self.remarks)

    def changed(self, change: Callable[[str, Sequence[Label]], Iterable[AnyLabel]]) -> Outcome:
        """Return a copy with changed labels.

        `change` gets the name and the labels of an utterance.
        """
        lists = {utterance: change(utterance, labels) for utterance, labels in self._labels}
        return Outcome(lists, self.utterance_durations, self.ignored)

    def __add__(self, other: Outcome) -> Outcome:
        """Return the sum of two outcomes.

        Raises `LabelError` if they have an utterance in common.
        """
        return Outcome(
            self._labels + other._labels,
            self.with_durations(other.utterance_durations).utterance_durations,
            {**self.ignored, **other.ignored},
            self.remarks + other.remarks,
        )

    def __repr__(self) -> str:
        return f"<Outcome of {len(self._labels)} utterances, {len(self.labels)} labels>"


def as_label(label: AnyLabel) -> Label:
    """Convert a label to this package's class; an open end becomes None."""
    if not isinstance(label, Label):
        label = _label_of(label)
    if label.start is not None:
        span_of(label)
    elif not has_open_end(label):
        problem = f"found {label.value!r} with an end only"
        raise LabelError(f"expected a label with a start, {problem}")
    return label._replace(end=None) if label.end is not None and has_open_end(label) else label


def _label_of(source: AnyLabel) -> Label:
    """Return a label from a tuple, or from an object with the attributes of a label."""
    names = ("value", "start", "end")
    parts: Sequence[object]
    if isinstance(source, tuple | list):
        parts = source
    elif all(hasattr(source, name) for name in names):
        parts = [getattr(source, name) for name in names]
    else:
        raise LabelError(f"expected a label, found {source!r}")
    if not 1 <= len(parts) <= 4 or not isinstance(parts[0], str):
        raise LabelError(f"expected value, start, end and confidence of a label, found {source!r}")
    numbers: list[float | None] = []
    for part in parts[1:]:
        if part is not None and (isinstance(part, bool | str) or not hasattr(part, "__float__")):
            raise LabelError(f"expected times in seconds, found {part!r} of label {parts[0]!r}")
        numbers.append(None if part is None else float(part))
    return Label(parts[0], *numbers)


def _ended(label: Label, utterance: str, seconds: float | None) -> Label:
    """Return the label with its end filled in, if the end of the utterance is known."""
    if seconds is None or label.start is None or label.end is not None:
        return label
    if label.start > seconds:
        problem = f"expected labels within its {seconds:g} s, found {described(label)}"
        raise LabelError(f"utterance {utterance!r}: {problem}")
    return label._replace(end=seconds)


def listed(names: Sequence[str], at_most: int = 10) -> str:
    """Format names for a message: at most `at_most` names, and the number of all names."""
    text = ", ".join(map(repr, names[:at_most]))
    return text if len(names) <= at_most else f"{text}, … ({len(names)})"


def outside(labels: Iterable[Label], stretches: Stretches) -> list[Label]:
    """Return the labels whose middle (or begin, for open ends) is outside all of `stretches`."""
    remaining = []
    for label in labels:
        start = label.start
        middle = start if start is None or label.end is None else (start + label.end) / 2
        if middle is None or not any(begin <= middle < end for begin, end in stretches):
            remaining.append(label)
    return remaining


def cut(labels: Iterable[Label], stretches: Stretches) -> list[Label]:
    """Return the parts of labels that are outside all of `stretches`."""
    remaining = list(labels)
    for begin, end in stretches:
        parts = []
        for label in remaining:
            start, finish = label.start, label.end
            if start is None or start >= end or (finish is not None and finish <= begin):
                parts.append(label)
                continue
            if start < begin:
                parts.append(label._replace(end=begin))
            if finish is None or finish > end:
                parts.append(label._replace(start=end))
        remaining = parts
    return remaining
