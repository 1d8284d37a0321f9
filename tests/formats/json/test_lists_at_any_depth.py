"""Lists of turns that are deep in JSON, or in the elements of XML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.detection.errors import UnknownFormatError
from tests.each_case import each_case

TURNS = [
    {"speaker": "Ann", "text": "so where is it"},
    {"speaker": "Ben", "text": "over there"},
    {"speaker": "Ann", "text": "well then"},
    {"speaker": "Ben", "text": "yes it is"},
]
MESSAGES = [{"role": ("user", "bot")[n % 2], "content": f"it is number {n}"} for n in range(4)]


def read(folder: Path, name: str, content: object) -> list[tuple[Any, ...]]:
    """Return recording, speaker, start and text of the segments of a file with this content."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return [(s.recording, s.speaker, s.start, " ".join(s.words)) for s in formats.read(path)]


@pytest.mark.parametrize(
    ("content", "recordings"),
    [
        ({"data": {"result": {"payload": {"turns": TURNS}}}}, ["a"]),
        ([{"dialogue": TURNS}, {"dialogue": TURNS}], ["a-1", "a-2"]),
        ({"units": [{"scenes": [{"id": "x", "lines": TURNS}, {"id": "y", "lines": TURNS}]}]}, ["x", "y"]),
        ({"units": [{"scenes": [{"id": "x", "lines": TURNS}, {"id": "y", "lines": []}]}]}, ["a"]),
    ],
)  # fmt: skip
def test_lists_of_turns_at_any_depth(
    content: object, recordings: list[str], tmp_path: Path
) -> None:
    rows = read(tmp_path, "a.json", content)
    expected = [
        (name, turn["speaker"], None, turn["text"]) for name in recordings for turn in TURNS
    ]
    assert rows == expected


@pytest.mark.parametrize("others", [(), ([],), ([], {})])
def test_an_object_of_recordings_may_be_alone_in_a_list(
    others: tuple[object, ...], tmp_path: Path
) -> None:
    rows = [{"start": 0.0, "text": "we began here"}, {"start": 2.5, "text": "and went on"}]
    content = [{"film_a1": rows, "film_b2": rows[:1]}, *others]
    expected = [("film_a1", None, row["start"], row["text"]) for row in rows]
    expected.append(("film_b2", *expected[0][1:]))
    assert read(tmp_path, "a.json", content) == expected


def test_lists_with_different_names_are_not_read(tmp_path: Path) -> None:
    others = [{"person": turn["speaker"], "quote": turn["text"]} for turn in TURNS]
    with pytest.raises(UnknownFormatError):
        read(tmp_path, "a.json", {"a": {"b": {"c": {"one": TURNS, "two": others}}}})


@pytest.mark.parametrize("ids", [("c1",), ("c1", "c2")])
def test_json_lines_of_lists_of_messages(ids: tuple[str, ...], tmp_path: Path) -> None:
    lines = [json.dumps({"id": name, "messages": MESSAGES, "state": ["new"]}) for name in ids]
    rows = read(tmp_path, "a.jsonl", "\n".join(lines))
    assert [row[1] for row in rows] == ["user", "bot"] * 2 * len(ids)
    assert {row[0] for row in rows} == ({"a"} if len(ids) == 1 else set(ids))


def test_a_role_beside_a_text_is_a_speaker(tmp_path: Path) -> None:
    rows = read(tmp_path, "a.json", {"conversation": MESSAGES})
    assert [row[1] for row in rows] == ["user", "bot", "user", "bot"]


def test_labels_are_not_the_parties_of_a_talk(tmp_path: Path) -> None:
    rows = [{"type": ("button", "label")[n % 2], "text": f"press it {n}"} for n in range(6)]
    with pytest.raises(UnknownFormatError):
        read(tmp_path, "a.json", {"page": {"parts": {"main": {"items": rows}}}})


def test_spans_of_xml_with_text_between(tmp_path: Path) -> None:
    text = (
        '<div><span start="1" end="2">Dear <i>old</i></span> friends, '
        '<span start="2.5" end="3" style="">good morning</span>!</div>'
    )
    rows = read(tmp_path, "a.xml", text)
    assert rows == [("a", None, 1.0, "Dear old friends,"), ("a", None, 2.5, "good morning!")]


def test_words_inside_lines_of_xml(tmp_path: Path) -> None:
    text = (
        '<t><line at="0:02" speaker="A"><w at="0:02">so</w><w at="">it</w><w at="0:03">is</w></line>'
        '<line at="0:05" speaker="B"><w at="0:05">no</w></line></t>'
    )
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    first, second = formats.read(path)
    assert (first.words, first.speaker, first.starts) == (("so", "it", "is"), "A", (2.0, 2.5, 3.0))
    assert (second.words, second.start) == (("no",), 5.0)


@pytest.mark.parametrize(
    "text",
    [
        '<resources><string name="a">My app</string><string name="b">Go on now</string></resources>',
        "<rss><item><author>Ann</author><body>So it is</body></item>"
        "<item><author>Ann</author><body>And so</body></item></rss>",
        '<!DOCTYPE a [<!ENTITY b "c">]><a><p start="1">so it is</p></a>',
    ],
)
def test_xml_without_speech_is_not_read(text: str, tmp_path: Path) -> None:
    with pytest.raises(formats.FormatError):
        read(tmp_path, "a.xml", text)


def test_parts_of_a_turn_of_xml_are_one_text(tmp_path: Path) -> None:
    text = (
        '<dialogue><turn n="1" speaker="A"><frag n="1">good morning <punc/></frag>'
        '<frag n="2">so it is</frag></turn><turn n="2" speaker="B"><frag>yes</frag></turn></dialogue>'
    )
    rows = read(tmp_path, "a.xml", text)
    assert [(row[1], row[3]) for row in rows] == [("A", "good morning so it is"), ("B", "yes")]


def test_lines_of_a_dialogue_without_speakers_are_texts(tmp_path: Path) -> None:
    content = [
        {"section": n, "dialogue": text} for n, text in enumerate(("そうですね。", "はい、では。"))
    ]
    assert [row[3] for row in read(tmp_path, "a.json", content)] == ["そうですね。", "はい、では。"]
    with pytest.raises(UnknownFormatError):
        read(tmp_path, "a.json", [{"section": n, "content": "it is so"} for n in range(4)])


def test_times_and_speakers_may_be_in_an_object_beside_the_text(tmp_path: Path) -> None:
    rows = [
        {"id": n, "text": "so where is it", "metadata": {"start_time": n, "speaker": "AB"[n % 2]}}
        for n in range(4)
    ]
    assert read(tmp_path, "a.json", rows)[1] == ("a", "B", 1, "so where is it")


def test_words_without_times_in_a_list_are_the_text_of_a_turn(tmp_path: Path) -> None:
    words = [{"word": word, "confidence": "1.0"} for word in ("so", "it", "is")]
    turns = [{"start_s": n, "end_s": n + 1, "speaker_id": n, "words": words} for n in range(2)]
    assert read(tmp_path, "a.json", {"name": "x", "segments": turns})[1] == (
        "a", "1", 1, "so it is",
    )  # fmt: skip


def test_some_turns_may_have_no_speaker(tmp_path: Path) -> None:
    turns = [*TURNS, {"speaker": None, "text": "and a sign was shown"}]
    days = [{"day": n, "parts": [{"tag": "x", "lines": turns}]} for n in range(3)]
    assert {speaker for _, speaker, _, _ in read(tmp_path, "a.json", days)} == {"Ann", "Ben", None}


def test_identifiers_of_users_are_speakers_if_they_return(tmp_path: Path) -> None:
    rows = [{"user_id": "xy"[n % 2], "begin": n, "text": "so where is it"} for n in range(4)]
    assert [row[1] for row in read(tmp_path, "a.json", rows)] == ["x", "y", "x", "y"]
    alone = [{**row, "user_id": f"u{n}"} for n, row in enumerate(rows)]
    assert {row[1] for row in read(tmp_path, "b.json", alone)} == {None}


def test_a_member_that_is_empty_gives_way_to_one_with_texts(tmp_path: Path) -> None:
    rows = [{"text": "", "transcript": "so where is it", "start": n} for n in range(3)]
    assert read(tmp_path, "a.json", rows)[0][3] == "so where is it"
    table = "text,transcript\n,so where is it\n,over there\n"
    assert read(tmp_path, "a.csv", table)[1][3] == "over there"


NAMES_OF_SPEAKERS = {
    "a label behind the name": '<rede id="{n}"><p class="x"><redner id="{n}"><name><vorname>Ann'
    "</vorname><nachname>Able</nachname><party>N</party></name></redner>Ann Able (N):</p>"
    "<p>so where is it</p><kommentar>(Noise)</kommentar><p>over there</p></rede>",
    "an element of its own": '<Intervention Id="{n}"><PersonSpeaking><Affiliation>Ann Able'
    "</Affiliation></PersonSpeaking><Content><ParaText>so where is it</ParaText>"
    "<ParaText>over there</ParaText></Content></Intervention>",
    "a part of the first paragraph": "<speech><start><talker><page>{n}</page><name>Ann Able</name>"
    "<name.id>x</name.id></talker><para>Ms ABLE (09:01): so where is it</para></start><para>over there</para></speech>",
    "parts of the name": "<Tale><Taler><FirstName>Ann</FirstName><LastName>Able</LastName></Taler>"
    "<Part><StartDateTime>2020-10-06T12:00:00</StartDateTime><Line>so where is it</Line>"
    "<Line>over there</Line></Part></Tale>",
    "a contribution behind the number of a question": '<p id="{n}">{n}. <member>Ann Able</member>'
    "<membercontribution>so where is it over there</membercontribution></p>",
    "a contribution behind a member": '<p id="{n}"><member>Ann Able <memberconstituency>(North)'
    "</memberconstituency></member><membercontribution>: so where is it<lb/>over there"
    "</membercontribution></p>",
}


@pytest.mark.parametrize("speech", NAMES_OF_SPEAKERS.values(), ids=NAMES_OF_SPEAKERS)
def test_speeches_of_parliaments_begin_with_a_speaker(tmp_path: Path, speech: str) -> None:
    body = "".join(speech.replace("{n}", str(n)) for n in range(4))
    items = f"<item><talk>{body}</talk></item>" * 2
    text = f"<record><day><part>{items}</part></day></record>"
    assert read(tmp_path, "a.xml", text) == [
        ("a", "Ann Able", None, "so where is it over there")
    ] * 8  # fmt: skip


def test_speeches_at_several_depths_are_read_in_their_order(tmp_path: Path) -> None:
    said = ["so where is it", "over there", "and so on", "well then no"]
    one, two, three, four = (
        f"<p><member>M{n}</member><membercontribution>: {text}</membercontribution></p>"
        for n, text in enumerate(said)
    )
    deeper = f"<part>{two}<part><title>T</title><p>(Noise)</p>{three}</part></part>"
    text = f"<house><p>The House met</p><part>{one}{deeper}</part>{four}</house>"
    assert [(row[1], row[3]) for row in read(tmp_path, "a.xml", text)] == [
        (f"M{n}", text) for n, text in enumerate(said)
    ]


def test_words_that_nobody_said_in_speeches_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    speech = NAMES_OF_SPEAKERS["a label behind the name"].replace("{n}", "1")
    path.write_text(f"<record>{speech * 3}</record>", encoding="utf-8")
    assert "XML-UNREAD" in [d.code for d in formats.read(path).diagnostics]


SAID = ["so where is it then", "over there it is"]


def parts(start: float, **names: Any) -> dict[str, Any]:
    """Return a turn of two parts that begin at `start`."""
    blocks = [{"start": start + n, "stop": start + n + 1, "text": t} for n, t in enumerate(SAID)]
    return {"start": start, "stop": start + 2, "blocks": blocks, **names}


def timed(speaker: str, **times: Any) -> dict[str, Any]:
    return {"participant": {"id": 7, "name": speaker}, "text": SAID[0], **times}


@each_case(
    ("content", "expected"),
    [
        # speakers around the parts of turns, in sections
        (
            {"chapters": [{"turns": [parts(1.5, speaker={"name": "Ann"}), parts(5.5, speaker={"name": "Ben"})]}]},
            [("a", "Ann", 1.5), ("a", "Ann", 2.5), ("a", "Ben", 5.5), ("a", "Ben", 6.5)],
        ),
        # lists that both begin at 0 are two recordings, even if each has one segment
        (
            {n: {"audio": f"{n}.wav", "lines": [{"start": 0.0, "text": SAID[0]}]} for n in ("x", "y")},
            [("x", None, 0), ("y", None, 0)],
        ),
        (
            [{"id": n, "lines": [{"start": t + 0.5, "text": "so it"} for t in (0, 2)]} for n in "xy"],
            [(n, None, t + 0.5) for n in "xy" for t in (0, 2)],
        ),
        # channels
        (
            {"channels": {"0": [{"start": 3.5, "text": SAID[0]}], "1": [{"start": 1.5, "text": SAID[1]}]}},
            [("a", None, 1.5), ("a", None, 3.5)],
        ),
        # times that are objects, also in words
        (
            [timed("Ann", start={"seconds": 1, "nanos": 500_000_000}), timed("Ben", start={"s": 4})],
            [("a", "Ann", 1.5), ("a", "Ben", 4)],
        ),
        (
            [
                {"participant": {"name": name}, "words": [
                    {"text": word, "start_timestamp": {"relative": first + n, "absolute": "x"}}
                    for n, word in enumerate(SAID[0].split())
                ]}
                for first, name in ((1.5, "Ann"), (9.5, "Ben"))
            ],
            [("a", "Ann", 1.5), ("a", "Ben", 9.5)],
        ),
        # times as the names of texts
        ({"00:00:01": SAID[0], "00:00:05": SAID[1]}, [("a", None, 1), ("a", None, 5)]),
        ({"0.5-4.5": SAID[0], "4.5-9.25": SAID[1]}, [("a", None, 0.5), ("a", None, 4.5)]),
        # names beside ids, units in names
        (
            [
                {"speaker_id": n, "speakerDisplayName": name, "text": SAID[n], "offsetInTicks": n * 10**7}
                for n, name in enumerate(("Ann", "Ben"))
            ],
            [("a", "Ann", 0), ("a", "Ben", 1)],
        ),
        (
            [{"speaker_id": n, "speaker_label": "?", "text": SAID[n], "startNs": n * 10**9} for n in (0, 1)],
            [("a", "0", 0), ("a", "1", 1)],
        ),
    ],
)  # fmt: skip
def test_speakers_recordings_and_times_around_texts(
    content: object, expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert [row[:3] for row in read(tmp_path, "a.json", content)] == expected


def test_the_note_names_the_path_to_the_lists_of_recordings(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"talks": [{"id": n, "lines": TURNS} for n in "xy"]}))
    fields = [
        dict(d.value.fields) for d in formats.read(path).diagnostics if d.code == "JSON-NAMES"
    ]
    assert fields == [{"names": ["text", "speaker"], "path": "talks.lines"}]


def test_titles_with_quotes_are_a_list_of_works(tmp_path: Path) -> None:
    works = [{"title": f"Talk {n}", "quote": SAID[0], "author": "Ann"} for n in range(3)]
    with pytest.raises(UnknownFormatError):
        read(tmp_path, "a.json", works)


@each_case(
    ("content", "expected"),
    [
        # columns with plural names, one of pairs
        (
            {"timestamps": [[0.5, 2.0], [4.5, 6.0]], "sentences": SAID, "speakers": ["A", "B"]},
            [("a", "A", 0.5), ("a", "B", 4.5)],
        ),
        # lists of a time and a text, of two clock times and a text, of a speaker and a text
        ([[0.5, SAID[0]], [4.5, SAID[1]]], [("a", None, 0.5), ("a", None, 4.5)]),
        (
            [["0:01", "0:03", SAID[0]], ["0:05", "0:08", SAID[1]]],
            [("a", None, 1), ("a", None, 5)],
        ),
        (
            [[name, text] for name in ("Ann", "Ben") for text in SAID],
            [("a", name, None) for name in ("Ann", "Ann", "Ben", "Ben")],
        ),
        # times as names of the texts of a member
        (
            {"by": "Ann", "transcript": {"00:01": SAID[0], "00:05": SAID[1]}},
            [("a", None, 1), ("a", None, 5)],
        ),
        # times of day with AM and PM
        (
            [
                {"speaker": "Ann", "time": "11:59:58 AM", "text": SAID[0]},
                {"speaker": "Ben", "time": "12:00:02 PM", "text": SAID[1]},
            ],
            [("a", "Ann", 43198), ("a", "Ben", 43202)],
        ),
    ],
)
def test_columns_rows_and_names_of_times(
    content: object, expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert [row[:3] for row in read(tmp_path, "a.json", content)] == expected


def test_two_texts_without_times_or_speakers_are_no_turns(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError):
        read(tmp_path, "a.json", [["cat", "an animal that purrs"], ["dog", "one that barks a lot"]])


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_marks_of_synthetic_speech(name: str, tmp_path: Path) -> None:
    marks = [
        {"time": 6, "type": "sentence", "start": 0, "end": 10, "value": "So it is."},
        {"time": 6, "type": "word", "start": 0, "end": 2, "value": "So"},
        {"time": 9, "type": "viseme", "value": "s"},
        {"time": 250, "type": "word", "start": 3, "end": 5, "value": "it"},
        {"time": 500, "type": "word", "start": 6, "end": 8, "value": "is"},
    ]
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, marks)), encoding="utf-8")
    (segment,) = formats.read(path)
    assert segment.words == ("So", "it", "is")
    starts = [token.start for token in segment.tokens if isinstance(token, formats.Token)]
    assert starts == [0.006, 0.25, 0.5]


def test_an_xml_file_whose_words_are_elsewhere_is_rejected(tmp_path: Path) -> None:
    item = "<item><role>host</role><about>{}</about></item>".format("so it goes on " * 20)
    people = "".join(f'<person role="{n % 2}guest">Ann Able</person>' for n in range(4))
    path = tmp_path / "a.xml"
    path.write_text(f"<rss>{people}{item * 4}</rss>", encoding="utf-8")
    with pytest.raises(formats.FormatError):
        formats.read(path, "xml")


TALKS = [{"topic": "A start", "content": f"so it is then and so on {n}"} for n in "abc"]


@each_case(
    ("content", "expected"),
    [
        (TALKS, [("a", None, None, row["content"]) for row in TALKS]),
        (
            [{"n": n, "transcript": f"so it is {n}", "more": [{"quote": "it is"}]} for n in "ab"],
            [("a", None, None, f"so it is {n}") for n in "ab"],
        ),
        ({"x.wav": "so it is"}, [("x", None, None, "so it is")]),
        (
            [{"audio": f"{n}.wav", "parts": [{"sagt": f"so it is {n} then"}]} for n in "xyz"],
            [(n, None, None, f"so it is {n} then") for n in "xyz"],
        ),
        (
            [{"frasi": f"so it is {n} then", "k": f"SPEAKER_0{n % 2}"} for n in range(4)],
            [("a", f"SPEAKER_0{n % 2}", None, f"so it is {n} then") for n in range(4)],
        ),
    ],
)  # fmt: skip
def test_records_are_rows_of_a_table(
    content: object, expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert read(tmp_path, "a.json", content) == expected


def test_dates_in_json_lines_are_counted_from_the_first(tmp_path: Path) -> None:
    rows = [{"speaker": "AB"[n], "text": "so", "time": f"2024-05-01T10:00:0{n}Z"} for n in range(2)]
    assert [row[2] for row in read(tmp_path, "a.json", rows)] == [0, 1]


def test_a_vague_name_that_never_changes_is_no_speaker(tmp_path: Path) -> None:
    rows = {f"t{n}": {"name": "The show", "transcript": f"so it is {n} then"} for n in range(4)}
    assert {row[1] for row in read(tmp_path, "a.json", rows)} == {None}
