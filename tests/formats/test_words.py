"""Tokens, alternations, labels, definitions."""

import pickle

import pytest

from formats.schema.words import NULL, Alternation, Definition, Label, Token
from tests.each_case import each_case


def test_token_shows_seconds_and_only_what_is_there() -> None:
    assert repr(Token("a")) == "Token('a')"
    token = Token("um-", 500_000_000, 750_000_000, 0.5, "fp", True)
    assert repr(token) == (
        "Token('um-', start=0.5, end=0.75, confidence=0.5, kind='fp', optional=True)"
    )
    assert (token.start, token.end) == (0.5, 0.75)


@each_case(
    ("token", "expected"),
    [
        (Token("ab-"), True),
        (Token("-ab"), True),
        (Token("-"), False),
        (Token("a-b"), False),
        (Token("ab", kind="frag"), True),
    ],
)
def test_fragments(token: Token, expected: bool) -> None:
    assert token.is_fragment is expected


def test_alternation_knows_its_words() -> None:
    inner = Alternation([[Token("c")], [Token("d")]])
    alternation = Alternation([[Token("b"), inner], [], [NULL]])
    assert repr(alternation) == "Alternation('b' ('c' / 'd') / @ / @)"
    assert [t.text for t in alternation.tokens()] == ["b", "c", "d"]
    assert [t.text for t in alternation.first_branch()] == ["b", "c"]
    assert alternation.branches[2] == ()


def test_null() -> None:
    assert NULL.is_null
    assert Alternation([[NULL]]) == NULL
    assert not Alternation([[], []]).is_null
    with pytest.raises(ValueError, match="at least one branch"):
        Alternation([])


VALUES = [
    Token("a", 1, 2, 0.5, "lex", True),
    Alternation([[Token("a")], []]),
    Label("a", 0.5, 1.0, 0.25, recording="r", type="frag"),
    Definition("LABEL", "F", "Female", ""),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)
def test_values_are_immutable_hashable_and_picklable(value: Token) -> None:
    back = pickle.loads(pickle.dumps(value))
    assert back == value
    assert back is not value
    assert hash(back) == hash(value)
    assert repr(back) == repr(value)
    assert value != VALUES[0] or value is VALUES[0]
    name = next(iter(type(value).__annotations__))
    with pytest.raises(AttributeError, match=r"cannot assign to field|immutable type"):
        setattr(value, name, None)
    with pytest.raises(AttributeError, match=r"cannot delete field|immutable type"):
        delattr(value, name)


def test_label_repr() -> None:
    label = Label("hello", 0.5, 1.0, 0.25, recording="rec1")
    assert repr(label) == "<word 'hello' 0.5..1.0 confidence=0.25 of 'rec1'>"
