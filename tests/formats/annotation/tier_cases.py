"""TextGrid, EAF, Transcriber and CHAT for the contract suite."""

import re
from typing import Any

from hypothesis import strategies as st

from formats import Segment
from formats.annotation.tiers import guess_kind, split_name, unnumbered
from tests.formats.case import (
    MILLISECONDS,
    NAMES,
    ODD_WORD,
    RECORDS_HELD,
    SPOKEN,
    WORDS,
    Case,
    sample,
)

SECOND = 10**9

TEXTGRID = sample("textgrid.txt")
EMPTY_TEXTGRID = sample("empty-textgrid.txt")
EAF_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<ANNOTATION_DOCUMENT xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" AUTHOR="" '
    'DATE="{date}" FORMAT="3.0" VERSION="3.0" '
    'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">\n'
)
EAF_TYPES = sample("eaf-types.txt")
EAF = (
    EAF_HEAD.format(date="2024-01-01T00:00:00+00:00")
    + """\
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
        <PROPERTY NAME="recording">rec1</PROPERTY>
    </HEADER>
    <TIME_ORDER>
        <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="500"/>
        <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="500"/>
        <TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="1125"/>
        <TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="1500"/>
        <TIME_SLOT TIME_SLOT_ID="ts5" TIME_VALUE="2250"/>
        <TIME_SLOT TIME_SLOT_ID="ts6" TIME_VALUE="2250"/>
        <TIME_SLOT TIME_SLOT_ID="ts7" TIME_VALUE="2250"/>
        <TIME_SLOT TIME_SLOT_ID="ts8" TIME_VALUE="3900"/>
    </TIME_ORDER>
    <TIER LINGUISTIC_TYPE_REF="utterance" PARTICIPANT="anne" TIER_ID="anne">
        <ANNOTATION>
            <ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts5">
                <ANNOTATION_VALUE>hello wörld</ANNOTATION_VALUE>
            </ALIGNABLE_ANNOTATION>
        </ANNOTATION>
    </TIER>
    <TIER LINGUISTIC_TYPE_REF="words" PARENT_REF="anne" PARTICIPANT="anne" TIER_ID="anne - words">
        <ANNOTATION>
            <ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
                <ANNOTATION_VALUE>hello</ANNOTATION_VALUE>
            </ALIGNABLE_ANNOTATION>
        </ANNOTATION>
        <ANNOTATION>
            <ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts4" TIME_SLOT_REF2="ts6">
                <ANNOTATION_VALUE>wörld</ANNOTATION_VALUE>
            </ALIGNABLE_ANNOTATION>
        </ANNOTATION>
    </TIER>
    <TIER LINGUISTIC_TYPE_REF="utterance" PARTICIPANT="bob" TIER_ID="bob">
        <ANNOTATION>
            <ALIGNABLE_ANNOTATION ANNOTATION_ID="a4" TIME_SLOT_REF1="ts7" TIME_SLOT_REF2="ts8">
                <ANNOTATION_VALUE>how &amp; when</ANNOTATION_VALUE>
            </ALIGNABLE_ANNOTATION>
        </ANNOTATION>
    </TIER>
"""
    + EAF_TYPES
)
EMPTY_EAF = (
    EAF_HEAD.format(date="1970-01-01T00:00:00+00:00")
    + '    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>\n    <TIME_ORDER/>\n'
    + EAF_TYPES
)
TRS_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE Trans SYSTEM "trans-14.dtd">\n'
TRS = (
    TRS_HEAD
    + """\
<Trans scribe="" audio_filename="rec1" version="1"><Speakers><Speaker id="spk1" name="anne"/>\
<Speaker id="spk2" name="bob"/></Speakers><Episode>\
<Section type="report" startTime="0.000" endTime="5.000">\
<Turn speaker="spk1" startTime="0.000" mode="planned" endTime="3.000">
<Sync time="0.000"/>
hello
<Sync time="1.500"/>
<Event desc="door" type="noise" extent="instantaneous"/>
wörld
</Turn>\
<Turn speaker="spk1 spk2" startTime="3.000" endTime="5.000">
<Sync time="3.000"/>
<Who nb="1"/>
yes
<Who nb="2"/>
no &lt;
</Turn></Section></Episode></Trans>
"""
)
CHAT = sample("chat.txt")
XML_ODD_WORD = ODD_WORD.replace("\x1c", "")

CASES = [
    Case(
        "textgrid",
        TEXTGRID,
        [("hello", "wörld"), ("say", '"how"'), ("click",)],
        empty=EMPTY_TEXTGRID,
        before='"ooTextFile" "TextGrid" 0 {0} <exists> 1 "IntervalTier" "anne" 0 {0} {0}\n'.format(
            2 * RECORDS_HELD
        ),
        line=lambda n: (
            f"        intervals [{2 * n + 1}]:\n            xmin = {2 * n} \n"
            f'            xmax = {2 * n + 1.5} \n            text = "hello world {n}" \n'
            f"        intervals [{2 * n + 2}]:\n            xmin = {2 * n + 1.5} \n"
            f'            xmax = {2 * n + 2} \n            text = "" \n'
        ),
    ),
    Case(
        "eaf",
        EAF,
        [("hello", "wörld"), ("how", "&", "when")],
        odd_word=XML_ODD_WORD,
        empty=EMPTY_EAF,
        before=(
            "<ANNOTATION_DOCUMENT><TIME_ORDER>\n"
            + "".join(
                map('<TIME_SLOT TIME_SLOT_ID="ts{0}" TIME_VALUE="{0}"/>\n'.format, range(20_001))
            )
            + '</TIME_ORDER><TIER TIER_ID="anne">\n'
        ),
        line=lambda n: (
            f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{n}" TIME_SLOT_REF1="ts{n}" '
            f'TIME_SLOT_REF2="ts{n + 1}"><ANNOTATION_VALUE>hello {n}</ANNOTATION_VALUE>'
            "</ALIGNABLE_ANNOTATION></ANNOTATION>\n"
        ),
        after="</TIER></ANNOTATION_DOCUMENT>",
    ),
    Case(
        "trs",
        TRS,
        [("hello",), ("door",), ("wörld",), ("yes",), ("no", "<")],
        odd_word=XML_ODD_WORD,
        empty=(
            TRS_HEAD
            + '<Trans scribe="" audio_filename="" version="1"><Speakers/><Episode/></Trans>\n'
        ),
        before='<Trans><Speakers/><Episode><Section startTime="0" endTime="200000">\n',
        line=lambda n: (
            f'<Turn startTime="{n}" endTime="{n + 1}"><Sync time="{n}"/>hello world {n}</Turn>\n'
        ),
        after="</Section></Episode></Trans>",
        objects_kept=1000,
    ),
    Case(
        "chat",
        CHAT,
        [("hello", "um", "world"), ("how", "are", "you")],
        before="@UTF8\n@Begin\n",
        line=lambda n: f"*ANN:\thello world . \x15{n}_{n + 1}\x15\n",
        after="@End\n",
        objects_kept=1000,
    ),
]

SPEAKERS = NAMES.filter(
    lambda name: guess_kind(name) == "segment" and split_name(name) == (name, None)
    and unnumbered(name) == name
)  # fmt: skip
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_xml(text: str) -> bool:
    return NOT_XML.search(text) is None


def spans(size: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Stretches of time, one after the other, some of them neighbours; milliseconds."""
    steps = st.tuples(
        st.integers(0, 3).map(lambda n: n * 700), st.integers(1, 50).map(lambda n: n * 211)
    )

    def lay(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
        made, time = [], 0
        for gap, length in parts:
            made.append(((time + gap) * 10**6, (time + gap + length) * 10**6))
            time += gap + length
        return made

    return st.lists(steps, min_size=1, max_size=size).map(lay)


@st.composite
def tier_of_segments(
    draw: st.DrawFn, speaker: str | None, tier: str, words: st.SearchStrategy[str]
) -> list[Segment]:
    """The segments of one tier, the words of some of them timed."""
    made = []
    for start, end in draw(spans(4)):
        said = draw(st.lists(words, min_size=1, max_size=4))
        columns: dict[str, Any] = {}
        if draw(st.booleans()):
            unit = (end - start) // (2 * len(said)) // 10**6 * 10**6
            gap = draw(st.booleans())
            columns["starts_ns"] = tuple(start + 2 * unit * n for n in range(len(said)))
            ends = (start + 2 * unit * n + (unit if gap else 2 * unit) for n in range(len(said)))
            columns["ends_ns"] = tuple(ends)
        made.append(
            Segment(
                "rec",
                tuple(said),
                speaker=speaker,
                start_ns=start,
                end_ns=end,
                tier=tier,
                **columns,
            )
        )
    return made


@st.composite
def tiered_segments(
    draw: st.DrawFn, words: st.SearchStrategy[str], names: st.SearchStrategy[str], has_points: bool
) -> list[Segment]:
    """Tiers of two or more speakers, then one of events."""
    made = []
    speakers = draw(st.lists(names, min_size=2, max_size=3, unique=True))
    for speaker in speakers:
        made += draw(tier_of_segments(speaker, speaker, words))
    if draw(st.booleans()):
        made = draw(tier_of_segments(None, "segments", words))
    kind = draw(st.sampled_from(["noises", "phones"]))
    events = draw(spans(3)) if draw(st.booleans()) else []
    for start, end in events:
        name = tuple(draw(st.lists(words, min_size=1, max_size=2)))
        made.append(Segment("rec", name, start_ns=start, end_ns=end, tier=kind, kind="event"))
    times = draw(st.lists(MILLISECONDS, max_size=3)) if has_points else []
    for time in sorted(times):
        name = tuple(draw(st.lists(words, max_size=2)))
        made.append(Segment("rec", name, start_ns=time, end_ns=time, tier="clicks", kind="event"))
    return made


@st.composite
def turns(draw: st.DrawFn) -> list[Segment]:
    """What Transcriber holds: segments alone or side by side, events at their begins."""
    words, names = WORDS.filter(is_xml), NAMES.filter(is_xml)
    speakers = draw(st.lists(names, min_size=2, max_size=3, unique=True))
    accents = {name: draw(st.none() | words) for name in speakers}
    made = []
    for start, end in draw(spans(5)):
        who: list[str | None] = list(
            draw(st.lists(st.sampled_from(speakers), min_size=1, unique=True))
        )
        if len(who) == 1 and draw(st.booleans()):
            who = [None]
        mode = draw(st.none() | st.sampled_from(["spontaneous", "planned"]))
        if draw(st.booleans()):
            said = tuple(draw(st.lists(words, max_size=2)))
            made.append(
                Segment("rec", said, speaker=who[0], start_ns=start, end_ns=start, kind="event")
            )
        for speaker in who:
            told = {"mode": mode, "accent": accents.get(speaker or "")}
            made.append(
                Segment(
                    "rec",
                    tuple(draw(st.lists(words, min_size=1, max_size=3))),
                    speaker=speaker,
                    start_ns=start,
                    end_ns=end,
                    properties=tuple(sorted((k, v) for k, v in told.items() if v is not None)),
                )
            )
    return made


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "textgrid": tiered_segments(SPOKEN, SPEAKERS, True),
    "eaf": tiered_segments(SPOKEN.filter(is_xml), SPEAKERS.filter(is_xml), False),
    "trs": turns(),
}
