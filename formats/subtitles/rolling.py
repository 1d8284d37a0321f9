"""Rolling captions: cues that say again what the cue before them said.

Live captions show a window of two or three lines that moves on line by line, and karaoke shows
the same line once per word. Read as a transcript, every word comes twice or more. A cue repeats
its predecessor if it follows within a second and its first lines are the last lines of that one.

Where at least half of the cues do, a warning says so. Nothing is left out unless asked for: with
``dedupe=True`` the repeated lines go, cues with nothing else in them go altogether, and the cue
whose whole text such a cue repeats lasts as long as the repetition does.
"""

from __future__ import annotations

from formats.lines import strip_blanks
from formats.subtitles.cues import Cue, Run, lines_of
from formats.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.source import Source

__all__ = ["without_repetitions"]

MOST_LINES = 10
LEAST_CUES = 3
LONGEST_GAP = SECOND


def without_repetitions(source: Source, cues: Iterator[Cue], *, dedupe: bool) -> Iterator[Cue]:
    """The cues, without what they repeat if so asked; a warning if they seem to roll."""
    count = repeating = removed = gone = 0
    before: list[str] = []
    before_end: int | None = None
    held: Cue | None = None
    for cue in cues:
        lines = lines_of(cue.runs)
        repeated = 0
        if lines and lines[0] in before and _follows(before_end, cue.start_ns):
            repeated = _repeated(before, lines)
        count += 1
        repeating += repeated > 0
        before, before_end = lines, cue.end_ns
        if not dedupe:
            yield cue
            continue
        if repeated:
            removed += repeated
            if repeated == len(lines):
                gone += 1
                if held is not None and lines_of(held.runs) == lines:
                    held = held._replace(end_ns=_later(held.end_ns, cue.end_ns))
                continue
            cue = cue._replace(runs=_without_lines(cue.runs, repeated))
        if held is not None:
            yield held
        held = cue
    if held is not None:
        yield held
    if removed:
        source.log.note(
            "ROLLING", f"{removed} repeated lines left out, {gone} cues with nothing else in them"
        )
    elif count > LEAST_CUES and repeating * 2 >= count - 1:
        source.log.warn(
            "ROLLING",
            f"{repeating} of {count} cues begin with the last line of the cue before them: rolling "
            "captions or karaoke, in which words are counted again (--dedupe-rolling)",
        )


def _follows(end: int | None, start: int | None) -> bool:
    return end is None or start is None or start <= end + LONGEST_GAP


def _later(one: int | None, other: int | None) -> int | None:
    return other if one is None or other is None else max(one, other)


def _repeated(before: Sequence[str], lines: Sequence[str]) -> int:
    """How many of the first lines are the last lines of the cue before."""
    for size in range(min(len(before), len(lines), MOST_LINES), 0, -1):
        if before[-size:] == lines[:size]:
            return size
    return 0


def _without_lines(runs: Sequence[Run], count: int) -> tuple[Run, ...]:
    """The runs without their first `count` lines that have text."""
    kept: list[Run] = []
    has_text = False
    for run in runs:
        pieces = run.text.split("\n")
        done = 0
        while count and done < len(pieces) - 1:
            has_text |= bool(strip_blanks(pieces[done]))
            done += 1
            if has_text:
                count -= 1
                has_text = False
        if count:
            has_text |= bool(strip_blanks(pieces[done]))
        else:
            kept.append(run._replace(text="\n".join(pieces[done:])))
    return tuple(kept)
