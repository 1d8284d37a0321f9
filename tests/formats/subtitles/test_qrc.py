"""Lyrics of QQ Music, KuGou and NetEase: three ways to write the times of syllables."""

import pytest

import formats
from formats import SyntaxFormatError
from tests.each_case import each_case
from tests.formats.conftest import ReadText


@each_case(
    "text",
    [
        "[500,1750]hello(500,400) (0,0)wo(900,400)rld(1300,950)\n",
        "[500,1750]hello (500,400)world(900,1350)\n",
        "[500,1750]<0,400,0>hello <400,400,0>wo<800,950,0>rld\n",
        "[500,1750](500,400,0)hello (900,1350,0)world\n",
        '<?xml version="1.0"?>\n<QrcInfos>\n<LyricInfo LyricCount="1">\n<Lyric_1 LyricType="1" '
        'LyricContent="[ti:A]\n[500,1750]hello (500,400)world(900,1350)\n"/>\n</LyricInfo>\n</QrcInfos>\n',
    ],
)
def test_words_have_the_times_of_their_pieces(read_text: ReadText, text: str) -> None:
    (segment,) = read_text(text, "qrc")
    assert (segment.start, segment.end) == (0.5, 2.25)
    assert segment.words == ("hello", "world")
    assert (segment.starts, segment.ends) == ((0.5, 0.9), (0.9, 2.25))


def test_entities_of_xml_are_signs_and_parentheses_without_times_are_text(
    read_text: ReadText,
) -> None:
    read = read_text('<Lyric_1 LyricContent="[0,900](a &amp; b)(0,300) c(300,600)"/>\n', "qrc")
    assert [s.words for s in read] == [("(a", "&", "b)", "c")]


def test_an_offset_moves_all_times(read_text: ReadText) -> None:
    (segment,) = read_text("[offset:100]\n[500,400]hello(500,400)\n", "qrc")
    assert (segment.start, segment.end) == (0.4, 0.8)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("krc18\x01\x02\n", 1),
        ("0A1B" * 40 + "\n", 1),
        ("[500,400]hello(500,400)\nhello\n", 2),
        ("[500]hello\n", 1),
    ],
)
def test_encrypted_and_malformed_lyrics_are_errors(
    read_text: ReadText, text: str, line: int
) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_text(text, "qrc", tolerance="strict")
    assert caught.value.line == line


def test_xml_without_lyrics_is_refused(read_text: ReadText) -> None:
    resources = '<RCC>\n<qresource prefix="/">\n<file>words.txt</file>\n</qresource>\n</RCC>\n'
    with pytest.raises(formats.FormatError, match="expected XML with lyrics"):
        read_text(resources, "qrc")
