"""Conversion of cues to segments, shared by all subtitle readers.

Each reader returns `Cue` objects. From these, `segments_of` creates segments: it shifts times,
detects rolling captions and, if requested, removes text that is not speech.

====================================  ====================================================
in the file                           in the schema
====================================  ====================================================
a cue                                 `Segment`; its line breaks are blanks between words
the lines of a cue, if several        property ``lines``, joined by LF
``-`` before a line or alone          no word: another speaker begins, or a pause; ``lines`` has it
several voices in a cue               a segment for each, with the times of the cue
pieces with times, of one word each   word times (`Segment.starts_ns`, `Segment.ends_ns`)
pieces with times, of several words   a segment for each piece
a cue that ends before it begins      a segment without times; the property ``times`` has them
a cue whose end is zero               a segment with its begin, without an end
====================================  ====================================================

A run is a piece of a cue's text with the same markup. A voice is a speaker within a cue.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from itertools import chain, groupby, islice

from formats.detection.spec import options_of
from formats.io.source import Source
from formats.reading.lines import TEXT_BLANKS, split_words, strip_blanks
from formats.schema import lazy_pattern
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment, fault_of_span, fault_of_times
from formats.schema.times import SECOND, format_time, parse_clock, parse_time
from formats.schema.values import NamedFields
from formats.schema.words import Properties, Token
from formats.subtitles.credits import is_credit
from formats.subtitles.cues import (
    DASHES,
    Cue,
    Run,
    has_dash,
    lines_of,
    shifted,
    spoken_words,
    stretched,
)
from formats.subtitles.messages import (
    CUE_CREDITS,
    CUE_DASHES,
    CUE_EMPTY,
    CUE_ENTITIES,
    CUE_FIELDS,
    CUE_LANGUAGES,
    CUE_LETTERS,
    CUE_MIXED,
    CUE_NEGATIVE,
    CUE_OFFSET,
    CUE_ORDER,
    CUE_SCRIPTS,
    CUE_SIGNS,
    CUE_STYLES,
    CUE_TIMES,
    CUE_UNSORTED,
    CUE_WORD,
    CUE_WORD_NEGATIVE,
    CUES_WITHOUT_WORDS,
    SRT_ENTITIES,
)
from formats.subtitles.rolling import rolling_of_youtube, without_repetitions
from formats.subtitles.speakers import with_speakers

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

_MOST_STRETCHED = 100  # times
SIGN = lazy_pattern(
    r"(?m)[\[(*](?<![^\s>*\-–—].)(?:(?<=\[)[^\[\]]{1,60}\]|(?<=\()[^()]{1,60}\)|(?<=\*)[^\s*][^*\n]{0,60}\*)"
    r"(?![^\s.,:;!?…])"
    r"|^[ \t>\-–—]{0,6}[A-ZÀ-ÖØ-ÞА-Я][A-ZÀ-ÖØ-ÞА-Я .'\-]{1,30}(?<=[A-ZÀ-ÖØ-ÞА-Я]):(?=\s)"
    r"|\{\{[^{}\n]{1,40}\}\}|[/|\\](?<!\S.)[/|\\]?(?!\S)"
    r"|[♪♫♬\u200e\u200f\u202a-\u202e\u2066-\u2069]|>(?<!\S.)>{1,2}(?!>)|#(?<![^\s>].)(?!\S)"
)
"""A text in brackets or stars, a name in capitals, a sign of music or of direction, or arrows."""
OF_SIGNS = frozenset(
    "[(*:{/|\\#♪♫♬\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069>"
)
"""The characters of which each sign has one."""
ENTITY = lazy_pattern(r"&(?:amp|lt|gt|quot|apos|nbsp|lrm|rlm|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
LOOKED_AT, SHARE_OF_PAIRS, PAIR = 200, 0.6, 2
"""The first cues, and the least share of them whose two lines are in two languages."""
FEWEST_STYLED = 3
STYLE = lazy_pattern(r"<(/?)[A-Za-z][^<>]{0,60}>|\{\\[^{}]{1,40}\}")
MIXED = "<>"
"""The fewest cues in two styles, the tag of a style or its end, and a line of several styles."""
LATIN = lazy_pattern(r"[A-Za-z']{2,40}[ ][A-Za-z']{2}")
"""Two words in Latin letters."""
LAST_CUES = 4
"""The last cues, which often name who made the others."""
FEWEST_OF_SCRIPTS = 5
"""Pairs of cues at one time in two scripts; more of them are two languages."""


FIELDS = lazy_pattern(
    r"(?:[0-9]{1,6},){0,2}(?![0-9])[^,\n]{1,40},(?P<name>[^,\n]{0,60}),[0-9]{1,4},[0-9]{1,4},"
    r"[0-9]{1,4},[^,\n]{0,40},"
)
"""The fields of an event of SubStation before its text: layer, style, name, margins, effect."""
FEWEST_FIELDS, SHARE_OF_FIELDS = 2, 0.9
"""The fewest cues with such fields, and their share."""
LETTER = lazy_pattern(r"\s{0,4}[^\W\d_\u0e00-\uffdc]\s{0,4}\Z")
LONGEST_LETTER, FEWEST_LETTERS, SHARE_OF_LETTERS = 9, 20, 0.4
"""A cue of one letter, and the fewest such cues and their share where words are drawn in parts."""


class CueReading(NamedFields, kw_only=True):
    """The options that all subtitle readers have.

    `formats.subtitles.cleaning` describes `subtitle_clean`.
    """

    offset: str = "0"
    stretch: str = "1"
    dedupe_rolling: bool = False
    dedupe_youtube: bool = True
    speaker_names: bool = True
    subtitle_clean: str = "none"


READ_OPTIONS = options_of(
    CueReading,
    {
        "offset": "time to add to all times of subtitles, in seconds or hh:mm:ss; may be negative",
        "stretch": "factor of all times of subtitles, for example 24/25 or 0.96; the offset is "
        "added afterwards",
        "dedupe_rolling": "drop the lines that rolling captions and karaoke repeat",
        "dedupe_youtube": "drop the lines that automatic captions of YouTube repeat",
        "speaker_names": "read names before the text of cues as speakers",
        "subtitle_clean": "version of the rules that remove sounds and speaker names from the text",
    },
    {"subtitle_clean": ("none", "1", "2")},
)
SHARED = frozenset(option.name for option in READ_OPTIONS)


def reads_cues(
    cues: Callable[..., Iterator[Cue]], *, in_order: bool = True, decodes: bool = False
) -> Callable[..., Iterator[Segment]]:
    """Turn a reader of cues into a reader of segments, with the options of `CueReading`.

    With `decodes`, the reader has an option ``entities`` for references of HTML.
    """

    @wraps(cues)
    def read(source: Source, **options: Any) -> Iterator[Segment]:
        own = {name: value for name, value in options.items() if name not in SHARED}
        shared = {name: value for name, value in options.items() if name in SHARED}
        read_cues = cues(source, **own)
        return segments_of(source, read_cues, in_order=in_order, decodes=decodes, **shared)

    return read


def segments_of(
    source: Source,
    cues: Iterator[Cue],
    *,
    in_order: bool = True,
    decodes: bool = False,
    **options: Any,
) -> Iterator[Segment]:
    """Yield the segments of the cues in order. `options` are those of `CueReading`.

    With `in_order`, the format expects cues sorted by start, and an unsorted cue gives a warning.
    """
    reading = CueReading(**options)
    offset, stretch = parse_offset(reading.offset), parse_stretch(reading.stretch)
    if offset or stretch[0] != stretch[1]:
        cues = _moved(source, cues, stretch, offset)
    cues = _without_fields(source, cues)
    if reading.speaker_names:
        cues = with_speakers(source, cues)
    is_cleaned = reading.subtitle_clean != "none"
    cues = _say_of_first(source, cues, decodes=decodes, is_cleaned=is_cleaned)
    cues, rolls = rolling_of_youtube(source, cues, dedupe=reading.dedupe_youtube)
    if not rolls:
        cues = without_repetitions(source, cues, dedupe=reading.dedupe_rolling)
    segments = _cue_segments(source, cues, in_order)
    if not is_cleaned:
        return segments
    from formats.subtitles.cleaning import cleaned

    return cleaned(source, segments, reading.subtitle_clean)


def _without_fields(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """Return the cues without the fields of SubStation events, if nearly all begin with them."""
    first = list(islice(cues, LOOKED_AT))
    found = [match for cue in first if cue.runs and (match := FIELDS.match(cue.runs[0].text))]
    if len(found) < max(FEWEST_FIELDS, SHARE_OF_FIELDS * len(first)):
        return chain(first, cues)
    source.log.say(CUE_FIELDS, cues=len(found), total=len(first), text=found[0][0])
    return map(_without_fields_of, chain(first, cues))


def _without_fields_of(cue: Cue) -> Cue:
    """Return a cue without fields before its text; the name among them is the speaker."""
    match = FIELDS.match(cue.runs[0].text) if cue.runs else None
    if match is None:
        return cue
    first, *others = cue.runs
    name = match["name"].strip() or None
    rest = first._replace(text=first.text[match.end() :])
    runs = [run._replace(speaker=run.speaker or name) for run in (rest, *others)]
    return cue._replace(runs=tuple(runs))


def _say_of_first(
    source: Source, cues: Iterator[Cue], *, decodes: bool, is_cleaned: bool
) -> Iterator[Cue]:
    """Return the cues; tell what in the first ones may be no speech, and of translations."""
    first = list(islice(cues, LOOKED_AT))
    texts = ["".join([run.text for run in cue.runs]) for cue in first]
    entities = _found(ENTITY, [text for text in texts if "&" in text])
    if entities and decodes:
        source.log.say(SRT_ENTITIES, cues=len(entities), total=len(first), text=entities[0])
    elif entities:
        source.log.say(CUE_ENTITIES, cues=len(entities), total=len(first), text=entities[0])
    may_have = [text for text in texts if not (is_cleaned or OF_SIGNS.isdisjoint(text))]
    signs = _found(SIGN, may_have)
    if signs:
        source.log.say(CUE_SIGNS, cues=len(signs), total=len(first), text=signs[0])
    letters = [text for text in texts if len(text) <= LONGEST_LETTER and LETTER.match(text)]
    if len(letters) >= max(FEWEST_LETTERS, SHARE_OF_LETTERS * len(first)):
        source.log.say(CUE_LETTERS, cues=len(letters), total=len(first), text=letters[0].strip())
    _say_languages(source, first, texts)
    for cue, text in zip(first, texts, strict=True):
        _say_credit(source, cue, text)
    return chain(first, cues)


def _say_credit(source: Source, cue: Cue, text: str) -> None:
    """Tell of a cue that names who made the subtitles."""
    if is_credit(text):
        source.log.say(CUE_CREDITS, cue.line, text=" ".join(text.split()))


def _say_languages(source: Source, first: Sequence[Cue], texts: Sequence[str]) -> None:
    """Tell of texts in two languages: in one line of a cue, in its lines, or in two cues."""
    total = len(first)
    if (across := _overlapping_languages(first)) is not None:
        source.log.say(CUE_SCRIPTS, first=across[0], second=across[1])
    several = [lines for cue in first if len(lines := lines_of(cue.runs)) >= PAIR]
    mixed = sum(not text.isascii() and LATIN.search(text) is not None for text in texts)
    if several and len(several) >= SHARE_OF_PAIRS * total:
        from formats.reading.line_languages import do_lines_alternate  # late: few files need it

        pairs = [_parts_of(lines) for lines in several]
        if do_lines_alternate([*chain(*pairs)]):
            above, below = pairs[0]
            source.log.say(CUE_LANGUAGES, cues=len(pairs), total=total, first=above, second=below)
        elif styled := _pairs_of_styles(first, len(several)):
            above, second = styled[0]
            source.log.say(CUE_STYLES, cues=len(styled), total=total, first=above, second=second)
    elif mixed and mixed >= SHARE_OF_PAIRS * total:
        from formats.reading.line_languages import lines_of_two_languages  # late: few files need it

        if lines := lines_of_two_languages([" ".join(text.split()) for text in texts]):
            source.log.say(CUE_MIXED, cues=len(lines), total=total, text=lines[0])


def _parts_of(lines: Sequence[str]) -> tuple[str, str]:
    """Return the lines of a cue in two parts, where the script changes, or else in the middle.

    Of an odd number of lines in one script, the first and the last are surely of different parts.
    """
    middle, is_odd = divmod(len(lines), PAIR)
    if len(lines) > PAIR:
        from formats.reading.line_languages import do_scripts_differ  # late: few files need it

        changes = [n for n in range(1, len(lines)) if do_scripts_differ(lines[n - 1], lines[n])]
        if len(changes) != 1 and is_odd:
            return lines[0], lines[-1]
        middle = changes[0] if len(changes) == 1 else middle
    return " ".join(lines[:middle]), " ".join(lines[middle:])


def _pairs_of_styles(cues: Sequence[Cue], several: int) -> list[list[str]]:
    """Return the lines above and below of cues if most are in one style over another.

    `several` is the number of cues of several lines. Half of two languages may be in italics.
    """
    styled = [pair for cue in cues if (pair := _two_styles(cue)) is not None]
    counts = Counter(styles for styles, _, _ in styled)
    (most, count), *_ = counts.most_common(1) or [(("", ""), 0)]
    if count < max(FEWEST_STYLED, SHARE_OF_PAIRS * several):
        return []
    return [pair for styles, *pair in styled if styles == most]


def _two_styles(cue: Cue) -> tuple[tuple[str, str], str, str] | None:
    """Return the styles of the first and the last lines of a cue, and the texts."""
    raw = dict(cue.properties).get("raw")
    rows = [(str(run.properties), run.text) for run in cue.runs if run.text.strip()]
    rows = rows if raw is None else list(_styled_lines(raw))
    parts = [
        (style, "".join(text for _, text in texts))
        for style, texts in groupby(rows, lambda row: row[0])
    ]
    if any(style == MIXED for style, _ in parts):
        return None
    if len(parts) != PAIR or not (parts[0][1].endswith("\n") or parts[1][1].startswith("\n")):
        return None
    (above, first), (under, second) = parts
    return (above, under), " ".join(first.split()), " ".join(second.split())


def _styled_lines(raw: str) -> Iterator[tuple[str, str]]:
    r"""Yield the tags around each line of a cue, and its text.

    >>> list(_styled_lines("<i>so\nit</i>\n<b>was</b>"))
    [('<i>', 'so\n'), ('<i>', 'it\n'), ('<b>', 'was\n')]
    """
    opened: list[str] = []
    for line in raw.split("\n"):
        styles: dict[str, None] = {}
        end = 0
        for tag in [*STYLE.finditer(line), None]:
            if line[end : tag.start() if tag else None].strip():
                styles["".join(opened)] = None
            if tag is None:
                break
            end = tag.end()
            if tag[1] == "":
                opened.append(tag[0])
            elif tag[1] and opened:
                opened.pop()
        if styles:
            yield styles.popitem()[0] if len(styles) == 1 else MIXED, f"{STYLE.sub('', line)}\n"


def _overlapping_languages(cues: Sequence[Cue]) -> tuple[str, str] | None:
    """Return the texts of the first two cues at one time in two languages, if many are such."""
    before: Cue | None = None
    overlapping: list[tuple[str, str]] = []
    twice: list[str] = []
    for cue in cues:
        if cue.start_ns is None or not cue.runs:
            continue
        if before is not None and (before.end_ns or 0) > cue.start_ns:
            above, below = ("".join([run.text for run in each.runs]) for each in (before, cue))
            overlapping.append((" ".join(above.split()), " ".join(below.split())))
            if (before.start_ns, before.end_ns) == (cue.start_ns, cue.end_ns):
                twice += overlapping[-1]
        before = cue
    if len(overlapping) <= FEWEST_OF_SCRIPTS or 4 * len(overlapping) <= len(cues):
        return None
    from formats.reading.line_languages import (  # late: few need it
        do_lines_alternate,
        do_scripts_differ,
    )

    pairs = [pair for pair in overlapping if do_scripts_differ(*pair)]
    if len(pairs) > FEWEST_OF_SCRIPTS and 4 * len(pairs) > len(cues):
        return pairs[0]
    is_most = 2 * len(twice) > len(cues) and do_lines_alternate(twice)
    return (twice[0], twice[1]) if is_most else None


def _found(pattern: re.Pattern[str], texts: Sequence[str]) -> list[str]:
    """Return what a pattern finds first in each text that has it, with single blanks."""
    return [" ".join(match[0].split()) for text in texts if (match := pattern.search(text))]


def parse_offset(text: str) -> int:
    """Parse ``12.5``, ``-36000`` or ``-10:00:00``; return nanoseconds."""
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("-") if text.count("-", 0, 2) < 2 else text
    try:
        return sign * (parse_clock(digits) if ":" in digits else parse_time(digits))
    except ValueError:
        raise OptionError(
            expected="an offset in seconds or hours:minutes:seconds", found=quoted(text)
        ) from None


def parse_stretch(text: str) -> tuple[int, int]:
    """Parse a factor of times, as a number or a quotient of two frame rates, such as ``24/25``.

    The result is a fraction. A frame rate of ``23.976`` or ``29.97`` means 24000/1001 or
    30000/1001.

    >>> parse_stretch("0.96"), parse_stretch("24/25"), parse_stretch("25/23.976")
    ((96, 100), (24, 25), (25025, 24000))
    """
    first, has_quotient, second = text.partition("/")
    try:
        if has_quotient:
            from formats.reading.frames import parse_rate  # late: few files need it

            rates = parse_rate(first), parse_rate(second)
            above, below = rates[0].above * rates[1].below, rates[0].below * rates[1].above
        else:
            whole, _, decimals = first.partition(".")
            if not (first.isascii() and whole.isdigit() and len(decimals) < 10):
                raise ValueError
            above, below = int(whole + decimals), 10 ** len(decimals)
        if not below <= above * _MOST_STRETCHED <= below * _MOST_STRETCHED**2:
            raise ValueError
    except ValueError:
        raise OptionError(
            expected="a factor of times such as 24/25 or 0.96", found=quoted(text)
        ) from None
    return above, below


def _moved(
    source: Source, cues: Iterable[Cue], stretch: tuple[int, int], offset: int
) -> Iterator[Cue]:
    """Yield the cues with their times multiplied by a factor, and then moved by an offset."""
    for cue in cues:
        if stretch[0] != stretch[1]:
            cue = stretched(cue, *stretch)
        if cue.start_ns is not None and cue.start_ns + offset < 0:
            fields = {"start": format_time(cue.start_ns), "offset": format_time(offset)}
            source.log.reject(CUE_OFFSET.code, source.error_of(CUE_OFFSET, cue.line, **fields))
            continue
        yield shifted(cue, offset)


def _cue_segments(source: Source, cues: Iterable[Cue], in_order: bool) -> Iterator[Segment]:
    count = words = before = dashes = 0
    last: deque[Cue] = deque(maxlen=LAST_CUES)
    for count, cue in enumerate(cues, 1):  # noqa: B007 -- the last count is reported
        last.append(cue)
        start, end, runs, _, _, _, _ = cue
        if start is not None:
            if start < before:
                source.log.say(CUE_ORDER if in_order else CUE_UNSORTED, cue.line)
            before = start
        if len(runs) == 1 and runs[0].chunk is None:
            segment = _segment(source.recording, cue, runs)
            if end is not None and end < (start or 0):
                segment = _with_sound_times(source, segment)
            size = len(segment.words)
            if not size:
                source.log.say(CUE_EMPTY, cue.line)
            if segment.properties:
                dashes += _has_dashes(segment)
            words += size
            yield segment
            continue
        pieces = _segments_of_cue(source.recording, cue)
        segments = [_with_sound_times(source, segment) for segment in pieces]
        size = sum(len(segment.words) for segment in segments)
        if not size:
            source.log.say(CUE_EMPTY, cue.line)
        dashes += sum(map(_has_dashes, segments))
        words += size
        yield from segments
    for cue in islice(last, max(0, LOOKED_AT + len(last) - count), None):
        _say_credit(source, cue, "".join([run.text for run in cue.runs]))
    if dashes:
        source.log.say(CUE_DASHES, cues=dashes)
    if count and not words:
        source.log.say(CUES_WITHOUT_WORDS, cues=count)


def _has_dashes(segment: Segment) -> bool:
    """Return True if the lines of a segment have dashes that are not among its words."""
    lines = segment.get("lines") or ""
    return has_dash(lines) and tuple(split_words(lines.replace("\n", " "))) != segment.words


def _with_sound_times(source: Source, segment: Segment) -> Segment:
    """Return the segment; if its times are impossible, they become its property ``times``."""
    if fault_of_times(segment) is None:
        return segment
    line, log = segment.line, source.log
    if fault_of_span(segment.start_ns, segment.end_ns) is None:
        word = next(t for t in segment.all_tokens() if fault_of_span(t.start_ns, t.end_ns))
        begin, end = (word.start_ns or 0) / SECOND, (word.end_ns or 0) / SECOND
        if min(begin, end) < 0:
            log.say(CUE_WORD_NEGATIVE, line, word=word.text, time=begin if begin < 0 else end)
        else:
            log.say(CUE_WORD, line, word=word.text, begin=begin, end=end)
        return segment.replace(starts_ns=None, ends_ns=None, interpolated=None)
    begin, end = (segment.start_ns or 0) / SECOND, (segment.end_ns or 0) / SECOND
    if min(begin, end) < 0:
        log.say(CUE_NEGATIVE, line, time=begin if begin < 0 else end)
    else:
        log.say(CUE_TIMES, line, begin=begin, end=end)
    times = " --> ".join(str(time) for time in (segment.start, segment.end) if time is not None)
    properties = {"times": times, **dict(segment.properties)}
    return segment.replace(
        start_ns=None, end_ns=None, starts_ns=None, ends_ns=None, interpolated=None,
        properties=tuple(sorted(properties.items())),
    )  # fmt: skip


def _segments_of_cue(recording: str, cue: Cue) -> Iterator[Segment]:
    """Yield the segments of a cue: one per voice, or one per timed piece."""
    for runs in _by_speaker(cue.runs):
        if all(run.chunk is None for run in runs):
            yield _segment(recording, cue, runs)
            continue
        tokens = None if cue.pieces == "segments" else _timed_words(runs)
        if tokens is None and cue.pieces != "words only":
            for piece in _by_chunk(runs):
                run = next(run for run in piece if run.chunk is not None)
                part = cue._replace(start_ns=run.start_ns, end_ns=run.end_ns)
                yield _segment(recording, part, piece)
        else:
            segment = _segment(recording, cue, runs)
            yield segment.with_items(tokens) if tokens else segment


def _segment(recording: str, cue: Cue, runs: Sequence[Run]) -> Segment:
    start, end, _, line, properties, _, confidence = cue
    only = runs[0] if len(runs) == 1 else None
    text = only.text if only else "".join([run.text for run in runs])
    has_dashes = has_dash(text)
    if not has_dashes and only and not only.properties and "\n" not in text:
        return Segment(
            recording, tuple(split_words(text)), speaker=only.speaker, start_ns=start,
            end_ns=end, confidence=confidence, line=line,
            properties=_sorted(properties) if len(properties) > 1 else properties,
        )  # fmt: skip
    flat = text.replace("\n", " ")
    words = split_words(flat)
    spoken = spoken_words(text) if has_dashes else words
    is_less = spoken != words
    if flat != text or is_less:
        # with nothing but single blanks between words, lines have none at their ends
        is_plain = " ".join(words) == flat.strip(" ")
        layout = text.strip(" \n") if is_plain else "\n".join(lines_of(runs))
        if "\n" in layout or is_less:
            properties = (*properties, ("lines", layout))
    if (not only or only.properties) and any(run.properties for run in runs):
        properties = (*properties, *_marks(runs))
    return Segment(
        recording, tuple(spoken), speaker=runs[0].speaker if runs else None, start_ns=start,
        end_ns=end, confidence=confidence,
        properties=_sorted(properties), line=line,
    )  # fmt: skip


def _sorted(properties: Properties) -> Properties:
    """Sort properties by name, and remove duplicates."""
    return tuple(sorted(dict(properties).items())) if len(properties) > 1 else properties


def _marks(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    """Yield the properties of all runs. Values of properties with the same name are joined."""
    marks: dict[str, dict[str, None]] = {}
    for run in runs:
        is_blank = len(runs) > 1 and not strip_blanks(run.text)
        for name, text in run.properties:
            if not is_blank or name in ("ruby", "translation", "romanization"):
                values = text.split(" ") if name == "classes" else (text,)
                marks.setdefault(name, {}).update(dict.fromkeys(values))
    return ((name, " ".join(values)) for name, values in marks.items())


def _by_speaker(runs: Sequence[Run]) -> list[Sequence[Run]]:
    """Group adjacent runs with the same speaker, without blanks between groups."""
    groups: list[list[Run]] = []
    for run in runs:
        is_blank = not run.text.strip(TEXT_BLANKS + "\n")
        if groups and (is_blank or groups[-1][0].speaker == run.speaker):
            groups[-1].append(run)
        elif not is_blank:
            groups.append([run])
    return [*groups] or [runs]


def _by_chunk(runs: Sequence[Run]) -> list[list[Run]]:
    """Group runs by timed piece: one group for each piece.

    Text without times belongs to the piece before it, or at the beginning to the piece after it.
    """
    pieces: list[list[Run]] = []
    chunks: list[int | None] = []
    for run in runs:
        if pieces and (run.chunk is None or chunks[-1] in (None, run.chunk)):
            pieces[-1].append(run)
            chunks[-1] = run.chunk if chunks[-1] is None else chunks[-1]
        else:
            pieces.append([run])
            chunks.append(run.chunk)
    return [piece for piece in pieces if lines_of(piece)]


def _timed_words(runs: Sequence[Run]) -> list[Token] | None:
    """Return the words with times and confidences; `None` unless each piece begins one word."""
    tokens: list[Token] = []
    begun: set[int] = set()
    is_inside = False
    for run in runs:
        text = run.text.replace("\n", " ")
        words = [word for word in split_words(text) if word not in DASHES]
        if words and is_inside and text[0] not in TEXT_BLANKS:
            end = tokens[-1].end_ns if run.chunk is None else run.end_ns
            tokens[-1] = tokens[-1].replace(text=tokens[-1].text + words.pop(0), end_ns=end)
        for word in words:
            if run.chunk is None or run.chunk in begun:
                return None
            begun.add(run.chunk)
            tokens.append(Token(word, run.start_ns, run.end_ns, run.confidence))
        if text:
            is_inside = bool(tokens) and text[-1] not in TEXT_BLANKS
    return tokens
