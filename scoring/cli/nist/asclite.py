"""The `asclite` command: scores overlapping speech like NIST's asclite, byte by byte.

The command line is scanned as in NIST's asclite; errors have its messages.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, BinaryIO

from formats.console.process import run as run_command
from scoring.alignment import exit_on_signals
from scoring.cli.nist import drop_in
from scoring.cli.nist.nist_arguments import argument_text, leading_number
from scoring.model.errors import OriginalError
from scoring.model.outputs import write_to_stream
from scoring.nist.asclite.choices import (
    BOTH,
    HYPOTHESIS,
    LEFT_OUT,
    NONE,
    REFERENCE,
    AscliteError,
    AscliteOptions,
    ChosenFile,
)
from scoring.nist.asclite.choices import USAGE as WRONG_USAGE
from scoring.nist.asclite.run import run as score
from scoring.nist.transcripts.characters import to_bytes

USAGE = drop_in.usage("asclite")
PAIRS = {("trn", "trn"), ("ctm", "stm"), ("rttm", "stm"), ("rttm", "rttm")}
REPORTS = ("sum", "rsum", "sgml", "stdout")
# Options with a value: the field it goes to, how it is read, what is missing where it is.
VALUES: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "-i": ("utterance", str, "Utterance"),
    "-time-prune": ("prune", leading_number, "Optimization prune threshold"),
    "-word-time-align": ("widest", leading_number, "Optimization word threshold"),
    "-spkr-align": ("speaker_map", str, "Speaker Optimization file"),
    "-memory-limit": ("memory", str, "Max GB"),
    "-difficulty-limit": ("difficulty", str, "Difficulty GB"),
    "-min-difficulty-limit": ("least_difficulty", str, "Min Difficulty GB"),
    "-memory-compression": ("compressed", lambda _: True, "block KB"),
    "-overlap-limit": ("most_speakers", leading_number, "Max number of overlaping speaker"),
    "-overlap-min": ("least_speakers", leading_number, "Min number of overlaping speaker"),
    "-only-SG": ("only_group", leading_number, "Segment Group ID"),
}
SIDES = {"-spkrautooverlap": "overlap_side"}
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
    """A command line that asclite rejects, with asclite's text."""

    status = WRONG_USAGE


def parse(arguments: Sequence[str]) -> tuple[AscliteOptions, list[str]]:
    """Return the options on a command line, and the lines that asclite prints about them."""
    scanner = _Scanner([argument_text(argument) for argument in arguments])
    scanner.scan()
    notes: list[str] = []
    fields = scanner.settled(notes)
    if scanner.problems:
        errors = [f"[  ERROR  ] {problem}" for problem in scanner.problems]
        lines = [*errors, *notes, "[  FATAL  ] type 'asclite' to display the help."]
        raise AscliteUsageError("".join(f"{line}\n" for line in lines))
    return AscliteOptions()._replace(**fields), notes


class _Scanner:
    """Scans the arguments from left to right, and stops at the first invalid argument."""

    def __init__(self, arguments: list[str]) -> None:
        self._rest = arguments
        self._fields: dict[str, Any] = {}
        self._hypotheses: list[ChosenFile] = []
        self._reports: list[str] = []
        self._properties: dict[str, str] = {}
        self._given: set[str] = set()
        self.problems: list[str] = []

    def scan(self) -> None:
        """Read all options of the command line."""
        while self._rest and not self.problems:
            option = self._rest.pop(0)
            if option in SWITCHES:
                self._fields.update(SWITCHES[option])
                if option == "-force-memory-compression":  # sets the size of a block, too
                    self._given.add("-memory-compression")
            elif option in VALUES:
                self._value(option)
            elif option in SIDES:
                self._fields[SIDES[option]] = self._next(REFERENCE, HYPOTHESIS, BOTH) or BOTH
            elif option in _OTHERS:
                field, problem, take = _OTHERS[option]
                if not self._rest:
                    self.problems.append(problem)
                elif (value := take(self)) is not None and field is not None:
                    self._fields[field] = value
            elif option == "-D":
                self._fields["optional"] = self._next() or BOTH
            elif option == "--set-property":
                self._property()
            elif option == "-o":
                self._output()
            else:
                self.problems.append(f"Parameter unknown: {option}")

    def _next(self, *choices: str) -> str | None:
        """Take the next argument if it is a value, and one of `choices` if there are any.

        Return it or None.
        """
        if self._rest:
            value = self._rest[0]
            if value in choices or (not choices and not value.startswith("-")):
                return self._rest.pop(0)
        return None

    def _hypothesis(self) -> None:
        path, form = self._rest.pop(0), self._next("ctm", "rttm", "trn")
        title = None if form is None else self._next()
        self._hypotheses.append(ChosenFile(path, form or "trn", title or ""))

    def _reference(self) -> ChosenFile:
        return ChosenFile(self._rest.pop(0), self._next("stm", "rttm", "trn") or "trn", "")

    def _regions(self) -> str:
        path = self._rest.pop(0)
        self._fields["uem_side"] = self._next(REFERENCE, HYPOTHESIS, BOTH) or BOTH
        return path

    def _number(self) -> int | None:
        value = self._next()
        return None if value is None else leading_number(value)

    def _threads(self) -> None:
        if leading_number(self._next() or "1") < 1:
            self.problems.append("Number of threads must be >= 1!")

    def _value(self, option: str) -> None:
        field, read, problem = VALUES[option]
        value = self._next()
        if value is not None:
            self._fields[field] = read(value)
            self._given.add(option)
        elif option not in self._given:
            self.problems.append(f"{problem} missing!")

    def _property(self) -> None:
        name = self._next()
        value = None if name is None else self._next()
        if name is not None and value is not None:
            self._properties[name] = value
        elif not self._properties:
            self.problems.append("Property need to be set with 2 args, name => value")

    def _output(self) -> None:
        for _ in range(len(REPORTS)):
            report = self._next(*REPORTS)
            if report is not None:
                self._reports.append(report)
            elif self._rest and not self._rest[0].startswith("-"):
                self.problems.append("Parameter incorrect!")
                break
        if not self._reports:
            self.problems.append("Report missing!")

    def settled(self, notes: list[str]) -> dict[str, Any]:
        """Reject options that exclude each other; return the fields of `AscliteOptions`.

        Lines that asclite prints are appended to `notes`.
        """
        fields = dict(self._fields, hypotheses=tuple(self._hypotheses))
        if self._reports:
            fields["reports"] = tuple(self._reports)
        if fields.get("generic"):
            self._generic(fields, notes)
        else:
            self._both_sides(fields)
        for name, value in self._properties.items():
            if name in PROPERTIES:
                field, read = PROPERTIES[name]
                fields[field] = read(value)
        return fields

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
        wrong = [file for file in self._hypotheses if (file.format, reference.format) not in PAIRS]
        self.problems += [f"(H) {file.format} vs. (R) {reference.format}" for file in wrong]
        if wrong:
            self.problems += [
                "Hyp must be a ctm  and Ref a stm  or",
                "Hyp must be a rttm and Ref a stm  or",
                "Hyp must be a rttm and Ref a rttm or",
                "Hyp and Ref must be trn's.",
            ]

    def _generic(self, fields: dict[str, Any], notes: list[str]) -> None:
        if not self._hypotheses:
            self.problems.append("A least one hypothesis is needed!")
        if fields.pop("reference", None) is not None:
            notes.append(
                "[  INFO   ] The generic process requires only hypothesis files, the reference "
                "will be ignored."
            )
        fields["reports"] = ("stdout",) if "stdout" in self._reports else ()
        if fields.get("gaps", True):
            fields["gaps"] = False
            notes.append("[  INFO   ] ISG will be ignored.")
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


# What may lack a value, unless the line ends: the field, the problem, what takes it.
_OTHERS: dict[str, tuple[str | None, str, Callable[[_Scanner], Any]]] = {
    "-h": (None, "Hypothesis filename missing!", _Scanner._hypothesis),
    "-r": ("reference", "Reference filename missing!", _Scanner._reference),
    "-uem": ("uem", "UEM filename missing!", _Scanner._regions),
    "-O": ("directory", "Output dir missing!", _Scanner._next),
    "-f": ("feedback", "Feedback value missing!", _Scanner._number),
    "-l": (None, "Width value missing!", _Scanner._next),
    "-threads": (None, "Number of threads missing!", _Scanner._threads),
}


class _LoggedError(AscliteError):
    """An error that ends the run; its message is already in the log."""


def _complain(text: str) -> None:
    """Write byte text to the error stream immediately."""
    if text != "asclite: \n":
        drop_in.complain(text)


@drop_in.program("asclite", _complain)
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Run `asclite` on its arguments: score overlapping speech.

    The exit status is 0 for success; 1 for an unreadable file; 3 for errors found by the filters; 4
    for wrong options; 5 for missing input; 6 for data that cannot be scored; 7 for dropped words
    with `--strict`. `drop_in.program` lists the other statuses.
    """
    if not arguments:
        write_to_stream(output, [to_bytes(USAGE)])
        return
    choices, notes = parse(arguments)
    drop_in.complain("".join(f"{line}\n" for line in notes))
    try:
        status = score(choices, output, drop_in.complain)
    except AscliteError as error:
        raise _LoggedError(error.status, "") from None
    if status == LEFT_OUT:
        raise _LoggedError(status, "")


# Entry point of the installed command.
run = partial(run_command, main, exit_on_signals=exit_on_signals)

if __name__ == "__main__":
    run()
