"""A Kaldi scoring directory without details: the texts of its best weights.

A recipe scores a sweep of language model weights (LMWT), later ones of word insertion penalties,
too. `wer_LMWT` and `wer_LMWT_PENALTY` have the rates. The words that were scored are

- `scoring_kaldi/test_filt.txt` and `scoring_kaldi/penalty_PENALTY/LMWT.txt`;
- of early recipes `scoring/test_filt.txt` and `scoring/LMWT.txt`, `LMWT.PENALTY.txt` or, as numbers
  of words, `LMWT.tra` and `LMWT.PENALTY.tra`;
- of characters `.chars.txt` or `.char` for `.txt`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from formats.schema import words_of_text
from scoring.regression.evidence import EvidenceError
from scoring.regression.kaldi_files import file_in, lines_of, read_lines, read_texts
from scoring.regression.layouts import KALDI_TEXT, texts_folder, weights_of

if TYPE_CHECKING:
    from formats.schema.words import Words

REFERENCES = {
    "wer": ("test_filt.txt", "text.filt", "test.txt"),
    "cer": ("test_filt.chars.txt", "char.filt"),
}
UNITS = {"wer": "word", "cer": "char"}
SUFFIXES = {"wer": ("txt", "tra"), "cer": ("chars.txt", "char")}
_RATE = re.compile(r"[WS]ER (\S+)")
_SPECIAL = frozenset(".[]*^$\\")  # of sed's patterns; after a backslash they mean themselves


class Sweep(NamedTuple):
    """The best weights of a directory and the files that belong to them."""

    kind: str  # `wer` or `cer`
    folder: str  # of the texts
    weights: tuple[str, ...]  # LMWT, and the penalty where there is one
    reference: str
    hypothesis: str
    best: str  # `best_wer` or `best_cer`; empty if it is not there
    rates: str  # `wer_LMWT_PENALTY`; empty if it is not there
    counts_missing: bool  # whether references without hypothesis count as deletions

    @property
    def has_numbers(self) -> bool:
        """True if the hypotheses are numbers of words."""
        return self.hypothesis.endswith(".tra")

    def filters(self) -> Iterator[str]:
        """Yield the commands of the recipe that `read_numbers` does not apply."""
        for stage in _stages(self):
            name = os.path.basename(stage[0])
            if name not in ("cat", "int2sym.pl", "compute-wer") and _literal(stage) is None:
                yield " ".join(stage)

    def texts(self) -> tuple[dict[str, Words], dict[str, Words]]:
        """Return the words of the reference and of the hypothesis."""
        reference = read_texts(self.reference)
        if self.has_numbers:
            return reference, read_numbers(self)
        return reference, read_texts(self.hypothesis)


def find_sweep(path: str, of_characters: bool = False) -> Sweep:
    """Return the texts of the best weights in a scoring directory."""
    folder = texts_folder(path)
    if not folder:
        expected = "expected Kaldi's scoring directory with wer_details/per_utt, "
        problem = f"{expected}cer_details/per_utt or hypotheses, found none"
        raise EvidenceError(path, None, None, problem)
    root = _root_of(path, folder)
    kind = _kind_of(root, folder, of_characters)
    best = file_in(folder, f"best_{kind}")
    with_penalty = any(len(weights) > 1 for weights in _texts(folder, kind))
    names = sorted(name for name in os.listdir(root) if name.startswith(kind))
    rated = [name for name in names if len(weights_of(name) or ()) == 1 + with_penalty]
    weights = _best_weights(root, folder, kind, best, rated)
    rates = file_in(root, "_".join((kind, *weights)))
    hypothesis = _texts(folder, kind).get(weights, "")
    if not hypothesis:
        name = os.path.join(folder, _text_name(folder, kind, weights))
        source = best or rates
        problem = f"expected the hypotheses of the best weights (those of {source}), found no file"
        raise EvidenceError(name, None, None, problem)
    command = _command(rates) if rates else []
    reference = _reference(folder, kind, command)
    every = "--mode=all" in command
    return Sweep(kind, folder, weights, reference, hypothesis, best, rates, every)


def unit_of_texts(path: str, of_characters: bool) -> str:
    """`word` or `char`: the unit that `find_sweep` takes; empty without hypotheses."""
    folder = texts_folder(path)
    return UNITS[_kind_of(_root_of(path, folder), folder, of_characters)] if folder else ""


def _root_of(path: str, folder: str) -> str:
    """Return the folder with the recorded rates."""
    return path if folder != path else os.path.join(path, os.pardir)


def _kind_of(root: str, folder: str, of_characters: bool) -> str:
    """The rate that is meant: the one asked for, else the one whose best weights are recorded."""
    present = [kind for kind in ("wer", "cer") if _texts(folder, kind)]
    if of_characters and "cer" in present:
        return "cer"
    recorded = [kind for kind in present if file_in(folder, f"best_{kind}")]
    rated = [
        kind
        for kind in present
        if any(name.startswith(kind) and weights_of(name) for name in os.listdir(root))
    ]
    return [*recorded, *rated, *present][0]


def _texts(folder: str, kind: str) -> dict[tuple[str, ...], str]:
    """Return the hypotheses by weights; words before numbers of words."""
    texts: dict[tuple[str, ...], str] = {}
    penalties = [name for name in os.listdir(folder) if name.startswith("penalty_")]
    for name in ("", *penalties):
        place = os.path.join(folder, name)
        penalty = (name.removeprefix("penalty_"),) if name else ()
        for file in os.listdir(place) if os.path.isdir(place) else ():
            match = KALDI_TEXT.fullmatch(file)
            if match is None or match["suffix"] not in SUFFIXES[kind]:
                continue
            weights = (match["lmwt"], *((match["wip"],) if match["wip"] else penalty))
            if match["suffix"] != "tra" or weights not in texts:
                texts[weights] = os.path.join(place, file)
    return texts


def _text_name(folder: str, kind: str, weights: Sequence[str]) -> str:
    """Return the name that a text of such weights would have."""
    suffix = SUFFIXES[kind][0]
    if os.path.basename(os.path.normpath(folder)) == "scoring_kaldi":
        return os.path.join(*(f"penalty_{wip}" for wip in weights[1:]), f"{weights[0]}.{suffix}")
    return ".".join((*weights, suffix))


def _best_weights(
    root: str, folder: str, kind: str, best: str, rated: Sequence[str]
) -> tuple[str, ...]:
    """Return the weights that `best_wer` names, else those with the best of the recorded rates."""
    if best:
        line = read_lines(best, ("%WER",)).get("%WER", "")
        weights = weights_of(line.rpartition(" ")[2])
        if weights is None:
            problem = f"expected %WER and the name {kind}_LMWT_PENALTY, found {line!r}"
            raise EvidenceError(best, None, None, problem)
        return weights
    texts = _texts(folder, kind)
    name = best_rate(root, rated)
    if weights := weights_of(name):
        return weights
    if len(texts) == 1:
        return next(iter(texts))
    expected = f"expected best_{kind} or rates in {kind}_LMWT to select the best weights"
    problem = f"{expected}, found neither beside {len(texts)} texts (name one as a transcript)"
    raise EvidenceError(root, None, None, problem)


def best_rate(root: str, names: Sequence[str]) -> str:
    """The file with the least rate, the first of equal ones; as `utils/best_wer.sh` finds it.

    It compares the two decimals that are printed, in the order of the lines it is given: that of
    `grep WER wer_*`, in which wer_10 comes before wer_9. Empty without any rate.
    """
    best, least = "", None
    for name in names:
        for _, fields in lines_of(os.path.join(root, name)):
            match = _RATE.search(" ".join(fields)) if "WER" in " ".join(fields) else None
            rate = None
            with suppress(ValueError):
                rate = float(match[1]) if match else None
            if rate is not None and (least is None or least > rate):
                best, least = name, rate
    return best


def _command(rates: str) -> list[str]:
    """Return the command line of `compute-wer` at the head of its output."""
    for _, fields in lines_of(rates):
        if fields[0].endswith("compute-wer"):
            with suppress(ValueError):
                return shlex.split(" ".join(fields))
        break
    return []


def _reference(folder: str, kind: str, command: Sequence[str]) -> str:
    """Return the reference beside the hypotheses, or the one that the command names."""
    names = REFERENCES[kind]
    if name := next(filter(None, (file_in(folder, name) for name in names)), ""):
        return name
    tables = [word.removeprefix("ark:") for word in command if word.startswith("ark:")]
    if tables and (name := _moved(folder, tables[0])):
        return name
    named = f" and no {tables[0]}" if tables else ""
    problem = f"expected the reference {' or '.join(names)}, found none{named}"
    raise EvidenceError(folder, None, None, problem)


def _moved(folder: str, recorded: str) -> str:
    """A file that a recipe named from its own folder: below one of ours, the nearest first."""
    place = os.path.abspath(folder)
    while place != os.path.dirname(place):
        if name := file_in(place, recorded):
            return name
        place = os.path.dirname(place)
    return ""


def read_numbers(sweep: Sweep) -> dict[str, Words]:
    """The words of a `.tra`: numbers by the table of symbols, and what the recipe's `sed` drops."""
    stages = list(_stages(sweep))
    symbols = _symbols(sweep, stages)
    filters = [plain for stage in stages if (plain := _literal(stage)) is not None]
    texts: dict[str, Words] = {}
    for number, (identifier, *fields) in lines_of(sweep.hypothesis):
        unknown = next((field for field in fields if field not in symbols), None)
        if unknown is not None:
            problem = f"expected numbers that words.txt lists, found {unknown!r}"
            raise EvidenceError(sweep.hypothesis, number, None, problem)
        line = " ".join([identifier, *(symbols[field] for field in fields)])
        for old, new, count in filters:
            line = line.replace(old, new, count)
        identifier, *fields = words_of_text(line)
        texts.setdefault(identifier, tuple(fields))
    return texts


def _stages(sweep: Sweep) -> Iterator[list[str]]:
    """Yield the commands of the pipe from the numbers to the rate, as the recipe's log has them."""
    logs = os.path.join(sweep.folder, "log")
    end = "." + ".".join(sweep.weights) + ".log"
    names = os.listdir(logs) if os.path.isdir(logs) else []
    for name in sorted(name for name in names if name.startswith("score") and name.endswith(end)):
        with open(os.path.join(logs, name), encoding="utf-8", errors="surrogateescape") as file:
            head = file.readline()
        if not head.startswith("# "):
            continue
        lexer = shlex.shlex(head[2:], posix=True, punctuation_chars="|")
        lexer.whitespace_split = True
        stage: list[str] = []
        with suppress(ValueError):
            for word in lexer:
                if word != "|":
                    stage.append(word)
                elif stage:
                    yield stage
                    stage = []
        return


def _symbols(sweep: Sweep, stages: Sequence[Sequence[str]]) -> dict[str, str]:
    """Words by their numbers, of the table that the log names, or of the graph beside."""
    recorded = [stage[-1] for stage in stages if stage[0].endswith("int2sym.pl")]
    table = next(filter(None, (_moved(sweep.folder, name) for name in recorded)), "")
    if not table:
        model = os.path.join(os.path.abspath(sweep.folder), os.pardir, os.pardir)
        graphs = [name for name in os.listdir(model) if name.startswith("graph")]
        tables = [file_in(os.path.join(model, name), "words.txt") for name in graphs]
        table = tables[0] if len(tables) == 1 else ""
    if not table:
        name = recorded[0] if recorded else "graph/words.txt"
        problem = f"expected the table of words for these numbers in {name}, found no file"
        raise EvidenceError(sweep.hypothesis, None, None, problem)
    return {fields[1]: fields[0] for _, fields in lines_of(table) if len(fields) > 1}


def _literal(stage: Sequence[str]) -> tuple[str, str, int] | None:
    """Return the texts of a plain `sed s:OLD:NEW:g`, and the most replacements; None: not plain."""
    expression = stage[1] if len(stage) == 2 and stage[0] == "sed" else ""
    parts = expression.split(expression[1]) if len(expression) > 1 else []
    if len(parts) != 4 or parts[0] != "s" or not parts[1] or parts[3] not in ("", "g"):
        return None
    _, old, new, flag = parts
    literal = re.sub(r"\\([.\[\]*^$])", "", old)
    if "\\" in new or "&" in new or any(sign in _SPECIAL for sign in literal):
        return None
    return re.sub(r"\\([.\[\]*^$])", r"\1", old), new, -1 if flag else 1
