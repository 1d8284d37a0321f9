"""`scoring kaldi …`: Kaldi's scoring tools, option by option and byte by byte.

compute-wer, compute-wer-bootci, align-text    Kaldi's programs of these names
per-utt, per-spk, ops                          wer_per_utt_details.pl, wer_per_spk_details.pl,
                                               wer_ops_details.pl
install --into KALDI_ROOT                      puts ours in the place of the originals in a tree
install-wrappers DIRECTORY                     writes files of the original names that run ours
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NoReturn

from formats.process import abandon_output, ended
from formats.process import run as run_command
from scoring.cli.drop_in import complain, usage
from scoring.cli.output import standard_output
from scoring.compat.kaldi.messages import KaldiError, ScriptUsageError, Warn, message
from scoring.errors import InputError, ScoringError
from scoring.nist.report import report_files
from scoring.nist.transcripts.characters import byte_text, to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.compat.kaldi.options import CommandLine, Value
    from scoring.compat.kaldi.streams import EncodedText

WRONG_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run `scoring kaldi` with the words after it; the exit status.

    Kaldi's programs: 0 done, 1 wrong usage or nothing aligned, 255 an error. Scripts: 0, 2 wrong
    usage, 255 bad input. 2 also for a name that is none of them, and if output could not be
    written, 130 after an interruption.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = f"scoring kaldi {words[0]}" if words and words[0] in _COMMANDS else "scoring kaldi"

    def say(text: str) -> None:
        complain(f"{name}: {text}\n")

    def work() -> int:
        try:
            return _run(words)
        except report_files.OutputError as error:
            abandon_output()
            say(str(error))
            return error.status

    return ended(work, say, lost=report_files.OutputError.status)


def _run(words: Sequence[str]) -> int:
    command = _COMMANDS.get(words[0]) if words else None
    if command is None:
        from formats.command_line import EXIT_STATUS, closest

        text = f"{usage('kaldi')}\nPrograms end as Kaldi's do, the installers so:\n\n{EXIT_STATUS}"
        if words and words[0] in ("-h", "--help"):
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
    report_files.write_to_stream(standard_output(), chunks)


def _program(program: str, words: Sequence[str]) -> int:
    """Read a command line as Kaldi's programs do, repeat it, and do the work."""
    from scoring.compat.kaldi.options import echo, parse

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
        if isinstance(error, report_files.OutputError):
            raise
        complain(message("ERROR", program, str(error)))
        return KaldiError.status


def _compute_wer(line: CommandLine) -> int:
    from scoring.compat.kaldi.compute_wer import error_rates

    warn = _warner("compute-wer")
    reference, hypothesis = line.arguments
    _show([to_bytes(error_rates(reference, hypothesis, line.text("mode"), warn).text())])
    return 0


def _compute_wer_bootci(line: CommandLine) -> int:
    from scoring.compat.kaldi.compute_wer import bootstrap_text

    reference, *hypotheses = line.arguments
    replications, warn = line.number("replications"), _warner("compute-wer-bootci")
    text = bootstrap_text(reference, hypotheses, line.text("mode"), replications, warn)
    _show([to_bytes(text)])
    return 0


def _align_text(line: CommandLine) -> int:
    from scoring.compat.kaldi.align_text import align_tables
    from scoring.compat.kaldi.tables import Wspecifier

    first, second, target = line.arguments
    wspecifier = Wspecifier.parse(target)
    inputs = [source.partition(":")[2] for source in (first, second)]
    for location in (wspecifier.archive, wspecifier.script or ""):
        if location not in ("", "-") and not location.startswith("|"):
            report_files.refuse_input(location, inputs)
    table = align_tables(first, second, line.text("special-symbol"), _warner("align-text"))
    contents = wspecifier.contents(table.lines(line.text("separator")))
    failure = table.failure
    try:
        _put(wspecifier.archive, contents[0])
        if wspecifier.script is not None:
            _put(wspecifier.script, contents[1])
    except KaldiError as problem:
        failure = failure or problem
    if failure is not None:
        raise failure
    done, failed = len(table.keys), len(table.failed)
    complain(message("LOG", "align-text", f"Done {done} sentences, failed for {failed}"))
    return 0 if done else 1


def _put(location: str, content: bytes) -> None:
    """Write to a file, to standard output (`-` or nothing), or into a command (`|COMMAND`)."""
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
        report_files.write_file(location, [content])
    except report_files.UnopenableError as problem:
        raise KaldiError(f"{location}: cannot be opened for writing: {problem}") from None


def _script(script: str, words: Sequence[str]) -> int:
    """Read a command line as the scripts do, and send standard input through the work."""
    from scoring.compat.kaldi.long_options import parse
    from scoring.compat.kaldi.streams import EncodedText
    from scoring.nist.transcripts.characters import standard_input

    defaults, arguments, work = _SCRIPTS[script]
    stream = EncodedText.of("<stdin>", b"")
    try:
        options, rest = parse(words, {**defaults, "help": False})
        if options["help"]:
            _show([to_bytes(usage(script))])
            return 0
        if len(rest) != arguments:
            raise ScriptUsageError(f"expected {arguments} arguments, found {len(rest)}")
        stream = EncodedText.of("<stdin>", standard_input())
        complain(f"{script}: {stream.note()}\n")
        lines = list(work(options, rest, stream))
    except (ScriptUsageError, InputError) as error:
        is_usage = isinstance(error, ScriptUsageError)
        # parts of the stream may be in the text
        text = f"{script}: {error}\n{usage(script) if is_usage else ''}"
        complain(byte_text(text.encode(stream.encoding, "replace")))
        return WRONG_USAGE if is_usage else KaldiError.status
    _show(line.encode(stream.encoding) for line in lines)
    return 0


def _like(stream: EncodedText, option: Value) -> str:
    """An option that is a text, decoded as the stream is."""
    return os.fsencode(str(option)).decode(stream.encoding, "replace")


def _per_utt(options: dict[str, Value], _: list[str], stream: EncodedText) -> Iterable[str]:
    from scoring.compat.kaldi.details import LINES, ShownLines, per_utterance

    selection = ShownLines(
        _like(stream, options["special-symbol"]),
        _like(stream, options["separator"]),
        frozenset(line for line in LINES if options[f"output-{line}"]),
    )
    return per_utterance(stream, selection)


def _per_spk(options: dict[str, Value], arguments: list[str], stream: EncodedText) -> Iterable[str]:
    from scoring.compat.kaldi.details import per_speaker, read_speakers

    try:
        with open(arguments[0], "rb") as file:
            data = file.read()
    except OSError as problem:
        reason = f"Could not open the utt2spk file: {problem.strerror}"
        raise InputError(arguments[0], None, None, reason) from None
    speakers = read_speakers(type(stream).like(stream, arguments[0], data))
    speaker_width, width = int(options["spk-field-width"]), int(options["field-width"])
    return per_speaker(stream, speakers, speaker_width=speaker_width, field_width=width)


def _ops(options: dict[str, Value], _: list[str], stream: EncodedText) -> Iterable[str]:
    from scoring.compat.kaldi.details import operations

    return operations(stream, _like(stream, options["special-symbol"]))


_MARKS: dict[str, Value] = {"special-symbol": "<eps>", "separator": ";"}
# The options with their defaults, how many arguments there may be, and what does the work.
_PROGRAMS: dict[str, tuple[dict[str, Value], tuple[int, ...], Callable[[CommandLine], int]]] = {
    "compute-wer": ({"mode": "strict", "text": False}, (2,), _compute_wer),
    "compute-wer-bootci": ({"mode": "strict", "replications": 10_000}, (2, 3), _compute_wer_bootci),
    "align-text": (_MARKS, (3,), _align_text),
}
_SHOWN: dict[str, Value] = {f"output-{line}": True for line in ("ref", "hyp", "ops", "csid")}
_SCRIPTS: dict[str, tuple[dict[str, Value], int, Callable[..., Iterable[str]]]] = {
    "wer_per_utt_details.pl": ({**_MARKS, **_SHOWN}, 0, _per_utt),
    "wer_per_spk_details.pl": ({"spk-field-width": 15, "field-width": 10}, 1, _per_spk),
    "wer_ops_details.pl": (_MARKS, 0, _ops),
}


def _install_wrappers(words: Sequence[str]) -> int:
    from formats.command_line import CommandParser
    from scoring.compat.kaldi.wrappers import install_wrappers

    parser = CommandParser(
        prog="scoring kaldi install-wrappers",
        description="Write files of the original names that run these programs.",
    )
    parser.add_argument("directory", metavar="DIRECTORY", help="where to")
    directory: str = parser.parse_args(words).directory
    try:
        paths = install_wrappers(directory)
    except (ScoringError, OSError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else None
        text = f"{directory}: cannot be written: {reason}" if reason else str(problem)
        complain(byte_text(os.fsencode(f"scoring kaldi install-wrappers: {text}\n")))
        return report_files.OutputError.status
    _show(os.fsencode(path) + b"\n" for path in paths)
    return 0


def _install(words: Sequence[str]) -> int:
    from scoring.cli.sctk import install
    from scoring.compat.kaldi.wrappers import steps_into

    return install("scoring kaldi install", "KALDI_ROOT", words, steps_into)


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    **{name: partial(_program, name) for name in _PROGRAMS},
    "per-utt": partial(_script, "wer_per_utt_details.pl"),
    "per-spk": partial(_script, "wer_per_spk_details.pl"),
    "ops": partial(_script, "wer_ops_details.pl"),
    "install": _install,
    "install-wrappers": _install_wrappers,
}

if __name__ == "__main__":
    run_command(main)
