"""Fitting the segments of one format to what another needs, and counting what it cannot hold.

=======================  =================================================================
the target needs         what is done
=======================  =================================================================
word times               `interpolate` spreads words over their segment, or it is refused
segment times            untimed segments of timed words are grouped (`group`); ends that lack
                         are invented by the pace if `interpolate` says so; or it is refused
an utterance id          ``speaker-000``, ``speaker-001``, …, as sclite numbers them; where
                         no speaker is known ``recording-channel-0000``, …
channel, speaker         ``1``, and ``recording-channel``
words without blanks     words are cut at blanks, times in proportion (`inner_space`)
names without blanks     they are joined if `inner_space` says so, or it is refused
times                    before the recording, beyond 146 years, or ending before they begin are
                         refused
scores                   that are no numbers are left out, and counted
words, events, regions   segments of a kind it has no place for are left out, and counted; where
                         there is place for turns without words, only the words are
=======================  =================================================================

Nothing is done in silence: everything dropped or invented is in the `Losses`.
"""

from __future__ import annotations

from itertools import zip_longest

from formats.bounds import within_bounds
from formats.errors import ConversionError, OptionError, quoted
from formats.grouping import group_by_pause, group_by_recording
from formats.interpolation import Pace, interpolate_times
from formats.lines import TEXT_BLANKS
from formats.loss import refused
from formats.model import Segment
from formats.source import recording_of
from formats.spec import DerivedSegments
from formats.words import NULL, Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from formats.loss import Losses
    from formats.spec import FormatSpec, SegmentSource

__all__ = [
    "GROUPS",
    "INNER_SPACES",
    "INTERPOLATIONS",
    "TEXT_VIEWS",
    "ConvertOptions",
    "as_displayed",
    "convert",
]

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


class ConvertOptions:
    """How to bridge what source and target see differently.

    Parameters
    ----------
    interpolate: ``none`` refuses to invent word times; ``uniform`` gives each word of a segment
        the same time; ``chars`` gives time by length in characters.
    group: which words without segments make one: ``pause`` (up to a change of speaker or a pause
        longer than `pause` seconds), ``speaker`` (up to a change of speaker), ``recording`` (all
        of a recording and channel, utterance id the recording's name).
    pause: seconds.
    inner_space: what becomes of a word with blanks in it: ``split``, ``underscore``, ``error``.
        With ``underscore`` names with blanks are joined, too, where a format cannot hold them;
        otherwise they are refused.
    text_view: ``lexical`` writes words as they are spoken, ``display`` as people read them, with
        case and punctuation, where the source gives both.

    Raises
    ------
    OptionError: a value outside the list, or a negative pause.
    """

    def __init__(
        self,
        *,
        interpolate: str = "none",
        group: str = "pause",
        pause: float = 0.5,
        inner_space: str = "split",
        text_view: str = "lexical",
    ) -> None:
        for name, value, choices in (
            ("interpolate", interpolate, INTERPOLATIONS),
            ("group", group, GROUPS),
            ("inner_space", inner_space, INNER_SPACES),
            ("text_view", text_view, TEXT_VIEWS),
        ):
            if value not in choices:
                raise OptionError(expected=f"{name} {', '.join(choices)}", found=quoted(value))
        if not 0 <= pause < 1e9:
            raise OptionError(expected="a pause of 0 seconds or more", found=f"{pause}")
        self.interpolate = interpolate
        self.group = group
        self.pause = pause
        self.inner_space = inner_space
        self.text_view = text_view


def convert(
    segments: SegmentSource,
    target: FormatSpec,
    losses: Losses,
    options: ConvertOptions | None = None,
) -> DerivedSegments:
    """Segments that `target` can write, made one by one as they are taken."""
    options = options or ConvertOptions()
    stage: Iterator[Segment] = iter(segments)
    stage = within_bounds(
        _of_known_kinds(stage, target, losses, segments), target, losses, segments
    )
    if target.has_one_recording:
        stage = _of_one_recording(stage, segments)
    if options.text_view == "display":
        stage = _as_displayed(stage, losses, segments)
    if "words with blanks" not in target.holds:
        stage = _without_blanks(stage, losses, segments, options.inner_space)
    needed = "word times" in target.needs
    if options.interpolate != "none" and (needed or "segment times" in target.needs):
        stage = _with_ends(stage, losses, segments)
    if needed or ("word times" in target.holds and options.interpolate != "none"):
        stage = _with_word_times(stage, losses, segments, options.interpolate, needed=needed)
    if not needed and "segment boundaries" in target.holds:
        stage = _grouped(stage, losses, segments, options)
    if "segment times" in target.needs:
        stage = _with_segment_times(stage, segments)
    if "empty segments" not in target.holds:
        stage = _without_empty(
            stage, losses, segments, takes_choices="alternations" in target.holds
        )
    stage = _counted(stage, target, losses, segments)
    if target.has_plain_names and options.inner_space == "underscore":
        stage = _with_plain_names(stage, losses, segments)
    return DerivedSegments(
        segments,
        _with_names(
            _counted_definitions(stage, segments, target, losses), target, losses, segments
        ),
    )


def _of_known_kinds(
    segments: Iterator[Segment], target: FormatSpec, losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    lacking = {kind: what for kind, what in KINDS.items() if what not in target.holds}
    for segment in segments:
        what = lacking.get(segment.kind)
        if what is None:
            yield segment
        elif what == "words" and "empty segments" in target.holds:
            losses.add("words", segment.word_count, "left out", origin.source, segment.line)
            yield segment.with_items(())
        else:
            losses.add(LEFT_OUT.get(what, what), 1, "left out", origin.source, segment.line)


def _of_one_recording(segments: Iterator[Segment], origin: SegmentSource) -> Iterator[Segment]:
    """All segments, if they are of one recording: the times of two would run into each other."""
    recording: str | None = None
    for segment in segments:
        if recording is None:
            recording = segment.recording
        elif segment.recording != recording:
            raise ConversionError(
                f"the target holds one recording, and {quoted(segment.recording)} comes after "
                f"{quoted(recording)}: choose with --only-recording, or name a folder for the "
                "output (out/), which gets a file of each",
                path=origin.source,
                line=segment.line,
            )
        yield segment


def _as_displayed(
    segments: Iterator[Segment], losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    for segment in segments:
        if segment.displays is not None:
            spoken = sum(display is not None for display in segment.displays)
            losses.add("spoken forms", spoken, "display forms kept", origin.source, segment.line)
        yield as_displayed(segment)


def as_displayed(segment: Segment) -> Segment:
    """The segment with the forms for people as its words.

    A word that the form before it shows, too, is joined to that.

    >>> shown = Segment.of("rec1", ["twenty", "five", "yes"], displays=["25", "", None])
    >>> as_displayed(shown).words
    ('25', 'yes')
    """
    if segment.displays is None:
        return segment
    if "" in segment.displays:
        return segment.with_items(_as_shown(segment.items()))
    shown = zip(segment.words, segment.displays, strict=True)
    words = tuple(word if display is None else display for word, display in shown)
    return segment.replace(words=words, displays=None)


def _as_shown(items: Iterable[Token | Alternation]) -> list[Token | Alternation]:
    """The items as people read them; a word that the one before it shows, too, is joined to it."""
    made: list[Token | Alternation] = []
    for item in items:
        if isinstance(item, Alternation) or item.display is None:
            made.append(item)
        elif item.display:
            made.append(item.replace(text=item.display, display=None))
        elif made and isinstance(made[-1], Token) and item.end_ns is not None:
            made[-1] = made[-1].replace(end_ns=item.end_ns)
    return made


def _without_empty(
    segments: Iterator[Segment], losses: Losses, origin: SegmentSource, *, takes_choices: bool
) -> Iterator[Segment]:
    for segment in segments:
        has_words = segment.words or any(
            takes_choices or choice.first_branch() for _, choice in segment.alternations
        )
        if has_words or KINDS[segment.kind] != "words":
            yield segment
        else:
            losses.add("empty segments", 1, "left out", origin.source, segment.line)


def _without_blanks(
    segments: Iterator[Segment], losses: Losses, origin: SegmentSource, inner_space: str
) -> Iterator[Segment]:
    for segment in segments:
        spaced = _count_blanks(segment.words)
        if segment.alternations:
            spaced += _count_blanks([t.text for _, a in segment.alternations for t in a.tokens()])
        if not spaced:
            yield segment
            continue
        if inner_space == "error":
            raise refused(
                origin.source,
                segment.line,
                "words without blanks",
                f"{spaced} with blanks (see --inner-space)",
            )
        losses.add("words with blanks", spaced, inner_space, origin.source, segment.line)
        yield segment.with_items(_without_blanks_in(segment.items(), inner_space))


def _count_blanks(words: Sequence[str]) -> int:
    """How many words have ASCII blanks or line ends in them; quick when none has."""
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


def _with_word_times(
    segments: Iterator[Segment],
    losses: Losses,
    origin: SegmentSource,
    interpolate: str,
    *,
    needed: bool,
) -> Iterator[Segment]:
    for segment in segments:
        has_stretch = segment.start_ns is not None and segment.end_ns is not None
        if segment.is_timed or KINDS[segment.kind] != "words" or not (needed or has_stretch):
            yield segment
            continue
        if interpolate == "none":
            raise ConversionError(
                "the target needs word times, and there are none here: give --interpolate uniform "
                "or chars to invent them",
                path=origin.source,
                line=segment.line,
            )
        timed, count = interpolate_times(
            segment, by_characters=interpolate == "chars", path=origin.source
        )
        losses.add("word times invented", count, interpolate, origin.source, segment.line)
        yield timed


def _grouped(
    segments: Iterator[Segment], losses: Losses, origin: SegmentSource, options: ConvertOptions
) -> Iterator[Segment]:
    """Group words whose segments come without times or id; other segments stay as they are."""
    if options.group == "recording":
        segments = group_by_recording(segments, losses, origin.source)
    for segment in segments:
        is_bare = segment.start_ns is None and segment.utterance is None
        if not (is_bare and segment.starts_ns and segment.is_timed):
            yield segment
            continue
        alone = int(segment.end_ns is not None)
        losses.add("segment times", alone, "an end without a begin", origin.source, segment.line)
        limit = round(options.pause * 1e9) if options.group == "pause" else None
        rule = f"pauses over {options.pause} s" if options.group == "pause" else options.group
        for piece in group_by_pause(segment, limit):
            losses.add("segments made from words", 1, rule, origin.source, segment.line)
            yield piece


def _with_ends(
    segments: Iterator[Segment], losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    """Segments of which only the begin is known are as long as the pace of those above makes it."""
    pace = Pace()
    for segment in segments:
        pace.hear(segment)
        if segment.end_ns is None and segment.kind == "segment" and not segment.is_timed:
            end = pace.end_of(segment)
            if end is not None:
                segment = segment.replace(end_ns=end)
                rule = "by the pace of those above"
                losses.add("segment ends invented", 1, rule, origin.source, segment.line)
        yield segment


def _with_segment_times(segments: Iterator[Segment], origin: SegmentSource) -> Iterator[Segment]:
    for segment in segments:
        if segment.start_ns is None or segment.end_ns is None:
            has_begin = segment.start_ns is not None
            raise ConversionError(
                "the target needs segment times, and there "
                + ("is no end" if has_begin else "are none")
                + " here"
                + (": give --interpolate uniform or chars to invent it" if has_begin else ""),
                path=origin.source,
                line=segment.line,
            )
        yield segment


def _counted(
    segments: Iterator[Segment], target: FormatSpec, losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    lacks = [
        (name, count)
        for name, count in COUNTERS
        if name not in target.holds and not (name == "properties" and target.properties)
    ]
    flat = "alternations" not in target.holds
    plain = "optional marks" not in target.holds
    bare = "display forms" not in target.holds
    source = origin.source
    named = {recording_of(source)} if source is not None else set()
    number = 0
    for segment in segments:
        if target.properties and segment.properties:
            unknown = [name for name, _ in segment.properties if name not in target.properties]
            losses.add("properties", len(unknown), "", origin.source, segment.line)
        if "recordings" not in target.holds and segment.recording not in named:
            named.add(segment.recording)
            losses.add("recordings", 1, "", origin.source, segment.line)
        for name, count in lacks:
            losses.add(name, count(segment), RULES.get(name, ""), origin.source, segment.line)
        if "segment boundaries" not in target.holds and KINDS[segment.kind] == "words":
            losses.add("segment boundaries", int(number > 0), "", origin.source, segment.line)
            number += 1
        if flat and segment.alternations:
            segment = segment.with_items(_first_branches(segment))
        if plain and segment.optional is not None:
            segment = segment.replace(optional=None)
        if bare and segment.displays is not None:
            segment = segment.replace(displays=None)
        yield segment


def _counted_definitions(
    segments: Iterator[Segment], origin: SegmentSource, target: FormatSpec, losses: Losses
) -> Iterator[Segment]:
    yield from segments
    if "definitions" not in target.holds:
        losses.add("definitions", len(origin.definitions), "", origin.source)


def _first_branches(segment: Segment) -> Iterator[Token]:
    for item in segment.items():
        yield from (item,) if isinstance(item, Token) else item.first_branch()


def _says_something(value: object) -> bool:
    return value is not None and value is not False


def _count_values(column: Sequence[object] | None) -> int:
    return 0 if column is None else sum(1 for value in column if _says_something(value))


def _count_times(segment: Segment) -> int:
    """How many words have a begin or an end."""
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
    "gaps": "written as segments",
    "alternations": "first branch taken",
    "optional marks": "words kept",
    "display forms": "words kept",
}


def _with_plain_names(
    segments: Iterator[Segment], losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    for segment in segments:
        changes: dict[str, object] = {}
        for attribute in NAMES:
            name = getattr(segment, attribute)
            if name and any(blank in name for blank in BLANKS):
                parts = name.translate(ONE_BLANK).split(" ")
                changes[attribute] = "_".join(filter(None, parts)) or "_"
        losses.add("names with blanks", len(changes), "underscore", origin.source, segment.line)
        yield segment.replace(**changes) if changes else segment


def _with_names(
    segments: Iterator[Segment], target: FormatSpec, losses: Losses, origin: SegmentSource
) -> Iterator[Segment]:
    needs = target.needs
    numbers: dict[str, int] = {}
    for segment in segments:
        changes: dict[str, object] = {}
        if "channels" in needs and segment.channel is None:
            changes["channel"] = "1"
            losses.add("channels invented", 1, "1", origin.source, segment.line)
        if "speakers" in needs and not segment.speaker:
            changes["speaker"] = f"{segment.recording}-{segment.channel or 1}"
            losses.add("speakers invented", 1, "recording-channel", origin.source, segment.line)
        if "utterance ids" in needs and segment.utterance is None:
            changes["utterance"] = _next_id(segment, numbers)
            losses.add("utterance ids invented", 1, "numbered", origin.source, segment.line)
        yield segment.replace(**changes) if changes else segment


def _next_id(segment: Segment, numbers: dict[str, int]) -> str:
    if segment.speaker:
        base, width = segment.speaker, 3
    else:
        channel = f"-{segment.channel}" if segment.channel else ""
        base, width = f"{segment.recording}{channel}", 4
    number = numbers.get(base, 0)
    numbers[base] = number + 1
    return f"{base}-{number:0{width}d}"
