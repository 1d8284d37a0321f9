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
    "the lexicon lacks {different:word/words} ({number:occurrence/occurrences} in {utterances} of "
    "{total} utterances): {names}; {advice} skips these utterances",
    "error",
    (Advice("unknown", "skip"),),
)
