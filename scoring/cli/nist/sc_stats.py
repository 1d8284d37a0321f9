"""The `sc_stats` command: NIST's comparison of several systems, byte by byte.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from formats.console.process import run as run_command
from scoring.alignment import exit_on_signals
from scoring.cli.nist import nist_arguments as rules
from scoring.cli.nist.drop_in import complain, program
from scoring.model import outputs
from scoring.model.errors import OriginalError, ScoringError
from scoring.model.special_errors import SubsetLabelError
from scoring.nist.report.comparison import registry, unified
from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import FORM_FEED
from scoring.nist.report.comparison.verdicts import Compared
from scoring.nist.report.tables import TableDrawer
from scoring.nist.sgml.errors import ExchangeError
from scoring.nist.sgml.reader import read_systems
from scoring.nist.transcripts.characters import standard_input, to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

BANNER = "sc_stats: 1.3\n"
_CLOSING = "Error: load_SCORES_sgml Failed\n"
# How a value that is not a number looks, printed as it is or rounded first.
_NOT_A_NUMBER = (b"-nan", b"-2147483.648")
STANDARD_TESTS = ("mcn", "mapsswe", "sign", "wilc")


class ScStatsUsageError(rules.UsageError):
    """A command line that sc_stats rejects."""

    program = "sc_stats"
    lead = "sc_stats: "


class ScStatsOptions:
    """The values of sc_stats' options, with texts as byte text.

    `ignored` has the arguments after a stray word, which NIST's sc_stats ignores.
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
        """True if reports are written to standard output."""
        return self.name == "-"

    @property
    def root(self) -> str:
        """The path without the suffix that each report adds."""
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
    {name: (name,) for name in names}
    for names in (registry.TESTS, registry.REPORTS, registry.GRAPHS)
)
RULES: dict[str, rules.ArgumentRule] = {
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
    """Parse a command line; call `warn` for each unknown name, as NIST's sc_stats does."""
    options = ScStatsOptions()
    texts = [rules.argument_text(argument) for argument in arguments]
    if not texts:
        raise ScStatsUsageError("Arguments reguired")
    options.ignored = rules.Arguments(texts, ScStatsUsageError, options, warn).walk(RULES)
    return options


@program("sc_stats")
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Compare systems that sclite has aligned, which are read from standard input."""
    try:
        _Run(parse(arguments, complain), output).everything()
    except ExchangeError as error:
        raise OriginalError(error.text(_CLOSING)) from None


# Entry point of the installed command.
run = partial(run_command, main, exit_on_signals=exit_on_signals)


class _Run:
    """A run of the command: tests, unified matrix, graphs, reports."""

    def __init__(self, options: ScStatsOptions, output: BinaryIO) -> None:
        self._options = options
        self._output = output
        self._settings = registry.ReportSettings(TableDrawer(), complain, options.line_width)
        self._ensemble = Ensemble([], options.description)
        self._written: set[str] = set()

    def everything(self) -> None:
        """Read the systems, compare them, and write the selected reports."""
        options = self._options
        if options.ignored:
            complain(f"sc_stats: warning: arguments from {options.ignored[0]!r} on are ignored\n")
        self._say(BANNER)
        self._read()
        if options.tests or options.graphs or options.reports:
            self._say("Beginning Multi-System comparisons and reports\n")
            tests = self._tests()
            if options.unified:
                self._unified(tests)
            self._graphs()
            for name, report in registry.REPORTS.items():
                if name in options.reports:
                    content = report.render(self._ensemble, self._settings)
                    self._report(report.suffix, report.announcement, content)
        self._say("\nSuccessful Completion\n")

    def _read(self) -> None:
        def print_always(text: str) -> None:
            self._output.write(to_bytes(text))

        systems = read_systems(standard_input(), print_always, complain)
        self._ensemble = Ensemble(systems, self._options.description)
        if not systems:
            if self._options.reports.intersection(registry.NEED_A_SYSTEM):
                raise ScoringError("standard input: expected alignments, found no system")
            complain("sc_stats: warning: standard input: found no system\n")
        self._warn_of_other_speakers()

    def _warn_of_other_speakers(self) -> None:
        """Warn if systems have different speakers: most comparisons pair speakers by position."""
        systems = self._ensemble.systems
        for system in systems[1:]:
            if list(system.speakers) != list(systems[0].speakers):
                complain(
                    f"sc_stats: warning: system {system.title} has other speakers, or others "
                    f"first, than system {systems[0].title}, so comparisons of speakers pair them "
                    "by position\n"
                )

    def _say(self, text: str) -> None:
        if self._options.feedback >= 1:
            self._output.write(to_bytes(text))

    def _tests(self) -> list[unified.Named]:
        done: list[unified.Named] = []
        for name, spec in registry.PAIRED_TESTS.items():
            if name in self._options.tests:
                self._say(f"    Performing the {spec.description} Test\n")
                # the original opens the file first, and complains if it cannot
                warnings: list[str] = []
                compared = spec.compare(
                    self._ensemble, self._settings._replace(warn=warnings.append)
                )
                done.append(unified.Named(spec.abbreviation, spec.description, compared))
                self._test_report(name, spec, compared)
                complain("".join(warnings))
            if name == "mapsswe" and registry.MARGINS in self._options.tests:
                self._margins()
        return done

    def _margins(self) -> None:
        from scoring.nist.report.comparison import matched_pairs

        text = matched_pairs.margins(self._ensemble, complain)
        outputs.write_to_stream(self._output, [to_bytes(text)])

    def _test_report(self, name: str, spec: registry.TestSpec, compared: Compared) -> None:
        options = self._options
        if options.unified and not options.verbose:
            return
        analysed = options.verbose and (spec.analysed_when_unified or not options.unified)
        text = spec.between_analyses.join(compared.analyses()) if analysed else ""
        matrix = None if options.unified else compared.matrix
        if matrix is not None:
            text += (FORM_FEED if spec.paged and options.verbose else "") + matrix()
        self._write(
            f".stats.{name}",
            f"-.{name}",
            [to_bytes(text)],
            paged=matrix is not None or (analysed and compared.matrix is None),
            announced_on_stdout=spec.announced_on_stdout,
        )

    def _write(
        self,
        suffix: str,
        stdout_name: str,
        content: Sequence[bytes],
        *,
        paged: bool,
        announced_on_stdout: bool = False,
    ) -> None:
        """Write a report to its file, or to standard output.

        On standard output, a page break follows if `paged`. Also print where the output is.
        """
        options = self._options
        path = options.root + suffix
        if options.on_standard_output:
            self._say(f"        Output written to '{stdout_name}'\n")
        elif not self._save(path, content):
            self._say(f"        Output written to '{path}'\n")
            return
        else:
            complain(f"Warning: Open of {path} for write failed.  Using stdout instead.\n")
            if announced_on_stdout:
                self._say(f"        Output written to '{path}'\n")
        self._warn_of_nan("standard output", content)
        outputs.write_to_stream(self._output, [*content, to_bytes(FORM_FEED if paged else "")])

    def _save(self, path: str, content: Iterable[bytes]) -> str:
        """Write a file; return the reason if it cannot be opened, otherwise an empty text."""
        parts = list(content)
        outputs.refuse_input(path, ["-"])
        try:
            outputs.write_file(path, parts)
        except outputs.UnopenableError as problem:
            return str(problem) or "cannot be opened"
        if path in self._written:
            complain(f"sc_stats: warning: {path}: overwritten by a later report of this run\n")
        self._written.add(path)
        self._warn_of_nan(path, parts)
        return ""

    def _warn_of_nan(self, place: str, content: Iterable[bytes]) -> None:
        for mark in _NOT_A_NUMBER:
            if any(mark in part for part in content):
                complain(
                    f"sc_stats: warning: {place}: a value that cannot be computed is shown as "
                    f"{mark.decode()}\n"
                )

    def _unified(self, tests: Sequence[unified.Named]) -> None:
        options, ensemble = self._options, self._ensemble
        self._say("    Printing Unified Statistical Test Reports\n")
        content = list(unified.matrix(ensemble, tests, self._settings.drawer))
        self._write(".stats.unified", "-.unified", content, paged=False)
        for number, title in enumerate(ensemble.titles):
            path = unified.summary_name(title, options.directory)
            summary = list(unified.summary(ensemble, tests, number))
            if self._save(path, summary):
                complain(f"Warning: Unable to open output file {path}, using stdout\n")
                outputs.write_to_stream(self._output, [*summary, to_bytes(FORM_FEED)])

    def _graphs(self) -> None:
        from scoring.nist.report.comparison import ranges

        options = self._options
        if "range" in options.graphs:
            self._say("    Printing Range Graphs\n")
            self._write(".range", "-", list(ranges.text(self._ensemble)), paged=True)
        for name, version in (("grange", ""), ("grange2", " V2")):
            if name in options.graphs:
                self._say(f"    Printing GNUPLOT Range Graphs{version}\n")
                self._plots(name)
        if "det" in options.graphs:
            self._curves()

    def _plots(self, name: str) -> None:
        from scoring.nist.report.comparison import ranges

        options = self._options
        root = "STATS" if options.on_standard_output else f"{options.root}.{name}"
        for plot in ranges.plots(self._ensemble, root, columns=name == "grange2"):
            for file in plot.files:
                path = plot.base + file.suffix
                if self._save(path, [file.content]):
                    kind = "GNUPLOT file" if file.suffix == ".plt" else "GNUPLOT data file"
                    raise OriginalError(f"Error: unable to open {kind} {path}\n")
            self._say(f"        Output written to '{plot.base}.*'\n")

    def _curves(self) -> None:
        from scoring.nist.report.confidence import det_of_systems
        from scoring.nist.report.entropy import has_confidences

        options, systems = self._options, self._ensemble.systems
        root = options.root
        if options.on_standard_output:
            complain("Warning: DET plot can not go to STDOUT\n")
            return
        if options.feedback >= 1:
            if not systems or (len(systems[0]) and not has_confidences(systems[0])):
                self._say("    Skipping DET Curve, no confidence scores supplied.\n")
                return
            self._say(f"    Writing DET Curve to '{root}.det.[plt,dat]'\n")
        titles, description = self._ensemble.titles, self._ensemble.description
        for file in det_of_systems(systems, titles, description, root):
            path = root + file.suffix
            if self._save(path, [file.content]):
                kind = "GNUPLOT" if path.endswith(".plt") else "data"
                raise OriginalError(
                    f"Error: Unable to open DET Curve {kind} file '{path}' for writing."
                )

    def _report(self, suffix: str, announcement: str, content: Iterable[bytes]) -> None:
        path = self._options.root + suffix
        try:
            parts = list(content)
        except SubsetLabelError:
            if not self._options.on_standard_output:
                self._say(f"{announcement}{path}'\n")
                self._save(path, [])  # what the original leaves behind
            raise
        if not self._options.on_standard_output:
            problem = self._save(path, parts)
            if not problem:
                self._say(f"{announcement}{path}'\n")
                return
            remark = f"{path}: {problem}, the report goes to standard output"
            complain(f"sc_stats: warning: {remark}\n")
        self._warn_of_nan("standard output", parts)
        outputs.write_to_stream(self._output, parts)


if __name__ == "__main__":
    run()
