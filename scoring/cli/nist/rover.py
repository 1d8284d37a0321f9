"""The `rover` command: NIST's voting over the outputs of several recognisers, byte by byte.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os
from functools import partial

from formats.console.process import run as run_command
from scoring.alignment import exit_on_signals
from scoring.cli.nist import drop_in, nist_arguments
from scoring.cli.nist import nist_arguments as rules
from scoring.model import outputs
from scoring.model.errors import InputError, OriginalError
from scoring.nist.rover.candidates import METHODS
from scoring.nist.rover.combination import Combination, RoverRequest
from scoring.nist.transcripts.characters import to_bytes
from scoring.nist.transcripts.input_files import TranscriptFile
from scoring.nist.transcripts.lexicon import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

FORMAT = "ctm"
FOREIGN_REMARK, OWN_REMARK = "sclite: warning: ", "rover: warning: "
MOST_FILES = 50


class RoverUsageError(nist_arguments.UsageError):
    """A command line that rover rejects."""

    program = "rover"
    lead = "rover: "


class RoverOptions(RoverRequest):
    """The values of rover's options after scanning; `output` is byte text."""

    def __init__(self) -> None:
        super().__init__()
        self.output = ""
        self.feedback = 1


def _hypothesis(line: rules.Arguments) -> None:
    name = line.file("Not enough Hyp arguments", "Req'd Hyp File name")
    sources = line.options.sources
    if len(sources) == MOST_FILES:
        raise RoverUsageError(f"more than {MOST_FILES} hypothesis files")
    form = line.optional()
    form = "trn" if form is None else form
    sources.append(TranscriptFile(os.fsdecode(name.encode("latin-1")), form, name))
    if form != sources[0].format:
        raise RoverUsageError("Hyp formats must all be identical\n")


def _output(line: rules.Arguments) -> None:
    # the original crashes where there is nothing left
    line.options.output = line.file("Not enough Output arguments", "Req'd Output Filename")


def _decimal(text: str) -> float:
    """Return the number at the start of a text, like C's `atof`."""
    return number(text.encode("latin-1"))


RULES = {
    "-h": _hypothesis,
    "-o": _output,
    "-m": rules.choice("method", METHODS, "Not enough Method arguments", "Illegal method"),
    "-a": rules.value("alpha", "Not enough alpha arguments", _decimal),
    "-c": rules.value("null_confidence", "Not enough null_conf arguments", _decimal),
    "-f": rules.value("feedback", "Not enough Feedback arguments", rules.leading_number),
    "-l": rules.value(None, "Not enough Line Width arguments"),
    "-s": rules.switch("case_sensitive"),
    "-T": rules.switch("by_time"),
}


def _complain(text: str) -> None:
    """Write byte text to the error stream.

    A note of a shared reader begins with the name of another program; it is replaced by `rover`.
    """
    if text.startswith(FOREIGN_REMARK):
        text = OWN_REMARK + text.removeprefix(FOREIGN_REMARK)
    drop_in.complain(text)


@drop_in.program("rover", _complain)
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Combine the outputs of several recognisers."""
    options = RoverOptions()
    line = rules.Arguments(
        [rules.argument_text(argument) for argument in arguments], RoverUsageError, options
    )
    ignored = line.walk(RULES)
    for is_missing, name in (
        (len(options.sources) < 2, "Hyp File names, 2 or more"),
        ("-o" not in line.given, "Output File name"),
        ("-m" not in line.given, "method"),
    ):
        if is_missing:
            raise RoverUsageError(f"Req'd {name}")
    if ignored:
        _complain(f"rover: warning: arguments from {ignored[0]!r} on are ignored\n")
    if options.sources[0].format != FORMAT:
        _complain(
            f"rover: warning: format {options.sources[0].format!r}: nothing is done, only "
            "ctm files are combined\n"
        )
        return
    _Run(options, output).combine()


# Entry point of the installed command.
run = partial(run_command, main, exit_on_signals=exit_on_signals)


class _Run:
    """A run of the command.

    As in NIST's rover, the output file is opened before input is read. Standard output is written
    last, so that input that cannot be combined leaves no output. After an error that NIST's rover
    also reports, the file has the same content as NIST's.
    """

    def __init__(self, options: RoverOptions, output: BinaryIO) -> None:
        self._options = options
        self._output = output
        self._said: list[str] = []
        self._error: OriginalError | None = None

    def combine(self) -> None:
        """Combine the files and write the result."""
        options = self._options
        self._refuse_input_as_output()
        name = options.output
        try:
            outputs.write_file(name, self._content())
        except outputs.UnopenableError:
            raise OriginalError(f"Error: unable to open output file '{name}'\n") from None
        outputs.write_to_stream(self._output, [to_bytes("".join(self._said))])
        if self._error is not None:
            raise self._error

    def _refuse_input_as_output(self) -> None:
        """Reject an output file that is also an input.

        NIST's rover empties such a file and then never terminates.
        """
        path = to_bytes(self._options.output)
        for source in self._options.sources:
            try:
                same = os.path.samefile(path, source.path)
            except (OSError, ValueError):
                continue
            if same and os.path.isfile(path):
                raise InputError(
                    source.name, None, None, "expected an output file that is not read as well"
                )

    def _say(self, text: str, level: int = 1) -> None:
        if self._options.feedback >= level:
            self._said.append(text)

    def _content(self) -> Iterator[bytes]:
        """Yield the content of the output file, in pieces."""
        options = self._options
        self._say("Beginning: mfalign_ctm_files\n", 2)
        names = [source.name for source in options.sources]
        if options.method == "putat":
            yield to_bytes(f'<input names="{" ".join(names)}">\n')
        lines: list[str] = []
        try:
            for sections in Combination(options, _complain).run(lines):
                self._say(
                    f"Working on conversation: {sections[0].conversation} "
                    f"channel: {sections[0].channel}\n"
                )
                for name, section in zip(names, sections, strict=True):
                    self._say(f"   File: {name}  range {section.first}-{section.last}\n")
                yield to_bytes("".join(lines))
                lines.clear()
        except OriginalError as error:
            self._error = error
        yield to_bytes("".join(lines))


if __name__ == "__main__":
    run()
