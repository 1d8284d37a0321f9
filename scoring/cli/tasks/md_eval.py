"""The `md-eval.pl` command: NIST's diarisation error, option by option and byte by byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from time import localtime
from typing import TYPE_CHECKING, BinaryIO

from formats.console.process import run as run_command
from scoring.alignment import exit_on_signals
from scoring.cli.nist.drop_in import called_as, complain, program, usage
from scoring.cli.nist.nist_arguments import argument_text
from scoring.cli.nist.perl_options import getopts
from scoring.model.errors import OriginalError, ScoringError
from scoring.model.outputs import UnopenableError, write_file, write_to_stream
from scoring.nist.transcripts.characters import to_bytes

if TYPE_CHECKING:
    from scoring.tasks.speakers.evaluation import DiarisationReport, MetadataConditions

PROGRAM = "md-eval.pl"
VERSION = "22"
FLAGS, VALUED = "nhdDwWox1mve", "cRrsStTgpPaAulyYzZM"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
# Metadata that are not scored, by the names of `-Y`.
NOT_SCORED = {
    "DEFAULT": ("LEXEME/un-lex", "NOSCORE/<na>", "SU/unannotated"),
    "MIN": ("NOSCORE/<na>", "SU/unannotated"),
    "FRAG_UNLEX": ("LEXEME/frag", "LEXEME/un-lex", "NOSCORE/<na>", "SU/unannotated"),
    "FRAG": ("LEXEME/frag", "NOSCORE/<na>", "SU/unannotated"),
    "NONE": (),
}
USAGE = usage("md-eval.pl")
# What the options name that may only be called DEFAULT, or as above.
CONDITIONS = {
    "y": "no-eval conditions for metadata",
    "Y": "no-score conditions for metadata",
    "z": "no-score conditions for speaker diarization",
    "Z": "no-score conditions for speaker diarization",
}
# Types by what they are excluded from: evaluating metadata, evaluating and scoring speakers.
EXCLUDED = {
    **{
        f"NON-LEX/{kind}": ("", "", "X")
        for kind in ["breath", "cough", "laugh", "lipsmack", "other", "sneeze"]
    },
    "NOSCORE/<na>": ("X", "X", "X"),
    "NO_RT_METADATA/<na>": ("X", "", ""),
}


class CommandLineError(OriginalError):
    """A command line that md-eval rejects."""

    status = 255

    def __init__(self, problem: str) -> None:
        super().__init__(f"\nCOMMAND LINE ERROR:  {problem}{USAGE}")


@program(PROGRAM)
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Score diarisation: which speaker speaks when.

    After an error that NIST's md-eval also reports, the exit status is Perl's (255 or errno).
    """
    from scoring.tasks.speakers.evaluation import DiarisationReport

    texts = list(map(argument_text, arguments))
    now = localtime()
    hours = ":".join(f"{part:02d}" for part in now[3:6])
    stamp = f"{now.tm_year} {MONTHS[now.tm_mon - 1]} {now.tm_mday} at {hours}"
    name = argument_text(called_as(PROGRAM, arguments))
    report = DiarisationReport()
    report.text.append(
        f"command line (run on {stamp}) Version: {VERSION}  {name} {' '.join(texts)}\n"
    )
    given = getopts(texts, FLAGS, VALUED)
    complain(given.complaints)
    try:
        _evaluate(given.options, report)
    except OriginalError as error:
        error.output = "".join(report.text)
        raise
    except ScoringError:
        write_to_stream(output, [to_bytes("".join(report.text))])
        raise
    else:
        write_to_stream(output, [to_bytes("".join(report.text))])
    finally:
        # an error of the data, too, comes after what was found until then
        for text in report.remarks:
            complain(f"{text}\n")


# Entry point of the installed command.
run = partial(run_command, main, exit_on_signals=exit_on_signals)


def _evaluate(options: dict[str, str], report: DiarisationReport) -> None:
    from scoring.tasks.speakers.evaluation import Conditions
    from scoring.tasks.speakers.md_eval import evaluate
    from scoring.tasks.speakers.md_eval_records import died, read_glm, read_rttm, read_uem

    if "h" in options:
        raise died(f"\n{USAGE}")
    for is_wrong, problem in _problems(options):
        if is_wrong:
            raise CommandLineError(problem)
    # as the original does, so that a folder looks the same after an error in the data
    _write_mapping(options, report)
    for letter, kind in CONDITIONS.items():
        names = NOT_SCORED if letter == "Y" else ("DEFAULT",)
        if options.get(letter) and options[letter] not in ("0", *names):
            raise CommandLineError(
                f"unknown name ({options[letter]}) of {kind}, available: {', '.join(sorted(names))}"
            )
    report.text.extend(_parameters(options))
    parts = read_glm(options["g"], USAGE) if "g" in options else {}
    has_words = bool({"w", "W", "e"} & options.keys())
    reference, hypothesis = (
        read_rttm(_names(options, one, many), USAGE, parts, needs_records=has_words)
        for one, many in ("rR", "sS")
    )
    regions = read_uem(options["u"], "n" in options, USAGE) if "u" in options else {}
    conditions = Conditions(
        collar=_number(options, "c", 0.0),
        single="1" in options,
        by=options.get("a", ""),
        show_mapping="m" in options,
        show_segments="v" in options,
        writes_mapping=bool(options.get("M")),
        metadata=_metadata_conditions(options),
    )
    try:
        evaluate(reference, hypothesis, regions, conditions, report)
    finally:
        if report.mapping:
            _write_mapping(options, report)


def _metadata_conditions(options: dict[str, str]) -> MetadataConditions:
    """Return the conditions under which metadata are scored, from the options."""
    from scoring.tasks.speakers.evaluation import MetadataConditions

    by_words = "W" in options
    not_evaluated = [pair for pair, marks in EXCLUDED.items() if marks[0]]
    not_scored = NOT_SCORED.get(options.get("Y", ""), NOT_SCORED["DEFAULT"])
    kinds = (
        frozenset((kind, subtype) for kind, _, subtype in (pair.partition("/") for pair in pairs))
        for pairs in (not_evaluated, not_scored)
    )
    return MetadataConditions(
        by_alignment="w" in options,
        by_words=by_words,
        per_speaker="o" in options,
        word_gap=_number(options, "t", 1.0),
        gap=0.1 if by_words else _number(options, "T", 1.0),
        longest_unit=_number(options, "l", 2.0 if by_words else 0.5),
        word_margin=_number(options, "p", 10.0 if "w" in options else 1.0),
        margin=_number(options, "P", 10.0 if by_words else 1.0),
        without_complex="x" in options,
        not_evaluated=next(kinds),
        not_scored=next(kinds),
        words_by=options.get("A", ""),
        show_words="d" in options,
        show_events="D" in options,
        show_chronology="e" in options,
    )


def _problems(options: dict[str, str]) -> Iterator[tuple[bool, str]]:
    for letter, many, side in (("r", "R", "reference"), ("s", "S", "system output")):
        yield not {letter, many} & options.keys(), f"no {side} data specified"
        both = f"both {side} file list and {side} file specified"
        yield {letter, many} <= options.keys(), both
    by_word = "W" in options
    extent, limit = _number(options, "l", 2 if by_word else 0.5), "SU extent limit must be"
    yield by_word and extent < 1, f"{limit} at least 1 for word-based MD alignment"
    yield extent <= 0, f"{limit} positive for time-based MD alignment"
    collar = f"Speaker Diarization scoring collar ('{options.get('c')}')"
    yield not _number(options, "c", 0.0) >= 0, f"{collar} must be non-negative"
    for letter in "tTpP":
        _number(options, letter, 0.0)


def _write_mapping(options: dict[str, str], report: DiarisationReport) -> None:
    from scoring.tasks.speakers.md_eval_records import died

    if options.get("M"):
        heading = "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n"
        try:
            write_file(options["M"], [to_bytes(line) for line in (heading, *report.mapping)])
        except UnopenableError as error:
            cause = error.__cause__ or error.__context__
            raise died(
                f"Error: Unable to open speaker map CSV file '{options['M']}' for write\n",
                getattr(cause, "errno", None) or 2,
            ) from None


def _number(options: dict[str, str], letter: str, default: float) -> float:
    from scoring.tasks.speakers.md_eval_records import NUMBER

    given = options.get(letter)
    if given is None:
        return default
    text = given.strip(" \t\n\r\f\v")  # as Perl reads a number
    if NUMBER.fullmatch(text) is None or not abs(float(text)) < 2**33:
        raise CommandLineError(f"-{letter}: expected a number, found '{given}'")
    return float(text)


def _names(options: dict[str, str], one: str, many: str) -> list[str]:
    from scoring.tasks.speakers.md_eval_records import content_of, said_in

    if one in options:
        return [options[one]]
    lines = said_in(content_of(options[many], "file list", USAGE))
    return [line.strip(" \t\n\r\f\v") for _, line in lines]


def _parameters(options: dict[str, str]) -> list[str]:
    """Return the lines that print md-eval's parameters and the tables of exclusions."""
    not_scored = NOT_SCORED.get(options.get("Y", ""), NOT_SCORED["DEFAULT"])
    rows = []
    for pair in sorted({*EXCLUDED, *not_scored}, key=lambda pair: pair.split("/")):
        (kind, subtype), marks = pair.split("/"), EXCLUDED.get(pair, ("", "", ""))
        scored = "X" if pair in not_scored else ""
        rows.append(
            f"{kind:>15}/{subtype:<14}{marks[0]:>3}{scored:>10}{marks[1]:>16}{marks[2]:>10}\n"
        )
    alignment = "Time-based metadata alignment"
    if "w" in options:
        gap = options.get("t", "1")
        alignment = f"Word-based metadata alignment, max gap between matching words = {gap} sec"
    by, gap, extent, unit = "time", options.get("T", "1"), "0.5", "sec"
    if "W" in options:
        by, gap, extent, unit = "word", "0.1", "2", "words"
    names = "".join(
        f"{options.get(letter, 'DEFAULT'):>{width}}"
        for letter, width in (("y", 12), ("Y", 11), ("z", 15), ("Z", 11))
    )
    return [
        f"\n{alignment}\n\nMetadata evaluation parameters:\n"
        f"    {by}-optimized metadata mapping\n"
        f"        max gap between matching metadata events = {gap} {unit}\n"
        f"        max extent to match for SU's = {options.get('l', extent)} {unit}\n"
        "\nSpeaker Diarization evaluation parameters:\n"
        "    The max time to extend no-score zones for NON-LEX exclusions is 0.5 sec\n"
        f"    The no-score collar at SPEAKER boundaries is {options.get('c', '0')} sec\n"
        "\nExclusion zones for evaluation and scoring are:\n"
        f"{'-----MetaData-----':>47}        -----SpkrData-----\n"
        f"     exclusion set name:{names}\n"
        "     token type/subtype      no-eval   no-score        no-eval   no-score\n"
        f"             (UEM){'X':>15}{'X':>26}\n",
        *rows,
    ]


if __name__ == "__main__":
    run()
