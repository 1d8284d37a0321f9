from math import isnan

import numpy as np
import pytest

from formats.keywords.model import Detection, Excerpt, SearchedKeyword
from scoring.model.errors import InputError
from scoring.tasks.kws.evaluation import KeywordSearchScores, score
from scoring.tasks.kws.measures import curve
from scoring.tasks.kws.parameters import F4DE, SOUND, KeywordSearchError, Parameters
from scoring.tasks.kws.references import Reference
from scoring.tasks.kws.reports import summary_report
from tests.each_case import each_case

EXCERPT = Excerpt("f", "1", 0, 100)


def found(
    keyword: str, *scores: float, targets: int = 0, begin: float = 10.0
) -> tuple[list[Detection], list[Reference]]:
    """Detections of which the first so many, in the order of scores given, are right."""
    detections = [
        Detection(keyword, "f", "1", begin + 2 * number, 1.0, value, value >= 0.5)
        for number, value in enumerate(scores)
    ]
    references = [
        Reference(keyword, "f", "1", begin + 2 * number, begin + 2 * number + 1)
        for number in range(targets)
    ]
    return detections, references


def scored(
    *parts: tuple[list[Detection], list[Reference]], parameters: Parameters | None = None
) -> KeywordSearchScores:
    detections = [d for part in parts for d in part[0]]
    references = [r for part in parts for r in part[1]]
    names = dict.fromkeys([d.keyword for d in detections] + [r.keyword for r in references])
    return score(
        [EXCERPT],
        {name: name for name in names} or {"K": "k"},
        detections,
        references=references,
        parameters=parameters,
    )


def test_of_equally_good_thresholds_the_lowest() -> None:
    # 50 references and 50 other trials, a false alarm costs as much as a miss
    parameters = Parameters(cost=1.0, value=1.0, prior=0.5)
    assert parameters.beta == 1.0
    targets = [Reference("K", "f", "1", 2.0 * n, 2.0 * n + 0.5) for n in range(50)]
    detections = [
        Detection("K", "f", "1", 0.0, 0.5, 0.9, True),
        Detection("K", "f", "1", 2.0, 0.5, 0.7, True),
        Detection("K", "f", "1", 2.0, 0.25, 0.6, True),
        Detection("K", "f", "1", 4.0, 0.5, 0.5, True),
        Detection("K", "f", "1", 4.0, 0.25, 0.4, False),
    ]
    scores = score([EXCERPT], {"K": "k"}, detections, references=targets, parameters=parameters)
    # at 0.7 two hits; at 0.5 three hits and one false alarm: the same value
    overall = scores.overall
    assert overall.maximum.threshold == 0.5
    assert overall.maximum.twv == pytest.approx(0.04)
    assert overall.keywords[0].optimum.twv == pytest.approx(0.04)


def test_no_scores_at_all() -> None:
    overall = scored(([], [Reference("K", "f", "1", 1.0, 2.0)])).overall
    assert (overall.actual.twv, overall.actual.threshold) == (0.0, None)
    assert overall.maximum.twv == 0.0
    assert overall.maximum.threshold is not None
    assert isnan(overall.maximum.threshold)
    assert overall.mean_average_precision == 0.0
    cells = list(summary_report([overall]).lines("CSV"))[1]
    assert cells == (
        '"Occurrence","1","0","0","0","0","0","1","0.00000"," 1.000","0.0000","NA",'
        '"0.00000"," 1.000","0.0000","NaN"'
    )


def test_nothing_evaluated() -> None:
    overall = scored(found("K", 0.4, 0.9)).overall
    assert overall.evaluated == ()
    assert overall.actual[:3] == (None, None, None)
    assert overall.actual.threshold == pytest.approx(0.65)
    assert overall.maximum[:3] == (None, None, None)
    assert overall.mean_average_precision is None
    assert [s.twv for s in overall.keywords] == [None]


def test_untargeted_keywords_in_the_average_precision() -> None:
    parts = (found("A", 0.9, targets=1), found("B", 0.8))
    for rules, expected in ((SOUND, 1.0), (F4DE, 0.5)):
        parameters = Parameters(with_untargeted=True, rules=rules)
        assert scored(*parts, parameters=parameters).overall.mean_average_precision == expected


def test_false_alarms_rank_before_targets_of_their_score() -> None:
    assert scored(found("K", 0.9, 0.9, targets=1)).overall.mean_average_precision == 0.5


def test_a_maximum_may_be_below_nothing() -> None:
    overall = scored(found("K", 0.1, 0.9, targets=1)).overall
    assert overall.maximum.threshold == 0.1
    assert overall.maximum.twv == pytest.approx(1 - 999.9 / 99)
    assert overall.keywords[0].optimum == overall.maximum


def test_a_keyword_is_rejected_above_its_own_scores() -> None:
    overall = scored(found("A", 0.1, 0.3, targets=1), found("B", 0.9, targets=1, begin=50)).overall
    first = overall.keywords[0].optimum
    assert (first.p_miss, first.p_fa, first.twv) == (1.0, 0.0, 0.0)
    assert overall.optimum.twv == pytest.approx(0.5)


def test_the_curve_has_every_threshold_once_and_a_spread() -> None:
    parts = (found("A", 0.5, 0.25, targets=1), found("B", 0.75, 0.5, targets=2, begin=50))
    line = scored(*parts).curve()
    assert line.thresholds.tolist() == [0.25, 0.5, 0.75]
    assert line.p_miss.tolist() == [0.0, 0.0, 0.75]
    assert line.p_fa.tolist() == pytest.approx([0.5 / 99, 0.0, 0.0])
    assert line.p_miss_deviation.tolist() == pytest.approx([0.0, 0.0, np.sqrt(0.125)])
    assert line.keywords == 2
    single = curve(scored(found("A", 0.5, targets=1)).overall.trials)
    assert np.isnan(single.p_miss_deviation).all()


@each_case(
    ("parameters", "message"),
    [
        (Parameters(cost=0.0), "expected a cost above 0, found 0"),
        (Parameters(value=-1.0), "expected a value above 0, found -1"),
        (Parameters(prior=2.0), "expected a prior of at most 1, found 2"),
        (Parameters(trials_per_second=float("inf")), "expected a trials per second above 0, found inf"),
        (Parameters(tolerance=-0.1), "expected a tolerance of 0 or more, found -0.1"),
    ],
)  # fmt: skip
def test_numbers_out_of_range(parameters: Parameters, message: str) -> None:
    with pytest.raises(KeywordSearchError) as caught:
        scored(found("K", 0.5), parameters=parameters)
    assert str(caught.value) == message


def test_no_audio() -> None:
    with pytest.raises(KeywordSearchError, match="'TotDur' must > 0"):
        score([], {"K": "k"}, [])


def test_detections_that_cannot_be() -> None:
    good = Detection("K", "f", "1", 1.0, 1.0, 0.5, True, line=7)
    with pytest.raises(KeywordSearchError, match="a keyword of the keyword list, found 'X'"):
        score([EXCERPT], {"K": "k"}, [good._replace(keyword="X")])
    with pytest.raises(InputError) as caught:
        score([EXCERPT], {"K": "k"}, [good._replace(keyword="X")], path="sys.xml")
    assert str(caught.value) == "sys.xml:7: expected a keyword of the keyword list, found 'X'"
    with pytest.raises(KeywordSearchError, match="a finite score, found nan"):
        score([EXCERPT], {"K": "k"}, [good._replace(score=float("nan"))])
    twice: list[SearchedKeyword | Detection] = [
        SearchedKeyword("K", line=2),
        good,
        SearchedKeyword("K", line=9),
    ]
    with pytest.raises(InputError) as caught:
        score([EXCERPT], {"K": "k"}, twice, path="sys.xml")
    assert str(caught.value) == (
        "sys.xml:9: keyword 'K' is searched twice (first in line 2): expected once"
    )


def test_what_scores_look_like() -> None:
    scores = scored(found("K", 0.9, targets=1))
    assert repr(scores) == "<KeywordSearchScores: 1 keywords, ATWV 1.0000>"
    assert repr(scores.alignment) == "<Alignment of 1 keywords: 1 references, 1 detections>"
    assert repr(scores.alignment.audio) == "<Audio: 1 excerpts, 100 seconds>"


def test_scores_survive_pickling() -> None:
    import pickle

    scores = scored(found("K", 0.9, 0.2, targets=1))
    again = pickle.loads(pickle.dumps(scores))
    assert again.overall.actual == scores.overall.actual
    assert again.curve().thresholds.tolist() == [0.2, 0.9]
    assert [point[:3] for point in again.overall[2:6]] == [p[:3] for p in scores.overall[2:6]]
