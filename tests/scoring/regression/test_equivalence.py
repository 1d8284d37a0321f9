"""Verdicts with three values: worse or better, equal within X, cannot tell."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main

WORDS = 10


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    """200 utterances; the new system is wrong in other places, and has three errors more."""
    texts: dict[str, list[str]] = {"ref": [], "old": [], "new": []}
    for number in range(200):
        words = [f"w{place}" for place in range(WORDS)]
        wrong = {"ref": 0, "old": int(number % 10 == 0), "new": int(number % 10 == 1)}
        wrong["new"] += int(number in (3, 13, 23))
        for side, errors in wrong.items():
            texts[side].append(" ".join([*["x"] * errors, *words[errors:], f"(s-{number})"]) + "\n")
    for side, rows in texts.items():
        (tmp_path / f"{side}.trn").write_text("".join(rows))
    return [str(tmp_path / f"{side}.trn") for side in texts]


def compared(
    sides: list[str], capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str, dict[str, Any]]:
    """The status, the first line, and the JSON of a comparison."""
    output = str(Path(sides[0]).with_name("out.json"))
    quick = ["--replications", "1000", "--seed", "3", "--show", "0", "--json", output]
    status = main(["compare", *sides, *quick, *options])
    shown = capsys.readouterr().out.splitlines()
    return status, next(iter(shown), ""), json.loads(Path(output).read_text())


def test_the_interval_decides_on_equality(
    sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, of_level = compared(sides, capsys, "--confidence-level", "90")
    low, high = (of_level["difference"][name] for name in ("low", "high"))
    # 1.00 % to 1.15 %: 0.15 points more
    assert low < 0 < 0.0015 < high < 0.0099
    for margin, verdict in (("1pt", "equal"), (f"{100 * high - 0.001:.4f}pt", "cannot tell")):
        status, lead, record = compared(sides, capsys, "--equal-within", margin)
        found = record["equivalence"]
        assert (status, record["verdict"]) == (0, verdict)
        assert found["interval"] == {"low": low, "high": high, "level": 0.9}
        assert found["is_equivalent"] == (verdict == "equal")
        assert lead.startswith(("Equal within 1.00 points: worse by 0.15", "Cannot tell: worse by"))
        [finding] = record["findings"]
        assert (finding["has_failed"], finding["is_undecided"]) == (False, verdict != "equal")
    # the change that they could have shown: 2.8 standard errors, 3.3 of both ends of the interval
    assert lead.endswith(
        f"; 200 utterances could have shown {100 * record['least_shown']:.1f} points"
    )
    assert record["least_shown"] == pytest.approx((high - low) / 3.29 * 2.80, rel=0.1)
    undecided = ["--equal-within", margin, "--undecided", "fail"]
    assert compared(sides, capsys, *undecided)[0] == 3
    assert compared(sides, capsys, "--equal-within", f"{margin}:undecided-fails")[0] == 3


def test_a_loss_that_is_shown_fails(sides: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    reference, old, new = sides
    text = Path(new).read_text().replace("w5", "x")
    Path(new).write_text(text)
    status, lead, record = compared(sides, capsys, "--equal-within", "1pt")
    assert (status, record["verdict"], lead[:5]) == (3, "worse", "Fails")
    status, lead, record = compared([reference, new, old], capsys, "--equal-within", "1pt")
    assert (status, record["verdict"], lead[:6]) == (0, "better", "Better")
    # a loss within the margin counts as none, however sure it is
    status, lead, record = compared(sides, capsys, "--equal-within", "12pt", "--fail-above", "99")
    assert (status, record["verdict"], lead[:6]) == (0, "equal", "Equal ")


def test_no_level_without_an_interval(sides: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--equal-within", "3"], ["--equal-within", "1pt", "--significance", "0.5"]):
        assert main(["compare", *sides, *options]) == 2
        assert "--equal-within" in capsys.readouterr().err
