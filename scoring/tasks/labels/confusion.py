"""Confusions: the pairs or segments of each value, and of all values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import chain
from typing import Any, ClassVar, TypeVar

from formats.schema.times import SECOND
from scoring.model.counts import Edit
from scoring.tasks.labels.aligners.pairs import ActiveStretch, Aligned, LabelPair
from scoring.tasks.labels.amounts import Amounts, Measures

_Same = TypeVar("_Same", bound="ListedConfusion")
_BY_VALUE = partial(defaultdict[str, "list[Any]"], list)


class Confusion(Measures):
    """The amounts of one value. Subclasses also list the labels."""

    __slots__ = ()

    value: str

    def substitutions_by_count(self) -> list[tuple[str, float]]:
        """Return the values that replaced this value, with amounts, greatest amount first."""
        return []

    def _repr_name(self) -> str:
        return f" of {getattr(self, 'value', None)!r}"


class ListedConfusion(Confusion):
    """A confusion with lists of its pairs or segments; more items can be added.

    Its fields are the value and, in the order of `Amounts`, three lists and two dictionaries. The
    dictionaries map the value on the other side to a list.
    """

    __slots__ = ()

    @property
    def lists(self) -> list[Any]:
        """All fields except the value: three lists, and two dictionaries whose values are lists."""
        return [getattr(self, member.name) for member in fields(self)[1:]]  # type: ignore[arg-type]

    @property
    def amounts(self) -> Amounts:
        """The current amounts: numbers of pairs, or lengths of segments."""
        *lists, substituted, out = self.lists
        lists += [chain(*substituted.values()), chain(*out.values())]
        return Amounts(*(sum(aligned.amount for aligned in members) for members in lists))

    def substitutions_by_count(self) -> list[tuple[str, float]]:
        """Return the values that replaced this value, with amounts, largest first."""
        substitutions = [
            (value, self.in_units(sum(aligned.amount for aligned in members)))
            for value, members in self.lists[3].items()
        ]
        return sorted(substitutions, key=lambda entry: (-entry[1], entry[0]))

    def __add__(self: _Same, other: _Same) -> _Same:
        if type(self) is not type(other):
            raise TypeError("events and seconds do not add up")
        if self.value != other.value:
            raise ValueError(
                f"expected a confusion of {self.value!r}, found one of {other.value!r}"
            )
        both = type(self)(self.value)  # type: ignore[call-arg]
        for confusion in (self, other):
            for target, members in zip(both.lists, confusion.lists, strict=True):
                if isinstance(target, list):
                    target.extend(members)
                else:
                    for value, more in members.items():
                        target[value].extend(more)
        return both


@dataclass(slots=True, repr=False)
class EventConfusion(ListedConfusion):
    """The pairs of labels that contain a value, and the rates computed from their numbers.

    There are lists of correct pairs, insertions and deletions of the value. Substitutions are
    grouped by the value that was recognised instead, and substitutions out by the value of the
    reference.

    Examples
    --------
    >>> from formats import Label
    >>> up, down = Label("up", 1, 2), Label("down", 1, 2)
    >>> first = EventConfusion("up", [LabelPair(up, up)])
    >>> first.substitution_pairs["down"].append(LabelPair(up, down))
    >>> second = EventConfusion("up", insertion_pairs=[LabelPair(None, up)])
    >>> first + second, (first + second).precision
    (<EventConfusion of 'up': correct=1, insertions=1, substitutions=1>, 0.5)
    """

    value: str
    correct_pairs: list[LabelPair] = field(default_factory=list)
    insertion_pairs: list[LabelPair] = field(default_factory=list)
    deletion_pairs: list[LabelPair] = field(default_factory=list)
    substitution_pairs: dict[str, list[LabelPair]] = field(default_factory=_BY_VALUE)
    substitution_out_pairs: dict[str, list[LabelPair]] = field(default_factory=_BY_VALUE)


@dataclass(slots=True, repr=False)
class SegmentConfusion(ListedConfusion):
    """The time spans of a value; amounts are in seconds.

    The parameters are those of `EventConfusion`, with segments instead of pairs. Amounts of
    segments without an end raise `LabelError`.

    Examples
    --------
    >>> from formats import Label
    >>> from scoring.tasks.labels.aligners import ActiveStretch
    >>> speech = Label("speech", 0, 2)
    >>> confusion = SegmentConfusion("speech", [ActiveStretch(0, 1.5, speech, speech)])
    >>> confusion.deletion_segments.append(ActiveStretch(1.5, 2, speech))
    >>> confusion.recall
    0.75
    """

    per_unit: ClassVar[int] = SECOND

    value: str
    correct_segments: list[ActiveStretch] = field(default_factory=list)
    insertion_segments: list[ActiveStretch] = field(default_factory=list)
    deletion_segments: list[ActiveStretch] = field(default_factory=list)
    substitution_segments: dict[str, list[ActiveStretch]] = field(default_factory=_BY_VALUE)
    substitution_out_segments: dict[str, list[ActiveStretch]] = field(default_factory=_BY_VALUE)


class AggregatedConfusion(Measures):
    """The confusions of all values together; amounts are sums over the values.

    `confusions` must have distinct values (ValueError otherwise), and be all of events or all of
    segments. `instances` maps values to confusions, in order of first appearance. Confusions can be
    added.

    Examples
    --------
    >>> from formats import Label
    >>> up, down = Label("up", 1, 2), Label("down", 3, 4)
    >>> first = create_from_label_pairs([LabelPair(up, up), LabelPair(up, down)])
    >>> both = first + create_from_label_pairs([LabelPair(None, down)])
    >>> print(both)
    <AggregatedConfusion: correct=1, insertions=1, substitutions=1, substitutions_out=1>
    >>> list(both.instances), both.get_confusion_with_instances(["down"]).false_positives
    (['up', 'down'], 2)
    """

    __slots__ = ("instances",)

    def __init__(self, confusions: Iterable[Confusion] = ()) -> None:
        self.instances: dict[str, Confusion] = {}
        for confusion in confusions:
            if confusion.value in self.instances:
                raise ValueError("expected a confusion of each value once, found a value twice")
            self.instances[confusion.value] = confusion

    @property
    def confusions(self) -> tuple[Confusion, ...]:
        """The confusions of the values, in order of first appearance."""
        return tuple(self.instances.values())

    @property
    def amounts(self) -> Amounts:
        """The sums of the amounts of all values."""
        rows = [instance.amounts for instance in self.confusions]
        return Amounts(*map(sum, zip(*rows, strict=True)))

    @property
    def per_unit(self) -> int:
        """The unit of the confusions: labels or seconds."""
        return next((instance.per_unit for instance in self.confusions), 1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AggregatedConfusion):
            return NotImplemented
        return self.instances == other.instances

    __hash__ = None  # type: ignore[assignment]  # more can be added

    @property
    def precision_mean(self) -> float | None:
        """The unweighted mean of the precisions of all values; 0 for a value never recognised.

        As in evalmate, except that the mean is None without values (NaN in evalmate).
        """
        return _mean([instance.precision or 0.0 for instance in self.confusions])

    @property
    def recall_mean(self) -> float | None:
        """The unweighted mean of recalls over all values; 0 if the reference lacks a value."""
        return _mean([instance.recall or 0.0 for instance in self.confusions])

    def get_confusion_with_instances(self, instances: Iterable[str]) -> AggregatedConfusion:
        """Return the confusions of some values only.

        Raises `ValueError` if a value has no confusion.
        """
        selection = AggregatedConfusion()
        for value in instances:
            if value not in self.instances:
                raise ValueError(f'Instance with key "{value}" not found!')
            selection.instances[value] = self.instances[value]
        return selection

    def __add__(self, other: AggregatedConfusion) -> AggregatedConfusion:
        merged = self.get_confusion_with_instances(self.instances)
        for value, added in other.instances.items():
            present = merged.instances.setdefault(value, added)
            if value not in self.instances:
                continue
            if not (isinstance(present, ListedConfusion) and isinstance(added, ListedConfusion)):
                raise TypeError("expected confusions of events or segments to add up")
            merged.instances[value] = present + added
        return merged


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def create_from_label_pairs(pairs: Iterable[LabelPair]) -> AggregatedConfusion:
    """Return the confusions of aligned events; pairs without labels are dropped."""
    return confusion_of(EventConfusion, pairs)


def create_from_segments(segments: Iterable[ActiveStretch]) -> AggregatedConfusion:
    """Return the confusions of aligned segments; segments without labels are dropped."""
    return confusion_of(SegmentConfusion, segments)


def confusion_of(
    kind: type[EventConfusion] | type[SegmentConfusion], pairs: Iterable[Aligned]
) -> AggregatedConfusion:
    """Return the confusions of aligned labels, by value in order of first appearance."""
    whole = AggregatedConfusion()
    lists: dict[str, list[Any]] = {}
    for pair in pairs:
        for label in (pair.ref, pair.hyp):
            if label is not None and label.value not in lists:
                whole.instances[label.value] = confusion = kind(label.value)
                lists[label.value] = confusion.lists
        if pair.label is None:
            continue
        edit, members = pair.edit, lists[pair.label.value]
        if edit == Edit.SUBSTITUTION:
            members[3][pair.hyp.value].append(pair)
            lists[pair.hyp.value][4][pair.ref.value].append(pair)
        else:
            members[_COLUMN[edit]].append(pair)
    return whole


_COLUMN = {Edit.CORRECT: 0, Edit.INSERTION: 1, Edit.DELETION: 2}
