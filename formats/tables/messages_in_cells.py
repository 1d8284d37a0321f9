"""Tables whose cells are lists of messages: ``[{"role": "user", "content": "hello"}]``.

The lists are JSON, or in the form in which Python prints them. Each message becomes a row. The
other cells of the original row become its properties, except a cell in a column of identifiers,
which names the recording.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from formats.detection.python_values import as_json
from formats.io.source import Source
from formats.manifests.records import recording_of_audio
from formats.manifests.role_columns import LEAST_PROSE
from formats.manifests.roles import has_text
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    OF_TALKS,
    likely_names,
    name_parts,
    plain_name,
)
from formats.reading.member_values import (
    are_words_that_return,
    kinds_of_turns,
    party_names,
    speakers_of_columns,
)
from formats.reading.tagged_turns import tagged_turns
from formats.reading.time_values import is_pair, word_count
from formats.schema import lazy_pattern
from formats.tables.messages import NO_MESSAGES

RECORDING, EMPTY = "recording", "[]"
PAIR_START = lazy_pattern(r"\s*[\[(]\s*[\[(]\s*[\"'].*[\"']\s*,\s*[\[(]\s*[0-9]", re.DOTALL)
"""The beginning of a list of texts with their times."""
NUMBERED = lazy_pattern(r"([^\W\d_]{1,12})[ _.-]?[0-9]{1,2}\Z")
"""The name of a column with a number."""
PARTS_OF_TEXTS = frozenset(("turn", "utterance", "part", "paragraph", "statement"))
"""Names of texts whose columns have numbers, beside those of questions and answers."""
NUMBERED_TURN = lazy_pattern(r"([^\W\d_]{1,20})[ _.-]?([0-9]{1,3})(?:[ _.-]([^\W\d_]{1,20}))?\Z")
"""The name of a column of one of several turns in a row: ``speaker_1``, ``turn 2 text``."""
FEWEST_TURNS = 2
KINDS_OF_ROWS = frozenset(("type", "label", "role", "tier", "identity"))
"""Names of speakers that mean something else as often."""
FEWEST_NUMBERED = 3
"""The fewest columns that are what one person said."""


class MessagesColumn(NamedTuple):
    """A column whose cells are lists of messages, and the columns of the messages."""

    number: int
    name: str
    members: tuple[str, ...]
    """The members of the messages, with the column's name before those that are columns, too."""
    recording: int | None
    """The column that names the recordings, if there is one."""
    spans: int | None = None
    """The column with a list of the times of each text, as annotators export, if there is one."""

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the names of the columns that the rows of `spread` have."""
        others = [RECORDING if n == self.recording else name for n, name in enumerate(names)]
        return [*others[: self.number], *others[self.number + 1 :], *self.members]

    @property
    def names_read(self) -> list[str]:
        """The names that can have a role. Other columns are not about a single message."""
        return [*self.members, *([] if self.recording is None else [RECORDING])]

    def spread(
        self, source: Source, numbers: Sequence[int], rows: Sequence[list[str]]
    ) -> tuple[list[int], list[list[str]]]:
        """Return a row per message, with the line number of its list; reject any other cell."""
        lines: list[int] = []
        spread: list[list[str]] = []
        for line, row in zip(numbers, rows, strict=True):
            cell = row[self.number] if self.number < len(row) else ""
            messages = _messages(cell)
            if self.spans is not None and self.spans < len(row):
                messages = _timed_texts(cell, row[self.spans])
            if messages is None:
                error = source.error_of(NO_MESSAGES, line, name=self.name, text=cell)
                source.log.reject("TABLE-SYNTAX", error)
                continue
            named = [recording_of_audio(c) if n == self.recording else c for n, c in enumerate(row)]
            if self.spans is not None and self.spans < len(named):
                named[self.spans] = ""  # each turn has its own times
            others = [*named[: self.number], *named[self.number + 1 :]]
            for message in messages:
                values = (message.get(name.rpartition(".")[2]) for name in self.members)
                spread.append([*others, *map(_text_of, values)])
                lines.append(line)
        return lines, spread


class PartyColumns(NamedTuple):
    """Columns of a table that hold the texts of one party each, or all of them of one speaker."""

    parties: dict[int, str]
    """The party of each of these columns; empty texts if the row names the speaker, if any."""
    beside: tuple[str, ...] = ()
    """Names of columns of starts, recordings and speakers."""
    speakers: Mapping[int, int] = MappingProxyType({})
    """The column with the speaker of each of these columns, if each has one of its own."""

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the names of the columns that the rows of `spread` have."""
        return [*self._others(names), *self._added]

    @property
    def names_read(self) -> list[str]:
        """The names that can have a role."""
        return [*self.beside, *self._added]

    @property
    def _added(self) -> list[str]:
        is_named = self.speakers or any(self.parties.values())
        return ["speaker", "text"] if is_named else ["text"]

    def spread(
        self, _: Source, numbers: Sequence[int], rows: Sequence[list[str]]
    ) -> tuple[list[int], list[list[str]]]:
        """Return a row for each text of a party, with the line number of the original row."""
        turns = [
            (line, [*self._others(row), *self._speaker(row, number, party), row[number]])
            for line, row in zip(numbers, rows, strict=True)
            for number, party in self.parties.items()
            if number < len(row) and row[number].strip()
        ]
        return [line for line, _ in turns], [row for _, row in turns]

    def _speaker(self, row: Sequence[str], number: int, party: str) -> list[str]:
        """Return the speaker of a text as the only element; nothing if no column names it."""
        column = self.speakers.get(number)
        name = party if column is None else row[column] if column < len(row) else ""
        return [name] if party or column is not None else []

    def _others(self, row: Sequence[str]) -> list[str]:
        spread = {*self.parties, *self.speakers.values()}
        return [cell for number, cell in enumerate(row) if number not in spread]


def party_columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> PartyColumns | None:
    """Return the columns with the texts of one party each; `None` if another column has the text.

    >>> party_columns(["id", "user", "bot"], [["1", "so it is", "well then"]]).parties
    {1: 'user', 2: 'bot'}
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = dict(zip(names, zip(*some, strict=True), strict=True)) if some else {}
    if speakers := _numbered_turns(columns):
        places = {name: number for number, name in enumerate(names)}
        columns_read = {*speakers, *speakers.values()}
        others = [name for name in names if name not in columns_read]
        also_read = dict.fromkeys(
            n for role in ("start", "recording") for n in likely_names(role, others)
        )
        if not has_text(others) and "speaker" not in map(str.lower, others):
            numbers = {places[text]: "" for text in speakers}
            by_text = {places[text]: places[speaker] for text, speaker in speakers.items()}
            return PartyColumns(numbers, tuple(also_read), by_text)
    parties = party_names(columns) or _numbered_texts(columns)
    others = [
        n for n in names if n not in parties and not are_words_that_return(columns.get(n, ()))
    ]
    taken = {"text", *(["speaker"] if any(parties.values()) else [])}.intersection(names)
    is_clear = bool(parties) and not taken and not has_text(others)
    numbers = {n: parties[name] for n, name in enumerate(names) if name in parties}
    roles = ("start", "recording") if any(parties.values()) else ("start", "recording", "speaker")
    if parties and speakers_of_columns({name: columns[name] for name in parties}):
        roles = (*roles, "end", "duration")  # each row is one turn
    beside = dict.fromkeys(name for role in roles for name in likely_names(role, others))
    beside |= dict.fromkeys(name for name in names if plain_name(name)[0] in OF_TALKS)
    return PartyColumns(numbers, tuple(beside)) if is_clear else None


def _numbered_turns(columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Map columns of texts to the columns of their speakers, if the names of both have numbers.

    >>> columns = {"speaker_1": ["Ann"], "text_1": ["so it is and so"]}
    >>> _numbered_turns({**columns, "speaker_2": ["Ben"], "text_2": ["well then, no"]})
    {'text_1': 'speaker_1', 'text_2': 'speaker_2'}
    """
    turns: dict[str, dict[str, str]] = {}
    for name in columns:
        if numbered := NUMBERED_TURN.match(name.strip()):
            before, number, behind = numbered.groups()
            turns.setdefault(number, {})[(behind or before).lower()] = name
    kinds = {*map(frozenset, turns.values())}
    if len(turns) < FEWEST_TURNS or len(kinds) > 1:
        return {}
    (kind,) = kinds
    speaker = next((word for word in sorted(kind) if is_speaker_name(word)), "")
    texts = [word for word in likely_names("text", sorted(kind)) if word != speaker]
    cells = [cell for t in turns.values() for cell in columns[t[texts[0]]] if cell] if texts else []
    if not speaker or sum(map(word_count, cells)) < LEAST_PROSE * len(cells) or not cells:
        return {}
    return {turn[texts[0]]: turn[speaker] for turn in turns.values()}


def is_speaker_name(name: str) -> bool:
    """Return True if a name is that of a speaker, and hardly means anything else."""
    plain = plain_name(name)[0]
    return plain in NAMES["speaker"].plain and plain not in KINDS_OF_ROWS


def _numbered_texts(columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Map columns of texts with numbered names to their parties: ``question 1``, ``answer 1``.

    Three or more columns of one kind, such as ``Q1``, ``Q2``, ``Q3``, have what one person answered
    or said: the party is empty. Two are rather versions of one text.

    >>> text = ["so it was and then we left"]
    >>> _numbered_texts({"Q1": text, "Q2": text, "Q3": text, "n": ["1"]})
    {'Q1': '', 'Q2': '', 'Q3': ''}
    >>> _numbered_texts({"question_1": text, "answer_1": text, "question_2": text})
    {'question_1': 'question', 'answer_1': 'answer', 'question_2': 'question'}
    >>> _numbered_texts({"question1": text, "question2": text})
    {}
    """
    kinds: dict[str, str] = {}
    for name, cells in columns.items():
        numbered = NUMBERED.match(name.strip())
        texts = [cell for cell in cells if cell.strip()]
        if numbered and texts and sum(map(word_count, texts)) >= LEAST_PROSE * len(texts):
            word = numbered[1].lower()
            kinds[name] = word if word in PARTS_OF_TEXTS else kinds_of_turns().get(word, "")
    kinds = {name: kind for name, kind in kinds.items() if kind}
    if {"question", "answer"} == {*kinds.values()}:
        return kinds
    is_one = len(kinds) >= FEWEST_NUMBERED and len({*kinds.values()}) == 1
    return dict.fromkeys(kinds, "") if is_one else {}


def messages_column(names: Sequence[str], rows: Sequence[Sequence[str]]) -> MessagesColumn | None:
    """Return the column of messages of a table; `None` if another column has the text.

    >>> rows = [["1", '[{"role": "user", "content": "so it is"}]']]
    >>> messages_column(["id", "chat"], rows).members
    ('role', 'content')
    >>> messages_column(["text", "chat"], rows)
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    if (spans := _spans_column(names, some)) is not None:
        return spans
    for number, name in enumerate(names):
        others = [*names[:number], *names[number + 1 :]]
        cells = [row[number] for row in some if row[number].strip()]
        lists = [cell for cell in cells if cell.strip() != EMPTY]
        if not lists or has_text(others) or not all(map(_begins_list, lists)):
            continue
        parsed = list(map(_messages, cells))
        messages = [message for each in parsed if each for message in each]
        members = list(dict.fromkeys(key for message in messages for key in message))
        if None in parsed or not likely_names("text", members):
            continue
        unique = tuple(f"{name}.{key}" if key in others else key for key in members)
        return MessagesColumn(number, name, unique, _recording_column(names, some, number))
    return None


def _spans_column(
    names: Sequence[str], rows: Sequence[Sequence[str]]
) -> MessagesColumn | None:  # fmt: skip
    """Return the column of lists of texts beside a column of lists of their times; or `None`.

    >>> rows = [["a.wav", '[{"start": 0.5, "end": 2}, {"start": 2, "end": 3}]', '["so", "no"]']]
    >>> _spans_column(["audio", "label", "transcription"], rows * 2).spans
    1
    """
    texts = [n for n, name in enumerate(names) if name.lower() in NAMES["text"].usual]
    for number in texts:
        for beside, name in enumerate(names):
            cells = [(row[number], row[beside]) for row in rows if row[beside].strip() != EMPTY]
            is_list = beside != number and bool(cells) and all(_begins_list(c) for _, c in cells)
            timed = [_timed_texts(*cell) for cell in cells] if is_list else []
            if timed and all(timed):
                members = dict.fromkeys(
                    key for turns in timed for turn in turns or () for key in turn
                )
                unique = tuple(f"{name}.{key}" if key in names else key for key in members)
                return MessagesColumn(number, names[number], unique, _files(names, rows), beside)
    return None


def _files(names: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column that names the audio file of each row, or `None`."""
    usual = (n for n, name in enumerate(names) if name.lower() in NAMES["recording"].usual)
    return next((n for n in usual if len({row[n] for row in rows}) == len(rows)), None)


def _timed_texts(texts: str, spans: str) -> list[dict[str, Any]] | None:
    """Return the texts of a list with their times from another list of one length; or `None`."""
    from formats.json.columns_as_rows import spans_with_texts

    times = _messages(spans)
    try:
        values = json.loads(as_json(texts)) if texts.lstrip()[:1] == "[" else [texts]
    except (ValueError, RecursionError):
        return None
    are_texts = isinstance(values, list) and all(isinstance(value, str) for value in values)
    rows = spans_with_texts({"spans": times or [], "transcription": values}) if are_texts else []
    for row in rows:
        row["text"] = row.pop("transcription")
    return rows or ([] if not times and not texts.strip() else None)


def _recording_column(
    names: Sequence[str], rows: Sequence[Sequence[str]], column: int
) -> int | None:  # fmt: skip
    """Return the first column with a different identifier in each row, or `None`."""
    for number, name in enumerate(names):
        is_id = name_parts(name)[-1:] == ["id"] or name.lower() in NAMES["recording"].usual
        if number != column and is_id and len({row[number] for row in rows}) == len(rows):
            return number
    return None


def _begins_list(cell: str) -> bool:
    is_list = cell.lstrip()[:1] == "[" and ("{" in cell or PAIR_START.match(cell) is not None)
    return is_list or bool(tagged_turns(cell))


def _messages(cell: str) -> list[dict[str, Any]] | None:
    """Return the objects of a list in JSON or Python; an empty cell has no objects."""
    if not cell.strip():
        return []
    if turns := tagged_turns(cell):
        return list[dict[str, Any]](turns)
    try:
        values = json.loads(as_json(cell))
    except (ValueError, RecursionError):
        return None
    if isinstance(values, list):
        values = [_timed(value) for value in values]
    is_list = isinstance(values, list) and all(isinstance(value, dict) for value in values)
    return values if is_list else None


def _timed(value: Any) -> Any:
    """Convert a text with its start and end, ``["so", [0.5, 1.5]]``, to an object."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        times = value[1]
        if is_pair(times) and times is not None:
            return {"text": value[0], "start": times[0], "end": times[1]}
    return value


def _text_of(value: Any) -> str:
    """Return a text unchanged, an empty text for null, and any other value as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)
