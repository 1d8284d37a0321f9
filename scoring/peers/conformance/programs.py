"""Programs that answer vectors (test cases): the installed programs of others, such as sclite.

Each program takes vectors without expected values. The answer to an unsupported vector has the
member `unsupported`, which names the reason.
"""

from __future__ import annotations

import logging
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from scoring.model.errors import ScoringError
from scoring.peers.conformance.vectors import Answer, Program, Vector

Flags: TypeAlias = tuple[str, ...]
EPSILON = "\0"
# sclite's flags for options of vectors.
FLAGS = {
    ("case", "exact"): "-s",
    ("fragments", True): "-F",
    ("optional", True): "-D",
    ("times", True): "-T",
    ("unit", "char"): "-c",
    ("unit", "char, ASCII words whole"): "-c NOASCII",
    ("unit", "char, without hyphens"): "-c DH",
    ("encoding", "utf-8"): "-e utf-8",
}
_PLACE = re.compile(rb'([CSDI]),(?:"[^"]*")?,(?:"[^"]*")?')
_PATH = re.compile(rb'<PATH id="\(([^"]*?)\)"[^>]*>\n(.*)\n')
# Of each member what md-eval calls it.
_FIGURES = {
    "scored": "SCORED SPEAKER TIME",
    "missed": "MISSED SPEAKER TIME",
    "false_alarm": "FALARM SPEAKER TIME",
    "confusion": "SPEAKER ERROR TIME",
}


def batched(
    flags_of: Callable[[Vector], Flags | str],
    answers: Callable[[Flags, list[Vector]], Iterator[Answer]],
) -> Program:
    """Return a program that groups the vectors by flags, and answers each group in one run.

    `flags_of` returns the flags of a vector, or a text with the reason why it is unsupported.
    """

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        batches: dict[Flags, list[Vector]] = {}
        for vector in vectors:
            flags = flags_of(vector)
            if isinstance(flags, str):
                yield {"id": vector["id"], "unsupported": flags}
            else:
                batches.setdefault(flags, []).append(vector)
        for flags, batch in batches.items():
            yield from answers(flags, batch)

    return run


def single(answer: Callable[[Vector], Answer | str]) -> Program:
    """Return a program that calls `answer` for each vector.

    If `answer` returns a text, the text is the reason why the vector is unsupported.
    """

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        for vector in vectors:
            members = answer(vector)
            named = {"unsupported": members} if isinstance(members, str) else members
            yield {"id": vector["id"], **named}

    return run


def texts_of(vector: Vector) -> list[Any]:
    """Return the texts of reference and hypothesis."""
    return [vector["reference"], vector["hypothesis"]]


def _counted(letters: str) -> Answer:
    """Return an answer with counts and rate, given the letters (C, S, D, I) of an alignment."""
    names = ("correct", "substitutions", "deletions", "insertions")
    counts = dict(zip(names, map(letters.count, "CSDI"), strict=True))
    words = len(letters) - counts["insertions"]
    rate = (len(letters) - counts["correct"]) / words if words else None
    return {**counts, "rate": rate, "alignment": letters}


def sclite(command: Sequence[str]) -> Program:
    """Return the program that calls NIST's `sclite`, or another command with its arguments."""

    def flags_of(vector: Vector) -> Flags | str:
        options = vector["options"]
        if options.get("ties") != "sclite" and not options.get("recipe", "").startswith("sclite@"):
            return "ties"
        chosen = (flags for (name, value), flags in FLAGS.items() if options.get(name) == value)
        return tuple(" ".join(chosen).split())

    def answers(flags: Flags, vectors: list[Vector]) -> Iterator[Answer]:
        is_timed = "-T" in flags
        with tempfile.TemporaryDirectory() as folder:
            for side in ("reference", "hypothesis"):
                lines = (line for vector in vectors for line in _lines_of(vector, side, is_timed))
                Path(folder, side).write_text("".join(lines), "utf-8")
            kind, names = ("ctm", ()) if is_timed else ("trn", ("-i", "spu_id"))
            sides = ("-r", "reference", kind, "-h", "hypothesis", kind)
            line = [*command, *sides, *names, *flags, "-o", "sgml", "stdout"]
            done = subprocess.run(line, cwd=folder, capture_output=True, check=False)
        if done.returncode:
            raise ScoringError(f"{' '.join(line)}: exit status {done.returncode}: {done.stderr!r}")
        paths = {name.decode(): places for name, places in _PATH.findall(done.stdout)}
        for vector in vectors:
            name = vector["id"]
            # a recording has a numbered part
            expected = [f"{name}-1-0000"] if is_timed else _utterances(vector, "reference")
            if paths.keys() >= set(expected):
                places = b"\n".join(paths[part] for part in expected)
                answer = _counted(b"".join(_PLACE.findall(places)).decode())
                is_whole = "recipe" not in vector["options"]
                yield {"id": name, **(answer if is_whole else {"rate": answer["rate"]})}

    return batched(flags_of, answers)


def _lines_of(vector: Vector, side: str, is_timed: bool) -> list[str]:
    if is_timed:
        return [f"{vector['id']} 1 {begin} {span} {w}\n" for w, begin, span in vector[side]]
    return [f"{text} ({name})\n" for name, text in _utterances(vector, side).items()]


def _utterances(vector: Vector, side: str) -> dict[str, str]:
    """Return the texts of a side of a vector, by identifier of the utterance."""
    if isinstance(vector[side], str):
        return {vector["id"]: vector[side]}
    return {f"{vector['id']}-{place}": text for place, text in enumerate(vector[side])}


def md_eval(command: Sequence[str]) -> Program:
    """Return the program that calls NIST's `md-eval.pl`, or another command with its arguments."""

    def flags_of(vector: Vector) -> Flags | str:
        if vector["area"] != "diarisation":
            return "words"
        options = vector["options"]
        return ("-c", str(options["collar"]), *["-1"] * options["single_speaker"])

    def answers(flags: Flags, vectors: list[Vector]) -> Iterator[Answer]:
        with tempfile.TemporaryDirectory() as folder:
            for side in ("reference", "hypothesis"):
                lines = (
                    f"SPEAKER {vector['id']} 1 {start} {span} <NA> <NA> {speaker} <NA>\n"
                    for vector in vectors
                    for speaker, start, span in vector[side]
                )
                Path(folder, side).write_text("".join(lines))
            line = [*command, *flags, "-af", "-r", "reference", "-s", "hypothesis"]
            done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
        for part in done.stdout.split("*** Performance analysis for ")[1:]:
            name = re.search(r"for f=(\S+)", part)
            figures = {key: re.search(rf"{x} =\s*([\d.]+)", part) for key, x in _FIGURES.items()}
            if name and all(figures.values()):
                yield {"id": name[1], **{key: float(m[1]) for key, m in figures.items() if m}}

    return batched(flags_of, answers)


def _beyond_words(vector: Vector, ties: set[str], allowed: set[str]) -> str:
    """Return the feature of a vector that an aligner of plain words lacks, or an empty text."""
    options = vector["options"]
    if vector["area"] in ("optional", "alternation"):
        return "marks in the reference"
    beyond = options.keys() - {"costs", "ties", "case"} - allowed
    if beyond:
        return str(min(beyond))
    return "" if options.get("ties") in {*ties, None} else "ties"


def _words_of(vector: Vector) -> list[list[str]]:
    """Return the words of both sides, with ASCII letters in lower case if case is ignored."""
    texts = texts_of(vector)
    if vector["options"].get("case") == "ignore":
        texts = [re.sub("[A-Z]", lambda match: match[0].lower(), text) for text in texts]
    return [text.split() for text in texts]


def kaldialign(module: Any) -> Program:
    """Return the program that calls the package kaldialign, or a module with its functions."""

    def answer(vector: Vector) -> Answer | str:
        reason = _beyond_words(vector, {"sclite", "kaldialign"}, {"compounds"})
        if reason:
            return reason
        options, sides = vector["options"], _words_of(vector)
        compounds = bool(options.get("compounds"))
        mode = {"sclite_mode": options["costs"] == [4, 3, 3], "merge_compounds": compounds}
        pairs = module.align(*sides, EPSILON, **mode)
        if not compounds:
            return _counted("".join(map(_letter, *zip(*pairs, strict=True))) if pairs else "")
        counts = module.edit_distance(*sides, **mode)
        names = {"substitutions": "sub", "deletions": "del", "insertions": "ins"}
        errors = {name: int(counts[short]) for name, short in names.items()}
        rate = sum(errors.values()) / len(sides[0]) if sides[0] else None
        pairs = [[None if word == EPSILON else word for word in pair] for pair in pairs]
        return {**errors, "rate": rate, "pairs": pairs}

    return single(answer)


def _letter(reference: str, hypothesis: str) -> str:
    if EPSILON in (reference, hypothesis):
        return "I" if reference == EPSILON else "D"
    return "C" if reference == hypothesis else "S"


def jiwer(module: Any) -> Program:
    """Return the program that calls the package jiwer."""

    def answer(vector: Vector) -> Answer | str:
        options = vector["options"]
        is_recipe = options.get("recipe", "").startswith(("jiwer@", "evaluate@"))
        reason = _beyond_words(vector, {"kaldialign", "any"}, {"unit", "recipe"})
        if reason or not (is_recipe or options.get("costs") == [1, 1, 1]):
            return reason or "recipe"
        if is_recipe:
            return {"rate": module.wer(*texts_of(vector))}
        if options.get("unit") == "char+space":
            output = module.process_characters(*texts_of(vector))
            errors = output.substitutions + output.deletions + output.insertions
            length = output.hits + output.substitutions + output.deletions
            return {"errors": errors, "length": length, "rate": output.cer}
        if "unit" in options:
            return "unit"
        [chunks] = module.process_words(*map(" ".join, _words_of(vector))).alignments
        return _counted("".join(map(_letters_of, chunks)))

    return single(answer)


def _letters_of(chunk: Any) -> str:
    letter = {"equal": "C", "substitute": "S", "delete": "D", "insert": "I"}[chunk.type]
    words = chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx
    return letter * max(map(int, words))


def meeteval(module: Any) -> Program:
    """Return the program that calls `wer` of the package meeteval or of another module.

    Warnings are not logged.
    """
    logging.getLogger().setLevel(logging.ERROR)

    def answer(vector: Vector) -> Answer | str:
        options = dict(vector["options"])
        names = ["errors", "length", "insertions", "deletions", "substitutions"]
        if options.pop("recipe", "").startswith("meeteval/chime-8"):
            options, names = {"measure": "tcpwer", "collar": 5}, []
        measure = options.pop("measure", None)
        if measure is None:
            return "words without speakers"
        sides = map(segments_of, texts_of(vector))
        [errors] = getattr(module, measure)(*sides, **options).values()
        rate = errors.errors / errors.length if errors.length else None
        return {**{name: int(getattr(errors, name)) for name in names}, "rate": rate}

    return single(answer)


def segments_of(side: Any) -> list[dict[str, Any]]:
    """Return the segments of a side in the form of SegLST."""
    names = ("speaker", "start_time", "end_time", "words")
    return [{"session_id": "s", **dict(zip(names, row, strict=True))} for row in side]


# By name the package of an original, or None for a program whose path is needed.
ORIGINALS: dict[str, tuple[Callable[[Any], Program], str | None]] = {
    "sclite": (sclite, None),
    "md-eval.pl": (md_eval, None),
    "kaldialign": (kaldialign, "kaldialign"),
    "jiwer": (jiwer, "jiwer"),
    "meeteval": (meeteval, "meeteval.wer"),
}


def program_named(name: str, command: Sequence[str] | None = None) -> Program:
    """Return the program with a name; raise ScoringError if its package is missing."""
    create, package = ORIGINALS[name]
    try:
        return create(import_module(package) if package else command or [name])
    except ImportError as problem:
        raise ScoringError(f"{name}: expected it to be installed, found none: {problem}") from None
