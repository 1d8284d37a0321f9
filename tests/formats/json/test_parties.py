"""Roles that follow from values: clock times, texts of parties, names before texts."""

from __future__ import annotations

import csv
import io
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.json.messages import SPEAKERS_AGAIN
from formats.manifests.messages import ENTRIES, NO_TEXT, REPLIES, ROLE, TEXTS_FOUND
from formats.schema.errors import FormatError
from formats.tables.messages import PARTIES
from tests.each_case import each_case
from tests.remarks import pattern_of

KINDS = ("csv", "json", "jsonl")


def write(folder: Path, kind: str, rows: list[dict[str, Any]]) -> Path:
    """Write rows as a table, as a list of JSON or as JSON lines."""
    path = folder / f"a.{kind}"
    if kind == "csv":
        sink = io.StringIO()
        writer = csv.DictWriter(sink, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(sink.getvalue(), encoding="utf-8")
    elif kind == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def entries(read: Any) -> list[object]:
    return [diagnostic.value.entry for diagnostic in read.diagnostics]


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_two_parties_are_turns(kind: str, tmp_path: Path) -> None:
    rows = [{"n": n, "user_message": f"is it {n}", "bot_reply": f"it is {n}"} for n in range(3)]
    read = formats.read(write(tmp_path, kind, rows))
    assert [(s.speaker, " ".join(s.words)) for s in read] == [
        pair for n in range(3) for pair in (("user", f"is it {n}"), ("bot", f"it is {n}"))
    ]
    assert (PARTIES in entries(read)) == (kind == "csv")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_names_of_parties_are_no_texts(kind: str, tmp_path: Path) -> None:
    rows = [{"user": f"u{n}", "agent": f"a{n}", "text": f"so it is {n}"} for n in range(4)]
    assert [" ".join(s.words) for s in formats.read(write(tmp_path, kind, rows))] == [
        f"so it is {n}" for n in range(4)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_clock_times_under_any_name_are_starts_and_ends(kind: str, tmp_path: Path) -> None:
    rows = [
        {"momento": f"0:0{n}", "hasta": f"0:0{n + 1}", "text": f"so it is {n}"} for n in range(4)
    ]
    read = formats.read(write(tmp_path, kind, rows))
    assert [(s.start, s.end) for s in read] == [(float(n), n + 1.0) for n in range(4)]
    assert (ROLE in entries(read)) == (kind == "csv")


def test_clock_times_that_fall_are_no_starts(tmp_path: Path) -> None:
    rows = [{"due": time, "text": "so it is"} for time in ("0:09", "0:02", "0:08", "0:01")]
    assert {s.start for s in formats.read(write(tmp_path, "csv", rows))} == {None}


@each_case("name", ["time_hms", "clip_start_s", "speech_start", "audio_start", "t1"])
def test_further_names_of_starts(name: str, tmp_path: Path) -> None:
    ends = {"t2": 9.5} if name == "t1" else {}
    rows = [
        {name: f"0:0{n}" if "hms" in name else n + 0.5, **ends, "text": "so it is"}
        for n in range(4)
    ]
    starts = [s.start for s in formats.read(write(tmp_path, "csv", rows))]
    assert starts == [n + (0 if "hms" in name else 0.5) for n in range(4)]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_the_name_of_the_speaker_before_a_text_is_no_word(kind: str, tmp_path: Path) -> None:
    rows = [
        {"speaker": "Bob", "text": "Yes, it is: so."},
        {"speaker": "Ann", "text": "ANN: No, it is not."},
        {"speaker": "Bob", "text": "Bob: Yes."},
    ]
    read = formats.read(write(tmp_path, kind, rows))
    assert [s.words[0] for s in read] == ["Yes,", "No,", "Yes."]
    assert SPEAKERS_AGAIN in entries(read)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_numbered_players_are_speakers(kind: str, tmp_path: Path) -> None:
    rows = [{"player": 1 + n % 3, "message": f"it is my turn {n}"} for n in range(9)]
    read = formats.read(write(tmp_path, kind, rows))
    assert [s.speaker for s in read] == [str(1 + n % 3) for n in range(9)]


def test_who_a_message_is_from_is_a_speaker_and_a_time_is_not(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"from": ("human", "gpt")[n % 2], "value": f"so it is {n}"} for n in range(4)
    ]
    read = formats.read(write(tmp_path, "json", [{"conversations": rows}]))
    assert [s.speaker for s in read] == ["human", "gpt"] * 2
    rows = [{"from": n + 0.5, "to": n + 1.0, "text": "so it is so"} for n in range(4)]
    read = formats.read(write(tmp_path, "json", rows))
    assert [(s.speaker, s.start) for s in read] == [(None, n + 0.5) for n in range(4)]


def test_addresses_are_no_texts(tmp_path: Path) -> None:
    rows = [{"Story": n, "Transcript": f"a{n}.docx (https://example.org/{n})"} for n in range(4)]
    with pytest.raises(FormatError):
        formats.read(write(tmp_path, "csv", rows))


def test_titles_of_links_are_no_texts(tmp_path: Path) -> None:
    rows = [{"Titel": f"Das Haus am Meer {n}", "Link": f"https://a.org/{n}"} for n in range(4)]
    with pytest.raises(FormatError):
        formats.read(write(tmp_path, "csv", rows))


def test_descriptions_with_times_are_texts(tmp_path: Path) -> None:
    rows = [{"start": n, "end": n + 1, "description": "so it is here"} for n in range(4)]
    assert len(list(formats.read(write(tmp_path, "csv", rows)))) == 4
    rows = [{"item": n, "description": "so it is here"} for n in range(4)]
    with pytest.raises(FormatError):
        formats.read(write(tmp_path, "csv", rows))


def test_cells_of_texts_with_their_times(tmp_path: Path) -> None:
    cells = [f"[['so it is', [{n}.0, {n}.5]], ['and so', [{n}.5, {n}.75]]]" for n in range(3)]
    rows = [{"id": n, "content": cell} for n, cell in enumerate(cells)]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [(s.recording, s.start, s.words[0]) for s in read] == [
        turn for n in range(3) for turn in ((str(n), n + 0.0, "so"), (str(n), n + 0.5, "and"))
    ]


def test_answers_beside_messages_are_counted(tmp_path: Path) -> None:
    rows = [{"text": f"is it so {n}", "answer": f"no it is not {n}"} for n in range(4)]
    assert REPLIES in entries(formats.read(write(tmp_path, "jsonl", rows)))


def test_long_texts_by_name(tmp_path: Path) -> None:
    long = " ".join(["so it is"] * 10)
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"Ann": {"text": long, "n": 1}, "Ben": {"text": long, "n": 2}}))
    assert [s.utterance for s in formats.read(path)] == ["Ann", "Ben"]


def test_lists_whose_times_go_on_are_of_one_recording(tmp_path: Path) -> None:
    def parts(first: int) -> list[dict[str, Any]]:
        return [
            {"lines": [{"text": f"so it is {n}", "start": n, "end": n + 1}]}
            for n in range(first, first + 3)
        ]

    path = tmp_path / "a.json"
    videos = [{"id": "x", "parts": parts(2)}, {"id": "y", "parts": parts(0)}]
    path.write_text(json.dumps({"made": 1, "data": {"videos": videos}}), encoding="utf-8")
    assert [s.recording for s in formats.read(path)] == ["x"] * 3 + ["y"] * 3


def test_lists_of_lines_of_turns(tmp_path: Path) -> None:
    lines = [{"speaker_line": ("ANN", "BEN")[n % 2], "text": ["so it", "is"]} for n in range(4)]
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps([{"title": "One", "lines": lines}, {"title": "Two", "lines": lines}])
    )
    read = list(formats.read(path))
    assert [(s.recording, s.speaker) for s in read[:4:3]] == [("One", "ANN"), ("One", "BEN")]
    assert read[7].words == ("so", "it", "is")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_sounds_within_a_recording_are_no_recordings(kind: str, tmp_path: Path) -> None:
    rows = [
        {"start": n + 0.5, "end": n + 1.0, "text": "so it is so", "sound": f"se_{n}.mp3"}
        for n in range(5)
    ]
    assert {s.recording for s in formats.read(write(tmp_path, kind, rows))} == {"a"}
    rows = [{**row, "start": 0.25, "end": 2.25} for row in rows]
    names = [s.recording for s in formats.read(write(tmp_path, kind, rows))]
    assert names == [f"se_{n}" for n in range(5)]


def test_the_id_of_a_call_names_it_and_not_that_of_its_agent(tmp_path: Path) -> None:
    lines = [{"start": n + 0.5, "text": f"so it was {n}"} for n in range(3)]
    calls = [{"agent_id": f"a{n}", "call_id": f"c{n}", "lines": lines} for n in range(2)]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(calls))
    assert [s.recording for s in formats.read(path)] == ["c0"] * 3 + ["c1"] * 3


@pytest.mark.parametrize("names", [("query", "response"), ("প্রশ্ন", "উত্তর"), ("Frage", "Antwort")])
def test_questions_and_answers_in_other_words_are_turns(
    names: tuple[str, str], tmp_path: Path
) -> None:
    texts = ("is it late now", "it is not so late")
    (tmp_path / "a.csv").write_text(f"{','.join(names)}\n{','.join(texts)}\n" * 1, "utf-8")
    (tmp_path / "a.json").write_text(
        json.dumps([dict(zip(names, texts, strict=True))] * 2), "utf-8"
    )
    for path in (tmp_path / "a.csv", tmp_path / "a.json"):
        read = [(s.speaker, " ".join(s.words)) for s in formats.read(path)][:2]
        assert read == [("question", texts[0]), ("answer", texts[1])]


PAIRS_OF_TEXTS = [
    ("so what is it then?", "it is a bird"),
    ("is it late now?", "well no, it is not"),
]


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
@pytest.mark.parametrize(
    "names",
    [("user_input", "llm_response"), ("modelInput", "modelOutput"), ("ask", "answer"),
     ("input", "output"), ("instruction", "output"), ("user_input", "system_output")],
)  # fmt: skip
def test_inputs_and_outputs_of_parties_are_turns(
    names: tuple[str, str], form: str, tmp_path: Path
) -> None:
    read = formats.read(_written_pairs(tmp_path, form, names, PAIRS_OF_TEXTS))
    assert [s.speaker for s in read] == ["question", "answer"] * 2
    assert [" ".join(s.words) for s in read] == [text for pair in PAIRS_OF_TEXTS for text in pair]


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
@pytest.mark.parametrize(
    ("names", "texts"),
    [(("input", "output"), [("so it is then", "so ist es also"), ("well no", "nun ja, nein")]),
     (("input", "output"), [("is it so?", "ist es so?"), ("is it late?", "ist es schon spät?")]),
     (("source", "target"), PAIRS_OF_TEXTS)],
)  # fmt: skip
def test_inputs_and_outputs_without_questions_may_be_translations(
    names: tuple[str, str], texts: list[tuple[str, str]], form: str, tmp_path: Path
) -> None:
    with pytest.raises(formats.FormatError):
        formats.read(_written_pairs(tmp_path, form, names, texts))


def _written_pairs(
    folder: Path, form: str, names: tuple[str, str], texts: list[tuple[str, str]]
) -> Path:
    """Write pairs of texts under two names in one of three formats; return the file."""
    rows = [dict(zip(names, pair, strict=True)) for pair in texts]
    path = folder / f"a.{form}"
    if form == "csv":
        lines = [",".join(names), *(f'"{a}","{b}"' for a, b in texts)]
        path.write_text("\n".join(lines) + "\n", "utf-8")
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:
        path.write_text(json.dumps(rows), "utf-8")
    return path


def test_no_warning_of_texts_that_are_turns_in_long_lists(tmp_path: Path) -> None:
    rows = [{"input": f"what is the {n}. of it?", "output": f"a{n} b{n} c{n}"} for n in range(300)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows))
    assert not [d for d in formats.read(path).diagnostics if d.severity != "note"]


def test_numbered_answers_are_turns_of_the_person_of_the_row(tmp_path: Path) -> None:
    answers = ",".join(f"so i said it was the {n} of them" for n in ("first", "second", "third"))
    path = tmp_path / "a.csv"
    path.write_text("name,q1,q2,q3\n" + "".join(f"{who},{answers}\n" for who in ("Ann", "Ben")))
    read = formats.read(path)
    assert [s.speaker for s in read] == ["Ann"] * 3 + ["Ben"] * 3
    assert read[2].words[-3:] == ("third", "of", "them")
    path.write_text("question1,question2\n" + "is it so late,is it late now\n" * 3)
    with pytest.raises(formats.FormatError, match=pattern_of(TEXTS_FOUND)):
        formats.read(path)


def test_dates_in_words_and_one_text_in_all_rows_are_no_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = "".join(f"{n},Sat Apr 30 10:5{n}:27 GMT+01:00 2022\n" for n in range(9))
    for text in ("n,day\n" + rows, "n,extra_text\n" + "1,(goes on here)\n" * 9):
        path.write_text(text)
        with pytest.raises(formats.FormatError, match=pattern_of(NO_TEXT)):
            formats.read(path)


def test_marks_of_bold_and_of_another_speaker_are_no_words(tmp_path: Path) -> None:
    texts = ["**Well then. **So it is.", ">> no it is not", "it is f** and **never** so"]
    (tmp_path / "a.json").write_text(
        json.dumps([{"start": n, "text": t} for n, t in enumerate(texts)])
    )
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in texts))
    (tmp_path / "a.csv").write_text("text\n" + "".join(f"{t}\n" for t in texts))
    for path in sorted(tmp_path.iterdir()):
        read = formats.read(path)
        words = " ".join(word for segment in read for word in segment.words)
        assert words == "Well then. So it is. no it is not it is f and never so", path.suffix
        assert "TAG" in {entry.code for entry in read.diagnostics}


def test_files_of_one_name_in_two_folders_are_two_recordings(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps({"one/7.wav": "so it is", "two/7.wav": "well then", "8.wav": "no it is"})
    )
    assert [s.recording for s in formats.read(path)] == ["one-7", "two-7", "8"]


def test_one_remark_in_brackets_in_all_elements_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    rows = [{"who": who, "choices": [{"text": "(goes on here)"}]} for who in "abab" * 2]
    path.write_text(json.dumps(rows))
    with pytest.raises(FormatError):
        formats.read(path)


def test_a_column_of_people_beside_one_speaker_names_them(tmp_path: Path) -> None:
    rows = [
        {"participant__code": f"p{n % 2}", "nickname": "Player", "body": f"so it is {n}"}
        for n in range(8)
    ]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [s.speaker for s in read] == ["p0", "p1"] * 4
    assert "ROLE" in [diagnostic.code for diagnostic in read.diagnostics]


def test_directions_of_messages_are_speakers(tmp_path: Path) -> None:
    rows = [
        {"direction": ("inbound", "outbound")[n % 2], "body": f"so it is {n}"} for n in range(4)
    ]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [s.speaker for s in read] == ["inbound", "outbound"] * 2


def test_texts_are_offered_in_the_order_of_their_words(tmp_path: Path) -> None:
    rows = [
        {"place": f"the place {n} of all", "spell": f"so it is and so it was of old {n}"}
        for n in range(4)
    ]
    with pytest.raises(FormatError, match='in "spell" and "place"') as error:
        formats.read(write(tmp_path, "csv", rows))
    assert "OTHER-FORMAT" not in str(error.value)


def test_bold_names_in_cells_are_speakers(tmp_path: Path) -> None:
    talk = "**Ann:** so it is\n\n**Ben:** (smiles) well then\n\n**Ann:** and so on"
    rows = [{"place": f"the place {n} of all", "spell": talk} for n in range(3)]
    read = formats.read(write(tmp_path, "jsonl", rows))
    assert [s.speaker for s in read] == ["Ann", "Ben", "Ann"] * 3


def test_seconds_since_1970_on_several_days_are_no_starts(tmp_path: Path) -> None:
    rows = [
        {"user": "ab"[n % 2], "body": f"so it is {n}", "timestamp": 1589537364.5 + 86400 * (n % 3)}
        for n in range(6)
    ]
    read = formats.read(write(tmp_path, "csv", rows))
    assert {s.start for s in read} == {None}
    assert "ROLE-UNFIT" in [diagnostic.code for diagnostic in read.diagnostics]


def test_names_alone_in_cells_are_speakers(tmp_path: Path) -> None:
    turns = ("Ann Lee -- Analyst\nwhere is it now?", "Ben Low -- Director\nit is there, as I said.")
    rows = [{"quarter": f"Q{n}", "transcript": "\n\n".join(turns * 3)} for n in range(3)]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [s.speaker for s in read] == ["Ann Lee", "Ben Low"] * 9


def test_presidents_beside_speeches_are_speakers(tmp_path: Path) -> None:
    rows = [
        {"no": n, "president": ("Ann Lee", "Ben Low")[n % 2], "speech": f"so it is {n}"}
        for n in range(6)
    ]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [s.speaker for s in read] == ["Ann Lee", "Ben Low"] * 3


def test_dates_of_rows_of_two_parties_count_from_the_first(tmp_path: Path) -> None:
    rows = [
        {"timestamp": f"2024-03-01 10:0{n}:00", "user_message": f"is it {n}", "bot_reply": "it is"}
        for n in range(3)
    ]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [s.start for s in read] == [0, 0, 60, 60, 120, 120]


def test_dates_in_a_table_without_a_header_are_starts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    lines = [f"2024-03-01 10:0{n}:00,{'AB'[n % 2]}nn,so it is. {n}\n" for n in range(6)]
    path.write_text("".join(lines), encoding="utf-8")
    read = formats.read(path)
    assert [s.start for s in read] == [60 * n for n in range(6)]
    assert [s.speaker for s in read] == ["Ann", "Bnn"] * 3


SAID = ("So where did we park?", "Behind the bakery.", "It was gone at noon.", "Who took it then?")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["spk", "speaker"])
def test_labels_alone_are_speakers_without_words(kind: str, name: str, tmp_path: Path) -> None:
    rows = [
        {"start": n + 0.5, "end": n + 1.25, name: f"SPEAKER_0{n % 2}"} for n in range(len(SAID))
    ]
    segments = list(formats.read(write(tmp_path, kind, rows)))
    assert [(s.speaker, s.start, s.words) for s in segments] == [
        (f"SPEAKER_0{n % 2}", n + 0.5, ()) for n in range(len(SAID))
    ]


def test_labels_beside_tracks_and_spans_are_speakers(tmp_path: Path) -> None:
    rows = [
        {"segment": {"start": n + 0.5, "end": n + 1.25}, "track": "A", "label": f"SPEAKER_0{n % 2}"}
        for n in range(4)
    ]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"content": rows}), encoding="utf-8")
    assert [(s.speaker, s.words) for s in formats.read(path)] == [
        (f"SPEAKER_0{n % 2}", ()) for n in range(4)
    ]


def test_labels_alone_in_rows_without_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("".join(f"{n * 1.5},{n * 1.5 + 0.7},SPEAKER_0{n % 2}\n" for n in range(5)))
    assert {(s.speaker, s.words) for s in formats.read(path)} == {
        ("SPEAKER_00", ()), ("SPEAKER_01", ()),
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_single_words_that_return_are_words(kind: str, tmp_path: Path) -> None:
    rows = [{"start": n, "end": n + 0.5, "text": ("left", "right")[n % 2]} for n in range(4)]
    read = formats.read(write(tmp_path, kind, rows))
    assert [s.words for s in read] == [("left",), ("right",)] * 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["dialogue_jp", "line_en", "CaptionGerman"])
def test_the_only_text_with_a_language_is_read(kind: str, name: str, tmp_path: Path) -> None:
    rows = [
        {"n": f"p{n}", "looks_tags": "yard, wide road", name: text} for n, text in enumerate(SAID)
    ]
    read = formats.read(write(tmp_path, kind, rows))
    assert [" ".join(s.words) for s in read] == [*SAID]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_text_in_two_languages_is_asked_for(kind: str, tmp_path: Path) -> None:
    rows = [{"n": f"p{n}", "line_en": t, "line_es": f"¿{t[::-1]}"} for n, t in enumerate(SAID)]
    with pytest.raises(FormatError, match="line_en"):
        list(formats.read(write(tmp_path, kind, rows)))


def test_languages_deep_in_json_are_offered(tmp_path: Path) -> None:
    pairs = [{"eng": text, "pol": f"no {text[::-1]}", "right": True} for text in SAID]
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"title": "a", "entries": [{"stub": "b", "speech": pairs}]}] * 2))
    with pytest.raises(FormatError, match=r"(?s)(?=.*\"eng\").*\"pol\".*--member text="):
        formats.read(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_that_hardly_any_row_has_is_no_text(kind: str, tmp_path: Path) -> None:
    rows = [
        {"n": f"p{n}", "text": "so it was" * (n == 3), "engl": text, "phon": text[::-1]}
        for n, text in enumerate(f"{text} {n}" for n in range(6) for text in SAID)
    ]
    with pytest.raises(FormatError, match="engl"):
        list(formats.read(write(tmp_path, kind, rows)))
    rows = [{**row, "speaker": "Ann"} for row in rows]
    assert len(list(formats.read(write(tmp_path, kind, rows)))) == len(rows)


@pytest.mark.parametrize("name", ["date", "created_at", "Sent Date"])
@pytest.mark.parametrize("form", ["2024-03-01 10:0{}:00", "3/1/24, 10:0{} AM", "01.03.2024 10:0{}"])
def test_dates_of_messages_in_tables_are_starts(name: str, form: str, tmp_path: Path) -> None:
    rows = [
        {name: form.format(n), "sender": ("Ann", "Ben")[n % 2], "message": text}
        for n, text in enumerate(SAID)
    ]
    read = formats.read(write(tmp_path, "csv", rows))
    assert [(s.speaker, s.start) for s in read] == [
        ("Ann", 0.0), ("Ben", 60.0), ("Ann", 120.0), ("Ben", 180.0),
    ]  # fmt: skip


def test_dates_beside_texts_without_speakers_are_no_starts(tmp_path: Path) -> None:
    rows = [{"date": f"2024-03-01 10:0{n}:00", "text": text} for n, text in enumerate(SAID)]
    assert {s.start for s in formats.read(write(tmp_path, "csv", rows))} == {None}


def test_dates_whose_name_is_no_start_are_starts_of_messages(tmp_path: Path) -> None:
    rows = [
        {"author": ("Ann", "Ben")[n % 2], "text": text, "createdAt": f"2024-03-01T10:0{n}:00Z"}
        for n, text in enumerate(SAID)
    ]
    read = formats.read(write(tmp_path, "json", rows))
    assert [s.start for s in read] == [0.0, 60.0, 120.0, 180.0]
    assert "JSON-TIME" not in [d.code for d in read.diagnostics]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["event", "kind", "source"])
def test_kinds_of_messages_are_speakers(kind: str, name: str, tmp_path: Path) -> None:
    rows = [
        {name: ("user_message", "botMessage")[n % 2], "content": text}
        for n, text in enumerate(SAID)
    ]
    read = formats.read(write(tmp_path, kind, rows))
    assert [s.speaker for s in read] == ["user_message", "botMessage"] * 2


def test_rows_of_tools_among_messages_of_parties_are_left_out(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"type": ("user", "assistant")[n % 2], "text": text} for n, text in enumerate(SAID)
    ]
    rows.insert(2, {"type": "tool_call", "tool": "find", "args": {"q": "a"}})
    rows.append({"type": "system", "text": "you are a friendly helper"})
    read = formats.read(write(tmp_path, "json", rows))
    assert [s.speaker for s in read] == ["user", "assistant"] * 2 + ["system"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["price", "Due date", "qty_left"])
def test_goods_and_tasks_are_no_speech(kind: str, name: str, tmp_path: Path) -> None:
    rows = [{"n": f"p{n}", "thing": text, name: n * 7} for n, text in enumerate(SAID)]
    with pytest.raises(FormatError, match="thing"):
        list(formats.read(write(tmp_path, kind, rows)))


def test_short_words_beside_a_lone_start_are_no_speech(tmp_path: Path) -> None:
    words = ("prato (plate)", "copo (glass)", "garfo (fork)", "faca (knife)")
    rows = [{"n": n, "full": word, "start": 7 - n % 2} for n, word in enumerate(words)]
    with pytest.raises(FormatError, match="full"):
        list(formats.read(write(tmp_path, "csv", rows)))


@pytest.mark.parametrize("head", ["A,B,C", "Talk of May,,", "Speech,,Time"])
def test_two_rows_of_names(head: str, tmp_path: Path) -> None:
    rows = "".join(f"{('Ann', 'Ben')[n % 2]},{text},{n}.5\n" for n, text in enumerate(SAID))
    path = tmp_path / "a.csv"
    path.write_text(f"{head}\nSpeaker,Text,Start\n{rows}", encoding="utf-8")
    assert [(s.speaker, s.start) for s in formats.read(path)] == [
        ("Ann", 0.5), ("Ben", 1.5), ("Ann", 2.5), ("Ben", 3.5),
    ]  # fmt: skip


def test_numbered_lists_of_texts_are_read_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"dialogue1": SAID[:2], "dialogue2": SAID[2:]}), encoding="utf-8")
    assert [" ".join(s.words) for s in formats.read(path)] == [*SAID]


def test_spans_of_chunks_give_way_to_those_of_the_rows(tmp_path: Path) -> None:
    rows = [
        f"4,00:34:00,00:36:30,a.mp4,0,SPEAKER_0{n % 2},{n * 3 + 0.37},{n * 3 + 2.81},{text}"
        for n, text in enumerate((*SAID, *SAID))
    ]
    path = tmp_path / "a.csv"
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    assert [s.start for s in formats.read(path)] == [n * 3 + 0.37 for n in range(8)]


def test_tokens_of_a_model_are_told_once(tmp_path: Path) -> None:
    rows = [
        {"role": ("user", "assistant")[n % 2], "content": f"<|go|>{text} number {n}<|stop|>"}
        for n, text in enumerate(SAID * 3)
    ]
    codes = [d.code for d in formats.read(write(tmp_path, "json", rows)).diagnostics]
    assert "MODEL-TOKENS" in codes
    assert "TEXTS-LEFT" not in codes


@pytest.mark.parametrize("kind", KINDS)
def test_captions_begin_with_a_name_where_the_speaker_changes(kind: str, tmp_path: Path) -> None:
    texts = ["ANN: so it is then", "BEN: well, I think so", "and so do they", "ANN: then go on"]
    rows = [{"start": n, "end": n + 0.9, "text": text} for n, text in enumerate(texts)]
    read = formats.read(write(tmp_path, kind, rows))
    assert [s.speaker for s in read] == ["ANN", "BEN", None, "ANN"]
    assert [s.words[0] for s in read] == ["so", "well,", "and", "then"]


@pytest.mark.parametrize("kind", KINDS)
def test_addressees_are_no_ends(kind: str, tmp_path: Path) -> None:
    dates = [("2024-05-01", "10:02:11"), ("2024-05-01", "10:03:40"), ("2024-05-02", "09:00:05")]
    people = ("Ann", "Ben", "Ann", "Ben")
    rows = [
        {"Date": day, "Time": time, "From": people[n], "To": people[n + 1], "Message": f"so {n} it"}
        for n, (day, time) in enumerate(dates)
    ]
    read = formats.read(write(tmp_path, kind, rows))
    assert [(s.speaker, s.start) for s in read] == [("Ann", 0), ("Ben", 89), ("Ann", 82674)]


@pytest.mark.parametrize("kind", KINDS)
def test_examples_of_a_dictionary_are_doubted(kind: str, tmp_path: Path) -> None:
    words = ("lamp", "river", "apple")
    rows = [{"word": word, "sentence": f"we saw the {word} over there"} for word in words]
    read = formats.read(write(tmp_path, kind, rows))
    assert [len(s.words) for s in read] == [6] * 3
    assert ENTRIES in entries(read)
    timed = [{**row, "start": n, "end": n + 1} for n, row in enumerate(rows)]
    assert ENTRIES not in entries(formats.read(write(tmp_path, kind, timed)))
    songs = [{"title": word, "lyrics": f"we saw the {word}\nso it is\n" * 12} for word in words]
    assert ENTRIES not in entries(formats.read(write(tmp_path, kind, songs)))


def test_times_of_words_show_when_a_turn_begins(tmp_path: Path) -> None:
    turns = [
        {"transcript": "so it is", "timestamps": [0.5, 0.75, 1.0], "speaker_id": 1},
        {"transcript": "well then", "timestamps": [2.0, 2.5], "speaker_id": 2},
    ]
    read = formats.read(write(tmp_path, "json", turns))
    assert [(s.start, s.end) for s in read] == [(0.5, None), (2.0, None)]


def test_profiles_name_the_speakers(tmp_path: Path) -> None:
    profiles: list[dict[str, Any]] = [{"user_profile": {"real_name": "Ann Ex", "name": "a"}}, {}]
    rows = [
        {"user": "U1", "ts": f"170000000{n}.000100", "text": f"so it is {n}", **profile}
        for n, profile in enumerate(profiles)
    ]
    read = formats.read(write(tmp_path, "json", [*rows, {**rows[1], "user": "U2"}]))
    assert [s.speaker for s in read] == ["Ann Ex", "Ann Ex", "U2"]


def test_plays_of_four_lines_are_turns(tmp_path: Path) -> None:
    lines = ["MARY. Who is it then?", "JOHN. It is I.", "MARY. Come in.", "JOHN. So I will."]
    read = formats.read(write(tmp_path, "json", [{"title": "The door", "text": "\n".join(lines)}]))
    assert [s.speaker for s in read] == ["MARY", "JOHN", "MARY", "JOHN"]


@pytest.mark.parametrize("sign", [":", ";"])
def test_time_codes_without_a_header_are_times(sign: str) -> None:
    lines = ["so it is then", "well, I think so", "and so do they", "then let us go on"]
    text = "".join(f"00:00:0{n}:16\t00:00:0{n + 1}:10\t{line}\n" for n, line in enumerate(lines))
    read = formats.read(BytesIO(text.replace(":", sign).encode()), "csv", recording="a")
    assert [(s.start, " ".join(s.words)) for s in read] == [
        (round(n + 0.64, 2), line) for n, line in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("row", "speakers"),
    [({"system_utterance": {"text": "is it late?"}, "user_utterance": {"text": "no, it is not"}},
      ["system", "user"]),
     ({"question": {"text": "is it late?", "n": 1}, "answer": {"text": "no, it is not"}},
      ["question", "answer"]),
     ({"human": {"content": "is it late?"}, "assistant": {"content": "no, it is not", "n": 2}},
      ["human", "assistant"])],
)  # fmt: skip
def test_objects_of_what_parties_said_are_turns(
    row: dict[str, Any], speakers: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"id": n, "turns": [row] * 2} for n in range(2)]))
    read = formats.read(path)
    assert [s.speaker for s in read] == speakers * 4
    assert read[1].words == ("no,", "it", "is", "not")


def test_objects_about_parties_are_no_turns(tmp_path: Path) -> None:
    row = {"user": {"name": "Ann"}, "agent": {"name": "Ben"}, "text": "so it is then"}
    path = tmp_path / "a.json"
    path.write_text(json.dumps([row] * 2))
    assert [" ".join(s.words) for s in formats.read(path)] == ["so it is then"] * 2


SPELT = [
    ("zh", "你家在哪里呢", "pinyin"),
    ("ja", "あなたの家はどこですか", "romaji"),
    ("yue", "你屋企喺邊度呀", "jyutping"),
]


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize(("name", "text", "spelt"), SPELT)
def test_the_text_whose_pronunciation_is_beside_it_is_read(
    name: str, text: str, spelt: str, form: str, tmp_path: Path
) -> None:
    row = {"role": "A", "en": "where do you live then", name: text, spelt: "well so it is"}
    path = tmp_path / f"a.{form}"
    rows = [row, {**row, "role": "B"}] * 2
    lines = [",".join(row), *(",".join(r.values()) for r in rows)]
    path.write_text(
        json.dumps({"talks": [{"id": "t1", "lines": rows}]}) if form == "json"
        else "\n".join(lines) + "\n", "utf-8",
    )  # fmt: skip
    assert [(s.speaker, "".join(s.words)) for s in formats.read(path)] == [
        (r["role"], text) for r in rows
    ]


def test_two_languages_without_a_pronunciation_are_open(tmp_path: Path) -> None:
    row = {"role": "A", "en": "where do you live then", "ja": "あなたの家はどこですか"}
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"talks": [{"id": "t1", "lines": [row] * 4}]}), "utf-8")
    with pytest.raises(formats.FormatError):
        formats.read(path)


TWO = [
    ("so where did you go then", "we went down to the river"),
    ("well and what was there", "an old bridge"),
]


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
@pytest.mark.parametrize(
    "names",
    [
        ("speaker1", "speaker2"),
        ("person_a", "person_b"),
        ("A", "B"),
        ("npc", "player"),
        ("Me", "You"),
    ],
)
def test_two_persons_with_the_only_phrases_are_speakers(
    names: tuple[str, str], form: str, tmp_path: Path
) -> None:
    read = formats.read(_written_pairs(tmp_path, form, names, TWO))
    assert [s.speaker for s in read] == [*names] * 2
    assert read[3].words == ("an", "old", "bridge")


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
@pytest.mark.parametrize(
    ("names", "texts"),
    [(("speaker1", "speaker2"), [("Ann Lee", "Ben Roe"), ("Cas Moe", "Dan Poe")]),
     (("left", "right"), TWO), (("first", "second"), TWO)],
)  # fmt: skip
def test_names_of_persons_and_other_pairs_are_no_speakers(
    names: tuple[str, str], texts: list[tuple[str, str]], form: str, tmp_path: Path
) -> None:
    with pytest.raises(formats.FormatError):
        formats.read(_written_pairs(tmp_path, form, names, texts))


def test_choices_of_a_question_are_no_speakers(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    rows = [{"question": "where did they go then", "A": a, "B": b} for a, b in TWO]
    path.write_text(json.dumps(rows))
    with pytest.raises(formats.FormatError):
        formats.read(path)


def test_first_names_and_parts_of_messages(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    people = [{"first_name": name, "last_name": "Lee"} for name in ("Ann", "Ben")]
    rows = [
        {"speaker": who, "text": text}
        for pair in TWO
        for who, text in zip(people, pair, strict=True)
    ]
    path.write_text(json.dumps(rows))
    assert [s.speaker for s in formats.read(path)] == ["Ann", "Ben"] * 2
    roles = [
        {"role": who, "parts": [text]}
        for pair in TWO
        for who, text in zip(("user", "model"), pair, strict=True)
    ]
    path.write_text(json.dumps(roles))
    assert [(s.speaker, " ".join(s.words)) for s in formats.read(path)][:2] == [
        ("user", TWO[0][0]), ("model", TWO[0][1]),
    ]  # fmt: skip


def test_scenes_of_what_persons_say_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    rows = [
        {"who": who, "say": text}
        for pair in TWO
        for who, text in zip(("Ann", "Ben"), pair, strict=True)
    ]
    path.write_text(json.dumps({"scene1": rows, "scene2": rows[::-1]}))
    assert [s.speaker for s in formats.read(path)] == ["Ann", "Ben"] * 2 + ["Ben", "Ann"] * 2
