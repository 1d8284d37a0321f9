"""Messages of the readers and writers of annotation formats."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

TRS_TEXT = Entry(
    "TRS-TEXT",
    WARNING,
    "the text {text!r} in <{element}> is dropped",
    several="{times} texts outside of turns are dropped",
)
CONLLU_SIGNS = Entry(
    "CONLLU-SIGNS",
    WARNING,
    "{count:token is a sign/tokens are signs} alone, for example {sign!r}, and no text of the "
    "sentence says what was spoken; such tokens are read as words",
)
AENEAS_EMPTY = Entry(
    "AENEAS-EMPTY", NOTE, ("{silent:fragment without text is/fragments without text are} dropped")
)
AUDACITY_SPEAKERS = Entry(
    "AUDACITY-SPEAKERS",
    NOTE,
    "the numbers in brackets before the labels are read as speakers",
)
AUDACITY_NAMES = Entry(
    "AUDACITY-SPEAKERS",
    NOTE,
    'the names before the labels, in the form "{notation}", are read as speakers',
    "names",
)
AUDACITY_COMMA = Entry(
    "AUDACITY-COMMA",
    WARNING,
    "the times have decimal commas, which are read as decimal points",
)
AUDACITY_OPEN = Entry(
    "AUDACITY-OPEN",
    NOTE,
    "the end of the label is open (-1), so the label is read as a point at its start",
)
CHAT_END = Entry(
    "CHAT-END", WARNING, "the file has no @End, so the end of the transcript may be missing"
)
CHAT_HEADER = Entry("CHAT-HEADER", WARNING, "expected @UTF8 in the first line, found {found!r}")
CHAT_NOT_KEPT = Entry("CHAT-NOT-KEPT", NOTE, "the header @{name} is not kept")
CHAT_SPEAKER = Entry(
    "CHAT-SPEAKER",
    WARNING,
    "the speaker {speaker!r} is not in the @Participants header",
    several="{times} lines have a speaker that is not in the @Participants header",
)
CHAT_TIMES = Entry(
    "CHAT-TIMES",
    NOTE,
    "the line has {pairs} pairs of times, so the segment lasts from the first time to "
    "the last time",
)
CHAT_DEPENDENT = Entry("CHAT-DEPENDENT", NOTE, "the line %{name} is not kept")
CHAT_WOR = Entry(
    "CHAT-WOR",
    WARNING,
    "the %wor line is dropped, because there is no main line before it",
    several="{times} %wor lines are dropped, because there is no main line before them",
)
CHAT_WOR_WORDS = Entry(
    "CHAT-WOR",
    WARNING,
    "the %wor line has {timed} words and the main line has {words} different words, "
    "so the words of the %wor line are read",
    "words",
)
CHAT_COMMENT = Entry("CHAT-NOT-KEPT", NOTE, "the comment is not kept", "comment")
EAF_BEFORE = Entry(
    "EAF-BEFORE",
    WARNING,
    "the TIME_VALUE of {time} is before the recording and is read as 0",
    several="{times} values of TIME_VALUE are before the recording and are read as 0",
)
EAF_REVERSED = Entry(
    "EAF-TIME",
    WARNING,
    "the annotation lasts from {begin:g} to {end:g} s, so it is read without times",
    "reversed",
    several="{times} annotations end before they begin and are read without times",
)
EAF_ORIGIN = Entry(
    "EAF-ORIGIN",
    NOTE,
    "the recording {recording!r} begins at {milliseconds} ms of its audio file "
    "({advice} subtracts this time)",
    advice=(Advice("apply_origin"),),
)
EAF_ORIGIN_APPLIED = Entry(
    "EAF-ORIGIN",
    NOTE,
    "the recording {recording!r} begins at {milliseconds} ms of its audio file, and "
    "this time is subtracted",
    "applied",
)
ELAN_REPEATED = Entry(
    "ELAN-REPEATED",
    NOTE,
    "{rows:row repeats a value/rows repeat values} for the annotations of other tiers, and each "
    "value is read once",
)
ELAN_COLUMNS = Entry("ELAN-COLUMNS", NOTE, "the columns {names} are not read")
EAF_NESTED = Entry(
    "EAF-NESTED",
    WARNING,
    "{annotations:annotation lies inside another annotation/annotations lie inside other "
    "annotations}; every annotation is read",
)
EAF_ID = Entry(
    "EAF-ID",
    WARNING,
    "{annotations:annotation has/annotations have} the id of another annotation; a "
    "reference to such an id means the annotation on the parent tier, or the first "
    "annotation if the parent tier has none",
)
EAF_PARENT = Entry(
    "EAF-PARENT",
    WARNING,
    "tier {name!r} names {parent!r} as its parent (PARENT_REF), but this tier does "
    "not exist, so tier {name!r} is read without a parent",
    several=(
        "{times} tiers name a parent that does not exist (PARENT_REF), so these tiers are "
        "read without a parent"
    ),
)
EAF_TIME = Entry(
    "EAF-TIME",
    WARNING,
    "annotation {annotation!r} and its neighbours have no times",
    several="{times} annotations and their neighbours have no times",
)
EAF_OVERLAP = Entry(
    "EAF-OVERLAP",
    WARNING,
    "an annotation of tier {tier!r} begins at {time:g} s, before the annotation above "
    "it ends at {end:g} s",
    several="{times} annotations begin before an earlier annotation of the same tier ends",
)
EAF_SPEAKER = Entry(
    "EAF-SPEAKER",
    NOTE,
    "tier {tier!r} has no participant, so the name of the tier is read as the speaker",
)
EAF_BEFORE_ORIGIN = Entry(
    "EAF-ORIGIN",
    WARNING,
    ("the annotation begins before the start of the audio file, so its time is set to 0"),
    "before",
    several=(
        "{times} annotations begin before the start of the audio file: their times are set to 0"
    ),
)
EMU_LINKS = Entry("EMU-LINKS", WARNING, "{links:link leads/links lead} to items that do not exist")
ESPS_ORDER = Entry(
    "ESPS-ORDER",
    WARNING,
    ("the time {time} is before the time in the line above, so the label has no duration"),
    several=(
        "{times} times are before the time in the line above, so their labels have no duration"
    ),
)
ESPS_FIELDS = Entry(
    "ESPS-FIELDS", NOTE, "{cut:label has/labels have} further fields, which are not read"
)
FLEXTEXT_EMPTY = Entry(
    "FLEXTEXT-EMPTY", NOTE, ("{empty:phrase without words is/phrases without words are} dropped")
)
HTK_LEVELS = Entry("HTK-LEVELS", NOTE, "the text {text!r} is not read")
HTK_PHONES = Entry("HTK-PHONES", NOTE, "the phones below the words are not kept")
HTK_AUX = Entry("HTK-AUX", NOTE, "the words above the labels are not kept")
HTK_NBEST = Entry("HTK-NBEST", NOTE, "the times of the further alternatives are not kept")
ITS_RECORDINGS = Entry(
    "ITS-RECORDINGS",
    NOTE,
    ("{recordings:recording/recordings} with pauses between them are read as one recording"),
)
MLF_END = Entry("MLF-END", WARNING, 'the last utterance has no "." at its end')
MLF_PATTERN = Entry(
    "MLF-PATTERN",
    WARNING,
    "the pattern {pattern!r} may name several utterances",
    several="{times} patterns may name several utterances",
)
MLF_FOLDER = Entry(
    "MLF-FOLDER",
    NOTE,
    ("the pattern {pattern} refers to label files in another place, and these files are not read"),
)
MOSS_START = Entry(
    "MOSS-START",
    WARNING,
    "{text!r} before a speaker is not a start time, so {text!r} and the speaker are read as words",
    several=(
        "{times} numbers before speakers are not start times, so the numbers and the "
        "speakers are read as words"
    ),
)
NXT_SEGMENTS = Entry(
    "NXT-SEGMENTS", NOTE, "the file has words and no segments, so all words are read as one segment"
)
NXT_NO_SEGMENTS = Entry(
    "NXT-SEGMENTS",
    WARNING,
    "there are no segments for {path!r}, so all words are read as one segment",
    "none",
)
NXT_TIMES = Entry(
    "NXT-TIMES",
    WARNING,
    "the segment ends before it begins, so only its words have times",
    several="{times} segments end before they begin: only their words have times",
)
NXT_OUTSIDE = Entry(
    "NXT-OUTSIDE", NOTE, ("{count:word is/words are} outside of all segments of {table_path!r}")
)
NXT_POINTER = Entry(
    "NXT-POINTER",
    WARNING,
    "the pointer {href!r} leads to no word",
    several="{times} pointers lead to no word",
)
SALT_COMMENTS = Entry(
    "SALT-COMMENTS", NOTE, "{others:comment or pause is/comments and pauses are} not read"
)
SALT_MARKS = Entry(
    "SALT-MARKS",
    NOTE,
    ("the marks in {marked:utterance/utterances} are read as words ({advice} removes the marks)"),
    advice=(Advice("salt_clean"),),
)
MRK_OVERLAP = Entry(
    "MRK-OVERLAP",
    NOTE,
    "{overlapped:mark of overlapping speakers is/marks of overlapping speakers are} dropped",
)
TDF_END = Entry(
    "TDF-END", WARNING, "the segment has no valid end: the end {end} is not after the start {begin}"
)
TDF_SPEAKER = Entry("TDF-SPEAKER", NOTE, "the value NaN is not read as a speaker")
TEI_PAUSES = Entry(
    "TEI-PAUSES", NOTE, "{pauses:pause, gap or breath is/pauses, gaps and breaths are} not kept"
)
TEI_STAGES = Entry(
    "TEI-STAGES",
    NOTE,
    "{stages:stage direction is/stage directions are} not read as words",
    is_shown=True,
)
TEI_ORDER = Entry(
    "TEI-ORDER",
    WARNING,
    "{backward:word that ends before its start is/words that end before their starts "
    "are} read without times",
)
TEXTGRID_DIGITS = Entry(
    "TIME-DIGITS", NOTE, "{rounded:time is/times are} rounded to a nanosecond", "several"
)
TEXTGRID_NAMES = Entry(
    "TEXTGRID-NAMES", NOTE, "a second tier has the name {first!r} and is read as tier {name!r}"
)
TEXTGRID_XMAX = Entry(
    "TEXTGRID-XMAX",
    WARNING,
    "tier {tier!r} has labels until {end:g} s, after the end of the tier (xmax)",
    several="{times} tiers have labels after the end of the tier (xmax)",
)
DURATION = Entry("DURATION", NOTE, "the duration {duration!r} is not a number of seconds")
TIER_WORDS = Entry(
    "TIER-WORDS",
    WARNING,
    "outside of the utterances of tier {owner!r}, tier {tier!r} has {words:word, which "
    "is read as a separate segment/words, which are read as separate segments}",
)
TIER_SKIPPED = Entry(
    "TIER-SKIPPED", NOTE, ("tier {tier!r} is dropped; the tier has {labels:label/labels}")
)
TIER_TURNS = Entry(
    "TIER-TURNS",
    NOTE,
    "the labels of tier {tier!r} only repeat the name of the tier, so they are read "
    "as turns without words",
)
TIER_WORDS_DIFFER = Entry(
    "TIER-TEXT",
    WARNING,
    "an utterance has {words:word/words} in tier {tier!r} and {found} other words in its "
    "word tier; the word tier is read",
    "differ",
    several=("{times} utterances differ from their word tiers; the word tiers are read"),
)
OVERLAP_LABEL = Entry("OVERLAP", NOTE, "the label begins before the label above it ends", "label")
TRS_TURNS = Entry(
    "TRS-TURNS", NOTE, ("no turn has text, so {turns:turn is/turns are} read without words")
)
TRS_NAMES = Entry(
    "TRS-NAMES",
    NOTE,
    "two speakers have the name {name!r}, so the ids of the speakers are read in "
    "place of their names",
)
TRS_ELEMENT = Entry(
    "TRS-ELEMENT",
    WARNING,
    "the element {name!r} is unknown, so only its text is read",
    several="{times} elements are unknown, so only their text is read",
)
TRS_EVENT = Entry(
    "TRS-EVENT", NOTE, "the event {event!r} begins in a turn but does not end in the same turn"
)
TRS_EXTENT = Entry("TRS-EXTENT", NOTE, "the range of words of an event is not kept")
TRS_WHO = Entry(
    "TRS-WHO",
    WARNING,
    ("the text before the first Who of a turn with several speakers is given to the first speaker"),
    several=(
        "{times} turns with several speakers have text before the first Who; this text is "
        "given to the first speaker"
    ),
)
TRS_ENCODING = Entry(
    "TRS-ENCODING",
    WARNING,
    "the file contains the control character U+{character:04X}: the header says "
    "ISO-8859-1, but the file is probably in Windows-1252 ({advice} reads the file as "
    "Windows-1252)",
    advice=(Advice("encoding", "cp1252"),),
    several=(
        "the file contains {times} control characters: the header says ISO-8859-1, but "
        "the file is probably in Windows-1252 ({advice} reads the file as Windows-1252)"
    ),
)
TRS_REMARK = Entry(
    "TRS-REMARK", NOTE, ("{remarks:remark in the text is/remarks in the text are} dropped")
)
TRS_ORDER = Entry(
    "TRS-ORDER",
    WARNING,
    "the Sync at {time:g} s comes after the Sync at {before:g} s",
    several="{times} Sync marks come after Sync marks with later times",
)
AUDACITY_CLASSES = Entry(
    "AUDACITY-CLASSES",
    WARNING,
    "the {labels} labels have only {classes} different texts, for example {names!r}: "
    "such texts look like names of classes, but they are read as words",
)
AUDACITY_BANDS = Entry(
    "AUDACITY-LEFT-OUT",
    NOTE,
    "the frequency range is not kept, because the labels are read as words",
)
AUDACITY_POINT = Entry(
    "AUDACITY-LEFT-OUT",
    NOTE,
    "an empty point is not kept, because the labels are read as words",
    "point",
)
EAF_EMPTY = Entry(
    "EAF-EMPTY",
    WARNING,
    "annotation {annotation!r} ends where it begins, at {time:g} s",
    several="{times} annotations end where they begin",
)
ESPS_TONES = Entry(
    "ESPS-TONES",
    NOTE,
    "all labels are tones, so they are read as points in time (as with {advice})",
    advice=(Advice("points"),),
)
HTK_UNIT = Entry(
    "HTK-UNIT",
    NOTE,
    "times with decimal points are read as seconds ({advice} rejects such times)",
    advice=(Advice("htk_unit", "ticks"),),
)
HTK_WORD = Entry(
    "HTK-AUX?",
    WARNING,
    "the name {name!r} begins a new word: put a name that contains blanks in quotes",
    several="{times} names begin a new word: put names that contain blanks in quotes",
)
HTK_UNIT_LIKELY = Entry(
    "UNIT?",
    WARNING,
    "the utterance has {labels:label/labels} within {seconds} s: are the times in frames "
    "or seconds ({advice})?",
    "htk",
    (Advice("htk_unit", "seconds"),),
    several="the times of {times} utterances may be in frames or seconds ({advice})",
)
MGB_LISTS = Entry(
    "MGB-LISTS",
    NOTE,
    "the file has several lists of segments: the list {name!r} is read, and the lists "
    "{others!r} are not read ({advice} reads another list)",
    advice=(Advice("annotation", "{others[0]}"),),
)
PARTITUR_TIERS = Entry("PARTITUR-TIERS", NOTE, "{tiers:tier is/tiers are} not read")
TEXTGRID_OVERLAP = Entry(
    "TEXTGRID-OVERLAP",
    WARNING,
    "an interval of tier {tier!r} begins at {time:g} s, before the interval above it "
    "ends at {end:g} s",
    several="{times} intervals begin before the interval above them ends",
)
TEXTGRID_GAP = Entry(
    "TEXTGRID-GAP",
    WARNING,
    "an interval of tier {tier!r} begins at {time:g} s, but the interval above it "
    "ends at {end:g} s: there is a gap between them",
    several="{times} intervals begin later than the interval above them ends",
)
TIER_TEXT = Entry(
    "TIER-TEXT",
    WARNING,
    "an utterance of tier {tier!r} and its tier of words, {words!r}, have no word in "
    "common, so the words of both tiers are read ({advice} skips the tier of words)",
    advice=(Advice("tier_map", "{words}=skip"),),
    several=(
        "{times} utterances and their tiers of words have no word in common, so the words "
        "of both tiers are read ({advice} skips the tier of words)"
    ),
)
TIER_SILENCE = Entry(
    "TIER-SILENCE",
    NOTE,
    (
        "{labels:label/labels} of tier {tier!r} mark silence or noise and are not read as "
        "words: {names}"
    ),
)
TIER_LEVELS = Entry(
    "TIER-LEVELS",
    WARNING,
    "tier {tier!r} has words but belongs to no tier of utterances, so the same speech "
    "may be read twice ({advice} skips the tier)",
    advice=(Advice("tier_map", "{tier}=skip"),),
)
TIER_CLASSES = Entry(
    "TIER-CLASSES",
    NOTE,
    "the {labels} labels of tier {tier!r} have only {classes} different texts, for example "
    "{names!r}: such texts look like names of classes, but they are read as words "
    "({advice} reads them as events)",
    advice=(Advice("tier_map", "{tier}=event"),),
    is_shown=True,
)
TIER_SIGNS = Entry(
    "TIER-CLASSES",
    NOTE,
    "the {labels} labels of tier {tier!r} have at most {longest:character/characters}, as phones "
    "and signs have, but they are read as words ({advice} reads them as events)",
    "signs",
    (Advice("tier_map", "{tier}=event"),),
    is_shown=True,
)
TIER_LAYER = Entry(
    "TIER-LAYER",
    WARNING,
    "the type of tier {tier!r} is not a type of speech, so the labels of the tier are "
    "read as events ({advice} reads them as speech)",
    advice=(Advice("tier_map", "{tier}=segment"),),
)
TIER_LAYER_NAMED = Entry(
    "TIER-LAYER",
    WARNING,
    "the name of tier {tier!r} is not a name for speech, so the labels of the tier "
    "are read as events ({advice} reads them as speech)",
    "named",
    (Advice("tier_map", "{tier}=segment"),),
)
TIER_LAYER_CODES = Entry(
    "TIER-LAYER",
    WARNING,
    "the labels of tier {tier!r} are numbers, assignments or signs, for example {text!r}, so they "
    "are read as events ({advice} reads them as speech)",
    "codes",
    (Advice("tier_map", "{tier}=segment"),),
)
TIER_FEATURES = Entry(
    "TIER-FEATURES",
    WARNING,
    "{labels} labels of the tiers {tiers!r} end in features in braces, for example {text!r}, and "
    "the features are not read",
)
TIER_SPEAKER = Entry(
    "TIER-SPEAKER",
    NOTE,
    "the tiers {tiers!r} all belong to {speaker!r}, and all are read as speech ({advice} reads a "
    "tier as events)",
    advice=(Advice("tier_map", "{tier}=event"),),
    is_shown=True,
)
TIER_LAYER_WORDS = Entry(
    "TIER-LAYER",
    WARNING,
    "the labels of tier {tier!r} describe those of tier {words!r} or divide them into parts, "
    "so they are read as events ({advice} reads them as speech)",
    "words",
    (Advice("tier_map", "{tier}=segment"),),
)
TIER_LAYER_ABOVE = Entry(
    "TIER-LAYER",
    WARNING,
    "tier {tier!r} describes tier {parent!r} and has no speech, so the labels of the "
    "tier are read as events ({advice} reads them as speech)",
    "above",
    (Advice("tier_map", "{tier}=segment"),),
)
TRS_SYNC = Entry(
    "TRS-SYNC",
    WARNING,
    ("the Sync at {time:g} s is outside of its turn, which lasts from {begin:g} to {end:g} s"),
    several="{times} Sync marks are outside of their turns",
)
CHAT_TAB = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a tab after {name}:, found {text!r}",
    several="{times} lines have no tab after the colon",
)
XML_UNREAD = Entry(
    "XML-UNREAD",
    WARNING,
    "{words} of the {total} words in the file are in elements that are not read",
)
XML_FEW = Entry(
    "XML-UNREAD",
    ERROR,
    "expected elements with the texts of the file, found {words} of the {total} words in them",
    "few",
)
CHAT_BLANKS = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a tab before {text!r}, which continues the line before, found blanks",
    "blanks",
    several="{times} lines continue the line before, but begin with blanks in place of a tab",
)
CHAT_TAB_END = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a tab after {name}:, found the end of the line",
    "end",
    several="{times} lines end before the tab",
)
CHAT_COLON = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a colon after {name}, found {text!r}",
    "colon",
    several="{times} lines have no colon after the name",
)
CHAT_COLON_END = Entry(
    "CHAT-LINE",
    WARNING,
    "expected a colon after {name}, found the end of the line",
    "colon-end",
    several="{times} lines end before the colon",
)
HTK_WHOLE_TICKS = Entry(
    "HTK-UNIT",
    ERROR,
    "expected a time as a whole number of 100 ns, found {text!r} ({advice} reads "
    "decimals as seconds)",
    "ticks",
    (Advice("htk_unit", "seconds"),),
)
HTK_WHOLE_FRAMES = Entry(
    "HTK-UNIT",
    ERROR,
    "expected a time as a whole number of frames, found {text!r} ({advice} reads "
    "decimals as seconds)",
    "frames",
    (Advice("htk_unit", "seconds"),),
)
HTK_TEXT = Entry(
    "HTK-TEXT",
    ERROR,
    "expected times before the name, or one name per line, found {text!r} ({advice} "
    "reads the file as plain text)",
    advice=(Advice("from", "txt"),),
)
PARTITUR_RATE = Entry(
    "PARTITUR-RATE",
    ERROR,
    ("expected a SAM line with the samples per second, found none ({advice} sets the usual rate)"),
    advice=(Advice("rate", "16000"),),
)
TEXTGRID_ENCODING = Entry(
    "TEXTGRID-ENCODING", ERROR, "{reason} (old files of Praat are in latin-1 or mac-roman)"
)

# Rules of losses.
RULE_AS_PAUSES = rule("as-pauses", "written without text, and read back as pauses")
RULE_BLANK_NAME = rule("blank-name", "a name that consists of blanks counts as no name")
RULE_CONFUSED = rule("confused", "they would be read back with other words")
RULE_FIRST_SPEAKER = rule("first-speaker", "only the first of simultaneous speakers is kept")
RULE_FREQUENCIES = rule("frequencies", "the frequency range is not written")
RULE_LEVEL = rule("level", "{advice} keeps them", Advice("level", "word"))
RULE_MERGED = rule("merged", "merged")
RULE_NOT_SAME_THROUGHOUT = rule("not-same-throughout", "the value changes within the file")
RULE_NO_LENGTH = rule("no-length", "the segment has no length")
RULE_NO_WORDS = rule("no-words", "written as labels without words")
RULE_OF_ANOTHER_NAME = rule("of-another-name", "written as tiers of another name")
RULE_OF_EVENTS = rule("of-events", "the format does not store them for events")
RULE_OF_NO_SPEAKER = rule("of-no-speaker", "the segment has no speaker")
RULE_OF_SOME_LENGTH = rule("of-some-length", "only events without duration are kept")
RULE_ONE_OF_TWO = rule("one-of-two", "the words have no length, or only a start or an end")
RULE_ONE_RUN_WORDS = rule("one-run-words", ("the words are written without segment boundaries"))
RULE_ON_FURTHER_TIERS = rule("on-further-tiers", "written on further tiers")
RULE_OWN_POINTS = rule("own-points", "written as points on a separate tier")
RULE_PAUSES_LAST = rule("pauses-last", "the words are read back first, then the pauses")
RULE_READ_AS_POINTS = rule("read-as-points", "read back as points")
RULE_READ_AS_SILENCE = rule("read-as-silence", "read back as silence")
RULE_SORTED_BY_START = rule("sorted-by-start", "sorted by start")
RULE_SORTED_BY_TIME = rule("sorted-by-time", "sorted by time")
RULE_SORTED_BY_UTTERANCE = rule("sorted-by-utterance", "sorted by utterance")
RULE_SORTED_TIER = rule("sorted-tier", "sorted by tier and start")
RULE_STAMP_BEFORE = rule("stamp-before", "moved to the preceding time stamp")
RULE_TIER_NAME = rule("tier-name", "the name of the tier is read as the speaker")
RULE_TIER_NAMES = rule(
    "tier-names", "{advice} reads the names of tiers", Advice("speaker_from", "tier")
)
RULE_UNNAMED_LENGTH = rule(
    "unnamed-length", "events with a duration but without a name are dropped"
)
RULE_WHERE_OTHERS_OVERLAP = rule("where-others-overlap", "cut where another turn overlaps")
RULE_WIDENED = rule("widened", "widened to hold all words")
RULE_WRITTEN_AS_LABELS = rule("written-as-labels", "written as labels")
RULE_WRITTEN_AS_WORDS = rule("written-as-words", "written as words")
RULE_SAMPLES = rule("samples", "rounded to 1/{rate} s")
RULE_MADE_LONG = rule("made-long", "lengthened to {milliseconds} ms")
