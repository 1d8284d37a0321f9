"""The dumps of all alignments: `.pra`, and `.prf` with times, confidences and weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.alignment.system import System
from scoring.nist.report.blocks import BlockRenderer, renderer
from scoring.nist.report.tables import LINE_WIDTH

_BATCH = 1024


class Grouping(NamedTuple):
    """What utterances are grouped by, and what a group holds; sclite's words by default."""

    groups: str = "Speakers"
    members: str = "Speaker sentences"


_BY_SPEAKER = Grouping()


def pra(system: System, line_width: int = LINE_WIDTH) -> Iterator[bytes]:
    """The `.pra` report: the utterances of each speaker."""
    return grouped(system, renderer(system), line_width)


def grouped(
    system: System,
    blocks: BlockRenderer,
    line_width: int = LINE_WIDTH,
    grouping: Grouping = _BY_SPEAKER,
    *,
    full: bool = False,
) -> Iterator[bytes]:
    """The same of utterances grouped by something else, perhaps with their times (`full`)."""
    head = _banner() + f"System name:   {system.title}\n\n" + _group_list(system, grouping)
    yield head.encode("latin-1")
    yield from _groups(system, blocks, line_width, grouping, full=full)
    yield b"\n"


def prf(system: System, line_width: int = LINE_WIDTH) -> Iterator[bytes]:
    """The `.prf` report: all that is known of every utterance, in the order of alignment.

    Utterances without sequence numbers (piped input may lack them) are grouped by speaker.
    """
    yield _full_head(system).encode("latin-1")
    if not len(system):
        yield b"No utterances found\n"
        return
    first = next(group[0] for group in system.utterances_of if group)
    if system.utterances.sequences[first] < 0:
        yield from _groups(system, renderer(system), line_width, _BY_SPEAKER, full=True)
    else:
        yield from _in_sequence(system, line_width)
    yield b"\n"


def _banner() -> str:
    return "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\n"


def _group_list(system: System, grouping: Grouping) -> str:
    names = [f"   {number:2d}:  {name}\n" for number, name in enumerate(system.speakers)]
    return "".join([f"{grouping.groups}: \n", *names, "\n"])


def _full_head(system: System) -> str:
    parts = ["NIST_TEXT_ALIGNMENT\nVERSION 0.1\n", _banner(), f"System name:   {system.title}\n"]
    if system.reference_name is not None:
        parts.append(f"Ref file:      {system.reference_name}\n")
    if system.hypothesis_name is not None:
        parts.append(f"Hyp file:      {system.hypothesis_name}\n")
    if system.creation_date is not None:
        parts.append(f'Creation date: "{system.creation_date}"\n')
    if system.weights_name is not None:
        parts.append(f'Word Weight Aligned by file: "{system.weights_name}"\n')
    if system.fragments_correct:
        parts.append("Fragment Correct Flag Set\n")
    if system.optional_deletable:
        parts.append("Optionally Deletable Flag Set\n")
    parts.append(f"\nSpeaker Count: {len(system.speakers)}\n")
    parts.append(_group_list(system, _BY_SPEAKER))
    if system.categories or system.labels:
        parts.append("Utterance Label definitions:\n")
        for kind, definitions in (("Category", system.categories), ("Label", system.labels)):
            parts += [
                f'    {kind}: id: "{one.identifier}" title: "{one.title}" '
                f'description: "{one.description}"\n'
                for one in definitions
            ]
    parts.append("\n")
    return "".join(parts)


def _groups(
    system: System, blocks: BlockRenderer, line_width: int, grouping: Grouping, *, full: bool
) -> Iterator[bytes]:
    for number, (name, group) in enumerate(zip(system.speakers, system.utterances_of, strict=True)):
        text = f"{grouping.members}{number:4d}:  {name}   #utts: {len(group)}\n"
        head = text.encode("latin-1")
        for begin in range(0, len(group) or 1, _BATCH):
            yield head + blocks.render(group[begin : begin + _BATCH], line_width, full)
            head = b""


def _in_sequence(system: System, line_width: int) -> Iterator[bytes]:
    blocks = renderer(system)
    sequences, speakers = system.utterances.sequences, system.utterances.speakers
    sizes = [len(group) for group in system.utterances_of]
    numbers = [0] * len(system)
    for group in system.utterances_of:
        for number, utterance in enumerate(group):
            numbers[utterance] = number
    for utterance in sorted(range(len(system)), key=sequences.__getitem__):
        speaker = speakers[utterance]
        head = (
            f"Speaker sentences{speaker:4d}:  {system.speakers[speaker]}   "
            f"utt# {numbers[utterance]} of {sizes[speaker]}\n"
        )
        yield head.encode("latin-1") + blocks.block(utterance, line_width, True) + b"\n"
