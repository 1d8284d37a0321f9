"""`scoring recipes`: the frozen recipes, and every choice of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from formats.console.command_line import CommandParser
from scoring.cli.output import put_text
from scoring.cli.scoring import OK
from scoring.drawing.blocks import Block, Heading, Items, Table
from scoring.drawing.text import text_lines
from scoring.options import FREE, fixable
from scoring.text.recipes import EVERY, recipe_named, recipes


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        prog="scoring recipes",
        usage="scoring recipes [show NAME ...]",
        description="List the frozen recipes that --like accepts; `show` prints every choice.",
    )
    parser.add_argument("words", nargs="*", help="show NAME ...")
    action, *names = parser.parse_args(argv).words or ["list"]
    if action not in ("list", "show") or bool(names) == (action == "list"):
        parser.error("expected nothing or show NAME ...")
    put_text(text_lines(_show(names) if names else _list()))
    return OK


def _list() -> Iterator[Block]:
    rows = [(each.name, each.date, each.hash, each.source) for each in recipes().values()]
    yield Table(("recipe", "date", "hash", "source"), rows, 4)


def _show(names: Sequence[str]) -> Iterator[Block]:
    for name in names:
        recipe = recipe_named(name)
        free = sorted({*FREE, *recipe.free} - {"like"})
        choices: dict[str, object] = {
            **{key: getattr(recipe, key) for key in ("title", "source", "date", "hash")},
            **recipe.fixed(fixable()),
            **{f"characters.{key}": value for key, value in (recipe.characters or {}).items()},
            "arithmetic": recipe.arithmetic,
            **{f"headline.{key}": value for key, value in asdict(recipe.headline).items()},
            "left to the caller": "all" if EVERY in recipe.free else ", ".join(free),
        }
        yield Heading(recipe.name)
        yield Items([f"{key}: {_text(value)}" for key, value in choices.items()])


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return "none" if value is None else str(value)
