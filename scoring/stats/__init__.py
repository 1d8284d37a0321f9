"""Statistics of scores: intervals, comparisons, tests. Pure functions on numbers.

How much to trust a score, and whether one system is better than another:

- `bootstrap`, `paired_bootstrap` and `approximate_randomisation`, for any score that is computed
  from sums, resampled by utterance or by block; `holm` for several tests at once;
- `kaldi_bootstrap` and `kaldialign_bootstrap`, which give those programs' figures to the last bit;
- the tests of NIST's `sc_stats`: `matched_pairs_test`, `mcnemar_test`, `sign_test`,
  `signed_rank_test`, `friedman_test`.

`docs/statistics.md` explains when to use each. The names of this package are loaded when they are
first used; the first two groups need numpy.
"""

from __future__ import annotations

from formats.schema import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.stats.bootstrapping import Bootstrap as Bootstrap
    from scoring.stats.bootstrapping import PairedBootstrap as PairedBootstrap
    from scoring.stats.bootstrapping import bootstrap as bootstrap
    from scoring.stats.bootstrapping import paired_bootstrap as paired_bootstrap
    from scoring.stats.friedman import friedman_test as friedman_test
    from scoring.stats.kaldi import KaldiBootstrap as KaldiBootstrap
    from scoring.stats.kaldi import kaldi_bootstrap as kaldi_bootstrap
    from scoring.stats.kaldi import kaldialign_bootstrap as kaldialign_bootstrap
    from scoring.stats.limits import Interval as Interval
    from scoring.stats.matched_pairs import matched_pairs_test as matched_pairs_test
    from scoring.stats.paired_tests import holm as holm
    from scoring.stats.paired_tests import mcnemar_test as mcnemar_test
    from scoring.stats.paired_tests import sign_test as sign_test
    from scoring.stats.paired_tests import signed_rank_test as signed_rank_test
    from scoring.stats.randomisation import Randomisation as Randomisation
    from scoring.stats.randomisation import approximate_randomisation as approximate_randomisation
    from scoring.stats.spread import spread_test as spread_test
    from scoring.stats.units import error_rate as error_rate

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".bootstrapping": "Bootstrap PairedBootstrap bootstrap paired_bootstrap",
        ".friedman": "friedman_test",
        ".kaldi": "KaldiBootstrap kaldi_bootstrap kaldialign_bootstrap",
        ".limits": "Interval",
        ".matched_pairs": "matched_pairs_test",
        ".paired_tests": "holm mcnemar_test sign_test signed_rank_test",
        ".randomisation": "Randomisation approximate_randomisation",
        ".spread": "spread_test",
        ".units": "error_rate",
    },
)
