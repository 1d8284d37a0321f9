"""The filters rfilter1, csrfilt.sh, hamzaNorm.pl, tanweenFilt.pl, def_art.pl and acomp.pl.

Output and exit status are those of NIST's programs. If NIST's program succeeds although it loses
data, ours reports the loss on standard error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from errno import EACCES, ENOENT
from typing import BinaryIO, NamedTuple

from formats.schema.errors import reason_of
from scoring.cli.nist.drop_in import complain, program, usage
from scoring.cli.nist.nist_arguments import argument_text
from scoring.cli.nist.perl_options import PerlOptions, getoptions, getopts
from scoring.model.errors import InputError, OriginalError
from scoring.model.outputs import UnopenableError, write_file, write_to_stream
from scoring.nist.hub import csrfilt as csrfilt_
from scoring.nist.hub import language_filters as filters
from scoring.nist.hub import rfilter1 as rfilter1_
from scoring.nist.hub.rfilter1 import Filtered
from scoring.nist.hub.rttm_tools import DiedError
from scoring.nist.transcripts.characters import byte_text, standard_input

RFILTER1, CSRFILT = "rfilter1", "csrfilt.sh"
HAMZA_NORM, TANWEEN_FILT = "hamzaNorm.pl", "tanweenFilt.pl"
DEF_ART, ACOMP = "def_art.pl", "acomp.pl"
NO_SUCH_FILE = 2
_VARIABLE = re.compile(r"\$(\w+)")
_LEADING_NUMBER = re.compile(r"\s*[+-]?\d+")


@program(RFILTER1)
def rfilter1(arguments: Sequence[str], output: BinaryIO) -> None:
    """Rewrite standard input by the rules of a map.

    The exit status is 2 without arguments, and 3 or 4 for an invalid map.
    """
    if not arguments:
        raise DiedError("", usage(RFILTER1).encode(), 2)
    name = _VARIABLE.sub(lambda match: os.environ.get(match[1], match[0]), arguments[0])
    level = _LEADING_NUMBER.match(arguments[1]) if len(arguments) > 1 else None
    map_data: bytes | None = b""
    try:
        with open(name, "rb") as file:
            map_data = file.read()
    except IsADirectoryError:
        pass
    except (OSError, ValueError):
        map_data = None
    # a map that is refused is so before anything is read
    data = standard_input() if map_data is not None else b""
    shown = argument_text(arguments[0])
    filtered = rfilter1_.rfilter1(data, map_data, shown, int(level[0]) if level else 0)
    _put(RFILTER1, filtered._replace(problem=""), output)


@program(CSRFILT)
def csrfilt(arguments: Sequence[str], output: BinaryIO) -> None:
    """Rewrite the texts of standard input by the rules of a map.

    The exit status is 0, even for a rejected map. It is 1 if NIST's csrfilt.sh fails, or would stop
    before the end of the input.
    """
    words = [*arguments]
    options = _csrfilt_options(words)
    for name, kind in zip(words, ("Global", "Utterance"), strict=False):
        if not os.path.isfile(name):
            raise _usage_error(f"\nError: {kind}-map-file '{name}' does not exist")
    map_data = _content(words[0])
    _put(CSRFILT, csrfilt_.csrfilt(standard_input(), map_data, options, words[0]), output)


def _csrfilt_options(words: list[str]) -> csrfilt_.CsrfiltOptions:
    """Remove the switches at the beginning of a command line, and return them."""
    choices = {"-i": csrfilt_.FORMATS, "-t": csrfilt_.PURPOSES}
    named = {"-i": '"ctm", "stm", "txt", "trn", or "rttm"', "-t": '"ref", or "hyp"'}
    values, switches = {"-i": "trn", "-t": ""}, set()
    while words and words[0].startswith("-"):
        switch = words.pop(0)
        if switch in choices:
            values[switch] = words.pop(0) if words else ""
            if values[switch] not in choices[switch]:
                # the original names -i for both
                problem = f"-i option requires either {named[switch]} not {values[switch]}"
                raise _usage_error(f"{values[switch]}\nError: {problem}")
        elif switch in ("-dh", "-s", "-e"):
            switches.add(switch)
        else:
            raise _usage_error(f"\nError: Unrecognized option {switch}")
    if len(words) not in (1, 2):
        raise _usage_error("\nError: requires one or two command line arguments")
    flags = (switch in switches for switch in ("-s", "-e", "-dh"))
    return csrfilt_.CsrfiltOptions(values["-i"], values["-t"], *flags)


def _usage_error(problem: str) -> OriginalError:
    return DiedError("", f"{usage(CSRFILT)}{argument_text(problem)}\n".encode("latin-1"), 1)


def _put(name: str, filtered: Filtered, output: BinaryIO) -> None:
    """Write the result of a filter; print warnings that NIST's program does not print."""
    write_to_stream(output, [filtered.output])
    errors = filtered.errors
    if filtered.problem:
        kind = "" if filtered.status else "warning: "
        errors += os.fsencode(f"{name}: {kind}{filtered.problem}\n")
    if filtered.status:
        raise DiedError(byte_text(errors), status=filtered.status)
    complain(byte_text(errors))


@program(HAMZA_NORM)
def hamza_norm(arguments: Sequence[str], output: BinaryIO) -> None:
    """Replace Arabic alefs with marks by the plain alef, at the beginning of words.

    The exit status is 255 for wrong arguments, and 2 for a missing file.
    """
    call = _Call(HAMZA_NORM, getoptions(arguments, "i:s"))
    call.check()
    call.put(filters.hamza_norm(call.data(), call.format or "txt"), output)


@program(TANWEEN_FILT)
def tanween_filt(arguments: Sequence[str], output: BinaryIO) -> None:
    """Remove Arabic tanween.

    The exit status is 255 for wrong arguments, and 2 for a missing file.
    """
    call = _Call(TANWEEN_FILT, getoptions(arguments, "i:s a"))
    call.check()
    is_every = "a" in call.given.options
    call.put(filters.tanween_filt(call.data(), call.format or "txt", is_every), output)


@program(DEF_ART)
def def_art(arguments: Sequence[str], output: BinaryIO) -> None:
    """Separate the Arabic article.

    The exit status is 255 for wrong arguments, and 2 for a missing file.
    """
    call = _Call(DEF_ART, getopts(arguments, "t", "is"))
    lexicon, is_romanised = call.given.options.get("s"), "t" in call.given.options
    if lexicon is not None and not os.access(lexicon, os.R_OK):
        status = EACCES if os.path.exists(lexicon) else ENOENT  # Perl ends with errno
        raise call.died(f"Error: Unable to read lexicon file '{lexicon}'", status)
    if is_romanised and lexicon is None:
        raise call.died("Error: -t requires -s as well")
    call.check()
    entries = None if lexicon is None else filters.read_article_lexicon(_content(lexicon))
    data = call.data()
    if call.format is None:
        problem = "expected -i and a format; without it nothing is written"
        call.put(Filtered(entries.complaints if entries else b"", problem=problem), output)
    else:
        call.put(filters.def_art(data, call.format, entries, is_romanised), output)


@program(ACOMP)
def acomp(arguments: Sequence[str], output: BinaryIO) -> None:
    """Split German compounds.

    The exit status is 255 or 1 for wrong arguments, and 2 for a missing file.
    """
    call = _Call(ACOMP, getoptions(arguments, "l=s m=s t s i:s f"))
    options = call.given.options
    name = options.get("l")
    if name is None:
        raise call.died("Error: Lexicon required via -l.")
    call.check()
    if not os.access(name, os.R_OK):
        raise DiedError(argument_text(f"Unable to open Lexicon '{name}'\n"), status=NO_SUCH_FILE)
    shortest = _LEADING_NUMBER.match(options.get("m", "2"))
    compounds = filters.CompoundOptions(
        int(shortest[0]) if shortest else 0, "s" not in options, "f" in options
    )
    lexicon = filters.read_compound_lexicon(_content(name))
    call.put(filters.acomp(call.data(), call.format or "txt", lexicon, compounds), output)


class _Call(NamedTuple):
    """A command line of one of the Perl scripts: options by letter, and two files."""

    program: str
    given: PerlOptions

    @property
    def format(self) -> str | None:
        """The value of the option `-i`, which names a format; None without it."""
        return self.given.options.get("i")

    def died(self, problem: str, status: int = 255, before: str = "") -> OriginalError:
        """Return the error with which a Perl script ends: its usage text, then `problem`.

        `before` is printed before the usage text.
        """
        text = argument_text(f"{usage(self.program)}\n{problem}\n")
        return DiedError(before + text, status=status)

    def check(self) -> None:
        """Raise the program's error if a format, the number of files or the input file is wrong."""
        files = self.given.others
        if self.given.complaints:
            complaints = argument_text(self.given.complaints)
            if self.program != DEF_ART:
                raise self.died("Error: Failed to parse arguments", before=complaints)
            complain(complaints)
        if self.format is not None and self.format not in filters.FORMATS:
            raise self.died(f"Error: Undefined input format '{self.format}'")
        if len(files) != 2:
            problems = ("Input and Output Not Specified", "Output Not Specified")
            problem = problems[len(files)] if len(files) < 2 else "Too many arguments"
            if self.program == ACOMP:
                raise DiedError("", f"\n{usage(ACOMP)}\n{problem}\n\n".encode(), 1)
            raise self.died(problem)
        if files[0] != "-" and not os.access(files[0], os.R_OK):
            raise self.died(f"Error: Input file {files[0]} does not exist", NO_SUCH_FILE)

    def data(self) -> bytes:
        """Return the bytes of the input."""
        name = self.given.others[0]
        return standard_input() if name == "-" else _content(name)

    def put(self, filtered: Filtered, output: BinaryIO) -> None:
        """Write the result of the filter; a file is written completely or not at all."""
        target = self.given.others[1]
        if target != "-":
            try:
                write_file(argument_text(target), [filtered.output])
            except UnopenableError:
                text = argument_text(f"Unable to open new-trans-file {target}\n")
                raise DiedError(text, status=NO_SUCH_FILE) from None
            filtered = filtered._replace(output=b"")
        _put(self.program, filtered, output)


def _content(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as problem:
        raise InputError(name, None, None, f"cannot be read: {reason_of(problem)}") from None
