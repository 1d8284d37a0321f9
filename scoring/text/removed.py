"""Counts of the letters and marks that a step removes, by script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

from scoring.text.unicode_forms import is_letter_or_mark

# Unicode's names of the scripts of languages that are written today, and those of shared marks.
_NAMES = """
    Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi
    Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul
    Ethiopic Cherokee Canadian_Aboriginal Khmer Mongolian Hiragana Katakana Bopomofo Han Yi
    Tifinagh Nko Vai Javanese Balinese Sundanese Cham Meetei_Mayek Ol_Chiki Lepcha Limbu New_Tai_Lue
    Tai_Le Tai_Tham Tai_Viet Adlam Chakma Osage Inherited Common
"""
SCRIPTS = tuple(_NAMES.split())
OTHER = "other scripts"
Kind = tuple[str, str]


@cache
def _tests() -> tuple[tuple[str, Callable[[str], object]], ...]:
    import regex

    return tuple(
        (name.replace("_", " "), regex.compile(rf"\p{{Script={name}}}").match) for name in SCRIPTS
    )


@cache
def script_of(character: str) -> str:
    """The script of a character, by Unicode's property."""
    return next((name for name, is_of in _tests() if is_of(character)), OTHER)


def letters_and_marks(text: str) -> Counter[Kind]:
    """The number of letters and of marks of each script in a text, in the form NFD."""
    numbers: Counter[Kind] = Counter()
    for character, number in Counter(unicodedata.normalize("NFD", text)).items():
        if is_letter_or_mark(character):
            marks = unicodedata.category(character)[0] == "M"
            numbers[script_of(character), "marks" if marks else "letters"] += number
    return numbers


def removed(before: Mapping[Kind, int], after: Mapping[Kind, int]) -> dict[Kind, int]:
    """The counts that became smaller, with the difference, the greatest loss first."""
    lost = {kind: number - after.get(kind, 0) for kind, number in before.items()}
    return dict(sorted(((k, n) for k, n in lost.items() if n > 0), key=lambda item: -item[1]))


def removed_text(lost: Mapping[Kind, int]) -> str:
    """For people."""
    return ", ".join(
        f"{number} {noun if number > 1 else noun[:-1]} of {script}"
        for (script, noun), number in lost.items()
    )
