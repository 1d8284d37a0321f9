"""Score a hypothesis against the reference of a result, by the result's options."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from formats.schema.messages import Message
from scoring.alignment.results import Alignments, concatenated
from scoring.model.counts import Alignment
from scoring.model.errors import InputError
from scoring.options import MEASURES, Options, Rules, differing_rules, flag_name, options_that
from scoring.regression import messages
from scoring.regression.allowances import MISSING, NONE, REFERENCES
from scoring.results.hashes import hashed
from scoring.score import score
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Basis, Corpus
from scoring.sides.given import File, Given, References
from scoring.sides.matching import MatchingError

DEFAULTS = Options()
# Options that a record does not decide: they describe the new file, or move no number.
BESIDE = options_that(beside_record=True)
OF_REFERENCE = options_that(of="reference")
# Rules that decide about each utterance; which utterances there are is compared apart.
APART = ("missing", "verdicts")
GAP = "-(gap)"  # the end of the names of words in no segment
# Rules that words without alternatives are aligned again by.
ALIGNED_AGAIN = ("profile", "ignore_case")


class RescoringError(InputError):
    """A recorded result whose options or reference do not apply to another hypothesis."""

    status = 2


def score_again(
    recorded: ErrorRates,
    name: str,
    hypothesis: Given,
    options: Options = DEFAULTS,
    beside: Collection[str] = (),
    reference: Given | None = None,
    *,
    allow: Collection[str] = NONE,
) -> ErrorRates:
    """Score a hypothesis against the reference of a result, by the result's options.

    Parameters
    ----------
    recorded, name
        The result, and its name in messages.
    hypothesis
        As in `scoring.wer`.
    options, beside
        Options, and the names of the options that the user gave. Each given option must equal the
        result's option, unless it only describes the new file.
    reference
        The reference file; None for the reference in the result.
    allow
        Names from `ALLOWANCES`: ``references`` accepts another reference. ``missing`` skips
        references without hypothesis, whatever the record's option.

    Raises
    ------
    RescoringError
        If an option differs or cannot be applied, the reference differs or is not recorded, or the
        final signatures differ.
    """
    basis = _basis_of(recorded, name)
    chosen = _options_of(basis, name, recorded.rules, options, beside)
    references: Given
    if reference is not None:
        references = reference
        settings = {item: getattr(options, item) for item in OF_REFERENCE.intersection(beside)}
        chosen = chosen.changed(**settings)
    elif not basis.references:
        value = Message(messages.NOT_KEPT, {"reference": recorded.reference.path})
        raise RescoringError(name, None, None, value)
    elif len(basis.references) == 1:
        [references] = basis.references
    else:
        references = References(basis.references)
    if recorded.rules.matched_by == "recording" and chosen.cut is None:
        chosen = chosen.changed(cut="alignment")
    chosen = only_common(chosen) if MISSING in allow else chosen
    rates = score(references, hypothesis, chosen)
    if reference is not None and REFERENCES not in allow:
        _check_reference(recorded, basis, rates, reference, name)
    if recorded.verdicts is not None:
        rules = rates.rules._replace(verdicts=recorded.rules.verdicts)
        rates = rates._replace(verdicts=recorded.verdicts, rules=rules)
    problem = differing_rules(recorded.rules, rates.rules, ("missing",) if MISSING in allow else ())
    if problem:
        entry = messages.CHANGED_RULES
        if recorded.rules.matched_by != rates.rules.matched_by:
            entry = messages.MATCHED_OTHERWISE
        raise RescoringError(name, None, None, Message(entry, {"rules": problem}))
    return rates


def only_common(options: Options) -> Options:
    """Return options under which references without hypothesis are skipped.

    If the options have a recipe, or reject such references as an error, they are unchanged.
    """
    if options.like is not None or options.missing == "error":
        return options
    return options.changed(missing="skip")


def check_beside(
    name: str, recorded: ErrorRates, options: Options, beside: Collection[str]
) -> None:
    """Reject options that contradict a result's options."""
    _options_of(_basis_of(recorded, name), name, recorded.rules, options, beside)


def refuse_other_rules(name: str, left: Rules, right: Rules) -> None:
    """Reject a new version that was scored by other rules than the baseline."""
    problem = differing_rules(left, right, APART)
    if differing_rules(left, right, (*APART, "matched_by")) != problem:
        fields = {"path": name, "baseline": left.matched_by, "new": right.matched_by}
        raise MatchingError(Message(messages.NEW_MATCHED_OTHERWISE, fields))
    if problem:
        raise MatchingError(
            f"{name}: expected results of the same rules, found {problem} (score the new side's "
            "transcript: it is scored by the rules of the baseline)"
        )


def has_same_references(left: ErrorRates, right: ErrorRates) -> bool:
    """Return True if both results have the same references before normalisation."""
    if left.basis is None or right.basis is None or not left.basis.references:
        return False
    from scoring.results.stored import same_side

    sides = left.basis.references, right.basis.references
    if len(sides[0]) != len(sides[1]):
        return False
    return all(pair[0] is pair[1] or same_side(*pair) for pair in zip(*sides, strict=True))


def with_same_utterances(left: ErrorRates, right: ErrorRates) -> tuple[ErrorRates, ErrorRates]:
    """Return both results over the same utterances, whatever their hypotheses.

    Recordings that were cut at the segments of the hypothesis become whole again. If only one
    result has an utterance of words outside all reference segments (`(gap)`), the other result gets
    an empty utterance.
    """
    if left.matching_summary.matched_by.endswith("(hypothesis)"):
        return _whole_recordings(left), _whole_recordings(right)
    if not has_same_references(left, right):
        return left, right
    return _with_gaps_of(left, right), _with_gaps_of(right, left)


def _whole_recordings(rates: ErrorRates) -> ErrorRates:
    recordings = [name.rpartition("-")[0] for name in rates.identifiers]
    return rates._replace(session_of=recordings).per_session()._replace(session_of=())


def _with_gaps_of(rates: ErrorRates, other: ErrorRates) -> ErrorRates:
    """Return a result with an empty utterance for each gap utterance that only `other` has."""
    known = set(rates.identifiers)
    names = [
        name
        for row, name in enumerate(other.identifiers)
        if name.endswith(GAP) and name not in known and not other.aligned.references[row]
    ]
    if not names or rates.measured or rates.session_of:
        return rates
    empty = Alignments.of([Alignment(b"", (), (), 0.0)] * len(names), rates.aligned.costs)
    nothing = [None] * len(names)
    return rates._replace(
        identifiers=[*rates.identifiers, *names],
        speakers=[*rates.speakers, *nothing],
        aligned=concatenated([rates.aligned, empty]),
        groups={name: [*column, *nothing] for name, column in rates.groups.items()},
        sources=None,
    )


def _basis_of(recorded: ErrorRates, name: str) -> Basis:
    """Return a result's basis, or a basis derived from its words and rules."""
    if recorded.basis is not None:
        return recorded.basis
    from scoring.results.stored import words_of_reference

    rules = recorded.rules
    plain = Options(
        profile=rules.profile,  # type: ignore[arg-type]
        missing=rules.missing,  # type: ignore[arg-type]
        ignore_case=rules.ignore_case,
        forgive_optional=rules.forgive_optional,
        merge_compounds=rules.compounds or False,  # type: ignore[arg-type]
    )
    if plain.rules() != rules or rules.compounds == "regions":
        raise RescoringError(
            name,
            None,
            None,
            f"expected a record with its options, found {recorded.signature} alone (record the "
            "run again)",
        )
    return Basis((words_of_reference(recorded),), plain)


def _options_of(
    basis: Basis, name: str, rules: Rules, options: Options, beside: Collection[str]
) -> Options:
    """Return the recorded options, and the user's options that describe only the new file."""
    from scoring.results.stored import options_of, options_record, recorded_options

    strict = set(beside) - BESIDE - OF_REFERENCE
    record = dict(options_record(basis))
    chosen = basis.options
    if rules.meeting:
        strict -= {"profile"}  # these measures have costs of their own
    if chosen is None:
        # an option given again may be applied where the recorded one cannot
        again = {item: getattr(options, item) for item in strict}
        try:
            rest = {item: value for item, value in record.items() if item not in strict}
            chosen = options_of(rest).changed(**again)
        except (ValueError, TypeError, KeyError, ImportError):
            raise RescoringError(name, None, None, basis.problem) from None
    else:
        defaults = recorded_options(DEFAULTS, strict)
        for item, value in recorded_options(options, strict).items():
            expected = record.get(item, defaults[item])
            if not _agree(item, value, expected):
                raise RescoringError(
                    name,
                    None,
                    None,
                    f"{flag_name(item)}: expected {_shown(expected)}, as the result was scored, "
                    f"found {_shown(value)} (omit the option, or record the run again with it)",
                )
    if "hypothesis_format" in beside and "hypothesis_options" not in beside:
        chosen = chosen.changed(hypothesis_options={})
    if chosen.meeting == "auto":
        matched = re.match("[a-z]+", rules.meeting)
        measure = matched and next((name for name in MEASURES if name == matched[0]), None)
        chosen = chosen.changed(meeting=measure)
    free = BESIDE.intersection(beside)
    return chosen.changed(**{item: getattr(options, item) for item in free})


def _agree(name: str, value: object, expected: object) -> bool:
    """Return True if an option equals the recorded option; normalisation is compared by hash."""
    if isinstance(value, dict) and isinstance(expected, dict) and name == "normalize":
        return bool(value["sha256"] == expected["sha256"])
    if name == "collar":
        seconds = [float(str(collar).removesuffix("s")) for collar in (value, expected)]
        return seconds[0] == seconds[1]
    if name == "merge_compounds":
        return ("words" if value is True else value) == ("words" if expected is True else expected)
    return value == expected


def _shown(value: object) -> str:
    """Return an option as text for a message."""
    if isinstance(value, dict) and "sha256" in value:
        return f"{value['name']}#{value['sha256'][:8]}"
    if isinstance(value, dict) and "hash" in value:
        return str(value["name"])
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _check_reference(
    recorded: ErrorRates, basis: Basis, rates: ErrorRates, reference: Given, name: str
) -> None:
    """Reject a reference that differs from the recorded one, by hash and by content."""
    from scoring.results.stored import same_side

    number = len(basis.references)
    if number > 1:
        value = Message(messages.SEVERAL_REFERENCES, {"number": number})
        raise RescoringError(name, None, None, value)
    is_file = isinstance(reference, File | os.PathLike)
    digest = hashed(rates.reference).sha256 if is_file else None
    if digest is not None and digest == recorded.reference.sha256:
        return
    again = rates.basis
    if basis.references and again is not None:
        if same_side(_unmarked(basis.references[0]), _unmarked(again.references[0])):
            return
    elif digest is None or recorded.reference.sha256 is None:
        return
    sums = [str(checksum)[:16] for checksum in (recorded.reference.sha256, digest)]
    fields = {"other": name, "reference": recorded.reference.path}
    value = Message(messages.OTHER_FILE, {**fields, "expected": sums[0], "found": sums[1]})
    raise RescoringError(rates.reference.path, None, None, value)


def _unmarked(side: Corpus) -> Corpus:
    """Return a side without the properties that depend on its file name."""
    if not side.named_by_file:
        return side
    segments = [segment.replace(recording="-") for segment in side.segments]
    return side._replace(segments=segments, special={})
