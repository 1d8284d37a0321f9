"""Compare our reader of SGML with `sclite -P` on random documents, whole and damaged.

    python tests/judges/sgml/run.py --cases 2000 --seed 1

Left out is what the original reads from memory it has not set (values of attributes without a
closing quote, places cut short). Not counted as differences: what we refuse with the line because
the original crashes on it, or reads on in old memory, and crashes of the original.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.sclite.compare import unified_difference
from tests.judges.sgml.documents import damaged, document, is_undefined
from tests.judges.sgml.programs import Result, original, ours


def generate(seed: int, number: int) -> str:
    """The document of a seed and a number, always the same."""
    rng = random.Random(f"sgml {seed} {number}")
    while True:
        text = damaged(rng, document(rng))
        if not is_undefined(text):
            return text


def difference(truth: Result, result: Result) -> str:
    """What differs between two results."""
    fields = Result._fields[1:]
    named = [
        {"<status>": str(one.status).encode(), **dict(zip(fields, one[1:], strict=True))}
        for one in (truth, result)
    ]
    return unified_difference(*named)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--cases", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--most", type=int, default=10, help="differences after which to stop")
    arguments = options.parse_args(words)
    verdicts: Counter[str] = Counter()
    for number in range(arguments.cases):
        data = generate(arguments.seed, number).encode("latin-1")
        truth, result = original(data), ours(data)
        text = difference(truth, result)
        if truth.status is None or truth.status < 0:
            verdicts["original crashes"] += 1
        elif result.status is None:
            verdicts["refused"] += 1
        elif text:
            verdicts["different"] += 1
            print(f"{arguments.seed}-{number}:\n{text[:2000]}")
            if verdicts["different"] >= arguments.most:
                break
        else:
            verdicts["same"] += 1
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return int(verdicts["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
