"""sc_stats' command line: scanned as the original scans it, rejected in the original's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.cli import nist_arguments
from scoring.cli import nist_arguments as rules
from scoring.cli.drop_in import usage
from scoring.nist.report.comparison.registry import GRAPHS, REPORTS, TESTS

STANDARD_OUTPUT = "-"
STANDARD_TESTS = ("mcn", "mapsswe", "sign", "wilc")
USAGE = usage("sc_stats")


class ScStatsUsageError(nist_arguments.UsageError):
    """A command line sc_stats rejects."""

    usage = USAGE
    lead = "sc_stats: "


class ScStatsOptions:
    """The values of sc_stats' options; texts are byte text, `ignored` are behind a stray word."""

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


def _works(line: rules.Arguments) -> None:
    line.options.tests, line.options.graphs = set(STANDARD_TESTS), {"range"}
    line.options.unified = True


def _files(line: rules.Arguments) -> None:
    if not line.words("Not enough alignment files"):
        raise ScStatsUsageError("Req'd alignment File name")


_TESTS, _REPORTS, _GRAPHS = (
    {name: (name,) for name in names} for names in (TESTS, REPORTS, GRAPHS)
)
RULES: dict[str, rules.Rule] = {
    "-p": rules.switch("piped"),
    "-t": rules.toggled(
        "tests", _TESTS, "Not enough Test arguments", "Unknown test", {"std4": STANDARD_TESTS}
    ),
    "-r": rules.toggled(
        "reports", _REPORTS, "Not enough Report arguments", "Unknown report", {"none": ()}
    ),
    "-g": rules.toggled("graphs", _GRAPHS, "Not enough Graph arguments", "Unknown graph option"),
    "-v": rules.switch("verbose"),
    "-u": rules.switch("unified"),
    "-w": _works,
    "-n": rules.value("name", "Test output name not specified"),
    "-O": rules.value("directory", "Output directory not specified"),
    "-e": rules.value("description", "Test ensemble desc. not specified"),
    "-l": rules.value("line_width", "Not enough Line Width arguments", rules.leading_number),
    "-f": rules.value("feedback", "Not enough Feedback arguments", rules.leading_number),
    "-a": _files,
}


def parse(arguments: Sequence[str], warn: Callable[[str], None]) -> ScStatsOptions:
    """Scan a command line; `warn` gets what the original says of unknown names."""
    options = ScStatsOptions()
    texts = [rules.argument_text(argument) for argument in arguments]
    if not texts:
        raise ScStatsUsageError("Arguments reguired")
    options.ignored = rules.Arguments(texts, ScStatsUsageError, options, warn).walk(RULES)
    return options
