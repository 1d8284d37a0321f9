"""Messages about what is compared: how sides were read, and how they were matched."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

# Reading.
COLUMN = Entry("COLUMN", NOTE, "{path}: the words of {column!r} are scored")
DISPLAY_FORM = Entry(
    "TEXT-VIEW", NOTE, "{path}: {words} words are scored in their display form ({advice})",
    advice=(Advice("text_view", "display"),),
)  # fmt: skip
TIMES_ESTIMATED = Entry(
    "INTERPOLATED",
    WARNING,
    "{path}: {words} words have no times of their own; these were estimated from their segments "
    "({advice})",
    advice=(Advice("interpolate", "{way}"),),
)
ONE_FORM = Entry(
    "IDLE-OPTION",
    NOTE,
    "{path}: {advice} has no effect, because every word has one form",
    "text-view",
    (Advice("text_view", "display"),),
)
TIMES_KNOWN = Entry(
    "IDLE-OPTION",
    NOTE,
    "{path}: {advice} has no effect, because no word can get a time from its segment",
    "interpolate",
    (Advice("interpolate", "{way}"),),
)
NOT_WORDS = Entry("NOT-WORDS", NOTE, "{path}: {segments} events and regions are not scored")
PARALLEL_TIERS = Entry(
    "TIERS",
    WARNING,
    "{path}: tiers {tier!r} and {other!r} have segments of the same times: the words of both are "
    "scored ({advice} leaves one out)",
    advice=(Advice("{side}_option", "tier_map={other}=skip"),),
)

# Sessions of several speakers: why one is not scored, or not as a whole.
NO_SESSION = Entry("SESSION", WARNING, "not in the hypothesis, scored as silence", "missing")
EMPTY_SESSION = Entry("SESSION", WARNING, "no words in the {side}", "empty")
PARTIAL_SESSION = Entry(
    "SESSION",
    WARNING,
    "no words of the hypothesis in the {place} {seconds} s of the reference",
    "partial",
)
NO_EXACT_SEARCH = Entry(
    "SESSION",
    WARNING,
    "too large for an exact {measure} rate: {segments} segments on {streams} streams "
    "({words: × } places)",
    "size",
)
TOO_MANY_SPEAKERS = Entry(
    "SESSION",
    WARNING,
    "expected at most {most} speakers in a session, found {speakers} in the reference and "
    "{streams} in the hypothesis",
    "speakers",
)

# Names.
RENAMED_RECORDING = Entry("RECORDINGS-MATCHED", NOTE, "{recording!r} for {target!r}", "name")
RECORDINGS_MATCHED = Entry(
    "RECORDINGS-MATCHED", NOTE, "{path}: recordings matched with those of {reference}: {names}"
)
MORE_RECORDINGS_MATCHED = Entry(
    "RECORDINGS-MATCHED",
    NOTE,
    "{path}: recordings matched with those of {reference}: {names}, and {more} more",
    "many",
)
ONLY_RECORDING = Entry(
    "ONLY-RECORDING", NOTE, "{path}: its only recording, {recording!r}, is compared with {target!r}"
)
OTHER_RECORDING = Entry(
    "ONLY-RECORDING",
    WARNING,
    "{path}: its only recording, {recording!r}, is compared with {target!r}",
    "named",
)
ONLY_CHANNEL = Entry(
    "ONLY-CHANNEL",
    NOTE,
    "{path}: channel {channel!r} is compared with {target!r}, the only channel of {recording!r} in "
    "{reference}",
)
ONLY_CHANNELS = Entry(
    "ONLY-CHANNEL",
    NOTE,
    "{path}: channel {channel!r} is compared with {target!r}, the only channel of {recording!r} in "
    "{reference}, and so in {more:more recording/more recordings}",
    "many",
)

# Matching.
BY_TIME = Entry(
    "MATCHED-BY",
    NOTE,
    "{path}: no identifier occurs in the reference, so words are matched by time",
    "time",
)
BY_AUDIO = Entry(
    "MATCHED-BY",
    NOTE,
    "{path}: no identifier occurs in the reference, so rows are matched by their audio files",
    "audio",
)
IN_ORDER = Entry(
    "MATCHED-BY", NOTE, "{path} has no identifiers, so its rows are matched in order", "position"
)
BY_RECORDING = Entry(
    "MATCHED-BY",
    NOTE,
    "{path}: its words have no times, so whole recordings are aligned",
    "recording",
)
NAMED_AS_SWAPPED = Entry(
    "SWAPPED",
    NOTE,
    "{path} is the reference, though the files are named the other way round: were the two files "
    "swapped?",
    "names",
)
CONFIDENT_REFERENCE = Entry(
    "SWAPPED",
    NOTE,
    "{path} is the reference, though the files have confidences on the reference's side: were the "
    "two files swapped?",
    "confidences",
)
MARKED_HYPOTHESIS = Entry(
    "SWAPPED",
    NOTE,
    "{path} is the reference, though only the hypothesis has segments that are not to be scored: "
    "were the two files swapped?",
    "marks",
)
OWN_SEGMENTS = Entry(
    "CUT",
    NOTE,
    "{path}: cut at its own segments: read the counts of segments, not their rates, because the "
    "borders are not the reference's",
)
CROSSING_REGION = Entry(
    "IGNORED-REGION",
    WARNING,
    "{path}: {words} words without times are in segments that cross the border of an ignored "
    "region of the reference: such a segment is ignored as a whole if its middle is in the region, "
    "otherwise scored",
    "crossing",
)
PERHAPS_IGNORED = Entry(
    "IGNORED-REGION",
    WARNING,
    "{path}: {words} words without times may lie in ignored regions of the reference: all of them "
    "are scored",
    "unplaced",
)
_REACH = (
    "{path}: times reach {latest:.6g} s and those of the reference {reference:.6g} s, a factor of "
    "about {factor}: "
)
OWN_UNIT = Entry("UNIT-OF-TIMES", WARNING, _REACH + "its times may be in {unit}")
UNIT_OF_REFERENCE = Entry(
    "UNIT-OF-TIMES", WARNING, _REACH + "the reference's times may be in {unit}", "reference"
)
_MEASURED = (
    ", measured from {anchors} words that each side has once: {inside} of them are in their "
    "segments of the reference, and {fitting} would be "
)
FACTOR = Entry(
    "CLOCK",
    WARNING,
    "{path}: its times are {factor:.4g} times those of the reference" + _MEASURED + "if all times "
    "were divided by {factor:.4g}",
)
# By the direction of the shift.
SHIFT = {
    way: Entry(
        "CLOCK",
        WARNING,
        f"{{path}}: its times are {{seconds:.2f}} s {way} than those of the reference"
        f"{_MEASURED}without that shift",
        way,
    )
    for way in ("later", "earlier")
}
SHIFT_TO_CORRECT = {
    way: Entry(
        "CLOCK",
        WARNING,
        f"{{path}}: its times are {{seconds:.2f}} s {way} than those of the reference"
        f"{_MEASURED}without that shift ({{advice}})",
        f"{way}-offset",
        (Advice("hypothesis_option", "offset={offset}"),),
    )
    for way in ("later", "earlier")
}
SHIFTED = Entry(
    "CLOCK",
    NOTE,
    "{path}: {seconds:+.2f} s were added to its times, as measured from {anchors} words that each "
    "side has once",
    "shifted",
)
NOT_SHIFTED = Entry(
    "CLOCK",
    NOTE,
    "{path}: its times are as they were, since {anchors} words that each side has once show no "
    "constant shift",
    "not-shifted",
)
OTHER_CLOCK = {
    way: Entry(
        "CLOCK",
        WARNING,
        "{path}: its times are {factor:.4g} times those of the reference and then "
        f"{{seconds:.2f}} s {way}{_MEASURED}by the reference's clock",
        f"{way}-factor",
    )
    for way in ("later", "earlier")
}
OVERLAP = Entry(
    "OVERLAP",
    WARNING,
    "{path}: reference segments overlap for {percent:.1f} % of the time in channel {channel!r} of "
    "{recording!r}: their words are compared one segment after the other, so right words may count "
    "as errors (`scoring wer {advice}` is for such speech)",
    advice=(Advice("meeting", "auto"),),
)
OVERLAPS = Entry(
    "OVERLAP",
    WARNING,
    "{path}: reference segments overlap for {percent:.1f} % of the time in channel {channel!r} of "
    "{recording!r}, and in {more:more channel/more channels}: their words are compared one segment "
    "after the other, so right words may count as errors (`scoring wer {advice}` is for such "
    "speech)",
    "many",
    (Advice("meeting", "auto"),),
)
SAME_TIMES = Entry(
    "SAME-TIMES",
    WARNING,
    "{path}: {pairs} pairs of segments have the same times, such as {words!r} and {other!r}: the "
    "words of both are scored",
)
SAME_TIMES_IN_LINES = Entry(
    "SAME-TIMES",
    WARNING,
    "{path}: {pairs} pairs of segments have the same times, such as {words!r} and {other!r} in "
    "lines {line} and {other_line}: the words of both are scored",
    "lines",
)

# Errors.
_NAMES = (
    "{path}: none of the {what} is one of {reference}: for example, it has {theirs!r: and }, and "
    "{reference} has {ours!r: and }"
)
_IN_ORDER = (Advice("match", "position"),)
OTHER_NAMES = Entry(
    "OTHER-NAMES", ERROR, _NAMES + " ({advice} pairs utterances in order)", advice=_IN_ORDER
)
OTHER_NAMES_BUT = Entry(
    "OTHER-NAMES",
    ERROR,
    _NAMES + ": most agree but for {difference} ({advice} pairs utterances in order)",
    "alike",
    _IN_ORDER,
)
OTHER_RECORDINGS = Entry("OTHER-NAMES", ERROR, _NAMES, "recordings")
OTHER_RECORDINGS_BUT = Entry(
    "OTHER-NAMES", ERROR, _NAMES + ": most agree but for {difference}", "recordings-alike"
)
# How names differ.
BY_RULES = Entry("SPELLING-RULE", NOTE, "{rules}")
ENDING = Entry("SPELLING-RULE", NOTE, "the ending {part!r}", "ending")
BEGINNING = Entry("SPELLING-RULE", NOTE, "the beginning {part!r}", "beginning")

_NEITHER = (
    "{path}: this {format} has {facts}, while {partner} has identifiers and no times; give both "
    "sides identifiers, as trn has, or both sides times, as stm has ({advice} pairs utterances in "
    "order)"
)
NOTHING_IN_COMMON = Entry(
    "NOTHING-IN-COMMON",
    ERROR,
    _NEITHER.replace("{facts}", "neither identifiers nor times"),
    advice=_IN_ORDER,
)
ONLY_TIMES = Entry(
    "NOTHING-IN-COMMON",
    ERROR,
    _NEITHER.replace("{facts}", "times and no identifiers"),
    "times",
    _IN_ORDER,
)
_UNEQUAL = (
    "{path}: expected as many utterances as {reference}, {wanted}, found {number}: they are "
    "matched by position "
)
UNEQUAL_MISSING = Entry(
    "UNEQUAL",
    ERROR,
    _UNEQUAL + "({advice[0]} or {advice[1]} scores them nevertheless)",
    "missing",
    (Advice("missing", "delete"), Advice("missing", "skip")),
)
UNEQUAL_EXTRA = Entry(
    "UNEQUAL",
    ERROR,
    _UNEQUAL + "({advice} scores them nevertheless)",
    "extra",
    (Advice("allow_unmatched"),),
)
_WITHOUT_TEXT = (
    "{path}: expected a text in every row that has one in {partner}, found {number} without"
)
MISSING_TEXTS = Entry(
    "MISSING-TEXTS",
    ERROR,
    _WITHOUT_TEXT + " ({advice} scores them nevertheless)",
    advice=(Advice("allow_unmatched"),),
)
MISSING_TEXTS_FROM = Entry(
    "MISSING-TEXTS",
    ERROR,
    _WITHOUT_TEXT + ", the first row {row} ({advice} scores them nevertheless)",
    "first",
    (Advice("allow_unmatched"),),
)
CUT_ELSEWHERE = Entry(
    "CUT-ELSEWHERE",
    ERROR,
    "{path}: {option} needs files that are matched by {kinds: or }, found files that are matched "
    "by {kind}",
)
CUT_WITHOUT_TIMES = Entry(
    "CUT-ELSEWHERE",
    ERROR,
    "{path}: {option} needs files that are matched by {kinds: or }, found files that are matched "
    "by {kind}; word times of the hypothesis are required",
    "times",
)
RECORDING_EXPECTED = Entry(
    "OTHER-RECORDING",
    ERROR,
    "{path}: expected the recording {target!r} of {reference}, found {recording!r} (without "
    "{advice} the two are compared)",
    advice=(Advice("missing", "error"),),
)
_CHANNELS = (
    "{path}: expected channels in recording {recording!r}, since {partner} has several, {names!r}; "
    "found segments without"
)
CHANNELS_EXPECTED = Entry("CHANNELS", ERROR, _CHANNELS)
CHANNELS_OF_HYPOTHESIS = Entry(
    "CHANNELS",
    ERROR,
    _CHANNELS + " ({advice} names it)",
    "hypothesis",
    (Advice("channel_alias", "{only}=NAME"),),
)
OTHER_CHANNELS = Entry(
    "CHANNELS",
    ERROR,
    "{path}: none of the channels is one of {reference}: for example, {recording!r} has channel "
    "{channel!r}, and in {reference} channel {target!r} ({advice} matches them)",
    "other",
    (Advice("channel_alias", "{channel}={target}"),),
)
