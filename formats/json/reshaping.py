"""Conversion of JSON with unusual nesting to a plain list of elements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, pairwise
from operator import ne
from typing import Any

from formats.json.paths import first_of
from formats.json.recordings import KEY
from formats.json.row_kinds import (
    SPEAKERS,
    has_text,
    is_start,
    with_head,
    with_span,
    without_others,
)
from formats.json.row_times import TIMES
from formats.json.shapes import Names
from formats.json.texts import are_ids, text_name
from formats.manifests.kinds_of_rows import SURE_SPEAKERS, WORD_LISTS
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    PAIRS,
    PERHAPS_SPEAKERS,
    are_fields,
    likely_names,
    name_parts,
    name_without_unit,
    plain_name,
    role_of_time,
)
from formats.reading.member_values import (
    OTHER_PARTY,
    PARTIES,
    are_words_that_return,
    is_level,
    is_sound,
    is_speaker,
    is_speech_mark,
    is_wording,
    party_names,
    questions_and_answers,
)
from formats.reading.speakers import is_label
from formats.reading.time_values import (
    is_pair,
    number_of,
    seconds_of,
    time_number,
    times_of_span,
    word_count,
)

KNOWN_TEXTS = frozenset(NAMES["text"].plain)
PREDICTED = frozenset(NAMES["pred_text"].usual)
DEEPEST_WRAPPED = 20
"""Levels of lists and objects in which wrapped objects are looked for."""
TURN = "turn"
"""The name of a member with the words of a turn, or with its number."""
FEWEST_WORDS_OF_TURNS = 2
"""The fewest words of turns on average; texts of one word may be names."""
DEEPEST = 5
"""Levels of lists and objects in which texts are looked for."""
FEWEST_WORDS = 2
"""The fewest words of a text on average; of fewer they are labels, not turns."""
FEWEST_OF_SENTENCE = 5
"""The fewest words of a text that is everything a speaker says."""
CODE = re.compile(r"[a-z]{2,3}(?:[-_](?:[A-Za-z]{2,4}|[0-9]{3})){0,3}\Z")
"""The code of a language, perhaps with a script and a country."""
LINE = re.compile(r"([^:\n]{1,40}):\s+(\S.*)\Z", re.DOTALL)
"""A text with the name of its speaker before it."""
MOST_OF_NAME = 3
FEWEST_LINES = 4
SHARE_OF_TURNS = 0.9
"""The share of turns that begin after the end of the one before, of speakers of one talk."""
MARK = re.compile(r"[.,;:?!…。、，；：？！]{1,4}\Z")
"""A punctuation mark that is an element of a list of words."""
NamesOf = Callable[[Sequence[dict[str, Any]]], Names]


ALTERNATIVES = frozenset(("alternatives", "nbest", "hypotheses"))
"""Names of lists of texts of which the first is the likeliest."""
WRAPPED_TEXTS = ("runs", "simpleText")
"""Members of the objects in which YouTube's pages have a text: its pieces, or all of it."""
TURNS = "turns"
"""The name of the turns that were lists of texts and of speakers."""
OPENED = re.compile(r"\s{0,20}\[\s{0,20}\{\s{0,20}\"")
"""The beginning of a text that may be a list of objects in JSON."""
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
GAP = "__"
"""The sign of a gap in an exercise."""
TREE, CURRENT = "mapping", "current_node"
"""Members of a talk with a model: the messages as a tree, and the id of the last of them."""
TITLES = frozenset(("name", "title"))
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
NAMES_OF_TIERS = ("name", "tier", "tier_name", "tierName", "tier_id", "tierId", "id", "label")
"""Members that name a tier, the likeliest first."""
SENTENCES, TEXT_KEYS = ("s", "seg"), ("_", "#text", "__text", "text")
"""Names of the sentences of a turn in objects converted from XML, and of their texts."""
ROLES_OF_TURN = frozenset(("who", "speaker", "start", "begin", "spk"))
ATTRIBUTES, CONTENT = "$", "_"
"""Members of objects converted from XML: the attributes, and the text of the element."""
WRAPPER = "Renderer"
"""The end of the names of the objects that wrap others in YouTube's pages."""


PEOPLE = frozenset(
    ("npc", "npcs", "character", "characters", "people", "persons", "cast", "actors")
)
"""Names of lists of persons."""
NAMES_OF_PEOPLE = (
    "speaker",
    "character",
    "charactername",
    "npc",
    "npcname",
    "actor",
    "speakername",
)
"""Names of members that hold the name of a person."""
SPOKEN_LINES = frozenset(
    ("dialogue", "dialogues", "dialog", "dialogs", "quotes", "says", "sayings")
)
"""Names of lists of what a person with a name says."""
LINES_OF_PEOPLE = SPOKEN_LINES | {
    "lines",
    "speeches",
    "phrases",
    "utterances",
    "responses",
    "texts",
}
"""Names of lists that may be lines of a person, if the person's name shows it."""
LEAST_OF_LINES = 2
"""The fewest words of a line on average."""


def unwrapped(value: Any, dropped: Counter[str], levels: int = DEEPEST_WRAPPED) -> Any:
    """Return a value without objects that only wrap others; a value without any is unchanged.

    Elements of a list with one member each, an object, become this object. An object of a text and
    its layout becomes the text. Attributes of XML become members. `dropped` counts elements of
    other kinds, such as headings among cues, by their names.

    >>> unwrapped({"p": [{"$": {"start": "1"}, "_": "so it is"}]}, Counter())
    {'p': [{'start': '1', 'text': 'so it is'}]}

    Lists of games begin with null, so that their numbers begin with 1.

    >>> unwrapped([None, {"name": "Ann", "text": "so it is"}], Counter())
    [{'name': 'Ann', 'text': 'so it is'}]
    """
    if not levels or not isinstance(value, (dict, list)) or not value:
        return value
    if isinstance(value, list):
        if value[0] is None and any(isinstance(element, dict) for element in value):
            value = [element for element in value if element is not None]
        if not isinstance(value[0], (dict, list)):
            return value
        elements = _without_wrappers(value, dropped)
        elements = without_others(with_head(elements), dropped)
        lift_texts(elements, ALTERNATIVES)
        inner = [unwrapped(with_rows(element), dropped, levels - 1) for element in elements]
        is_new = elements is not value or any(map(ne, map(id, inner), map(id, value)))
        return inner if is_new else value
    if (text := _wrapped_text(value)) is not None:
        return text
    value = _with_messages(value, dropped)
    if isinstance(attributes := value.get(ATTRIBUTES), dict) and attributes:
        content = {"text": value[CONTENT]} if CONTENT in value else {}
        others = {k: v for k, v in value.items() if k not in (ATTRIBUTES, CONTENT)}
        value = {**attributes, **content, **others}
    value = _without_gaps(_with_numbered(value), dropped)
    value = with_span(_with_sentences(_with_timed_words(value)))
    parts = {name: unwrapped(_opened(part), dropped, levels - 1) for name, part in value.items()}
    return parts if any(parts[name] is not value[name] for name in parts) else value


def _opened(value: Any) -> Any:
    """Return the turns in a text that is JSON itself; any other value unchanged.

    >>> _opened('[{"text": "so", "start": 1}]'), _opened('[{"text": "so"}]')
    ([{'text': 'so', 'start': 1}], '[{"text": "so"}]')
    """
    if not isinstance(value, str) or not OPENED.match(value):
        return value
    import json

    try:
        rows = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return rows if isinstance(rows, list) and rows and all(map(_is_turn, rows)) else value


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


def _with_numbered(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object with turns in numbered members as a list of turns; any other unchanged.

    >>> _with_numbered({"speaker_1": "Ann", "text_1": "so it is",
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
    if not all(map(_is_turn, turns)):
        return value
    return {**{name: value[name] for name, match in matches.items() if match is None}, TURNS: turns}


def _without_gaps(value: dict[str, Any], dropped: Counter[str]) -> dict[str, Any]:
    """Return an object without its exercises: lists of turns with gaps, beside a list of turns.

    `dropped` counts the turns with gaps by the names of their lists.

    >>> lines = [{"speaker": "Ann", "text": "so it is"}], [{"speaker": "Ann", "text": "so it ___"}]
    >>> _without_gaps({"lines": lines[0], "blanks": lines[1]}, Counter())
    {'lines': [{'speaker': 'Ann', 'text': 'so it is'}]}
    """
    turns = [
        name for name, part in value.items()
        if isinstance(part, list) and part and all(map(_is_turn, part))
    ]  # fmt: skip
    gaps = [
        name for name in turns
        if 2 * sum(any(GAP in v for v in row.values() if isinstance(v, str)) for row in value[name])
        > len(value[name])
    ]  # fmt: skip
    if not gaps or len(gaps) == len(turns):
        return value
    dropped.update({name: len(value[name]) for name in gaps})
    return {name: part for name, part in value.items() if name not in gaps}


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


def _with_messages(value: dict[str, Any], dropped: Counter[str]) -> dict[str, Any]:
    """Return a talk with a model, a tree of messages, with the messages up to the current one.

    Any other object is unchanged. `dropped` counts the messages of other branches.

    >>> nodes = {"a": {"message": {"text": "so"}, "parent": None, "children": ["b", "c"]}}
    >>> nodes |= {key: {"message": {"text": key}, "parent": "a", "children": []} for key in "bc"}
    >>> _with_messages({"mapping": nodes, "current_node": "c"}, Counter())
    {'messages': [{'text': 'so'}, {'text': 'c'}]}
    """
    nodes = value.get(TREE)
    if not isinstance(nodes, dict) or not nodes or not all(map(_is_node, nodes.values())):
        return value
    current, path = value.get(CURRENT), dict[str, Any]()
    while isinstance(current, str) and current in nodes and current not in path:
        path[current] = nodes[current]["message"]
        current = nodes[current]["parent"]
    whole = [node["message"] for node in nodes.values() if node["message"]]
    messages = list(filter(None, reversed(path.values()))) or whole
    if len(messages) < len(whole):
        dropped[TREE] += len(whole) - len(messages)
    others = {name: part for name, part in value.items() if name not in (TREE, CURRENT)}
    return {**others, "messages": messages}


def _is_node(value: Any) -> bool:
    return isinstance(value, dict) and {"message", "parent", "children"} <= value.keys()


def _with_timed_words(value: dict[str, Any]) -> dict[str, Any]:
    """Return YouTube's timed text, converted from XML, with turns as its paragraphs ``p``.

    Any other object is unchanged. The times of words, ``s``, count from that of their paragraph. A
    paragraph without words ends a line.

    >>> words = [{"__text": "so"}, {"_t": "300", "__text": "it"}]
    >>> _with_timed_words({"p": [{"_t": "1000", "_d": "900", "s": words}]})["p"][0]["words"]
    [{'word': 'so', 'start_ms': 1000}, {'word': 'it', 'start_ms': 1300}]
    """
    paragraphs = value.get("p")
    if not isinstance(paragraphs, list) or not all(isinstance(p, dict) for p in paragraphs):
        return value
    turns: list[dict[str, Any]] = []
    for paragraph in paragraphs:
        plain = {name_without_unit(name): part for name, part in paragraph.items()}
        start, length = (number_of(plain.get(name)) for name in ("t", "d"))
        inner = plain.get("s", paragraph)
        pieces = [p for p in (inner if isinstance(inner, list) else [inner]) if type(p) is dict]
        words = [
            {"word": piece[key], "start_ms": (start or 0) + (_start_of(piece) or 0)}
            for piece in pieces for key in TEXT_KEYS
            if isinstance(piece.get(key), str) and piece[key].strip()
        ]  # fmt: skip
        if start is None or (length is None and words):
            return value
        text = joined_with_marks([word["word"].strip() for word in words])
        turn = {"start_ms": start, "duration_ms": length, "text": text}
        turns += [{**turn, "words": words} if "s" in plain else turn] if words else []
    return {**value, "p": turns} if turns else value


def _with_sentences(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object from XML with its sentences, ``s`` or ``seg``, as one text.

    The object has a time or a speaker, and no text of its own.

    >>> _with_sentences({"@who": "A", "s": ["so it is", {"#text": "well", "@n": "2"}]})
    {'@who': 'A', 'text': 'so it is well'}
    """
    names = [name for name in SENTENCES if name in value]
    plain = {name_without_unit(name) for name in value}
    has_role = not plain.isdisjoint(ROLES_OF_TURN)
    if len(names) != 1 or not has_role or not KNOWN_TEXTS.isdisjoint(plain):
        return value
    (name,) = names
    parts = value[name] if isinstance(value[name], list) else [value[name]]
    contents = [
        next((part[key] for key in TEXT_KEYS if key in part), None)
        if isinstance(part, dict) else part
        for part in parts
    ]  # fmt: skip
    texts = [text for text in contents if isinstance(text, str)]
    if len(texts) < len(parts) or not texts:
        return value
    return {**{key: part for key, part in value.items() if key != name}, "text": " ".join(texts)}


def _without_wrappers(values: list[Any], dropped: Counter[str]) -> list[Any]:
    """Return the objects in the only members of elements, all of one name; others unchanged.

    The wrappers of YouTube's pages may have several names: the most frequent is returned.

    >>> cues = [{"cueRenderer": {"text": text}} for text in ("so", "no")]
    >>> _without_wrappers([{"titleRenderer": {"text": "News"}}, *cues], dropped := Counter())
    [{'text': 'so'}, {'text': 'no'}]
    >>> dropped
    Counter({'titleRenderer': 1})
    """
    if not all(isinstance(value, dict) and len(value) == 1 for value in values):
        return values
    kinds = Counter(name for value in values for name in value)
    are_renderers = all(name.endswith(WRAPPER) for name in kinds)
    ((kind, count),) = kinds.most_common(1)
    is_mixed = len(kinds) > 1 and 2 * count <= len(values)
    is_alone = len(values) == 1 and not _is_turn(values[0][kind])
    if not are_renderers and (is_mixed or is_alone):
        return values
    if not all(isinstance(part, dict) for value in values for part in value.values()):
        return values
    if count < len(values):
        dropped.update({name: number for name, number in kinds.items() if name != kind})
    return [value[kind] for value in values if kind in value]


def _is_turn(value: Any) -> bool:
    """Return True for an object with a text, and a start or a speaker."""
    return has_text(value) and any(is_start(n) or name_without_unit(n) in SPEAKERS for n in value)


def _wrapped_text(value: dict[str, Any]) -> str | None:
    """Return the text of an object that wraps one, otherwise None."""
    pieces, whole = map(value.get, WRAPPED_TEXTS)
    if isinstance(whole, str):
        return whole
    if "content_type" in value and isinstance(parts := value.get("parts", []), list):
        # a message of a chat with a model; pictures and tools are no speech
        return " ".join(part for part in parts if isinstance(part, str))
    if not isinstance(pieces, list) or not pieces:
        return None
    texts = [piece.get("text") if isinstance(piece, dict) else None for piece in pieces]
    return "".join(texts) if all(isinstance(text, str) for text in texts) else None  # type: ignore[arg-type]


def reshaped_top(top: list[Any], speakers: dict[str, None]) -> list[Any]:
    """Convert unusual nesting in the values of a document to elements with a text and a speaker.

    Several top-level objects with texts of several parties become one list. Names of members that
    are read as speakers, though they may mean something else, are added to `speakers`.
    """
    if len(top) > 1 and all(map(is_speech_mark, top)):
        return [_turns_of_marks(top)]
    if len(top) > 1:
        join_languages(top)
        turns = turns_of_parties(top, speakers, 1)
        return top if turns is top else [turns]
    return [_reshaped(value, speakers) for value in top]


def _turns_of_marks(marks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the sentences of synthetic speech with their words; other marks are no speech.

    The members ``start`` and ``end`` of marks count bytes of the text.

    >>> marks = [{"time": 6, "type": "word", "value": "so", "end": 2}, {"type": "viseme"}]
    >>> _turns_of_marks(marks)
    [{'words': [{'word': 'so', 'start_ms': 6}]}]
    """
    turns: list[dict[str, Any]] = []
    for mark in marks:
        if mark["type"] == "sentence":
            turns.append({"start_ms": mark["time"], "text": mark["value"], "words": []})
        elif mark["type"] == "word":
            turns = turns or [{"words": []}]
            turns[-1]["words"].append({"word": mark["value"], "start_ms": mark["time"]})
    return turns


def _reshaped(value: Any, speakers: dict[str, None]) -> Any:
    """Convert unusual nesting in a value to elements with a text and a speaker."""
    value = rows_of_lists(rows_of_columns(value))
    join_languages(value := name_turns(value))
    return turns_of_parties(with_speakers(_turns_of_speakers(value, speakers)), speakers)


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
    if not any(name in texts and all(map(_is_said, column)) for name, column in named):
        return value
    return [with_span(dict(zip(table, row, strict=True))) for row in zip(*columns, strict=True)]


def name_turns(value: Any) -> Any:
    """Return turns with their words in ``turn`` as turns with a text; others unchanged.

    Each has a speaker, and no other text; numbers of turns are no words.

    >>> name_turns([{"role": "Expert", "turn": ["so it is,", "I think"]}])
    [{'role': 'Expert', 'text': 'so it is, I think'}]
    >>> name_turns([{"role": "Expert", "turn": "7"}])
    [{'role': 'Expert', 'turn': '7'}]
    """
    rows = value if isinstance(value, list) else []
    if not rows or not all(isinstance(row, dict) and _is_said(row.get(TURN)) for row in rows):
        return value
    if any(has_text(row) or SPEAKERS.isdisjoint(map(name_without_unit, row)) for row in rows):
        return value
    texts = [" ".join(v) if isinstance(v := row[TURN], list) else v for row in rows]
    if sum(map(word_count, texts)) < FEWEST_WORDS_OF_TURNS * len(rows):
        return value
    return [
        {("text" if n == TURN else n): text if n == TURN else part for n, part in row.items()}
        for row, text in zip(rows, texts, strict=True)
    ]


def _is_said(value: Any) -> bool:
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
    if len(members) > 1 or has_roles or not has_text(rows[0]) or not all(map(_may_be_title, value)):
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


def _may_be_title(name: str) -> bool:
    """Return True if a name may be that of a recording: it is no code, and means nothing else."""
    plain = name_without_unit(name)
    return not is_code(name) and plain not in NO_TITLES and plain not in KNOWN_TEXTS


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


def _turns_of_speakers(value: Any, speakers: dict[str, None], levels: int = DEEPEST) -> Any:
    """Return the value with one list of turns in place of a list of turns per speaker.

    Speakers are objects with a speaker's name and one list of turns, or members of an object. The
    turns get the speaker, and are in the order of their times. Names of members with texts alone
    are added to `speakers`.

    >>> turns = {"start": 5, "text": "so"}, {"start": 1, "text": "no"}
    >>> _turns_of_speakers([{"speaker": "A", "turns": [turns[0]]},
    ...                     {"speaker": "B", "turns": [turns[1]]}], {})[0]
    {'speaker': 'B', 'start': 1, 'text': 'no'}
    >>> _turns_of_speakers({"agent": [turns[0]], "customer": [turns[1]]}, {})[0]
    {'speaker': 'customer', 'start': 1, 'text': 'no'}
    """
    if not levels or not isinstance(value, (dict, list)) or not value:
        return value
    if isinstance(value, list):
        turns = _in_order(_spoken_lists(value)) or _turns_by_name(value) or turns_of_lines(value)
        turns = turns or _lines_of_people(value)
        return turns or _with_spoken_parts(value, speakers, levels - 1)
    if lists := _lists_of_speakers(value):
        return _in_order(lists)
    if turns := _lines_of_people(value):
        return turns
    if names := speakers_of_texts(value, is_top=levels == DEEPEST):
        speakers.update(dict.fromkeys(names))
        return [
            {"speaker": name, "text": text}
            for name, texts in value.items()
            for text in (texts if isinstance(texts, list) else [texts])
        ]
    inner = {
        name: _turns_of_channels(name, part)
        or _turns_of_tiers(name, part)
        or _turns_of_times(part)
        or (_lines_of_people(part, name) if isinstance(part, (dict, list)) else [])
        or _turns_of_speakers(part, speakers, levels - 1)
        for name, part in value.items()
    }
    return inner if any(inner[name] is not value[name] for name in inner) else value


def _lines_of_people(value: Any, around: str = "") -> list[dict[str, Any]]:
    """Return a turn for each line of persons, each of whom has a name and lines; else `[]`.

    Lines are texts, or objects with a text alone. The persons are in a list, or in an object under
    their names; `around` is the name of the list or the object.

    >>> guard = {"name": "Guard", "dialogue": ["Who is it?", "Move along."]}
    >>> _lines_of_people([guard, {"name": "Smith", "dialogue": {"hello": "Well met."}}])[1:]
    [{'speaker': 'Guard', 'text': 'Move along.'}, {'speaker': 'Smith', 'text': 'Well met.'}]
    >>> _lines_of_people([{"name": "A song", "lines": ["So it is", "so it was"]}])
    []
    """
    people = value.items() if isinstance(value, dict) else [("", person) for person in value]
    turns: list[dict[str, Any]] = []
    for key, person in people:
        if not isinstance(person, dict):
            return []
        lines = [name for name in person if name_without_unit(name) in LINES_OF_PEOPLE]
        texts = _texts_of_lines(person[lines[0]]) if len(lines) == 1 else []
        is_person = bool(lines) and name_without_unit(lines[0]) in SPOKEN_LINES
        is_person = is_person or around.lower() in PEOPLE
        members = NAMES_OF_PEOPLE + (("name",) if is_person else ())
        names = {name_without_unit(name): name for name in person}
        name = next((person[names[n]] for n in members if n in names), key if is_person else "")
        if not texts or not isinstance(name, str) or not any(map(str.isalpha, name)):
            return []
        turns += ({"speaker": name, "text": text} for text in texts)
    words = sum(word_count(turn["text"]) for turn in turns)
    return turns if len(people) > 1 and words >= LEAST_OF_LINES * len(turns) else []


def _texts_of_lines(value: Any) -> list[str]:
    """Return the texts of a list or an object of texts, or of objects with texts alone; or `[]`."""
    values = [*value.values()] if isinstance(value, dict) else value
    texts: list[str] = []
    for line in values if isinstance(values, list) else ():
        inner = line if isinstance(line, list) else [line]
        for each in inner:
            if isinstance(each, dict):
                roles = {role_of_time(n) for n in each} | {*likely_names("speaker", each)}
                each = each.get(text_name(each)) if roles <= {""} else None
            if not isinstance(each, str):
                return []
            texts.append(each)
    return texts


def _with_spoken_parts(values: list[Any], speakers: dict[str, None], levels: int) -> list[Any]:
    """Return a list of parts, such as sections, with one list of turns in each; others unchanged.

    If the times begin again in a part, its lists may be those of several recordings.
    """
    first = values[0]
    if not isinstance(first, dict) or has_text(first):
        return values
    if not any(isinstance(part, (dict, list)) for part in first.values()):
        return values
    parts = [_turns_of_speakers(value, speakers, levels) for value in values]
    return parts if any(map(ne, map(id, parts), map(id, values))) else values


def _turns_of_channels(name: str, value: Any) -> list[dict[str, Any]]:
    """Return the turns of an object with a list of turns per channel, in the order of their times.

    >>> turns = {"start": 5, "text": "so"}, {"start": 1, "text": "no"}
    >>> _turns_of_channels("channels", {"0": [turns[0]], "1": [turns[1]]})[0]
    {'channel': '1', 'start': 1, 'text': 'no'}
    """
    is_named = name_without_unit(name) in ("channel", "channels")
    lists = list(value.items()) if is_named and isinstance(value, dict) else []
    if len(lists) < 2 or not all(turns == [] or _are_timed(turns) for _, turns in lists):
        return []
    return _in_order(lists, "channel")


def _turns_of_tiers(name: str, value: Any) -> list[dict[str, Any]]:
    """Return the turns of a list of tiers, one of each speaker, in the order of their times.

    Tiers of which the annotations begin together say the same in another form.

    >>> turns = {"start": 5, "text": "so"}, {"start": 1, "text": "no"}
    >>> tiers = [{"id": "Ann", "parts": [turns[0]]}, {"id": "Ben", "parts": [turns[1]]}]
    >>> _turns_of_tiers("tiers", tiers)[0]
    {'speaker': 'Ben', 'start': 1, 'text': 'no'}
    >>> _turns_of_tiers("tiers", [tiers[0], {**tiers[0], "id": "Gloss"}])
    []
    """
    is_named = name_without_unit(name) in ("tier", "tiers")
    tiers = value if is_named and isinstance(value, list) and len(value) > 1 else []
    lists: list[tuple[Any, list[Any]]] = []
    starts: list[float | None] = []
    for tier in tiers:
        names = [tier[n] for n in NAMES_OF_TIERS if tier.get(n)] if isinstance(tier, dict) else []
        rows = [part for part in tier.values() if _are_timed(part) and part] if names else []
        if len(rows) != 1 or is_level(str(names[0])):
            return []
        lists.append((names[0], rows[0]))
        starts += map(_start_of, rows[0])
    return _in_order(lists) if 2 * len({*starts}) > len(starts) else []


def _turns_by_name(values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return turns for objects with only a speaker's name and a text; otherwise an empty list.

    Names begin with a capital letter or are labels, and each occurs twice on average.

    >>> _turns_by_name([{"Ann": "so it is"}, {"Ben": "well then"}] * 2)[1]
    {'speaker': 'Ben', 'text': 'well then'}
    >>> _turns_by_name([{"Title": "so it is"}, {"Author": "well then"}])
    []
    """
    if not all(isinstance(value, dict) and len(value) == 1 for value in values):
        return []
    pairs = [pair for value in values for pair in value.items()]
    names = {name for name, _ in pairs}
    are_texts = all(is_wording(text) for _, text in pairs)
    are_names = all(map(_may_be_speaker, names))
    returns = 1 < len(names) <= len(pairs) / 2 and not are_fields(name for name, _ in pairs)
    if not (are_texts and are_names and returns):
        return []
    return [{"speaker": name, "text": text} for name, text in pairs]


def _may_be_speaker(name: str) -> bool:
    """Return True for a name in capitals, a label of a speaker, a party, or a number."""
    is_named = is_label(name) or name[:1].isupper() or name.isdecimal()
    return is_named or name.lower() in PARTIES


def turns_of_lines(values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return turns for texts that all begin with a name that returns, and a colon; else [].

    >>> turns_of_lines(["Ann: so it is", "Ben: well then"] * 2)[1]
    {'speaker': 'Ben', 'text': 'well then'}
    >>> turns_of_lines(["Title: so it is", "Author: well then"])
    []
    """
    matches = [LINE.match(value) if isinstance(value, str) else None for value in values]
    return (
        _turns_by_name([{line[1].strip(): line[2]} for line in matches if line])
        if (len(matches) >= FEWEST_LINES and None not in matches)
        else []
    )


def speakers_of_texts(value: Any, *, is_top: bool = False) -> list[str]:
    """Return the member names of an object of texts, or lists of them, if they are of speakers.

    A text without a list has to be a sentence. Other names, such as ``Ann``, are as often the
    titles of sections; they are speakers if the object is the whole file, with lists of sentences.

    >>> speakers_of_texts({"Speaker 1": ["so it is", "no"], "Speaker 2": ["well then"]})
    ['Speaker 1', 'Speaker 2']
    >>> speakers_of_texts({"Plan": ["so it is", "no"], "Goal": ["well then"]})
    []
    """
    if not isinstance(value, dict) or len(value) < 2:
        return []
    lists = [[part] if _is_sentence(part) else part for part in value.values()]
    if not all(
        isinstance(texts, list) and texts and all(map(is_wording, texts)) for texts in lists
    ):
        return []
    labels = [is_label(name) or name.lower() in PARTIES for name in value]
    are_names = all(labels) or (any(labels) and all(map(str.istitle, value)))
    are_lists = all(isinstance(part, list) and len(part) > 1 for part in value.values())
    if is_top and are_lists and all(map(_may_be_person, value)):
        words = [word_count(text) for texts in lists for text in texts]
        are_names = are_names or sum(words) >= FEWEST_OF_SENTENCE * len(words)
    texts = [text for texts in lists for text in texts]
    has_phrases = sum(map(word_count, texts)) >= FEWEST_WORDS * len(texts)
    return list(value) if are_names and has_phrases else []


def _may_be_person(name: str) -> bool:
    """Return True for one to three words with capitals that mean nothing else in JSON.

    >>> _may_be_person("Ann Lee"), _may_be_person("Summaries"), _may_be_person("en")
    (True, False, False)
    """
    words = name.split()
    is_name = 0 < len(words) <= MOST_OF_NAME and name.istitle() and not re.search(r"\d", name)
    return is_name and _may_be_title(name) and not are_fields([name])


def _is_sentence(value: Any) -> bool:
    return is_wording(value) and word_count(value) >= FEWEST_OF_SENTENCE


def _spoken_lists(values: Sequence[Any]) -> list[tuple[Any, list[Any]]]:
    """Return the speaker and the turns of each object, or an empty list."""
    if not all(isinstance(value, dict) for value in values):
        return []
    names = [
        name for name in likely_names("speaker", values[0])
        if plain_name(name)[0] not in PERHAPS_SPEAKERS
    ]  # fmt: skip
    lists = [[n for n, v in value.items() if isinstance(v, list) and v] for value in values]
    if not names or any(
        len(inner) != 1 or names[0] not in v for inner, v in zip(lists, values, strict=True)
    ):
        return []
    spoken = [(v[names[0]], v[inner[0]]) for inner, v in zip(lists, values, strict=True)]
    has_texts = any(map(has_text, values))
    is_spoken = all(is_speaker(speaker) and _are_timed(turns) for speaker, turns in spoken)
    are_words = any(plain_name(name)[0] in WORD_LISTS for inner in lists for name in inner)
    return spoken if is_spoken and not (has_texts or are_words) else []


def _lists_of_speakers(value: Mapping[str, Any]) -> list[tuple[Any, list[Any]]]:
    """Return the speaker and the turns of each member whose name is a speaker's."""
    lists = [(name, _only_timed_list(part)) for name, part in value.items()]
    are_turns = len(lists) > 1 and all(turns == [] or _are_timed(turns) for _, turns in lists)
    are_names = are_turns and all(is_label(name) or name.lower() in PARTIES for name in value)
    starts = [_start_of(row) for _, turns in lists for row in turns] if are_turns else []
    known = [start for start in starts if start is not None]
    is_mixed = any(first > second for first, second in pairwise(known))
    is_capital = is_mixed and all(name.istitle() and not is_code(name) for name in value)
    are_numbered = is_mixed and all(map(str.isdecimal, value)) and _take_turns(_in_order(lists))
    return lists if are_names or is_capital or are_numbered else []


def _only_timed_list(value: Any) -> Any:
    """Return the only list of turns in an object; any other value unchanged."""
    parts = value.values() if isinstance(value, dict) else ()
    lists = [part for part in parts if part and _are_timed(part)]
    return lists[0] if len(lists) == 1 else value


def _take_turns(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if hardly any turn begins before the end of the one before it.

    >>> turns = [{"start": n, "end": n + 1} for n in range(9)]
    >>> _take_turns(turns), _take_turns([turn for turn in turns for _ in "ab"])
    (True, False)
    """
    starts = list(map(_start_of, rows))
    ends = [
        next((time_number(row[n]) for n in row if role_of_time(n) == "end"), None) for row in rows
    ]
    pairs = [(end, start) for end, start in zip(ends, starts[1:], strict=False)]
    taken = sum(end is not None and start is not None and end <= start for end, start in pairs)
    return taken >= SHARE_OF_TURNS * len(pairs) > 0


def _are_timed(rows: Any) -> bool:
    """Return True for a list of objects with a text and a start, but no speaker."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return False
    names = {name_without_unit(name) for row in rows for name in row}
    has_start = all(any(is_start(name) or _span_in(row, name) for name in row) for row in rows)
    return has_start and all(map(has_text, rows)) and names.isdisjoint(SPEAKERS)


def _start_of(row: Mapping[str, Any]) -> float | None:
    """Return the start of a turn in its unit of time, or `None`."""
    spans = (span[0] for name in row if (span := _span_in(row, name)))
    return time_number(next(chain(spans, (row[name] for name in row if is_start(name))), None))


def _span_in(row: Mapping[str, Any], name: str) -> list[Any]:
    """Return the start and the end that a member has as a list or as a text, else an empty list."""
    value = row[name]
    if isinstance(value, list):
        return value if name_without_unit(name) in PAIRS and is_pair(value) else []
    return list(times_of_span(value))


def _in_order(
    lists: Sequence[tuple[Any, list[Any]]], role: str = "speaker"
) -> list[dict[str, Any]]:
    """Return the turns of all speakers or channels, sorted by start if all starts are known."""
    turns = [{role: label, **row} for label, rows in lists for row in rows]
    starts = [_start_of(turn) for turn in turns]
    if None in starts:
        return turns
    order = sorted(range(len(turns)), key=lambda number: starts[number] or 0)
    return [turns[number] for number in order]


def turns_of_parties(value: Any, speakers: dict[str, None], levels: int = DEEPEST) -> Any:
    """Replace each object that holds the texts of several parties by one turn per party.

    Names of questions and answers are added to `speakers`: either may be no speech.

    >>> for turn in turns_of_parties([{"user": "so it is", "bot": "well then", "n": 1}], {}):
    ...     print(turn)
    {'n': 1, 'speaker': 'user', 'text': 'so it is'}
    {'n': 1, 'speaker': 'bot', 'text': 'well then'}
    """
    if not levels or not isinstance(value, (dict, list)) or not value:
        return value
    if isinstance(value, dict):
        inner = {name: turns_of_parties(part, speakers, levels - 1) for name, part in value.items()}
        return inner if any(inner[name] is not value[name] for name in inner) else value
    if not all(isinstance(row, dict) for row in value):
        return value
    if flag := flag_of_party(value):
        party = name_parts(flag)[1]
        return [{**row, "speaker": party if row.get(flag) else OTHER_PARTY} for row in value]
    names = dict.fromkeys(name for row in value for name in row)
    columns = {name: [row.get(name) for row in value] for name in names}
    parties = party_names(columns)
    others = (
        plain_name(name)[0] for name, column in columns.items()
        if name not in parties and not are_words_that_return(column)
    )  # fmt: skip
    if parties and KNOWN_TEXTS.isdisjoint(others):
        if PARTIES.isdisjoint(parties.values()):
            speakers.update(dict.fromkeys(parties))
        return [turn for row in value for turn in _turns_of(row, parties)]
    rows = [turns_of_parties(row, speakers, levels - 1) for row in value]
    return rows if any(map(ne, map(id, rows), map(id, value))) else value


def flag_of_party(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the member that is true in the turns of a party, such as ``isUser``; empty if none.

    >>> flag_of_party([{"text": "so it is", "isUser": True}, {"text": "well", "isUser": False}])
    'isUser'
    """
    first = rows[0] if rows else {}
    names = [name for name, value in first.items() if isinstance(value, bool)]
    flags = [n for n in names if (parts := name_parts(n))[:1] == ["is"] and parts[1:2] and
             parts[1] in PARTIES and len(parts) == 2]  # fmt: skip
    are_turns = len(flags) == 1 and all(map(has_text, rows)) and not likely_names("speaker", first)
    return flags[0] if are_turns and len({bool(row.get(flags[0])) for row in rows}) > 1 else ""


def _turns_of(row: dict[str, Any], parties: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a turn for each party whose text is in an object."""
    others = {name: value for name, value in row.items() if name not in parties}
    return [
        {**others, "speaker": party, "text": row[name]}
        for name, party in parties.items()
        if row.get(name)
    ]


def with_speakers(value: Any) -> Any:
    """Replace pairs (speaker, list) in an object by the list, with the speaker in each element.

    >>> with_speakers({"a.wav": ["Ann", [{"start": 0.5, "text": "so"}]]})
    {'a.wav': [{'start': 0.5, 'text': 'so', 'speaker': 'Ann'}]}
    """
    if not isinstance(value, dict) or not value or not all(map(_is_labelled, value.values())):
        return value
    return {key: [{**row, "speaker": name} for row in rows] for key, (name, rows) in value.items()}


def _is_labelled(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
        return False
    rows = value[1]
    return isinstance(rows, list) and all(
        isinstance(row, dict) and "speaker" not in row for row in rows
    )


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
    if inner is not value and _is_turn(inner):
        return [inner]
    if inner is not value:
        rows = as_rows(inner, names_of, is_mapped=is_mapped)
        return value if rows is inner else rows
    if not isinstance(value, dict) or len(value) < 2:
        return value
    members = list(value.values())
    times = [seconds_of(name) for name in value]
    if turns := _turns_of_times(value):
        return turns
    if not all(isinstance(member, dict) for member in members):
        parts = {
            name: as_rows(part, names_of) if isinstance(part, dict) and len(part) > 1 else part
            for name, part in value.items()
        }
        return parts if any(parts[name] is not value[name] for name in parts) else value
    lift_texts(members)
    names = names_of(members[:MOST_TRIED])
    has_spans = any(_span_in(members[0], name) for name in members[0])
    if names.text and not names.start and all(times) and not are_ids(value) and _go_on(list(value)):
        return [{"start": key, **member} for key, member in value.items()]
    if not (names.text and (is_mapped or names.start or names.speaker or has_spans)):
        return value
    starts = [time_number(row.get(name)) for row in members for name in names.start[:1]]
    known = [start for start in starts if start is not None]
    # times in no order are those of several recordings
    key_name = "id" if known == sorted(known) or len(known) < len(members) else KEY
    return [{key_name: key, **member} for key, member in value.items()]


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


def _turns_of_times(value: Any) -> list[dict[str, Any]]:
    """Return the turns of an object of texts whose names are times or spans; else an empty list.

    >>> _turns_of_times({"0:01": "so it is", "0:05": "no"})
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


def is_said_of_speaker(name: str) -> bool:
    """Return True for the name of a speaker that hardly means anything else."""
    return name_without_unit(name) in SURE_SPEAKERS


def is_code(name: str) -> bool:
    """Return True if a name has the form of a code of a language, such as ``en`` or ``pt-BR``."""
    return CODE.match(name) is not None
