"""How words are counted as right and wrong: the modes of the metrics.

===============  ===============================================================================
mode             counts
===============  ===============================================================================
``sclite``       of NIST's sclite: costs 4, 3, 3 for substitution, deletion and insertion
``levenshtein``  of least errors
``kaldi``        of Kaldi's compute-wer
``align-text``   of Kaldi's align-text
``strict``       BenchmarkSTT's: of the Ratcliff-Obershelp matcher, never fewer than the least
``hunt``         the same, for rates in which insertions and deletions weigh one half
===============  ===============================================================================
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from scoring.alignment.sequences import edit_distance
from scoring.model import Counts
from scoring.options import PROFILES
from scoring.pages.diff.opcodes import count_opcodes
from scoring.pages.diff.ratcliff_obershelp import differences

STRICT, HUNT, LEVENSHTEIN, SCLITE = "strict", "hunt", "levenshtein", "sclite"
MODES = (*PROFILES, STRICT, HUNT)


def checked_mode(mode: str, modes: Sequence[str] = MODES) -> str:
    """The mode, if there is such a one.

    Raises
    ------
    ValueError
        If there is not.
    """
    if mode not in modes:
        raise ValueError(f"mode: expected one of {', '.join(modes)}, found {mode!r}")
    return mode


def count(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], mode: str) -> Counts:
    """How many are right and wrong in a mode.

    Examples
    --------
    >>> words = "a b c d e f g h i".split(), "a b c c c d f g i".split()
    >>> count(*words, "strict"), count(*words, "levenshtein").errors
    (Counts(correct=7, substitutions=0, deletions=2, insertions=2), 4)
    """
    if mode in (STRICT, HUNT):
        equal, replaced, inserted, deleted = count_opcodes(differences(reference, hypothesis))
        return Counts(equal, replaced, deleted, inserted)
    profile = PROFILES[mode]
    return edit_distance(reference, hypothesis, costs=profile.costs, ties=profile.ties)
