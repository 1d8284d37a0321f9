"""Score speech recognition, keyword spotting and labelled audio segments.

>>> import scoring
>>> scoring.align("a b a b".split(), "b a b a".split()).letters
'DCCCI'
>>> scoring.edit_distance("a b".split(), "a c".split()).error_rate
0.5

What is listed here is loaded when it is first used.
"""

from __future__ import annotations

from formats.lazy import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.alignment.batch import Alignments as Alignments
    from scoring.alignment.batch import CountsTable as CountsTable
    from scoring.alignment.batch import align_batch as align_batch
    from scoring.alignment.batch import edit_distance_batch as edit_distance_batch
    from scoring.alignment.labels.bipartite import (
        BipartiteMatchingAligner as BipartiteMatchingAligner,
    )
    from scoring.alignment.labels.candidates import OverlapCandidateFinder as OverlapCandidateFinder
    from scoring.alignment.labels.candidates import (
        StartEndCandidateFinder as StartEndCandidateFinder,
    )
    from scoring.alignment.labels.full import FullMatchingAligner as FullMatchingAligner
    from scoring.alignment.labels.levenshtein import LevenshteinAligner as LevenshteinAligner
    from scoring.alignment.labels.pairs import LabelPair as LabelPair
    from scoring.alignment.labels.segments import InvariantSegmentAligner as InvariantSegmentAligner
    from scoring.alignment.sequences import align as align
    from scoring.alignment.sequences import edit_distance as edit_distance
    from scoring.alignment.symbols import EditDistance as EditDistance
    from scoring.comparison import Comparison as Comparison
    from scoring.comparison import Comparisons as Comparisons
    from scoring.comparison import ConfidenceInterval as ConfidenceInterval
    from scoring.comparison import Resampling as Resampling
    from scoring.error_rate.measure import wer as wer
    from scoring.error_rate.measures import cer as cer
    from scoring.error_rate.measures import mer as mer
    from scoring.error_rate.measures import ser as ser
    from scoring.error_rate.measures import wil as wil
    from scoring.error_rate.measures import wip as wip
    from scoring.error_rate.result import ErrorRates as ErrorRates
    from scoring.errors import UnscoredHypothesisWarning as UnscoredHypothesisWarning
    from scoring.evaluators.asr import ASREvaluator as ASREvaluator
    from scoring.evaluators.calculators import ErrorCalculator as ErrorCalculator
    from scoring.evaluators.calculators import (
        ErrorCalculatorTransducer as ErrorCalculatorTransducer,
    )
    from scoring.evaluators.calculators import TokenErrorRate as TokenErrorRate
    from scoring.evaluators.events import EventEvaluator as EventEvaluator
    from scoring.evaluators.keywords import KWSEvaluator as KWSEvaluator
    from scoring.evaluators.outcome import Outcome as Outcome
    from scoring.evaluators.phonemes import PhonemeErrorRate as PhonemeErrorRate
    from scoring.evaluators.segments import SegmentEvaluator as SegmentEvaluator
    from scoring.html.report import html_report as html_report
    from scoring.kaldialign import batch_error_rate as batch_error_rate
    from scoring.kaldialign import bootstrap_wer_ci as bootstrap_wer_ci
    from scoring.model import SCLITE_COSTS as SCLITE_COSTS
    from scoring.model import UNIT_COSTS as UNIT_COSTS
    from scoring.model import Alignment as Alignment
    from scoring.model import Costs as Costs
    from scoring.model import Counts as Counts
    from scoring.model import Edit as Edit
    from scoring.model import Pair as Pair
    from scoring.model import Ties as Ties
    from scoring.significance import compare as compare
    from scoring.significance import compare_all as compare_all
    from scoring.significance import confidence_interval as confidence_interval

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BipartiteMatchingAligner": "scoring.alignment.labels.bipartite",
        "FullMatchingAligner": "scoring.alignment.labels.full",
        "LevenshteinAligner": "scoring.alignment.labels.levenshtein",
        "InvariantSegmentAligner": "scoring.alignment.labels.segments",
        "OverlapCandidateFinder": "scoring.alignment.labels.candidates",
        "StartEndCandidateFinder": "scoring.alignment.labels.candidates",
        "LabelPair": "scoring.alignment.labels.pairs",
        "EventEvaluator": "scoring.evaluators.events",
        "SegmentEvaluator": "scoring.evaluators.segments",
        "KWSEvaluator": "scoring.evaluators.keywords",
        "ASREvaluator": "scoring.evaluators.asr",
        "Outcome": "scoring.evaluators.outcome",
        "PhonemeErrorRate": "scoring.evaluators.phonemes",
        "TokenErrorRate": "scoring.evaluators.calculators",
        "ErrorCalculator": "scoring.evaluators.calculators",
        "ErrorCalculatorTransducer": "scoring.evaluators.calculators",
        "Alignment": "scoring.model",
        "Alignments": "scoring.alignment.batch",
        "Comparison": "scoring.comparison",
        "Comparisons": "scoring.comparison",
        "ConfidenceInterval": "scoring.comparison",
        "Costs": "scoring.model",
        "Counts": "scoring.model",
        "CountsTable": "scoring.alignment.batch",
        "Edit": "scoring.model",
        "ErrorRates": "scoring.error_rate.result",
        "EditDistance": "scoring.alignment.symbols",
        "Pair": "scoring.model",
        "Resampling": "scoring.comparison",
        "SCLITE_COSTS": "scoring.model",
        "Ties": "scoring.model",
        "UNIT_COSTS": "scoring.model",
        "UnscoredHypothesisWarning": "scoring.errors",
        "align": "scoring.alignment.sequences",
        "align_batch": "scoring.alignment.batch",
        "batch_error_rate": "scoring.kaldialign",
        "bootstrap_wer_ci": "scoring.kaldialign",
        "cer": "scoring.error_rate.measures",
        "compare": "scoring.significance",
        "compare_all": "scoring.significance",
        "confidence_interval": "scoring.significance",
        "edit_distance": "scoring.alignment.sequences",
        "edit_distance_batch": "scoring.alignment.batch",
        "mer": "scoring.error_rate.measures",
        "ser": "scoring.error_rate.measures",
        "html_report": "scoring.html.report",
        "wer": "scoring.error_rate.measure",
        "wil": "scoring.error_rate.measures",
        "wip": "scoring.error_rate.measures",
    },
)
