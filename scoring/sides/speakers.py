"""Kaldi's utt2spk: the speaker of every utterance."""

from __future__ import annotations

import os

from scoring.errors import InputError


def read_speakers(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, str]:
    """From utterances to speakers; a line holds one of each.

    Raises
    ------
    InputError
        If a line does not hold two fields, or an utterance stands twice.
    formats.FormatError
        If the file cannot be read.
    """
    from formats.lines import split_words
    from formats.source import open_source

    speakers: dict[str, str] = {}
    with open_source(path, encoding=encoding) as source:
        for number, line in source.lines():
            fields = split_words(line)
            if not fields:
                continue
            if len(fields) != 2:
                raise InputError(
                    source.name,
                    number,
                    1,
                    f"expected an utterance and its speaker, found {len(fields)} fields",
                )
            if fields[0] in speakers:
                raise InputError(
                    source.name,
                    number,
                    1,
                    f"expected another utterance, found {fields[0]!r} again",
                )
            speakers[fields[0]] = fields[1]
    return speakers
