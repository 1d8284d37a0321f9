"""Substitutions that differ only in form: inflected words, and numbers in words or digits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from scoring.model.arrays import Integers
from scoring.model.counts import Edit
from scoring.results.measured import Figure, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

Forms: TypeAlias = dict[str, set[Hashable]]


def _language(value: Any) -> str:
    """Return the language in `value`, for which a Snowball stemmer must be installed.

    The result is empty if `value` asks for no language.
    """
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


def _readings(words: Collection[str], language: str) -> Forms:
    """Return all readings of each word by the number normaliser."""
    from formats.schema.words import Alternation
    from scoring.text.spoken_forms import Numbers
    from scoring.text.utterances import normalize_utterances

    rows = [(word.lower(),) for word in words]
    normalized = normalize_utterances(rows, {}, [Numbers(language)])
    readings: Forms = {}
    for row, word in enumerate(words):
        segment = normalized.special.get(row)
        branches = (
            tuple(token.text for token in branch if not isinstance(token, Alternation))
            for item in (segment.items() if segment else ())
            if isinstance(item, Alternation)
            for branch in item.branches
        )
        readings[word] = {normalized.words[row]} if segment is None else set(branches)
    return readings


def _stems(words: Collection[str], language: str) -> Forms:
    return {word: {_stemmer(language)(word.lower())} for word in words}


def _alike(view: View, slots: Integers, forms: Callable[[Collection[str]], Forms]) -> Integers:
    """Return, for each utterance, in how many of the given slots both words have a common form."""
    sides = (view.reference, view.hypothesis)
    numbers = (side.ids[side.slots[slots]].tolist() for side in sides)
    words = [[side.types[n] for n in ids] for side, ids in zip(sides, numbers, strict=True)]
    known = forms({*words[0], *words[1]})
    same = [not known[left].isdisjoint(known[right]) for left, right in zip(*words, strict=True)]
    return np.bincount(view.utterances[slots], same, len(view)).astype(np.int64)


def count(view: View) -> dict[str, Any]:
    """Count errors, and the substitutions among them that differ only in form."""
    slots = np.flatnonzero(view.edits == Edit.SUBSTITUTION)
    with_digit = [
        side.by_type(lambda word: any(map(str.isdigit, word)), np.bool_)[side.slots[slots]]
        for side in (view.reference, view.hypothesis)
    ]
    words, stem = np.diff(view.reference.offsets), view.settings["stem"]
    readings = partial(_readings, language=view.settings["number_language"])
    columns = {
        "errors": view.errors,
        "words": words,
        "numbers": _alike(view, slots[np.logical_or(*with_digit)], readings),
    }
    if stem:
        columns |= {"stemmed": words, "stemmed_errors": view.errors}
        columns["inflections"] = _alike(view, slots, partial(_stems, language=stem))
    return columns


MEASURE = MeasureSpec(
    name="forms",
    title="Errors of form alone",
    question="Which errors change the meaning?",
    definition="An inflection is a substitution of words that are equal after stemming "
    "(stem=german; needs the package snowballstemmer). A number is a substitution of "
    "words that mean the same number, for example 5 for five. The alignment does not "
    "change. wer_stem and wer_number divide the errors without inflections, or "
    "without numbers, by the reference words; shares divide by all errors. wer_stem "
    "needs a stemmer.",
    figures=(
        Figure(
            "wer_stem",
            "error rate without inflections",
            "errors - inflections / stemmed",
            high=None,
        ),
        Figure("wer_number", "error rate without numbers", "errors - numbers / words", high=None),
        Figure(
            "inflection_share",
            "errors that are inflections",
            "inflections / stemmed_errors",
            "none",
        ),
        Figure("number_share", "errors that are numbers", "numbers / errors", "none"),
    ),
    columns=("errors", "words", "stemmed", "inflections", "numbers", "stemmed_errors"),
    count=count,
    parameters=(
        MeasureSetting("stem", "", _language, "language of the stemmer, for example english"),
        MeasureSetting("number_language", "en", str, "language of numbers (default: en)"),
    ),
)
