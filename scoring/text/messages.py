"""Messages of normalisation."""

from formats.schema.messages import ERROR, PART, Advice, Entry

REMOVED = {
    "letters": Entry("REMOVED", PART, "{number:letter/letters} of {script}", "letters"),
    "marks": Entry("REMOVED", PART, "{number:mark/marks} of {script}", "marks"),
}
"""Messages about removed characters, by kind."""
NOT_FETCHED = Entry(
    "NOT-FETCHED",
    ERROR,
    "the download failed: {problem}; download the file on another machine, then "
    "type {command} {advice}",
    advice=(Advice("from_file", "FILE"),),
)
STEPS_IN_ONE = Entry(
    "STEPS",
    ERROR,
    "expected the name of a step, a pipeline or a file, found {text!r}; give each "
    "step as a separate option: {options: }",
)
