"""Which files took part, by the hash of their bytes."""

from __future__ import annotations

import os
import stat
from typing import TypeVar

from scoring.rates.result import Rates
from scoring.sides.account import InputFile

Scores = TypeVar("Scores", bound=Rates)


def with_hashes(rates: Scores) -> Scores:
    """The same result, its inputs with the hashes of the files they came from."""
    sides = (rates.reference, rates.hypothesis)
    return rates.with_inputs(*(side if side.format is None else hashed(side) for side in sides))


def hashed(side: InputFile) -> InputFile:
    """A file with the hash of its bytes, where it can be read again."""
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
