"""Messages of tasks that score other units than words."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

OTHER_RECORDING = Entry(
    "ONLY-RECORDING",
    NOTE,
    "recording {recording!r} of the hypothesis is compared with recording {target!r} "
    "of the reference",
    "task",
)

# Diarisation.
ONE_SIDED = Entry(
    "ONE-SIDED", WARNING, "{number:recording is/recordings are} only in the {side}: {names}"
)
WITHOUT_REGION = Entry(
    "REGION", WARNING, "some recordings have no region and are not scored: {names}", "none"
)
UNKNOWN_REGION = Entry(
    "REGION", WARNING, "some regions name recordings that neither file has: {names}", "unknown"
)
SILENT = Entry("SILENT", WARNING, "some recordings have no speech in the reference: {names}")
DROPPED = Entry(
    "ONE-SIDED", WARNING, "some recordings are dropped, as {tool} does: {names}", "dropped"
)
LOOSE_WORDS = Entry(
    "LOOSE-WORDS",
    WARNING,
    ("{path}: {words:word outside of all turns has/words outside of all turns have} no speaker"),
)
FEW_RECORDINGS = Entry(
    "FEW",
    WARNING,
    "the confidence interval is unreliable, because it is based on only "
    "{recordings:recording/recordings}",
    "recordings",
)
NO_INTERVAL = Entry("NO-INTERVAL", WARNING, "there is no confidence interval: {reason}")

TOO_FEW_RECORDINGS = Entry(
    "NO-INTERVAL", ERROR, "expected at least two recordings, found {number}", "recordings"
)

# Labels.
ONLY_REFERENCE = Entry(
    "ONE-SIDED",
    WARNING,
    ("some utterances are only in the reference, and their labels count as deleted: {names!r}"),
    "deleted",
)
ONLY_HYPOTHESIS = Entry(
    "ONE-SIDED",
    WARNING,
    ("some utterances are only in the hypothesis, and their labels count as inserted: {names!r}"),
    "inserted",
)
LATE = Entry("LATE", WARNING, "{labels:label ends/labels end} after the end of the utterance")
NOT_SCORED = Entry(
    "NOT-SCORED",
    WARNING,
    "{labels:label is/labels are} in parts of the reference that are not scored",
)
WITHOUT_TEXT = Entry(
    "WITHOUT-TEXT",
    WARNING,
    "{path}: {segments:segment has/segments have} no text and therefore no label",
)
WITHOUT_DURATION = Entry("DURATION", WARNING, "{path}: some utterances have no duration: {names!r}")

# Lexicons and words of keyword search.
LEXICON_REPEATED = Entry(
    "LEXICON-REPEATED", NOTE, "the entry of word {word!r} repeats a pronunciation"
)
LEXICON_EMPTY = Entry(
    "LEXICON-EMPTY",
    WARNING,
    ("word {word!r} has an empty pronunciation, so a hypothesis that lacks this word has no error"),
    several=(
        "{times} words have an empty pronunciation, so hypotheses that lack these words "
        "have no errors"
    ),
)
LEXICON_NO_WORDS = Entry("LEXICON-NO-WORDS", WARNING, "the lexicon contains no words")
LEXICON_NUMBER = Entry(
    "LEXICON-NUMBER",
    WARNING,
    "the number {phoneme!r} is read as a phoneme; a lexicon with probabilities needs "
    "the format {format}",
    several=(
        "{times} numbers are read as phonemes; a lexicon with probabilities needs the "
        "format {format}"
    ),
)
WITHOUT_SPEAKERS = Entry(
    "KWS-CTM",
    NOTE,
    "a CTM has no speakers, so words that follow each other on a channel may form a keyword "
    "({words:word/words})",
)
WORDS_UNSORTED = Entry(
    "RTTM-ORDER",
    WARNING,
    "{words:word begins/words begin} before the previous word of the same speaker, so all words "
    "are sorted by time",
)

DECISIONS_WITHOUT_THRESHOLD = Entry(
    "DECISIONS",
    WARNING,
    "{name}: decisions follow no single threshold ({no} has NO at {most_no}, {yes} has YES at "
    "{least_yes}), so the actual value is that of the decisions and has no threshold",
    "kws",
)

# Errors.
CONTRADICTING_DECISIONS = Entry(
    "DECISIONS",
    ERROR,
    "{path}: expected decisions that follow one threshold, found NO at {most_no} ({no}) and YES at "
    "{least_yes} ({yes}); a threshold for each keyword gives such decisions ({advice} scores them "
    "as they are)",
    "contradicting",
    (Advice("inconsistent_decisions", "warn"),),
)
SEVERAL_TIERS = Entry(
    "TIERS",
    ERROR,
    "expected one tier, found the tiers {names!r} (name the tier with {advice[0]} or {advice[1]})",
    "several",
    (Advice("reference_tier", ""), Advice("hypothesis_tier", "")),
)
MIXED_TIMES = Entry(
    "LABELS-MIXED",
    ERROR,
    "some words have times, but the words of this segment have none (choose "
    "{advice[0]} or {advice[1]})",
    advice=(Advice("labels", "words"), Advice("labels", "segments")),
)
NOT_IN_BOTH = Entry(
    "ONE-SIDED",
    ERROR,
    "expected the same recordings in both files, found none in the {side} for {names} "
    "({advice} counts such recordings as errors)",
    "error",
    (Advice("unpaired", "score"),),
)
