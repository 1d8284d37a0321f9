"""Messages of the readers and writers of JSON formats."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

WORD_ORPHANS = Entry(
    "WORD-ORPHANS",
    WARNING,
    "{words:word is/words are} outside all utterances, in separate segments",
)
SILENT = Entry("SILENT", NOTE, "final results without words: {results}")
AZURE_STATUS = Entry("AZURE-STATUS", NOTE, "{path}: {status}: no words")
AZURE_ORDER = Entry("AZURE-ORDER", NOTE, "{phrases:phrase/phrases} sorted by time")
GENTLE_EMPTY = Entry("GENTLE-EMPTY", WARNING, "no word was aligned: the transcript has no times")
GOOGLE_SPEAKERS = Entry(
    "GOOGLE-SPEAKERS",
    NOTE,
    "a result repeats the {words} words before it, with their speakers: each word is read once",
)
GOOGLE_WORDS = Entry(
    "GOOGLE-SPEAKERS?",
    WARNING,
    "a result repeats the speech before it, with speakers, but has {words} words and not "
    "{expected}: only this result is read",
    several=(
        "{times} results repeat the speech before them, with speakers, but have other words: "
        "only these results are read"
    ),
)
NAMESPACE = Entry(
    "NAMESPACE",
    NOTE,
    "annotations of {name!r}, which have no words, skipped: {annotations}",
)
JSONL_TOKENS = Entry(
    "JSONL-TOKENS",
    WARNING,
    "the tokens of the list are joined by blanks; {tokens} of {total} are empty or have blanks, so "
    "that they are not one word each",
    several=(
        "the tokens of lists are joined by blanks; {times} lists have tokens that are empty or "
        "have blanks"
    ),
)
JSONL_NULL = Entry("JSONL-NULL", NOTE, "a text of null is read as empty")
GST_START = Entry(
    "GST-START",
    WARNING,
    "word times count from the start of the segment, which the message does not have: they are "
    "not read",
    several=(
        "word times of {times} messages count from the start of their segments, which the "
        "messages do not have: they are not read"
    ),
)
DUPLICATE = Entry("DUPLICATE", NOTE, "{utterance!r} occurs twice alike: read once")
LHOTSE_ALIGNMENT = Entry("LHOTSE-ALIGNMENT", NOTE, "the alignment {name!r} is not read")
LHOTSE_WORDS = Entry(
    "LHOTSE-WORDS",
    WARNING,
    "{path}: {words} words in the text, {tokens} in the alignment: words stay without times",
    several=(
        "{times} texts have other numbers of words than their alignments: words stay without times"
    ),
)
NEMO_TURNS = Entry(
    "NEMO-TURNS",
    NOTE,
    "no line has a text: the lines are read as turns without words",
)
EMPTY_SECTION = Entry("EMPTY-SECTION", NOTE, "a section of speech without turns")
OTR_ORDER = Entry(
    "OTR-ORDER",
    WARNING,
    "a mark of time goes back to {time:g} s",
    several="{times} marks of time go back",
)
JSON_TIME_UNREAD = Entry("JSON-TIME", WARNING, "{name!r} looks like a time and is not read", "list")
SPHINX_VARIANTS = Entry(
    "SPHINX-VARIANTS", NOTE, "{marks:mark of a pronunciation/marks of pronunciations} not kept"
)
SPHINX_SILENCE = Entry("SPHINX-SILENCE", NOTE, "{silences:silence/silences} not read as words")
NO_WORD = Entry("NO-WORD", NOTE, "{path}: not a word, but {kind}")
NO_WORD_MEMBER = Entry("NO-WORD", NOTE, "{path}: dropped, {member} {excluded}", "member")
JSON_TWICE = Entry(
    "JSON-TWICE",
    WARNING,
    "member {name!r} occurs twice in an object: the last counts",
    several="{times} members occur twice in an object: the last count",
)
SEGLST_LIST = Entry(
    "SEGLST-LIST",
    NOTE,
    "expected a list of objects, found objects one after another",
)
CHIME_END = Entry(
    "CHIME-END",
    WARNING,
    "ends when it begins, or before",
    several="{times} segments end when they begin, or before",
)
END_ZERO = Entry("END-ZERO", NOTE, "{path}: an end of 0 is read as unknown")
DELAYS = Entry(
    "DELAYS",
    WARNING,
    "{path}: {delays} delays of {words} words are no times of words",
    several="delays of {times} instances are no times of words",
)
JSON_UNKNOWN = Entry(
    "JSON-UNKNOWN",
    NOTE,
    "{members} members {name!r} are not read, first in {path}",
)
JSON_NAN = Entry("JSON-NAN", NOTE, "{path}: {found} is no confidence")
VOSK_SILENT = Entry("NO-WORDS", NOTE, "{results:result/results} without words skipped", "results")
VOSK_SPEAKER = Entry(
    "VOSK-SPEAKER", NOTE, "{vectors:vector that describes/vectors that describe} speakers not read"
)
ORDER = Entry("ORDER", NOTE, "begins before the segment above it: the order is kept")
NO_LENGTH = Entry("NO-LENGTH", NOTE, "a segment that takes no time")
NO_TEXT = Entry("NO-TEXT", WARNING, "segments: {segments}, words: none")
TEXT_WORDS = Entry(
    "TEXT-WORDS",
    WARNING,
    "texts with more words than their lists of words: {count}; all words of the text are read, "
    "those that match with their times",
)
WORD_TIMES = Entry(
    "WORD-TIMES",
    WARNING,
    "{count:word/words} without times: times are interpolated between the neighbours",
)
WORD_UNTIMED = Entry(
    "WORD-UNTIMED",
    WARNING,
    "words without times and without a timed neighbour on both sides: {count}; they have no times",
)
MASKED_WORDS = Entry(
    "MASKED",
    WARNING,
    "words in place of removed text: {count}, first {word!r}; they are kept as words and count "
    "as errors when scored",
)
PARTIAL = Entry("PARTIAL", NOTE, "{count:result that is/results that are} not final skipped")
TEXT_DIFFERS = Entry(
    "TEXT",
    WARNING,
    "text and words differ: the text has {text} words, the list {listed}; the list is read",
    several="{times} texts differ from their lists of words, which are read",
)
TEXT_WORD_DIFFERS = Entry(
    "TEXT",
    WARNING,
    "text and words differ: word {number} is {text!r} in the text and {listed!r} in the list; "
    "the list is read",
    "word",
    several="{times} texts differ from their lists of words, which are read",
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
        "the last word ends at {end} s, the audio at {duration} s: the times may be " + unit,
        name,
    )
    for factor, (name, unit) in UNITS.items()
}
"""The messages about times in another unit, by how many of these are in a second."""
BEYOND_AUDIO = Entry(
    "BEYOND-AUDIO",
    WARNING,
    "the last word ends at {end} s, the audio at {duration} s",
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
    "{count:other hypothesis/other hypotheses} of results with several speakers not kept",
)
DEEPGRAM_NBEST = Entry(
    "NBEST-TURNS",
    WARNING,
    "{count:other hypothesis/other hypotheses} of a channel that is cut into utterances not kept",
    "channel",
)
DEEPGRAM_CHANNEL = Entry(
    "DEEPGRAM-CHANNEL", WARNING, "{count:utterance has/utterances have} no channel and are not read"
)
AWS_END = Entry(
    "AWS-END",
    WARNING,
    "{count:item ends/items end} before the start: the end time is set to the start time",
)
AWS_SPEAKER = Entry(
    "AWS-SPEAKER", NOTE, "{count:word gets/words get} the speaker who is nearest in time"
)
AWS_SPEAKERS = Entry(
    "AWS-SPEAKER?",
    WARNING,
    "{count:word is/words are} in segments of several speakers and read once, with the first "
    "speaker",
)
AWS_TWICE = Entry(
    "AWS-TWICE",
    WARNING,
    "{count:item is/items are} in several audio segments and read once, in the first",
)
AWS_NBEST = Entry(
    "AWS-NBEST",
    WARNING,
    "{count:other hypothesis belongs/other hypotheses belong} to no audio segment and are not kept",
)
AWS_ITEMS = Entry(
    "AWS-ITEMS",
    WARNING,
    "{count:item is/items are} outside all audio segments, in separate segments",
)
SPEECHMATICS_OTHERS = Entry(
    "SPEECHMATICS-OTHERS",
    NOTE,
    "{count:other hypothesis/other hypotheses} of words not kept",
)
WATSON_CONFIDENCE = Entry(
    "WATSON-CONFIDENCE",
    WARNING,
    "{count:word confidence/word confidences} not kept, because the words with times are others",
)
WATSON_SPEAKER = Entry(
    "WATSON-SPEAKER", WARNING, "{count:word has/words have} no speaker label at this time"
)
LABEL_STUDIO_TASKS = Entry(
    "LABEL-STUDIO-TASKS", NOTE, "{count:task without audio/tasks without audio} dropped"
)
LABEL_STUDIO_OTHERS = Entry(
    "LABEL-STUDIO-OTHERS",
    NOTE,
    "{count:further annotation of a task is/further annotations of tasks are} not read",
)
LABEL_STUDIO_PREDICTIONS = Entry(
    "LABEL-STUDIO-PREDICTIONS",
    WARNING,
    "{count:task has/tasks have} only predictions and are dropped ({advice} reads them)",
    advice=(Advice("predictions"),),
)
REVAI_TAG = Entry("REVAI-TAG", NOTE, "{count:tag/tags} not read as words")
VIA_IMAGES = Entry("VIA-IMAGES", NOTE, "{count:record/records} without times dropped")
BBC_TURN = Entry("BBC-TURN", NOTE, "{count:word/words} outside every turn added to the turn before")
DELAYS_OF_TEXT = Entry(
    "DELAYS",
    NOTE,
    "{count:instance is/instances are} read without times, because the delays count words of a "
    "text",
    "text",
)
SPEAKERS_AGAIN = Entry(
    "SPEAKER-AGAIN",
    NOTE,
    "{count:text begins/texts begin} with the name of the speaker, which is not read as a word",
)
TAG = Entry("TAG", NOTE, "{count:tag/tags} in texts not read as words")
EARLY = Entry("EARLY", NOTE, "{count:word is/words are} emitted before the start of the segment")
DISFLUENCIES = Entry(
    "DISFLUENCY",
    NOTE,
    "{count:mark of disfluencies, [*], is/marks of disfluencies, [*], are} not read as words",
)
WORD_SPEAKER = Entry(
    "WORD-SPEAKER",
    NOTE,
    "{count:word has/words have} another speaker than the segment ({advice} splits there)",
    advice=(Advice("word_speakers"),),
)
PIECES = Entry("WORDS", NOTE, "no blanks around pieces: each is a word")
LIST_NAMES = Entry("JSON-NAMES", NOTE, "read the list by the members {names!r}", is_shown=True)
TEXTS = Entry(
    "JSON-NAMES",
    NOTE,
    "the file has texts alone: each is read as an utterance, {count}",
    "texts",
    is_shown=True,
)
LIST_WORDS = Entry(
    "JSON-NAMES",
    NOTE,
    "read the list by the members {names!r}; {words} by {word_names!r}",
    "words",
    is_shown=True,
)
MEMBER_NAMES = Entry(
    "JSON-NAMES",
    NOTE,
    "read {path} by the members {names!r}",
    "member",
    is_shown=True,
)
MEMBER_WORDS = Entry(
    "JSON-NAMES",
    NOTE,
    "read {path} by the members {names!r}; {words} by {word_names!r}",
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
    "chunks of {recording!r} are not numbered from 0 without gaps: {numbers}",
    several="chunks of {times} recordings are not numbered from 0 without gaps",
)
CHUNKS_JOINED = Entry(
    "CHUNKS",
    NOTE,
    "{chunks} chunks ({index}) are joined to {recordings} recordings ({parent})",
    "joined",
)
GENTLE_LIST = Entry(
    "GENTLE-TRANSCRIPT",
    WARNING,
    "the words of the list differ from the transcript: {text!r} is in the list only; the words "
    "of the list form one segment",
    "list",
)
GENTLE_TRANSCRIPT = Entry(
    "GENTLE-TRANSCRIPT",
    WARNING,
    "the words of the list differ from the transcript: {text!r} is in the transcript only; the "
    "words of the list form one segment",
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
CHANNELS = Entry("CHANNELS", WARNING, "{path}: several channels are read as one, {channel!r}")
SPEECHBRAIN_TEXTS = Entry(
    "SPEECHBRAIN-TEXTS",
    NOTE,
    "other texts, not read: {names!r} ({advice} names one)",
    advice=(Advice("field", "NAME"),),
)
WHISPER_HINT = Entry("WHISPER-HINT", NOTE, "segments that may be hallucinations ({hints}); kept")
NEMO_NAMES = Entry(
    "NEMO-NAMES",
    ERROR,
    "{path}: expected audio files of different names (or {advice}), found {name!r} after "
    "{before!r}",
    advice=(Advice("id_from", "path"),),
)
TIMES_OF_DATE = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the times are of a date: they are counted from the first, {first} seconds since 1970",
    "date",
    is_shown=True,
)
TIME_UNIT_OPEN = Entry(
    "TIME-UNIT",
    ERROR,
    "{path}: expected times whose unit is clear, found whole numbers, in {member!r}, of {words} "
    "words, which fit several units (choose with {advice[0]} or {advice[1]})",
    "open",
    (Advice("time_unit", "s"), Advice("time_unit", "ms")),
)
NEMO_TEXT = Entry(
    "NO-TEXT-NAME",
    ERROR,
    "expected a member {field!r} in some line (see {advice}), found none",
    "nemo",
    (Advice("field", "NAME"),),
)
SPEECHBRAIN_TEXT = NEMO_TEXT._replace(
    text="expected a member {field!r} in some utterance (see {advice}), found none",
    variant="speechbrain",
)
JSONL_TEXT = Entry(
    "JSONL-TEXT",
    ERROR,
    "{path}: expected a text (or {advice}), found {found}",
    advice=(Advice("stringify"),),
)

# Rules of losses.
RULE_ENDS_WHERE_NEXT_BEGINS = rule("ends-where-next-begins", "ends where the next begins")
RULE_NOT_A_NUMBER = rule("not-a-number", "not a number")
RULE_NOT_EVERY_WORD_HAS = rule("not-every-word-has", "not every word has times")
RULE_NO_LENGTH_FROM_0 = rule("no-length-from-0", "no length from 0")
RULE_SOME_WORDS_HAVE_NONE = rule("some-words-have-none", "some words have none")
RULE_SORTED_RECORDING = rule("sorted-recording", "sorted by recording and begin")
RULE_SORTED_SESSION = rule("sorted-session", "sorted by session and begin")
RULE_REDACTED = rule("redacted", "those with {mark}")
