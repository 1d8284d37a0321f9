"""Rows of objects whose names are times, ids or parts of one recording."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from operator import is_not
from typing import Any

from formats.json.paths import first_of
from formats.json.recordings import KEY
from formats.json.shapes import Names
from formats.json.texts import are_ids, text_name
from formats.json.turn_members import DEEPEST, is_turn, lift_texts, span_in
from formats.reading.member_names import MOST_TRIED
from formats.reading.time_values import number_of, seconds_of, time_number, times_of_span

NamesOf = Callable[[Sequence[dict[str, Any]]], Names]
BRANCHES = frozenset(
    ("children", "child", "replies", "reply", "responses", "comments", "subcomments", "thread",
     "followups", "branches", "kinder", "hijos", "réponses", "respuestas")
)  # fmt: skip
"""Names of lists of what was said behind the text of the object that has them."""
MOST_BRANCHES = 500
"""Levels of such lists; the texts in deeper ones are not read."""


def joined_parts(value: Any, names_of: NamesOf) -> Any:
    """Join the lists in an object to one list, if their times continue from list to list.

    ``{"Opening": [{"text": "so", "at": 1}], "Close": [{"text": "bye", "at": 5}]}`` is one list.
    """
    parts = list(value.values()) if isinstance(value, dict) else []
    are_lists = all(isinstance(part, list) and part for part in parts)
    if len(parts) < 2 or not are_lists or not all(isinstance(e, dict) for p in parts for e in p):
        return value
    names = [names_of(part[:MOST_TRIED]) for part in parts]
    are_alike = bool(names[0].text and names[0].start) and len({tuple(n.used) for n in names}) == 1
    starts = [number_of(first_of(row, names[0].start)) for part in parts for row in part]
    times = [time for time in starts if time is not None]
    firsts = [number_of(first_of(part[0], names[0].start)) or 0 for part in parts]
    is_ordered = len(times) == len(starts) and all(a <= b for a, b in pairwise(times))
    is_ordered = is_ordered and all(a < b for a, b in pairwise(firsts))
    return [row for part in parts for row in part] if are_alike and is_ordered else value


def with_branches(value: Any, moved: Counter[str], levels: int = DEEPEST) -> Any:
    """Return a value with the rows in branches of trees behind the rows that have these.

    The rows of a branch have the same member with a text. `moved` counts them by branch.

    >>> tree = [{"text": "so it is", "replies": [{"text": "no", "replies": []}]}, {"text": "yes"}]
    >>> with_branches(tree, Counter())
    [{'text': 'so it is'}, {'text': 'no'}, {'text': 'yes'}]
    """
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        branch = next(filter(None, map(_branch_of, value[:MOST_TRIED])), "")
        if branch and (text := text_name(next(row for row in value if _branch_of(row)))):
            rows = list(_rows_of_tree(value, branch, MOST_BRANCHES))
            moved[branch] += len(rows) - len(value)
            return [row for row in rows if row.get(text) is not None or len(row) > 1]
    if isinstance(value, dict) and levels:
        parts = {name: with_branches(part, moved, levels - 1) for name, part in value.items()}
        return parts if any(parts[name] is not value[name] for name in parts) else value
    if isinstance(value, list) and levels:
        inner = [with_branches(part, moved, levels - 1) for part in value]
        return inner if any(map(is_not, inner, value)) else value
    return value


def with_lists_of_maps(value: Any, levels: int = DEEPEST) -> Any:
    """Return a value with each map from ids to turns, inside other objects, as a list of turns.

    >>> turns = {"t1": {"who": "Ann", "text": "so it is"}, "t2": {"who": "Ben", "text": "no"}}
    >>> with_lists_of_maps({"talk_1": turns, "talk_2": {}})
    {'talk_1': [{'who': 'Ann', 'text': 'so it is'}, {'who': 'Ben', 'text': 'no'}], 'talk_2': {}}
    """
    if not levels or not isinstance(value, (dict, list)):
        return value
    if levels == DEEPEST and len(value) == 1:
        return value  # a map alone is read with its ids
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    changed = {step: _list_of_map(part, levels) for step, part in parts}
    if not any(changed[step] is not value[step] for step in changed):
        return value
    return changed if isinstance(value, dict) else [*changed.values()]


def _list_of_map(value: Any, levels: int) -> Any:
    """Return a map from ids to turns as a list; other values with the maps inside them as lists."""
    rows = [*value.values()] if isinstance(value, dict) else []
    if len(rows) > 1 and all(isinstance(row, dict) and is_turn(row) for row in rows):
        return rows if are_ids(value) else value
    return with_lists_of_maps(value, levels - 1)


def _branch_of(row: dict[str, Any]) -> str:
    """Return the member with a list of rows that have the same member with a text, or ""."""
    names = [
        n for n, part in row.items() if isinstance(part, list) and part and n.lower() in BRANCHES
    ]
    text = text_name(row) if names else ""
    return next(
        (
            name for name in names if text
            and all(isinstance(inner, dict) for inner in row[name])
            and any(isinstance(inner.get(text), str) for inner in row[name])
        ),
        "",
    )  # fmt: skip


def _rows_of_tree(
    rows: Sequence[dict[str, Any]], branch: str, levels: int
) -> Iterator[dict[str, Any]]:
    """Yield each row without its branch, then the rows in its branch."""
    left = [iter(rows)]
    while left:
        row = next(left[-1], None)
        if row is None:
            left.pop()
            continue
        inner = row.get(branch)
        yield {name: part for name, part in row.items() if name != branch}
        if isinstance(inner, list) and len(left) < levels:
            left.append(each for each in inner if isinstance(each, dict))


def as_rows(value: Any, names_of: NamesOf, *, is_mapped: bool = False) -> Any:
    """Return an object of elements as a list, or any other value unchanged.

    If the user named the member of the text (`is_mapped`), elements need neither time nor speaker.

    The member names become ``id`` of the elements (`KEY` if their times are in no order, so that
    each is a recording), or ``start`` if they are increasing times:
    ``{"0.5": "so it is", "2.5": "no"}``.
    """
    inner = value
    while isinstance(inner, dict) and len(inner) == 1:  # at any depth
        (inner,) = inner.values()
    if inner is not value and is_turn(inner):
        return [inner]
    if inner is not value:
        rows = as_rows(inner, names_of, is_mapped=is_mapped)
        return value if rows is inner else rows
    if not isinstance(value, dict) or len(value) < 2:
        return value
    members = list(value.values())
    times = [seconds_of(name) for name in value]
    if turns := turns_of_times(value):
        return turns
    if not all(isinstance(member, dict) for member in members):
        parts = {
            name: as_rows(part, names_of) if isinstance(part, dict) and len(part) > 1 else part
            for name, part in value.items()
        }
        return parts if any(parts[name] is not value[name] for name in parts) else value
    lift_texts(members)
    names = names_of(members[:MOST_TRIED])
    has_spans = any(span_in(members[0], name) for name in members[0])
    if names.text and not names.start and all(times) and not are_ids(value) and _go_on(list(value)):
        return [{"start": key, **member} for key, member in value.items()]
    if not (names.text and (is_mapped or names.start or names.speaker or has_spans)):
        return value
    starts = [time_number(row.get(name)) for row in members for name in names.start[:1]]
    known = [start for start in starts if start is not None]
    # times in no order are those of several recordings
    key_name = "id" if known == sorted(known) or len(known) < len(members) else KEY
    return [{key_name: key, **member} for key, member in value.items()]


def turns_of_times(value: Any) -> list[dict[str, Any]]:
    """Return the turns of an object of texts whose names are times or spans; else an empty list.

    >>> turns_of_times({"0:01": "so it is", "0:05": "no"})
    [{'start': '0:01', 'text': 'so it is'}, {'start': '0:05', 'text': 'no'}]
    """
    if not isinstance(value, dict) or len(value) < 2:
        return []
    if not all(isinstance(text, str) for text in value.values()):
        return []
    value = {key: text for key, text in value.items() if key or text.strip()}
    if all(map(seconds_of, value)) and _go_on(list(value)):
        return [{"start": key, "text": text} for key, text in value.items()]
    return [
        {"start": start, "end": end, "text": text}
        for (start, end), text in zip(_spans_of(list(value)), value.values(), strict=False)
    ]


def _go_on(times: Sequence[str]) -> bool:
    """Return True if texts are increasing times: at least one has a fraction or a colon."""
    seconds = [float(seconds_of(time) or 0) for time in times]
    are_times = any(second % 1 for second in seconds) or any(":" in time for time in times)
    return are_times and all(first < second for first, second in pairwise(seconds))


def _around_dash(name: str) -> list[str]:
    """Return the texts around the dashes of a name."""
    return [part.strip() for part in re.split("[-–]", name)]


def _spans_of(names: Sequence[str]) -> list[list[str]]:
    """Return the starts and ends in names such as ``0.5-2.0``, if the starts increase, else [].

    >>> _spans_of(["0.0-4.5", "4.5-8"]), _spans_of(["2020-12", "2021-01"])
    ([['0.0', '4.5'], ['4.5', '8']], [])
    """
    spans = [times_of_span(name) or _around_dash(name) for name in names]
    times = [[number_of(seconds_of(part) or "") for part in span] for span in spans]
    known = [span for span in times if len(span) == 2 and None not in span]
    is_whole = len(known) == len(names) > 1 and all(a < b for a, b in known)  # type: ignore[operator]
    return spans if is_whole and _go_on([first for first, _ in spans]) else []
