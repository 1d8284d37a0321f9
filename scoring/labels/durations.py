"""Durations of utterances from a file: a name and a number of seconds a line (Kaldi's utt2dur)."""

from __future__ import annotations

import os
from math import inf

from scoring.errors import InputError
from scoring.sides.speakers import each_utterance


class DurationError(InputError):
    """A line that does not give the duration of an utterance."""

    status = 2


def read_durations(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, float]:
    """Seconds by utterance.

    Raises
    ------
    DurationError
        If a line does not hold a name and a number of seconds from 0, or a name stands twice.
    formats.FormatError
        If the file cannot be read.
    """
    durations: dict[str, float] = {}
    for said in each_utterance(path, "seconds", encoding, DurationError):
        durations[said.utterance] = seconds = _seconds(said.text)
        if not 0 <= seconds < inf:
            problem = f"expected seconds from 0, found {said.text!r}"
            raise DurationError(said.file, said.line, said.column, problem)
    return durations


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
