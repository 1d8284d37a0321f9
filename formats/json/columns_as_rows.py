"""Rows of JSON that is written by columns: lists side by side, members with numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from formats.json.row_kinds import SPEAKERS, has_text, is_start, with_span
from formats.json.row_times import TIMES
from formats.json.turn_members import FEWEST_WORDS, KNOWN_TEXTS, TITLES, is_turn, may_be_title
from formats.reading.member_names import NAMES, name_without_unit, plain_name, role_of_time
from formats.reading.member_values import is_sound, is_wording, questions_and_answers
from formats.reading.speakers import is_label
from formats.reading.time_values import is_pair, word_count

PREDICTED = frozenset(NAMES["pred_text"].usual)
TURN = "turn"
"""The name of a member with the words of a turn, or with its number."""
TURNS = "turns"
"""The name of the turns that were lists of texts and of speakers."""
TALKS = frozenset(
    (
        "dialog",
        "dialogue",
        "turns",
        "utterances",
        "utts",
        "conversation",
        "conversations",
        "messages",
        "history",
        "chathistory",
    )
)
"""Names of lists of which each text is a turn."""
NUMBERED = re.compile(r"([A-Za-z][A-Za-z_ -]{0,30}?)[_ -]?([0-9]{1,3})\Z", re.ASCII)
"""The name of a member of one of several turns."""


def with_rows(value: Any) -> Any:
    """Return an object with lists of texts and of their speakers or times, as a list of turns.

    >>> with_rows({"id": 7, "utt": ["so it is", "well then"], "speaker": ["Ann", "Ben"]})["turns"]
    [{'utt': 'so it is', 'speaker': 'Ann'}, {'utt': 'well then', 'speaker': 'Ben'}]
    """
    lists = {
        name: part for name, part in (value.items() if isinstance(value, dict) else ())
        if isinstance(part, list) and len(part) > 1
    }  # fmt: skip
    if talk := _talk_in(value, lists):
        return talk
    if talk := _talk_of_columns(value):
        return talk
    if len(lists) < 2 or TURNS in value:
        return value
    rows = spans_with_texts(lists) or rows_of_columns(lists)
    others = {name: part for name, part in value.items() if name not in lists}
    return value if rows is lists else {**others, TURNS: rows}


def _talk_of_columns(value: Any) -> dict[str, Any]:
    """Return an object with the only table of columns in it as its turns; else an empty object.

    >>> columns = {"utterance": ["so it is", "well then"], "speaker": [0, 1]}
    >>> _talk_of_columns({"id": 7, "dialog": columns})["turns"]
    [{'utterance': 'so it is', 'speaker': 0}, {'utterance': 'well then', 'speaker': 1}]
    """
    members = value if isinstance(value, dict) else {}
    tables = {
        name: rows for name, part in members.items()
        if isinstance(part, dict) and (rows := rows_of_columns(part)) is not part
        and all(isinstance(column, list) for column in part.values())
    }  # fmt: skip
    if len(tables) != 1 or has_text(members):
        return {}
    ((table, rows),) = tables.items()
    return {**{name: part for name, part in members.items() if name != table}, TURNS: rows}


def _talk_in(value: Mapping[str, Any], lists: Mapping[str, list[Any]]) -> dict[str, Any]:
    """Return an object with the only list of phrases of a talk as its turns; else an empty object.

    Lists of numbers as long as that list, such as acts of speech, have a value for each turn. The
    object has no text, time or speaker itself, nor a list of objects or of speakers.

    >>> _talk_in({"dialog": ["so it is", "well then"]}, {"dialog": ["so it is", "well then"]})
    {'turns': [{'text': 'so it is'}, {'text': 'well then'}]}
    """
    lists = {n: _joined_pairs(part) if name_without_unit(n) in TALKS else part
             for n, part in lists.items()}  # fmt: skip
    talks = [n for n, part in lists.items() if name_without_unit(n) in TALKS and _are_said(part)]
    if len(talks) != 1 or has_text(value) or any(map(is_start, value)):
        return {}
    size = len(lists[talks[0]])
    others = {n: part for n, part in lists.items() if len(part) == size and n != talks[0]}
    are_numbers = all(type(v) in (int, float) for part in others.values() for v in part)
    if not are_numbers or any(name_without_unit(n) in SPEAKERS for n in value):
        return {}
    columns = {"text": lists[talks[0]], **others}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {**{n: part for n, part in value.items() if n not in (*others, *talks)}, TURNS: rows}


def _joined_pairs(values: list[Any]) -> list[Any]:
    """Return the texts of pairs of turns, of which each answers the other; other lists unchanged.

    >>> _joined_pairs([["so it is", "well then"], ["and so", "no"]])
    ['so it is', 'well then', 'and so', 'no']
    """
    are_pairs = all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair)
        for pair in values
    )
    return [text for pair in values for text in pair if text] if are_pairs else values


def _are_said(values: Sequence[Any]) -> bool:
    """Return True if all values are texts, of two words on average."""
    return all(map(is_wording, values)) and sum(map(word_count, values)) >= FEWEST_WORDS * len(
        values
    )


def with_numbered(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object with turns in numbered members as a list of turns; any other unchanged.

    >>> with_numbered({"speaker_1": "Ann", "text_1": "so it is",
    ...                 "speaker_2": "Ben", "text_2": "well then"})["turns"]
    [{'speaker': 'Ann', 'text': 'so it is'}, {'speaker': 'Ben', 'text': 'well then'}]
    """
    matches = {name: NUMBERED.match(name) for name in value}
    rows: dict[int, dict[str, Any]] = {}
    for name, match in matches.items():
        if match is not None:
            rows.setdefault(int(match[2]), {})[match[1]] = value[name]
    if len(rows) < 2 or TURNS in value or len({*map(frozenset, rows.values())}) > 1:
        return value
    turns = [rows[number] for number in sorted(rows)]
    if not all(map(is_turn, turns)):
        return value
    return {**{name: value[name] for name, match in matches.items() if match is None}, TURNS: turns}


def spans_with_texts(lists: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """Return the rows of a list of spans and a list of their texts, as annotators export; else [].

    A label of a speaker beside a span is its speaker.

    >>> spans = [{"start": 0, "end": 2, "labels": ["Speaker 1"]}] * 2
    >>> spans_with_texts({"spans": spans, "transcription": ["so it is", "well"]})[1]
    {'start': 0, 'end': 2, 'labels': ['Speaker 1'], 'transcription': 'well', 'speaker': 'Speaker 1'}
    """
    texts = {name: part for name, part in lists.items() if all(map(is_wording, part))}
    named = [name for name in texts if name_without_unit(name) in KNOWN_TEXTS]
    spans = [part for name, part in lists.items() if all(map(_is_span_alone, part))]
    if len(named) != 1 or len(spans) != 1 or len(spans[0]) != len(texts[named[0]]):
        return []
    rows = [{**span, named[0]: text} for span, text in zip(spans[0], texts[named[0]], strict=True)]
    labels = [[v[0] for v in row.values() if isinstance(v, list) and len(v) == 1] for row in rows]
    speakers = [[t for t in some if isinstance(t, str) and is_label(t)] for some in labels]
    if not any(speakers) and _are_names_of_all(labels):
        speakers = labels
    for row, named in zip(rows, speakers, strict=True):
        row |= {"speaker": named[0]} if len(named) == 1 else {}
    return rows


def _are_names_of_all(labels: Sequence[Sequence[Any]]) -> bool:
    """Return True if each span has one label, and few labels return: names of speakers.

    >>> _are_names_of_all([["Ann"], ["Ben"]] * 2), _are_names_of_all([["Speech"], ["Music"]] * 2)
    (True, False)
    """
    names = {str(label[0]) for label in labels if len(label) == 1}
    is_whole = all(len(label) == 1 and isinstance(label[0], str) for label in labels)
    is_few = is_whole and 1 < len(names) <= len(labels) / 2
    return is_few and not any(map(is_sound, names))


def _is_span_alone(value: Any) -> bool:
    """Return True for an object with a start and an end, and no text."""
    roles = {role_of_time(name) for name in value} if isinstance(value, dict) else set()
    return {"start", "end"} <= roles and not has_text(value)


def rows_of_columns(value: Any) -> Any:
    """Return the rows of a table that is written by columns, as pandas does; others unchanged.

    >>> rows_of_columns({"text": {"0": "so", "1": "no"}, "start": {"0": 1, "1": 2}})
    [{'text': 'so', 'start': 1}, {'text': 'no', 'start': 2}]
    >>> rows_of_columns({"text": ["so", "no"], "start": [1, 2]})
    [{'text': 'so', 'start': 1}, {'text': 'no', 'start': 2}]
    """
    if questions := _questions_in(value):
        return questions
    table = _with_singular_names(value)
    names = list(map(name_without_unit, table)) if isinstance(table, dict) else []
    has_roles = not {TURN, *KNOWN_TEXTS}.isdisjoint(names) and any(
        is_start(name) or name_without_unit(name) in SPEAKERS or name.lower() in PREDICTED
        for name in table
    )
    if not has_roles or not table:
        return value
    columns = list(table.values())
    lists = {name: column for name, column in table.items() if isinstance(column, list)}
    if len(lists) > 1 and all(
        isinstance(v, (str, int, float)) for v in columns if type(v) is not list
    ):
        table, columns = lists, list(lists.values())
    if all(isinstance(column, dict) for column in columns):
        keys = list(columns[0])
        is_index = _is_index(keys) and all(list(column) == keys for column in columns)
        columns = [list(column.values()) for column in columns] if is_index else []
    are_lists = bool(columns) and all(isinstance(column, list) for column in columns)
    if not are_lists or len({len(column) for column in columns}) > 1 or not columns[0]:
        return value
    named = zip(map(name_without_unit, table), columns, strict=True)
    texts = {TURN, *KNOWN_TEXTS}
    if not any(name in texts and all(map(is_said, column)) for name, column in named):
        return value
    return [with_span(dict(zip(table, row, strict=True))) for row in zip(*columns, strict=True)]


def is_said(value: Any) -> bool:
    """Return True for a text, or for the texts of its lines."""
    return is_wording(value) or (isinstance(value, list) and all(map(is_wording, value)))


def _is_index(keys: Sequence[str]) -> bool:
    """Return True for the index of a table: numbers that begin at 0, or that are all different.

    >>> _is_index(["0", "1"]), _is_index(["1026", "1148", "1027"]), _is_index(["en", "de"])
    (True, True, False)
    """
    return keys[:1] == ["0"] or (len(keys) > 1 and all(map(str.isdecimal, keys)))


def _questions_in(value: Any) -> list[dict[str, str]]:
    """Return the rows of a list of questions and a list of answers of one length; else [].

    Beside them there are no other lists or objects.

    >>> _questions_in({"id": 7, "questions": ["how is it"], "answers": ["it is well"]})
    [{'question': 'how is it', 'answer': 'it is well'}]
    """
    members = value if isinstance(value, dict) else {}
    columns = {n: part if isinstance(part, list) else [part] for n, part in members.items()}
    names = questions_and_answers(columns)
    texts = [members[name] for name in names]
    are_lists = all(isinstance(p, list) or n not in names for n, p in members.items())
    is_plain = not any(isinstance(part, dict) for part in members.values())
    if not (are_lists and is_plain) or len({*map(len, texts)}) > 1:
        return []
    return [dict(zip(names.values(), row, strict=True)) for row in zip(*texts, strict=True)]


def rows_of_lists(value: Any) -> Any:
    """Return the rows of an object of lists of texts, each with its recording; others unchanged.

    The rows have the same members, and no start or speaker. The names of the lists are names of
    recordings, such as songs, and no usual names of lists or languages.

    >>> songs = {"A home": [{"line": "so it is"}], "No home": [{"line": "and so"}]}
    >>> rows_of_lists(songs)
    [{'recording': 'A home', 'line': 'so it is'}, {'recording': 'No home', 'line': 'and so'}]
    >>> rows_of_lists({"lines": [{"text": "so it is"}], "summary": [{"text": "and so"}]})
    {'lines': [{'text': 'so it is'}], 'summary': [{'text': 'and so'}]}
    """
    lists = list(value.values()) if isinstance(value, dict) else []
    are_lists = all(isinstance(rows, list) and rows for rows in lists)
    rows = [row for part in lists for row in part] if len(lists) > 1 and are_lists else []
    if not rows or not all(isinstance(row, dict) for row in rows):
        return value
    members = {frozenset(row) for row in rows}
    has_roles = any(is_start(n) or is_pair(rows[0][n]) for n in rows[0])
    has_roles = has_roles or any(map(_have_speakers, lists))
    if len(members) > 1 or has_roles or not has_text(rows[0]) or not all(map(may_be_title, value)):
        return value
    return [
        {"recording": name, **{"title" if key == "name" else key: v for key, v in row.items()}}
        for name, part in value.items()
        for row in part
    ]


def _have_speakers(rows: Sequence[dict[str, Any]]) -> bool:
    """Return True if a member of rows may name their speakers."""
    return any(
        plain_name(name)[0] not in TITLES and plain_name(name)[0] in SPEAKERS for name in rows[0]
    )


def _with_singular_names(value: Any) -> Any:
    """Return an object of lists of one length with the names of their elements, else unchanged.

    >>> _with_singular_names({"texts": ["so", "no"], "starts": [1, 2]})
    {'text': ['so', 'no'], 'start': [1, 2]}
    """
    members = value if isinstance(value, dict) else {}
    columns = [part for part in members.values() if isinstance(part, list)]
    is_nested = any(isinstance(part, dict) for part in members.values())
    if len(columns) < 2 or is_nested or len({*map(len, columns)}) > 1 or len(columns[0]) < 2:
        return value
    known = KNOWN_TEXTS | SPEAKERS | TIMES | PREDICTED
    others = (name for name in value if name_without_unit(name) not in known)
    single = {name: name[:-1] for name in others if name_without_unit(name[:-1]) in known}
    return {single.get(name, name): column for name, column in value.items()}
