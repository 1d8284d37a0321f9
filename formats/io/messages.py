"""Messages of sources and sinks."""

from formats.schema.messages import NOTE, WARNING, Entry

EMPTY = Entry("EMPTY", WARNING, "the file is empty")
BYTE_ORDER_MARK = Entry("ENCODING", NOTE, "decoded as {encoding} because of its byte-order mark")
UTF_16 = Entry("UTF-16", WARNING, "decoded as {encoding}: every other byte of the beginning is NUL")
NOT_UTF8 = Entry("ENCODING", WARNING, "decoded as {encoding} because it is not UTF-8", "not-utf-8")
TEMPORARY = Entry("TEMPORARY", NOTE, "{path} could not be removed")
