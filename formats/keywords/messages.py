"""Messages of readers and writers of keyword search."""

from formats.schema.messages import NOTE, WARNING, Entry

KWLIST_ATTRIBUTE = Entry(
    "KWLIST-ATTRIBUTE",
    WARNING,
    "keyword {keyword!r} has an attribute twice: the last value is read",
    several="{times} keywords have an attribute twice: the last values are read",
)
KWSLIST_DECISION = Entry("KWSLIST-DECISION", NOTE, "decision {text!r} read in capitals")
KWSLIST_DURATION = Entry(
    "KWSLIST-DURATION",
    WARNING,
    "a duration of 0",
    several="{times} durations of 0",
)
