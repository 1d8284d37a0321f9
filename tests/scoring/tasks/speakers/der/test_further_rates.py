"""Rates beside the DER, other mappings and regions, and pyannote's objects as sides."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.drawing.text import text_lines
from scoring.tasks.speakers.der.changes import matched_changes, segmentation_of
from scoring.tasks.speakers.der.diarisation_errors import FURTHER_RATES
from scoring.tasks.speakers.der.frames import _frame, frame_pieces, frame_sums
from scoring.tasks.speakers.page import page_of
from tests.each_case import each_case
from tests.judges.der.union import figures, is_aside

GOLDEN = json.loads(Path(__file__).parents[4].joinpath("golden/der/union.json").read_text("utf-8"))
REFERENCE = {"talk": [("anne", 0.0, 10.0), ("bob", 10.0, 20.0)]}
HYPOTHESIS = {"talk": [("bob", 0.0, 12.0), ("y", 12.0, 24.0)]}


@each_case("case", GOLDEN["cases"], ids=range(len(GOLDEN["cases"])))
def test_figures_are_those_of_the_originals(case: dict[str, Any]) -> None:
    compared = 0
    for name, value, default in figures(case):
        expected = case["expected"].get(name)
        if expected is None or math.isnan(expected) or is_aside(name, case):
            continue
        margin = 1e-5 if name.startswith("spyder") else 1e-9
        assert (default if value is None else value) == pytest.approx(expected, abs=margin), name
        compared += 1
    assert compared >= 20


def test_partners_by_name_and_by_the_longest_time() -> None:
    by_name = scoring.der(REFERENCE, HYPOTHESIS, mapping="names")
    assert by_name.recordings[0].mapping == {"anne": None, "bob": "bob"}
    assert by_name.confusion_seconds == 18
    assert by_name.signature.endswith("|mapping:names")
    sides: list[Any] = [
        {"talk": [("A", 0, 9), ("B", 9, 15), ("A", 15, 18)]},
        {"talk": [("x", 0, 5), ("y", 5, 9), ("x", 9, 18)]},
    ]
    greedy, best = (scoring.der(*sides, mapping=mapping) for mapping in ("greedy", "best"))
    assert greedy.recordings[0].mapping == {"A": "x", "B": None}
    assert best.recordings[0].mapping == {"A": "y", "B": "x"}
    assert (greedy.confusion_seconds, best.confusion_seconds) == (10, 8)
    assert "mapping" not in best.signature


def test_time_by_the_number_of_speakers() -> None:
    both = {"talk": [("anne", 0, 10), ("bob", 8, 20)]}
    scored = {
        speaking: scoring.der(both, HYPOTHESIS, speaking=speaking).scored_seconds
        for speaking in ("all", "single", "overlap", "nonoverlap")
    }
    assert scored == {"all": 22, "single": 18, "overlap": 4, "nonoverlap": 18}
    alarms = [
        scoring.der(both, HYPOTHESIS, speaking=speaking).false_alarm_seconds
        for speaking in ("single", "nonoverlap")
    ]
    assert alarms == [0, 4]  # the silence after the talk is no time of a single speaker
    with pytest.raises(ValueError, match="speaking: expected all or single or overlap or nonover"):
        scoring.der(both, HYPOTHESIS, speaking="several")  # type: ignore[arg-type]


def test_turns_that_touch_have_no_collar_between_them_as_in_spyder() -> None:
    turns: Any = {"talk": [("anne", 0, 5), ("anne", 5, 10)]}
    seconds = {like: scoring.der(turns, turns, like=like, collar=1).scored_seconds
               for like in ("spyder", "md-eval")}  # fmt: skip
    assert seconds == {"spyder": 8, "md-eval": 6}


def test_speaker_changes_within_the_tolerance() -> None:
    assert matched_changes([10, 20, 30], [9, 11, 31], 1) == 2
    assert matched_changes([10], [12], 1) == 0
    found = segmentation_of([[(0, 10), (14, 20)]], [[(0, 20)]], 5)
    assert (found.partitioned, found.covered, found.pure) == (20, 20, 20)  # the gap is filled
    found = segmentation_of([[(0, 10), (14, 20)]], [[(0, 20)]], 4)
    assert (found.partitioned, found.covered, found.pure) == (16, 16, 16)
    errors = scoring.der(REFERENCE, HYPOTHESIS, tolerance=2)
    assert (errors.change_precision, errors.change_recall, errors.change_f1) == (1, 1, 1)
    assert errors.signature.endswith("|tolerance:2s")
    assert scoring.der(REFERENCE, HYPOTHESIS).change_f1 == 0


def test_frames_begin_where_the_doubles_of_dscore_do() -> None:
    assert [_frame(time) for time in (-1, 0, 0.005, 0.01, 0.57, 0.1 + 0.2)] == [0, 0, 1, 1, 57, 31]
    pieces = frame_pieces([[[(0, 10**8)]], [[(0, 5 * 10**7)]]], [(0, 10**8)], True)
    sums = frame_sums(pieces)
    assert (sums.frames, sums.reference_sets, sums.hypothesis_sets) == (10, 1, 2)
    assert (sums.b3_precision, sums.b3_recall, sums.mutual_information) == (1, 0.5, 0)
    assert sums.normalized_mutual_information == 0


def test_nothing_has_no_rates_and_one_side_has_an_f1_of_0() -> None:
    nothing = scoring.der({"talk": []}, {"talk": []})
    assert set(nothing.further_rates().values()) == {None}
    missed = scoring.der({"talk": [("anne", 0, 1)]}, {"talk": []})
    assert (missed.speech_precision, missed.speech_recall, missed.speech_f1) == (None, 0, 0)


def test_sums_over_recordings_are_no_means() -> None:
    second = {"walk": [("anne", 0.0, 30.0)]}
    errors = scoring.der({**REFERENCE, **second}, {**HYPOTHESIS, **second})
    assert errors.frames.frames == sum(part.frames.frames for part in errors.recordings) == 5400
    rates = errors.further_rates()
    assert rates["speech_precision"] == 50 / 54
    assert tuple(rates) == FURTHER_RATES
    assert errors.record()["speech_precision"] == rates["speech_precision"]
    page = "\n".join(text_lines(page_of(errors, all_rates=True)))
    assert "Segments and clusters" in page
    assert "Segments and clusters" not in "\n".join(text_lines(page_of(errors)))


@dataclass(frozen=True)
class Segment:
    start: float
    end: float


class Annotation:
    """What is read of pyannote.core's class."""

    __module__ = "pyannote.core.annotation"

    def __init__(self, uri: str | None, turns: list[tuple[str, float, float]]) -> None:
        self.uri, self._turns = uri, turns

    def itertracks(self, yield_label: bool = False) -> Iterator[Any]:
        assert yield_label
        for number, (name, begin, end) in enumerate(self._turns):
            yield Segment(begin, end), number, name


class Timeline:
    """What is read of pyannote.core's class."""

    __module__ = "pyannote.core.timeline"

    def __init__(self, uri: str | None, spans: list[tuple[float, float]]) -> None:
        self.uri, self._spans = uri, spans

    def __iter__(self) -> Iterator[Any]:
        return (Segment(*span) for span in self._spans)


def test_objects_of_pyannote_are_sides_and_regions() -> None:
    sides = [Annotation("talk", side["talk"]) for side in (REFERENCE, HYPOTHESIS)]
    expected = scoring.der(REFERENCE, HYPOTHESIS)
    assert scoring.der(*sides).recordings == expected.recordings
    by_name = [{"talk": side} for side in sides]
    assert scoring.der(*by_name).recordings == expected.recordings
    region = {"talk": [(0.0, 12.0)]}
    expected = scoring.der(REFERENCE, HYPOTHESIS, region=region)
    for given in (Timeline("talk", [(0, 12)]), Timeline(None, [(0, 12)]),
                  {"talk": Timeline(None, [(0, 12)])}):  # fmt: skip
        assert scoring.der(*sides, region=given).recordings == expected.recordings
    speech = scoring.der(Timeline(None, [(0, 10)]), Timeline(None, [(5, 10)]))
    assert [(part.recording, part.mapping) for part in speech.recordings] == [
        ("recording", {"speech": "speech"})
    ]
    assert (speech.speech_recall, speech.missed_seconds) == (0.5, 5)
