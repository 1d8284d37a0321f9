"""Messages of benchmarks, histories and comparisons."""

from formats.schema.messages import ERROR, NOTE, PART, WARNING, Advice, Entry

OF_TEXTS = "`scoring wer REF HYP` scores files of texts"
CHUNKS = Entry(
    "CHUNKS", WARNING, "{path}: expected chunks 0 to {last} of {session}, found {chunks}"
)
CELLS = Entry(
    "CELLS",
    NOTE,
    (
        "{path}: {new:result was/results were} scored now, and {old:result was/results "
        "were} read from the history"
    ),
)
FOLDER_SKIPPED = Entry(
    "SKIPPED",
    NOTE,
    "{path}: the folder is skipped: {place}{problem}",
)
BEST_WEIGHTS = Entry(
    "KALDI-WEIGHTS",
    NOTE,
    "{path}: the hypotheses of the best weights are scored: {weights} ({names})",
)
CHOSEN_WEIGHTS = Entry(
    "KALDI-WEIGHTS",
    NOTE,
    "{path}: the texts of all weights were scored, and the best weights were chosen on this "
    "reference itself (weights chosen on development data give a fair rate)",
    "chosen",
)
OTHER_WEIGHTS = Entry(
    "KALDI-WEIGHTS",
    WARNING,
    "{path}: the best weights of the unfiltered texts are {best} ({names}), but the reports of "
    "the folder, for example after a global map (GLM), have the lowest rate at {recorded}; "
    "`scoring wer {folder}` scores those texts",
    "recorded",
)
WORD_TABLE = Entry(
    "WORD-TABLE",
    NOTE,
    "{path}: word numbers are replaced by the words of {table}",
)
OTHER_RECORDED_NUMBERS = Entry(
    "RECORDED",
    WARNING,
    "{path}: {number:recorded number differs/recorded numbers differ} from the "
    "numbers of this program (scoring compare with this folder on both sides lists "
    "each difference)",
    "differs",
)
OTHER_RECORDED_NUMBER = Entry(
    "RECORDED",
    WARNING,
    ("{path}: {where}: the recorded number is {recorded}, but this program computes {ours}"),
    "number",
)

# Sides that cannot be compared.
OTHER_TASK = Entry(
    "OTHER-TASK",
    ERROR,
    "{path}: expected a result of {expected} as in {other}, found a result of {found}",
)
OTHER_RULES = Entry(
    "UNLIKE-RULES", ERROR, "{path}: expected the rules {expected}, as in {other}, found {found}"
)
OTHER_RULES_OF_RUNS = Entry(
    "UNLIKE-RULES",
    ERROR,
    (
        "{path}: expected the rules {expected}, as in {other}, found {found} (the words "
        "were not kept, so the run cannot be scored again)"
    ),
    "run",
)
RUNS_BY_OTHER_RULES = Entry(
    "UNLIKE-RULES",
    ERROR,
    "expected runs with the same rules, found {expected} and {found} ({advice} "
    "compares runs with different rules)",
    "history",
    (Advice("allow", "rules"),),
)
OTHER_RECIPE = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected a result of {expected}, as in {other}, found {found}",
    "recipe",
)
OTHER_MEASURE = Entry(
    "UNLIKE-RULES",
    ERROR,
    "{path}: expected the measure {expected}, as in {other}, found {found}",
    "measure",
)
OTHER_CHOICES = Entry(
    "UNLIKE-RULES",
    ERROR,
    ("{path}: expected the references and variants of {other}, found other references or variants"),
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
    "OTHER-UNIT", ERROR, "{path}: expected {expected} as in {other}, found {found}", "compared"
)
OTHER_SIZE = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "{path}: expected {expected} reference words as in {other}, found {found} "
    "({advice} compares the results anyway)",
    "sums",
    (Advice("allow", "references"),),
)
OTHER_REFERENCE = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "{path}: expected the reference of {other}, found a different reference in "
    "{names} ({advice} compares the results anyway)",
    advice=(Advice("allow", "references"),),
)
OTHER_WORDS = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "{path}: expected the reference words of {other}, found different words in "
    "{names} ({advice} compares the results anyway)",
    "words",
    (Advice("allow", "references"),),
)
UNEQUAL_COMPARED = Entry(
    "UNEQUAL",
    ERROR,
    (
        "{path}: for matching by position, expected {wanted:utterance/utterances} as in "
        "{reference}, found {number} ({advice} skips references without hypothesis)"
    ),
    "compared",
    (Advice("allow", "missing"),),
)
SESSIONS_COMPARED = Entry(
    "SESSIONS",
    ERROR,
    "{path} lacks {number:session/sessions} of {reference}: {names} ({advice} skips "
    "these sessions)",
    "compared",
    (Advice("allow", "missing"),),
)
MISSING_UNITS = Entry(
    "MISSING-UNITS",
    ERROR,
    "{path} lacks {missing} {unit}s of {other} ({advice} skips these {unit}s)",
    advice=(Advice("allow", "missing"),),
)
NOTHING_COMMON = Entry(
    "NOTHING-COMMON",
    ERROR,
    "{path} and {other} have no {unit} in common: for example, {path} has {found}, and "
    "{other} has {expected}",
)
# Options of a comparison that its sides cannot have.
NO_GROUPS = Entry(
    "NO-GROUPS",
    ERROR,
    "{path}: expected {unit}s with {name!r} to group by, found {found} ({advice} "
    "names a table with {name!r})",
    advice=(Advice("metadata", "FILE"),),
)
GROUPS_OF_SESSIONS = Entry(
    "OF-SESSIONS",
    ERROR,
    "expected a measure that scores utterances, because groups need one, found a measure that "
    "scores whole sessions",
    "groups",
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
    "several runs can be compared only by a measure of utterances, and this measure "
    "scores whole sessions",
    "runs",
)
NO_SPEAKER = Entry(
    "NO-SPEAKER",
    ERROR,
    "expected a speaker for every {unit} to resample speakers, found none for "
    "{name!r} ({advice} resamples each {unit} separately)",
    advice=(Advice("block", "utterance"),),
)
NO_RATIO = Entry(
    "NO-RATIO",
    ERROR,
    (
        "several runs can be compared only by a rate that is one sum divided by another; "
        "{number} of {task} is not such a rate"
    ),
)
SUMS_IN_GROUPS = Entry(
    "SUMS-ONLY",
    ERROR,
    "{path}: groups need the errors of each utterance, but the file has only totals",
    "groups",
)
SUMS_IN_BLOCKS = Entry(
    "SUMS-ONLY",
    ERROR,
    ("{path}: resampling needs the errors of each utterance, but the file has only totals"),
    "blocks",
)
SEVERAL_SUMS = Entry(
    "SUMS-ONLY",
    ERROR,
    (
        "{path}: a comparison of several runs needs the errors of each utterance, but "
        "the file has only totals"
    ),
    "runs",
)
NO_SUCH_TEST = Entry(
    "NO-SUCH-TEST", ERROR, "the test {test} needs results of words, found results of {task}"
)
TEST_OF_WORDS = Entry(
    "NO-SUCH-TEST",
    ERROR,
    "the test {test} needs the words of both sides, but {path} has no words",
    "words",
)
NOTHING_CHECKED = Entry(
    "NOTHING-CHECKED",
    ERROR,
    "{paths: and }: expected recorded numbers that can be compared with the numbers "
    "of this program ({advice}), found none",
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
    "OF-SESSIONS",
    ERROR,
    "expected a measure that scores utterances, because further measures need one, found a "
    "measure that scores whole sessions",
    "measures",
)
ALIGNED_WITH = Entry(
    "ALIGNED-WITH",
    ERROR,
    "{path}: expected alignments with {expected}, as in {other}, found alignments with {found} "
    "({advice} aligns the plain words of both sides again)",
    advice=(Advice("profile", "sclite"),),
)
OTHER_NUMBER = Entry(
    "OTHER-NUMBER",
    ERROR,
    ("{condition}: expected a number that {task} computes, found a number of {found}"),
)
NO_TEST = Entry("NO-TEST", ERROR, "the condition {condition} cannot be tested: {reason}")
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
    "this does not fail the check, because another condition passes ({advice})",
    advice=(Advice("fail_when", "all"),),
)
# Hypotheses of the baseline that the new version lacks.
LOST = Entry(
    "LOST",
    NOTE,
    "{path} has no hypothesis for {number:reference/references} with a hypothesis in {other}: "
    "{names}; their words count as deletions",
)
LOST_SPEAKERS = Entry(
    "LOST",
    NOTE,
    "{path} has no hypothesis for {number:reference/references} with a hypothesis in {other}, "
    "including all of speaker {speakers: and }: {names}; their words count as deletions",
    "speakers",
)
LOST_IN_MEETINGS = Entry(
    "LOST",
    NOTE,
    "{path} has no words for {number:session or speaker/sessions or speakers} with words in "
    "{other}: {names}; their words count as deletions",
    "meetings",
)
NOT_EXCUSED = Entry(
    "LOST",
    NOTE,
    "chance does not lose hypotheses, so it does not excuse the change ({advice} compares only the "
    "utterances of both)",
    "not excused",
    (Advice("allow", "missing"),),
)
LOST_UNKNOWN = Entry(
    "LOST",
    ERROR,
    "{path}: {advice} cannot be checked: it is not recorded which hypotheses are missing",
    "unknown",
    (Advice("fail_if_missing"),),
)
# Why there is no interval and no test.
ONLY_SUMS = Entry(
    "NO-INTERVAL", PART, "{paths: and } has only sums, not the errors of each utterance", "sums"
)
SEVERAL_RUNS = Entry("NO-INTERVAL", PART, "several runs are compared", "runs")
# Which run is the baseline, by what chose it among several.
_CHOSEN_BASELINE = "{history}: the baseline is run {number}, "
_SLOW_LOSS = (
    "each run is compared only with the run before, so a slow increase of errors "
    "over many runs passes (scoring gate accept "
)
BASELINES = {
    "best": Entry(
        "MOVING-BASELINE",
        NOTE,
        _CHOSEN_BASELINE
        + "the best of {runs:run/runs}; its rate is low partly by chance, so more new "
        "versions fail "
        "than against an accepted run (scoring gate accept)",
        "best",
    ),
    "latest": Entry(
        "MOVING-BASELINE",
        NOTE,
        _CHOSEN_BASELINE + "the latest of {runs:run/runs}; " + _SLOW_LOSS + "pins a run)",
        "latest",
    ),
    "unaccepted": Entry(
        "MOVING-BASELINE",
        NOTE,
        _CHOSEN_BASELINE
        + "the latest of {runs:run/runs}, because no run has the tag pinned=yes; "
        + _SLOW_LOSS
        + "sets the tag)",
        "unaccepted",
    ),
    "accepted": Entry(
        "BASELINE",
        NOTE,
        _CHOSEN_BASELINE + "the last accepted run of {runs:run/runs} (tag pinned=yes)",
    ),
}
NOTHING_ACCEPTED = Entry(
    "NOTHING-ACCEPTED",
    ERROR,
    "{history}: expected an accepted run of {set}, found none (`scoring gate accept {suite} "
    "{advice[0]} {advice[1]} {advice[2]}` accepts the new results)",
    advice=(Advice("only", "{only}"), Advice("author", "NAME"), Advice("reason", "TEXT")),
)
NO_SUCH_GROUP = Entry(
    "NO-SUCH-GROUP", ERROR, "{condition}: expected one of {groups}, found {group}"
)
SMALL_GROUPS = Entry(
    "SMALL-GROUPS",
    ERROR,
    "expected a group with at least {least} reference words, found none in {groups} "
    "({advice} sets this minimum)",
    advice=(Advice("group_words", "N"),),
)
EMPTY_GROUPS = Entry(
    "SMALL-GROUPS",
    ERROR,
    "expected a group with words in the reference, found none in {groups}",
    "empty",
)

# Results that nothing can be scored beside.
PENALTY_FOLDER = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a folder with both sides, found hypotheses of a penalty (did you mean {folder}?)",
    "penalty",
)
ONLY_HYPOTHESES = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a reference beside the hypotheses, such as scoring/test_filt.txt, found none (name "
    "the reference, too: scoring wer data/test/text {hypothesis})",
    "kaldi",
)
CTM_FOLDERS = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a folder with both sides, found a CTM for each weight (this ranks all weights: "
    "scoring wer {reference} {hypotheses})",
    "ctm",
)
ONLY_CTM = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a folder with both sides, found a CTM for each weight (name the reference, too: "
    "scoring wer data/test/stm {hypotheses})",
    "only ctm",
)
REFERENCE_OF_HYPOTHESES = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a reference, found the hypotheses of several weights (name the reference first)",
    "hypotheses",
)
ONLY_RATES = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected texts, found recorded rates only (the lowest rate is {rate} % in {name})",
    "rates",
)
ONLY_LATTICES = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected texts, found lattices such as {lattice} (the recipe's local/score.sh writes texts)",
    "lattices",
)
NO_WORD_TABLE = Entry(
    "NO-WORD-TABLE",
    ERROR,
    "the words are numbers: expected their table in {where}, found no file (copy the words.txt of "
    "this graph to {table})",
)
LACKS_REFERENCE = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected a result of Kaldi, ESPnet, icefall, SpeechBrain, WeNet, sclite or NeMo, "
    "a JSON record of `scoring wer`, or a history of runs; a transcript needs a "
    "reference: use `scoring compare REF BASELINE NEW` or {advice}",
    advice=(Advice("reference", "REF"),),
)
NOT_KEPT = Entry(
    "LACKS-REFERENCE",
    ERROR,
    "expected {advice}, because the record does not contain the reference {reference}",
    "record",
    (Advice("reference", "FILE"),),
)
_CHANGED = "the new side cannot be scored by the rules of the record, because it has other {rules} "
CHANGED_RULES = Entry(
    "CHANGED-RULES",
    ERROR,
    _CHANGED + "(a file of rules has changed: restore this file, or record the run again)",
)
MATCHED_OTHERWISE = Entry(
    "CHANGED-RULES",
    ERROR,
    _CHANGED + "(the utterances of both versions were matched in different ways: compare both "
    "transcripts, or record the run again with {advice})",
    "matching",
    (Advice("cut", "alignment"),),
)
NEW_MATCHED_OTHERWISE = Entry(
    "CHANGED-RULES",
    ERROR,
    "{path}: expected utterances matched by {baseline} as those of the baseline, found {new} (both "
    "sides need identifiers, or the same number of lines as the reference)",
    "new",
)
SEVERAL_REFERENCES = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "expected no {advice}, because the record already contains {number:reference/references}",
    "several",
    (Advice("reference", ""),),
)
OTHER_FILE = Entry(
    "OTHER-REFERENCE",
    ERROR,
    "expected the reference of {other}, {reference} (sha256 {expected}), found "
    "another file (sha256 {found}) ({advice} compares the results anyway)",
    "file",
    (Advice("allow", "references"),),
)

# Sums that a history imports.
TAGS_OF_RUNS = Entry(
    "TAGS-OF-RUNS",
    ERROR,
    (
        "expected totals of other programs for {advice[0]} and {advice[1]}, found runs of "
        "`history export`, which have their own tags and dates"
    ),
    advice=(Advice("tag", ""), Advice("recorded", "")),
)
