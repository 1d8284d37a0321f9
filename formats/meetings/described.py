"""Reader of the turns of a text whose layout the user describes by patterns and rules.

The user's description has priority over all guesses. All lines are counted: lines that match a
pattern or rule, lines that continue a turn, and skipped lines.

A heading is a line with a speaker or times that apply to the turns below the heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from formats.io.messages import FRAMES_ASSUMED
from formats.io.source import Source
from formats.meetings.messages import (
    PATTERN_FAULT,
    PATTERN_FITS_NONE,
    PATTERN_LINES,
    PATTERN_LINES_LEFT,
    PATTERN_STAMPS,
    PATTERN_UNIT,
)
from formats.reading.frames import given_rate, usual_rate
from formats.reading.lines import split_words
from formats.reading.patterns import (
    CLOCK,
    DEFAULT_FPS,
    HOURS_TO_FRAMES,
    WIDE,
    Pattern,
    PatternError,
    TextRules,
    beginning_of,
    is_whole_number,
    line_fits,
    make_rules,
    parse_rules,
    parse_stamp,
    strip_edges,
)
from formats.schema.errors import OptionError
from formats.schema.messages import Entry, Message, message_of
from formats.schema.model import Segment

BETWEEN = re.compile(r"\n[ \t]*\n")
SHOWN = 3
STAMP_IN_LINE = re.compile(rf"(?<![0-9:]){CLOCK}")
IS_RULES = re.compile(r"(?m)^pattern(?:[ \t]|$)")


class _Turn(NamedTuple):
    """A turn: the values that a pattern matched, the line number of the match, and the words."""

    values: dict[str, str]
    unit: str
    line: int
    words: list[str]


def rules_of(pattern: str, side: str = "", fault: Entry = PATTERN_FAULT) -> TextRules:
    """Parse the value of an option: patterns with empty lines between them, or a file of rules.

    In a pattern, ``⏎`` is the end of a line.
    """
    try:
        text = pattern.replace("⏎", "\n")
        if IS_RULES.search(text):
            return parse_rules(pattern)
        return make_rules(BETWEEN.split(text.strip("\n")))
    except PatternError as problem:
        raise OptionError(value=Message(fault, {"problem": message_of(problem)}, side)) from None


class _Description:
    """Parses lines by rules, and counts the lines of each rule."""

    def __init__(self, source: Source, rules: TextRules) -> None:
        self.source = source
        self.rules = rules
        self.turns: list[_Turn] = []
        self.taken: Counter[str] = Counter()
        self.joined = 0
        self.left: list[tuple[int, str]] = []
        self.stamps = self.stamps_taken = 0
        self._held: dict[str, str] = {}
        self._held_unit = ""
        self._drops = [_drop_of(rule) for rule in rules.drop]
        self._is_open = False

    def read(self, lines: Sequence[tuple[int, str]]) -> None:
        """Read all lines of a text by the rules."""
        rows = [(number, strip_edges(line)) for number, line in lines]
        gaps = {number for number, line in rows if not line}
        rows = [(number, line) for number, line in rows if line]
        texts = [line for _, line in rows]
        rules = self.rules
        is_speech = not rules.begin
        index = 0
        while index < len(rows):
            number, line = rows[index]
            has_stamp = STAMP_IN_LINE.search(line) is not None
            if not is_speech:
                is_speech = line_fits(rules.begin, line) is not None
                self._count("begin", line, number, is_taken=is_speech)
            elif line_fits(rules.stop, line) is not None:
                self.taken["stop"] += 1
                self.left += rows[index + 1 :]
                return
            elif (position := line_fits(rules.skip, line)) is not None:
                rule = rules.skip[position]
                self.taken[f"skip {rule if isinstance(rule, str) else rule.source}"] += 1
            else:
                self.stamps += has_stamp
                after = self._take(texts, index, number)
                if after is not None:
                    self.stamps_taken += has_stamp
                    index = after
                    continue
                if rules.blank_ends and number - 1 in gaps:
                    self._is_open = False
                self._more(line, number)
            index += 1

    def _count(self, word: str, line: str, number: int, *, is_taken: bool) -> None:
        if is_taken:
            self.taken[word] += 1
        else:
            self.left.append((number, line))

    def _take(self, texts: list[str], index: int, number: int) -> int | None:
        """Apply the first pattern that matches the lines from `index` on.

        Return the index after the matched lines; `None` if no pattern matches.
        """
        for pattern in self.rules.patterns:
            match = pattern.take_all(texts, index)
            if match is None:
                continue
            values, after = match
            self.taken[pattern.source] += 1
            if pattern.is_heading:
                self._hold(values, pattern)
                self._is_open = False
            else:
                self._begin(values, pattern, number)
            return after
        return None

    def _hold(self, values: dict[str, str], pattern: Pattern) -> None:
        """Store the speaker or times of a heading for the turns below it."""
        if "start" in values:
            self._held.pop("end", None)
        self._held.update(values)
        self._held_unit = pattern.unit or self._held_unit

    def _begin(self, values: dict[str, str], pattern: Pattern, number: int) -> None:
        """Begin a turn with the speaker of the heading above it."""
        text = values.pop("text", "")
        held = dict(self._held)
        for name in ("start", "end", "id"):
            self._held.pop(name, None)
        if self.rules.carry and self.turns:
            held.setdefault("speaker", self.turns[-1].values.get("speaker", ""))
        unit = pattern.unit or self._held_unit
        self.turns.append(_Turn({**held, **values}, unit, number, self._words(text)))
        self._is_open = True
        if values.get("speaker") and "speaker" in self._held:
            self._held["speaker"] = values["speaker"]

    def _more(self, line: str, number: int) -> None:
        """Add a line to the current turn."""
        if self._is_open:
            self.joined += 1
            self.turns[-1].words.extend(self._words(line))
        elif self._held and not (self.rules.blank_ends and self._is_closed(number)):
            held = dict(self._held)
            for name in ("start", "end", "id"):
                self._held.pop(name, None)
            self.turns.append(_Turn(held, self._held_unit, number, self._words(line)))
            self._is_open = True
            self.joined += 1
        else:
            self.left.append((number, line))

    def _is_closed(self, number: int) -> bool:
        """Return True if a blank line before line `number` has ended the last turn."""
        return bool(self.turns) and number > self.turns[-1].line and self.rules.blank_ends

    def _words(self, text: str) -> list[str]:
        for drop in self._drops:
            text = drop.sub(" ", text)
        return split_words(text)


def _drop_of(rule: Pattern | str) -> re.Pattern[str]:
    """Return the regular expression for the text to drop, given as a pattern or literal text."""
    if isinstance(rule, str):
        return re.compile(re.escape(rule))
    return re.compile(beginning_of(rule.lines[0].pattern).replace(".*)", ".*?)"))


def _inline(lines: Sequence[tuple[int, str]], rules: TextRules) -> list[tuple[int, str]]:
    """Divide running text where a turn begins; return the pieces, numbered from 1."""
    text = " ".join(strip_edges(line) for _, line in lines)
    heads = []
    for pattern in rules.patterns:
        expression = beginning_of(pattern.lines[0].pattern).partition("(?P<text>")[0]
        heads += [match.start() for match in re.finditer(expression, text.translate(WIDE))]
    starts = sorted({0, *heads})
    return [
        (number, text[begin:end])
        for number, (begin, end) in enumerate(
            zip(starts, [*starts[1:], len(text)], strict=True), 1
        )
    ]  # fmt: skip


def described_turns(
    source: Source, lines: Sequence[tuple[int, str]], rules: TextRules, fps: str = ""
) -> list[Segment]:
    """Return the turns that the rules find in the lines.

    Report how many lines each rule matched.
    """
    if not any(line.strip() for _, line in lines):
        return []
    description = _Description(source, rules)
    description.read(_inline(lines, rules) if rules.inline else lines)
    for pattern in rules.patterns:
        if not description.taken[pattern.source]:
            fields = {"pattern": _shown(pattern.source)}
            raise source.error_of(PATTERN_FITS_NONE, None, **fields)
    _report(source, description)
    _check_units(source, description.turns)
    frames = [
        int(match[1][-2:]) for turn in description.turns for name in ("start", "end")
        if (match := HOURS_TO_FRAMES.match(turn.values.get(name, ""))) is not None
    ]  # fmt: skip
    if frames and not fps:
        fps = str(usual_rate(frames))
        source.log.say(FRAMES_ASSUMED, fps=fps)
    rate = given_rate(fps) if fps else None
    per_second = rate.above / rate.below if rate else DEFAULT_FPS
    segments = [_segment(source, turn, per_second) for turn in description.turns]
    return _until_next(segments) if rules.inline else segments


def _until_next(segments: list[Segment]) -> list[Segment]:
    """Give each turn that has no end the start of the next turn as its end."""
    ends = [*(segment.start_ns for segment in segments[1:]), None]
    return [
        segment.replace(end_ns=end)
        if segment.end_ns is None and None not in (segment.start_ns, end)
        and end >= segment.start_ns  # type: ignore[operator]
        else segment
        for segment, end in zip(segments, ends, strict=True)
    ]  # fmt: skip


def _shown(pattern: str) -> str:
    return pattern.replace("\n", "⏎")


def _report(source: Source, description: _Description) -> None:
    """Report how many lines each pattern and rule matched, and how many matched none."""
    taken = [f"{_shown(name)}: {count}" for name, count in description.taken.items()]
    counts: dict[str, object] = {
        "taken": taken,
        "joined": description.joined,
        "left": len(description.left),
    }
    if description.left:
        first = [f"{number}: {line[:80]}" for number, line in description.left[:SHOWN]]
        source.log.say(PATTERN_LINES_LEFT, **counts, first=first)
    else:
        source.log.say(PATTERN_LINES, **counts)
    if description.stamps > 3 and 2 * description.stamps_taken < description.stamps:
        source.log.say(PATTERN_STAMPS, taken=description.stamps_taken, stamps=description.stamps)


def _check_units(source: Source, turns: Sequence[_Turn]) -> None:
    """Raise an error if all starts are whole numbers and their unit is unknown."""
    starts = [turn.values["start"] for turn in turns if turn.values.get("start")]
    if len(starts) > 1 and all(map(is_whole_number, starts)) and not any(t.unit for t in turns):
        fields = {"first": starts[0], "last": starts[-1]}
        raise source.error_of(PATTERN_UNIT, turns[0].line, **fields)


def _segment(source: Source, turn: _Turn, fps: float) -> Segment:
    values = turn.values
    times = [
        parse_stamp(values[name], turn.unit, fps=fps) if values.get(name) else None
        for name in ("start", "end")
    ]
    start, end = times
    return Segment(
        source.recording, tuple(turn.words), speaker=strip_edges(values.get("speaker", "")) or None,
        start_ns=start, end_ns=end if end is None or end >= (start or 0) else None,
        utterance=values.get("id"), line=turn.line,
    )  # fmt: skip
