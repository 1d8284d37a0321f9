"""IBM Watson: timestamps, confidences, speaker labels, wrappers."""

from typing import Any

from formats.json.messages import MASKED_WORDS, PARTIAL, WATSON_CONFIDENCE, WATSON_SPEAKER
from tests.formats.checks import remark_line
from tests.formats.json.answers import detected, diagnostics, read, refusal


def result(
    *words: tuple[str, float, float], final: bool | None = True, **more: Any
) -> dict[str, Any]:
    best = {"transcript": " ".join(w[0] for w in words) + " ", "confidence": 0.5,
            "timestamps": [list(w) for w in words]}  # fmt: skip
    said = {} if final is None else {"final": final}
    return {**said, "alternatives": [best], **more}


def answer(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"result_index": 0, "results": list(results), **more}


def label(start: float, end: float, speaker: int) -> dict[str, Any]:
    return {"from": start, "to": end, "speaker": speaker, "confidence": 0.5, "final": False}


def test_confidences_go_by_position_and_others_are_kept() -> None:
    one = result(("hello", 0.5, 0.75), ("%HESITATION", 0.75, 1), ("you", 1, 2))
    one["alternatives"][0]["word_confidence"] = [
        ["hello", 0.9],
        ["%HESITATION", 0.25],
        ["your", 0.75],
    ]
    one["alternatives"].append({"transcript": "yellow you ", "confidence": 0.25})
    transcript = read("watson", answer(one))
    (segment,) = transcript
    assert segment.words == ("hello", "%HESITATION", "you")
    assert (segment.confidences, segment.kinds) == ((0.9, 0.25, None), (None, "fp", None))
    assert (segment.start, segment.end, segment.confidence) == (0.5, 2.0, 0.5)
    assert segment.nbest == ((0.25, ("yellow", "you")),)
    assert diagnostics(transcript) == [remark_line(WATSON_CONFIDENCE, count=1)]


def test_later_speaker_labels_replace_earlier_ones() -> None:
    words = ("a", 0.0, 0.5), ("b", 0.5, 1.0), ("c", 1.0, 1.5)
    values = [
        answer(result(*words), speaker_labels=[label(0, 0.5, 0), label(0.5, 1, 0)]),
        {"speaker_labels": [label(0.5, 1, 1)]},
    ]
    for given in (values, [values]):
        transcript = read("watson", *given)
        assert [(s.words, s.speaker, s.start, s.end) for s in transcript] == [
            (("a",), "0", 0.0, 0.5),
            (("b",), "1", 0.5, 1.0),
            (("c",), None, 1.0, 1.5),
        ]
        assert diagnostics(transcript) == [remark_line(WATSON_SPEAKER, count=1)]
        assert detected(*given) == "watson"


def test_word_alternatives_are_a_property() -> None:
    places = [
        {"start_time": 0.5, "end_time": 1, "alternatives": [{"word": "a", "confidence": 0.75},
                                                             {"word": "eh", "confidence": 0.25}]},
        {"start_time": 1, "end_time": 2, "alternatives": [{"word": "b", "confidence": 1.0}]},
        {"start_time": 2, "end_time": 3, "alternatives": [{"word": "c"}, {"word": "sea"}]},
    ]  # fmt: skip
    (segment,) = read(
        "watson", answer(result(("a", 0.5, 1)), word_alternatives=[]), tolerance="default"
    )
    assert segment.get("word_alternatives") is None
    (segment,) = read("watson", answer({**result(("a", 0.5, 1)), "word_alternatives": places}))
    assert segment.get("word_alternatives") == "0.500 a 0.75 / eh 0.25; 2.000 c - / sea -"


def test_without_timestamps_there_is_only_text() -> None:
    value = answer(
        {"final": True, "alternatives": [{"transcript": "hello you ", "confidence": 0.5}]}
    )
    (segment,) = read("watson", value)
    assert (segment.words, segment.starts, segment.start) == (("hello", "you"), None, None)
    assert detected(value) == "watson"


def test_results_that_are_not_final_are_passed_over() -> None:
    values = [
        {"state": "listening"},
        answer(result(("he", 0, 1), final=False)),
        answer(result(("a", 0, 1))),
    ]
    transcript = read("watson", *values)
    assert [s.words for s in transcript] == [("a",)]
    assert diagnostics(transcript) == [remark_line(PARTIAL, count=1)]
    assert refusal("watson", values[1]) == (
        "<stream>: expected final results, found only results that are not final: 1"
    )


def test_the_answer_about_a_job_holds_answers() -> None:
    value = {
        "id": "j",
        "status": "completed",
        "created": "x",
        "results": [answer(result(("a", 0, 1)))],
    }
    assert read("watson", value)[0].words == ("a",)
    assert detected(value) == "watson"


def test_redacted_digits_are_counted() -> None:
    transcript = read("watson", answer(result(("XXX-XX", 0, 1), ("f***", 1, 2))))
    assert diagnostics(transcript) == [remark_line(MASKED_WORDS, count=2, word="XXX-XX")]
