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

from scoring.sides.matching import (
    AUDIO,
    IDENTIFIER,
    POSITION,
    MatchedSides,
    MatchingError,
    as_called,
    by_position,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.messages import Message
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
        matched = _by_channel(*sides, keep, missing, cut, shift)
    by = {None: (matched.by,), "time": ("time",)}.get(cut, ("recording", "file"))
    name, value = "cut", str(cut)
    are_timed = reference.is_placed and hypothesis.is_placed
    if shift is not None and matched.by in by and not are_timed:
        by, name, value = ("time",), "shift", str(shift)
    if matched.by not in by and (reference.names or hypothesis.names):
        from formats.schema.messages import Advice
        from scoring.sides.messages import CUT_ELSEWHERE, CUT_WITHOUT_TIMES, Message

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
    from scoring.sides.messages import NOTHING_IN_COMMON, ONLY_TIMES, Message

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
        from scoring.sides.messages import BY_RECORDING, Message

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
        from scoring.sides.messages import NAMED_AS_SWAPPED, Message

        return [Message(NAMED_AS_SWAPPED, fields)]
    if reference.has_confidences and not hypothesis.has_confidences:
        from scoring.sides.messages import CONFIDENT_REFERENCE, Message

        return [Message(CONFIDENT_REFERENCE, fields)]
    if not hypothesis.has_confidences and _is_marked(hypothesis) and not _is_marked(reference):
        from scoring.sides.messages import MARKED_HYPOTHESIS, Message

        return [Message(MARKED_HYPOTHESIS, fields)]
    return []


def _is_marked(side: Corpus) -> bool:
    """Return True if a side has segments to be ignored, which only references have.

    Alternatives are no indication, because hypotheses may have them, too.
    """
    return any(segment.kind == "ignored" for segment in side.outlines)
