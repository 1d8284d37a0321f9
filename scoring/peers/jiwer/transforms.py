"""jiwer's transforms: they turn a text, or a list of texts, into texts, words or characters."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]


class AbstractTransform:
    """Base of transforms.

    Subclasses define `process_string`, which transforms a text, and if necessary `process_list`.
    """

    def __call__(self, sentences: Any) -> Any:
        """Transform a text or a list of texts; raise ValueError for anything else."""
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise ValueError(f"input {sentences} was expected to be a string or list of strings")

    def process_string(self, s: str) -> Any:
        """Transform one text."""
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:
        """Transform several texts."""
        return [self.process_string(text) for text in inp]


class Compose:
    """Applies several transforms in order.

    >>> Compose([ToLowerCase(), Strip(), ReduceToListOfListOfWords()])(" The Cat")
    [['the', 'cat']]
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        """Apply all transforms in order."""
        for transform in self.transforms:
            text = transform(text)
        return text


class BaseRemoveTransform(AbstractTransform):
    """Base of transforms that replace each string of `tokens_to_remove` by the same string."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = "") -> None:
        self.tokens_to_remove: Collection[str] = (
            tokens_to_remove if isinstance(tokens_to_remove, Collection) else list(tokens_to_remove)
        )
        self.replace_token = replace_token

    def process_string(self, s: str) -> str:
        """Replace each string of `tokens_to_remove` in a text, in order."""
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s


class _Reduction(AbstractTransform):
    """Splits each text into a list of words or characters.

    An empty list of texts gives a list with one empty list.
    """

    def pieces(self, s: str) -> list[str]:
        """Split a text into words or characters."""
        raise NotImplementedError

    def process_string(self, s: str) -> list[list[str]]:
        """Return a list whose only element is the list of the words or characters of a text."""
        return [self.pieces(s)]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        """Split each text into words or characters."""
        return [self.pieces(text) for text in inp] or [[]]


class ReduceToListOfListOfWords(_Reduction):
    """Splits texts at a delimiter; empty words are dropped.

    >>> ReduceToListOfListOfWords()(["hi", "the  cat"])
    [['hi'], ['the', 'cat']]
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def pieces(self, s: str) -> list[str]:
        """Return the words of a text."""
        return [word for word in s.split(self.word_delimiter) if word]


class ReduceToListOfListOfChars(_Reduction):
    """Splits texts into characters, including blanks.

    >>> ReduceToListOfListOfChars()("a cat")
    [['a', ' ', 'c', 'a', 't']]
    """

    def pieces(self, s: str) -> list[str]:
        """Return the characters of a text."""
        return list(s)


class ReduceToSingleSentence(AbstractTransform):
    """Joins all non-empty texts, so that sides with different numbers of texts can be compared.

    >>> ReduceToSingleSentence()(["the", "", "cat sat"])
    ['the cat sat']
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        """Return a single text unchanged."""
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        """Join all texts into one text; the list is empty if all texts are empty."""
        texts = [text for text in inp if len(text) >= 1]
        return [self.word_delimiter.join(texts)] if texts else []


class SubstituteRegexes(AbstractTransform):
    r"""Replaces the matches of regular expressions, in the order of the mapping.

    >>> SubstituteRegexes({r"\b(\w+)ed\b": r"\1"})("it rained")
    'it rain'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """Replace the matches in a text, in the order of the mapping."""
        for pattern, replacement in self.substitutions.items():
            s = re.sub(pattern, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    """Replaces whole words, in the order of the mapping.

    >>> SubstituteWords({"mr": "mister"})("mr mrs")
    'mister mrs'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """Replace the words of a text, in the order of the mapping."""
        for word, replacement in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", replacement, s)
        return s


class RemoveSpecificWords(SubstituteWords):
    """Replaces each of the given words with a blank.

    >>> RemoveSpecificWords(["the"])("the cat")
    '  cat'
    """

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class _RemoveCharacters(BaseRemoveTransform):
    """Base of transforms that replace characters; fast if a text has few distinct ones."""

    def process_string(self, s: str) -> str:
        """Replace all of the characters in a text."""
        for character in set(s).intersection(self.tokens_to_remove):
            s = s.replace(character, self.replace_token)
        return s


class RemoveWhiteSpace(_RemoveCharacters):
    r"""Removes ASCII blanks, or replaces each with a space.

    >>> RemoveWhiteSpace()("a\tb"), RemoveWhiteSpace(replace_by_space=True)("a\tb")
    ('ab', 'a b')
    """

    def __init__(self, replace_by_space: bool = False) -> None:
        super().__init__(list(string.whitespace), " " if replace_by_space else "")


@cache
def _punctuation() -> frozenset[str]:
    """Return the characters whose Unicode category starts with P."""
    characters = map(chr, range(sys.maxunicode + 1))
    return frozenset(char for char in characters if unicodedata.category(char)[0] == "P")


class RemovePunctuation(_RemoveCharacters):
    """Removes the characters of Unicode's categories of punctuation.

    >>> RemovePunctuation()("Well, isn't it?")
    'Well isnt it'
    """

    def __init__(self) -> None:
        super().__init__(_punctuation())


class RemoveMultipleSpaces(AbstractTransform):
    """Replaces a run of blanks with one space.

    >>> RemoveMultipleSpaces()("the   cat ")
    'the cat '
    """

    def process_string(self, s: str) -> str:
        """Replace each run of two or more blanks by one space."""
        return re.sub(r"\s\s+", " ", s)


class Strip(AbstractTransform):
    """Removes blanks at both ends."""

    def process_string(self, s: str) -> str:
        """Remove blanks at both ends of a text."""
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Removes texts that are empty or blank from a list.

    >>> RemoveEmptyStrings()(["", "the cat", " "])
    ['the cat']
    """

    def process_string(self, s: str) -> str:
        """Remove the blanks at both ends of a text."""
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        """Remove texts that are empty or blank from a list."""
        return [text for text in inp if self.process_string(text)]


class ExpandCommonEnglishContractions(SubstituteRegexes):
    """Expands English contractions; each contraction has a single expansion.

    >>> ExpandCommonEnglishContractions()("she'll say it can't")
    'she will say it can not'
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "won't": "will not",
                "can't": "can not",
                "let's": "let us",
                "n't": " not",
                "'re": " are",
                "'s": " is",
                "'d": " would",
                "'ll": " will",
                "'t": " not",
                "'ve": " have",
                "'m": " am",
            }
        )


class ToLowerCase(AbstractTransform):
    """Converts text to lower case."""

    def process_string(self, s: str) -> str:
        """Convert a text to lower case."""
        return s.lower()


class ToUpperCase(AbstractTransform):
    """Converts text to upper case."""

    def process_string(self, s: str) -> str:
        """Convert a text to upper case."""
        return s.upper()


class RemoveKaldiNonWords(AbstractTransform):
    """Removes text between the brackets `[]` and `<>`, brackets included.

    >>> RemoveKaldiNonWords()("you <unk> like [laugh]")
    'you  like '
    """

    def process_string(self, s: str) -> str:
        """Remove each part from an opening bracket to the next closing bracket."""
        *pieces, rest = re.split(r"(?<=[>\]])", s)
        return "".join([_before_bracket(piece) for piece in pieces]) + rest


def _before_bracket(piece: str) -> str:
    """Return the part of a text before its first opening bracket, or the whole text without one."""
    opening = re.search(r"[<\[]", piece)
    return piece[: opening.start()] if opening else piece
