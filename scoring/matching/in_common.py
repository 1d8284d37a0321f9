"""Both sides brought to the same utterances, whatever their formats know of times and names.

=====================================  ===========================================================
what the sides have                    how they are matched
=====================================  ===========================================================
identifiers on both                    by identifier; numbers of lines or list places by position
manifests, no common identifiers,      by recording (the audio file), or by position: see
words without times                    `scoring.matching.by_row`
times on both, no common identifiers   by time: see `scoring.matching.by_time`
neither times nor identifiers on one,  as one text each (by file); of several recordings, where
one recording on the other             some are on both sides, as a text each (by recording)
identifiers on one that are            by identifier: what is said in a recording is one utterance
recordings of the other
=====================================  ===========================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.matching.by_row import by_row
from scoring.matching.identifier import POSITION, MatchingError
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from formats.model import Segment


class InCommon(NamedTuple):
    """Two sides with identifiers.

    Attributes
    ----------
    by
        `identifier`, `recording`, `position`, `time` or `file`.
    ignored_words
        Words of the hypothesis in segments that the reference says not to score.
    """

    reference: Corpus
    hypothesis: Corpus
    by: str
    ignored_words: int = 0


def in_common(reference: Corpus, hypothesis: Corpus, keep: bool = False) -> InCommon:
    """Give both sides identifiers of the same kind.

    Parameters
    ----------
    keep
        Whether utterances are to have segments, with all that is known of their words.

    Raises
    ------
    MatchingError
        If the sides have nothing in common to be matched by.
    InputError
        If words of the hypothesis have no times where they are needed.
    """
    found = by_row(reference, hypothesis)
    if found is not None:
        names, groups = found.identifiers, found.rows
        return InCommon(
            _with_texts(reference, names[0], [[row] for row in groups[0]], keep),
            _with_texts(hypothesis, names[1], [[row] for row in groups[1]], keep),
            found.by,
        )
    if not reference.segments and not hypothesis.segments:
        timed = reference.timed_segments and hypothesis.timed_segments
        if timed and set(reference.identifiers).isdisjoint(hypothesis.identifiers):
            remark = f"note: {hypothesis.name}: no identifier is the reference's: matched by time"
            hypothesis = hypothesis._replace(remarks=(*hypothesis.remarks, remark))
            return _by_time(_by_its_times(reference), _by_its_times(hypothesis), keep)
        is_numbered = reference.by_position and hypothesis.by_position
        return InCommon(reference, hypothesis, POSITION if is_numbered else "identifier")
    if reference.segments and hypothesis.segments:
        texts = reference.whole_file and hypothesis.whole_file
        if texts and _is_same_channel(reference, hypothesis):
            return _by_time(reference, hypothesis, keep)
        if texts or _is_without_times(reference) or _is_without_times(hypothesis):
            return _as_texts(reference, hypothesis, keep)
        return _by_time(reference, hypothesis, keep)
    named, other = reference, hypothesis
    if reference.segments:
        named, other = hypothesis, reference
    if not named.identifiers:
        # an empty file fits anything
        if reference.segments:
            return _by_time(reference, hypothesis, keep)
        return InCommon(reference, hypothesis, "identifier")
    if named.timed_segments:
        return in_common(_by_its_times(reference), _by_its_times(hypothesis), keep)
    if not {segment.recording for segment in other.segments}.isdisjoint(named.identifiers):
        return InCommon(
            _by_recording(reference, keep), _by_recording(hypothesis, keep), "identifier"
        )
    raise MatchingError(
        f"{other.name}: expected utterance identifiers to match those of {named.name} by, "
        f"found none (format {other.format})"
    )


def _by_time(reference: Corpus, hypothesis: Corpus, keep: bool) -> InCommon:
    from scoring.matching.by_time import deal_by_time

    dealt = deal_by_time(reference, hypothesis, keep)
    return InCommon(dealt.reference, dealt.hypothesis, "time", dealt.ignored_words)


def _by_its_times(side: Corpus) -> Corpus:
    if not side.timed_segments:
        return side
    return side._replace(segments=side.timed_segments, identifiers=[], speakers=[], words=[])


def _is_same_channel(reference: Corpus, hypothesis: Corpus) -> bool:
    """Whether both are one channel, which both name, of words that all have times, as in ctm."""
    [one], [other] = reference.segments, hypothesis.segments
    return (
        not (reference.named_by_file or hypothesis.named_by_file)
        and (one.recording, one.channel) == (other.recording, other.channel)
        and one.is_timed
        and other.is_timed
    )


def _is_without_times(side: Corpus) -> bool:
    """Whether nothing but the order of its words is known."""
    return all(one.start_ns is None and one.starts_ns is None for one in side.segments)


def _as_texts(reference: Corpus, hypothesis: Corpus, keep: bool) -> InCommon:
    """Words in the order of time, or of the file without times, as one utterance of each side.

    Of several recordings, where some are on both sides, as one utterance of each.
    """
    from scoring.matching.by_time import channels_of

    sides = (reference, hypothesis)
    names = [{segment.recording for segment in side.segments} for side in sides]
    by_name = not names[0].isdisjoint(names[1]) and len(names[0] | names[1]) > 1
    for side, other, own in ((reference, hypothesis, names[0]), (hypothesis, reference, names[1])):
        channels = channels_of(side.segments)
        if len(channels) > (len(own) if by_name else 1):
            found = ", ".join(f"{name} of {recording!r}" for recording, name in channels[:3])
            one = "each" if by_name else "one"
            raise MatchingError(
                f"{other.name} has neither times nor identifiers: expected one channel of {one} "
                f"recording in {side.name} to compare with it as one text, found {len(channels)}: "
                f"{found}{', …' if len(channels) > 3 else ''}"
            )
    remarks = [
        f"note: {side.name}: {len(side.segments)} segments are compared as "
        f"{'one text' if len(names) == 1 else f'{len(names)} texts'}"
        for side, names in zip(sides, names, strict=True)
        if len(side.segments) > len(names)
    ]
    ignored = sum(one.kind == "ignored" for one in reference.segments)
    if ignored:
        remarks.append(
            f"{hypothesis.name}: warning: there are no times to tell what lies in the {ignored} "
            "ignored regions of the reference: all of it is scored"
        )
    hypothesis = hypothesis._replace(remarks=(*hypothesis.remarks, *remarks))
    if by_name:
        left, right = (_by_recording(side, keep) for side in (reference, hypothesis))
        return InCommon(left, right, "recording")
    left, right = (
        _with_texts(side, ["000001"], [_spoken(side.segments)], keep)
        for side in (reference, hypothesis)
    )
    return InCommon(left, right, "file")


def _spoken(segments: Iterable[Segment]) -> list[Segment]:
    return [segment for segment in segments if segment.kind != "ignored"]


def _by_recording(side: Corpus, keep: bool) -> Corpus:
    """What is said in each recording as one utterance, called as the recording is."""
    if not side.segments:
        return side
    groups: dict[str, list[Segment]] = {}
    for segment in _spoken(side.segments):
        groups.setdefault(segment.recording, []).append(segment)
    return _with_texts(side, list(groups), list(groups.values()), keep)


def _with_texts(
    side: Corpus, identifiers: list[str], groups: Sequence[Sequence[Segment]], keep: bool
) -> Corpus:
    """The side with an utterance for each group of segments."""
    whole = [_one_text(group) for group in groups]
    return side._replace(
        identifiers=identifiers,
        speakers=[segment.speaker for segment in whole],
        words=[segment.words for segment in whole],
        lines=[segment.line for segment in whole],
        special={
            position: segment
            for position, segment in enumerate(whole)
            if segment.alternations or segment.optional is not None
        },
        segments=(),
        sources=whole if keep else None,
    )


def _one_text(segments: Sequence[Segment]) -> Segment:
    """All words in one segment; segments go by their starts where these are known."""
    if len(segments) == 1:
        return segments[0]
    from formats.model import Segment

    starts = [
        next((time for time in (one.start_ns, *(one.starts_ns or ())) if time is not None), None)
        for one in segments
    ]
    order = list(range(len(segments)))
    if None not in starts:
        order.sort(key=lambda at: starts[at] or 0)
    speakers = {segment.speaker for segment in segments}
    return Segment.from_items(
        segments[0].recording if segments else "-",
        [item for at in order for item in segments[at].items()],
        speaker=speakers.pop() if len(speakers) == 1 else None,
        line=segments[0].line if segments else None,
    )


def swap_remarks(reference: Corpus, hypothesis: Corpus) -> list[str]:
    """A note when the sides look exchanged; nothing is done about it."""
    one, other = (os.path.basename(side.name).lower() for side in (reference, hypothesis))
    named = ("hyp" in one and "hyp" not in other) or ("ref" in other and "ref" not in one)
    confident = reference.has_confidences and not hypothesis.has_confidences
    if not named and not confident:
        return []
    why = "are named the other way round" if named else "have confidences on the reference's side"
    return [f"note: {reference.name} is the reference, though the files {why}: exchanged?"]
