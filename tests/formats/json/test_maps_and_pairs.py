"""Texts under titles, talks as lists of lines, and rows that hold two turns."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import formats
from formats import Transcript
from formats.io.messages import BY_CONTENT, DATES_UNREAD, SPEAKER_UNREAD, TEXT_UNREAD
from formats.json.messages import KINDS_LEFT, SPEAKERS_OF_MEMBERS, TITLES, TITLES_LEFT
from formats.tables.messages import PARTIES_WRITTEN
from tests.each_case import each_case

LINES = (
    "so where did we leave the ladder",
    "it was behind the shed I think",
    "then somebody has taken it away",
    "no, it is under the blue sheet",
)
NAMES = ("Ann", "Ben")
LONG = " ".join(LINES)


def read(value: Any, name: str = "a.json") -> Transcript:
    text = value if isinstance(value, str) else json.dumps(value)
    stream = BytesIO(text.encode())
    stream.name = name
    return formats.read(stream, recording="a")


def turns(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(s.speaker, " ".join(s.words)) for s in transcript]


def entries(transcript: Transcript) -> list[object]:
    return [diagnostic.value.entry for diagnostic in transcript.diagnostics]


SPOKEN = [(NAMES[n % 2], line) for n, line in enumerate(LINES)]


@each_case("around", [False, True])
def test_the_names_of_long_texts_are_titles(around: bool) -> None:
    songs = {"The blue ladder": f"{LONG} again", "Under the sheet": f"{LONG} then"}
    transcript = read({"cast": [*NAMES], "songs": songs} if around else songs)
    assert turns(transcript) == [(None, text) for text in songs.values()]
    assert [dict(s.properties)["title"] for s in transcript] == list(songs)
    assert TITLES in entries(transcript)


def test_notes_among_titled_texts_are_left_out_and_said() -> None:
    scenes = {f"SCENE {n}. A yard.": f"{LONG} {n}" for n in ("one", "two", "three", *"abcde")}
    transcript = read({**scenes, "Notes": LONG})
    assert len(transcript) == len(scenes)
    assert TITLES_LEFT in entries(transcript)


def test_turns_inside_titled_texts_are_split() -> None:
    talk = "\n".join(f"{name}: {line}" for name, line in SPOKEN * 2)
    transcript = read({"Part One": talk, "Part Two": talk})
    assert turns(transcript) == SPOKEN * 4


def test_lists_of_sentences_under_names_are_those_of_speakers() -> None:
    transcript = read({"Ann": list(LINES[:2]), "Ben Lee": list(LINES[2:])})
    assert turns(transcript) == [(("Ann", "Ben Lee")[n // 2], line) for n, line in enumerate(LINES)]
    assert SPEAKERS_OF_MEMBERS in entries(transcript)


def test_talks_of_lines_beside_other_lists_are_recordings() -> None:
    lines = [f"{name}: {line}" for name, line in SPOKEN]
    transcript = read([[lines, [{"r": ["knows"]}]], [lines[:2], []]])
    assert turns(transcript) == [*SPOKEN, *SPOKEN[:2]]
    assert [s.recording for s in transcript] == ["a-1"] * 4 + ["a-2"] * 2


@each_case("member", ["turns", "dialog", "conversation"])
def test_columns_in_an_object_of_each_line_are_its_turns(member: str) -> None:
    columns = {"speaker": [*NAMES] * 2, "utterance": list(LINES)}
    rows = [{"dialogue_id": f"d{n}", member: columns} for n in range(2)]
    assert turns(read("\n".join(map(json.dumps, rows)), "a.jsonl")) == SPOKEN * 2


def test_pairs_of_a_history_are_turns() -> None:
    rows = [{"id": f"d{n}", "history": [LINES[:2], LINES[2:]]} for n in range(2)]
    assert [text for _, text in turns(read("\n".join(map(json.dumps, rows)), "a.jsonl"))] == [
        *LINES,
        *LINES,
    ]


@each_case(
    ("first", "second"),
    [
        ("ticket_text", "ai_response"),
        ("customer_query", "support_response"),
        ("prompt", "response"),
        ("inquiry", "reply"),
        ("question_text", "answer_text"),
    ],
)
def test_what_is_asked_and_what_is_answered_are_two_turns_of_a_row(first: str, second: str) -> None:
    rows = [{"id": n, first: LINES[2 * n], second: LINES[2 * n + 1], "label": "ok"} for n in (0, 1)]
    spoken = [("question" if n % 2 == 0 else "answer", line) for n, line in enumerate(LINES)]
    assert turns(read("\n".join(map(json.dumps, rows)), "a.jsonl")) == spoken
    table = "\n".join([f"{first},{second}", *(f'"{row[first]}","{row[second]}"' for row in rows)])
    transcript = read(table, "a.csv")
    assert turns(transcript) == spoken
    assert PARTIES_WRITTEN in entries(transcript)


@each_case("answers", [["yes", "no", "yes"], ["no", "no", ""], ["go", "go", "go", "stop"]])
def test_commands_of_one_word_that_return_are_texts(answers: list[str]) -> None:
    rows = [{"id": f"u{n}", "text": word, "label": "ok"} for n, word in enumerate(answers)]
    transcript = read("\n".join(map(json.dumps, rows)), "a.jsonl")
    assert [" ".join(segment.words) for segment in transcript] == answers
    assert [segment.utterance for segment in transcript] == [row["id"] for row in rows]


@each_case("pattern", ["speaker_{}|text_{}", "Name {}|Line {}", "turn_{}_speaker|turn_{}_text"])
def test_numbered_columns_of_speakers_and_texts_are_turns(pattern: str) -> None:
    head = [name.format(n) for n in (1, 2) for name in pattern.split("|")]
    rows = [f'Ann,"{LINES[n]}",Ben,"{LINES[n + 1]}"' for n in (0, 2)]
    assert turns(read("\n".join([",".join(head), *rows]), "a.csv")) == SPOKEN


def test_values_in_one_line_are_all_read() -> None:
    rows = [{"speaker": name, "text": line} for name, line in SPOKEN]
    assert turns(read("".join(map(json.dumps, rows)))) == SPOKEN


def test_dates_of_talks_at_the_same_time_are_counted_in_each() -> None:
    talk = [
        {"sender": name, "content": line, "timestamp": f"2026-05-01T10:0{n}:00Z"}
        for n, (name, line) in enumerate(SPOKEN)
    ]
    transcript = read({"conversations": [{"messages": talk} for _ in range(3)]})
    assert [s.start_ns for s in transcript] == [n * 60_000_000_000 for n in range(4)] * 3


def test_dates_of_messages_are_times_beside_speakers() -> None:
    rows = [
        {"date": f"2026-05-01T10:0{n}:00", "author": name, "message": line}
        for n, (name, line) in enumerate(SPOKEN)
    ]
    assert [s.start_ns for s in read(rows)] == [n * 60_000_000_000 for n in range(4)]
    for row in rows:
        del row["author"]
    assert {s.start_ns for s in read(rows)} == {None}


def test_dates_in_no_order_are_said() -> None:
    rows = [
        {"timestamp": f"2026-05-0{day}T10:00:00", "speaker": name, "text": line}
        for day, (name, line) in zip((5, 2, 4, 1), SPOKEN, strict=True)
    ]
    assert DATES_UNREAD in entries(read({"turns": rows}))


def test_files_of_chunks_are_no_speakers_and_json_lines_no_other_format() -> None:
    rows = [{"chunk": f"part_{n}.mp3", "text": f"{LONG} {n}"} for n in range(3)]
    assert SPEAKER_UNREAD not in entries(read(rows))
    lines = [{"id": "d1", "utterances": list(LINES), "speakers": [*NAMES] * 2}] * 2
    assert BY_CONTENT not in entries(read("\n".join(map(json.dumps, lines)), "a.jsonl"))


def test_kinds_of_messages_say_who_speaks_and_calls_of_tools_are_left_out() -> None:
    rows: list[dict[str, Any]] = [
        {"type": "user_message" if n % 2 == 0 else "assistant_message", "text": line}
        for n, line in enumerate(LINES)
    ]
    rows.insert(1, {"type": "tool_call", "tool": "search", "arguments": {"q": "ladder"}})
    transcript = read(
        [{"timestamp": f"2026-05-01T10:0{n}:00Z", **row} for n, row in enumerate(rows)]
    )
    assert [text for _, text in turns(transcript)] == list(LINES)
    assert [s.speaker for s in transcript] == ["user_message", "assistant_message"] * 2
    assert KINDS_LEFT in entries(transcript)


def test_names_of_who_answers_beside_questions_are_no_texts() -> None:
    rows = [
        {"question": LINES[0], "answer": f"{LINES[1]} {n}", "who": ("Ann Lee", "Ben Roe")[n % 2]}
        for n in range(4)
    ]
    assert [speaker for speaker, _ in turns(read({"parts": rows}))] == ["question", "answer"] * 4


def test_a_member_that_is_read_as_the_speaker_is_not_said_to_be_text() -> None:
    names = ("Ann 'the Fox' Lee", "Ben (senior) Roe")
    rows = [{"character": names[n % 2], "line": line} for n, line in enumerate(LINES)]
    assert TEXT_UNREAD not in entries(read({"quotes": rows}))


def test_sections_of_talks_are_parts_of_one_recording() -> None:
    turns_of = [{"speaker": name, "text": line} for name, line in SPOKEN]
    sections = [{"title": title, "lines": turns_of} for title in ("Begin", "End")]
    talks = [{"date": f"2026-05-0{n}", "sections": sections} for n in (1, 2)]
    assert [s.recording for s in read(talks)] == ["a-1"] * 8 + ["a-2"] * 8
    assert [s.recording for s in read(talks[0])] == ["Begin"] * 4 + ["End"] * 4


def test_lists_of_texts_in_cells_have_the_times_of_the_lists_beside_them() -> None:
    spans = [{"start": n, "end": n + 0.5, "labels": [name]} for n, (name, _) in enumerate(SPOKEN)]
    cells = [json.dumps(value).replace('"', '""') for value in (spans, list(LINES))]
    rows = [f'/data/{name}.wav,"{cells[0]}","{cells[1]}",7' for name in ("x", "y")]
    transcript = read("\n".join(["audio,label,transcription,annotator", *rows]), "a.csv")
    assert turns(transcript) == SPOKEN * 2
    assert [(s.recording, s.start) for s in transcript][4:6] == [("y", 0.0), ("y", 1.0)]
