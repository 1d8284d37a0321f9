"""Messages of the readers and writers of NIST formats."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

TRN_NO_SEGMENT = Entry(
    "TRN-NO-SEGMENT",
    WARNING,
    "{utterance!r} is not in {path}: no times",
    several="{times} ids are not in {path}: no times",
)
TRN_SEGMENTS = Entry(
    "TRN-SEGMENTS",
    NOTE,
    "{path} has none of the ids: utterances and segments are matched in order",
)
CTM_OUTSIDE = Entry(
    "CTM-OUTSIDE",
    WARNING,
    "{words} words lie in no segment of {path}: they are segments of their own",
)
CTM_SHORT = Entry(
    "CTM-RELATIVE?",
    NOTE,
    "{recordings} recordings of less than a minute: if they are Kaldi's utterances, {advice} "
    "converts their times to times of the recordings",
    "short",
    advice=(Advice("segments", "FILE"),),
)
CTM_SPLIT = Entry(
    "CTM-SPLIT",
    WARNING,
    "{recording!r} goes on after another recording: its words come as further segments (sort the "
    "file by recording to have them together)",
    several=(
        "{times} recordings go on after another recording: their words come as further segments "
        "(sort the file by recording to have them together)"
    ),
)
OVERLAP_WORD = Entry("OVERLAP", NOTE, "begins before the end of a word above it", "word")
CTM_NULL = Entry("CTM-NULL", NOTE, "the time of a null word @ is not kept")
CTM_EMPTY_ALT = Entry(
    "CTM-EMPTY-ALT",
    WARNING,
    "an alternation without any word",
    several="{times} alternations without any word",
)
CTM_END_NOT_DUR = Entry(
    "CTM-END-NOT-DUR?",
    WARNING,
    "every word of {recording} {channel} lasts longer than its begin: is the fourth field an end "
    "time instead of a duration?",
    several=(
        "every word of {times} recordings lasts longer than its begin: is the fourth field an "
        "end time instead of a duration?"
    ),
)
CTM_BEYOND_SEGMENT = Entry(
    "CTM-BEYOND-SEGMENT",
    WARNING,
    "the words of {recording!r} go on for {seconds} s after its end: did the recogniser ignore "
    "its frame subsampling factor?",
    several=(
        "the words of {times} segments go on after their ends: did the recogniser ignore its "
        "frame subsampling factor?"
    ),
)
CTM_NOBODY = Entry(
    "CTM-NOBODY",
    WARNING,
    "the word lies in no turn of {path}, so it has no speaker (words without speaker: {words})",
)
CTM_ROUNDED = Entry("CTM-ROUNDED", NOTE, "rounding left {text} no duration")
MARKUP_BRACE = Entry(
    "MARKUP-BRACE",
    WARNING,
    'a "}}" without its "{{" is read as text',
    several='{times} "}}" without their "{{" are read as text',
)
MARKUP_EMPTY = Entry(
    "MARKUP-EMPTY",
    WARNING,
    'an empty branch is dropped: write "@" for the null word',
    several='{times} empty branches are dropped: write "@" for the null word',
)
RTTM_DUPLICATE = Entry("RTTM-DUPLICATE", NOTE, "the same SPKR-INFO as line {first}: read once")
RTTM_SPEAKER = Entry(
    "RTTM-SPEAKER",
    NOTE,
    "the speaker {name!r} has no turn: SPKR-INFO is not kept",
)
RTTM_OUTSIDE = Entry("RTTM-OUTSIDE", NOTE, "{text!r} at {seconds} is not within its turn")
OVERLAP_SEGMENT = Entry("OVERLAP", NOTE, "begins before the end of a segment above it", "segment")
TRN_SPEAKER = Entry(
    "TRN-SPEAKER",
    WARNING,
    'the id {utterance!r} has neither "-" nor "_", so the whole id is the speaker',
    several='{times} ids have neither "-" nor "_", so the whole ids are the speakers',
)
TRN_TRAILING = Entry(
    "TRN-TRAILING",
    WARNING,
    "not read: {text!r} after the id",
    several="{times} texts after the id not read",
)
UEM_MERGED = Entry("UEM-MERGED", NOTE, "merged with the region of line {first}")
CTM_TYPE = Entry(
    "CTM-TYPE",
    WARNING,
    "{kind!r} is not one of {types}",
    several="{times} types are none of {types}",
)
CTM_NO_CONFIDENCE = Entry("CTM-NO-CONFIDENCE", NOTE, "{text} is no confidence")
CTM_CONFIDENCE = Entry("CTM-CONFIDENCE", NOTE, "confidence {text} is not within 0 and 1")
RTTM_FIELDS = Entry(
    "RTTM-FIELDS",
    WARNING,
    "expected 9 or 10 fields, found 8: no confidence",
    several="{times} records with 8 fields, expected 9 or 10: no confidences",
)
RTTM_VALUE = Entry(
    "RTTM-VALUE",
    WARNING,
    "SPKR-INFO has no times: not kept",
    several="{times} records SPKR-INFO have times, which are not kept",
)
RTTM_SUBTYPE = Entry(
    "RTTM-SUBTYPE",
    WARNING,
    "{subtype!r} is no subtype of {type}: expected {expected}",
    several="{times} subtypes are none of their types",
)
RTTM_CONFIDENCE = Entry("RTTM-CONFIDENCE", NOTE, "confidence {text} is not within 0 and 1")
RTTM_LOOKAHEAD = Entry("RTTM-LOOKAHEAD", NOTE, "the lookahead time of {type} is not kept")
RTTM_ESTIMATED = Entry(
    "RTTM-ESTIMATED", NOTE, 'the mark "*" of an estimated begin time is not kept'
)
RTTM_ESTIMATED_DURATION = Entry(
    "RTTM-ESTIMATED", NOTE, 'the mark "*" of an estimated duration is not kept', "duration"
)
RTTM_POINT = Entry(
    "RTTM-VALUE",
    WARNING,
    "{type} is a point in time: expected <NA>, found {text!r}",
    "point",
    several="{times} points in time with a duration, expected <NA>",
)
STM_ONE_BRANCH = Entry(
    "STM-ONE-BRANCH",
    NOTE,
    "a single word in braces is read as a word ({advice} reads it as an event)",
    advice=(Advice("tedlium"),),
)
STM_NO_TIME = Entry(
    "STM-NO-TIME",
    WARNING,
    "ends where it begins, at {begin}",
    several="{times} segments end where they begin",
)
STM_LABEL = Entry(
    "STM-LABEL?",
    WARNING,
    "{text!r} is read as a word; sclite would take it for labels (no definition names it and it "
    "has no comma)",
    several=(
        "{times} texts in angle brackets are read as words; sclite would take them for labels "
        "(no definition names them and they have no comma)"
    ),
)
UEM_FIELDS = Entry("UEM-FIELDS", NOTE, "not read: {text!r} after the end time")
UEM_NAME = Entry("UEM-NAME", NOTE, "{name!r} is a file of the recording {recording!r}")
TRN_DUPLICATE = Entry("TRN-DUPLICATE", NOTE, "the same id and words as line {first}: read once")
CTM_RELATIVE = Entry(
    "CTM-RELATIVE?",
    WARNING,
    "its recordings are utterances of {path}: {advice} converts their times to times of the "
    "recordings",
    "known",
    (Advice("segments", "{path}"),),
)
CTM_ORDER = Entry(
    "CTM-ORDER",
    WARNING,
    "begins before the word above it: words are sorted by start (sclite would score them in the "
    "order of the file)",
    several=(
        "{times} words begin before those above them: words are sorted by start (sclite would "
        "score them in the order of the file)"
    ),
)
CTM_CONFIDENCE_ABSENT = Entry(
    "CTM-CONFIDENCE-NA",
    NOTE,
    "{words} words without confidence are written with NA, which sclite takes for 0",
    "na",
)
CTM_CONFIDENCE_NA = Entry(
    "CTM-CONFIDENCE-NA",
    NOTE,
    "{words} words without confidence are written with {confidence}",
)
RTTM_OVERLAP = Entry(
    "RTTM-OVERLAP",
    WARNING,
    "overlaps the turn of the same speaker in line {before}; md-eval counts the time of both once "
    "({advice} merges the turns)",
    advice=(Advice("rttm_merge"),),
    several=(
        "{times} turns overlap another of the same speaker; md-eval counts the time of both once "
        "({advice} merges the turns)"
    ),
)
RTTM_MERGED = Entry(
    "RTTM-OVERLAP",
    WARNING,
    "overlaps the turn of the same speaker in line {before}: merged",
    "merged",
    several="{times} turns overlap another of the same speaker: merged",
)
STM_ORDER = Entry(
    "STM-ORDER",
    WARNING,
    "begins before the segment above it; the order is kept, but sclite expects {recording} "
    "{channel} sorted by time",
    several=(
        "{times} segments begin before those above them; the order is kept, but sclite expects "
        "each recording and channel sorted by time"
    ),
)
TXT_RULES = Entry(
    "TXT-RULES",
    WARNING,
    "titles between signs are read as words, as {text!r}, in {count:line/lines}",
)
TXT_ALONE = {
    "numbers": Entry(
        "TXT-RULES",
        WARNING,
        "{count:line/lines} of numbers alone, as {text!r}, are read as words",
        "numbers",
    ),
    "signs": Entry(
        "TXT-RULES",
        WARNING,
        "{count:line/lines} of signs alone, as {text!r}, are read as words",
        "signs",
    ),
}
TXT_SHORT = Entry(
    "TXT-SHORT",
    WARNING,
    "{count} of {total} lines are short and return, as {text!r}: names would be read as words "
    "({advice} describes the lines)",
    advice=(Advice("pattern", "PATTERN"),),
)
TXT_TABLE = Entry(
    "TXT-TABLE",
    WARNING,
    "every line has the same number of fields, separated by {separator!r}: all fields are read "
    "as words",
)
TXT_MARKDOWN = Entry(
    "TXT-MARKDOWN",
    NOTE,
    "read as one text in Markdown: {lines} lines above the text, {headings} headings and marks of "
    "emphasis, links and lists are no words",
    is_shown=True,
)
SPEAKER_TEXT = Entry(
    "SPEAKER-TEXT?",
    NOTE,
    "{heads} of {paragraphs} paragraphs look like {pattern!r}: their names and times are read as "
    "words ({advice} reads them)",
    "txt",
    (Advice("from", "speaker-text"),),
    is_shown=True,
)
BEGINNINGS = {
    "stamp": "a time stamp",
    "stamp-in-brackets": "a time stamp in brackets",
    "name-and-stamp": "a name and a time stamp",
    "identifier-and-numbers": "an identifier and two numbers",
    "speaker": "a speaker's name",
    "name-in-brackets": "a name in angle brackets",
    "name-in-capitals": "a name in capitals",
    "identifier": "an identifier",
    "identifier-and-sign": "an identifier and a sign",
}
READS_SHAPE = {
    "identifier": Advice("from", "kaldi"),
    "identifier-and-sign": Advice("pattern", "{{id}} : {{text}}"),
    "identifier-and-numbers": Advice("pattern", "{{id}} {{start}} {{end}} {{text}}"),
    "name-in-brackets": Advice("pattern", "<{{speaker}}> {{text}}"),
    "speaker": Advice("pattern", "PATTERN"),
}
"""What reads lines that begin so, where that is not speaker-text."""
TXT_SHAPES = {
    name: Entry(
        "TXT-SHAPE",
        WARNING,
        f"{{lines}} of {{total}} lines begin with {beginning}, which is read as words "
        "({advice} may read it)",
        name,
        (READS_SHAPE.get(name, Advice("from", "speaker-text")),),
    )
    for name, beginning in BEGINNINGS.items()
} | {
    "log": Entry(
        "TXT-SHAPE",
        WARNING,
        "{lines} of {total} lines begin as those of a log (date and time, or a level): they are "
        "read as words",
        "log",
    ),
}
"""The messages about lines that begin alike, by the names of `formats.detection.rules.SHAPES`."""
TXT_SIGN = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with signs or numbers, as {text!r}: they are read as words "
    "({advice} describes the lines)",
    "sign",
    (Advice("pattern", "{{_}} {{text}}"),),
)
TXT_HEAD = Entry(
    "TXT-HEAD",
    WARNING,
    "what looks like the head of a document, as {text!r}, is read as words: {lines:line/lines}",
)
TXT_REPEATED = Entry(
    "TXT-REPEATED",
    WARNING,
    "{lines} of {total} lines repeat the line above: all are read as words",
)
TXT_MARKS = Entry(
    "TXT-MARKS",
    WARNING,
    "{count} marks of turns, times or recognisers, as {text!r}, are read as words",
)
TXT_MARKUP = Entry(
    "TXT-SHAPE",
    WARNING,
    "the text is JSON, XML, HTML or RTF, whose names and signs are read as words",
    "markup",
)
UEM_OVERLAP = Entry(
    "UEM-OVERLAP",
    ERROR,
    "expected regions that do not overlap, found an overlap with line {before} "
    "({advice} merges them)",
    advice=(Advice("uem_merge"),),
)
ESCAPE = (Advice("escape_markup"),)
NULL_WORD = Entry(
    "MARKUP-WORD",
    ERROR,
    'expected a word that the format can hold, found a real word "@", which would be read as the '
    "null word ({advice} writes look-alikes)",
    "null",
    ESCAPE,
)
OPTIONAL_WORD = Entry(
    "MARKUP-WORD",
    ERROR,
    "expected a word that the format can hold, found a real word {word!r}, which would be read as "
    "an optional word ({advice} writes look-alikes)",
    "optional",
    ESCAPE,
)
MARKUP_IN_WORD = Entry(
    "MARKUP-WORD",
    ERROR,
    "expected a word that the format can hold, found {sign!r} in the word {word!r}, where it is "
    "markup ({advice} writes look-alikes)",
    advice=ESCAPE,
)

# Rules of losses.
RULE_ALL_COLUMNS = rule("all-columns", "{advice} keeps them", Advice("all_columns"))
RULE_BY_SPEAKER = rule("by-speaker", "made by the name of the speaker")
RULE_BY_WORD = rule("by-word", "made by a word")
RULE_EVENTS_AND_REGIONS = rule("events-and-regions", "of events and regions")
RULE_GENDER_WITH_BLANKS = rule("gender-with-blanks", "gender with blanks")
RULE_IN_IGNORED_REGIONS = rule("in-ignored-regions", "in ignored regions")
RULE_LAYER_LABELS = rule("layer-labels", "labels of a layer about a speaker")
RULE_NO_TURN = rule("no-turn", "no turn")
RULE_OF_OTHER_TYPES = rule("of-other-types", "of other types")
RULE_OTHER_GENDER = rule("other-gender", "another gender of the same speaker")
RULE_OTHER_SPEAKER = rule("other-speaker", "the id names another speaker")
RULE_READ_ONE_RUN_WORDS = rule("read-one-run-words", "read as one run of words")
RULE_SORTED_CHANNEL = rule("sorted-channel", "sorted by recording, channel and begin")
RULE_SPEAKER_INFO = rule("speaker-info", "gender: {advice} writes it", Advice("speaker_info"))
RULE_SPEECH_ONLY = rule("speech-only", "speech only")
RULE_SUBTYPE = rule("subtype", "subtype")
RULE_TURNS_ONLY = rule("turns-only", "turns only")
RULE_TURN_BY_TIME = rule("turn-by-time", "a reader puts each word into the turn at its time")
RULE_UNITED = rule("united", "united")
RULE_WITHOUT_TIMES = rule("without-times", "without times")
RULE_WORDS_JOINED_UNDERSCORE = rule("words-joined-underscore", 'words joined by "_"')
RULE_WRITTEN_AS_OTHER = rule("written-as-other", "written as other")
RULE_WRITTEN_FLAT_BRANCHES = rule("written-flat-branches", "written as flat branches")
RULE_UNSCORED = rule("unscored", "{words} words have none")
