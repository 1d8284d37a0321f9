"""The programs behind recipes: what each says of some lines, and how its answers are compared."""

import argparse
import importlib
import json
import logging
import math
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scoring.score.rates import ErrorRates
from scoring.text.recipes import recipe_named
from tests.judge import MISSING, judge
from tests.judges.recipes import sources
from tests.judges.recipes.sources import Score


class Original(NamedTuple):
    """The program behind a recipe."""

    module: str
    score: Callable[[Any, list[str], list[str], bool], Score]
    ours: Callable[[ErrorRates], list[Any]]  # of each line, as the original says it


def _errors(rates: ErrorRates) -> list[Any]:
    return [(counts.errors, counts.reference_tokens) for counts in rates.per_utterance]


def _kinds(rates: ErrorRates) -> list[Any]:
    return [tuple(counts) for counts in rates.per_utterance]


def _singles(rates: ErrorRates) -> list[Any]:
    rule = recipe_named(rates.rules.like).headline
    return [rule.value(counts, ()) for counts in rates.per_utterance]


def _jiwer(jiwer: Any, references: list[str], hypotheses: list[str], characters: bool) -> Score:
    score = jiwer.process_characters if characters else jiwer.process_words
    outputs = [score(*pair) for pair in zip(references, hypotheses, strict=True)]
    lines = [
        (each.substitutions + each.deletions + each.insertions, _reference_length(each))
        for each in outputs
    ]
    return Score(getattr(score(references, hypotheses), "cer" if characters else "wer"), lines)


def _reference_length(output: Any) -> int:
    return int(output.substitutions + output.deletions + output.hits)


def _by_lines(rate: Callable[[Any, list[str], list[str], bool], float]) -> Callable[..., Score]:
    """Rates of all lines and of each, from a function of hypotheses and references."""

    def score(program: Any, references: list[str], hypotheses: list[str], chars: bool) -> Score:
        def number(left: list[str], right: list[str]) -> float | None:
            try:
                value = float(rate(program, right, left, chars))
            except ZeroDivisionError:
                return None
            return value if math.isfinite(value) else None

        lines = [number([a], [b]) for a, b in zip(references, hypotheses, strict=True)]
        return Score(number(references, hypotheses), lines)

    return score


def _evaluate(metrics: Any, heard: list[str], spoken: list[str], characters: bool) -> float:
    return float(metrics[characters]._compute(predictions=heard, references=spoken))


def _torchmetrics(module: Any, heard: list[str], spoken: list[str], characters: bool) -> float:
    text = module.functional.text
    return float((text.char_error_rate if characters else text.word_error_rate)(heard, spoken))


def _nemo(module: Any, heard: list[str], spoken: list[str], characters: bool) -> float:
    return float(module.word_error_rate(heard, spoken, use_cer=characters))


_WER_LINE = re.compile(r"%WER (\S+) \[ \d+ / (\d+), (\d+) ins, (\d+) del, (\d+) sub \]")


def _kaldi(program: Any, references: list[str], hypotheses: list[str], characters: bool) -> Score:
    """The line %WER of compute-wer, and kaldialign's counts, whose sums must be those of the line."""
    sides = [
        [_kaldi_tokens(text, characters) for text in texts] for texts in (references, hypotheses)
    ]
    count = importlib.import_module("kaldialign").edit_distance
    lines = [sources.kinds(count(*pair)) for pair in zip(*sides, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        for name, texts in zip(("ref", "hyp"), sides, strict=True):
            rows = (f"s{number:06} {' '.join(words)}\n" for number, words in enumerate(texts))
            Path(folder, name).write_text("".join(rows), "utf-8", newline="\n")
        command = [program, "--text", "--mode=present", "ark:ref", "ark:hyp"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found = _WER_LINE.match(done.stdout)
    if found is None:
        raise ValueError(f"compute-wer: expected a line %WER, found {done.stdout!r}")
    words, insertions, deletions, substitutions = map(int, found.groups()[1:])
    correct = words - substitutions - deletions
    sums = [sum(column) for column in zip(*lines, strict=True)]
    if sums != [correct, substitutions, deletions, insertions]:
        raise ValueError(f"compute-wer and kaldialign differ: {done.stdout!r}, {sums}")
    return Score(float(found[1]) if words else None, lines)


def _kaldi_tokens(text: str, characters: bool) -> list[str]:
    words = text.translate({ord(blank): " " for blank in "\t\n\r\f\v"}).split(" ")
    words = [word for word in words if word]
    if not characters:
        return words
    # the recipes keep words in brackets whole
    whole = [word[0] + word[-1] in ("[]", "<>") for word in words]
    return [c for word, kept in zip(words, whole, strict=True) for c in ([word] if kept else word)]


def _whisper(basic: bool) -> Callable[[Any, list[str], list[str], bool], Score]:
    def score(
        modules: Any, references: list[str], hypotheses: list[str], characters: bool
    ) -> Score:
        normalizers, jiwer = modules
        if basic:
            normalize = normalizers.BasicTextNormalizer(split_letters=characters)
        else:
            normalize = normalizers.EnglishTextNormalizer()
        sides = [list(map(normalize, texts)) for texts in (references, hypotheses)]
        number, lines = _jiwer(jiwer, sides[0], sides[1], False)
        return Score(None if number is None else round(100 * number, 2), lines)

    return score


def _sclite(
    path: Any, references: list[str], hypotheses: list[str], _: bool, options: Sequence[str] = ()
) -> Score:
    """Counts and `Err` of `sclite -i rm`, of files of utterances."""
    with tempfile.TemporaryDirectory() as folder:
        for name, texts in (("ref", references), ("hyp", hypotheses)):
            Path(folder, name).write_text(trn(texts), "utf-8", newline="\n")
        command = [path, "-r", "ref", "-h", "hyp", "-i", "rm", "-o", "pralign", "rsum", "stdout"]
        command += options
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    text = done.stdout.decode("utf-8", "replace")
    found = [row for row in text.split("\n") if row.startswith("Scores: (#C #S #D #I)")]
    lines = [tuple(map(int, row.split()[-4:])) for row in found]
    sums = [sum(column) for column in zip(*lines, strict=True)] or [0] * 4
    words = sum(sums[:3])
    return Score(float(f"{100.0 * sum(sums[1:]) / words:.1f}") if words else None, lines)


def _chime(module: Any, references: list[str], hypotheses: list[str], _: bool) -> Score:
    """The tcpWER with a collar of 5 s, of files; a line is a session as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.json") for name in ("ref", "hyp")]
        for path, texts in zip(paths, (references, hypotheses), strict=True):
            path.write_text(seglst(texts), "utf-8")
        found = module.tcpwer(*paths, collar=5)
    whole = module.combine_error_rates(found)
    lines = [(each.errors, each.length) for each in found.values()]
    return Score(whole.error_rate if whole.length else None, lines)


def _sessions(rates: ErrorRates) -> list[Any]:
    return [(session.errors, session.reference_count) for session in rates.sessions]


def _rates(rates: ErrorRates) -> list[Any]:
    return [counts.error_rate for counts in rates.per_utterance]


def _espnet(path: Any, references: list[str], hypotheses: list[str], characters: bool) -> Score:
    """Sclite on the tokens of ESPnet: words, or characters with a name for the blank."""

    def tokens(text: str) -> str:
        words = text.split()
        names = ["<space>" if c == " " else c for c in " ".join(words)]
        return " ".join(names if characters else words)

    return _sclite(path, list(map(tokens, references)), list(map(tokens, hypotheses)), False)


def _seame(path: Any, references: list[str], hypotheses: list[str], _: bool) -> Score:
    """Sclite as ESPnet's recipe of SEAME calls it: all characters but those of ASCII are words."""
    said, heard = ([" ".join(text.split()) for text in side] for side in (references, hypotheses))
    return _sclite(path, said, heard, False, ("-e", "utf-8", "-c", "NOASCII"))


def trn(texts: Sequence[str]) -> str:
    return "".join(f"{text} (s_{number:06})\n" for number, text in enumerate(texts))


def seglst(texts: Sequence[str]) -> str:
    return json.dumps([row for text in texts for row in json.loads(text)])


_SCLITE = "2.4.10 (Debian 2.4.10-20151007)"
VERSIONS = {
    "whisper": "20250625",
    "sclite": _SCLITE,
    "espnet": f"sclite {_SCLITE}",
    "seame": f"sclite {_SCLITE}",
    "kaldi": "5.5, f400766 (kaldialign 0.12.0)",
    "nemo": "3.0.0 (kaldialign 0.12.0)",
    "open_asr_leaderboard": "d1e99b2 (kaldialign 0.12.0, num2words 0.5.14)",
    "seed-tts-eval": "752f429 (jiwer 3.1.0, zhon 2.1.1)",
    "wenet": "0154699",
    "hike": "a4affe4 (jiwer 4.0.0)",
    "mlc-slm": "aa6bb3a (meeteval 0.4.3)",
}


def version_of(module: str) -> str:
    """The version of an original; Whisper's normalisers have that of their sources."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(module)
    except PackageNotFoundError:
        return VERSIONS.get(module, "")


ORIGINALS = {
    "jiwer@4": Original("jiwer", _jiwer, _errors),
    "evaluate@0.4": Original("evaluate", _by_lines(_evaluate), _singles),
    "torchmetrics@1": Original("torchmetrics", _by_lines(_torchmetrics), _singles),
    "kaldi@5.5": Original("kaldi", _kaldi, _kinds),
    "whisper-paper@2022-12": Original("whisper", _whisper(False), _errors),
    "whisper-paper/multilingual@2022-12": Original("whisper", _whisper(True), _errors),
    "meeteval/chime-8@0.4": Original("meeteval", _chime, _sessions),
    "sclite@2.4.10": Original("sclite", _sclite, _kinds),
    "espnet@202511": Original("espnet", _espnet, _kinds),
    "seame@2022-01": Original("seame", _seame, _kinds),
    "nemo@3": Original("nemo", _by_lines(_nemo), _rates),
    "wenet@2025-12": Original("wenet", sources.wenet, _errors),
    "hike@2026-01": Original("hike", sources.hike, _errors),
    "mlc-slm@2025": Original("mlc-slm", sources.mlc_slm(False), _errors),
    "mlc-slm/characters@2025": Original("mlc-slm", sources.mlc_slm(True), _errors),
    "seed-tts-eval@2024-06": Original("seed-tts-eval", sources.seed("en"), _rates),
    "seed-tts-eval/zh@2024-06": Original("seed-tts-eval", sources.seed("zh"), _rates),
    "open-asr@2026-08": Original("open_asr_leaderboard", sources.open_asr("en"), _kinds),
    **{
        f"open-asr/{lang}@2026-08": Original("open_asr_leaderboard", sources.open_asr(lang), _kinds)
        for lang in sources.LANGUAGES
    },
}


def load(name: str, options: argparse.Namespace) -> Any:
    """The original; ImportError where it is not installed."""
    if name in sources.LOADERS:
        return sources.load_source(name, options)
    if name in ("sclite", "espnet", "seame"):
        path = judge("sclite")
        if path is None:
            raise ImportError(MISSING)
        return path
    if name == "whisper":
        # importing whisper itself needs torch
        sys.path.insert(0, str(options.original or sources.folder_of("whisper")))
        return importlib.import_module("normalizers"), importlib.import_module("jiwer")
    if name == "kaldi":
        if options.kaldi is None:
            raise ImportError("--kaldi names Kaldi's program compute-wer")
        return options.kaldi.resolve(strict=True)
    module = importlib.import_module(name)
    if name == "meeteval":
        logging.disable(logging.ERROR)
        warnings.simplefilter("ignore")
        return importlib.import_module("meeteval.wer")
    if name == "evaluate":
        return [module.load(f"{options.original}/metrics/{metric}") for metric in ("wer", "cer")]
    return module
