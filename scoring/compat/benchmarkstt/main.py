"""The command `benchmarkstt`: normalize two texts and measure how they differ."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from scoring.compat.benchmarkstt import COMPATIBLE_VERSION, benchmark
from scoring.compat.benchmarkstt.arguments import (
    add_common,
    add_normalizers,
    load_external,
    made_normalizer,
    new_parser,
    set_log_level,
)

PROGRAM = "benchmarkstt"
VERSION_FLAG = "--version"


def argparser() -> argparse.ArgumentParser:
    """The options, those of loaded classes included."""
    parser = new_parser(PROGRAM, "Normalize a reference and a hypothesis, and compare them.")
    benchmark.add_inputs(parser)
    benchmark.add_metrics(parser)
    add_normalizers(parser)
    parser.add_argument(
        "--log", action="store_true", help="tell on standard error what normalizers change"
    )
    parser.add_argument(VERSION_FLAG, action="store_true", help="print the version and end")
    add_common(parser)
    return parser


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
    normalizer = made_normalizer(arguments.normalizers) if arguments.normalizers else None
    benchmark.run(parser, arguments, normalizer, arguments.log)


def run() -> None:
    """Run the command with the process's arguments and leave by `SystemExit`, as BenchmarkSTT."""
    main()
    sys.exit(0)
