"""Messages of what writers share."""

from formats.schema.messages import NOTE, Entry

FILE_PROPERTIES = Entry("FILE-PROPERTIES", NOTE, "properties of the input are not kept: {names}")
