"""CHAT in XML says what the same transcript says as text."""

import gzip
from pathlib import Path

import formats
from tests.formats.json.reading import read

HEAD = '<CHAT xmlns="http://www.talkbank.org/ns/talkbank" Media="talk" Lang="eng" Id="a">'
MARKED = (
    f'{HEAD}<u who="CHI" uID="u0">'
    '<g><w>I</w><w>want</w><r times="2"/></g>'
    '<g><w>a</w><k type="retracing"/></g><w type="filler">uh</w><w type="fragment">b</w>'
    '<w><shortening>be</shortening>cause</w><w type="omission">is</w>'
    '<w>come<wk type="cmp"/>on</w><w untranscribed="unintelligible">xxx</w>'
    '<w>wabbit<replacement><w>rabbit</w></replacement></w><tagMarker type="comma"/>'
    '<e><happening>laughs</happening></e><e><otherSpokenEvent who="MOT" said="mhm"/></e><t type="q"/>'
    '<media start="0.500" end="2.250" unit="s"/></u></CHAT>'
)
TIMED = (
    f'{HEAD}<u who="CHI" uID="u0"><w>hello</w><w>world</w><t type="p"/>'
    '<media start="500" end="1500" unit="ms"/>'
    '<wor><w>hello</w><internal-media start="0.500" end="0.750" unit="s"/>'
    '<w>world</w><internal-media start="0.750" end="1.250" unit="s"/></wor></u></CHAT>'
)


def test_words_have_the_types_of_chat() -> None:
    segment, event, aside = read(MARKED, "chat-xml")
    assert segment.words == (
        "I", "want", "I", "want", "a", "uh", "b-", "because", "come+on", "xxx", "wabbit",
    )  # fmt: skip
    assert segment.kinds == (*[None] * 5, "fp", "frag", None, None, "un-lex", None)
    assert segment.displays is not None
    assert segment.displays[-1] == "wabbit,?"
    assert (segment.speaker, segment.recording) == ("CHI", "talk")
    assert (segment.start, segment.end) == (0.5, 2.25)
    assert (event.kind, event.words) == ("event", ("laughs",))
    assert (aside.speaker, aside.words) == ("MOT", ("mhm",))


def test_options_choose_replacements_and_retraces() -> None:
    chosen = read(MARKED, "chat-xml", chat_replacements="target", chat_retraces="drop")[0]
    assert "rabbit" in chosen.words
    assert "a" not in chosen.words
    assert chosen.words.count("want") == 2


def test_times_of_words_are_those_of_wor() -> None:
    transcript = read(TIMED, "chat-xml")
    [segment] = transcript
    assert (segment.start, segment.end) == (0.5, 1.5)
    assert (segment.starts, segment.ends) == ((0.5, 0.75), (0.75, 1.25))
    assert transcript.properties == (("language", "eng"),)


def test_a_packed_file_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "talk.xml.gz"
    path.write_bytes(gzip.compress(MARKED.encode()))
    assert formats.detect(path) == "chat-xml"
