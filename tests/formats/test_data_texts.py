"""Texts that are data and no speech are refused or told; tokens of models are no words."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats import FormatError
from formats.detection.data_kinds import kind_of_data
from formats.io.messages import DATA_LEFT, DATA_TEXTS, TOKENS_OUT
from tests.each_case import each_case
from tests.formats.checks import codes

SPOKEN = ["so it is", "well then", "good morning to you"]
DATA = {
    "JSON": '{"name": "Ann", "age": 4}',
    "markup": "<body><a href='/b'>so it is</a></body>",
    "web addresses": "https://example.org/a",
    "file names": "clips/ann/0001.wav",
    "dates": "2026-01-02T03:04:05",
    "identifiers": "5f2c9ab0e1",
    "numbers": "0.8731",
    "lists of turns": "SPEAKER a b 1 0.000 2.375 <NA> <NA> s0 <NA> <NA>",
    "records of a log": "2026-01-02 03:04:05 server INFO ready",
    "code": "def add(one, two): return one",
}


def jsonl(texts: list[str], **more: Any) -> BytesIO:
    rows = ({"id": f"u{n}", "text": text, **more} for n, text in enumerate(texts))
    return BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


@each_case("kind", DATA)
def test_texts_that_are_mostly_data_are_refused_unless_chosen(kind: str) -> None:
    texts = [*SPOKEN, *[DATA[kind]] * 4]
    with pytest.raises(FormatError) as refused:
        formats.read(jsonl(texts), "jsonl")
    assert refused.value.value is not None
    assert refused.value.value.entry == DATA_TEXTS
    assert refused.value.value.fields["kind"] == kind
    transcript = formats.read(jsonl(texts), "jsonl", member="text=text")
    assert len(transcript.segments) == 7
    assert DATA_LEFT.code in codes(transcript)


def test_a_corpus_of_telephone_numbers_is_read_with_a_warning() -> None:
    transcript = formats.read(jsonl(["4155550123", "2025550188", "3125550164"] * 3), "jsonl")
    assert transcript.segments[1].words == ("2025550188",)
    assert DATA_LEFT.code in codes(transcript)


def test_some_texts_of_data_are_told() -> None:
    transcript = formats.read(jsonl([*SPOKEN * 4, *[DATA["JSON"]] * 3]), "jsonl")
    assert DATA_LEFT.code in codes(transcript)
    assert DATA_LEFT.code not in codes(formats.read(jsonl([*SPOKEN, DATA["JSON"]]), "jsonl"))


@each_case("text", ["7 3 1", "a 5", "well-known", "U.S.", "no", "covid-19", "ok 12"])
def test_short_answers_and_digits_are_speech(text: str) -> None:
    transcript = formats.read(jsonl([text] * 5), "jsonl")
    assert transcript.segments[0].words == tuple(text.split())
    assert {DATA_LEFT.code, DATA_TEXTS.code}.isdisjoint(codes(transcript))


def test_tokens_of_models_are_left_out_and_counted() -> None:
    texts = ["<|en|><|HAPPY|>so it is", "<|en|> well then", "and so on"]
    transcript = formats.read(jsonl(texts), "jsonl")
    assert [" ".join(s.words) for s in transcript.segments] == [
        "so it is",
        "well then",
        "and so on",
    ]
    (note,) = [entry for entry in transcript.diagnostics if entry.value.entry == TOKENS_OUT]
    assert note.value.fields["count"] == 3


def csv(text: str) -> formats.Transcript:
    return formats.read(BytesIO(text.encode()), "csv")


def test_ids_of_talks_name_the_recordings_of_turns() -> None:
    table = "dialogue_id,speaker,text\nd1,A,hello there\nd1,B,good morning\nd2,A,so it is\n"
    assert [segment.recording for segment in csv(table).segments] == ["d1", "d1", "d2"]
    alone = "call_id,speaker,text\nc1,A,hello there\nc2,B,good morning\n"
    assert {segment.recording for segment in csv(alone).segments} == {"stream"}


def test_headings_are_not_guessed_to_be_speech() -> None:
    names = [
        f"{name} County Fire and Rescue" for name in ("Adams", "Brown", "Clark", "Dent", "Eaton")
    ]
    with pytest.raises(FormatError):
        csv("feed,descr\n" + "".join(f"{n},{name}\n" for n, name in enumerate(names)))
    said_there = [f"this is {name} county fire and rescue" for name in "abcde"]
    table = "feed,descr\n" + "".join(f"{n},{text}\n" for n, text in enumerate(said_there))
    assert len(csv(table).segments) == 5


def test_rows_of_many_shapes_warn_once_of_a_name() -> None:
    rows = [{"ts": "2026-01-02", "text": "so it is", f"x{n}": "a"} for n in range(9)]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    assert codes(formats.read(BytesIO(content), "jsonl")).count("ROLE-UNFIT") == 1


def test_labels_that_repeat_are_no_text_although_rows_have_times() -> None:
    rows = "".join(f"{n},{n}.5,living room\n" for n in range(9))
    with pytest.raises(FormatError):
        csv(f"start,end,place\n{rows}")


def test_a_unit_in_the_name_of_a_duration_counts() -> None:
    table = "file,duration_seconds,text\na.wav,142,so it is\nb.wav,118,well then\n"
    assert csv(table).segments[0].end_ns == 142_000_000_000


def test_transcripts_beside_nested_data_are_read(tmp_path: Path) -> None:
    calls = [
        {"id": f"c{n}", "transcript": "so it is then", "tags": [{"term": "is", "count": n}]}
        for n in range(3)
    ]
    path = tmp_path / "calls.json"
    path.write_text(json.dumps(calls), encoding="utf-8")
    transcript = formats.read(path)
    assert [segment.utterance for segment in transcript.segments] == ["c0", "c1", "c2"]


def test_files_of_one_name_in_several_folders_are_told() -> None:
    table = "path,sentence\na/1.wav,so it is\nb/1.wav,well then\nb/2.wav,never again\n"
    assert "FILES-JOINED" in codes(csv(table))
    assert "FILES-JOINED" not in codes(csv(table.replace("b/1.wav", "b/3.wav")))


def test_names_inside_a_long_text_of_one_line_are_told() -> None:
    turns = " ".join(f"{'GA' if n % 2 else 'AS'}: so it was {n}." for n in range(12))
    table = f"doc,text\nx,Ann Example Narrator 2017 Springfield {turns}\n"
    assert {"TURNS-IN-TEXT", "TURNS-SPLIT"} & {*codes(csv(table))}


def test_turns_in_nested_lists_are_no_words() -> None:
    turns = [
        {"speaker": "Ann", "start_time": 0.0, "end_time": 2.5, "text": "so it is then"},
        {"speaker": "Ben", "start_time": 2.5, "end_time": 4.0, "text": "well then it is so"},
    ]
    calls = [
        {"id": "a", "title": "so", "segments": turns},
        {"id": "b", "title": "no", "segments": []},
        {"id": "c", "title": "well", "segments": turns},
    ]
    transcript = formats.read(BytesIO(json.dumps({"transcripts": calls}).encode()), "json")
    assert [segment.speaker for segment in transcript.segments] == ["Ann", "Ben"] * 2


def test_a_sound_alone_is_no_speaker() -> None:
    texts = ["(Anna) hello there", "(Ben) hi", "(Music)", "(Anna) so it is", "(Ben) well"] * 2
    cues = "".join(
        f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{text}\n\n"
        for n, text in enumerate(texts)
    )
    transcript = formats.read(BytesIO(cues.encode()), "srt")
    assert transcript.segments[2].words == ("(Music)",)
    assert transcript.segments[2].speaker is None


def test_rows_of_numbers_with_points_are_data() -> None:
    assert {kind_of_data(text) for text in ("0.01 220.5", "0.5\t-880", "1 2 3.5")} == {"numbers"}
    assert {kind_of_data(text) for text in ("12 30", "0.5 so it was", "3.5 % of it")} == {""}


def test_messages_of_errors_are_data() -> None:
    errors = ("Error: no sound", "ERROR: it failed", "[Error]: no", "ValueError: no number")
    assert {kind_of_data(text) for text in errors} == {"messages of errors"}
    assert {kind_of_data(text) for text in ("An error: so it is", "errors happen")} == {""}
