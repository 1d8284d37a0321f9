"""The manual of the formats is run: its Python, its console sessions, its table of formats."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import formats
from formats.cli import main
from formats.registry import all_formats

WriteFile = Callable[[str, "str | bytes"], str]

MANUAL = Path(formats.__file__).parents[1] / "docs" / "formats.md"

pytestmark = pytest.mark.skipif(not MANUAL.is_file(), reason="the manual is not installed")


def console_steps(text: str) -> Iterator[tuple[str, str]]:
    """Commands of the console blocks with what is shown below them."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, shown


def test_the_manual_runs(write_file: WriteFile, capfd: pytest.CaptureFixture[str]) -> None:
    text = MANUAL.read_text(encoding="utf-8")
    commands = 0
    for command, shown in console_steps(text):
        program, *arguments = shlex.split(command)
        if program == "cat":
            write_file(arguments[0], shown)
            continue
        assert program == "formats"
        main(arguments)
        output, errors = capfd.readouterr()
        found = errors + output if shown.startswith("formats: ") else output + errors
        assert found == shown, command
        commands += 1
    assert commands > 8
    examples = doctest.DocTestParser().get_doctest(text, {}, "manual", str(MANUAL), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 8
    assert results.failed == 0


def test_every_format_has_a_row_and_a_section() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    for spec in all_formats():
        assert f"[`{spec.name}`](#" in text
        for option in spec.read_options + spec.write_options:
            flag = option.name.replace("_", "-")
            assert f"--no-{flag}" in text if option.default is True else f"--{flag}" in text
