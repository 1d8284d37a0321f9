"""One side of a comparison: a system's words, the computed scores and the recorded numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.messages import Message
from scoring.model.errors import InputError
from scoring.options import Rules
from scoring.score.aligned import align_words
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Account, InputFile

if TYPE_CHECKING:
    from formats.schema.words import Words

SHOWN = 10
EQUAL, DIFFERS, NOT_CHECKED = "equal", "differs", "not checked"
RECORDS = ("record", "run")  # kinds of sides that keep their options


class EvidenceError(InputError):
    """Raised for a recorded result that cannot be read; always has a message."""

    status = 2

    def __init__(self, path: str, line: int | None, column: int | None, problem: Message) -> None:
        super().__init__(path, line, column, problem)


class Difference(NamedTuple):
    """A recorded number that differs from the computed number."""

    where: str
    recorded: str
    ours: str


class Check(NamedTuple):
    """A check of one kind of recorded numbers against the computed numbers, digit by digit."""

    what: str  # where they were recorded
    compared: int  # how many entries were compared
    differences: tuple[Difference, ...] = ()  # those that are not equal; the first ten
    unequal: int = 0  # how many are not equal
    remark: str = ""  # why something was not compared; empty otherwise
    how: str = ""  # how ours were computed
    names: tuple[str, ...] = ()  # the numbers that were not compared

    @property
    def equal(self) -> bool:
        """True if all compared numbers are equal."""
        return not self.unequal

    @property
    def state(self) -> str:
        """The state of the recorded numbers: `equal`, `differs` or `not checked`."""
        return DIFFERS if self.unequal else EQUAL if self.compared else NOT_CHECKED

    def reason(self, most: int | None = None) -> str:
        """Return why something was not compared, with at most `most` names (None: all)."""
        names = list(self.names)
        if most is not None and len(names) > most + 1:
            names = [*names[:most], f"and {len(names) - most} more"]
        return f"{self.remark}: {', '.join(names)}" if names else self.remark

    def text(self, most: int | None = None) -> str:
        """Return the outcome in words, with at most `most` names of numbers (None: all)."""
        if not self.compared:
            return f"{self.what}: {NOT_CHECKED}, {self.reason(most)}"
        if self.equal:
            return f"{self.what}: all {self.compared} equal"
        return f"{self.what}: {self.unequal} of {self.compared} differ"

    def __str__(self) -> str:
        return self.text()


def compare_all(source: str, entries: Iterable[Difference], how: str = "") -> Check:
    """Compare recorded numbers with computed numbers; return one check for all of them.

    Examples
    --------
    >>> print(compare_all("wer_7_0.0", [Difference("line 1", "5.00", "5.00")]))
    wer_7_0.0: all 1 equal
    """
    compared = unequal = 0
    first: list[Difference] = []
    for entry in entries:
        compared += 1
        if entry.recorded != entry.ours:
            unequal += 1
            if len(first) < SHOWN:
                first.append(entry)
    remark = "" if compared else "it holds no recorded number"
    return Check(source, compared, tuple(first), unequal, remark, how)


def states_of(checks: Sequence[Check]) -> str:
    """Return the number of checks in each state: `equal 9, differs 1, not checked 0`."""
    states = Counter(check.state for check in checks)
    return ", ".join(f"{state} {states[state]}" for state in (EQUAL, DIFFERS, NOT_CHECKED))


def inventory_lines(checks: Sequence[Check], most: int | None = None) -> Iterator[str]:
    """Yield the checks with the numbers that differ; similar consecutive checks share a line.

    Of numbers that were not compared, at most `most` are named (None: all).
    """
    groups = groupby(checks, key=lambda check: (check.state, check.how, check.reason()))
    for (state, how, _), group in groups:
        alike = list(group)
        for part in ([check] for check in alike) if state == DIFFERS else (alike,):
            whole, others = part[0], len(part) - 1
            if others:
                whole = whole._replace(
                    what=f"{whole.what} and {others} other{'s' * (others > 1)}",
                    compared=sum(check.compared for check in part),
                )
            text = whole.text(most)
            yield f"{text} ({how})" if how else text
            for check in part:
                for where, recorded, ours in check.differences:
                    yield f"  {where}: recorded {recorded}, ours {ours}"
                if check.unequal > len(check.differences):
                    yield f"  and {check.unequal - len(check.differences)} more"


class ScoredVersion(NamedTuple):
    """One run of a version, with the numbers recorded for it."""

    name: str
    kind: str  # `Kaldi directory`, `sclite SGML`, `record`, `run` or `transcripts`
    rates: ErrorRates  # our scores
    checks: tuple[Check, ...] = ()  # the recorded numbers against ours
    aligned_with: str = ""  # what recorded alignments used besides the words
    notes: tuple[Message, ...] = ()  # on hypotheses that were chosen

    def under(self, rules: Rules, *, recorded: bool = False) -> ErrorRates:
        """Return the scores after aligning the words again by the costs, ties and case of `rules`.

        The words are not normalised again. The choice of alternatives does not change.
        """
        if self.rates.session_of:
            return self.rates
        same = self.rates.rules
        alike = (same.profile, same.ignore_case) == (rules.profile, rules.ignore_case)
        if alike and (recorded or not self.aligned_with):
            return self.rates
        aligned = self.rates.aligned
        return rescored(
            self.name,
            self.rates.identifiers,
            self.rates.speakers,
            aligned.references,
            aligned.hypotheses,
            same._replace(profile=rules.profile, ignore_case=rules.ignore_case),
        )


def rescored(
    name: str,
    identifiers: Sequence[str],
    speakers: Sequence[str | None],
    references: Sequence[Words],
    hypotheses: Sequence[Words],
    rules: Rules,
    account: Account | None = None,
) -> ErrorRates:
    """Return the scores of utterances that are already paired.

    `account` lists the unpaired utterances.
    """
    count = len(identifiers)
    return ErrorRates(
        InputFile(name),
        InputFile(name),
        rules,
        account or Account("identifier", count, count, count),
        identifiers,
        speakers,
        align_words(references, hypotheses, rules, 1),
    )
