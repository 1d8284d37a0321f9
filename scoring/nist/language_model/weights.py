"""Language model weights of the words of an utterance."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.network import Graph, build
from scoring.model.errors import ScoringError
from scoring.nist.language_model.model import UNKNOWN, LanguageModel, ModelError
from scoring.nist.language_model.model_files import read_model

if TYPE_CHECKING:
    from scoring.alignment.numbered import NumberedSide, WordType
    from scoring.model.aliases import Say

UNKNOWN_BITS = 20.0
LONGEST_HISTORY = 2


class Weighing(NamedTuple):
    """The result of weighing words.

    `infinite` has the utterances with a word of infinite weight. `failed` is the index of the
    utterance in which an error occurred, and `failure` is the error; both are None without an
    error.
    """

    infinite: set[int]  # utterances in which a word weighs infinitely much
    # The utterance at which weighing stopped, and why; None if all went well
    failed: int | None = None
    failure: ScoringError | None = None


class LanguageModelWeights:
    """Weighs each word by its surprisal in context, in bits.

    A word outside the model weighs 20 and an optional word weighs 0. The history of a word consists
    of up to two words before it on the same side and in the same utterance. There is no symbol for
    the beginning of an utterance. After alternatives, the weight is the mean over all histories.
    The model is read when the first word is weighed.
    """

    def __init__(self, argument: str, name: str, say: Say) -> None:
        self.name = name
        self._argument = argument
        self._warn = say
        self._said = False
        self._model: LanguageModel | None = None
        self._known: dict[tuple[int, ...], float] = {}

    def weigh(
        self, reference: NumberedSide, hypothesis: NumberedSide, types: Sequence[WordType]
    ) -> Weighing:
        """Fill the column `weights` of both sides."""
        for side in (reference, hypothesis):
            side.weights = array("d", bytes(8 * len(side.types)))
        # sclite begins with the hypothesis, as its remarks show
        weighers = [_SideWeigher(side, types, self) for side in (hypothesis, reference)]
        infinite: set[int] = set()
        for utterance in range(len(reference.begins)):
            for weigher in weighers:
                try:
                    if weigher.weigh(utterance):
                        infinite.add(utterance)
                except ScoringError as problem:
                    return Weighing(infinite, utterance, problem)
        return Weighing(infinite)

    @property
    def model(self) -> LanguageModel:
        """The model, read at the first access."""
        if self._model is None:
            self._model = read_model(self._argument, self.name)
        return self._model

    def bits(self, words: tuple[int, ...]) -> float:
        """Return the surprisal, in bits, of the last of `words`; all words must be in the model."""
        cached = self._known.get(words)
        if cached is not None:
            return cached
        self._said = False
        weight = self.model.bits(words, self._say)
        if not self._said:  # a remark is repeated whenever its reason is met again
            self._known[words] = weight
        return weight

    def _say(self, text: str) -> None:
        self._said = True
        self._warn(text)


class _SideWeigher:
    """Weighs the words of one side."""

    def __init__(
        self, side: NumberedSide, types: Sequence[WordType], weights: LanguageModelWeights
    ) -> None:
        self._side = side
        self._types = types
        self._weights = weights
        self._numbers: dict[int, int] = {}

    def weigh(self, utterance: int) -> bool:
        """Weigh the words of one utterance; return True if one of them has an infinite weight."""
        side = self._side
        graph = side.graphs.get(utterance)
        positions: Sequence[int] = range(side.begins[utterance], side.ends[utterance])
        if not positions and graph is None:
            return False
        weights = side.weights
        assert weights is not None
        longest = min(self._weights.model.order - 1, LONGEST_HISTORY)
        if graph is None:
            history: tuple[int, ...] = ()
            for position in positions:
                type_ = side.types[position]
                weights[position] = self._weight(type_, [history])
                if longest:
                    history = (*history, self._number(type_))[-longest:]
            return inf in weights[positions[0] : positions[-1] + 1]
        shape = graph if isinstance(graph, Graph) else build(graph)
        positions = shape.types
        if not len(shape.predecessor_offsets):
            count = len(positions)
            shape = Graph(positions, range(count + 1), range(count), ())
        for arc, position in enumerate(positions, 1):
            histories = [
                tuple([self._number(side.types[positions[before - 1]]) for before in path])
                for path in _histories(shape, arc, longest)
            ]
            weights[position] = self._weight(side.types[position], histories)
        return any(weights[position] == inf for position in positions)

    def _weight(self, type_: int, histories: Sequence[tuple[int, ...]]) -> float:
        """Return the mean weight of a word over all histories."""
        if self._types[type_].optional:
            return 0.0
        number = self._number(type_)
        if number == UNKNOWN:
            return UNKNOWN_BITS
        bits = [self._weights.bits((*history, number)) for history in histories]
        return sum(bits) / len(bits)

    def _number(self, type_: int) -> int:
        """Return the number that the model gives a word."""
        number = self._numbers.get(type_)
        if number is None:
            text = self._types[type_].value
            if not text:
                raise ModelError("sih_lookup ERROR: cannot hash the null string\n")
            number = self._numbers[type_] = self._weights.model.number(text.encode("latin-1"))
        return number


def _histories(graph: Graph, arc: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Yield each sequence of at most `longest` arcs that ends right before an arc."""
    offsets = graph.predecessor_offsets
    before = graph.predecessors[offsets[arc - 1] : offsets[arc]] if longest else ()
    if not before:
        yield ()
    for word in before:
        if word:
            for history in _histories(graph, word, longest - 1):
                yield (*history, word)
        else:
            yield ()
