"""The `sctk` command: NIST's programs as subcommands, as in Debian's package."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

from formats.console.process import ended
from formats.console.process import run as run_command
from scoring.cli.nist.drop_in import complain
from scoring.model.errors import ScoringError
from scoring.model.outputs import OutputError, put
from scoring.nist.transcripts.characters import byte_text

if TYPE_CHECKING:
    from scoring.peers.kaldi.wrappers import InstallStep


class Program(NamedTuple):
    """A program of SCTK: its function in this package, and a description of what it does."""

    place: str
    purpose: str

    def __call__(self, arguments: Sequence[str] | None = None) -> int:
        """Run the program in this process; return the exit status.

        Without arguments (None), the program uses those of the process.
        """
        module, _, function = self.place.partition(":")
        main = getattr(import_module(module), function)
        return cast("Callable[[Sequence[str] | None], int]", main)(arguments)


# Under the file names of the originals, in the order of the list of `sctk help`.
PROGRAMS = {
    "sclite": Program("scoring.cli.nist.sclite:main", "scores hypotheses against a reference"),
    "sc_stats": Program(
        "scoring.cli.nist.sc_stats:main", "compares systems that sclite has aligned"
    ),
    "rover": Program("scoring.cli.nist.rover:main", "combines the outputs of several recognisers"),
    "asclite": Program("scoring.cli.nist.asclite:main", "scores overlapping speech"),
    "hubscr.pl": Program("scoring.cli.nist.hubscr:main", "filters, validates, scores and compares"),
    "csrfilt.sh": Program(
        "scoring.cli.nist.hub_filters:csrfilt", "rewrites texts by the rules of a mapping file"
    ),
    "rfilter1": Program(
        "scoring.cli.nist.hub_filters:rfilter1", "rewrites lines by the rules of a mapping file"
    ),
    "hamzaNorm.pl": Program(
        "scoring.cli.nist.hub_filters:hamza_norm",
        "replaces four forms of the Arabic letter alef by one",
    ),
    "tanweenFilt.pl": Program(
        "scoring.cli.nist.hub_filters:tanween_filt", "removes the Arabic ending tanween"
    ),
    "def_art.pl": Program("scoring.cli.nist.hub_filters:def_art", "splits off the Arabic article"),
    "acomp.pl": Program("scoring.cli.nist.hub_filters:acomp", "splits German compounds"),
    "ctmValidator.pl": Program("scoring.cli.nist.hub_tools:ctm_validator", "checks a ctm file"),
    "stmValidator.pl": Program(
        "scoring.cli.nist.hub_tools:stm_validator", "checks the words of an stm file"
    ),
    "rttmValidator.pl": Program("scoring.cli.nist.hub_tools:rttm_validator", "checks an rttm file"),
    "rttmSort.pl": Program("scoring.cli.nist.hub_tools:rttm_sort", "sorts an rttm file"),
    "rttmSmooth.pl": Program(
        "scoring.cli.nist.hub_tools:rttm_smooth", "joins neighbouring turns in an rttm file"
    ),
    "stm2rttm.pl": Program(
        "scoring.cli.nist.hub_tools:stm2rttm", "converts the turns of an stm file to rttm"
    ),
    "rttm2ctm.pl": Program(
        "scoring.cli.nist.hub_tools:rttm2ctm", "converts the words of an rttm file to ctm"
    ),
    "spkr2sad.pl": Program(
        "scoring.cli.nist.hub_tools:spkr2sad", "merges the speakers of an rttm file into speech"
    ),
    "mergectm2rttm.pl": Program(
        "scoring.cli.nist.hub_tools:mergectm2rttm", "assigns the speakers of an rttm file to words"
    ),
    "md-eval.pl": Program("scoring.cli.tasks.md_eval:main", "scores diarisation: who speaks when"),
    "align2html.pl": Program(
        "scoring.cli.nist.hub_tools:align2html", "draws the alignments of asclite"
    ),
    "chfilt.pl": Program(
        "scoring.cli.nist.hub_tools:chfilt_program", "converts CallHome transcripts to stm"
    ),
    "utf_filt.pl": Program("scoring.cli.nist.hub_tools:utf_filt", "is not included; prints why"),
    "slatreport.pl": Program(
        "scoring.cli.nist.hub_tools:slatreport", "reports how late words appeared"
    ),
}
# Of F4DE; `install` writes it, too.
KWSEVAL = "KWSEval"
INSTALL = """
--into
--dry-run
--undo
"""
_OTHERS = {
    "install --into DIR [--dry-run] [--undo]": (
        "installs these programs, KWSEval and Kaldi's into a folder"
    ),
    "path": "prints the folder that holds these programs",
    "help [NAME]": "prints this, or the options of a program",
}


def program_named(name: str) -> str | None:
    """Return the file name of a program.

    `name` may omit the suffix. None if no program has this name.
    """
    return next((name + end for end in ("", ".sh", ".pl") if name + end in PROGRAMS), None)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program named by the first word, with the other words as arguments.

    Return the exit status of the program. The status is 0 after help, as in Debian's launcher, and
    1 for an unknown name (0 in Debian's).
    """
    words = [*(sys.argv[1:] if argv is None else argv)] or ["help"]
    return ended(lambda: _run(*words), lambda text: complain(f"sctk: {text}\n"))


def _run(name: str, *arguments: str) -> int:
    name = "help" if name in ("-h", "--help", "--help-all") else name
    if name == "help" and arguments:
        # what a program tells of its options goes to standard output, whatever it is to the program
        os.dup2(1, 2)
        name = arguments[0]
        arguments = () if name == "asclite" else ("-h",)
    program = program_named(name)
    if program is not None:
        return PROGRAMS[program](arguments)
    from formats.console.command_line import EXIT_STATUS, closest
    from formats.console.terminal import on_screen

    if name == "help":
        purposes = {name: one.purpose for name, one in PROGRAMS.items()} | _OTHERS
        width = max(map(len, purposes))
        print("Usage: sctk NAME [ARGUMENT ...]\n")
        lines = (f"  {name:<{width}}  {purpose}" for name, purpose in purposes.items())
        print(on_screen("\n".join(lines), sys.stdout))
        print(
            "\nThe programs end with the exit statuses of the originals. `install` has "
            f"these:\n\n{EXIT_STATUS}",
            end="",
        )
        return 0
    if name == "install":
        from scoring.peers.kaldi.wrappers import steps_of_programs

        return install("scoring sctk install", arguments, steps_of_programs)
    if name == "path":
        print(os.path.dirname(os.path.join(os.getcwd(), sys.argv[0])))
        return 0
    others = (*PROGRAMS, "install", "path", "help")
    near = closest(name, others)
    meant = f" (did you mean {near}?)" if near else ""
    complain(f"sctk: expected one of {', '.join(others)}, found {name!r}{meant}\n")
    complain("see sctk help\n")
    return 1


def install(program: str, words: Sequence[str], steps: Callable[..., Sequence[InstallStep]]) -> int:
    """Write executable files for our programs into a folder where scripts expect NIST's.

    `steps` returns the files to write, or to remove with `--undo`. Returns the exit status.
    """
    from formats.console.command_line import add_flags
    from formats.console.command_parser import CommandParser

    parser = CommandParser(
        prog=program, description="Put our programs where scripts look for the originals."
    )
    add_flags(parser, INSTALL, into={"required": True})
    arguments = parser.parse_args(words)
    try:
        for step in steps(arguments.into, PROGRAMS, undo=arguments.undo):
            act = step.undo if arguments.undo else step.install
            line = act(dry_run=arguments.dry_run)
            if line is not None:
                put("-", [os.fsencode(line) + b"\n"])
    except (BrokenPipeError, OutputError):
        raise
    except (ScoringError, OSError) as problem:
        text = str(problem)
        if isinstance(problem, OSError):
            text = f"{problem.filename}: cannot be written: {problem.strerror}"
        complain(byte_text(os.fsencode(f"{program}: {text}\n")))
        return OutputError.status
    return 0


def run(program: str | None = None) -> NoReturn:
    """Run `sctk`, or one program, as the installed command."""
    if program is None:
        run_command(main)
    keyword_search = Program("scoring.cli.tasks.kws:kwseval", "scores keyword search")
    run_command(lambda: {**PROGRAMS, KWSEVAL: keyword_search}[program](sys.argv[1:]))


def run_named() -> NoReturn:
    """Run the program that has the name of the executable file."""
    run(os.path.basename(sys.argv[0]).removesuffix(".exe"))


if __name__ == "__main__":
    run()
