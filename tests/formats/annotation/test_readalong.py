"""ReadAlong: words, what is beside them, texts that are not aligned."""

import pytest

from formats import SyntaxFormatError
from tests.formats.conftest import ReadText


def book(inner: str) -> str:
    """A text of one paragraph."""
    return f'<read-along><text xml:lang="fra"><body><p>{inner}</p></body></text></read-along>'


def test_signs_beside_a_word_are_part_of_it(read_text: ReadText) -> None:
    text = '<s>« <w time="1" dur="0.5">So</w>, <w time="2" dur="1"><w>i</w>t</w>!</s>'
    (segment,) = read_text(book(text), "readalong")
    assert segment.words == ("«", "So,", "it!")
    assert segment.starts == (None, 1.0, 2.0)
    assert (segment.start, segment.end) == (1.0, 3.0)


def test_a_paragraph_without_sentences_is_one(read_text: ReadText) -> None:
    read = read_text(book('so <anchor time="3s"/>it was'), "readalong")
    assert [(s.words, s.start, s.get("language")) for s in read] == [
        (("so", "it", "was"), None, "fra")
    ]


def test_what_is_not_to_be_aligned_has_a_property(read_text: ReadText) -> None:
    read = read_text(book('<s do-not-align="true">(so)</s><s>it</s>'), "readalong")
    assert [s.get("not_aligned") for s in read] == ["true", None]


@pytest.mark.parametrize("word", ['<w time="1">a</w>', '<w time="x" dur="1">a</w>'])
def test_half_a_time_is_an_error(read_text: ReadText, word: str) -> None:
    with pytest.raises(SyntaxFormatError):
        read_text(book(f"<s>{word}</s>"), "readalong", tolerance="strict")
