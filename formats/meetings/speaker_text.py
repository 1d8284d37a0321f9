"""speaker-text: plain text with speakers or times, recognised by a repeated pattern.

`formats.meetings.turns` defines the patterns, and decides whether a text matches one of them.
``markdown`` is the same format with bold names and one paragraph per turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from formats.detection.spec import FormatSpec, Option, SegmentSource, Sniff
from formats.io.source import Source
from formats.meetings.messages import (
    RULE_LONE_MARKS,
    RULE_NAMELESS,
    RULE_NO_BEGIN,
    RULE_READ_AS_TIMES,
    RULE_READ_WITHOUT_TAGS,
    RULE_READABLE_NAMES,
    RULE_STAMPS,
    RULE_STRIPPED,
    WRITTEN_FAULT,
)
from formats.meetings.turns.choice import Trust, choice_of, may_have_turns
from formats.meetings.turns.corrections import checked_turns, from_first
from formats.meetings.turns.dense_script import play_of
from formats.meetings.turns.heads import (
    CLOCK_WORD,
    MARKS,
    UNTIMED,
    UNTIMED_MARKDOWN,
    TurnHead,
    head_of_turn,
    written_head,
)
from formats.meetings.turns.reading import segments_of_turns
from formats.meetings.turns.records import records_of
from formats.reading.frames import FPS
from formats.reading.lines import split_words
from formats.reading.marks import TAG, with_entities, without_entities
from formats.reading.patterns import strip_edges
from formats.reading.speakers import NO_NAME
from formats.schema.model import Segment
from formats.schema.times import format_clock
from formats.writing.out import Out

if TYPE_CHECKING:
    from formats.io.sink import Sink

CLOSE_GAPS = Option(
    "close_gaps", False, "extend turns that have no end to the start of the next turn"
)
PATTERN = Option(
    "pattern",
    "",
    "layout of a text, for example '[{start}] {speaker}: {text}', or @FILE with rules (repeatable)",
    is_repeatable=True,
)
WRITE_PATTERN = Option(
    "write_pattern",
    "",
    "layout of the text to write, with the placeholders of --pattern, or "
    "@FILE with patterns (repeatable)",
    is_repeatable=True,
)
STAMPS = Option("stamps", False, "write the time of each segment or turn before the text")
LONGEST = 40


def read(
    source: Source, *, close_gaps: bool = False, pattern: str = "", fps: str = ""
) -> Iterator[Segment]:
    """Yield one segment per turn."""
    if pattern:
        from formats.meetings.described import described_turns, rules_of

        rules = rules_of(pattern, source.log.side)
        turns = described_turns(source, list(source.lines()), rules, fps)
        turns = from_first(source, turns) if rules.clock else turns
        yield from checked_turns(source, turns, close_gaps=close_gaps)
        return
    expected = 'turns in most paragraphs, as "Name  0:12", "[0:12] Name: text", "Name: text"'
    lines = list(without_entities(source.lines()))
    yield from segments_of_turns(
        source, lines, 1, expected, close_gaps=close_gaps, least=Trust.LIKELY, fps=fps
    )


@lru_cache(maxsize=1)
def _are_records_or_play(lines: tuple[str, ...]) -> bool:
    """Return True for records of fields or a screenplay."""
    numbered = list(enumerate(lines, 1))
    return records_of(numbered) is not None or play_of(numbered) is not None


def sniff(lines: Sequence[str], *, is_markdown: bool) -> Sniff:
    """Return `SURE` or `MAYBE` if a layout fits many paragraphs at the beginning of the text."""
    numbered = list(without_entities(enumerate(lines, 1)))
    beginning = tuple(line for _, line in numbered)
    if not may_have_turns(beginning):
        return Sniff.NO
    if _are_records_or_play(beginning):
        return Sniff.NO if is_markdown else Sniff.SURE
    trust, layout, *_ = choice_of(numbered)
    if layout is None or trust < Trust.DOUBTFUL:
        return Sniff.NO
    is_bold = layout.is_marked or layout.pattern == UNTIMED_MARKDOWN
    answer = Sniff.SURE if trust is Trust.SURE else Sniff.MAYBE
    return answer if is_bold is is_markdown else Sniff.NO


def write(
    segments: SegmentSource, sink: Sink, *, stamps: bool = False, write_pattern: str = "",
    fps: str = "",
) -> None:  # fmt: skip
    """Write one line per turn: ``[00:00:12.500 - 00:00:14.000] Anna: hello``.

    With `write_pattern`, the pattern gives the form of the lines.
    """
    if write_pattern:
        from formats.meetings.described import rules_of
        from formats.meetings.described_writing import write_described

        write_described(segments, sink, rules_of(write_pattern, fault=WRITTEN_FAULT), fps)
        return
    for segment in segments:
        sink.write(_line(Out(segment, sink), "{}:", UNTIMED, stamps=stamps))


def write_markdown(segments: SegmentSource, sink: Sink, *, stamps: bool = False) -> None:
    """Write one paragraph per turn, ``[00:00:12.500 - 00:00:14.000] **Anna:** hello``."""
    between = ""
    for segment in segments:
        line = _line(Out(segment, sink), "**{}:**", UNTIMED_MARKDOWN, stamps=stamps)
        sink.write(between + line)
        between = "\n"


def _line(out: Out, form: str, untimed: str, *, stamps: bool) -> str:
    """Return the line of a turn: with its times in the form `form`, without times in `untimed`."""
    stamp = _stamp(out, stamps=stamps)
    head = written_head if stamp else partial(head_of_turn, untimed)
    name = _written_name(out, lambda name: stamp + form.format(name), head)
    text = out.plain_text()
    shown = strip_edges(text.strip()).strip()  # as far as readers leave blanks out, and more
    out.lost("words with blanks", int(shown != text), RULE_STRIPPED)
    is_marked = form != "{}:" and any(shown.count(mark) % 2 for mark in MARKS)
    out.lost("words", int(is_marked), RULE_LONE_MARKS)
    ends = () if stamp else (shown.partition(" ")[0], shown.rpartition(" ")[2])
    is_time = any(CLOCK_WORD.match(word) is not None for word in ends)
    out.lost("lines that look like times", int(is_time), RULE_READ_AS_TIMES)
    is_tagged = ">" in shown and TAG.search(shown) is not None
    out.lost("words", int(is_tagged), RULE_READ_WITHOUT_TAGS)
    return f"{stamp}{form.format(name)} {with_entities(shown)}".rstrip(" ") + "\n"


def _written_name(
    out: Out, head: Callable[[str], str], read_head: Callable[[str], TurnHead | None]
) -> str:
    """Return the speaker's name."""
    speaker = out.segment.speaker or ""
    clean = " ".join(split_words(" ".join(speaker.splitlines()).translate(NO_NAME)))
    for name in (speaker, clean, f"Speaker {clean}", f"Speaker {clean[:LONGEST]}"):
        read_back = read_head(head(name))
        # a reader cuts lines first
        is_one_line = len(name.splitlines()) < 2
        if is_one_line and read_back is not None and read_back.name == name:
            rule = RULE_READABLE_NAMES
            out.lost("names of speakers", int(name != speaker), rule)
            return name
    out.lost("speakers", 1, RULE_NAMELESS)
    return "Speaker"


def _stamp(out: Out, *, stamps: bool) -> str:
    """Return the times that are written before a turn; count the times that are not written."""
    start, end = out.segment.start_ns, out.segment.end_ns
    if not stamps or start is None:
        rule = RULE_STAMPS if start is not None else RULE_NO_BEGIN
        out.lost("segment times", int(start is not None or end is not None), rule)
        return ""
    clocks = [format_clock(time) for time in out.round(3, start, start if end is None else end)]
    return f"[{clocks[0]}] " if end is None else f"[{clocks[0]} - {clocks[1]}] "


def _spec(title: str, *, is_markdown: bool) -> FormatSpec:
    recognise: Callable[[Sequence[str]], Sniff] = partial(sniff, is_markdown=is_markdown)
    return FormatSpec(
        title=title,
        sign="turns in most paragraphs",
        read=read,
        sniff=recognise,
        write=write_markdown if is_markdown else write,
        holds="words, speakers, segment times, empty segments, segment boundaries",
        needs=("speakers",),
        read_options=(CLOSE_GAPS, PATTERN, FPS),
        write_options=(STAMPS,) if is_markdown else (STAMPS, WRITE_PATTERN, FPS),
    )


SPEC = _spec(
    "text with speakers and times, as Otter, Rev, Zoom, Meet and interviewers write it",
    is_markdown=False,
)
MARKDOWN_SPEC = _spec("Markdown with speakers in bold or as headings, and times", is_markdown=True)
