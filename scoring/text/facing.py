"""Readings of written forms that occur on the other side; only these are kept.

A place has dozens of readings. Nearly always, the other side has one of them, word for word,
between words that both sides share. Then no other reading is on a path of least cost, and the
aligner gets only the written form and this reading. The result of the alignment does not change.

Proof. Let R be the reading that the other side has, A the equal words after it, B those before it,
and c the cost of a path that takes R. A path through another reading that pairs a word of A with
its equal, and a word of B with its own, costs at least as much as the best one outside, and the
edits that turn one reading into the other, so that it costs more than the best path through R. A
path that pairs no word of A so loses each word of A that the other side has once, and these cost
more than c if they are many enough (B in the same way). At the end of an utterance equal words can
be taken away without a change of costs. Nor is another reading better if the words after the place
cost least where R ends: a reading that ends elsewhere leaves them dearer, and one that ends there
has errors of its own (so does one that begins elsewhere). Where nothing decides, all readings stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import chain
from typing import NamedTuple

from formats.schema.words import Words
from scoring.alignment.kernel import count_tokens
from scoring.alignment.results import taken
from scoring.model.counts import Costs
from scoring.text.readings import WrittenForm

_TIES = 0
_MOST_CELLS = 1000
"""The words of both sides, multiplied, up to which all ends of a reading are compared."""


class Facing(NamedTuple):
    """The other side of utterances to be normalised, as read, and the edit costs."""

    words: Sequence[Words]
    special: Set[int]
    """Utterances of the other side that have alternatives of their own."""
    costs: Costs

    def facing_words(self, rows: Sequence[int]) -> Iterator[Words | None]:
        """Yield the other side's words for the given utterances; None if there are alternatives."""
        for row, words in zip(rows, taken(self.words, rows), strict=True):
            yield None if row in self.special else words


class _Match(NamedTuple):
    """A place whose reading equals a range of words of the other side."""

    begin: int
    end: int


class SaidReadings:
    """Selects the readings of an utterance that may be on a path of least cost.

    `final` applies the steps after the written forms; it is None without such steps.
    """

    def __init__(self, costs: Costs, final: Callable[[str], Words] | None) -> None:
        self._costs, self._final = costs, final
        # each word after all steps, with a blank before every word that it became
        self._known = {"\n": "\n"}
        # the least cost of a word of A that is paired with no equal one
        self.least = min(costs.deletion, costs.substitution)

    def chosen(
        self, words: Words, places: Sequence[WrittenForm], heard: Words
    ) -> Sequence[WrittenForm]:
        """Return the places with only those readings that may be on a path of least cost."""
        if min(self._costs) <= 0 or not (_is_cut(words) and _is_cut(heard)):
            return places
        ends = [0, *(form.begin + form.size for form in places)]
        begins = [*(form.begin for form in places), len(words)]
        runs = [self.final_words(words[end:begin]) for end, begin in zip(ends, begins, strict=True)]
        return _Search(self, words, places, runs, self.final_words(heard)).places()

    def final_words(self, words: Words) -> Words:
        """Return words after all steps were applied."""
        if self._final is None:
            return words
        return tuple(chain.from_iterable(map(self._final, words)))

    def texts(self, readings: Sequence[str]) -> Sequence[str]:
        """Return readings after all steps were applied."""
        if self._final is None:
            return readings
        known, final = self._known, self._final
        words = " \n ".join(readings).split(" ")
        for word in {*words}.difference(known):
            known[word] = "".join(f" {made}" for made in final(word))
        return [text[1:] for text in "".join(map(known.__getitem__, words)).split("\n")]

    def cost(self, left: Words, right: Words) -> int:
        """Return the cost of the edits between two texts."""
        if not left or not right:
            costs = self._costs
            return len(left) * costs.deletion + len(right) * costs.insertion
        prices = self._costs
        _, *edits = count_tokens(left, right, *prices, _TIES)
        order = prices.substitution, prices.deletion, prices.insertion
        return sum(number * price for number, price in zip(edits, order, strict=True))

    def is_cheapest(self, words: Words, heard: Words, size: int) -> bool:
        """Return True if the first `size` words of `heard` cost less than any other prefix."""
        if len(words) * len(heard) > _MOST_CELLS:
            return False
        substitution, deletion, insertion = self._costs
        costs = [insertion * number for number in range(len(heard) + 1)]
        for word in words:
            diagonal = costs[0]
            least = costs[0] = diagonal + deletion
            for number, other in enumerate(heard, 1):
                paired = diagonal if other == word else diagonal + substitution
                diagonal = costs[number]
                least = min(paired, diagonal + deletion, least + insertion)
                costs[number] = least
        least = costs[size]
        return all(cost > least or number == size for number, cost in enumerate(costs))


class _Search:
    """Searches an utterance for equal words and readings, from its begin and from its end."""

    def __init__(
        self,
        rules: SaidReadings,
        words: Words,
        places: Sequence[WrittenForm],
        runs: Sequence[Words],
        heard: Words,
    ) -> None:
        self._rules, self._places, self._runs, self._heard = rules, places, runs, heard
        self._written = [
            " ".join(rules.final_words(words[form.begin : form.begin + form.size]))
            for form in places
        ]
        self._texts: dict[int, Sequence[str]] = {}

    def places(self) -> Sequence[WrittenForm]:
        """Return the places of the utterance, with the readings that may be chosen."""
        runs, heard = self._runs, self._heard
        count = len(self._places)
        matches: dict[int, _Match] = {}
        # equal words at the begin and at the end of each run
        heads, tails = [0] * (count + 1), [0] * (count + 1)
        first, begin = 0, 0
        while True:
            heads[first] = same = _same_head(runs[first], heard, begin)
            begin += same
            if same < len(runs[first]) or first == count:
                break
            size = self._size_at(first, begin)
            if size == 0:
                break
            tails[first] = same
            matches[first] = _Match(begin, begin + size)
            begin, first = begin + size, first + 1
        last, end = count, len(heard)
        if first == count and heads[count] == len(runs[count]) and begin == end:
            cost = 0
            tails = [len(run) for run in runs]
        else:
            while True:
                most = len(runs[last]) - (heads[last] if last == first else 0)
                tails[last] = same = _same_tail(runs[last], heard, begin, end, most)
                end -= same
                if same < len(runs[last]) or last == first:
                    break
                size = self._size_before(last - 1, begin, end)
                if size == 0:
                    break
                heads[last] = same
                matches[last - 1] = _Match(end - size, end)
                end, last = end - size, last - 1
            cost = self._cost_between(first, heads[first], last, tails[last], heard[begin:end])
        return [
            self._kept(number, matches[number], cost, heads, tails)
            if number in matches
            else self._places[number]
            for number in range(count)
        ]

    def _cost_between(self, first: int, head: int, last: int, tail: int, heard: Words) -> int:
        """Return the cost between two runs of equal words, with places in written form."""
        if first == last:
            run = self._runs[first]
            return self._rules.cost(run[head : len(run) - tail], heard)
        words = [*self._runs[first][head:]]
        for number in range(first, last):
            words += self._written[number].split()
            run = self._runs[number + 1]
            words += run[: len(run) - tail] if number + 1 == last else run
        return self._rules.cost(tuple(words), heard)

    def _kept(
        self, number: int, match: _Match, cost: int, heads: list[int], tails: list[int]
    ) -> WrittenForm:
        """Return a place with the readings that may be chosen; `match` is its equal range."""
        form, runs = self._places[number], self._runs
        before, after = runs[number], runs[number + 1]
        is_first = number == 0 and tails[0] == len(before) == match.begin
        rest = len(self._heard) - match.end
        is_last = number == len(self._places) - 1 and heads[number + 1] == len(after) == rest
        begins = is_first or self._decides(before[len(before) - tails[number] :], cost)
        if not begins and not (number == 0 and self._only_begin(before, match)):
            return form
        ends = is_last or self._decides(after[: heads[number + 1]], cost)
        if not ends and not (number == len(self._places) - 1 and self._only_end(after, match)):
            return form
        spoken = " ".join(self._heard[match.begin : match.end])
        texts, written = self._readings_of(number), self._written[number]
        if spoken == written:
            kept = next(
                (r for r, text in zip(form.readings, texts, strict=True) if text != spoken), ""
            )
            return form._replace(readings=(kept,)) if kept else form
        if texts is form.readings:
            return form._replace(readings=(spoken,))
        return form._replace(
            readings=tuple(
                r for r, text in zip(form.readings, texts, strict=True) if text == spoken
            )
        )

    def _decides(self, words: Words, cost: int) -> bool:
        """Return True if a path that pairs none of these words with equal words costs more."""
        needed = cost // self._rules.least + 1
        count = self._heard.count
        for word in words:
            if count(word) == 1:
                needed -= 1
                if not needed:
                    return True
        return False

    def _only_end(self, after: Words, match: _Match) -> bool:
        """Return True if a reading that ends at another word of the other side costs more."""
        return self._rules.is_cheapest(
            after[::-1], self._heard[match.begin :][::-1], len(self._heard) - match.end
        )

    def _only_begin(self, before: Words, match: _Match) -> bool:
        """Return True if a reading that begins at another word of the other side costs more."""
        return self._rules.is_cheapest(before, self._heard[: match.end], match.begin)

    def _readings_of(self, number: int) -> Sequence[str]:
        """Return the readings of a place after all steps."""
        if number not in self._texts:
            self._texts[number] = self._rules.texts(self._places[number].readings)
        return self._texts[number]

    def _size_at(self, number: int, begin: int) -> int:
        """Return the number of words of the longest reading that begins at a heard word."""
        text = " ".join(self._heard[begin:]) + " "
        begun = [spoken for spoken in self._choices_of(number) if text.startswith(spoken)]
        ends = [spoken for spoken in begun if text.startswith(" ", len(spoken))]
        return max((spoken.count(" ") + 1 for spoken in ends if spoken), default=0)

    def _size_before(self, number: int, begin: int, end: int) -> int:
        """Return the number of words of the longest reading that ends before a heard word."""
        text = " " + " ".join(self._heard[begin:end])
        ends = [spoken for spoken in self._choices_of(number) if text.endswith(" " + spoken)]
        return max((spoken.count(" ") + 1 for spoken in ends if spoken), default=0)

    def _choices_of(self, number: int) -> list[str]:
        """Return the written form and the readings of a place."""
        return [self._written[number], *self._readings_of(number)]


def _is_cut(words: Words) -> bool:
    """Return True if no word has a blank."""
    return " ".join(words).count(" ") == max(len(words) - 1, 0)


def _same_head(run: Words, heard: Words, begin: int) -> int:
    """Return the number of equal words at the begin of a run and from a heard word on."""
    if run == heard[begin : begin + len(run)]:
        return len(run)
    return next(
        (
            n
            for n, (mine, theirs) in enumerate(zip(run, heard[begin:], strict=False))
            if mine != theirs
        ),
        min(len(run), len(heard) - begin),
    )


def _same_tail(run: Words, heard: Words, begin: int, end: int, most: int) -> int:
    """Return the number of equal words at the end of a run and before a heard word."""
    number = 0
    most = min(most, end - begin)
    while number < most and run[-1 - number] == heard[end - 1 - number]:
        number += 1
    return number
