"""One differential case: input files, the arguments of one run."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """Input files and the options of one run of sclite.

    `options` keeps an option and its values together.
    """

    name: str
    kind: str
    options: tuple[tuple[str, ...], ...]
    files: Mapping[str, bytes]
    directories: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """The argument list, without the program's name."""
        return [word for option in self.options for word in option]

    def option_values(self, name: str) -> list[tuple[str, ...]]:
        """The values of every occurrence of the option `name`."""
        return [option[1:] for option in self.options if option[0] == name]


def read_files(directory: Path) -> dict[str, bytes]:
    """Every file below `directory`, keyed by its path relative to it."""
    files: dict[str, bytes] = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, directory)
            with open(path, "rb") as stream:
                files[relative] = stream.read()
    return files
