"""What was confused with what, all values together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import SegmentPair
from scoring.labels.aligners.spans import LabelLike
from scoring.labels.amounts import Amounts, Measures
from scoring.labels.confusion import (
    Confusion,
    EventConfusion,
    ListedConfusion,
    Lists,
    SegmentConfusion,
)


class AggregatedConfusion(Measures):
    """The confusions of all values together; amounts are the sums of theirs.

    Parameters
    ----------
    confusions
        Of different values, all of events or all of segments.

    Attributes
    ----------
    instances
        The confusions by value, in order of first appearance. More can be added.

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

    __slots__ = ("instances",)

    def __init__(self, confusions: Iterable[Confusion] = ()) -> None:
        self.instances: dict[str, Confusion] = {}
        for confusion in confusions:
            if confusion.value in self.instances:
                raise ValueError("expected confusions of different values, found a value twice")
            self.instances[confusion.value] = confusion

    @property
    def confusions(self) -> tuple[Confusion, ...]:
        """Those of all values, in order of first appearance."""
        return tuple(self.instances.values())

    @property
    def amounts(self) -> Amounts:
        """The sums of theirs."""
        rows = [instance.amounts for instance in self.instances.values()]
        return Amounts(*map(sum, zip(*rows, strict=True)))

    @property
    def per_unit(self) -> int:
        """That of the confusions."""
        return next((instance.per_unit for instance in self.instances.values()), 1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AggregatedConfusion):
            return NotImplemented
        return self.instances == other.instances

    __hash__ = None  # type: ignore[assignment]  # more can be added

    @property
    def precision_mean(self) -> float | None:
        """Plain mean of the precisions of all values; one never recognised counts 0.

        As in evalmate, where it is not a number if there are no values; None here.
        """
        return _mean([instance.precision or 0.0 for instance in self.instances.values()])

    @property
    def recall_mean(self) -> float | None:
        """Plain mean of the recalls of all values; one never in the reference counts 0."""
        return _mean([instance.recall or 0.0 for instance in self.instances.values()])

    def get_confusion_with_instances(self, instances: Iterable[str]) -> AggregatedConfusion:
        """The confusions of some values only.

        Raises
        ------
        ValueError
            If there is no confusion of a value.
        """
        requested = list(instances)
        for value in requested:
            if value not in self.instances:
                raise ValueError(f'Instance with key "{value}" not found!')
        return _aggregated({value: self.instances[value] for value in requested})

    def __add__(self, other: AggregatedConfusion) -> AggregatedConfusion:
        merged = dict(self.instances)
        for value, added in other.instances.items():
            present = merged.get(value)
            if present is None:
                merged[value] = added
            elif isinstance(present, ListedConfusion) and isinstance(added, ListedConfusion):
                merged[value] = present + added
            else:
                raise TypeError("expected confusions of events or segments to add up")
        return _aggregated(merged)


def _aggregated(instances: dict[str, Confusion]) -> AggregatedConfusion:
    """Confusions by value, which of classes of other packages are no attribute."""
    aggregated = AggregatedConfusion()
    aggregated.instances = instances
    return aggregated


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


class _Aligned(Protocol):
    @property
    def ref(self) -> LabelLike | None: ...

    @property
    def hyp(self) -> LabelLike | None: ...


def create_from_label_pairs(pairs: Iterable[LabelPair]) -> AggregatedConfusion:
    """The confusions of aligned events; pairs of nothing with nothing are left out."""
    return _collected(EventConfusion, pairs)


def create_from_segments(segments: Iterable[SegmentPair]) -> AggregatedConfusion:
    """The confusions of aligned segments; segments without labels are left out."""
    return _collected(SegmentConfusion, segments)


def _collected(
    kind: Callable[[str], ListedConfusion], items: Iterable[_Aligned]
) -> AggregatedConfusion:
    by_value: dict[str, ListedConfusion] = {}

    def of(label: LabelLike) -> Lists:
        if label.value not in by_value:
            by_value[label.value] = kind(label.value)
        return by_value[label.value].lists

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
            of(ref).substituted[hyp.value].append(item)
            of(hyp).substituted_out[ref.value].append(item)
    return AggregatedConfusion(by_value.values())
