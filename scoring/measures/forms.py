"""Substitutions that differ only in form: inflected words, and numbers in words or digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.model import Edit
from scoring.rates.counted import Sums
from scoring.rates.measured import Figure, MeasureSetting, MeasureSpec, Values

if TYPE_CHECKING:
    from scoring.measures.view import View


def _language(value: Any) -> str:
    """The name of a language that the installed Snowball stemmers have; empty for none."""
    language = str(value).lower()
    if language:
        _stemmer(language)
    return language


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    try:
        import snowballstemmer  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ModuleNotFoundError:
        raise ValueError(
            "expected an installed stemmer: pip install snowballstemmer, or sclite-kit[stem]"
        ) from None
    try:
        stem: Callable[[str], str] = snowballstemmer.stemmer(language).stemWord
    except KeyError:
        names = ", ".join(snowballstemmer.algorithms())
        raise ValueError(f"expected one of {names}, found {language!r}") from None
    return stem


def _is_inflection(left: str, right: str, language: str) -> bool:
    stem = _stemmer(language)
    return stem(left.lower()) == stem(right.lower())


def _is_number(left: str, right: str, language: str) -> bool:
    """Whether two words are the same number, read in any way that the normaliser knows."""
    if not any(letter.isdigit() for letter in left + right):
        return False
    return not _readings(left.lower(), language).isdisjoint(_readings(right.lower(), language))


@cache
def _readings(word: str, language: str) -> frozenset[tuple[str, ...]]:
    from formats.words import Alternation
    from scoring.normalize.numbers import Numbers
    from scoring.normalize.utterances import normalize_words

    words, items = normalize_words((word,), [Numbers(language)])
    readings = {words} if items is None else set()
    for item in items or ():
        if isinstance(item, Alternation):
            readings |= {
                tuple(token.text for token in branch if not isinstance(token, Alternation))
                for branch in item.branches
            }
    return frozenset(readings)


def count(view: View) -> dict[str, Any]:
    """Errors, and the substitutions among them that differ only in form."""
    slots = np.flatnonzero(view.edits == Edit.SUBSTITUTION)
    left, right = view.reference, view.hypothesis
    ours, theirs = left.ids[view.left[slots]], right.ids[view.right[slots]]
    pairs = np.stack([ours, theirs], axis=1)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    columns = {"errors": view.errors, "words": np.diff(left.offsets)}
    checks = {"numbers": (_is_number, view.settings["number_language"])}
    if view.settings["stem"]:
        columns["stemmed"] = np.diff(left.offsets)
        checks["inflections"] = (_is_inflection, view.settings["stem"])
    for name, (is_same, language) in checks.items():
        flags = np.array(
            [is_same(left.types[i], right.types[j], language) for i, j in unique.tolist()], np.bool_
        )
        rows = view.utterances[slots][flags[inverse.reshape(-1)]]
        columns[name] = np.bincount(rows, minlength=len(view))
    return columns


def numbers(totals: Sums) -> Values:
    """The share of inflections in all errors; None without a stemmer."""
    return {"inflection_share": totals.ratio("inflections", totals["stemmed"] and totals["errors"])}


MEASURE = MeasureSpec(
    name="forms",
    title="Errors of form alone",
    question="Which errors change the meaning?",
    definition="An inflection is a substitution of words that are equal after stemming "
    "(stem=german; needs the package snowballstemmer). A number is a substitution of words that "
    "the number normaliser can read in the same way, for example 5 for five. The alignment does "
    "not change. wer_stem and wer_number divide the errors without inflections, or without "
    "numbers, by the reference words; shares divide by all errors. Without a stemmer there is no "
    "wer_stem.",
    figures=(
        Figure(
            "wer_stem",
            "error rate without inflections",
            "errors - inflections / stemmed",
            high=None,
        ),
        Figure("wer_number", "error rate without numbers", "errors - numbers / words", high=None),
        Figure("inflection_share", "errors that are inflections", better="none"),
        Figure("number_share", "errors that are numbers", "numbers / errors", "none"),
    ),
    columns=("errors", "words", "stemmed", "inflections", "numbers"),
    count=count,
    numbers=numbers,
    parameters=(
        MeasureSetting("stem", "", _language, "language of the stemmer, for example english"),
        MeasureSetting("number_language", "en", str, "language of numbers (default: en)"),
    ),
)
