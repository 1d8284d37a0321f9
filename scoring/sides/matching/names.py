"""Matching of the names of recordings and channels that two files write differently.

Recordings match by name: exactly, then without media suffixes, then without directories, then
without case. A step applies only if the names of each side remain distinct. If each side has a
single recording, the recordings match under any names. Within a recording, an unset channel matches
the only channel. If each side has one channel, names of different schemes match (`A` and `1`, `1`
and `0`). File names may end in a language tag, which may differ between sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from scoring.model.errors import InputError
from scoring.sides.corpus import ONLY_CHANNEL, Corpus
from scoring.sides.matching import MatchingError
from scoring.sides.matching.spelling import names_message

if TYPE_CHECKING:
    from formats.schema.model import Segment

# Names that a note lists.
_SHOWN = 3

# The name of a channel; None where it is unset.
Name: TypeAlias = "str | None"


def with_common_names(
    reference: Corpus, hypothesis: Corpus, missing: str | None
) -> tuple[Corpus, Corpus]:
    """Return both sides with the reference's names of recordings and channels, and notes on them.

    With `missing="error"`, two recordings with different names in both files are an error. Raises
    MatchingError if no recording matches, or if channels of a recording do not match.
    """
    if not (reference.segments and hypothesis.segments):
        return reference, hypothesis
    return _with_channels(reference, _with_recordings(reference, hypothesis, missing))


def _with_recordings(reference: Corpus, hypothesis: Corpus, missing: str | None) -> Corpus:
    ours, theirs = (
        list(dict.fromkeys(segment.recording for segment in side.segments))
        for side in (reference, hypothesis)
    )
    names = same_names(ours, theirs)
    if not names and len(ours) == len(theirs) == 1:
        hypothesis = _single_recording(reference, hypothesis, ours[0], theirs[0], missing)
        return hypothesis.renamed({theirs[0]: ours[0]})
    if not names:
        from scoring.sides.messages import OTHER_RECORDINGS, OTHER_RECORDINGS_BUT

        entries, what = (OTHER_RECORDINGS, OTHER_RECORDINGS_BUT), "recordings"
        raise MatchingError(
            names_message(entries, hypothesis.name, reference.name, what, ours, theirs)
        )
    renamed = {name: target for name, target in names.items() if name != target}
    return _with_names(hypothesis, renamed, reference.name) if renamed else hypothesis


def _with_names(side: Corpus, names: Mapping[str, str], reference: str) -> Corpus:
    """Return the side with the reference's names of recordings, and a note on them."""
    from scoring.sides import messages

    listed = [
        messages.Message(messages.RENAMED_RECORDING, {"recording": name, "target": target})
        for name, target in list(names.items())[:_SHOWN]
    ]
    fields = {"path": side.name, "reference": reference, "names": listed}
    side = side.renamed(names)
    if len(names) <= _SHOWN:
        return side.with_remark(messages.RECORDINGS_MATCHED, **fields)
    return side.with_remark(messages.MORE_RECORDINGS_MATCHED, **fields, more=len(names) - _SHOWN)


def _single_recording(
    reference: Corpus, hypothesis: Corpus, name: str, another: str, missing: str | None
) -> Corpus:
    """Return the hypothesis after renaming its recording as in the reference, with a remark."""
    from scoring.sides import messages

    # a text has no recording, but files of two folders are found by their names
    if not (reference.is_collection and hypothesis.is_collection):
        for side in (reference, hypothesis):
            if side.named_by_file and side.whole_file and side.segments[0].starts_ns is None:
                return hypothesis
    fields = {"path": hypothesis.name, "recording": another, "target": name}
    if reference.named_by_file or hypothesis.named_by_file:
        return hypothesis.with_remark(messages.ONLY_RECORDING, **fields)
    if missing == "error":
        value = {**fields, "reference": reference.name}
        raise MatchingError(messages.Message(messages.RECORDING_EXPECTED, value))
    return hypothesis.with_remark(messages.OTHER_RECORDING, **fields)


def without_languages(left: Corpus, right: Corpus) -> tuple[Corpus, Corpus]:
    """Return both sides with equal file names where they differ only in a language tag.

    `talk` and `talk.en` are the same recording if the second is a file name. Names that occur on
    both sides do not change, nor do single recordings, which match under any names.
    """
    names, targets = left.names, right.names
    if names == targets or len(names) == len(targets) == 1 or not (names and targets):
        return left, right
    if right.named_by_file and right.is_unnamed:
        return left, _with_languages_of(left, right)
    return (_with_languages_of(right, left) if left.is_unnamed else left), right


def _with_languages_of(target: Corpus, side: Corpus) -> Corpus:
    """Return `target` with names as in `side` where they differ only in a language tag."""
    languages, names = _by_stem(target), set(target.names)
    renamed: dict[str, str] = {}
    for stem, tags in _by_stem(side).items():
        targets = languages.get(stem, {})
        if not targets or not names.isdisjoint(tags.values()):
            continue
        [tag, name], *more = targets.items()
        if more or (len(tags) > 1 and tag not in tags):
            several, choices = (target, targets) if more else (side, tags)
            problem = (
                f"expected one language of {stem!r}, found "
                f"{' and '.join(map(repr, list(choices.values())[:3]))}: a pattern such as "
                f"'*.{max(choices)}.*' names the files of one"
            )
            raise InputError(several.name, None, None, problem)
        renamed[tags.get(tag) or next(iter(tags.values()))] = name
    return _with_names(side, renamed, target.name) if renamed else side


def _by_stem(side: Corpus) -> dict[str, dict[str, str]]:
    """Return, for each name without language tag, the full names by lower-case tag."""
    from formats.io.source import split_language, without_media

    stems: dict[str, dict[str, str]] = {}
    for name in side.names:
        stem, tag = split_language(name) if side.named_by_file else (without_media(name), "")
        stems.setdefault(stem, {})[tag.lower()] = name
    return stems


def same_names(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, str]:
    """Return the reference's name of each hypothesis recording that the reference also has.

    >>> same_names(["talk", "Walk"], ["wav/talk.wav", "walk", "x"])
    {'wav/talk.wav': 'talk', 'walk': 'Walk'}
    >>> same_names(["f1", "F1"], ["f1.wav", "x"])
    {'f1.wav': 'f1'}
    """
    if set(theirs) <= set(ours):
        return dict(zip(theirs, theirs, strict=True))
    from formats.io.source import without_media

    def without_directories(name: str) -> str:
        return without_media(name).replace("\\", "/").rstrip("/").rpartition("/")[2]

    names: dict[str, str] = {}
    for step in (
        str,
        without_media,
        without_directories,
        lambda name: without_directories(name).casefold(),
    ):
        left, right = {step(name): name for name in ours}, {step(name): name for name in theirs}
        if len(left) < len(ours) or len(right) < len(theirs):
            break
        matched = set(names.values())
        for key, name in right.items():
            if name not in names and key in left and left[key] not in matched:
                names[name] = left[key]
    return names


def _with_channels(reference: Corpus, hypothesis: Corpus) -> tuple[Corpus, Corpus]:
    from scoring.sides import messages

    ours, theirs = (_channels(side.segments) for side in (reference, hypothesis))
    renamed: dict[tuple[str, Name], Name] = {}
    noted: dict[tuple[str, str], list[str]] = {}
    for recording in ours.keys() & theirs.keys():
        left, right = ours[recording], theirs[recording]
        target = _only_channel(reference, hypothesis, recording, left, right)
        if target is None:
            continue
        renamed.update({(recording, name): target[0] for name in (*left, *right)})
        if None not in (*left, *right):
            noted.setdefault((right[0] or "", left[0] or ""), []).append(recording)
    for (channel, only), recordings in sorted(noted.items()):
        fields = {
            "path": hypothesis.name,
            "channel": channel,
            "target": only,
            "recording": recordings[0],
            "reference": reference.name,
        }
        if len(recordings) > 1:
            more = len(recordings) - 1
            hypothesis = hypothesis.with_remark(messages.ONLY_CHANNELS, **fields, more=more)
        else:
            hypothesis = hypothesis.with_remark(messages.ONLY_CHANNEL, **fields)
    sides = []
    for side in (reference, hypothesis):
        names = [(segment.recording, segment.channel) for segment in side.segments]
        segments = [
            segment.replace(channel=renamed[name])
            if renamed.get(name, name[1]) != name[1]
            else segment
            for segment, name in zip(side.segments, names, strict=True)
        ]
        sides.append(side._replace(segments=segments))
    return sides[0], sides[1]


def _channels(segments: Iterable[Segment]) -> dict[str, list[Name]]:
    """Return the channels of each recording in file order."""
    channels: dict[str, dict[Name, None]] = {}
    for segment in segments:
        channels.setdefault(segment.recording, {})[segment.channel] = None
    return {recording: list(names) for recording, names in channels.items()}


def _only_channel(
    reference: Corpus,
    hypothesis: Corpus,
    recording: str,
    ours: Sequence[Name],
    theirs: Sequence[Name],
) -> tuple[Name] | None:
    """Return the common name for the only channel of each side; None if channels match by name."""
    from scoring.sides import messages

    names = list(dict.fromkeys(name for name in (*ours, *theirs) if name is not None))
    if None in ours or None in theirs:
        if len(names) > 1:
            fields = {"recording": recording, "names": names}
            if None in theirs:
                sided = {"path": hypothesis.name, "partner": reference.name, "only": ONLY_CHANNEL}
                value = messages.Message(messages.CHANNELS_OF_HYPOTHESIS, {**fields, **sided})
            else:
                sided = {"path": reference.name, "partner": hypothesis.name}
                value = messages.Message(messages.CHANNELS_EXPECTED, {**fields, **sided})
            raise MatchingError(value)
        return (next((name for name in ours if name is not None), None),)
    if not set(ours).isdisjoint(theirs):
        return None
    name, another = ours[0] or "", theirs[0] or ""
    if len(ours) == len(theirs) == 1 and _may_be_same(name, another):
        return (name,)
    named = {"path": hypothesis.name, "reference": reference.name, "recording": recording}
    raise MatchingError(
        messages.Message(messages.OTHER_CHANNELS, {**named, "channel": another, "target": name})
    )


def _may_be_same(left: str, right: str) -> bool:
    """Return True if two names may mean the same channel, because their schemes differ.

    >>> _may_be_same("A", "1"), _may_be_same("1", "0"), _may_be_same("A", "B")
    (True, True, False)
    >>> _may_be_same("1", "2"), _may_be_same("0", "2"), _may_be_same("a", "A")
    (False, False, True)
    """
    if left.casefold() == right.casefold() or {left, right} == {"0", "1"}:
        return True
    schemes = [(name.isdecimal(), len(name) == 1 and name.isalpha()) for name in (left, right)]
    return schemes[0] != schemes[1]
