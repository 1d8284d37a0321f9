"""pyannote's names; random cases against pyannote.metrics 4.2 were equal (see docs/in-place-of.md)."""

from typing import Any

import pytest

import scoring.peers.pyannote as ours
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
    parts = {name: details[name] for name in metric.metric_components()}
    assert (abs(metric), metric[:], metric["confusion"]) == (16 / 31, parts, 7.0)
    assert [name for name, _ in metric] == ["NA"]
    metric.reset()
    assert (abs(metric), metric[:], metric.results_) == (0.0, dict.fromkeys(parts, 0.0), [])


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


# What pyannote.metrics 4.2 gives, with "anne" for "a": components in their order, and the number.
NUMBERS: dict[str, tuple[float, ...]] = {
    "DetectionAccuracy": (29, 2, 7, 2, 0.775),
    "DetectionCostFunction": (31, 9, 7, 2, 0.24283154121863798),
    "DetectionErrorRate": (31, 7, 2, 0.2903225806451613),
    "DetectionPrecision": (36, 29, 0.8055555555555556),
    "DetectionPrecisionRecallFMeasure": (36, 31, 29, 0.8656716417910448),
    "DetectionRecall": (31, 29, 0.9354838709677419),
    "DiarizationCompleteness": (1.2386492034357777, 0.37548275011904253, 0.696861105567642),
    "DiarizationCoverage": (31, 25, 0.8064516129032258),
    "DiarizationErrorRate": (31, 22, 7, 2, 7, 0.5161290322580645),
    "DiarizationHomogeneity": (1.3123733312684684, 0.44920687795173364, 0.6577141067644564),
    "DiarizationPurity": (36, 24, 0.6666666666666666),
    "GreedyDiarizationErrorRate": (31, 22, 7, 2, 7, 0.5161290322580645),
    "IdentificationErrorRate": (31, 8, 7, 2, 21, 0.967741935483871),
    "IdentificationPrecision": (36, 8, 0.2222222222222222),
    "IdentificationRecall": (31, 8, 0.25806451612903225),
    "JaccardErrorRate": (4, 2.2135627530364372, 0.5533906882591093),
    "SegmentationCoverage": (29, 25, 0.8620689655172413),
    "SegmentationPrecision": (1, 4, 0.25),
    "SegmentationPurity": (29, 29, 1.0),
    "SegmentationPurityCoverageFMeasure": (29, 29, 29, 25, 0.9259259259259259),
    "SegmentationRecall": (1, 3, 0.3333333333333333),
}


def test_all_metrics_have_the_numbers_of_pyannote() -> None:
    assert set(NUMBERS) == set(ours.__all__)
    heard = [("anne" if name == "a" else name, *times) for name, *times in HYPOTHESIS]
    for name, expected in NUMBERS.items():
        metric: Any = getattr(ours, name)()
        details = metric(REFERENCE, heard, detailed=True)
        names = [*metric.metric_components(), metric.name]
        assert [details[each] for each in names] == pytest.approx(expected), name
        assert abs(metric) == pytest.approx(expected[-1])


def test_nothing_has_the_numbers_of_pyannote() -> None:
    errors = {name for name in NUMBERS if name.endswith(("ErrorRate", "CostFunction"))}
    for name in NUMBERS:
        empty = float(name not in errors or name == "JaccardErrorRate")
        assert abs(getattr(ours, name)()) == empty, name
    assert ours.DetectionErrorRate()([], [("x", 0, 1)]) == 1.0


def test_a_report_is_a_data_frame() -> None:
    pytest.importorskip("pandas")
    metric = DiarizationErrorRate()
    metric(REFERENCE, HYPOTHESIS, uri="one")
    table = metric.report()
    assert list(table.index) == ["one", "TOTAL"]
    assert table["confusion"].loc["one"].tolist() == [7.0, pytest.approx(700 / 31)]
    assert "diarization error rate" in str(metric)
