"""Oddities of oTranscribe and of Label Studio."""

import json
from typing import Any

import pytest

from formats import LossError, Segment
from formats.json.messages import (
    LABEL_STUDIO_OTHERS,
    LABEL_STUDIO_PREDICTIONS,
    LABEL_STUDIO_TASKS,
    VIA_IMAGES,
)
from tests.formats.checks import message_text, written
from tests.formats.json.reading import read, refusal, said


def otr(*parts: str, **more: object) -> str:
    return json.dumps({"text": "".join(parts), "media": "a b.mp3", "media-time": "", **more})


def mark(time: str, shown: str = "0:00:01") -> str:
    return f'<span contenteditable="false" class="timestamp" data-timestamp="{time}">{shown}</span>'


def test_stretches_between_marks() -> None:
    text = otr(
        "intro<br>", mark("1.5"), "&nbsp;one <i>two</i>", mark("2"), "</p><p>", mark("3"), "x&lt;y"
    )
    transcript = read(text, "otranscribe")
    assert [(s.words, s.start, s.end) for s in transcript] == [
        (("intro",), None, None), (("one", "two"), 1.5, 2.0), (("x<y",), 3.0, None),
    ]  # fmt: skip
    assert transcript[0].recording == "a b"


def test_marks_of_old_files() -> None:
    text = otr(mark("0:12"), "a", mark("", "1:00:00"), "b", media="")
    assert [(s.recording, s.start) for s in read(text, "otranscribe")] == [
        ("rec", 12),
        ("rec", 3600),
    ]


def test_speakers_of_otranscribe() -> None:
    text = otr(mark("1"), "Ann: hi", mark("2"), "Bob: yes: no", mark("3"), "Ann: well")
    assert [(s.speaker, s.words) for s in read(text, "otranscribe")] == [
        ("Ann", ("hi",)), ("Bob", ("yes:", "no")), ("Ann", ("well",)),
    ]  # fmt: skip
    text = otr(mark("1"), "<b>x y</b>: hi", mark("2"), "Note: no", mark("3"), "<b>bold</b> word")
    assert [(s.speaker, s.words) for s in read(text, "otranscribe")] == [
        ("x y", ("hi",)), (None, ("Note:", "no")), (None, ("bold", "word")),
    ]  # fmt: skip


def test_marks_that_go_back_or_are_none() -> None:
    transcript = read(otr(mark("2"), "a", mark("1"), "b"), "otranscribe")
    assert [(s.start, s.end) for s in transcript] == [(2.0, None), (1.0, None)]
    assert [d.code for d in transcript.diagnostics] == ["OTR-ORDER"]
    for time in ("x", "-1", "1e"):
        assert "expected marks of time in seconds or as 0:12" in refusal(
            otr(mark(time), "a"), "otranscribe"
        )


def test_what_otranscribe_does_not_hold() -> None:
    one, other = Segment.of("rec", ["a"], start=1, end=3), Segment.of("rec", ["b"], start=2, end=4)
    text, losses = written("otranscribe", other, one)
    assert losses == ["order of segments: 2 (sorted by start)",
                      "segment times: 1 (each segment ends where the next segment begins)"]  # fmt: skip
    assert [s.words for s in read(text, "otranscribe")] == [("a",), ("b",)]
    for segment in (Segment.of("rec", ["a\xa0b"], start=0, end=1), one.replace(speaker=" a"),
                    one.replace(recording="a/b")):  # fmt: skip
        with pytest.raises(LossError):
            written("otranscribe", segment)


def region(name: str, start: float, text: object = None, *labels: str, **more: object) -> list[Any]:
    place = {"start": start, "end": start + 1, **more}
    made: list[Any] = []
    if labels:
        made.append(
            {
                "id": name,
                "from_name": "labels",
                "type": "labels",
                "value": {**place, "labels": labels},
            }
        )
    if text is not None:
        made.append(
            {"id": name, "from_name": "t", "type": "textarea", "value": {**place, "text": text}}
        )
    return made


def task(*results: Any, audio: str = "x/0a1b2c3d-talk.wav?token=1", **more: object) -> str:
    annotation = {"result": [one for group in results for one in group]}
    return json.dumps([{"id": 1, "data": {"audio": audio}, "annotations": [annotation], **more}])


def test_regions_are_sorted_and_put_together() -> None:
    text = task(region("b", 5, ["x"], "S2"), region("a", 1, ["one", "two"], "S1", channel=0))
    first, second = read(text, "label-studio")
    assert (first.words, first.speaker, first.channel, first.start) == (
        ("one", "two"),
        "S1",
        "0",
        1.0,
    )
    assert (second.words, second.recording) == (("x",), "talk")


def test_classes_are_no_speakers() -> None:
    choice = {"id": "a", "from_name": "dialect", "type": "choices",
              "value": {"start": 1, "end": 2, "choices": ["north"]}}  # fmt: skip
    text = task(region("a", 1, "hi", "Speaker 1", "loud"), region("b", 3, None, "Noise"), [choice])
    first, second = read(text, "label-studio")
    assert (first.speaker, first.properties) == (
        "Speaker 1",
        (("dialect", "north"), ("label", "loud")),
    )
    assert (second.kind, second.words) == ("event", ("Noise",))


def test_a_text_of_the_whole() -> None:
    whole = {"id": "z", "type": "textarea", "value": {"text": ["all of it"]}}
    relation = {"type": "relation", "from_id": "a", "to_id": "z"}
    [segment] = read(task([whole, relation]), "label-studio")
    assert (segment.words, segment.start) == (("all", "of", "it"), None)


def test_which_annotation_is_read() -> None:
    def said_by(word: str, **more: object) -> dict[str, object]:
        return {"result": region("a", 1, word), **more}

    annotations = [said_by("new", updated_at="2026-02"), said_by("old", updated_at="2026-01"),
                   said_by("gone", was_cancelled=True, updated_at="2026-03")]  # fmt: skip
    transcript = read(task(annotations=annotations), "label-studio")
    assert transcript[0].words == ("new",)
    assert said(transcript) == [
        ("note: " + message_text(LABEL_STUDIO_OTHERS, count=1) + " [LABEL-STUDIO-OTHERS]")
    ]
    annotations[1]["ground_truth"] = True
    assert read(task(annotations=annotations), "label-studio")[0].words == ("old",)
    guessed = task(annotations=[], predictions=[said_by("guess")])
    assert read(guessed, "label-studio")[0].words == ("guess",)
    both = f"[{guessed[1:-1]}, {task(annotations=annotations)[1:-1]}]"
    transcript = read(both, "label-studio")
    assert [segment.words for segment in transcript] == [("old",)]
    assert said(transcript)[0] == (
        "warning: "
        + message_text(LABEL_STUDIO_PREDICTIONS, count=1)
        + " [LABEL-STUDIO-PREDICTIONS]"
    )
    found = read(both, "label-studio", predictions=True)
    assert [segment.words for segment in found] == [("guess",), ("old",)]


def test_tasks_without_audio_and_short_ones() -> None:
    text = task(region("a", 1, "x")).replace('"audio"', '"image"').replace("talk.wav", "cat.png")
    assert "expected tasks with audio, found 1 without" in refusal(text, "label-studio")
    both = json.dumps([*json.loads(text), *json.loads(task(region("a", 1, "x")))])
    transcript = read(both, "label-studio")
    assert [segment.words for segment in transcript] == [("x",)]
    assert said(transcript) == [
        ("note: " + message_text(LABEL_STUDIO_TASKS, count=1) + " [LABEL-STUDIO-TASKS]")
    ]
    short = json.dumps([{"audio": "a.wav", "transcription": "x", "annotator": 1}])
    assert "found JSON-MIN: export it as JSON" in refusal(short, "label-studio")


@pytest.mark.parametrize("result", [[], "x", 1])
def test_a_result_that_is_no_object(result: object) -> None:
    text = task([result, *region("b", 2, "y")])
    assert "$[0].annotations[0].result[0]: expected an object" in refusal(text, "label-studio")
    assert [s.words for s in read(text, "label-studio", "lenient")] == [("y",)]


def test_a_region_that_ends_before_it_begins() -> None:
    text = task(region("a", 1, "x", end=0.5), region("b", 2, "y"))
    assert "expected an end not before its start 1" in refusal(text, "label-studio")
    assert [s.words for s in read(text, "label-studio", "lenient")] == [("y",)]


def test_regions_are_written_in_order() -> None:
    segments = [Segment.of("b", ["x"], start=2, end=3), Segment.of("a", ["y"], start=1, end=2),
                Segment.of("b", ["z"], start=0, end=1)]  # fmt: skip
    text, losses = written("label-studio", *segments, as_annotations=True)
    assert losses == ["order of segments: 3 (sorted by recording and start)"]
    assert [(s.recording, s.words) for s in read(text, "label-studio")] == [
        ("b", ("z",)), ("b", ("x",)), ("a", ("y",)),
    ]  # fmt: skip
    for name in ("0123abcd-x", "?", "a?b", "folder/a"):
        with pytest.raises(LossError, match="without folders, queries and marks of uploading"):
            written("label-studio", segments[0].replace(recording=name))


def via(*entries: tuple[list[float], dict[str, str]], **more: object) -> str:
    attributes = {"1": {"aname": "loud", "type": 3, "options": {"0": "yes", "1": "very"}},
                  "2": {"aname": "text", "type": 1}, "3": {"aname": "Speaker", "type": 1}}  # fmt: skip
    metadata = {f"1_{n}": {"vid": "1", "z": z, "av": av} for n, (z, av) in enumerate(entries)}
    files = {"7": {"fname": "talks/one.mp4"}}
    base = {"attribute": attributes, "file": files, "view": {"1": {"fid_list": [7]}}}
    return json.dumps({**base, "metadata": metadata, **more})


def test_records_of_via() -> None:
    text = via(
        ([3, 4], {"2": "later"}),
        ([1, 2], {"1": "0,1", "2": "hello there", "3": "anne", "9": "gone"}),
        ([5], {"2": "click"}), ([6, 7], {"1": "1"}), ([], {"2": "box"}),
    )  # fmt: skip
    transcript = read(text, "via")
    assert [(s.kind, s.words, s.speaker, s.start, s.end) for s in transcript] == [
        ("segment", ("hello", "there"), "anne", 1, 2),
        ("segment", ("later",), None, 3, 4),
        ("event", ("click",), None, 5, 5),
        ("event", ("very",), None, 6, 7),
    ]
    assert (transcript[0].recording, transcript[0].get("loud")) == ("one", "yes,very")
    assert said(transcript) == [("note: " + message_text(VIA_IMAGES, count=1) + " [VIA-IMAGES]")]


def test_bad_records_of_via() -> None:
    assert "expected an end not before its begin" in refusal(via(([2, 1], {})), "via")
    text = via(([1, 2], {"2": "a"})).replace('"vid": "1"', '"vid": "8"')
    assert "expected a view with a file" in refusal(text, "via")
    assert len(read(text, "via", "lenient")) == 0
