"""Messages of results: what was normalised away, what was not scored."""

from formats.schema.messages import NOTE, WARNING, Entry
from formats.schema.messages import Message as Message

EMPTIED = Entry(
    "NORMALISED-AWAY", WARNING, "{path}: normalisation left no words of {side} {number}: {names}"
)
WORDS_MET = Entry("WORDS-MET", NOTE, "{path}: {step}: words met: {words}")
OTHER_SCRIPT = Entry("SCRIPT", NOTE, "{path}: {step}: expected a text in {expected}, found {found}")
WITHOUT_METADATA = Entry(
    "METADATA",
    NOTE,
    "{path}: joined by {level}; these utterances have no values and are in group {group}: "
    "{number}: {names}",
)
UNSCORED = Entry(
    "UNSCORED",
    WARNING,
    "{path}: hypotheses without reference are not scored, {words} {unit}s: {number}: {names}",
)
SESSION_UNSCORED = Entry(
    "UNSCORED", WARNING, "{path}: session {session!r} is not scored: {reason}", "session"
)
DROPPED_AS_KALDI = Entry(
    "DELETED",
    WARNING,
    "{path}: references without hypothesis, dropped as in Kaldi: {number}: {names}",
    "kaldi",
)
