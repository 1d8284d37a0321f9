"""Messages of benchmarks, histories and comparisons."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry

CHUNKS = Entry(
    "CHUNKS", WARNING, "{path}: chunks of {session}: expected 0 to {last}, found {chunks}"
)
ABSENT = Entry(
    "DELETED", WARNING, "{path}: {number:reference has/references have} no hypothesis", "number"
)
CELLS = Entry("CELLS", NOTE, "{path}: {new} scored, {old} from the history")
FOLDER_SKIPPED = Entry(
    "SKIPPED", NOTE, "{path}: skipped, because it does not hold both sides ({place}{problem})"
)
OTHER_RECORDED_NUMBERS = Entry(
    "RECORDED",
    WARNING,
    "{path}: {number:recorded number differs/recorded numbers differ} from ours; "
    "scoring compare with the same folder on both sides lists each",
    "differs",
)
OTHER_RECORDED_NUMBER = Entry(
    "RECORDED", WARNING, "{path}: {where}: recorded {recorded}, ours {ours}", "number"
)

# Sides that cannot be compared.
OTHER_TASK = Entry(
    "OTHER-TASK",
    ERROR,
    "{path}: expected a result of {expected}, as {other}, found one of {found}",
)
OTHER_RULES = Entry(
    "UNLIKE-RULES", ERROR, "{path}: expected the rules of {other}, {expected}, found {found}"
)
OTHER_RULES_OF_RUNS = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected the rules of {other}, {expected}, found {found} (the words to score again "
    "were not kept)",
    "run",
)
RUNS_BY_OTHER_RULES = Entry(
    "UNLIKE-RULES",
    ERROR,
    "expected runs of the same rules ({advice} compares others), found {expected} and {found}",
    "history",
    (Advice("allow", "rules"),),
)
OTHER_RECIPE = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected a result by {expected}, as {other}, found one by {found}",
    "recipe",
)
OTHER_MEASURE = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected the measure of {other}, {expected}, found {found}",
    "measure",
)
OTHER_CHOICES = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected the references and variants of {other}, found others",
    "choices",
)
OTHER_LENGTHS = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected errors per word of the chosen path, found {advice}",
    "lengths",
    (Advice("variants_length", ""),),
)
OTHER_UNIT = Entry(
    "OTHER-UNIT", ERROR, "{path}: expected {expected} as {other}, found {found}", "compared"
)
OTHER_SIZE = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "{path}: expected {expected} reference words as {other}, found {found} ({advice} compares "
    "them)",
    "sums",
    (Advice("allow", "references"),),
)
OTHER_REFERENCE = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "{path}: expected the reference of {other}, found another in {names} ({advice} compares "
    "nevertheless)",
    advice=(Advice("allow", "references"),),
)
OTHER_WORDS = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "{path}: expected the reference words of {other}, found others in {names} ({advice} compares "
    "nevertheless)",
    "words",
    (Advice("allow", "references"),),
)
UNEQUAL_COMPARED = Entry(
    "UNEQUAL",
    ERROR,
    "{path}: expected as many utterances as {reference}, {wanted}, found {number}: they are "
    "matched by position ({advice} skips those without hypothesis)",
    "compared",
    (Advice("allow", "missing"),),
)
SESSIONS_COMPARED = Entry(
    "SESSIONS",
    ERROR,
    "{path}: expected every session of {reference}, found none for {number}: {names} ({advice} "
    "skips them)",
    "compared",
    (Advice("allow", "missing"),),
)
MISSING_UNITS = Entry(
    "MISSING-UNITS",
    ERROR,
    "{path}: expected the {unit}s of {other}, missing {missing} ({advice} skips them)",
    advice=(Advice("allow", "missing"),),
)
NOTHING_COMMON = Entry(
    "NOTHING-COMMON",
    ERROR,
    "{path} and {other} have no {unit} in common, for example {found} and {expected}",
)
# Options of a comparison that its sides cannot have.
NO_GROUPS = Entry(
    "NO-GROUPS",
    ERROR,
    "{path}: expected {unit}s with {name!r} to group them by, found {found} ({advice} names a "
    "table that has it)",
    advice=(Advice("metadata", "FILE"),),
)
GROUPS_OF_SESSIONS = Entry(
    "OF-SESSIONS", ERROR, "expected groups of utterances, found a measure of sessions", "groups"
)
SPEAKERS_OF_SESSIONS = Entry(
    "OF-SESSIONS",
    ERROR,
    "speakers cannot be resampled, because this measure scores whole sessions",
    "speakers",
)
RUNS_OF_SESSIONS = Entry(
    "OF-SESSIONS",
    ERROR,
    "several runs of a system can be compared by utterance only, found a measure of sessions",
    "runs",
)
NO_SPEAKER = Entry(
    "NO-SPEAKER",
    ERROR,
    "to resample speakers, every {unit} needs a speaker, found none for {name!r} ({advice} "
    "resamples each by itself)",
    advice=(Advice("block", "utterance"),),
)
NO_RATIO = Entry(
    "NO-RATIO",
    ERROR,
    "several runs: expected a number that divides sums, found {number} of {task}",
)
SUMS_IN_GROUPS = Entry(
    "SUMS-ONLY", ERROR, "{path}: expected utterances to group, found only sums", "groups"
)
SUMS_IN_BLOCKS = Entry(
    "SUMS-ONLY", ERROR, "{path}: expected utterances to resample, found only sums", "blocks"
)
SEVERAL_SUMS = Entry(
    "SUMS-ONLY",
    ERROR,
    "{path}: several runs of a system need the utterances of each, found only sums",
    "runs",
)
NO_SUCH_TEST = Entry("NO-SUCH-TEST", ERROR, "the test {test} is of words, found results of {task}")
TEST_OF_WORDS = Entry(
    "NO-SUCH-TEST", ERROR, "the test {test} needs the words of both sides: {path} has none", "words"
)
NOTHING_CHECKED = Entry(
    "NOTHING-CHECKED",
    ERROR,
    "{paths: and }: expected recorded numbers to compare with ours ({advice}), found none",
    advice=(Advice("fail_if_recorded_differs"),),
)
NOTHING_RECORDED = Entry(
    "NOTHING-CHECKED",
    ERROR,
    "{paths: and }: expected recorded numbers ({advice}), found none",
    "records",
    (Advice("fail_if_unchecked"),),
)
MEASURES_OF_SESSIONS = Entry(
    "OF-SESSIONS", ERROR, "expected measures of utterances, found a measure of sessions", "measures"
)
ALIGNED_WITH = Entry(
    "ALIGNED-WITH",
    ERROR,
    "{path}: expected alignments with {expected}, as in {other}, found alignments with {found} "
    "({advice} aligns both again by plain words)",
    advice=(Advice("profile", "sclite"),),
)
OTHER_NUMBER = Entry(
    "OTHER-NUMBER", ERROR, "{condition}: expected a number of {task}, found one of {found}"
)
NO_TEST = Entry("NO-TEST", ERROR, "{condition} is impossible: {reason}")
NOT_A_RATE = Entry(
    "NOT-A-RATE", ERROR, "expected an error rate in percent such as 12.5 or 12.5%, found {text!r}"
)
INCREASE = Entry(
    "NOT-A-RATE",
    ERROR,
    NOT_A_RATE.text + " (an increase over a baseline is {advice} of `scoring compare`)",
    "increase",
    (Advice("fail_increase", "{amount}"),),
)
NEEDS_ALL = Entry(
    "NEEDS-ALL",
    NOTE,
    "passes, because {advice} needs every condition to fail",
    advice=(Advice("fail_when", "all"),),
)
# Why there is no interval and no test.
ONLY_SUMS = Entry(
    "NO-INTERVAL", NOTE, "{paths: and } has only sums, not the errors of each utterance", "sums"
)
SEVERAL_RUNS = Entry("NO-INTERVAL", NOTE, "several runs", "runs")
# Which run is the baseline, by what chose it among several.
_CHOSEN_BASELINE = "{history}: the baseline is run {number}, "
_SLOW_LOSS = "compared with the run before, a slow loss over many runs passes (scoring gate accept "
BASELINES = {
    "best": Entry(
        "MOVING-BASELINE",
        NOTE,
        _CHOSEN_BASELINE
        + "the best of {runs:run/runs}: low by luck, so that more versions fail than "
        "against a run that was accepted (scoring gate accept)",
        "best",
    ),
    "latest": Entry(
        "MOVING-BASELINE",
        NOTE,
        _CHOSEN_BASELINE + "the latest of {runs:run/runs}: " + _SLOW_LOSS + "keeps a run)",
        "latest",
    ),
    "unaccepted": Entry(
        "MOVING-BASELINE",
        NOTE,
        _CHOSEN_BASELINE
        + "the latest of {runs:run/runs}, because none has the tag pinned=yes: "
        + _SLOW_LOSS
        + "sets the tag)",
        "unaccepted",
    ),
    "accepted": Entry(
        "BASELINE",
        NOTE,
        _CHOSEN_BASELINE + "the one of {runs:run/runs} that was accepted last (tag pinned=yes)",
    ),
}
NOTHING_ACCEPTED = Entry(
    "NOTHING-ACCEPTED",
    ERROR,
    "{history}: expected an accepted run of {set}, found no history (record one with `scoring gate "
    "accept`)",
)
NO_SUCH_GROUP = Entry(
    "NO-SUCH-GROUP", ERROR, "{condition}: expected one of {groups}, found {group}"
)
SMALL_GROUPS = Entry(
    "SMALL-GROUPS",
    ERROR,
    "expected a group with {least} reference words, found none of {groups} ({advice} sets the "
    "least number)",
    advice=(Advice("group_words", "N"),),
)
EMPTY_GROUPS = Entry(
    "SMALL-GROUPS",
    ERROR,
    "expected a group with something in the reference, found none of {groups}",
    "empty",
)

# Results that nothing can be scored beside.
LACKS_REFERENCE = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a result of Kaldi, ESPnet, icefall, SpeechBrain, WeNet, sclite or NeMo, a JSON "
    "record of `scoring wer` or a history of runs; transcripts need their reference: `scoring "
    "compare REF BASELINE NEW`, or {advice}",
    advice=(Advice("reference", "REF"),),
)
NOT_KEPT = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected {advice}: the record of {reference} does not hold it",
    "record",
    (Advice("reference", "FILE"),),
)
_CHANGED = "expected the new side by the rules of the record, found other {rules} "
CHANGED_RULES = Entry(
    "CHANGED-RULES",
    ERROR,
    _CHANGED + "(a file of rules has changed: restore it, or record the run again)",
)
MATCHED_OTHERWISE = Entry(
    "CHANGED-RULES",
    ERROR,
    _CHANGED + "(compare both transcripts, or record the run again with {advice})",
    "matching",
    (Advice("cut", "alignment"),),
)
SEVERAL_REFERENCES = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "expected no {advice}, since the record holds {number} references, found one",
    "several",
    (Advice("reference", ""),),
)
OTHER_FILE = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "expected the reference of {other}, {reference} (sha256 {expected}), found another (sha256 "
    "{found}) ({advice} compares nevertheless)",
    "file",
    (Advice("allow", "references"),),
)

# Sums that a history imports.
TAGS_OF_RUNS = Entry(
    "TAGS-OF-RUNS",
    ERROR,
    "expected sums with {advice[0]} and {advice[1]}, found exported runs with their own",
    advice=(Advice("tag", ""), Advice("recorded", "")),
)
