"""Kaldi's text: an identifier and its words a line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scoring.errors import InputError
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from formats.source import Readable

NAME = "kaldi-text"
OF_DIRECTORIES = "kaldi"
ENOUGH_LINES = 2


class LookAlikeError(InputError):
    """Free text in which each line begins with what may be an identifier."""


def is_meant(format_name: str | None) -> bool:
    """Whether this reader is asked for, which reads the lines of files and no tables beside them.

    The format `kaldi` of `formats` reads these, too, and whole data directories.
    """
    return format_name is not None and format_name.lower() == NAME


def read(path: Readable, encoding: str = "utf-8", encoding_option: str = "--encoding") -> Corpus:
    """Read a text; blank lines are skipped, an identifier alone has no words.

    Fields are cut at ASCII blanks, as Kaldi does. The encoding and what messages call its choice
    are as of `formats.read`.
    """
    from formats.lines import split_words
    from formats.source import open_source

    identifiers: list[str] = []
    words: list[tuple[str, ...]] = []
    lines: list[int | None] = []
    with open_source(path, encoding=encoding, encoding_option=encoding_option) as source:
        for number, line in source.lines():
            fields = split_words(line)
            if fields:
                identifiers.append(fields[0])
                words.append(tuple(fields[1:]))
                lines.append(number)
        remarks = tuple(str(remark) for remark in source.log.entries() if remark.severity != "note")
        name = source.name
    speakers: list[str | None] = [None] * len(words)
    return Corpus(name, NAME, identifiers, speakers, words, lines, {}, (), remarks)


def refuse_options(options: Mapping[str, object]) -> None:
    """Refuse options: this reader has none."""
    if options:
        from formats.errors import OptionError, quoted

        raise OptionError(
            f"options to read {NAME}: expected none, found {quoted(next(iter(options)))}"
        )


def refuse_look_alike(corpus: Corpus, path: str | os.PathLike[str], encoding: str) -> None:
    """Refuse free text that was meant as Kaldi's: by its suffix it would be one utterance."""
    from formats.source import is_collection

    if corpus.format != "txt" or not (os.path.isfile(path) or is_collection(os.fspath(path))):
        return
    from formats import read

    firsts: dict[str, list[str]] = {}
    for line in read(path, "txt-lines", encoding=encoding):
        if line.words:
            name = getattr(line.line, "path", corpus.name)
            firsts.setdefault(name, []).append(line.words[0])
    for name, words in firsts.items():
        if looks_alike(words):
            raise LookAlikeError(
                name,
                1,
                1,
                "each line begins with what may be an identifier: name the format, "
                f"{OF_DIRECTORIES}, txt-lines or txt",
            )


def looks_alike(firsts: Sequence[str]) -> bool:
    """Whether first words of lines are all different and numbered, as identifiers are."""
    numbered = all(any(letter.isdigit() for letter in word) for word in firsts)
    return numbered and ENOUGH_LINES <= len(firsts) == len(set(firsts))
