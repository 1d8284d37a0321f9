"""Results of other toolkits with references and hypotheses, detected from the content.

Folders are ESPnet's `score_wer`, and folders with one result of icefall, SpeechBrain, WeNet, sclite
or hubscr. Files are icefall's `recogs-*`, SpeechBrain's `wer_*.txt`, the output of WeNet's
`compute-wer.py`, and NeMo manifests.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.io.decoding import certain
from formats.io.source import open_source
from formats.schema.messages import expected_found
from scoring.drawing import percent
from scoring.model.counts import Counts
from scoring.options import Options
from scoring.regression import listings
from scoring.regression.evidence import Check, EvidenceError, ScoredVersion
from scoring.regression.fstalign_records import fstalign_checks, read_side_by_side
from scoring.regression.kaldi_files import ascending
from scoring.regression.kaldi_lacks import lack_of
from scoring.regression.listing_records import icefall_checks, listed_checks, manifest_checks
from scoring.regression.sclite_reports import (
    read_pra,
    report_checks,
    reports_beside,
    why_unchecked,
)
from scoring.score import score, wer
from scoring.score.opening import read_side
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Brought, Corpus
from scoring.sides.given import File, Given, readings_of, resolve
from scoring.sides.layouts import (
    TRN,
    WEIGHT_FOLDERS,
    kind_of_file,
    raw_reports,
    results_named,
    weight_folders,
    whose,
)
from scoring.sides.matching.in_common import first_repeated

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.options import Choices

_NUMBER = r"(\d{1,15})"
_SENTENCES = re.compile(rf"^%SER +\S+ +\[ +{_NUMBER} +/ +{_NUMBER} +\]", re.MULTILINE)
# of Kaldi, icefall, WeNet and the raw table of sclite, with the order of the numbers
_LINES = tuple(
    (re.compile(pattern.replace("#", _NUMBER), re.MULTILINE), names.split())
    for pattern, names in (
        (
            r"^%[WC]ER +[0-9.]+ +\[ +# +/ +#, +# +ins, +# +del, +# +sub +\]",
            "errors words insertions deletions substitutions",
        ),
        (
            r"^Errors: # insertions, # deletions, # substitutions, over # reference words",
            "insertions deletions substitutions words",
        ),
        (
            r"^Overall -> \S+ % N=# C=# S=# D=# I=#",
            "words correct substitutions deletions insertions",
        ),
        (
            r"^[ \t]*\| *Sum *\| *# +# *\| +# +# +# +# +# +# *\|",
            "utterances words correct substitutions deletions insertions errors wrong",
        ),
    )
)


READERS: dict[str, listings.ListingReader] = {
    "icefall recogs": listings.read_recogs,
    "SpeechBrain": listings.read_speechbrain,
    "WeNet": listings.read_wenet,
    "sclite alignments": read_pra,
    "fstalign": read_side_by_side,
}


# sclite compares case where -s was among its options
_OF_SCLITE: Sequence[Choices] = [
    {"profile": "sclite", "ignore_case": is_ignored} for is_ignored in (True, False)
]


class Totals(NamedTuple):
    """Sums over a test set; None for sums that are not recorded."""

    counts: Counts
    utterances: int | None = None
    wrong: int | None = None  # utterances with an error


def read_totals(text: str) -> Totals | None:
    """Parse totals in output of Kaldi, SpeechBrain, sclite, icefall or WeNet; None if absent."""
    for pattern, names in _LINES:
        matches = list(pattern.finditer(text))
        if not matches:
            continue
        if "utterances" in names and len(matches) > 1:
            return None  # several systems
        numbers = dict(zip(names, map(int, matches[0].groups()), strict=True))
        if (sentences := _SENTENCES.search(text)) and "utterances" not in names:
            numbers["wrong"], numbers["utterances"] = map(int, sentences.groups())
        substitutions, deletions = numbers["substitutions"], numbers["deletions"]
        correct = numbers["words"] - substitutions - deletions
        counts = Counts(correct, substitutions, deletions, numbers["insertions"])
        if not numbers["words"] or correct < 0:
            return None
        if numbers.get("errors", counts.errors) != counts.errors:
            return None
        return Totals(counts, numbers.get("utterances"), numbers.get("wrong"))
    return None


class ResultPair(NamedTuple):
    """The references and hypotheses of a result, and the recorded numbers."""

    name: str
    kind: str
    reference: Given  # as `scoring.wer` takes them
    hypothesis: Given
    ways: Sequence[Choices] = ({},)  # possible fields of `Options`, the likeliest first
    recorded: Totals | None = None
    rows: Sequence[listings.ListedUtterance] = ()  # utterances with recorded numbers
    path: str = ""  # the file with the recorded numbers
    reports: Sequence[str] = ()  # of sclite, whose lines follow from the words
    encoding: str = "utf-8"  # of the reports
    listing: str = ""  # the file with the words
    unchecked: str = ""  # why the reports cannot be checked

    def scored(self, options: Options) -> ScoredVersion:
        """Return new scores by the rules of the published result, unless other rules are chosen."""
        rates = wer(*self.sides(options), options=options)
        return ScoredVersion(self.name, self.kind, rates, tuple(self._checks(rates)))

    def sides(self, options: Options) -> tuple[Given, Given]:
        """Return both sides, read in the first way that reproduces the recorded numbers."""
        if self.ways == ({},):
            return self.reference, self.hypothesis
        readings = readings_of(Options(encoding=options.encoding))
        given = (self.reference, "reference"), (self.hypothesis, "hypothesis")
        left, right = (
            read_side(resolve(side, role), reading)
            for (side, role), reading in zip(given, readings, strict=True)
        )
        way = self.ways[0]
        for each in self.ways if len(self.ways) > 1 else ():
            rates = score(left, right, Options(**each))
            if all(check.equal for check in self._checks(rates)):
                way = each
                break
        return left._replace(brought=Brought(way, self.path or self.name)), right

    def _checks(self, rates: ErrorRates) -> Iterator[Check]:
        for report in self.reports if self.unchecked else ():
            yield Check(report, 0, remark=self.unchecked)
        for report in self.reports if not self.unchecked else ():
            yield from report_checks(report, _text(report, self.encoding), rates.system)
        if self.kind == "manifest":
            yield from manifest_checks(self.name, self.encoding)
        elif self.kind == "fstalign":
            yield from fstalign_checks(self.path, _text(self.path, self.encoding), rates)
        elif self.kind == "icefall recogs":
            errs = self.path if self.path != self.listing else ""
            text = _text(errs, self.encoding) if errs else ""
            yield from icefall_checks(self.listing, errs, text, rates)
        elif self.rows:
            text = _text(self.path, self.encoding)
            yield from listed_checks(self.kind, self.path, text, self.rows, rates)


def open_result(path: str, encoding: str = "utf-8") -> ResultPair | str | None:
    """Return the result in a file or folder, or the path of sclite's SGML, or None.

    Raises EvidenceError if the result is malformed or lacks words, or if a folder has several
    results.
    """
    if os.path.isdir(path):
        owner = whose(path)
        if owner is None:
            return None
        if owner == "Kaldi":
            if (lack := lack_of(path)) is not None:
                raise EvidenceError(path, None, None, lack)
            raise _wordless(path, "Kaldi sums")
        for names in TRN:
            if names[0] == owner:
                return _espnet(path, encoding, *(os.path.join(path, name) for name in names))
        if owner == WEIGHT_FOLDERS:
            return _of_best_weights(path, encoding)
        results = results_named(path, owner)
        if len(results) > 1:
            listed = ", ".join(results[:10])
            problem = expected_found("one result", f"{len(results)}; name one: {listed}")
            raise EvidenceError(path, None, None, problem)
        result = open_result(os.path.join(path, results[0]), encoding)
        return result._replace(name=path) if isinstance(result, ResultPair) else result
    kind = kind_of_file(path)
    if kind == "sclite SGML":
        return path
    if kind == "manifest":
        return ResultPair(path, "manifest", File(path), File(path), encoding=encoding)
    if kind in READERS:
        return _listing(path, kind, _text(path, encoding), encoding)
    if kind is not None:
        raise _wordless(path, kind)
    return None


def recorded_rates(path: str, encoding: str = "utf-8") -> dict[tuple[str, ...], str]:
    """Return the rates in percent in sclite's reports of all weights, by ascending LMWT."""
    rates = {}
    folders = weight_folders(path)
    for weights in sorted(folders, key=ascending):
        folder = folders[weights]
        for name in raw_reports(folder):
            totals = read_totals(_text(os.path.join(folder, name), encoding))
            if totals is not None and weights not in rates:
                rates[weights] = percent(totals.counts.error_rate)
    return rates


def _of_best_weights(path: str, encoding: str) -> ResultPair | str | None:
    """Return the result of the weights with the lowest recorded rate; of equal ones, the first."""
    rates = recorded_rates(path, encoding)
    if not rates:
        problem = expected_found("sclite's reports of all weights with sums", "none")
        raise EvidenceError(path, None, None, lack_of(path) or problem)
    result = open_result(weight_folders(path)[best_of(rates)], encoding)
    return result._replace(name=path) if isinstance(result, ResultPair) else result


def best_of(rates: Mapping[tuple[str, ...], str]) -> tuple[str, ...]:
    """Return the weights of the lowest rate; of equal ones, the first."""
    return min(rates, key=lambda weights: float(rates[weights]))


def _wordless(path: str, kind: str) -> EvidenceError:
    problem = expected_found("words", f"{kind} only (name what holds both transcripts)")
    return EvidenceError(path, None, None, problem)


def _text(path: str, encoding: str) -> str:
    with open_source(path, encoding=certain(encoding)) as source:
        return source.text(limit=None)


def _listing(path: str, kind: str, text: str, encoding: str) -> ResultPair:
    rows = list(READERS[kind](path, text))
    repeated = first_repeated([row.identifier for row in rows])
    if repeated is not None:
        row = rows[repeated[1]]
        problem = expected_found("each utterance once", f"{row.identifier!r} again")
        raise EvidenceError(path, row.line, None, problem)
    if not rows:
        raise EvidenceError(path, None, None, expected_found(f"utterances of {kind}", "none"))
    recorded, source = read_totals(text), path
    folder, name = os.path.split(path)
    sibling = os.path.join(folder, name.replace("recogs-", "errs-", 1))
    if kind == "icefall recogs" and sibling != path and os.path.isfile(sibling):
        recorded, source = read_totals(_text(sibling, encoding)), sibling
    profiles: tuple[Choices, ...] = ({"profile": "kaldi"}, {"profile": "sclite"})
    if kind == "sclite alignments":
        return ResultPair(
            path,
            kind,
            reference=_corpus(path, rows, [row.reference for row in rows]),
            hypothesis=_corpus(path, rows, [row.hypothesis for row in rows]),
            ways=_OF_SCLITE,
            recorded=read_totals(text),
            reports=list(dict.fromkeys([path, *reports_beside(path)])),
            encoding=encoding,
            unchecked=why_unchecked(path, text),
            path=path,
        )
    if kind == "fstalign":
        profiles = ({"profile": "levenshtein"},)
    return ResultPair(
        path,
        kind,
        reference=_corpus(path, rows, [row.reference for row in rows]),
        hypothesis=_corpus(path, rows, [row.hypothesis for row in rows]),
        ways=profiles if kind == "icefall recogs" else profiles[:1],
        recorded=recorded,
        rows=[row for row in rows if row.counts is not None],
        encoding=encoding,
        path=source,
        listing=path,
    )


def _corpus(path: str, rows: Sequence[listings.ListedUtterance], words: Sequence[Words]) -> Corpus:
    return Corpus(
        name=path,
        format=None,
        identifiers=[row.identifier for row in rows],
        speakers=[row.speaker for row in rows],
        words=words,
        lines=[row.line for row in rows],
        special={},
    )


def _espnet(path: str, encoding: str, reference: str, hypothesis: str, result: str) -> ResultPair:
    for name in (reference, hypothesis):
        if not os.path.isfile(name):
            problem = expected_found("the transcript of ESPnet beside this file", "none")
            raise EvidenceError(name, None, None, problem)
    return ResultPair(
        path,
        "ESPnet",
        reference=File(reference, format="trn"),
        hypothesis=File(hypothesis, format="trn"),
        ways=_OF_SCLITE,
        recorded=read_totals(_text(result, encoding)) if os.path.isfile(result) else None,
        reports=[result] if os.path.isfile(result) else [],
        encoding=encoding,
        path=result,
    )
