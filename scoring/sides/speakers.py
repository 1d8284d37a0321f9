"""Files with a line and one property for every utterance, as Kaldi's utt2spk and utt2dur do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from scoring.errors import InputError


class SpeakerLine(NamedTuple):
    """An utterance and its property; file, line and column of the text."""

    utterance: str
    text: str
    file: str
    line: int
    column: int


def each_utterance(
    path: str | os.PathLike[str],
    property_name: str,
    encoding: str = "utf-8",
    error: type[InputError] = InputError,
) -> Iterator[SpeakerLine]:
    """The lines of such a file; blank ones are skipped."""
    from formats.lines import split_words
    from formats.source import open_source

    seen: set[str] = set()
    with open_source(path, encoding=encoding) as source:
        for number, line in source.lines():
            fields = split_words(line)
            if not fields:
                continue
            if len(fields) != 2:
                problem = (
                    f"expected an utterance and its {property_name}, found {len(fields)} fields"
                )
                raise error(source.name, number, 1, problem)
            name, text = fields
            if name in seen:
                problem = f"expected another utterance, found {name!r} again"
                raise error(source.name, number, 1, problem)
            seen.add(name)
            yield SpeakerLine(name, text, source.name, number, line.rfind(text) + 1)


def read_speakers(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, str]:
    """From utterances to speakers; a line holds one of each."""
    return {row.utterance: row.text for row in each_utterance(path, "speaker", encoding)}
