"""Messages of the readers and writers of manifests."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

LJSPEECH_SPEAKERS = Entry(
    "LJSPEECH-SPEAKERS",
    NOTE,
    "the fields are read as speaker, id and text, because the values of the second "
    "field do not repeat",
)
LJSPEECH_FILES = Entry(
    "LJSPEECH-SPEAKERS",
    NOTE,
    "the fields are read as {names:, } ({advice} names them)",
    "files",
    (Advice("columns", "NAMES"),),
    is_shown=True,
)
LJSPEECH_HEADER = Entry(
    "LJSPEECH-HEADER", WARNING, "the first line looks like a header, but it is read as an utterance"
)
LJSPEECH_WRITTEN = Entry(
    "LJSPEECH-WRITTEN", NOTE, "the line has no spoken text, so the written text is read"
)
MUST_C_EMPTY = Entry("MUST-C-EMPTY", NOTE, "the utterance has a duration of 0")
NLP_COLUMNS = Entry("NLP-COLUMNS", NOTE, "the columns {names} are not read")
ROLE = Entry("ROLE", NOTE, "the {role} is read from {name!r}")
ROLE_GUESSED = Entry(
    "ROLE",
    NOTE,
    "the text is read from {name!r}, the only column of sentences ({advice} names another)",
    "guessed",
    (Advice("field", "NAME"),),
    is_shown=True,
)
LIBRISPEECH_OTHERS = Entry(
    "LIBRISPEECH-OTHERS",
    WARNING,
    "{files:file does/files do} not belong to the corpus: {names!r}",
)
ROLE_OF_SEVERAL = Entry(
    "ROLE",
    NOTE,
    "the {role} is read from {name!r} and not from {others!r: and }",
    "several",
)
TEXT_OF_PEOPLE = Entry(
    "ROLE",
    NOTE,
    (
        "the text is read from {name!r}, as what a person wrote, and not from {others!r: and } "
        "({advice} names another)"
    ),
    "people",
    (Advice("field", "NAME"),),
    is_shown=True,
)
TEXT_OF_SEVERAL = Entry(
    "ROLE",
    NOTE,
    ("the text is read from {name!r} and not from {others!r: and } ({advice} chooses another)"),
    "text",
    (Advice("field", "NAME"),),
)
LANGUAGES_BESIDE = Entry(
    "ROLE",
    WARNING,
    (
        "the rows have the same texts in several languages ({name!r} is {languages!r: or }), and "
        "all of them are read as speech"
    ),
    "languages",
)
REPLIES = Entry(
    "ROLE",
    WARNING,
    (
        "the text is read from {name!r}, and the sentences in {others!r: and } are not read "
        "({advice} chooses another)"
    ),
    "replies",
    (Advice("field", "NAME"),),
)
UNFIT = Entry(
    "ROLE-UNFIT",
    WARNING,
    (
        "the name {name!r} looks like the {role}, but it is not read, because its value "
        "{value!r} cannot be a {role}"
    ),
)
TIME_OF_DAY = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the times in {name!r} are the same in all rows of each recording, so they are not read as "
    "starts ({advice} reads them)",
    "recording",
    (Advice("columns", "start={name}"),),
    is_shown=True,
)
DATES_LEFT = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the dates in {name!r} have no time of day or are in no order, so they are not read as times",
    "dates",
    is_shown=True,
)
TIME_BESIDE_DAYS = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the times in {name!r} are times of day, because another column has dates, so they are not "
    "read as starts ({advice} reads them)",
    "day",
    (Advice("columns", "start={name}"),),
    is_shown=True,
)
UNIT_OF_PACE = Entry(
    "TIME-UNIT",
    NOTE,
    "the times in {name!r} are read in a unit of 1/{parts} of a second, because this "
    "unit fits the pace of speech ({advice} reads seconds)",
    "pace",
    (Advice("time_unit", "s"),),
    is_shown=True,
)
UNIT_OPEN = Entry(
    "TIME-UNIT",
    WARNING,
    "the times in {name!r} are read as seconds, but nobody speaks at that pace: are "
    "the times in another unit ({advice}), or do the times belong to another text?",
    "doubt",
    (Advice("time_unit", "ms"),),
    is_shown=True,
)
DESCRIPTIONS = Entry(
    "TIME-UNIT",
    WARNING,
    "nobody speaks the texts in {name!r} as slowly as their times say: are they descriptions and "
    "no speech?",
    "descriptions",
    is_shown=True,
)
PICTURES = Entry(
    "DATA-LEFT",
    WARNING,
    "the texts in {name!r} are beside pictures ({pictures!r}): do they describe these, so that "
    "nobody said them?",
    "pictures",
    is_shown=True,
)
ENTRIES = Entry(
    "DATA-LEFT",
    WARNING,
    "each text in {name!r} has the words of {words!r} in it: are these the examples of a "
    "dictionary, so that nobody said them?",
    "entries",
    is_shown=True,
)
CHARACTER_OFFSETS = Entry(
    "CHARACTER-OFFSETS",
    WARNING,
    "the values of {first!r} and {last!r} are not read, because they are no times but count "
    "characters: in most segments, the end minus the start is the length of the text",
)
SAMPLES = Entry(
    "SAMPLES",
    WARNING,
    "the values of {first!r} and {last!r} are not read, because the durations show that they count "
    "samples",
)
RESULTS = Entry(
    "RESULTS",
    NOTE,
    "the rows have {names!r}, as results of an evaluation do, so the texts may be those of a "
    "recogniser and not what was said",
    is_shown=True,
)
COMMONVOICE_SPLIT = Entry(
    "COMMONVOICE-SPLIT",
    ERROR,
    "expected one of the lists {lists} ({advice}), found {split!r}",
    advice=(Advice("split", "NAME"),),
)
MUSTC_TEXTS = Entry(
    "MUSTC-TEXTS",
    ERROR,
    "expected the texts in a file beside this file ({advice[0]} or {advice[1]}), found no {path!r}",
    advice=(Advice("language", "NAME"), Advice("texts", "FILE")),
)
LJSPEECH_FIELDS = Entry(
    "LJSPEECH-FIELDS",
    ERROR,
    "expected {numbers: or } fields, found {fields} ({advice} names the fields)",
    advice=(Advice("columns", "NAMES"),),
)
NO_TEXT = Entry(
    "NO-TEXT-NAME",
    ERROR,
    ("expected the text under a name such as {names}, found {found!r} ({advice} names it)"),
    advice=(Advice("field", "NAME"),),
)
TEXTS_FOUND = NO_TEXT._replace(
    text="expected the text under a name such as {names}, found texts in {found!r: and } "
    "({advice} reads the first)",
    variant="texts",
    advice=(Advice("field", "{first}"),),
)
NO_NAMES = NO_TEXT._replace(
    text="expected the text under a name such as {names}, found no names", variant="none", advice=()
)
NO_COLUMN = Entry("NO-COLUMN", ERROR, "expected a column {column!r}, found {names!r}")
NEAR_COLUMN = NO_COLUMN._replace(
    text="expected a column {column!r}, found {names!r}; did you mean {near!r: or }?",
    variant="near",
)
TEXT_COLUMN = NO_COLUMN._replace(
    text="expected a column {column!r}, found {names!r} ({advice} names it)",
    variant="text",
    advice=(Advice("field", "NAME"),),
)
WORD_LIST = Entry(
    "WORD-LIST",
    ERROR,
    "expected utterances, found a list of single words in {name!r} without times, speakers or ids "
    "({advice} reads each word as an utterance)",
    advice=(Advice("member", "text={name}"),),
)
COMMONVOICE_LIST = Entry(
    "COMMONVOICE-SPLIT",
    ERROR,
    "expected a folder of lists for {advice}, found a single list",
    "list",
    (Advice("split", ""),),
)

# Rules of losses.
RULE_BEYOND_A_DOUBLE = rule("beyond-a-double", "the number is too large")
RULE_BLANKS = rule("blanks", "replaced by blanks")
RULE_NAMES_IN_USE = rule("names-in-use", "the format uses these names itself")
RULE_OF_OTHER_LETTERS = rule(
    "of-other-letters", "the display form differs in more than case and final punctuation"
)
RULE_ROW_BEFORE = rule("row-before", "read back with the speaker of the row before")
TURNS_IN_TEXT = Entry(
    "TURNS-IN-TEXT",
    WARNING,
    "the texts are dialogues, for example {text!r}, and the names of the speakers are "
    "read as words",
)
DOCUMENTS_WITHIN = Entry(
    "TURNS-SPLIT",
    NOTE,
    "the texts are documents of the format {format}, for example {text!r}, so their turns are "
    "the segments",
    is_shown=True,
)
TURNS_DOUBTFUL = Entry(
    "TURNS-DOUBT",
    WARNING,
    '{heads} of {paragraphs} paragraphs of the texts look like "{pattern}", but lists and notes '
    "look so, too: are these the turns?",
)
NAMES_WITHIN = Entry(
    "TURNS-SPLIT",
    NOTE,
    "the texts begin with names, for example {text!r}, which are read as the speakers",
    "names",
    is_shown=True,
)
DOCUMENTS_PLAIN = Entry(
    "TURNS-PLAIN",
    WARNING,
    "the text is no document of the format {format} as other texts are, so all of it is read as "
    "words",
    several="{times} texts are no documents as other texts are, so all of them is read as words",
)
FOLDERS_NAME = Entry(
    "FOLDERS-NAME",
    NOTE,
    "the folders in {name!r} name the recordings, because files of several folders have the same "
    "name, for example {file!r}",
    is_shown=True,
)
ROWS_SHORT = Entry(
    "ROWS-SHORT",
    NOTE,
    "no row has as many cells as the header, so the last columns, {names!r: and }, are empty",
    is_shown=True,
)
FILES_JOINED = Entry(
    "FILES-JOINED",
    WARNING,
    "{count} names in {name!r} belong to several files, for example {files!r: and }, and the "
    "files of a name become one recording",
)
