"""`scoring kaldi`: Kaldi's scoring tools, byte by byte; `usage` lists them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from formats.console.process import abandon_output, ended
from formats.console.process import run as run_command
from scoring.cli.nist.drop_in import complain, usage
from scoring.cli.nist.perl_options import getoptions
from scoring.model import outputs
from scoring.model.errors import InputError, ScoringError
from scoring.model.outputs import standard_output
from scoring.nist.transcripts.characters import byte_text, to_bytes
from scoring.peers.kaldi.options import (
    RUN_COMMANDS,
    CommandLine,
    KaldiError,
    Value,
    Warn,
    echo,
    message,
    parse,
)

if TYPE_CHECKING:
    from scoring.peers.kaldi.details import EncodedText

WRONG_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run `scoring kaldi` with the given words; return the exit status.

    Kaldi's programs return 0 for success, 1 for wrong usage or nothing aligned, and 255 for an
    error. Scripts return 0 for success, 2 for wrong usage, and 255 for invalid input. If the name
    is unknown or output cannot be written, the status is 2. After an interruption, it is 130.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = f"scoring kaldi {words[0]}" if words and words[0] in _COMMANDS else "scoring kaldi"

    def say(text: object) -> None:
        complain(f"{name}: {text}\n")

    def work() -> int:
        try:
            return _run(words)
        except outputs.OutputError as error:
            abandon_output()
            say(str(error))
            return error.status

    return ended(work, say, lost=outputs.OutputError.status)


def _run(words: Sequence[str]) -> int:
    command = _COMMANDS.get(words[0]) if words else None
    if command is None:
        from formats.console.command_line import EXIT_STATUS, closest

        text = (
            f"{usage('kaldi')}\nThe programs end with the exit statuses of Kaldi's. `install` has "
            f"these:\n\n{EXIT_STATUS}"
        )
        if words and words[0] in ("-h", "--help", "--help-all"):
            _show([to_bytes(text)])
            return 0
        if not words:
            complain(text)
            return WRONG_USAGE
        known = ", ".join(_COMMANDS)
        near = closest(words[0], _COMMANDS)
        meant = f" (did you mean {near}?)" if near else ""
        complain(f"scoring kaldi: expected one of {known}, found {words[0]!r}{meant}\n")
        complain("see scoring kaldi --help\n")
        return WRONG_USAGE
    return command(words[1:])


def run(command: str) -> NoReturn:
    """Run one command on the process's own arguments, and end the process."""
    run_command(lambda: main([command, *sys.argv[1:]]))


def _warner(program: str) -> Warn:
    return lambda text: complain(message("WARNING", program, text))


def _show(chunks: Iterable[bytes]) -> None:
    outputs.write_to_stream(standard_output(), chunks)


def _program(program: str, words: Sequence[str]) -> int:
    """Parse a command line like Kaldi's programs, run the program, and return its exit status.

    Kaldi's programs first print the command line itself.
    """
    defaults, numbers_of_arguments, work = _PROGRAMS[program]
    words = [byte_text(os.fsencode(word)) for word in words]
    try:
        line = parse(words, defaults)
        if line.options["help"]:
            complain(usage(program))
            return 0
        if line.options["print-args"]:
            complain(echo([program, *words]))
        if len(line.arguments) not in numbers_of_arguments:
            complain(usage(program))
            return 1
        return work(line)
    except ScoringError as error:
        if isinstance(error, outputs.OutputError):
            raise
        complain(message("ERROR", program, str(error)))
        return KaldiError.status


def _compute_wer(line: CommandLine) -> int:
    from scoring.peers.kaldi.programs import error_rates

    warn = _warner("compute-wer")
    reference, hypothesis = line.arguments
    mode, run_commands = str(line.options["mode"]), bool(line.options[RUN_COMMANDS])
    score = error_rates(reference, hypothesis, mode, warn, run_commands=run_commands)
    _show([to_bytes(score.text())])
    return 0


def _compute_wer_bootci(line: CommandLine) -> int:
    from scoring.peers.kaldi.programs import bootstrap_text

    reference, *hypotheses = line.arguments
    replications, warn = int(line.options["replications"]), _warner("compute-wer-bootci")
    mode, run_commands = str(line.options["mode"]), bool(line.options[RUN_COMMANDS])
    text = bootstrap_text(
        reference, hypotheses, mode, replications, warn, run_commands=run_commands
    )
    _show([to_bytes(text)])
    return 0


def _align_text(line: CommandLine) -> int:
    from scoring.peers.kaldi.programs import align_tables
    from scoring.peers.kaldi.tables import Wspecifier

    first, second, target = line.arguments
    wspecifier = Wspecifier.parse(target)
    inputs = [source.partition(":")[2] for source in (first, second)]
    for location in (wspecifier.archive, wspecifier.script or ""):
        if location not in ("", "-") and not location.startswith("|"):
            outputs.refuse_input(location, inputs)
    table = align_tables(
        first,
        second,
        str(line.options["special-symbol"]),
        _warner("align-text"),
        run_commands=bool(line.options[RUN_COMMANDS]),
    )
    contents = wspecifier.contents(table.lines(str(line.options["separator"])))
    failure = table.failure
    try:
        _put(wspecifier.archive, contents[0])
        if wspecifier.script is not None:
            _put(wspecifier.script, contents[1])
    except KaldiError as problem:
        failure = failure or problem
    if failure is not None:
        raise failure
    done, failed = len(table.keys), table.failed
    complain(message("LOG", "align-text", f"Done {done} sentences, failed for {failed}"))
    return 0 if done else 1


def _put(location: str, content: bytes) -> None:
    """Write to a file, to standard output (`-` or empty), or into a command (`|COMMAND`)."""
    if location in ("", "-"):
        _show([content])
        return
    if location.startswith("|"):
        import subprocess

        done = subprocess.run(to_bytes(location[1:]), shell=True, input=content, check=False)
        if done.returncode:
            raise KaldiError(f"Pipe {location} had nonzero return status {done.returncode}")
        return
    try:
        outputs.write_file(location, [content])
    except outputs.UnopenableError as problem:
        raise KaldiError(f"{location}: cannot be opened for writing: {problem}") from None


def _script(script: str, words: Sequence[str]) -> int:
    """Parse a command line like Kaldi's scripts, process standard input, and return the status."""
    from scoring.nist.transcripts.characters import standard_input
    from scoring.peers.kaldi.details import EncodedText

    specification, arguments, work = _SCRIPTS[script]
    line = getoptions(words, f"{specification} help")
    problem = line.complaints.partition("\n")[0]
    if not problem and "help" in line.options:
        _show([to_bytes(usage(script))])
        return 0
    if not problem and len(line.others) != arguments:
        problem = f"expected {arguments} arguments, found {len(line.others)}"
    if problem:
        complain(byte_text(f"{script}: {problem}\n{usage(script)}".encode(errors="replace")))
        return WRONG_USAGE
    stream = EncodedText.of("<stdin>", b"")
    try:
        stream = EncodedText.of("<stdin>", standard_input())
        complain(f"{script}: {stream.note()}\n")
        lines = list(work(line.options, line.others, stream))
    except InputError as error:
        # parts of the stream may be in the text
        complain(byte_text(f"{script}: {error}\n".encode(stream.encoding, "replace")))
        return KaldiError.status
    _show(text.encode(stream.encoding) for text in lines)
    return 0


def _mark(stream: EncodedText, options: Mapping[str, str], name: str) -> str:
    """Return the mark (such as `***` for no word) that an option sets.

    The mark is decoded in the encoding of the stream.
    """
    return os.fsencode(options.get(name, str(_MARKS[name]))).decode(stream.encoding, "replace")


def _per_utt(options: Mapping[str, str], _: list[str], stream: EncodedText) -> Iterable[str]:
    from scoring.peers.kaldi.details import LINES, ShownLines, per_utterance

    selection = ShownLines(
        _mark(stream, options, "special-symbol"),
        _mark(stream, options, "separator"),
        frozenset(line for line in LINES if options.get(f"output-{line}") != "0"),
    )
    return per_utterance(stream, selection)


def _per_spk(
    options: Mapping[str, str], arguments: list[str], stream: EncodedText
) -> Iterable[str]:
    from scoring.peers.kaldi.details import per_speaker, read_speakers

    try:
        with open(arguments[0], "rb") as file:
            data = file.read()
    except OSError as problem:
        reason = f"Could not open the utt2spk file: {problem.strerror}"
        raise InputError(arguments[0], None, None, reason) from None
    speakers = read_speakers(type(stream).like(stream, arguments[0], data))
    widths = {
        f"{side}_width": int(options[name])
        for side, name in (("speaker", "spk-field-width"), ("field", "field-width"))
        if name in options
    }
    return per_speaker(stream, speakers, **widths)


def _ops(options: Mapping[str, str], _: list[str], stream: EncodedText) -> Iterable[str]:
    from scoring.peers.kaldi.details import operations

    return operations(stream, _mark(stream, options, "special-symbol"))


_MARKS: dict[str, Value] = {"special-symbol": "<eps>", "separator": ";"}
# the options with their defaults, how many arguments there may be, and the function
_PROGRAMS: dict[str, tuple[dict[str, Value], tuple[int, ...], Callable[[CommandLine], int]]] = {
    "compute-wer": ({"mode": "strict", "text": False}, (2,), _compute_wer),
    "compute-wer-bootci": ({"mode": "strict", "replications": 10_000}, (2, 3), _compute_wer_bootci),
    "align-text": (_MARKS, (3,), _align_text),
}
# the options, how many arguments there must be, and the function
_SCRIPTS: dict[str, tuple[str, int, Callable[..., Iterable[str]]]] = {
    "wer_per_utt_details.pl": (
        "special-symbol=s separator=s output-ref! output-hyp! output-ops! output-csid!",
        0,
        _per_utt,
    ),
    "wer_per_spk_details.pl": ("spk-field-width=i field-width=i", 1, _per_spk),
    "wer_ops_details.pl": ("special-symbol=s separator=s", 0, _ops),
}


def _install(words: Sequence[str]) -> int:
    from scoring.cli.nist.sctk import install
    from scoring.peers.kaldi.wrappers import steps_into

    return install("scoring kaldi install", words, steps_into)


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    **{name: partial(_program, name) for name in _PROGRAMS},
    "per-utt": partial(_script, "wer_per_utt_details.pl"),
    "per-spk": partial(_script, "wer_per_spk_details.pl"),
    "ops": partial(_script, "wer_ops_details.pl"),
    "install": _install,
}

if __name__ == "__main__":
    run_command(main)
