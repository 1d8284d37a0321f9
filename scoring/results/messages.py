"""Messages of results: removed words, unscored words."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

EMPTIED = Entry(
    "NORMALISED-AWAY",
    WARNING,
    "{path}: normalisation left no words in {number:utterance/utterances} of the {side}: {names}",
)
WORDS_MET = Entry("WORDS-MET", NOTE, "{path}: {step} found {words:word/words}")
OTHER_SCRIPT = Entry("SCRIPT", NOTE, "{path}: {step}: expected a text in {expected}, found {found}")
WITHOUT_METADATA = Entry(
    "METADATA",
    NOTE,
    "{path}: {number:utterance without values in the metadata is/utterances without values in the "
    "metadata are} in group {group}: {names} (the metadata is joined by {level})",
)
UNSCORED = Entry(
    "UNSCORED",
    WARNING,
    "{path}: {number:hypothesis without a reference is/hypotheses without a reference are} "
    "not scored ({words} {unit}s): {names}",
)
SESSION_UNSCORED = Entry(
    "UNSCORED", WARNING, "{path}: session {session!r} is not scored: {reason}", "session"
)
KEPT = Entry(
    "KEPT", NOTE, "{path}: kept {kept:,} of {total:,} utterances: {conditions}", is_shown=True
)
KEPT_RECORDINGS = Entry(
    "KEPT",
    NOTE,
    "{path}: kept {kept:,} of {total:,} recordings: {conditions}",
    "recordings",
    is_shown=True,
)
UNIT_OF_DURATIONS = Entry(
    "TIME-UNIT",
    NOTE,
    "{path}: the times in {name!r} are read in a unit of 1/{parts} of a second, because this "
    "unit fits the pace of speech",
    is_shown=True,
)
VALUELESS_KEPT = Entry(
    "KEPT",
    NOTE,
    "{path}: {number:utterance has/utterances have} no {name}; {condition} keeps these",
    "without-kept",
)
VALUELESS_DROPPED = Entry(
    "KEPT",
    NOTE,
    "{path}: {number:utterance has/utterances have} no {name}; {condition} drops these",
    "without",
)
RECORDINGS_VALUELESS_KEPT = Entry(
    "KEPT",
    NOTE,
    "{path}: {number:recording has/recordings have} no {name}; {condition} keeps these",
    "recordings-without-kept",
)
RECORDINGS_VALUELESS_DROPPED = Entry(
    "KEPT",
    NOTE,
    "{path}: {number:recording has/recordings have} no {name}; {condition} drops these",
    "recordings-without",
)
NO_SUCH_VALUE = Entry(
    "KEPT",
    WARNING,
    "{path}: no utterance has the {name} {value!r}, as in {condition} (values: {values})",
    "value",
)
NONE_KEPT = Entry(
    "KEPT",
    ERROR,
    "expected utterances with {conditions: and }, found none among {total:,} ({values:; })",
    "none",
)
NO_RECORDING_KEPT = Entry(
    "KEPT",
    ERROR,
    "expected recordings with {conditions: and }, found none among {total:,} ({values:; })",
    "recordings-none",
)
SEVERAL_VALUES = Entry(
    "KEPT",
    ERROR,
    "{condition} needs one {name} for each recording, because speakers are assigned in whole "
    "recordings; found {values: and } in {recording}",
    "recordings-several",
)
NO_DURATION = Entry(
    "KEPT",
    ERROR,
    "{condition} chooses segments, but speakers are assigned in whole recordings: expected a "
    "property of recordings, found {name}",
    "recordings-duration",
)
NOT_COMPARABLE = Entry(
    "KEPT",
    ERROR,
    "{condition} compares numbers: expected a number as {name}, found {value!r} (utterance "
    "{row:,})",
    "number",
)
NO_PROPERTY = Entry(
    "KEPT",
    ERROR,
    "no utterance has {name!r}, which a condition names (available: {available})",
    "property",
)
NO_CONDITION = Entry(
    "KEPT",
    ERROR,
    "expected a condition such as device=phone, device!=phone or duration>6, found {condition!r}",
    "condition",
)
NO_PROPERTY_NEAR = Entry(
    "KEPT",
    ERROR,
    "no utterance has {name!r}, which a condition names (available: {available}); did you mean "
    "{near: or }?",
    "property-near",
)
NO_SPEAKERS_TO_GROUP = Entry(
    "NO-SPEAKERS",
    ERROR,
    "no utterance has a speaker, so the rates cannot be grouped by {name!r} (available: "
    "{available: or }); {advice} names the speakers, and the group is called speaker",
    "groups",
    (Advice("utt2spk", "FILE"),),
)
DROPPED_AS_KALDI = Entry(
    "DELETED",
    WARNING,
    "{path}: {number:reference without a hypothesis is/references without a hypothesis are} "
    "skipped, as in Kaldi: {names}",
    "kaldi",
)
OTHER_IDENTIFIERS = Entry(
    "METADATA",
    ERROR,
    (
        "the metadata has no identifiers of {levels: or }: expected, for example, "
        "{first!r}, found {found!r} ({advice} names the column of the identifiers)"
    ),
    "identifiers",
    (Advice("metadata_key", "LEVEL=COLUMN"),),
)
SPEAKERS_OF_METADATA = Entry(
    "METADATA",
    ERROR,
    (
        "the metadata has no identifiers of {levels: or }: {first!r} begins with {found!r}, so the "
        "metadata may be of speakers, which the utterances do not have ({advice[0]} names a file "
        "with the speaker of each utterance, {advice[1]} the column of other identifiers)"
    ),
    "speakers",
    (Advice("utt2spk", "FILE"), Advice("metadata_key", "LEVEL=COLUMN")),
)
SPEAKERS_IN_NAMES = Entry(
    "METADATA",
    NOTE,
    "{path}: the metadata is joined by the beginning of the names of utterances, as in {found!r} "
    "of {first!r} ({advice} names a file with the speaker of each utterance)",
    "speakers in names",
    (Advice("utt2spk", "FILE"),),
)
NO_IDENTIFIERS = Entry(
    "METADATA",
    ERROR,
    (
        "the metadata has no rows; expected identifiers of {levels: or }, such as "
        "{first!r} ({advice} names the column of the identifiers)"
    ),
    "empty",
    (Advice("metadata_key", "LEVEL=COLUMN"),),
)
LEVELS_EQUAL = Entry(
    "METADATA",
    ERROR,
    (
        "the identifiers of the metadata may name {levels: or }, with the same number "
        "of matches; choose, for example, {advice}"
    ),
    "levels",
    (Advice("metadata_key", "{level}"),),
)
BY_COLUMN = Entry(
    "METADATA",
    ERROR,
    "expected {advice} with one of the columns of the metadata: {names}",
    "by",
    (Advice("by", ""),),
)
BY_NO_COLUMN = Entry(
    "METADATA",
    ERROR,
    ("expected {advice} with a column of the metadata, found no columns in the metadata"),
    "by-none",
    (Advice("by", ""),),
)
# Parts of a run that are no whole.
SHARD_TWICE = Entry(
    "SHARD-TWICE",
    ERROR,
    "expected each shard once, found shard {shard} of {table} here and in {other}",
)
SHARDS_MISSING = Entry(
    "SHARDS-MISSING",
    ERROR,
    ("{table} has {shards} shards, and shard {missing} is not among the files"),
)
PART_OF_ANOTHER = Entry(
    "SHARD-OF-ANOTHER",
    ERROR,
    "expected a shard of the same run as {other}, found a shard of another run",
)
