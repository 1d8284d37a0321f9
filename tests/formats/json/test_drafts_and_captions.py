"""CapCut's drafts and 3Play Media's transcripts: what is a word, what is its time."""

import json
from typing import Any

import pytest

from formats import SyntaxFormatError
from tests.each_case import each_case
from tests.formats.conftest import ReadText


def draft(text: dict[str, Any], *kinds: str) -> str:
    """A draft with tracks of these kinds, each with the same text from 1 s to 3 s."""
    part = {"material_id": "t", "target_timerange": {"start": 1_000_000, "duration": 2_000_000}}
    tracks = [{"type": kind, "segments": [part]} for kind in kinds or ("text",)]
    return json.dumps(
        {"materials": {"texts": [{"id": "t", **text}], "videos": []}, "tracks": tracks}
    )


@pytest.mark.parametrize(
    "text",
    [
        {"content": '{"text": "so it\\nwas", "styles": []}'},
        {"content": "<font id=''><size=5>[so it\nwas]</size></font>"},
        {"content": '{"text": ""}', "recognize_text": "so it was"},
        {"content": "", "recognize_text": "so it was"},
    ],
)
def test_texts_of_a_draft(read_text: ReadText, text: dict[str, Any]) -> None:
    (segment,) = read_text(draft(text), "capcut")
    assert (segment.start, segment.end, segment.words) == (1.0, 3.0, ("so", "it", "was"))


@pytest.mark.parametrize(
    ("said", "starts"), [(["so", " ", "it"], (1.0, 1.5)), (["so", " ", "is"], None)]
)
def test_times_of_words_are_read_if_they_are_the_words(
    read_text: ReadText, said: list[str], starts: tuple[float, ...] | None
) -> None:
    words = {"text": said, "start_time": [0, 400, 500], "end_time": [400, 500, 2000]}
    (segment,) = read_text(draft({"content": '{"text": "so it"}', "words": words}), "capcut")
    assert (segment.words, segment.starts) == (("so", "it"), starts)


def test_several_tracks_of_texts_are_tiers_and_others_are_not_read(read_text: ReadText) -> None:
    read = read_text(draft({"content": '{"text": "a"}'}, "video", "text", "text"), "capcut")
    assert [s.tier for s in read] == ["texts 1", "texts 2"]


def test_a_paragraph_has_the_speaker_that_begins_then(read_text: ReadText) -> None:
    text = (
        '{"words": [["0", ""], ["1000", "ANNE: so"], ["1500", "it"], ["2000", ""], ["3000", "-was"]],'
        ' "paragraphs": [0, 1000, 3000], "speakers": {"1000": "ANNE"}}'
    )
    read = read_text(text, "threeplay")
    assert [(s.speaker, s.words, s.start, s.end) for s in read] == [
        ("ANNE", ("so", "it"), 1.0, 2.0), (None, ("-was",), 3.0, None)
    ]  # fmt: skip


@each_case(
    ("text", "name"),
    [
        ('{"words": [["x", "a"]], "paragraphs": [], "speakers": {}}', "threeplay"),
        ('{"words": [["1"]], "paragraphs": [], "speakers": {}}', "threeplay"),
        ('{"words": [], "paragraphs": [], "speakers": {"x": "A"}}', "threeplay"),
        ('{"materials": {"texts": []}}', "capcut"),
        ('{"materials": {"texts": [{"id": 1}]}, "tracks": [{"segments": [{"material_id": 1}]}]}', "capcut"),
    ],
)  # fmt: skip
def test_missing_members_are_errors(read_text: ReadText, text: str, name: str) -> None:
    with pytest.raises(SyntaxFormatError):
        read_text(text, name, tolerance="strict")
