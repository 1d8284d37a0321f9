"""Corpora of RASR and RETURNN."""

import pytest

import formats
from tests.each_case import each_case
from tests.formats.case import sample
from tests.formats.json.reading import read, refusal

CORPUS = sample("bliss-corpus.txt")


def test_names_make_ids_and_speakers_come_from_the_nearest_section() -> None:
    transcript = read(CORPUS, "bliss")
    assert [(s.recording, s.utterance, s.speaker, s.words) for s in transcript] == [
        ("day", "news/tv/day/1", "uw", ("Guten", "Abend", "[noise]")),
        ("day", "news/tv/day/b", "ab", ("ja",)),
        ("day", "news/tv/day/3", "uw", ()),
        ("night", "news/night/1", "xy", ("nein",)),
        ("late", "news/late/1", "uw", ("so",)),
    ]
    assert [(s.start, s.end, s.channel, s.line) for s in transcript][:3] == [
        (0.5, 2.0, None, 11), (2.0, None, "2", 14), (None, None, None, 16),
    ]  # fmt: skip


def test_a_description_holds_in_its_section() -> None:
    described = [dict(segment.properties) for segment in read(CORPUS, "bliss")]
    assert described == [
        {"gender": "male"},
        {"gender": "m"},
        {"gender": "male"},
        {},
        {
            "gender": "female",
            "age": "40",
            "speaker_name": "Ulla Example",
            "native_language": "German",
        },
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<recording name="r" audio="a.wav"/>',
        '<speaker-description name="s"/>',
        '<include file="x"/>',
    ],
)
def test_a_corpus_is_recognised(text: str, tmp_path: object) -> None:
    path = f"{tmp_path}/a.xml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<corpus name="c">{text}</corpus>')
    assert formats.detect(path) == "bliss"


SEGMENT = '<corpus name="c">\n<recording name="r" audio="a">{}</recording></corpus>'


@each_case(
    ("text", "message"),
    [
        (SEGMENT.format('<segment start="2" end="1"/>'), ":2: expected an end not before 2"),
        (SEGMENT.format('<segment start="x" end="1"/>'), ":2: expected start in seconds, 0 or more"),
        (SEGMENT.format('<segment start="inf"/>'), ":2: expected start in seconds, 0 or more"),
        (SEGMENT.format('<segment track="-1"/>'), ":2: expected a track as a whole number"),
        (SEGMENT.format("<segment><speaker/></segment>"), ':2: expected a speaker with "name"'),
        (SEGMENT.format("<segment><orth>a</orth><orth>b</orth></segment>"), ':2: expected a segment with one "orth", found 2'),
        ('<corpus name="c">\n<segment start="0" end="1"/></corpus>', ":2: expected a segment in a recording"),
        ('<corpus name="c">\n<include file="b.corpus"/></corpus>', ":2: expected a corpus in one file, found an include of b.corpus"),
    ],
)  # fmt: skip
def test_a_bad_record_costs_itself(text: str, message: str) -> None:
    assert message in refusal(text, "bliss")
    good = '<recording name="g" audio="a"><segment><orth>good</orth></segment></recording></corpus>'
    kept = [s for s in read(text.replace("</corpus>", good), "bliss", "lenient") if s.words]
    assert [s.utterance for s in kept] == ["c/g/1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<corpus/>", ':1: expected a corpus with "name"'),
        ('<corpus name="c"><recording/></corpus>', ':1: expected a recording with "name"'),
        ("<corpora/>", 'expected a root element "corpus"'),
        (SEGMENT.format("<segment><orth>&odd;</orth></segment>"), ":2:"),
    ],
)
def test_a_document_without_names_is_rejected(text: str, message: str) -> None:
    assert message in refusal(text, "bliss", tolerance="lenient")
