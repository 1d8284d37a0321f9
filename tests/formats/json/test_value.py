"""JSON values that know where they stand."""

import json
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from math import inf
from typing import Any

import pytest

from formats import FormatError
from formats.detection.head import Head
from formats.io.source import open_source
from formats.json import scanning
from formats.json.value import JsonDocument, JsonValue, records_of
from tests.each_case import each_case
from tests.formats.case import sample
from tests.tables import table_of


def document(text: str, streams: bool = False) -> JsonDocument:
    return JsonDocument(open_source(StringIO(text)), streams=streams)


def value(text: str) -> JsonValue:
    return document(text).values[0]


def refusal(ask: object) -> str:
    assert callable(ask)
    with pytest.raises(FormatError) as caught:
        ask()
    return str(caught.value)


NESTED = sample("value-nested.txt")


def test_values_know_their_path_and_line() -> None:
    words = list(value(NESTED).required("words").elements())
    assert [word.path for word in words] == ["$.words[0]", "$.words[1]", "$.words[2]"]
    assert [word.line for word in words] == [3, 3, 5]
    assert repr(words[0]) == "<$.words[0] an object>"


def test_paths_escape_controls_and_cut_long_names() -> None:
    names = {name: value(json.dumps({name: 1})).required(name) for name in ("a\nb", "9" * 500)}
    assert [member.path for member in names.values()] == [r"$.a\nb", f"$.{'9' * 80}…"]


def test_lines_of_elements_need_no_lines_in_the_text() -> None:
    one_line = value('{"a": [1, 2]}')
    assert [element.line for element in one_line.elements("a")] == [1, 1]
    top = document("[1,\n2]").values[0]
    assert [(v.line, v.value) for v in top.elements()] == [(1, 1), (2, 2)]


def test_lists_in_elements_with_lines_are_not_searched_from_the_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = 0

    def counted(*arguments: Any) -> Iterator[tuple[str | int, int]]:
        nonlocal steps
        for step in inner(*arguments):
            steps += 1
            yield step

    inner = scanning._inner
    monkeypatch.setattr(scanning, "_inner", counted)
    element = '{"b": {"c": [\n1, 2]}}'
    whole = value(f'{{"a": [{", ".join([element] * 300)}], "d": {{}}}}')
    lines = [
        [inner.line for inner in each.required("b").elements("c")]
        for each in whole.elements("a")
        if each.line
    ]
    assert lines == [[number, number] for number in range(2, 302)]
    assert steps < 6 * 300


def test_the_last_of_two_members_is_the_one_in_messages() -> None:
    last = list(value(NESTED).elements("words"))[2].required("x")
    assert refusal(last.number) == ('<stream>:5:30: $.words[2].x: expected a number, found "last"')


def test_null_is_absence() -> None:
    words = list(value(NESTED).elements("words"))
    assert words[1].get("x") is None
    assert not words[1].has("x")
    assert words[1].get("y", "x") is None
    assert refusal(lambda: words[1].required("y", "x")) == (
        '<stream>:3:19: $.words[1]: expected a member "y" or "x", found none'
    )
    assert [name for name, _ in words[1].members()] == []


def test_streams_have_lines_and_paths_of_their_own() -> None:
    found = document('{"a": 1}\n\n{"a": []},\n5', streams=True)
    assert [each.line for each in found.values] == [1, 3, 4]
    assert found.values[1].required("a").path == "$[1].a"
    assert found.values[0].required("a").path == "$.a"
    assert refusal(found.values[1].required("a").whole) == (
        "<stream>:3:7: $[1].a: expected a whole number, found an empty list"
    )


@each_case(("text", "ask", "message"), table_of(__file__, "wrong_types_are_named"))
def test_wrong_types_are_named(text: str, ask: str, message: str) -> None:
    assert refusal(getattr(value(text), ask)) == f"<stream>:1:1: $: expected {message}"


def test_ids_are_texts_or_whole_numbers() -> None:
    assert [v.name() for v in value('["a", 5, -1]').elements()] == ["a", "5", "-1"]


def test_json_inside_a_text_is_opened() -> None:
    outer = value('{"n": "[{\\"a\\": 5}]", "m": [1]}')
    inner = outer.required("n").embedded()
    assert [v.path for v in inner.elements()] == ["$.n[0]"]
    assert outer.required("m").embedded().value == [1]
    for text in ("", "{", "1 2", "[" * 100 + "]" * 100):
        odd = value('{"n": "%s"}' % text).required("n")  # noqa: UP031 -- braces
        assert refusal(odd.embedded) == (
            f'<stream>:1:7: $.n: expected a text that is JSON, found "{text[:80]}"'
        ).replace("[" * 80 + '"', "[" * 80 + '…"')


def test_lines_are_values_of_their_own() -> None:
    found = list(records_of(open_source(StringIO('{"a": 1}\n\n{"a": "x"}\n'))))
    assert [(v.line, v.required("a").value) for v in found] == [(1, 1), (3, "x")]
    assert refusal(found[1].required("a").number) == (
        '<stream>:3:7: $.a: expected a number, found "x"'
    )


def test_times_are_rounded_half_to_even() -> None:
    for text in ("0", "0.0005", "12.34", "1e3", "9223372036", "0.00000000050", "0.0000000015"):
        number = value(text)
        for unit in (1, 1000, 10_000_000):
            if number.number() <= 9223372036 * unit:
                exactly = round(Fraction(text) * 10**9 / unit)
                assert number.nanoseconds(per_second=unit) == exactly


def test_exponents_beyond_all_numbers_are_infinite_or_nothing() -> None:
    huge, tiny = value("-1.5E99999999999999999999"), value("1e-99999999999999999999")
    assert refusal(huge.number) == "<stream>:1:1: $: expected a finite number, found -Infinity"
    assert tiny.nanoseconds() == 0
    assert value("[1.5, 2E99999999999999999999]").value == [1.5, inf]
    for text in ("-1", "-0.5", "1e10", "NaN", "Infinity", "true", "null", '"-1"', "[]", "1e99"):
        assert refusal(value(text).nanoseconds).startswith("<stream>:1:1: $: expected a ")


def test_the_head_gives_the_first_values() -> None:
    head = Head(['{"a": 1}', "", '[2], {"b": 3}', '{"c": [1, {"d'])
    assert list(head.json_values) == [{"a": 1}, [2], {"b": 3}, {"c": [1, {}]}]
    assert list(Head(["no json"]).json_values) == []
    assert list(Head([]).json_values) == []


@each_case(
    ("text", "value", "breaks_off"),
    [
        ('{"a": [1, 2], "b": {"c": "d", "e": "f', {"a": [1, 2], "b": {"c": "d"}}, True),
        ('{"a": [1, 2], "b"', {"a": [1, 2]}, True),
        ('{"a": tru', {}, True),
        ('[{"a": 1}, {"b": ', [{"a": 1}, {}], False),
        ('[{"a": 1, "b": ', [{"a": 1}], True),
        ('{"a": 1} {"b": ', {"a": 1}, False),
        ("[" * 100, [[[]]], True),
        ("hello", None, False),
    ],
)
def test_a_head_shows_what_there_is_of_a_value_and_says_whether_it_breaks_off(
    text: str, value: object, breaks_off: bool
) -> None:
    head = Head([text])
    if isinstance(value, list) and value == [[[]]]:
        assert isinstance(head.json, list)
    else:
        assert head.json == value
    assert head.breaks_off is breaks_off
