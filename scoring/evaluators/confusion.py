"""What became of one value: the pairs of labels, or the stretches of time, it takes part in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from formats.times import SECOND
from scoring.alignment.labels.flattening import SegmentPair
from scoring.alignment.labels.pairs import LabelPair
from scoring.evaluators.amounts import Amounts, Measures

_set = object.__setattr__

_Item = TypeVar("_Item", LabelPair, SegmentPair)
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
