"""The files of Kaldi's scoring: lines cut at ASCII blanks, texts by identifier, recorded rates."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from formats.schema import words_of_text

if TYPE_CHECKING:
    from formats.schema.words import Words


def subdirectory(path: str, name: str) -> str:
    """Return a folder in a folder; empty if it is not there."""
    joined = os.path.join(path, name)
    return joined if os.path.isdir(joined) else ""


def file_in(path: str, name: str) -> str:
    """Return a file in a folder; empty if it is not there."""
    joined = os.path.join(path, name)
    return joined if os.path.isfile(joined) else ""


def lines_of(path: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the numbered lines of a file that hold anything, cut at ASCII blanks.

    Bytes that are no UTF-8 survive as Python's surrogates.
    """
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        if fields := words_of_text(line):
            yield number, fields


def read_texts(path: str) -> dict[str, Words]:
    """Read a Kaldi text; of an identifier that stands twice the first one counts, as in Kaldi."""
    texts: dict[str, Words] = {}
    for _, fields in lines_of(path):
        texts.setdefault(fields[0], tuple(fields[1:]))
    return texts


def read_lines(path: str, starts: tuple[str, ...]) -> dict[str, str]:
    """Return the lines that begin with certain words, by these words."""
    lines: dict[str, str] = {}
    for _, fields in lines_of(path):
        if fields[0] in starts:
            lines.setdefault(fields[0], " ".join(fields))
    return lines
