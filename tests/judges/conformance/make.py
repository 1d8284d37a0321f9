"""Makes the vectors of `scoring conformance` with the original programs.

`python -m tests.judges.conformance.make --seed 1 --leaderboard CLONE --output FILE` writes them;
`--compare` compares ours with them. sclite and md-eval.pl are Debian's (package sctk), the others
Python packages. Vectors on which an original fails are dropped and counted.
"""

from __future__ import annotations

import argparse
import gzip
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scoring.compat.conformance.comparison import compare
from scoring.compat.conformance.ours import ours
from scoring.compat.conformance.programs import program_named, single, texts_of
from scoring.compat.conformance.vectors import Answer, Program, Vector, line_of
from scoring.drawing.text import text_lines
from tests.judges.conformance.inputs import draw, has_equal_mappings
from tests.judges.frame import original
from tests.judges.recipes.sources import LOADERS

# Of each original its name with version and command, as the vectors state them.
SCTK = "Debian's sctk 2.4.10-20151007-1312Z+dfsg2-3.1"
COMMANDS = {
    "sclite": f"sclite of {SCTK}: sclite -o sgml",
    "md-eval.pl": f"md-eval.pl of {SCTK}",
    "kaldialign": "kaldialign {}: align, edit_distance",
    "jiwer": "jiwer {}: process_characters, wer",
    "meeteval": "meeteval {}: meeteval.wer",
    "open-asr": "open_asr_leaderboard d1e99b2: normalizer.EnglishTextNormalizer",
    "whisper": "whisper-normalizer {}: EnglishTextNormalizer, BasicTextNormalizer",
}
PROGRAMS = ("sclite", "md-eval.pl", "open-asr")


def source_of(name: str) -> str:
    """An original with its version and command."""
    package = {"whisper": "whisper-normalizer"}.get(name, name)
    return COMMANDS[name] if name in PROGRAMS else COMMANDS[name].format(version(package))


def program_of(name: str, leaderboard: str) -> Program:
    """An original as a program that answers vectors."""
    if name in ("sclite", "md-eval.pl"):
        return program_named(name, [*["perl"] * name.endswith(".pl"), original(name)])
    if name == "open-asr":
        english = LOADERS["open_asr_leaderboard"](Path(leaderboard)).english
        return single(lambda vector: answer(vector, {"leaderboard-english@2026-08-21": english}))
    if name == "whisper":
        normalisers = {
            kind: getattr(import_module(f"whisper_normalizer.{module}"), title)()
            for kind, module, title in (
                ("whisper-english", "english", "EnglishTextNormalizer"),
                ("whisper-basic", "basic", "BasicTextNormalizer"),
            )
        }
        return single(lambda vector: answer(vector, normalisers))
    return program_named(name)


def answer(vector: Vector, normalisers: dict[str, Callable[[str], str]]) -> Answer:
    """The text by a normaliser, or the rate of jiwer after that of Whisper's paper."""
    if "text" in vector:
        normalise = normalisers[vector["options"]["normaliser"]]
        return {"text": " ".join(normalise(vector["text"]).split())}
    sides = [list(map(normalisers["whisper-english"], texts)) for texts in texts_of(vector)]
    return {"rate": import_module("jiwer").wer(*sides)}


def answered(
    seed: int, share: float, leaderboard: str, dropped: Counter[str]
) -> Iterator[dict[str, Any]]:
    """The vectors with expected values, in order."""
    vectors = list(draw(seed, share))
    expected: dict[str, dict[str, Any]] = {}
    for name in COMMANDS:
        program = program_of(name, leaderboard)
        asked = [vector for vector in vectors if vector["source"] == name]
        batches = [asked] if name == "sclite" else [[vector] for vector in asked]
        for batch in batches:
            try:
                answers = list(program(batch))
            except Exception as problem:  # of whatever kind: an original that fails
                dropped[f"{name}: {type(problem).__name__}"] += len(batch)
                continue
            expected |= {answer.pop("id"): answer for answer in answers}
    for vector in vectors:
        values = expected.get(vector["id"])
        if values is None or "unsupported" in values:
            dropped[f"{vector['area']}: no answer"] += 1
        elif vector["area"] == "diarisation" and has_equal_mappings(vector):
            dropped["diarisation: equal mappings"] += 1
        else:
            yield {**vector, "source": source_of(vector["source"]), "expected": values}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the vectors, or compare ours with them; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--leaderboard", required=True, help="folder of its clone")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args(argv)
    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    dropped: Counter[str] = Counter()
    vectors = list(answered(arguments.seed, arguments.share, arguments.leaderboard, dropped))
    print(f"{len(vectors)} vectors, dropped: {dict(dropped)}", file=sys.stderr)
    if arguments.output is not None:
        data = b"".join(map(line_of, vectors))
        arguments.output.write_bytes(gzip.compress(data, 9, mtime=0))
    if not arguments.compare:
        return 0
    report = compare(vectors, ours(vectors))
    print("\n".join(text_lines(report.blocks())))
    return bool(report.differences)


if __name__ == "__main__":
    sys.exit(main())
