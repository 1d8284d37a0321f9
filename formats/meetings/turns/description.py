"""The layout of a text, described by rules in the syntax of patterns, which a user can edit."""

from __future__ import annotations

import re
from collections import Counter

from formats.meetings.layouts import INSIDE, Folded
from formats.meetings.turns.accounts import TurnLayout
from formats.meetings.turns.choice import Trust, choice_of
from formats.meetings.turns.corrections import HOUR, MORNING, are_of_day
from formats.meetings.turns.heads import (
    BLOCKS,
    UNTIMED,
    WRITTEN_UNTIMED,
    example_of,
    head_of,
    row_of,
)
from formats.meetings.turns.inside import names_between
from formats.meetings.turns.lines import FOOTER, STAMP
from formats.meetings.turns.names import carries, lone_names, return_names
from formats.meetings.turns.plain import Lines
from formats.meetings.turns.records import pattern_of_records, records_of
from formats.reading.lines import strip_blanks
from formats.reading.patterns import parse_stamp
from formats.reading.speakers import NOTATIONS

MOST_PATTERNS = 20
MOST_SKIPS = 10
PLACEHOLDERS = re.compile(r"\{[^{}]{1,200}\}")


def description_of(lines: Lines) -> list[str]:
    """Return the rules for reading a text, one per line; empty for a text without turns."""
    if (records := records_of(lines)) is not None:
        rows = pattern_of_records(records, lines)
        return [f"pattern {rows[0]}"] if len(rows) == 1 else ["pattern", *(f"  {x}" for x in rows)]
    trust, layout, text, _ = choice_of(lines)
    if layout is None or text is None or trust < Trust.NAMED:
        return []
    if layout.pattern == INSIDE:
        first = next((time for _, line in lines for time in STAMP.findall(line)), "0:00")
        between = names_between([(n, strip_blanks(line)) for n, line in lines])
        shapes: dict[str, list[str]] = {}
        for line, name in between.items():
            shapes.setdefault(line.replace(name, "{}", 1), []).append(name)
        rules = [
            "pattern [{start}] {text}",
            *(
                "pattern " + shape.replace("{}", f"{{speaker {'|'.join(listed)}}}")
                for shape, listed in shapes.items()
            ),
            "inline",
        ]
        return [*rules, "clock"] if parse_stamp(first) >= HOUR else rules
    notation = UNTIMED if layout.pattern == BLOCKS else layout.pattern
    heads = dict(text.heads(notation))
    return_names(layout.pattern, heads, text)
    names = lone_names(text, heads) if layout.timed and layout.pattern != BLOCKS else {}
    first = min(heads, default=0)
    row = row_of(notation)
    counts: Counter[str] = Counter()
    if layout.pattern == BLOCKS:
        heads = {n: head for n, head in heads.items() if n > 0}
        counts["{start}"] += len(lines)
    for n, head in heads.items():
        is_timed = head.start is not None or head.end is not None or not layout.timed
        pattern = layout.pattern if row is not None and is_timed else ""
        counts[example_of(pattern or _notation_of(text.folded[n], layout), text.folded[n])] += 1
    patterns = [pattern for pattern, _ in counts.most_common(MOST_PATTERNS)]
    patterns.sort(key=lambda pattern: -len(PLACEHOLDERS.sub("", pattern)))
    rules = [f"pattern {pattern}" for pattern in patterns]
    if names:
        listed = "|".join(dict.fromkeys(names.values()))
        position = next(iter(names))
        line = text.folded[position].line
        rules.append("pattern " + line.replace(names[position], f"{{speaker {listed}}}", 1))
    above = [text.folded[n] for n in range(first)] if layout.pattern in NOTATIONS else []
    heading = filter(None, (head_of(layout.pattern, folded) for folded in above))
    rules += [f"skip {named.name}: {{_}}" for named in heading]
    marks = [n for n in sorted(text.rules(notation)) if n > first and n not in names]
    rules += [f"skip {text.folded[n].line}" for n in marks][:MOST_SKIPS]
    footers = dict.fromkeys(f.line for f in text.folded if FOOTER.match(f.text))
    rules += [f"skip {line}" for line in footers][:MOST_SKIPS]
    starts = [head.start for head in heads.values() if head.start is not None]
    are_late = bool(starts) and starts[0] >= MORNING
    are_late = are_late and are_of_day(text.folded[n].line for n in heads)
    if are_late or (row is not None and row.is_clock):
        rules.append("clock")
    if carries(layout.pattern):
        rules.append("carry")
    return list(dict.fromkeys(rules))


def _notation_of(folded: Folded, layout: TurnLayout) -> str:
    """Return the notation of a line that has a name but no time, such as ``Name: text``."""
    if layout.pattern in NOTATIONS:
        return layout.pattern
    return next((name for name in WRITTEN_UNTIMED if head_of(name, folded)), UNTIMED)
