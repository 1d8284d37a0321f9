"""sc_stats' command line: scanned as the original scans it, refused with the original's words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Sequence

from scoring.cli.sc_stats_usage import USAGE
from scoring.errors import OriginalError
from scoring.report.comparison.registry import GRAPHS, REPORTS, TESTS
from scoring.transcripts.characters import byte_text

STANDARD_OUTPUT = "-"
STANDARD_TESTS = ("mcn", "mapsswe", "sign", "wilc")
_LEADING_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")


class UsageError(OriginalError):
    """A command line sc_stats refuses; the text has the usage in front."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"{USAGE}sc_stats: {self.problem}\n\n"


class IllegalArgumentError(UsageError):
    """An argument that is no option; the original names it on standard output."""

    def __init__(self, argument: str) -> None:
        super().__init__(argument)
        self.output = f"Illegal argument: {argument}\n"

    def __str__(self) -> str:
        return USAGE


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
        self._arguments = arguments
        self._warn = warn
        self._at = 0
        self._options = Options()

    def scan(self) -> Options:
        if not self._arguments:
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
        while self._at < len(self._arguments) and self._arguments[self._at].startswith("-"):
            argument = self._arguments[self._at]
            self._at += 1
            handler = handlers.get(argument)
            if handler is None:
                raise IllegalArgumentError(argument)
            handler()
        self._options.ignored = list(self._arguments[self._at :])
        return self._options

    def _set(self, attribute: str) -> None:
        setattr(self._options, attribute, True)

    def _mandatory(self, missing: str) -> str:
        if self._at >= len(self._arguments):
            raise UsageError(missing)
        self._at += 1
        return self._arguments[self._at - 1]

    def _text(self, attribute: str, missing: str) -> None:
        setattr(self._options, attribute, self._mandatory(missing))

    def _number(self, attribute: str, missing: str) -> None:
        """C's `atoi`."""
        found = _LEADING_NUMBER.match(self._mandatory(missing))
        setattr(self._options, attribute, int(found[1]) if found else 0)

    def _names(self, missing: str) -> list[str]:
        """The arguments up to the next option."""
        if self._at >= len(self._arguments):
            raise UsageError(missing)
        begin = self._at
        while self._at < len(self._arguments) and not self._arguments[self._at].startswith("-"):
            self._at += 1
        return list(self._arguments[begin : self._at])

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
