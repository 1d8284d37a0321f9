"""Align a group of segments and classify each of its words.

Each hypothesis stream and each reference speaker is one axis of a grid. An alignment is a path
through the grid; each step takes the next word of one or more axes.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from graphlib import TopologicalSorter
from math import isqrt, prod

from formats.schema import NamedTuple
from scoring.alignment import load_core
from scoring.nist.asclite.choices import BOTH, HYPOTHESIS, INVALID, REFERENCE, AscliteOptions, Log
from scoring.nist.asclite.filters import SpeakerMap
from scoring.nist.asclite.grid import NEVER, Axis, Prices, same_text
from scoring.nist.asclite.groups import SegmentGroup
from scoring.nist.asclite.network_words import NetworkSegment, NetworkWord
from scoring.nist.transcripts.characters import to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.nist.asclite.plain import align_grid
else:
    _module = load_core()
    if _module is None:
        from scoring.nist.asclite import plain as _module
    align_grid = _module.align_grid

SUBSTITUTION, SINGLE, OPTIONAL, WRONG_SPEAKER, NEARNESS = 400, 300, 200, 100, 50
CELL = 4  # bytes
CORRECT, SUBSTITUTED, DELETED, INSERTED, MISTAKEN = "CSDIP"


class PathStep(NamedTuple):
    """One step of an alignment: the letter of the edit, and the word of each side or None.

    The letters are C, S, D, I and P (a correct word of the wrong speaker).
    """

    letter: str
    reference: NetworkWord | None
    hypothesis: NetworkWord | None


class AlignedSegment:
    """A reference segment with the path steps of its words, and the number of its group."""

    def __init__(self, segment: NetworkSegment, group: int) -> None:
        self.segment = segment
        self.group = group
        self.pairs: list[PathStep] = []


class GridTooLargeError(Exception):
    """Raised if a grid exceeds the memory limit.

    `needed` is the number of bytes that it requires.
    """

    def __init__(self, needed: int) -> None:
        super().__init__(needed)
        self.needed = needed


class GridLayout(NamedTuple):
    """The layout of a grid in memory.

    A layer is the part of the grid for one word of the axis `slow`; `block` is the number of layers
    in a block. The axis `fast` runs along a row.
    """

    slow: int
    fast: int
    block: int

    @classmethod
    def of(cls, sizes: Sequence[int], window: int, memory: int) -> GridLayout:
        """Return the fastest layout that fits into `memory` bytes.

        If all layers fit, each cell is computed once. Otherwise only the first layers of every
        block stay in memory, and each cell is computed twice. If even these layers do not fit,
        raises GridTooLargeError.

        >>> GridLayout.of([100, 50, 50], 1, 300_000)
        GridLayout(slow=0, fast=2, block=10)
        """
        order = sorted(range(len(sizes)), key=sizes.__getitem__)
        slow, fast = order[-1], order[-2] if len(order) > 1 else 1
        layers = sizes[slow]
        layer = prod(sizes) // layers * CELL
        if layers * layer <= memory:
            return cls(slow, fast, layers)
        block = max(isqrt(layers * window), window, 1)
        needed = (-(-layers // block) * window + block + window) * layer
        if needed > memory:
            raise GridTooLargeError(min(needed, layers * layer))
        return cls(slow, fast, block)


class Aligner:
    """Aligns groups of segments with fixed options."""

    def __init__(
        self, choices: AscliteOptions, speaker_map: SpeakerMap | None, memory: int
    ) -> None:
        self._choices = choices
        self._speaker_map = speaker_map
        self._memory = memory
        # as in asclite, `both` means the reference alone
        self.optional_references = choices.optional in (BOTH, REFERENCE)
        self.optional_hypotheses = choices.optional == HYPOTHESIS
        self.divider = 0

    def align(self, group: SegmentGroup) -> tuple[int, list[list[NetworkWord]]]:
        """Return the cost of the cheapest path through a group, and the words of each step."""
        references, hypotheses = group.words
        graph = _Graph(
            [*hypotheses, *references],
            [*group.hypotheses, *group.references],
            self._choices.generic,
        )
        return self._run(graph, len(hypotheses), group)

    def _run(
        self, graph: _Graph, streams: int, group: SegmentGroup
    ) -> tuple[int, list[list[NetworkWord]]]:
        choices = self._choices
        texts: dict[tuple[str, int], int] = {}
        axes = []
        self.divider = 100 * min(
            (_safe_divider(word) for words in graph.words for word in words), default=-1
        )
        for index in range(len(graph.words)):
            optional = self.optional_hypotheses if index < streams else self.optional_references
            axes.append(self._axis(graph, index, texts, choices.generic or optional))
        fragments = choices.fragments and any(part for _, part in texts)
        prices = Prices(
            SUBSTITUTION,
            WRONG_SPEAKER,
            NEARNESS if choices.adaptive and not choices.by_time else 0,
            group.end - group.begin,
            -1 if choices.widest is None else choices.widest,
            -1 if choices.prune is None else choices.prune,
            max(1, self.divider) if choices.by_time else 0,
            SINGLE,
            choices.letters,
            fragments,
            choices.generic,
        )
        layout = GridLayout.of(
            [len(words) + 1 for words in graph.words], graph.window, self._memory
        )
        cost, packed = align_grid(
            axes,
            streams,
            prices,
            [to_bytes(text) for text, _ in texts],
            bytes(part for _, part in texts),
            self._wrong(group) if self._speaker_map is not None else b"",
            *layout,
        )
        path = array("i", packed)
        width = len(axes)
        return cost, [
            [
                graph.words[axis][number - 1]
                for axis, number in enumerate(path[begin : begin + width])
                if number
            ]
            for begin in range(0, len(path), width)
        ]

    def _axis(
        self, graph: _Graph, index: int, texts: dict[tuple[str, int], int], optional: bool
    ) -> Axis:
        words = graph.words[index]
        case = self._choices.case_sensitive
        times = [word.interval for word in words]
        offsets, before = array("q", [0]), array("i")
        for predecessors in graph.before[index]:
            before.extend(predecessors)
            offsets.append(len(before))
        return Axis(
            array(
                "i",
                [texts.setdefault((word.folded(case), word.part), len(texts)) for word in words],
            ),
            array("q", [begin for begin, _ in times]),
            array("q", [end for _, end in times]),
            array("q", [self._alone(word, optional) for word in words]),
            bytes(not (word.begin >= 0 or word.end >= 0) for word in words),
            offsets,
            before,
            array("i", graph.lasts[index]),
        )

    def _alone(self, word: NetworkWord, optional: bool) -> int:
        price = OPTIONAL if optional and word.optional else SINGLE
        if self._choices.by_time and not self._choices.generic:
            return min(NEVER - 1, price * (word.end - word.begin) // self.divider)
        return price

    def _wrong(self, group: SegmentGroup) -> bytes:
        """Return a byte for each pair of stream and speaker: 1 if the speaker map lacks the pair.

        If words are paired by time, the names are looked up in capitals, as in asclite.
        """
        if self._choices.by_time:
            speakers = self._speaker_map or {}
            return bytes(
                speakers.get(
                    (hypothesis[0].file, hypothesis[0].channel, hypothesis[0].speaker.upper()), ""
                )
                != reference[0].speaker.upper()
                for hypothesis in group.hypotheses
                for reference in group.references
            )
        return bytes(
            not self.is_same_speaker(stream[0], speaker[0])
            for stream in group.hypotheses
            for speaker in group.references
        )

    def is_same_speaker(self, stream: NetworkSegment, speaker: NetworkSegment) -> bool:
        """Return True if the speaker map pairs the two speakers, or if there is no speaker map."""
        if self._speaker_map is None:
            return True
        key = stream.file, stream.channel, stream.speaker
        return self._speaker_map.get(key, "") == speaker.speaker

    def judged(self, reference: NetworkWord | None, hypothesis: NetworkWord | None) -> PathStep:
        """Return the path step of two aligned words (None: no word), with the edit's letter."""
        if reference is None:
            assert hypothesis is not None
            right = hypothesis.optional and self.optional_hypotheses
            return PathStep(CORRECT if right else INSERTED, None, hypothesis)
        if hypothesis is None:
            right = reference.optional and self.optional_references
            return PathStep(CORRECT if right else DELETED, reference, None)
        case = self._choices.case_sensitive
        reference_text, hypothesis_text = reference.folded(case), hypothesis.folded(case)
        same = reference_text == hypothesis_text
        if self._choices.fragments and (reference.part or hypothesis.part):
            same = same_text(
                to_bytes(reference_text), reference.part, to_bytes(hypothesis_text), hypothesis.part
            )
        if not same:
            return PathStep(SUBSTITUTED, reference, hypothesis)
        same_speaker = self.is_same_speaker(hypothesis.segment, reference.segment)
        return PathStep(CORRECT if same_speaker else MISTAKEN, reference, hypothesis)


class _Graph:
    """The words of all axes in the form that the grid takes, with the predecessors of each word.

    If an axis has several possible first words, asclite lists the predecessors of each word several
    times. The repetitions only decide between equally cheap paths of a `multiple` grid, which
    aligns several hypotheses. More than two repetitions change nothing.
    """

    def __init__(
        self, axes: list[list[NetworkWord]], segments: list[list[NetworkSegment]], multiple: bool
    ) -> None:
        self._multiple = multiple
        self.words: list[list[NetworkWord]] = []
        self.before: list[list[list[int]]] = []
        self.lasts: list[list[int]] = []
        for reached, own in zip(axes, segments, strict=True):
            self._add(reached, [segment for segment in own if segment.first])

    def _add(self, reached: list[NetworkWord], segments: list[NetworkSegment]) -> None:
        reached_words = dict.fromkeys(reached)
        firsts = [word for word in reached_words if segments and word in segments[0].first]
        order = {word: number for number, word in enumerate(reached_words, 1)}
        if any(
            order.get(neighbour, 0) >= order[word]
            for word in reached_words
            for neighbour in word.before
        ):
            links = {
                word: [link for link in word.before if link in reached_words]
                for word in reached_words
            }
            order = {
                word: number
                for number, word in enumerate(TopologicalSorter(links).static_order(), 1)
            }
        words = sorted(reached_words, key=order.__getitem__)
        before = []
        for word in words:
            # a word before the group stands where the group begins, wherever the word stands
            once = [order.get(neighbour, 0) for neighbour in word.before] or [0]
            predecessors = once * min(2, max(1, len(firsts)))
            if word in firsts:
                earlier = len(firsts) - 1 - firsts.index(word)
                later = firsts.index(word)
                predecessors = [*once * min(2, earlier), 0, *once * min(2, later)]
            if not self._multiple:
                predecessors = list(dict.fromkeys(predecessors))
            before.append(predecessors[::-1])
        self.words.append(words)
        self.before.append(before)
        lasts = [word for word in reached if segments and word in segments[-1].last]
        self.lasts.append([order[word] for word in dict.fromkeys(reversed(lasts))])

    @cached_property
    def window(self) -> int:
        """The greatest distance between a word and a predecessor, in words of the longest axis."""
        longest = max(range(len(self.words)), key=lambda axis: (len(self.words[axis]), axis))
        return max(
            (
                number - word
                for number, predecessors in enumerate(self.before[longest], 1)
                for word in predecessors
            ),
            default=1,
        )


def _safe_divider(word: NetworkWord) -> int:
    """Return the largest power of ten that divides both times of a word without remainder."""
    power = 1
    while power < 10**9 and word.begin % (10 * power) == 0 == word.end % (10 * power):
        power *= 10
    return power


class Assignment:
    """The path steps of each reference segment, collected group by group."""

    def __init__(self, aligner: Aligner, log: Log) -> None:
        self._aligner = aligner
        self._log = log
        self.segments: dict[NetworkSegment, AlignedSegment] = {}

    def add(self, group: SegmentGroup, steps: list[list[NetworkWord]]) -> None:
        """Assign the steps of a group's path to the reference segments of the group."""
        if not steps:
            for segment in (segment for axis in group.references for segment in axis):
                self.segments.setdefault(segment, AlignedSegment(segment, group.number))
        heard = {word for axis in group.words[1] for word in axis}
        pairs = []
        for words in steps:
            both: list[NetworkWord | None] = [None, None]
            for word in words:
                both[word in heard] = word
            pairs.append(self._aligner.judged(*both))
        latest: NetworkSegment | None = None
        following: list[NetworkSegment | None] = [None] * len(pairs)
        coming: NetworkSegment | None = None
        for index in range(len(pairs) - 1, -1, -1):
            following[index] = coming
            reference = pairs[index].reference
            coming = coming if reference is None else reference.segment
        for pair, after in zip(pairs, following, strict=True):
            if pair.reference is not None:
                latest = segment = pair.reference.segment
            else:
                assert pair.hypothesis is not None
                segment = self._place(pair.hypothesis, latest, after, group)
            aligned = self.segments.get(segment)
            if aligned is None:
                aligned = self.segments[segment] = AlignedSegment(segment, group.number)
            aligned.group = group.number
            aligned.pairs.append(pair)

    def _place(
        self,
        word: NetworkWord,
        latest: NetworkSegment | None,
        after: NetworkSegment | None,
        group: SegmentGroup,
    ) -> NetworkSegment:
        """Return the reference segment under which an inserted word is printed.

        It is the first of these segments that overlaps the word: `latest` (of the reference word
        before it on the path), `after` (of the reference word after it), the other segments of the
        group.
        """
        candidates = [segment for segment in (latest, after) if segment is not None]
        candidates += [segment for axis in group.references for segment in axis]
        for segment in candidates:
            if not word.timed or (word.begin <= segment.end and segment.begin <= word.end):
                return segment
        raise self._log.refuse(
            INVALID,
            f"group {group.number}: the word {word.text!r} at {word.begin / 1000:.3f} lies in no "
            "segment of its group",
        )
