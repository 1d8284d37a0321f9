"""`scoring recipes`: list the recipes, the choices that each fixes, and the files it needs."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from formats.cli.output import put_json
from formats.console.command_line import InputPath, OutputPath
from formats.console.command_parser import CommandParser
from formats.schema.shared_options import HELP_OF
from scoring.cli.scoring import EXCEEDED, OK
from scoring.drawing.blocks import Block, Heading, Items, Note, Table
from scoring.drawing.text import screen_look, text_lines
from scoring.model.outputs import put_text
from scoring.options import FREE, fixable
from scoring.text.downloads import OF_STEPS, Download, install
from scoring.text.recipes import EVERY, Recipe, RecipeError, recipe_named, recipes

NOTHING_CHECKED = 2  # a table of records of which none could be compared


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = CommandParser(
        prog="scoring recipes",
        usage="scoring recipes [show NAME ... | install NAME ... [--from-file FILE] | "
        "table KIND FOLDER [--published FILE]]",
        description="List the recipes that --like accepts. `show` prints every option that a "
        "recipe sets. `install` downloads and verifies the files that a recipe needs "
        "from other projects, and keeps them in the user's cache. `table` scores a "
        "published folder of results again and marks each published number as equal "
        "or different.",
    )
    parser.add_argument(
        "words", nargs="*", help=("show, install or table, followed by its arguments")
    )
    parser.add_argument(
        "--from-file",
        dest="source",
        metavar="FILE",
        type=InputPath,
        help="in `install`, use FILE, or the file in this folder or archive, instead of a download",
    )
    parser.add_argument(
        "--published",
        metavar="FILE",
        type=InputPath,
        help="in `table`, file with the published numbers, if it is not in the folder",
    )
    parser.add_argument(
        "--recipe",
        dest="like",
        metavar="NAME",
        help="in `table open-asr`, score with this recipe (default: the current recipe)",
    )
    parser.add_argument("--json", metavar="FILE", type=OutputPath, help=HELP_OF["--json"])
    arguments = parser.parse_args(argv)
    action, *names = arguments.words or ["list"]
    if action not in ("list", "show", "install", "table") or bool(names) == (action == "list"):
        parser.error("expected no word, show NAME ..., install NAME ... or table KIND FOLDER")
    if arguments.source is not None and action != "install":
        parser.error("--from-file: expected after install NAME")
    if (arguments.published or arguments.like) and action != "table":
        parser.error("--published, --recipe: expected after table KIND FOLDER")
    if arguments.json and action == "install":
        parser.error("--json: expected nothing, show NAME ... or table KIND FOLDER")
    if action == "table":
        return _table(parser, names, arguments)
    _check_names(parser, action, names)
    blocks = _show(names) if action == "show" else _list()
    if action == "install":
        blocks = _install(names, arguments.source)
    if arguments.json:
        shown = list(map(recipe_named, names)) if names else list(recipes().values())
        put_json(arguments.json, "recipes", recipes=list(map(_record, shown)))
    if arguments.json != "-":
        put_text(text_lines(blocks, screen_look()))
    return OK


def _check_names(parser: CommandParser, action: str, names: Sequence[str]) -> None:
    """Reject unknown names as a usage error of the command."""
    for name in names:
        try:
            recipe_named(name)
        except RecipeError as problem:
            parser.error(f"{action}: {problem.problem}")


def _record(recipe: Recipe) -> dict[str, object]:
    """Return a recipe with all choices that it fixes, for JSON."""
    return {
        "id": recipe.name,
        **{key: getattr(recipe, key) for key in ("title", "source", "date", "hash")},
        "fixed_options": recipe.fixed(fixable()),
        "usual_options": dict(recipe.usual),
        "characters": dict(recipe.characters or {}),
        "arithmetic": recipe.arithmetic,
        "headline_rule": asdict(recipe.headline),
        "free_options": None if EVERY in recipe.free else _free(recipe),
    }


def _free(recipe: Recipe) -> list[str]:
    """Return the options that a recipe does not fix."""
    return sorted({*FREE, *recipe.free} - {"like"})


def _table(parser: CommandParser, words: Sequence[str], arguments: argparse.Namespace) -> int:
    """Recompute the cells of a published table and print them; return the exit status.

    The status is 3 if any cell differs, and 2 if no cell was checked.
    """
    from scoring.regression.published import KINDS, table_of

    if len(words) != 2 or words[0] not in KINDS:
        parser.error(f"expected table KIND FOLDER, with KIND one of {', '.join(KINDS)}")
    if not words[1]:
        parser.error("FOLDER: expected the name of a file, found an empty one")
    cells = table_of(words[0], words[1], arguments.published, arguments.like)
    marks = {True: "yes", False: "no", None: ""}
    shown = [cell for cell in cells if not cell.unchecked]
    rows = [(each.row, each.column, each.published, each.ours, marks[each.equal]) for each in shown]
    compared = [cell.equal for cell in cells if cell.equal is not None]
    unchecked = [f"{cell.row}: {cell.column}: {cell.unchecked}" for cell in cells if cell.unchecked]
    counts = [f"published numbers: {len(compared)}", f"equal: {sum(compared)}"]
    counts += [f"not checked: {len(unchecked)}"] * bool(unchecked)
    table = Table(("result", "number", "published", "ours", "equal"), rows, 2)
    blocks: list[Block] = [table] if rows else []
    blocks += [Heading("Not checked"), Items(unchecked)] if unchecked else []
    if arguments.json:
        numbers = [
            {
                "name": cell.row,
                "metric": cell.column,
                "ours": cell.ours,
                "published": cell.published or None,
                "unchecked": cell.unchecked or None,
                "equal": cell.equal,
            }
            for cell in cells
        ]
        put_json(arguments.json, "published-table", kind=words[0], cells=numbers)
    if arguments.json != "-":
        put_text(text_lines([*blocks, Note(", ".join(counts))], screen_look()))
    if unchecked and not compared:
        return NOTHING_CHECKED
    return OK if all(compared) else EXCEEDED


def _list() -> Iterator[Block]:
    rows = [(each.name, each.date, each.hash, each.source) for each in recipes().values()]
    yield Table(("recipe", "date", "hash", "source"), rows, 4)


def _install(names: Sequence[str], source: str | None) -> Iterator[Block]:
    for recipe in map(recipe_named, names):
        lines = [
            f"{recipe.name}: {download.file} ({download.licence}) of {source or download.url} "
            f"is in {install(download, source)}"
            for download in _needs(recipe)
        ]
        yield Items(lines or [f"{recipe.name}: ready; it needs no files from other projects"])


def _needs(recipe: Recipe) -> list[Download]:
    """Return the external files that the steps of a recipe need."""
    steps = recipe.options.get("normalize") or ()
    names = [re.split("[@:]", step)[0] for step in steps]
    return [OF_STEPS[name] for name in names if name in OF_STEPS]


def _show(names: Sequence[str]) -> Iterator[Block]:
    for name in names:
        recipe = recipe_named(name)
        choices: dict[str, object] = {
            **{key: getattr(recipe, key) for key in ("title", "source", "date", "hash")},
            **recipe.fixed(fixable()),
            **{f"{key} (unless chosen)": value for key, value in recipe.usual.items()},
            **{f"characters.{key}": value for key, value in (recipe.characters or {}).items()},
            "arithmetic": recipe.arithmetic,
            **{f"headline.{key}": value for key, value in asdict(recipe.headline).items()},
            "left to the caller": "all" if EVERY in recipe.free else ", ".join(_free(recipe)),
        }
        yield Heading(recipe.name)
        yield Items([f"{key}: {_text(value)}" for key, value in choices.items()])


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return "none" if value is None else str(value)
