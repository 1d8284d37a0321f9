"""Check the numbers that icefall, SpeechBrain and WeNet record with their words.

icefall's tables follow from kaldialign's alignment, which our aligner reproduces. SpeechBrain and
WeNet break ties differently, so their numbers of substitutions, deletions and insertions may differ
from ours. These numbers must still fit the lengths of both sides and our number of errors. Sums
must equal the sums over the utterances.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from scoring.alignment.sequences import align_batch
from scoring.drawing import scored_line, sentence_line, wer_line
from scoring.model.counts import Counts
from scoring.options import Options, profile_named
from scoring.regression.evidence import Check, Difference, compare_all
from scoring.regression.listings import rows_of
from scoring.score import wer
from scoring.sides.given import File

if TYPE_CHECKING:
    from scoring.model.counts import Alignment
    from scoring.regression.listings import ListedUtterance
    from scoring.score.rates import ErrorRates

NOT_RECORDED, NOT_OURS = "(not recorded)", "(none)"
_NOTHING = "*"  # icefall's mark of a word without partner
_FITTING = "the kinds of errors fit our errors and the lengths of both sides"
_SECTIONS = ("PER-UTTERANCE DETAILS", "SUBSTITUTIONS", "DELETIONS", "INSERTIONS", "PER-WORD STATS")
_SUMMARY = "wer-summary-"
_PARTS = ("ins_rate", "del_rate", "sub_rate")  # of NeMo


def agreed(recorded: Counts | None, ours: Counts) -> Counts:
    """Return the recorded counts if they fit our errors and lengths, otherwise our counts.

    >>> agreed(Counts(1, 2, 0, 0), Counts(2, 0, 1, 1)) == Counts(1, 2, 0, 0)
    True
    >>> agreed(Counts(1, 1, 1, 0), Counts(2, 0, 1, 1)) == Counts(2, 0, 1, 1)
    True
    """
    if recorded is None:
        return ours
    pairs = [
        (counts.errors, counts.reference_tokens, counts.hypothesis_tokens)
        for counts in (recorded, ours)
    ]
    return recorded if pairs[0] == pairs[1] else ours


def _decimals(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}"


def listed_checks(
    kind: str, path: str, text: str, rows: Sequence[ListedUtterance], rates: ErrorRates
) -> Iterator[Check]:
    """Yield the checks of the numbers in a listing of SpeechBrain or WeNet."""
    ours = dict(zip(rates.identifiers, rates.per_utterance, strict=True))
    fitting = {row.identifier: agreed(row.counts, ours[row.identifier]) for row in rows}
    of_utterance = _wenet_line if kind == "WeNet" else _speechbrain_line
    entries = [
        Difference(row.identifier, row.numbers, of_utterance(row, fitting[row.identifier]))
        for row in rows
    ]
    entries += [
        Difference(f"{row.identifier}: edits", row.edits, row.expected_edits)
        for row in rows
        if row.edits != row.expected_edits
    ]
    yield compare_all(f"{path} (utterances)", entries, _FITTING)
    total = sum(fitting.values(), Counts())
    if kind == "WeNet":
        yield compare_all(path, _wenet_sums(text, total), "sums of the utterances")
        return
    yield compare_all(path, _speechbrain_sums(text, total, rates), "sums of the utterances")
    if any(not counts.hypothesis_tokens for counts in rates.per_utterance):
        remark = "which utterances were not there is not listed"
        yield Check(f"{path} (not present in hyp)", 0, remark=remark)


def _speechbrain_line(row: ListedUtterance, counts: Counts) -> str:
    # a rate without words of the reference is whatever the file says
    rate = row.numbers.partition("%WER ")[2].partition(" ")[0]
    line = wer_line(counts, digits=lambda part, whole: _decimals(part, whole) if whole else rate)
    return f"{row.identifier}, {line}"


def _wenet_line(row: ListedUtterance, counts: Counts) -> str:
    return f"WER: {_wenet_numbers(counts)}"


def _wenet_numbers(counts: Counts) -> str:
    words = counts.reference_tokens
    rate = _decimals(counts.errors, words) if words else "0.00"
    correct, substitutions, deletions, insertions = counts
    kinds = f"C={correct} S={substitutions} D={deletions} I={insertions}"
    return f"{rate} % N={words} {kinds}"


def _wenet_sums(text: str, total: Counts) -> Iterator[Difference]:
    """Yield WeNet's recorded line for all words, and its lines for word classes.

    Last comes the sum of the classes, compared with our counts of all words.
    """
    parts = Counts()
    names = 0
    for line in text.splitlines():
        name, arrow, numbers = line.strip().partition(" -> ")
        fields = [field.partition("=") for field in numbers.split() if "=" in field]
        values = [int(value) for _, _, value in fields if value.isdecimal() and len(value) < 16]
        if not arrow or [key for key, _, _ in fields] != list("NCSDI") or len(values) != 5:
            continue
        numbers = " ".join(numbers.split())
        if name == "Overall":
            yield Difference(name, numbers, _wenet_numbers(total))
            continue
        counts, names = Counts(*values[1:]), names + 1
        yield Difference(name, numbers, _wenet_numbers(counts))
        parts += counts
    if names:
        yield Difference("sum of the classes", _wenet_numbers(parts), _wenet_numbers(total))


def _speechbrain_sums(text: str, total: Counts, rates: ErrorRates) -> Iterator[Difference]:
    heads: dict[str, str] = {}
    for line in text.splitlines():
        name = line.partition(" ")[0]
        if name in ("%WER", "%CER", "%SER", "Scored"):
            heads.setdefault(name, line.strip())
        elif line.strip() == "ALIGNMENTS":
            break
    scored, wrong = len(rates), rates.sentence_errors
    empty = sum(not counts.hypothesis_tokens for counts in rates.per_utterance)
    is_partial = any(line.endswith("[PARTIAL]") for line in heads.values())
    for name, line in heads.items():
        if name == "%SER":
            ours = sentence_line(wrong, scored, digits=_decimals)
        elif name == "Scored":
            # what has no hypothesis is not listed, or has no words
            fields = line.split()
            absent = int(fields[3][:15]) if len(fields) > 3 and fields[3].isdecimal() else 0
            ours = scored_line(scored, absent if is_partial or absent <= empty else 0)
        else:
            ours = wer_line(total, partial=is_partial, digits=_decimals).replace("%WER", name)
        yield Difference(name, line, ours)


def manifest_checks(path: str, encoding: str) -> Iterator[Check]:
    """Yield the checks of the numbers that NeMo writes into each line of a manifest."""
    rows = [row for row in rows_of(path) if row.get("pred_text") is not None]
    numbers = sorted({name for row in rows for name, value in row.items() if _is_rate(name, value)})
    if not rows or not numbers:
        return
    known: dict[str, list[Difference]] = {}
    ways = Options(like="nemo@3", encoding=encoding)
    for name, options in (("wer", ways), ("cer", ways.changed(unit="char+space"))):
        if name not in numbers:
            continue
        ours = wer(File(path), File(path), options=options).per_utterance
        known[name] = list(_of_rates(name, rows, [counts.error_rate for counts in ours]))
        if name == "wer" or "wer" not in numbers:
            known["tokens"] = [
                Difference(f"line {line}", str(row["tokens"]), str(counts.reference_tokens))
                for line, (row, counts) in enumerate(zip(rows, ours, strict=False), 1)
                if "tokens" in row
            ]
            sums = [
                sum(row[part] for part in _PARTS) if all(part in row for part in _PARTS) else None
                for row in rows
            ]
            whole = [{"sum": number} for number in sums]
            rates = [counts.error_rate for counts in ours]
            known["sum of rates"] = list(_of_rates("sum", whole, rates))
    for name, entries in known.items():
        if entries:
            yield compare_all(f"{path} ({name})", entries, "scored again as NeMo does")
    parts = _PARTS if known.get("sum of rates") else ()
    for name in numbers:
        if name not in known and name not in parts:
            yield Check(f"{path} ({name})", 0, remark="how it was computed is not known")


def _is_rate(name: str, value: object) -> bool:
    """Return True if a member's name is that of a measure: `wer`, `tokens`, `ins_rate`, `wer_c`."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and (name in ("tokens", *_PARTS) or "wer" in name or "cer" in name)


def _of_rates(
    name: str, rows: Sequence[Mapping[str, Any]], ours: Sequence[float | None]
) -> Iterator[Difference]:
    """Compare the rate in each line with ours, as a ratio (four decimals) or percentage (two)."""
    for line, (row, rate) in enumerate(zip(rows, ours, strict=False), 1):
        recorded = row.get(name)
        if not isinstance(recorded, (int, float)) or rate is None:
            continue
        texts = f"{recorded:.4f}", f"{rate:.4f}"
        is_percent = f"{recorded:.2f}" == f"{100 * rate:.2f}"
        yield Difference(f"line {line}", texts[0], texts[0] if is_percent else texts[1])


def icefall_checks(path: str, errs: str, text: str, rates: ErrorRates) -> Iterator[Check]:
    """Yield checks of every line of `errs-*` and of the summaries, with kaldialign's alignment.

    `errs` and `text` are the path and the content of `errs-*`. Both are empty without this file.
    """
    aligned = rates.aligned
    costs = profile_named(rates.rules.profile).costs
    ours = align_batch(aligned.references, aligned.hypotheses, costs=costs, ties="compute-wer")
    yield from _summary_checks(path, ours.counts.total())
    if not errs:
        return
    pairs = [ours[row] for row in range(len(ours))]
    computed = dict(_icefall_lines(rates, pairs))
    recorded = dict(_recorded_lines(text))
    sections = {name.partition(": ")[0] for name in recorded}
    missing = {
        name: NOT_RECORDED
        for name in computed
        if name not in recorded and name.partition(": ")[0] in sections
    }
    entries = (
        Difference(name, line, computed.get(name, NOT_OURS))
        for name, line in {**recorded, **missing}.items()
    )
    yield compare_all(errs, entries, "aligned again as kaldialign does")


def _recorded_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of `errs-*` by section and name."""
    section = ""
    for line in text.splitlines():
        start = next((name for name in _SECTIONS if line.startswith(f"{name}:")), "")
        if start:
            section = start
        elif line.startswith("%WER = "):
            yield "%WER", line.partition("= ")[2].strip()
        elif line.startswith("Errors: "):
            yield "Errors", line.strip()
        elif not section or not line.strip():
            continue
        elif section == _SECTIONS[0]:
            name, _, words = line.partition(":\t")
            yield f"{section}: {name}", words.strip()
        elif section == _SECTIONS[-1]:
            name, _, numbers = line.partition("   ")
            yield f"{section}: {name}", numbers.strip()
        else:
            count, _, words = line.strip().partition("   ")
            yield f"{section}: {words}", count


def _icefall_lines(rates: ErrorRates, aligned: Sequence[Alignment]) -> Iterator[tuple[str, str]]:
    """Yield the lines of icefall's report, computed from our alignments."""
    pairs: Counter[tuple[str | None, str | None]] = Counter()
    details = []
    for name, alignment in zip(rates.identifiers, aligned, strict=True):
        words = [(pair.reference, pair.hypothesis) for pair in alignment]
        pairs.update(words)
        details.append((f"{_SECTIONS[0]}: {name}", " ".join(_groups(words))))
    counts = Counts()
    stats: dict[str, list[int]] = {}  # in both, wrong, in the reference, in the hypothesis
    tables: list[tuple[str, str]] = []
    for (left, right), number in pairs.items():
        for word, column in ((left, 2), (right, 3)):
            if word is not None:
                row = stats.setdefault(word, [0, 0, 0, 0])
                row[column] += number
                row[1] += number * (left != right)
                row[0] += number * (left == right and column == 2)
        if left is None:
            counts += Counts(insertions=number)
            tables.append((f"{_SECTIONS[3]}: {right}", str(number)))
        elif right is None:
            counts += Counts(deletions=number)
            tables.append((f"{_SECTIONS[2]}: {left}", str(number)))
        elif left != right:
            counts += Counts(substitutions=number)
            tables.append((f"{_SECTIONS[1]}: {left} -> {right}", str(number)))
        else:
            counts += Counts(correct=number)
    words_of_reference = counts.reference_tokens
    if words_of_reference:
        yield "%WER", _decimals(counts.errors, words_of_reference)
    yield (
        "Errors",
        f"Errors: {counts.insertions} insertions, {counts.deletions} deletions, "
        f"{counts.substitutions} substitutions, over {words_of_reference} reference words "
        f"({counts.correct} correct)",
    )
    yield from details
    yield from tables
    for word, numbers in stats.items():
        yield f"{_SECTIONS[4]}: {word}", " ".join(map(str, numbers))


def _groups(words: Sequence[tuple[str | None, str | None]]) -> Iterator[str]:
    """Yield correct words singly, and consecutive errors as groups."""
    for is_right, run in groupby(words, lambda pair: pair[0] == pair[1]):
        pairs = list(run)
        if is_right:
            yield from (str(left) for left, _ in pairs)
            continue
        left, right = (
            " ".join(pair[side] or "" for pair in pairs if pair[side] is not None) or _NOTHING
            for side in (0, 1)
        )
        yield f"({left}->{right})"


def _summary_checks(path: str, counts: Counts) -> Iterator[Check]:
    """Yield a check of each `wer-summary-*` file that lists the setting of `path` (`recogs-*`)."""
    folder = os.path.dirname(path)
    words = counts.reference_tokens
    ours = str(float(_decimals(counts.errors, words))) if words else NOT_OURS
    for name in sorted(os.listdir(folder or os.curdir)):
        if not name.startswith(_SUMMARY):
            continue
        summary = os.path.join(folder, name)
        entries = [
            Difference(setting, recorded, ours)
            for setting, recorded in settings_of(summary).items()
            if is_of_setting(os.path.basename(path), name, setting)
        ]
        if entries:
            yield compare_all(summary, entries, "scored again")


def settings_of(summary: str) -> Mapping[str, str]:
    """Return the rates in a `wer-summary-*` file by setting."""
    with open(summary, encoding="utf-8", errors="replace") as file:
        rows = [line.rstrip("\n").partition("\t") for line in file][1:]
    return {setting: rate for setting, tab, rate in rows if tab}


def is_of_setting(recogs: str, summary: str, setting: str) -> bool:
    """Return True if `recogs-SET-SETTING-REST` is a file of the summary `wer-summary-SET-REST`."""
    stem = summary.removeprefix(_SUMMARY).removesuffix(".txt")
    own = recogs.removeprefix("recogs-").removesuffix(".txt")
    left, found, right = own.partition(f"-{setting}-")
    if found:
        return stem == f"{left}-{right}" or (stem.startswith(left) and stem.endswith(right))
    return stem == own
