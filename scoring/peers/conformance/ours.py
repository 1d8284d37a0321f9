"""The answers of this package to vectors, computed by its replacements of other programs."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.peers.conformance import programs
from scoring.peers.conformance.vectors import Answer, Program, Vector

if TYPE_CHECKING:
    from scoring.score.rates import ErrorRates


def ours(vectors: Sequence[Vector]) -> Iterator[Answer]:
    """Yield this package's answer to each vector."""
    import scoring.peers.meeteval.wer
    from scoring.peers.kaldialign import pairs

    python = [sys.executable, "-m"]
    interfaces: dict[str, Program] = {
        "sclite": programs.sclite([*python, "scoring.cli.nist.sclite"]),
        "kaldialign": programs.kaldialign(pairs),
        "meeteval": programs.meeteval(scoring.peers.meeteval.wer),
        "md-eval.pl": programs.md_eval([*python, "scoring.cli.tasks.md_eval"]),
        "words": programs.single(_answer),
    }

    def interface_of(vector: Vector) -> programs.Flags | str:
        kind = _kind_of(vector)
        return (kind,) if kind in interfaces else f"ties of {kind}"

    return programs.batched(interface_of, lambda kind, batch: interfaces[kind[0]](batch))(vectors)


def _kind_of(vector: Vector) -> str:
    """Return the name of the interface that replaces the program of a vector."""
    options = vector["options"]
    if "recipe" in options or "normaliser" in options or options.get("ties") == "any":
        return "words"
    if vector["area"] == "diarisation":
        return "md-eval.pl"
    return "meeteval" if "measure" in options else str(options.get("ties"))


def _answer(vector: Vector) -> Answer | str:
    """Return the answer to a vector, or a text with the reason why the vector is unsupported."""
    from scoring.text.pipeline_files import as_pipeline

    options = vector["options"]
    try:
        if "normaliser" in options:
            text = as_pipeline(options["normaliser"])(vector["text"])
            return {"text": " ".join(text.split())}
        rates = _rates(vector, options.get("recipe"))
    except ValueError as problem:  # a table that is not installed
        return str(problem)
    words = rates.counts.reference_tokens
    counts = {"errors": rates.counts.errors, "length": words}
    return {**counts, "rate": rates.corpus_rate, "headline": rates.headline}


def _rates(vector: Vector, recipe: str | None) -> ErrorRates:
    """Return the error rates of the texts of a vector, or of the segments in its file."""
    from scoring.score import cer, wer

    sides = programs.texts_of(vector)
    if recipe is None or not recipe.startswith("meeteval"):
        rate = cer if "unit" in vector["options"] else wer
        rates: ErrorRates = rate(*sides, like=recipe)
        return rates
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{side}.seglst.json") for side in ("reference", "hypothesis")]
        for path, side in zip(paths, sides, strict=True):
            path.write_text(json.dumps(programs.segments_of(side)), "utf-8")
        return wer(*paths, like=recipe)
