"""Conversion of segments to the needs of another format, with counts of the losses.

=======================  =================================================================
the target needs         result
=======================  =================================================================
word times               the option `interpolate` distributes words over their segment; without it,
                         missing times are an error
segment times            words with times but without segments are grouped (option `group`); missing
                         ends are computed from the pace with `interpolate`, otherwise an error
an utterance id          ``speaker-000``, ``speaker-001``, …, as in sclite; without a speaker
                         ``recording-channel-0000``, …
channel, speaker         ``1``, and ``recording-channel``
words without spaces     words are split at spaces, and their times in proportion (`inner_space`)
names without spaces     their parts are joined by ``_``; an error if `inner_space` is ``error``
valid times              times below 0, above 146 years, or with an end before the start are an
                         error
valid scores             scores that are not numbers are dropped and counted
words, events, regions   segments of an unsupported kind are dropped and counted; if the
                         format has turns without words, a segment with words remains as
                         such a turn, and only its words are dropped
=======================  =================================================================

Everything dropped or invented is recorded in the `Losses`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from formats.detection.spec import DerivedSegments, FormatSpec, SegmentSource
from formats.io.messages import (
    NO_END,
    NO_TIMES,
    NO_WORD_TIMES,
    ONE_RECORDING,
    RULE_CHANNEL_1,
    RULE_DISPLAY_FORMS_KEPT,
    RULE_DROPPED,
    RULE_FIRST_BRANCH,
    RULE_FROM_TIMES_WORDS,
    RULE_JOINED_BY_UNDERSCORE,
    RULE_NAME_AS_TEXT,
    RULE_NUMBERED,
    RULE_PAUSES,
    RULE_RECORDING_CHANNEL,
    RULE_SPEAKING_RATE,
    RULE_TOKENS,
    RULE_WORDS_KEPT,
    RULE_WRITTEN_AS_SEGMENTS,
    WORDS_WITH_BLANKS,
)
from formats.io.source import NAMELESS, recording_of
from formats.reading import UNNAMED
from formats.reading.lines import TEXT_BLANKS, split_words
from formats.schema.errors import OptionError, quoted
from formats.schema.loss import END_WITHOUT_BEGIN, NAMED, Losses, Rule
from formats.schema.messages import Entry, Message
from formats.schema.model import Segment
from formats.schema.refusals import ConversionError, LossError
from formats.schema.values import NamedFields
from formats.schema.words import NULL, Alternation, Token
from formats.writing.bounds import within_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INTERPOLATIONS = ("none", "uniform", "chars")
GROUPS = ("pause", "speaker", "recording")
INNER_SPACES = ("split", "underscore", "error")
TEXT_VIEWS = ("lexical", "display")
KINDS = {
    "ignored": "ignored regions",
    "scored": "scored regions",
    "event": "events",
    "query": "queries",
    "segment": "words",
    "gap": "words",
}
NAMES = ("recording", "channel", "speaker", "utterance")
LEFT_OUT = {"words": "segments of words"}
BLANKS = TEXT_BLANKS + "\r\n"
ONE_BLANK = str.maketrans(dict.fromkeys(BLANKS, " "))


class ConvertOptions(NamedFields, kw_only=True):
    """The options for a conversion whose source lacks data or whose target lacks features.

    Parameters
    ----------
    interpolate: ``none`` never invents word times; ``uniform`` makes all words of a segment equally
        long; ``chars`` gives them times in proportion to their characters.
    group: how words without segments form segments: ``pause`` (up to a change of speaker or a
        pause longer than `pause` seconds), ``speaker`` (up to a change of speaker), ``recording``
        (one per recording and channel, whose utterance id is the recording's name).
    pause: longest pause inside a segment, in seconds.
    inner_space: the treatment of words that contain blanks: ``split``, ``underscore``, ``error``.
        In names, blanks become ``_`` if the format cannot hold them; with ``error``, such names are
        rejected as well.
    text_view: ``lexical`` writes words as spoken; ``display`` writes them with case and
        punctuation, if the source has both forms.

    Raises
    ------
    OptionError: a value outside the list, or a negative pause.
    """

    interpolate: str = "none"
    group: str = "pause"
    pause: float = 0.5
    inner_space: str = "split"
    text_view: str = "lexical"

    def __post_init__(self) -> None:
        for name, choices in (
            ("interpolate", INTERPOLATIONS),
            ("group", GROUPS),
            ("inner_space", INNER_SPACES),
            ("text_view", TEXT_VIEWS),
        ):
            value = getattr(self, name)
            if value not in choices:
                raise OptionError(expected=f"{name} {', '.join(choices)}", found=quoted(value))
        if not 0 <= self.pause < 1e9:
            raise OptionError(expected="a pause of 0 seconds or more", found=f"{self.pause}")


def convert(
    segments: SegmentSource,
    target: FormatSpec,
    losses: Losses,
    options: ConvertOptions | None = None,
) -> DerivedSegments:
    """Return the segments in the form that `target` can write, converted during iteration."""
    return DerivedSegments(
        segments, _Fitting(segments, target, losses, options or ConvertOptions()).segments()
    )


class _Fitting(NamedFields):
    """A conversion: its source, target format, losses and options."""

    origin: SegmentSource
    target: FormatSpec
    losses: Losses
    options: ConvertOptions

    def segments(self) -> Iterator[Segment]:
        """Yield the segments after all conversion stages that the target needs."""
        needs, holds, options = self.target.needs, self.target.holds, self.options
        stage = within_bounds(
            self._of_known_kinds(iter(self.origin)), self.target, self.losses, self.origin
        )
        if self.target.has_one_recording:
            stage = self._of_one_recording(stage)
        if options.text_view == "display":
            stage = self._as_displayed(stage)
        if "words with blanks" not in holds:
            stage = self._without_blanks(stage)
        needed = "word times" in needs
        if options.interpolate != "none" and (needed or "segment times" in needs):
            stage = self._with_ends(stage)
        if needed or ("word times" in holds and options.interpolate != "none"):
            stage = self._with_word_times(stage, needed)
        if not needed and "segment boundaries" in holds:
            stage = self._grouped(stage)
        if "segment times" in needs:
            stage = self._with_segment_times(stage)
        if self.target.turn_text:
            stage = self._with_turn_texts(stage)
        if "empty segments" not in holds:
            stage = self._without_empty(stage)
        stage = self._counted(stage)
        if self.target.has_plain_names and options.inner_space != "error":
            stage = self._with_plain_names(stage)
        return self._with_names(stage)

    def _lost(self, segment: Segment, kind: str, count: int = 1, rule: Rule = "") -> None:
        if count:
            self.losses.add(kind, count, rule, self.origin.source, segment.line)

    def _error(self, segment: Segment, message: str) -> ConversionError:
        return ConversionError(message, path=self.origin.source, line=segment.line)

    def _advised(
        self, segment: Segment, entry: Entry, fields: Mapping[str, Any] | None = None
    ) -> ConversionError:
        path, line = self.origin.source, segment.line
        return ConversionError(value=Message(entry, fields or {}), path=path, line=line)

    def _of_known_kinds(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        holds = self.target.holds
        lacking = {kind: noun for kind, noun in KINDS.items() if noun not in holds}
        for segment in segments:
            noun = lacking.get(segment.kind)
            if noun is None:
                yield segment
            elif noun == "words" and "empty segments" in holds:
                self._lost(segment, "words", segment.word_count, RULE_DROPPED)
                yield segment.with_items(())
            else:
                self._lost(segment, LEFT_OUT.get(noun, noun), rule=RULE_DROPPED)

    def _of_one_recording(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        """Yield the segments; raise an error if they belong to more than one recording."""
        recording: str | None = None
        for segment in segments:
            if recording is None:
                recording = segment.recording
            elif segment.recording != recording:
                fields = {"recording": segment.recording, "first": recording}
                raise self._advised(segment, ONE_RECORDING, fields)
            yield segment

    def _as_displayed(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        for segment in segments:
            if segment.displays is not None:
                spoken = sum(display is not None for display in segment.displays)
                self._lost(segment, "spoken forms", spoken, RULE_DISPLAY_FORMS_KEPT)
            yield as_displayed(segment)

    def _without_empty(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        takes_choices = "alternations" in self.target.holds
        for segment in segments:
            has_words = segment.words or any(
                takes_choices or choice.first_branch() for _, choice in segment.alternations
            )
            if has_words or KINDS[segment.kind] != "words":
                yield segment
            else:
                self._lost(segment, "empty segments", rule=RULE_DROPPED)

    def _with_turn_texts(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        """Yield the segments; a turn without words gets the speaker's name as its text."""
        text = self.target.turn_text
        speaker: str | None
        for segment in segments:
            is_bare = not (segment.words or segment.alternations)
            if is_bare and segment.speaker and segment.kind == "segment":
                self._lost(segment, "turns without words", rule=RULE_NAME_AS_TEXT)
                words = tuple(split_words(text.format(segment.speaker)))
                speaker = segment.speaker if text == "{}" else None
                segment = segment.replace(words=words, speaker=speaker)
            yield segment

    def _without_blanks(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        inner_space = self.options.inner_space
        for segment in segments:
            spaced = _count_blanks(segment.words)
            for _, choice in segment.alternations:
                spaced += _count_blanks([token.text for token in choice.tokens()])
            if not spaced:
                yield segment
                continue
            if inner_space == "error":
                value = Message(WORDS_WITH_BLANKS, {"words": spaced})
                raise LossError(value=value, path=self.origin.source, line=segment.line)
            self._lost(segment, "words with blanks", spaced, _named(inner_space))
            yield segment.with_items(_without_blanks_in(segment.items(), inner_space))

    def _with_word_times(self, segments: Iterator[Segment], needed: bool) -> Iterator[Segment]:
        from formats.schema.interpolation import interpolate_times

        interpolate = self.options.interpolate
        for segment in segments:
            has_stretch = segment.start_ns is not None and segment.end_ns is not None
            if segment.is_timed or KINDS[segment.kind] != "words" or not (needed or has_stretch):
                yield segment
                continue
            if interpolate == "none":
                raise self._advised(segment, NO_WORD_TIMES, {"format": self.target.name})
            timed, count = interpolate_times(
                segment, by_characters=interpolate == "chars", path=self.origin.source
            )
            self._lost(segment, "word times invented", count, _named(interpolate))
            yield timed

    def _grouped(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        """Yield the segments.

        Words without segment times or an id are grouped to segments first.
        """
        options = self.options
        limit = round(options.pause * 1e9) if options.group == "pause" else None
        rule = _named(options.group)
        if options.group == "pause":
            rule = Message(RULE_PAUSES, {"seconds": options.pause})
        if options.group == "recording":
            from formats.schema.grouping import group_by_recording

            segments = group_by_recording(segments, self.losses, self.origin.source)
        for segment in segments:
            is_bare = segment.start_ns is None and segment.utterance is None
            if not (is_bare and segment.starts_ns and segment.is_timed):
                yield segment
                continue
            from formats.schema.grouping import group_by_pause

            has_end = segment.end_ns is not None
            self._lost(segment, "segment times", int(has_end), END_WITHOUT_BEGIN)
            for piece in group_by_pause(segment, limit):
                self._lost(segment, "segments made from words", rule=rule)
                yield piece

    def _with_ends(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        """Yield the segments; a missing end is estimated from the speaking rate so far."""
        from formats.schema.interpolation import Pace

        pace = Pace()
        for segment in segments:
            pace.hear(segment)
            if segment.end_ns is None and segment.kind == "segment" and not segment.is_timed:
                end = pace.end_of(segment)
                if end is not None:
                    segment = segment.replace(end_ns=end)
                    self._lost(
                        segment,
                        "segment ends invented",
                        rule=RULE_SPEAKING_RATE,
                    )
            yield segment

    def _with_segment_times(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        for segment in segments:
            if segment.start_ns is None and segment.end_ns is None and segment.is_timed:
                self._lost(segment, "segment times invented", rule=RULE_FROM_TIMES_WORDS)
                segment = _over_words(segment)
            if segment.start_ns is None or segment.end_ns is None:
                entry = NO_TIMES if segment.start_ns is None else NO_END
                raise self._advised(segment, entry, {"format": self.target.name})
            yield segment

    def _counted(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        """Yield the segments. Properties that the target cannot represent are counted as lost.

        Invalid properties are dropped.
        """
        holds, properties = self.target.holds, self.target.properties
        lacks = [
            (name, count)
            for name, count in COUNTERS
            if name not in holds and not (name == "properties" and properties)
        ]
        source = self.origin.source
        named = {NAMELESS} if source is None else {NAMELESS, recording_of(source)}
        # only a list of words says that what looks like a token of a model is a word
        drops_tokens = self.target.name in UNNAMED and "words with blanks" not in holds
        if drops_tokens:
            from formats.reading.data_texts import tokens_of
        number = 0
        for segment in segments:
            if properties and segment.properties:
                unknown = sum(name not in properties for name, _ in segment.properties)
                self._lost(segment, "properties", unknown)
            if "recordings" not in holds and segment.recording not in named:
                named.add(segment.recording)
                self._lost(segment, "recordings")
            for name, count in lacks:
                self._lost(segment, name, count(segment), RULES.get(name, ""))
            if "segment boundaries" not in holds and KINDS[segment.kind] == "words":
                self._lost(segment, "segment boundaries", int(number > 0))
                number += 1
            if segment.alternations and "alternations" not in holds:
                segment = segment.with_items(_first_branches(segment))
            if segment.optional is not None and "optional marks" not in holds:
                segment = segment.replace(optional=None)
            if segment.displays is not None and "display forms" not in holds:
                segment = segment.replace(displays=None)
            if drops_tokens:
                self._lost(segment, "tokens of a model", len(tokens_of(segment.words)), RULE_TOKENS)
            yield segment
        if "definitions" not in holds:
            self.losses.add("definitions", len(self.origin.definitions), "", source)

    def _with_plain_names(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        originals: dict[str, str] = {}
        for segment in segments:
            changes: dict[str, object] = {}
            for attribute in NAMES:
                name = getattr(segment, attribute)
                if name and any(blank in name for blank in BLANKS):
                    parts = name.translate(ONE_BLANK).split(" ")
                    changes[attribute] = "_".join(filter(None, parts)) or "_"
            if segment.speaker and (changes or "_" in segment.speaker):
                joined = str(changes.get("speaker", segment.speaker))
                first = originals.setdefault(joined, segment.speaker)
                if first != segment.speaker:
                    raise self._error(
                        segment,
                        f"the speakers {quoted(first)} and {quoted(segment.speaker)} would both be "
                        f"written as {joined}",
                    )
            self._lost(segment, "names with blanks", len(changes), RULE_JOINED_BY_UNDERSCORE)
            yield segment.replace(**changes) if changes else segment

    def _with_names(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        needs = self.target.needs
        numbers: dict[str, int] = {}
        for segment in segments:
            changes: dict[str, object] = {}
            if "channels" in needs and segment.channel is None:
                changes["channel"] = "1"
                self._lost(segment, "channels invented", rule=RULE_CHANNEL_1)
            if "speakers" in needs and not segment.speaker:
                changes["speaker"] = f"{segment.recording}-{segment.channel or 1}"
                self._lost(segment, "speakers invented", rule=RULE_RECORDING_CHANNEL)
            if "utterance ids" in needs and segment.utterance is None:
                changes["utterance"] = _next_id(segment, numbers)
                self._lost(segment, "utterance ids invented", rule=RULE_NUMBERED)
            yield segment.replace(**changes) if changes else segment


def as_displayed(segment: Segment) -> Segment:
    """Return the segment with the display forms as its words."""
    if segment.displays is None:
        return segment
    displayed: list[Token | Alternation] = []
    for item in segment.items():
        if isinstance(item, Alternation) or item.display is None:
            displayed.append(item)
        elif item.display:
            displayed.append(item.replace(text=item.display, display=None))
        elif displayed and isinstance(displayed[-1], Token) and item.end_ns is not None:
            displayed[-1] = displayed[-1].replace(end_ns=item.end_ns)
    return segment.with_items(displayed)


def _count_blanks(words: Sequence[str]) -> int:
    """Return the number of words that contain ASCII blanks or line ends."""
    joined = "".join(words)
    if not any(blank in joined for blank in BLANKS):
        return 0
    return sum(1 for word in words if any(blank in word for blank in BLANKS))


def _without_blanks_in(
    items: Iterable[Token | Alternation], inner_space: str
) -> Iterator[Token | Alternation]:
    for item in items:
        if isinstance(item, Alternation):
            yield Alternation([_without_blanks_in(b, inner_space) for b in item.branches])
            continue
        if not _count_blanks((item.text,)):
            yield item
            continue
        parts = item.text.translate(ONE_BLANK).split(" ")
        parts = [part for part in parts if part]
        if len(parts) == 1:
            yield _token_like(item, parts[0], item.start_ns, item.end_ns)
        elif inner_space == "underscore" or not parts:
            yield _token_like(item, "_".join(parts) or "_", item.start_ns, item.end_ns)
        else:
            yield from _split_token(item, parts)


def _split_token(token: Token, parts: Sequence[str]) -> Iterator[Token]:
    start, end = token.start_ns, token.end_ns
    total, done = sum(map(len, parts)), 0
    for part in parts:
        if start is None or end is None:
            yield _token_like(token, part, None, None)
            continue
        first = start + (end - start) * done // total
        done += len(part)
        yield _token_like(token, part, first, start + (end - start) * done // total)


def _token_like(token: Token, text: str, start_ns: int | None, end_ns: int | None) -> Token:
    display = None if token.text != text else token.display
    return token.replace(text=text, start_ns=start_ns, end_ns=end_ns, display=display)


def _over_words(segment: Segment) -> Segment:
    """Return the segment from the earliest start of its words to their latest end."""
    starts = [time for time in segment.starts_ns or () if time is not None]
    ends = [time for time in segment.ends_ns or () if time is not None]
    if not starts or not ends:
        return segment
    return segment.replace(start_ns=min(starts), end_ns=max(ends))


def _first_branches(segment: Segment) -> Iterator[Token]:
    for item in segment.items():
        yield from (item,) if isinstance(item, Token) else item.first_branch()


def _says_something(value: object) -> bool:
    return value is not None and value is not False


def _count_values(column: Sequence[object] | None) -> int:
    return 0 if column is None else sum(1 for value in column if _says_something(value))


def _count_times(segment: Segment) -> int:
    """Return the number of words that have a start or an end."""
    times = zip_longest(segment.starts_ns or (), segment.ends_ns or ())
    return sum(1 for start, end in times if start is not None or end is not None)


def _inside(segment: Segment, attribute: str) -> int:
    if not segment.alternations:
        return 0
    tokens = (t for _, a in segment.alternations for t in a.tokens())
    return sum(1 for t in tokens if _says_something(getattr(t, attribute)))


COUNTERS: tuple[tuple[str, Callable[[Segment], int]], ...] = (
    ("channels", lambda s: int(s.channel is not None)),
    ("speakers", lambda s: int(s.speaker is not None)),
    ("utterance ids", lambda s: int(s.utterance is not None)),
    ("segment times", lambda s: int(s.start_ns is not None or s.end_ns is not None)),
    ("gaps", lambda s: int(s.kind == "gap")),
    ("labels", lambda s: len(s.labels)),
    ("word times", lambda s: _count_times(s) + _inside(s, "start_ns")),
    ("confidences", lambda s: _count_values(s.confidences) + _inside(s, "confidence")),
    ("word types", lambda s: _count_values(s.kinds) + _inside(s, "kind")),
    ("optional marks", lambda s: _count_values(s.optional) + _inside(s, "optional")),
    ("display forms", lambda s: _count_values(s.displays) + _inside(s, "display")),
    ("segment confidences", lambda s: int(s.confidence is not None)),
    ("tiers", lambda s: int(s.tier is not None)),
    ("properties", lambda s: len(s.properties)),
    ("other hypotheses", lambda s: len(s.nbest)),
    ("alternations", lambda s: sum(1 for _, a in s.alternations if a != NULL)),
)

RULES = {
    "gaps": RULE_WRITTEN_AS_SEGMENTS,
    "alternations": RULE_FIRST_BRANCH,
    "optional marks": RULE_WORDS_KEPT,
    "display forms": RULE_WORDS_KEPT,
}


def _named(choice: str) -> Message:
    """Return the message that names a choice of the option `group`, which forms segments."""
    return Message(NAMED, {"name": choice})


def _next_id(segment: Segment, numbers: dict[str, int]) -> str:
    if segment.speaker:
        base, width = segment.speaker, 3
    else:
        channel = f"-{segment.channel}" if segment.channel else ""
        base, width = f"{segment.recording}{channel}", 4
    number = numbers.get(base, 0)
    numbers[base] = number + 1
    return f"{base}-{number:0{width}d}"
