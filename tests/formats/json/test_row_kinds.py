"""Rows of any JSON in every box and with every form of times are read as the same segments."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import formats
from formats import Transcript
from formats.json.messages import (
    EARLY_TIMES,
    LISTS_LEFT,
    NOTICES_LEFT,
    PARTS_JOINED,
    SPEAKER_NAMES,
    WRAPPED_OTHERS,
)
from tests.each_case import each_case
from tests.formats.checks import codes

TURNS = (
    (0.5, 2.75, "Ann", "so where do we begin"),
    (3.0, 4.25, "Ben", "with the lamps I think"),
    (4.5, 6.0, "Ann", "the green ones by the door"),
    (6.5, 8.75, "Ben", "those were sold in May"),
    (9.0, 11.5, "Ann", "then we order some more"),
)
Row = dict[str, Any]


def clock(seconds: float) -> str:
    return f"00:00:{seconds:06.3f}"


FORMS: dict[str, Callable[[float, float], Row]] = {
    "plain": lambda start, end: {"start": start, "end": end},
    "milliseconds": lambda start, end: {"t0": round(start * 1000), "t1": round(end * 1000)},
    "object": lambda start, end: {"timing": {"timeStart": start, "timeEnd": end}},
    "pair": lambda start, end: {"interval": [start, end]},
    "arrow": lambda start, end: {"timecode": f"{clock(start)} --> {clock(end)}"},
    "letters": lambda start, end: {"s": start, "e": end},
    "letters of clocks": lambda start, end: {"s": clock(start), "e": clock(end)},
    "onset": lambda start, end: {"onset": start, "offset": end},
}
BOXES: dict[str, Callable[[list[Row]], Any]] = {
    "top": lambda rows: rows,
    "deep": lambda rows: {"status": "ok", "data": {"summary": "On lamps.", "result": rows}},
    "wrapped": lambda rows: [{"turn": row} for row in rows],
    "title first": lambda rows: [{"title": "Lamps", "version": 2}, *rows],
    "with a pause": lambda rows: {"items": [*rows[:2], {"type": "pause", "length": 1}, *rows[2:]]},
    "keyed by numbers": lambda rows: {"language": "en", "transcript": dict(enumerate(rows))},
    "table": lambda rows: [list(rows[0]), *(list(row.values()) for row in rows)],
    "columns": lambda rows: {"source": "a", **{k: [row[k] for row in rows] for k in rows[0]}},
}


def rows_with(form: str) -> list[Row]:
    return [
        {**FORMS[form](start, end), "speaker": speaker, "text": text}
        for start, end, speaker, text in TURNS
    ]


def read(value: Any) -> Transcript:
    return formats.read(BytesIO(json.dumps(value).encode()), "json", recording="a")


def found(transcript: Transcript) -> list[tuple[Any, ...]]:
    return [(s.start, s.end, s.speaker, " ".join(s.words)) for s in transcript]


@each_case(("box", "form"), [(box, form) for box in BOXES for form in FORMS])
def test_a_turn_is_the_same_in_every_box_and_form(box: str, form: str) -> None:
    assert found(read(BOXES[box](rows_with(form)))) == list(TURNS)


@each_case("box", ["title first", "with a pause"])
def test_elements_of_another_kind_are_named(box: str) -> None:
    assert WRAPPED_OTHERS.code in codes(read(BOXES[box](rows_with("plain"))))


@each_case(
    "people",
    [
        {"s1": "Ann", "s2": "Ben"},
        {"s1": {"name": "Ann"}, "s2": {"name": "Ben"}},
        [{"id": "s1", "name": "Ann"}, {"id": "s2", "name": "Ben"}],
        [{"speaker_id": "s1", "label": "Ann"}, {"speaker_id": "s2", "label": "Ben"}],
    ],
)
def test_ids_of_speakers_become_their_names(people: Any) -> None:
    ids = {"Ann": "s1", "Ben": "s2"}
    rows = [{**row, "speaker": ids[row["speaker"]]} for row in rows_with("plain")]
    transcript = read({"info": {"people": people}, "segments": rows})
    assert found(transcript) == list(TURNS)
    assert SPEAKER_NAMES.code in codes(transcript)


def test_ids_without_all_names_stay() -> None:
    ids = {"Ann": "s1", "Ben": "s2"}
    rows = [{**row, "speaker": ids[row["speaker"]]} for row in rows_with("plain")]
    assert {s.speaker for s in read({"people": {"s1": "Ann"}, "segments": rows})} == {"s1", "s2"}


@each_case(
    "people",
    [
        [{"s1": "Ann", "s2": "Ben"}, {"s1": "Cy", "s2": "Dee"}],
        [{"s1": "Good", "s2": "Fair"}, {"s1": "Good", "s2": "Good"}],
        [
            [{"id": i, "name": n} for i, n in zip(("s1", "s2"), names, strict=True)]
            for names in ("AB", "CD")
        ],
    ],
)
def test_ids_with_other_names_in_each_talk_stay(people: list[Any]) -> None:
    ids = {"Ann": "s1", "Ben": "s2"}
    rows = [{**row, "speaker": ids[row["speaker"]]} for row in rows_with("plain")]
    talks = [{"id": n, "persons": who, "segments": rows} for n, who in enumerate(people)]
    transcript = read({"talks": talks})
    assert {s.speaker for s in transcript} == {"s1", "s2"}
    assert SPEAKER_NAMES not in [d.value.entry for d in transcript.diagnostics]


@each_case(
    "member",
    ["voices", "tts_voice", "modelByRole", "prompts", "talk_rating", "genders", "scores"],
)
def test_voices_models_and_prompts_are_no_names_of_speakers(member: str) -> None:
    voices = {"Ann": "nl-NL-C", "Ben": "nl-NL-D"}
    assert found(read({member: voices, "talks": [{"lines": rows_with("plain")}]})) == list(TURNS)


@each_case("member", ["is_system", "isSystemMessage", "systemMessage", "isService"])
def test_messages_of_the_program_are_no_turns(member: str) -> None:
    rows = rows_with("plain")
    notice = {**rows[1], "text": "Ben left the room", member: True}
    for box in ("title first", "with a pause"):
        transcript = read(BOXES[box]([*rows[:2], notice, *rows[2:]]))
        assert found(transcript) == list(TURNS)
        assert NOTICES_LEFT in [d.value.entry for d in transcript.diagnostics]
    assert len(found(read({"lines": [{**row, member: True} for row in rows]}))) == len(TURNS)


@each_case("ids", [["c1", "c2"], ["ann-x", "ben-y"]])
@each_case("member", ["characterId", "character_id", "actorId", "roleId"])
def test_ids_of_characters_become_their_names(member: str, ids: list[Any]) -> None:
    people = [
        {"id": i, "name": n, "color": "red"} for i, n in zip(ids, ("Ann", "Ben"), strict=True)
    ]
    who = dict(zip(("Ann", "Ben"), ids, strict=True))
    lines = [
        {"id": f"line{n}", member: who[name], "text": text}
        for n, (_, _, name, text) in enumerate(TURNS)
    ]
    for play in ({"lines": lines}, {"acts": [{"scenes": [{"lines": lines}]}]}):
        read_lines = [(s.speaker, " ".join(s.words)) for s in read({"characters": people, **play})]
        assert read_lines == [(name, text) for _, _, name, text in TURNS]


def test_titles_of_parts_are_no_names_of_speakers() -> None:
    rows = rows_with("plain")
    parts = [{"title": "Where", "lines": rows[:2]}, {"title": "What", "lines": rows[2:]}]
    assert found(read({"sections": parts})) == list(TURNS)
    timeless = [{"id": row["speaker"], "title": "On lamps", **row} for row in rows[:2]]
    assert [s.speaker for s in read({"segments": timeless})] == ["Ann", "Ben"]


@each_case("form", ["plain", "pair", "arrow", "object"])
def test_lists_of_people_are_read_in_the_order_of_times(form: str) -> None:
    lists: dict[str, list[Row]] = {}
    for row in rows_with(form):
        lists.setdefault(row.pop("speaker"), []).append(row)
    assert found(read(lists)) == list(TURNS)


def test_texts_of_a_party_and_of_a_person() -> None:
    value = {"Interviewer": ["so where do we begin"], "Ann Lee": ["with the lamps", "I think"]}
    assert [s.speaker for s in read(value)] == ["Interviewer", "Ann Lee", "Ann Lee"]


def test_names_of_parts_of_a_recording_are_not_lost_in_silence() -> None:
    rows = [{key: row[key] for key in ("start", "text")} for row in rows_with("plain")]
    transcript = read({"Opening": rows[:2], "Orders": rows[2:]})
    assert len(transcript) == len(TURNS)
    assert any("Orders" in d.message for d in transcript.diagnostics)
    assert PARTS_JOINED.code in codes(transcript)


def test_another_list_with_other_words_is_named() -> None:
    rows = rows_with("plain")
    others = [{**row, "text": row["text"].upper().replace("LAMPS", "LUMPS")} for row in rows]
    transcript = read({"data": {"first_pass": rows, "second_pass": others, "copy": rows}})
    (message,) = [d.message for d in transcript.diagnostics if d.value.entry == LISTS_LEFT]
    assert "second_pass" in message
    assert "copy" not in message


def test_times_before_the_beginning_are_0() -> None:
    rows = rows_with("plain")
    rows[0] |= {"start": -0.25}
    transcript = read(rows)
    assert transcript[0].start == 0
    assert EARLY_TIMES.code in codes(transcript)


@each_case(
    "members",
    [
        {"from_token": (0, 5, 10), "to_token": (5, 10, 16)},  # words of the texts
        {"id": (1, 2, 3), "size": (20, 24, 30)},
    ],
)
def test_other_numbers_are_no_times(members: dict[str, tuple[int, ...]]) -> None:
    rows = rows_with("plain")[:3]
    for number, row in enumerate(rows):
        row.update({name: values[number] for name, values in members.items()})
        del row["start"], row["end"]
    assert {s.start for s in read(rows)} == {None}


def test_the_texts_around_a_text_are_not_the_text() -> None:
    rows = [
        {**row, "clean_transcript": row["text"], "previous_clean_transcript": "well then"}
        for row in rows_with("plain")
    ]
    for row in rows:
        del row["text"]
    assert found(read(rows)) == list(TURNS)
