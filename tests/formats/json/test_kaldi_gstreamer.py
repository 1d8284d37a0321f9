"""Oddities of kaldi-gstreamer-server and of WeNet."""

import json
from io import BytesIO

import pytest

import formats
from formats.json.messages import (
    GST_MESSAGE,
    GST_NAMED_MESSAGE,
    GST_START,
    GST_STATUS,
    PARTIAL,
    UNIT_LIKELY,
)
from tests.each_case import each_case
from tests.formats.checks import message_text, remark_line
from tests.formats.json.reading import read, refusal, said
from tests.tables import table_of


def message(transcript: str, **more: object) -> dict[str, object]:
    result = {"hypotheses": [{"transcript": transcript}], "final": True}
    return {"status": 0, "result": result, **more}


def stream(*messages: object) -> str:
    return "\n".join(map(json.dumps, messages))


def test_word_times_count_from_the_start_of_their_segment() -> None:
    answer = {
        "status": 0, "id": "c7", "segment": 3, "segment-start": 10.5, "segment-length": 2,
        "total-length": 12.5,
        "result": {"final": True, "hypotheses": [
            {"transcript": "Good day.", "confidence": 0.75, "likelihood": 101.5, "word-alignment": [
                {"word": "good", "start": 0.25, "length": 0.25, "confidence": 0.5},
                {"word": "day", "start": 0.5, "length": 0.5, "confidence": 1}]},
            {"transcript": "good bay. ", "confidence": 0.25},
            {"transcript": "would day.", "likelihood": 99.5}]},
    }  # fmt: skip
    transcript = read(stream(answer), "kaldi-gstreamer")
    segment = transcript[0]
    assert (segment.start, segment.end) == (10.5, 12.5)
    assert (segment.starts, segment.ends) == ((10.75, 11.0), (11.0, 11.5))
    assert (segment.words, segment.displays) == (("good", "day"), ("Good", "day."))
    assert (segment.confidence, segment.confidences) == (0.75, (0.5, 1.0))
    assert segment.properties == (("likelihood", "101.5"), ("segment", "3"))
    assert segment.nbest == ((0.25, ("good", "bay")), (99.5, ("would", "day")))
    assert transcript.properties == (("id", "c7"),)
    assert said(transcript) == []


@each_case(
    ("transcript", "words", "displays"), table_of(__file__, "the_servers_full_stop_is_no_word")
)
def test_the_servers_full_stop_is_no_word(
    transcript: str, words: tuple[str, ...] | None, displays: tuple[str | None, ...] | None
) -> None:
    found = [(s.words, s.displays) for s in read(stream(message(transcript)), "kaldi-gstreamer")]
    assert found == ([] if words is None else [(words, displays)])


def test_the_original_transcript_is_what_was_said() -> None:
    answer = message("twenty")
    answer["result"] = {
        "final": True,
        "hypotheses": [{"transcript": "Good day.", "original-transcript": "good day"}],
    }
    segment = read(stream(answer), "kaldi-gstreamer")[0]
    assert (segment.words, segment.displays) == (("good", "day"), ("Good", "day."))


def test_what_is_not_final_or_not_a_result_is_passed_over() -> None:
    partial = message("go")
    partial["result"] = {"final": False, "hypotheses": [{"transcript": "go"}]}
    transcript = read(
        stream(partial, {"status": 0, "adaptation_state": {"id": "x"}}, message("go on")),
        "kaldi-gstreamer",
    )
    assert [(s.words, s.line) for s in transcript] == [(("go", "on"), 3)]
    assert said(transcript) == [("note: " + message_text(PARTIAL, count=1) + " [PARTIAL]")]


def test_a_file_of_results_that_are_not_final_is_an_error_and_no_empty_transcript() -> None:
    partial = message("go")
    partial["result"] = {"final": False, "hypotheses": [{"transcript": "go"}]}
    told = "expected final results, found only results that are not final: 1"
    assert refusal(stream(partial), "kaldi-gstreamer") == f"<stream>: {told}"
    assert said(read(stream(partial), "kaldi-gstreamer", "lenient"))[0] == (
        f"error: record skipped: {told} [PARTIAL-ONLY]"
    )


@pytest.mark.parametrize(
    ("answer", "meaning", "told"),
    [
        ({"status": 2, "message": "gone"}, "aborted", 'status 2 (aborted): "gone"'),
        (
            {"status": 9, "message": "No decoder"},
            "not available",
            'status 9 (not available): "No decoder"',
        ),
        ({"status": 5}, "unknown", "status 5 (unknown)"),
    ],
)
def test_the_servers_troubles_are_warned_of(
    answer: dict[str, object], meaning: str, told: str
) -> None:
    fields = {"status": answer["status"], "meaning": meaning}
    if "message" in answer:
        warning = remark_line(GST_MESSAGE, 1, file=None, text=answer["message"], **fields)
    else:
        warning = remark_line(GST_STATUS, 1, file=None, **fields)
    assert said(read(stream(answer, message("go on")), "kaldi-gstreamer")) == [warning]
    assert refusal(stream(answer), "kaldi-gstreamer") == (
        f"<stream>:1:12: $.status: expected a result, found {told}"
    )


def test_the_server_says_by_its_status_that_there_is_no_speech() -> None:
    transcript = read(stream({"status": 1}), "kaldi-gstreamer")
    assert transcript.segments == ()
    assert said(transcript) == [
        ("1: warning: " + message_text(GST_STATUS, status=1, meaning="no speech") + " [GST-STATUS]")
    ]


def test_an_answer_over_http_is_read_and_the_servers_full_stops_are_no_words() -> None:
    answer = stream({"status": 0, "id": "c7", "hypotheses": [
        {"utterance": "good day. at ten a.m. [noise]. ."}, {"utterance": "would day."}]})  # fmt: skip
    assert formats.detect(BytesIO(answer.encode())) == "kaldi-gstreamer"
    transcript = read(answer, "kaldi-gstreamer")
    (segment,) = transcript
    assert segment.words == ("good", "day", "at", "ten", "a.m.", "[noise]")
    assert segment.displays == (None, "day.", None, None, None, "[noise]..")
    assert segment.nbest == ((None, ("would", "day")),)
    assert (segment.start, transcript.properties) == (None, (("id", "c7"),))


@pytest.mark.parametrize("hypotheses", [[], [{"utterance": ""}]])
def test_an_answer_over_http_without_words_is_silence(hypotheses: list[object]) -> None:
    assert read(stream({"status": 0, "hypotheses": hypotheses}), "kaldi-gstreamer").segments == ()


def test_words_of_a_segment_without_start_have_no_times() -> None:
    answer = message("good")
    answer["result"] = {"hypotheses": [
        {"transcript": "good", "word-alignment": [{"word": "good", "start": 1, "length": 1}]}
    ]}  # fmt: skip
    transcript = read(stream(answer), "kaldi-gstreamer")
    assert (transcript[0].words, transcript[0].starts) == (("good",), None)
    assert said(transcript) == [("1: warning: " + message_text(GST_START) + " [GST-START]")]


def test_times_in_a_wrong_unit_are_warned_of() -> None:
    answer = message("good", **{
        "segment-start": 500, "segment-length": 900, "total-length": 1.5,
    })  # fmt: skip
    assert said(read(stream(answer), "kaldi-gstreamer")) == [
        (
            "warning: "
            + message_text(UNIT_LIKELY[1000], end="1400.000", duration="1.500")
            + " [UNIT?]"
        )
    ]


def test_a_bad_message_is_an_error_or_skipped() -> None:
    bad = message("a", **{"segment-start": -1})
    told = "$[1].segment-start: expected a time of 0 or more, found -1"
    text = stream(message("good"), bad)
    assert refusal(text, "kaldi-gstreamer").endswith(told)
    transcript = read(text, "kaldi-gstreamer", "lenient")
    assert len(transcript) == 1
    assert told in said(transcript)[0]


def wenet(sentence: str, *pieces: tuple[str, int, int], key: str = "word_pieces") -> str:
    best: dict[str, object] = {"sentence": sentence}
    if pieces:
        best[key] = [{"word": w, "start": s, "end": e} for w, s, e in pieces]
    nbest = json.dumps([best, {"sentence": "other"}])
    return stream(
        {"status": "ok", "type": "server_ready"},
        {"status": "ok", "type": "partial_result", "nbest": '[{"sentence": "go"}]'},
        {"status": "ok", "type": "final_result", "nbest": nbest},
        {"status": "ok", "type": "speech_end"},
    )


@each_case(
    ("text", "words", "starts"),
    [
        (
            wenet("good day", ("▁go", 500, 600), ("od", 600, 750), ("▁day", 750, 1000)),
            ("good", "day"), (0.5, 0.75),
        ),
        (
            wenet("good day", ("go", 500, 600), ("od", 600, 750), ("day", 750, 1000)),
            ("good", "day"), (0.5, 0.75),
        ),
        (wenet("你好", ("你", 500, 600), ("好", 600, 750)), ("你", "好"), (0.5, 0.6)),
        (wenet("good day", ("good", 500, 600), ("bay", 600, 750)), ("good", "day"), None),
        (wenet("good day", ("good", 500, 600)), ("good", "day"), None),
        (wenet(" good day "), ("good", "day"), None),
        (
            wenet("good day", ("good", 500, 600), ("day", 600, 750), key="word-alignment"),
            ("good", "day"), (0.5, 0.6),
        ),
    ],
)  # fmt: skip
def test_wenet_is_read(text: str, words: tuple[str, ...], starts: tuple[float, ...] | None) -> None:
    assert formats.detect(BytesIO(text.encode())) == "kaldi-gstreamer"
    transcript = read(text, "kaldi-gstreamer")
    assert [(s.words, s.starts, s.line) for s in transcript] == [(words, starts, 3)]
    assert transcript[0].nbest == ((None, ("other",)),)
    assert said(transcript) == [("note: " + message_text(PARTIAL, count=1) + " [PARTIAL]")]
    if starts:
        assert transcript[0].start == 0.5


def test_wenet_may_write_its_list_as_json() -> None:
    answer = {"status": "ok", "type": "final_result", "nbest": [{"sentence": "good"}]}
    assert read(stream(answer), "kaldi-gstreamer")[0].words == ("good",)


def test_wenets_troubles_are_told() -> None:
    answer = {"status": "failed", "message": "no model"}
    text = stream({"status": "ok", "type": "server_ready"}, {**answer, "type": "x"})
    assert refusal(text, "kaldi-gstreamer").endswith(
        '$[1].status: expected a result, found status "failed": "no model"'
    )
    assert said(read(text + wenet("good day"), "kaldi-gstreamer"))[0] == (
        "2: warning: "
        + message_text(GST_NAMED_MESSAGE, status="failed", text="no model")
        + " [GST-STATUS]"
    )
    silence = stream(
        {"status": "ok", "type": "server_ready"}, {"status": "ok", "type": "speech_end"}
    )
    assert read(silence, "kaldi-gstreamer").segments == ()
    bad = stream({"status": "ok", "type": "final_result", "nbest": "[{"})
    assert refusal(bad, "kaldi-gstreamer") == (
        '<stream>:1:51: $.nbest: expected a text that is JSON, found "[{"'
    )
