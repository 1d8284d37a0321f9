"""One input of the fuzzer: all that is needed to try it again, kept as one small file."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CORPUS", "Finding", "Input"]

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Input:
    """What is tried: `kind` is the sort of trial, `name` the format, function or command."""

    kind: str
    name: str
    data: bytes

    def keep(self, folder: Path) -> Path:
        """Write the input where `read_back` finds it; the path."""
        path = folder / self.kind / f"{zlib.crc32(self.data):08x}.{self.name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data)
        return path

    @classmethod
    def read_back(cls, path: Path) -> Input:
        """An input from its file: its folder is the kind, its suffix the name."""
        return cls(path.parent.name, path.suffix[1:], path.read_bytes())


class Finding(Exception):  # noqa: N818 -- what is found is no error of ours
    """A fault: `key` is the same for the same fault, `input` is what shows it."""

    def __init__(self, key: str, message: str, input_: Input) -> None:
        super().__init__(message)
        self.key = key
        self.input = input_

    def __str__(self) -> str:
        shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in self.args[0])
        return f"{self.input.kind} {self.input.name}: {shown[:600]}"
