"""The validators and RTTM tools of SCTK under their original names."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from formats.nist.callhome_text import ENCODINGS, CallhomeText
from formats.schema.errors import reason_of
from scoring.cli.nist.drop_in import called_as, complain, program, usage
from scoring.cli.nist.nist_arguments import argument_text as _text
from scoring.cli.nist.perl_options import PerlOptions, getoptions, getopts
from scoring.model.errors import OriginalError
from scoring.model.outputs import put
from scoring.nist.hub import rttm_tools, validators
from scoring.nist.hub.align2html import pages, read_log, read_mapping
from scoring.nist.hub.chfilt import HEAD, ChfiltOptions, chfilt
from scoring.nist.hub.lines import leading_number
from scoring.nist.hub.rttm_tools import DIED, SUPPORTED, DiedError
from scoring.nist.hub.slatreport import NO_DATA, latencies
from scoring.nist.transcripts.characters import byte_text


def content(name: str, problem: str) -> bytes:
    """Return the bytes of a file; `-` means standard input.

    If it cannot be read, raise an error with the text `problem`.
    """
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(os.fsencode(name), "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        status = getattr(error, "errno", None) or DIED
        raise DiedError(problem, status=status) from None


def contents(names: Sequence[str]) -> bytes:
    """Return the input like Perl's `<>`: standard input, or the contents of all readable files."""
    read: list[bytes] = []
    for name in names or ["-"]:
        try:
            read.append(content(name, ""))
        except DiedError as error:
            cause = error.__context__
            reason = reason_of(cause) if isinstance(cause, OSError) else "no name of a file"
            complain(f"Can't open {_text(name)}: {reason}\n")
    # a last line without an end does not run into the next file
    ended = [text if text.endswith(b"\n") else text + b"\n" for text in read[:-1] if text]
    return b"".join((*ended, *read[-1:]))


def _options(line: PerlOptions) -> dict[str, str]:
    """Return the options on a command line; print unknown options to standard error."""
    complain(_text(line.complaints))
    return line.options


def _prints(output: BinaryIO, options: Mapping[str, str], texts: Mapping[str, str]) -> bool:
    """Print the text of the first option (such as `-h`) that was given, and return True.

    Return False if none was given.
    """
    text = next((text for name, text in texts.items() if name in options), None)
    output.write((text or "").encode())
    return text is not None


def _tell(
    output: BinaryIO, check: validators.Validation, heading: bytes = b"", *, is_silent: bool = False
) -> None:
    """Print a heading and a validator's findings, or only the heading if `is_silent`.

    Raise an error that ends the program if the file is invalid.
    """
    output.write(heading + (b"" if is_silent else check.output))
    output.flush()
    if check.status:
        raise OriginalError("")


@program("ctmValidator.pl")
def ctm_validator(arguments: Sequence[str], output: BinaryIO) -> None:
    """Check a CTM file."""
    options = _options(getoptions(arguments, "i=s l=s h"))
    name = options.get("i", "")
    if "h" in options or not name:
        output.write(usage("ctmValidator.pl").encode())
        return
    data = content(name, f"Unable to open for read ctm file '{_text(name)}'\n")
    _tell(
        output,
        validators.validate_ctm(data, os.fsencode(name), options.get("l", validators.ENGLISH)),
    )


def _with_input(line: PerlOptions, text: str) -> tuple[dict[str, str], str]:
    """Return the options of a validator, and the name of the file to validate.

    With `-h`, or without a file, raise an error that prints `text`.
    """
    options = _options(line)
    name = options.get("i", "")
    if "h" in options or name in ("", "0"):
        raise DiedError(text)
    return options, name


@program("stmValidator.pl")
def stm_validator(arguments: Sequence[str], output: BinaryIO) -> None:
    """Check the words of an STM file."""
    options, name = _with_input(getopts(arguments, "sh", "il"), usage("stmValidator.pl"))
    data = content(name, f"Unable to open for read STM file '{_text(name)}'\n")
    language = options.get("l", "")
    check = validators.validate_stm(
        data, os.fsencode(name), validators.ENGLISH if language in ("", "0") else language
    )
    _tell(output, check, is_silent="s" in options)


@program("rttmValidator.pl")
def rttm_validator(arguments: Sequence[str], output: BinaryIO) -> None:
    """Check an RTTM file."""
    import time

    options, name = _with_input(getopts(arguments, "usevhftpS", "i"), usage("rttmValidator.pl"))
    heading = b""
    if "t" not in options:
        now = time.localtime()
        when = time.strftime("%Y %b ", now) + str(now.tm_mday) + time.strftime(" at %H:%M:%S", now)
        line = os.fsencode(" ".join(arguments))
        program = os.fsencode(called_as("rttmValidator.pl", arguments)) + b" (version v13)"
        heading = b"%b run on %b\ncommand line:  %b %b\n" % (program, when.encode(), program, line)
    try:
        data = content(name, f"ERROR: Unable to open file {_text(name)}\n")
    except DiedError as error:
        error.output = byte_text(heading)
        raise
    checks = validators.RttmChecks.of_switches(options)
    _tell(output, validators.validate_rttm(data, os.fsencode(name), checks), heading)


@program("rttmSort.pl")
def rttm_sort(arguments: Sequence[str], output: BinaryIO) -> None:
    """Sort an RTTM file."""
    output.write(rttm_tools.sort_rttm(contents(arguments)))


@program("rttmSmooth.pl")
def rttm_smooth(arguments: Sequence[str], output: BinaryIO) -> None:
    """Join turns of an RTTM file."""
    line = getoptions(arguments, "s=s")
    options = _options(line)
    if line.complaints:
        raise DiedError("Error \n")
    gap = leading_number(os.fsencode(options.get("s", "0.3")))
    output.write(rttm_tools.smooth_rttm(content("-", "standard input: cannot be read\n"), gap))


@program("stm2rttm.pl")
def stm2rttm(arguments: Sequence[str], output: BinaryIO) -> None:
    """Convert the turns of an STM file to RTTM."""
    line = getoptions(arguments, "e|evaluation=s")
    options = _options(line)
    if "e" not in options:
        raise DiedError(
            "Usage: stm2rttm.pl -e [rt02|rt04s|rt05s]\nVersion: 0.1\n\n"
            "Error: You must specify an evaluation code with the -e option!\n" + SUPPORTED
        )
    output.write(rttm_tools.stm_to_rttm(contents(line.others), options["e"]))


@program("rttm2ctm.pl")
def rttm2ctm(arguments: Sequence[str], output: BinaryIO) -> None:
    """Convert the words of an RTTM file to CTM."""
    options = _options(getopts(arguments, "", "io"))
    name = options.get("i", "-")
    data = content(name, "") if name == "-" or os.path.exists(os.fsencode(name)) else b""
    target = options.get("o", "-")
    if target == "-":
        output.write(rttm_tools.rttm_to_ctm(data))
    else:
        put(target, [rttm_tools.rttm_to_ctm(data)])


@program("spkr2sad.pl")
def spkr2sad(arguments: Sequence[str], output: BinaryIO) -> None:
    """Convert the turns of speakers in an RTTM file to time spans of speech."""
    output.write(rttm_tools.speakers_to_speech(contents(arguments)))


@program("mergectm2rttm.pl")
def mergectm2rttm(arguments: Sequence[str], output: BinaryIO) -> None:
    """Assign each word of a CTM file to a speaker of an RTTM file."""
    names = "rttmfile=s ctmfile=s pathtools=s version help"
    options = _options(getoptions(arguments, names, ignore_case=False))
    texts = {"version": "mergectm2rttm version: 0.4\n", "help": usage("mergectm2rttm.pl")}
    if _prints(output, options, texts):
        return
    read: list[bytes] = []
    for kind in ("RTTM", "CTM"):
        if not options.get(f"{kind.lower()}file"):
            raise DiedError(f"ERROR: An {kind} file must be set.\n")
    for kind in ("RTTM", "CTM"):
        name = options[f"{kind.lower()}file"]
        problem = f"Unable to open for read {kind} file '{_text(name)}'\n"
        read.append(content(name, problem))
    body, head = rttm_tools.merge_ctm(*read), b";; type file chnl tbeg tdur ortho stype name conf\n"
    # Perl keeps its line back, but from a terminal, while the tools write theirs
    output.write(head + body if output.isatty() else body + head)


# What the original prints where there is no gnuplot; ours draws no charts.
NO_CHART = b"PNG: 'gnuplot not found' - no PNG generated. Install 'gnuplot' to have the PNGs.\n"
SLAT_OPTIONS = (
    "help|h man|m version i=s o=s type|t=s stype|s=s file|f=s chnl|c=s name|n=s Histogram|H=i"
)
SLAT_COLUMNS = {
    "FILE": "file",
    "CHANNEL": "chnl",
    "NAME": "name",
    "TYPE": "type",
    "SUBTYPE": "stype",
}


@program("slatreport.pl")
def slatreport(arguments: Sequence[str], output: BinaryIO) -> None:
    """Report how late a system put out its words."""
    line = getoptions(arguments, SLAT_OPTIONS, ignore_case=False)
    options = _options(line)
    if "version" in options:
        output.write(b"slatreport.pl version \n")
        return
    if line.complaints or "help" in options or "man" in options:
        output.write(usage("slatreport.pl").encode())
        if "man" in options and not line.complaints:
            return
        raise OriginalError("")
    count = int(options.get("Histogram", "10"))
    for is_wrong, problem in (
        (not options.get("i"), "RTTM file must be specified."),
        (not options.get("o"), "Output filename must be specified."),
        (count < 2, "Histogram partitions 'H' must be bigger than 1."),
    ):
        if is_wrong:
            raise DiedError(f"Error: {problem}\n{usage('slatreport.pl')}", status=2)
    lists = {column: options.get(option, "") for column, option in SLAT_COLUMNS.items()}
    chosen = {
        name: os.fsencode(text).rstrip(b",").split(b",") for name, text in lists.items() if text
    }
    lines = "".join(f"  {name}: {text or 'ALL'}\n" for name, text in lists.items())
    output.write(f"Conditions:\n{lines}\n".encode("utf-8", "surrogateescape"))
    name = options["i"]
    data = content(name, f"Cannot open file '{_text(name)}'\n")
    reports = latencies(data, _text(name), chosen)
    if not reports:
        output.write(NO_DATA.encode())
    for number, report in enumerate(reports):
        output.write(b"\n" * (number > 0) + report.report(count).encode())
        if options["o"] != "/dev/null" and len(report.values) > 1:
            output.write(NO_CHART)


@program("align2html.pl")
def align2html(arguments: Sequence[str], output: BinaryIO) -> None:
    """Draw the alignments of asclite as HTML."""
    names = "alignfile=s mapfile=s outputdir=s version help"
    options = _options(getoptions(arguments, names))
    texts = {"version": "align2html version: 0.6\n", "help": usage("align2html.pl")}
    if _prints(output, options, texts):
        return
    for name, noun in (("alignfile", "Align file"), ("outputdir", "Output directory")):
        if not options.get(name):
            raise DiedError(f"ERROR: An {noun} must be set.\n")
    log, folder = options["alignfile"], options["outputdir"]
    groups = read_log(content(log, f"Unable to open for read alignfile file '{_text(log)}'\n"))
    table = options.get("mapfile", "")
    mapping = read_mapping(content(table, f"Unable to open '{_text(table)}'\n")) if table else []
    os.makedirs(os.fsencode(folder), exist_ok=True)
    for name, page in pages(groups, mapping):
        put(os.path.join(folder, name), [page])


CHFILT_OPTIONS = "s:f p:f l=s b:f e:f o=s t:s q:s a d m i k E c C=s"


@program("chfilt.pl")
def chfilt_program(arguments: Sequence[str], output: BinaryIO) -> None:
    """Convert a CallHome transcript to STM."""
    line = getoptions(arguments, CHFILT_OPTIONS, ignore_case=False)
    options, files = _options(line), line.others
    language, form = options.get("l", ""), options.get("o", "stm")
    if line.complaints:
        raise DiedError(f"\n{usage('chfilt.pl')}\nError: Failed to parse argements\n")
    channels = options.get("C", "")
    before_channels = {
        f"Error: Unrecognized format type --> {form}": form not in ("stm", "pem"),
        "Error: Language option is required": "l" not in options,
        "Error: Language not recognized": not any(name in language for name in ENCODINGS),
    }
    _refuse(before_channels, output)
    if channels and not channels.startswith(("numbers", "letters")):
        raise DiedError(f"Error: Unknown channel conversion '{_text(channels)}'\n")
    if "i" in options and not {"b", "e"} <= options.keys():
        raise DiedError(f"{usage('chfilt.pl')}\nError: -i requires -b and -e to be used\n")
    source = files[0] if files else ""
    of_files = {
        "Too many arguments ": len(files) > 2,
        "Output Not Specified": len(files) == 1,
        "Input and Output Not Specified": not files,
        f"Input file {source} does not exist": not os.access(os.fsencode(source), os.R_OK),
    }
    _refuse(of_files, output)
    numbers = {name: float(options[name]) for name in "beps" if name in options}
    text = CallhomeText(language, "d" in options, "m" in options)
    data = content(files[0], f"cannot open input Callhome file {_text(files[0])}\n")
    selection = ChfiltOptions(
        text,
        numbers.get("b", 0.0),
        numbers.get("e", 999999.0),
        {pair[0]: pair[1] for pair in _folded(options.get("t", ""), text) if len(pair) > 1},
        _equivalents(options.get("q", ""), text),
        "a" in options,
        "i" in options,
        "k" in options,
        numbers.get("p"),
        numbers.get("s"),
        "E" in options,
        "c" not in options,
        channels,
        form == "pem",
    )
    try:
        stm, warnings = chfilt(data, os.fsencode(files[0]), selection)
    except DiedError as error:
        # the original has written the head by then; a file of ours appears whole or not at all
        error.output = byte_text(HEAD) if files[1] == "-" else ""
        raise
    complain(byte_text(warnings))
    put(files[1], [stm])


def _refuse(problems: dict[str, bool], output: BinaryIO) -> None:
    """End the program with the first text in `problems` whose condition is true."""
    for problem, is_wrong in problems.items():
        if is_wrong:
            output.write(os.fsencode(f"\n{usage('chfilt.pl')}\n{problem}\n\n"))
            raise OriginalError("")


def _folded(words: str, text: CallhomeText) -> list[list[bytes]]:
    """Split an option value such as ``A=B:C=D`` into lists of words.

    A colon ends a list, and = separates its words. Case is folded as in `text`.
    """
    data = text.folded(os.fsencode(words))
    return [pair.split(b"=") for pair in data.split(b":") if pair]


def _equivalents(words: str, text: CallhomeText) -> dict[bytes, bytes]:
    return {
        word: b"{ " + b" / ".join(group) + b" }" for group in _folded(words, text) for word in group
    }


@program("utf_filt.pl")
def utf_filt(arguments: Sequence[str], output: BinaryIO) -> None:
    """Print why this package has no utf_filt.

    The exit status is that for wrong arguments.
    """
    raise DiedError(
        "utf_filt.pl: expected a program that is still used, found one for Hub-4 transcripts in "
        "SGML, which needs a parser (nsgmls) and a DTD: it is not part of this package\n"
    )
