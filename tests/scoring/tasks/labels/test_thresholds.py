"""Curves of false rejects and false accepts over thresholds, each by its definition."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main
from scoring.tasks.labels import aligners
from scoring.tasks.labels.aligners import LabelError
from scoring.tasks.labels.keywords import KWSEvaluator
from scoring.tasks.labels.outcome import Outcome
from scoring.tasks.labels.reports import render
from scoring.tasks.labels.thresholds import (
    OperatingCurve,
    ThresholdReport,
    accepted,
    operating_curve,
)

HOUR = 3600.0
ALIGNERS: dict[str, Any] = {
    "bipartite": aligners.BipartiteMatchingAligner(),
    "starts": aligners.BipartiteMatchingAligner(aligners.StartEndCandidateFinder(1.5)),
    "levenshtein": aligners.LevenshteinAligner(),
}


def labels(seed: random.Random, most: int, scored: bool) -> list[tuple[Any, ...]]:
    result: list[tuple[Any, ...]] = []
    for _ in range(seed.randrange(most)):
        start = seed.randrange(40) / 2
        score = (seed.randrange(8) / 8,) if scored else ()
        result.append((seed.choice("ab"), start, start + seed.choice((1, 2)), *score))
    return result


def by_definition(reference: Outcome, detections: Outcome, aligner: Any) -> list[tuple[Any, ...]]:
    """Every threshold, each evaluated from the beginning."""
    scores = sorted({label.confidence or 0.0 for label in detections.labels}, reverse=True)
    points: list[tuple[Any, ...]] = [(None, len(reference.labels), 0, 0.0)]
    for score in scores:
        whole = KWSEvaluator(aligner).evaluate(reference, accepted(detections, score))
        counts = whole.confusion
        rejects, alarms = counts.false_negatives, counts.false_positives
        points.append((score, rejects, alarms, whole.false_alarms_per_hour()))
    return points


def points_of(curve: OperatingCurve) -> list[tuple[Any, ...]]:
    return [
        (point.threshold, point.false_rejects, point.false_accepts, point.false_alarms_per_hour)
        for point in curve.points
    ]


@pytest.mark.parametrize("name", ALIGNERS)
def test_every_threshold_is_as_evaluated_by_itself(name: str) -> None:
    for number in range(40):
        seed = random.Random(number)
        names = ("u", "v")[: seed.randrange(1, 3)]
        reference = Outcome(
            {each: labels(seed, 6, False) for each in names}, dict.fromkeys(names, 1800.0)
        )
        detections = Outcome(
            {each: labels(seed, 9, True) for each in names}, dict.fromkeys(names, 1800.0)
        )
        curve = operating_curve(reference, detections, ALIGNERS[name])
        expected = by_definition(reference, detections, ALIGNERS[name])
        assert points_of(curve) == expected, number
        for limit in (0.0, 1.0, 4.0, 100.0):
            allowed = [point for point in expected if point[3] <= limit]
            fewest = min(rejects for _, rejects, _, _ in allowed)
            first = next(point for point in allowed if point[1] == fewest)
            assert points_of(OperatingCurve([curve.best(limit)])) == [first], (number, limit)
        kept = points_of(OperatingCurve(curve.corners))
        assert kept[0] == expected[0]
        assert kept[-1] == expected[-1]
        assert set(kept) <= set(expected)


def test_a_detection_without_score_is_an_error() -> None:
    reference, detections = Outcome({"u": []}, {"u": HOUR}), Outcome({"u": [("hey", 1, 2)]})
    with pytest.raises(
        LabelError, match="expected a score of every detection, found none of 'hey'"
    ):
        operating_curve(reference, detections)
    with pytest.raises(LabelError, match="expected a score"):
        accepted(detections, 0.5)


def written(folder: Path) -> list[str]:
    (folder / "r.ctm").write_text("a 1 1 1 hey\na 1 5 1 hey\nb 1 0 1 hey\n")
    scores = "a 1 1 1 hey 0.9\na 1 3 1 hey 0.4\na 1 5 1 hey 0.3\nb 1 5 1 hey 0.7\n"
    (folder / "h.ctm").write_text(scores)
    (folder / "seconds").write_text("a/1 3000\nb/1 600\n")
    durations = ["--durations", str(folder / "seconds")]
    return ["events", str(folder / "r.ctm"), str(folder / "h.ctm"), *durations]


def test_the_command_chooses_a_threshold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = written(tmp_path)
    assert main([*command, "--as-keywords", "--at-false-alarms", "1", "--json", "-"]) == 0
    [document] = json.loads(capsys.readouterr().out)["systems"]
    assert document["thresholds"]["chosen"] == [
        {
            "limit": 1.0,
            "threshold": 0.9,
            "misses": 2,
            "false_alarms": 0,
            "false_rejection_rate": 2 / 3,
            "false_alarms_per_hour": 0.0,
        }
    ]
    assert [point["threshold"] for point in document["thresholds"]["points"]] == [
        *(None, 0.9, 0.7, 0.4, 0.3)
    ]
    assert document["overall"]["false_alarms_per_hour"] == 2.0
    assert main([*command, "--as-keywords"]) == 0
    out = capsys.readouterr().out
    assert "2        0.3  33.33  2.000              1              2\n" in out
    assert main([*command, "--as-keywords", "--threshold", "0.9", "--json", "-"]) == 0
    assert (
        json.loads(capsys.readouterr().out)["systems"][0]["overall"]["false_alarms_per_hour"] == 0.0
    )
    assert main([*command, "--threshold", "0.9", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["overall"]["insertions"] == 0


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--at-false-alarms", "1"], "--at-false-alarms needs --as-keywords"),
        (["--as-keywords", "--at-false-alarms", "-1"], "expected a number from 0, found '-1'"),
        (["--as-keywords", "--at-false-alarms", "1", "--align", "full"], "paired one to one"),
        (["--threshold", "high"], "expected a score such as 0.5, found 'high'"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], problem: str
) -> None:
    assert main([*written(tmp_path), *flags]) == 2
    assert problem in capsys.readouterr().err


def test_pages_draw_the_curve() -> None:
    evaluation = KWSEvaluator().evaluate(
        {"u": [("hey", 1, 2), ("hey", 5, 6)]},
        {"u": [("hey", 1, 2, 0.9), ("hey", 3, 4, 0.7), ("hey", 5, 6, 0.4)]},
        durations={"u": HOUR},
    )
    operation = ThresholdReport(evaluation.operating_curve())
    page = render(evaluation, "html", operation=operation)
    assert "false accepts per hour over" not in page
    assert 'aria-label="false rejects in % over false accepts per hour"' in page
    assert page.count('class="mark system0"') == len(operation.curve.corners) == 4
    assert "Thresholds" in render(evaluation, "markdown", operation=operation)
    assert "Thresholds" not in render(evaluation, "text")
