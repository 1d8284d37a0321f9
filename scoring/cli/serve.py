"""`scoring serve`: the JSON-RPC service."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from formats.command_line import CommandParser
from scoring.cli.reading import decimal, whole_number
from scoring.cli.scoring import BAD_INPUT, OK, say

if TYPE_CHECKING:
    from scoring.server.settings import Settings

LAST_PORT = 65_535
LEVELS = ("debug", "info", "warning", "error", "critical")


_seconds = decimal("seconds above 0", lambda value: 0 < value < 86_400)


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status.

    Raises
    ------
    ScoringError
        For the dispatcher to tell.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.list_methods:
        print_methods()
        return OK
    try:
        from scoring.server.transport import serve
    except ImportError as problem:
        if problem.name is None or problem.name.partition(".")[0] in ("scoring", "formats"):
            raise
        say(f"the service needs the package {problem.name}: pip install 'sclite-kit[server]'")
        return BAD_INPUT
    try:
        return serve(
            _settings(arguments), arguments.host, arguments.port, arguments.log_level.upper()
        )
    except ValueError as problem:
        parser.error(str(problem))


def print_methods() -> None:
    """The methods, each with its text."""
    from scoring.server.methods import descriptions

    for name, text in descriptions().items():
        print(f"{name}\n{'-' * len(name)}\n\n{text}\n")


def _settings(arguments: argparse.Namespace) -> Settings:
    from scoring.server.settings import MEBIBYTE, Limits, Settings

    usual = Limits()
    return Settings(
        entrypoint=arguments.entrypoint,
        with_explorer=arguments.with_explorer,
        root=arguments.root,
        workers=arguments.workers,
        hosts=tuple(host.lower() for host in arguments.allow_host),
        grace=arguments.grace,
        limits=usual._replace(
            body=arguments.max_body * MEBIBYTE,
            held=max(usual.held, 2 * arguments.max_body * MEBIBYTE),
            batch=arguments.max_batch,
            seconds=arguments.timeout,
            share=arguments.client_share,
            queue=arguments.queue,
            connections=arguments.connections,
            memory=arguments.memory * MEBIBYTE,
        ),
    )


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring serve",
        description="Serve scoring, conversion and normalisation to programs, by JSON-RPC 2.0 over "
        "HTTP. There are no passwords and no encryption: for others than this machine, put a "
        "server that has them before it.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8080, help="default: 8080; 0: any that is free"
    )
    parser.add_argument(
        "--entrypoint", default="/api", metavar="PATH", help="path of requests (default: /api)"
    )
    parser.add_argument(
        "--with-explorer", action="store_true", help="show a page to try methods on"
    )
    parser.add_argument("--list-methods", action="store_true", help="print the methods and end")
    parser.add_argument(
        "--root",
        metavar="DIRECTORY",
        help="below which requests may have files of rules read (default: none are read)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="name by which the service may be called; may be given several times (default: on "
        "loopback its own names, else any)",
    )
    parser.add_argument(
        "--log-level", choices=LEVELS, default="info", help="of standard error (default: info)"
    )
    _add_limits(parser)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    for name, least, default, text in (
        ("--workers", 0, 0, "processes that do the work (default: one per processor)"),
        (
            "--client-share",
            0,
            0,
            "requests of one client worked on at a time, short ones aside (default: all processes "
            "but one)",
        ),
        ("--queue", 0, 256, "requests that may wait for one"),
        ("--connections", 1, 1000, "connections at a time"),
        ("--max-batch", 1, 100, "calls in a batch"),
        ("--max-body", 1, 16, "MiB of a request"),
        ("--memory", 512, 2048, "MiB a process may have"),
    ):
        shown = text if "default" in text else f"{text} (default: {default})"
        group.add_argument(name, type=whole_number(least), default=default, metavar="N", help=shown)
    group.add_argument(
        "--timeout",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="for the work of a request, which then is stopped (default: 30)",
    )
    group.add_argument(
        "--grace",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="to finish requests when told to end (default: 10)",
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:6]) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {LAST_PORT}, found {text!r}")
    return int(text[:6])
