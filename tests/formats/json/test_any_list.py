"""JSON of no named format: lists of segments or words, by the names of their members."""

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.json.messages import (
    JSON_TIME_UNREAD,
    MEMBER_NAMES,
    TIME_UNIT_OPEN,
    TIMES_OF_DATE,
)
from formats.manifests.messages import DOCUMENTS_WITHIN, TURNS_IN_TEXT
from tests.each_case import each_case
from tests.formats.checks import codes, message_text
from tests.formats.json.reading import read, refusal, said

SENTENCE = "one two three four five"


def lines(transcript: formats.Transcript) -> list[str]:
    """Each segment as ``speaker start end: words``, a dash for what is missing."""

    def shown(value: object) -> str:
        return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

    return [
        f"{shown(s.speaker)} {shown(s.start)} {shown(s.end)}: {' '.join(s.words)}"
        for s in transcript
    ]


DOCUMENTS: dict[str, tuple[Any, list[str]]] = {
    "a list": ([{"start": 0.5, "end": 1.0, "text": "hello"}], ["- 0.5 1: hello"]),
    "below segments": (
        {"segments": [{"start": 0.5, "end": 1.0, "text": "hello", "speaker": "A"}]},
        ["A 0.5 1: hello"],
    ),
    "two levels below": (
        {"data": {"result": {"utterances": [{"from": 0.5, "to": 1.5, "sentence": "hello"}]}}},
        ["- 0.5 1.5: hello"],
    ),
    "camel case": (
        {"segments": [{"startTime": 0.5, "endTime": 1.0, "body": "hi", "speakerId": 2}]},
        ["2 0.5 1: hi"],
    ),
    "durations": ([{"offset": 0.5, "duration": 1.0, "content": "hi"}], ["- 0.5 1.5: hi"]),
    "milliseconds by name": (
        [{"start_ms": 500, "end_ms": 1500, "text": "hi"}, {"text": "x"}],
        ["- 0.5 1.5: hi", "- - -: x"],
    ),
    "milliseconds by speech rate": (
        [{"start": 500, "end": 2500, "text": SENTENCE}],
        [f"- 0.5 2.5: {SENTENCE}"],
    ),
    "milliseconds with a fraction": (
        [{"start": 500.25, "end": 2500.5, "text": SENTENCE}],
        [f"- 0.50025 2.5005: {SENTENCE}"],
    ),
    "whole seconds by speech rate": (
        [{"start": 5, "end": 7, "text": SENTENCE}],
        [f"- 5 7: {SENTENCE}"],
    ),
    "starts alone": (
        [{"start": 0, "text": SENTENCE}, {"start": 2, "text": "end"}],
        [f"- 0 -: {SENTENCE}", "- 2 -: end"],
    ),
    "a script without blanks": (
        [{"begin": 0, "end": 2, "text": "今日はとても良い天気です"}],
        ["- 0 2: 今日はとても良い天気です"],
    ),
    "clock times": (
        [{"start": "00:00:01,500", "end": "0:02.25", "text": "hi"}],
        ["- 1.5 2.25: hi"],
    ),
    "durations of ISO 8601": (
        {"phrases": [{"offset": "PT1M0.5S", "duration": "PT2S", "text": "hi"}]},
        ["- 60.5 62.5: hi"],
    ),
    "seconds with their unit": (
        [{"startTime": "1.500s", "endTime": "2s", "transcript": "hi"}],
        ["- 1.5 2: hi"],
    ),
    "numbers as texts": ([{"start": "1.5", "end": "2.0", "text": "hi"}], ["- 1.5 2: hi"]),
    "milliseconds as texts": (
        [{"start": "500", "end": "2500", "text": SENTENCE}],
        [f"- 0.5 2.5: {SENTENCE}"],
    ),
    "a speaker with a name": (
        [{"start": 1.5, "text": "hi", "speaker": {"id": 1, "name": "Ann"}}],
        ["Ann 1.5 -: hi"],
    ),
    "a text in an object of each": (
        [{"name": "Ann", "start": 1.5, "said": {"transcript": "hi"}}],
        ["Ann 1.5 -: hi"],
    ),
    "a channel is no speaker": ([{"start": 1.5, "text": "hi", "channel": 1}], ["- 1.5 -: hi"]),
    "messages": (
        {"messages": [{"role": "user", "content": "hi there"}, {"role": "bot", "content": "hi"}]},
        ["user - -: hi there", "bot - -: hi"],
    ),
    "words in segments": (
        [{"text": "a b", "words": [{"word": "a", "start": 0.5, "end": 1.0}, {"word": "b"}]}],
        ["- 0.5 1: a b"],
    ),
    "words of speakers": (
        {
            "words": [
                {"text": "a", "start": 0.5, "end": 1.0, "speaker": "A"},
                {"text": "b", "start": 1.5, "end": 2.0, "speaker": "B"},
            ]
        },
        ["A 0.5 1: a", "B 1.5 2: b"],
    ),
    "words beside speakers": (
        {
            "words": [{"text": "a", "start": 0.5}, {"text": "b", "start": 1.5}],
            "turns": [
                {"start": 0.5, "end": 1.0, "speaker": "A"},
                {"start": 1.5, "end": 2.0, "speaker": "B"},
            ],
        },
        ["A 0.5 1: a", "B 1.5 2: b"],
    ),
    "pieces of words": (
        {"tokens": [{"text": " hel", "start": 0.5, "end": 1.0}, {"text": "lo", "start": 1.0}]},
        ["- 0.5 1: hello"],
    ),
}


@each_case("title", DOCUMENTS)
def test_a_list_is_read_by_the_names_of_its_members(title: str, tmp_path: Path) -> None:
    document, expected = DOCUMENTS[title]
    assert lines(read(json.dumps(document, ensure_ascii=False), "json")) == expected
    path = tmp_path / "transcript.json"
    path.write_text(json.dumps(document), "utf-8")
    assert lines(formats.read(path)) == expected


def test_names_that_are_read_are_noted() -> None:
    transcript = read('{"cues": [{"from": 1.5, "to": 2.5, "body": "hi"}]}', "json")
    assert said(transcript) == [
        (
            "note: "
            + message_text(MEMBER_NAMES, names=["body", "from", "to"], path="cues")
            + " [JSON-NAMES]"
        )
    ]


def test_objects_one_after_another_are_one_list() -> None:
    text = '{"begin": 0.5, "value": "hi"}\n{"begin": 1.5, "value": "ho"}\n'
    assert lines(read(text, "json")) == ["- 0.5 -: hi", "- 1.5 -: ho"]


def test_punctuation_of_a_list_of_words_is_shown_with_the_word_before() -> None:
    words = [
        {"word": "hi", "start": 0.5, "end": 1.0, "confidence": 0.5},
        {"word": "!", "start": 1.0, "end": 1.0, "type": "punctuation"},
    ]
    (segment,) = read(json.dumps(words), "json")
    assert (segment.words, segment.displays, segment.confidences) == (("hi",), ("hi!",), (0.5,))


MARKED = [{"word": "so", "at": 1.5}, {"word": ",", "at": 1.5}, {"word": "no", "at": 2.5}]
PIECES = [{"word": " so", "at": 1.5}, {"word": ",", "at": 1.5}, {"word": " no", "at": 2.5}]


@pytest.mark.parametrize(
    ("words", "expected"), [(MARKED, ("so", "no")), (PIECES, ("so,", "no")), (MARKED[1:2], (",",))]
)
def test_a_word_that_is_a_punctuation_mark_is_shown_and_not_counted(
    words: list[dict[str, Any]], expected: tuple[str, ...]
) -> None:
    (segment,) = read(json.dumps({"segments": [{"at": 1.0, "words": words}]}), "json")
    assert segment.words == expected
    assert segment.displays in (None, ("so,", None))


def test_words_without_times_are_joined_as_they_are_written() -> None:
    words = [{"word": word} for word in ("so", ",", "it", "is", ".")]
    row = {"speaker": "Ann", "start": 0.5, "end": 2.5, "words": words}
    (segment,) = read(json.dumps({"segments": [row]}), "json")
    assert segment.words == ("so,", "it", "is.")


def test_offsets_in_a_text_are_no_times() -> None:
    rows = [{"start": 0, "end": 5, "text": "Hello"}, {"start": 6, "end": 9, "text": "you"}]
    transcript = formats.read(
        BytesIO(json.dumps([{**row, "speaker": "A"} for row in rows]).encode()),
        "json",
        recording="r",
    )
    assert [(s.words, s.start) for s in transcript] == [(("Hello",), None), (("you",), None)]
    (warning,) = [d for d in transcript.diagnostics if d.code == "CHARACTER-OFFSETS"]
    assert warning.value.fields == {"first": "start", "last": "end"}


VIDEOS: list[dict[str, Any]] = [
    {"videoid": name, "start": start, "end": start + 2, "text": text}
    for name in ("v1", "v2")
    for start, text in ((0.5, "so it is"), (3.5, "and on we go"))
]


def test_a_member_of_each_element_names_its_recording() -> None:
    assert [s.recording for s in read(json.dumps(VIDEOS), "json")] == ["v1", "v1", "v2", "v2"]


def test_an_id_behind_which_times_begin_again_names_the_recording() -> None:
    shared = [{**row, "id": row["videoid"], "videoid": 1} for row in VIDEOS]
    assert [s.recording for s in read(json.dumps(shared), "json")] == ["v1", "v1", "v2", "v2"]
    later = [{**row, "start": float(n)} for n, row in enumerate(shared)]
    assert {s.recording for s in read(json.dumps(later), "json")} == {"rec"}


@pytest.mark.parametrize(
    "rows",
    [
        [{"reference": "so it is", "hypothesis": "so is it", "wer": 0.5}] * 2,
        [{"ref": "so it is", "pred": "so is it", "audio": f"a{n}.wav"} for n in range(2)],
    ],
)
def test_the_reference_beside_a_prediction_is_the_text(rows: list[dict[str, Any]]) -> None:
    segments = read(json.dumps({"wer": 0.5, "samples": rows}), "json")
    assert [s.words for s in segments] == [("so", "it", "is")] * 2
    assert segments[1].recording == ("a1" if "audio" in rows[0] else "rec")


def test_texts_of_a_list_of_segments_need_no_times() -> None:
    rows = [{"n": n, "text": "so it is", "feelings": {"joy": 0.5}} for n in range(2)]
    segments = read(json.dumps({"summary": {}, "segments": rows}), "json")
    assert [s.words for s in segments] == [("so", "it", "is")] * 2
    segments = read(json.dumps({"summary": {}, "things": rows}), "json")
    assert [s.words for s in segments] == [("so", "it", "is")] * 2


def test_a_dialogue_in_the_only_transcript_is_read_by_turns() -> None:
    turns = [f"{name}: so it is then {n}" for n, name in enumerate(["Ann", "Ben"] * 4)]
    document = {"session": {"transcript": "\n".join(turns)}, "analysis": {"score": 1}}
    assert [s.speaker for s in read(json.dumps(document), "json")] == ["Ann", "Ben"] * 4


def test_times_of_chat_in_texts_are_no_words() -> None:
    rows = [{"text": "so it is . \x15125_475\x15", "time": [125, 475]}] * 2
    assert read(json.dumps(rows), "json")[0].words == ("so", "it", "is", ".")


def test_times_since_1970_of_rows_are_counted_from_the_first(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    rows = [{"text": SENTENCE, "timestamp": 1751193137.5 + 7 * n} for n in range(2)]
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert [s.start for s in formats.read(path)] == [0.0, 7.0]


def test_a_list_of_words_called_transcription_is_no_answer_of_whisper_cpp(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    times = [({"nanos": 100000000}, {"nanos": 400000000}), ({"seconds": "1"}, {"seconds": "2"})]
    rows = [
        {"startTime": start, "endTime": end, "word": word, "speakerTag": 1}
        for word, (start, end) in zip(("so", "then"), times, strict=True)
    ]
    path.write_text(json.dumps({"transcription": rows}), encoding="utf-8")
    (segment,) = formats.read(path)
    assert (segment.words, segment.start, segment.speaker) == (("so", "then"), 0.1, "1")


def test_files_whose_times_go_on_are_parts_of_one_recording() -> None:
    later = [{**row, "start": row["start"] + 9 * n, "end": None} for n, row in enumerate(VIDEOS)]
    assert {s.recording for s in read(json.dumps(later), "json")} == {"rec"}


def test_keys_of_elements_whose_times_begin_again_are_recordings() -> None:
    rows = {f"v{n}": {"begin": f"{9 - n}:30", "end": f"{9 - n}:50", "text": "so it is"}
            for n in range(3)}  # fmt: skip
    assert [s.recording for s in read(json.dumps(rows), "json")] == ["v0", "v1", "v2"]


def test_sentences_of_a_turn_from_xml_are_its_text() -> None:
    turns = [
        {"@who": "A", "s": ["so it is", {"#text": "and on", "@n": "2"}]},
        {"@who": "B", "s": "we go"},
    ]
    document = {"TEI": {"text": {"body": {"u": turns * 2}}}}
    assert [(s.speaker, s.words) for s in read(json.dumps(document), "json")] == [
        ("A", ("so", "it", "is", "and", "on")),
        ("B", ("we", "go")),
    ] * 2


@each_case(
    ("document", "message"),
    [
        (
            {"a": 1},
            "$: expected a list of objects with texts, and times or speakers, found an object",
        ),
        (
            [{"start": 0, "end": 2, "text": "hello"}],
            message_text(TIME_UNIT_OPEN, path="$", member="start", words=1),
        ),
        (
            [{"start": 2.5, "end": 1.5, "text": "hello"}] * 2,
            "expected an end not before its begin at 2.5 s, found 1.5",
        ),
        (
            [{"start": 10**400, "end": 10**400, "text": "one two three four five"}],
            "$[0].start: expected a time within 292 years, found 1" + "0" * 78 + "0",
        ),
        (
            [{"start": 2.5, "text": "hello"}] * 300 + [{"start": "soon", "text": "hello"}],
            '$[300].start: expected a time, found "soon"',
        ),
    ],
)
def test_a_list_that_cannot_be_read_soundly_is_refused(document: object, message: str) -> None:
    assert refusal(json.dumps(document), "json").endswith(message)


def test_the_unit_of_whole_numbers_can_be_named() -> None:
    document = json.dumps([{"start": 1500, "end": 2000, "text": "hello"}])
    assert lines(read(document, "json", time_unit="ms")) == ["- 1.5 2: hello"]
    assert lines(read(document, "json", time_unit="s")) == ["- 1500 2000: hello"]


def test_a_time_that_is_not_read_is_a_warning_unless_it_repeats_one() -> None:
    row = {"start": 1.5, "startFormatted": "00:00:01.500", "timestamp": 7.5, "text": "hello"}
    assert said(read(json.dumps([row]), "json"))[1:] == [
        ("warning: " + message_text(JSON_TIME_UNREAD, name="timestamp") + " [JSON-TIME]")
    ]


def test_empty_lists_are_empty_transcripts() -> None:
    assert len(read("[]", "json")) == 0


def test_lists_of_times_speaker_and_text_are_turns() -> None:
    rows = [[0.0, 1.5, "s0", "well then"], [1.5, 2.0, "s1", "yes"], [2.0, 4.0, "s0", "so we go on"]]
    assert lines(read(json.dumps({"result": rows}), "json")) == [
        "s0 0 1.5: well then", "s1 1.5 2: yes", "s0 2 4: so we go on",
    ]  # fmt: skip


@pytest.mark.parametrize("per_second", [1, 1000])
def test_times_since_1970_are_counted_from_the_first(per_second: int) -> None:
    spans = [(0, 2), (2.5, 4)]
    first = 1742176115
    document = json.dumps([
        {"start": (first + a) * per_second, "end": (first + b) * per_second, "text": SENTENCE}
        for a, b in spans
    ])  # fmt: skip
    transcript = read(document, "json")
    assert lines(transcript) == [f"- {a:g} {b:g}: {SENTENCE}" for a, b in spans]
    assert TIMES_OF_DATE.code in codes(transcript)
    assert JSON_TIME_UNREAD.code not in codes(transcript)


def test_participants_and_marks_of_time_are_read() -> None:
    rows = [{"participant": "Ann", "at": "00:00:05", "text": "hi"}]
    assert lines(read(json.dumps(rows), "json")) == ["Ann 5 -: hi"]


def test_times_of_words_without_ends_are_of_many_recordings() -> None:
    rows = [
        {"id": f"call{n}", "transcript": [
            {"text": word, "timestamp": 100 + 400 * k, "length": "PT0.3S"}
            for k, word in enumerate(SENTENCE.split())
        ]}
        for n in range(3)
    ]  # fmt: skip
    read_rows = lines(read("\n".join(map(json.dumps, rows)), "json"))
    assert read_rows == [f"- 0.1 2: {SENTENCE}"] * 3


def test_talks_of_parties_without_times_are_recordings() -> None:
    said = [("agent", "hello there"), ("customer", "I have a question")]
    talk = [{"role": role, "message": text} for role, text in said]
    talks = [{"id": name, "title": "A question", "turns": talk} for name in ("a", "b")]
    transcript = read(json.dumps(talks), "json")
    assert [s.recording for s in transcript] == ["a", "a", "b", "b"]
    assert lines(transcript)[2:] == ["agent - -: hello there", "customer - -: I have a question"]


def test_a_member_of_times_may_have_one_that_is_none() -> None:
    rows = [
        {"start": f"00:00:{n:02}.000", "end": f"00:00:{n:02}.900", "text": "hi"} for n in range(20)
    ]
    rows[5]["start"] = "00:00:05:0000"
    assert '$[5].start: expected a time, found "00:00:05:0000"' in refusal(json.dumps(rows), "json")


DIALOGUE = "Agent: hello\n\nCustomer: hi there\n\nAgent: so it is\n\nCustomer: yes"


@pytest.mark.parametrize("name", ["jsonl", "vosk"])
def test_a_dialogue_within_a_text_is_told(name: str) -> None:
    turns = read(json.dumps({"text": DIALOGUE}), name)
    assert DOCUMENTS_WITHIN.code in codes(turns)
    assert [s.speaker for s in turns] == ["Agent", "Customer"] * 2
    assert {DOCUMENTS_WITHIN.code, TURNS_IN_TEXT.code}.isdisjoint(
        codes(read(json.dumps({"text": "so: hello\nyou\nthere"}), name))
    )


def test_a_dialogue_within_a_cell_is_a_warning() -> None:
    table = f'id,transcript\n1,"{DIALOGUE}"\n2,yes\n'
    assert TURNS_IN_TEXT.code in codes(read(table, "csv"))


def test_roles_of_chats_are_speakers() -> None:
    assert lines(read('{"role": "user", "text": "hi"}\n{"role": "bot", "text": "so"}\n', "jsonl")) == [
        "user - -: hi", "bot - -: so",
    ]  # fmt: skip


def test_lists_of_texts_are_one_text_and_a_part_of_a_name_may_mean_a_speaker() -> None:
    items: list[object] = [
        {"id": 1, "role": "user", "content": ["well,", "so"]},
        {"id": 2, "role": "agent", "content": ["no"]},
        {"id": 3, "name": "call"},
    ]
    rows = list(read(json.dumps({"items": items}), "json"))[:2]
    assert [(s.speaker, *s.words) for s in rows] == [("user", "well,", "so"), ("agent", "no")]
    lines = [{"speaker_line": "Ann", "text": ["well"]}, {"speaker_line": "Ben", "text": ["so"]}]
    rows = list(read(json.dumps({"lines": lines}), "json"))
    assert [(s.speaker, *s.words) for s in rows] == [("Ann", "well"), ("Ben", "so")]


def test_a_list_of_texts_is_named_as_one_and_of_senders_the_name_speaks() -> None:
    value: dict[str, object] = {"id": "a", "segments": ["so it was", "and so on"]}
    assert [s.words for s in read(json.dumps(value), "json")] == [
        ("so", "it", "was"),
        ("and", "so", "on"),
    ]
    rows = [{"Sender ID": n % 2, "Sender Name": "AB"[n % 2], "Text": "so it was"} for n in range(4)]
    assert [s.speaker for s in read(json.dumps({"items": rows}), "json")] == ["A", "B", "A", "B"]


def test_lists_that_are_null_in_some_objects_are_no_crash() -> None:
    rows: list[dict[str, Any]] = [
        {"speaker": "a", "sk": "ahoj ako sa máš", "expected": ["so", "ja som"]},
        {"speaker": "b", "sk": "dobre a ty potom", "expected": None},
    ]
    segments = read(json.dumps({"so": {"lines": rows}}), "json")
    assert [s.speaker for s in segments] == ["a", "b"]


def test_members_that_are_lists_in_some_objects_and_numbers_in_others_are_no_crash() -> None:
    rows = [{"speaker": "a", "text": "so", "end": 1.5}, {"speaker": "b", "text": "no", "end": [{}]}]
    assert [s.words for s in read(json.dumps(rows), "json")] == [("so",), ("no",)]


def timed_rows(count: int, odd: object, places: Sequence[int]) -> list[dict[str, object]]:
    """Return rows with times, of which some are `odd`."""
    return [
        {"start": odd if n in places else 3 * n, "end": odd if n in places else 3 * n + 2.5,
         "text": f"so it was number {n} then"}
        for n in range(count)
    ]  # fmt: skip


def test_empty_texts_are_no_times() -> None:
    content = json.dumps({"segments": timed_rows(6, "", [2])}).encode()
    read = formats.read(BytesIO(content))
    assert [s.start for s in read] == [0, 3, None, 9, 12, 15]


def test_times_of_which_some_are_none_are_never_dropped_in_silence() -> None:
    some = json.dumps({"segments": timed_rows(8, "x", [2, 5])}).encode()
    with pytest.raises(formats.FormatError, match='expected a time, found "x"'):
        formats.read(BytesIO(some))
    most = json.dumps({"turns": timed_rows(8, "x", [2, 3, 4, 5, 6])}).encode()
    assert "JSON-TIME" in codes(formats.read(BytesIO(most)))


def test_a_link_or_a_name_of_its_own_names_the_recording() -> None:
    for name in ("url", "link"):
        link = "https://www.youtube.com/watch?v=a1B2c3D4e5{}"
        listed = [{name: link.format(n), "cues": timed_rows(3, "", [])} for n in "xy"]
        read = formats.read(BytesIO(json.dumps(listed).encode()))
        assert [s.recording for s in read] == ["a1B2c3D4e5x"] * 3 + ["a1B2c3D4e5y"] * 3
    listed = [{f"a1B2{n}": timed_rows(3, "", [])} for n in "xy"]
    read = formats.read(BytesIO(json.dumps(listed).encode()))
    assert [s.recording for s in read] == ["a1B2x"] * 3 + ["a1B2y"] * 3


def test_lines_of_a_cue_are_one_text() -> None:
    cues = [{"start": n, "end": n + 1, "lines": ["so it was", f"then {n}"]} for n in range(3)]
    read = formats.read(BytesIO(json.dumps(cues).encode()))
    assert [" ".join(s.words) for s in read] == [f"so it was then {n}" for n in range(3)]


def test_names_of_texts_are_starts_if_the_texts_have_the_pace_of_speech(tmp_path: Path) -> None:
    text = "so that is how it was"
    for seconds, starts in (
        ((0, 4, 9, 11, 17, 20), [0, 4, 9, 11, 17, 20]),
        ((0, 1, 2, 3, 4, 5), [None] * 6),
        ((0, 400, 900, 1100, 1700, 2000), [None] * 6),
        ((3, 4, 9, 11, 17, 20), [None] * 6),
    ):
        path = tmp_path / "talk.json"
        path.write_text(json.dumps({str(n): text for n in seconds}))
        assert [segment.start for segment in formats.read(path)] == starts
