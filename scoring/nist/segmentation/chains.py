"""Inferring words in plain sequences of ordinary words: most utterances, without their graphs.

With graphs alone option `-S` takes nearly twice the time.

What comes out is what `WordGraph` gives; here it is worked out with columns alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeAlias

from scoring.alignment.numbered import Arcs, Side, WordType
from scoring.nist.segmentation.pieces import Splitter
from scoring.nist.segmentation.word_list import WordList
from scoring.nist.transcripts.alternations import MarkupError
from scoring.nist.transcripts.lexicon import Lexicon

# A word: its number, its first unit and the one after its last.
Span: TypeAlias = tuple[int, int, int]
# The words one word consists of once it is taken apart, by number and by text.
Unit: TypeAlias = tuple[tuple[int, ...], tuple[str, ...]]
WORD, BEGINNING = 1, 2


class ChainInference:
    """Infers words in plain sequences: no null or optional words, fragments, inner alternatives."""

    def __init__(self, side: Side, lexicon: Lexicon, splitter: Splitter, words: WordList) -> None:
        self._side = side
        self._lexicon = lexicon
        self._splitter = splitter
        self._words = words
        self._types = list(lexicon.types())
        self._units: dict[int, Unit | None] = {}
        self._numbers: dict[str, int] = {}
        self._states: dict[str, int] = {}

    def segment(self, utterance: int) -> bool:
        """Change one utterance that is a plain sequence; False if it has other than such words."""
        side = self._side
        begin, end = side.begins[utterance], side.ends[utterance]
        units: list[Unit] = []
        for number in side.types[begin:end]:
            unit = self._unit(number)
            if unit is None:
                return False
            units.append(unit)
        spelled = self._find([text for unit in units for text in unit[1]])
        numbers = [number for unit in units for number in unit[0]]
        if not spelled and len(numbers) == end - begin:
            return True
        spans = [(number, index, index + 1) for index, number in enumerate(numbers)]
        shape = None
        if spelled:
            spans, shape = _lay(spans, spelled)
        self._add_times(range(begin, end), units, spans)
        side.begins[utterance] = len(side.types)
        side.types.extend([number for number, _, _ in spans])
        side.ends[utterance] = len(side.types)
        if shape is not None:
            positions = range(side.begins[utterance], side.ends[utterance])
            side.graphs[utterance] = shape._replace(positions=positions)
        return True

    def _unit(self, number: int) -> Unit | None:
        """What a word consists of; None if it is not ordinary."""
        if number not in self._units:
            self._units[number] = None
            word = self._types[number]
            if word.null or word.optional or word.fragment:
                return None
            try:
                pieces = self._splitter.pieces(word)
            except MarkupError:
                return None
            if pieces is None:
                self._units[number] = (number,), (word.text,)
            elif isinstance(pieces.items, range) and not any(
                branch.null for branch in pieces.words
            ):
                numbers = tuple(map(self._lexicon.made, pieces.words))
                self._units[number] = numbers, tuple(piece.text for piece in pieces.words)
        return self._units[number]

    def _find(self, texts: Sequence[str]) -> list[Span]:
        """All inferred words, by their first units and then their lengths."""
        spans_found: list[Span] = []
        count, longest = len(texts), self._words.longest
        states, state_of = self._states, self._state
        for first, text in enumerate(texts):
            for end in range(first + 2, min(first + longest, count) + 1):
                text += texts[end - 1]
                state = states.get(text)
                if state is None:
                    state = state_of(text)
                if state & WORD:
                    spans_found.append((self._number(text), first, end))
                if not state & BEGINNING:
                    break
        return spans_found

    def _state(self, text: str) -> int:
        """Whether a text is a word of the list or the beginning of one; remembered if either."""
        state = WORD * (text in self._words) + BEGINNING * self._words.begins(text)
        if state:
            self._states[text] = state
        return state

    def _number(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            word = WordType(text, (None, None), text, False, False, False)
            number = self._numbers[text] = self._lexicon.made(word)
        return number

    def _add_times(self, positions: range, units: Sequence[Unit], spans: Sequence[Span]) -> None:
        """Times and confidences of words, from those of the words they were taken from."""
        side = self._side
        if side.starts is None or side.finishes is None or side.confidences is None:
            return
        starts: list[float] = []
        finishes: list[float] = []
        confidences: list[float] = []
        for position, (numbers, _) in zip(positions, units, strict=True):
            start, finish = side.starts[position], side.finishes[position]
            confidences += [side.confidences[position]] * len(numbers)
            if numbers == (side.types[position],):
                starts.append(start)
                finishes.append(finish)
                continue
            duration = (finish - start) / len(numbers)
            for _ in numbers:
                starts.append(start)
                start += duration
                finishes.append(start)
        for _, first, end in spans:
            side.starts.append(starts[first])
            side.finishes.append(finishes[end - 1])
            confidence = confidences[first]
            for index in range(first + 1, end):
                confidence = (confidence + confidences[index]) / 2.0
            side.confidences.append(confidence)


def _lay(singles: Sequence[Span], found: Sequence[Span]) -> tuple[list[Span], Arcs]:
    """Words in the order of their first units, and the shape of the graph they are."""
    spans: list[Span] = []
    offsets, predecessors = array("i", [0]), array("i")
    # per place, inferred words that end there; the word written there comes before them
    ending: dict[int, list[int]] = {}
    before = [0]
    at = 0
    for single in singles:
        place = single[1]
        leaving = [single]
        while at < len(found) and found[at][1] == place:
            leaving.append(found[at])
            at += 1
        for span in leaving:
            spans.append(span)
            predecessors.extend(before)
            offsets.append(len(predecessors))
            if span is not single:
                ending.setdefault(span[2], []).append(len(spans))
        before = [len(spans) - len(leaving) + 1, *ending.pop(place + 1, ())]
    return spans, Arcs(range(len(spans)), offsets, predecessors, array("i", before))
