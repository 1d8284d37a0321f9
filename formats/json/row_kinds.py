"""Rows of any JSON in one form: spans become a start and an end, ids of speakers become names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from formats.io.source import Source
from formats.json.messages import SPEAKER_NAMES
from formats.json.paths import first_of
from formats.json.row_times import words_of
from formats.json.shapes import Names
from formats.reading.member_names import (
    NAMES,
    NAMES_OF_SPEAKERS,
    SETTING_PARTS,
    name_parts,
    name_without_unit,
    plain_name,
    text_among,
    time_role,
)
from formats.reading.time_values import is_time

TEXTS = frozenset(NAMES["text"].plain)
STARTS, ENDS = (frozenset(NAMES[role].plain) for role in ("start", "end"))
SPEAKERS = frozenset(NAMES["speaker"].plain)
IDS = SPEAKERS | {"id"}
FULL_NAMES = frozenset(NAMES_OF_SPEAKERS) - {"id", "label"}
OF_ANY = frozenset(("id", "index", "type", "kind"))
"""Names of members that rows of all kinds have."""
OF_PROGRAMS = frozenset(
    ("issystem", "issystemmessage", "systemmessage", "isservice", "isservicemessage", "isnotice",
     "isnotification")
)  # fmt: skip
"""Names of members that are true in messages of the program itself, such as ``Ben left``."""
KINDS_OF_WORDS = frozenset(("role", "type", "kind", "class", "style"))
"""Names of members that say what an element of a list of words is."""
FEWEST_ROWS = 3
"""The fewest rows among which others are recognised."""
DEEPEST = 6
"""Levels of lists and objects in which the names of speakers are looked for."""


def has_text(row: Any) -> bool:
    """Return True for an object with a text whose name says so."""
    names = [name for name, value in row.items() if type(value) is str] if type(row) is dict else []
    return any(name_without_unit(name) in TEXTS for name in names) or bool(text_among(names))


def without_others(rows: list[Any], dropped: Counter[str]) -> list[Any]:
    """Return objects without those of another kind, such as a title before the turns.

    They share no member with the objects that have a text, which are most of them. `dropped` counts
    them by their first member.

    >>> turns = [{"id": 1, "text": "so it is"}, {"id": 2, "text": "well then"}]
    >>> without_others([{"title": "News"}, *turns], dropped := Counter()) == turns
    True
    >>> dropped
    Counter({'title': 1})
    """
    if len(rows) < FEWEST_ROWS or not all(isinstance(row, dict) for row in rows):
        return rows
    turns = [row for row in rows if has_text(row)]
    if len(turns) == len(rows) or 2 * len(turns) <= len(rows):
        return rows
    names = frozenset(chain.from_iterable(turns)) - OF_ANY
    others = [row for row in rows if row and names.isdisjoint(row)]
    dropped.update(next(iter(row)) for row in others)
    return [row for row in rows if not row or not names.isdisjoint(row)] if others else rows


def headings_among(rows: Sequence[Any], names: Names) -> dict[int, dict[str, Any]]:
    """Return by their `id` the objects without text, words and times, if others have a text.

    >>> rows = [{"name": "Roll call"}, {"name": "Ann", "text": "so it is"}]
    >>> [*headings_among(rows, Names("text", speaker="name")).values()]
    [{'name': 'Roll call'}]
    """
    roles = (*names.text, *names.start, *names.end, *names.length, names.words)
    objects = [row for row in rows if isinstance(row, dict)]
    has_words = any(first_of(row, names.text) for row in objects)
    return {id(row): row for row in objects if has_words and first_of(row, roles) is None}


def notices_among(rows: Sequence[Any]) -> dict[int, str]:
    """Return by their `id` the messages that a program wrote among those of people in a chat.

    A member such as ``is_system`` is true in less than half of the objects; its name is the value.

    >>> rows = [{"text": "so it is"}, {"text": "well"}, {"text": "Ben left", "isSystem": True}]
    >>> [*notices_among(rows).values()]
    ['isSystem']
    """
    notices = {
        id(row): name
        for row in rows if isinstance(row, dict)
        for name, value in row.items()
        if value is True and plain_name(name)[0] in OF_PROGRAMS
    }  # fmt: skip
    return notices if 2 * len(notices) < len(rows) else {}


def marks_among(rows: Sequence[Any], names: Names) -> dict[int, str]:
    """Return by their `id` the words that a member calls something else, such as a line break.

    Most of the others have a speaker and not this member. Its value is returned.

    >>> rows = [{"word": "so", "speaker": "A"}] * 2 + [{"word": "Q1", "role": "heading"}]
    >>> [*marks_among(rows, Names("word", speaker="speaker")).values()]
    ['heading']
    """
    objects = [row for row in rows if isinstance(row, dict)] if names.speaker else []
    spoken = [row for row in objects if first_of(row, names.speaker) is not None]
    if 2 * len(spoken) <= len(objects):
        return {}
    of_speech = {name for row in spoken for name in row}
    return {
        id(row): kind
        for row in objects if first_of(row, names.speaker) is None
        for name, kind in row.items()
        if name in KINDS_OF_WORDS and name not in of_speech and isinstance(kind, str)
    }  # fmt: skip


def fill_speakers(rows: Sequence[Any], names: Names) -> None:
    """Give words without a speaker and times, between words of one speaker, this speaker.

    >>> rows = [{"word": w, "speaker": "A", "start": 1} for w in ("so", "is")]
    >>> rows.insert(1, {"word": "it"})
    >>> fill_speakers(rows, Names("word", "start", speaker="speaker"))
    >>> rows[1]
    {'word': 'it', 'speaker': 'A'}
    """
    speaker: Any = None
    waiting: list[dict[str, Any]] = []
    for row in rows if names.speaker else ():
        if not isinstance(row, dict):
            return
        named = first_of(row, names.speaker)
        if named is None:
            is_timed = first_of(row, (*names.start, *names.end)) is not None
            waiting = [] if is_timed else [*waiting, row]
            speaker = None if is_timed else speaker
            continue
        for untimed in waiting if named == speaker else ():
            untimed[names.speaker[0]] = named
        speaker, waiting = named, []


def with_span(row: dict[str, Any]) -> dict[str, Any]:
    """Return an object with the times of an object inside it, or in a list, as its own members.

    An object without a text, and one that has a start itself, are unchanged.

    >>> with_span({"text": "so it is", "timing": {"begin": 1, "to": 2}})
    {'text': 'so it is', 'begin': 1, 'to': 2}
    >>> with_span({"text": "so it is", "instances": [{"start": "0:01", "end": "0:02"}]})
    {'text': 'so it is', 'start': '0:01', 'end': '0:02'}
    """
    parts = {n: v[0] if isinstance(v, list) and len(v) == 1 else v for n, v in row.items()}
    spans = [name for name, value in parts.items() if holds_span(value)]
    if (
        len(spans) != 1
        or not any(map(has_text, (row, *chain(*map(_elements, row.values())))))
        or any(is_start(name) and is_time(value) for name, value in row.items())
    ):
        return row
    (name,) = spans
    return {**{key: value for key, value in row.items() if key != name}, **parts[name]}


def _elements(value: Any) -> list[Any]:
    """Return the first element of a list in a list, and any other value in one."""
    return value[:1] if isinstance(value, list) else [value]


def is_start(name: str) -> bool:
    """Return True for the name of a start."""
    return time_role(name) == "start" or name_without_unit(name) in STARTS


def _is_end(name: str) -> bool:
    return time_role(name) == "end" or name_without_unit(name) in ENDS


def holds_span(value: Any) -> bool:
    """Return True for an object with a start and an end, and nothing but times."""
    are_times = isinstance(value, dict) and all(map(is_time, value.values()))
    return are_times and any(map(is_start, value)) and any(map(_is_end, value))


def with_head(rows: list[Any]) -> list[Any]:
    """Return lists below a list of names, such as ``["start", "text"]``, as objects.

    >>> with_head([["start", "text"], [0.5, "so it is"], [2.5, "well then"]])
    [{'start': 0.5, 'text': 'so it is'}, {'start': 2.5, 'text': 'well then'}]
    """
    if len(rows) < FEWEST_ROWS or not all(isinstance(row, list) for row in rows):
        return rows
    head = rows[0]
    if not all(isinstance(name, str) for name in head) or len({*head}) < len(head):
        return rows
    plain = {name_without_unit(name) for name in head}
    has_roles = has_text(dict.fromkeys(head, "")) and (
        any(map(is_start, head)) or not plain.isdisjoint(SPEAKERS)
    )
    if not has_roles or any(len(row) != len(head) for row in rows):
        return rows
    return [dict(zip(head, row, strict=True)) for row in rows[1:]]


def name_speakers(
    source: Source, top: Any, rows: Sequence[dict[str, Any]], turn: Names, word: Names
) -> None:
    """Replace ids of speakers by the names that another member of the file gives to all of them."""
    words = [inner for row in rows for inner in words_of(row, turn)]
    lists = [(listed, names.speaker) for listed, names in ((rows, turn), (words, word))]
    labels = set(_labels(lists))
    names = _names_of(top, labels) if len(labels) > 1 else {}
    if not names:
        return
    source.log.say(
        SPEAKER_NAMES, speakers=len(labels), names=[names[key] for key in sorted(labels)][:5]
    )
    for listed, roles in lists:
        for row in listed:
            for role in roles:
                if not isinstance(row.get(role), (dict, list)) and str(row.get(role)) in names:
                    row[role] = names[str(row[role])]


def _labels(lists: Sequence[tuple[Sequence[dict[str, Any]], tuple[str, ...]]]) -> Iterator[str]:
    """Yield the id of the speaker of each object."""
    for listed, roles in lists:
        for row in listed if roles else ():
            label = first_of(row, roles)
            if isinstance(label, (str, int)):
                yield str(label)


def _names_of(value: Any, labels: frozenset[str] | set[str]) -> dict[str, str]:
    """Return the name of each id, from an object or a list anywhere in a value; empty if none.

    The names are different, and the same wherever the file has the member again, as for each talk.

    >>> _names_of({"people": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ben"}]}, {"1", "2"})
    {'1': 'Ann', '2': 'Ben'}
    >>> _names_of({"names": {"a": "Ann", "b": {"name": "Ben"}}}, {"a", "b"})
    {'a': 'Ann', 'b': 'Ben'}
    >>> _names_of([{"in": {"a": "Ann", "b": "Ben"}}, {"in": {"a": "Ben", "b": "Cy"}}], {"a", "b"})
    {}
    """
    maps = list(maps_of(value, labels, "", DEEPEST))
    for member, names in maps:
        again = (other for name, other in maps if name == member)
        if len({*names.values()}) == len(names) and all(other == names for other in again):
            return names
    return {}


def maps_of(
    value: Any, labels: frozenset[str] | set[str], member: str, levels: int
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each map from all ids to texts in a value, with the name of the member that has it."""
    if not levels or not isinstance(value, (dict, list)):
        return
    names: dict[str, str] = {}
    if isinstance(value, dict) and labels <= value.keys():
        names = {label: _name_in(value[label]) for label in sorted(labels)}
    elif isinstance(value, list) and len(value) >= len(labels) and not any(map(_is_timed, value)):
        pairs = [
            (str(row[key]), _name_in(row))
            for row in value if isinstance(row, dict)
            for key in row if name_without_unit(key) in IDS and key not in FULL_NAMES
        ]  # fmt: skip
        by_id = dict(pairs) if len(dict(pairs)) == len(pairs) else {}  # turns repeat their speakers
        names = {label: by_id.get(label, "") for label in sorted(labels)}
        if member_of_people(member) and all(isinstance(person, str) for person in value):
            numbered = {str(number): person for number, person in enumerate(value)}
            names = {label: numbered.get(label, "") for label in sorted(labels)}
    if names and all(names.values()) and any(label != name for label, name in names.items()):
        yield member, names
        return
    inner = value.items() if isinstance(value, dict) else ((member, part) for part in value)
    for name, part in inner:
        if SETTING_PARTS.isdisjoint(name_parts(name)):
            yield from maps_of(part, labels, name, levels - 1)


def member_of_people(name: str) -> bool:
    """Return True for the name of a list of people, such as ``speakers``.

    >>> member_of_people("speaker_names"), member_of_people("words")
    (True, False)
    """
    parts = [part.removesuffix("s") for part in name_parts(name)]
    return parts[:1] != [] and parts[0] in SPEAKERS and parts[1:] in ([], ["name"], ["label"])


def _is_timed(row: Any) -> bool:
    return isinstance(row, dict) and any(map(is_start, row))


def _name_in(value: Any) -> str:
    """Return the name that a value is or holds; empty if there is none."""
    if isinstance(value, dict):
        names = [value.get(name) for name in NAMES_OF_SPEAKERS if name not in ("id", "title")]
        inner = [part for part in value.values() if isinstance(part, dict)]
        names += [v for part in (value, *inner) for n, v in part.items()
                  if name_parts(n)[-1:] == ["name"] and member_of_people(n)]  # fmt: skip
        value = next((name for name in names if isinstance(name, str) and name), None)
    return value.strip() if isinstance(value, str) and len(value) <= 60 else ""
