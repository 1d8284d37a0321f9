"""Messages of the `formats` command."""

from formats.schema.messages import ERROR, LOSS, NOTE, Advice, Entry

JOBS_IDLE = Entry(
    "IDLE-OPTION",
    NOTE,
    "{advice} has no effect on a single file",
    "single-file",
    (Advice("jobs", ""),),
)
REPLACED = Entry("REPLACED", NOTE, "{path} was replaced")
SEVERAL_REPLACED = Entry(
    "REPLACED",
    NOTE,
    "{path} and {others:other file/other files} were replaced",
    "several",
)
OUTPUT_EMPTY = Entry(
    "OUTPUT-EMPTY",
    NOTE,
    "the output is empty, because the input has no records",
    is_shown=True,
)
NONE_FITS = Entry(
    "NO-RECORD",
    LOSS,
    (
        "no record was written, because {to} can hold no segment of the input, which has "
        "{segments:segment/segments}"
    ),
)
NONE_LEFT = Entry(
    "NO-RECORD", LOSS, "no record was written, because the options exclude all segments", "left"
)
NOT_TAKEN = Entry(
    "NOT-TAKEN", LOSS, ("the options excluded {segments:segment/segments} with {words:word/words}")
)
IDLE_OPTION = Entry(
    "IDLE-OPTION", NOTE, "{option} has no effect on files in the format {formats: or }", "format"
)
IDLE_BINARY = Entry(
    "IDLE-OPTION", NOTE, "{option} has no effect on {format}, which is a binary format", "binary"
)
IDLE_SELECTION = Entry(
    "IDLE-OPTION", NOTE, "{options:, } excluded nothing from the input", "selection"
)
NOT_PRESERVED = Entry(
    "NOT-PRESERVED",
    LOSS,
    "not preserved in {format} ({advice} shows where): {losses:; }",
    advice=(Advice("explain_loss"),),
)
LOST = Entry("LOST", LOSS, "not preserved in {format}: {what}: {count}")
LOST_BY_RULE = Entry("LOST", LOSS, "not preserved in {format}: {what}: {count} ({rule})", "by-rule")
# one kind of content in the list of NOT_PRESERVED
KIND = Entry("LOST", LOSS, "{what}: {count}", "kind")
KIND_BY_RULE = Entry("LOST", LOSS, "{what}: {count} ({rule})", "kind-by-rule")
LINES_UNCHECKED = Entry(
    "LINES-UNCHECKED",
    NOTE,
    "the lines of {cues:cue/cues} are not checked, because the line breaks of the cues are unknown",
    is_shown=True,
)
LIMITS_OF_FILE = Entry(
    "LIMITS-LANGUAGE",
    NOTE,
    "the limits are those for {language}, the language of the file ({advice} sets another)",
    "file",
    (Advice("rules_language", "LANG"),),
    is_shown=True,
)
NO_LIMITS_OF_FILE = LIMITS_OF_FILE._replace(
    text="the limits are those for {language}, because {guide} has none here for the language of "
    "the file, {found!r}",
    variant="none",
    advice=(),
)
LIMITS_OF_SHELL = LIMITS_OF_FILE._replace(
    text="the limits are those for {language}, but the language of this shell is {found} "
    "({advice} has its limits)",
    variant="shell",
    advice=(Advice("rules_language", "{code}"),),
)
NO_SUBTITLES = Entry(
    "NO-SUBTITLES",
    ERROR,
    "expected subtitles, found {format} without texts that are shown",
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
    "expected a plain text with turns of speakers or with times, found {format!r}, "
    "and no pattern describes this format",
)
