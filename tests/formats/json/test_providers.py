"""Oddities of the services that are tables of `formats.json.providers`."""

import json
from io import BytesIO
from typing import Any

import pytest

import formats
from formats.io.messages import DATES_UNREAD
from formats.json.messages import JSON_TIME_UNREAD, NO_WORD, NO_WORD_MEMBER, TAG
from tests.each_case import each_case
from tests.formats.checks import message_text, remark_line
from tests.formats.json.provider_cases import SAMPLES
from tests.formats.json.reading import read, refusal, said
from tests.remarks import fields_of
from tests.tables import table_of


@each_case("name", SAMPLES)
def test_times_and_speakers_are_those_of_the_service(name: str) -> None:
    before, first, second, after, _ = SAMPLES[name]
    hello, good = read(f"{before}{first},{second}{after}", name)
    assert (hello.start, hello.end) == (0.5, 1.05)
    assert good.start == (None if name == "symbl" else 2.0)
    speakers = {
        "podcast": ("anne", None),
        "elevenlabs": ("s0", "s1"),
        "amberscript": ("Anne", "spk2"),
        "soniox": ("1", "2"),
        "symbl": ("Anne", "4"),
        "voxtral": ("speaker_1", None),
        "notsofar": ("Anne", "Bob"),
        "pyannote-json": ("A", "B"),
        "aws-call": ("spk_1", "spk_0"),
    }
    assert (hello.speaker, good.speaker) == speakers.get(name, ("0", "1"))
    if name in ("elevenlabs", "amberscript", "soniox", "symbl", "notsofar", "aws-call"):
        assert (hello.starts, hello.ends) == (
            (0.5, 0.75),
            (0.7 if name == "elevenlabs" else 0.75, 1.05),
        )


def test_what_is_no_word_of_a_list_of_words_is_noted() -> None:
    before, first, second, after, _ = SAMPLES["elevenlabs"]
    assert said(read(f"{before}{first},{second}{after}", "elevenlabs"))[:1] == [
        ("note: " + message_text(NO_WORD, path="$.words[2]", kind="audio_event") + " [NO-WORD]")
    ]
    before, first, second, after, _ = SAMPLES["soniox"]
    assert said(read(f"{before}{first},{second}{after}", "soniox"))[:1] == [
        (
            "note: "
            + message_text(
                NO_WORD_MEMBER,
                path="$.tokens[3]",
                member="translation_status",
                excluded="translation",
            )
            + " [NO-WORD]"
        )
    ]


def test_pyannote_without_words_is_a_list_of_speakers() -> None:
    turns = [{"speaker": "A", "start": 0.5, "end": 1}, {"speaker": "B", "start": 1, "end": 2}]
    for document in ({"diarization": turns}, {"output": {"diarization": turns}}):
        transcript = read(json.dumps(document), "pyannote-json")
        assert [(s.speaker, s.start, s.words) for s in transcript] == [
            ("A", 0.5, ()),
            ("B", 1.0, ()),
        ]
    assert refusal('{"status": "failed", "error": "no audio"}', "pyannote-json").endswith(
        '$.status: expected "succeeded", found "failed": no audio'
    )


def test_elements_of_one_list_may_have_different_names() -> None:
    turns = [
        {"Start": 0, "End": 1, "Speaker": 0, "Content": "hi"},
        {"start_time": 1, "end_time": 2, "speaker_id": 1, "text": "ho"},
    ]
    transcript = read(json.dumps(turns), "vibevoice")
    segments = [(s.speaker, s.start, s.end, *s.words) for s in transcript]
    assert segments == [("0", 0.0, 1.0, "hi"), ("1", 1.0, 2.0, "ho")]
    assert said(transcript) == []


def test_words_of_pyannote_belong_to_the_turn_in_which_they_begin() -> None:
    output = {
        "turnLevelTranscription": [{"speaker": "A", "start": 0.5, "end": 2, "text": "a b"}],
        "wordLevelTranscription": [
            {"speaker": "A", "start": 0.5, "end": 1, "text": "a"},
            {"speaker": "A", "start": 1, "end": 2, "text": "b"},
        ],
    }
    (segment,) = read(json.dumps({"output": output}), "pyannote-json")
    assert (segment.speaker, segment.words, segment.starts) == ("A", ("a", "b"), (0.5, 1.0))


@each_case(
    ("name", "document", "message"),
    table_of(__file__, "what_is_missing_or_wrong_is_an_error_with_its_path"),
)  # fmt: skip
def test_what_is_missing_or_wrong_is_an_error_with_its_path(
    name: str, document: object, message: str
) -> None:
    assert refusal(json.dumps(document), name).endswith(message)


WORD_AT_START = {"text": "hi", "start": 0.5, "end": 0.75, "type": "word", "speaker_id": "s0"}
SONIOX = [
    {"text": "Hel", "start_ms": 10, "end_ms": 90},
    {"text": "lo", "start_ms": 110, "end_ms": 160},
]
PCA_WORD = {"Confidence": 0.0, "StartTime": 0.0, "EndTime": 0.0}
SYMBL = {"id": "1", "conversationId": "6", "phrases": [], "startTime": "2020-07-10T11:16:21.024Z"}
MESSAGE = {"final_audio_proc_ms": 0, "total_audio_proc_ms": 0}
# what it shows: the document, its format, its segments as "recording channel speaker start: words"
DOCUMENTS: dict[str, tuple[Any, str, list[str]]] = {
    "voxtral without segments": (
        {"model": "voxtral-mini-2507", "text": "Hello there", "language": None, "segments": []},
        "voxtral", ["rec - - -: Hello there"],
    ),
    "channels of elevenlabs": (
        {"transcripts": [
            {"channel_index": 0, "words": [WORD_AT_START | {"channel_index": 0}]},
            {"channel_index": 1, "words": [WORD_AT_START | {"channel_index": 1, "text": "ho"}]},
        ]},
        "elevenlabs", ["rec 0 s0 0.5: hi", "rec 1 s0 0.5: ho"],
    ),
    "elevenlabs without words": (
        {"language_code": "eng", "language_probability": 1, "text": "hi there", "words": []},
        "elevenlabs", ["rec - - -: hi there"],
    ),
    "pieces of soniox without blanks": (
        {"id": "1", "text": "Hello", "tokens": SONIOX}, "soniox", ["rec - - 0.01: Hello"],
    ),
    "words of soniox without blanks": (
        {"text": "Hel lo", "tokens": SONIOX}, "soniox", ["rec - - 0.01: Hel lo"],
    ),
    "messages of soniox": (
        [
            MESSAGE | {"tokens": [SONIOX[0] | {"is_final": True}, SONIOX[1] | {"is_final": False}]},
            MESSAGE | {"tokens": [SONIOX[1] | {"is_final": True}, {"text": "<end>", "is_final": True}]},
            MESSAGE | {"tokens": [{"text": "Yes", "start_ms": 500, "end_ms": 600}, {"text": " so", "start_ms": 600, "end_ms": 700}]},
        ],
        "soniox", ["rec - - 0.01: Hello Yes so"],
    ),
    "tags of vibevoice": (
        [
            {"Start": 0, "End": 1.5, "Content": "[Environmental Sounds]"},
            {"Start": 1.5, "End": 2, "Speaker": 0, "Content": "[Laughter] hi [you]"},
        ],
        "vibevoice", ["rec - 0 1.5: hi [you]"],
    ),
    "vibevoice's own tool": (
        {"file": "a.wav", "raw_text": "[]", "generation_time": 1.5, "segments": [
            {"start_time": 0.5, "end_time": 1.0, "speaker_id": 0, "text": "hi"}]},
        "vibevoice", ["rec - 0 0.5: hi"],
    ),
    "tags of notsofar": (
        [
            {"speaker_id": "Ron", "start_time": 1.0, "end_time": 2.0, "text": "we <ST/>",
             "word_timing": [["we", 1.0, 1.25], ["<ST/>", 1.5, 1.5]]},
            {"speaker_id": "Ann", "start_time": 3.0, "end_time": 3.5, "text": "<BA/>",
             "word_timing": [["<BA/>", 3.0, 3.0]]},
        ],
        "notsofar", ["rec - Ron 1: we"],
    ),
    "recordings of funasr": (
        [{"key": "a", "sentence_info": [{"sentence": "<|zh|><|HAPPY|>x", "start": 1500, "end": 2000}]},
         {"key": "b", "text": "y z", "timestamp": [[0, 100], [100, 200]]}],
        "funasr", ["a - - 1.5: x", "b - - -: y z"],
    ),
    "funasr's own tool": (
        {"text": "a b", "segments": [{"start": 0, "end": 5540, "text": "a b", "speaker": 1}],
         "file": "a.wav", "model": "sensevoice", "language": "auto", "processing_s": 0.5},
        "funasr", ["rec - 1 0: a b"],
    ),
    "identified speakers of pyannote": (
        {"jobId": "1", "status": "succeeded", "createdAt": "", "output": {
            "diarization": [{"speaker": "SPEAKER_00", "start": 0.5, "end": 1}],
            "identification": [{"speaker": "Sam", "start": 0.5, "end": 1, "match": "Sam"}]}},
        "pyannote-json", ["rec - Sam 0.5: "],
    ),
    "aws-call without times of words": (
        {"ConversationAnalytics": {"SpeakerLabels": [{"Speaker": "spk_0", "DisplayText": "Agent"}]},
         "SpeechSegments": [{"SegmentStartTime": 12.5, "SegmentEndTime": 14, "SegmentSpeaker": "spk_0",
          "WordConfidence": [PCA_WORD | {"Text": "Hi"}, PCA_WORD | {"Text": " there."}]}]},
        "aws-call", ["rec - Agent 12.5: Hi there."],
    ),
    "symbl without offsets": (
        {"messages": [SYMBL | {"text": "Best package", "from": {"name": "Roger"}, "words": [
            {"word": "Best", "startTime": "2020-08-18T11:10:14.536Z"},
            {"word": "package", "startTime": "2020-08-18T11:10:15.536Z"}]}]},
        "symbl", ["rec - Roger -: Best package"],
    ),
    "gladia without utterances": (
        {"result": {"transcription": {"full_transcript": "hi you", "utterances": []}}},
        "gladia", ["rec - - -: hi you"],
    ),
}  # fmt: skip


@each_case("title", DOCUMENTS)
def test_variants_of_a_service_are_read(title: str) -> None:
    document, name, expected = DOCUMENTS[title]
    values = document if title.startswith("messages") else [document]
    data = "\n".join(map(json.dumps, values)).encode()
    assert formats.detect(BytesIO(data)) == name
    transcript = formats.read(BytesIO(data), recording="rec")
    assert [
        f"{s.recording} {s.channel or '-'} {s.speaker or '-'} "
        f"{'-' if s.start is None else format(s.start, 'g')}: {' '.join(s.words)}"
        for s in transcript
    ] == expected


def test_times_of_funasr_and_of_call_analytics_are_those_of_the_audio() -> None:
    document, name, _ = DOCUMENTS["funasr's own tool"]
    (segment,) = read(json.dumps(document), name)
    assert (segment.start, segment.end) == (0.0, 5.54)
    document, name, _ = DOCUMENTS["aws-call without times of words"]
    (segment,) = read(json.dumps(document), name)
    assert segment.starts is None


def test_tags_and_provisional_tokens_are_counted() -> None:
    document, name, _ = DOCUMENTS["messages of soniox"]
    assert said(read("\n".join(map(json.dumps, document)), name)) == [
        (
            "note: "
            + message_text(NO_WORD_MEMBER, path="$.tokens[1]", member="is_final", excluded="false")
            + " [NO-WORD]"
        ),
        ("note: " + message_text(TAG, count=1) + " [TAG]"),
    ]


@each_case(
    ("document", "message"),
    table_of(__file__, "answers_that_are_errors_are_refused_with_their_message"),
)  # fmt: skip
def test_answers_that_are_errors_are_refused_with_their_message(
    document: object, message: str
) -> None:
    with pytest.raises(formats.FormatError) as caught:
        formats.read(BytesIO(json.dumps(document).encode()))
    assert str(caught.value).endswith(message)


@each_case(
    ("name", "document"),
    table_of(__file__, "a_member_that_looks_like_a_time_and_is_not_read_is_a_warning"),
)  # fmt: skip
def test_a_member_that_looks_like_a_time_and_is_not_read_is_a_warning(
    name: str, document: object
) -> None:
    offset = "audioOffset" if name == "podcast" else "audio_offset"
    expected = remark_line(JSON_TIME_UNREAD, file=None, name=offset)
    assert expected in said(read(json.dumps(document), name))


def test_numbers_of_tokens_are_no_times() -> None:
    rows = [{"text": "a", "start": 0.5, "end": 1, "token_id": 7, "trend": 0.5, "speaker": "A"}]
    assert not [d for d in read(json.dumps(rows), "json").diagnostics if d.code == "JSON-TIME"]


def test_short_lines_of_funasr_need_no_file_name() -> None:
    line = json.dumps({"key": "a1", "source": "a.wav", "target": "hello you"})
    for text in (line, f"{line}\n{line.replace('a1', 'a2')}\n"):
        transcript = formats.read(BytesIO(text.encode()))
        assert transcript.format == "jsonl"
        assert (transcript[0].utterance, transcript[0].words) == ("a1", ("hello", "you"))


@pytest.mark.parametrize("end", ["", "<|im_end|>", "<|im_end|>\n<|endoftext|>\n"])
def test_the_raw_answer_of_a_model_is_its_json(end: str) -> None:
    turns = [{"Start": 0, "End": 1.5, "Speaker": 0, "Content": "See <|im_end|> here."}]
    text = f"<|im_start|>assistant\n{json.dumps(turns)}{end}"
    assert formats.detect(BytesIO(text.encode())) == "vibevoice"
    (turn,) = read(text, "vibevoice")
    assert (turn.speaker, turn.end, turn.words) == ("0", 1.5, ("See", "<|im_end|>", "here."))


def test_dates_instead_of_times_are_warned_of() -> None:
    message = {"id": "1", "text": "yes", "from": {"name": "Ann"}, "conversationId": "6"}
    dates = {"startTime": "2020-07-10T11:16:21.024Z", "endTime": "2020-07-10T11:16:26.724Z"}
    transcript = read(json.dumps({"messages": [{**message, **dates}]}), "symbl")
    assert [d.code for d in transcript.diagnostics] == ["JSON-TIME", "JSON-TIME"]
    assert [fields["member"] for fields in fields_of(transcript.diagnostics, DATES_UNREAD)] == [
        "startTime", "endTime",
    ]  # fmt: skip
