"""Oddities of fstalign's tables of tokens."""

from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats import LossError, Segment, Transcript
from formats.manifests.messages import NLP_COLUMNS
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.json.reading import read, refusal, said

HEAD = "token|speaker|ts|endTs|punctuation|case|tags|wer_tags\n"


def test_columns_are_found_by_name() -> None:
    text = 'token | speaker|tags|endTs | ts|oldTs|confidence\n"\t|1|[]| 2.0|1.5 ||0.5\n'
    transcript = read(text, "nlp")
    assert (transcript[0].words, transcript[0].starts, transcript[0].confidences) == (
        ('"',), (1.5,), (0.5,),
    )  # fmt: skip
    assert said(transcript) == [
        ("note: " + message_text(NLP_COLUMNS, names=["oldTs"]) + " [NLP-COLUMNS]")
    ]


def test_case_and_punctuation_make_display_forms() -> None:
    rows = "hello|1|||,|UC|[]|[]\nok|1||||CA|[]|[]\niPad|1|||.|MC|[]|[]\n<laugh>|1|||!||[]|[]\n"
    segment, event = read(HEAD + rows, "nlp")
    assert segment.displays == ("Hello,", "OK", "iPad.")
    assert (event.kind, event.words, event.displays) == ("event", ("<laugh>",), ("<laugh>!",))


def test_rows_of_marks_belong_to_the_word_before() -> None:
    rows = "a|1|1.0|2.0||LC|[]|[]\n,|1|1.0|2.0|||[]|[]\n,|1|3.0|4.0|||[]|[]\n"
    [segment] = read(HEAD + rows, "nlp")
    assert (segment.words, segment.displays) == (("a", ","), ("a,", None))


def test_a_segment_for_each_token() -> None:
    rows = (
        "a|1||||LC|['5:TIME', '6:DATE']|['0', '6']\n<laugh>|1|||||[]|[]\n"
        "b|1|1.0|2.0||LC|[]|[]\n,|1|1.0|2.0|||[]|[]\nc|2||||LC|['5:TIME']|[]\n"
    )
    segments = list(read(HEAD + rows, "nlp", level="word"))
    assert [(s.kind, s.words, s.properties) for s in segments] == [
        ("segment", ("a",), (("tags", "5:TIME,6:DATE"), ("wer_tags", "0,6"))),
        ("event", ("<laugh>",), ()),
        ("segment", ("b",), ()),
        ("segment", ("c",), (("tags", "5:TIME"),)),
    ]
    assert segments[2].displays == ("b,",)


def test_speakers_and_entities() -> None:
    rows = "a|1||||LC|['5:TIME', '6:DATE']|[]\nb|||||LC|['5:TIME', '6:DATE']|[]\nc|2||||LC|[]|[]\n"
    first, second = read(HEAD + rows, "nlp")
    assert (first.words, first.get("entity"), second.speaker) == (("a", "b"), "TIME,DATE", "2")


@each_case(
    ("text", "message"),
    [
        ("a|b\n", "<stream>:1:1: expected a header token|speaker|…"),
        (HEAD + "a|1\n", "<stream>:2: expected 8 columns, found 2"),
        (HEAD + "|1||||LC|[]|[]\n", "<stream>:2:1: expected a token, found none"),
        (HEAD + "a|1|x|||LC|[]|[]\n", '<stream>:2: expected a time in seconds, found "x"'),
        (HEAD + "a|1|2|1||LC|[]|[]\n", '<stream>:2: expected an end not before 2, found "1"'),
    ],
)
def test_bad_tables(text: str, message: str) -> None:
    assert message in refusal(text, "nlp")
    if text.startswith(HEAD):
        assert read(f"{text}b|1||||LC|[]|[]\n", "nlp", "lenient")[0].words == ("b",)


def written(*segments: Segment) -> tuple[str, list[str]]:
    output = BytesIO()
    losses = formats.write(Transcript(segments, source="rec"), output, "nlp")
    return output.getvalue().decode().removeprefix(HEAD), [str(loss) for loss in losses]


def test_cases_are_written() -> None:
    words, shown = (
        ["hello", "ok", "Ann", "NATO", "iPad", "two"],
        ["Hello,", "OK", None, None, "iPad!", "2"],
    )
    text, losses = written(Segment.of("rec", words, displays=shown, speaker="1"))
    assert [row.split("|")[4:6] for row in text.splitlines()] == [
        [",", "UC"], ["", "CA"], ["", "UC"], ["", "CA"], ["!", "MC"], ["", "LC"],
    ]  # fmt: skip
    assert (
        "display forms: 1 (the display form differs in more than case and final punctuation)"
        in losses
    )


@pytest.mark.parametrize("word", ["a|b", "<a>"])
def test_what_cannot_be_written_is_refused(word: str) -> None:
    with pytest.raises(LossError):
        written(Segment.of("rec", [word]))


def test_a_segment_without_speaker_behind_one_that_has_one_is_counted() -> None:
    _, losses = written(Segment.of("rec", ["a"], speaker="1"), Segment.of("rec", ["b"]))
    assert "speakers invented: 1 (read back with the speaker of the row before)" in losses


def test_further_wordings_of_entities(tmp_path: Path) -> None:
    """Alternatives to the tokens of an entity, local to it; the mark after it stays."""
    rows = (
        "ten|1||||LC|['5:MONEY']|['0']\neuro|1|1|2||LC|['5:MONEY']|['0']\n.|1|1|2|||[]|[]\n"
        "ten|1||||LC|['6:TIME']|[]\neuro|2||||LC|['5:MONEY']|[]\n"
    )
    table, norm = tmp_path / "a.nlp", tmp_path / "norm.json"
    table.write_text(HEAD + rows, "utf-8")
    norm.write_text('{"5": {"candidates": [{"verbalization": ["€", "10"]}, {}]}, "7": {}}', "utf-8")
    first, second, third = formats.read(table, level="word", wordings=str(norm))
    assert (first.properties, second.words) == ((("tags", "5:MONEY"), ("wer_tags", "0")), ("ten",))
    [[_, choice]] = first.alternations
    assert repr(choice) == "Alternation('ten' 'euro' / '€' '10')"
    assert [token.display for token in choice.tokens()] == [None, "euro.", None, "10."]
    assert len(third.alternations) == 1
    assert [len(part.alternations) for part in formats.read(table, wordings=str(norm))] == [1, 1]
    for content, message in (("[1]", "Expected `object`, got `array`"), ("{", "norm.json")):
        norm.write_text(content, "utf-8")
        with pytest.raises(formats.FormatError, match=message):
            formats.read(table, wordings=str(norm))


def test_an_entity_may_have_a_wording_without_words(tmp_path: Path) -> None:
    table, norm = tmp_path / "a.nlp", tmp_path / "norm.json"
    table.write_text(HEAD + "it|1||||LC|[]|[]\nten|1|||,|LC|['5:MONEY']|[]\n", "utf-8")
    norm.write_text('{"5": {"candidates": [{"verbalization": []}]}}', "utf-8")
    [segment] = formats.read(table, wordings=str(norm))
    [[_, choice]] = segment.alternations
    assert repr(choice) == "Alternation('ten' / @)"


def test_tokens_in_angle_brackets_may_be_words(tmp_path: Path) -> None:
    table = tmp_path / "a.nlp"
    table.write_text(HEAD + "it|1||||LC|[]|[]\n<laugh>|1|||,|LC|[]|[]\n", "utf-8")
    spoken, event = formats.read(table)
    assert (spoken.words, event.words, event.kind) == (("it",), ("<laugh>",), "event")
    [segment] = formats.read(table, events="word")
    assert (segment.words, segment.kind) == (("it", "<laugh>"), spoken.kind)
    tokens = formats.read(table, level="word", events="word")
    assert [token.words for token in tokens] == [("it",), ("<laugh>",)]


def test_marks_after_tokens_may_be_words(tmp_path: Path) -> None:
    """The example of fstalign's page on --use-punctuation."""
    table = tmp_path / "a.nlp"
    rows = "Good|0||||UC|[]|[]\nmorning|0|||.|LC|['5:TIME']|['5']\nWelcome|0|||!|LC|[]|[]\n"
    table.write_text(HEAD + rows, "utf-8")
    [segment] = formats.read(table, punctuation="word")
    assert segment.words == ("Good", "morning", ".", "Welcome", "!")
    assert segment.displays is None
    [segment] = formats.read(table)
    assert segment.words == ("Good", "morning", "Welcome")
    assert segment.displays == (None, "morning.", "Welcome!")
    table.write_text(HEAD + "it|1|1|2||LC|[]|[]\n?|1|1|2|||[]|[]\n", "utf-8")
    [segment] = formats.read(table, punctuation="word")
    assert segment.words == ("it", "?")
