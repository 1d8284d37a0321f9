"""Two columns of a table in memory, as arguments of the scoring functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from formats.schema.errors import close_names
from scoring.model.errors import OptionValueError
from scoring.options import Options
from scoring.results.metadata import Metadata
from scoring.score.from_tables import roles_of

_SIDES = ("reference", "hypothesis")
_NULLS = ("None", "nan", "NaT", "<NA>")  # as pandas and Arrow write values that are missing


def score_table(function: Callable[..., Any], table: Any, choices: dict[str, Any]) -> Any:
    """Return the score of the columns of a table which `choices` names.

    The groups of `by` are columns of the same table, unless `choices` has metadata.

    Raises
    ------
    OptionValueError
        If the table has no column of a name.
    """
    names = [str(name) for name in getattr(table, "column_names", None) or table.columns]
    for side in _SIDES:
        _check(side, choices[side], names)
    roles = roles_of(names, choices["reference"])
    by = choices.get("by") or ()
    by = (by,) if isinstance(by, str) else tuple(by)
    columns = {side: table[choices[side]] for side in _SIDES}
    if not by or choices.get("metadata") is not None:
        return function(**{**choices, **columns})
    groups = {name: name if name in names else roles.get(name, name) for name in by}
    for column in groups.values():
        _check("by", column, names)
    options = {name: value for name, value in choices.items() if name not in ("by", "bins")}
    rates = function(**{**options, **columns})
    return _grouped(rates, table, groups, roles, choices.get("bins", ()))


def _grouped(
    rates: Any,
    table: Any,
    groups: dict[str, str],
    roles: dict[str, str],
    bins: Sequence[float],
) -> Any:
    """Return a result with groups and identifiers from columns of its table.

    Rows that were not scored have no position in the result.
    """
    number = len(_values(table[next(iter(groups.values()))]))
    rows = range(number)
    if len(rates.identifiers) != number:
        rows = [int(name) - 1 for name in rates.identifiers]  # type: ignore[assignment]
    values = {name: _texts(table[column], rows) for name, column in groups.items()}
    words = [counts.reference_tokens for counts in rates.aligned.counts]
    chosen = Options(by=list(groups), bins=bins)
    cut, _ = Metadata().groups(chosen, values, {}, words, rates.reference.path)
    identifiers = _texts(table[roles["id"]], range(number)) if "id" in roles else []
    if len({*identifiers} - {None}) < number or rates.basis is None:
        return rates._replace(groups=cut)
    changes = {"identifiers": identifiers, "by_position": False}
    references = tuple(side._replace(**changes) for side in rates.basis.references)
    return rates._replace(
        groups=cut,
        identifiers=[identifiers[row] for row in rows],
        basis=rates.basis._replace(references=references),
    )


def _texts(column: Any, rows: Sequence[int]) -> list[str | None]:
    """Return the values of some rows as texts; None where they are missing."""
    values = _values(column)
    return [None if values[row] is None else str(values[row]) for row in rows]


def _check(option: str, column: str, names: Sequence[str]) -> None:
    if column not in names:
        near = close_names(column, names)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        expected = f"a column of the table ({', '.join(names)})"
        raise OptionValueError(option, expected=expected, found=f"{column!r}{meant}")


def _values(column: Any) -> list[Any]:
    """Return the values of a column; None where they are missing."""
    method = next(
        (name for name in ("to_pylist", "to_list", "tolist") if hasattr(column, name)), None
    )
    values = list(column) if method is None else getattr(column, method)()
    return [
        None if not isinstance(value, str) and str(value) in _NULLS else value for value in values
    ]
