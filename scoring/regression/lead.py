"""The verdict of a comparison in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.drawing import p_text, percent
from scoring.drawing.blocks import Lead
from scoring.regression.equivalence import BETTER, CANNOT_TELL, EQUAL_WITHIN
from scoring.regression.task_figures import ERROR_RATE
from scoring.results.measured import Figure

LEVEL = 0.95  # of intervals


def lead_of(
    summary: Mapping[str, Any],
    reason: str = "",
    level: float = LEVEL,
    figure: Figure = ERROR_RATE,
    power: str = "",
    is_failed: bool = False,
) -> Lead:
    """Return the verdict as a sentence; `summary` is as for `summary_line`, with rates as ratios.

    `power` is a text with the smallest change that the data could have shown. `is_failed` is true
    if a condition of a gate fails.

    >>> print(lead_of({"change": -0.062, "baseline_value": 0.2, "new_value": 0.138,
    ...     "verdict": "better", "interval": {"low": -0.105, "high": -0.023, "level": 0.95},
    ...     "p_value": 0.001}).text)
    Better by 6.20 points (20.00 % to 13.80 %), 95 % interval 2.30 to 10.50; not chance (p = 0.0010)
    """
    change, interval, p_value = summary["change"], summary["interval"], summary["p_value"]
    is_percent = figure.form == "percent"
    if change is None:
        return Lead("No verdict: a side has no " + ("rate" if is_percent else "value"))
    unit, points_unit = " %" * is_percent, " points" * is_percent
    values = [f"{figure.text(summary[name])}{unit}" for name in ("baseline_value", "new_value")]
    if not is_percent:
        values[0] = f"{figure.title} {values[0]}"
    verdict, equivalence = summary["verdict"], summary.get("equivalence") or {}
    if not (change or equivalence or power or is_failed):
        return Lead(f"As good as the baseline: {values[0]}")
    sign = 1 if figure.better == "higher" else -1

    def text(value: float) -> str:
        return percent(value) if is_percent else figure.text(value)

    way = "better" if sign * change > 0 else "worse"
    amount = f"{way} by {text(abs(change))}{points_unit} ({' to '.join(values)})"
    parts = [amount if change else f"{values[0]} in both"]
    if verdict == EQUAL_WITHIN:
        parts[0] = f"Equal within {text(equivalence['within'])}{points_unit}: {parts[0]}"
        level, interval = equivalence["level"], equivalence["interval"]
    elif is_failed:
        parts[0] = f"Fails: {parts[0]}"
    elif verdict == CANNOT_TELL:
        parts[0] = f"Cannot tell: {parts[0]}"
    else:
        parts[0] = parts[0][:1].upper() + parts[0][1:]
    if interval is not None:
        towards = sign if sign * change > 0 else -sign
        low, high = map(
            text, sorted(towards * bound for bound in (interval["low"], interval["high"]))
        )
        flag = f" ({text_of_flag})" if (text_of_flag := summary.get("flag")) else ""
        parts[0] += f", {100 * level:g} % interval {low} to {high}{flag}"
    if verdict == EQUAL_WITHIN:
        return Lead(parts[0], False if is_failed else None)
    if p_value is None:
        parts.append(f"no test: {reason or 'only sums are known'}")
        return Lead("; ".join(parts), False if is_failed else None)
    is_open = verdict == CANNOT_TELL
    parts.append(f"{'may be chance' if is_open else 'not chance'} ({p_text(p_value)})")
    parts += [power] * bool(is_open and power)
    is_good = None if is_open else verdict == BETTER
    return Lead("; ".join(parts), False if is_failed else is_good)
