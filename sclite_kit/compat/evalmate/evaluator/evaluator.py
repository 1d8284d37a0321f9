"""evalmate's module `evaluator`."""

from scoring.tasks.labels.evaluation import Evaluation as Evaluation
from scoring.tasks.labels.evaluation import Evaluator as Evaluator
