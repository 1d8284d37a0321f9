"""Captions of YouTube, players and broadcasters for the contract suite."""

import re

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import ODD_WORD, Case, sample
from tests.formats.subtitles.cases import MILLISECOND, SPOKEN, clock, cues, some

JSON3 = sample("json3.txt")
SRV = """\
<?xml version="1.0" encoding="utf-8"?><timedtext format="3"><head><pen id="2" rb="4"/></head><body>
<p t="500" d="4000" w="1"><s ac="252">hello</s><s t="400" ac="240"> wörld</s></p>
<p t="1990" d="2510" w="1" a="1">
</p><p t="2000" d="1500" w="1">how<br/>are</p></body></timedtext>
"""

SUBVIEWER = (
    "[INFORMATION]\n[TITLE]\n[END INFORMATION]\n[SUBTITLE]\n"
    "[COLF]&HFFFFFF,[STYLE]no,[SIZE]18,[FONT]Arial\n"
)
SAMI = (
    "<SAMI>\n<HEAD>\n<TITLE></TITLE>\n<SAMIParam>\n<!-- Metrics {time:ms;} Spec {MSFT:1.0;} -->\n"
    '</SAMIParam>\n<STYLE TYPE="text/css">\n<!--\nP {text-align: center;}\n'
    ".SUBTTL {Name: Subtitles; SAMIType: CC;}\n-->\n</STYLE>\n</HEAD>\n<BODY>\n"
)

SCC = sample("scc.txt")
WORD_OF_608 = st.text("abcABC019.,'!?éñàêçÉœ♪½".replace("œ", "ß"), min_size=1, max_size=4)


def with_parity(text: str) -> bytes:
    """A file of Scenarist's of which the words in braces stand for the bytes of their letters."""

    def odd(code: int) -> str:
        return f"{code | 0x80 * (bin(code).count('1') % 2 == 0):02x}"

    def data(found: re.Match[str]) -> str:
        codes = [odd(code) for code in found[1].encode("ascii")]
        return " ".join(a + b for a, b in zip(codes[::2], [*codes[1::2], odd(0)], strict=False))

    text = re.sub(r"\{([ -z]*)\}", data, text)
    pair = re.compile(r"\b(1[0-9a-f])([4-7][0-9a-f])\b")
    return pair.sub(lambda f: odd(int(f[1], 16)) + odd(int(f[2], 16)), text).encode()


MCC_HEAD = "File Format=MacCaption_MCC V1.0\nTime Code Rate=30\n"
MCC = f"{MCC_HEAD}00:00:01:00 9420 94ae {{hello}} 942f\n00:00:02:00 9420 94ae {{how}} 942f\n00:00:03:00 942c\n"


def packets(text: str) -> bytes:
    """A file of MacCaption of which each line of pairs, as of `with_parity`, is one packet."""

    def packet(found: re.Match[str]) -> str:
        pairs = found[2].split()
        data = "".join(f"FC{pair}" for pair in pairs)
        size = 13 + 3 * len(pairs)
        body = f"9669{size % 256:02X}4F43000072{0xE0 | len(pairs):02X}{data}74000000"
        return f"{found[1]}\t6101{len(body) // 2:02X}{body}"

    coded = with_parity(text).decode()
    return re.sub(r"(?m)^(\d\d:\d\d:\d\d:\d\d) ((?:[0-9a-f]{4} ?)+)$", packet, coded).encode()


def stl(text: str) -> bytes:
    """EBU's binary form of lines of time codes and text, ``|`` for new lines, ASCII and é, ö."""
    blocks = []
    rows = [line.split(" ", 2) for line in text.splitlines() if line.count(" ") > 1]
    for number, (begin, end, said) in enumerate(rows, 1):
        lines = said.split("|")
        codes = [
            bytes.fromhex("".join(f"{int(c[n : n + 2]):02x}" for n in (0, 2, 4, 6)))
            for c in (begin, end)
        ]
        shown = b"\x8a".join(b"\x0b" + line.encode("latin-1") for line in lines)
        shown = shown.replace(b"\xe9", b"\xc2e").replace(b"\xf6", b"\xc8o")
        row = 22 - 2 * (len(lines) - 1)
        blocks.append(
            bytes((0, number % 256, number // 256, 255, 0))
            + codes[0]
            + codes[1]
            + bytes((row, 2, 0))
            + shown.ljust(112, b"\x8f")
        )
    count = f"{len(blocks):05d}"
    first = rows[0][0] if rows else "00000000"
    head = f"850STL25.01100  {' ' * 208}000101000101  {count}{count}0014023100000000{first}11"
    return head.encode().ljust(1024) + b"".join(blocks)


CASES = [
    Case(
        "subviewer",
        f"{SUBVIEWER}00:00:00.50,00:00:02.25\nhello wörld\n\n00:00:02.25,100:00:03.90\nhow[br]are you\n\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"{clock(n, '.25')},{clock(n, '.75')}\nhello[br]number {n}\n\n",
        before=SUBVIEWER, objects_kept=1000,
    ),
    Case(
        "mpl2",
        "[5][22]hello|wörld\n[22][39]how are you\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"[{n}][{n + 1}]hello|number {n}\n",
        objects_kept=1000,
    ),
    Case(
        "tmp",
        "00:00:01:hello|wörld\n00:00:03:\n00:00:04:how are you\n99:59:58:\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"{n // 3600:02d}:{n // 60 % 60:02d}:{n % 60:02d}:hello|number {n}\n",
        after="99:00:00:\n",
    ),
    Case(
        "lrc",
        "[00:00.50]<00:00.50>hello <00:00.90>wörld<00:02.25>\n[00:02.25]\n"
        "[00:03.00]how are you\n[600:03.90]\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"[{n // 60:02d}:{n % 60:02d}.25]hello number {n}\n",
        after="[2000:00.00]\n",
        write_options={"word_times": True},
    ),
    Case(
        "qrc",
        "[ti:Song]\n[500,1750]hello(500,400) (0,0)wö(900,400)rld(1300,950)\n"
        "[3000,900]how(3000,300) are(3300,300) you(3600,300)\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"[{n * 1000},900]hello({n * 1000},300) number {n}({n * 1000 + 300},300)\n",
    ),
    Case(
        "ultrastar",
        "#TITLE:Song\n#BPM:300\n#GAP:500\n: 0 8 60 hello\n* 20 4 60  wö\nF 24 4 60 rld\n- 30\n"
        ": 40 10 60 how \n: 50 5 60 are\n: 55 5 60 ~\nE\n",
        [("hello", "wörld"), ("how", "are")], suffix=".txt",
        before="#TITLE:Song\n#BPM:300\n",
        line=lambda n: f": {8 * n} 4 60 hello \n",
        segments=1,
    ),
    Case(
        "usf",
        '<?xml version="1.0" encoding="UTF-8"?>\n<USFSubtitles version="1.0">\n<subtitles>\n'
        '<subtitle start="00:00:00.500" stop="00:00:02.250"><text>hello<br/>wörld</text></subtitle>\n'
        '<subtitle start="2.5" duration="1.5"><text>how are you</text></subtitle>\n'
        "</subtitles>\n</USFSubtitles>\n",
        [("hello", "wörld"), ("how", "are", "you")], odd_word=ODD_WORD.replace("\x1c", ""),
        before="<USFSubtitles><subtitles>", after="</subtitles></USFSubtitles>", objects_kept=60_000,
        line=lambda n: f'<subtitle start="{n}.25" stop="{n}.75"><text>hello {n}</text></subtitle>\n',
    ),
    Case(
        "ttxt",
        '<?xml version="1.0" encoding="UTF-8"?>\n<TextStream version="1.1">\n'
        '<TextSample sampleTime="00:00:00.500" xml:space="preserve">hello wörld</TextSample>\n'
        '<TextSample sampleTime="00:00:02.250" xml:space="preserve"/>\n'
        '<TextSample sampleTime="00:00:02.500" text="how are you"/>\n'
        '<TextSample sampleTime="00:00:04.000" text=""/>\n</TextStream>\n',
        [("hello", "wörld"), ("how", "are", "you")], odd_word=ODD_WORD.replace("\x1c", ""),
        before="<TextStream>", after="</TextStream>",
        line=lambda n: f'<TextSample sampleTime="{n}.25">hello {n}</TextSample>\n',
    ),
    Case(
        "scc", SCC, [("hello", "world"), ("how", "are")], pack=with_parity, odd_word="he-l.lo'",
        empty="Scenarist_SCC V1.0\n", before="Scenarist_SCC V1.0\n\n",
        line=lambda n: f"{clock(n, ';05')}\t9420 9420 94ae 94ae 1470 1470 {{hello {n}}} 942f 942f\n\n",
        after=f"{clock(200_000, ';00')}\t942c 942c\n",
    ),
    Case(
        "mcc", MCC, [("hello",), ("how",)], pack=packets, odd_word="he-l.lo'",
        before=MCC_HEAD,
        line=lambda n: f"{clock(n, ':05')} 9420 94ae 1470 {{hello {n}}} 942f\n",
        after=f"{clock(200_000, ':00')} 942c\n",
    ),
    Case(
        "stl",
        "00000012 00000206 hello|wörld\n00000206 23000310 how are you\n",
        [("hello", "wörld"), ("how", "are", "you")], pack=stl, odd_word="<hé\xb0o>",
        line=lambda n: f"{clock(4 * n, '00')} {clock(4 * n + 3, '12')} hello|number {n}\n".replace(":", ""),
    ),
    Case(
        "sami",
        f"{SAMI}<SYNC Start=500><P Class=SUBTTL>hello<br>wörld\n<SYNC Start=2250><P Class=SUBTTL>"
        "&nbsp;\n<SYNC Start=4000><P Class=SUBTTL>fish &amp; chips\n<SYNC Start=360003900>"
        "<P Class=SUBTTL>&nbsp;\n</BODY>\n</SAMI>\n",
        [("hello", "wörld"), ("fish", "&", "chips")],
        line=lambda n: f"<SYNC Start={n * 1000}><P Class=SUBTTL>hello<br>number {n}\n",
        before=SAMI, after="<SYNC Start=200000000><P>&nbsp;\n</BODY>\n</SAMI>\n",
    ),
    Case(
        "json3", JSON3, [("hello", "wörld"), ("how", "are")],
        odd_word=ODD_WORD.replace("\x1c", "\\u001c"), odd_word_read=ODD_WORD,
        before='{"wireMagic": "pb3", "events": [\n',
        line=lambda n: f'{{"tStartMs": {n * 1000}, "dDurationMs": 500, "segs": [{{"utf8": "hello {n}"}}]}},\n',
        after='{"tStartMs": 200000000}]}',
    ),
    Case(
        "srv", SRV, [("hello", "wörld"), ("how", "are")],
        odd_word=ODD_WORD.replace("\x1c", ""),
        before='<timedtext format="3"><body>\n', after="</body></timedtext>",
        line=lambda n: f'<p t="{n * 1000}" d="500">hello number {n}</p>\n',
    ),
]  # fmt: skip


@st.composite
def in_a_row(
    draw: st.DrawFn, words: st.SearchStrategy[str], *, grid: int, has_lines: bool, word_times: bool
) -> list[Segment]:
    """Segments of which each begins after the begin of the one before, none before its end."""
    made: list[Segment] = []
    end = 0
    drawn = st.lists(cues(words, grid=grid, word_times=word_times, least=1), max_size=4)
    for segment in draw(drawn):
        assert segment.start_ns is not None
        assert segment.end_ns is not None
        shift = end + draw(st.integers(0, 50)) * grid - segment.start_ns
        properties = segment.properties if has_lines else ()
        moved = segment.replace(
            start_ns=segment.start_ns + shift, end_ns=segment.end_ns + shift, properties=properties,
            starts_ns=segment.starts_ns and tuple((t or 0) + shift for t in segment.starts_ns),
            ends_ns=segment.ends_ns and tuple((t or 0) + shift for t in segment.ends_ns),
        )  # fmt: skip
        end = (moved.end_ns or 0) + grid * (moved.end_ns == moved.start_ns)
        made.append(moved)
    return made


@st.composite
def captions_of_608(draw: st.DrawFn) -> list[Segment]:
    """Captions on the grid of frames, with time to send each."""
    made: list[Segment] = []
    frame = 300
    for said in draw(st.lists(st.lists(WORD_OF_608, min_size=1, max_size=5), max_size=3)):
        end = frame + draw(st.integers(250, 350))
        first, second = (round(n * 1001 * 10**9 / 30000) for n in (frame, end))
        made.append(Segment("rec", tuple(said), start_ns=first, end_ns=second))
        frame = end + draw(st.sampled_from((0, 300, 2000)))
    return made


NO_BRACKETS = SPOKEN.filter(lambda word: not any(c in word for c in "[]|"))
NO_TAGS = NO_BRACKETS.filter(lambda word: "<" not in word)
LYRICS = NO_BRACKETS.filter(lambda word: ":" not in word)
STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "mpl2": some(cues(NO_BRACKETS, grid=100 * MILLISECOND)),
    "tmp": in_a_row(NO_TAGS, grid=1000 * MILLISECOND, has_lines=True, word_times=False),
    "lrc": in_a_row(LYRICS, grid=10 * MILLISECOND, has_lines=False, word_times=True),
    "stl": some(cues(st.text("abcé{}<ñŁœ½♪°$", min_size=1, max_size=6), grid=40 * MILLISECOND)),
    "scc": captions_of_608(),
}
