"""Words of texts, cut at ASCII blanks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from formats.schema import compiled

_split = compiled("split_words")


def split_words(text: str) -> list[str]:
    r"""The words of a transcript text, cut at ASCII blanks: space, tab, VT, FF."""
    if _split is not None and (fields := _split(text)) is not None:
        return fields  # type: ignore[no-any-return]
    words = text.split()
    if " ".join(words) == text:  # nothing else than single spaces was cut at
        return words
    for blank in "\t\v\f":
        if blank in text:
            text = text.replace(blank, " ")
    return [word for word in text.split(" ") if word]


def words_of_texts(texts: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """The words of many texts, each as by `words_of_text`."""
    joined = "".join(texts)
    if "\n" in joined or "\r" in joined:
        return map(words_of_text, texts)
    return map(tuple, map(split_words, texts))


def words_of_text(text: str) -> tuple[str, ...]:
    r"""The words of a text given from memory, cut at ASCII blanks and line ends."""
    return tuple(split_words(text.replace("\n", " ").replace("\r", " ")))
