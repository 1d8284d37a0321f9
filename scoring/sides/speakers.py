"""Files that say one thing of every utterance, a line each, as Kaldi's utt2spk and utt2dur do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from scoring.errors import InputError


class SpeakerLine(NamedTuple):
    """What a line says of an utterance, and where: its file, its line, the column of the text."""

    utterance: str
    text: str
    file: str
    line: int
    column: int


def each_utterance(
    path: str | os.PathLike[str],
    what: str,
    encoding: str = "utf-8",
    error: type[InputError] = InputError,
) -> Iterator[SpeakerLine]:
    """The lines of such a file; blank ones are passed over.

    Parameters
    ----------
    what
        What is said of the utterance, for messages: `speaker`.
    error
        What is raised of a line.

    Raises
    ------
    InputError
        If a line does not hold two fields, or an utterance stands twice.
    formats.FormatError
        If the file cannot be read.
    """
    from formats.lines import split_words
    from formats.source import open_source

    seen: set[str] = set()
    with open_source(path, encoding=encoding) as source:
        for number, line in source.lines():
            fields = split_words(line)
            if not fields:
                continue
            if len(fields) != 2:
                problem = f"expected an utterance and its {what}, found {len(fields)} fields"
                raise error(source.name, number, 1, problem)
            name, text = fields
            if name in seen:
                problem = f"expected another utterance, found {name!r} again"
                raise error(source.name, number, 1, problem)
            seen.add(name)
            yield SpeakerLine(name, text, source.name, number, line.rfind(text) + 1)


def read_speakers(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, str]:
    """From utterances to speakers; a line holds one of each.

    Raises
    ------
    InputError, formats.FormatError
        As `each_utterance`.
    """
    return {said.utterance: said.text for said in each_utterance(path, "speaker", encoding)}
