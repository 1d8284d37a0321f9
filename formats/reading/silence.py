"""Labels for silence and noise that aligners and recognisers write, and names of classes."""

from collections.abc import Iterable
from functools import lru_cache

from formats.schema import lazy_pattern

SILENCES = frozenset(
    (
        *("sil", "sp", "spn", "<sil>", "<sp>", "<spn>", "<eps>", "#0", "<p:>", "[sil]"),
        *("[silence]", "<silence>", "(silence)", "[pause]", "<pause>", "(pause)"),
    )
)
"""Whole labels, in any case, that are no words in label files and tiers."""
SIGNS = "-–—_.…*#+=~/\\|"
"""Signs of labels that mark a pause or nothing: ``...``, ``#``, ``--``; not a point alone."""
FEWEST_LABELS, LEAST_USES = 6, 3
"""Labels, and how often each is there on average, that look like classes."""
FEWEST_TEXTS, USES_OF_TEXTS = 20, 5
"""The same for texts of several words."""
DIGITS = lazy_pattern(r"[0-9]+")


@lru_cache(maxsize=1 << 14)
def is_silence(label: str) -> bool:
    """Return True if a label means silence or noise.

    >>> is_silence("SIL"), is_silence("..."), is_silence("silence is golden")
    (True, True, False)
    """
    bare = label.strip().lower()
    return bare in SILENCES or (bare not in ("", ".") and not bare.strip(SIGNS))


def classes_of(labels: Iterable[str], least: int = 0) -> tuple[int, list[str]]:
    """Return the number of filled labels, and their texts if these look like names of classes.

    Names of classes are a few single words that repeat often, by default three times on average.
    Longer texts are classes if they repeat five times; they may differ in numbers.

    >>> classes_of(["left", "right", "", *["left"] * 5]), classes_of(["so it was", "well"])
    ((7, ['left', 'right']), (2, []))
    """
    filled = list(filter(None, (label.strip() for label in labels)))
    classes = list(dict.fromkeys(filled))
    fewest = FEWEST_LABELS
    if any(" " in name or "\n" in name for name in classes):
        fewest, least = FEWEST_TEXTS, USES_OF_TEXTS
        classes = list({DIGITS.sub("0", name): name for name in reversed(classes)}.values())[::-1]
    are_few = len(filled) >= fewest and len(classes) * (least or LEAST_USES) <= len(filled)
    return len(filled), classes if are_few else []
