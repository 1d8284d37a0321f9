"""The registry of reports, in the order in which sclite writes them; `utt` is our addition.

The module of a report is imported when the report is first written, because a run usually writes
few reports.
"""

from __future__ import annotations

from formats.schema import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from scoring.alignment.system import System
    from scoring.nist.report.confidence import Contents
    from scoring.nist.report.tables import TableDrawer


class ReportSettings(NamedTuple):
    """The settings that a report may need besides the systems."""

    drawer: TableDrawer  # one for a whole run of a command: tables depend on the tables before them
    # Is given what the original says on the error stream, newline included
    warn: Callable[[str], None]
    line_width: int  # width of the lines of `pra`, `prf` and `prn`


class ReportPart(NamedTuple):
    """A file of a report."""

    suffix: str  # what is added to the root of the output names
    # What sclite says when it writes the file, up to the file's name; a quote and a newline follow
    # the name
    announcement: str
    # The bytes of the file, made while they are taken. Take all of one part before the next: tables
    # are drawn in that order
    content: Iterator[bytes]


class ReportSpec(NamedTuple):
    """A report of option `-o`."""

    names: tuple[str, ...]  # the words that select it
    # As of its `ReportPart`; a report of every speaker has the speaker in place of `{}`
    suffix: str
    announcement: str
    # The function that makes it, `MODULE:NAME` of this room: it gives the bytes, or for a report of
    # every speaker pairs of a name and the bytes
    source: str
    takes: tuple[str, ...] = ()  # the settings that the function takes after the system
    # The announcement is made, naming `stdout`, even if that is where the report goes
    announced_on_stdout: bool = False
    # What sclite prints, whatever the feedback level, instead of the report of a system that lacks
    # what the report needs; None if the report can be made
    skipped: Callable[[System], str | None] = lambda _: None

    def parts(self, system: System, settings: ReportSettings) -> Iterator[ReportPart]:
        """Yield the files of the report on a system."""
        content = made(self.source, system, settings, self.takes)
        if "{}" not in self.suffix:
            yield ReportPart(self.suffix, self.announcement, content)
            return
        for speaker, part in content:
            suffix, announcement = (
                text.replace("{}", speaker) for text in (self.suffix, self.announcement)
            )
            yield ReportPart(suffix, announcement, part)


def made(source: str, subject: object, settings: NamedTuple, takes: Iterable[str]) -> Any:
    """Import the function `MODULE:NAME` in `source`; call it with the settings named in `takes`."""
    module, _, name = source.partition(":")
    make = getattr(__import__(f"scoring.nist.report.{module}", fromlist=(name,)), name)
    return make(subject, *(getattr(settings, setting) for setting in takes))


class ReportRoot(NamedTuple):
    """The settings of a report of option `-C`: the start of file names, a warning function."""

    root: str
    warn: Callable[[str], None]


class ConfidenceSpec(NamedTuple):
    """A report of option `-C`, which has two files.

    In its messages, `{}` stands for the file names without their suffix.
    """

    name: str
    # Its name in sclite's message where sclite skips it: where an utterance lacks
    # confidences, unless sclite is to be silent: then it writes the files all the same
    title: str
    announced: str  # what it says when it writes the files
    # What it says on the error stream if the first or the second file cannot be opened
    refusals: tuple[str, str]
    # The function that makes the files, in the order in which they are opened, and what it takes of
    # `ReportRoot`, as of `ReportSpec`
    source: str
    takes: tuple[str, ...] = ("root", "warn")

    @property
    def skipped(self) -> str:
        """The message that the report was skipped."""
        return f"    Skipping {self.title}, no confidence scores supplied.\n"

    def announcement(self, root: str) -> str:
        """Return sclite's message that the files whose names begin with `root` are written."""
        return f"    Writing {self.announced.replace('{}', root)}'\n"

    def unwritable(self, root: str) -> tuple[str, str]:
        """Return the messages for a first file, and for a second file, that cannot be opened."""
        first, second = (
            f"Error: {message.replace('{}', root)}' for writing." for message in self.refusals
        )
        return first, second

    def contents(
        self, system: System, root: str, warn: Callable[[str], None]
    ) -> tuple[Contents, Contents]:
        """Return the two files of the report for a system."""
        files: tuple[Contents, Contents] = made(
            self.source, system, ReportRoot(root, warn), self.takes
        )
        return files


def _without_weights(system: System) -> str | None:
    if system.weights_name is not None:
        return None
    return "    Skipping WWS Report, no word weights supplied.\n"


_SUMMARY = ("drawer", "warn")
_SCORING, _ALIGNMENTS = "    Writing scoring report to '", "    Writing string alignments to '"
REPORTS = (
    ReportSpec(("sum",), ".sys", _SCORING, "summary:percentages", _SUMMARY),
    ReportSpec(("wws",), ".wws", _SCORING, "summary:weighted", _SUMMARY, skipped=_without_weights),
    ReportSpec(("rsum",), ".raw", "    Writing raw scoring report to '", "summary:raw", _SUMMARY),
    ReportSpec(
        ("snt",),
        ".snt.{}",
        "    Writing sentence scoring report for speaker '{}' to '",
        "sentences:by_speaker",
    ),
    ReportSpec(
        ("spk",),
        ".spk.{}",
        "    Writing speaker scoring report for '{}' to '",
        "detail:by_speaker",
    ),
    ReportSpec(("dtl",), ".dtl", "    Writing overall detailed scoring report '", "detail:overall"),
    ReportSpec(
        ("lur",), ".lur", "    Writing LUR scoring report to '", "labelled:render", ("drawer",)
    ),
    ReportSpec(("pralign", "pra"), ".pra", _ALIGNMENTS, "alignments:pra", ("line_width",), True),
    ReportSpec(("prf",), ".prf", _ALIGNMENTS, "alignments:prf", ("line_width",), True),
    ReportSpec(("sgml",), ".sgml", "    Writing SGML string alignments to '", "sgml:render"),
    ReportSpec(
        ("nl.sgml",),
        ".nl.sgml",
        "    Writing Newline Separated SGML string alignments to '",
        "sgml:render_lines",
    ),
    ReportSpec(("utt",), ".utt", "    Writing table of utterances to '", "utterances:table"),
)
"""The reports of option `-o`, in the order in which they are written."""

ALL = ("pralign", "sum", "rsum")
"""The reports that `-o all` selects."""


# Of both `bhist` and `hist`: sclite names the files of the former in either case.
_BINNED = (
    "Writing Binned Histogram file '{}.bhist.dat1",
    "Unable to open Binned HistogramGNUPLOT file '{}.bhist.plt",
)
CONFIDENCE_REPORTS = (
    ConfidenceSpec(
        "det",
        "DET Curve",
        "DET Curve to '{}.det.[plt,dat]",
        (
            "Unable to open DET Curve GNUPLOT file '{}.det.plt",
            "Unable to open DET Curve data file '{}.det.dat.00",
        ),
        "confidence:det",
        ("root",),
    ),
    ConfidenceSpec(
        "bhist",
        "Binned Histogram",
        "Binned Histogram '{}.bhist.[plt,dat1]",
        _BINNED,
        "confidence:binned_histogram",
    ),
    ConfidenceSpec(
        "hist",
        "Confidence Histogram",
        "Confidence Histogram '{}.hist.[plt,dat]",
        _BINNED,
        "confidence:histogram",
    ),
    ConfidenceSpec(
        "sbhist",
        "Scaled Binned Histogram",
        "Scaled Binned Histogram '{}.sbhist.[plt,dat]",
        (
            "Writing Scaled Binned Histogram file '{}.sbhist.dat",
            "Unable to open Scaled Binned HistogramGNUPLOT file '{}.sbhist.plt",
        ),
        "confidence:scaled_histogram",
        ("root",),
    ),
)
"""The reports of option `-C`, in the order in which they are written."""
