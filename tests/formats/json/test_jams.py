"""Oddities of JAMS: columns, sections, other namespaces."""

import json
from typing import Any

from formats.json.messages import NAMESPACE
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said


def jams(*annotations: tuple[str, Any]) -> str:
    """A document with these namespaces and their data."""
    return json.dumps({"annotations": [{"namespace": n, "data": data} for n, data in annotations]})


def seen(value: object, time: object = 0.5, **others: object) -> dict[str, object]:
    return {"time": time, "duration": 1.5, "value": value, "confidence": None, **others}


def test_lyrics_in_columns_are_read_as_those_in_rows() -> None:
    rows = [seen("row your\nboat", confidence=0.5), seen("merrily", 3)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    first, second = read(jams(("lyrics", rows)), "jams")
    assert (first.words, first.start, first.end) == (("row", "your", "boat"), 0.5, 2.0)
    assert (first.confidence, second.confidence, first.tier) == (0.5, None, None)
    assert read(jams(("lyrics", columns)), "jams").segments == (first, second)


def test_sections_are_events_and_several_annotations_are_tiers() -> None:
    document = jams(
        ("lyrics", [seen("hello you")]),
        ("beat", []),
        ("segment_salami_function", [seen("verse one")]),
        ("multi_segment", [seen({"label": "A", "level": 1})]),
        ("lyrics", [seen("hello")]),
    )
    transcript = read(document, "jams")
    assert [(s.kind, s.tier, s.words, s.properties) for s in transcript] == [
        ("segment", "lyrics", ("hello", "you"), ()),
        ("event", "segment_salami_function", ("verse one",), ()),
        ("event", "multi_segment", ("A",), (("level", "1"),)),
        ("segment", "lyrics-2", ("hello",), ()),
    ]
    assert said(transcript) == [
        ("note: " + message_text(NAMESPACE, name="beat", annotations=1) + " [NAMESPACE]")
    ]


@each_case(
    ("document", "message"),
    [
        (jams(("beat", []), ("chord", []), ("beat", [])), "$.annotations: expected annotations of lyrics or segments, found beat, chord"),
        (jams(("lyrics", [seen(["row", 3])])), "$.annotations[0].data[0].value: expected a text, found a list"),
        (jams(("lyrics", [{"value": "a", "duration": 1}])), '$.annotations[0].data[0]: expected a member "time", found none'),
        (jams(("lyrics", [seen("a", -1)])), "$.annotations[0].data[0].time: expected a time of 0 or more, found -1"),
        (jams(("lyrics", {"time": [1], "duration": [], "value": ["a"]})), "$.annotations[0].data: expected lists of the same length, found an object"),
        ("{}", '$: expected a member "annotations", found none'),
    ],
)  # fmt: skip
def test_what_holds_no_lyrics_is_an_error_with_its_path(document: str, message: str) -> None:
    assert refusal(document, "jams").endswith(message)


def test_empty_lyrics_are_an_empty_transcript() -> None:
    assert len(read(jams(("lyrics", [])), "jams")) == 0


def test_what_is_known_of_an_annotation_is_no_speaker() -> None:
    about = {"corpus": "Songs", "annotation_rules": "", "annotation_tools": "Pen", "curator": {}}
    sections = [
        {"namespace": "segment_open", "data": [seen("verse")], "annotation_metadata": about}
        for _ in range(3)
    ]
    transcript = read(json.dumps({"annotations": sections}), "jams")
    assert [d.code for d in transcript.diagnostics] == []
