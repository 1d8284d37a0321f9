"""Reading and writing ECF, KWList and KWSList: what is refused, what is kept, what is written."""

import random
import tracemalloc
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import FormatError, Segment, Transcript
from formats.detection import by_name
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.sink import open_sink
from formats.io.source import Source, open_source
from formats.keywords import ecf, kwslist
from formats.keywords.ecf import read_ecf
from formats.keywords.kwlist import read_kwlist
from formats.keywords.kwslist import kwslist_text, read_kwslist, stream_kwslist
from formats.keywords.model import Detection, Ecf, KeywordList, Kwslist
from formats.schema.errors import SyntaxFormatError
from formats.schema.refusals import LossError
from tests.each_case import each_case
from tests.formats.keywords.cases import CASES, ECF, KWLIST, KWSLIST, STRATEGIES
from tests.tables import table_of

SPECS: dict[str, FormatSpec] = {name: by_name(name) for name in ("ecf", "kwlist", "kwslist")}
SAMPLES = {case.name: case.sample for case in CASES}
each = pytest.mark.parametrize("name", sorted(SPECS))


def source(text: str | bytes, tolerance: str = "default") -> Source:
    data = text.encode() if isinstance(text, str) else text
    return open_source(BytesIO(data), recording="rec", tolerance=tolerance)


def transcript(text: str, name: str) -> Transcript:
    opened = source(text)
    segments = tuple(SPECS[name].read(opened))
    return Transcript(segments, properties=tuple(sorted(opened.properties.items())))


def written(segments: Transcript, name: str, **options: Any) -> tuple[str, list[str]]:
    output = BytesIO()
    sink = open_sink(output)
    write = SPECS[name].write
    assert write is not None
    write(segments, sink, **options)
    sink.close()
    return output.getvalue().decode(), [loss.what for loss in sink.losses.entries()]


@each
def test_the_sample_comes_back(name: str) -> None:
    read = transcript(SAMPLES[name], name)
    text, losses = written(read, name)
    assert (text, losses) == (SAMPLES[name], [])
    assert transcript(text, name) == read


@each
@given(chosen=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_reads_back(name: str, chosen: st.DataObject) -> None:
    segments = chosen.draw(STRATEGIES[name])
    text, losses = written(Transcript(segments), name)
    assert transcript(text, name).segments == tuple(segments)
    assert losses == []


@each
def test_formats_know_their_own(name: str) -> None:
    for opposite, spec in SPECS.items():
        expected = Sniff.SURE if opposite == name else Sniff.NO
        assert spec.sniff(Head(SAMPLES[name].splitlines())) is expected


def test_what_the_segments_say() -> None:
    (scored,) = transcript(ECF, "ecf")
    assert (scored.recording, scored.kind, scored.start, scored.end) == ("hello", "scored", 0, 60)
    assert dict(scored.properties) == {"audio_filename": "hello.sph", "source_type": "cts"}
    read = transcript(KWLIST, "kwlist")
    assert dict(read.properties)["compareNormalize"] == "lowercase"
    assert [(s.kind, s.utterance, s.words) for s in read] == [
        ("query", "KW-001", ("hello", "wörld")),
        ("query", "KW-002", ("how",)),
    ]
    first, second, third = transcript(KWSLIST, "kwslist")
    assert (first.tier, first.confidences, first.starts) == ("kws", (0.98,), (0.5,))
    assert dict(second.properties) == {
        "decision": "NO", "file": "rec2.sph", "oov_count": "0", "search_time": "0.100",
    }  # fmt: skip
    assert (third.kind, third.words) == ("query", ("KW-002",))


def test_typed_objects() -> None:
    parsed = read_ecf(source(ECF))
    assert (parsed.language, parsed.excerpts[0][:5]) == (
        "english", ("hello.sph", "1", 0.0, 60.0, "cts"),
    )  # fmt: skip
    keywords = read_kwlist(source(KWLIST))
    assert [(k.identifier, k.text, k.attributes, k.line) for k in keywords.keywords] == [
        ("KW-001", "hello wörld", (), 2),
        ("KW-002", "how", (("Class", "a b"),), 3),
    ]
    detected = read_kwslist(source(KWSLIST))
    assert detected.header.system_id == "sys1"
    assert [len(k.detections) for k in detected.keywords] == [2, 0]
    assert detected.keywords[0].detections[1] == Detection(
        "hello", "rec2.sph", "2", 1.0, 0.25, -1.5, False, "1.000", "0.250", "-1.5", 4
    )
    assert [k.searched.oov_count for k in detected.keywords] == [0, None]
    assert [repr(x) for x in (parsed, keywords, detected, detected.keywords[0])] == [
        "<Ecf of 1 excerpts>", "<KeywordList of 2 keywords>", "<Kwslist of 'sys1': 2 keywords>",
        "<DetectedKeyword hello: 2 detections>",
    ]  # fmt: skip


def kwslist_with(detection: str = "", attributes: str = "") -> str:
    return (
        f'<kwslist kwlist_filename="k" language="l" system_id="s"{attributes}>\n'
        f'<detected_kwlist kwid="K" search_time="1" oov_count="0">\n{detection}\n'
        "</detected_kwlist>\n</kwslist>\n"
    )


def detection(**changes: str) -> str:
    pairs = {
        "file": "f",
        "channel": "1",
        "tbeg": "0.5",
        "dur": "1",
        "score": "0.5",
        "decision": "YES",
    }
    pairs.update(changes)
    return "<kw " + " ".join(f'{n}="{v}"' for n, v in pairs.items()) + "/>"  # fmt: skip


@each_case(
    ("text", "message"),
    [
        ("", "1: expected an element kwslist, found an empty file"),
        (ECF, '1: expected a root element "kwslist", found "ecf"'),
        (kwslist_with("<foo/>"), '3: expected an element "kw" in detected_kwlist, found "foo"'),
        (kwslist_with("text"), '3: expected no text in detected_kwlist, found "text"'),
        (kwslist_with(detection() + " text"), '3: expected no text in detected_kwlist, found "text"'),
        (kwslist_with(detection() + "a\n" + detection()), '3: expected no text in detected_kwlist, found "a"'),
        (kwslist_with(detection(score="x")), '3: expected a decimal number in score of kw, found "x"'),
        (kwslist_with(detection(score="nan")), '3: expected a decimal number in score of kw, found "nan"'),
        (kwslist_with(detection(tbeg="1e3")), '3: expected a decimal number in tbeg of kw, found "1e3"'),
        (kwslist_with(detection(tbeg="1_0")), '3: expected a decimal number in tbeg of kw, found "1_0"'),
        (kwslist_with(detection(dur="-1")), '3: expected a duration of 0 or more in dur of kw, found "-1"'),
        (kwslist_with(detection(channel="A")), '3: expected a whole number in channel of kw, found "A"'),
        (kwslist_with(detection(decision="maybe")), '3: expected YES or NO in decision of kw, found "maybe"'),
        (kwslist_with(detection(score="1e999")), '3: expected a number of reasonable size in score of kw, found "1e999"'),
        (kwslist_with('<kw file="f"/>'), "3: expected an attribute channel of kw, found none"),
        (kwslist_with(detection(extra="x")), '3: expected attributes file, channel, tbeg, dur, score, decision of kw, found "extra"'),
        (kwslist_with(attributes=' min_score="1"'), "1: expected both min_score and max_score, or neither, found one of them"),
        (kwslist_with(attributes=' min_score="1" max_score="0"'), '1: expected no less than min_score in max_score of kwslist, found "0"'),
        (kwslist_with(detection(score="0.40"), ' min_score="0.5" max_score="1"'), "3: Score < File 'min_score' [0.40 < 0.5]"),
        (kwslist_with(detection(score="1.5"), ' min_score="0.5" max_score="1"'), "3: Score > File 'max_score' [1.5 > 1]"),
        (
            kwslist_with().replace('oov_count="0"', 'oov_count="x"'),
            '2: expected NA or a whole number in oov_count of detected_kwlist, found "x"',
        ),
    ],
)  # fmt: skip
def test_bad_detections(text: str, message: str) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_kwslist(source(text))
    assert str(caught.value) == f"<stream>:{message}"


def keywords_with(keywords: str, normalize: str = "lowercase", encoding: str = "UTF-8") -> str:
    return (
        f'<kwlist ecf_filename="" version="" language="" encoding="{encoding}" '
        f'compareNormalize="{normalize}">\n{keywords}\n</kwlist>'
    )


@each_case(
    ("text", "message"),
    [
        (
            keywords_with('<kw kwid="a"><kwtext>x</kwtext></kw>\n<kw kwid="a"><kwtext>y</kwtext></kw>'),
            "3: Term ID a already exists (in line 2): expected identifiers that differ",
        ),
        (keywords_with("", "upper"), '1: expected "lowercase" or "" in compareNormalize of kwlist, found "upper"'),
        (keywords_with("", "", "latin-1"), '1: expected an encoding UTF-8 or GB2312, found "latin-1"'),
        (keywords_with('<kw kwid="a"><kwtext> \n</kwtext></kw>'), "2: expected at least one word in kwtext, found none"),
        (keywords_with('<kw kwid="a"/>'), "2: expected one kwtext, and perhaps a kwinfo after it, in kw, found nothing"),
        (keywords_with('<kw kwid="a"><kwtext>b</kwtext><kwinfo/></kw>'), "2: expected at least one attr in kwinfo, found none"),
        (keywords_with('<kw kwid="a"><kwtext>b<!-- c --><kwtext/></kwtext></kw>'), '2: expected no element in kwtext, found "kwtext"'),
        (
            keywords_with(
                '<kw kwid="a"><kwtext>b</kwtext><kwinfo><attr><value>1</value></attr></kwinfo></kw>'
            ),
            "2: expected a name, then a value, in attr, found value",
        ),
    ],
)  # fmt: skip
def test_bad_keywords(text: str, message: str) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        read_kwlist(source(text))
    assert str(caught.value) == f"<stream>:{message}"


@each_case(("old", "new", "message"), table_of(__file__, "bad_excerpts"))
def test_bad_excerpts(old: str, new: str, message: str) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        list(ecf.read(source(ECF.replace(old, new))))
    assert str(caught.value) == f"<stream>:{message}"


@pytest.mark.parametrize(
    ("name", "properties", "file"),
    [
        ("kwslist", {}, "///"),
        ("ecf", {}, "///"),
        ("kwslist", {"file": "audio/"}, "audio/"),
        ("ecf", {"audio_filename": ""}, ""),
    ],
)
def test_a_folder_is_no_file(name: str, properties: dict[str, str], file: str) -> None:
    kind = "scored" if name == "ecf" else "segment"
    segment = Segment.of(
        "///", ["a"], starts=[0], ends=[1], start=0, end=1, confidences=[0.5], kind=kind,
        properties=properties,
    )  # fmt: skip
    output = BytesIO()
    with pytest.raises(LossError) as caught:
        formats.write(Transcript([segment], source="x"), output, name)
    expected = f'expected a recording named as a file can be named, found "{file}"'
    assert str(caught.value) == f"x: {expected}"
    assert output.getvalue() == b""


def test_blanks_of_other_scripts_belong_to_words() -> None:
    text = keywords_with('<kw kwid="a"><kwtext>\n x\u3000y\t\xa0z </kwtext></kw>')
    assert read_kwlist(source(text)).keywords[0].text == "x\u3000y \xa0z"


def test_lenient_reading_skips_and_counts() -> None:
    text = kwslist_with(
        "\n".join([detection(), detection(score="x"), '<kw file="f"/>', detection()])
    )
    opened = source(text, "lenient")
    assert [len(k.detections) for k in read_kwslist(opened).keywords] == [2]
    assert opened.log.errors == 2
    opened = source(KWLIST.replace("hello wörld", " "), "lenient")
    assert [k.identifier for k in read_kwlist(opened).keywords] == ["KW-002"]
    assert opened.log.errors == 1


def test_remarks() -> None:
    opened = source(kwslist_with(detection(decision="yes", dur="0")))
    (keyword,) = read_kwslist(opened).keywords
    assert keyword.detections[0].decision
    assert [entry.code for entry in opened.log.entries()] == [
        "KWSLIST-DECISION", "KWSLIST-DURATION",
    ]  # fmt: skip


def test_a_keyword_twice_is_no_segment() -> None:
    text = KWSLIST.replace("KW-002", "hello")
    assert [len(k.detections) for k in read_kwslist(source(text)).keywords] == [2, 0]
    with pytest.raises(SyntaxFormatError, match="a keyword that occurs once"):
        list(kwslist.read(source(text)))


HOSTILE = [
    '<!DOCTYPE kwslist [<!ENTITY a "b">]>' + KWSLIST,
    '<!DOCTYPE kwslist [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + KWSLIST.replace("sys1", "&a;"),
    '<!DOCTYPE kwslist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + KWSLIST.replace("sys1", "&b;"),
    KWSLIST.replace("sys1", "&unknown;"),
    '<!DOCTYPE kwslist SYSTEM "kwslist.dtd">' + KWSLIST.replace("sys1", "&unknown;"),
    '<!DOCTYPE kwslist SYSTEM "kwslist.dtd">' + KWSLIST.replace("<kw ", "&unknown;<kw "),
    "<kwslist" + "<a>" * 100_000,
    KWSLIST[:-12],
    KWSLIST.replace('file="rec1"', 'file="rec1" file="rec1"'),
    '<kwslist xmlns="urn:x"/>',
]  # fmt: skip


@each_case("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused(text: str) -> None:
    for reader in (read_kwslist, lambda s: list(kwslist.read(s))):
        with pytest.raises(FormatError):
            reader(source(text))


@each
def test_damage_is_read_or_refused(name: str) -> None:
    chooser = random.Random(3)
    sample = SAMPLES[name].encode()
    for _ in range(300):
        data = bytearray(sample)
        for _ in range(chooser.randint(1, 4)):
            data[chooser.randrange(len(data))] = chooser.choice(b'\0 <>/"&=ax1-.\xff\n')
        with suppress(FormatError):
            list(SPECS[name].read(source(bytes(data), chooser.choice(["default", "lenient"]))))
    for size in range(0, len(sample), 7):
        with suppress(FormatError):
            list(SPECS[name].read(source(sample[:size])))


UNUSUAL = (
    *(
        "<!-- c -->",
        "",
        " <kw/>",
        "text",
        "<b/>",
        "</detected_kwlist>",
        '<![CDATA[<kw file="f"/>]]>',
    ),
    *(detection(score="1e-05"), detection(decision="no"), detection(decision="#3")),
    *(detection(score="-.5"), detection(dur="-1"), detection(file="a&amp;b"), detection(file="é>")),
    *(detection() + detection(), detection().replace("/>", "></kw>"), f"\t{detection()}  "),
    *('<detected_kwlist kwid="L" search_time="1" oov_count="NA">', detection(dur="0", score="9")),
)


def test_usual_lines_are_read_like_any_others() -> None:
    chooser = random.Random(20)

    def read(text: str) -> tuple[list[object], list[str]]:
        opened = source(text, "lenient")
        found: list[object] = []
        try:
            found += stream_kwslist(opened)
        except SyntaxFormatError as error:
            return found, [*map(str, opened.log.entries()), str(error)]
        return found, [*map(str, opened.log.entries())]

    for _ in range(300):
        lines = [detection(score=f"{n}.50", tbeg=f"{n}") for n in range(chooser.randrange(40))]
        for _ in range(chooser.randrange(4)):
            lines.insert(chooser.randint(0, len(lines)), chooser.choice(UNUSUAL))
        bounds = chooser.choice(("", ' min_score="0" max_score="50"'))
        usual = kwslist_with("\n".join(lines), bounds)
        # a blank more in a tag, and the parser must read it
        found, said = read(usual)
        others, said_of_others = read(usual.replace(" score=", "  score="))
        size = min(len(found), len(others)) if any("expected no text" in s for s in said) else None
        assert found[:size] == others[:size]
        if size is None:
            assert said == said_of_others


def test_lines_are_right_far_down() -> None:
    lines = "\n".join(detection(tbeg=f"{n}") for n in range(70_000))
    parsed = list(stream_kwslist(source(kwslist_with(lines))))
    assert [d.line for d in parsed[2:] if isinstance(d, Detection)] == list(range(3, 70_003))


def test_memory_does_not_grow_with_the_file() -> None:
    def peak(size: int) -> int:
        opened = source(kwslist_with("\n".join([detection()] * size)))
        tracemalloc.start()
        count = sum(1 for _ in stream_kwslist(opened))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == size + 2
        return used

    peak(1)  # what is loaded once
    assert peak(8_000) < peak(2_000) + 400_000


@each_case(
    ("name", "segment", "message"),
    [
        ("ecf", Segment.of("r", kind="scored"), "expected a segment with times, found none"),
        ("ecf", Segment.of("r", kind="scored", start=0, end=1, channel="A"), 'expected a channel that is a whole number, found "A"'),
        (
            "ecf",
            Segment.of("r", kind="scored", start=0, end=1, properties={"source_type": "x"}),
            'expected a source type out of bnews, cts, splitcts, confmtg, found "x"',
        ),
        ("kwlist", Segment.of("r", ["a"], kind="query"), "expected an identifier of its own for every keyword, found none"),
        ("kwslist", Segment.of("r", ["a", "b"], start=0, end=1), "expected a segment with times, found none"),
        ("kwslist", Segment.of("r", ["a"], start=0, end=1), "expected a detection with a confidence, found none"),
        ("kwslist", Segment.of("r", ["\x01"], start=0, end=1, confidence=1.0), 'expected characters of XML, found U+0001 in "\\x01"'),
    ],
)  # fmt: skip
def test_what_cannot_be_written(name: str, segment: Segment, message: str) -> None:
    with pytest.raises(LossError) as caught:
        written(Transcript([segment]), name)
    assert message in str(caught.value)


def test_scores_and_times_on_a_grid() -> None:
    segment = Segment.of("r", ["K"], start=0.0004, end=1.0006, confidence=1 / 3)
    text, losses = written(Transcript([segment]), "kwslist", decision="NO", channel="2")
    assert 'channel="2" tbeg="0.000" dur="1.001" score="0.333333" decision="NO"' in text
    assert losses == ["decimals of times", "decimals of confidences"]


def test_every_word_is_a_detection() -> None:
    words = Segment.of("r", ["K", "L", "K"], channel="1", starts=[0, 1, 2], ends=[0.5, 1.5, 2.5],
                    confidences=[0.5, 0.25, 1.0])  # fmt: skip
    text, losses = written(Transcript([words]), "kwslist")
    assert losses == ["segment boundaries", "order of segments"]
    parsed = read_kwslist(source(text))
    assert [[(d.keyword, d.begin, d.score) for d in k.detections] for k in parsed.keywords] == [
        [("K", 0.0, 0.5), ("K", 2.0, 1.0)], [("L", 1.0, 0.25)],
    ]  # fmt: skip


@each
def test_what_a_stream_says_of_the_file_is_kept(name: str) -> None:
    import formats

    output = BytesIO()
    with formats.stream(BytesIO(SAMPLES[name].encode()), name, recording="rec") as segments:
        formats.write(segments, output, name)
    assert output.getvalue().decode() == SAMPLES[name]


def test_a_canonical_text() -> None:
    assert "".join(kwslist_text(read_kwslist(source(KWSLIST)))) == (
        '<kwslist kwlist_filename="demo.kwlist.xml" language="english" system_id="sys1">\n'
        '  <detected_kwlist kwid="KW-002" search_time="0.100" oov_count="NA">\n'
        "  </detected_kwlist>\n"
        '  <detected_kwlist kwid="hello" search_time="0.100" oov_count="0">\n'
        '    <kw file="rec1" channel="1" tbeg="0.500" dur="0.250" score="0.98" decision="YES"/>\n'
        '    <kw file="rec2.sph" channel="2" tbeg="1.000" dur="0.250" score="-1.5" decision="NO"/>\n'
        "  </detected_kwlist>\n</kwslist>\n"
    )


def test_models_are_values() -> None:
    assert Ecf() == Ecf()
    assert KeywordList() != KeywordList(language="x")
    assert Kwslist(read_kwslist(source(KWSLIST)).header) != read_kwslist(source(KWSLIST))


@each_case("name", ["tbeg", "dur"])
@each_case("value", ["4611686018427387904", "9" * 4301, "9223372036.9"])
def test_times_beyond_64_bits_are_refused_by_name(name: str, value: str) -> None:
    times = {"tbeg": "0", "dur": "1", name: value}
    text = (
        '<ecf source_signal_duration="1" version="1" language="x"><excerpt audio_filename="a" '
        f'channel="1" tbeg="{times["tbeg"]}" dur="{times["dur"]}" source_type="cts"/></ecf>'
    )
    with pytest.raises(SyntaxFormatError, match=f"reasonable size in {name}"):
        list(ecf.read(open_source(BytesIO(text.encode()))))


@pytest.mark.parametrize("value", ["4611686018427387904", "9" * 400])
def test_a_detection_beyond_64_bits_is_refused(value: str) -> None:
    head, _, tail = KWSLIST.partition('tbeg="')
    text = f'{head}tbeg="{value}"{tail.partition(chr(34))[2]}'
    with pytest.raises(SyntaxFormatError, match="reasonable size in tbeg"):
        list(kwslist.read(open_source(BytesIO(text.encode()))))
