"""Messages shared by all formats: sources, sinks, detection, readers and writers."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

EMPTY = Entry("EMPTY", WARNING, "the file is empty")
NOT_XML = Entry("XML", ERROR, "not well-formed XML: {reason}")
BYTE_ORDER_MARK = Entry("ENCODING", NOTE, "decoded as {encoding} because of its byte-order mark")
UTF_16 = Entry("UTF-16", WARNING, "decoded as {encoding}: every other byte of the beginning is NUL")
NOT_UTF8 = Entry("ENCODING", WARNING, "decoded as {encoding} because it is not UTF-8", "not-utf-8")
ANOTHER = (Advice("encoding", ""),)
BINARY = Entry(
    "ENCODING",
    ERROR,
    "expected a binary file without {advice}, found another encoding",
    "binary",
    ANOTHER,
)
OTHER_ENCODING = Entry(
    "ENCODING",
    ERROR,
    "expected {encoding} text (give another encoding with {advice}, or auto), found {found}",
    "other",
    ANOTHER,
)
OTHER_CODEC = Entry(
    "ENCODING", ERROR, "expected {encoding} text ({advice} names another), found {found}", "codec",
    ANOTHER,
)  # fmt: skip
UNCERTAIN = Entry(
    "ENCODING",
    ERROR,
    "expected UTF-8, or an encoding that can be detected (name it with {advice}), found {found}",
    "uncertain",
    ANOTHER,
)
LIKELY_ENCODINGS = Entry("ENCODING", NOTE, "text of {names: or }", "likely")
NO_LIKELY_ENCODING = Entry("ENCODING", NOTE, "text whose encoding is uncertain", "none")
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
THE_FORMAT = (Advice("from", ""),)
NAMED_FORMAT = (Advice("from", "{format}"),)
# Each of the likeliest formats of a content of no known format, and what is against it.
LIKELY = Entry("FORMAT", NOTE, "{name} (likely)", "likely")
POSSIBLE = Entry("FORMAT", NOTE, "{name} (possible)", "possible")
UNLIKE = Entry("FORMAT", NOTE, "{name} ({reason})", "unlike")
NO_SIGN = Entry("NO-SIGN", NOTE, "no {sign}")
NO_ROOT = Entry("NO-SIGN", NOTE, "no root {root}", "root")
NO_MEMBER = Entry("NO-SIGN", NOTE, "no {member!r}", "member")
OUT_OF_PLACE = Entry("NO-SIGN", NOTE, "not in their places", "places")
# What a content is, as far as its beginning tells.
XML_WITH = Entry("CONTENT", NOTE, "XML with the root element {root!r}", "xml")
JSON_WITH = Entry("CONTENT", NOTE, "JSON with {members!r}", "json")
JSON_WITH_MORE = Entry("CONTENT", NOTE, "JSON with {members!r}, …", "json-more")
EMPTY_LIST = Entry("CONTENT", NOTE, "an empty list", "empty")
EMPTY_UNKNOWN = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the file is empty, so its content is of no known format: name one ({advice})",
    "empty",
    THE_FORMAT,
)
UNKNOWN = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is of no known format: name one ({advice}). Nearest: {likely}",
    advice=THE_FORMAT,
)
UNKNOWN_BUT = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is of no known format ({content}): name one ({advice}). Nearest: {likely}",
    "content",
    THE_FORMAT,
)
SEVERAL_FORMATS = Entry(
    "FORMAT-SEVERAL",
    ERROR,
    "the content may be {names: or }: name the format ({advice})",
    advice=THE_FORMAT,
)
TURNS_OR_TEXT = Entry(
    "FORMAT-SEVERAL",
    ERROR,
    "many lines look like turns, and too many do not: read them as turns ({advice[0]}), or as one "
    "text in which names and times are words ({advice[1]})",
    "turns",
    (Advice("from", "{format}"), Advice("from", "txt")),
)
PATHS = Entry(
    "NO-TRANSCRIPT",
    ERROR,
    "expected a transcript, found what looks like a list of paths of files, which has no words: "
    "{advice} reads it as {format} all the same",
    "paths",
    NAMED_FORMAT,
)
SPEAKER_MAP = Entry(
    "NO-TRANSCRIPT",
    ERROR,
    "expected a transcript, found what looks like Kaldi's spk2utt (a speaker and the ids of its "
    "utterances), which has no words: {advice} reads it as {format} all the same",
    "spk2utt",
    NAMED_FORMAT,
)
SPLIT_NAME = Entry(
    "SPLIT-NAME",
    ERROR,
    "expected the name of a recording without blanks, before what looks like the columns of ctm or "
    "stm ({advice} reads it as {format} all the same), found {name!r}",
    advice=NAMED_FORMAT,
)
OTHER_FORMAT = Entry(
    "OTHER-FORMAT",
    ERROR,
    "{reason}; the content is that of {format} ({advice})",
    advice=NAMED_FORMAT,
)
IN_COLLECTION = Entry("IN-COLLECTION", ERROR, "{reason}; in {path}: {report}")


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
MARKS_LEFT = Entry(
    "MARKS-LEFT",
    WARNING,
    "{count} of the first {words} words are times, tags or addresses, as {text!r}",
)
NAMES_LEFT = Entry(
    "NAMES-LEFT",
    WARNING,
    "{count} of the first {total} texts begin with names that return, as {text!r}: they are read "
    "as words",
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
    "{format} needs the times of every word, and this segment has none "
    "({advice[0]} or {advice[1]} invents them)",
    advice=INTERPOLATIONS,
)
NO_TIMES = Entry(
    "NO-TIMES",
    ERROR,
    "{format} needs the start and the end of every segment, and this segment has none",
)
NO_END = Entry(
    "NO-TIMES",
    ERROR,
    "{format} needs the end of every segment, and this segment has none "
    "({advice[0]} or {advice[1]} invents it)",
    "end",
    INTERPOLATIONS,
)
NO_SUFFIX = Entry(
    "TARGET-FORMAT",
    ERROR,
    "the output has no suffix: name the format with {advice} (`formats list` shows them)",
    advice=(Advice("to", ""),),
)
OTHER_SUFFIX = Entry(
    "TARGET-FORMAT",
    ERROR,
    "no format has the suffix {suffix}: name the format with {advice} (`formats list` shows them)",
    "suffix",
    (Advice("to", ""),),
)
SHARED_SUFFIX = Entry(
    "TARGET-FORMAT",
    ERROR,
    "several formats have the suffix {suffix}: name the format with {advice} ({names})",
    "shared",
    (Advice("to", ""),),
)
EXISTS = Entry(
    "EXISTS", ERROR, "cannot be written: it exists ({advice})", advice=(Advice("no_clobber"),)
)
ONE_RECORDING = Entry(
    "ONE-RECORDING",
    ERROR,
    "the target format holds one recording, but {recording!r} comes after {first!r}: choose one "
    "with {advice}, or name a folder for the output (out/) to write a file for each",
    advice=(Advice("only_recording", ""),),
)
INNER_SPACE = (Advice("inner_space", ""),)
WORDS_WITH_BLANKS = Entry(
    "BLANKS",
    ERROR,
    "expected words without blanks, found {words} with blanks (see {advice})",
    "words",
    INNER_SPACE,
)
NAME_WITH_BLANKS = Entry(
    "BLANKS",
    ERROR,
    "expected {what} without blanks, found {name!r} (see {advice})",
    "name",
    INNER_SPACE,
)
FRAME_RATE = Entry(
    "FRAME-RATE",
    ERROR,
    "expected {advice} as a number of frames per second, 1 to 1000, found {text!r}",
    advice=(Advice("fps", ""),),
)
FRAMES_ASSUMED = Entry(
    "FRAMES-ASSUMED",
    NOTE,
    "times in frames are read at {fps} frames per second ({advice} names another rate)",
    advice=(Advice("fps", "N"),),
    is_shown=True,
)
MEMBER_ROLE = Entry(
    "MEMBER",
    ERROR,
    "expected {advice} with a role out of {roles}, found {text!r}",
    advice=(Advice("member", "ROLE=NAME"),),
)

# Rules of losses.
RULE_BARE_NAME = rule("bare-name", "read without directory and ending")
RULE_CHANNEL_1 = rule("channel-1", "1")
RULE_DISPLAY_FORMS_KEPT = rule("display-forms-kept", "display forms kept")
RULE_DROPPED = rule("dropped", "dropped")
RULE_EMPTY_NAME = rule("empty-name", "an empty name counts as no name")
RULE_FROM_TIMES_WORDS = rule("from-times-words", "from the times of words")
RULE_GENDER_OF_NOBODY = rule("gender-of-nobody", "gender of nobody")
RULE_ID_KEPT = rule("id-kept", "the utterance id is kept")
RULE_IN_REGIONS = rule("in-regions", "in regions")
RULE_JOINED_BY_UNDERSCORE = rule("joined-by-underscore", "joined by _")
RULE_MADE_LF = rule("made-lf", "made LF")
RULE_NAME_AS_TEXT = rule("name-as-text", "the speaker's name is their text")
RULE_NOT_FINITE = rule("not-finite", "not finite")
RULE_NO_TIMES = rule("no-times", "no times")
RULE_NUMBERED = rule("numbered", "numbered")
RULE_RECORDING_CHANNEL = rule("recording-channel", "recording-channel")
RULE_SORTED_BY_BEGIN = rule("sorted-by-begin", "sorted by start")
RULE_SORTED_ID = rule("sorted-id", "sorted by utterance id")
RULE_SPEAKING_RATE = rule("speaking-rate", "by the speaking rate of the segments above")
RULE_PROPERTY = rule("property", "{name} that {format} cannot hold")
RULE_PAUSES = rule("pauses", "pauses over {seconds} s")
RULE_FIRST_BRANCH = rule("first-branch", "first branch taken")
RULE_WORDS_KEPT = rule("words-kept", "words kept")
RULE_WRITTEN_AS_SEGMENTS = rule("written-as-segments", "written as segments")
