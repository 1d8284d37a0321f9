"""The XML files of keyword search for the contract suite."""

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import MILLISECONDS, Case, sample

ECF = (
    '<ecf source_signal_duration="60.000" language="english" version="1">\n'
    '<excerpt audio_filename="hello.sph" channel="1" tbeg="0.000" dur="60.000" source_type="cts"/>\n'
    "</ecf>\n"
)
KWLIST = sample("kwlist.txt")
KWSLIST = sample("kwslist.txt")
# all but U+001C, which XML cannot hold
ODD_TEXT = "a\u2028b\x85c\xa0d\u3000e\u200dg😀\u0301\u202eh"

CASES = [
    Case("ecf", ECF, [()], odd_word=ODD_TEXT, empty=(
        '<ecf source_signal_duration="0.000" language="" version="1">\n</ecf>\n'
    ),
        before='<ecf source_signal_duration="1.000" language="" version="1">\n', after="</ecf>\n",
        line=lambda n: f'<excerpt audio_filename="a/rec.sph" channel="1" tbeg="{n}.500" dur="0.250" source_type="bnews"/>\n',
        objects_kept=2000,
    ),
    Case(
        "kwlist", KWLIST, [("hello", "wörld"), ("how",)],
        odd_word=ODD_TEXT,
        empty='<kwlist ecf_filename="" version="1" language="" encoding="UTF-8" '
        'compareNormalize="lowercase">\n</kwlist>\n',
        line=lambda n: f'<kw kwid="KW-{n:06d}"><kwtext>hello world</kwtext></kw>\n',
        before='<kwlist ecf_filename="" version="1" language="" encoding="UTF-8" compareNormalize="">\n',
        after="</kwlist>\n", objects_kept=400_000,
    ),
    Case(
        "kwslist", KWSLIST, [("hello",), ("hello",), ("KW-002",)],
        odd_word=ODD_TEXT,
        empty='<kwslist kwlist_filename="" language="" system_id="">\n</kwslist>\n',
        line=lambda n: f'<kw file="rec1" channel="1" tbeg="{n}.5" dur="0.25" score="0.5" decision="NO"/>\n',
        before='<kwslist kwlist_filename="" language="" system_id="">\n'
        '<detected_kwlist kwid="KW-1" search_time="1" oov_count="0">\n',
        after="</detected_kwlist>\n</kwslist>\n", objects_kept=2000,
    ),
]  # fmt: skip

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"], exclude_characters="/\ufffe\uffff"),
    min_size=1,
    max_size=6,
).filter(lambda name: "." not in name and not any(c.isspace() for c in name))  # fmt: skip


def ecf_segments() -> st.SearchStrategy[list[Segment]]:
    def build(recording: str, channel: int, start: int, length: int, kind: str) -> Segment:
        return Segment(
            recording, (), channel=f"{channel}", start_ns=start, end_ns=start + length,
            properties=(("source_type", kind),), kind="scored",
        )  # fmt: skip

    return st.lists(
        st.builds(
            build, NAMES, st.integers(1, 9), MILLISECONDS, MILLISECONDS,
            st.sampled_from(["bnews", "cts", "splitcts", "confmtg"]),
        ),
        max_size=5,
    )  # fmt: skip


def kwlist_segments() -> st.SearchStrategy[list[Segment]]:
    def build(parts: list[tuple[list[str], dict[str, str]]]) -> list[Segment]:
        return [
            Segment.of("rec", words, utterance=f"KW-{n}", properties=properties, kind="query")
            for n, (words, properties) in enumerate(parts)
        ]

    part = st.tuples(
        st.lists(NAMES, min_size=1, max_size=3), st.dictionaries(NAMES, NAMES, max_size=2)
    )
    return st.lists(part, max_size=4).map(build)


def kwslist_segments() -> st.SearchStrategy[list[Segment]]:
    def detection(
        keyword: str, recording: str, start: int, length: int, score: int, decision: str
    ) -> Segment:
        return Segment(
            recording, (keyword,), channel="1", start_ns=start, end_ns=start + length,
            starts_ns=(start,), ends_ns=(start + length,), confidences=(score / 1000,),
            tier="kws",
            properties=(("decision", decision), ("oov_count", "0"), ("search_time", "1.5")),
        )  # fmt: skip

    def build(keywords: list[str], parts: list[list[Segment]]) -> list[Segment]:
        segments: list[Segment] = []
        for keyword, detections in zip(keywords, parts, strict=False):
            segments += [segment.replace(words=(keyword,)) for segment in detections]
        return segments

    single = st.builds(
        detection, st.just("K"), NAMES, MILLISECONDS, MILLISECONDS,
        st.integers(-5000, 5000), st.sampled_from(["YES", "NO"]),
    )  # fmt: skip
    return st.builds(
        build, st.lists(NAMES, max_size=3, unique=True), st.lists(st.lists(single, max_size=3), max_size=3)
    )  # fmt: skip


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "ecf": ecf_segments(),
    "kwlist": kwlist_segments(),
    "kwslist": kwslist_segments(),
}
