"""fstalign's side-by-side file, read as two sides, and the numbers in it and its JSON log.

The rows show both texts word by word. The checks cover the numbers that can be computed from the
words: marks and groups of errors, the best rate and the counts of each word. Classes, speakers and
sentences cannot be checked.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import isclose
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.messages import expected_found
from scoring.regression.evidence import Check, Difference, EvidenceError, compare_all
from scoring.regression.listings import ListedUtterance

if TYPE_CHECKING:
    from scoring.score.rates import ErrorRates

INSERTED, DELETED = "<ins>", "<del>"
_NOTHING, _OPERATIONS = "***", (INSERTED, DELETED, "<sub>")
_RULE = "-" * 60
_NOT_OURS = "(none)"
_DIGITS = 1e-5  # of single precision


class SideBySide(NamedTuple):
    """A row of the table: the words of both sides, the error's mark, and the number of the line."""

    reference: str
    hypothesis: str
    mark: str
    line: int

    @property
    def kind(self) -> str:
        """The name that fstalign gives to the edit; empty if there is no edit."""
        if self.reference == INSERTED:
            return "insertions"
        if self.hypothesis == DELETED:
            return "deletions"
        return "" if self.reference == self.hypothesis else "substitutions"


def read_side_by_side(path: str, text: str) -> Iterator[ListedUtterance]:
    """Read the rows of both sides, and yield them as one utterance."""
    rows = list(rows_of_table(path, text))
    name = os.path.splitext(os.path.basename(path))[0]
    sides = (
        tuple(row.reference for row in rows if row.reference != INSERTED),
        tuple(row.hypothesis for row in rows if row.hypothesis != DELETED),
    )
    if rows:
        yield ListedUtterance(name, *sides, 2)


def rows_of_table(path: str, text: str) -> Iterator[SideBySide]:
    """Yield the rows of words, up to the line of signs that ends the table."""
    for number, line in enumerate(text.splitlines()[1:], 2):
        if line.startswith(_RULE):
            return
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 3 or not (cells[0] and cells[1]):
            expected = "a word of the reference, one of the hypothesis, and a mark, by tabs"
            raise EvidenceError(path, number, None, expected_found(expected, repr(line[:60])))
        yield SideBySide(cells[0], cells[1], cells[2], number)


def fstalign_checks(path: str, text: str, rates: ErrorRates) -> Iterator[Check]:
    """Yield the checks of a side-by-side file, and of the logs in its folder."""
    rows = list(rows_of_table(path, text))
    entries = [
        Difference(f"line {row.line}", row.mark, "ERR" if row.kind else "")
        for row in rows
        if bool(row.mark) != bool(row.kind)
    ]
    errors = sum(bool(row.kind) for row in rows)
    entries.append(Difference("errors in rows", str(errors), str(rates.counts.errors)))
    recorded = [line.strip() for line in text.partition(_RULE)[2].splitlines()[2:]]
    groups = list(_groups(rows))
    entries += [
        Difference(f"group {place}", " ".join(line.split()), ours)
        for place, (line, ours) in enumerate(
            zip(recorded, groups + [_NOT_OURS] * len(recorded), strict=False), 1
        )
    ]
    if len(recorded) < len(groups):
        entries.append(Difference("groups", str(len(recorded)), str(len(groups))))
    yield compare_all(path, entries, "aligned again; groups of errors in the rows")
    folder, own = os.path.split(path)
    names = sorted(os.listdir(folder or os.curdir))
    is_alone = sum(".sbs" in name for name in names) == 1
    for name in names:
        log = os.path.join(folder, name)
        numbers = _log(log) if name.endswith(".json") else None
        if numbers is None:
            continue
        if is_alone or name.split(".")[0] == own.split(".")[0]:
            yield from _log_checks(log, numbers, rows)
        else:
            yield Check(log, 0, remark="it may be of another side-by-side file")


def _groups(rows: Sequence[SideBySide]) -> Iterator[str]:
    """Yield each run of consecutive errors as a line in the format of the file's last section."""
    for is_wrong, run in groupby(rows, lambda row: bool(row.kind)):
        group = list(run)
        if is_wrong:
            sides = (
                " ".join(word for word in words if word not in _OPERATIONS) or _NOTHING
                for words in ([row.reference for row in group], [row.hypothesis for row in group])
            )
            yield f"{group[0].line} {' <-> '.join(sides)}"


def _log(path: str) -> Mapping[str, Any] | None:
    """Return the numbers of fstalign's JSON log; None for other files."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    numbers = document.get("wer") if isinstance(document, dict) else None
    return numbers if isinstance(numbers, dict) and "bestWER" in numbers else None


def _log_checks(path: str, log: Mapping[str, Any], rows: Sequence[SideBySide]) -> Iterator[Check]:
    kinds = Counter(row.kind for row in rows)
    words = len(rows) - kinds["insertions"]
    best = _rates(kinds, words)
    yield compare_all(f"{path} (bestWER)", _numbers("", log["bestWER"], best), "the rows, counted")
    for name, content in log.items():
        if name == "unigrams" and isinstance(content, dict):
            ours = _of_words(rows)
            entries = [
                entry
                for word, numbers in content.items()
                for entry in _numbers(f"{word}: ", numbers, ours.get(word, {}))
            ]
            yield compare_all(f"{path} ({name})", entries, "the rows, counted")
        elif name != "bestWER" and content:
            yield Check(f"{path} ({name})", 0, remark="the rows do not show what it is of")


def _rates(kinds: Mapping[str, int], words: int) -> dict[str, float]:
    numbers: dict[str, float] = {
        name: kinds.get(name, 0) for name in ("insertions", "deletions", "substitutions")
    }
    errors = sum(numbers.values())
    correct = words - numbers["deletions"] - numbers["substitutions"]
    heard = correct + numbers["substitutions"] + numbers["insertions"]
    numbers |= {"numErrors": errors, "numWordsInReference": words}
    numbers |= {"wer": errors / words, "recall": correct / words} if words else {}
    return numbers | ({"precision": correct / heard} if heard else {})


def _of_words(rows: Sequence[SideBySide]) -> Mapping[str, Mapping[str, float]]:
    """Return, for each word, the numbers of edits, and precision and recall in percent."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.kind == "substitutions":
            counts[row.reference]["substitutions_fn"] += 1
            counts[row.hypothesis]["substitutions_fp"] += 1
        else:
            word = row.hypothesis if row.kind == "insertions" else row.reference
            counts[word][row.kind or "correct"] += 1
    numbers = {}
    for word, kinds in counts.items():
        heard = kinds["correct"] + kinds["insertions"] + kinds["substitutions_fp"]
        spoken = kinds["correct"] + kinds["deletions"] + kinds["substitutions_fn"]
        rates = {
            name: 100 * kinds["correct"] / whole if whole else 0.0
            for name, whole in (("precision", heard), ("recall", spoken))
        }
        names = ("correct", "insertions", "deletions", "substitutions_fp", "substitutions_fn")
        numbers[word] = {name: float(kinds[name]) for name in names} | rates
    return numbers


def _numbers(
    title: str, recorded: Mapping[str, Any], ours: Mapping[str, float]
) -> Iterator[Difference]:
    for name, value in recorded.items():
        if isinstance(value, (int, float)):
            our = ours.get(name)
            text, is_same = f"{value:g}", our is not None and isclose(value, our, rel_tol=_DIGITS)
            same_or_none = text if is_same else _NOT_OURS if our is None else f"{our:g}"
            yield Difference(f"{title}{name}", text, same_or_none)
