"""Words taken apart into characters, option `-c`."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment.network import Graph
from scoring.alignment.numbered import NumberedSide
from scoring.model.errors import InputError
from scoring.nist.segmentation.characters import split_words
from scoring.nist.segmentation.pieces import Splitter
from scoring.nist.transcripts.character_units import CharacterUnits
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.input_files import characters_of
from scoring.nist.transcripts.lexicon import Lexicon
from scoring.text.alternations import MarkupError
from tests.each_case import each_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch


def units(encoding: str = "ascii", localization: str = "generic", *flags: str) -> CharacterUnits:
    return CharacterUnits(
        characters_of(encoding, localization),
        keep_ascii="NOASCII" in flags,
        drop_hyphens="DH" in flags,
    )


@each_case(
    ("flags", "pieces"),
    [
        ((), ["a", "-", "b", "\u4e2d", "c", "d"]),
        (("NOASCII",), ["a-b", "\u4e2d", "cd"]),
        (("DH",), ["a", "b", "\u4e2d", "c", "d"]),
        (("NOASCII", "DH"), ["ab", "\u4e2d", "cd"]),
    ],
)
@each_case("encoding", ["utf-8", "gb"])
def test_flags(encoding: str, flags: tuple[str, ...], pieces: list[str]) -> None:
    codec = "gb2312" if encoding == "gb" else encoding
    found = units(encoding, "generic", *flags).split(byte_text("a-b\u4e2dcd".encode(codec)))
    assert [piece.encode("latin-1").decode(codec) for piece in found] == pieces


def test_all_single_bytes_are_ascii() -> None:
    assert units("ascii", "generic", "NOASCII").split("\xc3\xa9a") == ["\xc3\xa9a"]
    assert units().split("\xc3\xa9") == ["\xc3", "\xa9"]


def test_guarani_g_with_a_tilde_is_one_character_and_not_ascii() -> None:
    text = byte_text("ag\u0303bG\u0303\u0303".encode())
    assert units("utf-8", "babel_guarani", "NOASCII").split(text) == [
        "a", "g\xcc\x83", "b", "G\xcc\x83", "\xcc\x83",
    ]  # fmt: skip
    assert len(units("utf-8").split(text)) == 7


def test_nothing_is_left_of_hyphens() -> None:
    assert units("ascii", "generic", "DH").split("--") == []


class Words:
    """A side made of words, taken apart."""

    def __init__(self, words: str, graph: Branch | None = None, *flags: str) -> None:
        self.lexicon = Lexicon(optional_deletable=True, fragments_correct=True)
        types = array("i", map(self.lexicon.intern, words.split()))
        count = len(types)
        times = array("d", range(count))
        self.side = NumberedSide(
            types,
            array("q", [0]),
            array("q", [count]),
            {} if graph is None else {0: graph},
            place=lambda utterance, position, word: ("f.ctm", position + 1, len(word)),
            starts=times,
            finishes=array("d", [time + 1 for time in times]),
            confidences=array("d", [time / 10 for time in times]),
        )
        split_words([self.side], self.lexicon, Splitter(units("ascii", "generic", *flags)))

    @property
    def texts(self) -> list[str]:
        """The words of the only utterance, in their order in the columns."""
        side, types = self.side, self.lexicon.types()
        return [types[number].text for number in side.types[side.begins[0] : side.ends[0]]]


def test_columns_are_made_anew() -> None:
    words = Words("ab c def;tag")
    assert words.texts == list("abcdef")
    assert words.side.starts is not None
    assert words.side.finishes is not None
    assert words.side.starts.tolist() == pytest.approx([0, 0.5, 1, 2, 2 + 1 / 3, 2 + 2 / 3])
    assert words.side.finishes.tolist() == pytest.approx([0.5, 1, 2, 2 + 1 / 3, 2 + 2 / 3, 3])
    assert words.side.confidences is not None
    assert words.side.confidences.tolist() == [0, 0, 0.1, 0.2, 0.2, 0.2]
    assert not words.side.graphs, "a plain utterance stays plain"


def test_marks_are_those_of_the_pieces() -> None:
    words = Words("(ab) a@b -c - x;t")
    types = words.lexicon.types()
    found = [types[number] for number in words.side.types]
    assert [word.text for word in found] == ["(a)", "(b)", "a", "@", "b", "-", "c", "-", "x"]
    assert [word.optional for word in found] == [True, True] + [False] * 7
    assert [word.null for word in found] == [word.text == "@" for word in found]
    assert [word.fragment for word in found] == [False] * 7 + [True, False], "whole words only"
    assert found[-1].tags == ("t", None)


@given(st.lists(st.text("abc-@*", min_size=1, max_size=4), max_size=6))
def test_a_chain_of_words_becomes_the_chain_of_their_characters(drawn: list[str]) -> None:
    words = Words(" ".join(drawn))
    shown = [word[:-1] if len(word) > 1 and word[-1] == "*" else word for word in drawn]
    assert words.texts == list("".join(shown))


def test_split_branches_come_behind_whole_ones() -> None:
    words = Words("ab c x", ((((0,), (1,))), 2))
    graph = words.side.graphs[0]
    assert isinstance(graph, Graph)
    texts = [words.lexicon.types()[words.side.types[at]].text for at in graph.types]
    last = texts.index("x")
    begin, end = graph.predecessor_offsets[last : last + 2]
    assert [texts[arc - 1] for arc in graph.predecessors[begin:end]] == ["c", "b"]


def test_braces_in_a_timed_word_are_alternatives() -> None:
    words = Words("a{b/c} d")
    graph = words.side.graphs[0]
    assert isinstance(graph, Graph)
    texts = [words.lexicon.types()[words.side.types[at]].text for at in graph.types]
    assert sorted(texts) == ["a", "b", "c", "d"]
    assert list(graph.finals) == [texts.index("d") + 1]


@pytest.mark.parametrize(
    ("word", "problem"),
    [("ax{y", "closing brace"), ("--", "without its hyphens"), ("a{}", "alternatives")],
)
def test_what_cannot_be_taken_apart_is_told_with_its_place(word: str, problem: str) -> None:
    with pytest.raises(InputError, match=rf"f.ctm:2:{len(word)}: .*{problem}"):
        Words(f"ok {word}", None, "DH")


def test_a_word_outside_of_all_utterances_does_no_harm() -> None:
    lexicon = Lexicon()
    types = array("i", [lexicon.intern("--"), lexicon.intern("ab")])
    side = NumberedSide(types, array("q", [1]), array("q", [2]))
    splitter = Splitter(units("ascii", "generic", "DH"))
    split_words([side], lexicon, splitter)
    assert side.ends[0] - side.begins[0] == 2
    with pytest.raises(MarkupError):
        splitter.pieces(lexicon.types()[0])
