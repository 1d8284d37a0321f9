"""`formats diff`: what two files of any formats disagree about, as text or as JSON."""

from __future__ import annotations

from formats.cli.differences import compare, hunks
from formats.cli.inputs import as_usage, open_input
from formats.cli.output import say, show
from formats.errors import OptionError
from formats.times import SECOND, format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from formats.cli.differences import Differences, Hunk, KnownWord, RecordingPart
    from formats.model import Segment
    from scoring.drawing.blocks import Block

OK, DIFFERENT = 0, 3
JSON_VERSION = 1


def run(arguments: argparse.Namespace) -> int:
    """Compare; the exit status: 0 if nothing differs, else 3."""
    if arguments.left == arguments.right == "-":
        raise OptionError("standard input can be read once only")
    sides = [
        _segments(path, name, arguments)
        for path, name in ((arguments.left, arguments.from_), (arguments.right, arguments.to))
    ]
    found = compare(*sides, tolerance_ns=round(arguments.tolerance_seconds * SECOND))
    if arguments.report_format == "json":
        import json

        show(json.dumps(_record(found, arguments), ensure_ascii=False, indent=1))
    else:
        from formats.command_line import line_width, use_colour
        from scoring.drawing.text import Appearance, text_lines

        look = Appearance(line_width(arguments), use_colour(arguments))
        names = arguments.left, arguments.right
        for line in text_lines(blocks_of(found, names, arguments.context), look):
            show(line, is_drawn=True)
    return DIFFERENT if found.are_there else OK


def _segments(path: str, name: str | None, arguments: argparse.Namespace) -> list[Segment]:
    from formats.cli.arguments import selection
    from formats.registry import by_name

    if name is not None:
        as_usage(by_name, name)
    arguments.from_ = name
    with open_input(path, arguments) as segments:
        try:
            return list(selection(arguments).of(segments))
        finally:
            for one in segments.diagnostics:
                if one.severity != "note":
                    say(f"{one}")


def lines_of(found: Differences, names: tuple[str, str]) -> Iterator[str]:
    """The differences as lines of text; `names` are of the two sides."""
    from scoring.drawing.text import text_lines

    return (line for line in text_lines(blocks_of(found, names, 1)) if line)


def blocks_of(found: Differences, names: tuple[str, str], context: int) -> Iterator[Block]:
    """The differences as a page: words, times, speakers, and a sum; `names` are of the files."""
    from scoring.drawing.blocks import Heading, Items, Running, Sentence, Table

    for part in found.parts:
        for hunk in hunks(part, context):
            yield Heading(_where(part, hunk, names), 3)
            yield Running(hunk.alignment, context)
    if found.times:
        yield Heading("Times of the same words")
        rows = [
            (one.text, *_lines(one, other), *map(_span, (one, other)), format_time(apart, 3))
            for _, one, other, apart in found.times
        ]
        yield Table(("word", *names, "there s", "here s", "apart s"), rows)
    if found.speakers:
        yield Heading("Speakers of the same words")
        rows = [
            (*pair, *_lines(one, other), f"{count}")
            for pair, (count, one, other) in found.speakers.items()
        ]
        yield Table((*names, "first in line", "and line", "words"), rows, 2)
    counts = found.counts
    words = ", ".join(f"{counts[kind]} {kind}" for kind in counts)
    if found.are_there:
        yield Items([""])
    yield Sentence(
        f"words: {words}; other times: {len(found.times)}; other speakers: "
        f"{sum(count for count, _, _ in found.speakers.values())}"
    )
    for (kind, side), count in found.lone.items():
        yield Sentence(f"only in {names[side]}: {kind} of {count} words")


def _lines(left: KnownWord | None, right: KnownWord | None) -> tuple[str, str]:
    one, other = (
        "" if word is None or word.line is None else f"{word.line}" for word in (left, right)
    )
    return one, other


def _span(word: KnownWord) -> str:
    start, end, first, last = ("…" if time is None else format_time(time, 3) for time in word.times)
    return f"{start}-{end}" if word.times[0] is not None else f"{first}-{last}"


def _where(part: RecordingPart, hunk: Hunk, names: tuple[str, str]) -> str:
    lines = _lines(hunk.left, hunk.right)
    places = [f"{name}:{line}" if line else name for name, line in zip(names, lines, strict=True)]
    told = [part.name, " ".join(places)]
    known = (word.place_ns for word in (hunk.left, hunk.right) if word is not None)
    time = next((time for time in known if time is not None), None)
    if time is not None:
        told.append(f"{format_time(time, 3)} s")
    return ", ".join(filter(None, told))


def _record(found: Differences, arguments: argparse.Namespace) -> dict[str, object]:
    """What differs, for programs; times in seconds."""
    return {
        "version": JSON_VERSION,
        "files": [arguments.left, arguments.right],
        "tolerance": arguments.tolerance_seconds,
        "different": found.are_there,
        "counts": dict(found.counts),
        "words": [
            {
                "part": part.name,
                "words": [list(hunk.alignment.reference), list(hunk.alignment.hypothesis)],
                "lines": [None if one is None else one.line for one in (hunk.left, hunk.right)],
            }
            for part in found.parts
            for hunk in hunks(part, 0)
        ],
        "times": [
            {
                "part": name,
                "word": one.text,
                "lines": [one.line, other.line],
                "times": [[_seconds(time) for time in word.times] for word in (one, other)],
                "apart": apart / SECOND,
            }
            for name, one, other, apart in found.times
        ],
        "speakers": [
            {"names": list(pair), "words": count, "lines": [one.line, other.line]}
            for pair, (count, one, other) in found.speakers.items()
        ],
        "on_one_side_only": {
            kind: [found.lone[kind, side] for side in (0, 1)] for kind in ("times", "speakers")
        },
    }


def _seconds(time: int | None) -> float | None:
    return None if time is None else time / SECOND
