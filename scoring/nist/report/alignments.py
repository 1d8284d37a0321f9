"""The dumps of all alignments: `.pra`, and `.prf` with times, confidences and weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.alignment.system import System
from scoring.nist.report.blocks import BlockRenderer, renderer
from scoring.nist.report.tables import LINE_WIDTH

_BATCH = 1024
_BANNER = "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\n"


class Grouping(NamedTuple):
    """What utterances are grouped by, and what a group holds; sclite's words by default."""

    groups: str = "Speakers"
    members: str = "Speaker sentences"


_BY_SPEAKER = Grouping()


def pra(system: System, line_width: int = LINE_WIDTH) -> Iterator[bytes]:
    """The `.pra` report: the utterances of each speaker, of meetings with their times."""
    with_times = system.utterances.streams is not None
    return grouped(system, renderer(system), line_width, full=with_times)


def grouped(
    system: System,
    blocks: BlockRenderer,
    line_width: int = LINE_WIDTH,
    grouping: Grouping = _BY_SPEAKER,
    *,
    full: bool = False,
) -> Iterator[bytes]:
    """The same of utterances grouped by something else, perhaps with their times (`full`)."""
    head = f"{_BANNER}System name:   {system.title}\n\n{_group_list(system, grouping)}"
    yield head.encode("latin-1")
    yield from _groups(system, blocks, line_width, grouping, full=full)
    yield b"\n"


def prf(system: System, line_width: int = LINE_WIDTH) -> Iterator[bytes]:
    """The `.prf` report: utterances in order of alignment, or by speaker without numbers."""
    yield "".join(_full_head(system)).encode("latin-1")
    if not len(system):
        yield b"No utterances found\n"
        return
    blocks = renderer(system)
    sequences = system.utterances.sequences
    groups = list(zip(system.speakers, system.utterances_of, strict=True))
    if sequences[next(group[0] for _, group in groups if group)] < 0:
        yield from _groups(system, blocks, line_width, _BY_SPEAKER, full=True)
    else:
        heads = [""] * len(system)
        for speaker, (name, group) in enumerate(groups):
            for number, utterance in enumerate(group):
                heading = f"utt# {number} of {len(group)}"
                heads[utterance] = f"Speaker sentences{speaker:4d}:  {name}   {heading}\n"
        order = sorted(range(len(system)), key=sequences.__getitem__)
        for begin in range(0, len(order), _BATCH):
            batch = order[begin : begin + _BATCH]
            yield blocks.render(batch, line_width, True, [heads[position] for position in batch])
    yield b"\n"


def _full_head(system: System) -> Iterator[str]:
    yield f"NIST_TEXT_ALIGNMENT\nVERSION 0.1\n{_BANNER}System name:   {system.title}\n"
    for line, value in (
        ("Ref file:      {}", system.reference_name),
        ("Hyp file:      {}", system.hypothesis_name),
        ('Creation date: "{}"', system.creation_date),
        ('Word Weight Aligned by file: "{}"', system.weights_name),
        ("Fragment Correct Flag Set", system.fragments_correct or None),
        ("Optionally Deletable Flag Set", system.optional_deletable or None),
    ):
        if value is not None:
            yield f"{line}\n".replace("{}", str(value))
    yield f"\nSpeaker Count: {len(system.speakers)}\n"
    yield _group_list(system, _BY_SPEAKER)
    if system.categories or system.labels:
        yield f"Utterance Label definitions:\n{label_lines(system)}"
    yield "\n"


def label_lines(system: System) -> str:
    """The definitions of categories and labels, a line each."""
    return "".join(
        f'    {kind}: id: "{definition.identifier}" title: "{definition.title}" '
        f'description: "{definition.description}"\n'
        for kind, definitions in (("Category", system.categories), ("Label", system.labels))
        for definition in definitions
    )


def _group_list(system: System, grouping: Grouping) -> str:
    names = [f"   {number:2d}:  {name}\n" for number, name in enumerate(system.speakers)]
    return "".join([f"{grouping.groups}: \n", *names, "\n"])


def _groups(
    system: System, blocks: BlockRenderer, line_width: int, grouping: Grouping, *, full: bool
) -> Iterator[bytes]:
    for number, (name, group) in enumerate(zip(system.speakers, system.utterances_of, strict=True)):
        text = f"{grouping.members}{number:4d}:  {name}   #utts: {len(group)}\n"
        head = text.encode("latin-1")
        for begin in range(0, len(group) or 1, _BATCH):
            yield head + blocks.render(group[begin : begin + _BATCH], line_width, full)
            head = b""
