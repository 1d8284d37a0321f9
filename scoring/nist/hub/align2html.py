"""`align2html.pl`: asclite's log of alignments as a folder of pages.

`index.html` sums up recordings and numbers of speakers, a page `RECORDING_CHANNEL.html` lists the
segment groups of a channel, and `segmentgroup-ID.html` draws one. The names of the pages and what
they tell are the original's; they hold no scripts, and need no files beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

from formats.nist.validators import lines_of
from scoring.nist.hub.lines import leading_number
from scoring.nist.hub.rttm_tools import DiedError
from scoring.nist.transcripts.characters import byte_text
from scoring.pages.html.templates import rendered

MARK = "[ALIGNMENT]"
COLUMNS = 27
ESCAPED = ("utf-8", "surrogateescape")
REFERENCE, SYSTEM = "ref", "hyp"
# Where the eleven columns of a side begin.
SIDES = {REFERENCE: 5, SYSTEM: 16}
KINDS = {"C": "correct", "S": "substituted", "I": "inserted", "D": "deleted", "P": "speaker"}
GAP = "INTER_SEGMENT_GAP"
PIXELS, LANE, ROOM = 100, 34, 110  # a second, a row of words, the names of speakers


@dataclass(slots=True)
class ShownToken:
    """A word of a segment group; times in seconds."""

    side: str
    segment: str
    speaker: str
    begin: float
    end: float
    text: str
    before: Sequence[str]
    is_timed: bool
    segment_times: tuple[float, float]
    level: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether it stands for a segment without words."""
        return not self.text and self.segment_times == (0, 0)


@dataclass(slots=True)
class ShownGroup:
    """What asclite aligns at once, and how it has aligned it.

    `edits` are kinds out of `CSIDP` with the tokens of both sides, `None` for a side without.
    """

    name: str
    recording: str
    channel: str
    tokens: dict[tuple[str, str], ShownToken] = field(default_factory=dict)
    edits: list[tuple[str, ShownToken | None, ShownToken | None]] = field(default_factory=list)

    def of(self, side: str) -> list[ShownToken]:
        """The tokens of a side."""
        return [token for token in self.tokens.values() if token.side == side]

    @property
    def reference_speakers(self) -> int:
        """How many people speak in the reference."""
        return len({token.speaker for token in self.of(REFERENCE)} - {GAP})

    @property
    def is_aligned(self) -> bool:
        """Whether it counts as scored."""
        if self.edits or not self.reference_speakers:
            return True
        return self.reference_speakers == 1 and not self.of(REFERENCE)[0].is_timed

    @property
    def counts(self) -> Counter[str]:
        """Edits by kind; `N` are the words of the reference among them."""
        made = Counter(kind for kind, _, _ in self.edits)
        made["N"] = sum(one is not None for _, one, _ in self.edits)
        return made

    @property
    def heard(self) -> int:
        """How many words of the system are in it, those of all alternatives."""
        return sum(not one.is_empty for one in self.of(SYSTEM))

    @property
    def times(self) -> tuple[float, float]:
        """From when to when, in seconds."""
        spans = [one.segment_times for one in self.of(REFERENCE) if not one.is_empty]
        spans += [(one.begin, one.end) for one in self.of(SYSTEM) if not one.is_empty]
        if not spans:
            return 0.0, 0.0
        return min(begin for begin, _ in spans), max(end for _, end in spans)


def read_log(data: bytes) -> list[ShownGroup]:
    """The segment groups of a log, in order of first appearance; other lines are passed over."""
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
        found = [_token(group, side, cells[at : at + 11]) for side, at in SIDES.items()]
        if group.tokens:  # of segments without words alone the original makes none
            groups[cells[1]] = group
        if cells[0] == "YES":
            if cells[4] not in KINDS:
                known = ", ".join(KINDS)
                found_text = f"line {number}: expected one of {known}, found '{cells[4]}'\n"
                raise DiedError(byte_text(f"Unknown type: {found_text}".encode(*ESCAPED)))
            group.edits.append((cells[4], found[0], found[1]))
    for group in groups.values():
        _place(group)
    return list(groups.values())


def _token(group: ShownGroup, side: str, cells: Sequence[str]) -> ShownToken | None:
    """The token of a side of a line, made when it is first told of."""
    segment, first, last, speaker, name, begin, end, text, _, before, _ = cells
    if not segment or not name:
        return None
    known = group.tokens.get((side, name))
    if known is None:
        times = _number(first), _number(last)
        is_timed = bool(begin or end)
        own = (_number(begin), _number(end)) if is_timed else times
        links = before.split("|") if before else []
        known = ShownToken(side, segment, speaker, *own, text, links, is_timed, times)
        group.tokens[side, name] = known
    return known


def _number(text: str) -> float:
    return leading_number(text.encode(*ESCAPED))


def _place(group: ShownGroup) -> None:
    """Give words without times an equal share of their segment, and those at one time a level."""
    depths: dict[tuple[str, str], int] = {}
    for (side, name), token in group.tokens.items():
        earlier = [depths.get((side, one), -1) for one in token.before]
        same = [one for one in token.before if _is_of(group, (side, one), token.segment)]
        depths[side, name] = 1 + max(earlier, default=-1) if same else 0
    deepest = Counter[tuple[str, str]]()
    for key, token in group.tokens.items():
        place = token.side, token.segment
        deepest[place] = max(deepest[place], depths[key] + 1)
    taken: dict[tuple[str, str], list[float]] = {}
    for key, token in group.tokens.items():
        if not token.is_timed:
            begin, end = token.segment_times
            share = (end - begin) / deepest[token.side, token.segment]
            token.begin = begin + share * depths[key]
            token.end = token.begin + share
    for token in sorted(group.tokens.values(), key=lambda one: one.begin):
        ends = taken.setdefault((token.side, token.speaker), [])
        free = [at for at, end in enumerate(ends) if end <= token.begin + 0.0005]
        token.level = free[0] if free else len(ends)
        ends[token.level : token.level + 1] = [token.end]


def _is_of(group: ShownGroup, key: tuple[str, str], segment: str) -> bool:
    return key in group.tokens and group.tokens[key].segment == segment


class CountsRow(NamedTuple):
    """A row of a table of counts; `link` is a page, or empty."""

    name: str
    link: str
    cells: Sequence[str]


HEADINGS = (
    *("#Regions", "Total Time", "#Regions Aligned", "Total Time Aligned", "#Ref Aligned Words"),
    *("Corr", "Sub", "Ins", "Del", "SpErr", "Err"),
)


def _shares(counts: Counter[str], *, of_none: bool) -> list[str]:
    """Counts of edits as shares of the words of the reference.

    `of_none` tells insertions where there are no such words.
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
    """The sums over some groups."""
    aligned = [group for group in groups if group.is_aligned]
    cells = [str(len(groups)), _seconds(groups), str(len(aligned)), _seconds(aligned)]
    cells += [str(counts["N"] or "-"), *_shares(counts, of_none=name == "0")]
    return CountsRow(name, link, cells)


def _counted(groups: Iterable[ShownGroup]) -> Counter[str]:
    return sum((group.counts for group in groups), Counter[str]())


def _seconds(groups: Iterable[ShownGroup]) -> str:
    return f"{sum(end - begin for begin, end in (group.times for group in groups)):.3f}"


def _by_speakers(groups: Sequence[ShownGroup]) -> Iterator[tuple[str, list[CountsRow]]]:
    """Tables by the number of speakers who overlap, then up to that number.

    Where nobody of the reference speaks all words heard are insertions, and numbers of speakers
    without a word of the reference are in no sum.
    """
    by_number: dict[int, list[ShownGroup]] = {}
    for group in groups:
        by_number.setdefault(group.reference_speakers, []).append(group)
    exactly: list[CountsRow] = []
    cumulated: list[CountsRow] = []
    seen: list[ShownGroup] = []
    total = Counter[str]()
    for number, some in sorted(by_number.items()):
        counts = _counted(some) if number else Counter(I=sum(one.heard for one in some))
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
    """The pages by the names of their files."""
    channels: dict[tuple[str, str], list[ShownGroup]] = {}
    for group in groups:
        channels.setdefault((group.recording, group.channel), []).append(group)
    listed: list[CountsRow] = []
    for (recording, channel), some in sorted(channels.items()):
        name = f"{recording}/{channel}"
        page = f"{recording}_{channel}.html".replace("/", "_")
        listed.append(_row(name, some, _counted(some), _link(page)))
        rows = [_row_of_group(group) for group in sorted(some, key=lambda one: _number(one.name))]
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
        yield _page_of(group), _drawing(group, mapping)


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
    speakers = len({one.speaker for one in group.of(SYSTEM) if not one.is_empty})
    counts = group.counts
    cells = [f"{begin:.3f}", f"{end:.3f}", f"{end - begin:.3f}", str(group.reference_speakers)]
    cells += [str(speakers), str(counts["N"]) if group.is_aligned else "-"]
    cells += _shares(counts, of_none=group.is_aligned)
    # the star marks groups that are not scored
    return CountsRow(
        f"{'' if group.is_aligned else '*'}{group.name}", _link(_page_of(group)), cells
    )


def _drawing(group: ShownGroup, mapping: Sequence[tuple[str, str]]) -> bytes:
    """The page of a group: who says what when, and which word is aligned with which."""
    first, last = group.times
    lanes: dict[tuple[str, str], int] = {}
    height = 0
    for side in SIDES:
        for speaker in sorted({token.speaker for token in group.of(side)}):
            lanes[side, speaker] = height
            levels = [one.level for one in group.of(side) if one.speaker == speaker]
            height += LANE * (max(levels) + 1) + LANE // 2

    def across(time: float) -> float:
        return ROOM + PIXELS * (time - first)

    def down(token: ShownToken) -> float:
        return lanes[token.side, token.speaker] + LANE * (token.level + 1)

    links = []
    for kind, one, other in group.edits:
        ends = [
            (across((token.begin + token.end) / 2), down(token))
            for token in (one, other)
            if token is not None
        ]
        if ends:
            links.append({"kind": KINDS[kind], "ends": ends})
    words = [
        {
            "text": token.text,
            "from": across(token.begin),
            "to": across(token.end),
            "down": down(token),
            "is_timed": token.is_timed,
            "is_reference": token.side == REFERENCE,
        }
        for token in group.tokens.values()
        if not token.is_empty
    ]
    present = {(token.side, token.speaker.upper()) for token in group.tokens.values()}
    pairs = sorted(
        (one, other)
        for one, other in mapping
        if {(REFERENCE, one.upper()), (SYSTEM, other.upper())} <= present
    )
    values: Mapping[str, object] = {
        "title": f"Segment Group ID {group.name}",
        "lanes": [(side, speaker, place) for (side, speaker), place in lanes.items()],
        "words": words,
        "links": links,
        "width": across(last) + ROOM,
        "height": height + LANE,
        "lane": LANE,
        "counts": dict(
            zip(HEADINGS[-6:], _shares(group.counts, of_none=group.is_aligned), strict=True)
        ),
        "begin": f"{first:.3f}",
        "end": f"{last:.3f}",
        "pairs": pairs,
        "kinds": list(KINDS.values()),
        "are_timed": all(token.is_timed for token in group.tokens.values()),
    }
    return rendered("alignment.html.j2", values)


def read_mapping(data: bytes) -> list[tuple[str, str]]:
    """Who is taken for whom, from the table that `md-eval -M` writes."""
    rows = (line.decode("utf-8", "surrogateescape").split(",") for line in lines_of(data))
    return [(row[2], row[3]) for row in rows if len(row) > 4 and row[4] == "mapped"]
