"""Rows that nobody says are counted and not read; cues, tiers and lists name speakers."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import formats
from formats import Transcript
from formats.json.messages import HEADINGS_LEFT, KINDS_LEFT
from tests.each_case import each_case

TURNS = (
    ("Ann", "so where do we begin"),
    ("Ben", "with the lamps I think"),
    ("Ann", "the green ones by the door"),
    ("Ben", "those were sold in May"),
)
Row = dict[str, Any]


def read(value: Any, form: str = "json") -> Transcript:
    return formats.read(BytesIO(json.dumps(value).encode()), form, recording="a")


def turns(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(s.speaker, " ".join(s.words)) for s in transcript]


def entries(transcript: Transcript) -> list[Any]:
    return [d.value.entry for d in transcript.diagnostics]


def script(member: str, speech: str, other: str) -> list[Row]:
    said = [{member: speech, "speaker": name, "text": text} for name, text in TURNS]
    return [
        {member: other, "text": "rain falls on the street"},
        *said,
        {member: other, "text": "x"},
    ]


@each_case(
    ("member", "speech", "other"),
    [
        ("type", "dialogue", "action"),
        ("kind", "line", "stage direction"),
        ("cmd", "say", "music"),
        ("elementType", "Speech", "SceneHeading"),
        ("event", "final", "partial"),
        ("message_type", "FinalTranscript", "PartialTranscript"),
    ],
)
@each_case("box", ["top", "scenes", "lines"])
def test_rows_that_nobody_says_are_left_out(member: str, speech: str, other: str, box: str) -> None:
    rows = script(member, speech, other)
    if box == "lines":
        data = "\n".join(map(json.dumps, rows)).encode()
        transcript = formats.read(BytesIO(data), "json", recording="a")
    else:
        transcript = read(rows if box == "top" else {"scenes": [{"lines": rows}]})
    assert turns(transcript) == list(TURNS)
    told = next(d.value for d in transcript.diagnostics if d.value.entry == KINDS_LEFT)
    assert (told.fields["rows"], told.fields["kinds"]) == (2, [other])


@each_case(("speech", "other"), [("poem", "action"), ("dialogue", "letter"), ("title", "action")])
def test_rows_of_unknown_kinds_stay(speech: str, other: str) -> None:
    transcript = read(script("type", speech, other))
    assert len(transcript.segments) == len(TURNS) + 2
    assert KINDS_LEFT not in entries(transcript)


def test_most_rows_of_actions_may_hold_the_dialogue() -> None:
    rows = [{"type": "action", "text": f"ANN so it is {n}"} for n in range(40)]
    rows.append({"type": "dialogue", "text": "so it is"})
    assert len(read({"lines": rows}).segments) == len(rows)


def test_results_that_are_not_final_are_left_out() -> None:
    rows = [
        {"is_final": is_final, "speaker": name, "text": text if is_final else text[:5]}
        for name, text in TURNS
        for is_final in (False, True)
    ]
    assert turns(read({"results": rows})) == list(TURNS)
    only = [{**row, "is_final": False} for row in rows]
    assert len(read({"results": only}).segments) == len(only)


@each_case("cue", ["character", "CHARACTER", "speaker"])
def test_rows_of_names_are_the_speakers_of_the_rows_below(cue: str) -> None:
    rows = [{"type": "scene_heading", "text": "A STREET"}]
    for name, text in TURNS:
        rows += [{"type": cue, "text": name}, {"type": "dialogue", "text": text}]
    assert turns(read({"elements": rows})) == list(TURNS)


def test_a_thought_has_its_speaker_in_another_member() -> None:
    rows = script("type", "dialogue", "sfx")
    rows.append({"type": "internal_monologue", "character_id": "Cy", "text": "what will they say"})
    assert turns(read({"beats": rows}))[-1] == ("Cy", "what will they say")


def test_records_without_the_text_are_counted() -> None:
    rows = [
        {"op": "label", "name": "begin"},
        *({"op": "say", "who": n, "what": t} for n, t in TURNS),
    ]
    transcript = read({"begin": rows})
    assert turns(transcript) == list(TURNS)
    assert HEADINGS_LEFT in entries(transcript)


@each_case("name", ["id", "name", "tier"])
def test_tiers_are_speakers(name: str) -> None:
    rows = [{"start": n, "end": n + 0.9, "value": text} for n, (_, text) in enumerate(TURNS)]
    tiers = [{name: "Ann", "annotations": rows[::2]}, {name: "Ben", "annotations": rows[1::2]}]
    assert turns(read({"tiers": tiers})) == list(TURNS)


def test_tiers_of_the_same_times_are_no_speakers() -> None:
    rows = [{"start": n, "end": n + 0.9, "value": text} for n, (_, text) in enumerate(TURNS)]
    same = [{"id": name, "annotations": rows} for name in ("Ann", "Remarks")]
    assert {s.speaker for s in read({"tiers": same})} == {None}


@each_case(
    "people",
    [
        ["Ann", "Ben"],
        {"0": "Ann", "1": "Ben"},
        {"0": {"meta": {"character_name": "Ann"}}, "1": {"meta": {"character_name": "Ben"}}},
    ],
)
def test_numbers_of_speakers_become_their_names(people: Any) -> None:
    rows = [
        {"start": n, "speaker": "AB".index(name[0]), "text": text}
        for n, (name, text) in enumerate(TURNS)
    ]
    assert turns(read({"speakers": people, "segments": rows})) == list(TURNS)


def test_words_without_times_are_those_of_the_speaker_around_them() -> None:
    words: list[Row] = [
        {"word": word, "start": 2 * n + k / 4, "end": 2 * n + k / 4 + 0.2, "speaker": name}
        for n, (name, text) in enumerate(TURNS)
        for k, word in enumerate(text.split())
    ]
    words[1] = {"word": words[1]["word"]}
    words.insert(5, {"word": "Q1", "role": "heading"})
    transcript = read(words)
    assert turns(transcript) == list(TURNS)
    assert KINDS_LEFT in entries(transcript)


def test_labels_of_parts_of_a_text_are_no_words() -> None:
    rows = [
        {"id": n, "text": text, "label": [[0, 2, "PLACE"]]} for n, (_, text) in enumerate(TURNS)
    ]
    assert [text for _, text in turns(read(rows))] == [text for _, text in TURNS]


def test_labels_of_spans_are_speakers_unless_they_are_sounds() -> None:
    for names in (("Ann", "Ben"), ("Speech", "Music")):
        spans = [{"start": n, "end": n + 0.9, "labels": [names[n % 2]]} for n in range(len(TURNS))]
        task = {"id": 7, "spans": spans, "transcription": [text for _, text in TURNS]}
        expected = {*names} if names[0] == "Ann" else {None}
        assert {s.speaker for s in read([task])} == expected


def test_a_speaker_in_a_nested_object_beside_times() -> None:
    rows = [
        {"start": n, "end": n + 0.9, "text": text, "additions": {"speaker": name}}
        for n, (name, text) in enumerate(TURNS)
    ]
    for value in (rows, {"utterances": rows}):
        assert turns(read(value)) == list(TURNS)


def test_the_whole_of_a_time_in_parts() -> None:
    rows = [
        {"text": text, "time": {"total": n + 0.25, "minutes": 0, "seconds": n, "hundredths": 25}}
        for n, (_, text) in enumerate(TURNS)
    ]
    assert [s.start for s in read(rows)] == [0.25, 1.25, 2.25, 3.25]


def test_a_message_and_its_answer_are_two_turns() -> None:
    rows = [
        {"message": TURNS[0][1], "answer": TURNS[1][1]},
        {"message": TURNS[2][1], "answer": "no"},
    ]
    read_turns = turns(read(rows))
    assert read_turns[:2] == [("question", TURNS[0][1]), ("answer", TURNS[1][1])]
    assert len(read_turns) == 4
