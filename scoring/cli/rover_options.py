"""rover's command line: scanned as the original scans it, refused with the original's words."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from scoring.cli import nist_arguments
from scoring.cli.nist_arguments import Arguments, leading_number
from scoring.cli.rover_usage import USAGE
from scoring.nist.rover.voting import METHODS
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.columns import number
from scoring.nist.transcripts.files import Source

MOST_FILES = 50


class UsageError(nist_arguments.UsageError):
    """A command line rover refuses."""

    usage = USAGE
    lead = "rover: "


class Options:
    """The values of rover's options after scanning.

    Attributes
    ----------
    output
        Path of the output file as byte text.
    ignored
        Arguments behind a stray word, which the original passes over in silence.
    """

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.output: str | None = None
        self.method: str | None = None
        self.alpha = 1.0
        self.null_confidence = 0.0
        self.case_sensitive = False
        self.by_time = False
        self.feedback = 1
        self.ignored: list[str] = []


def parse(arguments: Sequence[str]) -> Options:
    """Scan and validate a command line.

    Raises
    ------
    UsageError
        With the text of the original.
    """
    options = _Scanner(arguments).scan()
    if len(options.sources) < 2:
        raise UsageError("Req'd Hyp File names, 2 or more")
    if options.output is None:
        raise UsageError("Req'd Output File name")
    if options.method is None:
        raise UsageError("Req'd method")
    return options


class _Scanner:
    """Walks over the arguments from left to right."""

    def __init__(self, arguments: Sequence[str]) -> None:
        texts = [byte_text(os.fsencode(argument)) for argument in arguments]
        self._arguments = Arguments(texts, UsageError)
        self._options = Options()

    def scan(self) -> Options:
        """Read options up to the first argument that is none."""
        handlers: dict[str, Callable[[], None]] = {
            "-h": self._hypothesis,
            "-o": self._output,
            "-m": self._method,
            "-a": self._alpha,
            "-c": self._null_confidence,
            "-f": self._feedback,
            "-l": lambda: self._ignore("Not enough Line Width arguments"),
            "-s": lambda: setattr(self._options, "case_sensitive", True),
            "-T": lambda: setattr(self._options, "by_time", True),
        }
        self._options.ignored = self._arguments.walk(handlers)
        return self._options

    def _hypothesis(self) -> None:
        sources = self._options.sources
        name = self._arguments.file("Not enough Hyp arguments", "Req'd Hyp File name")
        if len(sources) == MOST_FILES:
            raise UsageError(f"more than {MOST_FILES} hypothesis files")
        given = self._arguments.optional()
        form = "trn" if given is None else given
        sources.append(Source(os.fsdecode(name.encode("latin-1")), form, name))
        if form != sources[0].format:
            raise UsageError("Hyp formats must all be identical\n")

    def _output(self) -> None:
        # the original crashes where there is nothing left
        self._options.output = self._arguments.file(
            "Not enough Output arguments", "Req'd Output Filename"
        )

    def _method(self) -> None:
        method = self._arguments.mandatory("Not enough Method arguments")
        if method not in METHODS:
            raise UsageError("Illegal method")
        self._options.method = method

    def _alpha(self) -> None:
        self._options.alpha = _decimal(self._arguments.mandatory("Not enough alpha arguments"))

    def _null_confidence(self) -> None:
        self._options.null_confidence = _decimal(
            self._arguments.mandatory("Not enough null_conf arguments")
        )

    def _feedback(self) -> None:
        level = self._arguments.mandatory("Not enough Feedback arguments")
        self._options.feedback = leading_number(level)

    def _ignore(self, missing: str) -> None:
        self._arguments.mandatory(missing)


def _decimal(text: str) -> float:
    """C's `atof`."""
    return number(text.encode("latin-1"))
