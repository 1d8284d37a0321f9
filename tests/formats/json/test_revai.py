"""Rev.ai: elements, streams; Gecko's terms."""

import json
from io import BytesIO
from typing import Any

import formats
from formats.json.messages import PARTIAL, REVAI_TAG, WORD_TIMES, WORD_UNTIMED
from tests.formats.checks import remark_line
from tests.formats.json.answers import detected, diagnostics, read, refusal, shown


def text(
    value: str, ts: float | None = None, end: float | None = None, **more: Any
) -> dict[str, Any]:
    times = {} if ts is None else {"ts": ts, "end_ts": end, "confidence": 0.5}
    return {"type": "text", "value": value, **times, **more}


def punct(value: str) -> dict[str, Any]:
    return {"type": "punct", "value": value}


def answer(*elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"monologues": [{"speaker": 0, "elements": list(elements), **more}]}


def test_monologues_are_segments_of_one_speaker() -> None:
    value = answer(text("Hello", 0.5, 0.75), punct(","), punct(" "), text("you", 0.75, 1), punct(". "),
                   speaker_info={"id": "x", "display_name": "Anne"})  # fmt: skip
    (segment,) = read("revai", value)
    assert (segment.words, shown(segment)) == (("Hello", "you"), ["Hello,", "you."])
    assert (segment.speaker, segment.get("speaker_name")) == ("0", "Anne")
    assert (segment.start, segment.end, segment.confidences) == (0.5, 1.0, (0.5, 0.5))


def test_marks_touch_the_word_without_a_blank_between() -> None:
    elements = [punct("("), text("a", 0, 1), punct(")"), punct(" "), punct('"'), text("b", 1, 2), punct('"'),
                punct(" "), punct("–"), punct(" "), text("c", 2, 3)]  # fmt: skip
    (segment,) = read("revai", answer(*elements))
    assert shown(segment) == ["(a)", '"b"–', "c"]


def test_unknown_elements_are_words_of_that_kind() -> None:
    value = answer(
        text("a", 0, 1), {"type": "unknown", "value": "<inaudible>", "ts": 1, "end_ts": 2}
    )
    (segment,) = read("revai", value)
    assert segment.words == ("a", "<inaudible>")
    assert segment.kinds == (None, "unknown")


def test_transcripts_made_by_people_have_no_times() -> None:
    (segment,) = read("revai", answer(text("a"), punct(" "), text("b"), punct(".")))
    assert (shown(segment), segment.starts, segment.start) == (["a", "b."], None, None)


def test_some_missing_times_are_placed_between_their_neighbours() -> None:
    transcript = read("revai", answer(text("a", 0, 1), text("b"), text("c", 2, 3), text("d")))
    assert transcript[0].starts == (0.0, 1.0, 2.0, None)
    assert diagnostics(transcript) == [
        remark_line(WORD_TIMES, count=1),
        remark_line(WORD_UNTIMED, count=1),
    ]


def test_gecko_has_terms_and_speakers_with_names() -> None:
    value = {
        "schemaVersion": "2.0",
        "monologues": [
            {"speaker": {"id": "s1", "name": "Anne"}, "start": 0.25, "end": 2, "terms": [
                {"start": 0.5, "end": 1, "text": "Hello", "type": "WORD"},
                {"start": 1, "end": 1, "text": ".", "type": "PUNCTUATION"}]},
            {"speaker": {"id": "s2", "name": None}, "terms": [
                {"start": 2, "end": 3, "text": "Bye"}, {"text": "laugh", "type": "TAG"}]},
            {"speaker": {}, "start": 4, "end": 5, "terms": []}],
    }  # fmt: skip
    transcript = read("revai", value)
    assert [(shown(s), s.speaker, s.start, s.end) for s in transcript] == [
        (["Hello."], "Anne", 0.25, 2.0),
        (["Bye"], "s2", 2.0, 3.0),
        ([], None, 4.0, 5.0),
    ]
    assert detected(value) == "revai"


def test_messages_of_a_stream_give_their_final_results() -> None:
    values = [
        {"type": "connected", "id": "x"},
        {"type": "partial", "ts": 0, "end_ts": 1, "elements": [{"type": "text", "value": "he"}]},
        {"type": "final", "ts": 0.25, "end_ts": 2, "speaker_id": 1,
         "elements": [text("Hello", 0.5, 1), punct(".")]},
    ]  # fmt: skip
    transcript = read("revai", *values)
    assert [(shown(s), s.speaker, s.start, s.end) for s in transcript] == [
        (["Hello."], "1", 0.25, 2.0)
    ]
    assert diagnostics(transcript) == [remark_line(PARTIAL, count=1)]
    assert {detected(v) for v in values} == {"revai"}
    assert refusal("revai", *values[:2]) == (
        "<stream>: expected final results, found only results that are not final: 1"
    )


def test_old_files_of_gecko_have_texts_without_terms() -> None:
    monologues = [
        {"speaker": {"id": "a+b", "color": "red"}, "start": 0.5, "end": 2, "text": "hello there"},
        {"speaker": {"id": "<NA>"}, "start": 2, "end": 3, "text": "<NA>"},
        {"speaker": {"id": ""}, "terms": [{"start": 3, "end": 4, "text": "x", "confidence": -1}]},
    ]
    text = json.dumps({"monologues": monologues})
    transcript = formats.read(BytesIO(text.encode()), "revai")
    assert [(s.speaker, s.words, s.start) for s in transcript] == [
        ("a+b", ("hello", "there"), 0.5), (None, (), 2.0), (None, ("x",), 3.0),
    ]  # fmt: skip
    assert transcript[2].confidences is None
    assert formats.detect(BytesIO(text.encode())) == "revai"


def test_transcripts_by_people_have_tags_and_clock_times() -> None:
    stamps: dict[str, Any] = {"timestamp": "00:01:02,250", "end_timestamp": "00:01:02,500"}
    value = answer(
        text("It is"), {"type": "tag", "value": "laugh", "timestamp": "00:00:59,000"}, text(" "),
        text("so", **stamps), punct("."),
    )  # fmt: skip
    (segment,) = transcript = read("revai", value)
    assert (shown(segment), segment.starts) == (["It", "is", "so."], (None, None, 62.25))
    assert (segment.start, segment.end) == (62.25, 62.5)
    assert diagnostics(transcript) == [
        remark_line(REVAI_TAG, count=1),
        remark_line(WORD_UNTIMED, count=2),
    ]
    assert "expected a time as hours:minutes:seconds,milliseconds" in refusal(
        "revai", answer(text("so", timestamp="soon"))
    )
    assert "expected an end not before its timestamp" in refusal(
        "revai", answer(text("so", **{**stamps, "end_timestamp": "00:00:01,000"}))
    )
