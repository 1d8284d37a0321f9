"""The scores of each cell of a benchmark, from the history if the same was scored before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from formats.version import VERSION
from formats.working import tell
from scoring.bench.plan import Benchmark, Cell
from scoring.drawing.data import json_text
from scoring.normalize.pipeline_files import as_pipeline
from scoring.rates.hashes import hashed
from scoring.recipes import recipe_named
from scoring.regression.history import History, RecordedRun
from scoring.scored.score import score
from scoring.scored.table import ScoreTable
from scoring.sides.account import InputFile
from scoring.sides.given import File


class Speed(NamedTuple):
    """How long the audio of a set is and how long a system took, in seconds."""

    audio: float
    time: float
    untimed: int  # utterances without a time

    @property
    def factor(self) -> float | None:
        """Seconds of audio per second of work (RTFx); None without times."""
        return self.audio / self.time if self.time else None


class ScoredCell(NamedTuple):
    """A cell with its errors, utterance by utterance."""

    cell: Cell
    run: RecordedRun
    table: ScoreTable
    empty: int  # answers without words
    speed: Speed
    is_cached: bool  # scored before


def scored_cells(benchmark: Benchmark) -> Iterator[ScoredCell]:
    """Score each cell that the history lacks; each is stored as soon as it is scored."""
    hashes: dict[str, str] = {}
    with History(benchmark.history, create=True) as history:
        for number, cell in enumerate(benchmark.cells):
            tell("scoring", number, len(benchmark.cells))
            key = _key(cell, hashes)
            known = history.runs({"key": key})
            run = known[-1] if known else _score(cell, key, history)
            tags = run.tags
            speed = Speed(float(tags["audio"]), float(tags["time"]), int(tags["untimed"]))
            yield ScoredCell(cell, run, history.table(run), int(tags["empty"]), speed, bool(known))


def _key(cell: Cell, hashes: dict[str, str]) -> str:
    """The hash of all that decides about the numbers of a cell: files, options, program."""
    for path in (cell.reference, cell.hypothesis):
        if path not in hashes:
            hashes[path] = _hash_of(path)
    options = {
        field.name: str(getattr(cell.options, field.name))
        for field in fields(cell.options)
        if field.name not in ("jobs", "keep_sources")
    }
    if cell.options.normalize is not None:
        options["normalize"] = as_pipeline(cell.options.normalize).signature
    if cell.recipe:
        options["like"] = f"{cell.options.like} {recipe_named(cell.recipe).hash}"
    sides = [hashes[cell.reference], hashes[cell.hypothesis], cell.reference == cell.hypothesis]
    return hashlib.sha256(json_text([VERSION, sides, options]).encode()).hexdigest()


def _hash_of(path: str) -> str:
    """The hash of a file, or of the files of a folder and their names."""
    files = sorted(Path(path).rglob("*")) if os.path.isdir(path) else [Path(path)]
    digests = [
        (str(file.relative_to(path)), hashed(InputFile(str(file))).sha256)
        for file in files
        if file.is_file()
    ]
    return hashlib.sha256(json_text(digests).encode()).hexdigest()


def _score(cell: Cell, key: str, history: History) -> RecordedRun:
    """Score a cell and store it."""
    rates = score(File(cell.reference), File(cell.hypothesis), cell.options)
    speed = _speed_of(cell.hypothesis)
    tags = {
        "key": key,
        "set": cell.set,
        "system": cell.system,
        "run": str(cell.run),
        **({"recipe": cell.recipe.replace("@", "-")} if cell.recipe else {}),
        "empty": str(sum(not words for words in rates.aligned.hypotheses)),
        "audio": repr(speed.audio),
        "time": repr(speed.time),
        "untimed": str(speed.untimed),
    }
    return history.record(rates, tags, alignments=False)


def _speed_of(path: str) -> Speed:
    """The sums of `duration` and `time` over a file of JSON lines; zeros for other files."""
    audio, time, untimed = 0.0, 0.0, 0
    if not path.endswith((".jsonl", ".json")):
        return Speed(audio, time, untimed)
    for line in Path(path).read_text("utf-8", "replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            return Speed(0.0, 0.0, 0)
        if not isinstance(row, dict):
            return Speed(0.0, 0.0, 0)
        values = [row.get(name) for name in ("duration", "time")]
        seconds = [value for value in values if isinstance(value, (int, float)) and value > 0]
        if len(seconds) == len(values):
            audio, time = audio + seconds[0], time + seconds[1]
        else:
            untimed += 1
    return Speed(audio, time, untimed if time else 0)
