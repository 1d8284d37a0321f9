"""One run of rover: sections, chunks, networks, votes, in the order of the original."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite

from scoring.alignment.kernel import align_linear
from scoring.alignment.network import Graph
from scoring.errors import InputError, OriginalError
from scoring.nist.rover.alternatives import AlternativesReader, marks_of_tokens
from scoring.nist.rover.chains import ChainShapes, WordSet, first_sets, members, merged
from scoring.nist.rover.lattice import Item, Lattice
from scoring.nist.rover.pricing import Pricing, chain
from scoring.nist.rover.rover_words import RoverWords
from scoring.nist.rover.silences import chunks
from scoring.nist.rover.voting import SetPlace, Vote
from scoring.nist.rover.word_list import CtmWordList, Section
from scoring.nist.transcripts.characters import Characters
from scoring.nist.transcripts.columns import TokenTable
from scoring.nist.transcripts.input_files import TranscriptFile, Warn

MOST_ARCS = 65534
LONGEST_TIME = 1e8  # seconds; with -T the original reads beyond its tables from 1e9 on
LINEAR_COSTS = (4, 3, 3)
SCLITE_TIES = 0


@dataclass(slots=True)
class RoverRequest:
    """What to combine, and how."""

    sources: list[TranscriptFile] = field(default_factory=list)  # the ctm files, two or more
    method: str = ""  # one of `voting.METHODS`
    alpha: float = 1.0  # weight of the number of votes against that of confidences
    null_confidence: float = 0.0  # confidence of having no word
    case_sensitive: bool = False
    by_time: bool = False


class SectionMismatchError(OriginalError):
    """Files that are not about the same conversation at the same point."""

    def __init__(self, first: str, other: str, conversation: str, found: str) -> None:
        super().__init__(
            f"Error: Conversation mismatches in {first} and {other}, "
            f"{conversation} and {found} respectively"
        )


class NetworkTooLongError(OriginalError):
    """A network of more arcs than the original can number."""

    def __init__(self) -> None:
        super().__init__(
            "Error: Attempt to align sequences larger than 65535 elements.  You can expand this "
            "size by modifying MATRIX_BACK_POINTER_TYPE and MAX_MATRIX_SIZE in netstr1.h of "
            "sclite\n"
        )


class Combination:
    """The combined words of several files, section after section."""

    def __init__(self, request: RoverRequest, warn: Warn) -> None:
        self._warn = warn
        self._by_time = request.by_time
        table = TokenTable()
        characters = Characters(request.case_sensitive)
        self._files = [CtmWordList(source, characters, table, warn) for source in request.sources]
        if request.by_time:
            for file in self._files:
                file.refuse_times_beyond(LONGEST_TIME)
        tokens = table.texts()
        self._words = RoverWords(self._files, tokens, request.null_confidence)
        careful = not isfinite(request.null_confidence + request.alpha) or any(
            file.has_odd_numbers for file in self._files
        )
        self._vote = Vote(self._words, request.method, request.alpha, careful)
        self._pricing = Pricing(self._words, request.by_time)
        self._shapes = ChainShapes()
        self._alternatives: list[AlternativesReader] | None = None
        marks = marks_of_tokens(tokens)
        if marks is not None:
            self._alternatives = [
                AlternativesReader(file, number, marks, self._words)
                for number, file in enumerate(self._files)
            ]
        self._loans: list[tuple[CtmWordList, int]] = []
        self._unaffordable = 0

    def run(self, lines: list[str]) -> Iterator[list[Section]]:
        """Combine section by section; sections come before what they add to the lines."""
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
        plain: list[list[range]] = []
        for chunk in chunks(self._files, sections):
            for file, part, section in zip(self._files, chunk, sections, strict=True):
                if part.stop > section.end:  # words of the next section take part in this one, too
                    self._loans.append((file, section.end))
            readers = zip(self._alternatives or (), chunk, strict=False)
            if any(reader.needed(part) for reader, part in readers):
                self._vote_on(plain, location, lines)
                plain = []
                lattice = self._add(Lattice(self._items(0, chunk[0])), chunk, 1)
                self._vote.run(lattice.sets(), location, lines)
            else:
                plain.append(chunk)
        self._vote_on(plain, location, lines)

    def _vote_on(self, plain: list[list[range]], location: SetPlace, lines: list[str]) -> None:
        """Chunks without alternatives, the first two files of all of them at once."""
        if not plain:
            return
        begun = self._first_two(plain)
        start = self._words.offset(0)
        for number, chunk in enumerate(plain):
            if begun is None:
                sets = self._chain([[start + word] for word in chunk[0]], chunk, 1)
            else:
                sets = self._chain(begun[number], chunk, 2)
            self._vote.run(sets, location, lines)

    def _first_two(self, plain: Sequence[Sequence[range]]) -> list[list[WordSet]] | None:
        """The sets of the first two files; None if their words cost otherwise than in sclite."""
        words = self._words
        types = words.compared
        if not self._pricing.plain:
            return None
        bounds = []
        for file in (0, 1):
            offset = words.offset(file)
            begins = array("q", [offset + chunk[file].start for chunk in plain])
            ends = array("q", [offset + chunk[file].stop for chunk in plain])
            longest = max(end - begin for begin, end in zip(begins, ends, strict=True))
            if longest > MOST_ARCS or words.null_text in types[begins[0] : ends[-1]]:
                return None
            bounds.append((begins, ends))
        (first, own_ends), (second, other_ends) = bounds
        edits, offsets, _ = align_linear(
            types, first, own_ends, types, second, other_ends, *LINEAR_COSTS, SCLITE_TIES, 1
        )
        places = memoryview(offsets).cast("q")
        return [
            first_sets(first[number], second[number], edits[places[number] : places[number + 1]])
            for number in range(len(plain))
        ]

    def _chain(self, sets: list[WordSet], chunk: Sequence[range], files: int) -> Iterable[WordSet]:
        """Add the words of the other files to the sets of the first ones."""
        words = self._words
        for file in range(files, len(chunk)):
            offset = words.offset(file)
            others = range(offset + chunk[file].start, offset + chunk[file].stop)
            sets_of_chain = members(sets)
            path = self._path(
                self._shapes.graph(array("i", map(words.voted.__getitem__, sets_of_chain)), file),
                sets_of_chain,
                chain(words.compared[others.start : others.stop]),
                others,
            )
            if not path and (sets_of_chain or others):
                # this file is not in the sets, which are of different sizes from here on
                lattice = Lattice([tuple((word,) for word in facing) for facing in sets])
                return self._add(lattice, chunk, file + 1).sets()
            sets = merged(sets, others, path, file)
        return sets

    def _items(self, file: int, part: range) -> list[Item]:
        if self._alternatives is not None:
            return self._alternatives[file].read(part)
        offset = self._words.offset(file)
        return list(range(offset + part.start, offset + part.stop))

    def _add(self, lattice: Lattice, chunk: Sequence[range], files: int) -> Lattice:
        """Add the words of all files but the first ones."""
        words = self._words
        for file in range(files, len(chunk)):
            arcs = lattice.number()
            added = Lattice(self._items(file, chunk[file])).number()
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
        """Say which words the original does not use, or not as they are meant."""
        for file in self._files:
            if file.at < file.size:
                problem = "because no file has more than one word in it"
                self._say(file, file.at, f"the last section is not combined, {problem}")
        for file, position in self._loans[:1]:
            times = f"({len(self._loans)} times in all files)"
            problem = f"the first word of a section also takes part in the one before {times}"
            self._say(file, position, problem)
        for reader in self._alternatives or ():
            if reader.lost:
                lost = f"which is lost ({len(reader.lost)} in the file)"
                problem = f"found a word after an empty alternative, {lost}"
                self._say(reader.file, reader.lost[0], problem)
        if self._unaffordable:
            self._warn(
                f"rover: warning: {self._unaffordable} words are not combined: no alignment by "
                "time costs less than 999999.9 seconds\n"
            )
