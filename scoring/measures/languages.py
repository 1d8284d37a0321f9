"""Code-switching: rates of each language, at points of interest (PIER), and at switches.

A word's language is the script of most of its letters. A word without letters has the language of
the word before it. Points of interest are the words in other scripts than that of the matrix
language, or the words between `<tag` and `>` in the reference as read. An insertion belongs to the
next reference word, and an insertion at the end to the last word, as in PIER's own program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing import percent
from scoring.drawing.blocks import Block, Table
from scoring.measures.script import letters_of, read_scripts
from scoring.model.counts import Edit
from scoring.results.counted import Sums
from scoring.results.measured import Figure, MeasuredValues, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.columns import Flags
    from scoring.measures.view import View
    from scoring.model.arrays import Integers

PARTS = ("substitutions", "deletions", "insertions", "words")
EDITS = (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
ERRORS = " + ".join(PARTS[:3])
# Scripts that one language writes.
ALIKE = {"Hiragana": "Japanese", "Katakana": "Japanese"}
TAG, TAG_END = "<tag", ">"


def script_of_word(word: str) -> str:
    """Return the script of most letters of a word, empty without letters.

    >>> script_of_word("cat"), script_of_word("bug는"), script_of_word("42")
    ('Latin', 'Latin', '')
    """
    letters = Counter(letters_of(word))
    return letters.most_common(1)[0][0] if letters else ""


def _languages(view: View, matrix: Set[str]) -> tuple[list[str], Integers]:
    """Return the names of the languages, and the index of the language of each reference word."""
    reference = view.reference
    names = [script_of_word(word) for word in reference.types]
    if not ALIKE.keys().isdisjoint((*names, *matrix)):
        # the characters that Japanese shares with Chinese are Japanese there
        names = ["Japanese" if name in ("Han", *ALIKE) else name for name in names]
    known = sorted({name for name in names if name})
    numbers = {name: number for number, name in enumerate(known)}
    of_types = np.array([numbers.get(name, -1) for name in names], np.int64)
    words = of_types[reference.ids] if len(of_types) else np.empty(0, np.int64)
    return known, _filled(words, reference.offsets)


def _filled(words: Integers, offsets: Integers) -> Integers:
    """Give each word without letters the language of the word before it.

    If there is none, it gets the language of the next word with letters.
    """
    filled = words.copy()
    for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        own = filled[begin:end]
        if len(own) and (own < 0).any() and (own >= 0).any():
            known = np.flatnonzero(own >= 0)
            own[:] = own[
                known[np.maximum(np.searchsorted(known, np.arange(len(own)), "right") - 1, 0)]
            ]
    return filled


def _tagged(view: View) -> Flags | None:
    """Return a flag for each reference word: True if it has a tag.

    Returns None if no word has a tag.
    """
    raw = view.reference.raw
    if TAG not in raw.types:
        return None
    flags = np.zeros(len(raw.ids), np.bool_)
    is_open = False
    for place, word in enumerate(raw.ids.tolist()):
        text = raw.types[word]
        is_open = is_open or text == TAG
        flags[place] = is_open
        is_open = is_open and not text.rstrip(".,?!").endswith(TAG_END)
    origins = raw.origins
    return np.append(flags, False)[origins]


def _owners(view: View) -> Integers:
    """Return for each slot the reference word to which it belongs; -1 if there is none."""
    words = np.where(view.left >= 0, view.left, -1)
    owners = words.copy()
    for begin, end in zip(view.offsets[:-1].tolist(), view.offsets[1:].tolist(), strict=True):
        own = owners[begin:end]
        known = np.flatnonzero(own >= 0)
        if len(known):
            own[:] = own[
                known[np.minimum(np.searchsorted(known, np.arange(len(own))), len(known) - 1)]
            ]
    return owners


def count(view: View) -> dict[str, Any]:
    """Return words and edits: of each language, at switches, at points of interest, elsewhere."""
    matrix = set(view.settings["matrix"])
    languages, of_word = _languages(view, matrix)
    owners = _owners(view)
    tagged = _tagged(view)
    if tagged is None:
        totals = Counter(of_word.tolist())
        if not matrix and languages:
            most = max(range(len(languages)), key=lambda number: totals[number])
            matrix = {languages[most]}
        if "Japanese" in languages:
            matrix |= {"Japanese"} if matrix & {"Han", *ALIKE} else set()
        is_other = np.array([name not in matrix for name in languages] + [False], np.bool_)
        points = is_other[of_word]
    else:
        points = tagged
    columns: dict[str, Any] = {}

    def add(name: str, words: Flags) -> None:
        inside = np.append(words, False)[owners]
        for part, edit in zip(PARTS, EDITS, strict=False):
            columns[name.format(part)] = view.sums(inside & (view.edits == edit))
        columns[name.format("words")] = view.reference.sums(words)

    for number, language in enumerate(languages):
        add(f"{{}}[language:{language}]", of_word == number)
    if (of_word < 0).any():
        add("{}[language:(none)]", of_word < 0)
    has_point = view.reference.sums(points) > 0
    is_mixed = has_point & (view.reference.sums(~points) > 0)
    add("poi_{}", points & is_mixed[view.reference.utterances])
    add("rest_{}", ~points & is_mixed[view.reference.utterances])
    add("all_poi_{}", points)
    switches = _switches(view, of_word)
    add("switch_{}", switches)
    errors = sum(columns[f"all_poi_{part}"] for part in PARTS[:3])
    sizes = columns["all_poi_words"]
    for size in sorted({*sizes.tolist()} - {0}):
        columns[f"errors[points:{size}]"] = np.where(sizes == size, errors, 0)
        columns[f"utterances[points:{size}]"] = sizes == size
    return columns


def numbers(totals: Sums) -> MeasuredValues:
    """Return the error rate at points of interest, as the mean over utterances."""
    sizes = totals.by_label("points").items()
    utterances = sum(parts["utterances"] for _, parts in sizes)
    rates = sum(Fraction(parts["errors"], int(size)) for size, parts in sizes)
    return {"pier_mean": float(rates / utterances)} if utterances else {}


def _switches(view: View, of_word: Integers) -> Flags:
    """Return a flag for each word: True if a neighbouring word is in another language."""
    changes = np.zeros(len(of_word), np.bool_)
    if len(of_word) > 1:
        same = view.reference.utterances[1:] == view.reference.utterances[:-1]
        change = same & (of_word[1:] != of_word[:-1])
        changes[1:] |= change
        changes[:-1] |= change
    return changes


def language_tables(totals: Sums) -> Iterator[Block]:
    """Yield a table with the error rate of each language."""
    rows = []
    for name, numbers in sorted(totals.by_label("language").items()):
        errors = sum(numbers[part] for part in PARTS[:3])
        rate = percent(errors / numbers["words"] if numbers["words"] else None)
        rows.append((name, *(str(numbers[part]) for part in ("words", *PARTS[:3])), rate))
    if rows:
        yield Table(("language", "words", *PARTS[:3], "rate %"), rows)


def _rate(prefix: str) -> str:
    return f"{' + '.join(f'{prefix}_{part}' for part in PARTS[:3])} / {prefix}_words"


MEASURE = MeasureSpec(
    name="languages",
    title="Languages and switches",
    question="How well is each language recognised?",
    definition="The language of a reference word is the script of most of its letters; a word "
    "without letters has the language of the word before it. Han is Japanese if the references "
    "have Hiragana or Katakana. Points of interest are the words between <tag and > in the "
    "reference as read, or without tags the words that are not of the matrix language, the most "
    "frequent script (or the setting matrix). Insertions belong to the next word of the "
    "reference, at the end to the last one. pier divides the errors at points of interest by "
    "their number, in utterances that also have other words, as PIER's program does; pier_all in "
    "all utterances, and pier_mean is the mean of their rates. switch_rate has the words before "
    "and after a change of language. With --profile jiwer the alignment, and so pier, is that of "
    "PIER's program.",
    figures=(
        Figure("pier", "error rate at points of interest", _rate("poi"), high=None),
        Figure("rest_rate", "error rate of other words there", _rate("rest"), high=None),
        Figure("pier_all", "at all points of interest", _rate("all_poi"), high=None),
        Figure("pier_mean", "mean of utterances with such points", high=None),
        Figure("switch_rate", "error rate at switches", _rate("switch"), high=None),
    ),
    columns=tuple(
        f"{prefix}_{part}" for prefix in ("poi", "rest", "all_poi", "switch") for part in PARTS
    ),
    count=count,
    numbers=numbers,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("matrix", (), read_scripts, "scripts of the matrix language, such as Hang"),
    ),
    details=language_tables,
    corpus_setting="matrix",
)
