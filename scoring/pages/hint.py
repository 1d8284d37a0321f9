"""Hints on errors in spelling or in invisible characters; each names the step that removes them."""

from __future__ import annotations

from itertools import chain, compress

from scoring.model.counts import BLANK, NO_HYPOTHESIS, NO_REFERENCE, Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Sequence

    from formats.schema.messages import Message
    from scoring.alignment.results import Alignments
    from scoring.options import Rules
    from scoring.results import Rates

# The share of the errors from which a hint is worth a line.
NOTABLE = 0.1
# Errors below which no class of them is looked for.
FEWEST = 5
# The number of utterances that decides the kind of errors.
_SEEN = 5_000
_RIGHT = bytes([Edit.CORRECT])
_IN_STEP = bytes([Edit.CORRECT, Edit.SUBSTITUTION])
# As bytes, which are looked through quickly.
_ERRORS = bytes([Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION])
_BARE = b"abcdefghijklmnopqrstuvwxyz0123456789 "
_NO_REFERENCE, _NO_HYPOTHESIS = bytes(NO_REFERENCE), bytes(NO_HYPOTHESIS)


def hint_of(rates: Rates) -> Message | None:
    """Return a hint if a step removes errors or if many errors are of one class, else None.

    The hint reports even a single error in invisible characters, in Unicode's forms (NFC, NFD) or
    in blanks that join words. If there is none, it reports the errors that the pipeline `plain`
    removes, if these are at least a tenth of all errors. Only the first 5,000 utterances of a long
    result are checked. In all other cases, the hint comes from `scoring.pages.advice`.

    >>> from scoring import wer
    >>> hint = hint_of(wer("THE CAT SAT", "the cat, sat"))
    >>> print(hint)
    3 of 3 errors are case or punctuation only; see --normalize plain
    >>> hint.advice[0].option, hint.advice[0].value, hint.fields
    ('normalize', 'plain', {'number': 3, 'errors': 3})
    """
    if rates.rules.like:
        # the recipe forbids what a hint suggests
        return None
    hint = _step_hint(rates) or _advice(rates)
    if hint is not None and rates.remarks:
        from formats.kaldi.messages import KALDI_INTEGERS

        if any(remark.code == KALDI_INTEGERS.code for remark in rates.remarks):
            # the integers stand for words, so their errors have no class
            return None
    return hint


def _advice(rates: Rates) -> Message | None:
    """Return a hint on a class of many errors.

    If there are few errors, return None without loading a module.
    """
    if rates.counts.errors < FEWEST:
        return None
    from scoring.pages.advice import advice_of

    return advice_of(rates, FEWEST)


def _step_hint(rates: Rates) -> Message | None:
    """Return a hint on errors that a step or pipeline removes."""
    aligned = rates.aligned
    if all(map(_is_bare, chain(_texts(aligned.references), _texts(aligned.hypotheses)))):
        return None
    is_first = len(rates) > _SEEN
    if is_first:
        aligned = aligned.select(range(_SEEN))
    errors = aligned.counts.total().errors
    if not errors:
        return None
    from scoring.pages import messages

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
    return messages.share(entries, number, errors, _SEEN if is_first else None)


def _invisible_errors(
    pairs: Counter[tuple[str | None, str | None]], *, ignore_case: bool
) -> tuple[int, list[str]]:
    """Return the number of errors between words that look equal.

    Also return the names of the steps that remove these errors.
    """
    from unicodedata import normalize

    from scoring.text.unicode_forms import Controls

    remove, total = Controls(), 0
    needed: set[str] = set()
    for pair, number in pairs.items():
        left, right = (word or "" for word in pair)
        if left.isascii() and right.isascii():
            continue
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


def _texts(words: Sequence[tuple[str, ...]]) -> Iterable[str]:
    """Return the words of each of the first utterances, joined to one text."""
    if isinstance(words, (list, tuple)):
        return map(" ".join, words[:_SEEN])
    from scoring.alignment.texts import ColumnWords

    if isinstance(words, ColumnWords):
        return (text or "" for text in words.texts.texts(0, min(len(words), _SEEN)))
    return map(" ".join, words[:_SEEN])


def _is_bare(text: str) -> bool:
    """Return True if a text has only characters whose spelling cannot differ.

    These are lower-case letters, digits and blanks of ASCII.
    """
    return text.isascii() and not text.encode().translate(None, _BARE)


def spelling_errors(differing: Counter[tuple[str | None, str | None]]) -> int:
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
    from scoring.pages.advice import differs_in_sharp_s

    return not differs_in_sharp_s(left, right)


def bare_word(word: str) -> str:
    """Return a word in lower case, with only its letters and digits."""
    lower = word.lower()
    return lower if lower.isalnum() else "".join(filter(str.isalnum, lower))


def differing_words(aligned: Alignments) -> Counter[tuple[str | None, str | None]]:
    """Count the errors by reference and hypothesis word; None stands for a missing word."""
    from collections import Counter

    edits, offsets = bytes(aligned.edits), aligned.offsets
    differing: Counter[tuple[str | None, str | None]] = Counter()
    for row, (left, right) in enumerate(zip(aligned.references, aligned.hypotheses, strict=True)):
        codes = edits[offsets[row] : offsets[row + 1]]
        if not codes.strip(_RIGHT):
            continue
        if not codes.strip(_IN_STEP):
            differing.update(compress(zip(left, right, strict=True), codes))
            continue
        reference, hypothesis = iter(left), iter(right)
        for edit in codes:
            word = None if edit in _NO_REFERENCE else next(reference)
            heard = None if edit in _NO_HYPOTHESIS else next(hypothesis)
            if edit in _ERRORS:
                differing[word, heard] += 1
    return differing
