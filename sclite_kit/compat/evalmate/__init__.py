"""evalmate in its place: see `scoring.tasks.labels` and docs/evaluators.md."""
