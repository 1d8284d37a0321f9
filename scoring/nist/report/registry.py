"""All reports, in the order in which sclite writes them for a system; `utt` is ours.

A report is imported when it is made: a run of a command needs few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
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
    suffix, announcement
        As of its `Part`; a report of every speaker has the speaker in place of `{}`.
    source
        The function that makes it, `MODULE:NAME` of this room: it gives the bytes, or for a report
        of every speaker pairs of a name and the bytes.
    takes
        The settings that the function takes after the system.
    announced_on_stdout
        The announcement is made, naming `stdout`, even if that is where the report goes.
    skipped
        What sclite prints, whatever the feedback level, instead of the report of a system that
        lacks what the report needs; None if the report can be made.
    """

    names: tuple[str, ...]
    suffix: str
    announcement: str
    source: str
    takes: tuple[str, ...] = ()
    announced_on_stdout: bool = False
    skipped: Callable[[System], str | None] = lambda _: None

    def parts(self, system: System, settings: Settings) -> Iterator[Part]:
        """Its files."""
        module, _, name = self.source.partition(":")
        make = getattr(import_module(f"scoring.nist.report.{module}"), name)
        made = make(system, *(getattr(settings, one) for one in self.takes))
        if "{}" not in self.suffix:
            yield Part(self.suffix, self.announcement, made)
            return
        for speaker, content in made:
            yield Part(
                self.suffix.replace("{}", speaker),
                self.announcement.replace("{}", speaker),
                content,
            )


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
