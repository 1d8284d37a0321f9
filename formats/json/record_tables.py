"""Records anywhere in JSON as the rows of a table: names and values show the roles of members.

The roles are those of columns (`formats.manifests.roles`), so that JSON and CSV agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formats.io.source import without_media
from formats.json.row_roles import BESIDE_TITLES, PREDICTIONS
from formats.json.row_times import spread_times
from formats.manifests.role_columns import LEAST_PROSE, LETTERLESS, NO_SPEECH
from formats.manifests.roles import OF_GOODS, WRITTEN, Roles
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    NAMES_OF_SPEAKERS,
    NO_MEMBERS,
    TEXT_PARTS,
    are_pairs,
    is_log,
    name_parts,
    only_language,
    plain_name,
    role_of_time,
    texts_beside,
    without_contexts,
)
from formats.reading.member_values import are_attributes, is_speaker
from formats.reading.time_values import number_of, word_count
from formats.schema.errors import FormatError

DEEPEST = 6
"""Levels of lists and objects in which records are looked for."""
FEWEST_ALONE = 20
"""The fewest words of the text of a single record."""
FEWEST_COLUMNS = 2
"""The fewest lists that are the columns of a table."""
LARGEST_SHARE = 0.7
"""The share of the words of a document that a text has, if its name does not say that it is one."""


SPOKEN = frozenset(
    ("dialogue", "utterance", "lyric", "lyrics", "caption", "subtitle", "said", "spoken",
     "transcript", "transcription", "台词", "臺詞", "对白", "對白")
)  # fmt: skip
"""Parts of names of texts that are speech even if they are short; so is `text` at the top."""
LEAST_SPOKEN = 2
"""The fewest words of such a text on average."""
SPEAKERS = frozenset(NAMES["speaker"].plain)
"""Names of speakers."""
FEWEST_LABELS = 4
"""The fewest values whose repetition shows that they are labels."""


class RecordTable(NamedTuple):
    """Records with a text. `is_named` is True if the name of its member says so."""

    path: str
    rows: list[dict[str, Any]]
    text: str
    words: float
    is_named: bool


def table_of(top: Sequence[Any], members: Mapping[str, str] = NO_MEMBERS) -> RecordTable | None:
    """Return the only records of a document that have a text; `None` if there are none or several.

    Objects at one path are one table. `members` maps roles to members that the user chose.

    >>> rows = [{"t": n, "kept": f"so it is {word}"} for n, word in enumerate("abc")]
    >>> table = table_of([{"talks": [{"audio": "a.wav", "parts": rows}]}])
    >>> table.text, table.rows[0]
    ('kept', {'audio': 'a.wav', 't': 0, 'kept': 'so it is a'})
    >>> table_of([[{"kept": "so it is then", "left": "and so it was"}] * 3])
    """
    value = top[0] if len(top) == 1 else list(top)
    tables: dict[str, list[dict[str, Any]]] = {}
    for path, row in _records(value, "", {}, DEEPEST):
        tables.setdefault(path, []).append(row)
    for path in tables:
        _name_times_around(path, tables)
    found = [table for path, rows in tables.items() if (table := _table(path, rows, members))]
    # a flat object has the texts of the objects in it, which are tables, too
    found = list({_first_text(table): table for table in found}.values())
    found.sort(key=lambda table: -table.words)
    if not found or found[0].words < LARGEST_SHARE * sum(table.words for table in found):
        return None
    best = found[0]
    return best if best.is_named or best.words >= LARGEST_SHARE * _words_in(value) else None


def _first_text(table: RecordTable) -> tuple[int, float]:
    """Return what shows that tables have the same texts: the identity of the first, and words."""
    return id(next(row[table.text] for row in table.rows if row.get(table.text))), table.words


def _records(
    value: Any, path: str, owner: Mapping[str, Any], levels: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object in a value with its path, and with the plain members of those around it."""
    if isinstance(value, list):
        for row in value:
            if isinstance(row, (dict, list)):
                yield from _records(row, path, owner, levels)
        return
    if not isinstance(value, dict) or not value:
        return
    if rows := _rows_of_columns(value):
        yield from ((path, {**owner, **row}) for row in rows)
        return
    members = [part for part in value.values() if isinstance(part, dict)]
    shared = set(members[0]).intersection(*members) if len(members) == len(value) > 1 else ()
    if shared:
        for name, row in value.items():
            yield path, {**owner, "file" if without_media(name) != name else "id": name, **row}
            lists = {step: part for step, part in row.items() if isinstance(part, list)}
            for step, part in () if _has_prose(row) else lists.items():
                yield from _records(part, f"{path}*.{step}", {**owner, "file": name}, levels - 1)
        return
    yield path, {**owner, **_flat(value)}
    around = {**owner, **{name: part for name, part in value.items() if _is_label(part)}}
    for name, part in value.items() if levels else ():
        if isinstance(part, dict) and not any(isinstance(v, (dict, list)) for v in part.values()):
            continue  # its members are those of the object
        is_file = without_media(name) != name
        inner = {**around, "file": name} if is_file else around
        step = "*" if is_file else name
        yield from _records(part, f"{path}.{step}" if path else step, inner, levels - 1)


def _name_times_around(path: str, tables: Mapping[str, list[dict[str, Any]]]) -> None:
    """Rename the times that rows have from the only object around them: they are no row's.

    >>> tables = {"": [{"duration": 9}], "part": [{"t": 1, "duration": 9}, {"t": 2, "duration": 9}]}
    >>> _name_times_around("part", tables)
    >>> tables["part"][1]
    {'t': 2, 'recording duration': 9}
    """
    rows, steps = tables[path], path.split(".") if path else []
    around = (tables.get(".".join(steps[:n]), ()) for n in range(len(steps)))
    times = {
        name: value
        for owners in around if len(owners) == 1 < len(rows)
        for name, value in owners[0].items() if _is_label(value) and role_of_time(name)
    }  # fmt: skip
    for name, value in times.items():
        if all(row.get(name) == value for row in rows):
            for row in rows:
                row[f"recording {name}"] = row.pop(name)


def _rows_of_columns(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an object of lists of one length; empty for any other object."""
    lists = list(value.values())
    if not all(isinstance(part, list) for part in lists) or len(lists) < FEWEST_COLUMNS:
        return []
    is_even = len({len(part) for part in lists}) == 1 and len(lists[0]) > 1
    is_plain = not any(isinstance(cell, (dict, list)) for part in lists for cell in part[:1])
    return [dict(zip(value, row)) for row in zip(*lists)] if is_even and is_plain else []  # noqa: B905


def _table(path: str, rows: list[dict[str, Any]], members: Mapping[str, str]) -> RecordTable | None:
    """Return records with the member that has their text, or `None` if it is open which has it."""
    spread_times(rows[:MOST_TRIED], rows, members)
    names = list(dict.fromkeys(name for row in rows[:MOST_TRIED] for name in row))
    columns = {name: [row.get(name) for row in rows[:MOST_TRIED]] for name in names}
    try:
        roles = Roles(names, values=columns, members=members).by_role
    except FormatError:
        return None
    text = roles["text"]
    is_chosen, parts = "text" in members, name_parts(text)
    is_spoken = not SPOKEN.isdisjoint(parts)
    is_scored = text.lower() in NAMES["text"].usual and any(n.lower() in PREDICTIONS for n in names)
    is_named = is_chosen or is_spoken or is_scored or not TEXT_PARTS.isdisjoint(parts)
    texts = [value for value in columns[text] if value]
    if (
        is_log(names)
        or are_pairs(names)
        or not texts
        or not all(isinstance(value, str) for value in texts)
    ):
        return None
    is_known = is_named or plain_name(text)[0] in NAMES["text"].plain
    is_long = len(texts) > 1 or (is_known and sum(map(word_count, texts)) >= FEWEST_ALONE)
    is_top = not path and [*parts] == ["text"]
    least = LEAST_SPOKEN if is_spoken or is_top else LEAST_PROSE
    is_sure = is_chosen or (len(texts) > 1 and bool(texts_beside(text, names)))
    if not is_sure and not (is_long and _are_prose(texts, least)):
        return None
    if parts[-1] in BESIDE_TITLES and "title" in map(str.lower, names):
        return None
    others = [
        name for name in without_contexts(names)
        if name not in roles.values() and NO_SPEECH.isdisjoint(name_parts(name))
    ]  # fmt: skip
    is_open = any(
        _are_prose(columns[name]) and not are_attributes(name, columns[name]) for name in others
    )
    is_open = is_open or (
        "start" not in roles and any(map(OF_GOODS.intersection, map(name_parts, names)))
    )
    if not is_named and (is_open or not WRITTEN.isdisjoint(parts)):
        return None
    for name in filter(None, map(roles.get, ("start", "end", "duration"))):
        for row in rows:
            if (number := number_of(row.get(name))) is not None:
                row[name] = number
    is_named = is_named or text in only_language(names)
    return RecordTable(path, rows, text, sum(_words_in(row.get(text)) for row in rows), is_named)


def _has_prose(row: Mapping[str, Any]) -> bool:
    """Return True if an object, or one in it, has a text of several words itself."""
    return any(isinstance(v, str) and not _is_label(v) for v in _flat(row).values())


def _is_label(value: Any) -> bool:
    """Return True for a number or a short text, which may describe the objects inside an object."""
    if isinstance(value, str):
        return len(value.split()) < LEAST_PROSE
    return isinstance(value, (int, float))


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with the members of the objects in it as its own.

    An object that says who speaks becomes the name of the speaker.

    >>> _flat({"text": "so it is", "info": {"n": 1}, "speaker": {"id": 0, "label": "Ann"}})
    {'text': 'so it is', 'n': 1, 'speaker': 'Ann', 'speaker.id': 0}
    """
    flat = {name: value for name, value in row.items() if not isinstance(value, dict)}
    for name, value in row.items():
        inner = value if isinstance(value, dict) else {}
        if inner and plain_name(name)[0] in SPEAKERS and is_speaker(inner):
            known = next(key for key in NAMES_OF_SPEAKERS if inner.get(key) is not None)
            flat[name] = inner[known]
            inner = {
                f"{name}.{key}" if key == "id" else key: part
                for key, part in inner.items() if key != known
            }  # fmt: skip
        for key, part in inner.items():
            flat[f"{name}.{key}" if key in flat else key] = part
    return flat


def _are_prose(values: Sequence[Any], least: int = LEAST_PROSE) -> bool:
    """Return True if values are texts, of `least` words on average; numbers are no words."""
    texts = [value for value in values if isinstance(value, str) and value]
    words = sum(word_count(LETTERLESS.sub(" ", text)) for text in texts)
    are_labels = len(texts) >= FEWEST_LABELS and 2 * len({*texts}) <= len(texts)
    return bool(texts) and words >= least * len(texts) and not are_labels


def _words_in(value: Any) -> float:
    """Return the number of words in all texts of a value that are no labels."""
    if isinstance(value, str):
        return 0 if _is_label(value) or "://" in value else word_count(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(_words_in, inner))
