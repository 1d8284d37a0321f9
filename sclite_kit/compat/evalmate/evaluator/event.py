"""evalmate's module `event`."""

from scoring.tasks.labels.events import EventEvaluation as EventEvaluation
from scoring.tasks.labels.events import EventEvaluator as EventEvaluator
