"""Names of speakers before texts, in the notations of recognisers and people; shapes of exports."""

from io import BytesIO

import pytest

import formats
from formats import Transcript
from formats.nist.messages import TXT_SHAPES, TXT_TABLE
from formats.reading.speakers import common_prefix
from formats.schema.messages import Entry
from formats.subtitles.messages import NAMES_LEFT
from tests.each_case import each_case
from tests.formats.conftest import ReadText
from tests.remarks import said

TEXTS = ("hello there my friend", "good morning", "very well thank you", "that is good")
NOTATIONS = {
    "Speaker 1: ": "Speaker 1",
    "SPEAKER_01: ": "SPEAKER_01",
    "[Speaker 1] ": "Speaker 1",
    "(speaker 1) ": "speaker 1",
    "Anna 1: ": "Anna 1",
    ">> Anna 1: ": "Anna 1",
    "Спикер №1: ": "Спикер №1",
    "S1: ": "S1",
    "<v Speaker 1>": "Speaker 1",
    "[SPEAKER_01]: ": "SPEAKER_01",
    "- Speaker 1: ": "Speaker 1",
    "说话人1：": "说话人1",
}


def lines(notation: str) -> list[str]:
    return [notation.replace("1", str(1 + n % 2)) + text for n, text in enumerate(TEXTS)]


def as_format(name: str, texts: list[str]) -> str:
    if name in ("txt", "speaker-text"):
        return "\n".join(texts) + "\n"
    mark = "," if name == "srt" else "."
    cues = (
        f"{n}\n00:00:{n:02}{mark}000 --> 00:00:{n:02}{mark}900\n{text}\n"
        for n, text in enumerate(texts, 1)
    )
    return ("WEBVTT\n\n" if name == "vtt" else "") + "\n".join(cues)


def spoken(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(s.speaker, " ".join(s.words)) for s in transcript]


def test_a_few_names_in_capitals_are_speakers_of_subtitles(read_text: ReadText) -> None:
    texts = [f"so it was {n}" for n in range(59)]
    for n, name in {3: "ANNA:", 9: "BEN: ", 20: "ANNA:- ", 31: "BEN:", 50: "A MAN:"}.items():
        texts[n] = name + texts[n]
    texts[40] = "Note: " + texts[40]
    read = read_text(as_format("vtt", texts), "vtt")
    names = [(n, segment.speaker) for n, segment in enumerate(read) if segment.speaker]
    assert names == [(3, "ANNA"), (9, "BEN"), (20, "ANNA"), (31, "BEN"), (50, "A MAN")]
    assert sum(len(segment.words) for segment in read) == 59 * 4 + 1  # a dash is no word
    assert [d.code for d in read.diagnostics] == ["SPEAKER-NAMES", "CUE-DASHES"]


def test_a_rare_name_above_the_text_is_a_speaker_if_nearly_all_cues_have_one(
    read_text: ReadText,
) -> None:
    names = ["Ann Ex", "Bob Lee"] * 15
    names[7], names[20], names[25] = "Zoë van Berg", "LEE, Jo (she/her)", "Guest 4"
    texts = [f"{name}\nso it was {n}" for n, name in enumerate(names)]
    texts[12] = "and then they went\nso it was 12"
    read = read_text(as_format("vtt", texts), "vtt")
    speakers = [segment.speaker for segment in read]
    assert speakers == [*names[:12], None, *names[13:]]
    texts = [text if n % 10 else f"And so it went {n}\nLee" for n, text in enumerate(texts)]
    read = read_text(as_format("vtt", texts), "vtt")
    assert {segment.speaker for segment in read} == {"Ann Ex", "Bob Lee", None}


@pytest.mark.parametrize("form", ["{}: so it was", "（{}）そうです", "({}) so it was"])
def test_names_of_too_few_cues_are_counted_and_shown(form: str, read_text: ReadText) -> None:
    texts = [f"so it was {n}" for n in range(59)]
    for n, name in zip(range(3, 59, 13), ("Ann Ex", "Bob") * 3, strict=False):
        texts[n] = form.format(name)
    read = read_text(as_format("vtt", texts), "vtt")
    assert not any(segment.speaker for segment in read)
    note = read.diagnostics[0]
    assert {d.code for d in read.diagnostics[1:]} <= {"CUE-SIGNS"}
    assert note.value.entry is NAMES_LEFT
    assert note.value.fields == {"count": 5, "total": 59, "text": texts[3]}


@each_case("name", ["srt", "vtt", "speaker-text"])
@each_case("notation", NOTATIONS)
def test_names_before_texts_are_speakers(read_text: ReadText, name: str, notation: str) -> None:
    first = NOTATIONS[notation]
    second = first.replace("1", "2")
    transcript = read_text(as_format(name, lines(notation)), name)
    assert spoken(transcript) == list(zip((first, second) * 2, TEXTS, strict=True))


@pytest.mark.parametrize(
    "texts",
    [
        ["Remember: wash", "your hands", "and feet", "twice"],
        ["[music]", "hello", "[music]", "you", "[music]", "there"],
        ["Note: one", "Tip: two", "Hint: three"],
        ["at 10:30: yes", "at 11:30: no", "at 12:30: well"],
    ],
)
def test_single_names_are_text(read_text: ReadText, texts: list[str]) -> None:
    assert {s.speaker for s in read_text(as_format("srt", texts), "srt")} == {None}


def test_names_that_return_are_speakers_among_other_texts(read_text: ReadText) -> None:
    texts = ["Anna: hi", "well", "Ben: oh", "so", "Anna: yes", "Sign: exit", "Ben: no", "by", "e"]
    transcript = read_text(as_format("srt", texts), "srt")
    assert [s.speaker for s in transcript] == [
        "Anna", None, "Ben", None, "Anna", None, "Ben", None, None,
    ]  # fmt: skip
    assert transcript[5].words == ("Sign:", "exit")
    assert [d.code for d in transcript.diagnostics] == ["SPEAKER-NAMES"]
    assert read_text(as_format("srt", texts), "srt", speaker_names=False)[0].words[0] == "Anna:"


def test_parts_of_makers_of_a_song_are_no_speakers(read_text: ReadText) -> None:
    makers = ["作曲：安娜\n吉他：本", "编曲：本\n混音：安娜"]
    song = ["春天来了", "花开了", "鸟儿唱歌", "我们走吧"]
    transcript = read_text(as_format("srt", [*makers, *song, *makers]), "srt")
    assert {s.speaker for s in transcript} == {None}
    assert "CUE-CREDITS" in [d.code for d in transcript.diagnostics]
    talk = ["安娜：你好", "本：你好", "安娜：作曲：难吗", "本：不难", "安娜：再见", "本：再见"]
    assert {s.speaker for s in read_text(as_format("srt", talk), "srt")} == {"安娜", "本"}


SHORT_NAMES = ["Anna: hi", "well", "Ben: oh", "so", "Anna: yes", "it is", "Ben: no", "by", "e"]


@each_case("name", ["Anna Ex", "Ben Ex-Ample", "Anna Maria Ex"])
def test_a_full_name_of_a_known_first_name_is_a_speaker(read_text: ReadText, name: str) -> None:
    texts = [f"{name}: hello and", "welcome", *SHORT_NAMES]
    transcript = read_text(as_format("srt", texts), "srt")
    assert spoken(transcript)[:3] == [(name, "hello and"), (None, "welcome"), ("Anna", "hi")]


@each_case("text", ["Cleo Ex: hello", "Anna says: hello", "Anna, Ex: hello", "Ex Anna: hello",
                    "Annas Ex: hello", "Anna 10:30: hello", "Anna is The Name: of it"])  # fmt: skip
def test_other_words_before_a_colon_are_no_full_names(read_text: ReadText, text: str) -> None:
    transcript = read_text(as_format("srt", [text, "welcome", *SHORT_NAMES]), "srt")
    assert spoken(transcript)[0] == (None, text)


def test_lines_of_one_cue_may_have_speakers_of_their_own(read_text: ReadText) -> None:
    transcript = read_text(as_format("srt", ["Anna: hi\nBen: oh", "Anna: yes", "Ben: no"]), "srt")
    assert spoken(transcript)[:2] == [("Anna", "hi"), ("Ben", "oh")]
    assert transcript[0].start == transcript[1].start == 1.0


def test_sounds_are_no_names() -> None:
    assert common_prefix(["[music] a", "b", "[music] c", "d", "[door] e", "[door] f", "g"]) is None


SHAPES = {
    "[1.0s - 1.9s] spk1: a b\n[2s - 3s] spk2: c\n[3.5s - 4s] spk1: d\n": [
        ("spk1", 1.0, 1.9, "a b"), ("spk2", 2.0, 3.0, "c"), ("spk1", 3.5, 4.0, "d"),
    ],
    "[0:00:01.031 - 0:00:01.900] SPEAKER 1:\na b\n\n[0:00:02 - 0:00:03] SPEAKER 2:\nc\n\n"
    "[0:00:03 - 0:00:04] SPEAKER 1:\nd\n": [
        ("SPEAKER 1", 1.031, 1.9, "a b"), ("SPEAKER 2", 2.0, 3.0, "c"), ("SPEAKER 1", 3.0, 4.0, "d"),
    ],
    "SPEAKER_00 [0.42s-1.63s]: a\nSPEAKER_01 [2s-3s]: b\nSPEAKER_00 [4s-5s]: c\n": [
        ("SPEAKER_00", 0.42, 1.63, "a"), ("SPEAKER_01", 2.0, 3.0, "b"), ("SPEAKER_00", 4.0, 5.0, "c"),
    ],
    "[0.0] speaker 1: a\n[2.44] speaker 2: b\n[3.5] speaker 1: c\n": [
        ("speaker 1", 0.0, None, "a"), ("speaker 2", 2.44, None, "b"), ("speaker 1", 3.5, None, "c"),
    ],
    "00:08:04,930 --> 00:08:13,650 [speaker_0]\na\nb\n\n00:08:13,670 --> 00:08:14,740 [speaker_1]\n"
    "c\n\n00:08:15,000 --> 00:08:16,000 [speaker_0]\nd\n": [
        ("speaker_0", 484.93, 493.65, "a b"), ("speaker_1", 493.67, 494.74, "c"),
        ("speaker_0", 495.0, 496.0, "d"),
    ],
    "第 1 段（00:00:00 → 00:05:01）\na\n\n第 2 段（00:05:01 → 00:06:00）\nb\n\n"
    "第 3 段（00:06:00 → 00:07:00）\nc\n": [
        (None, 0.0, 301.0, "a"), (None, 301.0, 360.0, "b"), (None, 360.0, 420.0, "c"),
    ],
    "ANNE:\na b\n0:24\nc\n0:30\nd\nBEN:\ne\n0:37\nf\nANNE:\ng\n0:40\nh\nBEN:\ni\n0:50\nj\n": [
        ("ANNE", None, None, "a b"), ("ANNE", 24.0, None, "c"), ("ANNE", 30.0, None, "d"),
        ("BEN", None, None, "e"), ("BEN", 37.0, None, "f"), ("ANNE", None, None, "g"),
        ("ANNE", 40.0, None, "h"), ("BEN", None, None, "i"), ("BEN", 50.0, None, "j"),
    ],
    "Speaker 1: a\nSpeaker 1: b\nSpeaker 1: c\nSpeaker 1: d\nSpeaker 1: e\n": [
        ("Speaker 1", None, None, text) for text in "abcde"
    ],
}  # fmt: skip


@each_case("text", SHAPES)
def test_shapes_of_exports(read_text: ReadText, text: str) -> None:
    transcript = read_text(text, None)
    assert transcript.format == "speaker-text"
    assert [(s.speaker, s.start, s.end, " ".join(s.words)) for s in transcript] == SHAPES[text]


@pytest.mark.parametrize(
    "lines",
    [
        ["[0.0s - 1.0s] Ann: hi", "[1.0s - 2.0s] well", "[2.0s - 3.0s] Bob: so", "[3.0s - 4.0s] Ann: ok"],
        [
            "[00:00.000 --> 00:01.000] [Ann]: hi", "[00:01.000 --> 00:02.000] well",
            "[00:02.000 --> 00:03.000] [Bob]: so", "[00:03.000 --> 00:04.000] [Ann]: ok",
        ],
    ],
)  # fmt: skip
def test_names_behind_times_are_speakers_where_some_turns_have_none(
    read_text: ReadText, lines: list[str]
) -> None:
    transcript = read_text("\n".join(lines) + "\n", "speaker-text")
    assert spoken(transcript) == [("Ann", "hi"), (None, "well"), ("Bob", "so"), ("Ann", "ok")]
    assert transcript[3].start == 3.0
    assert "SPEAKER-NAMES" in [d.code for d in transcript.diagnostics]


def test_names_and_times_in_brackets(read_text: ReadText) -> None:
    text = "[SPEAKER_00][0:01] hi\n[SPEAKER_01][0:02] so\n[SPEAKER_00][0:03 - 0:04] ok\n"
    transcript = read_text(text, "speaker-text")
    assert [(s.speaker, s.start, s.end, s.words) for s in transcript] == [
        ("SPEAKER_00", 1.0, None, ("hi",)),
        ("SPEAKER_01", 2.0, None, ("so",)),
        ("SPEAKER_00", 3.0, 4.0, ("ok",)),
    ]


@pytest.mark.parametrize(
    ("text", "entry", "fields"),
    [
        ("Ann | 0:01 | hi\nBob | 0:02 | yo\n", TXT_TABLE, {"separator": "|"}),
        ("0.5,1,A,hi\n1,2,B,yo\n", TXT_TABLE, {"separator": ","}),
        (
            "<Ann> hi\n<Bob> yo\n<Ann> x\n",
            TXT_SHAPES["name-in-brackets"],
            {"lines": 3, "total": 3},
        ),
    ],
)
def test_plain_text_warns_of_tables_and_names(
    read_text: ReadText, text: str, entry: Entry, fields: dict[str, object]
) -> None:
    assert said(read_text(text, "txt").diagnostics[:1]) == [(entry.key, fields)]


def test_labels_with_names_are_no_callhome() -> None:
    assert formats.detect(BytesIO(b"0.0\t1.5\tA: hi\n1.5\t2.5\tB: yo\n")) == "audacity"
    assert formats.detect(BytesIO(b"0.0 1.5 A: hi\n1.5 2.5 B: yo\n")) == "callhome"
