"""Records of plain lines in columns, many at once: compiled where there is a compiled module.

What is odd in any way is left to those who read line by line: the columns are what these would
make of every line, without a remark.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from formats.lines import UNICODE_BLANKS
from formats.native import compiled
from formats.times import plain_times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from formats.source import Source

    T = TypeVar("T")

__all__ = ["Cutter", "cutter", "read_in_bulk"]

ODD = re.compile(rf"[\0\v\f{UNICODE_BLANKS.pattern[1:]}")
ODD_IN_ASCII = "\0\v\f\x1c\x1d\x1e\x1f"
MANY, FEW = 512, 16
"""Lines that an odd one in a passage leaves to be taken at once, and to be read one by one."""


def read_in_bulk(
    source: Source,
    at_once: Callable[[int, str], Iterable[T] | None],
    one_by_one: Callable[[int, list[str]], Iterable[T]],
) -> Iterator[T]:
    """What is made of the lines of a file, as many at once as have nothing odd among them.

    Parameters
    ----------
    at_once: what is made of some lines, given as one text with the number of the first; without a
        remark about any of them, or `None`, with nothing done, where one of them is odd.
    one_by_one: the same with care for each line.
    """
    return chain.from_iterable(_in_bulk(source, at_once, one_by_one))


def _in_bulk(
    source: Source,
    at_once: Callable[[int, str], Iterable[T] | None],
    one_by_one: Callable[[int, list[str]], Iterable[T]],
) -> Iterator[Iterable[T]]:
    for first, text in source.passages():
        made = at_once(first, text)
        if made is not None:
            yield made
            continue
        lines = text.split("\n")
        for begin in range(0, len(lines), MANY):
            many = lines[begin : begin + MANY]
            made = at_once(first + begin, "\n".join(many))
            if made is not None:
                yield made
                continue
            for at in range(0, len(many), FEW):
                few = many[at : at + FEW]
                made = at_once(first + begin + at, "\n".join(few))
                yield one_by_one(first + begin + at, few) if made is None else made


class Cutter:
    """Cuts records into columns.

    Parameters
    ----------
    comments: signs with which a line that is no record begins.
    signs: characters of ASCII that need a closer look wherever they stand.
    marks: capitals that need one where a word has them, in letters of either case.
    """

    def __init__(self, comments: str, signs: str = "", marks: tuple[str, ...] = ()) -> None:
        self.comments = comments
        self.signs = signs
        self.marks = marks

    def cut(self, text: str, kinds: str) -> list[list[Any]] | None:
        r"""A list for each field of the lines of a text; `None` where one wants a closer look.

        Parameters
        ----------
        text: lines with LF between them.
        kinds: a letter for each field: ``s`` text, ``t`` decimal seconds, given in nanoseconds,
            and at the end ``w`` for all the rest, given as a tuple of words. After it ``i`` is an
            identifier in parentheses, which is no word then, and ``p`` the part of that before its
            first hyphen, or where there is none before its first underscore.

        >>> Cutter(";").cut("a  1.5 x y\nb\t2", "stw"), Cutter(";").cut("a 1\nb", "ss")
        ([['a', 'b'], [1500000000, 2000000000], [('x', 'y'), ()]], None)
        >>> Cutter(";").cut("x y (anne-1)\n(b_2)", "wip")
        [[('x', 'y'), ()], ['anne-1', 'b_2'], ['anne', 'b']]
        """
        if self._is_odd(text):
            return None
        columns: list[list[Any]]
        before, is_text, after = kinds.partition("w")
        if is_text:
            size = len(before) + 1
            rows = [[*line.split(None, size - 1), ""] for line in text.split("\n")]
            if min(map(len, rows)) < size:
                return None
            columns = [list(column) for column in zip(*(row[:size] for row in rows), strict=True)]
            columns[-1] = [tuple(said.split()) for said in columns[-1]]
            if after and not _cut_ids(text, columns, after):
                return None
        else:
            size = len(kinds)
            lines = text.count("\n") + 1
            fields = text.replace("\n", " \0 ").split()
            fields.append("\0")
            if len(fields) != lines * (size + 1) or fields[size :: size + 1].count("\0") < lines:
                return None
            columns = [fields[index :: size + 1] for index in range(size)]
        for index, kind in enumerate(kinds):
            times = plain_times(columns[index]) if kind == "t" else columns[index]
            if times is None:
                return None
            columns[index] = times
        return columns

    def _is_odd(self, text: str) -> bool:
        framed = f"\n{text}\n"
        if any(f"\n{mark}" in framed for mark in ("\n", *self.comments)):
            return True
        if any(sign in text for sign in self.signs):
            return True
        capitals = text.upper() if self.marks else ""
        if any(mark in capitals for mark in self.marks):
            return True
        if text.isascii():
            return any(sign in text for sign in ODD_IN_ASCII)
        return bool(ODD.search(text))


def _cut_ids(text: str, columns: list[list[Any]], kinds: str) -> bool:
    """Take identifiers from the ends of texts into columns of their own, if all have one."""
    texts = columns.pop()
    ids = [words[-1] if words else "" for words in texts]
    if not text.count("(") == text.count(")") == len(ids) or "()" in ids:
        return False
    if any(found[:1] != "(" or found[-1] != ")" for found in ids):
        return False
    names = [found[1:-1] for found in ids]
    columns += [words[:-1] for words in texts], names
    if "p" in kinds:
        parts = [name.partition("-" if "-" in name else "_") for name in names]
        columns.append([part for part, _, _ in parts])
        return all(part and mark for part, mark, _ in parts)
    return True


def cutter(comments: str, signs: str = "", marks: tuple[str, ...] = ()) -> Cutter:
    """A `Cutter`, the compiled one if it is there and ``SCORING_ALIGN`` is not ``plain``."""
    return _made_once(compiled("Cutter") or Cutter, comments, signs, marks)


@lru_cache(maxsize=16)
def _made_once(kind: type[Cutter], comments: str, signs: str, marks: tuple[str, ...]) -> Cutter:
    """A cutter for all readers: it remembers half a megabyte of texts, and one call at a time."""
    return kind(comments, signs, marks)
