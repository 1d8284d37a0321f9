"""The reports of sclite in the order in which it writes them, and what it says of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from scoring.report import confidence
from scoring.report.confidence import Contents
from scoring.report.tables import TableDrawer
from scoring.system import System
from scoring.transcripts.files import Warn

# A speaker (None for a report about all of them), and the bytes of the report.
Part: TypeAlias = tuple[str | None, Iterator[bytes]]


class Setting(NamedTuple):
    """What a report may need beside the system.

    Attributes
    ----------
    drawer
        Draws tables; the same one for the whole run, since it remembers earlier tables.
    line_width
        Option `-l`.
    """

    drawer: TableDrawer
    line_width: int
    warn: Warn


class Report(NamedTuple):
    """One name of option `-o`.

    Attributes
    ----------
    suffix
        Added to the output root; a speaker's name follows where there is one report a speaker.
    sentence
        What is said when the report goes to a file, with places for `path` and `speaker`.
    said_on_output
        The sentence is also said, naming `stdout`, when the report goes there.
    parts
        Renders the report.
    """

    name: str
    suffix: str
    sentence: str
    said_on_output: bool
    parts: Callable[[System, Setting], Iterator[Part]]


def _sum(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import summary

    yield None, summary.percentages(system, setting.drawer, setting.warn)


def _wws(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import summary

    yield None, summary.weighted(system, setting.drawer, setting.warn)


def _rsum(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import summary

    yield None, summary.raw(system, setting.drawer, setting.warn)


def _snt(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import sentences

    yield from sentences.by_speaker(system)


def _spk(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import detail

    yield from detail.by_speaker(system)


def _dtl(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import detail

    yield None, detail.overall(system)


def _lur(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import labelled

    yield None, labelled.render(system, setting.drawer)


def _pra(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import alignments

    yield None, alignments.pra(system, setting.line_width)


def _prf(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import alignments

    yield None, alignments.prf(system, setting.line_width)


def _sgml(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import sgml

    yield None, sgml.render(system)


def _nl_sgml(system: System, setting: Setting) -> Iterator[Part]:
    from scoring.report import sgml

    yield None, sgml.render(system, newline_separated=True)


SCORING = "    Writing scoring report to '{path}'\n"
STRINGS = "    Writing string alignments to '{path}'\n"
REPORTS = (
    Report("sum", ".sys", SCORING, False, _sum),
    Report("wws", ".wws", SCORING, False, _wws),
    Report("rsum", ".raw", "    Writing raw scoring report to '{path}'\n", False, _rsum),
    Report(
        "snt",
        ".snt.",
        "    Writing sentence scoring report for speaker '{speaker}' to '{path}'\n",
        False,
        _snt,
    ),
    Report(
        "spk",
        ".spk.",
        "    Writing speaker scoring report for '{speaker}' to '{path}'\n",
        False,
        _spk,
    ),
    Report("dtl", ".dtl", "    Writing overall detailed scoring report '{path}'\n", False, _dtl),
    Report("lur", ".lur", "    Writing LUR scoring report to '{path}'\n", False, _lur),
    Report("pra", ".pra", STRINGS, True, _pra),
    Report("prf", ".prf", STRINGS, True, _prf),
    Report("sgml", ".sgml", "    Writing SGML string alignments to '{path}'\n", False, _sgml),
    Report(
        "nl.sgml",
        ".nl.sgml",
        "    Writing Newline Separated SGML string alignments to '{path}'\n",
        False,
        _nl_sgml,
    ),
)


class ConfidenceReport(NamedTuple):
    """One name of option `-C`.

    Attributes
    ----------
    title
        Named when the report is skipped.
    sentence
        Said when it is written, with a place for the output `root`.
    unopenable_data, unopenable_script
        Texts for files that cannot be opened, with a place for `root`; the original names the
        same file in some of them.
    """

    name: str
    title: str
    sentence: str
    unopenable_data: str
    unopenable_script: str
    render: Callable[[System, str, Warn], tuple[Contents, Contents]]

    def unopenable(self, root: str, suffix: str) -> str:
        """What is said if the file with this suffix cannot be opened."""
        text = self.unopenable_script if suffix.endswith(".plt") else self.unopenable_data
        return text.format(root=root)


def _det(system: System, root: str, warn: Warn) -> tuple[Contents, Contents]:
    return confidence.det(system, root)


def _sbhist(system: System, root: str, warn: Warn) -> tuple[Contents, Contents]:
    return confidence.scaled_histogram(system, root)


BINNED_DATA = "Error: Writing Binned Histogram file '{root}.bhist.dat1' for writing."
BINNED_SCRIPT = "Error: Unable to open Binned HistogramGNUPLOT file '{root}.bhist.plt' for writing."
CONFIDENCE_REPORTS = (
    ConfidenceReport(
        "det",
        "DET Curve",
        "    Writing DET Curve to '{root}.det.[plt,dat]'\n",
        "Error: Unable to open DET Curve data file '{root}.det.dat.00' for writing.",
        "Error: Unable to open DET Curve GNUPLOT file '{root}.det.plt' for writing.",
        _det,
    ),
    ConfidenceReport(
        "bhist",
        "Binned Histogram",
        "    Writing Binned Histogram '{root}.bhist.[plt,dat1]'\n",
        BINNED_DATA,
        BINNED_SCRIPT,
        confidence.binned_histogram,
    ),
    ConfidenceReport(
        "hist",
        "Confidence Histogram",
        "    Writing Confidence Histogram '{root}.hist.[plt,dat]'\n",
        BINNED_DATA,
        BINNED_SCRIPT,
        confidence.histogram,
    ),
    ConfidenceReport(
        "sbhist",
        "Scaled Binned Histogram",
        "    Writing Scaled Binned Histogram '{root}.sbhist.[plt,dat]'\n",
        "Error: Writing Scaled Binned Histogram file '{root}.sbhist.dat' for writing.",
        "Error: Unable to open Scaled Binned HistogramGNUPLOT file '{root}.sbhist.plt' for "
        "writing.",
        _sbhist,
    ),
)
