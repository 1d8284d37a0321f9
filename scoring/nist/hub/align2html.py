"""`align2html.pl`: turns asclite's alignment log into a folder of HTML pages.

`index.html` lists the recordings, and the groups by number of speakers. `RECORDING_CHANNEL.html`
lists the segment groups of a channel. `segmentgroup-ID.html` lists the aligned words of a group.
Page names and figures are those of NIST's program. The pages have no drawings and no scripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

from scoring.drawing.templates import rendered
from scoring.nist.hub.lines import leading_number
from scoring.nist.hub.rttm_tools import DiedError
from scoring.nist.hub.validators import lines_of
from scoring.nist.transcripts.characters import byte_text

MARK = "[ALIGNMENT]"
COLUMNS = 27
ESCAPED = ("utf-8", "surrogateescape")
REFERENCE, SYSTEM = "ref", "hyp"
# Where the eleven columns of a side begin.
SIDES = {REFERENCE: 5, SYSTEM: 16}
KINDS = {"C": "correct", "S": "substituted", "I": "inserted", "D": "deleted", "P": "speaker"}
GAP = "INTER_SEGMENT_GAP"


@dataclass(slots=True)
class ShownToken:
    """A word of a segment group. Times are in seconds."""

    side: str
    segment: str
    speaker: str
    begin: float
    end: float
    text: str
    is_timed: bool
    segment_times: tuple[float, float]

    @property
    def is_empty(self) -> bool:
        """True if the token stands for a segment without words."""
        return not self.text and self.segment_times == (0, 0)


@dataclass(slots=True)
class ShownGroup:
    """A segment group.

    An edit is a letter of `CSIDP`, and a token or None for each side.
    """

    name: str
    recording: str
    channel: str
    tokens: dict[tuple[str, str], ShownToken] = field(default_factory=dict)
    edits: list[tuple[str, ShownToken | None, ShownToken | None]] = field(default_factory=list)

    def of(self, side: str) -> list[ShownToken]:
        """Return the tokens of one side."""
        return [token for token in self.tokens.values() if token.side == side]

    @property
    def reference_speakers(self) -> int:
        """The number of speakers in the reference."""
        return len({token.speaker for token in self.of(REFERENCE)} - {GAP})

    @property
    def is_aligned(self) -> bool:
        """True if the group is scored."""
        if self.edits or not self.reference_speakers:
            return True
        return self.reference_speakers == 1 and not self.of(REFERENCE)[0].is_timed

    @property
    def counts(self) -> Counter[str]:
        """The number of edits by letter; `N` is the number of reference words."""
        counts = Counter(kind for kind, _, _ in self.edits)
        counts["N"] = sum(reference is not None for _, reference, _ in self.edits)
        return counts

    @property
    def heard(self) -> int:
        """The number of hypothesis words in the group, including the words of all alternatives."""
        return sum(not token.is_empty for token in self.of(SYSTEM))

    @property
    def times(self) -> tuple[float, float]:
        """The start and the end of the group's tokens, in seconds; zeros without tokens."""
        spans = [token.segment_times for token in self.of(REFERENCE) if not token.is_empty]
        spans += [(token.begin, token.end) for token in self.of(SYSTEM) if not token.is_empty]
        if not spans:
            return 0.0, 0.0
        return min(begin for begin, _ in spans), max(end for _, end in spans)


def read_log(data: bytes) -> list[ShownGroup]:
    """Parse the segment groups of a log, in order of first appearance; other lines are skipped."""
    groups: dict[str, ShownGroup] = {}
    for number, line in enumerate(lines_of(data), 1):
        text = line.decode(*ESCAPED)
        if not text.startswith(MARK):
            continue
        cells = ["".join(cell.split()) for cell in text[len(MARK) :].split(",")]
        cells += [""] * (COLUMNS - len(cells))
        if cells[0] not in ("SG", "YES"):
            continue
        group = groups.get(cells[1]) or ShownGroup(cells[1], cells[2], cells[3])
        tokens = [_token(group, side, cells[at : at + 11]) for side, at in SIDES.items()]
        if group.tokens:  # of segments without words alone the original makes none
            groups[cells[1]] = group
        if cells[0] == "YES":
            if cells[4] not in KINDS:
                kinds = ", ".join(KINDS)
                found_text = f"line {number}: expected one of {kinds}, found '{cells[4]}'\n"
                raise DiedError(byte_text(f"Unknown type: {found_text}".encode(*ESCAPED)))
            group.edits.append((cells[4], tokens[0], tokens[1]))
    return list(groups.values())


def _token(group: ShownGroup, side: str, cells: Sequence[str]) -> ShownToken | None:
    """Return the token of one side in a line, or None if the side has none.

    A new token is added to the group.
    """
    segment, first, last, speaker, name, begin, end, text, *_ = cells
    if not segment or not name:
        return None
    token = group.tokens.get((side, name))
    if token is None:
        times = _number(first), _number(last)
        is_timed = bool(begin or end)
        word_times = (_number(begin), _number(end)) if is_timed else times
        token = ShownToken(side, segment, speaker, *word_times, text, is_timed, times)
        group.tokens[side, name] = token
    return token


def _number(text: str) -> float:
    return leading_number(text.encode(*ESCAPED))


class CountsRow(NamedTuple):
    """A row of a table of counts; `link` is the file name of a page, or empty."""

    name: str
    link: str
    cells: Sequence[str]


HEADINGS = (
    *("#Regions", "Total Time", "#Regions Aligned", "Total Time Aligned", "#Ref Aligned Words"),
    *("Corr", "Sub", "Ins", "Del", "SpErr", "Err"),
)


def _shares(counts: Counter[str], *, of_none: bool) -> list[str]:
    """Return the table cells for counts of edits, in percent of the reference words.

    Without reference words, the cells are hyphens; with `of_none`, the cell of insertions then has
    the number of insertions.
    """
    words = counts["N"]
    errors = counts["S"] + counts["I"] + counts["D"] + counts["P"]
    numbers = [counts[kind] for kind in "CSIDP"] + [errors]
    if not words:
        return ["-", "-", f"({counts['I']})" if of_none else "-", "-", "-", "-"]
    return [f"{100 * number / words:.1f}% ({number})" for number in numbers]


def _row(
    name: str, groups: Sequence[ShownGroup], counts: Counter[str], link: str = ""
) -> CountsRow:
    """Return a table row with the sums over several groups."""
    aligned = [group for group in groups if group.is_aligned]
    cells = [str(len(groups)), _seconds(groups), str(len(aligned)), _seconds(aligned)]
    cells += [str(counts["N"] or "-"), *_shares(counts, of_none=name == "0")]
    return CountsRow(name, link, cells)


def _counted(groups: Iterable[ShownGroup]) -> Counter[str]:
    return sum((group.counts for group in groups), Counter[str]())


def _seconds(groups: Iterable[ShownGroup]) -> str:
    return f"{sum(end - begin for begin, end in (group.times for group in groups)):.3f}"


def _by_speakers(groups: Sequence[ShownGroup]) -> Iterator[tuple[str, list[CountsRow]]]:
    """Yield two tables of the groups by number of simultaneous speakers (0, 1, 2 …).

    The first has the counts for each number, the second those up to each number. If no reference
    speaker talks, all hypothesis words are insertions. If all groups with a certain number of
    speakers lack reference words, the sums exclude these groups.
    """
    by_number: dict[int, list[ShownGroup]] = {}
    for group in groups:
        by_number.setdefault(group.reference_speakers, []).append(group)
    exactly: list[CountsRow] = []
    cumulated: list[CountsRow] = []
    seen: list[ShownGroup] = []
    total = Counter[str]()
    for number, some in sorted(by_number.items()):
        counts = _counted(some) if number else Counter(I=sum(group.heard for group in some))
        if number and not counts["N"]:
            counts.clear()
        seen += some
        total += counts
        exactly.append(_row(str(number), some, counts))
        cumulated.append(_row(str(number), seen, total))
    yield "#Ref Speaker Overlap", [*exactly, _row("Ensemble", groups, total)]
    yield "#Ref Speaker Cumulative Overlap", cumulated


def pages(
    groups: Sequence[ShownGroup], mapping: Sequence[tuple[str, str]] = ()
) -> Iterator[tuple[str, bytes]]:
    """Yield each page with its file name."""
    channels: dict[tuple[str, str], list[ShownGroup]] = {}
    for group in groups:
        channels.setdefault((group.recording, group.channel), []).append(group)
    listed: list[CountsRow] = []
    for (recording, channel), some in sorted(channels.items()):
        name = f"{recording}/{channel}"
        page = f"{recording}_{channel}.html".replace("/", "_")
        listed.append(_row(name, some, _counted(some), _link(page)))
        rows = [
            _row_of_group(group) for group in sorted(some, key=lambda group: _number(group.name))
        ]
        title = f"Overall Performance Summary for Meeting {name}"
        tables = [("Region ID", rows), *_by_speakers(some)]
        headings = [GROUP_HEADINGS, HEADINGS, HEADINGS]
        yield page, _summary(title, tables, headings)
    title = "Overall Performance Summary by Meeting"
    tables = [
        ("File/Channel", [*listed, _row("Ensemble", groups, _counted(groups))]),
        *_by_speakers(groups),
    ]
    yield "index.html", _summary(title, tables, [HEADINGS] * 3)
    for group in groups:
        yield _page_of(group), _words(group, mapping)


def _summary(
    title: str, tables: Sequence[tuple[str, list[CountsRow]]], headings: Sequence[Sequence[str]]
) -> bytes:
    return rendered(
        "alignments.html.j2",
        {
            "title": title,
            "tables": [
                {"first": first, "rows": rows, "headings": names}
                for (first, rows), names in zip(tables, headings, strict=True)
            ],
        },
    )


GROUP_HEADINGS = (
    *("Begin Time", "End Time", "Duration", "#Ref Speaker", "#Hyp Speaker"),
    *("#Ref Aligned Words", "Corr", "Sub", "Ins", "Del", "SpErr", "Err"),
)


def _link(page: str) -> str:
    return quote(page.encode(*ESCAPED))


def _page_of(group: ShownGroup) -> str:
    return f"segmentgroup-{group.name.replace('/', '_')}.html"


def _row_of_group(group: ShownGroup) -> CountsRow:
    begin, end = group.times
    speakers = len({token.speaker for token in group.of(SYSTEM) if not token.is_empty})
    counts = group.counts
    cells = [f"{begin:.3f}", f"{end:.3f}", f"{end - begin:.3f}", str(group.reference_speakers)]
    cells += [str(speakers), str(counts["N"]) if group.is_aligned else "-"]
    cells += _shares(counts, of_none=group.is_aligned)
    # the star marks groups that are not scored
    return CountsRow(
        f"{'' if group.is_aligned else '*'}{group.name}", _link(_page_of(group)), cells
    )


def _words(group: ShownGroup, mapping: Sequence[tuple[str, str]]) -> bytes:
    """Return the page of a group, with its aligned words."""
    aligned = {id(token) for _, *both in group.edits for token in both}
    alone = [token for token in group.tokens.values() if id(token) not in aligned]
    present = {(token.side, token.speaker.upper()) for token in group.tokens.values()}
    begin, end = group.times
    shares = _shares(group.counts, of_none=group.is_aligned)
    values = {
        "title": f"Segment Group ID {group.name}",
        "times": f"{begin:.3f} s – {end:.3f} s",
        "counts": [*zip(HEADINGS[-6:], shares, strict=True)],
        "rows": [
            *((KINDS[kind], [token for token in both if token]) for kind, *both in group.edits),
            *(("not aligned", [token]) for token in alone if not token.is_empty),
        ],
        "pairs": sorted(
            (reference, system)
            for reference, system in mapping
            if {(REFERENCE, reference.upper()), (SYSTEM, system.upper())} <= present
        ),
    }
    return rendered("alignment.html.j2", values)


def read_mapping(data: bytes) -> list[tuple[str, str]]:
    """Read pairs of reference and system speakers from the table that `md-eval -M` writes."""
    rows = (line.decode("utf-8", "surrogateescape").split(",") for line in lines_of(data))
    return [(row[2], row[3]) for row in rows if len(row) > 4 and row[4] == "mapped"]
