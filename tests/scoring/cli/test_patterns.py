"""Layouts of plain texts that are described for one side of a score."""

from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main

HYPOTHESIS = "@ann (1500) the cat sat\nDate: today\n(bob) on the mat\n"
ANN, BOB = "@{speaker word} ({start ms}) {text}", "({speaker}) {text}"


@pytest.fixture(autouse=True)
def files(current_folder: Path) -> None:
    Path("ref.txt").write_text("the cat sat\non the mat\n")
    Path("hyp.txt").write_text(HYPOTHESIS)
    Path("talk.pattern").write_text(f"pattern {ANN}\npattern {BOB}\nskip Date: {{_}}\n")


@pytest.mark.parametrize(
    "flags",
    [
        ("--hypothesis-pattern", "@talk.pattern"),
        ("--hypothesis-option", "pattern=@talk.pattern"),
    ],
)
def test_a_side_is_described_by_a_file(
    capsys: pytest.CaptureFixture[str], flags: tuple[str, str]
) -> None:
    assert main(["wer", "ref.txt", "hyp.txt", *flags]) == 0
    assert "%WER 0.00 [ 0 / 6," in capsys.readouterr().out


def test_several_patterns_of_a_side(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--hypothesis-pattern", ANN, "--hypothesis-pattern", BOB)
    assert main(["wer", "ref.txt", "hyp.txt", *flags]) == 0
    assert "[ 2 / 6, 2 ins," in capsys.readouterr().out
    options = {"pattern": f"{ANN}\n\n{BOB}"}
    result = scoring.wer(Path("ref.txt"), Path("hyp.txt"), hypothesis_options=options)
    assert float(result) == 2 / 6


def test_a_missing_file_of_rules_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", "ref.txt", "hyp.txt", "--reference-pattern", "@nothing"]) == 2
    assert "nothing" in capsys.readouterr().err
