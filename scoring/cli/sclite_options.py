"""The values of sclite's options, and how it refuses a command line."""

from __future__ import annotations

import os

from scoring.cli import nist_arguments
from scoring.cli.sclite_usage import USAGE
from scoring.nist.report.tables import LINE_WIDTH
from scoring.nist.report.writer import Wanted
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.files import Source


class UsageError(nist_arguments.UsageError):
    """A command line sclite refuses."""

    usage = USAGE
    lead = "\nsclite: Error, "


class Options:
    """The values of sclite's options after scanning.

    Attributes
    ----------
    reference
        None without `-r`; the title is not used.
    hypotheses
        In order.
    character_units
        The words behind `-c` (NOASCII, DH), None without it.
    segmentation_algorithms
        Those of `-S` that are switched on; giving one twice switches it off.
    reports, confidence_reports
        Selected names, the first one of those that mean the same; `stdout` may be among them.
    ignored
        Arguments behind a stray word, which the original passes over in silence.
    """

    def __init__(self) -> None:
        self.reference_path: str | None = None
        self.reference_format = "trn"
        self.hypotheses: list[Source] = []
        self.identifier_kind: str | None = None
        self.case_sensitive = False
        self.fragments_correct = False
        self.optional_deletable = False
        self.time_mediated = False
        self.weights_path: str | None = None
        self.language_model_path: str | None = None
        self.use_diff = False
        self.encoding = "ascii"
        self.localization = "generic"
        self.character_units: set[str] | None = None
        self.segmentation_algorithms: set[str] = set()
        self.segmentation_lexicon: str | None = None
        self.segmentation_splits_ascii = False
        self.piped_input = False
        self.piped_output = False
        self.reduction: set[str] | None = None
        self.directory: str | None = None
        self.name: str | None = None
        self.feedback = 1
        self.feedback_given = False
        self.line_width = LINE_WIDTH
        self.reports: set[str] = set()
        self.reports_given = False
        self.confidence_reports: set[str] = set()
        self.confidence_given = False
        self.plots: str | None = None
        self.interpolate = "none"
        self.ignored: list[str] = []
        self.messages: list[str] = []

    @property
    def reference(self) -> Source:
        """The reference file."""
        path = self.reference_path or ""
        return Source(path, self.reference_format, argument_text(path))

    @property
    def inputs(self) -> list[str | None]:
        """All files that are read, as they are named; `-` is standard input."""
        model = self.language_model_path
        return [
            self.reference_path,
            *(one.path for one in self.hypotheses),
            self.weights_path,
            model and model.removeprefix("arpa:"),
            self.segmentation_lexicon,
            "-" if self.piped_input else None,
        ]

    @property
    def wanted(self) -> Wanted:
        """The reports to write."""
        return Wanted(
            self.reports,
            self.confidence_reports,
            self.line_width,
            self.feedback,
            self.inputs,
            self.plots,
        )

    def output_root(self, hypothesis_name: str) -> str:
        """The path to which report suffixes are added."""
        directory, slash, base = hypothesis_name.rpartition("/")
        if not slash:
            directory = "."
        name = base if self.name is None else self.name
        if self.directory is None:
            return name if directory == "." else f"{directory}/{name}"
        return f"{self.directory}/{name}"


def argument_text(argument: str) -> str:
    """An argument as byte text, as reports show it."""
    return byte_text(os.fsencode(argument))
