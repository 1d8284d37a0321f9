"""rover's command line: scanned as the original scans it, refused with the original's words."""

from __future__ import annotations

import os
from collections.abc import Sequence

from scoring.cli import nist_arguments
from scoring.cli.nist_arguments import Arguments, argument_text, leading_number
from scoring.nist.rover.voting import METHODS
from scoring.nist.transcripts.columns import number
from scoring.nist.transcripts.input_files import TranscriptFile

MOST_FILES = 50
USAGE = """\
rover: <OPTIONS>
rover Version: 0.1, SCTK Version: 1.3
Description: rover takes N input files and does an N-way DP alignment
             on those files.  The output is either a set of minimal cost
             alignments, or a Voted output depending the -m option.
Input Options:
    -h hypfile ctm
                Define the hypothesis file and it's format. This option
                must be used more than once.
Output Options:
    -o outfile  Define the output file.  (Will be same format as hyps)
    -f level    Defines feedback mode, default is 1
    -l width    Defines the line width.
Alignment Options:
    -m meth     Execute method:
                oracle   -> output the fully alternated transcript
                meth1    -> alpha = -a , conf = -c, choose highest avg
                maxconf  -> Same as meth1, but use the maximum conf
                            score for a CS set as the metric
                avgconf  -> alpha*Sum(WO) + (1-alpha)Sum(Conf(W))
                maxconfa -> Same as maxconf, but conf=N(@)/S
                putat    -> Output the putative hit format
    -s          Do Case-sensitive alignments.
    -T          Use time information, (if available), to calculated word-to-
                word distances based on times.
Processing Options:
    -a alpha    Default: 1.0
    -c Null_conf
                Default: 0.0
"""


class RoverUsageError(nist_arguments.UsageError):
    """A command line rover refuses."""

    usage = USAGE
    lead = "rover: "


class RoverOptions:
    """The values of rover's options after scanning."""

    def __init__(self) -> None:
        self.sources: list[TranscriptFile] = []
        self.output: str | None = None
        self.method: str | None = None
        self.alpha = 1.0
        self.null_confidence = 0.0
        self.case_sensitive = False
        self.by_time = False
        self.feedback = 1
        self.ignored: list[str] = []


def parse(given: Sequence[str]) -> RoverOptions:
    """Scan and validate a command line."""
    options = RoverOptions()
    arguments = Arguments([argument_text(one) for one in given], RoverUsageError, options)

    def hypothesis() -> None:
        name = arguments.file("Not enough Hyp arguments", "Req'd Hyp File name")
        if len(options.sources) == MOST_FILES:
            raise RoverUsageError(f"more than {MOST_FILES} hypothesis files")
        form = arguments.optional()
        form = "trn" if form is None else form
        options.sources.append(TranscriptFile(os.fsdecode(name.encode("latin-1")), form, name))
        if form != options.sources[0].format:
            raise RoverUsageError("Hyp formats must all be identical\n")

    def output() -> None:
        # the original crashes where there is nothing left
        options.output = arguments.file("Not enough Output arguments", "Req'd Output Filename")

    handlers = {
        "-h": hypothesis,
        "-o": output,
        "-m": arguments.choice("method", METHODS, "Not enough Method arguments", "Illegal method"),
        "-a": arguments.value("alpha", "Not enough alpha arguments", _decimal),
        "-c": arguments.value("null_confidence", "Not enough null_conf arguments", _decimal),
        "-f": arguments.value("feedback", "Not enough Feedback arguments", leading_number),
        "-l": lambda: arguments.mandatory("Not enough Line Width arguments"),
        "-s": arguments.switch("case_sensitive"),
        "-T": arguments.switch("by_time"),
    }
    options.ignored = arguments.walk(handlers)
    if len(options.sources) < 2:
        raise RoverUsageError("Req'd Hyp File names, 2 or more")
    if options.output is None:
        raise RoverUsageError("Req'd Output File name")
    if options.method is None:
        raise RoverUsageError("Req'd method")
    return options


def _decimal(text: str) -> float:
    """C's `atof`."""
    return number(text.encode("latin-1"))
