"""Oracle error rates of n-best lists, and the effect of a corrector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean
from typing import TYPE_CHECKING

from scoring.alignment.sequences import align, edit_distance_batch
from scoring.model.counts import UNIT_COSTS, Edit
from scoring.options import Options, profile_named
from scoring.score import score
from scoring.score.aligned import align_chosen
from scoring.score.corrector_rates import CorrectorRates, corrector_rates, support_of
from scoring.score.opening import read_side
from scoring.score.paths import choose_paths
from scoring.score.rates import ErrorRates
from scoring.sides.given import MOST_REFERENCES, File, Given, readings_of, side_file

if TYPE_CHECKING:
    from formats.schema.words import Words


@dataclass(frozen=True, slots=True)
class Oracle:
    """The errors of all hypotheses in n-best lists, and of the best path per list.

    Attributes
    ----------
    first
        The result of the first hypotheses, as returned by `scoring.wer`.
    errors
        For each utterance, the errors of its hypotheses, best first.
    path_errors
        For each utterance, the errors of the best path through its hypotheses. A path may switch
        between hypotheses at shared words, so that it has at most the errors of the best
        hypothesis.
    support
        For each utterance, the largest number of occurrences of each word in any one hypothesis.
    """

    first: ErrorRates
    errors: Sequence[Sequence[int]]
    path_errors: Sequence[int]
    support: Sequence[Counter[str]] = ()

    @property
    def words(self) -> int:
        """The number of reference words."""
        return self.first.counts.reference_tokens

    @property
    def oracle_errors(self) -> int:
        """The total errors of the best hypothesis of each utterance."""
        return sum(map(min, self.errors))

    @property
    def ranks(self) -> Sequence[int]:
        """The rank of the best hypothesis of each utterance, from 1.

        Of equally good hypotheses, the first counts.
        """
        return [own.index(min(own)) + 1 for own in self.errors]

    @property
    def curve(self) -> Sequence[int]:
        """The total errors of the best among the first k hypotheses, for k = 1, 2 and so on."""
        depth = max(map(len, self.errors), default=0)
        best = [list(accumulate(own, min)) for own in self.errors]
        return [sum(own[min(n, len(own) - 1)] for own in best) for n in range(depth)]

    def rate(self, errors: int) -> float | None:
        """Return errors per reference word; None without reference words."""
        return errors / self.words if self.words else None

    @property
    def utterance_means(self) -> dict[str, float | None]:
        """Means of the utterances' rates; utterances without reference words do not count.

        Some publications report these means as oracle rates.
        """
        lengths = [counts.reference_tokens for counts in self.first.per_utterance]
        rows = (
            ("first_error_rate", [own[0] for own in self.errors]),
            ("oracle_error_rate", list(map(min, self.errors))),
            ("best_path_error_rate", self.path_errors),
        )
        rates = {
            name: [own / length for own, length in zip(errors, lengths, strict=True) if length]
            for name, errors in rows
        }
        return {name: fmean(own) if own else None for name, own in rates.items()}

    def document(self) -> dict[str, object]:
        """Return the numbers as JSON."""
        return {
            "signature": self.first.signature,
            "reference_count": self.words,
            "first_error_rate": self.rate(self.first.counts.errors),
            "oracle_error_rate": self.rate(self.oracle_errors),
            "best_path_error_rate": self.rate(sum(self.path_errors)),
            "utterance_means": self.utterance_means,
            "curve": list(map(self.rate, self.curve)),
            "best_ranks": dict(sorted(Counter(self.ranks).items())),
            "utterances": [
                {"id": name, "errors": list(own), "best_path_errors": path}
                for name, own, path in zip(
                    self.first.identifiers, self.errors, self.path_errors, strict=True
                )
            ],
        }


def oracle(
    reference: Given, hypotheses: Mapping[str, Sequence[str]], options: Options | None = None
) -> Oracle:
    """Score all hypotheses of each utterance, and the best path through them.

    Parameters
    ----------
    reference
        As in `scoring.wer`.
    hypotheses
        The texts of each utterance by identifier, best first, as returned by `read_nbest`.
    options
        As in `scoring.wer`.

    Examples
    --------
    >>> found = oracle({"u": "the cat sat"}, {"u": ["a cat sad", "the cat sad", "a cat sat"]})
    >>> found.errors, found.ranks, found.path_errors
    ([[2, 1, 1]], [2], [0])
    """
    options = options or Options()
    if isinstance(reference, File):
        reference = read_side(side_file(reference), readings_of(options)[0])
    depth = max(map(len, hypotheses.values()), default=1)
    results = [
        score(
            reference,
            {name: texts[min(rank, len(texts) - 1)] for name, texts in hypotheses.items() if texts},
            options,
        )
        for rank in range(depth)
    ]
    first = results[0]
    columns = [[counts.errors for counts in result.per_utterance] for result in results]
    sizes = [min(max(len(hypotheses.get(name, ())), 1), depth) for name in first.identifiers]
    errors = [list(own[:size]) for own, size in zip(zip(*columns, strict=True), sizes, strict=True)]
    paths = _best_paths(results, options)
    support = [
        support_of([result.aligned.hypotheses[row] for result in results[:size]])
        for row, size in enumerate(sizes)
    ]
    best = [min(*own, path) for own, path in zip(errors, paths, strict=True)]
    return Oracle(first, errors, best, support)


def _best_paths(results: Sequence[ErrorRates], options: Options) -> Sequence[int]:
    """Return the errors of the best path through the graph of each utterance's hypotheses."""
    first = results[0]
    graph = [list(map(tuple, rates.aligned.hypotheses)) for rates in results[:MOST_REFERENCES]]
    heard = list(map(tuple, first.aligned.references))
    costs = profile_named(first.rules.profile).costs
    # the graph is on the side of the reference there: deletions and insertions are exchanged
    mirrored = costs._replace(deletion=costs.insertion, insertion=costs.deletion)
    resolved = choose_paths(graph, heard, first.rules, mirrored, prefers_length=False)
    aligned = align_chosen(resolved, first.rules, options.jobs)
    return [counts.errors for counts in aligned.counts]


@dataclass(frozen=True, slots=True)
class Corrections:
    """The edits of a corrector, each judged alone: helpful, harmful or neutral.

    Attributes
    ----------
    before, after
        The results without and with the corrector.
    helped, harmed, neutral
        The edits that, applied alone, give the utterance fewer, more, or equally many errors.
    recoverable
        The errors of `before` that the best path through the n-best lists avoids; None without
        lists.
    rates
        The corrector's recovered, harmed and invented words, compared with the n-best lists; None
        without lists.
    """

    before: ErrorRates
    after: ErrorRates
    helped: int
    harmed: int
    neutral: int
    recoverable: int | None = None
    rates: CorrectorRates | None = None

    @property
    def recovered(self) -> int:
        """The errors of `before` minus the errors of `after`; negative if `after` has more."""
        return self.before.counts.errors - self.after.counts.errors

    def document(self) -> dict[str, object]:
        """Return the numbers as JSON."""
        return {
            "signature": self.after.signature,
            "error_rate_before": self.before.corpus_rate,
            "error_rate_after": self.after.corpus_rate,
            "edit_counts": {
                "helpful": self.helped,
                "harmful": self.harmed,
                "neutral": self.neutral,
            },
            "recovered_errors": self.recovered,
            "recoverable_errors": self.recoverable,
            **({} if self.rates is None else {"rates": self.rates.document()}),
        }


def corrections(
    reference: Given,
    before: Given,
    after: Given,
    options: Options | None = None,
    best: Oracle | None = None,
) -> Corrections:
    """Judge each edit of a corrector (an LLM or rules) separately.

    An edit is a run of words that differs between `before` and `after`. `best` is the oracle of the
    n-best lists whose first hypotheses are `before`.

    Examples
    --------
    >>> made = corrections(["a cat sat down"], ["a hat sat down"], ["a cat sat town"])
    >>> made.helped, made.harmed, made.neutral, made.recovered
    (1, 1, 0, 0)
    """
    options = options or Options()
    results = [score(reference, side, options) for side in (before, after)]
    rows = {name: row for row, name in enumerate(results[1].identifiers)}
    changed: list[tuple[Words, Words]] = []  # a reference, and the hypothesis with one edit
    without: list[int] = []
    for row, name in enumerate(results[0].identifiers):
        if name not in rows:
            continue
        old, new = results[0].aligned.hypotheses[row], results[1].aligned.hypotheses[rows[name]]
        words = tuple(results[0].aligned.references[row])
        edited = _each_edit(tuple(old), tuple(new))
        changed += [(words, edit) for edit in edited]
        if edited:
            without += [_errors([(words, tuple(old))])[0]] * len(edited)
    effects = Counter(
        (errors > other) - (errors < other)
        for errors, other in zip(_errors(changed), without, strict=True)
    )
    recoverable = rates = None
    if best is not None:
        recoverable = best.first.counts.errors - sum(best.path_errors)
        support = dict(zip(best.first.identifiers, best.support, strict=True))
        rates = corrector_rates(results[0], results[1], support, best.oracle_errors)
    numbers = effects[-1], effects[1], effects[0]
    return Corrections(results[0], results[1], *numbers, recoverable, rates)


def _errors(pairs: Sequence[tuple[Words, Words]]) -> Sequence[int]:
    """Return the smallest possible number of errors of each pair of texts."""
    if not pairs:
        return []
    table = edit_distance_batch(*map(list, zip(*pairs, strict=True)), costs=UNIT_COSTS)
    return [counts.errors for counts in table]


def _each_edit(old: Words, new: Words) -> list[Words]:
    """Return one text per edit: the old text in which only this edit is made."""
    edited: list[Words] = []
    place = begin = 0
    replacement: list[str] = []
    is_open = False
    for edit, before, after in [*align(old, new, costs=UNIT_COSTS), (Edit.CORRECT, "", "")]:
        if edit == Edit.CORRECT:
            if is_open:
                edited.append((*old[:begin], *replacement, *old[place:]))
            is_open = False
            place += 1
            continue
        if not is_open:
            is_open, begin, replacement = True, place, []
        place += before is not None
        replacement += [after] if after is not None else []
    return edited
