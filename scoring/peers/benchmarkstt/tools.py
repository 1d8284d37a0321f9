"""The command `benchmarkstt-tools` with its subcommands.

`serve` is a function that starts the server.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress

from formats.console.command_line import add_flags
from formats.console.command_parser import CommandParser
from formats.io.temporary import create_beside
from formats.schema.errors import reason_of
from scoring.peers.benchmarkstt import main as benchmarkstt
from scoring.peers.benchmarkstt.file_access import default_encoding, read_text

PROGRAM = "benchmarkstt-tools"
# Takes the arguments of the sub-command `api`, and serves until it is ended or lists the methods.
Serve = Callable[[argparse.Namespace], None]
_FILES = """
-i --inputfile file ...
-o --outputfile file ...  must not exist
"""
_API = """
--debug  show debugging messages
--host HOST  name or address to serve at (default: this machine only)
--port PORT  default: 8080
--entrypoint ENTRYPOINT  path of requests (default: /api)
--list-methods  list the methods and exit
--with-explorer  also serve a page for trying methods
"""


def argparser() -> CommandParser:
    """Create the parser with all subcommands and their options."""
    parser = benchmarkstt.new_parser(PROGRAM, "")
    benchmarkstt.add_help(parser)
    commands = parser.add_subparsers(dest="subcommand")
    for name, description, add in (
        ("normalization", "Apply normalizers to texts.", add_normalization),
        ("metrics", "Compare a hypothesis with a reference.", benchmarkstt.add_measuring),
        ("api", "Serve the remote methods (JSON-RPC).", add_api),
    ):
        command = commands.add_parser(
            name,
            description=description,
            help=description,
            add_help=False,
            formatter_class=benchmarkstt.HelpFormatter,
        )
        add(command)
        benchmarkstt.add_common(command)
    return parser


def add_normalization(parser: CommandParser) -> None:
    """Add the options of the subcommand `normalization`."""
    add_flags(parser, benchmarkstt.LOG_FLAG)
    group = parser.add_group(
        "input and output files",
        "Repeat -i and -o, equally often, for several inputs and outputs. Without -o all texts go\n"
        "to standard output; without -i the text comes from standard input.",
    )
    add_flags(group, _FILES)
    benchmarkstt.add_classes(parser, "normalizers")


def add_api(parser: CommandParser) -> None:
    """Add the options of the subcommand `api`."""
    port = {"type": _port, "default": 8080}
    add_flags(parser, _API, port=port, entrypoint={"default": "/api"})


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) < 1 << 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number from 0 to 65535, found {text!r}")


def main(argv: Sequence[str] | None = None, serve: Serve | None = None) -> None:
    """Run the command."""
    words = list(sys.argv[1:] if argv is None else argv)
    benchmarkstt.load_external(words, PROGRAM)
    parser = argparser()
    if not words:
        parser.error("expects at least 1 argument")
    arguments = parser.parse_args(words)
    if arguments.subcommand is None:
        parser.error("expects a sub-command")
    benchmarkstt.set_log_level(arguments.log_level)
    if arguments.subcommand == "normalization":
        normalize(parser, arguments)
    elif arguments.subcommand == "metrics":
        benchmarkstt.measure(parser, arguments)
    elif serve is None:
        parser.error("api: expected a server, found none")
    else:
        serve(arguments)


def run() -> None:
    """Run the command with the arguments of the process, and exit."""
    main()
    sys.exit(0)


def normalize(parser: CommandParser, arguments: argparse.Namespace) -> None:
    """Run the subcommand `normalization`: write each input in normalized form."""
    inputs: list[str] = arguments.inputfile
    outputs: list[str] = arguments.outputfile
    if not arguments.normalizers:
        parser.error("need at least one normalizer")
    if outputs and not inputs:
        parser.error("can only write output to stdout when reading from stdin")
    if outputs and len(outputs) != len(inputs):
        parser.error(f"expected {len(inputs)} output files, one per input, found {len(outputs)}")
    normalizer = benchmarkstt.new_normalizer(arguments.normalizers)
    for name in outputs:
        if os.path.lexists(name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    for index in range(len(inputs) or 1):
        text = read_text(inputs[index]) if inputs else _standard_input()
        with benchmarkstt.logging_to_stderr() if arguments.log else nullcontext():
            text = normalizer.normalize(text)
        if outputs:
            write_new(outputs[index], text)
        else:
            sys.stdout.write(text)


def _standard_input() -> str:
    try:
        if sys.stdin is not None:
            return sys.stdin.read()
        reason = "it is closed"
    except OSError as problem:
        reason = reason_of(problem)
    raise ValueError(f"<stdin>: cannot be read: {reason}")


def write_new(name: str, text: str) -> None:
    """Write a new file completely or not at all; raise an error if it exists already."""
    content = text.encode(default_encoding())
    partial, descriptor = create_beside(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        try:
            # a link, unlike a renamed file, never replaces another
            os.link(partial, name)
        except FileExistsError:
            raise
        except OSError:
            # there are file systems without links
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            os.replace(partial, name)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(partial)
