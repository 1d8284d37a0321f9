"""A side whatever it is given as: a file, texts, lists of tokens, a mapping from identifiers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

from scoring.sides.corpus import BLANKS, Corpus, PlainTexts, Words
from scoring.sides.files import AS_FOUND, Reading, read_corpus

Text: TypeAlias = str | Sequence[str]
# What a side may be given as. A `str` is the text of a single utterance, never a path.
Given: TypeAlias = Union["Corpus", "os.PathLike[str]", str, Sequence[Text], Mapping[str, Text]]
BYTES = (bytes, bytearray, memoryview)


def as_corpus(given: Given, what: str, reading: Reading = AS_FOUND) -> Corpus:
    """One side, whatever it was given as.

    Parameters
    ----------
    given
        A path (`os.PathLike`), the text of a single utterance (`str`), texts or token lists of
        utterances in order, or a mapping from identifiers to texts or token lists. Texts are cut
        at ASCII blanks.
    what
        `reference` or `hypothesis`, for messages.

    Raises
    ------
    TypeError
        If it is none of these, or mixed.
    ValueError
        If a `str` is the name of a file.
    """
    if isinstance(given, Corpus):
        return given
    if isinstance(given, os.PathLike):
        return read_corpus(given, reading)
    if isinstance(given, str):
        if given and not set(given) & set(BLANKS) and os.path.isfile(given):
            raise ValueError(
                f"{what}: a str is the text of one utterance, and {given!r} is a file: "
                "pass pathlib.Path(...)"
            )
        return _listed(what, ["000001"], [given])._replace(by_position=True)
    if isinstance(given, Mapping):
        identifiers = list(given)
        for identifier in identifiers:
            if not isinstance(identifier, str):
                raise TypeError(
                    f"{what}: expected identifiers of type str, found {type(identifier).__name__}"
                )
        return _listed(what, identifiers, list(given.values()))
    # what the types promise is checked all the same: notebooks do not read them
    anything: object = given
    if isinstance(anything, Sequence) and not isinstance(anything, BYTES):
        numbers = [f"{number:06d}" for number in range(1, len(anything) + 1)]
        return _listed(what, numbers, anything)._replace(by_position=True)
    raise TypeError(
        f"{what}: expected a path, a str, a list or a mapping, found {type(anything).__name__}"
    )


def _listed(what: str, identifiers: list[str], texts: Sequence[object]) -> Corpus:
    words: Sequence[Words] | None = _of_plain_texts(texts)
    if words is None:
        words = [_tokens(text, what) for text in texts]
        kinds = {isinstance(text, str) for text in texts}
        if len(kinds) > 1:
            raise TypeError(f"{what}: expected texts or token lists, found both")
    count = len(identifiers)
    return Corpus(f"<{what}>", None, identifiers, [None] * count, words, [None] * count, {})


def _of_plain_texts(texts: Sequence[object]) -> Sequence[Words] | None:
    """The words of texts of printable ASCII; None if any is anything else."""
    plain = [text for text in texts if type(text) is str]
    if len(plain) < len(texts):
        return None
    together = "".join(plain)
    if not (together.isascii() and together.isprintable()):
        return None
    return PlainTexts(plain)


def _tokens(text: object, what: str) -> Words:
    if isinstance(text, str):
        from formats.lines import split_words

        return tuple(split_words(text.replace("\n", " ").replace("\r", " ")))
    if not isinstance(text, Sequence) or isinstance(text, BYTES):
        raise TypeError(
            f"{what}: expected a text or a list of tokens for each utterance, "
            f"found {type(text).__name__}"
        )
    for token in text:
        if not isinstance(token, str):
            raise TypeError(f"{what}: expected tokens of type str, found {type(token).__name__}")
    return tuple(text)
