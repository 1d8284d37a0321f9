"""Lines of a talk whose speakers are ids, beside an object or a list that gives the names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formats.json.row_kinds import DEEPEST, has_text, maps_of, member_of_people
from formats.json.speakers_as_turns import PEOPLE
from formats.reading.member_values import is_wording
from formats.reading.time_values import word_count

SPEAKER = "speaker"
"""The name that the member with the speaker gets."""
FEWEST_WORDS = 2
"""The fewest words of the texts on average, where no name says that they are texts."""


def with_people(value: Any, people: dict[str, None], levels: int = DEEPEST) -> Any:
    """Return a value whose lines have the names of their speakers, which are added to `people`.

    Each object around a list of lines may have names of its own. No name says which member is the
    text: it is the only one with phrases.

    >>> talk = {"cast": {"a": "Ann", "b": "Ben"},
    ...         "said": [{"k": "a", "l": "So it is."}, {"k": "b", "l": "Well then."}]}
    >>> with_people([talk], people := {})[0]["said"]
    [{'speaker': 'Ann', 'text': 'So it is.'}, {'speaker': 'Ben', 'text': 'Well then.'}]
    >>> list(people)
    ['Ann', 'Ben']
    """
    if not levels or not value or not isinstance(value, (dict, list)):
        return value
    if isinstance(value, list):  # the elements of a list are alike
        first = value[0] if isinstance(value[0], dict) else None
        if with_people(first, {}, levels - 1) is first:
            return value
        return [with_people(part, people, levels - 1) for part in value]
    known = {
        name: part for name, part in value.items()
        if isinstance(part, (dict, list)) and (member_of_people(name) or name.lower() in PEOPLE)
    }  # fmt: skip
    inner = {name: _with_names(part, known, people) if known else part
             for name, part in value.items()}  # fmt: skip
    inner = {
        name: with_people(part, people, levels - 1) if part is value[name] else part
        for name, part in inner.items()
    }
    return inner if any(part is not value[name] for name, part in inner.items()) else value


def _with_names(rows: Any, known: Mapping[str, Any], people: dict[str, None]) -> Any:
    """Return the lines of a talk with the names of their speakers; any other value unchanged."""
    if rows in known.values() or not isinstance(rows, list) or len(rows) < len(known) + 1:
        return rows
    if not all(isinstance(row, dict) for row in rows) or has_text(rows[0]):
        return rows
    for member in rows[0]:
        ids = [row.get(member) for row in rows]
        if not all(isinstance(each, (str, int)) for each in ids):
            continue
        labels = {str(each) for each in ids}
        maps = (names for _, names in maps_of(known, labels, "", 2))
        names = next((m for m in maps if len({*m.values()}) == len(m)), {})
        text = _only_text(rows, member) if names else ""
        if text:
            people.update(dict.fromkeys(names[key] for key in sorted(labels)))
            speaker = member if SPEAKER in rows[0] else SPEAKER
            plain = {member: speaker, text: "text"}
            return [
                {plain.get(n, n): names[str(v)] if n == member else v for n, v in row.items()}
                for row in rows
            ]
    return rows


def _only_text(rows: Sequence[Mapping[str, Any]], speaker: str) -> str:
    """Return the only member that has a phrase in each line; empty if there are several or none."""
    columns = {name: [row.get(name) for row in rows] for name in rows[0] if name != speaker}
    texts = [
        name for name, values in columns.items()
        if all(map(is_wording, values))
        and sum(word_count(str(value)) for value in values) >= FEWEST_WORDS * len(rows)
    ]  # fmt: skip
    return texts[0] if len(texts) == 1 else ""
