"""Made subtitles are read as they are meant, or a remark says what may be wrong."""

from collections import Counter
from pathlib import Path

import pytest

from tests.formats.subtitles.made_files import verdict

FEW, MANY = 125, 1500
UNSEEN = 500_000
MOST_SILENT, MOST_REFUSED = 0.01, 0.04


def judged(first: int, count: int, folder: Path) -> Counter[str]:
    """Return how many samples were read in each way."""
    return Counter(verdict(seed, folder)[0] for seed in range(first, first + count))


@pytest.mark.share(2)
@pytest.mark.parametrize("first", [0, FEW])
def test_made_subtitles_are_read_or_told(first: int, tmp_path: Path) -> None:
    counts = judged(first, FEW, tmp_path)
    assert counts["silent"] <= MOST_SILENT * FEW, counts
    assert counts["refused"] <= MOST_REFUSED * FEW, counts


@pytest.mark.release
def test_many_made_subtitles_are_read_or_told(tmp_path: Path) -> None:
    counts = judged(UNSEEN, MANY, tmp_path)
    assert counts["silent"] <= MOST_SILENT * MANY, counts
    assert counts["refused"] <= MOST_REFUSED * MANY, counts
