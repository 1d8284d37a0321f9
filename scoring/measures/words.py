"""Words of interest: error rates inside and outside a list, and the hits of each entry."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing import percent
from scoring.drawing.blocks import Block, Note, Table
from scoring.measures.columns import placed
from scoring.measures.settings import choice_of, flag
from scoring.measures.view import RawWords
from scoring.measures.word_list import (
    FORMATS,
    Finder,
    ListEntry,
    Occurrence,
    WordsOfInterest,
    prepared_words,
    read_word_list,
)
from scoring.model.arrays import Integers
from scoring.model.counts import Edit
from scoring.model.errors import InputError
from scoring.results.counted import Sums, f1_of
from scoring.results.measured import NAMES, Figure, MeasureSetting, MeasureSpec, f1_figures
from scoring.text.units import split_in_units

if TYPE_CHECKING:
    from scoring.measures.columns import Flags
    from scoring.measures.view import View

# Lists with more entries have tables by class only: a table of each entry has columns for it.
MOST_LISTED = 100
FBAI, NEMO_2, NEMO_3 = "bias-fbai@43cdb3c", "keywords-nemo@2", "keywords-nemo@3"
_EDITS = {
    "substitutions": Edit.SUBSTITUTION,
    "deletions": Edit.DELETION,
    "insertions": Edit.INSERTION,
}
_SIDES = ("inside", "outside")
_RATES = [" + ".join(f"{side}_{kind}" for kind in _EDITS) + f" / {side}_words" for side in _SIDES]
_FOUND = ("reference", "hits", "hypothesis")
_INSERTED = "inserted_distractors"
_BAG = ("bag_reference", "bag_hits", "bag_hypothesis")


def count(view: View) -> dict[str, Any]:
    """Count words and errors inside and outside the list, entries on each side, and hits."""
    search = _Search(view)
    sides = search.sides
    inside = [np.zeros(len(side.ids), np.bool_) for side in sides]
    partners = np.full(len(view.reference.ids), -1)
    correct = (view.edits == Edit.CORRECT) & (view.left >= 0) & (view.right >= 0)
    partners[view.left[correct]] = sides[1].origins[view.right[correct]]
    facing = np.where(sides[0].all_of(partners >= 0), sides[0].first_of(partners, -1), -1)
    wrong = ~sides[1].all_of(view.hypothesis.edits == Edit.CORRECT)
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row in search.rows():
        finder, distractors = search.finders(row)
        texts = [[search.fold(word) for word in side.words[row]] for side in sides]
        left, right = (slice(*side.offsets[row : row + 2].tolist()) for side in sides)
        said, heard = (finder.occurrences(text) for text in texts)
        for flags, begin, occurrences in ((inside[0], left, said), (inside[1], right, heard)):
            for start, entry in occurrences:
                flags[begin.start + start :][: len(entry.words)] = True
        bags = [Counter(entry.words for _, entry in side) for side in (said, heard)]
        for name, bag in zip(_BAG, (bags[0], bags[0] & bags[1], bags[1]), strict=True):
            counted[name][row] = bag.total()
        aligned: Sequence[list[ListEntry]]
        if view.rates.rules.profile in (NEMO_2, NEMO_3):
            from scoring.measures.words_nemo import align_by_bytes, align_words, nemo_entries

            align = align_words if view.rates.rules.profile == NEMO_3 else align_by_bytes
            aligned = nemo_entries(align(texts[0], texts[1]), finder.entries)
        else:
            hits = _hits(said, heard, (facing[left] - right.start).tolist())
            aligned = [entry for _, entry in said], hits, [entry for _, entry in heard]
        for name, entries in zip(_FOUND, aligned, strict=True):
            for entry in entries:
                counted[name][row] += 1
                counted[f"{name}[word:{entry.text}]"][row] += 1
                if entry.name is not None:
                    counted[f"{name}[class:{entry.name}]"][row] += 1
        counted[_INSERTED][row] = sum(
            bool(wrong[right][start : start + len(entry.words)].any())
            for start, entry in distractors.occurrences(texts[1])
        )
    columns: dict[str, Any] = {
        name: rows
        for name, rows in counted.items()
        if "[word:" not in name or len(search.words.entries) <= MOST_LISTED
    }
    for name, whole in (("missed", "reference"), ("false_alarms", "hypothesis")):
        columns[name] = Counter(counted[whole])
        columns[name].subtract(counted["hits"])
    lists = search.words.by_utterance
    if lists is not None and not lists.keys() >= {*view.rates.identifiers}:
        columns["without_list"] = np.array([name not in lists for name in view.rates.identifiers])
    pairs = zip(sides, inside, strict=True)
    return columns | _errors(
        view, *(np.append(flags, False)[side.origins] for side, flags in pairs)
    )


class _Search:
    """The words of interest of a result, and the utterances that may contain them."""

    def __init__(self, view: View) -> None:
        settings, rules = view.settings, view.rates.rules
        self.view = view
        is_raw = settings["words_raw"]
        self.sides = [
            side.raw if is_raw else RawWords(side.words, side, np.arange(len(side.ids)))
            for side in (view.reference, view.hypothesis)
        ]
        self.words: WordsOfInterest = settings["words"] or WordsOfInterest("<words>", {})
        if settings["words"] and settings["words_format"] not in ("auto", self.words.form):
            self.words = read_word_list(self.words.path, settings["words_format"])
        lists = self.words.by_utterance
        if lists is not None and len(view) and lists.keys().isdisjoint(view.rates.identifiers):
            first, listed = view.rates.identifiers[0], next(iter(lists), "no utterance")
            message = f"expected lists of utterances such as {first!r}, found {listed!r}"
            raise InputError(self.words.path, None, None, message)
        others = settings["distractors"] or WordsOfInterest("<words>", {})
        is_single = settings["words_match"] == "word" or rules.profile == FBAI
        pipeline = None
        # entries go through the steps of the reference, unless they are looked for in raw words
        if not is_raw and rules.normalization != "none":
            if view.rates.sources is None:
                raise view.error(
                    "expected the steps of normalisation for the list, found a result without "
                    "them (keep_sources=True keeps them)"
                )
            pipeline = view.rates.sources.pipeline
        entries = self.words.entries
        self.fold: Callable[[str], str] = str.casefold if rules.ignore_case else str
        self.entries = {}
        texts = chain(entries, others.entries, *self.words.distractors.values())
        for text in dict.fromkeys(texts):
            words = prepared_words(text, pipeline)
            words = words if is_raw else split_in_units(words, rules.unit)
            if is_single and len(text.split()) > 1:
                words = ()  # one word that never occurs
            self.entries[text] = ListEntry(tuple(map(self.fold, words)), text, entries.get(text))
        self.distractors = [
            text for text in others.entries if lists is not None or text not in entries
        ]
        self.whole = self._finder(entries), self._finder(self.distractors)

    def _finder(self, texts: Iterable[str]) -> Finder:
        entries = (self.entries[text] for text in texts if text)
        return Finder(entries, self.view.settings["words_nested"])

    def rows(self) -> list[int]:
        """Return the utterances with a word that begins an entry."""
        firsts = {entry.words[0] for entry in self.entries.values() if entry.words}
        flags = np.zeros(len(self.view), np.bool_)
        for side in self.sides:
            begins = side.by_type(lambda word: self.fold(word) in firsts, np.bool_)
            flags[side.utterances[begins]] = True
        rows: list[int] = np.flatnonzero(flags).tolist()
        return rows

    def finders(self, row: int) -> tuple[Finder, Finder]:
        """Return two finders for an utterance: for its entries, and for its distractors."""
        if self.words.by_utterance is None:
            return self.whole
        identifier = self.view.rates.identifiers[row]
        listed = self.words.by_utterance.get(identifier, ())
        others = dict.fromkeys([*self.words.distractors.get(identifier, ()), *self.distractors])
        return self._finder(listed), self._finder(text for text in others if text not in listed)


def _hits(
    reference: Sequence[Occurrence], hypothesis: Sequence[Occurrence], facing: Sequence[int]
) -> list[ListEntry]:
    """Return the reference entries that occur in the hypothesis at the aligned position.

    `facing` has the hypothesis position of each reference word.
    """
    heard = {(start, entry.words) for start, entry in hypothesis}
    hits = []
    for start, entry in reference:
        first, size = facing[start], len(entry.words)
        is_whole = facing[start : start + size] == [*range(first, first + size)]
        hits += [entry] if is_whole and (first, entry.words) in heard else []
    return hits


def _errors(view: View, reference: Flags, hypothesis: Flags) -> dict[str, Integers]:
    """Return words and errors inside and outside the list.

    An insertion is inside the list if the inserted word is in the list.
    """
    inside = placed(reference, view.left, False)
    inside |= (view.left < 0) & placed(hypothesis, view.right, False)
    columns = {}
    for name, chosen in zip(_SIDES, (inside, ~inside), strict=True):
        columns[f"{name}_words"] = view.sums(chosen & (view.edits != Edit.INSERTION))
        for kind, edit in _EDITS.items():
            columns[f"{name}_{kind}"] = view.sums(chosen & (view.edits == edit))
    return columns


def details(totals: Sums) -> Iterator[Block]:
    """Yield a table by class and a table by entry, sorted by misses and false alarms."""
    for kind in ("class", "word"):
        rows = []
        for name, numbers in totals.by_label(kind).items():
            reference, hits, hypothesis = (numbers[key] for key in _FOUND)
            if reference or hypothesis:
                rates = map(percent, f1_of(hits, reference, hypothesis).values())
                wrong = reference + hypothesis - 2 * hits
                rows.append((-wrong, name, (str(reference), str(hits), str(hypothesis), *rates)))
        if rows:
            headings = (kind, *_FOUND, "precision %", "recall %", "F1 %")
            yield Table(headings, [(name, *cells) for _, name, cells in sorted(rows)])
    if totals["reference"] and not totals.by_label("word"):
        yield Note(f"lists of more than {MOST_LISTED} entries have no table by entry")
    if totals["without_list"]:
        yield Note(
            f"utterances without a list, whose words all count as outside: {totals['without_list']}"
        )


MEASURE = MeasureSpec(
    name="words",
    title="Words of interest",
    question=NAMES,
    definition="Each place of the alignment is inside or outside the list. Its reference word "
    "decides, or for an insertion its hypothesis word. All words of a phrase are "
    "inside. Where entries overlap, the longest one counts, then the leftmost; no "
    "word counts twice. The rate inside (B-WER) and the rate outside (U-WER) divide "
    "the errors there by the reference words there. The errors inside and outside add "
    "up to all errors. An occurrence in the reference is a hit if all its words are "
    "right and no insertion is between them. Recall is hits by occurrences in the "
    "reference, precision hits by occurrences in the hypothesis, so that a keyword in "
    "place of another one is a miss and a false alarm; F1 is 2 hits by occurrences on "
    "both sides. The numbers by bag ignore positions: for each utterance and entry, "
    "the smaller of its numbers of occurrences on both sides counts as hits. Entries "
    "are normalised like the reference, or with words_raw searched as written in the "
    "words before normalisation. An utterance without a list has all words outside.",
    figures=(
        Figure("b_wer", "error rate inside the list", _RATES[0], high=None),
        Figure("u_wer", "error rate outside", _RATES[1], high=None),
        *f1_figures("hits", "reference", "hypothesis", title="{}, aligned"),
        *f1_figures("bag_hits", "bag_reference", "bag_hypothesis", "bag_", "{}, bag"),
        Figure(_INSERTED, "inserted distractors", _INSERTED, high=None, form="count"),
    ),
    columns=(
        *(f"{side}_{kind}" for side in _SIDES for kind in ("words", *_EDITS)),
        *("reference", "hypothesis", "hits", "missed", "false_alarms"),
        *("bag_reference", "bag_hypothesis", "bag_hits", _INSERTED),
    ),
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("words", None, read_word_list, "file with words and phrases", True),
        MeasureSetting(
            "distractors",
            None,
            read_word_list,
            "file with words that nobody is expected to say",
            True,
        ),
        choice_of("words_format", FORMATS, ", ".join(FORMATS)),
        choice_of(
            "words_match",
            ("phrase", "word"),
            "phrase: find entries of several words; word: find single words only",
        ),
        MeasureSetting(
            "words_raw",
            False,
            flag,
            "search for the entries, as written, in the words before normalisation",
        ),
        MeasureSetting(
            "words_nested", False, flag, "also count an entry that is part of a longer entry"
        ),
    ),
    worst="missed",
    monotone=("bag_recall",),
    details=details,
)
