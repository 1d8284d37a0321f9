"""Sync maps of aeneas in all their shapes."""

import json
from io import BytesIO

import pytest

import formats
from formats.annotation.messages import AENEAS_EMPTY
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said

FRAGMENT = {"id": "f1", "begin": "0.500", "end": "1.050", "lines": ["hello", "there"]}
XML = '<fragment id="f1" begin="0.500" end="1.050"><line>hello</line><line>there</line><children/></fragment>'
SHAPES = {
    "json": json.dumps({"fragments": [FRAGMENT]}),
    "xml": f"<?xml version='1.0' encoding='UTF-8'?>\n<map>{XML}</map>",
    "csv": 'f1,0.500,1.050,"hello there"\n',
    "csv, clock": 'f1,00:00:00.500,00:00:01.050,"hello there"\n',
    "ssv": '0.500 1.050 f1 "hello there"\n',
    "txt": 'f1 0.500 1.050 "hello there"\n',
    "txt, clock": 'f1 00:00:00.500 00:00:01.050 "hello there"\n',
}


@each_case("shape", SHAPES)
def test_every_shape_says_the_same(shape: str) -> None:
    [segment] = read(SHAPES[shape], "aeneas")
    assert (segment.words, segment.utterance) == (("hello", "there"), "f1")
    assert (segment.start, segment.end, segment.starts) == (0.5, 1.05, None)


@each_case("shape", SHAPES)
def test_every_shape_is_known(shape: str, tmp_path: object) -> None:
    path = f"{tmp_path}/map.{shape.partition(',')[0]}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(SHAPES[shape])
    assert formats.detect(path) == "aeneas"


def test_levels() -> None:
    words = [{"begin": n, "end": n + 1, "lines": [w], "children": []} for n, w in enumerate("ab")]
    line = {"begin": 0, "end": 2, "lines": ["a b"], "children": words, "id": 7}
    silence = {"begin": 2, "end": 2, "lines": [""], "children": []}
    whole = {"begin": 0, "end": 2, "lines": ["a b", "c"], "children": [line, silence]}
    transcript = read(json.dumps({"fragments": [whole]}), "aeneas")
    assert [(s.words, s.starts, s.utterance) for s in transcript] == [(("a", "b"), (0.0, 1.0), "7")]
    assert said(transcript) == [
        ("note: " + message_text(AENEAS_EMPTY, silent=1) + " [AENEAS-EMPTY]")
    ]


def test_quotes_stand_for_themselves() -> None:
    assert read('1,0.0,1.0,"He said "no", then left"\n', "aeneas")[0].words == (
        "He", "said", '"no",', "then", "left",
    )  # fmt: skip


AUDH = "00:00:00.500\t00:00:01.050\thello there\n00:00:02.000\t01:00:03.000\t\n"
TSV = "0.500\t1.050\tf000001\n2.000\t3603.000\tf000002\n"
TSVH = "00:00:00.500\t00:00:01.050\tp000001s000001\n00:00:02.000\t01:00:03.000\tp000001s000002\n"


def test_a_label_track_with_clocks() -> None:
    transcript = read(AUDH, "aeneas")
    assert [(s.words, s.utterance, s.start, s.end) for s in transcript] == [
        (("hello", "there"), None, 0.5, 1.05)
    ]
    assert said(transcript) == [
        ("note: " + message_text(AENEAS_EMPTY, silent=1) + " [AENEAS-EMPTY]")
    ]


@pytest.mark.parametrize(("text", "name"), [(TSV, "f000001"), (TSVH, "p000001s000001")])
def test_tables_of_ids_have_no_words(text: str, name: str) -> None:
    transcript = read(text, "aeneas")
    assert [(s.words, s.start, s.end) for s in transcript] == [((), 0.5, 1.05), ((), 2.0, 3603.0)]
    assert transcript[0].utterance == name


@each_case(
    ("text", "expected"),
    [
        (AUDH, "aeneas"), (TSV, "aeneas"), (TSVH, "aeneas"), ("0.5\t1.05\tf001\n", "aeneas"),
        # labels of people, which are texts
        ("0.5\t1.05\ttrial1\n2.0\t3.0\ttrial2\n", "audacity"), ("0.5\t1.05\tf000001\n2.0\t3.0\tso\n", "audacity"),
    ],
)  # fmt: skip
def test_ids_of_aeneas_are_no_labels_of_audacity(
    text: str, expected: str, tmp_path: object
) -> None:
    path = f"{tmp_path}/map.txt"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    assert formats.detect(path) == expected


def test_smil_has_no_words() -> None:
    par = '<par id="p1"><text src="a.xhtml#f1"/><audio src="a.mp3" {} clipEnd="npt=2.5s"/></par>'
    for begin in ('clipBegin="0:00:01.500"', 'clip-begin="1500ms"', 'clipBegin="00:01.5"'):
        text = f'<smil xmlns="http://www.w3.org/ns/SMIL"><body><seq>{par.format(begin)}</seq></body></smil>'
        [segment] = read(text, "aeneas")
        assert (segment.words, segment.start, segment.end) == ((), 1.5, 2.5)
        assert (segment.utterance, segment.get("ref")) == ("p1", "a.xhtml#f1")


@each_case(
    ("text", "message"),
    [
        ('f1,0.5,0.25,"a"\n', '<stream>:1: expected an end not before 0.5, found "0.25"'),
        (TSV + "4.0\t5.0\tso it was\n", '<stream>:3:1: expected id,begin,end,"text" or begin end id "text"'),
        (AUDH + "00:00:99.000\t01:00:00.000\ta\n", "<stream>:3: expected a time in seconds, or hours"),
        ("f1;0.5\n", '<stream>:1:1: expected id,begin,end,"text" or begin end id "text"'),
        ('<map>\n<fragment id="a"/></map>', '<stream>:2: expected a fragment with "begin"'),
        ('<map>\n<fragment begin="x" end="1"><line>a</line></fragment></map>', "<stream>:2: expected"),
        ('<smil><body><par id="a"><text/></par></body></smil>', 'expected a "par" with "audio"'),
        ('<smil><body><par><audio clipBegin="x"/></par></body></smil>', "expected clipBegin and"),
        ('<smil><par><audio clipBegin="2" clipEnd="1"/></par></smil>', "expected a clipEnd not before 2"),
        ('{"fragments": [{"begin": "x", "end": "1", "lines": ["a"]}]}',
         '<stream>:1:26: $.fragments[0].begin: expected a time in seconds, or hours'),
        ('{"fragments": [{"begin": "2", "end": "1", "lines": ["a"]}]}', "expected an end not before 2"),
    ],
)  # fmt: skip
def test_bad_maps(text: str, message: str) -> None:
    assert message in refusal(text, "aeneas")
    read(text, "aeneas", "lenient")


def test_a_table_with_names_of_columns_is_no_map() -> None:
    rows = "".join(f'Ann,{n}.5,{n}.9,"so"\n' for n in range(30))
    table = BytesIO(f"Speaker,Start,End,Word\n{rows}".encode())
    table.name = "talk.csv"
    assert formats.detect(table) == "csv"
