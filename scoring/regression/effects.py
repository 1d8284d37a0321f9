"""Count the errors that each normalisation step removes, and the errors that it creates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from scoring.model.counts import Counts, Edit
from scoring.score import wer
from scoring.score.opening import sides_of
from scoring.score.rates import ErrorRates
from scoring.sides.given import AS_FOUND, Given, Reading, resolve
from scoring.text.pipeline import Pipeline, Placed, leaves
from scoring.text.pipeline_files import PipelineSteps, as_pipeline
from scoring.text.readings import ReadingsStep
from scoring.text.step import Step

# Words of the reference and of the hypothesis; None where a side has none.
Error: TypeAlias = tuple[str | None, str | None]
START = "as given"
ERRORS = frozenset({Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION})


class Example(NamedTuple):
    """An error before the step, or a new error after the step, and how often it occurs."""

    reference: str | None
    hypothesis: str | None
    number: int


class Effect(NamedTuple):
    """The effect of a step on the errors."""

    step: str  # its name; `START` for the texts as given
    counts: Counts  # after the step
    change: int  # errors more (or, negative, less) than before it
    removed: tuple[Example, ...] = ()  # the most frequent first
    added: tuple[Example, ...] = ()


def effects(
    reference: Given,
    hypothesis: Given,
    pipeline: PipelineSteps,
    readings: tuple[Reading, Reading] = (AS_FOUND, AS_FOUND),
    **options: Any,
) -> Iterator[Effect]:
    """Score after each normalisation step and return the effect of each step.

    Parameters
    ----------
    reference, hypothesis
        As in `scoring.wer`.
    pipeline
        Steps, as in `scoring.text.pipeline_files.as_pipeline`.
    readings
        Options for reading files.
    **options
        As in `scoring.wer`, except `normalize`.

    Raises
    ------
    FormatError, ScoringError, TypeError, ValueError
        The same errors as `scoring.wer` raises.

    Examples
    --------
    >>> found = effects("The cat!", "the cat", ["lowercase", "punctuation"])
    >>> [(one.step.partition("(")[0], one.counts.errors, one.change) for one in found]
    [('as given', 2, 0), ('lowercase', 1, -1), ('punctuation', 0, -1)]
    """
    files = resolve(reference, "reference"), resolve(hypothesis, "hypothesis")
    sides = sides_of(*files, readings)
    placed = [
        Placed(step, outer.side)
        for outer in as_pipeline(pipeline).placed
        for step in leaves(outer.step)
    ]
    before = wer(*sides, **options)
    yield Effect(START, before.counts, 0)
    for number, position in enumerate(placed, 1):
        after = wer(*sides, normalize=Pipeline(placed[:number]), **options)
        name = str(position.step)
        if position.side is not None:
            name += f" on the {position.side}"
        change = after.counts.errors - before.counts.errors
        yield Effect(name, after.counts, change, *_changed(before, after, position))
        before = after


def _changed(
    before: ErrorRates, after: ErrorRates, placed: Placed
) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """Return the errors that a step removed, and the errors that it added.

    An error that remains, but with another spelling, belongs to neither list.
    """
    removed: Counter[Error] = Counter()
    added: Counter[Error] = Counter()
    rewritten: dict[Error, Error] = {}
    for index, (old, new) in enumerate(zip(before.per_utterance, after.per_utterance, strict=True)):
        if old == new and not old.errors:
            continue
        ours, left = (
            [(a, b) for edit, a, b in rates.alignment_at(index) if edit in ERRORS]
            for rates in (before, after)
        )
        theirs = Counter(left)
        for error in ours:
            if error not in rewritten:
                rewritten[error] = (
                    _after(error[0], placed.step, placed.side in (None, "reference")),
                    _after(error[1], placed.step, placed.side in (None, "hypothesis")),
                )
            if theirs[rewritten[error]] > 0:
                theirs[rewritten[error]] -= 1
            else:
                removed[error] += 1
        added.update(+theirs)
    return _examples(removed), _examples(added)


def _examples(errors: Counter[Error]) -> tuple[Example, ...]:
    rows = sorted(errors.items(), key=lambda row: (-row[1], row[0][0] or "", row[0][1] or ""))
    return tuple(Example(*error, number) for error, number in rows)


def _after(word: str | None, step: Step, applies: bool) -> str | None:
    if word is None or not applies or isinstance(step, ReadingsStep):
        return word
    return step(word).strip() or None
