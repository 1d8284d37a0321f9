"""Hashes of the input files of a result."""

from __future__ import annotations

import os
import stat
from typing import TypeVar

from scoring.results import Rates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.sides.corpus import InputFile

Scores = TypeVar("Scores", bound=Rates)


def with_hashes(rates: Scores) -> Scores:
    """Return the result with the hashes of its input files."""
    inputs = list(map(_hashed, (rates.reference, rates.hypothesis)))
    choices = rates.choices
    if choices is not None:
        choices = choices._replace(inputs=list(map(_hashed, choices.inputs)))
    return rates._replace(reference=inputs[0], hypothesis=inputs[1], choices=choices)


def _hashed(side: InputFile) -> InputFile:
    """Return a file with its hash; an input that is not a file is unchanged."""
    return side if side.format is None else hashed(side)


def hashed(side: InputFile) -> InputFile:
    """Return a file with the hash of its bytes, if the file can be read again."""
    from hashlib import sha256

    try:
        if not stat.S_ISREG(os.stat(side.path).st_mode):
            return side
        with open(side.path, "rb") as file:
            digest = sha256()
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return side
    return side._replace(sha256=digest.hexdigest())
