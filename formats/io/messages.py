"""Messages of what all formats share: sources, sinks, detection, readers and writers."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry

EMPTY = Entry("EMPTY", WARNING, "the file is empty")
BYTE_ORDER_MARK = Entry("ENCODING", NOTE, "decoded as {encoding} because of its byte-order mark")
UTF_16 = Entry("UTF-16", WARNING, "decoded as {encoding}: every other byte of the beginning is NUL")
NOT_UTF8 = Entry("ENCODING", WARNING, "decoded as {encoding} because it is not UTF-8", "not-utf-8")
TEMPORARY = Entry("TEMPORARY", NOTE, "{path} could not be removed")


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


FILES = Entry("FILES", NOTE, "files read: {read}")
FILES_SKIPPED = Entry("FILES", NOTE, "files read: {read}; skipped: {skipped}", "skipped")
UNICODE_SPACE = Entry(
    "UNICODE-SPACE",
    NOTE,
    "U+{character:04X} belongs to the word: only ASCII blanks separate words",
)
COMMENT_MARK = Entry(
    "COMMENT-MARK",
    WARNING,
    "a single {mark} does not begin a comment: the line is read as a record",
    several="{times} single {mark} do not begin comments: the lines are read as records",
)
COMMENT = Entry("COMMENT", NOTE, "comment not kept")
DEFINITION = Entry(
    "DEFINITION",
    WARNING,
    "expected three fields in double quotes, found fewer: the line defines nothing",
    several="{times} definitions with fewer than three fields in double quotes define nothing",
)
TIME_DIGITS = Entry("TIME-DIGITS", NOTE, "{text!r} rounded to a nanosecond")
DATES_UNREAD = Entry(
    "JSON-TIME",
    WARNING,
    "{member!r} has dates, no times of a recording, and is not read, in {path}",
    "dates",
)
TIME_UNREAD = Entry(
    "JSON-TIME",
    WARNING,
    "{member!r} looks like a time and is not read, in {path} ({advice} reads it)",
    advice=(Advice("from", "json"), Advice("member", "{role}={member}")),
)
SPEAKER_UNREAD = Entry(
    "JSON-SPEAKER",
    WARNING,
    "{member!r} looks like a speaker and is not read, in {path} ({advice} reads it)",
    advice=(Advice("from", "json"), Advice("member", "{role}={member}")),
)
TEXT_UNREAD = Entry(
    "JSON-TEXT",
    WARNING,
    "{member!r} looks like text and is not read, in {path} ({advice} reads it)",
    advice=(Advice("from", "json"), Advice("member", "{role}={member}")),
)
MEMBERS_UNREAD = {
    "start": TIME_UNREAD,
    "end": TIME_UNREAD,
    "speaker": SPEAKER_UNREAD,
    "text": TEXT_UNREAD,
}


FILE_PROPERTIES = Entry("FILE-PROPERTIES", NOTE, "properties of the input are not kept: {names}")
INTERPOLATIONS = (Advice("interpolate", "uniform"), Advice("interpolate", "chars"))
NO_WORD_TIMES = Entry(
    "NO-WORD-TIMES",
    ERROR,
    "the target format needs word times, but this segment has none "
    "({advice[0]} or {advice[1]} invents them)",
    advice=INTERPOLATIONS,
)
NO_TIMES = Entry(
    "NO-TIMES", ERROR, "the target format needs segment times, but this segment has none"
)
NO_END = Entry(
    "NO-TIMES",
    ERROR,
    "the target format needs segment times, but this segment has no end "
    "({advice[0]} or {advice[1]} invents it)",
    "end",
    INTERPOLATIONS,
)
