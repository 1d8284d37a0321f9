"""rover's reader of ctm files: a window of words, section by section."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from operator import add

from formats.schema import NamedTuple
from scoring.model.errors import InputError
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.ctm import FIRST_ROOM, ROOM_GROWTH, EmptyLineError, warn_of_lines
from scoring.nist.transcripts.input_files import (
    line_at,
    read_file,
    warn_of_odd_bytes,
    whole_line,
)
from scoring.nist.transcripts.lexicon import scan_ctm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say
    from scoring.nist.transcripts.characters import Characters
    from scoring.nist.transcripts.input_files import TranscriptFile
    from scoring.nist.transcripts.lexicon import TokenTable


class Section(NamedTuple):
    """A range of words (`begin` to `end`) with the same conversation and channel.

    In rover's numbering, the word at `window` is word 1.
    """

    conversation: str
    channel: str
    begin: int
    end: int
    window: int

    @property
    def first(self) -> int:
        """The number that rover prints for the first word."""
        return self.begin - self.window + 1

    @property
    def last(self) -> int:
        """The number that rover prints for the last word; `first` - 1 if there is no word."""
        return self.end - self.window


class CtmWordList:
    """The words of one ctm file in file order, and how many have been read and used.

    NIST's rover keeps a window of words in memory, at first 4999. The window has three visible
    effects. Printed positions count from the beginning of the window. Confidences count as soon as
    any confidence has been read. An error in a later line is detected when the window reaches the
    line.
    """

    def __init__(
        self, source: TranscriptFile, characters: Characters, table: TokenTable, warn: Say
    ):
        self.name = source.name
        self._raw = read_file(source, "hypothesis")
        warn_of_odd_bytes(self.name, self._raw, warn)
        folded = characters.fold(self._raw)
        columns = scan_ctm(folded, characters.shape(folded), table)
        starts, durations, confidences, types, run_begins, files, channels = columns[:7]
        self._first_confidence, self._empty_line, self._short_line = columns[7:10]
        self.types = array("i", types)  # int32: the number of each word in the table of tokens
        self.starts = array("d", starts)  # double seconds; a finish is start plus duration
        self.finishes = array("d", map(add, self.starts, array("d", durations)))
        # Double, rounded to single precision, 0.0 where absent
        self.confidences = array("d", confidences)
        self.size = len(self.types)  # number of words
        self._run_begins = [*run_begins, self.size]
        self._runs = [
            (byte_text(file), byte_text(channel))
            for file, channel in zip(files, channels, strict=True)
        ]
        # where the conversation of each run ends, which may go on in other channels
        self._conversation_ends = self._run_begins[1:]
        for run in range(len(self._runs) - 2, -1, -1):
            if self._runs[run][0] == self._runs[run + 1][0]:
                self._conversation_ends[run] = self._conversation_ends[run + 1]
        warn_of_lines(self.name, folded, columns[10:], "combined", warn)
        self.at = 0  # the next word to be used
        self.held = 0  # words up to this position are in the window
        self._window = 0
        self._room = FIRST_ROOM
        self._at_end = False
        # a last line that is a word without a newline: its end is the file's
        last = self._raw.rfind(b"\n") + 1
        complete = self._empty_line < 0 and self._short_line < 0
        self._unterminated = complete and self._raw[last : last + 1] not in (b"", b";")

    @property
    def exhausted(self) -> bool:
        """True if all words have been used."""
        return self.at >= self.held

    @property
    def finished(self) -> bool:
        """True if rover treats the file as finished: at most one word is left."""
        return self._at_end and self.at >= self.held - 1

    @property
    def has_confidences(self) -> bool:
        """True if any confidence has been read so far."""
        return 0 <= self._first_confidence < self.held

    @property
    def has_odd_numbers(self) -> bool:
        """True if any number is infinite or NaN."""
        total = sum(self.finishes) + sum(self.confidences)
        return total - total != 0.0

    def refuse_times_beyond(self, limit: float) -> None:
        """Reject times above `limit` seconds, for which alignment by time would fail."""
        for position, times in enumerate(zip(self.starts, self.finishes, strict=True)):
            if not all(-limit <= time <= limit for time in times):
                raise InputError(
                    self.name,
                    self.line(position),
                    None,
                    f"expected times of at most {limit:.0f} seconds to align by time, found one "
                    f"from {times[0]} to {times[1]}",
                )

    def line(self, position: int) -> int:
        """Return the line number of a word, counted from 1."""
        index = -1
        for number, line in enumerate(self._raw.split(b"\n"), 1):
            index += not line.startswith(b";")
            if index == position:
                return number
        return self._raw.count(b"\n") + 1

    def _run(self, position: int) -> int:
        return bisect_right(self._run_begins, position) - 1

    def conversation(self, position: int) -> str:
        """Return the conversation of a word."""
        return self._runs[self._run(position)][0]

    def section(self) -> Section:
        """Return the section of the next word; it is empty at the end of the file.

        More of the file is read if necessary.
        """
        self._at_end = self._at_end or (self._unterminated and self.held == self.size)
        while not self._at_end and self._conversation_end() == self.held:
            self._read()
        if self.exhausted:
            return Section("(null)", "(null)", self.at, self.held, self._window)
        run = self._run(self.at)
        end = min(self._run_begins[run + 1], self.held)
        return Section(*self._runs[run], self.at, end, self._window)

    def _conversation_end(self) -> int:
        """Return where the conversation of the next word ends within the window."""
        if self.exhausted:
            return self.held
        return min(self._conversation_ends[self._run(self.at)], self.held)

    def _read(self) -> None:
        """Drop the used words from the window, and read the next words into it."""
        self._window = self.at
        while self.held - self._window < self._room - 1:
            if self.held == self.size:
                if self._empty_line >= 0:
                    raise EmptyLineError(self.name)
                if self._short_line >= 0:
                    text = whole_line(self._raw, self._short_line).removesuffix(b"\n")
                    count = len(text.split(b"\0")[0].replace(b"\t", b" ").split())
                    raise InputError(
                        self.name,
                        line_at(self._raw, self._short_line),
                        len(text) + 1,
                        "expected at least five fields (conversation, channel, begin, duration, "
                        f"word), found {count}",
                    )
                self._at_end = True
                return
            self.held = min(self.size, self._window + self._room - 1)
            full = self.held - self._window >= self._room - 1
            if full and self.conversation(self.held - 1) == self.conversation(self._window):
                self._room = int(self._room * ROOM_GROWTH)
