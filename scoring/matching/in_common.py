"""Both sides brought to the same utterances, whatever their formats know of times and names.

=====================================  ===========================================================
what the sides have                    how they are matched
=====================================  ===========================================================
identifiers on both                    by identifier; numbers of lines or list places by position
manifests, no common identifiers,      by audio file, or by position: see
words without times                    `scoring.matching.by_row`
times of segments on the reference,    by time: see `scoring.matching.by_time`
times of all words on the hypothesis
other texts without identifiers        by recording, or by file if one side is a plain text: see
                                       `scoring.matching.by_recording`
identifiers on one that are            by identifier: what is said in a recording is one utterance
recordings of the other
=====================================  ===========================================================
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from scoring.matching.identifier import POSITION, MatchingError
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.matching.by_recording import Cut


class InCommon(NamedTuple):
    """Two sides with identifiers.

    Attributes
    ----------
    by
        `identifier`, `audio`, `position`, `time`, `recording` or `file`.
    ignored_words
        Words of the hypothesis in segments that the reference says not to score.
    cut
        The reference's segments, where utterances are whole recordings.
    """

    reference: Corpus
    hypothesis: Corpus
    by: str
    ignored_words: int = 0
    cut: Cut | None = None


def in_common(
    reference: Corpus, hypothesis: Corpus, keep: bool = False, missing: str | None = None
) -> InCommon:
    """Give both sides identifiers of the same kind.

    Parameters
    ----------
    keep
        Whether utterances are to have segments, with all that is known of their words.
    missing
        As of `scoring.Options`: `error` rejects a recording of another name, too.

    Raises
    ------
    MatchingError
        If the sides have nothing in common to be matched by.
    """
    if reference.rows and hypothesis.rows:
        from scoring.matching.by_recording import with_texts
        from scoring.matching.by_row import by_row

        matched = by_row(reference, hypothesis)
        if matched is not None:
            names, groups = matched.identifiers, matched.rows
            return InCommon(
                with_texts(reference, names[0], [[row] for row in groups[0]], keep),
                with_texts(hypothesis, names[1], [[row] for row in groups[1]], keep),
                matched.by,
            )
    if not reference.segments and not hypothesis.segments:
        timed = reference.timed_segments and hypothesis.timed_segments
        if timed and set(reference.identifiers).isdisjoint(hypothesis.identifiers):
            remark = f"note: {hypothesis.name}: no identifier is the reference's: matched by time"
            hypothesis = hypothesis._replace(remarks=(*hypothesis.remarks, remark))
            sides = _by_its_times(reference), _by_its_times(hypothesis)
            return _by_channel(*sides, keep, missing)
        is_numbered = reference.by_position and hypothesis.by_position
        return InCommon(reference, hypothesis, POSITION if is_numbered else "identifier")
    if reference.segments and hypothesis.segments:
        return _by_channel(reference, hypothesis, keep, missing)
    named, other = reference, hypothesis
    if reference.segments:
        named, other = hypothesis, reference
    if not named.identifiers:
        # an empty file fits anything
        if reference.segments:
            return _by_channel(reference, hypothesis, keep, missing)
        return InCommon(reference, hypothesis, "identifier")
    if named.timed_segments:
        return in_common(_by_its_times(reference), _by_its_times(hypothesis), keep, missing)
    if named.by_position and len(named.identifiers) == 1:
        return _by_channel(_as_text(reference), _as_text(hypothesis), keep, missing)
    if not {segment.recording for segment in other.segments}.isdisjoint(named.identifiers):
        return InCommon(
            _by_recording(reference, keep), _by_recording(hypothesis, keep), "identifier"
        )
    raise MatchingError(
        f"{other.name}: expected utterance identifiers to match those of {named.name} by, "
        f"found none (format {other.format})"
    )


def _by_channel(reference: Corpus, hypothesis: Corpus, keep: bool, missing: str | None) -> InCommon:
    """Both sides by time where words have times, otherwise as whole recordings."""
    from scoring.matching.by_time import by_channel, deal_by_time, has_times, timing_remarks

    sides = reference, hypothesis
    names = [{(one.recording, one.channel) for one in side.segments} for side in sides]
    if names[0] != names[1]:
        from scoring.matching.names import with_common_names

        sides = with_common_names(*sides, missing)
    reference, hypothesis = sides
    remarks = (*hypothesis.remarks, *timing_remarks(reference, hypothesis))
    is_text = any(map(_is_without_times, sides)) or (
        all(side.whole_file for side in sides) and any(side.named_by_file for side in sides)
    )
    if not is_text and has_times(*sides):
        dealt = deal_by_time(reference, hypothesis._replace(remarks=remarks), keep)
        return InCommon(dealt.reference, dealt.hypothesis, "time", dealt.ignored_words)
    from scoring.matching.by_recording import whole_recordings

    if not is_text:
        untimed = reference if all(one.is_timed for one in hypothesis.segments) else hypothesis
        remarks += (f"note: {untimed.name}: words without times: whole recordings are aligned",)
    is_file = is_text and len(by_channel(reference.segments)) == 1
    wholes = whole_recordings(reference, hypothesis._replace(remarks=remarks), keep, is_file)
    by = "file" if is_file else "recording"
    return InCommon(wholes.reference, wholes.hypothesis, by, wholes.ignored_words, wholes.cut)


def _by_its_times(side: Corpus) -> Corpus:
    if not side.timed_segments:
        return side
    return side._replace(segments=side.timed_segments, identifiers=[], speakers=[], words=[])


def _as_text(side: Corpus) -> Corpus:
    """A side of a single text as a file of plain text is read."""
    if side.segments:
        return side
    from formats.model import Segment

    whole = side.special.get(0) or Segment("text", side.words[0], line=side.lines[0])
    return side._replace(segments=(whole,), special={}, named_by_file=True)


def _is_without_times(side: Corpus) -> bool:
    """Whether nothing but the order of its words is known."""
    return bool(side.segments) and all(
        one.start_ns is None and one.starts_ns is None for one in side.segments
    )


def _by_recording(side: Corpus, keep: bool) -> Corpus:
    """What is said in each recording as one utterance, called as the recording is."""
    from scoring.matching.by_recording import spoken, with_texts
    from scoring.matching.by_time import in_order

    if not side.segments:
        return side
    groups: dict[str, list[Segment]] = {}
    for segment in spoken(side):
        groups.setdefault(segment.recording, []).append(segment)
    return with_texts(side, list(groups), [in_order(one) for one in groups.values()], keep)


def swap_remarks(reference: Corpus, hypothesis: Corpus) -> list[str]:
    """A note when the sides look exchanged; nothing is done about it."""
    one, other = (os.path.basename(side.name).lower() for side in (reference, hypothesis))
    named = ("hyp" in one and "hyp" not in other) or ("ref" in other and "ref" not in one)
    confident = reference.has_confidences and not hypothesis.has_confidences
    if not named and not confident:
        return []
    why = "are named the other way round" if named else "have confidences on the reference's side"
    return [f"note: {reference.name} is the reference, though the files {why}: exchanged?"]
