"""Corpora of RASR and RETURNN."""

from __future__ import annotations

import pytest

import formats
from tests.formats.json.reading import read, refusal

CORPUS = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE corpus SYSTEM "corpus.dtd">
<corpus name="news">
  <speaker-description name="uw"><name>Ulla Example</name><gender> female </gender><age>40</age>
    <native-language>German</native-language><height>170</height></speaker-description>
  <speaker-description name="ab" gender="m"/>
  <speaker name="uw"/>
  <subcorpus name="tv">
    <speaker-description name="uw"><gender>male</gender></speaker-description>
    <recording name="day" audio="day.mp3">
      <segment start="0.5" end="2"><orth>
        Guten
        Abend [noise] </orth></segment>
      <segment name="b" start="2" end="inf" track="1"><orth>ja</orth><speaker name="ab"/>
        <left-context-orth>so</left-context-orth></segment>
      <segment/>
    </recording>
  </subcorpus>
  <recording name="night" audio="night.mp3">
    <speaker name="xy"/>
    <segment start="0" end="1.5"><orth>nein</orth></segment>
  </recording>
  <recording name="late" audio="late.mp3"><segment start="0" end="1"><orth>so</orth></segment></recording>
</corpus>
"""


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


@pytest.mark.parametrize(
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
