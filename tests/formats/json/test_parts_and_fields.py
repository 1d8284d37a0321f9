"""Parts of messages and documents, what models did not say, and rows of named fields."""

import json
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.detection.errors import UnknownFormatError
from formats.io.messages import MEMBERS_UNREAD, UNKNOWN_TEXT
from formats.json.messages import KINDS_LEFT, MEMBER_NAMES, SPEAKERS_OF_MEMBERS, TAG
from formats.schema.transcript import Transcript

ASKED = "So where was the van parked?"
TOLD = "It was behind the house, I think."
IMAGE = {"type": "image", "src": "van.jpg", "caption": "a red van"}


def read(folder: Path, value: Any, name: str = "talk.json") -> Transcript:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return formats.read(file)


def turns(transcript: Transcript) -> list[tuple[str | None, str | None, str]]:
    return [(s.recording, s.speaker, " ".join(s.words)) for s in transcript]


def interview(code: str, asked: str, told: str) -> dict[str, Any]:
    parts = [{"type": asked, "text": ASKED}, {"type": told, "text": TOLD}, IMAGE]
    return {"id": code, "excerpt": "Nobody knew where the van was.", "content": parts}


@pytest.mark.parametrize(("asked", "told"), [("question", "answer"), ("question", "paragraph")])
def test_questions_and_answers_among_the_parts_of_interviews_are_turns(
    asked: str, told: str, tmp_path: Path
) -> None:
    value = {"items": [interview("n1", asked, told), interview("n2", asked, told)]}
    transcript = read(tmp_path, value)
    assert turns(transcript) == [
        (code, speaker, text)
        for code in ("n1", "n2")
        for speaker, text in ((asked, ASKED), (told, TOLD))
    ]
    assert KINDS_LEFT in [d.value.entry for d in transcript.diagnostics]


def test_paragraphs_alone_are_pieces_of_one_text(tmp_path: Path) -> None:
    parts = [{"type": "paragraph", "text": text} for text in (ASKED, TOLD)]
    rows = [{"speaker": name, "content": parts} for name in ("Ann", "Ben")]
    assert turns(read(tmp_path, rows)) == [
        ("talk", name, f"{ASKED} {TOLD}") for name in ("Ann", "Ben")
    ]


def test_pictures_and_calls_within_messages_are_no_text(tmp_path: Path) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://vans.example/a.jpg"}}
    call = {"type": "tool_use", "name": "zoom", "input": {"x": 1}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": ASKED}, picture]},
        {"role": "assistant", "content": [{"type": "text", "text": TOLD}, call]},
        {"role": "user", "content": "And who drove it?"},
    ]
    transcript = read(tmp_path, messages)
    expected = [("user", ASKED), ("assistant", TOLD), ("user", "And who drove it?")]
    assert turns(transcript) == [("talk", *turn) for turn in expected]


@pytest.mark.parametrize(
    "unsaid",
    [
        "<think>Where may it be?\nBehind the house.</think>",
        '<tool_call>\n{"name": "find"}\n</tool_call>',
        '<STATE>{"van": null}</STATE>',
    ],
)
def test_thoughts_calls_and_data_of_a_model_are_no_words(unsaid: str, tmp_path: Path) -> None:
    rows = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": unsaid + TOLD}]
    transcript = read(tmp_path, rows)
    assert turns(transcript) == [("talk", "user", ASKED), ("talk", "assistant", TOLD)]
    assert TAG in [d.value.entry for d in transcript.diagnostics]


def test_words_between_other_tags_stay(tmp_path: Path) -> None:
    rows = [{"role": "user", "content": "<note>so it is</note>"}, {"role": "bot", "content": TOLD}]
    assert "so it" in turns(read(tmp_path, rows))[0][2]


def test_rows_of_named_fields_are_objects(tmp_path: Path) -> None:
    text = f"user:{ASKED}\tbot:{TOLD}\nuser:And who drove it?\tbot:My brother did.\n"
    assert [turn[1:] for turn in turns(read(tmp_path, text, "talk.txt"))] == [
        ("user", ASKED),
        ("bot", TOLD),
        ("user", "And who drove it?"),
        ("bot", "My brother did."),
    ]


def test_replies_that_the_next_row_repeats_are_read_once(tmp_path: Path) -> None:
    said = [ASKED, TOLD, "And who drove it?"]
    rows = [f"text:{said[0]}\tlabels:{said[1]}", f"text:{said[1]}\tlabels:{said[2]}"]
    episode = "\n".join(rows) + "\tepisode_done:True\n"
    sides = ("text", "labels", "text")
    assert turns(read(tmp_path, episode * 2, "talk.txt")) == [
        (code, *turn) for code in ("1", "2") for turn in zip(sides, said, strict=True)
    ]


def test_names_with_tabs_behind_them_are_no_fields(tmp_path: Path) -> None:
    text = "ann:\tSo it is, I think.\nben:\tWell, no.\n" * 3
    assert {s.speaker for s in read(tmp_path, text, "talk.txt")} == {"ann", "ben"}


ROWS = [{"utt_id": f"u{n}", "prompt": text} for n, text in enumerate((ASKED, TOLD, "No, never."))]
LINES = "\n".join(map(json.dumps, ROWS))
TABLE = "\n".join(["utt_id,prompt", *(f'{r["utt_id"]},"{r["prompt"]}"' for r in ROWS)])
DOORS = {"json": json.dumps(ROWS), "jsonl": LINES, "csv": TABLE}


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("suffix", ["txt", "own", "other"])
def test_prompts_beside_ids_are_read_at_each_door(name: str, suffix: str, tmp_path: Path) -> None:
    ends = {"own": name, "other": "csv" if name == "csv" else "json"}
    transcript = read(tmp_path, DOORS[name], f"talk.{ends.get(suffix, suffix)}")
    assert [(s.utterance, " ".join(s.words)) for s in transcript] == [
        (row["utt_id"], row["prompt"]) for row in ROWS
    ]


def test_lines_with_one_comma_are_no_table(tmp_path: Path) -> None:
    text = "Audio, said Ann\nSo it is, well\nAnd so, no\nThen we too, went\n"
    assert not any(s.utterance for s in read(tmp_path, text, "talk.txt"))


def test_short_chunks_of_words_with_a_dash_are_words(tmp_path: Path) -> None:
    said = [" - So", " it", " is.", " - Well,", " no."]
    chunks = [{"text": text, "timestamp": [n / 2, n / 2 + 0.4]} for n, text in enumerate(said)]
    transcript = read(tmp_path, {"text": "".join(said), "chunks": chunks})
    assert [" ".join(s.words) for s in transcript] == ["- So it is. - Well, no."]


def test_signs_between_turns_begin_segments(tmp_path: Path) -> None:
    line = f"{ASKED} __eou__ {TOLD} __eou__\n"
    assert turns(read(tmp_path, line * 2, "talk.txt")) == [
        (code, None, text) for code in ("1", "2") for text in (ASKED, TOLD)
    ]


def test_lines_of_films_have_speakers(tmp_path: Path) -> None:
    lines = [
        f"L{n} +++$+++ u{n} +++$+++ m{n // 2} +++$+++ {name} +++$+++ {text}"
        for n, (name, text) in enumerate([("ANN", ASKED), ("BEN", TOLD)] * 2)
    ]
    assert turns(read(tmp_path, "\n".join(lines), "lines.txt")) == [
        (film, name, text)
        for film in ("m0", "m1")
        for name, text in (("ANN", ASKED), ("BEN", TOLD))
    ]


def test_numbered_lines_with_replies_are_dialogues(tmp_path: Path) -> None:
    lines = ["1 your persona: i like old vans.", f"2 {ASKED}\t{TOLD}\t\tno|{TOLD}|yes"]
    transcript = read(tmp_path, "\n".join(lines * 2), "talk.txt")
    assert turns(transcript) == [
        (code, name, text) for code in ("1", "2") for name, text in (("A", ASKED), ("B", TOLD))
    ]
    assert KINDS_LEFT in [d.value.entry for d in transcript.diagnostics]


def test_numbered_sentences_are_no_dialogues(tmp_path: Path) -> None:
    text = "".join(f"{n} {said}\n" for n, said in enumerate((ASKED, TOLD, "No, never."), 1))
    assert {s.speaker for s in read(tmp_path, text, "talk.txt")} == {None}


def test_dates_of_nested_messages_are_starts(tmp_path: Path) -> None:
    rows = [
        {
            "from": {"user": {"name": name}},
            "sent_at": f"2024-03-01 10:00:{n}0",
            "body": {"content": t},
        }
        for n, (name, t) in enumerate([("Ann", ASKED), ("Ben", TOLD), ("Ann", "No, never.")])
    ]
    transcript = read(tmp_path, {"value": rows})
    assert [s.start for s in transcript] == [0.0, 10.0, 20.0]


def test_durations_in_parts_have_the_unit_of_the_start(tmp_path: Path) -> None:
    rows = [
        {"text": text, "startTimeMs": 1000 * n, "duration": {"milliseconds": 900}, "speaker": "A"}
        for n, text in enumerate((ASKED, TOLD, "No, never."))
    ]
    assert [(s.start, s.end) for s in read(tmp_path, {"phrases": rows})] == [
        (n, n + 0.9) for n in range(3)
    ]


def test_an_empty_list_names_no_speaker(tmp_path: Path) -> None:
    rows = [{"speakers": ["Ann"], "transcript": ASKED}, {"speakers": ["Ben"], "transcript": TOLD}]
    scene = {"utterances": [*rows * 2, {"speakers": [], "transcript": ""}]}
    transcript = read(tmp_path, {"scenes": [scene, scene]})
    assert [turn[1:] for turn in turns(transcript) if turn[2]] == [
        ("Ann", ASKED),
        ("Ben", TOLD),
    ] * 4


def test_what_is_read_in_some_rows_is_not_reported_as_unread(tmp_path: Path) -> None:
    rows = [{"type": "action", "text": "The rain is falling on the quiet old harbour."}]
    rows += [{"type": "dialogue", "speaker": "Ann", "text": ASKED}] * 2
    assert MEMBERS_UNREAD["text"] not in [d.value.entry for d in read(tmp_path, rows).diagnostics]


def test_names_of_members_that_are_read_nowhere_are_not_reported_as_speakers(
    tmp_path: Path,
) -> None:
    asked = [{"query": "What did they talk of?", "answer": "They talked of the old van."}]
    said = [{"speaker": name, "content": text} for name, text in (("A", ASKED), ("B", TOLD))]
    transcript = read(tmp_path, {"queries": asked, "meeting_transcripts": said * 2})
    assert SPEAKERS_OF_MEMBERS not in [d.value.entry for d in transcript.diagnostics]


def test_the_hint_names_only_members_that_can_be_read(tmp_path: Path) -> None:
    paths = {f"/vans/{n}": {"get": {"summary": "One van.", "description": TOLD}} for n in range(3)}
    servers = [{"url": "https://vans.example", "description": "The server of the old vans."}]
    value = {"openapi": "3.0.0", "info": {"title": "Vans"}, "servers": servers, "paths": paths}
    with pytest.raises(UnknownFormatError) as problem:
        read(tmp_path, value)
    assert getattr(problem.value.value, "entry", None) != UNKNOWN_TEXT


def test_ends_that_are_all_zero_are_not_reported_as_unread(tmp_path: Path) -> None:
    lines = [
        {"startTimeMs": str(4000 * n), "words": text, "endTimeMs": "0"}
        for n, text in enumerate((ASKED, TOLD, "No, never."))
    ]
    transcript = read(tmp_path, {"lyrics": {"lines": lines}})
    assert [s.start for s in transcript] == [0.0, 4.0, 8.0]
    assert MEMBERS_UNREAD["end"] not in [d.value.entry for d in transcript.diagnostics]


def test_directions_without_ids_leave_speakers_their_names(tmp_path: Path) -> None:
    rows = [(1, "Ann", ASKED), (2, "Ben", TOLD), ("", "", "The van leaves.")] * 2
    table = "\n".join(
        ["character_id,raw_character_text,spoken_words"]
        + [f'{code},{name},"{text}"' for code, name, text in rows]
    )
    speakers = [s.speaker for s in read(tmp_path, table, "talk.csv")]
    assert speakers == ["Ann", "Ben", None] * 2


def test_times_of_texts_with_several_turns_are_not_said_to_be_read(tmp_path: Path) -> None:
    talk = f"Ann: {ASKED}\nBen: {TOLD}\n"
    rows = [{"text": talk * 2, "start_ms": 9000 * n, "end_ms": 9000 * n + 8000} for n in (0, 1)]
    transcript = read(tmp_path, {"utterances": rows})
    assert {s.speaker for s in transcript} == {"Ann", "Ben"}
    told = [d.value.fields for d in transcript.diagnostics if d.value.entry == MEMBER_NAMES]
    assert not any("start_ms" in fields["names"] for fields in told)
