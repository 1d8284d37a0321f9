"""Numbers and bytes that F4DE itself has printed."""

import pickle

import pytest

from scoring.tasks.kws.conditions import by_source_type
from scoring.tasks.kws.det import set_files
from scoring.tasks.kws.evaluation import KeywordSearchScores, score
from scoring.tasks.kws.measures import KeywordScore, Point
from scoring.tasks.kws.parameters import (
    F4DE,
    SOUND,
    ContradictingDecisionsError,
    Parameters,
    SearchRules,
)
from scoring.tasks.kws.reports import alignment_lines, keyword_report, summary_report
from tests.scoring.tasks.kws.cases import BASICS, EXCERPTS, MAPPING, SEGMENTS, Case

BOTH = pytest.mark.parametrize("rules", [F4DE, SOUND], ids=["f4de", "sound"])


def scored(case: Case, rules: SearchRules = F4DE, **parameters: object) -> KeywordSearchScores:
    return score(
        case.excerpts,
        case.keywords,
        case.detections,
        case.words,
        turns=case.turns,
        parameters=Parameters(rules=rules, **parameters),  # type: ignore[arg-type]
    )


def shown(point: Point) -> tuple[str, str, str, str]:
    return (
        "NA" if point.p_fa is None else f"{point.p_fa:.5f}",
        "NA" if point.p_miss is None else f"{point.p_miss:.3f}",
        "NA" if point.twv is None else f"{point.twv:.4f}",
        "NA" if point.threshold is None else f"{point.threshold:.4f}",
    )


def of(scores: KeywordSearchScores, identifier: str) -> KeywordScore:
    return next(s for s in scores.overall.keywords if s.block.identifier == identifier)


@BOTH
def test_the_basics(rules: SearchRules) -> None:
    overall = scored(BASICS, rules).overall
    assert shown(overall.actual) == ("0.00022", "0.667", "0.1109", "0.5000")
    assert shown(overall.maximum) == ("0.00011", "0.667", "0.2222", "0.7000")
    assert shown(overall.optimum) == ("0.00011", "0.667", "0.2222", "NA")
    assert shown(overall.supremum) == ("0.00000", "0.583", "0.4167", "NA")
    assert overall.mean_average_precision == 0.3125
    optima = [
        (f"{s.optimum.twv:.4f}", f"{s.optimum.threshold:.3f}")
        for s in overall.keywords
        if s.optimum.twv is not None
    ]
    assert optima == [("0.5000", "0.800"), ("0.1665", "0.700"), ("0.0000", "0.300")]
    assert [s.average_precision for s in overall.evaluated] == [0.6875, 0.25, 0.0]
    assert [s.p_fa for s in overall.evaluated] == [1 / 2996, 1 / 2998, 0.0]


def test_all_keywords_pooled() -> None:
    overall = scored(BASICS, pooled=True).overall
    (pool,) = overall.keywords
    assert (pool.targets, pool.false_alarms) == (7, 3)
    assert shown(overall.actual) == ("0.00100", "0.571", "-0.5737", "0.5000")
    assert (shown(overall.maximum)[2:]) == ("-0.0484", "0.8000")
    assert f"{overall.mean_average_precision:.2f}" == "0.33"


def test_a_pool_has_the_trials_of_all_its_keywords() -> None:
    assert scored(BASICS, SOUND, pooled=True).overall.actual.p_fa == 3 / (4 * 3000 - 7)


@BOTH
def test_decisions_all_against(rules: SearchRules) -> None:
    silent = BASICS._replace(detections=[d._replace(decision=False) for d in BASICS.detections])
    assert shown(scored(silent, rules).overall.actual) == ("0.00000", "1.000", "0.0000", "0.9500")


@pytest.mark.parametrize(
    ("parameters", "evaluated", "actual", "maximum"),
    [
        ({}, ["KW-1", "KW-2", "KW-4"], "0.1109", "0.2222"),
        ({"with_untargeted": True}, ["KW-1", "KW-2", "KW-3", "KW-4"], "0.0832", "0.1666"),
        ({"searched_only": True}, ["KW-1", "KW-2"], "0.1664", "0.3332"),
    ],
    ids=["default", "with untargeted", "searched only"],
)
@BOTH
def test_keywords_without_references(
    rules: SearchRules, parameters: dict[str, bool], evaluated: list[str], actual: str, maximum: str
) -> None:
    overall = scored(BASICS, rules, **parameters).overall
    assert [s.block.identifier for s in overall.evaluated] == evaluated
    assert (shown(overall.actual)[2], shown(overall.maximum)[2]) == (actual, maximum)


@BOTH
def test_groups_by_source_type(rules: SearchRules) -> None:
    groups, warnings = scored(BASICS, rules).groups(by_source_type(["NEWS:bnews", "cts"]))
    assert warnings == ()
    figures = [
        (
            group.trials.name,
            group.trials.trials,
            len(group.evaluated),
            *shown(group.actual)[2:3],
            *shown(group.maximum)[2:],
        )
        for group in groups
    ]
    assert figures == [
        ("NEWS", 1000, 2, "0.2490", "0.7500", "0.7000"),
        ("cts", 2000, 3, "-0.0001", "0.1667", "0.8000"),
    ]


@BOTH
def test_the_mapping(rules: SearchRules) -> None:
    scores = scored(MAPPING, rules)
    overall = scores.overall
    assert shown(overall.actual) == ("0.00050", "0.250", "0.2495", "0.5500")
    assert shown(overall.maximum)[2:] == ("0.4164", "0.6500")
    assert shown(overall.optimum)[2] == "0.5833"
    assert shown(overall.supremum)[2] == "0.9167"
    rows = [line.split(",")[3:] for line in alignment_lines(scores)][1:]
    outcome = {(row[0], row[6]): (row[2], row[8]) for row in rows if row[6] and row[0] != "D"}
    # E's detection may belong to either of its references
    assert outcome.pop(("E", "0.95"))[1] == "CORR"
    assert outcome == {
        ("A", "0.90"): ("10", "CORR"),
        ("A", "0.60"): ("", "FA"),
        ("B", "0.65"): ("20", "CORR"),
        ("B", "0.70"): ("20.6", "CORR"),
        ("C", "0.80"): ("30", "CORR"),
        ("C", "0.85"): ("", "FA"),
        ("F", "0.50"): ("60", "MISS"),
        ("F", "0.45"): ("", "CORR!DET"),
    }
    assert [row[4:6] + row[8:] for row in rows if row[0] == "D"] == [
        ["40.1", "41.1", "CORR"],
        ["40.5", "41.5", "FA"],
    ]
    means = list(keyword_report([overall]).lines("CSV"))[-2]
    assert means.split(",")[:5] == ['"Summary|Means"', "", '"1"', '"1"', '"0"']


def test_excerpts() -> None:
    overall = scored(EXCERPTS).overall
    assert (overall.trials.duration, overall.trials.trials) == (510.0, 510)
    counts = [(s.targets, s.correct, s.false_alarms) for s in overall.keywords]
    assert counts == [(5, 3, 2), (2, 1, 0)]
    assert [f"{s.twv:.4f}" for s in overall.keywords] == ["-3.3600", "0.5000"]
    assert shown(overall.actual)[2] == "-1.4300"
    assert shown(overall.maximum)[2:] == ("0.2000", "0.8000")


def test_what_lies_outside_of_excerpts_is_counted() -> None:
    scores = scored(EXCERPTS)
    account = scores.alignment.account
    assert (account.detections, account.unknown_audio, account.outside_excerpts) == (10, 2, 2)
    assert account.references_outside == 3
    assert scores.warnings[:3] == (
        "not scored: detections of a file or channel without excerpt: 2",
        "not scored: detections that no excerpt holds entirely: 2",
        "not scored: references that no excerpt, or segment, holds entirely: 3",
    )


def test_trials_per_second_divide_or_multiply() -> None:
    halved = scored(EXCERPTS, trials_per_second=2).overall
    assert (halved.trials.trials, shown(halved.actual)[2]) == (255, "-3.4496")
    assert scored(EXCERPTS, SOUND, trials_per_second=2).overall.trials.trials == 1020


def test_other_costs() -> None:
    overall = scored(EXCERPTS, cost=0.5, value=2.0, prior=0.01).overall
    assert overall.trials.parameters.beta == 24.75
    assert shown(overall.actual)[2] == "0.5010"
    assert shown(overall.maximum)[2:] == ("0.5255", "0.6000")


def test_a_reference_is_inside_or_not() -> None:
    overall = scored(EXCERPTS, SOUND).overall
    # "edge case" ends after its excerpt; the detection of news.v1.sph finds its file
    counts = [(s.targets, s.correct, s.false_alarms) for s in overall.keywords]
    assert counts == [(5, 4, 2), (1, 1, 0)]


@BOTH
def test_segments(rules: SearchRules) -> None:
    overall = scored(SEGMENTS, rules, segments=True).overall
    assert (overall.trials.trials, overall.trials.duration) == (8, None)
    alpha, bravo = overall.keywords
    assert (alpha.targets, alpha.correct, alpha.false_alarms, alpha.correct_rejections) == (
        3, 1, 1, 1,
    )  # fmt: skip
    assert (alpha.p_fa, bravo.p_fa) == (1 / 5, 1 / 7)
    assert [f"{s.twv:.4f}" for s in overall.keywords] == ["-199.6467", "-141.8429"]
    assert shown(overall.actual)[2] == "-170.7448"
    assert shown(overall.maximum)[2:] == ("0.6667", "0.8000")
    assert shown(overall.supremum)[2] == "0.8333"


def test_the_same_in_occurrences() -> None:
    overall = scored(SEGMENTS).overall
    assert overall.trials.trials == 60
    assert sum(s.targets for s in overall.keywords) == 6
    assert shown(overall.actual)[2] == "-17.2304"
    assert shown(overall.maximum)[2:] == ("-8.3027", "0.7000")


SUMMARY = """\
|  Performance Summary Over and Ensemble of Subsets  |
|               Key               |      Value       |
|---------------------------------+------------------+
|                    System Title |               NA |
|                     Decision ID |       Occurrence |
|      IncludeBlocksWithNoTargets |                0 |
|                          TotDur |          3000.25 |
|                       TotTrials |             3000 |
|                 TrialsPerSecond |                1 |
|                            BETA |            999.9 |
|                            Cost |           0.1000 |
|                           Ptarg |           0.0001 |
|                           Value |                1 |


|              |                  Inputs                  |                               Actual Decision TWV Analysis                                |              Maximum TWV Analysis               |
|    Title     |  #Keyword  |  #Targ  |  #NTarg  |  #Sys  |  #CorDet  |  #Cor!Det  |  #FA  |  #Miss  |    PFA    |  PMiss   |   TWV    |  Dec. Tresh  |    PFA    |  PMiss   |   TWV    |  Dec. Thresh  |
|--------------+------------+---------+----------+--------+-----------+------------+-------+---------+-----------+----------+----------+--------------+-----------+----------+----------+---------------+
|   Occurrence |          3 |       7 |        3 |      7 |         3 |          1 |     2 |       4 |   0.00022 |    0.667 |   0.1109 |       0.5000 |   0.00011 |    0.667 |   0.2222 |         0.700 |
"""

BY_KEYWORD = """\
                 |    MetaData    |                              Occurrence                               |
                 |      Text      |  #Targ  |  #Corr  |  #FA  |  #Miss  |   TWV    |    PFA    |  PMISS   |
-----------------+----------------+---------+---------+-------+---------+----------+-----------+----------+
Keyword  KW-1    |          Tiger |       4 |       2 |     1 |       2 |   0.1663 |   0.00033 |    0.500 |
         KW-2    |   snow leopard |       2 |       1 |     1 |       1 |   0.1665 |   0.00033 |    0.500 |
         KW-3    |        unicorn |         |         |       |         |          |           |          |
         KW-4    |           lynx |       1 |       0 |     0 |       1 |   0.0000 |   0.00000 |    1.000 |
Summary  Totals  |                |       7 |       3 |     2 |       4 |          |           |          |
         Means   |                |       2 |       1 |     1 |       1 |          |   0.00022 |    0.667 |
         TWV     |                |         |         |       |         |   0.1109 |           |          |
"""


def test_the_tables_to_the_byte() -> None:
    overall = scored(BASICS).overall
    assert "\n".join(summary_report([overall]).lines("TXT")) + "\n" == SUMMARY
    lines = list(keyword_report([overall]).lines("TXT"))
    assert lines[:15] == SUMMARY.splitlines()[:15]
    assert "\n".join(lines[15:]) + "\n" == BY_KEYWORD


def test_the_alignment_to_the_byte() -> None:
    lines = list(alignment_lines(scored(BASICS)))
    assert lines[0] == (
        "language,file,channel,termid,term,ref_bt,ref_et,sys_bt,sys_et,sys_score,sys_decision,"
        "alignment"
    )
    for line in (
        ",alpha,1,KW-1,Tiger,30.00,30.5000,30.05,30.55,0.40,NO,MISS",
        ",beta,1,KW-1,Tiger,400.00,400.5000,,,,,MISS",
        ",alpha,1,KW-1,Tiger,,,40.00,40.5,0.60,YES,FA",
        ",beta,1,KW-1,Tiger,,,500.00,500.5,0.30,NO,CORR!DET",
        ",alpha,1,KW-3,unicorn,,,600.00,600.5,0.95,YES,FA",
        ",beta,1,KW-4,lynx,300.00,300.5000,,,,,MISS",
    ):
        assert line in lines
    assert len(lines) == 12


def test_the_curve_to_six_digits() -> None:
    data = next(file for file in set_files(scored(BASICS).overall) if file.ending == ".dat.1")
    rows = [line.split() for line in data.lines if not line.startswith("#")]
    assert all(len(row) == 16 for row in rows)
    assert [" ".join(f"{float(row[i]):.6g}" for i in (0, 3, 4, 5)) for row in rows][:4] == [
        "0.3 0.583333 0.000333704 0.0829959",
        "0.4 0.583333 0.000222445 0.194244",
        "0.6 0.666667 0.000222445 0.110911",
        "0.7 0.666667 0.000111185 0.222159",
    ]
    assert [row[0] for row in rows[4:]] == ["0.75", "0.8", "0.9"]
    assert rows[-1][2].startswith("-8.1263604")


def test_contradicting_decisions() -> None:
    wrong = BASICS._replace(
        detections=[
            d._replace(decision=d.score != 0.9) if d.keyword == "KW-1" else d
            for d in BASICS.detections
            if d.score in (0.9, 0.8)
        ]
    )
    with pytest.raises(ContradictingDecisionsError) as caught:
        scored(wrong, consistent=True)
    assert (caught.value.most_no, caught.value.least_yes) == ("0.90", "0.80")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.most_no) == (str(caught.value), "0.90")
    assert str(caught.value).splitlines() == [
        "Error: Inconsistent NO/YES decision boundary for Targets for block KW-1.   "
        "Scores for MaxNo=0.90 > MinYes=0.80",
        "Error: Insconsistent NO/YES decision boundary for block KW-1.  "
        "Scores for MaxNo=0.90 > MinYes=0.80",
        "Error: Insconsistent NO/YES decision boundary across blocks.  "
        "Scores for MaxNo=0.90 > MinYes=0.80",
        "Error: Computation of Decision Score Threshold Failed.  Aborting",
    ]
    tolerated = scored(wrong)
    assert tolerated.overall.actual.threshold is None
    assert "(KW-1 has NO at 0.90, KW-1 has YES at 0.80)" in tolerated.warnings[-1]
