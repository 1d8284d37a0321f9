"""Replacement of texts: literally, as whole words, by regular expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scoring.model.errors import OptionValueError
from scoring.text.step import Step, has_blank, put

_REPETITION = re.compile(r"\{\d*,?\d{10,}")


def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a regular expression; raise `re.error` if it is too large or nested too deeply."""
    try:
        return re.compile(pattern)
    except OverflowError as problem:
        repetition = _REPETITION.search(pattern)
        raise re.error(str(problem), pattern, repetition.start() if repetition else 0) from None
    except RecursionError:
        raise re.error("too many groups within groups", pattern, 0) from None


@dataclass(frozen=True, slots=True, repr=False)
class _SearchAndReplace(Step):
    """Base of steps that replace a text. Subclasses define how the text matches."""

    removes = True
    search: str
    replace: str

    @property
    def by_word(self) -> bool:
        """True if the searched text cannot span words."""
        return not has_blank(self.search)


@dataclass(frozen=True, slots=True, repr=False)
class Replace(_SearchAndReplace):
    """Replace every occurrence of a text, also inside words; case is significant.

    >>> Replace("nudge", "wink")("Nudge nudge!")
    'Nudge wink!'
    """

    name = "replace"

    def __post_init__(self) -> None:
        if not self.search:
            raise OptionValueError("search", expected="a text to search for", found="none")

    def __call__(self, text: str) -> str:
        """Return a text with all occurrences replaced."""
        return text.replace(self.search, self.replace)


@dataclass(frozen=True, slots=True, repr=False)
class ReplaceWords(_SearchAndReplace):
    """Replace every occurrence of a text that does not touch other word characters.

    The first letter matches in either case, and the replacement begins in the same case as the
    match. All other letters must match exactly. Both arguments are stripped. With an empty
    replacement, the words are removed and the blanks around them are kept.

    >>> ReplaceWords("a", "the")("She has a heart of formica. A heart!")
    'She has the heart of formica. The heart!'
    """

    name = "replacewords"
    _pattern: re.Pattern[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        search, replace = self.search.strip(), self.replace.strip()
        if not search:
            raise OptionValueError("search", expected="a word to search for", found="none")
        first = "|".join(map(re.escape, dict.fromkeys((search[0].lower(), search[0].upper()))))
        pattern = re.compile(rf"(?<!\w)({first}){re.escape(search[1:])}(?!\w)")
        put(self, search=search, replace=replace, _pattern=pattern)

    def __call__(self, text: str) -> str:
        """Return a text with the words replaced."""
        return self._pattern.sub(self._in_case, text)

    def _in_case(self, match: re.Match[str]) -> str:
        first, rest = self.replace[:1], self.replace[1:]
        if match[1].isupper():
            return first.upper() + rest
        return (first.lower() if match[1].islower() else first) + rest


@dataclass(frozen=True, slots=True, repr=False)
class Regex(_SearchAndReplace):
    r"""Replace every match of a Python regular expression, which may contain `(?i)` and `\1`.

    >>> Regex("(?i)(h)a", r"\1e")("HAHA! Hahaha!")
    'HeHe! Hehehe!'
    """

    name = "regex"
    _pattern: re.Pattern[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        pattern = compiled_pattern(self.search)
        pattern.sub(self.replace, "")  # rejects a replacement with groups that are not there
        put(self, _pattern=pattern)

    @property
    def by_word(self) -> bool:
        """Always false, because a match may span words."""
        return False

    def __call__(self, text: str) -> str:
        """Return a text with all matches replaced."""
        return self._pattern.sub(self.replace, text)
