"""Messages of the readers and writers of annotation formats."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

TRS_TEXT = Entry(
    "TRS-TEXT",
    WARNING,
    "text in <{element}> dropped: {text!r}",
    several="{times} texts outside of turns dropped",
)
AENEAS_EMPTY = Entry("AENEAS-EMPTY", NOTE, "fragments without text, dropped: {silent}")
AUDACITY_SPEAKERS = Entry(
    "AUDACITY-SPEAKERS",
    NOTE,
    "numbers in brackets before labels are read as speakers",
)
AUDACITY_COMMA = Entry(
    "AUDACITY-COMMA",
    WARNING,
    "the times have decimal commas, which are read as decimal points",
)
AUDACITY_OPEN = Entry("AUDACITY-OPEN", NOTE, "an open end (-1): the label is a point at its start")
CHAT_END = Entry("CHAT-END", WARNING, "the file has no @End: it may be cut off")
CHAT_HEADER = Entry("CHAT-HEADER", WARNING, "expected @UTF8 first, found {found!r}")
CHAT_NOT_KEPT = Entry("CHAT-NOT-KEPT", NOTE, "header @{name} not kept")
CHAT_SPEAKER = Entry(
    "CHAT-SPEAKER",
    WARNING,
    "speaker {speaker!r} is not among the @Participants",
    several="speakers of {times} lines are not among the @Participants",
)
CHAT_TIMES = Entry(
    "CHAT-TIMES",
    NOTE,
    "{pairs} time pairs: the segment lasts from the first to the last",
)
CHAT_DEPENDENT = Entry("CHAT-DEPENDENT", NOTE, "line %{name} not kept")
CHAT_WOR = Entry(
    "CHAT-WOR",
    WARNING,
    "line %wor without a main line before it: not kept",
    several="{times} lines %wor without a main line before them: not kept",
)
CHAT_WOR_WORDS = Entry(
    "CHAT-WOR",
    WARNING,
    "%wor has {timed} words, the line above it {words} different ones: the words of %wor are read",
    "words",
)
CHAT_COMMENT = Entry("CHAT-NOT-KEPT", NOTE, "comment not kept", "comment")
EAF_ORIGIN = Entry(
    "EAF-ORIGIN",
    NOTE,
    "{recording!r} begins at {milliseconds} ms ({advice} subtracts it)",
    advice=(Advice("apply_origin"),),
)
EAF_ORIGIN_APPLIED = Entry(
    "EAF-ORIGIN", NOTE, "{recording!r} begins at {milliseconds} ms, subtracted", "applied"
)
ELAN_REPEATED = Entry(
    "ELAN-REPEATED",
    NOTE,
    "{rows:value/values} that ELAN repeats beside other tiers, not read again",
)
ELAN_COLUMNS = Entry("ELAN-COLUMNS", NOTE, "columns not read: {names}")
EAF_NESTED = Entry(
    "EAF-NESTED",
    WARNING,
    "{annotations} annotations lie inside other annotations: all are read as annotations of the "
    "same tier",
)
EAF_ID = Entry(
    "EAF-ID",
    WARNING,
    "{annotations} annotations have the id of another: references mean the one on the tier "
    "above, otherwise the first",
)
EAF_PARENT = Entry(
    "EAF-PARENT",
    WARNING,
    "the parent of tier {name!r} is {parent!r}, but there is no such tier (PARENT_REF): it is "
    "read without a parent",
    several="the parents of {times} tiers are missing (PARENT_REF): they are read without parents",
)
EAF_TIME = Entry(
    "EAF-TIME",
    WARNING,
    "annotation {annotation!r} has no times, and its neighbours have none either",
    several="{times} annotations have no times, and their neighbours have none either",
)
EAF_OVERLAP = Entry(
    "EAF-OVERLAP",
    WARNING,
    "an annotation of tier {tier!r} begins at {time:g} s, before another one ends ({end:g} s)",
    several="{times} annotations begin before another one of their tier ends",
)
EAF_SPEAKER = Entry(
    "EAF-SPEAKER",
    NOTE,
    "tier {tier!r} names no participant, so its own name is the speaker",
)
EAF_BEFORE_ORIGIN = Entry(
    "EAF-ORIGIN",
    WARNING,
    "begins before the start of the audio file: its time is set to 0",
    "before",
    several=(
        "{times} annotations begin before the start of the audio file: their times are set to 0"
    ),
)
EMU_LINKS = Entry("EMU-LINKS", WARNING, "{links:link leads/links lead} to missing items")
ESPS_ORDER = Entry(
    "ESPS-ORDER",
    WARNING,
    "{time} is before the time above, so the label has no duration",
    several="{times} times are before those above, so the labels have no duration",
)
ESPS_FIELDS = Entry("ESPS-FIELDS", NOTE, "further fields of labels, not read: {cut}")
FLEXTEXT_EMPTY = Entry("FLEXTEXT-EMPTY", NOTE, "phrases without words, dropped: {empty}")
HTK_LEVELS = Entry("HTK-LEVELS", NOTE, "not read: {text!r}")
HTK_PHONES = Entry("HTK-PHONES", NOTE, "phones below words are not kept")
HTK_AUX = Entry("HTK-AUX", NOTE, "words above labels are not kept")
HTK_NBEST = Entry("HTK-NBEST", NOTE, "times of further alternatives are not kept")
ITS_RECORDINGS = Entry(
    "ITS-RECORDINGS",
    NOTE,
    "{recordings:recording/recordings} with pauses between them, read as one recording",
)
MLF_END = Entry("MLF-END", WARNING, 'the last utterance has no "." at its end')
MLF_PATTERN = Entry(
    "MLF-PATTERN",
    WARNING,
    "{pattern!r} may name several utterances",
    several="{times} patterns may name several utterances",
)
MLF_FOLDER = Entry(
    "MLF-FOLDER",
    NOTE,
    "{pattern} refers to label files elsewhere, which are not read",
)
MOSS_START = Entry(
    "MOSS-START",
    WARNING,
    "{text!r} before a speaker is not a start time: both are read as words",
    several="{times} numbers before speakers are no start times: both are read as words",
)
NXT_SEGMENTS = Entry("NXT-SEGMENTS", NOTE, "the file has only words: they are read as one segment")
NXT_NO_SEGMENTS = Entry(
    "NXT-SEGMENTS",
    WARNING,
    "no segments for {path!r}: all words form one segment",
    "none",
)
NXT_TIMES = Entry(
    "NXT-TIMES",
    WARNING,
    "ends before it begins: only its words have times",
    several="{times} segments end before they begin: only their words have times",
)
NXT_OUTSIDE = Entry("NXT-OUTSIDE", NOTE, "words outside all segments of {table_path!r}: {count}")
NXT_POINTER = Entry(
    "NXT-POINTER",
    WARNING,
    "no word for {href!r}",
    several="no words for {times} pointers",
)
SALT_COMMENTS = Entry(
    "SALT-COMMENTS", NOTE, "{others:comment or pause/comments and pauses} not read"
)
SALT_MARKS = Entry(
    "SALT-MARKS",
    NOTE,
    "utterances with marks, which are read as words: {marked} ({advice} removes the marks)",
    advice=(Advice("salt_clean"),),
)
MRK_OVERLAP = Entry(
    "MRK-OVERLAP",
    NOTE,
    "marks of words that overlap with another speaker's, dropped: {overlapped}",
)
TDF_END = Entry("TDF-END", WARNING, "no end: {end} after {begin}")
TDF_SPEAKER = Entry("TDF-SPEAKER", NOTE, "NaN is no speaker")
TEI_PAUSES = Entry(
    "TEI-PAUSES", NOTE, "{pauses:pause, gap or breath/pauses, gaps and breaths} not kept"
)
TEI_ORDER = Entry(
    "TEI-ORDER",
    WARNING,
    "words that end before they begin are read without times: {backward}",
)
TEXTGRID_DIGITS = Entry("TIME-DIGITS", NOTE, "{rounded} times rounded to a nanosecond", "several")
TEXTGRID_NAMES = Entry("TEXTGRID-NAMES", NOTE, "a further tier {first!r}: called {name!r} here")
TEXTGRID_XMAX = Entry(
    "TEXTGRID-XMAX",
    WARNING,
    "tier {tier!r} goes on until {end:g} s, past its end (xmax)",
    several="{times} tiers go on past their ends (xmax)",
)
DURATION = Entry("DURATION", NOTE, "the duration {duration!r} is not a number of seconds")
TIER_WORDS = Entry(
    "TIER-WORDS",
    WARNING,
    "{words} words of tier {tier!r} lie in no utterance of {owner!r}: they are segments of their "
    "own",
)
TIER_SKIPPED = Entry("TIER-SKIPPED", NOTE, "tier {tier!r} dropped: {labels} labels")
TIER_TURNS = Entry(
    "TIER-TURNS",
    NOTE,
    "the labels of tier {tier!r} repeat its name: they are read as turns without words",
)
TIER_WORDS_DIFFER = Entry(
    "TIER-TEXT",
    WARNING,
    "an utterance has {words:word/words} in tier {tier!r} and {found} other words in its tier of "
    "words: the latter are read",
    "differ",
    several=(
        "{times} utterances have other words than the tier of words: the words of that tier are "
        "read"
    ),
)
OVERLAP_LABEL = Entry("OVERLAP", NOTE, "begins before the end of the label above it", "label")
TRS_TURNS = Entry("TRS-TURNS", NOTE, "no turn has text: {turns} turns are read without words")
TRS_NAMES = Entry(
    "TRS-NAMES",
    NOTE,
    "two speakers are named {name!r}: their ids are read as speakers",
)
TRS_ELEMENT = Entry(
    "TRS-ELEMENT",
    WARNING,
    "element {name!r} is unknown: only its text is read",
    several="{times} unknown elements: only their text is read",
)
TRS_EVENT = Entry("TRS-EVENT", NOTE, "event {event!r} begins in a turn but does not end in it")
TRS_EXTENT = Entry("TRS-EXTENT", NOTE, "the words that an event covers are not recorded")
TRS_WHO = Entry(
    "TRS-WHO",
    WARNING,
    "text before the first Who in a turn of several speakers: the first speaker gets it",
    several=(
        "text before the first Who in {times} turns of several speakers: the first speakers get it"
    ),
)
TRS_ENCODING = Entry(
    "TRS-ENCODING",
    WARNING,
    "the control character U+{character:04X}: the file says ISO-8859-1, but looks like "
    "Windows-1252 ({advice} reads it so)",
    advice=(Advice("encoding", "cp1252"),),
    several=(
        "{times} control characters: the file says ISO-8859-1, but looks like Windows-1252 "
        "({advice} reads it so)"
    ),
)
TRS_REMARK = Entry("TRS-REMARK", NOTE, "{remarks} remarks of the text dropped")
TRS_ORDER = Entry(
    "TRS-ORDER",
    WARNING,
    "Sync at {time:g} s comes after one at {before:g} s",
    several="{times} marks Sync come after later ones",
)
AUDACITY_CLASSES = Entry(
    "AUDACITY-CLASSES",
    WARNING,
    "{labels} labels repeat {classes} names, {names!r}: they look like classes and are read as "
    "words",
)
AUDACITY_BANDS = Entry("AUDACITY-LEFT-OUT", NOTE, "frequencies not kept among words")
AUDACITY_POINT = Entry("AUDACITY-LEFT-OUT", NOTE, "an empty point not kept among words", "point")
EAF_EMPTY = Entry(
    "EAF-EMPTY",
    WARNING,
    "annotation {annotation!r} ends where it begins, at {time:g} s",
    several="{times} annotations end where they begin",
)
ESPS_TONES = Entry(
    "ESPS-TONES",
    NOTE,
    "all labels are tones: they are read as points in time (as with {advice})",
    advice=(Advice("points"),),
)
HTK_UNIT = Entry(
    "HTK-UNIT",
    NOTE,
    "times with decimal points are read as seconds ({advice} refuses them)",
    advice=(Advice("htk_unit", "ticks"),),
)
HTK_WORD = Entry(
    "HTK-AUX?",
    WARNING,
    "{name!r} begins a word here: quote a name that contains blanks",
    several="{times} names begin words after others: quote names that contain blanks",
)
HTK_UNIT_LIKELY = Entry(
    "UNIT?",
    WARNING,
    "{labels} labels within {seconds} s: are the times frames or seconds ({advice})?",
    "htk",
    (Advice("htk_unit", "seconds"),),
    several="the times of {times} utterances may be frames or seconds ({advice})",
)
MGB_LISTS = Entry(
    "MGB-LISTS",
    NOTE,
    "of several lists of segments {name!r} is read, and not {others!r} ({advice} reads that)",
    advice=(Advice("annotation", "{others[0]}"),),
)
PARTITUR_TIERS = Entry("PARTITUR-TIERS", NOTE, "{tiers:tier is/tiers are} not read")
TEXTGRID_OVERLAP = Entry(
    "TEXTGRID-OVERLAP",
    WARNING,
    "an interval of tier {tier!r} begins at {time:g} s, before the one above it ends ({end:g} s)",
    several="{times} intervals begin before those above them end",
)
TEXTGRID_GAP = Entry(
    "TEXTGRID-GAP",
    WARNING,
    "an interval of tier {tier!r} begins at {time:g} s, after the one above it ends ({end:g} s)",
    several="{times} intervals begin after those above them end",
)
TIER_TEXT = Entry(
    "TIER-TEXT",
    WARNING,
    "an utterance of tier {tier!r} shares no word with its tier of words, {words!r}: the words of "
    "both are read ({advice} skips those of the latter)",
    advice=(Advice("tier_map", "{words}=skip"),),
    several=(
        "{times} utterances share no word with their tiers of words: the words of both are read "
        "({advice} skips those of the latter)"
    ),
)
TIER_SILENCE = Entry(
    "TIER-SILENCE",
    NOTE,
    "{labels} labels of tier {tier!r} are silence or noise, no words: {names}",
)
TIER_LEVELS = Entry(
    "TIER-LEVELS",
    WARNING,
    "the words of tier {tier!r} belong to no tier of utterances: the same speech may be read "
    "twice ({advice} skips them)",
    advice=(Advice("tier_map", "{tier}=skip"),),
)
TIER_LAYER = Entry(
    "TIER-LAYER",
    WARNING,
    "tier {tier!r} is a layer by its type, not speech: it is kept as events ({advice} reads it "
    "as speech)",
    advice=(Advice("tier_map", "{tier}=segment"),),
)
TIER_LAYER_NAMED = Entry(
    "TIER-LAYER",
    WARNING,
    "tier {tier!r} is a layer by its name, not speech: it is kept as events ({advice} reads it "
    "as speech)",
    "named",
    (Advice("tier_map", "{tier}=segment"),),
)
TIER_LAYER_ABOVE = Entry(
    "TIER-LAYER",
    WARNING,
    "tier {tier!r} is a layer about tier {parent!r}, not speech: it is kept as events ({advice} "
    "reads it as speech)",
    "above",
    (Advice("tier_map", "{tier}=segment"),),
)
TRS_SYNC = Entry(
    "TRS-SYNC",
    WARNING,
    "Sync at {time:g} s lies outside of its turn, {begin:g} to {end:g} s",
    several="{times} marks Sync lie outside of their turns",
)
CHAT_TAB = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a tab after {name}:, found {text!r}",
    several="{times} lines without a tab where one is expected",
)
CHAT_TAB_END = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a tab after {name}:, found the end of the line",
    "end",
    several="{times} lines that end where a tab is expected",
)
CHAT_COLON = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a colon after {name}, found {text!r}",
    "colon",
    several="{times} lines without a colon where one is expected",
)
CHAT_COLON_END = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a colon after {name}, found the end of the line",
    "colon-end",
    several="{times} lines that end where a colon is expected",
)
HTK_WHOLE_TICKS = Entry(
    "HTK-UNIT",
    ERROR,
    "expected times as whole numbers of 100 ns ({advice} reads decimals), found {text!r}",
    "ticks",
    (Advice("htk_unit", "seconds"),),
)
HTK_WHOLE_FRAMES = Entry(
    "HTK-UNIT",
    ERROR,
    "expected times as whole numbers of frames ({advice} reads decimals), found {text!r}",
    "frames",
    (Advice("htk_unit", "seconds"),),
)
HTK_TEXT = Entry(
    "HTK-TEXT",
    ERROR,
    "expected times before the name, or one name per line ({advice} reads plain text), "
    "found {text!r}",
    advice=(Advice("from", "txt"),),
)
PARTITUR_RATE = Entry(
    "PARTITUR-RATE",
    ERROR,
    "expected SAM: samples per second (or {advice}, usually), found none",
    advice=(Advice("rate", "16000"),),
)
TEXTGRID_ENCODING = Entry(
    "TEXTGRID-ENCODING", ERROR, "{reason}; old files of Praat are latin-1 or mac-roman"
)

# Rules of losses.
RULE_AS_PAUSES = rule("as-pauses", "written without text, read as pauses")
RULE_BLANK_NAME = rule("blank-name", "a name of blanks counts as no name")
RULE_CONFUSED = rule("confused", "they would be confused with other words")
RULE_FIRST_SPEAKER = rule("first-speaker", "those of the first speaker at once")
RULE_FREQUENCIES = rule("frequencies", "frequencies")
RULE_LEVEL = rule("level", "{advice} keeps them", Advice("level", "word"))
RULE_MERGED = rule("merged", "merged")
RULE_NOT_SAME_THROUGHOUT = rule("not-same-throughout", "not the same throughout")
RULE_NO_LENGTH = rule("no-length", "of segments without length")
RULE_NO_WORDS = rule("no-words", "no words")
RULE_OF_ANOTHER_NAME = rule("of-another-name", "of another name")
RULE_OF_EVENTS = rule("of-events", "of events")
RULE_OF_NO_SPEAKER = rule("of-no-speaker", "of no speaker")
RULE_OF_SOME_LENGTH = rule("of-some-length", "of some length")
RULE_ONE_OF_TWO = rule("one-of-two", "without length, or one of two")
RULE_ONE_RUN_WORDS = rule("one-run-words", "one run of words")
RULE_ON_FURTHER_TIERS = rule("on-further-tiers", "on further tiers")
RULE_OWN_POINTS = rule("own-points", "points of a tier of their own")
RULE_READ_AS_POINTS = rule("read-as-points", "read as points")
RULE_READ_AS_SILENCE = rule("read-as-silence", "read as silence")
RULE_SORTED_BY_START = rule("sorted-by-start", "sorted by start")
RULE_SORTED_BY_TIME = rule("sorted-by-time", "sorted by time")
RULE_SORTED_BY_UTTERANCE = rule("sorted-by-utterance", "sorted by utterance")
RULE_SORTED_TIER = rule("sorted-tier", "sorted by tier and begin")
RULE_STAMP_BEFORE = rule("stamp-before", "moved to the time stamp before")
RULE_TIER_NAME = rule("tier-name", "the name of the tier")
RULE_TIER_NAMES = rule(
    "tier-names", "{advice} reads the names of tiers", Advice("speaker_from", "tier")
)
RULE_UNNAMED_LENGTH = rule("unnamed-length", "of some length, without a name")
RULE_WHERE_OTHERS_OVERLAP = rule("where-others-overlap", "where others overlap")
RULE_WIDENED = rule("widened", "widened to hold all words")
RULE_WRITTEN_AS_LABELS = rule("written-as-labels", "written as labels")
RULE_WRITTEN_AS_WORDS = rule("written-as-words", "written as words")
RULE_SAMPLES = rule("samples", "rounded to 1/{rate} s")
RULE_MADE_LONG = rule("made-long", "made {milliseconds} ms long")
