"""One run of rover: it aligns the words of each chunk of each section, then votes.

A section is the words of one conversation and channel. Silences that all files share cut it into
chunks.
"""

from __future__ import annotations

from array import array
from math import isfinite

from scoring.model.errors import InputError, OriginalError
from scoring.nist.rover.alternatives import AlternativesReader, marks_of_tokens
from scoring.nist.rover.lattice import Lattice
from scoring.nist.rover.pricing import MOST_ARCS, Pricing
from scoring.nist.rover.rover_words import RoverWords
from scoring.nist.rover.silences import SharedSilences
from scoring.nist.rover.voting import SetPlace, Vote
from scoring.nist.rover.word_list import CtmWordList
from scoring.nist.transcripts.characters import Characters
from scoring.nist.transcripts.lexicon import TokenTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.alignment.network import Graph
    from scoring.model.aliases import Say
    from scoring.nist.rover.word_list import Section
    from scoring.nist.transcripts.input_files import TranscriptFile

LONGEST_TIME = 1e8  # seconds; with -T the original reads beyond its tables from 1e9 on


class RoverRequest:
    """The systems to combine, and the voting method."""

    def __init__(self) -> None:
        self.sources: list[TranscriptFile] = []  # the ctm files, two or more
        self.method = ""  # one of `candidates.METHODS`
        self.alpha = 1.0  # weight of the number of votes against that of confidences
        self.null_confidence = 0.0  # confidence of having no word
        self.case_sensitive = False
        self.by_time = False


class SectionMismatchError(OriginalError):
    """Raised if the next conversation is not the same in all files."""

    def __init__(self, first: str, other: str, conversation: str, found: str) -> None:
        super().__init__(
            f"Error: Conversation mismatches in {first} and {other}, "
            f"{conversation} and {found} respectively"
        )


class NetworkTooLongError(OriginalError):
    """Raised if a network has more arcs than NIST's rover can number."""

    def __init__(self) -> None:
        super().__init__(
            "Error: Attempt to align sequences larger than 65535 elements.  You can expand this "
            "size by modifying MATRIX_BACK_POINTER_TYPE and MAX_MATRIX_SIZE in netstr1.h of "
            "sclite\n"
        )


class Combination:
    """The combined words of several files, section by section."""

    def __init__(self, request: RoverRequest, warn: Say) -> None:
        self._warn = warn
        self._by_time = request.by_time
        table = TokenTable()
        characters = Characters(request.case_sensitive)
        self._files = [CtmWordList(source, characters, table, warn) for source in request.sources]
        if request.by_time:
            for file in self._files:
                file.refuse_times_beyond(LONGEST_TIME)
        self._silences = SharedSilences(self._files)
        tokens = table.texts()
        self._words = RoverWords(self._files, tokens, request.null_confidence)
        careful = not isfinite(request.null_confidence + request.alpha) or any(
            file.has_odd_numbers for file in self._files
        )
        self._vote = Vote(self._words, request.method, request.alpha, careful)
        self._pricing = Pricing(self._words, request.by_time)
        marks = marks_of_tokens(tokens)
        self._readers = [
            AlternativesReader(file, number, marks, self._words)
            for number, file in enumerate(self._files)
        ]
        self._loans: list[tuple[CtmWordList, int]] = []
        self._unaffordable = 0

    def run(self, lines: list[str]) -> Iterator[list[Section]]:
        """Combine the files section by section, and add the output to `lines`.

        Before the lines of a section are added, the section of each file is yielded.
        """
        while True:
            sections = self._next_sections()
            yield sections
            self._section(sections, lines)
            if all(file.finished for file in self._files):
                break
        self._warn_of_losses()

    def _next_sections(self) -> list[Section]:
        first = self._files[0]
        sections: list[Section] = []
        for number, file in enumerate(self._files):
            section = file.section()
            if number and not file.exhausted:
                if first.exhausted:
                    line = file.line(file.at)
                    raise InputError(
                        first.name,
                        None,
                        None,
                        f"expected words of conversation {section.conversation!r}, of which "
                        f"{file.name}:{line} has some, found the end of the file",
                    )
                if section.conversation != sections[0].conversation:
                    raise SectionMismatchError(
                        first.name, file.name, sections[0].conversation, section.conversation
                    )
            self._words.note_confidences(number)
            sections.append(section)
        if all(file.exhausted for file in self._files):
            raise InputError(first.name, None, None, "expected words, found none in any file")
        channel = sections[0].channel
        for file, section in zip(self._files[1:], sections[1:], strict=True):
            if section.channel != channel and not file.exhausted:
                self._say(
                    file,
                    file.at,
                    f"channel {section.channel!r} is combined with channel {channel!r} of "
                    f"{first.name}",
                )
        return sections

    def _say(self, file: CtmWordList, position: int, problem: str) -> None:
        self._warn(f"rover: warning: {file.name}:{file.line(position)}: {problem}\n")

    def _section(self, sections: Sequence[Section], lines: list[str]) -> None:
        location = SetPlace(sections[0].conversation, sections[0].channel)
        for chunk in self._silences.chunks(sections):
            for file, part, section in zip(self._files, chunk, sections, strict=True):
                if part.stop > section.end:  # words of the next section take part in this one, too
                    self._loans.append((file, section.end))
            self._vote_on_chunk(chunk, location, lines)

    def _vote_on_chunk(self, chunk: Sequence[range], location: SetPlace, lines: list[str]) -> None:
        """Combine the words of a chunk: in columns, or as a network if there are alternatives."""
        parts = zip(self._readers, chunk, strict=True)
        if not self._pricing.is_uniform or any(
            reader.has_alternatives(part) for reader, part in parts
        ):
            self._vote.run(self._combined(chunk).sets(), location, lines)
            return
        files = [reader.words(part) for reader, part in zip(self._readers, chunk, strict=True)]
        try:
            members, offsets, uncombined = self._pricing.align_files(files)
        except OverflowError:
            raise NetworkTooLongError from None
        self._unaffordable += uncombined
        self._vote.run_columns(members, offsets, location, lines)

    def _combined(self, chunk: Sequence[range]) -> Lattice:
        """Return a network of the first file's words, aligned with the words of each other file."""
        words, lattice = self._words, Lattice(self._readers[0].read(chunk[0]))
        for file in range(1, len(chunk)):
            arcs = lattice.number()
            added = Lattice(self._readers[file].read(chunk[file])).number()
            path = self._path(
                arcs.graph(array("i", map(words.voted.__getitem__, arcs.words))),
                arcs.words,
                added.graph(array("i", map(words.compared.__getitem__, added.words))),
                added.words,
            )
            lattice.merge(arcs, added.words, path, file)
        return lattice

    def _path(
        self, reference: Graph, words: Sequence[int], hypothesis: Graph, others: Sequence[int]
    ) -> Sequence[int]:
        if max(len(words), len(others)) > MOST_ARCS:
            raise NetworkTooLongError
        path = self._pricing.path(reference, words, hypothesis, others)
        if not path and others:
            self._unaffordable += len(others)
        return path

    def _warn_of_losses(self) -> None:
        """Warn about words that NIST's rover drops or processes incorrectly."""
        for file in self._files:
            if file.at < file.size:
                problem = "because no file has more than one word in it"
                self._say(file, file.at, f"the last section is not combined, {problem}")
        for file, position in self._loans[:1]:
            times = f"({len(self._loans)} times in all files)"
            problem = f"the first word of a section also takes part in the one before {times}"
            self._say(file, position, problem)
        for reader in self._readers:
            if reader.lost:
                lost = f"which is lost ({len(reader.lost)} in the file)"
                problem = f"found a word after an empty alternative, {lost}"
                self._say(reader.file, reader.lost[0], problem)
        if self._unaffordable:
            self._warn(
                f"rover: warning: {self._unaffordable} words are not combined: no alignment by "
                "time costs less than 999999.9 seconds\n"
            )
