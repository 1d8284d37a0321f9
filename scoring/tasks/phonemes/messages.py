"""Messages of phoneme error rates."""

from formats.schema.messages import ERROR, WARNING, Advice, Entry

UNKNOWN_WORDS = Entry(
    "UNKNOWN-WORDS",
    WARNING,
    "{path}: {number:reference is/references are} dropped: {names}; {words:word "
    "is/words are} not in the lexicon ({different:different word/different words}: {unknown})",
)
OTHER_PHONEMES = Entry(
    "OTHER-PHONEMES",
    WARNING,
    "{path}: the lexicon lacks {different:phoneme/phonemes}: {names}; {number:occurrence "
    "counts as an error/occurrences count as errors}",
)
NOT_IN_LEXICON = Entry(
    "UNKNOWN-WORDS",
    ERROR,
    "the lexicon lacks {different:word that occurs/words that occur} {number:time/times} in "
    "{utterances} of {total} utterances: {names} ({advice} skips these utterances)",
    "error",
    (Advice("unknown", "skip"),),
)
