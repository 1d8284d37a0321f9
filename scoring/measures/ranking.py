"""Ranking by confidence: do wrong words have lower confidences than correct words?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing import decimal, percent
from scoring.drawing.blocks import Block, Table
from scoring.measures.calibration import CLIP, SETTINGS, ConfidentWords, numbers_of_bins
from scoring.measures.columns import Flags
from scoring.model.arrays import Floats
from scoring.results.counted import Sums
from scoring.results.measured import CONFIDENCES, Figure, MeasuredValues, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

EQUAL_BINS = (10,)
COVERAGES = (0.5, 0.8, 0.9, 0.95)
ERRORS = (0.01, 0.02, 0.05, 0.1)
# Limits of the logarithm of the temperature, its relative precision, and steps to it at most.
LIMIT, PRECISION, STEPS = 5.0, 1e-12, 100


def count(view: View) -> dict[str, Any]:
    """Return the confidences of words as a sample, with label 1 for correct words."""
    items = ConfidentWords(view)
    sample = view.sample(items.confidences, items.right, items.utterances)
    words = np.bincount(items.utterances, minlength=len(view))
    more = {f"ece{bins}_mass": words for bins in view.settings["ece-bins"]}
    return {"words": words, "confidence": sample, **more}


def average_precision(c: Floats, y: Flags) -> float | None:
    """Return the average precision: the sum of precisions times the increases of recall.

    `c` are confidences; `y` is True for words of the class that is searched.
    """
    if not y.any():
        return None
    ends = np.append(np.flatnonzero(np.diff(c)), len(c) - 1)[::-1]
    # from the greatest confidence on: how many words, and how many positives
    begins = np.append(ends[1:] + 1, 0)
    hits = np.add.reduceat(y[::-1].astype(np.int64), len(c) - 1 - ends)
    precision = np.cumsum(hits) / (len(c) - begins)
    return math.fsum((hits / hits.sum() * precision).tolist())


def auc(c: Floats, y: Flags) -> float | None:
    """Return the area under the ROC curve that separates correct from wrong words.

    `c` are confidences; `y` is True for correct words. A tie counts one half.
    """
    right, wrong = int(y.sum()), int((~y).sum())
    if not right or not wrong:
        return None
    below = np.searchsorted(c[~y], c[y], "left") + np.searchsorted(c[~y], c[y], "right")
    return int(below.sum()) / (2 * right * wrong)


def risks(c: Floats, y: Flags) -> Floats:
    """Return the share of wrong words among the k words of highest confidence, for every k.

    `c` are confidences; `y` is True for correct words.
    """
    starts = np.append(0, np.flatnonzero(np.diff(c[::-1])) + 1)
    sizes = np.diff(np.append(starts, len(c)))
    wrong = np.add.reduceat((~y[::-1]).astype(np.int64), starts)
    before = np.repeat(np.cumsum(wrong) - wrong, sizes)
    within = np.arange(len(c)) - np.repeat(starts, sizes) + 1
    expected = before + within * np.repeat(wrong / sizes, sizes)
    return np.array(expected / np.arange(1, len(c) + 1), np.float64)


def best_risk(wrong: int, number: int) -> float:
    """Return the mean risk if the `wrong` words come last among `number` words."""
    right = number - wrong
    return math.fsum(k / (right + k) for k in range(1, wrong + 1)) / number


def equal_mass_error(c: Floats, y: Flags, bins: int) -> float:
    """Return the expected calibration error with bins that have equally many words.

    Words with equal confidence go to the lower bin. `c` are confidences; `y` is True for correct
    words.
    """
    cuts = [len(c) * k // bins for k in range(1, bins)]
    ends = sorted({int(np.searchsorted(c, c[cut - 1], "right")) for cut in cuts if cut})
    return sum(abs(math.fsum(part.tolist())) for part in np.split(y - c, ends)) / len(c)


def temperature(c: Floats, y: Flags) -> float | None:
    """Return the temperature that minimises the log loss.

    Above 1, the system is overconfident. `c` are confidences; `y` is True for correct words.
    """
    if y.all() or not y.any():
        return None
    # right and wrong words of equal confidences are counted once
    values, places = np.unique(np.clip(c, CLIP, 1 - CLIP), return_inverse=True)
    right = np.bincount(places, y, len(values))
    number = np.bincount(places, minlength=len(values))
    logits = np.log(values) - np.log1p(-values)
    # The loss is convex in 1 / T: Newton's steps to where its slope is 0, halves where they leave.
    low, high, scale = math.exp(-LIMIT), math.exp(LIMIT), 1.0
    for _ in range(STEPS):
        fitted = (1 + np.tanh(scale / 2 * logits)) / 2
        slope = float(logits @ (number * fitted - right))
        curve = float(logits**2 @ (number * fitted * (1 - fitted)))
        low, high = (scale, high) if slope <= 0 else (low, scale)
        last, scale = scale, scale - slope / curve if curve else low
        if not low < scale < high:
            scale = math.sqrt(low * high)
        if abs(scale - last) <= PRECISION * last:
            break
    return 1 / scale


def _ordered(totals: Sums) -> tuple[Floats, Flags]:
    """Return the confidences in ascending order, and True for each correct word."""
    c, labels, _ = totals.samples.get("confidence") or (np.empty(0), np.empty(0), None)
    return c, labels == 1


def numbers(totals: Sums) -> MeasuredValues:
    """Compute the figures of the measure, by name."""
    c, y = _ordered(totals)
    if not len(c):
        return {}
    mean = math.fsum(risks(c, y).tolist()) / len(c)
    precision = average_precision(c, y)
    return {
        "auc": auc(c, y),
        "auc_pr": 0.0 if precision is None else precision,
        "auc_nt": average_precision(-c[::-1], ~y[::-1]),
        "aurc": mean,
        "aurc_excess": max(0.0, mean - best_risk(int((~y).sum()), len(c))),
        "temperature": temperature(c, y),
        **{f"ece{n}_mass": equal_mass_error(c, y, n) for n in numbers_of_bins(totals, EQUAL_BINS)},
    }


def figures_of_bins(names: Iterable[str]) -> Iterator[Figure]:
    """Yield the figures for each number of bins in the given names."""
    for bins in numbers_of_bins(names, EQUAL_BINS):
        yield Figure(f"ece{bins}_mass", f"ECE ({bins} bins by mass)", form="number")


def coverage(totals: Sums) -> Iterator[Block]:
    """Yield two tables of the words that remain if words of low confidence are dropped.

    The first has the share of wrong words for some shares of kept words. The second has, for some
    limits on the share of wrong words, the confidence threshold and the share of kept words.
    """
    c, y = _ordered(totals)
    if not len(c):
        return
    risk = risks(c, y)
    rows = [
        (percent(share, 0), decimal(c[len(c) - kept]), percent(risk[kept - 1]))
        for share in COVERAGES
        if (kept := math.ceil(share * len(c)))
    ]
    yield Table(("surest words %", "from confidence", "wrong %"), rows)
    limits = []
    # a threshold keeps all words of equal confidence
    ends = np.append(np.flatnonzero(np.diff(c[::-1])), len(c) - 1)
    for share in ERRORS:
        kept = max((ends[risk[ends] <= share] + 1).tolist(), default=0)
        threshold = decimal(c[len(c) - kept]) if kept else "none"
        wrong = int((~y[len(c) - kept :]).sum())
        numbers = kept - wrong, wrong, int(y.sum()) - kept + wrong, int((~y).sum()) - wrong
        limits.append((percent(share, 0), threshold, percent(kept / len(c)), *map(str, numbers)))
    names = ("right kept", "wrong kept", "right dropped", "wrong dropped")
    yield Table(("at most wrong %", "threshold", "words kept %", *names), limits)


MEASURE = MeasureSpec(
    name="confidence-order",
    title="Order of confidences",
    question=CONFIDENCES,
    definition="Uses the same words as `calibration`. AUC: the probability that a right word has "
    "a greater confidence c than a wrong one, where a tie counts half. It needs both "
    "kinds of words. AUC-PR: average precision with right words as positives, that is "
    "the sum, over all thresholds, of precision times the increase of recall. AUC-NT: "
    "the same with wrong words as positives and 1 − c as score. Risk(k): the share of "
    "wrong words among the k words of highest confidence (ties: mean over all their "
    "orders). AURC: the mean risk over all k. Its excess is the difference to an "
    "order with all wrong words last. ECE by mass: as in `calibration`, but each of "
    "the b bins has the same number of words, except that equal confidences share the "
    "lower bin; b is 10, and each number of ece-bins. Temperature: the T that "
    "minimises the log loss of sigmoid(logit(c)/T), with ln T from −5 to 5. If T is "
    "above 1, the system is too sure.",
    figures=(
        Figure("auc", "AUC", better="higher", form="number"),
        Figure("auc_pr", "AUC-PR", better="higher", form="number"),
        Figure("auc_nt", "AUC-NT", better="higher", form="number"),
        Figure("aurc", "AURC", form="number"),
        Figure("aurc_excess", "AURC above the best", form="number"),
        *figures_of_bins(()),
        Figure("temperature", "temperature", "", "none", 0, None, "number"),
    ),
    columns=("words",),
    count=count,
    numbers=numbers,
    kind="sample",
    needs=frozenset({"confidences"}),
    parameters=SETTINGS,
    details=coverage,
    more=figures_of_bins,
)
