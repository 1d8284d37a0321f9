"""Messages of phoneme error rates."""

from formats.schema.messages import ERROR, WARNING, Advice, Entry

UNKNOWN_WORDS = Entry(
    "UNKNOWN-WORDS",
    WARNING,
    "{path}: {number:reference is/references are} dropped, because {words:word is/words are} not "
    "in the lexicon ({different} different: {unknown}): {names}",
)
OTHER_PHONEMES = Entry(
    "OTHER-PHONEMES",
    WARNING,
    "{path}: {number:phoneme that is/phonemes that are} in no pronunciation of the lexicon, "
    "{different} different, counted as errors: {names}",
)
NOT_IN_LEXICON = Entry(
    "UNKNOWN-WORDS",
    ERROR,
    "expected words of the lexicon, found others, {number}, {different} different: {names} (in "
    "{utterances} of {total} utterances; {advice} skips these utterances)",
    "error",
    (Advice("unknown", "skip"),),
)
