"""Members of the rows of any JSON that have a role, such as text, start or speaker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from formats.json.paths import first_of
from formats.json.row_kinds import is_start
from formats.json.row_times import words_of
from formats.json.shapes import Names
from formats.json.turn_members import joined_with_marks
from formats.manifests.kinds_of_rows import SURE_SPEAKERS, WORD_LISTS
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    NO_MEMBERS,
    OF_DATA_SETS,
    TEXT_PARTS,
    are_pairs,
    likely_names,
    name_without_unit,
    plain_name,
    text_among,
    time_role,
)
from formats.reading.member_values import (
    are_links,
    are_parties,
    are_parts_of_interview,
    are_speakers,
    is_speaker,
    is_wording,
    name_beside_id,
    speaker_by_values,
)
from formats.reading.speakers import is_label
from formats.reading.time_values import (
    are_offsets,
    clock_names,
    is_pair,
    is_time,
    number_of,
    span_names,
    word_count,
)

KNOWN = {role: names.plain for role, names in NAMES.items()}
KNOWN["text"] = tuple(name for name in KNOWN["text"] if name not in OF_DATA_SETS)
BESIDES = (*sorted(OF_DATA_SETS - {"label"}), *NAMES["display"].plain)
"""Names of texts that count only if they are phrases and no other name means one."""
PREDICTIONS = frozenset(NAMES["pred_text"].usual) - {"recognized", "generated", "output"}
"""Names of predictions; beside one of them, a reference is the text."""
MOST_TIMES = 0.6
"""The share of values that are times, of a member that has them."""
ONSET, OFFSET = "onset", "offset"
"""A start, and the end beside it; without an onset, the offset is the start."""
DEEPEST = 6
"""Levels of lists and objects in which such lists are looked for."""
MOST_PLACES = 4
"""The most places of lists of which each has a role."""
CLASSES = ({"0", "1"}, {"1", "2"}, {"0", "1", "2"}, {"1", "2", "3"})
"""Numbers of speakers."""
BESIDE_TITLES = ("quote", "subtitle", "paragraphs")
"""Names that mean no speech beside a title."""
THOUGHT = frozenset(("reasoning", "thinking"))
"""What the member ``type`` says of a part of a message that was not said."""
FEWEST_WORDS = 3
"""The fewest words of a text on average, where no name says that it is one."""
LONGEST_NAME = 4
"""The most words of a name."""
FEWEST_OF_TURNS = 3
"""The words that elements of nested lists have on average, if they are turns and not words."""
MOST_NESTED = 3
"""How many times the words of an element its list of words may have."""


def are_turns_within(words: Sequence[dict[str, Any]], names: Names, *, has_text: bool) -> bool:
    """Return True if elements of nested lists are turns: texts of several words with speakers.

    Starts are enough if the elements around have no text.
    """
    is_known = bool(names.text) and bool(names.speaker or (names.start and not has_text))
    texts = [first_of(word, names.text) for word in words if is_known]
    count = sum(word_count(text) for text in texts if isinstance(text, str))
    return count > FEWEST_OF_TURNS * len(texts)


def are_no_words(rows: Sequence[dict[str, Any]], names: Names, inner: Names) -> bool:
    """Return True if elements have texts, and nested lists do not hold the words of these.

    Lists with far more words are the turns around an element. Lists whose times count the
    characters of the text are marks in it, such as names of places; so are labels.
    """
    own = sum(_words_of_text(first_of(row, names.text)) for row in rows) if names.text else 0
    parts = [part for row in rows for part in words_of(row, names)] if own else []
    nested = sum(_words_of_text(first_of(part, inner.text)) for part in parts)
    if own and _are_labels(rows, names, inner):
        return True
    spans = [
        (start, number_of(first_of(part, inner.end)), str(first_of(part, inner.text)))
        for part in parts if (start := number_of(first_of(part, inner.start))) is not None
    ]  # fmt: skip
    return own > 0 and (nested > MOST_NESTED * own or are_offsets(spans))


def _are_labels(rows: Sequence[dict[str, Any]], names: Names, inner: Names) -> bool:
    """Return True if hardly any nested text occurs in the text around it: labels of its parts."""
    pairs = [
        (str(first_of(row, names.text) or "").casefold(), str(word).casefold())
        for row in rows for part in words_of(row, names)
        if (word := first_of(part, inner.text)) is not None
    ]  # fmt: skip
    return bool(pairs) and 4 * sum(word.strip() in text for text, word in pairs) < len(pairs)


def _words_of_text(value: Any) -> float:
    return word_count(value) if isinstance(value, str) else 0


def inner_text(objects: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Return ``{"text": path}`` for a nested text, such as ``transcription.transcript``.

    The result is empty if elements have a text themselves. In each element, the nested text must be
    the only text in an object with the same name. A ``content`` is one beside parties.
    """
    names = TEXT_PARTS
    values = {name: [row.get(name) for row in objects] for name in objects[0]}
    if any(are_parties(column) for column in values.values()):
        names = TEXT_PARTS | {"content", "message"}
    plain = {plain_name(name)[0] for row in objects for name, v in row.items() if type(v) is str}
    if not plain.isdisjoint(KNOWN["text"]):
        return {}
    for name in objects[0]:
        inner = [v for row in objects if isinstance(v := row.get(name), dict)]
        found = [key for key in inner[0] if plain_name(key)[0] in names] if inner else []
        is_one = len(inner) == len(objects) and len(found) == 1
        if is_one and all(isinstance(value.get(found[0]), str) for value in inner):
            return {"text": f"{name}.{found[0]}"}
    return {}


def name_rows(rows: list[Any]) -> None:
    """Replace lists of a text and times, such as ``["hello", 0.5, 0.9]``, by objects.

    If a list has two texts, the shorter text is the speaker: ``[0.5, 0.9, "A", "hello"]``. Times
    are numbers or clock times. Without any, there must be a speaker: ``["Ann", "well then"]``.
    """
    some = [row for row in rows[:MOST_TRIED] if isinstance(row, list)]
    size = len(some[0]) if len(some) > 1 or (some and len(some[0]) > 2) else 0
    if size < 2 or len(some) < len(rows[:MOST_TRIED]):
        return
    if any(len(row) != size for row in some):
        return
    columns = [[row[n] for row in some] for n in range(size)]
    names = _names_of_places(columns) if size <= MOST_PLACES else _names_of_wide(columns)
    for number, row in enumerate(rows if names else ()):
        if isinstance(row, list) and len(row) == size:
            rows[number] = {names[n]: value for n, value in enumerate(row)}


def name_speeches(value: Any) -> None:
    """Replace lists of a name and its lines, such as ``["Ann", ["So it is,", "I think."]]``.

    The names return, so that they are no titles of chapters.

    >>> scene = [["Ann", ["So it is,", "I think."]], ["Ben", ["No."]]]
    >>> name_speeches(play := [{"lines": [*scene]}, {"lines": [*scene]}])
    >>> play[0]["lines"][0]
    {'speaker': 'Ann', 'text': 'So it is, I think.'}
    """
    lists = list(_lists_of_speeches(value, DEEPEST))
    names = [row[0] for rows in lists for row in rows]
    are_names = all(0 < len(name.split()) <= LONGEST_NAME for name in {*names})
    if not names or 2 * len({*names}) > len(names) or not are_names:
        return
    for rows in lists:
        rows[:] = [{"speaker": name, "text": " ".join(lines)} for name, lines in rows]


def _lists_of_speeches(value: Any, levels: int) -> Iterator[list[Any]]:
    """Yield the lists of which each element is a name and a list of texts."""
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(value, list) and _is_speech(first) and all(map(_is_speech, value)):
        yield value
        return
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, list) and not any(_lists_of_speeches(first, levels - 1)):
        return  # the elements of a list are alike
    for part in inner if levels > 0 else ():
        if isinstance(part, (dict, list)):
            yield from _lists_of_speeches(part, levels - 1)


def _is_speech(row: Any) -> bool:
    """Return True for a list of a text and a list of texts."""
    is_pair = isinstance(row, list) and len(row) == 2 and isinstance(row[0], str)
    lines = row[1] if is_pair else None
    return isinstance(lines, list) and bool(lines) and all(isinstance(x, str) for x in lines)


def name_all_rows(value: Any, levels: int = DEEPEST) -> None:
    """Replace lists as `name_rows` does, in the lists inside the elements of other lists."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inner if levels else ():
        first = part[0] if isinstance(part, list) and part else part
        if first is not part and isinstance(first, list):
            name_rows(part)
        elif isinstance(first, dict) and any(type(v) in (dict, list) for v in first.values()):
            name_all_rows(part, levels - 1)


def _names_of_wide(columns: Sequence[Sequence[Any]]) -> dict[int, str]:
    """Return names for the places of longer lists, of which one holds phrases and two their times.

    >>> texts = ["so it is", "well then", "and so on"]
    >>> _names_of_wide([[1, 2, 3], [0.5, 2, 3.5], [2, 3, 6], texts, [[7], [8], []]])
    {0: 'place 1', 1: 'start', 2: 'end', 3: 'text', 4: 'place 5'}
    """
    prose = [
        n for n, column in enumerate(columns)
        if all(map(is_wording, column)) and sum(map(word_count, column)) > 2 * len(column)
    ]  # fmt: skip
    numbers = {
        str(n): column for n, column in enumerate(columns)
        if all(number_of(value) is not None for value in column)
    }  # fmt: skip
    span = span_names(numbers, columns[prose[0]]) if len(prose) == 1 else []
    if len(span) != 2:
        return {}
    names = {n: f"place {n + 1}" for n in range(len(columns))}
    return names | {int(span[0]): "start", int(span[1]): "end", prose[0]: "text"}


def _names_of_places(columns: Sequence[Sequence[Any]]) -> dict[int, str]:
    """Return the name of the member for each place of lists; empty if the roles are unclear.

    >>> _names_of_places([["0:01", "0:04"], ["so it is", "well then it is"]])
    {1: 'text', 0: 'start'}
    >>> _names_of_places([[0, 1] * 2, ["so it is", "well then it is"] * 2])
    {0: 'speaker', 1: 'text'}
    """
    times = [n for n, column in enumerate(columns) if all(map(_is_number_or_clock, column))]
    classes = [n for n in times if {*map(str, columns[n])} in CLASSES]
    if len(times) == len(classes) == 1 and len(columns) == 2:  # numbers of speakers
        columns = [list(map(str, c)) if n in classes else c for n, c in enumerate(columns)]
        times = []
    texts = [n for n in range(len(columns)) if n not in times]
    if not texts or len(texts) + len(times) < len(columns) or len(texts) > 2 or len(times) > 2:
        return {}
    if not all(isinstance(text, str) for n in texts for text in columns[n]):
        return {}
    place = max(texts, key=lambda n: sum(map(len, columns[n])))
    are_words = len(columns) == 3 and all(len(text.split()) == 1 for text in columns[place])
    if len(times) < 2 and not _are_said(columns, place, [n for n in texts if n != place]):
        return {}
    names = dict.fromkeys(texts, "speaker")
    if len(texts) > 1 or not all(map(is_label, columns[place])):
        names |= {place: "word" if are_words else "text"}
    return names | dict(zip(times, ("start", "end"), strict=False))


def _is_number_or_clock(value: Any) -> bool:
    is_clock = isinstance(value, str) and ":" in value and is_time(value)
    return is_clock or number_of(value) is not None


def _are_said(columns: Sequence[Sequence[Any]], place: int, speakers: Sequence[int]) -> bool:
    """Return True if texts with one time or none are turns: they are phrases, and names return."""
    words = sum(map(word_count, columns[place]))
    names = [columns[n] for n in speakers]
    has_times = len(columns) > 1 + len(speakers)
    are_names = all(len(name.split()) <= 3 for column in names for name in column)
    returns = all(len({*column}) <= len(column) / 2 for column in names)
    return words >= FEWEST_WORDS * len(columns[place]) and (
        (has_times and not names) or (bool(names) and are_names and returns)
    )


def join_texts(objects: Sequence[dict[str, Any]], rows: list[Any]) -> None:
    """Replace lists of texts, such as ``content: ["well", "so"]``, by one text.

    A text may be in an object, as in ``{"type": "text", "text": "well"}``. There may be a list for
    each language: ``{"en": ["well", "so"], "de": ["also"]}``.
    """
    for row in rows:
        for name, value in row.items() if isinstance(row, dict) else ():
            if isinstance(value, dict) and plain_name(name)[0] in KNOWN["text"]:
                row[name] = {key: joined_list(inner) for key, inner in value.items()}
    lists = {name for row in objects for name, v in row.items() if isinstance(v, list)}
    for name in lists:
        values = [row[name] for row in objects if row.get(name)]
        is_text = plain_name(name)[0] in KNOWN["text"]
        if not is_text or not all(map(_is_of_texts, values)) or all(map(is_pair, values)):
            continue
        if are_parts_of_interview(_kinds_of_parts(values)):
            continue
        for row in rows:
            if isinstance(row, dict) and isinstance(row.get(name), list):
                texts = [text for part in row[name] if (text := _text_of_part(part))]
                has_blanks = (
                    any(text != text.strip() for text in texts) or len({*map(type, row[name])}) > 1
                )  # pieces of one text, some of them with links
                row[name] = "".join(texts) if has_blanks else joined_with_marks(texts)


def joined_list(value: Any) -> Any:
    """Return a list of texts as one text; any other value unchanged.

    >>> joined_list(["well", ",", "so"]), joined_list([1, 2])
    ('well, so', [1, 2])
    """
    are_texts = isinstance(value, list) and value and all(isinstance(part, str) for part in value)
    return joined_with_marks(value) if are_texts else value


def _is_of_texts(value: Any) -> bool:
    """Return True if a value is a text, or a list of texts."""
    parts = value if isinstance(value, list) else [value]
    return bool(parts) and all(_text_of_part(part) is not None for part in parts)


def _kinds_of_parts(values: Sequence[Any]) -> set[str]:
    """Return what the parts of texts are, as their member ``type`` says."""
    parts = (part for value in values if isinstance(value, list) for part in value)
    return {str(part["type"]) for part in parts if isinstance(part, dict) and "type" in part}


def _text_of_part(part: Any) -> str | None:
    """Return the text that a part of a message is or holds; `None` for any other part.

    >>> _text_of_part("well"), _text_of_part({"type": "text", "value": "well"})
    ('well', 'well')
    >>> _text_of_part({"type": "reasoning", "text": "well"})
    >>> _text_of_part({"type": "line", "speaker": "Ann", "text": "well"})
    >>> _text_of_part({"word": "well", "confidence": 1}), _text_of_part({"word": "so", "start": 2})
    ('well', None)
    """
    if isinstance(part, dict) and "word" in part and not any(map(time_role, part)):
        part = None if any(map(is_start, part)) else part["word"]
    elif isinstance(part, dict) and any(
        time_role(name) == "start" or name_without_unit(name) in SURE_SPEAKERS for name in part
    ):
        return None  # a turn
    elif isinstance(part, dict) and part.get("type", "reasoning") not in THOUGHT:
        part = next((part[name] for name in ("text", "value", "content") if name in part), None)
    return part if isinstance(part, str) else None


def row_names(objects: Sequence[dict[str, Any]], members: Mapping[str, str] = NO_MEMBERS) -> Names:
    """Return the names of the members for each role.

    The values in most objects show whether a member can have the role.
    """
    present: dict[str, list[Any]] = {}
    for row in objects:
        for name, value in row.items():
            if value is not None and value != []:
                present.setdefault(name, []).append(value)
    plain = {name: plain_name(name)[0] for name in present}
    is_scored = not PREDICTIONS.isdisjoint(map(str.lower, present))
    known = {**KNOWN, "text": NAMES["text"].plain} if is_scored else KNOWN

    def choose(role: str, fits: Callable[[Any], bool], share: float = 0.0) -> str:
        mapped = members.get(role, "")
        if mapped in present:
            return mapped
        fitting = [
            name for name, values in present.items()
            if name.strip() and len(values) >= share * len(objects)
            and (are_speakers(name, values, "" if start else text) if role == "speaker"
                 else _are_fitting(fits, values))
            and not (role == "text" and plain[name] in BESIDE_TITLES and "title" in plain.values())
            and not (role == "text" and are_links(values))
        ]  # fmt: skip
        likely = likely_names(role, fitting, known[role])
        likely.sort(key=lambda name: 2 * len([*filter(_is_filled, present[name])]) < len(objects))
        if role == "speaker" and likely:
            return name_beside_id(likely[0], present)
        if role == "speaker" and text:
            return speaker_by_values({n: v for n, v in clocks.items() if n != text})
        if role == "text" and not likely:
            likely = [text_among(fitting)] if text_among(fitting) else [
                name for name in likely_names(role, fitting, BESIDES)
                if sum(map(word_count, present[name])) >= FEWEST_WORDS * len(present[name])
            ]  # fmt: skip
        return next(iter(likely), "")

    words = [n for n, v in present.items() if {*map(type, v)} == {list} and any(map(_has_words, v))]
    words.sort(key=lambda name: plain[name] not in WORD_LISTS)
    clocks = {n: v for n, v in present.items() if len(v) == len(objects)}
    text = choose("text", is_wording, 0.5)
    start = choose("start", is_time, 0.5)
    span = _span_of(start, text, clocks)
    start = start or next(iter(span), "")
    return Names(
        text,
        start,
        choose("end", is_time) or (span[1] if len(span) > 1 and span[0] == start else ""),
        choose("duration", is_time) if start else "",
        "" if are_pairs(present) else choose("speaker", is_speaker),
        choose("confidence", lambda v: isinstance(v, (int, float))),
        choose("channel", is_speaker),
        choose("language", lambda v: isinstance(v, str)),
        choose("display", lambda v: isinstance(v, str)),
        words[0] if words else "",
    )


def _span_of(start: str, text: str, columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the members that hold starts and ends, as their values show; empty if unknown.

    `start` and `text` are the members that are called so, or empty.
    """
    if plain_name(start)[0] == ONSET:
        return [start, *(name for name in columns if plain_name(name)[0] == OFFSET)][:2]
    if clocks := clock_names(columns):
        return clocks
    return span_names(columns, columns[text]) if not start and text in columns else []


def _is_filled(value: Any) -> bool:
    return not isinstance(value, str) or bool(value.strip())


def _are_fitting(fits: Callable[[Any], bool], values: Sequence[Any]) -> bool:
    """Return True if all values fit a role; for the roles of times, if most fit.

    The reader names the others.
    """
    least = MOST_TIMES if fits is is_time else 1
    return sum(map(fits, values)) >= least * len(values)


def _has_words(value: Any) -> bool:
    """Return True if a value is a list of objects with a text and a start."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    names = {plain_name(name)[0] for name in value[0]}
    return any(map(is_start, value[0])) and not names.isdisjoint(KNOWN["text"])
