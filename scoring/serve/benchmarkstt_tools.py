"""The command `benchmarkstt-tools`: normalizes texts, computes metrics, and serves both.

The exit statuses are those of `benchmarkstt`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial

from formats.console.process import run as run_command
from scoring.cli.peers.benchmarkstt import status_of


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    from scoring.peers.benchmarkstt.tools import PROGRAM
    from scoring.peers.benchmarkstt.tools import main as work

    return status_of(PROGRAM, lambda: work(argv, serve))


def serve(arguments: argparse.Namespace) -> None:
    """Serve the remote methods, or list them if `--list-methods` is given.

    Requests may read files in the working directory.
    """
    if getattr(arguments, "list_methods", False):
        from scoring.serve.benchmarkstt import descriptions
        from scoring.serve.command import print_methods

        print_methods(descriptions())
        return
    try:
        from scoring.serve.settings import Settings
        from scoring.serve.transport import serve as listen
    except ImportError as problem:
        if (problem.name or "scoring").partition(".")[0] in ("scoring", "formats"):
            raise
        raise ImportError(
            f"the service needs the package {problem.name}: pip install 'sclite-kit[server]'"
        ) from None
    settings = Settings(
        arguments.entrypoint,
        arguments.with_explorer,
        os.getcwd(),
        modules=tuple(getattr(arguments, "load", None) or ()),
    )
    level = "debug" if arguments.debug else _LEVELS.get(arguments.log_level, arguments.log_level)
    status = listen(settings, arguments.host or "127.0.0.1", arguments.port, level.upper())
    if status:
        raise SystemExit(status)


def run_api(_parser: object, arguments: argparse.Namespace) -> None:
    """Run the sub-command `api` with its arguments."""
    serve(arguments)


# Entry point of the installed command.
run = partial(run_command, main, at_once=False)

# the names that Python's loggers have for the others
_LEVELS = {"fatal": "critical", "warn": "warning", "notset": "debug"}


if __name__ == "__main__":
    run()
