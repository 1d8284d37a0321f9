"""Writer of a system's reports: it selects the files, prints messages and writes the contents.

Names of files are byte text: a `str` with one character per byte (`scoring.alignment.system`).
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.model.errors import OriginalError
from scoring.model.outputs import (
    OutputError,
    UnopenableError,
    refuse_input,
    write_file,
    write_to_stream,
)
from scoring.nist.report.registry import (
    ALL,
    CONFIDENCE_REPORTS,
    REPORTS,
    ConfidenceSpec,
    ReportPart,
    ReportSettings,
    ReportSpec,
)
from scoring.nist.report.tables import LINE_WIDTH, TableDrawer
from scoring.nist.transcripts.characters import to_bytes
from scoring.nist.transcripts.input_files import remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from scoring.alignment.system import System


class Wanted(NamedTuple):
    """The reports to write, with their settings."""

    # First names of `REPORTS`; with `stdout` among them they go there
    reports: Collection[str] = ()
    confidence_reports: Collection[str] = ()  # names of `CONFIDENCE_REPORTS`
    line_width: int = LINE_WIDTH  # of the lines of `pra` and `prf`, in bytes
    feedback: int = 0  # from 1 on it is said what is written
    # Files that the run reads, which no report may replace; `-` is standard input
    inputs: Sequence[str | None] = ()
    plots: str | None = None  # format of the pictures of confidence reports; None: no pictures


class ReportWriter:
    """Writes the selected reports of each system."""

    def __init__(self, wanted: Wanted, output: BinaryIO, complain: Callable[[str], None]) -> None:
        self._wanted = wanted
        self._output = output
        self._complain = complain
        self._drawer = TableDrawer()
        self._written: set[str] = set()
        self.complete = True  # false once a file of option `-C` could not be opened

    def write(self, system: System, root: str) -> None:
        """Write the reports of a system to files whose names begin with `root` (byte text)."""
        for report in REPORTS:
            if report.names[0] in self._wanted.reports:
                self._report(system, report, root)
        for confidence_report in CONFIDENCE_REPORTS:
            if confidence_report.name in self._wanted.confidence_reports:
                self._confidence_report(system, confidence_report, root)

    def _say(self, text: str) -> None:
        if self._wanted.feedback >= 1:
            self._output.write(to_bytes(text))

    def _report(self, system: System, report: ReportSpec, root: str) -> None:
        skipped = report.skipped(system)
        if skipped is not None:
            self._output.write(to_bytes(skipped))
            return
        settings = ReportSettings(self._drawer, self._complain, self._wanted.line_width)
        for part in report.parts(system, settings):
            path = root + part.suffix
            try:
                if "stdout" not in self._wanted.reports and self._write(path, part.content):
                    self._say(f"{part.announcement}{path}'\n")
                    continue
                if report.announced_on_stdout:
                    self._say(f"{part.announcement}stdout'\n")
                write_to_stream(self._output, part.content)
            except OriginalError as problem:
                from scoring.model.special_errors import SubsetLabelError

                is_of_label = isinstance(problem, SubsetLabelError)
                if is_of_label and "stdout" not in self._wanted.reports:
                    self._say(f"{part.announcement}{path}'\n")
                    self._write(path, iter(()))  # what sclite leaves behind
                raise

    def _write(self, path: str, content: Iterator[bytes], *, fall_back: bool = True) -> bool:
        """Write a file; return False if its path cannot be opened.

        With `fall_back`, a warning says that the report goes to standard output instead.
        """
        if path in self._written:
            self._complain(remark(path, "overwritten by the report of another system"))
        refuse_input(path, self._wanted.inputs)
        try:
            write_file(path, content)
        except UnopenableError as problem:
            if fall_back:
                self._complain(remark(path, f"{problem}, the report goes to standard output"))
            return False
        self._written.add(path)
        return True

    def _confidence_report(self, system: System, report: ConfidenceSpec, root: str) -> None:
        if self._wanted.feedback >= 1:
            from scoring.nist.report.entropy import has_confidences

            # Of no utterances the original draws empty histograms, and crashes over the DET curve.
            is_drawn = report.name != "det" and not system.utterances.attributes
            if not is_drawn and not has_confidences(system):
                self._say(report.skipped)
                return
            self._say(report.announcement(root))
        contents = report.contents(system, root, self._complain)
        for content, problem in zip(contents, report.unwritable(root), strict=True):
            if not self._write(root + content.suffix, iter([content.content]), fall_back=False):
                self._complain(problem)
                self.complete = False
                return
        picture = self._wanted.plots
        if picture is None:
            return
        from scoring.nist.report.plots import draw

        [data] = [content.content for content in contents if not content.suffix.endswith(".plt")]
        path = f"{root}.{report.name}.{picture}"
        picture_data = draw(report.name, data, root, picture)
        if self._write(path, iter([picture_data]), fall_back=False):
            self._say(f"    Writing plot to '{path}'\n")
        else:
            self._complain(remark(path, "cannot be opened, the plot is skipped"))
            self.complete = False


def reports_named(names: Iterable[str]) -> set[str]:
    """Return the reports with these names; `all` means the reports of sclite's manual.

    >>> sorted(reports_named(["pra", "sum"]))
    ['pralign', 'sum']
    """
    names_of: dict[str, tuple[str, ...]] = {"all": ALL}
    names_of.update((name, spec.names[:1]) for spec in REPORTS for name in spec.names)
    chosen: set[str] = set()
    for name in names:
        if name not in names_of:
            from formats.schema.errors import close_names

            near = " or ".join(close_names(name, list(names_of)))
            meant = f"; did you mean {near}?" if near else ""
            raise ValueError(f"expected reports of {', '.join(names_of)}, found {name!r}{meant}")
        chosen.update(names_of[name])
    return chosen


def parts_of(
    system: System, reports: Collection[str], settings: ReportSettings
) -> Iterator[ReportPart]:
    """Yield the files of reports in sclite's order.

    Read the content of each file before requesting the next file.
    """
    for report in REPORTS:
        if report.names[0] in reports:
            skipped = report.skipped(system)
            if skipped is None:
                yield from report.parts(system, settings)
            else:
                settings.warn(skipped)


def write_parts(
    parts: Iterable[ReportPart], root: str, inputs: Sequence[str | None] = ()
) -> list[str]:
    """Write reports to files whose names begin with `root` (byte text); return the file names."""
    written: list[str] = []
    for part in parts:
        # a speaker may be called as no file can be
        path = root + part.suffix.replace("/", "_")
        if path in written:
            raise OutputError(f"{path}: two reports would be called so")
        refuse_input(path, inputs)
        try:
            write_file(path, part.content)
        except UnopenableError as problem:
            raise OutputError(f"{path}: cannot be written: {problem.reason}") from None
        written.append(path)
    return written
