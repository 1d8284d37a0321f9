"""Paths of member names in JSON, such as ``a.b.c``, and lookups for formats described by tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from formats.json.messages import JSON_TIME_UNREAD
from formats.json.shapes import Names
from formats.json.value import JsonValue
from formats.reading.member_names import MOST_TRIED, plain_name
from formats.reading.time_values import is_time, number_of, seconds_of
from formats.schema.diagnostics import DiagnosticLog

TIME_NAME = re.compile(
    r"(?:.*(?:start|begin|offset|duration|time|timestamp)|from|to|ts|t\d"
    r"|(?:start|begin|end|stop|offset|duration|time).*)\Z"
)


def values_at(value: JsonValue, path: str) -> Iterator[JsonValue]:
    """Yield the values at a path through objects and lists. Every member of the path must exist."""
    name, _, rest = path.partition(".")
    if not name:
        return
    member = value.required(name)
    for inner in member.elements() if isinstance(member.value, list) else (member,):
        if rest:
            yield from values_at(inner, rest)
        else:
            yield inner


def rows_at(rows: Sequence[Any], path: str) -> list[dict[str, Any]]:
    """Return the objects at a path below each row; rows without the path are skipped."""
    for name in filter(None, path.split(".")):
        inner = [row.get(name) for row in rows if isinstance(row, dict)]
        rows = [row for each in inner for row in (each if isinstance(each, list) else [each])]
    return [row for row in rows if isinstance(row, dict)]


def path_in(value: JsonValue, paths: str) -> str:
    """Return the first path that exists in the value; empty if none exists.

    `paths` holds paths with blanks between them.
    """
    return next(filter(value.has_path, paths.split()), "")


def text_at(value: JsonValue, path: str) -> str:
    """Return the text at a path; empty if missing."""
    return value.at(path).text() if path and value.has_path(path) else ""


def names_by_id(value: JsonValue, path: str) -> dict[str, str]:
    """Map ids of speakers to names, without names that several ids share."""
    where, _, members = path.partition(":")
    if not where or not value.has_path(where):
        return {}
    owner = value.at(where)
    if members:
        key, name = members.split(":")
        listed = [(e.required(key).name(), e.get(name)) for e in owner.elements()]
        names = {key: name.text() for key, name in listed if name is not None}
    else:
        names = {key: name.text() for key, name in owner.members()}
    uses = Counter(names.values())
    return {key: name for key, name in names.items() if name and uses[name] == 1}


def first_of(row: dict[str, Any], names: Iterable[str]) -> Any:
    """Return the value of the first of these members that is present and not null."""
    return next((value for name in names if (value := row.get(name)) is not None), None)


def warn_unused_times(log: DiagnosticLog, names: Names, rows: Sequence[dict[str, Any]]) -> None:
    """Warn about members that look like times but are not read."""
    plain = {plain_name(name)[0] for name in names.used}
    for name in dict.fromkeys(name for row in rows[:MOST_TRIED] for name in row):
        known = name in names.expected or plain_name(name)[0] in plain
        if known or not TIME_NAME.match(plain_name(name)[0]):
            continue
        values = [row[name] for row in rows if row.get(name) is not None]
        is_copy = any(_repeats(row, name, names) for row in rows) or _are_dates(rows, name, names)
        if values and all(map(is_time, values)) and not is_copy:
            messages = (d.value for d in log.entries() if d.value.entry == JSON_TIME_UNREAD)
            if name not in (message.fields["name"] for message in messages):
                log.say(JSON_TIME_UNREAD, name=name)


def _repeats(row: dict[str, Any], name: str, names: Names) -> bool:
    """Return True if the number in a member is the start, end or duration, in any usual unit."""
    number = _float(row.get(name))
    start, end = _float(first_of(row, names.start)), _float(first_of(row, names.end))
    times = [start, end, None if start is None or end is None else end - start]
    return number is not None and any(
        time is not None and abs(number - time * factor) <= 0.01 * max(number, 1.0)
        for time in times
        for factor in (1, 1000, 0.001)
    )


def _are_dates(rows: Sequence[dict[str, Any]], name: str, names: Names) -> bool:
    """Return True if a member has seconds since another zero, as 1970, in all rows with a start.

    >>> rows = [{"at": 5, "unixtime": 1714550405}, {"at": 65, "unixtime": "1714550465"}]
    >>> _are_dates(rows, "unixtime", Names(start="at"))
    True
    """
    pairs = [(_float(row.get(name)), _float(first_of(row, names.start))) for row in rows]
    gaps = [number - start for number, start in pairs if number is not None and start is not None]
    return len(gaps) > 1 and max(gaps) - min(gaps) <= 1


def _float(value: Any) -> float | None:
    return number_of(seconds_of(value) if isinstance(value, str) else value)
