"""Durations of utterances from a file: a name and a number of seconds a line (Kaldi's utt2dur)."""

from __future__ import annotations

import os
from math import inf

from scoring.errors import InputError


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
    from formats.lines import split_words
    from formats.source import open_source

    durations: dict[str, float] = {}
    with open_source(path, encoding=encoding) as source:
        for number, line in source.lines():
            fields = split_words(line)
            if not fields:
                continue
            if len(fields) != 2:
                problem = f"expected an utterance and its seconds, found {len(fields)} fields"
                raise DurationError(source.name, number, 1, problem)
            name, text = fields
            column = line.rfind(text) + 1
            if name in durations:
                problem = f"expected another utterance, found {name!r} again"
                raise DurationError(source.name, number, 1, problem)
            durations[name] = seconds = _seconds(text)
            if not 0 <= seconds < inf:
                problem = f"expected seconds from 0, found {text!r}"
                raise DurationError(source.name, number, column, problem)
    return durations


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
