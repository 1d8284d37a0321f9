"""What a file beside a ctm says of its words.

Kaldi's ctm has utterances instead of recordings, and times from the beginning of each utterance;
its ``segments`` knows where they are. An rttm knows who speaks.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from operator import itemgetter

from formats.errors import SyntaxFormatError, quoted
from formats.lines import split_fields
from formats.words import Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.kaldi.tables import Place
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SpeakersOfWords", "UtterancePlacer", "hint"]

SLACK = 500_000_000
"""Nanoseconds by which words may go on after their utterance."""
FEW = 20
SHORT = 60_000_000_000


class UtterancePlacer:
    """Puts the words of utterances where Kaldi's ``segments`` says the utterances are."""

    def __init__(self, source: Source, path: str) -> None:
        from formats.kaldi.tables import read_place, records

        self.source = source
        self.path = path
        self.places: dict[str, Place] = {}
        with source.beside(path) as table:
            for number, line in records(table.lines()):
                try:
                    utterance, place = read_place(table, number, line)
                except SyntaxFormatError as error:
                    table.log.reject("KALDI-SEGMENTS", error)
                    continue
                self.places[utterance] = place

    def placed(self, segment: Segment) -> Segment:
        """The segment with its utterance's recording and times."""
        place = self.places.get(segment.recording)
        if place is None:
            raise self.source.syntax_error(
                segment.line, f"an utterance of {self.path}", quoted(segment.recording), column=1
            )
        moved = segment.with_items(_moved(segment.items(), place.start_ns))
        latest = max((t.end_ns or 0 for t in moved.all_tokens()), default=0)
        if place.end_ns is not None and latest > place.end_ns + SLACK:
            self.source.log.warn(
                "CTM-BEYOND-SEGMENT",
                f"the words of {quoted(segment.recording)} go on for "
                f"{(latest - place.end_ns) / 1e9} s after its end: are their times in frames of "
                "another length?",
                segment.line,
            )
        return moved.replace(
            recording=place.recording,
            channel=place.channel if place.channel is not None else segment.channel,
            utterance=segment.recording,
            start_ns=place.start_ns,
            end_ns=place.end_ns,
        )


class SpeakersOfWords:
    """Finds who speaks at a time, in an rttm."""

    def __init__(self, source: Source, path: str) -> None:
        from formats.nist.rttm import read

        self.source = source
        self.path = path
        self.nobodys: list[int] = []
        turns: dict[tuple[str, str | None], list[tuple[int, int, str]]] = {}
        with source.beside(path) as table:
            for segment in read(table):
                start, end, name = segment.start_ns, segment.end_ns, segment.speaker
                if segment.kind == "segment" and name and start is not None and end is not None:
                    key = segment.recording, segment.channel
                    turns.setdefault(key, []).append((start, end, name))
        # turns by begin, their begins, and the latest end of each and those before it
        self._places: dict[
            tuple[str, str | None], tuple[list[tuple[int, int, str]], list[int], list[int]]
        ] = {}
        for key, some in turns.items():
            some.sort(key=itemgetter(0))
            latest: list[int] = []
            for _, end, _ in some:
                latest.append(max(end, latest[-1] if latest else 0))
            self._places[key] = some, [start for start, _, _ in some], latest

    def at(self, recording: str, channel: str, middle: int, line: int) -> str | None:
        """Who speaks in the middle of a word; of several whose turn begins first."""
        turns, starts, latest = self._places.get((recording, channel), ([], [], []))
        index, speaker = bisect_right(starts, middle) - 1, None
        while index >= 0 and latest[index] >= middle:
            if turns[index][1] >= middle:
                speaker = turns[index][2]
            index -= 1
        if speaker is None:
            self.nobodys.append(line)
        return speaker

    def tell_of_nobody(self) -> None:
        """Warn of words that lie in no turn."""
        if self.nobodys:
            self.source.log.warn(
                "CTM-NOBODY",
                f"the word lies in no turn of {self.path}, as {len(self.nobodys)} in all: nobody "
                "says it",
                self.nobodys[0],
            )


def _moved(
    items: Iterator[Token | Alternation] | Sequence[Token | Alternation], shift: int
) -> list[Token | Alternation]:
    made: list[Token | Alternation] = []
    for item in items:
        if isinstance(item, Alternation):
            made.append(Alternation([_moved(branch, shift) for branch in item.branches]))
        else:
            start, end = item.start_ns or 0, item.end_ns or 0
            made.append(item.replace(start_ns=start + shift, end_ns=end + shift))
    return made


def hint(source: Source) -> None:
    """Remark that a ctm looks like Kaldi's.

    Its ids stand in a ``segments`` beside it, or there are many of less than a minute.
    """
    latest: dict[str, int] = {}
    for line in source.head_lines():
        fields = split_fields(line)
        if len(fields) >= 5 and not line.startswith(";"):
            whole = fields[2].partition(".")[0]
            if whole.isascii() and whole.isdecimal() and len(whole) < 10:
                latest[fields[0]] = int(whole) * 1_000_000_000
    path = os.path.join(os.path.dirname(source.name), "segments")
    if latest and not source.name.startswith("<") and os.path.isfile(path):
        if _are_keys(path, latest):
            source.log.warn(
                "CTM-RELATIVE?",
                f"its recordings are utterances of {path}: --segments {path} puts them in their "
                "places",
            )
    elif len(latest) >= FEW and all(end < SHORT for end in latest.values()):
        source.log.note(
            "CTM-RELATIVE?",
            f"{len(latest)} recordings of less than a minute: if they are Kaldi's utterances, "
            "--segments puts them in their places",
        )


def _are_keys(path: str, names: dict[str, int]) -> bool:
    """Whether every name is a first field of the file, which may be none of Kaldi's at all."""
    left = {name.encode() for name in names}
    try:
        with open(path, "rb") as file:
            for line in file:
                left.discard(line.split(None, 1)[0] if line.strip() else b"")
    except OSError:
        return False
    return not left
