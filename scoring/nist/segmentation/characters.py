"""Option `-c`: split all words of a side into characters.

Each distinct word is split once. Then the columns of the side are rebuilt, and plain utterances
stay plain. Utterances with alternatives are changed as graphs, because the order of their arcs
depends on the words that are split.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from itertools import accumulate, chain, repeat

from scoring.alignment.network import Graph
from scoring.alignment.numbered import NumberedSide
from scoring.alignment.sides import with_words
from scoring.nist.segmentation.pieces import Splitter, piece, texts_of
from scoring.nist.segmentation.word_graph import ArcColumns, WordGraph
from scoring.nist.transcripts.lexicon import Lexicon
from scoring.text.alternations import MarkupError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import NumberedItem


def split_words(sides: Sequence[NumberedSide], lexicon: Lexicon, splitter: Splitter) -> None:
    """Split every utterance into characters.

    Each character gets an equal part of its word's time.
    """
    pieces = _NumberedPieces(lexicon, splitter)
    for side in sides:
        size = len(side.types)
        # words of utterances that branch, or will, are taken apart as graphs and go to the end
        columns = ArcColumns(side, lexicon)
        for utterance in sorted({*side.graphs, *with_words(side, pieces.special)}):
            items: Sequence[NumberedItem] | Graph | None = side.graphs.get(utterance)
            if items is None:
                items = range(side.begins[utterance], side.ends[utterance])
            assert not isinstance(items, Graph)
            graph = WordGraph(items, columns.arc)
            graph.split(partial(splitter.pieces_at, side, utterance))
            columns.replace(utterance, graph)
        if pieces.split or size < len(side.types):
            _expand(side, size, pieces)


class _NumberedPieces:
    """For each word of a lexicon, the numbers of its pieces (characters)."""

    def __init__(self, lexicon: Lexicon, splitter: Splitter) -> None:
        # Per word: the numbers of its characters, or its own number
        self.numbers: list[tuple[int, ...]] = []
        self.split: set[int] = set()  # words that are taken apart
        # Words whose pieces are no plain sequence, or that cannot be taken apart
        self.special: set[int] = set()
        numbers_of = [_PieceNumbers(lexicon, optional) for optional in (False, True)]
        for number, word in enumerate(list(lexicon.types())):
            try:
                texts = texts_of(word, splitter.units.split)
            except MarkupError:
                self.special.add(number)
                texts = None
            if texts is None:
                self.numbers.append((number,))
                continue
            self.split.add(number)
            if "{" in word.value:
                self.special.add(number)
            self.numbers.append(tuple(map(numbers_of[word.optional].__getitem__, texts)))


class _PieceNumbers(dict[str, int]):
    """A mapping from the text of a piece to its number."""

    def __init__(self, lexicon: Lexicon, optional: bool) -> None:
        super().__init__()
        self._lexicon = lexicon
        self._optional = optional

    def __missing__(self, text: str) -> int:
        number = self[text] = self._lexicon.made(piece(text, self._optional))
        return number


def _expand(side: NumberedSide, size: int, pieces: _NumberedPieces) -> None:
    """Replace the first `size` words of all columns by their characters."""
    old = side.types[:size]
    lengths = array("q", map(list(map(len, pieces.numbers)).__getitem__, old))
    lengths.extend(repeat(1, len(side.types) - size))
    offsets = array("q", accumulate(lengths, initial=0))
    whole_end = side.types[size:]
    side.types = array("i", chain.from_iterable(map(pieces.numbers.__getitem__, old)))
    side.types.extend(whole_end)
    side.begins = array("q", map(offsets.__getitem__, side.begins))
    side.ends = array("q", map(offsets.__getitem__, side.ends))
    for utterance, graph in side.graphs.items():
        assert isinstance(graph, Graph)
        begin = side.begins[utterance]
        side.graphs[utterance] = graph._replace(types=range(begin, side.ends[utterance]))
    if side.confidences is not None:
        side.confidences = array("d", chain.from_iterable(map(repeat, side.confidences, lengths)))
    if side.starts is not None and side.finishes is not None:
        _divide_times(side, side.starts, side.finishes, old, pieces.split, lengths)


def _divide_times(
    side: NumberedSide,
    starts: array[float],
    finishes: array[float],
    words: Sequence[int],
    split: set[int],
    lengths: Sequence[int],
) -> None:
    """Divide the time of each word among its characters, with sclite's rounding."""
    new_starts, new_finishes = array("d"), array("d")
    spans = zip(chain(words, repeat(-1)), starts, finishes, lengths, strict=False)
    for word, start, finish, length in spans:
        if word in split:
            duration = (finish - start) / length
            for _ in range(length):
                new_starts.append(start)
                start += duration
                new_finishes.append(start)
        else:
            new_starts.append(start)
            new_finishes.append(finish)
    side.starts, side.finishes = new_starts, new_finishes
