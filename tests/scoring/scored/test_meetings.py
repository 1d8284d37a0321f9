"""Meetings on the road: read, laid out by each measure, scored, reported."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import scoring
from formats.errors import FormatError
from scoring.cli.scoring import EXCEEDED, main
from scoring.compat import meeteval
from scoring.errors import InputError
from scoring.matching.identifier import MatchingError
from scoring.matching.sessions import MEASURES
from tests.judges.meeteval.run import meeting

REFERENCE = """\
rec1 1 Alice 0.0 2.0 hello how are you
rec1 1 Bob 2.0 4.0 i am fine
rec1 1 Alice 4.0 6.0 good to hear
rec2 1 Carl 0.0 2.0 one two three
"""
HYPOTHESIS = """\
rec1 1 s1 0.0 2.0 hello how are you
rec1 1 s2 2.1 4.0 i am mine
rec1 1 s2 4.0 6.0 good to hear
rec2 1 s1 0.0 2.0 one two three
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path, REFERENCE, HYPOTHESIS)


def written(folder: Path, *texts: str) -> tuple[Path, Path]:
    paths = folder / "reference.stm", folder / "hypothesis.stm"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize(
    ("measure", "errors"),
    [("cp", 7), ("tcp", 7), ("orc", 1), ("tcorc", 1), ("mimo", 1), ("dicp", 1), ("ditcp", 1)],
)
def test_each_measure(files: tuple[Path, Path], measure: str, errors: int) -> None:
    rates = scoring.wer(*files, measure=measure)
    assert rates.counts.errors == errors
    assert [one.errors for one in rates.sessions] == [errors, 0]
    assert rates.counts.reference_tokens == 13
    assert rates.counts.hypothesis_tokens == 13
    assert f"|measure:{measure}" in rates.signature


def test_every_word_is_counted_under_its_speaker(files: tuple[Path, Path]) -> None:
    for measure in MEASURES:
        rates = scoring.wer(*files, measure=measure)
        words = {name: one.counts.reference_tokens for name, one in rates.by("speaker").items()}
        assert {name: words[name] for name in ("Alice", "Bob", "Carl")} == {
            "Alice": 7,
            "Bob": 3,
            "Carl": 3,
        }


def test_numbers_are_those_of_meeteval_from_the_same_file(tmp_path: Path) -> None:
    names = {
        "cp": "cpwer",
        "tcp": "tcpwer",
        "orc": "orcwer",
        "tcorc": "tcorcwer",
        "mimo": "mimower",
        "dicp": "dicpwer",
        "ditcp": "ditcpwer",
    }
    for seed in range(12):
        sides = meeting(random.Random(seed))
        texts = [
            "".join(
                f"s 1 {one['speaker']} {one['start_time']} {one['end_time']} {one['words']}\n"
                for one in sorted(side, key=lambda one: one["start_time"])
            )
            for side in sides
        ]
        files = written(tmp_path, *texts)
        for measure, name in names.items():
            rates = scoring.wer(*files, measure=measure, collar=0.5, like="meeteval")
            options = {"collar": 0.5} if "t" in measure else {}
            [expected] = getattr(meeteval, name)(*files, **options).values()
            [session] = rates.sessions
            found = (session.errors, session.insertions, session.deletions, session.substitutions)
            assert found == (
                expected.errors,
                expected.insertions,
                expected.deletions,
                expected.substitutions,
            )
            assert found[0] == rates.counts.errors


def test_automatic_choice_says_why(tmp_path: Path) -> None:
    rates = scoring.wer(*written(tmp_path, REFERENCE, HYPOTHESIS), measure="auto")
    assert "note: measured is tcpWER: segments have speakers and times" in rates.remarks


def test_times_are_compared_exactly(tmp_path: Path) -> None:
    files = written(tmp_path, "s 1 A 0 1 a\n", "s 1 X 1.4 1.4 a\n")
    exactly = scoring.wer(*files, measure="tcp", collar="0.4s")
    assert exactly.counts.errors == 2
    assert scoring.wer(*files, measure="tcp", collar="0.400000001").counts.errors == 0


def test_what_other_partners_cost(files: tuple[Path, Path]) -> None:
    [first, _] = scoring.wer(*files, measure="tcp", explain=True).sessions
    assert (first.label_errors, first.time_errors, first.equally_good) == (6, 0, 1)
    alice = first.speakers[0]
    assert alice[:4] == ("Alice", "s1", 3, "s2")
    assert alice.other_errors == 4


def test_equally_good_assignments_are_counted(tmp_path: Path) -> None:
    lines = [f"s 1 {name} {at} {at + 1} x\n" for at, name in enumerate("ABC")]
    files = written(tmp_path, "".join(lines), "".join(lines))
    assert scoring.wer(*files, measure="cp", explain=True).sessions[0].equally_good == 6


def test_sessions_without_partner_are_named(files: tuple[Path, Path]) -> None:
    files[1].write_text("".join(HYPOTHESIS.splitlines(keepends=True)[:3]))
    with pytest.raises(MatchingError, match=r"found none for 1: rec2 \(--missing"):
        scoring.wer(*files, measure="cp")
    rates = scoring.wer(*files, measure="cp", missing="delete")
    assert (rates.counts.deletions, rates.account.reference_only.number) == (6, 1)
    assert len(scoring.wer(*files, measure="cp", missing="skip").sessions) == 1
    with pytest.raises(MatchingError, match="found others, 1: rec2"):
        scoring.wer(files[1], files[0], measure="cp")


def test_refusals(files: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected times of each of the 4 words"):
        scoring.wer(*files, measure="tcp", hypothesis_times="words")
    with pytest.raises(InputError, match="expected a file with speakers"):
        scoring.wer("a b", "a c", measure="cp")
    with pytest.raises(ValueError, match="collar: expected seconds such as 5s, found '5 m'"):
        scoring.wer(*files, measure="tcp", collar="5 m")
    with pytest.raises((InputError, FormatError)):
        scoring.wer(*written(tmp_path, "s 1 A 2 1 a\n", "s 1 X 0 1 a\n"), measure="cp")


def test_too_large_for_an_exact_answer(tmp_path: Path) -> None:
    chance = random.Random(2)

    def side(names: str, count: int) -> str:
        return "".join(
            f"s 1 {name} {at} {at + 1} {' '.join(chance.choice('abc') for _ in range(60))}\n"
            for at in range(count)
            for name in names
        )

    files = written(tmp_path, side("AB", 6), side("12345", 6))
    with pytest.raises(MatchingError, match="session 's': expected a session whose ORC rate"):
        scoring.wer(*files, measure="orc", search="exact")
    rates = scoring.wer(*files, measure="orc")
    [session] = rates.sessions
    assert not session.exact
    assert 0 < session.at_least <= session.errors
    assert any("too large to be worked out exactly" in one for one in rates.remarks)


def test_the_command(
    files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = list(map(str, files))
    out, who = tmp_path / "rates.json", tmp_path / "who.json"
    more = ["--json", str(out), "--assignment", str(who), "--confidence-interval"]
    assert (
        main(["wer", *paths, "--measure", "cp", "--explain", "--fail-above", "50", *more])
        == EXCEEDED
    )
    shown = capfd.readouterr()
    assert "rec1     exactly     10    1    3    3       7   70.00" in shown.out
    assert "drawn from 2 sessions says little" in shown.err
    [system] = json.loads(out.read_text())["systems"]
    assert system["sessions"][0]["assignment"] == [["Alice", "s1"], ["Bob", "s2"]]
    assert system["confidence_interval"]["block"] == "session"
    assert json.loads(who.read_text())["sessions"][1]["assignment"] == [["Carl", "s1"]]
    assert scoring.load(out).counts.errors == 7
    halves = []
    for name in ("s1", "s2"):
        halves.append(str(tmp_path / f"{name}.stm"))
        lines = [line for line in HYPOTHESIS.splitlines(keepends=True) if f" {name} " in line]
        Path(halves[-1]).write_text("".join(lines))
    assert main(["wer", paths[0], *halves, "--measure", "cp", "--exact"]) == 0
    assert "%WER 53.85 [ 7 / 13" in capfd.readouterr().out
    assert main(["wer", *paths, "--measure", "tcorc", "-o", "pralign", "stdout"]) == 0
    assert "i am fine" in capfd.readouterr().out
    assert main(["wer", *paths, "--greedy"]) != 0
    assert "--greedy says nothing without --measure" in capfd.readouterr().err
