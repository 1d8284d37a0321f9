from random import Random

import pytest
import scipy  # whose parts load when they are used

from formats.keywords.model import Detection, Excerpt, KwslistHeader
from scoring.tasks.kws.evaluation import score
from scoring.tasks.kws.mapping import DetectionCandidates, ReferenceSpan, best_mapping, pair_value
from scoring.tasks.kws.references import Reference
from tests.each_case import each_case
from tests.tables import table_of


def drawn(rng: Random) -> tuple[list[ReferenceSpan], DetectionCandidates]:
    references = [
        ReferenceSpan(begin, begin + rng.uniform(0.01, 1))
        for begin in (rng.uniform(0, 30) for _ in range(rng.randint(2, 40)))
    ]
    draws = sorted((rng.uniform(0, 31), rng.uniform(0, 1), rng.random()) for _ in range(60))
    candidates = DetectionCandidates(
        [m - d / 2 for m, d, _ in draws],
        [m + d / 2 for m, d, _ in draws],
        [m for m, _, _ in draws],
        [s for *_, s in draws],
        min(s for *_, s in draws),
        max(s for *_, s in draws),
        1,
    )
    return references, candidates


def test_the_mapping_is_worth_what_scipy_s_is() -> None:
    """In a table of all pairs; one that is not allowed is worth nothing."""
    for seed in range(60):
        references, candidates = drawn(Random(seed))
        table = [
            [
                1 + pair_value(reference, candidates, index)
                if reference.begin - 0.5 <= middle <= reference.end + 0.5
                else 0.0
                for index, middle in enumerate(candidates.middles)
            ]
            for reference in references
        ]
        rows, columns = scipy.optimize.linear_sum_assignment(table, maximize=True)
        most = sum(table[row][column] for row, column in zip(rows, columns, strict=True))
        pairs = best_mapping(references, candidates, 0.5)
        assert sum(table[row][column] for row, column in pairs) == pytest.approx(most, abs=1e-12)
        assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)


def test_a_pair_more_outweighs_everything() -> None:
    # far from its detection, the first reference is worth less than nothing beyond 1
    references = [ReferenceSpan(0.0, 1e-7), ReferenceSpan(0.3, 1.0)]
    candidates = DetectionCandidates([0.3, 0.2], [0.5, 1.0], [0.4, 0.6], [0.0, 1.0], 0.0, 1.0, 1)
    assert sorted(best_mapping(references, candidates, 0.5)) == [(0, 0), (1, 1)]


@each_case(
    ("references", "expected"),
    table_of(__file__, "references_that_have_as_much_of_a_detection_compete_by_their_own_length"),
)
def test_references_that_have_as_much_of_a_detection_compete_by_their_own_length(
    references: list[tuple[float, float]], expected: int
) -> None:
    for ticks in (1, 2_000_000_000):
        spans = [ReferenceSpan(begin * ticks, end * ticks) for begin, end in references]
        times = [10.2 * ticks], [10.6 * ticks], [10.4 * ticks]
        candidates = DetectionCandidates(*times, [0.5], 0.5, 0.5, ticks)
        assert best_mapping(spans, candidates, 0.5 * ticks) == [(expected, 0)]


def test_bounds_of_the_scores_weigh_scores() -> None:
    def outcome(header: KwslistHeader) -> float:
        detections = [
            Detection("K", "f", "1", 10.0, 1.0, 0.50, True),
            Detection("K", "f", "1", 10.6, 1.0, 0.501, True),
        ]
        scores = score(
            [Excerpt("f", "1", 0, 100)],
            {"K": "k"},
            [header, *detections],
            references=[Reference("K", "f", "1", 10.0, 11.0)],
        )
        alignment = scores.alignment
        row = alignment.rows[alignment.partners >= 0][0]
        return float(alignment.detections.columns().scores[row])

    # among themselves the scores differ by all there is; within bounds by next to nothing
    assert outcome(KwslistHeader("", "", "")) == 0.501
    assert outcome(KwslistHeader("", "", "", 0.0, 1.0)) == 0.50
