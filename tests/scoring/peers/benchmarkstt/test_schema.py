"""Items and schemas: made, compared, written and read; what is refused."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.peers.benchmarkstt.metrics import OpcodeCounts
from scoring.peers.benchmarkstt.schema import (
    Item,
    JSONEncoder,
    Schema,
    SchemaError,
    SchemaInvalidItemError,
    SchemaJSONError,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=3,
)
ITEMS = st.lists(st.dictionaries(st.text(), VALUES, max_size=4), max_size=4)


@given(ITEMS)
def test_round_trip(items: list[dict[str, Any]]) -> None:
    schema = Schema(items)
    assert Schema.loads(schema.json()) == schema == items
    assert schema.json() == json.dumps(items)
    assert schema.json(indent=2) == json.dumps(items, indent=2)
    assert repr(schema) == f"Schema({json.dumps(items)})"
    assert all(type(item) is Item for item in schema)


def test_items() -> None:
    item = Item(item="word", start=1)
    assert item == Item({"item": "word", "start": 1}) == {"item": "word", "start": 1}
    assert item != {"item": "word"}
    fields = item["item"], len(item), list(item), item.get("end")
    assert fields == ("word", 2, ["item", "start"], None)
    assert item._asdict() == {"item": "word", "start": 1}
    assert item.json() == '{"item": "word", "start": 1}'
    assert item.json(indent=1) == '{\n "item": "word",\n "start": 1\n}'
    assert repr(item) == 'Item({"item": "word", "start": 1})'
    assert repr(Item()) == "Item({})"
    assert Item(word="ü").json() == '{"word": "\\u00fc"}'


def test_notes_are_neither_compared_nor_written() -> None:
    item = Item(item="a")
    item.meta["skipped"] = True
    assert item == Item(item="a")
    assert item.json() == '{"item": "a"}'


def test_items_cannot_be_changed() -> None:
    given: dict[str, Any] = {"a": 1}
    item = Item(given)
    given["a"] = 2
    assert item["a"] == 1
    with pytest.raises(TypeError):
        item["a"] = 3  # type: ignore[index]


@pytest.mark.parametrize("wrong", [None, 3, "text", [("a", 1)]])
def test_what_is_no_item(wrong: Any) -> None:
    with pytest.raises(SchemaInvalidItemError, match="Expected a dict object"):
        Item(wrong)
    with pytest.raises(SchemaInvalidItemError):
        Schema([wrong])
    with pytest.raises(SchemaError, match="Wrong type"):
        Schema().append(wrong)


def test_arguments_of_items() -> None:
    with pytest.raises(ValueError, match="Expected max 1 argument"):
        Item({}, {})
    with pytest.raises(ValueError, match="Cannot combine both a positional and keyword arguments"):
        Item({}, a=1)


def test_lists() -> None:
    schema = Schema()
    schema.append({"a": 1})
    schema.append(Item(b=2))
    schema.extend([{"c": 3}])
    assert schema == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert len(schema) == 3
    assert schema[0] == {"a": 1}
    assert Schema(schema[1:]) == [{"b": 2}, {"c": 3}]
    assert schema != Schema()
    assert schema != 3
    with pytest.raises(SchemaInvalidItemError):
        schema.extend([{"d": 4}, 5])
    assert len(schema) == 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(schema)


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        (["{}", "3", '"x"', "null", "true"], SchemaJSONError),
        (["[3]", "[null]", "[[]]", '["x"]'], SchemaInvalidItemError),
        (["", "x", "[", "[{]"], json.JSONDecodeError),
    ],
)
def test_json_that_is_no_list_of_items(texts: list[str], error: type[ValueError]) -> None:
    for text in texts:
        with pytest.raises(error):
            Schema.loads(text)


def test_encoder() -> None:
    nested = {"schema": Schema([{"a": 1}]), "item": Item(b=2)}
    assert json.dumps(nested, cls=JSONEncoder) == '{"schema": [{"a": 1}], "item": {"b": 2}}'
    with pytest.raises(TypeError):
        json.dumps(object(), cls=JSONEncoder)
    for error in (SchemaJSONError, SchemaInvalidItemError):
        assert issubclass(error, SchemaError)
        assert issubclass(error, ValueError)


def test_a_schema_writes_itself_and_the_class_writes_anything() -> None:
    """In BenchmarkSTT both are methods of the class and of what is made of it."""
    schema = Schema([Item(item="a"), {"item": "b"}])
    text = '[{"item": "a"}, {"item": "b"}]'
    assert schema.dumps() == Schema.dumps(schema) == schema.json() == text
    assert schema.dumps(indent=1) == json.dumps(json.loads(text), indent=1)
    own, of_class = io.StringIO(), io.StringIO()
    schema.dump(own)
    Schema.dump(schema, of_class)
    assert own.getvalue() == of_class.getvalue() == text
    own.seek(0)
    assert Schema.load(own) == schema
    assert Schema.dumps(OpcodeCounts(1, 2, 3, 4)) == (
        '{"equal": 1, "replace": 2, "insert": 3, "delete": 4}'
    )
