"""sc_stats' command line: scanned as the original scans it, refused with the original's words."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Sequence

from scoring.cli import nist_arguments
from scoring.cli.nist_arguments import Arguments, leading_number
from scoring.cli.sc_stats_usage import USAGE
from scoring.nist.report.comparison.registry import GRAPHS, REPORTS, TESTS
from scoring.nist.transcripts.characters import byte_text

STANDARD_OUTPUT = "-"
STANDARD_TESTS = ("mcn", "mapsswe", "sign", "wilc")


class UsageError(nist_arguments.UsageError):
    """A command line sc_stats refuses."""

    usage = USAGE
    lead = "sc_stats: "


class Options:
    """The values of sc_stats' options after scanning; texts are byte text.

    Attributes
    ----------
    tests, reports, graphs
        Selected names.
    name
        Root of the names of files, `-` for standard output.
    ignored
        Arguments behind a stray word, which the original passes over in silence.
    """

    def __init__(self) -> None:
        self.piped = False
        self.tests: set[str] = set()
        self.reports: set[str] = set()
        self.graphs: set[str] = set()
        self.verbose = False
        self.unified = False
        self.name = "Ensemble"
        self.directory: str | None = None
        self.description = ""
        self.line_width = 100
        self.feedback = 1
        self.ignored: list[str] = []

    @property
    def on_standard_output(self) -> bool:
        """Whether reports go to standard output."""
        return self.name == STANDARD_OUTPUT

    @property
    def root(self) -> str:
        """The path to which suffixes are added."""
        if self.directory is None or self.on_standard_output:
            return self.name
        return f"{self.directory}/{self.name}"


def parse(arguments: Sequence[str], warn: Callable[[str], None]) -> Options:
    """Scan a command line.

    Parameters
    ----------
    warn
        Is given what the original says of names it does not know.

    Raises
    ------
    UsageError
        With the text of the original.
    """
    texts = [byte_text(os.fsencode(argument)) for argument in arguments]
    return _Scanner(texts, warn).scan()


class _Scanner:
    """Walks over the arguments from left to right."""

    def __init__(self, arguments: Sequence[str], warn: Callable[[str], None]) -> None:
        self._arguments = Arguments(arguments, UsageError)
        self._warn = warn
        self._options = Options()

    def scan(self) -> Options:
        if not len(self._arguments):
            raise UsageError("Arguments reguired")
        handlers: dict[str, Callable[[], None]] = {
            "-p": lambda: self._set("piped"),
            "-t": self._tests,
            "-r": self._reports,
            "-g": self._graphs,
            "-v": lambda: self._set("verbose"),
            "-u": lambda: self._set("unified"),
            "-w": self._works,
            "-n": lambda: self._text("name", "Test output name not specified"),
            "-O": lambda: self._text("directory", "Output directory not specified"),
            "-e": lambda: self._text("description", "Test ensemble desc. not specified"),
            "-l": lambda: self._number("line_width", "Not enough Line Width arguments"),
            "-f": lambda: self._number("feedback", "Not enough Feedback arguments"),
            "-a": self._files,
        }
        self._options.ignored = self._arguments.walk(handlers)
        return self._options

    def _set(self, attribute: str) -> None:
        setattr(self._options, attribute, True)

    def _text(self, attribute: str, missing: str) -> None:
        setattr(self._options, attribute, self._arguments.mandatory(missing))

    def _number(self, attribute: str, missing: str) -> None:
        """C's `atoi`."""
        setattr(self._options, attribute, leading_number(self._arguments.mandatory(missing)))

    def _names(self, missing: str) -> list[str]:
        """The arguments up to the next option."""
        if not len(self._arguments):
            raise UsageError(missing)
        found: list[str] = []
        while (word := self._arguments.optional()) is not None:
            found.append(word)
        return found

    def _toggle(self, selected: set[str], name: str, known: Container[str], kind: str) -> None:
        if name in known:
            selected ^= {name}
        else:
            self._warn(f"Unknown {kind} '{name}'\n")

    def _tests(self) -> None:
        tests = self._options.tests
        for name in self._names("Not enough Test arguments"):
            if name == "std4":
                tests.clear()
                tests.update(STANDARD_TESTS)
            else:
                self._toggle(tests, name, TESTS, "test")

    def _reports(self) -> None:
        reports = self._options.reports
        for name in self._names("Not enough Report arguments"):
            if name == "none":
                reports.clear()
            else:
                self._toggle(reports, name, REPORTS, "report")

    def _graphs(self) -> None:
        for name in self._names("Not enough Graph arguments"):
            self._toggle(self._options.graphs, name, GRAPHS, "graph option")

    def _works(self) -> None:
        self._options.tests = set(STANDARD_TESTS)
        self._options.graphs = {"range"}
        self._options.unified = True

    def _files(self) -> None:
        if not self._names("Not enough alignment files"):
            raise UsageError("Req'd alignment File name")
