"""A long option has one meaning, one set of values and one help text in all commands."""

from __future__ import annotations

import argparse
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from formats.cli import main as formats_main
from formats.console.command_parser import CommandParser
from formats.schema.shared_options import SHARED
from scoring.cli.scoring import main
from scoring.measures import MEASURES, measure_named
from scoring.regression.conditions import limit_of
from scoring.regression.task_figures import TASK_FIGURES
from tests.scoring.cli.test_no_abbreviations import every_parser

# These take the options of other programs.
DROP_INS = ("scoring fstalign", "scoring kaldi", "benchmarkstt")


def meaning_of(action: argparse.Action) -> tuple[object, ...]:
    """What a user reads about an option: its values, and its help."""
    shown = action.metavar or tuple(action.choices or ()) or (action.nargs != 0 and action.dest)
    return shown, action.help


def meanings() -> dict[str, dict[tuple[object, ...], list[str]]]:
    found: dict[str, dict[tuple[object, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    for parser in every_parser():
        assert isinstance(parser, CommandParser)
        if parser.prog.startswith(DROP_INS):
            continue
        for name, action in parser.options.items():
            if name.startswith("--") and action.help != argparse.SUPPRESS:
                found[name][meaning_of(action)].append(parser.prog)
    return found


def test_an_option_means_one_thing_in_all_commands() -> None:
    found = meanings()
    assert len(found) > 350
    assert {name: dict(texts) for name, texts in found.items() if len(texts) > 1} == {}


def test_every_shared_option_is_one_of_several_commands() -> None:
    found = meanings()
    users = {name: sum(map(len, found[name].values())) for name in SHARED}
    assert {name for name, number in users.items() if number < 2} == set()


def same_limit(value: Any, other: Any) -> bool:
    """Test if two parsed limits are the same, whatever they were written as."""
    return bool(getattr(value, "limit", value) == getattr(other, "limit", other))


@pytest.mark.parametrize(
    ("metavar", "least", "written"),
    [
        ("PERCENT", 3, ("50", "50%")),
        ("P", 1, ("0.05", "5%")),
        ("POINTS[:significant]", 1, ("5", "5pt")),
    ],
)
def test_a_limit_may_have_its_unit(metavar: str, least: int, written: tuple[str, str]) -> None:
    """Shares are percent, and p-values numbers to 1, in every option of their metavar."""
    actions = {
        name: action
        for parser in every_parser()
        for name, action in parser.options.items()
        if action.metavar == metavar and not parser.prog.startswith(DROP_INS)
    }
    assert len(actions) >= least
    for name, action in actions.items():
        assert callable(action.type), name
        assert same_limit(*map(action.type, written)), name


def test_a_limit_of_a_number_is_written_as_reports_print_it() -> None:
    """A share in percent, with its sign or without; any other number as it is."""
    figures = {**TASK_FIGURES, **{name: measure_named(name).figures for name in MEASURES}}
    for measure, numbers in figures.items():
        for figure in numbers:
            text = f"{measure}.{figure.name}=12.5"
            limit = limit_of(text, measure, numbers).limit
            if figure.form == "percent":
                assert limit == limit_of(f"{text}%", measure, numbers).limit == Fraction(1, 8), text
                continue
            assert limit == Fraction(25, 2), text
            with pytest.raises(ValueError, match="LIMIT"):
                limit_of(f"{text}%", measure, numbers)


@pytest.mark.parametrize(
    "command",
    ["wer a a --test randomization", "history trend a --test randomization", "wer a --color never"],
)
def test_american_spellings_are_accepted(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    assert "argument" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["help"], ["help", "list"]])
def test_a_command_without_its_own_shows_its_help(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As `scoring` does: status 2 without a word, otherwise 0."""
    named = {"list": "wer"}
    bare = [named.get(word, word) for word in words]
    for run, arguments in (
        (main, ["history", *words]),
        (main, bare),
        (formats_main, words),
    ):
        status = run(arguments)
        output, errors = capsys.readouterr()
        assert (status, output[:6], errors) == (0 if words else 2, "usage:", "")
