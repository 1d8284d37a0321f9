"""Messages of tasks that score other units than words."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

OTHER_RECORDING = Entry(
    "ONLY-RECORDING",
    NOTE,
    "recording {recording!r} of the hypothesis is compared with {target!r}",
    "task",
)

# Diarisation.
ONE_SIDED = Entry(
    "ONE-SIDED", WARNING, "{number:recording is/recordings are} in the {side} only: {names}"
)
WITHOUT_REGION = Entry(
    "REGION", WARNING, "recordings without a region, not scored: {names}", "none"
)
UNKNOWN_REGION = Entry(
    "REGION", WARNING, "regions name recordings that neither file has: {names}", "unknown"
)
SILENT = Entry("SILENT", WARNING, "recordings without speech in the reference: {names}")
DROPPED = Entry("ONE-SIDED", WARNING, "dropped, as {tool} does: {names}", "dropped")
LOOSE_WORDS = Entry(
    "LOOSE-WORDS", WARNING, "{path}: words outside of turns have no speaker: {words}"
)
FEW_RECORDINGS = Entry(
    "FEW",
    WARNING,
    "the confidence interval is unreliable: only {recordings:recording/recordings}",
    "recordings",
)
NO_INTERVAL = Entry("NO-INTERVAL", WARNING, "no interval: {reason}")

TOO_FEW_RECORDINGS = Entry(
    "NO-INTERVAL", ERROR, "expected at least two recordings, found {number}", "recordings"
)

# Labels.
ONLY_REFERENCE = Entry(
    "ONE-SIDED",
    WARNING,
    "utterances of the reference only, their labels count as deleted: {names!r}",
    "deleted",
)
ONLY_HYPOTHESIS = Entry(
    "ONE-SIDED",
    WARNING,
    "utterances of the hypothesis only, their labels count as inserted: {names!r}",
    "inserted",
)
LATE = Entry("LATE", WARNING, "{labels:label ends/labels end} after the end of the utterance")
NOT_SCORED = Entry(
    "NOT-SCORED",
    WARNING,
    "{labels:label is/labels are} in stretches of the reference that are not scored",
)
WITHOUT_TEXT = Entry(
    "WITHOUT-TEXT", WARNING, "{path}: {segments:segment has/segments have} no text and so no label"
)
WITHOUT_DURATION = Entry("DURATION", WARNING, "{path}: no duration of utterances {names!r}")

# Lexicons and words of keyword search.
LEXICON_REPEATED = Entry("LEXICON-REPEATED", NOTE, "{word!r} repeats a pronunciation")
LEXICON_EMPTY = Entry(
    "LEXICON-EMPTY",
    WARNING,
    "{word!r} has an empty pronunciation, so a hypothesis without this word has no error",
    several="{times} empty pronunciations, so hypotheses without these words have no errors",
)
LEXICON_NO_WORDS = Entry("LEXICON-NO-WORDS", WARNING, "the lexicon has no words")
LEXICON_NUMBER = Entry(
    "LEXICON-NUMBER",
    WARNING,
    "{phoneme!r} is read as a phoneme: probabilities are of another format, {format}",
    several="{times} numbers are read as phonemes: probabilities are of another format, {format}",
)
WORDS_UNSORTED = Entry(
    "RTTM-ORDER", WARNING, "{words} words are not in the order of time: sorted here"
)

# Errors.
SEVERAL_TIERS = Entry(
    "TIERS",
    ERROR,
    "expected the name of one tier ({advice[0]} or {advice[1]}), found several: {names!r}",
    "several",
    (Advice("reference_tier", ""), Advice("hypothesis_tier", "")),
)
MIXED_TIMES = Entry(
    "LABELS-MIXED",
    ERROR,
    "some words have times, and those of this segment have none: choose {advice[0]} or {advice[1]}",
    advice=(Advice("labels", "words"), Advice("labels", "segments")),
)
NOT_IN_BOTH = Entry(
    "ONE-SIDED",
    ERROR,
    "not in the {side}: {names} ({advice} counts them as errors)",
    "error",
    (Advice("unpaired", "score"),),
)
