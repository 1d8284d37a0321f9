"""Compare our reader of SGML with `sclite -P` on random documents, whole and damaged.

    python tests/judges/sgml/run.py --cases 2000 --seed 1

Left out is what the original reads from memory it has not set (values of attributes without a
closing quote, places cut short). Not counted as differences: what we refuse with the line because
the original crashes on it, or reads on in old memory, and crashes of the original.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import Verdict, judge_cases
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


def compare(options: argparse.Namespace, number: int) -> Verdict:
    """Draw a document and read it with both."""
    data = generate(options.seed, number).encode("latin-1")
    truth, result = original(data), ours(data)
    if truth.status is None or truth.status < 0:
        return Verdict("original crashes")
    if result.status is None:
        return Verdict("refused")
    text = difference(truth, result)
    return Verdict("different" if text else "same", text, {"document": data})


if __name__ == "__main__":
    sys.exit(judge_cases(__doc__, "sclite", compare, 2000))
