"""English normalisation by Whisper's published rules, and by the leaderboard's variant.

The result for most words does not depend on adjacent words; it is computed once for each distinct
word. Words whose result depends on adjacent words (numbers, single letters, contractions before
`been`, …) form groups, and the result is cached for each distinct group. The words around a group
are replaced by `_BARRIER`, a word that no rule changes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from scoring.text.punctuation import without_brackets
from scoring.text.spoken_numbers import DECIMALS, SCALES, WORDS, write_numbers
from scoring.text.unicode_forms import BLANK, CharacterTable

Result = TypeVar("Result")
_words = str.split
_MOST = 1 << 16  # words, and groups of words, in the cache
_BARRIER = "zz"
_LEFT, _RIGHT = f"{_BARRIER} ", f" {_BARRIER}"
# Whole words, and what they become.
_WHOLE = (
    "won't: will not, can't: can not, let's: let us, ain't: aint, y'all: you all, wanna: want to, "
    "gotta: got to, gonna: going to, i'ma: i am going to, imma: i am going to, woulda: would have, "
    "coulda: could have, shoulda: should have, ma'am: madam"
)
_TITLES = (
    "mr: mister, mrs: missus, st: saint, dr: doctor, prof: professor, capt: captain, "
    "gov: governor, ald: alderman, gen: general, sen: senator, rep: representative, "
    "pres: president, rev: reverend, hon: honorable, asst: assistant, assoc: associate, "
    "lt: lieutenant, col: colonel, jr: junior, sr: senior, esq: esquire"
)
# Ends of words, in the order in which they are written out.
_ENDINGS = (
    "'d been: had been, 's been: has been, 'd gone: had gone, 's gone: has gone, "
    "'d done: had done, 's got: has got, n't: not, 're: are, 's: is, 'd: would, 'll: will, "
    "'t: not, 've: have, 'm: am"
)
# The words before which the leaderboard takes `'s` for *is*, and what is kept of them.
_WITH_IS = r"\b(it|he|she|what|that|who|here|there|how|when|where|why|this)", r"\1"
# Words that a contraction looks for after it, and endings that digits before them take.
_AFTER = frozenset(_words("been gone done got a half nd rd th st s"))
_SYMBOLS = ".%$¢€£"
_LETTERS = dict(
    zip("œŒøØæÆßẞđĐðÐþÞłŁ", _words("oe OE o O ae AE ss SS d D d D th th l L"), strict=True)
)


def _entries(table: str) -> dict[str, str]:
    """Return the entries of a table, given as text, as a mapping from texts to replacements."""
    return dict(entry.split(": ") for entry in table.split(", "))


def _substituted(rules: Iterable[tuple[re.Pattern[str], str]], text: str) -> str:
    """Return a text after all substitution rules, in order."""
    for pattern, becomes in rules:
        text = pattern.sub(becomes, text)
    return text


_WHOLE_WORDS = {
    **_entries(_WHOLE),
    **{word: f"{becomes} " for word, becomes in _entries(_TITLES).items()},
}
_WHOLE_WORD = re.compile(rf"\b(?:{'|'.join(_WHOLE_WORDS)})\b")
_MARKS = ",.?!;:"  # after a word, they go
_BEFORE_APOSTROPHE = re.compile(r"(?<!\s)\s+'")
_COMMA = re.compile(r"(\d),(\d)")
_FULL_STOP = re.compile(r"\.([^0-9]|$)")
_AND_A_HALF = re.compile(r"\band\s+a\s+half\b")
_DIGIT = re.compile(r"\d")
_LETTER_DIGIT = re.compile(r"([a-z])([0-9])")
_DIGIT_LETTER = re.compile(r"([0-9])([a-z])")
_DIGIT_ENDING = re.compile(r"([0-9])\s+(st|nd|rd|th|s)\b")
_WITH_CENTS = re.compile(r"([€£$])([0-9]+) (?:and )?¢([0-9]{1,2})\b")
_ONLY_CENTS = re.compile(r"[€£$]0.([0-9]{1,2})\b")
_ONE = re.compile(r"\b1(s?)\b")
_BLANKS = re.compile(r"\s+")
_SYMBOL = re.compile(f"[{_SYMBOLS}]")
_LONE_SYMBOL = re.compile(r"[.$¢€£]([^0-9])")
_LONE_PERCENT = re.compile(r"([^0-9])%")


def _plain_character(character: str) -> str | None:
    """Return the replacement of a character: empty for marks, a blank for punctuation."""
    if character in _SYMBOLS:
        return character
    category = unicodedata.category(character)
    if character in _LETTERS or category == "Mn":
        return _LETTERS.get(character)
    return BLANK if category[0] in "MSP" else character


class EnglishRules:
    """The rules with their tables, and the results for words and groups of words.

    Parameters
    ----------
    fillers
        Words to remove, separated by blanks.
    spellings
        Mapping from words to their replacements.
    compounds
        Mapping from patterns to their replacements, applied before numbers.
    is_leaderboard
        If true, `'s` becomes *is* only after some words, and adjacent single letters are joined.
    """

    def __init__(
        self,
        fillers: str,
        spellings: Mapping[str, str],
        compounds: Mapping[str, str],
        *,
        is_leaderboard: bool,
    ) -> None:
        self._spellings = spellings
        self._is_leaderboard = is_leaderboard
        self._fillers = re.compile(rf"\b(?:{'|'.join(fillers.split())})\b")
        self._changed = {*_WHOLE_WORDS, *fillers.split()}
        self._endings = [
            (re.compile(rf"{before}{ending}\b"), f"{kept} {becomes}")
            for ending, becomes in _entries(_ENDINGS).items()
            for before, kept in [_WITH_IS if ending == "'s" and is_leaderboard else ("", "")]
        ]
        self._compounds = [(re.compile(key), value) for key, value in compounds.items()]
        self._compound = re.compile("|".join(compounds))
        parts = re.findall("[a-z]+", re.sub(r"\\[a-z]", " ", " ".join(compounds)))
        self._dependent = WORDS.union(_AFTER, parts)
        self._characters = CharacterTable(_plain_character)
        self._words = _Memory(self.word)
        self._groups = _Memory(self._group)
        self._single = _Memory(lambda word: self._group(f"{_LEFT}{word}{_RIGHT}"))

    def normalize(self, text: str) -> str:
        """Return a text after all rules are applied."""
        text = text.lower()
        if "(" in text or "[" in text or "<" in text:
            text = without_brackets(text)
        tokens = text.split(BLANK)
        words = list(map(self._words.__getitem__, tokens))
        words.append("")  # where the last search ends
        place, end, single = 0, len(tokens), self._single
        while (place := words.index("", place)) < end:
            first = place
            place += 1
            if first and words[place]:
                piece = single[tokens[first]]
            else:
                while not words[place] and place < end:
                    place += 1
                left = _LEFT if first else ""
                right = _RIGHT if place < end else ""
                piece = self._groups[f"{left}{BLANK.join(tokens[first:place])}{right}"]
            if piece is None:
                return self._finished(self._fillers.sub("", text))
            words[first] = piece
        return BLANK.join(filter(None, words))

    def _group(self, text: str) -> str | None:
        """Return a group of words after normalisation.

        The result is None if the words outside the group also matter.
        """
        left, right = text.startswith(_LEFT), text.endswith(_RIGHT)
        begin, end = len(_BARRIER) * left, len(_BARRIER) * right
        rest = self._fillers.sub("", text)
        if begin and rest[begin:].lstrip().startswith("'"):
            return None  # the word before is part of the group
        piece = self._finished(rest)
        piece = piece[begin : len(piece) - end]
        if (not left and piece.startswith(BLANK)) or (not right and piece.endswith(BLANK)):
            return None  # a blank is kept at the ends of a line alone
        return piece.strip()

    def word(self, token: str) -> str:
        """Return the word after normalisation; an empty text if adjacent words may change it."""
        bare = token[:-1] if token[-1:] in _MARKS else token
        if len(bare) > 1 and bare.isascii() and bare.isalpha() and bare not in self._changed:
            return "" if bare in self._dependent else self._spellings.get(bare, bare)
        if token.split() != [token] or token[-2:] in ("'d", "'s"):
            return ""
        text = self._fillers.sub("", token)
        if text.startswith("'"):
            return ""
        words = self._cleaned(text).split()
        if any(len(w) < 2 or not w.isalpha() or w in self._dependent for w in words):
            return ""
        return BLANK.join(map(self._spellings.get, words, words))

    def _cleaned(self, text: str) -> str:
        """Return a text without fillers, after the rules for letters and signs."""
        if "'" in text:
            text = _BEFORE_APOSTROPHE.sub("'", text)
        text = _WHOLE_WORD.sub(lambda match: _WHOLE_WORDS[match[0]], text)
        if "'" in text:
            text = _substituted(self._endings, text)
        if "," in text:
            text = _COMMA.sub(r"\1\2", text)
        if "." in text:
            text = _FULL_STOP.sub(r" \1", text)
        if not text.isascii():
            text = unicodedata.normalize("NFKD", text)
        return text.translate(self._characters)

    def _finished(self, text: str) -> str:
        """Return a text without fillers, after all rules."""
        text = self._cleaned(text)
        if self._compounds and self._compound.search(text) is not None:
            text = _substituted(self._compounds, text)
        words = _with_digits(text).split()
        words = list(map(self._spellings.get, words, words))
        text = BLANK.join(_with_acronyms(words) if self._is_leaderboard else words)
        if _SYMBOL.search(text) is not None:
            text = _LONE_SYMBOL.sub(r" \1", text)
            text = _LONE_PERCENT.sub(r"\1 ", text)
            text = _BLANKS.sub(BLANK, text)
        return text


class _Memory(dict[str, Result]):
    """A cache of a function's results by text; it is emptied when it becomes too large."""

    def __init__(self, function: Callable[[str], Result]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> Result:
        if len(self) >= _MOST:
            self.clear()
        result = self[text] = self._function(text)
        return result


def _with_digits(text: str) -> str:
    """Return a text with numbers in digits."""
    if "half" in text:
        *parts, last = _AND_A_HALF.split(text)
        pieces: list[str] = []
        for part in parts:
            words = part.split()
            if words:
                is_number = words[-1] in DECIMALS or words[-1] in SCALES
                pieces += [part, "point five" if is_number else "and a half"]
        text = BLANK.join([*pieces, last])
    has_digits = _DIGIT.search(text) is not None
    if not has_digits and WORDS.isdisjoint(text.split()):
        return text
    if has_digits:
        text = _LETTER_DIGIT.sub(r"\1 \2", text)
        text = _DIGIT_LETTER.sub(r"\1 \2", text)
        text = _DIGIT_ENDING.sub(r"\1\2", text)
    text = BLANK.join(write_numbers(text.split()))
    if _SYMBOL.search(text) is not None:
        text = _WITH_CENTS.sub(lambda match: f"{match[1]}{match[2]}.{int(match[3]):02d}", text)
        text = _ONLY_CENTS.sub(lambda match: f"¢{int(match[1])}", text)
    return _ONE.sub(r"one\1", text) if "1" in text else text


def _with_acronyms(words: list[str]) -> list[str]:
    """Return words after joining runs of adjacent single letters.

    A run has at least two letters, or at least three if `a` or `i` is among them.
    """
    if list(map(len, words)).count(1) < 2:
        return words
    joined: list[str] = []
    run: list[str] = []
    for word in [*words, ""]:
        if len(word) == 1 and word.isalnum():
            run.append(word)
            continue
        is_joined = len(run) > 2 or (len(run) == 2 and not {"a", "i"} & set(run))
        joined += ["".join(run)] if is_joined else run
        run = []
        joined.append(word)
    return joined[:-1]
