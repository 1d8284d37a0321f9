"""evalmate's module `confusion`."""

from scoring.tasks.labels.confusion import Confusion as Confusion
