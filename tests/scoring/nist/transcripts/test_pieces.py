"""Texts as alignment by diff takes them, and txt files."""

from pathlib import Path

from scoring.nist.transcripts.characters import Characters
from scoring.nist.transcripts.input_files import TranscriptFile
from scoring.nist.transcripts.pieces import FirstAlternatives, pieces
from scoring.nist.transcripts.txt import read_txt
from tests.each_case import each_case
from tests.tables import table_of


@each_case(("text", "words"), table_of(__file__, "first_alternative"))
def test_first_alternative(text: str, words: str) -> None:
    said: list[str] = []
    reader = FirstAlternatives(Characters(), said.append)
    for _ in range(2):
        assert reader.words(text.encode()) == words.encode().split()
    assert len(said) == ("{" in text)


def test_only_blanks_tabs_and_newlines_separate_pieces() -> None:
    assert pieces(b" a\rb \t c\v\x0c\n", Characters()) == [b"a\rb", b"c\v\x0c"]


def read(tmp_path: Path, data: bytes, characters: Characters) -> tuple[list[bytes], list[str]]:
    path = tmp_path / "h.txt"
    path.write_bytes(data)
    said: list[str] = []
    return read_txt(TranscriptFile(str(path), "txt", "h"), characters, said.append), said


def test_txt_words_stand_as_they_are_written(tmp_path: Path) -> None:
    data = b";; no\n** no\n\nA {b / @}\t(s-1) c;1*\n ;; yes\n"
    words, said = read(tmp_path, data, Characters())
    assert words == [b"a", b"{b", b"/", b"@}", b"(s-1)", b"c;1*", b";;", b"yes"]
    assert not said
    assert read(tmp_path, b"A b", Characters(case_sensitive=True)) == ([b"A", b"b"], [])


def test_an_unterminated_comment_is_words(tmp_path: Path) -> None:
    words, [said] = read(tmp_path, b"a\n;; b", Characters())
    assert words == [b"a", b";;", b"b"]
    assert said.endswith(
        "h.txt:2:1: a comment without newline at the end of the file counts as words\n"
    )


def test_single_marks_and_nul_bytes_are_remarked(tmp_path: Path) -> None:
    words, said = read(tmp_path, b"; a\n* b\0c\nd\n", Characters())
    assert words == [b";", b"a", b"*", b"b", b"d"]
    assert [text.startswith("Warning: The comment designation is now") for text in said] == [
        False,
        True,
        True,
    ]
    assert "found a NUL byte" in said[0]
