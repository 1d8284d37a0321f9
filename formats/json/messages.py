"""Messages of the readers and writers of JSON formats."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

WORD_ORPHANS = Entry(
    "WORD-ORPHANS",
    WARNING,
    ("{words:word is/words are} outside of all utterances and read as separate segments"),
)
SILENT = Entry("SILENT", NOTE, "{results:final result has/final results have} no words")
AZURE_STATUS = Entry(
    "AZURE-STATUS", NOTE, "{path}: the result has the status {status} and no words"
)
AZURE_ORDER = Entry(
    "AZURE-ORDER",
    NOTE,
    "{phrases:phrase is/phrases are} not in order of time, so the phrases are sorted",
)
GENTLE_EMPTY = Entry(
    "GENTLE-EMPTY", WARNING, "no word of the transcript was aligned, so the transcript has no times"
)
GOOGLE_SPEAKERS = Entry(
    "GOOGLE-SPEAKERS",
    NOTE,
    "a result repeats {words:word/words} of the earlier results and adds speakers, so "
    "each word is read once",
)
GOOGLE_WORDS = Entry(
    "GOOGLE-SPEAKERS?",
    WARNING,
    "a result repeats the earlier results and adds speakers, but it has "
    "{words:word/words} and the earlier results have {expected}; only this result is read",
    several=(
        "{times} results repeat the earlier results and add speakers, but have other "
        "words; only these {times} results are read"
    ),
)
NAMESPACE = Entry(
    "NAMESPACE",
    NOTE,
    "{annotations:annotation without words is/annotations without words are} skipped ({name!r})",
)
JSONL_TOKENS = Entry(
    "JSONL-TOKENS",
    WARNING,
    "the tokens of the list are joined by blanks, but {tokens} of {total} are empty or "
    "contain blanks",
    several=(
        "the tokens of lists are joined by blanks, but {times} lists have tokens that are "
        "empty or contain blanks"
    ),
)
JSONL_NULL = Entry(
    "JSONL-NULL",
    NOTE,
    "the text null is read as an empty text",
    several="{times} texts that are null are read as empty texts",
)
GST_START = Entry(
    "GST-START",
    WARNING,
    "the word times are not read, because they count from the start of the segment "
    "and the message has no start",
    several=(
        "the word times of {times} messages are not read, because they count from the "
        "start of the segment and the messages have no start"
    ),
)
DUPLICATE = Entry(
    "DUPLICATE", NOTE, "utterance {utterance!r} occurs twice with the same content and is read once"
)
LHOTSE_ALIGNMENT = Entry("LHOTSE-ALIGNMENT", NOTE, "the alignment {name!r} is not read")
LHOTSE_WORDS = Entry(
    "LHOTSE-WORDS",
    WARNING,
    "{path}: the text has {words:word/words} and the alignment has {tokens}, so the "
    "words are read without times",
    several=(
        "{times} texts and their alignments differ in the number of words, so the words "
        "are read without times"
    ),
)
NEMO_TURNS = Entry(
    "NEMO-TURNS",
    NOTE,
    "no line has a text, so the lines are read as turns without words",
)
EMPTY_SECTION = Entry("EMPTY-SECTION", NOTE, "a section of speech has no turns")
OTR_ORDER = Entry(
    "OTR-ORDER",
    WARNING,
    "the time mark at {time:g} s is earlier than the time mark before it",
    several="{times} time marks are earlier than the time mark before them",
)
JSON_TIME_UNREAD = Entry(
    "JSON-TIME", WARNING, "the member {name!r} looks like a time, but it is not read", "list"
)
SPHINX_VARIANTS = Entry(
    "SPHINX-VARIANTS",
    NOTE,
    ("{marks:mark of a pronunciation variant is/marks of pronunciation variants are} not kept"),
)
SPHINX_SILENCE = Entry(
    "SPHINX-SILENCE", NOTE, "{silences:silence is/silences are} not read as words"
)
NO_WORD = Entry("NO-WORD", NOTE, "{path}: the item is of type {kind} and not a word")
NO_WORD_MEMBER = Entry(
    "NO-WORD", NOTE, "{path}: the item is dropped, because its {member} is {excluded}", "member"
)
PYTHON_VALUES = Entry(
    "PYTHON-VALUES",
    NOTE,
    "the file has values in the syntax of Python, JavaScript or protobuf, or in named fields, "
    "which are read as the JSON that they mean",
    is_shown=True,
)
JSON_TWICE = Entry(
    "JSON-TWICE",
    WARNING,
    "the member {name!r} occurs twice in an object, and the last value is read",
    several="{times} members occur twice in an object, and the last values are read",
)
JSON_RAW = Entry(
    "JSON-RAW",
    NOTE,
    "{texts:text has/texts have} raw line ends or tabs, which JSON writes as \\n and \\t, and they "
    "are read",
)
SEGLST_LIST = Entry(
    "SEGLST-LIST",
    NOTE,
    "the file is a sequence of objects and not a list of objects",
)
CHIME_END = Entry(
    "CHIME-END",
    WARNING,
    "the segment ends at its start or before it",
    several="{times} segments end at their start or before it",
)
END_ZERO = Entry("END-ZERO", NOTE, "{path}: the end is 0 and is read as unknown")
DELAYS = Entry(
    "DELAYS",
    WARNING,
    "{path}: the instance has {delays:delay/delays} and {words:word/words}, so the "
    "delays are not read as times of words",
    several=(
        "the delays of {times} instances are not read as times of words, because the "
        "numbers of delays and words differ"
    ),
)
JSON_UNKNOWN = Entry(
    "JSON-UNKNOWN",
    NOTE,
    "{members:member is/members are} not read: {name!r}, first in {path}",
)
JSON_NAN = Entry("JSON-NAN", NOTE, "{path}: {found} is not a valid confidence")
VOSK_SILENT = Entry(
    "NO-WORDS",
    NOTE,
    "{results:result without words is/results without words are} skipped",
    "results",
)
VOSK_SPEAKER = Entry(
    "VOSK-SPEAKER", NOTE, "{vectors:speaker vector is/speaker vectors are} not read"
)
ORDER = Entry(
    "ORDER",
    NOTE,
    ("the segment begins before the segment above it, and the order of the file is kept"),
)
NO_LENGTH = Entry("NO-LENGTH", NOTE, "the segment has a duration of 0")
TEXT_WORDS = Entry(
    "TEXT-WORDS",
    WARNING,
    "{count:text has/texts have} more words than the word list; the further words are "
    "read without times",
)
WORD_TIMES = Entry(
    "WORD-TIMES",
    WARNING,
    "{count:word has no times, so its times are/words have no times, so their times are} "
    "interpolated between the words before and after",
)
WORD_ENDS = Entry(
    "WORD-TIMES",
    WARNING,
    "{count:word has no end, so its end is/words have no ends, so their ends are} read as the "
    "start of the next word, or as the end of the turn",
    "ends",
)
WORD_UNTIMED = Entry(
    "WORD-UNTIMED",
    WARNING,
    "{count:word is/words are} read without times; interpolation needs a word with times "
    "before and after",
)
MASKED_WORDS = Entry(
    "MASKED",
    WARNING,
    (
        "{count:word looks/words look} like the mask of a part that was removed, for example "
        "{word!r}; such words are kept and count as errors in a score"
    ),
)
PARTIAL = Entry(
    "PARTIAL", NOTE, "{count:result that is not final is/results that are not final are} skipped"
)
TEXT_DIFFERS = Entry(
    "TEXT",
    WARNING,
    (
        "the text has {text:word/words} and its word list has {listed}, so the words of the list "
        "are read"
    ),
    several="{times} texts differ from their word lists, so the word lists are read",
)
TEXT_WORD_DIFFERS = Entry(
    "TEXT",
    WARNING,
    "word {number} is {text!r} in the text and {listed!r} in the word list, so the "
    "word list is read",
    "word",
    several="{times} texts differ from their word lists, so the word lists are read",
)
UNITS = {
    10: ("deciseconds", "tenths of a second"),
    100: ("centiseconds", "hundredths of a second or frames"),
    1000: ("milliseconds", "milliseconds"),
    10_000: ("100-microseconds", "tenths of a millisecond"),
    16_000: ("samples", "samples"),
    1_000_000: ("microseconds", "microseconds"),
    10_000_000: ("ticks", "ticks of 100 ns"),
}
UNIT_LIKELY = {
    factor: Entry(
        "UNIT?",
        WARNING,
        "the last word ends at {end} s, but the audio ends at {duration} s: the times may be in "
        + unit,
        name,
    )
    for factor, (name, unit) in UNITS.items()
}
"""The messages about times in another unit, by how many of these are in a second."""
BEYOND_AUDIO = Entry(
    "BEYOND-AUDIO",
    WARNING,
    "the last word ends at {end} s, but the audio ends at {duration} s",
)
WORD_ORDER = Entry(
    "WORD-ORDER",
    NOTE,
    "{count:word starts/words start} before the previous word",
)
WORD_OVERLAP = Entry(
    "WORD-OVERLAP",
    NOTE,
    "{count:word starts/words start} before the end of the previous word",
)
NBEST_TURNS = Entry(
    "NBEST-TURNS",
    WARNING,
    "{count:alternative hypothesis is/alternative hypotheses are} not kept, because "
    "the results have several speakers",
)
DEEPGRAM_NBEST = Entry(
    "NBEST-TURNS",
    WARNING,
    "{count:alternative hypothesis is/alternative hypotheses are} not kept, because "
    "the channel is cut into utterances",
    "channel",
)
DEEPGRAM_CHANNEL = Entry(
    "DEEPGRAM-CHANNEL",
    WARNING,
    "{count:utterance without a channel is/utterances without a channel are} not read",
)
AWS_END = Entry(
    "AWS-END",
    WARNING,
    ("{count:item ends/items end} before the start of the item, so the end is set to the start"),
)
AWS_SPEAKER = Entry(
    "AWS-SPEAKER",
    NOTE,
    ("{count:word without a speaker gets/words without a speaker get} the nearest speaker in time"),
)
AWS_SPEAKERS = Entry(
    "AWS-SPEAKER?",
    WARNING,
    (
        "{count:word is/words are} in segments of several speakers; each is read once, "
        "as a word of the first speaker"
    ),
)
AWS_TWICE = Entry(
    "AWS-TWICE",
    WARNING,
    (
        "{count:item is/items are} in several audio segments, and only the first of "
        "these segments keeps the item"
    ),
)
AWS_NBEST = Entry(
    "AWS-NBEST",
    WARNING,
    (
        "{count:alternative hypothesis that belongs to no audio segment is/alternative "
        "hypotheses that belong to no audio segment are} not kept"
    ),
)
AWS_ITEMS = Entry(
    "AWS-ITEMS",
    WARNING,
    ("{count:item is/items are} outside of all audio segments, so separate segments are created"),
)
SPEECHMATICS_OTHERS = Entry(
    "SPEECHMATICS-OTHERS",
    NOTE,
    "{count:alternative word is/alternative words are} not kept",
)
WATSON_CONFIDENCE = Entry(
    "WATSON-CONFIDENCE",
    WARNING,
    "{count:word confidence is/word confidences are} not kept, because the list of "
    "confidences and the list of times have different words",
)
WATSON_SPEAKER = Entry(
    "WATSON-SPEAKER",
    WARNING,
    "{count:word has/words have} no speaker label at the time of the word",
)
LABEL_STUDIO_TASKS = Entry(
    "LABEL-STUDIO-TASKS", NOTE, "{count:task without audio is/tasks without audio are} dropped"
)
LABEL_STUDIO_OTHERS = Entry(
    "LABEL-STUDIO-OTHERS",
    NOTE,
    "{count:further annotation of a task is/further annotations of tasks are} not read",
)
LABEL_STUDIO_PREDICTIONS = Entry(
    "LABEL-STUDIO-PREDICTIONS",
    WARNING,
    "{count:task with only predictions is/tasks with only predictions are} dropped "
    "({advice} reads predictions)",
    advice=(Advice("predictions"),),
)
REVAI_TAG = Entry("REVAI-TAG", NOTE, "{count:tag is/tags are} not read as words")
VIA_IMAGES = Entry(
    "VIA-IMAGES", NOTE, "{count:record without times is/records without times are} dropped"
)
BBC_TURN = Entry(
    "BBC-TURN",
    NOTE,
    "{count:word is/words are} outside of every turn and added to the turn before",
)
DELAYS_OF_TEXT = Entry(
    "DELAYS",
    NOTE,
    "{count:instance is/instances are} read without times, because their delays "
    "belong to words of a text and not of speech",
    "text",
)
SPEAKERS_AGAIN = Entry(
    "SPEAKER-AGAIN",
    NOTE,
    "{count:text begins/texts begin} with the name of the speaker, and this name is "
    "not read as a word",
    is_shown=True,
)
SPEAKERS_OF_MEMBERS = Entry(
    "JSON-NAMES",
    WARNING,
    "the texts are in {speakers:member/members}, and the names of these members are read as "
    "speakers: {names!r}",
    "speakers",
)
TITLES = Entry(
    "JSON-NAMES",
    NOTE,
    "the names of {count:member is/members are} read as titles of texts, for example {name!r}, "
    "and each text is read as an utterance",
    "titles",
    is_shown=True,
)
TITLES_LEFT = Entry(
    "JSON-LISTS",
    WARNING,
    "{count:text is/texts are} not read, because nobody says such texts: {names!r}",
    "titles",
)
LISTS_LEFT = Entry(
    "JSON-LISTS",
    WARNING,
    "{lists:list/lists} with the same members and other words are not read: {names!r}",
)
RECORDS_LEFT = LISTS_LEFT._replace(
    text="{records:record has/records have} texts, but no list of turns as other records have, "
    "and these texts are not read: {names!r}",
    variant="records",
)
BRANCHES_READ = Entry(
    "JSON-NAMES",
    NOTE,
    "{rows:text in a branch is/texts in branches are} read behind the text that has the branch "
    "({name!r}), as if all branches were one talk",
    "branches",
    is_shown=True,
)
EARLY_TIMES = Entry(
    "JSON-EARLY",
    WARNING,
    "{count:time is/times are} before the beginning of the recording, and read as 0",
)
PARTS_JOINED = Entry(
    "JSON-NAMES",
    NOTE,
    "the times go on through {parts:list/lists}, which are read as one; their names are not read: "
    "{names!r}",
    "parts",
)
SPEAKER_NAMES = Entry(
    "JSON-NAMES",
    NOTE,
    "{speakers:speaker has an id/speakers have ids} for which the file gives names, and the names "
    "are read: {names!r}",
    "names",
)
TAG = Entry(
    "TAG",
    NOTE,
    "{count:tag or mark inside a text is/tags and marks inside texts are} not read as words",
    is_shown=True,
)
EARLY = Entry("EARLY", NOTE, "{count:word is/words are} emitted before the start of the segment")
DISFLUENCIES = Entry(
    "DISFLUENCY",
    NOTE,
    "{count:mark of disfluencies, [*], is/marks of disfluencies, [*], are} not read as words",
)
PIECES_APART = Entry(
    "PIECES",
    NOTE,
    "{count:piece is a word/pieces are words} that no blank divides in the text of the segment",
    is_shown=True,
)
WORD_SPEAKER = Entry(
    "WORD-SPEAKER",
    NOTE,
    "{count:word has/words have} a speaker who is not the speaker of the segment "
    "({advice} splits the segment at the change)",
    advice=(Advice("word_speakers"),),
)
PIECES = Entry(
    "WORDS", NOTE, "there are no blanks between the pieces of text, so each piece is read as a word"
)
LIST_NAMES = Entry(
    "JSON-NAMES",
    NOTE,
    "the values are read from {names!r} in each element of the list",
    is_shown=True,
)
TEXTS_AT = Entry(
    "JSON-NAMES",
    NOTE,
    "the file has only texts, and their names are read as starts in seconds: {count:text/texts}",
    "starts",
    is_shown=True,
)
TEXTS = Entry(
    "JSON-NAMES",
    NOTE,
    "the file has only texts, and each text is read as an utterance: {count:text/texts}",
    "texts",
    is_shown=True,
)
LIST_WORDS = Entry(
    "JSON-NAMES",
    NOTE,
    "the values are read from {names!r} in each element of the list, and words from "
    "{word_names!r} in {words}",
    "words",
    is_shown=True,
)
MEMBER_NAMES = Entry(
    "JSON-NAMES",
    NOTE,
    "the values are read from {names!r} in each element of the list {path}",
    "member",
    is_shown=True,
)
MEMBER_WORDS = Entry(
    "JSON-NAMES",
    NOTE,
    "the values are read from {names!r} in each element of the list {path}, and words from "
    "{word_names!r} in {words}",
    "member-words",
    is_shown=True,
)
JSON_NAMES = {
    (False, False): LIST_NAMES,
    (False, True): LIST_WORDS,
    (True, False): MEMBER_NAMES,
    (True, True): MEMBER_WORDS,
}
"""The notes on members that are read, by whether the list is in a member and words are lists."""
CHUNKS = Entry(
    "CHUNKS",
    WARNING,
    ("the chunks of recording {recording!r} are not numbered from 0 without gaps: {numbers}"),
    several="the chunks of {times} recordings are not numbered from 0 without gaps",
)
CHUNKS_JOINED = Entry(
    "CHUNKS",
    NOTE,
    (
        "{chunks:chunk is/chunks are} joined to {recordings:recording/recordings}: "
        "{parent} names the recording, and {index} gives the order"
    ),
    "joined",
)
GENTLE_LIST = Entry(
    "GENTLE-TRANSCRIPT",
    WARNING,
    "the word {text!r} is in the word list but not in the transcript, so the words of "
    "the list are read as one segment",
    "list",
)
GENTLE_TRANSCRIPT = Entry(
    "GENTLE-TRANSCRIPT",
    WARNING,
    "the word {text!r} is in the transcript but not in the word list, so the words of "
    "the list are read as one segment",
)
GST_STATUS = Entry(
    "GST-STATUS",
    WARNING,
    "the server reports status {status} ({meaning})",
    several="the server reports {times} errors",
)
GST_MESSAGE = Entry(
    "GST-STATUS",
    WARNING,
    "the server reports status {status} ({meaning}): {text!r}",
    "message",
    several="the server reports {times} errors",
)
GST_NAMED = Entry(
    "GST-STATUS",
    WARNING,
    "the server reports status {status!r}",
    "name",
    several="the server reports {times} errors",
)
GST_NAMED_MESSAGE = Entry(
    "GST-STATUS",
    WARNING,
    "the server reports status {status!r}: {text!r}",
    "name-message",
    several="the server reports {times} errors",
)
CHANNELS = Entry(
    "CHANNELS",
    WARNING,
    ("{path}: several channels are listed, and they are read as one channel, {channel!r}"),
)
SPEECHBRAIN_TEXTS = Entry(
    "SPEECHBRAIN-TEXTS",
    NOTE,
    "the texts in {names!r} are not read ({advice} chooses a text)",
    advice=(Advice("field", "NAME"),),
)
WHISPER_HINT = Entry(
    "WHISPER-HINT", NOTE, "some segments may be hallucinations ({hints}), and they are kept"
)
NEMO_NAMES = Entry(
    "NEMO-NAMES",
    ERROR,
    "{path}: expected audio files with different names, found {name!r} after "
    "{before!r} ({advice} takes the paths as names)",
    advice=(Advice("id_from", "path"),),
)
TIMES_OF_DATE = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the times are dates with times of day, so they are counted from the first time, {first}",
    "date",
    is_shown=True,
)
DURATIONS_JOINED = Entry(
    "DURATIONS",
    NOTE,
    "{rows} texts have a duration and no start, so that each begins at the end of the one before",
    is_shown=True,
)
WRAPPED_OTHERS = Entry(
    "WRAPPED",
    NOTE,
    "{elements:element is/elements are} not read: {name!r}, among the cues",
    is_shown=True,
)
HEADINGS_LEFT = WRAPPED_OTHERS._replace(
    text="{elements:element without a text and times beside others with a text is/elements "
    "without a text and times beside others with a text are} not read: {name!r}",
    variant="heading",
    is_shown=True,
)
NOTICES_LEFT = HEADINGS_LEFT._replace(
    text="{elements:message of the program itself is/messages of the program itself are} not "
    "read: {name!r} is true",
    variant="notice",
)
NEWEST_FIRST = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the dates in {name!r} go back, so the rows are read from the last to the first",
    "newest",
    is_shown=True,
)
KEYS_LEFT = Entry(
    "TAG",
    NOTE,
    "{texts:text is a key/texts are keys} of a prompt with the words in brackets behind it, and "
    "only the words are read",
    "keys",
    is_shown=True,
)
LANGUAGE_NAMED = Entry(
    "JSON-NAMES",
    NOTE,
    "the texts are read from {language!r}, the language that the file names as its own",
    "language",
    is_shown=True,
)
LANGUAGE_SPELT = LANGUAGE_NAMED._replace(
    text="the texts are read from {language!r}, because their pronunciation is beside them "
    "(--member text=NAME names another member)",
    variant="spelt",
)
KINDS_LEFT = HEADINGS_LEFT._replace(
    text="{rows:row is/rows are} not read, because nobody says such rows or later rows replace "
    "them: {kinds}",
    variant="kinds",
)
TABLE_NAMED = Entry(
    "JSON-NAMES",
    NOTE,
    "the text of {records:record/records} is read from {name!r} ({advice} names another)",
    "table",
    (Advice("member", ""),),
    is_shown=True,
)
TABLE_OF_PEOPLE = TABLE_NAMED._replace(
    text="the text of {records:record/records} is read from {name!r}, as what a person wrote, and "
    "not from {others!r: and } ({advice} names another)",
    variant="people",
)
TABLE_GUESSED = Entry(
    "ROLE",
    NOTE,
    "the text of {records:record/records} is read from {name!r}, the only member of sentences "
    "({advice} names another)",
    "table",
    (Advice("member", ""),),
    is_shown=True,
)
OFFSETS = Entry(
    "OFFSETS",
    NOTE,
    "the times begin again in each of {chunks:chunk/chunks} of the recording, so {name!r} is added "
    "to them",
    is_shown=True,
)
TIMES_ARE_FLAGS = Entry(
    "JSON-TIME",
    NOTE,
    "all values of {name!r} and of the ends are 0 or 1 and go back, so they are not read as times",
    "flags",
    is_shown=True,
)
TIME_UNIT_OPEN = Entry(
    "TIME-UNIT",
    ERROR,
    "{path}: expected times in a clear unit, found whole numbers in {member!r} that fit "
    "several units for {words:word/words} (choose {advice[0]} or {advice[1]})",
    "open",
    (Advice("time_unit", "s"), Advice("time_unit", "ms")),
)
NEMO_TEXT = Entry(
    "NO-TEXT-NAME",
    ERROR,
    "expected a line with the member {field!r}, found none (see {advice})",
    "nemo",
    (Advice("field", "NAME"),),
)
SPEECHBRAIN_TEXT = NEMO_TEXT._replace(
    text="expected an utterance with the member {field!r}, found none (see {advice})",
    variant="speechbrain",
)
JSONL_TEXT = Entry(
    "JSONL-TEXT",
    ERROR,
    "{path}: expected a text, found {found} ({advice} converts other values to text)",
    advice=(Advice("stringify"),),
)

# Rules of losses.
RULE_ENDS_WHERE_NEXT_BEGINS = rule(
    "ends-where-next-begins", "each segment ends where the next segment begins"
)
RULE_NOT_A_NUMBER = rule("not-a-number", "the value is not a number")
RULE_NOT_EVERY_WORD_HAS = rule("not-every-word-has", "not every word has times")
RULE_NO_LENGTH_FROM_0 = rule("no-length-from-0", "the segment does not start at 0")
RULE_SOME_WORDS_HAVE_NONE = rule("some-words-have-none", "some words have no times")
RULE_SORTED_RECORDING = rule("sorted-recording", "sorted by recording and start")
RULE_SORTED_SESSION = rule("sorted-session", "sorted by session and start")
RULE_REDACTED = rule("redacted", "segments with the word {mark} are read back as ignored regions")
