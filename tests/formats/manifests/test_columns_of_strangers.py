"""Columns of tables that other people make: kinds, tiers, talks, classes, frames of pages."""

from __future__ import annotations

from io import BytesIO

import pytest

import formats
from formats import Transcript
from formats.io.messages import MARKS_LEFT
from formats.json.messages import KINDS_LEFT
from formats.schema.errors import FormatError
from formats.tables.messages import COLUMNS_LEFT, HEADER_OF_VALUES, QUOTES_BEHIND
from tests.each_case import each_case

TEXTS = ("so where do we begin", "with the lamps I think", "the green ones", "sold in May I think")


def read(*lines: str, delimiter: str = ",") -> Transcript:
    return formats.read(BytesIO("\n".join(lines).encode()), "csv", recording="a")


def entries(transcript: Transcript) -> list[object]:
    return [diagnostic.value.entry for diagnostic in transcript.diagnostics]


def turns(transcript: Transcript) -> list[tuple[str | None, str]]:
    return [(s.speaker, " ".join(s.words)) for s in transcript]


@each_case(("speech", "other"), [("dialogue", "action"), ("line", "Stage direction")])
def test_rows_that_nobody_says_are_left_out(speech: str, other: str) -> None:
    rows = [f"{speech},{'Ann' if n % 2 else 'Ben'},{text}" for n, text in enumerate(TEXTS)]
    transcript = read("type,character,text", f"{other},,rain falls on the street", *rows)
    assert [text for _, text in turns(transcript)] == list(TEXTS)
    assert KINDS_LEFT in [d.value.entry for d in transcript.diagnostics]


def test_tiers_are_speakers_unless_they_are_levels() -> None:
    for names in (("Ann", "Ben"), ("words", "notes")):
        rows = [f"{n},{names[n % 2]},{text},{n + 0.9}" for n, text in enumerate(TEXTS)]
        speakers = {s.speaker for s in read("tmin,tier,text,tmax", *rows)}
        assert speakers == ({*names} if names[0] == "Ann" else {None})


@each_case("name", ["debate", "ep_title", "Episode"])
def test_a_column_in_which_times_begin_again_names_the_recordings(name: str) -> None:
    rows = [f"{talk},{n},{text}" for talk in ("one", "two") for n, text in enumerate(TEXTS)]
    assert [s.recording for s in read(f"{name},start,text", *rows)] == ["one"] * 4 + ["two"] * 4
    other = [f"{n % 2},{n},{text}" for n, text in enumerate(TEXTS)]
    assert {s.recording for s in read(f"{name},start,text", *other)} == {"a"}


def test_classes_of_texts_are_no_speakers() -> None:
    rows = [f"{text},{('pos', 'neg')[n % 2]}" for n, text in enumerate(TEXTS * 2)]
    transcript = read(*rows)
    assert turns(transcript) == [(None, text) for text in TEXTS * 2]


def test_a_normalized_text_that_is_the_translation_is_not_read() -> None:
    rows = [f"{text},{text[::-1]},{text[::-1]}" for text in TEXTS]
    transcript = read("dialect_text,normal_translation,normalized_text", *rows)
    assert [text for _, text in turns(transcript)] == list(TEXTS)


def test_the_frame_of_a_page_around_texts_is_told() -> None:
    rows = [f"{n},12 SingersA {text} {text[:4]}7Copied" for n, text in enumerate(TEXTS)]
    assert MARKS_LEFT in [d.value.entry for d in read("id,lyrics", *rows).diagnostics]
    plain = [f"{n},{text} {text[:4]}" for n, text in enumerate(TEXTS)]
    assert MARKS_LEFT not in [d.value.entry for d in read("id,lyrics", *plain).diagnostics]


@each_case("name", ["locutor", "host", "المتحدث"])
def test_speakers_in_other_languages(name: str) -> None:
    rows = [f"{'Ann' if n % 2 else 'Ben'},{text}" for n, text in enumerate(TEXTS)]
    assert {s.speaker for s in read(f"{name},text", *rows)} == {"Ann", "Ben"}


def test_a_column_that_says_the_same_in_other_words_is_named() -> None:
    heard = (
        "so where do I begin",
        "with the maps I think",
        "the green bones",
        "sold in June I think",
    )
    rows = [f"{n},{text},{other}" for n, (text, other) in enumerate(zip(TEXTS, heard, strict=True))]
    assert COLUMNS_LEFT in entries(read("no,reference,vendor", *rows))
    same = [f"{n},{text},{text.upper()}" for n, text in enumerate(TEXTS)]
    assert COLUMNS_LEFT not in entries(read("no,reference,vendor", *same))


def test_a_sentence_that_is_cut_at_its_commas_is_no_row_of_names() -> None:
    rows = ("it was gone,and nobody had seen it go", "so we asked them,and they knew nothing")
    with pytest.raises(FormatError) as caught:
        read("Well as I told you last night,nobody knew where they put it", *rows)
    value = caught.value.value
    assert value is not None
    assert value.entry == HEADER_OF_VALUES


def test_quotes_behind_blanks_are_those_of_fields() -> None:
    rows = [f"{n},{text},Ann" for n, text in enumerate((*TEXTS, *TEXTS))]
    transcript = read("no,line,who", *rows, '9, "so, in May, then", Ben')
    assert turns(transcript)[-1] == ("Ben", "so, in May, then")
    assert QUOTES_BEHIND in entries(transcript)


def test_names_of_goods_beside_amounts_are_no_speech() -> None:
    goods = ("a lamp in green", "three blue chairs", "a table for two", "one long bench")
    rows = [f"{name},{n * 7},{n * 90},{n * 5},{n * 30}" for n, name in enumerate(goods, 1)]
    with pytest.raises(FormatError):
        read("item,count,price,tax,sum", *rows)
    assert len(read("no,item", *(f"{n},{name}" for n, name in enumerate(goods)))) == len(goods)


@each_case("name", ["prompt", "prompt_ascii"])
def test_prompts_of_utterances_were_read_aloud(name: str) -> None:
    rows = [f"a_{n},{text}" for n, text in enumerate(TEXTS)]
    assert turns(read(f"utt_id,{name}", *rows)) == [(None, text) for text in TEXTS]
    with pytest.raises(FormatError):
        read(f"id,{name}", *rows)
    both = [f"a_{n},{text} or so,{text}" for n, text in enumerate(TEXTS)]
    assert turns(read(f"utt_id,{name},prediction", *both)) == [(None, text) for text in TEXTS]
