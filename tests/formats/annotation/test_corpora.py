"""Oddities of annotated corpora: Switchboard, XTrans, AMI, ICSI, MGB."""

from pathlib import Path

import pytest

import formats
from formats import FormatError
from formats.annotation.messages import MRK_OVERLAP
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal
from tests.formats.manifests.corpus_cases import MGB, MRT, NXT, TDF


def test_turns_of_mrk_keep_their_words_together() -> None:
    transcript = read(
        "A.1 1.0 0.5 #Yeah\nA.1 * * right#\n\n@@B.2 1.25 * [ laughter ]\nB.2 2 0.5 I\n"
        "A.1 3 0.25 --\nA 4 1 so\n", "mrk",
    )  # fmt: skip
    said = [s for s in transcript if s.kind == "segment"]
    assert [(s.channel, s.words, s.get("turn")) for s in said] == [
        ("A", ("Yeah", "right"), "1"), ("B", ("I",), "2"), ("A", ("so",), None),
    ]  # fmt: skip
    assert said[0].starts == (1.0, None)
    assert said[0].ends == (1.5, None)
    events = [s for s in transcript if s.kind == "event"]
    assert [(s.words, s.start, s.end) for s in events] == [
        (("[ laughter ]",), 1.25, None), (("--",), 3.0, 3.25),
    ]  # fmt: skip
    assert message_text(MRK_OVERLAP, overlapped=2) in str(transcript.diagnostics[0])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A.1 1 0.5\n", "1:10: expected talker, start, duration and word, found 3 fields"),
        ("C.1 1 0.5 x\n", '1:1: expected a talker such as A.1 or *, found "C.1"'),
        ("A.1 1 9223372036 x\n", '1:7: expected an end within 292 years, found "9223372036"'),
        ("A.1 1 -2 x\n", '1:7: expected duration of 0 or more, found "-2"'),
    ],
)
def test_what_is_no_line_of_mrk(line: str, said: str) -> None:
    assert refusal(line, "mrk").endswith(said)


def test_words_of_isip_are_told_from_utterances() -> None:
    head = "sw2001A-ms98-a-000"
    transcript = read(
        f"{head}1 0.0 0.5 [silence]\n{head}2 0.5 0.75 th[at]-\n{head}2 0.75 1.0 [noise]\n"
        f"{head}2 1.0 1.5 [laughter-yes]\n", "isip", isip_clean=True,
    )  # fmt: skip
    silence, said, noise = transcript
    assert (silence.kind, silence.start, silence.end) == ("event", 0.0, 0.5)
    assert (said.words, said.starts, said.ends) == (("th-", "yes"), (0.5, 1.0), (0.75, 1.5))
    assert (said.recording, said.channel, said.utterance) == ("sw2001", "A", f"{head}2")
    assert (noise.kind, noise.start, noise.end) == ("event", 0.75, 1.0)
    [empty] = read(f"{head}3 1.0 2.0\n", "isip")
    assert (empty.words, empty.start, empty.end) == ((), 1.0, 2.0)
    assert refusal(f"{head}3 2.0 1.0 x\n", "isip").endswith('an end not before 2.0, found "1.0"')
    assert "an id such as sw2001A-ms98-a-0001" in refusal("sw1 2.0 3.0 x\n", "isip")


def test_rows_of_tdf() -> None:
    row = "a/talk.sph\t0\t0.5\t2.25\tNaN\tmale\t\t\"so it's\t0\t3\t0\tNone"
    transcript = read("\ufeff" + TDF + row + "\t\t\t\n" + row.replace("2.25", "0") + "\n", "tdf")
    first, second = transcript
    assert (first.recording, first.words, first.speaker) == ("talk", ('"so', "it's"), None)
    assert dict(first.properties) == {"gender": "male", "turn": "3"}
    assert (second.start, second.end) == (0.5, None)
    assert [d.code for d in transcript.diagnostics] == [
        "TDF-SPEAKER", "TDF-END", "TDF-SPEAKER",
    ]  # fmt: skip
    assert [s.words for s in read(row + "\n", "tdf")] == [('"so', "it's")]
    assert "expected 13 fields with tabs" in refusal("a\tb\tc\n", "tdf")
    assert "a column end" in refusal(TDF.replace("end;float", "stop;float"), "tdf")
    assert 'an end not before 0.5, found "0.25"' in refusal(
        TDF + row.replace("2.25", "0.25"), "tdf"
    )
    assert 'a time in seconds, found "x"' in refusal(TDF + row.replace("2.25", "x"), "tdf")


SEGMENTS = """\
<nite:root xmlns:nite="http://nite.sourceforge.net/">
<segment nite:id="s1" channel="0" transcriber_start="0.9" transcriber_end="1.95">
<nite:child href="{href}"/></segment></nite:root>
"""
HREF = "M1.A.words.xml#id(M1.A.words0)..id(M1.A.words2)"
MEETINGS = """\
<nite:root xmlns:nite="http://nite.sourceforge.net/"><meeting observation="M1">
<speaker nxt_agent="A" global_name="FEE005" channel="3"/></meeting></nite:root>
"""


def ami(folder: Path, segments: str) -> str:
    for name, text in (
        ("words/M1.A.words.xml", NXT),
        ("words/M1.B.words.xml", NXT.replace("M1.A", "M1.B").replace("1.00", "0.25")),
        ("segments/M1.A.segments.xml", segments),
        ("segments/M1.B.segments.xml", SEGMENTS.format(href=HREF).replace("M1.A", "M1.B").replace('"0.9"', '"0.1"')),
        ("corpusResources/meetings.xml", MEETINGS),
    ):  # fmt: skip
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return str(folder)


def test_a_folder_of_ami_is_its_segments_by_time(tmp_path: Path) -> None:
    transcript = formats.read(ami(tmp_path, SEGMENTS.format(href=HREF)))
    assert transcript.format == "nxt"
    said = [s for s in transcript if s.kind == "segment"]
    assert [(s.speaker, s.words, s.start, s.end) for s in said] == [
        ("A", ("wör",), None, None), ("B", ("wör",), None, None),
        ("B", ("hello",), 0.1, 1.95), ("A", ("hello",), 0.9, 1.95),
    ]  # fmt: skip
    anne = said[-1]
    assert (anne.recording, anne.channel, anne.get("global_name")) == ("M1", "0", "FEE005")
    assert (anne.displays, anne.starts, anne.ends) == (("hello,",), (1.0,), (1.25,))
    assert said[0].kinds == ("frag",)
    assert [(s.speaker, s.words, s.start) for s in transcript if s.kind == "event"] == [
        ("A", ("laugh",), 1.3), ("B", ("laugh",), 1.3),
    ]  # fmt: skip
    assert [d.code for d in transcript.diagnostics] == ["NXT-OUTSIDE", "NXT-OUTSIDE"]


@pytest.mark.parametrize(
    ("href", "said"),
    [
        ("M1.A.words.xml#id(M1.A.words3)..id(M1.A.words0)", "a pointer from a word to a later one"),
        ("M1.A.words.xml", "href to words such as #id(a)..id(b)"),
    ],
)
def test_segments_that_point_nowhere_are_refused(href: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(ami(tmp_path, SEGMENTS.format(href=href)))
    assert said in str(caught.value)
    assert "M1.A.segments.xml:3" in str(caught.value)


def test_what_lacks_in_a_folder_of_ami_is_told(tmp_path: Path) -> None:
    folder = ami(tmp_path, SEGMENTS.format(href="#id(M1.A.words99)").replace("0.9", "5.0"))
    codes = [d.code for d in formats.read(folder).diagnostics]
    assert {"NXT-POINTER", "NXT-TIMES", "NXT-OUTSIDE"} <= set(codes)
    (tmp_path / "segments" / "M1.A.segments.xml").unlink()
    transcript = formats.read(folder)
    assert "NXT-SEGMENTS" in [d.code for d in transcript.diagnostics]
    assert ("hello", "wör") in [s.words for s in transcript]


def test_words_of_ami_without_times_have_none() -> None:
    [said, _] = read(NXT.replace(' starttime="1.00" endtime="1.25"', ""), "nxt")
    assert (said.recording, said.speaker) == ("M1", "A")
    assert (said.starts, said.ends) == ((None, 2.0), (None, 2.25))
    assert "an endtime not before 3.00" in refusal(NXT.replace("1.00", "3.00"), "nxt")


def test_segments_of_mrt_have_all_their_text() -> None:
    said, laugh, door = read(MRT, "mrt")
    assert (said.recording, said.speaker, said.channel) == ("Bmr001", "me011", "chan1")
    assert (laugh.kind, laugh.speaker, laugh.words) == ("event", "me011", ("laugh",))
    assert (door.kind, door.speaker, door.start, door.end) == ("event", None, 2.5, 3.0)
    digits = MRT.replace('Participant="me011"', 'Participant="me011" DigitTask="true"')
    assert read(digits, "mrt")[0].get("digit_task") == "true"
    assert "expected a StartTime and an EndTime" in refusal(MRT.replace("2.250", "0.250"), "mrt")


def test_the_aligned_list_of_mgb_is_read() -> None:
    other = MGB.replace(
        "</body>",
        '<segments annotation_id="transcript_orig"><segment id="x"><element>one</element></segment></segments></body>',
    )
    transcript = read(other, "mgb")
    said, ignored, event = transcript
    assert (said.recording, said.utterance, said.speaker) == ("p1", "p1_utt_1", "S1")
    assert (said.starts, said.properties) == ((0.5, 0.75), (("wmer", "12.5"),))
    assert (ignored.kind, ignored.properties) == ("ignored", ())
    assert (event.kind, event.words) == ("event", ("###",))
    assert [d.code for d in transcript.diagnostics] == ["MGB-LISTS"]
    [one] = read(other, "mgb", annotation="transcript_orig")
    assert (one.words, one.start, one.recording) == (("one",), None, "rec")
    assert 'a list "transcript_align", "transcript_orig"' in refusal(other, "mgb", annotation="x")
    zero = MGB.replace('starttime="3.0" endtime="4.0"', 'starttime="0" endtime="0"')
    assert (read(zero, "mgb")[1].start, read(zero, "mgb")[1].end) == (None, None)
    assert "an endtime not before 3.0" in refusal(MGB.replace('"4.0"', '"2.0"'), "mgb")
