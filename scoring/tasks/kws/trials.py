"""Trials of a keyword search by keyword. A trial is a decision to be counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.tasks.kws.alignment import SearchAlignment
from scoring.tasks.kws.parameters import ContradictingDecisionsError, Parameters

POOLED = "Pooled"


class TrialBlock(NamedTuple):
    """The keyword of a block of trials: its index, its identifier and its text."""

    keyword: int  # its number in the alignment; -1 for all of them together
    identifier: str  # of the keyword
    text: str


class TrialSet(NamedTuple):
    """Scored trials as columns, ordered by block; missed references are only counted."""

    name: str  # of the set, for reports
    parameters: Parameters  # costs and modes
    duration: float | None  # seconds of audio; `None` where segments are the trials
    trials: int  # T, from which the false-alarm probability is computed
    blocks: tuple[TrialBlock, ...]  # one per keyword, or a single one
    of: npt.NDArray[np.int64]  # index of the block of every trial
    scores: npt.NDArray[np.float64]  # score of every trial
    targets: npt.NDArray[np.bool_]  # whether there is a reference
    decisions: npt.NDArray[np.bool_]  # the system's
    rows: npt.NDArray[np.int64]  # which row of the detections every trial is
    omitted: npt.NDArray[np.int64]  # missed references without any detection, of every block
    pooled_trials: int = 1  # how many keywords' trials a block stands for


def trial_set(
    alignment: SearchAlignment,
    parameters: Parameters,
    keywords: Sequence[int],
    trials: int,
    duration: float | None,
    name: str,
    excerpts: npt.NDArray[np.bool_] | None = None,
) -> TrialSet:
    """Return the trials of given keywords, optionally only in given excerpts."""
    columns = alignment.detections.columns()
    block_of = np.full(len(alignment.keywords), -1, dtype=np.int64)
    block_of[np.array(keywords, dtype=np.int64)] = np.arange(len(keywords))
    reference_excerpts = np.array([r.excerpt for r in alignment.references], dtype=np.int64)
    partners = alignment.partners
    is_target = partners >= 0
    chosen = block_of[columns.keywords[alignment.rows]] >= 0
    missed = np.ones(len(alignment.references), dtype=bool)
    missed[partners[is_target]] = False
    missed &= block_of[alignment.keyword_of] >= 0
    if excerpts is not None:
        where = alignment.excerpts.copy()
        where[is_target] = reference_excerpts[partners[is_target]]
        chosen &= excerpts[where]
        missed &= excerpts[reference_excerpts]
    rows = alignment.rows[chosen]
    of = block_of[columns.keywords[rows]]
    omitted = np.bincount(block_of[alignment.keyword_of[missed]], minlength=len(keywords))
    blocks = tuple(
        TrialBlock(number, alignment.keywords[number].identifier, alignment.keywords[number].text)
        for number in keywords
    )
    pooled_trials = 1
    if parameters.pooled:
        if not parameters.rules.pool_keeps_denominator:
            pooled_trials = len(blocks)
        blocks = (TrialBlock(-1, POOLED, ""),)
        of = np.zeros(len(of), dtype=np.int64)
        omitted = np.array([omitted.sum()])
    order = np.argsort(of, kind="stable")
    return TrialSet(
        name=name,
        parameters=parameters,
        duration=duration,
        trials=trials,
        blocks=blocks,
        of=of[order],
        scores=columns.scores[rows][order],
        targets=is_target[chosen][order],
        decisions=columns.decisions[rows][order],
        rows=rows[order],
        omitted=omitted.astype(np.int64),
        pooled_trials=pooled_trials,
    )


def decision_threshold(
    trials: TrialSet, score_text: Callable[[int], str] | None = None
) -> float | None:
    """Return the score that separates accepted from rejected detections; None without trials.

    The threshold is halfway between the least accepted score and the greatest rejected score. If
    only one of the two exists, it is the threshold.
    """
    yes = _extremes(trials, trials.decisions, least=True)
    no = _extremes(trials, ~trials.decisions, least=False)
    most_no = float(no.max(initial=-np.inf))
    least_yes = float(yes.min(initial=np.inf))
    if most_no > least_yes:
        written = partial(_written, trials, score_text)
        raise ContradictingDecisionsError(
            "\n".join(_offences(trials, yes, no, written)),
            written(most_no, False),
            written(least_yes, True),
            (_row(trials, most_no, False), _row(trials, least_yes, True)),
        )
    bounds = [x for x in (most_no, least_yes) if np.isfinite(x)]
    return sum(bounds) / len(bounds) if bounds else None


def _written(
    trials: TrialSet, score_text: Callable[[int], str] | None, score: float, decision: bool
) -> str:
    """Return a score as it is written in the file of detections.

    If several detections have this score, `decision` selects one of them.
    """
    if score_text is None:
        return f"{score:.15g}"
    return score_text(_row(trials, score, decision))


def _row(trials: TrialSet, score: float, decision: bool) -> int:
    """Return the index of the first detection that has this score and this decision."""
    (where,) = ((trials.scores == score) & (trials.decisions == decision)).nonzero()
    return int(trials.rows[where[0]])


def _offences(
    trials: TrialSet,
    yes: npt.NDArray[np.float64],
    no: npt.NDArray[np.float64],
    written: Callable[[float, bool], str],
) -> Iterator[str]:
    def scores(most_no: float, least_yes: float) -> str:
        numbers = f"MaxNo={written(most_no, False)} > MinYes={written(least_yes, True)}"
        return f"Scores for {numbers}"

    for index, block in enumerate(trials.blocks):
        of_block = f"decision boundary for block {block.identifier}.  "
        for kind, name in ((1, "Targets"), (0, "NonTargets")):
            if no[kind, index] > yes[kind, index]:
                yield (
                    f"Error: Inconsistent NO/YES decision boundary for {name} for block "
                    f"{block.identifier}.   {scores(no[kind, index], yes[kind, index])}"
                )
        if no[:, index].max() > yes[:, index].min():
            numbers = scores(no[:, index].max(), yes[:, index].min())
            yield f"Error: Insconsistent NO/YES {of_block}{numbers}"
    yield (
        "Error: Insconsistent NO/YES decision boundary across blocks.  "
        f"{scores(no.max(), yes.min())}"
    )
    yield "Error: Computation of Decision Score Threshold Failed.  Aborting"


def _extremes(
    trials: TrialSet, chosen: npt.NDArray[np.bool_], *, least: bool
) -> npt.NDArray[np.float64]:
    """Return the least or greatest scores of the chosen trials, by block and kind.

    The rows are non-targets (detections without reference) and targets (mapped detections); the
    columns are blocks.
    """
    extremes = np.full((2, len(trials.blocks)), np.inf if least else -np.inf)
    where = (trials.targets[chosen].astype(np.int64), trials.of[chosen])
    (np.minimum if least else np.maximum).at(extremes, where, trials.scores[chosen])
    return extremes
