"""Members that show what an object of JSON is: a turn, a title, a span, or a language."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from formats.json.paths import first_of
from formats.json.row_kinds import SPEAKERS, has_text, is_start
from formats.json.shapes import Names
from formats.manifests.kinds_of_rows import SURE_SPEAKERS
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    PAIRS,
    name_parts,
    name_without_unit,
    plain_name,
    role_of_time,
)
from formats.reading.time_values import is_pair, time_number, times_of_span

KNOWN_TEXTS = frozenset(NAMES["text"].plain)
DEEPEST = 5
"""Levels of lists and objects in which texts are looked for."""
FEWEST_WORDS = 2
"""The fewest words of a text on average; of fewer they are labels, not turns."""
CODE = re.compile(r"[a-z]{2,3}(?:[-_](?:[A-Za-z]{2,4}|[0-9]{3})){0,3}\Z")
"""The code of a language, perhaps with a script and a country."""
MARK = re.compile(r"[.,;:?!…。、，；：？！]{1,4}\Z")
"""A punctuation mark that is an element of a list of words."""
ALTERNATIVES = frozenset(("alternatives", "nbest", "hypotheses"))
"""Names of lists of texts of which the first is the likeliest."""
TITLES = frozenset(("name", "title"))
PROFILE, NAMES_IN_PROFILES = "profile", ("real_name", "display_name", "full_name", "name")
"""The last part of the name of an object about a person, and its members with the name."""
NO_TITLES = frozenset(
    (
        *(
            "segments",
            "utterances",
            "turns",
            "cues",
            "chunks",
            "phrases",
            "items",
            "entries",
            "results",
        ),
        *("data", "messages", "conversation", "conversations", "chapters", "highlights", "notes"),
        *(
            "summary",
            "summaries",
            "translation",
            "translations",
            "translated",
            "original",
            "speakers",
        ),
        *(
            "hypothesis",
            "hypotheses",
            "reference",
            "references",
            "predictions",
            "topics",
            "questions",
        ),
        *("answers", "tasks", "metadata", "train", "test", "validation", "dev", "valid"),
    )
)
"""Names of lists that are no recordings."""


def is_turn(value: Any) -> bool:
    """Return True for an object with a text, and a start or a speaker."""
    return has_text(value) and any(is_start(n) or name_without_unit(n) in SPEAKERS for n in value)


def may_be_title(name: str) -> bool:
    """Return True if a name may be that of a recording: it is no code, and means nothing else."""
    plain = name_without_unit(name)
    return not is_code(name) and plain not in NO_TITLES and plain not in KNOWN_TEXTS


def are_timed(rows: Any) -> bool:
    """Return True for a list of objects with a text and a start, but no speaker."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return False
    names = {name_without_unit(name) for row in rows for name in row}
    has_start = all(any(is_start(name) or span_in(row, name) for name in row) for row in rows)
    return has_start and all(map(has_text, rows)) and names.isdisjoint(SPEAKERS)


def start_of(row: Mapping[str, Any]) -> float | None:
    """Return the start of a turn in its unit of time, or `None`."""
    spans = (span[0] for name in row if (span := span_in(row, name)))
    return time_number(next(chain(spans, (row[name] for name in row if is_start(name))), None))


def span_in(row: Mapping[str, Any], name: str) -> list[Any]:
    """Return the start and the end that a member has as a list or as a text, else an empty list."""
    value = row[name]
    if isinstance(value, list):
        return value if name_without_unit(name) in PAIRS and is_pair(value) else []
    return list(times_of_span(value))


def in_order(lists: Sequence[tuple[Any, list[Any]]], role: str = "speaker") -> list[dict[str, Any]]:
    """Return the turns of all speakers or channels, sorted by start if all starts are known."""
    turns = [{role: label, **row} for label, rows in lists for row in rows]
    starts = [start_of(turn) for turn in turns]
    if None in starts:
        return turns
    order = sorted(range(len(turns)), key=lambda number: starts[number] or 0)
    return [turns[number] for number in order]


def joined_with_marks(texts: Sequence[str]) -> str:
    """Join texts with blanks between, but none before a punctuation mark.

    >>> joined_with_marks(["well", ",", "so", "it", "is", "."])
    'well, so it is.'
    """
    return "".join(
        text if MARK.match(text) or not number else f" {text}" for number, text in enumerate(texts)
    )


def mark_punctuation(rows: Sequence[Any], names: Names) -> None:
    """Set the type of words that are punctuation marks, so that they are shown and not counted.

    Words that begin or end with a blank are pieces, and a mark is a piece of a word.

    >>> rows = [{"word": "well", "at": 1}, {"word": ",", "at": 2}, {"word": "so", "at": 2}]
    >>> mark_punctuation(rows, Names("word"))
    >>> rows[1]
    {'word': ',', 'at': 2, 'type': 'punctuation'}
    """
    texts = [first_of(row, names.text) if isinstance(row, dict) else None for row in rows]
    words = [text for text in texts if isinstance(text, str)]
    if any(text[:1] == " " or text[-1:] == " " for text in words):
        return
    marks = [isinstance(text, str) and MARK.match(text) is not None for text in texts]
    for row, is_mark in zip(rows, marks, strict=True) if sum(marks) < len(words) else ():
        if is_mark:
            row["type"] = "punctuation"


def join_languages(value: Any, levels: int = DEEPEST) -> None:
    """Replace an object of a language and its text, such as ``{"en": "so"}``, by the text."""
    if isinstance(value, list) and all(isinstance(row, dict) for row in value):
        _join_languages(value)
    parts = value.values() if isinstance(value, dict) else value
    for part in parts if levels and isinstance(value, (dict, list)) else ():
        join_languages(part, levels - 1)


def _join_languages(rows: Sequence[dict[str, Any]]) -> None:
    names = {
        name for row in rows[:MOST_TRIED] for name, value in row.items()
        if isinstance(value, dict) and plain_name(name)[0] in KNOWN_TEXTS
    }  # fmt: skip
    for name in names:
        inner = [row[name] for row in rows if row.get(name)]
        objects = [value for value in inner if isinstance(value, dict)]
        codes = {code for value in objects for code in value}
        are_texts = all(isinstance(text, str) for value in objects for text in value.values())
        is_plain = len(objects) == len(inner) and len(codes) == 1 and are_texts
        if not is_plain or not is_code(code := codes.pop()):
            continue
        for row in rows:
            if row.get(name):
                row[name] = row[name][code]


def lift_texts(objects: Sequence[Any], lists: Collection[str] = ()) -> None:
    """Copy the members of a nested list of one object with a text to the object that holds it.

    Of alternatives, the first is copied. Nothing changes unless all objects have such a list in one
    member alone, and no text themselves. `lists` are the names of lists that count; by default all.

    >>> rows = [{"input": [{"name": "x"}], "output": [{"text": "so it is"}], "speaker": "A"}]
    >>> lift_texts(rows)
    >>> rows[0]["text"]
    'so it is'
    """
    if not objects or not all(isinstance(row, dict) for row in objects):
        return
    own = {name for row in objects for name, value in row.items() if isinstance(value, str)}
    if not KNOWN_TEXTS.isdisjoint(map(name_without_unit, own)):
        return
    names = [n for n in objects[0] if not lists or name_without_unit(n) in lists]
    names = [n for n in names if all(_has_one_text(n, row.get(n)) for row in objects)]
    for row in objects if len(names) == 1 else ():
        row.update({name: v for name, v in row[names[0]][0].items() if name not in row})


def with_turns_within(rows: list[Any]) -> list[Any]:
    """Return objects with the members of the turn that one member of each is; others unchanged.

    The objects have no text of their own. A turn without words has at least the names of others.

    >>> with_turns_within([{"msg": {"role": "user", "content": "so it is"}, "at": "2024-05-01"}])
    [{'role': 'user', 'content': 'so it is', 'at': '2024-05-01'}]
    """
    if not rows or not all(isinstance(row, dict) for row in rows) or any(map(has_text, rows)):
        return rows
    names = [
        name for name, value in rows[0].items()
        if isinstance(value, dict) and len(rows[0]) > 1 and plain_name(name)[0] not in SPEAKERS
        and all(isinstance(row.get(name), dict) for row in rows)
        and any(is_turn(row[name]) for row in rows)
    ]  # fmt: skip
    if len(names) != 1:
        return rows
    (name,) = names
    common = set.intersection(*({*row[name]} for row in rows if is_turn(row[name])))
    if not all(common <= row[name].keys() for row in rows):
        return rows
    return [
        {**row[name], **{n: part for n, part in row.items() if n != name and n not in row[name]}}
        for row in rows
    ]


def _has_one_text(name: str, value: Any) -> bool:
    """Return True for a list of one object, or of alternatives, that has a text."""
    is_list = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    is_one = is_list and (len(value) == 1 or name_without_unit(name) in ALTERNATIVES)
    return is_one and any(
        isinstance(text, str) and name_without_unit(key) in KNOWN_TEXTS
        for key, text in value[0].items()
    )


def lift_details(objects: Sequence[dict[str, Any]], rows: Sequence[Any]) -> None:
    """Copy times and speaker from a nested object, such as ``metadata``, to the element around it.

    Nothing changes unless the elements have a text, but no speaker themselves. If they have times,
    only the speaker is copied.

    >>> rows = [{"text": "so", "metadata": {"start_time": 1, "speaker": "A", "topic": "b"}}]
    >>> lift_details(rows, rows)
    >>> rows[0]["start_time"], rows[0]["speaker"], "topic" in rows[0]
    (1, 'A', True)
    """
    own = {name for row in objects for name, value in row.items() if not isinstance(value, dict)}
    if KNOWN_TEXTS.isdisjoint(map(name_without_unit, own)):
        return
    if not SPEAKERS.isdisjoint(map(name_without_unit, own)):
        return
    is_timed = any(map(role_of_time, own))
    names = [
        name for name, value in objects[0].items()
        if isinstance(value, dict) and name_without_unit(name) not in SPEAKERS
        and all(isinstance(row.get(name), dict) for row in objects)
    ]  # fmt: skip
    for row in rows if names else ():
        for name in names if isinstance(row, dict) else ():
            details = row.get(name)
            for key, value in details.items() if isinstance(details, dict) else ():
                is_plain = isinstance(value, (str, int, float))
                is_wanted = not is_timed or is_said_of_speaker(key)
                if is_plain and is_wanted and name_without_unit(key) not in KNOWN_TEXTS:
                    row.setdefault(key, value)


def name_profiles(rows: Sequence[Any]) -> None:
    """Replace ids of speakers by the names in the profiles beside them: ``user_profile``.

    A row without a profile gets the name that its id has in others.

    >>> rows = [{"user": "U1", "user_profile": {"real_name": "Ann"}}, {"user": "U1"}]
    >>> name_profiles(rows)
    >>> [row["user"] for row in rows]
    ['Ann', 'Ann']
    """
    objects = [row for row in rows if isinstance(row, dict)]
    member = next((n for row in objects for n in row if name_parts(n)[1:] == [PROFILE]), "")
    speaker = name_parts(member)[0] if member else ""
    names: dict[str, str] = {}
    for row in objects if name_without_unit(speaker) in SPEAKERS else ():
        profile, code = row.get(member), row.get(speaker)
        known = [profile.get(n) for n in NAMES_IN_PROFILES] if isinstance(profile, dict) else []
        name = next((name for name in known if isinstance(name, str) and name.strip()), "")
        if name and isinstance(code, str):
            names.setdefault(code, name)
    for row in objects if len({*names.values()}) == len(names) else ():
        if isinstance(row.get(speaker), str):
            row[speaker] = names.get(row[speaker], row[speaker])


def is_said_of_speaker(name: str) -> bool:
    """Return True for the name of a speaker that hardly means anything else."""
    return name_without_unit(name) in SURE_SPEAKERS


def is_code(name: str) -> bool:
    """Return True if a name has the form of a code of a language, such as ``en`` or ``pt-BR``."""
    return CODE.match(name) is not None
