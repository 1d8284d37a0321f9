"""A replacement for evalmate; see `scoring.tasks.labels` and docs/evaluators.md."""
