"""`scoring merge`: the shards of a run of `scoring wer` put together, as if it had been one run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from formats.command_line import CommandParser, InputPath
from scoring.cli import flags, results
from scoring.scored.record_reader import merged, read_document

SHARDS = "shards SHARD  files `wer --shard --output` wrote"


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = CommandParser(
        prog="scoring merge",
        description="Put the shards of one run of `scoring wer` together; same output as one run.",
    )
    flags.add_flags(parser, SHARDS, SHARD={"type": InputPath, "nargs": "+"})
    flags.add_allow_empty(parser)
    results.add_output_arguments(parser)
    arguments = parser.parse_args(argv)
    parts = [(path, read_document(path, Path(path).read_bytes())) for path in arguments.shards]
    systems = [rates.grouped(arguments.by) for rates in merged(parts).systems]
    results.check_reports(parser, arguments, [rates.hypothesis.path for rates in systems])
    return results.deliver(systems, arguments)
