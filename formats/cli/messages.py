"""Messages of the `formats` command."""

from formats.schema.messages import ERROR, LOSS, NOTE, Advice, Entry

JOBS_IDLE = Entry(
    "JOBS",
    NOTE,
    "{advice} has no effect when one file is written",
    advice=(Advice("jobs", "N"),),
)
REPLACED = Entry("REPLACED", NOTE, "{path} replaced")
SEVERAL_REPLACED = Entry(
    "REPLACED",
    NOTE,
    "{path} and {others:other file/other files} replaced",
    "several",
)
OUTPUT_EMPTY = Entry(
    "OUTPUT-EMPTY",
    NOTE,
    "the output is empty, because the input has no records",
    is_shown=True,
)
NONE_FITS = Entry("NO-RECORD", LOSS, "no record was written: none of {segments} segments fits {to}")
NONE_LEFT = Entry("NO-RECORD", LOSS, "no record was written: no segment is left", "left")
NOT_TAKEN = Entry("NOT-TAKEN", LOSS, "not taken: {segments} segments; {words} words")
IDLE_OPTION = Entry("IDLE-OPTION", LOSS, "{option} has no effect from {format} to {to}")
NOT_PRESERVED = Entry(
    "NOT-PRESERVED",
    LOSS,
    "not preserved ({advice} shows where): {losses:; }",
    advice=(Advice("explain_loss"),),
)
LOST = Entry("LOST", LOSS, "{what}: {count}")
LOST_BY_RULE = Entry("LOST", LOSS, "{what}: {count} ({rule})", "by-rule")
LINES_UNCHECKED = Entry(
    "LINES-UNCHECKED",
    NOTE,
    "lines of {cues:cue/cues} not checked, because the line breaks are unknown",
    is_shown=True,
)
STDOUT_FORMAT = Entry(
    "TARGET-FORMAT",
    ERROR,
    "standard output has no suffix: name the format with {advice}",
    "stdout",
    (Advice("to", ""),),
)
NO_LAYOUT = Entry(
    "NO-LAYOUT",
    ERROR,
    "expected a plain text with turns of speakers or times, found {format!r}, which no pattern "
    "describes",
)
