"""Messages of the detection of formats."""

from formats.schema.messages import NOTE, WARNING, Advice, Entry

BY_SUFFIX = Entry(
    "FORMAT-SUFFIX",
    WARNING,
    "read as {format}: its name suggests {suggested}, but its content is not in that format",
)
BY_CONTENT = Entry(
    "FORMAT-SUFFIX",
    WARNING,
    "read as {format} because of its content, although its name suggests {suggested}",
    "content",
)
FORMAT_KALDI = Entry(
    "FORMAT-KALDI",
    NOTE,
    "read as Kaldi's text: {lines} of {total} lines begin with an identifier ({advice} for words)",
    advice=(Advice("from", "txt"),),
)
PLUGIN = Entry("PLUGIN", WARNING, "{problem}")
