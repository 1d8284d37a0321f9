"""Reading back what was written as JSON; whatever is in a file is checked before it is believed."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Sequence
from typing import TypeVar

from scoring.alignment.batch import CountsTable
from scoring.matching.identifier import first_repeated
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Counts, Edit
from scoring.options import Rules, checked_rules
from scoring.pages.data import counts_record
from scoring.scored.aligned import Aligned
from scoring.scored.rates import ErrorRates
from scoring.scored.record import (
    CODES,
    SCHEMA,
    SCHEMA_VERSION,
    Document,
    RecordError,
    Shard,
)
from scoring.sides.account import Account, Input, Listed
from scoring.sides.corpus import Words

Kind = TypeVar("Kind")
_SHOWN = 60


def load(path: str | os.PathLike[str]) -> ErrorRates:
    """Read the result that `ErrorRates.save` or `scoring wer --json` wrote.

    Raises
    ------
    RecordError
        If it is something else, contradicts itself, or holds a shard or several results.
    formats.FormatError
        If the file cannot be read.

    Examples
    --------
    >>> import scoring, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rates.json.gz")
    ...     scoring.wer("a b", "a c").save(path)
    ...     scoring.load(path).counts
    Counts(correct=1, substitutions=1, deletions=0, insertions=0)
    """
    from formats.source import open_source

    name = os.fspath(path)
    with open_source(path) as source:
        document = read_document(name, source.text(limit=None).encode())
    if document.shard is not None or len(document.systems) != 1:
        found = "a shard" if document.shard is not None else f"{len(document.systems)} of them"
        raise RecordError(name, None, None, f"expected one whole result, found {found}")
    return document.systems[0]


def read_document(path: str, data: bytes) -> Document:
    """Read what `document_lines` wrote.

    Confidence intervals are left aside: they can be computed again.

    Raises
    ------
    RecordError
        If it is something else, or contradicts itself.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as problem:
        line, column = getattr(problem, "lineno", None), getattr(problem, "colno", None)
        raise RecordError(path, line, column, f"expected JSON, found none: {problem}") from None
    try:
        return _document(_Object(content, "the record"))
    except ValueError as problem:
        raise RecordError(path, None, None, str(problem)) from None


def _document(content: _Object) -> Document:
    schema, version = content.get("schema", str), content.get("version", int)
    if (schema, version) != (SCHEMA, SCHEMA_VERSION):
        raise ValueError(
            f"expected schema {SCHEMA!r} version {SCHEMA_VERSION}, "
            f"found {schema!r} version {version}"
        )
    shard: Shard | None = None
    if content.any("shard") is not None:
        part = content.inner("shard")
        shard = Shard(part.get("number", int), part.get("of", int))
        if not 1 <= shard.number <= shard.of:
            raise ValueError(f"expected a shard of {shard.of}, found number {shard.number}")
    systems = content.get("systems", list)
    return Document([_system(_Object(one, "a system")) for one in systems], shard)


class _Object:
    """A JSON object whose members are asked for by name and type."""

    def __init__(self, content: object, what: str) -> None:
        if not isinstance(content, dict):
            raise ValueError(f"expected {what} as an object, found {_shown(content)}")
        self._content = content
        self._what = what

    def any(self, name: str) -> object:
        if name not in self._content:
            raise ValueError(f"expected {name!r} in {self._what}, found no such member")
        return self._content[name]

    def get(self, name: str, kind: type[Kind]) -> Kind:
        value = self.any(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ValueError(
                f"expected {name!r} in {self._what} of type {kind.__name__}, found {_shown(value)}"
            )
        return value

    def optional_text(self, name: str) -> str | None:
        return None if self.any(name) is None else self.get(name, str)

    def text_or(self, name: str, default: str) -> str:
        """A text that earlier records lack."""
        return self.get(name, str) if self.has(name) else default

    def has(self, name: str) -> bool:
        """Whether there is such a member; earlier records lack some."""
        return name in self._content

    def names(self) -> list[str]:
        """Of all members."""
        return list(self._content)

    def texts(self, name: str) -> Words:
        values = self.get(name, list)
        for value in values:
            if not isinstance(value, str):
                raise ValueError(
                    f"expected texts as {name!r} in {self._what}, found {_shown(value)}"
                )
        return tuple(values)

    def inner(self, name: str) -> _Object:
        return _Object(self.any(name), repr(name))


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _system(record: _Object) -> ErrorRates:
    utterances = [_Object(one, "an utterance") for one in record.get("utterances", list)]
    identifiers = [one.get("identifier", str) for one in utterances]
    repeated = first_repeated(identifiers)
    if repeated is not None:
        raise ValueError(
            f"expected another utterance, found {identifiers[repeated[1]]!r} for a second time"
        )
    rates = ErrorRates(
        _input(record.inner("reference")),
        _input(record.inner("hypothesis")),
        _rules(record.inner("rules")),
        _account(record.inner("account")),
        identifiers,
        [one.optional_text("speaker") for one in utterances],
        _aligned(utterances, identifiers),
        record.texts("remarks") if record.has("remarks") else (),
        groups=_groups(utterances),
    )
    if counts_record(rates.counts) != record.any("counts"):
        raise ValueError("expected counts that are the sum of the utterances', found others")
    return rates


def _groups(utterances: Sequence[_Object]) -> dict[str, list[str | None]]:
    if not utterances or not utterances[0].has("groups"):
        return {}
    rows = [one.inner("groups") for one in utterances]
    return {name: [row.optional_text(name) for row in rows] for name in rows[0].names()}


def _input(record: _Object) -> Input:
    return Input(
        record.get("path", str), record.optional_text("format"), record.optional_text("sha256")
    )


def _rules(record: _Object) -> Rules:
    return checked_rules(
        Rules(
            record.get("profile", str),
            record.get("missing", str),
            record.get("ignore_case", bool),
            record.get("forgive_optional", bool),
            record.get("unit", str),
            record.text_or("normalization", "none"),
        )
    )


def _account(record: _Object) -> Account:
    numbers = {
        name: record.get(name, int)
        for name in Account._fields
        if name not in ("matched_by", "reference_only", "hypothesis_only")
    }
    return Account(
        matched_by=record.get("matched_by", str),
        reference_only=_listed(record.inner("reference_only")),
        hypothesis_only=_listed(record.inner("hypothesis_only")),
        **numbers,
    )


def _listed(record: _Object) -> Listed:
    return Listed(record.get("number", int), record.texts("identifiers"))


def _aligned(utterances: Sequence[_Object], identifiers: Sequence[str]) -> Aligned:
    edits: list[bytes] = []
    references: list[Words] = []
    hypotheses: list[Words] = []
    counts = array("i")
    offsets = [0]
    for one, identifier in zip(utterances, identifiers, strict=True):
        codes = one.get("edits", str)
        if not set(codes) <= set(CODES):
            raise ValueError(f"expected edits of {identifier!r} out of {CODES}, found {codes!r}")
        edits.append(bytes(map(CODES.index, codes)))
        references.append(one.texts("reference"))
        hypotheses.append(one.texts("hypothesis"))
        tally = _tally(edits[-1])
        lengths = [
            len(codes) - sum(map(edits[-1].count, lacking))
            for lacking in (NO_REFERENCE, NO_HYPOTHESIS)
        ]
        recorded = [one.get(name, int) for name in Counts._fields]
        if recorded != list(tally) or lengths != [len(references[-1]), len(hypotheses[-1])]:
            raise ValueError(
                f"expected counts, edits and words of {identifier!r} that agree, found others"
            )
        counts.extend(tally)
        offsets.append(offsets[-1] + len(codes))
    return Aligned(references, hypotheses, b"".join(edits), offsets, CountsTable(counts.tobytes()))


def _tally(edits: bytes) -> Counts:
    skipped = edits.count(Edit.SKIPPED_REFERENCE) + edits.count(Edit.SKIPPED_HYPOTHESIS)
    return Counts(
        edits.count(Edit.CORRECT) + skipped,
        edits.count(Edit.SUBSTITUTION),
        edits.count(Edit.DELETION),
        edits.count(Edit.INSERTION),
    )
