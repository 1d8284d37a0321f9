"""Lines with identifiers before texts, and what is beside them and no turn."""

import contextlib
from io import BytesIO

import pytest

import formats
from formats import Segment, Transcript
from formats.detection.errors import AmbiguousFormatError
from formats.io.messages import DATA_LEFT
from formats.kaldi.messages import KALDI_CODES, KALDI_COLUMNS
from formats.meetings.messages import TIMES_IN_HOURS, TOO_FAST, TURNS_ALIKE
from formats.subtitles.messages import CUE_LANGUAGES
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.remarks import fields_of


def read(text: str) -> Transcript:
    return formats.read(named(text))


def lines(template: str, texts: list[str] = SAID) -> str:
    return "".join(template.format(n=n, x=x) for n, x in enumerate(texts))


def test_signs_inside_identifiers_begin_no_turn() -> None:
    text = "".join(f"AB1_H{n % 2}-utt{n} {x}\n" for n, x in enumerate(SAID))
    found = read(text)
    assert [segment.utterance for segment in found] == [
        f"AB1_H{n % 2}-utt{n}" for n in range(len(SAID))
    ]
    speakers = "".join(f"AB1_H{n % 2}-utt{n} AB1_H{n % 2}\n" for n in range(12))
    with pytest.raises(formats.UnknownFormatError):
        formats.detect(BytesIO(speakers.encode()))


@each_case(
    "template",
    ["{i},{x}\n", "{i}, {x}\n", "{i};{x}\n", "{i}={x}\n", "{i}:{x}\n", "{i} : {x}\n", "[{i}] {x}\n",
     '( {i} "{x}" )\n'],
)  # fmt: skip
@each_case(("name", "is_audio"), [("utt_{n}", False), ("a/b-{n}.wav", True)])
def test_signs_separate_identifiers_from_texts(template: str, name: str, is_audio: bool) -> None:
    found = read(lines(template.replace("{i}", name)))
    assert [" ".join(segment.words) for segment in found] == SAID
    names = [segment.recording if is_audio else segment.utterance for segment in found]
    ids = [f"b-{n}" if is_audio else f"utt_{n}" for n in range(len(SAID))]
    assert names == ids


@pytest.mark.parametrize(
    "template", ["w/b-{n}.wav {x}\n", "b-{n}.mp3\t{x}\n", "b-{n}.flac    {x}\n"]
)
def test_blanks_separate_audio_files_from_texts(template: str) -> None:
    found = read(lines(template))
    assert [" ".join(segment.words) for segment in found] == SAID
    assert [segment.recording for segment in found] == [f"b-{n}" for n in range(len(SAID))]


def test_times_may_stand_behind_words() -> None:
    words = ["so", "we", "went", "to", "the", "sea"]
    found = read("".join(f"{x} 0.{n} 0.{n + 1}\n" for n, x in enumerate(words)))
    assert [(s.start, *s.words) for s in found] == [(n / 10, x) for n, x in enumerate(words)]
    lexicon = "".join(f"{x} 0.{9 - n} 0.5\n" for n, x in enumerate(words))
    assert read(lexicon).format == "txt"


def test_texts_may_touch_the_times_before_them() -> None:
    for template in ("0:{n:02}{x}\n", "00:00:{n:02},000 {x}\n"):
        found = read(lines(template))
        assert [(s.start, " ".join(s.words)) for s in found] == [*enumerate(SAID)]


def test_the_fields_of_a_table_are_no_text_behind_an_identifier() -> None:
    assert read(lines("utt-{n},{n}.5,{x}\n")).format == "txt"
    transcript = read(lines("utt-{n}\t{x}\t0.{n}\n"))
    assert transcript.format == "tsv"
    assert [" ".join(segment.words) for segment in transcript] == list(SAID)


def test_fields_that_tabs_separate_are_reported_in_a_kaldi_text() -> None:
    text = lines("utt-{n}\t{x}\t0.{n}\n")
    found = formats.read(BytesIO(text.encode()), "kaldi")
    assert fields_of(found.diagnostics, KALDI_COLUMNS) == [{"columns": 3}]


@pytest.mark.parametrize("code", ["F", "0.9"])
def test_codes_that_begin_all_texts_of_kaldi_are_reported(code: str) -> None:
    found = formats.read(BytesIO(lines(f"utt-{{n}} {code} {{x}}\n").encode()), "kaldi")
    assert fields_of(found.diagnostics, KALDI_CODES) == [{"text": code}]
    found = formats.read(BytesIO(lines("utt-{n} {x}\n").encode()), "kaldi")
    assert not fields_of(found.diagnostics, KALDI_CODES)


def test_numbers_of_one_length_are_identifiers() -> None:
    found = read(lines("{n:04} {x}\n"))
    assert [segment.utterance for segment in found] == [f"{n:04}" for n in range(len(SAID))]
    assert read(lines("{n} {x}\n")).format == "txt"


def test_numbers_that_count_texts_are_reported() -> None:
    found = read(lines("utt_{n}, {n}.{x}\n"))
    (fields,) = fields_of(found.diagnostics, TURNS_ALIKE)
    assert (fields["count"], fields["text"]) == (len(SAID), "0.")


@pytest.mark.parametrize("names", [("REF", "HYP"), ("Reference", "Hypothesis")])
def test_references_and_hypotheses_do_not_speak(names: tuple[str, str]) -> None:
    text = "".join(f"{name}: {x}\n" for x in SAID[:3] for name in names)
    with contextlib.suppress(AmbiguousFormatError):
        assert read(text).format == "txt"


def test_seconds_with_a_unit_are_never_minutes() -> None:
    found = read(lines("[{n:03}.00s] {x} and so on and on, as it was and as it will be\n"))
    assert [segment.start_ns for segment in found] == [n * 10**9 for n in range(len(SAID))]
    assert not fields_of(found.diagnostics, TIMES_IN_HOURS)
    assert fields_of(found.diagnostics, TOO_FAST)


def test_hours_and_minutes_beside_times_with_halves_of_the_day() -> None:
    clocks = ["10:00 AM", "10:01", "10:03", "10:04", "10:09", "10:12", "10:15", "10:59"]
    rows = zip(clocks, ["Ann", "Bob"] * 4, SAID, strict=True)
    found = turns("".join(f"[{clock}] {name}: {x}\n" for clock, name, x in rows))
    assert [start for _, start, _ in found] == [0, 60, 180, 240, 540, 720, 900, 3540]


def test_names_that_return_are_turns_whatever_their_times_are() -> None:
    rows = zip(["Ann", "Bob", "Cy"] * 5, [*SAID, *SAID[1:]], strict=True)
    text = "".join(f"**[{10 * n}:00 - {name}]**\n{x}\n\n" for n, (name, x) in enumerate(rows))
    assert [name for name, _, _ in turns(text)] == ["Ann", "Bob", "Cy"] * 5


def test_a_long_part_below_a_rule_is_text() -> None:
    text = "".join(f"{name}: {x}\n" for name, x in zip(["Ann", "Bob"] * 4, SAID, strict=True))
    speech = "so it was and so it will be\n"
    assert len(turns(f"{text}-----\n{speech * 20}")[-1][2].split()) > 100
    assert turns(f"{text}-----\nso it was\n")[-1][2] == SAID[-1]


def test_the_title_of_the_transcript_ends_the_head_of_a_document() -> None:
    head = "Format:\nU1: user | U2: system\n\n---- Transcript ----\n\n"
    rows = "".join(f"U{1 + n % 2}: {x}\n" for n, x in enumerate(SAID * 3))
    assert [text for _, _, text in turns(head + rows)] == SAID * 3


def test_a_tag_that_nothing_closes_is_a_word() -> None:
    assert turns("Ann: so it <a> was\nBob: yes <b> it was\nAnn: no\n")[0][2] == "so it <a> was"


def test_two_languages_in_each_cue_are_reported() -> None:
    def cues(rows: list[tuple[str, str]]) -> Transcript:
        parts = (
            f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{first}\n{second}\n\n"
            for n, (first, second) in enumerate(rows, 1)
        )
        return formats.read(BytesIO("".join(parts).encode()), "srt")

    both = cues([("так это было", "so it was"), ("ну что же", "well then")] * 5)
    assert fields_of(both.diagnostics, CUE_LANGUAGES) == [
        {"cues": 10, "total": 10, "first": "так это было", "second": "so it was"}
    ]
    assert not fields_of(
        cues([("so it was", "and then"), ("well", "so")] * 5).diagnostics, CUE_LANGUAGES
    )


@pytest.mark.parametrize("target", ["jsonl", "csv", "tsv", "parquet"])
def test_texts_that_look_like_data_are_read_from_our_own_tables(target: str) -> None:
    said = [Segment("r", ('{"id":', f"{n}}}"), utterance=f"u{n}") for n in range(5)]
    written = BytesIO()
    formats.write(Transcript(said), written, target)
    written.seek(0)
    found = formats.read(written, target)
    assert [segment.words for segment in found] == [segment.words for segment in said]
    assert fields_of(found.diagnostics, DATA_LEFT)
