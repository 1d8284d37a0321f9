"""evalmate's evaluators of labels."""

from scoring.tasks.labels.asr import ASREvaluation as ASREvaluation
from scoring.tasks.labels.asr import ASREvaluator as ASREvaluator
from scoring.tasks.labels.evaluation import Evaluation as Evaluation
from scoring.tasks.labels.evaluation import Evaluator as Evaluator
from scoring.tasks.labels.events import EventEvaluation as EventEvaluation
from scoring.tasks.labels.events import EventEvaluator as EventEvaluator
from scoring.tasks.labels.keywords import KWSEvaluation as KWSEvaluation
from scoring.tasks.labels.keywords import KWSEvaluator as KWSEvaluator
from scoring.tasks.labels.label_set import LabelSet as LabelSet
from scoring.tasks.labels.outcome import Outcome as Outcome
from scoring.tasks.labels.segments import SegmentEvaluation as SegmentEvaluation
from scoring.tasks.labels.segments import SegmentEvaluator as SegmentEvaluator
