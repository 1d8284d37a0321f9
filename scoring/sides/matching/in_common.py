"""Matching of both sides by a common property: identifiers, times, recordings or lines.

=====================================  ===========================================================
what the sides have                    how they are matched
=====================================  ===========================================================
identifiers on both                    by identifier; identifiers that are numbers of lines or list
                                       items, by position
manifests, no common identifiers,      by audio file; rows without identifiers also by position:
words without times                    see `scoring.sides.matching.by_row`
two columns of one table               by position, whatever names its rows
rows without identifiers and times     by position with as many utterances that have identifiers
times of segments on the reference,    by time: see `scoring.sides.matching.by_time`
times of all words on the hypothesis
other texts without identifiers        by recording, or by file if one side is a plain text: see
                                       `scoring.sides.matching.by_recording`
identifiers on one that are            by identifier: the words of a recording are one utterance
recordings of the other
=====================================  ===========================================================
"""

from __future__ import annotations

import os

from formats.schema import NamedTuple
from formats.schema.messages import Message
from scoring.alignment.results import is_column
from scoring.model.errors import InputError
from scoring.sides.corpus import NO_PARTNER, Account, ListedNames, RowNumbers
from scoring.sides.matching import (
    AUDIO,
    IDENTIFIER,
    POSITION,
    DifferentLengthsError,
    MatchedSides,
    MatchingError,
    MissingTextError,
    in_rows,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scoring.alignment.texts import ColumnNames
    from scoring.sides.corpus import Corpus

# Ways that systems may share: words dealt by time, whole recordings, names of utterances.
TIME, WHOLE, NAMES = "time", "recording", "names"


def way_of(reference: Corpus, hypothesis: Corpus, match: str | None = None) -> str:
    """Return how `in_common` matches the sides if `cut` is not set: `TIME`, `WHOLE` or `NAMES`."""
    if match == POSITION:
        return NAMES
    sides = _by_names(reference, hypothesis, keep=False)
    if isinstance(sides, MatchedSides):
        return NAMES
    return TIME if _is_dealt(*sides) else WHOLE


def _is_dealt(reference: Corpus, hypothesis: Corpus) -> bool:
    """Return True if words can be assigned to segments by the times of the hypothesis."""
    if _is_text(reference, hypothesis):
        return False
    from scoring.sides.matching.by_time import has_times

    return has_times(reference, hypothesis)


def _is_text(reference: Corpus, hypothesis: Corpus) -> bool:
    """Return True if the sides must be compared as texts: no times, or one text per side."""
    sides = reference, hypothesis
    return any(map(_is_without_times, sides)) or (
        all(side.whole_file for side in sides) and any(side.named_by_file for side in sides)
    )


def in_common(
    reference: Corpus,
    hypothesis: Corpus,
    keep: bool = False,
    missing: str | None = None,
    cut: str | None = None,
    match: str | None = None,
    shift: float | str | None = None,
) -> MatchedSides:
    """Match both sides by a common property: identifiers, times, recordings or lines.

    With `keep`, utterances keep their segments with all word columns. `missing`, `cut`, `match` and
    `shift` are those of `scoring.Options`; `missing="error"` also rejects recordings with different
    names. Raises MatchingError if the sides have nothing in common, or if nothing can be cut.
    """
    if match == POSITION and not (reference.by_position and hypothesis.by_position):
        reference, hypothesis = by_position(reference, hypothesis)
    sides = _by_names(reference, hypothesis, keep)
    if isinstance(sides, MatchedSides):
        matched = sides
    else:
        from formats.io.source import PausedCollection

        with PausedCollection():
            matched = _by_channel(*sides, keep, missing, cut, shift)
    by = {None: (matched.by,), "time": ("time",)}.get(cut, ("recording", "file"))
    name, value = "cut", str(cut)
    are_timed = reference.is_placed and hypothesis.is_placed
    if shift is not None and matched.by in by and not are_timed:
        by, name, value = ("time",), "shift", str(shift)
    if matched.by not in by and (reference.names or hypothesis.names):
        from formats.schema.messages import Advice
        from scoring.sides.messages import CUT_ELSEWHERE, CUT_WITHOUT_TIMES

        fields = {"path": hypothesis.name, "kinds": [*by], "kind": matched.by}
        fields["option"] = Advice(name, value)
        entry = CUT_WITHOUT_TIMES if by == ("time",) else CUT_ELSEWHERE
        raise as_called(MatchingError(Message(entry, fields)), hypothesis.name)
    # along the alignment recordings are cut anyway, where words have no times
    is_named = cut not in (None, "alignment")
    if is_named:
        return matched._replace(by=f"{matched.by}({cut})")
    is_one_table = reference.name == hypothesis.name and _is_table(reference)
    return _in_rows(matched) if is_one_table and matched.by in (IDENTIFIER, AUDIO) else matched


def _in_rows(matched: MatchedSides) -> MatchedSides:
    """Return two columns of one table as matched by position, however the rows are named.

    The other readings of such a table match its rows in the same way.
    """
    left, right = matched.reference, matched.hypothesis
    names = left.identifiers, right.identifiers
    rows = len(names[0]) if names[0] == names[1] else len({*names[0], *names[1]})
    return matched._replace(
        reference=left._replace(rows=rows), hypothesis=right._replace(rows=rows), by=POSITION
    )


def _by_names(
    reference: Corpus, hypothesis: Corpus, keep: bool
) -> MatchedSides | tuple[Corpus, Corpus]:
    """Return both sides matched by name or position.

    If they must be matched by channel, return both sides unmatched.
    """
    sides = reference, hypothesis
    is_numbered = reference.by_position and hypothesis.by_position
    if not is_numbered and all(map(_is_table, sides)):
        from scoring.sides.matching.by_row import by_row

        rows = by_row(reference, hypothesis, keep)
        if rows is not None:
            return rows
    unnamed = [side.is_unnamed for side in sides]
    if not any(unnamed):
        is_timed = reference.is_placed and hypothesis.is_placed and not is_numbered
        if is_timed and set(reference.identifiers).isdisjoint(hypothesis.identifiers):
            from scoring.sides.messages import BY_TIME

            hypothesis = hypothesis.with_remark(BY_TIME, path=hypothesis.name)
            return _without_names(reference), _without_names(hypothesis)
        return MatchedSides(reference, hypothesis, POSITION if is_numbered else IDENTIFIER)
    named, partner = sides if unnamed[1] else sides[::-1]
    if all(unnamed) or not named.identifiers:  # an empty file matches any other
        return sides
    if named.is_placed:
        return _by_names(_without_names(reference), _without_names(hypothesis), keep)
    if named.by_position and named.size == 1 == len(named.identifiers):
        return _as_text(reference), _as_text(hypothesis)
    if not {segment.recording for segment in partner.outlines}.isdisjoint(named.identifiers):
        from scoring.sides.matching.by_recording import joined_recordings

        left, right = (joined_recordings(side, keep) if side.is_unnamed else side for side in sides)
        return MatchedSides(left, right, IDENTIFIER)
    is_untimed = _is_without_times(partner)
    if is_untimed and _is_table(partner) and len(partner.spoken) == named.size:
        from scoring.sides.messages import IN_ORDER

        hypothesis = hypothesis.with_remark(IN_ORDER, path=partner.name)
        return MatchedSides(*by_position(reference, hypothesis), POSITION)
    from scoring.sides.messages import NOTHING_IN_COMMON, ONLY_TIMES

    fields = {"path": partner.name, "format": partner.format, "partner": named.name}
    value = Message(NOTHING_IN_COMMON if is_untimed else ONLY_TIMES, fields)
    raise as_called(MatchingError(value), hypothesis.name)


def _by_channel(
    reference: Corpus,
    hypothesis: Corpus,
    keep: bool,
    missing: str | None,
    cut: str | None,
    shift: float | str | None,
) -> MatchedSides:
    """Match by time if words have times, otherwise by whole recordings."""
    from scoring.sides.matching.by_time import (
        by_channel,
        deal_by_time,
        shifted,
        timing_remarks,
    )

    sides = reference, hypothesis
    names = [{(segment.recording, segment.channel) for segment in side.outlines} for side in sides]
    if names[0] != names[1]:
        from scoring.sides.matching.names import with_common_names

        sides = with_common_names(*sides, missing)
    reference, hypothesis = sides
    if shift is not None:
        hypothesis = shifted(reference, hypothesis, shift)
        sides = reference, hypothesis
    is_text = _is_text(*sides)
    are_dealt = cut in (None, "time") and _is_dealt(*sides)
    remarks = (*hypothesis.remarks, *timing_remarks(reference, hypothesis, are_dealt))
    if are_dealt:
        return deal_by_time(reference, hypothesis._replace(remarks=remarks), keep, cut == "time")
    from scoring.sides.matching.by_recording import whole_recordings

    if not is_text and cut is None:
        is_timed = all(segment.is_timed for segment in hypothesis.segments)
        name = reference.name if is_timed else hypothesis.name
        from scoring.sides.messages import BY_RECORDING

        remarks += (Message(BY_RECORDING, {"path": name}),)
    is_file = is_text and len(by_channel(reference.segments)) == 1
    hypothesis = hypothesis._replace(remarks=remarks)
    return whole_recordings(reference, hypothesis, keep, is_file, cut == "hypothesis")


def _without_names(side: Corpus) -> Corpus:
    return side._replace(identifiers=[], speakers=[], words=[]) if side.is_placed else side


def _as_text(side: Corpus) -> Corpus:
    """Return a side with a single text in the form of a plain text file."""
    if side.is_unnamed:
        return side
    from formats.schema.model import Segment

    text = side.special.get(0) or Segment("text", side.words[0], line=side.lines[0])
    return side._replace(segments=(text,), identifiers=[], special={}, named_by_file=True)


def _is_table(side: Corpus) -> bool:
    """Return True if a side is a manifest, whose segments are rows."""
    if not side.segments:
        return False
    from scoring.sides.side_files import is_manifest

    return is_manifest(side.format)


def _is_without_times(side: Corpus) -> bool:
    """Return True if a side has no times, so that only the order of its words is known."""
    return bool(side.segments) and all(
        segment.start_ns is None and segment.starts_ns is None for segment in side.outlines
    )


_REFERENCE = frozenset({"ref", "refs", "reference", "references"})
_HYPOTHESIS = frozenset({"hyp", "hyps", "hypo", "hypothesis", "hypotheses"})


def _words_of_name(path: str) -> set[str]:
    """Return the words in the name of a file, so that `preferred.txt` is not a reference."""
    name = os.path.basename(path).lower()
    return set("".join(letter if letter.isalpha() else " " for letter in name).split())


def swap_remarks(reference: Corpus, hypothesis: Corpus) -> list[Message]:
    """Return a note if reference and hypothesis seem to be swapped."""
    left, right = (_words_of_name(side.name) for side in (reference, hypothesis))
    named = any(
        not words.isdisjoint(kind) and other.isdisjoint(kind)
        for words, other, kind in ((left, right, _HYPOTHESIS), (right, left, _REFERENCE))
    )
    fields = {"path": reference.name}
    if named:
        from scoring.sides.messages import NAMED_AS_SWAPPED

        return [Message(NAMED_AS_SWAPPED, fields)]
    if reference.has_confidences and not hypothesis.has_confidences:
        from scoring.sides.messages import CONFIDENT_REFERENCE

        return [Message(CONFIDENT_REFERENCE, fields)]
    if not hypothesis.has_confidences and _is_marked(hypothesis) and not _is_marked(reference):
        from scoring.sides.messages import MARKED_HYPOTHESIS

        return [Message(MARKED_HYPOTHESIS, fields)]
    return []


def _is_marked(side: Corpus) -> bool:
    """Return True if a side has segments to be ignored, which only references have.

    Alternatives are no indication, because hypotheses may have them, too.
    """
    return any(segment.kind == "ignored" for segment in side.outlines)


class Matching(NamedTuple):
    """The index of each reference's hypothesis (or -1), and the utterances without a partner."""

    partners: Sequence[int]
    reference_only: Sequence[int]
    hypothesis_only: Sequence[int]


def match(reference: Sequence[str], hypothesis: Sequence[str]) -> Matching:
    """Match by identifier; the two sides may have different orders.

    The identifiers of a side must differ, see `first_repeated`.

    >>> match(["a", "b"], ["c", "a"])
    Matching(partners=array('q', [1, -1]), reference_only=[1], hypothesis_only=[0])
    """
    columns: tuple[Any, Any] = reference, hypothesis
    if all(map(is_column, columns)):
        return _match_columns(*columns)
    if reference == hypothesis or list(reference) == list(hypothesis):
        return Matching(range(len(reference)), [], [])
    rest = {identifier: position for position, identifier in enumerate(hypothesis)}
    from array import array

    partners = array("q", [rest.pop(identifier, NO_PARTNER) for identifier in reference])
    missing = [position for position, partner in enumerate(partners) if partner < 0]
    return Matching(partners, missing, sorted(rest.values()))


def by_position(reference: Corpus, hypothesis: Corpus) -> tuple[Corpus, Corpus]:
    """Return both sides matched in order; utterances have the names of the reference."""
    sides = reference, hypothesis
    numbered = in_rows(*sides) if any(side.is_unnamed for side in sides) else sides
    left, right = (
        (in_order if side.is_unnamed else side)._replace(by_position=True)
        for side, in_order in zip(sides, numbered, strict=True)
    )
    named = dict(zip(_places(left), left.identifiers, strict=True))
    places = _places(right)
    numbers = zip(places, RowNumbers(places), strict=True)
    names = [named.get(place, number) for place, number in numbers]
    return left, right._replace(identifiers=names)


def _places(side: Corpus) -> Sequence[int]:
    """Return the row numbers of a side's utterances; rows that have no text are skipped."""
    if side.rows is not None and isinstance(side.identifiers, RowNumbers):
        return side.identifiers.rows
    return range(len(side.identifiers))


def _match_columns(reference: ColumnNames, hypothesis: ColumnNames) -> Matching:
    """Match columns of identifiers like `match`, without creating an object per identifier."""
    partners = hypothesis.find(reference)
    if isinstance(partners, range):
        return Matching(partners, [], [])
    is_matched = bytearray(len(hypothesis) + 1)  # the last for those without partner
    for partner in partners:
        is_matched[partner] = True
    missing = [position for position, partner in enumerate(partners) if partner == NO_PARTNER]
    return Matching(
        partners, missing, [row for row in range(len(hypothesis)) if not is_matched[row]]
    )


def first_repeated(identifiers: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of the first repeated identifier; None if all differ."""
    if is_column(identifiers) or isinstance(identifiers, RowNumbers):
        return None
    if len(set(identifiers)) == len(identifiers):
        return None
    first: dict[str, int] = {}
    for position, identifier in enumerate(identifiers):
        if identifier in first:
            return first[identifier], position
        first[identifier] = position
    return None


def partners_of(
    reference: Corpus,
    hypothesis: Corpus,
    matched_by: str,
    missing: str | None,
    allow_unmatched: bool = False,
) -> Matching:
    """Match two sides whose utterances have names.

    `missing=None` means `delete`. For sides matched by position, different lengths are then an
    error, because identifiers are only numbers. Raises InputError if a name repeats. Raises
    MatchingError if nothing matches, or if an utterance without partner is not allowed.
    """
    for side in (reference, hypothesis):
        repeated = first_repeated(side.identifiers)
        if repeated is not None:
            first, second = repeated
            problem = (
                f"expected an identifier not used before, found {side.identifiers[second]!r}, "
                f"which is also at {side.place(first)}"
            )
            raise InputError(side.name, side.lines[second], None, problem)
    matching = match(reference.identifiers, hypothesis.identifiers)
    lacking = ListedNames.of([reference.identifiers[row] for row in matching.reference_only])
    extra = ListedNames.of([hypothesis.identifiers[row] for row in matching.hypothesis_only])
    sides = reference, hypothesis
    # a part of a table, which does not know how many rows there are
    is_part = None in (reference.rows, hypothesis.rows) and all(
        isinstance(side.identifiers, RowNumbers) for side in sides
    )
    are_rows = matched_by == POSITION and reference.size == hypothesis.size
    if is_part or are_rows:
        are_named = type(hypothesis.identifiers) is not RowNumbers
        paths = reference.name, hypothesis.name
        check_rows(*paths, extra, allow_unmatched, are_named=are_named)
    elif matched_by == POSITION:
        is_missing = lacking.number and missing is None
        if is_missing or (extra.number and not allow_unmatched):
            from scoring.sides.messages import UNEQUAL_EXTRA, UNEQUAL_MISSING

            numbers = {
                "wanted": reference.size,
                "number": hypothesis.size,
            }
            fields = {"path": hypothesis.name, "reference": reference.name, **numbers}
            value = Message(UNEQUAL_MISSING if is_missing else UNEQUAL_EXTRA, fields)
            raise as_called(DifferentLengthsError(value), hypothesis.name)
    if lacking.number == len(reference.identifiers) > 0 and extra.number:
        from scoring.sides.matching.spelling import names_message
        from scoring.sides.messages import OTHER_NAMES, OTHER_NAMES_BUT

        entries = (OTHER_NAMES, OTHER_NAMES_BUT)
        names = "identifiers", reference.identifiers, hypothesis.identifiers
        value = names_message(entries, hypothesis.name, reference.name, *names)
        raise as_called(MatchingError(value), hypothesis.name)
    if missing == "error":
        check_all(reference.name, hypothesis.name, lacking, extra)
    return matching


def as_called(error: MatchingError, hypothesis: str) -> MatchingError:
    """Return the error with the names of options that the caller knows: flags or keywords.

    Callers with files use flags of a command; callers with lists use keywords of a function.
    """
    if error.value is not None and hypothesis.startswith("<"):
        error.args = (error.value.in_python,)
    return error


def check_rows(
    reference: str,
    hypothesis: str,
    extra: ListedNames,
    allow_unmatched: bool,
    *,
    are_named: bool = False,
) -> None:
    """Reject rows with a hypothesis but no reference, unless they are allowed.

    With `are_named`, rows have identifiers other than their numbers.
    """
    if extra.number and not allow_unmatched:
        from scoring.sides.messages import MISSING_TEXTS, MISSING_TEXTS_FROM

        fields = {"path": reference, "partner": hypothesis, "number": extra.number}
        value = Message(MISSING_TEXTS, fields)
        if extra.identifiers:  # clusters count rows, which have no numbers there
            row = extra.identifiers[0]
            value = Message(MISSING_TEXTS_FROM, {**fields, "row": row if are_named else int(row)})
        raise as_called(MissingTextError(value), hypothesis)


def check_all(reference: str, hypothesis: str, lacking: ListedNames, extra: ListedNames) -> None:
    """Raise an error if utterances without partner are not allowed."""
    if lacking.number:
        raise MatchingError(
            f"{hypothesis}: expected a hypothesis for every reference of {reference}, "
            f"found none for {lacking}"
        )
    if extra.number:
        raise MatchingError(
            f"{hypothesis}: expected identifiers of {reference} only, found others, {extra}"
        )


def account_of(
    reference: Corpus,
    hypothesis: Corpus,
    matching: Matching,
    matched_by: str,
    missing: str,
    ignored_words: int,
) -> Account:
    """Return the account of the utterances of both sides."""
    lacking, extra = matching.reference_only, matching.hypothesis_only
    skipped = lacking if missing == "skip" else ()
    return Account(
        matched_by,
        len(reference.identifiers),
        len(hypothesis.identifiers),
        len(reference.identifiers) - len(lacking),
        ListedNames.of([reference.identifiers[row] for row in lacking]),
        ListedNames.of([hypothesis.identifiers[row] for row in extra]),
        sum(len(hypothesis.words[row]) for row in extra),
        sum(len(reference.words[row]) for row in skipped),
        ignored_words,
        reference.repeated + hypothesis.repeated,
    )
