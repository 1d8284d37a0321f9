"""A long option has one meaning, one set of values and one help text in all commands."""

from __future__ import annotations

import argparse
from collections import defaultdict

from formats.console.command_line import CommandParser
from formats.schema.shared_options import SHARED
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
