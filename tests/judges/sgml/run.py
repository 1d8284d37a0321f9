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
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import Judge, Verdict, judge_cases
from tests.judges.sclite.compare import unified_difference
from tests.judges.sgml.documents import damaged, document, is_undefined
from tests.judges.sgml.programs import Result, original, ours


class Document(NamedTuple):
    """What both read from standard input."""

    stdin: bytes


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


def draw(options: argparse.Namespace, number: int) -> Document:
    """A document."""
    return Document(generate(options.seed, number).encode("latin-1"))


def compare(options: argparse.Namespace, document: Document) -> Verdict:
    """Read a document with both."""
    data = document.stdin
    if is_undefined(data.decode("latin-1")):
        return Verdict("not judged")
    truth, result = original(data), ours(data)
    if truth.status is None or truth.status < 0:
        return Verdict("original crashes")
    if result.status is None:
        return Verdict("refused")
    text = difference(truth, result)
    return Verdict("different" if text else "same", text, {"document": data})


JUDGE = Judge(__doc__, "sclite", draw, compare, 2000)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
