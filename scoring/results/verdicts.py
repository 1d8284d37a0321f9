"""Verdicts on differing spans: which differences have the same meaning or are minor errors.

A span is an uninterrupted run of substitutions, deletions and insertions in the alignment of an
utterance. Verdicts come from a file of JSON lines that a person or a program wrote. They change
neither the alignment nor the counts: forgiven errors are counted separately.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from scoring.drawing.data import check_head
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.model.errors import InputError

if TYPE_CHECKING:
    from scoring.alignment.results import Alignments
    from scoring.model.counts import Counts

SCHEMA, SCHEMA_VERSION = "sclite-kit/verdicts", 1
DifferenceGrade = Literal["same", "minor", "error"]
CONTEXT_WORDS = 5
DIGITS = 16  # of a context's hash, and of the file's in a signature
EXAMPLES = 3
_ERRORS = frozenset((Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION))


class Decision(msgspec.Struct, frozen=True, rename={"by": "reviewer", "when": "decided_at"}):
    """One line of a verdicts file; a line without verdict is undecided."""

    reference: str  # words of the span joined by single spaces; empty where one side has none
    hypothesis: str
    context: str | None = None  # as of `DifferingSpan.context`; None: wherever the span occurs
    verdict: DifferenceGrade | None = None  # `same` (no error), `minor` (counted apart) or `error`
    by: str | None = None  # who decided, and when; not interpreted
    when: str | None = None


class DifferingSpan(NamedTuple):
    """A differing span of an utterance, with both texts as words joined by single spaces.

    `before` and `after` are at most five words of the reference on each side of the span.
    """

    utterance: str
    reference: str
    hypothesis: str
    errors: int
    before: str
    after: str

    @property
    def context(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of `before`, a tab and `after` in UTF-8.

        >>> DifferingSpan("u1", "fifty", "50", 1, "it costs", "euros").context
        'a343e965ab44526d'
        """
        text = f"{self.before}\t{self.after}".encode("utf-8", "surrogatepass")
        return sha256(text).hexdigest()[:DIGITS]


class VerdictCount(msgspec.Struct, frozen=True):
    """The number of spans with a verdict, and the number of their errors."""

    spans: int = 0
    errors: int = 0


class Adjudication(NamedTuple):
    """The errors of a result by verdict; `undecided` are spans without verdict.

    Rates are errors per reference word, as ratios. They are None without reference words.
    """

    same: VerdictCount
    minor: VerdictCount
    error: VerdictCount
    undecided: VerdictCount
    errors_before: int
    reference_words: int

    @property
    def errors(self) -> int:
        """Errors that are neither forgiven nor minor."""
        return self.error.errors + self.undecided.errors

    @property
    def rate(self) -> float | None:
        """The rate of `errors`."""
        return self.errors / self.reference_words if self.reference_words else None

    @property
    def rate_with_minor(self) -> float | None:
        """The rate of `errors` and minor errors."""
        errors = self.errors + self.minor.errors
        return errors / self.reference_words if self.reference_words else None

    def lines(self) -> Iterator[str]:
        """Yield two lines of text for people."""
        from scoring.drawing import percent

        parts = (
            f"{count.errors} {name} in {count.spans} span{'s' * (count.spans != 1)}"
            for name, count in (
                ("forgiven as the same", self.same),
                ("minor", self.minor),
                ("judged errors", self.error),
                ("without verdict", self.undecided),
            )
        )
        yield f"verdicts: {self.errors_before} errors before; {', '.join(parts)}"
        yield (
            f"after verdicts: {percent(self.rate)} % [ {self.errors} / {self.reference_words} ]; "
            f"with minor errors {percent(self.rate_with_minor)} %"
        )


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The decisions of a file."""

    path: str
    sha256: str  # of its text in UTF-8
    decisions: Sequence[Decision]  # its lines with a verdict
    ignore_case: bool = False  # whether spans are compared without case
    _table: dict[tuple[str, str], dict[str | None, DifferenceGrade]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for decision in self.decisions:
            if decision.verdict is not None:
                contexts = self._table.setdefault(self._key(decision), {})
                contexts[decision.context] = decision.verdict

    def _key(self, span: DifferingSpan | Decision) -> tuple[str, str]:
        if self.ignore_case:
            return span.reference.casefold(), span.hypothesis.casefold()
        return span.reference, span.hypothesis

    def verdict_on(self, span: DifferingSpan) -> DifferenceGrade | None:
        """Return the verdict on a span; None if the span is undecided.

        A verdict for the context of the span takes precedence over a verdict for any context.
        """
        contexts = self._table.get(self._key(span))
        if contexts is None:
            return None
        anywhere = contexts.get(None)
        # a hash is computed only where it decides
        return anywhere if contexts.keys() == {None} else contexts.get(span.context, anywhere)


def read_verdicts(path: str | os.PathLike[str], ignore_case: bool = False) -> Verdicts:
    """Read verdicts from JSON lines with the members of `Decision`; other members are ignored.

    The file may begin with a header line with the members `schema` and `version`.

    Raises
    ------
    InputError
        If a line is no decision, or contradicts an earlier decision.
    """
    from formats.io.source import open_source

    decisions: list[Decision] = []
    lines: dict[tuple[object, ...], tuple[int, Decision]] = {}
    with open_source(path) as source:
        text = source.text(limit=None)
        name = source.name
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        decision = _decision(name, number, line)
        if decision is None or decision.verdict is None:
            continue
        spans = decision.reference, decision.hypothesis
        key = (*(map(str.casefold, spans) if ignore_case else spans), decision.context)
        first, earlier = lines.setdefault(key, (number, decision))
        if earlier.verdict != decision.verdict:
            message = (
                f"expected the verdict of line {first}, {earlier.verdict!r}, on {spans[0]!r} and "
                f"{spans[1]!r}, found {decision.verdict!r}: remove one of the lines, or give them "
                "different contexts"
            )
            raise InputError(name, number, None, message)
        if first == number:
            decisions.append(decision)
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Verdicts(name, digest, decisions, ignore_case)


def _decision(path: str, number: int, line: str) -> Decision | None:
    """Return the decision of a line; None for the header line."""
    try:
        content = msgspec.json.decode(line.encode("utf-8", "surrogatepass"))
        if isinstance(content, dict) and "schema" in content:
            check_head(content, SCHEMA, SCHEMA_VERSION)
            return None
        decision = msgspec.convert(content, Decision)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        text = str(problem).replace("`", "").replace(" - at $.", " in ")
        message = f"expected a decision as a JSON object, found other text: {text}"
        raise InputError(path, number, None, message) from None
    except ValueError as problem:
        raise InputError(path, number, None, str(problem)) from None
    if not (decision.reference or decision.hypothesis):
        raise InputError(path, number, None, "expected words in a span, found none on either side")
    return decision


def adjudicate(verdicts: Verdicts, spans: Iterable[DifferingSpan], counts: Counts) -> Adjudication:
    """Return the errors of spans by verdict; `counts` are the counts of the whole result."""
    numbers: Counter[str | None] = Counter()
    errors: Counter[str | None] = Counter()
    for span in spans:
        verdict = verdicts.verdict_on(span)
        numbers[verdict] += 1
        errors[verdict] += span.errors
    same, minor, error, undecided = (
        VerdictCount(numbers[kind], errors[kind]) for kind in ("same", "minor", "error", None)
    )
    return Adjudication(same, minor, error, undecided, counts.errors, counts.reference_tokens)


def decisions_to_make(
    spans: Iterable[DifferingSpan], by_context: bool = False
) -> list[dict[str, Any]]:
    """Return undecided spans, most frequent first, as lines to fill in.

    Each line has the members of `Decision`, its `count`, and up to three `examples` with the
    utterance, the words around the span and the hash of the context. With `by_context`, there is
    one line per context.
    """
    records: dict[tuple[str, str, str | None], dict[str, Any]] = {}
    for span in spans:
        key = span.reference, span.hypothesis, span.context if by_context else None
        record = records.get(key)
        if record is None:
            members = msgspec.to_builtins(Decision(*key))
            record = records[key] = {**members, "count": 0, "examples": []}
        record["count"] += 1
        if len(record["examples"]) < EXAMPLES:
            example = {name: getattr(span, name) for name in ("utterance", "before", "after")}
            record["examples"].append({**example, "context": span.context})
    return sorted(records.values(), key=lambda record: -int(record["count"]))


def spans_of(identifiers: Iterable[str], aligned: Alignments) -> Iterator[DifferingSpan]:
    """Yield the differing spans of all utterances, in order."""
    for row, identifier in enumerate(identifiers):
        edits = aligned.edits_of(row)
        if not _ERRORS.isdisjoint(edits):
            yield from _spans(identifier, edits, aligned.references[row], aligned.hypotheses[row])


def _spans(
    utterance: str, edits: bytes, reference: Sequence[str], hypothesis: Sequence[str]
) -> Iterator[DifferingSpan]:
    left = right = begin = 0  # `begin` of the span, on either side and in the places
    first = (0, 0)
    for place, edit in enumerate((*edits, Edit.CORRECT)):
        if edit not in _ERRORS:
            if begin < place:
                at, spoken = first
                yield DifferingSpan(
                    utterance,
                    " ".join(reference[at:left]),
                    " ".join(hypothesis[spoken:right]),
                    place - begin,
                    " ".join(reference[max(0, at - CONTEXT_WORDS) : at]),
                    " ".join(reference[left : left + CONTEXT_WORDS]),
                )
            begin = place + 1
        left += edit not in NO_REFERENCE
        right += edit not in NO_HYPOTHESIS
        if edit not in _ERRORS:
            first = left, right
