"""All metrics by name.

*Adding a metric* is one class, one entry here, one test and one line of the manual.
"""

from __future__ import annotations

from typing import NamedTuple

from formats.errors import close_names
from scoring.compat.metrics.counting import MODES
from scoring.compat.metrics.entities import BagOfEntitiesErrorRate
from scoring.compat.metrics.metric import Metric
from scoring.compat.metrics.rates import (
    CharacterErrorRate,
    DifferenceCounts,
    MatchErrorRate,
    SentenceErrorRate,
    WordErrorRate,
    WordInformationLost,
    WordInformationPreserved,
)
from scoring.compat.metrics.word_differences import WordDifferences


class MetricSpec(NamedTuple):
    """What a metric tells about itself.

    Attributes
    ----------
    name
        As people type it.
    title
        One line.
    metric
        Its class; options are the arguments of its constructor.
    modes
        How it may count; empty: it does not count errors of words.
    options
        Names of the constructor's arguments.
    """

    name: str
    title: str
    metric: type[Metric]
    modes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


_MODE = ("mode",)
METRICS = (
    MetricSpec("wer", "errors per reference word", WordErrorRate, MODES, _MODE),
    MetricSpec("cer", "errors per reference character", CharacterErrorRate, MODES, _MODE),
    MetricSpec("mer", "errors per place of the alignment", MatchErrorRate, MODES, _MODE),
    MetricSpec("wil", "word information lost", WordInformationLost, MODES, _MODE),
    MetricSpec("wip", "word information preserved", WordInformationPreserved, MODES, _MODE),
    MetricSpec("ser", "share of utterances with errors", SentenceErrorRate),
    MetricSpec("diffcounts", "equal, replaced, inserted, deleted", DifferenceCounts, MODES, _MODE),
    MetricSpec(
        "beer", "error rates of a bag of entities", BagOfEntitiesErrorRate, (), ("entities",)
    ),
    MetricSpec("worddiffs", "the words that differ", WordDifferences, MODES, ("dialect", *_MODE)),
)
_BY_NAME = {spec.name: spec for spec in METRICS}


def spec_named(name: str) -> MetricSpec:
    """What there is to know of a metric.

    Raises
    ------
    ValueError
        If there is none of that name.

    Examples
    --------
    >>> spec_named("cer").title
    'errors per reference character'
    """
    try:
        return _BY_NAME[name]
    except KeyError:
        near = " or ".join(close_names(name, tuple(_BY_NAME)))
        hint = f" (near: {near})" if near else ""
        known = ", ".join(_BY_NAME)
        raise ValueError(f"metric: expected one of {known}, found {name!r}{hint}") from None


def metric(name: str, **options: object) -> Metric:
    """A metric of its name and options.

    Raises
    ------
    TypeError, ValueError
        If there is no such metric, or an option is not its, or means nothing.

    Examples
    --------
    >>> metric("wer", mode="hunt")
    WordErrorRate(mode='hunt')
    """
    return spec_named(name).metric(**options)
