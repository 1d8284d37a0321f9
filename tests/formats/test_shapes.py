"""Shapes of real files: tables, JSON, lyrics and tiers that say their content in their own way."""

from io import BytesIO

import formats
from formats import Segment, Transcript
from formats.io.source import open_source
from formats.reading.data_texts import checked_segments
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText

Turn = tuple[float | None, float | None, str]
READ: dict[str, tuple[str, list[Turn]]] = {
    "times in one column": (
        'index,time_range,text\n1,"00:00:00,520 --> 00:00:04,019",one two\n2,00:00:04 - 00:00:09.5,so\n',
        [(0.52, 4.019, "one two"), (4.0, 9.5, "so")],
    ),
    "lists of words": (
        '[[" Some", 0.0, 0.22], [" of", 0.22, 0.34], [" you", 0.34, 0.44]]',
        [(0.0, 0.44, "Some of you")],
    ),
    "lists of sentences": (
        '[["some of you", 0.0, 1.5], ["well then", 1.5, 2.0]]',
        [(0.0, 1.5, "some of you"), (1.5, 2.0, "well then")],
    ),
    "objects by identifier": (
        '{"1Y": {"begin": "0:30.0", "end": "1:45.0", "text": "a b"}, '
        '"3P": {"begin": "1:45.0", "end": "1:50.0", "text": "c"}}',
        [(30.0, 105.0, "a b"), (105.0, 110.0, "c")],
    ),
    "an audio file beside segments": (
        '{"audio_file": "a.mov", "audio_duration": 30.0, "segments": '
        '[{"start": 0.0, "end": 3.5, "speaker": "A", "text": "hello there"}]}',
        [(0.0, 3.5, "hello there")],
    ),
    "pieces that the text joins": (
        '{"segments": [{"id": 0, "start": 0.0, "end": 3.5, "text": "Such-a person!", "words": ['
        '{"start": 0, "end": 1.5, "word": "Such"}, {"start": 1.5, "end": 2, "word": "-a"}, '
        '{"start": 2, "end": 3.5, "word": "person!"}]}]}',
        [(0.0, 3.5, "Such-a person!")],
    ),
    "the export of ELAN": (
        "Anna\t\t00:00:00.000\t0.0\t00:00:01.000\t1.0\t00:00:01.000\t1.0\thi there\n" * 3,
        [(0.0, 1.0, "hi there")] * 3,
    ),
}  # fmt: skip


@each_case("shape", READ)
def test_shapes_are_read(shape: str) -> None:
    text, expected = READ[shape]
    source = BytesIO(text.encode())
    source.name = "talk.csv" if shape == "times in one column" else "talk"
    read = formats.read(source)
    assert [(s.start, s.end, " ".join(s.words)) for s in read] == expected


def test_dates_and_ranges_of_numbers_are_no_times(read_text: ReadText) -> None:
    read = read_text("text,age\nhello,20-30\nyou,30-40\n", "csv")
    assert [s.start for s in read] == [None, None]
    assert read[0].get("age") == "20-30"


LYRICS = (
    '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"><body>'
    '<div><p begin="1.0" end="3.0"><span begin="1.0" end="1.3">Re</span><span begin="1.3" '
    'end="2.0">member</span> <span begin="2.0" end="3.0">me</span>'
    '<span ttm:role="x-translation">Denk an mich</span><span ttm:role="x-roman">re mem</span>'
    "</p></div></body></tt>"
)


def test_translations_of_lyrics_are_properties(read_text: ReadText) -> None:
    (segment,) = read_text(LYRICS, "ttml")
    assert segment.words == ("Remember", "me")
    assert segment.get("translation") == "Denk an mich"
    assert segment.get("romanization") == "re mem"


def test_a_table_that_we_write_is_no_stm() -> None:
    segments = [
        Segment.of("rec", ["hi", "there"], channel="1", speaker="A", start=n, end=n + 0.5)
        for n in range(12)
    ]
    output = BytesIO()
    formats.write(Transcript(segments, source="rec"), output, "tsv")
    back = BytesIO(output.getvalue())
    back.name = "rec.tsv"
    assert formats.detect(back) == "tsv"


def test_cues_of_one_time_have_identifiers_of_their_own() -> None:
    segments = [Segment.of("rec", [word], start=1, end=2) for word in ("one", "two", "three")]
    output = BytesIO()
    formats.write(Transcript(segments, source="rec"), output, "kaldi")
    names = [line.split()[0] for line in output.getvalue().decode().splitlines()]
    assert names == ["rec-0000100-0000200", "rec-0000100-0000200-2", "rec-0000100-0000200-3"]


def test_a_first_word_of_gentle_without_a_time(read_text: ReadText) -> None:
    text = (
        '{"transcript": "so we began", "words": [{"case": "not-found-in-audio", "word": "so", '
        '"startOffset": 0, "endOffset": 2}, {"case": "success", "word": "we", "alignedWord": "we", '
        '"start": 1.0, "end": 1.5, "startOffset": 3, "endOffset": 5, "phones": []}, '
        '{"case": "success", "word": "began", "alignedWord": "began", "start": 1.5, "end": 2.5, '
        '"startOffset": 6, "endOffset": 11, "phones": []}]}'
    )
    (segment,) = read_text(text, "gentle")
    assert (segment.start, segment.end) == (1.0, 2.5)
    assert segment.starts == (None, 1.0, 1.5)


def test_tiers_of_stressed_syllables_are_no_words(read_text: ReadText) -> None:
    def tier(name: str, *marks: tuple[float, float, str]) -> str:
        rows = "".join(f'xmin = {a}\nxmax = {b}\ntext = "{mark}"\n' for a, b, mark in marks)
        head = f'class = "IntervalTier"\nname = "{name}"\nxmin = 0\nxmax = 2\n'
        return f"item []:\n{head}intervals: size = {len(marks)}\n{rows}"

    tiers = [
        tier("utterance", (0, 2, "good day")),
        tier("word", (0, 1, "good"), (1, 2, "day")),
        tier("tonicVowel", (0, 1, ""), (1, 2, "T")),
        tier("tonicSyllable", (0, 1, ""), (1, 2, "T")),
    ]
    text = (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 2\n'
        f"tiers? <exists>\nsize = {len(tiers)}\n{''.join(tiers)}"
    )
    read = read_text(text, "textgrid")
    assert [s.words for s in read if s.kind == "segment"] == [("good", "day")]
    assert "TIER-TEXT" not in codes(read)


def test_an_object_names_the_speaker() -> None:
    text = (
        '{"transcript": [{"speaker": {"display_name": "Ann", "email": null}, "text": "hi", '
        '"timestamp": "00:00:05"}, {"speaker": {"display_name": "Bob"}, "text": "so", '
        '"timestamp": "00:00:07"}]}'
    )
    assert [s.speaker for s in formats.read(BytesIO(text.encode()))] == ["Ann", "Bob"]


def test_an_empty_word_is_no_mark() -> None:
    segment = Segment("a", ("", "so"))
    source = open_source(BytesIO(b"so"))
    checked = checked_segments(source, iter([segment]), is_rejected=True, has_tokens=True)
    assert list(checked) == [segment]
