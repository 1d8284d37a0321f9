"""The command `benchmarkstt`: normalize two texts and measure how they differ.

The module also has what the command shares with `benchmarkstt-tools`: options for normalizers,
metrics, logs and external code.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from formats.console.command_line import add_flags
from formats.console.command_parser import CommandParser, HelpAction
from scoring.peers.benchmarkstt import (
    COMPATIBLE_VERSION,
    metrics,
    normalization,
    output,
    segmentation,
)
from scoring.peers.benchmarkstt import input as inputs
from scoring.peers.benchmarkstt.factory import ClassConfig, CoreFactory
from scoring.peers.benchmarkstt.normalization_log import listening, log_line
from scoring.peers.benchmarkstt.schema import Schema

PROGRAM = "benchmarkstt"
VERSION_FLAG = "--version"
ARGUMENT = "argument"
LOG_LEVELS = ("critical", "fatal", "error", "warn", "warning", "info", "debug", "notset")
_KINDS: dict[str, tuple[CoreFactory[Any], str]] = {
    "normalizers": (
        normalization.factory,
        "Applied to the texts in the order given; each may be given several times.",
    ),
    "metrics": (
        metrics.factory,
        "At least one is needed; they are printed in the order given, each as often as given.",
    ),
}
_COMMON = """
--log-level  level of messages (default: warning)
--load MODULE_NAME  Python modules, also of the working directory, whose normalizers, metrics and
  outputs become options
"""
LOG_FLAG = "--log  log changes of normalizers on stderr"
_SIDES = """
-r --reference REFERENCE  reference file
-h --hypothesis HYPOTHESIS  hypothesis file
"""
_TYPES = """
-rt --reference-type {infer,argument,plaintext}  type of the reference (default: infer)
-ht --hypothesis-type {infer,argument,plaintext}  type of the hypothesis (default: infer)
-o --output-format  format of the results (default: restructuredtext)
"""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """A help formatter that shows the names of classes' arguments and preserves line breaks."""

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if isinstance(action, ClassAction):
            optional = [f"[{name}]" for name in action.config.optional_args]
            return " ".join([*action.config.required_args, *optional])
        return super()._format_args(action, default_metavar)

    def _split_lines(self, text: str, width: int) -> list[str]:
        wrap = super()._split_lines
        return [part for line in text.splitlines() for part in wrap(line, width) or [""]]


class ClassAction(argparse.Action):
    """Collects, in order, the options that name classes (metrics, normalizers), with arguments."""

    def __init__(self, config: ClassConfig, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.config = config

    def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
        """Append the name of a class and its arguments to those already read."""
        arguments = [] if values is None else list(values)
        least = len(self.config.required_args)
        most = least + len(self.config.optional_args)
        if not least <= len(arguments) <= most:
            expected = str(most) if least == most else f"between {least} and {most}"
            found = f"requires {expected} arguments (got {len(arguments)})"
            raise argparse.ArgumentError(self, found)
        uses = [*(getattr(namespace, self.dest, None) or []), (self.config.name, arguments)]
        setattr(namespace, self.dest, uses)


def new_parser(prog: str, description: str) -> CommandParser:
    """Create a parser that accepts neither abbreviated options nor `-h` for help."""
    return CommandParser(
        prog=prog, description=description, add_help=False, formatter_class=HelpFormatter
    )


def add_classes(parser: CommandParser, kind: str) -> None:
    """Add a group with an option for every class of a kind, `normalizers` or `metrics`."""
    factory, description = _KINDS[kind]
    group = parser.add_group(f"available {kind}", description)
    for config in factory:
        takes_arguments = bool(config.required_args or config.optional_args)
        group.add_argument(
            f"--{config.name}",
            action=ClassAction,
            config=config,
            dest=kind,
            default=[],
            nargs="+" if config.required_args else "*" if takes_arguments else 0,
            help=config.docs.replace("%", "%%") or None,
        )


def add_common(parser: CommandParser) -> None:
    """Add the options that every command has."""
    add_flags(
        parser,
        _COMMON,
        log_level={"type": str.lower, "choices": LOG_LEVELS, "default": "warning"},
        load={"nargs": "+", "action": "extend", "default": []},
    )
    add_help(parser)


def add_help(parser: CommandParser) -> None:
    """Add the option `--help`, which has no short form."""
    parser.add_argument("--help", action=HelpAction, nargs=0, help="show this help and exit")


def set_log_level(name: str) -> None:
    """Show the library's log messages of this level and above."""
    logging.basicConfig(level=getattr(logging, name.upper()))
    logging.getLogger().setLevel(getattr(logging, name.upper()))


def load_external(argv: Sequence[str], prog: str) -> None:
    """Import the modules named by `--load`, and register their classes."""
    finder = CommandParser(prog=prog, add_help=False)
    finder.add_argument("--load", nargs="+", action="extend", default=[])
    names: list[str] = finder.parse_known_args(list(argv))[0].load
    if names and os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    for name in names:
        CoreFactory.add_supported_namespace(name)


def new_normalizer(
    uses: Sequence[tuple[str, Sequence[str]]],
) -> normalization.NormalizationAggregate:
    """Create one normalizer from the names and arguments on the command line, in their order."""
    aggregate = normalization.NormalizationAggregate()
    for name, arguments in uses:
        aggregate.add(normalization.factory.create(name, *arguments))
    return aggregate


def argparser() -> CommandParser:
    """Create the parser of the command, with an option for each registered class."""
    parser = new_parser(PROGRAM, "Normalize a reference and a hypothesis, and compare them.")
    add_benchmark(parser)
    add_flags(parser, f"{VERSION_FLAG}  print the version and exit")
    add_common(parser)
    return parser


def add_benchmark(parser: CommandParser) -> None:
    """Add the options for measuring and for normalizing."""
    add_measuring(parser)
    add_classes(parser, "normalizers")
    add_flags(parser, LOG_FLAG)


def add_measuring(parser: CommandParser) -> None:
    """Add the arguments for reference, hypothesis, output format and metrics."""
    add_flags(parser, _SIDES, reference={"required": True}, hypothesis={"required": True})
    group = parser.add_group(
        "reference and hypothesis types",
        "infer: a file whose extension gives its type, .txt; argument: the argument itself is the\n"
        "text; plaintext: a text file, whatever its extension",
    )
    formats = {"choices": output.factory.keys(), "default": "restructuredtext"}
    types = {"default": inputs.INFER}
    add_flags(group, _TYPES, reference_type=types, hypothesis_type=types, output_format=formats)
    add_classes(parser, "metrics")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    words = list(sys.argv[1:] if argv is None else argv)
    if VERSION_FLAG in words:
        print(f"{PROGRAM}: {COMPATIBLE_VERSION}")
        return
    load_external(words, PROGRAM)
    parser = argparser()
    arguments = parser.parse_args(words)
    set_log_level(arguments.log_level)
    run_benchmark(parser, arguments)


def run_benchmark(parser: CommandParser, arguments: argparse.Namespace) -> None:
    """Normalize both texts, compute the metrics, and print the results."""
    normalizer = new_normalizer(arguments.normalizers) if arguments.normalizers else None
    measure(parser, arguments, normalizer, arguments.log)


def run() -> None:
    """Run the command with the arguments of the process, and exit."""
    main()
    sys.exit(0)


def measure(
    parser: CommandParser,
    arguments: argparse.Namespace,
    normalizer: segmentation.Normalizes | None = None,
    log: bool = False,
) -> None:
    """Compute the metrics of two files and print the results."""
    if not arguments.metrics:
        parser.error("need at least one metric")
    requested = []
    for name, values in arguments.metrics:
        if name == "worddiffs" and not values:
            values = ["list" if arguments.output_format == "json" else "ansi"]
        requested.append((name, metrics.factory.create(name, *values)))
    sides = []
    for title in ("Reference", "Hypothesis"):
        value = getattr(arguments, title.lower())
        kind = getattr(arguments, f"{title.lower()}_type")
        source: inputs.Input
        if kind == ARGUMENT:
            source = inputs.PlainText(value, normalizer=normalizer)
        else:
            source = inputs.File(value, kind, normalizer=normalizer)
        with logging_to_stderr(title) if log else nullcontext():
            sides.append(Schema(source))
    results = [(name, metric.compare(*sides)) for name, metric in requested]
    with output.factory.create(arguments.output_format) as printer:
        for name, result in results:
            printer.result(name, result)


def logging_to_stderr(title: str | None = None) -> AbstractContextManager[None]:
    """Return a context that prints each change by a normalizer to standard error."""
    return listening(lambda item: print(log_line(item, title), file=sys.stderr))
