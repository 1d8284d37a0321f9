"""Lines of the fields and turns of dialogues, as corpora and tools write them, as JSON lines.

====================================================  ==========================================
lines                                                 read as
====================================================  ==========================================
``text:so it is``, a tab, ``id:7`` (LTSV)             objects with these names
``text:so``, a tab, ``labels:no`` (ParlAI)            turns; ``episode_done:True`` ends a dialogue
``1 so it is``, a tab, ``well, no`` (bAbI, Persona)   turns; the number 1 begins a dialogue
``so it is __eou__ well, no __eou__``                 turns; each line is a dialogue
``L1 +++$+++ u0 +++$+++ m0 +++$+++ ANN +++$+++ so``   a turn of Ann
====================================================  ==========================================
"""

from __future__ import annotations

from itertools import pairwise

from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    Fields: TypeAlias = dict[str, str]

FIELD = lazy_pattern(r"([a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){0,3}):(?![/\\]{2})(.*)\Z")
"""A field: a name without blanks and capitals, and its value."""
TURN, RECORDING = "conversation_id", "recording"
"""Members of turns with speakers and of turns without, whose numbers count through the text."""
TEXT, REPLIES, LAST = "text", ("labels", "eval_labels"), "episode_done"
"""The fields of a dialogue in ParlAI: what was said, the reply, and whether it is the last."""
OF_TABLES = frozenset((TEXT, "transcript", "transcription", "sentence"))
"""Names of texts in lines that all have the same fields, which the reader of tables reads."""
LEAST = 0.6
"""The share of lines that have several fields; others may lack the optional ones."""
NUMBERED = lazy_pattern(r"([0-9]{1,4})[ ](\S.*)\Z")
SILENT = "<SILENCE>"
"""What nobody said, in bAbI's dialogues."""
END_OF_TURN, SEPARATOR = "__eou__", " +++$+++ "
ENDS = lazy_pattern("__eo[ut]__")
OF_FILM = ("id", "character", TURN, "speaker", "text")
"""The fields of a line in the corpus of dialogues from films."""


def labelled_as_json(text: str) -> str:
    r"""Convert lines of fields or turns to JSON lines; return any other text unchanged.

    >>> labelled_as_json("user:So it is.\tbot:Well, no.\nuser:And so\\nit was.\tbot:No.")
    '{"user": "So it is.", "bot": "Well, no."}\n{"user": "And so\\nit was.", "bot": "No."}'
    """
    import json

    first = text.lstrip().partition("\n")[0]
    if not ("\t" in first or END_OF_TURN in first or SEPARATOR in first or first[:2] == "1 "):
        return text
    filled = [plain for line in text.split("\n") if (plain := line.strip("\r "))]
    if END_OF_TURN in first:
        rows = _parts_of(filled)
    elif SEPARATOR in first:
        rows = _lines_of_film(filled)
    elif first[:2] == "1 ":
        rows = _numbered_turns(filled)
    elif ":" in first.partition("\t")[0] and "\t" in first:
        rows = _rows_of_fields(filled)
    else:
        return text
    values = [json.dumps(row, ensure_ascii=False) for row in rows]
    are_turns = rows != [] and not {TURN, RECORDING}.isdisjoint(rows[0])
    return "[" + ",\n".join(values) + "]" if are_turns else "\n".join(values) or text


def _parts_of(lines: Sequence[str]) -> list[Fields]:
    """Return the turns of lines with a sign behind each turn; a line is a dialogue."""
    talks = [[part for part in map(str.strip, ENDS.split(line)) if part] for line in lines]
    if sum(len(talk) > 1 for talk in talks) < LEAST * len(talks):
        return []
    return [
        {RECORDING: str(number), "text": part}
        for number, talk in enumerate(talks, 1) for part in talk
    ]  # fmt: skip


def _lines_of_film(lines: Sequence[str]) -> list[Fields]:
    """Return the rows of lines with five fields; empty if most have others."""
    rows = [[part.strip() for part in f"{line} ".split(SEPARATOR)] for line in lines]
    whole = [row for row in rows if len(row) == len(OF_FILM)]
    return [dict(zip(OF_FILM, row, strict=True)) for row in whole] if whole == rows else []


def _numbered_turns(lines: Sequence[str]) -> list[Fields]:
    r"""Return the turns of lines with numbers, a text and the reply behind a tab; else [].

    Nothing names the two speakers. Other lines are what the dialogue is about.

    >>> _numbered_turns(["1 your persona: old", "2 so\tno\t\tyes|no"])[1]["text"]
    'so'
    >>> _numbered_turns(["1 so it is", "2 well, no"])
    []
    """
    numbered = [NUMBERED.match(line) for line in lines]
    matches = [match for match in numbered if match]
    counts = [int(match[1]) for match in matches]
    is_counted = all(b in (1, a + 1) for a, b in pairwise(counts))
    replies = sum("\t" in match[2] for match in matches)
    if len(matches) < len(lines) or not is_counted or replies < LEAST * len(lines) / 2:
        return []
    turns: list[Fields] = []
    talk = 0
    for match in matches:
        talk += match[1] == "1"
        parts = match[2].split("\t")[:2]
        kinds = ("message",) * 2 if len(parts) > 1 else ("description",)
        turns += [
            {TURN: str(talk), "type": kind, "speaker": side, "text": part.strip()}
            for kind, side, part in zip(kinds, ("A", "B"), parts, strict=False)
            if part.strip() and part.strip() != SILENT
        ]
    return turns


def _rows_of_fields(lines: Sequence[str]) -> list[Fields]:
    """Return the objects of lines of named fields, or their turns in ParlAI; else []."""
    rows = list(map(_fields, lines))
    first = next(iter(rows[0]), "") if rows else ""
    has_several = sum(len(row) > 1 for row in rows) >= LEAST * len(rows)
    if not (first and has_several and all(next(iter(row), "") == first for row in rows)):
        return []
    if first == TEXT and any(name in row for row in rows for name in REPLIES):
        return _turns_of(rows)
    is_table = len({*map(tuple, rows)}) == 1 and not OF_TABLES.isdisjoint(rows[0])
    return [] if is_table else rows


def _turns_of(rows: Sequence[Mapping[str, str]]) -> list[Fields]:
    """Return the turns of dialogues whose rows have a text and the reply to it, as in ParlAI.

    The text of a row may repeat the reply of the row before.

    >>> rows = [{"text": "so", "labels": "no"}, {"text": "no", "labels": "yes"}]
    >>> [(turn["speaker"], turn["text"]) for turn in _turns_of(rows)]
    [('text', 'so'), ('labels', 'no'), ('text', 'yes')]
    """
    turns: list[Fields] = []
    sides = (TEXT, next(name for name in REPLIES if any(name in row for row in rows)))
    number, texts = 1, list[str]()
    for row in rows:
        parts = [row.get(side, "") for side in sides]
        texts += [part for part in parts[texts[-1:] == parts[:1] :] if part.strip()]
        if row.get(LAST, "").strip() == "True" or row is rows[-1]:
            turns += [
                {TURN: str(number), "speaker": sides[n % 2], "text": part}
                for n, part in enumerate(texts)
            ]
            number, texts = number + 1, []
    return turns


def _fields(line: str) -> Fields:
    r"""Return the fields of a line by name; empty if a part between tabs has no name.

    >>> _fields("text:so\t id:7\r"), _fields("text:so\tid 7")
    ({'text': 'so', 'id': '7'}, {})
    """
    matches = [FIELD.match(part.strip()) for part in line.split("\t") if part.strip()]
    fields = {match[1]: match[2].replace(r"\n", "\n") for match in matches if match}
    return fields if len(fields) == len(matches) else {}
