"""Wrong script: letters in scripts that the language of the reference does not use."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.settings import items_of
from scoring.results.measured import INVENTION, Figure, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import RawWords, View

# Those in common use today, the most frequent first; letters of others are "Other".
_NAMES = """
Latin Cyrillic Han Hiragana Katakana Hangul Arabic Devanagari Greek Hebrew Thai Bengali
Tamil Telugu Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Armenian Georgian Ethiopic
Khmer Lao Myanmar Tibetan Mongolian Thaana Bopomofo Cherokee Syriac Tifinagh Nko
Canadian_Aboriginal Vai Yi Javanese Balinese Common Inherited
"""
SCRIPTS = tuple(_NAMES.split())
OTHER = "Other"
LEAST_SHARE = 0.05
# Scripts that languages write together.
TOGETHER = ({"Han", "Hiragana", "Katakana"}, {"Hangul", "Han"})


@cache
def script_of(letter: str) -> str:
    """Return the script of a letter (Unicode's property Script)."""
    import regex

    for name in SCRIPTS:
        if regex.match(rf"\p{{Script={name}}}", letter):
            return name
    return OTHER


def letters_of(word: str) -> dict[str, int]:
    """Return the number of letters (category L) of each script in a word."""
    if word.isascii():
        letters = sum(map(str.isalpha, word))
        return {"Latin": letters} if letters else {}
    return dict(Counter(script_of(c) for c in word if unicodedata.category(c)[0] == "L"))


def read_scripts(value: Any) -> tuple[str, ...]:
    """Parse names or codes of scripts, separated by commas.

    >>> read_scripts("Latn,Cyrillic")
    ('Latin', 'Cyrillic')
    """
    import regex

    scripts = []
    for name in items_of(value):
        try:
            is_of_script = regex.compile(rf"\p{{Script={name}}}").match
            letter = next(filter(is_of_script, map(chr, range(0x30000))))
        except (regex.error, StopIteration):
            raise ValueError(f"expected scripts such as Latn,Cyrl, found {name!r}") from None
        scripts.append(script_of(letter))
    return tuple(dict.fromkeys(scripts))


def expected_scripts(letters: dict[str, int]) -> set[str]:
    """Return the scripts with at least 5 % of the letters, and their companion scripts."""
    total = sum(letters.values())
    frequent = {name for name, number in letters.items() if number >= LEAST_SHARE * total}
    for group in TOGETHER:
        if frequent & (group - {"Han"}):
            frequent |= group
    return frequent


def _expected(raw: RawWords) -> set[str]:
    totals: Counter[str] = Counter()
    for word, times in zip(raw.types, np.bincount(raw.ids, minlength=len(raw.types)), strict=True):
        totals.update({name: number * int(times) for name, number in letters_of(word).items()})
    return expected_scripts(totals)


def count(view: View) -> dict[str, Any]:
    """Count letters, letters of unexpected scripts, and hypotheses mostly in such scripts."""
    chosen = view.settings["script"]
    expected = set(chosen) if chosen else _expected(view.reference.raw)
    # marks that several scripts share, such as the sign of long vowels in Japanese
    expected |= {"Common", "Inherited"}

    def foreign_letters(word: str) -> int:
        return sum(number for name, number in letters_of(word).items() if name not in expected)

    raw = view.hypothesis.raw
    letters = raw.sums(raw.by_type(lambda word: sum(letters_of(word).values())))
    foreign = raw.sums(raw.by_type(foreign_letters))
    return {
        "letters": letters,
        "foreign": foreign,
        "foreign_answers": 2 * foreign > letters,
        "answers": letters > 0,
    }


MEASURE = MeasureSpec(
    name="script",
    title="Wrong script",
    question=INVENTION,
    definition="The share of letters in the answers whose script (Unicode's property Script) is "
    "not expected. Scripts with at least 5 % of the letters of all references are "
    "expected; Han, Hiragana and Katakana are expected together, as are Hangul and "
    "Han; letters that several scripts share are always expected. The second number "
    "is the share of answers in which more than half of the letters are of other "
    "scripts. This measure cannot distinguish languages of the same script, such as "
    "German and English.",
    figures=(
        Figure("foreign_share", "letters of other scripts", "foreign / letters"),
        Figure("foreign_answer_share", "answers in another script", "foreign_answers / answers"),
    ),
    columns=("letters", "foreign", "foreign_answers", "answers"),
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("script", (), read_scripts, "expected scripts, for example Latn,Cyrl"),
    ),
    worst="foreign",
    corpus_setting="script",
)
