"""Messages about results that need attention: hints on classes of errors, and warnings."""

from itertools import combinations

from formats.schema.messages import HINT, PART, WARNING, Advice, Entry
from formats.schema.messages import Message as Message

_SHARE = "{number:,} of {errors:,} errors {number:~is/are} "
_SHARE_OF_FIRST = (
    "in the first {seen:,} utterances, {number:,} of {errors:,} errors {number:~is/are} "
)

_SHARE_OF_WRONG = (
    "in the first {seen:,} utterances with errors, {number:,} of {errors:,} errors "
    "{number:~is/are} "
)
FIRST = "first"
"""The end of the variants of hints of which only the first utterances were looked at."""


def share(
    entries: tuple[Entry, Entry], number: int, errors: int, seen: int | None = None
) -> Message:
    """Return the hint that `number` of `errors` errors belong to a class.

    `entries` are the two entries of the class (see `_class`). `seen` is the number of examined
    utterances, None if all were examined.
    """
    fields = {"number": number, "errors": errors}
    if seen is None:
        return Message(entries[0], fields)
    return Message(entries[1], {**fields, "seen": seen})


def _normalizing(*steps: str) -> tuple[Advice, ...]:
    return tuple(Advice("normalize", step) for step in steps)


# Errors that a step or a pipeline removes, of all utterances and of the first ones.
CASE = (
    Entry(
        "CASE",
        HINT,
        f"{_SHARE}case or punctuation only; see {{advice}}",
        advice=_normalizing("plain"),
    ),
    Entry(
        "CASE",
        HINT,
        f"{_SHARE_OF_FIRST}case or punctuation only; see {{advice}}",
        FIRST,
        _normalizing("plain"),
    ),
)
CASE_OR_DISPLAY = (
    Entry(
        "CASE",
        HINT,
        f"{_SHARE}case or punctuation only; see {{advice[0]}} or {{advice[1]}}",
        "display",
        (*_normalizing("plain"), Advice("text_view", "display")),
    ),
    Entry(
        "CASE",
        HINT,
        f"{_SHARE_OF_FIRST}case or punctuation only; see {{advice[0]}} or {{advice[1]}}",
        f"display-{FIRST}",
        (*_normalizing("plain"), Advice("text_view", "display")),
    ),
)
INVISIBLE_KINDS = {
    "controls": "invisible characters",
    "unicode": "differences in Unicode form (NFC, NFD)",
    "whitespace": "special blanks within words (such as U+00A0 and U+3000)",
}
"""What the steps of normalisation remove that nobody sees."""


def _unseen(steps: tuple[str, ...]) -> tuple[Entry, Entry]:
    kinds = " or ".join(INVISIBLE_KINDS[step] for step in steps)
    variant, advice = "-".join(steps), _normalizing(*steps)
    rest = f"only {kinds}; see {{advice}}"
    return (
        Entry("UNSEEN", HINT, _SHARE + rest, variant, advice),
        Entry("UNSEEN", HINT, _SHARE_OF_FIRST + rest, f"{variant}-{FIRST}", advice),
    )


UNSEEN = {
    steps: _unseen(steps)
    for size in range(1, len(INVISIBLE_KINDS) + 1)
    for steps in combinations(INVISIBLE_KINDS, size)
}
"""By the steps that remove these errors, in alphabetical order."""


def _class(code: str, text: str, *advice: Advice) -> tuple[Entry, Entry]:
    """Return two entries for a class of errors.

    The first is for results of which all utterances were examined. The second is for results of
    which only the first utterances with errors were examined.
    """
    return (
        Entry(code, HINT, _SHARE + text, advice=advice),
        Entry(code, HINT, _SHARE_OF_WRONG + text, FIRST, advice),
    )


# Classes of errors that explain much of them.
IDENTIFIERS = Entry(
    "NO-PARTNER",
    HINT,
    f"{_SHARE}in utterances that only one side has, because the identifiers differ; {{advice}} "
    "pairs utterances in order",
    advice=(Advice("match", "position"),),
)
SPEAKER_NAMES = _class(
    "SPEAKER-NAMES",
    "speaker names before the text; `formats convert {advice}` turns names in subtitles into "
    "speakers",
    Advice("subtitle_clean", "1"),
)
NUMBERS = _class(
    "NUMBERS",
    "numbers in digits on one side and in words on the other; see {advice}",
    *_normalizing("numbers"),
)
SPELLING = _class(
    "SPELLING",
    "words in British spelling on one side and in American spelling on the other; see {advice}",
    *_normalizing("whisper-spelling"),
)
SHARP_S = _class(
    "SHARP-S",
    "words with ß on one side and ss on the other; see {advice}",
    *_normalizing("plain"),
)
BLANKS = _class(
    "BLANKS",
    "blanks between Chinese characters; {advice} compares Chinese and Japanese character by "
    "character",
    Advice("unit", "mixed"),
)
LANGUAGES = Entry(
    "LANGUAGES",
    HINT,
    (
        "the words of the reference look {reference}, but the words of the hypothesis "
        "look {hypothesis}; check the language of the recogniser"
    ),
)
INVENTED = Entry(
    "INVENTED",
    HINT,
    "{number:,} of {errors:,} errors ({percent} %) are repeated or invented text, and "
    "most of these errors are in {names}; see {advice}",
    advice=(Advice("measures", "loops,silence,runs"),),
)

# Likely mistakes.
DELETED = Entry(
    "DELETED",
    WARNING,
    "{path}: {number:reference has no hypothesis, so its/references have no hypothesis, so their} "
    "{unit}s count as deletions: {names}",
)
ABSENT = Entry(
    "DELETED", WARNING, "{path}: {number:reference has/references have} no hypothesis", "number"
)
DROPPED = Entry(
    "DELETED",
    WARNING,
    "{path}: {number:reference without a hypothesis is/references without a hypothesis are} not "
    "scored ({words:word/words}): {names}",
    "dropped",
)
NO_AUDIO = Entry("AUDIO", WARNING, "{path}: expected audio files ({expected}), found none", "none")
NOT_LINKED = Entry(
    "AUDIO",
    WARNING,
    "{path}: {number:recording has/recordings have} no audio file: {names}; expected "
    "a file name such as {expected}",
)
INSERTED = Entry(
    "INSERTED",
    WARNING,
    "{path}: {number:row has/rows have} an empty reference, so the {unit}s of the hypothesis count "
    "as insertions: {names}",
)
NO_RATE = Entry(
    "NO-RATE", WARNING, "{path}: the reference has no {unit}s, so there is no error rate"
)
FORGIVEN = Entry("FORGIVEN", PART, "{advice} lists them", advice=(Advice("show_forgiven"),))
