"""Words, their marks, and columns of their numbers, with alternations: input of the aligners."""

from __future__ import annotations

from formats.schema import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias, Union

    from scoring.alignment.network import Graph

    # The position of a word in the columns of a side, or branches to choose from.
    NumberedItem: TypeAlias = Union[int, tuple["Branch", ...]]  # noqa: UP007
    Branch: TypeAlias = tuple[NumberedItem, ...]
# Native numbers: an array, which can grow, or a view of bytes, as the core returns them. Loading
# `array` takes a tenth of a short run.
NumberColumn: TypeAlias = "array[int] | memoryview[int]"
# Utterance, position and text of a word: the file, line and column, from 1, where it stands.
PlaceOfWord: TypeAlias = "Callable[[int, int, str], tuple[str, int, int]]"


class WordType(NamedTuple):
    """A distinct word as written, with its marks parsed.

    `text` is what reports show, without tags, escapes and final `*`. `tags` are the two tags after
    `;`. `value` is the compared text, without the parentheses of an optional word. `null`
    is true for the word `@`. `optional` is recognised only under `-D`, and `fragment` (begins or
    ends with `-`) only under `-F`.
    """

    text: str
    tags: tuple[str | None, str | None]
    value: str
    null: bool
    optional: bool
    fragment: bool


NULL = "@"


def word_type(
    token: str, shape: str | None = None, *, optional_deletable: bool, fragments_correct: bool
) -> WordType:
    r"""Parse the marks in a token of byte text.

    The token is split at each `;` without a backslash before it: first the text, then at most two
    tags; all further parts are dropped. Backslashes are removed, and so is a `*` at the end, unless
    it is the whole text. A token that begins with `{` (possible in ctm only) is taken literally.

    >>> word_type(r"a\;b;tag", optional_deletable=False, fragments_correct=False).text
    'a;b'
    >>> word_type("(uh)", optional_deletable=True, fragments_correct=False).value
    'uh'
    """
    text: str = token
    first: str | None = None
    second: str | None = None
    if not token.startswith("{") and (";" in token or "\\" in token):
        fields = [field.replace("\\", "") for field in _fields(token, shape)[:3]]
        text = fields[0]
        first = fields[1] if len(fields) > 1 else None
        second = fields[2] if len(fields) > 2 else None
    if len(text) > 1 and text.endswith("*"):
        text = text[:-1]
    optional = optional_deletable and len(text) > 1 and text[0] == "(" and text[-1] == ")"
    fragment = fragments_correct and bool(
        text[:1] == "-" or text[-1:] == "-" or (optional and text[-2:-1] == "-")
    )
    value = text[1:-1] if optional else text
    return WordType(text, (first, second), value, text == NULL, optional, fragment)


def _fields(token: str, shape: str | None) -> list[str]:
    if shape is None:
        import re  # few files have such tokens

        return re.split(r"(?<!\\);", token)
    fields: list[str] = []
    begin = 0
    for index, byte in enumerate(shape):
        if byte == ";" and token[index - 1 : index] != "\\":
            fields.append(token[begin:index])
            begin = index + 1
    return [*fields, token[begin:]]


def fragments_match(reference: WordType, hypothesis: WordType) -> bool:
    """Return True if two words match and at least one is a fragment (option `-F`).

    `-ef` matches every word that ends in `ef`, `ab-` every word that begins with `ab`. If both
    words are fragments, that of the reference decides. A single `-` matches only itself.

    >>> def fragment(text):
    ...     return word_type(text, optional_deletable=False, fragments_correct=True)
    >>> fragments_match(fragment("ab-"), fragment("abc"))
    True
    """
    mine, theirs = reference.value, hypothesis.value
    for fragment, whole in ((mine, theirs), (theirs, mine)):
        if len(fragment) > 1:
            if fragment[0] == "-":
                return whole.endswith(fragment[1:])
            if fragment[-1] == "-":
                return whole.startswith(fragment[:-1])
    return mine == theirs


def int64s(column: bytes | bytearray) -> memoryview[int]:
    """Return the numbers of a column of int64."""
    return memoryview(column).cast("q")


def int64_column(values: Iterable[int], count: int) -> memoryview[int]:
    """Return `count` values as a column of int64.

    >>> int64_column(iter([5, -1]), 2).tolist()
    [5, -1]
    """
    column = int64s(bytearray(8 * count))
    for row, value in enumerate(values):
        column[row] = value
    return column


class NumberedWords:
    """The words of one side in all utterances, in the order in which they were aligned.

    `types` (int32) are word numbers in the lexicon or vocabulary. The words of utterance u are
    `types[begins[u]:ends[u]]` (int64); between utterances there may be words that no alignment
    used. Times (seconds), confidences (single precision for ctm) and weights (if equal words can
    have different weights) are columns with one double per word, or None.
    """

    def __init__(
        self,
        types: NumberColumn,
        begins: NumberColumn,
        ends: NumberColumn,
        starts: array[float] | None = None,
        finishes: array[float] | None = None,
        confidences: array[float] | None = None,
        weights: array[float] | None = None,
    ) -> None:
        self.types = types
        self.begins = begins
        self.ends = ends
        self.starts = starts
        self.finishes = finishes
        self.confidences = confidences
        self.weights = weights


class NumberedSide(NumberedWords):
    """The words of one side before they are aligned, with their graphs.

    `graphs` has, for utterances with alternations, nested items (positions in `types`) or graphs of
    these positions. `in_order` is true if no word of an utterance begins before the preceding word.
    `place` returns the position of a word in its file, for messages.
    """

    def __init__(
        self,
        types: NumberColumn,
        begins: NumberColumn,
        ends: NumberColumn,
        graphs: Mapping[int, Branch] | None = None,
        place: PlaceOfWord | None = None,
        in_order: bool = False,
        **details: array[float] | None,
    ) -> None:
        super().__init__(types, begins, ends, **details)
        self.graphs: dict[int, Branch | Graph] = dict(graphs or {})
        self.place = place
        self.in_order = in_order

    def growing(self) -> tuple[array[int], array[int], array[int]]:
        """Return the columns `types`, `begins` and `ends` as arrays, which they become."""
        from array import array

        if isinstance(self.types, memoryview):
            self.types = array("i", self.types.tobytes())
        if isinstance(self.begins, memoryview):
            self.begins = array("q", self.begins.tobytes())
        if isinstance(self.ends, memoryview):
            self.ends = array("q", self.ends.tobytes())
        return self.types, self.begins, self.ends

    def keep(self, utterance: int, positions: Sequence[int]) -> None:
        """Reduce an utterance to the given words, in the given order."""
        types, begins, ends = self.growing()
        begin = begins[utterance]
        if list(positions) == list(range(begin, begin + len(positions))):
            ends[utterance] = begin + len(positions)
            return
        begins[utterance] = len(types)
        types.extend([types[position] for position in positions])
        for column in (self.starts, self.finishes, self.confidences, self.weights):
            if column is not None:
                column.extend([column[position] for position in positions])
        ends[utterance] = len(types)
