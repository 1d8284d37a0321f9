"""Readings of written forms that occur on the other side; only these are kept.

A place in a text has dozens of readings. Nearly always, the other side has one of them, word for
word, between words that both sides share. Then no other reading is on a path of least cost, and the
aligner gets only the written form and this reading. The result of the alignment does not change.

Proof. Let R be the reading that the other side has, A the equal words after it, B those before it,
and c the cost of a path that takes R. Consider a path through another reading that pairs a word of
A with its equal, and a word of B with its equal. Outside the place, it costs at least as much as
the best path. At the place, it costs the edits between the two readings. So it costs more than the
best path through R. A path that pairs no word of A with its equal has an error for each word of A
that the other side has once. If there are many such words, they cost more than c. The same holds
for B. Equal words at the end of an utterance can be removed without a change of costs. No other
reading is better if the words after the place cost least where R ends. A reading that ends
elsewhere makes these words more expensive, and a reading that ends there has errors of its own. The
same holds for the words before the place. If none of these conditions holds, all readings remain.

If the reading of every place is decided, the path is decided. The utterance then needs no graph: it
gets the words of the path, and the places on the path. Every other path costs more, so that there
are no ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from formats.schema.words import Words
from scoring.alignment.kernel import count_tokens
from scoring.model.counts import Costs
from scoring.text.readings import WrittenForm
from scoring.text.settled_forms import SettledForm

_TIES = 0
_KEPT = 1 << 14
_MOST_CELLS = 1000
"""Largest product of the numbers of words of both sides for which all ends are compared."""


class SettledPath(NamedTuple):
    """The words of an utterance after all steps, with the written forms whose reading is known."""

    words: Words
    forms: Sequence[SettledForm]


class ChosenText(NamedTuple):
    """The words that a path has at a place, and the words of the written form.

    `longest` is the number of words of the longest form that remains at the place.
    """

    kind: str
    written: Words
    chosen: Words
    longest: int


def settled_path(runs: Sequence[Words], choices: Sequence[ChosenText]) -> SettledPath:
    """Return a path: the runs of words between the places, with the chosen text at each place."""
    words: list[str] = []
    forms: list[SettledForm] = []
    shift = 0
    for run, (kind, written, chosen, longest) in zip(runs, choices, strict=False):
        words += run
        begin = len(words)
        forms.append(SettledForm(kind, written, chosen, begin, begin - shift, longest))
        words += chosen
        shift += len(chosen) - len(written)
    return SettledPath((*words, *runs[-1]), forms)


class _Match(NamedTuple):
    """A range of words of the other side that equals a reading at a place."""

    begin: int
    end: int


class PlaceChoices:
    """The choices at one place: the written form and its readings, after all steps."""

    def __init__(self, written: Words, readings: Sequence[str], texts: Sequence[str]) -> None:
        self.written, self.text = written, " ".join(written)
        self.other = next((text for text in texts if text != self.text), None)
        """The first reading after all steps that is not the written form."""
        self._readings, self._texts = readings, texts
        self._known = {self.text, *texts} - {""}
        self._most = max((text.count(" ") + 1 for text in self._known), default=0)

    def size_at(self, heard: Words, begin: int) -> int:
        """Return the number of words of the longest choice that equals `heard` from `begin` on."""
        words = heard[begin : begin + self._most]
        text, size = " ".join(words), len(words)
        while size and text not in self._known:
            text, size = text.rpartition(" ")[0], size - 1
        return size

    def size_before(self, heard: Words, begin: int, end: int) -> int:
        """Return the number of words of the longest choice with which `heard[begin:end]` ends."""
        words = heard[max(begin, end - self._most) : end]
        text, size = " ".join(words), len(words)
        while size and text not in self._known:
            text, size = text.partition(" ")[2], size - 1
        return size

    def kept(self, spoken: str) -> tuple[str, ...]:
        """Return the readings to keep as alternatives if the other side has the choice `spoken`."""
        pairs = zip(self._readings, self._texts, strict=True)
        if spoken == self.text:
            return tuple([reading for reading, text in pairs if text == self.other][:1])
        if self._texts is self._readings:
            return (spoken,)
        return tuple([reading for reading, text in pairs if text == spoken])

    def longest(self, spoken: str) -> int:
        """Return the number of words of the longest remaining form if `spoken` is chosen."""
        text = (self.other or "") if spoken == self.text else spoken
        return max(len(self.written), text.count(" ") + 1 if text else 0)


class SaidReadings:
    """Selects those readings of an utterance that may be on a path of least cost.

    `final` applies the steps that follow the step for written forms; None if there are no such
    steps.
    """

    def __init__(self, costs: Costs, final: Callable[[Words], Words] | None) -> None:
        self.costs, self._final = costs, final
        # each word after all steps, with a blank before every word that it became
        self._known = {"\n": "\n"}
        # of a place with its words, by the identity of the readings, which the place keeps
        self._choices: dict[tuple[int, Words], tuple[Sequence[str], PlaceChoices]] = {}
        # the least cost of a word of A that is paired with no equal one
        self.least = min(costs.deletion, costs.substitution)

    def chosen(
        self, words: Words, places: Sequence[WrittenForm], heard: Words
    ) -> Sequence[WrittenForm]:
        """Return the written forms with only those readings that may be on a path of least cost."""
        search = self.search(words, places, heard)
        return places if search is None else search.places()

    def search(
        self, words: Words, places: Sequence[WrittenForm], heard: Words
    ) -> PairSearch | None:
        """Return the comparison of an utterance with the other side's words.

        The result is None if no reading can be decided.
        """
        if min(self.costs) <= 0 or not (_is_cut(words) and _is_cut(heard)):
            return None
        runs: list[Words] = []
        choices: list[PlaceChoices] = []
        end = 0
        for form in places:
            runs.append(self.final_words(words[end : form.begin]))
            end = form.begin + form.size
            choices.append(self.choices(words[form.begin : end], form.readings))
        runs.append(self.final_words(words[end:]))
        return PairSearch(self, places, choices, runs, self.final_words(heard))

    def final_words(self, words: Words) -> Words:
        """Apply the normalisation steps after the step `spoken-forms` to words."""
        return words if self._final is None else self._final(words)

    def choices(self, words: Words, readings: Sequence[str]) -> PlaceChoices:
        """Return the choices at a place: its words and its readings, after all steps."""
        key = id(readings), words
        known = self._choices.get(key)
        if known is None:
            if len(self._choices) >= _KEPT:
                self._choices.clear()
            choices = PlaceChoices(self.final_words(words), readings, self._texts(readings))
            known = self._choices[key] = readings, choices
        return known[1]

    def _texts(self, readings: Sequence[str]) -> Sequence[str]:
        """Apply the normalisation steps after the step `spoken-forms` to each reading."""
        if self._final is None:
            return readings
        known, final = self._known, self._final
        words = " \n ".join(readings).split(" ")
        for word in {*words}.difference(known):
            known[word] = "".join(f" {made}" for made in final((word,)))
        return [text[1:] for text in "".join(map(known.__getitem__, words)).split("\n")]

    def cost(self, left: Words, right: Words) -> int:
        """Return the cost of the edits between two texts."""
        if not left or not right:
            costs = self.costs
            return len(left) * costs.deletion + len(right) * costs.insertion
        prices = self.costs
        if len(left) == len(right) == 1:
            unequal = min(prices.substitution, prices.deletion + prices.insertion)
            return 0 if left == right else unequal
        _, *edits = count_tokens(left, right, prices, _TIES)
        order = prices.substitution, prices.deletion, prices.insertion
        return sum(number * price for number, price in zip(edits, order, strict=True))

    def is_cheapest(self, words: Words, heard: Words, size: int) -> bool:
        """Return True if `words` cost least if aligned with the first `size` words of `heard`.

        Every other number of first words of `heard` must cost more.
        """
        if len(words) * len(heard) > _MOST_CELLS:
            return False
        least = self.cost(words, heard[:size])
        for number in range(len(heard) + 1):
            missing = len(words) - number
            # every word without partner costs as much
            fewest = (
                missing * self.costs.deletion if missing > 0 else -missing * self.costs.insertion
            )
            if number != size and fewest <= least and self.cost(words, heard[:number]) <= least:
                return False
        return True


class PairSearch:
    """Compares an utterance with the other side, word by word from both ends.

    The places with written forms divide the utterance into runs of words: run k precedes place k,
    and the last run follows the last place. `heard` are the words of the other side.
    """

    def __init__(
        self,
        rules: SaidReadings,
        places: Sequence[WrittenForm],
        choices: Sequence[PlaceChoices],
        runs: Sequence[Words],
        heard: Words,
    ) -> None:
        self._rules, self._places, self._runs, self._heard = rules, places, runs, heard
        self._choices = choices
        count = len(places)
        self._matches: dict[int, _Match] = {}
        # equal words at the begin and at the end of each run
        self._heads, self._tails = [0] * (count + 1), [0] * (count + 1)
        first, begin = self._forwards()
        last, end = count, len(heard)
        if first == count and self._heads[count] == len(runs[count]) and begin == end:
            self._cost = 0
            self._tails = [len(run) for run in runs]
        else:
            last, end = self._backwards(first, begin)
            self._cost = self._cost_between(first, last, heard[begin:end])
        self.decided: Mapping[int, str] = dict(self._decided())
        """The text of each place whose reading is decided."""

    def places(self) -> Sequence[WrittenForm]:
        """Return the written forms of the utterance with only readings that may be chosen."""
        return [
            form._replace(readings=kept)
            if number in self.decided and (kept := self._choices[number].kept(self.decided[number]))
            else form
            for number, form in enumerate(self._places)
        ]

    def path(self) -> SettledPath | None:
        """Return the path if all readings are decided, otherwise None.

        If no word changes, the result is also None.
        """
        decided, choices = self.decided, self._choices
        if len(decided) < len(choices):
            return None
        path: list[ChosenText] = []
        is_other = self._cost > 0
        for number, (form, choice) in enumerate(zip(self._places, choices, strict=True)):
            spoken = decided[number]
            chosen = choice.written if spoken == choice.text else tuple(spoken.split(" "))
            if not choice.written or choice.other is None:
                return None
            is_other = is_other or chosen is not choice.written
            path.append(ChosenText(form.kind, choice.written, chosen, choice.longest(spoken)))
        return settled_path(self._runs, path) if is_other else None

    def _forwards(self) -> tuple[int, int]:
        """Compare the sides from the first word on.

        Return the run in which they differ, and the index of the first word of `heard` that
        remains.
        """
        runs, heard, count = self._runs, self._heard, len(self._places)
        first, begin = 0, 0
        while True:
            run = runs[first]
            self._heads[first] = same = _same_head(run, heard, begin)
            begin += same
            if same < len(run) or first == count:
                return first, begin
            size = self._choices[first].size_at(heard, begin)
            if size == 0:
                return first, begin
            self._tails[first] = same
            self._matches[first] = _Match(begin, begin + size)
            begin, first = begin + size, first + 1

    def _backwards(self, first: int, begin: int) -> tuple[int, int]:
        """Compare backwards from the last word, at most to run `first` and word `begin` of `heard`.

        Return the run in which the sides differ, and the end of the words of `heard` that remain.
        """
        runs, heard = self._runs, self._heard
        last, end = len(self._places), len(heard)
        while True:
            run = runs[last]
            most = len(run) - (self._heads[last] if last == first else 0)
            self._tails[last] = same = _same_tail(run, heard, begin, end, most)
            end -= same
            if same < len(run) or last == first:
                return last, end
            size = self._choices[last - 1].size_before(heard, begin, end)
            if size == 0:
                return last, end
            self._heads[last] = same
            self._matches[last - 1] = _Match(end - size, end)
            end, last = end - size, last - 1

    def _cost_between(self, first: int, last: int, heard: Words) -> int:
        """Return the cost of aligning `heard` with the words from run `first` to run `last`.

        Between the runs, each place has its written form.
        """
        head, tail = self._heads[first], self._tails[last]
        if first == last:
            run = self._runs[first]
            return self._rules.cost(run[head : len(run) - tail], heard)
        words = [*self._runs[first][head:]]
        for number in range(first, last):
            words += self._choices[number].written
            run = self._runs[number + 1]
            words += run[: len(run) - tail] if number + 1 == last else run
        return self._rules.cost(tuple(words), heard)

    def _decided(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each place whose reading is decided, and the text of this reading."""
        for number, match in self._matches.items():
            if self._is_decided(number, match):
                yield number, " ".join(self._heard[match.begin : match.end])

    def _is_decided(self, number: int, match: _Match) -> bool:
        """Return True if every path of least cost has the reading that matches the other side."""
        heads, tails, cost = self._heads, self._tails, self._cost
        before, after = self._runs[number], self._runs[number + 1]
        is_first = number == 0 and tails[0] == len(before) == match.begin
        rest = len(self._heard) - match.end
        is_last = number == len(self._places) - 1 and heads[number + 1] == len(after) == rest
        begins = is_first or self._decides(before[len(before) - tails[number] :], cost)
        if not begins and not (number == 0 and self._only_begin(before, match)):
            return False
        ends = is_last or self._decides(after[: heads[number + 1]], cost)
        return ends or (number == len(self._places) - 1 and self._only_end(after, match))

    def _decides(self, words: Words, cost: int) -> bool:
        """Return True if any alignment without a correct word in `words` costs more than `cost`.

        Of `words`, only words that occur exactly once on the other side count, because each of them
        then causes an error.
        """
        needed = cost // self._rules.least + 1
        if needed > len(words):
            return False
        count = self._heard.count
        for word in words:
            if count(word) == 1:
                needed -= 1
                if not needed:
                    return True
        return False

    def _only_end(self, after: Words, match: _Match) -> bool:
        """Return True if the words `after` a place cost least from the end of the reading on."""
        return self._rules.is_cheapest(
            after[::-1], self._heard[match.begin :][::-1], len(self._heard) - match.end
        )

    def _only_begin(self, before: Words, match: _Match) -> bool:
        """Return True if the words `before` a place cost least up to the start of the reading."""
        return self._rules.is_cheapest(before, self._heard[: match.end], match.begin)


def _is_cut(words: Words) -> bool:
    """Return True if no word contains a blank."""
    return " ".join(words).count(" ") == max(len(words) - 1, 0)


def _same_head(run: Words, heard: Words, begin: int) -> int:
    """Count the words at the start of `run` that equal the words of `heard` from `begin` on."""
    if run == heard[begin : begin + len(run)]:
        return len(run)
    number = 0
    for mine, theirs in zip(run, heard[begin : begin + len(run)], strict=False):
        if mine != theirs:
            break
        number += 1
    return number


def _same_tail(run: Words, heard: Words, begin: int, end: int, most: int) -> int:
    """Count the last words of `run`, up to `most`, that equal the words of `heard` before `end`."""
    number = 0
    most = min(most, end - begin)
    while number < most and run[-1 - number] == heard[end - 1 - number]:
        number += 1
    return number
