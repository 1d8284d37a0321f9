"""Rows of tables that people and programs write: titles, missing values, loose separators."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats import FormatError, Segment, Transcript
from formats.manifests.messages import DESCRIPTIONS, TIME_BESIDE_DAYS, TIME_OF_DAY, WORD_LIST
from formats.tables.messages import (
    CUT_TEXTS,
    HEADER_OF_VALUES,
    NO_HEADER,
    TEXTS_WITHOUT_NAMES,
)
from tests.each_case import each_case


def read(folder: Path, text: str, name: str = "talk.csv") -> formats.Transcript:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return formats.read(path)


def read_as(suffix: str, rows: list[dict[str, object]], folder: Path) -> formats.Transcript:
    """Read rows as a table, as JSON lines, or as a list in JSON."""
    if suffix == "csv":
        lines = [",".join(map(str, row)) for row in (rows[0], *map(dict.values, rows))]
    elif suffix == "jsonl":
        lines = list(map(json.dumps, rows))
    else:
        lines = [json.dumps(rows)]
    return read(folder, "\n".join([*lines, ""]), f"talk.{suffix}")


def texts(transcript: formats.Transcript) -> list[str]:
    return [" ".join(segment.words) for segment in transcript]


def entries(transcript: formats.Transcript) -> dict[str, dict[str, object]]:
    return {d.code: dict(d.value.fields) for d in transcript.diagnostics}


@pytest.mark.parametrize(
    ("title", "sign"), [('"Talk of Monday, noon",,', ","), ("Talk of Monday, noon", "\t")]
)
def test_a_title_above_the_header_is_noted_and_not_read(
    title: str, sign: str, tmp_path: Path
) -> None:
    rows = [["Speaker", "Start", "Text"], ["Ann", "0:01", "so it is"], ["Ben", "0:05", "no"]]
    transcript = read(tmp_path, "\n".join([title, *map(sign.join, rows)]) + "\n")
    assert [(s.speaker, s.start, s.words[0]) for s in transcript] == [
        ("Ann", 1.0, "so"),
        ("Ben", 5.0, "no"),
    ]
    assert entries(transcript)["TABLE-TITLE"] == {"rows": 1, "text": "Talk of Monday, noon"}


@each_case("comment", ["# by hand", "# by hand, second, of Monday, noon", "# a\n# b,c"])
@each_case("header", ["start,speaker,text\n", ""])
def test_comments_above_a_table_are_told_and_not_read(
    comment: str, header: str, tmp_path: Path
) -> None:
    rows = "".join(f"0:0{n},{'AB'[n % 2]},so it is number {n}\n" for n in range(6))
    transcript = read(tmp_path, f"{comment}\n{header}{rows}")
    assert [s.start for s in transcript] == [float(n) for n in range(6)]
    assert texts(transcript)[0] == "so it is number 0"
    assert entries(transcript)["TABLE-TITLE"]["rows"] == comment.count("#")


def test_a_sign_before_the_names_of_columns_is_no_comment(tmp_path: Path) -> None:
    transcript = read(tmp_path, "# start,speaker,text\n0:01,Ann,so it is\n0:05,Ben,no\n")
    assert [(s.speaker, s.start) for s in transcript] == [("Ann", 1.0), ("Ben", 5.0)]
    assert "TABLE-TITLE" not in entries(transcript)


def test_rows_with_the_same_number_of_bars_do_not_make_the_header_a_title() -> None:
    segments = [
        Segment.of("talk", text.split(), speaker="Ann")
        for text in ("so, it is", "no", "one|two|three", "a|b c|d", "e f|g|h")
    ]
    output = BytesIO()
    formats.write(Transcript(segments), output, "csv")
    found = formats.read(BytesIO(output.getvalue()), "csv")
    assert [(s.speaker, s.words) for s in found] == [("Ann", s.words) for s in segments]


def test_an_empty_row_above_the_header_is_no_title(tmp_path: Path) -> None:
    transcript = read(tmp_path, '""\nSpeaker,Start,Text\nAnn,0:01,so it is\nBen,0:05,no\n')
    assert texts(transcript) == ["so it is", "no"]
    assert "TABLE-TITLE" not in entries(transcript)


def test_a_table_of_one_column_has_no_title(tmp_path: Path) -> None:
    assert texts(read(tmp_path, "text\nso it is\nno, it is not\n", "talk.csv")) == [
        "so it is",
        "no, it is not",
    ]


def test_missing_values_of_r_are_no_words(tmp_path: Path) -> None:
    text = "trial,start,utterance\n1,0.5,so it is\n2,NA,NA\n3,2.5,well then\n"
    transcript = read(tmp_path, text)
    assert texts(transcript) == ["so it is", "", "well then"]
    assert [segment.start for segment in transcript] == [0.5, None, 2.5]
    assert entries(transcript)["CELLS-MISSING"] == {"cells": 2, "value": "NA"}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["u1,SO IT IS", "u2,NA"], ["SO IT IS", "NA"]),
        (["u1,so it is", "u2,NA NA"], ["so it is", "NA NA"]),
        (["u1,so it is", "u2,na"], ["so it is", "na"]),
    ],
)
def test_a_word_in_capitals_stays_a_word(rows: list[str], words: list[str], tmp_path: Path) -> None:
    transcript = read(tmp_path, "\n".join(["id,text", *rows]) + "\n")
    assert texts(transcript) == words
    assert "CELLS-MISSING" not in entries(transcript)


def test_a_recording_whose_name_means_a_missing_value_is_written_and_read_back() -> None:
    segments = [Segment.of("NA", ["so"], speaker="ann"), Segment.of("rec2", ["no"], speaker="ann")]
    output = BytesIO()
    formats.write(Transcript(segments), output, "csv")
    back = formats.read(BytesIO(output.getvalue()), "csv")
    assert [segment.recording for segment in back] == ["NA", "rec2"]


def test_a_table_of_ours_has_seconds_however_large_they_are(tmp_path: Path) -> None:
    output = BytesIO()
    segments = [Segment.of("talk", ["so"] * 30, start=start) for start in (3, 7, 3602)]
    formats.write(Transcript(segments), output, "csv")
    assert [segment.start for segment in formats.read(BytesIO(output.getvalue()), "csv")] == [
        3,
        7,
        3602,
    ]


def test_a_table_of_ours_that_r_wrote_has_missing_values(tmp_path: Path) -> None:
    rows = ["id,recording,channel,speaker,start,end,text", "u1,talk,NA,ann,0.5,NA,so it is"]
    (segment,) = read(tmp_path, "\n".join(rows) + "\n")
    assert (segment.channel, segment.speaker, segment.end) == (None, "ann", None)


def test_initials_stay_speakers(tmp_path: Path) -> None:
    transcript = read(tmp_path, "speaker,text\nNA,so it is\nKB,no\nNA,yes\n")
    assert [segment.speaker for segment in transcript] == ["NA", "KB", "NA"]


def test_separators_in_the_last_column_are_signs_of_its_text(tmp_path: Path) -> None:
    text = "start,end,text\n0.5,1.5,well, so it is\n1.5,2.5,no\n2.5,3.5,yes, no, yes,\n"
    transcript = read(tmp_path, text)
    assert texts(transcript) == ["well, so it is", "no", "yes, no, yes"]
    assert entries(transcript)["TEXT-JOINED"] == {"rows": 2, "name": "text"}


def test_a_column_without_name_and_cells_is_none(tmp_path: Path) -> None:
    transcript = read(tmp_path, "Text,\nso it is, yes,\nwell then,\nno,\n")
    assert texts(transcript) == ["so it is, yes", "well then", "no"]
    assert not any(segment.properties for segment in transcript)


def test_surplus_cells_of_another_column_stay_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="2 fields, as many as in the header"):
        read(tmp_path, "text,speaker\nso, it is,Ann\n")


@pytest.mark.parametrize(
    "row",
    [
        "7,Winter Talk,{},Ann:,so it is then",
        "Winter Talk,scene {},Winter Talk,Ann,so it is then",
    ],
)
def test_a_first_row_of_values_is_no_header(row: str, tmp_path: Path) -> None:
    rows = "".join(f"{row.format(number)}\n" for number in (3, 4, 5, 6))
    with pytest.raises(FormatError) as caught:
        read(tmp_path, rows)
    value = caught.value.value
    assert value is not None
    assert value.entry is HEADER_OF_VALUES
    assert value.fields["value"] == row.split(",")[0]


SPOKEN = ("So where did we park?", "Behind the bakery.", "It was gone at noon.", "Who took it?")
IN_SPANISH = (
    "¿Dónde aparcamos?",
    "Detrás de la panadería.",
    "A mediodía no estaba.",
    "¿Quién fue?",
)


def test_a_first_row_of_sentences_is_the_first_text(tmp_path: Path) -> None:
    rows = "".join(f"Lesson {n // 2},{text},k{n}Q\n" for n, text in enumerate(SPOKEN))
    transcript = read(tmp_path, rows)
    assert [" ".join(s.words) for s in transcript] == [*SPOKEN]
    assert NO_HEADER in [d.value.entry for d in transcript.diagnostics]


def test_two_columns_of_texts_without_names_are_asked_for(tmp_path: Path) -> None:
    pairs = enumerate(zip(SPOKEN, IN_SPANISH, strict=True))
    rows = "".join(f"Lesson {n // 2},{text},{other}\n" for n, (text, other) in pairs)
    with pytest.raises(FormatError) as caught:
        read(tmp_path, rows)
    value = caught.value.value
    assert value is not None
    assert value.entry is TEXTS_WITHOUT_NAMES
    assert value.fields["found"] == ["column 2", "column 3"]
    assert value.fields["columns"] == "column 1,text,column 3"


def test_questions_of_a_form_are_names(tmp_path: Path) -> None:
    questions = "What is your name?,Please tell us what happened.,How do you feel about it?\n"
    rows = "".join(f"{'AB'[n % 2]}nn,{text},It is good.\n" for n, text in enumerate(SPOKEN))
    with pytest.raises(FormatError, match="Please tell us what happened"):
        read(tmp_path, questions + rows)


def test_sentences_with_commas_are_no_table(tmp_path: Path) -> None:
    rows = ("dull , slow and long .", "it is fun .", "well , so , no , not bad .", "fine , so .")
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "".join(f"{row}\n" for row in rows))
    assert caught.value.value is not None
    assert caught.value.value.entry is CUT_TEXTS


def test_pandas_numbers_of_columns_are_names(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "0,1\n7,3\n8,4\n9,4\n")
    assert caught.value.value is not None
    assert caught.value.value.code == "NO-TEXT-NAME"


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl"])
def test_a_list_of_words_is_no_transcript(suffix: str, tmp_path: Path) -> None:
    rows = [("apple", 12), ("running", 7), ("blue", 5), ("quick", 3)]
    if suffix == ".csv":
        text = "".join(f"{word},{count}\n" for word, count in [("text", "frequency"), *rows])
    else:
        objects = [json.dumps({"text": word, "frequency": count}) for word, count in rows]
        text = "\n".join(objects) if suffix == ".jsonl" else f"[{','.join(objects)}]"
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text, f"words{suffix}")
    assert caught.value.value is not None
    assert caught.value.value.entry is WORD_LIST


def test_single_words_of_recordings_are_utterances(tmp_path: Path) -> None:
    rows = "".join(f"{word}.wav,{word}\n" for word in ("yes", "no", "stop", "go", "left"))
    assert texts(read(tmp_path, f"file,text\n{rows}"))[:2] == ["yes", "no"]


def test_bars_below_a_header_with_a_text_are_a_table(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("name|text\n901|Hello there, Ann.\n902|How are you?\n903|I am fine.\n")
    assert formats.detect(path) == "csv"
    assert texts(formats.read(path))[1] == "How are you?"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_column_of_sentences_needs_no_header(suffix: str, tmp_path: Path) -> None:
    transcript = read(tmp_path, '"Well, so it is!"\nNo.\nNot at all it is.\n', f"talk{suffix}")
    assert len(transcript) == 3
    assert "NO-HEADER" in entries(transcript)


def test_a_column_of_sentences_may_have_a_header(tmp_path: Path) -> None:
    transcript = read(tmp_path, "Text\nSo it is then.\nNo it is not.\n")
    assert texts(transcript) == ["So it is then.", "No it is not."]


def test_a_column_of_sentences_is_not_taken_with_an_unknown_header(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, "What was said\nSo it is.\nNo.\n")


def test_the_only_prediction_is_the_text_of_a_hypothesis(tmp_path: Path) -> None:
    text = "utt_id,prediction\nu1,so it is\nu2,no it was not\n"
    assert texts(read(tmp_path, text)) == ["so it is", "no it was not"]


def test_a_prediction_beside_other_sentences_is_not_chosen(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, "question,prediction\nwho is it then,so it is\nand who else,no it was\n")


def test_a_column_that_is_mostly_empty_is_not_the_only_one_of_sentences(tmp_path: Path) -> None:
    rows = "Ann,0:01,\nBen,0:05,\nAnn,0:09,\nBen,0:12,the winter song\n"
    with pytest.raises(FormatError):
        read(tmp_path, f"name,start,song\n{rows}")


SAID = ("good morning to you all", "it is nice to be here", "let us begin with it")


@pytest.mark.parametrize(
    ("header", "starts", "speakers"),
    [
        ("TC In,TC Out,Duration,characters,Line", [0, 4, 8], ["Ann", "Ben", "Ann"]),
        ("a,b,Duration,Who,Line", [0, 4, 8], ["Ann", "Ben", "Ann"]),
    ],
)
def test_times_beside_a_duration_are_starts(
    header: str, starts: list[float], speakers: list[str], tmp_path: Path
) -> None:
    rows = [
        f"00:00:0{4 * n},00:00:0{4 * n + 3},00:00:03,{speakers[n]},{text}"
        for n, text in enumerate(SAID)
    ]
    transcript = read(tmp_path, "\n".join([header, *rows]) + "\n")
    assert [(s.start, s.end, s.speaker) for s in transcript] == [
        (start, start + 3, name) for start, name in zip(starts, speakers, strict=True)
    ]


def test_durations_without_starts_are_no_times_of_one_recording(tmp_path: Path) -> None:
    rows = [f"{text},{n + 2}.5" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["text,duration", *rows]) + "\n")
    assert [s.start for s in transcript] == [None] * 3
    assert "COLUMNS-LEFT" not in entries(transcript)  # a length says not when
    named = [f"{n}.wav,{row}" for n, row in enumerate(rows)]
    transcript = read(tmp_path, "\n".join(["path,text,duration", *named]) + "\n")
    assert [s.end for s in transcript] == [2.5, 3.5, 4.5]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_ids_beside_durations_alone_name_the_recordings(suffix: str, tmp_path: Path) -> None:
    transcript = read_as(suffix, [{"id": f"u{n}", "duration": n + 2, "text": t}
                                  for n, t in enumerate(SAID)], tmp_path)  # fmt: skip
    found = [(s.recording, s.start, s.end) for s in transcript]
    assert found == [("u0", 0, 2), ("u1", 0, 3), ("u2", 0, 4)]


def test_turns_with_durations_alone_stay_in_one_recording(tmp_path: Path) -> None:
    rows = [{"id": f"u{n}", "speaker": "AB"[n % 2], "duration": n + 2, "text": text}
            for n, text in enumerate(SAID)]  # fmt: skip
    assert {s.recording for s in read_as("csv", rows, tmp_path)} == {"talk"}


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_an_end_before_its_start_is_dropped_with_a_warning(suffix: str, tmp_path: Path) -> None:
    rows = [{"start": 3 * n, "end": 3 * n + 2 if n != 5 else 4, "text": f"so it is {n} again"}
            for n in range(30)]  # fmt: skip
    transcript = read_as(suffix, rows, tmp_path)
    assert [s.start for s in transcript] == [3 * n for n in range(30)]
    assert [s.start for s in transcript if s.end is None] == [15]
    warned = [d for d in transcript.diagnostics if d.code == "TIMES-END"]
    assert [d.severity for d in warned] == ["warning"]
    assert [d.line for d in warned] == [{"csv": 7, "jsonl": 6, "json": 1}[suffix]]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_several_ends_before_their_starts_are_no_slips(suffix: str, tmp_path: Path) -> None:
    rows = [{"start": 3 * n + 3, "end": 1, "text": f"so it is {n} again"} for n in range(9)]
    with pytest.raises(FormatError, match="an end not before"):
        read_as(suffix, rows, tmp_path)


def test_character_offsets_are_no_times(tmp_path: Path) -> None:
    rows = [f"{30 * n},{30 * n + len(text)},{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["start,end,text", *rows]) + "\n")
    assert [s.start for s in transcript] == [None] * len(rows)
    assert entries(transcript)["CHARACTER-OFFSETS"] == {"first": "start", "last": "end"}


@pytest.mark.parametrize(
    "names",
    [
        "Start time (seconds into the talk),End [s],Text (said)",
        "Start (in seconds),End (hh:mm:ss),Text (said)",
        "Время начала,Время конца,Текст",
        "開始時刻,終了時刻,発言内容",
    ],
)
def test_units_in_brackets_and_names_in_other_languages(tmp_path: Path, names: str) -> None:
    rows = [f"{3 * n + 0.5},{3 * n + 2.5},{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join([names, *rows]) + "\n")
    assert [(s.start, s.end) for s in transcript][1] == (3.5, 5.5)


def test_of_several_texts_the_one_of_a_person_is_read(tmp_path: Path) -> None:
    rows = [f"{n},{text},{text} er" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["n,human_transcript,raw_transcript", *rows]) + "\n")
    assert tuple(texts(transcript)) == SAID
    assert entries(transcript)["ROLE"]["others"] == ["raw_transcript"]


@each_case("suffix", ["csv", "jsonl", "json"])
@each_case("texts_said", [SAID, ("storm", "rain", "storm")])
@each_case("names", [("original_transcript", "asr_transcript"),
                                   ("Gold text", "ASR text"), ("humanText", "asrText")])  # fmt: skip
def test_the_text_of_a_person_comes_before_that_of_a_recogniser(
    names: tuple[str, str], texts_said: tuple[str, ...], suffix: str, tmp_path: Path
) -> None:
    person, recogniser = names
    rows = {f"sample_{n}": {"duration_seconds": 3.5, recogniser: f"so it was {n}", person: text}
            for n, text in enumerate(texts_said)}  # fmt: skip
    if suffix == "json":
        transcript = read(tmp_path, json.dumps(rows), "talk.json")
    else:
        transcript = read_as(suffix, list(rows.values()), tmp_path)
    assert tuple(texts(transcript)) == texts_said
    told = [d for d in transcript.diagnostics if d.value.fields.get("others") == [recogniser]]
    assert [d.value.fields["name"] for d in told] == [person]
    assert all(d.value.entry.is_shown for d in told)


def test_an_original_beside_a_corrected_text_is_open(tmp_path: Path) -> None:
    rows = [f"{n},{text},{text} er" for n, text in enumerate(SAID)]
    with pytest.raises(FormatError):
        read(tmp_path, "\n".join(["n,original_transcript,corrected_transcript", *rows]) + "\n")


def test_a_table_without_names_of_words_times_and_labels(tmp_path: Path) -> None:
    words = ["so", "it", "is", "and", "on", "we", "go"]
    rows = [f"{word},{n / 2},{n / 2 + 0.5},{n % 2}" for n, word in enumerate(words)]
    transcript = read(tmp_path, "\n".join(rows) + "\n")
    assert [(s.words, s.start) for s in transcript][:2] == [(("so",), 0.0), (("it",), 0.5)]


def test_starts_and_ends_that_count_samples_are_no_times(tmp_path: Path) -> None:
    rows = [f"u{n},2.5,0,40000,{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["ID,duration,start,stop,wrd", *rows]) + "\n")
    assert [s.end for s in transcript] == [2.5] * len(rows)
    assert entries(transcript)["SAMPLES"] == {"first": "start", "last": "stop"}


def test_words_with_speakers_and_times_are_words(tmp_path: Path) -> None:
    rows = [f"S1,{n / 2},{n / 2 + 0.5},{word}" for n, word in enumerate(("so", "it", "is"))]
    transcript = read(tmp_path, "\n".join(["Speaker,Start,End,Word", *rows]) + "\n")
    assert [s.words for s in transcript] == [("so",), ("it",), ("is",)]


def test_a_count_that_begins_again_and_classes_are_no_times(tmp_path: Path) -> None:
    rows = [f"{n},{text},{n % 2}" for _ in range(3) for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(rows) + "\n")
    assert {s.start for s in transcript} == {None}


def test_an_id_behind_which_times_begin_again_names_the_recording(tmp_path: Path) -> None:
    rows = [f"{n},{name},{text}" for name in ("a1", "a2") for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["start,id,text", *rows]) + "\n")
    assert [s.recording for s in transcript] == ["a1"] * 3 + ["a2"] * 3
    assert transcript[0].utterance is None


def test_bars_in_cells_are_no_separators_of_a_header_without_bars(tmp_path: Path) -> None:
    rows = [f"u{n},{text},{{a|b|c}}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["id,text,tags", *rows]) + "\n")
    assert texts(transcript) == list(SAID)


def test_a_long_number_in_a_table_without_names_is_no_time(tmp_path: Path) -> None:
    rows = [f"2026051{n}101500,{text} {n} times" for n, text in enumerate(SAID * 2)]
    transcript = read(tmp_path, "\n".join(rows) + "\n")
    assert next((s.utterance, s.start) for s in transcript) == ("20260510101500", None)


def test_milliseconds_since_1970_are_counted_from_the_first(tmp_path: Path) -> None:
    rows = [f"{1710000000000 + 4000 * n},Ann,{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["Timestamp,Speaker,Message", *rows]) + "\n")
    assert [s.start for s in transcript] == [0, 4, 8]
    assert "TIME-OF-DAY" in entries(transcript)


@pytest.mark.parametrize("header", ["start,end,speaker", ",start,duration,speaker_label"])
def test_a_table_of_speakers_and_times_has_turns_without_words(header: str, tmp_path: Path) -> None:
    index = "0," if header.startswith(",") else ""
    rows = [f"{index}{n}.5,{n + 1}.25,S{n % 2}" for n in range(3)]
    transcript = read(tmp_path, "\n".join([header, *rows]) + "\n")
    assert [(s.start, s.speaker, s.words) for s in transcript] == [
        (n + 0.5, f"S{n % 2}", ()) for n in range(3)
    ]
    assert entries(transcript)["NO-TEXT"] == {"segments": 3}


@pytest.mark.parametrize("name", ["start_frame", "start sample"])
def test_times_in_other_units_are_noted_and_not_read(name: str, tmp_path: Path) -> None:
    rows = [f"{n * 50},{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join([f"{name},text", *rows]) + "\n")
    assert [s.start for s in transcript] == [None] * 3
    assert entries(transcript)["ROLE-UNFIT"]["name"] == name


def test_sums_below_an_empty_row_are_no_texts(tmp_path: Path) -> None:
    path = tmp_path / "result.csv"
    rows = ["file,text,words,errors,rate", "a.wav,so it is,3,0,0.0", "b.wav,well then,2,1,0.5"]
    path.write_text("\n".join([*rows, ",,,,", "Words,5,,,", "Rate,0.2,,,"]) + "\n")
    transcript = formats.read(path)
    assert [segment.words for segment in transcript] == [("so", "it", "is"), ("well", "then")]
    (entry,) = [e for e in transcript.diagnostics if e.code == "TABLE-BELOW"]
    assert entry.value.fields["rows"] == 2
    path.write_text("\n".join([*rows, ",,,,", "c.wav,not at all,3,0,0.0"]) + "\n")
    assert "TABLE-BELOW" not in entries(formats.read(path))


def test_addresses_under_the_name_of_a_text_are_none(tmp_path: Path) -> None:
    path = tmp_path / "stories.csv"
    rows = [f"Ann {n},Ann_{n}.docx (https://example.org/{n}.docx)" for n in range(20)]
    path.write_text("\n".join(["Name,Transcript", *rows, "Ben,to follow"]) + "\n")
    with pytest.raises(formats.FormatError, match='"Transcript"'):
        formats.read(path)


def test_a_speaker_in_an_object_has_its_name(tmp_path: Path) -> None:
    path = tmp_path / "speeches.csv"
    cell = (
        "\"{'Speaker_role': 'MP', 'Speaker_party_name': 'The Club', 'Speaker_name': 'Able, Ann'}\""
    )
    path.write_text(f"start,end,text,speaker_info\n0.5,2.5,so it is,{cell}\n3.5,4.5,no,{cell}\n")
    assert {segment.speaker for segment in formats.read(path)} == {"Able, Ann"}


def test_a_column_of_prose_beside_titles_and_addresses_needs_no_header(tmp_path: Path) -> None:
    path = tmp_path / "talks.csv"
    texts = ["so it is then and so on and so forth", "well then we go on with the next point"]
    rows = [f"Talk {n},{text},https://example.org/{n}" for n, text in enumerate(texts)]
    path.write_text("\n".join(rows) + "\n")
    transcript = formats.read(path)
    assert [" ".join(segment.words) for segment in transcript] == texts
    assert "NO-HEADER" in entries(transcript)


def test_signs_of_nobody_are_no_speakers(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text("speaker,text\nAnn,so it is\nnan,well then\nAnn,nan\n")
    transcript = formats.read(path)
    assert [segment.speaker for segment in transcript] == ["Ann", None, "Ann"]
    assert transcript[2].words == ("nan",)
    assert "CELLS-MISSING" in entries(transcript)


def test_quotes_behind_backslashes_are_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text(
        'start,end,text\n0,900," So it is."\n900,2400," The \\"last\\" session of \\"Talks.\\""\n'
        '2400,4000," And so on, and ""on""."\n'
    )
    words = [segment.words for segment in formats.read(path)]
    assert words[1] == ("The", '"last"', "session", "of", '"Talks."')
    assert words[2] == ("And", "so", "on,", "and", '"on".')


def test_labels_of_sounds_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "sounds.csv"
    rows = [f"{label}\t{n}.0\t{n + 1}.0" for n, label in enumerate(("Male", "Music") * 3)]
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(FormatError):
        formats.read(path)


def test_times_that_begin_again_far_below_are_told(tmp_path: Path) -> None:
    rows = [f"{n},{SAID[n % 3]} {n}" for n in (*range(400), *range(20))]
    transcript = read(tmp_path, "\n".join(["start,text", *rows]) + "\n")
    assert entries(transcript)["TIMES-AGAIN"] == {"again": 1}


def test_a_time_of_day_beside_recordings_is_no_start(tmp_path: Path) -> None:
    rows = [f"so it was {n},21:5{n // 4},call{n // 4}.wav" for n in range(8)]
    transcript = read(tmp_path, "\n".join(["sentence,time,audio", *rows]) + "\n")
    assert {(s.recording, s.start) for s in transcript} == {("call0", None), ("call1", None)}
    assert entries(transcript)[TIME_OF_DAY.code] == {"name": "time"}


def test_codes_of_subjects_are_speakers_before_characters(tmp_path: Path) -> None:
    rows = [f"S{n},{who},so it was {n}" for n in (101, 102, 103) for who in ("Ann", "Bob")]
    transcript = read(tmp_path, "\n".join(["Subject,Character,Text", *rows]) + "\n")
    assert {s.speaker for s in transcript} == {"S101", "S102", "S103"}
    rows = [f"About {n},Ann,so it was {n}" for n in range(4)]
    transcript = read(tmp_path, "\n".join(["Subject,Character,Text", *rows]) + "\n")
    assert {s.speaker for s in transcript} == {"Ann"}


def test_talks_in_the_cells_of_any_column_are_read(tmp_path: Path) -> None:
    talk = '"Agent: Hello there.\nCaller: Hi, I am Ann.\nAgent: So it is."'
    transcript = read(tmp_path, f"call,context,mood\n1,{talk},good\n2,{talk},bad\n")
    assert [s.speaker for s in transcript] == ["Agent", "Caller", "Agent"] * 2
    assert texts(transcript)[:2] == ["Hello there.", "Hi, I am Ann."]


def test_a_transcript_of_the_audio_is_no_name_of_a_recording(tmp_path: Path) -> None:
    rows = [f"/x/{n}/real.mp4,SO IT WAS {n} OF THEM,So it was {n} of us." for n in range(4)]
    transcript = read(tmp_path, "\n".join(["file_path,audio,gt", *rows]) + "\n")
    assert [s.recording for s in transcript] == ["0", "1", "2", "3"]
    assert texts(transcript)[0] == "So it was 0 of us."


def test_a_list_of_audio_files_is_no_dialogue(tmp_path: Path) -> None:
    rows = [f"talk-{n}|./wav/talk.wav|{n}00|{n}50" for n in range(1, 6)]
    with pytest.raises(FormatError):
        read(tmp_path, "\n".join(rows) + "\n")


def test_rows_without_a_speaker_are_counted(tmp_path: Path) -> None:
    rows = [f"{n},{n + 2.5},{'' if n % 2 else 'Ann'},{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["start,end,speaker,text", *rows]) + "\n")
    assert [s.speaker for s in transcript] == ["Ann", None, "Ann"]
    assert entries(transcript)["SPEAKERS-LEFT"] == {"rows": 1, "name": "speaker"}


def test_rows_of_totals_are_named(tmp_path: Path) -> None:
    rows = [f"{3 * n},{3 * n + 2.5},{text}" for n, text in enumerate(SAID)]
    transcript = read(tmp_path, "\n".join(["start,end,text", *rows, "Total,8.5,"]) + "\n")
    assert [s.start for s in transcript] == [0, 3, 6]
    assert entries(transcript)["ROWS-LEFT"] == {"rows": 1, "cell": "Total"}


@each_case(
    ("names", "times"),
    [("von,bis", ("0.5", "2.5")), ("start,end", ('"0,5"', '"2,5"')), ("start,slut", ("0.5", "2.5")),
     ("Start (min),End (min)", ("0.0083333", "0.0416667")), ("onset,offset", ("0.5", "2.5"))],
)  # fmt: skip
def test_times_of_other_names_and_units_are_read(
    names: str, times: tuple[str, str], tmp_path: Path
) -> None:
    rows = [",".join((*times, text)) for text in SAID[:1]]
    more = {"von,bis": ("3.5", "6.0"), "start,slut": ("3.5", "6.0")}.get(names, times)
    rows += [",".join((*more, text)) for text in SAID[1:2]]
    last = {"von,bis": ("7.5", "9.0"), "start,slut": ("7.5", "9.0")}.get(names, times)
    rows += [",".join((*last, text)) for text in SAID[2:]]
    transcript = read(tmp_path, "\n".join([f"{names},text", *rows]) + "\n")
    first = next(iter(transcript))
    assert first.start is not None
    assert first.end is not None
    assert (round(first.start, 3), round(first.end, 3)) == (0.5, 2.5)


@pytest.mark.parametrize(
    ("name", "values"),
    [("group_id", ("17", "18")), ("url", ("https://youtu.be/a1B2c3D4e51", "https://youtu.be/a1B2c3D4e52")),
     ("audio_path", ("a/audio.wav", "b/audio.wav"))],
)  # fmt: skip
def test_ids_links_and_folders_name_recordings(
    name: str, values: tuple[str, str], tmp_path: Path
) -> None:
    rows = [
        f"{value},{3 * n},{3 * n + 2.5},{'AB'[n % 2]},{text}"
        for value in values
        for n, text in enumerate(SAID)
    ]
    transcript = read(tmp_path, "\n".join([f"{name},start,end,speaker,text", *rows]) + "\n")
    names = [value.removesuffix("/audio.wav").rpartition("/")[2] for value in values]
    assert [s.recording for s in transcript] == [names[0]] * 3 + [names[1]] * 3


@pytest.mark.parametrize("form", ["[{}] ", "{}: "])
@pytest.mark.parametrize("names", [("MOT", "CHI"), ("Anne", "Bert Reed")])
def test_names_before_texts_are_speakers(form: str, names: list[str], tmp_path: Path) -> None:
    rows = [f"{n},{form.format(names[n % 2])}so it was {n}" for n in range(8)]
    transcript = read(tmp_path, "\n".join(["start,utterance", *rows, "9,and then"]) + "\n")
    assert [s.speaker for s in transcript] == [*names * 4, None]
    assert texts(transcript) == [*(f"so it was {n}" for n in range(8)), "and then"]
    assert "TURNS-SPLIT" in entries(transcript)


@pytest.mark.parametrize("parts", [("Note", "So", "Well", "Yes"), ("[Music]", "[Laughs]")])
def test_what_is_no_name_before_texts_stays(parts: list[str], tmp_path: Path) -> None:
    sign = "" if parts[0].startswith("[") else ":"
    rows = [f"{n},{parts[n % len(parts)]}{sign} it was {n}" for n in range(len(parts) * 2)]
    rows = rows if sign else [*rows, *(f"{n},so it was {n}" for n in range(4, 9))]
    transcript = read(tmp_path, "\n".join(["start,utterance", *rows[: max(4, len(parts))]]) + "\n")
    assert {s.speaker for s in transcript} == {None}


@pytest.mark.parametrize("name", ["transcript_clean", "Heard", "Utterance (fixed)"])
def test_the_texts_around_a_text_are_not_the_text(name: str, tmp_path: Path) -> None:
    header = f"id,prev_{name},{name},Next {name}"
    rows = [f"u{n},{SAID[n - 1]},{SAID[n]},{SAID[n - 2]}" for n in range(3)]
    transcript = read(tmp_path, "\n".join([header, *rows]) + "\n")
    assert texts(transcript) == list(SAID)
    said = [d.value.fields for d in transcript.diagnostics if "others" in d.value.fields]
    assert said == [{"name": name, "others": [f"prev_{name}", f"Next {name}"]}]


@pytest.mark.parametrize(
    ("times", "expected"),
    [(("815140.0", "817020.25"), (815.14, 817.02025)), (("815140.00", "817020.25"), (815140, 817020.25))],
)  # fmt: skip
def test_long_turns_with_fractions_are_milliseconds(
    times: tuple[str, str], expected: tuple[float, float], tmp_path: Path
) -> None:
    rows = [f"Ann,{','.join(times)},{SAID[0]}", f"Ben,820300.50,823100.75,{SAID[1]}"]
    first = next(iter(read(tmp_path, "\n".join(["Who,Start,End,Phrase", *rows]) + "\n")))
    assert (first.start, first.end) == expected


def test_fractions_of_long_drawn_words_are_seconds(tmp_path: Path) -> None:
    rows = [f"{n}.0,{n}9.5,well" for n in range(1, 8)]
    transcript = read(tmp_path, "\n".join(["start,end,text", *rows]) + "\n")
    assert [(s.start, s.end) for s in transcript][1] == (2.0, 29.5)


@pytest.mark.parametrize(
    ("ends", "is_told"), [(("01:40:20", "03:05:00"), True), (("00:00:07", "02:00:15"), False)]
)
def test_texts_that_last_for_hours_are_descriptions(
    ends: tuple[str, str], *, is_told: bool, tmp_path: Path
) -> None:
    rows = [f"00:00:03,{ends[0]},a choir in a barn", f"02:00:10,{ends[1]},two boats at a jetty"]
    transcript = read(tmp_path, "\n".join(["Start,Finish,Object descr", *rows]) + "\n")
    assert any(d.value.entry == DESCRIPTIONS for d in transcript.diagnostics) == is_told


LISTED = [
    ("ab_001", "the lamp is green"),
    ("ab_002", "they seldom walk"),
    ("ab_003", "we carry it"),
]


@pytest.mark.parametrize("speakers", [[], ["A", "B", "A"]])
def test_ids_and_texts_without_header_are_all_read(speakers: list[str], tmp_path: Path) -> None:
    rows = ["\t".join([name, *speakers[n : n + 1], text]) for n, (name, text) in enumerate(LISTED)]
    found = read(tmp_path, "\n".join(rows), "list.tsv")
    assert texts(found) == [text for _, text in LISTED]
    assert [s.utterance for s in found] == [name for name, _ in LISTED]
    assert [s.speaker or "" for s in found] == (speakers or ["", "", ""])


def test_two_spellings_of_a_text_and_its_letters_without_header(tmp_path: Path) -> None:
    rows = [
        [str(n), f"{n}.wav", f"{text}, {n}.", f"{text} so", " ".join(text), "1600", "MALE"]
        for n, (_, text) in enumerate(LISTED, 10)
    ]
    found = read(tmp_path, "\n".join(map("\t".join, rows)), "list.tsv")
    assert texts(found) == [f"{text} so" for _, text in LISTED]
    assert next((s.utterance, s.recording, s.get("display")) for s in found) == (
        "10", "10", "the lamp is green, 10.",
    )  # fmt: skip


def test_a_text_without_quotes_in_a_table_without_header(tmp_path: Path) -> None:
    rows = [
        f"nobody,{n * n}.25,{n * n}.75,0.5,/d/a.wav,{'well, ' * (n > 1)}so it is then"
        for n in range(1, 6)
    ]
    found = read(tmp_path, "\n".join(rows))
    assert texts(found)[:2] == ["so it is then", "well, so it is then"]
    assert next((s.start, s.end, s.recording) for s in found) == (1.25, 1.75, "a")


@pytest.mark.parametrize("name", ["talk.csv", "talk.tsv"])
def test_rows_without_their_last_cells(name: str, tmp_path: Path) -> None:
    rows = [
        ["client_id", "path", "sentence", "age", "locale"],
        *(["c1", f"{n}.mp3", f"walk under the lamp {n}"] for n in range(4)),
    ]
    sign = "," if name.endswith("csv") else "\t"
    found = read(tmp_path, "\n".join(map(sign.join, rows)), name)
    assert texts(found) == [f"walk under the lamp {n}" for n in range(4)]
    assert entries(found)["ROWS-SHORT"] == {"names": ["age", "locale"]}


@pytest.mark.parametrize("end", ["2.5)", "None)"])
def test_times_in_brackets_as_python_prints_them(end: str, tmp_path: Path) -> None:
    rows = 'timestamp,text\n"(0.0, 1.25)",so it was\n"(1.25, ' + end + '",and then\n'
    found = read(tmp_path, rows)
    last = None if end == "None)" else 2.5
    assert [(s.start, s.end) for s in found] == [(0, 1.25), (1.25, last)]


def test_frames_behind_semicolons(tmp_path: Path) -> None:
    rows = (
        "Start Time,End Time,Text\n00;00;01;00,00;00;02;15,so it was\n00;00;03;00,00;00;04;29,yes\n"
    )
    found = read(tmp_path, rows)
    assert [(s.start, s.end) for s in found] == [(1, 2.5), (3, pytest.approx(4.9667, abs=1e-3))]


def test_clock_times_in_some_rows_under_an_unusual_name(tmp_path: Path) -> None:
    times = ["[0:01]", "", "[0:05]", "[0:09]", ""]
    rows = "".join(f"{time},{n % 2},so it was {n}\n" for n, time in enumerate(times))
    found = read(tmp_path, "Marker of time,speaker,text\n" + rows)
    assert [s.start for s in found] == [1, None, 5, 9, None]


@pytest.mark.parametrize("name", ["speaker_notes", "speaker_gender", "scenario"])
def test_what_is_said_of_speakers_names_none(name: str, tmp_path: Path) -> None:
    values = ["S1", "S2"] if name == "scenario" else ["quiet", "fast"]
    rows = "".join(f"{n}.wav,so it was {n},{values[n % 2]}\n" for n in range(6))
    assert {s.speaker for s in read(tmp_path, f"file,text,{name}\n{rows}")} == {None}


def test_parties_of_a_row_keep_its_time(tmp_path: Path) -> None:
    rows = "Time,Interviewer,Interviewee\n0:01,how was it then,\n0:04,,it was good\n"
    found = read(tmp_path, rows + "0:09,and what came then,\n")
    assert [(s.start, s.speaker) for s in found] == [
        (1, "interviewer"), (4, "interviewee"), (9, "interviewer"),
    ]  # fmt: skip


def test_some_numbers_among_texts_are_said(tmp_path: Path) -> None:
    said = [*(f"so it was {word}" for word in ("good", "bad", "cold", "warm", "late"))]
    rows = [
        ("Speaker", "Dialogue"),
        *(("AB"[n % 2], text) for n, text in enumerate([*said, *said])),
    ]
    found = read(tmp_path, "\n".join(map(",".join, [*rows, ("A", "713")])))
    assert texts(found)[-1] == "713"


def test_a_label_of_classes_gives_way_to_what_was_said(tmp_path: Path) -> None:
    rows = "".join(f"{'AB'[n % 2]},so it was {n},{['yes', 'no'][n % 2]}\n" for n in range(8))
    assert texts(read(tmp_path, "speaker,utterance,label\n" + rows))[0] == "so it was 0"


@pytest.mark.parametrize(
    "table",
    [
        "House,Words,Characters\n" + "A,,3\n" * 5 + "B,we carry it,2\n",
        "TimeCreated,LevelDisplayName,Message\n" + "2025-10-31,Information,it was set to go\n" * 3,
    ],
)
def test_notes_in_few_rows_and_events_of_a_system_are_no_speech(table: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, table)


@pytest.mark.parametrize("name", ["tokens", "gloss", "dialog", "full_text"])
def test_further_names_of_texts(name: str, tmp_path: Path) -> None:
    cells = [text for _, text in LISTED]
    if name == "tokens":
        cells = [f'"{text.split()}"' for text in cells]
    rows = "".join(f"{n},{cell},{'AB'[n % 2]}\n" for n, cell in enumerate(cells))
    found = read(tmp_path, f"n,{name},char\n{rows}")
    assert texts(found) == [text for _, text in LISTED]
    assert [s.speaker for s in found] == ["A", "B", "A"]


def test_labels_of_silence_are_no_words_of_a_table_of_words(tmp_path: Path) -> None:
    rows = ["start,end,label", "0.1,0.2,sil", "0.2,0.5,well", "0.5,0.6,SP", "0.6,0.9,then"]
    transcript = read(tmp_path, "\n".join([*rows, "0.9,1.0,<eps>", ""]))
    assert [(s.start, *s.words) for s in transcript] == [(0.2, "well"), (0.6, "then")]
    assert entries(transcript)["NO-WORD"] == {"rows": 3, "cell": "sil"}


def test_labels_of_silence_among_sentences_and_in_our_tables_stay_words(tmp_path: Path) -> None:
    rows = ["start,end,text", "0.1,0.2,sil", "0.2,0.9,well then"]
    assert texts(read(tmp_path, "\n".join([*rows, ""]))) == ["sil", "well then"]
    segments = [Segment.of("talk", [word], start=1.0, end=2.0) for word in ("sil", "well")]
    output = BytesIO()
    formats.write(Transcript(segments), output, "tsv")
    assert texts(read(tmp_path, output.getvalue().decode(), "talk.tsv")) == ["sil", "well"]


def test_a_text_that_is_empty_in_all_rows_is_told(tmp_path: Path) -> None:
    rows = ["start,end,speaker,text", "0.5,1.5,Ann,", "1.5,2.5,Ben,", "2.5,3.5,Ann,"]
    transcript = read(tmp_path, "\n".join([*rows, ""]))
    assert [s.words for s in transcript] == [()] * 3
    assert entries(transcript)["NO-TEXT"] == {"segments": 3}
    some = read(tmp_path, "\n".join([*rows, "3.5,4.5,Ben,well", ""]))
    assert "NO-TEXT" not in entries(some)


def test_a_raw_reference_beside_a_normalised_one_is_the_text(tmp_path: Path) -> None:
    rows = ["id,wer,raw_reference,raw_hypothesis,normalized_reference"]
    rows += [f'u{n},0.5,"So, it is {n}.",so it {n},so it is {n}' for n in "abcd"]
    transcript = read(tmp_path, "\n".join([*rows, ""]))
    assert texts(transcript) == [f"So, it is {n}." for n in "abcd"]
    assert entries(transcript)["ROLE"]["others"] == ["normalized_reference"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_the_name_beside_a_caption_is_no_speaker(suffix: str, tmp_path: Path) -> None:
    names = ["boat.png", "tree", "house"]
    rows: list[dict[str, object]] = [
        {"name": n, "caption": f"this is a {n} by the sea"} for n in names
    ]
    transcript = read_as(suffix, rows, tmp_path)
    assert [s.speaker for s in transcript] == [None] * 3
    assert texts(transcript)[1] == "this is a tree by the sea"


@pytest.mark.parametrize(("day", "first"), [("2026-05-0", None), ("yes", 540.0)])
def test_a_time_of_day_beside_days_in_no_order_is_no_start(
    day: str, first: float | None, tmp_path: Path
) -> None:
    rows = [f"{day}{9 - n},09:0{n},Ann,so it was {n}" for n in range(8)]
    transcript = read(tmp_path, "\n".join(["date,time,speaker,text", *rows]) + "\n")
    assert next(iter(transcript)).start == first
    assert (TIME_BESIDE_DAYS.code in entries(transcript)) == (first is None)


@each_case(
    "header",
    [
        ("date", "time"),
        ("Day", "Timestamp"),
    ],
)
@each_case("day", ["2026-05-01", "1/5/2026", "31.12.2025"])
def test_times_of_day_beside_their_date_count_from_the_first(
    header: tuple[str, str], day: str, tmp_path: Path
) -> None:
    rows = [f"{day};09:{n:02};Ann;so it was {n}" for n in range(8)]
    head = ";".join((*header, "speaker", "text"))
    transcript = read(tmp_path, "\n".join([head, *rows]) + "\n")
    assert [s.start for s in transcript][:3] == [0.0, 60.0, 120.0]
    assert "TIME-OF-DAY" in entries(transcript)


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        ("start,end", ("00:01:01,00:01:03", "00:01:04,00:01:08", "00:01:09,00:01:12")),
        ("time", ("0:05", "0:09", "0:14")),
        ("start,end", ("1:01,1:03", "1:04,1:08", "1:09,1:12")),
    ],
)
def test_times_of_the_recording_beside_its_date_are_as_they_are(
    names: str, cells: tuple[str, ...], tmp_path: Path
) -> None:
    rows = [f"2026-05-01,{cell},so it was {n}" for n, cell in enumerate(cells)]
    transcript = read(tmp_path, "\n".join([f"date,{names},text", *rows]) + "\n")
    assert next(iter(transcript)).start == (5.0 if names == "time" else 61.0)
    objects = [
        dict(zip(f"date,{names},text".split(","), row.split(","), strict=True)) for row in rows
    ]
    transcript = read(tmp_path, json.dumps(objects), "talk.json")
    assert next(iter(transcript)).start == (5.0 if names == "time" else 61.0)


def test_dates_count_from_the_first_of_each_talk(tmp_path: Path) -> None:
    rows = [
        f"2026-05-0{1 + n // 4} 09:{n:02}:30,c{n // 4},{('Ann', 'Ben')[n % 2]},so it was {n}"
        for n in range(8)
    ]
    head = "timestamp,conversation_id,speaker,text"
    transcript = read(tmp_path, "\n".join([head, *rows]) + "\n")
    assert [(s.recording, s.start) for s in transcript][3:6] == [
        ("c0", 180.0),
        ("c1", 0.0),
        ("c1", 60.0),
    ]


def test_cells_with_decimal_commas_and_units_are_times(tmp_path: Path) -> None:
    rows = [f"{n},5 s;{n + 1},5 s;so it was {n}" for n in range(4)]
    transcript = read(tmp_path, "\n".join(["von;bis;Text", *rows]) + "\n")
    assert [(s.start, s.end) for s in transcript][:2] == [(0.5, 1.5), (1.5, 2.5)]


def test_blanks_around_cells_between_bars_are_no_part_of_them(tmp_path: Path) -> None:
    rows = [f"{2 * n}.50 | {('Ann', 'Ben')[n % 2]} | so it was, as we said {n}" for n in range(6)]
    transcript = read(tmp_path, "\n".join(rows) + "\n", "talk.txt")
    assert [(s.start, s.speaker) for s in transcript][:2] == [(0.5, "Ann"), (2.5, "Ben")]


SIX_TEXTS = ["we moved the whole team last week", "nobody knew of the lifts", "I carried it up myself", "that was before, of course", "the kitchen is larger", "could somebody order it"]  # fmt: skip
Times = tuple[float | None, float | None, str | None]
TABLES_IN_TEXT: dict[str, tuple[str, Callable[[int, str], str], Times]] = {
    "a header of two columns": ("id\ttext", lambda n, x: f"{n}\t{x}", (None, None, None)),
    "a header, and times": (
        "Time\tText", lambda n, x: f"{2 * n}.50\t{x}", (2.5, None, None)),
    "quoted cells": ("", lambda n, x: f'"0:0{n}","0:0{n + 1}","{x}"', (1.0, 2.0, None)),
    "quoted cells with a header": (
        '"start","end","speaker","text"',
        lambda n, x: f'"{2 * n}.5","{2 * n + 2}","{"AB"[n % 2]}","{x}"', (2.5, 4.0, "B")),
    "a header with commas": (
        "start,end,text", lambda n, x: f"{2 * n}.5,{2 * n + 2}.0,{x}", (2.5, 4.0, None)),
    "decimal commas": ("", lambda n, x: f"{2 * n},50;{2 * n + 2},00;{x}", (2.5, 4.0, None)),
    "clock times": (
        "", lambda n, x: f"00:00:0{n};00:00:0{n + 1};{('Ann', 'Ben')[n % 2]};{x}",
        (1.0, 2.0, "Ben")),
    "times behind texts": ("", lambda n, x: f"{x}\t{2 * n}.50\t{2 * n + 2}.00", (2.5, 4.0, None)),
    "numbers, names and texts": (
        "", lambda n, x: f"u{n:03}\t{('Ann', 'Ben')[n % 2]}\t{x}", (None, None, "Ben")),
    "phones before texts": (
        "", lambda n, x: f"LJ1-{n:03}|Ann|{{AH0 B K AH1 N D}}|{x}", (None, None, "Ann")),
    "speakers before texts": (
        "", lambda n, x: f"a_{n:03}|{('Ann', 'Ben')[n % 2]}|{x}", (None, None, "Ben")),
}  # fmt: skip


@each_case("name", TABLES_IN_TEXT)
def test_a_text_whose_lines_are_rows_is_a_table(name: str, tmp_path: Path) -> None:
    header, row, (start, end, speaker) = TABLES_IN_TEXT[name]
    lines = [header] * bool(header) + [row(n, text) for n, text in enumerate(SIX_TEXTS)]
    transcript = read(tmp_path, "\n".join(lines) + "\n", "talk.txt")
    assert texts(transcript) == SIX_TEXTS
    second = list(transcript)[1]
    assert (second.start, second.end, second.speaker) == (start, end, speaker)


def test_prose_with_the_same_signs_in_each_line_is_no_table(tmp_path: Path) -> None:
    lines = ["Well, so it is", "No, it is not", "Then, we may go", "Yes, so be it"]
    transcript = read(tmp_path, "\n".join(lines) + "\n", "talk.txt")
    assert texts(transcript) == [" ".join(lines)]


@pytest.mark.parametrize("name", ["Beitrag", "What was heard", "Zitat"])
def test_a_table_in_markdown_with_the_only_texts_under_any_name(name: str, tmp_path: Path) -> None:
    rows = [f"| **{('Ann', 'Ben')[n % 2]}** | {text} |" for n, text in enumerate(SIX_TEXTS)]
    table = "\n".join([f"| Speaker | {name} |", "|---|---|", *rows]) + "\n"
    transcript = read(tmp_path, table, "talk.md")
    assert texts(transcript) == SIX_TEXTS
    assert [s.speaker for s in transcript][:2] == ["Ann", "Ben"]


def test_empty_lists_of_messages_are_no_text(tmp_path: Path) -> None:
    chat = json.dumps([{"message": "so it is", "senderID": 1}, {"message": "no", "senderID": 2}])
    cells = [chat, "[]", chat]
    rows = ["{};{}".format(n, '"' + cell.replace('"', '""') + '"') for n, cell in enumerate(cells)]
    transcript = read(tmp_path, "\n".join(["ID;Messages", *rows]) + "\n")
    assert [(s.speaker, " ".join(s.words)) for s in transcript] == [
        ("1", "so it is"),
        ("2", "no"),
    ] * 2


@pytest.mark.parametrize("name", ["talk.csv", "talk.tsv"])
def test_a_span_before_texts_needs_no_header(name: str, tmp_path: Path) -> None:
    sign = "," if name.endswith("csv") else "\t"
    rows = [
        sign.join((f"00:00:0{n}.000 --> 00:00:0{n + 1}.000", ("Ann", "Ben")[n % 2], text))
        for n, text in enumerate(SIX_TEXTS)
        if "," not in text
    ]
    transcript = read(tmp_path, "\n".join(rows) + "\n", name)
    assert [(s.start, s.end, s.speaker) for s in transcript][:2] == [
        (0.0, 1.0, "Ann"),
        (1.0, 2.0, "Ben"),
    ]
    assert texts(transcript) == [text for text in SIX_TEXTS if "," not in text]


def test_a_column_from_of_names_is_no_start_beside_a_span(tmp_path: Path) -> None:
    rows = [f"0:0{n} --> 0:0{n + 1},{'AB'[n % 2]},so it was {n}" for n in range(4)]
    transcript = read(tmp_path, "\n".join(["segment_time,from,text", *rows]) + "\n")
    assert [(s.start, s.speaker) for s in transcript][:2] == [(0.0, "A"), (1.0, "B")]


def test_whole_seconds_among_others_are_times_before_names(tmp_path: Path) -> None:
    rows = [
        f"{3 * n or 0},{3 * n + 2}.5,{('Ann', 'Ben')[n % 2]},so it was then {n},https://a.example/{n}"
        for n in range(6)
    ]
    rows[2] = rows[2].replace("6,", "6.25,", 1)
    transcript = read(tmp_path, "\n".join(rows) + "\n")
    assert [(s.start, s.speaker) for s in transcript][:2] == [(0.0, "Ann"), (3.0, "Ben")]


def test_cells_with_several_lines_in_a_text_file(tmp_path: Path) -> None:
    rows = [f'{3 * n}.5\t{3 * n + 2}.0\t"so it\nwas then {n}"' for n in range(4)]
    transcript = read(tmp_path, "\n".join(["start\tend\ttext", *rows]) + "\n", "talk.txt")
    assert [(s.start, " ".join(s.words)) for s in transcript][1] == (3.5, "so it was then 1")


def test_a_table_that_r_wrote_is_one_in_a_text_file(tmp_path: Path) -> None:
    rows = [f'"{n}" "{("ANN", "BEN")[n % 2]}" "{text}"' for n, text in enumerate(SIX_TEXTS, 1)]
    rows.append('"7" "ANN" "and \\"so\\" it was"')
    for header in ('"character" "dialogue"', '"line" "character" "dialogue"', ""):
        transcript = read(tmp_path, "\n".join([header, *rows]) + "\n", "talk.txt")
        assert [s.speaker for s in transcript][:2] == ["BEN", "ANN"]
        assert texts(transcript) == [*SIX_TEXTS, 'and "so" it was']


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_parts_in_brackets_are_counted(suffix: str, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"speaker": "AB"[n % 2], "text": text}
        for n, text in enumerate(("so [laughs] it is", "(Applause)", "no"))
    ]
    transcript = read_as(suffix, rows, tmp_path)
    assert entries(transcript)["BRACKETS-LEFT"] == {"count": 2, "text": "[laughs]"}
    assert [len(segment.words) for segment in transcript] == [4, 1, 1]


def test_messages_that_many_rows_lack_are_the_texts_beside_speakers(tmp_path: Path) -> None:
    rows = [
        f"{n},{'Ann' if n % 3 else ''},{'so it was then' if n % 3 == 0 else ''}" for n in range(9)
    ]
    transcript = read(tmp_path, "\n".join(["code,speaker,msg", *rows]) + "\n")
    assert sum(len(segment.words) for segment in transcript) == 12


def test_the_label_of_a_character_is_the_speaker(tmp_path: Path) -> None:
    rows = [f"{('jerry', 'elaine')[n % 2]},0,so it was then {n}" for n in range(6)]
    transcript = read(tmp_path, "\n".join(["character_label,count,text_proc", *rows]) + "\n")
    assert [s.speaker for s in transcript][:2] == ["jerry", "elaine"]


TIMED = [(f"{n}.5", "AB"[n % 2], text) for n, text in enumerate(SIX_TEXTS, 1)]
"""Starts, speakers and texts."""


@pytest.mark.parametrize(
    ("above", "names", "sign"),
    [
        ("# made by a tool\n# today\n", '"Locuteur"|"Énoncé"|"Début"', "\t"),
        ("", "|Beginn|Sprecher|Äußerung", "|"),
        ("Talk of Monday\t\t\t\n", "Nr|TC in|Who|What is said", "\t"),
        ("", "Start Timecode|Speaker|Comment|Line", ";"),
    ],
    ids=["comments", "index", "title", "timecode"],
)
def test_tables_in_text_files_are_read_by_their_names(
    above: str, names: str, sign: str, tmp_path: Path
) -> None:
    places = {"Beginn": 0, "TC in": 0, "Start Timecode": 0, '"Début"': 0}
    places |= {"Sprecher": 1, "Who": 1, "Speaker": 1, '"Locuteur"': 1}
    places |= {"Äußerung": 2, "What is said": 2, "Line": 2, '"Énoncé"': 2}
    columns = names.split("|")
    rows = [
        sign.join(row[places[name]] if name in places else str(n) for name in columns)
        for n, row in enumerate(TIMED)
    ]
    transcript = read(tmp_path, above + "\n".join([sign.join(columns), *rows, ""]), "talk.txt")
    assert [(str(s.start), s.speaker) for s in transcript] == [row[:2] for row in TIMED]
    assert texts(transcript) == SIX_TEXTS


def test_a_row_of_one_cell_above_names_of_several_columns_is_a_title(tmp_path: Path) -> None:
    places = "subtitles;;\nDistrict;Latitude;Longitude\nNorth;40,5;-3,7\nSouth;40,4;-3,6\n"
    with pytest.raises(FormatError):
        read(tmp_path, places)


def test_questions_and_answers_of_a_table_are_turns(tmp_path: Path) -> None:
    rows = "question,answer\nhow is it then,it is well\nwho was it,not me\n"
    transcript = read(tmp_path, rows)
    assert [s.speaker for s in transcript] == ["question", "answer"] * 2
    assert "TURNS-OF-PARTIES" in entries(transcript)


def test_clock_times_beside_a_text_without_a_usual_name_are_read(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"t_begin": f"PT{start}S", "t_end": f"PT{float(start) + 0.5}S", "turn": text}
        for start, _, text in TIMED
    ]
    transcript = read_as("jsonl", rows, tmp_path)
    assert next((s.start, s.end) for s in transcript) == (1.5, 2.0)


def test_brackets_of_many_texts_are_counted_in_the_first_of_them(tmp_path: Path) -> None:
    rows = "speaker,text\n" + "A,so [Ben] it is\nB,well then\n" * 300
    fields = entries(read(tmp_path, rows))["BRACKETS-LEFT"]
    assert fields["total"] == 300
    assert fields["count"] == 150


def test_initials_before_texts_are_told(tmp_path: Path) -> None:
    rows = "id,line\n" + "".join(
        f"u{n},{('ga: ', 'km: ', '', '')[n % 4]}{text}\n" for n, text in enumerate(SIX_TEXTS * 4)
    )
    assert "NAMES-LEFT" in entries(read(tmp_path, rows))


@pytest.mark.parametrize("name", ["talk.ltsv", "talk.txt"])
def test_labels_before_values_are_the_names_of_columns(name: str, tmp_path: Path) -> None:
    rows = [f"start:{start}\tspeaker:{who}\ttext:{text}" for start, who, text in TIMED]
    transcript = read(tmp_path, "\n".join([*rows, ""]), name)
    assert [(str(s.start), s.speaker) for s in transcript] == [row[:2] for row in TIMED]
    assert texts(transcript) == SIX_TEXTS


def test_labels_that_differ_from_row_to_row_are_no_names_of_columns(tmp_path: Path) -> None:
    rows = [f"note{n}:{start}\ttext:{text}" for n, (start, _, text) in enumerate(TIMED)]
    with pytest.raises(FormatError):
        read(tmp_path, "\n".join([*rows, ""]), "talk.ltsv")


def test_tags_of_html_in_cells_are_no_words_and_are_counted(tmp_path: Path) -> None:
    cells = ["<i>so it is</i>", "well &amp; good<br>now", "plain"]
    rows = "".join(f"{n}.5,{cell}\n" for n, cell in enumerate(cells))
    transcript = read(tmp_path, f"start,line\n{rows}")
    assert texts(transcript) == ["so it is", "well & good now", "plain"]
    assert entries(transcript)["TAG"] == {"count": 3}
    ours = "id,recording,channel,speaker,start,end,text\n,a,,,,,so <i>it</i>\n"
    assert texts(read(tmp_path, ours)) == ["so <i>it</i>"]


@each_case(
    "row",
    ['1,"so "it" was, well",ok', '1,"so ""it"" was, well",ok', '1,"so \\"it\\" was, well",ok'],
)
def test_quotes_inside_a_field_are_text(row: str, tmp_path: Path) -> None:
    transcript = read(tmp_path, f'id,text,mark\n{row}\n2,"plain, too",ok\n3,a "b" c,ok\n')
    assert texts(transcript) == ['so "it" was, well', "plain, too", 'a "b" c']
    assert [segment.line for segment in transcript] == [2, 3, 4]
    noted = entries(transcript).get("INNER-QUOTES")
    assert noted == ({"rows": 1} if row.count('"') == 4 and "\\" not in row else None)


@each_case("rows", ['1,"so it\n2,"was"\n', '1,"so\nit "was" so"\n'])
def test_a_quote_that_may_end_elsewhere_is_an_error(rows: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, f"id,text\n{rows}")


def test_numbers_of_sentences_give_way_to_their_words(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    words = ["so", "it", "is", "we", "go", "on"]
    rows = [f"{n // 3},{word},{n},{n + 0.5}" for n, word in enumerate(words)]
    path.write_text("\n".join(["sentence,word,startTime,endTime", *rows]))
    transcript = formats.read(path)
    assert [*map(" ".join, (s.words for s in transcript))] == words
    assert "COLUMNS-LEFT" not in entries(transcript)
    path.write_text("speaker,text,note\n" + "".join(f"Ann,{n},-\n" for n in range(9)))
    assert formats.read(path)[4].words == ("4",)
    digits = "sentence,word\n" + "".join(f"{n * 7 % 10},{w}\n" for n, w in enumerate("abcd efgh"))
    path.write_text(f"speaker,{digits}".replace("\n", "\nAnn,").removesuffix("Ann,"))
    assert formats.read(path)[1].words == ("7",)  # numbers may be said


def test_marks_of_joined_files_are_no_words_and_a_first_person_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    names = ("ANN,BEN", "\ufeffBEN,ANN", "CLEO,ANN")
    rows = [f"{names[n % 3]},\ufeffso we went to town number {n} today" for n in range(12)]
    path.write_text("\n".join(["Character1,Character2,Narrative", *rows]), "utf-8")
    transcript = formats.read(path)
    assert transcript[0].words[0] == "so"
    assert entries(transcript)["COLUMNS-LEFT"]["names"] == ["Character1", "Character2"]


def test_a_text_that_is_the_same_in_all_rows_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("day,speech\n" + "".join(f"d{n},View speech\n" for n in range(9)))
    assert entries(formats.read(path))["TEXTS-LEFT"]["text"] == "View speech"


@each_case(
    "first",
    ['"Well, well, ""no""!",Ann', "So it was.,Ann", '"One; two; three; four",Ann'],
)
def test_texts_before_names_without_a_header(first: str, tmp_path: Path) -> None:
    rows = [
        first,
        "No, it was not.,Ben",
        "And what then?,Ann",
        "Nothing at all, I think.,Ben",
        "Oh, I see it.,Ann",
    ]
    transcript = read(tmp_path, "\n".join(rows) + "\n")
    assert [segment.speaker for segment in transcript] == ["Ann", "Ben", "Ann", "Ben", "Ann"]
    assert " ".join(transcript[1].words) == "No, it was not."
    assert NO_HEADER.code in [d.code for d in transcript.diagnostics]


def test_a_long_text_above_texts_is_no_name_of_a_column(tmp_path: Path) -> None:
    texts = ["so that is what I had to say about it", "and then it was over and we went home ~"]
    rows = [f"{text}\t{n}" for n, text in enumerate(texts * 4, 1)]
    try:
        transcript = read(tmp_path, "\n".join(rows) + "\n", "talk.tsv")
    except FormatError:
        return
    assert len(transcript) == len(rows)


@each_case("form", ['"{t}",{n}', '{n},"{t}"'])
def test_rows_with_quotes_where_needed_are_a_table_in_a_text(form: str, tmp_path: Path) -> None:
    texts = [
        "So it was, I think.",
        "Was it so, then?",
        "Yes, as far as I know.",
        "Nobody told me that.",
        "Well, nobody asked you.",
        "That is all for now.",
    ]
    rows = [
        form.format(t=text, n="AnnBen"[3 * (n % 2) :][:3]).replace(
            f'"{text}"', f'"{text}"' if "," in text else text
        )
        for n, text in enumerate(texts)
    ]
    transcript = read(tmp_path, "\n".join(rows) + "\n", "talk.txt")
    assert [" ".join(segment.words) for segment in transcript] == texts
    assert [segment.speaker for segment in transcript] == ["Ann", "Ben"] * 3
