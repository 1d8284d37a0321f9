"""McNemar's test: which of two systems got more utterances wrong that the other got right?"""

from __future__ import annotations

from scoring.stats.distributions import fair_binomial_below
from scoring.stats.verdict import SIGNIFICANCE, Verdict


def mcnemar_test(only_first_wrong: int, only_second_wrong: int) -> Verdict:
    """Test whether each of the utterances one system alone got wrong fell to either by chance.

    McNemar (1947), as a two-tailed binomial test, `2 * P(at most the smaller of N)`. The
    textbook's exact test up to 20 such utterances, but that equal counts have probability 1 at
    once; beyond 20 the probability is NIST's, see `fair_binomial_below`: far too small.

    Parameters
    ----------
    only_first_wrong, only_second_wrong
        Utterances with errors of one system only.

    Examples
    --------
    >>> mcnemar_test(1, 9)
    Verdict(better=-1, probability=0.021484375)
    """
    if only_first_wrong == only_second_wrong:
        return Verdict(0, 1.0)
    fewer, every = min(only_first_wrong, only_second_wrong), only_first_wrong + only_second_wrong
    probability = 2 * fair_binomial_below(fewer, every)
    if probability >= SIGNIFICANCE:
        return Verdict(0, probability)
    return Verdict(1 if only_first_wrong > only_second_wrong else -1, probability)
