"""Texts of JSON whose names or places say what they are: titles above texts, talks as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formats.json.speakers_as_turns import LINE, turns_of_lines
from formats.json.turn_members import KNOWN_TEXTS, NO_TITLES, is_code
from formats.reading.member_names import NAMES, name_parts, name_without_unit
from formats.reading.member_values import kinds_of_turns
from formats.reading.time_values import word_count

FEWEST_TITLED, LEAST_WORDS, LEAST_ON_AVERAGE = 2, 8, 20
"""The fewest texts with titles, and the fewest words of each and on average."""
MOST_OTHERS = 0.15
"""The share of names that are no titles, such as ``Notes``."""
ROLES = frozenset(name for names in NAMES.values() for name in names.plain)
ABOUT = frozenset(
    ("summary", "abstract", "description", "title", "prompt", "system", "context", "answer",
     "question", "instruction", "instructions", "input", "output", "explanation", "note", "notes",
     "comment", "comments", "bio", "url", "license", "error", "message")
)  # fmt: skip
"""Parts of names of texts that are no titles: they say what the text is."""
TALK = "turns"


def titled_texts(top: Sequence[Any]) -> list[dict[str, str]]:
    """Return the titles and texts of a map of long texts, alone or beside labels; else [].

    The rows whose names are no titles, such as notes, have no text.

    >>> scene = "so it is and so it was, and nobody knew where the van was parked in the end"
    >>> songs = {"cast": ["Ann"], "songs": {"Our van": f"{scene} {scene}", "No van": f"{scene} no"}}
    >>> [row["title"] for row in titled_texts([songs])], titled_texts([{"text": scene}])
    (['Our van', 'No van'], [])
    """
    value = top[0] if len(top) == 1 else None
    if not isinstance(value, dict):
        return []
    if _has_titles(value):
        return _rows_of(value)
    maps = [part for part in value.values() if isinstance(part, dict) and _has_titles(part)]
    others = [part for part in value.values() if not (maps and part is maps[0])]
    if len(maps) != 1 or not all(map(_is_label, others)):
        return []
    return _rows_of(maps[0])


def _rows_of(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Return a row for each text; names that are no titles have no text."""
    return [
        {"title": name, **({"text": text} if _may_be_title(name) else {})}
        for name, text in texts.items()
    ]


def _has_titles(value: Mapping[str, Any]) -> bool:
    """Return True if all members are long texts, and their names may be titles."""
    texts = list(value.values())
    if len(texts) < FEWEST_TITLED or not all(isinstance(text, str) for text in texts):
        return False
    counts = list(map(word_count, texts))
    are_long = min(counts) >= LEAST_WORDS and sum(counts) >= LEAST_ON_AVERAGE * len(counts)
    others = [name for name in value if not _may_be_title(name)]
    return are_long and len(others) <= MOST_OTHERS * len(value)


def _may_be_title(name: str) -> bool:
    """Return True if a name may be the title of a text, and means nothing else.

    >>> _may_be_title("SCENE I. A road."), _may_be_title("user_text"), _may_be_title("Summary")
    (True, False, False)
    """
    plain = name_without_unit(name)
    is_known = plain in ROLES or plain in NO_TITLES or plain in KNOWN_TEXTS
    is_known = is_known or plain in kinds_of_turns() or not ABOUT.isdisjoint(name_parts(name))
    is_written = " " in name.strip() or not name[:1].islower()
    return bool(name.strip()) and is_written and not (is_known or is_code(name))


def _is_label(value: Any) -> bool:
    """Return True for a number or a short text, and for a list of these."""
    if isinstance(value, list):
        return all(map(_is_label, value))
    return not isinstance(value, dict) and (
        not isinstance(value, str) or word_count(value) < LEAST_ON_AVERAGE
    )


def talks_of_lines(value: Any) -> Any:
    """Return a list of talks, each a list of lines with names, as objects; others unchanged.

    Each talk is the first element of a list. The other elements, such as relations, are not read.

    >>> lines = ["Ann: so it is", "Ben: well then"]
    >>> talks_of_lines([[lines, [{"r": ["x"]}]], [lines, []]])[1]
    {'turns': [{'speaker': 'Ann', 'text': 'so it is'}, {'speaker': 'Ben', 'text': 'well then'}]}
    """
    is_alone = isinstance(value, list) and len(value) == 1
    if not isinstance(value, list) or not value:
        return value
    if is_alone and not (isinstance(value[0], list) and len(value[0]) > 1):
        return value  # a list of lines
    talks = [part[0] if isinstance(part, list) and part else None for part in value]
    if not all(isinstance(talk, list) and talk for talk in talks):
        return value
    lines = [line for talk in talks if talk for line in talk]
    if not turns_of_lines(lines):
        return value
    return [{TALK: [_turn_of(line) for line in talk or ()]} for talk in talks]


def _turn_of(line: str) -> dict[str, str]:
    """Return the speaker and the text of a line with a name."""
    match = LINE.match(line)
    return {"speaker": match[1].strip(), "text": match[2]} if match else {"text": line}
