"""`scoring conformance`: write test vectors, with which other programs can be checked.

The expected outputs are those of programs such as NIST's sclite.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from formats.console.command_parser import CommandParser
from scoring.cli.flags import add_commands, whole_number
from scoring.cli.scoring import EXCEEDED, OK
from scoring.drawing.text import screen_look, text_lines
from scoring.model.outputs import put, put_text
from scoring.peers.conformance.comparison import AnswerError, answers_of, compare, record_of
from scoring.peers.conformance.ours import ours
from scoring.peers.conformance.programs import ORIGINALS, program_named
from scoring.peers.conformance.vectors import AREAS, exported_files, line_of, read_vectors

EXPORT = "directory /DIR  folder for the files; created if necessary"
CHECK = """
--area ...  check only the vectors of AREA, for example ties or times (repeatable)
--examples
command COMMAND  program with its arguments; reads vectors on stdin, writes answers on stdout
"""
ANSWER = """
--original  answer with this program or package instead of with sclite-kit
program PROGRAM  path and arguments of the original, if it is a program (default: its name)
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    title = "Check a scorer against test vectors, which have the results of the original programs."
    parser = CommandParser(prog="scoring conformance", description=title)
    add_commands(
        parser,
        COMMANDS,
        area={"choices": AREAS, "metavar": "AREA"},
        N={"type": whole_number(0), "default": 3},
        COMMAND={"nargs": argparse.REMAINDER},
        original=tuple(ORIGINALS),
        PROGRAM={"nargs": argparse.REMAINDER},
    )
    arguments = parser.parse_args(argv)
    if arguments.work is _check and not arguments.command:
        parser.error("check: expected the program to check and its arguments, found none")
    status: int = arguments.work(arguments)
    return status


def _export(arguments: argparse.Namespace) -> int:
    os.makedirs(arguments.directory, exist_ok=True)
    for name, content in exported_files():
        put(os.path.join(arguments.directory, name), [content])
    return OK


def _check(arguments: argparse.Namespace) -> int:
    vectors = read_vectors(arguments.area or AREAS)
    report = compare(vectors, answers_of(arguments.command, vectors))
    put_text(text_lines(report.blocks(arguments.examples), screen_look()))
    return EXCEEDED if report.differences else OK


def _answer(arguments: argparse.Namespace) -> int:
    name = arguments.original
    program = ours if name is None else program_named(name, arguments.program)
    vectors = []
    for number, line in enumerate(sys.stdin.buffer, 1):
        vector = record_of(line, f"<stdin>:{number}: expected a vector")
        if not isinstance(vector.get("options"), dict) or not {"id", "area"} <= vector.keys():
            place = f"<stdin>:{number}"
            raise AnswerError(f"{place}: expected id, area and options, found {line[:60]!r}")
        vectors.append(vector)
    put("-", map(line_of, program(vectors)))
    return OK


# Of each command the function, the title, and its arguments.
COMMANDS = {
    "export": (_export, "write the vectors as JSON lines, and their schema", EXPORT),
    "check": (
        _check,
        "compare a program's answers with those of the original programs; exit status 3 if any "
        "differs",
        CHECK,
    ),
    "answer": (
        _answer,
        "read vectors from stdin and write sclite-kit's answers, as a program under `check` does",
        ANSWER,
    ),
}
