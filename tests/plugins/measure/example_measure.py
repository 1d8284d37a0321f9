"""A measure in a package of its own: words of the hypothesis where the reference has none."""

from __future__ import annotations

from typing import Any

import numpy as np

from sclite_kit.plugin import INVENTION, Figure, MeasureSpec, View


def count(view: View) -> dict[str, Any]:
    """Per utterance: whether its reference is empty, and the words of the hypothesis there."""
    silent = view.counts[:, :3].sum(axis=1) == 0
    return {"silent": silent, "invented": silent * np.diff(view.hypothesis.offsets)}


MEASURE = MeasureSpec(
    name="silent-words",
    title="Words in silence",
    question=INVENTION,
    definition="Words of the hypothesis per utterance without reference words.",
    figures=(Figure("each", "words each", "invented / silent", high=None, form="number"),),
    columns=("silent", "invented"),
    count=count,
    worst="invented",
)
