"""Messages of normalisation."""

from formats.schema.messages import NOTE, Entry

REMOVED = {
    "letters": Entry("REMOVED", NOTE, "{number:letter/letters} of {script}", "letters"),
    "marks": Entry("REMOVED", NOTE, "{number:mark/marks} of {script}", "marks"),
}
"""By kinds of characters."""
