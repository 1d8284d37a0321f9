"""Makes the vectors of `scoring conformance` with the original programs.

`python -m tests.judges.conformance.make --seed 1 --leaderboard CLONE --wenet CLONE --kaldi PROGRAM
--output FILE` writes them; `--compare` compares ours with them. sclite and md-eval.pl are Debian's
(package sctk), the others Python packages. Vectors on which an original fails are dropped and
counted.
"""

import argparse
import gzip
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scoring.drawing.text import text_lines
from scoring.peers.conformance.comparison import compare
from scoring.peers.conformance.ours import ours
from scoring.peers.conformance.programs import ORIGINALS as PACKAGES
from scoring.peers.conformance.programs import program_named, single, texts_of
from scoring.peers.conformance.vectors import Answer, Program, Vector, line_of
from tests.judges.conformance.inputs import draw, has_equal_mappings
from tests.judges.frame import original
from tests.judges.recipes.originals import ORIGINALS, load

# Of each original its name with version and command, as the vectors state them.
SCTK = "Debian's sctk 2.4.10-20151007-1312Z+dfsg2-3.1"
COMMANDS = {
    "sclite": f"sclite of {SCTK}: sclite -o sgml",
    "md-eval.pl": f"md-eval.pl of {SCTK}",
    "kaldialign": "kaldialign {}: align, edit_distance",
    "jiwer": "jiwer {}: process_characters, wer",
    "meeteval": "meeteval {}: meeteval.wer",
    "torchmetrics": "torchmetrics {}: word_error_rate, char_error_rate",
    "kaldi": "Kaldi f400766: compute-wer --text --mode=present",
    "nemo": "nemo-toolkit 3.0.0, kaldialign 0.12.0: word_error_rate",
    "wenet": "wenet 0154699: tools/compute-wer.py --char=1",
    "espnet": f"ESPnet's tokens in sclite of {SCTK}",
    "openai-whisper": "openai-whisper {}: whisper.normalizers; jiwer 4.0.0: wer",
    "open_asr_leaderboard": "open_asr_leaderboard d1e99b2: normalizer; kaldialign 0.12.0: batch_error_rate",
}


def source_of(name: str) -> str:
    """An original with its version and command."""
    return COMMANDS[name].format(version(name)) if "{}" in COMMANDS[name] else COMMANDS[name]


def program_of(name: str, arguments: argparse.Namespace) -> Program:
    """An original as a program that answers vectors."""
    if name in ("sclite", "md-eval.pl"):
        return program_named(name, [*["perl"] * name.endswith(".pl"), original(name)])
    return program_named(name) if name in PACKAGES else of_recipe(name, arguments)


def of_recipe(name: str, arguments: argparse.Namespace) -> Program:
    """The original of a recipe: what it prints, or the texts of its normalisers."""
    folders = {"open_asr_leaderboard": arguments.leaderboard, "wenet": arguments.wenet}
    options = argparse.Namespace(original=folders.get(name), kaldi=arguments.kaldi)
    program = load(name.removeprefix("openai-"), options)
    normalisers: dict[str, Callable[[str], str]] = {}
    if name == "open_asr_leaderboard":
        normalisers["leaderboard-english@2026-08-21"] = program.english
    if name == "openai-whisper":
        normalisers["whisper-english"] = program[0].EnglishTextNormalizer()
        normalisers["whisper-basic"] = program[0].BasicTextNormalizer()

    def answer(vector: Vector) -> Answer:
        if "text" in vector:
            text = normalisers[vector["options"]["normaliser"]](vector["text"])
            return {"text": " ".join(text.split())}
        references, hypotheses = texts_of(vector)
        score = ORIGINALS[vector["options"]["recipe"]].score
        is_characters = "unit" in vector["options"]
        return {"headline": score(program, references, hypotheses, is_characters).number}

    return single(answer)


def answered(arguments: argparse.Namespace, dropped: Counter[str]) -> Iterator[dict[str, Any]]:
    """The vectors with expected values, in order."""
    vectors = list(draw(arguments.seed, arguments.share))
    expected: dict[str, dict[str, Any]] = {}
    for name in COMMANDS:
        program = program_of(name, arguments)
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
    parser.add_argument("--leaderboard", type=Path, required=True, help="folder of its clone")
    parser.add_argument("--wenet", type=Path, required=True, help="folder of its clone")
    parser.add_argument("--kaldi", type=Path, required=True, help="program compute-wer of Kaldi")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args(argv)
    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    dropped: Counter[str] = Counter()
    vectors = list(answered(arguments, dropped))
    print(f"{len(vectors)} vectors, dropped: {dict(dropped)}", file=sys.stderr)
    if arguments.output is not None:
        arguments.output.write_bytes(gzip.compress(b"".join(map(line_of, vectors)), 9, mtime=0))
    if not arguments.compare:
        return 0
    report = compare(vectors, ours(vectors))
    print("\n".join(text_lines(report.blocks())))
    return bool(report.differences)


if __name__ == "__main__":
    sys.exit(main())
