"""Open the versions of a comparison; the kind of each path is detected from its content."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.io.source import is_collection, open_source
from formats.schema.errors import reason_unread
from formats.schema.messages import Message, expected_found
from scoring.model.counts import CHARACTER_UNITS, NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.model.errors import InputError
from scoring.options import USUAL, Options, Rules, differing_rules
from scoring.regression import messages
from scoring.regression.allowances import MISSING, NONE
from scoring.regression.evidence import (
    RECORDS,
    Check,
    Difference,
    EvidenceError,
    ScoredVersion,
    compare_all,
    rescored,
)
from scoring.regression.kaldi_directory import note_of_words, open_directory, open_sides
from scoring.regression.kaldi_hypotheses import (
    ScoreAll,
    chosen_hypothesis,
    has_choice,
    weights_of_folder,
    words_of_numbers,
)
from scoring.regression.record_numbers import numbers_checks
from scoring.regression.rescoring import (
    ALIGNED_AGAIN,
    APART,
    check_beside,
    only_common,
    score_again,
)
from scoring.regression.sgml import open_sgml, words_of_sgml
from scoring.regression.toolkit_results import ResultPair, open_result
from scoring.results.messages import DROPPED_AS_KALDI
from scoring.results.record import SCHEMA
from scoring.score import score_systems, wer
from scoring.score.messages import OWN_REFERENCE, SESSIONS_MISSING
from scoring.score.rates import ErrorRates
from scoring.score.record_reader import Document, read_document
from scoring.sides.corpus import Brought, Corpus
from scoring.sides.given import File, Given, SystemPath, hypothesis_files
from scoring.sides.layouts import (
    OF_HISTORY,
    has_weight_reports,
    has_words,
    holds_both,
    is_result,
)
from scoring.sides.matching import MatchingError
from scoring.sides.messages import UNEQUAL_MISSING

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.regression.history import History, RecordedRun

HEAD = 4096
GZIP = b"\x1f\x8b"  # a file that `ErrorRates.save` compressed begins with this
DEFAULTS = Options()
NO_GROUPS: dict[str, Any] = {"by": (), "metadata": None, "bins": ()}
_CHOSEN = NO_REFERENCE & frozenset({Edit.SKIPPED_HYPOTHESIS}) | NO_HYPOTHESIS & frozenset(
    {Edit.SKIPPED_REFERENCE}
)


class VersionRequest(NamedTuple):
    """The options for opening the versions of a comparison.

    `beside` has the names of the options that the user gave. `reference` is the reference for
    transcripts.
    """

    options: Options = DEFAULTS
    beside: Collection[str] = ()
    reference: str | None = None
    runs: tuple[str, str] = ("", "")
    allow: Collection[str] = NONE  # of `ALLOWANCES`


COMPARED = {
    UNEQUAL_MISSING: messages.UNEQUAL_COMPARED,
    SESSIONS_MISSING: messages.SESSIONS_COMPARED,
}
"""Messages about missing utterances in a comparison, which name the option of `scoring compare`."""


def open_versions(
    baselines: Sequence[str], news: Sequence[str], request: VersionRequest
) -> tuple[list[ScoredVersion], list[ScoredVersion]]:
    """Open the runs of both versions; each run is a scored record or a transcript.

    Transcripts are scored by the options of the records. If all records have the same rules, the
    records are not scored again.
    """
    try:
        versions = _open_versions(baselines, news, request)
    except MatchingError as problem:
        entry = None if problem.value is None else COMPARED.get(problem.value.entry)
        if problem.value is not None and entry is not None:
            problem.value = problem.value._replace(entry=entry)
            problem.args = (str(problem.value),)
        raise
    left, right = (
        list(map(_named, paths, sides))
        for paths, sides in zip((baselines, news), versions, strict=True)
    )
    return left, right


def _named(path: str, side: ScoredVersion) -> ScoredVersion:
    """Return a side; if the path names a system, return the side under this name."""
    if not isinstance(path, SystemPath):
        return side
    return side._replace(name=path.system, rates=side.rates.named(path.system))


def _open_versions(
    baselines: Sequence[str], news: Sequence[str], request: VersionRequest
) -> tuple[list[ScoredVersion], list[ScoredVersion]]:
    options, reference = request.options, request.reference
    if MISSING in request.allow:
        options = only_common(options)
    paths, count = [*baselines, *news], len(baselines)
    tags = [""] * len(paths)
    tags[0], tags[count] = request.runs
    found = list(map(_open_record, paths, tags))
    records = [side for side in found if side is not None]
    # beside a record a data folder of Kaldi and a manifest are transcripts
    words = "" if records else None
    results = [
        side or _open_result(path, options, reference or words)
        for side, path in zip(found, paths, strict=True)
    ]
    if records:
        for side in records:
            check_beside(side.name, side.rates, options, request.beside)
        sides = [
            _like_record(side, path, records[0], request)
            for side, path in zip(results, paths, strict=True)
        ]
        return sides[:count], sides[count:]
    # two tables with the words of both sides are scored row by row
    is_table = results[0] is not None and results[0].kind == "manifest"
    have_both = is_table and all(_is_table_of_both(path, options) for path in news)
    if reference or have_both or options.meeting:
        # where speakers are assigned, words alone are not enough
        sides = _with_transcripts(results, paths, options, reference)
        return sides[:count], sides[count:]
    left = _with_transcripts(results[:count], baselines, options, reference)
    # utterances of a result have no properties but speakers
    of_words = options.changed(**NO_GROUPS)
    return left, [open_version(path, of_words, reference_of(left[0])) for path in news]


def _with_transcripts(
    results: Sequence[ScoredVersion | None],
    paths: Sequence[str],
    options: Options,
    reference: str | None,
) -> list[ScoredVersion]:
    """Return all sides. Transcripts are scored together against the reference."""
    rest = [path for side, path in zip(results, paths, strict=True) if side is None]
    if rest and reference is None:
        raise _lacks_reference(rest[0])
    words = reference_in(reference, options) if rest and reference else File("")
    files, options = hypothesis_files(rest, options)
    score_all = partial(score_systems, words, options=options)
    chosen = [hypothesis_of(file, options, score_all) for file in files]
    rates = score_all([hypothesis for hypothesis, _ in chosen]) if rest else ()
    scored = iter(
        ScoredVersion(path, "transcripts", own, notes=notes)
        for path, own, (_, notes) in zip(rest, rates, chosen, strict=True)
    )
    return [side or next(scored) for side in results]


def chosen_rules(versions: Sequence[Sequence[ScoredVersion]], options: Options) -> Rules | None:
    """Return the rules for realigning the words of results; None for the baseline's rules."""
    sides = [side for version in versions for side in version]
    if any(side.kind in RECORDS for side in sides) or options.profile is None:
        return None
    rules = sides[0].rates.rules._replace(profile=options.profile)
    if options.ignore_case is not None:
        rules = rules._replace(ignore_case=options.ignore_case)
    return rules


def _like_record(
    side: ScoredVersion | None, path: str, record: ScoredVersion, request: VersionRequest
) -> ScoredVersion:
    """Return a transcript, or the words of a result, scored by the options of a record."""
    hypothesis: Given = Path(path)
    if side is not None:
        rules = side.rates.rules
        # `find_changes` aligns plain words with other costs again
        is_alike = not differing_rules(record.rates.rules, rules, (*APART, *ALIGNED_AGAIN))
        if side.kind in RECORDS or is_alike or not _holds_words_as_read(side.rates):
            return side
        hypothesis = _side_of(side, side.rates.aligned.hypotheses)
    options, beside = request.options, request.beside
    if isinstance(path, SystemPath):
        own = path.file
        options = options.changed(
            hypothesis_format=own.format,
            hypothesis_options=own.options,
            hypothesis_encoding=own.encoding or options.hypothesis_encoding,
        )
        beside = {*beside, "hypothesis_format", "hypothesis_options"}
        beside |= {"hypothesis_encoding"} if own.encoding else set()
    reference = None
    if request.reference is not None:
        reference = reference_in(request.reference, request.options)

    def score_all(hypotheses: Sequence[Given]) -> list[ErrorRates]:
        again = partial(score_again, record.rates, record.name, allow=request.allow)
        return [again(each, options, beside, reference) for each in hypotheses]

    notes: tuple[Message, ...] = ()
    if side is None:
        hypothesis, notes = hypothesis_of(File(path), options, score_all)
    [rates] = score_all([hypothesis])
    return ScoredVersion(path, "transcripts" if side is None else side.kind, rates, notes=notes)


def _holds_words_as_read(rates: ErrorRates) -> bool:
    """Return True if a result has its hypothesis words as read; then any rules can be applied."""
    rules, matched_by = rates.rules, rates.matching_summary.matched_by
    if rates.session_of:
        return False
    plain = rules.normalization, rules.unit, rules.compounds, rules.references, rules.variants
    return plain == ("none", "word", "", "", "") and matched_by in ("identifier", "position")


def open_version(
    path: str,
    options: Options = DEFAULTS,
    reference: str | Corpus | None = None,
    run: str = "",
) -> ScoredVersion:
    """Open a scored result, a recorded run, or a hypothesis with its reference.

    Results are Kaldi directories, sclite's SGML, our records, and the kinds in
    `scoring.regression.toolkit_results`. `run` selects a run of a history, as in `History.find`.
    """
    side = _open_record(path, run) or _open_result(path, options, reference)
    return _transcript(path, options, reference) if side is None else side


def _transcript(path: str, options: Options, reference: str | Corpus | None) -> ScoredVersion:
    """Return a hypothesis scored against a reference."""
    if reference is None:
        raise _lacks_reference(path)
    words = reference_in(reference, options) if isinstance(reference, str) else reference
    [file], options = hypothesis_files([path], options)
    score_all = partial(score_systems, words, options=options)
    hypothesis, notes = hypothesis_of(file, options, score_all)
    return ScoredVersion(path, "transcripts", wer(words, hypothesis, options=options), notes=notes)


def _lacks_reference(path: str) -> EvidenceError:
    return EvidenceError(path, None, None, Message(messages.LACKS_REFERENCE))


def _open_record(path: str, run: str) -> ScoredVersion | None:
    """Open a record of ours or a run of a history; None for anything else."""
    if path == "-" or os.path.isdir(path) or is_collection(path):
        return None
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
    except OSError as problem:
        raise InputError(path, None, None, reason_unread(problem)) from None
    if head.startswith(OF_HISTORY):
        # late, because a browser has no numpy
        from scoring.regression.history import History

        with History(path) as history:
            return open_run(history, history.find(run))
    if head.startswith(GZIP):
        with open_source(path) as source:
            head = source.head(HEAD)[0].encode()
    is_record = head.lstrip().startswith(b"{") and SCHEMA.encode() in head
    return open_record(path) if is_record else None


def _open_result(
    path: str, options: Options, reference: str | Corpus | None
) -> ScoredVersion | None:
    """Open a result of another toolkit with its own reference; None for a transcript.

    A reference that the user names replaces the result's own, so the result is a transcript. An
    empty name is the reference of a record, and a corpus is that of another result.
    """
    if isinstance(reference, str) and (reference or has_choice(File(path), options)):
        return None
    has_own = has_words(path) or has_weight_reports(path)
    if reference is not None and not has_own and has_choice(File(path), options):
        return None
    is_data = os.path.isfile(os.path.join(path, "text"))
    if os.path.isdir(path) and not (reference is not None and is_data):
        result = None if has_words(path) else open_result(path, options.encoding)
        if result is not None:
            return _opened(result, options)
        if reference is None or has_words(path):
            of_characters = options.unit in CHARACTER_UNITS
            return open_directory(path, options.speakers, of_characters=of_characters)
    if path != "-" and not os.path.isdir(path) and not is_collection(path):
        with open(path, "rb") as file:
            if file.read(HEAD).lstrip().startswith(b"<SYSTEM "):
                return _opened(path, options)
        result = open_result(path, options.encoding)
        if result is None and reference is None and _is_table_of_both(path, options):
            result = ResultPair(path, "manifest", File(path), File(path), encoding=options.encoding)
        # a manifest is scored against another reference, if there is one
        if isinstance(result, ResultPair) and (reference is None or result.kind != "manifest"):
            return _opened(result, options)
    return None


def _is_table_of_both(path: str, options: Options) -> bool:
    """Return True if a table has both sides: its names show it, or options name the columns."""
    if "field" not in options.reference_options or not os.path.isfile(path):
        return holds_both(path)
    from scoring.score.table_inputs import is_table

    return holds_both(path) or is_table(path)


def _opened(result: ResultPair | str, options: Options) -> ScoredVersion:
    return result.scored(options) if isinstance(result, ResultPair) else open_sgml(result)


def words_of(path: str, options: Options) -> tuple[Given, Given]:
    """Return both sides of another toolkit's result, with its rules, as input for `scoring.wer`."""
    result = None if has_words(path) else open_result(path, options.encoding)
    if isinstance(result, ResultPair):
        return result.sides(options)
    if result is not None:
        return words_of_sgml(result)
    of_characters = options.unit in CHARACTER_UNITS
    side = open_sides(path, options.speakers, of_characters=of_characters)
    note = note_of_words(path, of_characters=of_characters)
    reference, hypothesis = reference_of(side), _side_of(side, side.rates.aligned.hypotheses)
    if note is not None:
        hypothesis = hypothesis._replace(remarks=(note,))
    absent = side.rates.matching_summary.reference_only
    if absent.number and side.rates.rules.missing == "skip":
        reference = reference.with_remark(DROPPED_AS_KALDI, path=path, **absent.fields)
    return reference, hypothesis


def reference_in(path: str, options: Options) -> Given:
    """Return the reference in a file or folder; of a result, the reference in it.

    Raises EvidenceError if a decode folder has only hypotheses.
    """
    if path == "-" or options.reference_format is not None or not os.path.exists(path):
        return File(path)
    if is_result(path) and not holds_both(path):
        return words_of(path, options)[0]
    if has_choice(File(path), options):
        raise EvidenceError(path, None, None, Message(messages.REFERENCE_OF_HYPOTHESES))
    return File(path)


def hypothesis_of(
    file: File, options: Options, score_all: ScoreAll
) -> tuple[Given, tuple[Message, ...]]:
    """Return the hypothesis in a file or folder that is scored against a reference from elsewhere.

    A decode folder has the hypotheses of its best weights. Of a result with both sides, the
    reference is not used; notes say so, and name the weights. `score_all` scores hypotheses against
    the reference.
    """
    best = chosen_hypothesis(file, options, USUAL, score_all)
    if best is not None:
        return best.words, tuple(best.weights.notes())
    path = file.name or "-"
    is_named = file.format is not None or options.hypothesis_format is not None
    if path == "-" or is_named or not os.path.exists(path):
        return file, ()
    if is_result(path) and not holds_both(path):
        weights = weights_of_folder(path, options)
        own = Message(OWN_REFERENCE, {"path": path})
        return words_of(path, options)[1], (own, *(weights.notes() if weights else ()))
    return words_of_numbers(path) or file, ()


def reference_of(side: ScoredVersion) -> Corpus:
    """Return the reference words of a version as a corpus for scoring another hypothesis."""
    rules, basis = side.rates.rules, side.rates.basis
    if (rules.forgive_optional or rules.where) and basis is not None and basis.references:
        # the words alone do not show which of them are optional, or which utterances are chosen
        return basis.references[0]._replace(brought=_brought(side))
    return _side_of(side, side.rates.aligned.references)


def _side_of(side: ScoredVersion, words: Sequence[Words]) -> Corpus:
    return Corpus(
        name=side.name,
        format=None,
        identifiers=side.rates.identifiers,
        speakers=side.rates.speakers,
        words=words,
        lines=[None] * len(side.rates),
        special={},
        brought=_brought(side),
    )


def _brought(side: ScoredVersion) -> Brought:
    """Return the rules of a result that also apply to new hypotheses, unless the user sets them."""
    rules = side.rates.rules
    names = ["profile", "ignore_case"]
    if rules.unit != USUAL["unit"] and side.kind == "Kaldi directory":
        names.append("unit")  # its words are characters
    if rules.missing == "skip":
        names.append("missing")
    if rules.forgive_optional:
        names.append("forgive_optional")  # the words in parentheses are in the reference
    return Brought({name: getattr(rules, name) for name in names}, side.name)


def open_run(history: History, run: RecordedRun) -> ScoredVersion:
    """Return a recorded run with its stored words."""
    return _recorded(f"{history.path}, run {run.number}", "run", history.document(run))


def open_record(path: str) -> ScoredVersion:
    """Read JSON of `scoring wer --json` or `ErrorRates.save`, and score its words again."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(GZIP):
        with open_source(path) as source:
            data = source.text(limit=None).encode()
    side = _recorded(path, "record", read_document(path, data))
    return side._replace(checks=(*side.checks, *_number_checks(path, data, side.rates)))


def _number_checks(path: str, data: bytes, rates: ErrorRates) -> Iterable[Check]:
    """Compare the counts and rates of a record with the numbers of its alignments."""
    try:
        systems = json.loads(data).get("systems")
    except (ValueError, RecursionError, AttributeError):
        systems = None
    if not isinstance(systems, list) or len(systems) != 1:
        return [Check(f"{path} (numbers)", 0, remark="it is no JSON of one system")]
    names = rates.session_of or rates.identifiers
    return numbers_checks(path, systems[0], rates.to_dict(), names)


def _recorded(path: str, kind: str, document: Document) -> ScoredVersion:
    if document.shard is not None or len(document.systems) != 1:
        content = "a shard" if document.shard is not None else f"{len(document.systems)}"
        raise EvidenceError(path, None, None, expected_found("one whole result", content))
    [recorded] = document.systems
    remark = ""
    if recorded.session_of:
        remark = "the words do not show which speaker was mapped to which"
    elif recorded.choices is not None:
        remark = "the words do not show which reference was chosen"
    elif recorded.matching_summary.matched_by.partition("(")[0] in ("recording", "file"):
        remark = "whole recordings were aligned"
    if remark:
        return ScoredVersion(path, kind, recorded, (Check(path, 0, remark=remark),))
    ours = rescored(
        path,
        recorded.identifiers,
        recorded.speakers,
        recorded.aligned.references,
        recorded.aligned.hypotheses,
        recorded.rules,
    )
    return ScoredVersion(path, kind, recorded, (_check(path, recorded, ours),))


def _check(path: str, recorded: ErrorRates, ours: ErrorRates) -> Check:
    """Compare recorded alignments with ours; skip alignments with forgiven words."""
    entries = [
        Difference(
            identifier,
            recorded.alignment_at(position).letters,
            ours.alignment_at(position).letters,
        )
        for position, identifier in enumerate(recorded.identifiers)
        if not any(edit in _CHOSEN for edit in recorded.alignment_at(position).edits)
    ]
    return compare_all(path, entries)
