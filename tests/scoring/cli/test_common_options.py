"""What all commands of ours have in common: help, version, quiet, exit statuses."""

import re
from pathlib import Path

import pytest

import formats.cli
from formats.cli.messages import IDLE_OPTION, KIND, LOST, NOT_PRESERVED, NOT_TAKEN
from formats.console.command_line import EXIT_STATUS
from formats.console.command_parser import LONGEST_HELP
from formats.schema import VERSION
from scoring.cli.scoring import COMMANDS, main
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.programs import python
from tests.remarks import says
from tests.scoring.cli.test_no_abbreviations import every_parser

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
TRN = [str(DEMO / "reference.trn"), str(DEMO / "baseline.trn")]


# those of other programs' names have their own options
PARSERS = {
    one.prog: one
    for one in every_parser()
    if one.prog.split()[0] in ("formats", "scoring") and one.prog != "scoring kws check-kwslist"
}


@each_case("name", PARSERS)
def test_every_parser_has_what_all_have(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = PARSERS[name]
    assert set(parser.options) >= {"--help", "--version", "--quiet"}
    assert parser.format_help().endswith(EXIT_STATUS)
    assert parser.description
    assert [action.dest for action in parser.arguments if not action.help] == []
    # what is wrong comes first, then where help is, and nothing else
    for wrong, told in (
        ("--versoin", " (did you mean --version?)"),
        ("--no-such-thing-at-all", ""),
    ):
        if not parser.commands:
            positional = [one for one in parser.arguments if not one.option_strings]
            required = [one for one in parser.arguments if one.option_strings and one.required]
            if any(one.nargs not in ("*", "?") for one in positional) or required:
                continue  # which are missed first
            with pytest.raises(SystemExit) as leaving:
                parser.parse_args([wrong])
            assert leaving.value.code == 2
            lines = capsys.readouterr().err.splitlines()
            assert lines == [
                f"{parser.prog}: error: unrecognized arguments: {wrong}{told}",
                f"see {parser.prog} --help",
            ]


@each_case("name", PARSERS)
def test_short_help_fits_a_screen(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    parser = PARSERS[name]
    texts = []
    for flag in ("--help", "--help-all"):
        with pytest.raises(SystemExit) as leaving:
            parser.parse_args([flag])
        assert not leaving.value.code
        texts.append(capsys.readouterr().out)
    short, full = (text.splitlines() for text in texts)
    if len(full) <= LONGEST_HELP:
        assert short == full
        return
    assert len(short) <= 40
    assert max(map(len, short)) <= 80
    assert short[-1] == f"`{name} --help-all` prints all options"
    named = {word for line in short for word in re.findall(r"^  (--?[\w-]+)", line)}
    assert 3 < len(named) < 16
    assert named < {word for line in full for word in re.findall(r"^  (--?[\w-]+)", line)}


def test_all_commands_are_looked_at() -> None:
    assert {name.split()[1] for name in PARSERS if name.startswith("scoring ")} == set(COMMANDS)
    assert len(PARSERS) > 30


def test_alone_it_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    alone = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == alone
    assert alone.startswith("usage: scoring COMMAND ...\n")
    assert EXIT_STATUS in alone


@each_case("command", COMMANDS)
def test_every_command_tells_its_version_and_how_it_ends(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--version"]) == 0
    assert capsys.readouterr().out == f"sclite-kit {VERSION}\n"
    assert main([command, "--help-all"]) == 0
    assert EXIT_STATUS in capsys.readouterr().out


def test_versions_of_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert main(["wer", *TRN, "--version"]) == 0
    for arguments in (["--version"], ["convert", "--version"]):
        assert formats.cli.main(arguments) == 0
    assert capsys.readouterr().out == f"sclite-kit {VERSION}\n" * 4


def test_quiet_leaves_out_all_but_errors(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    reference, hypothesis = tmp_path / "r.trn", tmp_path / "h.trn"
    reference.write_text("A b (u-1)\nC (u-2)\n")
    hypothesis.write_text("a b (u-1)\n")
    files = [str(reference), str(hypothesis)]
    assert main(["wer", *files]) == 0
    loud = capsys.readouterr()
    assert "warning: " in loud.err
    assert "hint: " in loud.err
    assert main(["wer", *files, "--quiet"]) == 0
    assert capsys.readouterr() == (loud.out, "")
    # what fails is told nevertheless, and the next command is not quiet
    assert main(["wer", *files, "--quiet", "--fail-above", "10"]) == 3
    assert (
        capsys.readouterr().err
        == f"scoring: error: {hypothesis}: error rate 66.67 % is above 10 %\n"
    )
    assert main(["wer", *files]) == 0
    assert capsys.readouterr().err == loud.err


def test_formats_are_quiet_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "a.trn"
    file.write_text("a (u-1) b\n")
    assert formats.cli.main(["validate", str(file)]) == 3
    assert "warning: " in capsys.readouterr().err
    assert formats.cli.main(["validate", "--quiet", str(file)]) == 3
    assert capsys.readouterr().err == ""
    file.write_text("a (u-1\n")
    assert formats.cli.main(["validate", "--quiet", str(file)]) == 2
    assert capsys.readouterr().err != ""


def test_losses_are_told_as_warnings_are(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, output = tmp_path / "a.stm", str(tmp_path / "a.trn")
    file.write_text("a 1 anne 0 1 b\na 1 bob 1 2 c\n")
    arguments = ["convert", str(file), output, "--only-speaker", "anne", "--fps", "25"]
    for more in ([], ["--explain-loss"]):
        assert formats.cli.main([*arguments, *more]) == 0
        told = capsys.readouterr().err
        lost = message_text(KIND, what="segment times", count=1)
        explained = message_text(LOST, format="trn", what="segment times", count=1)
        assert explained in told if more else says(told, NOT_PRESERVED, format="trn")
        assert lost in told
        idle = message_text(IDLE_OPTION, option="--fps", formats=["stm", "trn"])
        assert idle in told
        assert message_text(NOT_TAKEN, segments=1, words=1) in told
        assert formats.cli.main([*arguments, *more, "--quiet"]) == 0
        assert capsys.readouterr().err == ""
    assert formats.cli.main([*arguments, "--quiet", "--strict"]) == 2
    assert "trn cannot hold" in capsys.readouterr().err


def test_options_of_formats_that_were_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert formats.cli.main(["convert", "a.trn", "b.stm", "--no-clober"]) == 2
    told = "unrecognized arguments: --no-clober (did you mean --no-clobber?)\nsee formats convert --help\n"
    assert capsys.readouterr().err.endswith(told)
    assert formats.cli.main(["convert", "a.srt", "b.srt", "--shift", "-2"]) == 2
    assert "--shift -2 (did you mean --offset?)" in capsys.readouterr().err
    assert formats.cli.main(["convrt"]) == 2
    assert "; did you mean convert?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--collr", "--collar"),
        ("--uem", "--region FILE"),
        ("--boundary-colar", "--boundary-collar"),
    ],
)
def test_options_of_other_tools_for_diarisation(
    option: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        PARSERS["scoring der"].parse_args(["a", "b", option, "0.25"])
    assert f"(did you mean {meant}?)" in capsys.readouterr().err


def test_options_of_other_programs_for_csv_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kws", "a", "b", "c", "d", "--csv", "x.csv"]) == 2
    assert "(did you mean --report-type CSV?)" in capsys.readouterr().err
    assert main(["wer", "a", "b", "--filter", "device=phone"]) == 2
    assert "(did you mean --where?)" in capsys.readouterr().err


def test_a_single_score_loads_no_numbers_library() -> None:
    code = (
        "import sys; from scoring.cli.scoring import main; main(sys.argv[1:]); print(*sys.modules)"
    )
    done = python("-c", code, "wer", *TRN, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "scoring.score" in loaded
    assert not loaded & {"numpy", "pandas", "scoring.regression.ranking"}


def test_the_option_of_fstalign_names_the_step(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        PARSERS["scoring wer"].parse_args(["a", "b", "--synonyms", "x"])
    assert "(did you mean --normalize synonyms:file=FILE?)" in capsys.readouterr().err
