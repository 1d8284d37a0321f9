"""The same work by a function of ours and by one of another library: a table of comparisons.

    python benchmarks/peers.py peer-words 0

The program prints one line of JSON with the processor seconds of both sides of a comparison, which
run in turns on the same lists (null for a library that is not installed). `run.py` runs it as a
separate process for each row. `library.py` and `meetings.py` have the comparisons of other sizes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.corpus import Shape, generate
from benchmarks.library import (
    SIDES,
    Adapter,
    MissingError,
    Pairs,
    Side,
    batching,
    calling,
    measured,
    module,
    of_single_texts,
    of_texts,
)

Maker = Callable[[], Callable[..., Any]]


class Peer(NamedTuple):
    """A comparison: what is called, and both sides; ours is at least `least` times as fast."""

    ours: str
    theirs: str
    our_side: Callable[[], Side]
    their_side: Callable[[], Side]
    least: float = 1


class Group(NamedTuple):
    """Comparisons of the same number of pairs; `words` is the mean number of words of a text."""

    pairs: int
    words: int
    peers: tuple[Peer, ...]


def function_at(place: str, *more: object, **options: object) -> Maker:
    """Return a maker of the function at `module:name`; each call gets the further arguments."""

    def make() -> Callable[..., Any]:
        name, _, path = place.partition(":")
        found = module(name)
        for part in path.split("."):
            found = getattr(found, part, None)
            if found is None:
                raise MissingError(f"{place} is not there")
        if not more and not options:
            return found  # type: ignore[no-any-return]
        return lambda left, right: found(left, right, *more, **options)

    return make


def from_hypotheses(maker: Maker) -> Maker:
    """Return a maker of a function that takes the reference first, and not the hypothesis."""

    def make() -> Callable[..., Any]:
        function = maker()
        return lambda references, hypotheses: function(hypotheses, references)

    return make


def metric_at(place: str) -> Maker:
    """Return a maker of a function that creates the metric at `module:name` and computes it."""

    def make() -> Callable[..., Any]:
        kind = function_at(place)()
        return lambda predictions, targets: kind()(predictions, targets)

    return from_hypotheses(make)


def of_split_texts(maker: Maker) -> Callable[[], Side]:
    """Turn a function of two lists of words into a side that splits each text first."""

    def make() -> Callable[..., Any]:
        function = maker()

        def call(references: list[str], hypotheses: list[str]) -> None:
            for reference, hypothesis in zip(references, hypotheses, strict=True):
                function(reference.split(), hypothesis.split())

        return call

    return of_texts(make)


def keeping(maker: Maker) -> Callable[[], Side]:
    """Turn a function of two lists of words into a side that keeps all results until the end."""

    def make() -> Callable[..., Any]:
        function = maker()
        return lambda references, hypotheses: [*map(function, references, hypotheses)]

    return batching(make)


def of_unit_distances() -> Callable[..., Any]:
    """Return our count of the edits of one pair, each of which costs 1."""
    return Adapter().unit_distance()


def rate(name: str) -> Maker:
    """Return a maker of our function `wer` or `cer`, of which the rate alone is taken."""
    return lambda: Adapter().rate(name)


WER, CER = of_texts(rate("wer")), of_texts(rate("cer"))
ALIGN, DISTANCE = function_at("scoring:align"), calling(of_unit_distances)
ALIGN_ALL = batching(function_at("scoring:align_batch"))
KALDIALIGN = "sclite_kit.compat.kaldialign"
OUR_DISTANCE = calling(function_at(f"{KALDIALIGN}:edit_distance"))
OUR_ALIGN = calling(function_at(f"{KALDIALIGN}:align", "*"))
OUR_METRIC = of_texts(metric_at("scoring.peers.metrics:WordErrorRate"))

JIWER_WER, JIWER_CER = (of_texts(function_at(f"jiwer:{name}")) for name in ("wer", "cer"))
WERPY = of_texts(function_at("werpy:wer"))
RAPIDFUZZ = function_at("rapidfuzz.distance:Levenshtein.distance")
EDITOPS = function_at("rapidfuzz.distance:Levenshtein.editops")
EDITDISTANCE = function_at("editdistance:eval")
EDIT_DISTANCE = function_at("edit_distance:edit_distance")
SISO = of_single_texts(function_at("meeteval.wer:siso_word_error_rate"))
THEIR_DISTANCE = calling(function_at("kaldialign:edit_distance"))
THEIR_ALIGN = calling(function_at("kaldialign:align", "*"))
TEXTERRORS = calling(function_at("texterrors.texterrors:align_texts", use_chardiff=False))
UED = of_texts(from_hypotheses(function_at("universal_edit_distance:character_error_rate")))
TORCHMETRICS = of_texts(metric_at("torchmetrics.text:WordErrorRate"))


def of_jiwer(name: str, way: Callable[[Maker], Callable[[], Side]] = of_texts) -> Peer:
    """Return the comparison of a function of jiwer with ours of the same name."""
    ours, theirs = (
        way(function_at(f"{package}:{name}")) for package in ("sclite_kit.compat.jiwer", "jiwer")
    )
    return Peer(f"compat.jiwer.{name}", f"jiwer {name}", ours, theirs)


GROUPS = {
    "peer-words": Group(
        20_000,
        10,
        (
            Peer("wer", "jiwer wer", WER, JIWER_WER),
            Peer("wer", "werpy wer", WER, WERPY),
            Peer("wer", "rapidfuzz, split texts", WER, of_split_texts(RAPIDFUZZ)),
            Peer("wer", "editdistance, split texts", WER, of_split_texts(EDITDISTANCE)),
            Peer("wer", "edit-distance, split texts", WER, of_split_texts(EDIT_DISTANCE)),
            Peer("wer", "meeteval siso", WER, SISO),
            of_jiwer("wer"),
            Peer("metrics.WordErrorRate", "torchmetrics", OUR_METRIC, TORCHMETRICS),
        ),
    ),
    "peer-alignments": Group(
        20_000,
        10,
        (
            Peer("align_batch", "rapidfuzz editops", ALIGN_ALL, calling(EDITOPS)),
            Peer("align, a pair a call", "rapidfuzz editops", calling(ALIGN), calling(EDITOPS)),
            Peer("align, all kept", "rapidfuzz editops", keeping(ALIGN), keeping(EDITOPS)),
            Peer("align, a pair a call", "texterrors", calling(ALIGN), TEXTERRORS),
            Peer("compat.kaldialign.align", "kaldialign align", OUR_ALIGN, THEIR_ALIGN),
            of_jiwer("process_words"),
        ),
    ),
    "peer-calls": Group(
        2_000,
        10,
        (
            Peer("edit_distance, a pair a call", "rapidfuzz", DISTANCE, calling(RAPIDFUZZ), 0.5),
            Peer("edit_distance, a pair a call", "editdistance", DISTANCE, calling(EDITDISTANCE)),
            Peer("compat.kaldialign.edit_distance", "kaldialign", OUR_DISTANCE, THEIR_DISTANCE),
            of_jiwer("wer", of_single_texts),
        ),
    ),
    "peer-long": Group(
        4,
        5_000,
        (
            Peer("wer", "jiwer wer", WER, JIWER_WER),
            Peer("wer", "werpy wer", WER, WERPY),
            Peer("wer", "meeteval siso", WER, SISO),
            Peer("edit_distance", "rapidfuzz", DISTANCE, calling(RAPIDFUZZ)),
            Peer("edit_distance", "editdistance", DISTANCE, calling(EDITDISTANCE)),
            Peer("compat.kaldialign.edit_distance", "kaldialign", OUR_DISTANCE, THEIR_DISTANCE),
            of_jiwer("wer"),
        ),
    ),
    "peer-text": Group(
        1,
        100_000,
        (
            Peer("wer", "jiwer wer", WER, JIWER_WER),
            Peer("edit_distance", "rapidfuzz", DISTANCE, calling(RAPIDFUZZ)),
            of_jiwer("wer"),
        ),
    ),
    "peer-characters": Group(
        20_000,
        10,
        (
            Peer("cer", "jiwer cer", CER, JIWER_CER),
            Peer("cer", "universal-edit-distance", CER, UED),
            of_jiwer("cer"),
        ),
    ),
    "peer-character-text": Group(
        1,
        17_000,
        (
            Peer("cer", "rapidfuzz", CER, of_single_texts(RAPIDFUZZ)),
            Peer("cer", "jiwer cer", CER, JIWER_CER),
            of_jiwer("cer"),
        ),
    ),
}


def main() -> None:
    """Measure one comparison, and print the result."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("group", choices=sorted(GROUPS))
    options.add_argument("number", type=int, help="of the comparison, from 0")
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--only", choices=SIDES, default="", help="for the memory of a process")
    arguments = options.parse_args()
    group = GROUPS[arguments.group]
    peer = group.peers[arguments.number]
    corpus = generate(Shape(group.pairs, group.words, even=group.pairs > 4))
    pairs = Pairs([one.reference for one in corpus], [one.hypothesis for one in corpus])
    pairs.texts()
    makers = peer.their_side, peer.our_side
    found = measured(makers, lambda: pairs, arguments.repeat, arguments.only, process_time)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
