"""Segment lists of several recordings in one JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from formats.io.source import without_media
from formats.json.row_kinds import is_start
from formats.json.texts import are_ids, text_name
from formats.json.value import JsonValue
from formats.manifests.records import are_videos, name_around, name_within, recording_of_audio
from formats.reading.member_names import (
    NAMES,
    OF_TALKS,
    PAIRS,
    are_pairs,
    is_log,
    likely_names,
    name_parts,
    name_without_unit,
    plain_name,
)
from formats.reading.member_values import are_parties, are_speakers, name_in
from formats.reading.time_values import is_pair, number_of, seconds_of, word_count

Steps = tuple[str | int, ...]
OWNERS = ("video_id", "videoid", "recording_id", "audio_id", "episode_id", "id", "file", "filename",
          "audio", "video", "recording")  # fmt: skip
"""Members that name the recording of a list beside them, the likeliest first."""

OF_SONGS = (("name", "lyrics"), ("name", "subtitles"), ("name", "captions"))
"""Names beside a list that are no names of speakers."""
LEAST_OF_PHRASES = 1.5
"""The fewest words of texts on average that are phrases, as texts of words have one word each."""
LARGEST_SHARE = 0.8
"""The share of words of the lists that are read; others may be a table of contents."""
SECTIONS = frozenset(("sections", "topics", "blocks", "rounds", "parts"))
"""Names of lists of the sections of a recording."""
USUAL_SPEAKER = NAMES["speaker"].usual[0]
"""The name of a member that is a speaker even if no value returns."""
KEY = "key of the object"
"""The member with the name of an element in an object of recordings."""
OF_ROWS = (KEY, *OWNERS)
"""Members of elements that name their recordings, the likeliest first."""
LISTS_OF_TEXTS = frozenset(
    (
        *("segments", "utterances", "turns", "sentences", "cues", "captions", "subtitles"),
        *("lines", "transcript", "transcription", "transcripts", "transcriptions", "dialogue"),
        *("dialog", "conversation"),
    )
)
"""Names of lists of texts that were said, whatever else their elements have."""
FEWEST_LEFT = 3
"""The fewest words of a record that are worth a warning."""
DEEPEST = 16
"""Levels of lists and objects in which lists of turns are looked for."""


def lists_of_recordings(top: Sequence[Any]) -> list[tuple[str, Steps]]:
    """Return each recording with the path to its list of segments; empty if no recording is named.

    >>> rows = [{"text": "so it is", "start": 1}, {"text": "and so", "start": 2}]
    >>> lists_of_recordings([{"a.mp3": rows, "b.mp3": rows}])
    [('a', ('a.mp3',)), ('b', ('b.mp3',))]
    >>> lists_of_recordings([{"lover": {"lines": rows}, "red": {"lines": rows}}])
    [('lover', ('lover', 'lines')), ('red', ('red', 'lines'))]
    >>> lists_of_recordings([{"videos": [{"id": "x", "cues": rows}, {"id": "y", "cues": rows}]}])
    [('x', ('videos', 0, 'cues')), ('y', ('videos', 1, 'cues'))]
    >>> lists_of_recordings([{"made": 1, "talks": {"x": {"cues": rows}, "y": {"cues": rows}}}])
    [('x', ('talks', 'x', 'cues')), ('y', ('talks', 'y', 'cues'))]
    >>> lists_of_recordings([{"call_id": 1, "cues": rows}, {"call_id": 2, "cues": rows}])
    [('1', (0, 'cues')), ('2', (1, 'cues'))]
    """
    value = top[0] if len(top) == 1 else list(top)
    if isinstance(value, dict):
        names = list(value)
        are_media = bool(names) and all(without_media(name) != name for name in names)
        if (are_media or (len(names) > 1 and are_ids(names))) and _are_lists(value):
            return [(recording_of_audio(name), (name,)) for name in names]
        values = list(value.values())
        if len(values) > 1 and _are_owners(values):
            paths = [(name, _list_in(inner)) for name, inner in value.items()]
            is_whole = _are_ordered(values)  # parts of one recording
            return [("" if is_whole else recording_of_audio(path[0]), path) for path in paths]
        owners = [name for name, inner in value.items() if _are_owners(inner)]
        objects = [name for name, inner in value.items() if _are_named_owners(inner)]
        if len(owners) + len(objects) != 1:
            return []
        if owners:
            return _of_owners(value[owners[0]], (owners[0],))
        within = lists_of_recordings([value[objects[0]]])
        return [(name, (objects[0], *steps)) for name, steps in within]
    filled = [n for n, inner in enumerate(value) if inner] if isinstance(value, list) else []
    alone = [value[n] for n in filled]
    if len(filled) == 1 and isinstance(alone[0], dict) and (found := lists_of_recordings(alone)):
        return [(name, (*filled, *steps)) for name, steps in found]
    if isinstance(value, list) and (named := _of_single_members(value)):
        return named
    return _of_owners(value, ()) if _are_owners(value) else []


def _of_single_members(values: Sequence[Any]) -> list[tuple[str, Steps]]:
    """Return the recordings of objects that each have one member: a list under a name of its own.

    >>> rows = [{"text": "so it is", "start": 1}, {"text": "and so", "start": 2}]
    >>> _of_single_members([{"x1": rows}, {"x2": rows}]), _of_single_members([{"cues": rows}] * 2)
    ([('x1', (0, 'x1')), ('x2', (1, 'x2'))], [])
    """
    if not all(isinstance(value, dict) and len(value) == 1 for value in values):
        return []
    names = [name for value in values for name in value]
    is_named = 1 < len(names) == len({*names}) and all(map(_are_lists, values))
    if not is_named:
        return []
    return [(recording_of_audio(name), (n, name)) for n, name in enumerate(names)]


def lists_within(top: Sequence[Any]) -> list[tuple[str, Steps]]:
    """Return each list of turns or segments at any depth with its recording; empty if unsure.

    All lists must have the same members for text, speaker and start. If the times of a list
    continue those of the preceding list, both lists belong to one recording. The objects around the
    lists name the recordings; without names there, the recordings are numbered. A single recording
    has no name.

    >>> rows = [{"speaker": "Ann", "text": "so it is"}, {"speaker": "Ben", "text": "and so"}] * 2
    >>> scenes = [{"id": "x", "lines": rows}, {"id": "y", "lines": rows}]
    >>> lists_within([{"parts": [{"scenes": scenes}]}])[1]
    ('y', ('parts', 0, 'scenes', 1, 'lines'))
    >>> lists_within([{"data": {"result": {"turns": rows}}}])
    [('', ('data', 'result', 'turns'))]
    """
    value = top[0] if len(top) == 1 else list(top)
    groups = _groups_of_lists(value, are_texts=False)
    if not groups and (groups := _groups_of_lists(value, are_texts=True)):
        words = sum(map(_words_of_lists, groups))
        groups = groups if words >= LARGEST_SHARE * _words_within(value, DEEPEST) else []
    groups.sort(key=_words_of_lists, reverse=True)
    sizes = list(map(_words_of_lists, groups))
    if not groups or (len(groups) > 1 and sizes[0] < LARGEST_SHARE * sum(sizes)):
        return []
    recordings = _continued(groups[0])
    names = _names_of_recordings(recordings) if len(recordings) > 1 else [""]
    return [
        (name, listed.steps)
        for name, lists in zip(names, recordings, strict=True)
        for listed in lists
    ]


def talks_alone(top: Sequence[Any]) -> list[tuple[str, Steps]]:
    """Return each talk of a list of objects with one list of turns, without times, in each.

    >>> turns = [{"from": "human", "value": "so what is it"}, {"from": "gpt", "value": "it is so"}]
    >>> talks_alone([[{"conversations": turns}, {"conversations": turns}]])
    [('-1', (0, 'conversations')), ('-2', (1, 'conversations'))]
    """
    value: Any = top[0] if len(top) == 1 else None
    if not _are_owners(value) or any(len(list(filter(_is_list, v.values()))) != 1 for v in value):
        return []
    rows = [row for talk in value for row in talk[_list_in(talk)]]
    talks = [] if _starts(rows) or not _are_turns(rows) else lists_within(top)
    return talks if len(talks) == len(value) > 1 else []


def _groups_of_lists(value: Any, *, are_texts: bool) -> list[list[_RowList]]:
    """Return the lists of turns or segments, those with the same members together.

    If `are_texts`, return lists of texts that nothing but their names show to be speech.
    """
    by_members: dict[tuple[str, ...], list[_RowList]] = {}
    for listed in _lists_of_rows(value, (), (), DEEPEST, 1 if are_texts else 2):
        by_members.setdefault(_members_of(listed.rows[0]), []).append(listed)
    return [
        group for group in by_members.values()
        if (rows := [_with_joined_text(row) for listed in group for row in listed.rows])
        and (are_named(listed.steps for listed in group) if are_texts else _is_list(rows))
        and _have_phrases(rows) and not is_log(rows[0])
    ]  # fmt: skip


def _words_within(value: Any, levels: int) -> float:
    """Return the number of words in all texts of a value that are no labels."""
    if isinstance(value, str):
        words = word_count(value)
        return words if words > LEAST_OF_PHRASES else 0
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(_words_within(part, levels - 1) for part in inner) if levels else 0


def records_left(top: Sequence[Any], recordings: Sequence[tuple[str, Steps]]) -> list[str]:
    """Return the names of records with texts where others have their list of turns, but no list.

    >>> talks = [{"id": "a", "said": [{"text": "so"}]}, {"id": "b", "said": {"x": "well then so"}}]
    >>> records_left([talks], [("a", (0, "said"))])
    ['b']
    """
    read: dict[tuple[Steps, str | int], set[str | int]] = {}
    for _, steps in recordings:
        places = [n for n, step in enumerate(steps[:-1]) if isinstance(step, int)]
        if places:
            last = places[-1]
            read.setdefault((steps[:last], steps[last + 1]), set()).add(steps[last])
    left: list[str] = []
    for (way, member), numbers in read.items():
        records: Any = top[0] if len(top) == 1 else top
        for step in way:
            records = records[step]
        for number, record in enumerate(records):
            lost = (
                record.get(member) if isinstance(record, dict) and number not in numbers else None
            )
            if lost and _words_within(lost, DEEPEST) >= FEWEST_LEFT:
                named = (record[name] for name in OWNERS if isinstance(record.get(name), str))
                left.append(str(next(named, number)))
    return left


def are_named(paths: Iterable[Steps]) -> bool:
    """Return True if there are several lists, whose names say that their texts were said.

    >>> are_named([(0, "turns"), (1, "turns")]), are_named([()]), are_named([(0, "turns")])
    (True, False, False)
    """
    ends = [str(steps[-1]) if steps else "" for steps in paths]
    return len(ends) > 1 and LISTS_OF_TEXTS.issuperset(map(name_without_unit, ends))


class _RowList(NamedTuple):
    """A list of objects in a document, with the objects around it and the path to it."""

    owners: tuple[Mapping[str, Any], ...]
    """The objects that it is in, the outermost first."""
    steps: Steps
    rows: list[dict[str, Any]]


def _words_of_lists(lists: Sequence[_RowList]) -> float:
    """Return the number of words in the texts of lists."""
    name = _members_of(lists[0].rows[0])[0]
    texts = (_with_joined_text(row).get(name) for listed in lists for row in listed.rows)
    return sum(word_count(text) for text in texts if isinstance(text, str))


def _whole_of(steps: Steps) -> Steps:
    """Return the path to the object whose sections have lists; empty if it is in no list.

    >>> _whole_of((3, "sections", 0, "lines")), _whole_of(("sections", 0, "lines"))
    ((3,), ())
    """
    places = [n for n, step in enumerate(steps) if str(step).lower() in SECTIONS]
    whole = steps[: places[0]] if places else ()
    return whole if any(isinstance(step, int) for step in whole) else ()


def _continued(lists: Sequence[_RowList]) -> list[list[_RowList]]:
    """Group lists by recording.

    If the times of a list continue those of the list before, both belong to one recording, and so
    do lists without times in the sections of one object among several.
    """
    recordings: list[list[_RowList]] = []
    last: float | None = None
    wholes = [_whole_of(listed.steps) for listed in lists]
    are_several = len({*wholes}) > 1
    for number, listed in enumerate(lists):
        starts = _starts(listed.rows)
        is_part = are_several and number > 0 and () != wholes[number] == wholes[number - 1]
        is_next = bool(starts) and last is not None and (starts[0] > last or starts[0] == last > 0)
        if is_next or (is_part and not starts):
            recordings[-1].append(listed)
        else:
            recordings.append([listed])
        last = starts[-1] if starts else None
    return recordings


def _names_of_recordings(recordings: Sequence[Sequence[_RowList]]) -> list[str]:
    """Return the names of recordings: those of the innermost named objects around their lists.

    If the objects have no names, the recordings are "-1", "-2", ….
    """
    chains = [lists[0].owners for lists in recordings]
    for depth in range(1, min(map(len, chains)) + 1):
        owners = [chain[-depth] for chain in chains]
        if member := _name_of_owners(owners):
            return [recording_of_audio(str(owner[member])) for owner in owners]
    return [f"-{number}" for number in range(1, len(recordings) + 1)]


def _lists_of_rows(
    value: Any, owners: tuple[Mapping[str, Any], ...], steps: Steps, levels: int, least: int
) -> Iterator[_RowList]:
    """Yield the lists of objects with at least `least` of a text, a start and a speaker."""
    are_rows = isinstance(value, list) and all(isinstance(row, dict) for row in value)
    if are_rows and value and len(_members_of(value[0])) >= least:
        yield _RowList(owners, steps, value)
        return
    members: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        owners, members = (*owners, value), value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for step, inner in members if levels else ():
        if isinstance(inner, (dict, list)):
            yield from _lists_of_rows(inner, owners, (*steps, step), levels - 1, least)


def _members_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the members that may be the text, the speaker and the start of an object.

    The tuple is empty if the object has no text.
    """
    texts = {name: None for name, value in row.items() if _is_text(value)}
    text = next(iter(likely_names("text", texts)), "")
    others = [name for role in ("speaker", "start") for name in likely_names(role, row)]
    others += filter(partial(_is_span, row), row)
    return (text, *(name for name in dict.fromkeys(others) if name != text)) if text else ()


def _is_text(value: Any) -> bool:
    """Return True for a text, or a list of texts."""
    parts = value if isinstance(value, list) and value else [value]
    return all(isinstance(part, str) for part in parts)


def _with_joined_text(row: dict[str, Any]) -> dict[str, Any]:
    """Join each list of texts in an object to one text."""
    lists = {name: " ".join(v) for name, v in row.items() if isinstance(v, list) and _is_text(v)}
    return {**row, **lists} if lists else row


def rows_of_recordings(top: Sequence[Any], recordings: Sequence[tuple[str, Steps]]) -> list[Any]:
    """Return the segments of all recordings as a single list."""
    rows: list[Any] = []
    for _, steps in recordings:
        value: Any = top[0] if len(top) == 1 else top
        for step in steps:
            value = value[step]
        rows += value
    return rows


def turns_by_recording(
    turns: Sequence[JsonValue], used: Collection[str]
) -> list[tuple[str, list[JsonValue]]]:
    """Return the turns of each recording that a member of the turns names; empty if none does.

    Each turn must have the member. If the turns have times, a value must be repeated or be the
    key of an object. The times of turns that share an ``id`` must begin again behind each. Times
    that go on from recording to recording are those of one recording in parts; talks are none.
    Values that begin again in each lesson or unit name a recording together with that unit.
    """
    rows = [turn.value for turn in turns]
    first = rows[0] if rows and all(isinstance(row, dict) for row in rows) else {}
    plain = {name if name == KEY else plain_name(name)[0]: name for name in first}
    known = (plain_name(name)[0] for name in (*OF_ROWS[1:], *NAMES["recording"].usual))
    links = (name for name in plain if are_videos([row.get(plain[name]) for row in rows]))
    names = [plain[known] for known in (KEY, *known, *links) if known in plain]
    talks = [name for key, name in plain.items() if key in OF_TALKS and name not in names]
    for name in (*names, *talks):
        values = [row.get(name) for row in rows]
        if name in used or not all(isinstance(value, (str, int)) for value in values):
            continue
        if outer := name_around({key: [row.get(key) for row in rows] for key in first}, name, used):
            around = [row[outer] for row in rows]
            values = [name_within(unit, talk) for unit, talk in zip(around, values, strict=True)]
        by_name: dict[str, list[JsonValue]] = {}
        for turn, value in zip(turns, values, strict=True):
            by_name.setdefault(recording_of_audio(str(value)), []).append(turn)
        starts = [_starts([turn.value for turn in part]) for part in by_name.values()]
        if plain_name(name)[0] == "id":
            begins_again = all(starts) and all(b[0] < a[-1] for a, b in pairwise(starts))
            is_shared = begins_again and 2 * len(by_name) <= len(turns)
        else:
            are_files = all(without_media(str(value)) != str(value) for value in values)
            is_shared = len(by_name) < len(turns) or are_files or not any(starts)
        is_listed = name == KEY or is_shared
        goes_on = bool(starts) and all(starts) and all(a[-1] <= b[0] for a, b in pairwise(starts))
        if len(by_name) > 1 and is_listed and (name in talks or not goes_on):
            return list(by_name.items())
    return []


def _of_owners(values: Sequence[Mapping[str, Any]], way: Steps) -> list[tuple[str, Steps]]:
    """Return each recording with the path to its list of segments.

    Members of the objects name the recordings. The result is empty if the objects have no names, or
    if the lists are parts of one list. `way` is the path to the objects.
    """
    member = _name_of_owners(values)
    if not member or _are_ordered(values):
        return []
    return [
        (recording_of_audio(str(value[member])), (*way, n, _list_in(value)))
        for n, value in enumerate(values)
    ]


def _name_of_owners(values: Sequence[Mapping[str, Any]]) -> str:
    """Return the member whose value names each of these objects; an empty text if there is none."""
    names = [m for m in values[0] if _are_names(values, m)]
    usual = [m for n in (*OWNERS, *NAMES["recording"].usual) for m in names if m.lower() == n]
    usual += [m for m in names if are_videos([value[m] for value in values])]
    ids = [m for m in names if name_parts(m)[-1:] == ["id"]]
    ids.sort(key=lambda m: plain_name(m)[0] not in OF_TALKS)
    inner = name_without_unit(_list_in(values[0]))
    rows = [row for value in values for row in value.get(_list_in(value)) or ()]
    titles = [m for m in names if m.lower() == "title" or (m.lower(), inner) in OF_SONGS]
    titles += [m for m in names if m.lower() == "name" and not _starts(rows)]
    return next(iter([*usual, *ids, *titles]), "")


def _are_ordered(values: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if times continue from list to list, so that the lists are one list in parts."""
    lists = [starts for value in values if (starts := _starts(value[_list_in(value)]))]
    starts = [start for listed in lists for start in listed]
    is_ordered = all(first <= second for first, second in pairwise(starts))
    goes_on = all(
        first[-1] < second[0] or first[-1] == second[0] > 0 for first, second in pairwise(lists)
    )
    return len(values) > 1 and bool(starts) and is_ordered and goes_on


def _are_names(values: Sequence[Mapping[str, Any]], member: str) -> bool:
    """Return True if each object has the member, with a different name."""
    names = [value.get(member) for value in values]
    return all(isinstance(n, (str, int)) for n in names) and len({*map(str, names)}) == len(names)


def _are_owners(value: Any) -> bool:
    """Return True for a list of objects, each of which has a list of segments."""
    if not isinstance(value, list) or not value:
        return False
    if not all(isinstance(inner, dict) and _list_in(inner) for inner in value):
        return False
    return _have_phrases([row for inner in value for row in inner[_list_in(inner)]])


def _are_named_owners(value: Any) -> bool:
    """Return True for an object of several objects, each of which has a list of segments."""
    return isinstance(value, dict) and len(value) > 1 and _are_owners([*value.values()])


def _list_in(value: Mapping[str, Any]) -> str:
    """Return the name of the member with a list of segments.

    A list of phrases has priority over a list of words. The name is empty if no member has a list,
    or if the object itself has times.
    """
    if _has_roles(value):
        return ""
    lists = [name for name, rows in value.items() if _is_list(rows)]
    return next((name for name in lists if _have_phrases(value[name])), next(iter(lists), ""))


def _have_phrases(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if the texts have several words on average, so that they are not words."""
    texts = [row[name] for row in rows if (name := text_name(row))]
    return sum(map(word_count, texts)) >= LEAST_OF_PHRASES * len(texts)


def _are_lists(value: Mapping[str, Any]) -> bool:
    return any(value.values()) and all(rows == [] or _is_list(rows) for rows in value.values())


def _is_list(rows: Any) -> bool:
    """Return True for a list of turns, or of objects with a text and a start."""
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        return False
    return _has_roles(rows[0]) or _are_turns(rows)


def _are_turns(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if the objects have a text and a speaker, such as agent and customer."""
    names = likely_names("speaker", rows[0])
    columns = [
        [name_in(v) for row in rows if (v := row.get(name)) not in (None, [])] for name in names
    ]
    return (
        _has_text(rows[0])
        and not are_pairs(rows[0])
        and any(
            2 * len(column) > len(rows)
            and are_speakers(name, column)
            and (name == USUAL_SPEAKER or are_parties(column) or _are_repeated_names(column))
            for name, column in zip(names, columns, strict=True)
        )
    )


def _are_repeated_names(values: Sequence[Any]) -> bool:
    """Return True if all values are names, and each occurs at least twice on average."""
    counts = Counter(value for value in values if isinstance(value, str))
    is_whole = sum(counts.values()) == len(values)
    return is_whole and 1 < len(counts) <= len(values) / 2


def _has_roles(row: Mapping[str, Any]) -> bool:
    """Return True if the names of an object's members say that it has a text and a start."""
    plain = [name for name, value in row.items() if not _has_objects(value)]
    return _has_text(row) and any(is_start(name) or _is_span(row, name) for name in plain)


def _has_text(row: Mapping[str, Any]) -> bool:
    """Return True if the name of a member says that it is a text, which may be null or a list."""
    plain = {name_without_unit(name) for name, value in row.items() if not _has_objects(value)}
    return not plain.isdisjoint(NAMES["text"].plain) or bool(text_name(row))


def _has_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_span(row: Mapping[str, Any], name: str) -> bool:
    """Return True if a member has a start and an end, such as ``timings: [1.5, 2.0]``."""
    return plain_name(name)[0] in PAIRS and row[name] is not None and is_pair(row[name])


def _starts(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return the starts of segments in seconds; skip values that are no times."""
    starts: list[float] = []
    for row in rows:
        names = list(filter(is_start, row))
        value = row[names[0]] if names else None
        number = number_of(seconds_of(value) if isinstance(value, str) else value)
        starts += [] if number is None else [float(number)]
    return starts
