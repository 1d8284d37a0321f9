"""The English normaliser of the Open ASR Leaderboard as of 2026-08-21, by its published rules.

Nearly all words are changed on their own, so that each distinct word is looked at once.
Words that depend on their neighbours (numbers, single letters, contractions before `been`, …) are
changed together with the words of this kind around them. Any other word between two such groups
keeps them apart; `_BARRIER` stands for it, so that equal groups are looked at once, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

from scoring.normalize.leaderboard_tables import (
    DATE,
    DIGEST,
    LeaderboardTables,
    read_tables,
    table_file,
)
from scoring.normalize.spoken_numbers import DECIMALS, SCALES, WORDS, write_numbers
from scoring.normalize.step import Step, put
from scoring.normalize.unicode_forms import BLANK, CharacterTable
from scoring.normalize.whisper import without_brackets

Result = TypeVar("Result")
_words = str.split
_MOST = 1 << 16  # words, and groups of words, that are remembered
_BARRIER = "zz"
_LEFT, _RIGHT = f"{_BARRIER} ", f" {_BARRIER}"
_FILLERS = re.compile(
    r"\b(?:hmm|mm|mhm|mmm|uh|um|ah|aha|ahh|ahm|eh|ehehe|em|hm|huh|hum|mhum|uhm|umm|uhuh)\b"
)
_TITLES = (
    "mr mister, mrs missus, st saint, dr doctor, prof professor, capt captain, gov governor, "
    "ald alderman, gen general, sen senator, rep representative, pres president, rev reverend, "
    "hon honorable, asst assistant, assoc associate, lt lieutenant, col colonel, jr junior, "
    "sr senior, esq esquire"
)
# In the order in which they apply: what a text must have in it, a pattern, and what it becomes.
_WHOLE = (
    "won't: will not, can't: can not, let's: let us, ain't: aint, y'all: you all, wanna: want to, "
    "gotta: got to, gonna: going to, i'ma: i am going to, imma: i am going to, woulda: would have, "
    "coulda: could have, shoulda: should have, ma'am: madam"
)
_ENDINGS = (
    "'d been: had been, 's been: has been, 'd gone: had gone, 's gone: has gone, "
    "'d done: had done, 's got: has got, n't: not, 're: are, 's: is, 'd: would, 'll: will, "
    "'t: not, 've: have, 'm: am"
)
_WITH_IS = r"\b(it|he|she|what|that|who|here|there|how|when|where|why|this)'s\b"
# Words that a contraction looks for after it, and endings that digits before them take.
_AFTER = frozenset(_words("been gone done got a half nd rd th st s"))
_SYMBOLS = ".%$¢€£"
_LETTERS = dict(
    zip("œŒøØæÆßẞđĐðÐþÞłŁ", _words("oe OE o O ae AE ss SS d D d D th th l L"), strict=True)
)


class _Rule(NamedTuple):
    inside: str
    pattern: re.Pattern[str]
    becomes: str


def _rules() -> list[_Rule]:
    rules = []
    for entry in _WHOLE.split(", "):
        word, _, becomes = entry.partition(": ")
        rules.append(_Rule(word, re.compile(rf"\b{word}\b"), becomes))
    for entry in _TITLES.split(", "):
        word, _, becomes = entry.partition(" ")
        rules.append(_Rule(word, re.compile(rf"\b{word}\b"), f"{becomes} "))
    for entry in _ENDINGS.split(", "):
        ending, _, becomes = entry.partition(": ")
        if ending == "'s":
            rules.append(_Rule(ending, re.compile(_WITH_IS), r"\1 is"))
        else:
            rules.append(_Rule(ending, re.compile(rf"{ending}\b"), f" {becomes}"))
    return rules


_RULES = _rules()
_WORD_RULES = [rule for rule in _RULES if "'" not in rule.inside]
_CHANGED = {rule.inside for rule in _WORD_RULES} | set(_FILLERS.pattern[5:-3].split("|"))
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
_SYMBOL = re.compile(f"[{_SYMBOLS}]")
_LONE_SYMBOL = re.compile(r"[.$¢€£]([^0-9])")
_LONE_PERCENT = re.compile(r"([^0-9])%")


class _Characters(CharacterTable):
    """Marks go, other punctuation and symbols become blanks, some letters others."""

    def of(self, character: str) -> str | None:
        """What becomes of a character."""
        if character in _SYMBOLS:
            return character
        category = unicodedata.category(character)
        if character in _LETTERS or category == "Mn":
            return _LETTERS.get(character)
        return BLANK if category[0] in "MSP" else character


@dataclass(frozen=True, slots=True, repr=False)
class LeaderboardEnglish(Step):
    """The Open ASR Leaderboard's normaliser for English, as of 2026-08-21.

    Brackets and fillers go, contractions and titles are written out, accents go, spoken numbers
    become digits, spelling becomes American, variants of names one, single letters in a row one
    word. `one two three` is one word, `123`.

    Parameters
    ----------
    tables
        The leaderboard's file `normalizer/english_abbreviations.py`; None: that of the clone whose
        folder the environment variable `OPEN_ASR_LEADERBOARD` names.
    """

    name = f"leaderboard-english@{DATE}"
    removes = True
    tables: str | None = None

    def __post_init__(self) -> None:
        put(self, tables=self.tables or table_file())
        _english(self.tables)

    def arguments(self) -> dict[str, object]:
        """None: what the tables hold counts, not where they are."""
        return {}

    def table(self) -> str:
        """A hash of the tables."""
        return DIGEST

    def __call__(self, text: str) -> str:
        """The text as the leaderboard normalises it."""
        try:
            return _english(self.tables).normalize(text)
        except ValueError as problem:
            raise ValueError(f"{self.name}: {problem} in {text[:80]!r}") from None


@lru_cache(maxsize=2)
def _english(path: str) -> _English:
    return _English(read_tables(path))


class _English:
    """The rules with their tables, and what is known of words and groups of words."""

    def __init__(self, tables: LeaderboardTables) -> None:
        # of spellings first, then of names
        get_name = tables.names.get
        self._spellings = tables.names | {
            word: get_name(spelling, spelling) for word, spelling in tables.spellings.items()
        }
        parts = {
            pattern: re.findall("[a-z]+", pattern.replace(r"\b", "").replace(r"\s", " "))
            for pattern in tables.compounds
        }
        self._compounds = [
            (re.compile(pattern), becomes) for pattern, becomes in tables.compounds.items()
        ]
        self._compound = re.compile("|".join(tables.compounds))
        self._dependent = WORDS.union(_AFTER, *parts.values())
        self._characters = _Characters()
        self._words = _Memory(self.word)
        self._groups = _Memory(self._group)

    def normalize(self, text: str) -> str:
        """A text after all rules."""
        text = text.lower()
        if "(" in text or "[" in text or "<" in text:
            text = without_brackets(text)
        tokens = text.split(BLANK)
        words = list(map(self._words.__getitem__, tokens))
        words.append("")  # where the last search ends
        pieces: list[str] = []
        place, end = 0, len(tokens)
        while (begin := words.index("", place)) < end:
            pieces += words[place:begin]
            place = begin + 1
            while place < end and not words[place]:
                place += 1
            left = _LEFT if begin else ""
            right = _RIGHT if place < end else ""
            piece = self._groups[f"{left}{BLANK.join(tokens[begin:place])}{right}"]
            if piece is None:
                return self._finished(_FILLERS.sub("", text))
            if piece:
                pieces.append(piece)
        pieces += words[place:end]
        return BLANK.join(pieces)

    def _group(self, text: str) -> str | None:
        """A group of words, without the barriers; None if the line must be seen as a whole."""
        left, right = text.startswith(_LEFT), text.endswith(_RIGHT)
        begin, end = len(_BARRIER) * left, len(_BARRIER) * right
        rest = _FILLERS.sub("", text)
        if begin and rest[begin:].lstrip().startswith("'"):
            return None  # the word before is part of the group
        piece = self._finished(rest)
        piece = piece[begin : len(piece) - end]
        if (not left and piece.startswith(BLANK)) or (not right and piece.endswith(BLANK)):
            return None  # a blank is kept at the ends of a line alone
        return piece.strip()

    def word(self, token: str) -> str:
        """What becomes of a word whatever is beside it; empty if that depends on its neighbours."""
        bare = token[:-1] if token[-1:] in _MARKS else token
        if len(bare) > 1 and bare.isascii() and bare.isalpha() and bare not in _CHANGED:
            return "" if bare in self._dependent else self._spellings.get(bare, bare)
        if token.split() != [token] or token[-2:] in ("'d", "'s"):
            return ""
        text = _FILLERS.sub("", token)
        if text.startswith("'"):
            return ""
        words = self._cleaned(text).split()
        if any(len(w) < 2 or not w.isalpha() or w in self._dependent for w in words):
            return ""
        return BLANK.join(map(self._spellings.get, words, words))

    def _cleaned(self, text: str) -> str:
        """A text without fillers after the rules for letters and signs."""
        rules = _WORD_RULES
        if "'" in text:
            text = _BEFORE_APOSTROPHE.sub("'", text)
            rules = _RULES
        for inside, pattern, becomes in rules:
            if inside in text:
                text = pattern.sub(becomes, text)
        if "," in text:
            text = _COMMA.sub(r"\1\2", text)
        if "." in text:
            text = _FULL_STOP.sub(r" \1", text)
        if not text.isascii():
            text = unicodedata.normalize("NFKD", text)
        return text.translate(self._characters)

    def _finished(self, text: str) -> str:
        """A text without fillers after all rules."""
        text = self._cleaned(text)
        if self._compound.search(text) is not None:
            for pattern, becomes in self._compounds:
                text = pattern.sub(becomes, text)
        words = _with_digits(text).split()
        text = BLANK.join(_with_acronyms(list(map(self._spellings.get, words, words))))
        if _SYMBOL.search(text) is not None:
            text = _LONE_SYMBOL.sub(r" \1", text)
            text = _LONE_PERCENT.sub(r"\1 ", text)
            text = re.sub(r"\s+", BLANK, text)
        return text


class _Memory(dict[str, Result]):
    """Results of a function by text; emptied when there are very many."""

    def __init__(self, function: Callable[[str], Result]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> Result:
        if len(self) >= _MOST:
            self.clear()
        result = self[text] = self._function(text)
        return result


def _with_digits(text: str) -> str:
    """A text with numbers in digits."""
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
    """The words; two single letters or digits in a row are one word, with `a` or `i` three."""
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
