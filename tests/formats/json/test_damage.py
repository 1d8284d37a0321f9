"""Answers in which any value is something else: read or refused, never anything worse."""

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest

import formats
from formats import FormatError, Transcript
from tests.each_case import each_case
from tests.formats.json.service_cases import CASES

VARIANTS: list[tuple[str, Any]] = [(case.name, json.loads(case.sample)) for case in CASES] + [
    ("aws", {"status": "COMPLETED", "results": {"transcripts": [{"transcript": "a b"}],
        "channel_labels": {"channels": [{"channel_label": "ch_0", "items": [
            {"type": "pronunciation", "start_time": "1", "end_time": "2", "alternatives": [{"content": "a"}]}]}]},
        "segments": [{"start_time": "1", "end_time": "2", "alternatives": [
            {"transcript": "a", "items": []}, {"transcript": "b"}]}], "items": []}}),
    ("aws", {"JobStatus": "COMPLETED", "Participants": [{"ParticipantId": "1", "ParticipantRole": "AGENT"}],
        "Transcript": [{"ParticipantId": "1", "BeginOffsetMillis": 1, "EndOffsetMillis": 2, "Content": "a",
            "Items": [{"Content": "a", "BeginOffsetMillis": 1, "EndOffsetMillis": 2, "Confidence": "1"}]}]}),
    ("aws", {"Transcript": {"Results": [{"StartTime": 1, "EndTime": 2, "IsPartial": False, "Alternatives": [
        {"Transcript": "a", "Items": [{"Type": "pronunciation", "Content": "a", "StartTime": 1, "EndTime": 2}]}]}]}}),
    ("google", {"done": True, "response": {"results": {"gs://a": {"transcript": {"results": [
        {"alternatives": [{"transcript": "a", "words": [
            {"word": "a", "startOffset": {"seconds": "1", "nanos": 5}, "speakerLabel": "1"}]}]},
        {"alternatives": [{"words": [{"word": "a", "endOffset": "2s", "speakerLabel": "1"}]}]}]}}}}}),
    ("azure", [{"RecognitionStatus": "Success", "Offset": 1, "Duration": 2, "DisplayText": "A.", "NBest": [
        {"Confidence": 1, "Lexical": "a", "Display": "A.", "Words": [{"Word": "a", "Offset": 1, "Duration": 2}]}]}]),
    ("azure", {"durationMilliseconds": 5, "combinedPhrases": [], "phrases": [{"channel": 0, "speaker": 1,
        "offsetMilliseconds": 1, "durationMilliseconds": 2, "text": "a", "words": [
            {"text": "a", "offsetMilliseconds": 1, "durationMilliseconds": 2}]}]}),
    ("deepgram", [{"type": "Results", "channel_index": [0, 2], "start": 1, "duration": 2, "is_final": True,
        "channel": {"alternatives": [{"transcript": "a", "words": [{"word": "a", "start": 1, "end": 2}]}]}}]),
    ("deepgram", {"metadata": {"duration": 3}, "results": {"channels": [{"alternatives": [{"transcript": "a",
        "words": [{"word": "a", "start": 1, "end": 2}]}]}], "utterances": [{"start": 1, "end": 2, "channel": 0,
            "words": [{"word": "a", "start": 1, "end": 2}]}]}}),
    ("assemblyai", {"sentences": [{"text": "a", "start": 1, "end": 2, "words": [
        {"text": "a", "start": 1, "end": 2}]}]}),
    ("assemblyai", [{"message_type": "FinalTranscript", "text": "a", "audio_start": 1, "audio_end": 2, "words": [
        {"text": "a", "start": 1, "end": 2}]}]),
    ("speechmatics", [{"message": "AddTranscript", "format": "2.9", "results": [
        {"type": "entity", "entity_class": "x", "start_time": 1, "end_time": 2, "alternatives": [{"content": "1"}],
         "spoken_form": [{"type": "word", "alternatives": [{"content": "one"}]}],
         "written_form": [{"type": "word", "alternatives": [{"content": "1"}]}]},
        {"type": "punctuation", "attaches_to": "both", "alternatives": [{"content": "-"}]},
        {"type": "word", "start_time": 3, "end_time": 4, "alternatives": [{"content": "a", "tags": ["x"]}]}]}]),
    ("revai", {"monologues": [{"speaker": {"id": "1", "name": "a"}, "start": 1, "end": 2, "terms": [
        {"start": 1, "end": 2, "text": "a", "type": "WORD"}]}]}),
    ("revai", [{"type": "final", "ts": 1, "end_ts": 2, "elements": [{"type": "text", "value": "a", "ts": 1}]}]),
    ("watson", {"id": "1", "status": "completed", "results": [{"result_index": 0, "results": [
        {"final": True, "word_alternatives": [{"start_time": 1, "end_time": 2, "alternatives": [
            {"word": "a", "confidence": 1}, {"word": "b", "confidence": 0}]}], "alternatives": [
                {"transcript": "a", "timestamps": [["a", 1, 2]], "word_confidence": [["a", 1]]}]}]}]}),
]  # fmt: skip
ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    7,
    10**30,
    0.5,
    1e300,
    "",
    "x",
    " ",
    "-1",
    [],
    {},
    [[]],
    [{}],
    {"a": 1},
]
NAMES = [f"{number}-{name}" for number, (name, _) in enumerate(VARIANTS)]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every index in it."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def check(text: str, name: str, tolerance: str) -> None:
    with contextlib.suppress(FormatError):
        transcript = formats.read(StringIO(text), name, recording="rec", tolerance=tolerance)
        assert isinstance(transcript, Transcript)
        for segment in transcript:
            segment._check()
            assert (
                segment.words
                or tolerance != "strict"
                or segment.start is not None
                or name == "revai"
            )
            assert all(segment.words)
            assert (
                segment.start_ns is None
                or segment.end_ns is None
                or segment.start_ns <= segment.end_ns
            )


# at each place every twelfth of the odd values, in turn; in a release all of them
@pytest.mark.parametrize("share", [12, pytest.param(1, marks=pytest.mark.release)])
@pytest.mark.parametrize(("name", "value"), VARIANTS, ids=NAMES)
def test_any_value_may_be_something_else(name: str, value: Any, share: int) -> None:
    changed = copy.deepcopy(value)
    for number, (owner, key) in enumerate(list(places(changed))):
        whole = owner[key]
        for odd in ODD[number % share :: share]:
            owner[key] = odd
            check(json.dumps(changed), name, "lenient" if number % 2 else "default")
        owner[key] = whole
    assert changed == value


# at each place one of the tolerances, in turn; in a release all of them
@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.release)])
@each_case(("name", "value"), VARIANTS, ids=NAMES)
def test_any_member_may_be_missing_or_twice(name: str, value: Any, share: int) -> None:
    chooser = random.Random(7)
    for number in range(len(list(places(value)))):
        changed = copy.deepcopy(value)
        owner, key = list(places(changed))[number]
        if isinstance(owner, list) and chooser.random() < 0.5:
            owner.insert(key, copy.deepcopy(owner[key]))
        else:
            del owner[key]
        for tolerance in ("strict", "default", "lenient")[number % share :: share]:
            check(json.dumps(changed), name, tolerance)


@each_case(("name", "value"), VARIANTS, ids=NAMES)
def test_variants_are_recognised_and_read(name: str, value: Any) -> None:
    text = json.dumps(value)
    assert formats.detect(StringIO(text)) == name
    assert formats.read(StringIO(text)).word_count > 0
