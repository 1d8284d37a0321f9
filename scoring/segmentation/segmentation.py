"""Option `-S`: the words of one side are taken apart and put together as a lexicon allows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import NamedTuple

from scoring.errors import OriginalError, ScoringError
from scoring.segmentation.word_graph import Arc, Pieces, WordGraph
from scoring.segmentation.word_list import WordList
from scoring.side import Arcs, Item, Side
from scoring.system import WordType
from scoring.transcripts.alternations import Alternations
from scoring.transcripts.characters import Characters
from scoring.transcripts.files import Warn
from scoring.transcripts.lexicon import Lexicon
from scoring.transcripts.words import NULL

BOTH = "Error: unknown alignment procedure\n"


class SegmentationRequest(NamedTuple):
    """What option `-S` says.

    Attributes
    ----------
    algorithms
        `algo1` takes the hypothesis apart, `algo2` the reference; sclite refuses to do both.
    path, name
        Of the lexicon; the name is byte text, for messages.
    splits_ascii
        ASCII characters are separated, too (`ASCIITOO`).
    """

    algorithms: Collection[str]
    path: str
    name: str
    splits_ascii: bool = False


class Segmenter:
    """Takes the words of one side into characters and infers words from them.

    Parameters
    ----------
    characters
        How words are split.
    warn
        Gets messages for the error stream.
    """

    def __init__(self, request: SegmentationRequest, characters: Characters, warn: Warn) -> None:
        self._request = request
        self._characters = characters
        self._warn = warn
        self._words: WordList | None = None
        self._pieces: dict[WordType, Pieces | None] = {}

    @property
    def folds_hypothesis(self) -> bool:
        """False if capitals in a trn hypothesis stay, whatever option `-s` says: a lapse of sclite."""
        return "algo1" in self._request.algorithms

    def prepare(self) -> ScoringError | None:
        """Read the lexicon, once; the error that ends the run at its first utterance, if any."""
        if len(self._request.algorithms) > 1:
            return OriginalError(BOTH)
        if self._words is None:
            try:
                self._words = WordList.read(
                    self._request.path, self._request.name, self._characters, self._warn
                )
            except OriginalError as problem:
                return problem
        return None

    def segment(self, reference: Side, hypothesis: Side, lexicon: Lexicon) -> None:
        """Change the side whose words are inferred; new words are added to the lexicon."""
        if self._words is None:
            return  # there was no utterance
        side = hypothesis if "algo1" in self._request.algorithms else reference
        columns = _Columns(side, lexicon)
        for utterance in range(len(side.begins)):
            items = side.graphs.get(utterance)
            if items is None:
                items = range(side.begins[utterance], side.ends[utterance])
            assert not isinstance(items, Arcs)
            if items:
                graph = WordGraph(items, columns.arc)
                graph.split(self._pieces_of)
                graph.infer(self._words)
                if graph.changed:
                    columns.replace(utterance, graph)

    def _pieces_of(self, word: WordType) -> Pieces | None:
        """What a word is split into; None if it stays as it is."""
        if word not in self._pieces:
            self._pieces[word] = pieces_of(word, self._split)
        return self._pieces[word]

    def _split(self, text: str) -> list[str]:
        characters = self._characters.split(text)
        if self._request.splits_ascii:
            return characters
        pieces: list[str] = []
        for together, run in groupby(characters, self._characters.is_ascii):
            pieces += ["".join(run)] if together else run
        return pieces


def pieces_of(word: WordType, split: Callable[[str], Sequence[str]]) -> Pieces | None:
    """The words one word is split into, or None if it stays whole.

    A word of one byte stays, and so does one that `split` leaves whole, unless it is optional.
    Pieces have no tags and are no fragments; those of an optional word are optional. An opening
    brace among them (possible in ctm only) begins alternatives, as in sclite.

    Parameters
    ----------
    split
        Gives the pieces of a text.

    Examples
    --------
    >>> word = WordType("(ab)", ("tag", None), "ab", False, True, False)
    >>> [piece.text for piece in pieces_of(word, list).words]
    ['(a)', '(b)']
    """
    if len(word.text) < 2:
        return None
    texts = split(word.value)
    if not texts or (len(texts) == 1 and texts[0] == word.text):
        return None
    items: Sequence[Item] = range(len(texts))
    if any("{" in text for text in texts):
        found: list[str] = []

        def add(token: str) -> int:
            found.append(token)
            return len(found) - 1

        items, texts = Alternations(add).read(" ".join(texts)), found
    return Pieces([_piece(text, word.optional) for text in texts], items)


def _piece(text: str, optional: bool) -> WordType:
    value = text[:-1] if len(text) > 1 and text[-1] == "*" else text
    shown = f"({value})" if optional else value
    return WordType(shown, (None, None), value, shown == NULL, optional, False)


class _Columns:
    """The words of a side as arcs, and back."""

    def __init__(self, side: Side, lexicon: Lexicon) -> None:
        self._side = side
        self._lexicon = lexicon
        self._types = lexicon.types()

    def arc(self, position: int) -> Arc:
        """The word at a position."""
        side = self._side
        word = self._types[side.types[position]]
        if side.starts is None or side.finishes is None or side.confidences is None:
            return Arc(word, position=position)
        start, finish = side.starts[position], side.finishes[position]
        return Arc(word, start, finish, side.confidences[position], position)

    def replace(self, utterance: int, graph: WordGraph) -> None:
        """Let an utterance consist of the words of a graph, at the end of the columns."""
        side, number = self._side, self._lexicon.made
        arcs, shape = graph.numbered()
        begin = len(side.types)
        side.types.extend(
            [
                number(arc.word) if arc.position is None else side.types[arc.position]
                for arc in arcs
            ]
        )
        for column, values in (
            (side.starts, [arc.start for arc in arcs]),
            (side.finishes, [arc.finish for arc in arcs]),
            (side.confidences, [arc.confidence for arc in arcs]),
        ):
            if column is not None:
                column.extend(values)
        side.begins[utterance], side.ends[utterance] = begin, len(side.types)
        if shape.is_chain:
            side.graphs.pop(utterance, None)
        else:
            side.graphs[utterance] = shape._replace(positions=range(begin, len(side.types)))
