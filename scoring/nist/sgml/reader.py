"""Read the SGML alignments of sclite (`-o sgml`, `-o nl.sgml`, `-p`) into systems."""

from __future__ import annotations

from collections.abc import Callable

from scoring.alignment.system import LabelDefinition, System
from scoring.model.errors import InputError
from scoring.nist.sgml.errors import ExchangeError, refused
from scoring.nist.sgml.measures import WordMeasure, parse_measures
from scoring.nist.sgml.path_data import PathTag
from scoring.nist.sgml.system_builder import SystemBuilder
from scoring.nist.sgml.tags import Tag, parse_tag
from scoring.nist.transcripts.characters import Characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say

MOST_SYSTEMS, MOST_OPEN = 40, 10


def read_systems(
    data: bytes, say: Say, warn: Say, upper: Callable[[str], str] | None = None
) -> list[System]:
    """Read the systems in concatenated SGML files, in order, as `sclite -P` does.

    `say` gets what sclite prints to standard output, and `warn` what it prints to standard error.
    Raises `ExchangeError` if sclite rejects the input, and `InputError` if sclite crashes. Files
    with one line per field are also read, although sclite rejects them.
    """
    zero = data.find(b"\0")
    if zero >= 0:
        line = data.count(b"\n", 0, zero) + 1
        raise InputError("standard input", line, None, "expected text, found a NUL byte")
    reader = _SgmlReader(data, say, warn, upper or Characters().upper)
    return reader.read()


class _SgmlReader:
    """Reads the lines in order, and records which elements are open as sclite does."""

    def __init__(self, data: bytes, say: Say, warn: Say, upper: Callable[[str], str]) -> None:
        self._data = data
        self._say = say
        self._warn = warn
        self._upper = upper
        self._at = self._lines = 0
        # The names of the tags that are open, innermost last
        self._open: list[str] = []
        self._builders: list[SystemBuilder] = []
        self._system: SystemBuilder | None = None
        self._speaker: int | None = None
        self._path: PathTag | None = None
        # A list of numbers holds until an utterance brings its own.
        self._measures: tuple[WordMeasure, ...] = ()
        self._leftover: tuple[WordMeasure, ...] = ()

    def read(self) -> list[System]:
        while self._at < len(self._data):
            if self._data.startswith(b"<", self._at):
                if not self._read_paths():
                    self._tag(self._line())
            elif self._path is not None:
                # the lines up to the next tag
                text = self._taken(self._data.find(b"\n<", self._at))
                self._path.read(text.removesuffix("\n"), self._lines + 1)
                self._lines += text.count("\n")
            else:
                line = self._line()
                self._say(f"load_SCORES_sgml: Ignored data outside of PATH tag\n{line}")
        return [builder.system() for builder in self._builders]

    def _read_paths(self) -> bool:
        """Read the next utterances as columns, and return True.

        Return False if they are irregular.
        """
        if (
            self._system is None
            or self._speaker is None
            or self._path is not None
            or self._leftover
            or len(self._open) >= MOST_OPEN
            or not self._data.startswith(b"<PATH ", self._at)
        ):
            return False
        self._at, lines, self._speaker = self._system.read_paths(
            self._at, self._speaker, self._measures, others=self._open[-1] == "SPEAKER"
        )
        self._lines += lines
        return lines > 0

    def _line(self) -> str:
        self._lines += 1
        return self._taken(self._data.find(b"\n", self._at))

    def _taken(self, last: int) -> str:
        """Return the text up to position `last`, and move the reading position behind it.

        -1 means the end of the data.
        """
        end = len(self._data) if last < 0 else last + 1
        text = self._data[self._at : end].decode("latin-1")
        self._at = end
        return text

    def _tag(self, line: str) -> None:
        if line.startswith("</"):
            self._end(line)
            return
        tag = parse_tag(line)
        if len(self._open) == MOST_OPEN:
            raise ExchangeError("Too many SGML tags < 10\n", closed=False)
        self._open.append(tag.name)
        if tag.name == "PATH":
            self._begin_path(tag, line)
        elif tag.name == "SPEAKER":
            if self._system is None:
                raise refused(f"SPEAKER tag '{line}' found outside of SYSTEM tag")
            self._speaker = self._system.speaker(tag.attributes.get("id", ""))
        elif tag.name == "SYSTEM":
            self._begin_system(tag)
        elif tag.name in ("LABEL", "CATEGORY"):
            self._define(tag, line)

    def _end(self, line: str) -> None:
        # an end tag may cut the name short
        begin, end, _ = line[2:].partition(">")
        if not end or not self._open or not self._open[-1].startswith(begin):
            raise refused(f"Unable to delete SGML end tag '{line}'")
        name = self._open.pop()
        if name == "PATH":
            if self._path is None or self._system is None:
                # the tag within which it opened has taken its place
                problem = f"expected a PATH that is still open, found {line.rstrip()!r}"
                raise InputError("standard input", self._lines, None, problem)
            self._system.add(self._path)
            self._path = None
        elif name == "SPEAKER":
            self._speaker = None
        elif name == "SYSTEM":
            self._system = None

    def _begin_system(self, tag: Tag) -> None:
        if len(self._builders) == MOST_SYSTEMS:
            raise refused("SCORE array too small, increase size\n")
        self._speaker = None
        self._system = SystemBuilder(tag, self._say, self._upper, self._data)
        self._builders.append(self._system)

    def _begin_path(self, tag: Tag, line: str) -> None:
        if self._speaker is None or self._system is None:
            raise refused(f"PATH tag '{line}' found outside of SPEAKER tag")
        listed = tag.value("word_aux")
        if listed is not None:
            earlier = self._measures + self._leftover
            self._measures = parse_measures(listed, self._warn)
            self._leftover = earlier[len(self._measures) :]
        measures = self._measures, self._leftover
        self._path = PathTag(tag, self._speaker, *measures, listed is not None, self._warn)

    def _define(self, tag: Tag, line: str) -> None:
        if self._system is None:
            self._warn(f"Warning: {tag.name} tag '{line}' found outside of SYSTEM flag\n")
            return
        definitions = self._system.labels if tag.name == "LABEL" else self._system.categories
        definition = LabelDefinition(
            *(tag.attributes.get(name, "") for name in ("id", "title", "desc"))
        )
        if definition not in definitions:
            definitions.append(definition)
