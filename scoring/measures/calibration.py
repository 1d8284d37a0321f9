"""Calibration: words are put into bins by confidence.

In each bin, the confidence is compared with the share of correct words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from formats.schema.messages import Message
from scoring.drawing import decimal, percent
from scoring.drawing.blocks import Block, Note, Table
from scoring.measures.columns import Flags, bins_by_value
from scoring.measures.messages import LOGARITHMS
from scoring.measures.settings import choice_of, flag, items_of, whole_from
from scoring.model.arrays import Integers
from scoring.results.counted import Sums
from scoring.results.measured import (
    CONFIDENCES,
    Figure,
    MeasuredValues,
    MeasureSetting,
    MeasureSpec,
)

if TYPE_CHECKING:
    from scoring.measures.view import View
    from scoring.model.arrays import Floats

BINS = (10, 15)
MOST_BINS = 100
LOG = "confidence-log"
FEWEST = 10
"""Smallest number of words with which a bin counts for the largest gap."""
CLIP = 1e-7
"""Smallest distance of a confidence from 0 and 1 when taking logarithms, as in NIST's scoring."""
LOW_BITS = 26
BIN_ERRORS = ("ece", "mce", "ace")
NORMAL = 1.959963984540054


class ConfidentWords:
    """The words that have a confidence, each with this confidence and whether it is correct."""

    def __init__(self, view: View) -> None:
        read, is_log = view.settings["confidence-unit"] == "word", view.settings[LOG]
        side, raw = view.hypothesis, view.hypothesis.raw
        if read:
            values, eligible, right = side.column("confidences"), raw.scored, raw.all_of(side.right)
            utterances = raw.utterances
        else:  # an utterance is right if it has no error
            known = [
                # that of a recording that was cut is nobody's
                parts[0].confidence if len(parts) == 1 and len(parts[0].words) <= size else None
                for parts, size in zip(view.heard, np.diff(raw.offsets), strict=True)
            ]
            values = np.array(known, np.float64)
            utterances, right = np.arange(len(view)), view.errors == 0
            eligible = np.ones(len(view), np.bool_)
        chosen = eligible & ~np.isnan(values)
        shares = np.exp(np.minimum(values, 1)) if is_log else values
        for place in np.flatnonzero(chosen & ((shares < 0) | (shares > 1)))[:1].tolist():
            name = repr(view.rates.identifiers[int(utterances[place])])
            subject = f"{raw.types[raw.ids[place]]!r} in {name}" if read else name
            kind = "logarithms of confidences" if is_log else "confidences from 0 to 1"
            if values[place] > 0:
                raise view.error(f"expected {kind}, found {values[place]:g} of {subject}")
            fields = {"number": float(values[place]), "subject": subject, "setting": LOG}
            raise view.error(Message(LOGARITHMS, fields))
        self.confidences: Floats = shares[chosen]
        self.right: Flags = right[chosen]
        self.utterances: Integers = utterances[chosen]
        self.unknown = np.bincount(utterances[eligible & ~chosen], minlength=len(view))


def fixed(values: Floats) -> tuple[Integers, Integers]:
    """Return non-negative numbers as multiples of 2**-52, in two parts whose sums are exact."""
    steps = np.rint(np.ldexp(values, 52))
    high = np.floor(np.ldexp(steps, -LOW_BITS))
    low = steps - np.ldexp(high, LOW_BITS)
    return high.astype(np.int64), low.astype(np.int64)


def exact(totals: Sums, name: str) -> float:
    """Return the exact sum of numbers that `fixed` split into a high and a low column."""
    steps = (totals[f"{name}_high"] << LOW_BITS) + totals[f"{name}_low"]
    return steps / 2**52


def bin_of(confidences: Floats, number: int) -> Integers:
    """Return the bin of each confidence; bins are equally wide and closed on the left.

    The last bin is closed on both sides. Borders are k/number in double precision, so that 0.6
    begins a bin of ten.
    """
    bins = np.floor(confidences * number)
    bins -= confidences < bins / number
    bins += confidences >= (bins + 1) / number
    return np.minimum(bins, number - 1).astype(np.int64)


def count(view: View) -> dict[str, Any]:
    """Return the columns of calibration for each utterance.

    The columns are the numbers of words and of correct words, and the sums of squared errors and of
    log losses; and, for each bin, the numbers of words and of correct words, and the sum of
    confidences.
    """
    items, number = ConfidentWords(view), len(view)
    y, c = items.right, items.confidences

    def summed(values: Any, places: Any = 0, bins: int = 1) -> Integers:
        """Return sums of values by utterance and bin; whole numbers below 2**53 are exact."""
        keys = items.utterances * bins + places
        sums = np.bincount(keys, np.asarray(values, np.float64), number * bins)
        return sums.astype(np.int64).reshape(number, bins)

    ones = np.ones(len(c))
    columns: dict[str, Any] = {
        # the names of figures are known without words, too
        **{f"bin{bins}_00_words": np.zeros(number) for bins in view.settings["ece-bins"]},
        "words": summed(ones)[:, 0],
        "right": summed(y)[:, 0],
        "unknown": items.unknown,
        **bins_by_value("mce-min", np.full(number, view.settings["mce-min"])),
    }
    clipped = np.clip(c, CLIP, 1 - CLIP)
    loss = -np.log(np.where(y, clipped, 1 - clipped))
    for name, values in (("squares", (c - y) ** 2), ("loss", loss)):
        for part, column in zip(("high", "low"), fixed(values), strict=True):
            columns[f"{name}_{part}"] = summed(column)[:, 0]
    high, low = fixed(c)
    parts = (("words", ones), ("right", y), ("high", high), ("low", low))
    for bins in {*BINS, *view.settings["ece-bins"]}:
        places = bin_of(c, bins)
        present = np.flatnonzero(np.bincount(places)).tolist()
        for name, values in parts:
            table = summed(values, places, bins)
            columns |= {f"bin{bins}_{place:02d}_{name}": table[:, place] for place in present}
    return columns


def numbers_of_bins(names: Iterable[str], defaults: Iterable[int] = BINS) -> list[int]:
    """Return the numbers of bins in names of columns or figures, and those in `defaults`, sorted.

    >>> numbers_of_bins(["bin20_03_words", "ece12", "words"])
    [10, 12, 15, 20]
    """
    parts = (name[3:].partition("_")[0] for name in names if name[:3] in ("bin", *BIN_ERRORS))
    return sorted({*defaults, *(int(part) for part in parts if part.isdecimal())})


def bins_of(totals: Sums, bins: int) -> list[tuple[int, int, int, float]]:
    """Return the bins that have words.

    A bin is its index, its numbers of words and of correct words, and the sum of confidences.
    """
    keys = ((place, f"bin{bins}_{place:02d}") for place in range(bins))
    return [
        (place, totals[f"{key}_words"], totals[f"{key}_right"], exact(totals, key))
        for place, key in keys
        if totals[f"{key}_words"]
    ]


def numbers(totals: Sums) -> MeasuredValues:
    """Return the values of the measure's figures, computed from sums."""
    words, right = totals["words"], totals["right"]
    values: dict[str, float | None] = {"nce": None, "brier": None, "log_loss": None}
    if words:
        values["brier"] = exact(totals, "squares") / words
        values["log_loss"] = loss = exact(totals, "loss") / words
        if 0 < right < words:
            share = right / words
            entropy = -(share * math.log(share) + (1 - share) * math.log(1 - share))
            values["nce"] = 1 - loss / entropy
    least = totals.greatest("mce-min") or 0
    for bins in numbers_of_bins(totals):
        rows = bins_of(totals, bins)
        gaps = [(size, abs(hits - total) / size) for _, size, hits, total in rows]
        large = [gap for size, gap in gaps if size >= least]
        values[f"ece{bins}"] = sum(size * gap for size, gap in gaps) / words if gaps else None
        values[f"mce{bins}"] = max(large, default=None)
        values[f"ace{bins}"] = sum(gap for _, gap in gaps) / len(gaps) if gaps else None
    return values


def wilson(hits: int, number: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % interval of the share `hits` / `number`."""
    share, square = hits / number, NORMAL**2 / number
    middle = (share + square / 2) / (1 + square)
    reach = NORMAL * math.sqrt(share * (1 - share) / number + square / (4 * number)) / (1 + square)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def reliability(totals: Sums) -> Iterator[Block]:
    """Yield a table with the confidence and the share of correct words in each of ten bins.

    The shares have Wilson's interval.
    """
    rows = []
    for place, size, hits, total in bins_of(totals, BINS[0]):
        low, high = wilson(hits, size)
        bounds = f"{place / BINS[0]:.1f} to {(place + 1) / BINS[0]:.1f}"
        numbers = (str(size), decimal(total / size), percent(hits / size))
        rows.append((bounds, *numbers, f"{percent(low)} to {percent(high)}"))
    if rows:
        headings = ("confidence", "words", "mean", "right %", "95 % interval")
        yield Table(headings, rows)
    if totals["unknown"]:
        yield Note(f"without confidence, not counted: {totals['unknown']}")


def read_bins(value: Any) -> tuple[int, ...]:
    """Parse whole numbers separated by commas; return them in ascending order."""
    return tuple(sorted(set(map(whole_from(1, MOST_BINS), items_of(value)))))


def figures_of_bins(names: Iterable[str]) -> Iterator[Figure]:
    """Yield the figures for each number of bins in the given names."""
    for bins in numbers_of_bins(names):
        for name in BIN_ERRORS:
            yield Figure(f"{name}{bins}", f"{name.upper()} ({bins} bins)", form="number")


SETTINGS = (
    choice_of("confidence-unit", ("word", "utterance"), "word, or utterance without error"),
    MeasureSetting(LOG, False, flag, "yes: confidences are logarithms"),
    MeasureSetting("ece-bins", (), read_bins, "further numbers of bins, for example 20 or 5,20"),
)
MEASURE = MeasureSpec(
    name="calibration",
    title="Calibration of confidences",
    question=CONFIDENCES,
    definition="The words of the hypothesis as read, each with a confidence c from 0 to 1. y is "
    "1 if a word is right and 0 if it is substituted or inserted. If normalisation "
    "made several words of one, it is right if all of them are. Words without "
    "confidence are only counted. NCE = (H + Σ log2 p) / H, with p = c for a right "
    "word and 1 − c for a wrong one, where H is the entropy of the share of right "
    "words. NCE needs both right and wrong words. Brier score: mean (c − y)². Log "
    "loss: −mean of ln p. For logarithms c is limited to the range from 1e-7 to 1 − "
    "1e-7. ECE: Σ n_b/n · |mean y − mean c| over equally wide bins b of confidence. "
    "MCE: the largest of these gaps, over bins of at least 10 words (mce-min). ACE: "
    "their mean. These are computed for 10 and for 15 bins. The setting ece-bins=20 "
    "adds ece20, mce20 and ace20.",
    figures=(
        Figure("nce", "NCE", "", "higher", None, 1, "number"),
        Figure("brier", "Brier score", form="number"),
        Figure("log_loss", "log loss", high=None, form="number"),
        *figures_of_bins(()),
    ),
    columns=("words", "right", "unknown", "squares_high", "squares_low", "loss_high", "loss_low"),
    count=count,
    numbers=numbers,
    kind="bins",
    needs=frozenset({"confidences"}),
    parameters=(
        *SETTINGS,
        MeasureSetting(
            "mce-min", FEWEST, whole_from(1), "fewest words of a bin that counts for MCE"
        ),
    ),
    details=reliability,
    more=figures_of_bins,
)
