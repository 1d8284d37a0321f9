"""Conversion of tiers to segments: utterances get their words from a tier of words.

A tier of words belongs to a tier of utterances: its parent in the file, or the tier that its name
contains (``anne - words`` and ``anne``, ``words`` and ``segments``), or the only tier of utterances
of the same speaker. A word belongs to the utterance whose times contain it. The text of an
utterance is compared with its words:

* if both are equal, the words of the utterance get the times of the tier of words;
* if the text has additional words, the additional words have no times;
* if the text has equally many but different words, its words become the display forms;
* if text and words have no word in common, both are read, with a warning;
* otherwise the words are used, with a warning, and the text becomes the property ``text``.

In a file with a tier of syllables, as EasyAlign writes it, a label ``_`` in a tier of words or
utterances is a pause: it is read as a label without text. So are ``#`` and ``+`` beside the tiers
of SPPAS.

Words outside all utterances become one segment per tier. The segment has no times of its own; a
conversion to utterances splits it at pauses.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from formats.annotation.messages import (
    TIER_CLASSES,
    TIER_FEATURES,
    TIER_LAYER,
    TIER_LAYER_ABOVE,
    TIER_LAYER_CODES,
    TIER_LAYER_NAMED,
    TIER_LAYER_WORDS,
    TIER_LEVELS,
    TIER_SIGNS,
    TIER_SILENCE,
    TIER_SKIPPED,
    TIER_SPEAKER,
    TIER_TEXT,
    TIER_TURNS,
    TIER_WORDS,
    TIER_WORDS_DIFFER,
)
from formats.annotation.tiers import (
    SPOKEN,
    SYLLABLES,
    Role,
    Tier,
    TierLabel,
    TierRules,
    guess_kind,
    is_about_speech,
    is_no_speech,
    split_name,
    unnumbered,
)
from formats.io.source import Source
from formats.reading.lines import TEXT_BLANKS, split_words
from formats.reading.silence import classes_of, is_silence
from formats.schema import lazy_pattern
from formats.schema.model import Segment

BLANKS = TEXT_BLANKS + "\n"
PAUSE = "_"
SPPAS_TIERS = ("TokensAlign", "PhonAlign")
SPPAS_PAUSES = frozenset("#+")
BESIDE_SPEECH = 2
"""The least uses on average of the texts of a tier beside speech that look like classes."""
LONGEST_PHONE, FEWEST_PHONES = 3, 8
"""Characters of a label as short as a phone, and the fewest labels that look like phones."""
FEWEST_STRANGE = 3
"""Fewer words on a side do not show that it has nothing in common with the other."""
FEATURES = lazy_pattern(
    r"(?<![ \t\n])[ \t\n]*\{[ \t]*\"[^\"{}]{1,80}\"[ \t]*=[^{}]{0,5000}\}[ \t\n]*\Z"
)
"""Features behind the text of a label, as scripts for Praat write them."""
UNPLACED = TierLabel(None, None, "", None)


def is_blank(text: str) -> bool:
    """Return True if a label is empty."""
    return not text.strip(BLANKS)


def words_of(text: str) -> list[str]:
    """Return the words of a label, separated by blanks or line ends."""
    return split_words(text.replace("\n", " ") if "\n" in text else text)


def one_line(text: str) -> str:
    """Strip outer blanks from a label, and replace its line ends by blanks."""
    text = text.strip(BLANKS)
    return text.replace("\n", " ") if "\n" in text else text


def segments_of_tiers(
    source: Source,
    recording: str,
    tiers: Sequence[Tier],
    rules: TierRules,
    *,
    keep_empty: bool = False,
    single_is_speaker: bool = False,
) -> Iterator[Segment]:
    """Yield the segments of all tiers of a recording.

    With `keep_empty`, labels without text become events.
    """
    _drop_features(source, tiers)
    roles = rules.roles(tiers, single_is_speaker=single_is_speaker)
    if pauses := _pauses_of(tiers):
        for tier, role in zip(tiers, roles, strict=True):
            if role.kind in ("word", "segment"):
                tier.labels = [_without_pause(label, pauses) for label in tier.labels]
    _drop_silences(source, tiers, roles)
    owners = _owners(tiers, roles)
    named = _tiers_of_turns(tiers, roles)
    is_beside = sum(role.kind in ("segment", "word") for role in roles) > 1
    reader = _TierReader(
        source, recording, rules, named, keep_empty=keep_empty, is_beside=is_beside
    )
    _warn_of_levels(source, tiers, roles, owners, rules)
    _say_shared_speakers(source, tiers, roles, rules)
    words: dict[int, list[list[TierLabel]]] = {}
    for owner in dict.fromkeys(owners.values()):
        members = [n for n, of in owners.items() if of == owner]
        words[owner], loose = _shared_out(tiers[owner].labels, [tiers[n].labels for n in members])
        for label in _take_strange(tiers[owner].labels, words[owner], loose[0]):
            fields = {"tier": tiers[owner].name, "words": tiers[members[0]].name}
            source.log.say(TIER_TEXT, label.line, **fields)
        reader.loose.update(zip(members, loose, strict=True))
        spoken = [label for labels in loose for label in labels if not is_blank(label.text)]
        if spoken and any(words[owner]):
            source.log.say(
                TIER_WORDS,
                spoken[0].line,
                words=len(spoken),
                tier=tiers[members[0]].name,
                owner=tiers[owner].name,
            )
    for index, (tier, role) in enumerate(zip(tiers, roles, strict=True)):
        yield from reader.segments(index, tier, role, words.get(index))


def _tiers_of_turns(tiers: Sequence[Tier], roles: Sequence[Role]) -> frozenset[str]:
    """Return the names of all tiers of speech if every label is the name of its tier.

    Such labels show who speaks, not words. If there is any other label, or a tier without a
    speaker, return no names.
    """
    spoken = [t for t, role in zip(tiers, roles, strict=True) if role.kind in ("segment", "word")]
    named = [role.speaker is not None for role in roles if role.kind in ("segment", "word")]
    for tier in spoken:
        names = ("", tier.name)
        texts = (label.text.strip(BLANKS) for label in tier.labels)
        if len(tier.name) < 2 or any(text not in names for text in texts):
            return frozenset()
    return frozenset(tier.name for tier in spoken if tier.labels) if all(named) else frozenset()


def _drop_features(source: Source, tiers: Sequence[Tier]) -> None:
    """Remove features in braces from the ends of labels: ``so{ "dur" = "0.2" }``."""
    names: list[str] = []
    count, line, text = 0, None, ""
    for tier in tiers:
        featured = [
            n
            for n, label in enumerate(tier.labels)
            if "{" in label.text and FEATURES.search(label.text)
        ]
        for n in featured:
            label = tier.labels[n]
            if not count:
                line, text = label.line, label.text
            count += 1
            tier.labels[n] = label._replace(text=FEATURES.sub("", label.text))
        names += [tier.name] if featured else []
    if count:
        source.log.say(TIER_FEATURES, line, labels=count, tiers=names, text=text)


def _drop_silences(source: Source, tiers: Sequence[Tier], roles: Sequence[Role]) -> None:
    """Remove the text of labels that mean silence, in tiers or files that have other labels."""
    spoken = [tier for tier, role in zip(tiers, roles, strict=True) if role.kind in SPOKEN]
    has_words = any(not (is_blank(x.text) or is_silence(x.text)) for t in spoken for x in t.labels)
    for tier, role in zip(tiers, roles, strict=True):
        pauses = [label for label in tier.labels if is_silence(label.text)]
        if role.kind not in SPOKEN or not pauses or not has_words:
            continue
        tier.labels = [
            label._replace(text="") if is_silence(label.text) else label for label in tier.labels
        ]
        names = list(dict.fromkeys(label.text.strip(BLANKS) for label in pauses))
        fields = {"labels": len(pauses), "tier": tier.name, "names": names}
        source.log.say(TIER_SILENCE, pauses[0].line, **fields)


def _pauses_of(tiers: Sequence[Tier]) -> frozenset[str]:
    """Return the labels that mean a pause to the aligner that wrote a file."""
    if any(SYLLABLES.fullmatch(tier.name) for tier in tiers):
        return frozenset((PAUSE,))
    return SPPAS_PAUSES if any(tier.name in SPPAS_TIERS for tier in tiers) else frozenset()


def _without_pause(label: TierLabel, pauses: frozenset[str]) -> TierLabel:
    return label._replace(text="") if label.text.strip(BLANKS) in pauses else label


def _owners(tiers: Sequence[Tier], roles: Sequence[Role]) -> dict[int, int]:
    """Map the index of each tier of words to the index of its tier of utterances."""
    utterances = [n for n, role in enumerate(roles) if role.kind == "segment"]
    by_name = {tiers[n].name: n for n in utterances}
    by_speaker: dict[str | None, list[int]] = {}
    names = {tier.name for tier in tiers}
    for n in utterances:
        base = unnumbered(tiers[n].name)
        if not tiers[n].is_points and (base == tiers[n].name or base not in names):
            by_speaker.setdefault(roles[n].speaker, []).append(n)
    owners: dict[int, int] = {}
    doubtful: dict[int, list[int]] = {}
    further: dict[int, int] = {}
    words = {tier.name: n for n, tier in enumerate(tiers) if roles[n].kind == "word"}
    for n, (tier, role) in enumerate(zip(tiers, roles, strict=True)):
        if role.kind != "word":
            continue
        if (first := words.get(unnumbered(tier.name), n)) != n:
            further[n] = first
            continue
        base = unnumbered(tier.name)
        utterance_name = "segments" if base == "words" else base.rpartition(" - ")[0]
        named = by_name.get(tier.parent or utterance_name)
        same = by_speaker.get(role.speaker, [])
        if len(same) > 1 and split_name(tier.name)[0] is None:
            # ``words`` goes with ``utterances`` and not with a tier of some other name.
            same = [n for n in same if split_name(tiers[n].name)[0] is None]
        if named is not None and named not in owners.values():
            owners[n] = named
        elif named is None and len(same) == 1 and not tier.has_lost_parent:
            doubtful.setdefault(same[0], []).append(n)
    for owner, candidates in doubtful.items():
        if len(candidates) == 1 and owner not in owners.values():
            owners[candidates[0]] = owner
    for n, first in further.items():
        if first in owners:
            owners[n] = owners[first]
    return owners


def _warn_of_levels(
    source: Source,
    tiers: Sequence[Tier],
    roles: Sequence[Role],
    owners: dict[int, int],
    rules: TierRules,
) -> None:
    """Warn about speech that is read twice (from two tiers), and about tiers read as events."""
    has_utterances = any(role.kind == "segment" for role in roles)
    for n, (tier, role) in enumerate(zip(tiers, roles, strict=True)):
        if rules.mapped_kind(tier.name) is not None or not tier.labels:
            continue
        if role.kind == "word" and has_utterances and n not in owners:
            source.log.say(TIER_LEVELS, tier.labels[0].line, tier=tier.name)
        elif role.kind == "event" and not tier.is_points and guess_kind(tier.name) != "event":
            line = tier.labels[0].line
            if role.is_code:
                source.log.say(TIER_LAYER_CODES, line, tier=tier.name, text=_first_text(tier))
            elif role.words is not None:
                source.log.say(TIER_LAYER_WORDS, line, tier=tier.name, words=role.words)
            elif is_about_speech(tier.name) or (tier.parent is None and is_no_speech(tier.name)):
                source.log.say(TIER_LAYER_NAMED, line, tier=tier.name)
            elif tier.parent is None:
                source.log.say(TIER_LAYER, line, tier=tier.name)
            else:
                source.log.say(TIER_LAYER_ABOVE, line, tier=tier.name, parent=tier.parent)


def _say_shared_speakers(
    source: Source, tiers: Sequence[Tier], roles: Sequence[Role], rules: TierRules
) -> None:
    """Report several tiers of one participant that are all read as speech."""
    shared: dict[str, list[Tier]] = {}
    names = {tier.name for tier in tiers}
    for tier, role in zip(tiers, roles, strict=True):
        is_first = unnumbered(tier.name) == tier.name or unnumbered(tier.name) not in names
        if role.kind == "segment" and tier.participant and tier.labels and is_first:
            shared.setdefault(tier.participant, []).append(tier)
    for speaker, theirs in shared.items():
        unmapped = [tier for tier in theirs if rules.mapped_kind(tier.name) is None]
        if len(theirs) > 1 and unmapped:
            listed = [tier.name for tier in theirs]
            line = unmapped[-1].labels[0].line
            source.log.say(
                TIER_SPEAKER, line, tiers=listed, speaker=speaker, tier=unmapped[-1].name
            )


def _first_text(tier: Tier) -> str:
    return next((label.text.strip() for label in tier.labels if label.text.strip()), "")


def _shared_out(
    utterances: Sequence[TierLabel], tiers: Sequence[Sequence[TierLabel]]
) -> tuple[list[list[TierLabel]], list[list[TierLabel]]]:
    """Assign the words of several tiers to utterances by time."""
    spans = sorted(
        (label.start_ns, label.end_ns, number)
        for number, label in enumerate(utterances)
        if label.start_ns is not None and label.end_ns is not None and not is_blank(label.text)
    )
    starts = [span[0] for span in spans]
    shares: list[list[TierLabel]] = [[] for _ in utterances]
    loose: list[list[TierLabel]] = []
    for words in tiers:
        loose.append([])
        for word in words:
            start, end, text = word.start_ns, word.end_ns, word.text
            owner = None
            if start is not None and end is not None and text.strip(BLANKS):
                last = bisect_right(starts, start) - 1
                # One further back: the word may begin where an utterance without length stands.
                if last >= 0 and spans[last][1] >= end:
                    owner = spans[last][2]
                elif last > 0 and spans[last - 1][1] >= end:
                    owner = spans[last - 1][2]
            (loose[-1] if owner is None else shares[owner]).append(word)
    if len(tiers) > 1:
        for share in shares:
            share.sort(key=lambda label: (label.start_ns or 0, label.end_ns or 0))
    return shares, loose


def _take_strange(
    utterances: Sequence[TierLabel], shares: list[list[TierLabel]], loose: list[TierLabel]
) -> Iterator[TierLabel]:
    """Yield each utterance whose text shares no word with the words assigned to it.

    The words assigned to such an utterance are moved from `shares` to `loose`.
    """
    for number, (label, share) in enumerate(zip(utterances, shares, strict=True)):
        # as of almost all: looking at letters takes a third of the time of a file
        if " ".join([word.text for word in share]) == label.text:
            continue
        text, labelled = _bare_words(label.text), [w for o in share for w in _bare_words(o.text)]
        if min(len(text), len(labelled)) >= FEWEST_STRANGE:
            whole, joined = "".join(text), "".join(labelled)
            if not any(w in joined for w in text) and not any(w in whole for w in labelled):
                loose += share
                shares[number] = []
                yield label


def _bare_words(text: str) -> list[str]:
    """Split a label into words in lower case; keep only letters and digits."""
    words = ("".join(filter(str.isalnum, word)) for word in words_of(text.casefold()))
    return list(filter(None, words))


def owned_columns(
    text: Sequence[str], labelled: Sequence[str]
) -> tuple[list[str], list[int | None], list[str | None] | None] | None:
    """Return an utterance's words, their positions in `labelled`, and their display forms.

    `text` has the words of the utterance itself, `labelled` those of its tier of words. A word of
    `text` that is not in `labelled` has the position `None`. Return `None` if the two differ too
    much.
    """
    if " ".join(labelled) == " ".join(text):
        return list(labelled), list(range(len(labelled))), None
    places: list[int | None] = []
    done = 0
    for word in text:
        if done < len(labelled) and labelled[done] == word:
            places.append(done)
            done += 1
        else:
            places.append(None)
    if done == len(labelled):
        return list(text), places, None
    if len(text) == len(labelled):
        pairs = zip(text, labelled, strict=True)
        displays = [None if shown == word else shown for shown, word in pairs]
        return list(labelled), list(range(len(labelled))), displays
    return None


class _TierReader:
    """Converts the labels of a recording's tiers to segments."""

    def __init__(
        self,
        source: Source,
        recording: str,
        rules: TierRules,
        named: frozenset[str],
        *,
        keep_empty: bool,
        is_beside: bool,
    ) -> None:
        self.source = source
        self.rules = rules
        self.named = named
        self.recording = recording
        self.keep_empty = keep_empty
        self.is_beside = is_beside
        self.loose: dict[int, list[TierLabel]] = {}

    def segments(
        self, index: int, tier: Tier, role: Role, words: list[list[TierLabel]] | None
    ) -> Iterator[Segment]:
        if role.kind == "skip":
            if tier.labels:
                count = sum(1 for label in tier.labels if not is_blank(label.text))
                self.source.log.say(TIER_SKIPPED, tier.labels[0].line, tier=tier.name, labels=count)
        elif role.kind == "word":
            yield from self._run(self.loose.get(index, tier.labels), tier, role)
        elif role.kind == "segment":
            yield from self._utterances(tier, role, words)
        else:
            kind = "ignored" if role.kind == "ignored" else "event"
            for label in tier.labels:
                text = words_of(label.text)
                if tier.is_points or text:
                    yield self._plain(label, tier, role, kind, text)
                elif self.keep_empty:
                    yield self._plain(label, tier, role, "event")

    def _plain(
        self, label: TierLabel, tier: Tier, role: Role, kind: str, words: Sequence[str] = ()
    ) -> Segment:
        return Segment(
            self.recording, tuple(words), speaker=role.speaker, start_ns=label.start_ns,
            end_ns=label.end_ns, tier=tier.name,
            properties=(("time_source", "interpolated"),) if label.is_interpolated else (),
            kind=kind, line=label.line,
        )  # fmt: skip

    def _run(self, labels: Sequence[TierLabel], tier: Tier, role: Role) -> Iterator[Segment]:
        """Yield the words of a tier that are outside all utterances, as a segment without times."""
        spoken = [label for label in labels if not is_blank(label.text)]
        if spoken:
            yield Segment(
                self.recording, tuple(one_line(label.text) for label in spoken),
                speaker=role.speaker, tier=tier.name, line=spoken[0].line, **_times_of(spoken),
            )  # fmt: skip
        if self.keep_empty:
            for label in labels:
                if is_blank(label.text):
                    yield self._plain(label, tier, role, "event")

    def _utterances(
        self, tier: Tier, role: Role, words: list[list[TierLabel]] | None
    ) -> Iterator[Segment]:
        is_named = tier.name in self.named
        if is_named:
            self.source.log.say(TIER_TURNS, tier.labels[0].line, tier=tier.name)
        elif not self.rules.mapped_kind(tier.name):
            if words is None:
                self._say_classes(tier)
            self._say_signs(tier)
        for number, label in enumerate(tier.labels):
            if text := words_of(label.text):
                text = [] if is_named else text
                segment = self._plain(label, tier, role, "segment", text)
                owned = words[number] if words is not None else None
                yield self._with_words(segment, tier, owned) if owned else segment
            elif self.keep_empty:
                yield self._plain(label, tier, role, "event")

    def _say_classes(self, tier: Tier) -> None:
        """Warn if the labels of a tier look like names of classes."""
        texts = [label.text for label in tier.labels]
        labels, classes = classes_of(texts, least=BESIDE_SPEECH if self.is_beside else 0)
        if classes:
            self.source.log.say(
                TIER_CLASSES,
                tier.labels[0].line,
                labels=labels,
                tier=tier.name,
                classes=len(classes),
                names=classes[:4],
            )

    def _say_signs(self, tier: Tier) -> None:
        """Warn if the labels of a tier are as short as phones.

        These are labels of one character beside other speech, or several labels of up to three.
        """
        texts = list(filter(None, (label.text.strip(BLANKS) for label in tier.labels)))
        longest = max(map(len, texts), default=0)
        are_signs = longest == 1 and len(texts) > 1 and self.is_beside
        are_phones = longest <= LONGEST_PHONE and len(texts) >= FEWEST_PHONES
        if (are_signs or are_phones) and all(map(str.isascii, texts)):
            fields = {"labels": len(texts), "tier": tier.name, "longest": longest}
            self.source.log.say(TIER_SIGNS, tier.labels[0].line, **fields)

    def _with_words(self, segment: Segment, tier: Tier, owned: Sequence[TierLabel]) -> Segment:
        texts = [label.text for label in owned]
        labelled = [text if text.isalnum() else one_line(text) for text in texts]
        fitted = owned_columns(segment.words, labelled)
        changes: dict[str, object] = {}
        if fitted is None:
            self.source.log.say(
                TIER_WORDS_DIFFER,
                segment.line,
                tier=tier.name,
                words=len(segment.words),
                found=len(labelled),
            )
            text = (("text", " ".join(segment.words)),)
            changes["properties"] = tuple(sorted(segment.properties + text))
            fitted = labelled, list(range(len(labelled))), None
        spoken, places, displays = fitted
        placed = (
            owned if None not in places else [UNPLACED if n is None else owned[n] for n in places]
        )
        return segment.replace(
            words=tuple(spoken), displays=None if displays is None else tuple(displays),
            **_times_of(placed), **changes,
        )  # fmt: skip


def _times_of(labels: Sequence[TierLabel]) -> dict[str, Any]:
    """Return columns of word times as arguments of `Segment`."""
    interpolated = tuple(label.is_interpolated for label in labels)
    return {
        "starts_ns": tuple(label.start_ns for label in labels),
        "ends_ns": tuple(label.end_ns for label in labels),
        "interpolated": interpolated if any(interpolated) else None,
    }
