"""Hints on errors of one class; each names a step or an option that removes them.

`scoring.pages.hint_of` decides when to look for them. A run is a sequence of adjacent errors in the
alignment of an utterance.
"""

from __future__ import annotations

from itertools import chain, compress, islice

from formats.console import shown
from formats.schema import NamedTuple, lazy_pattern
from formats.schema.messages import Message
from scoring.drawing import percent
from scoring.model.counts import BLANK, NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.pages import messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from formats.schema.messages import Entry
    from scoring.alignment.results import Alignments
    from scoring.options import Rules
    from scoring.results import Rates

# The share of the errors from which a hint is worth a line.
NOTABLE = 0.1
_RIGHT = bytes([Edit.CORRECT])
_IN_STEP = bytes([Edit.CORRECT, Edit.SUBSTITUTION])
# As bytes, which are looked through quickly.
_ERRORS = bytes([Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION])
_NO_REFERENCE, _NO_HYPOTHESIS = bytes(NO_REFERENCE), bytes(NO_HYPOTHESIS)
# The share of the errors from which a class is worth a line, and that of loops and invented text.
SHARE = 1 / 3
INVENTED_SHARE = 0.01
_INSERTED = lazy_pattern(b"\\x03{5,}")
_RUN_OF_ERRORS = lazy_pattern(b"[\\x01-\\x03]+")
_WRONG = (Edit.SUBSTITUTION, Edit.INSERTION)
_NAMED = 3  # utterances that the line on invented text names
SEEN = 500  # utterances with errors that are looked at
LONGEST_NAME = 4  # words of a name before a cue
_HAN = lazy_pattern(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_SAMPLE = 4_000  # words of each side whose language is guessed
_LEAST_WORDS = 20
_LEAST_SHARE = 0.12  # of the words that are common words of a language
# British and American spelling differ in these letters, besides words that are the same without
_SPELLINGS = (
    *(("isation", "ization"), ("ise", "ize"), ("ising", "izing"), ("yse", "yze"), ("our", "or")),
    *(("tre", "ter"), ("ogue", "og"), ("lled", "led"), ("lling", "ling"), ("ence", "ense")),
)
_COMMON = {
    "German": "der die das und ist nicht ich wir sie ein eine zu mit auf dem den auch es",
    "English": "the and is of to in that it was for you on are with this have not we",
    "French": "le la les et est de des un une que je vous nous dans pas pour il elle",
    "Spanish": "el los las y es que un una por con para no del se lo su como más",
    "Italian": "il di che è e un una per non con gli sono della ma si ho questo anche",
    "Portuguese": "o os as e é que um uma não para com do da em se mais eu você",
    "Dutch": "de het een en is van niet ik dat op te zijn met voor maar wij je ook",
}
_SCRIPTS = {
    "Cyrillic": lazy_pattern(r"[\u0400-\u04ff]"),
    "Greek": lazy_pattern(r"[\u0370-\u03ff]"),
    "Arabic": lazy_pattern(r"[\u0600-\u06ff]"),
    "Hebrew": lazy_pattern(r"[\u0590-\u05ff]"),
    "Devanagari": lazy_pattern(r"[\u0900-\u097f]"),
    "Thai": lazy_pattern(r"[\u0e00-\u0e7f]"),
    "Hangul": lazy_pattern(r"[\uac00-\ud7af]"),
    "Han or Kana": lazy_pattern(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"),
    "Latin": lazy_pattern(r"[A-Za-z\u00c0-\u024f]"),
}


def step_hint(rates: Rates, most: int) -> Message | None:
    """Return a hint on errors of the first `most` utterances that a step or pipeline removes."""
    aligned = rates.aligned
    is_first = len(rates) > most
    if is_first:
        aligned = aligned.select(range(most))
    errors = aligned.counts.total().errors
    if not errors:
        return None
    pairs = differing_words(aligned)
    number, steps = _invisible_errors(pairs, ignore_case=rates.rules.ignore_case)
    if blanks := _blank_errors(aligned, rates.rules):
        number, steps = min(number + blanks, errors), [*steps, "whitespace"]
    if number:
        entries = messages.UNSEEN[tuple(steps)]
    else:
        number, entries = spelling_errors(pairs), messages.CASE
        is_chosen = "whisper" in rates.rules.normalization  # which leaves some on purpose
        if number < NOTABLE * errors or not number or is_chosen:
            return None
        number = _removed_by_plain(aligned, rates.rules) or number
        if rates.basis is not None and rates.basis.has_displays:
            entries = messages.CASE_OR_DISPLAY
    return messages.share(entries, number, errors, most if is_first else None)


def _invisible_errors(
    pairs: Mapping[tuple[str | None, str | None], int], *, ignore_case: bool
) -> tuple[int, list[str]]:
    """Return the number of errors between words that look equal.

    Also return the names of the steps that remove these errors.
    """
    unusual = [
        (left or "", right or "", number)
        for (left, right), number in pairs.items()
        if not ((left or "").isascii() and (right or "").isascii())
    ]
    if not unusual:
        return 0, []
    from unicodedata import normalize

    from scoring.text.unicode_forms import Controls

    remove, total = Controls(), 0
    needed: set[str] = set()
    for left, right, number in unusual:
        if ignore_case:
            left, right = left.casefold(), right.casefold()
        bare = remove(left), remove(right)
        if normalize("NFC", bare[0]) == normalize("NFC", bare[1]):
            total += number
            needed |= {"controls"} if bare != (left, right) else set()
            needed |= {"unicode"} if bare[0] != bare[1] else set()
    return total, sorted(needed)


def _blank_errors(aligned: Alignments, rules: Rules) -> int:
    """Return how many errors vanish if words are split at Unicode blanks such as U+00A0."""
    fold = str.casefold if rules.ignore_case else str
    number = 0
    for counts, *sides in zip(aligned.counts, aligned.references, aligned.hypotheses, strict=True):
        if not counts.errors or all(map(_has_no_blank, chain(*sides))):
            continue
        left, right = (list(map(fold, " ".join(words).split())) for words in sides)
        number += max(counts.errors - _errors_between(left, right, rules), 0)
    return number


def _has_no_blank(word: str) -> bool:
    """Return True if a word has no Unicode blank."""
    return word.isascii() or not any(map(str.isspace, word))


def spelling_errors(differing: Mapping[tuple[str | None, str | None], int]) -> int:
    """Return the number of errors in which both words are equal under the pipeline `plain`.

    The alignment does not change. A word that is only punctuation equals a missing word.
    """
    pairs = {pair: number for pair, number in differing.items() if _may_be_alike(*pair)}
    if not pairs:
        return 0
    plain = _plain_words({word for pair in pairs for word in pair if word is not None})
    plain[None] = ()
    return sum(number for (left, right), number in pairs.items() if plain[left] == plain[right])


def _plain_words(words: Iterable[str]) -> dict[str | None, tuple[str, ...]]:
    """Return each word as the pipeline `plain` writes it: as no, one or several words."""
    from scoring.text.pipeline_files import as_pipeline
    from scoring.text.utterances import normalize_utterances

    distinct = list(words)
    steps = as_pipeline("plain").steps("reference")
    normalized = normalize_utterances([(word,) for word in distinct], {}, steps).words
    return {**dict(zip(distinct, normalized, strict=True)), BLANK: (BLANK,)}


def _removed_by_plain(aligned: Alignments, rules: Rules) -> int:
    """Return how many errors fewer there are if both sides are normalised by `plain`.

    Words are aligned again, as they are if a user follows the hint. So the number may be larger
    than the number of pairs that differ in case and punctuation.
    """
    wrong = [
        (counts.errors, left, right)
        for counts, left, right in zip(
            aligned.counts, aligned.references, aligned.hypotheses, strict=True
        )
        if counts.errors
    ]
    plain = _plain_words(set(chain.from_iterable(chain(left, right) for _, left, right in wrong)))
    number = 0
    for errors, *sides in wrong:
        left, right = (list(chain.from_iterable(map(plain.__getitem__, side))) for side in sides)
        number += errors - _errors_between(left, right, rules)
    return max(number, 0)


def _errors_between(left: list[str], right: list[str], rules: Rules) -> int:
    """Return the number of errors between two lists of words."""
    from scoring.alignment.kernel import count_tokens, tie_number
    from scoring.options import profile_named

    profile = profile_named(rules.profile)
    return sum(count_tokens(left, right, profile.costs, tie_number(profile.ties))[1:])


def _may_be_alike(left: str | None, right: str | None) -> bool:
    """Return True if two words may differ only in case and punctuation.

    This quick check avoids loading the normaliser. The pipeline `plain` also removes the difference
    between `ß` and `ss`, which is spelling.
    """
    left, right = left or "", right or ""
    if (left + right).isascii():
        return bare_word(left) == bare_word(right)
    if "ß" not in (left + right).lower():
        return True
    return not differs_in_sharp_s(left, right)


def bare_word(word: str) -> str:
    """Return a word in lower case, with only its letters and digits."""
    lower = word.lower()
    return lower if lower.isalnum() else "".join(filter(str.isalnum, lower))


def differing_words(aligned: Alignments) -> dict[tuple[str | None, str | None], int]:
    """Count the errors by reference and hypothesis word; None stands for a missing word."""
    edits, offsets = bytes(aligned.edits), aligned.offsets
    differing: dict[tuple[str | None, str | None], int] = {}
    count = differing.get
    for row, (left, right) in enumerate(zip(aligned.references, aligned.hypotheses, strict=True)):
        codes = edits[offsets[row] : offsets[row + 1]]
        if not codes.strip(_RIGHT):
            continue
        if not codes.strip(_IN_STEP):
            for pair in compress(zip(left, right, strict=True), codes):
                differing[pair] = count(pair, 0) + 1
            continue
        reference, hypothesis = iter(left), iter(right)
        for edit in codes:
            word = None if edit in _NO_REFERENCE else next(reference)
            heard = None if edit in _NO_HYPOTHESIS else next(hypothesis)
            if edit in _ERRORS:
                differing[word, heard] = count((word, heard), 0) + 1
    return differing


class ErrorRun(NamedTuple):
    """A run: adjacent errors of an utterance, with the words of both sides."""

    is_first: bool  # whether no right word precedes them
    reference: Sequence[str]
    hypothesis: Sequence[str]
    errors: int


def advice_of(rates: Rates, fewest: int) -> Message | None:
    """Return a hint on the class of errors that explains many of the errors, or None.

    The class has at least `fewest` errors, and over a third of all errors.

    >>> from scoring import wer
    >>> hint = advice_of(wer(["ANN: good day"] * 5, ["good day"] * 5), 5)
    >>> hint.code, hint.fields
    ('SPEAKER-NAMES', {'number': 5, 'errors': 5})
    """
    if rates.rules.like or rates.rules.unit != "word" or rates.counts.errors < fewest:
        return None
    account = rates.matching_summary
    if account.reference_only.number and account.hypothesis_only.number:
        number = sum(_words_without_partner(rates))
        if number > SHARE * rates.counts.errors:
            fields = {"number": number, "errors": rates.counts.errors}
            return Message(messages.IDENTIFIERS, fields)
    wrong = map(any, zip(*rates.aligned.counts.columns()[1:], strict=True))
    rows = list(islice(compress(range(len(rates)), wrong), SEEN + 1))
    seen = SEEN if len(rows) > SEEN else None
    runs = list(chain.from_iterable(_runs(rates, row) for row in rows[:SEEN]))
    errors = sum(run.errors for run in runs)
    for entries, counter in _CLASSES:
        number = sum(counter(run) for run in runs)
        if number >= fewest and number > SHARE * errors:
            return messages.share(entries, number, errors, seen)
    return _language_advice(rates, rows[:SEEN])


def _words_without_partner(rates: Rates) -> Iterator[int]:
    """Yield the number of reference words of each utterance without hypothesis."""
    names = set(rates.matching_summary.reference_only.identifiers)
    for name, words in zip(rates.identifiers, rates.aligned.references, strict=True):
        if name in names:
            yield len(words)


def _runs(rates: Rates, row: int) -> Iterator[ErrorRun]:
    """Yield the runs of adjacent errors in an utterance."""
    edits = rates.aligned.edits_of(row)
    reference, hypothesis = rates.aligned.references[row], rates.aligned.hypotheses[row]
    for run in _RUN_OF_ERRORS.finditer(edits):
        said = _between(reference, edits, run.span(), _NO_REFERENCE)
        heard = _between(hypothesis, edits, run.span(), _NO_HYPOTHESIS)
        yield ErrorRun(run.start() == 0, said, heard, len(run[0]))


def _between(
    words: Sequence[str], edits: bytes, span: tuple[int, int], others: bytes
) -> Sequence[str]:
    """Return the words of a side in a span of edits; `others` are edits without a word of it."""
    first, last = (len(edits[:place].translate(None, others)) for place in span)
    return words[first:last]


def _names(run: ErrorRun) -> int:
    """Return the number of words of a speaker's name, or 0.

    A name is looked for in a run at the start of an utterance if only one side has words. The name
    ends with a colon or is marked by `>>`.
    """
    if not run.is_first or (run.reference and run.hypothesis):
        return 0
    for number, word in enumerate((run.reference or run.hypothesis)[:LONGEST_NAME], 1):
        if word.endswith(":") or word == ">>":
            return number
    return 0


def _numbers(run: ErrorRun) -> int:
    """Count the errors of a run that has digits on one side and only words on the other side."""
    digits = [any(map(_has_digit, side)) for side in (run.reference, run.hypothesis)]
    other = run.hypothesis if digits[0] else run.reference
    is_written = digits[0] != digits[1] and bool(other) and all(map(str.isalpha, other))
    return run.errors if is_written else 0


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _spellings(run: ErrorRun) -> int:
    """Count the substitutions in a run between British and American spellings of a word."""
    if len(run.reference) != len(run.hypothesis):
        return 0
    return sum(
        _is_same_word(left.lower(), right.lower())
        for left, right in zip(run.reference, run.hypothesis, strict=True)
    )


def _sharp_s(run: ErrorRun) -> int:
    """Count the substitutions in a run between a word with `ß` and the same word with `ss`."""
    return sum(
        differs_in_sharp_s(left, right) and left.casefold() == right.casefold()
        for left, right in zip(run.reference, run.hypothesis, strict=False)
    )


def differs_in_sharp_s(left: str, right: str) -> bool:
    """Return True if only one of two words has `ß`, and neither is in capitals, which have `SS`.

    >>> differs_in_sharp_s("Straße", "Strasse"), differs_in_sharp_s("Straße", "STRASSE")
    (True, False)
    """
    if left.isupper() or right.isupper():
        return False
    return ("ß" in left.lower()) != ("ß" in right.lower())


def _is_same_word(left: str, right: str) -> bool:
    if left == right or left[:2] != right[:2] or not left.isalpha():
        return False
    return any(
        first.replace(british, american) == second
        for british, american in _SPELLINGS
        for first, second in ((left, right), (right, left))
    )


def _blanks(run: ErrorRun) -> int:
    """Count the errors of a run whose sides have the same Chinese text but different blanks."""
    left, right = "".join(run.reference), "".join(run.hypothesis)
    return run.errors if left == right and _HAN.search(left) else 0


_CLASSES: tuple[tuple[tuple[Entry, Entry], Callable[[ErrorRun], int]], ...] = (
    (messages.SPEAKER_NAMES, _names),
    (messages.NUMBERS, _numbers),
    (messages.SPELLING, _spellings),
    (messages.SHARP_S, _sharp_s),
    (messages.BLANKS, _blanks),
)


def _language_advice(rates: Rates, rows: Sequence[int]) -> Message | None:
    """Return a hint if the sides are in different scripts or languages."""
    sides = (rates.aligned.references, rates.aligned.hypotheses)
    words = [
        list(islice(chain.from_iterable(side[row] for row in rows), _SAMPLE)) for side in sides
    ]
    if (
        min(map(len, words)) < _LEAST_WORDS
        or rates.counts.correct * 2 > rates.counts.reference_tokens
    ):
        return None
    for name in (_script, _language):
        left, right = map(name, words)
        if left and right and left != right:
            return Message(messages.LANGUAGES, {"reference": left, "hypothesis": right})
    return None


def _script(words: Iterable[str]) -> str:
    """Return the script of most words; empty if no word has letters of a script."""
    from collections import Counter

    counts = Counter(
        name
        for word in words
        for name in [next((name for name, letter in _SCRIPTS.items() if letter.search(word)), "")]
        if name
    )
    return counts.most_common(1)[0][0] if counts else ""


def _language(words: Sequence[str]) -> str:
    """Return the language whose common words are most frequent among the words.

    The result is empty if common words are rare in all languages.
    """
    from collections import Counter

    lower = Counter(word.lower().strip(".,;:!?") for word in words)
    shares = {
        name: sum(lower[word] for word in common.split()) / len(words)
        for name, common in _COMMON.items()
    }
    name = max(shares, key=shares.__getitem__)
    return name if shares[name] >= _LEAST_SHARE else ""


def invention_hint(rates: Rates, fewest: int) -> Message | None:
    """Return a hint if invented words cause more than 1 % of the errors, otherwise None.

    Invented words are loops, output for silence, and long insertions. For speed, only utterances
    without reference words or with at least three insertions are searched. Results with normalised
    words, or with units other than words, are not searched.

    >>> from scoring import wer
    >>> invention_hint(wer({"u1": "yes"}, {"u1": "yes no no no no no no"}), 5).fields["names"]
    ['u1']
    """
    rules, total = rates.rules, rates.counts
    if rules.normalization != "none" or rules.unit != "word" or rates.session_of:
        return None
    if total.insertions < fewest:
        return None
    numbers = {row: number for row, number in _invented(rates) if number}
    number = sum(numbers.values())
    if number < fewest or number <= INVENTED_SHARE * total.errors:
        return None
    worst = sorted(numbers, key=lambda row: (-numbers[row], row))[:_NAMED]
    fields = {
        "number": number,
        "errors": total.errors,
        "percent": percent(number / total.errors),
        "names": [shown(rates.identifiers[row]) for row in worst],
    }
    return Message(messages.INVENTED, fields)


def _invented(rates: Rates) -> Iterator[tuple[int, int]]:
    """Yield the position of each utterance with invented words, and the number of these words."""
    from scoring.alignment.kernel import rows_of_insertions
    from scoring.results.repeats import LEAST_REPEATED

    aligned, numbers = rates.aligned, rates.aligned.counts.numbers
    for row in memoryview(rows_of_insertions(numbers, LEAST_REPEATED)).cast("q"):
        if not any(numbers[4 * row : 4 * row + 3]):
            yield row, numbers[4 * row + 3]
        else:
            edits = aligned.edits_of(row)
            heard, said = aligned.hypotheses[row], aligned.references[row]
            yield row, len(_positions(edits, heard, said))


def _positions(edits: bytes, heard: Sequence[str], said: Sequence[str]) -> set[int]:
    """Return the positions of invented words in an alignment.

    Invented words are those of long insertions, and the surplus copies of loops.
    """
    from scoring.results.repeats import loops_of, pieces_of

    slots = {place for run in _INSERTED.finditer(edits) for place in range(*run.span())}
    pieces = [(token, place) for place, word in enumerate(heard) for token in pieces_of(word)]
    tokens = [token for token, _ in pieces]
    spoken = [token for word in said for token in pieces_of(word)]
    excess: set[int] = set()
    for loop in loops_of(tokens, spoken):
        stop = loop.start + loop.length * loop.copies
        excess.update(place for _, place in pieces[stop - loop.excess : stop])
    if excess:
        places = (slot for slot, edit in enumerate(edits) if edit not in NO_HYPOTHESIS)
        wrong = (slot for place, slot in enumerate(places) if place in excess)
        slots.update(slot for slot in wrong if edits[slot] in _WRONG)
    return slots
