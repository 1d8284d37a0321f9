"""Reports with all alignments: `.pra`, and `.prf` with times, confidences and weights."""

from __future__ import annotations

from scoring.nist.report.blocks import renderer
from scoring.nist.report.tables import LINE_WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.alignment.system import System
    from scoring.nist.report.blocks import BlockRenderer

_BATCH = 1024
_BANNER = "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\n"


def pra(system: System, line_width: int = LINE_WIDTH) -> Iterator[bytes]:
    """Yield the `.pra` report: utterances by speaker, with time spans if recordings are scored."""
    yield f"{_BANNER}System name:   {system.title}\n\n{_speaker_list(system)}".encode("latin-1")
    with_times = system.utterances.streams is not None
    yield from _by_speaker(system, renderer(system), line_width, full=with_times)
    yield b"\n"


def prf(system: System, line_width: int = LINE_WIDTH) -> Iterator[bytes]:
    """Yield the `.prf` report: utterances in the order in which they were aligned.

    Utterances without sequence numbers are in order of speakers.
    """
    yield "".join(_full_head(system)).encode("latin-1")
    if not len(system):
        yield b"No utterances found\n"
        return
    blocks = renderer(system)
    sequences = system.utterances.sequences
    groups = list(zip(system.speakers, system.utterances_of, strict=True))
    if sequences[next(group[0] for _, group in groups if group)] < 0:
        yield from _by_speaker(system, blocks, line_width, full=True)
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
    yield _speaker_list(system)
    if system.categories or system.labels:
        yield f"Utterance Label definitions:\n{label_lines(system)}"
    yield "\n"


def label_lines(system: System) -> str:
    """Return the lines that define the categories and labels."""
    return "".join(
        f'    {kind}: id: "{definition.identifier}" title: "{definition.title}" '
        f'description: "{definition.description}"\n'
        for kind, definitions in (("Category", system.categories), ("Label", system.labels))
        for definition in definitions
    )


def _speaker_list(system: System) -> str:
    names = [f"   {number:2d}:  {name}\n" for number, name in enumerate(system.speakers)]
    return "".join(["Speakers: \n", *names, "\n"])


def _by_speaker(
    system: System, blocks: BlockRenderer, line_width: int, *, full: bool
) -> Iterator[bytes]:
    for number, (name, group) in enumerate(zip(system.speakers, system.utterances_of, strict=True)):
        text = f"Speaker sentences{number:4d}:  {name}   #utts: {len(group)}\n"
        head = text.encode("latin-1")
        for begin in range(0, len(group) or 1, _BATCH):
            yield head + blocks.render(group[begin : begin + _BATCH], line_width, full)
            head = b""
