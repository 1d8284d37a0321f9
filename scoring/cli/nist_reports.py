"""sclite's reports, which several commands write with the option `-o`."""

from __future__ import annotations

import os
from collections.abc import Sequence

from scoring.cli import messages
from scoring.cli.flags import STDOUT
from scoring.cli.scoring import tell
from scoring.model.outputs import standard_output, write_to_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from formats.console.command_parser import AnyParser
    from scoring.model.counts import Counts
    from scoring.results import Rates


def check_nist_reports(parser: AnyParser, arguments: Namespace, hypotheses: Sequence[str]) -> None:
    """Reject flags without effect, and two systems whose reports would have the same file names."""
    requested = arguments.nist_reports
    if not requested - {STDOUT}:
        for flag, is_given in (
            ("-o stdout", STDOUT in requested),
            ("-O", arguments.nist_folder is not None),
            ("-n", arguments.nist_name is not None),
        ):
            if is_given:
                parser.error(f"{flag} needs -o with the name of a report")
        return
    if STDOUT in arguments.nist_reports:
        return
    roots = [root_of(hypothesis, arguments) for hypothesis in hypotheses]
    for root in roots:
        if roots.count(root) > 1:
            parser.error(
                f"-o: two hypotheses would write the same files {root}.*: score them one at a "
                "time, with -n NAME or -O DIR"
            )


def root_of(hypothesis: str, arguments: Namespace) -> str:
    """Return the path of a hypothesis's reports without the suffix that each report adds."""
    folder, base = os.path.split("stdin" if hypothesis == "-" else hypothesis)
    if arguments.nist_folder is not None:
        folder = arguments.nist_folder
    return os.path.join(folder, arguments.nist_name or base)


def put_reports(systems: Sequence[Rates], arguments: Namespace) -> None:
    """Write the selected reports for one system after the other."""
    from scoring.nist.report.registry import ReportSettings
    from scoring.nist.report.tables import LINE_WIDTH, TableDrawer
    from scoring.nist.report.writer import parts_of, write_parts
    from scoring.results.columns import system_of

    settings = ReportSettings(TableDrawer(), _warn, arguments.nist_width or LINE_WIDTH)
    inputs = [side.path for rates in systems for side in (rates.reference, rates.hypothesis)]
    sequence = 0
    for rates in systems:
        system = system_of(rates, first_sequence=sequence)
        sequence += len(rates)
        _tell_of_path(rates, system.counts.total())
        parts = parts_of(system, arguments.nist_reports, settings)
        if STDOUT in arguments.nist_reports:
            for part in parts:
                write_to_stream(standard_output(), part.content)
            continue
        if arguments.nist_folder is not None:
            os.makedirs(arguments.nist_folder, exist_ok=True)
        root = os.fsencode(root_of(rates.hypothesis.path, arguments)).decode("latin-1")
        write_parts(parts, root, inputs)


def _tell_of_path(rates: Rates, along: Counts) -> None:
    """Print a note if the reports count other errors or words than the score.

    `along` are the counts along the chosen path through alternatives, which the reports show.
    """
    total = rates.counts
    if along != total:
        fields = {
            "path": rates.hypothesis.path,
            "along": along.errors,
            "path_words": along.reference_tokens,
            "errors": total.errors,
            "words": total.reference_tokens,
        }
        tell(messages.Message(messages.ALONG_PATH, fields))


def _warn(text: str) -> None:
    line = text.encode("latin-1").decode("utf-8", "replace").strip()
    tell(messages.Message(messages.REPORT, {"text": line}))
