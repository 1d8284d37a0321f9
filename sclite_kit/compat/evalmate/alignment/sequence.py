"""evalmate's module `sequence`."""

from scoring.tasks.labels.aligners import LevenshteinAligner as LevenshteinAligner
