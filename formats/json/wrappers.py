"""Values of JSON without objects that only wrap others."""

from __future__ import annotations

import re
from collections import Counter
from operator import ne
from typing import Any

from formats.json.columns_as_rows import with_numbered, with_rows
from formats.json.row_kinds import with_head, with_span, without_others
from formats.json.turn_members import (
    ALTERNATIVES,
    KNOWN_TEXTS,
    is_turn,
    joined_with_marks,
    lift_texts,
    start_of,
    with_turns_within,
)
from formats.reading.member_names import name_without_unit
from formats.reading.tagged_turns import tagged_turns
from formats.reading.time_values import number_of

DEEPEST_WRAPPED = 20
"""Levels of lists and objects in which wrapped objects are looked for."""
WRAPPED_TEXTS = ("runs", "simpleText")
"""Members of the objects in which YouTube's pages have a text: its pieces, or all of it."""
OPENED = re.compile(r"\s{0,20}\[\s{0,20}\{\s{0,20}\"")
"""The beginning of a text that may be a list of objects in JSON."""
GAP = "__"
"""The sign of a gap in an exercise."""
TREE, CURRENT = "mapping", "current_node"
"""Members of a talk with a model: the messages as a tree, and the id of the last of them."""
SENTENCES, TEXT_KEYS = ("s", "seg"), ("_", "#text", "__text", "text")
"""Names of the sentences of a turn in objects converted from XML, and of their texts."""
ROLES_OF_TURN = frozenset(("who", "speaker", "start", "begin", "spk"))
PARTS, ROLE = "parts", "role"
"""The texts of a message of a chat with a model, and who it is from."""
ATTRIBUTES, CONTENT = "$", "_"
"""Members of objects converted from XML: the attributes, and the text of the element."""
WRAPPER = "Renderer"
"""The end of the names of the objects that wrap others in YouTube's pages."""


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
        elements = with_turns_within(elements)
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
    value = _without_gaps(with_numbered(value), dropped)
    value = with_span(_with_sentences(_with_timed_words(value)))
    parts = {name: unwrapped(_opened(part), dropped, levels - 1) for name, part in value.items()}
    return parts if any(parts[name] is not value[name] for name in parts) else value


def _opened(value: Any) -> Any:
    """Return the turns in a text that is JSON itself; any other value unchanged.

    >>> _opened('[{"text": "so", "start": 1}]'), _opened('[{"text": "so"}]')
    ([{'text': 'so', 'start': 1}], '[{"text": "so"}]')

    Turns may be between tags, too.

    >>> _opened("[USER]so[/USER]")
    [{'speaker': 'USER', 'text': 'so'}]
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "<"):
        value = tagged_turns(value) or value
    if not isinstance(value, str) or not OPENED.match(value):
        return value
    import json

    try:
        rows = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return rows if isinstance(rows, list) and rows and all(map(is_turn, rows)) else value


def _without_gaps(value: dict[str, Any], dropped: Counter[str]) -> dict[str, Any]:
    """Return an object without its exercises: lists of turns with gaps, beside a list of turns.

    `dropped` counts the turns with gaps by the names of their lists.

    >>> lines = [{"speaker": "Ann", "text": "so it is"}], [{"speaker": "Ann", "text": "so it ___"}]
    >>> _without_gaps({"lines": lines[0], "blanks": lines[1]}, Counter())
    {'lines': [{'speaker': 'Ann', 'text': 'so it is'}]}
    """
    turns = [
        name for name, part in value.items()
        if isinstance(part, list) and part and all(map(is_turn, part))
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
            {"word": piece[key], "start_ms": (start or 0) + (start_of(piece) or 0)}
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
    of_model = [PARTS] if ROLE in value and PARTS in value else []
    names = [name for name in SENTENCES if name in value] or of_model
    plain = {name_without_unit(name) for name in value}
    has_role = bool(of_model) or not plain.isdisjoint(ROLES_OF_TURN)
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
    is_alone = len(values) == 1 and not is_turn(values[0][kind])
    if not are_renderers and (is_mixed or is_alone):
        return values
    if not all(isinstance(part, dict) for value in values for part in value.values()):
        return values
    if count < len(values):
        dropped.update({name: number for name, number in kinds.items() if name != kind})
    return [value[kind] for value in values if kind in value]


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
