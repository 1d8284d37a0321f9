"""Our figures at points of interest beside PIER's own program, on random corpora.

    python -m tests.judges.pier.run --original FOLDER [--cases N] [--seed S]

The folder is a clone of enesyugan/PIER-CodeSwitching-Evaluation (commit bb434f1), which needs the
packages rapidfuzz, inflect and regex. Points of interest are tagged, or words of Latin script.
"""

import argparse
import contextlib
import io
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import scoring

ENGLISH = ["email", "bug", "meeting", "good", "zoom"]
# The program's name of a language, the script of its words, and words.
LANGUAGES = {
    "kor": ("Hang", "오늘 간다 좋다 집에 나는"),
    "ara": ("Arab", "كتاب بيت ولد شمس"),
    "cmn": ("Han", "我 你 他 来 去 好 的 是"),
    "jap": ("Hira", "私 は 東 京 へ 行 く カ キ"),
    "": ("", "das mit den ich nicht"),
}
KINDS = ("insertions", "deletions", "substitutions")


def draw(chance: random.Random, words: list[str], is_tagged: bool) -> tuple[str, str]:
    """Return a reference and a hypothesis."""
    spoken = [
        chance.choice(ENGLISH if chance.random() < 0.35 else words)
        for _ in range(chance.randint(1, 10))
    ]
    heard = []
    for word in spoken:
        kind = chance.random()
        if kind < 0.85:
            heard.append(word if kind < 0.7 else chance.choice(words + ENGLISH))
        if chance.random() < 0.12:
            heard.append(chance.choice(words + ENGLISH))
    marked = [f"<tag {word}>" if is_tagged and word in ENGLISH else word for word in spoken]
    return " ".join(marked), " ".join(heard) or "x"


def ours(references: list[str], hypotheses: list[str], script: str) -> list[int]:
    """Return the counts at points of interest, and at other words."""
    choices: dict[str, Any] = {"normalize": "regex:search=<tag|>,replace="}
    if script:
        choices = {"measure_options": {"matrix": script}}
    rates = scoring.wer(references, hypotheses, profile="jiwer", measures=["languages"], **choices)
    totals = rates.measured["languages"].columns.totals()
    return [totals[f"{part}_{kind}"] for part in ("poi", "rest") for kind in (*KINDS, "words")]


def main() -> int:
    """Print how many corpora differ; 1 if any does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--original", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.path[:0] = [str(arguments.original / "jiwer"), str(arguments.original)]
    pier = import_module("measures").pier
    different = 0
    for number in range(arguments.cases):
        chance = random.Random(f"pier {arguments.seed} {number}")
        language, (script, words) = list(LANGUAGES.items())[number % len(LANGUAGES)]
        pairs = [draw(chance, words.split(), not script) for _ in range(chance.randint(1, 6))]
        references, hypotheses = map(list, zip(*pairs, strict=True))
        options = {"scd_language": language} if language else {}
        with contextlib.redirect_stdout(io.StringIO()):
            theirs = pier(references, hypotheses, **options)
        expected = [
            theirs[part][kind]
            for part, size in (("poi", "poiWords"), ("rest", "otherWords"))
            for kind in (*KINDS, size)
        ]
        if ours(references, hypotheses, script) != expected:
            different += 1
            print(language, references, hypotheses, expected)
    print(f"{arguments.cases} corpora, {different} different")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
