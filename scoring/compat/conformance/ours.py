"""Our answers to vectors, through the interfaces that take the originals' place."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.compat.conformance.programs import (
    kaldialign,
    md_eval,
    meeteval,
    sclite,
    segments_of,
    texts_of,
    unsupported,
)
from scoring.compat.conformance.vectors import Answer, Program, Vector

if TYPE_CHECKING:
    from scoring.scored.rates import ErrorRates


def ours(vectors: Sequence[Vector]) -> Iterator[Answer]:
    """Answers of this package, through the interfaces that take the originals' place."""
    import scoring.compat.meeteval.wer
    from scoring.compat.kaldialign import pairs

    python = [sys.executable, "-m"]
    programs: dict[str, Program] = {
        "sclite": sclite([*python, "scoring.cli.sclite"]),
        "kaldialign": kaldialign(pairs),
        "meeteval": meeteval(scoring.compat.meeteval.wer),
        "md-eval.pl": md_eval([*python, "scoring.cli.md_eval"]),
        "words": _our_words,
    }
    for kind, group in groupby(sorted(vectors, key=_kind_of), key=_kind_of):
        if kind in programs:
            yield from programs[kind](list(group))
        else:
            yield from (unsupported(vector, f"ties of {kind}") for vector in group)


def _kind_of(vector: Vector) -> str:
    """Which of our interfaces answers a vector."""
    options = vector["options"]
    if "recipe" in options or "normaliser" in options or options.get("ties") == "any":
        return "words"
    if vector["area"] == "diarisation":
        return "md-eval.pl"
    return "meeteval" if "measure" in options else str(options.get("ties"))


def _our_words(vectors: Sequence[Vector]) -> Iterator[Answer]:
    """Recipes, normalisers, and character rates."""
    from scoring.normalize.pipeline_files import as_pipeline
    from scoring.scored.score import cer

    for vector in vectors:
        options = vector["options"]
        if "normaliser" in options:
            try:
                normalise = as_pipeline(options["normaliser"])
            except ValueError as problem:  # a table that is not installed
                yield unsupported(vector, str(problem))
                continue
            yield {"id": vector["id"], "text": " ".join(normalise(vector["text"]).split())}
        elif "recipe" in options:
            rates = _by_recipe(vector, options["recipe"])
            yield {"id": vector["id"], "rate": rates.corpus_rate}
        else:
            rates = cer(*texts_of(vector))
            counts = rates.counts
            yield {
                "id": vector["id"],
                "errors": counts.errors,
                "length": counts.reference_tokens,
                "rate": counts.error_rate,
            }


def _by_recipe(vector: Vector, recipe: str) -> ErrorRates:
    """The score of lists of texts, or of segments in a file."""
    from scoring.scored.score import wer

    reference, hypothesis = texts_of(vector)
    if not recipe.startswith("meeteval"):
        return wer(reference, hypothesis, like=recipe)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{side}.seglst.json") for side in ("reference", "hypothesis")]
        for path, side in zip(paths, (reference, hypothesis), strict=True):
            path.write_text(json.dumps(segments_of(side)), "utf-8")
        return wer(*paths, like=recipe)
