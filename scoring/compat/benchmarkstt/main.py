"""The command `benchmarkstt`: normalize two texts and measure how they differ."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from formats.command_line import add_flags
from scoring.compat.benchmarkstt import COMPATIBLE_VERSION, metrics, output
from scoring.compat.benchmarkstt.arguments import (
    LOG_FLAG,
    add_classes,
    add_common,
    load_external,
    new_normalizer,
    new_parser,
    set_log_level,
)
from scoring.compat.benchmarkstt.input import INFER, File, Input, PlainText
from scoring.compat.benchmarkstt.normalization_log import listening, log_line
from scoring.compat.benchmarkstt.schema import Schema
from scoring.compat.benchmarkstt.segmentation import Normalizes

PROGRAM = "benchmarkstt"
VERSION_FLAG = "--version"
ARGUMENT = "argument"
_SIDES = """
-r --reference REFERENCE  reference file
-h --hypothesis HYPOTHESIS  hypothesis file
"""
_TYPES = """
-rt --reference-type {infer,argument,plaintext}  type of the reference (default: infer)
-ht --hypothesis-type {infer,argument,plaintext}  type of the hypothesis (default: infer)
-o --output-format  format of the results (default: restructuredtext)
"""


def argparser() -> argparse.ArgumentParser:
    """The options, those of loaded classes included."""
    parser = new_parser(PROGRAM, "Normalize a reference and a hypothesis, and compare them.")
    add_measuring(parser)
    add_classes(parser, "normalizers")
    add_flags(parser, f"{LOG_FLAG}\n{VERSION_FLAG}  print the version and exit")
    add_common(parser)
    return parser


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """Reference, hypothesis, output format and metrics."""
    add_flags(parser, _SIDES, reference={"required": True}, hypothesis={"required": True})
    group = parser.add_argument_group(
        "reference and hypothesis types",
        "infer: a file whose extension gives its type, .txt; argument: the argument itself is the\n"
        "text; plaintext: a text file, whatever its extension",
    )
    formats = {"choices": output.factory.keys(), "default": "restructuredtext"}
    types = {"default": INFER}
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
    normalizer = new_normalizer(arguments.normalizers) if arguments.normalizers else None
    measure(parser, arguments, normalizer, arguments.log)


def run() -> None:
    """Run the command with the process's arguments and exit with `SystemExit`, as BenchmarkSTT."""
    main()
    sys.exit(0)


def measure(
    parser: argparse.ArgumentParser,
    arguments: argparse.Namespace,
    normalizer: Normalizes | None = None,
    log: bool = False,
) -> None:
    """Compute the metrics and print them."""
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
        source: Input
        if kind == ARGUMENT:
            source = PlainText(value, normalizer=normalizer)
        else:
            source = File(value, kind, normalizer=normalizer)
        with logging_to_stderr(title) if log else nullcontext():
            sides.append(Schema(source))
    results = [(name, metric.compare(*sides)) for name, metric in requested]
    with output.factory.create(arguments.output_format) as printer:
        for name, result in results:
            printer.result(name, result)


def logging_to_stderr(title: str | None = None) -> AbstractContextManager[None]:
    """Log changes of normalizers on standard error, a line each, as they happen."""
    return listening(lambda item: print(log_line(item, title), file=sys.stderr))
