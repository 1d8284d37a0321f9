"""Recordings and channels of two files that are the same under different names.

Recordings match by name: exactly, then without media suffixes, then without directories, then
without case. A step counts only if it leaves the names of each side distinct. A single recording
on each side matches whatever the names. Within a recording an unset channel matches the only
channel, and so do names of different schemes (`A` and `1`, `1` and `0`) if each side has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from scoring.matching.identifier import MatchingError
from scoring.sides.corpus import ONLY_CHANNEL, Corpus

if TYPE_CHECKING:
    from formats.model import Segment

# The name of a channel; None where it is unset.
Name: TypeAlias = "str | None"


def with_common_names(
    reference: Corpus, hypothesis: Corpus, missing: str | None
) -> tuple[Corpus, Corpus]:
    """Both sides with the reference's names of recordings and channels, and notes on them.

    Parameters
    ----------
    missing
        `error`: two recordings with different names stated by both files are an error.

    Raises
    ------
    MatchingError
        If no recording matches, or a recording has channels that do not.
    """
    if not (reference.segments and hypothesis.segments):
        return reference, hypothesis
    hypothesis = _with_recordings(reference, hypothesis, missing)
    return _with_channels(reference, hypothesis)


def _with_recordings(reference: Corpus, hypothesis: Corpus, missing: str | None) -> Corpus:
    ours, theirs = (
        list(dict.fromkeys(one.recording for one in side.segments))
        for side in (reference, hypothesis)
    )
    names = same_names(ours, theirs)
    remark = None
    if not names and len(ours) == len(theirs) == 1:
        names = {theirs[0]: ours[0]}
        remark = _single_recording(reference, hypothesis, ours[0], theirs[0], missing)
    elif not names:
        raise MatchingError(
            f"{hypothesis.name}: expected recordings of {reference.name}, such as {ours[0]!r}, "
            f"found others only, such as {theirs[0]!r}"
        )
    renamed = {name: other for name, other in names.items() if name != other}
    if not renamed:
        return hypothesis
    if remark is None:
        listed = ", ".join(f"{name!r} for {other!r}" for name, other in list(renamed.items())[:3])
        more = ", …" if len(renamed) > 3 else ""
        remark = f"note: {hypothesis.name}: recordings taken for those of the reference: "
        remark += listed + more
    return hypothesis._replace(
        segments=tuple(
            one.replace(recording=renamed[one.recording]) if one.recording in renamed else one
            for one in hypothesis.segments
        ),
        remarks=(*hypothesis.remarks, *filter(None, [remark])),
    )


def _single_recording(
    reference: Corpus, hypothesis: Corpus, name: str, other: str, missing: str | None
) -> str:
    """What to report where each side has one recording, of different names; may be empty.

    Raises
    ------
    MatchingError
        If both files state a name, and `missing` is `error`.
    """
    for side in (reference, hypothesis):
        if side.named_by_file and side.whole_file and side.segments[0].starts_ns is None:
            return ""  # a text has no recording
    if reference.named_by_file or hypothesis.named_by_file:
        return f"note: {hypothesis.name}: its only recording, {other}, is taken for {name}"
    if missing == "error":
        raise MatchingError(
            f"{hypothesis.name}: expected the recording {name!r} of {reference.name}, "
            f"found {other!r} (without --missing error it is taken for that)"
        )
    return f"{hypothesis.name}: warning: its only recording, {other!r}, is taken for {name!r}"


def same_names(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, str]:
    """For each recording of the hypothesis that the reference has, the reference's name.

    Examples
    --------
    >>> same_names(["talk", "Walk"], ["wav/talk.wav", "walk", "x"])
    {'wav/talk.wav': 'talk', 'walk': 'Walk'}
    >>> same_names(["f1", "F1"], ["f1.wav", "x"])
    {'f1.wav': 'f1'}
    """
    if set(theirs) <= set(ours):
        return dict(zip(theirs, theirs, strict=True))
    from formats.recordings import without_media

    def without_directories(name: str) -> str:
        return without_media(name).replace("\\", "/").rstrip("/").rpartition("/")[2]

    names: dict[str, str] = {}
    for step in (
        str,
        without_media,
        without_directories,
        lambda name: without_directories(name).casefold(),
    ):
        known, others = {step(name): name for name in ours}, {step(name): name for name in theirs}
        if len(known) < len(ours) or len(others) < len(theirs):
            break
        taken = set(names.values())
        for key, other in others.items():
            if other not in names and key in known and known[key] not in taken:
                names[other] = known[key]
    return names


def _with_channels(reference: Corpus, hypothesis: Corpus) -> tuple[Corpus, Corpus]:
    ours, theirs = (_channels(side.segments) for side in (reference, hypothesis))
    changed: list[dict[tuple[str, Name], Name]] = [{}, {}]
    noted: dict[tuple[str, str], list[str]] = {}
    for recording in ours.keys() & theirs.keys():
        own, other = ours[recording], theirs[recording]
        target = _only_channel(reference, hypothesis, recording, own, other)
        if target is None:
            continue
        for channels, changes in zip((own, other), changed, strict=True):
            changes.update({(recording, name): target[0] for name in channels if name != target[0]})
        if None not in (*own, *other):
            noted.setdefault((other[0] or "", own[0] or ""), []).append(recording)
    remarks = [
        f"note: {hypothesis.name}: channel {other!r} is taken for {own!r}, the only channel of "
        f"{recordings[0]!r} in {reference.name}"
        + (f", and so in {len(recordings) - 1} more recordings" if len(recordings) > 1 else "")
        for (other, own), recordings in sorted(noted.items())
    ]
    left, right = (
        side._replace(
            segments=tuple(
                one.replace(channel=changes[one.recording, one.channel])
                if (one.recording, one.channel) in changes
                else one
                for one in side.segments
            )
        )
        if changes
        else side
        for side, changes in zip((reference, hypothesis), changed, strict=True)
    )
    return left, right._replace(remarks=(*right.remarks, *remarks))


def _channels(segments: Iterable[Segment]) -> dict[str, list[Name]]:
    """The channels of each recording, in order of the file."""
    channels: dict[str, dict[Name, None]] = {}
    for one in segments:
        channels.setdefault(one.recording, {})[one.channel] = None
    return {recording: list(names) for recording, names in channels.items()}


def _only_channel(
    reference: Corpus,
    hypothesis: Corpus,
    recording: str,
    ours: Sequence[Name],
    theirs: Sequence[Name],
) -> tuple[Name] | None:
    """The name for the only channel of both sides; None where channels match by their names.

    Raises
    ------
    MatchingError
        If they do not, or an unset channel may be any of several.
    """
    names = list(dict.fromkeys(name for name in (*ours, *theirs) if name is not None))
    if None in ours or None in theirs:
        if len(names) > 1:
            side, other = (hypothesis, reference) if None in theirs else (reference, hypothesis)
            hint = f" (--channel-alias {ONLY_CHANNEL}=NAME names it)" if None in theirs else ""
            raise MatchingError(
                f"{side.name}: expected channels in recording {recording!r}, since {other.name} "
                f"has several, {', '.join(map(repr, names))}; found segments without{hint}"
            )
        return (next((name for name in ours if name is not None), None),)
    if not set(ours).isdisjoint(theirs):
        return None
    one, another = ours[0] or "", theirs[0] or ""
    if len(ours) == len(theirs) == 1 and _may_be_same(one, another):
        return (one,)
    raise MatchingError(
        f"{hypothesis.name}: expected channels of {reference.name}, such as {one!r} of "
        f"{recording!r}, found others only, such as {another!r} of {recording!r} "
        f"(--channel-alias {another}={one} takes it for that)"
    )


def _may_be_same(one: str, other: str) -> bool:
    """Whether two names may mean the same channel: names of different schemes.

    >>> _may_be_same("A", "1"), _may_be_same("1", "0"), _may_be_same("A", "B")
    (True, True, False)
    >>> _may_be_same("1", "2"), _may_be_same("0", "2"), _may_be_same("a", "A")
    (False, False, True)
    """
    if one.casefold() == other.casefold() or {one, other} == {"0", "1"}:
        return True
    schemes = [(name.isdecimal(), len(name) == 1 and name.isalpha()) for name in (one, other)]
    return schemes[0] != schemes[1]
