"""Messages of the commands."""

from formats.console.messages import IDLE_WITHOUT as IDLE_WITHOUT
from formats.schema.messages import ERROR, HINT, NOTE, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

# Options.
IDLE_FOR_ONE = Entry("IDLE-OPTION", NOTE, "{option} has no effect on a single system", "one-system")
IDLE_FOR_ONE_WITHOUT = Entry(
    "IDLE-OPTION",
    NOTE,
    "with a single system, {option} has an effect only together with {needed: or }",
    "one-system-without",
)
IDLE_CONDITION = Entry(
    "IDLE-OPTION",
    NOTE,
    "{option} has no effect with {conditions:condition/conditions}",
    "conditions",
)
IDLE_IN_SHARD = Entry(
    "IDLE-OPTION",
    NOTE,
    "{advice} has no effect on a shard: give the option to `scoring merge`",
    "shard",
    (Advice("{option}"),),
)
COLUMN = Entry(
    "COLUMN", NOTE, "{path}: the words of {column!r} are the {side} ({advice})", "side",
    advice=(Advice("{side}_column", "NAME"),),
)  # fmt: skip
BOTH_COLUMNS = Entry(
    "COLUMN",
    ERROR,
    "{path}: expected columns with usual names of a reference and a hypothesis, found {found!r} "
    "({advice[0]} and {advice[1]} name them)",
    "both",
    (Advice("reference_column", "NAME"), Advice("hypothesis_column", "NAME")),
)
SHARED_FILE = Entry(
    "SHARED-FILE",
    WARNING,
    "the file of {choice} applies to each of {paths} ({advice} names a file for one system)",
    advice=(Advice("system", "NAME=FILE:{name}=OTHER"),),
)
UNQUOTED = Entry(
    "UNQUOTED",
    NOTE,
    (
        "{path} is used as the reference of {systems} systems, but {own} of these "
        "systems are from the same folder as the reference; if the arguments were "
        "patterns, put them in quotes: {patterns: }"
    ),
)

SPEAKERS_BESIDE = Entry(
    "SPEAKERS", NOTE, "{path}: the speakers of {reference} are read from this file"
)
NO_SPEAKERS = Entry(
    "NO-SPEAKERS",
    HINT,
    "{path}: no utterance has a speaker, so the table of speakers has one row ({advice} names the "
    "speakers)",
    "table",
    (Advice("utt2spk", "FILE"),),
)
OWN_REFERENCES = Entry(
    "OWN-REFERENCE",
    NOTE,
    "{path} and {number:other result/other results}: the references in these results are not used, "
    "because another reference is given",
    "several",
)
AS_KALDI_FILES = Entry(
    "READ-AS",
    NOTE,
    "{path} and {number:other file/other files}: the files are read as Kaldi text files, because "
    "reference and hypothesis have the same identifiers",
    "kaldi-files",
)
INTEGERS_IN_FILES = Entry(
    "KALDI-INTEGERS",
    WARNING,
    "{path} and {number:other file/other files}: the words are integers: are these integers the "
    "word numbers of words.txt? (scoring wer DECODE_FOLDER replaces them by words)",
    "files",
)
UNRELATED_FILES = Entry(
    "UNRELATED",
    WARNING,
    "{path} and {number:other file/other files}: hardly any words agree with the reference: are "
    "all files of the same recording?",
    "files",
)
LONGER_FILES = Entry(
    "UNRELATED",
    WARNING,
    "{path} and {number:other file/other files}: the hypotheses are several times as long as the "
    "reference: are all files of the same recording?",
    "longer-files",
)

# Lists of words.
REPEATED = Entry(
    "WORD-LIST",
    NOTE,
    "{path}: {number:entry is/entries are} repeated and counted once: {names!r}",
    "repeated",
)
CHANGED = Entry(
    "WORD-LIST", NOTE, "{path}: normalisation changes {number:entry/entries}: {names}", "changed"
)

# Normalisation.
AS_PLAIN_TEXT = Entry(
    "READ-AS",
    NOTE,
    "the file is read as plain text with one text per line, because {path}: {problem}",
    "rows",
)
NOT_PRESERVED = Entry("NOT-PRESERVED", NOTE, "{path}: not preserved in {format}: {loss}")
OTHER_SCRIPT = Entry("SCRIPT", NOTE, "{step}: expected a text in {expected}, found {found}", "step")
REMOVED = Entry("REMOVED", NOTE, "{step} removed {kinds}")
WORDS_MET = Entry("WORDS-MET", NOTE, "the words that {step} found are {words}", "step")
ALL_REMOVED = Entry(
    "NORMALISED-AWAY", WARNING, "normalisation removed all words of {number} {rows}", "rows"
)

# Results.
FEW_SESSIONS = Entry(
    "FEW",
    WARNING,
    "{path}: a confidence interval over only {sessions:session/sessions} is unreliable",
    "sessions",
)
RECORDED = Entry("RECORDED", NOTE, "{path} is recorded as run {run} of {history}")
RANKED_APART = Entry(
    "OTHER-RULES",
    NOTE,
    "{path} and {other} are scored by different rules: {rules}",
    "ranking",
)
NO_RANKING = Entry(
    "NO-PACKAGE",
    NOTE,
    ("the reports have no ranking of systems, because the package {package} is not installed"),
)
REPORT = Entry("REPORT", WARNING, "{text}")
OTHER_NUMBERS = Entry(
    "OTHER-NUMBERS",
    WARNING,
    ("{place}: {number} of {total} recorded numbers differ from the numbers of this program"),
)
GUESSED_TEXT = Entry(
    "GUESSED-TEXT",
    ERROR,
    "{path}: a gate does not guess the column of the text: {name!r} is the only column of "
    "sentences (call it text, or name it with {advice})",
    advice=(Advice("field", "NAME"),),
)
ALONG_PATH = Entry(
    "OTHER-NUMBERS",
    NOTE,
    "{path}: sclite's reports count the words of the chosen readings ({along:error/errors} in "
    "{path_words:word/words}); the other reports count the words as written "
    "({errors:error/errors} in {words:word/words})",
    "places",
)
OTHER_RULES = Entry(
    "OTHER-RULES", NOTE, "the runs are scored by different rules: {baseline} and {new}"
)
ROUNDED = Entry(
    "ROUNDED",
    NOTE,
    "{path}: the numbers of errors are computed from rounded percentages, so they are "
    "not exact (import the .raw or .dtl file of sclite)",
)
DEMO_COPIED = Entry("COPIED", NOTE, "the demo was copied to {path}")
EXPORTED = Entry(
    "EXPORTED", NOTE, "{path} has {megabytes:.1f} MB; open its index.html in a browser"
)

# Errors.
NOTHING_SCORED = Entry(
    "NOTHING-SCORED",
    ERROR,
    "{path}: expected words to score in the reference, found none ({advice} accepts "
    "an empty reference)",
    advice=(Advice("allow_empty"),),
)
BLOCK_OF_SESSIONS = Entry(
    "OF-SESSIONS",
    ERROR,
    "{option}: expected a measure that scores utterances, found a measure that scores "
    "whole sessions",
    "block",
)
NO_SPEAKER_TO_DRAW = Entry(
    "NO-SPEAKER",
    ERROR,
    "{option}: expected a speaker for every utterance, found none for {name!r} "
    "({advice} names the speakers)",
    "block",
    (Advice("utt2spk", "FILE"),),
)
RECIPE = Entry("USAGE", ERROR, "{option}: {problem}", "recipe")
