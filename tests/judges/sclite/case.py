"""One differential case: input files, the arguments of one run, and its layout on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DESCRIPTION = "case.json"
INPUTS = "inputs"


@dataclass(frozen=True)
class Case:
    """Input files and the options of one run of sclite.

    `options` keeps an option and its values together, so that a case can be made smaller by
    dropping whole options. `features` names what the case exercises, for the coverage table.
    """

    name: str
    kind: str
    options: tuple[tuple[str, ...], ...]
    files: Mapping[str, bytes]
    directories: tuple[str, ...] = ()
    features: frozenset[str] = field(default=frozenset())

    @property
    def arguments(self) -> list[str]:
        """The argument list, without the program's name."""
        return [word for option in self.options for word in option]

    def option_values(self, name: str) -> list[tuple[str, ...]]:
        """The values of every occurrence of the option `name`."""
        return [option[1:] for option in self.options if option[0] == name]

    def lay_out(self, directory: Path) -> None:
        """Write the input files and make the directories below `directory`."""
        directory.mkdir(parents=True, exist_ok=True)
        for name in self.directories:
            (directory / name).mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def save(self, directory: Path) -> None:
        """Write the case so that `load` reads the same case again."""
        self.lay_out(directory / INPUTS)
        description = {
            "name": self.name,
            "kind": self.kind,
            "options": [list(option) for option in self.options],
            "directories": list(self.directories),
            "features": sorted(self.features),
        }
        (directory / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n", "ascii")

    @classmethod
    def load(cls, directory: Path) -> Case:
        """Read a case that `save` wrote."""
        description = json.loads((directory / DESCRIPTION).read_text("ascii"))
        return cls(
            name=description["name"],
            kind=description["kind"],
            options=tuple(tuple(option) for option in description["options"]),
            files=read_files(directory / INPUTS),
            directories=tuple(description["directories"]),
            features=frozenset(description["features"]),
        )


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
