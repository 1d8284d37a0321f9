"""What annotation tools and aligners of texts write, for the contract suite."""

from hypothesis import strategies as st

from formats import Segment
from tests.formats.annotation.tier_cases import XML_ODD_WORD
from tests.formats.case import Case, json_case, sample

EXB_HEAD = sample("exb-head.txt")
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
EMU = sample("emu.txt")
TEI = sample("tei.txt")
FOLKER = sample("folker.txt")
FLEXTEXT = sample("flextext.txt")
ITS = sample("its.txt")
PARTITUR = sample("partitur.txt")
MFA = """\
Begin,End,Label,Type,Speaker
0.5,1.125,hello,words,anne
1.125,2.25,wörld,words,anne
0.5,2.25,spn,phones,anne
2.25,3.0,good,words,bob
"""
ESPS = sample("esps.txt")
CONLLU = "".join(
    f"{head}\n"
    + "".join(f"{n}\t{word}\t_\t_\t_\t_\t_\t_\t_\t{end}\n" for n, word, end in rows)
    + "\n"
    for head, rows in (
        ("# sent_id = a", [(1, "hello", "_"), (2, "wörld", "_")]),
        ("# speaker_id = bo", [(1, "good", "SpaceAfter=No"), (2, ".", "_")]),
    )
)
TOOLBOX = (
    "\\id talk\n\n\\ref talk.1\n\\ELANBegin 0.5\n\\ELANEnd 1.5\n\\tx hello  wörld\n\\mb hel-lo  wörld\n"
    "\\ft so it is\n\n\\ref talk.2\n\\sp Anne\n\\t good\n"
)
SALT = sample("salt.txt")
BLISS = """\
<?xml version="1.0" encoding="UTF-8"?>
<corpus name="show"><speaker-description name="anne"><gender>female</gender></speaker-description>
<recording name="rec1" audio="rec1.wav"><segment name="a" start="0.5" end="2.25"><speaker name="anne"/>
<orth> hello wörld </orth></segment><segment start="3" end="inf"/></recording></corpus>
"""
AENEAS = """\
f1,0.500,1.050,"hello wörld"
f2,2.000,3.500,"how "are" you"
"""

CASES = [
    Case(
        "aeneas", AENEAS, [("hello", "wörld"), ("how", '"are"', "you")], suffix=".csv",
        line=lambda n: f'f{n},{n}.000,{n}.500,"hello"\n', objects_kept=60_000,
    ),
    Case(
        "moss", "[0.50][S01]hello wörld[1.05][2][S02]good[2.50]\n", [("hello", "wörld"), ("good",)],
        suffix=".txt", line=lambda n: f"[{n}.0][S01]hello [{n}][{n}.5]",
    ),
    Case(
        "elan-tab",
        "Begin Time - hh:mm:ss.ms\tBegin Time - ss.msec\tEnd Time - hh:mm:ss.ms\tEnd Time - ss.msec"
        "\tanne\tbob\n"
        "00:00:00.500\t0.5\t00:00:02.250\t2.25\thello wörld\t\n"
        "00:00:02.500\t2.5\t00:00:03.000\t3.0\t\tgood\n",
        [("hello", "wörld"), ("good",)], suffix=".txt",
        before="Begin Time - hh:mm:ss.ms\tEnd Time - hh:mm:ss.ms\tDuration - hh:mm:ss.ms\tanne\n",
        line=lambda n: (
            f"{n // 900:02}:{n // 15 % 60:02}:{n % 15 * 4:02}.250\t"
            f"{n // 900:02}:{n // 15 % 60:02}:{n % 15 * 4 + 2:02}.250\t00:00:02.000\thello {n}\n"
        ),
    ),
    Case(
        "exb", EXB, [("hello", "wörld"), ("how", "&", "when")],
        odd_word=XML_ODD_WORD,
        before='<basic-transcription><tli id="a" time="0"/><tli id="b" time="1"/><tier type="t">',
        line=lambda n: f'<event start="a" end="b">hello {n} </event>\n',
        after="</tier></basic-transcription>",
    ),
    json_case(
        "emu", EMU, [("hello", "wörld"), ("how", "&", "when")],
        before='{"annotates": "a", "sampleRate": 1, "levels": [{"name": "a", "type": "SEGMENT", "items": [',
        line=lambda n: f'{{"id": {n}, "sampleStart": {2 * n}, "sampleDur": 1, "labels": [{{"name": "a", "value": "hello"}}]}},\n',
        after='{"id": 1000000}]}]}',
    ),
    Case(
        "tei", TEI, [("hello", "wörld"), ("how", "are", "you")], odd_word=XML_ODD_WORD,
        before='<TEI xmlns="http://www.tei-c.org/ns/1.0">',
        line=lambda n: f"<u>hello {n}</u>\n", after="</TEI>",
    ),
    Case(
        "folker", FOLKER, [("hello", "wörld"), ("how", "are", "you")], odd_word=XML_ODD_WORD,
        before="<folker-transcription>",
        line=lambda n: f"<contribution>hello {n}</contribution>\n", after="</folker-transcription>",
    ),
    Case(
        "flextext", FLEXTEXT, [("hello", "wörld"), ("how", "are", "you")], odd_word=XML_ODD_WORD,
        before="<document><interlinear-text>",
        line=lambda n: f'<phrase><item type="txt">hello {n}</item></phrase>\n',
        after="</interlinear-text></document>",
    ),
    Case(
        "readalong",
        '<?xml version="1.0" encoding="UTF-8"?>\n<read-along version="1.2">\n<text xml:lang="fra"><body>'
        '<div type="page"><p>\n<s id="s1"><w time="0.5" dur="0.4">hello</w> '
        '<w time="1.0" dur="1.25">wörld</w>.</s>\n<s>how <anchor time="2s"/>are you</s>\n'
        "</p></div></body></text>\n</read-along>\n",
        [("hello", "wörld."), ("how", "are", "you")], odd_word=XML_ODD_WORD,
        before="<read-along><text><body>", after="</body></text></read-along>",
        line=lambda n: f'<s><w time="{n}.2" dur="0.5">hello</w> {n}</s>\n',
    ),
    Case(
        "its", ITS, [(), ("NON",)], odd_word=XML_ODD_WORD,
        before="<ITS>",
        line=lambda n: f'<Segment spkr="CHN" startTime="PT{n}.00S" endTime="PT{n}.50S"/>\n',
        after="</ITS>", objects_kept=60_000,
    ),
    Case(
        "bliss", BLISS, [("hello", "wörld"), ()], odd_word=XML_ODD_WORD,
        before='<corpus name="c"><recording name="r" audio="a">',
        line=lambda n: f'<segment start="{n}" end="{n}.5"><orth>hello</orth></segment>\n',
        after="</recording></corpus>", objects_kept=60_000,
    ),
    Case(
        "xml",
        '<talk>\n<part start="0.5" end="2.25" speaker="anne">hello <b>wörld</b></part>\n'
        '<part start="2.5" end="3.0" speaker="bob">good</part>\n</talk>\n',
        [("hello", "wörld"), ("good",)], odd_word=XML_ODD_WORD,
        before="<talk>", line=lambda n: f'<part start="{n}.2" end="{n}.5">hello</part>\n',
        after="</talk>", segments=1,
    ),
    Case(
        "partitur", PARTITUR, [("hello", "wörld"), ("good",)],
        before="LHD: Partitur 1.3\nSAM: 16000\nLBD:\n", line=lambda n: f"ORT: {n} hello\n",
        segments=1,
    ),
    Case(
        "mfa", MFA, [("hello", "wörld"), ("spn",), ("good",)], suffix=".csv",
        before="Begin,End,Label,Type,Speaker\n",
        line=lambda n: f"{n}.0,{n}.5,hello,words,anne\n", segments=1,
    ),
    Case(
        "esps", ESPS, [("hello", "wörld"), ("pau",)], suffix=".words",
        before="#\n", line=lambda n: f"{n}.5 121 hello\n", segments=1,
    ),
    Case(
        "conllu", CONLLU, [("hello", "wörld"), ("good.",)],
        line=lambda n: f"# sent_id = {n}\n1\thello\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
    ),
    Case(
        "toolbox", TOOLBOX, [("hello", "wörld"), ("good",)], before="\\id talk\n",
        line=lambda n: f"\\ref {n}\n\\tx hello\n",
    ),
    Case(
        "salt", SALT, [("hello", "wörld."), ("How", "are", "you?"), ("Fine.",)], before="$ Anne\n", line=lambda n: f"- {n // 60}:{n % 60:02}\nA hello\n",
        objects_kept=60_000,
    ),
]  # fmt: skip


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {}
