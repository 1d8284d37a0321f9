"""The columns of a table that have the values for conditions, whatever the table is kept in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from formats.manifests.roles import Roles
from formats.reading.member_names import plain_name
from formats.reading.time_values import time_number
from scoring.results.groups import DURATION
from scoring.results.messages import UNIT_OF_DURATIONS, Message


class ConditionColumns(NamedTuple):
    """The columns with the values for a condition.

    Two columns have the starts and ends of rows. `per_second` is how many of their units make a
    second; 0 for values that are used as written.
    """

    names: tuple[str, ...]
    per_second: int = 0

    def values(self, columns: Sequence[Sequence[str | None]]) -> Sequence[str | None]:
        """Return the values of rows, durations in seconds.

        >>> ConditionColumns(("start", "end"), 1000).values([["500", "1.5"], ["4000", None]])
        ['3.5', None]
        """
        if not self.per_second:
            return columns[0]
        return [_seconds(cells, self.per_second) for cells in zip(*columns, strict=True)]

    def remark(self, path: str) -> Message | None:
        """Return the note on a unit that neither is the second nor is named by the column."""
        if self.per_second in (0, 1) or plain_name(self.names[0])[1] is not None:
            return None
        fields = {"path": path, "name": self.names[-1], "parts": self.per_second}
        return Message(UNIT_OF_DURATIONS, fields)


def _seconds(cells: Sequence[str | None], per_second: int) -> str | None:
    """Return the seconds of a duration, or between a start and an end; other texts as they are."""
    if None in cells or "" in cells:
        return None
    numbers = [time_number(cell) for cell in cells]
    if None in numbers:
        return cells[-1]
    *starts, end = numbers
    return f"{((end or 0) - (starts[0] or 0 if starts else 0)) / per_second:.9g}"


def column_named(name: str, names: Collection[str], by_role: Mapping[str, str]) -> str:
    """Return the column of a group or a condition: the column of that name, or of that role."""
    return name if name in names else by_role.get(name, name)


def columns_of_condition(
    name: str,
    names: Collection[str],
    by_role: Mapping[str, str],
    text: str,
    first: Callable[[], Mapping[str, Sequence[Any]]],
    per_second: int = 0,
) -> ConditionColumns:
    """Return the columns with the values of a property.

    The first rows of the table show the columns of times and their unit, as in a text table, unless
    the table names its unit (`per_second`).
    """
    if name == DURATION and (rows := first()):
        roles = Roles(rows, text, values=rows)
        per_second = roles.per_second(per_second)
        columns = [roles.by_role.get(role, "") for role in ("start", "end")]
        if not all(columns):
            columns = [roles.by_role.get("duration", "")]
        if all(columns):
            return ConditionColumns(tuple(columns), per_second)
    return ConditionColumns((column_named(name, names, by_role),))
