"""Oddities of instance logs: what the delays belong to, and when they are no times."""

import json
from typing import Any

import pytest

from formats.json.messages import DELAYS, DELAYS_OF_TEXT, EARLY, TAG, WORD_TIMES
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said

SPEECH = {"index": 3, "source": ["/data/ted_1.wav", "duration: 2.0 s"], "source_length": 2000.0}


def log(*instances: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(instance)}\n" for instance in instances)


def test_words_begin_and_end_when_they_were_emitted() -> None:
    instance = SPEECH | {
        "prediction": "a b </s>", "delays": [500.0, 1500, 2000], "elapsed": [600.0, 1700, 2200],
    }  # fmt: skip
    transcript = read(log(instance), "simuleval")
    (segment,) = transcript
    assert (segment.recording, segment.utterance, segment.words) == ("ted_1", "3", ("a", "b"))
    assert segment.starts == segment.ends == (0.5, 1.5)
    assert (segment.start, segment.end) == (0.0, 2.0)
    assert said(transcript) == [("note: " + message_text(TAG, count=1) + " [TAG]")]
    (segment,) = read(log(instance), "simuleval", times="elapsed")
    assert (segment.starts, segment.end) == ((0.6, 1.7), 2.2)


def test_the_reference_has_no_times() -> None:
    instance = SPEECH | {"prediction": "a", "reference": "a b", "delays": [500.0]}
    (segment,) = read(log(instance), "simuleval", field="reference")
    assert (segment.words, segment.starts, segment.end) == (("a", "b"), None, 2.0)


@pytest.mark.parametrize(
    ("text", "delays", "starts"),
    [
        ("ab c", [100, 200, 300], (0.2, 0.3)),
        ("ab c", [100, 200, 250, 300], (0.2, 0.3)),
        ("a b", [100, 200], (0.1, 0.2)),
        ("", [], None),
    ],
)
def test_delays_are_of_words_or_of_characters(
    text: str, delays: list[int], starts: tuple[float, ...] | None
) -> None:
    (segment,) = read(log(SPEECH | {"prediction": text, "delays": delays}), "simuleval")
    assert segment.starts == starts


def test_delays_of_neither_are_no_times() -> None:
    transcript = read(log(SPEECH | {"prediction": "a b c", "delays": [1, 2]}), "simuleval")
    assert transcript.segments[0].starts is None
    assert said(transcript)[0].endswith(
        "warning: " + message_text(DELAYS, path="$.delays", delays=2, words=3) + " [DELAYS]"
    )


def test_delays_that_count_words_of_a_text_are_no_times() -> None:
    instance = {
        "index": 0,
        "source": "x y z",
        "source_length": 3,
        "prediction": "a b",
        "delays": [1, 3],
    }
    transcript = read(log(instance), "simuleval")
    (segment,) = transcript
    assert (segment.recording, segment.start, segment.starts) == ("rec", None, None)
    assert said(transcript) == [("note: " + message_text(DELAYS_OF_TEXT, count=1) + " [DELAYS]")]


def test_segments_of_omnisteval_begin_at_zero_each() -> None:
    rows = [
        {"index": n, "docid": 0, "segid": n, "prediction": "a b", "source_length": 1000.0,
         "emission_cu": [-250.0, 750.0], "emission_ca": [1, 2]}
        for n in range(2)
    ]  # fmt: skip
    transcript = read(log(*rows), "simuleval")
    assert [(s.recording, s.start, s.end) for s in transcript] == [
        ("0-0", 0.0, 1.0),
        ("0-1", 0.0, 1.0),
    ]
    assert transcript.segments[0].starts == (0.0, 0.75)
    assert said(transcript) == [
        ("note: " + message_text(EARLY, count=2) + " [EARLY]"),
        ("warning: " + message_text(WORD_TIMES, count=2) + " [WORD-TIMES]"),
    ]


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (SPEECH | {"prediction": "wavs/0_pred.wav", "delays": [1], "durations": [300.0], "intervals": [[1, 300]]}, "$: expected an instance with text, found one whose output is speech"),
        (SPEECH | {"delays": [1]}, '$: expected a member "prediction", found none'),
        (SPEECH | {"prediction": "a", "delays": ["soon"]}, "$.delays[0]: expected a number, found \"soon\""),
    ],
)  # fmt: skip
def test_what_has_no_text_is_an_error_with_its_path(instance: object, message: str) -> None:
    assert refusal(json.dumps(instance), "simuleval").endswith(message)
