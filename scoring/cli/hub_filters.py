"""The commands rfilter1 and csrfilt.sh, and what all filters share.

They have the bytes and exit statuses of NIST's originals. Where an original ends well although it
lost something, ours says so on standard error.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import BinaryIO

from formats.process import reason_of
from scoring.cli.drop_in import complain, run_program
from scoring.errors import InputError, OriginalError
from scoring.nist.hub import csrfilt as csrfilt_
from scoring.nist.hub import rfilter1 as rfilter1_
from scoring.nist.hub.rfilter1 import Filtered
from scoring.nist.report.report_files import write_to_stream

RFILTER1, CSRFILT = "rfilter1", "csrfilt.sh"
STANDARD_INPUT = "<stdin>"
_VARIABLE = re.compile(r"\$(\w+)")
_LEVEL = re.compile(r"\s*[+-]?\d+")
RFILTER1_USAGE = """\
*ERR: no command-line parameters were given.
 RFILTER1 Ver. 2.0 synopsis:
  rfilter1 rule_file_name (db_level) < in_file > out_file
"""
CSRFILT_USAGE = """\
Usage: csrfilt.sh [-dh] [-s] [-e] [-i FORMAT] [-t PURPOSE] MAP [MAP2] < IN > OUT
Version: 1.17
Rewrites the texts of a file after the rules of a map (GLM).

    -i ctm|stm|trn|txt|rttm  the format of the input (trn)
    -t ref|hyp               what the input is, for parts of the map that depend on it
    -dh                      blanks for the hyphens within words
    -s                       case is kept
    -e                       letters of ISO 8859-1 are folded to upper case, too
    MAP2                     must exist, and is not read
"""


def rfilter1(argv: Sequence[str] | None = None) -> int:
    """Rewrite standard input after the rules of a map.

    The exit status is 0, 2 without arguments, 3 for a map that is refused, 4 for one that is in
    another format.
    """
    return run_program(RFILTER1, argv, _run_rfilter1)


def _run_rfilter1(arguments: Sequence[str], output: BinaryIO) -> None:
    if not arguments:
        raise ended_as_original(b"", RFILTER1_USAGE, 2)
    name = _VARIABLE.sub(lambda found: os.environ.get(found[1], found[0]), arguments[0])
    level = _LEVEL.match(arguments[1]) if len(arguments) > 1 else None
    try:
        with open(name, "rb") as file:
            map_data: bytes | None = file.read()
    except IsADirectoryError:
        map_data = b""
    except (OSError, ValueError):
        map_data = None
    shown = os.fsencode(arguments[0]).decode("latin-1")
    # a map that is refused is so before anything is read
    data = standard_input() if map_data is not None else b""
    done = rfilter1_.rfilter1(data, map_data, shown, int(level[0]) if level else 0)
    put(RFILTER1, done._replace(problem=""), output)


def csrfilt(argv: Sequence[str] | None = None) -> int:
    """Rewrite the texts of standard input after the rules of a map.

    The exit status is 0, also for a map that is refused, or 1 where the original's is, or where it
    would stop in mid-file.
    """
    return run_program(CSRFILT, argv, _run_csrfilt)


def _run_csrfilt(arguments: Sequence[str], output: BinaryIO) -> None:
    words = [*arguments]
    options = _csrfilt_options(words)
    for name, kind in zip(words, ("Global", "Utterance"), strict=False):
        if not os.path.isfile(name):
            raise _usage(f"\nError: {kind}-map-file '{name}' does not exist")
    try:
        with open(words[0], "rb") as file:
            map_data = file.read()
    except OSError as problem:
        raise InputError(words[0], None, None, f"cannot be read: {reason_of(problem)}") from None
    put(CSRFILT, csrfilt_.csrfilt(standard_input(), map_data, options, words[0]), output)


def _csrfilt_options(words: list[str]) -> csrfilt_.CsrfiltOptions:
    """The switches that a command line begins with, taken from it."""
    format_, purpose = "trn", ""
    switches: set[str] = set()
    while words and words[0].startswith("-"):
        switch = words.pop(0)
        if switch in ("-i", "-t"):
            value = words.pop(0) if words else ""
            if switch == "-i" and value in csrfilt_.FORMATS:
                format_ = value
            elif switch == "-t" and value in csrfilt_.PURPOSES:
                purpose = value
            else:
                known = (
                    ("ctm", "stm", "txt", "trn", "rttm") if switch == "-i" else csrfilt_.PURPOSES
                )
                *some, last = (f'"{one}"' for one in known)
                choices = f"{', '.join(some)}, or {last}"
                # the original names -i for both
                raise _usage(f"{value}\nError: -i option requires either {choices} not {value}")
        elif switch in ("-dh", "-s", "-e"):
            switches.add(switch)
        else:
            raise _usage(f"\nError: Unrecognized option {switch}")
    if len(words) not in (1, 2):
        raise _usage("\nError: requires one or two command line arguments")
    return csrfilt_.CsrfiltOptions(
        format_, purpose, "-s" in switches, "-e" in switches, "-dh" in switches
    )


def _usage(problem: str) -> OriginalError:
    return ended_as_original(b"", f"{CSRFILT_USAGE}{os.fsencode(problem).decode('latin-1')}\n", 1)


def ended_as_original(errors: bytes, output: str, status: int) -> OriginalError:
    """The end of a program as the original ends, with what is still to be written."""
    end = OriginalError(errors.decode("latin-1"))
    end.output, end.status = output, status
    return end


def put(program: str, done: Filtered, output: BinaryIO) -> None:
    """Write what a filter wrote, and say what its original leaves unsaid."""
    write_to_stream(output, [done.output])
    said = done.errors
    if done.problem:
        kind = "" if done.status else "warning: "
        said += os.fsencode(f"{program}: {kind}{done.problem}\n")
    if done.status:
        raise ended_as_original(said, "", done.status)
    complain(said.decode("latin-1"))


def standard_input() -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise InputError(STANDARD_INPUT, None, None, "expected input, found it closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as problem:
        raise InputError(
            STANDARD_INPUT, None, None, f"cannot be read: {reason_of(problem)}"
        ) from None
