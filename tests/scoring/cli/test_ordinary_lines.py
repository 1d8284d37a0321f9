"""The reader of ordinary lines gives the values that argparse gives, or leaves a line to argparse."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from formats.console.command_line import Argument, CommandTable, ParsedArguments
from scoring.cli.scoring import COMMANDS, main
from tests.each_case import each_case
from tests.programs import line_of

# Which read their arguments in another way, or have subcommands.
OTHERS = ("compat", "conformance", "history", "kaldi", "kws", "recipes", "sctk")
NAMES = [name for name in COMMANDS if name not in OTHERS]
TEXTS = (
    *("3", "0.5", "95%", "1/2", "0,2,5", "2024-01-01", "speaker", "a=b", "A:0=B", "lowercase"),
    *("loops", "loops.loop_rate=1", "wer", "kaldi", "cp", "word", "char", "all", "sum", "stdout"),
    *("{start} {text}", "tests.programs:python", "english", "x.json", "a b", "é", "-", "name"),
)
WORDS = ("a.stm", "-", "", "--", "-5", "-.5", "--no-such", "-z", "-o=sum", "--json", "help", "-ab")


@cache
def line(name: str) -> tuple[CommandTable, bool]:
    """The table of a command, and whether files may stand between options."""
    return line_of(lambda: main([name]))


def rows(name: str) -> list[Argument]:
    """The options of a command that ordinary lines may have."""
    own = dict.fromkeys(line(name)[0]._options.values())
    return [row for row in own if row.numbers() is not None]


@cache
def values(name: str) -> dict[Argument, list[str]]:
    """Texts that the options of a command take, by option."""
    return {row: [text for text in candidates(row) if is_taken(row, text)] for row in rows(name)}


def candidates(row: Argument) -> Iterator[str]:
    yield from map(str, row.keywords.get("choices") or TEXTS)


def is_taken(row: Argument, text: str) -> bool:
    """True if an option takes a text."""
    try:
        row.store({row.dest: row.default}, [text])
    except Exception:
        return False
    return True


def by_argparse(name: str, words: list[str]) -> dict[str, Any] | None:
    """The values that argparse gives; `None` for a usage error."""
    command, intermixed = line(name)
    parser = command.parser()
    parse = parser.parse_known_intermixed_args if intermixed else parser.parse_known_args
    try:
        arguments, rest = parse(list(words), ParsedArguments())
    except SystemExit:
        return None
    return None if rest else vars(arguments)


def plain(value: object) -> object:
    """A value with its type, so that values of different types differ."""
    if isinstance(value, (list, tuple, set)):
        return type(value), [
            *map(plain, value if isinstance(value, list) else sorted(value, key=str))
        ]
    if isinstance(value, (str, int, float)) or value is None:
        return type(value), value
    return type(value), str(value) if type(value).__repr__ is not object.__repr__ else ""


def check(name: str, words: list[str]) -> bool:
    """Check a line; return True if it is ordinary."""
    command, intermixed = line(name)
    ours = command.ordinary(words, intermixed=intermixed)
    if ours is None:
        return False
    theirs = by_argparse(name, words)
    assert theirs is not None, words
    assert {key: plain(value) for key, value in vars(ours).items()} == {
        key: plain(value) for key, value in theirs.items()
    }, words
    return True


def least_files(name: str) -> list[str]:
    """As few files as a command takes, and the options that it needs."""
    words = []
    for row in line(name)[0]._arguments:
        if not row.is_option:
            words += ["a.stm"] * min(1, (row.numbers() or (0, 0))[0])
        elif row.keywords.get("required"):
            words += [row.names[-1], values(name)[row][0]]
    return words


# two values of each option; in a release four
@pytest.mark.parametrize("most_texts", [2, pytest.param(4, marks=pytest.mark.release)])
@each_case("name", NAMES)
def test_every_option_alone(name: str, most_texts: int, capsys: pytest.CaptureFixture[str]) -> None:
    first = least_files(name)
    for row, texts in values(name).items():
        least, most = row.numbers() or (0, 0)
        for option in row.names:
            lines = [[option]] if not least else []
            for text in texts[:most_texts] if most else ():
                lines += [[option, text]]
                lines += [[f"{option}={text}"]] * option.startswith("--")
                lines += [[option, text, *texts[:3]]] * (most > 1)
            ordinary = [check(name, [*first, *words]) for words in lines]
            # required options exclude others of their group
            assert all(ordinary) or row.group is not None, (option, lines)


@each_case("name", NAMES)
def test_random_lines(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = {
        row: texts for row, texts in values(name).items() if texts or row.numbers() == (0, 0)
    }
    draw = random.Random(name)
    ordinary = 0
    for _ in range(150):
        words = list(least_files(name)) if draw.random() < 0.7 else []
        for row in draw.choices([*options], k=draw.randrange(6)):
            least, most = row.numbers() or (0, 0)
            option, texts = draw.choice(row.names), options[row]
            number = draw.randint(least, min(most, 3))
            if number == 1 and option.startswith("--") and draw.random() < 0.3:
                part = [f"{option}={draw.choice(texts)}"]
            else:
                part = [option, *draw.choices(texts, k=number)] if number else [option]
            place = draw.randrange(len(words) + 1) if draw.random() < 0.3 else len(words)
            words[place:place] = part
        for _ in range(draw.choice((0, 0, 0, 1, 2))):
            word = draw.choice(WORDS) if draw.random() < 0.4 else "b.stm"
            words.insert(draw.randrange(len(words) + 1), word)
        ordinary += check(name, words)
    assert ordinary > 10


@each_case("words", ["--greedy --exact a b", "a b --", "-- a", "a b -h", "a b --unit=", "a b -r"])
def test_lines_for_argparse(words: str) -> None:
    assert line("wer")[0].ordinary(words.split(), intermixed=True) is None


def test_an_ordinary_line_needs_no_parser_of_argparse() -> None:
    command, intermixed = line_of(lambda: main(["wer"]))
    words = ["a", "b", "--by", "speaker", "-h", "c"]
    assert command.ordinary(words, intermixed=intermixed) is not None
    assert command._parser is None
