"""JSON and CSV are the same for the same result, and hold any text."""

import json

import pytest

from scoring.drawing.data import Members, csv_rows, head_of, json_file, json_text


def test_what_an_iterator_gives_is_an_array_an_element_a_line() -> None:
    inner = Members({"x": None, "none": iter(())})
    text = b"".join(json_file({"a": "é", "b": iter([1, inner])})).decode()
    assert text == '{\n"a": "é",\n"b": [\n1,\n{\n"x": null,\n"none": [\n]\n}\n]\n}\n'
    assert json.loads(text) == {"a": "é", "b": [1, {"x": None, "none": []}]}


def test_lone_surrogates_are_escapes_and_infinity_is_refused() -> None:
    assert json_text("é\udcff") == '"é\\udcff"'
    with pytest.raises(ValueError, match="Out of range"):
        json_text(float("inf"))


def test_heads_tell_schema_and_writer() -> None:
    assert list(head_of("s", 1)) == ["schema", "version", "generator"]


def test_csv_has_empty_fields_for_none_and_comes_in_pieces() -> None:
    assert b"".join(csv_rows(("a", "b"), [(None, 'x"y,'), ("\udcff", 1)])) == (
        b'a,b\n,"x""y,"\n\xff,1\n'
    )
    assert len(list(csv_rows(("a",), [("x" * 1000,) for _ in range(200)]))) > 2
