"""Reading of results from JSON, with checks of all content."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import astuple

from formats.schema.value_records import convert
from scoring.alignment.results import Alignments
from scoring.drawing.data import CODES, CountsRecord, check_head
from scoring.model.counts import (
    NO_HYPOTHESIS,
    NO_REFERENCE,
    UNIT_COSTS,
    Alignment,
    Costs,
    Counts,
)
from scoring.model.errors import InputError, ScoringError
from scoring.options import OTHER_LENGTHS, Rules, checked_rules, profile_named
from scoring.results import real_numbers
from scoring.results.choices import ReferenceChoices
from scoring.results.record import (
    SCHEMA,
    SCHEMA_VERSION,
    RunRecord,
    Shard,
    SystemRecord,
    UtteranceRecord,
)
from scoring.results.stored import basis_of_record, words_of_reference
from scoring.results.verdicts import Verdicts
from scoring.score.rates import ErrorRates
from scoring.sides.matching.in_common import first_repeated
from scoring.sides.matching.outcome import SUMMED, sums_of_sessions

# Python programs may ask whether a result is a number.
real_numbers()

if TYPE_CHECKING:
    from scoring.results.forgiven import Forgiveness
    from scoring.results.measured import Measured


class RecordError(InputError):
    """Raised if a file is not a record of results, or if records do not belong together."""

    status = 2


class ScoringInputError(ScoringError):
    """Raised if the inputs cannot be scored together, although no single file is wrong."""

    status = 2


class Document(NamedTuple):
    """The content of a result file: the results of one or more systems, complete or a shard."""

    systems: Sequence[ErrorRates]
    shard: Shard | None = None


def load(path: str | os.PathLike[str]) -> ErrorRates:
    """Read a result that `ErrorRates.save` or `scoring wer --json` wrote.

    Raises
    ------
    RecordError
        If the file is not such a record, is inconsistent, or contains a shard or several results.
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
    from formats.io.source import open_source

    name = os.fspath(path)
    with open_source(path) as source:
        document = read_document(name, source.text(limit=None).encode())
    if document.shard is not None or len(document.systems) != 1:
        description = (
            "a shard" if document.shard is not None else f"{len(document.systems)} of them"
        )
        raise RecordError(name, None, None, f"expected one whole result, found {description}")
    return document.systems[0]


def content_of(path: str, most: int = -1) -> bytes:
    """Return the content of a file or URL, at most its first `most` bytes."""
    from formats.io.source import is_url, open_source

    if not is_url(path) and not path.endswith(".gz"):
        with open(path, "rb") as file:
            return file.read(most)
    with open_source(path, max_bytes=1 << 40) as source:
        text = source.text(limit=None) if most < 0 else source.head(most)[0]
        return text.encode()


def read_document(path: str, data: bytes) -> Document:
    """Read the JSON that `document_lines` writes.

    Confidence intervals are not read, because they can be computed again.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as problem:
        line, column = getattr(problem, "lineno", None), getattr(problem, "colno", None)
        raise RecordError(
            path,
            line,
            column,
            "expected a result of `scoring wer --json`, found no JSON",
        ) from None
    try:
        return _document(content)
    except msgspec.ValidationError as problem:
        raise RecordError(path, None, None, member_problem(problem)) from None
    except ValueError as problem:
        raise RecordError(path, None, None, str(problem)) from None


_FIELDS = (
    (re.compile("object missing required field (.*)"), r'expected the member "\1", found none'),
    (re.compile("object contains unknown field (.*)"), r'found the unknown member "\1"'),
)


def member_problem(problem: Exception, whole: str = "the record") -> str:
    """Return a msgspec error as a text that begins with the path of the member.

    For example, the path is `systems[0].rules`.
    """
    message, _, path = str(problem).replace("`", "").partition(" - at $")
    message = message[:1].lower() + message[1:]
    for pattern, text in _FIELDS:
        message = pattern.sub(text, message)
    return f"{path.lstrip('.') or whole}: {message.replace(', got ', ', found ')}"


def _document(content: object) -> Document:
    check_head(content, SCHEMA, SCHEMA_VERSION)
    record = convert(content, RunRecord)
    shard = record.shard
    if shard is not None:
        shard.check()
    return Document([_system(system, shard) for system in record.systems], shard)


def _system(record: SystemRecord, shard: Shard | None) -> ErrorRates:
    utterances = record.utterances
    identifiers = [utterance.id for utterance in utterances]
    repeated = first_repeated(identifiers)
    if repeated is not None:
        raise ValueError(f"expected each utterance once, found {identifiers[repeated[1]]!r} twice")
    rules = checked_rules(record.rules)
    names = utterances[0].group.keys() if utterances else frozenset()
    for utterance in utterances:
        if utterance.group.keys() != names:
            raise ValueError(
                f"expected the same groups in all utterances, found others in {utterance.id!r}"
            )
    costs = UNIT_COSTS if rules.meeting else profile_named(rules.profile).costs
    rates = ErrorRates(
        record.reference,
        record.hypothesis,
        rules,
        record.account,
        identifiers,
        [utterance.speaker for utterance in utterances],
        _aligned(utterances, rules, costs),
        [remark.message for remark in record.remarks],
        groups={name: [utterance.group[name] for utterance in utterances] for name in names},
        sessions=list(record.sessions),
        session_of=[utterance.session or "" for utterance in utterances] if record.sessions else (),
        measured=_measured(record) if record.measures else {},
        choices=_choices(record, rules),
    )
    if CountsRecord.of(rates.counts, rates.length) != record.counts:
        raise ValueError("expected the sums of the utterances' counts, found other counts")
    if any(utterance.forgiven for utterance in utterances):
        rates.forgiveness = _forgiveness(utterances, rates.aligned)
    if record.verdicts is not None:
        file = record.verdicts
        rates.verdicts = Verdicts(file.path, file.sha256, file.decisions, rules.ignore_case)
    if rates.sessions:
        _check_sessions(rates)
    if record.options is not None:
        holds_all = (shard is None or shard.own_rows) and not rates.sessions
        words = words_of_reference(rates) if holds_all else None
        rates.basis = basis_of_record(record.options, record.references, words, record.sources)
    return rates


def _measured(record: SystemRecord) -> dict[str, Measured]:
    """Return the recorded measures, rebuilt from the counts of each utterance."""
    from dataclasses import replace

    from scoring.measures import MEASURES, PLUGINS, measure_named
    from scoring.measures.function import recorded_function
    from scoring.results.counted import columns_of
    from scoring.results.measured import Measured

    measured: dict[str, Measured] = {}
    for name, item in record.measures.items():
        rows = [utterance.measures.get(name, {}) for utterance in record.utterances]
        # no function is loaded because a file names it
        is_function = ":" in name and name not in MEASURES
        if item.version and not is_function and PLUGINS.find(name) is None:
            expected = f"expected the package {item.version} to be installed"
            raise ValueError(f"measure {name}: {expected}, found none")
        spec = recorded_function(name) if is_function else measure_named(name)
        spec = replace(spec, version=item.version)  # of what counted
        part = Measured(spec.extended(item.counts), item.settings, columns_of(rows))
        totals = part.totals()
        if {key: number for key, number in item.counts.items() if number} != {
            key: number for key, number in totals.items() if number
        }:
            raise ValueError(f"expected the sums of the utterances' counts of {name}")
        measured[name] = part
    return measured


def _choices(record: SystemRecord, rules: Rules) -> ReferenceChoices | None:
    choices, utterances = record.choices, record.utterances
    if choices is None:
        return None
    rows = utterances if rules.variants_length in OTHER_LENGTHS else ()
    lengths = [utterance.length for utterance in rows if utterance.length is not None]
    if len(lengths) < len(rows):
        raise ValueError("expected the length of every utterance, found an utterance without")
    return ReferenceChoices(
        choices.references,
        [utterance.references for utterance in utterances],
        lengths,
        choices.wildcard_words,
    )


def _forgiveness(utterances: Sequence[UtteranceRecord], aligned: Alignments) -> Forgiveness:
    from scoring.results.forgiven import listed
    from scoring.results.written import Taken

    places: dict[int, list[Taken]] = {}
    for row, utterance in enumerate(utterances):
        for place in utterance.forgiven:
            number, end = len(getattr(utterance, place.side)), place.place + place.word_count
            if not 0 <= place.place <= end <= number:
                raise ValueError(
                    f"expected forgiven words among those of {utterance.id!r}, found others"
                )
            kind, side, written, chosen, *_ = astuple(place)
            own = places.setdefault(row, [])
            own.append(Taken(kind, side, written, chosen, place.place, end))
    return listed(len(utterances), places, aligned)


def _check_sessions(rates: ErrorRates) -> None:
    sums = sums_of_sessions(rates.session_of, rates.aligned.counts)
    known = {session.session for session in rates.sessions}
    for name in sums:
        if name not in known:
            raise ValueError(f"expected utterances of the sessions, found one of {name!r}")
    for session in rates.sessions:
        counts = sums.get(session.session, Counts())
        recorded = session.reference_count, *(getattr(session, name) for name in SUMMED)
        summed = counts.reference_tokens, *(getattr(counts, name) for name in SUMMED)
        if session.errors is not None and recorded != summed:
            raise ValueError(
                f"expected the sums of the utterances' counts in session {session.session!r}, "
                "found other counts"
            )


def _aligned(utterances: Sequence[UtteranceRecord], rules: Rules, costs: Costs) -> Alignments:
    """Return the alignments of a record.

    If alternatives are counted by place, use its own counts.
    """
    pairs = [_alignment(each, rules.is_by_places) for each in utterances]
    aligned = Alignments.of(pairs, costs)
    if not rules.is_by_places:
        return aligned
    from scoring.results.places import with_counts

    return with_counts(aligned, dict(enumerate(map(_counts_of, utterances))))


def _counts_of(record: UtteranceRecord) -> Counts:
    """Return the recorded counts of an utterance."""
    return Counts(*(getattr(record, name) for name in Counts._fields))


def _alignment(record: UtteranceRecord, by_places: bool) -> Alignment:
    if not set(record.edits) <= set(CODES):
        raise ValueError(f"expected edits of {record.id!r} out of {CODES}, found {record.edits!r}")
    edits = bytes(map(CODES.index, record.edits))
    alignment = Alignment(edits, record.reference, record.hypothesis, 0.0)
    words = [
        len(edits) - sum(map(edits.count, lacking)) for lacking in (NO_REFERENCE, NO_HYPOTHESIS)
    ]
    recorded, counts = _counts_of(record), alignment.counts()
    is_known = recorded == counts or (
        # which places there are is not recorded: they have no more errors than the path
        by_places and min(recorded) >= 0 and recorded.errors <= counts.errors
    )
    if not is_known or words != [len(record.reference), len(record.hypothesis)]:
        raise ValueError(
            f"expected counts of {record.id!r} that follow from its edits and words, found "
            "other counts"
        )
    return alignment


def merged(parts: Sequence[tuple[str, Document]]) -> Document:
    """Merge the shards of a run into the result of a single run."""
    first_path, first = parts[0]
    if first.shard is None:
        raise RecordError(first_path, None, None, "expected a shard, found a whole result")
    count, own_rows = first.shard.of, first.shard.own_rows
    shards: dict[int, tuple[str, Document]] = {}
    for path, document in parts:
        shard, problem = document.shard, None
        if shard is None or shard.of != count:
            description = "a whole result" if shard is None else f"one of {shard.of}"
            problem = f"expected one of {count} shards as {first_path}, found {description}"
        elif shard.number in shards:
            earlier = shards[shard.number][0]
            problem = (
                f"expected each shard once, found number {shard.number} again, which {earlier} "
                "holds"
            )
        elif _heads(document) != _heads(first):
            problem = f"expected a shard of the same run as {first_path}, found another"
        if shard is None or problem is not None:
            raise RecordError(path, None, None, problem or "")
        shards[shard.number] = (path, document)
    missing = [number for number in range(1, count + 1) if number not in shards]
    if missing:
        raise ScoringInputError(
            f"expected all {count} shards, missing {', '.join(map(str, missing))}"
        )
    systems = zip(*(shards[number][1].systems for number in range(1, count + 1)), strict=True)
    results = [column[0].merge_shards(column, own_rows=own_rows) for column in systems]
    for rates in results if own_rows else ():
        # which a shard did not see
        repeated = first_repeated(rates.identifiers)
        if repeated is not None:
            name = rates.identifiers[repeated[1]]
            problem = f"expected an identifier not used before, found {name!r}"
            raise InputError(rates.reference.path, repeated[1] + 1, None, problem)
    return Document(results)


def _heads(document: Document) -> list[object]:
    own_rows = document.shard is not None and document.shard.own_rows
    return [
        (rates.reference, rates.hypothesis, rates.rules, own_rows or rates.matching_summary)
        for rates in document.systems
    ]
