"""pyannote's names; random cases against pyannote.metrics 4.2 were equal (see docs/in-place-of.md)."""

import pytest

from sclite_kit.compat.pyannote.metrics.diarization import (
    DiarizationErrorRate,
    GreedyDiarizationErrorRate,
)
from sclite_kit.compat.pyannote.metrics.identification import IdentificationErrorRate

REFERENCE = [("anne", 0, 10), ("bob", 12, 20), ("carl", 24, 27), ("dave", 30, 40)]
HYPOTHESIS = [("a", 2, 13), ("b", 13, 14), ("c", 14, 20), ("b", 22, 38), ("d", 38, 40)]


def test_the_example_of_pyannote() -> None:
    """The example of pyannote.metrics' documentation and its number."""
    metric = DiarizationErrorRate()
    details = metric(REFERENCE, HYPOTHESIS, detailed=True)
    assert details == {
        "total": 31.0,
        "false alarm": 7.0,
        "missed detection": 2.0,
        "confusion": 7.0,
        "correct": 22.0,
        "diarization error rate": 16 / 31,
    }
    assert metric.optimal_mapping(REFERENCE, HYPOTHESIS) == {"a": "anne", "b": "dave", "c": "bob"}
    assert (abs(metric), metric[:], metric["confusion"]) == (16 / 31, details, 7.0)
    assert [name for name, _ in metric] == ["NA"]
    metric.reset()
    assert (abs(metric), metric[:], metric.results_) == (0.0, {}, [])


def test_recordings_add_up_and_regions_limit() -> None:
    metric = DiarizationErrorRate(collar=0.5, skip_overlap=True)
    first = metric([("a", 0, 10)], [("x", 0, 5)], uri="one")
    second = metric([("a", 0, 10)], [("x", 0, 10)], uri="two")
    assert (first, second) == (pytest.approx(4.75 / 9.5), 0.0)
    assert abs(metric) == pytest.approx(4.75 / 19)
    assert [name for name, _ in metric] == ["one", "two"]
    region = DiarizationErrorRate()
    assert region([("a", 0, 10)], [("x", 0, 5)], uem=[(0, 6)]) == pytest.approx(1 / 6)


def test_names_and_greedy_pairs() -> None:
    identification = IdentificationErrorRate()
    assert identification([("a", 0, 10)], [("x", 0, 10)]) == 1.0
    assert identification.metric_name() == identification.name == "identification error rate"
    assert GreedyDiarizationErrorRate()([("a", 0, 10)], [("x", 0, 10)]) == 0.0
    assert IdentificationErrorRate()([], [("x", 0, 1)]) == 1.0
    assert IdentificationErrorRate()([], []) == 0.0
