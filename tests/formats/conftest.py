"""Shared pieces of the format tests: writing files, and reading text by format."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats import detection
from formats.detection import signs
from formats.detection.head import Head, is_yaml_name
from formats.io.source import Source

Heads = dict[tuple[str, bool], Head]
WriteFile = Callable[[str, "str | bytes"], str]
ReadText = Callable[..., formats.Transcript]
RunCommand = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def write_file(current_folder: Path) -> WriteFile:
    """Write a file into a fresh current folder and give its name, so messages stay short."""

    def write(name: str, content: str | bytes) -> str:
        data = content.encode() if isinstance(content, str) else content
        Path(name).write_bytes(data)  # a case of `each_case` has a folder of its own
        return name

    return write


@pytest.fixture
def read_text() -> ReadText:
    """Read a text as a given format, without a file."""

    def read(text: str | bytes, name: str, **options: object) -> formats.Transcript:
        data = text.encode() if isinstance(text, str) else text
        options.setdefault("recording", "rec")
        return formats.read(BytesIO(data), name, **options)  # type: ignore[arg-type]

    return read


@pytest.fixture
def run_command(capfd: pytest.CaptureFixture[str]) -> RunCommand:
    """Run the command in this process: status, standard output, standard error."""
    from scoring.cli.formats import main

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        output, errors = capfd.readouterr()
        return status, output, errors

    return run


@pytest.fixture
def heads(monkeypatch: pytest.MonkeyPatch) -> Heads:
    """What detection sees of a file, by what its name adds; a test clears it for another file.

    Readers are asked once for all names under which the file looks the same. A file of no format is
    not compared with all of them: only the message of the error would say which is nearest.
    """
    seen: Heads = {}
    look = detection.seen_head

    def seen_head(source: Source) -> Head:
        added = source.stem, is_yaml_name(source.name)
        if added not in seen:
            seen[added] = look(source)
        return seen[added]

    monkeypatch.setattr(detection, "seen_head", seen_head)
    monkeypatch.setattr(signs, "nearest", lambda *_: [])
    return seen
