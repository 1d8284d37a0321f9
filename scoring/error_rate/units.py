"""What is compared: words, or the characters of words."""

from __future__ import annotations

from scoring.error_rate.corpus import Corpus, Words

_BRACKETS = (("[", "]"), ("<", ">"))
SILENCE = "!SIL"


def in_units(corpus: Corpus, unit: str) -> Corpus:
    """The same utterances, their words cut into characters if that is the unit."""
    if unit == "word":
        return corpus
    return corpus._replace(words=[characters(words) for words in corpus.words])


def characters(words: Words) -> Words:
    """The code points of words, blanks between words left aside, as in Kaldi's recipes.

    Words in square or angle brackets, and those with `!SIL` in them, stay whole.

    Examples
    --------
    >>> characters(("日本", "ab", "<unk>"))
    ('日', '本', 'a', 'b', '<unk>')
    """
    return tuple(part for word in words for part in ((word,) if _is_whole(word) else word))


def _is_whole(word: str) -> bool:
    return SILENCE in word or any(
        len(word) > 1 and word[0] == opening and word[-1] == closing
        for opening, closing in _BRACKETS
    )
