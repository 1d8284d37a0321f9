"""ultrastar: songs of UltraStar and other singing games, with syllables on beats.

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
``#BPM:300``, ``#GAP:1500``            the length of a beat, 60 s / (4 BPM), and the time of beat 0,
                                       in milliseconds
``: 0 4 60 hel``, ``* 4 4 60 lo``      a note: beat, length in beats, pitch and a syllable; a blank
                                       before or after the syllable separates words. Notes may also
                                       begin with ``F``, ``R`` or ``G``
``~``                                  the previous syllable continues
``- 12``                               the end of a line: a `Segment` from its first note to its
                                       last
``P1``, ``P2``                         `Segment.speaker`: the name in ``#P1:``, otherwise ``P1``
``#TITLE:…``                           properties of the file
=====================================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import SECOND
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue, Run

HEAD = re.compile(r"#([A-Za-z0-9_]{1,40}):(.*)\Z", re.DOTALL)
NOTE = re.compile(
    r"([:*FRG])[ \t]{1,4}(-?[0-9]{1,8})[ \t]{1,4}([0-9]{1,8})[ \t]{1,4}(-?[0-9]{1,8})"
    r"(?:[ \t](.*))?\Z",
    re.DOTALL,
)
BREAK = re.compile(r"-[ \t]{0,4}(-?[0-9]{1,8})(?:[ \t]{1,4}(-?[0-9]{1,8}))?[ \t]*\Z")
PLAYER = re.compile(r"P[ \t]?([1-9])[ \t]*\Z")
NUMBER = re.compile(r"[0-9]{1,9}(?:[.,][0-9]{0,9})?\Z")


class _Song:
    """The header of a song, and the current line."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.head: dict[str, str] = {}
        self.beat = Fraction(0)
        self.gap = Fraction(0)
        self.offset = 0
        self.speaker: str | None = None
        self.runs: list[Run] = []
        self.number = 0

    def cues(self, line: Line) -> Iterator[Cue]:
        """Process a line of the file; if it ends a line of the song, yield the cue of that line."""
        text = line.text.lstrip("\ufeff")
        if head := HEAD.match(text):
            self._take_head(line, head[1].upper(), strip_blanks(head[2]))
        elif note := NOTE.match(text):
            self._take_note(line, note)
        elif stop := BREAK.match(text):
            yield from self.end()
            if self.head.get("RELATIVE", "").upper() == "YES":
                self.offset += int(stop[2] or stop[1])
        elif player := PLAYER.match(text):
            yield from self.end()
            self.offset = 0
            names = f"P{player[1]}", f"DUETSINGERP{player[1]}"
            self.speaker = next((self.head[n] for n in names if self.head.get(n)), names[0])
        elif strip_blanks(text) != "E":
            expected = "a note, as : beat length pitch text, or the end of a line, as - beat"
            raise line.error(0, expected, quoted(line.text))

    def _take_head(self, line: Line, name: str, value: str) -> None:
        self.head[name] = value
        if name in ("BPM", "GAP"):
            if not NUMBER.match(value) or (name == "BPM" and not float(value.replace(",", "."))):
                found = quoted(value)
                raise self.source.syntax_error(line.number, f"a number after #{name}:", found)
            number = Fraction(value.replace(",", "."))
            if name == "BPM":
                self.beat = 60 * SECOND / (4 * number)
            else:
                self.gap = number * (SECOND // 1000)
        elif name in ("TITLE", "ARTIST", "LANGUAGE") and value:
            self.source.properties[name.lower()] = value

    def _take_note(self, line: Line, note: re.Match[str]) -> None:
        if not self.beat:
            raise self.source.syntax_error(line.number, "#BPM: above the notes", "none")
        first = int(note[2]) + self.offset
        start = round(self.gap + first * self.beat)
        end = round(self.gap + (first + int(note[3])) * self.beat)
        if start < 0:
            raise line.error(1, "a beat at 0 s or later", quoted(note[2]))
        text = note[5] or ""
        if strip_blanks(text).startswith("~") and self.runs:
            self.runs[-1] = self.runs[-1]._replace(end_ns=end)
        text = text.replace("~", "")
        if not self.runs:
            self.number = line.number
        if text:
            self.runs.append(Run(text, self.speaker, len(self.runs), start, end))

    def end(self) -> Iterator[Cue]:
        """Yield the cue of the current line of the song, which ends here."""
        runs, self.runs = self.runs, []
        if runs:
            ends = [run.end_ns or 0 for run in runs]
            yield Cue(runs[0].start_ns, max(ends), tuple(runs), self.number, (), "words only")


@reads_cues
def read(source: Source) -> Iterator[Cue]:
    """Yield one cue per line of the song."""
    song = _Song(source)
    yield from source.log.accepted("ULTRASTAR", song.cues, filled_lines(source))
    yield from song.end()


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` for a header with a title and a tempo (beats per minute) above notes."""
    filled = [line.lstrip("\ufeff") for line in lines if strip_blanks(line)]
    names = {head[1].upper() for line in filled if (head := HEAD.match(line))}
    if not names >= {"TITLE", "BPM"}:
        return Sniff.NO
    rest = [line for line in filled if not line.startswith("#")]
    notes = sum(map(bool, map(NOTE.match, rest)))
    return Sniff.SURE if notes * 2 > len(rest) else Sniff.NO


SPEC = FormatSpec(
    title="songs of UltraStar: syllables on beats",
    sign="#TITLE: and #BPM: above notes as : beat length pitch text",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    read_options=READ_OPTIONS,
)
