import pytest

from formats.keywords.model import Detection, Excerpt, Keyword, SearchedKeyword
from scoring.tasks.kws.conditions import (
    KeywordCondition,
    by_attributes,
    by_keywords,
    by_source_type,
    by_targets,
    by_vocabulary,
)
from scoring.tasks.kws.evaluation import KeywordSearchScores, score
from scoring.tasks.kws.parameters import F4DE, SOUND, KeywordSearchError, Parameters, SearchRules
from scoring.tasks.kws.references import Reference
from scoring.tasks.kws.reports import TableLayout, keyword_report, summary_report


def scores_of(rules: SearchRules = SOUND, *, segments: bool = False) -> KeywordSearchScores:
    """K1 is found, K2 missed, K3 a false alarm, K4 nowhere; K2 is out of vocabulary."""
    keywords = [
        Keyword("K1", "one", (("Class", "big"), ("Syllables", "3"))),
        Keyword("K2", "two", (("Class", "small"), ("Syllables", "3"))),
        Keyword("K3", "three", (("Class", "big"),)),
        Keyword("K4", "four", (("Class", "big"), ("Syllables", "12"))),
    ]
    detections: list[SearchedKeyword | Detection] = [
        SearchedKeyword("K1", oov_count=None),
        Detection("K1", "f", "1", 10.0, 1.0, 0.9, True),
        SearchedKeyword("K2", oov_count=1),
        SearchedKeyword("K3"),
        Detection("K3", "f", "1", 30.0, 1.0, 0.8, True),
    ]
    references = [Reference("K1", "f", "1", 10.0, 11.0), Reference("K2", "g", "1", 20.0, 21.0)]
    excerpts = [Excerpt("f", "1", 0, 100, "bnews"), Excerpt("g", "1", 0, 50, "cts")]
    return score(
        excerpts,
        keywords,
        detections,
        references=references,
        parameters=Parameters(rules=rules, segments=segments),
    )


def members(condition: KeywordCondition, rules: SearchRules = SOUND) -> dict[str, list[str]]:
    groups, _ = scores_of(rules).groups(condition)
    return {g.trials.name: [s.block.identifier for s in g.keywords] for g in groups}


def test_source_types() -> None:
    assert members(by_source_type(["NEWS:BNEWS", "cts", "all:.*"])) == {
        "NEWS": ["K1", "K3", "K4"],
        "all": ["K1", "K2", "K3", "K4"],
        "cts": ["K2", "K4"],
    }
    groups, warnings = scores_of().groups(by_source_type(["confmtg"]))
    assert groups == ()
    assert warnings == ("No ECF segments available for group : confmtg, (group duration is 0)",)


def test_keywords() -> None:
    assert members(by_keywords(["first:k1,K2", "K3"])) == {
        "K3": ["K3", "K4"],
        "first": ["K1", "K2", "K4"],
    }


@pytest.mark.parametrize(("rules", "three"), [(SOUND, "3"), (F4DE, "03")], ids=["sound", "f4de"])
def test_attributes(rules: SearchRules, three: str) -> None:
    assert members(by_attributes(["Class && Syllables"]), rules) == {
        f"Class-big X Syllables-{three}": ["K1"],
        f"Class-small X Syllables-{three}": ["K2"],
        "Class-big X Syllables-12": ["K4"],
    }
    assert members(by_attributes(["Class:regex=^b", "Class:regex=mal"])) == {
        "Class-big": ["K1", "K3", "K4"],
        "Class-small": ["K2"],
    }


def test_vocabulary_and_targets() -> None:
    assert members(by_vocabulary) == {"IV": ["K1", "K3"], "OOV": ["K2"]}
    assert members(by_targets) == {"HasTargets": ["K1", "K2"], "NoTargets": ["K3", "K4"]}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: by_keywords(["a:K1", "a:K2"]), "groups of different names, found 'a' twice"),
        (lambda: by_attributes(["A && "]), "expected attributes, found 'A && '"),
        (lambda: scores_of().groups(by_attributes(["A:regex=("])), "a regular expression, found"),
        (lambda: scores_of().groups(by_keywords(["["])), "a regular expression, found"),
    ],
)
def test_conditions_that_cannot_be(make: object, message: str) -> None:
    with pytest.raises(KeywordSearchError, match=message):
        make()  # type: ignore[operator]


def test_parameters_that_differ_become_columns() -> None:
    groups, _ = scores_of().groups(by_source_type(["bnews", "cts"]))
    report = summary_report(groups)
    header = list(report.header.csv_lines())
    assert not any("TotDur" in line or "TotTrials" in line for line in header)
    names = next(report.table.csv_lines())
    assert names.startswith('" |Title","Parameters|TotDur","Parameters|TotTrials","Inputs|#Targ"')


def test_a_set_without_evaluated_keywords() -> None:
    groups, _ = scores_of().groups(by_targets)
    rows = list(summary_report(groups).lines("CSV"))
    assert rows[2] == (
        '"NoTargets",,"0","0","0","0","0","0","0","NA","NA","NA","0.8000","NA","NA","NA","NaN"'
    )
    lines = list(keyword_report(groups, TableLayout(("MAP",))).lines("TXT"))
    assert lines[-3].startswith("Summary  Totals")
    assert [cell.strip() for cell in lines[-2].split("|")[9:-1]] == [
        "0", "0", "0", "0", "", "NA", "NA", "0.50",
    ]  # fmt: skip


def test_the_count_of_keywords_comes_last_if_the_first_row_has_none() -> None:
    groups, _ = scores_of().groups(by_keywords(["a:K1", "b:K.*"]))
    groups = (groups[0]._replace(keywords=groups[0].keywords[:1]), groups[1])
    names = next(summary_report(groups).table.csv_lines()).split(",")
    assert names[1] == '"Inputs|#Targ"'
    assert names[-1] == '"Inputs|#Keyword"'
    assert next(summary_report(groups).table.text_lines()).count("Inputs") == 2


def test_columns_stand_where_the_original_fills_them() -> None:
    """Its own test of a group without keywords shows that group last, counts turned round."""
    condition = by_keywords(["a:K4", "b:K1", "c:K[12]"])

    def headings(rules: SearchRules, *, segments: bool = False) -> list[str]:
        groups, _ = scores_of(rules, segments=segments).groups(condition)
        names = next(keyword_report(groups, TableLayout(("MAP",))).table.csv_lines())
        return names.replace('"', "").split(",")[1:]

    usual = ["#Targ", "#Corr", "#FA", "#Miss", "TWV", "PFA", "PMISS"]
    turned = ["#Miss", "#FA", "#Corr", "#Targ", "PFA", "PMISS", "TWV"]
    assert headings(F4DE) == [
        "MetaData|Text",
        *(f"b|{name}" for name in usual),
        "Global Measures|AP",
        *(f"c|{name}" for name in usual),
        *(f"a|{name}" for name in turned),
    ]
    # without turns nothing is spoken in any segment: no group has an evaluated keyword
    assert headings(F4DE, segments=True)[1:9] == [
        f"a|{name}" for name in ("#Miss", "#FA", "#Corr!Det", *turned[2:])
    ]
    assert headings(SOUND)[1:8] == [f"a|{name}" for name in usual]
    assert headings(SOUND)[-1] == "Global Measures|AP"


def test_measures_of_a_keyword_come_from_the_first_group_that_has_it_in_the_original() -> None:
    condition = by_keywords(["a:K1", "b:K[12]"])
    for rules, text in ((F4DE, "0.00"), (SOUND, "")):
        groups, _ = scores_of(rules).groups(condition)
        rows = dict(keyword_report(groups, TableLayout(("MAP",))).table.rows)
        assert rows["Keyword", "K1"]["Global Measures", "AP"] == "1.00"
        assert rows["Keyword", "K2"].get(("Global Measures", "AP"), "") == text
