"""`formats diff`: the differences of two files in any formats, as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from formats.cli.inputs import InputAccount, as_usage, open_input, tell_idle_options
from formats.cli.output import put_json, show, tell
from formats.reading.inputs import Input
from formats.schema.errors import OptionError
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_time
from scoring.cli.formats.differences import (
    Differences,
    Hunk,
    KnownWord,
    RecordingPart,
    compare,
    hunks,
)
from scoring.drawing.blocks import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

OK, DIFFERENT = 0, 3


def run(arguments: Namespace) -> int:
    """Compare the files; return the exit status: 0 without differences, 3 with differences."""
    if arguments.left == arguments.right == "-":
        raise OptionError("standard input can be read only once")
    inputs = (arguments.left, arguments.from_), (arguments.right, arguments.from_b)
    (left, left_account), (right, right_account) = (
        _compared_segments(path, name, arguments) for path, name in inputs
    )
    differences = compare(left, right, tolerance_ns=round(arguments.tolerance_seconds * SECOND))
    tell_idle_options(arguments, (left_account, right_account))
    if arguments.json is not None:
        put_json(arguments.json, "file-differences", **_record(differences, arguments))
    if arguments.json != "-":
        from formats.console.command_line import is_screen, line_width, use_colour
        from scoring.drawing.text import Appearance, text_lines

        look = Appearance(line_width(arguments), use_colour(arguments), is_screen=is_screen())
        names = arguments.left, arguments.right
        for line in text_lines(blocks_of(differences, names, arguments.context), look):
            show(line, is_drawn=True)
    is_same = not (differences.are_there or left_account.status or right_account.status)
    return OK if is_same else DIFFERENT


def _compared_segments(
    path: str, name: str | None, arguments: Namespace
) -> tuple[list[Segment], InputAccount]:
    """Return the segments of a file, and an account that counts its skipped records."""
    from formats.cli.arguments import selection
    from formats.detection import by_name

    if name is not None:
        as_usage(by_name, name)
    arguments.from_ = name
    account = InputAccount(Input(path, path))
    with open_input(path, arguments) as segments:
        try:
            account.format, chosen = segments.format, selection(arguments)
            selected = list(chosen.of(segments))
            account.excluded = chosen.excluded
            return selected, account
        finally:
            account.take_remarks(segments)
            for message in account.messages:
                tell(message)


def blocks_of(differences: Differences, names: tuple[str, str], context: int) -> Iterator[Block]:
    """Yield the parts of the report: changed words, times, speakers, totals.

    `names` are the names of both files; `context` is the number of equal words around changed
    words.
    """
    from scoring.drawing.blocks import Heading, Items, Running, Sentence, Table

    for part in differences.parts:
        for hunk in hunks(part, context):
            yield Heading(_where(part, hunk, names), 3)
            yield Running(hunk.alignment, context)
    if differences.times:
        yield Heading("Times of the same words")
        rows = [
            (left.text, *_lines(left, right), *map(_span, (left, right)), format_time(apart, 3))
            for _, left, right, apart in differences.times
        ]
        yield Table(("word", *names, "there s", "here s", "apart s"), rows)
    if differences.speakers:
        yield Heading("Speakers of the same words")
        rows = [
            (*pair, *_lines(left, right), f"{count}")
            for pair, (count, left, right) in differences.speakers.items()
        ]
        yield Table((*names, "first in line", "and line", "words"), rows, 2)
    counts = differences.counts
    words = ", ".join(f"{counts[kind]} {kind}" for kind in counts)
    if differences.are_there:
        yield Items([""])
    yield Sentence(
        f"words: {words}; other times: {len(differences.times)}; other speakers: "
        f"{sum(count for count, _, _ in differences.speakers.values())}"
    )
    for (kind, side), count in differences.lone.items():
        yield Sentence(f"only in {names[side]}: {kind} of {count} words")


def _lines(*words: KnownWord | None) -> list[str]:
    return ["" if word is None or word.line is None else f"{word.line}" for word in words]


def _span(word: KnownWord) -> str:
    start, end, first, last = ("…" if time is None else format_time(time, 3) for time in word.times)
    return f"{start}-{end}" if word.times[0] is not None else f"{first}-{last}"


def _where(part: RecordingPart, hunk: Hunk, names: tuple[str, str]) -> str:
    lines = _lines(hunk.left, hunk.right)
    places = [f"{name}:{line}" if line else name for name, line in zip(names, lines, strict=True)]
    parts = [part.name, " ".join(places)]
    begins = (word.place_ns for word in (hunk.left, hunk.right) if word is not None)
    time = next((time for time in begins if time is not None), None)
    if time is not None:
        parts.append(f"{format_time(time, 3)} s")
    return ", ".join(filter(None, parts))


def _record(differences: Differences, arguments: Namespace) -> dict[str, object]:
    """Return the differences as data for JSON; times are in seconds."""
    return {
        "files": [arguments.left, arguments.right],
        "tolerance": arguments.tolerance_seconds,
        "is_different": differences.are_there,
        "counts": dict(differences.counts),
        "words": [
            {
                "part": part.name,
                "words": [list(hunk.alignment.reference), list(hunk.alignment.hypothesis)],
                "lines": [None if left is None else left.line for left in (hunk.left, hunk.right)],
            }
            for part in differences.parts
            for hunk in hunks(part, 0)
        ],
        "times": [
            {
                "part": name,
                "word": left.text,
                "lines": [left.line, right.line],
                "times": [[_seconds(time) for time in word.times] for word in (left, right)],
                "apart": apart / SECOND,
            }
            for name, left, right, apart in differences.times
        ],
        "speakers": [
            {"names": list(pair), "word_count": count, "lines": [left.line, right.line]}
            for pair, (count, left, right) in differences.speakers.items()
        ],
        "on_one_side_only": {
            kind: [differences.lone[kind, side] for side in (0, 1)]
            for kind in ("times", "speakers")
        },
    }


def _seconds(time: int | None) -> float | None:
    return None if time is None else time / SECOND
