"""evalmate's module `aggregation`."""

from scoring.tasks.labels.confusion import AggregatedConfusion as AggregatedConfusion
