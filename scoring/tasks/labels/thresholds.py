"""False rejects against false accepts per hour, by threshold on the detections' scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from formats.schema.words import Label
from scoring.model.counts import Edit
from scoring.tasks.labels.aligners.bipartite import BipartiteMatchingAligner
from scoring.tasks.labels.aligners.spans import LabelError
from scoring.tasks.labels.outcome import Outcome

HOUR: Final = 3600
LIMITS: Final = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
"""The default numbers of false accepts per hour in reports."""


class OperatingPoint(NamedTuple):
    """The errors at a threshold: detections with lower scores are ignored.

    `threshold` is None if no detection is accepted.
    """

    threshold: float | None
    occurrences: int
    false_rejects: int
    false_accepts: int
    seconds: float

    @property
    def false_rejection_rate(self) -> float | None:
        """False rejects per occurrence; None without occurrences."""
        return self.false_rejects / self.occurrences if self.occurrences else None

    @property
    def false_alarms_per_hour(self) -> float | None:
        """False accepts per hour of audio; None without audio."""
        return HOUR * self.false_accepts / self.seconds if self.seconds else None

    def document(self) -> dict[str, float | None]:
        """Return the numbers as JSON."""
        return {
            "threshold": self.threshold,
            "misses": self.false_rejects,
            "false_alarms": self.false_accepts,
            "false_rejection_rate": self.false_rejection_rate,
            "false_alarms_per_hour": self.false_alarms_per_hour,
        }


class OperatingCurve(NamedTuple):
    """The operating points of all thresholds, the highest first.

    Examples
    --------
    >>> curve = operating_curve(
    ...     Outcome({"u": [("hey", 1, 2), ("hey", 5, 6)]}, {"u": 3600}),
    ...     Outcome({"u": [("hey", 1, 2, 0.9), ("hey", 3, 4, 0.7), ("hey", 5, 6, 0.4)]}),
    ... )
    >>> [point.false_rejection_rate for point in curve.points]
    [1.0, 0.5, 0.5, 0.0]
    >>> curve.best(0.5).threshold, curve.best(1).threshold
    (0.9, 0.4)
    """

    points: Sequence[OperatingPoint]

    def best(self, limit: float) -> OperatingPoint:
        """Return the point with fewest false rejects and at most `limit` false accepts per hour.

        Of equal points, the point with the highest threshold is returned.
        """
        allowed = [point for point in self.points if (point.false_alarms_per_hour or 0) <= limit]
        return min(allowed, key=lambda point: point.false_rejects)

    @property
    def corners(self) -> Sequence[OperatingPoint]:
        """The points that suffice to draw the curve: its two ends and its corners."""
        points = self.points
        kept = [
            point
            for before, point, after in zip(points, points[1:], points[2:], strict=False)
            if not before.false_rejects == point.false_rejects == after.false_rejects
            and not before.false_accepts == point.false_accepts == after.false_accepts
        ]
        return [points[0], *kept, *points[1:][-1:]]


class ThresholdReport(NamedTuple):
    """A curve for reports, and the requested numbers of false accepts per hour."""

    curve: OperatingCurve
    limit: float | None = None

    def document(self) -> dict[str, Any]:
        """Return the numbers as JSON."""
        limits = LIMITS if self.limit is None else (self.limit,)
        return {
            "chosen": [{"limit": limit, **self.curve.best(limit).document()} for limit in limits],
            "points": [point.document() for point in self.curve.points],
        }


def has_scores(detections: Outcome) -> bool:
    """Return True if there are detections and every detection has a score."""
    labels = detections.labels
    return bool(labels) and all(label.confidence is not None for label in labels)


def accepted(detections: Outcome, threshold: float) -> Outcome:
    """Return the detections with scores at or above a threshold.

    Raises
    ------
    LabelError
        If a detection has no score.
    """
    return detections.changed(
        lambda _, labels: [label for label in labels if _score(label) >= threshold]
    )


def operating_curve(reference: Outcome, detections: Outcome, aligner: Any = None) -> OperatingCurve:
    """Return the errors at each threshold; the thresholds are the scores of the detections.

    Parameters
    ----------
    reference
        The occurrences, with the duration of every utterance.
    detections
        Labels with scores, as `confidence`; a higher score means a surer detection.
    aligner
        Aligns the labels of an utterance one to one; default: `BipartiteMatchingAligner`.

    Raises
    ------
    LabelError
        If a detection has no score, or the duration of an utterance is unknown.
    """
    aligner = aligner or BipartiteMatchingAligner()
    occurrences = len(reference.labels)
    seconds = reference.total_duration
    changes: Mapping[float, list[int]] = defaultdict(lambda: [0, 0])
    found, heard = reference.label_lists, detections.label_lists
    for utterance in dict.fromkeys((*found, *heard)):
        for group in _groups(found.get(utterance, ()), heard.get(utterance, ()), aligner):
            for score, correct, false in _steps(*group, aligner):
                changes[score][0] += correct
                changes[score][1] += false
    points = [OperatingPoint(None, occurrences, occurrences, 0, seconds)]
    correct = false = 0
    for score in sorted(changes, reverse=True):
        correct += changes[score][0]
        false += changes[score][1]
        points.append(OperatingPoint(score, occurrences, occurrences - correct, false, seconds))
    return OperatingCurve(points)


def _score(label: Label) -> float:
    if label.confidence is None:
        raise LabelError(f"expected a score of every detection, found none of {label.value!r}")
    return label.confidence


def _groups(
    references: Sequence[Label], detections: Sequence[Label], aligner: Any
) -> Iterator[tuple[list[Label], list[Label]]]:
    """Yield groups of labels that are connected by possible pairs, directly or indirectly.

    If the threshold moves past a detection's score, only the group of this detection is aligned
    again.
    """
    finder = getattr(aligner, "candidate_finder", None)
    if finder is None:
        yield list(references), list(detections)
        return
    group = list(range(len(references) + len(detections)))  # the group of each label

    def root(label: int) -> int:
        while group[label] != label:
            group[label] = group[group[label]]
            label = group[label]
        return label

    for left, right in finder.find(references, detections).pairs:
        group[root(left)] = root(len(references) + right)
    members: dict[int, tuple[list[Label], list[Label]]] = {}
    for number, label in enumerate((*references, *detections)):
        sides = members.setdefault(root(number), ([], []))
        sides[number >= len(references)].append(label)
    yield from members.values()


def _steps(
    references: Sequence[Label], detections: Sequence[Label], aligner: Any
) -> Iterator[tuple[float, int, int]]:
    """Yield each score, highest first, with the changes in correct and false detections."""
    before = (0, 0)
    for score in sorted(set(map(_score, detections)), reverse=True):
        taken = [label for label in detections if _score(label) >= score]
        correct = sum(pair.edit == Edit.CORRECT for pair in aligner.align(references, taken))
        false = len(taken) - correct
        yield score, correct - before[0], false - before[1]
        before = correct, false
