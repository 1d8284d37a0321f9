"""Messages of what readers share."""

from formats.schema.messages import NOTE, Entry

FILES = Entry("FILES", NOTE, "files read: {read}")
FILES_SKIPPED = Entry("FILES", NOTE, "files read: {read}; skipped: {skipped}", "skipped")
