"""Conversion of JSON with unusual nesting to a plain list of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from formats.json.columns_as_rows import TURN, is_said, rows_of_columns, rows_of_lists
from formats.json.row_kinds import SPEAKERS, has_text
from formats.json.speakers_as_turns import turns_of_parties, turns_of_speakers, with_speakers
from formats.json.turn_members import join_languages
from formats.reading.member_names import name_without_unit
from formats.reading.member_values import is_speech_mark
from formats.reading.time_values import word_count

FEWEST_WORDS_OF_TURNS = 2
"""The fewest words of turns on average; texts of one word may be names."""


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
    return turns_of_parties(with_speakers(turns_of_speakers(value, speakers)), speakers)


def name_turns(value: Any) -> Any:
    """Return turns with their words in ``turn`` as turns with a text; others unchanged.

    Each has a speaker, and no other text; numbers of turns are no words.

    >>> name_turns([{"role": "Expert", "turn": ["so it is,", "I think"]}])
    [{'role': 'Expert', 'text': 'so it is, I think'}]
    >>> name_turns([{"role": "Expert", "turn": "7"}])
    [{'role': 'Expert', 'turn': '7'}]
    """
    rows = value if isinstance(value, list) else []
    if not rows or not all(isinstance(row, dict) and is_said(row.get(TURN)) for row in rows):
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
