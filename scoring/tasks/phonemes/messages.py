"""Messages of phoneme error rates."""

from formats.schema.messages import ERROR, WARNING, Advice, Entry

UNKNOWN_WORDS = Entry(
    "UNKNOWN-WORDS",
    WARNING,
    "{path}: {number:reference is/references are} dropped, because {words:word "
    "is/words are} not in the lexicon ({different} different words: {unknown}): "
    "{names}",
)
OTHER_PHONEMES = Entry(
    "OTHER-PHONEMES",
    WARNING,
    "{path}: {number:phoneme is/phonemes are} in no pronunciation of the lexicon and "
    "count as errors ({different} different phonemes): {names}",
)
NOT_IN_LEXICON = Entry(
    "UNKNOWN-WORDS",
    ERROR,
    "the lexicon lacks {different:word/words} that occur {number:time/times} in "
    "{utterances} of {total} utterances: {names} ({advice} skips these utterances)",
    "error",
    (Advice("unknown", "skip"),),
)
