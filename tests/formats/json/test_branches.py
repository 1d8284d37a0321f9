"""Texts of JSON at several depths: trees of replies, lists of one text, records of other shapes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.io.messages import AROUND_JSON
from formats.json.messages import BRANCHES_READ, RECORDS_LEFT
from tests.remarks import pattern_of


def _read(folder: Path, value: Any, **options: Any) -> formats.Transcript:
    path = folder / "a.json"
    path.write_text(json.dumps(value), "utf-8")
    return formats.read(path, **options)


def _said(read: formats.Transcript) -> list[tuple[str | None, str]]:
    return [(s.speaker, " ".join(s.words)) for s in read]


def _tree(branch: str, text: str) -> list[dict[str, Any]]:
    """Return a tree of four texts, in the order in which they are read."""
    last = {"who": "Ben", text: "no, it is not"}
    inner = {"who": "Ann", text: "is it late then", branch: [last]}
    first = {"who": "Ann", text: "well, so it is", branch: [inner, {"who": "Ben", text: "not yet"}]}
    return [first]


@pytest.mark.parametrize(
    ("branch", "text"), [("children", "text"), ("replies", "body"), ("responses", "line")]
)
def test_texts_in_branches_are_read_behind_the_text_that_has_them(
    branch: str, text: str, tmp_path: Path
) -> None:
    read = _read(tmp_path, _tree(branch, text))
    texts = ["well, so it is", "is it late then", "no, it is not", "not yet"]
    assert _said(read) == list(zip(["Ann", "Ann", "Ben", "Ben"], texts, strict=True))
    assert any(re.search(pattern_of(BRANCHES_READ), str(d)) for d in read.diagnostics)


def test_choices_and_words_are_no_branches(tmp_path: Path) -> None:
    row: dict[str, Any] = {"who": "Ann", "text": "so it is", "choices": [{"text": "well then, no"}]}
    assert _said(_read(tmp_path, [row, {**row, "who": "Ben"}] * 2)) == [
        (who, "so it is") for who in ("Ann", "Ben") * 2
    ]
    words = [{"text": word, "start": n} for n, word in enumerate(("so", "it", "is"))]
    timed = {"speaker": "Ann", "text": "so it is", "start": 0, "end": 3, "children": words}
    assert sum(s.word_count for s in _read(tmp_path, {"utterances": [timed, timed]})) == 6


def test_a_line_that_is_made_later_is_no_line_of_a_person(tmp_path: Path) -> None:
    lines = [{"id": "x", "text": "so the bell still rings"}, {"id": "y", "text": None}]
    people = {name: {"tone": "calm", "lines": lines} for name in ("ghost", "guard")}
    read = _read(tmp_path, {"version": 1, "characters": people})
    assert _said(read) == [(name, "so the bell still rings") for name in people]


def test_a_named_text_is_read_from_all_lists(tmp_path: Path) -> None:
    parts = {
        name: {"colour": "red", "said": [{"id": n, "text": f"well {name} it is {n}"}]}
        for n, name in enumerate(("Ann", "Ben", "Cas"))
    }
    read = _read(tmp_path, parts, format="json", member="text=text")
    assert [" ".join(s.words) for s in read] == [
        "well Ann it is 0",
        "well Ben it is 1",
        "well Cas it is 2",
    ]


def test_records_with_texts_of_another_shape_are_told(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "is it late"}, {"role": "assistant", "content": "not yet"}]
    records = [{"id": f"r{n}", "content": turns} for n in range(3)]
    read = _read(tmp_path, [*records, {"id": "r4", "content": {"intro": "so it was very late"}}])
    (left,) = [d for d in read.diagnostics if re.search(pattern_of(RECORDS_LEFT), str(d))]
    assert left.severity == "warning"
    assert "r4" in str(left)
    whole = _read(tmp_path, [*records, {"id": "r4", "content": []}])
    assert not [d for d in whole.diagnostics if re.search(pattern_of(RECORDS_LEFT), str(d))]


@pytest.mark.parametrize(
    ("before", "behind"), [("Data: ", "\nClose: 1000\n"), ("Answer of the service\n\n", "\n")]
)
def test_text_around_json_is_named_in_the_error(before: str, behind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    value = {"results": [{"alternatives": [{"transcript": f"so it is {n}"}]} for n in range(9)]}
    path.write_text(before + json.dumps(value, indent=2) + behind)
    with pytest.raises(
        formats.FormatError, match=pattern_of(AROUND_JSON, text=before.split("\n")[0].strip())
    ):
        formats.read(path)


TALK = [("Ann", "so is it late then"), ("Ben", "well no, it is not"), ("Ann", "and so we go")]


def _turns(**members: str) -> list[dict[str, str]]:
    """Return the turns of a talk with the members for the speaker and the text."""
    return [{members["who"]: who, members["text"]: text} for who, text in TALK]


@pytest.mark.parametrize(
    "value",
    [{f"talk_{n}": {f"turn_{k}": turn for k, turn in enumerate(_turns(who="speaker", text="text"))}
      for n in (1, 2)},
     [{"id": f"talk_{n}", "turns": {str(k): turn for k, turn in enumerate(_turns(who="role", text="utterance"))}}
      for n in (1, 2)]],
)  # fmt: skip
def test_maps_of_turns_inside_talks_are_lists(value: Any, tmp_path: Path) -> None:
    read = _read(tmp_path, value)
    assert _said(read) == TALK * 2
    assert [s.recording for s in read] == ["talk_1"] * 3 + ["talk_2"] * 3


def test_members_that_are_turns_of_several_speakers_are_turns(tmp_path: Path) -> None:
    pairs = [
        {
            "prompt": {"role": "Ann", "text": TALK[0][1]},
            "reply": {"role": "Ben", "text": TALK[1][1]},
        }
    ]
    assert _said(_read(tmp_path, pairs * 2)) == TALK[:2] * 2
    texts = [{"prompt": {"text": TALK[0][1]}, "response": {"text": TALK[1][1]}}]
    assert [text for _, text in _said(_read(tmp_path, texts * 2))] == [t for _, t in TALK[:2]] * 2


def test_speeches_of_members_are_paragraphs(tmp_path: Path) -> None:
    speeches = [
        {"member": {"name": who, "party": f"P of {who}"}, "paragraphs": [text, "thank you all"]}
        for who, text in TALK * 2
    ]
    read = _read(tmp_path, {"debate": {"title": "On the bridge", "speeches": speeches}})
    assert _said(read) == [(who, f"{text} thank you all") for who, text in TALK * 2]


def test_sections_with_turns_are_not_those_of_a_service_without_its_names(tmp_path: Path) -> None:
    rows = [
        {"name": who, "said": text, "time": f"00:00:0{n}"} for n, (who, text) in enumerate(TALK)
    ]
    later = [{**row, "time": f"00:01:0{n}"} for n, row in enumerate(rows)]
    value = {"sections": [{"heading": "Mill", "turns": rows}, {"heading": "Town", "turns": later}]}
    read = _read(tmp_path, value)
    assert read.format == "json"
    assert _said(read) == TALK * 2
