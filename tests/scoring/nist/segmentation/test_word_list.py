"""Lexicons of `-S`: reading, order, lookup."""

import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.nist.segmentation.word_list import LexiconError, WordList
from scoring.nist.transcripts.characters import Characters
from scoring.nist.transcripts.input_files import characters_of

LISTS = st.lists(st.text("abc", max_size=4), max_size=12)


def read(path: Path, encoding: str = "ascii") -> tuple[WordList, list[str]]:
    """The list and what was said of it."""
    said: list[str] = []
    return WordList.read(str(path), path.name, characters_of(encoding), said.append), said


@given(LISTS, st.text("abc", max_size=5))
def test_in_a_list_in_order_every_word_is_found(words: list[str], text: str) -> None:
    found = WordList(sorted(words))
    assert (text in found) == (text in words)
    assert all(word in found for word in words)


@given(LISTS, st.text("abc", max_size=5))
def test_what_is_found_is_in_the_list_in_any_order(words: list[str], text: str) -> None:
    assert text not in WordList(words) or text in words


@given(LISTS, st.text("abc", max_size=5))
def test_begins_knows_every_beginning(words: list[str], text: str) -> None:
    assert WordList(words).begins(text) == any(word.startswith(text) for word in words)


def test_the_first_column_of_every_line_counts(tmp_path: Path) -> None:
    path = tmp_path / "lex"
    path.write_bytes(b"\n  ab 1\nac\tx\nad\0ignored\nb\r\nbc")
    words, said = read(path)
    assert said == []
    assert all(word in words for word in ("", "ab", "ac", "ad", "b\r", "bc"))
    assert "b" not in words
    assert words.longest == 2


def test_words_out_of_order_are_told_of_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "lex"
    path.write_bytes(b"b\n\na\xe9\na\na\nc\n")
    words, said = read(path)
    assert said == [
        "Error: Adding lexical item 1 out of order '' !> 'b'\n",
        "Error: Adding lexical item 3 out of order 'a' !> 'a\xe9'\n",
    ]
    assert "c" in words
    assert "b" not in words  # the search by halving goes past it


@pytest.mark.parametrize(("encoding", "longest"), [("ascii", 6), ("utf-8", 2), ("gb", 3)])
def test_length_is_in_characters(encoding: str, longest: int, tmp_path: Path) -> None:
    path = tmp_path / "lex"
    path.write_text("\u4e2d\u6587\n", "utf-8")
    assert read(path, encoding)[0].longest == longest


def test_a_letter_of_two_characters_counts_twice(tmp_path: Path) -> None:
    path = tmp_path / "lex"
    path.write_text("g\u0303g\u0303\n", "utf-8")
    characters = characters_of("utf-8", "babel_guarani")
    assert WordList.read(str(path), "lex", characters, print).longest == 4


def test_an_empty_list_has_room_for_one_character(tmp_path: Path) -> None:
    (tmp_path / "lex").write_bytes(b"")
    for path in (tmp_path / "lex", tmp_path):  # a directory counts as empty
        words, said = read(path)
        assert (words.longest, said) == (1, [])
        assert "" not in words
        assert not words.begins("")


def test_a_lexicon_that_cannot_be_opened_ends_the_run_with_status_0(tmp_path: Path) -> None:
    path = tmp_path / "lex"
    with socket.socket(socket.AF_UNIX) as unopenable:
        unopenable.bind(str(path))
        with pytest.raises(LexiconError) as caught:
            WordList.read(str(path), "lex", Characters(), print)
    assert caught.value.status == 0
    assert str(caught.value) == (
        "\nError: load_TEXT_LIST open of 'lex' failed\nError: Can't load lexicon file 'lex'\n"
    )
