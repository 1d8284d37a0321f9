"""Measures beyond the error rate: loops, punctuation, case, confidence, groups, words, times.

A measure is a name, a definition, integer columns per utterance, and a function from the sums of
these columns to numbers. A measure never aligns words: it reads the alignment from which the error
rate was computed. Groups, intervals, comparisons, shards, tables and reports are computed from the
columns.

How to write a measure
----------------------
1. A module in this package with a `MeasureSpec` named `MEASURE`, and a row in `MEASURES` below:

   ```python
   def count(view: View) -> dict[str, Any]:
       silent = view.counts[:, :3].sum(axis=1) == 0  # utterances without reference words
       return {"silent": silent, "words": silent * np.diff(view.hypothesis.offsets)}

   MEASURE = MeasureSpec(
       name="words-in-silence",
       title="Words in silence",
       question="Does the system invent text?",
       definition="Words of the hypothesis in utterances without reference words, divided by ...",
       figures=(
           # a sum of columns divided by another; None where that is 0
           Figure("words_each", "words per utterance", "words / silent", high=None, form="number"),
       ),
       columns=("silent", "words"),
       count=count,
       worst="words",  # reports list the utterances with most of them
   )
   ```

2. `View` (`scoring.measures.view`) has the columns of a result: `edits`, `left`, `right` by slot;
   `reference` and `hypothesis` with `ids`, `offsets`, `right`, `by_type`, and `raw`, their words as
   read, with `origins`, `confidences` and times. Use `by_type` for properties of words: it computes
   them once for each distinct word. Declare in `needs` what must be known besides words.
3. A function `numbers`, from sums to values by name, computes figures that are not a ratio of sums.
   Figures that are not a function of sums (medians, areas under curves) need `kind="sample"`:
   `count` returns a column as `view.sample(values, labels, utterances)`, and `numbers` reads it,
   sorted by value, from `totals.samples`. Bins of a histogram are sums (`kind="bins"`).
4. Settings are `parameters` (`MeasureSetting`): `view.settings["limit"]` in `count`; people write
   `--measure-option limit=4`, or `sk.measure(rates, "name", {"limit": 4})`. Names are unique over
   all measures.
5. A measure of another package is also a `MeasureSpec`, named by an entry point of the group
   `sclite_kit.measures` (`docs/plugins.md`).
6. `tests/scoring/measures/test_all.py` tests every measure of the registry: additivity, bounds,
   order of utterances, reports, shards, tables; figures in `monotone` must not improve when a
   right word becomes wrong. Add a corpus to `corpora.py` if it needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from formats.schema.errors import close_names
from formats.schema.messages import Message
from formats.schema.plugins import OTHER_NAME, Door, Plugin, PluginError
from scoring.model.errors import OptionValueError

if TYPE_CHECKING:
    from scoring.measures.view import AlignedWords, View
    from scoring.options import Options
    from scoring.results import Rates
    from scoring.results.measured import Measured, MeasureSetting, MeasureSpec, Need

ScoredRates = TypeVar("ScoredRates", bound="Rates")
# The modules, and the attribute unless it is MEASURE; loaded when a measure is asked for.
MEASURES = {
    "loops": "scoring.measures.loops",
    "silence": "scoring.measures.invention:SILENCE",
    "gaps": "scoring.measures.invention:GAPS",
    "runs": "scoring.measures.invention:RUNS",
    "empty": "scoring.measures.invention:EMPTY",
    "length": "scoring.measures.invention:LENGTH",
    "translation": "scoring.measures.translation",
    "languages": "scoring.measures.languages",
    "reference-errors": "scoring.measures.reference_errors",
    "renderings": "scoring.measures.renderings",
    "characters": "scoring.measures.characters",
    "weighted": "scoring.measures.characters:WEIGHTED",
    "phrases": "scoring.measures.phrases",
    "script": "scoring.measures.script",
    "punctuation": "scoring.measures.punctuation",
    "nemo-per": "scoring.measures.punctuation:NEMO",
    "opening": "scoring.measures.punctuation:OPENING",
    "case": "scoring.measures.casing",
    "formatting": "scoring.measures.casing:FORMATTING",
    "calibration": "scoring.measures.calibration",
    "confidence-order": "scoring.measures.ranking",
    "repetition": "scoring.measures.repetition:REPETITION",
    "compression": "scoring.measures.repetition:COMPRESSION",
    "forms": "scoring.measures.forms",
    "numbers": "scoring.measures.numbers",
    "timing": "scoring.measures.timing",
    "timing-aligned": "scoring.measures.timing:ALIGNED",
    "boundaries": "scoring.measures.recordings:BOUNDARIES",
    "drift": "scoring.measures.recordings:DRIFT",
    "latency": "scoring.measures.latency",
    "simuleval": "scoring.measures.simuleval",
    "subtitles": "scoring.measures.subtitles",
    "words": "scoring.measures.words",
    "vocabulary": "scoring.measures.vocabulary",
    "vocabulary-types": "scoring.measures.vocabulary:TYPES",
    "classes": "scoring.measures.tokens:CLASSES",
    "switches": "scoring.measures.tokens:SWITCHES",
    "sentences": "scoring.measures.tokens:SENTENCES",
    "wder": "scoring.measures.speakers",
}

PLUGINS = Door("measure", lambda: MEASURES)
"""Measures of other packages."""

SYNONYMS = {
    "hallucination": ("loops", "silence"),
}
"""Other names of measures, without a final s."""


def measure_named(name: str) -> MeasureSpec:
    """Return the measure with a name; raise ValueError if there is none."""
    if name not in MEASURES:
        plugin = PLUGINS.find(name)
        if plugin is not None:
            return _measure_of(plugin)
        known = (*MEASURES, *PLUGINS.plugins())
        near = SYNONYMS.get(name.lower().rstrip("s"), ()) or close_names(name, known)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        expected = "the name of a measure (`scoring measures` lists them)"
        raise OptionValueError("measures", expected=expected, found=f"{name!r}{meant}")
    module, _, attribute = MEASURES[name].partition(":")
    measure: MeasureSpec = getattr(import_module(module), attribute or "MEASURE")
    return measure


@cache
def _measure_of(plugin: Plugin) -> MeasureSpec:
    """Load the measure of another package; the signature shows the package's version."""
    from dataclasses import replace

    from scoring.results.measured import MeasureSpec

    measure = plugin.load(MeasureSpec)
    if measure.name != plugin.name:
        raise plugin.error(OTHER_NAME, found=measure.name)
    return replace(measure, version=plugin.origin)


def all_measures() -> Iterator[MeasureSpec]:
    """Iterate over the built-in measures in registry order, then over measures of plug-ins."""
    yield from map(measure_named, MEASURES)
    yield from PLUGINS.loaded(_measure_of)


def plugin_problems() -> list[PluginError]:
    """Return the errors of plug-in measures that could not be loaded."""
    return PLUGINS.problems(_measure_of)


def parameter_named(name: str, measures: Iterable[MeasureSpec]) -> MeasureSetting:
    """Return the setting with a name from the given measures; raise ValueError if none has it."""
    parameters = {item.name: item for measure in measures for item in measure.parameters}
    if name not in parameters:
        expected = ", ".join(parameters) or "no setting of these measures"
        raise OptionValueError("measure_options", expected=expected, found=repr(name))
    return parameters[name]


def measure_or_function(name: str) -> MeasureSpec:
    """Return the measure with a name, or the user's function `module:function` as a measure."""
    if ":" not in name:
        return measure_named(name)
    from scoring.measures.function import function_measure

    return function_measure(name)


def checked_options(options: Options) -> tuple[MeasureSpec, ...]:
    """Return the measures that the options name, without duplicates.

    Raise ValueError if a name or a setting is invalid.
    """
    measures = tuple(map(measure_or_function, dict.fromkeys(options.measures)))
    for name, value in options.measure_options.items():
        parameter = parameter_named(name, measures)
        try:
            parameter.read(value)
        except ValueError as problem:
            raise OptionValueError("measure_options", f"{name}: {problem}") from None
    return measures


def needs_sources(options: Options) -> bool:
    """Return True if a measure needs words as read, times or other content besides scored words."""
    return any(measure.needs for measure in checked_options(options))


def count_measures(
    rates: Rates, measures: Sequence[MeasureSpec], values: Mapping[str, Any]
) -> dict[str, Measured]:
    """Count the given measures in a result; return a mapping from their names to the counts."""
    from dataclasses import replace

    from scoring.measures.view import View
    from scoring.results.counted import CountedColumns
    from scoring.results.measured import Measured

    view = View(rates)
    counted: dict[str, Measured] = {}
    for measure in measures:
        view.settings = measure.settings(values)
        if (need := _lacking(view, measure)) is not None:
            from scoring.measures.messages import LACKING, LACKING_AND_NOT_KEPT

            entries = LACKING_AND_NOT_KEPT if rates.sources is None else LACKING
            raise view.error(Message(entries[need], {"measure": measure.name}))
        columns = CountedColumns.of(len(view), measure.count(view), measure.columns)
        item = Measured(measure, measure.settings_text(values), columns)
        if "raw" in measure.needs:
            words = view.hypothesis.raw.words
            item = replace(item, texts={row: " ".join(words[row]) for row in item.listed.tolist()})
        counted[measure.name] = item
    return counted


def _lacking(view: View, measure: MeasureSpec) -> Need | None:
    """Return the first input that a measure needs and the result lacks, otherwise None."""
    left, right, sources = view.reference, view.hypothesis, view.rates.sources
    is_of_words = view.settings.get("confidence-unit") != "utterance"

    def has(side: AlignedWords, name: str) -> bool:
        return side.has(name) or not len(side.ids)  # where there are no words nothing is lacking

    present: dict[Need, Callable[[], object]] = {
        "times": lambda: has(left, "starts_ns") and has(right, "starts_ns"),
        "segments": lambda: has(left, "start_ns") and has(right, "starts_ns"),
        "confidences": lambda: (
            has(right, "confidences")
            if is_of_words
            else any(part.confidence is not None for parts in view.heard for part in parts)
        ),
        "sources": lambda: sources is not None,
    }
    needed = (need for need in present if need in measure.needs)
    return next((need for need in needed if not present[need]()), None)


def measure(rates: Rates, name: str, settings: Mapping[str, object] | None = None) -> Measured:
    """Count a measure of a result, on the alignment from which its error rate was computed.

    Parameters
    ----------
    rates
        Result of `scoring.wer`. Measures of words as read, times or confidences need
        `keep_sources=True`, unless the scored words are the words as read, or `scoring.wer` counted
        the measure (`measures=[name]`).
    name
        Name of a measure; `scoring measures` lists them. `module:function` names your own function:
        see `scoring.measures.function`.
    settings
        Settings of the measure by name, as in `--measure-option`.

    Returns
    -------
    Measured
        `values`: numbers by name, None where there is no denominator; `columns`: what was counted
        in each utterance; `select(positions)`: the measure of the utterances at these positions
        alone.

    Raises
    ------
    ValueError
        If there is no such measure or setting, or a value is invalid.
    InputError
        If the result lacks what the measure needs.

    Examples
    --------
    >>> from scoring import wer
    >>> rates = wer(["a b", "c"], ["", "c"])
    >>> measure(rates, "empty")["empty_share"]
    0.5
    """
    present = rates.measured.get(name)
    if present and not settings:
        return present  # a function that a file names is not loaded
    specification = measure_or_function(name)
    for setting in settings or ():
        parameter_named(setting, [specification])
    if present and present.settings == specification.settings_text(settings or {}):
        return present
    return count_measures(rates, [specification], settings or {})[name]


def with_measures(rates: ScoredRates, options: Options) -> ScoredRates:
    """Count the measures that the options name, and return the result with them."""
    counted = count_measures(rates, checked_options(options), options.measure_options)
    return rates._replace(measured=counted)
