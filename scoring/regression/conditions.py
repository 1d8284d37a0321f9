"""Parse gate conditions: limits that a number must not exceed, for all commands.

A condition limits a number (`12.5`, percent) or its increase over a baseline. An increase is an
amount. With `:significant` after the amount, only a significant change counts. The ending
`:undecided-fails` or `:undecided-passes` determines the outcome if the data cannot decide.

    AMOUNT    5% (of the baseline's number) | 0.5pt (percentage points) | 3 (no percentage)
              | max(AMOUNT, AMOUNT ...) | min(AMOUNT, AMOUNT ...)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from formats.schema.messages import Message
from scoring.model.errors import OptionValueError
from scoring.regression import messages
from scoring.regression.task_figures import ERROR_RATE, TASK_FIGURES
from scoring.results.measured import Figure

SIGNIFICANT = "significant"
UNDECIDED = {"undecided-fails": True, "undecided-passes": False}
PLAIN, POINTS, RELATIVE = "plain", "points", "relative"
UNITS = {"%": RELATIVE, "pt": POINTS, "": PLAIN}
EXTREMES = {"max": max, "min": min}
_ROUNDING = Fraction(4 * sys.float_info.epsilon)  # of a product and a difference of doubles
_TOKEN = re.compile(r"\s*(?:(max|min)\s*\(|([0-9]*\.?[0-9]+|[0-9]+\.)\s*(%|pt)?|([,)]))\s*")


class Amount(NamedTuple):
    """The largest allowed increase of a number over the baseline."""

    kind: str  # `points` or `relative` (ratios both), `plain`, `max` or `min`
    value: Fraction = Fraction(0)
    parts: tuple[Amount, ...] = ()  # of `max` and `min`

    def of(self, baseline: Fraction) -> Fraction:
        """Return the allowed increase in absolute terms, given the baseline's number."""
        if self.parts:
            return EXTREMES[self.kind](part.of(baseline) for part in self.parts)
        return self.value * abs(baseline) if self.kind == RELATIVE else self.value

    def kinds(self) -> set[str]:
        """Return the units in the amount, such as percent or points."""
        return set().union(*(part.kinds() for part in self.parts)) if self.parts else {self.kind}


class Condition(NamedTuple):
    """A limit of a number, or of its increase over the baseline."""

    option: str  # without dashes, for example `fail increase`
    text: str  # the value of the option as typed
    limit: Fraction | None = None  # the worst number that passes; of percent a ratio
    amount: Amount | None = None  # otherwise how much worse it may be
    figure: Figure = ERROR_RATE
    measure: str = ""  # that the number is of; empty: the error rate of the command
    only_significant: bool = False  # whether a change must also be significant to fail
    of_groups: bool = False  # whether each group is judged instead of the whole
    group: tuple[str, str] | None = None  # column and value of the only group that is judged
    undecided_fails: bool | None = None  # if the data cannot tell; None: as all conditions do

    @property
    def name(self) -> str:
        """The option with its value."""
        return f"{self.option} {self.text}"

    @property
    def points(self) -> Fraction:
        """The limit in percent."""
        return 100 * (self.limit or Fraction(0))

    def bound(self, baseline: Fraction | None = None) -> Fraction:
        """Return the worst number that passes; an increase needs the baseline's number."""
        if self.amount is None or baseline is None:
            assert self.limit is not None, "an increase needs a baseline"
            return self.limit
        worse = self.amount.of(baseline)
        return baseline - worse if self.figure.better == "higher" else baseline + worse

    def is_exceeded(self, number: Fraction, bound: Fraction) -> bool:
        """Return True if a number is worse than the bound; a number equal to the bound passes."""
        return (
            is_above(bound, number) if self.figure.better == "higher" else is_above(number, bound)
        )

    def bound_text(self, bound: Fraction) -> str:
        """Return the bound as text.

        A limit is shown as typed, any other bound rounded like the number.
        """
        if self.amount is not None or not self.measure:
            return self.figure.text(float(bound))
        return f"{float(100 * bound if self.figure.form == 'percent' else bound):g}"


def is_above(number: Fraction | float, bound: Fraction | float) -> bool:
    """Return True if a number exceeds its bound by more than the rounding of doubles.

    A bound that the user copied from a report, such as `100 * rate`, is not exceeded by the same
    rate.

    >>> is_above(Fraction(1, 49), Fraction(repr(100 * (1 / 49))) / 100)
    False
    >>> is_above(Fraction(1, 3), Fraction("0.333333333333"))
    True
    """
    return Fraction(number) > Fraction(bound) + abs(Fraction(bound)) * _ROUNDING


def exact(number: float | Fraction) -> Fraction:
    """Convert a float to the nearest fraction with a denominator of at most 10**9."""
    return number if isinstance(number, Fraction) else Fraction(number).limit_denominator(10**9)


def parse_amount(text: str, figure: Figure = ERROR_RATE) -> Amount:
    """Parse the largest allowed increase of a number.

    >>> parse_amount("max(0.3pt, 5%)").of(Fraction(1, 10))
    Fraction(1, 200)
    """
    amount, rest = _amount(text, text)
    if rest:
        raise _unexpected(text)
    is_percent = figure.form == "percent"
    wrong = PLAIN if is_percent else POINTS
    if wrong not in amount.kinds():
        return amount
    if is_percent:
        bare = re.findall(r"[0-9.]+(?![0-9.]|\s*(?:%|pt))", text)[0]
        raise ValueError(
            f"expected {bare}% (of the baseline's rate) or {bare}pt (percentage points), "
            f"found {text!r}: which of {bare}% and {bare}pt is meant?"
        )
    raise ValueError(
        f"expected 5% (of the baseline's number) or 3 ({figure.title}), found {text!r}: "
        f"{figure.name} is no percentage"
    )


def _amount(text: str, whole: str) -> tuple[Amount, str]:
    """Parse the amount at the beginning of a text; also return the remaining text."""
    token = _TOKEN.match(text)
    if token is None or token[4]:
        raise _unexpected(whole)
    rest = text[token.end() :]
    if not token[1]:
        unit = UNITS[token[3] or ""]
        value = Fraction(token[2])
        return Amount(unit, value if unit == PLAIN else value / 100), rest
    parts: list[Amount] = []
    closed = False
    while not closed:
        part, rest = _amount(rest, whole)
        parts.append(part)
        mark = _TOKEN.match(rest)
        if mark is None or not mark[4]:
            raise _unexpected(whole)
        closed, rest = mark[4] == ")", rest[mark.end() :]
    return Amount(token[1], parts=tuple(parts)), rest


def _unexpected(text: str) -> ValueError:
    return ValueError(
        "expected 5% (of the baseline's rate), 0.5pt (percentage points), or max(0.5pt, 5%), the "
        f"greater of several, found {text!r}"
    )


def _with_significance(text: str) -> tuple[str, bool]:
    """Return a value without its ending `:significant`, and True if it had this ending."""
    value, colon, word = text.rpartition(":")
    return (value, True) if colon and word.strip() == SIGNIFICANT else (text, False)


def without_undecided(text: str) -> tuple[str, bool | None]:
    """Return a condition without its ending `:undecided-…`, and True if this ending means failure.

    The second value is None if there is no such ending.

    >>> without_undecided("5%:significant:undecided-fails")
    ('5%:significant', True)
    """
    value, _, word = text.rpartition(":")
    return (value, UNDECIDED[word.strip()]) if word.strip() in UNDECIDED else (text, None)


def parse_rate(text: str, option: str = "fail above", *, of_groups: bool = False) -> Condition:
    """Parse an error rate in percent, `12.5` or `12.5%`, as a limit."""
    value = ratio_of(text.removesuffix("%"))
    if value is None:
        entry, fields = messages.NOT_A_RATE, {"text": text}
        if text.startswith("+") or text.endswith("pt"):
            unit = "%" if text.endswith("%") else "pt"
            entry, fields = messages.INCREASE, {**fields, "amount": text.strip("+%pt") + unit}
        raise OptionValueError(option.replace(" ", "_"), Message(entry, fields))
    return Condition(option, text, value, of_groups=of_groups)


def parse_increase(
    text: str, option: str = "fail increase", *, of_groups: bool = False
) -> Condition:
    """Parse a limit of the increase: `5%`, `0.5pt`, `max(0.5pt, 5%)`, `5%:significant`."""
    value, undecided_fails = without_undecided(text)
    value, only_significant = _with_significance(value)
    return Condition(
        option,
        text,
        amount=parse_amount(value),
        only_significant=only_significant,
        of_groups=of_groups,
        undecided_fails=undecided_fails,
    )


def parse_group_rate(text: str) -> Condition:
    """Parse a limit of the error rate of every group, or of one named group.

    >>> parse_group_rate("device=far-field: 30").group
    ('device', 'far-field')
    """
    group, value = _group_in(text)
    condition = parse_rate(value, "fail group above", of_groups=True)
    return condition._replace(text=text, group=group)


def parse_group_increase(text: str) -> Condition:
    """Parse a limit of the increase over the baseline for every group, or for one named group.

    >>> parse_group_increase("device=far-field: 2pt").group
    ('device', 'far-field')
    """
    group, value = _group_in(text)
    condition = parse_increase(value, "fail group increase", of_groups=True)
    return condition._replace(text=text, group=group)


def _group_in(text: str) -> tuple[tuple[str, str] | None, str]:
    """Return the group at the beginning of a condition (None if there is none), and the rest."""
    column, equals, rest = text.partition("=")
    if not equals:
        return None, text
    value, colon, limit = rest.partition(":")
    if not (column.strip() and value.strip() and colon):
        raise ValueError(f"expected COLUMN=GROUP: LIMIT, found {text!r}")
    return (column.strip(), value.strip()), limit.strip()


def parse_gap(text: str) -> Condition:
    """Parse a limit of the gap between groups in percentage points: `5`, `5pt`, `5:significant`."""
    number, only_significant = _with_significance(text)
    value = ratio_of(number.removesuffix("pt"))
    if value is None:
        raise ValueError(
            f"expected percentage points such as 5, 5pt or 5:significant, found {text!r}"
        )
    return Condition("fail gap above", number, value, only_significant=only_significant)


def parse_measure(text: str) -> Condition:
    """Parse a limit of a measure's figure, or (after +) of its increase.

    >>> parse_measure("loops.longest_loop=20").limit
    Fraction(20, 1)
    >>> parse_measure("loops.loop_rate=+0.5pt").amount.kind
    'points'
    """
    from scoring.measures import measure_or_function

    name = text.partition("=")[0]
    measure, dot, number = name.partition(".")
    if not dot:
        raise ValueError(f"expected MEASURE.NUMBER=LIMIT, found {text!r}")
    if measure in TASK_FIGURES:
        return limit_of(text, measure, TASK_FIGURES[measure])
    return limit_of(text, measure, measure_or_function(measure).extended([number]).figures)


def parse_own_measure(text: str) -> Condition:
    """Parse a limit of a measure's figure in a single result; an increase is rejected."""
    return without_baseline(parse_measure(text))


def without_baseline(condition: Condition) -> Condition:
    """Return the condition.

    Raise ValueError if it limits an increase, because that needs a baseline.
    """
    if condition.amount is not None:
        raise ValueError(
            f"expected a limit, found {condition.text!r}: to limit an increase over a baseline, "
            "use scoring compare"
        )
    return condition


def limit_of(text: str, measure: str, figures: Sequence[Figure]) -> Condition:
    """Return the condition `[MEASURE.]NUMBER=LIMIT` or `...=+AMOUNT` for one of the figures.

    A limit is written like the figure in reports: a share in percent, with or without `%`.
    """
    name, _, limit = text.partition("=")
    known = {figure.name: figure for figure in figures}
    number = name.removeprefix(f"{measure}.")
    increase = limit.startswith("+")
    is_percent = number in known and known[number].form == "percent"
    value = None if increase else ratio_of(limit.removesuffix("%") if is_percent else limit)
    if number not in known or not (increase or value is not None):
        numbers = ", ".join(known)
        raise ValueError(f"expected {measure}.NUMBER=LIMIT with {numbers}, found {text!r}")
    figure = known[number]
    condition = Condition("fail measure", text, figure=figure, measure=measure)
    if increase:
        amount, undecided_fails = without_undecided(limit[1:])
        amount, only_significant = _with_significance(amount)
        return condition._replace(
            amount=parse_amount(amount, figure),
            only_significant=only_significant,
            undecided_fails=undecided_fails,
        )
    assert value is not None
    return condition._replace(limit=value if figure.form == "percent" else 100 * value)


def ratio_of(percent: str) -> Fraction | None:
    """Convert digits of a percentage such as `12.5` to a ratio; return None for other texts."""
    digits = percent.replace(".", "", 1)
    return Fraction(percent) / 100 if digits.isascii() and digits.isdigit() else None
