"""Labels for silence and noise that aligners and recognisers write."""

SILENCES = frozenset(("sil", "sp", "spn", "<sil>", "<sp>", "<spn>", "<eps>", "#0"))
"""Whole labels, in any case, that are no words in label files and tiers."""


def is_silence(label: str) -> bool:
    """Return True if a label means silence or noise.

    >>> is_silence("SIL"), is_silence("silence is golden")
    (True, False)
    """
    return label.strip().lower() in SILENCES
