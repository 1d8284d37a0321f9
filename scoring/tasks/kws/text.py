"""Normalisation of texts before comparison: lower case, and words split into characters.

There is no Unicode normalisation, and hyphens, punctuation and hesitations are ordinary
characters, as in the original.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# NBSP and U+3000 belong to words
BLANKS = re.compile(r"[ \t\r\n\v\f]+")
_BETWEEN_ASCII = re.compile(r"(?<=[\x00-\x7f]) (?=[\x00-\x7f])")


class Splitting(NamedTuple):
    """The rules for splitting words into characters."""

    characters: bool = False  # cut at all; without it the others do nothing
    except_ascii: bool = False  # runs of ASCII characters stay together
    delete_hyphens: bool = False  # hyphens separate and vanish


def lowered(text: str, compare_normalize: str) -> str:
    """Return a text as the keyword list compares it: in lower case, or unchanged."""
    return text.lower() if compare_normalize == "lowercase" else text


def split_token(token: str, splitting: Splitting) -> list[str]:
    """Split a word into pieces; an unsplit word is one piece, a word of hyphens has no pieces.

    >>> split_token("ab对", Splitting(True))
    ['a', 'b', '对']
    >>> split_token("ab对", Splitting(True, except_ascii=True))
    ['ab', '对']
    >>> split_token("a-b", Splitting(True, except_ascii=True, delete_hyphens=True))
    ['a', 'b']
    """
    if not splitting.characters:
        return [token]
    text = " ".join(token)
    if splitting.except_ascii:
        text = _BETWEEN_ASCII.sub("", text)
    if splitting.delete_hyphens:
        text = text.replace("-", " ")
    return [piece for piece in text.split(" ") if piece]


def split_keyword(text: str, splitting: Splitting) -> list[str]:
    """Return the words of a keyword, each split by the rules.

    The original joins ASCII characters across the blanks between words: ``to go`` becomes ``tog
    o``, which never occurs. Here ``to go`` remains two words.

    >>> split_keyword("to go", Splitting(True, except_ascii=True))
    ['to', 'go']
    """
    words = [word for word in BLANKS.split(text) if word]
    return [piece for word in words for piece in split_token(word, splitting)]
