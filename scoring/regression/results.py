"""What other toolkits leave behind after scoring: found out by looking, as two sides or as sums.

Folders: Kaldi's without `wer_details`, ESPnet's `score_wer`, and those that hold one result of
icefall, SpeechBrain, WeNet, sclite or hubscr. Files: icefall's `recogs-*` and `errs-*`,
SpeechBrain's `wer_*.txt`, what WeNet's `compute-wer.py` prints, Kaldi's `wer_*`, and sclite's
`.sys`, `.raw` and standard output. A manifest of NeMo holds both sides, too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from formats.source import open_source
from scoring.matching.identifier import first_repeated
from scoring.options import Choices, Options
from scoring.regression import listings
from scoring.regression.evidence import Check, Difference, Evidence, EvidenceError, compare_all
from scoring.regression.layouts import HEAD, TRN, kind_of, results_named, weights_of, whose
from scoring.regression.totals import Recorded, Totals, read_totals, totals_check
from scoring.scored.rates import ErrorRates
from scoring.scored.score import wer
from scoring.sides.corpus import Corpus, Words
from scoring.sides.given import File, Given

_SENTENCE = re.compile(r"^id: \((.*)\)\n(?:.*\n)??Scores: \(#C #S #D #I\) ([0-9 ]+)$", re.MULTILINE)


class ResultPair(NamedTuple):
    """A result of which both sides are there."""

    name: str
    kind: str
    reference: Given  # as `scoring.wer` takes them
    hypothesis: Given
    ways: Sequence[Choices] = ({},)  # possible fields of `Options`, the likeliest first
    recorded: Totals | None = None  # the sums that are written there; None without any
    errors: Mapping[str, int] = {}  # errors of utterances, as they are written there
    where: str = ""  # the file that holds what was recorded
    with_kinds: bool = False  # whether our ties are theirs, so that kinds of errors can be compared

    def scored(self, options: Options) -> Evidence:
        """Our scores beside what was recorded, in the first way that gives these numbers."""
        made: list[Evidence] = []
        for way in self.ways:
            rates = wer(self.reference, self.hypothesis, options=options.changed(**way))
            made.append(Evidence(self.name, self.kind, rates, tuple(self._checks(rates))))
            if all(check.equal for check in made[-1].checks):
                return made[-1]
        return made[0]

    def _checks(self, rates: ErrorRates) -> Iterator[Check]:
        if self.recorded is not None:
            yield totals_check(self.where, self.recorded, rates, with_kinds=self.with_kinds)
        if self.errors:
            ours = dict(zip(rates.identifiers, rates.per_utterance, strict=True))
            yield compare_all(
                f"{self.where} (utterances)",
                [
                    Difference(one, str(count), str(ours[one].errors) if one in ours else "(none)")
                    for one, count in self.errors.items()
                ],
            )


READERS: dict[str, listings.Reader] = {
    "icefall recogs": listings.read_recogs,
    "icefall errs": listings.read_errs,
    "SpeechBrain": listings.read_speechbrain,
    "WeNet": listings.read_wenet,
}


def open_result(path: str, encoding: str = "utf-8") -> ResultPair | Recorded | str | None:
    """The result in a file or a folder; None if it is none of others.

    A name stands for sclite's SGML, which has a reader of its own.
    """
    if os.path.isdir(path):
        owner = whose(path)
        if owner is None:
            return None
        if owner == "Kaldi":
            return _kaldi(path, encoding)
        for names in TRN:
            if names[0] == owner:
                return _espnet(path, encoding, *(os.path.join(path, name) for name in names))
        found = results_named(path, owner)
        if len(found) > 1:
            problem = f"expected one result, found {len(found)}; name one: {', '.join(found[:10])}"
            raise EvidenceError(path, None, None, problem)
        inside = os.path.join(path, found[0])
        made = open_result(inside, encoding)
        return made if made is None or isinstance(made, str) else made._replace(name=path)
    with open(path, "rb") as file:
        kind = kind_of(file.read(HEAD))
    if kind is None:
        return None
    if kind == "sclite SGML":
        return path
    if kind == "manifest":
        return ResultPair(path, "manifest", File(path), File(path))
    text = _text(path, encoding)
    if kind in READERS:
        return _listing(path, kind, text, encoding)
    return _sums(path, kind, text)


def _text(path: str, encoding: str) -> str:
    with open_source(path, encoding=encoding) as source:
        return source.text(limit=None)


def _listing(path: str, kind: str, text: str, encoding: str) -> ResultPair:
    rows = list(READERS[kind](path, text))
    repeated = first_repeated([one.identifier for one in rows])
    if repeated is not None:
        row = rows[repeated[1]]
        problem = f"expected another utterance, found {row.identifier!r} again"
        raise EvidenceError(path, row.line, None, problem)
    if not rows:
        raise EvidenceError(path, None, None, f"expected utterances of {kind}, found none")
    recorded, where = read_totals(text), path
    folder, name = os.path.split(path)
    beside = os.path.join(folder, name.replace("recogs-", "errs-", 1))
    if kind == "icefall recogs" and beside != path and os.path.isfile(beside):
        recorded, where = read_totals(_text(beside, encoding)), beside
    return ResultPair(
        path,
        kind,
        _corpus(path, rows, [one.reference for one in rows]),
        _corpus(path, rows, [one.hypothesis for one in rows]),
        ({"profile": "kaldi"}, {"profile": "sclite"})
        if "icefall" in kind
        else ({"profile": "kaldi"},),
        recorded,
        {one.identifier: one.errors for one in rows if one.errors is not None},
        where,
    )


def _corpus(path: str, rows: Sequence[listings.ListedUtterance], words: Sequence[Words]) -> Corpus:
    identifiers = [one.identifier for one in rows]
    lines = [one.line for one in rows]
    return Corpus(path, None, identifiers, [None] * len(rows), words, lines, {})


def _sums(path: str, kind: str, text: str) -> Recorded:
    totals = read_totals(text)
    if totals is None:
        raise EvidenceError(path, None, None, f"expected {kind} of one system, found none")
    return Recorded(path, kind, totals)


def _espnet(
    path: str, encoding: str, reference: str, hypothesis: str, result: str
) -> ResultPair | Recorded:
    text = _text(result, encoding) if os.path.isfile(result) else ""
    if not os.path.isfile(reference) or not os.path.isfile(hypothesis):
        if not text:
            lacking = next(one for one in (reference, hypothesis) if not os.path.isfile(one))
            raise EvidenceError(lacking, None, None, "expected ESPnet's transcript, found no file")
        return _sums(result, "sclite sums", text)._replace(name=path, kind="ESPnet sums")
    errors = {found[1]: sum(map(int, found[2].split()[1:])) for found in _SENTENCE.finditer(text)}
    return ResultPair(
        path,
        "ESPnet",
        File(reference, format="trn"),
        File(hypothesis, format="trn"),
        # sclite takes case into account where its -s was among the recipe's options
        [{"profile": "sclite", "ignore_case": one} for one in (True, False)],
        read_totals(text),
        errors,
        result,
        with_kinds=True,
    )


def _kaldi(path: str, encoding: str) -> ResultPair | Recorded:
    """A folder without `wer_details`: the weights of the lowest rate, as the recipe takes them."""
    inner = os.path.join(path, "scoring_kaldi")
    scoring = inner if os.path.isdir(inner) else path
    found: dict[str, Totals] = {}
    for name in sorted(os.listdir(path)):
        if weights_of(name) and name.startswith("wer"):
            totals = read_totals(_text(os.path.join(path, name), encoding))
            if totals is None:
                problem = "expected a %WER line of Kaldi, found none"
                raise EvidenceError(os.path.join(path, name), None, None, problem)
            found[name] = totals
    if not found:
        raise EvidenceError(path, None, None, "expected files wer_LMWT_WIP of Kaldi, found none")
    best = min(found, key=lambda name: found[name].rate)
    weight, penalty = weights_of(best) or ("", "")
    where = os.path.join(path, best)
    reference = os.path.join(scoring, "test_filt.txt")
    hypothesis = os.path.join(scoring, f"penalty_{penalty}", f"{weight}.txt")
    if not os.path.isfile(reference) or not os.path.isfile(hypothesis):
        return Recorded(path, f"Kaldi sums, {best}", found[best])
    return ResultPair(
        path,
        f"Kaldi, {best}",
        File(reference, format="kaldi-text"),
        File(hypothesis, format="kaldi-text"),
        ({"profile": "kaldi", "missing": "skip"},),
        found[best],
        where=where,
        with_kinds=True,
    )
