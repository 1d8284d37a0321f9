"""Messages of the commands."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

# Options.
IDLE_WITHOUT = Entry("IDLE-OPTION", NOTE, "{option} has no effect without {needed: or }", "without")
IDLE_FOR_ONE = Entry("IDLE-OPTION", NOTE, "{option} has no effect on a single system", "one-system")
IDLE_FOR_ONE_WITHOUT = Entry(
    "IDLE-OPTION",
    NOTE,
    "{option} has no effect on a single system without {needed: or }",
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
    "{advice} does not apply to a shard: pass it to `scoring merge`",
    "shard",
    (Advice("{option}"),),
)
UNQUOTED = Entry(
    "UNQUOTED",
    NOTE,
    "{path} is the reference of {systems} systems, {own} of them from its own folder; if these "
    "were patterns, quote them: {patterns: }",
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
    "READ-AS", NOTE, "read as plain text, one text per line, because: {path}: {problem}", "rows"
)
NOT_PRESERVED = Entry("NOT-PRESERVED", NOTE, "{path}: not preserved: {loss}")
OTHER_SCRIPT = Entry("SCRIPT", NOTE, "{step}: expected a text in {expected}, found {found}", "step")
REMOVED = Entry("REMOVED", NOTE, "{step} removed {kinds}")
WORDS_MET = Entry("WORDS-MET", NOTE, "{step}: words met: {words}", "step")
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
RECORDED = Entry("RECORDED", NOTE, "{path}: run {run} of {history}")
RANKED_APART = Entry(
    "OTHER-RULES",
    NOTE,
    "{path} and {other} are scored by different rules: {rules}",
    "ranking",
)
NO_RANKING = Entry(
    "NO-PACKAGE", NOTE, "without the package {package} the reports have no ranking of systems"
)
REPORT = Entry("REPORT", WARNING, "{text}")
OTHER_NUMBERS = Entry(
    "OTHER-NUMBERS",
    WARNING,
    "{place}: {number} of {total} differ: our numbers differ from the recorded ones",
)
ALONG_PATH = Entry(
    "OTHER-NUMBERS",
    NOTE,
    "{path}: sclite's reports have {along:error/errors} in {path_words:word/words} of the chosen "
    "path, other reports {errors:error/errors} in {words:word/words} by places",
    "places",
)
OTHER_RULES = Entry("OTHER-RULES", NOTE, "the runs have different rules: {baseline} and {new}")
ROUNDED = Entry(
    "ROUNDED",
    NOTE,
    "{path}: its percentages give the numbers of errors only roughly (import the .raw or .dtl of "
    "sclite)",
)
DEMO_COPIED = Entry("COPIED", NOTE, "copied the demo to {path}")
EXPORTED = Entry("EXPORTED", NOTE, "{path}: {megabytes:.1f} MB; open its index.html in a browser")

# Errors.
NOTHING_SCORED = Entry(
    "NOTHING-SCORED",
    ERROR,
    "{path}: expected something to score in the reference, found nothing ({advice} accepts this)",
    advice=(Advice("allow_empty"),),
)
BLOCK_OF_SESSIONS = Entry(
    "OF-SESSIONS",
    ERROR,
    "{option}: expected utterances, found a measure that scores whole sessions",
    "block",
)
NO_SPEAKER_TO_DRAW = Entry(
    "NO-SPEAKER",
    ERROR,
    "{option}: expected a speaker of every utterance, found none of {name!r} ({advice} names the "
    "speakers)",
    "block",
    (Advice("utt2spk", "FILE"),),
)
RECIPE = Entry("USAGE", ERROR, "{option}: {problem}", "recipe")
