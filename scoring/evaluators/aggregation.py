"""What was confused with what, all values together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from scoring.alignment.labels.flattening import SegmentPair
from scoring.alignment.labels.pairs import LabelPair
from scoring.alignment.labels.spans import LabelLike
from scoring.evaluators.amounts import Amounts, Measures
from scoring.evaluators.confusion import Confusion, EventConfusion, SegmentConfusion

_set = object.__setattr__


class AggregatedConfusion(Measures):
    """The confusions of all values together; amounts are the sums of theirs.

    Parameters
    ----------
    confusions
        Of different values, all of events or all of segments.

    Raises
    ------
    ValueError
        If a value comes twice.

    Examples
    --------
    >>> from formats import Label
    >>> up, down = Label("up", 1, 2), Label("down", 3, 4)
    >>> first = create_from_label_pairs([LabelPair(up, up), LabelPair(up, down)])
    >>> both = first + create_from_label_pairs([LabelPair(None, down)])
    >>> both, list(both.instances)
    (<AggregatedConfusion: correct=1, insertions=1, substitutions=1, substitutions_out=1>, ['up', 'down'])
    >>> both.get_confusion_with_instances(["down"]).false_positives
    2
    """  # noqa: E501

    __slots__ = ("_by_value", "amounts", "confusions")
    uncompared = frozenset({"_by_value"})  # follows from the rest

    confusions: tuple[Confusion, ...]
    _by_value: dict[str, Confusion]

    def __init__(self, confusions: Iterable[Confusion] = ()) -> None:
        _set(self, "confusions", tuple(confusions))
        _set(self, "_by_value", {one.value: one for one in self.confusions})
        if len(self._by_value) < len(self.confusions):
            raise ValueError("expected confusions of different values, found a value twice")
        rows = [one.amounts for one in self.confusions]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        _set(self, "amounts", Amounts(*sums))

    @property
    def per_unit(self) -> int:
        """That of the confusions."""
        return self.confusions[0].per_unit if self.confusions else 1

    @property
    def instances(self) -> dict[str, Confusion]:
        """The confusions by value, in order of first appearance."""
        return dict(self._by_value)

    def of(self, value: str) -> Confusion | None:
        """The confusion of a value, None if there is none."""
        return self._by_value.get(value)

    @property
    def precision_mean(self) -> float | None:
        """Plain mean of the precisions of all values; one never recognised counts 0.

        As in evalmate, where it is not a number if there are no values; None here.
        """
        return _mean([one.precision or 0.0 for one in self.confusions])

    @property
    def recall_mean(self) -> float | None:
        """Plain mean of the recalls of all values; one never in the reference counts 0."""
        return _mean([one.recall or 0.0 for one in self.confusions])

    def get_confusion_with_instances(self, instances: Iterable[str]) -> AggregatedConfusion:
        """The confusions of some values only.

        Raises
        ------
        ValueError
            If there is no confusion of a value.
        """
        known = self.instances
        for value in (wanted := list(instances)):
            if value not in known:
                raise ValueError(f'Instance with key "{value}" not found!')
        return AggregatedConfusion(known[value] for value in dict.fromkeys(wanted))

    def __add__(self, other: AggregatedConfusion) -> AggregatedConfusion:
        merged: dict[str, Confusion] = self.instances
        for one in other.confusions:
            own = merged.get(one.value)
            merged[one.value] = one if own is None else _sum(own, one)
        return AggregatedConfusion(merged.values())


def _sum(left: Confusion, right: Confusion) -> Confusion:
    if isinstance(left, EventConfusion) and isinstance(right, EventConfusion):
        return left + right
    if isinstance(left, SegmentConfusion) and isinstance(right, SegmentConfusion):
        return left + right
    raise TypeError("events and seconds do not add up")


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


class _Aligned(Protocol):
    @property
    def ref(self) -> LabelLike | None: ...

    @property
    def hyp(self) -> LabelLike | None: ...


class _Collected:
    """What is gathered of a value before it is made a confusion."""

    def __init__(self) -> None:
        self.correct: list[object] = []
        self.inserted: list[object] = []
        self.deleted: list[object] = []
        self.substituted: dict[str, list[object]] = {}
        self.substituted_out: dict[str, list[object]] = {}


def _collected(items: Iterable[_Aligned]) -> dict[str, _Collected]:
    by_value: dict[str, _Collected] = {}

    def of(label: LabelLike) -> _Collected:
        return by_value.setdefault(label.value, _Collected())

    for item in items:
        ref, hyp = item.ref, item.hyp
        if ref is None:
            if hyp is not None:
                of(hyp).inserted.append(item)
        elif hyp is None:
            of(ref).deleted.append(item)
        elif ref.value == hyp.value:
            of(ref).correct.append(item)
        else:
            of(ref).substituted.setdefault(hyp.value, []).append(item)
            of(hyp).substituted_out.setdefault(ref.value, []).append(item)
    return by_value


def create_from_label_pairs(pairs: Iterable[LabelPair]) -> AggregatedConfusion:
    """The confusions of aligned events; pairs of nothing with nothing are left out."""
    return AggregatedConfusion(
        EventConfusion(value, *vars(one).values()) for value, one in _collected(pairs).items()
    )


def create_from_segments(segments: Iterable[SegmentPair]) -> AggregatedConfusion:
    """The confusions of aligned segments; segments without labels are left out.

    Raises
    ------
    LabelError
        If a segment has no end.
    """
    return AggregatedConfusion(
        SegmentConfusion(value, *vars(one).values()) for value, one in _collected(segments).items()
    )
