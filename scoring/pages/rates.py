"""Results for people: Kaldi's lines, what was matched, tables by speaker, alignments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.model import Alignment, Counts
from scoring.pages.kaldi_lines import percentage, scored_line, sentence_line, wer_line
from scoring.pages.terminal import alignment_lines, coloured, shown, table

if TYPE_CHECKING:
    from scoring.scored.rates import ErrorRates
    from scoring.stats.comparison import ConfidenceInterval

HEADINGS = ("correct", "sub", "del", "ins", "errors", "rate %")
NO_SPEAKER = "(no speaker)"
_UTTERANCES_SEEN = 1000
_LONGEST_WORD = 8
# Characters of Thai, Lao, Burmese, Khmer, Kana or Han.
_UNSEPARATED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


def percent(rate: float | None, digits: int = 2, sign: str = "") -> str:
    """A ratio in percent; `n/a` where there is none.

    >>> percent(0.125), percent(None), percent(0.01, sign="+")
    ('12.50', 'n/a', '+1.00')
    """
    return "n/a" if rate is None else f"{100 * rate:{sign}.{digits}f}"


def summary_lines(rates: ErrorRates, interval: ConfidenceInterval | None = None) -> Iterator[str]:
    """Kaldi's three lines, all counts, what was matched, the signature."""
    counts, account = rates.counts, rates.account
    missing = account.reference_only.number
    yield wer_line(counts, partial=missing > 0)
    yield sentence_line(rates.sentence_errors, len(rates))
    yield scored_line(len(rates), missing)
    yield (
        f"words: {counts.reference_tokens} in the reference, {counts.hypothesis_tokens} in the "
        f"hypothesis, {counts.correct} correct"
    )
    yield (
        f"rates: corpus {percent(rates.corpus)} %; mean of utterances "
        f"{percent(rates.mean_of_utterances)} %; MER {percent(rates.match_error_rate)} %; "
        f"WIL {percent(rates.word_information_lost)} %"
    )
    if interval is not None:
        yield f"confidence interval: {_interval_text(interval)}"
    yield from account_lines(rates)
    yield f"signature: {rates.signature}"


def _interval_text(interval: ConfidenceInterval) -> str:
    found = interval.bootstrap
    if found is None:
        return f"none, {interval.reason}"
    low, high = found.percentile
    return (
        f"{100 * low:.2f} to {100 * high:.2f} % ({100 * found.level:g} % percentile bootstrap, "
        f"{found.units} units by {interval.block}, {found.replications} replications, "
        f"seed {found.seed})"
    )


def account_lines(rates: ErrorRates) -> Iterator[str]:
    """What became of the utterances of both sides."""
    account = rates.account
    yield (
        f"utterances: {account.matched} matched by {account.matched_by}, "
        f"{account.reference_only.number} in the reference only, "
        f"{account.hypothesis_only.number} in the hypothesis only, {account.repeated} repeated"
    )
    if account.reference_only.number:
        fate = "deleted" if rates.rules.missing == "delete" else "skipped"
        words = f" ({account.skipped_words} words)" if fate == "skipped" else ""
        names = listed(account.reference_only.identifiers)
        yield f"  in the reference only, {fate}{words}: {names}"
    if account.hypothesis_only.number:
        yield (
            f"  in the hypothesis only, not scored ({account.unscored_words} words): "
            f"{listed(account.hypothesis_only.identifiers)}"
        )
    if account.ignored_words:
        yield f"  in segments not to be scored: {account.ignored_words} words"


def listed(identifiers: Sequence[str]) -> str:
    """Identifiers, safe for a terminal."""
    return ", ".join(map(shown, identifiers))


def warnings_of(rates: ErrorRates) -> Iterator[str]:
    """What may have been overlooked, one line each."""
    account, name = rates.account, rates.hypothesis.path
    if account.reference_only.number:
        fate = "their words count as deleted"
        if rates.rules.missing == "skip":
            fate = f"they are left out with their {account.skipped_words} words"
        yield (f"{name}: references without hypothesis, {fate}: {account.reference_only}")
    if rates.rules.unit == "word" and _looks_unseparated(rates):
        yield (
            f"{rates.reference.path}: most words are long runs of a script that is written without "
            "blanks: --unit char compares characters, --unit mixed those of Han and Kana (with "
            "names behind it, as in mixed+thai, of other scripts)"
        )
    if not rates.counts.reference_tokens:
        yield f"{rates.reference.path}: no words in the reference, so there is no error rate"


def _looks_unseparated(rates: ErrorRates) -> bool:
    """Whether more than half of the first words have more than eight letters of such a script."""
    words = [word for one in rates.aligned.references[:_UTTERANCES_SEEN] for word in one]
    long = sum(
        len(word) > _LONGEST_WORD
        and not word.isascii()
        and len(_UNSEPARATED.findall(word)) > _LONGEST_WORD
        for word in words
    )
    return 2 * long > len(words)


def speaker_lines(rates: ErrorRates) -> list[str]:
    """A table of the speakers, in order of first appearance, and their sum."""
    rows: list[tuple[str, ...]] = [("speaker", "utterances", f"{noun_of(rates)}s", *HEADINGS)]
    for speaker, positions in rates.per_speaker().items():
        name = NO_SPEAKER if speaker is None else speaker
        rows.append((name, *_cells(len(positions), rates.sum_of(positions))))
    rows.append(("sum", *_cells(len(rates), rates.counts)))
    return table(rows)


def _cells(utterances: int, counts: Counts) -> tuple[str, ...]:
    numbers = (utterances, counts.reference_tokens, *counts, counts.errors)
    return (*map(str, numbers), percentage(counts.errors, counts.reference_tokens))


def utterance_lines(
    rates: ErrorRates,
    columns: int,
    colour: bool,
    words: Sequence[Sequence[str]] | None = None,
) -> Iterator[str]:
    """Every utterance with its counts and its alignment.

    Parameters
    ----------
    words
        Those of each utterance, where other things are aligned.
    """
    for position, (identifier, speaker, counts) in enumerate(rates):
        name = shown(identifier) if speaker is None else f"{shown(identifier)} ({shown(speaker)})"
        yield coloured(name, "1", colour) + f": {error_text(counts, noun_of(rates))}"
        if words is not None:
            yield ("  words:       " + shown(" ".join(filter(None, words[position])))).rstrip()
        yield from indented_alignment(rates.alignment_at(position), columns, colour)


def noun_of(rates: ErrorRates) -> str:
    """What is counted, for tables and sentences."""
    return "phoneme" if rates.rules.unit == "phoneme" else "word"


def error_text(counts: Counts, noun: str = "word") -> str:
    """Errors of an utterance in words, and of how many things there were.

    >>> error_text(Counts(3, 1, 0, 0))
    '1 error in 4 words, 25.00 %'
    """
    errors = "1 error" if counts.errors == 1 else f"{counts.errors} errors"
    size = counts.reference_tokens
    rate = percentage(counts.errors, size)
    things = f"{size} {noun}" if size == 1 else f"{size} {noun}s"
    return f"{errors} in {things}, {rate}{' %' if rate != 'n/a' else ''}"


def indented_alignment(alignment: Alignment, columns: int, colour: bool) -> Iterator[str]:
    """The rows of an alignment, set in."""
    labels = ("  reference:", "  hypothesis:")
    yield from alignment_lines(alignment, labels, columns, colour)
