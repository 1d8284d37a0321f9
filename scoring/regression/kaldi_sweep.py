"""The words for each weight in the sweep of a Kaldi scoring directory."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from formats.schema import words_of_text
from formats.schema.messages import Message, expected_found
from scoring.alignment.sequences import edit_distance_batch
from scoring.drawing import TableScore
from scoring.model.counts import UNIT_COSTS
from scoring.regression.evidence import EvidenceError
from scoring.regression.kaldi_files import (
    REFERENCES,
    ScoringFiles,
    ascending,
    file_in,
    lines_of,
    read_texts,
)
from scoring.regression.messages import NO_WORD_TABLE, WORD_TABLE
from scoring.sides.layouts import names_in, weights_of

if TYPE_CHECKING:
    from formats.schema.words import Words

_RATE = re.compile(r"[WS]ER (\S+)")
_SPECIAL = frozenset(".[]*^$\\")  # of sed's patterns; after a backslash they mean themselves


class Sweep(NamedTuple):
    """The files with the texts and the rate of one LMWT (and penalty) in a scoring directory."""

    folder: str  # of the texts
    weights: tuple[str, ...]  # LMWT, and the penalty where there is one
    reference: str  # empty if it is not there
    hypothesis: str
    rates: str  # `wer_LMWT_PENALTY`; empty if it is not there
    counts_missing: bool  # whether references without hypothesis count as deletions

    @property
    def is_unfiltered(self) -> bool:
        """True if the hypotheses are the decoder's output, usually word numbers."""
        return self.hypothesis.endswith(".tra")

    def filters(self) -> Iterator[str]:
        """Yield those commands of the recipe that `read_unfiltered` does not apply."""
        for stage in _stages(self):
            name = os.path.basename(stage[0])
            if name not in ("cat", "int2sym.pl", "compute-wer") and _literal(stage) is None:
                yield " ".join(stage)

    def words(self) -> dict[str, Words]:
        """Return the words of the hypothesis."""
        return read_unfiltered(self) if self.is_unfiltered else read_texts(self.hypothesis)

    def score(self) -> TableScore:
        """Score the texts as `compute-wer` does."""
        references, hypotheses = read_texts(self.reference), self.words()
        absent = sum(name not in hypotheses for name in references)
        scored = [name for name in references if self.counts_missing or name in hypotheses]
        sides = [references[name] for name in scored], [hypotheses.get(name, ()) for name in scored]
        table = edit_distance_batch(*sides, costs=UNIT_COSTS, ties="compute-wer")
        wrong = sum(tuple(left) != tuple(right) for left, right in zip(*sides, strict=True))
        return TableScore(table.total(), len(scored), wrong, absent)


def find_sweep(files: ScoringFiles) -> Sweep:
    """Return the texts of the best weights in a scoring directory."""
    return sweep_of(files, best_weights(files))


def sweep_of(files: ScoringFiles, weights: tuple[str, ...]) -> Sweep:
    """Return the texts for the given weights; EvidenceError if a file is missing."""
    sweep = hypothesis_of(files, weights)
    command = _command(sweep.rates) if sweep.rates else []
    reference = files.reference or _reference(files, command)
    return sweep._replace(reference=reference, counts_missing="--mode=all" in command)


def hypothesis_of(files: ScoringFiles, weights: tuple[str, ...]) -> Sweep:
    """Return the hypotheses for the given weights, without a reference."""
    rates = files.rates.get(weights, "")
    hypothesis = files.texts.get(weights, "")
    if not hypothesis:
        source = files.best or rates
        texts = f"the hypotheses of the best weights (those of {source})"
        problem = expected_found(texts, "no file")
        raise EvidenceError(files.text_name(weights), None, None, problem)
    return Sweep(files.folder, weights, "", hypothesis, rates, counts_missing=False)


def best_weights(files: ScoringFiles) -> tuple[str, ...]:
    """Return the weights that `best_wer` names, or else the weights with the lowest rate.

    Without recorded rates, the texts of all weights are scored.
    """
    if files.best:
        weights = weights_of(files.best_line.rpartition(" ")[2])
        if weights is None:
            line = f"%WER and the name {files.kind}_LMWT_PENALTY"
            problem = expected_found(line, repr(files.best_line or _first_line(files.best)))
            raise EvidenceError(files.best, None, None, problem)
        return weights
    with_penalty = any(len(weights) > 1 for weights in files.texts)
    rated = [name for weights, name in files.rates.items() if len(weights) == 1 + with_penalty]
    name = best_rate(files.root, list(map(os.path.basename, rated)))
    if weights := weights_of(name):
        return weights
    if len(files.texts) == 1:
        return next(iter(files.texts))
    rates = computed_rates(files)
    return min(files.ordered_weights(), key=lambda weights: float(rates[weights]))


def _first_line(path: str) -> str:
    """Return the first nonempty line of a file; empty without any."""
    return next((" ".join(fields) for _, fields in lines_of(path)), "")


def computed_rates(files: ScoringFiles) -> dict[tuple[str, ...], str]:
    """Return the rate in percent, with two decimals, of the texts of each weight."""
    rates = {}
    for weights in sorted(files.texts, key=ascending):
        sweep = sweep_of(files, weights)
        stamps = tuple(os.stat(name).st_mtime_ns for name in (sweep.reference, sweep.hypothesis))
        rates[weights] = _computed_rate(sweep, stamps)
    return rates


@lru_cache(maxsize=1024)
def _computed_rate(sweep: Sweep, _: tuple[int, ...]) -> str:
    """Return the rate of the texts in percent; cached, because notes list the rates again."""
    return sweep.score().text().split()[1]


def best_rate(root: str, names: Sequence[str]) -> str:
    """Return the first file with the lowest rate, as `utils/best_wer.sh` finds it.

    The comparison uses the two printed decimals. The lines are in the order of `grep WER wer_*`, in
    which wer_10 comes before wer_9. The result is empty without any rate.
    """
    best, least = "", None
    for name in names:
        for text in _rates_in(os.path.join(root, name)):
            if least is None or least > float(text):
                best, least = name, float(text)
    return best


def rate_in(path: str) -> str:
    """Return the first rate in a file as its text; empty without a rate."""
    return next(_rates_in(path), "")


def _rates_in(path: str) -> Iterator[str]:
    """Yield the numbers after `WER` or `SER` in the lines that `grep WER` prints."""
    for _, fields in lines_of(path):
        line = " ".join(fields)
        match = _RATE.search(line) if "WER" in line else None
        if match is not None and _is_number(match[1]):
            yield match[1]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _command(rates: str) -> list[str]:
    """Return the `compute-wer` command line, which is the first line of its output."""
    for _, fields in lines_of(rates):
        if fields[0].endswith("compute-wer"):
            with suppress(ValueError):
                return shlex.split(" ".join(fields))
        break
    return []


def _reference(files: ScoringFiles, command: Sequence[str]) -> str:
    """Return the path of the reference file in the command."""
    tables = [word.removeprefix("ark:") for word in command if word.startswith("ark:")]
    if tables and (name := _moved(files.folder, tables[0])):
        return name
    named = f" and no {tables[0]}" if tables else ""
    names = " or ".join(REFERENCES[files.kind])
    problem = expected_found(f"the reference {names}", f"none{named}")
    raise EvidenceError(files.folder, None, None, problem)


def _moved(folder: str, recorded: str) -> str:
    """Return the path of a file whose relative path a recipe recorded.

    The file is searched in a folder and in all folders above it. Only the last two parts of the
    recorded path must match, because the checkout may have another name.
    """
    parts = [part for part in os.path.normpath(recorded).split("/") if part not in ("", "..")]
    ends = ["/".join(parts[start:]) for start in range(max(len(parts) - 1, 1))]
    for end in ends:
        place = os.path.abspath(folder)
        while place != os.path.dirname(place):
            if name := file_in(place, end):
                return name
            place = os.path.dirname(place)
    return ""


def read_unfiltered(sweep: Sweep) -> dict[str, Words]:
    """Read a `.tra` file: replace its numbers by words of the symbol table, and apply `sed`.

    A file whose first words are not numbers has words already, or none.
    """
    stages = list(_stages(sweep))
    lines = list(lines_of(sweep.hypothesis))
    are_numbers = _are_numbers(lines)
    symbols = _symbols(sweep, stages) if are_numbers else {}
    filters = [plain for stage in stages if (plain := _literal(stage)) is not None]
    texts: dict[str, Words] = {}
    for number, (identifier, *fields) in lines:
        words = [symbols.get(field, "") for field in fields] if are_numbers else fields
        if "" in words:
            found = repr(fields[words.index("")])
            problem = expected_found("numbers that words.txt lists", found)
            raise EvidenceError(sweep.hypothesis, number, None, problem)
        line = " ".join([identifier, *words])
        for old, new, count in filters:
            line = line.replace(old, new, count)
        identifier, *fields = words_of_text(line)
        texts.setdefault(identifier, tuple(fields))
    return texts


def has_numbers(path: str) -> bool:
    """Return True if the first words in a file are numbers."""
    return _are_numbers(lines_of(path))


def _are_numbers(lines: Iterable[tuple[int, Sequence[str]]]) -> bool:
    first = next((fields for _, (_, *fields) in lines if fields), [])
    return bool(first) and all(map(str.isdecimal, first))


def _stages(sweep: Sweep) -> Iterator[list[str]]:
    """Yield the commands in the recipe's pipe from word numbers to the rate, read from its log."""
    logs = os.path.join(sweep.folder, "log")
    end = "." + ".".join(sweep.weights) + ".log"
    names = names_in(logs) if os.path.isdir(logs) else []
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


def word_table(sweep: Sweep, stages: Sequence[Sequence[str]] | None = None) -> str:
    """Return the path of the table of word numbers; empty if no file is found.

    The table is the one that the log names, or that of the only graph with a table, or a file
    beside the texts.
    """
    recorded = _recorded_tables(_stages(sweep) if stages is None else stages)
    if table := next(filter(None, (_moved(sweep.folder, name) for name in recorded)), ""):
        return table
    tables = _tables_of_graphs(sweep.folder)
    return tables[0] if len(tables) == 1 else _beside(sweep.folder)


def note_of_table(path: str, sweep: Sweep) -> Message | None:
    """Return a note that names the table of word numbers; None if the texts have words."""
    if not sweep.is_unfiltered or not has_numbers(sweep.hypothesis):
        return None
    return Message(WORD_TABLE, {"path": path, "table": word_table(sweep)})


def _recorded_tables(stages: Iterable[Sequence[str]]) -> list[str]:
    return [stage[-1] for stage in stages if stage[0].endswith("int2sym.pl")]


def _symbols(sweep: Sweep, stages: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the words by number; EvidenceError without a table."""
    table = word_table(sweep, stages)
    if not table:
        where = next(iter(_recorded_tables(stages)), "graph/words.txt")
        fields = {"where": where, "table": os.path.join(sweep.folder, "words.txt")}
        raise EvidenceError(sweep.hypothesis, None, None, Message(NO_WORD_TABLE, fields))
    state = os.stat(table)
    return _symbols_in(table, (state.st_mtime_ns, state.st_size))


def _tables_of_graphs(folder: str) -> list[str]:
    """Return the paths of the word tables in the graphs beside the decode folder of the texts."""
    model = os.path.normpath(os.path.join(folder, os.pardir, os.pardir))
    graphs: list[str] = []
    with suppress(OSError):  # a folder without permission to list it
        graphs = [name for name in sorted(names_in(model)) if name.startswith("graph")]
    return list(filter(None, (file_in(os.path.join(model, name), "words.txt") for name in graphs)))


@lru_cache(maxsize=1)
def _symbols_in(table: str, _: tuple[int, int]) -> dict[str, str]:
    """Return the words of a symbol table by number; cached for all weights of a sweep."""
    return {fields[1]: fields[0] for _, fields in lines_of(table) if len(fields) > 1}


def _beside(folder: str) -> str:
    """Return the path of the word table, which is in the folder of the texts or a folder above."""
    places = (folder, os.path.join(folder, os.pardir), os.path.join(folder, os.pardir, os.pardir))
    return next(filter(None, (file_in(place, "words.txt") for place in places)), "")


def _literal(stage: Sequence[str]) -> tuple[str, str, int] | None:
    """Return OLD, NEW and the replacements per line (1, or -1 for all) of a `sed s:OLD:NEW:g`.

    Return None for any other command.
    """
    expression = stage[1] if len(stage) == 2 and stage[0] == "sed" else ""
    parts = expression.split(expression[1]) if len(expression) > 1 else []
    if len(parts) != 4 or parts[0] != "s" or not parts[1] or parts[3] not in ("", "g"):
        return None
    _, old, new, flag = parts
    literal = re.sub(r"\\([.\[\]*^$])", "", old)
    if "\\" in new or "&" in new or any(sign in _SPECIAL for sign in literal):
        return None
    return re.sub(r"\\([.\[\]*^$])", r"\1", old), new, -1 if flag else 1
