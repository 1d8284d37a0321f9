"""The command line of hubscr: its one-letter options, checked in order.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable

from scoring.cli.nist.drop_in import Checks, usage
from scoring.cli.nist.nist_arguments import argument_text
from scoring.cli.nist.perl_options import PerlOptions
from scoring.nist.hub.hubscr import HUBS, LANGUAGES, SORTERS, HubscrOptions, Hypothesis
from scoring.nist.hub.lines import leading_number
from scoring.nist.hub.rttm_tools import DIED, DiedError

VERSION = "0.20"
USAGE = usage("hubscr.pl")
EXPLAIN = "--explain"
TEXTS = {"--help": USAGE, "--version": f"hubscr.pl Version: {VERSION}\n"}
FLAGS, VALUED = "VGaCHTdvR:", "lhrgLneKwpomfFuMB"
_AMOUNT = r"(?:\d+\.?|\d*\.\d+)"
_LIMITS = re.compile(rf"({_AMOUNT})(?::({_AMOUNT}))?", re.ASCII)
MISSING = 2


def parse(
    given: PerlOptions, say: Callable[[str], None], complain: Callable[[str], None]
) -> HubscrOptions:
    """Return the options of a run; raise an error for the first fault.

    Faults are searched in the order of NIST's hubscr.pl. `given` is the result of `getopts`; `say`
    and `complain` print byte text.
    """
    options = given.options
    memory, difficulty = _limits(options.get("m"), say)
    language, hub = (
        os.fsencode(options.get(letter, "")).lower().decode("latin-1") for letter in "lh"
    )
    lexicon, by_asclite = options.get("L", ""), "a" in options
    for is_wrong, problem in _scoring(options, language, memory):
        _refuse(is_wrong, problem)
    _refuse("h" not in options, "Hub defintion required via -h")
    _refuse(hub not in HUBS, f"Undefined Hub '{hub}'")
    _refuse("r" not in options, "Reference file defintion required via -r")
    _need_file(options["r"], "Unable to access reference file '{}'")
    _refuse(not given.others, "Hypothesis files required")
    hypotheses = tuple(map(Hypothesis.parse, given.others))
    for hypothesis in hypotheses:
        _need_file(hypothesis.path, "Unable to access hypothesis file '{}'")
    _check_resources(options, language, lexicon, complain)
    is_rttm = options.get("f") == "rttm"
    _refuse(hub == "sastt" and not is_rttm, "SASTT hub requires RTTM hyp file input")
    _refuse(hub == "sastt" and not by_asclite, "SASTT only works with ASCLITE")
    overlap = options.get("o")
    parsed = HubscrOptions(
        reference=options["r"],
        hypotheses=hypotheses,
        map=options["g"],
        language=language,
        hub=hub,
        reference_format=options.get("F", "stm"),
        hypothesis_format=options.get("f", "ctm"),
        lexicon=lexicon,
        articles="d" not in options,
        hamza="H" in options,
        tanween="T" in options,
        by_asclite=by_asclite,
        overlap=None if overlap is None or _number(overlap) == -1 else overlap,
        memory=memory,
        difficulty=difficulty,
        compressed="C" in options,
        block_size=options.get("B", "256"),
        drawn="G" in options,
        paths=options.get("p", ""),
        language_model=options.get("K", ""),
        weights=options.get("w", ""),
        root=options.get("n", ""),
        description=options.get("e", ""),
        regions=options.get("u", ""),
        metadata_arguments=options.get("M", "-nafcs -c 0.25 -o"),
        validated="V" not in options,
        verbose="v" in options,
    )
    _check_what_the_original_does_not(parsed)
    return parsed


def _limits(text: str | None, say: Callable[[str], None]) -> tuple[str, str | None]:
    if text is None:
        return "1", None
    match = _LIMITS.fullmatch(text)
    if match is None:
        raise DiedError(f"Failed to parse -m option value '{argument_text(text)}'\n")
    memory, difficulty = match.groups()
    if difficulty is not None and float(difficulty) < float(memory):
        say(
            f"Warning: Difficulty Limit({difficulty}) is less than the MemoryLimit({memory}).  "
            "Did you want to do both?\n"
        )
    return memory, difficulty


def _scoring(options: dict[str, str], language: str, memory: str) -> Checks:
    yield "g" not in options, "GLM file required via -g option"
    _need_file(options["g"], "Unable to stat GLM file '{}'")
    yield "l" not in options, "Language defintion required via -l"
    yield language not in LANGUAGES, f"Undefined language '{language}'"
    for letter, filtering in (("H", "Hamza normalization"), ("T", "Tanween filtering")):
        if language != "arabic" and letter in options:
            raise DiedError(f"Error: {filtering} only applies to Arabic data\n")
    if "a" in options:
        yield language != "english", "Asclite is working only with english"
        return
    overlap = _number(options.get("o", "-1"))
    yield overlap >= 0, "Overlap scoring (-o) is working only with asclite"
    yield float(memory) != 1, "Memory Limit (-m) is working only with asclite"


def _check_resources(
    options: dict[str, str], language: str, lexicon: str, complain: Callable[[str], None]
) -> None:
    if lexicon and language not in ("german", "arabic"):
        complain(f"Warning: LDC lexicon option '-L {argument_text(lexicon)}' ignored!!!!\n")
    if language == "german" and "d" not in options:
        # the original refuses it even if the file is there
        _need_file(lexicon, "Unable to access LDC Lexicon file '{}'")
    if language == "arabic" and "d" not in options and not lexicon:
        # the original goes on with empty files
        raise DiedError("Error: Arabic articles are split by a lexicon: expected -L FILE, or -d\n")
    _refuse({"M", "w"} <= options.keys(), "Unable to use both -M and -w")
    if "w" in options:
        _need_file(options["w"], "WWL file '{}' not found")
    path = options.get("p", ".")
    if not path or re.search(r"\s", path):
        raise DiedError(f"Error: Path not formatted properly '{argument_text(path)}'\n")


def _check_what_the_original_does_not(options: HubscrOptions) -> None:
    """Reject unknown formats, and arguments that no shell can split.

    NIST's hubscr.pl would run an unknown format as a command.
    """
    for letter, form in (("-f", options.hypothesis_format), ("-F", options.reference_format)):
        if form not in SORTERS:
            expected = f"expected a format of {', '.join(SORTERS)}"
            raise DiedError(f"Error: {letter}: {expected}, found '{argument_text(form)}'\n")
    try:
        shlex.split(options.metadata_arguments)
    except ValueError as problem:
        text = argument_text(options.metadata_arguments)
        raise DiedError(f"Error: -M: expected arguments, found '{text}': {problem}\n") from None


def _need_file(path: str, message: str) -> None:
    _refuse(not os.path.isfile(path), message.format(argument_text(path)), MISSING)


def _refuse(is_wrong: bool, problem: str, status: int = DIED) -> None:
    if is_wrong:
        raise DiedError(f"{USAGE}\nError: {problem}\n", status=status)


def _number(text: str) -> float:
    return leading_number(os.fsencode(text))
