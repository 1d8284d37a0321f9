"""What the pages say that a machine can check: names of options, extras and commands, and figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from configparser import ConfigParser
from importlib import import_module
from pathlib import Path

import pytest

import sclite_kit
from sclite_kit.aliases import PACKAGES
from scoring.cli.catalogue import entries
from scoring.cli.scoring import COMMANDS
from tests.scoring.cli.test_no_abbreviations import every_parser
from tests.scoring.score.test_schema import WRITERS

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]
# A command of ours in code, up to the end of the line or of the code.
COMMAND = re.compile(r"(?:[$`] ?|^)((?:scoring|formats) [a-z][a-z-]+)\b([^`\n|;]*)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
# Commands that run other programs, with their options.
OTHERS = ("scoring kaldi", "scoring sctk", "scoring compat", "scoring fstalign", "scoring docs")
# Options of other programs and packages on pages about ours.
FOREIGN = {"--keywords-f", "--oov-list-f", "--regions", "--upper"}
# Figures of time and memory stand beside the benchmark that measures them.
FIGURE = re.compile(r"\d (?:s|ms|minutes|seconds) of processor time|\d (?:GB|MB) of memory")
MEASURED = ("benchmarks/", "speed.md")


def commands() -> Iterator[tuple[Path, str, set[str]]]:
    """Every command line of a page: its command, and the long options there."""
    for page in PAGES:
        for command, rest in COMMAND.findall(page.read_text("utf-8")):
            # `gate accept` has a parser of its own
            if not command.startswith(OTHERS) and "accept" not in rest:
                yield page, command, set(OPTION.findall(rest))


@pytest.fixture(scope="module")
def parsers() -> list[tuple[str, set[str]]]:
    """The long options of each command and sub-command."""
    return [(parser.prog, {*parser.options}) for parser in every_parser()]


@pytest.fixture(scope="module")
def options(parsers: list[tuple[str, set[str]]]) -> dict[str, set[str]]:
    """The long options of each command, with those of its own commands."""
    found: dict[str, set[str]] = {}
    for name, own in parsers:
        found.setdefault(" ".join(name.split()[:2]), set()).update(own)
    return found


def test_command_lines_have_options_of_their_command(options: dict[str, set[str]]) -> None:
    lines = list(commands())
    assert len(lines) > 300
    unknown = {
        f"{page.relative_to(ROOT)}: {command} {option}"
        for page, command, names in lines
        for option in names - FOREIGN - options.get(command, names)
    }
    assert unknown == set()


def test_commands_are_commands(options: dict[str, set[str]]) -> None:
    named = {command for _, command, _ in commands()}
    ours = {f"scoring {name}" for name in COMMANDS} | options.keys()
    assert {name for name in named - ours if name.startswith("scoring ")} == set()


def test_options_that_pages_name_exist(options: dict[str, set[str]]) -> None:
    """Of options alone in code; pages about other programs name theirs."""
    every = set().union(*options.values())
    own: tuple[str, ...] = (
        "wer",
        "many-speakers",
        "diarisation",
        "evaluators",
        "signature",
        "statistics",
        "bench",
    )
    own += ("words-of-interest", "several-references", "differences", "many-files", "service")
    unknown = {
        f"{name}.md: {option}"
        for name in own
        for option in re.findall(
            r"`(--[a-z][a-z0-9-]+)", (ROOT / "docs" / f"{name}.md").read_text("utf-8")
        )
        if option not in every | FOREIGN
    }
    assert unknown == set()


def test_pages_import_from_one_package() -> None:
    """Examples import `sclite_kit` and what is listed below it, never a module of our insides."""
    imported = re.compile(
        r"^(?:>>> |\.\.\. )? *(?:from (?:scoring|formats)[\w.]* import|import (?:scoring|formats)\b)"
    )
    dotted = re.compile(r"`(?:scoring|formats)\.[a-z]\w*(?:\.\w+)+")
    listed = {*PACKAGES, "compat", "plugin"}
    inside = []
    for page in PAGES:
        text = page.read_text("utf-8")
        lines = [line for line in text.splitlines() if imported.match(line)]
        lines += dotted.findall(text)
        lines += [
            name for name in re.findall(r"from sclite_kit\.(\w+)", text) if name not in listed
        ]
        inside += [f"{page.relative_to(ROOT)}: {line}" for line in lines]
    assert inside == []


def test_every_package_below_ours_is_there() -> None:
    for name in [*PACKAGES, "plugin"]:
        module = import_module(f"sclite_kit.{name}")
        assert getattr(sclite_kit, name) is module
        assert f"    {name} " in (sclite_kit.__doc__ or "") or name == "scoring"


def test_the_entry_of_the_first_release_is_short() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").partition("## 0.1.0")[2].splitlines()
    assert len([line for line in lines[1:] if line]) <= 50
    assert max(map(len, lines)) <= 250


def test_extras_exist() -> None:
    project = ConfigParser()
    project.read(ROOT / "setup.cfg", "utf-8")
    extras = set(project["options.extras_require"])
    named = {
        extra
        for page in PAGES
        for names in re.findall(r"sclite-kit\[([a-z0-9,-]+)\]", page.read_text("utf-8"))
        for extra in names.split(",")
    }
    assert len(named) > 3
    assert named <= extras


def test_figures_stand_beside_their_benchmark() -> None:
    wrong = {
        f"{page.relative_to(ROOT)}: {paragraph[:60]}"
        for page in PAGES
        for paragraph in page.read_text("utf-8").split("\n\n")
        if FIGURE.search(paragraph) and not any(name in paragraph for name in MEASURED)
    }
    assert wrong == set()


def test_every_command_with_json_has_a_schema(options: dict[str, set[str]]) -> None:
    """The reference of JSON names every command that can write it, each with a published schema."""
    page = (ROOT / "docs/reference/schemas.md").read_text("utf-8")
    rows = re.findall(r"^\| \[([a-z0-9-]+)\]\([^)]*\) \| (.*) \|$", page, re.M)
    assert {f"{name}.json" for name, _ in rows} == {
        path.name for path in (ROOT / "resources/schemas").glob("*.json")
    }
    for name, _ in rows:
        schema = json.loads((ROOT / "resources/schemas" / f"{name}.json").read_text("utf-8"))
        if name != "gate-suite-1":
            assert "schema" in json.dumps(schema)
    written = " ".join(text for _, text in rows)
    writers = {name for name, own in options.items() if "--json" in own}
    named = {name for name in writers if f"`{name}" in written or f"`{name.split()[1]}`" in written}
    assert len(writers) > 15
    assert writers == named


def test_every_command_with_json_is_run_and_checked(parsers: list[tuple[str, set[str]]]) -> None:
    assert {name for name, own in parsers if "--json" in own} == {*WRITERS}
    schemas = {path.stem for path in (ROOT / "resources/schemas").glob("*.json")}
    assert {schema for _, schema in WRITERS.values()} <= schemas


def test_codes_of_messages_on_pages_exist() -> None:
    code = re.compile(
        r"(?:note|warning|hint|error): (?!.*record skipped).*\[([A-Z][A-Z0-9-]+\??)\]$",
        re.MULTILINE,
    )
    named = {name for page in PAGES for name in code.findall(page.read_text("utf-8"))}
    assert len(named) > 15
    assert named - {entry.code for entry in entries()} == set()
