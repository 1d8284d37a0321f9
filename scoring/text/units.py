"""Units of comparison: words, characters, graphemes, or words and characters mixed.

A unit is named `word`, `char`, `char+space`, `grapheme` or `mixed`. Scripts that `mixed` cuts in
addition to Han and Kana follow its name, as in `mixed+thai+khmer`. Unicode's property determines
the script of a character. Text in any other script is not cut, even if it is not ASCII.
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
    """Return the words of utterances, cut into units; each distinct word is cut once."""
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

    `char` means code points without the blanks between words, as in Kaldi's recipes. `char+space`
    also has one blank between two words and cuts all words, as in jiwer. `grapheme` means the
    extended grapheme clusters of UAX 29 (vowel signs belong to their consonants) in NFC
    (canonically equal characters are equal). `mixed` cuts text in Han, Kana and the named scripts
    into clusters, and keeps other words whole. Words in square or angle brackets, and words with
    `!SIL`, are kept whole in every unit except `char+space`.

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
    """Return a function that cuts a word into units."""
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
