"""sclite's command line: scanned as the original scans it, refused with the original's words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence

from scoring.cli.sclite_usage import USAGE
from scoring.errors import ScoringError
from scoring.report.registry import CONFIDENCE_REPORTS, REPORTS
from scoring.transcripts.characters import byte_text
from scoring.transcripts.files import Source

REFERENCE_FORMATS = ("trn", "stm", "ctm", "tmk")
HYPOTHESIS_FORMATS = ("trn", "ctm", "txt", "tmk")
IDENTIFIER_KINDS = ("wsj", "rm", "swb", "sp", "spu_id")
MOST_HYPOTHESES = 40
NOT_YET = frozenset({"-P", "-e", "-d", "-c", "-L", "-S", "-p"})
LEADING_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")

ALL = ("pralign", "sum", "rsum")


class UsageError(ScoringError):
    """A command line sclite refuses; the text has the usage in front."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"{USAGE}\nsclite: Error, {self.problem}\n\n"


class IllegalArgumentError(UsageError):
    """An argument that is no option; the original names it on standard output."""

    def __str__(self) -> str:
        return USAGE

    @property
    def output(self) -> str:
        """What goes to standard output."""
        return f"Illegal argument: {self.problem}\n"


class Options:
    """The values of sclite's options after scanning.

    Attributes
    ----------
    reference
        None without `-r`; the title is not used.
    hypotheses
        In order.
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
        self.reduction: set[str] | None = None
        self.directory: str | None = None
        self.name: str | None = None
        self.feedback = 1
        self.feedback_given = False
        self.line_width = 1000
        self.reports: set[str] = set()
        self.reports_given = False
        self.confidence_reports: set[str] = set()
        self.confidence_given = False
        self.ignored: list[str] = []
        self.messages: list[str] = []

    @property
    def reference(self) -> Source:
        """The reference file."""
        path = self.reference_path or ""
        return Source(path, self.reference_format, _byte_text(path))

    def output_root(self, hypothesis_name: str) -> str:
        """The path to which report suffixes are added."""
        directory, slash, base = hypothesis_name.rpartition("/")
        if not slash:
            directory = "."
        name = base if self.name is None else self.name
        if self.directory is None:
            return name if directory == "." else f"{directory}/{name}"
        return f"{self.directory}/{name}"


def parse(arguments: Sequence[str]) -> Options:
    """Scan and validate a command line.

    Raises
    ------
    UsageError
        With the text of the original.
    """
    options = _Scanner(arguments).scan()
    _validate(options)
    return options


def _byte_text(argument: str) -> str:
    """An argument as byte text, as reports show it."""
    return byte_text(os.fsencode(argument))


def _number(text: str) -> int:
    """C's `atoi`."""
    found = LEADING_NUMBER.match(text)
    return int(found[1]) if found else 0


class _Scanner:
    """Walks over the arguments from left to right."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = arguments
        self._at = 0
        self._options = Options()

    def scan(self) -> Options:
        if not self._arguments:
            raise UsageError("Arguments reguired")
        handlers: dict[str, Callable[[], None]] = {
            "-r": self._reference,
            "-h": self._hypothesis,
            "-i": self._identifier_kind,
            "-s": lambda: self._set("case_sensitive"),
            "-F": lambda: self._set("fragments_correct"),
            "-D": lambda: self._set("optional_deletable"),
            "-T": lambda: self._set("time_mediated"),
            "-w": self._weights,
            "-m": self._reduction,
            "-O": self._directory,
            "-n": self._name,
            "-f": self._feedback,
            "-l": self._line_width,
            "-o": self._reports,
            "-C": self._confidence_reports,
        }
        while self._at < len(self._arguments) and self._arguments[self._at].startswith("-"):
            argument = self._arguments[self._at]
            self._at += 1
            if argument in NOT_YET:
                raise UsageError(f"option {argument} is not available in this version")
            handler = handlers.get(argument)
            if handler is None:
                raise IllegalArgumentError(argument)
            handler()
        self._options.ignored = list(self._arguments[self._at :])
        return self._options

    def _set(self, attribute: str) -> None:
        setattr(self._options, attribute, True)

    def _mandatory(self, missing: str) -> str:
        """The next argument, whatever it looks like."""
        if self._at >= len(self._arguments):
            raise UsageError(missing)
        self._at += 1
        return self._arguments[self._at - 1]

    def _file(self, missing: str, dashed: str) -> str:
        value = self._mandatory(missing)
        if value.startswith("-"):
            raise UsageError(dashed)
        return value

    def _optional(self) -> str | None:
        """The next argument, if it does not start with a dash."""
        if self._at < len(self._arguments) and not self._arguments[self._at].startswith("-"):
            self._at += 1
            return self._arguments[self._at - 1]
        return None

    def _reference(self) -> None:
        self._options.reference_path = self._file("Not enough Ref arguments", "Req'd Ref File name")
        given = self._optional()
        if given is not None:
            self._options.reference_format = given

    def _hypothesis(self) -> None:
        path = self._file("Not enough Hyp arguments", "Req'd Hyp File name")
        given = self._optional()
        title = self._optional() if given is not None else None
        if len(self._options.hypotheses) == MOST_HYPOTHESES:
            raise UsageError(f"more than {MOST_HYPOTHESES} hypothesis files")
        self._options.hypotheses.append(
            Source(
                path,
                "trn" if given is None else given,
                _byte_text(path if title is None else title),
            )
        )

    def _identifier_kind(self) -> None:
        self._options.identifier_kind = self._mandatory("Not enough ID arguments")

    def _weights(self) -> None:
        self._options.weights_path = self._mandatory("Word Weight list file not specified")

    def _reduction(self) -> None:
        chosen: set[str] = set()
        while (word := self._optional()) is not None:
            if word not in ("ref", "hyp"):
                raise UsageError(f"Unrecognized -m option '{word}'")
            chosen.add(word)
        self._options.reduction = chosen or {"ref"}

    def _directory(self) -> None:
        self._options.directory = _byte_text(self._mandatory("Output directory not specified"))

    def _name(self) -> None:
        self._options.name = _byte_text(self._mandatory("Output name not specified"))

    def _feedback(self) -> None:
        self._options.feedback = _number(self._mandatory("Not enough Feedback arguments"))
        self._options.feedback_given = True

    def _line_width(self) -> None:
        self._options.line_width = _number(self._mandatory("Not enough Line Width arguments"))

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

    def _toggle(
        self,
        selected: set[str],
        names: Mapping[str, tuple[str, ...]],
        missing: str,
        unknown: str,
    ) -> None:
        """Each name turns its reports on or off; `none` turns all off."""
        if self._at >= len(self._arguments):
            raise UsageError(missing)
        while (word := self._optional()) is not None:
            if word == "none":
                selected.clear()
            elif word in names:
                selected.symmetric_difference_update(names[word])
            else:
                self._options.messages.append(f"{unknown} '{word}'\n")


def _validate(options: Options) -> None:
    """Refuse what does not go together, in the order of the original; settle the defaults."""
    if not (options.reports_given or options.confidence_given):
        options.reports = {"sum", "stdout"}
    elif "stdout" in options.reports and options.feedback > 0 and not options.feedback_given:
        options.feedback = 0
    if options.reference_path is None or not options.hypotheses:
        raise UsageError("Input not specified, use transcription input or piped input")
    _check_files(options)
    formats = [options.reference_format, *(source.format for source in options.hypotheses)]
    if options.identifier_kind is None and "trn" in formats:
        raise UsageError("Required utterance id (option -i) for transcript mode")
    if options.time_mediated:
        _check_time_mediated(options)
    if options.identifier_kind is not None and options.identifier_kind not in IDENTIFIER_KINDS:
        raise UsageError(f"Utterance id type '{options.identifier_kind}' not acceptable")
    if options.reduction is not None:
        if options.reference_format != "stm":
            raise UsageError("-m flag requires stm format reference file")
        if any(source.format != "ctm" for source in options.hypotheses):
            raise UsageError("-m flag requires ctm format hypothesis file")
    if options.weights_path is not None and options.time_mediated:
        raise UsageError("Flags '-T' and '-w' are mutually exclusive\n")
    if "wws" in options.reports and options.weights_path is None:
        raise UsageError(
            "-o wws option specified without a word weight file (via -w) or LM file (via -L) "
            "specified\n"
        )


def _check_files(options: Options) -> None:
    if not os.path.exists(options.reference_path or ""):
        raise UsageError(f"Reference file '{options.reference_path}' does not exist")
    for source in options.hypotheses:
        if not os.path.exists(source.path):
            raise UsageError(f"Hypothesis file '{source.path}' does not exist")
    if options.reference_format not in REFERENCE_FORMATS:
        raise UsageError(f"Reference file format '{options.reference_format}' not acceptable")
    for source in options.hypotheses:
        if source.format not in HYPOTHESIS_FORMATS:
            raise UsageError(f"Hypothesis file format '{source.format}' not acceptable")


def _check_time_mediated(options: Options) -> None:
    wanted = "Time-mediated alignments require the {} file to be in CTM format"
    if options.reference_format != "ctm":
        raise UsageError(wanted.format("reference"))
    if any(source.format != "ctm" for source in options.hypotheses):
        raise UsageError(wanted.format("hypothesis"))
