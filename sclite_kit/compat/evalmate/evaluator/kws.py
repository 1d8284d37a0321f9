"""evalmate's module `kws`."""

from scoring.tasks.labels.keywords import KWSEvaluation as KWSEvaluation
from scoring.tasks.labels.keywords import KWSEvaluator as KWSEvaluator
