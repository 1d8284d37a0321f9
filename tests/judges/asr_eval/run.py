"""Compare the errors of references with variants with those of asr_eval on random texts.

    PYTHONPATH=ASR_EVAL python tests/judges/asr_eval/run.py --cases 3000 --seed 1 [--write FILE]

ASR_EVAL is a checkout of https://github.com/SibNN/asr_eval with what it imports. Texts on which its
own assertions fail are skipped and counted. `--write` keeps the cases as goldens.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring import wer

WORDS = "abcde"


def original() -> Callable[[str, str], int] | None:
    """The number of errors by asr_eval; None where it is not installed."""
    try:
        from asr_eval.align.matching import solve_optimal_alignment  # type: ignore[import-not-found]
        from asr_eval.align.parsing import (  # type: ignore[import-not-found]
            parse_multivariant_string,
            parse_single_variant_string,
        )
    except ImportError as problem:
        print(f"skipped: asr_eval, the judge, is not installed ({problem})")
        return None

    def errors(reference: str, hypothesis: str) -> int:
        sides = parse_multivariant_string(reference), parse_single_variant_string(hypothesis)
        return int(solve_optimal_alignment(*(side.tokens for side in sides))[0].score.n_word_errors)

    return errors


def drawn(rng: random.Random) -> tuple[str, str]:
    """A reference with alternatives and wildcards, and a hypothesis."""
    words = rng.choices(WORDS, k=rng.randint(1, 7))
    reference: list[str] = []
    hypothesis: list[str] = []
    for word in words:
        kind = rng.random()
        branches = [word, *(" ".join(rng.choices(WORDS, k=rng.randint(1, 2))) for _ in range(2))]
        rng.shuffle(branches)
        alternatives = (
            "{" + "|".join([*branches[: rng.randint(1, 3)], ""][: rng.randint(2, 4)]) + "}"
        )
        reference.append("<*>" if kind < 0.1 else alternatives if kind < 0.4 else word)
        kind = rng.random()
        heard = rng.choice(WORDS) if kind < 0.3 else word
        hypothesis += [] if kind < 0.1 else [heard, rng.choice(WORDS)] if kind > 0.9 else [heard]
    return " ".join(reference), " ".join(hypothesis)


def main() -> int:
    """Run the comparison; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    errors, rng = original(), random.Random(options.seed)
    if errors is None:
        return 0
    cases: list[tuple[str, str, int]] = []
    failed = 0
    while len(cases) < options.cases:
        texts = drawn(rng)
        try:
            cases.append((*texts, errors(*texts)))
        except (AssertionError, StopIteration):
            failed += 1
    sides = [reference for reference, _, _ in cases], [hypothesis for _, hypothesis, _ in cases]
    rates = wer(*sides, variants=True, profile="levenshtein")
    different = [
        f"{case}: {counts.errors} errors here"
        for case, counts in zip(cases, rates.per_utterance, strict=True)
        if counts.errors != case[2]
    ]
    print(*different[:10], sep="\n", end="\n" * bool(different))
    print(f"{len(cases)} cases, {len(different)} different, {failed} that asr_eval fails on")
    if options.write:
        lines = ",\n".join(map(json.dumps, cases))
        options.write.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
