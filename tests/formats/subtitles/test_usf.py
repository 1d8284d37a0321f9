"""USF and TTXT: forms of times, text in places, what is no text."""

import pytest

from formats import SyntaxFormatError
from tests.formats.conftest import ReadText


def usf(inner: str) -> str:
    """A file of the Universal Subtitle Format."""
    return (
        f'<USFSubtitles version="1.0"><metadata><language code="eng">English</language></metadata>'
        f"<styles><style name='Default'/></styles><subtitles>{inner}</subtitles></USFSubtitles>"
    )


def ttxt(inner: str) -> str:
    """A file of MP4Box."""
    return f'<TextStream version="1.1"><TextStreamHeader/>{inner}</TextStream>'


@pytest.mark.parametrize(
    ("times", "span"),
    [
        ('start="00:00:01.500" stop="00:00:02.000"', (1.5, 2.0)),
        ('start="1.5" stop="2"', (1.5, 2.0)),
        ('start="00:00:01.500" duration="00:00:00.500"', (1.5, 2.0)),
    ],
)
def test_times_of_usf(read_text: ReadText, times: str, span: tuple[float, float]) -> None:
    read = read_text(usf(f"<subtitle {times}><text>hi</text></subtitle>"), "usf")
    assert [(s.start, s.end, s.words) for s in read] == [(*span, ("hi",))]
    assert dict(read.properties) == {"language": "eng"}


def test_texts_of_usf(read_text: ReadText) -> None:
    text = usf(
        '<subtitle start="0" stop="1"><!-- no --><text>a <i>b</i>\nc</text><image>x.png</image>'
        "<karaoke>d<k t='100'/>e</karaoke></subtitle>"
    )
    (segment,) = read_text(text, "usf")
    assert (segment.words, segment.get("lines")) == (("a", "b", "c", "de"), "a b c\nde")


def test_samples_of_ttxt_last_to_the_next(read_text: ReadText) -> None:
    text = ttxt(
        '<TextSample sampleTime="00:00:01.000">hi<Style bold="yes"/> you</TextSample>'
        '<TextSample sampleTime="00:00:02.500" text="a&amp;b"/>'
        '<TextSample sampleTime="00:00:04.000" xml:space="preserve"></TextSample>'
    )
    read = read_text(text, "ttxt")
    assert [(s.start, s.end, s.words) for s in read] == [
        (1.0, 2.5, ("hi", "you")), (2.5, 4.0, ("a&b",))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (usf('<subtitle stop="1"><text>hi</text></subtitle>'), "usf"),
        (usf('<subtitle start="x" stop="1"><text>hi</text></subtitle>'), "usf"),
        (ttxt('<TextSample sampleTime="">hi</TextSample>'), "ttxt"),
        ("<USFSubtitles><subtitle", "usf"),
    ],
)
def test_bad_times_and_cut_files_are_errors(read_text: ReadText, text: str, name: str) -> None:
    with pytest.raises(SyntaxFormatError):
        read_text(text, name, tolerance="strict")
