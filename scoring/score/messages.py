"""Messages about the choices behind a score: how files were read, which measure was chosen."""

from formats.schema.messages import ERROR, NOTE, PART, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

# How plain texts are taken.
AS_KALDI = Entry("READ-AS", NOTE, "{path}: the file is read as a Kaldi text file", "kaldi")
AS_KALDI_OF = Entry(
    "READ-AS",
    NOTE,
    "{path}: the file is read as a Kaldi text file, because its identifiers are in {partner}, too",
    "kaldi-partner",
)
AS_MAPPING = Entry(
    "READ-AS",
    NOTE,
    "{path}: the JSON object is read as a mapping from identifiers to texts",
    "mapping",
)
AS_MAPPING_OF = Entry(
    "READ-AS",
    NOTE,
    "{path}: the JSON object is read as a mapping from identifiers to texts, because "
    "its identifiers are in {partner}, too",
    "mapping-partner",
)
AS_MEMBER = Entry("READ-AS", NOTE, '{path}: the member "text" is scored as one utterance', "member")
AS_TEXT = Entry("READ-AS", NOTE, "{path}: the file is read as plain text", "text")
AS_TEXTS = Entry(
    "READ-AS",
    NOTE,
    "{path} and {partner}: each file is read as plain text (txt) and is one "
    "utterance; the files have {lines} and {partner_lines} lines",
    "texts",
)
LINES_DIFFER = Entry(
    "LINES-DIFFER",
    WARNING,
    "{path} and {partner}: each file is read as plain text (txt) and is one utterance, because the "
    "files have {lines} and {partner_lines} lines; if a line is an utterance, add an empty line "
    "for each one that is missing",
)
LINE_BY_LINE = Entry(
    "READ-AS",
    NOTE,
    "{path} and {partner}: the {lines} lines of the files are compared line by line "
    "({advice} compares whole files)",
    "lines",
    (Advice("reference_format", "txt"), Advice("hypothesis_format", "txt")),
)
UNEQUAL_LINES = Entry(
    "UNEQUAL",
    ERROR,
    "{path}: expected {wanted} lines as in {reference}, found {number}, because "
    "{recipe} compares line by line ({advice} compares whole files)",
    "lines",
    (Advice("reference_format", "txt"), Advice("hypothesis_format", "txt")),
)
LINES_OF_UTTERANCES = Entry(
    "READ-AS",
    NOTE,
    (
        "{path}: {lines:line is read as the utterance/lines are read as the utterances} of "
        "{partner}, in the same order"
    ),
    "utterances",
)

# Choices.
REFERENCES_IDLE = Entry(
    "IDLE-OPTION",
    NOTE,
    ("{choice} has no effect, because there is only one reference ({advice} adds a reference)"),
    "references",
    (Advice("further_reference", "FILE"),),
)
CHOICE = Entry("BESIDE-RECIPE", PART, "{option}={value}", "choice")
REFERENCES = Entry("BESIDE-RECIPE", PART, "{references:reference/references}", "references")
BESIDE_RECIPE = Entry(
    "BESIDE-RECIPE",
    NOTE,
    ("{choices} differ from the rules of {recipe}, so this is not the number of the recipe"),
)
# The measure that fits the speakers and times of the files.
SUITABLE = {
    "tcp": Entry(
        "MEASURE", NOTE, "the measure is {title}, because segments have speakers and times", "tcp"
    ),
    "cp": Entry(
        "MEASURE",
        NOTE,
        "the measure is {title}, because segments have speakers, but not all segments have times",
        "cp",
    ),
    "tcorc": Entry(
        "MEASURE",
        NOTE,
        "the measure is {title}, because segments have times, and segments of the hypothesis have "
        "no speakers",
        "tcorc",
    ),
    "orc": Entry(
        "MEASURE",
        NOTE,
        "the measure is {title}, because segments have no times, and segments of the "
        "hypothesis have "
        "no speakers",
        "orc",
    ),
}
SUITABLE_WITHOUT = {
    "tcorc": Entry(
        "MEASURE",
        NOTE,
        "the measure is {title}, because segments have times, and segments of the reference have "
        "no speakers",
        "tcorc-reference",
    ),
    "orc": Entry(
        "MEASURE",
        NOTE,
        "the measure is {title}, because not all segments have times, and segments of the "
        "reference "
        "have no speakers",
        "orc-reference",
    ),
}
# A measure that compares speakers, of a side that names none.
NO_SPEAKERS = Entry(
    "NO-SPEAKERS",
    ERROR,
    "the {side} has no speakers, which {title} needs "
    "({advice} chooses a measure that needs no speakers)",
    advice=(Advice("meeting", "auto"),),
)
NO_SPEAKERS_BUT_TURNS = Entry(
    "NO-SPEAKERS",
    ERROR,
    "the {side} has no speakers, which {title} needs "
    "({advice[0]} chooses a measure that needs no speakers, and {advice[1]} reads the "
    "speakers from a file of turns)",
    "turns",
    (Advice("meeting", "auto"), Advice("{side}_option", "speakers=turns.rttm")),
)
SAME_WORDS = Entry(
    "SAME-WORDS",
    ERROR,
    "expected another stream or session of the system of {other}, found the same words: {percent} "
    "% of the sequences of three words are in both files, for example in session {session!r} "
    "({advice[0]} {advice[1]} scores two systems)",
    advice=(Advice("system", "{name}={other}"), Advice("system", "{of_file}={path}")),
)
SESSION = Entry("SESSION", WARNING, "{path}: session {session!r} is {state}: {reason}")
TOO_LARGE = Entry(
    "SESSION",
    WARNING,
    "{path}: session {session!r} is {state}: {reason} ({advice} estimates the errors "
    "of the session)",
    "too-large",
    (Advice("greedy"),),
)
GREEDY = Entry(
    "SESSION",
    WARNING,
    "{path}: session {session!r} is too large for an exact search; a greedy search found "
    "{errors:error/errors}, and the exact minimum is at least {least}",
    "greedy",
)
_GREEDY_OF_SEVERAL = (
    "{path}: {sessions} sessions are too large for an exact search; greedy searches found "
    "{errors:error/errors} in them, and the exact minimum is at least {least}: {names}"
)
GREEDY_OF_SEVERAL = Entry("SESSION", WARNING, _GREEDY_OF_SEVERAL, "greedy-sessions")
GREEDY_ORC_OF_SEVERAL = Entry(
    "SESSION",
    WARNING,
    f"{_GREEDY_OF_SEVERAL} ({{advice}} uses the times, and is then often exact)",
    "greedy-orc-sessions",
    (Advice("meeting", "tcorc"),),
)
AS_RECORDING = Entry(
    "ONLY-RECORDING", NOTE, "{path}: the file is scored as recording {recording}", "scored"
)
OTHER_RULE = Entry(
    "OTHER-RULES",
    NOTE,
    "{path} was scored with {advice}, but here it is scored with {chosen}",
    "option",
    (Advice("{option}", "{recorded}"),),
)
SHARED_CUT = Entry(
    "CUT",
    NOTE,
    "{path}: the words have no times, so all systems are cut along the alignment of "
    "whole recordings ({advice} needs word times)",
    "shared",
    (Advice("cut", "time"),),
)
CAPTIONS = Entry(
    "CUT",
    NOTE,
    "{path}: the times are times of captions and not of speech, so whole recordings "
    "are aligned and then cut along the alignment ({advice} cuts by word times)",
    "captions",
    (Advice("cut", "time"),),
)
ACROSS_BORDERS = Entry(
    "BORDERS",
    NOTE,
    "{path}: {words:word is/words are} in different segments in the reference and the "
    "hypothesis, and each counts as a deletion and an insertion: {errors:,} of {all:,} "
    "errors ({advice} aligns the whole text first)",
    advice=(Advice("cut", "alignment"),),
)
SPACES_UNCOUNTED = Entry(
    "IDLE-OPTION",
    NOTE,
    "spaces are not counted (as with {advice}), because the segments of a speaker are not "
    "joined to one text",
    "spaces",
    (Advice("unit", "char"),),
)

# What a careful person would check.
UNSEPARATED = Entry(
    "NO-BLANKS",
    WARNING,
    "{path}: the text has no blanks between words; {advice[0]} compares characters, "
    "and {advice[1]} compares characters of Chinese and Japanese and words of other "
    "scripts (mixed+thai also compares characters of Thai)",
    advice=(Advice("unit", "char"), Advice("unit", "mixed")),
)
WORD_NUMBERS = Entry(
    "WORD-NUMBERS", ERROR,
    "expected words as in {reference}, found integers, of which {correct:,} agree with its "
    "{words:word/words}: a file words.txt beside Kaldi's .tra file, and Kaldi's utils/int2sym.pl, "
    "replace word numbers by words, {advice[0]} compares spoken numbers, and {advice[1]} "
    "scores the integers as they are",
    advice=(Advice("normalize", "numbers"), Advice("{side}_format", "kaldi")),
)  # fmt: skip
UNRELATED = Entry(
    "UNRELATED",
    WARNING,
    "{path}: only {correct:,} of {words:,} words agree with {reference}: are the two "
    "files of the same recording?",
)
UNRELATED_ROWS = Entry(
    "UNRELATED",
    WARNING,
    "{path}: {correct:,} of {words:,} words agree with {reference}, and {chance:,} "
    "words agree with the texts of other utterances: are the two files of the same "
    "recordings, in the same order?",
    "rows",
)
UNRELATED_BACKWARDS = Entry(
    "UNRELATED",
    WARNING,
    "{path}: {correct:,} of {words:,} words agree with {reference}, and {chance:,} "
    "words agree if its text is read backwards: are the two files of the same recording?",
    "backwards",
)
MANY_MORE_WORDS = Entry(
    "UNRELATED",
    WARNING,
    "{path}: the hypothesis has {heard:,} words, and {reference} has {words:,}: are the two files "
    "of the same recording?",
    "longer",
)
OTHER_TEXT = Entry(
    "OTHER-TEXT",
    WARNING,
    "{path}: all words are equal to the words of {reference}, but the rows have "
    "another text, {column!r}: is that text the hypothesis? ({advice} reads it)",
    advice=(Advice("hypothesis_option", "field={column}"),),
)
SAME_FILE = Entry(
    "SAME-FILE",
    WARNING,
    "{path} is both the reference and the hypothesis: was another file meant?",
)
EQUAL_FILES = Entry(
    "SAME-FILE",
    WARNING,
    "{path}: the file is equal to the reference {reference}, byte by byte: was another file meant?",
    "equal",
)
OWN_REFERENCE = Entry(
    "OWN-REFERENCE",
    NOTE,
    "{path}: the reference in this result is not used, because another reference is given",
)
_OTHER_ORDER = ": were the two swapped? (the other order scores the hypotheses in it)"
RESULT_AS_REFERENCE = Entry(
    "SWAPPED",
    WARNING,
    "{path}: all words are equal to the reference in {reference}" + _OTHER_ORDER,
    "result",
)
FILTERED_AS_REFERENCE = Entry(
    "SWAPPED",
    WARNING,
    "{path}: all words of the reference in {reference} are in this file, and all errors are "
    "{insertions:insertion/insertions}, as if a filter dropped words" + _OTHER_ORDER,
    "filtered result",
)
DATA_AS_HYPOTHESIS = Entry(
    "SWAPPED",
    WARNING,
    "{path} is the hypothesis, but {folder} has Kaldi's data for references, and {reference} has "
    "hypotheses" + _OTHER_ORDER,
    "data",
)
_GARBLED = ": {number:place/places} such as {written!r} for {meant!r} ({place})"
GARBLED = {
    "mojibake": Entry(
        "GARBLED",
        WARNING,
        "{path}: letters in UTF-8 were once read in another encoding" + _GARBLED,
        "mojibake",
    ),
    "entities": Entry(
        "GARBLED", WARNING, "{path}: letters are written as HTML entities" + _GARBLED, "entities"
    ),
    "look-alikes": Entry(
        "GARBLED",
        WARNING,
        "{path}: words contain letters of another script that look the same" + _GARBLED,
        "look-alikes",
    ),
}
GARBLED_BY_OPTION = Entry(
    "GARBLED",
    WARNING,
    "{path}: letters in UTF-8 were read in another encoding" + _GARBLED + "; see {advice}",
    "encoding",
    (Advice("{side}_encoding", "utf-8"),),
)
ENTITIES_DECODED = Entry(
    "GARBLED",
    WARNING,
    "{path}: letters are written as HTML entities" + _GARBLED + "; see {advice}",
    "entities-option",
    (Advice("{side}_option", "entities=true"),),
)
SESSIONS_MISSING = Entry(
    "SESSIONS",
    ERROR,
    "{path} lacks {number:session/sessions} of {reference}: {names} ({advice[0]} counts "
    "the words of these sessions as deleted, and {advice[1]} drops the sessions)",
    "missing",
    (Advice("missing", "delete"), Advice("missing", "skip")),
)
SESSIONS_EXTRA = Entry(
    "SESSIONS",
    ERROR,
    "{path}: {number:session is/sessions are} not in {reference}: {names} ({advice} "
    "drops these sessions)",
    "extra",
    (Advice("allow_unmatched"),),
)
SESSIONS_RENAMED = Entry(
    "SESSIONS",
    ERROR,
    "{path}: {number:session is/sessions are} not in {reference}: {names}; and {path} lacks "
    "{lacking:session/sessions} of {reference}: {absent} (sessions are matched by name, with its "
    "capitals; {advice} drops those that {reference} does not have)",
    "renamed",
    (Advice("allow_unmatched"),),
)
SESSIONS_NEAR = SESSIONS_RENAMED._replace(
    text="{path}: {number:session is/sessions are} not in {reference}: {names}; and {path} lacks "
    "{lacking:session/sessions} of {reference}: {absent} (sessions are matched by name, with its "
    "capitals: did you mean {near!r} by {found!r}? {advice} drops those that {reference} does not "
    "have)",
    variant="near",
)
