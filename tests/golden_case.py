"""A stored run of an original: what was given and what came out, one readable file a case.

A case is a text of parts. A line `#: NAME` begins a part, and its bytes are all lines up to the
next such line. After the name may stand in brackets how the part is written down: `no end` (the
last line has no line feed), `latin-1` (the bytes are no UTF-8, each stands for one character) and
`base64` (neither is possible). Parts below `expected/` are what the original wrote; `command` or
`arguments` is what it was called with, `what` a line that says what the case is about, `ORIGIN.md`
which version made it; all others are its input.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "golden"
SUFFIX = ".case"
MARK = "#: "
EXPECTED = "expected/"
ABOUT = ("command", "arguments", "scoring", "what", "ORIGIN.md")


@dataclass(frozen=True)
class Golden:
    """One case; `parts` are its named parts as bytes."""

    path: Path
    parts: Mapping[str, bytes]

    @property
    def name(self) -> str:
        """The case's own name within its folder."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def group(self) -> str:
        """The folder of cases it belongs to."""
        return self.path.parent.name

    def text(self, name: str) -> str:
        """A part as text without the white space around it."""
        return self.parts[name].decode().strip()

    @property
    def arguments(self) -> list[str]:
        """The words of the command line, without the program's name."""
        return shlex.split(self.text("command" if "command" in self.parts else "arguments"))

    @property
    def inputs(self) -> dict[str, bytes]:
        """The input files by their names."""
        return {
            name: content
            for name, content in self.parts.items()
            if name not in ABOUT and not name.startswith(EXPECTED)
        }

    @property
    def expected(self) -> dict[str, bytes]:
        """The files the original wrote, with `stdout`, `stderr` and `status` among them."""
        return {
            name.removeprefix(EXPECTED): content
            for name, content in self.parts.items()
            if name.startswith(EXPECTED)
        }

    def lay_out(self, folder: Path) -> None:
        """Write the input files below a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.inputs.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def with_results(self, expected: Mapping[str, bytes], origin: str) -> Golden:
        """The same case with what the original has made of it anew."""
        kept = {name: part for name, part in self.parts.items() if not name.startswith(EXPECTED)}
        made = {EXPECTED + name: content for name, content in sorted(expected.items())}
        return Golden(self.path, {**kept, "ORIGIN.md": origin.encode(), **made})

    def save(self) -> None:
        """Write the case to its file."""
        self.path.write_bytes(packed(self.parts))


def packed(parts: Mapping[str, bytes]) -> bytes:
    """The text of a case."""
    return b"".join(_written(name, content) for name, content in parts.items())


def _written(name: str, content: bytes) -> bytes:
    ways = []
    if b"\0" in content or content.startswith(MARK.encode()) or b"\n" + MARK.encode() in content:
        ways.append("base64")
        content = base64.encodebytes(content)
    else:
        try:
            content.decode()
        except UnicodeDecodeError:
            ways.append("latin-1")
            content = content.decode("latin-1").encode()
    if content and not content.endswith(b"\n"):
        ways.append("no end")
        content += b"\n"
    head = f"{MARK}{name} [{', '.join(ways)}]" if ways else MARK + name
    return head.encode() + b"\n" + content


def unpacked(text: bytes) -> dict[str, bytes]:
    """The parts of a case."""
    parts: dict[str, bytes] = {}
    lines: list[bytes] = []
    for line in [*text.removesuffix(b"\n").split(b"\n"), MARK.encode()]:
        if not line.startswith(MARK.encode()):
            lines.append(line + b"\n")
            continue
        if lines:
            name, _, ways = lines[0].decode().strip().removeprefix(MARK).partition(" [")
            parts[name] = _read(b"".join(lines[1:]), ways)
        lines = [line]
    return parts


def _read(content: bytes, ways: str) -> bytes:
    if "no end" in ways:
        content = content[:-1]
    if "latin-1" in ways:
        content = content.decode().encode("latin-1")
    if "base64" in ways:
        content = base64.decodebytes(content)
    return content


def golden_cases(*groups: str) -> list[Golden]:
    """The cases of some folders of `tests/golden`, by name."""
    return [
        Golden(path, unpacked(path.read_bytes()))
        for group in groups
        for path in sorted((FOLDER / group).glob("*" + SUFFIX))
    ]
