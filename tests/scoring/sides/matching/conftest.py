"""Files that are scored with many others are read once."""

import pytest

from scoring.sides import side_files
from scoring.sides.given import Reading, SideFile
from scoring.sides.side_files import Detected, read_with_lines


@pytest.fixture
def each_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each file once, however many others it is scored with: nobody may change it."""
    known: dict[str, Detected] = {}

    def read_once(file: SideFile, reading: Reading) -> Detected:
        key = repr((file, reading))
        if key not in known:
            known[key] = read_with_lines(file, reading)
        return known[key]

    monkeypatch.setattr(side_files, "read_with_lines", read_once)
