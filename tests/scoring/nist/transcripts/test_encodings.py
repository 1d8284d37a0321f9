"""Characters, their case and their bytes, in every encoding of option `-e`."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment.numbered import word_type
from scoring.nist.transcripts.characters import Characters, byte_text, to_bytes
from scoring.nist.transcripts.encodings import Utf8
from scoring.nist.transcripts.input_files import (
    ENCODINGS,
    LOCALIZATIONS,
    characters_of,
    defines,
    first_refusal,
)
from scoring.nist.transcripts.localizations import case_pairs
from tests.each_case import each_case
from tests.tables import table_of

# How many letters each localization knows besides A to Z.
SIZES = {
    "generic": 0,
    "babel_turkish": 7,
    "babel_vietnamese": 67,
    "babel_lithuanian": 9,
    "babel_kurmanji": 5,
    "babel_cebuano": 1,
    "babel_kazakh": 42,
    "babel_mongolian": 35,
    "babel_guarani": 13,
    "ukrainian": 123,
}
# Bytes of which everything can be made that an encoding stumbles over.
BYTES = st.lists(
    st.sampled_from([b"a", b"B", b" ", b"{", b"/", b";", b"\xb0", b"\xc3", b"\xa9", b"\xe4", b"\n"])
).map(b"".join)


def test_every_localization_has_its_table() -> None:
    assert {name: len(case_pairs(name)) for name in LOCALIZATIONS} == SIZES


@each_case("localization", LOCALIZATIONS)
def test_pairs_fold_both_ways(localization: str) -> None:
    characters = characters_of("utf-8", localization)
    for capital, small in case_pairs(localization).items():
        assert characters.fold(chr(capital).encode()) == chr(small).encode()
        assert characters.upper(byte_text(chr(small).encode())) == byte_text(chr(capital).encode())


@each_case("localization", LOCALIZATIONS)
def test_nothing_else_folds(localization: str) -> None:
    characters = characters_of("utf-8", localization)
    capitals = set(case_pairs(localization)) | set(map(ord, string.ascii_uppercase))
    others = "".join(chr(code) for code in range(0x20, 0x2500) if code not in capitals)
    assert characters.fold(others.encode()).decode() == others


def test_turkish_has_two_letters_i() -> None:
    turkish = characters_of("utf-8", "babel_turkish")
    assert turkish.fold("SI\u0130i".encode()).decode() == "s\u0131ii"
    assert turkish.upper(byte_text("i\u0131".encode())) == byte_text("\u0130I".encode())
    assert not turkish.keeps_lengths
    assert characters_of("gb", "babel_turkish").fold(b"I") == b"i"


@each_case("encoding", ENCODINGS)
def test_case_is_left_alone_where_it_matters(encoding: str) -> None:
    sensitive = characters_of(encoding, "babel_turkish", case_sensitive=True)
    assert sensitive.fold(b"AI\xc3\x87") == b"AI\xc3\x87"
    assert sensitive.keeps_lengths
    assert sensitive.lower(b"A") == b"a"


def test_second_bytes_of_two_byte_characters_are_no_letters() -> None:
    gb = characters_of("gb")
    assert gb.fold(b"A\xb0AA\xb0\xa1B") == b"a\xb0Aa\xb0\xa1b"
    assert gb.upper("a\xb0aa") == "A\xb0aA"
    assert gb.fold(b"\xb0\nA") == b"\xb0\na", "no character reaches over the end of a line"


@each_case(("data", "folded"), table_of(__file__, "what_is_not_quite_utf_8_folds_by_its_bits"))
def test_what_is_not_quite_utf_8_folds_by_its_bits(data: bytes, folded: bytes) -> None:
    assert characters_of("utf-8", "babel_vietnamese").fold(data) == folded


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=BYTES)
def test_a_shape_hides_what_is_swallowed_and_nothing_else(encoding: str, data: bytes) -> None:
    characters = characters_of(encoding)
    shape = characters.shape(data)
    assert len(shape) == len(data)
    text = byte_text(data)
    place = 0
    for character in characters.split(text):
        visible = shape[place : place + len(character)]
        if len(character) == 1:
            assert visible == to_bytes(character)
        else:
            assert all(byte >= 0x80 for byte in visible)
        place += len(character)
    assert place == len(data)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=BYTES)
def test_lines_stay_lines(encoding: str, data: bytes) -> None:
    folded = characters_of(encoding, "babel_vietnamese").fold(data)
    assert folded.count(b"\n") == data.count(b"\n")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_valid_utf_8_is_split_into_its_characters(text: str) -> None:
    found = characters_of("utf-8").split(byte_text(text.encode()))
    assert [to_bytes(character).decode() for character in found] == list(text)


def test_an_encoding_of_single_bytes_has_neither_shape_nor_bad_bytes() -> None:
    data = bytes(range(256))
    for characters in (Characters(), characters_of("ext_ascii")):
        assert characters.shape(data) is data
        assert characters.first_bad(data) is None
        assert characters.is_ascii("\xff")


def test_latin_1_folds_all_of_its_column() -> None:
    latin = characters_of("ext_ascii")
    assert latin.fold(bytes(range(0xC0, 0xE0))) == bytes(range(0xE0, 0x100))
    assert latin.upper("\xe0\xf7\xff") == "\xc0\xd7\xdf"


@pytest.mark.parametrize("name", ["utf8", "latin-1", ""])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected an encoding of ascii"):
        characters_of(name)
    with pytest.raises(ValueError, match="expected a localization of generic"):
        characters_of("utf-8", "ukranian")


@each_case(("data", "offset", "message"), table_of(__file__, "bytes_that_are_no_character"))
def test_bytes_that_are_no_character(data: bytes, offset: int, message: str) -> None:
    bad = Utf8().first_bad(data)
    assert bad is not None
    assert bad.offset == offset
    assert bad.text(data).endswith(message)


def test_a_form_of_six_bytes_has_a_length() -> None:
    assert Utf8().first_bad(b"\xfcabcde ", lengths_only=True) is None
    assert Utf8().split("\xfcabcde.") == ["\xfcabcde", "."]


def test_only_lines_that_are_looked_at_are_refused() -> None:
    utf_8 = characters_of("utf-8")

    def looks(line: bytes, offset: int) -> bool:
        return defines(line, offset) if line.startswith(b";;") else True

    data = b";; a \xff\n;; LABEL \xff\nx \xff\n"
    refusal = first_refusal(data, utf_8, looks)
    assert refusal is not None
    assert refusal.line == data.index(b"x")
    comment = first_refusal(b";; \xff\n", utf_8, looks)
    assert comment is not None
    assert str(comment.error).endswith("first char ff \xff\n\n")
    assert first_refusal(b"x \0\xff\n", utf_8, looks) is None, "the line ends at a NUL byte"


def test_a_semicolon_inside_a_character_is_no_separator() -> None:
    token = "\xc3;a;tag"
    shape = byte_text(characters_of("gb").shape(to_bytes(token)))
    found = word_type(token, shape, optional_deletable=False, fragments_correct=False)
    assert (found.text, found.tags) == ("\xc3;a", ("tag", None))
