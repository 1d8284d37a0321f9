"""Rates of a corrector, as agwer defines them.

The rates say how many errors the corrector removes, how many errors it adds, and how many words of
its output no hypothesis supports.

All rates are counted on the alignments of the results, so that they agree with the error rates.
With `profile="jiwer"`, all numbers are those of agwer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.model.counts import Edit

if TYPE_CHECKING:
    from scoring.model.counts import Alignment
    from scoring.score.rates import ErrorRates


class EditOutcomes(NamedTuple):
    """The numbers of helpful and of harmful edits, counted in utterances or in words."""

    helpful: int = 0
    harmful: int = 0

    @property
    def harmful_rate(self) -> float | None:
        """Share of harmful edits among helpful and harmful edits; None if both are 0."""
        return self.harmful / (self.helpful + self.harmful) if any(self) else None


class Inventions(NamedTuple):
    """The words of a corrector's output, by whether an input hypothesis supports them.

    A word is supported up to its largest number of occurrences in one hypothesis. `novel` words are
    wrong and in no hypothesis. `repeated` words are wrong and more frequent than in any hypothesis.
    `passed_through` words are wrong and supported. `generated` words are right and in no
    hypothesis.
    """

    words: int = 0
    novel: int = 0
    repeated: int = 0
    passed_through: int = 0
    generated: int = 0

    @property
    def rate(self) -> float | None:
        """Word hallucination rate: novel and repeated words per output word; None without words."""
        return (self.novel + self.repeated) / self.words if self.words else None


class CorrectorRates(NamedTuple):
    """The errors that a corrector removed and added, and the words that it invented.

    Attributes
    ----------
    utterances, words
        The edits of the corrector, by whole utterances and by words (deleted insertions help, new
        insertions harm).
    neutral, unchanged, missed
        Utterances that changed without effect; utterances that did not change; words that stayed
    wrong.
    inventions
        The words of the output, by whether a hypothesis supports them.
    before, after, oracle, composed
        Numbers of errors: without the corrector, with the corrector, of the best hypothesis of each
        list, and of the best sequence of each list's words in any order.
    """

    utterances: EditOutcomes
    words: EditOutcomes
    neutral: int
    unchanged: int
    missed: int
    inventions: Inventions
    before: int
    after: int
    oracle: int
    composed: int

    @property
    def recovered_share(self) -> float | None:
        """Recoverable information ratio (RIR): the corrector's gain divided by the oracle's gain.

        Above 1, the corrector beats the best hypotheses; below 0, it adds errors. None if the
        oracle gains nothing.
        """
        gain = self.before - self.oracle
        return (self.before - self.after) / gain if gain else None

    def document(self) -> dict[str, object]:
        """Return the numbers as JSON."""
        return {
            "recovered_share": self.recovered_share,
            "harmful_edit_rate": self.utterances.harmful_rate,
            "harmful_word_edit_rate": self.words.harmful_rate,
            "word_hallucination_rate": self.inventions.rate,
            "edited_utterances": {
                **self.utterances._asdict(),
                "neutral": self.neutral,
                "unchanged": self.unchanged,
            },
            "edited_words": {**self.words._asdict(), "missed": self.missed},
            "output_words": {
                "word_count": self.inventions.words,
                **{name: getattr(self.inventions, name) for name in self.inventions._fields[1:]},
            },
            "oracle_errors": self.oracle,
            "composed_errors": self.composed,
        }


def support_of(hypotheses: Sequence[Sequence[str]]) -> Counter[str]:
    """Return, for each word, its largest number of occurrences in any one hypothesis.

    >>> support_of([["a", "b"], ["a", "a"]])
    Counter({'a': 2, 'b': 1})
    """
    support: Counter[str] = Counter()
    for words in hypotheses:
        support |= Counter(words)
    return support


def corrector_rates(
    before: ErrorRates,
    after: ErrorRates,
    support: Mapping[str, Counter[str]],
    oracle_errors: int,
) -> CorrectorRates:
    """Count the outcomes of a corrector; `support` maps identifiers to results of `support_of`."""
    rows = {name: row for row, name in enumerate(after.identifiers)}
    utterances, words = Counter[int](), Counter[int]()
    neutral = unchanged = missed = composed = 0
    inventions = Counter[str]()
    for row, name in enumerate(before.identifiers):
        if name not in rows:
            continue
        pair = before.aligned[row], after.aligned[rows[name]]
        errors = [
            rates.per_utterance[at].errors for rates, at in ((before, row), (after, rows[name]))
        ]
        effect = (errors[1] > errors[0]) - (errors[1] < errors[0])
        is_changed = _heard(pair[0]) != _heard(pair[1])
        utterances[effect] += is_changed and effect != 0
        neutral += is_changed and not effect
        unchanged += not is_changed
        helpful, harmful, wrong = _changed_words(*pair)
        words += Counter({-1: helpful, 1: harmful})
        missed += wrong
        supported = support.get(name, Counter())
        inventions += _inventions(pair[1], supported)
        composed += sum(word not in supported for word in before.aligned.references[row])
    return CorrectorRates(
        EditOutcomes(utterances[-1], utterances[1]),
        EditOutcomes(words[-1], words[1]),
        neutral,
        unchanged,
        missed,
        Inventions(*(inventions[name] for name in Inventions._fields)),
        before.counts.errors,
        after.counts.errors,
        oracle_errors,
        composed,
    )


def _heard(alignment: Alignment) -> list[str]:
    return [pair.hypothesis for pair in alignment if pair.hypothesis is not None]


def _changed_words(before: Alignment, after: Alignment) -> tuple[int, int, int]:
    """Return the number of words that became correct, that became wrong, and that stayed wrong."""
    right = [
        [pair.edit == Edit.CORRECT for pair in side if pair.reference is not None]
        for side in (before, after)
    ]
    more = [sum(pair.reference is None for pair in side) for side in (before, after)]
    helpful, harmful = max(more[0] - more[1], 0), max(more[1] - more[0], 0)
    missed = 0
    # another path of a reference with alternatives may have fewer words
    for was_right, is_right in zip(*right, strict=False):
        helpful += is_right and not was_right
        harmful += was_right and not is_right
        missed += not was_right and not is_right
    return helpful, harmful, missed


def _inventions(alignment: Alignment, support: Counter[str]) -> Counter[str]:
    """Count the words of an output: supported or invented, right or wrong (see `Inventions`)."""
    right, wrong = Counter[str](), Counter[str]()
    for pair in alignment:
        if pair.hypothesis is not None:
            (right if pair.edit == Edit.CORRECT else wrong)[pair.hypothesis] += 1
    found = Counter({"words": right.total() + wrong.total()})
    for word in right.keys() | wrong.keys():
        beyond = max(right[word] + wrong[word] - support[word], 0)
        invented = min(wrong[word], beyond)
        found["repeated" if support[word] else "novel"] += invented
        found["passed_through"] += wrong[word] - invented
        found["generated"] += 0 if support[word] else right[word]
    return found
