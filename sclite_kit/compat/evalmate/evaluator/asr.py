"""evalmate's module `asr`."""

from scoring.tasks.labels.asr import ASREvaluation as ASREvaluation
from scoring.tasks.labels.asr import ASREvaluator as ASREvaluator
