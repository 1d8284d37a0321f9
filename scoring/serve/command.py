"""The command `scoring serve`: the JSON-RPC service."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.cli.address import ADDRESS, ADDRESS_KINDS, loaded
from scoring.cli.flags import command_parser, decimal, whole_number
from scoring.cli.scoring import BAD_INPUT, OK
from scoring.serve.settings import MEBIBYTE, Limits, Settings

LEVELS = ("debug", "info", "warning", "error", "critical")
_USUAL = Settings()
_UNITS = {"body": MEBIBYTE, "memory": MEBIBYTE}
# By flags the settings they are for, and the least number.
_NUMBERS = {
    "workers": ("workers", 0),
    "client_share": ("share", 0),
    "queue": ("queue", 0),
    "connections": ("connections", 1),
    "max_batch": ("batch", 1),
    "max_body": ("body", 1),
    "memory": ("memory", 512),
}
TABLE = f"""
{ADDRESS}
--entrypoint PATH  path of requests (default: %(default)s)
* --with-explorer  also serve a page for trying the methods
* --list-methods  print the methods and exit
* --rules-folder <DIRECTORY  folder with pipelines and other files of rules that requests may name
  (default: none)
--log-level  level of messages on stderr (default: info, with --quiet error)
[limits]
* --workers N  number of processes (default: one per processor, at least two)
--client-share N  largest number of requests of one client that run at the same time (default: one
  less than --workers)
--queue N  largest number of waiting requests (default: %(default)s)
--connections N  largest number of open connections (default: %(default)s)
--max-batch N  largest number of calls in a batch (default: %(default)s)
--max-body N  largest size of a request, in MiB (default: %(default)s)
--memory N  largest memory of a process, in MiB (default: %(default)s)
* --timeout SECONDS  time limit of a request (default: %(default)g)
--grace SECONDS  time to finish requests after a termination signal (default: %(default)g)
"""
_seconds = decimal("seconds above 0", lambda value: 0 < value < 86_400)


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    kinds: dict[str, Any] = {
        flag: {"dest": name, "type": whole_number(least), "default": _usual(name)}
        for flag, (name, least) in _NUMBERS.items()
    }
    for flag, name in (("timeout", "seconds"), ("grace", "grace")):
        kinds[flag] = {"dest": name, "type": _seconds, "default": _usual(name)}
    parser = command_parser(
        "serve",
        "Serve scoring, conversion and normalisation to programs, by JSON-RPC 2.0 over HTTP. The "
        "service has no passwords and no encryption. To offer it to other machines, put a server "
        "that has both in front of it. `scoring ui` opens the page for people.",
        TABLE,
        PATH={"default": _USUAL.entrypoint},
        log_level=LEVELS,
        **ADDRESS_KINDS,
        **kinds,
    )
    arguments = parser.parse_args(argv)
    if arguments.list_methods:
        from scoring.serve.methods import descriptions

        print_methods(descriptions())
        return OK
    transport = loaded("scoring.serve.transport")
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


def print_methods(descriptions: Mapping[str, str]) -> None:
    """Print the methods with their descriptions."""
    for name, text in descriptions.items():
        print(f"{name}\n{'-' * len(name)}\n\n{text}\n")


def _settings(arguments: argparse.Namespace) -> Settings:
    values = vars(arguments)
    names = values.keys() & Limits._fields
    limits = {name: values[name] * _UNITS.get(name, 1) for name in names}
    limits["held"] = max(_USUAL.limits.held, 2 * limits["body"])
    return Settings(
        entrypoint=arguments.entrypoint,
        with_explorer=arguments.with_explorer,
        root=arguments.rules_folder,
        workers=arguments.workers,
        hosts=tuple(host.lower() for host in arguments.allow_host),
        grace=arguments.grace,
        limits=_USUAL.limits._replace(**limits),
    )


def _usual(name: str) -> Any:
    settings = _USUAL.limits if name in Limits._fields else _USUAL
    return getattr(settings, name) // _UNITS[name] if name in _UNITS else getattr(settings, name)
