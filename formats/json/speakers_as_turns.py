"""Turns of JSON that groups texts by their speakers, channels or parties."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import ne
from typing import Any

from formats.json.maps_as_rows import turns_of_times
from formats.json.row_kinds import SPEAKERS, has_text
from formats.json.texts import text_name
from formats.json.turn_members import (
    DEEPEST,
    FEWEST_WORDS,
    KNOWN_TEXTS,
    are_timed,
    in_order,
    is_code,
    may_be_title,
    start_of,
)
from formats.manifests.kinds_of_rows import WORD_LISTS
from formats.reading.member_names import (
    MOST_TRIED,
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
    is_speaker,
    is_wording,
    kind_of_turn,
    party_names,
    party_of_kind,
)
from formats.reading.speakers import is_label
from formats.reading.time_values import time_number, word_count

FEWEST_OF_SENTENCE = 5
"""The fewest words of a text that is everything a speaker says."""
LINE = re.compile(r"([^:\n]{1,40}):\s+(\S.*)\Z", re.DOTALL)
"""A text with the name of its speaker before it."""
NUMBERED = re.compile(r"([^\W\d_](?:[^\d\n]{0,40}[^\W\d_])?)[ _#-]{0,2}([0-9]{1,4})[a-z]?\Z")
"""The name of a person and a number, perhaps with a letter: ``Ann_1``, ``Ann_7b``."""
MOST_OF_NAME = 3
FEWEST_LINES = 3
SHARE_OF_TURNS = 0.9
"""The share of turns that begin after the end of the one before, of speakers of one talk."""
NAMES_OF_TIERS = ("name", "tier", "tier_name", "tierName", "tier_id", "tierId", "id", "label")
"""Members that name a tier, the likeliest first."""
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


def turns_of_speakers(value: Any, speakers: dict[str, None], levels: int = DEEPEST) -> Any:
    """Return the value with one list of turns in place of a list of turns per speaker.

    Speakers are objects with a speaker's name and one list of turns, or members of an object. The
    turns get the speaker, and are in the order of their times. Names of members with texts alone
    are added to `speakers`.

    >>> turns = {"start": 5, "text": "so"}, {"start": 1, "text": "no"}
    >>> turns_of_speakers([{"speaker": "A", "turns": [turns[0]]},
    ...                     {"speaker": "B", "turns": [turns[1]]}], {})[0]
    {'speaker': 'B', 'start': 1, 'text': 'no'}
    >>> turns_of_speakers({"agent": [turns[0]], "customer": [turns[1]]}, {})[0]
    {'speaker': 'customer', 'start': 1, 'text': 'no'}
    """
    if not levels or not isinstance(value, (dict, list)) or not value:
        return value
    if isinstance(value, list):
        turns = in_order(_spoken_lists(value)) or _turns_by_name(value) or turns_of_lines(value)
        turns = turns or lines_of_people(value)
        return turns or _with_spoken_parts(value, speakers, levels - 1)
    if lists := _lists_of_speakers(value):
        return in_order(lists)
    if turns := lines_of_people(value) or lines_of_people([value], is_alone=True):
        return turns
    if levels == DEEPEST and (turns := turns_of_numbered_names(value)):
        speakers.update(dict.fromkeys(turn["speaker"] for turn in turns))
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
        or turns_of_times(part)
        or (lines_of_people(part, name) if isinstance(part, (dict, list)) else [])
        or turns_of_speakers(part, speakers, levels - 1)
        for name, part in value.items()
    }
    return inner if any(inner[name] is not value[name] for name in inner) else value


def lines_of_people(
    value: Any, around: str = "", *, is_alone: bool = False
) -> list[dict[str, Any]]:
    """Return a turn for each line of persons, each of whom has a name and lines; else `[]`.

    Lines are texts, or objects with a text alone. The persons are in a list, or in an object under
    their names; `around` is the name of the list or the object. If `is_alone`,
    one person with a name in capitals is enough.

    >>> guard = {"name": "Guard", "dialogue": ["Who is it?", "Move along."]}
    >>> lines_of_people([guard, {"name": "Smith", "dialogue": {"hello": "Well met."}}])[1:]
    [{'speaker': 'Guard', 'text': 'Move along.'}, {'speaker': 'Smith', 'text': 'Well met.'}]
    >>> lines_of_people([{"name": "A song", "lines": ["So it is", "so it was"]}])
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
        if is_alone and not (isinstance(name, str) and _may_be_person(name)):
            return []
        if not texts or not isinstance(name, str) or not any(map(str.isalpha, name)):
            return []
        turns += ({"speaker": name, "text": text} for text in texts)
    words = sum(word_count(turn["text"]) for turn in turns)
    return turns if (len(people) > 1 or is_alone) and words >= LEAST_OF_LINES * len(turns) else []


def _texts_of_lines(value: Any) -> list[str]:
    """Return the texts of a list or an object of texts, or of objects with texts alone; or `[]`."""
    values = [*value.values()] if isinstance(value, dict) else value
    texts: list[str] = []
    for line in values if isinstance(values, list) else ():
        inner = line if isinstance(line, list) else [line]
        for each in inner:
            if isinstance(each, dict):
                if not text_name(each) and any(
                    part is None and name_without_unit(name) in KNOWN_TEXTS
                    for name, part in each.items()
                ):
                    continue  # a line whose text is made when it is said
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
    parts = [turns_of_speakers(value, speakers, levels) for value in values]
    return parts if any(map(ne, map(id, parts), map(id, values))) else values


def _turns_of_channels(name: str, value: Any) -> list[dict[str, Any]]:
    """Return the turns of an object with a list of turns per channel, in the order of their times.

    >>> turns = {"start": 5, "text": "so"}, {"start": 1, "text": "no"}
    >>> _turns_of_channels("channels", {"0": [turns[0]], "1": [turns[1]]})[0]
    {'channel': '1', 'start': 1, 'text': 'no'}
    """
    is_named = name_without_unit(name) in ("channel", "channels")
    lists = list(value.items()) if is_named and isinstance(value, dict) else []
    if len(lists) < 2 or not all(turns == [] or are_timed(turns) for _, turns in lists):
        return []
    return in_order(lists, "channel")


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
        rows = [part for part in tier.values() if are_timed(part) and part] if names else []
        if len(rows) != 1 or is_level(str(names[0])):
            return []
        lists.append((names[0], rows[0]))
        starts += map(start_of, rows[0])
    return in_order(lists) if 2 * len({*starts}) > len(starts) else []


def _turns_by_name(values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return turns for objects with only a speaker's name and a text; otherwise an empty list.

    Names begin with a capital letter or are labels, and each occurs twice on average, or nearly so.

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
    returns = (
        1 < len(names) <= (len(pairs) + 1) / 2
        and len(names) < len(pairs)
        and not are_fields(name for name, _ in pairs)
    )
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


def turns_of_numbered_names(value: Any) -> list[dict[str, str]]:
    """Return the turns of an object whose names are persons with numbers that count up; else `[]`.

    Several persons have texts, at least one of them several times.

    >>> turns_of_numbered_names({"Ann_1": ["so it is"], "Ben_1": ["well then"], "Ann_2": ["no"]})[2]
    {'speaker': 'Ann', 'text': 'no'}
    >>> turns_of_numbered_names({"Part_1": ["so it is"], "Part_2": ["well then"]})
    []
    """
    if not isinstance(value, dict) or len(value) < FEWEST_LINES:
        return []
    numbered = [NUMBERED.match(name) for name in value]
    lists = [part if isinstance(part, list) else [part] for part in value.values()]
    if None in numbered or not all(texts and all(map(is_wording, texts)) for texts in lists):
        return []
    names = [match[1].replace("_", " ") for match in numbered if match]
    numbers: dict[str, list[int]] = {}
    for name, match in zip(names, numbered, strict=True):
        numbers.setdefault(name, []).append(int(match[2]) if match else 0)
    count_up = all(counts[0] < 2 and counts == sorted(counts) for counts in numbers.values())
    texts = [(name, text) for name, some in zip(names, lists, strict=True) for text in some]
    words = sum(word_count(text) for _, text in texts)
    are_people = 1 < len(numbers) < len(names) and all(map(_may_be_person, numbers))
    if not (are_people and count_up and words >= LEAST_OF_LINES * len(texts)):
        return []
    return [{"speaker": name, "text": text} for name, text in texts]


def _may_be_person(name: str) -> bool:
    """Return True for one to three words with capitals that mean nothing else in JSON.

    >>> _may_be_person("Ann Lee"), _may_be_person("Summaries"), _may_be_person("en")
    (True, False, False)
    """
    words = name.split()
    is_name = 0 < len(words) <= MOST_OF_NAME and name.istitle() and not re.search(r"\d", name)
    return is_name and may_be_title(name) and not are_fields([name])


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
    is_spoken = all(is_speaker(speaker) and are_timed(turns) for speaker, turns in spoken)
    are_words = any(plain_name(name)[0] in WORD_LISTS for inner in lists for name in inner)
    return spoken if is_spoken and not (has_texts or are_words) else []


def _lists_of_speakers(value: Mapping[str, Any]) -> list[tuple[Any, list[Any]]]:
    """Return the speaker and the turns of each member whose name is a speaker's.

    Plain members beside them, such as the name of the recording, are no speakers.
    """
    value = {name: part for name, part in value.items() if isinstance(part, (dict, list))}
    lists = [(name, _only_timed_list(part)) for name, part in value.items()]
    are_turns = len(lists) > 1 and all(turns == [] or are_timed(turns) for _, turns in lists)
    are_names = are_turns and all(is_label(name) or name.lower() in PARTIES for name in value)
    starts = [start_of(row) for _, turns in lists for row in turns] if are_turns else []
    known = [start for start in starts if start is not None]
    is_mixed = any(first > second for first, second in pairwise(known))
    is_capital = is_mixed and all(name.istitle() and not is_code(name) for name in value)
    are_numbered = is_mixed and all(map(str.isdecimal, value)) and _take_turns(in_order(lists))
    return lists if are_names or is_capital or are_numbered else []


def _only_timed_list(value: Any) -> Any:
    """Return the only list of turns in an object; any other value unchanged."""
    parts = value.values() if isinstance(value, dict) else ()
    lists = [part for part in parts if part and are_timed(part)]
    return lists[0] if len(lists) == 1 else value


def _take_turns(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if hardly any turn begins before the end of the one before it.

    >>> turns = [{"start": n, "end": n + 1} for n in range(9)]
    >>> _take_turns(turns), _take_turns([turn for turn in turns for _ in "ab"])
    (True, False)
    """
    starts = list(map(start_of, rows))
    ends = [
        next((time_number(row[n]) for n in row if role_of_time(n) == "end"), None) for row in rows
    ]
    pairs = [(end, start) for end, start in zip(ends, starts[1:], strict=False)]
    taken = sum(end is not None and start is not None and end <= start for end, start in pairs)
    return taken >= SHARE_OF_TURNS * len(pairs) > 0


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
    if turns := _turns_in_members(value):
        return turns
    whole, value = value, _with_texts_of_parties(value)
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
    rows = [turns_of_parties(row, speakers, levels - 1) for row in whole]
    return rows if any(map(ne, map(id, rows), map(id, whole))) else whole


def _turns_in_members(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the turns that are members of objects, if each object has turns of several speakers.

    >>> asked = {"role": "user", "text": "so is it late"}
    >>> _turns_in_members([{"prompt": asked, "answer": {"role": "bot", "text": "it is"}}])[1]
    {'role': 'bot', 'text': 'it is'}
    >>> _turns_in_members([{"en": asked, "de": {"role": "user", "text": "ist es so spät"}}])
    []
    """
    first = rows[0] if rows else {}
    names = [name for name, part in first.items() if isinstance(part, dict) and text_name(part)]
    if len(names) < 2 or len({frozenset(first[name]) for name in names}) > 1:
        return []
    speaker = next((n for n in first[names[0]] if name_without_unit(n) in SPEAKERS), "")
    turns: list[list[Any]] = [[row.get(name) for name in names] for row in rows]
    if not speaker or not all(isinstance(turn, dict) for some in turns for turn in some):
        return []
    labels = [{str(turn.get(speaker)) for turn in some} for some in turns]
    are_several = all(len(some) == len(names) for some in labels)
    return [turn for some in turns for turn in some] if are_several else []


def _with_texts_of_parties(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return objects with the text of each object about what a party said; others unchanged.

    >>> row = {"user_utterance": {"text": "so it is", "n": 1}, "system": {"text": "well"}}
    >>> _with_texts_of_parties([row])
    [{'user_utterance': 'so it is', 'system': 'well'}]
    """
    names = dict.fromkeys(name for row in rows[:MOST_TRIED] for name in row)
    texts: dict[str, str] = {}
    for name in names:
        values = [row[name] for row in rows if row.get(name) is not None]
        first = next((v for v in values if v), None)
        text = text_name(first) if isinstance(first, dict) else ""
        are_said = text and all(isinstance(v, dict) and is_wording(v.get(text, "")) for v in values)
        if are_said and (party_of_kind(name) or kind_of_turn(name)):
            texts[name] = text
    return rows if len(texts) < 2 else [
        {
            name: value.get(texts[name], "") if name in texts and value is not None else value
            for name, value in row.items()
        }
        for row in rows
    ]  # fmt: skip


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
