"""The command line of hubscr: its one-letter options, and what is wrong with them, in order."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable

from scoring.cli.perl_options import Given
from scoring.errors import OriginalError
from scoring.nist.hub.hubscr import HUBS, LANGUAGES, SORTERS, HubscrOptions, Hypothesis
from scoring.nist.hub.lines import leading_number
from scoring.nist.transcripts.characters import byte_text

VERSION = "0.20"
USAGE = f"""\
Usage: hubscr.pl [OPTION ...] -g MAP -l LANGUAGE -h HUB -r REF HYP ...
Version: {VERSION}
Filters a reference and hypotheses by a global map, validates and scores them, and compares the
systems if there are several. A hypothesis is FILE, or 'FILE\\#TITLE\\#OUTPUT'.

    -g FILE             the map (GLM)
    -l LANGUAGE         {" ".join(LANGUAGES)}
    -h HUB              {" ".join(HUBS)}; hub4 and hub5 do the same, rt-stt
                        keeps the lexical records of an extended ctm, sastt scores who spoke, too
    -r FILE             the reference
    -F stm|rttm         its format (stm)
    -f ctm|rttm         the format of the hypotheses (ctm)
    -v                  show the programs that run
    -V                  do not validate what was filtered
    -L FILE             LDC's lexicon, for German and Arabic
    -d -H -T            Arabic: articles stay, hamza is normalised, tanween removed
    -w FILE             weights of words for sclite
    -K FILE             a language model whose entropies weight the words
    -n NAME             root of the names of the reports that compare systems (Ensemble)
    -e TEXT             a description for them
    -a                  align with asclite, English only
    -o N                at most N reference speakers at once
    -m GB[:GB]          limits of memory and difficulty
    -C -B N             compress memory; size of its blocks
    -G                  draw the alignments
    -u FILE             regions for md-eval
    -M ARGUMENTS        other arguments for md-eval (-nafcs -c 0.25 -o)
    -p DIR[:DIR ...]    accepted: all programs are built in
    --explain           print the steps a run would take, and end
    --help, --version   print this, or the version, and end
"""
EXPLAIN, HELP, SHOW_VERSION = "--explain", "--help", "--version"
FLAGS, VALUED = "VGaCHTdvR:", "lhrgLneKwpomfFuMB"
_AMOUNT = r"(?:\d+\.?|\d*\.\d+)"
_LIMITS = re.compile(rf"({_AMOUNT})(?::({_AMOUNT}))?", re.ASCII)
DIED, MISSING = 255, 2


def parse(
    given: Given, say: Callable[[str], None], complain: Callable[[str], None]
) -> HubscrOptions:
    """The options of a run."""
    options, files = given.options, given.others
    memory, difficulty = _limits(options.get("m"), say)
    language, hub = (_lowered(options.get(letter, "")) for letter in "lh")
    lexicon, by_asclite = options.get("L", ""), "a" in options
    _check_language(options, language, memory)
    if "h" not in options:
        raise _refused("Hub defintion required via -h")
    if hub not in HUBS:
        raise _refused(f"Undefined Hub '{hub}'")
    if "r" not in options:
        raise _refused("Reference file defintion required via -r")
    _need_file(options["r"], "Unable to access reference file '{}'")
    if not files:
        raise _refused("Hypothesis files required")
    hypotheses = tuple(map(Hypothesis.parse, files))
    for one in hypotheses:
        _need_file(one.path, "Unable to access hypothesis file '{}'")
    _check_resources(options, language, lexicon, complain)
    if hub == "sastt" and options.get("f") != "rttm":
        raise _refused("SASTT hub requires RTTM hyp file input")
    if hub == "sastt" and not by_asclite:
        raise _refused("SASTT only works with ASCLITE")
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
    found = _LIMITS.fullmatch(text)
    if found is None:
        raise _died(f"Failed to parse -m option value '{_bytes(text)}'")
    memory, difficulty = found.groups()
    if difficulty is not None and float(difficulty) < float(memory):
        say(
            f"Warning: Difficulty Limit({difficulty}) is less than the MemoryLimit({memory}).  "
            "Did you want to do both?\n"
        )
    return memory, difficulty


def _check_language(options: dict[str, str], language: str, memory: str) -> None:
    if "g" not in options:
        raise _refused("GLM file required via -g option")
    _need_file(options["g"], "Unable to stat GLM file '{}'")
    if "l" not in options:
        raise _refused("Language defintion required via -l")
    if language not in LANGUAGES:
        raise _refused(f"Undefined language '{language}'")
    if language != "arabic" and "H" in options:
        raise _died("Error: Hamza normalization only applies to Arabic data")
    if language != "arabic" and "T" in options:
        raise _died("Error: Tanween filtering only applies to Arabic data")
    if "a" in options:
        if language != "english":
            raise _refused("Asclite is working only with english")
        return
    if _number(options.get("o", "-1")) >= 0:
        raise _refused("Overlap scoring (-o) is working only with asclite")
    if float(memory) != 1:
        raise _refused("Memory Limit (-m) is working only with asclite")


def _check_resources(
    options: dict[str, str], language: str, lexicon: str, complain: Callable[[str], None]
) -> None:
    if lexicon and language not in ("german", "arabic"):
        complain(f"Warning: LDC lexicon option '-L {_bytes(lexicon)}' ignored!!!!\n")
    if language == "german" and "d" not in options:
        # the original refuses it even if the file is there
        _need_file(lexicon, "Unable to access LDC Lexicon file '{}'")
    if language == "arabic" and "d" not in options and not lexicon:
        # the original goes on with empty files
        raise _died("Error: Arabic articles are split by a lexicon: expected -L FILE, or -d")
    if "M" in options and "w" in options:
        raise _refused("Unable to use both -M and -w")
    if "w" in options:
        _need_file(options["w"], "WWL file '{}' not found")
    if "p" in options and (not options["p"] or re.search(r"\s", options["p"])):
        raise _died(f"Error: Path not formatted properly '{_bytes(options['p'])}'")


def _check_what_the_original_does_not(options: HubscrOptions) -> None:
    """Formats it would take for programs, and arguments no shell can cut up."""
    for letter, value in (("-f", options.hypothesis_format), ("-F", options.reference_format)):
        if value not in SORTERS:
            known = ", ".join(SORTERS)
            raise _died(f"Error: {letter}: expected a format of {known}, found '{_bytes(value)}'")
    try:
        shlex.split(options.metadata_arguments)
    except ValueError as problem:
        found = _bytes(options.metadata_arguments)
        raise _died(f"Error: -M: expected arguments, found '{found}': {problem}") from None


def _need_file(path: str, message: str) -> None:
    if not os.path.isfile(path):
        raise _refused(message.format(_bytes(path)), MISSING)


def _refused(message: str, status: int = DIED) -> OriginalError:
    return _died(f"{USAGE}\nError: {message}", status)


def _died(text: str, status: int = DIED) -> OriginalError:
    error = OriginalError(f"{text}\n")
    error.status = status
    return error


def _number(text: str) -> float:
    return leading_number(os.fsencode(text))


def _lowered(text: str) -> str:
    return byte_text(os.fsencode(text).lower())


def _bytes(text: str) -> str:
    return byte_text(os.fsencode(text))
