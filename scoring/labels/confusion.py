"""What became of one value: the pairs of labels, or the stretches of time, it takes part in."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, NamedTuple, TypeVar

from formats.times import SECOND
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import SegmentPair
from scoring.labels.amounts import Amounts, Measures

_Own = TypeVar("_Own", bound="ListedConfusion")
_OTHERS = partial(defaultdict[str, "list[Any]"], list)


class Confusion(Measures):
    """What became of one value; `EventConfusion` and `SegmentConfusion` say of what kind."""

    __slots__ = ()

    value: str

    def _repr_name(self) -> str:
        return f" of {getattr(self, 'value', None)!r}"


class Lists(NamedTuple):
    """What a confusion is made of: pairs of labels, or segments; the last two by other value."""

    correct: list[Any]
    inserted: list[Any]
    deleted: list[Any]
    substituted: defaultdict[str, list[Any]]
    substituted_out: defaultdict[str, list[Any]]


class ListedConfusion(Confusion):
    """A confusion that knows its pairs or segments, to which more may be added."""

    __slots__ = ()

    @property
    def lists(self) -> Lists:
        """Its fields but the value."""
        return Lists(*(getattr(self, member.name) for member in fields(self)[1:]))  # type: ignore[arg-type]

    @property
    def amounts(self) -> Amounts:
        """How many, or how long, they are now."""
        correct, inserted, deleted, *others = self.lists
        sums = [sum(map(self.amount, items)) for items in (correct, inserted, deleted)]
        return Amounts(
            *sums,
            *(
                sum(self.amount(item) for items in by_value.values() for item in items)
                for by_value in others
            ),
        )

    @staticmethod
    def amount(item: Any) -> int:
        """How much an item counts."""
        raise NotImplementedError

    def __add__(self: _Own, other: _Own) -> _Own:
        if type(self) is not type(other):
            raise TypeError("events and seconds do not add up")
        if self.value != other.value:
            raise ValueError(
                f"expected a confusion of {self.value!r}, found one of {other.value!r}"
            )
        both = type(self)(self.value)  # type: ignore[call-arg]
        for lists in (self.lists, other.lists):
            for target, more in zip(both.lists[:3], lists[:3], strict=True):
                target.extend(more)
            for by_value, more_by_value in zip(both.lists[3:], lists[3:], strict=True):
                for value, items in more_by_value.items():
                    by_value[value].extend(items)
        return both


@dataclass(slots=True, repr=False)
class EventConfusion(ListedConfusion):
    """The pairs of labels in which a value takes part.

    More can be added to all of them, and rates follow.

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
    >>> one = EventConfusion("up", [LabelPair(up, up)])
    >>> one.substitution_pairs["down"].append(LabelPair(up, down))
    >>> other = EventConfusion("up", insertion_pairs=[LabelPair(None, up)])
    >>> one + other, (one + other).precision
    (<EventConfusion of 'up': correct=1, insertions=1, substitutions=1>, 0.5)
    """

    value: str
    correct_pairs: list[LabelPair] = field(default_factory=list)
    insertion_pairs: list[LabelPair] = field(default_factory=list)
    deletion_pairs: list[LabelPair] = field(default_factory=list)
    substitution_pairs: dict[str, list[LabelPair]] = field(default_factory=_OTHERS)
    substitution_out_pairs: dict[str, list[LabelPair]] = field(default_factory=_OTHERS)

    @staticmethod
    def amount(item: LabelPair) -> int:
        """1."""
        return 1

    def substitutions_by_count(self) -> list[tuple[str, int]]:
        """What the value was taken for and how often, the most frequent first, then by name."""
        return [(other, int(amount)) for other, amount in substitutions_of(self)]


@dataclass(slots=True, repr=False)
class SegmentConfusion(ListedConfusion):
    """The stretches of time in which a value takes part; amounts are seconds.

    Parameters as of `EventConfusion`, with segments in the place of pairs. Amounts of segments
    without an end are refused with a `LabelError`.

    Examples
    --------
    >>> from formats import Label
    >>> from scoring.labels.aligners import ActiveStretch
    >>> speech = Label("speech", 0, 2)
    >>> confusion = SegmentConfusion("speech", [ActiveStretch(0, 1.5, speech, speech)])
    >>> confusion.deletion_segments.append(ActiveStretch(1.5, 2, speech))
    >>> confusion.recall
    0.75
    """

    value: str
    correct_segments: list[SegmentPair] = field(default_factory=list)
    insertion_segments: list[SegmentPair] = field(default_factory=list)
    deletion_segments: list[SegmentPair] = field(default_factory=list)
    substitution_segments: dict[str, list[SegmentPair]] = field(default_factory=_OTHERS)
    substitution_out_segments: dict[str, list[SegmentPair]] = field(default_factory=_OTHERS)

    @property
    def per_unit(self) -> int:
        """10⁹: amounts are nanoseconds inside, seconds outside."""
        return SECOND

    @staticmethod
    def amount(item: SegmentPair) -> int:
        """Its nanoseconds."""
        return item.nanoseconds


def substitutions_of(confusion: Confusion) -> list[tuple[str, float]]:
    """What a value was taken for, in events or seconds, the most first, then by name."""
    if not isinstance(confusion, ListedConfusion):
        return []
    found = [
        (other, confusion.shown(sum(map(confusion.amount, items))))
        for other, items in confusion.lists.substituted.items()
    ]
    return sorted(found, key=lambda entry: (-entry[1], entry[0]))
