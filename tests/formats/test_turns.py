"""Turns of speakers without words: on their way into formats of text, and from labels."""

from io import BytesIO, StringIO
from pathlib import Path

import pytest

import formats
from formats import Transcript
from formats.cli.messages import NONE_FITS, NONE_LEFT, OUTPUT_EMPTY
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.conftest import ReadText, RunCommand

TURNS = (
    "SPEAKER rec1 1 0.500 2.000 <NA> <NA> Anna <NA> <NA>\n"
    "SPEAKER rec1 1 2.000 1.500 <NA> <NA> Ben <NA> <NA>\n"
    "SPEAKER rec1 1 4.000 1.000 <NA> <NA> Anna <NA> <NA>\n"
)
EXPECTED = [("Anna", 0.5, 2.5, ()), ("Ben", 2.0, 3.5, ()), ("Anna", 4.0, 5.0, ())]


def said(transcript: Transcript) -> list[tuple[str | None, float | None, float | None, object]]:
    rows = [(s.speaker, s.start, s.end, s.words) for s in transcript]
    return sorted(rows, key=lambda row: row[1] or 0)


@each_case("name", ["textgrid", "eaf", "srt", "vtt", "ass", "audacity", "seglst"])
def test_turns_come_back_from_formats_of_text(read_text: ReadText, name: str) -> None:
    output = StringIO()
    formats.write(read_text(TURNS, "rttm"), output, name)
    options = {"label_is": "speaker"} if name == "audacity" else {}
    back = formats.read(BytesIO(output.getvalue().encode()), name, **options)  # type: ignore[arg-type]
    assert said(back) == EXPECTED
    again = StringIO()
    formats.write(back, again, "rttm")
    lines = [line.split() for line in again.getvalue().splitlines()]
    assert [(line[7], line[3], line[4]) for line in lines] == [
        ("Anna", "0.500", "2.000"), ("Ben", "2.000", "1.500"), ("Anna", "4.000", "1.000"),
    ]  # fmt: skip


def test_names_are_the_labels_of_turns(read_text: ReadText) -> None:
    output = StringIO()
    losses = formats.write(read_text(TURNS, "rttm"), output, "audacity")
    assert output.getvalue().splitlines()[0] == "0.500000\t2.500000\tAnna"
    rule = "the speaker's name is written as the text"
    assert ("turns without words", 3, rule) in [
        (loss.what, loss.count, loss.rule) for loss in losses
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("audacity", "0.5\t2.5\tAnn Lee\n3\t4\tBen\n"),
        ("csv", "start,end,text\n0.5,2.5,Ann Lee\n3,4,Ben\n"),
        ("tsv", "start\tend\ttext\n0.5\t2.5\tAnn Lee\n3\t4\tBen\n"),
    ],
)
def test_labels_may_be_speakers(read_text: ReadText, name: str, text: str) -> None:
    turns = said(read_text(text, name, label_is="speaker"))
    assert turns == [("Ann Lee", 0.5, 2.5, ()), ("Ben", 3.0, 4.0, ())]
    assert read_text(text, name)[0].words == ("Ann", "Lee")


LABELS = [("SPEAKER_01", "SPEAKER_00", "SPEAKER_01")[n % 3] for n in range(6)]
FORMS_OF_LABELS = {
    "srt": "{n}\n00:00:0{n},000 --> 00:00:0{n},500\n{name}\n\n",
    "vtt": "00:00:0{n}.000 --> 00:00:0{n}.500\n[{name}]\n\n",
    "audacity": "{n}.000000\t{n}.500000\t{name}\n",
    "csv": "{n}.0,{n}.5,{name}\n",
    "jsonl": '{{"start": {n}.0, "end": {n}.5, "text": "{name}"}}\n',
}
LINES_OF_LABELS = (
    "{n}.00 --> {n}.50 | {name}", "{n}.00 {n}.50 {name}", "({n}.00, {n}.50) {name}",
    "[{n}.00, {n}.50] {name}", "{name} | {n}.00 | {n}.50", "{name}\t{n}.00\t{n}.50",
    "[00:0{n}.000 --> 00:0{n}.500] {name}",
)  # fmt: skip
ABOVE = {"vtt": "WEBVTT\n\n", "csv": "start,end,text\n"}


@each_case("form", [*FORMS_OF_LABELS, *LINES_OF_LABELS])
def test_a_file_of_nothing_but_labels_has_turns_without_words(
    form: str, read_text: ReadText
) -> None:
    line, name = FORMS_OF_LABELS.get(form, f"{form}\n"), form if form in FORMS_OF_LABELS else None
    rows = [line.format(n=n, name=label) for n, label in enumerate(LABELS, 1)]
    transcript = read_text(ABOVE.get(form, "") + "".join(rows), name)
    assert said(transcript) == [(label, n, n + 0.5, ()) for n, label in enumerate(LABELS, 1)]
    if form in FORMS_OF_LABELS:
        assert "LABELS-AS-SPEAKERS" in [remark.code for remark in transcript.diagnostics]


@each_case("texts", [["yes", "no"] * 3, [*LABELS, "so it was"], ["Speaker 1", "Speaker 2"]])
def test_other_texts_are_no_labels_of_speakers(texts: list[str], read_text: ReadText) -> None:
    rows = [FORMS_OF_LABELS["srt"].format(n=n, name=text) for n, text in enumerate(texts, 1)]
    transcript = read_text("".join(rows), "srt")
    assert [" ".join(segment.words) for segment in transcript] == texts


def test_who_says_that_labels_are_the_text_is_heard(read_text: ReadText) -> None:
    track = "".join(
        FORMS_OF_LABELS["audacity"].format(n=n, name=label) for n, label in enumerate(LABELS, 1)
    )
    transcript = read_text(track, "audacity", label_is="text")
    assert [segment.words for segment in transcript] == [(label,) for label in LABELS]


def test_an_output_without_records_fails_and_says_why(
    run_command: RunCommand, tmp_path: Path
) -> None:
    turns = tmp_path / "a.rttm"
    turns.write_text(TURNS)
    status, _, errors = run_command("convert", str(turns), str(tmp_path / "a.txt"))
    assert status == 3
    assert ("a.txt: " + message_text(NONE_FITS, segments=3, to="txt")) in errors
    status, _, errors = run_command("convert", str(turns), str(tmp_path / "a.srt"))
    assert status == 0
    assert "no record" not in errors


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"message": "AddTranscript", "format": "2.7", "results": [], "metadata": {}}'),
        ("a.ctm", ";; nothing was said\n"),
    ],
)
def test_a_file_that_validly_has_no_record_is_converted(
    run_command: RunCommand, tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    status, _, errors = run_command("convert", str(path), str(tmp_path / "b.jsonl"))
    assert (status, (tmp_path / "b.jsonl").read_text()) == (0, "")
    assert "note:" in errors
    assert ("b.jsonl: " + message_text(OUTPUT_EMPTY)) in errors


def test_a_selection_that_leaves_nothing_fails(run_command: RunCommand, tmp_path: Path) -> None:
    turns = tmp_path / "a.rttm"
    turns.write_text(TURNS)
    outcome = run_command(
        "convert", str(turns), str(tmp_path / "b.rttm"), "--only-speaker", "nobody"
    )
    assert outcome[0] == 3
    assert message_text(NONE_LEFT) in outcome[2]


@each_case(
    ("name", "text", "turns"),
    [
        (
            None,
            '[{"start": 0.5, "end": 2.5, "speaker": "A"}, {"start": 3.0, "end": 4.0, "speaker": "B"}]',
            [("A", 0.5, 2.5, ()), ("B", 3.0, 4.0, ())],
        ),
        (
            None,
            '{"segments": [{"speakerId": "s1", "startMs": 500, "endMs": 2500}]}',
            [("s1", 0.5, 2.5, ())],
        ),
        (
            None,
            "".join(
                f'{{"audio_filepath": "a.wav", "offset": {n}.5, "duration": 1.5, "label": "UNK"}}\n'
                for n in range(2)
            ),
            [(None, 0.5, 2.0, ()), (None, 1.5, 3.0, ())],
        ),
        (
            None,
            "talk 7.040 7.440 speaker_1\ntalk 7.720 8.160 speaker_2\n",
            [("speaker_1", 7.04, 7.44, ()), ("speaker_2", 7.72, 8.16, ())],
        ),
        (
            "audacity",
            "0.1\t0.6\t[2] why\n0.64\t0.82\t[1] so\n",
            [("2", 0.1, 0.6, ("why",)), ("1", 0.64, 0.82, ("so",))],
        ),
    ],
)
def test_lists_of_turns(
    name: str | None, text: str, turns: list[tuple[str | None, float, float, tuple[str, ...]]]
) -> None:
    assert said(formats.read(BytesIO(text.encode()), name)) == turns


def test_text_with_speakers_and_stamps_comes_back(read_text: ReadText) -> None:
    source = read_text(
        "".join(f"rec 1 S{n % 2} {n}.5 {n + 1} hello {n}\n" for n in range(4)), "stm"
    )
    output = StringIO()
    formats.write(source, output, "txt", speaker_prefix=True, stamps=True)
    assert output.getvalue().splitlines()[0] == "[00:00:00.500] S0: hello 0"
    back = read_text(output.getvalue(), "speaker-text")
    expected = [(s.speaker, s.start, s.words) for s in source]
    assert [(s.speaker, s.start, s.words) for s in back] == expected
