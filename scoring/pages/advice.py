"""Hints: if many errors belong to one class, a hint names an option that removes them.

A run is a sequence of adjacent errors in the alignment of an utterance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from typing import TYPE_CHECKING, NamedTuple

from formats.console.terminal import shown
from formats.schema.messages import Entry, Message
from scoring.drawing import percent
from scoring.model.counts import NO_HYPOTHESIS, Edit
from scoring.pages import messages
from scoring.results.repeats import LEAST_REPEATED, loops_of, pieces_of

if TYPE_CHECKING:
    from scoring.results import Rates

SHARE = 1 / 3
"""The share of the errors from which a class is worth a line."""
INVENTED_SHARE = 0.01
"""The share of the errors from which loops and invented text are worth a line."""
_INSERTED = re.compile(b"\\x03{5,}")
_WRONG = (Edit.SUBSTITUTION, Edit.INSERTION)
_NAMED = 3  # utterances that the line on invented text names
SEEN = 500  # utterances with errors that are looked at
LONGEST_NAME = 4  # words of a name before a cue
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
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
    "Cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "Greek": re.compile(r"[\u0370-\u03ff]"),
    "Arabic": re.compile(r"[\u0600-\u06ff]"),
    "Hebrew": re.compile(r"[\u0590-\u05ff]"),
    "Devanagari": re.compile(r"[\u0900-\u097f]"),
    "Thai": re.compile(r"[\u0e00-\u0e7f]"),
    "Hangul": re.compile(r"[\uac00-\ud7af]"),
    "Han or Kana": re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"),
    "Latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
}


class ErrorRun(NamedTuple):
    """A run: adjacent errors of an utterance, with the words of both sides."""

    is_first: bool  # whether no right word precedes them
    reference: Sequence[str]
    hypothesis: Sequence[str]
    errors: int


def advice_of(rates: Rates, fewest: int = 5) -> Message | None:
    """Return a hint on the class of errors that explains many of the errors, or None.

    The class has at least `fewest` errors, and over a third of all errors.

    >>> from scoring import wer
    >>> hint = advice_of(wer(["ANN: good day"] * 5, ["good day"] * 5))
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
    sides: tuple[list[str], list[str]] = ([], [])
    errors, is_first = 0, True
    for pair in rates.aligned[row]:
        if pair.edit in (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION):
            errors += 1
            for side, word in zip(sides, pair[1:], strict=True):
                side += [] if word is None else [word]
            continue
        if errors:
            yield ErrorRun(is_first, sides[0], sides[1], errors)
        errors, is_first, sides = 0, False, ([], [])
    if errors:
        yield ErrorRun(is_first, sides[0], sides[1], errors)


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
    lower = Counter(word.lower().strip(".,;:!?") for word in words)
    shares = {
        name: sum(lower[word] for word in common.split()) / len(words)
        for name, common in _COMMON.items()
    }
    name = max(shares, key=shares.__getitem__)
    return name if shares[name] >= _LEAST_SHARE else ""


def invention_hint(rates: Rates, fewest: int = 5) -> Message | None:
    """Return a hint if invented words cause more than 1 % of the errors, otherwise None.

    Invented words are loops, output for silence, and long insertions. For speed, only utterances
    without reference words or with at least three insertions are searched. Results with normalised
    words, or with units other than words, are not searched.

    >>> from scoring import wer
    >>> invention_hint(wer({"u1": "yes"}, {"u1": "yes no no no no no no"})).fields["names"]
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
    aligned, numbers = rates.aligned, rates.aligned.counts.numbers
    for row in compress(range(len(rates)), numbers[3::4]):
        insertions = numbers[4 * row + 3]
        if not any(numbers[4 * row : 4 * row + 3]):
            yield row, insertions
        elif insertions >= LEAST_REPEATED:
            edits = aligned.edits_of(row)
            heard, said = aligned.hypotheses[row], aligned.references[row]
            yield row, len(_positions(edits, heard, said))


def _positions(edits: bytes, heard: Sequence[str], said: Sequence[str]) -> set[int]:
    """Return the positions of invented words in an alignment.

    Invented words are those of long insertions, and the surplus copies of loops.
    """
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
