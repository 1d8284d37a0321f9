"""BenchmarkSTT's schema: a list of items, each a mapping such as a word; as JSON and back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, overload


class SchemaError(ValueError):
    """Base of everything that is wrong with a schema."""


class SchemaJSONError(SchemaError):
    """JSON that is no schema."""


class SchemaInvalidItemError(SchemaError):
    """Something that is no item is to be one."""


class Meta(defaultdict[str, Any]):
    """What is known of an item and not written with it."""


class Item(Mapping[str, Any]):
    """A word or something else to compare; it cannot be changed.

    Parameters
    ----------
    args, kwargs
        One dictionary, or the fields by name.

    Attributes
    ----------
    meta
        For notes, which are neither compared nor written.

    Raises
    ------
    SchemaInvalidItemError
        If the argument is no dictionary.
    ValueError
        If there are several, or fields by name beside it.

    Examples
    --------
    >>> Item(item="word", type="word") == {"item": "word", "type": "word"}
    True
    >>> Item({"item": "word"})
    Item({"item": "word"})
    """

    __slots__ = ("_fields", "meta")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            raise ValueError("Expected max 1 argument")
        if args and kwargs:
            raise ValueError("Cannot combine both a positional and keyword arguments")
        if args and not isinstance(args[0], dict):
            raise SchemaInvalidItemError("Expected a dict object", args[0])
        self._fields: dict[str, Any] = dict(args[0]) if args else kwargs
        self.meta = Meta()

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"Item({self.json()})"

    def json(self, **kwargs: Any) -> str:
        """The item as JSON; arguments as of `json.dumps`."""
        return Schema.dumps(self, **kwargs)

    def _asdict(self) -> dict[str, Any]:
        return self._fields


class Schema:
    """A list of items.

    Raises
    ------
    SchemaInvalidItemError
        If something in the iterable is neither an item nor a dictionary.

    Examples
    --------
    >>> schema = Schema([Item(item="a"), {"item": "b"}])
    >>> schema.json(), len(schema), schema == [{"item": "a"}, {"item": "b"}]
    ('[{"item": "a"}, {"item": "b"}]', 2, True)
    >>> Schema.loads('[{"item": "a"}]')[0]["item"]
    'a'
    """

    def __init__(self, data: Iterable[Any] | None = None) -> None:
        self._items = [] if data is None else [_as_item(item) for item in data]

    def append(self, obj: Any) -> None:
        """Add an item.

        Raises
        ------
        SchemaError
            If it is neither an item nor a dictionary.
        """
        if not isinstance(obj, (Item, dict)):
            raise SchemaError("Wrong type", type(obj))
        self._items.append(_as_item(obj))

    def extend(self, iterable: Iterable[Any]) -> None:
        """Add several, all or none.

        Raises
        ------
        SchemaInvalidItemError
            If one is neither an item nor a dictionary.
        """
        self._items.extend([_as_item(item) for item in iterable])

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    @overload
    def __getitem__(self, key: int) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> list[Item]: ...
    def __getitem__(self, key: int | slice) -> Item | list[Item]:
        return self._items[key]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Schema):
            return self._items == other._items
        return self._items == other if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __repr__(self) -> str:
        return f"Schema({self.json()})"

    def json(self, **kwargs: Any) -> str:
        """The items as JSON; arguments as of `json.dumps`."""
        return self.dumps(**kwargs)

    # no static methods, so that a schema and the class, which then takes any object, both have them
    def dump(self: object, file: IO[str], **kwargs: Any) -> None:
        """Write as JSON to a file: `schema.dump(file)` or `Schema.dump(anything, file)`."""
        json.dump(self, file, cls=JSONEncoder, **kwargs)

    def dumps(self: object, **kwargs: Any) -> str:
        """As JSON: `schema.dumps()` or `Schema.dumps(anything)`."""
        return json.dumps(self, cls=JSONEncoder, **kwargs)

    @staticmethod
    def load(file: IO[str], **kwargs: Any) -> Schema:
        """Read JSON from a file; errors as of `loads`."""
        return Schema.loads(file.read(), **kwargs)

    @staticmethod
    def loads(text: str, **kwargs: Any) -> Schema:
        """Read JSON.

        Raises
        ------
        json.JSONDecodeError
            If it is none.
        SchemaJSONError
            If it is no list.
        SchemaInvalidItemError
            If something in the list is no object.
        """
        items: object = json.loads(text, object_hook=Item, **kwargs)
        if not isinstance(items, list):
            raise SchemaJSONError("Expected a list")
        return Schema(items)


def _as_item(one: Any) -> Item:
    return one if isinstance(one, Item) else Item(one)


class JSONEncoder(json.JSONEncoder):
    """Writes items and schemas as well, and a named tuple as an object."""

    def encode(self, o: Any) -> str:
        """The JSON text."""
        return super().encode(o._asdict() if isinstance(o, tuple) and hasattr(o, "_asdict") else o)

    def default(self, o: Any) -> Any:
        """What JSON knows instead."""
        if isinstance(o, Item):
            return o._asdict()
        if isinstance(o, Schema):
            return list(o)
        return super().default(o)
