"""Rows of tables that are quoted twice, are cut at commas, or describe the columns."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import formats
from formats.json.messages import KINDS_LEFT
from formats.schema.errors import FormatError
from formats.schema.transcript import Transcript
from formats.tables.messages import PARTS_BEHIND, ROW_DESCRIBES, TWICE_QUOTED


def read(folder: Path, *lines: str) -> Transcript:
    file = folder / "talk.csv"
    file.write_text("\n".join(lines) + "\n")
    return formats.read(file)


def entries(transcript: Transcript) -> list[object]:
    return [diagnostic.value.entry for diagnostic in transcript.diagnostics]


def turns(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(segment.speaker, " ".join(segment.words)) for segment in transcript]


SAID = [("Ann", "Good day, how are you?"), ("Ben", "I am fine"), ("Ann", "Then let us go")]


@pytest.mark.parametrize(
    "lines",
    [
        ('"speaker,""text"""', '"Ann,""Good day, how are you?"""', '"Ben,""I am fine"""',
         '"Ann,""Then let us go"""'),
        ('"""speaker"",""text"""', '"""Ann"",""Good day, how are you?"""',
         '"""Ben"",""I am fine"""', '"""Ann"",""Then let us go"""'),
        ("speaker,text", '"Ann,""Good day, how are you?"""', "Ben,I am fine", "Ann,Then let us go"),
        ("speaker;text", '"Ann;""Good day, how are you?"""', "Ben;I am fine", "Ann;Then let us go"),
    ],
)  # fmt: skip
def test_rows_quoted_twice_are_divided_again(lines: Sequence[str], tmp_path: Path) -> None:
    transcript = read(tmp_path, *lines)
    assert turns(transcript) == SAID
    assert TWICE_QUOTED in entries(transcript)


def test_texts_in_one_column_are_not_divided_at_commas(tmp_path: Path) -> None:
    transcript = read(tmp_path, "text", '"well, so it is"', '"no, never, and so"', '"so, yes"')
    assert [" ".join(s.words) for s in transcript] == [
        "well, so it is",
        "no, never, and so",
        "so, yes",
    ]
    assert TWICE_QUOTED not in entries(transcript)


@pytest.mark.parametrize("names", ["Q,A", "question,answer"])
def test_parts_of_answers_behind_commas_and_blanks_are_joined(names: str, tmp_path: Path) -> None:
    transcript = read(
        tmp_path, names, "Where is it,By the park, I think, on the left", "What is it,It is a book"
    )
    assert turns(transcript) == [
        ("question", "Where is it"),
        ("answer", "By the park, I think, on the left"),
        ("question", "What is it"),
        ("answer", "It is a book"),
    ]
    assert PARTS_BEHIND in entries(transcript)


def test_parts_of_answers_without_blanks_are_rejected(tmp_path: Path) -> None:
    rows = ("Where is it,By the park,I think", "What is it,It is a book", "Who is it,It is Ann")
    with pytest.raises(FormatError, match="3"):
        read(tmp_path, "question,answer", *rows)


@pytest.mark.parametrize(
    "row",
    [
        "who,in seconds,in seconds,what was said",
        "string,float,float,string",
        "str,Double,Double,Text",
    ],
)
def test_a_row_that_describes_the_columns_is_not_read(row: str, tmp_path: Path) -> None:
    rows = ('Ann,0.5,2.0,"Good day, how are you?"', "Ben,2,3.5,I am fine", "Ann,4,5,Then let us go")
    transcript = read(tmp_path, "speaker,start,end,text", row, *rows)
    assert turns(transcript) == SAID
    assert ROW_DESCRIBES in entries(transcript)


@pytest.mark.parametrize(
    "row", ["a1,x,so it is", "1,2,so it is", "1,x,string", ",,so it is", "a1,2,number"]
)
def test_other_first_rows_are_read(row: str, tmp_path: Path) -> None:
    transcript = read(tmp_path, "id,line,text", row, "2,3,no it is not", "4,5,oh it is so")
    assert len([*transcript]) == 3
    assert ROW_DESCRIBES not in entries(transcript)


def test_a_question_above_questions_is_no_name(tmp_path: Path) -> None:
    asked = [("HEALTH", "How are you today?"), ("ROADS", "Where does it go?")]
    asked += [("HEALTH", "What is it now?"), ("LAW", "Is it so then?")]
    transcript = read(tmp_path, *(f"{topic},{text}" for topic, text in asked))
    assert [text for _, text in turns(transcript)] == [text for _, text in asked]


def test_a_question_above_answers_is_a_name(tmp_path: Path) -> None:
    said = ("It is well with me.", "So it is, I think.", "Not at all, I say.")
    rows = (f"p{n},{text!r}".replace("'", '"') for n, text in enumerate(said))
    transcript = read(tmp_path, "participant,How are you today?", *rows)
    assert [text for _, text in turns(transcript)] == [*said]


def test_rows_whose_text_is_their_speaker_are_marks(tmp_path: Path) -> None:
    rows = ("New Tape,New Tape", "Ann,so it is", "Ben,no it is not", "New Tape,New Tape", "Ann,Ben")
    transcript = read(tmp_path, "speaker,text", *rows)
    assert turns(transcript) == [("Ann", "so it is"), ("Ben", "no it is not"), ("Ann", "Ben")]
    assert KINDS_LEFT in entries(transcript)


def test_a_name_said_once_by_its_owner_is_a_text(tmp_path: Path) -> None:
    rows = ("Ann,so it is", "Ben,Ben", "Ann,no it is not", "Ben,well", "Cat,Cat")
    assert len(turns(read(tmp_path, "speaker,text", *rows))) == 5


def test_ids_of_talks_beside_texts_of_parties_are_recordings(tmp_path: Path) -> None:
    rows = ("1,My order is late,I am sorry for it", "1,When is it here,It is soon there",
            "2,I want it back,Of course you can")  # fmt: skip
    transcript = read(tmp_path, "Conversation ID,Customer,Agent", *rows)
    assert [s.recording for s in transcript] == ["1"] * 4 + ["2"] * 2


@pytest.mark.parametrize("numbers", ["123", ["3", "7", "12"]])
@pytest.mark.parametrize("quote", ['"', ""])
def test_rows_with_numbers_that_r_wrote_are_a_table(
    numbers: Sequence[str], quote: str, tmp_path: Path
) -> None:
    rows = [("speaker", "text"), *((n, *turn) for n, turn in zip(numbers, SAID, strict=True))]
    file = tmp_path / "talk.txt"
    lines = ("\t".join(f"{quote}{cell}{quote}" for cell in row) for row in rows)
    file.write_text("\n".join(lines) + "\n")
    assert turns(formats.read(file)) == SAID


def test_texts_with_one_comma_each_have_no_numbers_of_rows(tmp_path: Path) -> None:
    transcript = read(
        tmp_path, "id,text", "1,well, so it is", "2,no, it is not", "4,yes, so it was"
    )
    assert [s.utterance for s in transcript] == ["1", "2", "4"]


def test_rows_of_separators_alone_are_no_utterances(tmp_path: Path) -> None:
    transcript = read(tmp_path, "speaker,text", "Ann,so it is", ",", "Ben,no it is not", ",")
    assert turns(transcript) == [("Ann", "so it is"), ("Ben", "no it is not")]
