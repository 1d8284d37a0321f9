"""The two commands in this process: arguments, output, exit codes, loaded classes."""

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from scoring.peers.benchmarkstt import main, metrics, normalization, output, tools
from scoring.serve import benchmarkstt_tools
from tests.each_case import each_case

REFERENCE = "Hello darkness my OLD friend.\nI have come to talk with you again"
HYPOTHESIS = "hello darkness my old fiend I have come talk with you again and again"
SIDES = ["-r", "ref.txt", "-h", "hyp.txt"]
KEY = "Color key: Unchanged \x1b[31mReference\x1b[0m \x1b[32mHypothesis\x1b[0m\n\n"


@pytest.fixture(autouse=True)
def folder(current_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (current_folder / "ref.txt").write_text(REFERENCE)
    (current_folder / "hyp.txt").write_text(HYPOTHESIS)
    (current_folder / "rules.csv").write_text('"[,.]"," "\n')
    (current_folder / "rules.conf").write_text("[normalization]\nRegex rules.csv\nlowercase\n")
    return current_folder


Run = Callable[..., tuple[str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def started(*arguments: str, program: Callable[..., object] = main.main) -> tuple[str, str]:
        program(arguments)
        return tuple(capsys.readouterr())  # type: ignore[return-value]

    return started


@pytest.fixture
def run_tools(run: Run) -> Run:
    return partial(run, program=tools.main)


def refused(
    program: Callable[..., object], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> str:
    with pytest.raises(SystemExit) as caught:
        program(arguments)
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("usage: benchmarkstt")
    return captured.err.splitlines()[-1]


def test_metrics_in_the_order_given(run: Run) -> None:
    out, err = run(*SIDES, "--diffcounts", "--wer", "--cer", "--wer", "hunt")
    assert err == ""
    assert out == (
        "diffcounts\n==========\n\nequal: 9\nreplace: 3\ninsert: 2\ndelete: 1\n\n"
        "wer\n===\n\n0.461538\n\ncer\n===\n\n0.307692\n\nwer\n===\n\n0.346154\n\n"
    )


def test_normalizers_in_the_order_given(run: Run) -> None:
    out, _ = run(*SIDES, "--lowercase", "--wer", "--cer", "--diffcounts", "-o", "json")
    assert out == (
        '[\n\t{"title": "wer", "result": 0.3076923076923077},\n'
        '\t{"title": "cer", "result": 0.23076923076923078},\n'
        '\t{"title": "diffcounts", "result": {"equal": 11, "replace": 1, "insert": 2, '
        '"delete": 1}}\n]\n'
    )
    first, _ = run(*SIDES, "--wer", "--replace", "OLD", "x", "--lowercase")
    second, _ = run(*SIDES, "--wer", "--lowercase", "--replace", "OLD", "x")
    assert (first, second) == ("wer\n===\n\n0.384615\n\n", "wer\n===\n\n0.307692\n\n")


def test_config_and_rule_files(run: Run) -> None:
    by_config, _ = run(*SIDES, "--wer", "--config", "rules.conf")
    by_file, _ = run(*SIDES, "--wer", "--file", "regex", "rules.csv", "--lowercase")
    by_option, _ = run(*SIDES, "--wer", "--regex", "[,.]", " ", "--lowercase")
    assert by_config == by_file == by_option == "wer\n===\n\n0.307692\n\n"


@pytest.mark.parametrize("form", ["html", "json", "rst", "text", "ansi", "list"])
def test_dialects_of_word_differences(run: Run, form: str) -> None:
    arguments = ["-r", "a b", "-rt", "argument", "-h", "a", "-ht", "argument"]
    out, _ = run(*arguments, "--worddiffs", form, "-o", "markdown")
    sides = ["a", "b"], ["a"]
    expected = metrics.WordDiffs(form).compare(*([{"item": word} for word in s] for s in sides))
    assert out == f"# worddiffs\n\n{expected}\n\n"


def test_default_dialects(run: Run) -> None:
    arguments = ["-r", "a b", "-rt", "argument", "-h", "a", "-ht", "argument", "--worddiffs"]
    assert run(*arguments)[0] == f"worddiffs\n=========\n\n{KEY}·a\x1b[31m·b\x1b[0m\n\n"
    assert run(*arguments, "-o", "json")[0] == (
        '[\n\t{"title": "worddiffs", "result": [{"type": "equal", "reference": "a", '
        '"hypothesis": "a"}, {"type": "delete", "reference": "b", "hypothesis": null}]}\n]\n'
    )


def test_types(run: Run, folder: Path) -> None:
    (folder / "ref.xml").write_text("a")
    out, _ = run("-r", "ref.xml", "-rt", "plaintext", "-h", "a", "-ht", "argument", "--wer")
    assert out == "wer\n===\n\n0.000000\n\n"
    with pytest.raises(ValueError, match="Cannot infer input file type for files of extension xml"):
        main.main(["-r", "ref.xml", "-h", "hyp.txt", "--wer"])


def test_beer(run: Run, folder: Path) -> None:
    (folder / "entities.json").write_text('{"again": 1, "my OLD": 3}')
    assert run(*SIDES, "--beer", "entities.json")[0] == (
        "beer\n====\n\nagain: {'beer': 1.0, 'occurrence_ref': 1}\n"
        "my OLD: {'beer': 1.0, 'occurrence_ref': 1}\n"
        "w_av_beer: {'beer': 0.5, 'occurrence_ref': 2}\n\n"
    )
    assert run(*SIDES, "--beer")[0] == "beer\n====\n\nError: 'Missing .json input file'\n\n"


def test_log(run: Run) -> None:
    out, err = run(*SIDES, "--wer", "--log", "--replace", "OLD", "old", "--config", "rules.conf")
    assert out == "wer\n===\n\n0.307692\n\n"
    lines = err.splitlines()
    assert lines[0] == (
        "Reference: NormalizationAggregate/Replace: "
        "Hello·darkness·my·\x1b[31mOLD\x1b[0m\x1b[32mold\x1b[0m·friend.␊I·have·come·to·talk·"
        "with·you·again"
    )
    stacks = [line.split(": ")[:2] for line in lines]
    config = "NormalizationAggregate/Config/rules.conf[normalization]"
    assert stacks[1:4] == [
        ["Reference", f"{config}/File/rules.csv/Regex"],
        ["Reference", f"{config}/File/rules.csv"],
        ["Reference", f"{config}/File"],
    ]
    assert stacks[-1] == ["Hypothesis", "NormalizationAggregate"]


def test_log_levels_and_the_version(run: Run) -> None:
    for level in ("DEBUG", "Warn", "fatal"):
        assert run(*SIDES, "--wer", "--log-level", level)[0].endswith("0.461538\n\n")
    assert run("--version") == ("benchmarkstt: 1.1\n", "")
    assert run("--version", "--wer", "a", "b", "c")[0] == "benchmarkstt: 1.1\n"


@each_case(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: -r/--reference, -h/--hypothesis"),
        (SIDES, "need at least one metric"),
        ([*SIDES, "--lowercase"], "need at least one metric"),
        ([*SIDES, "--wer", "--replace"], "argument --replace: expected at least one argument"),
        ([*SIDES, "--wer", "--replace", "a"], "argument --replace: requires 2 arguments (got 1)"),
        ([*SIDES, "--replace", "a", "b", "c"], "argument --replace: requires 2 arguments (got 3)"),
        ([*SIDES, "--wer", "a", "b", "c"], "argument --wer: requires between 0 and 2 arguments"),
        ([*SIDES, "--config", "a", "b", "c", "d"], "requires between 1 and 3 arguments (got 4)"),
        ([*SIDES, "--beer", "a", "b"], "argument --beer: requires between 0 and 1 arguments"),
        ([*SIDES, "--wer", "--lowercase", "x"], "unrecognized arguments: x"),
        ([*SIDES, "--wer", "--lower"], "unrecognized arguments: --lower"),
        ([*SIDES, "--wer", "--refer", "x"], "unrecognized arguments: --refer x"),
        ([*SIDES, "--wer", "-rt", "x"], "argument -rt/--reference-type: invalid choice: 'x'"),
        ([*SIDES, "--wer", "-o", "x"], "argument -o/--output-format: invalid choice: 'x'"),
        ([*SIDES, "--wer", "--log-level", "x"], "argument --log-level: invalid choice: 'x'"),
        (["-r", "ref.txt", "--wer", "-h"], "argument -h/--hypothesis: expected one argument"),
    ],
)
def test_wrong_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(main.main, arguments, capsys)
    assert line.startswith("benchmarkstt: error: ")
    assert message in line


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main.main(["--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    shown = " ".join(text.split())
    for usage in (
        "-r REFERENCE -h HYPOTHESIS",
        "[-rt {infer,argument,plaintext}]",
        "[-o {json,markdown,restructuredtext}]",
        "[--beer [entities_file]]",
        "[--wer [mode] [differ_class]]",
        "[--worddiffs [dialect] [differ_class]]",
        "[--config file [section] [encoding]]",
        "[--file normalizer file [encoding] [path]]",
        "[--lowercase]",
        "[--regex search replace]",
        "[--load MODULE_NAME [MODULE_NAME ...]]",
    ):
        assert usage in shown
    assert "%%" not in text


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["-r", "none.txt", "-h", "hyp.txt", "--wer"], FileNotFoundError),
        ([*SIDES, "--worddiffs", "nope"], ValueError),
        ([*SIDES, "--cer", "strict"], NotImplementedError),
        ([*SIDES, "--diffcounts", "levenshtein"], NotImplementedError),
        ([*SIDES, "--wer", "strict", "nope"], ImportError),
        ([*SIDES, "--wer", "--file", "nope", "rules.csv"], ImportError),
        ([*SIDES, "--wer", "--load", "no_such_module"], ModuleNotFoundError),
    ],
)
def test_what_escapes(
    arguments: list[str], kind: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(kind):
        main.main(["--wer", *arguments])
    assert capsys.readouterr().out == ""


@pytest.fixture
def external(folder: Path) -> Iterator[str]:
    (folder / "external_classes.py").write_text(
        "from scoring.peers.benchmarkstt.normalization import Lowercase, Normalizer\n"
        "class Shout(Normalizer):\n"
        "    def __init__(self, mark, times='1'):\n"
        "        self.mark = mark * int(times)\n"
        "    def _normalize(self, text):\n"
        "        return text.upper() + self.mark\n"
        "class HowMany:\n"
        "    '''How many words there are.'''\n"
        "    def compare(self, ref, hyp):\n"
        "        return len(list(ref))\n"
        "class Bare:\n"
        "    def result(self, title, result):\n"
        "        print(title, result)\n"
        "    def __enter__(self):\n"
        "        return self\n"
        "    def __exit__(self, *error):\n"
        "        pass\n"
    )
    yield "external_classes"
    module = sys.modules.pop("external_classes")
    for factory, name in (
        (normalization.factory, "Shout"),
        (metrics.factory, "HowMany"),
        (output.factory, "Bare"),
    ):
        del factory[getattr(module, name)]


def test_classes_of_ones_own(run: Run, external: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["-r", "a b", "-rt", "argument", "-h", "A", "-ht", "argument", "--load", external]
    out, err = run(*arguments, "-o", "bare", "--shout", "!", "2", "--howmany", "--wer", "--log")
    assert out == "howmany 2\nwer 1.0\n"
    assert err.startswith("Reference: NormalizationAggregate/Shout: ")
    with pytest.raises(SystemExit):
        main.main([*arguments, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "[--shout mark [times]]" in shown
    assert "How many words there are." in shown
    message = refused(main.main, [*arguments, "--wer", "--shout", "!", "2", "3"], capsys)
    assert "argument --shout: requires between 1 and 2 arguments (got 3)" in message


def test_tools_normalization(run_tools: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lower = "normalization", "--lowercase"
    monkeypatch.setattr(sys, "stdin", io.StringIO("IT WORKS!\n"))
    assert run_tools(*lower) == ("it works!\n", "")
    assert run_tools(*lower, "-i", "ref.txt") == (REFERENCE.lower(), "")
    both = run_tools(*lower, "-i", "ref.txt", "-i", "hyp.txt")[0]
    assert both == REFERENCE.lower() + HYPOTHESIS.lower()
    assert run_tools(*lower, "-i", "ref.txt", "-o", "out.txt") == ("", "")
    assert (folder / "out.txt").read_text() == REFERENCE.lower()
    out, err = run_tools(*lower, "-i", "ref.txt", "--log")
    assert (out, err.count("\n")) == (REFERENCE.lower(), 2)
    assert err.startswith("NormalizationAggregate/Lowercase: \x1b[31mH\x1b[0m\x1b[32mh\x1b[0mello·")


def test_tools_never_write_over_a_file(run_tools: Run, folder: Path) -> None:
    before = (folder / "hyp.txt").read_text()
    with pytest.raises(FileExistsError):
        run_tools("normalization", "-i", "ref.txt", "-o", "hyp.txt", "--lowercase")
    assert (folder / "hyp.txt").read_text() == before
    with pytest.raises(FileNotFoundError):
        run_tools("normalization", "-i", "none.txt", "-o", "out.txt", "--lowercase")
    with pytest.raises(FileExistsError):
        tools.write_new("hyp.txt", "x")
    assert sorted(path.name for path in folder.iterdir() if "out" in path.name) == []
    assert not list(folder.glob("*.tmp"))


def test_tools_write_where_there_are_no_links(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.link", refuse)
    tools.write_new("out.txt", "text")
    assert (folder / "out.txt").read_text() == "text"
    assert not list(folder.glob("*.tmp"))


def test_tools_metrics(run_tools: Run) -> None:
    out, _ = run_tools("metrics", *SIDES, "--wer", "levenshtein", "-o", "json")
    assert json.loads(out) == [{"title": "wer", "result": 6 / 13}]


@each_case(
    ("arguments", "message"),
    [
        ([], "expects at least 1 argument"),
        (["nope"], "invalid choice: 'nope'"),
        (["benchmark"], "invalid choice: 'benchmark'"),
        (["--version"], "--version"),
        (["normalization"], "need at least one normalizer"),
        (["normalization", "-i", "ref.txt"], "need at least one normalizer"),
        (["normalization", "-o", "out.txt", "--lowercase"], "can only write output to stdout when reading from stdin"),
        (["normalization", "-i", "a", "b", "--lowercase"], "unrecognized arguments: b"),
        (["normalization", "-i", "a", "-i", "b", "-o", "c", "--lowercase"], "expected 2 output files, one per input, found 1"),
        (["normalization", "-i", "a", "--file"], "argument --file: expected at least one argument"),
        (["normalization", "-i", "a", "--lower"], "unrecognized arguments: --lower"),
        (["metrics", *SIDES], "need at least one metric"),
        (["metrics", *SIDES, "--wer", "--lowercase"], "unrecognized arguments: --lowercase"),
        (["metrics", *SIDES, "--wer", "--log"], "unrecognized arguments: --log"),
        (["api", "--port", "x"], "argument --port: expected a number from 0 to 65535, found 'x'"),
    ],
)  # fmt: skip
def test_wrong_usage_of_the_tools(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(tools.main, arguments, capsys)


def test_tools_help(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, text in (
        (["--help"], "{normalization,metrics,api}"),
        (["normalization", "--help"], "-i file"),
        (["metrics", "--help"], "--worddiffs"),
        (["api", "--help"], "--entrypoint"),
    ):
        with pytest.raises(SystemExit) as caught:
            tools.main(arguments)
        assert caught.value.code == 0
        assert text in capsys.readouterr().out


def test_list_of_methods(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmarkstt_tools.main(["api", "--list-methods"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("version\n-------\n\nThe release of BenchmarkSTT followed.\n\nlist.norm")
    assert "\nbenchmark.worddiffs\n-------------------\n\n" in out


def test_the_server_is_given_its_arguments() -> None:
    seen: list[argparse.Namespace] = []
    tools.main(["api", "--host", "::1", "--port", "1234", "--with-explorer"], serve=seen.append)
    (arguments,) = seen
    assert (arguments.host, arguments.port, arguments.entrypoint) == ("::1", 1234, "/api")
    assert (arguments.with_explorer, arguments.debug) == (True, False)
