from pathlib import Path

import pytest


@pytest.fixture
def meetings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with both sides of meetings; commands run in the empty folder inside it."""
    from tests.scoring.score.engines.test_meetings import write_meetings

    write_meetings(tmp_path)
    monkeypatch.chdir(tmp_path / "out")
    return tmp_path
