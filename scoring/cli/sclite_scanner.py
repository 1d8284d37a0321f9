"""sclite's command line, scanned from left to right as the original scans it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from scoring.cli.nist_arguments import Arguments, leading_number
from scoring.cli.sclite_options import (
    Options,
    UsageError,
    argument_text,
)
from scoring.nist.report.plots import FORMATS
from scoring.nist.report.registry import ALL, CONFIDENCE_REPORTS, REPORTS
from scoring.nist.transcripts.alphabets import ENCODINGS, LOCALIZATIONS
from scoring.nist.transcripts.files import Source

MOST_HYPOTHESES = 40
INTERPOLATIONS = ("none", "uniform", "chars")


def scan(arguments: Sequence[str]) -> Options:
    """The options on a command line.

    Raises
    ------
    UsageError
        With the text of the original.
    """
    return _Scanner(arguments).scan()


class _Scanner:
    """Walks over the arguments from left to right."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = Arguments(arguments, UsageError)
        self._options = Options()

    def scan(self) -> Options:
        if not len(self._arguments):
            raise UsageError("Arguments reguired")
        handlers: dict[str, Callable[[], None]] = {
            "-r": self._reference,
            "-h": self._hypothesis,
            "-i": self._identifier_kind,
            "-s": lambda: self._set("case_sensitive"),
            "-F": lambda: self._set("fragments_correct"),
            "-D": lambda: self._set("optional_deletable"),
            "-T": lambda: self._set("time_mediated"),
            "-d": lambda: self._set("use_diff"),
            "-P": lambda: self._set("piped_input"),
            "-p": lambda: self._set("piped_output"),
            "-e": self._encoding,
            "-c": self._character_units,
            "-S": self._segmentation,
            "-L": self._language_model,
            "-w": self._weights,
            "-m": self._reduction,
            "-O": self._directory,
            "-n": self._name,
            "-f": self._feedback,
            "-l": self._line_width,
            "-o": self._reports,
            "-C": self._confidence_reports,
            "--plots": self._plots,
            "--interpolate": self._interpolate,
        }
        self._options.ignored = self._arguments.walk(handlers)
        return self._options

    def _set(self, attribute: str) -> None:
        setattr(self._options, attribute, True)

    def _reference(self) -> None:
        self._options.reference_path = self._arguments.file(
            "Not enough Ref arguments", "Req'd Ref File name"
        )
        given = self._arguments.optional()
        if given is not None:
            self._options.reference_format = given

    def _hypothesis(self) -> None:
        path = self._arguments.file("Not enough Hyp arguments", "Req'd Hyp File name")
        given = self._arguments.optional()
        title = self._arguments.optional() if given is not None else None
        if len(self._options.hypotheses) == MOST_HYPOTHESES:
            raise UsageError(f"more than {MOST_HYPOTHESES} hypothesis files")
        self._options.hypotheses.append(
            Source(
                path,
                "trn" if given is None else given,
                argument_text(path if title is None else title),
            )
        )

    def _identifier_kind(self) -> None:
        self._options.identifier_kind = self._arguments.mandatory("Not enough ID arguments")

    def _encoding(self) -> None:
        value = self._arguments.optional()
        if value is None:
            raise UsageError("Argument required for character encoding\n")
        if value.lower() not in ENCODINGS:
            raise UsageError(f"Unrecognized character encoding option '{value}'")
        self._options.encoding = value.lower()
        localization = self._arguments.optional()
        if localization is not None:
            if localization.lower() not in LOCALIZATIONS:
                raise UsageError(f"Optional case conversion localization failed /{localization}/\n")
            self._options.localization = localization.lower()

    def _character_units(self) -> None:
        chosen: set[str] = set()
        while (word := self._arguments.optional()) is not None:
            if word not in ("NOASCII", "DH"):
                raise UsageError(f"Unrecognized character alignment option '{word}'")
            chosen.add(word)
        self._options.character_units = chosen

    def _segmentation(self) -> None:
        if len(self._arguments) < 2:
            raise UsageError("Not enough Inferred Segmentation arguments")
        algorithm = self._arguments.optional()
        if algorithm is None:
            raise UsageError("No Inferred Segmentation algorithm")
        if algorithm not in ("algo1", "algo2"):
            raise UsageError(f"Unrecognize inferred segmentation algorithm '{algorithm}'")
        lexicon = self._arguments.optional()
        if lexicon is None:
            raise UsageError("No Inferred Segmentation lexicon")
        if not os.path.exists(lexicon):
            raise UsageError(f"Inferred Segmentation lexicon '{lexicon}' does not exist")
        self._options.segmentation_algorithms ^= {algorithm}
        self._options.segmentation_lexicon = lexicon
        flag = self._arguments.optional()
        if flag is not None:
            if flag != "ASCIITOO":
                raise UsageError(f"Unrecognized Inferred Segmentation flag '{flag}'")
            self._options.segmentation_splits_ascii = True

    def _language_model(self) -> None:
        self._options.language_model_path = self._arguments.mandatory(
            "Not enough Language Model arguments"
        )

    def _weights(self) -> None:
        self._options.weights_path = self._arguments.mandatory(
            "Word Weight list file not specified"
        )

    def _reduction(self) -> None:
        chosen: set[str] = set()
        while (word := self._arguments.optional()) is not None:
            if word not in ("ref", "hyp"):
                raise UsageError(f"Unrecognized -m option '{word}'")
            chosen.add(word)
        self._options.reduction = chosen or {"ref"}

    def _directory(self) -> None:
        self._options.directory = argument_text(
            self._arguments.mandatory("Output directory not specified")
        )

    def _name(self) -> None:
        self._options.name = argument_text(self._arguments.mandatory("Output name not specified"))

    def _feedback(self) -> None:
        self._options.feedback = leading_number(
            self._arguments.mandatory("Not enough Feedback arguments")
        )
        self._options.feedback_given = True

    def _line_width(self) -> None:
        self._options.line_width = leading_number(
            self._arguments.mandatory("Not enough Line Width arguments")
        )

    def _reports(self) -> None:
        names: dict[str, tuple[str, ...]] = {"stdout": ("stdout",), "all": ALL}
        names.update((name, spec.names[:1]) for spec in REPORTS for name in spec.names)
        self._options.reports_given = True
        self._toggle(self._options.reports, names, "Not enough Report arguments", "Unknown report")

    def _confidence_reports(self) -> None:
        self._options.confidence_given = True
        self._toggle(
            self._options.confidence_reports,
            {spec.name: (spec.name,) for spec in CONFIDENCE_REPORTS},
            "Not enough Confidence Report arguments",
            "Unknown confidence report",
        )

    def _plots(self) -> None:
        """Not in the original, which leaves drawing to gnuplot."""
        value = self._arguments.mandatory("Plot format not specified")
        if value not in FORMATS:
            raise UsageError(f"Plot format '{value}' not acceptable")
        self._options.plots = value

    def _interpolate(self) -> None:
        """Not in the original either, which refuses words without times."""
        value = self._arguments.mandatory("Way to interpolate not specified")
        if value not in INTERPOLATIONS:
            raise UsageError(f"Way to interpolate '{value}' not acceptable")
        self._options.interpolate = value

    def _toggle(
        self,
        selected: set[str],
        names: Mapping[str, tuple[str, ...]],
        missing: str,
        unknown: str,
    ) -> None:
        """Each name turns its reports on or off; `none` turns all off."""
        if not len(self._arguments):
            raise UsageError(missing)
        while (word := self._arguments.optional()) is not None:
            if word == "none":
                selected.clear()
            elif word in names:
                selected.symmetric_difference_update(names[word])
            else:
                self._options.messages.append(f"{unknown} '{word}'\n")
