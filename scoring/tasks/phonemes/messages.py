"""Messages of phoneme error rates."""

from formats.schema.messages import ERROR, WARNING, Advice, Entry

UNKNOWN_WORDS = Entry(
    "UNKNOWN-WORDS",
    WARNING,
    "{path}: references with words that are not in the lexicon are dropped, {number}: {names} "
    "(words: {words}, {different} different: {unknown})",
)
OTHER_PHONEMES = Entry(
    "OTHER-PHONEMES",
    WARNING,
    "{path}: phonemes that are in no pronunciation of the lexicon count as errors: {number}, "
    "{different} different: {names}",
)
NOT_IN_LEXICON = Entry(
    "UNKNOWN-WORDS",
    ERROR,
    "expected words of the lexicon, found others, {number}, {different} different: {names} (in "
    "{utterances} of {total} utterances; {advice} skips these utterances)",
    "error",
    (Advice("unknown", "skip"),),
)
