"""All reports, in the order in which sclite writes them for a system.

A report is imported when it is made: a run of a command needs few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.system import System

if TYPE_CHECKING:
    from scoring.nist.report.confidence import Contents
    from scoring.nist.report.tables import TableDrawer


class Settings(NamedTuple):
    """What a report needs to know beside the system.

    Attributes
    ----------
    drawer
        One for a whole run of a command: tables depend on the tables before them.
    warn
        Is given what sclite says on the error stream, newline included.
    line_width
        Width of the lines of `pra` and `prf`.
    """

    drawer: TableDrawer
    warn: Callable[[str], None]
    line_width: int


class Part(NamedTuple):
    """One file of a report.

    Attributes
    ----------
    suffix
        What is added to the root of the output names.
    announcement
        What sclite says when it writes the file, up to the file's name; a quote and a newline
        follow the name.
    content
        The bytes of the file, made while they are taken. Take all of one part before the next:
        tables are drawn in that order.
    """

    suffix: str
    announcement: str
    content: Iterator[bytes]


class ReportSpec(NamedTuple):
    """A report of option `-o`.

    Attributes
    ----------
    names
        The words that select it.
    parts
        Its files.
    announced_on_stdout
        The announcement is made, naming `stdout`, even if that is where the report goes.
    skipped
        What sclite prints, whatever the feedback level, instead of the report of a system that
        lacks what the report needs; None if the report can be made.
    """

    names: tuple[str, ...]
    parts: Callable[[System, Settings], Iterator[Part]]
    announced_on_stdout: bool = False
    skipped: Callable[[System], str | None] = lambda _: None


class ConfidenceSpec(NamedTuple):
    """A report of option `-C`, two files.

    Attributes
    ----------
    announcement
        What sclite says when it writes the files of a root.
    skipped
        What it says instead, unless it is told to be silent, if an utterance lacks confidences.
        Silent, it writes the files all the same.
    unwritable
        What it says on the error stream if the first or the second file of a root cannot be
        opened.
    contents
        The files of a system and a root, in the order in which they are opened.
    """

    name: str
    announcement: Callable[[str], str]
    skipped: str
    unwritable: Callable[[str], tuple[str, str]]
    contents: Callable[[System, str, Callable[[str], None]], tuple[Contents, Contents]]


def _percentages(system: System, settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import summary

    content = summary.percentages(system, settings.drawer, settings.warn)
    yield Part(".sys", "    Writing scoring report to '", content)


def _weighted(system: System, settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import summary

    content = summary.weighted(system, settings.drawer, settings.warn)
    yield Part(".wws", "    Writing scoring report to '", content)


def _without_weights(system: System) -> str | None:
    if system.weights_name is not None:
        return None
    return "    Skipping WWS Report, no word weights supplied.\n"


def _raw(system: System, settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import summary

    content = summary.raw(system, settings.drawer, settings.warn)
    yield Part(".raw", "    Writing raw scoring report to '", content)


def _sentences(system: System, _settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import sentences

    for name, content in sentences.by_speaker(system):
        announcement = f"    Writing sentence scoring report for speaker '{name}' to '"
        yield Part(f".snt.{name}", announcement, content)


def _speakers(system: System, _settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import detail

    for name, content in detail.by_speaker(system):
        announcement = f"    Writing speaker scoring report for '{name}' to '"
        yield Part(f".spk.{name}", announcement, content)


def _overall(system: System, _settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import detail

    announcement = "    Writing overall detailed scoring report '"
    yield Part(".dtl", announcement, detail.overall(system))


def _labelled(system: System, settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import labelled

    content = labelled.render(system, settings.drawer)
    yield Part(".lur", "    Writing LUR scoring report to '", content)


def _pra(system: System, settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import alignments

    content = alignments.pra(system, settings.line_width)
    yield Part(".pra", "    Writing string alignments to '", content)


def _prf(system: System, settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import alignments

    content = alignments.prf(system, settings.line_width)
    yield Part(".prf", "    Writing string alignments to '", content)


def _sgml(system: System, _settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import sgml

    yield Part(".sgml", "    Writing SGML string alignments to '", sgml.render(system))


def _newline_sgml(system: System, _settings: Settings) -> Iterator[Part]:
    from scoring.nist.report import sgml

    announcement = "    Writing Newline Separated SGML string alignments to '"
    yield Part(".nl.sgml", announcement, sgml.render(system, newline_separated=True))


REPORTS = (
    ReportSpec(("sum",), _percentages),
    ReportSpec(("wws",), _weighted, skipped=_without_weights),
    ReportSpec(("rsum",), _raw),
    ReportSpec(("snt",), _sentences),
    ReportSpec(("spk",), _speakers),
    ReportSpec(("dtl",), _overall),
    ReportSpec(("lur",), _labelled),
    ReportSpec(("pralign", "pra"), _pra, announced_on_stdout=True),
    ReportSpec(("prf",), _prf, announced_on_stdout=True),
    ReportSpec(("sgml",), _sgml),
    ReportSpec(("nl.sgml",), _newline_sgml),
)
"""Reports of option `-o`, in the order in which they are written."""

ALL = ("pralign", "sum", "rsum")
"""The reports that `-o all` selects."""


def _det(system: System, root: str, warn: Callable[[str], None]) -> tuple[Contents, Contents]:
    from scoring.nist.report import confidence

    del warn  # a curve has no bins to fall out of
    return confidence.det(system, root)


def _binned(system: System, root: str, warn: Callable[[str], None]) -> tuple[Contents, Contents]:
    from scoring.nist.report import confidence

    return confidence.binned_histogram(system, root, warn)


def _histogram(system: System, root: str, warn: Callable[[str], None]) -> tuple[Contents, Contents]:
    from scoring.nist.report import confidence

    return confidence.histogram(system, root, warn)


def _scaled(system: System, root: str, warn: Callable[[str], None]) -> tuple[Contents, Contents]:
    from scoring.nist.report import confidence

    del warn  # the bins follow the words, none falls out
    return confidence.scaled_histogram(system, root)


def _unwritable_det(root: str) -> tuple[str, str]:
    return (
        f"Error: Unable to open DET Curve GNUPLOT file '{root}.det.plt' for writing.",
        f"Error: Unable to open DET Curve data file '{root}.det.dat.00' for writing.",
    )


def _unwritable_bins(root: str) -> tuple[str, str]:
    """Of both `bhist` and `hist`: sclite names the files of the former in either case."""
    return (
        f"Error: Writing Binned Histogram file '{root}.bhist.dat1' for writing.",
        f"Error: Unable to open Binned HistogramGNUPLOT file '{root}.bhist.plt' for writing.",
    )


def _unwritable_scaled_bins(root: str) -> tuple[str, str]:
    return (
        f"Error: Writing Scaled Binned Histogram file '{root}.sbhist.dat' for writing.",
        f"Error: Unable to open Scaled Binned HistogramGNUPLOT file '{root}.sbhist.plt' "
        "for writing.",
    )


CONFIDENCE_REPORTS = (
    ConfidenceSpec(
        "det",
        lambda root: f"    Writing DET Curve to '{root}.det.[plt,dat]'\n",
        "    Skipping DET Curve, no confidence scores supplied.\n",
        _unwritable_det,
        _det,
    ),
    ConfidenceSpec(
        "bhist",
        lambda root: f"    Writing Binned Histogram '{root}.bhist.[plt,dat1]'\n",
        "    Skipping Binned Histogram, no confidence scores supplied.\n",
        _unwritable_bins,
        _binned,
    ),
    ConfidenceSpec(
        "hist",
        lambda root: f"    Writing Confidence Histogram '{root}.hist.[plt,dat]'\n",
        "    Skipping Confidence Histogram, no confidence scores supplied.\n",
        _unwritable_bins,
        _histogram,
    ),
    ConfidenceSpec(
        "sbhist",
        lambda root: f"    Writing Scaled Binned Histogram '{root}.sbhist.[plt,dat]'\n",
        "    Skipping Scaled Binned Histogram, no confidence scores supplied.\n",
        _unwritable_scaled_bins,
        _scaled,
    ),
)
"""Reports of option `-C`, in the order in which they are written."""
