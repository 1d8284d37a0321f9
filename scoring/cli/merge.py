"""`scoring merge`: the shards of a run of `scoring wer` put together, as if it had been one run."""

from __future__ import annotations

from collections.abc import Sequence

from formats.command_line import CommandParser, InputPath
from scoring.cli.reading_options import add_allow_empty
from scoring.cli.results import add_output_arguments, check_reports, deliver
from scoring.scored.record import merged
from scoring.scored.record_reader import read_document


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        prog="scoring merge",
        description="Put the shards of one run of `scoring wer` together; same output as one run.",
    )
    parser.add_argument(
        "shards",
        type=InputPath,
        metavar="SHARD",
        nargs="+",
        help="files `wer --shard --output` wrote",
    )
    add_allow_empty(parser)
    add_output_arguments(parser)
    arguments = parser.parse_args(argv)
    parts = []
    for path in arguments.shards:
        with open(path, "rb") as file:
            parts.append((path, read_document(path, file.read())))
    systems = [rates.grouped(arguments.by) for rates in merged(parts).systems]
    check_reports(parser, arguments, [rates.hypothesis.path for rates in systems])
    return deliver(systems, arguments)
