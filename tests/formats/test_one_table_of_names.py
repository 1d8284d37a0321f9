"""The same names and values mean the same in a table, in a list of JSON and in JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import formats
import scoring
from formats.reading.member_names import (
    MOST_REMEMBERED,
    NAMES,
    likely_names,
    name_parts,
    plain_name,
    time_role,
)
from formats.schema.errors import FormatError
from formats.schema.model import Segment

ROWS = (
    ("Ann", "hello there my dear friend how are you", 0, 2500),
    ("Bob", "i am fine thank you very much", 2600, 5000),
    ("Ann", "that is good to hear indeed", 5100, 7900),
    ("Bob", "yes it is so very good", 8000, 10000),
)
IN_SECONDS = tuple((name, text, start / 1000, end / 1000) for name, text, start, end in ROWS)
Writer = Callable[[Sequence[str], Sequence[Sequence[Any]]], str]


def as_csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows([names, *rows])
    return sink.getvalue()


def as_json(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows])


def as_lines(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


DOORS = pytest.mark.parametrize(
    ("suffix", "write"), [(".csv", as_csv), (".json", as_json), (".jsonl", as_lines)]
)


def read(folder: Path, suffix: str, text: str, **options: Any) -> tuple[list[Segment], set[str]]:
    """Return the segments of a text, and the entries of the messages."""
    path = folder / f"talk{suffix}"
    path.write_text(text, encoding="utf-8")
    transcript = formats.read(path, **options)
    return list(transcript), {diagnostic.code for diagnostic in transcript.diagnostics}


@DOORS
@pytest.mark.parametrize(
    "names",
    [
        ("speaker", "text", "start", "end"),
        ("role", "content", "begin", "end"),
        ("name", "sentence", "start_time", "end_time"),
        ("speakerLabel", "transcript", "startTime", "endTime"),
    ],
)
def test_names_mean_the_same(
    names: Sequence[str], suffix: str, write: Writer, tmp_path: Path
) -> None:
    segments, _ = read(tmp_path, suffix, write(names, IN_SECONDS))
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in segments] == [*IN_SECONDS]


@DOORS
def test_milliseconds_are_known_by_the_pace(suffix: str, write: Writer, tmp_path: Path) -> None:
    text = write(("speaker", "text", "start", "end"), ROWS)
    segments, _ = read(tmp_path, suffix, text)
    assert [(s.start, s.end) for s in segments] == [row[2:] for row in IN_SECONDS]
    segments, _ = read(tmp_path, suffix, text, time_unit="s")
    assert [(s.start, s.end) for s in segments] == [row[2:] for row in ROWS]


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_assumed_milliseconds_are_reported(suffix: str, write: Writer, tmp_path: Path) -> None:
    names = ("speaker", "text", "start", "end")
    assert "TIME-UNIT" in read(tmp_path, suffix, write(names, ROWS))[1]
    assert "TIME-UNIT" not in read(tmp_path, suffix, write(names, IN_SECONDS))[1]
    whole = [(name, text, start // 1000, end // 1000 + 1) for name, text, start, end in ROWS]
    segments, codes = read(tmp_path, suffix, write(names, whole))
    assert (segments[1].start, "TIME-UNIT" in codes) == (2, False)


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_a_column_without_a_name_has_no_role(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [(number, text, start, end) for number, (_, text, start, end) in enumerate(IN_SECONDS)]
    segments, _ = read(tmp_path, suffix, write(("", "text", "start", "end"), rows))
    assert {(s.recording, s.speaker, s.channel, s.utterance) for s in segments} == {
        ("talk", None, None, None)
    }


@pytest.mark.parametrize(("suffix", "write"), [(".json", as_json), (".jsonl", as_lines)])
def test_a_speaker_may_be_an_object(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [({"id": 7, "name": name}, *others) for name, *others in IN_SECONDS]
    segments, _ = read(tmp_path, suffix, write(("speaker", "text", "start", "end"), rows))
    assert [segment.speaker for segment in segments] == ["Ann", "Bob", "Ann", "Bob"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["transcript", "text"])
def test_an_object_with_a_text_is_read_as_it_is_indented(
    name: str, indent: int | None, tmp_path: Path
) -> None:
    text = json.dumps({name: "hello there", "model": "m"}, indent=indent)
    segments, _ = read(tmp_path, ".json", text)
    assert [segment.words for segment in segments] == [("hello", "there")]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv"])
def test_a_log_is_no_transcript(suffix: str, tmp_path: Path) -> None:
    write = {".json": as_json, ".jsonl": as_lines, ".csv": as_csv}[suffix]
    rows = [(1_700_000_000 + n, "info", f"request {n} is done now") for n in range(6)]
    with pytest.raises(FormatError):
        read(tmp_path, suffix, write(("time", "level", "message"), rows), format=suffix[1:])


def test_a_text_like_a_log_is_reported(tmp_path: Path) -> None:
    lines = [f"2024-01-01 00:00:0{n},123 INFO app: request done\n" for n in range(6)]
    assert "DATA-LEFT" in read(tmp_path, ".txt", "".join(lines))[1]


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_results_are_reported(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [("base", 0.1, "hello there"), ("small", 0.2, "hello")]
    assert "RESULTS" in read(tmp_path, suffix, write(("model", "wer", "text"), rows))[1]


@pytest.mark.parametrize(("suffix", "write"), [(".json", as_json), (".jsonl", as_lines)])
def test_a_path_leads_to_a_name(suffix: str, write: Writer, tmp_path: Path) -> None:
    rows = [({"who": {"shown": name}}, *others) for name, *others in IN_SECONDS]
    text = write(("by", "line", "b", "e"), rows)
    segments, _ = read(
        tmp_path, suffix, text, format=suffix[1:],
        member="speaker=by.who.shown,text=line,start=b,end=e",
    )  # fmt: skip
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in segments] == [*IN_SECONDS]
    with pytest.raises(FormatError):
        read(tmp_path, suffix, text, format=suffix[1:], member="speaker=by.x,text=line,start=b")


def test_columns_have_roles_by_name(tmp_path: Path) -> None:
    text = as_csv(("Who", "Line", "Begin", "Stop"), IN_SECONDS)
    columns = "speaker=Who,text=Line,start=Begin,end=Stop"
    segments, _ = read(tmp_path, ".csv", text, columns=columns)
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in segments] == [*IN_SECONDS]


@pytest.mark.parametrize(
    ("starts", "seconds"),
    [
        (("0.000", "700.000", "1400.000", "2100.000"), 700),  # seconds, if slow ones
        (("0", "3", "6", "3602"), 3),  # a long pause
        (("0", "2500", "5000", "7900"), 2.5),  # milliseconds
    ],
)
def test_a_fraction_and_a_pause_leave_seconds(
    starts: Sequence[str], seconds: float, tmp_path: Path
) -> None:
    rows = [(text, start) for (_, text, _, _), start in zip(ROWS, starts, strict=True)]
    segments, _ = read(tmp_path, ".csv", as_csv(("text", "start"), rows))
    assert segments[1].start == seconds


@pytest.mark.parametrize("name", ["ground_truth", "utterances", "text_spoken", "Ground_Truth"])
def test_a_text_is_found_by_names_of_data_sets(tmp_path: Path, name: str) -> None:
    text = as_csv(("speaker", name, "prediction"), [(*row[:2], "so") for row in ROWS])
    segments, _ = read(tmp_path, ".csv", text)
    assert [" ".join(s.words) for s in segments] == [row[1] for row in ROWS]


@DOORS
def test_times_are_found_in_both_orders_of_their_names(
    tmp_path: Path, suffix: str, write: Writer
) -> None:
    text = write(("who", "phrase", "timeStart", "timeEnd"), IN_SECONDS)
    segments, _ = read(tmp_path, suffix, text)
    assert [(s.start, s.end) for s in segments] == [row[2:] for row in IN_SECONDS]


SENTENCES = [
    "so it is", "no it was not", "who said that then", "I did not hear it", "it was yesterday",
    "and the day before", "that is all I know", "well then good night", "see you all soon",
]  # fmt: skip


def test_the_only_column_of_prose_beside_labels_is_the_text(tmp_path: Path) -> None:
    rows = [(f"u{n}", n, "The First Part", text) for n, text in enumerate(SENTENCES)]
    names = ["Nr", "Zeile", "Kapitel", "Aussage"]
    segments, codes = read(tmp_path, ".csv", as_csv(names, rows))
    assert [" ".join(s.words) for s in segments] == SENTENCES
    assert "ROLE" in codes


@pytest.mark.parametrize(
    ("name", "value"),
    [("Gegenrede", "{} it was"), ("seconds", "{}.5"), ("Aussage", "{} 0 1 1")],
    ids=["second-prose", "measure", "numbers"],
)
def test_beside_other_values_prose_is_no_text(name: str, value: str, tmp_path: Path) -> None:
    prose = SENTENCES if name != "Aussage" else range(len(SENTENCES))
    rows = [(value.format(n), text) for n, text in enumerate(prose)]
    with pytest.raises(FormatError):
        read(tmp_path, ".csv", as_csv([name, "Ausspruch"], rows))


def test_questions_are_no_text_by_their_content(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, ".csv", as_csv(["id", "Question"], list(enumerate(SENTENCES))))


@pytest.mark.parametrize("name", ["prediction", "output"])
def test_a_prediction_is_no_reference_by_its_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(as_csv(["file", name], [(f"{n}.wav", t) for n, t in enumerate(SENTENCES)]))
    assert len(list(formats.read(path))) == len(SENTENCES)
    with pytest.raises(FormatError):
        scoring.wer(path, path)


@pytest.mark.parametrize("quoted", [json.dumps, str], ids=["json", "python"])
def test_lists_of_messages_in_cells_are_segments(
    quoted: Callable[[object], str], tmp_path: Path
) -> None:
    chats = [
        [{"role": "user", "content": "it's me"}, {"role": "assistant", "content": "hello"}],
        [{"role": "user", "content": "so it is"}],
    ]
    rows = [(n, 1764663874 + n, quoted(chat)) for n, chat in enumerate(chats)]
    segments, codes = read(tmp_path, ".csv", as_csv(["chat_id", "timestamp", "chat"], rows))
    assert [(s.recording, s.speaker, " ".join(s.words), s.start) for s in segments] == [
        ("0", "user", "it's me", None),
        ("0", "assistant", "hello", None),
        ("1", "user", "so it is", None),
    ]
    assert "LISTS-IN-TEXT" in codes


def test_a_cell_that_is_no_list_of_messages_is_an_error(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "user", "content": "so it is"}])
    rows = [(n, chat) for n in range(300)]
    rows[250] = (250, '[{"role": "user"')
    path = tmp_path / "a.csv"
    path.write_text(as_csv(["id", "chat"], rows))
    transcript = formats.read(path, tolerance="lenient")
    assert len(list(transcript)) == 299
    assert [d.line for d in transcript.diagnostics if d.code == "TABLE-SYNTAX"] == [252]


def test_milliseconds_may_follow_a_colon(tmp_path: Path) -> None:
    rows = [(f"00:00:0{n}:250", text) for n, text in enumerate(SENTENCES)]
    segments, _ = read(tmp_path, ".csv", as_csv(["start", "text"], rows))
    assert [s.start for s in segments] == [n + 0.25 for n in range(len(rows))]


@pytest.mark.parametrize("name", ["sent", "Said", "台词"])
def test_further_names_of_texts(name: str, tmp_path: Path) -> None:
    rows = [("Ann", text) for text in SENTENCES]
    segments, _ = read(tmp_path, ".csv", as_csv(["speaker", name], rows))
    assert [" ".join(s.words) for s in segments] == SENTENCES


def test_the_date_of_sending_is_no_text(tmp_path: Path) -> None:
    rows = [("Ann", f"2024-05-01 10:00:0{n}", text) for n, text in enumerate(SENTENCES)]
    segments, _ = read(tmp_path, ".csv", as_csv(["sender", "sent", "satz"], rows))
    assert [" ".join(s.words) for s in segments] == SENTENCES


def test_the_only_column_of_sentences_beside_times_is_the_text(tmp_path: Path) -> None:
    rows = [(*row[2:], row[0], row[1], "good day") for row in IN_SECONDS]
    names = ["start", "stop", "speaker", "Aussage", "English translation"]
    segments, codes = read(tmp_path, ".csv", as_csv(names, rows))
    assert [" ".join(s.words) for s in segments] == [row[1] for row in ROWS]
    assert "ROLE" in codes
    names[4] = "Gegenrede"
    with pytest.raises(FormatError):
        read(tmp_path, ".csv", as_csv(names, rows))


def test_clock_times_in_brackets_and_names_with_colons_are_read(tmp_path: Path) -> None:
    rows = [("[0:05]", "AB:", "so it was"), ("", "AB", "and so"), ("[01:00:09]", "CD", "yes")]
    segments, _ = read(tmp_path, ".csv", as_csv(("timestamp", "speaker", "words"), rows))
    assert [s.start for s in segments] == [5, None, 3609]
    assert [s.speaker for s in segments] == ["AB", "AB", "CD"]


def test_a_column_whose_values_are_not_what_its_name_means_is_warned_of(tmp_path: Path) -> None:
    rows = [("early", *row[:2]) for row in ROWS]
    segments, codes = read(tmp_path, ".csv", as_csv(("timestamp", "speaker", "text"), rows))
    assert {s.start for s in segments} == {None}
    assert "ROLE-UNFIT" in codes


@pytest.mark.parametrize(("factor", "first"), [(1.0, 0.5), (1000.0, 0.5)])
def test_times_with_fractions_and_ends_are_read_in_the_unit_of_their_pace(
    tmp_path: Path, factor: float, first: float
) -> None:
    rows = [(s * factor + 0.5 * factor, e * factor + 0.5 * factor, t) for _, t, s, e in IN_SECONDS]
    segments, codes = read(tmp_path, ".csv", as_csv(("Start", "End", "text"), rows))
    assert segments[0].start == first
    assert ("TIME-UNIT" in codes) is (factor != 1)


def test_times_at_which_nobody_speaks_are_warned_of(tmp_path: Path) -> None:
    rows = [(s + 0.5, s + 0.75, t * 9) for _, t, s, _ in IN_SECONDS]
    segments, codes = read(tmp_path, ".csv", as_csv(("Start", "End", "text"), rows))
    assert "TIME-UNIT" in codes
    assert segments[0].start == rows[0][0]
    rows = [(s + 900.0, s + 960.0, t) for _, t, s, _ in IN_SECONDS]
    segments, _ = read(tmp_path, ".csv", as_csv(("Start", "End", "text"), rows))
    assert segments[0].start == 900


@pytest.mark.parametrize("decimals", [2, 3, 7])
def test_times_that_all_have_the_same_decimals_are_seconds(tmp_path: Path, decimals: int) -> None:
    ends = [f"{8 + 500 * n:.{decimals}f}" for n in range(5)]
    rows = [(start, end, "well") for start, end in pairwise(ends)]
    segments, _ = read(tmp_path, ".csv", as_csv(("start", "end", "text"), rows))
    assert segments[0].start == 8


def test_stamps_before_the_texts_of_cells_are_their_times_or_warned_of(tmp_path: Path) -> None:
    rows = [("1", "(0:05) B: so it was"), ("2", "(0:09) A: yes")]
    segments, codes = read(tmp_path, ".csv", as_csv(("id", "text"), rows))
    assert [(s.speaker, s.start) for s in segments] == [("B", 5), ("A", 9)]
    assert "TURNS-SPLIT" in codes
    _, codes = read(tmp_path, ".csv", as_csv(("id", "text"), [rows[0], ("2", "and so on")]))
    assert "TURNS-IN-TEXT" in codes


def test_lists_by_audio_files_are_recordings(tmp_path: Path) -> None:
    lists = {
        "a/one.mp4": [{"timestamp": "00:00:05", "text": "so it was"}],
        "two.wav": [{"timestamp": "00:00:01", "text": "yes"}, {"timestamp": "0:09", "text": "no"}],
    }
    segments, _ = read(tmp_path, ".json", json.dumps(lists))
    assert [(s.recording, s.start) for s in segments] == [("one", 5), ("two", 1), ("two", 9)]


def test_texts_by_audio_files_are_utterances_of_them(tmp_path: Path) -> None:
    texts = {"gs://some/where/4.wav": "so it was then", "gs://some/where/5.wav": "and so on"}
    segments, _ = read(tmp_path, ".json", json.dumps(texts, indent=1))
    assert [(s.recording, s.utterance) for s in segments] == [("4", "4"), ("5", "5")]


def test_cues_in_paragraphs_without_texts_are_segments(tmp_path: Path) -> None:
    cues = [{"text": row[1], "time": row[2]} for row in ROWS]
    text = json.dumps([{"kind": "p", "cues": cues[:3]}, {"kind": "p", "cues": cues[3:]}])
    segments, _ = read(tmp_path, ".json", text)
    assert [s.start for s in segments] == [row[2] for row in IN_SECONDS]
    assert [" ".join(s.words) for s in segments] == [row[1] for row in ROWS]


def test_of_two_lists_with_the_same_words_that_with_speakers_is_read(tmp_path: Path) -> None:
    turns = [{"speaker": n, "text": t, "start": s, "end": e} for n, t, s, e in IN_SECONDS]
    chunks = [{"text": t, "start": s, "end": e} for _, t, s, e in IN_SECONDS]
    segments, _ = read(tmp_path, ".json", json.dumps({"speakers": turns, "chunks": chunks}))
    assert [s.speaker for s in segments] == [row[0] for row in ROWS]


def test_objects_of_javascript_are_turns(tmp_path: Path) -> None:
    entry = (
        "  {\n    Speaker: 'AGENT',\n    Content: 'so it was',\n    Begin: 5,\n    End: 9,\n  },\n"
    )
    segments, _ = read(tmp_path, ".json", f"[\n{entry * 9}]\n")
    assert [(s.speaker, s.start, s.words) for s in segments] == [
        ("AGENT", 5, ("so", "it", "was"))
    ] * 9


def test_members_that_describe_a_file_hide_no_text(tmp_path: Path) -> None:
    answer = {"video_id": "x1", "transcript": "so it was", "metadata": {"chunks": 4, "took": 1.5}}
    segments, _ = read(tmp_path, ".json", json.dumps(answer, indent=1))
    assert segments[0].words == ("so", "it", "was")


def test_an_audio_file_beside_a_list_of_speakers_is_no_row_of_a_manifest(tmp_path: Path) -> None:
    lines = [{"speaker": row[0], "text_spoken": row[1]} for row in ROWS]
    text = json.dumps({"description": "a talk", "lines": lines, "audio_file": "talk.wav"}, indent=1)
    segments, _ = read(tmp_path, ".json", text)
    assert [s.speaker for s in segments] == [row[0] for row in ROWS]


@pytest.mark.parametrize("names", [("id", "Service transcript"), ("file", "expected_text")])
def test_the_only_name_with_a_part_that_means_a_text_is_the_text(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    text = as_csv((*names, "score"), [(f"u{n}", row[1], n) for n, row in enumerate(ROWS)])
    segments, codes = read(tmp_path, ".csv", text)
    assert [" ".join(s.words) for s in segments] == [row[1] for row in ROWS]
    assert "ROLE" in codes
    two = as_csv(("te_text", "en_text"), [(row[1], row[1]) for row in ROWS])
    with pytest.raises(FormatError):
        read(tmp_path, ".csv", two)


def test_parties_of_a_talk_are_speakers_under_any_name(tmp_path: Path) -> None:
    rows = [("Doctor", ROWS[0][1]), ("Patient", ROWS[1][1]), ("Other", "yes"), ("Doctor", "so")]
    segments, _ = read(tmp_path, ".csv", as_csv(("tag", "text"), rows))
    assert [s.speaker for s in segments] == ["Doctor", "Patient", "Other", "Doctor"]


def test_a_table_of_tabs_has_its_commas_and_quotes_in_texts(tmp_path: Path) -> None:
    text = '0:01\tso, well, yes it was\n0:05\t"no" he said to me\n0:09\ta, b, c and so on\n' * 2
    segments, _ = read(tmp_path, ".tsv", text)
    assert [s.start for s in segments] == [1, 5, 9, 1, 5, 9]
    assert segments[1].words == ('"no"', "he", "said", "to", "me")


def test_names_of_speakers_before_their_texts_are_no_words(tmp_path: Path) -> None:
    talk = [
        {"role": "agent", "message": "Agent: so it was"},
        {"role": "user", "message": "User: no"},
    ]
    segments, codes = read(tmp_path, ".json", json.dumps(talk))
    assert [(s.speaker, s.words) for s in segments] == [
        ("agent", ("so", "it", "was")),
        ("user", ("no",)),
    ]
    assert "SPEAKER-AGAIN" in codes


def test_times_in_one_member_and_marks_of_html_are_no_words(tmp_path: Path) -> None:
    cues = [
        {"timestamp": f"00:00:0{n},000 --> 00:00:0{n + 1},500", "text": f"<b class='x'>so {n}</b>"}
        for n in range(3)
    ]
    segments, codes = read(tmp_path, ".json", json.dumps(cues))
    assert [(s.start, s.end) for s in segments] == [(0, 1.5), (1, 2.5), (2, 3.5)]
    assert segments[2].words == ("so", "2")
    assert "TAG" in codes


CUES = [{"text": row[1], "start": row[2], "end": row[3]} for row in IN_SECONDS]


@pytest.mark.parametrize(
    "document",
    [
        {"videos": [{"id": "x1", "segments": CUES}, {"id": "y2", "segments": CUES}]},
        [{"video_id": "x1", "title": "a", "cues": CUES}, {"video_id": "y2", "cues": CUES}],
        {"x1": CUES, "y2": CUES},
    ],
)
def test_lists_of_several_recordings_keep_their_recordings(tmp_path: Path, document: Any) -> None:
    segments, _ = read(tmp_path, ".json", json.dumps(document))
    assert [s.recording for s in segments] == ["x1"] * len(CUES) + ["y2"] * len(CUES)
    assert [s.start for s in segments] == [row[2] for row in IN_SECONDS] * 2


def test_texts_by_identifiers_of_which_some_have_no_digit_are_utterances(tmp_path: Path) -> None:
    names = ["a-1", "b-2", "c-3", "early", "d-4", "late"]
    segments, _ = read(
        tmp_path, ".json", json.dumps(dict.fromkeys(names, "so it was then"), indent=1)
    )
    assert [s.utterance for s in segments] == names
    objects = {"a-1": {"text": "so it was", "title": "x"}, "b-2": {"text": "and so", "title": "y"}}
    segments, _ = read(tmp_path, ".json", json.dumps(objects, indent=1))
    assert [s.utterance for s in segments] == ["a-1", "b-2"]


def test_words_in_seconds_are_no_answer_of_a_service_that_writes_milliseconds(
    tmp_path: Path,
) -> None:
    words = [{"text": "far", "start": 0, "end": 0.32}, {"text": "out", "start": 0.4, "end": 0.62}]
    rows = [{"id": 0, "startTime": 0.0, "endTime": 2.98, "fullText": "far out", "words": words}]
    segments, _ = read(tmp_path, ".json", json.dumps(rows))
    assert [s.words for s in segments] == [("far", "out")]


def test_a_usual_name_comes_before_a_later_one_in_any_case(tmp_path: Path) -> None:
    text = as_csv(("Transcription", "label"), [(row[1], "none") for row in ROWS])
    segments, _ = read(tmp_path, ".csv", text)
    assert [" ".join(s.words) for s in segments] == [row[1] for row in ROWS]


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".jsonl", as_lines)])
def test_audio_files_are_recordings_under_any_name(
    tmp_path: Path, suffix: str, write: Writer
) -> None:
    text = write(
        ("name", "transcription"), [(f"a/x {n}.wav", row[1]) for n, row in enumerate(ROWS)]
    )
    segments, _ = read(tmp_path, suffix, text)
    assert [s.recording for s in segments] == ["x 0", "x 1", "x 2", "x 3"]


def test_sizes_of_audio_files_are_no_times_and_bars_separate_columns(tmp_path: Path) -> None:
    rows = [(f"/t/c{n}.wav", 298764 - n, row[1]) for n, row in enumerate(ROWS)]
    segments, _ = read(tmp_path, ".csv", "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    assert [(s.recording, s.start) for s in segments] == [(f"c{n}", None) for n in range(4)]
    segments, _ = read(tmp_path, ".csv", "".join(f"{a}|{c}, and so\n" for a, _, c in rows))
    assert [s.recording for s in segments] == ["c0", "c1", "c2", "c3"]


def test_words_with_times_and_no_header_are_a_table(tmp_path: Path) -> None:
    text = "so,0.1,0.6\nit,0.6,0.7\nwas,0.7,0.9\nthen,0.9,1.5\n"
    segments, _ = read(tmp_path, ".csv", text)
    assert [(s.words, s.start, s.end) for s in segments][:2] == [
        (("so",), 0.1, 0.6),
        (("it",), 0.6, 0.7),
    ]


def test_speakers_with_lists_of_phrases_are_no_recordings(tmp_path: Path) -> None:
    phrases = [{"words": "so it was then", "time": 0}, {"words": "and so on", "time": 4}]
    talk = {"speakers": [{"name": "Ann", "phrases": phrases}, {"name": "Bob", "phrases": phrases}]}
    segments, _ = read(tmp_path, ".json", json.dumps(talk))
    assert [s.speaker for s in segments] == ["Ann", "Ann", "Bob", "Bob"]
    assert {s.recording for s in segments} == {"talk"}


def test_whole_numbers_without_ends_are_no_hundredths_of_a_second(tmp_path: Path) -> None:
    cues = [{"text": "so it was then", "time": time} for time in (1474, 1667, 1214, 1486)]
    with pytest.raises(FormatError):
        read(tmp_path, ".json", json.dumps({"speakers": [{"name": "Ann", "phrases": cues}]}))


def test_texts_in_objects_by_identifier_are_utterances(tmp_path: Path) -> None:
    texts = {
        f"talk {n}.wav": {"transcription": row[1], "chunks": ["x"]} for n, row in enumerate(ROWS)
    }
    segments, _ = read(tmp_path, ".json", json.dumps(texts, indent=1))
    assert [s.recording for s in segments] == ["talk 0", "talk 1", "talk 2", "talk 3"]


def test_dates_of_files_are_no_times_of_one_recording(tmp_path: Path) -> None:
    rows = [
        {"file_name": f"{n}.aif", "text": "so it was", "timestamp": f"2025-12-04T13:18:{n}5"}
        for n in range(3)
    ]
    segments, _ = read(tmp_path, ".json", json.dumps(rows))
    assert {s.start for s in segments} == {None}


def test_titles_that_hardly_repeat_are_no_speakers(tmp_path: Path) -> None:
    rows = [(f"Song {min(n, 28)}", f"so it is number {n}") for n in range(30)]
    segments, _ = read(tmp_path, ".csv", as_csv(["name", "lyrics"], rows))
    assert {s.speaker for s in segments} == {None}


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_conversations_with_ids_are_recordings(suffix: str, tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "so it is"}, {"role": "assistant", "content": "no it is"}]
    rows = [{"test_id": n, "timestamp": 1764663874, "transcript": chat} for n in ("x", "y")]
    text = json.dumps(rows) if suffix == ".json" else "".join(f"{json.dumps(r)}\n" for r in rows)
    segments, _ = read(tmp_path, suffix, text)
    assert [(s.recording, s.speaker) for s in segments] == [
        (name, role) for name in ("x", "y") for role in ("user", "assistant")
    ]


def test_a_name_of_more_than_a_thousand_characters_is_a_text() -> None:
    # readers look for parts in each name of a table several times: an immense one took seconds
    for text in ("the speaker, " * 100, "start" + " " * 1000, "x" * 1000 + " start (ms)"):
        assert (name_parts(text), plain_name(text), time_role(text)) == ([text], (text, None), "")
    assert name_parts("a start" + "." * 900) == ["a", "start"]


def test_roles_are_remembered_for_rows_with_the_same_names() -> None:
    names = ["id", "Text", "Start (ms)", "start", "transcript", "sentence"]
    for role in NAMES:
        likely = likely_names(role, names)
        # rows with very many names are not remembered
        many = [*names, *(f"x{number}y" for number in range(MOST_REMEMBERED))]
        assert likely_names(role, many) == likely
        likely_names(role, names).clear()
        assert likely_names(role, names) == likely
    usual = ["Text", "sentence", "transcript"]
    assert likely_names("text", names) == usual
    assert likely_names("text", names, ["transcript"]) == ["transcript"]
    assert likely_names("text", names) == usual
    # of two starts that mean the same, the first of the row comes first
    assert likely_names("start", names)[:2] == ["Start (ms)", "start"]
    assert likely_names("start", names[::-1])[:2] == ["start", "Start (ms)"]


@DOORS
@pytest.mark.parametrize(
    "names",
    [
        ("Osoba", "Wypowiedź"), ("发送者", "消息"), ("Отправитель", "Сообщение"),
        ("キャラ名", "セリフ"), ("Participante", "Intervención"), ("Interlocutore", "Battuta"),
        ("보낸사람", "메시지"), ("Teilnehmer", "Nachricht"), ("Gönderen", "Mesaj"),
    ],
)  # fmt: skip
def test_names_of_speakers_and_messages_of_other_languages(
    names: tuple[str, str], suffix: str, write: Writer, tmp_path: Path
) -> None:
    said = [(name, f"{text}, said {name}") for name, text, _, _ in ROWS]
    found, _ = read(
        tmp_path, suffix, write(["Nr", *names], [[n, *row] for n, row in enumerate(said)])
    )
    assert [(s.speaker, " ".join(s.words)) for s in found] == said


@DOORS
def test_writers_who_do_not_return_are_no_speakers(
    suffix: str, write: Writer, tmp_path: Path
) -> None:
    rows = [[f"Автор {'абвгд'[n]}", f"{text} {n}"] for n, (_, text, _, _) in enumerate(ROWS)]
    found, _ = read(tmp_path, suffix, write(["автор", "text"], rows))
    assert {s.speaker for s in found} == {None}
