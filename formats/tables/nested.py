"""Table columns by name or path: `meta.text` is the member `text` of the struct `meta`.

For all readers and engines, only this module decides the meaning of column names. A column whose
name contains a dot has priority over a path. A path through a list of structs gives a list of the
structs' members. A list of texts is a list of tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from formats.schema.errors import close_names

TEXTS = ("string", "large_string", "string_view")
LISTS = ("list", "large_list")
MOST_LISTED = 20
"""Names that a message lists."""


class ColumnPath(NamedTuple):
    """The path of a column: its name, the names of nested members, and the type of its values."""

    names: tuple[str, ...]
    kind: Any
    has_lists: bool = False

    @property
    def is_nested(self) -> bool:
        """True if the path names members of structs."""
        return len(self.names) > 1


def find_path(schema: Any, name: str) -> ColumnPath | None:
    """Return the column path for a name in a `pyarrow.Schema`.

    Return `None` if there is none, or if the name is ambiguous.
    """
    names = schema.names
    if name in names:
        return ColumnPath((name,), schema.field(name).type) if names.count(name) == 1 else None
    return next(_paths(list(schema), name), None)


def column_path(schema: Any, name: str) -> ColumnPath:
    """Return the column path for a name.

    Raise `ValueError` with similar names if there is none.
    """
    path = find_path(schema, name)
    if path is None:
        names = column_paths(schema)
        near = close_names(name, tuple(names))
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        found = ", ".join(names[:MOST_LISTED]) or "none"
        raise ValueError(f"expected a column {name!r}, found {found}{meant}")
    return path


def _paths(fields: Sequence[Any], name: str) -> Iterator[ColumnPath]:
    """Yield the possible paths of a name, those with longer column names first."""
    names = [field.name for field in fields]
    near = [field for field in fields if f"{name}.".startswith(f"{field.name}.")]
    for field in sorted(near, key=lambda field: -len(field.name)):
        if names.count(field.name) > 1:
            continue
        if field.name == name:
            yield ColumnPath((name,), field.type)
        else:
            inner = _element(field.type)
            for rest in _paths(_members(inner), name[len(field.name) + 1 :]):
                is_list = inner is not field.type
                kind = _list_of(field.type, rest.kind) if is_list else rest.kind
                yield ColumnPath((field.name, *rest.names), kind, is_list or rest.has_lists)


def _members(kind: Any) -> list[Any]:
    import pyarrow.types as types

    return list(kind) if types.is_struct(kind) else []


def _element(kind: Any) -> Any:
    """Return the type of the elements of a list type; any other type unchanged."""
    return kind.value_type if is_any(kind, LISTS) else kind


def _list_of(kind: Any, element: Any) -> Any:
    import pyarrow as pa

    return (pa.list_ if pa.types.is_list(kind) else pa.large_list)(element)


def column_paths(schema: Any) -> list[str]:
    """Return the names of all columns, and for structs the paths of their members."""
    return [path for field in schema for path in _names(field)]


def _names(field: Any) -> Iterator[str]:
    """Yield the name of a column; for a struct, the paths of its members."""
    members = _members(_element(field.type))
    if not members:
        yield str(field.name)
    for member in members:
        for name in _names(member):
            yield f"{field.name}.{name}"


def selectable(schema: Any, names: Sequence[str]) -> dict[str, ColumnPath]:
    """Return the column path for each name that a query must select; empty if any is missing.

    For a path through a list, the whole column is selected.
    """
    columns: dict[str, ColumnPath] = {}
    for name in names:
        path = find_path(schema, name)
        if path is None:
            return {}
        if path.has_lists:
            name, path = path.names[0], column_path(schema, path.names[0])
        columns[name] = path
    return columns


def leaves_of(schema: Any, path: ColumnPath) -> range:
    """Return the range of leaf columns under a path, numbered as in Parquet."""
    begin, fields = 0, list(schema)
    for name in path.names:
        place = [field.name for field in fields].index(name)
        begin += sum(_leaves(field.type) for field in fields[:place])
        kind = fields[place].type
        fields = _members(_element(kind))
    return range(begin, begin + _leaves(kind))


def _leaves(kind: Any) -> int:
    """Return the number of leaf columns that Parquet has for a type."""
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType):
        return _leaves(kind.storage_type)
    if pa.types.is_dictionary(kind) or not pa.types.is_nested(kind):
        return 1
    return sum(_leaves(kind.field(number).type) for number in range(kind.num_fields))


def column_at(batch: Any, name: str) -> Any:
    """Return the column of a record batch for a name or path; raise `ValueError` if missing."""
    first, *members = column_path(batch.schema, name).names
    column = batch.column(first)
    for member in members:
        column = _member(column, member)
    return column


def _member(column: Any, name: str) -> Any:
    """Return a member of structs, or of structs in lists. Null structs and lists stay null."""
    import pyarrow.compute as pc

    if is_any(column.type, LISTS):
        return _with_values(column, _member(column.values, name))
    return pc.struct_field(column, [column.type.get_field_index(name)])


def _with_values(lists: Any, values: Any) -> Any:
    """Return lists with the lengths and nulls of `lists`, but with the elements `values`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # new offsets, because pyarrow takes no mask beside a slice of them
    offsets = pc.add(lists.offsets, pa.scalar(0, lists.offsets.type))
    kind = pa.ListArray if pa.types.is_list(lists.type) else pa.LargeListArray
    return kind.from_arrays(offsets, values, mask=lists.is_null())


def selected(batch: Any, names: Sequence[str]) -> Any:
    """Return a record batch with only these columns and paths; they keep the given names."""
    import pyarrow as pa

    fields = []
    for name in names:
        path = column_path(batch.schema, name)
        own = None if path.is_nested else batch.schema.field(name)
        fields.append(pa.field(name, path.kind) if own is None else own)
    columns = [column_at(batch, name) for name in names]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, batch.schema.metadata))


def holds_texts(kind: Any) -> bool:
    """Return True if a `pyarrow.DataType` is for texts, lists of tokens, or nulls."""
    return is_any(kind, (*TEXTS, "null")) or holds_tokens(kind)


def holds_tokens(kind: Any) -> bool:
    """Return True if a `pyarrow.DataType` is for lists of texts."""
    return is_any(kind, LISTS) and is_any(kind.value_type, (*TEXTS, "null"))


def texts_of(column: Any) -> Any:
    """Return a column as texts.

    The tokens of a list are joined with blanks; null tokens are dropped.
    """
    if not holds_tokens(column.type):
        return column
    import pyarrow as pa
    import pyarrow.compute as pc

    tokens = column.values.cast(pa.large_string()).fill_null("")
    return pc.binary_join(_with_values(column, tokens), pa.scalar(" ", pa.large_string()))


def odd_tokens(column: Any) -> tuple[int, int]:
    """Return how many tokens are not words (empty, or with blanks), and how many there are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tokens = column.flatten().cast(pa.large_string()).fill_null("")
    words = pc.sum(pc.match_substring_regex(tokens, r"^[^\s\p{Z}]+$")).as_py() or 0
    return len(tokens) - words, len(tokens)


def is_any(kind: Any, names: Sequence[str]) -> bool:
    """Return True if a type, or the value type of a dictionary, has one of these pyarrow names."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return any(getattr(types, f"is_{name}")(kind) for name in names)
