"""The `scoring` command, whose subcommands are all commands except the drop-in programs.

Exit status: see `formats.console.command_line.EXIT_STATUS`. Messages go to standard error, one per
line.
"""

from __future__ import annotations

import sys

from formats.console.process import ended
from formats.console.process import run as run_command
from formats.schema import module_named
from formats.schema.messages import WARNING, Entry, Message
from scoring.alignment import exit_on_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from formats.schema.remarks import AnyMessage

OK, USAGE, BAD_INPUT, EXCEEDED = 0, 2, 2, 3

# In which module they are, and the function from arguments to exit status unless it is `main`.
COMMANDS = {
    "wer": ("scoring.cli.wer", "word error rates of hypotheses"),
    "cer": ("scoring.cli.wer:cer", "character error rates of hypotheses"),
    "oracle": ("scoring.cli.oracle", "the best choice from n-best lists, and what correctors did"),
    "diff": ("scoring.cli.two_sides:diff", "words that differ, for reading"),
    "measures": ("scoring.cli.measures", "further measures, with their definitions"),
    "explain": ("scoring.cli.explain", "what each field of a signature means"),
    "beer": ("scoring.cli.two_sides:beer", "error rates of names and other entities"),
    "der": ("scoring.cli.tasks.der", "diarisation error: missed, false and confused speaker time"),
    "per": ("scoring.cli.tasks.per", "phoneme error rates, with a lexicon"),
    "kws": ("scoring.cli.tasks.kws", "keyword search, as in the OpenKWS evaluations"),
    "normalize": ("scoring.cli.normalize", "normalised texts, and how each step changes errors"),
    "recipes": ("scoring.cli.recipes", "frozen recipes of published numbers, for --like"),
    "verdicts": ("scoring.cli.verdicts", "differences to judge by hand, for `wer --verdicts`"),
    "merge": ("scoring.cli.wer:merge", "merge the parts (shards) that `wer` scored"),
    "compare": (
        "scoring.cli.regression.compare",
        "a new system against a baseline, with a threshold",
    ),
    "gate": ("scoring.cli.regression.gate", "a gate over several sets, with one verdict"),
    "bench": ("scoring.cli.regression.bench", "a ranking of systems over several test sets"),
    "history": (
        "scoring.cli.regression.history",
        "recorded runs: list them, show trends, compare them",
    ),
    "kaldi": ("scoring.cli.peers.kaldi", "Kaldi's scoring programs"),
    "sctk": ("scoring.cli.nist.sctk", "NIST's programs (SCTK), under their own names"),
    "events": (
        "scoring.cli.tasks.labels:events",
        "labelled events or keywords: correct, missed, false",
    ),
    "segments": (
        "scoring.cli.tasks.labels:segments",
        "labelled segments: seconds correct and wrong",
    ),
    "compat": (
        "scoring.cli.peers.compat",
        "packages named jiwer, benchmarkstt and so on that run ours",
    ),
    "conformance": (
        "scoring.cli.peers.conformance",
        "check any scorer against the results of the originals",
    ),
    "serve": ("scoring.serve.command", "a service for programs (JSON-RPC)"),
    "ui": ("scoring.serve.browser.command", "a page in the browser: score, convert, check files"),
    "docs": ("scoring.cli.docs", "pages of the manual, and the demo files they use"),
}
HELP = ("-h", "--help", "--help-all")
VERSION = "--version"
PARSER_REFUSED = 2


def run() -> NoReturn:
    """Run as the installed command.

    Nothing of the commands for scores has to be removed by a handler of signals in Python.
    """
    is_score = sys.argv[1:2] in (["wer"], ["cer"])
    run_command(main, exit_on_signals=exit_on_signals if is_score else None)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return ended(lambda: _run(arguments), say, lost=BAD_INPUT)


def _run(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    if not arguments or arguments[0] in HELP:
        from scoring.cli.overview import print_usage

        print_usage(COMMANDS)
        return OK if arguments else USAGE
    if arguments[0] == VERSION or arguments[1:] == [VERSION]:
        from formats.console.command_line import NAME_AND_VERSION

        print(NAME_AND_VERSION)
        if arguments[1:] == ["--verbose"]:
            from scoring.cli.overview import installed

            print(*installed(), sep="\n")
        return OK
    if arguments[0] not in COMMANDS:
        from scoring.cli.overview import print_unknown

        print_unknown(arguments[0], COMMANDS)
        return USAGE
    from formats.console.telling import start_telling

    start_telling()  # until the parser of the command sets it
    from formats.schema.errors import FormatError, OptionError, SyntaxFormatError
    from scoring.model import errors
    from scoring.model.errors import InputError, ScoringError, UnscoredHypothesisWarning

    before, errors.unissued = errors.unissued, (UnscoredHypothesisWarning,)  # remarks report them
    try:
        return _with_progress(lambda: command_named(arguments[0])(arguments[1:]))
    except SystemExit as leaving:
        # the parser of arguments leaves so; a signal does with a code above 128
        if leaving.code == PARSER_REFUSED:
            return USAGE
        if leaving.code in (0, None):
            return OK
        raise
    except OptionError as error:
        say(str(error), error)
        return USAGE
    except FormatError as error:
        say(str(error), error)
        return BAD_INPUT
    except InputError as error:
        line, column = error.line, error.column
        text, value = error.problem, error.value
        say(
            str(error),
            SyntaxFormatError(text, path=error.path, line=line, column=column, value=value),
        )
        return BAD_INPUT
    except ScoringError as error:
        say(str(error).rstrip("\n"), error.value)
        return BAD_INPUT
    finally:
        errors.unissued = before


def command_named(name: str) -> Callable[[Sequence[str]], int]:
    """Return the function of a command, from arguments to exit status."""
    module, _, function = COMMANDS[name][0].partition(":")
    command: Callable[[Sequence[str]], int] = getattr(module_named(module), function or "main")
    return command


def _with_progress(command: Callable[[], int]) -> int:
    """Run a command and return its exit status; on a terminal, show its progress."""
    if sys.stderr is None or not sys.stderr.isatty():
        return command()
    from formats.cli.progress import shown_work

    with shown_work():
        return command()


def say(text: str | Message, value: AnyMessage | None = None) -> None:
    """Print a line to standard error, even if the flags ask for less output."""
    from formats.console.telling import say as print_text

    print_text("scoring", text, value)


def tell(message: AnyMessage, name: str = "") -> None:
    """Print a message; a remark is skipped if the flags ask for less output."""
    from formats.console.telling import tell as print_message

    print_message("scoring", message, name)


def warn(text: str) -> None:
    """Print a warning of a library or of the calling program."""
    tell(Message(Entry("WARNING", WARNING, "{text}"), {"text": text}))


if __name__ == "__main__":
    run()
