"""Examples of documents of which only a part is text: published books."""

from __future__ import annotations

from formats.reading.document_parts import books_in

START = "*** START OF THE EXAMPLE EBOOK {} ***"
END = "*** END OF THE EXAMPLE EBOOK {} ***"


def texts_of(lines: list[str]) -> list[list[str]]:
    return [lines[begin:end] for begin, end in books_in(lines)]


def test_several_books_of_a_file() -> None:
    parts = ["Preface", START, "So it was.", END, "Licence"]
    lines = [part.format(name) for name in ("ONE", "TWO", "THREE") for part in parts]
    assert texts_of(lines) == [["So it was."]] * 3


def test_one_book_without_one_of_its_edges() -> None:
    assert texts_of(["Preface", START, "So it was.", "It was late."]) == [
        ["So it was.", "It was late."]
    ]
    assert texts_of(["So it was.", "It was late.", END, "Licence"]) == [
        ["So it was.", "It was late."]
    ]
    assert texts_of(["So it was.", "It was late."]) == []


def test_the_last_book_is_cut_off() -> None:
    lines = [START, "So it was.", END, "Licence", START, "It was late."]
    assert texts_of(lines) == [["So it was."], ["It was late."]]
