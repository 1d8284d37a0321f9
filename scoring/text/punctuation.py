"""Punctuation by Unicode's classes, and annotations in brackets."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from scoring.model.errors import OptionValueError
from scoring.text.step import Step, put
from scoring.text.unicode_forms import BLANK, CharacterTable, is_of_word

# ' and what is typed or typeset in its place: quotation marks, modifier letter, prime, full width.
APOSTROPHES = "'’‘ʼ＇`´′"
HYPHENS = "-‐‑"
NUMBER_SIGNS = ".,:"
DECIMAL_SIGNS = ".,．，٫٬"  # ASCII, full width, Arabic
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")
# What stays inside words, on request: how it stays there (None: as is, between digits).
KEEP: dict[str, tuple[str, str | None]] = {
    "apostrophe": (APOSTROPHES, "'"),
    "hyphen": (HYPHENS, "-"),
    "number": (NUMBER_SIGNS, None),
    "decimal": (DECIMAL_SIGNS, None),
    "initials": ("", ""),  # see `join_initials`
}
# Two or more single letters, a dot after each but perhaps the last, in a text's kinds of
# characters: L letters, M marks, N digits.
_INITIALS = re.compile(r"(?<![LMN])(?<![LMN]\.)LM*(?:\.LM*)+\.?(?!\.?[LMN])")
# From an opening bracket to the nearest closing one, of the same kind or not. Where there is none,
# to the end, so that nobody looks for it again; that is kept.
_SQUARE_OR_ANGLE = re.compile(r"[\[<][^\]>]*(?:[\]>]|(\Z))")
_ROUND = re.compile(r"\([^)]+(?:\)|(\Z))")


def _unclosed(match: re.Match[str]) -> str:
    """Return the replacement of a bracket: nothing if it is closed, and the bracket if not."""
    return "" if match[1] is None else match[0]


def without_brackets(text: str) -> str:
    """Return a text without brackets and their content."""
    return _ROUND.sub(_unclosed, _SQUARE_OR_ANGLE.sub(_unclosed, text))


def _stands_between(text: str, position: int, digits: bool = False) -> bool:
    """Return True if both neighbours of a character are letters or digits (or only digits)."""
    if not 0 < position < len(text) - 1:
        return False
    around = text[position - 1], text[position + 1]
    return all(map(str.isdigit, around)) if digits else all(map(is_of_word, around))


def fold_apostrophes(text: str) -> str:
    """Return the text with every apostrophe inside a word written as `'`."""
    if text.isascii() and "`" not in text:
        return text
    return _APOSTROPHE.sub(lambda m: "'" if _stands_between(text, m.start()) else m[0], text)


def join_initials(text: str) -> str:
    """Return the text without the dots of initials.

    >>> join_initials("The U.S.’s J.R. Doe, e.g. at 4.5 p.m. in a.b.com etc.")
    'The US’s JR Doe, eg at 4.5 pm in a.b.com etc.'
    """
    if "." not in text[:-1]:
        return text
    pieces: list[str] = []
    begin = 0
    for match in _INITIALS.finditer(text.translate(_KINDS)):
        pieces += [text[begin : match.start()], text[match.start() : match.end()].replace(".", "")]
        begin = match.end()
    return "".join([*pieces, text[begin:]])


def _kind_of(character: str) -> str:
    """Return `L`, `M` or `N` for a letter, mark or digit; return other characters unchanged."""
    return unicodedata.category(character)[0] if is_of_word(character) else character


_KINDS = CharacterTable(_kind_of)


@dataclass(frozen=True, slots=True, repr=False)
class Apostrophes(Step):
    """Write all kinds of apostrophes inside words as `'`; apostrophes at word edges are unchanged.

    >>> Apostrophes()("‘don’t’")
    "‘don't’"
    """

    name = "apostrophes"
    word_by_word = True

    def __call__(self, text: str) -> str:
        """Return the text with uniform apostrophes."""
        return fold_apostrophes(text)


@dataclass(frozen=True, slots=True, repr=False)
class Punctuation(Step):
    """Drop punctuation (Unicode class P), and optionally symbols (class S).

    Parameters
    ----------
    keep
        Characters that are kept inside words: `apostrophe` (all forms become `'`), `hyphen`
        (becomes `-`), `number` (`.`, `,` and `:` between digits), `decimal` (`.` and `,` between
        digits), `initials` (which lose their dots: `U.S.` becomes `US`).
    becomes
        `blank`: a dropped character separates words, `3.5` becomes `3 5`. `nothing`: it joins them.
    symbols
        Whether to drop symbols (currency, mathematics, emoji), too.

    >>> Punctuation()("“Don’t”, she said: 3.5!"), Punctuation(keep=())("Don’t")
    (" Don't   she said  3 5 ", 'Don t')
    >>> Punctuation(keep=("number",), becomes="nothing")("re-run at 3.5!")
    'rerun at 3.5'
    """

    name = "punctuation"
    word_by_word = True
    choices: ClassVar = {"keep": tuple(KEEP), "becomes": ("blank", "nothing")}
    keep: tuple[str, ...] = ("apostrophe",)
    becomes: str = "blank"
    symbols: bool = False
    _kept: re.Pattern[str] | None = field(init=False, compare=False)
    _table: CharacterTable = field(init=False, compare=False)

    def __post_init__(self) -> None:
        Step.__post_init__(self)
        becomes = BLANK if self.becomes == "blank" else None
        table = CharacterTable(partial(replace_classes, "PS" if self.symbols else "P", becomes))
        ordered = tuple(sorted(set(self.keep)))
        characters = re.escape("".join(KEEP[name][0] for name in ordered))
        kept = re.compile(f"[{characters}]") if characters else None
        put(self, keep=ordered, _table=table, _kept=kept)

    def __call__(self, text: str) -> str:
        """Return the text without punctuation."""
        if text.isalnum():
            return text
        if "initials" in self.keep:
            text = join_initials(text)
        if self._kept is None or self._kept.search(text) is None:
            return text.translate(self._table)
        pieces: list[str] = []
        begin = 0
        for match in self._kept.finditer(text):
            position = match.start()
            stays = self._stays_as(text, position)
            if stays:
                pieces += [text[begin:position].translate(self._table), stays]
                begin = position + 1
        return "".join([*pieces, text[begin:].translate(self._table)])

    def _stays_as(self, text: str, position: int) -> str:
        for name in self.keep:
            characters, plain = KEEP[name]
            if text[position] in characters and _stands_between(text, position, plain is None):
                return plain or text[position]
        return ""


def replace_classes(classes: str, becomes: str | None, character: str) -> str | None:
    """Return `becomes` if the character is in one of the classes, otherwise the character."""
    return becomes if unicodedata.category(character)[0] in classes else character


_PAIRS = {
    "square": r"\[[^\[\]]*\]",
    "angle": r"<[^<>]*>",
    "round": r"\([^()]*\)",
    "curly": r"\{[^{}]*\}",
    "asterisks": r"\*[^*]*\*",
}


@dataclass(frozen=True, slots=True, repr=False)
class Brackets(Step):
    """Drop text in brackets, also in nested brackets: `[noise]`, `<unk>`.

    An opening bracket without a closing bracket is kept, with the text after it.

    Parameters
    ----------
    kinds
        The kinds of brackets; `asterisks` are those of `*sighs*`, and of `*so*`.

    >>> Brackets()("so [noise [loud]] we <unk> (perhaps) left").split()
    ['so', 'we', '(perhaps)', 'left']
    """

    name = "brackets"
    removes = True
    choices: ClassVar = {"kinds": tuple(_PAIRS)}
    kinds: tuple[str, ...] = ("square", "angle")
    _pattern: re.Pattern[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        Step.__post_init__(self)
        if not self.kinds:
            raise OptionValueError("kinds", expected=f"some of {', '.join(_PAIRS)}", found="none")
        pattern = re.compile("|".join(_PAIRS[kind] for kind in self.kinds))
        put(self, kinds=tuple(self.kinds), _pattern=pattern)

    def __call__(self, text: str) -> str:
        """Return a text without the selected brackets and their content."""
        count = 1
        while count:
            text, count = self._pattern.subn("", text)
        return text
