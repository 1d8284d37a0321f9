"""Speechmatics: punctuation on all sides, entities, sentences, real-time messages."""

from typing import Any

import pytest

from formats.json.messages import PARTIAL, SPEECHMATICS_OTHERS, WORD_TIMES
from tests.each_case import each_case
from tests.formats.checks import remark_line
from tests.formats.json.answers import detected, diagnostics, read, refusal, shown
from tests.tables import table_of


def word(text: str, start: float, speaker: str = "S1", **more: Any) -> dict[str, Any]:
    best = {"content": text, "confidence": 0.5, "language": "en", "speaker": speaker}
    return {
        "type": "word",
        "start_time": start,
        "end_time": start + 0.5,
        "alternatives": [best],
        **more,
    }


def mark(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "punctuation", "alternatives": [{"content": text}], **more}


def answer(*results: dict[str, Any], delimiter: str = " ", **more: Any) -> dict[str, Any]:
    pack = {"word_delimiter": delimiter}
    metadata = {"language_pack_info": pack, "transcription_config": {"language": "en"}}
    return {"format": "2.9", "metadata": metadata, "results": list(results), **more}


@each_case(
    ("side", "forms"),
    [("previous", ["a-", "b"]), ("next", ["a", "-b"]), ("both", ["a-b", ""]), ("none", ["a -", "b"]),
     (None, ["a-", "b"])],
)  # fmt: skip
def test_marks_go_to_the_side_they_attach_to(side: str | None, forms: list[str]) -> None:
    dash = mark("-", **({"attaches_to": side} if side else {}))
    (segment,) = read("speechmatics", answer(word("a", 0), dash, word("b", 0.5)))
    assert (segment.words, shown(segment)) == (("a", "b"), forms)


def test_sentences_and_speakers_cut_segments() -> None:
    results = [word("a", 0), mark(".", is_eos=True), word("b", 1), word("c", 2, "S2"), word("d", 3, "UU"),
               {"type": "speaker_change", "score": 0.8}, word("e", 4, "UU")]  # fmt: skip
    transcript = read("speechmatics", answer(*results, job={"id": "j", "duration": 9}))
    assert [(shown(s), s.speaker, s.start, s.end) for s in transcript] == [
        (["a."], "S1", 0.0, 0.5),
        (["b"], "S1", 1.0, 1.5),
        (["c"], "S2", 2.0, 2.5),
        (["d"], None, 3.0, 3.5),
        (["e"], None, 4.0, 4.5),
    ]
    assert transcript.properties == (("duration", "9.000"), ("language", "en"))
    assert transcript.diagnostics == ()


def test_channels_flow_side_by_side() -> None:
    results = [word("a", 0, channel="one"), word("x", 0, channel="two"), word("b", 0.5, channel="one"),
               {"type": "channel_change", "channel": "two"}, mark("!", channel="one", is_eos=True)]  # fmt: skip
    transcript = read("speechmatics", answer(*results))
    assert [(shown(s), s.channel) for s in transcript] == [(["x"], "two"), (["a", "b!"], "one")]


def test_entities_are_spoken_words_shown_as_written() -> None:
    entity = {
        "type": "entity", "entity_class": "date", "start_time": 1.0, "end_time": 3.0,
        "spoken_form": [word("may", 1.0), word("twenty", 1.5), word("two", 2.0), word("thousand", 2.5)],
        "written_form": [word("May", 1.0), word("22000", 1.5)],
        "alternatives": [{"content": "May 22000", "speaker": "S1"}],
    }  # fmt: skip
    (segment,) = read("speechmatics", answer(word("in", 0.5), entity, mark(".", is_eos=True)))
    assert segment.words == ("in", "may", "twenty", "two", "thousand")
    assert shown(segment) == ["in", "May", "22000.", "", ""]
    assert segment.get("entity") == "date"


def test_an_entity_without_spoken_form_is_its_word() -> None:
    entity = {**word("22 May", 1.0), "type": "entity", "entity_class": "date"}
    (segment,) = read("speechmatics", answer(entity))
    assert segment.words == ("22", "May")
    assert segment.interpolated == (True, True)


def test_disfluencies_are_filled_pauses_and_other_hypotheses_counted() -> None:
    um = word("um", 0)
    um["alternatives"][0]["tags"] = ["disfluency"]
    um["alternatives"].append({"content": "uhm"})
    transcript = read("speechmatics", answer(um, word("yes", 1)))
    assert transcript[0].kinds == ("fp", None)
    assert diagnostics(transcript) == [remark_line(SPEECHMATICS_OTHERS, count=1)]


def test_the_delimiter_of_languages_without_blanks_is_a_property() -> None:
    transcript = read("speechmatics", answer(word("漢", 0), delimiter=""))
    assert dict(transcript.properties)["word_delimiter"] == ""


def test_marks_may_lack_times_and_words_get_theirs_from_neighbours() -> None:
    lost = word("b", 0)
    del lost["start_time"], lost["end_time"]
    transcript = read("speechmatics", answer(word("a", 0), lost, word("c", 1)))
    assert transcript[0].starts == (0.0, 0.5, 1.0)
    assert diagnostics(transcript) == [remark_line(WORD_TIMES, count=1)]


def test_real_time_messages_go_on_across_their_borders() -> None:
    values = [
        {"message": "RecognitionStarted", "id": "x", "language_pack_info": {"word_delimiter": " "}},
        {"message": "AudioAdded", "seq_no": 1},
        {"message": "AddPartialTranscript", "results": [word("he", 0)]},
        {"message": "AddTranscript", "format": "2.9", "metadata": {"transcript": "a"}, "results": [word("a", 0)]},
        {"message": "AddTranscript", "format": "2.9", "results": [word("b", 0.5), mark(".", is_eos=True)]},
        {"message": "EndOfTranscript"},
    ]  # fmt: skip
    for given in (values, [values]):
        transcript = read("speechmatics", *given)
        assert [(shown(s), s.start, s.end) for s in transcript] == [(["a", "b."], 0.0, 1.0)]
        assert diagnostics(transcript) == [remark_line(PARTIAL, count=1)]
        assert detected(*given) == "speechmatics"
    assert refusal("speechmatics", *values[:3]) == (
        "<stream>: expected final results, found only results that are not final: 1"
    )


@pytest.mark.parametrize(
    "value", table_of(__file__, "an_empty_list_of_results_is_silence_and_no_error")
)
def test_an_empty_list_of_results_is_silence_and_no_error(value: Any) -> None:
    transcript = read("speechmatics", value)
    assert (transcript.segments, transcript.diagnostics) == ((), ())


def first_version(*words: tuple[str, str, str]) -> dict[str, Any]:
    speakers = [("F1", "0.50"), ("UU", "3.00"), ("M2", "5.00")]
    return {
        "job": {"lang": "en", "user_id": 1, "name": "a.mp4", "duration": 7, "id": 2},
        "speakers": [
            {"duration": "2.0", "confidence": None, "name": n, "time": t} for n, t in speakers
        ],
        "words": [
            {"duration": d, "confidence": "0.750", "name": n, "time": t} for n, t, d in words
        ],
        "format": "1.0",
    }


def test_the_first_version_is_read_with_its_marks_and_speakers() -> None:
    value = first_version(
        ("Good", "0.50", "0.25"), ("day", "0.75", "0.5"), (".", "1.25", "0.1"), ("Oh", "2.9", "0.2"),
        ("well", "3.2", "0.2"), ("yes", "5", "1"), ("?", "6", "0"),
    )  # fmt: skip
    assert detected(value) == "speechmatics"
    transcript = read("speechmatics", value)
    assert [(shown(s), s.speaker, s.start, s.end) for s in transcript] == [
        (["Good", "day."], "F1", 0.5, 1.25),
        (["Oh"], "F1", 2.9, 3.1),
        (["well"], None, 3.2, 3.4),
        (["yes?"], "M2", 5.0, 6.0),
    ]
    assert transcript[0].confidences == (0.75, 0.75)
    assert transcript.properties == (("duration", "7.000"), ("language", "en"))
    assert diagnostics(transcript) == []


def test_a_word_of_the_first_version_without_time_is_an_error() -> None:
    value = first_version(("Good", "0.50", "0.25"))
    del value["words"][0]["time"]
    assert refusal("speechmatics", value).endswith(
        '$.words[0]: expected a member "time", found none'
    )
