"""Oddities of the BBC's Kaldi."""

from io import BytesIO

import formats
from formats.json.messages import BBC_TURN, TEXT_DIFFERS, TEXT_WORD_DIFFERS, WORD_UNTIMED
from tests.formats.checks import message_text, remark_line, skipped_line
from tests.formats.json.reading import read, refusal, said


def words(*items: str) -> str:
    return '{"text": "good day", "words": [' + ", ".join(items) + "]}"


GOOD = '{"word": "good", "start": 0.5, "end": 0.75, "confidence": 1, "punct": "Good"}'
DAY = '{"word": "day", "start": 0.75, "end": 1, "confidence": 0.5, "punct": "day."}'


def test_words_have_times_confidences_and_displays() -> None:
    transcript = read(words(GOOD, DAY), "bbc-kaldi")
    segment = transcript[0]
    assert (segment.words, segment.displays) == (("good", "day"), ("Good", "day."))
    assert (segment.starts, segment.ends) == ((0.5, 0.75), (0.75, 1.0))
    assert segment.confidences == (1.0, 0.5)
    assert (segment.start, segment.recording, segment.line) == (None, "rec", 1)
    assert said(transcript) == []


def test_a_text_that_says_something_else_is_warned_of() -> None:
    odd = words(GOOD, DAY).replace("good day", "good night")
    assert said(read(odd, "bbc-kaldi")) == [
        remark_line(
            TEXT_WORD_DIFFERS._replace(code="BBC-TEXT"),
            1,
            file=None,
            number=2,
            text="night",
            listed="day",
        )
    ]
    short = words(GOOD)
    assert said(read(short, "bbc-kaldi")) == [
        remark_line(TEXT_DIFFERS._replace(code="BBC-TEXT"), 1, file=None, text=2, listed=1)
    ]


def test_a_file_without_a_list_gives_its_text() -> None:
    segment = read('{"text": "good day", "punct": "Good day!"}', "bbc-kaldi")[0]
    assert (segment.words, segment.displays) == (("good", "day"), ("Good", "day!"))
    assert segment.starts is None
    other = read('{"text": "good day", "punct": "Something else."}', "bbc-kaldi")[0]
    assert (other.words, other.displays) == (("good", "day"), None)


def test_words_without_times_stand_between_their_neighbours() -> None:
    lost = '{"word": "1984"}'
    segment = read(words(GOOD, lost, DAY), "bbc-kaldi")[0]
    assert segment.starts == (0.5, 0.75, 0.75)
    assert segment.interpolated == (False, True, False)
    transcript = read(words(lost, GOOD), "bbc-kaldi")
    assert transcript[0].starts == (None, 0.5)
    assert said(transcript)[1:] == [
        ("warning: " + message_text(WORD_UNTIMED, count=1) + " [WORD-UNTIMED]")
    ]


def test_a_bad_word_is_an_error_or_skipped() -> None:
    bad = '{"word": "day", "start": 2, "end": 1}'
    message = "$.words[1].end: expected an end not before its start 2, found 1"
    assert refusal(words(GOOD, bad), "bbc-kaldi") == f"<stream>:1:146: {message}"
    transcript = read(words(GOOD, bad), "bbc-kaldi", "lenient")
    assert transcript[0].words == ("good",)
    assert said(transcript)[0] == skipped_line("BBC-WORD", 1, 146, message, file=None)


def envelope(body: str) -> str:
    return '{"action": "audio-transcribe", "retval": {"status": true, ' + body[1:] + "}"


def turn(start: float, duration: float, name: str) -> str:
    return (
        f'{{"@type": "Segment", "start": {start}, "duration": {duration}, "bandwidth": "S", '
        f'"speaker": {{"@id": "{name}", "gender": "F"}}}}'
    )


def test_an_answer_of_the_service_is_detected_and_read_from_its_envelope() -> None:
    text = envelope(words(GOOD, DAY))
    assert formats.detect(BytesIO(text.encode())) == "bbc-kaldi"
    transcript = read(text, "bbc-kaldi")
    assert transcript[0].words == ("good", "day")
    assert said(transcript) == []


def test_words_go_to_the_turns_of_their_speakers_that_their_middles_lie_in() -> None:
    late = '{"word": "night", "start": 3, "end": 3.5, "punct": "night"}'
    turns = ", ".join([turn(0, 0.7, "S0"), turn(0.7, 1, "S1"), turn(4, 1, "S0")])
    body = words(GOOD, DAY, late).replace("good day", "good day night")
    text = envelope(body[:-1] + ', "segmentation": {"speakers": [], "segments": [' + turns + "]}}")
    transcript = read(text, "bbc-kaldi")
    assert [(s.words, s.speaker, s.start, s.end) for s in transcript] == [
        (("good",), "S0", 0.5, 0.75),
        (("day", "night"), "S1", 0.75, 3.5),
    ]
    assert transcript[0].get("gender") == "F"
    assert said(transcript) == [("note: " + message_text(BBC_TURN, count=1) + " [BBC-TURN]")]


def test_a_failed_job_and_a_file_without_words_are_errors_but_an_empty_list_is_silence() -> None:
    failed = '{"action": "audio-transcribe", "retval": {"status": false}}'
    assert refusal(failed, "bbc-kaldi").endswith(
        "$.retval.status: expected a transcript, found a job that failed: status false"
    )
    assert refusal('{"text": "good day"}', "bbc-kaldi").endswith(
        '$: expected a member "words" or "punct", found none'
    )
    assert read('{"text": "", "punct": "", "words": []}', "bbc-kaldi").segments == ()


def test_the_version_is_kept() -> None:
    text = '{"metadata": {"version": "0.0.9"}, "text": "a", "words": [{"word": "a", "start": 0, "end": 1}]}'
    transcript = read(text, "bbc-kaldi")
    assert transcript.properties == (("version", "0.0.9"),)
