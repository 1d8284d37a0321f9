"""evalmate's module `event`."""

from scoring.tasks.labels.confusion import EventConfusion as EventConfusion
