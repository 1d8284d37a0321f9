"""The random comparison with the originals: which programs it has, and how it makes cases smaller."""

import argparse
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from scoring.cli.nist.sctk import KWSEVAL, PROGRAMS
from tests import judge as judges
from tests.judge import JUDGES, judge
from tests.judges import twins
from tests.judges.frame import Judge, Verdict, smallest
from tests.judges.kaldi.run import PROGRAMS as OF_KALDI
from tests.judges.sclite.case import Case

NOT_INCLUDED = "utf_filt.pl"


class Drawn(NamedTuple):
    """A case of a program that does not exist."""

    words: list[str]
    files: dict[str, bytes]
    stdin: bytes = b""


def test_every_drop_in_program_has_a_twin() -> None:
    assert {*PROGRAMS, KWSEVAL, *OF_KALDI} - {NOT_INCLUDED} <= {*twins.TWINS}
    for name, twin in twins.TWINS.items():
        judged = import_module(f"tests.judges.{twin.module}").JUDGE
        options = judged.options(twin.words)
        if twin.words[:1] == ("--program",):
            assert name in options.program


def test_a_case_becomes_as_small_as_its_difference() -> None:
    case = Drawn(
        ["program", "-a", "1", "-b", "-c", "2"],
        {"one": b"x y\n" * 50 + b"a bad line\n" + b"z\n" * 50, "two": b"1\n2\n"},
        b"in\nput\n",
    )

    def differs(one: Drawn) -> bool:
        return b"bad" in one.files["one"] and "-b" in one.words and b"put" in one.stdin

    small = smallest(case, differs, first_words=1)
    assert small.words == ["program", "-b"]
    assert small.files == {"one": b"bad", "two": b""}
    assert small.stdin == b"put"
    assert small == smallest(small, differs, first_words=1)
    # no more tries than allowed
    tries: list[Drawn] = []

    def is_tried(one: Drawn) -> bool:
        tries.append(one)
        return False

    smallest(case, is_tried, first_words=1, tries=7)
    assert len(tries) == 7


def test_lines_of_one_shape_are_one_difference() -> None:
    def marks(command: str, *lines: str) -> set[str]:
        return Verdict("different", "\n".join((command, "--- original/out", *lines))).marks()

    whole = marks("-a -b", "-| one |   | two |", "+| one | | two |", " |-----|")
    assert marks("-a", "-| x | | y | | z |", "+| x | | y | | z |") <= whole
    assert not marks("-a", "+|-----|") <= whole
    assert not marks("-a", "--- original/<status>") <= whole


def test_options_of_several_words_stay_together() -> None:
    case = Case("1", "trn", (("-r", "ref"), ("-h", "hyp", "trn"), ("-s",)), {"ref": b"a\n"})
    small = smallest(case, lambda one: ("-h", "hyp", "trn") in one.options)
    assert small.options == (("-h", "hyp", "trn"),)


def test_differences_are_counted_and_printed_with_their_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def draw(options: argparse.Namespace, number: int) -> Drawn:
        return Drawn([], {"f": f"{options.seed}\n{number}\n0\n".encode()})

    def compare(_: argparse.Namespace, case: Drawn) -> Verdict:
        if case.files["f"] == b"":
            raise ValueError("a judge that needs a line")
        # without a seed another part differs: that is another difference
        report = "--- original/out" if b"9" in case.files["f"] else "--- original/<status>"
        return Verdict("different" if b"3" in case.files["f"] else "same", report, case.files)

    judged = Judge("A judge.", "none", draw, compare, 5)
    verdicts = judged.run(judged.options(["--seed", "9", "--keep", str(tmp_path)]))
    assert verdicts == {"same": 4, "different": 1}
    printed = capsys.readouterr().out
    smaller = "case 3, different: drawn with 6 bytes, smallest found: 3\n"
    assert f"{smaller}--- original/out\n--- f\n9\n3\n" in printed
    assert printed.endswith("seed 9: 1 different, 4 same\n")
    assert (tmp_path / "9-3" / "f").read_bytes() == b"9\n3"
    assert (tmp_path / "9-3" / "report").read_bytes() == b"--- original/out"


def test_an_original_is_found_by_folder_and_is_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, originals = tmp_path / "ours", tmp_path / "originals"
    for folder, text in ((ours, "from scoring.cli.nist.sctk import run"), (originals, "exit 0")):
        folder.mkdir()
        (folder / "KWSEval").write_text(f"#!/bin/sh\n{text}\n")
        (folder / "KWSEval").chmod(0o755)
    find = judge.__wrapped__
    monkeypatch.setattr(judges, "_of_sctk", tuple)
    monkeypatch.setenv("PATH", str(ours))
    monkeypatch.delenv(JUDGES, raising=False)
    assert find("KWSEval") is None
    monkeypatch.setenv(JUDGES, f"{ours}:{originals}")
    assert find("KWSEval") == str(originals / "KWSEval")


def test_nothing_compared_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(twins, "judge", lambda program: None)
    monkeypatch.setattr("sys.argv", ["twins", "--program", "rover", "sclite"])
    assert twins.main() == 1
    printed = capsys.readouterr().out
    assert printed.count("skipped, no original") == 2


@pytest.mark.skipif(judge("rover") is None, reason=judges.MISSING)
def test_a_program_agrees_with_its_twin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--program", "rover", "rttmSort.pl", "--cases", "3", "--seed", "2"]
    monkeypatch.setattr("sys.argv", ["twins", *words])
    assert twins.main() == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("rover: seed 2: ")
    assert second.startswith("rttmSort.pl: seed 2: ")
