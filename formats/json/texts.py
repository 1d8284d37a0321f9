"""JSON documents of texts: lists, objects with a text per id, and lists of lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import nan
from typing import Any, NamedTuple

from formats.io.source import without_media
from formats.reading.dates import seconds_of_date
from formats.reading.member_names import (
    NAMES,
    name_without_unit,
    plain_name,
    role_of_time,
    text_among,
    time_role,
)
from formats.reading.time_values import FASTEST, SLOWEST, seconds_of, time_number, word_count
from formats.schema import lazy_pattern

SPAN_OF_SECONDS = lazy_pattern(r"[0-9]{1,6}\.[0-9]{1,9} ?[-–] ?[0-9]{1,6}\.[0-9]{1,9}\Z", re.ASCII)
"""A start and an end with fractions, as the name of a text."""
LEAST_IDS = 5
"""The fewest names of which half may have no sign of an identifier."""
SPEAKERS = frozenset(NAMES["speaker"].plain)
OF_LISTS = frozenset(
    ("segments", "sentences", "utterances", "lines", "paragraphs", "captions", "lyrics", "verses",
     "transcript", "transcription", "text", "dialogue")
)  # fmt: skip
"""Names of the one list of texts in an object."""
NUMBER_BEHIND = lazy_pattern(r"[0-9]{1,3}\Z")
"""The number of one of several lists."""
LISTS_OF_TALKS = frozenset(("conversations", "dialogues", "dialogs"))
"""Names of lists of talks, each a list of its texts."""
MOST_PLACES = 4
"""The most elements of lists that may be turns, such as a speaker, times and a text."""
MOST_JOINED = 0.8
"""The share of words of texts that are put together of turns."""
LEAST_WORDS = 2
"""The fewest words of a text on average; of fewer they are labels, numbers or names."""


FEWEST_CLIPS = 3
"""The fewest audio files with words."""


class Text(NamedTuple):
    """An utterance: a text and an optional id."""

    id: str | None
    text: str


def texts_of(top: Sequence[Any]) -> list[Text]:
    """Return the texts of a document that consists only of texts; otherwise an empty list.

    Single words (``red``) and objects with several names (``title``, ``by``) are no texts.

    >>> texts_of([["good morning", "how are you"]])
    [Text(id=None, text='good morning'), Text(id=None, text='how are you')]
    >>> texts_of([{"u1": "good morning", "u2": "how are you"}])[1]
    Text(id='u2', text='how are you')
    >>> texts_of([["red", "green"]]), texts_of([{"title": "my new talk", "by": "Ann Example"}])
    ([], [])
    """
    value: Any = _only_list(_joined(_talks_in(top[0]))) if len(top) == 1 else None
    texts: list[Text] = []
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        texts = [Text(None, text) for text in value]
    elif isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
        texts = [Text(*pair) for pair in value.items()] if are_ids(value) else []
    are_links = any("://" in text.text and " " not in text.text.strip() for text in texts)
    words = sum(word_count(text.text) for text in texts)
    is_speech = (words >= LEAST_WORDS * len(texts) or _are_clips(texts)) and not are_links
    is_file = len(texts) == 1 and without_media(texts[0].id or "") != texts[0].id
    return texts if is_speech and (len(texts) > 1 or is_file or isinstance(value, list)) else []


def _are_clips(texts: Sequence[Text]) -> bool:
    """Return True if texts, perhaps single words, belong to audio files, and hardly any returns.

    >>> _are_clips([Text(f"{word}.wav", word) for word in ("go", "stop", "left")])
    True
    >>> _are_clips([Text(f"{n}.wav", word) for n, word in enumerate(("sad", "glad", "sad"))])
    False
    """
    are_files = all(text.id and without_media(text.id) != text.id for text in texts)
    is_varied = 10 * len({text.text for text in texts}) >= 9 * len(texts)
    return are_files and len(texts) >= FEWEST_CLIPS and is_varied


def starts_of(texts: Sequence[Text]) -> list[int]:
    """Return the seconds that the ids of texts are, if the texts have the pace of speech."""
    ids = [text.id or "" for text in texts]
    if len(ids) <= LEAST_IDS or ids[0].strip("0") or not all(map(str.isdecimal, ids)):
        return []
    starts = list(map(int, ids))
    steps = [b - a for a, b in pairwise(starts)]
    paces = [
        step > 0 and SLOWEST * step <= word_count(text.text) <= FASTEST * step
        for step, text in zip(steps, texts, strict=False)
    ]
    return starts if all(step > 0 for step in steps) and len({*steps}) > 2 and all(paces) else []


def _joined(value: Any) -> Any:
    """Return the texts of lists of texts as one list; any other value unchanged.

    Short lists of one length are turns, such as a speaker and a text.

    >>> _joined([["so it is", "well then"], ["no"]]), _joined([["Ann", "so it is"]] * 2)
    (['so it is', 'well then', 'no'], [['Ann', 'so it is'], ['Ann', 'so it is']])
    """
    are_lists = isinstance(value, list) and value and all(isinstance(v, list) for v in value)
    sizes = {*map(len, value)} if are_lists else {0}
    is_open = len(sizes) == 1 and max(sizes) <= MOST_PLACES
    return value if not are_lists or is_open else [text for texts in value for text in texts]


def _talks_in(value: Any) -> Any:
    """Return the texts of the talks in an object of talks, each a list of texts; others unchanged.

    >>> _talks_in({"categories": ["home"], "conversations": [["where is it", "there"]]})
    ['where is it', 'there']
    """
    members = value if isinstance(value, dict) else {}
    talks = [part for name, part in members.items() if name_without_unit(name) in LISTS_OF_TALKS]
    others = [
        part for name, part in members.items() if name_without_unit(name) not in LISTS_OF_TALKS
    ]
    are_labels = not any(isinstance(part, dict) or _is_of_objects(part) for part in others)
    are_talks = len(talks) == 1 and isinstance(talks[0], list) and are_labels
    if not are_talks or not all(isinstance(talk, list) and len(talk) > 1 for talk in talks[0]):
        return value
    texts = [text for talk in talks[0] for text in talk]
    return texts if texts and all(isinstance(text, str) for text in texts) else value


def _only_list(value: Any) -> Any:
    """Return the only list of texts in an object; any other value unchanged."""
    members = value if isinstance(value, dict) else {}
    lists = {
        name: part for name, part in members.items()
        if isinstance(part, list) and len(part) > 1 and _are_texts(part)
    }  # fmt: skip
    bases = {NUMBER_BEHIND.sub("", name_without_unit(name)) for name in lists}
    if len(lists) > 1 and len(lists) == len(members) and bases <= OF_LISTS and len(bases) == 1:
        return [text for texts in lists.values() for text in texts]
    if len(lists) != 1 or text_name(value):
        return value
    (name, texts), *_ = lists.items()
    sizes = [len(member) for member in members.values() if isinstance(member, list)]
    if sizes.count(len(texts)) > 1:
        return value  # lists of one length are the columns of a table
    is_named = name_without_unit(name) in OF_LISTS or len(members) == 1
    return texts if is_named else value


def _are_texts(values: list[Any]) -> bool:
    """Return True if all values are texts, each with several words."""
    return all(isinstance(text, str) and word_count(text) >= LEAST_WORDS for text in values)


def are_ids(names: Iterable[str]) -> bool:
    """Return True if all names look like ids.

    If there are many names and none has a colon, half of them are enough.

    >>> are_ids(["u1", "u2"]), are_ids(["title", "body"])
    (True, False)
    """
    signs = [_is_id(name) for name in names]
    is_many = len(signs) >= LEAST_IDS and not any(":" in name for name in names)
    return all(signs) or (is_many and 2 * sum(signs) >= len(signs))


def _is_id(name: str) -> bool:
    """Return True if a name looks like an id: it has digits or is an audio file."""
    path = "/" in name and without_media(name) != name
    is_time = ":" in name or ("." in name and seconds_of(name) is not None)
    if not path and (is_time or SPAN_OF_SECONDS.match(name)):
        return False
    return any(map(str.isdigit, name)) or without_media(name) != name


def without_lists(value: Any, levels: int = 2) -> Any:
    """Flatten nested lists of objects; return any other value unchanged.

    A nested list of words becomes the words of a segment. Other nested lists are joined if their
    times do not decrease.

    >>> without_lists([[{"role": "a", "text": "hello there"}], [{"role": "b", "text": "hi"}]])
    [{'role': 'a', 'text': 'hello there'}, {'role': 'b', 'text': 'hi'}]
    >>> without_lists({"parts": [[{"word": "hi", "start": 0.5}]]})
    {'parts': [{'words': [{'word': 'hi', 'start': 0.5}]}]}

    If the texts of objects are only in nested lists of cues, the cues replace the objects.

    >>> without_lists([{"id": 1, "cues": [{"text": "good morning", "time": 444}]}])
    [{'id': 1, 'text': 'good morning', 'time': 444}]
    """
    if isinstance(value, dict) and levels:
        changed = {name: without_lists(inner, levels - 1) for name, inner in value.items()}
        return changed if any(changed[name] is not value[name] for name in value) else value
    if _is_of_objects(value):
        return _cues_in(value) or _turns_in(value) or value
    if not isinstance(value, list) or not all(map(_is_of_objects, value)):
        return value
    rows = [row for part in value for row in part]
    if not rows:
        return value
    plain = {plain_name(name)[0]: name for name in rows[0]}
    start = next((plain[name] for name in NAMES["start"].plain if name in plain), None)
    text = next((plain[name] for name in NAMES["text"].plain if name in plain), None)
    if text is None:
        return value
    if start is not None and all(len(str(row.get(text, "")).split()) == 1 for row in rows):
        return [{"words": part} for part in value]
    times = [] if start is None else [time_number(row.get(start)) for row in rows]
    known = [time for time in times if time is not None]
    is_ordered = len(known) == len(times) and all(a <= b for a, b in pairwise(known))
    return rows if is_ordered else value


def _cues_in(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the cues in lists inside objects without texts of their own; otherwise an empty list.

    If the objects have texts, the cues are returned only if they contain the words of these texts,
    and have speakers or starts that the objects lack.
    """
    lists = {name for row in rows for name, value in row.items() if isinstance(value, list)}
    if len(lists) != 1:
        return []
    name = lists.pop()
    if not all(name in row and _is_of_objects(row[name]) for row in rows):
        return []
    joined = sum(len(row[text].split()) for row in rows if (text := text_name(row)))
    cues = [cue for row in rows for cue in row[name]]
    text = text_name(cues[0]) if cues else ""
    if not text and cues and all(isinstance(cue.get("words"), list) for cue in cues):
        text = "words"
        words = sum(len(cue["words"]) for cue in cues)
    else:
        words = sum(len(str(cue.get(text, "")).split()) for cue in cues)
    has_start = any(plain_name(member)[0] in NAMES["start"].plain for cue in cues for member in cue)
    if not text or not has_start or words < LEAST_WORDS * len(cues):
        return []
    has_speakers = all(SPEAKERS.intersection(map(name_without_unit, cue)) for cue in cues)
    if has_speakers and not joined and _do_times_begin_again([row[name] for row in rows]):
        return []  # talks, each of which is a recording
    if joined:
        has_more = has_speakers or not any(role_of_time(n) == "start" for row in rows for n in row)
        return cues if has_more and words >= MOST_JOINED * joined else []
    return [
        {**{n: v for n, v in row.items() if n != name}, **cue} for row in rows for cue in row[name]
    ]


def _do_times_begin_again(lists: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
    """Return True if the times of each list begin before those of the list above end: talks.

    >>> talk = [{"by": "Ann", "text": "so it is", "time": 5}, {"text": "and so", "time": 9}]
    >>> _do_times_begin_again([talk, talk]), _do_times_begin_again([talk[:1], talk[1:]])
    (True, False)
    """
    start = next((name for name in (lists[0] or [{}])[0] if role_of_time(name) == "start"), "")
    if not start or min(map(len, lists)) < 2 or len(lists) < 2:
        return False
    ends = [(_time_in(cues[0], start), _time_in(cues[-1], start)) for cues in lists]
    return all(first < last for (_, last), (first, _) in pairwise(ends))


def _time_in(cue: Mapping[str, Any], name: str) -> float:
    """Return the time of a cue in any unit, or no number."""
    date = seconds_of_date(cue.get(name))
    time = time_number(cue.get(name)) if date is None else date
    return nan if time is None else float(time)


def _turns_in(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the turns in lists inside objects, if they have times but no texts; otherwise [].

    Each turn gets the other members of its object, such as the speaker.

    >>> _turns_in([{"person": 1, "turns": [{"start": 0.5, "end": 1.5}]}])
    [{'person': 1, 'start': 0.5, 'end': 1.5}]
    """
    lists = {name for row in rows for name, value in row.items() if isinstance(value, list)}
    if len(lists) != 1:
        return []
    name = lists.pop()
    speakers = [member for member in rows[0] if plain_name(member)[0] in SPEAKERS]
    held = [(row, span) for row in rows if isinstance(row.get(name), list) for span in row[name]]
    spans = [span for _, span in held]
    roles = {"start", "end"}
    has_spans = bool(spans) and all(
        isinstance(span, dict) and roles <= {*map(time_role, span)} for span in spans
    )
    has_texts = any(isinstance(v, str) for s in spans if has_spans for v in s.values())
    if not (speakers and has_spans) or has_texts:
        return []
    return [{speakers[0]: row.get(speakers[0]), **span} for row, span in held]


def text_name(row: Mapping[str, Any]) -> str:
    """Return the first member of an object whose name means a text; empty if there is none."""
    texts = {plain_name(name)[0]: name for name, value in row.items() if isinstance(value, str)}
    if "title" in texts:
        texts.pop("subtitle", None)
    usual = next((texts[name] for name in NAMES["text"].plain if name in texts), "")
    return usual or text_among(texts.values())


def _is_of_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)
