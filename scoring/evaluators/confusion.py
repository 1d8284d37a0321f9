"""What was confused with what: numbers of events or seconds, by value and all together.

For one value v: *correct* is v taken for v; *deletions* v taken for nothing; *substitutions* v
taken for something else; *insertions* v where nothing was; *substitutions out* v where something
else was. Everything else is derived from these five. The formulas are the usual ones, and those of
the Python package evalmate, except that a rate with nothing to divide by is None here and 0 there:
means over values move where a value has no rate (see `AggregatedConfusion.precision_mean`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from formats.times import SECOND
from formats.value import Value
from scoring.alignment.labels.flattening import SegmentPair
from scoring.alignment.labels.pairs import LabelPair
from scoring.alignment.labels.spans import LabelLike

_set = object.__setattr__


class Amounts(NamedTuple):
    """Whole numbers: events, or nanoseconds, so that sums are exact in any order."""

    correct: int = 0
    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    substitutions_out: int = 0


class Measures(Value):
    """The five amounts and what is derived from them.

    Amounts are whole numbers for events and seconds (floats) for segments. All rates are ratios,
    None where there is nothing to divide by.
    """

    __slots__ = ()

    amounts: Amounts

    @property
    def per_unit(self) -> int:
        """What an amount is divided by: 1 for events, 10⁹ for seconds."""
        raise NotImplementedError

    def _shown(self, amount: int) -> float:
        return amount if self.per_unit == 1 else amount / self.per_unit

    @property
    def correct(self) -> float:
        """Recognised as what it is."""
        return self._shown(self.amounts.correct)

    @property
    def insertions(self) -> float:
        """Recognised where nothing was."""
        return self._shown(self.amounts.insertions)

    @property
    def deletions(self) -> float:
        """Not recognised as anything."""
        return self._shown(self.amounts.deletions)

    @property
    def substitutions(self) -> float:
        """Recognised as something else."""
        return self._shown(self.amounts.substitutions)

    @property
    def substitutions_out(self) -> float:
        """Recognised where something else was; over all values the same as `substitutions`."""
        return self._shown(self.amounts.substitutions_out)

    @property
    def total(self) -> float:
        """All of the reference: correct, deletions and substitutions."""
        return self._shown(self._total)

    @property
    def _total(self) -> int:
        return self.amounts.correct + self.amounts.deletions + self.amounts.substitutions

    @property
    def true_positives(self) -> float:
        """The same as `correct`."""
        return self.correct

    @property
    def false_negatives(self) -> float:
        """Deletions and substitutions."""
        return self._shown(self.amounts.deletions + self.amounts.substitutions)

    @property
    def false_positives(self) -> float:
        """Insertions and substitutions out."""
        return self._shown(self.amounts.insertions + self.amounts.substitutions_out)

    @property
    def error_rate(self) -> float | None:
        """Substitutions, deletions and insertions per total; may be greater than 1.

        (evalmate says 0 where there are insertions, but no reference.)
        """
        own = self.amounts
        return _ratio(own.substitutions + own.deletions + own.insertions, self._total)

    @property
    def accuracy(self) -> float | None:
        """Correct per total and insertions."""
        return _ratio(self.amounts.correct, self._total + self.amounts.insertions)

    @property
    def precision(self) -> float | None:
        """True positives per all that was recognised."""
        own = self.amounts
        return _ratio(own.correct, own.correct + own.insertions + own.substitutions_out)

    @property
    def recall(self) -> float | None:
        """Correct per total."""
        return _ratio(self.amounts.correct, self._total)

    def f_measure(self, beta: float = 1) -> float | None:
        """Weighted harmonic mean of precision and recall; a recall weighs `beta` times as much.

        0 if nothing is correct, though there was something. (evalmate divides by zero there.)

        Raises
        ------
        ValueError
            If `beta` is negative.
        """
        if not beta >= 0:
            raise ValueError(f"beta: expected a number from 0, found {beta}")
        own, weight = self.amounts, beta * beta
        missed, invented = own.deletions + own.substitutions, own.insertions + own.substitutions_out
        if not (own.correct or missed or invented):
            return None
        whole = (1 + weight) * own.correct + weight * missed + invented
        return (1 + weight) * own.correct / whole if own.correct else 0.0

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={getattr(self, name):g}" for name in Amounts._fields if getattr(self, name)
        )
        return f"<{type(self).__name__}{self._repr_name()}: {shown or 'nothing'}>"

    def _repr_name(self) -> str:
        return ""


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


class _Aligned(Protocol):
    @property
    def ref(self) -> LabelLike | None: ...

    @property
    def hyp(self) -> LabelLike | None: ...


_Item = TypeVar("_Item", LabelPair, SegmentPair)
_AnyConfusion = TypeVar("_AnyConfusion", bound="Confusion")
_Others = dict[str, tuple[_Item, ...]]


class Confusion(Measures):
    """What became of one value; `EventConfusion` and `SegmentConfusion` say of what kind."""

    __slots__ = ()

    value: str

    def _repr_name(self) -> str:
        return f" of {self.value!r}"


class EventConfusion(Confusion):
    """The pairs of labels in which a value takes part.

    Parameters
    ----------
    value
        Which.
    correct_pairs, insertion_pairs, deletion_pairs
        Pairs of the value with itself, of nothing with it, of it with nothing.
    substitution_pairs
        By what the value was taken for.
    substitution_out_pairs
        By what was taken for the value.

    Examples
    --------
    >>> from formats import Label
    >>> up, down = Label("up", 1, 2), Label("down", 1, 2)
    >>> one = EventConfusion("up", [LabelPair(up, up)], substitution_pairs={"down": [(up, down)]})
    >>> other = EventConfusion("up", insertion_pairs=[LabelPair(None, up)])
    >>> one + other, (one + other).precision
    (<EventConfusion of 'up': correct=1, insertions=1, substitutions=1>, 0.5)
    """

    __slots__ = (
        "_substituted",
        "_substituted_out",
        "amounts",
        "correct_pairs",
        "deletion_pairs",
        "insertion_pairs",
        "value",
    )

    correct_pairs: tuple[LabelPair, ...]
    insertion_pairs: tuple[LabelPair, ...]
    deletion_pairs: tuple[LabelPair, ...]
    _substituted: tuple[tuple[str, tuple[LabelPair, ...]], ...]
    _substituted_out: tuple[tuple[str, tuple[LabelPair, ...]], ...]

    def __init__(
        self,
        value: str,
        correct_pairs: Iterable[LabelPair] = (),
        insertion_pairs: Iterable[LabelPair] = (),
        deletion_pairs: Iterable[LabelPair] = (),
        substitution_pairs: Mapping[str, Iterable[LabelPair]] | None = None,
        substitution_out_pairs: Mapping[str, Iterable[LabelPair]] | None = None,
    ) -> None:
        _set(self, "value", value)
        _set(self, "correct_pairs", tuple(correct_pairs))
        _set(self, "insertion_pairs", tuple(insertion_pairs))
        _set(self, "deletion_pairs", tuple(deletion_pairs))
        _set(self, "_substituted", _frozen(substitution_pairs))
        _set(self, "_substituted_out", _frozen(substitution_out_pairs))
        amounts = Amounts(
            len(self.correct_pairs),
            len(self.insertion_pairs),
            len(self.deletion_pairs),
            sum(len(pairs) for _, pairs in self._substituted),
            sum(len(pairs) for _, pairs in self._substituted_out),
        )
        _set(self, "amounts", amounts)

    @property
    def per_unit(self) -> int:
        """1: amounts are numbers of events."""
        return 1

    @property
    def substitution_pairs(self) -> dict[str, tuple[LabelPair, ...]]:
        """By what the value was taken for."""
        return dict(self._substituted)

    @property
    def substitution_out_pairs(self) -> dict[str, tuple[LabelPair, ...]]:
        """By what was taken for the value."""
        return dict(self._substituted_out)

    def substitutions_by_count(self) -> list[tuple[str, int]]:
        """What the value was taken for and how often, the most frequent first, then by name."""
        return [(other, int(amount)) for other, amount in substitutions_of(self)]

    def __add__(self, other: EventConfusion) -> EventConfusion:
        _check_same(self, other)
        return EventConfusion(
            self.value,
            self.correct_pairs + other.correct_pairs,
            self.insertion_pairs + other.insertion_pairs,
            self.deletion_pairs + other.deletion_pairs,
            _merged(self.substitution_pairs, other.substitution_pairs),
            _merged(self.substitution_out_pairs, other.substitution_out_pairs),
        )


class SegmentConfusion(Confusion):
    """The stretches of time in which a value takes part; amounts are seconds.

    Parameters as of `EventConfusion`, with segments in the place of pairs.

    Raises
    ------
    LabelError
        If a segment has no end.

    Examples
    --------
    >>> from formats import Label
    >>> speech = Label("speech", 0, 2)
    >>> confusion = SegmentConfusion("speech", [SegmentPair(0, 1.5, speech, speech)])
    >>> (confusion + SegmentConfusion("speech", (), (), [SegmentPair(1.5, 2, speech)])).recall
    0.75
    """

    __slots__ = (
        "_substituted",
        "_substituted_out",
        "amounts",
        "correct_segments",
        "deletion_segments",
        "insertion_segments",
        "value",
    )

    correct_segments: tuple[SegmentPair, ...]
    insertion_segments: tuple[SegmentPair, ...]
    deletion_segments: tuple[SegmentPair, ...]
    _substituted: tuple[tuple[str, tuple[SegmentPair, ...]], ...]
    _substituted_out: tuple[tuple[str, tuple[SegmentPair, ...]], ...]

    def __init__(
        self,
        value: str,
        correct_segments: Iterable[SegmentPair] = (),
        insertion_segments: Iterable[SegmentPair] = (),
        deletion_segments: Iterable[SegmentPair] = (),
        substitution_segments: Mapping[str, Iterable[SegmentPair]] | None = None,
        substitution_out_segments: Mapping[str, Iterable[SegmentPair]] | None = None,
    ) -> None:
        _set(self, "value", value)
        _set(self, "correct_segments", tuple(correct_segments))
        _set(self, "insertion_segments", tuple(insertion_segments))
        _set(self, "deletion_segments", tuple(deletion_segments))
        _set(self, "_substituted", _frozen(substitution_segments))
        _set(self, "_substituted_out", _frozen(substitution_out_segments))
        amounts = Amounts(
            _length(self.correct_segments),
            _length(self.insertion_segments),
            _length(self.deletion_segments),
            sum(_length(segments) for _, segments in self._substituted),
            sum(_length(segments) for _, segments in self._substituted_out),
        )
        _set(self, "amounts", amounts)

    @property
    def per_unit(self) -> int:
        """10⁹: amounts are nanoseconds inside, seconds outside."""
        return SECOND

    @property
    def substitution_segments(self) -> dict[str, tuple[SegmentPair, ...]]:
        """By what the value was taken for."""
        return dict(self._substituted)

    @property
    def substitution_out_segments(self) -> dict[str, tuple[SegmentPair, ...]]:
        """By what was taken for the value."""
        return dict(self._substituted_out)

    def __add__(self, other: SegmentConfusion) -> SegmentConfusion:
        _check_same(self, other)
        return SegmentConfusion(
            self.value,
            self.correct_segments + other.correct_segments,
            self.insertion_segments + other.insertion_segments,
            self.deletion_segments + other.deletion_segments,
            _merged(self.substitution_segments, other.substitution_segments),
            _merged(self.substitution_out_segments, other.substitution_out_segments),
        )


def substitutions_of(confusion: Confusion) -> list[tuple[str, float]]:
    """What a value was taken for, in events or seconds, the most first, then by name."""
    found: list[tuple[str, float]] = []
    if isinstance(confusion, EventConfusion):
        found = [(other, len(pairs)) for other, pairs in confusion.substitution_pairs.items()]
    elif isinstance(confusion, SegmentConfusion):
        found = [
            (other, _length(segments) / SECOND)
            for other, segments in confusion.substitution_segments.items()
        ]
    return sorted(found, key=lambda entry: (-entry[1], entry[0]))


def _length(segments: Iterable[SegmentPair]) -> int:
    return sum(segment.nanoseconds for segment in segments)


def _frozen(
    items: Mapping[str, Iterable[_Item]] | None,
) -> tuple[tuple[str, tuple[_Item, ...]], ...]:
    return tuple((other, tuple(own)) for other, own in (items or {}).items())


def _merged(left: _Others[_Item], right: _Others[_Item]) -> _Others[_Item]:
    return {
        other: left.get(other, ()) + right.get(other, ())
        for other in dict.fromkeys((*left, *right))
    }


def _check_same(left: Confusion, right: Confusion) -> None:
    if left.value != right.value:
        raise ValueError(f"expected a confusion of {left.value!r}, found one of {right.value!r}")


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

    __slots__ = ("amounts", "confusions")

    confusions: tuple[Confusion, ...]

    def __init__(self, confusions: Iterable[Confusion] = ()) -> None:
        _set(self, "confusions", tuple(confusions))
        if len(self.instances) < len(self.confusions):
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
        return {one.value: one for one in self.confusions}

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
