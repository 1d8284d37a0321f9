"""No output of any command takes the place of what the same run reads, by whatever name or link."""

import argparse
import os
import sys
from pathlib import Path

import pytest

from formats.console.command_line import InputPath, OutputPath
from scoring.cli.formats import main as formats_main
from scoring.cli.messages import RECORDED
from scoring.cli.nist import rover, sc_stats, sclite
from scoring.cli.scoring import main
from tests.formats.checks import message_text
from tests.scoring.cli.test_no_abbreviations import every_parser, value_of
from tests.scoring.cli.test_streams import FILES

KWS = ["kws", "-e", "x.ecf", "-t", "x.kwlist", "-r", "x.rttm", "-s", "x.kwslist"]
COMMANDS = {
    "wer": (["wer", "r.trn", "h.trn"], ["--json", "--csv", "--pairs", "--markdown", "--html"]),
    "wer by letters": (["wer", "-r", "r.trn", "-h", "h.trn"], ["--json"]),
    "wer --shard": (["wer", "r.trn", "h.trn", "--shard", "1/2"], ["--shard-output"]),
    "diff": (["diff", "r.trn", "h.trn"], ["--output"]),
    "beer": (["beer", "r.trn", "h.trn", "--entity-weights", "entities.json"], ["--output"]),
    "compare": (
        ["compare", "r.trn", "h.trn", "--reference", "r.trn"],
        ["--json", "--markdown", "--html", "--junit"],
    ),
    "per": (
        ["per", "r.trn", "p.trn", "--lexicon", "lexicon.txt"],
        ["--output", "--markdown", "--json", "--csv"],
    ),
    "events": (["events", "a.ctm", "b.ctm"], ["--markdown", "--html", "--json"]),
    "segments": (["segments", "a.ctm", "b.ctm"], ["--json", "--html"]),
    "der": (["der", "r.rttm", "h.rttm"], ["--json", "--csv", "--markdown", "--html"]),
    "normalize": (["normalize", "--normalize", "plain", "r.txt", "h.txt"], ["--output"]),
    "normalize by a file": (["normalize", "--normalize", "./p.json", "text.txt"], ["--output"]),
    "merge": (["merge", "shard.json"], ["--json", "--csv", "--pairs", "--markdown", "--html"]),
    "kws": (KWS, ["--json", "--html"]),
    "check-kwslist": (
        ["kws", "check-kwslist", "-t", "x.kwlist", "-e", "x.ecf", "-s", "x.kwslist"],
        ["--output"],
    ),
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")
    Path("p.json").write_text('{"steps": ["lowercase"]}', "utf-8")
    Path("shard.json").write_text("{}", "utf-8")
    Path("utt2spk").write_text("a-1 a\na-2 a\n", "utf-8")


def contents() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


def inputs_of(arguments: list[str]) -> list[str]:
    return [one for one in arguments if os.path.isfile(one)]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_an_input_is_refused(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, flags = COMMANDS[command]
    os.mkdir("links")
    for number, name in enumerate(inputs_of(arguments)):
        os.symlink(f"../{os.path.basename(name)}", f"links/soft{number}")
        os.link(name, f"links/hard{number}")
    before = contents()
    for flag in flags:
        for number, name in enumerate(inputs_of(arguments)):
            for output in (name, f"./{name}", f"links/soft{number}", f"links/hard{number}"):
                assert main([*arguments, flag, output]) == 2, (flag, output)
                printed = capsys.readouterr()
                assert printed.out == ""
                assert f"{output}: cannot be written: it is one of the inputs" in printed.err
    assert contents() == before


def test_every_option_for_a_file_says_which_way_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    found = 0
    for parser in every_parser():
        if not parser.prog.startswith("scoring "):
            continue
        for action in parser.arguments:
            if action.metavar == "FILE":
                assert action.type in (InputPath, OutputPath), (parser.prog, action.dest)
                found += action.type is OutputPath
    assert found > 20
    capsys.readouterr()


# Values that name no file, by metavar or, without one, by option.
NO_FILES = {
    *(
        "FORMAT",
        "NAME",
        "URL",
        "NAME[@DATE]",
        "NAME|@FILE.toml",
        "NAMES",
        "LANG",
        "LEVEL[=COLUMN]",
        "NAME=VALUE",
    ),
    *("PHONEME", "[NAME:]TYPE[,TYPE]", "[NAME:]ID[,ID]", "ATTR[:regex=RE][ && ATTR…]"),
    *(
        "FILE/CHANNEL[,FILE/CHANNEL]",
        "TEXT",
        "RUN",
        "TAG",
        "PATTERN",
        "BASELINE",
        "SYSTEM",
        "NEW",
        "HOST",
        "signature",
        "WORD …",
        "COMMAND",
    ),
    *("PROGRAM", "PATH", "REPORT", "nonspeech", "conf_missing", "tier_map", "speaker_from"),
    *(
        "language",
        "annotation",
        "htk_unit",
        "offset",
        "stretch",
        "fps",
        "field",
        "attribute",
        "split",
    ),
    *("columns", "device", "pattern", "member", "sheet", "channel", "text", "words", "page"),
    "ROOT",  # rejected by the original's message
}


def test_no_file_is_named_by_an_empty_text(capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable of a shell is a usage error for every option of every command."""
    refused = set()
    for parser in every_parser():
        if parser.prog.partition(" ")[0] not in ("formats", "scoring"):
            continue  # programs of others
        for action in parser.arguments:
            if action.nargs == 0:
                continue
            name = f"{parser.prog}: {action.option_strings or action.dest}"
            try:
                value_of(action, "")
            except (argparse.ArgumentTypeError, TypeError, ValueError) as problem:
                if "expected the name of a file, found an empty one" in str(problem):
                    refused.add(name)
            else:
                assert (action.metavar or action.dest) in NO_FILES, name
    assert len(refused) > 100
    capsys.readouterr()


@pytest.mark.parametrize(
    "arguments",
    [
        ["scoring", "wer", "r.trn", "h.trn", "--record", ""],
        ["scoring", "wer", "r.trn", "h.trn", "--json="],
        ["scoring", "wer", "r.trn", ""],
        ["scoring", "wer", "r.trn", "h.trn", "--variants-file", "en="],
        ["scoring", "wer", "r.trn", "h.trn", "--reference-option", "segments="],
        ["scoring", "recipes", "table", "open-asr", ""],
        ["formats", "convert", "r.trn", ""],
        ["formats", "convert", "", "x.trn"],
        ["formats", "convert", "a.ctm", "x.trn", "--segments", ""],
        ["formats", "info", ""],
    ],
    ids=" ".join,
)
def test_an_empty_name_writes_nothing(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents()
    program, *rest = arguments
    run = main if program == "scoring" else formats_main
    assert run(rest) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "expected the name of a file, found an empty one" in printed.err
    assert contents() == before


@pytest.mark.parametrize("name", [":memory:", "file:x?mode=memory"])
def test_a_history_is_a_file_by_any_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        assert main(["wer", "r.trn", "h.trn", "--record", name]) == 0
        note = message_text(RECORDED, path="h.trn", run=number, history=name)
        assert note in capsys.readouterr().err
    assert Path(name).is_file()


def test_files_that_options_name_are_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    before = contents()
    for more, output in (
        (["--utt2spk", "utt2spk"], "utt2spk"),
        (["--normalize", "p.json"], "p.json"),
        (["--normalize=./p.json"], "p.json"),
        (["--reference-option", "id_type=text.txt"], "text.txt"),
    ):
        assert main(["wer", "r.trn", "h.trn", *more, "--json", output]) in (1, 2)
        assert "cannot be written: it is one of the inputs" in capsys.readouterr().err
    assert contents() == before


def test_two_outputs_are_two_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", "r.trn", "h.trn", "--json", "x", "--csv", "./x"]) == 2
    assert "./x: cannot be written: it is another of the outputs, as x" in capsys.readouterr().err
    assert main(["wer", "r.trn", "h.trn", "--json", "/dev/null", "--csv", "/dev/null"]) == 0


def test_standard_input_that_is_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("h.trn", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(["wer", "r.trn", "-", "--json", "h.trn"]) == 2
    assert "it is one of the inputs, as <stdin>" in capsys.readouterr().err


@pytest.mark.parametrize("root", ["./", "x"])
def test_reports_of_kws_below_a_root(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{root}sum.txt"
    Path(name).write_text(FILES["x.rttm"], "utf-8")
    arguments = ["kws", "-e", "x.ecf", "-t", "x.kwlist", "-r", name, "-s", "x.kwslist"]
    assert main([*arguments, "-o", "-f", root]) == 2
    assert "cannot be written: it is one of the inputs" in capsys.readouterr().err
    assert Path(name).read_text("utf-8") == FILES["x.rttm"]


@pytest.mark.parametrize(
    ("names", "output"), [(("h.trn.raw", "h.trn"), "h.trn.raw"), (("r.trn", "x.raw"), "x.raw")]
)
def test_sclite_refuses_where_the_original_overwrites_its_input(
    names: tuple[str, str], output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in names:
        Path(name).write_text(FILES["r.trn"], "utf-8")
    reference, hypothesis = names
    arguments = ["-r", reference, "trn", "-h", hypothesis, "trn", "-i", "spu_id", "-o", "rsum"]
    assert sclite.main([*arguments, *(["-n", "x"] if output == "x.raw" else [])]) == 2
    assert f"{output}: cannot be written: it is one of the inputs" in capsys.readouterr().err
    assert Path(output).read_text("utf-8") == FILES["r.trn"]


def test_sc_stats_refuses_its_standard_input(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    os.rename("x.sgml", "x.stats.mapsswe")
    with open("x.stats.mapsswe", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert sc_stats.main(["-p", "-t", "mapsswe", "-n", "x"]) == 2
    assert "x.stats.mapsswe: cannot be written: it is one of the inputs" in capfd.readouterr().err
    assert Path("x.stats.mapsswe").read_text("utf-8") == FILES["x.sgml"]


def test_rover_and_align_text_refuse(capfd: pytest.CaptureFixture[str]) -> None:
    before = contents()
    sides = ["-h", "a.ctm", "ctm", "-h", "b.ctm", "ctm", "-m", "meth1"]
    assert rover.main([*sides, "-o", "a.ctm"]) == 1
    assert "expected an output file that is not read as well" in capfd.readouterr().err
    for target in ("ark,t:k.ref", "ark,scp:k.new,./k.hyp"):
        assert main(["kaldi", "align-text", "ark:k.ref", "ark:k.hyp", target]) == 2
        assert "cannot be written: it is one of the inputs" in capfd.readouterr().err
    assert contents() == before
