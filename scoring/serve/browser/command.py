"""The command `scoring ui`: serves the page on this machine, or writes it to a folder."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Sequence

from formats.console.command_line import CommandTable
from scoring.cli import messages
from scoring.cli.address import ADDRESS, ADDRESS_KINDS, loaded
from scoring.cli.flags import command_parser
from scoring.cli.scoring import BAD_INPUT, OK, tell
from scoring.serve.browser.export import export
from scoring.serve.settings import LOOPBACK, MEBIBYTE, Limits, Settings

TABLE = f"""
{ADDRESS}
* --no-open  do not open a browser
* --history <FILE  show the runs of FILE, which `scoring wer --record FILE` writes
* --export >TARGET  write the page as a new folder, or as an archive if TARGET ends in .zip
"""
# Files of people who sit at this machine, and their patience.
LIMITS = Limits(body=2048 * MEBIBYTE, held=4096 * MEBIBYTE, read_seconds=600.0, write_seconds=600.0)


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    parser = command_parser(
        "ui",
        "Score, convert and check files on a page in the browser. This machine serves the page, "
        "unless --export writes it.",
        TABLE,
        **ADDRESS_KINDS,
    )
    arguments = parser.parse_args(argv)
    if arguments.export is not None:
        size = export(arguments.export)
        fields = {"path": arguments.export, "megabytes": size / 1e6}
        tell(messages.Message(messages.EXPORTED, fields))
        return OK
    return _serve(parser, arguments)


def _serve(parser: CommandTable, arguments: argparse.Namespace) -> int:
    if arguments.host not in LOOPBACK and not arguments.allow_host:
        parser.error(
            f"--host {arguments.host}: expected --allow-host with the names that requests may use, "
            "because other machines can reach this address"
        )
    transport = loaded("scoring.serve.transport")
    if transport is None:
        return BAD_INPUT
    service = loaded("scoring.serve.browser.service")
    hosts = tuple(name.lower() for name in arguments.allow_host) or LOOPBACK
    settings = Settings(entrypoint="/", hosts=hosts, limits=LIMITS)
    transport.log_to_standard_error("ERROR" if arguments.quiet else "WARNING")
    status: int = transport.serve_application(
        service.application(settings, arguments.history),
        settings,
        arguments.host,
        arguments.port,
        None if arguments.no_open else webbrowser.open,
    )
    return status
