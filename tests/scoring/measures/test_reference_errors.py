"""Errors of a reference that are repeated, against the Open ASR Leaderboard's own audit."""

from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.measures.reference_errors import verdicts
from tests.each_case import each_case
from tests.judges.leaderboard_audit.run import our_errors
from tests.scoring.measures.corpora import counted
from tests.scoring.measures.golden import records

ORIGINAL, CORRECTED = "we met mr brown today", "we met green today"


@pytest.mark.share(2)
@pytest.mark.parametrize("part", range(4))
def test_counts_are_those_of_the_leaderboard(part: int) -> None:
    cases = records("reference-errors-leaderboard")[part::4]
    assert len(cases) == 250
    for case in cases:
        assert our_errors(case["clips"]) == case["counts"], case["clips"]


@each_case(
    ("heard", "expected"),
    [
        ("we met mr brown today", ["original"]),
        ("oh we met mr brown there today", ["original"]),
        ("we met green today", ["corrected"]),
        ("we met mr green today", ["neither"]),
        ("we met mister braun today", ["neither"]),
        ("mr brown", ["original"]),
        ("brown", ["neither"]),  # fewer than half of the words
        ("", ["neither"]),
        (" ".join([ORIGINAL] * 4), ["neither"]),
    ],
)
def test_which_text_a_hypothesis_follows(heard: str, expected: list[str]) -> None:
    assert list(verdicts(ORIGINAL.split(), CORRECTED.split(), heard.split())) == expected


def test_spellings_and_unlike_corrections_are_no_errors() -> None:
    for corrected in ("we met mr brown today", "we met mrbrown today", "we met mr browne today"):
        assert not list(verdicts(ORIGINAL.split(), corrected.split(), ORIGINAL.split()))
    assert not list(verdicts(ORIGINAL.split(), ["all", "else"], ORIGINAL.split()))
    assert not list(verdicts([], ["a"], ["a"]))


def test_a_file_of_corrections_is_normalised_as_the_reference_is(tmp_path: Path) -> None:
    files = {
        "reference": "u1 We met Mr Brown today!\nu2 the cat\nu3 a\n",
        "corrected": "The { cat / hat } down. (u2)\nWE MET GREEN TODAY (u1)\n",
        "hypothesis": "u1 we met mr. brown, today\nu2 the cat, down\nu3 a\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text)
    paths = [tmp_path / f"{name}.txt" for name in ("reference", "hypothesis")]
    setting = {"corrected": str(tmp_path / "corrected.txt")}
    rates = scoring.wer(
        *paths, normalize=["plain"], measures=["reference-errors"], measure_options=setting
    )
    part = rates.measured["reference-errors"]
    assert dict(part.values) == {
        "repeated_share": 1 / 2,
        "repeated": 1,
        "followed": 1,
        "undecided": 0,
        "clips": 2,
        "uncorrected": 1,
    }
    assert part.texts == {0: "we met mr. brown, today"}
    # the content counts, not where it is
    copy = tmp_path / "copy.txt"
    copy.write_text(files["corrected"])
    again = scoring.wer(
        *paths,
        normalize=["plain"],
        measures=["reference-errors"],
        measure_options={"corrected": str(copy)},
    )
    assert again.measured["reference-errors"].settings == part.settings


def test_lines_without_identifiers_are_matched_by_position(tmp_path: Path) -> None:
    path = tmp_path / "corrected.txt"
    path.write_text(f"{CORRECTED}\nthe cat sat down\n")
    sides = [tmp_path / "reference.txt", tmp_path / "hypothesis.txt"]
    sides[0].write_text(f"{ORIGINAL}\nthe cat sat\n")
    sides[1].write_text(f"{ORIGINAL}\nthe cat sat down\n")
    rates = scoring.wer(
        *sides, measures=["reference-errors"], measure_options={"corrected": str(path)}
    )
    assert rates.measured["reference-errors"]["repeated_share"] == 1 / 2


def test_case_counts_only_if_it_counts_for_the_score() -> None:
    sides: list[Any] = [{"u1": text} for text in (ORIGINAL, ORIGINAL.upper(), CORRECTED.upper())]
    for ignore_case, share in ((True, 1), (False, None)):
        rates = scoring.wer(*sides[:2], ignore_case=ignore_case)
        part = scoring.measure(rates, "reference-errors", {"corrected": sides[2]})
        assert part["repeated_share"] == share


def test_corrections_of_other_utterances_and_none_at_all() -> None:
    # those of a shard or batch may be elsewhere in the file
    part = counted("reference-errors", {"u1": "a"}, {"u1": "a"}, corrected={"u2": "b"})
    assert (part["repeated_share"], part["uncorrected"]) == (None, 1)
    part = counted("reference-errors", {"u1": "a b"}, {"u1": "a"})
    assert (part["repeated_share"], part["uncorrected"]) == (None, 1)
    with pytest.raises(ValueError, match="corrected"):
        counted("reference-errors", {"u1": "a"}, {"u1": "a"}, corrected=7)
