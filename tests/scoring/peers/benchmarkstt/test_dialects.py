"""Every dialect of BenchmarkSTT, byte for byte; expected texts are what release 1.1 prints."""

import json
from collections import OrderedDict
from typing import Any

import pytest

from scoring.peers.benchmarkstt.diff import (
    DIALECTS,
    ANSIDiffDialect,
    DiffFormatter,
    RatcliffObershelp,
    RestructuredTextDialect,
    format_diff,
    make_printable,
)
from tests.each_case import each_case

REFERENCE = [
    "Hello", "darkness", "my", "OLD", "friend.", "I", "have", "come", "to", "talk", "with", "you",
    "again",
]  # fmt: skip
HYPOTHESIS = [
    "hello", "darkness", "my", "old", "fiend", "I", "have", "come", "talk", "with", "you", "again",
    "and", "again",
]  # fmt: skip
ANSI_KEY = "Color key: Unchanged \x1b[31mReference\x1b[0m \x1b[32mHypothesis\x1b[0m\n\n"
RST_KEY = "Color key: Unchanged \\ :diffdelete:`Reference`\\  \\ :diffinsert:`Hypothesis`\\ \n\n"
STRUCK, MARKED, DOT = "\u0338", "\u0359", "\u200b·\u200b"


def words(dialect: str | None) -> Any:
    return format_diff(
        REFERENCE, HYPOTHESIS, RatcliffObershelp(REFERENCE, HYPOTHESIS).get_opcodes(), dialect
    )


def test_ansi() -> None:
    assert words("ansi") == ANSI_KEY + (
        "\x1b[31m·Hello\x1b[0m\x1b[32m·hello\x1b[0m·darkness·my\x1b[31m·OLD·friend.\x1b[0m"
        "\x1b[32m·old·fiend\x1b[0m·I·have·come\x1b[31m·to\x1b[0m·talk·with·you·again"
        "\x1b[32m·and·again\x1b[0m"
    )


def test_html() -> None:
    assert words("html") == (
        '<span class="delete"> Hello</span><span class="insert"> hello</span> darkness my'
        '<span class="delete"> OLD friend.</span><span class="insert"> old fiend</span>'
        ' I have come<span class="delete"> to</span> talk with you again'
        '<span class="insert"> and again</span>'
    )


def test_rst() -> None:
    found = words("rst")
    assert found.startswith(
        RST_KEY + f"\\ :diffdelete:`{DOT}Hello`\\ \\ :diffinsert:`{DOT}hello`\\ {DOT}darkness"
    )
    assert found.endswith(f"{DOT}again\\ :diffinsert:`{DOT}and{DOT}again`\\ ")


def test_text_is_the_default() -> None:
    assert words(None) == words("text")
    struck = "".join(letter + STRUCK for letter in "·Hello")
    marked = "".join(letter + MARKED for letter in "·hello")
    assert words("text").startswith(f"{struck}{marked}·darkness·my")


def test_list_and_json_pair_words() -> None:
    found = words("list")
    assert found[0] == OrderedDict(type="replace", reference="Hello", hypothesis="hello")
    assert [one["type"] for one in found] == (
        ["replace", "equal", "equal", "replace", "replace", "equal", "equal", "equal", "delete"]
        + ["equal"] * 4
        + ["insert"] * 2
    )
    assert found[8] == {"type": "delete", "reference": "to", "hypothesis": None}
    assert found[-1] == {"type": "insert", "reference": None, "hypothesis": "again"}
    assert words("json") == json.dumps(found)


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [("a b c", "x", ["replace", "delete", "delete"]), ("a", "x y", ["replace", "insert"])],
)
def test_what_is_left_of_a_replacement(old: str, new: str, kinds: list[str]) -> None:
    opcodes = [("replace", 0, len(old.split()), 0, len(new.split()))]
    found = format_diff(old.split(), new.split(), opcodes, "list")
    assert [one["type"] for one in found] == kinds


@each_case(
    ("dialect", "sides", "expected"),
    [
        ("ansi", ("abc", "adc"), ANSI_KEY + "a\x1b[31mb\x1b[0m\x1b[32md\x1b[0mc"),
        ("html", ("abc", "adc"), 'a<span class="delete">b</span><span class="insert">d</span>c'),
        ("html", ("<&\"'>", "<&\"'>"), "&lt;&amp;&#34;&#39;&gt;"),
        ("rst", ("abc", "adc"), RST_KEY + "a\\ :diffdelete:`b`\\ \\ :diffinsert:`d`\\ c"),
        ("rst", ("a", "a`"), RST_KEY + "a\\ :diffinsert:`\\``\\ "),
        ("text", ("abc", "adc"), f"ab{STRUCK}d{MARKED}c"),
    ],
)
def test_characters(dialect: str, sides: tuple[str, str], expected: str) -> None:
    assert format_diff(*sides, dialect=dialect) == expected
    assert DiffFormatter(dialect).diff(*sides) == expected


@each_case("dialect", sorted(DIALECTS))
def test_equal_and_empty_texts(dialect: str) -> None:
    same = format_diff("abc", "abc", dialect=dialect)
    nothing = format_diff("", "", dialect=dialect)
    key = getattr(DIALECTS[dialect](), "color_key", "")
    if dialect in ("list", "json"):
        expected: Any = [{"type": "equal", "reference": "abc", "hypothesis": "abc"}]
        assert (json.loads(same) if dialect == "json" else same) == expected
        assert nothing in ([], "[]")
    else:
        assert (same, nothing) == (key + "abc", key)


def test_colour_keys() -> None:
    assert ANSIDiffDialect().color_key == ANSI_KEY
    assert RestructuredTextDialect().color_key == RST_KEY
    assert ANSIDiffDialect(show_color_key=False).color_key == ""
    assert DiffFormatter("ansi", show_color_key=False).diff("a", "a") == "a"


@pytest.mark.parametrize("name", ["nope", "ANSI", "", 3])
def test_unknown_dialects(name: Any) -> None:
    with pytest.raises(ValueError, match="Unknown diff dialect") as caught:
        DiffFormatter(name)
    assert caught.value.args == ("Unknown diff dialect", name)
    assert not DiffFormatter.has_dialect(name)


def test_an_unknown_opcode() -> None:
    with pytest.raises(KeyError, match="moved"):
        format_diff("a", "b", opcodes=[("moved", 0, 1, 0, 1)])


def test_sequences_of_anything() -> None:
    opcodes = [("replace", 0, 1, 0, 1)]
    assert format_diff([1], [2], opcodes, "html") == (
        '<span class="delete"> 1</span><span class="insert"> 2</span>'
    )
    assert format_diff("ab", "xb", opcodes, "html", str.upper) == (
        '<span class="delete">A</span><span class="insert">X</span>'
    )


@each_case(
    ("text", "shown"),
    [
        ("", ""), (" ", "·"), ("It's\ta\nline\r", "It's␉a␊line␍"), ("\x00\x1b\x1f", "␀␛␟"),
        ("\x7f\x80\x9f\xa0", "␡\\x80\\x9f\xa0"),
    ],
)  # fmt: skip
def test_make_printable(text: str, shown: str) -> None:
    assert make_printable(text) == shown
