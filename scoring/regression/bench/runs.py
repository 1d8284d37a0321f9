"""Score the cells of a benchmark, or read their earlier scores from the history."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from formats.io.progress import expect, tell
from formats.schema import VERSION
from formats.schema.messages import Message
from formats.schema.remarks import Remark
from formats.schema.value_records import convert
from scoring.drawing.data import json_text
from scoring.model.combinations import check
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.pages.messages import ABSENT
from scoring.regression.bench.plan import LOOPS, Benchmark, Cell
from scoring.regression.history import History, RecordedRun
from scoring.regression.listings import rows_of
from scoring.regression.messages import CHUNKS
from scoring.regression.opening import hypothesis_of, reference_in, words_of
from scoring.results.hashes import hashed
from scoring.score import score, score_systems
from scoring.score.rates import ErrorRates
from scoring.score.table import ScoreTable
from scoring.sides.corpus import InputFile, SideRemark
from scoring.sides.given import File
from scoring.sides.layouts import holds_both, is_result
from scoring.sides.matching.in_common import TIME, WHOLE
from scoring.text.pipeline_files import as_pipeline
from scoring.text.recipes import recipe_named

# Members of chunks of a session in result files of the Open ASR Leaderboard.
PARENT, INDEX = "parent_id", "chunk_index"


class Speed(NamedTuple):
    """The length of a set's audio and a system's processing time, in seconds."""

    audio: float
    time: float
    untimed: int  # utterances without a time

    @staticmethod
    def total(speeds: Iterable[Speed]) -> Speed:
        """Return the sums of audio lengths and of processing times."""
        return Speed(*map(sum, zip(*speeds, strict=True)))

    @property
    def factor(self) -> float | None:
        """Seconds of audio per second of processing (RTFx); None without times."""
        return self.audio / self.time if self.time else None

    def record(self) -> dict[str, float | None]:
        """Return the numbers for JSON."""
        return {
            "duration": self.audio,
            "time": self.time,
            "untimed": self.untimed,
            "factor": self.factor,
        }


class ScoredCell(NamedTuple):
    """A cell of the benchmark with the errors of every utterance."""

    cell: Cell
    run: RecordedRun
    table: ScoreTable
    empty: int  # answers without words
    looping: int  # answers with a loop
    speed: Speed
    is_cached: bool  # scored before

    @property
    def matched_by(self) -> str:
        """How utterances were matched."""
        return str(self.run.summary["account"]["matched_by"])

    @property
    def missing(self) -> int:
        """The number of references without a hypothesis."""
        return int(self.run.summary["account"]["reference_only"]["count"])

    @property
    def remarks(self) -> list[SideRemark]:
        """Warnings and notes about the files, and the number of references without hypothesis."""
        recorded = convert(self.run.summary["remarks"], list[Remark])
        remarks = [remark.message for remark in recorded]
        if self.missing:
            fields = {"path": self.cell.hypothesis, "number": self.missing}
            remarks.append(Message(ABSENT, fields))
        return remarks


def scored_cells(benchmark: Benchmark) -> Iterator[ScoredCell]:
    """Yield the result of each cell; score and store the cells that the history lacks.

    In each set, the recordings of all systems are cut in the same way.
    """
    hashes: dict[str, str] = {}
    with History(benchmark.history, create=True) as history:
        scored: list[ScoredCell] = []
        expect([("scoring", 1.0)])
        for number, cell in enumerate(benchmark.cells):
            tell("scoring", number, len(benchmark.cells))
            scored.append(_scored_cell(cell, hashes, history))
        ways: dict[tuple[str, str], set[str]] = {}
        for each in scored:
            ways.setdefault((each.cell.recipe, each.cell.set), set()).add(each.matched_by)
        for each in scored:
            is_mixed = {TIME, WHOLE} <= ways[each.cell.recipe, each.cell.set]
            if is_mixed and each.matched_by == TIME:
                # as the systems whose words have no times
                options = each.cell.options.changed(cut="alignment")
                yield _scored_cell(each.cell._replace(options=options), hashes, history)
            else:
                yield each


def _scored_cell(cell: Cell, hashes: dict[str, str], history: History) -> ScoredCell:
    """Return the result of a cell from the history, or score it."""
    key = _key(cell, hashes)
    known = history.runs({"key": key})
    run = known[-1] if known else _score(cell, key, history)
    tags = run.tags
    speed = Speed(float(tags["audio"]), float(tags["time"]), int(tags["untimed"]))
    empty, loops = int(tags["empty"]), run.summary["measures"][LOOPS]["counts"]["looping"]
    return ScoredCell(cell, run, history.table(run), empty, loops, speed, bool(known))


def _key(cell: Cell, hashes: dict[str, str]) -> str:
    """Return a hash of everything that determines the numbers of a cell.

    These are its files, its options and the version of the program.
    """
    values = {
        name: value
        for name, value in vars(cell.options).items()
        if name not in ("jobs", "keep_sources")
    }
    options = {name: str(value) for name, value in values.items()}
    from scoring.measures import measure_or_function

    # files that options name, such as a list of words, and modules of functions
    functions = [measure_or_function(name).name for name in cell.options.measures if ":" in name]
    modules = [sys.modules[name.partition(":")[0]].__file__ for name in functions]
    named = map(str, (*modules, *values.values(), *cell.options.measure_options.values()))
    paths = list(filter(os.path.isfile, named))
    for path in (cell.reference, cell.hypothesis, *paths):
        if path not in hashes:
            hashes[path] = _hash_of(path)
    options |= {f"file {path}": hashes[path] for path in paths}
    if cell.options.normalize is not None:
        options["normalize"] = as_pipeline(cell.options.normalize).signature
    if cell.recipe:
        options["like"] = f"{cell.options.like} {recipe_named(cell.recipe).hash}"
    sides = [hashes[cell.reference], hashes[cell.hypothesis], cell.reference == cell.hypothesis]
    return hashlib.sha256(json_text([VERSION, sides, options]).encode()).hexdigest()


def _hash_of(path: str) -> str:
    """Return the hash of a file, or of a folder's files and their names."""
    files = sorted(Path(path).rglob("*")) if os.path.isdir(path) else [Path(path)]
    digests = [
        (str(file.relative_to(path)), hashed(InputFile(str(file))).sha256)
        for file in files
        if file.is_file()
    ]
    return hashlib.sha256(json_text(digests).encode()).hexdigest()


def _score(cell: Cell, key: str, history: History) -> RecordedRun:
    """Score a cell, store it in the history, and return the stored run."""
    _refuse_sums(cell.hypothesis)
    rows = rows_of(cell.hypothesis)
    rates = score_rows(rows, cell.reference, cell.hypothesis, cell.options)
    speed = speed_of(rows)
    tags = {
        "key": key,
        "set": cell.set,
        "system": cell.system,
        "run": str(cell.number),
        **({"recipe": cell.recipe.replace("@", "-")} if cell.recipe else {}),
        "empty": str(sum(not words for words in rates.aligned.hypotheses)),
        "audio": repr(speed.audio),
        "time": repr(speed.time),
        "untimed": str(speed.untimed),
    }
    return history.record(rates, tags, alignments=False)


def _refuse_sums(path: str) -> None:
    """Reject a result that has only sums and no utterances."""
    if path.endswith((".json", ".json.gz")):
        from scoring.score.engines.sums_files import is_sums

        if is_sums(path):
            check({"sums": path, "bench": "scoring bench"})


def score_rows(
    rows: Sequence[Mapping[str, Any]], reference: str, hypothesis: str, options: Options
) -> ErrorRates:
    """Score two files, or one file with both sides; return the rates.

    Chunks of a session are joined.
    """
    if reference != hypothesis or not any(PARENT in row for row in rows):
        words = reference_in(reference, options)
        if reference == hypothesis:
            both = is_result(hypothesis) and not holds_both(hypothesis)
            words, heard = words_of(hypothesis, options) if both else (words, File(hypothesis))
            return score(words, heard, options)
        score_all = partial(score_systems, words, options=options)
        best, notes = hypothesis_of(File(hypothesis), options, score_all)
        rates = score(words, best, options)
        return rates._replace(reader_messages=(*rates.reader_messages, *notes))
    texts, answers, gaps = _sessions(rows, hypothesis)
    file = InputFile(hypothesis)
    rates = score(texts, answers, options)
    return rates._replace(reference=file, hypothesis=file, reader_messages=gaps)


def _sessions(
    rows: Sequence[Mapping[str, Any]], path: str
) -> tuple[dict[str, str], dict[str, str], list[Message]]:
    """Return the reference and the joined hypothesis of each session, and warnings.

    A session consists of chunks. Each chunk has the reference of the whole session.
    """
    sessions: dict[str, list[Mapping[str, Any]]] = {}
    for number, row in enumerate(rows, 1):
        is_chunk = isinstance(row.get(PARENT), str) and isinstance(row.get(INDEX), int)
        if not is_chunk or not isinstance(row.get("text"), str):
            problem = f"expected {PARENT}, {INDEX} and text of a chunk, as in other lines"
            raise InputError(path, number, None, f"{problem}, found {sorted(row)}")
        sessions.setdefault(row[PARENT], []).append(row)
    texts, answers, warnings = {}, {}, []
    for name, chunks in sessions.items():
        chunks.sort(key=itemgetter(INDEX))
        indices = [chunk[INDEX] for chunk in chunks]
        if indices != list(range(len(indices))):
            fields = {"session": name, "last": len(indices) - 1, "chunks": indices}
            warnings.append(Message(CHUNKS, {"path": path, **fields}))
        texts[name] = chunks[0]["text"]
        answers[name] = " ".join(str(chunk.get("pred_text") or "") for chunk in chunks)
    return texts, answers, warnings


def speed_of(rows: Sequence[Mapping[str, Any]]) -> Speed:
    """Return the sums of audio length (column `duration`) and processing time (column `time`)."""
    audio, time, untimed = 0.0, 0.0, 0
    for row in rows:
        values = [row.get(name) for name in ("duration", "time")]
        seconds = [value for value in values if isinstance(value, (int, float)) and value > 0]
        if len(seconds) == len(values):
            audio, time = audio + seconds[0], time + seconds[1]
        else:
            untimed += 1
    return Speed(audio, time, untimed if time else 0)
