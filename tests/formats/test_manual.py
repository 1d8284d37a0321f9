"""The manual of the formats is run: its Python, its console sessions, its table and its links."""

import doctest
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import formats
from formats.detection import all_formats
from formats.detection.spec import FormatSpec
from scoring.cli.formats import main
from tests.console import console_steps
from tests.each_case import each_case

WriteFile = Callable[[str, "str | bytes"], str]

DOCS = Path(formats.__file__).parents[1] / "docs"
MANUAL = DOCS / "formats.md"
# The pages of formats leave this line out; formats.md says so.
LOSSES = re.compile(
    r"^formats: .*: not preserved in [\w-]+ \(--explain-loss shows where\).*\n", re.MULTILINE
)
PAGES = [MANUAL, DOCS / "many-files.md", *sorted((DOCS / "formats").glob("*.md"))]

pytestmark = pytest.mark.skipif(not MANUAL.is_file(), reason="the manual is not installed")


@pytest.mark.quotes
@each_case("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs(
    page: Path, write_file: WriteFile, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """`cat` tells what a file holds before, `head` what it holds afterwards."""
    text = page.read_text(encoding="utf-8")
    commands = 0
    for command, shown in console_steps(text):
        program, *arguments = shlex.split(command)
        if program == "cat":
            (tmp_path / arguments[0]).parent.mkdir(parents=True, exist_ok=True)
            write_file(arguments[0], shown)
        elif program == "head":
            assert (tmp_path / arguments[0]).read_text("utf-8") == shown, command
        else:
            assert program == "formats"
            main(arguments)
            output, errors = capfd.readouterr()
            if page.parent.name == "formats":
                errors = LOSSES.sub("", errors)
            found = errors + output if shown.startswith("formats: ") else output + errors
            assert found == shown, command
            commands += 1
    assert commands > (4 if page == MANUAL else 0)
    examples = doctest.DocTestParser().get_doctest(text, {}, page.stem, str(page), 0)
    if examples.examples:
        assert doctest.DocTestRunner().run(examples).failed == 0
    assert len(examples.examples) > (8 if page == MANUAL else -1)


@each_case("spec", all_formats())
def test_every_format_is_in_the_list_and_has_a_page_with_its_options(spec: FormatSpec) -> None:
    overview = MANUAL.read_text(encoding="utf-8")
    links = re.findall(rf"\[`{spec.name}`\]\(formats/([\w-]+\.md)[#\w-]*\)", overview)
    assert len(links) == 1
    kinds = re.split(rf"\[`{spec.name}`\]", overview)[0].rpartition("- **")[2]
    assert re.findall(r"read and written|\bread\b", kinds)[-1] == (
        "read" if spec.write is None else "read and written"
    )
    text = overview + (DOCS / "formats" / links[0]).read_text("utf-8")
    for option in spec.read_options + spec.write_options:
        flag = option.name.replace("_", "-")
        assert f"--no-{flag}" in text if option.default is True else f"--{flag}" in text
