"""`scoring docs`: the pages of the documentation, which are installed with the programs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from formats.command_line import CommandParser, closest
from scoring.cli.flags import add_flags
from scoring.cli.output import put_text
from scoring.cli.scoring import OK, say
from scoring.errors import ScoringError

PACKAGES = Path(__file__).resolve().parents[2]
# in the sources the folders stand beside the packages; a wheel has them in one of these
PLACES = (PACKAGES / "sclite_kit", PACKAGES)
CAPTION = ":caption: "
OPTIONAL = {"nargs": "?", "metavar": "page"}
ACTIONS = """
--where  print the name of the file only
--resources  copy the demo and the schemas into a folder `resources`, here
"""


class PageError(ScoringError):
    """A page or folder that is not there, or one that must not be."""

    status = 2


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        prog="scoring docs",
        description="Show a page of the documentation, or list all pages. The commands of the "
        "pages work where `--resources` has put the files that they name.",
    )
    add_flags(parser, "page PAGE  a page of the list, or the name of a format", PAGE=OPTIONAL)
    add_flags(parser.add_mutually_exclusive_group(), ACTIONS)
    arguments = parser.parse_args(argv)
    if arguments.resources:
        _copy_resources(Path("resources"))
        return OK
    folder = _installed("docs", "index.md")
    if arguments.page is None:
        put_text([str(folder)] if arguments.where else _listing(folder))
        return OK
    page = _page(folder, arguments.page)
    if arguments.where:
        put_text([str(page)])
    elif sys.stdout is not None and sys.stdout.isatty() and find_spec("rich"):
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        with console.pager():
            console.print(Markdown(page.read_text("utf-8")))
    else:
        put_text(page.read_text("utf-8").splitlines())
    return OK


def _installed(name: str, member: str) -> Path:
    for place in PLACES:
        if (place / name / member).exists():
            return place / name
    raise PageError(f"docs: expected {name} beside the packages in {PACKAGES}, found none")


def _copy_resources(target: Path) -> None:
    source = _installed("resources", "demo")
    if target.exists():
        raise PageError(f"docs: expected no {target} here yet, found one: it is left as it is")
    shutil.copytree(source, target)
    say(f"note: {target} is there now, with {target / 'demo'}")


def _listing(folder: Path) -> list[str]:
    """The pages as the index has them, with their titles."""
    lines: list[str] = []
    index = (folder / "index.md").read_text("utf-8")
    for block in index.split("```")[1::2]:
        for line in block.splitlines()[1:]:
            if line.startswith(CAPTION):
                caption = line.removeprefix(CAPTION)
                lines += ["", caption] if lines else [caption]
            elif line and not line.startswith(":"):
                with open(folder / f"{line}.md", encoding="utf-8") as page:
                    lines.append(f"  {line:<26}{page.readline()[2:].rstrip()}")
    return [*lines, "", "scoring docs PAGE shows one of them, or that of a format."]


def _page(folder: Path, name: str) -> Path:
    wanted = name.removesuffix(".md")
    pages = {
        path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.md")
    }
    for known in (wanted, f"formats/{wanted}", f"reference/{wanted}"):
        if known in pages:
            return pages[known]
    row = f"| [`{wanted}`]("
    for line in pages["formats"].read_text("utf-8").splitlines():
        if line.startswith(row):
            return pages[line.removeprefix(row).partition(".md)")[0]]
    near = closest(wanted, pages)
    meant = f"; did you mean {near}?" if near else ""
    raise PageError(f"docs: expected a page (scoring docs lists them), found {name!r}{meant}")
