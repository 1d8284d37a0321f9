"""Messages about the compared sides: how they were read and matched."""

from formats.schema.messages import ERROR, NOTE, PART, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

# Reading.
NO_WORDS = Entry(
    "NO-WORDS",
    ERROR,
    "expected words, found {format}, which has none: `{command}` reads it, and "
    "`scoring compare` compares two of its JSON results",
)
COLUMN = Entry("COLUMN", NOTE, "{path}: the words of {column!r} are scored")
DISPLAY_FORM = Entry(
    "TEXT-VIEW", NOTE, (
        "{path}: {words:word is/words are} scored in the display form ({advice})"
    ),
    advice=(Advice("text_view", "display"),),
)  # fmt: skip
TIMES_ESTIMATED = Entry(
    "INTERPOLATED",
    WARNING,
    "{path}: {words:word has no times, so its times are/words have no times, so their "
    "times are} estimated from the times of their segments ({advice})",
    advice=(Advice("interpolate", "{way}"),),
)
ONE_FORM = Entry(
    "IDLE-OPTION",
    NOTE,
    "{path}: {advice} has no effect, because every word has only one form",
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
NOT_WORDS = Entry(
    "NOT-WORDS", NOTE, ("{path}: {segments:event or region is/events and regions are} not scored")
)
PARALLEL_TIERS = Entry(
    "TIERS",
    WARNING,
    "{path}: tiers {tier!r} and {other!r} have segments with the same times, and the "
    "words of both tiers are scored ({advice} skips tier {other!r})",
    advice=(Advice("{side}_option", "tier_map={other}=skip"),),
)

# Sessions of several speakers: why one is not scored, or not as a whole.
NO_SESSION = Entry(
    "SESSION", WARNING, "the session is not in the hypothesis and is scored as silence", "missing"
)
EMPTY_SESSION = Entry("SESSION", WARNING, "the {side} has no words", "empty")
PARTIAL_SESSION = Entry(
    "SESSION",
    WARNING,
    "the hypothesis has no words in the {place} {seconds} s of the reference",
    "partial",
)
NO_EXACT_SEARCH = Entry(
    "SESSION",
    WARNING,
    "the session is too large for an exact {measure} rate: {segments} segments on "
    "{streams} streams give {words: × } positions",
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
RENAMED_RECORDING = Entry("RECORDINGS-MATCHED", PART, "{recording!r} for {target!r}", "name")
RECORDINGS_MATCHED = Entry(
    "RECORDINGS-MATCHED",
    NOTE,
    "{path}: recordings are matched with recordings of {reference}: {names}",
)
MORE_RECORDINGS_MATCHED = Entry(
    "RECORDINGS-MATCHED",
    NOTE,
    ("{path}: recordings are matched with recordings of {reference}: {names}, and {more} more"),
    "many",
)
ONLY_RECORDING = Entry(
    "ONLY-RECORDING", NOTE, "{path}: the only recording, {recording!r}, is compared with {target!r}"
)
OTHER_RECORDING = Entry(
    "ONLY-RECORDING",
    WARNING,
    "{path}: the only recording, {recording!r}, is compared with {target!r}",
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
    "{path}: channel {channel!r} is compared with {target!r}, the only channel of "
    "{recording!r} in {reference}; {more:more recording is/more recordings are} "
    "compared in this way",
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
    "MATCHED-BY",
    NOTE,
    "{path}: the file has no identifiers, so its rows are matched in order",
    "position",
)
BY_RECORDING = Entry(
    "MATCHED-BY",
    NOTE,
    "{path}: the words have no times of their own, so whole recordings are aligned",
    "recording",
)
NAMED_AS_SWAPPED = Entry(
    "SWAPPED",
    NOTE,
    "{path} is the reference, but the names of the files suggest the opposite: were "
    "the two files swapped?",
    "names",
)
CONFIDENT_REFERENCE = Entry(
    "SWAPPED",
    NOTE,
    ("{path} is the reference, but the reference has confidences: were the two files swapped?"),
    "confidences",
)
MARKED_HYPOTHESIS = Entry(
    "SWAPPED",
    NOTE,
    "{path} is the reference, but only the hypothesis has segments that are marked as "
    "not scored: were the two files swapped?",
    "marks",
)
OWN_SEGMENTS = Entry(
    "CUT",
    NOTE,
    (
        "{path}: the text is cut at the segments of this file instead of the reference's "
        "segments, so compare the counts of errors in each segment, but not the error "
        "rates of segments"
    ),
)
CROSSING_REGION = Entry(
    "IGNORED-REGION",
    WARNING,
    "{path}: {words:word without times is/words without times are} in segments that "
    "cross the border of an ignored region of the reference; such a segment is ignored "
    "if its middle is in the region, and scored otherwise",
    "crossing",
)
PERHAPS_IGNORED = Entry(
    "IGNORED-REGION",
    WARNING,
    "{path}: {words:word without times/words without times} may be in ignored regions of "
    "the reference, but all of these words are scored",
    "unplaced",
)
_REACH = (
    "{path}: the file ends at {latest:.6g} s, but the reference ends at "
    "{reference:.6g} s (a factor of about {factor}): "
)
OWN_UNIT = Entry("UNIT-OF-TIMES", WARNING, _REACH + "are the times of this file in {unit}?")
UNIT_OF_REFERENCE = Entry(
    "UNIT-OF-TIMES", WARNING, _REACH + "are the times of the reference in {unit}?", "reference"
)
_MEASURED = (
    ": of the {anchors} words that were found on both sides, the times of {inside} agree with the "
    "reference, and the times of {fitting} would agree "
)
FACTOR = Entry(
    "CLOCK",
    WARNING,
    "{path}: the times are {factor:.4g} times the times of the reference"
    + _MEASURED
    + "if all times were divided by {factor:.4g}",
)
# By the direction of the shift.
SHIFT = {
    way: Entry(
        "CLOCK",
        WARNING,
        f"{{path}}: the times are {{seconds:.2f}} s {way} than the times of the reference"
        f"{_MEASURED}without this shift",
        way,
    )
    for way in ("later", "earlier")
}
SHIFT_TO_CORRECT = {
    way: Entry(
        "CLOCK",
        WARNING,
        f"{{path}}: the times are {{seconds:.2f}} s {way} than the times of the reference"
        f"{_MEASURED}without this shift ({{advice}})",
        f"{way}-offset",
        (Advice("hypothesis_option", "offset={offset}"),),
    )
    for way in ("later", "earlier")
}
_CAPTIONS = (
    ". Of {segments:caption/captions} with words that were found on both sides, {inside} are at "
    "the time of the reference, and {fitting} would be "
)
# Of captions whose times run faster or slower, whose frame rates are known or not, and which are
# also moved or not.
_RATES = ", as if made for {made} frames a second and shown at {shown}"
STRETCHED = {
    (has_rates, is_moved): Entry(
        "CLOCK",
        WARNING,
        "{path}: the times are {percent:.2f} % of the times of the reference"
        f"{_RATES * has_rates}{', and then moved by {seconds:+.2f} s' * is_moved}{_CAPTIONS}"
        f"with corrected times (`formats convert {{shell_path}} {{target}} {{advice[0]}}"
        f"{' {advice[1]}' * is_moved}` writes them)",
        ("frame-rates" if has_rates else "stretched") + "-moved" * is_moved,
        (Advice("stretch", "{stretch}"), *[Advice("offset", "{offset}")] * is_moved),
    )
    for has_rates in (True, False)
    for is_moved in (True, False)
}
SHIFT_OF_CAPTIONS = {
    way: Entry(
        "CLOCK",
        NOTE,
        f"{{path}}: the times are {{seconds:.2f}} s {way} than the times of the reference "
        f"throughout{_CAPTIONS}without this shift. The alignment of whole recordings does not use "
        "times; {advice} removes the shift from measures of times",
        f"{way}-captions",
        (Advice("shift", "auto"),),
    )
    for way in ("later", "earlier")
}
# Of files that are aligned as a whole.
SHIFT_OF_WHOLE = {
    way: Entry(
        "CLOCK",
        NOTE,
        f"{{path}}: the times are {{seconds:.2f}} s {way} than the times of the reference "
        f"throughout{_MEASURED}without this shift. The alignment of whole recordings does not use "
        "times; {advice} removes the shift from measures of times",
        f"{way}-whole",
        (Advice("shift", "auto"),),
    )
    for way in ("later", "earlier")
}
SHIFTED = Entry(
    "CLOCK",
    NOTE,
    "{path}: {seconds:+.2f} s were added to the times; this shift is measured with "
    "{anchors} words that were found on both sides",
    "shifted",
)
NOT_SHIFTED = Entry(
    "CLOCK",
    NOTE,
    "{path}: the times are unchanged, because {anchors} words that were found on both "
    "sides show no constant shift",
    "not-shifted",
)
OTHER_CLOCK = {
    way: Entry(
        "CLOCK",
        WARNING,
        "{path}: the times are {factor:.4g} times the times of the reference and then "
        f"{{seconds:.2f}} s {way}{_MEASURED}if both sides had the same clock",
        f"{way}-factor",
    )
    for way in ("later", "earlier")
}
CUT_SHORT = {
    (way, is_several): Entry(
        "CUT-SHORT",
        WARNING,
        f"{{path}} {way} {{minutes:.1f}} minutes {order} {{reference}}"
        + (" in {recording!r}, and in {more:,} more: " if is_several else ": ")
        + "{words:,} words of the reference, {percent:.1f} % of all, "
        f"lie {place} and count as deletions: {question}?",
        f"{way} in several" if is_several else way,
    )
    for way, order, place, question in (
        ("ends", "before", "behind this end", "was the file cut, or did the recogniser stop"),
        ("begins", "after", "before this beginning", "was the file cut"),
    )
    for is_several in (False, True)
}
OVERLAP = Entry(
    "OVERLAP",
    WARNING,
    "{path}: reference segments overlap for {percent:.1f} % of the time in channel "
    "{channel!r} of {recording!r}; the segments are compared one after the other, so "
    "correct words may count as errors (use `scoring wer {advice}` for overlapping "
    "speech)",
    advice=(Advice("meeting", "auto"),),
)
OVERLAPS = Entry(
    "OVERLAP",
    WARNING,
    "{path}: reference segments overlap for {percent:.1f} % of the time in channel "
    "{channel!r} of {recording!r} and in {more:more channel/more channels}; the "
    "segments are compared one after the other, so correct words may count as errors "
    "(use `scoring wer {advice}` for overlapping speech)",
    "many",
    (Advice("meeting", "auto"),),
)
SAME_TIMES = Entry(
    "SAME-TIMES",
    WARNING,
    "{path}: {pairs:pair of segments has/pairs of segments have} the same times, for "
    "example {words!r} and {other!r}, and the words of both segments are scored",
)
SAME_TIMES_IN_LINES = Entry(
    "SAME-TIMES",
    WARNING,
    "{path}: {pairs:pair of segments has/pairs of segments have} the same times, for "
    "example {words!r} and {other!r} in lines {line} and {other_line}, and the words of "
    "both segments are scored",
    "lines",
)

# Errors.
_NAMES = (
    "{path}: none of the {what} occurs in {reference}: for example, {path} has "
    "{theirs!r: and }, and "
    "{reference} has {ours!r: and }"
)
_IN_ORDER = (Advice("match", "position"),)
OTHER_NAMES = Entry(
    "OTHER-NAMES", ERROR, _NAMES + " ({advice} pairs utterances in order)", advice=_IN_ORDER
)
OTHER_NAMES_BUT = Entry(
    "OTHER-NAMES",
    ERROR,
    _NAMES + "; most names differ only in {difference} ({advice} pairs utterances in order)",
    "alike",
    _IN_ORDER,
)
OTHER_RECORDINGS = Entry("OTHER-NAMES", ERROR, _NAMES, "recordings")
OTHER_RECORDINGS_BUT = Entry(
    "OTHER-NAMES", ERROR, _NAMES + "; most names differ only in {difference}", "recordings-alike"
)
# How names differ.
BY_RULES = Entry("SPELLING-RULE", PART, "{rules}")
ENDING = Entry("SPELLING-RULE", PART, "the ending {part!r}", "ending")
BEGINNING = Entry("SPELLING-RULE", PART, "the beginning {part!r}", "beginning")

_NEITHER = (
    "{path}: this {format} file has {facts}, but {partner} has identifiers and no times; give both "
    "sides identifiers, as in trn, or both sides times, as in stm ({advice} pairs "
    "utterances in order)"
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
    "{path}: for matching by position, expected {wanted:utterance/utterances} as in {reference}, "
    "found {number} "
)
UNEQUAL_MISSING = Entry(
    "UNEQUAL",
    ERROR,
    _UNEQUAL + "({advice[0]} or {advice[1]} scores the files anyway)",
    "missing",
    (Advice("missing", "delete"), Advice("missing", "skip")),
)
UNEQUAL_EXTRA = Entry(
    "UNEQUAL",
    ERROR,
    _UNEQUAL + "({advice} scores the files anyway)",
    "extra",
    (Advice("allow_unmatched"),),
)
_WITHOUT_TEXT = (
    "{path}: {number:row has no text here but has/rows have no text here "
    "but have} a text in {partner}"
)
MISSING_TEXTS = Entry(
    "MISSING-TEXTS",
    ERROR,
    _WITHOUT_TEXT + " ({advice} scores the files anyway)",
    advice=(Advice("allow_unmatched"),),
)
MISSING_TEXTS_FROM = Entry(
    "MISSING-TEXTS",
    ERROR,
    _WITHOUT_TEXT + ", first in row {row} ({advice} scores the files anyway)",
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
    "{path}: {option} needs files that are matched by {kinds: or } and word times of "
    "the hypothesis, found files that are matched by {kind}",
    "times",
)
RECORDING_EXPECTED = Entry(
    "OTHER-RECORDING",
    ERROR,
    "{path}: expected recording {target!r} of {reference}, found recording "
    "{recording!r} (without {advice} the two recordings are compared)",
    advice=(Advice("missing", "error"),),
)
_CHANNELS = (
    "{path}: expected channels in recording {recording!r}, because {partner} has the channels "
    "{names!r}, found segments without a channel"
)
CHANNELS_EXPECTED = Entry("CHANNELS", ERROR, _CHANNELS)
CHANNELS_OF_HYPOTHESIS = Entry(
    "CHANNELS",
    ERROR,
    _CHANNELS + " ({advice} names the channel)",
    "hypothesis",
    (Advice("channel_alias", "{only}=NAME"),),
)
OTHER_CHANNELS = Entry(
    "CHANNELS",
    ERROR,
    "{path}: no channel occurs in {reference}: for example, {recording!r} has channel "
    "{channel!r} here and channel {target!r} in {reference} ({advice} matches these "
    "two)",
    "other",
    (Advice("channel_alias", "{channel}={target}"),),
)
SPEAKERS_MISSING = Entry(
    "NO-SPEAKERS",
    ERROR,
    "expected a speaker of every utterance, found none of {number:,} of {total:,} utterances, such "
    "as {name!r}",
    "missing",
)
