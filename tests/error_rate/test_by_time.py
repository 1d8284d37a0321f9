"""Matching by time gives sclite's numbers, and says what it cannot do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from scoring.errors import InputError
from scoring.model import Counts

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "resources" / "demo"


def numbers_of_sclite(hypothesis: str, *options: str) -> Counts:
    command = [
        "-r",
        "reference.stm",
        "stm",
        "-h",
        hypothesis,
        "ctm",
        *options,
        "-o",
        "rsum",
        "stdout",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "scoring.cli.sclite", *command],
        cwd=DEMO,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"\| Sum +\| +\d+ +\d+ \|([^|]*)\|", done.stdout)
    assert found is not None
    correct, substitutions, deletions, insertions = map(int, found[1].split()[:4])
    return Counts(correct, substitutions, deletions, insertions)


@pytest.mark.parametrize("hypothesis", ["baseline.ctm", "improved.ctm"])
@pytest.mark.parametrize("forgive", [False, True])
def test_the_demo_scores_as_with_sclite(hypothesis: str, forgive: bool) -> None:
    rates = scoring.wer(
        reference=DEMO / "reference.stm",
        hypothesis=DEMO / hypothesis,
        forgive_optional=forgive,
        ignore_case=True,
    )
    expected = numbers_of_sclite(hypothesis, *(["-D"] if forgive else []))
    if forgive:
        assert rates.counts == expected
    else:
        # a word in parentheses is a word with parentheses to sclite, and never said
        assert rates.counts.errors <= expected.errors
        assert rates.counts.reference_tokens == expected.reference_tokens
    assert rates.account.ignored_words > 0


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_words_go_by_their_middle(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.stm", "f 1 s 0 1 a b\nf 1 s 1 2 c\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 1 0.9 0.2 b\nf 1 1.5 0.2 c\n")
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    # the middle of b lies at 1.0, which is not before the end of the first segment
    assert [rates.alignment(name).letters for name in rates.identifiers] == ["CD", "IC"]
    assert list(rates.identifiers) == ["f-1-0001", "f-1-0002"]
    assert rates.speakers == ["s", "s"]


def test_a_recording_without_words_is_missing_and_one_without_reference_too(
    tmp_path: Path,
) -> None:
    reference = write(tmp_path / "r.stm", "f 1 s 0 1 a b\ng 1 s 0 1 c\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nx 2 0.9 0.2 b\n")
    with pytest.warns(scoring.UnscoredHypothesisWarning, match="1 words: 1: x-2"):
        rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert rates.counts == Counts(1, 0, 2, 0)
    assert rates.account.reference_only.identifiers == ("g-1-0001",)
    assert rates.account.hypothesis_only.identifiers == ("x-2",)
    assert rates.account.unscored_words == 1


def test_timed_words_without_segments_are_one_utterance_a_channel(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.ctm", "f 1 0.5 0.2 a\nf 1 0.9 0.2 b\nf 2 0 1 c\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 2 0.9 0.2 b\n")
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert [rates.alignment(name).letters for name in ("f-1", "f-2")] == ["CD", "S"]


def test_segments_that_are_not_to_be_scored_take_their_words(tmp_path: Path) -> None:
    mark = "IGNORE_TIME_SEGMENT_IN_SCORING"
    reference = write(tmp_path / "r.stm", f"f 1 s 0 1 a\nf 1 s 1 2 {mark}\nf 1 s 2 3 b\n")
    hypothesis = write(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 1 1.4 0.2 x\nf 1 2.5 0.2 b\n")
    rates = scoring.wer(reference=reference, hypothesis=hypothesis)
    assert rates.counts == Counts(2, 0, 0, 0)
    assert rates.account.ignored_words == 1


def test_words_without_times_cannot_be_matched(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.stm", "f 1 s 0 1 a\nf 1 s 1 2 b\n")
    hypothesis = write(tmp_path / "h.srt", "1\n00:00:00,000 --> 00:00:02,000\na b\n")
    with pytest.raises(InputError) as refused:
        scoring.wer(reference=reference, hypothesis=hypothesis)
    assert str(refused.value) == (
        f"{hypothesis}:2: expected times of every word to match by, since there are no common "
        "identifiers; found none of 'a' (--interpolate works them out from those of segments)"
    )


def test_sources_stay_with_their_utterances_where_overlap_leaves_one_without_words(
    tmp_path: Path,
) -> None:
    reference = write(
        tmp_path / "r.stm", "t 1 A 0.0 5.0 a b\nt 1 B 1.0 3.0 c d\nt 1 A 5.5 5.6 e\nt 1 A 6 8 f\n"
    )
    words = "t 1 1.2 0.2 a\nt 1 1.6 0.2 b\nt 1 3.5 0.2 c\nt 1 6.5 0.2 f 0.5\nt 2 1.0 0.2 x\n"
    hypothesis = write(tmp_path / "h.ctm", words)
    rates = scoring.wer(reference, hypothesis, keep_sources=True, allow_unmatched=True)
    assert rates.counts == scoring.wer(reference, hypothesis, allow_unmatched=True).counts
    assert rates.sources is not None
    kept = [() if one is None else one.words for one in rates.sources.hypotheses]
    assert kept == list(rates.aligned.hypotheses)
    assert () in kept
    assert [one.words for one in rates.sources.references] == list(rates.aligned.references)
