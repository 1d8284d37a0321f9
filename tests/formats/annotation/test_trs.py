"""Transcriber: turns, several speakers at once, sections, events, encodings, what is written."""

from functools import partial

import pytest

from formats import LossError, OptionError, Segment, SyntaxFormatError, Transcript
from formats.annotation.messages import (
    TRS_ELEMENT,
    TRS_ENCODING,
    TRS_EVENT,
    TRS_EXTENT,
    TRS_NAMES,
    TRS_ORDER,
    TRS_REMARK,
    TRS_SYNC,
    TRS_TEXT,
    TRS_WHO,
)
from formats.io.messages import COMMENT
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import message_of, remark_line, remarks
from tests.formats.conftest import ReadText

SPEAKERS = '<Speakers><Speaker id="s1" name="anne" type="female" dialect="native"/><Speaker id="s2" name="bob"/><Speaker id="s3" name=""/></Speakers>'


def document(*turns: str, head: str = SPEAKERS, section: str = 'type="report"') -> str:
    body = "\n".join(turns)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE Trans SYSTEM "trans-14.dtd">\n'
        f'<Trans audio_filename="rec1" version="3" scribe="me" xml:lang="fr">{head}<Episode>'
        f'<Section {section} startTime="0" endTime="9">\n{body}\n</Section></Episode></Trans>'
    )


def turn(body: str, who: str = "s1", begin: str = "0", end: str = "4", **more: str) -> str:
    told = "".join(f' {key}="{value}"' for key, value in more.items())
    speaker = f' speaker="{who}"' if who else ""
    return f'<Turn{speaker} startTime="{begin}" endTime="{end}"{told}>{body}</Turn>'


def said(transcript: Transcript) -> list[tuple[str | None, float | None, float | None, str]]:
    return [(s.speaker, s.start, s.end, " ".join(s.words)) for s in transcript]


written = partial(checks.written, "trs")


def test_time_stamps_cut_turns_into_segments(read_text: ReadText) -> None:
    text = document(
        turn('<Sync time="0"/>\nhello\nthere\n<Sync time="1.5"/>\nyou\n<Sync time="3"/>\n'),
        turn('<Sync time="4"/>so', who="", begin="4", end="5"),
        turn('<Sync time="5"/>no', who="s3", begin="5", end="6"),
    )
    transcript = read_text(text, "trs")
    assert said(transcript) == [
        ("anne", 0.0, 1.5, "hello there"),
        ("anne", 1.5, 3.0, "you"),
        (None, 4.0, 5.0, "so"),
        ("s3", 5.0, 6.0, "no"),
    ]
    assert {s.recording for s in transcript} == {"rec1"}
    assert transcript[0].properties == (("dialect", "native"), ("speaker_type", "female"))
    assert dict(transcript.properties) == {"language": "fr", "scribe": "me", "version": "3"}
    assert transcript.diagnostics == ()
    assert [s.speaker for s in read_text(text, "trs", speaker_from="id")] == [
        "s1",
        "s1",
        None,
        "s3",
    ]
    assert {s.speaker for s in read_text(text, "trs", speaker_from="none")} == {None}
    with pytest.raises(OptionError, match="expected speaker from auto, id, none, found"):
        read_text(text, "trs", speaker_from="tier")


def test_several_speakers_at_once(read_text: ReadText) -> None:
    text = document(
        turn('<Sync time="0"/>\n<Who nb="1"/>yes\n<Who nb="2"/>no\n<Sync time="2"/>early'
             '<Who nb="2"/>late', who="s1 s2")
    )  # fmt: skip
    transcript = read_text(text, "trs")
    assert said(transcript) == [
        ("anne", 0.0, 2.0, "yes"),
        ("bob", 0.0, 2.0, "no"),
        ("anne", 2.0, 4.0, "early"),
        ("bob", 2.0, 4.0, "late"),
    ]
    assert remarks(transcript) == [remark_line(TRS_WHO, 7)]


def test_two_speakers_of_one_name_keep_their_ids(read_text: ReadText) -> None:
    head = '<Speakers><Speaker id="s1" name="x"/><Speaker id="s2" name="x"/></Speakers>'
    transcript = read_text(document(turn("a"), turn("b", who="s2"), head=head), "trs")
    assert [s.speaker for s in transcript] == ["s1", "s2"]
    assert remarks(transcript)[0] == (remark_line(TRS_NAMES, 3, name="x"))


@each_case(
    ("text", "message"),
    [
        (document(turn('<Who nb="3"/>x', who="s1 s2")),
         '<stream>:4: expected the number (nb) of one of the 2 speakers of the turn, found "3"'),
        (document(turn("x", who="s9")),
         '<stream>:4: expected the id of a declared speaker, found "s9"'),
        (document(turn("x", end="-1")), '<stream>:4: expected endTime in seconds, 0 or more, found "-1"'),
        (document(turn("x", begin="1,5")),
         '<stream>:4: expected startTime in seconds, 0 or more, found "1,5"'),
        (document(turn("x", begin="5")), '<stream>:4: expected an endTime not before 5, found "4"'),
        (document("<Turn>x</Turn>"), '<stream>:4: expected a Turn with "startTime", found none'),
        (document(head='<Speakers><Speaker name="x"/></Speakers>'),
         "<stream>:3: expected a speaker with an id, found none"),
        (document(head='<Speakers><Speaker id="x"/><Speaker id="x"/></Speakers>'),
         '<stream>:3: expected a speaker whose id no other speaker has, found "x"'),
        ('<!DOCTYPE Trans [<!ENTITY a "b">]><Trans>&a;</Trans>',
         "<stream>:1: expected XML without a DTD inside the file, found a DOCTYPE that defines entities or elements"),
    ],
)  # fmt: skip
def test_refusals(read_text: ReadText, text: str, message: str) -> None:
    assert message_of(SyntaxFormatError, lambda: read_text(text, "trs")) == message


def test_time_stamps_out_of_order_or_place_are_remarked(read_text: ReadText) -> None:
    text = document(turn('<Sync time="2"/>a<Sync time="1"/>b<Sync time="7"/>c', begin="1"))
    transcript = read_text(text, "trs")
    assert said(transcript) == [("anne", 2.0, 2.0, "a"), ("anne", 1.0, 7.0, "b"),
                                ("anne", 7.0, 7.0, "c")]  # fmt: skip
    assert remarks(transcript) == [
        remark_line(TRS_ORDER, 4, time=1.0, before=2.0),
        remark_line(TRS_SYNC, 4, time=7.0, begin=1.0, end=4.0),
    ]


def test_sections_that_are_not_transcribed_are_ignored_regions(read_text: ReadText) -> None:
    transcript = read_text(document(section='type="nontrans"'), "trs")
    assert [(s.kind, s.start, s.end, s.words) for s in transcript] == [("ignored", 0.0, 9.0, ())]


def test_events_comments_and_topics(read_text: ReadText) -> None:
    head = '<Topics><Topic id="t1" desc="weather"/></Topics>' + SPEAKERS
    body = (
        '<Sync time="0"/><Event desc="door" type="noise" extent="instantaneous"/>hello '
        '<Event desc="en" type="language" extent="begin"/>you<Event desc="en" type="language" '
        'extent="end"/><Comment desc="?"/><Event desc="rain" type="noise" extent="begin"/>'
        '<Sync time="2"/>and <Event desc="rain" type="noise" extent="end"/><Vocal desc="sigh"/>'
        '<Event desc="hum" type="noise" extent="begin"/>so'
    )
    transcript = read_text(
        document(turn(body, mode="planned"), head=head, section='type="report" topic="t1"'), "trs"
    )
    assert [(s.kind, s.start, s.end, " ".join(s.words)) for s in transcript] == [
        ("event", 0.0, 0.0, "door"),
        ("segment", 0.0, 2.0, "hello you"),
        ("event", 0.0, 2.0, "rain"),
        ("event", 2.0, 2.0, "sigh"),
        ("segment", 2.0, 4.0, "and so"),
        ("event", 2.0, 4.0, "hum"),
    ]
    assert dict(transcript[1].properties) == {
        "dialect": "native", "language": "en", "mode": "planned", "speaker_type": "female",
        "topic": "weather",
    }  # fmt: skip
    assert transcript[3].properties == (("type", "vocal"),)
    assert remarks(transcript) == [
        remark_line(TRS_EXTENT, 4),
        remark_line(TRS_EXTENT, 4),
        remark_line(COMMENT, 4),
        remark_line(TRS_EVENT, 4, event="hum"),
    ]


def test_backgrounds_last_until_the_next(read_text: ReadText) -> None:
    text = document(
        turn('<Sync time="0"/>a<Background time="1" type="music" level="high"/><Sync time="2"/>b'),
        turn(
            '<Sync time="4"/>c<Background time="5" type="music" level="off"/>', begin="4", end="6"
        ),
        turn('<Sync time="6"/>d<Background time="7" type="shh" level="low"/>', begin="6", end="8"),
    )
    found = [s for s in read_text(text, "trs") if s.kind == "event"]
    assert [(s.words, s.start, s.end, s.tier, s.get("level")) for s in found] == [
        (("music",), 1.0, 5.0, "background", "high"),
        (("shh",), 7.0, 8.0, "background", "low"),
    ]


def test_empty_stretches_are_nothing_or_events_on_request(read_text: ReadText) -> None:
    text = document(turn('<Sync time="0"/>\n<Sync time="1"/>x'))
    assert [s.words for s in read_text(text, "trs")] == [("x",)]
    kept = read_text(text, "trs", keep_empty=True)
    assert [(s.kind, s.words, s.end) for s in kept] == [
        ("event", (), 1.0),
        ("segment", ("x",), 4.0),
    ]


def test_windows_1252_that_claims_to_be_latin_1(read_text: ReadText) -> None:
    data = document(turn("œuf")).replace("UTF-8", "ISO-8859-1").encode("cp1252")
    transcript = read_text(data, "trs")
    assert remarks(transcript) == [remark_line(TRS_ENCODING, 4, character=156)]
    assert read_text(data, "trs", encoding="cp1252")[0].words == ("œuf",)
    assert read_text(document(turn("é")).replace("UTF-8", "ISO-8859-1").encode("latin-1"), "trs")[
        0
    ].words == ("é",)


def test_conventions_are_left_alone_or_cleaned_on_request(read_text: ReadText) -> None:
    text = document(turn("^^Dupon *le bon(jour) b() %euh [rire] dit +[pron=di] (a)"))
    assert len(read_text(text, "trs")[0].words) == 9
    transcript = read_text(text, "trs", trs_clean="ester-1")
    assert [(s.kind, s.words) for s in transcript] == [
        ("event", ("rire",)),
        ("segment", ("Dupon", "le", "bon-", "b-", "euh", "dit", "(a)")),
    ]
    assert transcript[1].kinds == (None, None, "frag", "frag", "fp", None, None)
    assert remarks(transcript) == [remark_line(TRS_REMARK, 4, remarks=1)]


def test_unknown_elements_are_remarked_and_their_text_is_kept(read_text: ReadText) -> None:
    transcript = read_text(document(turn("a <b>c</b> d")), "trs")
    assert transcript[0].words == ("a", "c", "d")
    assert remarks(transcript) == [remark_line(TRS_ELEMENT, 4, name="b")]


# --- writing ---------------------------------------------------------------------------------


def test_turns_follow_each_other_without_gaps() -> None:
    text, losses = written(
        Segment.of("rec", ["b"], speaker="bob", start=2, end=3),
        Segment.of("rec", ["a"], speaker="anne", start=0.5, end=1),
        Segment.of("rec", ["c"], speaker="bob", start=3, end=4.0004),
    )
    assert losses == [
            "decimals of times: 1 (rounded to 3 decimals)", "order of segments: 2 (sorted by time)"
    ]  # fmt: skip
    assert text.partition("<Episode>")[2] == (
        '<Section type="report" startTime="0.000" endTime="4.000">'
        '<Turn startTime="0.000" endTime="0.500">\n<Sync time="0.000"/>\n</Turn>'
        '<Turn speaker="spk2" startTime="0.500" endTime="1.000">\n<Sync time="0.500"/>\na\n</Turn>'
        '<Turn startTime="1.000" endTime="2.000">\n<Sync time="1.000"/>\n</Turn>'
        '<Turn speaker="spk1" startTime="2.000" endTime="4.000">\n<Sync time="2.000"/>\nb\n'
        '<Sync time="3.000"/>\nc\n</Turn></Section></Episode></Trans>\n'
    )


def test_events_in_pauses_cut_them_and_others_move_to_the_stamp_before(read_text: ReadText) -> None:
    text, losses = written(
        Segment.of("rec", ["a"], speaker="anne", start=2, end=4),
        Segment.of("rec", ["door"], start=1, end=1, kind="event"),
        Segment.of("rec", ["bell"], start=3, end=3, kind="event"),
        Segment.of("rec", ["rain"], start=1, end=2, kind="event"),
        Segment.of("rec", ["end"], start=5, end=5, kind="event"),
    )
    assert losses == [
        "events: 1 (only events without duration are kept)",
        "event times: 1 (moved to the preceding time stamp)",
        "speakers: 1 (the format does not store them for events)",
        "order of segments: 3 (sorted by time)",
    ]
    assert said(read_text(text, "trs")) == [
        (None, 1.0, 1.0, "door"),
        ("anne", 2.0, 2.0, "bell"),
        ("anne", 2.0, 4.0, "a"),
        (None, 5.0, 5.0, "end"),
    ]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([Segment.of("rec", ["a"], speaker="anne", start=0, end=2), Segment.of("rec", ["b"], speaker="bob", start=1, end=3, line=5)],
         "rec:5: expected overlapping segments of equal times, found 1.0 to 3.0 (bob) with 0.0 to 2.0 (anne)"),
        ([Segment.of("rec", ["a"], speaker="anne", start=0, end=2), Segment.of("rec", ["b"], speaker="anne", start=0, end=2, line=5)],
         "rec:5: expected overlapping segments of different speakers, found 0.0 to 2.0 (anne) with 0.0 to 2.0 (anne)"),
        ([Segment.of("rec", ["a"], speaker="anne", start=0, end=2), Segment.of("rec", ["b"], start=0, end=2, line=5)],
         "rec:5: expected overlapping segments of different speakers, found 0.0 to 2.0 (no speaker) with 0.0 to 2.0 (anne)"),
        ([Segment.of("rec", ["a\x00"], start=0, end=2, line=5)],
         "rec:5: expected characters that XML can hold, found U+0000"),
    ],
)  # fmt: skip
def test_refused_on_writing(segments: list[Segment], message: str) -> None:
    assert message_of(LossError, lambda: written(*segments)) == message


def test_what_is_told_of_a_speaker_is_told_once() -> None:
    text, losses = written(
        Segment.of("rec", ["a"], speaker="anne", start=0, end=1, properties={"accent": "x"}),
        Segment.of("rec", ["b"], speaker="anne", start=1, end=2, properties={"accent": "y"}),
        Segment.of("rec", ["c"], start=2, end=3, properties={"accent": "y", "mode": "planned"}),
    )
    assert '<Speaker id="spk1" name="anne" accent="x"/>' in text
    assert losses == [
        "properties: 2 (the value changes within the file)",
        "properties: 1 (the segment has no speaker)",
    ]


def test_text_outside_of_turns_is_told(read_text: ReadText) -> None:
    transcript = read_text(document("one", turn('<Sync time="0"/>hello'), "two"), "trs")
    assert said(transcript) == [("anne", 0.0, 4.0, "hello")]
    assert remarks(transcript) == [
        remark_line(TRS_TEXT, 3, element="Section", text="one"),
        remark_line(TRS_TEXT, 5, element="Section", text="two"),
    ]


def test_text_outside_is_told_wherever_it_stands(read_text: ReadText) -> None:
    inner = turn('<Sync time="0"/>hello<Foo>in</Foo>')
    text = document("", f"<Foo>a<Foo/>b{inner}c<Foo>d</Foo>{inner}e</Foo>", "").replace(
        "</Section>", "f</Section>g<Section>h</Section>"
    )
    told = [
        remark.split('"')[1] for remark in remarks(read_text(text, "trs")) if "TRS-TEXT" in remark
    ]
    assert sorted(told) == list("abcdefgh")


def test_an_event_before_a_word_without_length_stays_before_it(read_text: ReadText) -> None:
    text, losses = written(
        Segment.of("rec", ["door"], speaker="anne", start=1.5, end=1.5, kind="event"),
        Segment.of("rec", ["a"], speaker="anne", start=1.5, end=1.5),
        Segment.of("rec", ["b"], speaker="anne", start=3, end=4),
    )
    assert losses == []
    assert [line[3] for line in said(read_text(text, "trs"))] == ["door", "a", "b"]


@pytest.mark.parametrize("name", ["", "\t", " \n"])
def test_a_speaker_whose_name_is_blank_is_nobody_and_counted(
    read_text: ReadText, name: str
) -> None:
    text, losses = written(Segment.of("rec", ["a"], speaker=name, start=0, end=1))
    assert losses == ["speakers: 1 (a name that consists of blanks counts as no name)"]
    assert said(read_text(text, "trs")) == [(None, 0.0, 1.0, "a")]


def test_turns_without_words_come_back_cut_where_they_overlap(read_text: ReadText) -> None:
    turns = [(0.5, 2.5, "A"), (2.0, 3.5, "B"), (2.0, 3.5, "B"), (6.0, 7.5, "A")]
    segments = [Segment.of("rec1", (), start=a, end=b, speaker=who) for a, b, who in turns]
    pause = Segment.of("rec1", (), start=4, end=5)
    data, losses = written(*segments, pause)
    assert losses == [
        "empty segments: 1 (dropped)",
        "turns cut: 3 (cut where another turn overlaps)",
        "overlapping turns of a speaker: 2 (merged)",
    ]
    back = read_text(data, "trs")
    assert said(back) == [
        ("A", 0.5, 2.0, ""), ("A", 2.0, 2.5, ""), ("B", 2.0, 2.5, ""), ("B", 2.5, 3.5, ""),
        ("A", 6.0, 7.5, ""),
    ]  # fmt: skip
    assert [d.code for d in back.diagnostics] == ["TRS-TURNS"]


def test_turns_without_words_among_others_are_counted(read_text: ReadText) -> None:
    bare = Segment.of("rec1", (), start=0, end=1, speaker="A")
    data, losses = written(bare, Segment.of("rec1", ["hi"], start=1, end=2, speaker="A"))
    assert losses == ["turns without words: 1 (written without text, and read back as pauses)"]
    assert [s.words for s in read_text(data, "trs")] == [("hi",)]
