"""The commands hamzaNorm.pl, tanweenFilt.pl, def_art.pl and acomp.pl, filters of languages."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

from formats.process import reason_of
from scoring.cli.drop_in import complain, run_program
from scoring.cli.hub_filters import ended_as_original, put, standard_input
from scoring.cli.perl_options import Given, getoptions, getopts
from scoring.errors import InputError, OriginalError
from scoring.nist.hub import language_filters as filters
from scoring.nist.hub.rfilter1 import Filtered
from scoring.nist.report.report_files import UnopenableError, write_file

HAMZA_NORM, TANWEEN_FILT = "hamzaNorm.pl", "tanweenFilt.pl"
DEF_ART, ACOMP = "def_art.pl", "acomp.pl"
# As a script that dies of no error of the system does.
DIED, NO_SUCH_FILE = 255, 2
_WHOLE = re.compile(r"\s*[+-]?\d+")
USAGES = {
    HAMZA_NORM: """\
Usage: hamzaNorm.pl [-i txt|ctm|stm] IN|- OUT|-
Version: 1.0
Writes one alef for the four that words of Arabic begin with.
""",
    TANWEEN_FILT: """\
Usage: tanweenFilt.pl [-a] [-i txt|ctm|stm] IN|- OUT|-
Version: 1.1
Removes the tanween at the ends of words of Arabic, with -a every one.
""",
    DEF_ART: """\
Usage: def_art.pl -i txt|ctm|stm [-s LEXICON [-t]] IN|- OUT|-
Version: 1.3
Writes the definite article of Arabic as a word of its own: of romanised texts, or with -s of texts
in the script of the lexicon; -t puts romanised words into that script first.
""",
    ACOMP: """\
Usage: acomp.pl -l LEXICON [-m MIN] [-s] [-t] [-f] [-i txt|ctm|stm] IN|- OUT|-
Version: 1.1
Writes the parts of German compounds as words.

    -m MIN  bytes of the shortest part (2)
    -s      no S or EN between parts
    -f      words broken off are split, too
    -t      accepted, without effect
""",
}


def hamza_norm(argv: Sequence[str] | None = None) -> int:
    """Write one alef for the four of Arabic; 255 for wrong arguments, 2 for a missing file."""
    return run_program(HAMZA_NORM, argv, _run_hamza_norm)


def _run_hamza_norm(arguments: Sequence[str], output: BinaryIO) -> None:
    call = _Call(HAMZA_NORM, getoptions(arguments, "i:s"))
    call.check()
    call.put(filters.hamza_norm(call.data(), call.format or "txt"), output)


def tanween_filt(argv: Sequence[str] | None = None) -> int:
    """Remove the tanween of Arabic; 255 for wrong arguments, 2 for a missing file."""
    return run_program(TANWEEN_FILT, argv, _run_tanween_filt)


def _run_tanween_filt(arguments: Sequence[str], output: BinaryIO) -> None:
    call = _Call(TANWEEN_FILT, getoptions(arguments, "i:s a"))
    call.check()
    call.put(filters.tanween_filt(call.data(), call.format or "txt", "a" in call.options), output)


def def_art(argv: Sequence[str] | None = None) -> int:
    """Write the article of Arabic as a word; 255 for wrong arguments, 2 for a missing file."""
    return run_program(DEF_ART, argv, _run_def_art)


def _run_def_art(arguments: Sequence[str], output: BinaryIO) -> None:
    call = _Call(DEF_ART, getopts(arguments, "t", "is"))
    lexicon = call.options.get("s")
    if lexicon is not None and not os.access(lexicon, os.R_OK):
        raise call.died(f"Error: Unable to read lexicon file '{lexicon}'")
    if "t" in call.options and lexicon is None:
        raise call.died("Error: -t requires -s as well")
    call.check()
    entries = None if lexicon is None else filters.read_article_lexicon(_file(lexicon))
    data = call.data()
    if call.format is None:
        problem = "expected -i and a format; without it nothing is written"
        call.put(Filtered(entries.complaints if entries else b"", problem=problem), output)
    else:
        call.put(filters.def_art(data, call.format, entries, "t" in call.options), output)


def acomp(argv: Sequence[str] | None = None) -> int:
    """Write the parts of German compounds; 255 or 1 for wrong arguments, 2 for a missing file."""
    return run_program(ACOMP, argv, _run_acomp)


def _run_acomp(arguments: Sequence[str], output: BinaryIO) -> None:
    call = _Call(ACOMP, getoptions(arguments, "l=s m=s t s i:s f"))
    name = call.options.get("l")
    if name is None:
        raise call.died("Error: Lexicon required via -l.")
    call.check()
    if not os.access(name, os.R_OK):
        raise call.died(f"Unable to open Lexicon '{name}'", NO_SUCH_FILE)
    shortest = _WHOLE.match(call.options.get("m", "2"))
    options = filters.CompoundOptions(
        int(shortest[0]) if shortest else 0, "s" not in call.options, "f" in call.options
    )
    lexicon = filters.read_compound_lexicon(_file(name))
    call.put(filters.acomp(call.data(), call.format or "txt", lexicon, options), output)


class _Call(NamedTuple):
    """A command line of one of Perl's scripts: options by their letters, and files."""

    program: str
    given: Given

    @property
    def options(self) -> dict[str, str]:
        """Their values by their letters."""
        return self.given.options

    @property
    def files(self) -> list[str]:
        """Input and output."""
        return self.given.others

    @property
    def format(self) -> str | None:
        """What `-i` says."""
        return self.options.get("i")

    def died(self, problem: str, status: int = DIED, said: str = "") -> OriginalError:
        """The end of the script, with its usage."""
        text = f"{USAGES[self.program]}\n{problem}\n"
        return ended_as_original(said.encode("latin-1") + os.fsencode(text), "", status)

    def check(self) -> None:
        """Refuse a format that is none, and anything but a readable file and a name for output."""
        if self.given.complaints:
            said = os.fsencode(self.given.complaints).decode("latin-1")
            if self.program != DEF_ART:
                raise self.died("Error: Failed to parse arguments", said=said)
            complain(said)
        if self.format is not None and self.format not in filters.FORMATS:
            raise self.died(f"Error: Undefined input format '{self.format}'")
        if len(self.files) != 2:
            problems = ("Input and Output Not Specified", "Output Not Specified")
            problem = problems[len(self.files)] if len(self.files) < 2 else "Too many arguments"
            if self.program == ACOMP:
                usage = USAGES[ACOMP]
                raise ended_as_original(b"", f"\n{usage}\n{problem}\n\n", 1)
            raise self.died(problem)
        if self.files[0] != "-" and not os.access(self.files[0], os.R_OK):
            raise self.died(f"Error: Input file {self.files[0]} does not exist", NO_SUCH_FILE)

    def data(self) -> bytes:
        """The input."""
        return standard_input() if self.files[0] == "-" else _file(self.files[0])

    def put(self, done: Filtered, output: BinaryIO) -> None:
        """Write what was made of the input, a file whole or not at all."""
        if self.files[1] != "-":
            try:
                write_file(os.fsencode(self.files[1]).decode("latin-1"), [done.output])
            except UnopenableError:
                raise ended_as_original(
                    os.fsencode(f"Unable to open new-trans-file {self.files[1]}\n"),
                    "",
                    NO_SUCH_FILE,
                ) from None
            done = done._replace(output=b"")
        put(self.program, done, output)


def _file(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as problem:
        raise InputError(name, None, None, f"cannot be read: {reason_of(problem)}") from None
