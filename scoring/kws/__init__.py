"""Keyword search, scored as in the OpenKWS evaluations: term-weighted values and their thresholds.

A system searches audio for keywords and says for each where it found it, with a score and a
decision. `score` finds where the keywords were really spoken, maps detections to those
places, and computes for every keyword and over all of them the actual, maximum, optimum and
supremum term-weighted value (ATWV, MTWV, OTWV, STWV), MAP, and the curve of miss against
false-alarm probability.

    spoken words ──occurrences──▶ references ┐
    detections ──────────────────────────────┴─alignment──▶ trials ──measures──▶ reports

The rules are those of NIST's F4DE (`KWSEval`). Where that program does something that looks
unintended, `Rules` decides between its number and the sound one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.kws.evaluation import KeywordSearchScores as KeywordSearchScores
    from scoring.kws.evaluation import score as score
    from scoring.kws.parameters import Parameters as Parameters
    from scoring.kws.parameters import Rules as Rules
    from scoring.kws.references import Reference as Reference
    from scoring.kws.words import Turn as Turn
    from scoring.kws.words import Word as Word
    from scoring.kws.words import words_of_labels as words_of_labels

_HOMES = {
    "KeywordSearchScores": "scoring.kws.evaluation",
    "Parameters": "scoring.kws.parameters",
    "Reference": "scoring.kws.references",
    "Rules": "scoring.kws.parameters",
    "Turn": "scoring.kws.words",
    "Word": "scoring.kws.words",
    "score": "scoring.kws.evaluation",
    "words_of_labels": "scoring.kws.words",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
