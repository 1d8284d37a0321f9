"""Published tables, scored again: each published number with our number.

Leaderboards publish a file with references and hypotheses for each system and set. Toolkits leave
result folders with a table of their rates. A cell is equal if both texts have the same digits.
"""

from __future__ import annotations

import csv
import glob
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from scoring.model.errors import InputError
from scoring.options import Options
from scoring.regression.bench.plan import DATASET, MODEL
from scoring.regression.bench.runs import Speed, score_rows, speed_of
from scoring.regression.evidence import NOT_CHECKED
from scoring.regression.listings import rows_of
from scoring.regression.opening import open_version
from scoring.score.rates import ErrorRates
from scoring.sides.layouts import has_weight_reports, has_words, is_result, whose
from scoring.text.recipes import recipe_named

LEADERBOARD = "open-asr"
_LANGUAGE = re.compile(r"_(de|es|fr|it|pt)_test\Z")
# Columns of the leaderboard's CSV files, and the end of a set's name.
_SETS = {
    "AMI WER": "ami_test",
    "AMI-Cleaned WER": "ami_cleaned_test",
    "Earnings22 WER": "earnings22_test",
    "Earnings22-Cleaned-AA-chunked WER": "earnings22_cleaned_aa_chunked_test",
    "Gigaspeech WER": "gigaspeech_test",
    "Gigaspeech-Cleaned WER": "gigaspeech_cleaned_test",
    "LS Clean WER": "librispeech_test.clean",
    "LS Other WER": "librispeech_test.other",
    "SPGISpeech WER": "spgispeech_test",
    "Tedlium WER": "tedlium_test",
    "Voxpopuli WER": "voxpopuli_test",
    "Voxpopuli-Cleaned-AA WER": "voxpopuli_cleaned_aa_test",
    **{
        f"{lang}_{name}": f"{name}_{lang}_test"
        for lang in ("de", "es", "fr", "it", "pt")
        for name in ("covost", "fleurs", "mcv", "mls")
    },
}
_AVERAGE, _SPEED = "average", "RTFx"
# What the leaderboard's script prints of a set, and of all sets of a system.
_PRINTED = re.compile(
    r"^(?P<system>[^|\n]+?)(?: \| (?P<set>\S+))?: "
    r"(?:WER = (?P<wer>\d+\.\d+) %)?(?:(?:, )?RTFx = (?P<speed>\d+\.\d+))?$",
    re.MULTILINE,
)
_ESPNET_RATES = ("Snt", "Wrd", "Corr", "Sub", "Del", "Ins", "Err", "S.Err")
_ESPNET_ROW = re.compile(r"^\|([^|\n]+)\|((?:[0-9.]+\|){8})$")
_KINDS = {
    "espnet": ("ESPnet",),
    "icefall": ("icefall recogs",),
    "kaldi": ("Kaldi directory",),
    "nemo": ("manifest",),
    "sclite": ("sclite SGML", "sclite alignments"),
    "speechbrain": ("SpeechBrain",),
    "wenet": ("WeNet",),
}
KINDS = (LEADERBOARD, *_KINDS)


# Numbers by system and set.
PublishedNumbers: TypeAlias = dict[tuple[str, str], str]


class PublishedNumber(NamedTuple):
    """A number of a table: the published text (empty if there is none), and our text."""

    row: str
    column: str
    published: str
    ours: str
    unchecked: str = ""  # why a record was not compared

    @property
    def equal(self) -> bool | None:
        """True if both texts are equal; None if there is no published number."""
        return self.published == self.ours if self.published else None


def table_of(
    kind: str, folder: str, published: str | None = None, like: str | None = None
) -> list[PublishedNumber]:
    """Return the cells of a folder's published table.

    Parameters
    ----------
    kind
        One of `KINDS`.
    published
        A file with the published table; None for the tables of a toolkit in the folder.
    like
        Recipe of the leaderboard; None for the current recipe of each set's language.

    Raises
    ------
    InputError
        If the folder has no result of this kind.
    """
    if kind == LEADERBOARD:
        cells = _leaderboard(folder, _printed_table(published) if published else {}, like)
    else:
        cells = list(_results(folder, _KINDS[kind]))
        if kind == "espnet":
            cells += _espnet_tables(folder, published)
    if not cells:
        raise InputError(folder, None, None, f"expected results of {kind}, found none")
    return cells


def _leaderboard(
    folder: str, published: PublishedNumbers, like: str | None
) -> list[PublishedNumber]:
    """Return rates and speed of each system on each set, and of each system over all sets."""
    ours: PublishedNumbers = {}
    values: defaultdict[str, list[float]] = defaultdict(list)
    speeds: defaultdict[str, list[Speed]] = defaultdict(list)
    pattern = os.path.join(glob.escape(folder), "**", f"{MODEL}*{DATASET}*.jsonl")
    for path in sorted(glob.glob(pattern, recursive=True)):
        stem = os.path.basename(path).removesuffix(".jsonl").removeprefix(MODEL)
        system, _, name = stem.partition(DATASET)
        system = system.replace("-", "/", 1)
        rows = rows_of(path)
        rate = _headline(score_rows(rows, path, path, Options(like=like or _recipe_of(name))))
        if rate is None:
            continue
        values[system].append(rate)
        ours[system, name] = f"{rate:.2f}"
        speed = speed_of(rows)
        if not speed.untimed and speed.factor:
            speeds[system].append(speed)
            ours[system, f"{name} {_SPEED}"] = f"{round(speed.factor, 4):.2f}"
    for system, numbers in values.items():
        ours[system, _AVERAGE] = f"{sum(numbers) / len(numbers):.2f}"
        total = Speed.total(speeds[system]).factor if speeds[system] else None
        if total and len(speeds[system]) == len(numbers):
            ours[system, _SPEED] = f"{total:.2f}"
    return [
        PublishedNumber(system, name, _published_cell(published, system, name), number)
        for (system, name), number in ours.items()
    ]


def _recipe_of(name: str) -> str:
    """Return the leaderboard's recipe for a set; the set's name ends with its language."""
    language = _LANGUAGE.search(name)
    return recipe_named(f"{LEADERBOARD}/{language[1]}" if language else LEADERBOARD).name


def _headline(rates: ErrorRates) -> float | None:
    """Return the number of a set in percent, with two decimals; None without reference words."""
    number = rates.headline
    recipe = recipe_named(rates.rules.like)
    is_ratio = recipe.headline.scale == "ratio" and number is not None
    return round(100 * number, 2) if is_ratio and number is not None else number


def _published_cell(published: PublishedNumbers, system: str, name: str) -> str:
    """Return the published number of a system on a set.

    The table may shorten the name of the set.
    """
    if (system, name) in published:
        return published[system, name]
    ends = [end for row, end in published if row == system and name.endswith(f"_{end}")]
    return published[system, ends[0]] if ends else ""


def _printed_table(path: str) -> PublishedNumbers:
    """Return the numbers in a CSV file of the leaderboard, or in the lines of its script."""
    text = Path(path).read_text("utf-8-sig")
    if text.startswith("model,"):
        return _csv_table(text)
    table: PublishedNumbers = {}
    for match in _PRINTED.finditer(text):
        system, name, rate, speed = match.group("system", "set", "wer", "speed")
        if rate:
            table[system, name or _AVERAGE] = rate
        if speed:
            table[system, f"{name} {_SPEED}" if name else _SPEED] = speed
    if not table:
        expected = "a CSV of the leaderboard, or the lines that its script prints"
        raise InputError(path, None, None, f"expected {expected}, found neither")
    return table


def _csv_table(text: str) -> PublishedNumbers:
    """Return the numbers of a CSV, each with two decimals."""
    names = {**_SETS, "Avg. WER": _AVERAGE, "Avg": _AVERAGE, _SPEED: _SPEED}
    table = {}
    for row in csv.DictReader(text.splitlines()):
        for column, value in row.items():
            if column in names and value and float(value) >= 0:
                table[row["model"], names[column]] = f"{float(value):.2f}"
    return table


def _results(folder: str, kinds: Collection[str]) -> Iterator[PublishedNumber]:
    """Yield every result of the given kinds below a folder, with its recorded numbers."""
    for path, problem in _result_paths(folder):
        name = os.path.relpath(path, folder)
        if problem is not None:
            yield PublishedNumber(name, NOT_CHECKED, "", "", str(problem))
            continue
        side = open_version(path)
        if side.kind not in kinds:
            continue
        yield PublishedNumber(name, "WER", "", _percent(side.rates))
        for check in side.checks:
            what = os.path.basename(check.what)
            if check.state == NOT_CHECKED:
                yield PublishedNumber(name, what, "", "", check.reason())
                continue
            equal = str(check.compared - check.unequal)
            yield PublishedNumber(name, f"{what}: numbers", str(check.compared), equal)
            for difference in dict.fromkeys(check.differences):
                yield PublishedNumber(name, f"{what}: {difference.where}", *difference[1:])


def _result_paths(folder: str) -> Iterator[tuple[str, InputError | None]]:
    """Yield the results (files and folders) below a folder; a folder precedes its files.

    Each result comes with the error that prevents scoring it again, or None.
    """
    for place, folders, files in os.walk(folder):
        folders.sort()
        if is_result(place) and not has_weight_reports(place):
            problem: InputError | None = None
            try:
                open_version(place)
            except InputError as error:
                problem = error
            # several results are the files of the folder
            if problem is None or has_words(place) or whose(place) == "Kaldi":
                folders.clear()
                yield place, problem
                continue
        for name in sorted(files):
            path = os.path.join(place, name)
            if is_result(path):
                problem = None
                try:
                    open_version(path)
                except InputError as error:
                    problem = error
                yield path, problem


def _percent(rates: ErrorRates) -> str:
    return "" if rates.corpus_rate is None else f"{100 * rates.corpus_rate:.2f}"


def _rounded(number: Any) -> str:
    return f"{number:.4f}" if isinstance(number, (int, float)) else ""


def _espnet_tables(folder: str, published: str | None) -> Iterator[PublishedNumber]:
    """Yield the rows of `RESULTS.md` and `README.md` whose score folders exist."""
    names = ("RESULTS.md", "README.md")
    tables = [published] if published else [os.path.join(folder, name) for name in names]
    scores = {
        path.replace(os.sep, "/"): path
        for path, problem in _result_paths(folder)
        if problem is None and os.path.basename(path).startswith("score_")
    }
    for table in filter(os.path.isfile, tables):
        section = unit = ""
        for line in Path(table).read_text("utf-8").splitlines():
            if line.startswith("## "):
                section = line[3:].strip()
            elif line.startswith("### "):
                unit = line[4:].strip()
            elif row := _ESPNET_ROW.match(line):
                end = f"/{row[1]}/score_{unit.lower()}"
                places = [path for name, path in scores.items() if f"/{name}".endswith(end)]
                inside = [path for path in places if f"/{section.rpartition('/')[2]}/" in path]
                if len(inside or places) == 1:
                    [place] = inside or places
                    yield from _espnet_row(f"{section} {unit} {row[1]}", row[2], place)


def _espnet_row(name: str, cells: str, place: str) -> Iterator[PublishedNumber]:
    rates = open_version(place).rates
    counts, utterances = rates.counts, len(rates)
    words = counts.reference_tokens
    ours = [str(utterances), str(words)]
    ours += [
        f"{100 * number / whole:.1f}"
        for number, whole in (
            (counts.correct, words),
            (counts.substitutions, words),
            (counts.deletions, words),
            (counts.insertions, words),
            (counts.errors, words),
            (rates.sentence_errors, utterances),
        )
    ]
    published: Sequence[str] = cells.strip("|").split("|")
    for column, number, our in zip(_ESPNET_RATES, published, ours, strict=True):
        yield PublishedNumber(name, column, number, our)
