"""`scoring recipes`: the frozen recipes, every choice of one, and the number of several sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from formats.command_line import CommandParser, InputPath
from scoring.cli.output import put_text
from scoring.cli.scoring import OK
from scoring.drawing.blocks import Block, Heading, Items, Table
from scoring.drawing.text import text_lines
from scoring.options import FREE, fixable
from scoring.recipes import EVERY, RecipeError, recipe_named, recipes
from scoring.scored.record_reader import read_document


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        prog="scoring recipes",
        usage="scoring recipes [show NAME ... | mean RESULT ...]",
        description="List the frozen recipes that --like accepts; `show` prints every choice of "
        "recipes, `mean` the number of several sets, each a file of `scoring wer --like --json`.",
    )
    parser.add_argument("words", nargs="*", type=InputPath, help="show NAME ... or mean RESULT ...")
    action, *names = parser.parse_args(argv).words or ["list"]
    pages = {"list": _list, "show": _show, "mean": _mean}
    if action not in pages or bool(names) == (action == "list"):
        parser.error("expected nothing, show NAME ... or mean RESULT ...")
    put_text(text_lines(pages[action](names)))
    return OK


def _list(_: Sequence[str]) -> Iterator[Block]:
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


def _mean(paths: Sequence[str]) -> Iterator[Block]:
    """The number of each set, and that of all."""
    systems = [
        (path, rates)
        for path in paths
        for rates in read_document(path, Path(path).read_bytes()).systems
    ]
    signatures = {rates.signature.rpartition("|v:")[0] for _, rates in systems}
    like = max(rates.rules.like for _, rates in systems)
    if len(signatures) > 1 or not like:
        raise RecipeError(
            f"expected results of one recipe (scoring wer --like NAME --json FILE), found "
            f"{' and '.join(sorted(signatures))}"
        )
    headline = recipe_named(like).headline
    if headline.sets == "none":
        raise RecipeError(f"expected a recipe that averages sets, found {like}, which has none")
    numbers: list[float] = []
    for path, rates in systems:
        if rates.headline is None:
            raise RecipeError("expected a number, found none: no reference words", path=path)
        numbers.append(rates.headline)
    rows = [(path, str(number)) for (path, _), number in zip(systems, numbers, strict=True)]
    yield Table(("set", like), [*rows, ("mean", str(headline.mean(numbers)))])
