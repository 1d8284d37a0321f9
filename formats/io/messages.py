"""Messages that all formats share: about sources, sinks, detection, readers and writers."""

from formats.schema.messages import ERROR, NOTE, PART, WARNING, Advice, Entry, rule

EMPTY = Entry("EMPTY", WARNING, "the file is empty")
NOT_TEXT = Entry("NOT-TEXT", ERROR, "a binary file, not a transcript")
SOUND = Entry("NOT-TEXT", ERROR, "sound or video, not a transcript", "sound")
PICTURE = Entry("NOT-TEXT", ERROR, "a picture, not a transcript", "picture")
POINTER = Entry(
    "NOT-TEXT",
    ERROR,
    "a pointer of Git LFS or git-annex in place of the file: get the file with git lfs pull or "
    "git annex get",
    "pointer",
)
PDF = Entry(
    "NOT-TEXT", ERROR, "a PDF, not a transcript: save its text as a file .txt, and read that", "pdf"
)
OLD_OFFICE = Entry(
    "NOT-TEXT",
    ERROR,
    "a file of an old version of Word or Excel, not a transcript: save it as .docx, .xlsx or .txt, "
    "and read that",
    "office",
)
NOT_XML = Entry("XML", ERROR, "the file is not well-formed XML: {reason}")
XML_MISMATCH = Entry(
    "XML", ERROR, "the end tag {found!r} does not close {open!r} of line {line}", "end"
)
XML_UNCLOSED = Entry("XML", ERROR, "the file ends before {open!r} of line {line} is closed", "open")


def _not_xml(variant: str, text: str) -> Entry:
    return Entry("XML", ERROR, text, variant)


_CUT = _not_xml("cut", "the file ends before all elements are closed")
_TWO_ROOTS = _not_xml("roots", "the root element is not the last element of the file")
_NO_ROOT = _not_xml("no-root", "the file does not begin with a tag")
_TWICE = _not_xml("twice", "a tag has an attribute twice")
_UNDEFINED = _not_xml("entity", "an entity is not defined")
_CONTROL = _not_xml("control", "the text contains a character that XML does not allow")
_CDATA = _not_xml("cdata", "a CDATA section is not closed")
_NO_NAMESPACE = _not_xml("prefix", "the prefix of a name has no namespace (xmlns)")
_IN_TAG = _not_xml("token", "the file ends inside a tag or a comment")
XML_CUT = -1
"""The code of a file that ends inside a tag, which libxml2 reports as a fault of the tag."""
XML_IN_TAG = frozenset({39, 40, 41, 65, 68, 73})
"""The error codes of libxml2 that mean this if they are found at the end of a file."""
XML_REASONS = {
    XML_CUT: _IN_TAG,
    4: _NO_ROOT,
    5: _TWO_ROOTS,
    9: _CONTROL,
    23: _not_xml("semicolon", 'an entity does not end in ";" (write & as &amp;)'),
    26: _UNDEFINED,
    38: _not_xml("less-than", "the value of an attribute contains < (write &lt;)"),
    39: _not_xml("quotes", "the value of an attribute has no quotation marks"),
    40: _not_xml("value-end", "the value of an attribute has no quotation mark at its end"),
    41: _not_xml("no-value", "an attribute has no value"),
    42: _TWICE,
    45: _not_xml("comment", "a comment is not closed"),
    63: _CDATA,
    65: _not_xml("blank", "an attribute has neither a blank nor the end of the tag after it"),
    68: _not_xml("name", "< or & is not followed by a name (write &lt; or &amp; in a text)"),
    73: _not_xml("tag-end", "a tag does not end in >"),
    76: _not_xml("other-end", "an end tag does not close the last open element"),
    77: _CUT,
    201: _NO_NAMESPACE,
}
"""Reasons by the error codes of libxml2."""
EXPAT_REASONS = {
    2: _NO_ROOT,
    3: _CUT,
    4: _not_xml("character", "a character is not allowed at this place"),
    5: _IN_TAG,
    7: XML_REASONS[76],
    8: _TWICE,
    9: _TWO_ROOTS,
    11: _UNDEFINED,
    14: _CONTROL,
    20: _CDATA,
    27: _NO_NAMESPACE,
}
"""Reasons by the error codes of expat."""
BYTE_ORDER_MARK = Entry(
    "ENCODING", NOTE, "the text is decoded as {encoding} because of its byte-order mark"
)
UTF_16 = Entry(
    "UTF-16",
    WARNING,
    ("the text is decoded as {encoding}, because every second byte at its beginning is NUL"),
)
NOT_UTF8 = Entry(
    "ENCODING",
    WARNING,
    "the text is decoded as {encoding}, because it is not valid UTF-8",
    "not-utf-8",
)
FEW_DOUBTFUL = Entry(
    "ENCODING",
    WARNING,
    "the text is decoded as {encoding}, because it is not valid UTF-8; {count:byte is another "
    "character/bytes are other characters} in {names: or }",
    "doubtful",
)
FEW_DAMAGED = Entry(
    "ENCODING",
    WARNING,
    "{count:character is/characters are} damaged in the UTF-8 text, and read as U+FFFD",
    "damaged",
)
ENCODED_TWICE = Entry(
    "ENCODING",
    WARNING,
    "the text was encoded in UTF-8 twice ({text!r} is one character), and it is decoded twice",
    "twice",
)
PERHAPS_TWICE = Entry(
    "ENCODING",
    WARNING,
    "{count:place looks/places look} as if a part of the text was encoded in UTF-8 twice, for "
    "example {text!r}, and they are read as they are",
    "perhaps-twice",
)
ANOTHER = (Advice("encoding", ""),)
BINARY = Entry(
    "ENCODING",
    ERROR,
    "the file is binary, so it must be read without {advice}",
    "binary",
    ANOTHER,
)
OTHER_ENCODING = Entry(
    "ENCODING",
    ERROR,
    ("expected {encoding} text, found {found} (name another encoding, or auto, with {advice})"),
    "other",
    ANOTHER,
)
OTHER_CODEC = Entry(
    "ENCODING",
    ERROR,
    "expected {encoding} text, found {found} ({advice} names another encoding)",
    "codec",
    ANOTHER,
)
UNCERTAIN = Entry(
    "ENCODING",
    ERROR,
    "expected UTF-8 or an encoding that can be detected, found {found} (name the "
    "encoding with {advice})",
    "uncertain",
    ANOTHER,
)
LIKELY_ENCODINGS = Entry("ENCODING", PART, "text that may be in {names: or }", "likely")
NO_LIKELY_ENCODING = Entry("ENCODING", PART, "text whose encoding is uncertain", "none")
TEMPORARY = Entry("TEMPORARY", NOTE, "the temporary file {path} could not be removed")


BY_SUFFIX = Entry(
    "FORMAT-SUFFIX",
    WARNING,
    "the file is read as {format}; the name of the file suggests {suggested}, but the "
    "content is not in that format",
)
BELOW_MEMBER = Entry(
    "FORMAT",
    NOTE,
    "the content of the member {name!r} is read as {format}, and the other members are not read",
    "member",
    is_shown=True,
)
BY_CONTENT = Entry(
    "FORMAT-SUFFIX",
    WARNING,
    "the file is read as {format} because of its content, although the name of the "
    "file suggests {suggested}",
    "content",
)
FORMAT_KALDI = Entry(
    "FORMAT-KALDI",
    NOTE,
    "the file is read as a Kaldi text file, because {lines} of {total} lines begin "
    "with an identifier ({advice} reads the identifiers as words)",
    advice=(Advice("from", "txt"),),
    is_shown=True,
)
THE_FORMAT = (Advice("from", ""),)
NAMED_FORMAT = (Advice("from", "{format}"),)
# Each of the likeliest formats of a content of no known format, and what is against it.
LIKELY = Entry("FORMAT", PART, "{name} (likely)", "likely")
POSSIBLE = Entry("FORMAT", PART, "{name} (possible)", "possible")
UNLIKE = Entry("FORMAT", PART, "{name} ({reason})", "unlike")
NO_SIGN = Entry("NO-SIGN", PART, "the file lacks {sign}")
NO_ROOT = Entry("NO-SIGN", PART, "the root element is not {root}", "root")
NO_MEMBER = Entry("NO-SIGN", PART, "the file has no member {member!r}", "member")
OUT_OF_PLACE = Entry("NO-SIGN", PART, "the signs of the format are in other places", "places")
# What a content is, as far as its beginning tells.
XML_WITH = Entry("CONTENT", PART, "XML with the root element {root!r}", "xml")
JSON_ALONE = Entry("CONTENT", PART, "JSON", "json-alone")
JSON_WITH = Entry("CONTENT", PART, "JSON with {members!r}", "json")
JSON_WITH_MORE = Entry("CONTENT", PART, "JSON with {members!r}, …", "json-more")
EMPTY_LIST = Entry("CONTENT", PART, "an empty list", "empty")
EMPTY_UNKNOWN = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the file is empty, so its format is unknown (name the format with {advice})",
    "empty",
    THE_FORMAT,
)
UNKNOWN = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the format of the content is unknown (name the format with {advice}); the "
    "nearest formats are {likely}",
    advice=THE_FORMAT,
)
UNKNOWN_BUT = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is {content}, but its format is unknown (name the format with "
    "{advice}); the nearest formats are {likely}",
    "content",
    THE_FORMAT,
)
UNKNOWN_JSON = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is {content}, but it has no list of texts with times or speakers, and no other "
    "list that is known (name the format with {advice})",
    "json",
    THE_FORMAT,
)
AROUND_JSON = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is JSON with other text around it, {text!r}: the file can be read without it",
    "around",
)
NO_SENTENCE = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is {content}, but none of its values is a text of several words (name the format "
    "with {advice})",
    "sentences",
    THE_FORMAT,
)
UNKNOWN_TEXT = Entry(
    "FORMAT-UNKNOWN",
    ERROR,
    "the content is {content}, but no name says which text was spoken; texts are in {names!r} "
    "({advice} reads {member!r})",
    "text",
    (Advice("from", "json"), Advice("member", "text={member}")),
)
SEVERAL_FORMATS = Entry(
    "FORMAT-SEVERAL",
    ERROR,
    "the format of the content may be {names: or } (name the format with {advice})",
    advice=THE_FORMAT,
)
TURNS_OR_TEXT = Entry(
    "FORMAT-SEVERAL",
    ERROR,
    "many lines look like turns, but too many other lines do not: read the file as "
    "turns with {advice[0]}, or as one text in which names and times are words with "
    "{advice[1]}",
    "turns",
    (Advice("from", "{format}"), Advice("from", "txt")),
)
PATHS = Entry(
    "NO-TRANSCRIPT",
    ERROR,
    "expected a transcript, found lines that look like paths of files ({advice} reads "
    "the lines as {format} anyway)",
    "paths",
    NAMED_FORMAT,
)
SPEAKER_MAP = Entry(
    "NO-TRANSCRIPT",
    ERROR,
    "expected a transcript, found lines that look like Kaldi's spk2utt, each with a "
    "speaker and the ids of utterances ({advice} reads the lines as {format} anyway)",
    "spk2utt",
    NAMED_FORMAT,
)
SPLIT_NAME = Entry(
    "SPLIT-NAME",
    ERROR,
    "expected the name of a recording without blanks before the columns of a ctm or "
    "stm file, found {name!r} ({advice} reads the file as {format} anyway)",
    advice=NAMED_FORMAT,
)
OTHER_FORMAT = Entry(
    "OTHER-FORMAT",
    ERROR,
    "{reason}; the content looks like {format} ({advice})",
    advice=NAMED_FORMAT,
)
IN_COLLECTION = Entry("IN-COLLECTION", ERROR, "{reason}; in {path}: {report}")


FILES = Entry("FILES", NOTE, "files read: {read}")
FILES_SKIPPED = Entry("FILES", NOTE, "files read: {read}; files skipped: {skipped}", "skipped")
UNICODE_SPACE = Entry(
    "UNICODE-SPACE",
    NOTE,
    "the character U+{character:04X} is read as part of a word, because only ASCII "
    "blanks separate words",
)
COMMENT_MARK = Entry(
    "COMMENT-MARK",
    WARNING,
    "a single {mark} does not begin a comment, so the line is read as a record",
    several=(
        "{times} lines begin with a single {mark}, which does not begin a comment, so the "
        "lines are read as records"
    ),
)
COMMENT = Entry("COMMENT", NOTE, "the comment is not kept")
DEFINITION = Entry(
    "DEFINITION",
    WARNING,
    ("expected three fields in double quotes, found fewer: the line is not read as a definition"),
    several=(
        "{times} definitions have fewer than three fields in double quotes, so they are not read"
    ),
)
TIME_DIGITS = Entry("TIME-DIGITS", NOTE, "the time {text!r} is rounded to a nanosecond")
DATES_UNREAD = Entry(
    "JSON-TIME",
    WARNING,
    "the member {member!r} in {path} is not read, because it has dates and not times "
    "of a recording",
    "dates",
)
TIME_OF_TEXT = Entry(
    "JSON-TIME",
    NOTE,
    "the member {member!r} in {path} is not read, because it has the times of whole texts and not "
    "of their turns",
    "texts",
    is_shown=True,
)
TIME_UNREAD = Entry(
    "JSON-TIME",
    WARNING,
    ("the member {member!r} in {path} looks like a time, but it is not read ({advice} reads it)"),
    advice=(Advice("from", "json"), Advice("member", "{role}={member}")),
)
SPEAKER_UNREAD = Entry(
    "JSON-SPEAKER",
    WARNING,
    "the member {member!r} in {path} looks like a speaker, but it is not read ({advice} reads it)",
    advice=(Advice("from", "json"), Advice("member", "{role}={member}")),
)
TIME_APART = TIME_UNREAD._replace(
    text="the member {member!r} in {path} looks like a time, but it is not read, because the texts "
    "are in other objects",
    variant="apart",
    advice=(),
)
SPEAKER_APART = SPEAKER_UNREAD._replace(
    text="the member {member!r} in {path} looks like a speaker, but it is not read, because the "
    "texts are in other objects",
    variant="apart",
    advice=(),
)
TEXT_UNREAD = Entry(
    "JSON-TEXT",
    WARNING,
    ("the member {member!r} in {path} looks like text, but it is not read ({advice} reads it)"),
    advice=(Advice("from", "json"), Advice("member", "{role}={member}")),
)
TEXT_WITHIN = Entry(
    "JSON-TEXT",
    WARNING,
    "the member {member!r} in {path} looks like text, but it is not read, because the text is in "
    "another member of this name",
    "within",
)
TEXT_KEPT = Entry(
    "JSON-TEXT",
    NOTE,
    "the member {member!r} in {path} looks like text, but it is kept only as a property ({advice} "
    "reads it)",
    "kept",
    (Advice("from", "json"), Advice("member", "{role}={member}")),
    is_shown=True,
)
MARKS_LEFT = Entry(
    "MARKS-LEFT",
    WARNING,
    "{count} of the first {words} words look like times, tags, addresses or signs of a layout, "
    "for example {text!r}, but they are read as words",
)
PAUSES_LEFT = Entry(
    "PAUSES-LEFT",
    NOTE,
    "{count} slashes alone between words, as {text!r}, are read as pauses and not as words",
    is_shown=True,
)
BRACKETS_LEFT = Entry(
    "BRACKETS-LEFT",
    NOTE,
    "{count:part in brackets or asterisks is/parts in brackets or asterisks are} read as words, "
    "for example {text!r} ({advice} with the rule drop leaves such parts out)",
    advice=(Advice("pattern", "@FILE"),),
    is_shown=True,
)
BRACKETS_IN_FIELDS = Entry(
    "BRACKETS-LEFT",
    NOTE,
    "{count:part in brackets or asterisks is/parts in brackets or asterisks are} read as words, "
    "for example {text!r}",
    "fields",
    is_shown=True,
)
BRACKETS_IN_FIRST = BRACKETS_IN_FIELDS._replace(
    text="{count:part in brackets or asterisks is/parts in brackets or asterisks are} read as "
    "words in the first {total} texts, for example {text!r}",
    variant="first-fields",
)
NAMES_LEFT = Entry(
    "NAMES-LEFT",
    WARNING,
    "{count} of the first {total} texts begin with a repeated name, for example "
    "{text!r}, and these names are read as words",
)
FENCED = Entry(
    "FENCE",
    NOTE,
    "the text is a block of code in Markdown, and its first and last line, ```, are not read",
)
CUES_JOINED = Entry(
    "CUES-JOINED",
    NOTE,
    "several cues are on one line, and each of the {count} cues is read as one of its own",
    is_shown=True,
)
WRITTEN_LINE_ENDS = Entry(
    "LINE-ENDS",
    NOTE,
    "{count} line ends are written as \\n, and they are read as line ends",
)
TOKENS_OUT = Entry(
    "MODEL-TOKENS",
    NOTE,
    "{count} tokens of a model, such as {text!r}, are not read as words",
    is_shown=True,
)
CHAT_NOTICES = Entry(
    "CHAT-NOTICES",
    NOTE,
    "{count:message that the program of a chat wrote is/messages that the program of a chat wrote "
    "are} not read, for example {text!r}",
    is_shown=True,
)
DIRECTIONS_IN_FIELDS = Entry(
    "DIRECTIONS-LEFT",
    NOTE,
    "{count:part inside texts is a direction or sound/parts inside texts are directions or "
    "sounds} and not read as words, for example {text!r}",
    is_shown=True,
)
NO_TEXT = Entry("NO-TEXT", WARNING, "the file has {segments:segment/segments} and no words")
LABELS_AS_SPEAKERS = Entry(
    "LABELS-AS-SPEAKERS",
    NOTE,
    "every text is a generic name such as {text!r}, so the {count} segments are read as turns of "
    "{speakers:speaker/speakers} without words",
    is_shown=True,
)
DATA_LEFT = Entry(
    "DATA-LEFT",
    WARNING,
    "{count} of the first {total} lines or texts look like {kind} and not like speech, for example "
    "{text!r}, but they are read as words",
)
DATA_TEXTS = Entry(
    "DATA-TEXTS",
    ERROR,
    "{count} of the first {total} texts look like {kind} and not like speech, for example "
    "{text!r} ({advice} names the text, also this one)",
    advice=(Advice("member", "ROLE=NAME"),),
)
MEMBERS_UNREAD = {
    "start": TIME_UNREAD,
    "end": TIME_UNREAD,
    "speaker": SPEAKER_UNREAD,
    "text": TEXT_UNREAD,
}
MEMBERS_APART = {"start": TIME_APART, "end": TIME_APART, "speaker": SPEAKER_APART}


def _text_left(variant: str, text: str) -> Entry:
    return Entry("TEXTS-LEFT", NOTE, text, variant, is_shown=True)


ROWS_WITHOUT_WORDS = _text_left(
    "empty",
    "no words are in {count} of the first {total} rows, which are read as empty utterances",
)
TEXTS_LEFT = {
    "last": _text_left(
        "last",
        "{count} of {total} longer texts end with {text!r}, which is read as words: if it is a "
        "part of the layout, these words are too many",
    ),
    "first": _text_left(
        "first",
        "{count} of {total} longer texts begin with {text!r}, which is read as words: if it is a "
        "part of the layout, these words are too many",
    ),
    "labels": _text_left(
        "labels",
        "{count} of {total} texts begin with one of a few words, for example {text!r}, which are "
        "read as words: if they are labels of classes, these words are too many",
    ),
    "again": _text_left(
        "again", "{count} of {total} texts are the same: {text!r}; was it said so often?"
    ),
    "repeated": _text_left(
        "repeated",
        "{count} of {total} texts repeat other texts, for example {text!r}: does the file hold the "
        "same speech twice?",
    ),
    "rolling": _text_left(
        "rolling",
        "{count} of {total} texts begin with the end of the text before them, as rolling captions "
        "do, for example {text!r}; the repeated words count twice",
    )._replace(severity=WARNING),
    "apart": _text_left(
        "apart",
        "each of {count} speakers, for example {text!r}, has all of their turns together: is this "
        "a list of what persons may say, and no conversation?",
    ),
    "gaps": _text_left(
        "gaps",
        "{count} of {total} words are gaps to fill, for example {text!r}: this may be an exercise, "
        "and the gaps are read as words",
    ),
    "times": _text_left(
        "times",
        "{count} of {total} words are times, each later than the one before, for example {text!r}, "
        "and they are read as words",
    ),
    "counted": _text_left(
        "counted",
        "{count} of {total} texts have a number that counts up from text to text, for example "
        "{text!r}, and the numbers are read as words: if they are of titles or pages, the titles "
        "are words, too",
    ),
    "languages": _text_left(
        "languages",
        "{count} of {total} texts alternate between two languages, for example {text!r}, so every "
        "other text may be a translation, and both are read as words",
    ),
    "titles": _text_left(
        "titles",
        "{count} of {total} names of speakers have a number that counts up, for example {text!r}: "
        "if they are titles, the texts below them have no speakers",
    ),
    "small": _text_left(
        "small",
        "{count} of {total} names of speakers begin with a small letter, unlike the others, for "
        "example {text!r}: if they are words of a turn, the turn is divided there",
    ),
    "fields": _text_left(
        "fields",
        "{count} of {total} names of speakers may be names of fields, for example {text!r}",
    ),
    "values": _text_left(
        "values",
        "{count} of {total} turns have one or two words, for example {text!r}: are these fields "
        "with values?",
    ),
    "long": _text_left(
        "long",
        "{count} of {total} names of speakers are as long as sentences, for example {text!r}: are "
        "they names?",
    ),
    "silent": _text_left(
        "silent",
        "{count} of {total} speakers have no words, for example {text!r}: are these titles or "
        "notices?",
    ),
    "known": _text_left(
        "known",
        "{count} names of speakers with a colon are among the words of {total:text/texts}, for "
        "example {text!r}, and are read as words",
    ),
    "edges": _text_left(
        "edges",
        "{count} of {total} texts begin or end with the name of a speaker outside a sentence, for "
        "example {text!r}, and the names are read as words",
    ),
    "unnamed": _text_left(
        "unnamed",
        "{count} of {total} texts have no speaker, unlike the others, for example {text!r}: does "
        "the name stand among the words?",
    ),
    "own": _text_left(
        "own",
        "{count} of {total} turns name their own speaker, for example {text!r}: is narration read "
        "as words?",
    ),
    "dates": _text_left(
        "dates",
        "{count} of {total} times are as large as seconds since 1970, for example {text}: if they "
        "are dates, they are not times of a recording",
    ),
    "clocks": _text_left(
        "clocks",
        "{count} of {total} times are equal to the time before, and all are below 24 minutes, for "
        "example {text}, so they may be hours and minutes of a day, but they are read as minutes "
        "and seconds",
    ),
    "same": _text_left(
        "same",
        "{count} of {total} texts begin at the same time, {text} s: is it a time of a recording?",
    ),
    "falling": _text_left(
        "falling",
        "{count} of {total} texts begin before the text above, from {text} s on: is the last text "
        "the first?",
    ),
    "steps": _text_left(
        "steps",
        "{count} of {total} texts begin one second after the text before, from {text} s on: are "
        "the times numbers of lines?",
    ),
    "recordings": _text_left(
        "recordings",
        "each of {count} texts is a recording of its own, for example {text!r}, although the "
        "speakers alternate: are the names of recordings those of lines?",
    ),
}


FILE_PROPERTIES = Entry(
    "FILE-PROPERTIES", NOTE, "the properties {names} of the input file are not kept"
)
INTERPOLATIONS = (Advice("interpolate", "uniform"), Advice("interpolate", "chars"))
NO_WORD_TIMES = Entry(
    "NO-WORD-TIMES",
    ERROR,
    "{format} needs the times of every word, but a word of this segment has none "
    "({advice[0]} or {advice[1]} estimates the times)",
    advice=INTERPOLATIONS,
)
NO_TIMES = Entry(
    "NO-TIMES",
    ERROR,
    ("{format} needs the start and the end of every segment, but this segment lacks them"),
)
NO_END = Entry(
    "NO-TIMES",
    ERROR,
    "{format} needs the end of every segment, but this segment has no end "
    "({advice[0]} or {advice[1]} estimates the end)",
    "end",
    INTERPOLATIONS,
)
NO_SUFFIX = Entry(
    "TARGET-FORMAT",
    ERROR,
    "the name of the output has no suffix: name the format with {advice} (`formats "
    "list` shows the formats)",
    advice=(Advice("to", ""),),
)
OTHER_SUFFIX = Entry(
    "TARGET-FORMAT",
    ERROR,
    "no format has the suffix {suffix}: name the format with {advice} (`formats list` "
    "shows the formats)",
    "suffix",
    (Advice("to", ""),),
)
SHARED_SUFFIX = Entry(
    "TARGET-FORMAT",
    ERROR,
    "several formats have the suffix {suffix}, {names}: name the format with {advice}",
    "shared",
    (Advice("to", ""),),
)
EXISTS = Entry(
    "EXISTS",
    ERROR,
    "the output is not written, because the file exists and {advice} is given",
    advice=(Advice("no_clobber"),),
)
ONE_RECORDING = Entry(
    "ONE-RECORDING",
    ERROR,
    "the output format holds one recording, but recording {recording!r} comes after "
    "{first!r}: choose a recording with {advice}, or name a folder as the output "
    "(out/) to write a file for each recording",
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
    ("expected {advice} with a number of frames per second from 1 to 1000, found {text!r}"),
    advice=(Advice("fps", ""),),
)
FRAMES_ASSUMED = Entry(
    "FRAMES-ASSUMED",
    NOTE,
    ("the times in frames are read at {fps} frames per second ({advice} sets another rate)"),
    advice=(Advice("fps", "N"),),
    is_shown=True,
)
TIMES_AGAIN = Entry(
    "TIMES-AGAIN",
    WARNING,
    "the times begin again {again:time/times}, as those of several recordings or chunks do, but "
    "no name tells them apart, so they are read as one recording with the times as they are",
)
END_EARLY = Entry(
    "TIMES-END",
    WARNING,
    "the end is before the start, and only the start is read",
    several="in {times} segments the end is before the start, and only the start is read",
)
MEMBER_ROLE = Entry(
    "MEMBER",
    ERROR,
    "expected {advice} with one of the roles {roles}, found {text!r}",
    advice=(Advice("member", "ROLE=NAME"),),
)

# Rules of losses.
RULE_BARE_NAME = rule("bare-name", "the folder and the suffix are dropped when the file is read")
RULE_CHANNEL_1 = rule("channel-1", "written as channel 1")
RULE_DISPLAY_FORMS_KEPT = rule("display-forms-kept", "the display forms are kept")
RULE_DROPPED = rule("dropped", "dropped")
RULE_EMPTY_NAME = rule("empty-name", "an empty name counts as no name")
RULE_FROM_TIMES_WORDS = rule("from-times-words", "taken from the times of the words")
RULE_GENDER_OF_NOBODY = rule(
    "gender-of-nobody", "a gender without a speaker, or with blanks, cannot be written"
)
RULE_ID_KEPT = rule("id-kept", "the utterance id is kept")
RULE_IN_REGIONS = rule("in-regions", "regions are written without words")
RULE_JOINED_BY_UNDERSCORE = rule("joined-by-underscore", "joined by _")
RULE_MADE_LF = rule("made-lf", "line ends are written as LF")
RULE_NAME_AS_TEXT = rule("name-as-text", "the speaker's name is written as the text")
RULE_NO_COLON = rule(
    "no-colon", "the colon after a speaker's name is dropped when the file is read"
)
RULE_NOT_FINITE = rule("not-finite", "the numbers are not finite")
RULE_NO_TIMES = rule("no-times", "the segment has no times")
RULE_NUMBERED = rule("numbered", "written as numbers")
RULE_RECORDING_CHANNEL = rule("recording-channel", "created from recording and channel")
RULE_SORTED_BY_BEGIN = rule("sorted-by-begin", "sorted by start")
RULE_SORTED_ID = rule("sorted-id", "sorted by utterance id")
RULE_SPEAKING_RATE = rule("speaking-rate", "estimated from the speaking rate of the segments above")
RULE_PROPERTY = rule("property", "{format} cannot hold the value of {name}")
RULE_PAUSES = rule("pauses", "cut at pauses over {seconds} s")
RULE_FIRST_BRANCH = rule("first-branch", "only the first branch is written")
RULE_TOKENS = rule("tokens", "not words when the file is read")
RULE_WORDS_KEPT = rule("words-kept", "the words are kept")
RULE_WRITTEN_AS_SEGMENTS = rule("written-as-segments", "written as segments")
