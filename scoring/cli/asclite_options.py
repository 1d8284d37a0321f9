"""asclite's command line: scanned as the original scans it, refused with the original's words."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scoring.cli.nist_arguments import leading_number
from scoring.errors import OriginalError
from scoring.nist.asclite.choices import (
    BOTH,
    HYPOTHESIS,
    NONE,
    REFERENCE,
    USAGE,
    AscliteOptions,
    ChosenFile,
)
from scoring.nist.transcripts.characters import byte_text

FORMATS = {"-h": ("ctm", "rttm", "trn"), "-r": ("stm", "rttm", "trn")}
PAIRS = {("trn", "trn"), ("ctm", "stm"), ("rttm", "stm"), ("rttm", "rttm")}
REPORTS = ("sum", "rsum", "sgml", "stdout")
MOST_REPORTS = 4
# Options with a value: the field it goes to, how it is read, what is said where it is missing.
VALUES: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "-i": ("utterance", str, "Utterance missing!"),
    "-time-prune": ("prune", leading_number, "Optimization prune threshold missing!"),
    "-word-time-align": ("widest", leading_number, "Optimization word threshold missing!"),
    "-spkr-align": ("speaker_map", str, "Speaker Optimization file missing!"),
    "-memory-limit": ("memory", str, "Max GB missing!"),
    "-difficulty-limit": ("difficulty", str, "Difficulty GB missing!"),
    "-min-difficulty-limit": ("least_difficulty", str, "Min Difficulty GB missing!"),
    "-memory-compression": ("compressed", lambda _: True, "block KB missing!"),
    "-overlap-limit": (
        "most_speakers",
        leading_number,
        "Max number of overlaping speaker missing!",
    ),
    "-overlap-min": (
        "least_speakers",
        leading_number,
        "Min number of overlaping speaker missing!",
    ),
    "-only-SG": ("only_group", leading_number, "Segment Group ID missing!"),
}
# Those whose value may be left out, unless the line ends.
LENIENT: dict[str, tuple[str | None, Callable[[str], Any], str]] = {
    "-O": ("directory", str, "Output dir missing!"),
    "-f": ("feedback", leading_number, "Feedback value missing!"),
    "-l": (None, str, "Width value missing!"),
}
SWITCHES: dict[str, dict[str, bool]] = {
    "-s": {"case_sensitive": True},
    "-F": {"fragments": True},
    "-noisg": {"gaps": False},
    "-spkrmap": {},
    "-adaptive-cost": {"adaptive": True},
    "-wordalign-cost": {"letters": True},
    "-time-base-cost": {"by_time": True},
    "-generic-cost": {"generic": True},
    "-force-memory-compression": {"force_compression": True, "compressed": True},
    "--complete": {"complete": True},
    "--strict": {"strict": True},
}
# What `--set-property` reaches.
PROPERTIES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "align.typecost": ("by_time", lambda value: leading_number(value) == 2),
    "align.optionally": ("optional", str),
    "align.case_sensitive": ("case_sensitive", "true".__eq__),
    "align.fragment_are_correct": ("fragments", "true".__eq__),
    "align.adaptivecost": ("adaptive", "true".__eq__),
    "align.wordaligncost": ("letters", "true".__eq__),
    "align.memorycompression": ("compressed", "true".__eq__),
    "align.forcememorycompression": ("force_compression", "true".__eq__),
    "filter.uem.isg": ("gaps", "true".__eq__),
    "inputparser.trn.uid": ("utterance", str),
    "recording.maxspeakeroverlaping": ("most_speakers", leading_number),
    "recording.minspeakeroverlaping": ("least_speakers", leading_number),
    "recording.maxnbofgb": ("memory", str),
    "report.outputdir": ("directory", str),
}


class AscliteUsageError(OriginalError):
    """A command line asclite refuses; the text is what it says."""

    status = USAGE

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(tuple(problems))
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "".join(f"{problem}\n" for problem in self.problems)


def parse(arguments: Sequence[str]) -> tuple[AscliteOptions, list[str]]:
    """What a command line asks for, and lines that asclite says about it."""
    scanner = _Scanner([byte_text(os.fsencode(argument)) for argument in arguments])
    scanner.scan()
    said = scanner.check()
    if scanner.problems:
        errors = [f"[  ERROR  ] {problem}" for problem in scanner.problems]
        raise AscliteUsageError([*errors, *said, "[  FATAL  ] type 'asclite' to display the help."])
    return scanner.choices, said


class _Scanner:
    """Walks over the arguments from left to right up to the first that is wrong."""

    def __init__(self, arguments: list[str]) -> None:
        self._arguments = arguments
        self._at = 0
        self._fields: dict[str, Any] = {}
        self._hypotheses: list[ChosenFile] = []
        self._reports: list[str] = []
        self._properties: dict[str, str] = {}
        self._given: set[str] = set()
        self.problems: list[str] = []
        self.choices = AscliteOptions()

    def scan(self) -> None:
        """Read all of them."""
        while self._at < len(self._arguments) and not self.problems:
            option = self._arguments[self._at]
            self._at += 1
            if option in SWITCHES:
                self._fields.update(SWITCHES[option])
            elif option in VALUES:
                self._value(option)
            elif option in LENIENT:
                self._lenient(option)
            elif option in _OTHERS:
                _OTHERS[option](self)
            else:
                self.problems.append(f"Parameter unknown: {option}")

    def _next(self, *known: str) -> str | None:
        """The next argument if it is a value (one of those known), taken; else None."""
        if self._at < len(self._arguments):
            value = self._arguments[self._at]
            if value in known or (not known and not value.startswith("-")):
                self._at += 1
                return value
        return None

    def _file(self, option: str, problem: str) -> ChosenFile | None:
        if self._at == len(self._arguments):
            self.problems.append(problem)
            return None
        path = self._arguments[self._at]
        self._at += 1
        form = self._next(*FORMATS[option])
        title = self._next() if option == "-h" and form is not None else None
        return ChosenFile(path, form or "trn", title or "")

    def _hypothesis(self) -> None:
        file = self._file("-h", "Hypothesis filename missing!")
        if file is not None:
            self._hypotheses.append(file)

    def _reference(self) -> None:
        self._fields["reference"] = self._file("-r", "Reference filename missing!")

    def _uem(self) -> None:
        if self._at == len(self._arguments):
            self.problems.append("UEM filename missing!")
            return
        self._fields["uem"] = self._arguments[self._at]
        self._at += 1
        self._fields["uem_side"] = self._next(REFERENCE, HYPOTHESIS, BOTH) or BOTH

    def _overlap(self) -> None:
        self._fields["overlap_side"] = self._next(REFERENCE, HYPOTHESIS, BOTH) or BOTH

    def _optional(self) -> None:
        self._fields["optional"] = self._next() or BOTH

    def _value(self, option: str) -> None:
        field, read, problem = VALUES[option]
        value = self._next()
        if value is not None:
            self._fields[field] = read(value)
            self._given.add(option)
        elif option not in self._given:
            self.problems.append(problem)

    def _lenient(self, option: str) -> None:
        field, read, problem = LENIENT[option]
        if self._at == len(self._arguments):
            self.problems.append(problem)
            return
        value = self._next()
        if value is not None and field is not None:
            self._fields[field] = read(value)

    def _threads(self) -> None:
        if self._at == len(self._arguments):
            self.problems.append("Number of threads missing!")
        elif leading_number(self._next() or "1") < 1:
            self.problems.append("Number of threads must be >= 1!")

    def _property(self) -> None:
        name = self._next()
        value = None if name is None else self._next()
        if name is not None and value is not None:
            self._properties[name] = value
        elif not self._properties:
            self.problems.append("Property need to be set with 2 args, name => value")

    def _output(self) -> None:
        for _ in range(MOST_REPORTS):
            report = self._next(*REPORTS)
            if report is not None:
                self._reports.append(report)
            elif self._at < len(self._arguments) and not self._arguments[self._at].startswith("-"):
                self.problems.append("Parameter incorrect!")
                break
        if not self._reports:
            self.problems.append("Report missing!")

    def check(self) -> list[str]:
        """Make the choices; what fits together and what does not. Lines to be said anyway."""
        fields = dict(self._fields, hypotheses=tuple(self._hypotheses))
        if self._reports:
            fields["reports"] = tuple(self._reports)
        said: list[str] = []
        if fields.get("generic"):
            self._generic(fields, said)
        else:
            self._both_sides(fields)
        for name, value in self._properties.items():
            if name in PROPERTIES:
                field, read = PROPERTIES[name]
                fields[field] = read(value)
        self.choices = replace(AscliteOptions(), **fields)
        return said

    def _both_sides(self, fields: dict[str, Any]) -> None:
        reference: ChosenFile | None = fields.get("reference")
        if reference is None or not self._hypotheses:
            self.problems.append("A least one hypothesis and one reference are needed!")
            return
        if fields.get("by_time") and (
            self._hypotheses[0].format == "trn" or reference.format in ("trn", "stm")
        ):
            self.problems.append(
                "Time based alignment can only be done with input format allowing token time: "
                "(ctm and rttm)."
            )
        wrong = [one for one in self._hypotheses if (one.format, reference.format) not in PAIRS]
        self.problems += [f"(H) {one.format} vs. (R) {reference.format}" for one in wrong]
        if wrong:
            self.problems += [
                "Hyp must be a ctm  and Ref a stm  or",
                "Hyp must be a rttm and Ref a stm  or",
                "Hyp must be a rttm and Ref a rttm or",
                "Hyp and Ref must be trn's.",
            ]

    def _generic(self, fields: dict[str, Any], said: list[str]) -> None:
        if not self._hypotheses:
            self.problems.append("A least one hypothesis is needed!")
        if fields.pop("reference", None) is not None:
            said.append(
                "[  INFO   ] The generic process requires only hypothesis files, the reference "
                "will be ignored."
            )
        fields["reports"] = ("stdout",) if "stdout" in self._reports else ()
        if fields.get("gaps", True):
            fields["gaps"] = False
            said.append("[  INFO   ] ISG will be ignored.")
        if fields.get("overlap_side") == REFERENCE:
            fields["overlap_side"] = None
        elif fields.get("overlap_side"):
            fields["overlap_side"] = HYPOTHESIS
        if fields.get("uem") is not None:
            if fields["uem_side"] == REFERENCE:
                fields["uem"] = None
            fields["uem_side"] = HYPOTHESIS
        if fields.get("optional", NONE) in (HYPOTHESIS, BOTH):
            fields["optional"] = HYPOTHESIS


_OTHERS: dict[str, Callable[[_Scanner], None]] = {
    "-h": _Scanner._hypothesis,
    "-r": _Scanner._reference,
    "-uem": _Scanner._uem,
    "-spkrautooverlap": _Scanner._overlap,
    "-D": _Scanner._optional,
    "-threads": _Scanner._threads,
    "--set-property": _Scanner._property,
    "-o": _Scanner._output,
}
