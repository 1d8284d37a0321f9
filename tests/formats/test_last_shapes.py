"""Shapes of texts, tables and JSON that a person understands, each with its own meaning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.io.messages import FRAMES_ASSUMED, MARKS_LEFT, NAMES_LEFT
from formats.json.messages import (
    MASKED_WORDS,
    SPEAKERS_OF_MEMBERS,
    TABLE_NAMED,
    TEXTS,
    TIMES_OF_DATE,
)
from formats.manifests.messages import DOCUMENTS_WITHIN
from formats.meetings.messages import CHAT_OF_DAYS, CHAT_OVER_DAYS, FIELDS_LEFT, LINES_LEFT
from formats.nist.messages import TXT_ALONE, TXT_LEFT, TXT_SHORT
from formats.schema.errors import FormatError, SyntaxFormatError
from formats.schema.messages import Message
from tests.each_case import each_case

Rows = list[tuple[Any, ...]]


def read(folder: Path, name: str, content: object, **options: Any) -> tuple[Rows, list[Message]]:
    """Return recording, identifier, speaker, start, end and text of segments, and the messages."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    transcript = formats.read(path, **options)
    rows = [
        (s.recording, s.utterance, s.speaker, s.start, s.end, " ".join(s.words)) for s in transcript
    ]
    return rows, [diagnostic.value for diagnostic in transcript.diagnostics]


def entries(messages: list[Message]) -> list[object]:
    return [message.entry for message in messages]


TALK = [("agent", "good morning"), ("user", "hello"), ("agent", "how are you")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", [{"type": kind, "text": text} for kind, text in TALK]),
        ("a.jsonl", "".join(json.dumps({"type": k, "text": t}) + "\n" for k, t in TALK)),
        ("a.csv", "type,text\n" + "".join(f"{k},{t}\n" for k, t in TALK)),
    ],
)
def test_a_type_that_says_who_speaks_is_the_speaker(
    name: str, content: object, tmp_path: Path
) -> None:
    rows, _ = read(tmp_path, name, content)
    assert [(row[2], row[5]) for row in rows] == TALK


def test_another_type_is_no_speaker(tmp_path: Path) -> None:
    rows, _ = read(tmp_path, "a.csv", "type,text\nspeech,good morning\nsong,la\nspeech,bye\n")
    assert [row[2] for row in rows] == [None] * 3


@pytest.mark.parametrize(
    ("last", "fps", "starts", "rate"),
    [
        ("20", "", [0.0, 0.8, 1.2], 25),
        ("24", "50", [0.0, 0.48, 1.1], None),
        ("27", "", [0.0, 0.9, 1 + 5 / 30], 30),
    ],
)
def test_columns_of_time_codes(
    last: str, fps: str, starts: list[float], rate: int | None, tmp_path: Path
) -> None:
    table = f"t,word\n00:00:00:00,well\n00:00:00:{last},then\n00:00:01:05,so\n"
    rows, messages = read(tmp_path, "a.csv", table, fps=fps)
    assert [row[3] for row in rows] == pytest.approx(starts)
    given = [m.fields["fps"] for m in messages if m.entry is FRAMES_ASSUMED]
    assert given == ([] if rate is None else [rate])


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("a.txt", "GOOD MORNING ALL\tx/1.wav\nYES\tx/2.wav\n"),
        ("a.csv", "GOOD MORNING ALL,x/1.wav\nYES,x/2.wav\n"),
        ("a.tsv", "x/1.wav\tGOOD MORNING ALL\nx/2.wav\tYES\n"),
    ],
)
def test_a_column_of_audio_files_names_recordings(name: str, table: str, tmp_path: Path) -> None:
    rows, _ = read(tmp_path, name, table)
    assert [(row[0], row[5]) for row in rows] == [("1", "GOOD MORNING ALL"), ("2", "YES")]


def test_a_label_before_a_text_is_the_speaker(tmp_path: Path) -> None:
    _, messages = read(tmp_path, "a.json", {"transcription": "Speaker 1:  Good morning.\n"})
    assert DOCUMENTS_WITHIN in entries(messages)
    _, messages = read(tmp_path, "a.json", {"transcription": "Note: good morning.\n"})
    assert DOCUMENTS_WITHIN not in entries(messages)


def test_a_word_with_a_colon_below_a_name_alone_is_text(tmp_path: Path) -> None:
    turns = "Ann:\nWhat do we need?\n\nBob:\nSure:\n1. tea\n\nAnn:\nThanks.\n\nBob:\nYes.\n"
    rows, _ = read(tmp_path, "a.txt", turns)
    assert [row[2] for row in rows] == ["Ann", "Bob", "Ann", "Bob"]
    assert rows[1][5] == "Sure: 1. tea"


def test_a_word_with_a_colon_inside_a_paragraph_is_text(tmp_path: Path) -> None:
    turns = "Ann: Hello.\n\nBob: Well.\n\nAnn: It is so.\nNote: not now.\n\nBob: I see.\n"
    rows, messages = read(tmp_path, "a.txt", turns)
    assert [(row[2], row[5]) for row in rows][2] == ("Ann", "It is so. Note: not now.")
    assert LINES_LEFT in entries(messages)


def test_a_person_who_speaks_once_is_a_speaker(tmp_path: Path) -> None:
    turns = "Ann: Hello.\nBob: Well.\nAnn: It is so.\nCarl: Not now.\nBob: I see.\n"
    rows, _ = read(tmp_path, "a.txt", turns)
    assert [row[2] for row in rows] == ["Ann", "Bob", "Ann", "Carl", "Bob"]


def test_titles_between_signs_in_plain_text_are_no_words(tmp_path: Path) -> None:
    text = "\n--- Part one ---\nwell\n\n=== Part two ===\nso\n"
    rows, messages = read(tmp_path, "a.txt", text)
    assert [row[5] for row in rows] == ["well so"]
    assert [m.fields for m in messages if m.entry is TXT_LEFT["rules"]] == [{"lines": 2}]
    rows, _ = read(tmp_path, "b.txt", "well --- then\nand --- so ---\n")
    assert [row[5] for row in rows] == ["well --- then and --- so ---"]


def test_headings_without_a_blank_are_no_words(tmp_path: Path) -> None:
    rows, _ = read(tmp_path, "a.md", "##Part (1/2)\n\nso it was\n\n##Part (2/2)\n\nand #so on\n")
    assert [row[5] for row in rows] == ["so it was and #so on"]


def test_names_of_fields_are_no_speakers(tmp_path: Path) -> None:
    rows, messages = read(tmp_path, "a.txt", "URL: x.yz/a\nTranscript: so it was.\n\n" * 4)
    assert [(row[2], row[5]) for row in rows] == [(None, "so it was.")] * 4
    assert FIELDS_LEFT in entries(messages)


def test_fields_of_records_are_no_speakers(tmp_path: Path) -> None:
    records = "\n".join(f"Timestamp: 10:0{n}\nSpeaker: Ann\nText: well\n" for n in range(5))
    rows, _ = read(tmp_path, "a.txt", records)
    assert {(row[2], row[5]) for row in rows} == {("Ann", "well")}


@each_case(
    ("lines", "entry"),
    [
        (["1.5", "so it was", "2.5", "so"], TXT_ALONE["numbers"]),
        (["=====", "so it was", "====="], TXT_LEFT["rules"]),
        (["ANN", "HOST", "so it was", "BEN", "", "and so", "ANN", "HOST", "so"] * 3, TXT_SHORT),
        ([f"Memo {n // 2}" if n % 2 else "so it was all along" for n in range(8)], TXT_SHORT),
        (["**so** it **was** so", "and **so**"], MARKS_LEFT),
        (["https://x.yz/a?b", "", "so it was"], TXT_LEFT["head"]),
        (["so it was", "", "[4:10]", "and so"], TXT_LEFT["rules"]),
    ],
)
def test_what_is_probably_no_speech_in_plain_text_is_warned_of(
    lines: list[str], entry: object, tmp_path: Path
) -> None:
    assert entry in entries(read(tmp_path, "a.txt", "\n".join(lines))[1])


@each_case(
    ("texts", "entry"),
    [
        (["Ann Ex (00:09): so", "so (00:12) it", "was (00:15) so"], MARKS_LEFT),
        (["A: so", "it was", "B: well", "A: and", "B: so", "or"], None),  # speakers of captions
        (
            ["ANN So it was", "BEN LEE (low) Well", "ANN And so", "BEN LEE No", "it rains"],
            NAMES_LEFT,
        ),
        (["NASA says so", "and so it was", "OK then", "it rains", "I see"], None),
        ([">> so", "it was >> so", ">> well"], None),  # signs of another speaker
        (["- So it was. - Yes", "– Well. – So", "Jim - my friend - so"], MARKS_LEFT),
        (["-So it was. -Yes.", "–Well. –So.", "-No, it is a well-known -one"], MARKS_LEFT),
        (["the dog was play/ing", "he want/ed it", "and the cat/'s ball"], MARKS_LEFT),
        (["so it was", "(00:15) and 10:30 too", "A: so", "B: well"], MARKS_LEFT),
        (["so it was", "so 15 and 10:30 too", "A: so", "B: well"], None),
    ],
)
def test_marks_and_names_that_are_left_among_words_are_warned_of(
    texts: list[str], entry: object, tmp_path: Path
) -> None:
    table = "start,end,text\n" + "".join(f"{n},{n + 1},{text}\n" for n, text in enumerate(texts))
    document = [{"start": n, "end": n + 1, "text": text} for n, text in enumerate(texts)]
    for name, content in (("a.csv", table), ("a.json", document)):
        found = {MARKS_LEFT, NAMES_LEFT}.intersection(entries(read(tmp_path, name, content)[1]))
        assert found == ({entry} if entry else set())


def test_entities_are_characters_in_tables_and_json(tmp_path: Path) -> None:
    texts = ["so it &nbsp; was", "&amp; and", "&nbsp; so"]
    table = "start,end,text\n" + "".join(f"{n},{n + 1},{text}\n" for n, text in enumerate(texts))
    assert MARKS_LEFT not in entries(read(tmp_path, "a.csv", table)[1])
    document = [{"start": n, "end": n + 1, "text": text} for n, text in enumerate(texts)]
    assert MARKS_LEFT not in entries(read(tmp_path, "a.json", document)[1])


def test_a_text_with_times_in_a_cell_is_read_as_turns(tmp_path: Path) -> None:
    table = 'file,transcript\na.docx,"Ann Ex (00:09):\n\nso\n\nBen (00:30):\n\nyes (01:00)"\n'
    assert DOCUMENTS_WITHIN in entries(read(tmp_path, "a.csv", table)[1])


def test_single_words_without_times_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, "a.csv", "subject,content,character\ns1,Ann,Ann\ns1,Ann,Ben\ns2,Ben,Ann\n")


def test_a_text_in_another_language_is_no_speaker(tmp_path: Path) -> None:
    rows = [
        {"start": n, "end": n + 1, "text": "so it was", "translated_text": text}
        for n, text in enumerate(("eins", "zwei", "eins"))
    ]
    codes = {message.entry.code for message in read(tmp_path, "a.json", rows)[1]}
    assert codes.isdisjoint(("JSON-SPEAKER", "JSON-TEXT"))


def test_times_and_text_by_the_names_of_iflytek(tmp_path: Path) -> None:
    rows = [
        {"bg": "0", "ed": "5490", "onebest": "so it was", "speaker": "1"},
        {"bg": "6240", "ed": "14630", "onebest": "and so on it went", "speaker": "2"},
    ]
    assert read(tmp_path, "a.json", rows)[0] == [
        ("a", None, "1", 0.0, 5.49, "so it was"),
        ("a", None, "2", 6.24, 14.63, "and so on it went"),
    ]


@pytest.mark.parametrize(
    ("content", "ids"),
    [
        (["good morning all", "how are you"], [None, None]),
        ({"u1": "good morning all", "u2": "how are you"}, ["u1", "u2"]),
        (
            {"talks": [{"transcript": "good morning all"}, {"transcript": "how are you"}]},
            [None] * 2,
        ),
        ({"a.wav": "good morning all", "b.wav": "how are you"}, ["a", "b"]),
    ],
)
def test_texts_alone_are_utterances(content: object, ids: list[str], tmp_path: Path) -> None:
    rows, messages = read(tmp_path, "a.json", content)
    assert [row[1] for row in rows] == ids
    assert [row[5] for row in rows] == ["good morning all", "how are you"]
    is_table = isinstance(content, dict) and "talks" in content
    assert (TABLE_NAMED if is_table else TEXTS) in entries(messages)


@pytest.mark.parametrize(
    "content",
    [
        ["red", "green", "blue"],
        ["0.5", "0.25"],
        {"title": "our first talk", "by": "Ann of Example"},
        ["https://example.org/a", "see the page there for more"],
    ],
)
def test_other_texts_are_no_utterances(content: object, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, "a.json", content)


def test_lists_of_conversations_are_read_in_order(tmp_path: Path) -> None:
    said = [{"role": role, "content": text} for role, text in TALK]
    rows, _ = read(tmp_path, "a.json", [said, said[:2]])
    assert [(row[2], row[5]) for row in rows] == [*TALK, *TALK[:2]]


def test_lists_of_words_are_segments(tmp_path: Path) -> None:
    first = [{"word": "well", "start": 0.5, "end": 0.75}, {"word": "so", "start": 1, "end": 1.5}]
    then = [{"word": "yes", "start": 2, "end": 2.5}]
    for content in ([first, then], {"whole": ["well so", "yes"], "times": [first, then]}):
        rows, _ = read(tmp_path, "a.json", content)
        assert [row[3:] for row in rows] == [(0.5, 1.5, "well so"), (2.0, 2.5, "yes")]


def test_an_error_in_a_list_of_lists_has_its_path(tmp_path: Path) -> None:
    words = [{"word": "yes", "start": n, "end": n + 0.5} for n in range(20)]
    words[15]["end"] = "late"
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"times": [words[:10], words[10:]]}, indent=1), encoding="utf-8")
    with pytest.raises(SyntaxFormatError, match=r"\$\.times\[1\]\.words\[5\]\.end"):
        formats.read(path)


def test_lists_whose_times_begin_again_are_not_put_together(tmp_path: Path) -> None:
    said = [{"role": "a", "text": "good morning", "start": n} for n in range(3)]
    rows, _ = read(tmp_path, "a.json", [said, said])
    assert [row[0] for row in rows] == ["a-1"] * 3 + ["a-2"] * 3


@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_times_with_underscores(name: str, tmp_path: Path) -> None:
    times = [("00_00_10", "00_05_00"), ("00_05_00", "01_00_00")]
    content: object = [{"start": a, "end": b, "content": "good morning"} for a, b in times]
    if name == "a.csv":
        content = "start,end,text\n" + "".join(f"{a},{b},good morning\n" for a, b in times)
    rows, _ = read(tmp_path, name, content)
    assert [row[3:5] for row in rows] == [(10.0, 300.0), (300.0, 3600.0)]


@pytest.mark.parametrize("name", ["a.md", "a.unknown"])
def test_cues_without_a_signature_or_numbers(name: str, tmp_path: Path) -> None:
    cues = "00:00.000 --> 00:02.500\nGood morning.\n\n00:02.500 --> 01:04.000\nYes.\n"
    rows, _ = read(tmp_path, name, cues)
    assert [row[3:] for row in rows] == [(0.0, 2.5, "Good morning."), (2.5, 64.0, "Yes.")]


def test_dates_count_from_the_first(tmp_path: Path) -> None:
    times = ["2024-03-31T23:59:58.500Z", "2024-04-01T02:00:01+02:00", "2024-03-31T20:30:04-03:30"]
    content = [{"timestamp": time, "role": "user", "message": "good morning"} for time in times]
    rows, messages = read(tmp_path, "a.json", content)
    assert [row[3] for row in rows] == [0.0, 2.5, 5.5]
    assert TIMES_OF_DATE in entries(messages)


@pytest.mark.parametrize(
    "time", ["1999-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00", "2024-13-01"]
)
def test_dates_of_no_recording_are_not_read(time: str, tmp_path: Path) -> None:
    content = [{"timestamp": time, "role": "user", "content": "good morning"}] * 2
    assert [row[3] for row in read(tmp_path, "a.json", content)[0]] == [None, None]


def test_a_clock_is_the_start_in_json_and_a_number_with_a_unit_in_tables(tmp_path: Path) -> None:
    cues = [{"time": "00:01.40", "text": "so it was"}, {"time": "00:05.00", "text": ""}]
    assert [row[3] for row in read(tmp_path, "a.json", cues)[0]] == [1.4, 5.0]
    table = "Time,Subtitle\n2s,so it was\n1m4s,and so\n10:39,yes\n"
    assert [row[3] for row in read(tmp_path, "a.csv", table)[0]] == [2.0, 64.0, 639.0]


@pytest.mark.parametrize(
    "answer",
    [
        {"text": "so it was", "usage": {"type": "tokens", "details": {"audio": 17}}},
        {"id": "a", "transcript": "so it was", "tasks": [{"task": "call Bob", "due": "2 May"}]},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_transcript_beside_what_is_not_said_is_read(
    answer: object, indent: int | None, tmp_path: Path
) -> None:
    assert read(tmp_path, "a.json", json.dumps(answer, indent=indent))[0][0][5] == "so it was"


def test_an_empty_speaker_is_none(tmp_path: Path) -> None:
    assert read(tmp_path, "a.json", {"speaker": "", "transcript": "so it was"})[0][0][2] is None


def test_a_label_in_a_text_with_a_speaker_is_warned_of(tmp_path: Path) -> None:
    texts = [f"Speaker {n % 2}: so it was" for n in range(6)]
    cues = [{"start": n, "end": n + 1, "speaker": "Ann", "text": t} for n, t in enumerate(texts)]
    assert NAMES_LEFT in entries(read(tmp_path, "a.json", cues)[1])


def test_identifiers_before_tabs_are_no_words(tmp_path: Path) -> None:
    rows, _ = read(tmp_path, "a.txt", "ID1W1\tso\nID1W2\tyes\nID1W3\tno\n")
    assert [(row[1], row[5]) for row in rows] == [
        ("ID1W1", "so"),
        ("ID1W2", "yes"),
        ("ID1W3", "no"),
    ]


def test_sentences_with_colons_are_not_refused(tmp_path: Path) -> None:
    names = ["Why so", "In short", "Why so", "Moving on", "To be sure", "Next theme"]
    text = "".join(f"{name}: it was all along.\n\n" for name in names)
    assert len(read(tmp_path, "a.txt", text + "So it was.\n")[0]) == 1
    more = text + "So [0:01] it [0:02] was [0:03] so.\n" * 4
    assert read(tmp_path, "b.txt", more)[0][-1][5].endswith("so.")


def test_lists_that_are_parts_of_one_are_read_in_order(tmp_path: Path) -> None:
    parts = {
        "Opening": [{"startAt": 0, "duration": 5, "content": "so it was"}],
        "Main part": [{"startAt": 5, "duration": 5, "content": "and so"}],
        "Close": [{"startAt": 10, "duration": 2, "content": "that was all"}],
    }
    rows, _ = read(tmp_path, "a.json", parts)
    assert [row[3:] for row in rows] == [
        (0.0, 5.0, "so it was"), (5.0, 10.0, "and so"), (10.0, 12.0, "that was all"),
    ]  # fmt: skip


def test_names_over_the_texts_of_cues_are_speakers(tmp_path: Path) -> None:
    cues = [(f"0:0:{n}.0 --> 0:0:{n}.500", ("Ann Ex", "Bo")[n % 2], "so it was") for n in range(6)]
    rows, _ = read(tmp_path, "a.txt", "".join("\n".join(cue) + "\n" for cue in cues))
    assert [(row[2], row[3], row[5]) for row in rows][:2] == [
        ("Ann Ex", 0.0, "so it was"), ("Bo", 1.0, "so it was"),
    ]  # fmt: skip


def test_names_directly_before_texts_are_speakers(tmp_path: Path) -> None:
    lines = [f"{('Tom', 'Jo Lee')[n % 2]}:{('So it was', '...yes')[n % 3 % 2]}." for n in range(6)]
    rows, _ = read(tmp_path, "a.txt", "\n".join(lines) + "\n")
    assert [(row[2], row[5]) for row in rows][:2] == [("Tom", "So it was."), ("Jo Lee", "...yes.")]
    settings = "".join(f"key{n % 2}:value {n}\n" for n in range(6))
    assert [row[2] for row in read(tmp_path, "b.txt", settings)[0]] == [None]


def test_an_object_of_paragraphs_and_columns_in_other_languages(tmp_path: Path) -> None:
    talks = {"transcripts": {f"a{n}": {"paragraph": "so it was"} for n in range(3)}}
    assert [row[1] for row in read(tmp_path, "a.json", talks)[0]] == ["a0", "a1", "a2"]
    table = "Inicio,Fin,Hablante,Texto\n0.5,1.5,Ana,buenos días\n2,3,Luis,hola a todos\n"
    assert read(tmp_path, "a.csv", table)[0][0][2:] == ("Ana", 0.5, 1.5, "buenos días")


@each_case(
    ("form", "days"),
    [
        ("{d}/05/2024, 14:0{n} - {who}: {text}", (9, 10, 11)),
        ("[05/{d}/24, 2:0{n}:00 PM] {who}: {text}", (20, 21, 22)),
        ("[14:0{n}, 2024/5/{d}] {who}: {text}", (9, 10, 11)),
        ("[下午2:0{n}, 2024年5月{d}日] {who}: {text}", (9, 10, 11)),
        ("[傍晚2:0{n}, 2024年5月{d}日] {who}: {text}", (9, 10, 11)),
        ("2024. 5. {d}. 오후 2:0{n}, {who}: {text}", (9, 10, 11)),
        ("[2:0{n} PM, 5/{d}/2024] {who}: {text}", (20, 21, 22)),
    ],
)
@each_case("names", [("Ann Ex", "Bob"), ("+49 151 0000", "+49 151 1111")])
def test_times_of_messages_of_several_days_count_from_the_first(
    tmp_path: Path, form: str, days: tuple[int, ...], names: tuple[str, ...]
) -> None:
    lines = [
        form.format(d=days[n // 2], n=n, who=names[n % 3 % 2], text=f"so it was {n}")
        for n in range(6)
    ]
    rows, messages = read(tmp_path, "a.txt", "\n".join(lines) + "\n")
    assert [row[3] for row in rows] == [86400.0 * (n // 2) + 60 * n for n in range(6)]
    assert [(row[2], row[5]) for row in rows] == [
        (names[n % 3 % 2], f"so it was {n}") for n in range(6)
    ]
    assert CHAT_OVER_DAYS in entries(messages)


def test_names_between_tabs_may_begin_with_small_letters(tmp_path: Path) -> None:
    names = ("Ann Ex", "lena", "Bob")
    lines = [f"00:07:1{n}\t{names[n % 3]}:\tso it was {n}" for n in range(6)]
    rows, _ = read(tmp_path, "a.txt", "\n".join(lines) + "\n")
    assert [(row[2], row[3]) for row in rows] == [(names[n % 3], 430.0 + n) for n in range(6)]


@each_case(
    ("name", "above", "form"),
    [
        ("a.srt", "", "{n} 00:00:0{n},000 --> 00:00:0{n},500 so it was {n}0 "),
        ("a.txt", "", "{n} 00:00:0{n},000 --> 00:00:0{n},500 so it was {n}0\\n"),
        ("a.txt", "\ufeff", "00:00:0{n}.000 --> 00:00:0{n}.500 so it was {n}0 "),
        (
            "a.vtt",
            "WEBVTT Kind: captions ",
            "00:0{n}.000 --> 00:0{n}.500 align:start position:0% so it was {n}0 ",
        ),
    ],
)
def test_cues_that_are_all_on_one_line_are_divided(
    tmp_path: Path, name: str, above: str, form: str
) -> None:
    text = above + "".join(form.format(n=n) for n in range(1, 9)).strip()
    rows, _ = read(tmp_path, name, text)
    assert [row[3:] for row in rows] == [(n, n + 0.5, f"so it was {n}0") for n in range(1, 9)]


def test_a_table_of_subtitles_is_not_divided(tmp_path: Path) -> None:
    cell = " ".join(f"{n} 00:00:0{n},000 --> 00:00:0{n},500 so it was" for n in range(1, 9))
    rows, _ = read(tmp_path, "a.csv", f'id,text\na,"{cell}"\nb,"{cell}"\n')
    assert [row[5] for row in rows] == [cell] * 2


def test_messages_in_brackets_without_names_have_times(tmp_path: Path) -> None:
    lines = [f"[12/05/24, 14:0{n}] so it was {n}" for n in range(6)]
    rows, _ = read(tmp_path, "a.txt", "\n".join(lines) + "\n")
    assert [(row[3], row[5]) for row in rows] == [(60.0 * n, f"so it was {n}") for n in range(6)]


def test_line_ends_that_are_written_twice_are_no_words(tmp_path: Path) -> None:
    lines = [f"[00:0{n}.00] so it was {n}\\n" for n in range(6)]
    rows, _ = read(tmp_path, "a.txt", "\n".join(["words:", *lines]) + "\n")
    assert [row[5] for row in rows] == [f"so it was {n}" for n in range(6)]


def test_messages_of_days_that_go_back_have_no_times(tmp_path: Path) -> None:
    lines = [
        f"1{n % 2}/05/2024, 14:0{n} - {('Ann', 'Bob')[n % 3 % 2]}: so it was" for n in range(6)
    ]
    rows, messages = read(tmp_path, "a.txt", "\n".join(lines) + "\n")
    assert [row[3] for row in rows] == [None] * 6
    assert CHAT_OF_DAYS in entries(messages)
    shown = next(m.fields["pattern"] for m in messages if "pattern" in m.fields)
    assert shown == "{date}, {start} - {speaker}: {text}"
    rows, _ = read(tmp_path, "b.txt", "\n".join(line.replace("11/", "10/") for line in lines))
    assert [row[3] for row in rows] == [60.0 * n for n in range(6)]


def test_initials_are_speakers_and_a_list_of_texts_is_read(tmp_path: Path) -> None:
    text = "T: well, so?\n\nP: yes it was.\n\n" * 3
    assert [row[2] for row in read(tmp_path, "a.txt", text)[0]] == ["T", "P"] * 3
    texts = [{"text": "so it was"}, {"text": "and so"}]
    assert [row[5] for row in read(tmp_path, "a.json", texts)[0]] == ["so it was", "and so"]
    song = {
        "title": "a",
        "audio_file": "a.wav",
        "lines": [{"start": 1.5, "end": 2.5, "text": "so it"}] * 2,
    }
    assert [row[5] for row in read(tmp_path, "b.json", song)[0]] == ["so it"] * 2


LINES = {
    "en": [{"start": 0.5, "text": "so it is"}, {"start": 2.5, "text": "well then"}],
    "de": [{"start": 0.5, "text": "so ist es"}, {"start": 2.5, "text": "na dann"}],
}


def test_lists_in_several_languages_are_refused_with_the_option_that_chooses(
    tmp_path: Path,
) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "a.json", LINES)
    assert caught.value.value is not None
    names = caught.value.value.fields["names"]
    assert names == ["en.text", "de.text"]
    for name in names:
        rows, _ = read(tmp_path, "a.json", LINES, format="json", member=f"text={name}")
        assert [(row[3], row[5]) for row in rows] == [
            (line["start"], line["text"]) for line in LINES[name[:2]]
        ]


def test_parts_of_a_message_are_one_text(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "value": "good morning"}]},
        {"role": "bot", "content": [{"type": "text", "value": "how "}, {"type": "mark", "value": "are you"}]},
    ]  # fmt: skip
    rows, _ = read(tmp_path, "a.json", {"title": "talk", "messages": messages})
    assert [(row[2], row[5]) for row in rows] == [("user", "good morning"), ("bot", "how are you")]


def test_an_empty_list_of_words_beside_turns_is_not_the_result_of_an_aligner(
    tmp_path: Path,
) -> None:
    turns = [{"role": "doctor", "transcript": "well then"}, {"role": "patient", "transcript": "no"}]
    rows, _ = read(tmp_path, "a.json", {"turns": turns, "transcript": "well then no", "words": []})
    assert [(row[2], row[5]) for row in rows] == [("doctor", "well then"), ("patient", "no")]


def test_dates_in_a_table_count_from_the_first(tmp_path: Path) -> None:
    table = "timestamp,name,text\n2026-05-01T23:59:59.250000,Ann,so it is\n"
    table += "2026-05-02T00:00:01.5,Ben,well then\n2026-05-02 00:00:04,Ann,no\n"
    rows, messages = read(tmp_path, "a.csv", table)
    assert [row[2:5] for row in rows] == [
        ("Ann", 0.0, None), ("Ben", 2.25, None), ("Ann", 4.75, None),
    ]  # fmt: skip
    assert TIMES_OF_DATE in entries(messages)
    rows, _ = read(tmp_path, "b.csv", table.replace("name", "file"))
    assert [row[3] for row in rows] == [None] * 3


def test_a_time_after_the_words_is_not_the_start(tmp_path: Path) -> None:
    line = '<line timestamp="00:00:{}" speaker="{}">{}</line>'
    word = '<word timestamp="00:00:{}">{}</word>'
    first = word.format("01.500", "so") + word.format("02.250", "it") + word.format("03.000", "is")
    second = word.format("05.000", "well") + word.format("06.500", "then")
    lines = line.format("04.000", "A", first) + line.format("07.000", "B", second)
    rows, _ = read(tmp_path, "a.xml", f"<transcript>{lines}</transcript>")
    assert [row[2:4] for row in rows] == [("A", 1.5), ("B", 5.0)]


def test_lists_of_sessions_are_all_read(tmp_path: Path) -> None:
    turns: list[dict[str, Any]] = [
        {"role": "user", "content": "hi"},
        {"role": "bot", "content": "good morning to you"},
    ]
    sessions = {"old": {"messages": turns[:1]}, "new": {"messages": turns}}
    for name, first in (("old", 9), ("new", 5)):
        turns = [
            {**turn, "time": first + n + 0.5} for n, turn in enumerate(sessions[name]["messages"])
        ]
        sessions[name] = {"messages": turns}
    rows, _ = read(tmp_path, "a.json", sessions)
    assert [row[0] for row in rows] == ["old", "new", "new"]
    sessions["old"]["messages"][0]["time"] = 1.5
    rows, _ = read(tmp_path, "a.json", sessions)
    assert [(row[0], row[5]) for row in rows] == [
        ("a", "hi"), ("a", "hi"), ("a", "good morning to you"),
    ]  # fmt: skip


def test_everything_that_each_party_says_is_a_text(tmp_path: Path) -> None:
    said = {"agent": "good morning how are you", "customer": "so it is and well then"}
    rows, messages = read(tmp_path, "a.json", {"id": "x", "speakers": said})
    assert {row[2]: row[5] for row in rows} == said
    assert SPEAKERS_OF_MEMBERS in entries(messages)
    with pytest.raises(FormatError):
        read(tmp_path, "b.json", {"speakers": {"agent": "Ann Example", "customer": "Ben Sample"}})


def test_a_speaker_before_a_text_in_xml(tmp_path: Path) -> None:
    turn = "<u n='1'><speaker>{}</speaker> {} <b>(noise)</b> {}</u>"
    turns = turn.format("The chair", "so it is", "well") + turn.format("Ann", "no", "not at all")
    index = "<page><speaker>Ann</speaker> . . . 3</page>" * 2
    rows, _ = read(tmp_path, "a.xml", f"<doc><index>{index}</index><talk>{turns * 2}</talk></doc>")
    assert [(row[2], row[5]) for row in rows] == [
        ("The chair", "so it is (noise) well"), ("Ann", "no (noise) not at all"),
    ] * 2  # fmt: skip


def test_a_table_of_links_without_names_of_columns_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"A film of {n} parts,https://example.org/{n}\n" for n in range(9))
    with pytest.raises(FormatError):
        read(tmp_path, "a.csv", rows)


def test_a_duration_of_0_without_a_start_is_unknown(tmp_path: Path) -> None:
    rows = [{"audio_file": f"{n}.wav", "text": "so it is", "duration": 0} for n in range(3)]
    times, _ = read(tmp_path, "a.json", rows)
    assert [row[3:5] for row in times] == [(None, None)] * 3


def test_a_style_shows_the_reading_of_a_word(tmp_path: Path) -> None:
    spans = '<span style="b">word</span><span style="r">reading</span>'
    text = (
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling">'
        '<head><styling><style xml:id="b" tts:ruby="base"/><style xml:id="r" tts:ruby="text"/>'
        f'</styling></head><body><div><p begin="1s" end="2s">{spans} here</p></div></body></tt>'
    )
    rows, _ = read(tmp_path, "a.ttml", text)
    assert [row[5] for row in rows] == ["word here"]


def test_dates_in_no_order_are_not_times(tmp_path: Path) -> None:
    calls = [
        {"call": n, "start_time": f"2025-08-08T1{hour}:00:00", "transcript": "**Ann:** so it is"}
        for n, hour in enumerate((5, 2, 7))
    ]
    lines = "".join(json.dumps(call) + "\n" for call in calls)
    rows, messages = read(tmp_path, "a.jsonl", lines, format="json", member="text=transcript")
    assert read(tmp_path, "a.jsonl", lines)[0] == rows
    assert [row[3] for row in rows] == [None] * 3
    assert TIMES_OF_DATE not in entries(messages)
    assert MASKED_WORDS not in entries(messages)
