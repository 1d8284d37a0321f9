"""Speakers in members, texts of several languages, answers below a member, and any YAML."""

import json
from typing import Any

import pytest

import formats
from formats import Segment
from formats.annotation.messages import XML_UNREAD
from formats.io.messages import BELOW_MEMBER
from formats.json.messages import SPEAKERS_OF_MEMBERS
from tests.formats.checks import codes
from tests.formats.conftest import ReadText, WriteFile


def text_of(segment: Segment) -> str:
    return " ".join(map(str, segment.words))


FIRST = {"start": 0.5, "end": 1.5, "text": "good morning to you"}
SECOND = {"start": 2.0, "end": 3.0, "text": "how are you"}
THIRD = {"start": 4.0, "end": 5.0, "text": "so what is next"}


@pytest.mark.parametrize(
    "value",
    [
        {"speakers": [{"turns": [FIRST, THIRD], "speaker_id": "A"},
                      {"turns": [SECOND], "speaker_id": "B"}]},
        {"SPEAKER_A": [FIRST, THIRD], "SPEAKER_B": [SECOND]},
        {"result": {"Ann": [FIRST, THIRD], "Ben": [SECOND]}},
        {"agent": [FIRST, THIRD], "customer": [SECOND]},
    ],
)  # fmt: skip
def test_turns_listed_by_speaker_are_in_order_of_time(value: Any, write_file: WriteFile) -> None:
    transcript = formats.read(write_file("x.json", json.dumps(value)))
    assert [text_of(segment) for segment in transcript] == [
        "good morning to you", "how are you", "so what is next"
    ]  # fmt: skip
    first, second, third = (segment.speaker for segment in transcript)
    assert first == third != second


def test_sections_whose_times_go_on_are_no_speakers(write_file: WriteFile) -> None:
    value = {"Opening": [FIRST, SECOND], "Close": [THIRD]}
    transcript = formats.read(write_file("x.json", json.dumps(value)))
    assert [segment.speaker for segment in transcript] == [None] * 3


def test_names_of_members_with_texts_are_speakers(write_file: WriteFile) -> None:
    value = {"agent": ["good morning to you", "so what is next"], "client": ["how are you"]}
    transcript = formats.read(write_file("x.json", json.dumps(value)))
    assert [segment.speaker for segment in transcript] == ["agent", "agent", "client"]
    assert SPEAKERS_OF_MEMBERS.code in codes(transcript)


def test_segments_with_only_texts_are_read(write_file: WriteFile) -> None:
    value = {"video_id": "x", "title": "a show", "segments": [{"text": "so it is, and good"}]}
    transcript = formats.read(write_file("x.json", json.dumps(value)))
    assert [text_of(segment) for segment in transcript] == ["so it is, and good"]


@pytest.mark.parametrize(
    ("value", "member"),
    [
        ({"en": "good morning to you", "de": "einen guten Morgen"}, "en"),
        ([{"en": "good morning to you", "de": "einen guten Morgen"}] * 2, "en"),
        ({"s1": {"en": "good morning to you", "de": "einen guten Morgen"},
          "s2": {"en": "how are you", "de": "wie geht es dir"}}, "en"),
        ([{"start": 1.5, "text": {"en": "good morning to you", "de": "guten Morgen dir"}}] * 2,
         "text.en"),
    ],
)  # fmt: skip
def test_texts_of_several_languages_need_a_choice(
    value: Any, member: str, write_file: WriteFile
) -> None:
    path = write_file("x.json", json.dumps(value))
    with pytest.raises(formats.UnknownFormatError) as error:
        formats.read(path)
    assert f"text={member}" in str(error.value)
    transcript = formats.read(path, format="json", member=f"text={member}")
    assert text_of(transcript[0]) == "good morning to you"


@pytest.mark.parametrize("outer", [["data"], ["data", "result"]])
def test_an_answer_below_another_member_is_read(outer: list[str], write_file: WriteFile) -> None:
    words = [{"word": "hello", "startTime": "0.5s", "endTime": "1s"}]
    result = {"alternatives": [{"transcript": "hello", "words": words}], "languageCode": "en"}
    value: Any = {"results": [result]}
    for name in reversed(outer):
        value = {"id": 7, name: value}
    path = write_file("x.json", json.dumps(value))
    assert formats.detect(path) == "google"
    transcript = formats.read(path)
    assert [(text_of(s), s.start_ns) for s in transcript] == [("hello", 500_000_000)]
    assert BELOW_MEMBER.code in codes(transcript)


TURNS = """\
title: the first show
speakers: [Ann, Ben]
turns:
  - speaker: Ann
    time: "00:01"
    text: good morning to you,
      and welcome
  - speaker: Ben
    time: "00:05"
    text: how are you
"""


@pytest.mark.parametrize("text", [TURNS, TURNS[TURNS.index("  - speaker: Ann") :]])
def test_yaml_is_read_as_json(text: str, write_file: WriteFile) -> None:
    transcript = formats.read(write_file("x.yaml", text))
    assert [(s.speaker, s.start_ns, text_of(s)) for s in transcript] == [
        ("Ann", 10**9, "good morning to you, and welcome"),
        ("Ben", 5 * 10**9, "how are you"),
    ]


def test_names_with_texts_in_yaml_are_speakers(write_file: WriteFile) -> None:
    text = "- Ann: good morning\n- Ben: how are you\n" * 2
    transcript = formats.read(write_file("x.yml", text))
    assert [segment.speaker for segment in transcript] == ["Ann", "Ben"] * 2


def test_properties_in_yaml_are_no_turns(write_file: WriteFile) -> None:
    text = "title: the show\nspeaker: Ann\nhost: Ben\ndate: May\nspeaker_of: Ann\n"
    with pytest.raises(formats.UnknownFormatError):
        formats.read(write_file("x.yaml", text))


def test_an_error_in_yaml_has_its_line(write_file: WriteFile) -> None:
    text = "turns:\n- text: so it is\n  start: 1.5\n- text: and so on\n  start: later\n"
    text += "- text: and on\n  start: 9.5\n" * 12
    with pytest.raises(formats.FormatError) as error:
        formats.read(write_file("x.yaml", text))
    assert error.value.line == 5


def test_columns_that_are_copies_may_have_one_name(read_text: ReadText) -> None:
    transcript = read_text("path,text,path\na.wav,so it is,a.wav\n", "csv")
    assert (transcript[0].recording, text_of(transcript[0])) == ("a", "so it is")
    assert "COLUMN-COPIED" in codes(transcript)


def test_an_empty_field_between_bars_is_no_text(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("x.txt", "a-1||so it is\na-2||and so on\n"))
    assert [(s.utterance, text_of(s)) for s in transcript] == [
        ("a-1", "so it is"),
        ("a-2", "and so on"),
    ]


def test_chat_lines_may_go_on_after_blanks(write_file: WriteFile) -> None:
    text = "@UTF8\n@Begin\n@Participants: CHI Ann Child\n*CHI: so it\n    is .\n@End\n"
    transcript = formats.read(write_file("x.cha", text))
    assert text_of(transcript[0]) == "so it is"
    assert "CHAT-LINE" in codes(transcript)


def test_settings_of_names_and_values_are_no_turns(write_file: WriteFile) -> None:
    pairs = [
        {"name": "prompt", "value": "write down what is said"},
        {"name": "key", "value": "a b"},
    ]
    with pytest.raises(formats.UnknownFormatError):
        formats.read(write_file("x.json", json.dumps({"nodes": [{"parameters": pairs}]})))


def test_the_index_of_a_table_is_no_text(read_text: ReadText) -> None:
    text = ",a,b\nvalue for us,high,low\ncost of it all,low,low\n"
    with pytest.raises(formats.FormatError):
        read_text(text, "csv")


def test_nested_lists_may_have_pairs_of_times(write_file: WriteFile) -> None:
    parts = [{"text": "so it is then", "timings": [0.5, 1.5]},
             {"text": "and so on", "timings": [2.5, 4.5]}]  # fmt: skip
    value = {"alignment": [{"audio_file": "a.mp3", "sections": parts}], "version": 1}
    transcript = formats.read(write_file("x.json", json.dumps(value)))
    assert [segment.start for segment in transcript] == [0.5, 2.5]


SPEECHES = "".join(
    f"<speech><who>{name}</who><p>So this is the first paragraph of a speech, number {n}.</p>"
    "<p>And this is the second paragraph, which is as long as it is.</p></speech>"
    for n, name in enumerate(["Ann", "Ben"] * 3)
)


def test_speeches_are_read_and_contents_are_counted(write_file: WriteFile) -> None:
    items = "<item><speaker>Ann</speaker><text>On roads</text></item>" * 4
    text = f"<sitting><contents>{items}</contents><debate>{SPEECHES}</debate></sitting>"
    transcript = formats.read(write_file("x.xml", text))
    assert [segment.speaker for segment in transcript] == ["Ann", "Ben"] * 3
    assert text_of(transcript[0]).endswith("as long as it is.")
    unread = [item.value for item in transcript.diagnostics if item.code == XML_UNREAD.code]
    assert [value.fields["words"] for value in unread] == [12]


def test_unread_words_of_xml_are_counted(write_file: WriteFile) -> None:
    lines = "".join(f'<line start="{n}.5" end="{n}.9">so it is</line>' for n in range(4))
    text = f"<talk><about>{'so much more than the lines ' * 9}</about>{lines}</talk>"
    transcript = formats.read(write_file("x.xml", text))
    assert [
        d.value.fields["words"] for d in transcript.diagnostics if d.code == XML_UNREAD.code
    ] == [54]


def test_files_of_lists_in_cells_are_recordings(read_text: ReadText) -> None:
    rows = "".join(f"{name}.wav,\"[['so', [0.5, 1.5]]]\"\n" for name in "ab")
    transcript = read_text("file_name,segments\n" + rows, "csv")
    assert [segment.recording for segment in transcript] == ["a", "b"]


def test_tags_with_values_are_counted(write_file: WriteFile) -> None:
    texts = {f"u{n}": f"so it is then <duration=0.{n}>" for n in range(1, 9)}
    transcript = formats.read(write_file("x.json", json.dumps(texts)))
    assert "MARKS-LEFT" in codes(transcript)


@pytest.mark.parametrize("is_index", [True, False])
def test_a_table_by_columns_is_read_by_rows(is_index: bool, write_file: WriteFile) -> None:
    columns: dict[str, list[Any]] = {
        "text": ["so it is", "and so on"],
        "start": [0.5, 2.5],
        "speaker": ["A", "B"],
    }
    by_index = {name: dict(enumerate(cells)) for name, cells in columns.items()}
    transcript = formats.read(write_file("x.json", json.dumps(by_index if is_index else columns)))
    assert [(s.speaker, s.start, text_of(s)) for s in transcript] == [
        ("A", 0.5, "so it is"),
        ("B", 2.5, "and so on"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "feature,a,b,c\n"
        + "patient has had some pain,0.5,0.1,0.3\nno food at all,0.5,0.1,0.3\n" * 9,
        "mp_name,role\n" + "Ann Mary Example,Minister\nBen John Example,Mayor\n" * 4,
    ],
)
def test_tables_of_numbers_and_names_have_no_texts(text: str, read_text: ReadText) -> None:
    with pytest.raises(formats.FormatError):
        read_text(text, "csv")


def test_codes_of_a_connection_between_answers_are_not_read(write_file: WriteFile) -> None:
    said = {"transcript": "so it is ", "timestamps": [["so", 1, 2], ["it", 2, 3], ["is", 3, 4]]}
    answer = {"result_index": 0, "results": [{"final": True, "alternatives": [said]}]}
    path = write_file("x.json", json.dumps({"response": [answer, 1000]}))
    assert formats.detect(path) == "watson"
    assert text_of(formats.read(path)[0]) == "so it is"
