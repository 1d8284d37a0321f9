"""Subtitle formats for the contract suite."""

import re

from hypothesis import strategies as st

from formats import Segment
from formats.subtitles.cues import is_dashed
from tests.formats.case import ODD_WORD, WORDS, Case, sample

MILLISECOND = 10**6


def clock(seconds: int, fraction: str, hours: int = 2) -> str:
    return f"{seconds // 3600:0{hours}d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}"


def srt_cue(n: int) -> str:
    return f"{n + 1}\n{clock(n, ',250')} --> {clock(n, ',750')}\nhello world\nnumber {n}\n\n"


def vtt_cue(n: int) -> str:
    return f"{clock(n, '.250')} --> {clock(n, '.750')}\n<v anne>hello {n}</v>\n\n"


def ass_event(n: int) -> str:
    times = f"{clock(n, '.25', 1)},{clock(n, '.75', 1)}"
    return f"Dialogue: 0,{times},Default,anne,0,0,0,,hello world {n}\n"


def ttml_paragraph(n: int) -> str:
    return f'<p begin="{n}.25s" dur="0.5s" ttm:agent="a1">hello<br/>world {n}</p>\n'


ASS_HEAD = sample("ass-head.txt")
TTML_ROOT = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" '
    'xmlns:ttm="http://www.w3.org/ns/ttml#metadata" '
    'xmlns:tts="http://www.w3.org/ns/ttml#styling" ttp:timeBase="media" xml:lang="{}">\n'
)
TTML_TAIL = "    </div>\n  </body>\n</tt>\n"

CASES = [
    Case(
        "srt",
        "1\n00:00:00,500 --> 00:00:02,250\nhello wörld\n\n"
        "2\n00:00:02,250 --> 100:00:03,900\n<i>how</i>\nare you\n\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=srt_cue, objects_kept=1000,
    ),
    Case(
        "vtt",
        "WEBVTT A talk\nKind: captions\nLanguage: en\n\nc1\n"
        "00:00:00.500 --> 00:00:02.250 align:start\n<v.loud Anne>hello <00:00:01.500>wörld</v>\n"
        "\nc2\n00:00:02.250 --> 100:00:03.900\n<v Anne>fish &amp; chips</v>\n<v Bob>how\nare you</v>\n",
        [("hello", "wörld"), ("fish", "&", "chips"), ("how", "are", "you")],
        line=vtt_cue, before="WEBVTT\n\n", objects_kept=1000,
        empty="WEBVTT\n", write_options={"word_times": True},
    ),
    Case(
        "ass",
        f"{ASS_HEAD}Dialogue: 0,0:00:00.50,0:00:02.25,Default,Anne,0,0,0,,hello wörld, too\n"
        "Dialogue: 2,0:00:02.25,0:00:03.90,Default,Bob,0,0,0,,{\\k40}how\\N{\\k30}are {\\k95}you\n",
        [("hello", "wörld,", "too"), ("how", "are", "you")],
        line=ass_event, before="[Script Info]\n[Events]\n", objects_kept=400_000,
        empty=ASS_HEAD.replace("Title: A talk\n", ""), write_options={"word_times": True},
    ),
    Case(
        "microdvd",
        "{1}{1}25\n{12}{56}hello|wörld\n{56}{98}{y:i}how are you\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"{{{n * 25}}}{{{n * 25 + 20}}}hello|number {n}\n",
        before="{1}{1}25\n", objects_kept=1000,
        empty="{1}{1}25\n",
        write_options={"fps": "25"}, read_options={"fps": "25"},
    ),
    Case(
        "sbv",
        "0:00:00.500,0:00:02.250\nhello wörld\n\n0:00:02.250,100:00:03.900\nhow\nare you\n\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"{clock(n, '.250', 1)},{clock(n, '.750', 1)}\nhello[br]number {n}\n\n",
        objects_kept=1000,
    ),
    Case(
        "spruce",
        "00:00:00:12 , 00:00:02:06 , hello|wörld\n00:00:02:06 , 100:00:03:23 , how are you\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"{clock(n, ':00')} , {clock(n, ':20')} , hello|number {n}\n",
        objects_kept=1000,
    ),
    Case(
        "lambda-cap",
        'Lambda字幕V4\tDF0+1\tSCENE"a"\n\n1\t00000012/00000206\thello\t＠縦右\n\t\t\t\twörld\n'
        "2A\t00000206/99000323\thow are ＠ルビ上［you｜ｙ］＠\n",
        [("hello", "wörld"), ("how", "are", "you")],
        before='Lambda字幕V4\tDF0+1\tSCENE"a"\n',
        line=lambda n: f"{n}\t{clock(n, '00').replace(':', '')}/{clock(n, '20').replace(':', '')}"
        f"\thello number {n}\n",
        objects_kept=1000,
    ),
    Case(
        "ttml",
        TTML_ROOT.format("en")
        + '  <head>\n    <metadata>\n      <ttm:agent xml:id="agent1" type="person">'
        '<ttm:name type="full">Anne</ttm:name></ttm:agent>\n    </metadata>\n  </head>\n'
        '  <body>\n    <div>\n      <p begin="00:00:00.500" end="00:00:02.250" xml:id="p1" '
        'ttm:agent="agent1">hello<br/>wörld</p>\n      <p begin="00:00:02.250" '
        'end="100:00:03.900" xml:lang="fr" tts:color="yellow">'
        '<span begin="00:00:00.000" end="00:00:00.400">fish</span> '
        '<span begin="00:00:00.400" end="00:00:00.900">&amp;</span> '
        '<span begin="00:00:01.000" end="00:00:01.500">&lt;chips&gt;</span></p>\n' + TTML_TAIL,
        [("hello", "wörld"), ("fish", "&", "<chips>")],
        line=ttml_paragraph,
        before='<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="urn:m"><body><div>',
        after="</div></body></tt>", objects_kept=2000,
        empty=f"{TTML_ROOT.format('')}  <body>\n    <div>\n{TTML_TAIL}",
        odd_word=ODD_WORD.replace("\x1c", ""), write_options={"word_times": True},
    ),
]  # fmt: skip

NO_XML = re.compile("[\x00-\x1f\ufffe\uffff]")
SPOKEN = WORDS.filter(lambda word: not is_dashed(word))
"""Words of cues: a dash at the beginning of a line is a sign of another speaker."""
XML_WORDS = SPOKEN.filter(lambda word: not NO_XML.search(word))
NO_MARKUP = SPOKEN.filter(lambda word: not any(c in word for c in "\\|,"))


def one_of_words(words: list[str]) -> st.SearchStrategy[str | None]:
    """The lines of a cue, as its property has them: none if there is one line."""
    return st.integers(1, max(len(words), 1)).map(
        lambda cut: (
            None if cut >= len(words) else "\n".join((" ".join(words[:cut]), " ".join(words[cut:])))
        )
    )


@st.composite
def cues(
    draw: st.DrawFn,
    words: st.SearchStrategy[str],
    *,
    grid: int = MILLISECOND,
    speakers: bool = False,
    word_times: bool = False,
    least: int = 0,
) -> Segment:
    """A segment on a grid of so many nanoseconds."""
    said = draw(st.lists(words, min_size=least, max_size=5))
    start = draw(st.integers(0, 10**7)) * MILLISECOND // grid * grid
    steps = draw(
        st.lists(st.integers(0, 3000), min_size=2 * len(said) + 1, max_size=2 * len(said) + 1)
    )
    bounds = [start]
    for step in steps:
        bounds.append(bounds[-1] + step * grid)
    lines = draw(one_of_words(said))
    is_timed = bool(said) and word_times and draw(st.booleans())
    return Segment(
        "rec",
        tuple(said),
        speaker=draw(st.none() | words) if speakers else None,
        start_ns=start,
        end_ns=bounds[-1],
        starts_ns=tuple(bounds[1 : 2 * len(said) : 2]) if is_timed else None,
        ends_ns=tuple(bounds[2 : 2 * len(said) + 1 : 2]) if is_timed else None,
        properties=() if lines is None else (("lines", lines),),
    )


def some(segments: st.SearchStrategy[Segment]) -> st.SearchStrategy[list[Segment]]:
    """Segments in order of their begin, as subtitles are written."""
    return st.lists(segments, max_size=4).map(
        lambda drawn: sorted(drawn, key=lambda segment: segment.start_ns or 0)
    )


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "srt": some(cues(SPOKEN, least=1)),
    "vtt": some(cues(SPOKEN, speakers=True, word_times=True)),
    "ass": some(cues(NO_MARKUP, grid=10 * MILLISECOND, speakers=True, word_times=True)),
    "sbv": some(cues(SPOKEN)),
    "microdvd": some(cues(NO_MARKUP, grid=40 * MILLISECOND)),
    "ttml": some(cues(XML_WORDS, speakers=True, word_times=True)),
}
