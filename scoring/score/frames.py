"""Two columns of a table in memory, as arguments of the scoring functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from formats.schema.errors import close_names
from scoring.model.errors import OptionValueError
from scoring.score.from_tables import roles_of

_SIDES = ("reference", "hypothesis")
_NULLS = ("None", "nan", "NaT", "<NA>")  # as pandas and Arrow write values that are missing


def columns_of_table(table: Any, choices: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that score two columns of a table; `choices` names the columns.

    The groups of `by` are columns of the same table, unless `choices` has metadata.

    Raises
    ------
    OptionValueError
        If the table lacks a named column.
    """
    names = [str(name) for name in getattr(table, "column_names", None) or table.columns]
    for side in _SIDES:
        _check(side, choices[side], names)
    reference, hypothesis = (table[choices[side]] for side in _SIDES)
    by = choices.get("by") or ()
    by = (by,) if isinstance(by, str) else by
    if not by or choices.get("metadata") is not None:
        return {**choices, "reference": reference, "hypothesis": hypothesis}
    roles = roles_of(names, choices["reference"])
    groups = {name: name if name in names else roles.get(name, name) for name in by}
    for column in groups.values():
        _check("by", column, names)
    texts = [_values(reference), _values(hypothesis)]
    identifiers = _identifiers(table, roles, len(texts[0]))
    columns = {name: _values(table[column]) for name, column in groups.items()}
    rows = zip(*columns.values(), strict=True)
    return {
        **choices,
        **{
            side: dict(zip(identifiers, column, strict=True))
            for side, column in zip(_SIDES, texts, strict=True)
        },
        "metadata": {
            name: dict(zip(columns, row, strict=True))
            for name, row in zip(identifiers, rows, strict=True)
        },
        "metadata_key": "utterance",
    }


def _check(option: str, column: str, names: Sequence[str]) -> None:
    if column not in names:
        near = close_names(column, names)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        expected = f"a column of the table ({', '.join(names)})"
        raise OptionValueError(option, expected=expected, found=f"{column!r}{meant}")


def _identifiers(table: Any, roles: dict[str, str], number: int) -> list[str]:
    """Return the values of the column of identifiers, or row numbers if they are not distinct."""
    if "id" in roles:
        values = list(map(str, _values(table[roles["id"]])))
        if len(set(values)) == number:
            return values
    return list(map(str, range(1, number + 1)))


def _values(column: Any) -> list[Any]:
    """Return the values of a column; None where they are missing."""
    method = next(
        (name for name in ("to_pylist", "to_list", "tolist") if hasattr(column, name)), None
    )
    values = list(column) if method is None else getattr(column, method)()
    return [
        None if not isinstance(value, str) and str(value) in _NULLS else value for value in values
    ]
