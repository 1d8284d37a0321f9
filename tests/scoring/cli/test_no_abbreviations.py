"""No command guesses an option from a part of its name, nor takes `-h` in passing for help.

Kaldi's scripts in Perl do guess, and so do ours in their place; nothing else does.
"""

import argparse
import itertools
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import formats.cli
from formats.cli.arguments import parser as formats_parser
from formats.console.command_parser import CommandParser
from scoring.cli.formats import VERBS
from scoring.cli.nist import rover, sc_stats, sclite
from scoring.cli.nist.drop_in import OWN_HELP, _usage_path, usage
from scoring.cli.nist.sctk import PROGRAMS
from scoring.cli.scoring import COMMANDS, main
from scoring.peers.benchmarkstt import main as benchmarkstt
from scoring.peers.benchmarkstt import tools as benchmarkstt_tools
from scoring.peers.kaldi.options import KaldiError
from scoring.peers.kaldi.options import parse as parse_kaldi_options
from tests.each_case import each_case
from tests.programs import parser_of

ROOT = Path(__file__).parents[3]
# Read their arguments as the originals do, without argparse.
OWN_READERS = ("kaldi", "sctk")
HELP_ONLY = [
    ["segments", "r.trn"], ["per", "r.trn"], ["merge", "a"], ["normalize", "--list"],
    ["serve", "--list-methods"],
]  # fmt: skip


def with_verbs(parser: CommandParser) -> Iterator[CommandParser]:
    """A parser, and those of its sub-commands."""
    yield parser
    for verb in parser.commands.values():
        yield from with_verbs(verb)


@cache
def every_parser() -> tuple[CommandParser, ...]:
    """The parsers of all commands, created once: parsing changes none."""
    return tuple(_parsers())


def _parsers() -> Iterator[CommandParser]:
    for name in COMMANDS:
        if name not in OWN_READERS:
            yield from with_verbs(parser_of(lambda name=name: main([name])))  # type: ignore[misc]
    yield parser_of(lambda: main(["kws", "check-kwslist"]))
    for name in OWN_READERS:
        yield parser_of(lambda name=name: main([name, "install"]))  # type: ignore[misc]
    # flags of formats are added for a line with a flag that its verb does not have
    flags = [*formats_parser(VERBS).commands, "--no-such-flag"]
    yield from with_verbs(formats_parser(VERBS, flags))
    yield from with_verbs(benchmarkstt.argparser())
    yield from with_verbs(benchmarkstt_tools.argparser())


def value_of(action: argparse.Action, text: str) -> object:
    """The value of an argument, from its text."""
    kind = action.type or str
    assert callable(kind)
    return kind(text)


def test_no_parser_takes_a_part_of_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(every_parser()) > 20
    for parser in every_parser():
        for option in parser.options:
            for part in (option[:length] for length in range(2, len(option))):
                # a letter with its value, as in -ofile, is no abbreviation
                if part[1] != "-" and not {part, part[:2]} & parser.options.keys():
                    with pytest.raises(SystemExit):
                        parser.parse_known_args([part])
                    error = capsys.readouterr().err
                    assert re.search(f"unrecognized arguments: {part}|{part} is not offered", error)


@pytest.mark.parametrize("arguments", [["--json=--"], ["-h", "h.trn", "-n--"]], ids=" ".join)
def test_no_file_is_named_by_two_dashes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.trn").write_text("a (a-1)\n")
    Path("h.trn").write_text("a (a-1)\n")
    assert main(["wer", "r.trn", "h.trn", *arguments]) == 2
    assert "expected a value, found --" in capsys.readouterr().err
    assert sorted(os.listdir()) == ["h.trn", "r.trn"]


def test_every_parser_is_of_the_common_kind() -> None:
    # completion lists options for a shell: nothing that a user has typed is parsed by its parser
    others = {"command_parser.py", "completion.py"}
    for package in ("formats", "scoring"):
        for path in (ROOT / package).rglob("*.py"):
            if path.name not in others:
                text = path.read_text("utf-8")
                assert "argparse.ArgumentParser(" not in text, path
                assert "optparse" not in text, path


def test_a_letter_is_not_taken_for_a_word_with_one_dash(capsys: pytest.CaptureFixture[str]) -> None:
    """`-i` once meant `-inc`, which scores keywords without references, too."""
    files = ["-e", "e", "-t", "t", "-r", "r", "-s", "s"]
    for letter in ("-i", "-in", "-z", "-zi"):
        assert main(["kws", *files, letter]) == 2
        assert f"scoring kws: error: {letter} is not offered" in (
            said := capsys.readouterr().err
        ) or (f"unrecognized arguments: {letter}" in said)


@pytest.mark.parametrize("program", [sclite.main, sc_stats.main, rover.main])
def test_the_programs_of_nist_take_whole_options_only(
    program: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    for argument in ("--plot", "--p", "-alph", "-rr", "-hh", "--hel"):
        assert program([argument]) == 1
        assert f"Illegal argument: {argument}" in capsys.readouterr().out


@each_case("name", [name for name in PROGRAMS if os.path.exists(_usage_path(name))])
def test_the_programs_of_nist_print_their_usage_for_help(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert PROGRAMS[name](["--help"]) == 0
    shown = capfd.readouterr()
    assert name.removesuffix(".pl").removesuffix(".sh").lower() in shown.out.lower()
    assert shown.err == ""
    if name not in OWN_HELP:
        assert shown.out == usage(name)


def test_programs_of_kaldi_take_whole_options_only() -> None:
    with pytest.raises(KaldiError, match="Invalid option --mod=all"):
        parse_kaldi_options(["--mod=all"], {"mode": "strict"})


@each_case("command", COMMANDS)
def test_a_lone_h_is_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("-h", "--help"):
        assert main([command, flag]) == 0
        usage = capsys.readouterr().out.lower()
        assert usage.startswith((f"usage: scoring {command}", f"usage: {command} "))


@each_case("arguments", HELP_ONLY, ids=" ".join)
def test_h_among_other_arguments_is_no_success(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ([*arguments, "-h"], [arguments[0], "-h", *arguments[1:], "x"]):
        assert main(given) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "-h" in printed.err


def test_h_among_other_arguments_converts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert formats.cli.main(["convert", "-h"]) == 0
    assert capsys.readouterr().out.startswith("usage: formats convert")
    assert formats.cli.main(["convert", "a.trn", "b.stm", "-h"]) == 2
    assert "-h: expected no other arguments" in capsys.readouterr().err


def test_two_dashes_are_no_value(capsys: pytest.CaptureFixture[str]) -> None:
    """`--OPTION=--` is a usage error in every command; argparse raises a ValueError or takes it."""
    for parser in every_parser():
        for option, action in parser.options.items():
            if action.nargs != 0 and option.startswith("--"):
                with pytest.raises(SystemExit) as leaving:
                    parser.parse_known_args([f"{option}=--"])
                assert leaving.value.code in (1, 2)
                assert f"{option}: expected a value, found --" in capsys.readouterr().err


def test_a_value_may_begin_with_a_minus_and_a_digit(capsys: pytest.CaptureFixture[str]) -> None:
    """`--bins -5,0,5` means what `--bins=-5,0,5` means, as does every option that takes a value."""
    outcomes = {True: 0, False: 0}
    values = itertools.cycle(("-5,0,5", "-1:30", "-.5pt"))
    for parser in (each for each in every_parser() if not each.commands):
        for option, action in parser.options.items():
            if action.nargs is not None or not option.startswith("--"):
                continue
            value, read = next(values), []
            for words in ([option, value], [f"{option}={value}"]):
                capsys.readouterr()
                try:
                    read.append(vars(parser.parse_known_args(words)[0]))
                except SystemExit:
                    read.append({"error": capsys.readouterr().err})
            assert str(read[0]) == str(read[1]), option
            assert "expected one argument" not in str(read[0])
            outcomes["error" in read[0]] += 1
    assert min(outcomes.values()) > 50
