"""Lists, folders and marks of corpora, for the contract suite."""

from pathlib import Path

from hypothesis import strategies as st

from formats import Segment
from tests.formats.annotation.tier_cases import XML_ODD_WORD
from tests.formats.case import (
    MILLISECONDS,
    NAMES,
    ODD_JSON_WORD,
    ODD_WORD,
    TOGETHER,
    WORDS,
    Case,
    sample,
    words_together,
)

TEXTS_OF_MUST_C = str(Path(__file__).with_name("corpus_texts.txt"))
NXT = sample("nxt.txt")
MRT = sample("mrt.txt")
MGB = sample("mgb.txt")
TDF = sample("tdf.txt")
CHIME = '{{"session_id": "{}", "speaker": "P05", "start_time": "{}", "end_time": "{}", "words": "{}"{}}}'


@st.composite
def listed_segments(
    draw: st.DrawFn, name: st.SearchStrategy[str], word: st.SearchStrategy[str]
) -> list[Segment]:
    """Utterances with names that come once."""
    names = draw(st.lists(name, max_size=4, unique=True))
    return [Segment(one, tuple(draw(st.lists(word, max_size=4))), utterance=one) for one in names]


@st.composite
def timed_segments(draw: st.DrawFn, from_zero: bool) -> list[Segment]:
    """Utterances that have a length, or begin and end."""
    made = []
    for one in draw(listed_segments(FILES, WORDS)):
        start, length = 0 if from_zero else draw(MILLISECONDS), draw(MILLISECONDS)
        speaker = draw(st.none() | NAMES)
        timed = one.replace(start_ns=start, end_ns=start + length) if draw(st.booleans()) else one
        made.append(timed.replace(speaker=speaker, properties=draw(PROPERTIES)))
    return made


@st.composite
def sessions(draw: st.DrawFn) -> list[Segment]:
    made = []
    for number in range(draw(st.integers(0, 4))):
        start, length = draw(MILLISECONDS) // 10**7 * 10**7, draw(st.integers(1, 10**5)) * 10**7
        words = tuple(draw(st.lists(WORDS, max_size=4)))
        kind = draw(st.sampled_from(["segment", "ignored"]))
        made.append(
            Segment(
                "S02", (*words, "[redacted]") if kind == "ignored" else words,
                speaker=f"P{number}", start_ns=start, end_ns=start + length, kind=kind,
                properties=draw(st.sampled_from([(), (("location", "kitchen"),)])),
            )
        )  # fmt: skip
    return sorted(made, key=lambda one: one.start_ns or 0)


FILES = st.text("abcxyz019_-", min_size=1, max_size=6)
PROPERTIES = st.sampled_from([(), (("lang", "de"),)])
CHAT_XML = (
    '<?xml version="1.0"?>\n<CHAT xmlns="http://www.talkbank.org/ns/talkbank" Lang="eng" Id="a">\n'
    '<Participants><participant id="CHI" role="Target_Child"/></Participants>\n'
    '<u who="CHI" uID="u0"><w>hello<mor type="mor"/></w><w>wörld</w><e><happening>laughs</happening></e>'
    '<t type="p"/><media start="0.5" end="1.05" unit="s"/></u>\n'
    '<u who="MOT" uID="u1"><w>good</w><t type="q"/></u>\n</CHAT>\n'
)
CASES = [
    Case(
        "librispeech",
        "17-22-0001 hello wörld\n17-22-0002\n",
        [("hello", "wörld"), ()],
        suffix=None, line=lambda n: f"17-22-{n} hello number {n}\n",
    ),
    Case(
        "ljspeech",
        "LJ001-0001|Hello $5|hello five wörld\nLJ001-0002|good day|good day\n",
        [("hello", "five", "wörld"), ("good", "day")],
        line=lambda n: f"LJ{n}|Hello {n}|hello {n}\n",
    ),
    Case(
        "must-c",
        "- {duration: 1.75, offset: 0.5, rW: 2, uW: 0, speaker_id: spk.1, wav: hello.wav}\n"
        "- {duration: 2, offset: 2.25, speaker_id: spk.1, wav: talk1.wav}\n",
        [("hello", "wörld"), ("good", "morning")],
        read_options={"texts": TEXTS_OF_MUST_C},
        line=lambda n: f"- {{duration: 1.75, offset: {n}.5, speaker_id: spk.1, wav: talk1.wav}}\n",
        beside=("texts", lambda n: f"hello {n}\n"), objects_kept=2000,
    ),
    Case(
        "wenet",
        '{"key": "u1", "wav": "rec1", "txt": "hello wörld", "start": 0.5, "end": 2.25, '
        '"speaker": "anne", "lang": "en"}\n{"key": "u2", "wav": "rec2", "txt": ""}\n',
        [("hello", "wörld"), ()], odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: f'{{"key": "u{n}", "wav": "wav/{n}.wav", "txt": "hello {n}"}}\n',
    ),
    Case(
        "speechbrain",
        '{\n"u1": {"wav": "rec1", "length": 2.25, "spk_id": "anne", "wrd": "hello wörld", '
        '"fold": "1"},\n"u2": {"wav": "rec2", "wrd": ""}\n}\n',
        [("hello", "wörld"), ()], odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: f'"u{n}": {{"wav": "{{data_root}}/{n}.wav", "length": 1.5, "wrd": "hi"}},\n',
        before="{", after='"last": {"wav": "x.wav", "wrd": ""}}', segments=100_001, empty="{}\n",
    ),
    Case(
        "chime",
        "[" + CHIME.format("S02", "0:01:10.25", "0:01:12.00", "hello wörld", ', "location": "kitchen"')
        + ",\n " + CHIME.format("S02", "0:01:12.00", "0:01:13.50", "he said [redacted]", "") + "]\n",
        [("hello", "wörld"), ("he", "said", "[redacted]")], odd_word=ODD_JSON_WORD,
        odd_word_read=ODD_WORD, empty="[]\n", before="[",
        line=lambda n: CHIME.format(f"S{n}", "0:01:10.25", "0:01:12.00", "hi", "") + ",\n",
        after=CHIME.format("S", "0:01:10.25", "0:01:12.00", "hi", "") + "]", segments=100_001,
    ),
    Case(
        "mrk",
        "* * * [Beep]\n@A.1 1.36 0.28 hello\nA.1 1.64 0.08 wörld.\nA.1 * * {pause}\nB.2 * * #Right#\n",
        [("[Beep]",), ("hello", "wörld."), ("{pause}",), ("Right",)],
        line=lambda n: f"A.{n} {n}.25 0.50 hello\n",
        utterance=lambda n: words_together(n, lambda i: f"A.{n} {i}.25 0.50 hello\n", ""),
    ),
    Case(
        "isip",
        "sw2001A-ms98-a-0001 0.000000 0.977625 [silence]\n"
        "sw2001A-ms98-a-0002 0.977625 2.561500 hello um [laughter-wörld] [noise]\n",
        [("[silence]",), ("hello", "um", "[laughter-wörld]"), ("[noise]",)],
        line=lambda n: f"sw2001A-ms98-a-{n % 10_000:04d} {n}.0 {n}.5 hello number {n}\n",
    ),
    Case(
        "tdf",
        TDF + "talk.sph\t0\t0.5\t2.25\tanne\tfemale\tnative\thello wörld\t0\t0\t0\t\tstatement\n"
        "talk.sph\t1\t2.25\t0\tNaN\t\t\t\t0\t1\t2\t\n",
        [("hello", "wörld"), ()], before=TDF,
        line=lambda n: f"t.sph\t0\t{n}.0\t{n}.5\tanne\tmale\t\thello {n}\t0\t0\t0\t\t\n",
    ),
    Case(
        "nxt", NXT, [("hello", "wör"), ("laugh",)], odd_word=XML_ODD_WORD,
        before='<nite:root nite:id="a.words" xmlns:nite="http://nite.sourceforge.net/">\n',
        line=lambda n: f'<w nite:id="w{n}" starttime="{n}.00" endtime="{n}.25">hello</w>\n',
        after="</nite:root>", segments=1,
    ),
    Case(
        "mrt", MRT, [("hello", "wörld"), ("laugh",), ("door slams",)], odd_word=XML_ODD_WORD,
        before='<Meeting Session="a"><Transcript>', after="</Transcript></Meeting>",
        line=lambda n: f'<Segment StartTime="{n}.0" EndTime="{n}.5" Participant="a">hi</Segment>\n',
    ),
    Case(
        "mgb", MGB, [("hello", "wörld"), (), ("###",)], odd_word=XML_ODD_WORD,
        before='<transcript><body><segments annotation_id="align">',
        line=lambda n: (
            f'<segment id="p1_utt_{n}" starttime="{n}.0" endtime="{n}.5" who="S1" WMER="12.5">'
            f'<element type="word" starttime="{n}.0" endtime="{n}.25">hello</element></segment>\n'
        ),
        utterance=lambda n: (
            f'<segment id="p1_utt_{n}" starttime="{n * TOGETHER}.0" endtime="{(n + 1) * TOGETHER}.0" who="S1" WMER="12.5">'
            + words_together(
                n, lambda i: f'<element type="word" starttime="{i}.0" endtime="{i}.25">hello</element>\n', ""
            ) + "</segment>\n"
        ),
        after="</segments></body></transcript>",
    ),
    Case(
        "chat-xml", CHAT_XML, [("hello", "wörld"), ("laughs",), ("good",)], odd_word=XML_ODD_WORD,
        before='<CHAT xmlns="http://www.talkbank.org/ns/talkbank" Id="a">', after="</CHAT>",
        line=lambda n: f'<u who="CHI" uID="u{n}"><w>hello</w><w>world</w><t type="p"/></u>\n',
    ),
]  # fmt: skip
STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "ljspeech": listed_segments(FILES, WORDS.filter(lambda word: "|" not in word)),
    "wenet": timed_segments(False),
    "speechbrain": timed_segments(True),
    "chime": sessions(),
}
