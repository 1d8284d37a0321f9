"""Oddities of the lists that corpora come with."""

import json
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats import FormatError, Segment, Transcript
from formats.io.messages import NO_TIMES
from formats.json.messages import SPEECHBRAIN_TEXT, SPEECHBRAIN_TEXTS
from formats.manifests.messages import MUSTC_TEXTS
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.formats.checks import codes, message_of, message_text, remark_line
from tests.formats.conftest import ReadText, WriteFile


def refused(read_text: ReadText, text: str, name: str, **options: object) -> str:
    with pytest.raises(FormatError) as caught:
        read_text(text, name, **options)
    return str(caught.value).removeprefix("<stream>:").strip()


def written(segments: list[Segment], name: str, **options: Any) -> tuple[str, list[str]]:
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="rec"), output, name, **options)
    return output.getvalue().decode(), [str(loss) for loss in losses]


# ljspeech


def test_a_quote_of_ljspeech_is_a_quote(read_text: ReadText) -> None:
    transcript = read_text('a1|"Well," he said.| "Well," he said.\na2|x "y|\n\n', "ljspeech")
    assert [s.words for s in transcript] == [('"Well,"', "he", "said."), ("x", '"y')]
    assert codes(transcript) == ["LJSPEECH-WRITTEN"]
    assert [s.properties for s in transcript] == [(), ()]


def test_two_and_three_fields_may_mix_and_others_not(read_text: ReadText) -> None:
    transcript = read_text("wavs/a1.wav|one\na2|2|two\n", "ljspeech")
    assert [(s.recording, s.utterance, s.words) for s in transcript] == [
        ("a1", "wavs/a1", ("one",)), ("a2", "a2", ("two",)),
    ]  # fmt: skip


def test_columns_of_ljspeech_can_be_named(read_text: ReadText) -> None:
    [one] = read_text("a1|de|Hallo|Anne\n", "ljspeech", columns="id,lang,text,speaker")
    assert (one.words, one.speaker, one.properties) == (("Hallo",), "Anne", (("lang", "de"),))
    assert "expected columns with id and text in them" in refused(
        read_text, "a|b\n", "ljspeech", columns="a,b"
    )


def test_lists_of_speakers_and_headers_are_told(read_text: ReadText, write_file: WriteFile) -> None:
    transcript = read_text("p1|p1_1|one two\np1|p1_2|three\n", "ljspeech")
    assert [(s.speaker, s.utterance) for s in transcript] == [("p1", "p1_1"), ("p1", "p1_2")]
    assert codes(transcript) == ["LJSPEECH-SPEAKERS"]
    assert codes(read_text("id|text\na|b c\n", "ljspeech")) == ["LJSPEECH-HEADER"]
    with pytest.raises(FormatError):
        formats.detect(write_file("x.txt2", "id|text\na|b c\n"))
    for text in ("a|b\tc|d e\n", "anne|0.5|good day\nbob|1.5|how are you\n"):
        with pytest.raises(FormatError):
            formats.detect(write_file("y.txt2", text))


@each_case(
    ("text", "rows"),
    [
        ("w/a1.wav|so it was|3\nw/a2.wav|and then|3\n", ["3 so it was", "3 and then"]),
        (
            "w/a1.wav|ann|EN|so it was\nw/a2.wav|ann|JA|そうです\n",
            ["ann so it was", "ann そうです"],
        ),
        ("C:\\my w\\a1.wav|だから。\nC:\\my w\\a2.wav|はい。\n", ["None だから。", "None はい。"]),
        ("so it was|w/a1.mp3\nand then|w/a2.mp3\n", ["None so it was", "None and then"]),
        (
            "w/a1.wav|f/a1.npy|s ou3 sp\nw/a2.wav|f/a2.npy|w e2 l\n",
            ["None s ou3 sp", "None w e2 l"],
        ),
        (
            "w/a1.wav|だから。|とても静か\nw/a2.wav|はい！|少し怒る\n",
            ["None だから。", "None はい！"],
        ),
        ("b_001|だから\nb_002|はい\n", ["None だから", "None はい"]),
    ],
)
def test_lists_of_audio_files_have_their_text_in_any_column(
    text: str, rows: list[str], write_file: WriteFile
) -> None:
    transcript = formats.read(write_file("train.txt", text))
    assert [f"{s.speaker} {' '.join(s.words)}" for s in transcript] == rows
    assert [s.recording[-1] for s in transcript] == ["1", "2"]
    is_told = "LJSPEECH-SPEAKERS" in codes(transcript)
    assert is_told == (text.count("|") > 2 or text[0] == "s")


def test_the_speaker_of_m_ailabs_is_in_the_path(tmp_path: Any) -> None:
    for name, speaker in (("female/anne", "anne"), ("mix", None)):
        folder = tmp_path / "de_DE" / "by_book" / name / "book"
        folder.mkdir(parents=True)
        (folder / "metadata.csv").write_text("b_01|One two.|One two.\n")
        [one] = formats.read(folder / "metadata.csv")
        assert (one.speaker, one.get("gender")) == (speaker, speaker and "female")


def test_ljspeech_refuses_what_it_has_no_way_to_write() -> None:
    one = Segment("a", ("x|y",), utterance="a")
    with pytest.raises(FormatError, match="text without bars"):
        written([one], "ljspeech")
    for name in ("", "a.wav", " a"):
        with pytest.raises(FormatError, match="a unique utterance id"):
            written([one.replace(words=(), utterance=name)], "ljspeech")
    made, losses = written(
        [one.replace(words=("x",), properties=(("display", "X "), ("lang", "de")))], "ljspeech"
    )
    assert (made, losses) == ("a|x|x\n", ["properties: 2"])


# must-c


ENTRY = "- {{duration: {}, offset: 1.5, wav: a.wav}}\n"


def test_must_c_finds_its_texts_beside_it(write_file: WriteFile) -> None:
    entry = "- {wav: 'a, b.wav', offset: 16, duration: 0, speaker_id: \"1\"}\n"
    path = write_file("dev.yaml", entry)
    expected = f"dev.yaml: {message_text(MUSTC_TEXTS, path='dev.en')}"
    assert message_of(FormatError, lambda: formats.read(path)) == expected
    write_file("dev.en", "good\u2028day\n")
    write_file("dev.de", "Guten Tag\nund mehr\n")
    transcript = formats.read(path)
    [one] = transcript
    assert (one.recording, one.words, one.speaker) == ("a, b", ("good\u2028day",), "1")
    assert (one.start, one.end) == (16.0, 16.0)
    assert "MUST-C-EMPTY" in codes(transcript)
    with pytest.raises(FormatError, match=r'expected 1 lines of text in "dev.de".*found 2'):
        formats.read(path, language="de")
    assert [s.words for s in formats.read(path, texts="dev.en")] == [("good\u2028day",)]


@each_case(
    ("entry", "said"),
    [
        (ENTRY.format("1e3x"), 'in seconds, the end within 292 years, found "1e3x"'),
        (ENTRY.format("-1"), 'expected duration in seconds, the end within 292 years, found "-1"'),
        (ENTRY.format("9223372036"), 'within 292 years, found "9223372036"'),
        ("- {duration: 1, offset: 2}\n", "found none with wav"),
        ("- duration: 1\n", "found none with duration and offset and wav"),
        ("- {duration: 1, duration: 2, offset: 1, wav: a}\n", "found none with duration"),
        ("- {duration: 1, offset: {a: 1}, wav: a}\n", "found none with duration"),
    ],
)
def test_what_is_no_entry_of_must_c(entry: str, said: str, write_file: WriteFile) -> None:
    write_file("t.yaml", ENTRY.format("2") + entry)
    write_file("t.en", "a\nb\n")
    with pytest.raises(FormatError) as caught:
        formats.read("t.yaml", "must-c")
    assert str(caught.value).startswith("t.yaml:2: ")
    assert said in str(caught.value)
    assert len(formats.read("t.yaml", "must-c", tolerance="lenient")) == 1


# wenet


def shard(path: Path, members: dict[str, bytes]) -> None:
    """Write a shard as WeNet's `make_shard_list.py` does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, BytesIO(data))


SHARD = {
    "utt1.txt": "你好 world".encode(),
    "utt1.wav": b"RIFF",
    "d/utt2.txt": b"",
    "d/utt2.flac": b"",
}


@pytest.mark.parametrize("name", ["shards/s_0.tar", "s_0.tar.gz"])
def test_texts_of_wenets_shards(name: str, tmp_path: Path) -> None:
    shard(tmp_path / "data/train" / name, SHARD)
    shard(tmp_path / "data/shards/s_1.tar", {"x.y.wav": b"", "x.y.txt": b"good\nday\n"})
    lists = tmp_path / "data/train/data.list"
    lists.write_text(f"{name}\n\ndata/shards/s_1.tar\n")
    transcript = formats.read(lists)
    assert transcript.format == "wenet"
    assert [(s.utterance, s.recording, s.words, s.line) for s in transcript] == [
        ("utt1", "utt1", ("你好", "world"), 1),
        ("d/utt2", "utt2", (), 1),
        ("x.y", "x.y", ("good", "day"), 3),
    ]


def test_what_is_no_shard_of_wenet(tmp_path: Path, read_text: ReadText) -> None:
    lists = tmp_path / "data.list"

    def said(names: str, members: dict[str, bytes] | None = None) -> str:
        if members is not None:
            shard(tmp_path / "s.tar", members)
        lists.write_text(names)
        with pytest.raises(FormatError) as caught:
            formats.read(lists)
        return str(caught.value).replace(f"{tmp_path}/", "")

    shard(tmp_path / "a.tar", SHARD)
    for name in ("b.tar", "http://h/y.tar", "pipe:cat a.tar", "a"):
        expected = "expected objects, or shards that are there"
        assert said(f"a.tar\n{name}\n") == f'data.list:2: {expected}, found "{name}"'
        assert len(formats.read(lists, tolerance="lenient")) == 2
    assert said("s.tar", {"u.wav": b""}) == (
        'data.list:1: expected a text for every sound in s.tar, found "u.wav"'
    )
    assert said("s.tar", {"u.txt": b"a\xff"}).startswith("s.tar/u.txt:1:2: expected UTF-8")
    assert said("s.tar", {"u.txt": b"a" * 70_000}) == "s.tar/u.txt: larger than 65536 bytes"
    assert "a name that leads out of the archive" in said("s.tar", {"../u.txt": b""})
    (tmp_path / "s.tar").write_bytes(b"no archive")
    assert said("s.tar").startswith("s.tar: expected a whole zip or tar archive")
    # what a stream names is not opened
    assert refused(read_text, f"{tmp_path}/a.tar\n", "wenet").startswith("1: expected objects, or")


def test_the_content_decides_of_a_list_of_another_data_set(write_file: WriteFile) -> None:
    row = {"utt_id": "u1", "speaker": "anne", "text": "hello you", "audio": "/a/u1.wav"}
    path = write_file("data.list", json.dumps(row) + "\n")
    transcript = formats.read(path)
    assert transcript.format == "jsonl"
    [one] = transcript
    assert (one.utterance, one.speaker, one.words) == ("u1", "anne", ("hello", "you"))


def test_wenet_keeps_what_it_does_not_know(read_text: ReadText) -> None:
    row = {"key": "d/a", "feat": "d/a.ark", "txt": "", "lang": "zh", "n": [1], "none": None}
    [one] = read_text(json.dumps(row), "wenet")
    assert (one.utterance, one.recording, one.words) == ("d/a", "a.ark", ())
    assert one.properties == (("lang", "zh"), ("n", "[1]"))
    for odd in (one.replace(utterance=""), one.replace(recording="a.wav")):
        with pytest.raises(FormatError):
            written([odd], "wenet")


# speechbrain


def test_sound_of_speechbrain_may_be_an_object(read_text: ReadText) -> None:
    rows = {
        "a": {"wav": {"file": "d/a.wav", "start": 100, "stop": 200}, "wrd": "one", "length": 3},
        "b": {"wav": {"files": ["d/b.wav", "d/c.wav"]}, "words": "two\nthree", "duration": "1.5"},
        "c": {"path": "{data_root}/c.flac", "wrd": None, "label": "four", "start": 1, "stop": 2},
    }
    one, two, three = read_text(json.dumps(rows), "speechbrain")
    assert (one.recording, one.start, one.end) == ("a", None, None)
    assert dict(one.properties) == {"start": "100", "stop": "200"}
    assert (two.recording, two.words, two.end) == ("b", ("two", "three"), 1.5)
    assert two.properties == ()
    assert (three.words, three.start, dict(three.properties)) == (
        ("four",), None, {"start": "1", "stop": "2"},
    )  # fmt: skip


def test_other_texts_of_speechbrain_are_named(read_text: ReadText) -> None:
    rows = {"a": {"wav": "a.wav", "wrd": "ONE", "words": "ONE", "trans": "one", "char": "o n e"}}
    transcript = read_text(json.dumps(rows), "speechbrain")
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(SPEECHBRAIN_TEXTS, names=["trans"])
    ]
    assert transcript[0].get("char") == "o n e"
    [other] = read_text(json.dumps(rows), "speechbrain", field="char")
    assert other.words == ("o", "n", "e")
    expected = message_text(SPEECHBRAIN_TEXT, field="x")
    assert refused(read_text, json.dumps(rows), "speechbrain", field="x") == expected


def test_speechbrain_has_lengths_from_zero_alone() -> None:
    one = Segment("a", ("x",), utterance="a", start_ns=5 * 10**8, end_ns=10**9)
    text, losses = written([one], "speechbrain")
    assert json.loads(text) == {"a": {"wav": "a", "wrd": "x"}}
    assert losses == ["segment times: 1 (the segment does not start at 0)"]
    with pytest.raises(FormatError, match="a unique utterance id"):
        written([one, one], "speechbrain")


# chime


def session(start: object, end: object, words: str = "a b", **others: object) -> str:
    row = {"session_id": "S1", "speaker": "P1", "start_time": start, "end_time": end}
    return json.dumps([{**row, "words": words, **others}])


def test_clocks_of_chime_have_any_number_of_decimals(read_text: ReadText) -> None:
    for start, end, wanted in (
        ("0:01:10.25", "00:01:12", (70.25, 72.0)),
        ("0:01:10.250", "1:00:00.5", (70.25, 3600.5)),
    ):
        [one] = read_text(session(start, end), "chime")
        assert (one.start, one.end) == wanted
    assert formats.detect(BytesIO(session("0:01:10.25", "0:01:12.00").encode())) == "chime"
    assert formats.detect(BytesIO(session("70.25", "72.0").encode())) == "seglst"


def test_each_device_of_chime_has_its_clock(read_text: ReadText) -> None:
    text = session(
        {"original": "0:00:01.00", "U01": "0:00:02.50"},
        {"original": "0:00:03.00", "U01": "0:00:04.50"},
    )
    assert formats.detect(BytesIO(text.encode())) == "chime"
    assert [s.start for s in read_text(text, "chime")] == [1.0]
    assert [(s.start, s.end) for s in read_text(text, "chime", device="U01")] == [(2.5, 4.5)]
    assert 'a member "U09"' in refused(read_text, text, "chime", device="U09")


def test_what_is_redacted_is_ignored(read_text: ReadText) -> None:
    transcript = read_text(session("0:00:01.00", "0:00:01.00", "he [redacted]"), "chime")
    assert [(s.kind, s.words) for s in transcript] == [("ignored", ("he", "[redacted]"))]
    assert codes(transcript) == ["CHIME-END"]
    _, losses = written([transcript[0].replace(kind="segment")], "chime")
    assert losses == [
        "ignored regions: 1 (segments with the word [redacted] are read back as ignored regions)"
    ]
    with pytest.raises(FormatError) as caught:
        written([transcript[0].replace(start_ns=None)], "chime")
    assert caught.value.value == Message(NO_TIMES, {"format": "chime"})
    properties = (("lang", "en"), ("location", "kitchen"))
    assert written([transcript[0].replace(properties=properties)], "chime")[1] == ["properties: 1"]
