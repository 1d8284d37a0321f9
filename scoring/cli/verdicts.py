"""`scoring verdicts`: list differing spans that a person or a program has to judge."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from scoring.cli import flags, results
from scoring.cli.scoring import BAD_INPUT, HELP, OK
from scoring.drawing.data import head_of, json_text
from scoring.results.verdicts import SCHEMA, SCHEMA_VERSION, decisions_to_make
from scoring.score import score
from scoring.sides.given import File, hypothesis_files

TABLE = f"""
[input and alignment]
@reading match matching normalize like aligning verdicts -clip_rate
[]
{flags.ALLOW_EMPTY}
--by-context  list a difference once for each context in which it occurs (default: once in all)
--output
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = flags.command_parser(
        "verdicts todo",
        "List the differences without a verdict, most frequent first, as JSON lines. Fill in the "
        "verdicts, then pass the file to `scoring wer --verdicts`.",
        TABLE,
        sides="REF HYP [HYP ...]",
        output={"default": "-"},
    )
    if not argv:
        # the help, with the status of a command that says too little
        with contextlib.suppress(SystemExit):
            parser.parse_args(["--help"])
        return BAD_INPUT
    action, *rest = argv
    if action != "todo":
        parser.parse_args([action] if action in HELP else ["--help"] * (action == "help"))
        parser.error(f"expected the action todo, found {action!r}")
    arguments = flags.parse_files(parser, rest, most=None)
    flags.check_standard_input(parser, [arguments.reference, *arguments.hypotheses])
    options = flags.options_of(arguments)
    flags.check_systems(parser, arguments)
    files, options = hypothesis_files(arguments.hypotheses, options)
    systems = [score(File(arguments.reference), file, options) for file in files]
    for rates in flags.named_systems(arguments, systems):
        results.print_remarks(rates, arguments)
    undecided = (
        span
        for rates in systems
        for span in rates.differing_spans()
        if rates.verdicts is None or rates.verdicts.verdict_on(span) is None
    )
    records = [head_of(SCHEMA, SCHEMA_VERSION), *decisions_to_make(undecided, arguments.by_context)]
    results.put(arguments.output, (json_text(record).encode() + b"\n" for record in records))
    return OK
