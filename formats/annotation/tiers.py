"""Tiers of annotation files, and their kinds and speakers, which follow from their names.

In Praat's TextGrid and ELAN's EAF, only the name of a tier shows its content. The following rules
apply to both formats.

*Kind.* A tier map such as ``words=word,phon*=phone,*=segment`` decides: the first match applies
(``*`` and ``?`` as in file names, case-sensitive). Otherwise the name decides:

=========  ====================================================================================
kind       by default, names that
=========  ====================================================================================
word       contain ``word``, ``wrd`` or ``tok``, in any case: one word per interval
phone      contain ``phon`` or ``segment phone``, or are ``syll``: kept as events, since they are
           not words
event      are or end in ``events``, ``noises``, ``nonspeech``, ``silences``; every tier of points
           (except ``name#points``, which has the kind of ``name``); ``spk`` or ``speaker``, which
           hold names of speakers, if the name of another tier means words or utterances
ignored    (only by map) regions not to be scored
skip       (only by map) dropped
segment    anything else: utterances
=========  ====================================================================================

*Layers.* If tiers have parents, as in ELAN, one tier of each family has utterances: the tier whose
name or type means utterances or, if there is none, the tier at the top. A dependent tier holds
words if its name or type means words. All other dependent tiers (glosses, translations, parts of
speech, codes) are annotations: they are kept as events.

A tier also annotates the words of another tier, and is kept as events, if most of its intervals are
those of the words but its labels are not (``KAN-MAU``, parts of speech), or if it divides the words
into parts (a tier ``segment`` of phones). Names that aligners write (BAS WebMAUS: ``ORT-MAU``,
``KAN-MAU``, ``MAU``; SPPAS: ``TokensAlign``, ``SyllAlign``, ``IPUs``) mean what they mean there.

*Content.* Beside speech, a tier is kept as events if its labels are numbers or assignments
(``state=true``). So is a tier of vowels or stress whose labels have one or two characters.

*Speaker.* The name of a tier has one of three forms: a level (``words``, ``phones``,
``utterances``, ``events``, …), without a speaker; a speaker and a level (``anne - words``,
``words_anne``, ``tx@anne``, ``anne-turns``); or a plain name (``anne``). A plain name is a speaker
only if several tiers of speech have plain names. ``name#2`` is an additional tier of ``name``; so
is ``name#points``, for points in time.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from formats.detection.spec import Option
from formats.reading.silence import is_silence
from formats.schema import lazy_pattern
from formats.schema.errors import OptionError, quoted
from formats.schema.values import NamedFields

TIER_KINDS = ("word", "segment", "phone", "event", "ignored", "skip")
TIER_OPTIONS = (
    Option(
        "tier_map",
        "",
        "what each tier contains, as NAME=KIND, for example words=word,phon*=phone,notes=skip",
    ),
    Option(
        "speaker_from",
        "auto",
        "source of the speakers: auto (by rules), tier (names of tiers), none, or patterns "
        "with * for "
        "the speaker, such as '* - words,words_*'",
    ),
)
KEEP_EMPTY = Option(
    "keep_empty", False, "read intervals without text as events; by default they are dropped"
)
# What a file of one recording holds whose tiers have speakers and intervals of times.
TIERED = (
    *("words", "recordings", "speakers", "segment times", "word times", "tiers", "events"),
    *("segment boundaries",),
)

_WORD = r"words?|wrds?|tok(?:en)?s?"
_PHONE = r"phon(?:e|eme)?s?|syll(?:able)?s?"
_EVENT = r"events?|noises?|nonspeech|silences?"
_SEGMENT = (
    r"segments?|utterances?|turns?|sentences?|phrases?|transcripts?|transcriptions?|text|tx|ortho"
)
LEVEL = lazy_pattern(f"(?:({_WORD})|({_PHONE})|({_EVENT})|({_SEGMENT}))", re.IGNORECASE)
SPOKEN = ("word", "segment")
SPEECH_LEVELS = ((None, "word"), (None, "segment"))
LEVEL_KINDS = ("word", "phone", "event", "segment")
PREFIX = lazy_pattern(f"(?:({_WORD})|({_PHONE}))_(.+)", re.IGNORECASE | re.DOTALL)
SAYS_WORD = lazy_pattern("word|wrd|tok", re.IGNORECASE)
SAYS_PHONE = lazy_pattern("phon|seg.?ment.?phone", re.IGNORECASE)
SYLLABLES = lazy_pattern("syll(?:able)?s?", re.IGNORECASE)
SPEAKER_NAMES = lazy_pattern("spk|speakers?", re.IGNORECASE)
SAYS_NO_SPEECH = lazy_pattern("gestur|gaze|gloss|translat|comment|part.?of.?speech", re.IGNORECASE)
ABOUT_SPEECH = lazy_pattern(
    r"intonation(?:al)?|intermediate|accents?|foot|feet|tones?|breaks?|prosody|stress|ipa"
    r"|.*pron(?:unciations?)?|(?:tonic|stressed|accented)[ _-]?(?:syllables?|vowels?)|vowels?"
    r"|(?:pos|stts|morph)(?:[ _-]?tags?)?|lemmas?|morph(?:eme|olog)\w*|gloss(?:es)?|tags?"
    r"|errors?|notes?|remarks?|comments?|misc(?:ellaneous)?|mute"
    r"|inf(?:ormation|o)?[ _-]?(?:struct|status)\w*",
    re.IGNORECASE,
)
"""Names of tiers of prosody, pronunciation, grammar and notes: no speech beside words."""
TURNS_OF = lazy_pattern(r"(.*[^\W_])[-_](?:turns?|utterances?|utts?)", re.IGNORECASE | re.DOTALL)
ALIGNER_NAMES = (
    {
        **dict.fromkeys(("ORT", "ORT-MAU"), "words"),
        "TRN": "utterances",
        **dict.fromkeys(
            ("KAN", "KAN-MAU", "KAS", "KAS-MAU", "KSS", "MAU", "MAS", "PHO", "SAP"), "phones"
        ),
    },
    {
        "TokensAlign": "words",
        **dict.fromkeys(("Transcription", "IPUs"), "utterances"),
        **dict.fromkeys(("PhonAlign", "Phones", "Tokens"), "phones"),
        **dict.fromkeys(("SyllAlign", "SyllClassAlign", "SyllStructAlign"), "phones"),
    },
)
"""Names of tiers by BAS WebMAUS and by SPPAS, and the levels that they mean."""
FEWEST_OF_ALIGNER = 2
FEWEST_OF_LAYER, SHARE_OF_LAYER, PARTS_OF_WORDS = 2, 0.9, 1.2
FEWEST_OF_TIMES, SHARE_OF_WORDS, ROUNDED = 3, 0.8, 2_000_000
"""The fewest labels, the share with equal words, and the nanoseconds by which times may differ."""
FEWEST_CODES, LONGEST_SIGN = 5, 2
"""Labels of a tier of codes, and characters of a sign in a tier of vowels or stress."""
CODE = lazy_pattern(
    r"\A\s*[-+]?[0-9]+(?:[.,:][0-9]+)*\s*(?:%\s*)?\Z"
    r"|\b[A-Za-z_]\w{1,40}=(?:true|false|null|none|-?[0-9]|\")"
    r"|\b[A-Za-z_]\w{1,40}=\w{1,60}[,;] ?[A-Za-z_]\w{1,40}=|://"
)
"""A number alone, and assignments: ``state=true``, ``x=a, y=b``."""
NO_SPEECH = lazy_pattern(
    r"(?:.*[\W_])?(?:gest(?:en?|ures?)|gaze|blick(?:richtung)?|comments?|translations?"
    r"|(?:k|c)ategor(?:y|ies|ien?))(?:[\W_].*)?",
    re.IGNORECASE | re.DOTALL,
)
"""Names of tiers of gestures, translations and categories, which are not speech beside others."""
POINTS = "#points"
FURTHER = lazy_pattern(r"[2-9]|[1-9][0-9]+|points")


class TierLabel(NamedFields, is_numerous=True):
    """An interval or point of a tier; times are in nanoseconds, or `None` if missing."""

    start_ns: int | None
    end_ns: int | None
    text: str
    line: int | None
    is_interpolated: bool = False


@dataclass(slots=True)
class Tier:
    """A tier of a file. `level` is a second name that may show its kind, such as ELAN's type."""

    name: str
    labels: list[TierLabel] = field(default_factory=list)
    is_points: bool = False
    participant: str | None = None
    parent: str | None = None
    level: str | None = None
    has_lost_parent: bool = False
    """True if the file names a parent that it does not have."""


class Role(NamedTuple):
    """What a tier contains: its kind (one of `TIER_KINDS`), and its speaker or `None`."""

    kind: str
    speaker: str | None
    words: str | None = None
    """The tier whose words it describes, if its intervals show this."""
    is_code: bool = False
    """True if its labels are numbers or assignments."""


def split_name(name: str) -> tuple[str | None, str | None]:
    """Return the speaker and the kind in a tier name such as ``anne - words``.

    A missing speaker or kind is `None`.
    """
    if level := LEVEL.fullmatch(name):
        return None, LEVEL_KINDS[(level.lastindex or 1) - 1]
    speaker, hyphen, tail = name.rpartition(" - ")
    if hyphen and speaker and (level := LEVEL.fullmatch(tail)):
        return _without_level(speaker), LEVEL_KINDS[(level.lastindex or 1) - 1]
    head, sign, tail = name.partition("@")
    if sign and tail and (level := LEVEL.fullmatch(head)):
        return tail, LEVEL_KINDS[(level.lastindex or 1) - 1]
    if prefix := PREFIX.fullmatch(name):
        return prefix[3], LEVEL_KINDS[0 if prefix[1] else 1]
    if turns := TURNS_OF.fullmatch(name):
        return turns[1], "segment"
    return name, None


def is_no_speech(name: str) -> bool:
    """Return True if a name means a tier of gestures, translations or categories."""
    return split_name(unnumbered(name))[1] is None and NO_SPEECH.fullmatch(name) is not None


def is_about_speech(name: str) -> bool:
    """Return True if a name means a tier of prosody or grammar: ``tones``, ``[pos]``."""
    bare = unnumbered(name).strip()
    bare = bare[1:-1] if bare[:1] + bare[-1:] == "[]" else bare
    return ABOUT_SPEECH.fullmatch(bare) is not None


def _without_level(name: str) -> str | None:
    """Return the speaker in the name of a tier: the part before `` - utterances``.

    Return a name without a level unchanged, and `None` if the name is only a level.
    """
    speaker, hyphen, tail = name.rpartition(" - ")
    if LEVEL.fullmatch(tail):
        return speaker if hyphen and speaker else None
    return name


def unnumbered(name: str) -> str:
    """Remove ``#2`` or ``#points``, which mark additional tiers, from the name of a tier."""
    end = len(name)
    while (mark := name.rfind("#", 0, end)) > 0 and FURTHER.fullmatch(name, mark + 1, end):
        end = mark
    return name[:end]


def guess_kind(name: str) -> str:
    """Return the kind of an interval tier, guessed from its name."""
    name = unnumbered(name)
    level = split_name(name)[1]
    if level is not None:
        return level
    if SAYS_WORD.search(name):
        return "word"
    return "phone" if SAYS_PHONE.search(name) else "segment"


class TierRules:
    """A tier map and a speaker rule, parsed from the options in `TIER_OPTIONS`."""

    def __init__(self, tier_map: str = "", speaker_from: str = "auto") -> None:
        self._pairs = [_pair(part) for part in tier_map.split(",") if part.strip()]
        self._speaker_from = speaker_from
        named = ("auto", "tier", "none")
        self._patterns = [
            _speaker_pattern(part)
            for part in (() if speaker_from in named else speaker_from.split(","))
        ]

    def mapped_kind(self, name: str) -> str | None:
        """Return the kind that the tier map gives for a tier name, or `None`."""
        return next((kind for fits, kind in self._pairs if fits(name)), None)

    def kind(self, tier: Tier) -> str:
        """Return the kind of a tier.

        For a tier of points, the map only decides whether it is skipped.
        """
        mapped = self.mapped_kind(tier.name)
        if tier.is_points and mapped not in ("skip", "ignored"):
            is_further = tier.name.endswith(POINTS)
            return guess_kind(tier.name) if is_further and mapped is None else "event"
        if mapped is not None:
            return mapped
        guess = guess_kind(tier.name)
        if guess == "segment" and tier.level is not None:
            names = (tier.level,) if tier.parent is None else (tier.level, tier.name)
            if any(map(SAYS_NO_SPEECH.search, names)):
                return "event"
            if guess_kind(tier.level) == "word":
                return "word"
        return guess

    def roles(self, tiers: Sequence[Tier], *, single_is_speaker: bool = False) -> list[Role]:
        """Return the kind and the speaker of each tier.

        With `single_is_speaker`, a plain name such as ``anne`` may be a speaker even if no other
        tier has a plain name.
        """
        names = _level_names(tiers)
        given, tiers = (
            tiers,
            [
                dataclasses.replace(tier, name=names.get(tier.name, tier.name))
                if self.mapped_kind(tier.name) is None
                else tier
                for tier in tiers
            ],
        )
        kinds = [self.kind(tier) for tier in tiers]
        has_levels = any(split_name(tier.name) in SPEECH_LEVELS for tier in tiers)
        for n, tier in enumerate(tiers):
            if has_levels and SPEAKER_NAMES.fullmatch(tier.name) and kinds[n] == "segment":
                kinds[n] = "event" if self.mapped_kind(tier.name) is None else kinds[n]
        has_words = any(kind == "word" and t.labels for t, kind in zip(tiers, kinds, strict=True))
        for n, tier in enumerate(tiers):
            if (
                is_about_speech(tier.name)
                and (has_words or has_levels)
                and self.mapped_kind(tier.name) is None
            ):
                kinds[n] = "event"
        if any(
            kind in SPOKEN and not is_no_speech(t.name)
            for t, kind in zip(tiers, kinds, strict=True)
        ):
            for n, tier in enumerate(tiers):
                is_unmapped = self.mapped_kind(given[n].name) is None
                if kinds[n] == "segment" and is_no_speech(tier.name) and is_unmapped:
                    kinds[n] = "event"
        for n in layers(tiers, kinds):
            if self.mapped_kind(tiers[n].name) is None:
                kinds[n] = "event"
        owners = words_by_content(tiers, kinds)
        for n, owner in owners.items():
            if self.mapped_kind(given[n].name) is None:
                kinds[n] = "word"
                name = "words" if len(owners) == 1 else f"{tiers[owner].name} - words"
                tiers[n] = dataclasses.replace(tiers[n], name=name)
        described = {
            n: given[word].name
            for n, word in (*layers_of_words(tiers, kinds), *layers_of_utterances(tiers, kinds))
            if self.mapped_kind(given[n].name) is None
        }
        for n in described:
            kinds[n] = "event"
        codes = {n for n in _codes(tiers, kinds) if self.mapped_kind(given[n].name) is None}
        for n in codes:
            kinds[n] = "event"
        if self._speaker_from == "auto":
            speakers = _speakers(tiers, kinds, single_is_speaker)
        else:
            speakers = [self._asked_speaker(tier.name) for tier in given]
        pairs = enumerate(zip(kinds, speakers, strict=True))
        return [Role(kind, who, described.get(n), n in codes) for n, (kind, who) in pairs]

    def _asked_speaker(self, name: str) -> str | None:
        if self._speaker_from == "none":
            return None
        if self._speaker_from == "tier":
            return name
        for pattern in self._patterns:
            if match := pattern.fullmatch(name):
                return match[1]
        return None


def _level_names(tiers: Sequence[Tier]) -> dict[str, str]:
    """Return the levels that the names of tiers mean if an aligner wrote several of them."""
    found: dict[str, str] = {}
    for names in ALIGNER_NAMES:
        levels = {tier.name: names[tier.name] for tier in tiers if tier.name in names}
        if len(levels) >= FEWEST_OF_ALIGNER:
            found.update(levels)
    if "Transcription" in found and "IPUs" in found:
        found["IPUs"] = "phones"  # names of the stretches that Transcription has in words
    return found


def layers_of_words(tiers: Sequence[Tier], kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the index of each tier that describes the words of another, and the other's index."""
    plain = [n for n, tier in enumerate(tiers) if kinds[n] == "segment" and not tier.is_points]
    layers = {n: labels for n in plain if len(labels := _filled(tiers[n])) >= FEWEST_OF_LAYER}
    words = [n for n, kind in enumerate(kinds) if kind == "word" and layers]
    spans = {n: {(x.start_ns, x.end_ns): x.text for x in _filled(tiers[n])} for n in words}
    for n, labels in layers.items():
        word = next((w for w in words if _describe_words(tiers[n].name, labels, spans[w])), None)
        if word is not None:
            yield n, word


def words_by_content(tiers: Sequence[Tier], kinds: Sequence[str]) -> dict[int, int]:
    """Return the index of each tier that has the words of another, and the other's index."""
    plain = [n for n, tier in enumerate(tiers) if kinds[n] == "segment" and not tier.is_points]
    if len(plain) < 2 or "word" in kinds:
        return {}
    pairs = ((n, other) for n in plain for other in plain if other != n)
    return {n: other for n, other in pairs if _has_words_of(tiers[n], tiers[other])}


def _has_words_of(words: Tier, utterances: Tier) -> bool:
    """Return True if the labels of a tier are, in order, the words of another tier."""
    labels, texts = _filled(words), _filled(utterances)
    is_finer = len(labels) > PARTS_OF_WORDS * len(texts) >= PARTS_OF_WORDS * FEWEST_OF_TIMES
    if not is_finer or any(" " in label.text.strip() for label in labels[:FEWEST_CODES]):
        return False
    labels.sort(key=lambda label: label.start_ns or 0)
    starts = [label.start_ns or 0 for label in labels]
    same = 0
    for count, text in enumerate(texts, 1):
        first = bisect_left(starts, (text.start_ns or 0) - ROUNDED)
        last = bisect_left(starts, (text.end_ns or 0) - ROUNDED)
        inside = "".join([_letters(label.text) for label in labels[first:last]])
        same += inside == _letters(text.text)
        if same < SHARE_OF_WORDS * count - 1:
            return False
    return same >= SHARE_OF_WORDS * len(texts)


def layers_of_utterances(tiers: Sequence[Tier], kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the index of each tier with the times of utterances and other texts, and theirs.

    The tier of utterances has a name that says so, and the other, a translation or a comment, none.
    """
    plain = [n for n, tier in enumerate(tiers) if kinds[n] == "segment" and not tier.is_points]
    has_level = {n: split_name(unnumbered(tiers[n].name))[1] == "segment" for n in plain}
    spoken = {
        (label.start_ns, label.end_ns): (label.text, n)
        for n in plain
        if has_level[n]
        for label in (_filled(tiers[n]) if not all(has_level.values()) else ())
    }
    for n in plain if spoken else ():
        labels = _filled(tiers[n]) if not has_level[n] else []
        same = [spoken[span] for x in labels if (span := (x.start_ns, x.end_ns)) in spoken]
        texts = {_letters(text) for text, _ in same}
        equal = sum(_letters(label.text) in texts for label in labels)
        if len(same) >= max(FEWEST_OF_TIMES, SHARE_OF_LAYER * len(labels)) and 2 * equal <= len(
            same
        ):
            yield n, same[0][1]


def _describe_words(
    name: str, labels: Sequence[TierLabel], spans: Mapping[tuple[int | None, int | None], str]
) -> bool:
    """Return True if each label of a tier describes a word, or a part of one; `spans` are words."""
    if not spans:
        return False
    same = [label for label in labels if (label.start_ns, label.end_ns) in spans]
    if len(same) >= SHARE_OF_LAYER * len(labels):
        is_named = split_name(unnumbered(name))[1] is not None
        equal = sum(
            _letters(label.text) == _letters(spans[label.start_ns, label.end_ns]) for label in same
        )
        return not is_named and 2 * equal <= len(same)
    is_finer = len(labels) > PARTS_OF_WORDS * len(spans)
    if not is_finer or any(" " in label.text.strip() for label in labels):
        return False
    ordered = sorted((start, end) for start, end in spans if start is not None and end is not None)
    starts = [start for start, _ in ordered]
    inside = 0
    for label in labels:
        place = bisect_right(starts, label.start_ns or 0) - 1
        inside += place >= 0 and (label.end_ns or 0) <= ordered[place][1]
    return inside >= SHARE_OF_LAYER * len(labels)


def _codes(tiers: Sequence[Tier], kinds: Sequence[str]) -> list[int]:
    """Return the indices of tiers of numbers or assignments beside tiers of speech.

    Tiers of vowels and the like are none either if their labels are one or two characters.
    """
    spoken = [n for n, kind in enumerate(kinds) if kind in SPOKEN]
    codes = [n for n in spoken if kinds[n] == "segment" and _are_codes(tiers[n])]
    is_beside = any(_has_text(tiers[n]) for n in spoken if n not in codes) if codes else False
    signs = [
        n
        for n in spoken
        if is_about_speech(tiers[n].name)
        and _has_text(tiers[n])
        and all(len(label.text.strip()) <= LONGEST_SIGN for label in _filled(tiers[n]))
    ]
    return sorted({*(codes if is_beside else ()), *signs})


def _are_codes(tier: Tier) -> bool:
    """Return True if nearly all labels of a tier are numbers, or have assignments."""
    some = islice((label for label in tier.labels if label.text.strip()), FEWEST_CODES)
    if not all(CODE.search(label.text) for label in some):  # as of nearly all tiers
        return False
    labels = _filled(tier)
    codes = sum(CODE.search(label.text) is not None for label in labels)
    return len(labels) >= FEWEST_CODES and codes >= SHARE_OF_LAYER * len(labels)


def _has_text(tier: Tier) -> bool:
    """Return True if a tier has a label with text that is no silence."""
    return any(label.text.strip() and not is_silence(label.text) for label in tier.labels)


def _filled(tier: Tier) -> list[TierLabel]:
    """Return the labels with text and times that are no silence."""
    return [
        label
        for label in tier.labels
        if label.text.strip()
        and label.start_ns is not None
        and label.end_ns is not None
        and not is_silence(label.text)
    ]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def layers(tiers: Sequence[Tier], kinds: Sequence[str]) -> list[int]:
    """Return the indices of tiers that only annotate other tiers, as the tiers' parents show."""
    numbers = {tier.name: n for n, tier in enumerate(tiers)}
    above = [_above(tiers, numbers, tier) for tier in tiers]
    tops = [line[-1] if line else n for n, line in enumerate(above)]
    names = [(unnumbered(tier.name), tier.level or "") for tier in tiers]
    utterances = {
        n
        for n, kind in enumerate(kinds)
        if kind == "segment" and any(split_name(name)[1] == "segment" for name in names[n])
    }
    utterance_tops = {tops[n] for n in utterances}
    words: dict[str | None, str] = {}
    about: list[int] = []
    # Of several tiers of words of one parent, the one whose very name is a level counts.
    for n in sorted(range(len(tiers)), key=lambda n: split_name(tiers[n].name)[1] != "word"):
        is_speech = True
        if kinds[n] == "segment" and tops[n] in utterance_tops:
            is_speech = n in utterances and utterances.isdisjoint(above[n])
        elif kinds[n] == "segment":
            is_speech = not above[n]
        elif kinds[n] == "word" and above[n]:
            name = unnumbered(tiers[n].name)
            is_speech = not any(kinds[m] == "word" for m in above[n])
            is_speech = is_speech and words.setdefault(tiers[n].parent, name) == name
        if not is_speech:
            about.append(n)
    return sorted(about)


def _above(tiers: Sequence[Tier], numbers: dict[str, int], tier: Tier) -> list[int]:
    """Return the indices of a tier's parent, grandparent, and so on."""
    line: list[int] = []
    parent = numbers.get(tier.parent or "")
    while parent is not None and parent not in line:
        line.append(parent)
        parent = numbers.get(tiers[parent].parent or "")
    return line


def _pair(text: str) -> tuple[Callable[[str], bool], str]:
    import fnmatch

    pattern, equals, kind = text.strip().rpartition("=")
    if not (equals and pattern) or kind not in TIER_KINDS:
        raise OptionError(
            expected=f"a tier map of pattern=kind, kinds {', '.join(TIER_KINDS)}",
            found=quoted(text),
        )
    compiled = re.compile(fnmatch.translate(pattern))
    return lambda name: compiled.match(name) is not None, kind


def _speaker_pattern(text: str) -> re.Pattern[str]:
    before, star, after = text.partition("*")
    if not star or "*" in after:
        raise OptionError(
            expected="speaker from auto, tier, none, or patterns with one * for the speaker",
            found=quoted(text),
        )
    return re.compile(f"{re.escape(before)}(.+){re.escape(after)}", re.DOTALL)


def _speakers(
    tiers: Sequence[Tier], kinds: Sequence[str], single_is_speaker: bool
) -> list[str | None]:
    names = {tier.name for tier in tiers}
    parts = [_speaker_part(tier.name, names) for tier in tiers]
    certain = {part for part, level in parts if part is not None and level is not None}
    certain.update(tier.participant for tier in tiers if tier.participant)
    plain = {
        part
        for (part, level), kind in zip(parts, kinds, strict=True)
        if part is not None and level is None and kind in ("word", "segment")
    }
    is_several = single_is_speaker or len(certain | plain) > 1
    speakers: list[str | None] = []
    for tier, (part, level) in zip(tiers, parts, strict=True):
        if tier.participant:
            speakers.append(tier.participant)
        elif part is None or level is not None or part in certain:
            speakers.append(part)
        else:
            speakers.append(part if is_several and part in plain else None)
    return speakers


def _speaker_part(name: str, names: set[str]) -> tuple[str | None, str | None]:
    """Split a tier name into speaker and kind, without a suffix such as ``#2``."""
    name = name.removesuffix(POINTS)
    base = unnumbered(name)
    part, level = split_name(base if base in names else name)
    if part is not None and level is not None and unnumbered(part) in names:
        part = split_name(unnumbered(part))[0]
    return part, level
