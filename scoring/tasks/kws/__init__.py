"""Keyword search, scored as in the OpenKWS evaluations: term-weighted values and their thresholds.

A system searches audio for keywords and outputs detections, each with times, a score and a
decision. `score` finds the occurrences of the keywords in the reference and maps detections to
them. For every keyword and for all keywords together, it computes the actual, maximum, optimum and
supremum term-weighted value (ATWV, MTWV, OTWV, STWV), MAP, and the curve of miss against
false-alarm probability.

    spoken words ──occurrences──▶ references ┐
    detections ──────────────────────────────┴─alignment──▶ trials ──measures──▶ reports

The rules are those of NIST's F4DE (`KWSEval`). Where the behaviour of that program seems to be an
error, `SearchRules` chooses between the program's number and the correct number.
"""

from __future__ import annotations

from formats.schema import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.keywords.model import Detection as Detection
    from formats.keywords.model import Excerpt as Excerpt
    from scoring.tasks.kws.evaluation import KeywordSearchScores as KeywordSearchScores
    from scoring.tasks.kws.evaluation import score as score
    from scoring.tasks.kws.parameters import Parameters as Parameters
    from scoring.tasks.kws.parameters import SearchRules as SearchRules
    from scoring.tasks.kws.references import Reference as Reference
    from scoring.tasks.kws.word_table import SpeakerTurn as SpeakerTurn
    from scoring.tasks.kws.word_table import TimedWord as TimedWord
    from scoring.tasks.kws.word_table import words_of_labels as words_of_labels

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "formats.keywords.model": "Detection Excerpt",
        "scoring.tasks.kws.evaluation": "KeywordSearchScores score",
        "scoring.tasks.kws.parameters": "Parameters SearchRules",
        "scoring.tasks.kws.references": "Reference",
        "scoring.tasks.kws.word_table": "SpeakerTurn TimedWord words_of_labels",
    },
)
