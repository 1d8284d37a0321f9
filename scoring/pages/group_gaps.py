"""How far the error rates of groups are apart: each column that was asked for, and their cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.drawing.blocks import Block, Heading, Items, Note, Table
from scoring.drawing.numbers import decimal, p_text, percent
from scoring.rates.groups import BETWEEN_LABELS, LABEL, SPEAKER
from scoring.stats.group_gaps import LEAST_UNITS, LEAST_WORDS, GroupComparison, compare_groups
from scoring.stats.units import errors_and_tokens

if TYPE_CHECKING:
    from scoring.rates.result import Rates
    from scoring.stats.intervals import Resampling

HEADINGS = ("units", "words", "rate %", "difference", "p", "corrected")


class GroupGap(NamedTuple):
    """A comparison of groups, and the columns whose values name them."""

    by: tuple[str, ...]
    comparison: GroupComparison

    @property
    def title(self) -> str:
        """The columns in one text."""
        return ",".join(self.by)

    def name(self, place: int) -> str:
        """The name of a group."""
        name = self.comparison.groups[place].name
        return f"(no {self.title})" if name is None else name

    def summary(self) -> Iterator[str]:
        """The gap in words."""
        found = self.comparison
        if found.gap is None or found.worst is None or found.best is None:
            yield f"no gap: fewer than two groups have {_least(found)}"
            return
        worst, best = (
            f"{self.name(place)} {percent(found.groups[place].score)} %"
            for place in (found.worst, found.best)
        )
        p_value = "" if found.p_value is None else f", {p_text(found.p_value)}"
        yield f"gap: {percent(found.gap)} points, {worst} against {best}{p_value}"
        if found.interval is not None:
            low, high = found.interval.percentile
            unit = found.unit.partition(" ")[0]
            how = found.interval.how(unit)
            yield f"  of these two groups: {percent(low)} to {percent(high)} points ({how})"
        ratio, mean = decimal(found.ratio, 2), percent(found.mean_of_groups)
        yield f"ratio: {ratio}; mean of groups: {mean} %"

    def blocks(self) -> Iterator[Block]:
        """The table, worst group first, and the gap."""
        found = self.comparison
        places = sorted(
            range(len(found.groups)),
            key=lambda place: (
                found.groups[place].score is None,
                -(found.groups[place].score or 0),
            ),
        )
        rows = []
        for place in places:
            group = found.groups[place]
            tests = ("small", "") if group.is_small else _cells(group.p_value, group.adjusted)
            difference = percent(group.difference, sign="+")
            rate = percent(group.score)
            sizes = str(group.units), str(group.words)
            rows.append((self.name(place), *sizes, rate, difference, *tests))
        yield Heading(f"Groups by {self.title}", 3)
        yield Table((self.title, *HEADINGS), rows)
        yield Items(list(self.summary()))
        small = sum(group.is_small for group in found.groups)
        if small:
            yield Note(
                f"{small} of {len(rows)} groups are small: they have less than {_least(found)}"
            )
        yield Note(f"differences are from all other groups together; {found.signature}")

    def record(self) -> dict[str, Any]:
        """The comparison for JSON; rates are ratios."""
        found = self.comparison
        names = [None if p is None else found.groups[p].name for p in (found.worst, found.best)]
        return {
            "by": list(self.by),
            "groups": [
                {("rate" if key == "score" else key): value for key, value in row._asdict().items()}
                for row in found.groups
            ],
            "worst": names[0],
            "best": names[1],
            "gap": found.gap,
            "ratio": found.ratio,
            "mean_of_groups": found.mean_of_groups,
            "p_value": found.p_value,
            "interval": found.interval and found.interval.record(found.unit),
            "signature": found.signature,
        }


def _least(found: GroupComparison) -> str:
    noun = "utterances" if found.unit.startswith("utterance") else "speakers"
    return f"{LEAST_WORDS} words and {LEAST_UNITS} {noun}"


def _cells(*p_values: float | None) -> tuple[str, ...]:
    return tuple("n/a" if p is None else p_text(p).removeprefix("p = ") for p in p_values)


def group_gaps(
    rates: Rates, *, correction: str = "holm", resampling: Resampling | None = None
) -> list[GroupGap]:
    """Compare the groups of a result: those of each column of `by`, then those of the cross.

    Groups with fewer than 100 reference words or 2 units are small and take no part. A unit is a
    speaker where speakers are known and each is in one group, otherwise an utterance; where a group
    varies within speakers, utterances are permuted within each. If speakers themselves are the
    groups, the units are utterances.

    Parameters
    ----------
    rates
        Result of `scoring.wer` with `by` or `metadata`.
    correction
        Of the p-values of groups: `holm`, `bonferroni` or `fdr_bh`.
    resampling
        Replications and level of intervals, and the seed.

    Returns
    -------
    list of GroupGap
        `by`, the columns, and `comparison`: gap, ratio, p-value, interval, and for each group its
        rate and its difference from all others together; see `scoring.stats.group_gaps`.

    Raises
    ------
    ValueError
        If the result has no groups, or an argument is invalid.

    Examples
    --------
    >>> from scoring import wer
    >>> old, new = "a b c d e " * 12, "a b c d x " * 12
    >>> rates = wer([old] * 8, [old] * 4 + [new] * 4, metadata={
    ...     f"{number:06d}": {"accent": "xy"[number > 4]} for number in range(1, 9)})
    >>> [gap] = group_gaps(rates)
    >>> gap.comparison.gap, round(gap.comparison.p_value, 4)
    (0.2, 0.0286)
    """
    if not rates.groups:
        raise ValueError("by: expected a result with groups, found none (by=[...] gives them)")
    names = list(rates.groups)
    columns = [[name] for name in names] + ([names] if len(names) > 1 else [])
    statistics = errors_and_tokens(rates.per_utterance.array)
    return [
        GroupGap(
            tuple(by),
            compare_groups(
                statistics,
                _members(rates, by),
                None if by == [SPEAKER] else rates.speakers,
                correction=correction,
                resampling=resampling,
            ),
        )
        for by in columns
    ]


def _members(rates: Rates, by: Sequence[str]) -> list[str | tuple[str, ...] | None]:
    """The groups of each utterance; those of a cross are named by all their values."""
    several = [
        [
            (None,) if value is None else value.split(BETWEEN_LABELS) if name == LABEL else (value,)
            for value in rates.groups[name]
        ]
        for name in by
    ]
    members: list[str | tuple[str, ...] | None] = []
    for values in zip(*several, strict=True):
        names = [
            None if not any(parts) else " / ".join(part or "-" for part in parts)
            for parts in product(*values)
        ]
        members.append(names[0] if len(names) == 1 else tuple(map(str, names)))
    return members
