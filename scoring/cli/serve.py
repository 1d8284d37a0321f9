"""`scoring serve`: the JSON-RPC service."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from formats.command_line import CommandParser
from scoring.cli.reading_options import decimal, whole_number
from scoring.cli.scoring import BAD_INPUT, OK, say
from scoring.server.settings import MEBIBYTE, Limits, Settings

LAST_PORT = 65_535
LEVELS = ("debug", "info", "warning", "error", "critical")
_USUAL = Settings()
_UNITS = {"body": MEBIBYTE, "memory": MEBIBYTE}
_seconds = decimal("seconds above 0", lambda value: 0 < value < 86_400)


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.list_methods:
        print_methods()
        return OK
    transport = loaded("scoring.server.transport")
    if transport is None:
        return BAD_INPUT
    level = arguments.log_level or ("error" if arguments.quiet else "info")
    try:
        status: int = transport.serve(
            _settings(arguments), arguments.host, arguments.port, level.upper()
        )
    except ValueError as problem:
        parser.error(str(problem))
    return status


def loaded(module: str) -> Any:
    """A module that needs the extra `server`; None, and told, where it is not installed."""
    try:
        return import_module(module)
    except ImportError as problem:
        if problem.name is None or problem.name.partition(".")[0] in ("scoring", "formats"):
            raise
        say(f"the service needs the package {problem.name}: pip install 'sclite-kit[server]'")
        return None


def add_address(parser: argparse.ArgumentParser) -> None:
    """Where a service listens, and by which names it may be called."""
    parser.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8080, help="default: 8080; 0: any that is free"
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="name by which the service may be called; may be given several times (default: on "
        "loopback its own names, else any)",
    )


def print_methods() -> None:
    """The methods, each with its text."""
    from scoring.server.methods import descriptions

    for name, text in descriptions().items():
        print(f"{name}\n{'-' * len(name)}\n\n{text}\n")


def _settings(arguments: argparse.Namespace) -> Settings:
    known = vars(arguments)
    limits = {name: known[name] * _UNITS.get(name, 1) for name in Limits._fields if name in known}
    limits["held"] = max(_USUAL.limits.held, 2 * limits["body"])
    return Settings(
        entrypoint=arguments.entrypoint,
        with_explorer=arguments.with_explorer,
        root=arguments.root,
        workers=arguments.workers,
        hosts=tuple(host.lower() for host in arguments.allow_host),
        grace=arguments.grace,
        limits=_USUAL.limits._replace(**limits),
    )


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring serve",
        description="Serve scoring, conversion and normalisation to programs, by JSON-RPC 2.0 over "
        "HTTP. There are no passwords and no encryption: for others than this machine, put a "
        "server that has them before it.",
    )
    add_address(parser)
    parser.add_argument(
        "--entrypoint",
        default=_USUAL.entrypoint,
        metavar="PATH",
        help="path of requests (default: %(default)s)",
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
        "--log-level",
        choices=LEVELS,
        help="of standard error (default: info, with --quiet error)",
    )
    _add_limits(parser)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    usual = {**_USUAL._asdict(), **_USUAL.limits._asdict()}
    for name, flag, least, text in (
        ("workers", "--workers", 0, "processes that do the work (default: one per processor)"),
        (
            "share",
            "--client-share",
            0,
            "requests of one client worked on at a time, short ones aside (default: all processes "
            "but one)",
        ),
        ("queue", "--queue", 0, "requests that may wait for one"),
        ("connections", "--connections", 1, "connections at a time"),
        ("batch", "--max-batch", 1, "calls in a batch"),
        ("body", "--max-body", 1, "MiB of a request"),
        ("memory", "--memory", 512, "MiB a process may have"),
    ):
        number = usual[name] // _UNITS.get(name, 1)
        shown = text if "default" in text else f"{text} (default: {number})"
        kind = whole_number(least)
        group.add_argument(flag, dest=name, type=kind, default=number, metavar="N", help=shown)
    for name, flag, text in (
        ("seconds", "--timeout", "for the work of a request, which then is stopped"),
        ("grace", "--grace", "to finish requests when told to end"),
    ):
        group.add_argument(
            flag,
            dest=name,
            type=_seconds,
            default=usual[name],
            metavar="SECONDS",
            help=f"{text} (default: {usual[name]:g})",
        )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:6]) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {LAST_PORT}, found {text!r}")
    return int(text[:6])
