"""Columns of a table in memory, as arguments of the scoring functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from formats.reading.member_names import MOST_TRIED
from formats.schema.errors import close_names
from scoring.model.errors import OptionValueError
from scoring.options import Options
from scoring.results.messages import Message
from scoring.results.metadata import Metadata
from scoring.score.conditions import column_named, columns_of_condition
from scoring.score.table_inputs import roles_of
from scoring.sides.given import References, Systems, resolve

_SIDES = ("reference", "hypothesis")
_NULLS = ("None", "nan", "NaT", "<NA>")  # as pandas and Arrow write values that are missing


def score_table(function: Callable[..., Any], table: Any, choices: dict[str, Any]) -> Any:
    """Return the score of the columns of a table which `choices` names.

    Several hypotheses are systems, and several references are alternatives. The groups of `by` and
    the properties of `where` are columns of the same table, unless `choices` has metadata.

    Raises
    ------
    OptionValueError
        If the table has no column of a name, or a column is named twice.
    """
    names = [str(name) for name in getattr(table, "column_names", None) or table.columns]
    sides = {side: _columns_named(side, choices[side], names) for side in _SIDES}
    every = [name for side in _SIDES for name in sides[side]]
    if repeated := next((name for name in every if every.count(name) > 1), ""):
        expected = "a different column for each system and reference"
        raise OptionValueError("hypothesis", expected=expected, found=f"{repeated!r} twice")
    roles = roles_of(names, sides["reference"][0])
    columns = {name: table[name] for name in every}
    if choices.get("where"):
        columns = _with_values(columns, sides, table, names, roles, choices)
    arguments: dict[str, Any] = {
        "reference": columns[sides["reference"][0]],
        "hypothesis": columns[sides["hypothesis"][0]],
    }
    if not isinstance(choices["reference"], str):
        arguments["reference"] = References([columns[name] for name in sides["reference"]])
    if not isinstance(choices["hypothesis"], str):
        arguments["hypothesis"] = Systems({name: columns[name] for name in sides["hypothesis"]})
    by = choices.get("by") or ()
    by = (by,) if isinstance(by, str) else tuple(by)
    if not by or choices.get("metadata") is not None:
        return function(**{**choices, **arguments})
    groups = {name: column_named(name, names, roles) for name in by}
    for column in groups.values():
        _check("by", column, names)
    options = {name: value for name, value in choices.items() if name not in ("by", "bins")}
    result = function(**{**options, **arguments})
    of_table = table, groups, roles, choices.get("bins", ())
    if not isinstance(choices["hypothesis"], str):
        grouped = {name: _grouped(rates, *of_table) for name, rates in result.items()}
        return type(result)(grouped, result.columns)
    return _grouped(result, *of_table)


def _columns_named(side: str, named: str | Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns of a side, which must be in the table."""
    chosen = [named] if isinstance(named, str) else list(named)
    if not chosen:
        raise OptionValueError(side, expected="the name of a column", found="no name")
    for name in chosen:
        _check(side, name, names)
    return chosen


def _with_values(
    columns: dict[str, Any],
    sides: dict[str, list[str]],
    table: Any,
    names: Sequence[str],
    roles: dict[str, str],
    choices: dict[str, Any],
) -> dict[str, Any]:
    """Return the columns as sides; the first reference has the values for the conditions."""
    from scoring.results.where import RowFilter

    resolved = {name: resolve(columns[name], side) for side in _SIDES for name in sides[side]}
    text = sides["reference"][0]
    values: dict[str, Sequence[str | None]] = {}
    remarks: list[Message] = []
    for name in RowFilter(choices["where"], "").names:
        found = columns_of_condition(
            name, names, roles, text, lambda: {each: _first(table[each]) for each in names}
        )
        if {*found.names} <= {*names} or choices.get("metadata") is None:
            for column in found.names:
                _check("where", column, names)
            columns_read = [_texts(table[each], range(len(table[each]))) for each in found.names]
            values[name] = found.values(columns_read)
            remarks += filter(None, [found.remark("the table")])
    side: Any = resolved[text]
    changes = {"columns": values, "remarks": (*side.remarks, *remarks)}
    return {**resolved, text: side._replace(**changes)}


def _first(column: Any) -> list[str | None]:
    """Return the first values of a column as texts."""
    return _texts(column[:MOST_TRIED], range(min(MOST_TRIED, len(column))))


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
    """Reject the name of a column that the table lacks."""
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
