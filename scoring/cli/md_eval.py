"""The `md-eval.pl` command: NIST's diarisation error, option by option and byte by byte."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from time import localtime
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from formats.process import run as run_command
from scoring.cli.drop_in import complain, run_program
from scoring.cli.perl_options import getopts
from scoring.errors import OriginalError, ScoringError
from scoring.nist.report.report_files import UnopenableError, write_file, write_to_stream
from scoring.nist.transcripts.characters import byte_text, to_bytes

if TYPE_CHECKING:
    from scoring.nist.hub.md_eval import DiarisationReport

PROGRAM = "md-eval.pl"
VERSION = "22"
FLAGS, VALUED = "nhdDwWox1mve", "cRrsStTgpPaAulyYzZM"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
OF_METADATA = {
    "w": "word-mediated alignment",
    "W": "word-optimised mapping",
    "e": "the mapping of metadata",
    "g": "a table of words",
}
USAGE = """

Usage: md-eval.pl [-h] -r FILE|-R LIST -s FILE|-S LIST [OPTIONS]

  -r FILE, -R LIST  the reference, RTTM, or a list of such files
  -s FILE, -S LIST  the system's output
  -u FILE           regions to be evaluated, UEM; -n keeps folders in its names
  -c SECONDS        collar on each side of the reference's borders that is not scored (default: 0)
  -1                score only where a single speaker of the reference speaks
  -a LETTERS        partial results by channel (c) and file (f)
  -m, -M FILE       print the mapping of speakers, write it as CSV
  -v                print the scored pieces

Metadata other than speakers are not scored: -w -W -e -g and conditions for -y -Y are refused,
-d -D -o -x -t -T -l -p -P -A change nothing.
"""
# Types that are not evaluated and not scored: of metadata, then of speakers.
EXCLUDED = (
    ("LEXEME", "un-lex", "", "X", "", ""),
    *(
        ("NON-LEX", one, "", "", "", "X")
        for one in ["breath", "cough", "laugh", "lipsmack", "other", "sneeze"]
    ),
    ("NOSCORE", "<na>", "X", "X", "X", "X"),
    ("NO_RT_METADATA", "<na>", "X", "", "", ""),
    ("SU", "unannotated", "", "X", "", ""),
)


class CommandLineError(OriginalError):
    """A command line that md-eval refuses."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"\nCOMMAND LINE ERROR:  {problem}{USAGE}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status.

    0 if it ran to its end, 1 after any error that md-eval has too or input it would crash on,
    2 if output could not be written, 130 after an interruption, 141 if its reader has gone.
    """
    return run_program(PROGRAM, argv, _run)


def run() -> NoReturn:
    """Entry point of the installed command."""
    run_command(main)


def _run(arguments: Sequence[str], output: BinaryIO) -> None:
    from scoring.nist.hub.md_eval import DiarisationReport

    texts = [byte_text(os.fsencode(argument)) for argument in arguments]
    now = localtime()
    stamp = f"{now.tm_year} {MONTHS[now.tm_mon - 1]} {now.tm_mday} at " + ":".join(
        f"{part:02d}" for part in now[3:6]
    )
    name = byte_text(os.fsencode(sys.argv[0])) if arguments == sys.argv[1:] else PROGRAM
    report = DiarisationReport()
    report.text.append(
        f"command line (run on {stamp}) Version: {VERSION}  {name} {' '.join(texts)}\n"
    )
    given = getopts(texts, FLAGS, VALUED)
    complain(given.complaints)
    try:
        _evaluate(given.options, report)
    except OriginalError as error:
        error.output = "".join(report.text)
        raise
    except ScoringError:
        write_to_stream(output, [to_bytes("".join(report.text))])
        raise
    else:
        write_to_stream(output, [to_bytes("".join(report.text))])
    finally:
        # an error of the data, too, comes after what was found until then
        for text in report.remarks:
            complain(f"{text}\n")


def _evaluate(options: dict[str, str], report: DiarisationReport) -> None:
    from scoring.nist.hub.md_eval import Conditions, evaluate
    from scoring.nist.hub.md_eval_records import read_rttm, read_uem

    if "h" in options:
        raise OriginalError(f"\n{USAGE}")
    for one, many, side, file in (
        ("r", "R", "reference data", "reference file"),
        ("s", "S", "system output data", "system output file"),
    ):
        if one not in options and many not in options:
            raise CommandLineError(f"no {side} specified")
        if one in options and many in options:
            raise CommandLineError(f"both {file} list and {file} specified")
    for letter, what in OF_METADATA.items():
        if letter in options:
            raise CommandLineError(f"-{letter}: {what} belongs to metadata, which are not scored")
    if _number(options, "l", 0.5) <= 0:
        raise CommandLineError("SU extent limit must be positive for time-based MD alignment")
    collar = _number(options, "c", 0.0)
    if not collar >= 0:
        raise CommandLineError(
            f"Speaker Diarization scoring collar ('{options['c']}') must be non-negative"
        )
    # as the original does, so that a folder looks the same after an error in the data
    _write_mapping(options, report)
    for letter, kind, whose in (
        *(("y", "no-eval", "metadata"), ("Y", "no-score", "metadata")),
        *(("z", "no-score", "speaker diarization"), ("Z", "no-score", "speaker diarization")),
    ):
        if options.get(letter, "DEFAULT") not in ("DEFAULT", "", "0"):
            raise CommandLineError(
                f"unknown name ({options[letter]}) of {kind} conditions for {whose}, "
                "only DEFAULT is known"
            )
    report.text.extend(_parameters(options))
    reference = read_rttm(_names(options, "r", "R"), USAGE)
    hypothesis = read_rttm(_names(options, "s", "S"), USAGE)
    regions = read_uem(options["u"], "n" in options, USAGE) if "u" in options else {}
    conditions = Conditions(
        collar, "1" in options, options.get("a", ""), "m" in options, "v" in options
    )
    try:
        evaluate(reference, hypothesis, regions, conditions, report)
    finally:
        if report.mapping:
            _write_mapping(options, report)


def _write_mapping(options: dict[str, str], report: DiarisationReport) -> None:
    if options.get("M"):
        heading = "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n"
        try:
            write_file(options["M"], [to_bytes(line) for line in (heading, *report.mapping)])
        except UnopenableError:
            raise OriginalError(
                f"Error: Unable to open speaker map CSV file '{options['M']}' for write\n"
            ) from None


def _number(options: dict[str, str], letter: str, default: float) -> float:
    from scoring.nist.hub.md_eval_records import NUMBER

    text = options.get(letter)
    if text is None:
        return default
    if NUMBER.fullmatch(text) is None or not abs(float(text)) < 2**33:
        raise CommandLineError(f"-{letter}: expected a number, found '{text}'")
    return float(text)


def _names(options: dict[str, str], one: str, many: str) -> list[str]:
    from scoring.nist.hub.md_eval_records import content_of, said_in

    if one in options:
        return [options[one]]
    lines = said_in(content_of(options[many], "file list", USAGE))
    return [line.strip(" \t\n\r\f\v") for _, line in lines]


def _parameters(options: dict[str, str]) -> list[str]:
    """The parameters and tables of what is not scored, those of metadata among them."""
    rows = [
        f"{kind:>15}/{subtype:<14}{marks[0]:>3}{marks[1]:>10}{marks[2]:>16}{marks[3]:>10}\n"
        for kind, subtype, *marks in EXCLUDED
    ]
    names = "".join(
        f"{options.get(letter, 'DEFAULT'):>{width}}"
        for letter, width in (("y", 12), ("Y", 11), ("z", 15), ("Z", 11))
    )
    return [
        "\nTime-based metadata alignment\n\nMetadata evaluation parameters:\n"
        "    time-optimized metadata mapping\n"
        f"        max gap between matching metadata events = {options.get('T', '1')} sec\n"
        f"        max extent to match for SU's = {options.get('l', '0.5')} sec\n"
        "\nSpeaker Diarization evaluation parameters:\n"
        "    The max time to extend no-score zones for NON-LEX exclusions is 0.5 sec\n"
        f"    The no-score collar at SPEAKER boundaries is {options.get('c', '0')} sec\n"
        "\nExclusion zones for evaluation and scoring are:\n"
        f"{'-----MetaData-----':>47}        -----SpkrData-----\n"
        f"     exclusion set name:{names}\n"
        "     token type/subtype      no-eval   no-score        no-eval   no-score\n"
        f"             (UEM){'X':>15}{'X':>26}\n",
        *rows,
    ]


if __name__ == "__main__":
    run()
