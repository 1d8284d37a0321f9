"""NIST's tests by name: against scipy, by hand, and the verdicts of sc_stats on the demo."""

import random
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
import scipy

import scoring
from formats.schema.messages import Message
from scoring.model.counts import Edit
from scoring.model.errors import StatisticsError
from scoring.nist.session import ScoreRequest, Session
from scoring.nist.transcripts.input_files import TranscriptFile
from scoring.regression.comparison import SignificanceTest
from scoring.regression.nist_tests import (
    NIST_TESTS,
    PairedSystems,
    fair_coin_two_sided,
    matched_pairs,
    mcnemar,
    normal_two_sided,
    sign,
    wilcoxon,
)
from scoring.regression.significance import ALL_TESTS, TestName
from scoring.stats.matched_pairs import segments
from scoring.stats.messages import TOO_FEW
from tests.judge import MISSING, judge
from tests.judges.sc_stats.generate import Case
from tests.judges.sc_stats.programs import run_original, run_ours
from tests.judges.sclite.compare import Outcome

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
FAST = scoring.Resampling(replications=200)
NAMES = tuple(NIST_TESTS)
ABBREVIATIONS = {"MP": "matched-pairs", "SI": "sign", "WI": "wilcoxon", "MN": "mcnemar"}
ROW = re.compile(r"^\|\s+(MP|SI|WI|MN)\s+\|\|.*\|\s+(\S+)\s+<?([0-9.]+)\s", re.MULTILINE)


def on_demo(
    kind: str, tests: tuple[TestName, ...] = NAMES, block: str = "speaker"
) -> dict[str, float]:
    reference = DEMO / ("reference.trn" if kind == "trn" else "reference.stm")
    request = ScoreRequest(identifier_kind="spu_id", optional_deletable=kind == "ctm -D")
    session, systems = Session(request, print), []
    for name in ("baseline", "improved"):
        files = (reference, DEMO / f"{name}.{kind[:3]}")
        sources = (TranscriptFile(str(path), path.suffix[1:], name) for path in files)
        systems.append(session.score(*sources).system)
    result = scoring.compare(*systems, tests=tests, block=block, resampling=FAST)
    values = {test.name: test.p_value for test in result.tests}
    return {name: value for name, value in values.items() if value is not None}


def pairing(old: list[int], new: list[int], tokens: int = 100) -> PairedSystems:
    first, second = (
        [[errors, tokens] for errors in errors_of_system] for errors_of_system in (old, new)
    )
    return PairedSystems(first, second, None, None, "utterance")


def value_of(test: SignificanceTest) -> float:
    assert test.p_value is not None, test.remark
    return test.p_value


def reason(test: SignificanceTest) -> str:
    assert test.p_value is None
    return test.remark


# --- p-values


def test_the_coin_is_exact() -> None:
    for every in (*range(25), 120, 999):
        for heads in range(0, every + 1, max(1, every // 40)):
            fewer = min(heads, every - heads)
            tail = Fraction(sum(comb(every, number) for number in range(fewer + 1)), 2**every)
            expected = float(min(Fraction(1), 2 * tail))
            assert fair_coin_two_sided(heads, every - heads) == pytest.approx(expected, rel=1e-12)


def test_the_coin_is_scipy_s() -> None:
    for heads, tails in ((7, 15), (12, 12), (0, 40), (480, 520), (24_600, 25_400), (1, 3000)):
        expected = scipy.stats.binomtest(heads, heads + tails).pvalue
        assert fair_coin_two_sided(heads, tails) == pytest.approx(expected, abs=1e-9)
        assert fair_coin_two_sided(tails, heads) == fair_coin_two_sided(heads, tails)


def test_the_normal_tails_are_scipy_s() -> None:
    for z in (0.0, 0.3, -1.96, 4.2, -9.0):
        assert normal_two_sided(z) == pytest.approx(2 * scipy.stats.norm.sf(abs(z)), rel=1e-9)


# --- each test against scipy


def test_matched_pairs_is_the_normal_test_of_the_mean() -> None:
    rng = random.Random(3)
    for _ in range(20):
        first, second = (
            [bytes(rng.choices((0, 1, 2), (8, 1, 1), k=30)) for _ in range(20)] for _ in "ab"
        )
        pairs = list(zip(first, second, strict=True))
        cut = [number for a, b in pairs for number in segments(a, b)]
        gaps = [number.first_errors - number.second_errors for number in cut]
        z = np.mean(gaps) / scipy.stats.sem(gaps)
        result = matched_pairs(PairedSystems([], [], pairs, None, "utterance"))
        assert result.p_value == pytest.approx(2 * scipy.stats.norm.sf(abs(z)), abs=1e-9)
        assert result.remark.endswith(f"z = {z:.3f}")
        assert f"{len(gaps)} segments" in result.remark


def test_mcnemar_is_the_binomial_test() -> None:
    rng = random.Random(4)
    for utterances in (10, 60, 400):
        old, new = ([rng.choice((0, 0, 1, 3)) for _ in range(utterances)] for _ in "ab")
        old_only = sum(a > 0 == b for a, b in zip(old, new, strict=True))
        new_only = sum(b > 0 == a for a, b in zip(old, new, strict=True))
        expected = scipy.stats.binomtest(old_only, old_only + new_only).pvalue
        result = mcnemar(pairing(old, new))
        assert result.p_value == pytest.approx(expected, abs=1e-9)
        assert f"{old_only} wrong only in the baseline, {new_only} only in the new" in result.remark


def test_sign_and_wilcoxon_are_scipy_s_without_ties() -> None:
    rng = random.Random(5)
    for units in (5, 20, 21, 60):
        gaps = [size * rng.choice((-1, 1, 1)) for size in rng.sample(range(1, 400), units)]
        old = [rng.randrange(400, 800) for _ in gaps]
        new = [number - gap for number, gap in zip(old, gaps, strict=True)]
        result = pairing(old, new, tokens=1000)
        better = sum(gap > 0 for gap in gaps)
        expected = scipy.stats.binomtest(better, units).pvalue
        assert sign(result).p_value == pytest.approx(expected, abs=1e-9)
        assert f"better in {better}, worse in {units - better}, equal in 0" in sign(result).remark
        expected = scipy.stats.wilcoxon(gaps, method="approx", correction=False).pvalue
        assert wilcoxon(result).p_value == pytest.approx(expected, abs=1e-9)


def test_beyond_twenty_differences_sc_stats_sees_what_is_not_there() -> None:
    result = pairing([1] * 7 + [0] * 15, [0] * 7 + [1] * 15)
    assert mcnemar(result).p_value == pytest.approx(0.1338, abs=1e-4)
    assert sign(result).p_value == pytest.approx(0.1338, abs=1e-4)


# --- the demo, as sc_stats judges it


def systems(kind: str) -> bytes:
    """SGML of both systems of the demo."""
    reference = ["reference.trn", "trn"] if kind == "trn" else ["reference.stm", "stm"]
    options = ["-i", "spu_id"] if kind == "trn" else ["-D"] if kind == "ctm -D" else []
    command = [sys.executable, "-m", "scoring.cli.nist.sclite", "-f", "0", *options]
    command += ["-o", "sgml", "stdout", "-r", str(DEMO / reference[0]), reference[1]]
    return b"".join(
        subprocess.run(
            [*command, "-h", str(DEMO / f"{name}.{kind[:3]}"), kind[:3], name],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        for name in ("baseline", "improved")
    )


@pytest.mark.parametrize("kind", ["trn", "ctm", "ctm -D"])
@pytest.mark.parametrize(
    "run",
    [
        pytest.param(run_ours, id="ours"),
        pytest.param(
            run_original,
            id="original",
            marks=pytest.mark.skipif(judge("sc_stats") is None, reason=MISSING),
        ),
    ],
)
def test_verdicts_are_those_of_sc_stats(run: Callable[[Case], Outcome], kind: str) -> None:
    outcome = run(Case("demo", ("-p", "-t", "std4", "-u", "-n", "-"), systems(kind)))
    values = on_demo(kind)
    rows = ROW.findall(outcome.stdout.decode("latin-1"))
    assert sorted(ABBREVIATIONS[row[0]] for row in rows) == sorted(NAMES), outcome.stdout
    for abbreviation, better, probability in rows:
        p_value = values[ABBREVIATIONS[abbreviation]]
        assert better == ("improved" if p_value < 0.05 else "~"), abbreviation
        assert float(probability) == pytest.approx(p_value, abs=0.009), abbreviation
    assert {better for _, better, _ in rows} == {"improved", "~"}


# --- through compare


def test_units_of_sign_and_wilcoxon() -> None:
    def remarks(name: str, reference: str, block: str | range) -> list[str]:
        files = (DEMO / f"{system}.{name}" for system in ("baseline", "improved"))
        tests: tuple[TestName, ...] = ("sign", "wilcoxon")
        result = scoring.compare(
            *files, reference=DEMO / reference, tests=tests, block=block, resampling=FAST
        )
        return [test.remark for test in result.tests]

    for name, reference, block, units in (
        # where speakers are known, they are the units
        ("trn", "reference.trn", "utterance", "4 speakers"),
        ("trn", "reference.trn", "speaker", "4 speakers"),
        ("ctm", "reference.stm", "utterance", "4 speakers"),
        ("ctm", "reference.stm", "recording", "2 recordings"),
        ("ctm", "reference.stm", range(60), "60 given blocks"),
    ):
        signs, ranks = remarks(name, reference, block)
        assert signs.startswith(f"exact sign test over {units}: new better in ")
        assert ranks.startswith(f"Wilcoxon's signed ranks over {units}, z = ")


def test_order_of_utterances_does_not_matter(tmp_path: Path) -> None:
    turned = tmp_path / "turned.trn"
    lines = (DEMO / "improved.trn").read_text("utf-8").splitlines(keepends=True)
    turned.write_text("".join(reversed(lines)), "utf-8")
    straight, copy = (
        scoring.compare(
            DEMO / "baseline.trn",
            path,
            reference=DEMO / "reference.trn",
            tests=NAMES,
            resampling=FAST,
        )
        for path in (DEMO / "improved.trn", turned)
    )
    assert straight.tests == copy.tests


def test_exchanging_the_systems_changes_no_p_value() -> None:
    rng = random.Random(8)
    reference = [[str(rng.randrange(9)) for _ in range(8)] for _ in range(30)]
    old, new = (
        [[word for word in words if rng.random() > rate] for words in reference]
        for rate in (0.1, 0.25)
    )
    pair = scoring.align_batch(reference, old), scoring.align_batch(reference, new)
    there = scoring.compare(*pair, tests=NAMES, resampling=FAST)
    back = scoring.compare(*reversed(pair), tests=NAMES, resampling=FAST)
    for ours, theirs in zip(there.tests, back.tests, strict=True):
        assert value_of(ours) == pytest.approx(value_of(theirs), rel=1e-12)


def test_counts_have_no_segments() -> None:
    references, hypotheses = [["a", "b"], ["c"], ["d"]], [["a"], ["c"], ["x"]]
    aligned = scoring.align_batch(references, hypotheses)
    for pair in ((aligned, aligned.counts), (list(aligned.counts), aligned)):
        result = scoring.compare(*pair, tests=["matched-pairs", "mcnemar"], resampling=FAST)
        assert "one system has only counts" in reason(result.tests[0])
        assert result.tests[1].p_value == 1.0


def test_what_cannot_be_tested_has_a_reason() -> None:
    none = PairedSystems([], [], [], None, "utterance")
    assert "no utterances" in reason(mcnemar(none))
    assert "found 0" in reason(matched_pairs(none))
    number = PairedSystems([[1, 2]] * 3, [[0, 2]] * 3, None, ["x"] * 3, "speaker")
    for test in (sign, wilcoxon):
        assert reason(test(number)) == "expected at least two speakers, found 1"
        assert reason(test(none)) == "expected at least two utterances, found 0"
    alike = PairedSystems([], [], [(b"\1", b"\0")] * 5, None, "utterance")
    assert reason(matched_pairs(alike)).startswith("the differences of all 5 segments are 1,")


def test_equal_systems_have_probability_one() -> None:
    for units in (2, 5):
        same = PairedSystems(
            [[1, 4]] * units, [[1, 4]] * units, [(b"\1", b"\1")] * units, None, "block"
        )
        assert [value_of(test(same)) for test in NIST_TESTS.values()] == [1.0] * 4


def test_skipped_words_are_no_errors() -> None:
    skipped = bytes([Edit.SKIPPED_REFERENCE, 0, 0, 0, 1])
    result = matched_pairs(PairedSystems([], [], [(skipped, bytes(5))] * 2, None, "utterance"))
    assert reason(result).startswith("the differences of all 2 segments are 1,")


def test_insertions_without_reference_tokens_are_told() -> None:
    result = PairedSystems([[3, 0], [1, 4]], [[0, 0], [0, 4]], None, None, "utterance")
    for test in (sign, wilcoxon):
        assert test(result).remark.endswith(
            "(insertions in 1 that have no reference words do not count)"
        )


def test_too_few_units_for_the_bootstrap_do_not_stop_the_others() -> None:
    old, new = scoring.align_batch([["a"] * 9], [["b"] + ["a"] * 8]), [scoring.Counts(4)]
    result = scoring.compare(old, new, tests=ALL_TESTS, resampling=FAST)
    values = {test.name: test.p_value for test in result.tests}
    assert values == {**dict.fromkeys(ALL_TESTS), "mcnemar": 1.0}
    reason = Message(TOO_FEW, {"unit": "utterance", "number": 1})
    assert f"no bootstrap, {reason}\nmcnemar: p = 1" in str(result)
    assert "n/a" in result._repr_html_()
    with pytest.raises(StatisticsError, match="have no speaker"):
        scoring.compare(old, new, tests=["sign"], block="speaker")
