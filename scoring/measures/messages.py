"""Messages of measures."""

from formats.schema.messages import NOTE, Entry

CHANGED = Entry("WORD-LIST", NOTE, "{entry!r} is {prepared!r}", "entry")
EMPTIED = Entry("WORD-LIST", NOTE, "{entry!r} is empty", "emptied")
