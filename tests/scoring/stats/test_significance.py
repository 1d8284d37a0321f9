"""From files, systems and counts to intervals and comparisons."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoring
from scoring.alignment.system import System
from scoring.errors import InputError, OriginalError, StatisticsError
from scoring.nist.session import ScoreRequest, Session
from scoring.nist.transcripts.files import Source
from scoring.stats import bootstrap

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REFERENCE = DEMO / "reference.trn"
BASELINE = DEMO / "baseline.trn"
IMPROVED = DEMO / "improved.trn"
FAST = scoring.Resampling(replications=500, seed=7)
COUNTS = [scoring.Counts(8, 1, 1, 0), scoring.Counts(5, 0, 0, 2), scoring.Counts(9, 2, 0, 0)]


def system(path: Path, reference: Path = REFERENCE) -> System:
    def source(one: Path) -> Source:
        return Source(str(one), one.suffix[1:], one.stem)

    request = ScoreRequest(identifier_kind="spu_id")
    return Session(request, pytest.fail).score(source(reference), source(path)).system


def test_files() -> None:
    found = scoring.confidence_interval(BASELINE, reference=REFERENCE, resampling=FAST)
    assert found.bootstrap is not None
    assert round(100 * found.bootstrap.estimate, 1) == 20.6  # as the demo's README says
    assert found.bootstrap.units == 60
    assert str(found).startswith(f"{BASELINE}: 20.57 % [")
    assert str(found).endswith("60 units by utterance, 500 replications, seed 7)")


def test_same_from_files_systems_alignments_and_counts() -> None:
    from_file = scoring.confidence_interval(BASELINE, reference=REFERENCE, resampling=FAST)
    scored = system(BASELINE)
    from_system = scoring.confidence_interval(scored, resampling=FAST)
    counts = [scored.counts_of(number) for number in range(len(scored))]
    assert from_file.bootstrap == from_system.bootstrap
    assert scoring.confidence_interval(counts, resampling=FAST).bootstrap == from_system.bootstrap
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
    given = [scored.speakers[number] for number in scored.utterances.speakers]
    labelled = scoring.confidence_interval(scored, block=given)
    assert labelled.bootstrap == by_speaker.bootstrap
    assert labelled.block == "given blocks"


def test_recordings() -> None:
    scored = system(DEMO / "improved.ctm", DEMO / "reference.stm")
    found = scoring.confidence_interval(scored, block="recording")
    assert found.bootstrap is not None
    assert found.bootstrap.units == 2
    with pytest.raises(StatisticsError, match="do not know their recording"):
        scoring.confidence_interval(system(BASELINE), block="recording")
    with pytest.raises(StatisticsError, match="do not know the speaker"):
        scoring.confidence_interval(COUNTS, block="speaker")


def test_comparison_of_files() -> None:
    found = scoring.compare(BASELINE, IMPROVED, reference=REFERENCE, resampling=FAST)
    assert found.bootstrap is not None
    assert found.bootstrap.difference.estimate == pytest.approx(79 / 564 - 116 / 564)
    assert found.bootstrap.difference.percentile.high < 0
    assert [test.name for test in found.tests] == ["bootstrap", "randomisation"]
    assert all(test.p_value is not None and test.p_value < 0.05 for test in found.tests)
    text = str(found)
    # the size of the effect stands before its significance
    assert text.index("difference: -6.56 % [") < text.index("bootstrap: p = ")
    assert "500 replications, seed 7" in text


def test_order_of_utterances_does_not_matter(tmp_path: Path) -> None:
    turned = tmp_path / "turned.trn"
    lines = IMPROVED.read_text("utf-8").splitlines(keepends=True)
    turned.write_text("".join(reversed(lines)), "utf-8")
    ways = [
        scoring.compare(BASELINE, path, reference=REFERENCE, resampling=FAST)
        for path in (IMPROVED, turned)
    ]
    assert ways[0].bootstrap == ways[1].bootstrap
    assert ways[0].tests == ways[1].tests


def test_refuses_other_utterances(tmp_path: Path) -> None:
    fewer = tmp_path / "fewer.trn"
    lines = IMPROVED.read_text("utf-8").splitlines(keepends=True)
    fewer.write_text("".join(lines[1:]), "utf-8")
    with (
        pytest.warns(UserWarning, match="1 of 60 references have no hypothesis"),
        pytest.raises(StatisticsError, match=r"found 60 and 59; only in .*baseline.trn: \(\w+-\d+"),
    ):
        scoring.compare(BASELINE, fewer, reference=REFERENCE)
    with pytest.raises(StatisticsError, match="found 3 and 2"):
        scoring.compare(COUNTS, COUNTS[:2])


def test_several_systems_are_corrected() -> None:
    found = scoring.compare_all(
        BASELINE, [IMPROVED, BASELINE], reference=REFERENCE, resampling=FAST
    )
    assert len(found) == 2
    better, same = (one.tests[0] for one in found)
    assert better.p_value is not None
    assert better.adjusted == 2 * better.p_value
    assert (same.p_value, same.adjusted) == (1.0, 1.0)
    assert "adjusted" in str(found)
    assert found._repr_html_().count("<tr>") == 4


def test_without_numbers_there_is_a_reason() -> None:
    silent = [scoring.Counts(0, 0, 0, 1), scoring.Counts()]
    found = scoring.confidence_interval(silent)
    assert found.bootstrap is None
    assert found.reason == "totals have no score: there are no reference tokens"
    assert "no interval" in str(found)
    assert "n/a" in found._repr_html_()
    compared = scoring.compare(COUNTS[:1], COUNTS[:1])
    assert compared.bootstrap is None
    assert compared.reason == "expected at least two utterances, found 1"
    assert [test.p_value for test in compared.tests] == [None, None]
    assert "no comparison" in str(compared)
    assert "n/a" in compared._repr_html_()
    corrected = scoring.compare_all(COUNTS[:1], [COUNTS[:1]])
    assert [test.adjusted for test in corrected[0].tests] == [None, None]


def test_html_is_escaped() -> None:
    scored = system(BASELINE)
    scored.title = "<script>alert(1)</script>&"
    shown = [
        scoring.confidence_interval(scored, resampling=FAST)._repr_html_(),
        scoring.compare(scored, scored, resampling=FAST)._repr_html_(),
    ]
    for text in shown:
        assert "<script>" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in text
        assert "seed 7" in text


def test_misuse() -> None:
    with pytest.raises(TypeError, match="reference file"):
        scoring.confidence_interval(BASELINE)
    with pytest.raises(TypeError, match="go with the path"):
        scoring.confidence_interval(COUNTS, reference=REFERENCE)
    with pytest.raises(TypeError, match="expected Counts"):
        scoring.confidence_interval([(1, 2, 3, 4)])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="block: expected one of"):
        scoring.confidence_interval(COUNTS, block="word")
    with pytest.raises(ValueError, match="tests: expected some of"):
        scoring.compare(COUNTS, COUNTS, tests=["guess"])


def test_files_that_cannot_be_scored(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a file name in one of \.trn"):
        scoring.confidence_interval(tmp_path / "hyp.txt", reference=REFERENCE)
    with pytest.raises(OriginalError, match="Can't open input hypothesis"):
        scoring.confidence_interval(tmp_path / "hyp.trn", reference=REFERENCE)
    with pytest.raises(OriginalError, match="Unable to score"):
        scoring.confidence_interval(DEMO / "baseline.ctm", reference=REFERENCE)


def test_public_names_are_no_modules() -> None:
    import scoring.stats

    for name in {*dir(scoring.stats)} - {*vars(scoring.stats)}:
        assert callable(getattr(scoring.stats, name)), name
    assert callable(scoring.stats.bootstrap)
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        scoring.stats.guess  # noqa: B018
