"""Labels for silence and noise that aligners and recognisers write, and names of classes."""

from collections.abc import Iterable

SILENCES = frozenset(("sil", "sp", "spn", "<sil>", "<sp>", "<spn>", "<eps>", "#0"))
"""Whole labels, in any case, that are no words in label files and tiers."""
FEWEST_LABELS, LEAST_USES = 6, 3
"""Labels, and how often each is there on average, that look like classes."""


def is_silence(label: str) -> bool:
    """Return True if a label means silence or noise.

    >>> is_silence("SIL"), is_silence("silence is golden")
    (True, False)
    """
    return label.strip().lower() in SILENCES


def classes_of(labels: Iterable[str]) -> tuple[int, list[str]]:
    """Return the number of filled labels, and their texts if these look like names of classes.

    Names of classes are a few single words that repeat often.

    >>> classes_of(["left", "right", "", *["left"] * 5]), classes_of(["so it was", "well"])
    ((7, ['left', 'right']), (2, []))
    """
    filled = list(filter(None, (label.strip() for label in labels)))
    classes = list(dict.fromkeys(filled))
    are_names = not any(" " in name or "\n" in name for name in classes)
    are_few = len(filled) >= FEWEST_LABELS and len(classes) * LEAST_USES <= len(filled)
    return len(filled), classes if are_names and are_few else []
