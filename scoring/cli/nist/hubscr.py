"""The `hubscr.pl` command: all steps of a hub evaluation, in one process.

It filters, validates, scores and compares by calling the programs of this package. The files and
messages are those of NIST's hubscr.pl.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, NamedTuple, NoReturn

from formats.console.outputs import check_outputs
from formats.console.process import run as run_command
from formats.console.process import status_of_exit
from formats.io.errors import UnwritableFileError
from formats.schema.errors import reason_of
from scoring.cli.nist import hubscr_options as command_line
from scoring.cli.nist.drop_in import called_as, complain, program
from scoring.cli.nist.nist_arguments import argument_text
from scoring.cli.nist.perl_options import getopts
from scoring.model import outputs
from scoring.model.errors import OriginalError
from scoring.nist.hub import hubscr as steps
from scoring.nist.hub.csrfilt import CsrfiltOptions, selected
from scoring.nist.hub.hubscr import PROGRAM, Filtering, HubscrOptions, Hypothesis, ProgramStep
from scoring.nist.hub.hubscr_sorting import FILTERS
from scoring.nist.hub.rfilter1 import rfilter1
from scoring.nist.hub.rttm_tools import DIED, DiedError
from scoring.nist.transcripts.characters import byte_text, standard_input

MD_EVAL = "md-eval.pl"
# As shells report what a signal has ended: 128 plus its number.
_BY_A_SIGNAL = range(129, 160)


@program(PROGRAM)
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Filter, validate, score and compare.

    The exit status is 2 for a missing file, the status of a failed program, or 255.
    """

    def say(text: str) -> None:
        # before any program that is called has its turn
        outputs.write_to_stream(output, [os.fsencode(text)])

    if arguments and arguments[0] in FILTERS:
        outputs.write_to_stream(output, [FILTERS[arguments[0]](standard_input())])
        return
    # the letters of these would each be an option
    words = [word for word in arguments if word not in (command_line.EXPLAIN, *command_line.TEXTS)]
    for word in arguments:
        if word in command_line.TEXTS:
            say(command_line.TEXTS[word])
            return
    line = getopts(words, command_line.FLAGS, command_line.VALUED)
    complain(argument_text(line.complaints))
    options = command_line.parse(line, say, complain)
    _keep_inputs(options)
    if command_line.EXPLAIN in arguments:
        say("".join(f"{line}\n" for line in steps.explained(options)))
    else:
        name = called_as(PROGRAM, arguments)
        _Run(replace(options, name=name), say).everything()


def run() -> NoReturn:
    """Run as the installed command."""
    gc.disable()  # hundreds of thousands of words, and no reference cycles among them
    run_command(main)


def _keep_inputs(options: HubscrOptions) -> None:
    """Reject an output file that would overwrite an input, or another output.

    NIST's hubscr.pl rejects the same outputs.
    """
    try:
        check_outputs(steps.written(options), options.inputs)
    except UnwritableFileError as error:
        raise outputs.OutputError(argument_text(str(error))) from None


class _Run:
    """A run of hubscr."""

    def __init__(self, options: HubscrOptions, say: Callable[[str], None]) -> None:
        self._options = options
        self._say = say

    def everything(self) -> None:
        """Filter and validate all files, then score and compare."""
        options = self._options
        self._say("Filtering Files:\n")
        # all are validated, also after one that is not valid
        valid = [self._filter(task) for task in steps.filterings(options)]
        if not all(valid):
            raise _died(
                "Error: Filter processes failure detect.  Aborting.  "
                "The -V option disables validation"
            )
        for hypothesis in options.hypotheses:
            self._score(hypothesis)
        if len(options.hypotheses) > 1:
            self._compare()

    def _tell(self, text: str) -> None:
        if self._options.verbose:
            self._say(text)

    def _filter(self, task: Filtering) -> bool:
        """Filter a file and validate the result; return True if it is valid."""
        self._say(
            f"   Filtering {self._options.language} file '{task.path}', {task.format} format\n"
        )
        self._tell(f"      Exec: {task.shown}\n")
        try:
            data = _read(task.path)
            self._check_map(task)
            for words in task.chain:
                if words != steps.PASSED_ON:
                    data = _output_of(words, data)
            _write(task.target, data)
        except _FailedError:
            with contextlib.suppress(OSError):
                os.unlink(task.target)
            raise _died(
                f"Error: Unable to filter file: {task.path} with command:\n   {task.shown}"
            ) from None
        return not self._options.validated or self._valid(task)

    def _check_map(self, task: Filtering) -> None:
        """End the run if the filter rejects its map.

        NIST's hubscr.pl writes the error into the transcripts instead.
        """
        path = self._options.map
        rules = selected(_read(path), CsrfiltOptions(task.format, task.purpose), path)
        problem = rfilter1(b"\n", rules, path).problem
        if problem:
            complain(_line(problem))
            raise _FailedError

    def _valid(self, task: Filtering) -> bool:
        self._tell(f"      Validating the output file '{task.target}'\n")
        ran = call(task.validator, held=("stdout", "stderr"))
        self._say(os.fsdecode(ran.said))
        if not ran.status:
            return True
        lines = ran.output.splitlines(keepends=True)
        self._say("".join(f"      {os.fsdecode(line)}" for line in lines))
        complain(byte_text(ran.said))
        self._say(
            f"Error: Filter operation yielded a non-validated {task.format} output with return "
            f"code {ran.status << 8}\n"
        )
        return False

    def _score(self, hypothesis: Hypothesis) -> None:
        options = self._options
        self._say(
            f"Scoring {options.language} Hyp '{hypothesis.output}' against ref "
            f"'{steps.reference_target(options)}'\n"
        )
        for step in steps.scoring_steps(options, hypothesis):
            if step.announced:
                self._tell(f"   Exec: {step.shown}\n")
            _run_step(step, options.paths)

    def _compare(self) -> None:
        step = steps.comparison_step(self._options)
        self._say("Running Statistical Comparison Tests\n")
        self._tell("    Checking for sclite's sgml files\n")
        for path in step.reads:
            if not os.path.isfile(path):
                raise _died(f"Error: Unable to local sgml file '{path}'", command_line.MISSING)
        self._tell(f"    Exec: {step.shown}\n")
        _run_step(step)


class _FailedError(Exception):
    """Raised when a file or a called program failed; the reason is in the log."""


def _path_of(name: str, paths: str) -> str:
    """Return the path with which a shell would start a program, to print it in a report.

    `paths` is searched first, then PATH. Without such a file, return the name.
    """
    folders = [*filter(None, [paths, os.environ.get("PATH", os.defpath)])]
    return shutil.which(name, path=os.pathsep.join(folders)) or name


def _run_step(step: ProgramStep, paths: str = "") -> None:
    captured = [name for name, path in (("stdout", step.writes), ("stderr", step.log)) if path]
    try:
        if step.folder is not None:
            os.makedirs(step.folder, exist_ok=True)
        data = b"".join(map(_read, step.reads)) if step.reads else None
        ran = call([word for word in step.words if word], data, captured)
        if step.writes is not None:
            output = ran.output
            if step.words[0] == MD_EVAL:
                path = os.fsencode(_path_of(MD_EVAL, paths))
                output = output.replace(f"  {MD_EVAL} ".encode(), b"  %b " % path, 1)
            _write(step.writes, output)
        if step.log is not None and (step.log_kept or ran.status):
            _write(step.log, ran.said)
    except _FailedError:
        ran = Ran(1, b"", b"")
    # of a log, what is no information: what is not scored, for example
    lines = ran.said.splitlines(keepends=True)
    complain(byte_text(b"".join(line for line in lines if line[:1] != b"[")))
    if ran.status:
        raise _died(f"Error: {step.failure}\n      Command: {step.shown}", ran.status)
    if step.log is not None and not step.log_kept:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(step.log)


def _output_of(words: Sequence[str], data: bytes) -> bytes:
    ran = call(words, data, ["stdout"])
    if ran.status:
        raise _FailedError
    return ran.output


class Ran(NamedTuple):
    """The result of a program: its exit status, standard output and error output.

    An output is empty if the program wrote it to the output of this process.
    """

    status: int
    output: bytes
    said: bytes


def call(words: Sequence[str], given: bytes | None = None, held: Sequence[str] = ()) -> Ran:
    """Run a program in this process: `words` are the name of the program and its arguments.

    `given` is its standard input (None: that of this process). `held` names the outputs (`stdout`,
    `stderr`) to return instead of writing them.
    """
    program, *arguments = words
    from scoring.cli.nist.sctk import PROGRAMS

    with contextlib.ExitStack() as streams:
        if given is not None:
            streams.enter_context(_standing_in("stdin", given))
        kept = {name: streams.enter_context(_standing_in(name, b"")) for name in held}
        try:
            status = PROGRAMS[program](arguments)
        except SystemExit as leaving:
            status = status_of_exit(leaving)
        output, said = (
            kept[name].getvalue() if name in kept else b"" for name in ("stdout", "stderr")
        )
    if status in _BY_A_SIGNAL:
        complain(byte_text(said))
        raise SystemExit(status)
    return Ran(status, output, said)


@contextlib.contextmanager
def _standing_in(name: str, data: bytes) -> Iterator[io.BytesIO]:
    buffer = io.BytesIO(data)
    stream = io.TextIOWrapper(buffer, "utf-8", "surrogateescape", write_through=True)
    ours = getattr(sys, name)
    setattr(sys, name, stream)
    try:
        yield buffer
    finally:
        setattr(sys, name, ours)
        stream.detach()  # or the buffer would be closed with it


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        complain(_line(f"{path}: cannot be read: {reason_of(problem)}"))
        raise _FailedError from None


def _write(path: str, data: bytes) -> None:
    try:
        outputs.write_file(argument_text(path), [data])
    except outputs.UnopenableError as problem:
        complain(_line(f"{path}: cannot be written: {problem}"))
        raise _FailedError from None


def _line(text: str) -> str:
    return argument_text(f"{PROGRAM}: {text}\n")


def _died(text: str, status: int = DIED) -> OriginalError:
    return DiedError(argument_text(f"{text}\n"), status=status)


if __name__ == "__main__":
    run()
