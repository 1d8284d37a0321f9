"""The sentence report `.snt`: each utterance of a speaker with its alignment and scores."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.alignment.system import System
from scoring.model.counts import Counts
from scoring.nist.report.blocks import renderer
from scoring.nist.report.rounding import percentage, rounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.nist.report.blocks import BlockRenderer


LINE_WIDTH = 120
"""Line width of the alignments in this report, independent of the option for other reports."""

_DOUBLE_RULE = "=" * 79
_RULE = "-" * 79


def render(system: System, speaker: int, blocks: BlockRenderer | None = None) -> Iterator[bytes]:
    """Yield the sentence report of a speaker, given by the index in `System.speakers`."""
    blocks = blocks or renderer(system)
    head = (
        f"{_DOUBLE_RULE}\n\n{'':21}SENTENCE LEVEL REPORT FOR THE SYSTEM:\n"
        f"    Name: {system.title}\n\n{_DOUBLE_RULE}\n\n\nSPEAKER {system.speakers[speaker]}\n"
    )
    yield head.encode("latin-1")
    sums = Counts()
    slots = 0
    for utterance in system.utterances_of[speaker]:
        counts = system.counts[utterance]
        sums += counts
        own_slots = system.offsets[utterance + 1] - system.offsets[utterance]
        slots += own_slots
        scores = _scores(counts, sums, own_slots, slots)
        yield blocks.block(utterance, LINE_WIDTH, True) + scores.encode("latin-1")


def by_speaker(system: System) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name and the sentence report of each speaker."""
    blocks = renderer(system)
    for speaker, name in enumerate(system.speakers):
        yield name, render(system, speaker, blocks)


def _scores(counts: Counts, sums: Counts, slots: int, all_slots: int) -> str:
    words = counts.reference_tokens

    def line(name: str) -> str:
        count, running = getattr(counts, name), getattr(sums, name)
        share = f"{rounded(percentage(count, words), 1):5.1f}" if words else "UNDEF"
        return f"{name.capitalize():<22}=  {share}%   {count:2d}   ({running:3d})\n"

    def word_line(label: str, count: int, running: int) -> str:
        return f"{label:<22}=           {count:2d}   ({running:3d})\n"

    return (
        f"\n{''.join(map(line, Counts._fields))}\n{line('errors')}\n"
        f"{word_line('Ref. words', words, sums.reference_tokens)}"
        f"{word_line('Hyp. words', counts.hypothesis_tokens, sums.hypothesis_tokens)}"
        f"{word_line('Aligned words', slots, all_slots)}\n{_RULE}\n\n"
    )
