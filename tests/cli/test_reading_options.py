"""The flags that say how files are read, in every command that reads files of any format."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.cli.scoring import main

GRID = """\
File type = "ooTextFile"
Object class = "TextGrid"

0 1 <exists> 2
"IntervalTier" "words" 0 1 1
0 1 "hi"
"IntervalTier" "phones" 0 1 2
0 0.5 "hh"
0.5 1 "ay"
"""
SRT = "1\n00:00:00,000 --> 00:00:01,000\nhi\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("talk.stm", "talk A anne 0 1 hi\n"),
        ("talk.ctm", "talk 0 0 1 hi\n"),
        ("talk.srt", SRT),
        ("talk.TextGrid", GRID),
        ("lexicon.txt", "hi hh ay\n"),
    ):
        Path(name).write_text(text, "utf-8")


def test_per_reads_phones_of_a_tier(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["per", "talk.stm", "talk.TextGrid", "--lexicon", "lexicon.txt"]
    assert main([*arguments, "--hypothesis-option", "tier_map=phones=word,words=skip"]) == 0
    assert "%PER 0.00 [ 0 / 2, 0 ins, 0 del, 0 sub ]" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["wer", "diff"])
def test_times_and_channels(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for hypothesis, flags in (
        ("talk.srt", ["--interpolate", "chars"]),
        ("talk.ctm", ["--channel-alias", "0=A"]),
    ):
        assert main([command, "talk.stm", hypothesis]) == 2
        assert flags[0] in capsys.readouterr().err
        assert main([command, "talk.stm", hypothesis, *flags]) == 0
        capsys.readouterr()


@pytest.mark.parametrize("command", ["events", "segments"])
def test_options_of_readers(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [command, "talk.TextGrid", "talk.TextGrid"]
    assert main(arguments) == 2
    assert "expected one tier to be named, found 'words', 'phones'" in capsys.readouterr().err
    options = []
    for side in ("reference", "hypothesis"):
        options += [f"--{side}-option", "tier_map=words=skip,phones=event"]
    assert main([*arguments, *options]) == 0
    found = capsys.readouterr()
    # what an event is called is its label, though nobody said it
    assert "100.00 %" in found.out
    assert found.err == ""
    assert main([*arguments, "--reference-option", "tier"]) == 1
    assert "expected NAME=VALUE, found 'tier'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["events", "segments"])
def test_times_in_another_unit_are_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("slow.stm").write_text("talk A anne 0 1000 hi\n", "utf-8")
    assert main([command, "talk.stm", "slow.stm"]) == 0
    assert capsys.readouterr().err == (
        "scoring: slow.stm: warning: times reach 1000 s and those of the reference 1 s, a factor of "
        "about 1000: its times may be in milliseconds\n"
    )
