"""From two inputs to the printed results of metrics."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scoring.compat.benchmarkstt import metrics, output
from scoring.compat.benchmarkstt.arguments import add_classes
from scoring.compat.benchmarkstt.input import INFER, File, Input, PlainText
from scoring.compat.benchmarkstt.normalization_log import NormalizedLogItem, listening, log_line
from scoring.compat.benchmarkstt.schema import Schema
from scoring.compat.benchmarkstt.segmentation import Normalizes

ARGUMENT = "argument"
TYPES = (INFER, ARGUMENT, "plaintext")


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Reference, hypothesis, and the form of the output."""
    parser.add_argument("-r", "--reference", required=True, help="file that is the reference")
    parser.add_argument("-h", "--hypothesis", required=True, help="file that is the hypothesis")
    group = parser.add_argument_group(
        "reference and hypothesis types",
        "infer: a file whose extension says its type, .txt; argument: the argument itself is the\n"
        "text; plaintext: a file of text, whatever its extension",
    )
    for flag, side in (("-rt", "reference"), ("-ht", "hypothesis")):
        group.add_argument(
            flag,
            f"--{side}-type",
            choices=TYPES,
            default=INFER,
            help=f"what the {side} is (default: {INFER})",
        )
    parser.add_argument(
        "-o",
        "--output-format",
        choices=output.factory.keys(),
        default="restructuredtext",
        help="how results are written (default: restructuredtext)",
    )


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """The metrics."""
    group = parser.add_argument_group(
        "available metrics",
        "At least one is needed; they are printed in the order given, each as often as given.",
    )
    add_classes(group, "metrics", metrics.factory)


def run(
    parser: argparse.ArgumentParser,
    arguments: argparse.Namespace,
    normalizer: Normalizes | None = None,
    log: bool = False,
) -> None:
    """Measure and print."""
    if not arguments.metrics:
        parser.error("need at least one metric")
    metrics_by_name = [
        _made(name, values, arguments.output_format) for name, values in arguments.metrics
    ]
    sides = []
    for title, value, kind in (
        ("Reference", arguments.reference, arguments.reference_type),
        ("Hypothesis", arguments.hypothesis, arguments.hypothesis_type),
    ):
        with logging_to_stderr(title) if log else contextlib.nullcontext():
            sides.append(Schema(_source(value, kind, normalizer)))
    results = [(name, metric.compare(*sides)) for name, metric in metrics_by_name]
    with output.factory.create(arguments.output_format) as printer:
        for name, result in results:
            printer.result(name, result)


def _made(name: str, values: list[str], form: str) -> tuple[str, Any]:
    if name == "worddiffs" and not values:
        values = ["list" if form == "json" else "ansi"]
    return name, metrics.factory.create(name, *values)


def _source(value: str, kind: str, normalizer: Normalizes | None) -> Input:
    if kind == ARGUMENT:
        return PlainText(value, normalizer=normalizer)
    return File(value, kind, normalizer=normalizer)


@contextmanager
def logging_to_stderr(title: str | None = None) -> Iterator[None]:
    """Tell changes of normalizers on standard error, a line each, as they happen."""

    def listener(item: NormalizedLogItem) -> None:
        print(log_line(item, title), file=sys.stderr)

    with listening(listener):
        yield
