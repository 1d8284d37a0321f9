"""From files, systems and counts to intervals and comparisons."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any, cast

import pytest

import scoring
from formats.io.errors import UnreadableFileError
from formats.schema.messages import Message
from scoring.alignment.system import System
from scoring.model.errors import StatisticsError
from scoring.nist.session import ScoreRequest, Session
from scoring.nist.transcripts.input_files import TranscriptFile
from scoring.options import Options
from scoring.regression.significance import ALL_TESTS
from scoring.sides.matching import MatchingError
from scoring.stats import bootstrap
from scoring.stats.messages import NO_TOKENS, TOO_FEW
from tests.each_case import each_case

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REFERENCE = DEMO / "reference.trn"
BASELINE = DEMO / "baseline.trn"
IMPROVED = DEMO / "improved.trn"
FAST = scoring.Resampling(replications=500, seed=7)
FILES = {"scored": BASELINE, "reference": REFERENCE}
COUNTS = [scoring.Counts(8, 1, 1, 0), scoring.Counts(5, 0, 0, 2), scoring.Counts(9, 2, 0, 0)]


def system(path: Path, reference: Path = REFERENCE) -> System:
    def source(path: Path) -> TranscriptFile:
        return TranscriptFile(str(path), path.suffix[1:], path.stem)

    request = ScoreRequest(identifier_kind="spu_id")
    return Session(request, pytest.fail).score(source(reference), source(path)).system


def test_files() -> None:
    result = scoring.confidence_interval(BASELINE, reference=REFERENCE, resampling=FAST)
    assert result.bootstrap is not None
    assert round(100 * result.bootstrap.estimate, 1) == 20.6  # as the demo's README says
    assert (result.block, result.bootstrap.units) == ("speaker", 4)
    assert str(result).startswith(f"{BASELINE}: 20.57 % [")
    assert str(result).endswith(
        "] (only 4 speakers) (95 % Student's t of the log rate, 4 units by speaker, design effect "
        "4.58)"
    )
    plain = scoring.confidence_interval(
        BASELINE, reference=REFERENCE, resampling=FAST._replace(interval="percentile")
    )
    assert str(plain).endswith("4 units by speaker, design effect 4.58, 500 replications, seed 7)")


@each_case(
    ("function", "sides", "choices", "expected"),
    [
        ("compare", (["a"], ["b"], ["c"]), {}, "write compare(old, new, reference=reference)"),
        ("compare_all", (["a"], ["b"], ["c"]), {}, "write compare_all(old, [first, second], "),
        ("confidence_interval", (["a"], ["b"]), {}, "write confidence_interval(hypothesis, ref"),
        ("compare", (), {"old": ["a"], "new": ["b"]}, "did you mean 'baseline'?"),
        ("compare", (["a"], ["b"]), {}, "a hypothesis with reference=..."),
    ],
)
def test_a_wrong_call_says_what_to_write(
    function: str, sides: tuple[Any, ...], choices: dict[str, Any], expected: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(expected)):
        getattr(scoring, function)(*sides, **choices)


def test_every_number_of_the_bootstrap_is_marked_if_units_are_few() -> None:
    old = [scoring.Counts(8, 1, 1, 0), scoring.Counts(5, 0, 0, 2), scoring.Counts(9, 2, 0, 0)]
    new = [scoring.Counts(10, 0, 0, 0), scoring.Counts(5, 0, 0, 0), scoring.Counts(11, 0, 0, 0)]
    few = str(scoring.compare(old, new, resampling=FAST))
    marked = [line.partition(":")[0] for line in few.splitlines() if "only 3 utterances" in line]
    assert marked[2:] == ["difference", "probability of improvement", "bootstrap"]
    assert "improvement: > 0.9999 (" in few
    many = str(scoring.compare(new * 20, old * 20, resampling=FAST))
    assert "only" not in many
    assert "improvement: < 0.0001\n" in many


def test_a_chosen_unit_is_used_and_flagged() -> None:
    result = scoring.confidence_interval(
        BASELINE, reference=REFERENCE, resampling=FAST, block="utterance"
    )
    assert result.bootstrap is not None
    assert result.bootstrap.units == 60
    assert result.bootstrap.limits == result.bootstrap.percentile
    assert result.bootstrap.flag == "only 4 speakers"
    assert str(result).endswith(
        "60 units by utterance, design effect 4.58, 500 replications, seed 7)"
    )


def test_same_from_files_systems_alignments_and_counts() -> None:
    from_file = scoring.confidence_interval(BASELINE, reference=REFERENCE, resampling=FAST)
    scored = system(BASELINE)
    from_system = scoring.confidence_interval(scored, resampling=FAST)
    counts = list(scored.counts)
    assert from_file.bootstrap == from_system.bootstrap
    by_utterance = scoring.confidence_interval(scored, resampling=FAST, block="utterance").bootstrap
    assert by_utterance is not None
    unknown = by_utterance._replace(speakers=None, design_effect=None)
    assert scoring.confidence_interval(counts, resampling=FAST).bootstrap == unknown
    references, hypotheses = [["a", "b"], ["c"], ["d"]], [["a"], ["c"], ["x"]]
    alignments = scoring.align_batch(references, hypotheses)
    table = scoring.edit_distance_batch(references, hypotheses)
    assert scoring.confidence_interval(alignments) == scoring.confidence_interval(table)
    expected = bootstrap([[1, 2], [0, 1], [1, 1]])
    assert scoring.confidence_interval(table).bootstrap == expected


def test_blocks() -> None:
    by_speaker = scoring.confidence_interval(BASELINE, reference=REFERENCE, block="speaker")
    assert by_speaker.bootstrap is not None
    assert (by_speaker.block, by_speaker.bootstrap.units) == ("speaker", 4)
    scored = system(BASELINE)
    labels = [scored.speakers[number] for number in scored.utterances.speakers]
    labelled = scoring.confidence_interval(scored, block=labels)
    assert labelled.bootstrap == by_speaker.bootstrap._replace(block="given blocks")
    assert labelled.bootstrap.flag == "only 4 blocks"
    assert labelled.block == "given blocks"


def test_recordings() -> None:
    scored = system(DEMO / "improved.ctm", DEMO / "reference.stm")
    result = scoring.confidence_interval(scored, block="recording")
    assert result.bootstrap is not None
    assert result.bootstrap.units == 2
    with pytest.raises(StatisticsError, match="have no recording: pass a list"):
        scoring.confidence_interval(system(BASELINE), block="recording")
    with pytest.raises(StatisticsError, match="have no speaker"):
        scoring.confidence_interval(COUNTS, block="speaker")


def test_comparison_of_files() -> None:
    result = scoring.compare(BASELINE, IMPROVED, reference=REFERENCE, resampling=FAST)
    assert result.bootstrap is not None
    assert result.bootstrap.difference.estimate == pytest.approx(79 / 564 - 116 / 564)
    assert result.bootstrap.difference.percentile.high < 0
    assert [test.name for test in result.tests] == ["bootstrap", "randomisation"]
    assert all(test.p_value is not None and test.p_value < 0.05 for test in result.tests)
    text = str(result)
    # the size of the effect stands before its significance
    assert text.index("difference: -6.56 points [") < text.index("bootstrap: p = ")
    assert "500 replications, seed 7" in text


def test_systems_given_as_mappings_keep_distinct_names() -> None:
    reference = {"a": "x y", "b": "z"}
    systems = [{"a": "x", "b": "z"}, {"a": "x y", "b": "v"}]
    named = scoring.compare_all(systems[0], systems[1:], reference=reference, resampling=FAST)
    assert (named[0].baseline, named[0].new) == ("baseline", "new")
    apart = scoring.compare(
        *(scoring.wer(reference, system) for system in systems), resampling=FAST
    )
    assert (apart.baseline, apart.new) == ("baseline", "new")
    three = scoring.compare_all(systems[0], systems, reference=reference, resampling=FAST)
    assert [each.new for each in three] == ["system 1", "system 2"]


def without_first_line(path: Path, target: Path) -> Path:
    target.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    return target


def test_refuses_other_utterances(tmp_path: Path) -> None:
    fewer = without_first_line(IMPROVED, tmp_path / "fewer.trn")
    with pytest.raises(StatisticsError, match=r"found 60 and 59; only in .*baseline.trn: \w+-\d+$"):
        scoring.compare(BASELINE, fewer, reference=REFERENCE, missing="skip")
    with pytest.raises(StatisticsError, match="found 3 and 2"):
        scoring.compare(COUNTS, COUNTS[:2])


def test_an_utterance_without_hypothesis_counts_as_deleted(tmp_path: Path) -> None:
    fewer = without_first_line(IMPROVED, tmp_path / "fewer.trn")
    result = scoring.compare(IMPROVED, fewer, reference=REFERENCE, resampling=FAST)
    assert result.bootstrap is not None
    assert result.bootstrap.difference.estimate > 0
    assert result.bootstrap.new.estimate == scoring.wer(REFERENCE, fewer).corpus_rate


def test_results_of_wer_need_no_detour() -> None:
    """They were refused."""
    old, new = scoring.wer(REFERENCE, BASELINE), scoring.wer(REFERENCE, IMPROVED)
    assert scoring.confidence_interval(old, resampling=FAST) == scoring.confidence_interval(
        BASELINE, reference=REFERENCE, resampling=FAST
    )
    result = scoring.compare(old, new, tests=ALL_TESTS, resampling=FAST)
    expected = scoring.compare(
        BASELINE, IMPROVED, reference=REFERENCE, tests=ALL_TESTS, resampling=FAST
    )
    assert result == expected
    assert all(test.p_value is not None for test in result.tests)
    assert scoring.compare_all(old, [new], resampling=FAST)[0].bootstrap == result.bootstrap
    # a result and a file, and a result and a system of sclite's
    assert (
        scoring.compare(old, IMPROVED, reference=REFERENCE, tests=ALL_TESTS, resampling=FAST)
        == result
    )
    assert scoring.compare(old, system(IMPROVED), resampling=FAST).bootstrap == result.bootstrap
    by_speaker = scoring.confidence_interval(old, block="speaker", resampling=FAST)
    assert by_speaker.bootstrap is not None
    assert by_speaker.bootstrap.units == 4


def test_everything_that_wer_takes_is_taken(tmp_path: Path) -> None:
    """Paths of three formats were all."""
    references, hypotheses = ["A b.", "c d", "e"], ["a b", "c x", "e f"]
    plain = scoring.confidence_interval(hypotheses, reference=references, resampling=FAST)
    assert plain.bootstrap is not None
    assert plain.bootstrap.estimate == scoring.wer(references, hypotheses).corpus_rate
    for options in ({"normalize": "plain"}, {"unit": "char"}, {"ignore_case": True}):
        result = scoring.confidence_interval(
            hypotheses, reference=references, resampling=FAST, **options
        )
        assert result.bootstrap is not None
        assert (
            result.bootstrap.estimate == scoring.wer(references, hypotheses, **options).corpus_rate
        )
    names = [f"u{number}" for number in range(3)]
    by_name = scoring.compare(
        dict(zip(names, hypotheses, strict=True)),
        dict(zip(reversed(names), reversed(references), strict=True)),
        reference=dict(zip(names, references, strict=True)),
        resampling=FAST,
    )
    by_place = scoring.compare(hypotheses, references, reference=references, resampling=FAST)
    assert by_name.bootstrap == by_place.bootstrap
    rows = [json.dumps({"audio_filepath": f"{label}.wav", "text": "x y"}) for label in names]
    manifest, same, table = (tmp_path / name for name in ("ref.json", "same.dat", "hyp.dat"))
    for path in (manifest, same):
        path.write_text("\n".join(rows), "utf-8")
    table.write_text("".join(f"x z ({label})\n" for label in names), "utf-8")
    of_files = scoring.compare(
        scoring.File(table, format="trn"),
        scoring.File(str(same), format="nemo"),
        reference=manifest,
        resampling=FAST,
    )
    assert of_files.bootstrap is not None
    assert of_files.bootstrap.difference.estimate == -0.5


def test_results_of_other_rules_are_not_compared() -> None:
    old = scoring.wer(["a b", "c"], ["a", "c"])
    new = scoring.wer(["a b", "c"], ["a", "c"], unit="char")
    with pytest.raises(StatisticsError, match="of the same rules, found unit='word' and 'char'"):
        scoring.compare(old, new)


def test_several_systems_are_corrected() -> None:
    result = scoring.compare_all(
        BASELINE, [IMPROVED, BASELINE], reference=REFERENCE, resampling=FAST
    )
    assert len(result) == 2
    better, same = (comparison.tests[0] for comparison in result)
    assert better.p_value is not None
    assert better.adjusted == 2 * better.p_value
    assert (same.p_value, same.adjusted) == (1.0, 1.0)
    assert "adjusted" in str(result)
    assert result._repr_html_().count("<tr>") == 4


def test_without_numbers_there_is_a_reason() -> None:
    result = scoring.confidence_interval([scoring.Counts(0, 0, 0, 1), scoring.Counts()])
    assert result.bootstrap is None
    assert result.reason == str(Message(NO_TOKENS, {"sums": "totals"}))
    assert "no interval" in str(result)
    assert "n/a" in result._repr_html_()
    compared = scoring.compare(COUNTS[:1], COUNTS[:1])
    assert compared.bootstrap is None
    assert compared.reason == Message(TOO_FEW, {"unit": "utterance", "number": 1})
    assert [test.p_value for test in compared.tests] == [None, None]
    assert "no comparison" in str(compared)
    assert "n/a" in compared._repr_html_()
    corrected = scoring.compare_all(COUNTS[:1], [COUNTS[:1]])
    assert [test.adjusted for test in corrected[0].tests] == [None, None]


def test_a_comparison_shows_its_verdict_and_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    old = scoring.wer(REFERENCE, BASELINE)
    result = scoring.compare(old, scoring.wer(REFERENCE, IMPROVED), resampling=FAST)
    assert repr(result) == str(result)
    verdict = result.lead()
    assert verdict.good is True
    assert result._repr_html_().startswith(f"<p><strong>{verdict.text}.</strong></p><table>")
    result.show()
    page = capsys.readouterr().out
    assert page.splitlines()[1] == verdict.text
    assert "\nWorse\n" in page
    assert result.results is not None
    frame = cast("Any", result.results.page())._repr_html_()
    assert frame.startswith("<iframe ")
    assert verdict.text in unescape(unescape(frame)).replace("\N{NO-BREAK SPACE}", " ")
    same = scoring.compare(old, old, resampling=FAST)
    assert same.lead().text.startswith("As good as the baseline")
    scoring.compare(COUNTS, COUNTS, resampling=FAST).show()
    assert capsys.readouterr().out.startswith("As good as the baseline: ")


def test_a_comparison_is_a_table_with_the_deciding_p_value() -> None:
    old, new = (scoring.wer(REFERENCE, path, measures=["words"]) for path in (BASELINE, IMPROVED))
    result = scoring.compare(old, new, resampling=FAST)
    assert (result.baseline, result.new) == ("baseline.trn", "improved.trn")
    assert str(BASELINE.parent) not in str(result) + result._repr_html_()
    assert result.deciding is result.tests[1]  # randomisation, whatever the order
    assert result.p_value == result.tests[1].p_value
    table = result.to_pandas()
    first = table.iloc[0]
    assert (first["measure"], first["test"], first["p_value"]) == (
        *("error_rate", "randomisation"),
        result.p_value,
    )
    assert first["difference"] == first["new_value"] - first["baseline_value"]
    assert first["low"] < first["difference"] < first["high"]
    assert set(table["measure"][1:].str.partition(".")[0]) == {"words"}
    assert table["p_value"][1:].isna().all()
    several = scoring.compare_all(old, [new, new], resampling=FAST)
    adjusted = several.to_pandas()
    assert list(adjusted["p_value"]) == [part.tests[1].adjusted for part in several]
    assert several[0].p_value == several[0].tests[1].adjusted
    few = scoring.compare(COUNTS[:1], COUNTS[:1], resampling=FAST)
    assert (few.p_value, few.to_pandas()["difference"].isna().all()) == (None, True)
    assert scoring.compare(old, new, tests=[]).p_value is None


@pytest.mark.parametrize(
    ("attribute", "meant"),
    [("pvalue", "p_value"), ("to_panda", "to_pandas"), ("difference", "bootstrap.difference")],
)
def test_an_unknown_attribute_of_a_comparison_has_a_suggestion(attribute: str, meant: str) -> None:
    result = scoring.compare(COUNTS, COUNTS, resampling=FAST)
    with pytest.raises(AttributeError, match=rf"'{attribute}'; did you mean '{meant}'\?$"):
        getattr(result, attribute)
    with pytest.raises(AttributeError, match=r"'zzz'$"):
        getattr(result, "zzz")  # noqa: B009


def test_html_is_escaped() -> None:
    scored = system(BASELINE)
    scored.title = "<script>alert(1)</script>&"
    pages = [
        scoring.confidence_interval(scored, resampling=FAST)._repr_html_(),
        scoring.compare(scored, scored, resampling=FAST)._repr_html_(),
    ]
    for text in pages:
        assert "<script>" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in text
        assert "4 units by speaker, design effect 4.58" in text
        assert "(only 4 speakers)" in text


@each_case(
    ("arguments", "problem", "message"),
    [
        ({"scored": BASELINE}, TypeError, r"a hypothesis needs a reference: pass reference=\.\.\."),
        ({"scored": scoring.File("x.trn")}, TypeError, "a hypothesis needs a reference"),
        ({"scored": {"u": "a"}}, TypeError, "a hypothesis needs a reference"),
        ({"scored": "a b"}, TypeError, "a hypothesis needs a reference"),
        ({"scored": COUNTS, "unit": "char"}, TypeError, "unit needs a hypothesis to score"),
        (
            {"scored": COUNTS, "options": Options()},
            TypeError,
            "options needs a hypothesis to score",
        ),
        (
            {"scored": COUNTS, "reference": REFERENCE},
            TypeError,
            "found a result that is scored already",
        ),
        ({"scored": [(1, 2, 3, 4)]}, TypeError, "Counts of each utterance"),
        ({**FILES, "units": "char"}, TypeError, "units"),
        ({"scored": COUNTS, "block": "word"}, ValueError, "block: expected one of"),
    ],
)
def test_misuse(arguments: dict[str, Any], problem: type[Exception], message: str) -> None:
    with pytest.raises(problem, match=message):
        scoring.confidence_interval(**arguments)


def test_the_name_of_a_file_is_a_text() -> None:
    with (
        pytest.warns(UserWarning, match=r"pass pathlib\.Path"),
        pytest.raises(MatchingError, match="none of the identifiers occurs in"),
    ):
        scoring.confidence_interval(str(BASELINE), reference=REFERENCE)


def test_unknown_tests() -> None:
    with pytest.raises(ValueError, match=r"tests: expected some of .*wilcoxon, found 'guess'"):
        scoring.compare(COUNTS, COUNTS, tests=["guess"])  # type: ignore[list-item]


def test_files_that_cannot_be_scored(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="no such file"):
        scoring.confidence_interval(tmp_path / "hyp.txt", reference=REFERENCE)


def test_public_names_are_no_modules() -> None:
    import scoring.stats

    for name in {*dir(scoring.stats)} - {*vars(scoring.stats)}:
        assert callable(getattr(scoring.stats, name)), name
    assert callable(scoring.stats.bootstrap)
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        scoring.stats.guess  # noqa: B018
