"""Oddities of the offline transcriber."""

import json
from io import BytesIO

import pytest

import formats
from formats.json.messages import EMPTY_SECTION
from tests.formats.checks import message_text, skipped_line
from tests.formats.json.reading import read, refusal, said

TURN = {
    "speaker": "S1", "start": 1.0, "end": 3.0, "transcript": "It was 25.",
    "unnormalized_transcript": "it was twenty five",
    "words": [
        {"word": "It", "word_with_punctuation": "It", "punctuation": "", "start": 1.0, "end": 1.25,
         "confidence": 0.5},
        {"word": "was", "punctuation": "", "start": 1.25, "end": 1.5},
        {"word": "25", "word_with_punctuation": "25.", "punctuation": ".", "start": 1.5, "end": 2.5,
         "confidence": 0.75, "unnormalized_words": [
             {"word": "twenty", "start": 1.5, "end": 2.0, "confidence": 0.25},
             {"word": "five", "start": 2.0, "end": 2.5}]},
    ],
}  # fmt: skip


def document(*turns: object, **more: object) -> dict[str, object]:
    section = {"type": "speech", "start": 0, "end": 9, "turns": list(turns)}
    return {"speakers": {"S1": {"name": "Anne"}, "S2": {}}, "sections": [section], **more}


def test_turns_are_segments_with_speakers() -> None:
    transcript = read(json.dumps(document(TURN)), "offline-transcriber")
    segment = transcript[0]
    assert (segment.speaker, segment.get("speaker_name")) == ("S1", "Anne")
    assert (segment.start, segment.end) == (1.0, 3.0)
    assert (segment.words, segment.displays) == (("It", "was", "25"), (None, None, "25."))
    assert segment.confidences == (0.5, None, 0.75)
    assert said(transcript) == []


def test_words_can_be_read_as_they_were_spoken() -> None:
    segment = read(json.dumps(document(TURN)), "offline-transcriber", unnormalized=True)[0]
    assert segment.words == ("It", "was", "twenty", "five")
    assert segment.displays == (None, None, "25.", "")
    assert segment.starts == (1.0, 1.25, 1.5, 2.0)
    assert segment.confidences == (0.5, None, 0.25, 0.75)


def test_spoken_words_without_times_share_those_of_the_written_one() -> None:
    turn = json.loads(json.dumps(TURN))
    turn["words"][2]["unnormalized_words"] = ["twenty", "five"]
    segment = read(json.dumps(document(turn)), "offline-transcriber", unnormalized=True)[0]
    assert (segment.starts, segment.ends) == ((1.0, 1.25, 1.5, 2.0), (1.25, 1.5, 2.0, 2.5))
    assert segment.interpolated == (False, False, True, True)


@pytest.mark.parametrize(
    ("unnormalized", "words"),
    [(False, ("It", "was", "25.")), (True, ("it", "was", "twenty", "five"))],
)
def test_turns_without_words_give_their_text(unnormalized: bool, words: tuple[str, ...]) -> None:
    text = json.dumps(document({name: value for name, value in TURN.items() if name != "words"}))
    segment = read(text, "offline-transcriber", unnormalized=unnormalized)[0]
    assert (segment.words, segment.starts) == (words, None)


def test_sections_without_speech_are_events() -> None:
    sections = [
        {"type": "non-speech", "start": 0.0, "end": 1.5},
        {"type": "speech", "start": 1.5, "end": 2.0},
    ]
    transcript = read(json.dumps({"sections": sections}), "offline-transcriber")
    assert [(s.kind, s.words, s.start, s.end) for s in transcript] == [
        ("event", ("non-speech",), 0.0, 1.5)
    ]
    assert said(transcript) == [("1: note: " + message_text(EMPTY_SECTION) + " [EMPTY-SECTION]")]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda inner: {"best_hypothesis": inner},
        lambda inner: {"id": "x", "done": True, "result": inner},
        lambda inner: {"result": {"best_hypothesis": inner, "alternatives": []}},
    ],
)
def test_wrappers_are_opened(wrap: object) -> None:
    assert callable(wrap)
    text = json.dumps(wrap(document(TURN)))
    assert formats.detect(BytesIO(text.encode())) == "offline-transcriber"
    assert read(text, "offline-transcriber")[0].words == ("It", "was", "25")


def test_a_bad_turn_is_an_error_or_skipped() -> None:
    bad = {"speaker": "S2", "start": 5, "end": 4}
    message = "$.sections[0].turns[1].end: expected an end not before its start 5, found 4"
    text = json.dumps(document(TURN, bad))
    assert refusal(text, "offline-transcriber").endswith(message)
    transcript = read(text, "offline-transcriber", "lenient")
    assert len(transcript) == 1
    column = int(refusal(text, "offline-transcriber").split(":")[2])
    expected = skipped_line("TRANSCRIBER-TURN", 1, column, message, file=None)
    assert said(transcript)[0] == expected


def test_displays_are_written_on_request(tmp_path: object) -> None:
    transcript = read(json.dumps(document(TURN)), "offline-transcriber", unnormalized=True)
    output = BytesIO()
    formats.write(transcript, output, "txt", text_view="display")
    assert output.getvalue().decode() == "It was 25.\n"
