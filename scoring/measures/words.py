"""Words of interest: error rates inside and outside a list, and how often each entry is found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing.blocks import Block, Note, Table
from scoring.drawing.numbers import percent
from scoring.measures.word_list import (
    FORMATS,
    Finder,
    ListEntry,
    Occurrence,
    Preparation,
    WordsOfInterest,
    read_word_list,
)
from scoring.model import Edit
from scoring.rates.counted import Integers, Sums, f1_of
from scoring.rates.measured import (
    NAMES,
    Figure,
    MeasureSetting,
    MeasureSpec,
    choice_of,
    f1_figures,
    flag,
)

if TYPE_CHECKING:
    from scoring.measures.view import Flags, View
    from scoring.normalize.pipeline import Pipeline

# Lists with more entries have tables by class only: a table of each entry has columns for it.
MOST_LISTED = 100
FBAI, NEMO = "bias-fbai", "keywords-nemo"
_EDITS = {
    "substitutions": Edit.SUBSTITUTION,
    "deletions": Edit.DELETION,
    "insertions": Edit.INSERTION,
}
_SIDES = ("inside", "outside")
_FOUND = ("reference", "hits", "hypothesis")
_NO_LIST = WordsOfInterest("<words>", {})


def count(view: View) -> dict[str, Any]:
    """Words and errors inside and outside the list, entries on both sides, hits."""
    words = _list_of(view)
    rules, settings = view.rates.rules, view.settings
    single = settings["words_match"] == "word" or rules.profile == FBAI
    preparation = Preparation(_pipeline(view), rules.unit, rules.ignore_case, single)
    finders = _Finders(words, preparation, settings["words_nested"])
    sides = view.reference, view.hypothesis
    inside = [np.zeros(len(side.ids), np.bool_) for side in sides]
    facing = _facing(view)
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row, identifier in enumerate(view.rates.identifiers):
        texts = [tuple(map(preparation.fold, side.words[row])) for side in sides]
        begins = [int(side.offsets[row]) for side in sides]
        finder = finders.of(identifier)
        said, heard = (finder.occurrences(text) for text in texts)
        for flags, begin, occurrences in zip(inside, begins, (said, heard), strict=True):
            for occurrence in occurrences:
                flags[begin + occurrence.start : begin + occurrence.end] = True
        if said or heard:
            _add_bag(counted, row, said, heard)
        if rules.profile == NEMO:
            from scoring.measures.words_nemo import nemo_counts

            _add_nemo(counted, row, nemo_counts(texts[0], texts[1], finder.entries))
        elif said or heard:
            hits = list(_hits(said, heard, facing, *begins))
            for name, occurrences in zip(_FOUND, (said, hits, heard), strict=True):
                for occurrence in occurrences:
                    _count_one(counted, row, name, occurrence.entry, 1)
        distractors = finders.distractors(identifier)
        if distractors is not None:
            right = {place - begins[1] for place in facing[begins[0] : begins[0] + len(texts[0])]}
            wrong = set(range(len(texts[1]))) - right
            counted["inserted_distractors"][row] = sum(
                not wrong.isdisjoint(range(occurrence.start, occurrence.end))
                for occurrence in distractors.occurrences(texts[1])
            )
    columns = {name: np.zeros(len(view), np.int64) for name in _FOUND}
    columns |= _errors(view, inside[0], inside[1])
    for name, rows in counted.items():
        if "[word:" in name and len(words.entries) > MOST_LISTED:
            continue
        column = columns.setdefault(name, np.zeros(len(view), np.int64))
        column[list(rows)] = list(rows.values())
    columns["missed"] = columns["reference"] - columns["hits"]
    columns["false_alarms"] = columns["hypothesis"] - columns["hits"]
    return columns


def _list_of(view: View) -> WordsOfInterest:
    words, form = view.settings["words"], view.settings["words_format"]
    if words is None:
        return _NO_LIST
    return words if form == "auto" else read_word_list(words.path, form)


def _pipeline(view: View) -> Pipeline | None:
    """The steps for the list: those of the reference, unless the list is taken as written."""
    if view.settings["words_raw"] or view.rates.rules.normalization == "none":
        return None
    if view.rates.sources is None:
        raise view.error(
            "expected the steps of normalisation for the list, found a result without them "
            "(keep_sources=True keeps them)"
        )
    return view.rates.sources.pipeline


class _Finders:
    """The finder of each utterance."""

    def __init__(self, words: WordsOfInterest, preparation: Preparation, is_nested: bool) -> None:
        self.words = words
        self.preparation = preparation
        self.is_nested = is_nested
        self.whole = self._finder(words.entries if words.by_utterance is None else ())

    def _finder(self, entries: Iterable[str]) -> Finder:
        known = self.words.entries
        return Finder(
            (
                ListEntry(self.preparation.words(entry), entry, known.get(entry))
                for entry in entries
            ),
            self.is_nested,
        )

    def of(self, identifier: str) -> Finder:
        """Of the entries that apply to an utterance."""
        if self.words.by_utterance is None:
            return self.whole
        return self._finder(self.words.by_utterance.get(identifier, ()))

    def distractors(self, identifier: str) -> Finder | None:
        """Of the entries that are in the list of an utterance and nobody says."""
        listed = set((self.words.by_utterance or {}).get(identifier, ()))
        others = [word for word in self.words.distractors.get(identifier, ()) if word not in listed]
        return self._finder(others) if others else None


def _facing(view: View) -> list[int]:
    """For each reference word the position of the hypothesis word if it is right, else -1."""
    right = (view.edits == Edit.CORRECT) & (view.left >= 0) & (view.right >= 0)
    facing = np.full(len(view.reference.ids), -1)
    facing[view.left[right]] = view.right[right]
    places: list[int] = facing.tolist()
    return places


def _hits(
    reference: Sequence[Occurrence],
    hypothesis: Sequence[Occurrence],
    facing: Sequence[int],
    begin: int,
    other: int,
) -> Iterator[Occurrence]:
    """Entries of the reference whose words are right, with nothing between them."""
    heard = {(other + start, entry.words) for start, entry in hypothesis}
    for occurrence in reference:
        first = facing[begin + occurrence.start]
        places = facing[begin + occurrence.start : begin + occurrence.end]
        whole = list(range(first, first + len(places)))
        if first >= 0 and places == whole and (first, occurrence.entry.words) in heard:
            yield occurrence


def _count_one(
    counted: Mapping[str, Counter[int]], row: int, name: str, entry: ListEntry, number: int
) -> None:
    counted[name][row] += number
    counted[f"{name}[word:{entry.text}]"][row] += number
    if entry.name is not None:
        counted[f"{name}[class:{entry.name}]"][row] += number


def _add_nemo(
    counted: Mapping[str, Counter[int]], row: int, counts: Mapping[ListEntry, Sequence[int]]
) -> None:
    """Count as NeMo: only false alarms that it charges are occurrences in the hypothesis."""
    for entry, (hits, reference, false_alarms) in counts.items():
        for name, number in zip(_FOUND, (reference, hits, hits + false_alarms), strict=True):
            if number:
                _count_one(counted, row, name, entry, number)


def _add_bag(
    counted: Mapping[str, Counter[int]],
    row: int,
    said: Sequence[Occurrence],
    heard: Sequence[Occurrence],
) -> None:
    """Count the entries of an utterance wherever they are."""
    bags = [Counter(occurrence.entry.words for occurrence in side) for side in (said, heard)]
    for name, number in zip(
        ("bag_reference", "bag_hypothesis", "bag_hits"),
        (bags[0].total(), bags[1].total(), (bags[0] & bags[1]).total()),
        strict=True,
    ):
        if number:
            counted[name][row] = number


def _errors(view: View, reference: Flags, hypothesis: Flags) -> dict[str, Integers]:
    """Words and errors of both sides of the list; insertions belong to the inserted word."""
    flags = np.zeros(len(view.edits), np.bool_)
    for places, known in ((view.right, hypothesis), (view.left, reference)):
        flags[places >= 0] = known[places[places >= 0]]
    columns = {}
    for name, chosen in zip(_SIDES, (flags, ~flags), strict=True):
        columns[f"{name}_words"] = view.sums(chosen & (view.edits != Edit.INSERTION))
        for kind, edit in _EDITS.items():
            columns[f"{name}_{kind}"] = view.sums(chosen & (view.edits == edit))
    return columns


def details(totals: Sums) -> Iterator[Block]:
    """Tables by class and by entry, most misses and false alarms first."""
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


MEASURE = MeasureSpec(
    name="words",
    title="Words of interest",
    question=NAMES,
    definition="Each place of the alignment is inside or outside the list: by its reference word, "
    "an insertion by its hypothesis word. All words of an occurrence of a phrase are inside; the "
    "longest entry counts, then the leftmost, and no word twice. Both rates divide substitutions, "
    "deletions and insertions of a side by its reference words (B-WER, U-WER); the errors of both "
    "add up to all errors. An occurrence in the reference is a hit if all its words are right and "
    "no insertion is between them. Recall is hits by occurrences in the reference, precision hits "
    "by occurrences in the hypothesis, so that a keyword in place of another one is a miss and a "
    "false alarm; F1 is 2 hits by occurrences on both sides. The numbers by bag count for each "
    "utterance and entry the smaller number of occurrences as found, wherever they are. Entries "
    "go through the steps of the reference. Without list every word is outside.",
    figures=(
        *(
            Figure(
                name,
                title,
                " + ".join(f"{side}_{kind}" for kind in _EDITS) + f" / {side}_words",
                high=None,
            )
            for name, title, side in (
                ("b_wer", "error rate inside the list", "inside"),
                ("u_wer", "error rate outside", "outside"),
            )
        ),
        *f1_figures("hits", "reference", "hypothesis", title="{}, aligned"),
        *f1_figures("bag_hits", "bag_reference", "bag_hypothesis", "bag_", "{}, bag"),
        Figure(
            "inserted_distractors",
            "inserted distractors",
            "inserted_distractors",
            high=None,
            form="count",
        ),
    ),
    columns=(
        *(f"{side}_{kind}" for side in _SIDES for kind in ("words", *_EDITS)),
        *("reference", "hypothesis", "hits", "missed", "false_alarms"),
        *("bag_reference", "bag_hypothesis", "bag_hits", "inserted_distractors"),
    ),
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("words", None, read_word_list, "file with words and phrases, see the docs"),
        MeasureSetting("words_format", "auto", choice_of(*FORMATS), f"{', '.join(FORMATS)}"),
        MeasureSetting(
            "words_match", "phrase", choice_of("phrase", "word"), "phrase, or word: no phrases"
        ),
        MeasureSetting("words_raw", False, flag, "take the list as written"),
        MeasureSetting("words_nested", False, flag, "count entries inside longer ones, too"),
    ),
    worst="missed",
    details=details,
)
