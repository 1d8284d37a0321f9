"""Programs that answer vectors: the originals as they are installed.

Each takes vectors without expected values. What a program cannot do is answered with the member
`unsupported`, which names the reason.
"""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from scoring.compat.conformance.vectors import Answer, Program, Vector
from scoring.errors import ScoringError

EPSILON = "\0"
UNIT = [1, 1, 1]
# sclite's flags for options of vectors.
FLAGS: dict[str, dict[object, list[str]]] = {
    "case": {"exact": ["-s"], "ignore": []},
    "fragments": {True: ["-F"]},
    "optional": {True: ["-D"]},
    "times": {True: ["-T"]},
    "unit": {
        "char": ["-c"],
        "char, ASCII words whole": ["-c", "NOASCII"],
        "char, without hyphens": ["-c", "DH"],
    },
    "encoding": {"utf-8": ["-e", "utf-8"]},
}
_PLACE = re.compile(rb'([CSDI]),(?:"[^"]*")?,(?:"[^"]*")?')
_PATH = re.compile(rb'<PATH id="\(([^"]*?)\)"[^>]*>\n(.*)\n')
_FIGURES = {
    "scored": re.compile(r"SCORED SPEAKER TIME =\s*([\d.]+)"),
    "missed": re.compile(r"MISSED SPEAKER TIME =\s*([\d.]+)"),
    "false_alarm": re.compile(r"FALARM SPEAKER TIME =\s*([\d.]+)"),
    "confusion": re.compile(r"SPEAKER ERROR TIME =\s*([\d.]+)"),
}


def unsupported(vector: Vector, reason: str) -> Answer:
    """What a program answers that has no means for a vector."""
    return {"id": vector["id"], "unsupported": reason}


def _counted(vector: Vector, letters: str) -> Answer:
    """An alignment and its counts, by the letters of NIST's reports."""
    names = ("correct", "substitutions", "deletions", "insertions")
    counts = dict(zip(names, map(letters.count, "CSDI"), strict=True))
    words = len(letters) - counts["insertions"]
    rate = (len(letters) - counts["correct"]) / words if words else None
    return {"id": vector["id"], **counts, "rate": rate, "alignment": letters}


def texts_of(vector: Vector) -> list[Any]:
    """Both sides."""
    return [vector["reference"], vector["hypothesis"]]


def sclite(command: Sequence[str]) -> Program:
    """NIST's `sclite`, or a program with its arguments."""

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        asked: list[Vector] = []
        lists: list[Vector] = []
        for vector in vectors:
            options = vector["options"]
            if options.get("ties") == "sclite":
                asked.append(vector)
            elif options.get("recipe", "").startswith("sclite@"):
                lists.append(vector)
            else:
                yield unsupported(vector, "ties")
        yield from _sclite_lists(command, lists)
        for flags, group in groupby(sorted(asked, key=_flags), key=_flags):
            yield from _sclite_run(command, flags, list(group))

    return run


def _sclite_lists(command: Sequence[str], vectors: Sequence[Vector]) -> Iterator[Answer]:
    """The rates of lists of texts, in one run."""
    if not vectors:
        return
    utterances = [
        {"id": f"{vector['id']}-{at}", "reference": reference, "hypothesis": hypothesis}
        for vector in vectors
        for at, (reference, hypothesis) in enumerate(zip(*texts_of(vector), strict=True))
    ]
    errors: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for answer in _sclite_run(command, [], utterances):
        name, letters = answer["id"].rpartition("-")[0], answer["alignment"]
        errors[name] += len(letters) - answer["correct"]
        words[name] += len(letters) - answer["insertions"]
    for vector in vectors:
        name = vector["id"]
        yield {"id": name, "rate": errors[name] / words[name] if words[name] else None}


def _flags(vector: Vector) -> list[str]:
    options = vector["options"].items()
    flags = (FLAGS[name].get(value, []) for name, value in options if name in FLAGS)
    return [flag for group in flags for flag in group]


def _sclite_run(
    command: Sequence[str], flags: Sequence[str], vectors: Sequence[Vector]
) -> Iterator[Answer]:
    """Answers of one run to vectors of the same options."""
    kind = "ctm" if "-T" in flags else "trn"
    with tempfile.TemporaryDirectory() as folder:
        for side in ("reference", "hypothesis"):
            text = "".join(_lines_of(vector, side, kind) for vector in vectors)
            Path(folder, side).write_text(text, "utf-8")
        sides = ("-r", "reference", kind, "-h", "hypothesis", kind)
        form = () if kind == "ctm" else ("-i", "spu_id")
        line = [*command, *sides, *form, *flags, "-o", "sgml", "stdout"]
        done = subprocess.run(line, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise ScoringError(f"{' '.join(line)}: exit status {done.returncode}: {done.stderr!r}")
    paths = {name.decode(): places for name, places in _PATH.findall(done.stdout)}
    for vector in vectors:
        places = _place_of(paths, vector["id"], kind)
        if places is not None:
            yield _counted(vector, b"".join(_PLACE.findall(places)).decode())


def _place_of(paths: dict[str, bytes], identifier: str, kind: str) -> bytes | None:
    """The places of an utterance; of a recording there is one with a number behind."""
    return paths.get(identifier if kind == "trn" else f"{identifier}-1-0000")


def _lines_of(vector: Vector, side: str, kind: str) -> str:
    if kind == "trn":
        return f"{vector[side]} ({vector['id']})\n"
    return "".join(f"{vector['id']} 1 {begin} {span} {w}\n" for w, begin, span in vector[side])


def kaldialign(module: Any) -> Program:
    """The package kaldialign, or a module with its functions."""

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        for vector in vectors:
            reason = _beyond_words(vector, {"sclite", "kaldialign"}, {"compounds"})
            yield unsupported(vector, reason) if reason else _kaldi_answer(module, vector)

    return run


def _beyond_words(vector: Vector, ties: set[str], known: set[str]) -> str:
    """What of a vector an aligner of plain words cannot do; empty: nothing."""
    options = vector["options"]
    if vector["area"] in ("optional", "alternation"):
        return "marks in the reference"
    beyond = options.keys() - {"costs", "ties", "case"} - known
    if beyond:
        return str(min(beyond))
    return "" if options.get("ties") in {*ties, None} else "ties"


def _sides_of(vector: Vector) -> list[list[str]]:
    """The words of both sides; in small ASCII letters where case does not matter."""
    texts = texts_of(vector)
    if vector["options"].get("case") == "ignore":
        texts = [re.sub("[A-Z]", lambda match: match[0].lower(), text) for text in texts]
    return [text.split() for text in texts]


def _kaldi_answer(module: Any, vector: Vector) -> Answer:
    options = vector["options"]
    compounds = bool(options.get("compounds"))
    mode = {"sclite_mode": options["costs"] == [4, 3, 3], "merge_compounds": compounds}
    sides = _sides_of(vector)
    pairs = module.align(*sides, EPSILON, **mode)
    letters = "".join(
        "I" if left == EPSILON else "D" if right == EPSILON else "C" if left == right else "S"
        for left, right in pairs
    )
    if not compounds:
        return _counted(vector, letters)
    counts = module.edit_distance(*sides, **mode)
    names = {"substitutions": "sub", "deletions": "del", "insertions": "ins"}
    errors = {name: int(counts[short]) for name, short in names.items()}
    rate = sum(errors.values()) / len(sides[0]) if sides[0] else None
    pairs = [[None if word == EPSILON else word for word in pair] for pair in pairs]
    return {"id": vector["id"], **errors, "rate": rate, "pairs": pairs}


def jiwer(module: Any) -> Program:
    """The package jiwer."""

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        for vector in vectors:
            options = vector["options"]
            of_recipe = options.get("recipe", "").startswith(("jiwer@", "evaluate@"))
            reason = _beyond_words(vector, {"kaldialign", "any"}, {"unit", "recipe"})
            if reason or not (of_recipe or options.get("costs") == UNIT):
                yield unsupported(vector, reason or "recipe")
            elif of_recipe:
                yield {"id": vector["id"], "rate": module.wer(*texts_of(vector))}
            elif options.get("unit") == "char+space":
                found = module.process_characters(*texts_of(vector))
                errors = found.substitutions + found.deletions + found.insertions
                length = found.hits + found.substitutions + found.deletions
                yield {"id": vector["id"], "errors": errors, "length": length, "rate": found.cer}
            elif "unit" in options:
                yield unsupported(vector, "unit")
            elif not vector["reference"].strip():
                yield unsupported(vector, "empty reference")
            else:
                found = module.process_words(*map(" ".join, _sides_of(vector)))
                [chunks] = found.alignments
                letters = "".join(_chunk_letters(chunk) for chunk in chunks)
                yield _counted(vector, letters)

    return run


def _chunk_letters(chunk: Any) -> str:
    letter = {"equal": "C", "substitute": "S", "delete": "D", "insert": "I"}[chunk.type]
    words = chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx
    return letter * max(map(int, words))


def meeteval(module: Any) -> Program:
    """The package meeteval's `wer`, or a module with its functions; its warnings are not logged."""
    logging.getLogger().setLevel(logging.ERROR)

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        for vector in vectors:
            options = dict(vector["options"])
            if options.pop("recipe", "").startswith("meeteval/chime-8"):
                options = {"measure": "tcpwer", "collar": 5}
            measure = options.pop("measure", None)
            if measure is None:
                yield unsupported(vector, "words without speakers")
                continue
            [errors] = getattr(module, measure)(
                *map(segments_of, texts_of(vector)), **options
            ).values()
            names: tuple[str, ...] = (
                "errors",
                "length",
                "insertions",
                "deletions",
                "substitutions",
            )
            if "recipe" in vector["options"]:
                names = ()
            rate = errors.errors / errors.length if errors.length else None
            yield {
                "id": vector["id"],
                **{name: int(getattr(errors, name)) for name in names},
                "rate": rate,
            }

    return run


def segments_of(side: Any) -> list[dict[str, Any]]:
    """The segments of a side as SegLST has them."""
    names = ("speaker", "start_time", "end_time", "words")
    return [{"session_id": "s", **dict(zip(names, row, strict=True))} for row in side]


def md_eval(command: Sequence[str]) -> Program:
    """NIST's `md-eval.pl`, or a program with its arguments."""

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        asked = [vector for vector in vectors if vector["area"] == "diarisation"]
        for vector in vectors:
            if vector["area"] != "diarisation":
                yield unsupported(vector, "words")
        for flags, group in groupby(sorted(asked, key=_flags_of_times), key=_flags_of_times):
            yield from _md_eval_run(command, flags, list(group))

    return run


def _flags_of_times(vector: Vector) -> list[str]:
    options = vector["options"]
    return ["-c", str(options["collar"]), *["-1"] * options["single_speaker"]]


def _md_eval_run(
    command: Sequence[str], flags: Sequence[str], vectors: Sequence[Vector]
) -> Iterator[Answer]:
    """Answers of one run to vectors of the same options, each a file of it."""
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
        figures = {title: figure.search(part) for title, figure in _FIGURES.items()}
        if name and all(figures.values()):
            yield {"id": name[1], **{title: float(m[1]) for title, m in figures.items() if m}}


def whisper(module: Any) -> Program:
    """Whisper's normalisers of the package whisper-normalizer."""
    english = import_module(f"{module.__name__}.english").EnglishTextNormalizer()
    basic = import_module(f"{module.__name__}.basic").BasicTextNormalizer()

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        for vector in vectors:
            if vector["options"].get("recipe", "").startswith("whisper-paper@"):
                sides = [[english(text) for text in texts] for texts in texts_of(vector)]
                yield {"id": vector["id"], "rate": import_module("jiwer").wer(*sides)}
                continue
            normalise = {"whisper-english": english, "whisper-basic": basic}.get(
                vector["options"].get("normaliser", "")
            )
            if normalise is None:
                yield unsupported(vector, "other than normalisation")
            else:
                yield {"id": vector["id"], "text": " ".join(normalise(vector["text"]).split())}

    return run


def open_asr(command: Sequence[str]) -> Program:
    """The Open ASR Leaderboard's normaliser, in a folder with a clone of its repository."""
    package = ModuleType("normalizer")  # its own imports packages for data sets
    package.__path__ = [str(Path(command[0], "normalizer"))]
    sys.modules["normalizer"] = package
    normalise = import_module("normalizer.normalizer").EnglishTextNormalizer()

    def run(vectors: Sequence[Vector]) -> Iterator[Answer]:
        for vector in vectors:
            if vector["options"].get("normaliser", "").startswith("leaderboard-english"):
                yield {"id": vector["id"], "text": " ".join(normalise(vector["text"]).split())}
            else:
                yield unsupported(vector, "other than its normaliser")

    return run


# By name the package of an original, or None for a program whose path is needed.
ORIGINALS: dict[str, tuple[Any, str | None]] = {
    "sclite": (sclite, None),
    "md-eval.pl": (md_eval, None),
    "open-asr": (open_asr, None),
    "kaldialign": (kaldialign, "kaldialign"),
    "jiwer": (jiwer, "jiwer"),
    "meeteval": (meeteval, "meeteval.wer"),
    "whisper": (whisper, "whisper_normalizer"),
}


def program_named(name: str, command: Sequence[str] | None = None) -> Program:
    """An original, by its command or as it is installed.

    Raises
    ------
    ScoringError
        If its package is not installed.
    """
    create, package = ORIGINALS[name]
    try:
        program: Program = create(import_module(package) if package else command or [name])
        return program
    except ImportError as problem:
        raise ScoringError(f"{name}: expected it to be installed, found none: {problem}") from None
