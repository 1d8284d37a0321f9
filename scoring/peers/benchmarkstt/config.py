r"""Reader of config files, whose rows belong to sections.

>>> from io import StringIO
>>> config = reader(StringIO("lowercase\n[names]\nreplace names.csv\n"))
>>> config["names"], config[None], "places" in config
([['replace', 'names.csv']], [['lowercase']], False)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from scoring.peers.benchmarkstt.csv import Line
from scoring.peers.benchmarkstt.csv import reader as csv_reader
from scoring.text.config_file import HEADER


class SectionConfigReader:
    """The rows of a config file.

    Iteration yields all rows. A section's name as key selects the rows of the section, and the key
    None the rows before the first header. An unknown section raises KeyError.
    """

    def __init__(self, config: Iterable[Line]) -> None:
        self.config = list(config)
        self.sections: dict[str | None, list[Line]] = {None: []}
        section = self.sections[None]
        for line in self.config:
            header = HEADER.fullmatch(line[0]) if len(line) == 1 else None
            if header is None:
                section.append(line)
            else:
                section = self.sections.setdefault(header[1], [])

    def __iter__(self) -> Iterator[Line]:
        return iter(self.config)

    def __getitem__(self, name: str | None) -> list[Line]:
        return self.sections[name]

    def __contains__(self, name: object) -> bool:
        return name in self.sections


def reader(file: IO[str]) -> SectionConfigReader:
    """Return the rows of an open config file."""
    return SectionConfigReader(csv_reader(file, "whitespace"))
