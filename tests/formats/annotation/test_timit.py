"""timit: samples, phones, sentences, names from directories."""

from functools import partial
from pathlib import Path

import pytest

import formats
from formats import LossError, OptionError, Segment, SyntaxFormatError
from formats.annotation.messages import OVERLAP_LABEL
from formats.annotation.timit import sniff
from formats.detection.spec import Sniff
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import message_of, remark_line
from tests.formats.conftest import ReadText
from tests.tables import table_of

written = partial(checks.written, "timit")


def test_words(read_text: ReadText) -> None:
    transcript = read_text("0 8000 h#\n8000 12000 hello\n11900 16800 world\n", "timit")
    spoken, silence = transcript
    assert (spoken.words, spoken.starts) == (("hello", "world"), (0.5, 0.74375))
    assert spoken.ends_ns == (750_000_000, 1_050_000_000)
    assert (silence.kind, silence.words, silence.end) == ("event", ("h#",), 0.5)
    assert [str(d) for d in transcript.diagnostics] == [remark_line(OVERLAP_LABEL, 3)]
    assert read_text("0 8000 a\n", "timit", rate=8000)[0].ends == (1.0,)


def test_a_sentence(read_text: ReadText) -> None:
    (segment,) = read_text("0 46797 She had her  suit.\n", "timit")
    assert segment.words == ("She", "had", "her", "suit.")
    assert (segment.start, segment.end_ns, segment.starts) == (0.0, 2_924_812_500, None)


@pytest.mark.parametrize(
    ("path", "recording", "speaker", "tier"),
    [
        ("dr1/FCJF0/SA1.WRD", "FCJF0_SA1", "FCJF0", None),
        ("fcjf0/sa1.phn", "fcjf0_sa1", "fcjf0", "phones"),
        ("reference/sa1.wrd", "sa1", None, None),
    ],
)
def test_names(
    tmp_path: Path, path: str, recording: str, speaker: str | None, tier: str | None
) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True)
    place.write_text("0 16 a\n16 32 h#\n")
    transcript = formats.read(place)
    assert transcript.format == "timit"
    assert {(s.recording, s.speaker, s.tier) for s in transcript} == {(recording, speaker, tier)}
    assert formats.read(place, recording="other")[0].recording == "other"


@each_case(("text", "message"), table_of(__file__, "refusals"))
def test_refusals(read_text: ReadText, text: str, message: str) -> None:
    assert message_of(SyntaxFormatError, lambda: read_text(text, "timit")) == f"<stream>:{message}"
    assert read_text(f"{text}\n16 32 b\n", "timit", tolerance="lenient")[0].words == ("b",)


def test_writing() -> None:
    segment = Segment.of("rec", ["b", "a"], starts=[0.5, 0.0001], ends=[0.75, 0.5])
    pauses = [
        Segment.of("rec", ["pau"], start=0.75, end=1, kind="event"),
        Segment.of("rec", ["laugh"], start=0.75, end=1, kind="event"),
    ]
    text, losses = written(segment, *pauses)
    assert text == "2 8000 a\n8000 12000 b\n12000 16000 pau\n"
    assert losses == [
        "decimals of times: 1 (rounded to 1/16000 s)", "events: 1 (dropped)",
        "order of words: 2 (sorted by start)",
    ]  # fmt: skip
    assert written(segment, rate=8000)[0] == "1 4000 a\n4000 6000 b\n"


def test_what_cannot_be_written(read_text: ReadText) -> None:
    assert message_of(
        LossError, lambda: written(Segment.of("rec", ["epi"], starts=[0], ends=[1], line=2))
    ) == (
        'rec:2: expected a word that the format can hold, found "epi", which would be read as a pause'
    )
    assert (
        message_of(
            LossError, lambda: written(Segment.of("rec", ["a"], starts=[1], ends=[0], line=2))
        )
        == 'rec:2: expected times in order for the word "a", found 1.0 to 0.0'
    )
    for action in (lambda: written(rate=0), lambda: read_text("0 1 a\n", "timit", rate=0)):
        assert (
            message_of(OptionError, action)
            == "expected a rate of 1 sample per second or more, found 0"
        )


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["0 16 a", "16 32 b"], Sniff.MAYBE),
        (["0 16"], Sniff.NO),
        (["16 0 a"], Sniff.NO),
        ([], Sniff.NO),
    ],
)
def test_sniff(lines: list[str], answer: Sniff) -> None:
    assert sniff(lines) is answer
