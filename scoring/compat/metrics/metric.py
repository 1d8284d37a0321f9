"""What every metric is: statistics of an utterance that add up, and a score made of their sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

from formats.value import Value
from scoring.version import VERSION

Words: TypeAlias = Sequence[str]
Statistics: TypeAlias = tuple[int, ...]


class Metric(Value):
    """Base of all metrics; immutable, with its options as slots.

    Statistics are vectors of one length, so that they can be summed, resampled and kept: tests of
    significance need nothing else.
    """

    __slots__: tuple[str, ...] = ()
    name: ClassVar[str]

    @property
    def components(self) -> tuple[str, ...]:
        """What the places of the statistics are, by name."""
        raise NotImplementedError

    def statistics(self, reference: Words, hypothesis: Words) -> Statistics:
        """The statistics of one utterance."""
        raise NotImplementedError

    def score(self, total: Sequence[int]) -> Any:
        """The score of a sum of statistics; None where there is none, as without reference."""
        raise NotImplementedError

    def of(self, reference: Words, hypothesis: Words) -> Any:
        """The score of one utterance."""
        return self.score(self.statistics(reference, hypothesis))

    @property
    def signature(self) -> str:
        """Every choice behind the number, in one line."""
        options = [f"{name}:{value}" for name, value in self.options().items()]
        return "|".join([self.name, *options, f"v:{VERSION}"])

    def options(self) -> dict[str, object]:
        """The options by name."""
        return {name: getattr(self, name) for name in self._slots if name[0] != "_"}

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.options().items())
        return f"{type(self).__name__}({given})"


class Evaluation(NamedTuple):
    """What a metric says of a set of utterances.

    Attributes
    ----------
    score
        Of all utterances together: from the sum, no mean of the utterances' own scores.
    total
        The sum of the statistics.
    statistics
        Of every utterance.
    components
        Names of the places of the statistics.
    signature
        Of the metric.
    """

    score: Any
    total: Statistics
    statistics: Sequence[Statistics]
    components: tuple[str, ...]
    signature: str


def evaluate(metric: Metric, pairs: Iterable[tuple[Words, Words]]) -> Evaluation:
    """Measure utterances, each given as its reference's and its hypothesis's words.

    Examples
    --------
    >>> from scoring.compat.metrics.registry import metric
    >>> found = evaluate(metric("wer"), [(["a", "b"], ["a"]), (["c"], ["c"])])
    >>> found.score, found.total, found.statistics
    (0.3333333333333333, (2, 0, 1, 0), [(1, 0, 1, 0), (1, 0, 0, 0)])
    """
    statistics = [metric.statistics(reference, hypothesis) for reference, hypothesis in pairs]
    total = add(statistics, len(metric.components))
    return Evaluation(metric.score(total), total, statistics, metric.components, metric.signature)


def add(statistics: Sequence[Statistics], length: int) -> Statistics:
    """The sum of vectors of a length.

    >>> add([(1, 2), (3, 4)], 2), add([], 2)
    ((4, 6), (0, 0))
    """
    if not statistics:
        return (0,) * length
    return tuple(map(sum, zip(*statistics, strict=True)))


def fill(metric: Metric, **options: object) -> None:
    """Put options in their slots, for the constructor of a metric."""
    for name, value in options.items():
        object.__setattr__(metric, name, value)
