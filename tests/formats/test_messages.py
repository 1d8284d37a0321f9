"""Messages as values: templates, fields, advice, JSON."""

import json
import pickle

import pytest

from formats.schema.errors import FormatError, OptionError, SyntaxFormatError
from formats.schema.messages import EXPECTED, Advice, Entry, Message, fields_of, render
from tests.each_case import each_case


@each_case(
    ("template", "fields", "text"),
    [
        ("as is", {}, "as is"),
        ("{name!r}", {"name": 'a"\x1b'}, '"a"\\x1b"'),
        ("{names}", {"names": ["a", "b"]}, "a, b"),
        ("{names!r}", {"names": ("a", "b")}, '"a", "b"'),
        ("{cues:cue/cues}", {"cues": 1}, "1 cue"),
        ("{cues:cue/cues}", {"cues": 0}, "0 cues"),
        ("{share:.1%}", {"share": 0.5}, "50.0%"),
        ("{{brace}} {n}", {"n": 1}, "{brace} 1"),
    ],
)
def test_templates(template: str, fields: dict[str, object], text: str) -> None:
    assert render(template, fields) == text


def test_fields_that_a_template_needs() -> None:
    assert fields_of("{a!r} {b:x/y} {advice} {advice[1]} {c:g}") == {"a", "b", "c"}


MEMBER = Entry(
    "JSON-MEMBER", "warning", "{member!r} is not read ({advice} reads it, {advice[0]} tries)",
    advice=(Advice("from", "json"), Advice("member", "{role}={member}"), Advice("x_y", False)),
)  # fmt: skip


@pytest.mark.quotes
def test_advice_is_rendered_with_its_fields() -> None:
    value = Message(MEMBER, {"role": "start", "member": "begin"})
    assert str(value) == (
        '"begin" is not read (--from json --member start=begin --no-x-y reads it, --from json tries)'
    )
    assert [*value.advice] == [("from", "json"), ("member", "start=begin"), ("x_y", False)]


@pytest.mark.quotes
def test_records_are_json() -> None:
    inner = Message(EXPECTED, {"expected": "a", "found": "b"})
    value = Message(Entry("X", "note", "{reason} ({n})", "odd"), {"reason": inner, "n": 2})
    record = json.loads(json.dumps(value.record()))
    assert record["text"] == "expected a, found b (2)"
    assert (record["code"], record["variant"]) == ("X", "odd")
    assert record["fields"]["reason"]["fields"] == {"expected": "a", "found": "b"}
    advised = Message(MEMBER, {"role": "start", "member": "x"}).record()
    assert advised["advice"][1] == {"option": "member", "value": "start=x"}


def test_messages_are_values() -> None:
    value = Message(MEMBER, {"role": "start", "member": "begin"})
    assert pickle.loads(pickle.dumps(value)) == value
    assert value != Message(MEMBER, {"role": "end", "member": "begin"})
    assert len({value, Message(MEMBER, {"role": "start", "member": "begin"})}) == 1


def test_errors_carry_their_message() -> None:
    error = SyntaxFormatError(path="f", line=1, expected="a", found="b")
    assert error.value == Message(EXPECTED, {"expected": "a", "found": "b"})
    assert FormatError("free text").value is None
    advised = OptionError(value=Message(MEMBER, {"role": "end", "member": "to"}), path="f")
    assert str(advised) == f"f: {advised.value}"
    again = pickle.loads(pickle.dumps(advised))
    assert (again.value, str(again), type(again)) == (advised.value, str(advised), OptionError)
