"""The options that both commands have: normalizers, metrics, logs, external code."""

from __future__ import annotations

import argparse
import importlib
import inspect
import logging
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from formats.command_line import CommandParser
from scoring.compat.benchmarkstt import diff, metrics, normalization, output, segmentation
from scoring.compat.benchmarkstt import input as inputs
from scoring.compat.benchmarkstt.factory import ClassConfig, CoreFactory

LOG_LEVELS = ("critical", "fatal", "error", "warn", "warning", "info", "debug", "notset")
_FACTORIES: tuple[CoreFactory[Any], ...] = (
    normalization.factory,
    metrics.factory,
    output.factory,
    segmentation.factory,
    inputs.factory,
    diff.factory,
)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Shows the arguments of classes by name, and keeps line breaks in help."""

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if isinstance(action, ClassAction):
            optional = [f"[{name}]" for name in action.config.optional_args]
            return " ".join([*action.config.required_args, *optional])
        return super()._format_args(action, default_metavar)

    def _split_lines(self, text: str, width: int) -> list[str]:
        wrap = super()._split_lines
        return [part for line in text.splitlines() for part in wrap(line, width) or [""]]


class ClassAction(argparse.Action):
    """Collects uses of a class, in the order of the command line, with those of its kind."""

    def __init__(self, config: ClassConfig, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.config = config

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Add a use."""
        given = [] if values is None else list(values)
        least = len(self.config.required_args)
        most = least + len(self.config.optional_args)
        if not least <= len(given) <= most:
            wanted = str(most) if least == most else f"between {least} and {most}"
            raise argparse.ArgumentError(self, f"requires {wanted} arguments (got {len(given)})")
        uses = [*(getattr(namespace, self.dest, None) or []), (self.config.name, given)]
        setattr(namespace, self.dest, uses)


def new_parser(prog: str, description: str) -> argparse.ArgumentParser:
    """A parser without abbreviations in which `-h` is no help."""
    return CommandParser(
        prog=prog, description=description, add_help=False, formatter_class=HelpFormatter
    )


def add_classes(group: argparse._ActionsContainer, kind: str, classes: Iterable[Any]) -> None:
    """An option for every class of a registry; uses are collected under the name of the kind."""
    for config in classes:
        takes = bool(config.required_args or config.optional_args)
        group.add_argument(
            f"--{config.name}",
            action=ClassAction,
            config=config,
            dest=kind,
            default=[],
            nargs="+" if config.required_args else "*" if takes else 0,
            help=config.docs.replace("%", "%%") or None,
        )


def add_normalizers(parser: argparse.ArgumentParser) -> None:
    """The normalizers."""
    group = parser.add_argument_group(
        "available normalizers",
        "Applied to the texts in the order given; each may be given several times.",
    )
    add_classes(group, "normalizers", normalization.factory)


def add_common(parser: argparse.ArgumentParser) -> None:
    """The options every command ends with."""
    parser.add_argument(
        "--log-level",
        type=str.lower,
        choices=LOG_LEVELS,
        default="warning",
        help="how much to tell of what happens (default: warning)",
    )
    parser.add_argument(
        "--load",
        nargs="+",
        action="extend",
        default=[],
        metavar="MODULE_NAME",
        help="Python modules, also of the working directory, whose normalizers, metrics and "
        "outputs become options",
    )
    add_help(parser)


def add_help(parser: argparse.ArgumentParser) -> None:
    """Help, without a short form."""
    parser.add_argument("--help", action="help", help="show this help and end")


def set_log_level(name: str) -> None:
    """Show messages of the library from this level on."""
    logging.basicConfig(level=getattr(logging, name.upper()))
    logging.getLogger().setLevel(getattr(logging, name.upper()))


def load_external(argv: Sequence[str], prog: str) -> None:
    """Import the modules that `--load` names and register their classes."""
    finder = CommandParser(prog=prog, add_help=False)
    finder.add_argument("--load", nargs="+", action="extend", default=[])
    names: list[str] = finder.parse_known_args(list(argv))[0].load
    if names and os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    for name in names:
        register_classes(importlib.import_module(name))


def register_classes(module: Any) -> None:
    """Register what a module defines itself, not what it imports."""
    for cls in vars(module).values():
        if not inspect.isclass(cls) or inspect.isabstract(cls):
            continue
        if not f"{cls.__module__}.".startswith(f"{module.__name__}."):
            continue
        for factory in _FACTORIES:
            if factory.is_valid(cls):
                factory.register(cls)
                break


def made_normalizer(
    uses: Sequence[tuple[str, Sequence[str]]],
) -> normalization.NormalizationAggregate:
    """The normalizers of a command line, in their order."""
    aggregate = normalization.NormalizationAggregate()
    for name, arguments in uses:
        aggregate.add(normalization.factory.create(name, *arguments))
    return aggregate
