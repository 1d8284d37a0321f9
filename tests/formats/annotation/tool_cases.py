"""What annotation tools and aligners of texts write, for the contract suite."""

from __future__ import annotations

from hypothesis import strategies as st

from formats import Segment
from tests.formats.annotation.tier_cases import (
    SPEAKERS,
    XML_ODD_WORD,
    is_xml,
    tiered_segments,
)
from tests.formats.case import ODD_WORD, WORDS, Case
from tests.formats.json.recogniser_cases import ODD_JSON_WORD
from tests.formats.json.recogniser_cases import SIGNS as JSON_SIGNS

XML_SIGNS = b'\0 "<>&/!\n\r\t.-0x=\xc3\xff'
EXB_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<basic-transcription>
    <head>
        <meta-information>
            <project-name/>
            <transcription-name/>
            <referenced-file url=""/>
            <ud-meta-information{}
            <comment/>
            <transcription-convention/>
        </meta-information>
"""
EXB = (
    EXB_HEAD.format(
        """>
                <ud-information attribute-name="recording">rec1</ud-information>
            </ud-meta-information>"""
    )
    + """\
        <speakertable>
            <speaker id="SPK0">
                <abbreviation>anne</abbreviation>
            </speaker>
            <speaker id="SPK1">
                <abbreviation>bob</abbreviation>
            </speaker>
        </speakertable>
    </head>
    <basic-body>
        <common-timeline>
            <tli id="T0" time="0.500"/>
            <tli id="T1" time="1.125"/>
            <tli id="T2" time="1.500"/>
            <tli id="T3" time="2.250"/>
            <tli id="T4" time="3.900"/>
        </common-timeline>
        <tier id="TIE0" speaker="SPK0" category="v" type="t" display-name="anne">
            <event start="T0" end="T3">hello wörld </event>
        </tier>
        <tier id="TIE1" speaker="SPK0" category="w" type="a" display-name="anne - words">
            <event start="T0" end="T1">hello</event>
            <event start="T2" end="T3">wörld</event>
        </tier>
        <tier id="TIE2" speaker="SPK1" category="v" type="t" display-name="bob">
            <event start="T3" end="T4">how &amp; when </event>
        </tier>
    </basic-body>
</basic-transcription>
"""
)
EXB_EMPTY = (
    EXB_HEAD.format("/>")
    + """\
        <speakertable/>
    </head>
    <basic-body>
        <common-timeline/>
    </basic-body>
</basic-transcription>
"""
)
EMU = """\
{"name": "rec1", "annotates": "rec1.wav", "sampleRate": 16000, "levels": [
{"name": "anne", "type": "SEGMENT", "items": [
{"id": 1, "sampleStart": 8000, "sampleDur": 27999, "labels": [{"name": "anne", "value": "hello wörld"}]}]},
{"name": "anne - words", "type": "SEGMENT", "items": [
{"id": 2, "sampleStart": 8000, "sampleDur": 9999, "labels": [{"name": "anne - words", "value": "hello"}]},
{"id": 3, "sampleStart": 24000, "sampleDur": 11999, "labels": [{"name": "anne - words", "value": "wörld"}]}]},
{"name": "bob", "type": "SEGMENT", "items": [
{"id": 4, "sampleStart": 36000, "sampleDur": 26399, "labels": [{"name": "bob", "value": "how & when"}]}]}], "links": []}
"""
ESPS = """\
signal rec
nfields 1
#
    0.500000   121   H#
    1.125000   121   hello
    1.500000   121   pau
    2.250000   121   wörld
"""
SALT = """\
$ Anne, Bob
+ Language: English
- 0:00.5
A hello wörld.
- 0:02
B How are you?
B Fine.
- 1:04
= done
"""

AENEAS = """\
f1,0.500,1.050,"hello wörld"
f2,2.000,3.500,"how "are" you"
"""

CASES = [
    Case(
        "aeneas", AENEAS, [("hello", "wörld"), ("how", '"are"', "you")], suffix=".csv",
        line=lambda n: f'f{n},{n}.000,{n}.500,"hello"\n', segments=100_000, objects_kept=60_000,
    ),
    Case(
        "exb", EXB, [("hello", "wörld"), ("how", "&", "when")], empty=EXB_EMPTY,
        odd_word=XML_ODD_WORD, signs=XML_SIGNS,
        before='<basic-transcription><tli id="a" time="0"/><tli id="b" time="1"/><tier type="t">',
        line=lambda n: f'<event start="a" end="b">hello {n} </event>\n',
        after="</tier></basic-transcription>", segments=100_000,
    ),
    Case(
        "emu", EMU, [("hello", "wörld"), ("how", "&", "when")], suffix=".json",
        empty='{"name": "", "annotates": ".wav", "sampleRate": 16000, "levels": [\n], "links": []}\n',
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD, signs=JSON_SIGNS,
        write_options={"sample_rate": 16000},
        before='{"annotates": "a", "sampleRate": 1, "levels": [{"name": "a", "type": "SEGMENT", "items": [',
        line=lambda n: f'{{"id": {n}, "sampleStart": {2 * n}, "sampleDur": 1, "labels": [{{"name": '
        '"a", "value": "hello"}]},\n',
        after='{"id": 1000000}]}]}', segments=100_000,
    ),
    Case(
        "esps", ESPS, [("hello", "wörld"), ("pau",)], suffix=".lab",
        before="#\n", line=lambda n: f"{n}.5 121 hello\n", segments=1,
    ),
    Case(
        "salt", SALT, [("hello", "wörld."), ("How", "are", "you?"), ("Fine.",)], before="$ Anne\n", line=lambda n: f"- {n // 60}:{n % 60:02}\nA hello\n",
        segments=100_000, objects_kept=60_000, signs=b"\0 $+-=:;A\n\r.0(){}\xc3\xff",
    ),
]  # fmt: skip

STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "exb": tiered_segments(WORDS.filter(is_xml), SPEAKERS.filter(is_xml), False),
    "emu": tiered_segments(WORDS, SPEAKERS, True),
}
