"""Option `-S`: split the words of one side into characters, and infer words with a lexicon."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.network import Graph
from scoring.model.errors import OriginalError, ScoringError
from scoring.nist.segmentation.pieces import Splitter
from scoring.nist.segmentation.word_graph import ArcColumns, WordGraph
from scoring.nist.segmentation.word_list import WordList
from scoring.nist.transcripts.character_units import CharacterUnits

if TYPE_CHECKING:
    from scoring.alignment.numbered import NumberedItem, NumberedSide
    from scoring.model.aliases import Say
    from scoring.nist.transcripts.characters import Characters
    from scoring.nist.transcripts.lexicon import Lexicon

BOTH = "Error: unknown alignment procedure\n"


class SegmentationRequest(NamedTuple):
    """The arguments of option `-S`."""

    # `algo1` takes the hypothesis apart, `algo2` the reference; sclite refuses to do both
    algorithms: Collection[str]
    path: str  # of the lexicon; the name is byte text, for messages
    name: str
    splits_ascii: bool = False  # aSCII characters are separated, too (`ASCIITOO`)


class Segmenter:
    """Splits the words of one side into characters and infers words from them."""

    def __init__(self, request: SegmentationRequest, characters: Characters, warn: Say) -> None:
        self._request = request
        self._characters = characters
        units = CharacterUnits(characters, keep_ascii=not request.splits_ascii)
        self._splitter = Splitter(units)
        self._warn = warn
        self._words: WordList | None = None

    @property
    def folds_hypothesis(self) -> bool:
        """False if a trn hypothesis keeps its capitals even without option `-s`, as in sclite."""
        return "algo1" in self._request.algorithms

    def prepare(self) -> ScoringError | None:
        """Read the lexicon once; return an error that must end the run, or None."""
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

    def segment(self, reference: NumberedSide, hypothesis: NumberedSide, lexicon: Lexicon) -> None:
        """Replace the words of one side by inferred words. New words are added to `lexicon`."""
        if self._words is None:
            return  # there was no utterance
        side = hypothesis if "algo1" in self._request.algorithms else reference
        columns = ArcColumns(side, lexicon)
        for utterance in range(len(side.begins)):
            items: Sequence[NumberedItem] | Graph | None = side.graphs.get(utterance)
            if items is None:
                items = range(side.begins[utterance], side.ends[utterance])
            if items and not isinstance(items, Graph):
                graph = WordGraph(items, columns.arc)
                graph.split(partial(self._splitter.pieces_at, side, utterance))
                graph.infer(self._words)
                if graph.changed:
                    columns.replace(utterance, graph)
