"""Segmentation of whole sides: which side and which words."""

from array import array
from collections.abc import Sequence
from pathlib import Path

import pytest

from scoring.alignment.numbered import NumberedSide
from scoring.nist.segmentation.segmentation import SegmentationRequest, Segmenter
from scoring.nist.transcripts.input_files import characters_of
from scoring.nist.transcripts.lexicon import Lexicon


def side_of(words: Sequence[str], lexicon: Lexicon) -> NumberedSide:
    """One utterance."""
    return NumberedSide(
        array("i", map(lexicon.intern, words)), array("q", [0]), array("q", [len(words)])
    )


def texts(side: NumberedSide, lexicon: Lexicon) -> list[str]:
    return [lexicon.types()[number].text for number in side.types[side.begins[0] : side.ends[0]]]


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
