"""BenchmarkSTT's schema: a list of items, such as words, and its conversion to and from JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any


class SchemaError(ValueError):
    """Base of the errors that schemas raise."""


class SchemaJSONError(SchemaError):
    """Raised for JSON that is not a schema."""


class SchemaInvalidItemError(SchemaError):
    """Raised for an object that is not an item."""


class Meta(defaultdict[str, Any]):
    """Notes on an item, which are not written to JSON."""


class Item(Mapping[str, Any]):
    """An immutable item to compare, such as a word, created from a dictionary or from keywords.

    The attribute `meta` is for notes, which are neither compared nor written. The constructor
    raises SchemaInvalidItemError for an argument that is not a dictionary, and ValueError for
    several arguments.

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
        """Return the item as JSON; keywords are those of `json.dumps`."""
        return Schema.dumps(self, **kwargs)

    def _asdict(self) -> dict[str, Any]:
        return self._fields


class Schema:
    """A list of items. Dictionaries become items; other values raise SchemaInvalidItemError.

    Examples
    --------
    >>> schema = Schema([Item(item="a"), {"item": "b"}])
    >>> schema.json(), len(schema), schema == [{"item": "a"}, {"item": "b"}]
    ('[{"item": "a"}, {"item": "b"}]', 2, True)
    >>> Schema.loads('[{"item": "a"}]')[0]["item"]
    'a'
    """

    def __init__(self, data: Iterable[Any] | None = None) -> None:
        self._items: list[Item] = []
        self.extend(data or ())

    def append(self, obj: Any) -> None:
        """Add an item; raise SchemaError for an object that is neither an item nor a dictionary."""
        if not isinstance(obj, (Item, dict)):
            raise SchemaError("Wrong type", type(obj))
        self.extend([obj])

    def extend(self, iterable: Iterable[Any]) -> None:
        """Add several items.

        Raise SchemaInvalidItemError, and add no item, if any item is invalid.
        """
        self._items += [item if isinstance(item, Item) else Item(item) for item in iterable]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Schema):
            return self._items == other._items
        return self._items == other if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __repr__(self) -> str:
        return f"Schema({self.json()})"

    def json(self, **kwargs: Any) -> str:
        """Return the items as JSON; keywords are those of `json.dumps`."""
        return self.dumps(**kwargs)

    # no static methods: a schema has both, and so has the class, which then takes any object
    def dump(self: object, file: IO[str], **kwargs: Any) -> None:
        """Write JSON to a file: `schema.dump(file)`, or `Schema.dump(value, file)`."""
        json.dump(self, file, cls=JSONEncoder, **kwargs)

    def dumps(self: object, **kwargs: Any) -> str:
        """Return JSON: `schema.dumps()`, or `Schema.dumps(value)`."""
        return json.dumps(self, cls=JSONEncoder, **kwargs)

    @staticmethod
    def load(file: IO[str], **kwargs: Any) -> Schema:
        """Read JSON from a file; raise the errors of `loads`."""
        return Schema.loads(file.read(), **kwargs)

    @staticmethod
    def loads(text: str, **kwargs: Any) -> Schema:
        """Read JSON.

        Raises
        ------
        json.JSONDecodeError, SchemaJSONError, SchemaInvalidItemError
            If the text is not JSON, not a list, or contains an element that is not an object.
        """
        schema: Schema = json.loads(text, cls=JSONDecoder, **kwargs)
        return schema


def jsonable(result: Any) -> Any:
    """Convert a result to values that JSON can represent; a named tuple becomes an object."""
    return result._asdict() if hasattr(result, "_asdict") else result


class JSONEncoder(json.JSONEncoder):
    """Writes items, schemas and named tuples as JSON objects or lists."""

    def encode(self, o: Any) -> str:
        """Return the JSON text."""
        return super().encode(jsonable(o) if isinstance(o, tuple) else o)

    def default(self, o: Any) -> Any:
        """Return the JSON value of an item or a schema."""
        if isinstance(o, Item):
            return o._asdict()
        return list(o) if isinstance(o, Schema) else super().default(o)


class JSONDecoder(json.JSONDecoder):
    """Reads a schema: a JSON list whose objects become items."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["object_hook"] = self.object_hook
        super().__init__(*args, **kwargs)

    def decode(self, s: str, *args: Any, **kwargs: Any) -> Any:
        """Return the schema in a JSON text; raise the errors of `Schema.loads`."""
        items: object = super().decode(s, *args, **kwargs)
        if not isinstance(items, list):
            raise SchemaJSONError("Expected a list")
        return Schema(items)

    @staticmethod
    def object_hook(obj: dict[str, Any]) -> Item:
        """Return the item of a JSON object."""
        return Item(obj)
