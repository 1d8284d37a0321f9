"""Report the gaps between groups: for each requested column, and for all columns combined.

The gap is the error rate of the worst group minus that of the best group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.drawing import decimal, p_text, percent, probability
from scoring.drawing.blocks import Block, Heading, Items, Note, Table
from scoring.drawing.notebook import ShownByBlocks, html_of, text_of
from scoring.model.errors import OptionValueError
from scoring.results.groups import SPEAKER, value_cells, value_rows
from scoring.stats import group_gaps as statistics
from scoring.stats.units import errors_and_tokens

if TYPE_CHECKING:
    from scoring.results import Rates
    from scoring.stats.intervals import Resampling

HEADINGS = ("units", "words", "rate %", "difference", "p", "corrected")


class GroupGap(NamedTuple):
    """A comparison of groups, and the columns (`by`) whose values name the groups."""

    by: tuple[str, ...]
    comparison: statistics.GroupComparison

    @property
    def title(self) -> str:
        """The names of the columns, joined by commas."""
        return ",".join(self.by)

    def name(self, group: statistics.GroupScore) -> str:
        """Return the name of a group as reports print it."""
        return f"(no {self.title})" if group.name is None else group.name

    @property
    def least(self) -> str:
        """The least size of a group that is compared, as text."""
        noun = "speakers" if self.comparison.unit == statistics.SPEAKER else "utterances"
        return f"{statistics.LEAST_WORDS} words and {statistics.LEAST_UNITS} {noun}"

    def summary(self) -> Iterator[str]:
        """Yield sentences about the gap."""
        result = self.comparison
        if result.gap is None or result.worst is None or result.best is None:
            yield f"no gap: fewer than two groups have {self.least}"
            return
        pair = [result.groups[place] for place in (result.worst, result.best)]
        sides = " against ".join(f"{self.name(group)} {percent(group.rate)} %" for group in pair)
        p_value = "" if result.p_value is None else f", {p_text(result.p_value)}"
        yield f"gap: {percent(result.gap)} points, {sides}{p_value}"
        if result.interval is not None:
            bounds, method = result.interval.bounds(unit=" points"), result.interval.how()
            yield f"  of these two groups: {bounds} ({method})"
        ratio, mean = decimal(result.ratio, 2), percent(result.mean_of_groups)
        yield f"ratio: {ratio}; mean of groups: {mean} %"

    def blocks(self) -> Iterator[Block]:
        """Yield a table, with the worst group first, and the gap."""
        result = self.comparison
        ordered = sorted(result.groups, key=lambda row: (row.rate is None, -(row.rate or 0)))
        rows = [
            (
                self.name(group),
                *(f"{group.units:,}", f"{group.words:,}", percent(group.rate)),
                percent(group.difference, sign="+"),
                *(("small", "") if group.is_small else map(probability, group[-2:])),
            )
            for group in ordered
        ]
        yield Heading(f"Groups by {self.title}", 3)
        yield Table((self.title, *HEADINGS), rows)
        yield Items(list(self.summary()))
        small = sum(group.is_small for group in ordered)
        if small:
            yield Note(
                f"{small:,} of {len(rows):,} groups are small: they have less than {self.least}"
            )
        yield Note(
            "quote the p of the gap (do the groups differ at all?) or corrected (does a group "
            "differ from all other groups together?); the interval excludes 0 too often, because "
            "the data choose its two groups"
        )
        yield Note(result.signature)

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)

    def record(self) -> dict[str, Any]:
        """Return the comparison for JSON; rates are ratios."""
        result = self.comparison
        worst, best = (
            None if place is None else result.groups[place].name
            for place in (result.worst, result.best)
        )
        return {
            "by": list(self.by),
            "groups": list(map(_group_record, result.groups)),
            "worst": worst,
            "best": best,
            **{
                name: getattr(result, name)
                for name in ("gap", "ratio", "mean_of_groups", "p_value")
            },
            "interval": result.interval and result.interval.record(),
            "signature": result.signature,
        }


class GroupGaps(ShownByBlocks, list[GroupGap]):
    """The comparisons of several columns; prints their tables."""

    def blocks(self) -> Iterator[Block]:
        """Yield the table and the gap of each comparison."""
        return chain.from_iterable(gap.blocks() for gap in self)


def _group_record(group: statistics.GroupScore) -> dict[str, Any]:
    return {
        "name": group.name,
        "unit_count": group.units,
        "word_count": group.words,
        "error_rate": group.rate,
        "is_small": group.is_small,
        "difference": group.difference,
        "p_value": group.p_value,
        "adjusted_p_value": group.adjusted,
    }


def group_gaps(
    rates: Rates, *, correction: str = "holm", resampling: Resampling | None = None
) -> GroupGaps:
    """Compare the groups of each column of `by`, then those of all columns combined.

    Groups with fewer than 100 reference words or fewer than 2 units are not compared. Units are
    speakers if speakers are known and each belongs to only one group. Otherwise, and if speakers
    themselves are the groups, units are utterances. If a speaker has utterances in several groups,
    utterances are permuted within each speaker.

    Parameters
    ----------
    rates
        Result of `scoring.wer` with `by` or `metadata`.
    correction
        Correction of the p-values of groups: `holm`, `bonferroni` or `fdr_bh`.
    resampling
        Replications and level of intervals, and the seed.

    Returns
    -------
    GroupGaps
        A list that prints as tables. Each `GroupGap` has `by`, the columns, and `comparison`: gap,
        ratio, p-value, interval, and for each group its rate and how it differs from the rate of
        all other groups together; see `scoring.stats.group_gaps`.

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
        raise OptionValueError(
            "by", expected="a result with groups", found="none (by=[...] gives them)"
        )
    names = list(rates.groups)
    columns = [[name] for name in names] + ([names] if len(names) > 1 else [])
    return GroupGaps(
        GroupGap(
            tuple(by),
            statistics.compare_groups(
                errors_and_tokens(rates.per_utterance.array),
                [
                    tuple(_cross(by, values) for values in rows)
                    for rows in value_rows({name: rates.groups[name] for name in by})
                ],
                None if by == [SPEAKER] else rates.speakers,
                correction=correction,
                resampling=resampling,
            ),
        )
        for by in columns
    )


def _cross(names: Sequence[str], values: tuple[str | None, ...]) -> str | None:
    """Join the values of all columns to the name of a group; None if every value is missing."""
    return " / ".join(value_cells(names, values)) if any(values) else None
