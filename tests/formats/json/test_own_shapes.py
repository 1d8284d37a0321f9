"""JSON of shapes that people make themselves: the speech in it, the speakers, and the notes on the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.io.messages import END_EARLY
from formats.json.messages import SPEAKERS_OF_MEMBERS, TAG, TIMES_ARE_FLAGS
from formats.manifests.messages import DOCUMENTS_WITHIN, TEXT_OF_SEVERAL
from formats.schema.errors import FormatError
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.remarks import fields_of

Row = dict[str, Any]
Reader = Callable[..., formats.Transcript]
TALK = "Agent: so it is\nCaller: well then\nAgent: and now"
LINES = [{"speaker": "A", "text": "so it is"}, {"speaker": "B", "text": "well then"}]
SHORT = [("so it is then", "a"), ("well then we go", "b"), ("and off we are", "c")]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Detect and read a value, written as JSON or as JSON lines."""

    def read_value(value: Any, *, lines: bool = False) -> formats.Transcript:
        path = tmp_path / ("rec.jsonl" if lines else "rec.json")
        rows = [json.dumps(row) + "\n" for row in value] if lines else [json.dumps(value)]
        path.write_text("".join(rows), encoding="utf-8")
        return formats.read(path)

    return read_value


def turns(transcript: formats.Transcript) -> list[str]:
    return [f"{s.recording} {s.speaker} {s.start}: {' '.join(s.words)}" for s in transcript]


CASES: dict[str, tuple[Any, list[str]]] = {
    "clock times with blanks": (
        [
            {"text": "so it is", "start_time": "00: 00: 29", "end_time": "00: 00: 32"},
            {"text": "well then", "start_time": "00: 02: 13", "end_time": "00: 02: 15"},
        ],
        ["rec None 29.0: so it is", "rec None 133.0: well then"],
    ),
    "milliseconds since 1970, and sessions": (
        [
            {"sessionId": "s1", "speaker": "USER", "text": "so it is", "timestamp": 1764207493396},
            {"sessionId": "s1", "speaker": "AI", "text": "well then", "timestamp": 1764207499396},
            {"sessionId": "s2", "speaker": "USER", "text": "and now", "timestamp": 1764207599396},
        ],
        ["s1 USER 0.0: so it is", "s1 AI 6.0: well then", "s2 USER 0.0: and now"],
    ),
    "all captions in one text": (
        {"video_id": "v1", "video_name": "My talk", "captions": "so it is and then " * 9},
        ["v1 None None: " + " ".join(["so", "it", "is", "and", "then"] * 9)],
    ),
    "names of persons": (
        {
            "speeches": [
                {"personname": "Ann Lee", "party": "X", "text": "so it is then"},
                {"personname": "Ben Orr", "party": "Y", "text": "well then we go"},
            ]
        },
        ["rec Ann Lee None: so it is then", "rec Ben Orr None: well then we go"],
    ),
    "an original beside its translation": (
        {
            "history": [
                {"timestamp": 1.5, "original": "so it is then", "translated": "so ist es"},
                {"timestamp": 4.5, "original": "well then we go", "translated": "also gut"},
            ]
        },
        ["rec None 1.5: so it is then", "rec None 4.5: well then we go"],
    ),
    "a flag of the user": (
        [{"text": "so it is", "isUser": True}, {"text": "well then", "isUser": False}],
        ["rec user None: so it is", "rec other None: well then"],
    ),
    "a list of turns as a text": (
        [{"id": "x", "dialogue": json.dumps(LINES)}, {"id": "y", "dialogue": json.dumps(LINES)}],
        [f"{name} {s} None: {t}" for name in "xy" for s, t in (("A", "so it is"), ("B", "well then"))],
    ),
    "marks in a text": (
        [
            {
                "character": "Ann",
                "line": "Mr. Orr went to York",
                "entities": [
                    {"text": "Orr", "start": 4, "end": 7},
                    {"text": "York", "start": 16, "end": 20},
                ],
            },
            {"character": "Ben", "line": "so it is", "entities": []},
        ],
        ["rec Ann None: Mr. Orr went to York", "rec Ben None: so it is"],
    ),
    "durations alone, one after the other": (
        {"scenes": [
            {"narration": "so it is then, as we said", "image_prompt": "a house", "duration": 2.5},
            {"narration": "well then we go there now", "image_prompt": "a road", "duration": 2},
        ]},
        [
            "rec None 0.0: so it is then, as we said",
            "rec None 2.5: well then we go there now",
        ],
    ),
    "durations in milliseconds, in songs with names": (
        {"songs": [
            {"name": "One", "lyrics": [{"duration": 2500, "text": text} for text, _ in SHORT]},
            {"name": "Two", "lyrics": [{"duration": 2000, "text": text} for text, _ in SHORT]},
        ]},
        [
            *(f"One None {2.5 * n}: {text}" for n, (text, _) in enumerate(SHORT)),
            *(f"Two None {2.0 * n}: {text}" for n, (text, _) in enumerate(SHORT)),
        ],
    ),
    "an object of lists of texts": (
        {
            name: [{"name": f"{name} {text}", "text": f"{name}, {text}"} for text, _ in SHORT]
            for name in ("At sea", "On land")
        },
        [
            f"{name} None None: {name}, {text}"
            for name in ("At sea", "On land")
            for text, _ in SHORT
        ],
    ),
    "objects with lists of cues under one member": (
        {"made": 1, "videos": {
            name: {"title": name, "subtitles": [
                {"start": 2 * n, "end": 2 * n + 2, "text": text} for n, (text, _) in enumerate(SHORT)
            ]} for name in ("1-EN", "1-IT")
        }},
        [f"{name} None {2.0 * n}: {text}" for name in ("1-EN", "1-IT") for n, (text, _) in enumerate(SHORT)],
    ),
    "a buyer and a seller": (
        [{"step": n, "buyer": text, "seller": f"no, {text}"} for n, (text, _) in enumerate(SHORT)],
        [turn for text, _ in SHORT for turn in (f"rec buyer None: {text}", f"rec seller None: no, {text}")],
    ),
    "a time of day beside its date": (
        [{"date": "2026-05-01", "time": f"09:0{n}", "sender": "AB"[n % 2], "message": text}
         for n, (text, _) in enumerate(SHORT)],
        [f"rec {'AB'[n % 2]} {60.0 * n}: {text}" for n, (text, _) in enumerate(SHORT)],
    ),
    "who said it, and texts that are null": (
        [{"n": n, "dialogue_spoken_by": "AB"[n % 2], "dialogue_text": f"{text} {n}"}
         for n, (text, _) in enumerate([*SHORT, *SHORT])],
        [f"rec {'AB'[n % 2]} None: {text} {n}" for n, (text, _) in enumerate([*SHORT, *SHORT])],
    ),
    "pairs of times under a name of no text": (
        [{"audio_filepath": "a1.wav", "segments": [
            {"bounds": [2 * n + 0.5, 2 * n + 2], "what_was_said": f"{text} {n}", "n": n}
            for n, (text, _) in enumerate(SHORT)
        ]}],
        [f"a1 None {2 * n + 0.5}: {text} {n}" for n, (text, _) in enumerate(SHORT)],
    ),
    "seconds of a slow talk": (
        [{"name": "AB"[n % 2], "text": text, "timestamp": 30 * n + 30} for n, (text, _) in enumerate(SHORT)],
        [f"rec {'AB'[n % 2]} {30.0 * n + 30}: {text}" for n, (text, _) in enumerate(SHORT)],
    ),
}  # fmt: skip


@each_case("title", CASES)
def test_own_shapes_are_read_as_a_person_would(title: str, read: Reader) -> None:
    value, expected = CASES[title]
    assert turns(read(value)) == expected


def test_html_in_json_lines_is_no_words_and_is_told(read: Reader) -> None:
    texts = ["so <i>it is</i> then", "well &amp; good<br>now", "plain"]
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    transcript = read(rows, lines=True)
    expected = ["so it is then", "well & good now", "plain"]
    assert [" ".join(s.words) for s in transcript] == expected
    assert TAG.code in codes(transcript)
    ours = [{"recording": "a", "text": "so <i>it</i>", "properties": {"x": "y"}}]
    assert [s.words for s in read(ours, lines=True)] == [("so", "<i>it</i>")]


def test_dialogues_in_the_texts_of_a_list_with_times_are_its_turns(read: Reader) -> None:
    rows: list[Row] = [
        {"Time": "10:15:27", "Transcription": TALK},
        {"Time": "10:17:00", "Transcription": TALK},
    ]
    transcript = read(rows)
    assert [s.speaker for s in transcript] == ["Agent", "Caller", "Agent"] * 2
    assert len({s.recording for s in transcript}) == 2
    assert DOCUMENTS_WITHIN.code in codes(transcript)
    named = read([{**row, "Username": "Ann"} for row in rows])
    assert [s.speaker for s in named] == ["Agent", "Caller", "Agent"] * 2
    assert ("speaker", "Ann") in named[0].properties


def test_classes_beside_sentences_are_no_words(read: Reader) -> None:
    rows = [{"label": "true", "claim": text, "source": name} for text, name in SHORT]
    assert [" ".join(s.words) for s in read(rows)] == [text for text, _ in SHORT]
    both = [{**row, "evidence": f"we saw that {row['claim']}"} for row in rows]
    try:
        words = [s.words for s in read(both)]
    except FormatError:
        words = []
    assert words == []


def test_an_empty_text_gives_way_to_a_script_but_not_in_a_hypothesis(read: Reader) -> None:
    rows = [{"audio": f"{n}.wav", "script": text, "transcription": ""} for text, n in SHORT]
    assert [" ".join(s.words) for s in read(rows, lines=True)] == [text for text, _ in SHORT]
    empty = [{"audio": f"{n}.wav", "transcription": ""} for _, n in SHORT]
    assert [s.words for s in read(empty, lines=True)] == [()] * 3


def test_the_text_of_a_person_beside_a_transcript_is_told(read: Reader) -> None:
    rows = [{"audio": f"{n}.wav", "ground_truth_text": t, "transcript": t[:9]} for t, n in SHORT]
    assert TEXT_OF_SEVERAL.code in codes(read(rows))


def test_the_end_of_a_word_before_its_start_is_dropped_and_told(read: Reader) -> None:
    words = [
        {"word": "so", "start": 0.6, "end": 0.8},
        {"word": "it", "start": 1.4, "end": 0.9},
        {"word": "is", "start": 1.5, "end": 1.7},
    ]
    segment = {"start": 0.5, "end": 2.25, "text": "so it is", "words": words}
    transcript = read({"segments": [segment]})
    assert [s.words for s in transcript] == [("so", "it", "is")]
    assert END_EARLY.code in codes(transcript)


def test_lines_with_a_recording_and_a_duration_but_no_start_are_no_supervisions(
    read: Reader,
) -> None:
    rows = [
        {"path": f"raw/{n}.wav", "sentence": t, "duration": 2.5, "recording_id": n, "segment_id": n}
        for t, n in SHORT
    ]
    assert [" ".join(s.words) for s in read(rows, lines=True)] == [text for text, _ in SHORT]


def test_rows_of_headings_are_no_turns(read: Reader) -> None:
    rows = [
        {"name": "OPENING", "type": "section"},
        {"name": "Chair", "spoken": "so it is", "type": "speaker"},
        {"name": "Member", "spoken": "well then", "type": "speaker"},
        {"name": "CLOSING", "type": "section"},
        {"name": "Chair", "spoken": "and now", "type": "speaker"},
        {"name": "Member", "spoken": "", "type": "speaker"},
    ]
    transcript = read({"date": "2020-01-02", "debate": rows})
    assert turns(transcript) == [
        "rec Chair None: so it is",
        "rec Member None: well then",
        "rec Chair None: and now",
        "rec Member None: ",
    ]
    told = [d.value for d in transcript.diagnostics if d.code == "WRAPPED"]
    assert [value.fields for value in told] == [{"elements": 2, "name": "OPENING"}]


def test_words_of_sentences_of_paragraphs_are_read(read: Reader) -> None:
    def sentence(start: int) -> Row:
        words = [{"word": w, "start": start + 300 * n, "end": start + 300 * n + 200}
                 for n, w in enumerate(("so", "it", "is"))]  # fmt: skip
        return {"start": start, "end": start + 900, "words": words}

    paragraphs = [
        {
            "start": start,
            "end": start + 2000,
            "sentences": [sentence(start), sentence(start + 1000)],
        }
        for start in (0, 3000)
    ]
    assert turns(read({"paragraphs": paragraphs})) == [
        f"rec None {start}: so it is" for start in (0.0, 1.0, 3.0, 4.0)
    ]


def test_raw_line_ends_in_texts_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "rec.json"
    path.write_text('[{"text": "so it\nis", "start": 0.5}, {"text": "well\tthen", "start": 2}]')
    transcript = formats.read(path)
    assert turns(transcript) == ["rec None 0.5: so it is", "rec None 2.0: well then"]
    assert [d.value.fields for d in transcript.diagnostics if d.code == "JSON-RAW"] == [
        {"texts": 2}
    ]


def test_lists_that_may_say_the_same_are_not_joined(read: Reader) -> None:
    rows = [{"text": text} for text, _ in SHORT]
    transcript = read({"lines": rows, "summary": [{"text": "a talk of the sea"}]})
    assert all(segment.recording == "rec" for segment in transcript)


def test_questions_and_answers_are_turns_if_nothing_else_has_phrases(read: Reader) -> None:
    pairs: list[Row] = [
        {"id": n, "question": f"how is number {n}", "answer": "it is well"} for n in range(3)
    ]
    transcript = read(pairs)
    assert [s.speaker for s in transcript] == ["question", "answer"] * 3
    assert " ".join(transcript[1].words) == "it is well"
    assert SPEAKERS_OF_MEMBERS.code in codes(transcript)
    assert SPEAKERS_OF_MEMBERS.code in codes(read(pairs, lines=True))
    deep = {"data": [{"id": 1}, {"id": 2, "pairs": pairs}]}
    assert SPEAKERS_OF_MEMBERS.code in codes(read(deep))
    columns = {"questions": ["how is it then", "who was it"], "answers": ["it is well", "not me"]}
    for value in (columns, {"id": 7, **columns}):
        assert [" ".join(s.words) for s in read(value)][:2] == ["how is it then", "it is well"]
    with pytest.raises(FormatError):
        read([{**row, "context": "so it was and so it is"} for row in pairs])


def test_talks_by_name_with_lists_of_texts_are_recordings(read: Reader) -> None:
    talks = {
        f"T{talk}.json": {
            "goal": {"inn": {"area": "north"}},
            "log": [{"text": f"so it is {talk} {n}", "metadata": {}} for n in range(3)],
        }
        for talk in (1, 2)
    }
    transcript = read(talks)
    assert [s.recording for s in transcript] == ["T1.json"] * 3 + ["T2.json"] * 3
    assert " ".join(transcript[4].words) == "so it is 2 1"


def test_timed_text_of_youtube_converted_from_xml_has_the_times_of_words(read: Reader) -> None:
    words = [{"_ac": "9", "__text": "so"}, {"_t": "350", "__text": "it"}]
    paragraphs: list[Row] = [
        {"_t": "500", "_d": "900", "_w": "1", "s": words},
        {"_t": "1400", "_w": "1", "_a": "1"},
        {"_t": "1500", "_d": "800", "__text": "[Music]"},
    ]
    body = {"w": {"_t": "0", "_id": "1"}, "p": paragraphs}
    transcript = read({"timedtext": {"head": {"ws": [{"_id": "0"}]}, "body": body}})
    assert [(s.start, s.end, s.words) for s in transcript] == [
        (0.5, 1.4, ("so", "it")),
        (1.5, 2.3, ("[Music]",)),
    ]
    assert transcript[0].starts_ns == (500_000_000, 850_000_000)


@pytest.mark.parametrize("name", ["agent", "caller"])
def test_a_speaker_may_be_a_list_of_one_name(read: Reader, name: str) -> None:
    rows: list[Row] = [
        {name: [who], "text": "so it is", "start": float(n)} for n, who in enumerate("ABAB")
    ]
    assert [s.speaker for s in read(rows)] == [*"ABAB"]
    assert [s.speaker for s in read(rows, lines=True)] == [*"ABAB"]


def test_texts_that_begin_with_returning_names_are_turns(read: Reader) -> None:
    texts = ["0: so it is", "1: well then", "0: and so on", "1: good"]
    assert turns(read({"history": texts}))[0].endswith(" 0 None: so it is")
    plain = ["Plan: so it is", "Goal: well then", "Next: and so on", "End: that is all"]
    assert [s.speaker for s in read({"history": plain})] == [None] * 4


def test_lists_of_texts_of_other_lengths_are_texts(read: Reader) -> None:
    talks = [["so it is", "well then"], ["and so on", "no it is not", "why then"]]
    assert [" ".join(s.words) for s in read(talks)] == [text for talk in talks for text in talk]


def test_a_message_of_a_chat_has_its_role_and_its_parts(read: Reader) -> None:
    rows: list[Row] = [
        {
            "author": {"role": role},
            "content": {"content_type": "text", "parts": ["so it is", "then"]},
        }
        for role in ("user", "assistant", "user", "assistant")
    ]
    assert turns(read({"log": rows}))[1].endswith(" assistant None: so it is then")


def test_speakers_that_are_numbers_take_turns(read: Reader) -> None:
    def row(start: int) -> Row:
        return {"start": start + 0.5, "end": start + 2.0, "text": f"so it is {start}"}

    parts = {"0": [row(0), row(4), row(6)], "1": [row(2), row(8)]}
    assert [s.speaker for s in read(parts)] == [*"01001"]
    both = {"0": [row(0), row(2), row(4)], "1": [row(0), row(2), row(4)]}
    assert {s.recording for s in read(both)} == {"0", "1"}


def test_the_only_increasing_decimals_are_starts(read: Reader) -> None:
    rows: list[Row] = [
        {"t_0": start, "text": "so it is then", "n": n}
        for n, start in enumerate([0.5, 2.25, 4.0, 5.75, 8.5])
    ]
    assert [s.start for s in read(rows)] == [0.5, 2.25, 4.0, 5.75, 8.5]


def test_phrases_with_starts_in_an_object_without_text_are_turns(read: Reader) -> None:
    rows: list[Row] = [
        {"StartTime": f"00:00:0{n},500", "duration": "00:00:01,000", "line": "so it is then well"}
        for n in (0, 2, 4, 6)
    ]
    transcript = read([{"tags": ["x"], "payload": rows}])
    assert [s.start for s in transcript] == [0.5, 2.5, 4.5, 6.5]


def test_the_length_of_a_recording_is_not_that_of_each_turn(read: Reader) -> None:
    rows = [
        {"ini": f"{start:.2f}s", "phrase_x": f"so it is {word}"}
        for start, word in ((0.5, "then"), (2.5, "late"), (4.5, "dark"))
    ]
    transcript = read({"data": {"parts": rows, "kind": "talk"}, "duration": 999.5})
    assert [(s.start, s.end) for s in transcript] == [(0.5, None), (2.5, None), (4.5, None)]
    assert ("recording duration", "999.5") in transcript[0].properties


def test_a_list_of_words_for_each_language_is_read_if_it_is_named(tmp_path: Path) -> None:
    said = [("so it is then", "so ist es also"), ("well then we go", "also gehen wir")]
    rows = [
        {"tStartMs": n * 2000, "dDurationMs": 1500, "text": {"en": a.split(), "de": b.split()}}
        for n, (a, b) in enumerate(said)
    ]
    path = tmp_path / "song.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(FormatError, match=r"text\.en"):
        formats.read(path)
    read = formats.read(path, "json", member="text=text.de")
    assert [(s.start, s.end, " ".join(s.words)) for s in read] == [
        (0.0, 1.5, "so ist es also"),
        (2.0, 3.5, "also gehen wir"),
    ]


def test_an_object_that_says_who_speaks_is_a_speaker_beside_a_text_of_any_name(
    read: Reader,
) -> None:
    rows = [
        {"speakerId": {"id": n % 2, "label": "AB"[n % 2]}, "phrase_x": f"so it is {word}", "id": n}
        for n, word in enumerate(("then", "late", "dark"))
    ]
    assert [s.speaker for s in read({"log": rows})] == ["A", "B", "A"]


def test_seconds_since_1970_in_quotes_count_from_the_first(read: Reader) -> None:
    said = [("1712344300.000400", "so it is"), ("1712344304.500400", "well then")]
    rows = [{"Timestamp": time, "Username": "U1", "Text": text} for time, text in said]
    for lines in (False, True):
        transcript = read(rows, lines=lines)
        assert [s.start for s in transcript] == [0, 4.5]
        assert "TIME-OF-DAY" in codes(transcript)


def test_passages_beside_turns_with_times_are_not_read(read: Reader) -> None:
    turns = [
        {"time_ms": 760 * n, "text": text, "speaker": None} for n, (text, _) in enumerate(SHORT)
    ]
    value = {
        "title": "So",
        "passages": ["so it is then well", "and off we are"],
        "transcript": turns,
    }
    assert [" ".join(s.words) for s in read(value)] == [text for text, _ in SHORT]


def test_who_speaks_is_the_same_member_in_rows_with_fewer_members(tmp_path: Path) -> None:
    rows = [
        {"id": n, "content": f"I write to you of day {n}.", "author": f"Name{n}", "category": ""}
        for n in range(9)
    ]
    for row in rows[:2]:
        row["time"] = ""
    path = tmp_path / "letters.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert [s.speaker for s in formats.read(path)] == [f"Name{n}" for n in range(9)]


@pytest.mark.parametrize("name", ["screen_name", "login", "nickname", "handle"])
def test_the_name_in_the_account_of_a_user_is_the_speaker(name: str, tmp_path: Path) -> None:
    rows = [
        {"user": {name: who, "followers": 7}, "full_text": f"We are at the river of day {n}!"}
        for n, who in enumerate(["ann", "ben", "ann", "ben"])
    ]
    path = tmp_path / "posts.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert [s.speaker for s in formats.read(path)] == ["ann", "ben", "ann", "ben"]


def test_flags_are_no_times(tmp_path: Path) -> None:
    rows = [
        {"character": name, "text": text, "ts_in": flag, "ts_out": 0}
        for name, text, flag in [
            ("A", "So where are we now?", 1), ("B", "Nobody told me.", 0), ("A", "Ask her then.", 0),
        ]
    ]  # fmt: skip
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"dialog": rows}), encoding="utf-8")
    result = formats.read(path)
    assert [(s.speaker, s.start) for s in result.segments] == [
        ("A", None),
        ("B", None),
        ("A", None),
    ]
    assert fields_of(result.diagnostics, TIMES_ARE_FLAGS) == [{"name": "ts_in"}]


def test_a_text_of_whisper_without_segments_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"text": "So it was.", "segments": []}', encoding="utf-8")
    result = formats.read(path)
    assert result.format == "whisper"
    assert result.segments[0].words == ("So", "it", "was.")


@each_case("name", ["member_name", "channelName", "mp_name"])
def test_the_member_of_a_parliament_is_the_speaker(read: Reader, name: str) -> None:
    rows = [
        {name: who, "text": row["text"]} for who, row in zip(("Ann", "Bob"), LINES, strict=True)
    ]
    assert [s.speaker for s in read(rows).segments] == ["Ann", "Bob"]


def test_one_language_of_turns_in_dialogues_can_be_named(tmp_path: Path) -> None:
    lines = [{"role": "A", "zh": "so it was", "ja": "or so"}, {"role": "B", "zh": "no", "ja": "go"}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"dialogues": [{"title": "x", "lines": lines}]}), encoding="utf-8")
    result = formats.read(path, format="json", member="text=zh")
    assert [(s.speaker, s.words) for s in result.segments] == [
        ("A", ("so", "it", "was")), ("B", ("no",)),
    ]  # fmt: skip
