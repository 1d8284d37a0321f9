"""Originals of recipes whose code comes from sources: `--original` names their folder."""

import argparse
import ast
import importlib
import os
import re
import runpy
import string
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy

LANGUAGES = ("de", "es", "fr", "it", "pt")


class Score(NamedTuple):
    """What an original says of a batch: its number, and of each line a number or counts."""

    number: float | None
    lines: Sequence[Any]


def load_source(name: str, options: argparse.Namespace) -> Any:
    """The functions of an original; ImportError where it is not installed."""
    return LOADERS[name](options.original or folder_of(name).parent)


def folder_of(package: str) -> Path:
    """The folder of an installed package, which is not imported; ImportError without it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"no package {package}; an option names the folder of its sources")
    return Path(spec.submodule_search_locations[0])


def _leaderboard(folder: Path) -> Any:
    for name in ("datasets", "huggingface_hub"):
        sys.modules[name] = ModuleType(name)
        for member in ("Audio", "IterableDataset", "load_dataset", "snapshot_download"):
            setattr(sys.modules[name], member, None)
    sys.path.insert(0, str(folder))
    os.environ.setdefault("OPEN_ASR_LEADERBOARD", str(folder))  # for ours
    utils = importlib.import_module("normalizer.data_utils")
    scores = importlib.import_module("normalizer.eval_utils")
    return SimpleNamespace(
        english=utils.normalizer,
        other=utils.ml_normalizer,
        pairs=scores.normalize_compound_pairs,
        kaldialign=importlib.import_module("kaldialign"),
    )


def _functions(path: Path, names: tuple[str, ...], values: dict[str, Any]) -> SimpleNamespace:
    """Some functions of a module that cannot be imported whole."""
    tree = ast.parse(path.read_text("utf-8"))
    chosen: list[ast.stmt] = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names
    ]
    exec(compile(ast.Module(chosen, []), str(path), "exec"), values)
    return SimpleNamespace(**{name: values[name] for name in names})


def _nemo(folder: Path) -> Any:
    kaldialign = importlib.import_module("kaldialign")
    values = {"edit_distance": kaldialign.edit_distance, "List": list, "Tuple": tuple}
    path = folder / "nemo" / "collections" / "asr" / "metrics" / "wer.py"
    return _functions(path, ("word_error_rate",), values)


def _seed(folder: Path) -> Any:
    zhon = importlib.import_module("zhon.hanzi")
    measures = importlib.import_module("jiwer").compute_measures
    values = {
        "punctuation_all": zhon.punctuation + string.punctuation,
        "compute_measures": measures,
        "lang": "en",
    }
    program = _functions(folder / "run_wer.py", ("process_one",), values)
    program.values, program.measures = values, measures
    return program


def _wenet(folder: Path) -> Any:
    path = folder / "tools" / "compute-wer.py"
    return SimpleNamespace(**runpy.run_path(str(path)))


def _mlc_slm(folder: Path) -> Any:
    names = {
        "text_normalization": ("text_normalization",),
        "add_space_between_chars_asr": ("add_space_between_chars",),
    }
    local = folder / "examples" / "mlcslm" / "asr" / "local"
    values: dict[str, Any] = {"re": re}
    found = [_functions(local / f"{name}.py", own, values) for name, own in names.items()]
    return SimpleNamespace(
        normalize=found[0].text_normalization,
        split=found[1].add_space_between_chars,
        rate=importlib.import_module("meeteval.wer").siso_word_error_rate,
    )


def mlc_slm(is_split: bool) -> Callable[[Any, list[str], list[str], bool], Score]:
    """The baseline's normalisation of files, its characters, and meeteval's error rate."""

    def score(
        program: Any, references: list[str], hypotheses: list[str], _characters: bool
    ) -> Score:
        sides = []
        with tempfile.TemporaryDirectory() as folder:
            paths = Path(folder, "in"), Path(folder, "out")
            for side in (references, hypotheses):
                rows = [f"u{row:06d} {text}" for row, text in enumerate(side)]
                paths[0].write_text("".join(f"{row}\n" for row in rows), "utf-8")
                program.normalize(*paths)
                lines = paths[1].read_text("utf-8").split("\n")[:-1]
                texts = [line.partition(" ")[2] for line in lines]
                sides.append([program.split(text) if is_split else text for text in texts])
        errors = [program.rate(*pair) for pair in zip(*sides, strict=True)]
        rates = [(each.errors, each.length) for each in errors]
        length = sum(number for _, number in rates)
        return Score(sum(number for number, _ in rates) / length if length else None, rates)

    return score


def _hike(folder: Path) -> Any:
    source = folder / "src"
    return SimpleNamespace(
        normalize=runpy.run_path(str(source / "utils.py"))["normalize_text"],
        mer=runpy.run_path(str(source / "metrics" / "mer.py"))["mer"],
    )


def hike(program: Any, references: list[str], hypotheses: list[str], _characters: bool) -> Score:
    """The mean of the utterances' mixed error rates; the references are normalised beforehand."""
    lines: list[Any] = []
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        spoken = program.normalize(reference)
        percent, counts = program.mer(spoken, program.normalize(hypothesis))
        lines.append((counts["S"] + counts["I"] + counts["D"], counts["N"], percent))
    mean = float(numpy.mean([line[2] for line in lines]))
    return Score(round(mean, 2), [line[:2] for line in lines])


LOADERS: dict[str, Callable[[Path], Any]] = {
    "open_asr_leaderboard": _leaderboard,
    "hike": _hike,
    "mlc-slm": _mlc_slm,
    "nemo": _nemo,
    "seed-tts-eval": _seed,
    "wenet": _wenet,
}


def kinds(output: Any) -> tuple[int, int, int, int]:
    """Correct words, substitutions, deletions and insertions of kaldialign."""
    correct = output["ref_len"] - output["sub"] - output["del"]
    return correct, output["sub"], output["del"], output["ins"]


def open_asr(lang: str) -> Callable[[Any, list[str], list[str], bool], Score]:
    """Counts of the leaderboard's pipeline for a language, and the rate of a set."""

    def score(program: Any, references: list[str], hypotheses: list[str], _: bool) -> Score:
        normalise = program.english if lang == "en" else partial(program.other, lang=lang)
        sides = [list(map(normalise, texts)) for texts in (references, hypotheses)]
        if lang != "en":
            sides = list(program.pairs(*sides))
        tokens = [[tuple(text.split()) for text in texts] for texts in sides]
        count = program.kaldialign.edit_distance
        outputs = [count(*pair, merge_compounds=True) for pair in zip(*tokens, strict=True)]
        lines = list(map(kinds, outputs))
        whole = program.kaldialign.batch_error_rate(*tokens, merge_compounds=True)
        return Score(round(100 * whole["err_rate"], 2) if whole["ref_len"] else None, lines)

    return score


def wenet(program: Any, references: list[str], hypotheses: list[str], _: bool) -> Score:
    """Errors and words of `compute-wer.py --char=1`, and its overall rate."""
    whole = program.Calculator()
    lines = []
    for pair in zip(references, hypotheses, strict=True):
        sides = [
            program.normalize(program.characterize(f"u1 {text}\n")[1:], set(), False)
            for text in pair
        ]
        single = whole.calculate(*sides)
        lines.append((single["sub"] + single["del"] + single["ins"], single["all"]))
    errors, words = (sum(column) for column in zip(*lines, strict=True))
    return Score(float(f"{float(errors) * 100.0 / words:4.2f}") if words else None, lines)


def seed(lang: str) -> Callable[[Any, list[str], list[str], bool], Score]:
    """The rates of `run_wer.py`, and their mean as `average_wer.py` prints it."""

    def score(program: Any, references: list[str], hypotheses: list[str], _: bool) -> Score:
        program.values["lang"] = lang
        lines: list[float | None] = []
        for truth, heard in zip(references, hypotheses, strict=True):
            try:
                lines.append(float(program.process_one(heard, truth)[2]))
            except ValueError:  # jiwer 3 has no rate without reference words
                lines.append(None)
        rates = [rate for rate in lines if rate is not None]
        return Score(float(round(numpy.mean(rates) * 100, 3)) if rates else None, lines)

    return score
