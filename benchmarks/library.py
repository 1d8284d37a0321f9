"""Measurement of one function of our library against a yardstick: the same work by another library.

    python benchmarks/library.py align-batch --pairs 100000

The program prints one line of JSON with the seconds of both sides (null for a side that is not
installed). `run.py` runs it as a separate process for each measurement. Only `Adapter` depends on
the names of our functions.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.corpus import Shape, generate

Words = list[str]
Action = Callable[[], object]


class MissingError(Exception):
    """A side of the comparison is not installed, or lacks the function."""


def module(name: str) -> Any:
    """Import a module; raise `MissingError` if it is not installed."""
    try:
        return import_module(name)
    except ImportError as problem:
        raise MissingError(f"{name} is not there ({problem})") from problem


class Adapter:
    """Our functions, under the names that the measurements use."""

    def __init__(self) -> None:
        self._scoring = module("scoring")

    def _function(self, name: str) -> Callable[..., object]:
        function: Callable[..., object] | None = getattr(self._scoring, name, None)
        if function is None:
            raise MissingError(f"scoring.{name} is not there")
        return function

    def align(self) -> Callable[[Words, Words], object]:
        """Return the function that aligns one pair with sclite's weights."""
        return self._function("align")

    def align_batch(self) -> Callable[[list[Words], list[Words]], object]:
        """Return the function that aligns many pairs with sclite's weights."""
        return self._function("align_batch")

    def edit_distance(self) -> Callable[[Words, Words], object]:
        """Return the function that counts the errors of one pair with sclite's weights."""
        return self._function("edit_distance")

    def edit_distance_batch(self) -> Callable[[list[Words], list[Words]], object]:
        """Return the function that counts the errors of many pairs with sclite's weights."""
        return self._function("edit_distance_batch")

    def unit_distance_batch(self) -> Callable[[list[Words], list[Words]], object]:
        """Return a function that counts the errors of many pairs; every error costs 1."""
        function = self._function("edit_distance_batch")
        costs = self._scoring.UNIT_COSTS
        return lambda references, hypotheses: function(references, hypotheses, costs=costs)

    def sentences(self) -> Callable[[list[Words], list[Words]], object]:
        """Return a function for error rates and alignments of sentences; every error costs 1."""
        function = self._function("wer")
        return lambda references, hypotheses: function(
            reference=joined(references), hypothesis=joined(hypotheses), profile="levenshtein"
        )

    def unit_distance(self) -> Callable[[Words, Words], object]:
        """Return a function that counts the errors of one pair; every error costs 1."""
        function, costs = self._function("edit_distance"), self._scoring.UNIT_COSTS
        return lambda reference, hypothesis: function(reference, hypothesis, costs=costs)

    def rate(self, name: str) -> Callable[[Any, Any], object]:
        """Return the function `wer` or `cer`, which returns only the rate of one or many pairs."""
        function: Callable[[Any, Any], Any] = self._function(name)
        return lambda reference, hypothesis: float(function(reference, hypothesis))

    def several(self) -> Callable[[list[list[str]], list[str]], object]:
        """Return a function for error rates with several references, joined to one network."""
        function, references = self._function("wer"), self._function("References")
        return lambda several, hypotheses: function(references(several), hypotheses)

    def bootstrap(self) -> Callable[[list[Words], list[Words]], object]:
        """Return a function for the word error rate with its interval.

        It uses 10,000 replications, and every error costs 1.
        """
        distance, interval = self.unit_distance_batch(), self._function("confidence_interval")
        return lambda references, hypotheses: interval(distance(references, hypotheses))

    def match_labels(self) -> Callable[[Words, Words], object]:
        """Return a function that reads words as labels and matches them by overlap.

        A label begins every 0.3 s; those of the hypothesis are 0.1 s late.
        """
        aligner = module("scoring.tasks.labels.aligners").BipartiteMatchingAligner()
        label = module("formats").Label

        def labels(words: Words, late: float) -> list[object]:
            starts = [0.3 * place + late for place in range(len(words))]
            timed = zip(words, starts, strict=True)
            return [label(word, start, start + 0.25) for word, start in timed]

        return lambda reference, hypothesis: aligner.align(
            labels(reference, 0.0), labels(hypothesis, 0.1)
        )


@dataclass
class Pairs:
    """References and hypotheses, each a list of strings."""

    references: list[Words]
    hypotheses: list[Words]
    # the same as texts, as Arrow lays them out, or several references and the hypotheses as texts
    columns: tuple[Any, Any] | None = None
    joined: tuple[list[str], list[str]] | None = None

    def fresh(self) -> Pairs:
        """Return the same pairs as new strings: a string stores its hash after the first use."""
        if not self.references and self.joined is not None:
            new = [[text.encode().decode() for text in side] for side in self.joined]
            return Pairs([], [], self.columns, (new[0], new[1]))
        return Pairs(
            [" ".join(words).split() for words in self.references],
            [" ".join(words).split() for words in self.hypotheses],
            self.columns,
        )

    def texts(self) -> tuple[list[str], list[str]]:
        """Return the same pairs as texts, which are created once."""
        if self.joined is None:
            self.joined = joined(self.references), joined(self.hypotheses)
        return self.joined

    def only_texts(self) -> Pairs:
        """Return the same pairs as texts only: lists of words need several times their memory."""
        return Pairs([], [], self.columns, self.texts())

    def with_columns(self) -> Pairs:
        """Return the same pairs, together with their columns of texts."""
        array = module("pyarrow").array
        references, hypotheses = self.texts()
        return Pairs(self.references, self.hypotheses, (array(references), array(hypotheses)))

    def with_several(self) -> Pairs:
        """Return the same pairs with five references each; every seventh word is different."""
        words = [word for reference in self.references for word in reference]
        several = [
            [
                " ".join(
                    words[row * 7 + place] if (place + number) % 7 == 0 else word
                    for place, word in enumerate(reference)
                )
                for row, reference in enumerate(self.references)
            ]
            for number in range(5)
        ]
        return Pairs(self.references, self.hypotheses, (several, joined(self.hypotheses)))

    def each(self, function: Callable[[Words, Words], object]) -> None:
        """Call a function for each pair, and discard the results."""
        for reference, hypothesis in zip(self.references, self.hypotheses, strict=True):
            function(reference, hypothesis)


def kaldialign_function(name: str) -> Callable[[Words, Words], object]:
    """Return a function of kaldialign that uses sclite's weights."""
    function = getattr(module("kaldialign"), name)
    if name == "align":
        return lambda reference, hypothesis: function(reference, hypothesis, "*", sclite_mode=True)
    return lambda reference, hypothesis: function(reference, hypothesis, sclite_mode=True)


def joined(sequences: list[Words]) -> list[str]:
    """Join the words of each sequence to a sentence."""
    return [" ".join(words) for words in sequences]


def jiwer_words() -> Callable[[list[Words], list[Words]], object]:
    """Return jiwer's function for error rates and alignments of sentences."""
    function = jiwer_function("process_words")
    return lambda references, hypotheses: function(joined(references), joined(hypotheses))


def rapidfuzz_function(name: str) -> Callable[[Words, Words], object]:
    """Return a function of rapidfuzz's module for Levenshtein distances; every error costs 1."""
    function: Callable[[Words, Words], object] = getattr(
        module("rapidfuzz.distance").Levenshtein, name
    )
    return function


def kaldialign_bootstrap() -> Callable[[list[Words], list[Words]], object]:
    """Return the bootstrap of kaldialign, whose default is also 10,000 replications."""
    function: Callable[[list[Words], list[Words]], object] = module("kaldialign").bootstrap_wer_ci
    return function


def rapidfuzz_characters() -> Callable[[list[str], list[str]], object]:
    """Return a function that sums rapidfuzz's distances of pairs of texts.

    An error rate needs no more than this sum.
    """
    distance: Callable[[str, str], int] = module("rapidfuzz.distance").Levenshtein.distance

    def total(references: list[str], hypotheses: list[str]) -> int:
        return sum(map(distance, references, hypotheses))

    return total


def universal_words() -> Callable[[list[str], list[str]], object]:
    """Return the word error rate of universal-edit-distance."""
    function: Callable[[list[str], list[str]], object] = module(
        "universal_edit_distance"
    ).word_error_rate
    return lambda references, hypotheses: function(hypotheses, references)


def jiwer_function(name: str) -> Callable[[Any, Any], object]:
    """Return a measure of jiwer."""
    function: Callable[[Any, Any], object] = getattr(module("jiwer"), name)
    return function


Side = Callable[[Pairs], None]


def of_texts(maker: Callable[[], Callable[[Any, Any], object]]) -> Callable[[], Side]:
    """Turn a function that takes all pairs as texts in one call into a side of a measurement."""

    def side() -> Side:
        function = maker()
        return lambda pairs: (function(*pairs.texts()), None)[1]

    return side


def of_single_texts(maker: Callable[[], Callable[[Any, Any], object]]) -> Callable[[], Side]:
    """Turn a function that takes one pair of texts into a side of a measurement."""

    def side() -> Side:
        function = maker()

        def call(pairs: Pairs) -> None:
            for reference, hypothesis in zip(*pairs.texts(), strict=True):
                function(reference, hypothesis)

        return call

    return side


def calling(maker: Callable[[], Callable[[Words, Words], object]]) -> Callable[[], Side]:
    """Turn a function that takes one pair of word lists into a side of a measurement."""

    def side() -> Side:
        function = maker()
        return lambda pairs: pairs.each(function)

    return side


def batching(
    maker: Callable[[], Callable[[list[Words], list[Words]], object]],
) -> Callable[[], Side]:
    """Turn a function that takes all pairs of word lists in one call into a side.

    A side is one of the two parts of a measurement.
    """

    def side() -> Side:
        function = maker()
        return lambda pairs: (function(pairs.references, pairs.hypotheses), None)[1]

    return side


def of_columns(maker: Callable[[], Callable[[Any, Any], object]]) -> Callable[[], Side]:
    """Turn a function that takes two columns of texts into a side of a measurement."""

    def side() -> Side:
        function = maker()
        return lambda pairs: (function(*pairs.columns), None)[1]  # type: ignore[misc]

    return side


def lowest_of_several() -> Callable[[list[list[str]], list[str]], object]:
    """Return a function that aligns all references of an utterance, and keeps the fewest errors."""
    distance = kaldialign_function("edit_distance")

    def lowest(several: list[list[str]], hypotheses: list[str]) -> int:
        return sum(
            min(distance(text.split(), words)["total"] for text in texts)  # type: ignore[index]
            for words, *texts in zip(map(str.split, hypotheses), *several, strict=True)
        )

    return lowest


def scored_rows() -> Side:
    """Return the side that scores the rows of a table and adds the scores as columns."""
    score, table = module("scoring").score_columns, module("pyarrow").table

    def side(pairs: Pairs) -> None:
        assert pairs.columns is not None
        score(table(dict(zip(("text", "pred_text"), pairs.columns, strict=True)))).to_arrow()

    return side


WORKS: dict[str, tuple[Callable[[], Side] | None, Callable[[], Side]]] = {
    "align-batch": (
        calling(lambda: kaldialign_function("align")),
        batching(lambda: Adapter().align_batch()),
    ),
    "align-calls": (
        calling(lambda: kaldialign_function("align")),
        calling(lambda: Adapter().align()),
    ),
    "counts-batch": (
        calling(lambda: kaldialign_function("edit_distance")),
        batching(lambda: Adapter().edit_distance_batch()),
    ),
    "counts-columns": (
        calling(lambda: kaldialign_function("edit_distance")),
        of_columns(lambda: Adapter().edit_distance_batch()),
    ),
    "several": (of_columns(lowest_of_several), of_columns(lambda: Adapter().several())),
    "table": (of_texts(lambda: jiwer_function("process_words")), scored_rows),
    "counts-calls": (
        calling(lambda: kaldialign_function("edit_distance")),
        calling(lambda: Adapter().edit_distance()),
    ),
    "unit-counts": (
        calling(lambda: rapidfuzz_function("distance")),
        batching(lambda: Adapter().unit_distance_batch()),
    ),
    "sentences": (
        batching(jiwer_words),
        batching(lambda: Adapter().sentences()),
    ),
    "unit-calls": (
        calling(lambda: rapidfuzz_function("distance")),
        calling(lambda: Adapter().unit_distance()),
    ),
    "wer-calls": (
        of_single_texts(lambda: jiwer_function("wer")),
        of_single_texts(lambda: Adapter().rate("wer")),
    ),
    "cer-calls": (
        of_single_texts(lambda: jiwer_function("cer")),
        of_single_texts(lambda: Adapter().rate("cer")),
    ),
    "cer-lists": (of_texts(rapidfuzz_characters), of_texts(lambda: Adapter().rate("cer"))),
    "words": (of_texts(universal_words), of_texts(lambda: Adapter().rate("wer"))),
    "compat-jiwer": (
        of_texts(lambda: Adapter().rate("wer")),
        of_texts(lambda: module("sclite_kit.compat.jiwer").wer),
    ),
    "bootstrap": (
        batching(kaldialign_bootstrap),
        batching(lambda: Adapter().bootstrap()),
    ),
    "match-labels": (None, calling(lambda: Adapter().match_labels())),
    "long-align": (
        calling(lambda: rapidfuzz_function("editops")),
        calling(lambda: Adapter().align()),
    ),
}


# Short works in threads: processor time of all, as other work on the machine would decide.
SHORT = ("cer-lists", "words", "compat-jiwer", "table")
TEXTS = (*SHORT, "wer-calls", "cer-calls")
SIDES = ("yardstick", "ours")


def seconds(side: Side, pairs: Pairs, clock: Callable[[], float]) -> float:
    """Measure the time that a side needs for pairs whose texts are created before."""
    pairs.texts()
    start = clock()
    side(pairs)
    return clock() - start


def prepared(maker: Callable[[], Side] | None, remarks: list[str]) -> Side | None:
    """Create a side; if it is missing, return `None` and append a remark on what is missing."""
    if maker is None:
        return None
    try:
        return maker()
    except MissingError as problem:
        remarks.append(str(problem))
        return None


def measured(
    makers: Sequence[Callable[[], Side] | None],
    pairs: Callable[[], Pairs],
    repeat: int,
    only: str = "",
    clock: Callable[[], float] = perf_counter,
) -> dict[str, object]:
    """Run both sides alternately, or `only` one of `SIDES`; return median seconds and remarks.

    `pairs` returns the pairs for each run, newly created or those of earlier runs.
    """
    remarks: list[str] = []
    named = zip(SIDES, makers, strict=True)
    sides = [prepared(None if only not in ("", name) else maker, remarks) for name, maker in named]
    if only and remarks:
        raise MissingError(*remarks)
    times: list[list[float]] = [[], []]
    for _ in range(repeat):
        for side, found in zip(sides, times, strict=True):
            if side is not None:
                try:
                    found.append(seconds(side, pairs(), clock))
                except (TypeError, ValueError, AttributeError) as problem:
                    remarks.append(f"{type(problem).__name__}: {problem}"[:200])
    yardstick, ours = (median(found) if found else None for found in times)
    return {"yardstick": yardstick, "ours": ours, "remarks": sorted(set(remarks))}


def main(words: Sequence[str] | None = None) -> None:
    """Measure one function, and print the result."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("work", choices=sorted(WORKS))
    options.add_argument("--pairs", type=int, default=100_000)
    options.add_argument("--words", type=int, default=20)
    options.add_argument("--errors", type=float, default=0.1)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--only", choices=SIDES, default="", help="for the memory of a process")
    arguments = options.parse_args(words)
    shape = Shape(
        utterances=arguments.pairs,
        words=arguments.words,
        error_rate=arguments.errors,
        even=arguments.pairs > 1,
    )
    corpus = generate(shape)
    pairs = Pairs([one.reference for one in corpus], [one.hypothesis for one in corpus])
    del corpus
    work = arguments.work
    if work in ("counts-columns", "table"):
        pairs = pairs.with_columns()
    if work == "several":
        pairs = pairs.with_several()
    if work in TEXTS:
        pairs = pairs.only_texts()
    clock = process_time if work in SHORT else perf_counter
    found = measured(WORKS[work], pairs.fresh, arguments.repeat, arguments.only, clock)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
