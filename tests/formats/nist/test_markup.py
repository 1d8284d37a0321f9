"""Transcript markup: alternations, optional words, nulls; errors with columns; round trips."""

from collections.abc import Sequence
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import NULL, Alternation, LossError, Segment, SyntaxFormatError, Token
from formats.io.sink import open_sink
from formats.io.source import open_source
from formats.nist.markup import parse_columns
from formats.nist.markup_writer import write_text
from formats.nist.messages import (
    MARKUP_BRACE,
    MARKUP_EMPTY,
    MARKUP_IN_WORD,
    NULL_WORD,
    OPTIONAL_WORD,
)
from formats.schema.messages import Message
from formats.schema.words import read_token
from formats.writing.out import Out
from tests.each_case import each_case
from tests.formats.checks import message_of, remark_line


def parse_items(text: str) -> list[Token | Alternation]:
    with open_source(StringIO("")) as source:
        words, optional, choices = parse_columns(source, 1, text, 0, len(text))
    return list(Segment("text", words, optional=optional, alternations=choices).items())


def write_items(items: Sequence[Token | Alternation], *, escape: bool = False) -> str:
    sink = open_sink(StringIO())
    sink.source = "a.trn"
    return write_text(Out(Segment.from_items("r", items, line=4), sink), escape=escape)


def words(*texts: str) -> list[Token]:
    return [Token(text) for text in texts]


@each_case(
    ("text", "items"),
    [
        ("", []),
        ("a  b\t c", words("a", "b", "c")),
        ("a/b } /c", words("a/b", "}", "/c")),
        ("{ a / b c / @ }", [Alternation([words("a"), words("b", "c"), []])]),
        ("{a/b}", [Alternation([words("a"), words("b")])]),
        ("{b/c}d", [Alternation([words("b"), words("c")]), Token("d")]),
        (
            "{ b / { c / d } e }",
            [
                Alternation(
                    [words("b"), [Alternation([words("c"), words("d")]), Token("e")]]
                )
            ],
        ),
        ("{ b }", [Alternation([words("b")])]),
        ("{ b / }", [Alternation([words("b")])]),
        ("{ / b / / c }", [Alternation([words("b"), words("c")])]),
        ("@ a @b", [NULL, Token("a"), Token("@b")]),
        ("{ @ }", [NULL]),
        ("{ a @ b / c }", [Alternation([[Token("a"), NULL, Token("b")], words("c")])]),
        ("(um) () (a b)", [Token("um", optional=True), *words("()", "(a", "b)")]),
        ("((x))", [Token("(x)", optional=True)]),
        ("ab- -cd -", words("ab-", "-cd", "-")),
        ("caf\xe9 a\xa0b \u3000", words("caf\xe9", "a\xa0b", "\u3000")),
        ("hello;5 a\\;b", words("hello;5", "a\\;b")),
    ],
)  # fmt: skip
def test_parse(text: str, items: list[Token | Alternation]) -> None:
    assert parse_items(text) == items


def columns(text: str, braces: bool = True) -> list[str]:
    with open_source(StringIO(""), recording="x") as source:
        parse_columns(source, 3, text, 0, len(text), alternations=braces)
        return [str(d) for d in source.log.entries()]


@each_case(
    ("text", "message"),
    [
        ("a { b / c", '3:3: expected "}" to close this "{", found the end of the text'),
        ("{ a / { b }", '3:1: expected "}" to close this "{", found the end of the text'),
        ("a { }", "3:3: expected a word or @ between braces, found none"),
        ("{ / }", "3:1: expected a word or @ between braces, found none"),
        ("x{b/c}", '3:2: expected a blank before "{", found "x{"'),
        ("{ a{ / b }", '3:4: expected a blank before "{", found "a{"'),
        ("{" * 33, '3:33: expected alternations at most 32 deep, found one more "{"'),
    ],
)
def test_broken_markup_is_an_error_with_its_column(text: str, message: str) -> None:
    assert message_of(SyntaxFormatError, lambda: columns(text)) == f"<stream>:{message}"


@pytest.mark.parametrize("word", ["M^{ME}", "x_{i}^{2}", "(M^{ME})"])
def test_braces_within_a_word_are_letters(word: str) -> None:
    assert columns(f"a {word} b") == []
    items = parse_items(f"a {word} {{ b{{c}} / d }}")
    assert items[1] == read_token(word)
    assert items[2] == Alternation([[Token("b{c}")], [Token("d")]])
    assert write_items(items) == f"a {word} {{ b{{c}} / d }}"


def test_32_levels_are_fine() -> None:
    text = "{ a / " * 32 + "b" + " }" * 32
    assert write_items(parse_items(text)) == text


def test_doubtful_markup_draws_warnings() -> None:
    assert columns("a } b") == [remark_line(MARKUP_BRACE, 3, 3)]
    assert columns("(a) b}") == [remark_line(MARKUP_BRACE, 3, 6)]
    assert columns("{ a / }") == [remark_line(MARKUP_EMPTY, 3, 6)]


def test_without_alternations_braces_are_letters() -> None:
    with open_source(StringIO("")) as source:
        found = parse_columns(source, 1, "{ktb (x) @", 0, 10, alternations=False)
    assert found == (("{ktb", "x"), (False, True), ((2, NULL),))
    assert columns("a } (b)", braces=False) == []


@each_case("size", [1 << 18])
@each_case("character", ["{", "(", "}", "/", "@", " ", "{a/"])
def test_hostile_text_takes_linear_time(character: str, size: int) -> None:
    try:
        found = columns(character * size)
    except SyntaxFormatError as error:
        found = [str(error)]
    assert len(found) <= 21


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0{}@/()"), min_size=1)
TOKENS = st.builds(Token, TEXTS, optional=st.booleans())


def branches(
    items: st.SearchStrategy[Token | Alternation],
) -> st.SearchStrategy[Token | Alternation]:
    return st.builds(Alternation, st.lists(st.lists(items, max_size=3), min_size=1, max_size=3))


ITEMS = st.lists(st.recursive(TOKENS, branches, max_leaves=6), max_size=6)


@given(ITEMS)
def test_what_is_written_reads_back(items: list[Token | Alternation]) -> None:
    assert parse_items(write_items(items)) == items


@each_case(
    ("item", "found"),
    [
        (Token("@"), Message(NULL_WORD)),
        (Token("(x)"), Message(OPTIONAL_WORD, {"word": "(x)"})),
        (Token("{"), Message(MARKUP_IN_WORD, {"sign": "{", "word": "{"})),
        (Token("x{y"), Message(MARKUP_IN_WORD, {"sign": "{", "word": "x{y"})),
        (Token(""), "an empty word"),
        (Token("", optional=True), "an empty word"),
        (Token("new york"), 'blanks or line ends in "new york"'),
        (Token("a\nb"), 'blanks or line ends in "a\\nb"'),
        (Alternation([[Token("a/b")]]), Message(MARKUP_IN_WORD, {"sign": "/", "word": "a/b"})),
        (Alternation([[Token("a}")]]), Message(MARKUP_IN_WORD, {"sign": "}", "word": "a}"})),
    ],
)
def test_words_that_would_read_as_something_else_are_refused(
    item: Token | Alternation, found: str
) -> None:
    with pytest.raises(LossError) as caught:
        write_items([item])
    text = str(found)
    if isinstance(found, str):
        text = f"expected a word that the format can hold, found {found}"
    assert str(caught.value) == f"a.trn:4: {text}"


def test_escaping_writes_look_alikes() -> None:
    items: list[Token | Alternation] = [
        Token("@"),
        Token("(x)"),
        Token("{y}"),
        Alternation([[Token("a/b")]]),
    ]
    assert write_items(items, escape=True) == "＠ （x） ｛y｝ { a／b }"
    with pytest.raises(LossError):
        write_items([Token("a b")], escape=True)


def test_too_deep_to_write() -> None:
    item: Token | Alternation = Token("a")
    for _ in range(33):
        item = Alternation([[item], [Token("b")]])
    with pytest.raises(LossError, match="nested at most 32 deep"):
        write_items([item])


def test_write_text_writes_what_was_parsed() -> None:
    for text in ("a b c", "a/b } c", "@ a", "(a) b", "{ a / b } c", ""):
        assert write_items(parse_items(text)) == text
