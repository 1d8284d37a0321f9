"""The DET curves of several systems in one plot."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.confidence import (
    Contents,
    ScoredWords,
    det_data,
    det_script,
    scored_words,
)


def curves(ensemble: Ensemble, root: str) -> Iterator[Contents]:
    """Yield the plot script, then the data file of every system, in the order of sc_stats.

    As in sc_stats, the lists are not emptied between systems: the lists of a system begin with as
    many zeros as the system before it had words. Therefore, only the curve of the first system is
    correct.
    """
    yield Contents.of(".det.plt", det_script(root, ensemble.titles, ensemble.description))
    correct = incorrect = 0
    for number, system in enumerate(ensemble.systems):
        scored = scored_words(system, all_wrong=True)
        words = ScoredWords(
            array("d", bytes(8 * (correct + incorrect))) + scored.confidences,
            b"\1" * correct + b"\0" * incorrect + scored.correct,
        )
        correct = sum(words.correct)
        incorrect = len(words.correct) - correct
        yield Contents(f".det.dat.{number:02d}", det_data(words))
