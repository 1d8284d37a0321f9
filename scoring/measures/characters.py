"""Character error rate of the texts of a word score, and weighted errors.

The words of the chosen paths are joined by blanks, as in `scoring cer`. Their characters are
aligned separately, with unit costs. Ties are those of the profile if the profile has unit costs. If
the units of the score are characters already, they are joined without blanks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.columns import AlignedColumns, WordColumns, align_numbers, numbered
from scoring.measures.view import shared
from scoring.model.counts import CHARACTER_UNITS, UNIT_COSTS, Edit
from scoring.options import profile_named
from scoring.results.measured import Figure, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

QUESTION = "Which characters are wrong?"
EDITS = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)


@shared
def _aligned(view: View) -> tuple[WordColumns, WordColumns, AlignedColumns]:
    """Return the characters of the reference and of the hypothesis, and their alignment."""
    blank = "" if view.rates.rules.unit in CHARACTER_UNITS else " "
    texts = [
        [blank.join(words) for words in side.words] for side in (view.reference, view.hypothesis)
    ]
    types, ids, sizes = numbered([*texts[0], *texts[1]])
    cut = int(sizes[: len(texts[0])].sum())
    sides = (
        WordColumns(types, ids[:cut], sizes[: len(texts[0])]),
        WordColumns(types, ids[cut:], sizes[len(texts[0]) :]),
    )
    profile = profile_named(view.rates.rules.profile)
    ties = profile.ties if profile.costs == UNIT_COSTS else "sclite"
    aligned = align_numbers(sides, (side.ids for side in sides), ties=ties)
    return *sides, AlignedColumns(aligned)


def count_rate(view: View) -> dict[str, Any]:
    """Count the reference characters and the character errors of each utterance."""
    reference, _, aligned = _aligned(view)
    return {"characters": np.diff(reference.offsets), "errors": aligned.counts[:, 1:].sum(axis=1)}


def letter_counts(view: View) -> dict[str, list[int]]:
    """Return four counts for each character: correct, substituted, deleted and inserted."""
    reference, hypothesis, aligned = _aligned(view)
    size = len(reference.types)
    columns = []
    for edit in EDITS:
        slots = np.flatnonzero(aligned.edits == edit)
        side, places = (
            (hypothesis, aligned.right) if edit == Edit.INSERTION else (reference, aligned.left)
        )
        columns.append(np.bincount(side.ids[places[slots]], minlength=size).tolist())
    counts = zip(*columns, strict=True)
    return {
        letter: list(numbers)
        for letter, numbers in zip(reference.types, counts, strict=True)
        if any(numbers)
    }


MEASURE = MeasureSpec(
    name="characters",
    title="Character error rate",
    question=QUESTION,
    definition="The errors of the characters of the same texts, divided by the characters of the "
    "reference. The words of each utterance, after normalisation, are joined by blanks, "
    "which count as characters, and aligned with unit costs. This equals `scoring cer` "
    "with the same options; only if a reference has alternatives, the path is the one "
    "chosen for the words. If the unit is a character already, no blanks are added.",
    figures=(Figure("cer", "character error rate", "errors / characters", high=None),),
    columns=("characters", "errors"),
    count=count_rate,
    worst="errors",
    alignment="characters",
)


def _hundredths(value: Any) -> int:
    """Return a weight in hundredths.

    Raise ValueError if it is negative or has more than two decimals.
    """
    try:
        weight = float(value) * 100
    except (TypeError, ValueError):
        weight = -1
    if not 0 <= weight <= 10**6 or abs(weight - round(weight)) > 1e-6:
        raise ValueError(f"expected a number from 0 with at most two decimals, found {value!r}")
    return round(weight)


def count_weighted(view: View) -> dict[str, Any]:
    """Return the weighted errors (in hundredths) and the reference words of each utterance."""
    settings = view.settings
    weights = [settings[f"{kind}_weight"] for kind in ("substitution", "deletion", "insertion")]
    return {
        "weighted": view.counts[:, 1:] @ np.array(weights, np.int64),
        "words": np.diff(view.reference.offsets) * 100,
    }


WEIGHTED = MeasureSpec(
    name="weighted",
    title="Weighted error rate",
    question="Which errors cost most?",
    definition="Substitutions, deletions and insertions of the alignment, each multiplied by its "
    "weight (all 1 unless you set them), divided by the reference words. The "
    "alignment does not change. With --profile levenshtein the counts, and so the rate, "
    "equal those of werpy (werp).",
    figures=(Figure("weighted_wer", "weighted error rate", "weighted / words", high=None),),
    columns=("weighted", "words"),
    count=count_weighted,
    parameters=tuple(
        MeasureSetting(f"{kind}_weight", 100, _hundredths, f"weight of a {kind} (default: 1)")
        for kind in ("substitution", "deletion", "insertion")
    ),
)
