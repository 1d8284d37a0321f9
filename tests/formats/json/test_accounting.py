"""Nothing is dropped in silence: members that look like times, speakers and text are accounted for."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

import formats
from formats import FormatError, Transcript
from formats.detection import by_name
from formats.io.messages import (
    DATES_UNREAD,
    SPEAKER_APART,
    SPEAKER_UNREAD,
    TEXT_KEPT,
    TEXT_UNREAD,
    TIME_APART,
    TIME_UNREAD,
)
from formats.json.messages import (
    JSON_TIME_UNREAD,
    LHOTSE_WORDS,
    TEXT_WORDS,
    WORD_TIMES,
    WORD_UNTIMED,
)
from formats.reading.time_values import number_of
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.checks import message_text
from tests.formats.json.reading import read
from tests.formats.test_contract import CASES
from tests.remarks import fields_of

UNKNOWN = "qqx"
SINGLE = {
    "lhotse": "alignment word", "json3": "tOffsetMs", "kaldi-gstreamer": "segment-start segment-length word-alignment start",
    "offline-transcriber": "type end words", "whisper": "words", "gentle": "start end",
    "whispercpp": "offsets tokens to", "label-studio": "text", "pocketsphinx": "d w",
    "gladia": "text speaker words", "google": "speakerTag", "funasr": "spk",
    "vibevoice": "Speaker", "azure": "lexical speaker offsetInTicks words", "deepspeech": "duration",
    "assemblyai": "words utterances", "symbl": "text words from", "speechbrain": "length",
    "notsofar": "end_time text word_timing", "pyannote-json": "turnLevelTranscription text", "transcribee": "speaker",
    "aws-call": "SegmentEndTime DisplayText WordConfidence EndTime", "deepgram": "speaker", "revai": "speaker",
    "soniox": "speaker",
}  # fmt: skip
"""Members of samples with one word, length or speaker's number, which shows nothing by itself."""
LIKE = {each.key for each in (TIME_UNREAD, JSON_TIME_UNREAD, SPEAKER_UNREAD, TEXT_UNREAD)}
"""Warnings about members that look like times, speakers or texts."""
SIGNS = {
    *LIKE,
    TIME_APART.key,
    SPEAKER_APART.key,
    WORD_TIMES.key,
    WORD_UNTIMED.key,
    LHOTSE_WORDS.key,
}
JSON = [case for case in CASES if by_name(case.name).shape == "json"]


def values_of(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from names_in(inner)


def renamed(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {UNKNOWN if key == name else key: renamed(v, name) for key, v in value.items()}
    return [renamed(v, name) for v in value] if isinstance(value, list) else value


def facts(transcript: Transcript) -> set[str]:
    """The words, and which times and speakers there are; an unknown property keeps its value."""
    present = {word for segment in transcript for word in segment.words}
    for segment in transcript:
        columns = {"start": segment.start_ns, "end": segment.end_ns, "speaker": segment.speaker}
        columns["word start"] = any(t is not None for t in segment.starts_ns or ()) or None
        present.update(name for name, value in columns.items() if value is not None)
        present.update({"start"} if columns["word start"] else ())
        kept = dict(segment.properties).get(UNKNOWN, "")
        present.update(kept.split(), {"speaker"} if kept else ())
    return present


def transcript_of(values: list[Any], case: Case) -> Transcript:
    data = "\n".join(map(json.dumps, values)).encode()
    return formats.read(BytesIO(data), case.name, recording="rec", **case.read_options)


@each_case("case", JSON, ids=lambda case: case.name)
def test_a_member_of_an_unknown_name_is_read_or_named(case: Case) -> None:
    values = values_of(case.sample)
    expected = transcript_of(values, case)
    assert not [d for d in expected.diagnostics if d.value.entry.key in LIKE]
    for name in dict.fromkeys(names_in(values)):
        if name in SINGLE.get(case.name, "").split():
            continue
        try:
            transcript = transcript_of([renamed(value, name) for value in values], case)
        except FormatError:
            continue
        warned = [d for d in transcript.diagnostics if d.severity == "warning"]
        is_named = any(UNKNOWN in d.message or d.value.entry.key in SIGNS for d in warned)
        assert is_named or facts(expected) <= facts(transcript), name


ROW = {"text": "hello you all", "speaker": "A"}


@each_case(
    ("members", "times"),
    [
        ({"timestamp": [29.92, 30.1]}, (29.92, 30.1)),
        ({"start_timestamp": 1.5, "end_timestamp": 2.5}, (1.5, 2.5)),
        ({"startMs": 1500, "endMs": 2500}, (1.5, 2.5)),
        ({"start_at": 1.5, "end_at": 2.5}, (1.5, 2.5)),
        ({"utterance_start": 1.5, "utterance_end": 2.5}, (1.5, 2.5)),
        ({"Start (s)": 1.5, "End (s)": 2.5}, (1.5, 2.5)),
        ({"timestamp": [1.5, None]}, (1.5, None)),
    ],
)
@each_case("suffix", [".json", ".jsonl"])
def test_names_of_times_count_with_affixes_and_units(
    members: dict[str, Any], times: tuple[float, float | None], suffix: str
) -> None:
    rows = [{**ROW, **members}]
    for text in (json.dumps(rows), json.dumps(rows[0]) + "\n"):
        file = BytesIO(text.encode())
        file.name = f"talk{suffix}"
        (segment,) = formats.read(file)
        assert (segment.start, segment.end, segment.speaker) == (*times, "A")


def test_a_member_can_be_mapped() -> None:
    rows = [{"line": "hello you", "b": 1500, "e": 2500, "who": "A"} for _ in range(2)]
    members = "text=line,start=b,end=e,speaker=who"
    for name, text in {
        "json": json.dumps(rows),
        "jsonl": "\n".join(map(json.dumps, rows)),
        "csv": "line,b,e,who\n" + "hello you,1500,2500,A\n" * 2,
    }.items():
        transcript = read(text, name, member=members, time_unit="ms")
        assert [(s.words, s.start, s.end, s.speaker) for s in transcript] == [
            (("hello", "you"), 1.5, 2.5, "A")
        ] * 2


def test_utterances_of_rtzr_are_read() -> None:
    row = {"start_at": 136, "duration": 1500, "spk": 1, "msg": "one two three four five"}
    (segment,) = read(json.dumps({"utterances": [row], "verified": False}), "json")
    assert (segment.start, segment.end, segment.speaker) == (0.136, 1.636, "1")


@pytest.mark.parametrize("member", ["start=nowhere", "nothing=b", "start"])
def test_a_mapping_that_fits_nothing_is_refused(member: str) -> None:
    with pytest.raises(FormatError):
        read(json.dumps([{"text": "a b", "start": 1.5, "b": 2}]), "json", member=member)


def test_a_text_longer_than_its_words_is_read_whole() -> None:
    words = [{"word": w, "start": n, "end": n + 0.5, "score": 0.5} for n, w in enumerate("ab")]
    row = {"start": 0, "end": 9, "text": "a b, and c d", "words": words}
    (segment,) = transcript = read(json.dumps({"segments": [row]}), "whisperx")
    assert segment.words == ("a", "b", "and", "c", "d")
    assert (segment.starts or ())[:2] == (0.0, 1.0)
    assert segment.interpolated == (False, False, True, True, True)
    assert fields_of(transcript.diagnostics, TEXT_WORDS) == [{"count": 1}]


def test_a_text_that_spells_numbers_out_adds_no_words() -> None:
    words = [
        {"word": w, "start": n, "end": n + 0.5, "score": 1} for n, w in enumerate(["in", "23"])
    ]
    row = {"start": 0, "end": 9, "text": "in twenty three", "words": words}
    (segment,) = read(json.dumps({"segments": [row]}), "whisperx")
    assert segment.words == ("in", "23")


def test_dates_in_no_order_are_named_and_not_read() -> None:
    rows = [
        {"start_time": f"2025-08-1{n}T09:00", "speaker": "a", "text": "hello there"}
        for n in (3, 1, 4, 2)
    ]
    transcript = read(json.dumps(rows), "json")
    [warning] = [d.message for d in transcript.diagnostics if d.code == "JSON-TIME"]
    assert warning == (message_text(DATES_UNREAD, member="start_time", path="[].start_time"))


@pytest.mark.parametrize("name", ["start", "speaker", "channel"])
def test_a_member_with_a_name_of_thousands_of_characters_is_not_shown(name: str) -> None:
    rows = [{"session_id": "a", "words": f"word {number}", "start_time": number + 0.5, "end_time": number + 1.5,
             name + "9" * 5000: value} for number, value in enumerate(("A", "B"))]  # fmt: skip
    for format_name in ("seglst", "json"):
        messages = read(json.dumps(rows), format_name).diagnostics
        assert all(len(str(message)) < 500 for message in messages)


def test_a_clock_time_beyond_all_numbers_is_no_time() -> None:
    rows = [{"text": "hello there", "at": f"{'9' * 400}:00:00", "speaker": "a"}] * 3
    assert read(json.dumps(rows), "json").word_count == 6
    assert number_of("9" * 400 + ".0") is None


def test_times_of_recordings_after_the_first_ones_are_no_members_left() -> None:
    rows = [{"text": f"so it is {n}", "start": n, "duration": 1.0} for n in range(150)]
    recordings = {f"talk-{n}": rows for n in range(1, 5)}
    assert TIME_UNREAD.code not in [
        d.code for d in read(json.dumps(recordings), "json").diagnostics
    ]


def test_a_time_of_the_file_and_a_flag_are_no_members_left() -> None:
    turns = [{"name": "AB"[n % 2], "spoken": "so it is", "flag": int(n > 2)} for n in range(5)]
    value = {"meta": {"time": "09:42", "by": "so"}, "turns": turns}
    assert [d.code for d in read(json.dumps(value), "json").diagnostics] == ["JSON-NAMES"]


def test_another_text_that_is_kept_as_a_property_is_named() -> None:
    rows = [
        {"text": f"we land on runway {n}", "file": f"a{n}.wav", "transcript-result": f"no {n} left"}
        for n in range(9)
    ]
    transcript = formats.read(BytesIO(json.dumps(rows).encode()), "jsonl")
    log = [d.value for d in transcript.diagnostics if d.value.entry == TEXT_KEPT]
    assert [entry.fields["member"] for entry in log] == ["transcript-result"]


def test_a_translation_in_which_a_remark_is_in_brackets_is_named() -> None:
    texts = "so it was|[music]|and we went home|then it rained|we saw the river|it was cold"
    rows = [
        {"time": f"00:00:0{n}", "text": f"wort{n} und noch eins", "english": text}
        for n, text in enumerate(texts.split("|"))
    ]
    transcript = formats.read(BytesIO(json.dumps(rows).encode()), "json")
    named = [d for d in transcript.diagnostics if d.code == TEXT_UNREAD.code]
    assert len(named) == 1


@pytest.mark.parametrize("joined", [0, 2])
def test_dates_of_messages_that_are_not_read_hide_no_times(joined: int) -> None:
    rows = [
        {"type": "message", "user": f"U{n % 2}", "text": f"so it was {n}", "ts": f"170000{n}000.5"}
        for n in range(6)
    ]
    rows[joined] |= {"subtype": "channel_join", "text": "<@U3> has joined the channel"}
    transcript = formats.read(BytesIO(json.dumps(rows).encode()), "json")
    assert len(transcript) == 5
    assert TIME_UNREAD.code not in {d.code for d in transcript.diagnostics}


def test_seconds_since_1970_beside_dates_of_another_zone_are_no_other_times() -> None:
    rows = [
        {"date": f"2024-05-01T10:0{n}:10", "date_unixtime": f"{1714550410 + 60 * n}", "from": "Ann",
         "text": f"so it was {n}"} for n in range(6)
    ]  # fmt: skip
    value = {"messages": rows}
    transcript = formats.read(BytesIO(json.dumps(value).encode()), "json")
    assert JSON_TIME_UNREAD.code not in {d.code for d in transcript.diagnostics}


def test_how_long_a_call_is_is_no_start() -> None:
    rows = [{"text": f"Ann: so it was {n}\nBen: no", "duration_seconds": 90 + n} for n in range(9)]
    transcript = formats.read(BytesIO(json.dumps(rows).encode()), "json")
    assert TIME_UNREAD.code not in {d.code for d in transcript.diagnostics}


@pytest.mark.parametrize(
    "beside",
    [{"persona": {"city": "a town by the sea", "work": "he sells old books"}},
     {"system_context": "you are a teacher of many small children"},
     {"resume_text": "he has worked in a shop for nine years"},
     {"quality_notes": "two persons speak at once here and there"},
     {"speakers": {"A": {"tone": "calm and low and slow"}}}],
)  # fmt: skip
def test_descriptions_of_persons_and_data_are_no_lost_texts(beside: dict[str, Any]) -> None:
    rows = [{"speaker": who, "text": f"well {who} it is so"} for who in ("Ann", "Ben") * 2]
    transcript = formats.read(BytesIO(json.dumps({**beside, "turns": rows}).encode()))
    assert [d for d in transcript.diagnostics if d.severity != "note"] == []


@pytest.mark.parametrize("name", ["answer_text", "opening", "minutes"])
def test_other_texts_outside_the_list_are_lost(name: str) -> None:
    rows = [{"speaker": who, "text": f"well {who} it is so"} for who in ("Ann", "Ben") * 2]
    value = {name: "the chair opened our session at nine in the morning", "turns": rows}
    transcript = formats.read(BytesIO(json.dumps(value).encode()))
    assert [d.code for d in transcript.diagnostics if d.severity != "note"] == ["JSON-TEXT"]
