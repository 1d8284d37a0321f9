"""Units of comparison: words, characters, graphemes, or words and characters mixed.

A unit is named `word`, `char`, `char+space`, `grapheme` or `mixed`; scripts that `mixed` shall cut
besides Han and Kana stand after it, as in `mixed+thai+khmer`. Nothing is cut that does not ask for
it: Unicode's property determines the script; text is not cut because it is not ASCII.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING
from unicodedata import normalize

from scoring.model.counts import CHARACTERS_AND_BLANKS, SCRIPTS, characters_and_blanks, is_whole

if TYPE_CHECKING:
    from formats.schema.words import Words

# Kana's marks of length and voice belong to no script, but stand nowhere else.
_HAN_AND_KANA = r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3099-\u309c\u30fc\uff70"


def in_units(utterances: Sequence[Words], unit: str) -> Sequence[Words]:
    """Return the words of utterances, cut as the unit says; each different word is cut once."""
    if unit == "word":
        return utterances
    if unit == CHARACTERS_AND_BLANKS:
        return list(map(characters_and_blanks, utterances))
    cut = _cutter(unit)
    every = set(chain.from_iterable(utterances))
    pieces = {word: (word,) if is_whole(word) else cut(word) for word in every}
    look_up = pieces.__getitem__
    return [tuple(chain.from_iterable(map(look_up, words))) for words in utterances]


def split_in_units(words: Words, unit: str) -> Words:
    r"""Return words cut into units.

    `char` are the code points, blanks between words left aside, as in Kaldi's recipes;
    `char+space` counts one blank between two words and cuts all words, as jiwer does; `grapheme`
    the extended grapheme clusters of UAX 29, so that vowel signs stay with their consonants, in
    NFC, so that canonically equal characters are equal;
    `mixed` cuts what is written in Han and Kana, and in the scripts named, into clusters, and
    leaves all else as words. Words in square or angle brackets, and those with `!SIL` in them, stay
    whole in every unit but `char+space`.

    >>> split_in_units(("日本", "ab", "<unk>"), "char")
    ('日', '本', 'a', 'b', '<unk>')
    >>> split_in_units(("ab", "[c]"), "char+space")
    ('a', 'b', ' ', '[', 'c', ']')
    >>> split_in_units(("हिन्दी",), "grapheme")
    ('हि', 'न्दी')
    >>> split_in_units(("e\u0301",), "grapheme") == split_in_units(("\xe9",), "grapheme")
    True
    >>> split_in_units(("Čeština", "GPT模型"), "mixed")
    ('Čeština', 'GPT', '模', '型')
    """
    return in_units([words], unit)[0]


def _cutter(unit: str) -> Callable[[str], Words]:
    """Return a function that cuts a word."""
    if unit == "char":
        return tuple
    import regex

    if unit == "grapheme":
        clusters = regex.compile(r"\X")
        return lambda word: tuple(
            word if word.isascii() else clusters.findall(normalize("NFC", word))
        )
    named = "".join(rf"\p{{Script={SCRIPTS[script]}}}" for script in unit.split("+")[1:])
    cut = f"[{_HAN_AND_KANA}{named}]"
    pieces = regex.compile(rf"(?={cut})\X|(?:(?!{cut})\X)+")
    return lambda word: (word,) if word.isascii() else tuple(pieces.findall(word))
