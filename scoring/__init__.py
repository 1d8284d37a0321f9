"""Score speech recognition, keyword spotting and labelled audio segments.

>>> import scoring
>>> scoring.align("a b a b".split(), "b a b a".split()).letters
'DCCCI'
>>> scoring.edit_distance("a b".split(), "a c".split()).error_rate
0.5

Score:

    wer            word error rate, with counts, alignment and signature
    cer            character error rate
    mer            match error rate: errors per place of the alignment, 0 to 1
    wil            word information lost, 0 to 1
    wip            word information preserved, 0 to 1
    ser            sentence error rate: share of utterances with an error
    der            diarisation error: speaker time missed, false and confused
    measure        loops, punctuation, confidence and others, of a result
    score_columns  append its scores to each row of a table
    spark          score Spark data frames (module)
    ray            score Ray data sets (module)

Read and change results:

    ErrorRates         result of `wer`: a number, with everything it is made of
    Counts             correct, substituted, deleted and inserted tokens
    Options            every choice of reading, matching and aligning
    File               a path with its format, encoding and reader options
    References         several references of the same utterances
    Systems            hypotheses of several systems, by name
    load               read a saved result
    html_report        write results as one HTML page
    ScoredColumns      result of `score_columns`, a stream of rows
    DiarisationErrors  result of `der`

Compare systems:

    compare              is the new system better than the baseline?
    compare_all          several systems against one baseline
    confidence_interval  bootstrap interval of a rate
    group_gaps           how far the groups of a result are apart
    paper_table          table for a paper: systems against groups, with marks
    Comparison           result of `compare`
    Comparisons          result of `compare_all`
    ConfidenceInterval   result of `confidence_interval`
    PaperTable           result of `paper_table`: LaTeX, Markdown, DataFrame
    Resampling           how intervals and tests are computed

Align tokens:

    align                cheapest alignment of two token sequences
    align_batch          alignments of many pairs
    edit_distance        counts of the cheapest alignment
    edit_distance_batch  counts of many pairs
    Alignment            two token sequences and their edits
    Alignments           result of `align_batch`
    CountsTable          result of `edit_distance_batch`
    Pair                 one place of an alignment
    Edit                 correct, substitution, deletion or insertion
    Costs                costs of the edits
    Ties                 which of equally cheap alignments is chosen
    kaldialign           functions of the package of that name (module)

Score during training:

    ErrorCalculator            error rates of batches of token ids, attention or CTC
    ErrorCalculatorTransducer  the same, of batches that are decoded first
    PhonemeErrorRate           phonemes against words with several pronunciations

Score events, segments and keywords:

    EventEvaluator            score events
    SegmentEvaluator          score segments by time
    KWSEvaluator              score keywords
    ASREvaluator              score words with times
    Outcome                   labels of one side, by utterance
    LabelPair                 two aligned labels
    BipartiteMatchingAligner  at most one partner for each label
    FullMatchingAligner       every pair that overlaps
    InvariantSegmentAligner   cut time at every boundary
    LevenshteinAligner        align by value, ignore times
    OverlapCandidateFinder    labels that overlap
    StartEndCandidateFinder   labels with similar boundaries

Errors:

    ScoringError               base of all errors
    InputError                 an input cannot be scored
    MatchingError              the utterances of both sides do not match
    DifferentLengthsError      both sides have different numbers of utterances
    NoReferenceError           no reference words, so no rate
    OptionValueError           an option has a wrong value
    StatisticsError            the data are too few for an interval or a test
    UnscoredHypothesisWarning  hypotheses without a reference are not scored

Names are loaded when they are first used.
"""

from __future__ import annotations

try:
    # an empty package of that name lacks this, though an editable install may find what is below it
    from formats import __getattr__ as _ours  # noqa: F401
    from formats.schema import lazy_names
except ImportError as _problem:
    import sys

    # Python tells of a missing module; that another package has the name is what helps.
    path = getattr(sys.modules.get("formats"), "__file__", None) or "no file"
    raise ImportError(
        f"scoring: expected the package formats of sclite-kit, found {path}: another program or "
        "distribution has taken the name. Rename or move that file, uninstall the distribution "
        "it belongs to, or install sclite-kit into an environment of its own"
    ) from _problem
from formats.schema import VERSION

__version__ = VERSION
# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.alignment.results import Alignments as Alignments
    from scoring.alignment.results import CountsTable as CountsTable
    from scoring.alignment.sequences import align as align
    from scoring.alignment.sequences import align_batch as align_batch
    from scoring.alignment.sequences import edit_distance as edit_distance
    from scoring.alignment.sequences import edit_distance_batch as edit_distance_batch
    from scoring.measures import measure as measure
    from scoring.model.aliases import Ties as Ties
    from scoring.model.counts import SCLITE_COSTS as SCLITE_COSTS
    from scoring.model.counts import UNIT_COSTS as UNIT_COSTS
    from scoring.model.counts import Alignment as Alignment
    from scoring.model.counts import Costs as Costs
    from scoring.model.counts import Counts as Counts
    from scoring.model.counts import Edit as Edit
    from scoring.model.counts import Pair as Pair
    from scoring.model.errors import InputError as InputError
    from scoring.model.errors import NoReferenceError as NoReferenceError
    from scoring.model.errors import OptionValueError as OptionValueError
    from scoring.model.errors import ScoringError as ScoringError
    from scoring.model.errors import StatisticsError as StatisticsError
    from scoring.model.errors import UnscoredHypothesisWarning as UnscoredHypothesisWarning
    from scoring.options import Options as Options
    from scoring.pages.group_gaps import group_gaps as group_gaps
    from scoring.pages.html.report import html_report as html_report
    from scoring.peers import kaldialign as kaldialign
    from scoring.peers.calculators import ErrorCalculator as ErrorCalculator
    from scoring.peers.calculators import ErrorCalculatorTransducer as ErrorCalculatorTransducer
    from scoring.regression.comparing import compare as compare
    from scoring.regression.comparing import compare_all as compare_all
    from scoring.regression.comparing import confidence_interval as confidence_interval
    from scoring.regression.comparison import Comparison as Comparison
    from scoring.regression.comparison import Comparisons as Comparisons
    from scoring.regression.paper import PaperTable as PaperTable
    from scoring.regression.paper import paper_table as paper_table
    from scoring.score import mer as mer
    from scoring.score import ser as ser
    from scoring.score import wil as wil
    from scoring.score import wip as wip
    from scoring.score.engines import ray as ray
    from scoring.score.engines import spark as spark
    from scoring.score.keywords import cer as cer
    from scoring.score.keywords import wer as wer
    from scoring.score.rates import ErrorRates as ErrorRates
    from scoring.score.record_reader import load as load
    from scoring.score.score_columns import ScoredColumns as ScoredColumns
    from scoring.score.score_columns import score_columns as score_columns
    from scoring.sides.given import File as File
    from scoring.sides.given import References as References
    from scoring.sides.given import Systems as Systems
    from scoring.sides.matching import DifferentLengthsError as DifferentLengthsError
    from scoring.sides.matching import MatchingError as MatchingError
    from scoring.stats.intervals import ConfidenceInterval as ConfidenceInterval
    from scoring.stats.intervals import Resampling as Resampling
    from scoring.tasks.labels.aligners.bipartite import (
        BipartiteMatchingAligner as BipartiteMatchingAligner,
    )
    from scoring.tasks.labels.aligners.bipartite import FullMatchingAligner as FullMatchingAligner
    from scoring.tasks.labels.aligners.bipartite import (
        OverlapCandidateFinder as OverlapCandidateFinder,
    )
    from scoring.tasks.labels.aligners.bipartite import (
        StartEndCandidateFinder as StartEndCandidateFinder,
    )
    from scoring.tasks.labels.aligners.levenshtein import LevenshteinAligner as LevenshteinAligner
    from scoring.tasks.labels.aligners.pairs import LabelPair as LabelPair
    from scoring.tasks.labels.aligners.segments import (
        InvariantSegmentAligner as InvariantSegmentAligner,
    )
    from scoring.tasks.labels.asr import ASREvaluator as ASREvaluator
    from scoring.tasks.labels.events import EventEvaluator as EventEvaluator
    from scoring.tasks.labels.keywords import KWSEvaluator as KWSEvaluator
    from scoring.tasks.labels.outcome import Outcome as Outcome
    from scoring.tasks.labels.segments import SegmentEvaluator as SegmentEvaluator
    from scoring.tasks.phonemes import PhonemeErrorRate as PhonemeErrorRate
    from scoring.tasks.speakers.der.diarisation_errors import DiarisationErrors as DiarisationErrors
    from scoring.tasks.speakers.der.score import der as der

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "scoring.alignment.results": "Alignments CountsTable",
        "scoring.alignment.sequences": "align align_batch edit_distance edit_distance_batch",
        "scoring.peers": "kaldialign",
        "scoring.peers.calculators": "ErrorCalculator ErrorCalculatorTransducer",
        "scoring.model.errors": "InputError NoReferenceError OptionValueError ScoringError "
        "StatisticsError UnscoredHypothesisWarning",
        "scoring.tasks.labels.aligners.bipartite": "BipartiteMatchingAligner FullMatchingAligner "
        "OverlapCandidateFinder StartEndCandidateFinder",
        "scoring.tasks.labels.aligners.levenshtein": "LevenshteinAligner",
        "scoring.tasks.labels.aligners.pairs": "LabelPair",
        "scoring.tasks.labels.aligners.segments": "InvariantSegmentAligner",
        "scoring.tasks.labels.asr": "ASREvaluator",
        "scoring.tasks.labels.events": "EventEvaluator",
        "scoring.tasks.labels.keywords": "KWSEvaluator",
        "scoring.tasks.labels.outcome": "Outcome",
        "scoring.tasks.labels.segments": "SegmentEvaluator",
        "scoring.measures": "measure",
        "scoring.model.aliases": "Ties",
        "scoring.model.counts": "Alignment Costs Counts Edit Pair SCLITE_COSTS UNIT_COSTS",
        "scoring.options": "Options",
        "scoring.pages.group_gaps": "group_gaps",
        "scoring.pages.html.report": "html_report",
        "scoring.tasks.phonemes": "PhonemeErrorRate",
        "scoring.regression.comparison": "Comparison Comparisons",
        "scoring.regression.paper": "PaperTable paper_table",
        "scoring.regression.comparing": "compare compare_all confidence_interval",
        "scoring.score.engines": "ray spark",
        "scoring.score.keywords": "cer mer ser wer wil wip",
        "scoring.score.rates": "ErrorRates",
        "scoring.score.record_reader": "load",
        "scoring.score.score_columns": "ScoredColumns score_columns",
        "scoring.sides.given": "File References Systems",
        "scoring.sides.matching": "DifferentLengthsError MatchingError",
        "scoring.tasks.speakers.der.diarisation_errors": "DiarisationErrors",
        "scoring.tasks.speakers.der.score": "der",
        "scoring.stats.intervals": "ConfidenceInterval Resampling",
    },
)
