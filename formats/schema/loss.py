"""Counts of content that a target format cannot represent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import ne

from formats.schema.errors import FileLine, located
from formats.schema.messages import Entry, Message, rule
from formats.schema.refusals import LossError
from formats.schema.times import round_time
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias, TypeVar

    T = TypeVar("T")

Rule: TypeAlias = "str | Entry | Message"
"""The rule of a loss: an entry without fields, or a message; a text of another package."""

NAMED = rule("name", "{name}")
"""The rule is a choice of the user, or another name of a closed list."""
ROUNDED = rule("rounded", "rounded to {decimals} decimals")
JOINED_BY_RECORDING = rule("joined-recording", "joined by recording")
END_WITHOUT_BEGIN = rule("end-without-begin", "an end without a begin")
NOT_OF_RECORDING = rule("part-of-recording", "not of the whole recording")


def refused(path: str | None, line: int | None, expected: str, found: str) -> LossError:
    """Create the error about content of a line that the target format cannot represent."""
    return LossError(path=path, line=line, expected=expected, found=found)


class Loss(NamedFields):
    """A kind of content that was not preserved, and how often it occurred.

    Attributes
    ----------
    what: plural name, such as ``confidences``.
    count: number of occurrences.
    rule: the replacement, such as ``first branch taken``; may be empty.
    path, line: position of the first occurrence, `None` if unknown.
    value: the replacement as a message, `None` if there is none.
    """

    what: str
    count: int
    rule: str = ""
    path: str | None = None
    line: int | None = None
    value: Message | None = None

    def __repr__(self) -> str:
        return f"<Loss {self}>"

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.what}: {self.count}{rule}"

    def located(self) -> str:
        """Return the loss as text, with the position of its first occurrence."""
        return located(self.path, self.line, None, f"{self}")


class Losses:
    """The losses of a conversion by kind, in order of first occurrence."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, Rule], int] = {}
        self._first: dict[tuple[str, Rule], tuple[str | None, int | None]] = {}

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of losses of each kind."""
        totals: dict[str, int] = {}
        for (kind, _), count in self._counts.items():
            totals[kind] = totals.get(kind, 0) + count
        return totals

    def add(
        self,
        what: str,
        count: int = 1,
        rule: Rule = "",
        path: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add `count` losses of the kind `what`; do nothing if `count` is zero."""
        if not count:
            return
        key = (what, rule)
        before = self._counts.get(key)
        if before is None:
            self._first[key] = (line.path if isinstance(line, FileLine) else path, line)
        self._counts[key] = (before or 0) + count

    def in_order(
        self,
        items: Sequence[T],
        key: Callable[[T], Any],
        rule: Rule,
        path: str | None = None,
        what: str = "order of segments",
    ) -> list[T]:
        """Sort the items by `key`; count each item whose position changes as a loss."""
        places = sorted(range(len(items)), key=lambda index: key(items[index]))
        self.add(what, sum(map(ne, places, range(len(items)))), rule, path)
        return [items[index] for index in places]

    def rounded(
        self, precision: int, path: str | None, line: int | None, *times: int
    ) -> tuple[int, ...]:
        """Round nanoseconds to `precision` decimals of a second, half to even; count changes."""
        if precision >= 9:  # nanoseconds
            return times
        rounded = tuple([round_time(time, precision) for time in times])
        if rounded != times:
            changed = sum(map(ne, rounded, times))
            self.add("decimals of times", changed, _rounding(precision), path, line)
        return rounded

    def entries(self) -> tuple[Loss, ...]:
        """Return the losses so far, one entry per kind."""
        return tuple(
            Loss(kind, count, str(value or ""), *self._first[kind, rule], value)
            for (kind, rule), count in self._counts.items()
            for value in [_message_of(rule)]
        )


@cache
def _rounding(decimals: int) -> Message:
    return Message(ROUNDED, {"decimals": decimals})


def _message_of(rule: Rule) -> Message | None:
    """Return the rule of a loss as a message; `None` if the loss has no rule."""
    if isinstance(rule, Message):
        return rule
    if isinstance(rule, Entry):
        return Message(rule)
    return Message(NAMED, {"name": rule}) if rule else None
