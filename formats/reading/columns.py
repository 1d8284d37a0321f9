"""Split lines into columns in the compiled module; irregular lines are parsed row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from formats.io.source import Source
from formats.schema import compiled
from formats.schema.diagnostics import LIMITED

T = TypeVar("T")
_cutter_kind = compiled("Cutter")
FieldColumns = list[list[Any]]

BATCHES = (512, 16)
"""Lines of the smaller batches that a batch with an irregular line is cut into."""


def read_in_bulk(
    source: Source,
    read_columns: Callable[[int, str], Iterable[T] | None],
    read_lines: Callable[[int, list[str]], Iterable[T]],
) -> Iterator[T]:
    """Parse lines in batches, falling back to single lines for irregular ones.

    `read_columns` takes the number of the first line and the lines as one text; it returns `None`
    for a batch that it cannot read without a remark. `read_lines` reads any lines.
    """
    batches = (
        _parsed(source, read_columns, read_lines, first, text, BATCHES)
        for first, text in source.passages()
    )
    return chain.from_iterable(chain.from_iterable(batches))


def _parsed(
    source: Source,
    read_columns: Callable[[int, str], Iterable[T] | None],
    read_lines: Callable[[int, list[str]], Iterable[T]],
    first: int,
    text: str,
    sizes: tuple[int, ...],
) -> Iterator[Iterable[T]]:
    """The rows of a batch; of one that is irregular, those of smaller batches."""
    rows = read_columns(first, text)
    if rows is not None:
        if source.log.tolerance == LIMITED:  # only there it counts how many are good
            source.log.accept("", text.count("\n") + 1)
        yield rows
        return
    lines = text.split("\n")
    if not sizes:
        yield read_lines(first, lines)
        return
    for begin in range(0, len(lines), sizes[0]):
        batch = "\n".join(lines[begin : begin + sizes[0]])
        yield from _parsed(source, read_columns, read_lines, first + begin, batch, sizes[1:])


def cutter(
    comments: str, signs: str = "", marks: tuple[str, ...] = ()
) -> Callable[[str, str], FieldColumns | None]:
    """Function ``cut(text, kinds)``: a list for each field of the lines of a text.

    It returns `None` for text with an irregular line, and always without the compiled module.
    `kinds` has a letter for each field: ``s`` text, ``t`` decimal seconds (in nanoseconds), ``c``
    a confidence from 0 to 1 as JSON writes numbers, and at the end ``w`` for a tuple of the
    remaining words. After ``w``, ``i`` is an identifier in parentheses at the end of the line, and
    ``p`` its part before the first hyphen or underscore. A character of `signs`, or a text of
    `marks` in letters of either case, makes a line irregular.
    """
    kind = _cutter_kind
    return _no_columns if kind is None else _cutter(kind, comments, signs, marks).cut


def _no_columns(text: str, kinds: str) -> None:
    return None


@lru_cache(maxsize=16)
def _cutter(kind: Any, comments: str, signs: str, marks: tuple[str, ...]) -> Any:
    """A cutter that all readers share: it caches half a megabyte of texts."""
    return kind(comments, signs, marks)


def plain_confidences(texts: Sequence[str]) -> list[float] | None:
    """The numbers of a column; `None` where one is not within 0 and 1, or not as JSON writes it."""
    import msgspec

    joined = ",".join(texts)
    try:
        numbers = msgspec.json.decode(f"[{joined}]", type=list[float])
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    if len(numbers) != len(texts) or not numbers:
        return None
    return numbers if "-" not in joined and max(numbers) <= 1 else None
