"""Messages of the readers and writers of manifests."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

LJSPEECH_SPEAKERS = Entry(
    "LJSPEECH-SPEAKERS",
    NOTE,
    "read as speaker, id and text: ids do not repeat",
)
LJSPEECH_FILES = Entry("LJSPEECH-SPEAKERS", NOTE, "read as audio file, speaker and text", "files")
LJSPEECH_HEADER = Entry("LJSPEECH-HEADER", WARNING, "the first line looks like a header")
LJSPEECH_WRITTEN = Entry("LJSPEECH-WRITTEN", NOTE, "no spoken text: written text is read")
MUST_C_EMPTY = Entry("MUST-C-EMPTY", NOTE, "lasts no time")
NLP_COLUMNS = Entry("NLP-COLUMNS", NOTE, "columns that are not read: {names}")
ROLE = Entry("ROLE", NOTE, "the {role} is read from {name!r}")
LIBRISPEECH_OTHERS = Entry(
    "LIBRISPEECH-OTHERS",
    WARNING,
    "{files:file that is/files that are} no part of the corpus: {names!r}",
)
ROLE_OF_SEVERAL = Entry(
    "ROLE",
    NOTE,
    "the {role} is read from {name!r}, and not from {others!r: and }",
    "several",
)
TEXT_OF_SEVERAL = Entry(
    "ROLE",
    NOTE,
    "the text is read from {name!r}, and not from {others!r: and } ({advice} names another)",
    "text",
    (Advice("field", "NAME"),),
)
UNFIT = Entry(
    "ROLE-UNFIT",
    WARNING,
    "{name!r} is not read as the {role} that its name means: found {value!r}",
)
UNIT_OF_PACE = Entry(
    "TIME-UNIT",
    NOTE,
    "{name!r} is read as parts of a second, {parts} to one, by the pace of speech "
    "({advice} reads seconds)",
    "pace",
    (Advice("time_unit", "s"),),
    is_shown=True,
)
UNIT_OPEN = Entry(
    "TIME-UNIT",
    WARNING,
    "{name!r} is read as seconds, and nobody speaks at that pace: does it have another unit "
    "({advice}), or do the times belong to another text?",
    "doubt",
    (Advice("time_unit", "ms"),),
    is_shown=True,
)
RESULTS = Entry(
    "RESULTS",
    NOTE,
    "the rows have {names!r}, as results of an evaluation do: their texts may not be what was said",
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
    "expected the texts in a file beside this one ({advice[0]}, or {advice[1]}), found no {path!r}",
    advice=(Advice("language", "NAME"), Advice("texts", "FILE")),
)
LJSPEECH_FIELDS = Entry(
    "LJSPEECH-FIELDS",
    ERROR,
    "expected {numbers: or } fields (or {advice}), found {fields}",
    advice=(Advice("columns", "NAMES"),),
)
NO_TEXT = Entry(
    "NO-TEXT-NAME",
    ERROR,
    "expected the text under a name such as {names} (or {advice}), found {found!r}",
    advice=(Advice("field", "NAME"),),
)
NO_NAMES = NO_TEXT._replace(
    text="expected the text under a name such as {names}, found no names", variant="none", advice=()
)
COMMONVOICE_LIST = Entry(
    "COMMONVOICE-SPLIT",
    ERROR,
    "expected a folder of lists for {advice}, found a single list",
    "list",
    (Advice("split", ""),),
)

# Rules of losses.
RULE_BEYOND_A_DOUBLE = rule("beyond-a-double", "beyond a double")
RULE_BLANKS = rule("blanks", "blanks")
RULE_NAMES_IN_USE = rule("names-in-use", "names in use")
RULE_OF_OTHER_LETTERS = rule("of-other-letters", "of other letters")
RULE_ROW_BEFORE = rule("row-before", "the speaker of the row before")
TURNS_IN_TEXT = Entry(
    "TURNS-IN-TEXT",
    WARNING,
    "texts are dialogues, as {text!r}: the names of their speakers are read as words",
)
