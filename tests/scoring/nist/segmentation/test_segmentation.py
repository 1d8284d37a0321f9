"""Segmentation of whole sides: which side, which words, and plain sequences like graphs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment.numbered import Side
from scoring.nist.segmentation.chains import ChainInference
from scoring.nist.segmentation.pieces import Splitter
from scoring.nist.segmentation.segmentation import SegmentationRequest, Segmenter
from scoring.nist.segmentation.word_graph import ArcColumns, WordGraph
from scoring.nist.segmentation.word_list import WordList
from scoring.nist.transcripts.alphabets import characters_of
from scoring.nist.transcripts.character_units import CharacterUnits
from scoring.nist.transcripts.lexicon import Lexicon

# per word: text, number, start, finish, confidence
Row = tuple[str, float, float, float]


def side_of(words: Sequence[str], lexicon: Lexicon, *, timed: bool = False) -> Side:
    """One utterance; word n takes the seconds from n to n + 1."""
    count = len(words)
    types = array("i", map(lexicon.intern, words))
    times = [array("d", range(count)), array("d", range(1, count + 1))]
    return Side(
        types,
        array("q", [0]),
        array("q", [count]),
        None,
        times[0] if timed else None,
        times[1] if timed else None,
        array("d", [0.5**at for at in range(count)]) if timed else None,
    )


def rows(side: Side, lexicon: Lexicon) -> list[Row]:
    """The words of the utterance with their columns."""
    span = range(side.begins[0], side.ends[0])
    assert side.starts is not None
    assert side.finishes is not None
    assert side.confidences is not None
    return [
        (
            lexicon.types()[side.types[at]].text,
            side.starts[at],
            side.finishes[at],
            side.confidences[at],
        )
        for at in span
    ]


def texts(side: Side, lexicon: Lexicon) -> list[str]:
    return [lexicon.types()[number].text for number in side.types[side.begins[0] : side.ends[0]]]


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "ba", "aab", "c*", "b;tag"]), max_size=6),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=6),
    st.booleans(),
)
def test_plain_sequences_become_what_graphs_become(
    words: Sequence[str], listed: Sequence[str], splits_ascii: bool
) -> None:
    lexicon = Lexicon()
    splitter = Splitter(CharacterUnits(characters_of(), keep_ascii=not splits_ascii))
    allowed = WordList(listed)
    quick, slow = (side_of(words, lexicon, timed=True) for _ in range(2))
    assert ChainInference(quick, lexicon, splitter, allowed).segment(0)
    if words:
        columns = ArcColumns(slow, lexicon)
        graph = WordGraph(range(len(words)), columns.arc)
        graph.split(lambda arc: splitter.pieces_at(slow, 0, arc))
        graph.infer(allowed)
        if graph.changed:
            columns.replace(0, graph)
    assert rows(quick, lexicon) == rows(slow, lexicon)
    assert list(quick.graphs) == list(slow.graphs)
    for utterance, shape in quick.graphs.items():
        assert [list(column) for column in shape] == [  # type: ignore[arg-type]
            list(column)  # type: ignore[arg-type]
            for column in slow.graphs[utterance]
        ]


@pytest.mark.parametrize("words", [["@", "a"], ["a", "(b)"], ["a-", "b"], ["a@"]])
def test_other_words_are_left_to_graphs(words: Sequence[str]) -> None:
    lexicon = Lexicon(optional_deletable=True, fragments_correct=True)
    splitter = Splitter(CharacterUnits(characters_of()))
    side = side_of(words, lexicon)
    assert not ChainInference(side, lexicon, splitter, WordList(["ab"])).segment(0)
    assert texts(side, lexicon) == words


@pytest.mark.parametrize(
    ("algorithm", "reference", "hypothesis"),
    [("algo1", ["ab", "c"], ["a", "b", "bc", "c"]), ("algo2", ["a", "b", "bc", "c"], ["ab", "c"])],
)
def test_one_side_is_taken_apart(
    algorithm: str, reference: list[str], hypothesis: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "lex"
    path.write_text("bc\nzzz\n")
    segmenter = Segmenter(
        SegmentationRequest({algorithm}, str(path), "lex", splits_ascii=True),
        characters_of(),
        lambda text: None,
    )
    assert segmenter.prepare() is None
    assert segmenter.folds_hypothesis == (algorithm == "algo1")
    lexicon = Lexicon()
    sides = [side_of(["ab", "c"], lexicon) for _ in range(2)]
    segmenter.segment(sides[0], sides[1], lexicon)
    assert [texts(side, lexicon) for side in sides] == [reference, hypothesis]


def test_both_algorithms_are_refused_before_the_lexicon_is_read() -> None:
    request = SegmentationRequest({"algo1", "algo2"}, "/nowhere", "nowhere")
    failure = Segmenter(request, characters_of(), lambda text: None).prepare()
    assert str(failure) == "Error: unknown alignment procedure\n"
    assert failure is not None
    assert failure.status == 1
