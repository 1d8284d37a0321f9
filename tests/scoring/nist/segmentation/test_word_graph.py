"""The graph of words: splitting, inferring, and the order of what is added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment.numbered import WordType, word_type
from scoring.nist.segmentation.pieces import pieces_of
from scoring.nist.segmentation.word_graph import Arc, Node, WordGraph, joined
from scoring.nist.segmentation.word_list import WordList
from scoring.text.alternations import Alternations
from tests.each_case import each_case
from tests.tables import table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch


def word(text: str) -> WordType:
    return word_type(text, optional_deletable=True, fragments_correct=True)


def graph_of(text: str) -> WordGraph:
    """The graph of a text with alternations; word n takes the seconds from n to n + 1."""
    words: list[str] = []

    def add(token: str) -> int:
        words.append(token)
        return len(words) - 1

    items: Branch = Alternations(add).read(text)
    return WordGraph(
        items, lambda at: Arc(word(words[at]), at, at + 1, 0.5 / (at + 1), position=at)
    )


def split(graph: WordGraph) -> None:
    graph.split(lambda arc: pieces_of(arc.word, list))


def shown(graph: WordGraph) -> str:
    """Per arc its word and the words before it, in order; `^` stands for the beginning."""
    arcs, shape = graph.numbered()
    names = ["^", *(arc.word.text for arc in arcs)]
    lists = [
        shape.predecessors[begin:end]
        for begin, end in zip(
            shape.predecessor_offsets, shape.predecessor_offsets[1:], strict=False
        )
    ]
    parts = [
        f"{name}<{','.join(names[at] for at in before)}"
        for name, before in zip(names[1:], lists, strict=True)
    ]
    return " ".join([*parts, f"$<{','.join(names[at] for at in shape.finals)}"])


def paths(node: Node, last: Node) -> Iterator[tuple[Arc, ...]]:
    """All ways from a node to the last one."""
    if node is last:
        yield ()
    for arc in node.leaving:
        for rest in paths(arc.end, last):
            yield (arc, *rest)


@each_case(("text", "arcs"), table_of(__file__, "pieces_go_to_the_ends_of_the_lists"))
def test_pieces_go_to_the_ends_of_the_lists(text: str, arcs: str) -> None:
    graph = graph_of(text)
    split(graph)
    assert shown(graph) == arcs


def test_pieces_divide_the_time_and_share_the_confidence() -> None:
    graph = graph_of("a bcde")
    split(graph)
    arcs, _ = graph.numbered()
    times = [(arc.start, arc.finish, arc.confidence) for arc in arcs[1:]]
    assert times == [(1, 1.25, 0.25), (1.25, 1.5, 0.25), (1.5, 1.75, 0.25), (1.75, 2, 0.25)]
    assert [arc.position for arc in arcs] == [0, None, None, None, None]


@each_case(
    ("text", "words", "arcs"), table_of(__file__, "inferred_words_go_to_the_ends_of_the_lists")
)
def test_inferred_words_go_to_the_ends_of_the_lists(text: str, words: str, arcs: str) -> None:
    graph = graph_of(text)
    graph.infer(WordList(words.split()))
    assert shown(graph) == arcs


def test_walks_use_what_earlier_ones_have_added() -> None:
    graph = graph_of("{a b c/d} e f")
    graph.infer(WordList(["bcef", "cef", "ef"]))  # `ef` is nearer to the beginning than `cef`
    before_c = graph.first.leaving[0].end.leaving[0].end
    assert [arc.word.text for arc in before_c.leaving] == ["c", "cef", "cef"]
    assert [arc.word.text for arc in graph.first.leaving[0].end.leaving] == ["b", "bcef"]


def test_no_more_words_are_joined_than_the_longest_has_characters() -> None:
    graph = graph_of("a @ @ b")
    graph.infer(WordList(["ab"]))
    assert not graph.changed
    graph.infer(WordList(["ab", "zzzz"]))
    assert [arc.word.text for arc in graph.first.leaving] == ["a", "ab"]


def test_an_inferred_word_spans_the_times_of_its_parts() -> None:
    graph = graph_of("a b c")
    graph.infer(WordList(["abc"]))
    made = graph.first.leaving[-1]
    assert (made.start, made.finish) == (0, 3)
    assert made.confidence == ((0.5 + 0.25) / 2 + 0.5 / 3) / 2
    assert made.position is None


@each_case(("parts", "text", "value"), table_of(__file__, "joined_words"))
def test_joined_words(parts: str, text: str, value: str) -> None:
    first, second = map(word, parts.split())
    made = joined(first, second)
    assert (made.text, made.value, made.optional) == (text, value, text.startswith("("))
    assert made.null == (text == "@")


def test_a_joined_word_is_a_fragment_if_both_are() -> None:
    assert joined(word("a-"), word("-b")).fragment
    assert not joined(word("a-"), word("b")).fragment


@given(
    st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=6),
    st.lists(st.text("ab", min_size=2, max_size=4), max_size=5).map(sorted),
)
def test_every_path_spells_the_text_and_every_word_is_there(
    words: Sequence[str], lexicon: Sequence[str]
) -> None:
    text = "".join(words)
    graph = graph_of(" ".join(words))
    split(graph)
    graph.infer(WordList(lexicon))
    for path in paths(graph.first, graph.last):
        assert "".join(arc.word.text for arc in path) == text
    places = [
        (begin, end)
        for begin in range(len(text))
        for end in range(begin + 2, len(text) + 1)
        if text[begin:end] in lexicon
    ]
    arcs, shape = graph.numbered()
    assert len(arcs) == len(text) + len(places)
    assert shape.is_chain == (not places)
    for number, (begin, end) in enumerate(
        zip(shape.predecessor_offsets, shape.predecessor_offsets[1:], strict=False), 1
    ):
        assert begin < end
        assert max(shape.predecessors[begin:end]) < number
