"""Oddities of the services that are tables of `formats.json.providers`."""

from __future__ import annotations

import json

import pytest

from tests.formats.json.provider_cases import SAMPLES
from tests.formats.json.reading import read, refusal, said


@pytest.mark.parametrize("name", SAMPLES)
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
        "note: $.words[2]: no word but audio_event [NO-WORD]"
    ]
    before, first, second, after, _ = SAMPLES["soniox"]
    assert said(read(f"{before}{first},{second}{after}", "soniox"))[:1] == [
        "note: $.tokens[3]: left out, translation_status translation [NO-WORD]"
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


@pytest.mark.parametrize(
    ("name", "document", "message"),
    [
        ("podcast", {"version": "1.0.0"}, '$: expected a member "segments", found none'),
        ("podcast", {"segments": [{"startTime": 2, "endTime": 1, "body": "x"}]}, "$.segments[0].endTime: expected an end not before its start 2, found 1"),
        ("funasr", [{"key": "a"}], '$[0]: expected a member "sentence_info", found none'),
        ("notsofar", [{"start_time": 0, "word_timing": [["a", 1]]}], "$[0].word_timing[0]: expected a list of 3 or more, found a list"),
        ("symbl", {"messages": [{"timeOffset": "soon", "text": "x"}]}, '$.messages[0].timeOffset: expected a time, found "soon"'),
    ],
)  # fmt: skip
def test_what_is_missing_or_wrong_is_an_error_with_its_path(
    name: str, document: object, message: str
) -> None:
    assert refusal(json.dumps(document), name).endswith(message)
