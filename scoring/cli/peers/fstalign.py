"""The command `fstalign wer`, with the options, last lines and JSON log of fstalign 1.13.

Exit status: 0 success, 1 no command or bad input, 2 wrong usage.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from inspect import signature
from typing import Any, NoReturn

from formats.console.command_parser import CommandParser
from formats.console.process import ended
from formats.console.process import run as run_command
from formats.io.sink import open_sink
from formats.schema.errors import FormatError, message_line
from scoring.cli.flags import add_commands
from scoring.model.errors import OptionValueError, ScoringError
from scoring.peers.fstalign import wer

PROGRAM = "fstalign"
BAD_INPUT = 1
OPTIONS = """
-r --ref <REF  reference: nlp and ctm by suffix, others are plain text
--hyp <HYP  hypothesis, likewise
--ref-json <FILE  further wordings of entities of an nlp reference
-s --syn <FILE  synonyms
--disable-cutoffs  with the next option: words with hyphens are right only as they are
--disable-hyphen-ignore  see above
--use-punctuation  marks after tokens of nlp files are words
--use-case  words of other case differ
--speaker-switch-context N  words of a window around a change of the speaker (default: 5)
--pr_threshold N  least occurrences of a listed word or pair of words (default: 0)
--json-log >FILE  write the numbers as JSON
--log >FILE  also write the printed lines to a file
--composition-approach {standard,adapted}  no effect: the fewest errors are always found
--disable-approx-alignment  no effect, likewise
--numbests N  no effect, likewise
--levenstein-max-error-streak N  no effect, likewise
"""
# The options that `wer` takes; the others steer fstalign's search, or name outputs.
TAKEN = tuple(signature(wer).parameters)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `fstalign`; return the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        return ended(lambda: _wer(arguments), _complain, lost=BAD_INPUT)
    except (FormatError, ScoringError, OptionValueError) as problem:
        _complain(problem)
        return BAD_INPUT


def run() -> NoReturn:
    """Run the command and end the process."""
    run_command(main)


def _parser() -> CommandParser:
    parser = CommandParser(prog=PROGRAM, description="Word error rates as fstalign counts them.")
    whole: dict[str, Any] = {"type": int}
    add_commands(
        parser,
        {"wer": (wer, "word error rate between two files", OPTIONS)},
        REF={"required": True, "metavar": "REF"},
        HYP={"required": True, "metavar": "HYP"},
        speaker_switch_context=whole | {"default": 5},
        pr_threshold=whole | {"default": 0},
        numbests=whole,
        levenstein_max_error_streak=whole,
    )
    return parser


def _wer(argv: Sequence[str]) -> int:
    options = vars(_parser().parse_args(argv))
    numbers = wer(**{name: options[name] for name in TAKEN})
    text = "".join(f"{line}\n" for line in _lines(numbers["wer"]))
    log = json.dumps(numbers, indent="\t") + "\n"
    for name, written in (("json_log", log), ("log", text)):
        if options[name]:
            with open_sink(options[name]) as sink:
                sink.write(written)
    sys.stdout.write(text)
    return 0


def _lines(numbers: dict[str, Any]) -> Iterator[str]:
    """Yield the last lines that fstalign prints."""
    head = f"[+++] [{datetime.now():%H:%M:%S}] [wer]"
    best = numbers["bestWER"]
    yield f"{head} best WER: {_rate(best)} (Total words in reference: {_words(best)})"
    kinds = ("insertions", "deletions", "substitutions")
    counts = " ".join(f"{kind[:3].upper()}:{best[kind]}" for kind in kinds)
    yield f"{head} best WER: {counts}"
    yield f"{head} best WER: Precision:{_fixed(best['precision'], 6)} " + (
        f"Recall:{_fixed(best['recall'], 6)}"
    )
    width = max(map(len, numbers["classWER"]), default=0)
    for name, part in numbers["classWER"].items():
        yield f"{head} class {name:{width}} WER: {_rate(part)}"
    if near := numbers.get("speakerSwitchWER"):
        total = f"(Total reference words: {_words(near)})"
        yield f"{head} Speaker switch WER: {_rate(near)} {total}"
    for name, part in numbers.get("speakerWER", {}).items():
        yield f"{head} speaker {name} WER: {_rate(part)}"
    for name, part in numbers.get("wer_tag", {}).items():
        yield f"{head} Wer Entity ID {name} WER: {_rate(part)}"


def _words(part: dict[str, Any]) -> int:
    words: int = part["numWordsInReference"]
    return words


def _rate(part: dict[str, Any]) -> str:
    return f"{part['numErrors']}/{_words(part)} = {_fixed(part['wer'], 4)}"


def _fixed(number: float | None, decimals: int) -> str:
    return "n/a" if number is None else f"{number:.{decimals}f}"


def _complain(text: object) -> None:
    print(message_line(f"{PROGRAM}: {text}"), file=sys.stderr)
